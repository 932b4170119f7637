//! Mending: what is taken out is kept.

use super::log::last_place;
use super::{Finding, QUARANTINE};
use crate::segment::{self, LogFile};
use crate::store::{failed, make_dir, private_file};
use crate::{Store, disk, lock};
use proctor_kernel::{Error, ErrorKind, Result};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Takes what stands behind the last record of a log out of it. Without a repair only looks again under
/// the lock: a line that is finished meanwhile was being written.
pub(super) fn tail(store: &Store, name: &str, repair: Option<u64>, findings: &mut [Finding]) {
    let how = "what stands behind the last record is set aside";
    match repair {
        None => {
            for finding in findings {
                finding.repair = Some(how.to_owned());
            }
        }
        Some(millis) => {
            let done = cut(store, name, millis);
            for finding in findings {
                match &done {
                    Ok(Some(to)) => {
                        finding.repair = Some(format!("{how}: {to}"));
                        finding.repaired = true;
                    }
                    Ok(None) => finding.repair = Some("look again: the log goes on behind it".to_owned()),
                    Err(error) => finding.repair = Some(format!("failed: {error}")),
                }
            }
        }
    }
}

/// Cuts the newest segment behind its last record; gives the name of what was cut off.
fn cut(store: &Store, name: &str, millis: u64) -> Result<Option<String>> {
    let dir = store.root().join("log").join(name);
    let _lock = lock::take(&dir.join("lock"), store.wait)?;
    let Some(number) = segment::newest(&dir, 0).map_err(|e| failed("list", &dir, e))? else {
        return Ok(None);
    };
    let path = segment::path(&dir, number);
    let doing = |e| failed("mend", &path, e);
    let mut file = private_file()
        .read(true)
        .append(true)
        .open(&path)
        .map_err(doing)?;
    let len = LogFile::len(&file).map_err(doing)?;
    let end = segment::last_line(&file, len)
        .map_err(doing)?
        .map_or(0, |(_, end)| end);
    // A record on a line with garbage is found only by reading; then nothing is cut.
    let (segment, offset) = last_place(&mut store.reader(name));
    if end >= len || (segment == number && offset >= end && end > 0) || (segment == number && end == 0) {
        return Ok(None);
    }
    let to = set_aside_name(store, millis, &format!("log/{name}/{number:06}.jsonl@{end}"));
    let copy = |target: &Path| -> io::Result<()> {
        let mut from = disk::open(OpenOptions::new().read(true), &path)?;
        from.seek(SeekFrom::Start(end))?;
        let mut to = private_file().write(true).create_new(true).open(target)?;
        io::copy(&mut from.take(len - end), &mut to)?;
        to.sync_all()
    };
    make_dir(&store.root().join(QUARANTINE))?;
    copy(&to).map_err(|e| failed("set aside", &to, e))?;
    file.truncate(end).map_err(doing)?;
    LogFile::sync(&mut file).map_err(doing)?;
    Ok(Some(relative(store, &to)))
}

/// Moves a file into the quarantine; gives its new name.
pub(super) fn set_aside(store: &Store, file: &str, millis: u64) -> Result<String> {
    make_dir(&store.root().join(QUARANTINE))?;
    let to = set_aside_name(store, millis, file);
    let from = store.root().join(file);
    fs::rename(&from, &to).map_err(|e| failed("set aside", &from, e))?;
    Ok(relative(store, &to))
}

/// Moves a file away if asked to, and notes in the finding what was or would be done.
pub(super) fn moved(store: &Store, repair: Option<u64>, how: &str, finding: Finding) -> Finding {
    let Some(millis) = repair else {
        return finding.mendable(how);
    };
    match set_aside(store, &finding.file, millis) {
        Ok(to) => finding.mended(format!("{how}: {to}")),
        Err(error) => finding.mendable(&format!("failed: {error}")),
    }
}

/// A name in the quarantine that is free.
fn set_aside_name(store: &Store, millis: u64, file: &str) -> PathBuf {
    let flat: String = file
        .chars()
        .map(|c| if matches!(c, '/' | '\\' | ':') { '+' } else { c })
        .collect();
    let dir = store.root().join(QUARANTINE);
    let mut path = dir.join(format!("{millis}-{flat}"));
    let mut count = 2;
    while path.symlink_metadata().is_ok() {
        path = dir.join(format!("{millis}-{count}-{flat}"));
        count += 1;
    }
    path
}

fn relative(store: &Store, path: &Path) -> String {
    let below = path.strip_prefix(store.root()).unwrap_or(path);
    below.to_string_lossy().into_owned()
}

/// Reads a file of bounded size.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = disk::open(OpenOptions::new().read(true), path).map_err(|e| failed("read", path, e))?;
    let mut bytes = Vec::new();
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| failed("read", path, e))?;
    if bytes.len() as u64 > most {
        return Err(Error::new(
            ErrorKind::Store,
            format!("{} is larger than {most} bytes", path.display()),
        ));
    }
    Ok(bytes)
}
