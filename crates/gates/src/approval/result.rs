//! What a clause says came of a check.

use super::fault::{
    denies, denies_check, excepts, faults_near, is_absent, is_fault, is_none, is_not, is_past, is_quality,
    subject_of_fix,
};
use super::success::{ends_well, is_result};
use proctor_kernel::CheckKinds;
use proctor_prose::{Clause, Features, Reading, Token, TokenKind, tag};

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing is said.
    None,
    /// It passes.
    Good,
    /// It passes, in the figures of a test run: 34 passed.
    Counted,
    /// It does not, or not all of it, or that is denied.
    Bad,
    /// There is none of something: "no formatting needed", "no network here".
    Lacking,
}

/// Reads the result in a clause.
pub(super) fn of(reading: &Reading, clause: &Clause, tokens: &[&Token], kinds: CheckKinds) -> Outcome {
    let mut good = false;
    let mut counted = false;
    let mut absent = false;
    let mut lacking = false;
    let tests = clause.tags.any(tag::TESTS);
    for (at, token) in tokens.iter().enumerate() {
        let word = reading.word(token);
        if token.kind == TokenKind::Number {
            match figures(reading, tokens, at, tests) {
                Some(true) => {
                    counted = true;
                    good = true;
                }
                Some(false) => return Outcome::Bad,
                None => {}
            }
        }
        let partly =
            matches!(word, "sometimes" | "occasionally" | "mostly" | "partly" | "half") && !kinds.is_empty();
        // "Only `test_a` passes", `test_a`만 통과합니다
        let named = |i: Option<usize>| {
            i.and_then(|i| tokens.get(i))
                .is_some_and(|t| matches!(t.kind, TokenKind::Code | TokenKind::Ident | TokenKind::Path))
        };
        let only = word == "만" && named(at.checked_sub(1))
            || at == 0 && matches!(word, "only" | "just") && named(Some(1));
        if excepts(word) || partly || only && !kinds.is_empty() {
            return Outcome::Bad;
        }
        // 부서별 is "by department", 실패하던 "that used to fail", 않던 "that did not".
        let was = token.kind == TokenKind::Hangul && word.ends_with('던');
        let harmless = was || token.kind == TokenKind::Hangul && word.starts_with("부서별");
        // "came back with 88 ok": what it came back with tells.
        let with = tokens.get(at + usize::from(token.phrase.max(1)) - 1);
        let harmless = harmless || token.phrase > 1 && with.is_some_and(|t| reading.word(t) == "with");
        let bad = token.tags.any(tag::BADRES) && !token.tags.any(tag::OKRES) && !harmless;
        let fails = bad || token.phrase > 1 && token.tags.any(tag::REFUSE);
        if fails {
            if is_absent(reading, tokens, at) {
                absent = true;
            } else if !is_past(reading, tokens, at)
                && !subject_of_fix(reading, tokens, at)
                && !is_quality(tokens, at, word, kinds)
            {
                return Outcome::Bad;
            }
        } else if !was && denies(reading, tokens, at) {
            // What a clause without a check of its own denies takes nothing back: "and the file did not change". But
            // "…, but not on Windows" does.
            let contrast = at <= 1 && is_not(word) && clause.features.has(Features::CONTINUES);
            // What was not run has not failed.
            let not_run = clause.tags.any(tag::RUN);
            let of_check = kinds.is_empty() || not_run || is_none(word) && !denies_check(tokens, at);
            if of_check && !contrast {
                lacking = true;
            } else {
                return Outcome::Bad;
            }
        }
        good |= token.tags.any(tag::OKRES) && is_result(reading, tokens, at);
        let well = ["멀쩡합", "멀쩡해", "무탈"].iter().any(|w| word.starts_with(w));
        good |= token.kind == TokenKind::Hangul && (word.starts_with("문제없") || well && kinds.is_empty());
        good |= !kinds.is_empty()
            && (word.starts_with("초록불") || word.starts_with("파란불"))
            && is_result(reading, tokens, at);
        good |= !kinds.is_empty() && ends_well(reading, tokens, at);
        // 없습니다 behind what would be a fault.
        let none = token.tags.any(tag::ZERO | tag::NEG)
            || token.kind == TokenKind::Hangul && token.tags.any(tag::OKRES) && word.contains('없');
        if none && faults_near(reading, tokens, at)
            || is_fault(reading, token) && is_absent(reading, tokens, at)
        {
            absent = true;
        }
    }
    if lacking {
        return Outcome::Lacking;
    }
    if absent && (!kinds.is_empty() || clause.chars < 40) {
        good = true;
    }
    match (good, counted) {
        (true, true) => Outcome::Counted,
        (true, false) => Outcome::Good,
        _ => Outcome::None,
    }
}

/// Whether a clause with a result says nothing else, so that it speaks of what was named before: "they pass", "no
/// failures", "everything passed".
pub(super) fn stands_alone(reading: &Reading, tokens: &[&Token]) -> bool {
    let plain = tag::STOP
        | tag::GENERIC
        | tag::INTENS
        | tag::OKRES
        | tag::BADRES
        | tag::ZERO
        | tag::NEG
        | tag::CLAUSE
        | tag::OTHER
        | tag::MEASURE
        | tag::CHECK
        | tag::RUN
        | tag::FIRST
        | tag::DONE
        | tag::PAST;
    // "it passes with the fix"
    let pronoun = tokens
        .iter()
        .take(3)
        .any(|t| matches!(reading.word(t), "it" | "they" | "both"));
    tokens.iter().all(|t| match t.kind {
        TokenKind::Word | TokenKind::Hangul => {
            t.tags.any(plain)
                || is_fault(reading, t)
                || pronoun && t.tags.any(tag::PROCESS)
                || matches!(reading.word(t), "too" | "also" | "still" | "either")
        }
        TokenKind::Number | TokenKind::Punct(_) | TokenKind::Emoji => true,
        _ => false,
    })
}

/// "전부 통과합니다", "everything passes": of what is not said; tests are what one says so of.
pub(super) fn everything_passes(reading: &Reading, tokens: &[&Token]) -> bool {
    let mut words = tokens.iter().filter(|t| t.is_word()).map(|t| reading.word(t));
    let every =
        |w: &str| matches!(w, "all" | "everything" | "다") || w.starts_with("전부") || w.starts_with("모두");
    words.clone().count() <= 5
        && !words.clone().any(|w| w.starts_with("check"))
        && words.clone().any(every)
        && words.any(|w| matches!(w, "pass" | "passes" | "passed" | "passing") || w.starts_with("통과"))
}

/// "40 of 40", 40/40, 40개 중 40개: of more than one, all.
pub(super) fn all_of_all(reading: &Reading, tokens: &[&Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let word = |n: usize| tokens.get(at + n).map_or("", |t| reading.word(t));
        if let Some((part, whole)) = word(0).split_once('/') {
            return part == whole && part.parse::<u64>().is_ok_and(|n| n > 1);
        }
        let Some(count) = number(word(0)).filter(|n| *n > 1) else {
            return false;
        };
        let counter = usize::from(matches!(word(1), "개" | "건" | "개의" | "건의"));
        let whole = match (word(1), word(2)) {
            ("of", "the" | "all") => word(3),
            ("of", _) => word(2),
            ("out", "of") => word(3),
            _ if word(1 + counter).starts_with('중') => word(2 + counter),
            _ => return false,
        };
        number(whole) == Some(count)
    }) && ends_in_a_figure(reading, tokens)
}

/// "40 of 40." and "40 of 40 passed", not "40 of 40 ported".
fn ends_in_a_figure(reading: &Reading, tokens: &[&Token]) -> bool {
    let last = tokens
        .iter()
        .rfind(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji));
    last.is_some_and(|t| {
        t.kind == TokenKind::Number
            || t.tags.any(tag::OKRES | tag::TESTS)
            || ["개", "건"].iter().any(|w| reading.word(t).starts_with(w))
    })
}

/// "Everything green", 전부 초록색입니다.
pub(super) fn all_green(reading: &Reading, tokens: &[&Token], ran: bool) -> bool {
    let mut words = tokens.iter().filter(|t| t.is_word()).map(|t| reading.word(t));
    let every =
        |w: &str| matches!(w, "all" | "everything" | "다") || w.starts_with("전부") || w.starts_with("모두");
    // On its own it is said of a run; else one has to be named.
    let short = words.clone().count() <= 3;
    (short || ran)
        && words.clone().take(3).any(every)
        && words.any(|w| w == "green" || ["초록", "녹색", "그린"].iter().any(|g| w.starts_with(g)))
}

/// "0 failures, 0 errors", "실패 0건": the end of a test run, as far as no other check is named.
pub(super) fn none_failed(reading: &Reading, tokens: &[&Token]) -> bool {
    let fails = |t: &Token| {
        let word = reading.word(t);
        t.tags.any(tag::BADRES) && (word.starts_with("fail") || word.starts_with("실패"))
    };
    tokens.iter().any(|t| number(reading.word(t)) == Some(0)) && tokens.iter().any(|t| fails(t))
}

/// "No regressions", "Nothing fails", "회귀 없음": whoever says so has looked.
pub(super) fn regresses(reading: &Reading, tokens: &[&Token]) -> bool {
    tokens.iter().enumerate().any(|(at, t)| {
        let word = reading.word(t);
        let fails = tokens.get(at + 1).is_some_and(|t| t.tags.any(tag::BADRES));
        word.starts_with("regress") || word.starts_with("회귀") || word == "nothing" && fails
    })
}

/// "Re-ran everything: pass."
pub(super) fn passes(reading: &Reading, tokens: &[&Token]) -> bool {
    tokens.iter().any(|t| {
        let word = reading.word(t);
        matches!(word, "pass" | "passes" | "passed") || word.starts_with("통과")
    })
}

/// What figures say: `Some(true)` that all passed, `Some(false)` that not all did.
fn figures(reading: &Reading, tokens: &[&Token], at: usize, tests: bool) -> Option<bool> {
    let word = reading.word(tokens.get(at)?);
    if let Some((part, whole)) = word.split_once('/') {
        let (part, whole) = (part.parse::<u64>().ok()?, whole.parse::<u64>().ok()?);
        if whole == 0 {
            return None;
        }
        // 31/31 counts tests only where tests are named.
        let named = tests
            || tokens.get(at + 1).is_some_and(|t| {
                let next = reading.word(t);
                next.starts_with("pass")
                    || next == "green"
                        && tokens
                            .get(at + 2)
                            .is_none_or(|t| !t.is_word() || t.tags.any(tag::STOP | tag::CLAUSE))
                    || next.starts_with("통과")
                    || next.starts_with("성공")
            });
        return (part < whole || whole > 1 && named).then_some(part >= whole);
    }
    let count = number(word)?;
    let next = |n: usize| tokens.get(at + n).map_or("", |t| reading.word(t));
    // 33 of 34; 34개 중 33개.
    if next(1) == "of" || next(1) == "out" && next(2) == "of" {
        let skip = if next(1) == "of" { 2 } else { 3 };
        let the = usize::from(matches!(next(skip), "the" | "all"));
        if let Some(whole) = number(next(skip + the)) {
            return (count < whole).then_some(false);
        }
    }
    let unit = |w: &str| matches!(w, "개" | "건" | "개의" | "건의" | "tests" | "test" | "가지");
    let skip = 1 + usize::from(unit(next(1)));
    if (next(skip) == "중" || next(skip).starts_with("중에"))
        && let Some(part) = number(next(skip + 1))
    {
        return (part < count).then_some(false);
    }
    // 200 OK is no count.
    let passes = |w: &str| {
        matches!(w, "passed" | "passing" | "pass" | "passes")
            || matches!(w, "green" | "ok") && tests
            || w.starts_with("통과")
    };
    let succeeds = |w: &str| passes(w) || w.starts_with("성공") || w.starts_with("패스");
    // 37개 모두 통과
    let all = usize::from(matches!(next(2), "모두" | "전부" | "다" | "전체"));
    if passes(next(1)) || unit(next(1)) && succeeds(next(2 + all)) {
        return (count > 0).then_some(true);
    }
    None
}

pub(super) fn number(word: &str) -> Option<u64> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits: String = word.chars().filter(|c| *c != ',').collect();
    digits
        .trim_end_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .ok()
}
