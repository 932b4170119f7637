//! What the words of a clause show by themselves, asked of all words of a text in one pass.

use super::denial::NOTHING;
use super::failing::WARNINGS;
use proctor_prose::{Filter, Token};

/// What a token shows: a word for nothing, for what a compiler warns of, for what runners count as well.
pub(super) const NAUGHT: u8 = 1;
pub(super) const WARNS: u8 = 1 << 1;
pub(super) const RESULT: u8 = 1 << 2;

/// English words with which runners count what went well.
static COUNTED: Filter = Filter::of(&["pass", "passed", "passing", "passes", "green", "succeeded"]);
/// All words that show something.
static SHOWN: Filter = Filter::of(&[
    "nothing",
    "none",
    "warning",
    "warnings",
    "pass",
    "passed",
    "passing",
    "passes",
    "green",
    "succeeded",
]);

/// Whether a token may show anything.
pub(super) fn may_show(token: &Token) -> bool {
    token.may_be(&SHOWN)
}

pub(super) fn shows(token: &Token) -> u8 {
    let bit = |words: &Filter, bit: u8| if token.may_be(words) { bit } else { 0 };
    bit(&NOTHING, NAUGHT) | bit(&WARNINGS, WARNS) | bit(&COUNTED, RESULT)
}

/// A word with which runners count what went well.
pub(super) fn result_word(word: &str) -> bool {
    matches!(
        word,
        "pass" | "passed" | "passing" | "passes" | "green" | "succeeded"
    ) || word.starts_with("통과")
        || word.starts_with("성공")
}
