//! How two trees differ, and what that means for an approval or a check.

use super::Trees;
use super::heap::Heap;
use super::memory::unhex;
use crate::git::{failed, must, run};
use crate::name;
use proctor_kernel::{Error, ErrorKind, Result, TreeId};
use std::collections::BTreeSet;
use std::time::Instant;

/// What happened to a path from one tree to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It is only in the second tree.
    Added,
    /// It is only in the first tree.
    Deleted,
    /// Its content or mode is another.
    Modified,
    /// It became something else: a link, a file, another repository.
    Retyped,
}

/// A path that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Relative to the root; bytes that are no UTF-8 are written `\xNN`.
    pub path: String,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// The difference of two trees as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The beginning of the difference, in git's form.
    pub text: String,
    /// Whether there is more than was asked for.
    pub cut: bool,
}

/// What happened to the work tree while a check ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct During {
    /// Paths that git tracks and that are not as they were: the check did not run on one content.
    pub tracked: Vec<String>,
    /// Paths that git does not track, were there before, and are not as they were.
    pub untracked: Vec<String>,
    /// New paths that git does not track: litter of the check.
    pub litter: Vec<String>,
}

/// How a commit relates to a tree that was approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// The commit holds exactly this tree.
    Exact,
    /// The commit holds this tree but for files that no commit ever held.
    LacksUntracked(Vec<String>),
    /// The commit differs in these paths.
    Different(Vec<String>),
    /// The commit differs, and the tree's content is not on this machine to say in what.
    Unseen,
}

impl Trees<'_> {
    /// The paths that differ between two trees, sorted. A renamed file is one deleted and one added.
    ///
    /// # Errors
    /// Kind `git` when the content of one of them is not here (it was computed elsewhere, or the cache
    /// was emptied since), and when git fails or takes too long.
    pub fn changes(&self, from: &TreeId, to: &TreeId) -> Result<Vec<Change>> {
        if from == to {
            return Ok(Vec::new());
        }
        if let Some(changes) = self.changes_here(from, to) {
            return Ok(changes);
        }
        self.must_have(&[from, to])?;
        self.changes_by_git(from, to)
    }

    pub(crate) fn changes_by_git(&self, from: &TreeId, to: &TreeId) -> Result<Vec<Change>> {
        let call = self.git(None, self.deadline()).args([
            "diff-tree",
            "-r",
            "-z",
            "--name-status",
            "--no-renames",
            "--ignore-submodules=none",
            from.as_str(),
            to.as_str(),
        ]);
        let output = must(&call, "compare two trees")?;
        let mut fields = output.split(|b| *b == 0);
        let mut changes = Vec::new();
        while let (Some([letter, ..]), Some(path)) = (fields.next(), fields.next()) {
            let kind = match letter {
                b'A' => ChangeKind::Added,
                b'D' => ChangeKind::Deleted,
                b'T' => ChangeKind::Retyped,
                _ => ChangeKind::Modified,
            };
            let path = name::to_text(path);
            changes.push(Change { path, kind });
        }
        changes.sort();
        Ok(changes)
    }

    /// The difference from one tree to another as text, at most `limit` bytes of it. Runs no program
    /// that the configuration or the attributes name.
    ///
    /// # Errors
    /// As [`Trees::changes`].
    pub fn diff(&self, from: &TreeId, to: &TreeId, limit: usize) -> Result<Diff> {
        if from == to {
            return Ok(Diff {
                text: String::new(),
                cut: false,
            });
        }
        self.must_have(&[from, to])?;
        let call = self
            .git(None, self.deadline())
            .args([
                "diff-tree",
                "-r",
                "-p",
                "-M",
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "--src-prefix=a/",
                "--dst-prefix=b/",
                "--ignore-submodules=none",
                from.as_str(),
                to.as_str(),
            ])
            .limit(limit);
        let output = run(&call)?;
        if output.timed_out || output.status != Some(0) {
            return Err(failed(&output, "compare two trees"));
        }
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.truncated {
            // A character may have been cut in two, and half a line says half the truth.
            let end = text.rfind('\n').map_or(0, |at| at + 1);
            text.truncate(end);
        }
        Ok(Diff {
            text,
            cut: output.truncated,
        })
    }

    /// What happened while a check ran, from the trees before and after it.
    ///
    /// # Errors
    /// As [`Trees::changes`].
    pub fn during(&self, before: &TreeId, after: &TreeId) -> Result<During> {
        let changes = self.changes(before, after)?;
        let mut during = During::default();
        if changes.is_empty() {
            return Ok(during);
        }
        let tracked = self.tracked_of(changes.iter().map(|c| c.path.as_str()))?;
        for change in changes {
            if tracked.contains(&change.path) {
                during.tracked.push(change.path);
            } else if change.kind == ChangeKind::Added {
                during.litter.push(change.path);
            } else {
                during.untracked.push(change.path);
            }
        }
        Ok(during)
    }

    /// How a commit relates to a tree.
    ///
    /// # Errors
    /// Kind `git` when there is no such commit, and when git fails or takes too long.
    pub fn linkage(&self, rev: &str, tree: &TreeId) -> Result<Linkage> {
        let held = self.id_of(rev)?;
        if held == *tree {
            return Ok(Linkage::Exact);
        }
        if !self.has(tree)? {
            return Ok(Linkage::Unseen);
        }
        let changes = self.changes(tree, &held)?;
        let lacks_only = changes.iter().all(|c| c.kind == ChangeKind::Deleted);
        let paths: Vec<String> = changes.into_iter().map(|c| c.path).collect();
        if lacks_only && !self.was_held(rev, &paths)? {
            return Ok(Linkage::LacksUntracked(paths));
        }
        Ok(Linkage::Different(paths))
    }

    /// Whether any commit that is known here held one of the paths: what was ever tracked was no untracked file of
    /// the approved tree, however many commits lie between. Of a part of the history nobody can tell.
    fn was_held(&self, rev: &str, paths: &[String]) -> Result<bool> {
        let deadline = self.deadline();
        let call = self
            .git(None, deadline)
            .args(["rev-parse", "-q", "--verify", "--end-of-options"])
            .arg(format!("{rev}^{{commit}}"));
        let output = run(&call)?;
        if !output.is_success() {
            // A tree alone has no history.
            return Ok(false);
        }
        let commit = super::oid_of(&output.stdout)?;
        if self.repo.is_shallow()? {
            return Ok(true);
        }
        // Not simplified: a file may have come and gone on one side of a merge. What was amended away is in the reflog.
        for part in paths.chunks(200) {
            let call = self
                .git(None, deadline)
                .env("GIT_LITERAL_PATHSPECS", "1")
                .args(["rev-list", "--max-count=1", "--full-history"])
                .args(["--branches", "--tags", "--remotes", "--reflog", &commit, "--"])
                .args(part.iter().map(|p| name::to_path(p)));
            if !must(&call, "look for files in the history")?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Those of the paths that a commit holds.
    fn held(&self, commit: &str, paths: &[String], deadline: Instant) -> Result<BTreeSet<String>> {
        let mut held = BTreeSet::new();
        // Arguments are limited; a few hundred paths always fit.
        for part in paths.chunks(200) {
            let call = self
                .git(None, deadline)
                .env("GIT_LITERAL_PATHSPECS", "1")
                .args(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--"])
                .args(part.iter().map(|p| name::to_path(p)));
            let output = must(&call, "list the files of a commit")?;
            held.extend(
                output
                    .split(|b| *b == 0)
                    .filter(|p| !p.is_empty())
                    .map(name::to_text),
            );
        }
        Ok(held)
    }

    /// Those of the paths that git tracks: in the index now, or in the commit that is checked out.
    fn tracked_of<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Result<BTreeSet<String>> {
        let deadline = self.deadline();
        let index = self.index(deadline)?;
        let (mut tracked, mut rest) = (BTreeSet::new(), Vec::new());
        for path in paths {
            if index.has(name::to_path(path).as_os_str().as_encoded_bytes()) {
                tracked.insert(path.to_owned());
            } else {
                rest.push(path.to_owned());
            }
        }
        if !rest.is_empty()
            && let Some(head) = self.repo.head()?.oid
            && !self.is_checked_out(&self.place()?, &head, &index)
        {
            tracked.extend(self.held(&head, &rest, deadline)?);
        }
        Ok(tracked)
    }

    /// Whether the tree's own object is here.
    ///
    /// # Errors
    /// Kind `git` when git fails or takes too long.
    pub fn has(&self, tree: &TreeId) -> Result<bool> {
        if !crate::head::is_oid(tree.as_str()) {
            return Ok(false);
        }
        self.ready()?;
        let call = self
            .git(None, self.deadline())
            .args(["cat-file", "-e"])
            .arg(format!("{tree}^{{tree}}"));
        let output = run(&call)?;
        if output.timed_out {
            return Err(failed(&output, "look for a tree"));
        }
        Ok(output.status == Some(0))
    }

    /// Whether the tree's own object is a file of ours.
    fn is_stored(&self, tree: &TreeId) -> bool {
        let (true, Some((folder, file))) = (
            crate::head::is_oid(tree.as_str()),
            tree.as_str().split_at_checked(2),
        ) else {
            return false;
        };
        self.objects().join(folder).join(file).is_file()
            || unhex(tree.as_str()).is_some_and(|oid| Heap::open(&self.heap()).find(&oid).is_some())
    }

    pub(super) fn must_have(&self, trees: &[&TreeId]) -> Result<()> {
        for tree in trees {
            // Those that were computed here are seen without git.
            if !self.is_stored(tree) && !self.has(tree)? {
                return Err(Error::new(
                    ErrorKind::Git,
                    format!("the content of the tree {tree} is not on this machine"),
                )
                .hint("it was computed elsewhere, or the cache of trees was emptied since"));
            }
        }
        Ok(())
    }
}
