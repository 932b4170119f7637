//! Files that git was told not to look at (`assume-unchanged`, `skip-worktree`), compared here: `git status` says nothing
//! of them.

use super::index::{self, Index, KIND, Unread};
use super::read;
use super::scan::{Root, Seen};
use super::share::Comparison;
use super::{OWN, hash};
use crate::git::{must, run};
use crate::head::is_oid;
use crate::{Command, Repo};
use proctor_kernel::{Error, ErrorKind, Result};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// How many files one git process is given.
const BATCH: usize = 500;
/// The mode of a symbolic link.
const SYMLINK: u32 = 0o120_000;

/// An entry that git was told not to look at.
struct Hidden {
    path: Vec<u8>,
    mode: u32,
    oid: Vec<u8>,
    /// Whether the file may be missing because it is not checked out.
    may_lack: bool,
}

impl Repo {
    /// Those of the hidden files that are not as the index has them.
    pub(crate) fn hidden(&self) -> Result<Vec<Vec<u8>>> {
        let work_tree = self.work_tree()?;
        let root = Arc::new(Root::open(work_tree)?);
        let mut changed = Vec::new();
        let mut content = Vec::new();
        for entry in self.hidden_entries(&root)? {
            if entry.path.starts_with(OWN) {
                continue;
            }
            let seen = if root.is_inside(&entry.path)? {
                root.look(&entry.path)?
            } else {
                Seen::Nothing
            };
            let path = work_tree.join(OsStr::from_bytes(&entry.path));
            let differs = match seen {
                Seen::Nothing => !entry.may_lack,
                Seen::Special => true,
                Seen::Folder => entry.mode != index::LINK || self.is_other_commit(&path, &entry)?,
                Seen::File(_, mode) if mode & KIND != entry.mode & KIND => true,
                Seen::File(_, SYMLINK) => fs::read_link(&path)
                    .map_or(true, |to| self.oid_of(to.as_os_str().as_bytes()) != entry.oid),
                Seen::File(_, mode) if mode != entry.mode && self.minds_modes()? => true,
                Seen::File(..) => {
                    content.push(entry);
                    continue;
                }
            };
            if differs {
                changed.push(entry.path);
            }
        }
        for part in content.chunks(BATCH) {
            let paths = part.iter().map(|entry| OsStr::from_bytes(&entry.path));
            let call = self.here().args(["hash-object", "--"]).args(paths);
            let said = must(&call, "read the files that it was told not to look at")?;
            let mut oids = said.split(|b| *b == b'\n');
            for entry in part {
                if oids.next() != Some(super::memory::hex(&entry.oid).as_bytes()) {
                    changed.push(entry.path.clone());
                }
            }
        }
        Ok(changed)
    }

    /// The hidden entries whose files are not surely as the index remembers them.
    fn hidden_entries(&self, root: &Arc<Root>) -> Result<Vec<Hidden>> {
        let path = self.git_dir().join("index");
        let unreadable = |e| Error::new(ErrorKind::Git, format!("cannot read {}", path.display())).because(e);
        let Some((bytes, meta)) = read::whole(&path).map_err(unreadable)? else {
            return Ok(Vec::new());
        };
        let at = read::written(&meta);
        let index = match Index::parse(bytes, if self.sha256 { 32 } else { 20 }) {
            Ok(index) => Arc::new(index),
            Err(Unread::Form) => return self.listed_entries(),
            Err(Unread::Damaged) => return Err(read::damaged(&path)),
        };
        let sparse = self.is_sparse();
        if !index.entries.iter().any(|e| e.assume_valid || e.skip_worktree) {
            return Ok(Vec::new());
        }
        let differing = Comparison::begin(root, &index, at).end()?.into_iter();
        let differing = differing.filter_map(|place| index.entries.get(place));
        let hidden = differing.filter(|e| (e.assume_valid || e.skip_worktree) && e.stage == 0);
        Ok(hidden
            .map(|e| Hidden {
                path: index.path(e).to_owned(),
                mode: e.mode,
                oid: index.oid(e).to_owned(),
                may_lack: e.skip_worktree && sparse,
            })
            .collect())
    }

    /// The hidden entries of an index that only git can read.
    fn listed_entries(&self) -> Result<Vec<Hidden>> {
        let call = self.here().args(["ls-files", "-v", "-s", "-z", "--full-name"]);
        let said = must(&call, "list the files that it was told not to look at")?;
        let odd = || Error::new(ErrorKind::Git, "git lists its index in an unknown form");
        let sparse = self.is_sparse();
        let mut hidden = Vec::new();
        for line in said.split(|b| *b == 0).filter(|line| !line.is_empty()) {
            let tab = line.iter().position(|b| *b == b'\t').ok_or_else(odd)?;
            let (head, path) = line.split_at(tab);
            let head = std::str::from_utf8(head).map_err(|_| odd())?;
            // A letter, the mode, the object id, the stage.
            let fields: Vec<&str> = head.split(' ').collect();
            let [letter, mode, oid, stage] = fields.as_slice() else {
                return Err(odd());
            };
            let skipped = letter.eq_ignore_ascii_case("s");
            if !(skipped || letter.bytes().all(|b| b.is_ascii_lowercase())) || *stage != "0" {
                continue;
            }
            hidden.push(Hidden {
                path: path.get(1..).unwrap_or_default().to_owned(),
                mode: u32::from_str_radix(mode, 8).map_err(|_| odd())?,
                oid: super::memory::unhex(oid).ok_or_else(odd)?,
                may_lack: skipped && sparse,
            });
        }
        Ok(hidden)
    }

    /// Whether a repository inside is not at the commit that the index names, or holds changes.
    fn is_other_commit(&self, folder: &Path, entry: &Hidden) -> Result<bool> {
        if fs::symlink_metadata(folder.join(".git")).is_err() {
            // A submodule that is not checked out is as the index says.
            return Ok(false);
        }
        let inner = Self::discover(folder)?
            .filter(|r| fs::canonicalize(folder).is_ok_and(|real| r.root() == Some(&real)));
        let Some(inner) = inner.map(|r| self.like(r)) else {
            return Ok(false);
        };
        let at = inner.head()?.oid.filter(|oid| is_oid(oid));
        Ok(
            at.and_then(|oid| super::memory::unhex(&oid)).as_ref() != Some(&entry.oid)
                || !inner.status()?.is_empty(),
        )
    }

    /// Whether the configuration lets the modes of files count.
    fn minds_modes(&self) -> Result<bool> {
        let call = self.here().args(["config", "--type=bool", "core.fileMode"]);
        Ok(run(&call)?.stdout != b"false\n")
    }

    fn oid_of(&self, content: &[u8]) -> Vec<u8> {
        hash::object_id("blob", content, if self.sha256 { 32 } else { 20 })
    }

    /// A git call in the root of the work tree.
    fn here(&self) -> Command {
        let command = self.git();
        match self.root() {
            Some(root) if root != self.entry => command
                .cwd(root)
                .env("GIT_DIR", self.git_dir())
                .env("GIT_WORK_TREE", root),
            _ => command,
        }
    }
}
