//! Where the difference that is reviewed begins.

use super::types::{Review, ReviewVerdict, VerdictEntry};
use crate::{Clock, Engine};
use proctor_kernel::{Error, ErrorKind, Result, TreeId};

/// The tree without files, which every repository with SHA-1 ids knows.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

impl<C: Clock> Engine<C> {
    /// Where the difference of a review begins: at its last approved tree (`true`), else at the task's base, else at
    /// the commit that is checked out; before the first commit at nothing.
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
        let approved = review
            .verdicts
            .iter()
            .rev()
            .filter(approves)
            .find_map(|v| v.tree.clone());
        if let Some(approved) = approved
            && trees.has(&approved)?
        {
            return Ok((approved, true));
        }
        Ok((self.task_base(review)?, false))
    }

    /// The tree at the task's base, else that of the commit that is checked out; before the first commit nothing.
    ///
    /// # Errors
    /// Kinds `git` and `store` when there is no repository, or no state folder.
    pub fn task_base(&self, review: &Review) -> Result<TreeId> {
        let cache = self.trees_cache()?;
        let repo = self
            .repo()
            .ok_or_else(|| Error::new(ErrorKind::Git, "this is no git work tree"))?;
        let trees = repo.trees(&cache);
        let base = review.base.as_deref().unwrap_or("HEAD");
        let base = trees.id_of(base).or_else(|_| trees.id_of("HEAD"));
        // Before the first commit everything is new: the difference begins at nothing.
        Ok(base.unwrap_or_else(|_| TreeId::from_text(EMPTY_TREE)))
    }
}
