//! Opening files that others may have put something else in the place of.

use rustix::fs::OFlags;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Opens a file for reading. What is no regular file is refused, and not waited for: opening a pipe would wait until
/// somebody writes into it.
///
/// # Errors
/// Those of the system, and one of its own where no regular file stands.
pub fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.cast_signed())
        .open(path)?;
    let meta = file.metadata()?;
    if meta.is_file() {
        Ok((file, meta))
    } else {
        Err(irregular())
    }
}

/// Whether a pipe stands there: git waits for whoever writes into one. Links are followed.
pub(crate) fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

/// Opens a file for writing, which is made when it is not there and keeps what it holds. What is no regular file is
/// refused, and not waited for.
pub(crate) fn open_to_write(path: &Path) -> io::Result<(File, Metadata)> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .custom_flags(flags.cast_signed())
        .open(path)?;
    let meta = file.metadata()?;
    if meta.is_file() {
        Ok((file, meta))
    } else {
        Err(irregular())
    }
}

/// Opens a file for reading and writing, which is made when it is not there and keeps what it holds. What is no regular
/// file is refused, and not waited for.
pub(crate) fn open_to_change(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .custom_flags(flags.cast_signed())
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(irregular())
    }
}

fn irregular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")
}

/// Writes a file anew.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (mut file, meta) = open_to_write(path)?;
    if meta.len() > 0 {
        file.set_len(0)?;
    }
    file.write_all(bytes)
}

/// Writes a file over what it held. Another one in its place would cost more (file systems write it to the disk then),
/// so whoever reads must see by the content whether it is whole.
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (mut file, meta) = open_to_write(path)?;
    file.write_all(bytes)?;
    let length = bytes.len() as u64;
    if meta.len() > length {
        file.set_len(length)?;
    }
    Ok(())
}

/// The content of a regular file that holds text; see [`open`].
///
/// # Errors
/// As [`open`], and when it is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

/// The content of a file that is a regular one; see [`open`].
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (mut file, meta) = open(path)?;
    let mut bytes = Vec::with_capacity(room(&meta, u64::MAX));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How much room to make for the content of a file of which so many bytes are read at most: without it a small file
/// is read in many small steps.
pub(crate) fn room(meta: &Metadata, most: u64) -> usize {
    // One byte more shows its end.
    usize::try_from(meta.len().min(most).min(1 << 20) + 1).unwrap_or(0)
}
