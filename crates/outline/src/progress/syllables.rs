//! Sets of Hangul syllables, looked up by their places in Unicode: most words are ruled out by one of their syllables.

/// How many there are, and how many words of bits hold them.
pub(super) const COUNT: usize = 11172;
const WORDS: usize = COUNT.div_ceil(64);

/// A set of syllables.
pub(super) struct Syllables([u64; WORDS]);

impl Syllables {
    /// The set of some syllables, written in a row.
    pub(super) const fn of(list: &str) -> Self {
        let bytes = list.as_bytes();
        assert!(bytes.len().is_multiple_of(3), "each has three bytes");
        let mut out = [0; WORDS];
        let mut at = 0;
        while at < bytes.len() {
            let place = place([bytes[at], bytes[at + 1], bytes[at + 2]]);
            assert!(place < COUNT, "all are syllables");
            out[place / 64] |= 1 << (place % 64);
            at += 3;
        }
        Self(out)
    }

    /// Whether a syllable with this place is among them; none has the place of another character.
    #[inline]
    pub(super) fn has(&self, place: usize) -> bool {
        self.0
            .get(place / 64)
            .is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }

    /// Whether a word begins with one of them.
    #[inline]
    pub(super) fn begins(&self, word: &str) -> bool {
        self.has(first(word))
    }

    /// Whether a word ends with one of them.
    #[inline]
    pub(super) fn ends(&self, word: &str) -> bool {
        self.has(last(word))
    }
}

/// The place of the syllable with these three bytes; a great number for what is none.
pub(super) const fn place(bytes: [u8; 3]) -> usize {
    let [a, b, c] = bytes;
    let code = (a as u32 & 0x0f) << 12 | (b as u32 & 0x3f) << 6 | c as u32 & 0x3f;
    let place = code.wrapping_sub(0xac00);
    if a >> 4 == 0x0e {
        place as usize
    } else {
        usize::MAX
    }
}

/// Up to four characters in a row as one number, sixteen bits each, the last one lowest: what a word ends with is then asked
/// by comparing numbers. Nothing stands for no character.
pub(super) const fn row(text: &str) -> u64 {
    let (syllables, rest) = text.as_bytes().as_chunks::<3>();
    assert!(rest.is_empty() && syllables.len() <= 4, "only syllables");
    let mut out = 0;
    let mut at = 0;
    while at < syllables.len() {
        out = out << 16 | numbered(place(syllables[at]));
        at += 1;
    }
    out
}

/// The number of a syllable in a row; all other characters have the same one.
#[inline]
pub(super) const fn numbered(place: usize) -> u64 {
    if place < COUNT { place as u64 + 1 } else { 0xffff }
}

/// The last four characters of a word in a row.
pub(super) fn tail(word: &str) -> u64 {
    let mut bytes = [0; 4];
    let places = word.chars().rev().take(4).map(|c| {
        let place = first(c.encode_utf8(&mut bytes));
        numbered(place)
    });
    (0..)
        .step_by(16)
        .zip(places)
        .fold(0, |row, (shift, number)| row | number << shift)
}

/// Whether a row ends with another one.
#[inline(always)]
pub(super) const fn ends(tail: u64, end: u64) -> bool {
    let mask = u64::MAX >> (end.leading_zeros() / 16 * 16);
    tail & mask == end
}

/// The place of the first character of a word among the syllables.
#[inline]
pub(super) fn first(word: &str) -> usize {
    word.as_bytes().first_chunk().map_or(usize::MAX, |b| place(*b))
}

/// The same of its last character.
#[inline]
pub(super) fn last(word: &str) -> usize {
    word.as_bytes().last_chunk().map_or(usize::MAX, |b| place(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_are_found() {
        static SOME: Syllables = Syllables::of("가다힣");
        assert!(SOME.begins("가나") && SOME.begins("힣") && SOME.ends("나다"));
        assert!(!SOME.begins("나가") && !SOME.ends("다나") && !SOME.begins("a가"));
        assert!(!SOME.begins("") && !SOME.ends("다a") && !SOME.ends("😀") && !SOME.begins("—"));
    }
}
