//! Functions of a file that assert for the tests that call them.

use super::asserts::demands;
use super::find::{Brackets, Source, indented};
use super::lang::Lang;
use super::lex::{Sort, Token};
use std::collections::HashMap;

/// How far behind its name a function's body may begin, in tokens; parameters count as one.
const NEAR: usize = 40;

/// The functions of a file that are no tests, with how many assertions each has that can fail.
#[derive(Default)]
pub(super) struct Helpers<'a>(HashMap<&'a str, usize>);

impl<'a> Helpers<'a> {
    pub(super) fn of(source: Option<&Source<'a>>) -> Self {
        let Some(source) = source.filter(|s| !s.tests.is_empty()) else {
            return Self::default();
        };
        let tokens = source.code();
        let brackets = Brackets::of(&tokens);
        let mut found = HashMap::new();
        let mut end = 0;
        for (at, pair) in tokens.windows(2).enumerate() {
            let [keyword, name] = pair else { continue };
            let defines = matches!(
                keyword.text,
                "fn" | "def" | "func" | "fun" | "function" | "const" | "void"
            );
            if at < end || !defines || keyword.sort != Sort::Word || name.sort != Sort::Word {
                continue;
            }
            if source.tests.iter().any(|test| test.name == name.text) {
                continue;
            }
            let Some(behind) = body_end(source.lang, &tokens, &brackets, at) else {
                continue;
            };
            let asserted = demands(source.lang, tokens.get(at..behind).unwrap_or_default()).real;
            if asserted > 0 {
                found.insert(name.text, asserted);
            }
            end = behind;
        }
        Self(found)
    }

    /// How many assertions they make for a test that calls them.
    pub(super) fn assert_for(&self, body: &[Token<'_>]) -> usize {
        let calls = body
            .windows(2)
            .filter(|w| matches!(w, [_, open] if open.is_sign("(")));
        calls
            .filter_map(|w| w.first())
            .filter_map(|name| self.0.get(name.text))
            .sum()
    }
}

/// The place behind the body of the function whose keyword stands at `at`.
fn body_end(lang: Lang, tokens: &[Token<'_>], brackets: &Brackets, at: usize) -> Option<usize> {
    if lang.by_indent() {
        let column = tokens.get(at)?.column;
        return Some(indented(tokens, at + 1, column, lang));
    }
    let mut next = at + 2;
    let mut arrow = !tokens.get(at)?.is_word("const");
    for _ in 0..NEAR {
        let token = tokens.get(next)?;
        arrow |= matches!(token.text, "=>" | "function");
        match token.text {
            // A value, and the next statement.
            _ if !arrow && token.first => return None,
            "{" => return Some(brackets.close(next)),
            "(" | "[" => next = brackets.close(next),
            ";" | "}" => return None,
            _ => next += 1,
        }
    }
    None
}
