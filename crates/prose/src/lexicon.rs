//! The word lists: laid out by the build script from `lexicon/*.txt`, looked up by hash.
//!
//! Nothing is built at run time. English words are found by their form or by what is left when a regular
//! ending is taken off; Korean words by the longest stem that they begin with.

use crate::features::Language;
use crate::tags::Tags;
use std::borrow::Cow;

pub(crate) mod english;
pub(crate) mod korean;

include!("hash.rs");

/// Where a hash begins.
pub(crate) const fn hash_start() -> u32 {
    HASH_START
}

/// The tags as constants, and the tables.
pub mod tag {
    #![expect(clippy::unreadable_literal, reason = "generated")]
    use crate::tags::Tags;

    /// A word: its place in the text of its table, and its tags.
    #[derive(Clone, Copy)]
    pub(super) struct Entry {
        /// The number of its set of tags.
        pub(super) set: u16,
        pub(super) low: u16,
        pub(super) high: u8,
        pub(super) length: u8,
    }

    impl Entry {
        /// Where it begins in the text, and where it ends.
        fn place(self) -> std::ops::Range<usize> {
            let at = usize::from(self.high) << 16 | usize::from(self.low);
            at..at + usize::from(self.length)
        }
    }

    /// One table with open addressing.
    pub(super) struct Table {
        pub(super) text: &'static str,
        /// The sets of tags that its words have.
        pub(super) sets: &'static [u64],
        pub(super) entries: &'static [Entry],
        /// Half of a word's hash, and the number of its entry; 0 for none.
        pub(super) slots: &'static [u32],
    }

    impl Table {
        /// The tags of an entry.
        fn tags(&self, entry: Entry) -> Tags {
            Tags(self.sets.get(usize::from(entry.set)).copied().unwrap_or_default())
        }

        /// The tags of the entry with this hash that `fits` accepts.
        #[inline]
        pub(super) fn find(&self, hash: u32, fits: impl Fn(&[u8]) -> bool) -> Option<Tags> {
            let hash = super::hash_end(hash);
            let mask = self.slots.len().wrapping_sub(1);
            let mut slot = hash as usize & mask;
            loop {
                let found = *self.slots.get(slot)?;
                let index = (found as usize & 0xffff).checked_sub(1)?;
                if (found ^ hash) >> 16 == 0
                    && let Some(entry) = self.entries.get(index)
                    && fits(self.text.as_bytes().get(entry.place()).unwrap_or_default())
                {
                    return Some(self.tags(*entry));
                }
                slot = (slot + 1) & mask;
            }
        }

        /// All of them with their tags.
        pub(super) fn all(&self) -> impl Iterator<Item = (String, Tags)> {
            self.entries.iter().map(|entry| {
                let word = self.text.get(entry.place()).unwrap_or_default();
                (word.to_owned(), self.tags(*entry))
            })
        }
    }

    include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));
}

/// What is known about a word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// What the lists say of it; `None` when neither the word nor a regular form of it is listed.
    pub(crate) tags: Option<Tags>,
    /// A listed phrase may begin with it.
    pub(crate) leads: bool,
}

/// The hash of a word as its tokens carry it: it can be taken further, or back.
pub(crate) const fn hash_of(word: &str) -> u32 {
    let mut hash = HASH_START;
    let mut at = 0;
    while at < word.len() {
        hash = hash_step(hash, word.as_bytes()[at]);
        at += 1;
    }
    hash
}

/// Which words a short list holds, by their hashes: rules most other words out.
#[derive(Debug)]
pub struct Filter([u64; 16]);

impl Filter {
    /// The filter of some words in their folded form.
    #[must_use]
    pub const fn of(words: &[&str]) -> Self {
        let mut bits = [0; 16];
        let mut at = 0;
        while at < words.len() {
            let place = word_hash(words[at].as_bytes()) as usize % 1024;
            bits[place / 64] |= 1 << (place % 64);
            at += 1;
        }
        Self(bits)
    }

    /// Whether a word in its folded form may be one of them.
    #[must_use]
    pub fn admits(&self, word: &str) -> bool {
        self.may_hold(hash_of(word))
    }

    /// Whether a word with this hash may be one of them.
    pub(crate) fn may_hold(&self, hash: u32) -> bool {
        self.bit(hash) == 1
    }

    /// The bit of a word with this hash: 1 where it may be one of them.
    pub(crate) fn bit(&self, hash: u32) -> u64 {
        let place = hash_end(hash) as usize;
        self.0[place / 64 % self.0.len()] >> (place % 64) & 1
    }
}

/// What is known about an English word (folded to lower case). `None` when neither the word nor a regular
/// form of it is listed.
pub(crate) fn english(word: &str) -> Option<Tags> {
    english::known(word.as_bytes(), hash_of(word)).tags
}

/// What the word lists say about one word or about a marker written with underscores (`NEEDS_REVIEW`), whatever
/// its case. Empty when it is not listed.
#[must_use]
pub fn lookup(word: &str) -> Tags {
    let plain = |b: u8| b.is_ascii() && !b.is_ascii_uppercase();
    let word = if word.bytes().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(word.to_lowercase())
    };
    if word.contains('_') {
        return english::phrase(&word.replace('_', " ")).unwrap_or(Tags::NONE);
    }
    english(&word)
        .or_else(|| korean::known(word.as_bytes()).tags)
        .unwrap_or(Tags::NONE)
}

/// The built-in technical vocabulary of a language, sorted: words (in Korean stems) and phrases that are never
/// taken for praise by themselves. For the documents.
#[must_use]
pub fn technical_terms(language: Language) -> Vec<String> {
    let words = match language {
        Language::Korean => korean::all(),
        _ => english::all(),
    };
    let technical = words.into_iter().filter(|(_, tags)| tags.any(tag::TECH));
    let mut terms: Vec<String> = technical.map(|(term, _)| term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}
