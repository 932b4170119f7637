//! Functions of a file that assert for the tests that call them.

use super::asserts::{Demands, demands, demands_when_run, end_of};
use super::find::{Brackets, Source, Test, indented, leaves};
use super::lang::Lang;
use super::lex::{Sort, Token};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How far behind its name a function's body may begin, in tokens; parameters count as one.
const NEAR: usize = 40;

/// A function that is no test.
pub(super) struct Helper<'a> {
    pub(super) line: u32,
    pub(super) demands: Demands,
    /// What it consists of, comments apart.
    pub(super) body: Vec<Token<'a>>,
    /// It stands where tests stand.
    pub(super) for_tests: bool,
    /// It begins by leaving, so that nothing behind that is reached.
    pub(super) leaves: Option<Leaves>,
}

/// How a function begins by leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// It returns, and what it asserts stands behind that.
    Returns,
    /// It leaves out, or ends, the test that calls it.
    Skips,
}

/// The functions of a file that are no tests.
#[derive(Default)]
pub(super) struct Helpers<'a>(BTreeMap<&'a str, Helper<'a>>);

impl<'a> Helpers<'a> {
    pub(super) fn of(source: Option<&Source<'a>>) -> Self {
        let Some(source) = source.filter(|s| s.for_tests || !s.tests.is_empty()) else {
            return Self::default();
        };
        let tokens = source.code();
        let brackets = Brackets::of(&tokens);
        let lines = |range: &Range<usize>| -> Option<(u32, u32)> {
            let part = source.tokens.get(range.clone())?;
            Some((part.first()?.line, part.last()?.line))
        };
        let parts: Vec<(u32, u32)> = source.helpers.iter().filter_map(lines).collect();
        let place = |token: &Token<'_>| (token.line, token.column);
        let inside: Vec<((u32, u32), (u32, u32))> = source
            .tests
            .iter()
            .filter_map(|test| {
                let body = source.tokens.get(test.body.clone())?;
                Some((place(body.first()?), place(body.last()?)))
            })
            .collect();
        let mut found = BTreeMap::new();
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
            // What a test defines for itself is a part of it.
            if inside
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&place(name)))
            {
                continue;
            }
            let Some(behind) = body_end(source.lang, &tokens, &brackets, at) else {
                continue;
            };
            let body = tokens.get(at..behind).unwrap_or_default();
            let leaves = begins_by_leaving(source.lang, body);
            // That nothing behind a way out is reached is told by itself.
            let mut demands = match leaves {
                Some(_) => demands(source.lang, body),
                None => demands_when_run(source.lang, body),
            };
            demands.real -= unwraps(source.lang, body).min(demands.real);
            let among = |(from, to): &(u32, u32)| (*from..=*to).contains(&name.line);
            found.insert(
                name.text,
                Helper {
                    line: name.line,
                    demands,
                    leaves,
                    body: body.to_vec(),
                    for_tests: source.for_tests || parts.iter().any(among),
                },
            );
            end = behind;
        }
        Self(found)
    }

    /// How many assertions they make for a test that calls them; those of other files where this one defines no such name,
    /// and only what is called that is not `known`.
    pub(super) fn assert_for(
        &self,
        body: &[Token<'_>],
        others: &Others<'_>,
        known: &BTreeSet<&str>,
    ) -> usize {
        let calls = body
            .windows(2)
            .filter(|w| matches!(w, [_, open] if open.is_sign("(")));
        calls
            .filter_map(|w| w.first())
            .filter_map(|name| match self.0.get(name.text) {
                Some(own) => Some(own.demands.real),
                None => others
                    .0
                    .get(name.text)
                    .filter(|_| !known.contains(name.text))
                    .copied(),
            })
            .sum()
    }
}

/// Functions of files that are there for tests, with how many assertions they make: of those of one name the fewest.
#[derive(Default)]
pub(super) struct Others<'a>(BTreeMap<&'a str, usize>);

impl<'a> Others<'a> {
    pub(super) fn of<'h>(files: impl Iterator<Item = &'h Helpers<'a>>) -> Self
    where
        'a: 'h,
    {
        let mut found: BTreeMap<&'a str, usize> = BTreeMap::new();
        for (name, helper) in files.flat_map(|file| &file.0).filter(|(_, h)| h.for_tests) {
            let slot = found.entry(*name).or_insert(helper.demands.real);
            *slot = (*slot).min(helper.demands.real);
        }
        Self(found)
    }
}

/// Functions that stand with tests and assert something else than at the base: its name, at the base, now.
pub(super) fn changed<'h, 'a>(
    was: &'h Helpers<'a>,
    is: &'h Helpers<'a>,
) -> impl Iterator<Item = (&'a str, &'h Helper<'a>, &'h Helper<'a>)> {
    let both = was
        .0
        .iter()
        .filter_map(|(name, was)| Some((*name, was, is.0.get(name)?)));
    both.filter(|(_, was, is)| was.for_tests && (is.demands != was.demands || is.leaves != was.leaves))
}

impl Helpers<'_> {
    /// Whether a test of the file calls a function, or the file has none that could.
    pub(super) fn may_be_called(name: &str, source: &Source<'_>) -> bool {
        let calls = |test: &Test| {
            let body = source.tokens.get(test.body.clone()).unwrap_or_default();
            body.iter().any(|t| t.sort == Sort::Word && t.text == name)
        };
        source.tests.is_empty() || source.tests.iter().any(calls)
    }
}

/// Where the first statement of a function begins, whose tokens begin with its keyword.
fn inside(lang: Lang, body: &[Token<'_>]) -> Option<usize> {
    let brackets = Brackets::of(body);
    let mut at = 1;
    for _ in 0..NEAR {
        let token = body.get(at)?;
        match token.text {
            "(" | "[" if token.sort == Sort::Sign => at = brackets.close(at),
            "{" if token.sort == Sort::Sign => return Some(at + 1),
            ":" if lang == Lang::Python && token.sort == Sort::Sign => return Some(at + 1),
            _ if lang == Lang::Ruby && token.first => return Some(at),
            _ => at += 1,
        }
    }
    None
}

fn begins_by_leaving(lang: Lang, body: &[Token<'_>]) -> Option<Leaves> {
    let from = inside(lang, body)?;
    let inside = body.get(from..)?;
    // What describes a function stands before its first statement.
    let about = inside
        .iter()
        .take_while(|t| t.sort == Sort::Text && t.first)
        .count();
    let from = from + about;
    let first = body.get(from)?;
    if first.is_word("return") {
        let end = end_of(lang, body, &Brackets::of(body), from);
        let behind = body.get(end..).unwrap_or_default();
        return (demands(lang, behind).real > 0).then_some(Leaves::Returns);
    }
    leaves(inside).then_some(Leaves::Skips)
}

/// Failures of a helper's own means, which are no assertion about the product: `Err(e) => panic!("…")` unwraps.
fn unwraps(lang: Lang, body: &[Token<'_>]) -> usize {
    if lang != Lang::Rust {
        return 0;
    }
    let panics = body.iter().enumerate().filter(|(_, t)| t.is_word("panic"));
    let of_an_error = |(at, _): &(usize, &Token<'_>)| {
        let before = body.get(at.saturating_sub(12)..*at).unwrap_or_default();
        let mut back = before.iter().rev().skip_while(|t| t.is_sign("{"));
        match back.next() {
            Some(arrow) if arrow.is_sign("=>") => {
                let pattern = back.take_while(|t| !matches!(t.text, "," | "{" | "}"));
                let mut named = pattern.filter(|t| t.sort == Sort::Word);
                named.any(|t| matches!(t.text, "Err" | "None"))
            }
            Some(closed) if closed.is_sign("|") => before.iter().any(|t| t.is_word("unwrap_or_else")),
            _ => false,
        }
    };
    panics.filter(of_an_error).count()
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
