//! The output of a command as lines without colours, from both ends when it is long.

use std::borrow::Cow;

/// How much of a long output's beginning is read.
pub const HEAD: usize = 64 * 1024;
/// How much of a long output's end is read. Summaries stand at the end, so this is the larger part.
pub const TAIL: usize = 256 * 1024;

/// An output made ready for the readers of forms.
pub(crate) struct Output<'a> {
    /// The text that the lines are of.
    pub(crate) text: &'a str,
    /// Lines that hold something, without colours and without white space at their end.
    pub(crate) lines: Vec<&'a str>,
    /// The command as it was given, or nothing.
    pub(crate) hint: &'a str,
    /// Whether the hint names the runner that reads, so that its weaker forms are believed.
    pub(crate) hinted: bool,
    /// Whether something is missing from the output.
    pub(crate) cut: bool,
}

/// Both ends of a text, on line boundaries, and whether something between them is left out.
pub(crate) fn bounded(text: &str) -> (Cow<'_, str>, bool) {
    if text.len() <= HEAD + TAIL {
        return (Cow::Borrowed(text), false);
    }
    // A line of which only a part is read could be taken for another: "failed: 1" for "failed: 12".
    let head = text.get(..text.floor_char_boundary(HEAD)).unwrap_or("");
    let head = head.rfind('\n').and_then(|at| head.get(..=at)).unwrap_or("");
    let tail = text
        .get(text.ceil_char_boundary(text.len() - TAIL)..)
        .unwrap_or("");
    let tail = tail.find('\n').and_then(|at| tail.get(at..)).unwrap_or("");
    (Cow::Owned(format!("{head}{tail}")), true)
}

/// The text without terminal control, with every kind of line end as `\n`.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|b| b == 0x1b || b == b'\r') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\x1b', '\r']) {
        out.push_str(rest.get(..at).unwrap_or(""));
        let escape = rest.as_bytes().get(at) == Some(&0x1b);
        rest = rest.get(at + 1..).unwrap_or("");
        if escape {
            rest = after_escape(rest);
        } else {
            // A lone carriage return is a line drawn over: each state of it is a line.
            out.push('\n');
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What follows a control sequence whose escape character was just taken.
fn after_escape(text: &str) -> &str {
    let bytes = text.as_bytes();
    let end = match bytes.first() {
        // Parameters, then one final byte.
        Some(b'[') => bytes
            .iter()
            .skip(1)
            .position(|b| !(0x20..=0x3f).contains(b))
            .map(|at| {
                let last = at + 1;
                last + usize::from(bytes.get(last).is_some_and(|b| (0x40..=0x7e).contains(b)))
            }),
        // Titles and links: to the bell or to the next escape, and never over a line end.
        Some(b']') => bytes
            .iter()
            .position(|b| matches!(b, 0x07 | 0x1b | b'\n' | b'\r'))
            .map(|at| at + usize::from(bytes.get(at) == Some(&0x07))),
        // The end of a title, and two-character sequences.
        Some(b'\\' | b'(' | b')' | b'7' | b'8' | b'=' | b'>' | b'M' | b'c') => {
            Some(if matches!(bytes.first(), Some(b'(' | b')')) {
                2.min(bytes.len())
            } else {
                1
            })
        }
        _ => Some(0),
    };
    end.and_then(|at| text.get(at..))
        .unwrap_or_else(|| if end.is_none() { "" } else { text })
}

/// How far before its word the line of such a note begins at most.
const NOTE: usize = 160;

/// Whether a note in the text says that a host or a pager left out a part of the output.
pub(crate) fn has_gap(text: &str) -> bool {
    [
        "truncated",
        "omitted",
        "omitting",
        "clipped",
        "Output too large",
        "<persisted-output>",
    ]
    .iter()
    .any(|word| {
        text.match_indices(word).any(|(at, _)| {
            // A note is short; what stands further off is not looked at, however long the line.
            let from = text.ceil_char_boundary(at.saturating_sub(NOTE));
            let before = text.get(from..at).unwrap_or("");
            match before.rfind('\n') {
                Some(end) => is_gap(before.get(end + 1..).unwrap_or(""), true, word),
                None => is_gap(before, from == 0, word),
            }
        })
    })
}

/// Whether a word of such notes stands in one, judged by what stands before it in its line (the `whole` of
/// that, or the end of it). A test may be called so too: the word stands behind a unit, or the line begins
/// as notes do.
fn is_gap(before: &str, whole: bool, word: &str) -> bool {
    let before = before.trim_start();
    if word.starts_with(['<', 'O']) {
        return whole && before.is_empty();
    }
    let unit = before.trim_end().rsplit([' ', '[', '(', '.', '…', '<']).next();
    matches!(
        unit,
        Some("line" | "lines" | "characters" | "chars" | "tokens" | "bytes" | "B" | "KB")
    ) || (whole && (before.starts_with("...") || before.starts_with(['…', '[', '<', '('])))
}

impl<'a> Output<'a> {
    /// Splits a text that went through [`bounded`] and [`plain`].
    pub(crate) fn new(text: &'a str, cut: bool, hint: &'a str) -> Self {
        let lines: Vec<&str> = text
            .split('\n')
            .map(str::trim_end)
            // No form fits into one letter.
            .filter(|l| l.len() > 1)
            .collect();
        let cut = cut || has_gap(text);
        Self {
            text,
            lines,
            hint,
            hinted: false,
            cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_titles_and_line_ends_are_taken_out() {
        for (text, expected) in [
            ("\x1b[1m\x1b[32mok\x1b[0m 3", "ok 3"),
            ("a\r\nb\rc", "a\n\nb\nc"),
            (
                "\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\",
                "xlink",
            ),
            ("\x1b[38;5;1mred", "red"),
            ("\x1b(Bx", "x"),
            ("end\x1b", "end"),
            ("end\x1b[3", "end"),
            ("한\x1b[1m글", "한글"),
            ("\x1b]no end", ""),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_read_from_both_ends_in_whole_lines() {
        let long = "한 줄의 글\n".repeat(40_000);
        let (both, cut) = bounded(&long);
        assert!(cut && both.len() <= HEAD + TAIL);
        assert!(both.lines().all(|l| l.is_empty() || l == "한 줄의 글"));
        assert!(!bounded("short").1);
        assert_eq!(bounded(&"x".repeat(HEAD + TAIL + 1)).0, "");
    }

    #[test]
    fn gaps_that_hosts_leave_are_seen() {
        for line in [
            "... [120 lines truncated] ...",
            "[... omitted 3 of 90 lines ...]",
            "…1200 tokens truncated…",
            "<persisted-output>",
            "test a ... [1200 characters truncated] ... ok",
            "... omitting 40 lines ...",
        ] {
            assert!(Output::new(line, false, "").cut, "{line}");
        }
        for line in [
            "test truncated_file_is_refused ... ok",
            "test it_is_truncated ... ok",
            "test src/lib.rs - truncated (line 3) ... ok",
            "  ✓ is truncated ... at 80 columns (2 ms)",
            "the table was truncated",
        ] {
            assert!(!Output::new(line, false, "").cut, "{line}");
        }
    }
}
