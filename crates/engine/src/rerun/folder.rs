//! The folder in which checks are run: made new, gone afterwards, whatever happens.

use proctor_kernel::{Error, ErrorKind, Result, TreeId};
use proctor_worktree::{Repo, file};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How the names of the folders begin.
const PREFIX: &str = "proctor-rerun-";

/// A clean folder; it is removed when this is dropped.
pub(super) struct Clean {
    folder: TempDir,
    /// Locked as long as this process lives, so that others can tell a folder in use from one left behind.
    _lock: File,
}

impl Clean {
    /// Makes a new folder inside `parent`, and removes those that processes left there when they were killed.
    pub(super) fn new(parent: &Path) -> Result<Self> {
        remove_left_behind(parent);
        let refused = |e: io::Error| {
            Error::new(
                ErrorKind::Git,
                format!("cannot make a folder in {}", parent.display()),
            )
            .because(e)
        };
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(parent)
            .map_err(refused)?;
        let lock = File::create(lock_of(folder.path())).map_err(refused)?;
        lock.try_lock().map_err(|e| refused(e.into()))?;
        // A link in the way to it must not make the tree look as if it lay elsewhere.
        fs::create_dir(folder.path().join("tree")).map_err(refused)?;
        Ok(Self { folder, _lock: lock })
    }

    /// The folder that holds the tree.
    pub(super) fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn repo(&self) -> Result<Repo> {
        Repo::discover(&self.tree())?
            .ok_or_else(|| Error::new(ErrorKind::Git, "the clean folder is no repository any more"))
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// What the folder holds.
    pub(super) fn id(&self) -> Result<TreeId> {
        self.repo()?.tree_id(&self.cache())
    }

    /// What the folder holds now, and which files that git tracks are not as in `tree`.
    pub(super) fn changes(&self, tree: &TreeId) -> Result<(TreeId, Vec<String>)> {
        let now = self.id()?;
        if now == *tree {
            return Ok((now, Vec::new()));
        }
        let during = self.repo()?.trees(&self.cache()).during(tree, &now)?;
        let mut tracked = during.tracked;
        tracked.extend(during.untracked);
        Ok((now, tracked))
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.join("lock")
}

/// Folders whose process is gone. What cannot be removed is another user's, and stays.
fn remove_left_behind(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|n| n.starts_with(PREFIX));
        if !ours || !entry.file_type().is_ok_and(|t| t.is_dir()) {
            continue;
        }
        let left = file::open(&lock_of(&entry.path())).is_ok_and(|(lock, _)| lock.try_lock().is_ok());
        if left {
            let _gone = fs::remove_dir_all(entry.path());
        }
    }
}
