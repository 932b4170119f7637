//! Figures in reports: counts, fractions, times and their units.

use proctor_prose::{Reading, Token, TokenKind, tag};

/// The value of a number or of a word for none.
pub(super) fn number(reading: &Reading, token: &Token) -> Option<f64> {
    if token.kind != TokenKind::Number {
        return token.tags.any(tag::ZERO).then_some(0.0);
    }
    let word = reading.word(token);
    // Figures of so few digits are exact.
    if (1..=15).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()) {
        let value = word
            .bytes()
            .fold(0.0, |value, b| value * 10.0 + f64::from(b - b'0'));
        return Some(value);
    }
    let digits: String = word.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().ok()
}

/// Two whole numbers with a slash: 628/628. Dates have three.
pub(super) fn fraction(word: &str) -> Option<(u64, u64)> {
    let (part, whole) = word.split_once('/')?;
    Some((part.parse().ok()?, whole.parse().ok()?))
}

/// Whether a number is a date: 2026/02/08, 2026-02-08.
pub(super) fn is_date(word: &str) -> bool {
    let count = |mark| word.bytes().filter(|b| *b == mark).count();
    count(b'/') == 2 || count(b'-') == 2
}

/// Whether a number carries a unit, by itself or in the next token.
pub(super) fn has_unit(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token);
    if word.ends_with(|c: char| c.is_alphabetic() || c == '%') {
        return true;
    }
    let at = reading.tokens.partition_point(|t| t.start <= token.start);
    reading.tokens.get(at).is_some_and(|t| t.tags.any(tag::MEASURE))
}

/// Whether the clause tells of a time that grew: "from 210 ns to 3.4 µs".
pub(super) fn slower(reading: &Reading, tokens: &[&Token]) -> bool {
    let times: Vec<f64> = tokens.iter().filter_map(|t| time(reading, t)).collect();
    let from = tokens.iter().any(|t| matches!(reading.word(t), "from"));
    match times.as_slice() {
        [before, after] => from && *after > *before * 1.05,
        _ => false,
    }
}

/// A time in nanoseconds.
fn time(reading: &Reading, token: &Token) -> Option<f64> {
    let value = number(reading, token).filter(|_| token.kind == TokenKind::Number)?;
    let word = reading.word(token);
    let unit =
        word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-' | '~'));
    let at = reading.tokens.partition_point(|t| t.start <= token.start);
    let unit = if unit.is_empty() {
        reading.tokens.get(at).map_or("", |t| reading.word(t))
    } else {
        unit
    };
    let factor = match unit {
        "ns" | "나노초" => 1.0,
        "us" | "ms" if unit == "us" => 1e3,
        "ms" | "밀리초" => 1e6,
        "s" | "sec" | "seconds" | "초" => 1e9,
        "min" | "분" => 6e10,
        _ => return None,
    };
    Some(value * factor)
}
