//! What the loop needs of an agent.

use crate::tools::{ToolResult, ToolUse};

/// An agent's part in the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Takes the user's request and delegates it.
    Lead,
    /// Does the work.
    Worker,
    /// Judges the work.
    Reviewer,
}

impl Role {
    /// The kind of agent, as records and policies spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Worker => "worker",
            Self::Reviewer => "reviewer",
        }
    }
}

/// What an actor is given to answer.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A prompt: the request, a delegation, or the other side's findings.
    Prompt(&'a str),
    /// Its text was refused; this is why and what is allowed instead.
    Refused(&'a str),
    /// Its tool call was refused.
    Denied(&'a str),
    /// Its tool ran.
    Result(&'a ToolResult),
}

/// What an actor does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Uses a tool.
    Use(ToolUse),
    /// Ends its turn with this text.
    Say(String),
}

/// An agent in the loop.
pub trait Actor {
    /// Its name.
    fn name(&self) -> &str;

    /// Its next step. Notes are soft messages that came with the input.
    ///
    /// # Errors
    /// When the agent behind it cannot answer: the play then ends as could-not-run, never as approved.
    fn next(&mut self, input: Input<'_>, notes: &[String]) -> proctor_kernel::Result<Step>;
}
