//! Segment files: naming, appending without leaving half a line, and finding the last good line.

use crate::disk;
use crate::record::{Link, MAX_RECORD, link_of, trimmed};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What appending needs of a file; a trait so that tests can let every single step fail.
pub(crate) trait LogFile {
    fn len(&self) -> io::Result<u64>;
    /// Reads at most `buffer.len()` bytes from `offset`.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    /// One write at the end; may be short.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    fn truncate(&mut self, len: u64) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
}

impl LogFile for File {
    fn len(&self) -> io::Result<u64> {
        disk::length(self)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        disk::read_at(self, buffer, offset)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        disk::write(self, bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        disk::truncate(self, len)
    }

    fn sync(&mut self) -> io::Result<()> {
        disk::sync(self)
    }
}

/// Appends `bytes` to a file of `len` bytes whole or not at all.
///
/// A full disk makes a write short without an error; the rest is then taken back, so that the file
/// ends as it did before.
pub(crate) fn append<F: LogFile>(file: &mut F, bytes: &[u8], len: u64) -> io::Result<()> {
    let result = loop {
        match file.write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => break other,
        }
    };
    let error = match result {
        Ok(n) if n == bytes.len() => return Ok(()),
        Ok(n) => io::Error::new(
            io::ErrorKind::StorageFull,
            format!("only {n} of {} bytes were written", bytes.len()),
        ),
        Err(e) => e,
    };
    match file.truncate(len) {
        Ok(()) => Err(error),
        Err(e) => Err(io::Error::new(
            error.kind(),
            format!("{error}; the rest could not be taken back: {e}"),
        )),
    }
}

/// Whether the file's first `len` bytes end in a line end (or are none).
pub(crate) fn ends_line<F: LogFile>(file: &F, len: u64) -> io::Result<bool> {
    let Some(last) = len.checked_sub(1) else {
        return Ok(true);
    };
    let mut byte = [0_u8];
    Ok(read_full(file, &mut byte, last)? == 1 && byte == *b"\n")
}

/// The last line in the file's first `len` bytes that is a record: its link, and where it ends. Lines
/// that are no records are stepped over. Time and memory are linear in what is stepped over.
pub(crate) fn last_line<F: LogFile>(file: &F, len: u64) -> io::Result<Option<(Link, u64)>> {
    // Bytes from `start` are in `buffer`; lines that begin at or after `seen` were looked at.
    let mut window: u64 = 4096;
    let mut seen = len;
    loop {
        let start = len.saturating_sub(window);
        let mut buffer = vec![0_u8; usize::try_from(seen - start).unwrap_or(usize::MAX)];
        let read = read_full(file, &mut buffer, start)?;
        buffer.truncate(read);
        let mut end = buffer.len();
        while end > 0 {
            let upto = buffer.get(..end).unwrap_or_default();
            // A line end at the very end belongs to the line before it.
            let body = upto.strip_suffix(b"\n").unwrap_or(upto);
            let begin = match body.iter().rposition(|b| *b == b'\n') {
                Some(newline) => newline + 1,
                None if start == 0 => 0,
                None => break,
            };
            if let Some(link) = body.get(begin..).and_then(|line| link_of(trimmed(line))) {
                return Ok(Some((link, start + end as u64)));
            }
            end = begin;
        }
        if start == 0 {
            return Ok(None);
        }
        seen = start + end as u64;
        if seen - start > MAX_RECORD as u64 + 2 {
            // No record is that long: forget the end of this line, keep looking for its beginning.
            seen = start;
        }
        window = window.saturating_mul(4).max(len - start + 4096);
    }
}

/// The last line of the segments before `below` that is a record: the segment's number, the line's link, and where it
/// ends.
pub(crate) fn last_line_before(dir: &Path, below: u32) -> io::Result<Option<(u32, Link, u64)>> {
    for number in list(dir)?.into_iter().rev().filter(|n| *n < below) {
        let look = || {
            let file = disk::read_only(&path(dir, number))?.0;
            let len = LogFile::len(&file)?;
            last_line(&file, len)
        };
        let found =
            look().map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path(dir, number).display())))?;
        if let Some((link, end)) = found {
            return Ok(Some((number, link, end)));
        }
    }
    Ok(None)
}

fn read_full<F: LogFile>(file: &F, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, offset + done as u64) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(done)
}

/// Path of a segment.
pub(crate) fn path(dir: &Path, number: u32) -> PathBuf {
    dir.join(format!("{number:06}.jsonl"))
}

/// The numbers of a writer's segments in order; none when the folder does not exist.
pub(crate) fn list(dir: &Path) -> io::Result<Vec<u32>> {
    let entries = match disk::list(dir) {
        Ok(entries) => entries,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(e) => return Err(e),
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let Some(digits) = name.to_str().and_then(|n| n.strip_suffix(".jsonl")) else {
            continue;
        };
        if digits.len() >= 6
            && digits.bytes().all(|b| b.is_ascii_digit())
            && let Ok(number) = digits.parse()
            && number > 0
            // A name with more zeros stands for no segment of ours, and must not hide one.
            && format!("{number:06}") == digits
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// The newest segment, given that `hint` was it not long ago (0: not known).
pub(crate) fn newest(dir: &Path, hint: u32) -> io::Result<Option<u32>> {
    if hint > 0 && path(dir, hint).is_file() {
        let mut number = hint;
        while path(dir, number.saturating_add(1)).is_file() && number < u32::MAX {
            number += 1;
        }
        return Ok(Some(number));
    }
    Ok(list(dir)?.last().copied())
}
