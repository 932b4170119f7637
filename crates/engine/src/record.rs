//! What a decision record holds.

use crate::session::{Change, Spent};
use proctor_kernel::{Action, Audience, Decision, Digest, Event, EventKind, EventTag, GateReport, Id, Note};
use serde::{Deserialize, Serialize};

/// The kind of record that this module describes.
pub const KIND: &str = "decision";

/// The body of a decision record: one per event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// What happened.
    pub event: EventSummary,
    /// Digest of the policy that was in force.
    pub policy: Digest,
    /// Who was taken for the reader.
    pub audience: Audience,
    /// The task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Id>,
    /// The answer.
    pub action: Action,
    /// For the agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Soft warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// For the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<String>,
    /// Let go although a gate objected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub escalated: bool,
    /// The changed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What each gate said, with costs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateReport>,
    /// What the main task cost so far, at the end of a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
    /// What was judged, when a gate objected to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
    /// What it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Cost of the whole decision in microseconds, without starting the process and writing the record.
    pub micros: u64,
}

/// Longest text, in bytes, and longest thoughts together, that a record keeps; longer ones are left out.
pub const LONGEST_KEPT: usize = 16 << 10;

/// What a gate objected to, kept so that a wrong verdict can be reported with the text that led to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The text as the gates saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The agent's latest texts in short, when `drift` objected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<String>,
}

impl Judged {
    /// What of these is short enough to be kept.
    #[must_use]
    pub fn kept(text: Option<&str>, thoughts: &[String]) -> Option<Self> {
        let text = text.filter(|t| !t.is_empty() && t.len() <= LONGEST_KEPT);
        let short = thoughts.iter().map(String::len).sum::<usize>() <= LONGEST_KEPT;
        let thoughts = if short { thoughts.to_vec() } else { Vec::new() };
        (text.is_some() || !thoughts.is_empty()).then(|| Self {
            text: text.map(str::to_owned),
            thoughts,
        })
    }
}

/// An event without its content, which the host keeps; see [`Judged`] for what is kept of it all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSummary {
    /// The host.
    pub host: String,
    /// The event's name at the host.
    pub name: String,
    /// The event in Proctor's own terms.
    pub tag: EventTag,
    /// The host's session id.
    pub session: String,
    /// The subagent's id; empty in the main conversation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The subagent's kind; `main` in the main conversation.
    pub role: String,
    /// The tool, for tool events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Digest of the payload.
    pub input: Digest,
}

impl EventSummary {
    /// Summarises an event.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        let tool = match &event.kind {
            EventKind::ToolCall { call } | EventKind::ToolResult { call, .. } => Some(call.name.clone()),
            _ => None,
        };
        let (agent, role) = match &event.agent {
            Some(a) => (
                a.id.clone(),
                if a.kind.is_empty() {
                    "subagent".to_owned()
                } else {
                    a.kind.clone()
                },
            ),
            None => (String::new(), "main".to_owned()),
        };
        Self {
            host: event.host.clone(),
            name: event.native.clone(),
            tag: event.kind.tag(),
            session: event.session.clone(),
            agent,
            role,
            tool,
            input: event.input.clone(),
        }
    }
}

impl DecisionRecord {
    /// Puts a record together.
    #[must_use]
    pub fn new(event: &Event, decision: &Decision, changes: Vec<Change>) -> Self {
        Self {
            event: EventSummary::of(event),
            policy: Digest::of(b""),
            audience: Audience::Human,
            task: None,
            action: decision.action,
            reason: decision.reason.clone(),
            notes: decision.notes.clone(),
            alerts: decision.alerts.clone(),
            escalated: decision.escalated,
            text: decision.text.clone(),
            gates: decision.reports.clone(),
            spent: None,
            judged: None,
            changes,
            micros: 0,
        }
    }
}
