//! Taking a line apart from its beginning. Every step either takes what it asks for or says `None`.

/// The rest of a line that is still to be read.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a>(pub(crate) &'a str);

impl<'a> Scan<'a> {
    /// Takes exactly this text.
    pub(crate) fn lit(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// Takes a whole number.
    pub(crate) fn num(&mut self) -> Option<u64> {
        let end = self
            .0
            .bytes()
            .position(|b| !b.is_ascii_digit())
            .unwrap_or(self.0.len());
        let number = self.0.get(..end)?.parse().ok()?;
        self.0 = self.0.get(end..)?;
        Some(number)
    }

    /// Takes a label, white space, and a number: `Failed:   3`.
    pub(crate) fn field(&mut self, label: &str) -> Option<u64> {
        self.0 = self.0.trim_start().strip_prefix(label)?.trim_start();
        self.num()
    }

    /// Takes everything before `mark`, and the mark.
    pub(crate) fn until(&mut self, mark: &str) -> Option<&'a str> {
        let (before, after) = self.0.split_once(mark)?;
        self.0 = after;
        Some(before)
    }
}

/// Reads `1 failed, 2 passed`: every part between separators is a number and words. `None` when a part
/// has another form, or when `take` does not know its words.
pub(crate) fn counts(text: &str, separator: &str, mut take: impl FnMut(u64, &str) -> bool) -> Option<()> {
    for part in text.split(separator) {
        let mut scan = Scan(part.trim());
        let number = scan.num()?;
        let words = scan.0.strip_prefix(' ')?;
        if !take(number, words.trim()) {
            return None;
        }
    }
    Some(())
}

/// The text without what stands in parentheses, and without white space at its end.
pub(crate) fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// `word` or `words`.
pub(crate) fn is_one_or_many(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|end| matches!(end, "" | "s"))
}

/// `3.21s`, `12ms`, `1m 3s`: a duration as runners print it.
pub(crate) fn is_duration(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().next().is_some_and(|b| b.is_ascii_digit())
        && text.split_whitespace().all(|part| {
            let unit = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',');
            unit.len() < part.len()
                && matches!(
                    unit,
                    "" | "s" | "ms" | "m" | "h" | "min" | "ns" | "us" | "µs" | "sec" | "seconds"
                )
        })
}

/// Adds where both are known.
pub(crate) fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a?.checked_add(b?)
}

/// What is left of a total after these parts; `None` when they are more than the total.
pub(crate) fn rest_of(total: u64, parts: &[u64]) -> Option<u64> {
    parts.iter().try_fold(total, |left, part| left.checked_sub(*part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for good in ["0.03s", "5ms", "1m 3s", "0.1"] {
            assert!(is_duration(good), "{good}");
        }
        for bad in ["", "s", "12.5 apples", "fast", "3 apples", "x3s"] {
            assert!(!is_duration(bad), "{bad}");
        }
    }

    #[test]
    fn lists_of_counts_are_all_or_nothing() {
        let read = |text: &str| {
            let mut seen = Vec::new();
            counts(text, ",", |n, w| {
                seen.push((n, w.to_owned()));
                w != "apples"
            })
            .map(|()| seen)
        };
        assert_eq!(read("1 failed, 2 passed").unwrap().len(), 2);
        assert!(read("1 failed, passed").is_none());
        assert!(read("1 failed, 2 apples").is_none());
        assert!(read("99999999999999999999999 failed").is_none());
        assert!(read("").is_none());
    }
}
