//! Looking back: sessions and decisions as they were recorded.

use crate::record::{DecisionRecord, KIND};
use crate::session::SessionState;
use crate::{Clock, Engine};
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_ledger::Journal;

/// Logs of the clone as a whole, which are no session's.
const SHARED: [&str; 5] = [
    crate::review::JOURNAL,
    crate::runs::CHECKS,
    crate::verify::STATEMENTS,
    crate::left::JOURNAL,
    crate::unjudged::LOG,
];

impl<C: Clock> Engine<C> {
    /// The state of every session of this place, newest change last, with its log's name.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn sessions(&self) -> Result<Vec<(String, SessionState)>> {
        let store = self.store()?;
        let names = store.writers()?;
        names
            .into_iter()
            .filter(|name| !SHARED.contains(&name.as_str()))
            .map(|name| {
                let journal: Journal<SessionState> = store.journal(&name)?;
                Ok((name, journal.state().clone()))
            })
            .collect()
    }

    /// Finds a decision by its id, or by the end of its id (at least six characters).
    ///
    /// # Errors
    /// Kind `input` when there is none or more than one; kind `store` when the logs cannot be read.
    pub fn decision(&self, id: &str) -> Result<(String, u64, DecisionRecord)> {
        let mut found = Vec::new();
        self.each_decision(|record_id, millis, record| {
            if record_id == id || (id.len() >= 6 && record_id.ends_with(&id.to_ascii_uppercase())) {
                found.push((record_id.to_owned(), millis, record));
            }
        })?;
        match found.len() {
            1 => found.pop().ok_or_else(|| Error::new(ErrorKind::Internal, "a found record went away")),
            0 => Err(Error::new(ErrorKind::Input, format!("no decision {id:?} in {}", self.store()?.root().display()))
                .hint("run it in the repository where the decision fell; `proctor stats --recent 10` lists the latest")),
            n => Err(Error::new(ErrorKind::Input, format!("{n} decisions end with {id:?}")).hint("give the whole id")),
        }
    }

    /// Calls `each` with id, time and content of every decision, log by log. Gives the number of
    /// damaged lines that were left out.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn each_decision(&self, mut each: impl FnMut(&str, u64, DecisionRecord)) -> Result<usize> {
        let store = self.store()?;
        let mut damaged = 0;
        for name in store.writers()? {
            let mut reader = store.reader(&name);
            for record in reader.by_ref().filter(|r| r.kind == KIND) {
                match record.body::<DecisionRecord>() {
                    Ok(body) => each(record.id.as_str(), record.millis, body),
                    Err(_) => damaged += 1,
                }
            }
            damaged += reader.problems().len();
        }
        Ok(damaged)
    }
}
