//! What an audit asks about texts and files. The real answers come from the gates that the hooks use.

use proctor_kernel::{Audience, CheckKinds, Outline};

/// Filler in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filler {
    /// Characters of prose.
    pub(crate) prose: u64,
    /// Those of them that are filler.
    pub(crate) filler: u64,
    /// Whether the share is above the threshold.
    pub(crate) over: bool,
}

/// A reviewer's verdict in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Approval {
    /// It approves now.
    pub(crate) approves: bool,
    /// It is written as a verdict is, and no remark that amounts to one.
    pub(crate) stated: bool,
    /// It reports a verification.
    pub(crate) evidence: bool,
}

/// What a prompt asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignment {
    /// Whether the prompt itself hands work over: a DELEGATE line, or the form of a delegation.
    pub(crate) delegates: bool,
    /// What must come out.
    pub(crate) outline: Outline,
}

/// Changed files against what may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Whether the assignment names anything to judge by.
    pub(crate) judged: bool,
    /// Files outside of it.
    pub(crate) unexpected: Vec<String>,
    /// Whether there are so many that it needs review.
    pub(crate) needs_review: bool,
}

/// What a text claims about the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Claims {
    /// That it is done.
    pub(crate) completion: bool,
    /// That these verifications succeeded.
    pub(crate) verified: CheckKinds,
    /// The words of the first claim.
    pub(crate) words: String,
}

/// Judges texts and files. `None` says that it could not; it is never a verdict.
pub(crate) trait Judge {
    fn filler(&self, text: &str, audience: Audience) -> Option<Filler>;
    fn answer(&self, text: &str) -> Option<(Approval, Claims)>;
    /// What the prompt of a delegation says beside its orders.
    fn prompt(&self, text: &str) -> Option<(Filler, Approval)> {
        Some((self.filler(text, Audience::Agent)?, Approval::default()))
    }
    fn assignment(&self, prompt: &str) -> Option<Assignment>;
    fn scope(&self, assignment: &Assignment, changed: &[String]) -> Option<Scope>;
}
