//! English words and phrases: tables that the build script lays out.
//!
//! A word takes one look at one line of the processor's memory: its entry holds its letters and the number of its set of
//! tags. What is not listed may be a regular form of a word that is.

use super::tag::{ENGLISH, ENGLISH_LONG, ENGLISH_PHRASES, ENGLISH_PREFIXES, ENGLISH_SETS};
use super::{
    HASH_START, Known, LEADS, LETTERS, PREFIXES, SET, UNLISTED, chain, hash_end, hash_of, hash_step,
    prefix_bit,
};
use crate::tags::Tags;
use std::hint::select_unpredictable;

/// The first letters of a word as a number, and its length in bytes.
#[derive(Clone, Copy)]
struct Packed {
    letters: u128,
    length: usize,
}

/// The bytes of a number that hold the first so many letters.
static MASKS: [u128; LETTERS + 1] = {
    let mut out = [0; LETTERS + 1];
    let mut at = 1;
    while at < out.len() {
        out[at] = out[at - 1] << 8 | 0xff;
        at += 1;
    }
    out
};

/// The mask of so many letters, or of as many as an entry holds.
fn mask(length: usize) -> u128 {
    MASKS[length.min(LETTERS)]
}

impl Packed {
    /// The word that stands there; what stands behind it does not matter, and makes this cheap.
    fn at(bytes: &[u8], at: usize, length: usize) -> Self {
        let chunk = bytes.get(at..).and_then(<[u8]>::first_chunk::<16>);
        let chunk = chunk.copied().unwrap_or_else(|| {
            let mut chunk = [0; 16];
            let word = bytes.get(at..at + length.min(LETTERS)).unwrap_or_default();
            chunk.iter_mut().zip(word).for_each(|(to, from)| *to = *from);
            chunk
        });
        Self {
            letters: u128::from_le_bytes(chunk) & mask(length),
            length,
        }
    }

    /// What an entry with it holds above the number of its set.
    #[inline]
    fn key(self) -> u128 {
        self.letters << 24 | (self.length as u128) << 16
    }

    /// The same word with a few letters in place of its last ones. At least two of it must be left.
    fn with(self, less: usize, ending: &str) -> Option<Self> {
        let left = self.length.checked_sub(less).filter(|left| *left >= 2)?;
        let mut letters = self.letters & mask(left);
        for (at, letter) in ending.bytes().enumerate() {
            if left + at < LETTERS {
                letters |= u128::from(letter) << (8 * (left + at));
            }
        }
        Some(Self {
            letters,
            length: left + ending.len(),
        })
    }
}

/// Where a word with this hash is looked for first.
fn place(hash: u32) -> usize {
    hash_end(hash) as usize & (ENGLISH.len() - 1)
}

/// What stands where a word with this hash is looked for first.
#[inline]
pub(crate) fn first_entry(hash: u32) -> u128 {
    entry(place(hash))
}

/// What stands at a place.
#[inline]
fn entry(place: usize) -> u128 {
    ENGLISH[place % ENGLISH.len()]
}

/// The number of the set of a word, with its marks, given the first entry where it is looked for. `is` compares longer
/// words than an entry holds.
#[inline]
fn find(word: Packed, hash: u32, first: u128, is: impl Fn(&[u8]) -> bool) -> Option<u16> {
    let key = word.key();
    let long = word.length > LETTERS;
    // Of a longer word the entry holds only the first letters, and then where all of them stand.
    let same: u128 = if long { (1 << 104) - 1 } else { !0 };
    let mut entry = first;
    let mut place = place(hash);
    while entry != 0 {
        if (entry ^ key) & same & !0xffff == 0
            && (!long || word.length < 256 && is(long_word((entry >> 104) as usize, word.length)))
        {
            return Some(entry as u16);
        }
        place += 1;
        entry = self::entry(place);
    }
    None
}

/// A word that is longer than an entry.
fn long_word(at: usize, length: usize) -> &'static [u8] {
    ENGLISH_LONG.as_bytes().get(at..at + length).unwrap_or_default()
}

/// The tags of a set, unless its word is listed only because phrases begin with it.
fn tags(set: u16) -> Option<Tags> {
    let bits = ENGLISH_SETS
        .get(usize::from(set & SET))
        .copied()
        .unwrap_or_default();
    (set & UNLISTED == 0).then_some(Tags(bits))
}

/// What is known about a word (folded to lower case), regular forms included.
pub(crate) fn known(word: &[u8], hash: u32) -> Known {
    known_at(word, 0, word.len(), hash, first_entry(hash))
}

/// The same for a word of so many bytes that stands at a place of a text, where the entry at which it is looked for first
/// is at hand.
#[inline(always)]
pub(crate) fn known_at(text: &[u8], at: usize, length: usize, hash: u32, first: u128) -> Known {
    let packed = Packed::at(text, at, length);
    // Most words stand at their first place or at the one behind it, and which of the two nobody can foresee.
    let second = entry(place(hash) + 1);
    let [here, behind] = [first, second].map(|entry| (entry ^ packed.key()) >> 16 == 0);
    let near = (here | behind) & (length <= LETTERS);
    let word = || text.get(at..at + length).unwrap_or_default();
    let found = if near {
        Some(select_unpredictable(here, first as u16, second as u16))
    } else {
        find(packed, hash, first, |long| long == word())
    };
    let leads = found.is_some_and(|set| set & LEADS != 0);
    let tags = match found.and_then(tags) {
        None => inflected(word(), packed, hash),
        tags => tags,
    };
    Known { tags, leads }
}

/// Whether a word of so many bytes at a place of a text may have the same letter three times in a row.
pub(crate) fn draws_out(text: &[u8], at: usize, length: usize) -> bool {
    const ONES: u128 = u128::from_ne_bytes([1; 16]);
    // It is asked for often, and which words do nobody can foresee; longer ones are looked at letter by letter.
    let letters = Packed::at(text, at, length).letters;
    let others = letters ^ letters >> 8;
    // Zero bytes where a letter and the two behind it are the same.
    let others = (others | others >> 8) | !mask(length);
    (length > LETTERS) | (others.wrapping_sub(ONES) & !others & (ONES << 7) != 0)
}

/// What is known about the word that a regular form is of.
#[inline(never)]
fn inflected(word: &[u8], packed: Packed, hash: u32) -> Option<Tags> {
    let form = Form { word, packed, hash };
    // Regular endings and what stands in their place in the base form.
    match word {
        [rest @ .., b's'] => {
            if let [.., b'\''] = rest
                && let Some(tags) = form.base(2, "")
            {
                return Some(tags);
            }
            if let [.., b'i', b'e'] = rest
                && let Some(tags) = form.base(3, "y")
            {
                return Some(tags);
            }
            if let [.., b'e'] = rest
                && let Some(tags) = form.base(2, "").or_else(|| form.base(2, "e"))
            {
                return Some(tags);
            }
            form.base(1, "").or_else(|| match rest {
                [.., b'n', b'e', b's'] => form.base(4, ""),
                _ => None,
            })
        }
        [rest @ .., b'e', b'd'] => {
            if let [.., b'i'] = rest
                && let Some(tags) = form.base(3, "y")
            {
                return Some(tags);
            }
            form.verb(2)
        }
        [rest @ .., b'l', b'y'] => {
            if let [.., b'i'] = rest
                && let Some(tags) = form.base(3, "y")
            {
                return Some(tags);
            }
            form.base(2, "").or_else(|| form.base(2, "le"))
        }
        [.., b'i', b'n', b'g'] | [.., b'e', b's', b't'] => form.verb(3),
        [.., b'e', b'r'] => form.verb(2),
        _ => None,
    }
}

/// An inflected word.
struct Form<'w> {
    word: &'w [u8],
    packed: Packed,
    hash: u32,
}

/// A hash without its last byte: a step can be taken back, since its factor is odd.
const fn hash_back(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(0x359c_449b) ^ byte as u32
}

impl Form<'_> {
    /// The tags of the word with `base` in place of its last bytes. At least two bytes must be left.
    fn base(&self, less: usize, base: &str) -> Option<Tags> {
        let packed = self.packed.with(less, base)?;
        let (stem, ending) = self.word.split_at_checked(self.word.len().checked_sub(less)?)?;
        let hash = ending.iter().rev().fold(self.hash, |hash, b| hash_back(hash, *b));
        let hash = base.bytes().fold(hash, hash_step);
        let is = |long: &[u8]| long.strip_prefix(stem) == Some(base.as_bytes());
        find(packed, hash, first_entry(hash), is).and_then(tags)
    }

    /// The tags of the verb or adjective whose ending has so many bytes: bare, with an `e`, or with its last consonant
    /// once (stopped, running).
    fn verb(&self, less: usize) -> Option<Tags> {
        if let Some(tags) = self.base(less, "").or_else(|| self.base(less, "e")) {
            return Some(tags);
        }
        let stem = self
            .word
            .len()
            .checked_sub(less)
            .and_then(|end| self.word.get(..end))?;
        match stem {
            [rest @ .., a, b] if a == b && rest.len() > 1 => self.base(less + 1, ""),
            _ => None,
        }
    }
}

/// Words that a phrase may begin with, told by their hashes.
#[derive(Clone, Copy)]
pub(crate) struct Beginning(u32);

impl Beginning {
    /// A first word.
    pub(crate) fn of(hash: u32) -> Self {
        Self(hash)
    }

    /// One word more. `None` where no phrase begins so; where one may, [`Self::phrase`] knows whether it ends there.
    pub(crate) fn and(self, hash: u32) -> Option<Self> {
        self.goes_on(hash).then_some(Self(chain(self.0, hash)))
    }

    /// Whether a phrase may go on with one word more.
    #[inline]
    pub(crate) fn goes_on(self, hash: u32) -> bool {
        let (word, bit) = prefix_bit(chain(self.0, hash));
        ENGLISH_PREFIXES[word % PREFIXES] >> bit & 1 == 1
    }

    /// The tags of the phrase that has just these words, joined by one space each, which `fits` compares.
    pub(crate) fn phrase(self, fits: impl Fn(&[u8]) -> bool) -> Option<Tags> {
        ENGLISH_PHRASES.find(self.0, fits)
    }
}

/// The tags of a phrase, its words joined by one space each.
pub(super) fn phrase(phrase: &str) -> Option<Tags> {
    let mut words = phrase.split(' ').map(hash_of);
    let mut beginning = Beginning::of(words.next().unwrap_or(HASH_START));
    for word in words {
        beginning = beginning.and(word)?;
    }
    beginning.phrase(|known| known == phrase.as_bytes())
}

/// All words and phrases with their tags.
pub(super) fn all() -> Vec<(String, Tags)> {
    let words = ENGLISH.iter().filter(|entry| **entry != 0).filter_map(|entry| {
        let length = (entry >> 16) as usize & 0xff;
        let letters = (entry >> 24).to_le_bytes();
        let word = match letters.get(..length).filter(|_| length <= LETTERS) {
            Some(word) => word,
            None => long_word((entry >> 104) as usize, length),
        };
        Some((String::from_utf8_lossy(word).into_owned(), tags(*entry as u16)?))
    });
    words.chain(ENGLISH_PHRASES.all()).collect()
}
