//! Figures and ids that change by themselves: counters of attempts, clocks, elapsed time, request ids.

use super::words::{self, class};
use proctor_prose::{Reading, Token, TokenKind};

/// Words that count attempts.
const ATTEMPTS: [&str; 17] = [
    "loop",
    "attempt",
    "attempts",
    "try",
    "tries",
    "retry",
    "retries",
    "retrying",
    "trial",
    "iteration",
    "iterations",
    "round",
    "take",
    "turn",
    "pass",
    "time",
    "times",
];

/// Words that name a run of something; which run it was is no news.
const RUNS: [&str; 12] = [
    "run", "job", "build", "pipeline", "pid", "process", "step", "poll", "check", "빌드", "실행", "작업",
];

/// Words before an id that is different each time.
const IDS: [&str; 21] = [
    "request",
    "req",
    "trace",
    "span",
    "correlation",
    "session",
    "id",
    "uuid",
    "ref",
    "reference",
    "requestid",
    "request_id",
    "request-id",
    "ticket",
    "nonce",
    "요청",
    "추적",
    "세션",
    "아이디",
    "식별자",
    "트레이스",
];

/// Fields of log lines that are different each time.
const FIELDS: [&str; 9] = [
    "ts",
    "time",
    "timestamp",
    "pid",
    "elapsed",
    "duration",
    "n",
    "i",
    "seq",
];

/// Beginnings of ids that are different each time.
const ID_PREFIXES: [&str; 12] = [
    "req-", "req_", "request-", "trace-", "id-", "corr-", "tx-", "run-", "session-", "sess-", "span-", "0x",
];

/// Units of time behind or inside a number.
const UNITS: [&str; 24] = [
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "ms",
    "m",
    "min",
    "mins",
    "minute",
    "minutes",
    "h",
    "hr",
    "hour",
    "hours",
    "hrs",
    "day",
    "days",
    "초",
    "분",
    "시간",
    "일",
    "밀리초",
    "초간",
];

/// Whether the token varies without telling anything. `idle`: its clause fails, waits or tries again.
pub(super) fn is_noise(reading: &Reading, tokens: &[Token], at: usize, idle: bool) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    match token.kind {
        TokenKind::Number => {
            is_clock(word)
                || is_epoch(word)
                || at == 1 && is_bracketed(tokens, at) && word.bytes().all(|b| b.is_ascii_digit())
                || is_attempt(reading, tokens, at, idle)
                || is_clock_of_day(reading, tokens, at)
                || (idle || is_bracketed(tokens, at)) && is_elapsed(reading, tokens, at)
                || is_id(reading, tokens, at)
                || idle && is_run(reading, tokens, at)
        }
        TokenKind::Ident => {
            is_clock(word)
                || is_ordinal(word) && is_attempt(reading, tokens, at, idle)
                || ID_PREFIXES.iter().any(|p| word.starts_with(p))
                || is_uuid(word)
                || hex(word) && word.len() >= 12
                || word.split_once('=').is_some_and(|(name, _)| {
                    IDS.contains(&name) || ATTEMPTS.contains(&name) || FIELDS.contains(&name)
                })
                || word.starts_with('#')
                    && (is_attempt(reading, tokens, at, idle) || idle && is_run(reading, tokens, at))
                || is_id(reading, tokens, at)
        }
        TokenKind::Path => word.starts_with("/tmp/") || word.starts_with("/var/folders/"),
        TokenKind::Url | TokenKind::Mention => false,
        _ => false,
    }
}

/// Whether a word counts attempts.
pub(super) fn is_attempt_name(word: &str) -> bool {
    ATTEMPTS.contains(&word)
        || matches!(
            word,
            "look" | "glance" | "go" | "thing" | "run" | "poll" | "check"
        )
}

/// Whether a word names a part or a run of something that is counted.
pub(super) fn is_run_name(word: &str) -> bool {
    RUNS.contains(&word)
}

/// Whether a word names an id that is different each time.
pub(super) fn is_id_name(word: &str) -> bool {
    IDS.contains(&word)
}

fn hex(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_hexdigit()) && word.bytes().any(|b| b.is_ascii_digit())
}

fn is_uuid(word: &str) -> bool {
    word.len() >= 32 && word.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

/// A time of day, a date, or both.
fn is_clock(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let only = |marks: &[u8]| word.bytes().all(|b| b.is_ascii_digit() || marks.contains(&b));
    let colons = word.bytes().filter(|b| *b == b':').count();
    let dashes = word.bytes().filter(|b| *b == b'-').count();
    (colons >= 1 && digits >= 3 && only(b":.,") && word.split(':').skip(1).all(|p| p.len() >= 2))
        || (dashes == 2 && digits >= 8 && word.len() >= 10 && only(b"-:.tzT+"))
}

/// Seconds or milliseconds since 1970.
fn is_epoch(word: &str) -> bool {
    matches!(word.len(), 10 | 13) && word.bytes().all(|b| b.is_ascii_digit()) && word.starts_with('1')
}

fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && matches!(word.get(digits.len()..), Some("st" | "nd" | "rd" | "th"))
}

/// The word `step` tokens on, marks of grouping left out. Empty where there is none.
fn near<'a>(reading: &'a Reading, tokens: &[Token], at: usize, forward: bool, step: usize) -> &'a str {
    let skip = |t: &&Token| !matches!(t.kind, TokenKind::Punct('#' | '(' | '[' | ')' | ']' | '\n'));
    let found = if forward {
        tokens.iter().skip(at + 1).filter(skip).nth(step - 1)
    } else {
        tokens.iter().take(at).rev().filter(skip).nth(step - 1)
    };
    found.map_or("", |t| reading.word(t))
}

/// A counter of attempts: `attempt 3`, `3rd try`, `retry 2 of 5`, `3번째 시도`, `again (4)`.
fn is_attempt(reading: &Reading, tokens: &[Token], at: usize, idle: bool) -> bool {
    let before = near(reading, tokens, at, false, 1);
    let after = near(reading, tokens, at, true, 1);
    let second = near(reading, tokens, at, true, 2);
    let counts = |w: &str| {
        ATTEMPTS.contains(&w) || words::korean(w).is_some_and(|c| matches!(c.id, class::TRY)) && !w.is_empty()
    };
    if counts(before) || counts(after) && !matches!(after, "pass" | "turn") {
        return true;
    }
    // "of 5" behind a counter.
    if matches!(before, "of" | "중") {
        let third = near(reading, tokens, at, false, 3);
        if counts(third) {
            return true;
        }
    }
    let ordinal = ["번째", "번", "회", "차", "회차", "회째", "번재"]
        .iter()
        .any(|o| {
            after
                .strip_prefix(o)
                .is_some_and(|rest| rest.chars().count() <= 2)
        });
    if ordinal && (counts(second) || second.is_empty() || is_again(second)) {
        return !(second.is_empty() && after.starts_with("번") && !after.starts_with("번째"));
    }
    // 2차 전송: 응답 없음
    if idle && at == 0 && matches!(after, "차" | "회차" | "회") {
        return true;
    }
    // A bare number in brackets behind "again".
    is_bracketed(tokens, at)
        && tokens
            .iter()
            .any(|t| t.is_word() && (counts(reading.word(t)) || is_again(reading.word(t))))
}

/// Alone in brackets.
fn is_bracketed(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|i| tokens.get(i))
        .is_some_and(|t| t.is_punct('(') || t.is_punct('['))
        && tokens
            .get(at + 1)
            .is_some_and(|t| t.is_punct(')') || t.is_punct(']'))
}

fn is_again(word: &str) -> bool {
    words::english(word)
        .or_else(|| words::korean(word))
        .is_some_and(|c| c.id == class::AGAIN)
}

/// `10시 5분`.
fn is_clock_of_day(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let after = near(reading, tokens, at, true, 1);
    let hour = |w: &str| w == "시" || w.starts_with("시에") || w.starts_with("시 ");
    hour(after) || after.starts_with('분') && hour(near(reading, tokens, at, false, 1))
}

/// Time that has passed or is waited for.
fn is_elapsed(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let word = tokens.get(at).map_or("", |t| reading.word(t));
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '~' | '+'));
    if UNITS.contains(&unit) && !unit.is_empty() {
        return true;
    }
    let after = near(reading, tokens, at, true, 1);
    UNITS.contains(&after) || ["초", "분", "시간"].iter().any(|u| after.starts_with(u))
}

/// An id that a word before or behind it calls one.
fn is_id(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let before = near(reading, tokens, at, false, 1);
    let second = near(reading, tokens, at, false, 2);
    let named = |w: &str| IDS.contains(&w.trim_end_matches([':', '=']));
    named(before) || matches!(before, ":" | "=" | "" | "번호" | "number" | "no" | "id") && named(second)
}

/// The number of a run of something.
fn is_run(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    RUNS.contains(&near(reading, tokens, at, false, 1))
}
