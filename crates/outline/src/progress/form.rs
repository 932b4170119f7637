//! What a listed word tells wherever it stands. Also compiled into the build script, which lays all of them out by the
//! hashes that tokens carry.

use super::class::Class;
use super::cue::Cues;
use super::signs::Signs;

/// What a listed word tells wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    /// Its signs, [`Signs::CONTENT`] included.
    pub(super) signs: Signs,
    pub(super) cues: Cues,
    /// The name of its concept; 0 for none.
    pub(super) name: u64,
    /// What it tells of having been done, for a finished verb.
    pub(super) class: Class,
    /// Words of the longest phrase that may begin with it.
    pub(super) phrase: u8,
    /// Its bytes.
    pub(super) length: u8,
    pub(super) bits: u8,
}

impl Form {
    /// A finished verb, where its place does not say otherwise.
    pub(super) const FINISHED: u8 = 1;
    /// It has a concept of its own in the lexicon.
    pub(super) const KNOWN: u8 = 1 << 1;
    /// A verb in its base form.
    pub(super) const ORDERS: u8 = 1 << 2;
    /// A verb in -ing.
    pub(super) const PROGRESSIVE: u8 = 1 << 3;

    /// Whether it has this bit.
    pub(super) const fn is(&self, bit: u8) -> bool {
        self.bits & bit != 0
    }
}

/// The two places where a word with this hash may stand: it is looked for at both at once, since whether it stands at all
/// cannot be foreseen.
pub(super) const fn places(hash: u32) -> [usize; 2] {
    let mixed = hash ^ hash >> 15;
    [
        mixed as usize % SLOTS,
        (mixed >> 16 ^ mixed << 5) as usize % SLOTS,
    ]
}

/// Slots of the table.
pub(super) const SLOTS: usize = 1 << 12;
