//! Keeping the cache small, in bounded time: this happens while a host waits for its end.

use super::Trees;
use crate::file;
use proctor_kernel::Result;
use std::fs;
use std::io;
use std::path::Path;

/// Most files that are looked at: a cache of more is too large, whatever their size.
const LOOKED_AT: u64 = 100_000;
/// Most files that are removed at once; the rest goes the next time.
const REMOVED: u64 = 20_000;
/// The folder into which objects are put that are to be removed.
const GONE: &str = "objects.gone";

impl Trees<'_> {
    /// Empties the cache when it holds more than this many bytes, or very many files, unless somebody is using it.
    /// Ids stay what they are and are computed anew when asked for; the differences of trees that are nowhere else
    /// can no longer be shown. Gives the bytes that were seen of what is let go; 0 when nothing is.
    ///
    /// # Errors
    /// Kind `store` when the cache cannot be read or emptied.
    pub fn prune(&self, limit: u64) -> Result<u64> {
        let unwritable = |e| self.unwritable(e);
        let gone_for = self.cache.join(GONE);
        if gone_for.is_dir() {
            remove_some(&gone_for, &mut { REMOVED }).map_err(unwritable)?;
        }
        let size = size_of(&self.cache, limit).map_err(unwritable)?;
        if size <= limit {
            return Ok(0);
        }
        // Whoever computes a tree holds the lock of its place; all of them are taken first.
        let mut locks = Vec::new();
        let mut places = Vec::new();
        for entry in fs::read_dir(&self.cache).map_err(unwritable)? {
            let path = entry.map_err(unwritable)?.path();
            let Ok((lock, _)) = file::open(&path.join("lock")) else {
                continue;
            };
            if lock.try_lock().is_err() {
                return Ok(0);
            }
            locks.push(lock);
            places.push(path);
        }
        for place in places {
            for entry in fs::read_dir(&place).map_err(unwritable)?.flatten() {
                if entry.file_name() != "lock" {
                    gone(fs::remove_file(entry.path())).map_err(unwritable)?;
                }
            }
        }
        // Out of the way at once, and removed as far as time allows.
        if gone_for.is_dir() {
            let mut left = REMOVED;
            remove_some(&self.objects(), &mut left).map_err(unwritable)?;
        } else {
            gone(fs::rename(self.objects(), &gone_for)).map_err(unwritable)?;
            remove_some(&gone_for, &mut { REMOVED }).map_err(unwritable)?;
        }
        self.ready()?;
        drop(locks);
        Ok(size)
    }
}

fn gone(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Removes a folder, or so many files of it.
fn remove_some(folder: &Path, left: &mut u64) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if *left == 0 {
            return Ok(());
        }
        if entry.file_type()?.is_dir() {
            remove_some(&entry.path(), left)?;
        } else {
            *left -= 1;
            gone(fs::remove_file(entry.path()))?;
        }
    }
    if *left > 0 {
        gone(fs::remove_dir(folder))?;
    }
    Ok(())
}

/// The bytes of all files below a folder, or more than the limit when there is no need to count on. Nothing when it
/// is not there.
fn size_of(folder: &Path, limit: u64) -> io::Result<u64> {
    let mut total = 0;
    let mut files = 0;
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            Err(e) => return Err(e),
        };
        for entry in entries {
            let entry = entry?;
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                open.push(entry.path());
                continue;
            }
            total += meta.len();
            files += 1;
            if files > LOOKED_AT {
                return Ok(total.max(limit.saturating_add(1)));
            }
            if total > limit {
                return Ok(total);
            }
        }
    }
    Ok(total)
}
