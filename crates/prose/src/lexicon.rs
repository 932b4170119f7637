//! The word lists: laid out by the build script from `lexicon/*.txt`, looked up by hash.
//!
//! Nothing is built at run time. English words are found by their form or by what is left when a regular
//! ending is taken off; Korean words by the longest stem that they begin with.

use crate::features::Language;
use crate::tags::Tags;

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
        pub(super) bits: u64,
        pub(super) at: u32,
        pub(super) length: u8,
    }

    /// One table with open addressing.
    pub(super) struct Table {
        pub(super) text: &'static str,
        pub(super) entries: &'static [Entry],
        pub(super) slots: &'static [u16],
    }

    impl Table {
        /// The word of an entry.
        pub(super) fn word(&self, entry: Entry) -> &'static str {
            let at = entry.at as usize;
            self.text
                .get(at..at + usize::from(entry.length))
                .unwrap_or_default()
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

fn find(list: List, word: &str) -> Option<u64> {
    let table = tag::TABLES.get(list as usize)?;
    let mask = table.slots.len().wrapping_sub(1);
    let mut slot = word_hash(word.as_bytes()) as usize & mask;
    loop {
        let index = usize::from(*table.slots.get(slot)?).checked_sub(1)?;
        let entry = *table.entries.get(index)?;
        if usize::from(entry.length) == word.len() && table.word(entry) == word {
            return Some(entry.bits);
        }
        slot = (slot + 1) & mask;
    }
}

/// What is known about an English word (folded to lower case). `None` when neither the word nor a regular
/// form of it is listed.
pub(crate) fn english(word: &str) -> Option<Tags> {
    if let Some(bits) = find(List::English, word) {
        return Some(Tags(bits));
    }
    let mut buffer = [0u8; 40];
    // Regular endings and what stands in their place in the base form.
    const ENDINGS: [(&str, &[&str]); 12] = [
        ("'s", &[""]),
        ("ies", &["y"]),
        ("ied", &["y"]),
        ("ily", &["y"]),
        ("es", &["", "e"]),
        ("s", &[""]),
        ("ed", &["", "e"]),
        ("ing", &["", "e"]),
        ("ly", &["", "le"]),
        ("ness", &[""]),
        ("est", &["", "e"]),
        ("er", &["", "e"]),
    ];
    if !matches!(
        word.as_bytes().last(),
        Some(b's' | b'd' | b'y' | b'g' | b't' | b'r')
    ) {
        return None;
    }
    for (ending, bases) in ENDINGS {
        let Some(stem) = word.strip_suffix(ending) else {
            continue;
        };
        if stem.len() < 2 {
            continue;
        }
        for base in bases {
            if let Some(bits) = joined(&mut buffer, &[stem, base]).and_then(|w| find(List::English, w)) {
                return Some(Tags(bits));
            }
        }
        // Doubled consonant: stopped, running.
        let bytes = stem.as_bytes();
        if matches!(ending, "ed" | "ing" | "er" | "est")
            && bytes.len() > 3
            && bytes.last() == bytes.get(bytes.len() - 2)
            && let Some(bits) = stem.get(..stem.len() - 1).and_then(|w| find(List::English, w))
        {
            return Some(Tags(bits));
        }
    }
    None
}

/// The parts put together in the buffer; `None` when they do not fit (no listed word is that long).
fn joined<'b>(buffer: &'b mut [u8; 40], parts: &[&str]) -> Option<&'b str> {
    let mut at = 0;
    for part in parts {
        buffer
            .get_mut(at..at + part.len())?
            .copy_from_slice(part.as_bytes());
        at += part.len();
    }
    std::str::from_utf8(buffer.get(..at)?).ok()
}

/// What the word lists say about one word or about a marker written with underscores (`NEEDS_REVIEW`), whatever
/// its case. Empty when it is not listed.
#[must_use]
pub fn lookup(word: &str) -> Tags {
    let word = word.to_lowercase();
    if word.contains('_') {
        return english_phrase(&word.replace('_', " ")).unwrap_or(Tags::NONE);
    }
    english(&word)
        .or_else(|| korean(&word).map(|(tags, _)| tags))
        .unwrap_or(Tags::NONE)
}

/// The longest English phrase (words joined by one space) that may begin with this word, in words.
pub(crate) fn english_phrase_length(first: &str) -> usize {
    find(List::EnglishHeads, first).map_or(0, |n| n as usize)
}

/// The tags of an English phrase (words joined by one space).
pub(crate) fn english_phrase(phrase: &str) -> Option<Tags> {
    find(List::EnglishPhrases, phrase).map(Tags)
}

/// What is known about a Korean word: the tags of the longest listed stem that it begins with, and that
/// stem's length in bytes.
pub(crate) fn korean(word: &str) -> Option<(Tags, usize)> {
    if let Some(bits) = find(List::KoreanExact, word) {
        return Some((Tags(bits), word.len()));
    }
    let (tags, length) = longest_prefix(List::Korean, word, 8)?;
    // 실행하지 is technical, and running all the same: what a shorter stem says of a check stays.
    let short = word.get(..length).map_or(0, |stem| stem.chars().count());
    if short > 2 && !tags.any(tag::RUN | tag::CHECK) {
        let kept = tag::RUN | tag::CHECK;
        let (shorter, _) = longest_prefix(List::Korean, word, short - 1).unwrap_or_default();
        return Some((tags | Tags(shorter.0 & kept.0), length));
    }
    Some((tags, length))
}

/// Whether a Korean phrase may begin with this word.
pub(crate) fn korean_phrase_head(word: &str) -> bool {
    longest_prefix(List::KoreanHeads, word, 6).is_some()
}

/// The longest listed Korean phrase (written without spaces) that `words` begins with, and its length.
pub(crate) fn korean_phrase(words: &str) -> Option<(Tags, usize)> {
    longest_prefix(List::KoreanPhrases, words, 14)
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
                .map(|entry| (table.word(*entry), Tags(entry.bits)))
        })
        .filter(|(_, tags)| tags.any(tag::TECH))
        .map(|(term, _)| term)
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

fn longest_prefix(list: List, word: &str, most: usize) -> Option<(Tags, usize)> {
    let table = tag::TABLES.get(list as usize)?;
    let mask = table.slots.len().wrapping_sub(1);
    let mut best = None;
    let mut hash = HASH_START;
    let mut from = 0;
    // The hash grows with the prefix, so that all prefixes cost one pass.
    for (index, c) in word.char_indices().take(most) {
        let end = index + c.len_utf8();
        for byte in word.as_bytes().get(from..end)? {
            hash = hash_step(hash, *byte);
        }
        from = end;
        let mut slot = hash_end(hash) as usize & mask;
        while let Some(entry) = usize::from(*table.slots.get(slot)?).checked_sub(1) {
            let entry = *table.entries.get(entry)?;
            if usize::from(entry.length) == end && word.get(..end) == Some(table.word(entry)) {
                best = Some((Tags(entry.bits), end));
                break;
            }
            slot = (slot + 1) & mask;
        }
    }
    best
}
