//! Bad news that only says which thing something was done to ("the dead link is replaced"), and things that are taken back.

use super::class::Class;
use super::senses::{STATES, Senses};
use super::signs::Signs;
use proctor_prose::{Reading, TokenKind};

/// What mends a thing or takes it away.
const MENDS: Class = Class::FIX.with(Class::CHANGE).with(Class::REMOVE);

impl Senses<'_> {
    /// "The dead link is replaced", "a broken import was fixed": bad news that only says which thing, and that something was
    /// done to it.
    pub(super) fn only_names(&self, reading: &Reading, at: usize) -> bool {
        let tokens = &reading.tokens;
        let determined = at
            .checked_sub(1)
            .is_some_and(|b| self.signs(b).any(Signs::DETERMINER));
        let noun = tokens
            .get(at + 1)
            .is_some_and(|n| n.kind == TokenKind::Word && self.signs(at + 1).any(Signs::CONTENT));
        let end = |at: &usize| {
            tokens
                .get(*at)
                .is_some_and(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        };
        // Behind it, by a verb that tells more than being done.
        let mended = (at + 2..at + 10).take_while(end).any(|at| {
            let sense = self.get(at);
            sense.finished && sense.class.has(MENDS) && !sense.signs.any(STATES)
        });
        determined && noun && mended
    }
}

/// "I took the endpoint out again", "pulled it back out".
pub(super) fn taken_back(reading: &Reading, at: usize) -> bool {
    let word = |at: usize| reading.tokens.get(at).map_or("", |t| reading.word(t));
    let next = word(at + 1);
    let again = next == "again" || word(at) == "back" && next == "out";
    again
        && (at.saturating_sub(7)..at).any(|b| {
            matches!(
                word(b),
                "take" | "took" | "taken" | "taking" | "pull" | "pulled" | "rip" | "ripped" | "had"
            )
        })
}
