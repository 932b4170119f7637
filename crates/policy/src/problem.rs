//! What is wrong in a policy file, where, and what to do about it.

use serde::Serialize;
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something in the file is wrong and was not used. `proctor config validate` fails.
    Error,
    /// The file is readable, but something in it has no effect.
    Warning,
}

impl Severity {
    /// The word used in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing that is wrong in a policy file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file's path as the caller gave it.
    pub file: String,
    /// Line, from 1. 0 when the problem is the file as a whole (unreadable, not UTF-8 text, too large).
    pub line: u32,
    /// Column, from 1, in characters; 0 as for `line`.
    pub column: u32,
    /// What is wrong: a lower-case fragment without a full stop.
    pub message: String,
    /// What to do about it.
    pub suggestion: Option<String>,
    /// The line of the file, with what to underline in it.
    pub snippet: Option<Snippet>,
    /// It stands where the file says, or may have meant to say, what work needs before it may go.
    #[serde(skip)]
    pub weighs: bool,
}

/// A line of a file and the part of it that is meant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Snippet {
    /// The line, tabs and control characters replaced, cut to a window around the place.
    pub text: String,
    /// Characters before the underlined part.
    pub start: usize,
    /// Characters to underline, at least one.
    pub len: usize,
}

/// Longest part of a line that is shown.
const WINDOW: usize = 120;

impl Snippet {
    /// Cuts the snippet for a place (`line` and `column` from 1) out of a file's text.
    pub(crate) fn cut(text: &str, line: u32, column: u32, len: u32) -> Option<Self> {
        let source = text.lines().nth(usize::try_from(line.checked_sub(1)?).ok()?)?;
        let start = usize::try_from(column.saturating_sub(1)).ok()?;
        let len = usize::try_from(len.max(1)).ok()?;
        // A long line is shown from a little before the place on.
        let skip = if start + len > WINDOW {
            start.saturating_sub(20)
        } else {
            0
        };
        let mut shown = String::new();
        let mut count = 0;
        for c in source.chars().skip(skip).take(WINDOW) {
            shown.push(if c == '\t' {
                ' '
            } else if c.is_control() {
                '\u{FFFD}'
            } else {
                c
            });
            count += 1;
        }
        let start = (start - skip).min(count);
        Some(Self {
            text: shown.trim_end().to_owned(),
            start,
            len: len.min((count - start).max(1)),
        })
    }
}

impl Problem {
    /// `file:line:column`, or the file alone when the problem has no place in it.
    #[must_use]
    pub fn place(&self) -> String {
        if self.line == 0 {
            self.file.clone()
        } else {
            format!("{}:{}:{}", self.file, self.line, self.column)
        }
    }

    /// The problem on several lines, with the source line and a caret under the place. Ends in a line feed.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = format!("{}: {}\n", self.severity.as_str(), self.message);
        let number = if self.line == 0 {
            String::new()
        } else {
            self.line.to_string()
        };
        let gutter = " ".repeat(number.len());
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{gutter}--> {}", self.place());
        if let Some(snippet) = &self.snippet {
            let before: usize = snippet
                .text
                .chars()
                .take(snippet.start)
                .filter_map(UnicodeWidthChar::width)
                .sum();
            let marked: String = snippet
                .text
                .chars()
                .skip(snippet.start)
                .take(snippet.len)
                .collect();
            let carets = "^".repeat(marked.width().max(1));
            let _ = writeln!(out, "{gutter} |");
            let _ = writeln!(out, "{number} | {}", snippet.text);
            let _ = writeln!(out, "{gutter} | {}{carets}", " ".repeat(before));
        }
        if let Some(suggestion) = &self.suggestion {
            let _ = writeln!(out, "{gutter} = help: {suggestion}");
        }
        out
    }
}
