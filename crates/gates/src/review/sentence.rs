//! What the clauses of a sentence say together.

use proctor_prose::{Clause, Features, Filter, Kinds, Reading, Tags, Token, TokenKind, tag};
use std::cell::Cell;

/// One sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sentence {
    /// The tags of all its words.
    pub(super) tags: Tags,
    /// Somebody else's words. What a tool says is seen, not heard.
    pub(super) told: bool,
    /// It speaks of the time after something else has happened.
    pub(super) conditional: bool,
    /// It lists examples behind a label: "Examples: tests pass, …".
    pub(super) example: bool,
    /// It gives figures of a run without a single test: 0/0.
    pub(super) empty_run: bool,
    /// It tells of a repetition, which replaces what was reported before.
    pub(super) again: bool,
}

/// The sentences of a text, each read when it is asked for. Few are, and one several times in a row.
pub(super) struct Sentences<'r> {
    reading: &'r Reading,
    /// The one that was asked for last, by its number.
    last: Cell<Option<(usize, Sentence)>>,
}

impl<'r> Sentences<'r> {
    /// Those of a text.
    pub(super) fn of(reading: &'r Reading) -> Self {
        Self {
            reading,
            last: Cell::new(None),
        }
    }

    /// The sentence of a clause.
    pub(super) fn of_clause(&self, clause: &Clause) -> Sentence {
        let number = clause.sentence;
        if let Some((_, sentence)) = self.last.get().filter(|(known, _)| *known == number) {
            return sentence;
        }
        let clauses = &self.reading.clauses;
        // They are numbered in order.
        let first = clauses.partition_point(|clause| clause.sentence < number);
        let mut sentence = Sentence::default();
        for clause in clauses
            .iter()
            .skip(first)
            .take_while(|clause| clause.sentence == number)
        {
            add(self.reading, clause, &mut sentence);
        }
        self.last.set(Some((number, sentence)));
        sentence
    }
}

fn add(reading: &Reading, clause: &Clause, sentence: &mut Sentence) {
    sentence.tags |= clause.tags;
    sentence.conditional |= clause.features.has(Features::CONDITIONAL);
    let tokens = reading.tokens_of(clause);
    let tool = tag::TOOL | tag::TESTS | tag::LINT | tag::TYPES | tag::BUILD | tag::LOGS;
    let mut by_tool = false;
    sentence.example |= lists_examples(reading, tokens);
    let hearsay = clause.features.has(Features::HEARSAY);
    for (at, token) in tokens.iter().enumerate() {
        if matches!(
            token.kind,
            TokenKind::Punct(_) | TokenKind::Emoji | TokenKind::Code
        ) {
            continue;
        }
        sentence.empty_run |=
            token.kind == TokenKind::Number && token.chars == 3 && reading.word(token) == "0/0";
        // Who says it matters where something is said.
        by_tool |= hearsay
            && token.kind == TokenKind::Word
            && token.tags.any(tag::HEARSAY)
            && at
                .checked_sub(1)
                .and_then(|i| tokens.get(i))
                .is_some_and(|b| b.tags.any(tool) || b.kind == TokenKind::Code);
        if token.kind == TokenKind::Hangul {
            sentence.conditional |= token.may_be(&LATER) && AFTERWARDS.contains(&reading.word(token));
            sentence.again |= token.may_be(&REPEATED) && REPETITION.contains(&reading.word(token))
                || token.chars > 2 && reading.word(token).starts_with("재실행");
        } else {
            sentence.again |= token.may_be(&AGAIN) && REPETITIONS.contains(&reading.word(token));
        }
    }
    sentence.told |= hearsay && !by_tool;
}

/// Korean words for what comes after something else.
const AFTERWARDS: [&str; 5] = ["그때", "후에", "뒤에", "다음에", "다음"];
static LATER: Filter = Filter::of(&AFTERWARDS);
/// Words for a repetition, in Korean and in English.
const REPETITION: [&str; 4] = ["다시", "이제", "수정", "후"];
static REPEATED: Filter = Filter::of(&REPETITION);
const REPETITIONS: [&str; 10] = [
    "re-ran",
    "reran",
    "rerun",
    "re-run",
    "re-running",
    "now",
    "again",
    "after",
    "second",
    "fixed",
];
static AGAIN: Filter = Filter::of(&REPETITIONS);

/// Whether a clause begins with a label for examples: `Examples:`, `e.g.:`, `예:`.
fn lists_examples(reading: &Reading, tokens: &[Token]) -> bool {
    let Some(mark) = tokens
        .iter()
        .take(4)
        .position(|t| t.kind == TokenKind::Punct(':'))
    else {
        return false;
    };
    tokens.get(..mark).unwrap_or_default().iter().any(|t| {
        let word = reading.word(t);
        matches!(word, "example" | "examples" | "e.g" | "예" | "예를" | "예컨대") || word.starts_with("예시")
    })
}

/// Longest placeholder in tokens.
const PLACEHOLDER: usize = 8;

/// Whether the token at `at` stands in a placeholder such as `<n>` or `<file name>`, which somebody was to fill in.
pub(super) fn placeholder(tokens: &[Token], at: usize) -> bool {
    let before = tokens.get(at.saturating_sub(PLACEHOLDER)..at).unwrap_or_default();
    let after = tokens.get(at + 1..).unwrap_or_default();
    let opens = before
        .iter()
        .rev()
        .find(|t| matches!(t.kind, TokenKind::Punct('<' | '>')));
    let closes = after
        .iter()
        .take(PLACEHOLDER)
        .find(|t| matches!(t.kind, TokenKind::Punct('<' | '>')));
    opens.is_some_and(|t| t.is_punct('<')) && closes.is_some_and(|t| t.is_punct('>') && t.glued)
}

/// Whether a clause still holds a placeholder, in prose or as inline code (`<command>`), where it should name
/// what was seen. Beside a file and a figure, `<head>` is the name of an element.
pub(super) fn holds_placeholder(reading: &Reading, clause: &Clause) -> bool {
    if !clause.kinds.any(Kinds::ANGLE.or(Kinds::CODE)) {
        return false;
    }
    let opens = clause.kinds.any(Kinds::ANGLE);
    let tokens = reading.tokens_of(clause);
    if clause.kinds.any(Kinds::PATH) && clause.kinds.any(Kinds::NUMBER) {
        return false;
    }
    tokens.iter().enumerate().any(|(at, token)| match token.kind {
        TokenKind::Word | TokenKind::Hangul => opens && token.glued && placeholder(tokens, at),
        TokenKind::Code => {
            let inner = reading.word(token).trim_matches('`');
            inner.starts_with('<') && inner.ends_with('>') && inner.matches('<').count() == 1
        }
        _ => false,
    })
}
