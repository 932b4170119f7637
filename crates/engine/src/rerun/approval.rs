//! What the levels `rerun` and `tamper` ask for before a verdict approves a tree.

use super::{Ended, Permit, Rerun, RerunOutcome};
use crate::review::Review;
use crate::{Clock, Engine};
use proctor_gates::tamper::Finding;
use proctor_kernel::{ErrorKind, Result, TreeId, Trust};
use proctor_policy::ReviewLevel;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What only the caller knows of the place where checks can be run.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    /// Where clean folders are made.
    pub folder: PathBuf,
    /// Variables of this process that checks do not get; see [`super::steers`].
    pub without: Vec<OsString>,
}

/// Whether an approval has what its level asks for, as far as Proctor finds that out by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prepared {
    /// The checks that were run, or answered from the record.
    pub outcomes: Vec<RerunOutcome>,
    /// Level `tamper`: what makes the tests say less. They are findings of the review now.
    pub weakened: Vec<Finding>,
    /// Level `tamper`: why the change could not be compared with its base.
    pub not_compared: Option<String>,
}

impl Prepared {
    /// Why it cannot be told, when that is so: no verdict, and no attempt.
    #[must_use]
    pub fn could_not_run(&self) -> Option<String> {
        if let Some(why) = &self.not_compared {
            return Some(format!("the change could not be compared with its base: {why}"));
        }
        let mut lost = self.outcomes.iter().filter(|o| o.ended == Ended::CouldNotRun);
        let first = lost.next()?;
        let more = match lost.count() {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        Some(format!("check `{}`: {}{more}", first.name, first.why))
    }

    /// What stands in the way of an approval: checks that did not pass.
    #[must_use]
    pub fn lacks(&self) -> Vec<String> {
        self.outcomes
            .iter()
            .filter(|o| matches!(o.ended, Ended::Failed | Ended::Empty))
            .map(|o| format!("Proctor ran the check `{}` in a clean folder: {}", o.name, o.why))
            .collect()
    }
}

impl<C: Clock> Engine<C> {
    /// Does what `review.level` asks for before the tree of a review can be approved: from level `rerun` on the
    /// checks of the policy are run; at level `tamper` the change is compared with its base, and what is found becomes
    /// findings of the review. May take as long as the checks do; below level `rerun` it does nothing.
    ///
    /// # Errors
    /// As [`Engine::rerun`]; and kind `store` when findings cannot be recorded.
    pub fn prepare_approval(&mut self, review: &Review, tree: &TreeId, runner: &Runner) -> Result<Prepared> {
        self.hold_review(review);
        let settings = &self.settings().review;
        let (level, seconds) = (settings.level, settings.rerun_seconds);
        let checks = self.settings().verification.clone();
        let mut prepared = Prepared::default();
        if level < ReviewLevel::Rerun {
            return Ok(prepared);
        }
        if !checks.is_empty() {
            prepared.outcomes = self.rerun(&Rerun {
                tree,
                checks: &checks,
                permit: Permit::IfTrusted,
                trust: Trust::EngineRan,
                folder: &runner.folder,
                without: &runner.without,
                timeout: Duration::from_secs(seconds),
                from_record: true,
            })?;
        }
        if level == ReviewLevel::Tamper && prepared.could_not_run().is_none() {
            match self.weakened(review, tree, runner, &prepared.outcomes) {
                Ok(found) => {
                    self.note_weakened(review, tree, &found)?;
                    prepared.weakened = found;
                }
                Err(error) if error.kind() == ErrorKind::Store => return Err(error),
                Err(error) => prepared.not_compared = Some(error.to_string()),
            }
        }
        Ok(prepared)
    }
}
