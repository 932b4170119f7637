//! One look-up for a listed word by the hash that its token carries: no text is read.

use super::class::Class;
use super::cue::Cues;
pub(super) use super::form::Form;
use super::form::{SLOTS, places};
use super::signs::Signs;
use std::hint::select_unpredictable;

include!(concat!(env!("OUT_DIR"), "/forms.rs"));

/// What the word with this hash and so many bytes tells, if it is listed.
#[inline]
pub(super) fn find(hash: u32, length: usize) -> Option<&'static Form> {
    let [first, second] = places(hash).map(|place| FORM_SLOTS.get(place).copied().unwrap_or_default());
    let is = |slot: u64| (slot >> 32) as u32 == hash;
    let second = select_unpredictable(is(second), second, 0);
    // An empty slot has no number.
    let number = select_unpredictable(is(first), first, second) & 0xffff;
    let form = FORMS.get((number as usize).checked_sub(1)?)?;
    (usize::from(form.length) == length).then_some(form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::stem::word_hash;
    use crate::progress::words;

    /// The table and the readers say the same of a listed word.
    #[test]
    fn listed_words_tell_what_their_readers_tell() {
        let lists = include_str!("../../lexicon/signs.txt");
        let lines = lists.lines().map(|l| l.split('#').next().unwrap_or_default());
        let mut seen = 0;
        for word in lines.flat_map(str::split_whitespace) {
            if !word.bytes().all(|b| b.is_ascii_lowercase()) {
                continue;
            }
            let Some(form) = find(word_hash(word), word.len()) else {
                panic!("{word} is not in the table");
            };
            let (heard, concept) = words::english(word, words::name(word));
            assert_eq!(form.signs.without(Signs::CONTENT), heard.signs, "{word}");
            assert_eq!(form.name, concept.map_or(0, |c| c.name), "{word}");
            assert_eq!(form.phrase, heard.phrase, "{word}");
            assert_eq!(form.is(Form::KNOWN), heard.known, "{word}");
            seen += 1;
        }
        assert!(seen > 500, "{seen}");
    }

    #[test]
    fn other_words_are_not_found() {
        for word in ["jitter", "xylophone", ""] {
            assert!(find(word_hash(word), word.len()).is_none(), "{word}");
        }
    }
}
