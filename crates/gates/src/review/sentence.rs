//! What the clauses of a sentence say together, computed once for all sentences.

use proctor_prose::{Clause, Features, Reading, Tags, TokenKind, tag};

/// One sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sentence {
    /// The tags of all its words.
    pub(super) tags: Tags,
    /// Somebody else's words. What a tool says is seen, not heard.
    pub(super) told: bool,
    /// It speaks of the time after something else has happened.
    pub(super) conditional: bool,
    /// It tells of a repetition, which replaces what was reported before.
    pub(super) again: bool,
}

/// All sentences, by their number.
pub(super) fn all(reading: &Reading) -> Vec<Sentence> {
    let count = reading.clauses.last().map_or(0, |c| c.sentence + 1);
    let mut out = vec![Sentence::default(); count];
    for clause in &reading.clauses {
        if let Some(sentence) = out.get_mut(clause.sentence) {
            add(reading, clause, sentence);
        }
    }
    out
}

fn add(reading: &Reading, clause: &Clause, sentence: &mut Sentence) {
    sentence.tags |= clause.tags;
    sentence.conditional |= clause.features.has(Features::CONDITIONAL);
    let tokens = reading.tokens_of(clause);
    let tool = tag::TOOL | tag::TESTS | tag::LINT | tag::TYPES | tag::BUILD | tag::LOGS;
    let mut by_tool = false;
    for (at, token) in tokens.iter().enumerate() {
        let word = reading.word(token);
        by_tool |= token.kind == TokenKind::Word
            && token.tags.any(tag::HEARSAY)
            && at
                .checked_sub(1)
                .and_then(|i| tokens.get(i))
                .is_some_and(|b| b.tags.any(tool) || b.kind == TokenKind::Code);
        sentence.conditional |= matches!(word, "그때" | "후에" | "뒤에" | "다음에" | "다음");
        sentence.again |= word.starts_with("재실행")
            || matches!(
                word,
                "re-ran"
                    | "reran"
                    | "rerun"
                    | "re-run"
                    | "re-running"
                    | "now"
                    | "again"
                    | "after"
                    | "second"
                    | "fixed"
                    | "다시"
                    | "이제"
                    | "수정"
                    | "후"
            );
    }
    sentence.told |= clause.features.has(Features::HEARSAY) && !by_tool;
}
