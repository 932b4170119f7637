use crate::{Band, Mode, Tier};
use serde::{Deserialize, Serialize};

/// What one gate thinks of an event, whatever its mode. Ordered from mild to strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing to object to.
    Pass,
    /// Acceptable once changed.
    Modify,
    /// A human should decide.
    Ask,
    /// Not acceptable.
    Block,
}

/// Whether a gate decided at all. Apart from the verdict: a check that did not run never passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Status {
    /// The verdict stands.
    Decided,
    /// The gate failed or lacked what it needs; there is no verdict.
    CouldNotRun {
        /// Why.
        why: String,
    },
    /// The gate was not asked.
    Skipped {
        /// Why.
        why: String,
    },
}

/// A stretch of text: byte offsets into the original text, and the words themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
    /// The text between the two.
    pub text: String,
    /// What the gate takes it for, such as `direct_praise`.
    pub label: String,
}

/// One thing that a gate found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Id of the rule, `gate/rule`, such as `response/flattery_share`.
    pub rule: String,
    /// Whether it may become a denial.
    pub tier: Tier,
    /// What the gate wants done about it.
    pub verdict: Verdict,
    /// What was refused and why, for the agent.
    pub message: String,
    /// What is allowed instead: the one next step. Must itself pass the engine.
    pub instead: Option<String>,
    /// Where in the text.
    pub spans: Vec<Span>,
    /// What becomes of the message when the retries are used up.
    pub fallback: Option<Fallback>,
}

/// What becomes of a refused text when no retry is left: it is never dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Fallback {
    /// Pass it on with this line added.
    Annotate {
        /// The line.
        line: String,
    },
    /// Pass it on with these stretches replaced (byte offsets into the original text, ascending),
    /// and a line that says so.
    Replace {
        /// `(start, end, new text)`.
        edits: Vec<(usize, usize, String)>,
        /// The line that says so.
        line: String,
    },
}

impl Fallback {
    /// The fallback with `{retries}` in its line replaced by this number.
    #[must_use]
    pub fn with_retries(&self, retries: u32) -> Self {
        let fill = |line: &str| line.replace("{retries}", &retries.to_string());
        match self {
            Self::Annotate { line } => Self::Annotate { line: fill(line) },
            Self::Replace { edits, line } => Self::Replace {
                edits: edits.clone(),
                line: fill(line),
            },
        }
    }

    /// The text with this fallback applied. Edits that do not fit the text are left out.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        match self {
            Self::Annotate { line } => format!("{}\n\n{line}", text.trim_end()),
            Self::Replace { edits, line } => {
                let mut out = String::with_capacity(text.len() + line.len() + 16);
                let mut at = 0;
                for (start, end, new) in edits {
                    let (Some(before), true) = (text.get(at..*start), text.get(*start..*end).is_some())
                    else {
                        continue;
                    };
                    out.push_str(before);
                    out.push_str(new);
                    at = *end;
                }
                out.push_str(text.get(at..).unwrap_or_default());
                format!("{}\n\n{line}", out.trim_end())
            }
        }
    }
}

/// What one gate said about one event: part of the decision record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateReport {
    /// The gate's id.
    pub gate: String,
    /// Its band.
    pub band: Band,
    /// The mode it ran in.
    pub mode: Mode,
    /// Whether it decided.
    #[serde(flatten)]
    pub status: Status,
    /// The strictest verdict of its findings; `pass` without findings.
    pub verdict: Verdict,
    /// What it found.
    pub findings: Vec<Finding>,
    /// The gate's own figures (ratio, evidence, unexpected files, items …).
    pub data: serde_json::Value,
    /// Time it took, in microseconds.
    pub micros: u64,
}

/// The merged answer for one event. Ordered from mild to strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The host goes on as it would have.
    Allow,
    /// The host goes on with the changed text or input.
    Modify,
    /// A human decides.
    Ask,
    /// The host must not go on.
    Block,
}

impl Action {
    /// The word used in records and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Modify => "modify",
            Self::Ask => "ask",
            Self::Block => "block",
        }
    }
}

/// A soft message that goes with a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The gate it comes from; `engine` for notes about Proctor itself.
    pub gate: String,
    /// The text, for the agent.
    pub text: String,
}

/// The answer of the pipeline for one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// What the host is told to do.
    pub action: Action,
    /// For the agent: what was refused, why, what is allowed instead. Empty when allowed.
    pub reason: String,
    /// Soft warnings of all gates, kept whatever the action.
    pub notes: Vec<Note>,
    /// For the user: what Proctor itself has to say (broken configuration, breaker, escalation).
    pub alerts: Vec<String>,
    /// The text to use instead, when the action is [`Action::Modify`].
    pub text: Option<String>,
    /// The stop budget is used up: the host is let go although a gate still objects, and the work
    /// counts as unreviewed until a human has looked at it.
    #[serde(default)]
    pub escalated: bool,
    /// What each gate said, in the order in which they ran.
    pub reports: Vec<GateReport>,
}

impl Decision {
    /// The neutral answer.
    #[must_use]
    pub fn allow() -> Self {
        Self {
            action: Action::Allow,
            reason: String::new(),
            notes: Vec::new(),
            alerts: Vec::new(),
            text: None,
            escalated: false,
            reports: Vec::new(),
        }
    }
}
