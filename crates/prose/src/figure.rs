//! Figures as the model hears them: what sort of number it is, and how two of them compare.
//!
//! Whole numbers only: values are counted in thousandths, so that nothing depends on rounding.

/// What sort of figure a number is; 0 for a plain one.
pub(crate) fn class(word: &str) -> u32 {
    let digits = match word.as_bytes().first() {
        Some(b'0'..=b'9') => word,
        _ => word.trim_start_matches(['+', '-', '~']),
    };
    // Both are looked for at once: few figures have one.
    let marked = digits
        .bytes()
        .fold(false, |any, b| any | (b == b'/') | (b == b':'));
    if marked && let Some((part, whole)) = digits.split_once('/') {
        return match (value(part), value(whole)) {
            (Some((_, "")), Some((0, ""))) => 2,
            (Some((a, "")), Some((b, ""))) if a == b => 3,
            (Some((0, "")), Some((_, ""))) => 4,
            (Some((a, "")), Some((b, ""))) if a < b => 5,
            _ => 6,
        };
    }
    if marked && digits.contains(':') {
        return 7;
    }
    match value(digits) {
        Some((0, _)) => 1,
        Some((100_000, "%")) => 8,
        Some((_, "%")) => 9,
        Some((1_000, "")) => 10,
        _ if word.starts_with('+') => 11,
        _ if word.starts_with('-') => 12,
        Some((_, unit)) if !unit.is_empty() => 13,
        _ => 0,
    }
}

/// The value of a number in thousandths and what is written right behind it: `8.9ms` is 8,900 and `ms`.
pub(crate) fn value(word: &str) -> Option<(u64, &str)> {
    let digits = match word.as_bytes().first() {
        Some(b'0'..=b'9') => word,
        _ => word.trim_start_matches(['+', '-', '~', '±']),
    };
    // Most figures are whole numbers without commas, which takes no decision for each digit.
    let bytes = digits.as_bytes();
    let (mut whole, mut length) = (0u64, 0);
    let ahead = bytes.iter().take(16).map(|b| b.wrapping_sub(b'0'));
    for digit in ahead.take_while(|digit| *digit < 10) {
        whole = whole * 10 + u64::from(digit);
        length += 1;
    }
    if (1..=15).contains(&length) && !matches!(bytes.get(length), Some(b'.' | b',')) {
        return Some((whole * 1_000, digits.get(length..).unwrap_or_default()));
    }
    let mut value: u64 = 0;
    let mut places: Option<u32> = None;
    let mut any = false;
    for (at, c) in digits.char_indices() {
        match c {
            '0'..='9' => {
                any = true;
                if places.is_some_and(|p| p >= 3) {
                    continue;
                }
                value = value
                    .saturating_mul(10)
                    .saturating_add(u64::from(c) - u64::from('0'));
                places = places.map(|p| p + 1);
            }
            ',' if places.is_none() => {}
            '.' if places.is_none() => places = Some(0),
            _ if any => return Some((scaled(value, places), digits.get(at..).unwrap_or_default())),
            _ => return None,
        }
    }
    any.then(|| (scaled(value, places), ""))
}

/// In thousandths.
fn scaled(value: u64, places: Option<u32>) -> u64 {
    value.saturating_mul(10u64.pow(3 - places.unwrap_or(0).min(3)))
}

/// What a unit measures and how many of the smallest unit of its sort it holds. 0: another thing, by its name.
pub(crate) fn unit(word: &str) -> (u32, u64) {
    match word {
        "" => (0, 1),
        "ns" => (1, 1),
        "us" | "µs" | "μs" => (1, 1_000),
        "ms" | "msec" | "milliseconds" | "밀리초" => (1, 1_000_000),
        "s" | "sec" | "secs" | "second" | "seconds" | "초" => (1, 1_000_000_000),
        "m" | "min" | "mins" | "minute" | "minutes" | "분" => (1, 60_000_000_000),
        "h" | "hour" | "hours" | "시간" => (1, 3_600_000_000_000),
        "b" | "byte" | "bytes" | "바이트" => (2, 1),
        "kb" | "kib" | "k" => (2, 1 << 10),
        "mb" | "mib" | "메가" => (2, 1 << 20),
        "gb" | "gib" | "기가" => (2, 1 << 30),
        "%" | "percent" | "퍼센트" => (3, 1),
        "µa" | "μa" | "ua" => (5, 1),
        "ma" => (5, 1_000),
        "fps" | "rps" | "qps" | "tps" | "req/s" | "ops/s" | "mb/s" | "gb/s" | "프레임" => (4, 1),
        _ => (0, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{class, unit, value};

    #[test]
    fn numbers_are_read_in_thousandths() {
        for (word, number, unit) in [
            ("8.9ms", 8_900, "ms"),
            ("2,205", 2_205_000, ""),
            ("+0.25%", 250, "%"),
            ("16.6667", 16_666, ""),
        ] {
            assert_eq!(value(word), Some((number, unit)), "{word}");
        }
        assert_eq!(value("v5"), None);
        assert_eq!(value("99999999999999999999999999"), Some((u64::MAX, "")));
    }

    #[test]
    fn figures_have_a_sort() {
        for (word, sort) in [
            ("0", 1),
            ("0.00", 1),
            ("0/0", 2),
            ("14/14", 3),
            ("0/3", 4),
            ("13/14", 5),
            ("2026/02/08", 6),
            ("04:00", 7),
            ("100%", 8),
            ("3%", 9),
            ("1", 10),
            ("+23", 11),
            ("-5", 12),
            ("8ms", 13),
            ("48,300", 0),
        ] {
            assert_eq!(class(word), sort, "{word}");
        }
        assert_eq!(unit("초").0, unit("ms").0);
    }
}
