//! What launched reviewers cost the task that they reviewed.

use super::types::Review;
use crate::session::{Change, SessionState};
use crate::{Clock, Engine};
use proctor_kernel::Result;
use proctor_ledger::{Draft, Durability, Journal};
use serde::{Deserialize, Serialize};

/// The kind of record in a session's log that charges it with a reviewer's tokens.
pub(crate) const CHARGE: &str = "charge";

/// The body of such a record.
#[derive(Serialize, Deserialize)]
struct Charge {
    changes: Vec<Change>,
}

impl<C: Clock> Engine<C> {
    /// Charges the task under review with the tokens of one launched reviewer, of so many that one look takes, whatever
    /// came of it. All of them together count as one does: the budget grows by the rest. Each launch is charged once,
    /// and a task that began meanwhile pays nothing for the one before.
    ///
    /// # Errors
    /// Kind `store` when the session's log cannot be read or written.
    pub fn charge_review(&mut self, review: &Review, launch: &str, tokens: u64, of: usize) -> Result<()> {
        if tokens == 0 || review.session.is_empty() {
            return Ok(());
        }
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let store = self.store()?;
        if !store.has(&review.session) {
            return Ok(());
        }
        let body = Charge {
            changes: vec![Change::Charged {
                launch: launch.to_owned(),
                task: review.task.id.clone(),
                tokens,
                beyond: tokens - tokens.div_ceil(of.max(1) as u64),
            }],
        };
        let mut journal: Journal<SessionState> = store.journal(&review.session)?;
        let draft = Draft::new(self.stamp(), CHARGE, &body)?;
        journal.commit(vec![draft], Durability::Buffered).map(drop)
    }

    /// The tokens of all launched reviewers that sessions were charged with.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn charged_tokens(&self) -> Result<u64> {
        let store = self.store()?;
        let mut sum = 0_u64;
        for name in store.writers()? {
            let charges = store.reader(&name).filter(|record| record.kind == CHARGE);
            for body in charges.filter_map(|record| record.body::<Charge>().ok()) {
                for change in body.changes {
                    if let Change::Charged { tokens, .. } = change {
                        sum = sum.saturating_add(tokens);
                    }
                }
            }
        }
        Ok(sum)
    }
}
