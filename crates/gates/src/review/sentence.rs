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
    /// It lists examples behind a label: "Examples: tests pass, …".
    pub(super) example: bool,
}

/// The sentences of a text, each read when it is asked for. Few are, and one several times in a row.
pub(super) struct Sentences<'r> {
    reading: &'r Reading,
    /// The one that was asked for last, by its number.
    last: Cell<Option<(usize, Sentence)>>,
    /// The same of one whose figures were asked for, and whether they are of an empty run.
    figures: Cell<Option<(usize, bool)>>,
}

impl<'r> Sentences<'r> {
    /// Those of a text.
    pub(super) fn of(reading: &'r Reading) -> Self {
        Self {
            reading,
            last: Cell::new(None),
            figures: Cell::new(None),
        }
    }

    /// The sentence of a clause.
    pub(super) fn of_clause(&self, clause: &Clause) -> Sentence {
        self.known(clause.sentence)
            .unwrap_or_else(|| self.read(clause.sentence, self.clauses(clause)))
    }

    /// The sentence of the clause at `index`, where clauses are asked for in their order: it begins there or is known.
    pub(super) fn of_next(&self, index: usize, clause: &Clause) -> Sentence {
        let number = clause.sentence;
        self.known(number).unwrap_or_else(|| {
            let from = self.reading.clauses.get(index..).unwrap_or_default();
            self.read(number, from.iter().take_while(|c| c.sentence == number))
        })
    }

    fn known(&self, number: usize) -> Option<Sentence> {
        let last = self.last.get().filter(|(known, _)| *known == number);
        last.map(|(_, sentence)| sentence)
    }

    fn read(&self, number: usize, clauses: impl Iterator<Item = &'r Clause>) -> Sentence {
        let mut sentence = Sentence::default();
        clauses.for_each(|clause| add(self.reading, clause, &mut sentence));
        self.last.set(Some((number, sentence)));
        sentence
    }

    /// Whether the sentence of a clause speaks of the time after something else has happened.
    pub(super) fn is_conditional(&self, clause: &Clause) -> bool {
        let waits = |t: &Token| {
            t.kind == TokenKind::Hangul && t.may_be(&LATER) && AFTERWARDS.contains(&self.reading.word(t))
        };
        let mut clauses = self.clauses(clause);
        clauses.any(|c| {
            c.features.has(Features::CONDITIONAL)
                || c.kinds.any(Kinds::HANGUL) && self.reading.tokens_of(c).iter().any(waits)
        })
    }

    /// Whether the sentence of a clause tells of a repetition, which replaces what was reported before.
    pub(super) fn is_repetition(&self, clause: &Clause) -> bool {
        let word = |t: &Token| self.reading.word(t);
        let again = |t: &Token| match t.kind {
            TokenKind::Punct(_) | TokenKind::Emoji | TokenKind::Code => false,
            TokenKind::Hangul => {
                t.may_be(&REPEATED) && REPETITION.contains(&word(t))
                    || t.chars > 2 && word(t).starts_with("재실행")
            }
            _ => t.may_be(&AGAIN) && REPETITIONS.contains(&word(t)),
        };
        self.clauses(clause)
            .any(|c| self.reading.tokens_of(c).iter().any(again))
    }

    /// Whether the sentence of a clause gives figures of a run without a single test: 0/0.
    pub(super) fn is_empty_run(&self, clause: &Clause) -> bool {
        let number = clause.sentence;
        if let Some((_, empty)) = self.figures.get().filter(|(known, _)| *known == number) {
            return empty;
        }
        // A figure of three characters, in a clause with figures.
        let empty = |t: &Token| t.kind == TokenKind::Number && t.chars == 3 && self.reading.word(t) == "0/0";
        let mut clauses = self.clauses(clause).filter(|c| c.kinds.any(Kinds::NUMBER));
        let empty = clauses.any(|c| self.reading.tokens_of(c).iter().any(empty));
        self.figures.set(Some((number, empty)));
        empty
    }

    /// The clauses of the sentence of a clause.
    fn clauses(&self, clause: &Clause) -> impl Iterator<Item = &'r Clause> {
        let number = clause.sentence;
        let all = self.reading.clauses.as_slice();
        // They are numbered in order.
        let first = all.partition_point(|clause| clause.sentence < number);
        let from = all.get(first..).unwrap_or_default();
        from.iter().take_while(move |clause| clause.sentence == number)
    }
}

fn add(reading: &Reading, clause: &Clause, sentence: &mut Sentence) {
    sentence.tags |= clause.tags;
    let tokens = reading.tokens_of(clause);
    sentence.example |= lists_examples(reading, tokens);
    // Who says it matters where something is said.
    if !clause.features.has(Features::HEARSAY) {
        return;
    }
    let tool = tag::TOOL | tag::TESTS | tag::LINT | tag::TYPES | tag::BUILD | tag::LOGS;
    let by_tool = tokens.windows(2).any(|pair| match pair {
        [by, says] => {
            says.kind == TokenKind::Word
                && says.tags.any(tag::HEARSAY)
                && (by.tags.any(tool) || by.kind == TokenKind::Code)
        }
        _ => false,
    });
    sentence.told |= !by_tool;
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
    // Few clauses begin with a label.
    let colon = |at: usize| tokens.get(at).is_some_and(|t| t.is_punct(':'));
    if !(colon(1) | colon(2) | colon(3)) {
        return false;
    }
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
        TokenKind::Code => opens_placeholder(reading.bytes(token)) && is_placeholder(reading.word(token)),
        TokenKind::Word | TokenKind::Hangul => opens && token.glued && placeholder(tokens, at),
        _ => false,
    })
}

/// Whether inline code may be a placeholder: it shows by its first bytes.
pub(super) fn opens_placeholder(code: &[u8]) -> bool {
    let at = |n: usize| code.get(n).copied().unwrap_or_default();
    (at(0) == b'<') | ((at(0) == b'`') & ((at(1) == b'<') | (at(1) == b'`')))
}

/// Whether inline code is a placeholder.
fn is_placeholder(code: &str) -> bool {
    let inner = code.trim_start_matches('`');
    inner.starts_with('<') && inner.trim_end_matches('`').ends_with('>') && inner.matches('<').count() == 1
}
