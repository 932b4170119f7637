//! Bounded waiting for a file lock.

use crate::disk;
use crate::store::{failed, private_file};
use proctor_kernel::{Error, ErrorKind, Result};
use std::error::Error as _;
use std::fmt;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Takes the exclusive lock of a lock file, which is created if it is missing; held until the file
/// is dropped.
///
/// # Errors
/// Kind `store` when the file cannot be made or the lock is not free within `wait`.
pub(crate) fn take(path: &Path, wait: Duration) -> Result<File> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(100);
    loop {
        let mut options = private_file();
        options.read(true).write(true).create(true).truncate(false);
        let file = disk::open(&options, path).map_err(|e| failed("open the lock file", path, e))?;
        loop {
            match disk::try_lock(&file) {
                Ok(()) if is_current(&file) => return Ok(file),
                // Somebody removed the folder while we waited: this lock protects nothing.
                Ok(()) => break,
                Err(TryLockError::Error(e)) => return Err(failed("lock", path, e)),
                Err(TryLockError::WouldBlock) => {}
            }
            if start.elapsed() >= wait {
                return Err(Error::new(
                    ErrorKind::Store,
                    format!("{} is locked by another process", path.display()),
                )
                .because(Busy(wait))
                .hint("another proctor process is writing, or hangs; look for it with `ps`"));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}

/// A lock was not free in time.
#[derive(Debug)]
struct Busy(Duration);

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not free within {} ms", self.0.as_millis())
    }
}

impl std::error::Error for Busy {}

/// Whether nothing could be written because another process was writing for longer than anybody waits: what was to be
/// written is missing, and the next attempt may well succeed.
#[must_use]
pub fn is_busy(error: &Error) -> bool {
    error.source().is_some_and(|cause| cause.is::<Busy>())
}

/// Whether a lock could not be taken because there is no folder for its file.
pub(crate) fn is_homeless(error: &Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|e| matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
}

#[cfg(unix)]
fn is_current(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|m| m.nlink() > 0)
}

#[cfg(not(unix))]
fn is_current(_file: &File) -> bool {
    true
}
