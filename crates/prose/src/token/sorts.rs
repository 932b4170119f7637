//! What the characters of a plain word, number or run of Hangul have in common.

use super::TokenKind;
use crate::features::Kinds;
use crate::fold::class;

/// The sorts of plain words, numbers and Hangul.
const LATIN: u8 = class::LETTER | class::ALNUM | class::LATIN | class::SAME;
const DIGIT: u8 = class::ALNUM | class::SAME;
const HANGUL: u8 = class::LETTER | class::ALNUM | class::HANGUL | class::SAME;

/// What is of a sort.
#[derive(Clone, Copy)]
pub(super) struct Sort {
    pub(super) kind: TokenKind,
    pub(super) kinds: Kinds,
    pub(super) hangul: bool,
}

/// What is of these sorts.
pub(super) static SORTS: [Option<Sort>; 256] = {
    const fn of(kind: TokenKind, kinds: Kinds, hangul: bool) -> Option<Sort> {
        Some(Sort { kind, kinds, hangul })
    }
    let mut out = [None; 256];
    out[LATIN as usize] = of(TokenKind::Word, Kinds::WORD, false);
    out[DIGIT as usize] = of(TokenKind::Number, Kinds::NUMBER, false);
    out[HANGUL as usize] = of(TokenKind::Hangul, Kinds::HANGUL, true);
    out
};
