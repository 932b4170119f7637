//! Checks by their names: commands in code marks, and the tests that a name stands for.

use super::success;
use proctor_kernel::{CheckKind, CheckKinds};
use proctor_prose::{Reading, Token, TokenKind, tag};
use std::cell::Cell;

/// Longest command in code marks that is looked up, in bytes.
const COMMAND: usize = 160;

/// Most commands of a text that are looked up; of further ones their words tell.
const COMMANDS: usize = 64;

/// Endings of words that hold a test in their names, as runners and frameworks have them.
const PARTS: [&str; 4] = ["test", "tests", "spec", "specs"];

/// A text whose commands are looked up, each and all of them within bounds.
pub(super) struct Source<'a> {
    text: &'a str,
    left: Cell<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            left: Cell::new(COMMANDS),
        }
    }
}

/// The checks that a command in code marks runs, as they are told of a command that was seen to run. Code without a word
/// of a tool is none.
pub(super) fn command(source: &Source<'_>, token: &Token) -> CheckKinds {
    let tools = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT | tag::TOOL;
    let code = source
        .text
        .get(token.start..token.end)
        .unwrap_or_default()
        .trim_matches('`')
        .trim();
    if code.len() > COMMAND || !code.contains(' ') || !token.tags.any(tools) {
        return CheckKinds::NONE;
    }
    let Some(left) = source.left.get().checked_sub(1) else {
        return CheckKinds::NONE;
    };
    source.left.set(left);
    let mut out = CheckKinds::NONE;
    for check in proctor_shell::analyse(code, &[]).checks {
        out.join(check.kinds);
    }
    // `gradle clean build` tests and builds.
    if !out.is_empty()
        && code
            .split(' ')
            .any(|word| matches!(word, "build" | "assemble" | "package" | "compile"))
    {
        out.insert(CheckKind::Build);
    }
    out
}

/// Whether code or a path names a file: its words say nothing of what is run.
pub(super) fn is_file(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token).trim_matches('`');
    matches!(token.kind, TokenKind::Code | TokenKind::Path)
        && word
            .rsplit('/')
            .next()
            .and_then(|name| name.rsplit_once('.'))
            .is_some_and(|(stem, end)| {
                !stem.is_empty()
                    && (1..=5).contains(&end.len())
                    && end.chars().all(|c| c.is_ascii_alphanumeric())
            })
}

/// Whether a test that is named is said to pass: "test_add passes", "`clamp.test.ts`와 `sum.test.ts` 통과".
pub(super) fn passes(reading: &Reading, tokens: &[&Token]) -> bool {
    // "Only test_a passes", `test_a`만 통과합니다: the rest does not.
    let alone = |t: &&Token| matches!(reading.word(t), "only" | "just" | "만");
    if tokens.iter().any(alone) {
        return false;
    }
    (0..tokens.len()).any(|at| {
        is_verb(reading, tokens, at) && subjects(reading, tokens, at).any(|token| names_test(reading, token))
            || is_pass(reading, tokens, at)
                && subjects(reading, tokens, at)
                    .last()
                    .is_some_and(|token| is_code_name(reading, token))
    })
}

/// Whether a test that is named is said to fail: "test_add fails".
pub(super) fn fails(reading: &Reading, tokens: &[&Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let verb = tokens.get(at).is_some_and(|t| {
            let word = reading.word(t);
            t.tags.any(tag::BADRES) || word == "errors"
        });
        verb && subjects(reading, tokens, at).any(|token| names_test(reading, token))
    })
}

/// Whether the word at `at` says that something passes or is green.
fn is_verb(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    is_pass(reading, tokens, at)
        || match token.kind {
            TokenKind::Word => matches!(word, "green" | "succeed" | "succeeds" | "succeeded"),
            TokenKind::Hangul => ["성공", "초록", "녹색", "파란불"]
                .iter()
                .any(|w| word.starts_with(w)),
            _ => false,
        }
}

fn is_pass(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    match token.kind {
        TokenKind::Word => {
            matches!(word, "pass" | "passes" | "passed" | "passing")
                && !success::takes_object(reading, tokens, at + 1)
        }
        TokenKind::Hangul => {
            // 통과시키다 "lets pass"
            (word.starts_with("통과")
                || token.phrase > 1
                    && tokens
                        .get(at + 1)
                        .is_some_and(|t| reading.word(t).starts_with("통과")))
                && !word.contains('시')
        }
        _ => false,
    }
}

/// The names in front of a verb of which it is said: nothing but particles, adverbs and a list stand between.
fn subjects<'a>(
    reading: &'a Reading,
    tokens: &'a [&'a Token],
    verb: usize,
) -> impl Iterator<Item = &'a Token> {
    let light = tag::STOP | tag::INTENS | tag::GENERIC | tag::CLAUSE | tag::ZERO | tag::FUT;
    let from = tokens
        .get(..verb)
        .unwrap_or_default()
        .iter()
        .rposition(|t| {
            let joins = t.is_punct(',') || t.is_punct(':') || t.is_punct('-') || t.kind == TokenKind::Number;
            let small = t.is_word()
                && (t.tags.any(light) || matches!(reading.word(t), "now" | "again" | "역시" | "이제" | "가"));
            !(joins || small || is_name(t))
        })
        .map_or(0, |at| at + 1);
    tokens
        .get(from..verb)
        .unwrap_or_default()
        .iter()
        .filter(|t| is_name(t))
        .copied()
}

fn is_name(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Code | TokenKind::Ident | TokenKind::Path)
}

/// Whether a name is one of a test, a test class or a test file.
fn names_test(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token).trim_matches('`');
    let last = word.rsplit(['/', ':', '#']).next().unwrap_or_default();
    let mut parts = last.split(|c: char| !c.is_alphanumeric());
    parts.any(|part| PARTS.contains(&part) || part.len() > 8 && PARTS.iter().any(|end| part.ends_with(end)))
        || last.starts_with("test") && last.len() > 6
}

/// Whether code is one name of several parts, as tests have: `alarm_holds_for_30s`. A short one may be anything that
/// passes: `null`, `--strict`.
fn is_code_name(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token).trim_matches('`');
    token.kind == TokenKind::Code
        && !is_file(reading, token)
        && word.matches('_').count() >= 2
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
}
