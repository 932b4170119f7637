//! Which files were changed since a moment, told by one look at them. No program can set a change time.

use super::glance::{Glance, Here};
use super::hash::object_id;
use super::index::{KIND, LINK, Stat};
use super::look::Want;
use super::plain::{LARGEST, content};
use super::scan::{Seen, moment};
use super::{OWN, Trees};
use crate::name;
use proctor_kernel::Result;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// Clocks of file systems stand still for up to this many milliseconds.
const STILL: i128 = 10;
/// A file that was changed this many milliseconds after now is one by another clock.
const AHEAD: i128 = 2_000;
/// Most untracked files that are looked at, and most bytes that are read to see that a file is as it was.
const OTHERS: usize = 2_000;
const READ: u64 = 1 << 20;

impl Trees<'_> {
    /// The size of the user's index in bytes: how large the work tree is, without a look at it.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        fs::metadata(self.repo.git_dir().join("index")).map_or(0, |meta| meta.len())
    }

    /// The files that git tracks or would add and that were changed since `began`, sorted; both moments in
    /// milliseconds since 1970. A file that is as the index has it counts only with `staged`, and when it was staged
    /// after it was changed. What is gone has no time, and does not count. Repositories inside are looked at in the same
    /// way, each by itself; of one in which it cannot be told, nothing is. Asked of trees
    /// [at one moment](Trees::at_one_moment) it costs no second look, unless there is a repository inside that the index
    /// does not have.
    ///
    /// `None` where git would have to be asked, and where the clock of the files is another one than that of `now`.
    ///
    /// # Errors
    /// As [`Trees::id`].
    pub fn touched_since(&self, began: u64, now: u64, staged: bool) -> Result<Option<Vec<String>>> {
        let (place, deadline) = (self.place()?, self.deadline());
        let glance = self.glance(&place, deadline)?;
        let (around, mut inner);
        let Here { wants, others } = match self.seen_here(&place, &glance, deadline)? {
            Some(here) => {
                inner = Vec::new();
                here
            }
            // Git knows more of a repository inside than is read here, and of the rest no more.
            None => match self.seen_around(&place, &glance, deadline)? {
                Some(seen) => {
                    (around, inner) = seen;
                    &around
                }
                None => return Ok(None),
            },
        };
        if others.len() > OTHERS {
            return Ok(None);
        }
        let links = glance.read.index.entries.iter().filter(|e| e.mode & KIND == LINK);
        inner.extend(links.map(|e| glance.read.index.path(e).to_owned()));
        let mut inside = Vec::new();
        for path in &inner {
            inside.extend(self.touched_inside(path, began, now, staged));
        }
        let (began, now) = (i128::from(began), i128::from(now));
        let index = &glance.read.index;
        let mut later = Vec::new();
        let mut ahead = false;
        let mut is_later = |stat: &Stat| {
            let at = moment(stat.ctime, stat.ctime_nanos) / 1_000_000;
            ahead |= at > now + AHEAD;
            at + STILL >= began
        };
        for (path, want) in wants {
            if let Want::File { stat } = want
                && is_later(stat)
            {
                later.push((path.as_slice(), *stat));
            }
        }
        for path in others.iter().filter(|path| !path.ends_with(b"/")) {
            if let Seen::File(stat, _) = glance.root.look(path)?
                && is_later(&stat)
            {
                later.push((path.as_slice(), stat));
            }
        }
        let mut touched = BTreeSet::new();
        if staged {
            let entries = index.entries.iter().filter(|e| e.stage == 0 && is_later(&e.stat));
            touched.extend(entries.map(|e| index.path(e)).filter(|p| !p.starts_with(OWN)));
        }
        if ahead {
            return Ok(None);
        }
        let mut left = READ;
        for (path, stat) in later {
            if !self.is_as_staged(&glance, path, &stat, &mut left)? {
                touched.insert(path);
            }
        }
        let mut touched: Vec<String> = touched.into_iter().map(name::to_text).collect();
        if !inside.is_empty() {
            touched.extend(inside);
            touched.sort();
            touched.dedup();
        }
        Ok(Some(touched))
    }

    /// Whether a file whose state is another one has the content that the index names. Where that would take long, or
    /// git would change something of it, the answer is no.
    fn is_as_staged(&self, glance: &Glance, path: &[u8], stat: &Stat, left: &mut u64) -> Result<bool> {
        let (index, size) = (&glance.read.index, u64::from(stat.size));
        let Some(entry) = index.find(path).filter(|e| !e.intent_to_add && size <= LARGEST) else {
            return Ok(false);
        };
        // A link is never read: what it leads to is another file's content.
        let plain = matches!(entry.mode, 0o100_644 | 0o100_755);
        if !plain || glance.root.look(path)? != Seen::File(*stat, entry.mode) {
            return Ok(false);
        }
        let Some(rest) = left.checked_sub(size) else {
            return Ok(false);
        };
        *left = rest;
        let root = self.repo.work_tree()?;
        let text = content(&root.join(OsStr::from_bytes(path)));
        Ok(text.is_some_and(|text| object_id("blob", &text, self.width()) == index.oid(entry)))
    }
}
