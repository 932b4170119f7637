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
    word_hash_on(WORD_START, word.as_bytes())
}

/// Where such a hash begins.
pub(super) const WORD_START: u32 = 0x811c_9dc5;

/// Such a hash with more bytes.
pub(super) const fn word_hash_on(mut hash: u32, bytes: &[u8]) -> u32 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// The key of a phrase, begun with [`START`], with one more word of this hash.
pub(super) const fn phrase_on(key: u64, word: u32) -> u64 {
    hash_bytes(key, &word.to_le_bytes())
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
    let mut odd = word.len() < 3;
    // Where the first vowel stands, or beyond the end.
    let mut vowels = 0_u64;
    for (at, b) in word.bytes().enumerate() {
        odd |= !b.is_ascii() | b.is_ascii_digit();
        vowels |= (is_vowel(b) as u64) << if at < 63 { at } else { 63 };
    }
    if odd {
        return plain(word);
    }
    let vowel = match vowels.trailing_zeros() {
        63.. => word.bytes().position(is_vowel).unwrap_or(word.len()),
        at => at as usize,
    };
    // Whether so many letters are left, a vowel among them.
    let fits = |head: &[u8], least: usize| (head.len() >= least) & (vowel < head.len());
    let mut y = false;
    let mut out = word.as_bytes();
    match out {
        [head @ .., b's'] => match head {
            [head @ .., b'i', b'e'] if fits(head, 2) => (out, y) = (head, true),
            [head @ .., b's', b'e'] if fits(head, 2) && head.ends_with(b"s") => out = keep(out, 2),
            [head @ .., b'x', b'e'] if fits(head, 2) => out = keep(out, 2),
            [head @ .., b's' | b'c', b'h', b'e'] if fits(head, 2) => out = keep(out, 2),
            [.., b's' | b'u' | b'i'] => {}
            _ if fits(head, 2) => out = head,
            _ => {}
        },
        [head @ .., b'i', b'e', b'd'] if fits(head, 2) => (out, y) = (head, true),
        _ => {}
    }
    if !y && let [front @ .., last] = out {
        // One decision for the last letter, which most words end with nothing by.
        out = match last {
            b'n' => match front {
                [head @ .., b'a', b't', b'i', b'o'] if fits(head, 3) => head,
                [head @ .., b'i', b'o'] if fits(head, 4) => head,
                _ => out,
            },
            b'g' => match front {
                [head @ .., b'a', b't', b'i', b'n'] if fits(head, 3) => head,
                [head @ .., b'i', b'n'] if fits(head, 2) => noun(head, vowel),
                _ => out,
            },
            b'd' => match front {
                [head @ .., b'a', b't', b'e'] if fits(head, 3) => head,
                [head @ .., b'e'] if fits(head, 2) => noun(head, vowel),
                _ => out,
            },
            b'e' => match front {
                [head @ .., b'a', b't'] if fits(head, 3) => head,
                _ if fits(front, 2) => front,
                _ => out,
            },
            b't' => match front {
                [head @ .., b'm', b'e', b'n'] if fits(head, 4) => head,
                _ => out,
            },
            b'l' => match front {
                [head @ .., b'a'] if fits(head, 4) => head,
                _ => out,
            },
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

fn is_vowel(b: u8) -> bool {
    const VOWELS: u32 = 1 << (b'a' & 31)
        | 1 << (b'e' & 31)
        | 1 << (b'i' & 31)
        | 1 << (b'o' & 31)
        | 1 << (b'u' & 31)
        | 1 << (b'y' & 31);
    (b >> 5 == b'a' >> 5) & (VOWELS >> (b & 31) & 1 == 1)
}

/// A word without its last letters.
fn keep(word: &[u8], less: usize) -> &[u8] {
    word.get(..word.len().saturating_sub(less)).unwrap_or_default()
}

/// What is left of a verb that was made of a noun, whose first vowel stands there: "implemented".
fn noun(word: &[u8], vowel: usize) -> &[u8] {
    match word {
        [head @ .., b'm', b'e', b'n', b't'] if head.len() >= 4 && vowel < head.len() => head,
        _ => word,
    }
}
