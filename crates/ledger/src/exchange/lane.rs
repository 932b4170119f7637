//! Names of lanes, and reading one that may come from anywhere.

use crate::record::{Link, decode, is_sealed, openings, seal};
use crate::{Flaw, Record, is_exchanged, writer_name};
use proctor_kernel::Digest;
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt::{self, Write as _};

/// Largest lane that is read, in bytes.
pub const MAX_LANE: usize = 32 << 20;

/// Longest line that is exchanged, in bytes.
pub const MAX_LINE: usize = 4 << 20;

/// Rejections that are kept; a lane with more is not worth listing further.
const KEPT: usize = 100;

/// Whose lane, of which log, and which one. As a path: `<clone>/<writer>/<lane>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneName {
    /// Id of the clone that published it.
    pub clone: String,
    /// The log's writer in that clone.
    pub writer: String,
    /// Id of the lane's first record; `~` and twelve digits of a digest where two lanes claimed that name.
    pub lane: String,
}

impl LaneName {
    /// Takes a name apart; `None` unless each part is a plain name that is safe as a file's name.
    #[must_use]
    pub fn parse(clone: &str, writer: &str, lane: &str) -> Option<Self> {
        let clone_ok = (4..=64).contains(&clone.len())
            && !clone.starts_with('-')
            && clone
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let writer_ok = writer_name(writer) == writer;
        let (id, rest) = lane.split_once('~').map_or((lane, None), |(i, r)| (i, Some(r)));
        let rest_ok = rest.is_none_or(|r| {
            r.len() == 12
                && r.bytes()
                    .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        });
        (clone_ok && writer_ok && is_id(id) && rest_ok).then(|| Self {
            clone: clone.to_owned(),
            writer: writer.to_owned(),
            lane: lane.to_owned(),
        })
    }

    /// Takes a path `<clone>/<writer>/<lane>/<number>.jsonl` apart.
    #[must_use]
    pub fn parse_part(path: &str) -> Option<(Self, u32)> {
        let mut pieces = path.split('/');
        let name = Self::parse(pieces.next()?, pieces.next()?, pieces.next()?)?;
        let digits = pieces.next()?.strip_suffix(".jsonl")?;
        let plain = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|n| plain && *n > 0)?;
        pieces.next().is_none().then_some((name, number))
    }

    /// The same lane under the name that a lane with this text gets when the plain name is taken.
    #[must_use]
    pub fn aside(&self, text: &[u8]) -> Self {
        let digest = Digest::of(text);
        let short = digest.as_str().get(..12).unwrap_or_default();
        let id = self.lane.split('~').next().unwrap_or_default();
        Self {
            lane: format!("{id}~{short}"),
            ..self.clone()
        }
    }
}

impl fmt::Display for LaneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.clone, self.writer, self.lane)
    }
}

/// Whether a text is an id as Proctor writes them.
fn is_id(id: &str) -> bool {
    id.len() == 26
        && id
            .bytes()
            .all(|b| b.is_ascii_digit() || (b.is_ascii_uppercase() && !b"ILOU".contains(&b)))
}

/// A line that is not taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Where in the lane, in bytes.
    pub offset: u64,
    /// The record's id, where it can be read.
    pub id: Option<String>,
    /// Why not.
    pub why: String,
}

/// What a lane holds.
#[derive(Debug, Default)]
pub struct LaneRead {
    /// The records that can be taken in, in order.
    pub records: Vec<Record>,
    /// Lines that are not, at most the first hundred.
    pub rejected: Vec<Rejection>,
    /// All lines that are not.
    pub rejections: u64,
    /// Records of a newer format: kept in the lane, not read.
    pub newer: u64,
    /// The lane without the rejected lines; equal to what was read when there are none.
    pub text: Vec<u8>,
    /// What the next record of the lane continues.
    pub(super) end: Link,
}

/// What stands in a lane for lines that are not meant for others.
#[derive(Deserialize)]
struct Skip {
    w: String,
    skip: (u64, u64),
    hash: String,
}

/// Writes a skip over the numbers `from` to `to`; the next record continues `hash`.
pub(super) fn skip_line(writer: &str, from: u64, to: u64, hash: &str, out: &mut Vec<u8>) {
    let mut line = String::new();
    let _ = write!(
        line,
        "{{\"v\":1,\"w\":\"{writer}\",\"skip\":[{from},{to}],\"hash\":\"{hash}\""
    );
    seal(&mut line);
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}

enum Item {
    Record(Box<Record>),
    /// A record of a newer format: its link, and what it continues.
    Newer(Link, String),
    Skip(u64, u64, String),
    Bad,
}

struct Line<'a> {
    offset: u64,
    text: &'a [u8],
    item: Item,
}

/// Reads a lane line by line and takes nothing on trust: lines whose checksum or form is wrong are
/// rejected; of two neighbours whose chain does not fit, both are, because it cannot be told which of them
/// was changed; so are records of other kinds or writers, of test clocks, and ids that come twice.
#[must_use]
pub fn read_lane(name: &LaneName, text: &[u8]) -> LaneRead {
    read_lane_if(name, text, |_| Ok(()))
}

/// As [`read_lane`]; `accept` may reject more, with its reason.
pub fn read_lane_if(
    name: &LaneName,
    text: &[u8],
    mut accept: impl FnMut(&Record) -> Result<(), String>,
) -> LaneRead {
    let mut out = LaneRead::default();
    let mut lines = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive(|b| *b == b'\n') {
        let parsed = parse(name, line).and_then(|item| match &item {
            Item::Record(record) => accept(record).map(|()| item),
            _ => Ok(item),
        });
        let item = match parsed {
            Ok(item) => item,
            Err(why) => {
                out.reject(offset, line, why);
                Item::Bad
            }
        };
        lines.push(Line {
            offset,
            text: line,
            item,
        });
        offset += line.len() as u64;
    }
    check_chain(&mut lines, &mut out);
    collect(name, lines, &mut out);
    out
}

impl LaneRead {
    fn reject(&mut self, offset: u64, line: &[u8], why: impl Into<String>) {
        self.rejections += 1;
        if self.rejected.len() < KEPT {
            self.rejected.push(Rejection {
                offset,
                id: peek_id(line),
                why: why.into(),
            });
        }
    }
}

fn peek_id(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line.get(..line.len().min(256))?);
    let (_, rest) = text.split_once("\"id\":\"")?;
    rest.get(..26).filter(|id| is_id(id)).map(str::to_owned)
}

fn parse(name: &LaneName, line: &[u8]) -> Result<Item, String> {
    let Some(line) = line.strip_suffix(b"\n") else {
        return Err("the line is not finished".to_owned());
    };
    if line.len() > MAX_LINE {
        return Err(format!("the line is longer than {MAX_LINE} bytes"));
    }
    let record = match decode(line) {
        Ok(record) => record,
        Err(Flaw::Version(_)) => {
            #[derive(Deserialize)]
            struct Chained {
                n: u64,
                prev: String,
            }
            let Ok(Chained { n, prev }) = serde_json::from_slice(line) else {
                return Err("a newer format whose place in the chain cannot be read".to_owned());
            };
            let hash = Digest::of(line).as_str().to_owned();
            return Ok(Item::Newer(Link { seq: n, hash }, prev));
        }
        Err(flaw) => {
            if is_sealed(line)
                && let Ok(skip) = serde_json::from_slice::<Skip>(line)
                && skip.w == name.writer
                && is_digest(&skip.hash)
            {
                return Ok(Item::Skip(skip.skip.0, skip.skip.1, skip.hash));
            }
            return Err(flaw.to_string());
        }
    };
    if record.writer != name.writer {
        return Err("it is a record of another writer".to_owned());
    }
    if !is_exchanged(&record.kind) {
        return Err("records of this kind are not exchanged".to_owned());
    }
    if record.test {
        return Err("it was written under a test's clock".to_owned());
    }
    if !is_id(record.id.as_str()) {
        return Err("its id is none".to_owned());
    }
    Ok(Item::Record(Box::new(record)))
}

fn is_digest(text: &str) -> bool {
    text.len() == 32
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

const CHAIN: &str = "it does not continue the record before it: one of the two was changed";

fn check_chain(lines: &mut [Line<'_>], out: &mut LaneRead) {
    let mut expected = Link::default();
    // Records that the bad lines since the last good one may have been.
    let mut bad = 0;
    for at in 0..lines.len() {
        let Some(line) = lines.get(at) else { break };
        let (first, prev, end) = match &line.item {
            Item::Bad => {
                // A lost line end makes one bad line of two records.
                bad += openings(line.text).max(1);
                continue;
            }
            Item::Record(r) => (
                r.seq,
                Some(&r.prev),
                Link {
                    seq: r.seq,
                    hash: r.hash.clone(),
                },
            ),
            Item::Newer(link, prev) => (link.seq, Some(prev), link.clone()),
            Item::Skip(from, to, hash) => (
                *from,
                None,
                Link {
                    seq: (*to).max(*from),
                    hash: hash.clone(),
                },
            ),
        };
        let next = expected.seq.saturating_add(1);
        let follows = first == next && prev.is_none_or(|p| *p == expected.hash);
        // The bad lines may have been the records in between.
        let bridged = bad > 0 && first > next && first - next <= bad;
        if !follows && !bridged {
            reject_at(lines, at, out);
            if bad == 0 && at > 0 {
                reject_at(lines, at - 1, out);
            }
        }
        expected = end;
        bad = 0;
    }
}

fn reject_at(lines: &mut [Line<'_>], at: usize, out: &mut LaneRead) {
    if let Some(line) = lines.get_mut(at)
        && !matches!(line.item, Item::Bad)
    {
        line.item = Item::Bad;
        out.reject(line.offset, line.text, CHAIN);
    }
}

/// Puts together what is left, with skips where something was rejected.
fn collect(name: &LaneName, lines: Vec<Line<'_>>, out: &mut LaneRead) {
    let mut end = Link::default();
    let mut text = Vec::new();
    let mut ids = HashSet::new();
    // A skip waits for what comes after it: none ends a lane.
    let mut waiting: Option<String> = None;
    for line in lines {
        let (seq, prev, hash) = match &line.item {
            Item::Bad => continue,
            Item::Skip(_, _, hash) => {
                waiting = Some(hash.clone());
                continue;
            }
            Item::Record(r) => (r.seq, r.prev.clone(), r.hash.clone()),
            Item::Newer(link, prev) => (link.seq, prev.clone(), link.hash.clone()),
        };
        let linked = waiting.is_none() && seq == end.seq.saturating_add(1) && prev == end.hash;
        if !linked {
            if seq <= end.seq.saturating_add(1) {
                out.reject(line.offset, line.text, "its number was there already");
                continue;
            }
            skip_line(&name.writer, end.seq + 1, seq - 1, &prev, &mut text);
        }
        waiting = None;
        end = Link { seq, hash };
        match line.item {
            Item::Record(record) => {
                if !ids.insert(record.id.clone()) {
                    out.reject(line.offset, line.text, "its id was there already");
                    continue;
                }
                out.records.push(*record);
            }
            _ => out.newer += 1,
        }
        text.extend_from_slice(line.text);
    }
    out.end = end;
    out.text = text;
}
