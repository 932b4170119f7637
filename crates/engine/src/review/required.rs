//! Whether the policy requires a review of what is there, where nobody asked for one.

use super::types::Review;
use crate::session::SessionState;
use crate::{Clock, Engine};
use proctor_gates::approval::{Question, in_doubt, judge, under};
use proctor_gates::support::Now;
use proctor_kernel::{Error, ErrorKind, Finding, Id, Mode, Result, ReviewStanding, Task, TaskOrigin, World};
use proctor_policy::Require;

impl<C: Clock> Engine<C> {
    /// What the end of a turn would object to in work that nobody was asked to review; `None` where the policy
    /// requires no review of it. What changed is counted as the gate counts it: from the base of the session's
    /// task, with what earlier tasks and sessions left unreviewed; without one from that of the set task, else from the
    /// commit that is checked out.
    ///
    /// # Errors
    /// Kind `git` when it cannot be told what changed.
    pub fn review_missing(&self, session: Option<&SessionState>) -> Result<Option<Finding>> {
        self.review_objection(session, &ReviewStanding::None)
    }

    /// What the end of a turn would object to in work whose review stands like this; see
    /// [`Engine::review_missing`].
    ///
    /// # Errors
    /// Kind `git` when it cannot be told what changed.
    pub fn review_objection(
        &self,
        session: Option<&SessionState>,
        review: &ReviewStanding,
    ) -> Result<Option<Finding>> {
        if !self.may_require_review() {
            return Ok(None);
        }
        let approval = &self.settings().approval;
        let globs = [approval.paths.as_slice(), &approval.high_stakes].concat();
        let (changed, places) = self.work_of(session, &globs)?;
        let judged = judge(&Question {
            text: "",
            claims: &[],
            earlier: &[],
            runs: &[],
            unread: false,
            now: Now {
                tree: None,
                writes: 0,
                changed_since: &|_| None,
            },
            require: approval.require,
            paths: &approval.paths,
            high_stakes: &approval.high_stakes,
            changed: &changed,
            places: &places,
            own: &[],
            review,
            korean: false,
        });
        Ok(judged.findings.into_iter().next())
    }

    /// Whether an approval of a session's work takes two reviewers of different models, or a human: where a review is
    /// required, and what changed is high-stakes.
    ///
    /// # Errors
    /// Kind `git` when it cannot be told what changed.
    pub fn takes_two(&self, session: Option<&SessionState>) -> Result<bool> {
        let globs = &self.settings().approval.high_stakes;
        if globs.is_empty() || !self.may_require_review() {
            return Ok(false);
        }
        let (changed, places) = self.work_of(session, globs)?;
        Ok(!under(globs, &changed, &places).is_empty())
    }

    /// Whether the policy requires a review of any change.
    pub(crate) fn may_require_review(&self) -> bool {
        let settings = self.settings();
        let asks = matches!(settings.approval.require, Require::Changes | Require::Paths);
        settings.enabled && settings.approval.mode != Mode::Off && asks
    }

    /// Of paths in which the work tree differs from the beginning of a review's task those that globs cover.
    pub fn covered_in(&self, review: &Review, globs: &[String], changed: &[String]) -> Vec<String> {
        let base = Some(self.base_rev(review).to_owned());
        let sight = self.sight("", None, String::new());
        let places = sight.places(&without_words(base), &in_doubt(globs, changed));
        under(globs, changed, &places)
    }

    /// What changed in the work of a session, and which of it stands where a folder of globs would; where it has no task,
    /// since the commit that is checked out.
    fn work_of(
        &self,
        session: Option<&SessionState>,
        globs: &[String],
    ) -> Result<(Vec<String>, Vec<String>)> {
        let own = session.and_then(SessionState::own_task);
        let task = match own.map_or_else(|| self.set_task(), |own| Ok(Some(own)))? {
            Some(task) => task,
            // A session in which nobody said anything yet says nothing of the work that it found.
            None => match self.repo().filter(|r| !r.is_bare()) {
                Some(repo) => without_words(repo.head()?.oid),
                None => return Ok(<_>::default()),
            },
        };
        let sight = self.sight("", None, String::new());
        let changed = sight
            .files_to_review(&task)
            .map_err(|e| Error::new(ErrorKind::Git, format!("what changed cannot be told: {e}")))?;
        let places = sight.places(&task, &in_doubt(globs, &changed));
        Ok((changed, places))
    }
}

/// Work that nobody described, from a commit on.
fn without_words(base: Option<String>) -> Task {
    Task {
        id: Id::from_text(""),
        words: String::new(),
        origin: TaskOrigin::Command,
        outline: proctor_kernel::Outline::default(),
        base,
        dirty: Vec::new(),
    }
}
