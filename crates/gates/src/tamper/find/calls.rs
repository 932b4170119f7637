//! Tests that are calls with a title: `it("…", () => …)`, `it "…" do`. And Ruby's methods.

use super::{Brackets, MOST, Source, State, Test, code_before, indented, leaves};
use crate::tamper::lang::Lang;
use crate::tamper::lex::{Sort, Token};
use std::ops::Range;

/// What a word in the place of a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Test,
    Group,
}

/// How it is marked by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    Skip,
    Focus,
}

fn meaning(lang: Lang, word: &str) -> Option<(Call, Mark)> {
    use Call::{Group, Test};
    let plain = |word: &str| match word {
        "it" | "test" | "specify" | "scenario" | "example" => Some(Test),
        "describe" | "context" | "suite" | "feature" => Some(Group),
        _ => None,
    };
    if lang == Lang::Php {
        return matches!(word, "it" | "test" | "describe").then(|| (plain(word).unwrap_or(Test), Mark::None));
    }
    if lang == Lang::Script && matches!(word, "scenario" | "example" | "feature") {
        return None;
    }
    if let Some(call) = plain(word) {
        return Some((call, Mark::None));
    }
    let marked = |start: char, mark: Mark| {
        let rest = word.strip_prefix(start)?;
        plain(rest).map(|call| (call, mark))
    };
    match word {
        "pending" if lang == Lang::Ruby => Some((Test, Mark::Skip)),
        _ => marked('x', Mark::Skip).or_else(|| marked('f', Mark::Focus)),
    }
}

/// Names behind a dot that leave out, and those that leave out the others.
const SKIPS: [&str; 7] = ["skip", "todo", "fixme", "failing", "fails", "skipIf", "fail"];

pub(super) fn find(source: &mut Source<'_>) {
    // A product may have functions of these names.
    if source.lang != Lang::Ruby && !source.for_tests && !imports_runner(&source.tokens) {
        return;
    }
    let tokens = &source.tokens;
    let brackets = Brackets::of(tokens);
    let lang = source.lang;
    let mut off: Vec<Range<usize>> = Vec::new();
    let mut tests = Vec::new();
    let mut focus = Vec::new();
    // No test stands inside another one.
    let mut behind = 0;
    for at in 0..tokens.len() {
        if at < behind {
            continue;
        }
        if tests.len() >= MOST {
            break;
        }
        let Some(token) = tokens.get(at).filter(|t| t.sort == Sort::Word) else {
            continue;
        };
        off.retain(|range| range.end > at);
        if lang == Lang::Ruby && token.is_word("def") && token.first {
            let name = tokens.get(at + 1).filter(|t| t.text.starts_with("test_"));
            if let Some(name) = name {
                let end = indented(tokens, at + 1, token.column, lang);
                let inside = tokens.get(at + 2..end).unwrap_or_default();
                let inside = inside.iter().position(|t| t.first).and_then(|n| inside.get(n..));
                let skipped = off.iter().any(|o| o.contains(&at)) || inside.is_some_and(leaves);
                tests.push(test(name.text, token.line, skipped, 0, at..end));
                behind = end;
            }
            continue;
        }
        let Some((call, mark)) = meaning(lang, token.text) else {
            continue;
        };
        let Some(found) = read(lang, tokens, &brackets, at) else {
            continue;
        };
        let skipped = mark == Mark::Skip || found.skipped;
        if mark == Mark::Focus || found.focused {
            focus.push(token.line);
        }
        match call {
            Call::Group if skipped => off.push(found.range),
            Call::Group => {}
            Call::Test => {
                let body = tokens.get(found.body..found.range.end).unwrap_or_default();
                let skipped = skipped || off.iter().any(|o| o.contains(&at)) || leaves(body);
                behind = found.range.end;
                tests.push(test(&found.name, token.line, skipped, found.retries, found.range));
            }
        }
    }
    source.tests.extend(tests);
    source.focus = focus;
}

fn test(name: &str, line: u32, skipped: bool, retries: u32, body: Range<usize>) -> Test {
    Test {
        name: name.to_owned(),
        line,
        state: if skipped { State::Skipped } else { State::Active },
        panics: None,
        features: Vec::new(),
        retries,
        body,
    }
}

/// A call as it stands there.
struct Found {
    name: String,
    range: Range<usize>,
    /// Where its function begins.
    body: usize,
    skipped: bool,
    focused: bool,
    /// How often it is run again where it fails.
    retries: u32,
}

/// Reads the call of the word at `at`, if it is one with a title.
fn read(lang: Lang, tokens: &[Token<'_>], brackets: &Brackets, at: usize) -> Option<Found> {
    let token = tokens.get(at)?;
    let before = code_before(tokens, at);
    let owned = before.is_some_and(|t| {
        matches!(t.text, "." | "->" | "::" | "?.") || t.is_word("function") || t.is_word("def")
    });
    let by_runner = at >= 2
        && tokens
            .get(at - 2)
            .is_some_and(|t| t.is_word("Deno") || t.is_word("RSpec"));
    if owned && !by_runner {
        return None;
    }
    let (mut skipped, mut focused, mut retries) = (false, false, 0);
    let mut next = at + 1;
    // `.skip`, `.only`, `.each(…)`, `.concurrent`.
    while lang == Lang::Script && tokens.get(next).is_some_and(|t| t.is_sign(".")) {
        let word = tokens.get(next + 1).filter(|t| t.sort == Sort::Word)?;
        skipped |= SKIPS.contains(&word.text);
        focused |= word.text == "only";
        next += 2;
        if matches!(word.text, "each" | "skipIf" | "runIf" | "for") {
            let open = tokens.get(next)?;
            // Run only where somebody sets a variable; what a system or a browser has says nothing.
            let asked = tokens.get(next..brackets.close(next)).unwrap_or_default();
            let variable = asked.iter().any(|t| t.is_word("env") || t.is_word("false"));
            skipped |= word.text == "runIf" && variable;
            next = if open.is_sign("(") {
                brackets.close(next)
            } else {
                next + 1
            };
        }
    }
    let open = next;
    let in_brackets = tokens.get(open).is_some_and(|t| t.is_sign("("));
    let first = if in_brackets { open + 1 } else { open };
    let title = tokens.get(first)?;
    let constant = title.sort == Sort::Word && title.text.starts_with(char::is_uppercase);
    if title.sort != Sort::Text && !(constant && matches!(lang, Lang::Ruby | Lang::Script)) {
        return None;
    }
    if lang != Lang::Ruby && !in_brackets {
        return None;
    }
    let mut end = if lang == Lang::Ruby {
        indented(tokens, at + 1, line_column(tokens, at), lang)
    } else {
        brackets.close(open)
    };
    // What describes the test: up to its function or block.
    let rest = tokens.get(first + 1..end).unwrap_or_default();
    let begins = |t: &Token<'_>| {
        t.is_sign("=>")
            || t.is_word("function")
            || t.is_word("do")
            || t.is_word("fn")
            || (lang == Lang::Ruby && t.is_sign("{"))
    };
    let head_length = rest.iter().position(begins).unwrap_or(rest.len());
    let head = rest.get(..head_length).unwrap_or_default();
    for (offset, token) in head.iter().enumerate() {
        let told = |n: usize| head.get(offset + n);
        let named = token.sort == Sort::Word && told(1).is_some_and(|t| t.is_sign(":"));
        let symbol = lang == Lang::Ruby && offset > 0 && head.get(offset - 1).is_some_and(|t| t.is_sign(":"));
        let off = told(2).is_some_and(|t| t.is_word("false") || t.is_word("nil"));
        let again = told(2)
            .filter(|t| t.sort == Sort::Number)
            .and_then(|t| t.text.parse().ok());
        if let Some(again) = again.filter(|_| named && matches!(token.text, "retry" | "retries")) {
            retries = again;
        }
        if (named && !off) || symbol {
            skipped |= matches!(token.text, "skip" | "todo" | "pending");
            focused |= matches!(token.text, "only" | "focus");
        }
    }
    let mut body = first + 1 + head_length + 1;
    if tokens.get(body).is_some_and(|t| t.is_sign("{") || t.is_sign("|")) {
        body += 1;
    }
    if lang == Lang::Php {
        if let Some(brace) = tokens
            .get(body..end)
            .and_then(|t| t.iter().position(|t| t.is_sign("{")))
        {
            body += brace + 1;
        }
        // `it(…)->skip()`.
        while tokens.get(end).is_some_and(|t| t.is_sign("->")) {
            let word = tokens.get(end + 1).map_or("", |t| t.text);
            skipped |= SKIPS.contains(&word);
            focused |= word == "only";
            end = if tokens.get(end + 2).is_some_and(|t| t.is_sign("(")) {
                brackets.close(end + 2)
            } else {
                end + 2
            };
        }
    }
    // In Ruby a title without a block is a test to be written.
    skipped |=
        lang == Lang::Ruby && head_length == rest.len() && token.text == "it" && title.sort == Sort::Text;
    Some(Found {
        name: title.text.to_owned(),
        range: at..end,
        body,
        skipped,
        focused,
        retries,
    })
}

/// How far in the line of a token begins.
fn line_column(tokens: &[Token<'_>], at: usize) -> u32 {
    let first = tokens.get(..=at).and_then(|t| t.iter().rev().find(|t| t.first));
    first.map_or(0, |t| t.column)
}

/// A file that imports a runner is there for tests, wherever it lies.
fn imports_runner(tokens: &[Token<'_>]) -> bool {
    const RUNNERS: [&str; 9] = [
        "vitest",
        "@jest/globals",
        "mocha",
        "node:test",
        "bun:test",
        "@playwright/test",
        "ava",
        "tape",
        "uvu",
    ];
    tokens
        .iter()
        .any(|t| t.sort == Sort::Text && RUNNERS.contains(&t.text))
}
