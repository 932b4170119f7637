//! What the fake model says, and what it must have been told before.

use super::Seen;
use serde_json::Value;

/// A whole script: the turns of the main conversation, and routes for other conversations.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub(super) routes: Vec<Route>,
    pub(super) main: Vec<Turn>,
}

/// The turns of one conversation, recognised by a text in its first user message (for a subagent of
/// Claude Code that is the prompt it was started with) or in its system prompt.
#[derive(Clone, Debug)]
pub struct Route {
    pub(super) name: String,
    pub(super) mark: String,
    pub(super) turns: Vec<Turn>,
}

/// One answer of the model: a text, tool calls, or both.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) expect: Vec<Expect>,
    pub(super) input_tokens: Option<u64>,
}

/// A tool call of the model.
#[derive(Clone, Debug)]
pub struct Call {
    pub(super) name: String,
    pub(super) input: Value,
}

/// A condition on the request that consumes a turn. A miss is recorded as a failure; the turn is
/// served all the same, so that the host comes to an orderly end.
#[derive(Clone, Debug)]
pub enum Expect {
    /// What is new since the model's last answer contains this text.
    Received(String),
    /// What is new since the model's last answer does not contain this text.
    NotReceived(String),
    /// The conversation (system prompt and all messages) contains this text.
    Anywhere(String),
    /// The host offers a tool of this name.
    Tool(String),
}

impl Script {
    /// An empty script.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a turn to the main conversation.
    #[must_use]
    pub fn turn(mut self, turn: Turn) -> Self {
        self.main.push(turn);
        self
    }

    /// Adds the turns of another conversation: the one whose first user message or system prompt
    /// contains `mark`. Routes are tried in the order in which they were added, before the main one.
    #[must_use]
    pub fn route(mut self, name: &str, mark: &str, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.routes.push(Route {
            name: name.to_owned(),
            mark: mark.to_owned(),
            turns: turns.into_iter().collect(),
        });
        self
    }
}

impl Turn {
    /// A turn with this text.
    #[must_use]
    pub fn say(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Adds a tool call.
    #[must_use]
    pub fn call(mut self, name: &str, input: Value) -> Self {
        self.calls.push(Call {
            name: name.to_owned(),
            input,
        });
        self
    }

    /// The request must contain this text in what is new.
    #[must_use]
    pub fn after(self, text: impl Into<String>) -> Self {
        self.expect(Expect::Received(text.into()))
    }

    /// The request must not contain this text in what is new.
    #[must_use]
    pub fn not_after(self, text: impl Into<String>) -> Self {
        self.expect(Expect::NotReceived(text.into()))
    }

    /// Adds a condition.
    #[must_use]
    pub fn expect(mut self, expect: Expect) -> Self {
        self.expect.push(expect);
        self
    }

    /// Reports this many input tokens instead of an estimate (a host compacts when its context
    /// is nearly full).
    #[must_use]
    pub fn with_input_tokens(mut self, tokens: u64) -> Self {
        self.input_tokens = Some(tokens);
        self
    }
}

impl Expect {
    /// What is missing in `seen`, in a sentence; `None` when the condition holds.
    pub(super) fn unmet(&self, seen: &Seen) -> Option<String> {
        let (met, wish) = match self {
            Self::Received(text) => (seen.received(text), format!("to receive {text:?}")),
            Self::NotReceived(text) => (!seen.received(text), format!("not to receive {text:?}")),
            Self::Anywhere(text) => (
                seen.anywhere(text),
                format!("to have {text:?} in the conversation"),
            ),
            Self::Tool(name) => (
                seen.tools.contains(name),
                format!("to be offered the tool {name:?}"),
            ),
        };
        (!met).then_some(wish)
    }
}
