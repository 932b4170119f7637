//! Failures and denials in a clause: what is wrong, what is not there, and what only looks like a fault.

use super::result::number;
use super::success::{ends_well, is_result};
use proctor_kernel::CheckKinds;
use proctor_prose::{Reading, Token, TokenKind, tag};

/// How far behind a failure a result is looked for, in tokens.
const NEAR: usize = 24;

/// How far in front of a failure its repair is looked for, in tokens.
const MENDED: usize = 64;

/// Words that leave something out.
pub(super) fn excepts(word: &str) -> bool {
    matches!(word, "except" | "apart" | "besides" | "barring" | "excluding")
        || word.starts_with("제외")
        || word == "빼고"
}

/// Whether the failure at `at` is said not to be there: 0 failed, no errors, 실패 없이, 에러 0건.
pub(super) fn is_absent(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let word = |i: Option<usize>| i.and_then(|i| tokens.get(i)).map_or("", |t| reading.word(t));
    let zero = |w: &str| number(w) == Some(0);
    let before = |n: usize| at.checked_sub(n);
    if zero(word(before(1))) || zero(word(before(2))) && number(word(before(1))).is_none() {
        return true;
    }
    // Behind the whole of a listed phrase: 테스트 실패 0건.
    let mut after = at + tokens.get(at).map_or(1, |t| usize::from(t.phrase).max(1));
    let start = after;
    while matches!(word(Some(after)), "" | ":" | "은" | "는" | "도") && after < start + 2 {
        after += 1;
    }
    // 지적 사항이 나오지 않았습니다, 경고도 안 나옴
    let shows_not = |i: usize| {
        let Some(t) = tokens.get(i).filter(|t| t.kind == TokenKind::Hangul) else {
            return false;
        };
        let next = word(Some(i + 1));
        let tells = !(next.ends_with("도록") || next.ends_with('는') || next.ends_with('게'));
        appears(reading.word(t)) && next.contains(['않', '못']) && tells
            || reading.word(t) == "안"
                && ["나", "보", "뜨", "떴", "발견"]
                    .iter()
                    .any(|s| next.starts_with(s))
    };
    if (start..start + 4).any(shows_not) {
        return true;
    }
    // 오류가 나오지: a listed phrase, and 않습니다 behind it.
    let last = tokens.get(start.wrapping_sub(1)).map_or("", |t| reading.word(t));
    let next = word(Some(start));
    let tells = !(next.ends_with("도록") || next.ends_with('는') || next.ends_with('게'));
    if start > at + 1 && appears(last) && next.contains(['않', '못']) && tells {
        return true;
    }
    // 오류와 경고가 0
    let joined = tokens
        .get(at)
        .is_some_and(|t| t.kind == TokenKind::Hangul && reading.word(t).ends_with(['와', '과']));
    if joined && tokens.get(after).is_some_and(|t| is_fault(reading, t)) {
        after += 1;
    }
    // "drops from 17 errors to none"
    if word(Some(after)) == "to" && (is_none(word(Some(after + 1))) || zero(word(Some(after + 1)))) {
        return true;
    }
    // "error rate 0 → 6%"
    let goes_on = tokens.get(after + 1).is_some_and(|t| t.is_punct('→'));
    if zero(word(Some(after))) && !goes_on {
        return true;
    }
    // Korean denies behind the word: 실패 없이.
    let none = |i: usize| {
        tokens.get(i).is_some_and(|t| {
            let denied = t.tags.any(tag::NEG | tag::ZERO) && !is_not(reading.word(t));
            // "not a single test fails", "there aren't any failing tests"; "no rule for missing tests" has them.
            (denied || not_one(reading, tokens, i))
                && (t.kind == TokenKind::Word || t.tags.any(tag::OKRES))
                && !(i + 1..at).any(|i| matches!(word(Some(i)), "for" | "against" | "about"))
        })
    };
    // "from red to green"
    if at > 0 && word(before(1)) == "from" && word(Some(at + 1)) == "to" {
        return tokens.get(at + 2).is_some_and(|t| t.tags.any(tag::OKRES));
    }
    // 한 건도 안 깨졌습니다
    if tokens.get(at).is_some_and(|t| t.kind == TokenKind::Hangul) && word(before(1)) == "안" {
        return true;
    }
    // "fails without it"
    if matches!(word(Some(at + 1)), "without" | "before") {
        return true;
    }
    (at.saturating_sub(3)..at).any(none)
        || tokens
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .take(5)
            .enumerate()
            .take_while(|(n, t)| *n < 3 || t.kind == TokenKind::Hangul)
            .any(|(_, t)| t.kind == TokenKind::Hangul && reading.word(t).contains('없'))
        || tokens
            .get(at)
            .is_some_and(|t| t.kind == TokenKind::Hangul && reading.word(t).contains('없'))
}

/// Whether the failure at `at` is one that was, of a check of which a result is told behind it: "the failing test now
/// passes", "the spec that has been failing since spring is green".
pub(super) fn is_past(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at).filter(|t| t.kind == TokenKind::Word) else {
        return false;
    };
    let length = usize::from(token.phrase).max(1);
    let next = tokens.get(at + 1);
    let attribute = (reading.word(token).ends_with("ing")
        || matches!(reading.word(token), "failed" | "broken" | "flaky" | "red"))
        && (token.phrase > 1 && token.tags.any(tag::TESTS)
            || next.is_some_and(|t| t.tags.any(tag::TESTS | tag::BUILD)));
    let relative = tokens
        .get(at.saturating_sub(3)..at)
        .unwrap_or_default()
        .iter()
        .any(|t| matches!(reading.word(t), "that" | "which"));
    (attribute || relative)
        && (at + length..tokens.len().min(at + length + NEAR)).any(|i| {
            tokens.get(i).is_some_and(|t| t.tags.any(tag::OKRES))
                && is_result(reading, tokens, i)
                && !(at + length..i).any(|i| tokens.get(i).is_some_and(|t| is_not(reading.word(t))))
        })
}

/// Whether the failure at `at` is what was mended: "fixed the failing test".
pub(super) fn subject_of_fix(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let mended = |t: &&Token| {
        let word = reading.word(t);
        word.starts_with("fix")
            || word.starts_with("repair")
            || word.starts_with("mend")
            || word.starts_with("고쳤")
            || word.starts_with("수정")
            || word.starts_with("해결")
            || word.starts_with("resolv")
    };
    let before = tokens.get(at.saturating_sub(MENDED)..at).unwrap_or_default();
    before.iter().any(mended)
        || tokens
            .iter()
            .skip(at + 1)
            .take(4)
            .any(|t| mended(t) && t.kind == TokenKind::Hangul)
}

/// Whether a word of failure is a quality of the noun behind it: "a flaky proxy", "the quirks folder". Plain words of
/// failure are one only where no check is named.
pub(super) fn is_quality(tokens: &[&Token], at: usize, word: &str, kinds: CheckKinds) -> bool {
    let plain = [
        "fail", "error", "crash", "panic", "broke", "break", "regress", "red",
    ]
    .iter()
    .any(|s| word.starts_with(s));
    (kinds.is_empty() || !plain)
        && tokens
            .get(at)
            .is_some_and(|t| t.kind == TokenKind::Word && t.phrase == 1)
        && tokens.get(at + 1).is_some_and(|t| {
            t.kind == TokenKind::Word
                && !t
                    .tags
                    .any(tag::STOP | tag::CLAUSE | tag::FIRST | tag::NEG | tag::TESTS)
        })
}

pub(super) fn is_not(word: &str) -> bool {
    matches!(
        word,
        "not" | "never" | "cannot" | "nor" | "neither" | "hardly" | "barely"
    ) || word.ends_with("n't")
}

pub(super) fn is_none(word: &str) -> bool {
    matches!(
        word,
        "no" | "none" | "nothing" | "zero" | "without" | "neither" | "nobody"
    )
}

/// "not a warning", "not a single violation", "there aren't any failing tests".
fn not_one(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    is_not(word_at(at))
        && matches!(word_at(at + 1), "a" | "one" | "any")
        && tokens.iter().skip(at + 2).take(2).any(|t| is_fault(reading, t))
}

/// Whether the token denies what is said: not, never, 않, 못, 안, "no tests".
pub(super) fn denies(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    let check = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT | tag::RUN | tag::CHECK;
    match token.kind {
        TokenKind::Word => {
            if is_not(word) {
                // "not only" adds.
                return tokens.get(at + 1).is_none_or(|t| reading.word(t) != "only")
                    && !not_one(reading, tokens, at);
            }
            if word.starts_with("un") && token.tags.any(tag::NEG) {
                return true;
            }
            // "none of them"
            // "none skipped" leaves nothing out.
            let next = tokens.get(at + 1);
            let left = next.is_some_and(|t| {
                let word = reading.word(t);
                let deed = word.ends_with("ed") && !word.starts_with("pass") && !word.starts_with("execut");
                (t.tags.any(tag::UNDONE | tag::PENDING) || deed) && !t.tags.any(check)
            });
            let none_of = word == "none" && !tokens.iter().skip(at + 1).take(6).any(|t| is_fault(reading, t));
            (is_none(word) || matches!(word, "untested" | "unverified"))
                && (token.phrase == 1 || none_of)
                && !left
                && !faults_near(reading, tokens, at)
                && !(word == "nothing" && ends_well(reading, tokens, at))
        }
        TokenKind::Hangul => {
            // "건너뜀 0" counts; "재시작 없이 적용" says how.
            let count = tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Number);
            let how = word == "없이"
                && !at
                    .checked_sub(1)
                    .and_then(|b| tokens.get(b))
                    .is_some_and(|t| t.tags.any(check));
            // 안 깨졌습니다 denies the failure.
            let broke = word == "안" && tokens.get(at + 1).is_some_and(|t| t.tags.any(tag::BADRES));
            if (count || how || broke) && !word.contains(['않', '못']) {
                return false;
            }
            let negative = word.contains(['않', '못'])
                || matches!(word, "안" | "안됨" | "안됩니다")
                || word.starts_with('미') && token.tags.any(tag::NEG)
                || token.tags.any(tag::NEG | tag::ZERO)
                    && !token.tags.any(tag::OKRES)
                    && !matches!(word, "하나도" | "전혀" | "아무" | "한");
            negative && !faults_near(reading, tokens, at)
        }
        _ => false,
    }
}

/// "no tests", "nothing was run".
pub(super) fn denies_check(tokens: &[&Token], at: usize) -> bool {
    let check = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT | tag::RUN | tag::CHECK;
    tokens.iter().skip(at + 1).take(3).any(|t| t.tags.any(check))
}

pub(super) fn is_fault(reading: &Reading, token: &Token) -> bool {
    const FAULTS: [&str; 26] = [
        "offence",
        "offense",
        "warning",
        "경고",
        "워닝",
        "문제",
        "이상",
        "complaint",
        "issue",
        "problem",
        "hint",
        "error",
        "에러",
        "오류",
        "finding",
        "diagnostic",
        "지적",
        "걸리는",
        "걸린",
        "빨간",
        "위반",
        "violation",
        // In front of what fails a listed phrase has the tags of the whole: 실패하는 테스트.
        "실패하는",
        "실패한",
        "깨지는",
        "깨진",
    ];
    let word = reading.word(token);
    token.tags.any(tag::BADRES) || FAULTS.iter().any(|f| word.starts_with(f))
}

/// Whether a word for none stands by what would be a fault: no errors, 경고 없음, 문제없이.
pub(super) fn faults_near(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    match token.kind {
        TokenKind::Hangul => {
            ["문제없", "이상없", "오류없", "에러없"]
                .iter()
                .any(|w| word.starts_with(w))
                || word.starts_with('없')
                    && at
                        .checked_sub(1)
                        .and_then(|i| tokens.get(i))
                        .is_some_and(|t| matches!(reading.word(t), "말이" | "말도"))
                || (word.contains('없')
                    || word.contains(['않', '못'])
                        && at
                            .checked_sub(1)
                            .and_then(|i| tokens.get(i))
                            .is_some_and(|t| appears(reading.word(t)))
                    || appears(word))
                    && tokens
                        .get(at.saturating_sub(5)..at)
                        .unwrap_or_default()
                        .iter()
                        .rev()
                        .enumerate()
                        .take_while(|(n, t)| *n < 3 || t.kind == TokenKind::Hangul)
                        .any(|(_, t)| is_fault(reading, t))
        }
        _ => {
            // "from 17 errors to none"
            let fell = at > 1 && tokens.get(at - 1).is_some_and(|t| reading.word(t) == "to");
            if fell && is_none(word) {
                return tokens
                    .iter()
                    .take(at - 1)
                    .rev()
                    .take(2)
                    .any(|t| is_fault(reading, t));
            }
            // A listed phrase of two words brings its fault along.
            (!is_not(word) || not_one(reading, tokens, at))
                && tokens
                    .get(at + 1..)
                    .unwrap_or_default()
                    .iter()
                    .take(3)
                    .take_while(|t| !matches!(t.kind, TokenKind::Punct(_)))
                    .any(|t| is_fault(reading, t))
        }
    }
}

/// "나오지 않았습니다": something did not show.
pub(super) fn appears(word: &str) -> bool {
    ["나오지", "나지", "발생하지", "보이지", "남지", "뜨지"]
        .iter()
        .any(|w| word.starts_with(w))
}
