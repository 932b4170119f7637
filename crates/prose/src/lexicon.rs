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
        /// The sets of tags that its words have, each with what the word is as a head of phrases: the longest of these
        /// in words, [`UNLISTED`](super::UNLISTED), and which hashes their second words have, as a rough filter.
        pub(super) sets: &'static [[u64; 2]],
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
            Tags(self.sets.get(usize::from(entry.set)).map_or(0, |[tags, _]| *tags))
        }
    }

    include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

    pub(super) static TABLES: [&Table; 2] = [&ENGLISH, &ENGLISH_PHRASES];
}

#[derive(Clone, Copy)]
enum List {
    English,
    EnglishPhrases,
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

/// Whether two words are the same. Most are short: two of their stretches that overlap are compared at once, which takes
/// less than the call that compares long ones.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    fn ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
        a.first_chunk::<N>() == b.first_chunk::<N>() && a.last_chunk::<N>() == b.last_chunk::<N>()
    }
    a.len() == b.len()
        && match a.len() {
            0..4 => a.iter().eq(b),
            4..8 => ends::<4>(a, b),
            8..=16 => ends::<8>(a, b),
            _ => a == b,
        }
}

/// What is known about the entry with this hash that `fits` accepts: its tags, and what it is as a head of phrases.
#[inline]
fn find(list: List, hash: u32, fits: impl Fn(&[u8]) -> bool) -> Option<[u64; 2]> {
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
    english_known(word, hash).tags
}

/// What is known about a word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// What the lists say of it; `None` when neither the word nor a regular form of it is listed.
    pub(crate) tags: Option<Tags>,
    /// A listed phrase may begin with it.
    pub(crate) leads: bool,
}

/// As [`english_hashed`], and whether a phrase may begin with the word.
pub(crate) fn english_known(word: &[u8], hash: u32) -> Known {
    match find(List::English, hash, |w| same(w, word)) {
        Some([tags, head]) if head & UNLISTED == 0 => Known {
            tags: Some(Tags(tags)),
            leads: head != 0,
        },
        found => Known {
            tags: inflected(word, hash),
            leads: found.is_some(),
        },
    }
}

/// What is known about the word that a regular form is of.
fn inflected(word: &[u8], hash: u32) -> Option<Tags> {
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
        let fits = |w: &[u8]| {
            w.split_at_checked(stem.len())
                .is_some_and(|(start, end)| end == base.as_bytes() && same(start, stem))
        };
        match find(List::English, hash, fits) {
            Some([tags, head]) if head & UNLISTED == 0 => Some(Tags(tags)),
            _ => None,
        }
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
        .or_else(|| korean(word.as_bytes()).tags)
        .unwrap_or(Tags::NONE)
}

/// The longest English phrase that may begin with a word and go on with another, in words; 0 for none. The second is told
/// by its hash alone: whether a phrase stands there, [`english_phrase`] says.
pub(crate) fn english_phrase_length(first: (&[u8], u32), second: u32) -> usize {
    let (word, hash) = first;
    let [_, head] = find(List::English, hash, |w| same(w, word)).unwrap_or_default();
    let goes_on = head >> (8 + hash_end(second) % 56) & 1 == 1;
    if goes_on { (head & (UNLISTED - 1)) as usize } else { 0 }
}

/// The tags of an English phrase: the hash is that of its words joined by one space, `fits` compares them.
pub(crate) fn english_phrase(hash: u32, fits: impl Fn(&[u8]) -> bool) -> Option<Tags> {
    find(List::EnglishPhrases, hash, fits).map(|[tags, _]| Tags(tags))
}

/// What a node of the tree of Korean words says: the tags of the stem, of the word that counts only as a whole and of the
/// phrase (written without spaces) that end there, and which of them there are.
#[derive(Clone, Copy)]
struct Says(&'static [u64; 4]);

impl Says {
    fn stem(self) -> Option<Tags> {
        let [stem, _, _, has] = *self.0;
        (has & 1 != 0).then_some(Tags(stem))
    }

    fn whole(self) -> Option<Tags> {
        let [_, whole, _, has] = *self.0;
        (has & 2 != 0).then_some(Tags(whole))
    }

    fn phrase(self) -> Option<Tags> {
        let [_, _, phrase, has] = *self.0;
        (has & 4 != 0).then_some(Tags(phrase))
    }

    /// Whether the first word of a phrase may end there.
    fn is_head(self) -> bool {
        let [.., has] = *self.0;
        has & 8 != 0
    }
}

/// A way down the tree of Korean words.
#[derive(Clone, Copy, Default)]
pub(crate) struct Walk {
    node: u32,
}

impl Walk {
    /// Goes on, syllable by syllable: tells where each step ends in the word, in bytes, and what the node says. Gives whether
    /// the tree has the whole of the word.
    fn word(&mut self, word: &[u8], mut tell: impl FnMut(usize, Says)) -> bool {
        let mask = tag::KOREAN_SLOTS.len() - 1;
        let mut end = 0;
        while let Some(rest) = word.get(end..).filter(|rest| !rest.is_empty()) {
            let Some((syllable, width)) = first_char(rest) else {
                return false;
            };
            let key = self.node << 16 | syllable;
            let mut place = tree_place(key) & mask;
            let slot = loop {
                match tag::KOREAN_SLOTS.get(place).copied() {
                    None | Some(0) => return false,
                    Some(slot) if (slot >> 32) as u32 == key => break slot,
                    Some(_) => place = (place + 1) & mask,
                }
            };
            end += width;
            self.node = (slot >> 16) as u32 & 0xffff;
            if let Some(says) = tag::KOREAN_SAYS.get(slot as usize & 0xffff) {
                tell(end, Says(says));
            }
        }
        true
    }

    /// Goes on by a word of a phrase, and tells the tags of each phrase that ends in it. Gives whether one may go on behind.
    pub(crate) fn phrases(&mut self, word: &[u8], mut tell: impl FnMut(Tags)) -> bool {
        self.word(word, |_, says| says.phrase().into_iter().for_each(&mut tell))
    }
}

/// The first character of a text and its bytes; `None` for those that are in no word of the tree as well.
fn first_char(bytes: &[u8]) -> Option<(u32, usize)> {
    let low = |b: u8| u32::from(b & 63);
    match *bytes {
        [a @ 0xe0..0xf0, b, c, ..] => Some((u32::from(a & 15) << 12 | low(b) << 6 | low(c), 3)),
        [a @ 0..0x80, ..] => Some((a.into(), 1)),
        [a @ 0xc0..0xe0, b, ..] => Some((u32::from(a & 31) << 6 | low(b), 2)),
        _ => None,
    }
}

/// What is known about a Korean word: its own tags where it counts as a whole, else those of the longest listed stem that
/// it begins with.
pub(crate) fn korean(word: &[u8]) -> Known {
    let mut whole = None;
    let mut longest: Option<(Tags, usize)> = None;
    let mut before = Tags::NONE;
    let mut leads = false;
    let mut chars = 0;
    Walk::default().word(word, |end, says| {
        chars += 1;
        leads |= says.is_head();
        if end == word.len() {
            whole = says.whole();
        }
        if let Some(tags) = says.stem() {
            before = longest.map_or(Tags::NONE, |(tags, _)| tags);
            longest = Some((tags, chars));
        }
    });
    // 실행하지 is technical, and running all the same: what a shorter stem says of a check stays.
    let kept = tag::RUN | tag::CHECK;
    let stem = longest.map(|(tags, chars)| match chars > 2 && !tags.any(kept) {
        true => tags | Tags(before.0 & kept.0),
        false => tags,
    });
    Known {
        tags: whole.or(stem),
        leads,
    }
}

/// The built-in technical vocabulary of a language, sorted: words (in Korean stems) and phrases that are never
/// taken for praise by themselves. For the documents.
#[must_use]
pub fn technical_terms(language: Language) -> Vec<String> {
    let korean = language == Language::Korean;
    let words = if korean { korean_words() } else { english_words() };
    let mut terms: Vec<String> = words
        .into_iter()
        .filter(|(_, tags)| tags.any(tag::TECH))
        .map(|(term, _)| term)
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// All English words and phrases with their tags.
fn english_words() -> Vec<(String, Tags)> {
    let words = |table: &&'static tag::Table| {
        let table = *table;
        let entries = table.entries.iter();
        entries.map(|entry| (table.word(*entry).to_owned(), table.tags(*entry)))
    };
    tag::TABLES.iter().flat_map(words).collect()
}

/// All words of the tree, stems, those that count as a whole and phrases, with their tags.
fn korean_words() -> Vec<(String, Tags)> {
    let mut nodes: Vec<u64> = tag::KOREAN_SLOTS.iter().copied().filter(|slot| *slot != 0).collect();
    // A node comes behind the one that it begins at.
    nodes.sort_unstable_by_key(|slot| slot >> 16 & 0xffff);
    let mut spelled = vec![String::new()];
    let mut words = Vec::new();
    for slot in nodes {
        let mut word = spelled.get((slot >> 48) as usize).cloned().unwrap_or_default();
        word.extend(char::from_u32((slot >> 32) as u32 & 0xffff));
        if let Some(says) = tag::KOREAN_SAYS.get(slot as usize & 0xffff) {
            let says = Says(says);
            let tags = [says.stem(), says.whole(), says.phrase()].into_iter().flatten();
            words.extend(tags.map(|tags| (word.clone(), tags)));
        }
        spelled.push(word);
    }
    words
}
