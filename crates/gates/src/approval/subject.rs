//! Which checks a clause speaks of.

use super::named::{self, Source};
use proctor_kernel::{CheckKind, CheckKinds};
use proctor_prose::{Clause, Reading, Token, TokenKind, tag};

/// The kinds of checks that are named. `source` is what was read.
pub(super) fn kinds(source: &Source<'_>, reading: &Reading, tokens: &[&Token]) -> CheckKinds {
    let mut out = CheckKinds::NONE;
    let mut warnings = false;
    let all = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT;
    for (at, token) in tokens.iter().enumerate() {
        let word = reading.word(token).trim_matches('`');
        if token.kind == TokenKind::Hangul && (word.starts_with("빌드") || word.starts_with("컴파일")) {
            out.insert(CheckKind::Build);
        }
        // "no type errors"
        if matches!(word, "type" | "types" | "typing") {
            let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
            if ["error", "check", "issue"].iter().any(|w| next.starts_with(w)) {
                out.insert(CheckKind::Types);
            }
        }
        if token.kind == TokenKind::Code {
            // A command is what its runner checks, whatever words it is made of: `ninja check`, `mix test`.
            let runs = named::command(source, token);
            if !runs.is_empty() {
                out.join(runs);
                continue;
            }
            match word {
                "make" | "ninja" | "makeall" | "makebuild" => out.insert(CheckKind::Build),
                w if w.starts_with("cargocheck") || w.contains("typecheck") || w.contains("type-check") => {
                    out.insert(CheckKind::Types);
                }
                _ => {}
            }
        }
        if !token.tags.any(all) {
            continue;
        }
        // The name of a file says nothing of what is run on it.
        if named::is_file(reading, token) {
            if token.tags.any(tag::TESTS) && names_tests(token, word, "", &[]) {
                out.insert(CheckKind::Tests);
            }
            continue;
        }
        if is_warning(word) {
            // A number of them denies none.
            let count = at.checked_sub(1).and_then(|at| tokens.get(at));
            warnings |= count.is_none_or(|t| t.kind != TokenKind::Number || reading.word(t) == "0");
            continue;
        }
        let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
        let rest: Vec<&str> = phrase(reading, tokens, at).collect();
        if token.tags.any(tag::TESTS) && names_tests(token, word, next, &rest) {
            out.insert(CheckKind::Tests);
        }
        if token.tags.any(tag::BUILD) && names_build(token, word) {
            out.insert(CheckKind::Build);
        }
        if token.tags.any(tag::TYPES) && names_types(token, word, next) {
            out.insert(CheckKind::Types);
        }
        if token.tags.any(tag::LINT) && !word.starts_with("audit") {
            // "no warnings" is listed as one.
            let of_warnings = token.phrase > 1 && is_warning(next);
            warnings |= of_warnings;
            if !of_warnings {
                out.insert(CheckKind::Lint);
            }
        }
    }
    // "TypeScript compiles": its compiler is asked for the types.
    if out.has(CheckKind::Build)
        && out.has(CheckKind::Types)
        && tokens.iter().any(|t| reading.word(t) == "typescript")
    {
        out = CheckKind::Types.into();
    }
    // "test_add passes", "`clamp.test.ts` is green"
    if out.is_empty() && (named::passes(reading, tokens) || named::fails(reading, tokens)) {
        out.insert(CheckKind::Tests);
    }
    // Warnings belong to what was run; on their own they are a linter's. "12 passed, 3 warnings" is the end of tests.
    let counted = || {
        tokens.windows(2).any(|pair| match pair {
            [number, passed] => {
                number.kind == TokenKind::Number
                    && matches!(
                        reading.word(passed),
                        "passed" | "passing" | "pass" | "green" | "통과"
                    )
            }
            _ => false,
        })
    };
    if warnings && out.is_empty() && !counted() {
        out.insert(CheckKind::Lint);
    }
    out
}

/// Whether warnings are all that is named: they belong to what was spoken of before.
pub(super) fn only_warnings(reading: &Reading, tokens: &[&Token]) -> bool {
    let all = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT;
    let mut named = tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.tags.any(all))
        .peekable();
    named.peek().is_some()
        && named.all(|(at, t)| {
            let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
            is_warning(reading.word(t)) || t.phrase > 1 && is_warning(next)
        })
}

/// Whether the warnings of a clause are nobody's: "There are no warnings", not "No lint warnings remain".
pub(super) fn bare_warnings(reading: &Reading, tokens: &[&Token]) -> bool {
    !tokens
        .iter()
        .any(|t| reading.word(t).starts_with("lint") || reading.word(t).starts_with("린"))
}

/// Whether all that a clause says of a linter is that there are no warnings.
pub(super) fn lints_by_warnings(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    let mut of_lint = tokens.iter().enumerate().filter(|(_, t)| t.tags.any(tag::LINT));
    of_lint.all(|(at, t)| {
        let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
        is_warning(reading.word(t)) || t.phrase > 1 && is_warning(next)
    })
}

fn is_warning(word: &str) -> bool {
    word.starts_with("warning") || word.starts_with("경고") || word.starts_with("워닝")
}

/// The further words of the listed phrase that begins at `at`.
fn phrase<'a>(reading: &'a Reading, tokens: &'a [&Token], at: usize) -> impl Iterator<Item = &'a str> {
    let length = tokens.get(at).map_or(1, |t| usize::from(t.phrase));
    tokens
        .iter()
        .skip(at + 1)
        .take(length.saturating_sub(1))
        .map(|t| reading.word(t))
}

/// Tests as a thing, not testing as a deed.
fn names_tests(token: &Token, word: &str, next: &str, rest: &[&str]) -> bool {
    match token.kind {
        TokenKind::Hangul => {
            let deed = [
                "테스트해",
                "테스트했",
                "테스트하",
                "테스트됐",
                "테스트되",
                "시험해",
                "시험했",
            ];
            let other = ["검사", "확인"];
            let finished = word == "테스트" && done(next);
            // 타입 검사: a listed phrase with the tags of all of its words.
            let other_check = token.phrase > 1
                && token.tags.any(tag::TYPES | tag::LINT | tag::BUILD)
                && !word.starts_with("테스트")
                && !rest.iter().any(|r| r.starts_with("테스트"));
            !finished && !other_check && !deed.iter().chain(&other).any(|w| word.starts_with(w))
        }
        _ => {
            let named = ["test", "spec", "suite", "e2e", "ctest", "junit"]
                .iter()
                .any(|w| word.contains(w) || rest.iter().any(|r| r.contains(w)));
            let deed = word.starts_with("tested")
                || word.starts_with("tester")
                || word == "testing"
                || word == "test" && next == "it";
            // A file whose name merely sounds like tests is none: assertion.py.
            (named || token.tags.any(tag::TOOL) && token.kind != TokenKind::Code || runner(word)) && !deed
        }
    }
}

/// Runners whose names do not say that they test.
fn runner(word: &str) -> bool {
    matches!(
        word,
        "jest"
            | "mocha"
            | "rspec"
            | "phpunit"
            | "tox"
            | "nox"
            | "cypress"
            | "playwright"
            | "karma"
            | "ava"
            | "tap"
            | "bats"
    )
}

fn done(word: &str) -> bool {
    ["완료", "마쳤", "끝"].iter().any(|w| word.starts_with(w))
}

fn names_build(token: &Token, word: &str) -> bool {
    // "rebuilt the index" builds something else.
    token.kind == TokenKind::Code
        || ["build", "compil", "빌드", "컴파일", "링크"]
            .iter()
            .any(|w| word.starts_with(w))
        || token.tags.any(tag::TOOL)
        || token.phrase > 1
}

fn names_types(token: &Token, word: &str, next: &str) -> bool {
    if token.kind != TokenKind::Hangul {
        return true;
    }
    let of = ["체크", "검사", "에러", "오류", "확인", "검증", "체커"];
    token.phrase > 1
        || of.iter().any(|w| next.starts_with(w) || word.contains(w))
        || matches!(word, "타입" | "타입은" | "타입도")
}
