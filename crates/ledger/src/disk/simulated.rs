//! Operations that fail when a test asks for it, and what has reached the disk, per thread.

use super::Op;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A write is cut short, and the next one finds the disk full; other operations find it full at once.
    Full,
    /// The device does not answer.
    Device,
    /// A signal came in between; only reads and writes let the caller see that.
    Interrupted,
    /// From here on nothing is done any more: the process is gone.
    Stopped,
    /// As `Stopped`, after half of what was to be written.
    StoppedHalfway,
}

pub(crate) const FAILURES: [Failure; 5] = [
    Failure::Full,
    Failure::Device,
    Failure::Interrupted,
    Failure::Stopped,
    Failure::StoppedHalfway,
];

#[derive(Default)]
struct Plan {
    /// Operations so far.
    count: u64,
    /// Which one fails, and how.
    failing: Option<(u64, Failure)>,
    hit: Option<Op>,
    stopped: bool,
    full: bool,
    /// Synced length by inode.
    synced: HashMap<u64, u64>,
    /// Paths whose entry in their folder has reached the disk.
    listed: BTreeSet<PathBuf>,
}

thread_local! {
    static PLAN: RefCell<Plan> = RefCell::default();
}

/// Begins anew: the operation number `n` (from 1) of this thread fails; 0: none.
pub(crate) fn arm(n: u64, failure: Failure) {
    PLAN.with_borrow_mut(|plan| {
        plan.count = 0;
        plan.failing = (n > 0).then_some((n, failure));
        plan.hit = None;
        plan.stopped = false;
        plan.full = false;
    });
}

/// Nothing fails any more. Gives the operation that did, if it came to that.
pub(crate) fn disarm() -> Option<Op> {
    PLAN.with_borrow_mut(|plan| {
        plan.failing = None;
        plan.stopped = false;
        plan.full = false;
        plan.hit.take()
    })
}

/// Forgets what has reached the disk.
pub(crate) fn forget() {
    PLAN.with_borrow_mut(|plan| *plan = Plan::default());
}

fn gone() -> io::Error {
    io::Error::other("the process is gone")
}

pub(super) fn step(op: Op) -> io::Result<usize> {
    PLAN.with_borrow_mut(|plan| {
        if plan.stopped {
            return Err(gone());
        }
        if plan.full && op == Op::Write {
            plan.full = false;
            return Err(io::ErrorKind::StorageFull.into());
        }
        plan.count += 1;
        let Some((n, failure)) = plan.failing else {
            return Ok(usize::MAX);
        };
        if plan.count != n {
            return Ok(usize::MAX);
        }
        plan.hit = Some(op);
        match (failure, op) {
            (Failure::Full, Op::Write) => {
                plan.full = true;
                Ok(7)
            }
            (Failure::Full, Op::Open | Op::MakeFolder | Op::Rename | Op::Sync | Op::SyncFolder) => {
                Err(io::ErrorKind::StorageFull.into())
            }
            (Failure::Device, _) => Err(io::Error::from_raw_os_error(5)),
            (Failure::Interrupted, Op::Read | Op::Write) => Err(io::ErrorKind::Interrupted.into()),
            (Failure::Stopped, _) => {
                plan.stopped = true;
                Err(gone())
            }
            (Failure::StoppedHalfway, Op::Write) => {
                plan.stopped = true;
                Ok(40)
            }
            (Failure::StoppedHalfway, _) => {
                plan.stopped = true;
                Err(gone())
            }
            // A full disk does not hinder reading, and other calls repeat themselves after a signal.
            (Failure::Full | Failure::Interrupted, _) => Ok(usize::MAX),
        }
    })
}

pub(super) fn synced(file: &File) {
    if let Ok(meta) = file.metadata() {
        PLAN.with_borrow_mut(|plan| plan.synced.insert(meta.ino(), meta.len()));
    }
}

pub(super) fn folder_synced(dir: &Path) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    PLAN.with_borrow_mut(|plan| plan.listed.extend(entries.map(|e| e.path())));
}

/// What stands below `root` after the power went: files without a synced entry may be gone, and what was
/// not synced of a file may be missing or anything. `dice` decides.
pub(crate) fn lose_power(root: &Path, dice: &mut impl FnMut(u64) -> u64) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let meta = entry.metadata().unwrap();
            let listed = PLAN.with_borrow(|plan| plan.listed.contains(&path));
            if !listed && dice(2) == 0 {
                let _ = if meta.is_dir() {
                    fs::remove_dir_all(&path)
                } else {
                    fs::remove_file(&path)
                };
                continue;
            }
            if meta.is_dir() {
                folders.push(path);
                continue;
            }
            let safe = PLAN.with_borrow(|plan| plan.synced.get(&meta.ino()).copied().unwrap_or(0));
            let mut bytes = fs::read(&path).unwrap();
            let from = usize::try_from(safe).unwrap().min(bytes.len());
            let loose = (bytes.len() - from) as u64;
            match dice(4) {
                0 => {}
                1 => bytes.truncate(from + usize::try_from(dice(loose + 1)).unwrap()),
                2 => bytes[from..].fill(0),
                _ => {
                    let at = from + usize::try_from(dice(loose + 1)).unwrap();
                    bytes[at.min(meta.len() as usize)..].fill(0);
                }
            }
            fs::write(&path, bytes).unwrap();
        }
    }
}
