//! What Korean words, code and other words that no table lists tell wherever they stand, remembered from answer to answer
//! whatever the checklist is: agents use the same ones over and over, and to read one takes longer than to read on.

use super::class::Class;
use super::cues::Cues;
use super::forms::Form;
use super::signs::Signs;
use super::words::{Concept, Room, unlisted};
use std::cell::Cell;

/// What a word tells wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// The hash of the word, and of how it is read.
    pub(super) key: u64,
    /// Where the word stands among those of all. Words are compared: what one writer made up to share a key with another
    /// word must not change what that is taken for.
    pub(super) word: (u32, u32),
    /// The marks of its concepts.
    pub(super) marks: u128,
    pub(super) signs: Signs,
    pub(super) cues: Cues,
    /// The name of a Korean stem, and its bytes; 0 for none.
    pub(super) stem: u64,
    pub(super) length: u32,
    /// Its concepts among those of all.
    pub(super) from: u32,
    pub(super) to: u32,
    /// What it tells of having been done, where its place does not say otherwise.
    pub(super) class: Class,
    /// It is a verb in a finished form, where its place does not say otherwise.
    pub(super) finished: bool,
    pub(super) known: bool,
    pub(super) orders: bool,
    /// A verb in -ing.
    pub(super) progressive: bool,
    pub(super) phrase: u8,
}

/// Words that are remembered.
#[derive(Default)]
pub(super) struct Memo {
    /// The numbers of words by some bits of their keys, counted from one.
    slots: Vec<u16>,
    told: Vec<Told>,
    words: String,
    concepts: Vec<Concept>,
    room: Room,
    /// Plain words that no list has, by some bits of their hashes.
    plain: Vec<(Letters, Form)>,
}

/// The letters of a short word: all of them, some twice.
#[derive(Clone, Copy, Default, PartialEq)]
struct Letters {
    first: u64,
    last: u64,
    length: usize,
}

impl Letters {
    /// Those of a word of at most sixteen bytes.
    #[inline]
    fn of(word: &str) -> Option<Self> {
        let bytes = word.as_bytes();
        let (first, last) = match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => match (bytes.first_chunk(), bytes.last_chunk()) {
                (Some(first), Some(last)) => {
                    let number = |chunk: [u8; 4]| u64::from(u32::from_le_bytes(chunk));
                    (number(*first), number(*last))
                }
                _ => (bytes.iter().fold(0, |sum, b| sum << 8 | u64::from(*b)), 0),
            },
        };
        let length = bytes.len();
        (length <= 16).then_some(Self { first, last, length })
    }
}

thread_local! {
    /// What this thread has read.
    static KNOWN: Cell<Memo> = Cell::default();
}

/// How many words are remembered; a power of two of slots.
const WORDS: usize = 2048;
const SLOTS: usize = 4096;
/// For how many there is room at first: those of an answer.
const ROOM: usize = 64;
/// In how many places in a row a word may stand.
const PROBES: usize = 4;
/// How many plain words there are places for.
const PLAIN: usize = 512;
/// Bytes of the longest word that is remembered.
const LONGEST: usize = 64;
/// How many concepts they may have.
const CONCEPTS: usize = 8192;

/// The mark of a concept: words with none of those of a checklist have none of its concepts.
pub(super) fn mark(name: u64) -> u128 {
    1 << (name >> 57)
}

impl Memo {
    /// What is remembered, until it is kept again.
    pub(super) fn take() -> Self {
        KNOWN.take()
    }

    /// Keeps what is remembered; begins anew when there is too much of it.
    pub(super) fn keep(self) {
        if self.told.len() < WORDS && self.concepts.len() < CONCEPTS {
            KNOWN.set(self);
        }
    }

    /// What a plain word with this hash tells that no list has.
    #[inline]
    pub(super) fn plain(&mut self, hash: u32, word: &str) -> Form {
        let Some(letters) = Letters::of(word) else {
            return unlisted(word);
        };
        let slot = (hash ^ hash >> 15) as usize % PLAIN;
        match self.plain.get(slot) {
            Some((known, form)) if *known == letters => *form,
            _ => self.learn_plain(letters, slot, word),
        }
    }

    #[inline(never)]
    fn learn_plain(&mut self, letters: Letters, slot: usize, word: &str) -> Form {
        let form = unlisted(word);
        if self.plain.is_empty() {
            self.plain.resize(PLAIN, Default::default());
        }
        if let Some(place) = self.plain.get_mut(slot) {
            *place = (letters, form);
        }
        form
    }

    /// What a word tells, by a key of it and of how it is read; `read` reads it when it is new, and adds its concepts.
    #[inline]
    pub(super) fn of(
        &mut self,
        key: u64,
        word: &str,
        read: impl FnOnce(&mut Vec<Concept>, &mut Room) -> Told,
    ) -> Told {
        let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (key >> 40) as usize % SLOTS;
        for step in 0..PROBES {
            let known = self.slots.get((slot + step) % SLOTS).copied().unwrap_or_default();
            let Some(told) = usize::from(known).checked_sub(1).and_then(|at| self.told.get(at)) else {
                break;
            };
            let (from, to) = told.word;
            if told.key == key && self.words.get(from as usize..to as usize) == Some(word) {
                return *told;
            }
        }
        self.learn(key, slot, word, read)
    }

    #[inline(never)]
    fn learn(
        &mut self,
        key: u64,
        slot: usize,
        word: &str,
        read: impl FnOnce(&mut Vec<Concept>, &mut Room) -> Told,
    ) -> Told {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, 0);
            self.told.reserve(ROOM);
            self.concepts.reserve(2 * ROOM);
        }
        let from = self.concepts.len();
        let mut told = read(&mut self.concepts, &mut self.room);
        told.key = key;
        told.from = from as u32;
        told.to = self.concepts.len() as u32;
        told.marks = self
            .concepts(&told)
            .iter()
            .fold(0, |marks, concept| marks | mark(concept.name));
        // Of a long answer with more words than that only some are remembered.
        if self.told.len() < usize::from(u16::MAX) - 1 && word.len() <= LONGEST {
            let begins = self.words.len() as u32;
            self.words.push_str(word);
            told.word = (begins, self.words.len() as u32);
            self.told.push(told);
            let free = (0..PROBES).map(|step| (slot + step) % SLOTS);
            let free = free
                .into_iter()
                .find(|at| self.slots.get(*at) == Some(&0))
                .unwrap_or(slot);
            if let Some(place) = self.slots.get_mut(free) {
                *place = self.told.len() as u16;
            }
        }
        told
    }

    /// The concepts of a word.
    #[inline]
    pub(super) fn concepts(&self, told: &Told) -> &[Concept] {
        self.concepts
            .get(told.from as usize..told.to as usize)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that share a key are told apart, and each is read once.
    #[test]
    fn words_of_one_key_are_two() {
        let mut memo = Memo::default();
        let mut reads = 0;
        for _ in 0..3 {
            for (word, stem) in [("완료", 1), ("보류", 2)] {
                let told = memo.of(7, word, |_, _| {
                    reads += 1;
                    Told {
                        stem,
                        ..Told::default()
                    }
                });
                assert_eq!(told.stem, stem, "{word}");
            }
        }
        assert_eq!(reads, 2);
    }

    /// So are plain words of one hash, and no two words have the same letters.
    #[test]
    fn plain_words_of_one_hash_are_two() {
        let mut memo = Memo::default();
        for word in [
            "widgets",
            "gadgets",
            "a",
            "aa",
            "a".repeat(9).as_str(),
            "a".repeat(40).as_str(),
        ] {
            for _ in 0..2 {
                let (told, alone) = (memo.plain(7, word), unlisted(word));
                assert_eq!((told.name, told.bits), (alone.name, alone.bits), "{word}");
            }
        }
        let words: Vec<String> = (1..=17).map(|n| "a".repeat(n)).collect();
        for (at, word) in words.iter().enumerate() {
            for other in words.iter().skip(at + 1) {
                assert!(Letters::of(word) != Letters::of(other), "{word} {other}");
            }
        }
    }
}
