//! Looking after the state folder: what `ledger` cannot know about the files in it.

use crate::breaker::Breakers;
use crate::session::SessionState;
use crate::{Clock, Engine, launch, tasks};
use proctor_kernel::{Result, Task};
use proctor_ledger::{Knowledge, Report, SnapshotCheck, Store, check_snapshot};
use serde::de::DeserializeOwned;

impl<C: Clock> Engine<C> {
    /// Looks the state folder over; with `repair` mends what can be mended without losing anything.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed at all.
    pub fn fsck(&self, repair: bool) -> Result<Report> {
        self.store()?.fsck(&Owner, repair.then(|| self.clock.now()))
    }
}

/// The owner of everything in the state folder.
struct Owner;

impl Knowledge for Owner {
    fn snapshot(&self, store: &Store, log: &str) -> SnapshotCheck {
        check_snapshot::<SessionState>(store, log)
    }

    fn reads(&self, file: &str, bytes: &[u8]) -> bool {
        match file {
            crate::engine::BREAKERS => has_form::<Breakers>(bytes),
            tasks::FILE => has_form::<Option<Task>>(bytes),
            _ if file.starts_with("launches/") => has_form::<launch::Launch>(bytes),
            _ => has_form::<serde_json::Value>(bytes),
        }
    }

    fn worth(&self, file: &str) -> &'static str {
        match file {
            crate::engine::BREAKERS => {
                "which gates failed lately: a gate that was switched off for that runs again"
            }
            crate::policy::FILE => {
                "the last good policy, which stands in for a broken policy file; it is written again by the next good one"
            }
            tasks::FILE => "the task that was set by `proctor task start`: set it again",
            _ if file.starts_with("launches/") => "whether a process of Proctor's own had begun its turn",
            _ => "what this file held",
        }
    }
}

fn has_form<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}
