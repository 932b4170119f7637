//! English words without their inflection. Also compiled into the build script, which lays the lexicon out
//! by these stems.

/// Where the hash of a name begins: FNV-1a with 64 bits.
pub(super) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Marks of the keys under which stems, phrases and words that stand alone are kept apart from words.
pub(super) const STEM: u64 = 0x9e37_79b9_7f4a_7c15;
pub(super) const PHRASE: u64 = 0xc2b2_ae3d_27d4_eb4f;
pub(super) const ALONE: u64 = 0x1656_67b1_9e37_79f9;

/// A hash with more bytes.
pub(super) const fn hash_on(hash: u64, text: &str) -> u64 {
    hash_bytes(hash, text.as_bytes())
}

/// A hash with more bytes.
pub(super) const fn hash_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}

/// The hash of a word as its token carries it: FNV-1a with 32 bits.
pub(super) const fn word_hash(word: &str) -> u32 {
    let bytes = word.as_bytes();
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// Bits that note which two words listed phrases begin with.
pub(super) const PAIRS: usize = 1 << 13;

/// Where two words are noted, the second by its hash or by its first syllable.
pub(super) const fn pair_of(first: u32, second: u32) -> usize {
    ((first ^ second.rotate_left(16)).wrapping_mul(0x9e37_79b1) >> 19) as usize % PAIRS
}

/// A word without its inflection: the beginning of the word, and perhaps a `y` in place of its end.
#[derive(Clone, Copy)]
pub(super) struct Stem<'a> {
    pub(super) head: &'a str,
    pub(super) y: bool,
}

impl Stem<'_> {
    /// The hash of the stem's text.
    pub(super) fn hash(self) -> u64 {
        hash_on(hash_on(START, self.head), if self.y { "y" } else { "" })
    }
}

/// An English word without its regular inflection. Not a dictionary form, only the same for all forms.
pub(super) fn regular(word: &str) -> Stem<'_> {
    let word = match word.as_bytes() {
        [.., b'\'', b's'] => word.get(..word.len() - 2).unwrap_or(word),
        _ => word,
    };
    let plain = |head| Stem { head, y: false };
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii() && !b.is_ascii_digit()) {
        return plain(word);
    }
    let mut y = false;
    let mut out = word.as_bytes();
    match out {
        [head @ .., b'i', b'e', b's'] if fits(head, 2) => (out, y) = (head, true),
        [head @ .., b's', b'e', b's'] if fits(head, 2) && head.ends_with(b"s") => out = keep(out, 2),
        [head @ .., b'x', b'e', b's'] if fits(head, 2) => out = keep(out, 2),
        [head @ .., b's' | b'c', b'h', b'e', b's'] if fits(head, 2) => out = keep(out, 2),
        [.., b's' | b'u' | b'i', b's'] => {}
        [head @ .., b's'] if fits(head, 2) => out = head,
        [head @ .., b'i', b'e', b'd'] if fits(head, 2) => (out, y) = (head, true),
        _ => {}
    }
    if !y {
        out = match out {
            [head @ .., b'a', b't', b'i', b'o', b'n'] if fits(head, 3) => head,
            [head @ .., b'a', b't', b'i', b'n', b'g'] if fits(head, 3) => head,
            [head @ .., b'a', b't', b'e', b'd'] if fits(head, 3) => head,
            [head @ .., b'a', b't', b'e'] if fits(head, 3) => head,
            [head @ .., b'i', b'o', b'n'] if fits(head, 4) => head,
            [head @ .., b'm', b'e', b'n', b't'] if fits(head, 4) => head,
            [head @ .., b'i', b'n', b'g'] if fits(head, 2) => noun(head),
            [head @ .., b'e', b'd'] if fits(head, 2) => noun(head),
            [head @ .., b'a', b'l'] if fits(head, 4) => head,
            [head @ .., b'e'] if fits(head, 2) => head,
            _ => out,
        };
    }
    let text = |bytes: &[u8]| word.get(..bytes.len()).unwrap_or_default();
    if y {
        // `y` takes the place of a doubled letter.
        let doubled = out.ends_with(b"y") && out.len() > 1;
        return Stem {
            head: text(out),
            y: !doubled,
        };
    }
    if let [head @ .., a, b] = out
        && a == b
        && !head.is_empty()
    {
        out = keep(out, 1);
    }
    plain(text(out))
}

/// Whether so many letters are left, a vowel among them.
fn fits(head: &[u8], least: usize) -> bool {
    head.len() >= least
        && head
            .iter()
            .any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// A word without its last letters.
fn keep(word: &[u8], less: usize) -> &[u8] {
    word.get(..word.len().saturating_sub(less)).unwrap_or_default()
}

/// What is left of a verb that was made of a noun: "implemented".
fn noun(word: &[u8]) -> &[u8] {
    match word {
        [head @ .., b'm', b'e', b'n', b't'] if fits(head, 4) => head,
        _ => word,
    }
}
