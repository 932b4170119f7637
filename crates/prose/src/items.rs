//! News of a check list: which items are done, by number, place or name.

use crate::block::BlockKind;
use crate::lexicon::tag;
use crate::reading::{Clause, Reading};
use crate::token::{Token, TokenKind};

/// Whether the clause says which items of a list are done, by number, place or name: `1. DONE`, `item 2 is
/// done`, `1번 완료`, `both items are done`, `login page: done`. That is the answer to a check list, while a mere
/// `done` says nothing.
pub(crate) fn names_done_items(reading: &Reading, clause: &Clause, said: &[&Token]) -> bool {
    let Some(done) = said
        .iter()
        .position(|t| t.tags.any(tag::DONE) && t.is_word() && !t.quoted)
    else {
        return false;
    };
    let block = reading.blocks.get(clause.block);
    let numbered = block.is_some_and(|b| {
        let kind = matches!(
            b.kind,
            BlockKind::ListItem { ordinal: Some(_), .. }
                | BlockKind::ListItem {
                    checked: Some(true),
                    ..
                }
        );
        kind && clause.start <= b.body
    });
    numbered
        || (0..said.len()).any(|at| item_reference(reading, said, at))
        || labelled_done(
            reading,
            clause,
            said.get(..done).unwrap_or_default(),
            said.get(done),
        )
}

/// Whether an item is counted or numbered at this place.
fn item_reference(reading: &Reading, said: &[&Token], at: usize) -> bool {
    let word = |i: usize| said.get(i).map_or("", |t| reading.word(t));
    let Some(token) = said.get(at) else { return false };
    let here = word(at);
    let before = at.checked_sub(1).map_or("", word);
    match token.kind {
        TokenKind::Number => {
            // A range may be written with a dash; units and percentages number nothing.
            let plain = here
                .bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'~' | b'.' | b','));
            let counter = usize::from(word(at + 1) == "개" || word(at + 1) == "of");
            plain
                && (word(at + 1).starts_with("번")
                    || numbered_noun(before)
                    || item_noun(before)
                    || item_noun(word(at + 1 + counter)))
        }
        TokenKind::Word | TokenKind::Hangul => {
            let ordinal = matches!(
                here,
                "first"
                    | "second"
                    | "third"
                    | "fourth"
                    | "fifth"
                    | "last"
                    | "첫"
                    | "두"
                    | "세"
                    | "네"
                    | "다섯"
                    | "마지막"
            ) || here.starts_with("첫번째");
            let all = matches!(
                here,
                "both"
                    | "all"
                    | "each"
                    | "every"
                    | "two"
                    | "three"
                    | "four"
                    | "five"
                    | "모든"
                    | "둘"
                    | "전체"
            );
            let next = word(at + 1);
            let noun = if next.starts_with("번째")
                || matches!(next, "the" | "of" | "two" | "three" | "four" | "five")
            {
                word(at + 2)
            } else {
                next
            };
            ordinal && (item_noun(noun) || numbered_noun(noun)) || all && item_noun(noun)
        }
        _ => false,
    }
}

/// Words for an entry of a list.
fn item_noun(word: &str) -> bool {
    matches!(
        word,
        "item" | "items" | "todo" | "todos" | "to-do" | "to-dos" | "entries" | "bullets" | "points"
    ) || word.starts_with("항목")
        || word.starts_with("할일")
}

/// Words that take a number as a name: task 2, step 3.
fn numbered_noun(word: &str) -> bool {
    matches!(
        word,
        "task"
            | "tasks"
            | "step"
            | "steps"
            | "point"
            | "phase"
            | "phases"
            | "part"
            | "parts"
            | "number"
            | "nr"
            | "no"
    ) || ["작업", "단계", "과제"].iter().any(|n| word.starts_with(n))
}

/// `login page: done`: a name and, behind its colon, nothing but the news.
fn labelled_done(reading: &Reading, clause: &Clause, name: &[&Token], done: Option<&&Token>) -> bool {
    let talk =
        tag::WORK | tag::GENERIC | tag::STOP | tag::ACK | tag::CHEER | tag::PRAISE | tag::GOOD | tag::INTENS;
    let status = tag::VERDICT | tag::SMOOTH | tag::PROCESS | tag::BEGIN | tag::FIRST | tag::YOU;
    let own = name
        .iter()
        .any(|t| t.is_word() && t.chars > 1 && !t.tags.any(talk | status));
    let behind_colon = done.is_some_and(|done| {
        let tokens = reading.tokens_of(clause);
        let at = tokens.partition_point(|t| t.start < done.start);
        at.checked_sub(1)
            .and_then(|i| tokens.get(i))
            .is_some_and(|t| t.is_punct(':'))
    });
    own && behind_colon
}
