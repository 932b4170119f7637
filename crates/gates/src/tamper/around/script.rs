//! JavaScript and TypeScript: files that set a run up, and put something in the place of what the runner gives to tests.

use super::{Effect, File, WIDE, What, ends_well, is_marked, mark, reads};
use crate::tamper::asserts::end_of;
use crate::tamper::find::leaves;
use crate::tamper::lang::{Lang, name};
use crate::tamper::lex::{Sort, Token};

/// What a runner gives to tests to define them.
const TESTS: [&str; 5] = ["test", "it", "describe", "suite", "specify"];

/// What it gives to them to assert.
const ASSERTS: [&str; 2] = ["expect", "assert"];

/// Objects whose parts can be named without them.
const GLOBAL: [&str; 4] = ["global", "globalThis", "window", "self"];

/// What runs before tests.
const BEFORE: [&str; 6] = [
    "beforeEach",
    "beforeAll",
    "before",
    "setup",
    "suiteSetup",
    "mochaHooks",
];

/// Words of what leaves tests out.
const SKIPS: [&str; 9] = [
    "skip",
    "todo",
    "failing",
    "fails",
    "fixme",
    "xit",
    "xtest",
    "xdescribe",
    "xspecify",
];

/// Whether a file sets runs up, by its name.
fn sets_up(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    [
        "setup",
        "jest",
        "vitest",
        "mocha",
        "karma",
        "jasmine",
        "cypress",
        "playwright",
    ]
    .iter()
    .any(|word| name.contains(word))
}

pub(super) fn effects(file: &File<'_, '_>) -> Vec<Effect> {
    let mut out = Vec::new();
    let setup = sets_up(file.path);
    if !setup && !file.source.for_tests && file.source.tests.is_empty() {
        return out;
    }
    let lines = file.own_lines();
    let mut add = |what: What, name: &str, from: usize, to: usize| {
        let mut effect = file.effect(what, name, from..to);
        effect.elsewhere = false;
        out.push(effect);
    };
    for at in 0..file.code.len() {
        let Some(token) = file.at(at).filter(|t| t.sort == Sort::Word) else {
            continue;
        };
        if let Some((name, sets)) = assigned(file, at) {
            let end = end_of(Lang::Script, &file.code, &file.brackets, sets);
            if let Some(what) = replaces(name, file.part(sets + 1..end)) {
                add(what, name, at, end);
            }
        }
        // What a test does in its own body, or a function for those that call it, is their own.
        if is_marked(&lines, token) {
            continue;
        }
        let exits =
            reads(&file.code, at, &["process", ".", "exit"]) || reads(&file.code, at, &["Deno", ".", "exit"]);
        let zero = reads(&file.code, at, &["process", ".", "exitCode", "=", "0"]);
        if exits && ends_well(&file.code, at + 3) || zero {
            add(What::Ends, "process", at, at + 6);
        }
        if BEFORE.contains(&token.text) && file.reads(at + 1, &["("]) {
            let end = file.brackets.close(at + 1);
            if skips_first(file.part(at + 1..end)) {
                add(What::LeavesOut, token.text, at, end);
            }
        }
    }
    out
}

impl File<'_, '_> {
    /// For each line whether it belongs to a test, or to a function with a name.
    fn own_lines(&self) -> Vec<bool> {
        let mut lines = self.lines_of_tests();
        for at in (0..self.code.len()).filter(|at| self.reads(*at, &["function"])) {
            let named = self.at(at + 1).is_some_and(|t| t.sort == Sort::Word);
            let from = self.brackets.close(at + 2);
            let open = (from..from + 8)
                .find(|n| self.reads(*n, &["{"]))
                .filter(|_| named);
            if let Some(open) = open {
                mark(&mut lines, self.part(at..self.brackets.close(open)));
            }
        }
        lines
    }
}

/// What is assigned to at `at`, if it is something that the runner gives, and the place of the `=`.
fn assigned<'a>(file: &File<'_, 'a>, at: usize) -> Option<(&'a str, usize)> {
    let known = |t: &&Token<'_>| TESTS.contains(&t.text) || ASSERTS.contains(&t.text);
    let token = file.at(at)?;
    // `vi.stubGlobal("test", …)`, `Object.defineProperty(global, "test", …)`
    if matches!(token.text, "stubGlobal" | "defineProperty" | "spyOn") {
        let global = token.text == "stubGlobal" || file.at(at + 2).is_some_and(|t| GLOBAL.contains(&t.text));
        let named = |n: &usize| {
            file.at(*n)
                .filter(|t| t.sort == Sort::Text)
                .filter(known)
                .is_some()
        };
        let named = (at + 2..at + 5).find(named).filter(|_| global)?;
        return Some((file.at(named)?.text, named + 1));
    }
    if at > 0 && file.at(at - 1).is_some_and(|t| matches!(t.text, "." | "?.")) {
        return None;
    }
    if GLOBAL.contains(&token.text) {
        let name = file.at(at + 2).filter(known)?;
        let sets = if file.reads(at + 1, &["."]) {
            at + 3
        } else if file.reads(at + 1, &["["]) && file.reads(at + 3, &["]"]) {
            at + 4
        } else {
            return None;
        };
        return file.reads(sets, &["="]).then_some((name.text, sets));
    }
    let declared = at > 0
        && file
            .at(at - 1)
            .is_some_and(|t| matches!(t.text, "const" | "let" | "var"));
    let stands = declared || token.first;
    let name = Some(token).filter(known).filter(|_| stands)?;
    file.reads(at + 1, &["="]).then_some((name.text, at + 1))
}

/// What a value does that does not define tests as the runner's own does: it leaves them out, or is made here.
fn replaces(name: &str, value: &[Token<'_>]) -> Option<What> {
    let value = value.get(..value.len().min(WIDE)).unwrap_or_default();
    let skips = |t: &Token<'_>| t.sort == Sort::Word && SKIPS.contains(&t.text);
    if TESTS.contains(&name) && value.iter().any(skips) {
        return Some(What::LeavesOut);
    }
    let made = value.iter().take(8).any(|t| t.is_sign("=>"))
        || value.iter().take(2).any(|t| t.is_word("function"))
        || reads(value, 0, &["new", "Proxy"])
        || reads(value, 0, &["…", ".", "fn", "("]);
    // One of one's own asserts as well as another's.
    let throws = ASSERTS.contains(&name) && value.iter().any(|t| t.is_word("throw"));
    (made && !throws).then_some(What::Replaces)
}

/// Whether the function that a call is given begins by leaving the test.
fn skips_first(given: &[Token<'_>]) -> bool {
    let Some(open) = given.iter().take(WIDE).position(|t| t.is_sign("{")) else {
        return false;
    };
    let body = given.get(open + 1..).unwrap_or_default();
    body.first().is_some_and(|t| !t.is_word("return")) && leaves(body)
}
