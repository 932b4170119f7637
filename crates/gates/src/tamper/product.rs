//! The product side of a change: code that asks whether it is being tested, and marks that silence a checker.

use super::find::Source;
use super::lang::{Lang, name};
use super::lex::{Sort, Token};
use super::{Finding, Kind, Severity, Sides, counted};

pub(super) fn look(sides: &[Sides<'_>], out: &mut Vec<Finding>) {
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
        || name.contains(".conf.")
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
