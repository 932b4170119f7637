//! Failures that a clause reports: by figures, in words, or that there is none.

use super::figures::{fraction, number};
use proctor_prose::{Filter, Reading, Tags, Token, TokenKind, tag};

/// How a clause speaks of failure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Failing {
    /// There is none.
    Absent,
    /// By figures: 3 failed, 40/41.
    Counted,
    /// In words.
    Told,
    /// By figures of what may be a failure or what was asked for: 627 rows missing.
    Perhaps,
}

/// Whether figures or words tell of a failure or of its absence; `all` are the tags of the words, and `warns` tells whether one
/// may be that for what a compiler warns of.
pub(super) fn failure(reading: &Reading, tokens: &[&Token], all: Tags, warns: bool) -> Option<Failing> {
    let mut absent = None;
    let counted = all.any(tag::TESTS | tag::OKRES | tag::BADRES);
    let seen = all.any(tag::RUN | tag::CHECK | tag::TESTS);
    let may = counted || warns && tokens.iter().any(|t| is_warning(reading, t));
    if !may {
        return None;
    }
    for (at, token) in tokens.iter().enumerate() {
        // Most tokens are nothing of that.
        let figure = token.kind == TokenKind::Number;
        if !(figure | token.tags.any(tag::BADRES) | token.may_be(&WARNINGS)) {
            continue;
        }
        if counted && figure && fraction(reading.word(token)).is_some_and(|(part, whole)| part < whole) {
            return Some(Failing::Counted);
        }
        if is_warning(reading, token) && checked(reading, tokens, at) {
            // Warnings fail nothing; that there are none is a result.
            let before = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
            let none = before
                .iter()
                .any(|t| t.tags.any(tag::ZERO | tag::NEG) || number(reading, t) == Some(0.0))
                || tokens.get(at + 1).and_then(|t| number(reading, t)) == Some(0.0);
            if none {
                absent = Some(Failing::Absent);
            }
            continue;
        }
        if !token.tags.any(tag::BADRES) {
            continue;
        }
        // "The tests came back with 77 ok": what they came back with tells.
        let end = tokens.get(at + usize::from(token.phrase.max(1)) - 1);
        if token.phrase > 1 && end.is_some_and(|t| reading.word(t) == "with") {
            continue;
        }
        // A number in front (3 failed) or behind (실패 2건, Failures: 0).
        let before = at
            .checked_sub(1)
            .and_then(|i| tokens.get(i))
            .and_then(|t| number(reading, t))
            .or_else(|| {
                let noun = at.checked_sub(1).and_then(|i| tokens.get(i))?;
                let counted = noun.tags.any(tag::TESTS)
                    || matches!(reading.word(noun), "개" | "건" | "개가" | "건이" | "개의");
                at.checked_sub(2)
                    .and_then(|i| tokens.get(i))
                    .filter(|_| counted)
                    .and_then(|t| number(reading, t))
            });
        let after = tokens.get(at + 1).and_then(|t| number(reading, t));
        let denied = tokens
            .get(at.saturating_sub(3)..at)
            .unwrap_or_default()
            .iter()
            .any(|t| t.tags.any(tag::NEG | tag::ZERO) && t.kind == TokenKind::Word)
            || tokens
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take(2)
                .any(|t| t.kind == TokenKind::Hangul && (t.tags.any(tag::ZERO) || t.denies()))
            || token.kind == TokenKind::Hangul && reading.word(token).contains("없");
        let works = reading.word(token);
        let verb = token.phrase > 1
            || matches!(
                works,
                "fails" | "crashes" | "panics" | "aborts" | "hangs" | "breaks"
            )
            || token.kind == TokenKind::Hangul;
        let count = match (before, after) {
            (_, Some(n)) if token.kind == TokenKind::Hangul || colon_after(reading, tokens, at) => Some(n),
            (Some(n), _) => Some(n),
            (None, n) => n,
        };
        match (count, denied) {
            (Some(0.0), _) | (None, true) => absent = Some(Failing::Absent),
            (Some(_), false) if plain_failure(works) => return Some(Failing::Counted),
            (Some(_), false) => return Some(Failing::Perhaps),
            (Some(_), true) => absent = Some(Failing::Absent),
            (None, false)
                if verb && (seen || plain_failure(works) && occurs(reading, tokens.get(at + 1))) =>
            {
                return Some(Failing::Told);
            }
            (None, false) => {}
        }
    }
    absent
}

/// Whether a Korean verb says that what stands before it came up: 에러가 났습니다.
fn occurs(reading: &Reading, verb: Option<&&Token>) -> bool {
    verb.is_some_and(|t| {
        t.kind == TokenKind::Hangul
            && ["났", "납", "나네", "나요", "발생했", "발생합", "떴", "뜹"]
                .iter()
                .any(|stem| reading.word(t).starts_with(stem))
    })
}

/// Whether a token is the word for what a compiler warns of.
fn is_warning(reading: &Reading, token: &Token) -> bool {
    token.may_be(&WARNINGS) && matches!(reading.word(token), "warning" | "warnings")
}

/// The word for what a compiler warns of.
pub(super) static WARNINGS: Filter = Filter::of(&["warning", "warnings"]);

/// Words that mean a failure wherever they are counted. Others, such as "missing rows", may be what was asked for.
fn plain_failure(word: &str) -> bool {
    [
        "fail",
        "error",
        "crash",
        "panic",
        "regress",
        "leak",
        "timeout",
        "실패",
        "오류",
        "에러",
        "회귀",
        "크래시",
    ]
    .iter()
    .any(|stem| word.starts_with(stem))
}

/// Whether a clause names something that could have given the warnings at `at`.
fn checked(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let object = tag::BUILD | tag::TYPES | tag::TESTS | tag::LINT | tag::TOOL | tag::RUN;
    tokens
        .iter()
        .enumerate()
        .any(|(i, t)| i != at && t.tags.any(object) && !is_warning(reading, t))
}

/// Whether a colon stands between a token and the next one.
fn colon_after(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let (Some(token), Some(next)) = (tokens.get(at), tokens.get(at + 1)) else {
        return false;
    };
    let from = reading.tokens.partition_point(|t| t.start < token.end);
    reading
        .tokens
        .get(from)
        .is_some_and(|t| t.is_punct(':') && t.end <= next.start)
}
