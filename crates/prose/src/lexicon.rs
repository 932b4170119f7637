//! The word lists: laid out by the build script from `lexicon/*.txt`, looked up by hash.
//!
//! Nothing is built at run time. English words are found by their form or by what is left when a regular
//! ending is taken off; Korean words by the longest stem that they begin with.

use crate::features::Language;
use crate::tags::Tags;
use std::borrow::Cow;

include!("hash.rs");

/// Where a hash begins.
pub(crate) const fn hash_start() -> u32 {
    HASH_START
}

/// The tags as constants.
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
        /// The bytes of an entry's word.
        pub(super) fn bytes(&self, entry: Entry) -> &'static [u8] {
            self.text.as_bytes().get(entry.place()).unwrap_or_default()
        }

        /// The word of an entry.
        pub(super) fn word(&self, entry: Entry) -> &'static str {
            self.text.get(entry.place()).unwrap_or_default()
        }

        /// The tags of an entry.
        pub(super) fn tags(&self, entry: Entry) -> Tags {
            Tags(self.sets.get(usize::from(entry.set)).copied().unwrap_or_default())
        }
    }

    include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

    pub(super) static TABLES: [&Table; 7] = [
        &ENGLISH,
        &ENGLISH_PHRASES,
        &ENGLISH_HEADS,
        &KOREAN,
        &KOREAN_EXACT,
        &KOREAN_PHRASES,
        &KOREAN_HEADS,
    ];
}

#[derive(Clone, Copy)]
enum List {
    English,
    EnglishPhrases,
    EnglishHeads,
    Korean,
    KoreanExact,
    KoreanPhrases,
    KoreanHeads,
}

/// A hash without its last byte: a step can be taken back, since its factor is odd.
const fn hash_back(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(0x359c_449b) ^ byte as u32
}

/// The hash of a word as its tokens carry it: it can be taken further, or back.
pub(crate) fn hash_of(word: &str) -> u32 {
    word.bytes().fold(HASH_START, hash_step)
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
        let place = hash_end(hash) as usize % 1024;
        self.0
            .get(place / 64)
            .is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}

/// The entry with this hash that `fits` accepts.
#[inline]
fn find(list: List, hash: u32, fits: impl Fn(&[u8]) -> bool) -> Option<u64> {
    let table = tag::TABLES.get(list as usize)?;
    let hash = hash_end(hash);
    let mask = table.slots.len().wrapping_sub(1);
    let mut slot = hash as usize & mask;
    loop {
        let found = *table.slots.get(slot)?;
        let index = (found as usize & 0xffff).checked_sub(1)?;
        if (found ^ hash) >> 16 == 0
            && let Some(entry) = table.entries.get(index)
            && fits(table.bytes(*entry))
        {
            return table.sets.get(usize::from(entry.set)).copied();
        }
        slot = (slot + 1) & mask;
    }
}

/// What is known about an English word (folded to lower case). `None` when neither the word nor a regular
/// form of it is listed.
pub(crate) fn english(word: &str) -> Option<Tags> {
    english_hashed(word.as_bytes(), hash_of(word))
}

/// As [`english`], for a word whose hash is known.
pub(crate) fn english_hashed(word: &[u8], hash: u32) -> Option<Tags> {
    if let Some(bits) = find(List::English, hash, |w| w == word) {
        return Some(Tags(bits));
    }
    let form = Form { word, hash };
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
    hash: u32,
}

impl Form<'_> {
    /// The word without its last bytes, and its hash. At least two bytes must be left.
    fn stem(&self, less: usize) -> Option<(&[u8], u32)> {
        let bytes = self.word;
        let at = bytes.len().checked_sub(less).filter(|at| *at >= 2)?;
        let (stem, ending) = bytes.split_at_checked(at)?;
        Some((
            stem,
            ending.iter().rev().fold(self.hash, |hash, b| hash_back(hash, *b)),
        ))
    }

    /// The tags of the word with `base` in place of its last bytes.
    fn base(&self, less: usize, base: &str) -> Option<Tags> {
        let (stem, hash) = self.stem(less)?;
        let hash = base.bytes().fold(hash, hash_step);
        let fits = |w: &[u8]| w.strip_prefix(stem) == Some(base.as_bytes());
        find(List::English, hash, fits).map(Tags)
    }

    /// The tags of the verb or adjective whose ending has so many bytes: bare, with an `e`, or with its last consonant
    /// once (stopped, running).
    fn verb(&self, less: usize) -> Option<Tags> {
        if let Some(tags) = self.base(less, "").or_else(|| self.base(less, "e")) {
            return Some(tags);
        }
        match self.stem(less)? {
            ([rest @ .., a, b], _) if a == b && rest.len() > 1 => self.base(less + 1, ""),
            _ => None,
        }
    }
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
        let phrase = word.replace('_', " ");
        return english_phrase(hash_of(&phrase), |p| p == phrase.as_bytes()).unwrap_or(Tags::NONE);
    }
    english(&word)
        .or_else(|| korean(word.as_bytes(), hash_of(&word)))
        .unwrap_or(Tags::NONE)
}

/// The longest English phrase that may begin with a word and go on with another, in words; 0 for none. Both are told by
/// their hashes alone: whether a phrase stands there, [`english_phrase`] says.
pub(crate) fn english_phrase_length(first: u32, second: u32) -> usize {
    let known = find(List::EnglishHeads, first, |_| true).unwrap_or_default();
    let goes_on = known >> (8 + hash_end(second) % 56) & 1 == 1;
    if goes_on { known as usize & 0xff } else { 0 }
}

/// The tags of an English phrase: the hash is that of its words joined by one space, `fits` compares them.
pub(crate) fn english_phrase(hash: u32, fits: impl Fn(&[u8]) -> bool) -> Option<Tags> {
    find(List::EnglishPhrases, hash, fits).map(Tags)
}

/// What is known about a Korean word: the tags of the longest listed stem that it begins with.
pub(crate) fn korean(word: &[u8], hash: u32) -> Option<Tags> {
    if let Some(bits) = find(List::KoreanExact, hash, |w| w == word) {
        return Some(Tags(bits));
    }
    let (longest, before) = prefixes(List::Korean, word, 8)?;
    // 실행하지 is technical, and running all the same: what a shorter stem says of a check stays.
    let kept = tag::RUN | tag::CHECK;
    let stays = longest.chars > 2 && !longest.tags.any(kept);
    let shorter = before.filter(|_| stays).map_or(Tags::NONE, |b| b.tags);
    Some(longest.tags | Tags(shorter.0 & kept.0))
}

/// Whether a Korean phrase may begin with this word and go on with the next.
pub(crate) fn korean_phrase_head(bytes: &[u8], next: &[u8]) -> bool {
    let mut hash = HASH_START;
    let mut end = 0;
    for _ in 0..6 {
        let Some(lead) = bytes.get(end) else {
            break;
        };
        let Some(syllable) = bytes.get(end..end + width(*lead)) else {
            break;
        };
        hash = syllable.iter().fold(hash, |hash, b| hash_step(hash, *b));
        end += syllable.len();
        let fits = |w: &[u8]| bytes.get(..end) == Some(w);
        if let Some(follow) = find(List::KoreanHeads, hash, fits) {
            // What goes on may be the rest of this word or another one.
            let rest = bytes.get(end..).filter(|rest| !rest.is_empty());
            let rest = rest.unwrap_or(next);
            let first = rest.first().and_then(|lead| rest.get(..width(*lead)));
            let goes_on = first.is_some_and(|first| follow >> (word_hash(first) % 64) & 1 == 1);
            if goes_on || follow == !0 {
                return true;
            }
        }
    }
    false
}

/// The bytes of a character that begins with this one.
fn width(lead: u8) -> usize {
    match lead {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

/// The longest listed Korean phrase (written without spaces) that `words` begins with, and its length.
pub(crate) fn korean_phrase(words: &str) -> Option<(Tags, usize)> {
    prefixes(List::KoreanPhrases, words.as_bytes(), 14).map(|(longest, _)| (longest.tags, longest.end))
}

/// The built-in technical vocabulary of a language, sorted: words (in Korean stems) and phrases that are never
/// taken for praise by themselves. For the documents.
#[must_use]
pub fn technical_terms(language: Language) -> Vec<&'static str> {
    let lists: &[List] = match language {
        Language::Korean => &[List::Korean, List::KoreanExact, List::KoreanPhrases],
        _ => &[List::English, List::EnglishPhrases],
    };
    let mut terms: Vec<&'static str> = lists
        .iter()
        .filter_map(|list| tag::TABLES.get(*list as usize))
        .flat_map(|table| {
            table
                .entries
                .iter()
                .map(|entry| (table.word(*entry), table.tags(*entry)))
        })
        .filter(|(_, tags)| tags.any(tag::TECH))
        .map(|(term, _)| term)
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// A listed stem that a word begins with.
#[derive(Clone, Copy)]
struct Prefix {
    tags: Tags,
    /// Where it ends in the word, in bytes.
    end: usize,
    /// Its characters.
    chars: usize,
}

/// The longest listed stem of at most so many characters that a word begins with, and the next shorter one.
fn prefixes(list: List, bytes: &[u8], most: usize) -> Option<(Prefix, Option<Prefix>)> {
    let mut best: Option<Prefix> = None;
    let mut before = None;
    let mut hash = HASH_START;
    let mut end = 0;
    // The hash grows with the prefix, so that all prefixes cost one pass.
    for chars in 1..=most {
        let Some(lead) = bytes.get(end) else { break };
        let width = width(*lead);
        let next = bytes.get(end..end + width)?;
        hash = next.iter().fold(hash, |hash, b| hash_step(hash, *b));
        end += width;
        let fits = |w: &[u8]| bytes.get(..end) == Some(w);
        if let Some(bits) = find(list, hash, fits) {
            before = best;
            best = Some(Prefix {
                tags: Tags(bits),
                end,
                chars,
            });
        }
    }
    best.map(|best| (best, before))
}
