//! Do the tests of a change still say what they said before it? Pure: a change in, findings out.
//!
//! Source is read as tokens, so that what stands in strings and comments is told apart from code, and tests are
//! compared by name, by place and by likeness: a test that was moved, renamed, or went with what it tested
//! is no finding. A finding says what is there, never what somebody meant by it. See `docs/reference/tamper.md`.

mod answers;
mod around;
mod asserts;
mod beside;
mod caught;
mod compare;
mod config;
mod exact;
mod find;
mod forms;
mod held;
mod helpers;
mod idle;
mod lang;
mod less;
mod lex;
mod moot;
mod number;
mod pairs;
mod patched;
mod product;
mod reach;
mod rows;
mod runs;
mod shadows;
mod sides;
mod stands;
mod switches;
mod tables;
mod vacuous;

#[cfg(test)]
mod tests;

use find::Source;
use proctor_kernel::Summary;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Tests that were there are gone.
    TestsGone,
    /// Tests are still there, and the runner does not find them any more.
    TestsUnseen,
    /// Tests stand in comments.
    TestsCommentedOut,
    /// Tests are marked to be left out, or to fail.
    TestsSkipped,
    /// A mark leaves out every test but some.
    TestsFocused,
    /// Tests demand less than they did.
    AssertionsWeakened,
    /// A failure inside a test is caught and dropped.
    ErrorsSwallowed,
    /// What runs around the tests leaves some out, turns what they came to, or ends the run as if it were good.
    TestsTurnedOff,
    /// The runner ran fewer tests than at the base, or does not tell any more how many it ran.
    FewerTestsRun,
    /// CI, a linter, coverage or a runner is configured to demand less.
    ChecksLoosened,
    /// Proctor's own policy asks for less.
    PolicyChanged,
    /// The product answers values that it did not know before with what tests expect for them.
    AnswersCopied,
    /// Expected outputs were written anew.
    SnapshotsRewritten,
    /// The product asks whether it is being tested.
    TestsDetected,
    /// A module of the project stands in the place of the runner.
    RunnerShadowed,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::TestsGone,
        Self::TestsUnseen,
        Self::TestsCommentedOut,
        Self::TestsSkipped,
        Self::TestsFocused,
        Self::AssertionsWeakened,
        Self::ErrorsSwallowed,
        Self::TestsTurnedOff,
        Self::FewerTestsRun,
        Self::ChecksLoosened,
        Self::PolicyChanged,
        Self::AnswersCopied,
        Self::SnapshotsRewritten,
        Self::TestsDetected,
        Self::RunnerShadowed,
    ];

    /// The rule's id, as records and reports have it.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::TestsGone => "tamper/tests_gone",
            Self::TestsUnseen => "tamper/tests_unseen",
            Self::TestsCommentedOut => "tamper/tests_commented_out",
            Self::TestsSkipped => "tamper/tests_skipped",
            Self::TestsFocused => "tamper/tests_focused",
            Self::AssertionsWeakened => "tamper/assertions_weakened",
            Self::ErrorsSwallowed => "tamper/errors_swallowed",
            Self::TestsTurnedOff => "tamper/tests_turned_off",
            Self::FewerTestsRun => "tamper/fewer_tests_run",
            Self::ChecksLoosened => "tamper/checks_loosened",
            Self::PolicyChanged => "tamper/policy_changed",
            Self::AnswersCopied => "tamper/answers_copied",
            Self::SnapshotsRewritten => "tamper/snapshots_rewritten",
            Self::TestsDetected => "tamper/tests_detected",
            Self::RunnerShadowed => "tamper/runner_shadowed",
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth a look; stands in nobody's way.
    Note,
    /// An approval waits until it is mended, or answered by the reviewer or a human.
    Block,
}

/// Something that makes the tests or checks say less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// How much it matters.
    pub severity: Severity,
    /// The file; empty where it belongs to none.
    pub path: String,
    /// The line, from 1, in the file as it is now.
    pub line: Option<u32>,
    /// What is there, as one sentence without its full stop.
    pub words: String,
}

/// A file that differs between the base and now.
#[derive(Clone, Copy, Debug)]
pub struct FileChange<'a> {
    /// Its path from the root.
    pub path: &'a str,
    /// Its text at the base; `None`: it was not there.
    pub base: Option<&'a str>,
    /// Its text now; `None`: it is not there any more.
    pub now: Option<&'a str>,
}

/// A file that is as it was at the base.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// Its path from the root.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// What one check printed at the base and now.
#[derive(Clone, Copy, Debug)]
pub struct CheckPair<'a> {
    /// The check's name in the policy.
    pub name: &'a str,
    /// At the base; `None` where it could not be run there.
    pub base: Option<&'a Summary>,
    /// Now.
    pub now: Option<&'a Summary>,
    /// Whether it ended well now.
    pub ended_well: bool,
    /// Whether the runner that told the figures at the base tells them whatever comes of the tests.
    pub always_tells: bool,
    /// The folder in which it runs, seen from the root.
    pub folder: &'a str,
}

/// A change as it is judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change<'a> {
    /// The files that differ. Files that are no text are left out.
    pub files: &'a [FileChange<'a>],
    /// Tests that did not change, with which answers of the product are compared; needed where [`asks_anew`].
    pub standing: &'a [Standing<'a>],
    /// Files that are no tests and did not change, whose values were known before; needed where [`accuses`].
    pub held: &'a [Standing<'a>],
    /// The checks that were run on both sides.
    pub checks: &'a [CheckPair<'a>],
    /// Parts of Proctor's own policy that ask for less than at the base, one phrase each.
    pub policy: &'a [String],
}

/// A file that was read on both sides.
pub(crate) struct Sides<'a> {
    path: &'a str,
    base: Option<Source<'a>>,
    now: Option<Source<'a>>,
}

/// Judges a change. What matters most comes first.
#[must_use]
pub fn judge(change: &Change<'_>) -> Vec<Finding> {
    let sides = read(change.files);
    let mut out = Vec::new();
    let explained = compare::tests(&sides, &mut out);
    answers::look(&sides, change.standing, change.held, &mut out);
    patched::look(&sides, change.standing, &mut out);
    product::look(&sides, &mut out);
    around::look(&sides, &mut out);
    config::look(change.files, &mut out);
    snapshots(change.files, &mut out);
    runs::compare(change.checks, explained, &mut out);
    shadows::look(change.files, change.checks, &mut out);
    out.extend(change.policy.iter().map(|what| Finding {
        kind: Kind::PolicyChanged,
        severity: Severity::Block,
        path: ".proctor/proctor.yaml".to_owned(),
        line: None,
        words: format!("the policy asks for less than at the base: {what}"),
    }));
    for finding in &mut out {
        // Names of files and tests are others' words.
        if let Cow::Owned(words) = proctor_kernel::one_line(&finding.words) {
            finding.words = words;
        }
    }
    out.sort_by(|a, b| {
        let key = |f: &Finding| (std::cmp::Reverse(f.severity), f.kind, f.path.clone(), f.line);
        key(a).cmp(&key(b))
    });
    out.dedup();
    out
}

/// Reads the files whose language is known.
fn read<'a>(files: &[FileChange<'a>]) -> Vec<Sides<'a>> {
    let known = files.iter().filter(|f| lang::Lang::of(f.path).is_some());
    known
        .map(|f| Sides {
            path: f.path,
            base: f.base.and_then(|text| Source::read(f.path, text)),
            now: f.now.and_then(|text| Source::read(f.path, text)),
        })
        .collect()
}

/// Whether it matters what the tests expect that did not change: the product has answers for values that it did not have
/// before, or a module of Python puts something in the place of a part of another one.
#[must_use]
pub fn asks_anew(files: &[FileChange<'_>]) -> bool {
    let sides = read(files);
    patched::asks(&sides) || !answers::asked_anew(&sides).is_empty()
}

/// Whether answers of the product look copied from tests, as far as the files that changed tell: then it matters what the
/// files held that did not.
#[must_use]
pub fn accuses(files: &[FileChange<'_>], standing: &[Standing<'_>]) -> bool {
    let mut found = Vec::new();
    answers::look(&read(files), standing, &[], &mut found);
    !found.is_empty()
}

/// Whether a file of a repository may hold what the product knows: source in a known language, or data, and no test.
#[must_use]
pub fn may_know(path: &str) -> bool {
    held::may_know(path)
}

/// Whether a file of a known language is there for tests.
#[must_use]
pub fn is_for_tests(path: &str) -> bool {
    lang::Lang::of(path).is_some() && lang::is_test_path(path)
}

/// Expected outputs that were written anew together with what produces them.
fn snapshots(files: &[FileChange<'_>], out: &mut Vec<Finding>) {
    let product = files
        .iter()
        .any(|f| lang::Lang::of(f.path).is_some() && !lang::is_test_path(f.path) && f.base != f.now);
    for file in files
        .iter()
        .filter(|f| lang::is_snapshot(f.path) && f.base.is_some())
    {
        let words = match (file.now, product) {
            (None, _) => format!("{} is gone, which held an expected output", file.path),
            (Some(_), true) => format!(
                "{} holds another expected output, and what produces it changed too",
                file.path
            ),
            (Some(_), false) => format!(
                "{} holds another expected output, and no code changed with it",
                file.path
            ),
        };
        out.push(Finding {
            kind: Kind::SnapshotsRewritten,
            severity: Severity::Note,
            path: file.path.to_owned(),
            line: None,
            words,
        });
    }
}

/// A list for a sentence: the first few names, and the number of the rest.
pub(crate) fn listed(names: &[String]) -> String {
    const NAMED: usize = 4;
    let mut out = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        out.push_str(&format!(" (+{})", names.len() - NAMED));
    }
    out
}

/// `1 test`, `3 tests`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
