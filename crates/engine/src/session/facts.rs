//! What was witnessed of a session's work. Bounded: a session of ten thousand commands is loaded as fast
//! as one of ten.

use proctor_kernel::{CheckRun, TreeId};
use serde::{Deserialize, Serialize};

/// Most runs that are remembered. A claim is compared with the latest ones.
const RUNS: usize = 48;
/// Most checks that may be under way at once.
const STARTED: usize = 16;
/// Most paths that are remembered as edited, and as read.
const PATHS: usize = 64;

/// The facts that gates compare claims with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Runs of commands that verify something, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<CheckRun>,
    /// Checks that began and whose end was not seen yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub started: Vec<Started>,
    /// Paths that tools wrote to, latest last, relative to the work tree where they lie inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
    /// Paths that tools read, latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// Witnessed writes, by tools and by commands that may have written; stands in for the tree where
    /// there is none.
    #[serde(default)]
    pub writes: u64,
    /// Facts that were left out because there were too many.
    #[serde(default)]
    pub forgotten: u64,
}

/// A check that is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The host's id of the tool call.
    pub call: String,
    /// The tree when it began.
    pub tree: Option<TreeId>,
    /// [`Facts::writes`] when it began.
    pub writes: u64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
}

impl Facts {
    pub(super) fn start(&mut self, started: Started) {
        self.started.retain(|s| s.call != started.call);
        if self.started.len() >= STARTED {
            self.started.remove(0);
        }
        self.started.push(started);
    }

    pub(super) fn finish(&mut self, call: Option<&str>, run: CheckRun) {
        self.started.retain(|s| Some(s.call.as_str()) != call);
        if self.runs.len() >= RUNS {
            // The whole's last failure must not fall out behind a row of partial passes.
            let keep = |r: &CheckRun| !r.partial && r.exit != Some(0);
            let at = self.runs.iter().position(|r| !keep(r)).unwrap_or(0);
            self.runs.remove(at);
            self.forgotten += 1;
        }
        self.runs.push(run);
    }

    pub(super) fn edit(&mut self, paths: &[String]) {
        self.writes += 1;
        paths.iter().for_each(|p| latest(&mut self.edited, p));
    }

    pub(super) fn read(&mut self, paths: &[String]) {
        paths.iter().for_each(|p| latest(&mut self.read, p));
    }
}

/// Puts a path at the end of a list, once.
fn latest(list: &mut Vec<String>, path: &str) {
    list.retain(|p| p != path);
    if list.len() >= PATHS {
        list.remove(0);
    }
    list.push(path.to_owned());
}
