//! A log with its folded state: what a hook process loads, and how it changes it.

use crate::disk;
use crate::reader::{Position, Reader};
use crate::record::{Link, is_sealed, seal};
use crate::segment::{self, LogFile};
use crate::store::{failed, make_dir, private_file};
use crate::writer::Locked;
use crate::{Appended, Draft, Durability, Flaw, Problem, Record, Store, Writer};
use proctor_kernel::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Largest snapshot that is loaded, in bytes; beyond it the log is folded again.
const LARGEST: u64 = 64 << 20;

/// A state that is nothing but the sum of a log's records.
///
/// **Invariant:** `apply` depends on the state and the record alone, so that any process that folds
/// the same records comes to the same state. It is total: a record that it does not know, or that has
/// another form, changes nothing.
pub trait Fold: Serialize + DeserializeOwned + Default {
    /// To be raised whenever the state's form or the meaning of a record changes; snapshots of another
    /// version are not used, the log is folded again.
    const VERSION: u32;

    /// Adds one record.
    fn apply(&mut self, record: &Record);

    /// Kind and body of the record that is written in front of the next one when `problems` of the log, which ends at
    /// `end`, mean that records are lost, and the state does not know of it yet. So what is lost stays on record although
    /// the next snapshot covers it up.
    fn loss(&self, problems: &[Problem], end: &Position) -> Option<(&'static str, serde_json::Value)> {
        let _ = (problems, end);
        None
    }
}

/// Why a state was folded from the beginning of the log although there is a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuilt {
    /// There is no snapshot.
    Missing,
    /// The snapshot is damaged, of another version, or cannot be read.
    Unusable,
    /// The log is shorter than it was at the snapshot, or another one. Reported as a problem too.
    Rewritten,
}

/// What a commit did.
#[derive(Debug)]
pub struct Committed {
    /// Where the records went, in the order of the drafts.
    pub records: Vec<Appended>,
    /// How many records of other processes were folded in before.
    pub caught_up: u64,
    /// Why the snapshot could not be written. The records are safe all the same: the next process
    /// folds them from the log.
    pub snapshot_error: Option<Error>,
}

/// A writer's log with its folded state. Cheap to open: a snapshot is loaded and only records after
/// it are read. Several processes may hold journals of one log; no record and no change is lost.
#[derive(Debug)]
pub struct Journal<T: Fold> {
    writer: Writer,
    snapshot: PathBuf,
    state: T,
    position: Position,
    problems: Vec<Problem>,
    rebuilt: Option<Rebuilt>,
}

impl<T: Fold> Journal<T> {
    pub(crate) fn open(store: &Store, name: String) -> Result<Self> {
        let snapshot = store.root().join("sessions").join(format!("{name}.json"));
        let writer = Writer::new(store, name);
        let mut journal = Self {
            writer,
            snapshot,
            state: T::default(),
            position: Position::default(),
            problems: Vec::new(),
            rebuilt: None,
        };
        match load(&journal.snapshot, &journal.writer.name) {
            Loaded::Good(state, position) => {
                journal.state = state;
                journal.position = position;
                if !journal.is_current() || !journal.holds()? {
                    journal.catch_up()?;
                }
                return Ok(journal);
            }
            Loaded::Missing => journal.rebuilt = Some(Rebuilt::Missing),
            Loaded::Unusable => journal.rebuilt = Some(Rebuilt::Unusable),
        }
        journal.catch_up()?;
        let nothing = journal.position == Position::start_of(journal.position.segment);
        if nothing && journal.rebuilt == Some(Rebuilt::Missing) {
            journal.rebuilt = None; // Nothing was there, so nothing was missing.
        }
        Ok(journal)
    }

    /// The state after the last record that was read or committed.
    #[must_use]
    pub fn state(&self) -> &T {
        &self.state
    }

    /// The name of the log's folder.
    #[must_use]
    pub fn name(&self) -> &str {
        self.writer.name()
    }

    /// Where the state stands in the log.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What was found wrong with the part of the log that was read.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Why the state had to be folded from the beginning of the log, if it had to.
    #[must_use]
    pub fn rebuilt(&self) -> Option<Rebuilt> {
        self.rebuilt
    }

    /// Folds in what other processes have appended meanwhile, and tells how many records that were.
    ///
    /// # Errors
    /// Kind `store` when the log is there but cannot be read.
    pub fn refresh(&mut self) -> Result<u64> {
        if self.is_current() { Ok(0) } else { self.catch_up() }
    }

    /// Whether nothing was appended since, as far as lengths tell.
    fn is_current(&self) -> bool {
        let Position { segment, offset, .. } = self.position;
        segment > 0
            && segment::path(&self.writer.dir, segment)
                .metadata()
                .is_ok_and(|m| m.len() == offset)
            && !segment::path(&self.writer.dir, segment.saturating_add(1)).exists()
    }

    /// Appends records and folds them in, together with those that other processes have appended
    /// meanwhile; then writes the snapshot. The drafts must not depend on the state, other than as
    /// "this happened": where they do, use [`Journal::transact`].
    ///
    /// # Errors
    /// Kind `store` when the lock is not free in time or the log cannot be written: then nothing was
    /// recorded. Kind `input` when a record is too long.
    pub fn commit(&mut self, drafts: Vec<Draft>, durability: Durability) -> Result<Committed> {
        self.transact(durability, |_| Ok(drafts))
    }

    /// Like [`Journal::commit`], but the drafts are made under the lock from the newest state. Other
    /// processes of the same log wait meanwhile, so `decide` must be short.
    ///
    /// # Errors
    /// As [`Journal::commit`], and what `decide` returns; then nothing was recorded.
    pub fn transact(
        &mut self,
        durability: Durability,
        decide: impl FnOnce(&T) -> Result<Vec<Draft>>,
    ) -> Result<Committed> {
        let writer = self.writer.clone();
        let mut locked = writer.lock(self.position.segment)?;
        let caught_up = self.follow(&locked)?;
        let mut drafts = decide(&self.state)?;
        let loss = self.state.loss(&self.problems, &self.position);
        let told = match (drafts.first(), &loss) {
            (Some(first), Some((kind, body))) => {
                drafts.insert(0, first.beside(kind, body)?);
                true
            }
            _ => false,
        };
        let mut link = Link {
            seq: self.position.seq,
            hash: self.position.hash.clone(),
        };
        let mut records = Vec::new();
        if !drafts.is_empty() {
            let batch = locked.append(&drafts, link.clone(), durability)?;
            for ((draft, appended), hash) in drafts.into_iter().zip(&batch.records).zip(batch.hashes) {
                let record = Record {
                    id: draft.id,
                    millis: draft.stamp.millis,
                    writer: writer.name.clone(),
                    seq: appended.seq,
                    prev: std::mem::replace(&mut link.hash, hash.clone()),
                    kind: draft.kind,
                    test: draft.stamp.test,
                    hash,
                    linked: true,
                    segment: appended.segment,
                    offset: appended.offset,
                    body: draft.body,
                };
                self.state.apply(&record);
                link.seq = record.seq;
            }
            records = batch.records;
            if told {
                records.remove(0);
            }
            self.position = Position {
                segment: locked.number,
                offset: locked.len,
                seq: link.seq,
                hash: link.hash,
            };
        }
        // A snapshot must not cover up a loss that nothing keeps.
        let unkept = loss.is_some() && !told;
        let snapshot_error = if records.is_empty() && (caught_up == 0 || unkept) {
            None
        } else {
            self.save().err()
        };
        Ok(Committed {
            records,
            caught_up,
            snapshot_error,
        })
    }

    /// Brings the state to the end of the locked log.
    fn follow(&mut self, locked: &Locked<'_>) -> Result<u64> {
        let at_end = locked.number == self.position.segment && locked.len == self.position.offset;
        let nothing = self.position.segment == 0 && locked.number == 1 && locked.len == 0;
        if at_end || nothing {
            self.forget_unfinished();
            return Ok(0);
        }
        self.catch_up()
    }

    /// Forgets a last line that was not finished when it was met: another process was writing it perhaps. It lies behind
    /// the position, so whoever reads on from there meets it again if it is still so.
    fn forget_unfinished(&mut self) {
        self.problems.retain(|p| p.flaw != Flaw::Unfinished);
    }

    fn rewritten(&mut self, position: &Position) {
        self.rebuilt = Some(Rebuilt::Rewritten);
        self.problems.push(Problem {
            segment: position.segment,
            offset: position.offset,
            flaw: Flaw::Rewritten,
        });
    }

    fn holds(&self) -> Result<bool> {
        let path = || segment::path(&self.writer.dir, self.position.segment);
        holds(&self.writer.dir, &self.writer.name, &self.position)
            .map_err(|e| failed("read the log", &path(), e))
    }

    /// Reads from the position to the end; from the beginning, if the log is not what it was.
    fn catch_up(&mut self) -> Result<u64> {
        if !self.holds()? {
            let position = std::mem::take(&mut self.position);
            self.state = T::default();
            self.rewritten(&position);
        }
        self.forget_unfinished();
        let mut reader = Reader::new(
            self.writer.dir.clone(),
            self.writer.name.clone(),
            self.position.clone(),
        );
        let mut count = 0;
        for record in reader.by_ref() {
            self.state.apply(&record);
            count += 1;
        }
        if let Some(problem) = reader.unreadable() {
            // A state that lacks some records is worse than none.
            self.state = T::default();
            self.position = Position::default();
            return Err(unreadable(&self.writer.name, problem));
        }
        self.position.clone_from(reader.position());
        if let Some(problem) = reader.overwritten().filter(|p| !self.problems.contains(p)) {
            self.problems.push(problem.clone());
        }
        for problem in reader.problems() {
            if !self.problems.contains(problem) {
                self.problems.push(problem.clone());
            }
        }
        Ok(count)
    }

    /// Writes the snapshot, under the lock.
    ///
    /// In place, with blanks up to the old length: replacing the file by a rename makes ext4 start
    /// writing it to disk (140 µs and, once in a hundred, 4 ms, against 3 µs). A snapshot that was
    /// torn by a crash fails its checksum and is made anew from the log.
    fn save(&self) -> Result<()> {
        let internal = |e| Error::new(ErrorKind::Internal, "cannot write a snapshot as JSON").because(e);
        let snapshot = Snapshot {
            v: 1,
            fold: T::VERSION,
            w: self.writer.name.clone(),
            at: self.position.clone(),
            state: &self.state,
        };
        let mut text = serde_json::to_string(&snapshot).map_err(internal)?;
        text.pop();
        seal(&mut text);
        let mut options = private_file();
        options.write(true).create(true).truncate(false);
        let open = || disk::open(&options, &self.snapshot);
        let file = match open() {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                if let Some(parent) = self.snapshot.parent() {
                    make_dir(parent)?;
                }
                open()
            }
            other => other,
        };
        let write = |file: File| -> io::Result<()> {
            let old = usize::try_from(LogFile::len(&file)?).unwrap_or(usize::MAX);
            let rounded = (text.len() + 1).next_multiple_of(1024);
            let spacious = old > rounded.saturating_mul(4) + (64 << 10);
            let size = if spacious { rounded } else { old.max(rounded) };
            text.push_str(&" ".repeat(size - text.len() - 1));
            text.push('\n');
            disk::write_all(&file, text.as_bytes())?;
            if spacious {
                disk::truncate(&file, size as u64)
            } else {
                Ok(())
            }
        };
        file.and_then(write)
            .map_err(|e| failed("write the snapshot", &self.snapshot, e))
    }
}

/// Whether the log really has, up to this position, the record that the position names.
pub(crate) fn holds(dir: &Path, name: &str, position: &Position) -> io::Result<bool> {
    if position.segment == 0 {
        return Ok(true);
    }
    if position.offset == 0 {
        return holds_before(dir, name, position);
    }
    let file = match disk::read_only(&segment::path(dir, position.segment)) {
        Ok(file) => file.0,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(false);
        }
        Err(e) => return Err(e),
    };
    if LogFile::len(&file)? < position.offset {
        return Ok(false);
    }
    let Some((link, end)) = segment::last_line(&file, position.offset)? else {
        return Ok(false);
    };
    if end == position.offset {
        return Ok(link.seq == position.seq && link.hash == position.hash);
    }
    // Behind the last line that is a record there are others, which may hold some.
    let before = Position {
        segment: position.segment,
        offset: end,
        seq: link.seq,
        hash: link.hash,
    };
    let mut reader = Reader::new(dir.to_owned(), name.to_owned(), before);
    while reader.position() != position {
        if reader.next().is_none() || reader.position().offset > position.offset {
            if let Some(problem) = reader.unreadable() {
                return Err(io::Error::other(problem.flaw.to_string()));
            }
            return Ok(reader.position() == position);
        }
    }
    Ok(true)
}

/// The same for the beginning of a segment: whoever looks at a log between the moment when its newest segment is made and
/// the one when the first record is written into it stands there. What is named stands in a segment before.
fn holds_before(dir: &Path, name: &str, position: &Position) -> io::Result<bool> {
    if *position == Position::start_of(position.segment) {
        return Ok(true);
    }
    let Some((segment, link, end)) = segment::last_line_before(dir, position.segment)? else {
        return Ok(false);
    };
    let before = Position {
        segment,
        offset: end,
        seq: link.seq,
        hash: link.hash,
    };
    let mut last = (before.seq, before.hash.clone());
    let mut reader = Reader::new(dir.to_owned(), name.to_owned(), before);
    for record in reader.by_ref().take_while(|r| r.segment < position.segment) {
        last = (record.seq, record.hash);
    }
    if let Some(problem) = reader.unreadable() {
        return Err(io::Error::other(problem.flaw.to_string()));
    }
    Ok(last == (position.seq, position.hash.clone()))
}

/// The error for a log of which a part cannot be read.
pub(crate) fn unreadable(name: &str, problem: &Problem) -> Error {
    Error::new(ErrorKind::Store, format!("cannot read the log {name}: {problem}"))
        .hint("make the state folder readable; `proctor fsck` looks at it")
}

/// Loads the snapshot. It is overwritten in place, so a look without the lock can meet half of a
/// new one; that is over within microseconds.
pub(crate) fn load<T: Fold>(snapshot: &Path, name: &str) -> Loaded<T> {
    for _ in 0..3 {
        match load_once(snapshot, name) {
            Loaded::Unusable => std::thread::yield_now(),
            other => return other,
        }
    }
    Loaded::Unusable
}

fn load_once<T: Fold>(snapshot: &Path, name: &str) -> Loaded<T> {
    let file = match disk::read_only(snapshot) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Loaded::Missing,
        Err(_) => return Loaded::Unusable,
    };
    let size = disk::length(&file.0).unwrap_or(0);
    if size > LARGEST {
        return Loaded::Unusable;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    if file.take(LARGEST).read_to_end(&mut bytes).is_err() {
        return Loaded::Unusable;
    }
    let line = bytes.trim_ascii_end();
    if !is_sealed(line) {
        return Loaded::Unusable;
    }
    match serde_json::from_slice::<Snapshot<T>>(line) {
        Ok(s) if s.v == 1 && s.fold == T::VERSION && s.w == name => Loaded::Good(s.state, s.at),
        _ => Loaded::Unusable,
    }
}

/// A look at a snapshot.
pub(crate) enum Loaded<T> {
    Good(T, Position),
    Missing,
    Unusable,
}

#[derive(Serialize, Deserialize)]
struct Snapshot<T> {
    v: u32,
    fold: u32,
    w: String,
    at: Position,
    state: T,
}
