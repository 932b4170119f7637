//! What the engine witnessed, and what an approval stands on.

use crate::{Digest, Id};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a check verifies. The names are those of the policy (`verification: kind:`) and of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Runs tests.
    Tests,
    /// Compiles or packs.
    Build,
    /// Checks types without building.
    Types,
    /// Looks for faults in style or code.
    Lint,
    /// A check of the project's own, which its policy names.
    Own,
}

impl CheckKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Tests, Self::Build, Self::Types, Self::Lint, Self::Own];

    /// The word used in records and in the policy.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Build => "build",
            Self::Types => "types",
            Self::Lint => "lint",
            Self::Own => "own",
        }
    }

    /// The kind with this word; whatever else a project calls its checks is its own.
    #[must_use]
    pub fn named(word: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|k| k.as_str() == word)
            .unwrap_or(Self::Own)
    }

    /// Whether a passing check of this kind may answer a claim of `other`. Tests build and check types on their way where their
    /// runner compiles, which a kind alone does not say; a build checks types; a lint says nothing about tests.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        match self {
            Self::Tests => matches!(other, Self::Tests | Self::Build | Self::Types),
            Self::Build => matches!(other, Self::Build | Self::Types),
            Self::Types | Self::Lint | Self::Own => self == other,
        }
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of [`CheckKind`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Vec<CheckKind>", into = "Vec<CheckKind>")]
pub struct CheckKinds(u8);

impl CheckKinds {
    /// No kind.
    pub const NONE: Self = Self(0);

    /// Adds a kind.
    pub fn insert(&mut self, kind: CheckKind) {
        self.0 |= 1 << kind as u8;
    }

    /// Adds the kinds of another set.
    pub fn join(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Takes the kinds of another set out.
    pub fn remove(&mut self, other: Self) {
        self.0 &= !other.0;
    }

    /// Whether the kind is in the set.
    #[must_use]
    pub fn has(self, kind: CheckKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds, in order.
    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.into_iter().filter(move |k| self.has(*k))
    }

    /// Whether a passing check of these kinds may answer a claim of `kind`; see [`CheckKind::covers`].
    #[must_use]
    pub fn cover(self, kind: CheckKind) -> bool {
        self.iter().any(|k| k.covers(kind))
    }
}

impl From<CheckKind> for CheckKinds {
    fn from(kind: CheckKind) -> Self {
        [kind].into_iter().collect()
    }
}

impl FromIterator<CheckKind> for CheckKinds {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> Self {
        let mut set = Self::NONE;
        kinds.into_iter().for_each(|k| set.insert(k));
        set
    }
}

impl From<Vec<CheckKind>> for CheckKinds {
    fn from(kinds: Vec<CheckKind>) -> Self {
        kinds.into_iter().collect()
    }
}

impl From<CheckKinds> for Vec<CheckKind> {
    fn from(kinds: CheckKinds) -> Self {
        kinds.iter().collect()
    }
}

/// Where an exit code is known from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitSource {
    /// Proctor ran the command itself.
    Engine,
    /// A field of the host's payload holds the number.
    HostField,
    /// The host tells success and failure by the kind of its event.
    HostEvent,
    /// The number stands in a text that the host wrote around the output.
    HostText,
    /// Nobody told it. Such a run supports nothing.
    #[default]
    Unknown,
}

/// Why the exit code of a command line does not say how the check in it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mask {
    /// Its output goes through a pipe, and the last command of the pipe decides.
    Pipe,
    /// `|| something` follows it.
    Or,
    /// Another command runs after it, whatever came of it.
    Then,
    /// It runs in the background.
    Background,
    /// `!` turns its status round.
    Negated,
    /// An option tells it to end well whatever it finds.
    Lenient,
    /// It stands in a substitution, a condition, a loop or a function.
    Control,
    /// It may not have run at all: it follows `&&`, `||`, a condition or an `exit`.
    Unreached,
    /// The command line cannot be analysed.
    Unanalysable,
}

/// What a runner printed at its end, in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The runner whose form was recognised, such as `pytest`.
    pub runner: String,
    /// Tests (or, for a compiler or a linter, units) that passed; `None` where it does not say.
    pub passed: Option<u64>,
    /// Tests that failed, or errors that were found.
    pub failed: Option<u64>,
    /// Tests that were left out.
    pub skipped: Option<u64>,
    /// Tests that failed as their authors expect them to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xfail: Option<u64>,
    /// Tests that the command line or the runner's configuration did not select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filtered: Option<u64>,
    /// Warnings that it counts; `None` where it counts none, or does not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<u64>,
    /// Whether the text says that the run as a whole failed, figures or not.
    pub says_failed: bool,
    /// Whether a part of it began, and its end was not printed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    /// Whether parts of the output were missing: figures may then be unknown, and what failed unseen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl Summary {
    /// Whether nothing was tested: the runner says zero, or left everything out.
    #[must_use]
    pub fn is_empty_run(&self) -> bool {
        self.passed == Some(0) && self.failed.unwrap_or(0) == 0
    }

    /// Whether the output says that something failed.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.says_failed || self.failed.is_some_and(|n| n > 0)
    }
}

/// Identity of a work tree's content: the id of the git tree of everything that git tracks or would
/// add, without `.proctor/`. Hexadecimal; specified in `docs/TREE_ID.md`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TreeId(String);

impl TreeId {
    /// Takes an id from text as it is.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How far a fact can be trusted. Ordered: what stands later is worth more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// An agent said so.
    Claimed,
    /// A hook on this machine saw it.
    Witnessed,
    /// Proctor ran it.
    EngineRan,
    /// It was run again in CI.
    CiReran,
}

impl Trust {
    /// The word used in records and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Witnessed => "witnessed",
            Self::EngineRan => "engine_ran",
            Self::CiReran => "ci_reran",
        }
    }
}

/// Where a check ran and what it was pointed at, seen from the work tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Inside the work tree.
    #[default]
    Here,
    /// Outside of it, or on a machine or in a container whose files need not be the same.
    Outside,
    /// It cannot be told.
    Unknown,
}

impl Place {
    /// Whether it is inside the work tree.
    #[must_use]
    pub fn is_here(&self) -> bool {
        *self == Self::Here
    }
}

/// Why the end is missing that a runner always prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It went where nobody sees it, or the runner was told to print none: whether tests ran is not known.
    Hidden,
    /// All of the output was seen, and it is not there: the run did not come to its end.
    Silent,
}

/// A run of a command that verifies something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckRun {
    /// The record that holds it, or, until it is written, the one that will.
    pub id: Id,
    /// The command line as it was run, shortened.
    pub command: String,
    /// The check in it: its arguments without wrappers and environment, as `cargo test -p core`.
    pub check: String,
    /// The words of the check, bounded. Only in the record: the state has [`Self::check`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// What it verifies.
    pub kinds: CheckKinds,
    /// Whether only a part was selected (a filter, a file, a package): such a pass does not undo a failure
    /// of the whole.
    pub partial: bool,
    /// The command that verifies all, where only a part was selected, another place was looked at, or what ran cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The name of the policy's `verification` that it is, if it is one.
    pub own: Option<String>,
    /// It is that verification with words that may change what it does, so it is not run as the policy names it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varied: bool,
    /// Folder in which it ran, relative to the work tree's root where it lies inside.
    pub cwd: String,
    /// Where that folder is, and what its words point at.
    #[serde(default, skip_serializing_if = "Place::is_here")]
    pub place: Place,
    /// The exit code of the whole command line.
    pub exit: Option<i32>,
    /// Where the exit code is known from.
    pub exit_source: ExitSource,
    /// Why the exit code says nothing about the check; empty: it does.
    pub masks: Vec<Mask>,
    /// It ran in the background, and its end was not seen.
    pub background: bool,
    /// Digest of what it wrote.
    pub output: Option<Digest>,
    /// What its runner printed at the end.
    pub summary: Option<Summary>,
    /// What is missing of that end, where the runner always prints one and the exit code is good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// The tree before it ran; `None` where that is not known.
    pub before: Option<TreeId>,
    /// The tree after it ran.
    pub after: Option<TreeId>,
    /// The two differ by files alone that git does not track, and nothing else of the line made them: the run's litter.
    #[serde(default)]
    pub litter: bool,
    /// Number of witnessed writes when it began; stands in for the tree where there is none.
    pub writes: u64,
    /// Milliseconds since 1970 when it began.
    pub began: u64,
    /// How long it took, in milliseconds, where that is known.
    pub millis: Option<u64>,
    /// How far it can be trusted.
    pub trust: Trust,
    /// It ran in a clean folder that held exactly the tree `before`: nothing ignored, nothing untracked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clean: bool,
}

/// What stands in records in the place of a secret.
pub const HIDDEN: &str = "***";

impl CheckRun {
    /// Whether [`Self::check`] stands as it was run: no secret hidden in it, and nothing cut off. Two runs of which a part is
    /// not on record may be of two checks, though they read the same.
    #[must_use]
    pub fn is_as_written(&self) -> bool {
        !self.check.contains(HIDDEN) && !self.check.ends_with('…')
    }
}

/// A command line that a shell tool ran, and in which no check was recognised. It supports nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRun {
    /// The line, shortened, without the secrets that can be told.
    pub line: String,
    /// The words of its last simple command, bounded. Only in the record: the state has [`Self::line`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// Folder in which it was started, relative to the work tree's root where it lies inside.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// The exit code of the whole line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Where the exit code is known from.
    pub exit_source: ExitSource,
    /// Why the exit code does not speak for every command of the line; empty: it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<Mask>,
    /// It runs in the background, and its end was not seen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// How long it took, in milliseconds, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
    /// Digest of what it wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Digest>,
}

/// The answer to "does a fact support this claim on this tree?". A closed set: every user of facts
/// handles all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Yes.
    Supported,
    /// No check was run.
    NoCommand,
    /// Checks were run, but none of the kind that was claimed.
    WrongKind,
    /// The tree changed since the check ran.
    Stale,
    /// Files that git tracks changed while the check ran.
    TreeChangedDuringRun,
    /// The check ended with a status that means failure.
    FailedExit,
    /// The status was good, but the output says that something failed.
    FailedOutput,
    /// Nothing was tested.
    EmptyRun,
    /// The status of the check was hidden by the command line around it.
    Masked,
    /// It was started in the background and its end was not seen.
    BackgroundOnly,
    /// It failed, and not all of it was run again since.
    SupersededByFailure,
    /// The check ran and its result is not known.
    NoResult,
    /// It cannot be told: what is needed for the answer is missing.
    CouldNotRun,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 13] = [
        Self::Supported,
        Self::NoCommand,
        Self::WrongKind,
        Self::Stale,
        Self::TreeChangedDuringRun,
        Self::FailedExit,
        Self::FailedOutput,
        Self::EmptyRun,
        Self::Masked,
        Self::BackgroundOnly,
        Self::SupersededByFailure,
        Self::NoResult,
        Self::CouldNotRun,
    ];

    /// The word used in records and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::NoCommand => "no_command",
            Self::WrongKind => "wrong_kind",
            Self::Stale => "stale",
            Self::TreeChangedDuringRun => "tree_changed_during_run",
            Self::FailedExit => "failed_exit",
            Self::FailedOutput => "failed_output",
            Self::EmptyRun => "empty_run",
            Self::Masked => "masked",
            Self::BackgroundOnly => "background_only",
            Self::SupersededByFailure => "superseded_by_failure",
            Self::NoResult => "no_result",
            Self::CouldNotRun => "could_not_run",
        }
    }
}

/// How the review of a session's work stands, on the tree as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ReviewStanding {
    /// None was ever asked for.
    #[default]
    None,
    /// One was asked for.
    Pending,
    /// One was asked for, and could not run: no verdict.
    CouldNotRun {
        /// Why.
        why: String,
    },
    /// One was asked for, and a human is to give it.
    Waiting,
    /// A reviewer is at work.
    InReview,
    /// Exactly this tree is approved.
    Approved,
    /// Exactly this tree is approved by reviewers of one model, and it takes two.
    ApprovedByOne {
        /// Who approved, in words.
        by: String,
    },
    /// An earlier tree was approved.
    Stale {
        /// The paths that differ from it, where that can be told.
        changed: Vec<String>,
    },
    /// It was refused.
    Rejected {
        /// Findings that are neither closed nor answered.
        open: usize,
    },
    /// Given up: a human has to look at it.
    Escalated,
    /// A human let it go.
    Released,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_kinds_survive_json_and_cover_what_they_imply() {
        let set: CheckKinds = [CheckKind::Lint, CheckKind::Tests].into_iter().collect();
        let json = serde_json::to_string(&set).unwrap();
        assert_eq!(json, r#"["tests","lint"]"#);
        assert_eq!(serde_json::from_str::<CheckKinds>(&json).unwrap(), set);
        assert!(set.cover(CheckKind::Types) && !set.cover(CheckKind::Own));
        assert!(!CheckKinds::from(CheckKind::Lint).cover(CheckKind::Tests));
    }

    #[test]
    fn every_reason_is_written_as_it_is_named() {
        for reason in Reason::ALL {
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{reason}\""));
        }
    }
}
