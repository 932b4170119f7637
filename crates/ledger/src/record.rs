//! One record: a line of JSON with checksum and chain.

use crate::{Flaw, format_millis, parse_millis};
use proctor_kernel::{Digest, Error, ErrorKind, Id, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Version of the record format that is written, and the newest that is read.
pub const FORMAT: u32 = 1;

/// Longest line of a log in bytes, line end left out.
pub const MAX_RECORD: usize = 64 << 20;

/// Length of `,"crc":"xxxxxxxx"}`, with which every record ends.
const SEAL: usize = 18;

/// How every record begins; used to find records that were glued onto one line.
const OPENING: &[u8] = b"{\"v\":";

/// Time and randomness for one record's id, given by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Milliseconds since 1970, UTC.
    pub millis: u64,
    /// Random bytes for the id.
    pub random: [u8; 10],
    /// Whether the clock is a test's clock; such records carry `"test":true`.
    pub test: bool,
}

/// A record that is not yet in a log.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(crate) id: Id,
    pub(crate) stamp: Stamp,
    pub(crate) kind: String,
    pub(crate) body: Box<RawValue>,
}

impl Draft {
    /// Prepares a record of `kind` (such as `decision`).
    ///
    /// # Errors
    /// Kind `internal` when the body cannot be written as JSON.
    pub fn new(stamp: Stamp, kind: impl Into<String>, body: &(impl Serialize + ?Sized)) -> Result<Self> {
        let kind = kind.into();
        let fault = |e: serde_json::Error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot write the body of a {kind} record as JSON"),
            )
            .because(e)
        };
        let mut raw = serde_json::value::to_raw_value(body).map_err(fault)?;
        if raw.get().contains('\n') || raw.get().contains('\r') {
            // Only raw JSON given by the caller can hold a line end; a record is one line.
            let value: serde_json::Value = serde_json::from_str(raw.get()).map_err(fault)?;
            raw = serde_json::value::to_raw_value(&value).map_err(fault)?;
        }
        Ok(Self {
            id: Id::from_parts(stamp.millis, stamp.random),
            stamp,
            kind,
            body: raw,
        })
    }

    /// Another record of the same moment.
    pub(crate) fn beside(&self, kind: &str, body: &serde_json::Value) -> Result<Self> {
        let mut stamp = self.stamp;
        if let Some(first) = stamp.random.first_mut() {
            *first ^= 0x80;
        }
        Self::new(stamp, kind, body)
    }

    /// The id that the record will have.
    #[must_use]
    pub fn id(&self) -> &Id {
        &self.id
    }
}

/// A record as it stands in a log.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id, unique over all logs.
    pub id: Id,
    /// Its time in milliseconds since 1970, UTC.
    pub millis: u64,
    /// The writer: the name of its folder.
    pub writer: String,
    /// Its number in the writer's log, from 1.
    pub seq: u64,
    /// Digest of the writer's line before this one; empty for the first.
    pub prev: String,
    /// What it records, such as `decision`.
    pub kind: String,
    /// Whether it was written with a test's clock.
    pub test: bool,
    /// Digest of its own line.
    pub hash: String,
    /// Whether it continues the record before it (true where that is not known).
    pub linked: bool,
    /// Number of the segment it was read from.
    pub segment: u32,
    /// Byte offset of its line in the segment.
    pub offset: u64,
    pub(crate) body: Box<RawValue>,
}

impl Record {
    /// The body as text.
    #[must_use]
    pub fn raw_body(&self) -> &str {
        self.body.get()
    }

    /// Reads the body.
    ///
    /// # Errors
    /// Kind `store` when the body has another form than `T`.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(self.body.get()).map_err(|e| {
            Error::new(
                ErrorKind::Store,
                format!("the {} record {} has another form", self.kind, self.id),
            )
            .because(e)
        })
    }
}

#[derive(Deserialize)]
struct Wire<'a> {
    v: u32,
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    at: Cow<'a, str>,
    #[serde(borrow)]
    w: Cow<'a, str>,
    n: u64,
    #[serde(borrow)]
    prev: Cow<'a, str>,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    test: bool,
    body: Box<RawValue>,
}

/// Writes a record as a line without line end.
pub(crate) fn encode(draft: &Draft, writer: &str, seq: u64, prev: &str) -> Result<Vec<u8>> {
    let mut line = String::with_capacity(draft.body.get().len() + 256);
    let quoted = |text: &str| {
        serde_json::to_string(text)
            .map_err(|e| Error::new(ErrorKind::Internal, "cannot write a name as JSON").because(e))
    };
    line.push_str("{\"v\":1,\"id\":");
    line.push_str(&quoted(draft.id.as_str())?);
    line.push_str(",\"at\":\"");
    line.push_str(&format_millis(draft.stamp.millis));
    line.push_str("\",\"w\":");
    line.push_str(&quoted(writer)?);
    let _ = write!(line, ",\"n\":{seq},\"prev\":\"{prev}\",\"kind\":");
    line.push_str(&quoted(&draft.kind)?);
    if draft.stamp.test {
        line.push_str(",\"test\":true");
    }
    line.push_str(",\"body\":");
    line.push_str(draft.body.get());
    if line.len() + SEAL > MAX_RECORD {
        return Err(Error::new(
            ErrorKind::Input,
            format!(
                "a {} record of {} bytes is too long (at most {MAX_RECORD})",
                draft.kind,
                line.len()
            ),
        ));
    }
    seal(&mut line);
    Ok(line.into_bytes())
}

/// Whether a line that is no record may be a writer's first one that was not written to its end.
pub(crate) fn begins_a_log(line: &[u8], writer: &str) -> bool {
    let Ok(writer) = serde_json::to_string(writer) else {
        return false;
    };
    // What stands between is the id and the time.
    let known: [(&[u8], usize); 4] = [
        (b"{\"v\":1,\"id\":\"", 26),
        (b"\",\"at\":\"", 24),
        (b"\",\"w\":", 0),
        (writer.as_bytes(), 0),
    ];
    let mut rest = line;
    for (text, gap) in known
        .into_iter()
        .chain([(b",\"n\":1,\"prev\":\"\"," as &[u8], 0)])
    {
        let met = rest.len().min(text.len());
        if rest.get(..met) != text.get(..met) {
            return false;
        }
        rest = rest.get(text.len() + gap..).unwrap_or_default();
    }
    !line.is_empty()
}

/// Ends an unclosed JSON object with its checksum.
pub(crate) fn seal(line: &mut String) {
    let crc = crc32fast::hash(line.as_bytes());
    let _ = write!(line, ",\"crc\":\"{crc:08x}\"}}");
}

/// How the end of a record begins.
const SEALING: &[u8] = b",\"crc\":\"";

/// The checksum in the end of a record.
fn sealed_by(end: &[u8]) -> Option<u32> {
    let digits = end.strip_prefix(SEALING)?.strip_suffix(b"\"}")?;
    let lower = digits.len() == 8
        && digits
            .iter()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b));
    u32::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| lower)?, 16).ok()
}

/// Whether a line ends with the checksum of what stands before it.
pub(crate) fn is_sealed(line: &[u8]) -> bool {
    let Some((content, end)) = line.split_last_chunk::<SEAL>() else {
        return false;
    };
    sealed_by(end).is_some_and(|crc| crc == crc32fast::hash(content))
}

/// Reads a line without its line end. `segment`, `offset` and `linked` are left for the reader.
pub(crate) fn decode(line: &[u8]) -> Result<Record, Flaw> {
    if !is_sealed(line) {
        let looks_sealed = line
            .last_chunk::<SEAL>()
            .is_some_and(|end| end.starts_with(SEALING));
        return Err(match (std::str::from_utf8(line).is_err(), looks_sealed) {
            (true, _) => Flaw::NotText,
            (false, true) => Flaw::Checksum,
            (false, false) => Flaw::Torn,
        });
    }
    let wire: Wire<'_> = serde_json::from_slice(line).map_err(|e| flaw_of(line, &e))?;
    if wire.v != FORMAT {
        return Err(Flaw::Version(wire.v));
    }
    let Some(millis) = parse_millis(&wire.at) else {
        return Err(Flaw::NotRecord("`at` is no time".to_owned()));
    };
    Ok(Record {
        id: Id::from_text(wire.id.into_owned()),
        millis,
        writer: wire.w.into_owned(),
        seq: wire.n,
        prev: wire.prev.into_owned(),
        kind: wire.kind.into_owned(),
        test: wire.test,
        hash: Digest::of(line).as_str().to_owned(),
        linked: true,
        segment: 0,
        offset: 0,
        body: wire.body,
    })
}

/// Why a sealed line is no record: perhaps because it is a newer one.
fn flaw_of(line: &[u8], error: &serde_json::Error) -> Flaw {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    match serde_json::from_slice::<Version>(line) {
        Ok(Version { v }) if v > FORMAT => Flaw::Version(v),
        _ => Flaw::NotRecord(error.to_string()),
    }
}

/// What the next record of a writer continues: number and digest of its last line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) hash: String,
}

/// The link that a whole line leaves for the next record, also when its format is newer than ours.
pub(crate) fn link_of(line: &[u8]) -> Option<Link> {
    #[derive(Deserialize)]
    struct Numbered {
        n: u64,
    }
    if !is_sealed(line) {
        return None;
    }
    let Numbered { n } = serde_json::from_slice(line).ok()?;
    Some(Link {
        seq: n,
        hash: Digest::of(line).as_str().to_owned(),
    })
}

/// A line without the carriage return that some tools put before the line end.
pub(crate) fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Lines with more false beginnings of records than this are searched less thoroughly, so that the
/// time stays linear.
const THOROUGH: usize = 8;

/// Looks for whole records inside a line that is none: behind a torn one, before garbage, or glued
/// together. Gives their places in order; `accept` says of each whether it is one.
///
/// Inside a JSON string quotes are escaped, so a beginning or an end that is found is never part of a
/// text; but it may belong to a record that stands in another one's body, which is why `accept` must
/// look at the chain.
pub(crate) fn salvage(line: &[u8], mut accept: impl FnMut(usize, &[u8]) -> bool) {
    let starts: Vec<usize> = line
        .windows(OPENING.len())
        .enumerate()
        .filter(|(_, w)| *w == OPENING)
        .map(|(i, _)| i)
        .collect();
    let (mut done, mut false_starts) = (0, 0);
    for (i, start) in starts.iter().copied().enumerate() {
        if start < done {
            continue;
        }
        let next = starts.get(i + 1).copied().unwrap_or(line.len());
        let limit = if false_starts < THOROUGH { line.len() } else { next };
        let part = line.get(start..limit).unwrap_or_default();
        match sealed_lengths(part).find(|len| part.get(..*len).is_some_and(|p| accept(start, p))) {
            Some(len) => done = start + len,
            None => false_starts += 1,
        }
    }
}

/// How many records a line may hold by their beginnings.
pub(crate) fn openings(line: &[u8]) -> u64 {
    line.windows(OPENING.len())
        .filter(|w| *w == OPENING)
        .fold(0, |n, _| n + 1)
}

/// The lengths at which a text ends with the checksum of what stands before it.
fn sealed_lengths(text: &[u8]) -> impl Iterator<Item = usize> {
    let mut crc = crc32fast::Hasher::new();
    let mut hashed = 0;
    text.windows(SEAL)
        .enumerate()
        .filter(|(_, w)| w.starts_with(SEALING))
        .filter_map(move |(at, end)| {
            crc.update(text.get(hashed..at)?);
            hashed = at;
            (sealed_by(end)? == crc.clone().finalize()).then_some(at + SEAL)
        })
}
