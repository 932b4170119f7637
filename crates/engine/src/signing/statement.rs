//! What a human signs.

use crate::review::{Evidence, PartyKind, Release, ReviewVerdict, VerdictEntry};
use proctor_kernel::{Digest, Error, ErrorKind, Id, Result, TreeId};
use serde::{Deserialize, Serialize};

/// The form of statements that this version writes and reads.
const FORM: u32 = 1;

/// Longest statement, in bytes.
const LONGEST: usize = 256 << 10;

/// How long after it was signed a record may be made, and how far two clocks may differ: ten minutes. A signed
/// record that is written once more later does not count.
const LATEST: u64 = 600_000;

/// What sort of record was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// An approval of a tree.
    Approval,
    /// A refusal of a tree.
    Refusal,
    /// A release.
    Release,
}

/// The signed form of a verdict or a release: these fields in this order as one line of JSON without white space
/// (strings as `serde_json` writes them, absent values as `null`), and no line feed at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The form, 1.
    pub proctor: u32,
    /// What is stated.
    pub what: StatementKind,
    /// The repository: the first commit of its history; empty before there is one.
    pub repository: String,
    /// The tree that was judged or may go.
    pub tree: Option<TreeId>,
    /// The review.
    pub review: Option<Id>,
    /// The round of the review.
    pub round: Option<u32>,
    /// The session that is released; `null` for all, and for verdicts.
    pub session: Option<String>,
    /// What sort of party states it.
    pub by: PartyKind,
    /// The reason, in the signer's words.
    pub reason: String,
    /// When it was signed, in milliseconds since 1970.
    pub time: u64,
    /// When it ends, in milliseconds since 1970; `null`: it does not.
    pub until: Option<u64>,
    /// Digest of the policy that was in force.
    pub policy: Option<Digest>,
    /// Digest of the project's own policy files.
    pub project: Option<Digest>,
    /// Digest of the checks that the policy asked for.
    pub checks: Option<Digest>,
    /// The level of evidence.
    pub level: String,
    /// Digest of the evidence.
    pub evidence: Option<Digest>,
    /// The commits with which the differences begin that were looked at; left out where none is noted, as in a release.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// The commit that was checked out; left out where none is noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

impl Statement {
    /// The statement of a verdict.
    #[must_use]
    pub fn of_verdict(repository: &str, review: &Id, entry: &VerdictEntry, time: u64) -> Self {
        Self {
            proctor: FORM,
            what: match entry.verdict {
                ReviewVerdict::Approve => StatementKind::Approval,
                ReviewVerdict::Reject => StatementKind::Refusal,
            },
            repository: repository.to_owned(),
            tree: entry.tree.clone(),
            review: Some(review.clone()),
            round: Some(entry.round),
            session: None,
            by: entry.reviewer.kind,
            reason: entry.words.clone(),
            time,
            until: None,
            policy: Some(entry.pins.policy.clone()),
            project: entry.pins.project.clone(),
            checks: Some(entry.pins.checks.clone()),
            level: entry.pins.level.clone(),
            evidence: Some(digest(&entry.evidence)),
            from: entry.from.clone(),
            head: entry.head.clone(),
        }
    }

    /// The statement of a release.
    #[must_use]
    pub fn of_release(repository: &str, release: &Release, time: u64) -> Self {
        Self {
            proctor: FORM,
            what: StatementKind::Release,
            repository: repository.to_owned(),
            tree: release.tree.clone(),
            review: None,
            round: None,
            session: release.session.clone(),
            by: release.by.kind,
            reason: release.reason.clone(),
            time,
            until: Some(release.until),
            policy: release.policy.clone(),
            project: None,
            checks: None,
            level: String::new(),
            evidence: None,
            from: Vec::new(),
            head: None,
        }
    }

    /// The bytes that are signed.
    ///
    /// # Errors
    /// Kind `internal`; cannot happen with any content.
    pub fn text(&self) -> Result<String> {
        serde_json::to_string(self)
            .map_err(|e| Error::new(ErrorKind::Internal, "a statement cannot be written as JSON").because(e))
    }

    /// Reads a statement. Only the one form that [`Statement::text`] writes is taken.
    ///
    /// # Errors
    /// Kind `input` when it is anything else.
    pub fn read(text: &str) -> Result<Self> {
        let wrong = || Error::new(ErrorKind::Input, "what was signed is no statement of Proctor's");
        if text.len() > LONGEST {
            return Err(wrong());
        }
        let statement: Self = serde_json::from_str(text).map_err(|e| wrong().because(e))?;
        if statement.proctor != FORM || statement.text()? != text {
            return Err(wrong());
        }
        Ok(statement)
    }

    /// The first field in which this differs from what a record says; `at` is when the record was made.
    pub(super) fn differs(&self, record: &Self, at: u64) -> Option<&'static str> {
        let fields = [
            ("form", self.proctor == record.proctor),
            ("kind", self.what == record.what),
            ("repository", self.repository == record.repository),
            ("tree", self.tree == record.tree),
            ("review", self.review == record.review),
            ("round", self.round == record.round),
            ("session", self.session == record.session),
            ("author", self.by == record.by),
            ("reason", self.reason == record.reason),
            ("time", self.time.abs_diff(at) <= LATEST),
            ("end", self.until == record.until),
            ("policy", self.policy == record.policy),
            ("project policy", self.project == record.project),
            ("list of checks", self.checks == record.checks),
            ("level", self.level == record.level),
            ("evidence", self.evidence == record.evidence),
            ("beginning", self.from == record.from),
            ("commit", self.head == record.head),
        ];
        fields.iter().find(|(_, same)| !same).map(|(name, _)| *name)
    }
}

/// Digest of what a verdict stands on: record, check, exit code and digest of the output of each run.
fn digest(evidence: &[Evidence]) -> Digest {
    let mut text = String::new();
    for run in evidence {
        let exit = run.exit.map(|e| e.to_string()).unwrap_or_default();
        let output = run.output.as_ref().map(|o| o.to_string()).unwrap_or_default();
        let tree = run.tree.as_ref().map(|t| t.to_string()).unwrap_or_default();
        for part in [run.record.as_str(), &run.check, &tree, &exit, &output] {
            text.push_str(part);
            text.push('\0');
        }
    }
    Digest::of(text.as_bytes())
}
