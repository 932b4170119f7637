//! How words begin, as a rough filter: which may be signs, or have a listed stem. Also compiled into the build script.

/// Where the numbers of each sort of beginning start.
const TWO: usize = 4096;
const ONE: usize = 5120;
const PAIR: usize = 5376;
const SINGLE: usize = 9472;

/// A set of beginnings of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys(pub(super) [u64; WORDS]);

/// How many words of bits a set has.
pub(super) const WORDS: usize = 152;

impl Keys {
    pub(super) const fn none() -> Self {
        Self([0; WORDS])
    }

    pub(super) fn add(&mut self, key: usize) {
        if let Some(bits) = self.0.get_mut(key / 64) {
            *bits |= 1 << (key % 64);
        }
    }

    #[inline]
    fn has(&self, key: usize) -> bool {
        self.0
            .get(key / 64)
            .is_some_and(|bits| bits >> (key % 64) & 1 == 1)
    }

    /// Whether a word of small letters may begin like this.
    #[inline]
    pub(super) fn latin(&self, word: &[u8]) -> bool {
        match word {
            [a, b, c, ..] => self.has(three(*a, *b, *c)) || self.has(two(*a, *b)) || self.has(one(*a)),
            [a, b] => self.has(two(*a, *b)) || self.has(one(*a)),
            [a] => self.has(one(*a)),
            [] => false,
        }
    }

    /// Whether two syllables in a row may be a beginning.
    #[inline]
    pub(super) fn may_be_pair(&self, a: char, b: char) -> bool {
        self.has(pair(a, b))
    }

    /// The same for syllables with these places among all.
    #[inline]
    pub(super) fn may_be_syllables(&self, a: usize, b: usize) -> bool {
        let code = |place: usize| 0xac00_u32.wrapping_add(place as u32);
        self.has(pair_of(code(a), code(b)))
    }

    /// Whether a word of one syllable may be the one with this place.
    #[inline]
    pub(super) fn may_be_syllable(&self, a: usize) -> bool {
        self.has(single_of(0xac00_u32.wrapping_add(a as u32)))
    }

    /// Whether a word of one syllable may be this one.
    #[inline]
    pub(super) fn may_be_single(&self, a: char) -> bool {
        self.has(single(a))
    }
}

/// How many words of bits note which keys the table of words has.
pub(super) const LISTED: usize = 1 << 10;

/// Where a key of that table is noted: a word of bits, and its two bits there. Few other keys have both.
pub(super) const fn listed(key: u64) -> (usize, u64) {
    (
        (key >> 12) as usize % LISTED,
        1 << (key % 64) | 1 << (key >> 6 & 63),
    )
}

/// How many bits note beginnings of four letters.
pub(super) const FOURS: usize = 1 << 13;

/// Where a beginning of four letters is noted.
pub(super) fn four(letters: [u8; 4]) -> usize {
    (u32::from_le_bytes(letters).wrapping_mul(0x9e37_79b1) >> 19) as usize % FOURS
}

fn three(a: u8, b: u8, c: u8) -> usize {
    let [a, b, c] = [a, b, c].map(|b| u32::from(b.to_ascii_lowercase()));
    ((a | b << 8 | c << 16).wrapping_mul(0x9e37_79b1) >> 20) as usize
}

fn two(a: u8, b: u8) -> usize {
    let [a, b] = [a, b].map(|b| u32::from(b.to_ascii_lowercase()));
    TWO + ((a | b << 8).wrapping_mul(0x9e37_79b1) >> 22) as usize
}

fn one(a: u8) -> usize {
    ONE + usize::from(a.to_ascii_lowercase())
}

fn pair(a: char, b: char) -> usize {
    pair_of(u32::from(a), u32::from(b))
}

fn pair_of(a: u32, b: u32) -> usize {
    PAIR + ((a << 16 | b & 0xffff).wrapping_mul(0x9e37_79b1) >> 20) as usize
}

fn single(a: char) -> usize {
    single_of(u32::from(a))
}

fn single_of(a: u32) -> usize {
    SINGLE + (a.wrapping_mul(0x9e37_79b1) >> 24) as usize
}

/// The key of a word as it is written, or of a stem: of so many letters as all its forms share.
pub(super) fn key_of(word: &str) -> Option<usize> {
    let mut chars = word.chars();
    let first = chars.next()?;
    if matches!(first, '\u{AC00}'..='\u{D7A3}') {
        return Some(
            chars
                .next()
                .map_or_else(|| single(first), |second| pair(first, second)),
        );
    }
    Some(match word.as_bytes() {
        [a, b, c, rest @ ..] if *c != b'y' || !rest.is_empty() => three(*a, *b, *c),
        // "tries" and "try" share no more.
        [a, b, ..] => two(*a, *b),
        [a] => one(*a),
        [] => return None,
    })
}
