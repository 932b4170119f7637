//! Other repositories inside a work tree: submodules, further work trees of the same clone, other clones.

use crate::repo::{is_git_dir, linked_dir};
use crate::tree::index::{Index, KIND, LINK};
use crate::{Repo, file, name};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Whose a path inside a work tree is, where it is not the work tree's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// A submodule's: the index names the commit that is checked out there.
    Submodule,
    /// That of another work tree of the clone, or of another clone, or git's own.
    Other,
}

impl Repo {
    /// Whose a path is, named from the root of the work tree; `None` for what is the work tree's own. What stands behind links
    /// is not looked at: paths are taken as they are.
    #[must_use]
    pub fn inner_at(&self, path: &Path) -> Option<Inner> {
        let root = self.root()?;
        let mut folder = PathBuf::new();
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            if part.as_os_str() == ".git" {
                return Some(Inner::Other);
            }
            folder.push(part);
            let here = root.join(&folder);
            let Some(git_dir) = git_dir_of(&here) else {
                continue;
            };
            if !self.is_submodule(&folder, &git_dir) {
                return Some(Inner::Other);
            }
            let inner = Self::discover(&here).ok().flatten();
            return match inner.filter(|inner| inner.common_dir() != self.common_dir()) {
                Some(inner) => Some(inner.inner_at(parts.as_path()).unwrap_or(Inner::Submodule)),
                None => Some(Inner::Other),
            };
        }
        None
    }

    fn is_submodule(&self, folder: &Path, git_dir: &Path) -> bool {
        let index = file::read(&self.git_dir().join("index"))
            .ok()
            .and_then(|bytes| Index::parse(bytes, if self.sha256 { 32 } else { 20 }).ok());
        match index {
            Some(index) => index
                .find(folder.as_os_str().as_bytes())
                .is_some_and(|entry| entry.mode & KIND == LINK),
            // Where git itself puts them.
            None => git_dir.starts_with(self.common_dir().join("modules")),
        }
    }

    /// Another work tree of this clone, by its root.
    #[must_use]
    pub fn work_tree_at(&self, root: &Path) -> Option<Self> {
        git_dir_of(root)?;
        let found = Self::discover(root).ok().flatten()?;
        let is_one = found.common_dir() == self.common_dir()
            && found.git_dir() != self.git_dir()
            && fs::canonicalize(root).is_ok_and(|real| found.root() == Some(&real));
        is_one.then(|| self.like(found))
    }

    /// Whether a path, named from the root of the work tree, is the root of another work tree of this clone.
    pub(crate) fn is_work_tree(&self, path: &[u8]) -> bool {
        self.root()
            .is_some_and(|root| self.work_tree_at(&root.join(OsStr::from_bytes(path))).is_some())
    }

    /// The files of a submodule that changed since `base` was checked out in the work tree around it, named from that one's
    /// root. `since`, in milliseconds since 1970: it held changes then, and files that nobody touched later are left out.
    /// Nothing where there is no submodule, and where it cannot be told.
    #[must_use]
    pub fn changed_inside(&self, base: &str, path: &str, since: Option<u64>) -> Vec<String> {
        self.try_changed_inside(base, path, since).unwrap_or_default()
    }

    fn try_changed_inside(&self, base: &str, path: &str, since: Option<u64>) -> Option<Vec<String>> {
        let folder = self.root()?.join(name::to_path(path));
        git_dir_of(&folder)?;
        let call = self.git().args(["ls-tree", "-z", "--full-tree", base, "--"]);
        let said = crate::git::run(&call.arg(name::to_path(path))).ok()?;
        // A mode, a type, an id, a tab.
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let commit = said.strip_prefix("160000 commit ")?.split('\t').next()?;
        let inner = Self::discover(&folder).ok().flatten()?;
        let inner = fs::canonicalize(&folder)
            .is_ok_and(|real| inner.root() == Some(&real))
            .then(|| self.like(inner))?;
        let mut changed = inner.changed_since(Some(commit), &[]).ok()?;
        if let Some(since) = since {
            changed.retain(|file| is_newer(&folder.join(name::to_path(file)), since));
        }
        Some(changed.iter().map(|file| format!("{path}/{file}")).collect())
    }
}

/// Whether a file was changed after a moment, or is gone.
fn is_newer(file: &Path, moment: u64) -> bool {
    fs::symlink_metadata(file).map_or(true, |meta| {
        i128::from(meta.ctime()) * 1_000 + i128::from(meta.ctime_nsec()) / 1_000_000 >= i128::from(moment)
    })
}

/// Git's folder of the repository whose work tree a folder is.
fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let dot = folder.join(".git");
    let meta = fs::metadata(&dot).ok()?;
    if meta.is_dir() {
        return is_git_dir(&dot).then_some(dot);
    }
    linked_dir(&dot).ok()
}
