//! The user's own patterns: plain words, or regular expressions between slashes.
//!
//! A regular expression is read here first, without being compiled: what it costs, which letters it cannot do
//! without (so that it is compiled only for messages that have them), whether it can match at all, and what its
//! `\b` means beside Hangul. Only what passes that is handed to the matcher.

mod analysis;
mod parse;

pub(crate) use parse::{Node, Set};

use crate::fold;
use crate::reading::read;
use crate::token::TokenKind;
use std::fmt;
use std::sync::OnceLock;

/// Longest pattern, in characters.
pub const LONGEST: usize = 200;
/// Largest regular expression, in states of its machine: counted repetitions multiply.
pub const LARGEST: usize = 500;
/// Regular expressions of one policy.
pub const MOST: usize = 50;

/// What is wrong with a pattern, or to be known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The pattern cannot be used.
    pub fatal: bool,
    /// What it is: a lower-case fragment that follows the pattern.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Flaw {
    pub(crate) fn fatal(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            fatal: true,
            message: message.into(),
            help: help.into(),
        }
    }

    pub(crate) fn doubt(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            fatal: false,
            ..Self::fatal(message, help)
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

/// A pattern, read but not compiled.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// Words in a row, folded.
    Words(Vec<String>),
    /// A regular expression.
    Regex(Box<Rule>),
}

/// Splits `/body/flags`. Text that could only be meant as a regular expression counts as one without slashes.
fn regex_parts(text: &str) -> Option<(&str, &str)> {
    let slashed = text
        .strip_prefix('/')
        .and_then(|rest| rest.rsplit_once('/'))
        .filter(|(body, flags)| !body.is_empty() && flags.chars().all(|c| c.is_ascii_alphabetic()));
    slashed.or_else(|| looks_like_regex(text).then_some((text, "i")))
}

/// A text without slashes that plain words would never hold.
pub(crate) fn looks_like_regex(text: &str) -> bool {
    let escape = text.match_indices('\\').any(|(at, _)| {
        text.get(at + 1..)
            .is_some_and(|t| t.starts_with(['b', 'B', 's', 'S', 'w', 'W', 'd', 'D']))
    });
    escape || text.contains(".*") || text.contains(".+") || text.contains("(?:")
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn read(text: &str) -> Result<Self, Flaw> {
        if text.chars().nth(LONGEST).is_some() {
            return Err(Flaw::fatal(
                format!("has more than {LONGEST} characters"),
                "keep the part that matters",
            ));
        }
        match regex_parts(text) {
            Some((body, flags)) => Rule::read(body, flags).map(|rule| Self::Regex(Box::new(rule))),
            None => match words(text) {
                words if words.is_empty() => Err(Flaw::fatal(
                    "can never match: it has no word",
                    "write words; for a mark or an emoji, a regular expression such as `/great 💯/`",
                )),
                words => Ok(Self::Words(words)),
            },
        }
    }
}

/// The folded words of a text.
fn words(text: &str) -> Vec<String> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '_');
    if !text.chars().all(plain) {
        // Taken apart as messages are; marks at the ends are left out.
        let reading = read(text);
        let mut words: Vec<String> = reading
            .tokens
            .iter()
            .map(|t| match t.kind {
                TokenKind::Punct(mark) => mark.to_string(),
                _ => reading.word(t).to_owned(),
            })
            .collect();
        let is_mark = |w: &String| !w.chars().any(char::is_alphanumeric);
        while words.last().is_some_and(is_mark) {
            words.pop();
        }
        let marks = words.iter().take_while(|w| is_mark(w)).count();
        words.drain(..marks);
        return words;
    }
    fold::normalize(text)
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

/// A regular expression that is compiled when it is first needed.
#[derive(Debug)]
pub(crate) struct Rule {
    /// What is given to the matcher.
    program: String,
    /// One of these occurs in every text that matches, in lower case.
    needles: Vec<String>,
    /// A match begins where a word begins, or after a mark.
    guard_start: bool,
    /// A match that ends in an ASCII letter ends where the word ends.
    guard_end: bool,
    /// States of the machine, as far as they can be told without building it.
    size: usize,
    /// What its author should know.
    pub(crate) doubts: Vec<Flaw>,
    compiled: OnceLock<Option<regex_lite::Regex>>,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        (&self.program, self.guard_start, self.guard_end)
            == (&other.program, other.guard_start, other.guard_end)
    }
}

impl Eq for Rule {}

impl Rule {
    fn read(body: &str, flags: &str) -> Result<Self, Flaw> {
        let mut kept = String::new();
        for flag in flags.chars() {
            match flag {
                'i' | 'm' | 's' if !kept.contains(flag) => kept.push(flag),
                // Every occurrence counts anyway, and texts are Unicode anyway.
                'g' | 'u' | 'i' | 'm' | 's' => {}
                _ => {
                    return Err(Flaw::fatal(
                        format!("has the unknown flag `{flag}`"),
                        "flags are `i` (any case), `m` (`^` and `$` at each line) and `s` (`.` takes line ends)",
                    ));
                }
            }
        }
        // Messages are read folded (one form of Hangul, no look-alikes), so the pattern is folded too.
        let body = fold::cased(body);
        let node = parse::parse(&body)?;
        let found = analysis::analyse(&node, kept.contains('m'))?;
        let mut program = if kept.is_empty() {
            String::new()
        } else {
            format!("(?{kept})")
        };
        let mut at = 0;
        for range in &found.dropped {
            program.push_str(body.get(at..range.start).unwrap_or_default());
            at = range.end;
        }
        program.push_str(body.get(at..).unwrap_or_default());
        Ok(Self {
            program,
            needles: found.needles,
            guard_start: found.guard_start,
            guard_end: found.guard_end,
            size: found.size,
            doubts: found.doubts,
            compiled: OnceLock::new(),
        })
    }

    /// Compiles it, or tells why that is not possible.
    pub(crate) fn compile(&self) -> Result<(), Flaw> {
        build(&self.program).map(|_| ()).map_err(|e| {
            Flaw::fatal(
                format!("is no regular expression: {e}"),
                "see the syntax of the `regex` crate; Unicode classes and lookaround are left out",
            )
        })
    }

    /// Whether the message may match, by its letters in lower case.
    pub(crate) fn may_match(&self, lower: &str) -> bool {
        self.needles.iter().any(|n| lower.contains(n.as_str()))
    }

    /// Steps that a search of `bytes` bytes may take.
    pub(crate) fn cost(&self, bytes: usize) -> usize {
        bytes.saturating_mul(self.size.div_ceil(16).max(1))
    }

    /// The matches, as byte ranges.
    pub(crate) fn find(&self, text: &str, mut each: impl FnMut(usize, usize)) {
        let Some(regex) = self.compiled.get_or_init(|| build(&self.program).ok()) else {
            return;
        };
        let mut at = 0;
        while let Some(found) = regex.find_at(text, at) {
            let whole = self.keeps_to_words(text, found.start(), found.end());
            if whole && found.start() < found.end() {
                each(found.start(), found.end());
                at = found.end();
            } else {
                let step = text.get(found.start()..).and_then(|t| t.chars().next());
                at = found.start() + step.map_or(1, char::len_utf8);
            }
            if at > text.len() {
                break;
            }
        }
    }

    fn keeps_to_words(&self, text: &str, start: usize, end: usize) -> bool {
        let before = || text.get(..start).and_then(|t| t.chars().next_back());
        let last = || text.get(..end).and_then(|t| t.chars().next_back());
        let after = || text.get(end..).and_then(|t| t.chars().next());
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        !(self.guard_start && before().is_some_and(char::is_alphanumeric)
            || self.guard_end && is_word(last()) && is_word(after()))
    }
}

fn build(program: &str) -> Result<regex_lite::Regex, regex_lite::Error> {
    regex_lite::RegexBuilder::new(program)
        .size_limit(1 << 18)
        .nest_limit(parse::DEEPEST as u32 + 2)
        .build()
}

#[cfg(test)]
mod tests;
