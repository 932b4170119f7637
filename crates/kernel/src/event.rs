use crate::{Digest, ExitSource, Mark};
use serde::{Deserialize, Serialize};

/// One thing that happened at a host, in Proctor's own form. Hosts parse their payloads into it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The host's id, such as `claude`; `library` for the API and `check` for the command line.
    pub host: String,
    /// The event's name as the host spells it, such as `PreToolUse`.
    pub native: String,
    /// The host's session id. Never empty: a payload without one gets `unknown`.
    pub session: String,
    /// The subagent in which it happened; `None` in the main conversation.
    pub agent: Option<Agent>,
    /// The folder in which the agent works at this moment.
    pub cwd: String,
    /// The host's id of the user turn, where it has one.
    pub turn: Option<String>,
    /// What happened.
    pub kind: EventKind,
    /// Digest of the payload as received.
    pub input: Digest,
}

/// A subagent: its id at the host and its kind (`general-purpose`, `reviewer`, …).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Agent {
    /// The host's id of this subagent run.
    pub id: String,
    /// The kind of agent, empty where the host does not say.
    pub kind: String,
}

/// What happened, with what is known about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventKind {
    /// A session begins, or comes back.
    SessionStart {
        /// Why it starts.
        source: StartSource,
    },
    /// A prompt reaches the agent.
    Prompt {
        /// The exact words.
        text: String,
        /// Who wrote it.
        origin: PromptOrigin,
    },
    /// A tool is about to run.
    ToolCall {
        /// The call.
        call: ToolCall,
    },
    /// A tool has run.
    ToolResult {
        /// The call.
        call: ToolCall,
        /// What came of it.
        outcome: ToolOutcome,
    },
    /// A subagent starts. Its prompt came with the [`ToolCall`] that delegated to it.
    SubagentStart,
    /// The agent wants to end its turn with this text.
    TurnEnd {
        /// The last message, empty when the host does not tell it.
        text: String,
        /// The host says that a stop was already blocked in this turn.
        again: bool,
        /// Background work that still runs on the agent's behalf.
        background: usize,
    },
    /// A text is about to be shown to its reader.
    Display {
        /// The host's id of the message.
        message: String,
        /// Index of this part within the message.
        index: u64,
        /// Whether this is the last part.
        last: bool,
        /// The part's text.
        text: String,
    },
    /// A message is about to be posted (chat gateway, board, library API).
    Message {
        /// The text.
        text: String,
    },
    /// The host is about to compact the conversation, or has done so.
    Compaction,
    /// The session ends.
    SessionEnd {
        /// The host's reason.
        reason: String,
    },
    /// Anything else; tolerated and recorded.
    Other,
}

/// [`EventKind`] without its data, for tables and for gates that say what they listen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventTag {
    /// See [`EventKind::SessionStart`].
    SessionStart,
    /// See [`EventKind::Prompt`].
    Prompt,
    /// See [`EventKind::ToolCall`].
    ToolCall,
    /// See [`EventKind::ToolResult`].
    ToolResult,
    /// See [`EventKind::SubagentStart`].
    SubagentStart,
    /// See [`EventKind::TurnEnd`].
    TurnEnd,
    /// See [`EventKind::Display`].
    Display,
    /// See [`EventKind::Message`].
    Message,
    /// See [`EventKind::Compaction`].
    Compaction,
    /// See [`EventKind::SessionEnd`].
    SessionEnd,
    /// See [`EventKind::Other`].
    Other,
}

impl EventKind {
    /// The kind without its data.
    #[must_use]
    pub fn tag(&self) -> EventTag {
        match self {
            Self::SessionStart { .. } => EventTag::SessionStart,
            Self::Prompt { .. } => EventTag::Prompt,
            Self::ToolCall { .. } => EventTag::ToolCall,
            Self::ToolResult { .. } => EventTag::ToolResult,
            Self::SubagentStart => EventTag::SubagentStart,
            Self::TurnEnd { .. } => EventTag::TurnEnd,
            Self::Display { .. } => EventTag::Display,
            Self::Message { .. } => EventTag::Message,
            Self::Compaction => EventTag::Compaction,
            Self::SessionEnd { .. } => EventTag::SessionEnd,
            Self::Other => EventTag::Other,
        }
    }

    /// The text that an agent wrote in this event: a turn's last message, a posted or shown message.
    #[must_use]
    pub fn agent_text(&self) -> Option<&str> {
        match self {
            Self::TurnEnd { text, .. } | Self::Message { text } | Self::Display { text, .. } => Some(text),
            _ => None,
        }
    }
}

/// Why a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartSource {
    /// A new session.
    Startup,
    /// An old session goes on.
    Resume,
    /// The user cleared the conversation.
    Clear,
    /// The conversation was compacted.
    Compact,
    /// A copy of another session.
    Fork,
    /// The host gave no reason, or one that Proctor does not know.
    Unknown,
}

/// Who wrote a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptOrigin {
    /// A person.
    User,
    /// Another agent.
    Agent,
    /// The host itself, such as a task notification: not the user's words.
    Machine,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The host's id of the call.
    pub id: Option<String>,
    /// The tool's name at the host.
    pub name: String,
    /// What sort of tool it is.
    pub kind: ToolKind,
    /// Files that the call itself names as written or read, as the host spells them.
    pub paths: Vec<String>,
    /// The command line of a shell tool.
    pub command: Option<String>,
    /// The delegation, when the call starts a subagent.
    pub delegation: Option<Delegation>,
    /// Digest of what the tool was asked to do, without words that change nothing (a shell call's
    /// description); equal for equal calls.
    #[serde(default = "ToolCall::no_input")]
    pub input: Digest,
    /// Fingerprint of the words that the call makes the host say later, as if somebody had typed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<Mark>,
}

impl ToolCall {
    /// A call of a tool of which nothing else is known.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: ToolKind) -> Self {
        Self {
            id: None,
            name: name.into(),
            kind,
            paths: Vec::new(),
            command: None,
            delegation: None,
            input: Self::no_input(),
            says: None,
        }
    }

    fn no_input() -> Digest {
        Digest::of(b"")
    }
}

/// What sort of tool a call uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Reads files or the web.
    Read,
    /// Makes or replaces whole files.
    Write,
    /// Changes files in place.
    Edit,
    /// Runs a command.
    Shell,
    /// Starts a subagent.
    Delegate,
    /// Anything else.
    Other,
}

/// The prompt that starts a subagent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delegation {
    /// The whole prompt.
    pub prompt: String,
    /// The kind of agent asked for.
    pub agent: String,
}

/// What came of a tool call. The default is: nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// Whether the host reports success; `None` when it does not say.
    pub ok: Option<bool>,
    /// The exit code of a command, where the host tells it.
    pub exit: Option<i32>,
    /// Where the exit code is known from; [`ExitSource::Unknown`] without one.
    #[serde(default)]
    pub exit_source: ExitSource,
    /// The command goes on in the background: nothing is known of its end.
    #[serde(default)]
    pub background: bool,
    /// What the command wrote, or the text of the tool's failure. Whole, as the host tells it; hosts
    /// shorten long outputs themselves.
    #[serde(default)]
    pub output: Option<String>,
    /// How long the tool took, in milliseconds.
    #[serde(default)]
    pub millis: Option<u64>,
    /// Files that the host reports as newly made by this call.
    pub created: Vec<String>,
    /// Text that another agent returned (result of a delegation).
    pub answer: Option<String>,
    /// The host's id of the subagent that answered.
    pub agent: Option<String>,
}
