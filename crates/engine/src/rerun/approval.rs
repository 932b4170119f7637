//! What the levels `rerun` and `tamper` ask for before a verdict approves a tree.

use super::{Ended, Permit, Rerun, RerunOutcome};
use crate::{Clock, Engine};
use proctor_kernel::{Result, TreeId, Trust};
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
}

impl Prepared {
    /// Why it cannot be told, when that is so: no verdict, and no attempt.
    #[must_use]
    pub fn could_not_run(&self) -> Option<String> {
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
    /// Does what `review.level` asks for before a tree can be approved: from level `rerun` on the checks of
    /// the policy are run. May take as long as they do; below that level it does nothing.
    ///
    /// # Errors
    /// As [`Engine::rerun`].
    pub fn prepare_approval(&mut self, tree: &TreeId, runner: &Runner) -> Result<Prepared> {
        let review = &self.settings().review;
        let checks = self.settings().verification.clone();
        if review.level < ReviewLevel::Rerun || checks.is_empty() {
            return Ok(Prepared::default());
        }
        let timeout = Duration::from_secs(review.rerun_seconds);
        let outcomes = self.rerun(&Rerun {
            tree,
            checks: &checks,
            permit: Permit::IfTrusted,
            trust: Trust::EngineRan,
            folder: &runner.folder,
            without: &runner.without,
            timeout,
            from_record: true,
        })?;
        Ok(Prepared { outcomes })
    }
}
