//! Lists of words and phrases, written as `one|two|three` and indexed at compile time: a look-up neither
//! goes through the list nor builds anything.

/// One entry: the hash of its head, and where it stands in the list's text.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    hash: u32,
    from: u16,
    to: u16,
}

/// An indexed list.
pub(crate) struct List {
    text: &'static str,
    /// Sorted by hash; entries with one head stay in the order in which they are written.
    entries: &'static [Entry],
    /// Which hashes occur, as a rough filter.
    filter: [u64; 8],
    /// Entries are looked up by their first word, or else by their first character.
    by_word: bool,
    /// Some entry begins with an ASCII character that is no letter, digit or `_`.
    signs: bool,
    /// Some entry begins with an ASCII character.
    ascii: bool,
    /// Some entry begins with a character that is not ASCII.
    wide: bool,
}

pub(crate) const START: u32 = 0x811c_9dc5;

pub(crate) const fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn bit(hash: u32) -> usize {
    (hash.wrapping_mul(0x9e37_79b1) >> 23) as usize
}

/// Bytes of the character that begins with this byte.
const fn width(byte: u8) -> usize {
    match byte {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

/// The hash of the head of `bytes[from..to]`: its first word of ASCII letters, or its first character.
const fn head(bytes: &[u8], from: usize, to: usize, by_word: bool) -> u32 {
    let mut hash = START;
    if from >= to {
        return hash;
    }
    let mut at = from;
    if by_word && is_word(bytes[from]) {
        while at < to && is_word(bytes[at]) {
            hash = step(hash, bytes[at]);
            at += 1;
        }
        return hash;
    }
    let end = from + width(bytes[from]);
    while at < end && at < to {
        hash = step(hash, bytes[at]);
        at += 1;
    }
    hash
}

/// How many entries a list has.
pub(crate) const fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 1;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'|' {
            count += 1;
        }
        at += 1;
    }
    count
}

/// The entries of a list, sorted by the hashes of their heads.
pub(crate) const fn index<const N: usize>(text: &str, by_word: bool) -> [Entry; N] {
    let bytes = text.as_bytes();
    let mut out = [Entry {
        hash: 0,
        from: 0,
        to: 0,
    }; N];
    let mut from = 0;
    let mut at = 0;
    let mut n = 0;
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at] == b'|' {
            let hash = head(bytes, from, at, by_word);
            let mut slot = n;
            while slot > 0 && out[slot - 1].hash > hash {
                out[slot] = out[slot - 1];
                slot -= 1;
            }
            out[slot] = Entry {
                hash,
                from: from as u16,
                to: at as u16,
            };
            n += 1;
            from = at + 1;
        }
        at += 1;
    }
    out
}

impl List {
    pub(crate) const fn new(text: &'static str, entries: &'static [Entry], by_word: bool) -> Self {
        assert!(text.len() < u16::MAX as usize, "offsets are 16 bits");
        let bytes = text.as_bytes();
        let mut out = Self {
            text,
            entries,
            filter: [0; 8],
            by_word,
            signs: false,
            ascii: false,
            wide: false,
        };
        let mut i = 0;
        while i < entries.len() {
            let at = bit(entries[i].hash);
            out.filter[at / 64] |= 1 << (at % 64);
            if entries[i].from < entries[i].to {
                let first = bytes[entries[i].from as usize];
                out.wide |= first >= 0x80;
                out.ascii |= first < 0x80;
                out.signs |= first < 0x80 && !is_word(first);
            }
            i += 1;
        }
        out
    }

    fn may_hold(&self, hash: u32) -> bool {
        let at = bit(hash);
        self.filter
            .get(at / 64)
            .is_some_and(|bits| bits >> (at % 64) & 1 == 1)
    }

    /// The entries whose head has this hash, in the order in which they are written.
    fn of_head(&self, hash: u32) -> impl Iterator<Item = &'static str> + use<'_> {
        let from = if self.may_hold(hash) {
            self.entries.partition_point(|e| e.hash < hash)
        } else {
            self.entries.len()
        };
        self.entries
            .iter()
            .skip(from)
            .take_while(move |e| e.hash == hash)
            .filter_map(|e| self.text.get(usize::from(e.from)..usize::from(e.to)))
    }

    /// Whether `word` is an entry.
    pub(crate) fn has(&self, word: &str) -> bool {
        let hash = head(word.as_bytes(), 0, word.len(), self.by_word);
        self.of_head(hash).any(|entry| entry == word)
    }

    /// Entries that `text` begins with, in the order in which they are written. For lists by character.
    pub(crate) fn prefixes(&self, text: &str) -> impl Iterator<Item = &'static str> {
        let hash = head(text.as_bytes(), 0, text.len(), false);
        self.of_head(hash).filter(move |entry| text.starts_with(entry))
    }

    /// Whether an entry may be found by [`Self::begins`] when the text is put in lower case.
    pub(crate) fn may_begin(&self, text: &str) -> bool {
        let bytes = text.bytes();
        let word = bytes.take_while(|b| is_word(*b));
        text.bytes().next().is_some_and(|b| b >= 0x80)
            || self.may_hold(word.fold(START, |hash, b| step(hash, b.to_ascii_lowercase())))
    }

    /// Whether `text` begins with an entry that ends with a word. For lists by word.
    pub(crate) fn begins(&self, text: &str) -> bool {
        let hash = head(text.as_bytes(), 0, text.len(), true);
        self.at_word(text, 0, hash).next().is_some()
    }

    /// The entries that begin with this character, in the order in which they are written. For lists by
    /// character.
    pub(crate) fn beginning_with(&self, first: char) -> impl Iterator<Item = &'static str> {
        let mut buffer = [0; 4];
        let text = first.encode_utf8(&mut buffer);
        self.of_head(head(text.as_bytes(), 0, text.len(), false))
    }

    /// The entries that stand at `at`, where a word with this hash begins, and end with a word.
    pub(crate) fn at_word<'t>(
        &'t self,
        text: &'t str,
        at: usize,
        hash: u32,
    ) -> impl Iterator<Item = &'static str> + use<'t> {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        self.of_head(hash).filter(move |entry| {
            rest.starts_with(entry.as_bytes()) && !rest.get(entry.len()).is_some_and(|b| is_word(*b))
        })
    }

    /// Whether an entry stands in `text` (lower case) as whole words: no ASCII letter, digit or `_` right
    /// before or after it. For lists by word.
    pub(crate) fn in_words(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut joined = false;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let from = at;
            let mut hash = START;
            if is_word(byte) {
                while let Some(byte) = bytes.get(at).filter(|b| is_word(**b)) {
                    hash = step(hash, *byte);
                    at += 1;
                }
                joined = true;
            } else {
                at += width(byte);
                let wanted = if byte < 0x80 { self.signs } else { self.wide };
                if joined || !wanted {
                    joined = false;
                    continue;
                }
                hash = head(bytes, from, at.min(bytes.len()), true);
            }
            if self.at_word(text, from, hash).next().is_some() {
                return true;
            }
        }
        false
    }

    /// Whether an entry is part of `text` (for Korean, where endings follow the stem). For lists by
    /// character.
    pub(crate) fn in_text(&self, text: &str) -> bool {
        if !self.ascii && text.is_ascii() {
            return false;
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let end = at + width(byte);
            let wanted = if byte < 0x80 { self.ascii } else { self.wide };
            if wanted {
                let hash = head(bytes, at, end.min(bytes.len()), false);
                let rest = bytes.get(at..).unwrap_or_default();
                if self.of_head(hash).any(|entry| rest.starts_with(entry.as_bytes())) {
                    return true;
                }
            }
            at = end;
        }
        false
    }
}

/// An indexed list; `by_word` says how it is looked up, see [`List`].
macro_rules! list {
    ($text:expr, by_word = $by_word:expr) => {{
        const TEXT: &str = $text;
        const ENTRIES: [$crate::list::Entry; $crate::list::count(TEXT)] = $crate::list::index(TEXT, $by_word);
        static LIST: $crate::list::List = $crate::list::List::new(TEXT, &ENTRIES, $by_word);
        &LIST
    }};
}

/// Whether a word is an entry of a list.
macro_rules! listed {
    ($text:expr, $word:expr $(,)?) => {
        $crate::list::list!($text, by_word = true).has($word)
    };
}

/// Whether an entry of a list stands in a text as whole words.
macro_rules! has_any_word {
    ($text:expr, $list:expr $(,)?) => {
        $crate::list::list!($list, by_word = true).in_words($text)
    };
}

/// Whether an entry of a list is part of a text.
macro_rules! has_any {
    ($text:expr, $list:expr $(,)?) => {
        $crate::list::list!($list, by_word = false).in_text($text)
    };
}

pub(crate) use {has_any, has_any_word, list, listed};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    const WORDS: &str = "no|not only|re-opened|done|i've|'ll|끝|안 됐|once|on|x|a b c";

    /// The plain search that the index stands for.
    fn stands(text: &str, needle: &str) -> bool {
        let joined = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        text.match_indices(needle).any(|(at, _)| {
            let (before, rest) = text.split_at(at);
            !joined(before.chars().next_back()) && !joined(rest.chars().nth(needle.chars().count()))
        })
    }

    #[test]
    fn entries_are_found_whole() {
        assert!(listed!(WORDS, "not only") && listed!(WORDS, "끝") && !listed!(WORDS, "not"));
        assert!(listed!("|none", "") && !listed!("none", ""));
        assert_eq!(
            list!("가|나다|나", by_word = false)
                .prefixes("나다라")
                .collect::<Vec<_>>(),
            ["나다", "나"]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_index_finds_what_a_search_finds(text in "(no|not|only|re|-|opened|done|i|'|ve|ll|끝|안| |됐|on|ce|x|a|b|c|_|1){0,12}") {
            let words = WORDS.split('|').any(|w| stands(&text, w));
            prop_assert_eq!(has_any_word!(&text, WORDS), words);
            prop_assert_eq!(has_any!(&text, WORDS), WORDS.split('|').any(|w| text.contains(w)));
            prop_assert_eq!(listed!(WORDS, text.as_str()), WORDS.split('|').any(|w| w == text));
        }
    }
}
