//! Times as records carry them: RFC 3339, UTC, milliseconds.

/// Last millisecond of the year 9999, beyond which RFC 3339 has no form.
const LAST: u64 = 253_402_300_799_999;
const DAY: u64 = 86_400_000;

/// Writes milliseconds since 1970 as `2026-02-08T17:44:00.000Z`. Times after the year 9999 are
/// written as its last millisecond.
#[must_use]
pub fn format_millis(millis: u64) -> String {
    let millis = millis.min(LAST);
    let (year, month, day) = civil(millis / DAY);
    let rest = millis % DAY;
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        rest / 3_600_000,
        rest / 60_000 % 60,
        rest / 1_000 % 60,
        rest % 1_000
    )
}

/// Reads what [`format_millis`] writes, and nothing else; `None` for any other text.
#[must_use]
pub fn parse_millis(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    if bytes.len() != 24 {
        return None;
    }
    for (place, expected) in [
        (4, b'-'),
        (7, b'-'),
        (10, b'T'),
        (13, b':'),
        (16, b':'),
        (19, b'.'),
        (23, b'Z'),
    ] {
        if bytes.get(place) != Some(&expected) {
            return None;
        }
    }
    let number = |from: usize, to: usize| -> Option<u64> {
        let digits = bytes.get(from..to)?;
        digits.iter().try_fold(0_u64, |n, b| {
            b.is_ascii_digit().then(|| n * 10 + u64::from(b - b'0'))
        })
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second, milli) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
    if hour > 23 || minute > 59 || second > 59 || year < 1970 {
        return None;
    }
    let days = days_before_year(year) - days_before_year(1970)
        + (1..month).map(|m| days_in(year, m)).sum::<u64>()
        + day.checked_sub(1)?;
    if !(1..=12).contains(&month) || day > days_in(year, month) {
        return None;
    }
    Some(days * DAY + hour * 3_600_000 + minute * 60_000 + second * 1_000 + milli)
}

/// Days from the year 0 to the first day of `year` in the Gregorian calendar.
fn days_before_year(year: u64) -> u64 {
    let Some(past) = year.checked_sub(1) else { return 0 };
    year * 365 + past / 4 - past / 100 + past / 400 + 1
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of a day counted from 1 January 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    let total = days + days_before_year(1970);
    // A year is at most 366 days, so this is never too high by much; step to the exact one.
    let mut year = total * 400 / 146_097;
    while days_before_year(year + 1) <= total {
        year += 1;
    }
    while days_before_year(year) > total {
        year -= 1;
    }
    let mut day = total - days_before_year(year);
    let mut month = 1;
    while day >= days_in(year, month) {
        day -= days_in(year, month);
        month += 1;
    }
    (year, month, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_moments() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_770_572_640_123, "2026-02-08T17:44:00.123Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (LAST, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(format_millis(millis), text);
            assert_eq!(parse_millis(text), Some(millis));
        }
        assert_eq!(format_millis(u64::MAX), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in [
            "",
            "2026-02-08",
            "2026-02-08T17:44:00Z",
            "2026-13-08T17:44:00.000Z",
            "2026-00-08T17:44:00.000Z",
            "2026-02-29T17:44:00.000Z",
            "2026-02-00T17:44:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "2026-02-08T24:00:00.000Z",
            "2026-02-08 17:44:00.000Z",
            "２026-02-08T17:44:00.0Z",
        ] {
            assert_eq!(parse_millis(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_moment_survives_the_round_trip(millis in 0..=LAST) {
            prop_assert_eq!(parse_millis(&format_millis(millis)), Some(millis));
        }

        #[test]
        fn any_text_is_answered(text in ".{0,30}") {
            let _ = parse_millis(&text);
        }
    }
}
