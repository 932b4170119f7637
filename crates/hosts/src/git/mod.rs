//! Git and its forges as hosts: a hook before each push, and a workflow that verifies in CI.
//!
//! Both are planned as text, as the hooks of agents are: what is somebody else's stays as it is.

mod github;
mod push;

pub use github::{Source, workflow, workflow_removal};
pub use push::{PushHook, PushedRef, push_hook, push_hook_removal, push_hook_state, pushed_refs};

/// A planned change of a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The whole new text; `None`: the file goes.
    pub new_text: Option<String>,
    /// Whether anything changes.
    pub changed: bool,
    /// The difference, in unified form.
    pub diff: String,
}

impl Plan {
    fn of(old: Option<&str>, new_text: Option<String>) -> Self {
        Self {
            changed: old != new_text.as_deref(),
            diff: crate::diff::unified(old.unwrap_or_default(), new_text.as_deref().unwrap_or_default()),
            new_text,
        }
    }
}

#[cfg(test)]
mod tests;
