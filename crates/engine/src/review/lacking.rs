//! What a look at the work lacked, and whether anything has changed since.

use super::types::{Lacking, Review, ReviewEvent};
use crate::{Clock, Engine};
use proctor_kernel::{Digest, Id, Result, TreeId};

impl<C: Clock> Engine<C> {
    /// Records that a review ended without a verdict, for the work lacks this.
    ///
    /// # Errors
    /// Kind `store` when records cannot be read or written.
    pub fn record_lacking(&mut self, review: &Id, what: &[String], asked: bool) -> Result<()> {
        let book = self.reviews()?;
        let Some(known) = book.review(review) else {
            return Ok(());
        };
        let lacking = Lacking {
            what: what.to_vec(),
            asked,
            grounds: self.grounds(known, known.tree.as_ref())?,
        };
        self.record_review(vec![ReviewEvent::Lacked {
            review: review.clone(),
            lacking,
        }])
        .map(drop)
    }

    /// Digest of what decides whether a review of this tree could come to another end: the tree, the checks that were
    /// seen on it, the review's findings, and the policy.
    ///
    /// # Errors
    /// Kind `store` when records cannot be read.
    pub fn grounds(&self, review: &Review, tree: Option<&TreeId>) -> Result<Digest> {
        let mut runs = match review.session.as_str() {
            "" => Vec::new(),
            session => self
                .session(Some(session))?
                .map(|(_, state)| state.facts.runs)
                .unwrap_or_default(),
        };
        runs.extend(self.engine_runs()?);
        runs.retain(|run| run.after.as_ref() == tree);
        let runs: Vec<&Id> = runs.iter().map(|run| &run.id).collect();
        let findings: Vec<_> = review.findings.iter().map(|f| (&f.id, f.settled)).collect();
        let all = (tree, runs, findings, self.policy_digest());
        Ok(Digest::of(&serde_json::to_vec(&all).unwrap_or_default()))
    }
}
