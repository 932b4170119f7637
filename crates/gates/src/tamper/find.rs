//! The tests that a file of source defines, and whether they would be run.

mod bound;
mod braces;
mod calls;
mod python;

use super::lang::{Lang, is_collected, is_only_called_test, is_test_path};
use super::lex::{Sort, Token, lex};
use std::ops::Range;

/// Most tests that are read of one file; what comes behind is not compared.
pub(super) const MOST: usize = 4_000;

/// Whether a test would be run, as far as its source says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Active,
    /// Marked to be left out, to be finished later, or to fail.
    Skipped,
}

/// How a test is to panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panics {
    /// However it likes.
    Any,
    /// With given words.
    Saying,
}

/// A test.
#[derive(Clone, Debug)]
pub(super) struct Test {
    /// The function's name or the title.
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) state: State,
    /// It is to panic: without words, or with these.
    pub(super) panics: Option<Panics>,
    /// The features of the build without which it is not there, or left out.
    pub(super) features: Vec<String>,
    /// How often it is run again where it fails.
    pub(super) retries: u32,
    /// Its tokens.
    pub(super) body: Range<usize>,
}

/// A file as it is read.
#[derive(Clone, Debug)]
pub(super) struct Source<'a> {
    pub(super) lang: Lang,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) tests: Vec<Test>,
    /// Lines with marks by which only some tests are run.
    pub(super) focus: Vec<u32>,
    /// Parts that hold tests and what they need, outside of tests.
    pub(super) helpers: Vec<Range<usize>>,
    /// Definitions in the place of which another one of the same name stands: Python takes the last.
    pub(super) replaced: Vec<Range<usize>>,
    /// Whether the runner collects its tests at all.
    pub(super) collected: bool,
    /// Whether all of it is there for tests.
    pub(super) for_tests: bool,
}

impl<'a> Source<'a> {
    /// Reads a file; `None` when its language is not known.
    pub(super) fn read(path: &str, text: &'a str) -> Option<Self> {
        let lang = Lang::of(path)?;
        let mut source = Self {
            lang,
            tokens: lex(text, lang),
            tests: Vec::new(),
            focus: Vec::new(),
            helpers: Vec::new(),
            replaced: Vec::new(),
            collected: is_collected(path),
            for_tests: is_test_path(path),
        };
        match lang {
            Lang::Python => python::find(&mut source),
            Lang::Script | Lang::Ruby => calls::find(&mut source),
            Lang::Php => {
                braces::find(&mut source);
                calls::find(&mut source);
            }
            Lang::Rust | Lang::Go | Lang::Java | Lang::Kotlin | Lang::CSharp => braces::find(&mut source),
        }
        // The product's own help for tests may be called so as well.
        if lang == Lang::Python && source.tests.is_empty() && is_only_called_test(path) {
            source.for_tests = false;
        }
        source.tests.sort_by_key(|t| t.body.start);
        // No test stands inside another one.
        let mut end = 0;
        source.tests.retain(|t| {
            let apart = t.body.start >= end;
            end = end.max(t.body.end);
            apart
        });
        Some(source)
    }

    /// All tokens, comments apart.
    pub(super) fn code(&self) -> Vec<Token<'a>> {
        let code = self.tokens.iter().filter(|t| t.sort != Sort::Comment);
        code.copied().collect()
    }

    /// All tokens, comments and what is replaced apart.
    pub(super) fn live(&self) -> Vec<Token<'a>> {
        let live = |at: &usize| !self.replaced.iter().any(|range| range.contains(at));
        let code = self.tokens.iter().enumerate();
        code.filter(|(at, t)| t.sort != Sort::Comment && live(at))
            .map(|(_, t)| *t)
            .collect()
    }

    /// The values of a literal: a row of a table may be one text, `@CsvSource({"1, one"})`.
    pub(super) fn cells<'s>(&self, token: &Token<'s>) -> impl Iterator<Item = &'s str> + use<'s> {
        let rows = matches!(self.lang, Lang::Java | Lang::Kotlin) && token.sort == Sort::Text;
        let whole = (!rows || token.text.contains(',')).then_some(token.text);
        let parts = if rows { token.text } else { "" };
        let parts = parts.split(',').map(str::trim).filter(move |_| rows);
        whole.into_iter().chain(parts)
    }

    /// The tokens of a test, comments apart.
    pub(super) fn body(&self, test: &Test) -> Vec<Token<'a>> {
        let tokens = self.tokens.get(test.body.clone()).unwrap_or_default();
        tokens
            .iter()
            .filter(|t| t.sort != Sort::Comment)
            .copied()
            .collect()
    }

    /// The tokens of the product: what is in no test and not there for tests.
    pub(super) fn product(&self) -> Vec<Token<'a>> {
        if self.for_tests {
            return Vec::new();
        }
        let mut inside = vec![false; self.tokens.len()];
        for range in self.tests.iter().map(|t| &t.body).chain(&self.helpers) {
            for slot in inside.get_mut(range.clone()).into_iter().flatten() {
                *slot = true;
            }
        }
        let outside = self.tokens.iter().zip(inside);
        outside
            .filter(|(t, inside)| !inside && t.sort != Sort::Comment)
            .map(|(t, _)| *t)
            .collect()
    }
}

/// Where each opening bracket is closed: the place behind its partner, or the end of the tokens.
pub(super) struct Brackets(Vec<usize>);

impl Brackets {
    pub(super) fn of(tokens: &[Token<'_>]) -> Self {
        let mut closes = vec![tokens.len(); tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, t)| t.sort == Sort::Sign) {
            match token.text {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    if let Some(slot) = open.pop().and_then(|begin| closes.get_mut(begin)) {
                        *slot = at + 1;
                    }
                }
                _ => {}
            }
        }
        Self(closes)
    }

    /// For each of the tokens, the bracket that it stands in.
    pub(super) fn within(&self, tokens: &[Token<'_>]) -> Vec<Option<usize>> {
        let mut open: Vec<usize> = Vec::new();
        let mut out = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            while open.last().is_some_and(|begin| self.close(*begin) <= at) {
                open.pop();
            }
            out.push(open.last().copied());
            if token.sort == Sort::Sign && matches!(token.text, "(" | "[" | "{") {
                open.push(at);
            }
        }
        out
    }

    /// For the bracket at `open`.
    pub(super) fn close(&self, open: usize) -> usize {
        self.0.get(open).copied().unwrap_or(self.0.len())
    }
}

/// The place behind a block that is told by how far its lines are moved in: the next line that begins no further in
/// than `column`, from `from` on. In Ruby the `end` there belongs to it.
pub(super) fn indented(tokens: &[Token<'_>], from: usize, column: u32, lang: Lang) -> usize {
    let mut nesting = 0_usize;
    for (offset, token) in tokens.get(from..).unwrap_or_default().iter().enumerate() {
        // A method's own `rescue` stands below its head.
        let own_part = lang == Lang::Ruby && matches!(token.text, "rescue" | "ensure" | "else");
        if token.first && nesting == 0 && token.column <= column && token.sort != Sort::Comment && !own_part {
            let own_end = lang == Lang::Ruby && (token.is_word("end") || token.is_sign("}"));
            return from + offset + usize::from(own_end);
        }
        // Lines inside brackets may begin anywhere.
        if token.sort == Sort::Sign && lang == Lang::Python {
            match token.text {
                "(" | "[" | "{" => nesting += 1,
                ")" | "]" | "}" => nesting = nesting.saturating_sub(1),
                _ => {}
            }
        }
    }
    tokens.len()
}

/// The next token from `at` on that is no comment.
pub(super) fn code_from(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let rest = tokens.get(at..)?;
    rest.iter().position(|t| t.sort != Sort::Comment).map(|n| at + n)
}

/// The token before `at` that is no comment.
pub(super) fn code_before<'t, 'a>(tokens: &'t [Token<'a>], at: usize) -> Option<&'t Token<'a>> {
    tokens.get(..at)?.iter().rev().find(|t| t.sort != Sort::Comment)
}

/// Calls that leave a test at once, where they are its own statement.
const LEAVES: [&str; 19] = [
    "skip",
    "Skip",
    "Skipf",
    "SkipNow",
    "skipTest",
    "xfail",
    "pending",
    "markTestSkipped",
    "markTestIncomplete",
    "SkipTest",
    "Ignore",
    "Inconclusive",
    "todo",
    "SkipException",
    "TestAbortedException",
    "exit",
    "_exit",
    "Exit",
    "Goexit",
];

/// Words that may stand before such a call: `t.Skip()`, `pytest.skip()`, `raise unittest.SkipTest`.
const LEADS: [&str; 25] = [
    "t",
    "b",
    "pytest",
    "self",
    "this",
    "$this",
    "raise",
    "unittest",
    "Assert",
    "assert",
    "test",
    "ctx",
    "throw",
    "new",
    "await",
    "process",
    "sys",
    "os",
    "std",
    "System",
    "Environment",
    "Deno",
    "runtime",
    "kotlin",
    "\\",
];

/// Whether a test's body (without its head) begins by leaving: a skip, or a bare return.
pub(super) fn leaves(body: &[Token<'_>]) -> bool {
    let mut tokens = body
        .iter()
        .filter(|t| t.sort != Sort::Comment)
        // What describes a function stands before its first statement.
        .skip_while(|t| t.sort == Sort::Text && t.first);
    let Some(first) = tokens.next() else { return false };
    if first.is_word("return") {
        let second = tokens.next();
        return second.is_none_or(|t| t.first || t.is_sign(";") || t.is_sign("}") || t.is_word("end"));
    }
    let mut token = Some(first);
    for _ in 0..6 {
        match token {
            Some(t) if t.sort == Sort::Word && LEAVES.contains(&t.text) => {
                let next = tokens.next();
                let given = tokens.next();
                // To end with an error is a failure.
                let fails = next.is_some_and(|n| n.is_sign("("))
                    && given.is_some_and(|n| n.sort == Sort::Number && n.text != "0");
                // As a name it is no call: `skip = 3`.
                return !fails && next.is_none_or(|n| !n.is_sign("=") && !n.is_sign(":"));
            }
            Some(t) if t.sort == Sort::Word && LEADS.contains(&t.text) => {}
            Some(t) if matches!(t.text, "." | "->" | "::") => {}
            _ => return false,
        }
        token = tokens.next();
    }
    false
}
