//! Which files differ from what is checked out, without `git status` where that can be told here.
//!
//! The index is what is checked out when git has noted the same tree for both. Which tree a commit holds is learned from
//! `git status` itself, when it says that nothing is staged.

use super::build::{self, Item};
use super::glance::Here;
use super::heap::Stock;
use super::index::{Entry, Index, KIND, LINK};
use super::look::Want;
use super::memory::hex;
use super::plain::{LARGEST, content, is_free};
use super::scan::{Root, Seen};
use super::{Place, Trees, hash};
use crate::changes::Status;
use crate::file;
use proctor_kernel::Result;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

/// More files whose content has to be compared are left to git.
const MOST: usize = 64;

impl Trees<'_> {
    /// What `git status` lists.
    pub(crate) fn status(&self) -> Result<Status> {
        let (deadline, place) = (self.deadline(), self.place()?);
        if let Some(status) = self.status_here(&place, deadline)? {
            return Ok(status);
        }
        let glance = self.glance(&place, deadline)?;
        let index = &glance.read.index;
        self.refuse_pipes(&place, deadline, index.entries.iter().map(|e| index.path(e)))?;
        let before = self.checked_out(&place, deadline);
        let status = self.repo.status()?;
        if !status.staged
            && let Some(note) = before
            && Some(&note) == self.checked_out(&place, deadline).as_ref()
        {
            // Only saves time later.
            let _ = file::write(&place.dir.join("head"), note.as_bytes());
        }
        Ok(status)
    }

    /// The commit that is checked out and the tree of the index, as one text.
    fn checked_out(&self, place: &Place, deadline: Instant) -> Option<String> {
        let head = self.repo.head().ok()?.oid?;
        let read = self.read_index(place, deadline).ok()?;
        self.note(&head, &read.index)
    }

    /// Whether a commit is known to hold what is in the index.
    pub(crate) fn is_checked_out(&self, place: &Place, commit: &str, index: &Index) -> bool {
        let known = file::read_text(&place.dir.join("head")).ok();
        known.is_some()
            && known == self.note(commit, index)
            // Another tree may stand in for that of the commit.
            && !self.repo.common_dir().join("refs/replace").exists()
    }

    fn note(&self, head: &str, index: &Index) -> Option<String> {
        let tree = match index.noted_tree(self.width()) {
            Some(tree) => tree.to_owned(),
            None => self.tree_of_index(index)?,
        };
        Some(format!("{head} {}", hex(&tree)))
    }

    /// The tree of an index from which something was added or taken since git noted its tree.
    fn tree_of_index(&self, index: &Index) -> Option<Vec<u8>> {
        let item = |entry: &Entry| {
            (entry.stage == 0 && !entry.intent_to_add).then(|| Item {
                path: index.path(entry),
                mode: entry.mode,
                oid: index.oid(entry),
            })
        };
        let items: Vec<Item<'_>> = index.entries.iter().map(item).collect::<Option<_>>()?;
        let folders = build::folders(index, &BTreeSet::new(), self.width());
        let stock = Stock::of(self);
        let tree = build::tree(&items, &folders, self.width(), &stock);
        stock.save().ok().map(|()| tree)
    }

    /// The same without git; nothing when git is to be asked.
    pub(crate) fn status_here(&self, place: &Place, deadline: Instant) -> Result<Option<Status>> {
        if self.repo.caller.is_none() || !self.allowed(place, deadline).plain {
            return Ok(None);
        }
        let Some(head) = self.repo.head()?.oid else {
            return Ok(None);
        };
        let glance = self.glance(place, deadline)?;
        let read = &glance.read;
        let is_checked_out = self.is_checked_out(place, &head, &read.index);
        // Git has words of its own for those.
        let is_odd = read.index.entries.iter().any(|e| {
            e.stage != 0 || e.intent_to_add || e.skip_worktree || e.assume_valid || e.mode & KIND == LINK
        });
        if !is_checked_out || is_odd {
            return Ok(None);
        }
        let root = &glance.root;
        let Some(Here { wants, others }) = self.seen_here(place, &glance, deadline)? else {
            return Ok(None);
        };
        let mut status = Status::default();
        for path in others {
            status.add(path, true);
        }
        let mut folders = HashMap::new();
        let mut compared = 0;
        for (path, want) in wants {
            let differs = match want {
                Want::Gone => true,
                Want::Link { .. } => return Ok(None),
                Want::File { .. } => {
                    compared += 1;
                    if compared > MOST {
                        return Ok(None);
                    }
                    match self.differs(root, &read.index, path, &mut folders)? {
                        Some(differs) => differs,
                        None => return Ok(None),
                    }
                }
            };
            if differs {
                status.add(path, false);
            }
        }
        Ok(Some(status))
    }

    /// Whether a file is not as the index has it; nothing when only git can tell.
    fn differs(
        &self,
        root: &Root,
        index: &Index,
        path: &[u8],
        folders: &mut HashMap<Vec<u8>, bool>,
    ) -> Result<Option<bool>> {
        let work_tree = self.repo.work_tree()?;
        let file = work_tree.join(OsStr::from_bytes(path));
        let (Some(entry), Seen::File(stat, mode)) = (index.find(path), root.look(path)?) else {
            return Ok(None);
        };
        if mode != entry.mode {
            return Ok(Some(true));
        }
        let content = if mode == 0o120_000 {
            fs::read_link(&file)
                .ok()
                .map(|to| to.into_os_string().into_encoded_bytes())
        } else if u64::from(stat.size) <= LARGEST && is_free(work_tree, index, path, folders) {
            content(&file).filter(|text| !text.contains(&b'\r'))
        } else {
            None
        };
        Ok(content.map(|text| hash::object_id("blob", &text, self.width()) != index.oid(entry)))
    }
}
