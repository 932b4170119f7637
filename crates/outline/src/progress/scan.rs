//! Which sentences of an answer have to be read: one look at each token, before anything is looked up. What is not
//! found here names no item and points at none; what is found may still turn out to say nothing.

use super::checklist::Checklist;
use super::cues;
use super::keys::Keys;
use super::senses::may_count;
use crate::text::slice;
use proctor_prose::{BlockKind, Clause, Filter, Reading, Token, TokenKind};
use std::ops::Range;

include!(concat!(env!("OUT_DIR"), "/keys.rs"));

/// Words that point at what was spoken of before, where a part of a sentence begins with them.
static POINTING: Filter = Filter::of(&[
    "it", "this", "that", "these", "those", "they", "which", "two", "three", "four", "some", "most",
    "several",
]);

/// Words behind which a part of a sentence may begin.
static OPENING: Filter = Filter::of(&[
    "and",
    "but",
    "while",
    "whereas",
    "so",
    "then",
    "thus",
    "also",
    "therefore",
    "hence",
    "because",
]);

/// Words that count items, take something back or tell of its end.
static COUNTING: Filter = Filter::of(&[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "last",
    "final",
    "all",
    "everything",
    "every",
    "rest",
    "others",
    "besides",
    "excluding",
    "barring",
    "minus",
    "apart",
    "aside",
    "except",
    "remaining",
    "items",
    "item",
    "steps",
    "step",
    "tasks",
    "task",
    "points",
    "point",
    "numbers",
    "number",
    "than",
    "again",
    "back",
]);

/// The same where there are two items.
static OF_TWO: Filter = Filter::of(&["both", "former", "latter"]);

/// How many tokens before and behind a sentence may have a say in what its words mean.
const BEFORE: usize = 2;
const BEHIND: usize = 4;

/// The keys of a concept's words.
pub(super) fn surfaces(name: u64) -> impl Iterator<Item = usize> {
    let name = (name >> 32) as u32;
    let from = SURFACES.partition_point(|s| s.0 < name);
    SURFACES
        .iter()
        .skip(from)
        .take_while(move |s| s.0 == name)
        .map(|s| usize::from(s.1))
}

/// What has to be read of an answer.
#[derive(Default)]
pub(super) struct Scan {
    /// For each sentence.
    sentences: Vec<bool>,
    /// The stretches of tokens, with what stands around them.
    pub(super) stretches: Vec<Range<usize>>,
}

impl Scan {
    /// Everything.
    pub(super) fn all(reading: &Reading) -> Self {
        Self {
            sentences: vec![true; reading.clauses.last().map_or(0, |c| c.sentence + 1)],
            stretches: vec![0..reading.tokens.len()],
        }
    }

    /// Whether a sentence is to be read.
    pub(super) fn has(&self, sentence: &[Clause]) -> bool {
        let first = sentence.first();
        first.is_some_and(|c| self.sentences.get(c.sentence).copied().unwrap_or_default())
    }

    fn add(&mut self, clauses: &[Clause], reading: &Reading) {
        let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else {
            return;
        };
        for sentence in first.sentence..=last.sentence {
            if let Some(known) = self.sentences.get_mut(sentence) {
                *known = true;
            }
        }
        let from = first.tokens.start.saturating_sub(BEFORE);
        let to = (last.tokens.end + BEHIND).min(reading.tokens.len());
        match self.stretches.last_mut() {
            Some(before) if before.end >= from => before.end = to.max(before.end),
            _ => self.stretches.push(from..to),
        }
    }
}

/// Looks at an answer.
pub(super) fn scan(text: &str, reading: &Reading, list: &Checklist, items: usize) -> Scan {
    if list.fixes || list.finds {
        return Scan::all(reading);
    }
    let look = Look {
        text,
        reading,
        keys: list.keys(),
        items,
    };
    let mut out = Scan {
        sentences: vec![false; reading.clauses.last().map_or(0, |c| c.sentence + 1)],
        stretches: Vec::with_capacity(8),
    };
    for clauses in reading.clauses.chunk_by(|a, b| a.block == b.block) {
        let Some(block) = clauses.first().and_then(|c| reading.blocks.get(c.block)) else {
            continue;
        };
        let body = slice(text, block.body, block.end);
        match block.kind {
            BlockKind::Paragraph if !body.contains('[') && !body.trim_end().ends_with([':', '：']) => {
                for sentence in clauses.chunk_by(|a, b| a.sentence == b.sentence) {
                    if look.tells(sentence) {
                        out.add(sentence, reading);
                    }
                }
            }
            BlockKind::TableRow => {
                if look.names(clauses) {
                    out.add(clauses, reading);
                }
            }
            _ => out.add(clauses, reading),
        }
    }
    out
}

struct Look<'a> {
    text: &'a str,
    reading: &'a Reading,
    keys: &'a Keys,
    items: usize,
}

impl Look<'_> {
    /// Whether a sentence may say something of items.
    fn tells(&self, sentence: &[Clause]) -> bool {
        let contrast = |c: &Clause| c.tags.any(proctor_prose::tag::CONTRAST);
        sentence.iter().any(contrast)
            || sentence.iter().enumerate().any(|(i, clause)| {
                // A mark at the beginning of the line may stand before the sentence.
                let from = clause.tokens.start.saturating_sub(usize::from(i == 0));
                let mut opens = true;
                (from..clause.tokens.end).any(|at| {
                    opens |= at == clause.tokens.start;
                    self.token(at, &mut opens)
                })
            })
    }

    /// Whether a token may speak of items, or point at what was spoken of. `opens` says that it may stand in front.
    fn token(&self, at: usize, opens: &mut bool) -> bool {
        let Some(token) = self.reading.tokens.get(at) else {
            return false;
        };
        let next = || self.reading.tokens.get(at + 1);
        let lettered = || {
            token.chars == 1
                && next().is_some_and(|n| {
                    matches!(n.kind, TokenKind::Punct(')' | ',')) || self.reading.word(n) == "and"
                })
        };
        match token.kind {
            TokenKind::Punct(c) => {
                *opens |= matches!(c, ',' | ';' | '，' | '/' | '|');
                false
            }
            TokenKind::Emoji => {
                *opens = true;
                false
            }
            TokenKind::Ident => true,
            TokenKind::Number => {
                let word = self.reading.word(token);
                self.named(token) || may_count(word, self.items)
            }
            TokenKind::Path | TokenKind::Code | TokenKind::Url | TokenKind::Mention => self.named(token),
            TokenKind::Word => {
                if token.may_be(&TELLING)
                    || token.may_be(&COUNTING)
                    || self.items == 2 && token.may_be(&OF_TWO)
                    || *opens && token.may_be(&POINTING)
                    || lettered()
                    || self.named(token)
                {
                    return true;
                }
                let word = self.reading.word(token);
                if let Some(base) = word.strip_suffix("'s")
                    && (COUNTING.admits(base) || OF_TWO.admits(base) || TELLING.admits(base))
                {
                    return true;
                }
                if !token.quoted {
                    *opens = token.struck || token.may_be(&OPENING);
                }
                false
            }
            TokenKind::Hangul => {
                *opens = true;
                let word = self.reading.word(token);
                lettered()
                    || token.end - token.start != word.len()
                    || self.syllables(at, word, true)
                    || cues::counting(word)
            }
        }
    }

    /// Whether a row of a table may speak of an item.
    fn names(&self, clauses: &[Clause]) -> bool {
        clauses.iter().flat_map(|c| c.tokens.clone()).any(|at| {
            self.reading.tokens.get(at).is_some_and(|token| match token.kind {
                TokenKind::Number | TokenKind::Ident => true,
                TokenKind::Hangul => self.syllables(at, self.reading.word(token), false),
                TokenKind::Punct(_) | TokenKind::Emoji => false,
                _ => self.named(token),
            })
        })
    }

    /// Whether a token that is no Korean word may have a concept of the checklist.
    fn named(&self, token: &Token) -> bool {
        match token.kind {
            TokenKind::Word => self.keys.may_be_latin(self.reading.word(token).as_bytes()),
            TokenKind::Number => {
                let word = self.reading.word(token).as_bytes();
                !word.iter().all(u8::is_ascii_digit) || self.keys.may_be_latin(word)
            }
            _ => {
                let code = slice(self.text, token.start, token.end);
                self.keys.may_be_in(code.as_bytes())
            }
        }
    }

    /// Whether a Korean word may have a concept of the checklist, or be a sign.
    fn syllables(&self, at: usize, word: &str, signs: bool) -> bool {
        let before = at
            .checked_sub(1)
            .and_then(|b| self.reading.tokens.get(b))
            .filter(|b| b.kind == TokenKind::Hangul)
            .and_then(|b| self.reading.word(b).chars().next());
        let mut chars = word.chars();
        let Some(first) = chars.next() else {
            return false;
        };
        // 표 시: a compound written as two words.
        let mut found = self.keys.may_be_single(first)
            || before.is_some_and(|before| self.keys.may_be_pair(before, first))
            || signs && word.len() <= 4 && TELLING_KEYS.may_be_single(first);
        let mut last = first;
        for c in chars {
            found = found
                || self.keys.may_be_pair(last, c)
                || signs && (TELLING_KEYS.may_be_pair(last, c) || last == '지' && c == '만');
            last = c;
        }
        found
    }
}
