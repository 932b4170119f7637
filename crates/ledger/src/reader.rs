//! Streaming readers: a bad line is skipped and reported and never hides a good one.

use crate::record::{Link, MAX_RECORD, begins_a_log, decode, link_of, salvage, trimmed};
use crate::{Flaw, Problem, Record, disk, segment};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::PathBuf;

/// Problems that are kept with their places; further ones are only counted.
const KEPT: usize = 1000;

/// A place between two records of a log, and what the next record continues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The segment's number; 0 for the beginning of the log.
    pub segment: u32,
    /// Bytes of the segment that lie before the place.
    pub offset: u64,
    /// Number of the last record before the place.
    #[serde(rename = "n")]
    pub seq: u64,
    /// Digest of the line of that record; empty when there is none.
    pub hash: String,
}

impl Position {
    /// The beginning of a segment with no record before it.
    pub(crate) fn start_of(segment: u32) -> Self {
        Self {
            segment,
            ..Self::default()
        }
    }
}

/// Reads the records of one writer in order. The iterator never fails: what cannot be read is in
/// [`Reader::problems`].
pub struct Reader {
    dir: PathBuf,
    name: String,
    /// Segments still to be opened.
    segments: VecDeque<u32>,
    listed: bool,
    file: Option<BufReader<disk::Input>>,
    position: Position,
    /// What the next record must continue; `None` where that is not known.
    expected: Option<Link>,
    line: Vec<u8>,
    ready: VecDeque<Record>,
    problems: Vec<Problem>,
    count: u64,
    /// What the last record that does not continue the chain should have continued.
    broken: Option<Link>,
    /// The first part that could not be read at all.
    unreadable: Option<Problem>,
    /// What stands before the first record and is no beginning of one.
    overwritten: Option<Problem>,
}

impl Reader {
    pub(crate) fn new(dir: PathBuf, name: String, position: Position) -> Self {
        let known = !position.hash.is_empty() || position == Position::start_of(position.segment);
        let expected = known.then(|| Link {
            seq: position.seq,
            hash: position.hash.clone(),
        });
        Self {
            dir,
            name,
            segments: VecDeque::new(),
            listed: false,
            file: None,
            position,
            expected,
            line: Vec::new(),
            ready: VecDeque::new(),
            problems: Vec::new(),
            count: 0,
            broken: None,
            unreadable: None,
            overwritten: None,
        }
    }

    /// The problems since the last call.
    pub(crate) fn take_problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }

    /// What the record just read should have continued, if it does not.
    pub(crate) fn take_break(&mut self) -> Option<Link> {
        self.broken.take()
    }

    /// What was wrong so far, at most the first thousand.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many problems there were so far.
    #[must_use]
    pub fn problem_count(&self) -> u64 {
        self.count
    }

    /// Where the next record will be looked for. An unfinished last line lies behind it, so a reader
    /// started here later reads it when it is finished.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What could not be read at all: a caller that needs every record must not go on.
    pub(crate) fn unreadable(&self) -> Option<&Problem> {
        self.unreadable.as_ref()
    }

    /// That what stands before the first record was no beginning of it: others may have stood there.
    pub(crate) fn overwritten(&self) -> Option<&Problem> {
        self.overwritten.as_ref()
    }

    /// A line that holds no record: what a process that was stopped leaves behind is the beginning of one.
    fn no_record(&mut self, line: &[u8], offset: u64) {
        let nothing_before = self.expected.as_ref().is_some_and(|e| *e == Link::default());
        if nothing_before && self.overwritten.is_none() && !begins_a_log(line, &self.name) {
            self.overwritten = Some(Problem {
                segment: self.position.segment,
                offset,
                flaw: Flaw::Overwritten,
            });
        }
    }

    fn problem(&mut self, offset: u64, flaw: Flaw) {
        self.count += 1;
        let problem = Problem {
            segment: self.position.segment,
            offset,
            flaw,
        };
        if matches!(problem.flaw, Flaw::Unreadable(_)) && self.unreadable.is_none() {
            self.unreadable = Some(problem.clone());
        }
        if self.problems.len() < KEPT {
            self.problems.push(problem);
        }
    }

    /// Opens the next segment; false at the end of the log.
    fn advance(&mut self) -> bool {
        if !self.listed {
            self.listed = true;
            match segment::list(&self.dir) {
                Ok(numbers) => {
                    self.segments = numbers
                        .into_iter()
                        .filter(|n| *n >= self.position.segment)
                        .collect();
                }
                Err(e) => self.problem(0, Flaw::Unreadable(e.to_string())),
            }
        }
        while let Some(number) = self.segments.pop_front() {
            if number != self.position.segment {
                self.position.segment = number;
                self.position.offset = 0;
            }
            let offset = self.position.offset;
            let opened = disk::read_only(&segment::path(&self.dir, number)).and_then(|mut file| {
                if offset > 0 {
                    if disk::length(&file.0)? < offset {
                        return Err(io::Error::new(
                            io::ErrorKind::UnexpectedEof,
                            "it is shorter than it was",
                        ));
                    }
                    file.seek(SeekFrom::Start(offset))?;
                }
                Ok(file)
            });
            match opened {
                Ok(file) => {
                    self.file = Some(BufReader::with_capacity(64 << 10, file));
                    return true;
                }
                Err(e) => self.problem(offset, Flaw::Unreadable(e.to_string())),
            }
        }
        false
    }

    /// Reads one line into `self.line`, without its end.
    fn read_line(&mut self) -> io::Result<Line> {
        self.line.clear();
        let Some(file) = self.file.as_mut() else {
            return Ok(Line::End);
        };
        let mut bytes = 0_u64;
        loop {
            let chunk = match file.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            if chunk.is_empty() {
                return Ok(if bytes == 0 {
                    Line::End
                } else {
                    Line::Partial(bytes)
                });
            }
            let newline = chunk.iter().position(|b| *b == b'\n');
            let part = chunk.get(..newline.unwrap_or(chunk.len())).unwrap_or_default();
            // One byte more than a record may have tells that the line is too long.
            let room = (MAX_RECORD + 2).saturating_sub(self.line.len());
            self.line.extend_from_slice(part.get(..room).unwrap_or(part));
            let used = part.len() + usize::from(newline.is_some());
            bytes += used as u64;
            file.consume(used);
            if newline.is_some() {
                return Ok(Line::Whole(bytes));
            }
        }
    }

    /// Takes one line: makes records ready, or reports problems. Gives the number of bytes up to which
    /// it is done with, where that is not the whole line.
    fn take_line(&mut self, offset: u64, whole: bool) -> Option<u64> {
        let line = std::mem::take(&mut self.line);
        let content = trimmed(&line);
        let mut done = None;
        if content.len() > MAX_RECORD {
            self.no_record(content, offset);
            self.problem(offset, Flaw::TooLong);
        } else if !content.is_empty() {
            match decode(content) {
                Ok(record) => self.deliver(record, offset),
                Err(flaw) => {
                    // The end of the log may be a record that is being written just now.
                    let open = !whole && self.segments.is_empty();
                    let end = self.rescue(content, offset);
                    if end == 0 && link_of(content).is_none() {
                        self.no_record(content, offset);
                    }
                    if open && end < content.len() {
                        self.problem(offset + end as u64, Flaw::Unfinished);
                        done = Some(end as u64);
                    } else if end == 0 {
                        if let Some(link) = link_of(content) {
                            self.expect(link);
                        }
                        self.problem(offset, flaw);
                    }
                }
            }
        }
        self.line = line;
        done
    }

    /// Delivers the whole records in a line that is none, as far as they continue the chain; gives the
    /// end of the last one, or 0.
    fn rescue(&mut self, line: &[u8], offset: u64) -> usize {
        let mut end = 0;
        salvage(line, |at, part| {
            let Ok(record) = decode(part) else { return false };
            // What begins with the line is no part of another record's body; it is delivered whatever was
            // lost before it.
            let continues = at == 0 || self.expected.as_ref().is_none_or(|e| e.hash == record.prev);
            if part.len() == line.len() || record.writer != self.name || !continues {
                return false;
            }
            if end == 0 {
                self.problem(offset, Flaw::Glued);
            }
            self.deliver(record, offset + at as u64);
            end = at + part.len();
            true
        });
        end
    }

    /// Remembers what the next record must continue.
    fn expect(&mut self, link: Link) {
        self.position.seq = link.seq;
        self.position.hash.clone_from(&link.hash);
        self.expected = Some(link);
    }

    fn deliver(&mut self, mut record: Record, offset: u64) {
        if record.writer != self.name {
            self.expect(Link {
                seq: record.seq,
                hash: record.hash,
            });
            self.problem(offset, Flaw::Foreign(record.writer));
            return;
        }
        if let Some(expected) = &self.expected {
            record.linked = expected.hash == record.prev && expected.seq.saturating_add(1) == record.seq;
            if !record.linked {
                self.broken = Some(expected.clone());
                self.problem(offset, Flaw::Chain);
            }
        }
        self.expect(Link {
            seq: record.seq,
            hash: record.hash.clone(),
        });
        record.segment = self.position.segment;
        record.offset = offset;
        self.ready.push_back(record);
    }
}

enum Line {
    /// A line with its end; bytes with the end.
    Whole(u64),
    /// Bytes at the end of the file without a line end.
    Partial(u64),
    End,
}

impl Iterator for Reader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Some(record);
            }
            if self.file.is_none() && !self.advance() {
                return None;
            }
            let offset = self.position.offset;
            let (bytes, whole) = match self.read_line() {
                Ok(Line::Whole(bytes)) => (bytes, true),
                Ok(Line::Partial(bytes)) => (bytes, false),
                Ok(Line::End) => {
                    self.file = None;
                    if self.segments.is_empty() {
                        return None;
                    }
                    continue;
                }
                Err(e) => {
                    self.problem(offset, Flaw::Unreadable(e.to_string()));
                    self.file = None;
                    continue;
                }
            };
            if let Some(done) = self.take_line(offset, whole) {
                self.position.offset += done;
                self.file = None;
                if self.ready.is_empty() {
                    return None;
                }
            } else {
                self.position.offset += bytes;
            }
        }
    }
}
