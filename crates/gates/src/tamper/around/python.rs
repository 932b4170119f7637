//! Python: pytest's hooks, fixtures that all tests use, what is set up before a test, and what pytest is told to ignore.

use super::{Effect, File, WIDE, What, ends_well, has, is_marked, reads};
use crate::tamper::asserts::end_of;
use crate::tamper::find::{Brackets, indented, leaves};
use crate::tamper::lang::{Lang, is_test_path, name};
use crate::tamper::lex::{Sort, Token};

/// What runs before each test, or before those of a class or a file.
const SET_UP: [&str; 10] = [
    "setUp",
    "setUpClass",
    "setUpModule",
    "asyncSetUp",
    "setup_method",
    "setup_function",
    "setup_class",
    "setup_module",
    "setup",
    "setUpTestData",
];

/// Marks and calls that leave a test out, or expect it to fail.
const SKIPS: [&str; 5] = ["skip", "skipif", "xfail", "skipIf", "skipUnless"];

/// Hooks of which pytest takes an answer for its own work, and a name of what that work calls.
const OWN_WORK: [(&str, &[&str]); 2] = [
    (
        "pytest_pyfunc_call",
        &["obj", "function", "testfunction", "runtest"],
    ),
    (
        "pytest_runtest_protocol",
        &["runtestprotocol", "runtest", "call_and_report"],
    ),
];

pub(super) fn effects(file: &File<'_, '_>) -> Vec<Effect> {
    let mut out = Vec::new();
    let conftest = name(file.path) == "conftest.py";
    let tests = file.lines_of_tests();
    let mut budget = file.budget();
    // Where the functions end that were seen.
    let mut behind = 0;
    for at in 0..file.code.len() {
        let Some(token) = file.at(at) else { break };
        // A plugin within a test is what is tested.
        if token.is_word("def") && !is_marked(&tests, token) {
            let Some(named) = file.at(at + 1) else { break };
            let column = file.line_column(at);
            let end = indented(&file.code, at + 1, column, Lang::Python);
            let Some(left) = budget.checked_sub(end.saturating_sub(at)) else {
                break;
            };
            budget = left;
            let found = function(file, named.text, at, end, conftest);
            out.extend(
                found
                    .into_iter()
                    .map(|what| file.effect(what, named.text, at..end)),
            );
            behind = behind.max(end);
        }
        if conftest && token.first && matches!(token.text, "collect_ignore" | "collect_ignore_glob") {
            let end = end_of(Lang::Python, &file.code, &file.brackets, at);
            if ignores(file.part(at + 1..end)) {
                out.push(file.effect(What::LeavesOut, token.text, at..end));
            }
        }
        if conftest && at >= behind && ends(&file.code, at) {
            out.push(file.effect(What::Ends, "conftest.py", at..at + 6));
        }
    }
    out
}

impl File<'_, '_> {
    /// Whether one of the marks before a function is this one of a fixture.
    fn is_autouse(&self, at: usize) -> bool {
        let column = self.line_column(at);
        let before = self.part(0..at);
        let starts = |t: &&Token<'_>| t.first && t.column <= column && !t.is_sign("@") && !t.is_word("async");
        let from = before.iter().rposition(|t| starts(&t)).map_or(0, |n| n + 1);
        has(before.get(from..).unwrap_or_default(), &["autouse", "=", "True"])
    }
}

/// What a function does to the tests.
fn function(file: &File<'_, '_>, name: &str, at: usize, end: usize, conftest: bool) -> Vec<What> {
    let body = file.part(at + 2..end);
    let hook = name.starts_with("pytest_") && !name.starts_with("pytest_funcarg__");
    let mut out = Vec::new();
    if (hook || conftest) && turns(body) {
        out.push(What::Turns);
    }
    if (hook || conftest) && (0..body.len()).any(|at| ends(body, at)) {
        out.push(What::Ends);
    }
    let work = OWN_WORK.iter().find(|(hook, _)| *hook == name);
    if let Some((_, calls)) = work
        && has(body, &["return", "True"])
        && !body.iter().any(|t| calls.contains(&t.text))
    {
        out.push(What::NeverRuns);
    }
    let leaves_out = if hook {
        skips(body) || picks(body) || name == "pytest_ignore_collect" && answers(body)
    } else if SET_UP.contains(&name) && file.source.for_tests || conftest && file.is_autouse(at) {
        begins_by_skipping(body)
    } else {
        false
    };
    if leaves_out {
        out.push(What::LeavesOut);
    }
    out
}

/// `pytest.skip(…)`, `pytest.mark.skip`, `add_marker("skip")`.
fn skips(body: &[Token<'_>]) -> bool {
    body.iter().enumerate().any(|(at, token)| {
        if !SKIPS.contains(&token.text) {
            return false;
        }
        let before = |texts: &[&str]| at >= texts.len() && reads(body, at - texts.len(), texts);
        match token.sort {
            Sort::Text => before(&["add_marker", "("]),
            Sort::Word => before(&["mark", "."]) || before(&["pytest", "."]) && reads(body, at + 1, &["("]),
            _ => false,
        }
    })
}

/// Whether tests are taken out of the list of those that were collected. Another order is no loss.
fn picks(body: &[Token<'_>]) -> bool {
    let brackets = Brackets::of(body);
    body.iter().enumerate().any(|(at, token)| {
        if token.is_word("pytest_deselected") {
            return true;
        }
        if !token.is_word("items") {
            return false;
        }
        let taken = ["clear", "remove", "pop"]
            .iter()
            .any(|call| reads(body, at + 1, &[".", call, "("]));
        let deleted = at > 0 && reads(body, at - 1, &["del"]);
        taken || deleted || is_another_list(body, &brackets, at)
    })
}

/// `items[:] = …`, where that is no other order of the same.
fn is_another_list(body: &[Token<'_>], brackets: &Brackets, at: usize) -> bool {
    if !reads(body, at + 1, &["["]) {
        return false;
    }
    let sets = brackets.close(at + 1);
    if !reads(body, sets, &["="]) {
        return false;
    }
    let value = body
        .get(sets + 1..end_of(Lang::Python, body, brackets, sets))
        .unwrap_or_default();
    let order = |t: &Token<'_>| {
        t.is_sign("+") || matches!(t.text, "sorted" | "reversed" | "shuffle" | "sample" | "random")
    };
    let chooses = value.iter().any(|t| matches!(t.text, "if" | "filter"));
    chooses || !value.iter().any(order)
}

/// A `return` of something else than `None` and `False`.
fn answers(body: &[Token<'_>]) -> bool {
    body.windows(2).any(|w| {
        matches!(w, [word, value] if word.is_word("return")
            && !value.first
            && !matches!(value.text, "None" | "False"))
    })
}

fn begins_by_skipping(body: &[Token<'_>]) -> bool {
    let brackets = Brackets::of(body);
    // Behind the head: parameters, what it gives back, and the colon.
    let mut at = 0;
    while let Some(token) = body.get(at) {
        at = match token.text {
            ":" => break,
            "(" => brackets.close(at),
            _ => at + 1,
        };
    }
    let inside = body.get(at + 1..).unwrap_or_default();
    let first = inside.iter().find(|t| t.sort != Sort::Text);
    first.is_some_and(|t| !t.is_word("return")) && leaves(inside)
}

/// `rep.outcome = "passed"`, `call.excinfo = None`, `session.exitstatus = 0`, `outcome.force_result(…)`.
fn turns(body: &[Token<'_>]) -> bool {
    body.iter().enumerate().any(|(at, token)| {
        let value = body.get(at + 2);
        let set = at > 0 && reads(body, at - 1, &["."]) && reads(body, at + 1, &["="]);
        match (token.sort, token.text) {
            (Sort::Word, "outcome" | "wasxfail") if set => {
                !value.is_some_and(|v| v.sort == Sort::Text && v.text == "failed")
            }
            (Sort::Word, "excinfo") if set => value.is_some_and(|v| v.is_word("None")),
            (Sort::Word, "exitstatus" | "testsfailed") if set => {
                value.is_some_and(|v| v.sort == Sort::Number && v.text == "0" || v.text.ends_with("OK"))
                    || reads(body, at + 2, &["pytest", ".", "ExitCode", ".", "OK"])
            }
            (Sort::Word, "force_result") => reads(body, at + 1, &["("]),
            (Sort::Text, "outcome" | "wasxfail") => {
                let of_setattr = at >= 4 && reads(body, at - 4, &["setattr", "("]);
                let fails = reads(body, at + 1, &[","])
                    && value.is_some_and(|v| v.sort == Sort::Text && v.text == "failed");
                of_setattr && !fails
            }
            _ => false,
        }
    })
}

/// `os._exit(0)`, `sys.exit()`, `pytest.exit("…", returncode=0)`.
fn ends(tokens: &[Token<'_>], at: usize) -> bool {
    if ["_exit", "exit"].iter().any(|exit| {
        ["os", "sys"].iter().any(|of| reads(tokens, at, &[of, ".", exit])) && ends_well(tokens, at + 3)
    }) {
        return true;
    }
    if !reads(tokens, at, &["pytest", ".", "exit", "("]) {
        return false;
    }
    let given = tokens.get(at..tokens.len().min(at + WIDE)).unwrap_or_default();
    let end = end_of(Lang::Python, given, &Brackets::of(given), 0);
    has(given.get(..end).unwrap_or_default(), &["returncode", "=", "0"])
}

/// Whether something of it is, or may be, a test.
fn ignores(value: &[Token<'_>]) -> bool {
    let texts: Vec<&str> = value
        .iter()
        .filter(|t| t.sort == Sort::Text)
        .map(|t| t.text)
        .collect();
    let named = value
        .iter()
        .any(|t| t.sort == Sort::Word && !matches!(t.text, "append" | "extend"));
    named
        || texts
            .iter()
            .any(|text| text.contains('*') || !text.ends_with(".py") || is_test_path(text))
}
