//! What a clone publishes of its own logs.

use super::lane::{LaneName, MAX_LANE, MAX_LINE, read_lane, skip_line};
use crate::record::{Link, salvage, trimmed};
use crate::{Record, Store, disk, is_exchanged, segment, writer_name};
use proctor_kernel::{Digest, Result};
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// A lane is closed at this size, and the next one begun.
const FULL: usize = MAX_LANE / 2;

/// A record that is not published although its kind is exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    /// The record's id.
    pub id: String,
    /// Why.
    pub why: &'static str,
}

/// Published records that the log does not have, or has in another form: it was shortened or rewritten
/// after they were published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diverged {
    /// The log.
    pub writer: String,
    /// The ids, in order.
    pub ids: Vec<String>,
}

/// What is to be published of one log.
#[derive(Debug, Default)]
pub struct Export {
    /// Lanes that are new or have grown, with their whole text.
    pub lanes: Vec<(LaneName, Vec<u8>)>,
    /// Records that were added.
    pub added: u64,
    /// Records that were not.
    pub withheld: Vec<Withheld>,
    /// Whether the log has lost what was published.
    pub diverged: Option<Diverged>,
}

/// Adds what is new in a clone's log to what it has published of it. `published` are the lanes of this
/// clone and log.
///
/// # Errors
/// Kind `store` when the log cannot be read again.
pub fn export(store: &Store, clone: &str, writer: &str, published: &[(LaneName, Vec<u8>)]) -> Result<Export> {
    let mut out = Export::default();
    // The first record tells what sort of log it is; logs of sessions are not read to their ends.
    let first = store.reader(writer).next();
    let wanted = first.is_some_and(|r| is_exchanged(&r.kind)) && writer_name(writer) == writer;
    if !wanted && published.is_empty() {
        return Ok(out);
    }
    let mut local: Vec<Record> = store.reader(writer).collect();
    let broken = mark_broken(&local);
    let places: HashMap<&str, usize> = local
        .iter()
        .enumerate()
        .map(|(i, r)| (r.hash.as_str(), i))
        .collect();
    // The lane that this log continues, and everything that was published.
    let mut best: Option<(usize, LaneName, Vec<u8>, Link)> = None;
    let (mut ids, mut gone) = (HashSet::new(), Vec::new());
    for (name, text) in published {
        let read = read_lane(name, text);
        for record in &read.records {
            if !places.contains_key(record.hash.as_str()) {
                gone.push(record.id.to_string());
            }
            ids.insert(record.id.to_string());
        }
        if let Some(at) = places.get(read.end.hash.as_str())
            && best.as_ref().is_none_or(|(b, ..)| b < at)
            && read.rejections == 0
            && text.len() < FULL
        {
            best = Some((*at, name.clone(), text.clone(), read.end));
        }
    }
    if !gone.is_empty() {
        gone.sort();
        out.diverged = Some(Diverged {
            writer: writer.to_owned(),
            ids: gone,
        });
    }
    let (mut name, mut text, mut end) = match best {
        Some((_, name, text, end)) => (Some(name), text, end),
        None => (None, Vec::new(), Link::default()),
    };
    let before = text.len();
    let mut raw = RawLines::new(store, writer);
    for (record, broken) in local.drain(..).zip(broken) {
        if record.seq <= end.seq || ids.contains(record.id.as_str()) || !is_exchanged(&record.kind) {
            continue;
        }
        let withheld = |why| Withheld {
            id: record.id.to_string(),
            why,
        };
        if broken {
            out.withheld
                .push(withheld("it or its neighbour was changed after it was written"));
            continue;
        }
        if record.test {
            out.withheld.push(withheld("written under a test's clock"));
            continue;
        }
        let Some(line) = raw.line(&record)? else {
            out.withheld.push(withheld("too long to be exchanged"));
            continue;
        };
        if record.prev != end.hash || record.seq != end.seq.saturating_add(1) {
            if record.seq <= end.seq.saturating_add(1) {
                out.withheld.push(withheld("its place in the chain is not known"));
                continue;
            }
            skip_line(writer, end.seq + 1, record.seq - 1, &record.prev, &mut text);
        }
        if name.is_none() {
            name = LaneName::parse(clone, writer, record.id.as_str());
        }
        text.extend_from_slice(&line);
        text.push(b'\n');
        end = Link {
            seq: record.seq,
            hash: record.hash,
        };
        out.added += 1;
        if text.len() >= FULL
            && let Some(full) = name.take()
        {
            out.lanes.push((full, std::mem::take(&mut text)));
            end = Link::default();
        }
    }
    if let Some(name) = name
        && (text.len() > before || !out.lanes.is_empty())
        && !text.is_empty()
    {
        out.lanes.push((name, text));
    }
    Ok(out)
}

/// Which records stand beside a break of the chain that no damaged line explains.
fn mark_broken(records: &[Record]) -> Vec<bool> {
    let mut broken = vec![false; records.len()];
    for (at, pair) in records.windows(2).enumerate() {
        let [one, two] = pair else { continue };
        if !two.linked && two.seq <= one.seq.saturating_add(1) {
            for place in broken.iter_mut().skip(at).take(2) {
                *place = true;
            }
        }
    }
    broken
}

/// Reads lines of a log again, word for word.
struct RawLines<'a> {
    store: &'a Store,
    writer: &'a str,
    open: Option<(u32, BufReader<File>)>,
}

impl<'a> RawLines<'a> {
    fn new(store: &'a Store, writer: &'a str) -> Self {
        Self {
            store,
            writer,
            open: None,
        }
    }

    /// The line of a record without its end; `None` when it is too long to be exchanged.
    fn line(&mut self, record: &Record) -> Result<Option<Vec<u8>>> {
        let path = segment::path(&self.store.root().join("log").join(self.writer), record.segment);
        let mut read = || -> io::Result<Option<Vec<u8>>> {
            if self.open.as_ref().is_none_or(|(n, _)| *n != record.segment) {
                self.open = Some((
                    record.segment,
                    BufReader::new(disk::open(OpenOptions::new().read(true), &path)?),
                ));
            }
            let Some((_, file)) = &mut self.open else {
                return Ok(None);
            };
            file.seek(SeekFrom::Start(record.offset))?;
            let mut line = Vec::new();
            file.take(MAX_LINE as u64 + 2).read_until(b'\n', &mut line)?;
            let line = trimmed(line.strip_suffix(b"\n").unwrap_or(&line));
            let is_it = |bytes: &[u8]| Digest::of(bytes).as_str() == record.hash;
            if line.len() <= MAX_LINE && is_it(line) {
                return Ok(Some(line.to_vec()));
            }
            // Other records, or garbage, stand behind it on the same line.
            let mut found = None;
            salvage(line, |at, part| {
                if at == 0 && is_it(part) {
                    found = Some(part.to_vec());
                }
                at == 0
            });
            Ok(found)
        };
        read().map_err(|e| crate::store::failed("read the log", &path, e))
    }
}
