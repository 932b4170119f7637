//! An approval is one of a change: from where the difference began that was looked at, to the tree that was judged. The
//! same tree can come again as another change, one that takes back what came in between, and that nobody looked at.

use super::book::ReviewBook;
use super::standing::Requirements;
use super::types::{Independence, Review, ReviewVerdict, VerdictEntry};
use crate::session::SessionState;
use crate::verify::parted;
use crate::{Clock, Engine};
use proctor_kernel::{Digest, Id, Result, TreeId};
use proctor_worktree::{Repo, Trees};
use std::collections::BTreeSet;

/// What a tree is compared with.
#[derive(Clone, Copy)]
pub(crate) struct Onto<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) trees: &'a Trees<'a>,
    /// The commit.
    pub(crate) base: &'a str,
    /// It is nothing but the commit before, of the same line of work as far as can be told.
    pub(crate) same_line: bool,
}

impl Onto<'_> {
    /// Whether an approval looked at how `tree` differs from the base. It did where the base is where its difference
    /// began, or older; what is newer must not be taken back by it:
    ///
    /// * what was committed before the approval, other than on the way to the very commit, has to be in the difference that was looked at, and there a file that is
    ///   as it was at its beginning is not;
    /// * what was committed after it has to be as it was then, in every file in which the tree differs from it.
    pub(crate) fn was_seen(
        &self,
        review: Option<&Review>,
        entry: &VerdictEntry,
        tree: &TreeId,
    ) -> Result<bool> {
        let old: Vec<String>;
        let from = if entry.from.is_empty() {
            // From before the beginning was noted: that of the task.
            old = review.and_then(|r| r.base.clone()).into_iter().collect();
            &old
        } else {
            &entry.from
        };
        // Others' records may say anything.
        let is_oid = |at: &&String| matches!(at.len(), 40 | 64) && at.bytes().all(|b| b.is_ascii_hexdigit());
        let from: Vec<&str> = from.iter().filter(is_oid).map(String::as_str).collect();
        let head = entry.head.as_ref().filter(is_oid).map(String::as_str);
        // Nothing was noted, as where a task began before the first commit.
        if from.is_empty() || from.contains(&self.base) {
            return Ok(true);
        }
        // A commit that is not here is no ancestor.
        let holds_base = |at: &str| self.repo.is_ancestor(self.base, at).unwrap_or(false);
        if from.iter().any(|at| holds_base(at)) {
            return Ok(true);
        }
        let known = head.is_some_and(holds_base);
        // On the way a task may take back what it did itself.
        if known && self.same_line {
            return Ok(true);
        }
        let before = self.trees.id_of(self.base)?;
        let differs: BTreeSet<String> = self.paths(&before, tree)?;
        let from_trees = from.iter().filter_map(|at| self.trees.id_of(at).ok());
        if known {
            return Ok(from_trees
                .filter_map(|at| self.paths(&at, tree).ok())
                .any(|shown| differs.is_subset(&shown)));
        }
        Ok(from_trees
            .chain(head.and_then(|at| self.trees.id_of(at).ok()))
            .filter_map(|at| self.paths(&at, &before).ok())
            .any(|newer| differs.is_disjoint(&newer)))
    }

    fn paths(&self, from: &TreeId, to: &TreeId) -> Result<BTreeSet<String>> {
        Ok(self
            .trees
            .changes(from, to)?
            .into_iter()
            .map(|c| c.path)
            .collect())
    }
}

impl Requirements {
    /// Leaves the approvals out of a tree that looked at another change than the one from a base. What cannot be told
    /// counts as not looked at.
    pub(crate) fn leave_out<'b>(
        &mut self,
        onto: &Onto<'_>,
        tree: &TreeId,
        approvals: impl Iterator<Item = (Option<&'b Review>, &'b Id, &'b VerdictEntry)>,
    ) {
        for (review, id, entry) in approvals {
            if entry.verdict == ReviewVerdict::Approve
                && entry.independence == Independence::Yes
                && !onto.was_seen(review, entry, tree).unwrap_or(false)
            {
                self.past.insert(entry.of_a_change(id));
            }
        }
    }

    /// As [`Requirements::leave_out`], for the work tree as it is: there an approval of the same review that came later,
    /// of another tree, leaves the earlier ones behind as well.
    pub(crate) fn leave_out_of_work(
        &mut self,
        onto: Option<&Onto<'_>>,
        book: &ReviewBook,
        tree: Option<&TreeId>,
    ) {
        let Some(tree) = tree else { return };
        let verdicts = book.verdicts_on(tree);
        for (review, entry) in &verdicts {
            let overtaken = review.verdicts.iter().any(|other| {
                other.verdict == ReviewVerdict::Approve
                    && other.independence == Independence::Yes
                    && (other.round, other.at) > (entry.round, entry.at)
                    && other.tree.as_ref() != Some(tree)
            });
            if overtaken {
                self.past.insert(entry.of_a_change(&review.id));
            }
        }
        if let Some(onto) = onto {
            let all = verdicts.into_iter();
            self.leave_out(
                onto,
                tree,
                all.map(|(review, entry)| (Some(review), &review.id, entry)),
            );
        }
    }
}

impl VerdictEntry {
    /// Digest of a verdict with everything that it says. By what it says and not by its record: one record can hold
    /// several, and others choose the ids of theirs.
    pub(crate) fn of_a_change(&self, review: &Id) -> Digest {
        // Nothing of a record cannot be written as JSON.
        Digest::of(&serde_json::to_vec(&("change", review, self)).unwrap_or_default())
    }
}

impl<C: Clock> Engine<C> {
    /// As [`Engine::requirements`], for the work of a session on the tree as it is: approvals that looked at another
    /// change than the one that its task made of what it found count no more.
    pub fn requirements_of_work(
        &self,
        book: &ReviewBook,
        tree: Option<&TreeId>,
        state: Option<&SessionState>,
    ) -> Requirements {
        let own = state.and_then(SessionState::own_task);
        // A set task that cannot be read is told by the gates that need it.
        let base = own
            .or_else(|| self.set_task().ok().flatten())
            .and_then(|task| task.base);
        self.requirements_onto(book, tree, base.as_deref())
    }

    /// As [`Engine::requirements_of_work`], for the work that a review is about.
    pub fn requirements_of_review(&self, book: &ReviewBook, tree: &TreeId, review: &Review) -> Requirements {
        self.requirements_onto(book, Some(tree), review.base.as_deref())
    }

    fn requirements_onto(
        &self,
        book: &ReviewBook,
        tree: Option<&TreeId>,
        base: Option<&str>,
    ) -> Requirements {
        let mut required = self.requirements(book, tree);
        let cache = self.trees_cache().ok();
        let place = self
            .repo()
            .zip(cache)
            .map(|(repo, cache)| (repo, repo.trees(&cache)));
        let onto = place.as_ref().zip(base).map(|((repo, trees), base)| Onto {
            repo,
            trees,
            base,
            same_line: false,
        });
        required.leave_out_of_work(onto.as_ref(), book, tree);
        required
    }

    /// Where the differences begin that whoever judges now looks at, and the commit that was checked out for them. A
    /// human answers for the work as it stands; a reviewer was shown what a task made, as it was asked for.
    pub(super) fn looked_at(&self, review: &Review, is_human: bool) -> Result<(Vec<String>, Option<String>)> {
        let Some(repo) = self.repo() else {
            return Ok(<_>::default());
        };
        let now = repo.head()?.oid;
        let head = if is_human {
            now.clone()
        } else {
            review.head.clone().or_else(|| review.base.clone())
        };
        let began = Some(self.base_rev(review)).filter(|began| *began != "HEAD");
        let mut from: Vec<String> = began.map(str::to_owned).into_iter().collect();
        // Where the history is cut off nothing is told of what it goes onto.
        let parted = head.as_deref().and_then(|head| parted(repo, head).ok().flatten());
        if is_human {
            from.extend(now);
            from.extend(parted);
        } else if let Some(at) = parted
            && from
                .iter()
                .any(|began| repo.is_ancestor(&at, began).unwrap_or(false))
        {
            from.push(at);
        }
        from.sort();
        from.dedup();
        Ok((from, head))
    }
}
