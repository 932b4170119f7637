//! Something that cannot fail in the place of what tests assert with: a method of a class, a part of a module, a macro.

use super::{Effect, File, WIDE, What, has, reads};
use crate::tamper::asserts::end_of;
use crate::tamper::find::{Brackets, indented};
use crate::tamper::lang::Lang;
use crate::tamper::lex::{Sort, Token};

/// Beginnings of the names of what `unittest` gives to assert.
const UNITTEST: [&str; 13] = [
    "assertEqual",
    "assertNot",
    "assertTrue",
    "assertFalse",
    "assertIs",
    "assertIn",
    "assertRaises",
    "assertAlmostEqual",
    "assertGreater",
    "assertLess",
    "assertRegex",
    "assertCountEqual",
    "assertDictEqual",
];

/// Methods by which `unittest` runs a test, and what one of them has to do to run it.
const RUNS: [(&str, &[&str]); 3] = [
    ("run", &["super", "run"]),
    ("__call__", &["super", "run", "__call__"]),
    ("_callTestMethod", &["super", "method", "_callTestMethod"]),
];

/// Objects that JavaScript's tests assert with.
const OBJECTS: [&str; 3] = ["assert", "expect", "chai"];

/// Calls that put something in the place of a part of an object.
const PUTS: [&str; 8] = [
    "setattr",
    "object",
    "patch",
    "defineProperty",
    "method",
    "spyOn",
    "stub",
    "replace",
];

/// Rust's macros that fail a test.
const MACROS: [&str; 6] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "panic",
];

/// Calls that fail nothing.
const HARMLESS: [&str; 18] = [
    "print",
    "log",
    "console",
    "append",
    "push",
    "len",
    "str",
    "repr",
    "format",
    "Mock",
    "MagicMock",
    "mock",
    "fn",
    "jest",
    "vi",
    "lambda",
    "function",
    "stub",
];

/// Whether code can fail a test: it says so, or calls what may.
pub(super) fn can_fail(code: &[Token<'_>]) -> bool {
    let says = |t: &Token<'_>| {
        t.sort == Sort::Word
            && (matches!(
                t.text,
                "raise"
                    | "throw"
                    | "panic"
                    | "super"
                    | "reject"
                    | "unreachable"
                    | "abort"
                    | "exit"
                    | "process"
            ) || t.text.contains("assert")
                || t.text.contains("Assert")
                || t.text.contains("fail")
                || t.text.contains("expect"))
    };
    let brackets = Brackets::of(code);
    let calls = |at: usize| {
        let named = code
            .get(at)
            .is_some_and(|t| t.sort == Sort::Word && !HARMLESS.contains(&t.text));
        // `toBe() {}` is a method.
        let defined = || code.get(brackets.close(at + 1)).is_some_and(|t| t.is_sign("{"));
        named && reads(code, at + 1, &["("]) && !defined()
    };
    code.iter().any(says) || (0..code.len()).any(calls)
}

pub(super) fn effects(file: &File<'_, '_>) -> Vec<Effect> {
    let mut out = Vec::new();
    let mut add = |what: What, name: &str, from: usize, to: usize| {
        let mut effect = file.effect(what, name, from..to);
        effect.elsewhere = false;
        out.push(effect);
    };
    let mut budget = file.budget();
    for at in 0..file.code.len() {
        let Some(token) = file.at(at).filter(|t| t.sort == Sort::Word) else {
            continue;
        };
        let found = match file.source.lang {
            Lang::Python => python(file, at),
            Lang::Script => script(file, at),
            Lang::Rust if token.text == "macro_rules" => a_macro(file, at),
            Lang::Go if file.source.collected => go(file, at),
            _ => None,
        };
        let Some((what, name, end)) = found else { continue };
        let Some(left) = budget.checked_sub(end.saturating_sub(at)) else {
            break;
        };
        budget = left;
        add(what, name, at, end);
    }
    out
}

/// What is done, the name of what it is done to, and where it ends.
type Found<'a> = Option<(What, &'a str, usize)>;

fn of_unittest(name: &str) -> bool {
    UNITTEST.iter().any(|begin| name.starts_with(begin))
}

fn python<'a>(file: &File<'_, 'a>, at: usize) -> Found<'a> {
    let token = file.at(at)?;
    let name = file.at(at + 1);
    if token.is_word("def") {
        let name = name?.text;
        let run = RUNS.iter().find(|(run, _)| *run == name);
        if !of_unittest(name) && run.is_none() {
            return None;
        }
        let end = indented(&file.code, at + 1, file.line_column(at), Lang::Python);
        let from = file.brackets.close(at + 2);
        let body = file.part(from..end);
        return match run {
            // Whoever says that all went well and runs nothing.
            Some((_, does)) => {
                let ran = body
                    .iter()
                    .any(|t| t.sort == Sort::Word && does.contains(&t.text));
                let claims = name == "_callTestMethod" || body.iter().any(|t| t.is_word("addSuccess"));
                (claims && !ran).then_some((What::NeverRuns, name, end))
            }
            None => (!can_fail(body)).then_some((What::Replaces, name, end)),
        };
    }
    // `unittest.TestCase.assertEqual = …`
    if of_unittest(token.text) && at > 0 && file.reads(at - 1, &["."]) && file.reads(at + 1, &["="]) {
        let end = end_of(Lang::Python, &file.code, &file.brackets, at + 1);
        return (is_idle(file, file.part(at + 2..end))).then_some((What::Replaces, token.text, end));
    }
    put(file, at, |given| {
        given
            .iter()
            .take(8)
            .filter(|t| t.sort == Sort::Text)
            .find_map(|t| t.text.rsplit('.').next().filter(|name| of_unittest(name)))
    })
}

fn script<'a>(file: &File<'_, 'a>, at: usize) -> Found<'a> {
    let token = file.at(at)?;
    let owned = at > 0 && file.reads(at - 1, &["."]);
    if OBJECTS.contains(&token.text) && !owned {
        // `assert.strictEqual = …`, `assert["equal"] = …`
        let mut next = at + 1;
        while file.reads(next, &["."]) {
            next += 2;
        }
        if file.reads(next, &["["]) {
            next = file.brackets.close(next);
        }
        if next == at + 1 || !file.reads(next, &["="]) {
            return None;
        }
        let end = end_of(Lang::Script, &file.code, &file.brackets, next);
        return is_idle(file, file.part(next + 1..end)).then_some((What::Replaces, token.text, end));
    }
    // `function assert() {}`
    let declared = token.is_word("function") && (file.source.for_tests || !file.source.tests.is_empty());
    if let Some(name) = file.at(at + 1).filter(|t| declared && OBJECTS.contains(&t.text)) {
        let from = file.brackets.close(at + 2);
        let open = (from..from + 8).find(|n| file.reads(*n, &["{"]))?;
        let end = file.brackets.close(open);
        return (!can_fail(file.part(open..end))).then_some((What::Replaces, name.text, end));
    }
    put(file, at, |given| {
        let first = given
            .first()
            .filter(|t| t.sort == Sort::Word && OBJECTS.contains(&t.text))?;
        given
            .get(1..3)?
            .iter()
            .any(|t| t.is_sign(",") || t.is_sign("."))
            .then_some(first.text)
    })
}

/// `setattr(TestCase, "assertEqual", …)`, `jest.spyOn(assert, "equal").mockImplementation(…)`: `of` says what is replaced.
fn put<'a>(file: &File<'_, 'a>, at: usize, of: impl Fn(&[Token<'a>]) -> Option<&'a str>) -> Found<'a> {
    let token = file
        .at(at)
        .filter(|t| PUTS.contains(&t.text) && file.reads(at + 1, &["("]))?;
    let close = file.brackets.close(at + 1);
    let given = file.part(at + 2..close.saturating_sub(1));
    let given = given.get(..given.len().min(WIDE))?;
    let name = of(given)?;
    let parts = crate::tamper::sides::parts(given);
    let value = match token.text {
        "spyOn" => {
            // By itself it only looks on.
            file.at(close + 1)
                .filter(|t| file.reads(close, &["."]) && t.text.starts_with("mock"))?;
            file.part(close + 2..file.brackets.close(close + 2))
        }
        "patch" => parts.get(1).copied().unwrap_or_default(),
        _ => parts.get(2).copied().unwrap_or_default(),
    };
    is_idle(file, value).then_some((What::Replaces, name, close))
}

/// Whether a value is a function that fails nothing: made here, or defined in this file.
fn is_idle(file: &File<'_, '_>, value: &[Token<'_>]) -> bool {
    let value = value.get(..value.len().min(WIDE)).unwrap_or_default();
    if let [name] = value
        && !matches!(name.text, "None" | "undefined" | "null")
    {
        let defined = (0..file.code.len()).find(|at| {
            let keyword = file.at(*at).is_some_and(|t| matches!(t.text, "def" | "function"));
            keyword && file.reads(*at + 1, &[name.text, "("])
        });
        return defined.is_some_and(|at| {
            let from = file.brackets.close(at + 2);
            let end = match file.source.lang {
                Lang::Python => indented(&file.code, at + 1, file.line_column(at), Lang::Python),
                _ => (from..from + 8)
                    .find(|n| file.reads(*n, &["{"]))
                    .map_or(from, |open| file.brackets.close(open)),
            };
            !can_fail(file.part(from..end))
        });
    }
    let made = value.is_empty()
        || value.iter().any(|t| {
            matches!(
                t.text,
                "lambda" | "=>" | "function" | "None" | "Mock" | "MagicMock" | "fn" | "value"
            )
        });
    made && !can_fail(value)
}

/// `macro_rules! assert_eq { … }` that never fails.
fn a_macro<'a>(file: &File<'_, 'a>, at: usize) -> Found<'a> {
    let name = file
        .at(at + 2)
        .filter(|t| file.reads(at + 1, &["!"]) && MACROS.contains(&t.text))?;
    let end = file.brackets.close(at + 3);
    let body = file.part(at + 3..end);
    let calls = body
        .windows(2)
        .any(|w| matches!(w, [name, bang] if name.sort == Sort::Word && bang.is_sign("!")));
    (!calls && !can_fail(body)).then_some((What::Replaces, name.text, end))
}

/// `t = &testing.T{}`: what fails then is not the test. `assert := none{}`.
fn go<'a>(file: &File<'_, 'a>, at: usize) -> Found<'a> {
    let token = file
        .at(at)
        .filter(|t| matches!(t.text, "t" | "assert" | "require"))?;
    if at > 0 && (file.reads(at - 1, &["."]) || file.reads(at - 1, &[","])) {
        return None;
    }
    let sets = [at + 1, at + 2].into_iter().find(|n| file.reads(*n, &["="]))?;
    if sets == at + 2 && !file.reads(at + 1, &[":"]) {
        return None;
    }
    let end = end_of(Lang::Go, &file.code, &file.brackets, sets);
    let value = file.part(sets + 1..end);
    let value = value.get(..value.len().min(WIDE))?;
    let other = has(value, &["testing", ".", "T"]) && !value.iter().any(|t| t.is_word("func"));
    let found = match token.text {
        "t" => other && (reads(value, 0, &["&"]) || reads(value, 0, &["new", "("])),
        _ => !value.iter().any(|t| t.is_sign("(") || t.is_sign(".")),
    };
    found.then_some((What::Replaces, token.text, end))
}
