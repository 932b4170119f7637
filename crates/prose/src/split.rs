//! Sentences and clauses: where one statement ends and the next begins.

use crate::block::BlockKind;
use crate::features::{self, Features, Kinds, Shown};
use crate::korean;
use crate::lexicon::{Filter, tag};
use crate::outcome::Outcome;
use crate::reading::{Clause, Reading};
use crate::token::{Token, TokenKind};

/// A stretch of prose: its tokens, and where their words are.
#[derive(Clone, Copy)]
struct Part<'r> {
    text: &'r str,
    tokens: &'r [Token],
    arena: &'r str,
    kind: BlockKind,
}

impl Part<'_> {
    fn word(&self, token: &Token) -> &str {
        self.arena
            .get(token.word.0 as usize..token.word.1 as usize)
            .unwrap_or_default()
    }
}

/// Splits some tokens of the reading into sentences and clauses and appends these to it.
pub(crate) fn clauses(
    text: &str,
    reading: &mut Reading,
    block: usize,
    tokens: std::ops::Range<usize>,
    sentence: &mut usize,
) {
    let first = tokens.start;
    let part = Part {
        text,
        tokens: reading.tokens.get(tokens).unwrap_or_default(),
        arena: &reading.arena,
        kind: reading.blocks.get(block).map_or(BlockKind::Paragraph, |b| b.kind),
    };
    let mut push = |range: std::ops::Range<usize>, sentence: usize, continues: bool| {
        if let Some(mut clause) = clause(part, range, continues) {
            (clause.block, clause.sentence) = (block, sentence);
            clause.tokens = clause.tokens.start + first..clause.tokens.end + first;
            reading.clauses.push(clause);
        }
    };
    let mut from = 0;
    let mut continues = false;
    let mut line_start = 0;
    // Where reading goes on: what stands before it is in a clause.
    let mut next = 0;
    for (begin, tokens) in (0..).step_by(64).zip(part.tokens.chunks(64)) {
        let mut places = places(tokens, part.tokens.get(begin + 64));
        while places != 0 {
            let at = begin + places.trailing_zeros() as usize;
            places &= places - 1;
            if at < next {
                continue;
            }
            let cut = cut_after(part, from, at, line_start);
            let mut end = at + 1;
            if part.tokens.get(at).is_some_and(|t| t.is_punct('\n')) {
                line_start = end;
            }
            match cut {
                Cut::None => continue,
                Cut::Clause => {
                    push(from..end, *sentence, continues);
                    continues = true;
                }
                Cut::Sentence => {
                    end = absorb(part.tokens, end);
                    push(from..end, *sentence, continues);
                    continues = false;
                    *sentence += 1;
                }
            }
            (from, next) = (end, end);
        }
    }
    if from < part.tokens.len() {
        push(from..part.tokens.len(), *sentence, continues);
    }
    *sentence += 1;
}

/// Behind which of at most 64 tokens something may end, a bit each; `next` is the token behind them. Behind all others nothing
/// does, and which they are nobody can foresee.
fn places(tokens: &[Token], next: Option<&Token>) -> u64 {
    let ends = |t: &Token| t.kinds.any(Kinds::ENDS) | t.connects;
    let begins = |t: &Token| t.kinds.any(Kinds::OPENS) | (t.kinds.any(Kinds::WORD) & t.tags.any(tag::CLAUSE));
    let behind = u64::from(next.is_some_and(begins));
    let (mut places, mut before) = (0, behind);
    // From the last one on, so that each moves those behind it up.
    for token in tokens.iter().rev() {
        places = places << 1 | u64::from(ends(token)) | before;
        before = u64::from(begins(token));
    }
    places
}

#[derive(PartialEq)]
enum Cut {
    None,
    Clause,
    Sentence,
}

/// Whether something ends behind the token at `at`.
fn cut_after(part: Part<'_>, from: usize, at: usize, line_start: usize) -> Cut {
    let tokens = part.tokens;
    let Some(token) = tokens.get(at) else {
        return Cut::None;
    };
    let Some(next) = tokens.get(at + 1) else {
        return Cut::None;
    };
    match token.kind {
        TokenKind::Punct('\n') => return line_break(part, from, at, line_start),
        TokenKind::Punct('!' | '?' | '。' | '｡') => {
            return if token.quoted && next.quoted || is_operator(part.text, token, next) {
                Cut::None
            } else {
                Cut::Sentence
            };
        }
        TokenKind::Punct('.' | '…') => return full_stop(part, from, at, next),
        // A clause of another kind begins; the marks belong to what stands before.
        TokenKind::Punct(';' | '—' | '–') if !token.quoted => return Cut::Clause,
        TokenKind::Punct('-') if !token.glued && !next.glued => return Cut::Clause,
        TokenKind::Punct(':') => return colon(part, from, at, next),
        TokenKind::Punct(',' | '、') if !token.quoted => {
            return if comma(part, from, at, next) {
                Cut::Clause
            } else {
                Cut::None
            };
        }
        TokenKind::Punct(')' | ']') if !token.quoted && parenthesis_is_clause(tokens, from, at) => {
            return Cut::Clause;
        }
        TokenKind::Hangul if !token.quoted => {
            let word = part.word(token);
            if token.connects && !next.glued && (at > from || word.chars().count() >= 4) {
                return Cut::Clause;
            }
        }
        _ => {}
    }
    if next.is_punct('(') && !next.glued && opens_clause(tokens, at + 1) {
        return Cut::Clause;
    }
    if next.kind == TokenKind::Word
        && next.tags.any(tag::CLAUSE)
        && !next.quoted
        && !token.quoted
        && at > from
    {
        let word = part.word(next);
        let hard = matches!(
            word,
            "but" | "because" | "though" | "although" | "whereas" | "while" | "unless" | "however" | "so"
        );
        let subject = tokens.get(at + 2).is_some_and(|t| {
            t.tags.any(tag::FIRST | tag::YOU | tag::OTHER)
                || matches!(part.word(t), "it" | "this" | "that" | "there" | "the")
        });
        if hard && (word != "so" || subject)
            || matches!(word, "and" | "or") && subject && !token.is_punct(',') && at > from + 1
        {
            return Cut::Clause;
        }
    }
    Cut::None
}

/// Whether a question mark is one of code, not of a question: `name?: string`, "the ? operator".
fn is_operator(text: &str, token: &Token, next: &Token) -> bool {
    let small = || {
        let rest = text.get(next.start..).unwrap_or_default();
        next.kind == TokenKind::Word && rest.starts_with(|c: char| c.is_ascii_lowercase())
    };
    token.is_punct('?') && (next.glued && next.is_punct(':') || !token.glued && !next.glued && small())
}

/// A line break ends a sentence unless the line was wrapped.
fn line_break(part: Part<'_>, from: usize, at: usize, line_start: usize) -> Cut {
    let tokens = part.tokens;
    let (Some(token), Some(next)) = (tokens.get(at), tokens.get(at + 1)) else {
        return Cut::None;
    };
    if at == from {
        return Cut::None;
    }
    let length = tokens
        .get(line_start)
        .and_then(|first| part.text.get(first.start..token.start))
        .map_or(0, |line| line.chars().count());
    let before = tokens.get(at.wrapping_sub(1));
    let wrapped = length >= 55
        && match next.kind {
            TokenKind::Word => !next.capital,
            TokenKind::Hangul => !before.is_some_and(|t| korean::ends_sentence(part.word(t))),
            TokenKind::Number | TokenKind::Code | TokenKind::Path | TokenKind::Ident => true,
            _ => false,
        };
    if wrapped { Cut::None } else { Cut::Sentence }
}

/// Abbreviations whose dot ends nothing.
const ABBREVIATIONS: [&str; 14] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "incl", "fig", "mr", "mrs", "dr", "no", "st",
];

/// Which hashes they have.
static SHORT: Filter = Filter::of(&ABBREVIATIONS);

fn full_stop(part: Part<'_>, from: usize, at: usize, next: &Token) -> Cut {
    let tokens = part.tokens;
    let Some(token) = tokens.get(at) else {
        return Cut::None;
    };
    if token.quoted && next.quoted || at == from {
        return Cut::None;
    }
    let before = tokens.get(at.wrapping_sub(1));
    let closing = matches!(next.kind, TokenKind::Punct(_));
    if next.glued && !closing && !before.is_some_and(|t| t.kind == TokenKind::Hangul) {
        return Cut::None;
    }
    if next.is_punct('.') {
        return Cut::None;
    }
    if let Some(before) = before {
        let word = part.word(before);
        let short = before.may_be(&SHORT) && ABBREVIATIONS.contains(&word);
        if short && !next.capital && word != "no" && word != "etc" {
            return Cut::None;
        }
    }
    Cut::Sentence
}

/// A colon ends a clause unless it follows a short label (`Verdict: …`, `테스트: …`).
fn colon(part: Part<'_>, from: usize, at: usize, next: &Token) -> Cut {
    if next.glued || part.kind == BlockKind::Log {
        return Cut::None;
    }
    let head = part.tokens.get(from..at).unwrap_or_default();
    let said = tag::APPROVE | tag::REFUSE | tag::ACK | tag::PRAISE | tag::THANK | tag::CHEER;
    let label = head.len() <= 3
        && head.iter().filter(|t| t.is_word()).count() <= 2
        && !head.iter().any(|t| t.tags.any(said));
    if label { Cut::None } else { Cut::Clause }
}

/// Whether a comma ends a clause: behind an interjection, before a conjunction or a new subject, after a
/// Korean connective.
fn comma(part: Part<'_>, from: usize, at: usize, next: &Token) -> bool {
    // More than a few words are no interjection; a long clause is not looked at again for each of its commas.
    let head = part
        .tokens
        .get(from.max(at.saturating_sub(12))..at)
        .unwrap_or_default();
    let words = head.iter().filter(|t| t.is_word()).count();
    let said = tag::APPROVE
        | tag::REFUSE
        | tag::ACK
        | tag::PRAISE
        | tag::GOOD
        | tag::THANK
        | tag::CHEER
        | tag::GREET
        | tag::APOLOGY
        | tag::WORK;
    let interjection = words > 0
        && head.len() == at - from
        && words <= 4
        && head
            .iter()
            .filter(|t| !matches!(t.kind, TokenKind::Punct(_)))
            .all(|t| t.is_word() && t.tags.any(said | tag::INTENS | tag::STOP | tag::YOU));
    if interjection && head.iter().any(|t| t.tags.any(said)) {
        return true;
    }
    if next.is_word() && next.tags.any(tag::CLAUSE | tag::FIRST | tag::YOU | tag::APPROVE) && words > 0 {
        return true;
    }
    let last = head.last();
    if last.is_some_and(|t| t.connects || t.kind == TokenKind::Hangul && korean::ends_sentence(part.word(t)))
    {
        return true;
    }
    matches!(
        part.word(next),
        "it" | "this" | "that" | "there" | "the" | "here" | "please" | "no" | "not" | "let"
    ) && words >= 2
}

/// Whether a parenthesis that opens at `at` holds a statement rather than a word or two.
fn opens_clause(tokens: &[Token], at: usize) -> bool {
    let inside = tokens.get(at + 1..).unwrap_or_default();
    let Some(close) = inside.iter().take(60).position(|t| t.is_punct(')')) else {
        return false;
    };
    inside
        .get(..close)
        .unwrap_or_default()
        .iter()
        .filter(|t| !matches!(t.kind, TokenKind::Punct(_)))
        .count()
        >= 3
}

/// Whether the clause that the parenthesis at `at` closes began with it.
fn parenthesis_is_clause(tokens: &[Token], from: usize, at: usize) -> bool {
    tokens
        .get(from)
        .is_some_and(|t| t.is_punct('(') || t.is_punct('['))
        && at > from + 2
}

/// Takes further closing marks, brackets and emoji behind a sentence's end into it.
fn absorb(tokens: &[Token], mut end: usize) -> usize {
    while let Some(token) = tokens.get(end) {
        let closes = match token.kind {
            TokenKind::Punct(c) => {
                token.glued
                    && matches!(
                        c,
                        '.' | '!' | '?' | '…' | ')' | ']' | '"' | '\'' | '”' | '’' | '」' | '』' | '»'
                    )
                    || c == '\n'
            }
            TokenKind::Emoji => true,
            _ => false,
        };
        if !closes {
            break;
        }
        end += 1;
    }
    end
}

/// The clause of some tokens of a part, unless nothing of them is visible. Its block, its sentence and the places of its
/// tokens in the message are not known here.
fn clause(part: Part<'_>, range: std::ops::Range<usize>, continues: bool) -> Option<Clause> {
    let tokens = part.tokens.get(range.clone()).unwrap_or_default();
    let visible = |t: &&Token| !t.is_punct('\n');
    let (first, last) = (tokens.iter().find(visible)?, tokens.iter().rfind(visible)?);
    let typed = |at: usize| tokens.get(at + 1).is_some_and(|t| t.glued && t.is_punct(':'));
    let closing = tokens.iter().enumerate().rev().find_map(|(at, t)| match t.kind {
        TokenKind::Punct('?') if typed(at) => Some(None),
        TokenKind::Punct(c @ ('?' | '!')) => Some(Some(c)),
        TokenKind::Punct(_) | TokenKind::Emoji => None,
        _ => Some(None),
    });
    let Shown {
        mut features,
        tags,
        language,
        kinds,
        chars,
    } = features::of(tokens, part.arena, closing.flatten());
    if continues {
        features |= Features::CONTINUES;
    }
    let chars = if matches!(part.kind, BlockKind::Heading { .. }) {
        0
    } else {
        chars
    };
    Some(Clause {
        start: first.start,
        end: last.end,
        block: 0,
        sentence: 0,
        tokens: range,
        language,
        features,
        tags,
        kinds,
        act: crate::act::Act::Fact,
        margins: crate::model::Margins::default(),
        outcome: Outcome::default(),
        leans: false,
        chars,
    })
}
