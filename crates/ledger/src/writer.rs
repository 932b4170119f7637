//! Appending to a writer's log.

use crate::disk;
use crate::journal::unreadable;
use crate::record::{Link, encode};
use crate::segment::{self, LogFile};
use crate::store::{failed, make_dir, private_file};
use crate::{Draft, Position, Reader, Store, lock};
use proctor_kernel::{Digest, Error, ErrorKind, Id, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How safe an appended record is when the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It survives the end of this process, not a power failure.
    Buffered,
    /// It survives a power failure (`fdatasync`).
    Synced,
}

/// Where a record went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Its id.
    pub id: Id,
    /// Its number in the writer's log, from 1.
    pub seq: u64,
    /// The segment's number.
    pub segment: u32,
    /// Byte offset of its line in the segment.
    pub offset: u64,
    /// Bytes of its line, with the line end.
    pub bytes: u64,
}

/// How a writer writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Longest wait for the writer's lock.
    pub wait: Duration,
    /// Size in bytes at which a new segment is begun.
    pub segment_size: u64,
}

/// Appends records to one writer's log. Any number of processes may do so at once.
#[derive(Clone, Debug)]
pub struct Writer {
    pub(crate) dir: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) name: String,
    options: Options,
}

impl Writer {
    pub(crate) fn new(store: &Store, name: String) -> Self {
        Self {
            dir: store.root().join("log").join(&name),
            root: store.root().to_owned(),
            name,
            options: Options {
                wait: store.wait,
                segment_size: store.segment_size,
            },
        }
    }

    /// The name of the writer's folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Appends one record.
    ///
    /// # Errors
    /// Kind `store` when the lock is not free in time or the log cannot be written; the log then ends
    /// as it did before. Kind `input` when the record is too long.
    pub fn append(&self, draft: &Draft, durability: Durability) -> Result<Appended> {
        let mut appended = self.append_all(std::slice::from_ref(draft), durability)?;
        appended
            .pop()
            .ok_or_else(|| Error::new(ErrorKind::Internal, "one draft gave no record"))
    }

    /// Appends records with one write: all of them or none.
    ///
    /// # Errors
    /// As [`Writer::append`].
    pub fn append_all(&self, drafts: &[Draft], durability: Durability) -> Result<Vec<Appended>> {
        if drafts.is_empty() {
            return Ok(Vec::new());
        }
        let mut locked = self.lock(0)?;
        let link = locked.last_link()?;
        Ok(locked.append(drafts, link, durability)?.records)
    }

    /// Takes the writer's lock and opens its newest segment; `hint` as for [`segment::newest`].
    pub(crate) fn lock(&self, hint: u32) -> Result<Locked<'_>> {
        let path = self.dir.join("lock");
        let lock = match lock::take(&path, self.options.wait) {
            // Where the folder is missing; another process may make it meanwhile, so it is not asked whether it is.
            Err(error) if lock::is_homeless(&error) => {
                make_dir(&self.dir)?;
                lock::take(&path, self.options.wait)?
            }
            other => other?,
        };
        let number = segment::newest(&self.dir, hint)
            .map_err(|e| failed("list", &self.dir, e))?
            .unwrap_or(1);
        let (file, len) = self.open(number)?;
        Ok(Locked {
            writer: self,
            lock,
            number,
            file,
            len,
        })
    }

    fn open(&self, number: u32) -> Result<(File, u64)> {
        let path = segment::path(&self.dir, number);
        let mut options = private_file();
        options.read(true).append(true).create(true);
        let file = disk::open(&options, &path).map_err(|e| failed("open the log", &path, e))?;
        let len = LogFile::len(&file).map_err(|e| failed("open the log", &path, e))?;
        Ok((file, len))
    }
}

/// A writer that holds its lock.
pub(crate) struct Locked<'a> {
    writer: &'a Writer,
    lock: File,
    pub(crate) number: u32,
    file: File,
    pub(crate) len: u64,
}

/// The outcome of an append.
pub(crate) struct Batch {
    pub(crate) records: Vec<Appended>,
    /// Digests of their lines.
    pub(crate) hashes: Vec<String>,
}

impl Locked<'_> {
    /// What the next record continues. The log is looked at from behind; what follows the last line
    /// that is a record is read as readers read it, so that writers and readers always agree.
    pub(crate) fn last_link(&self) -> Result<Link> {
        let dir = &self.writer.dir;
        let mut position = Position::default();
        let found =
            segment::last_line(&self.file, self.len).map_err(|e| failed("read the log", &self.path(), e))?;
        if let Some((link, end)) = found {
            if end == self.len {
                return Ok(link);
            }
            position = Position {
                segment: self.number,
                offset: end,
                seq: link.seq,
                hash: link.hash,
            };
        } else if let Some((segment, link, end)) =
            segment::last_line_before(dir, self.number).map_err(|e| failed("read the log", dir, e))?
        {
            position = Position {
                segment,
                offset: end,
                seq: link.seq,
                hash: link.hash,
            };
        }
        let mut reader = Reader::new(dir.clone(), self.writer.name.clone(), position);
        reader.by_ref().for_each(drop);
        if let Some(problem) = reader.unreadable() {
            // Continuing something else than the last record would fork the log.
            return Err(unreadable(&self.writer.name, problem));
        }
        Ok(Link {
            seq: reader.position().seq,
            hash: reader.position().hash.clone(),
        })
    }

    /// Appends records that continue `link`.
    pub(crate) fn append(
        &mut self,
        drafts: &[Draft],
        mut link: Link,
        durability: Durability,
    ) -> Result<Batch> {
        let mut bytes = Vec::new();
        let mut records = Vec::with_capacity(drafts.len());
        let mut hashes = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let line = encode(draft, &self.writer.name, link.seq.saturating_add(1), &link.hash)?;
            link = Link {
                seq: link.seq.saturating_add(1),
                hash: Digest::of(&line).as_str().to_owned(),
            };
            hashes.push(link.hash.clone());
            records.push(Appended {
                id: draft.id.clone(),
                seq: link.seq,
                segment: 0,
                offset: bytes.len() as u64,
                bytes: line.len() as u64 + 1,
            });
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
        }
        if self.len > 0 && self.len.saturating_add(bytes.len() as u64) > self.writer.options.segment_size {
            // What stands in a closed segment is safe from then on, whatever it was written with.
            LogFile::sync(&mut self.file).map_err(|e| failed("sync the log", &self.path(), e))?;
            self.number += 1;
            (self.file, self.len) = self.writer.open(self.number)?;
        }
        let path = self.path();
        if !segment::ends_line(&self.file, self.len).map_err(|e| failed("read the log", &path, e))? {
            // The writer before us was stopped in mid-line. Glued onto that, our record would be lost too.
            bytes.insert(0, b'\n');
            for record in &mut records {
                record.offset += 1;
            }
        }
        segment::append(&mut self.file, &bytes, self.len)
            .map_err(|e| failed("append to the log", &path, e))?;
        for record in &mut records {
            record.segment = self.number;
            record.offset += self.len;
        }
        if durability == Durability::Synced
            && let Err(error) = self.sync(&path)
        {
            // Who gets an error must find nothing recorded. Whether the disk has it is not known; the next
            // record that is synced settles it.
            return Err(match self.file.truncate(self.len) {
                Ok(()) => error,
                Err(e) => error.hint(format!("what was written could not be taken back: {e}")),
            });
        }
        self.len += bytes.len() as u64;
        Ok(Batch { records, hashes })
    }

    fn path(&self) -> PathBuf {
        segment::path(&self.writer.dir, self.number)
    }

    /// Brings the segment to disk, and once per segment the folders that lead to it. The lock file
    /// holds the number of the last segment for which the folders were synced.
    fn sync(&mut self, path: &Path) -> Result<()> {
        LogFile::sync(&mut self.file).map_err(|e| failed("sync the log", path, e))?;
        let mut known = String::new();
        let read = (&self.lock)
            .seek(SeekFrom::Start(0))
            .and_then(|_| (&self.lock).take(16).read_to_string(&mut known));
        if read.is_ok() && known.trim().parse() == Ok(self.number) {
            return Ok(());
        }
        for dir in self.writer.dir.ancestors() {
            disk::sync_folder(dir).map_err(|e| failed("sync the folder", dir, e))?;
            if dir == self.writer.root {
                break;
            }
        }
        // The folder itself may be new, and the one that holds the folders of all clones. They belong to the
        // user's system: what cannot be synced there was not made by us.
        for dir in self.writer.root.ancestors().skip(1).take(2) {
            let _ = disk::sync_folder(dir);
        }
        let note = format!("{:010}\n", self.number);
        // Failing to note it only means that the folders are synced again.
        let _ = (&self.lock)
            .seek(SeekFrom::Start(0))
            .and_then(|_| (&self.lock).write_all(note.as_bytes()));
        Ok(())
    }
}
