//! What a review consists of, and the events that make it.

use proctor_kernel::{CheckKinds, Digest, Id, Process, Running, TreeId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state that a review is in. `stale` is never stored: an approval is stale when the tree is another
/// one, see [`Standing`](super::Standing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// Asked for.
    Pending,
    /// A reviewer is at work.
    InReview,
    /// A verdict that counts approved.
    Approved,
    /// A verdict refused.
    Rejected,
    /// Given up: a human has to look at it.
    Escalated,
    /// A human let it go without an approval.
    Released,
}

impl ReviewStatus {
    /// The word used in records and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InReview => "in_review",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Escalated => "escalated",
            Self::Released => "released",
        }
    }
}

/// What sort of party worked or judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartyKind {
    /// A person at a terminal that belongs to no agent.
    Human,
    /// An agent that Proctor started for this review.
    Launched,
    /// An agent that somebody else started.
    Agent,
    /// Nobody can tell.
    #[default]
    Unknown,
}

/// Who worked or judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// What sort of party.
    pub kind: PartyKind,
    /// The host program, such as `claude`; empty for a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// The host's session id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// The subagent's id; empty in the main conversation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The model, as the host tells it; of a launched one whose host tells none, the one that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model that a launched one was asked for; `None`: the host's own choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// A person's name as git knows it. A name is no proof of who it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The agent programs that it runs below, nearest first: its own host, and what started that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<Process>,
    /// The launch record under which Proctor started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// The program that Proctor started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// Of one that begins, the process of Proctor's that waits for its verdict. Without that one there will be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<Running>,
}

/// The program that a launched reviewer was. Of a script it is the script, with its interpreter beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    /// Its file, with all links followed.
    pub path: String,
    /// How it was named or found, where that is another path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// `sha256:` and the digest of its bytes when it was started, in hexadecimal digits.
    pub digest: String,
    /// What ran it, where it is a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpreter: Option<Interpreter>,
}

/// The program that ran a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interpreter {
    /// Its file, with all links followed.
    pub path: String,
    /// As that of the script.
    pub digest: String,
}

impl Program {
    /// Whether one of these is meant: a digest, or a path under which it is known.
    #[must_use]
    pub fn is_one_of(&self, pins: &[String]) -> bool {
        let names = [Some(&self.digest), Some(&self.path), self.named.as_ref()];
        pins.iter().any(|pin| names.contains(&Some(pin)))
    }
}

impl Party {
    /// The model of a reviewer that Proctor launched, where it is known.
    #[must_use]
    pub fn launched_model(&self) -> Option<&str> {
        let launched = self.kind == PartyKind::Launched;
        self.model.as_deref().filter(|m| launched && !m.is_empty())
    }

    /// In words for people: `a human (kim)`, `a reviewer that Proctor launched (model)`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let kind = match self.kind {
            PartyKind::Human => "a human",
            PartyKind::Launched => "a reviewer that Proctor launched",
            PartyKind::Agent => "an agent",
            PartyKind::Unknown => "somebody unknown",
        };
        match (&self.name, &self.model) {
            (Some(name), _) => format!("{kind} ({name})"),
            (None, Some(model)) => format!("{kind} ({model})"),
            _ => kind.to_owned(),
        }
    }
}

/// Whether a reviewer is another one than the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Independence {
    /// Certainly another one.
    Yes,
    /// Certainly the worker itself, or started by it.
    No,
    /// Not known; never enough for `enforce`.
    Unknown,
}

/// A reviewer's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewVerdict {
    /// The work may go.
    Approve,
    /// The work must not go as it is.
    Reject,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Must be closed or answered before an approval.
    Blocking,
    /// Worth knowing; stands in nobody's way.
    Minor,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// It was mended.
    Fixed,
    /// It was answered: why it stays as it is.
    Answered,
    /// The reviewer, or a human, took it back.
    Withdrawn,
}

/// A problem that a reviewer found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewFinding {
    /// Its id.
    pub id: Id,
    /// The rule by which Proctor itself found it, as `tamper/tests_gone`; `None`: a reviewer did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The problem in words.
    pub text: String,
    /// How much it matters.
    pub severity: Severity,
    /// The file, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The tree in which it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeId>,
    /// What became of it; `None` while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settlement>,
    /// Who settled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_by: Option<PartyKind>,
    /// The file that it names was then as it had been when it was found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_file: bool,
    /// The words with which it was settled.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// What reviewers said of it who had approved before they knew of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<Opinion>,
}

/// What another reviewer says of a finding. It settles nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// Who.
    pub by: Party,
    /// Whether the finding is right.
    pub confirms: bool,
    /// The evidence from the difference.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

impl ReviewFinding {
    /// What became of it, and who says so where it was neither a reviewer that Proctor launched nor a human: `fixed, as an agent
    /// says`. With `now`, the tree as it is, it is told when that is still the one in which it was found; also, when the file that it
    /// names was the same. `None` while it is open.
    #[must_use]
    pub fn settlement(&self, now: Option<&TreeId>) -> Option<String> {
        let mut words = format!("{:?}", self.settled?).to_lowercase();
        match self.settled_by {
            Some(PartyKind::Agent) => words.push_str(", as an agent says"),
            Some(PartyKind::Unknown) => words.push_str(", as somebody unknown says"),
            Some(PartyKind::Human | PartyKind::Launched) | None => {}
        }
        if self.settled == Some(Settlement::Fixed) {
            if now.is_some() && self.tree.as_ref() == now {
                words.push_str("; no file changed since it was found");
            } else if self.same_file {
                words.push_str("; the file that it names had not changed");
            }
        }
        Some(words)
    }
}

impl Opinion {
    /// In one line: `model-b refutes it: …`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let who = self.by.launched_model().unwrap_or("another reviewer");
        let says = if self.confirms {
            "confirms it"
        } else {
            "refutes it"
        };
        match self.words.split_whitespace().collect::<Vec<_>>().join(" ") {
            words if words.is_empty() => format!("{who} {says}"),
            words => format!("{who} {says}: {words}"),
        }
    }
}

/// A check that an approval stands on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The record of the run.
    pub record: Id,
    /// The check, as `cargo test`.
    pub check: String,
    /// What it verified.
    pub kinds: CheckKinds,
    /// The tree that it ran on.
    pub tree: Option<TreeId>,
    /// Its exit code.
    pub exit: Option<i32>,
    /// Tests that passed, where its runner said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    /// Digest of its output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Digest>,
    /// How far it can be trusted.
    pub trust: Trust,
}

/// What was in force when a verdict fell. An approval under looser rules does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pins {
    /// Version of the program.
    pub engine: String,
    /// Digest of the program's file: two builds may call themselves by one version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Digest of the policy.
    pub policy: Digest,
    /// Digest of the checks that the policy asks for.
    pub checks: Digest,
    /// The level of evidence: `text`, `witnessed`, `rerun`, `tamper`.
    pub level: String,
    /// Digest of the project's own policy files (`.proctor/proctor.yaml`, `.proctor/allowed_signers`), which are no
    /// part of the tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<Digest>,
}

/// A signature made with the user's SSH key over a statement of the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The signer, as the allowed-signers file names them.
    pub signer: String,
    /// The exact text that was signed.
    pub statement: String,
    /// The armoured signature of `ssh-keygen -Y sign`.
    pub armour: String,
}

/// One verdict on one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictEntry {
    /// What the reviewer answered.
    pub verdict: ReviewVerdict,
    /// Who.
    pub reviewer: Party,
    /// Whether the reviewer is another one than the worker.
    pub independence: Independence,
    /// The tree that was judged.
    pub tree: Option<TreeId>,
    /// The commits with which the differences begin that were looked at; the empty tree before the first commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// What it stands on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// What was in force.
    pub pins: Pins,
    /// The reviewer's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The round of the review, from 1.
    #[serde(default)]
    pub round: u32,
    /// When, in milliseconds since 1970.
    #[serde(default)]
    pub at: u64,
    /// The record that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Id>,
    /// The user's signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
    /// The second reviewer, of another model, who approved as well: for changes under `approval.high_stakes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Party>,
    /// Further reviewers who came to the same verdict, each by itself; see `approval.models`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Party>,
}

impl VerdictEntry {
    /// All who came to it.
    pub fn parties(&self) -> impl Iterator<Item = &Party> {
        std::iter::once(&self.reviewer)
            .chain(&self.second)
            .chain(&self.others)
    }
}

/// The task that is reviewed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRef {
    /// Its id, where there is a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The user's exact words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Its id.
    pub id: Id,
    /// Its state.
    pub status: ReviewStatus,
    /// What is reviewed.
    pub task: TaskRef,
    /// The log of the session that did the work, as `claude-<session>`.
    pub session: String,
    /// Who did the work.
    pub worker: Party,
    /// Who reviews it now, or did so last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<Party>,
    /// Whether the last reviewer of this round could not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Whether this round waits for a human's verdict.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub human: bool,
    /// What was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<ReviewFinding>,
    /// Rejected rounds so far.
    pub attempts: u32,
    /// The round it is in, from 1.
    pub round: u32,
    /// Reviews that could not run; they count as no attempt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// What the last look of this round said the work lacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacking: Option<Lacking>,
    /// The commit at which the task began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The commit that was checked out when this round was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The tree that is under review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeId>,
    /// All verdicts, in the order of the log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<VerdictEntry>,
    /// Milliseconds since 1970.
    pub created: u64,
    /// Milliseconds since 1970.
    pub updated: u64,
}

impl Review {
    /// Findings that stand in the way of an approval.
    pub fn open_findings(&self) -> impl Iterator<Item = &ReviewFinding> {
        self.findings
            .iter()
            .filter(|f| f.settled.is_none() && f.severity == Severity::Blocking)
    }
}

/// What kept an approval from being given or taken. It is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lacking {
    /// What is missing.
    pub what: Vec<String>,
    /// A reviewer was asked, and approved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
    /// Digest of what that rests on; see [`Engine::grounds`](crate::Engine::grounds).
    pub grounds: Digest,
}

/// A human's override.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// Who.
    pub by: Party,
    /// Why, in their words.
    pub reason: String,
    /// The tree that may go; `None`: whatever the session makes of it until the release expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeId>,
    /// Only this session, as `claude-<session>`; `None`: every session of the clone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// When it fell, in milliseconds since 1970.
    pub at: u64,
    /// When it ends, in milliseconds since 1970.
    pub until: u64,
    /// Digest of the policy that was in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Digest>,
    /// The record that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Id>,
    /// The user's signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// One change of the reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ReviewEvent {
    /// A review is asked for; of a review that exists already, a new round begins.
    Requested {
        /// The review.
        review: Id,
        /// What is reviewed.
        task: TaskRef,
        /// The session's log.
        session: String,
        /// Who did the work.
        worker: Party,
        /// The commit at which the task began.
        base: Option<String>,
        /// The commit that was checked out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The tree.
        tree: Option<TreeId>,
    },
    /// A reviewer begins.
    Started {
        /// The review.
        review: Id,
        /// Who.
        reviewer: Party,
    },
    /// A human is to judge this round: the worker waits for that.
    LeftToHuman {
        /// The review.
        review: Id,
    },
    /// The review could not run: no verdict, no attempt.
    CouldNotRun {
        /// The review.
        review: Id,
        /// Why.
        why: String,
    },
    /// The work lacks something that an approval needs: nobody was asked, or the approval was not taken.
    Lacked {
        /// The review.
        review: Id,
        /// What, and on which grounds.
        lacking: Lacking,
    },
    /// A problem was found.
    Found {
        /// The review.
        review: Id,
        /// The problem.
        finding: ReviewFinding,
    },
    /// A finding was settled.
    Settled {
        /// The review.
        review: Id,
        /// The finding.
        finding: Id,
        /// How.
        how: Settlement,
        /// The words.
        words: String,
        /// The file that the finding names is as it was when it was found.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        same_file: bool,
        /// By whom.
        by: Party,
    },
    /// Another reviewer was asked about a finding.
    Opined {
        /// The review.
        review: Id,
        /// The finding.
        finding: Id,
        /// What it said.
        opinion: Opinion,
    },
    /// A verdict fell.
    Decided {
        /// The review.
        review: Id,
        /// The verdict.
        entry: Box<VerdictEntry>,
    },
    /// The stop gate gave up, or the attempts are used up.
    Escalated {
        /// The session's log.
        session: String,
        /// Why.
        why: String,
        /// The tree.
        tree: Option<TreeId>,
    },
    /// A human lets the work go.
    Released(Box<Release>),
}

/// The body of a record in the reviews' journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// What happened, in order.
    pub events: Vec<ReviewEvent>,
}
