//! The words of a stretch in the word lists.

use crate::lexicon::{english, korean};
use crate::shape::{drawn_out, unlisted};
use crate::token::{Token, TokenKind};

/// Looks up what the lists know about words. All words of a stretch at once: the tables are large, and what is fetched of
/// them for one word takes longer than all else.
#[derive(Default)]
pub(crate) struct LookUp {
    /// The places of the words of one script among the tokens.
    places: Vec<u32>,
    /// For each English word the entry at which it is looked for first.
    entries: Vec<u128>,
    ways: Vec<korean::Way>,
    steps: korean::Steps,
}

impl LookUp {
    /// Looks up the words among the tokens. Those with tags keep theirs.
    pub(crate) fn all(&mut self, tokens: &mut [Token], arena: &str) {
        let text = arena.as_bytes();
        self.find(tokens, |kind| matches!(kind, TokenKind::Word));
        self.entries.clear();
        let words = self.places.iter().filter_map(|at| tokens.get(*at as usize));
        self.entries
            .extend(words.map(|token| english::first_entry(token.hash)));
        for (at, first) in self.places.iter().zip(&self.entries) {
            let Some(token) = tokens.get_mut(*at as usize) else {
                continue;
            };
            let (at, end) = (token.word.0 as usize, token.word.1 as usize);
            let known = english::known_at(text, at, end - at, token.hash, *first);
            let plain = token.plain;
            token.take(known, || {
                let word = arena.get(at..end)?;
                if plain { drawn_out(word) } else { unlisted(word) }
            });
        }
        self.find(tokens, |kind| matches!(kind, TokenKind::Hangul));
        self.ways.clear();
        let words = self.places.iter().filter_map(|at| tokens.get(*at as usize));
        self.ways.extend(words.map(|token| korean::Way::new(token.word)));
        self.steps.take(&mut self.ways, text);
        for (at, way) in self.places.iter().zip(&self.ways) {
            if let Some(token) = tokens.get_mut(*at as usize) {
                token.take(way.known(), || None);
            }
        }
    }

    /// Finds the tokens of some kind. Which token is of which kind nobody can foresee, so each is written down, and the next
    /// goes to the same place where it is of another kind.
    fn find(&mut self, tokens: &[Token], is: impl Fn(TokenKind) -> bool) {
        self.places.clear();
        self.places.resize(tokens.len(), 0);
        let mut count = 0;
        for (token, at) in tokens.iter().zip(0..) {
            if let Some(place) = self.places.get_mut(count) {
                *place = at;
            }
            count += usize::from(is(token.kind));
        }
        self.places.truncate(count);
    }
}
