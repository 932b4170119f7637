//! The words of a stretch in the word lists.

use crate::features::{self, Kinds};
use crate::language::Count;
use crate::lexicon::{english, korean};
use crate::shape::{drawn_out, unlisted};
use crate::tags::Tags;
use crate::token::Token;
use std::hint::select_unpredictable;

/// Looks up what the lists know about words. All words of a stretch at once: the tables are large, and what is fetched of
/// them for one word takes longer than all else.
#[derive(Default)]
pub(crate) struct LookUp {
    /// The places of the words of each script among the tokens.
    english: Vec<u32>,
    korean: Vec<u32>,
    /// For each English word the entry at which it is looked for first.
    entries: Vec<u128>,
    ways: Vec<korean::Way>,
    steps: korean::Steps,
    /// With which tokens a listed phrase may begin, a bit each.
    leads: Vec<u64>,
}

impl LookUp {
    /// Looks up the words among the tokens, and what their form shows. Those with tags keep theirs.
    pub(crate) fn all(&mut self, tokens: &mut [Token], arena: &str) {
        let text = arena.as_bytes();
        self.leads.clear();
        self.leads.resize(tokens.len() / 64 + 1, 0);
        self.find(tokens);
        self.entries.clear();
        let hash = |at: &u32| tokens.get(*at as usize).map_or(0, |token| token.hash);
        self.entries
            .extend(self.english.iter().map(|at| english::first_entry(hash(at))));
        for (place, first) in self.english.iter().zip(&self.entries) {
            let Some([token, behind @ ..]) = tokens.get_mut(*place as usize..) else {
                continue;
            };
            let next = behind.first().map_or((false, 0), |next| {
                (next.kinds.any(Kinds::WORD.or(Kinds::NUMBER)), next.hash)
            });
            let (at, end) = (token.word.0 as usize, token.word.1 as usize);
            let known = english::known_at(text, at, end - at, token.hash, *first);
            if token.tags.is_empty() {
                let spelled = || match token.plain {
                    true if !english::draws_out(text, at, end - at) => None,
                    true => drawn_out(arena.get(at..end)?),
                    false => unlisted(arena.get(at..end)?),
                };
                token.tags = known.tags.or_else(spelled).unwrap_or(Tags::NONE);
            }
            token.shows = features::english(token, text, end, end - at).0 as u16;
            // A phrase has two words at least.
            let (goes_on, next) = next;
            let leads = known.leads & goes_on & english::Beginning::of(token.hash).goes_on(next);
            note(&mut self.leads, *place, leads);
        }
        self.ways.clear();
        let word = |at: &u32| tokens.get(*at as usize).map_or((0, 0), |token| token.word);
        self.ways
            .extend(self.korean.iter().map(|at| korean::Way::new(word(at))));
        self.steps.take(&mut self.ways, text);
        for (place, way) in self.korean.iter().zip(&self.ways) {
            let Some(token) = tokens.get_mut(*place as usize) else {
                continue;
            };
            let (tags, leads) = way.tags();
            token.tags = Tags(select_unpredictable(token.tags.is_empty(), tags.0, token.tags.0));
            let word = arena
                .get(token.word.0 as usize..token.word.1 as usize)
                .unwrap_or_default();
            token.shows = crate::korean::features(word, text, token.word.1 as usize, token.form).0 as u16;
            token.connects = crate::korean::connects(word);
            note(&mut self.leads, *place, leads);
        }
    }

    /// Finds the words of each script. Which token is of which kind nobody can foresee, so each is written down, and the next
    /// goes to the same place where it is of another kind.
    fn find(&mut self, tokens: &[Token]) {
        for places in [&mut self.english, &mut self.korean] {
            if places.len() < tokens.len() {
                *places = vec![0; tokens.len()];
            }
        }
        let (mut english, mut korean) = (0, 0);
        for (token, at) in tokens.iter().zip(0..) {
            if let (Some(word), Some(hangul)) = (self.english.get_mut(english), self.korean.get_mut(korean)) {
                (*word, *hangul) = (at, at);
            }
            english += usize::from(token.kinds.any(Kinds::WORD));
            korean += usize::from(token.kinds.any(Kinds::HANGUL));
        }
        self.english.truncate(english);
        self.korean.truncate(korean);
    }

    /// The first of the tokens from a place on with which a listed phrase may begin.
    pub(crate) fn lead(&self, from: usize) -> Option<usize> {
        let first = from / 64;
        let mut bits = self.leads.get(first)? & (!0 << (from % 64));
        let mut at = first;
        while bits == 0 {
            at += 1;
            bits = *self.leads.get(at)?;
        }
        Some(at * 64 + bits.trailing_zeros() as usize)
    }

    /// Counts the words that were looked up.
    pub(crate) fn count(&self, tokens: &[Token], arena: &str, count: &mut Count) {
        for token in self.english.iter().filter_map(|at| tokens.get(*at as usize)) {
            count.english(token, arena);
        }
        for token in self.korean.iter().filter_map(|at| tokens.get(*at as usize)) {
            count.korean(token);
        }
    }
}

/// Notes whether a phrase may begin with a token.
fn note(leads: &mut [u64], at: u32, one: bool) {
    if let Some(bits) = leads.get_mut(at as usize / 64) {
        *bits |= u64::from(one) << (at % 64);
    }
}
