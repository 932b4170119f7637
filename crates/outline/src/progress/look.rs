//! What one look at the tokens of a part shows.

use super::cues::Cues;
use super::signs::Signs;
use super::status::{CHUNK, View, set_bits};
use proctor_prose::{Token, TokenKind};

/// What one look at the tokens of a stretch shows.
#[derive(Default)]
pub(super) struct Look<'a> {
    /// The signs of all that is neither quoted nor code.
    pub(super) all: Signs,
    pub(super) code: bool,
    /// Words that are set apart by white space.
    pub(super) words: usize,
    /// The first token that opens nothing.
    pub(super) first: Option<&'a Token>,
    pub(super) first_cues: Cues,
    pub(super) first_signs: Signs,
    /// It gives a figure or names a file.
    pub(super) figure: bool,
    /// The place of the first word that is more than a conjunction.
    pub(super) opening: Option<usize>,
}

impl<'a> Look<'a> {
    pub(super) fn at(view: View<'a>) -> Self {
        let mut look = Self::default();
        let tokens = view.tokens();
        let senses = view.senses.list.get(view.from..view.to).unwrap_or_default();
        let mut first = None;
        for (from, (tokens, senses)) in (0..)
            .step_by(CHUNK)
            .zip(tokens.chunks(CHUNK).zip(senses.chunks(CHUNK)))
        {
            // What opens nothing, and what is more than a conjunction, one bit for each.
            let (mut firsts, mut openings) = (0_u64, 0_u64);
            for (bit, (token, sense)) in tokens.iter().zip(senses).enumerate() {
                let mark = matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji);
                let code = matches!(token.kind, TokenKind::Code);
                let said = !code & !token.quoted;
                let number = matches!(token.kind, TokenKind::Number);
                let figure = number | matches!(token.kind, TokenKind::Path | TokenKind::Ident);
                let joint = sense.signs.any(Signs::JOINT) | sense.cues.any(Cues::OPENER);
                let opens = matches!(token.kind, TokenKind::Punct('(' | '"'));
                look.words += usize::from(!mark & !token.glued);
                look.code |= code;
                look.all = look.all.with(sense.signs.when(said));
                look.figure |= figure & said;
                firsts |= u64::from(!opens) << bit;
                openings |= u64::from(said & token.is_word() & !joint) << bit;
            }
            first = first.or_else(|| set_bits(firsts).next().map(|bit| from + bit));
            let opening = || set_bits(openings).next().map(|bit| view.from + from + bit);
            look.opening = look.opening.or_else(opening);
        }
        if let Some(at) = first {
            look.first = tokens.get(at);
            look.first_cues = view.cues(view.from + at);
            look.first_signs = view.senses.signs(view.from + at);
        }
        look
    }
}
