//! What the folded form of a word shows by its syllables, looked for once.

use crate::lexicon::{hash_start, hash_step};
use std::hint::select_unpredictable;

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

/// What a syllable shows behind others, beside its own form: it promises behind a final ㄹ, it tells behind 고; and that it
/// is what these stand behind.
const BEHIND: u16 = 0b11 << 8;
const AFTER_RIEUL: u16 = 1 << 8;
const AFTER_GO: u16 = 1 << 9;
const IS_RIEUL: u16 = 1 << 10;
const IS_GO: u16 = 1 << 11;
/// It ends in the final of the past and does not tell of it.
const NOT_PAST: u16 = 1 << 12;

/// What some syllables show, by [`place`].
static SYLLABLES: [(char, u16); 64] = {
    let mut out = [('\0', 0); 64];
    let some = [
        ('않', NEGATES as u16),
        ('못', FAILS as u16),
        ('없', LACKS as u16),
        ('겠', WILL as u16 | NOT_PAST),
        ('있', NOT_PAST),
        ('게', AFTER_RIEUL),
        ('하', AFTER_GO),
        ('고', IS_GO),
    ];
    let mut at = 0;
    while at < some.len() {
        let place = place(some[at].0 as u32);
        assert!(out[place].0 == '\0', "each has a place of its own");
        out[place] = some[at];
        at += 1;
    }
    out
};

/// Where a syllable stands in [`SYLLABLES`].
const fn place(syllable: u32) -> usize {
    (syllable.wrapping_mul(0x9e37_79b1) >> 26) as usize
}

/// The hash and the form of a Korean word, found syllable by syllable. Which syllables a word has nobody can foresee, so
/// there is no decision.
#[derive(Clone, Copy, Default)]
pub(crate) struct Korean {
    pub(crate) hash: u32,
    pub(crate) form: u8,
    before: u16,
}

impl Korean {
    /// Of no syllable.
    pub(crate) const fn new() -> Self {
        Self {
            hash: hash_start(),
            form: 0,
            before: 0,
        }
    }

    /// This word, or a new one.
    #[inline]
    pub(crate) fn or_new(self, new: bool) -> Self {
        let old = u8::from(!new);
        Self {
            hash: select_unpredictable(new, hash_start(), self.hash),
            form: self.form * old,
            before: self.before * u16::from(old),
        }
    }

    /// With one more syllable or jamo, of these three bytes.
    #[inline]
    pub(crate) fn and(self, bytes: [u8; 3], syllable: u32) -> Self {
        let Self { hash, form, before } = self;
        let hash = bytes.into_iter().fold(hash, hash_step);
        let (known, shows) = SYLLABLES[place(syllable) % SYLLABLES.len()];
        let shows = select_unpredictable(known as u32 == syllable, shows, 0);
        let last = last(syllable);
        let past = u8::from(last == SSANG_SIOT) & u8::from(shows & NOT_PAST == 0);
        let together = (before >> 2 & shows & BEHIND) >> 2;
        Self {
            hash,
            form: form | shows as u8 | together as u8 | (past * PAST),
            before: shows | (u16::from(last == RIEUL) * IS_RIEUL),
        }
    }
}

/// The character of three bytes.
#[inline]
pub(crate) fn syllable([a, b, c]: [u8; 3]) -> u32 {
    u32::from(a & 15) << 12 | u32::from(b & 63) << 6 | u32::from(c & 63)
}

/// The hash of a Korean word, and its form.
pub(crate) fn korean(word: &[u8]) -> (u32, u8) {
    let (syllables, rest) = word.as_chunks();
    let korean = syllables.iter().fold(Korean::new(), |korean, bytes| {
        korean.and(*bytes, syllable(*bytes))
    });
    let hash = rest.iter().fold(korean.hash, |hash, b| hash_step(hash, *b));
    (hash, korean.form)
}

/// The number of the final consonant of a syllable; 0 for none.
fn last(syllable: u32) -> u32 {
    let place = syllable.wrapping_sub(FIRST);
    place % FINALS * u32::from(place <= LAST - FIRST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_syllables_show() {
        for (word, expected) in [
            ("했습니다", PAST),
            ("있습니다", 0),
            ("있었다", PAST),
            ("하겠습니다", WILL),
            ("하겠었다", WILL | PAST),
            ("않았다", NEGATES | PAST),
            ("못함", FAILS),
            ("없고", LACKS),
            ("할게요", PROMISES),
            ("빠르게", 0),
            ("게", 0),
            ("라고하는", TELLS),
            ("고", 0),
            ("하는", 0),
            ("ㅋㅋ", 0),
            ("", 0),
        ] {
            let (hash, form) = korean(word.as_bytes());
            assert_eq!(form, expected, "{word}");
            assert_eq!(hash, crate::lexicon::hash_of(word), "{word}");
        }
    }

    /// Each syllable with the final of the past tells of it, but two.
    #[test]
    fn the_past_is_seen_in_every_syllable() {
        for c in '가'..='힣' {
            let past = (c as u32 - 0xac00) % 28 == 20 && !matches!(c, '있' | '겠');
            let (_, form) = korean(c.to_string().as_bytes());
            assert_eq!(form & PAST != 0, past, "{c}");
        }
    }
}
