//! What words tell wherever they stand, remembered from answer to answer of a thread: agents use the same few hundred
//! words over and over, and to look one up takes longer than to read on.

use super::class::Class;
use super::cues::Cues;
use super::signs::Signs;
use super::words::{Concept, Room};
use std::cell::Cell;

/// What a word tells wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// The hash of the word, and of how it is read.
    pub(super) key: u64,
    pub(super) signs: Signs,
    pub(super) cues: Cues,
    /// What it tells of having been done, where its place does not say otherwise.
    pub(super) class: Class,
    /// It is a verb in a finished form, where its place does not say otherwise.
    pub(super) finished: bool,
    pub(super) known: bool,
    pub(super) orders: bool,
    /// A verb in -ing.
    pub(super) progressive: bool,
    pub(super) phrase: u8,
    /// The name of a Korean stem, and its bytes; 0 for none.
    pub(super) stem: u64,
    pub(super) length: u16,
    /// Its concepts among those of all.
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Words that are remembered.
#[derive(Default)]
pub(super) struct Memo {
    /// The numbers of words by some bits of their keys, counted from one.
    slots: Vec<u16>,
    told: Vec<Told>,
    concepts: Vec<Concept>,
    room: Room,
}

/// How many words are remembered; a power of two of slots.
const WORDS: usize = 1024;
const SLOTS: usize = 2048;
/// For how many there is room at first: the words of an answer.
const ROOM: usize = 192;
/// In how many places in a row a word may stand.
const PROBES: usize = 4;
/// How many concepts they may have.
const CONCEPTS: usize = 8192;

thread_local! {
    static MEMO: Cell<Memo> = Cell::default();
}

impl Memo {
    /// What this thread remembers. It is to be given back.
    pub(super) fn take() -> Self {
        MEMO.with(Cell::take)
    }

    pub(super) fn give_back(mut self) {
        if self.told.len() >= WORDS || self.concepts.len() >= CONCEPTS {
            self = Self::default();
        }
        MEMO.with(|memo| memo.set(self));
    }

    /// What the word with this key tells; `read` reads it when it is new, and adds its concepts.
    #[inline]
    pub(super) fn of(&mut self, key: u64, read: impl FnOnce(&mut Vec<Concept>, &mut Room) -> Told) -> Told {
        let slot = (key >> 13) as usize % SLOTS;
        for step in 0..PROBES {
            let known = self.slots.get((slot + step) % SLOTS).copied().unwrap_or_default();
            let Some(told) = usize::from(known).checked_sub(1).and_then(|at| self.told.get(at)) else {
                break;
            };
            if told.key == key {
                return *told;
            }
        }
        self.learn(key, slot, read)
    }

    #[inline(never)]
    fn learn(
        &mut self,
        key: u64,
        slot: usize,
        read: impl FnOnce(&mut Vec<Concept>, &mut Room) -> Told,
    ) -> Told {
        let from = self.concepts.len();
        let mut told = read(&mut self.concepts, &mut self.room);
        told.key = key;
        told.from = from as u32;
        told.to = self.concepts.len() as u32;
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, 0);
            self.told.reserve(ROOM);
            self.concepts.reserve(2 * ROOM);
        }
        // Of a long answer with more words than that only some are remembered.
        if self.told.len() < usize::from(u16::MAX) - 1 {
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

    /// The concepts of a word, until it is given back.
    #[inline]
    pub(super) fn concepts(&self, told: &Told) -> &[Concept] {
        self.concepts
            .get(told.from as usize..told.to as usize)
            .unwrap_or_default()
    }
}
