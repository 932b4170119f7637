//! What one look at the tokens of a part shows.

use super::cues::Cues;
use super::signs::Signs;
use super::status::View;
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
        for (token, sense) in tokens.iter().zip(senses) {
            let mark = matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji);
            let code = matches!(token.kind, TokenKind::Code);
            let said = !code & !token.quoted;
            let number = matches!(token.kind, TokenKind::Number);
            let figure = number | matches!(token.kind, TokenKind::Path | TokenKind::Ident);
            look.words += usize::from(!mark & !token.glued);
            look.code |= code;
            look.all = look.all.with(sense.signs.when(said));
            look.figure |= figure & said;
        }
        let opens = |token: &Token| matches!(token.kind, TokenKind::Punct('(' | '"'));
        if let Some(at) = tokens.iter().position(|token| !opens(token)) {
            look.first = tokens.get(at);
            look.first_cues = view.cues(view.from + at);
            look.first_signs = view.senses.signs(view.from + at);
        }
        let joins = |at: usize| {
            let sense = view.senses.get(at);
            sense.signs.any(Signs::JOINT) | sense.cues.any(Cues::OPENER)
        };
        let mut said = view.said();
        look.opening = said
            .find(|(at, token)| token.is_word() && !joins(*at))
            .map(|(at, _)| at);
        look
    }
}
