//! Words that say that a check went well.

use super::fault::is_none;
use super::named;
use super::result::number;
use proctor_prose::{Reading, Tags, Token, TokenKind, tag};

/// Words of checks.
const CHECKS: Tags = tag::TESTS.or(tag::BUILD).or(tag::TYPES).or(tag::LINT);

/// How far in front of what is said of it a check is named, in tokens.
const SUBJECT: usize = 8;

/// Whether a check is said to have come to its end: exits 0, completes, says nothing; 출력 없이 끝났습니다.
pub(super) fn ends_well(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    let word = word_at(at);
    let next = word_at(at + 1);
    let subject = || is_of_a_check(reading, tokens, at);
    match word {
        "exits" | "exited" | "exit" => {
            let code = ["code", "status", "with"].contains(&next);
            number(next) == Some(0)
                || code && (number(word_at(at + 2)) == Some(0) || number(word_at(at + 3)) == Some(0))
        }
        "returns" | "returned" => {
            number(next) == Some(0) && at > 0 && tokens.get(at - 1).is_some_and(|t| t.kind == TokenKind::Code)
        }
        "completes" | "finishes" | "finish" => at > 0,
        "finished" | "completed" | "ended" => {
            subject() && matches!(next, "without" | "cleanly" | "successfully" | "fine")
        }
        // "The specs hold up", "all of them survive the change"
        "survive" | "survives" | "survived" => subject(),
        "hold" | "holds" | "held" => next == "up" && subject(),
        "turned" | "turns" => next == "up" && word_at(at + 2) == "nothing" && subject(),
        "went" | "goes" | "go" | "ran" | "runs" | "run" | "came" | "comes" => {
            next == "through"
                && is_end(tokens, at + 2, word_at(at + 2))
                && (word.starts_with('g') || word == "went" || subject())
        }
        // "The suite is fine", "tests look good"
        "fine" | "good" | "ok" | "okay" => {
            at > 0
                && is_end(tokens, at + 1, next)
                && (is_state(word_at(at - 1)) || tokens.get(at - 1).is_some_and(|t| t.is_punct(':')))
                && subject()
        }
        // "The build works again": it is a check that works, not the way in which it does.
        "works" | "work" => subject() && is_end(tokens, at + 1, next),
        "satisfied" => at > 0 && matches!(word_at(at - 1), "is" | "are" | "was" | "were") && subject(),
        "silent" | "quiet" | "quietly" => true,
        "happy" => at > 0 && matches!(word_at(at - 1), "is" | "are" | "was" | "were" | "both" | "stays"),
        "nothing" => {
            let left = usize::from(next == "left");
            let end = |at: usize| {
                !matches!(word_at(at), "about" | "in" | "for" | "of" | "on")
                    || tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Code)
            };
            word_at(at + 1 + left) == "to"
                && matches!(word_at(at + 2 + left), "report" | "say" | "complain")
                && end(at + 3 + left)
                || matches!(next, "reported" | "flagged")
                || at > 0 && says_nothing(word_at(at - 1)) && end(at + 1)
        }
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
                    // 아무 말이 없습니다, 이상 무, 성공 상태입니다
                    || word.starts_with('없') && at > 0 && matches!(word_at(at - 1), "말이" | "말도")
                    || word == "무" && at > 0 && word_at(at - 1).starts_with("이상") && subject()
                    || matches!(word, "성공" | "통과") && next.starts_with("상태")
                    || ["돌았", "돌아갔", "돌아갑", "끝났", "끝납", "끝나"]
                        .iter()
                        .any(|w| word.starts_with(w))
                        && at > 0
                        && matches!(
                            word_at(at - 1),
                            "잘" | "문제없이" | "무사히" | "깨끗하게" | "깔끔하게" | "깨끗이" | "정상적으로" | "성공적으로"
                        )
                        && subject()
                    || ["무사통과", "무탈", "멀쩡", "올그린", "살아남", "무결점"]
                        .iter()
                        .any(|w| word.starts_with(w))
                        && subject()
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
    matches!(word, "잘" | "다" | "문제없이") || word.starts_with("빌드") || word.starts_with("컴파일")
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
            | "shows"
            | "showed"
            | "gives"
            | "gave"
            | "flags"
            | "flagged"
    )
}

/// Words in front of a state: "is fine", "look good".
fn is_state(word: &str) -> bool {
    matches!(
        word,
        "is" | "are" | "was" | "were" | "look" | "looks" | "still" | "all" | "back" | "run" | "runs" | "stay"
    )
}

/// Whether what is said of a check ends before the word at `at`, or goes on with when, where and for what.
fn is_end(tokens: &[&Token], at: usize, word: &str) -> bool {
    tokens.get(at).is_none_or(|t| {
        !t.is_word()
            || is_function(word)
            || matches!(
                word,
                "on" | "in" | "with" | "for" | "as" | "at" | "and" | "fine" | "just"
            )
    })
}

/// Whether a listed phrase ends in the name of a check: "test suite", 타입 검사; not "test fixtures", 빌드 스크립트.
pub(super) fn ends_in_a_check(reading: &Reading, tokens: &[&Token], last: usize) -> bool {
    let word = tokens.get(last).map_or("", |t| reading.word(t));
    [
        "test",
        "suite",
        "spec",
        "run",
        "build",
        "check",
        "lint",
        "compil",
        "테스트",
        "빌드",
        "체크",
        "검사",
        "스위트",
        "린트",
        "컴파일",
        "실행",
    ]
    .iter()
    .any(|w| word.starts_with(w))
        || word.ends_with("tests")
}

/// Whether what is said at `at` is said of a check: its name, and no other noun, ends before it. "The test fixtures are fine"
/// is of fixtures, 테스트 작성이 잘 끝났습니다 of writing.
fn is_of_a_check(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let light = |t: &Token| {
        let word = reading.word(t);
        matches!(
            word,
            "is" | "are"
                | "was"
                | "were"
                | "look"
                | "looks"
                | "now"
                | "still"
                | "all"
                | "both"
                | "also"
                | "back"
                | "again"
                | "just"
                | "has"
                | "have"
                | "come"
                | "comes"
                | "came"
                | "run"
                | "runs"
                | "stay"
                | "stays"
                | "too"
                | "there"
        ) || t.is_punct(':')
            || t.kind == TokenKind::Number
            || t.kind == TokenKind::Hangul
                && !t.tags.any(CHECKS)
                && (t
                    .tags
                    .any(tag::STOP | tag::INTENS | tag::GENERIC | tag::MEASURE | tag::FUT)
                    || matches!(
                        word,
                        "다" | "끝까지"
                            | "잘"
                            | "모두"
                            | "전부"
                            | "이상"
                            | "문제없이"
                            | "무사히"
                            | "깨끗하게"
                            | "깔끔하게"
                            | "깨끗이"
                            | "정상적으로"
                            | "성공적으로"
                    ))
    };
    let before = tokens.get(at.saturating_sub(SUBJECT)..at).unwrap_or_default();
    let from = at - before.len();
    let Some(last) = before.iter().rposition(|t| !light(t)).map(|last| from + last) else {
        return false;
    };
    (last.saturating_sub(2)..=last).rev().any(|head| {
        tokens.get(head).is_some_and(|token| {
            let ends = head + usize::from(token.phrase).max(1) == last + 1;
            let named =
                token.tags.any(CHECKS) && (token.phrase < 2 || ends_in_a_check(reading, tokens, last));
            let code = token.kind == TokenKind::Code && !named::is_file(reading, token);
            ends && (named && token.kind != TokenKind::Code || code || token.tags.any(tag::RUN) && head > 0)
        })
    })
}

fn takes_no_object(next: &str) -> bool {
    !matches!(next, "the" | "a" | "an" | "its" | "to" | "into" | "our" | "this")
}

/// Whether a word tells what came of a check. English words count as they are: "cleaned up" is a deed.
fn succeeds(word: &str) -> bool {
    const STEMS: [&str; 16] = [
        "통과",
        "초록불",
        "파란불",
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
        // "the tests that pass", "passes only on Linux"; ", which passes" tells.
        TokenKind::Word if at == 1 && word_at(0) == "which" => next.is_none_or(|t| reading.word(t) != "only"),
        TokenKind::Word if at > 0 && matches!(word_at(at - 1), "that" | "which" | "who" | "only") => false,
        TokenKind::Word if next.is_some_and(|t| reading.word(t) == "only") => false,
        TokenKind::Word => {
            let follows = next.map_or("", |t| reading.word(t));
            let object = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT;
            let last = at + usize::from(token.phrase) - 1;
            // "getting it to pass"; "continue to pass" tells.
            let verb = matches!(word, "pass" | "succeed" | "compile");
            let brought = |t: &&Token| {
                matches!(
                    reading.word(t),
                    "got"
                        | "managed"
                        | "able"
                        | "verified"
                        | "confirmed"
                        | "seen"
                        | "saw"
                        | "brought"
                        | "continue"
                        | "continues"
                )
            };
            let before = tokens.get(at.saturating_sub(SUBJECT)..at).unwrap_or_default();
            if verb && at > 1 && word_at(at - 1) == "to" && !before.iter().any(brought) {
                return false;
            }
            if word_at(last).starts_with("pass") {
                let named = tokens.iter().skip(last + 1).take(4).any(|t| t.tags.any(object));
                return !takes_object(reading, tokens, last + 1) || named;
            }
            if token.phrase > 1 {
                // "no regression tests" are tests that are not there.
                let none = is_none(word) && next.is_some_and(|t| t.tags.any(tag::TESTS));
                return !none;
            }
            // An adjective in front of its noun.
            let noun = next.is_some_and(|t| {
                t.kind == TokenKind::Word
                    && !is_function(follows)
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

/// Whether what stands at `at`, behind "pass", is handed on: "pass the flag on", "passes null".
pub(super) fn takes_object(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let next = tokens.get(at);
    let follows = next.map_or("", |t| reading.word(t));
    matches!(
        follows,
        "the" | "a" | "an" | "it" | "its" | "this" | "them" | "through" | "down" | "into"
    ) || next.is_some_and(|t| {
        t.kind == TokenKind::Code
            || t.kind == TokenKind::Word && t.tags.any(tag::TECH) && !is_function(follows)
    })
}

/// Words that begin a further part of what is said, and adverbs: no nouns.
fn is_function(word: &str) -> bool {
    word.ends_with("ly")
        || matches!(
            word,
            "after"
                | "before"
                | "since"
                | "again"
                | "across"
                | "throughout"
                | "everywhere"
                | "under"
                | "against"
                | "without"
                | "too"
                | "also"
                | "now"
                | "here"
                | "locally"
                | "overall"
                | "either"
        )
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
    // "통과 음 판정": a quality of the noun behind it.
    let light = tag::STOP
        | tag::CLAUSE
        | tag::CHECK
        | tag::DONE
        | tag::INTENS
        | tag::GENERIC
        | tag::OKRES
        | tag::NEG
        | tag::ZERO
        | tag::PAST
        | tag::RUN;
    let noun = tokens
        .get(at + 1)
        .filter(|t| t.kind == TokenKind::Hangul && !t.tags.any(light));
    if word == "통과"
        && noun.is_some_and(|t| !reading.word(t).starts_with("상태") && reading.word(t).chars().count() < 3)
    {
        return false;
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
