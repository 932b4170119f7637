//! Runs that Proctor made itself, outside any session: they count for every session on the same tree.

use crate::{Clock, Engine};
use proctor_kernel::{CheckRun, Id, Result};
use proctor_ledger::{Draft, Durability, Fold, Journal, Record};
use serde::{Deserialize, Serialize};

/// The writer under which they are recorded.
pub const CHECKS: &str = "checks";

/// The kind of record that holds one.
pub const KIND: &str = "check";

/// Most runs that are kept in the state; older ones stay in the log.
const MOST: usize = 64;

/// The latest runs that Proctor made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckBook {
    /// Oldest first.
    pub runs: Vec<CheckRun>,
}

impl Fold for CheckBook {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        if record.kind != KIND {
            return;
        }
        let Ok(mut run) = record.body::<CheckRun>() else {
            return;
        };
        run.id.clone_from(&record.id);
        if self.runs.len() >= MOST {
            self.runs.remove(0);
        }
        self.runs.push(run);
    }
}

impl<C: Clock> Engine<C> {
    /// Records a run that Proctor made, on disk before it returns. Gives the record's id.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn record_run(&mut self, run: &CheckRun) -> Result<Id> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let mut journal: Journal<CheckBook> = self.store()?.journal(CHECKS)?;
        let draft = Draft::new(self.stamp(), KIND, run)?;
        let id = draft.id().clone();
        journal.commit(vec![draft], Durability::Synced)?;
        Ok(id)
    }

    /// The latest runs that Proctor made here.
    ///
    /// # Errors
    /// Kind `store` when they cannot be read.
    pub fn engine_runs(&self) -> Result<Vec<CheckRun>> {
        let store = self.store()?;
        if !store.has(CHECKS) {
            return Ok(Vec::new());
        }
        Ok(store.journal::<CheckBook>(CHECKS)?.state().runs.clone())
    }
}
