//! Repositories inside a work tree: submodules, and others that were put there.

use super::memory::unhex;
use super::{Trees, oid_of};
use crate::git::must;
use crate::{Repo, file, name};
use proctor_kernel::Result;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// Deepest nesting of repositories whose changes are looked at.
const NESTING: u8 = 4;

impl Trees<'_> {
    /// The commit that stands for a repository in the work tree: the one that is checked out, or, when
    /// something in it changed, a made-up commit of what it holds. `None` when there is no repository
    /// or no commit.
    pub(crate) fn link(&self, path: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some(repo) = self.inner(path)? else {
            return Ok(None);
        };
        let Some(head) = repo.head()?.oid else {
            return Ok(None);
        };
        if self.depth >= NESTING {
            return Ok(unhex(&head));
        }
        let trees = self.inside(&repo);
        let tree = trees.id()?;
        let known = trees.place()?.dir.join("link");
        let question = format!("{head} {tree} ");
        if let Ok(text) = file::read_text(&known)
            && let Some(answer) = text.strip_prefix(&question)
            && crate::head::is_oid(answer)
        {
            return Ok(unhex(answer));
        }
        let answer = if trees.id_of(&head)? == tree {
            head
        } else {
            trees.made_up(tree.as_str(), &head)?
        };
        let _ = file::write(&known, format!("{question}{answer}").as_bytes());
        Ok(unhex(&answer))
    }

    /// The files of a repository inside that were changed, as [`Trees::touched_since`] tells them; none where that cannot
    /// be told.
    pub(crate) fn touched_inside(&self, path: &[u8], began: u64, now: u64, staged: bool) -> Vec<String> {
        let Some(repo) = self.inner(path).ok().flatten().filter(|_| self.depth < NESTING) else {
            return Vec::new();
        };
        let touched = self.inside(&repo).touched_since(began, now, staged);
        let folder = name::to_text(path);
        let touched = touched.ok().flatten().unwrap_or_default();
        touched.iter().map(|file| format!("{folder}/{file}")).collect()
    }

    /// The repository whose work tree this folder is.
    fn inner(&self, path: &[u8]) -> Result<Option<Repo>> {
        let folder = self.repo.work_tree()?.join(OsStr::from_bytes(path));
        if fs::symlink_metadata(folder.join(".git")).is_err() {
            return Ok(None);
        }
        let found = Repo::discover(&folder)?
            .filter(|r| fs::canonicalize(&folder).is_ok_and(|real| r.root() == Some(&real)));
        Ok(found.map(|repo| self.repo.like(repo)))
    }

    fn inside<'r>(&self, repo: &'r Repo) -> Trees<'r> {
        Trees {
            repo,
            cache: self.cache.clone(),
            depth: self.depth + 1,
            once: None,
        }
    }

    /// Writes a commit that says nothing but which tree it holds and on which commit it stands.
    fn made_up(&self, tree: &str, parent: &str) -> Result<String> {
        let text = format!(
            "tree {tree}\nparent {parent}\nauthor Proctor <> 0 +0000\ncommitter Proctor <> 0 +0000\n\n"
        );
        let call = self
            .git(None, self.deadline())
            .args(["hash-object", "-t", "commit", "-w", "--stdin"])
            .stdin(text);
        oid_of(&must(&call, "note the state of a submodule")?)
    }
}
