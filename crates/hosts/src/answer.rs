//! What every host adapter gives back: an answer to print, or the news that a payload was broken.

use std::fmt;

/// An answer in a host's own form: what the hook process prints, and how it exits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Exactly one JSON object and a newline.
    pub stdout: String,
    /// Empty, or the reason once more for hosts that read it there.
    pub stderr: String,
    /// The exit status.
    pub exit: u8,
}

/// A payload that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The event's name, where it could be recovered from the broken payload, so that the answer can
    /// take the form which this event honours.
    pub native_event: Option<String>,
    /// What sort of damage it is.
    pub damage: Damage,
    /// What is wrong, with the place: a lower-case fragment.
    pub why: String,
}

/// What is wrong with a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Nothing, or only white space, was given.
    Empty,
    /// It is not UTF-8.
    NotUtf8,
    /// It is the beginning of a JSON value.
    Truncated,
    /// It is not JSON.
    NotJson,
    /// It is JSON, but not an object.
    NotObject,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for ParseError {}
