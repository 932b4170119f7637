//! Keeping the cache small.

use super::Trees;
use proctor_kernel::Result;
use std::fs::{self, File};
use std::io;
use std::path::Path;

impl Trees<'_> {
    /// Empties the cache when it holds more than this many bytes, unless somebody is using it. Ids stay
    /// what they are and are computed anew when asked for; the differences of trees that are nowhere else
    /// can no longer be shown. Gives the bytes that were freed.
    ///
    /// # Errors
    /// Kind `store` when the cache cannot be read or emptied.
    pub fn prune(&self, limit: u64) -> Result<u64> {
        let size = size_of(&self.cache).map_err(|e| self.unwritable(e))?;
        if size <= limit {
            return Ok(0);
        }
        // Whoever computes a tree holds the lock of its place; all of them are taken first.
        let mut locks = Vec::new();
        let mut places = Vec::new();
        for entry in fs::read_dir(&self.cache).map_err(|e| self.unwritable(e))? {
            let path = entry.map_err(|e| self.unwritable(e))?.path();
            let Ok(lock) = File::open(path.join("lock")) else {
                continue;
            };
            if lock.try_lock().is_err() {
                return Ok(0);
            }
            locks.push(lock);
            places.push(path);
        }
        for place in places {
            for entry in fs::read_dir(&place).map_err(|e| self.unwritable(e))?.flatten() {
                if entry.file_name() != "lock" {
                    gone(fs::remove_file(entry.path())).map_err(|e| self.unwritable(e))?;
                }
            }
        }
        gone(fs::remove_dir_all(self.objects())).map_err(|e| self.unwritable(e))?;
        self.ready()?;
        drop(locks);
        let left = size_of(&self.cache).map_err(|e| self.unwritable(e))?;
        Ok(size.saturating_sub(left))
    }
}

fn gone(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// The bytes of all files below a folder; nothing when it is not there.
fn size_of(folder: &Path) -> io::Result<u64> {
    let mut total = 0;
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
            } else {
                total += meta.len();
            }
        }
    }
    Ok(total)
}
