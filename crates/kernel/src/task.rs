use crate::Id;
use serde::{Deserialize, Serialize};

/// Delegated work: the user's exact words, and what they say must come out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The task's id.
    pub id: Id,
    /// The exact words that started it. Never shortened, never rephrased.
    pub words: String,
    /// How it was started.
    pub origin: TaskOrigin,
    /// What must come out, read from the words.
    pub outline: Outline,
    /// The commit that was checked out when the task began; `None` outside git or before the first commit.
    pub base: Option<String>,
    /// Files that differed from the base already when the task began, with a digest of their content
    /// (`None` for a deleted file), so that the user's own work is not held against the agent.
    pub dirty: Vec<(String, Option<String>)>,
}

/// How a task was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskOrigin {
    /// A user's prompt.
    Prompt,
    /// Another agent's delegation; its answers are agent-to-agent.
    Delegation,
    /// `proctor task start`.
    Command,
}

/// What a delegation says must come out: its items and the files that may change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Whether the text names an outcome at all (a heading, a DELEGATE line, "기대 결과", …).
    pub has_outcome: bool,
    /// The items, in order, as written.
    pub items: Vec<String>,
    /// Files, globs and folders that may change.
    pub expected: Vec<String>,
    /// Files, globs and folders that must not change; wins over `expected`.
    pub excluded: Vec<String>,
    /// Files, globs and folders that must not be deleted, renamed or moved; what is in them may change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// Nothing at all may change.
    pub read_only: bool,
    /// Bytes in the middle of a very long text that were not looked at: what it says there is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// One item of a task's checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChecklistItem {
    /// The item as written.
    pub text: String,
    /// Whether it is done.
    pub completed: bool,
}
