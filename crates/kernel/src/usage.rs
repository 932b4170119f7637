//! How far a host's transcripts were read for the tokens that they tell.

use crate::Mark;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The transcripts of a session, by their names.
pub type Metered = BTreeMap<String, Meter>;

/// What was read of the transcripts of a session at once, by their names.
pub type Readings = BTreeMap<String, Reading>;

/// What was read of one transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// New tokens.
    pub tokens: u64,
    /// How far it is read now.
    pub meter: Meter,
}

/// How far one transcript was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// Bytes that were read; always whole lines.
    pub offset: u64,
    /// Fingerprint of the last bytes before that place: another one there is another file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<Mark>,
    /// When the last record was written that counted, as the host writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time: String,
    /// The model's last message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The model that wrote it, where the host tells.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Tokens in its context before it, 0 where nothing was before.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub before: u64,
    /// Tokens that it read, cached or not.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub input: u64,
    /// Tokens that it wrote.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub output: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_nothing(figure: &u64) -> bool {
    *figure == 0
}

impl Meter {
    /// Takes in what a record tells of a message, and gives the new tokens: what was written, and what was read
    /// that the message before had not in its context. A record repeats what others of its message told.
    pub fn count(&mut self, message: &str, input: u64, output: u64) -> u64 {
        if self.message != message {
            *self = Self {
                message: message.to_owned(),
                before: self.input.saturating_add(self.output),
                input: 0,
                output: 0,
                ..std::mem::take(self)
            };
        }
        // What a conversation begins with is the host's own and nobody's work.
        let read = |input: u64| {
            if self.before == 0 {
                0
            } else {
                input.saturating_sub(self.before)
            }
        };
        let (input, output) = (input.max(self.input), output.max(self.output));
        let new = (read(input) - read(self.input)).saturating_add(output - self.output);
        (self.input, self.output) = (input, output);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_twice_counts_once() {
        let mut meter = Meter::default();
        let mut counted = |message: &str, input, output| meter.count(message, input, output);
        // The first message: its context is the host's own.
        assert_eq!(counted("m1", 12_000, 1), 1);
        assert_eq!(counted("m1", 12_000, 50), 49);
        assert_eq!(counted("m1", 12_000, 50), 0);
        // The second reads 12,050 again, cached or not, and 400 anew.
        assert_eq!(counted("m2", 12_450, 30), 430);
        assert_eq!(counted("m2", 12_450, 30), 0);
        // After a compaction the context is smaller, and nothing of it is new work.
        assert_eq!(counted("m3", 5_000, 20), 20);
        assert_eq!(counted("m4", 5_120, 10), 110);
    }
}
