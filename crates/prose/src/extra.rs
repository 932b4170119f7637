//! The user's own patterns: words and phrases that count as praise here, and terms that never do.

use crate::fold::{self, Ch};
use crate::lexicon::tag;
use crate::token::{Token, TokenKind};

/// Additions to the word lists for one reading: the user's own praise patterns, and terms that are never praise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    pub(crate) praise: Vec<Term>,
    pub(crate) allow: Vec<Term>,
}

/// A term: folded words in a row. Hangul words match as stems.
pub(crate) type Term = Vec<String>;

impl Extra {
    /// Reads patterns and terms. A pattern is a word, a stem, a phrase, or a simple regular expression such as
    /// `/훌륭한\s*분석/gi`, of which the literal words count.
    pub fn new<S: AsRef<str>>(
        praise: impl IntoIterator<Item = S>,
        allow: impl IntoIterator<Item = S>,
    ) -> Self {
        let terms = |list: Vec<Term>| list.into_iter().filter(|t| !t.is_empty()).collect();
        Self {
            praise: terms(praise.into_iter().map(|p| term(p.as_ref())).collect()),
            allow: terms(allow.into_iter().map(|p| term(p.as_ref())).collect()),
        }
    }

    /// Marks the tokens from `first` on that the additions speak of. `_chars` are the folded characters that
    /// those tokens were made from.
    pub(crate) fn mark(&self, _chars: &[Ch], tokens: &mut [Token], arena: &str, first: usize) {
        mark_terms(tokens, arena, first, &self.praise, |t| {
            // A listed term such as "perfect hash" stays one.
            if t.phrase == 1 || !t.tags.any(tag::TECH) {
                // What the lists know already keeps its weight.
                let known = t.tags.any(tag::PRAISE | tag::HYPE);
                t.tags |= if known {
                    tag::EXTRA
                } else {
                    tag::EXTRA | tag::PRAISE
                };
            }
        });
        let loud = tag::PRAISE
            | tag::GOOD
            | tag::HYPE
            | tag::EXTRA
            | tag::ACK
            | tag::SMOOTH
            | tag::CHEER
            | tag::EMOTE;
        mark_terms(tokens, arena, first, &self.allow, |t| {
            t.tags = t.tags.without(loud) | tag::TECH
        });
    }
}

/// The literal words of a pattern.
fn term(pattern: &str) -> Term {
    let body = pattern
        .strip_prefix('/')
        .and_then(|p| p.rsplit_once('/'))
        .filter(|(_, flags)| flags.chars().all(|c| c.is_ascii_lowercase()))
        .map_or(pattern, |(body, _)| body);
    let mut plain = String::new();
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('s') => plain.push(' '),
                Some('b' | 'B' | 'w' | 'd') | None => {}
                Some(other) => plain.push(other),
            },
            '^' | '$' | '*' | '+' | '?' | '(' | ')' => {}
            '.' if matches!(chars.peek(), Some('*' | '+')) => plain.push(' '),
            other => plain.push(other),
        }
    }
    fold::normalize(&plain)
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

fn mark_terms(tokens: &mut [Token], arena: &str, first: usize, terms: &[Term], mark: impl Fn(&mut Token)) {
    let fits = |token: &Token, want: &str| {
        let have = arena
            .get(token.word.0 as usize..token.word.1 as usize)
            .unwrap_or_default();
        match token.kind {
            TokenKind::Hangul => have.starts_with(want),
            TokenKind::Word => {
                have == want
                    || have
                        .strip_prefix(want)
                        .is_some_and(|rest| matches!(rest, "s" | "es" | "ly" | "'s"))
            }
            _ => have == want,
        }
    };
    for term in terms {
        let joined = term.concat();
        for at in first..tokens.len() {
            let matches = term
                .iter()
                .enumerate()
                .all(|(i, want)| tokens.get(at + i).is_some_and(|t| fits(t, want)));
            if matches {
                tokens.iter_mut().skip(at).take(term.len()).for_each(&mark);
            } else if term.len() > 1
                && tokens
                    .get(at)
                    .is_some_and(|t| t.kind == TokenKind::Hangul && fits(t, &joined))
            {
                // Korean may be written without the space.
                tokens.iter_mut().skip(at).take(1).for_each(&mark);
            }
        }
    }
}
