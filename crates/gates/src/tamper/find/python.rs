//! pytest and unittest.

use super::{Source, State, Test, code_before, indented, leaves};
use crate::tamper::lang::Lang;
use crate::tamper::lex::{Sort, Token};

/// Words in a decorator or a mark that leave a test out, or expect it to fail.
const SKIPS: [&str; 6] = [
    "skip",
    "skipif",
    "skipIf",
    "skipUnless",
    "xfail",
    "expectedFailure",
];

/// A class that is open at a place.
struct Class {
    column: u32,
    end: usize,
    collected: bool,
    skipped: bool,
}

pub(super) fn find(source: &mut Source<'_>) {
    let tokens = &source.tokens;
    let whole_file_skipped = skips_file(tokens);
    let mut classes: Vec<Class> = Vec::new();
    let mut marked = false;
    let mut at = 0;
    let mut tests = Vec::new();
    // The place behind the function that was met last.
    let mut behind = 0;
    while let Some(token) = tokens.get(at) {
        classes.retain(|c| at < c.end);
        if token.is_sign("@") && token.first {
            let end = decorator_end(tokens, at + 1);
            let words = tokens.get(at..end).unwrap_or_default();
            marked |= words
                .iter()
                .any(|t| t.sort == Sort::Word && SKIPS.contains(&t.text))
                && !elsewhere(words);
            at = end;
            continue;
        }
        if token.is_word("class") && token.first {
            let end = indented(tokens, at + 1, token.column, Lang::Python);
            let name = tokens.get(at + 1).map_or("", |t| t.text);
            let head = tokens.get(at..(at + 12).min(end)).unwrap_or_default();
            let head: Vec<&Token<'_>> = head.iter().take_while(|t| !t.is_sign(":")).collect();
            let derived = head
                .iter()
                .any(|t| t.sort == Sort::Word && t.text.ends_with("TestCase"));
            let turned_off = tokens
                .get(at..end)
                .unwrap_or_default()
                .windows(3)
                .any(|w| w[0].is_word("__test__") && w[1].is_sign("=") && w[2].is_word("False"));
            classes.push(Class {
                column: token.column,
                end,
                collected: (name.starts_with("Test") || derived) && !turned_off,
                skipped: marked,
            });
            marked = false;
        } else if token.is_word("def") {
            let name = tokens.get(at + 1).map_or("", |t| t.text);
            let start = line_start(tokens, at);
            let column = tokens.get(start).map_or(0, |t| t.column);
            let end = indented(tokens, at + 1, column, Lang::Python);
            let class = classes.last().filter(|c| c.column < column);
            let collected = match class {
                Some(class) => class.collected,
                None => column == 0,
            };
            // What a function defines for itself is nobody's test.
            let nested = at < behind;
            behind = behind.max(end);
            if name.starts_with("test") && collected && !nested {
                let head = tokens.get(at..end).unwrap_or_default();
                let body = head_end(head);
                let skipped = marked
                    || whole_file_skipped
                    || classes.iter().any(|c| c.skipped)
                    || leaves(head.get(body..).unwrap_or_default());
                tests.push(Test {
                    name: name.to_owned(),
                    line: token.line,
                    state: if skipped { State::Skipped } else { State::Active },
                    panics: None,
                    features: Vec::new(),
                    retries: 0,
                    body: at..end,
                });
            }
            marked = false;
        } else if token.first && !token.is_word("async") && token.sort != Sort::Comment {
            marked = false;
        }
        at += 1;
    }
    let replaced = super::bound::replaced(tokens);
    tests.retain(|test| !replaced.iter().any(|range| range.contains(&test.body.start)));
    source.tests = tests;
    source.replaced = replaced;
}

/// `skipif(sys.platform == "win32")`, `skipif(WIN)`: left out on another system, and nothing else is said.
fn elsewhere(words: &[Token<'_>]) -> bool {
    let system = |t: &Token<'_>| matches!(t.text, "platform" | "name" | "system");
    let other = |t: &Token<'_>| {
        t.sort == Sort::Text && matches!(t.text, "win32" | "Windows" | "nt" | "cygwin" | "win")
    };
    let plain = !words.iter().any(|t| {
        matches!(
            t.text,
            "or" | "not" | "!=" | "|" | "True" | "skip" | "xfail" | "expectedFailure" | "lambda"
        ) || (t.is_word("skipUnless"))
    });
    let named = words.iter().any(|t| {
        t.sort == Sort::Word
            && matches!(
                t.text,
                "WIN" | "WINDOWS" | "IS_WINDOWS" | "ON_WINDOWS" | "is_windows"
            )
    });
    plain && (named || (words.iter().any(system) && words.iter().any(other)))
}

/// The first token of the line: `async def` begins with `async`.
fn line_start(tokens: &[Token<'_>], at: usize) -> usize {
    match code_before(tokens, at) {
        Some(t) if t.is_word("async") && tokens.get(at).is_some_and(|d| !d.first) => at.saturating_sub(1),
        _ => at,
    }
}

fn decorator_end(tokens: &[Token<'_>], from: usize) -> usize {
    let mut nesting = 0_usize;
    for (offset, token) in tokens.get(from..).unwrap_or_default().iter().enumerate() {
        match token.text {
            "(" | "[" | "{" if token.sort == Sort::Sign => nesting += 1,
            ")" | "]" | "}" if token.sort == Sort::Sign => nesting = nesting.saturating_sub(1),
            _ if token.first && nesting == 0 => return from + offset,
            _ => {}
        }
    }
    tokens.len()
}

/// Behind the `:` that ends a head.
fn head_end(tokens: &[Token<'_>]) -> usize {
    let mut nesting = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" if token.sort == Sort::Sign => nesting += 1,
            ")" | "]" | "}" if token.sort == Sort::Sign => nesting = nesting.saturating_sub(1),
            ":" if nesting == 0 && token.sort == Sort::Sign => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// `pytestmark = pytest.mark.skip…`, `pytest.skip(…, allow_module_level=True)`, `__test__ = False` at the left edge.
fn skips_file(tokens: &[Token<'_>]) -> bool {
    let edge = |t: &Token<'_>| t.first && t.column == 0;
    tokens.iter().enumerate().any(|(at, token)| {
        if !edge(token) {
            return false;
        }
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let statement = || rest.iter().take_while(|t| !edge(t)).take(40);
        match token.text {
            "pytestmark" => statement().any(|t| t.sort == Sort::Word && SKIPS.contains(&t.text)),
            "__test__" => statement().any(|t| t.is_word("False")),
            "pytest" => statement().any(|t| t.is_word("allow_module_level")),
            _ => false,
        }
    })
}
