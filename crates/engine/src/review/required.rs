//! Whether the policy requires a review of what is there, where nobody asked for one.

use crate::session::SessionState;
use crate::{Clock, Engine};
use proctor_gates::approval::{Question, judge};
use proctor_gates::support::Now;
use proctor_kernel::{Error, ErrorKind, Finding, Id, Mode, Result, ReviewStanding, Task, TaskOrigin, World};
use proctor_policy::Require;

impl<C: Clock> Engine<C> {
    /// What the end of a turn would object to in work that nobody was asked to review; `None` where the policy
    /// requires no review of it. What changed is counted as the gate counts it: from the base of the session's
    /// task; without any session from that of the set task, else from the commit that is checked out.
    ///
    /// # Errors
    /// Kind `git` when it cannot be told what changed.
    pub fn review_missing(&self, session: Option<&SessionState>) -> Result<Option<Finding>> {
        let settings = self.settings();
        let approval = &settings.approval;
        let asks = matches!(approval.require, Require::Changes | Require::Paths);
        if !settings.enabled || approval.mode == Mode::Off || !asks {
            return Ok(None);
        }
        let own = session.and_then(|s| s.agents.get("")?.task.clone());
        let task = match own.or_else(|| self.set_task()) {
            Some(task) => task,
            None if session.is_some() => return Ok(None),
            None => match self.repo().filter(|r| !r.is_bare()) {
                Some(repo) => Task {
                    id: Id::from_text(""),
                    words: String::new(),
                    origin: TaskOrigin::Command,
                    outline: proctor_kernel::Outline::default(),
                    base: repo.head()?.oid,
                    dirty: Vec::new(),
                },
                None => return Ok(None),
            },
        };
        let sight = self.sight("", None, String::new());
        let changed = sight
            .changed_files(&task)
            .map_err(|e| Error::new(ErrorKind::Git, format!("what changed cannot be told: {e}")))?;
        let judged = judge(&Question {
            claims: &[],
            runs: &[],
            now: Now {
                tree: None,
                writes: 0,
                changed_since: &|_| None,
            },
            require: approval.require,
            paths: &approval.paths,
            changed: &changed,
            own: &[],
            review: &ReviewStanding::None,
            korean: false,
        });
        Ok(judged.findings.into_iter().next())
    }
}
