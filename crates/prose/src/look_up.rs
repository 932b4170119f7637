//! The words of a stretch in the word lists.

use crate::lexicon::{english, korean};
use crate::shape::{drawn_out, unlisted};
use crate::token::{Token, TokenKind};

/// Looks up what the lists know about words. All words of a stretch at once: the tables are large, and what is fetched of
/// them for one word takes longer than all else.
#[derive(Default)]
pub(crate) struct LookUp {
    /// For each English word the entry at which it is looked for first.
    entries: Vec<u128>,
    ways: Vec<korean::Way>,
    steps: korean::Steps,
}

impl LookUp {
    /// Looks up the words among the tokens. Those with tags keep theirs.
    pub(crate) fn all(&mut self, tokens: &mut [Token], arena: &str) {
        let text = arena.as_bytes();
        let of = |kind: TokenKind| tokens.iter().filter(move |token| token.kind == kind);
        self.entries.clear();
        self.entries.reserve(tokens.len());
        self.entries
            .extend(of(TokenKind::Word).map(|token| english::first_entry(token.hash)));
        self.ways.clear();
        self.ways.reserve(of(TokenKind::Hangul).count());
        self.ways
            .extend(of(TokenKind::Hangul).map(|token| korean::Way::new(token.word)));
        let english = tokens.iter_mut().filter(|token| token.kind == TokenKind::Word);
        for (token, first) in english.zip(&self.entries) {
            let (at, end) = (token.word.0 as usize, token.word.1 as usize);
            let known = english::known_at(text, at, end - at, token.hash, *first);
            let plain = token.plain;
            token.take(known, || {
                let word = arena.get(at..end)?;
                if plain { drawn_out(word) } else { unlisted(word) }
            });
        }
        self.steps.take(&mut self.ways, text);
        let korean = tokens.iter_mut().filter(|token| token.kind == TokenKind::Hangul);
        for (token, way) in korean.zip(&self.ways) {
            token.take(way.known(), || None);
        }
    }
}
