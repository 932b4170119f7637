//! The tokens of a clause that are said, without marks.

use proctor_prose::{Token, TokenKind};
use std::iter::Enumerate;
use std::ops::Range;
use std::slice::Iter;

/// Whether a token is said, and no mark.
fn is_said(token: &Token) -> bool {
    let mark = matches!(token.kind, TokenKind::Punct(_));
    let aside = (token.kind == TokenKind::Emoji) | (token.kind == TokenKind::Mention);
    !(token.quoted | mark | aside)
}

/// The tokens that are said, without marks, in `room`. Which they are nobody can foresee: each is put behind the others, and
/// stays where it counts.
pub(super) fn gather<'t, 'w>(tokens: &'t [Token], room: &'w mut Vec<&'t Token>) -> &'w [&'t Token] {
    let Some(first) = tokens.first() else {
        return &[];
    };
    // What is behind those that count is left from before.
    if room.len() < tokens.len() {
        room.resize(tokens.len(), first);
    }
    let mut count = 0;
    for token in tokens {
        if let Some(place) = room.get_mut(count) {
            *place = token;
        }
        count += usize::from(is_said(token));
    }
    room.get(..count).unwrap_or_default()
}

/// The same in a room of its own.
pub(super) fn said(tokens: &[Token]) -> Vec<&Token> {
    tokens.iter().filter(|t| is_said(t)).collect()
}

/// Tells clause by clause, in their order, which bits the tokens of each show. All tokens are gone through as one: few show
/// any, and where a clause ends is as good as random.
pub(super) struct Shown<'r, F: FnMut(&Token) -> u8> {
    tokens: Enumerate<Iter<'r, Token>>,
    bits: F,
    /// A token that shows some and is not told yet.
    next: Option<(usize, u8)>,
}

impl<'r, F: FnMut(&Token) -> u8> Shown<'r, F> {
    /// Of these tokens, which `bits` looks at.
    pub(super) fn of(tokens: &'r [Token], bits: F) -> Self {
        let mut out = Self {
            tokens: tokens.iter().enumerate(),
            bits,
            next: None,
        };
        out.step();
        out
    }

    fn step(&mut self) {
        let bits = &mut self.bits;
        self.next = self
            .tokens
            .find_map(|(at, token)| Some((at, bits(token))).filter(|(_, bits)| *bits != 0));
    }

    /// The bits that tokens of the next clause show.
    pub(super) fn by(&mut self, tokens: &Range<usize>) -> u8 {
        let mut all = 0;
        while let Some((at, bits)) = self.next.filter(|(at, _)| *at < tokens.end) {
            all |= if at >= tokens.start { bits } else { 0 };
            self.step();
        }
        all
    }
}
