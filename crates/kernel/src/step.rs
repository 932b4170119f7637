//! What an agent did, small enough to compare many: one step for each tool call.

use crate::{Digest, ToolKind};
use serde::{Deserialize, Serialize};

/// A fingerprint: the first 64 bits of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mark(u64);

impl Mark {
    /// The fingerprint of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::from(&Digest::of(bytes))
    }
}

impl From<&Digest> for Mark {
    fn from(digest: &Digest) -> Self {
        let start = digest.as_str().get(..16).unwrap_or_default();
        Self(u64::from_str_radix(start, 16).unwrap_or_default())
    }
}

/// One tool call and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The tool's name at the host.
    pub tool: String,
    /// What sort of tool it is.
    pub kind: ToolKind,
    /// Tool and input together.
    pub call: Mark,
    /// What came of it, without what changes by itself (times, ids, temporary paths); `None` when the call
    /// was refused and never ran.
    pub outcome: Option<Mark>,
    /// Whether the tool failed.
    pub failed: bool,
    /// The tree afterwards; looked at only where a repetition is suspected.
    pub tree: Option<Mark>,
}

impl Step {
    /// Whether two steps are the same thing again. A refused call is the same as a call that ran; trees
    /// count where both are known.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        let trees = match (self.tree, other.tree) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        };
        let outcomes = match (self.outcome, other.outcome) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        };
        self.call == other.call && outcomes && trees
    }
}
