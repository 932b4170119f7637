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
    words: Vec<u8>,
    concepts: Vec<Concept>,
    room: Room,
    /// Plain words that no list has, by some bits of their hashes.
    plain: Vec<(Letters, Form)>,
    /// How many of them were read.
    read: usize,
    /// Room for the numbers of some tokens of an answer: of those that phrases may begin with, and of those that may mean
    /// something else beside others.
    pub(super) heads: Vec<u32>,
    pub(super) turns: Vec<u32>,
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
    fn of(bytes: &[u8]) -> Option<Self> {
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

/// How many words are remembered: those of some hundred answers. Then it begins anew.
const WORDS: usize = 8192;
/// How many slots there are at first, a power of two; later at least two for each word.
const SLOTS: usize = 4096;
/// For how many there is room at first: those of an answer.
const ROOM: usize = 64;
/// In how many places in a row a word may stand.
const PROBES: usize = 4;
/// How many plain words there are places for at first, and for an agent that uses more of them.
const PLAIN: usize = 512;
const MORE_PLAIN: usize = 4096;
/// Bytes of the longest word that is remembered.
const LONGEST: usize = 64;
/// How many concepts they may have.
const CONCEPTS: usize = 4 * WORDS;
/// Tokens of the longest answer whose room is kept.
const TOKENS: usize = 4096;

/// The mark of a concept: words with none of those of a checklist have none of its concepts.
pub(super) fn mark(name: u64) -> u128 {
    1 << (name >> 57)
}

/// Where a word with this key may stand, in order.
#[inline]
fn probes(key: u64, mask: usize) -> impl Iterator<Item = usize> {
    let first = (key >> 40) as usize;
    (0..PROBES).map(move |step| (first + step) & mask)
}

/// Enters the number of a word where there is a place, or else in the first one.
fn enter(slots: &mut [u16], key: u64, number: u16) {
    let mask = slots.len().wrapping_sub(1);
    let free = probes(key, mask).find(|at| slots.get(*at) == Some(&0));
    if let Some(place) = free
        .or_else(|| probes(key, mask).next())
        .and_then(|at| slots.get_mut(at))
    {
        *place = number;
    }
}

impl Memo {
    /// What is remembered, until it is kept again.
    pub(super) fn take() -> Self {
        KNOWN.take()
    }

    /// Keeps what is remembered; begins anew when there is too much of it.
    pub(super) fn keep(mut self) {
        if self.told.len() < WORDS && self.concepts.len() < CONCEPTS {
            self.spread();
            KNOWN.set(self);
        }
    }

    /// Makes room where it has become narrow: a process that reads one answer needs little.
    fn spread(&mut self) {
        if self.heads.len() > TOKENS {
            (self.heads, self.turns) = Default::default();
        }
        if self.read > PLAIN && self.plain.len() < MORE_PLAIN {
            self.plain.clear();
            self.plain.resize(MORE_PLAIN, Default::default());
        }
        let wanted = (2 * self.told.len()).next_power_of_two();
        if self.slots.len() < wanted && !self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(wanted, 0);
            for (number, told) in (1..).zip(&self.told) {
                enter(&mut self.slots, told.key, number);
            }
        }
    }

    /// Makes room for the numbers of so many tokens.
    pub(super) fn make_room(&mut self, tokens: usize) {
        for list in [&mut self.heads, &mut self.turns] {
            if list.len() < tokens {
                list.resize(tokens, 0);
            }
        }
    }

    /// What a plain word with this hash tells that no list has.
    #[inline]
    pub(super) fn plain<'t>(&mut self, hash: u32, bytes: &[u8], word: impl FnOnce() -> &'t str) -> Form {
        let Some(letters) = Letters::of(bytes) else {
            return unlisted(word());
        };
        let slot = (hash ^ hash >> 15) as usize & self.plain.len().wrapping_sub(1);
        match self.plain.get(slot) {
            Some((known, form)) if *known == letters => *form,
            _ => self.learn_plain(letters, slot, word()),
        }
    }

    #[inline(never)]
    fn learn_plain(&mut self, letters: Letters, slot: usize, word: &str) -> Form {
        let form = unlisted(word);
        if self.plain.is_empty() {
            self.plain.resize(PLAIN, Default::default());
        }
        self.read += 1;
        // When there were no places, all bits are there.
        let slot = slot & self.plain.len().wrapping_sub(1);
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
        let mask = self.slots.len().wrapping_sub(1);
        for slot in probes(key, mask) {
            let known = self.slots.get(slot).copied().unwrap_or_default();
            let Some(told) = usize::from(known).checked_sub(1).and_then(|at| self.told.get(at)) else {
                break;
            };
            let (from, to) = told.word;
            if told.key == key && self.words.get(from as usize..to as usize) == Some(word.as_bytes()) {
                return *told;
            }
        }
        self.learn(key, word, read)
    }

    #[inline(never)]
    fn learn(
        &mut self,
        key: u64,
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
        // Of a long answer with more words than that only some are remembered.
        if self.told.len() < usize::from(u16::MAX) - 1 && word.len() <= LONGEST {
            let begins = self.words.len() as u32;
            self.words.extend_from_slice(word.as_bytes());
            told.word = (begins, self.words.len() as u32);
            self.told.push(told);
            enter(&mut self.slots, key, self.told.len() as u16);
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
                let (told, alone) = (memo.plain(7, word.as_bytes(), || word), unlisted(word));
                assert_eq!((told.name, told.bits), (alone.name, alone.bits), "{word}");
            }
        }
        let words: Vec<String> = (1..=17).map(|n| "a".repeat(n)).collect();
        for (at, word) in words.iter().enumerate() {
            for other in words.iter().skip(at + 1) {
                assert!(
                    Letters::of(word.as_bytes()) != Letters::of(other.as_bytes()),
                    "{word} {other}"
                );
            }
        }
    }
}
