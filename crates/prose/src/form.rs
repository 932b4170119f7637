//! What the folded form of a word shows by its syllables, looked for once.

use crate::lexicon::{hash_start, hash_step};

/// A Korean word with 못.
pub(crate) const FAILS: u8 = 1;
/// A Korean word with 없.
pub(crate) const LACKS: u8 = 1 << 1;
/// An English word that ends in "n't".
pub(crate) const NOT: u8 = 1 << 2;
/// A Korean word with 않.
pub(crate) const NEGATES: u8 = 1 << 3;
/// A Korean word with a syllable of the past: 했, 었, 봤 …
pub(crate) const PAST: u8 = 1 << 4;
/// A Korean word with 겠.
pub(crate) const WILL: u8 = 1 << 5;
/// A Korean word with 게 behind a final ㄹ, as in 할게.
pub(crate) const PROMISES: u8 = 1 << 6;
/// A Korean word with 고하.
pub(crate) const TELLS: u8 = 1 << 7;

/// The first syllable, and how many finals each vowel has.
const FIRST: u32 = 0xac00;
const LAST: u32 = 0xd7a3;
const FINALS: u32 = 28;
/// The numbers of the finals ㄹ and ㅆ.
const RIEUL: u32 = 8;
const SSANG_SIOT: u32 = 20;

/// The hash of a Korean word, and its form.
pub(crate) fn korean(word: &[u8]) -> (u32, u8) {
    let mut form = 0;
    let mut hash = hash_start();
    let mut before = 0;
    // A syllable or a jamo takes three bytes.
    let (syllables, rest) = word.as_chunks();
    for [a, b, c] in syllables {
        hash = hash_step(hash_step(hash_step(hash, *a), *b), *c);
        let syllable = u32::from(a & 15) << 12 | u32::from(b & 63) << 6 | u32::from(c & 63);
        form |= match char::from_u32(syllable) {
            Some('않') => NEGATES,
            Some('못') => FAILS,
            Some('없') => LACKS,
            Some('겠') => WILL,
            Some('있') => 0,
            Some('게') if last(before) == RIEUL => PROMISES,
            Some('하') if before == '고' as u32 => TELLS,
            _ if last(syllable) == SSANG_SIOT => PAST,
            _ => 0,
        };
        before = syllable;
    }
    hash = rest.iter().fold(hash, |hash, b| hash_step(hash, *b));
    (hash, form)
}

/// The number of the final consonant of a syllable; 0 for none.
fn last(syllable: u32) -> u32 {
    if (FIRST..=LAST).contains(&syllable) {
        (syllable - FIRST) % FINALS
    } else {
        0
    }
}
