//! Words that say that a check went well.

use super::fault::is_none;
use super::result::number;
use proctor_prose::{Reading, Token, TokenKind, tag};

/// Whether a check is said to have come to its end: exits 0, completes, says nothing; 출력 없이 끝났습니다.
pub(super) fn ends_well(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    let word = word_at(at);
    let next = word_at(at + 1);
    match word {
        "exits" | "exited" | "exit" => {
            let code = ["code", "status", "with"].contains(&next);
            number(next) == Some(0)
                || code && (number(word_at(at + 2)) == Some(0) || number(word_at(at + 3)) == Some(0))
        }
        "completes" | "finishes" | "finish" => at > 0,
        "went" | "goes" | "go" => next == "through",
        "silent" | "quiet" | "quietly" => true,
        "happy" => at > 0 && matches!(word_at(at - 1), "is" | "are" | "both" | "stays"),
        "nothing" => next == "to" && word_at(at + 2) == "report" || at > 0 && says_nothing(word_at(at - 1)),
        "compiles" => takes_no_object(next),
        "builds" | "build" | "compile" => {
            at > 0
                && takes_no_object(next)
                && tokens.get(at - 1).is_some_and(|t| {
                    matches!(
                        reading.word(t),
                        "it" | "everything"
                            | "still"
                            | "now"
                            | "all"
                            | "which"
                            | "both"
                            | "also"
                            | "them"
                            | "they"
                    ) || t.kind == TokenKind::Path
                        || t.kind == TokenKind::Word && !before_noun(reading.word(t))
                })
                && (word == "builds"
                    || word_at(at - 1).ends_with('s') && !word_at(at - 1).ends_with("'s")
                    || matches!(word_at(at - 1), "still" | "them" | "they" | "all" | "both"))
                && (next.is_empty()
                    || matches!(
                        next,
                        "with"
                            | "for"
                            | "on"
                            | "in"
                            | "and"
                            | "again"
                            | "fine"
                            | "now"
                            | "without"
                            | "after"
                            | "under"
                            | "from"
                    ))
        }
        _ => {
            tokens.get(at).is_some_and(|t| t.kind == TokenKind::Hangul)
                && (["컴파일됩", "컴파일돼", "빌드됩", "빌드돼"]
                    .iter()
                    .any(|w| word.starts_with(w))
                    || ["됩니다", "된다", "돼요", "되네요", "됨", "되고", "되며"].contains(&word)
                        && at > 0
                        && runs_well(word_at(at - 1))
                    || word.starts_with("조용")
                    || ["돌았", "돌아갔", "돌아갑", "끝났"]
                        .iter()
                        .any(|w| word.starts_with(w))
                        && at > 0
                        && matches!(word_at(at - 1), "잘" | "문제없이")
                    || word.starts_with("확인했")
                        && at > 0
                        && ["빌드", "컴파일", "린트", "타입"]
                            .iter()
                            .any(|w| word_at(at - 1).starts_with(w)))
        }
    }
}

/// Words behind which "build" is no verb.
fn before_noun(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "to"
            | "our"
            | "my"
            | "your"
            | "each"
            | "every"
            | "will"
            | "should"
            | "would"
            | "must"
            | "can"
            | "could"
            | "may"
            | "might"
            | "nightly"
            | "and"
            | "or"
            | "of"
            | "in"
            | "for"
            | "that"
            | "i"
            | "we"
            | "not"
            | "clean"
            | "full"
    )
}

/// "잘 됩니다", "빌드도 되고".
fn runs_well(word: &str) -> bool {
    word == "잘" || word == "문제없이" || word.starts_with("빌드") || word.starts_with("컴파일")
}

fn says_nothing(word: &str) -> bool {
    matches!(
        word,
        "report"
            | "reports"
            | "reported"
            | "prints"
            | "printed"
            | "says"
            | "said"
            | "found"
            | "finds"
            | "returns"
    )
}

fn takes_no_object(next: &str) -> bool {
    !matches!(next, "the" | "a" | "an" | "its" | "to" | "into" | "our" | "this")
}

/// Whether a word tells what came of a check. English words count as they are: "cleaned up" is a deed.
fn succeeds(word: &str) -> bool {
    const STEMS: [&str; 14] = [
        "통과",
        "성공",
        "녹색",
        "초록",
        "그린",
        "깨끗",
        "깔끔",
        "패스",
        "정상",
        "문제없",
        "이상",
        "완료",
        "flawless",
        "smooth",
    ];
    matches!(
        word,
        "pass"
            | "passes"
            | "passed"
            | "passing"
            | "green"
            | "ok"
            | "okay"
            | "clean"
            | "cleanly"
            | "success"
            | "successful"
            | "successfully"
            | "succeed"
            | "succeeds"
            | "succeeded"
            | "fine"
            | "happy"
            | "good"
            | "clear"
            | "quiet"
    ) || STEMS.iter().any(|s| word.starts_with(s))
}

/// Whether the word of success at `at` is said of something, not a quality of another noun ("a clean function").
pub(super) fn is_result(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    let phrase = tokens.get(at..at + usize::from(token.phrase)).unwrap_or_default();
    let listed = phrase
        .iter()
        .map(|t| reading.word(t))
        .any(|w| succeeds(w) || w.contains('없') || is_none(w));
    if !listed {
        return false;
    }
    let next = tokens.get(at + usize::from(token.phrase));
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    match token.kind {
        // "the tests that pass", "passes only on Linux"
        TokenKind::Word if at > 0 && matches!(word_at(at - 1), "that" | "which" | "who" | "only") => false,
        TokenKind::Word if next.is_some_and(|t| reading.word(t) == "only") => false,
        TokenKind::Word => {
            let follows = next.map_or("", |t| reading.word(t));
            let object = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT;
            if word.starts_with("pass") && token.phrase == 1 {
                // "pass the flag on", "passes null"
                let the = matches!(
                    follows,
                    "the" | "a" | "an" | "it" | "its" | "this" | "through" | "down"
                );
                let thing = next.is_some_and(|t| {
                    t.kind == TokenKind::Code
                        || t.kind == TokenKind::Word && t.tags.any(tag::TECH) && !follows.ends_with("ly")
                });
                let named = tokens.iter().skip(at + 1).take(4).any(|t| t.tags.any(object));
                return !(the || thing) || named;
            }
            if token.phrase > 1 {
                // "no regression tests" are tests that are not there.
                let none = is_none(word) && next.is_some_and(|t| t.tags.any(tag::TESTS));
                return !none;
            }
            // An adjective in front of its noun.
            let noun = next.is_some_and(|t| {
                t.kind == TokenKind::Word
                    && !t.tags.any(
                        tag::STOP
                            | tag::CLAUSE
                            | tag::GENERIC
                            | tag::NEG
                            | tag::ZERO
                            | tag::FIRST
                            | tag::PAST
                            | tag::INTENS,
                    )
            });
            !noun
        }
        TokenKind::Hangul => said_of(reading, tokens, at + usize::from(token.phrase) - 1),
        _ => true,
    }
}

/// Whether a Korean word of success ends as a statement, not as purpose, duty, interruption or a quality.
fn said_of(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    let never = [
        "해야",
        "돼야",
        "되어야",
        "어야",
        "여야",
        "하도록",
        "되도록",
        "하게",
        "다가",
        "시키기",
        "하기",
        "되기",
        "할지",
        "될지",
        "는지",
        "여부",
        "시켜",
        "하려면",
        "하려고",
        "기준",
        "조건",
        "율",
        "률",
    ];
    if never.iter().any(|e| word.ends_with(e)) {
        return false;
    }
    let adnominal = word.ends_with("한")
        || word.ends_with("하는")
        || word.ends_with("된")
        || word.ends_with("되는")
        || word.ends_with("할");
    if adnominal {
        // "통과하는 것을 확인했습니다"
        return !word.ends_with("할")
            && tokens.get(at + 1).is_some_and(|t| {
                ["것", "걸", "점", "거"]
                    .iter()
                    .any(|w| reading.word(t).starts_with(w))
            });
    }
    // "통과를 목표로", but "통과를 확인했습니다"
    if word.ends_with('를') || word.ends_with('을') {
        return tokens
            .get(at + 1)
            .is_some_and(|t| ["확인", "검증"].iter().any(|w| reading.word(t).starts_with(w)));
    }
    // "통과 여부", "통과 기준"
    !tokens.get(at + 1).is_some_and(|t| {
        ["여부", "기준", "조건", "률", "율", "시", "후", "뒤", "전"]
            .iter()
            .any(|w| reading.word(t) == *w)
            || reading.word(t).starts_with("여부")
            || reading.word(t).starts_with("기준")
    })
}
