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

/// Longest line that is compared with a form, in bytes. No runner ends with a longer one.
const LONGEST: usize = 1_000;

/// Whether a line is, from its beginning to its end, one of this form: a number in the form stands for any number, `…`
/// for anything or nothing, and white space for white space. What stands around a line to draw a rule (`===`) is no part of it.
pub(crate) fn fits(form: &str, line: &str) -> bool {
    let line = line.trim_matches(|c: char| c == '=' || c.is_whitespace());
    if line.len() > LONGEST {
        return false;
    }
    let (mut parts, mut rest) = (form.split('…').peekable(), line);
    let mut first = true;
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let found = match (first, last) {
            (true, _) => begins(part, rest).filter(|rest| !last || rest.is_empty()),
            (false, false) => places(rest).find_map(|text| begins(part, text)),
            (false, true) if part.is_empty() => Some(""),
            (false, true) => places(rest).find_map(|text| begins(part, text).filter(|r| r.is_empty())),
        };
        match found {
            Some(found) => rest = found,
            None => return false,
        }
        first = false;
    }
    true
}

/// The places of a text at which a part of a form may begin: all but those within a number or within white space, so that
/// each of these is read once.
fn places(text: &str) -> impl Iterator<Item = &str> {
    let mut before = ' ';
    let starts = text.char_indices().filter_map(move |(at, c)| {
        let within =
            (is_figure(before) && is_figure(c)) || (at > 0 && before.is_whitespace() && c.is_whitespace());
        before = c;
        (!within).then_some(at)
    });
    starts.chain([text.len()]).filter_map(move |at| text.get(at..))
}

fn is_figure(c: char) -> bool {
    c.is_ascii_digit()
}

/// What follows a part of a form in a text that begins with it.
fn begins<'a>(part: &str, mut text: &'a str) -> Option<&'a str> {
    let mut part = part;
    while let Some(c) = part.chars().next() {
        let taken = |of: &str| -> usize {
            match c {
                _ if is_figure(c) => number(of),
                _ if c.is_whitespace() => of.len() - of.trim_start().len(),
                _ => c.len_utf8() * usize::from(of.starts_with(c)),
            }
        };
        let found = taken(text);
        if found == 0 {
            return None;
        }
        text = text.get(found..)?;
        part = part.get(taken(part)..)?;
    }
    Some(text)
}

/// The length of the number at the beginning: `3`, `0.03`, `1,024`.
fn number(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_figure(c) => end = at + 1,
            '.' | ',' if at > 0 && end == at => {}
            _ => break,
        }
    }
    end
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
    fn lines_of_a_form() {
        for (form, line, expected) in [
            ("Ran 3 tests in 0.001s", "Ran 12 tests in 4.5s", true),
            ("Ran 3 tests in 0.001s", "  Ran  12 tests in 4s\r", true),
            ("Ran 3 tests in 0.001s", "Ran all tests in 4.5s", false),
            ("Ran 3 tests in 0.001s", "I Ran 12 tests in 4.5s", false),
            ("Ran 3 tests in 0.001s", "Ran 12 tests in 4.5s more", false),
            ("Ran 3 tests in 0.001s", "Ran 12 tests in", false),
            (
                "3 passed… in 0.03…",
                "==== 1,024 passed, 2 new in 61.00s (0:01:01) ====",
                true,
            ),
            ("3 passed… in 0.03…", "3 passed in no time", false),
            ("3 passed… in 0.03…", "3 passed", false),
            ("Tests: …3 total", "Tests:       1 failed, 22 total", true),
            ("Tests: …3 total", "Tests: total", false),
            ("Tests: …3 total", "Tests: 3 total of 4", false),
            ("? … [no test files]", "?   \tpkg/a\t[no test files]", true),
            ("a…b…c", "abcbc", true),
            ("a…b…c", "acb", false),
            ("a…", "a", true),
            ("…", "", true),
            ("", "", true),
            ("", "x", false),
            ("ℹ tests 3", "ℹ tests 3", true),
            ("ℹ tests 3", "ℹ tests 3.", false),
        ] {
            assert_eq!(fits(form, line), expected, "{form:?}: {line:?}");
        }
        assert!(!fits("a…", &"a".repeat(LONGEST + 1)));
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
