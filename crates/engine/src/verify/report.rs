//! What `verify` answers. Every enumeration is closed: who reads the answer can handle all of it.

use crate::review::Program;
use crate::signing::SignatureState;
use proctor_kernel::Trust;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer as a whole.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It may go. Exit status 0.
    #[default]
    Pass,
    /// It cannot be told: something that is needed for the answer is missing. Exit status 3.
    CouldNotRun,
    /// A human has to look at it. Exit status 4.
    NeedsHuman,
    /// It may not go. Exit status 1.
    Blocked,
}

impl Status {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::CouldNotRun => "could_not_run",
            Self::NeedsHuman => "needs_human",
            Self::Blocked => "blocked",
        }
    }
}

/// How far what the answer stands on can be trusted.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TrustAxis {
    /// It stands on nothing.
    #[default]
    None,
    /// Somebody else's records say so: another clone, or a file.
    Claimed,
    /// A hook on this machine saw it.
    Witnessed,
    /// Proctor ran it on this machine.
    EngineRan,
    /// It was run again in CI, just now.
    CiReran,
}

impl TrustAxis {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Claimed => "claimed",
            Self::Witnessed => "witnessed",
            Self::EngineRan => "engine_ran",
            Self::CiReran => "ci_reran",
        }
    }
}

impl From<Trust> for TrustAxis {
    fn from(trust: Trust) -> Self {
        match trust {
            Trust::Claimed => Self::Claimed,
            Trust::Witnessed => Self::Witnessed,
            Trust::EngineRan => Self::EngineRan,
            Trust::CiReran => Self::CiReran,
        }
    }
}

/// Whether the approval or release still holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Freshness {
    /// There is none.
    #[default]
    None,
    /// It holds.
    Fresh,
    /// It was given for another tree, or under looser rules.
    Stale,
    /// Its time is over.
    Expired,
}

impl Freshness {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Fresh => "fresh",
            Self::Stale => "stale",
            Self::Expired => "expired",
        }
    }
}

/// How the commit relates to the tree that was approved or released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Binding {
    /// Nothing was.
    #[default]
    None,
    /// The commit holds exactly that tree.
    Exact,
    /// The commit lacks files that were untracked when it was approved, and nothing else.
    LacksUntracked,
    /// The commit holds something else.
    Different,
}

impl Binding {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Exact => "exact",
            Self::LacksUntracked => "lacks_untracked",
            Self::Different => "different",
        }
    }
}

/// How the commit's own policy relates to that of the base, which decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyAxis {
    /// They demand the same.
    #[default]
    Same,
    /// The commit's demands less in some point.
    Looser,
    /// The commit's demands more, and nothing less.
    Tighter,
    /// One of them cannot be read.
    Unknown,
}

impl PolicyAxis {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Looser => "looser",
            Self::Tighter => "tighter",
            Self::Unknown => "unknown",
        }
    }
}

/// Why the answer is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerifyReason {
    /// Exactly this tree is approved.
    Approved,
    /// A human let it go.
    Released,
    /// The policy asks for no review of this change.
    NoReviewRequired,
    /// The gate `approval`, or all of Proctor, is off in the policy that decides.
    Off,
    /// The commit holds nothing that the base does not hold.
    Unchanged,
    /// The required checks pass.
    ChecksPassed,
    /// Checks were to be run again, and the policy names none.
    NothingToRun,
    /// The approved tree had files besides, which were untracked.
    LacksUntracked,
    /// Nobody approved it.
    NotApproved,
    /// A review was asked for and there is no verdict yet.
    Pending,
    /// A reviewer is at work.
    InReview,
    /// Another tree was approved.
    Stale,
    /// It was approved under looser rules, or for other checks.
    LooserRules,
    /// It was refused.
    Rejected,
    /// It was let go unreviewed.
    Escalated,
    /// The release is over.
    ReleaseExpired,
    /// A required check fails.
    CheckFailed,
    /// A required check tested nothing.
    CheckEmpty,
    /// A required check could not run.
    CheckCouldNotRun,
    /// The policy asks for a signature, and there is none.
    Unsigned,
    /// A signature does not fit its record.
    SignatureInvalid,
    /// A signature is by a key that may not sign.
    UnknownKey,
    /// There is no list of allowed signers.
    NoSigners,
    /// A signature could not be looked at.
    SignatureNotChecked,
    /// All that speaks for it are records of others, and no check was run here.
    OnlyClaimed,
    /// The commit loosens the policy, and no human approved that.
    PolicyLooser,
    /// A policy cannot be read.
    PolicyUnknown,
    /// What this clone had recorded is gone.
    StateLost,
    /// Files below `.proctor/` changed, which no approval is about.
    BesideTheTree,
    /// What the commit goes onto is not known here.
    BaseUnknown,
    /// The tests or checks say less than at the base.
    TestsWeakened,
    /// They do, and somebody whose word counts looked at it.
    WeakenedAnswered,
    /// They do, and only others' records say that somebody looked at it.
    WeakenedClaimed,
    /// The commit could not be compared with its base.
    NotCompared,
    /// What is high-stakes was approved by a human, or by two reviewers of different models.
    SecondReviewer,
    /// What is high-stakes has not been approved so.
    SecondReviewerMissing,
}

/// One reason, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReasonReport {
    /// Which.
    pub code: VerifyReason,
    /// What it does to the answer.
    pub weight: Status,
    /// In words.
    pub text: String,
}

/// The five questions that are answered apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Axes {
    /// The signature of the approval or release.
    pub signature: SignatureState,
    /// How far what the answer stands on can be trusted.
    pub trust: TrustAxis,
    /// Whether the approval or release still holds.
    pub freshness: Freshness,
    /// How the commit relates to what was approved.
    pub binding: Binding,
    /// How the commit's policy relates to the base's.
    pub policy: PolicyAxis,
}

/// Where a record comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordOrigin {
    /// This clone's own log.
    Own,
    /// Another clone published it.
    Clone,
    /// A file that was imported.
    File,
}

/// The approval or release that the answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalReport {
    /// `approval` or `release`.
    pub what: String,
    /// Who, in words.
    pub by: String,
    /// The program that was started as the reviewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// Who signed it, as the allowed signers name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// Where its record comes from.
    pub origin: RecordOrigin,
    /// The clone that published it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clone: Option<String>,
    /// The review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<String>,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The tree that was approved or released; absent: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// The level of evidence that it was given under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// When it ends, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// The reason, in their words.
    pub words: String,
    /// What it stands on, one line each.
    pub evidence: Vec<String>,
}

/// How a required check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// It passes on exactly this tree.
    Passed,
    /// It fails.
    Failed,
    /// It tested nothing.
    Empty,
    /// It could not be run.
    CouldNotRun,
    /// It was not run on this tree.
    NotRun,
}

impl CheckState {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Empty => "empty",
            Self::CouldNotRun => "could_not_run",
            Self::NotRun => "not_run",
        }
    }
}

/// A check that the policy asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    /// Its name in the policy.
    pub name: String,
    /// The command line.
    pub run: String,
    /// How it stands.
    pub state: CheckState,
    /// How far that can be trusted.
    pub trust: TrustAxis,
    /// More, in words: what is missing, or how it ended.
    pub detail: String,
}

/// A commit of a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitReport {
    /// The commit.
    pub commit: String,
    /// The identity of what it holds.
    pub tree: String,
    /// `approved`, `released`, `rejected`, `escalated` or `none`; from the records alone.
    pub standing: String,
}

/// How the commit's policy differs from the base's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyReport {
    /// The commit whose policy decides; absent: there is none, so the built-in policy does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Keys in which the commit's policy is looser.
    pub looser: Vec<String>,
    /// Keys in which it is tighter.
    pub tighter: Vec<String>,
    /// What is wrong with the files.
    pub problems: Vec<String>,
    /// From level `rerun` on: what makes the tests or checks say less than at the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weakened: Vec<WeakenedReport>,
    /// Whether what is high-stakes was looked at twice; absent: nothing of it changed, or no review is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high_stakes: Option<HighStakesReport>,
}

/// What became of something that makes the tests say less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WeakenedState {
    /// Nobody answered it.
    Open,
    /// Others' records say that somebody answered it.
    Claimed,
    /// It was answered in a review of this clone, or with the approval or release that lets the commit go.
    Answered,
    /// It stands in nobody's way: worth a look, or the policy asks for no more.
    Told,
}

impl WeakenedState {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Claimed => "claimed",
            Self::Answered => "answered",
            Self::Told => "told",
        }
    }
}

/// Something that makes the tests or checks say less than at the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WeakenedReport {
    /// The rule, as `tamper/tests_gone`.
    pub rule: String,
    /// The file; empty where it belongs to none.
    pub path: String,
    /// The line, from 1, in the file as the commit has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is there, in words.
    pub text: String,
    /// What became of it.
    pub state: WeakenedState,
}

/// Who approved what is high-stakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HighStakesState {
    /// A human.
    Human,
    /// Two reviewers of different models.
    TwoModels,
    /// Nobody: a human let it go.
    Released,
    /// Nobody, or one reviewer alone.
    Missing,
}

impl HighStakesState {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::TwoModels => "two_models",
            Self::Released => "released",
            Self::Missing => "missing",
        }
    }
}

/// Whether what is high-stakes was looked at twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HighStakesReport {
    /// Changed paths under `approval.high_stakes`; a renamed file counts under both names.
    pub paths: Vec<String>,
    /// Who approved them.
    pub state: HighStakesState,
}

/// What `proctor verify` answers about one commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `proctor verify --json`")]
pub struct VerifyReport {
    /// The answer.
    pub status: Status,
    /// The commit.
    pub commit: String,
    /// The identity of what it holds: its git tree without `.proctor/`.
    pub tree: String,
    /// The commit that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The five questions that are answered apart.
    pub axes: Axes,
    /// Why.
    pub reasons: Vec<ReasonReport>,
    /// The approval or release that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalReport>,
    /// Files that the approved tree had and the commit lacks, or in which they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// The checks that the policy asks for.
    pub checks: Vec<CheckReport>,
    /// The policy.
    pub policy: PolicyReport,
    /// The commits that the base does not have, where there are several or a range was given, newest first. The
    /// newest decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<CommitReport>,
    /// What else there is to say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The record of the approval or release, for export.
    #[serde(skip)]
    pub(super) record: Option<super::intoto::ReviewPredicate>,
    /// The object of the policy file that decides, for export.
    #[serde(skip)]
    pub(super) policy_blob: Option<String>,
}

impl VerifyReport {
    /// Adds a reason; the answer is the weightiest of them.
    pub(super) fn say(&mut self, code: VerifyReason, weight: Status, text: impl Into<String>) {
        self.status = self.status.max(weight);
        self.reasons.push(ReasonReport {
            code,
            weight,
            text: text.into(),
        });
    }
}

/// The JSON Schema of the answer.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(VerifyReport).to_value()
}
