//! Comparing the files of a work tree with what git's index remembers of them, to the nanosecond and
//! without regard to the index's flags.

use super::index::{Index, KIND, LINK, Stat};
use proctor_kernel::{Error, ErrorKind, Result};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::ops::Range;
use std::path::Path;

/// How near to the moment of looking a file's last change may be for its state to tell nothing: the
/// clock of file systems stands still for up to ten milliseconds.
pub(crate) const WINDOW: i128 = 20_000_000;
/// The same where file times are kept in whole seconds.
pub(crate) const COARSE: i128 = 2_000_000_000;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Nothing,
    Folder,
    /// A file or a symbolic link, with its state and the mode that git would give it.
    File(Stat, u32),
    /// A pipe, a socket, a device.
    Special,
}

/// A moment in nanoseconds since 1970, as file times tell it.
pub(crate) fn moment(seconds: u32, nanos: u32) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(nanos)
}

/// Whether a file was left alone for long enough before a moment for its state to tell whether it is
/// changed afterwards. Goes by the change time, which no program can set.
pub(crate) fn is_settled(stat: &Stat, at: i128) -> bool {
    let window = if stat.ctime_nanos == 0 && stat.mtime_nanos == 0 {
        COARSE
    } else {
        WINDOW
    };
    moment(stat.ctime, stat.ctime_nanos) + window < at
}

/// A work tree's root, to look at paths below it.
#[derive(Debug)]
pub(crate) struct Root(OwnedFd);

impl Root {
    pub(crate) fn open(root: &Path) -> Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY;
        rustix::fs::open(root, flags, Mode::empty())
            .map(Self)
            .map_err(|e| Error::new(ErrorKind::Git, format!("cannot open {}", root.display())).because(e))
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// What stands at a path.
    pub(crate) fn look(&self, path: &[u8]) -> Result<Seen> {
        look(self.0.as_fd(), path)
    }

    /// Whether all folders above a path are folders, not links to some.
    pub(crate) fn is_inside(&self, path: &[u8]) -> Result<bool> {
        Folders::default().hold(self.0.as_fd(), path)
    }
}

/// Which entries of a part of an index have files that are not surely as it says. `at` is when it was written.
pub(crate) fn compare(
    root: BorrowedFd<'_>,
    index: &Index,
    part: Range<usize>,
    at: i128,
) -> Result<Vec<usize>> {
    let mut folders = Folders::default();
    let mut near = Near::default();
    let mut differing = Vec::new();
    for place in part {
        let Some(entry) = index.entries.get(place) else {
            break;
        };
        let path = index.path(entry);
        let same = entry.stage == 0
            && !entry.intent_to_add
            && entry.mode & KIND != LINK
            && folders.hold(root, path)?
            && match near.look(root, path)? {
                Seen::File(stat, mode) => {
                    mode == entry.mode && entry.stat.is_of(&stat) && is_settled(&entry.stat, at)
                }
                _ => false,
            };
        if !same {
            differing.push(place);
        }
    }
    Ok(differing)
}

/// Looks at files from their own folder, which is found once for all of them.
#[derive(Default)]
struct Near {
    folder: Vec<u8>,
    fd: Option<OwnedFd>,
}

impl Near {
    fn look(&mut self, root: BorrowedFd<'_>, path: &[u8]) -> Result<Seen> {
        let Some(end) = path.iter().rposition(|b| *b == b'/') else {
            return look(root, path);
        };
        let (folder, name) = path.split_at(end);
        if self.folder != folder {
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
            self.fd = rustix::fs::openat(root, folder, flags, Mode::empty()).ok();
            self.folder.clear();
            self.folder.extend_from_slice(folder);
        }
        let near = self
            .fd
            .as_ref()
            .map(|fd| look(fd.as_fd(), name.get(1..).unwrap_or_default()));
        match near {
            Some(Ok(seen)) => Ok(seen),
            // With the whole path in what is said of it.
            _ => look(root, path),
        }
    }
}

/// Remembers the last folder that was looked at: neighbours in the index share it.
#[derive(Default)]
struct Folders {
    last: Vec<u8>,
    /// Length of the part of `last` that is known to consist of real folders.
    good: usize,
    bad: bool,
}

impl Folders {
    /// Whether everything above the path is a folder.
    fn hold(&mut self, root: BorrowedFd<'_>, path: &[u8]) -> Result<bool> {
        let Some(end) = path.iter().rposition(|b| *b == b'/') else {
            return Ok(true);
        };
        let folder = path.get(..end).unwrap_or_default();
        if self.last == folder {
            return Ok(!self.bad);
        }
        // Up to where the two agree, whole names only.
        let common = folder.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        let ends = |text: &[u8]| text.get(common).is_none_or(|b| *b == b'/');
        let agreed = if ends(folder) && ends(&self.last) {
            common
        } else {
            folder
                .get(..common)
                .and_then(|t| t.iter().rposition(|b| *b == b'/'))
                .unwrap_or(0)
        };
        let mut good = agreed.min(self.good);
        let mut bad = false;
        while good < folder.len() {
            let from = if good == 0 { 0 } else { good + 1 };
            let next = folder
                .get(from..)
                .and_then(|t| t.iter().position(|b| *b == b'/'))
                .map_or(folder.len(), |n| from + n);
            if look(root, folder.get(..next).unwrap_or_default())? != Seen::Folder {
                bad = true;
                break;
            }
            good = next;
        }
        self.last.clear();
        self.last.extend_from_slice(folder);
        self.good = good;
        self.bad = bad;
        Ok(!bad)
    }
}

fn look(root: BorrowedFd<'_>, path: &[u8]) -> Result<Seen> {
    let stat = match rustix::fs::statat(root, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(Seen::Nothing),
        Err(e) => {
            return Err(Error::new(
                ErrorKind::Git,
                format!("cannot look at {}", crate::name::to_text(path)),
            )
            .because(e)
            .hint("make the file and the folders above it readable"));
        }
    };
    let mode = stat.st_mode as u32;
    Ok(match mode & KIND {
        0o100_000 => Seen::File(cut(&stat), if mode & 0o100 == 0 { 0o100_644 } else { 0o100_755 }),
        0o120_000 => Seen::File(cut(&stat), 0o120_000),
        0o040_000 => Seen::Folder,
        _ => Seen::Special,
    })
}

/// Cuts the numbers to the width that git writes.
fn cut(stat: &rustix::fs::Stat) -> Stat {
    Stat {
        ctime: stat.st_ctime as u32,
        ctime_nanos: stat.st_ctime_nsec as u32,
        mtime: stat.st_mtime as u32,
        mtime_nanos: stat.st_mtime_nsec as u32,
        ino: stat.st_ino as u32,
        size: stat.st_size as u32,
    }
}
