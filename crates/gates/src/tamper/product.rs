//! The product side of a change: answers copied from tests, code that asks whether it is being tested, and marks
//! that silence a checker.

use super::asserts::statements;
use super::find::Source;
use super::lang::{Lang, name};
use super::lex::{Sort, Token};
use super::{Finding, Kind, Severity, Sides, Standing, counted};
use std::collections::HashSet;

pub(super) fn look(sides: &[Sides<'_>], standing: &[Standing<'_>], out: &mut Vec<Finding>) {
    copied(sides, standing, out);
    for side in sides {
        detects(side, out);
        silenced(side, out);
    }
}

/// Names that a source defines outside of its tests.
pub(super) fn definitions<'a>(source: &Source<'a>) -> Vec<&'a str> {
    let tokens = source.product();
    let mut names = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [token, next] = pair else { continue };
        if token.sort != Sort::Word || next.sort != Sort::Word {
            // A name between a type and its parameters, with a block behind them.
            continue;
        }
        let keyword = matches!(
            token.text,
            "fn" | "def"
                | "func"
                | "fun"
                | "function"
                | "class"
                | "struct"
                | "interface"
                | "enum"
                | "trait"
                | "type"
                | "module"
        );
        let method = matches!(source.lang, Lang::Java | Lang::CSharp)
            && tokens.get(at + 2).is_some_and(|t| t.is_sign("("))
            && !matches!(token.text, "new" | "return" | "throw" | "else" | "await");
        let value = source.lang == Lang::Script
            && matches!(token.text, "const" | "let")
            && tokens.get(at + 2).is_some_and(|t| t.is_sign("="));
        if (keyword || method || value) && next.text.len() > 1 {
            names.push(next.text);
        }
    }
    names
}

/// How many tokens behind a comparison its answer may stand.
const NEAR: usize = 12;

/// A comparison with a value, and an answer behind it.
pub(super) struct Copied<'a> {
    asked: &'a str,
    answer: &'a str,
    line: u32,
}

/// Comparisons of the product with values, each with the answer that follows.
fn comparisons<'a>(tokens: &[Token<'a>]) -> Vec<Copied<'a>> {
    let mut out = Vec::new();
    for (at, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.is_literal() && !t.text.is_empty())
    {
        let before = at.checked_sub(1).and_then(|n| tokens.get(n));
        let next = tokens.get(at + 1);
        let compared = before.is_some_and(|t| matches!(t.text, "==" | "===" | "case" | "when" | "eq"))
            || next.is_some_and(|t| matches!(t.text, "==" | "===" | "=>" | "->"))
            || (before.is_some_and(|t| t.is_sign("("))
                && at >= 2
                && tokens
                    .get(at - 2)
                    .is_some_and(|t| matches!(t.text, "equals" | "Equals" | "eql")));
        if !compared {
            continue;
        }
        let behind = tokens.get(at + 1..).unwrap_or_default().iter().take(NEAR);
        let mut answers = false;
        for follower in behind {
            answers |= matches!(
                follower.text,
                "return" | "=>" | "->" | "{" | ":" | "?" | "then" | "="
            );
            if answers && follower.is_literal() && follower.text != token.text {
                out.push(Copied {
                    asked: token.text,
                    answer: follower.text,
                    line: token.line,
                });
                break;
            }
        }
    }
    out
}

/// Whether a value is one that nobody meets by chance.
fn telling(text: &str) -> bool {
    text.chars().count() >= 3 || text.parse::<f64>().is_ok_and(|n| n.abs() >= 10.0)
}

/// Pairs of values that one assertion of a test holds.
fn asserted<'a>(sources: impl Iterator<Item = &'a Source<'a>>) -> HashSet<(&'a str, &'a str)> {
    let mut pairs = HashSet::new();
    for source in sources {
        for test in &source.tests {
            let body = source.body(test);
            for range in statements(source.lang, &body) {
                let literals: Vec<&'a str> = body
                    .get(range)
                    .unwrap_or_default()
                    .iter()
                    .filter(|t| t.is_literal())
                    .map(|t| t.text)
                    .take(16)
                    .collect();
                for a in &literals {
                    pairs.extend(literals.iter().filter(|b| *b != a).map(|b| (*a, *b)));
                }
            }
        }
    }
    pairs
}

/// Values that the product compares with and answers, and that one assertion of a test holds both of. An assertion
/// that came together with the answer is how new behaviour is described; one that stood there before is what the
/// product was measured with.
fn copied(sides: &[Sides<'_>], standing: &[Standing<'_>], out: &mut Vec<Finding>) {
    let asked = asked_anew(sides);
    if asked.is_empty() {
        return;
    }
    let standing: Vec<Source<'_>> = standing
        .iter()
        .filter_map(|test| Source::read(test.path, test.text))
        .collect();
    let before = asserted(sides.iter().filter_map(|s| s.base.as_ref()).chain(&standing));
    let now = asserted(sides.iter().filter_map(|s| s.now.as_ref()));
    for (path, found) in asked {
        let pair = (found.asked, found.answer);
        let (severity, whose) = if before.contains(&pair) {
            (Severity::Block, "an assertion of the base")
        } else if now.contains(&pair) {
            (Severity::Note, "a new assertion")
        } else {
            continue;
        };
        out.push(Finding {
            kind: Kind::AnswersCopied,
            severity,
            path: path.to_owned(),
            line: Some(found.line),
            words: format!(
                "{path} answers `{}` for `{}`, as {whose} expects",
                short(found.answer),
                short(found.asked)
            ),
        });
    }
}

/// Comparisons of the product with values that it did not know before, each with the file in which it stands.
pub(super) fn asked_anew<'s>(sides: &'s [Sides<'_>]) -> Vec<(&'s str, Copied<'s>)> {
    let mut found = Vec::new();
    for side in sides {
        let Some(source) = &side.now else { continue };
        let asked = comparisons(&source.product()).into_iter();
        found.extend(asked.filter(|c| telling(c.asked)).map(|c| (side.path, c)));
    }
    if found.is_empty() {
        return found;
    }
    let mut known: HashSet<&str> = HashSet::new();
    for source in sides.iter().filter_map(|s| s.base.as_ref()) {
        known.extend(source.product().iter().filter(|t| t.is_literal()).map(|t| t.text));
    }
    found.retain(|(_, c)| !known.contains(c.asked));
    found
}

fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Variables and modules that are there while tests run.
const SIGNS: [&str; 12] = [
    "JEST_WORKER_ID",
    "VITEST",
    "VITEST_WORKER_ID",
    "VITEST_POOL_ID",
    "PYTEST_CURRENT_TEST",
    "PYTEST_XDIST_WORKER",
    "NEXTEST",
    "NEXTEST_RUN_ID",
    "NODE_TEST_CONTEXT",
    "test.v",
    "PHPUNIT_COMPOSER_INSTALL",
    "runningUnitTests",
];

/// Variables that are there in CI.
const CI: [&str; 5] = ["CI", "GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "TRAVIS"];

/// Functions and objects by which a variable is read.
const READS: [&str; 12] = [
    "env",
    "getenv",
    "Getenv",
    "LookupEnv",
    "environ",
    "get",
    "var",
    "var_os",
    "ENV",
    "GetEnvironmentVariable",
    "_ENV",
    "_SERVER",
];

/// Variables that say which sort of environment this is.
const STAGES: [&str; 6] = [
    "NODE_ENV",
    "RAILS_ENV",
    "RACK_ENV",
    "APP_ENV",
    "MIX_ENV",
    "ASPNETCORE_ENVIRONMENT",
];

/// Places where the product asks whether it is being tested.
fn asks(tokens: &[Token<'_>]) -> Vec<u32> {
    let mut lines = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(token.sort, Sort::Word | Sort::Text) {
            continue;
        }
        let behind = |n: usize| tokens.get(at + 1..).unwrap_or_default().iter().take(n);
        let before = |n: usize| tokens.get(at.saturating_sub(n)..at).unwrap_or_default();
        let is_test =
            |t: &Token<'_>| t.sort == Sort::Text && matches!(t.text, "test" | "testing" | "Test" | "Testing");
        let found = match token.text {
            word if SIGNS.contains(&word) => is_read(tokens, at),
            word if CI.contains(&word) => before(5)
                .iter()
                .any(|t| t.sort == Sort::Word && READS.contains(&t.text)),
            word if STAGES.contains(&word) => {
                let compares =
                    behind(8).any(|t| matches!(t.text, "==" | "===" | "!=" | "!==" | "equals" | "in"));
                compares && (behind(8).any(is_test) || before(6).iter().any(is_test))
            }
            "cfg" if token.sort == Sort::Word => {
                let mut next = behind(4);
                next.next().is_some_and(|t| t.is_sign("!")) && next.any(|t| t.is_word("test"))
            }
            "pytest" | "unittest" if token.sort == Sort::Text => behind(4).any(|t| t.is_word("modules")),
            "Testing" => before(2).iter().any(|t| t.is_word("testing")) && behind(1).any(|t| t.is_sign("(")),
            "test" if token.sort == Sort::Word => {
                let rails = before(2).iter().any(|t| t.is_word("env")) && behind(1).any(|t| t.is_sign("?"));
                rails && before(4).iter().any(|t| t.is_word("Rails"))
            }
            text if token.sort == Sort::Text => text.starts_with("org.junit"),
            _ => false,
        };
        if found {
            lines.push(token.line);
        }
    }
    lines.dedup();
    lines
}

/// Whether the name of a variable that stands here is asked for: `process.env.X`, `getenv("X")`, `"X" in os.environ`,
/// `{ X } = process.env`. A name in a list, as a key, or that is given a value asks nothing.
fn is_read(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let reads = |t: &Token<'_>| t.sort == Sort::Word && READS.contains(&t.text);
    let before = tokens.get(..at).unwrap_or_default();
    let next = tokens.get(at + 1);
    if token.sort == Sort::Text {
        let mut back = before.iter().rev();
        // The bracket before it, and what is called or looked into.
        let called = back.next().is_some_and(|t| t.is_sign("(") || t.is_sign("["))
            && back
                .take(2)
                .any(|t| reads(t) || matches!(t.text, "Lookup" | "key" | "has" | "has_key"));
        let given = tokens
            .get(at + 1..)
            .unwrap_or_default()
            .windows(2)
            .next()
            .is_some_and(|w| matches!(w, [close, sets] if close.is_sign("]") && sets.is_sign("=")));
        let within = next.is_some_and(|t| t.is_word("in"))
            && tokens.get(at + 2..).unwrap_or_default().iter().take(4).any(reads);
        return called && !given || within;
    }
    if next.is_some_and(|t| t.is_sign("=")) {
        return false;
    }
    let mut back = before.iter().rev();
    let owned = back
        .next()
        .is_some_and(|t| matches!(t.text, "." | "?." | "::" | "->"));
    let lower = token.text.chars().any(char::is_lowercase);
    let taken_out = tokens
        .get(at + 1..)
        .unwrap_or_default()
        .iter()
        .take(16)
        .skip_while(|t| !t.is_sign("}"))
        .skip(1)
        .take(4)
        .any(reads);
    lower || owned && back.take(1).any(reads) || !owned && taken_out
}

/// Files that are there for building and configuring: they may ask where they run.
fn configures(path: &str) -> bool {
    let name = name(path);
    name.contains(".config.")
        || name.starts_with('.')
        || matches!(
            name,
            "build.rs" | "setup.py" | "noxfile.py" | "manage.py" | "Gulpfile.js" | "settings.py"
        )
        || path.split('/').any(|part| {
            matches!(
                part,
                "scripts"
                    | "config"
                    | "ci"
                    | "tools"
                    | ".github"
                    | "testkit"
                    | "testutil"
                    | "testutils"
                    | "test-utils"
            )
        })
}

fn detects(side: &Sides<'_>, out: &mut Vec<Finding>) {
    let Some(now) = &side.now else { return };
    if configures(side.path) {
        return;
    }
    let lines = asks(&now.product());
    let before = side.base.as_ref().map_or(0, |s| asks(&s.product()).len());
    if lines.len() > before {
        out.push(Finding {
            kind: Kind::TestsDetected,
            severity: Severity::Block,
            path: side.path.to_owned(),
            line: lines.first().copied(),
            words: format!("{} asks whether it runs in tests or in CI", side.path),
        });
    }
}

/// Marks in comments and attributes that silence a checker.
const SILENCERS: [&str; 14] = [
    "noqa",
    "type: ignore",
    "pylint: disable",
    "pragma: no cover",
    "eslint-disable",
    "@ts-ignore",
    "@ts-nocheck",
    "@ts-expect-error",
    "biome-ignore",
    "istanbul ignore",
    "c8 ignore",
    "nolint",
    "rubocop:disable",
    "@phpstan-ignore",
];

fn silenced(side: &Sides<'_>, out: &mut Vec<Finding>) {
    let count = |source: Option<&Source<'_>>| -> usize {
        source.map_or(0, |s| {
            let comments = s.tokens.iter().filter(|t| t.sort == Sort::Comment);
            let marks = comments
                .filter(|t| SILENCERS.iter().any(|mark| t.text.contains(mark)))
                .count();
            let attributes = s.tokens.windows(2).filter(|w| {
                let [a, b] = w else { return false };
                match s.lang {
                    Lang::Rust => {
                        matches!(a.text, "allow" | "expect")
                            && b.is_sign("(")
                            && a.sort == Sort::Word
                            && in_attribute(&s.tokens, a)
                    }
                    Lang::Java | Lang::Kotlin => {
                        a.is_sign("@") && matches!(b.text, "SuppressWarnings" | "Suppress")
                    }
                    Lang::CSharp => a.is_word("warning") && b.is_word("disable"),
                    _ => false,
                }
            });
            marks + attributes.count()
        })
    };
    let (was, is) = (count(side.base.as_ref()), count(side.now.as_ref()));
    if is > was && side.base.is_some() {
        out.push(Finding {
            kind: Kind::ChecksLoosened,
            severity: Severity::Note,
            path: side.path.to_owned(),
            line: None,
            words: format!(
                "{} has {} more that silence a checker",
                side.path,
                counted(is - was, "mark", "marks")
            ),
        });
    }
}

/// `#[allow(…)]` or `#![allow(…)]`: the bracket of an attribute stands just before it, in the same line.
fn in_attribute(tokens: &[Token<'_>], token: &Token<'_>) -> bool {
    let at = tokens.partition_point(|t| (t.line, t.column) < (token.line, token.column));
    at >= 2
        && tokens.get(at - 1).is_some_and(|t| t.is_sign("["))
        && tokens.get(at - 2).is_some_and(|t| matches!(t.text, "#" | "!"))
}
