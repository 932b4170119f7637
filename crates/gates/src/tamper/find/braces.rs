//! Tests that are functions with a mark or a name, in languages with braces.

use super::{Brackets, Panics, Source, State, Test, code_before, code_from, leaves};
use crate::tamper::lang::Lang;
use crate::tamper::lex::{Sort, Token};
use crate::tamper::switches::{features, features_not_to_be_ignored};
use std::ops::Range;

/// What marks before a declaration say.
#[derive(Clone, Debug, Default)]
struct Marks<'a> {
    test: bool,
    skipped: bool,
    /// Compiled for tests only.
    for_tests: bool,
    panics: Option<Panics>,
    /// Features of the build that it needs.
    features: Vec<&'a str>,
}

/// A class or module whose tests are all left out.
struct Off(Range<usize>);

/// A module that is built with these features alone.
struct Gated<'a>(Range<usize>, Vec<&'a str>);

pub(super) fn find(source: &mut Source<'_>) {
    let tokens = &source.tokens;
    let brackets = Brackets::of(tokens);
    let lang = source.lang;
    let file_off = lang == Lang::Go && has_constraint(tokens);
    let mut off: Vec<Off> = Vec::new();
    let mut gated: Vec<Gated<'_>> = Vec::new();
    // Classes whose tests are told by their names, as JUnit did before it had marks.
    let mut cases: Vec<Range<usize>> = Vec::new();
    let mut marks = Marks::default();
    let mut tests = Vec::new();
    let mut helpers = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((end, found)) = mark(lang, tokens, &brackets, at) {
            marks.test |= found.test;
            marks.skipped |= found.skipped;
            marks.for_tests |= found.for_tests;
            marks.panics = found.panics.or(marks.panics);
            // `#![cfg(…)]` is about all of the file.
            if tokens.get(at + 1).is_some_and(|t| t.is_sign("!")) {
                gated.push(Gated(0..tokens.len(), found.features));
            } else {
                marks.features.extend(found.features);
            }
            at = end;
            continue;
        }
        match token.sort {
            Sort::Comment => {
                marks.test |= lang == Lang::Php && token.text.contains("@test");
            }
            Sort::Word if is_container(lang, tokens, at) => {
                if let Some(range) = block(tokens, &brackets, at) {
                    if marks.skipped {
                        off.push(Off(range.clone()));
                    }
                    if !marks.features.is_empty() {
                        gated.push(Gated(range.clone(), std::mem::take(&mut marks.features)));
                    }
                    if is_test_case(lang, tokens.get(range.clone()).unwrap_or_default()) {
                        cases.push(range.clone());
                    }
                    if marks.for_tests {
                        helpers.push(range);
                    }
                }
                marks = Marks::default();
            }
            Sort::Word => {
                if let Some((name, line)) = function(lang, tokens, at) {
                    let of_case = cases.iter().any(|case| case.contains(&at));
                    let is_test = marks.test
                        || named_as_test(lang, name, tokens, at)
                        || of_case && name.starts_with("test") && is_public(tokens, at);
                    if let Some(range) = block(tokens, &brackets, at).filter(|_| is_test) {
                        let body = tokens.get(range.clone()).unwrap_or_default();
                        let open = body.iter().position(|t| t.is_sign("{")).map_or(0, |n| n + 1);
                        let inside = body.get(open..).unwrap_or_default();
                        let skipped = marks.skipped
                            || file_off
                            || off.iter().any(|o| o.0.contains(&at))
                            || leaves(inside)
                            || skips_at_top(lang, inside);
                        let around = gated.iter().filter(|g| g.0.contains(&at)).flat_map(|g| &g.1);
                        let features = marks.features.iter().chain(around);
                        tests.push(Test {
                            features: features.map(|f| (*f).to_owned()).collect(),
                            retries: 0,
                            name: name.to_owned(),
                            line,
                            state: if skipped { State::Skipped } else { State::Active },
                            panics: marks.panics,
                            body: range,
                        });
                    }
                    marks = Marks::default();
                }
            }
            Sort::Sign if matches!(token.text, ";" | "{" | "}") => marks = Marks::default(),
            Sort::Sign | Sort::Number | Sort::Text => {}
        }
        at += 1;
    }
    source.tests = tests;
    source.helpers = helpers;
}

/// A mark that begins at `at`: where it ends, and what it says.
fn mark<'a>(lang: Lang, tokens: &[Token<'a>], brackets: &Brackets, at: usize) -> Option<(usize, Marks<'a>)> {
    let token = tokens.get(at)?;
    let next = tokens.get(at + 1);
    match lang {
        Lang::Rust | Lang::Php if token.is_sign("#") => {
            let open = if next?.is_sign("!") { at + 2 } else { at + 1 };
            let end = tokens
                .get(open)
                .filter(|t| t.is_sign("["))
                .map(|_| brackets.close(open))?;
            let inside = tokens.get(open + 1..end.saturating_sub(1)).unwrap_or_default();
            Some((
                end,
                if lang == Lang::Rust {
                    rust(inside)
                } else {
                    php(inside)
                },
            ))
        }
        Lang::CSharp
            if token.is_sign("[")
                && (token.first || code_before(tokens, at).is_some_and(|t| t.is_sign("]"))) =>
        {
            let end = brackets.close(at);
            Some((end, csharp(tokens.get(at + 1..end).unwrap_or_default())))
        }
        Lang::Java | Lang::Kotlin if token.is_sign("@") && next?.sort == Sort::Word => {
            let mut end = at + 2;
            let mut name = next?.text;
            // `@org.junit.Test`, `@file:Suppress`.
            while tokens.get(end).is_some_and(|t| t.is_sign(".") || t.is_sign(":")) {
                name = tokens.get(end + 1).map_or("", |t| t.text);
                end += 2;
            }
            if name == "interface" {
                return None;
            }
            if tokens.get(end).is_some_and(|t| t.is_sign("(")) {
                end = brackets.close(end);
            }
            let inside = tokens.get(at..end).unwrap_or_default();
            let off = name == "Test"
                && inside
                    .windows(3)
                    .any(|w| matches!(w, [a, b, c] if a.is_word("enabled") && b.is_sign("=") && c.is_word("false")));
            Some((
                end,
                Marks {
                    test: matches!(
                        name,
                        "Test"
                            | "ParameterizedTest"
                            | "RepeatedTest"
                            | "TestFactory"
                            | "TestTemplate"
                            | "Property"
                    ),
                    skipped: off
                        || matches!(name, "Disabled" | "Ignore" | "Ignored")
                        || name.starts_with("DisabledIf")
                        || name.starts_with("EnabledIf"),
                    for_tests: false,
                    panics: None,
                    features: Vec::new(),
                },
            ))
        }
        _ => None,
    }
}

/// `test`, `tokio::test`, `rstest`, `ignore`, `cfg(…)`.
fn rust<'a>(inside: &[Token<'a>]) -> Marks<'a> {
    let path = inside
        .iter()
        .take_while(|t| t.sort == Sort::Word || t.is_sign("::"));
    let last = path
        .filter(|t| t.sort == Sort::Word)
        .last()
        .map_or("", |t| t.text);
    let words = || inside.iter().filter(|t| t.sort == Sort::Word).map(|t| t.text);
    let is_cfg = last == "cfg";
    let for_tests = is_cfg && words().any(|w| w == "test") && !words().any(|w| w == "not");
    // A condition that nobody meets, or one that is met everywhere but in tests.
    let known = |w: &str| {
        matches!(
            w,
            "cfg"
                | "test"
                | "all"
                | "any"
                | "unix"
                | "windows"
                | "feature"
                | "debug_assertions"
                | "miri"
                | "not"
        ) || w.starts_with("target_")
    };
    // `any(feature = "std", …)`: one way is known.
    let other_way = inside
        .iter()
        .filter(|t| t.sort == Sort::Word)
        .nth(1)
        .is_some_and(|t| t.text == "any")
        && inside.windows(2).any(|w| {
            matches!(w, [lead, t] if (lead.is_sign("(") || lead.is_sign(",")) && t.sort == Sort::Word
                && known(t.text) && !matches!(t.text, "test" | "not" | "any" | "all" | "cfg"))
        });
    let never = is_cfg
        && (words().all(|w| matches!(w, "cfg" | "any"))
            || (words().any(|w| !known(w)) && !other_way)
            || (words().any(|w| w == "not") && words().any(|w| w == "test")));
    // Behind the name and its bracket.
    let given = inside.get(2..inside.len().saturating_sub(1)).unwrap_or_default();
    let features = match last {
        "cfg" => features(given),
        "cfg_attr" => features_not_to_be_ignored(given),
        _ => Vec::new(),
    };
    Marks {
        features,
        test: matches!(
            last,
            "test" | "rstest" | "test_case" | "wasm_bindgen_test" | "quickcheck" | "gtest"
        ),
        skipped: last == "ignore" || never,
        for_tests,
        panics: (last == "should_panic").then(|| {
            if inside.iter().any(|t| t.sort == Sort::Text && !t.text.is_empty()) {
                Panics::Saying
            } else {
                Panics::Any
            }
        }),
    }
}

fn php<'a>(inside: &[Token<'a>]) -> Marks<'a> {
    let has = |word: &str| inside.iter().any(|t| t.is_word(word));
    Marks {
        test: has("Test"),
        skipped: has("Skip"),
        for_tests: false,
        panics: None,
        features: Vec::new(),
    }
}

fn csharp<'a>(inside: &[Token<'a>]) -> Marks<'a> {
    let has = |words: &[&str]| {
        inside
            .iter()
            .any(|t| t.sort == Sort::Word && words.contains(&t.text))
    };
    Marks {
        test: has(&[
            "Fact",
            "Theory",
            "Test",
            "TestCase",
            "TestCaseSource",
            "TestMethod",
            "DataTestMethod",
            "SkippableFact",
        ]),
        skipped: has(&["Ignore", "Explicit"])
            || inside
                .windows(2)
                .any(|w| matches!(w, [a, b] if a.is_word("Skip") && b.is_sign("="))),
        for_tests: false,
        panics: None,
        features: Vec::new(),
    }
}

/// A word that begins a class or a module.
fn is_container(lang: Lang, tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let words: &[&str] = match lang {
        Lang::Rust => &["mod"],
        Lang::Go => &[],
        _ => &["class", "interface", "object", "struct"],
    };
    words.contains(&token.text)
        && tokens.get(at + 1).is_some_and(|t| t.sort == Sort::Word)
        && !code_before(tokens, at).is_some_and(|t| t.is_sign(".") || t.is_sign("::"))
}

/// The name and line of a function that is declared at `at`.
fn function<'a>(lang: Lang, tokens: &[Token<'a>], at: usize) -> Option<(&'a str, u32)> {
    let token = tokens.get(at)?;
    let keyword = match lang {
        Lang::Rust => "fn",
        Lang::Go => "func",
        Lang::Kotlin => "fun",
        Lang::Php => "function",
        // A name between a type and its parameters.
        _ => {
            let open = tokens.get(at + 1)?.is_sign("(");
            let before = code_before(tokens, at)?;
            let typed = (before.sort == Sort::Word
                && !matches!(before.text, "new" | "return" | "throw" | "else" | "await"))
                || matches!(before.text, ">" | "]");
            return (open && typed).then_some((token.text, token.line));
        }
    };
    let name = tokens.get(at + 1).filter(|t| t.sort == Sort::Word)?;
    token.is_word(keyword).then_some((name.text, token.line))
}

/// Whether a class, from its keyword on, is built on one of JUnit's `TestCase`.
fn is_test_case(lang: Lang, class: &[Token<'_>]) -> bool {
    let sign = match lang {
        Lang::Java => "extends",
        Lang::Kotlin => ":",
        _ => return false,
    };
    let head = class.iter().take_while(|t| !t.is_sign("{"));
    let mut parents = head.skip_while(|t| t.text != sign).skip(1);
    parents.any(|t| t.sort == Sort::Word && t.text.ends_with("TestCase"))
}

/// Whether nothing before the name of a method makes it anything but public.
fn is_public(tokens: &[Token<'_>], at: usize) -> bool {
    let before = tokens.get(..at).unwrap_or_default().iter().rev();
    let mut declared = before.take_while(|t| !matches!(t.text, ";" | "{" | "}" | ")"));
    !declared.any(|t| matches!(t.text, "private" | "protected" | "static" | "abstract"))
}

fn named_as_test(lang: Lang, name: &str, tokens: &[Token<'_>], at: usize) -> bool {
    match lang {
        Lang::Go => ["Test", "Fuzz", "Example"].iter().any(|start| {
            let rest = name.strip_prefix(start);
            rest.is_some_and(|r| !r.starts_with(char::is_lowercase)) && name != "TestMain"
        }),
        Lang::Php => name.starts_with("test") && tokens.get(at).is_some_and(|t| t.column > 0),
        _ => false,
    }
}

/// From the word at `at` to the end of its block. `None` for a declaration without one.
fn block(tokens: &[Token<'_>], brackets: &Brackets, at: usize) -> Option<Range<usize>> {
    let mut next = at + 1;
    loop {
        let token = tokens.get(next)?;
        match token.text {
            "{" if token.sort == Sort::Sign => return Some(at..brackets.close(next)),
            "(" | "[" if token.sort == Sort::Sign => next = brackets.close(next),
            ";" | "}" if token.sort == Sort::Sign => return None,
            // Kotlin and C#: a body of one expression.
            "=" | "=>" if token.sort == Sort::Sign => {
                let line = token.line;
                let rest = tokens.get(next..)?;
                let open = rest
                    .iter()
                    .position(|t| t.is_sign("{") || (t.first && t.line > line))?;
                let open = next + open;
                let end = if tokens.get(open)?.is_sign("{") {
                    brackets.close(open)
                } else {
                    open
                };
                return Some(at..end);
            }
            _ => next += 1,
        }
    }
}

/// A call at the top of a body that leaves the test out whatever stands before it.
fn skips_at_top(lang: Lang, body: &[Token<'_>]) -> bool {
    let words: &[&str] = match lang {
        Lang::Go => &["Skip", "Skipf", "SkipNow"],
        Lang::Php => &["markTestSkipped", "markTestIncomplete"],
        Lang::CSharp => &["Ignore", "Inconclusive"],
        _ => return false,
    };
    let mut depth = 0_usize;
    for (at, token) in body.iter().enumerate() {
        match token.text {
            "{" if token.sort == Sort::Sign => depth += 1,
            "}" if token.sort == Sort::Sign => depth = depth.saturating_sub(1),
            _ if depth == 0 && token.sort == Sort::Word && words.contains(&token.text) => {
                let called = code_from(body, at + 1).and_then(|n| body.get(n));
                let owned = code_before(body, at).is_some_and(|t| matches!(t.text, "." | "->" | "::"));
                if owned && called.is_some_and(|t| t.is_sign("(")) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// A build constraint: the file is compiled on demand only.
fn has_constraint(tokens: &[Token<'_>]) -> bool {
    tokens
        .iter()
        .take_while(|t| t.sort == Sort::Comment)
        .any(|t| t.text.starts_with("go:build") || t.text.trim_start().starts_with("+build"))
}
