//! Where the difference that is reviewed begins.

use super::standing::Eyes;
use super::types::{Review, ReviewVerdict, VerdictEntry};
use crate::{Clock, Engine};
use proctor_kernel::{Error, ErrorKind, Result, TreeId};
use proctor_worktree::Trees;

/// The tree without files, which every repository with SHA-1 ids knows.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

impl<C: Clock> Engine<C> {
    /// Where the difference of a review begins: at its last tree that was approved by as many as it takes (`true`), else at the task's base, without a
    /// task at the commit that is checked out; before the first commit at nothing.
    ///
    /// # Errors
    /// Kinds `git` and `store` when there is no repository, or its trees cannot be read.
    pub fn review_base(&self, review: &Review) -> Result<(TreeId, bool)> {
        let cache = self.trees_cache()?;
        let repo = self
            .repo()
            .ok_or_else(|| Error::new(ErrorKind::Git, "this is no git work tree"))?;
        let trees = repo.trees(&cache);
        let book = self.reviews()?;
        let approves = |v: &&VerdictEntry| {
            v.verdict == ReviewVerdict::Approve
                && v.counts(&review.id, &self.requirements(&book, v.tree.as_ref()))
        };
        let base = self.task_base(review)?;
        let approvals: Vec<&VerdictEntry> = review.verdicts.iter().filter(approves).collect();
        for approved in approvals.iter().rev().filter_map(|v| v.tree.as_ref()) {
            // What too few have approved the next one has to see, too.
            let on_it = approvals
                .iter()
                .copied()
                .filter(|v| v.tree.as_ref() == Some(approved));
            let required = self.requirements(&book, Some(approved));
            let eyes = Eyes::of(on_it, &required);
            if trees.has(approved)?
                && (eyes.are_enough(2) || !self.is_high_stakes_in(review, &trees, &base, approved)?)
                && (required.models < 2 || eyes.are_enough(required.models))
            {
                return Ok((approved.clone(), true));
            }
        }
        Ok((base, false))
    }

    /// Whether a tree differs from the task's base in what is high-stakes.
    fn is_high_stakes_in(
        &self,
        review: &Review,
        trees: &Trees<'_>,
        base: &TreeId,
        tree: &TreeId,
    ) -> Result<bool> {
        let globs = &self.settings().approval.high_stakes;
        if globs.is_empty() {
            return Ok(false);
        }
        let changed: Vec<String> = trees.changes(base, tree)?.into_iter().map(|c| c.path).collect();
        Ok(!self.covered_in(review, globs, &changed).is_empty())
    }

    /// The tree at the task's base, without a task that of the commit that is checked out; before the first commit nothing.
    ///
    /// # Errors
    /// Kinds `git` and `store` when there is no repository, or no state folder.
    pub fn task_base(&self, review: &Review) -> Result<TreeId> {
        let cache = self.trees_cache()?;
        let repo = self
            .repo()
            .ok_or_else(|| Error::new(ErrorKind::Git, "this is no git work tree"))?;
        let trees = repo.trees(&cache);
        // Where the base is not there any more, from what is checked out now it would leave out what the task committed.
        Ok(trees.id_of(self.base_rev(review)).unwrap_or_else(|_| nothing()))
    }

    /// The commit at which a review's task began, without a task the one that is checked out. Where a task began before
    /// the first commit everything is new, also when it was committed since: it begins at nothing. Where no review is
    /// required, no base was noted, and that says nothing.
    pub(crate) fn base_rev<'a>(&self, review: &'a Review) -> &'a str {
        match (review.base.as_deref(), &review.task.id) {
            (Some(base), _) => base,
            (None, Some(_)) if self.may_require_review() => EMPTY_TREE,
            (None, _) => "HEAD",
        }
    }
}

fn nothing() -> TreeId {
    TreeId::from_text(EMPTY_TREE)
}
