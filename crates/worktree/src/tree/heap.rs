//! Objects that were made here, in one file until git needs them. A file of its own for each of them costs a file
//! system that writes its names down at once more than all the rest of an identification.
//!
//! The file begins with eight signs and, in eight bytes, the place up to which git has been given what is in it. Then
//! follow records: a sign for the kind, the length of the id and the id, the length of the body in four bytes (all
//! numbers with their low bytes first) and the body. It is only a cache: who reads takes a body for what it is only
//! when it has the id, and what cannot be read is taken for the end.

use super::hash::{self, object_id};
use super::{Trees, build};
use crate::file;
use crate::git::run;
use std::cell::RefCell;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

const HEAD: &[u8; 8] = b"proctor\x01";
/// Where the records begin.
const START: usize = 16;
/// Above this size in bytes git is given what is there, and the older part goes.
const FULL: usize = 512 << 10;
/// So much of the newer part stays.
const KEPT: usize = 128 << 10;
/// Larger objects get a file of their own, as git keeps them.
const LARGEST: usize = 64 << 10;
/// So many are given to git as files of their own; more in one pack.
const FEW: usize = 12;
/// How long others are waited for who write into it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Kinds of objects, and the signs that stand for them here.
const KINDS: [(&str, u8); 2] = [("tree", b't'), ("blob", b'b')];

/// An object that is to be kept.
struct Object {
    oid: Vec<u8>,
    kind: &'static str,
    body: Vec<u8>,
}

/// Objects that are kept together when all of them are made.
pub(crate) struct Stock<'t> {
    trees: &'t Trees<'t>,
    new: RefCell<Vec<Object>>,
}

impl<'t> Stock<'t> {
    pub(crate) fn of(trees: &'t Trees<'t>) -> Self {
        Self {
            trees,
            new: RefCell::default(),
        }
    }

    pub(crate) fn put(&self, oid: &[u8], kind: &'static str, body: Vec<u8>) {
        let oid = oid.to_vec();
        self.new.borrow_mut().push(Object { oid, kind, body });
    }

    /// Keeps them.
    pub(crate) fn save(self) -> io::Result<()> {
        let (small, large): (Vec<_>, Vec<_>) = self
            .new
            .into_inner()
            .into_iter()
            .partition(|object| object.body.len() <= LARGEST);
        let objects = self.trees.objects();
        let alone = |all: &[Object]| {
            all.iter()
                .try_for_each(|o| build::store(&objects, &o.oid, o.kind, &o.body))
        };
        alone(&large)?;
        // Whatever is wrong with the one file, objects of their own are as good.
        self.trees.append(&small).or_else(|_| alone(&small))
    }
}

impl Trees<'_> {
    fn append(&self, objects: &[Object]) -> io::Result<()> {
        if objects.is_empty() {
            return Ok(());
        }
        let mut file = locked(&self.heap())?;
        let heap = Heap::read(&mut file)?;
        let mut more = Vec::new();
        let is_new = !heap.bytes.starts_with(HEAD);
        if is_new || given(&heap.bytes) > heap.end as u64 {
            // Where something was damaged, what follows is new to git.
            let given = (heap.end as u64).to_le_bytes();
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&[HEAD.as_slice(), &given].concat())?;
        }
        for object in objects {
            if heap.find(&object.oid).is_none() {
                write_record(object, &mut more);
            }
        }
        if more.is_empty() {
            return Ok(());
        }
        let end = heap.end + more.len();
        file.seek(SeekFrom::Start(heap.end as u64))?;
        if let Err(e) = file.write_all(&more) {
            // A part of a record would be the end for all that follow.
            let _ = file.set_len(heap.end as u64);
            return Err(e);
        }
        if heap.bytes.len() > end {
            file.set_len(end as u64)?;
        }
        if end > FULL {
            let heap = Heap::read(&mut file)?;
            self.give(&mut file, &heap, self.deadline())?;
            heap.shorten(&mut file)?;
        }
        Ok(())
    }

    /// Gives git what it has not been given. What cannot be given stays, and git will say what it misses.
    pub(crate) fn hand_over(&self, deadline: Instant) {
        let path = self.heap();
        let is_done = || {
            let (mut file, meta) = file::open(&path).ok()?;
            let mut head = [0; START];
            file.read_exact(&mut head).ok()?;
            Some(given(&head) == meta.len())
        };
        if is_done() != Some(false) {
            return;
        }
        if let Ok(mut file) = locked(&path)
            && let Ok(heap) = Heap::read(&mut file)
        {
            let _ = self.give(&mut file, &heap, deadline);
        }
    }

    fn give(&self, file: &mut File, heap: &Heap, deadline: Instant) -> io::Result<()> {
        let objects = self.objects();
        let from = usize::try_from(given(&heap.bytes)).unwrap_or(START);
        let mut new: Vec<(&Record, &[u8])> = Vec::new();
        for record in heap.records.iter().filter(|r| r.place >= from) {
            let body = heap.bytes.get(record.body.clone()).unwrap_or_default();
            // One that was damaged would be another object.
            if object_id(record.kind, body, record.oid.len()) == heap.oid(record) {
                new.push((record, body));
            }
        }
        if new.len() <= FEW {
            for (record, body) in &new {
                build::store(&objects, heap.oid(record), record.kind, body)?;
            }
        } else {
            let call = self
                .bare_git(deadline)
                .args(["index-pack", "--stdin"])
                .stdin(pack(&new));
            let output = run(&call).map_err(io::Error::other)?;
            if !output.is_success() {
                return Err(io::Error::other("git takes no pack"));
            }
        }
        file.seek(SeekFrom::Start(HEAD.len() as u64))?;
        file.write_all(&(heap.end as u64).to_le_bytes())?;
        if heap.bytes.len() > heap.end {
            file.set_len(heap.end as u64)?;
        }
        Ok(())
    }
}

/// The file, for whoever writes into it.
fn locked(path: &Path) -> io::Result<File> {
    let file = file::open_to_change(path)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_micros(200));
            }
            Err(e) => return Err(e.into()),
        }
    }
}

/// Up to which place git has been given what is there.
fn given(head: &[u8]) -> u64 {
    let place = head.get(HEAD.len()..START).and_then(|b| b.try_into().ok());
    place.map_or(START as u64, u64::from_le_bytes)
}

/// An object in the file.
#[derive(Debug)]
struct Record {
    place: usize,
    kind: &'static str,
    oid: Range<usize>,
    body: Range<usize>,
}

/// What is in the file.
#[derive(Debug)]
pub(crate) struct Heap {
    bytes: Vec<u8>,
    records: Vec<Record>,
    /// Behind the last record that is whole.
    end: usize,
}

impl Heap {
    /// Reads the file for its objects; none when it is not there.
    pub(crate) fn open(path: &Path) -> Self {
        let bytes = file::open(path)
            .and_then(|(mut file, _)| Self::read(&mut file))
            .ok();
        bytes.unwrap_or_else(|| Self::parse(Vec::new()))
    }

    fn read(file: &mut File) -> io::Result<Self> {
        let mut bytes = Vec::with_capacity(file::room(&file.metadata()?, 2 * FULL as u64));
        file.seek(SeekFrom::Start(0))?;
        // It is shortened before it is twice as large; anything else was not written here.
        file.take(2 * FULL as u64).read_to_end(&mut bytes)?;
        Ok(Self::parse(bytes))
    }

    fn parse(bytes: Vec<u8>) -> Self {
        let mut records = Vec::new();
        let mut end = START;
        if bytes.starts_with(HEAD) {
            while let Some(record) = record_at(&bytes, end) {
                end = record.body.end;
                records.push(record);
            }
        }
        Self { bytes, records, end }
    }

    fn oid(&self, record: &Record) -> &[u8] {
        self.bytes.get(record.oid.clone()).unwrap_or_default()
    }

    /// The kind and the body of an object. Nobody has looked whether it has the id.
    pub(crate) fn find(&self, oid: &[u8]) -> Option<(&'static str, &[u8])> {
        let record = self.records.iter().rev().find(|r| self.oid(r) == oid)?;
        Some((record.kind, self.bytes.get(record.body.clone())?))
    }

    /// Lets the older part go. All of it was given to git.
    fn shorten(&self, file: &mut File) -> io::Result<()> {
        let from = self
            .records
            .iter()
            .map(|r| r.place)
            .find(|place| self.end - place <= KEPT)
            .unwrap_or(self.end);
        let rest = self.bytes.get(from..self.end).unwrap_or_default();
        let end = (START + rest.len()) as u64;
        let mut all = HEAD.to_vec();
        all.extend_from_slice(&end.to_le_bytes());
        all.extend_from_slice(rest);
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&all)?;
        file.set_len(end)
    }
}

fn record_at(bytes: &[u8], place: usize) -> Option<Record> {
    let [sign, width] = *bytes.get(place..place + 2)?.as_array()?;
    let kind = KINDS.iter().find(|(_, s)| *s == sign)?.0;
    let width = Some(usize::from(width)).filter(|w| matches!(w, 20 | 32))?;
    let oid = place + 2..place + 2 + width;
    let length = bytes.get(oid.end..oid.end + 4)?.try_into().ok()?;
    let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
    let from = oid.end + 4;
    let body = from..from.checked_add(length)?;
    (body.end <= bytes.len()).then_some(Record {
        place,
        kind,
        oid,
        body,
    })
}

fn write_record(object: &Object, out: &mut Vec<u8>) {
    let sign = KINDS.iter().find(|(kind, _)| *kind == object.kind);
    let (Some((_, sign)), Ok(width), Ok(length)) = (
        sign,
        u8::try_from(object.oid.len()),
        u32::try_from(object.body.len()),
    ) else {
        return;
    };
    out.extend_from_slice(&[*sign, width]);
    out.extend_from_slice(&object.oid);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&object.body);
}

/// The objects as a pack of git's, version 2.
fn pack(objects: &[(&Record, &[u8])]) -> Vec<u8> {
    let width = objects.first().map_or(20, |(r, _)| r.oid.len());
    let count = u32::try_from(objects.len()).unwrap_or(u32::MAX);
    let mut out = b"PACK\0\0\0\x02".to_vec();
    out.extend_from_slice(&count.to_be_bytes());
    for (record, body) in objects {
        // The kind and four bits of the length, then seven bits a byte while there are more.
        let kind = if record.kind == "tree" { 2 } else { 3 };
        let mut left = body.len();
        let mut byte = kind << 4 | low(left, 0xf);
        left >>= 4;
        while left > 0 {
            out.push(byte | 0x80);
            byte = low(left, 0x7f);
            left >>= 7;
        }
        out.push(byte);
        out.extend_from_slice(&build::stored(body));
    }
    let sum = hash::sum(&out, width);
    out.extend_from_slice(&sum);
    out
}

fn low(number: usize, mask: usize) -> u8 {
    u8::try_from(number & mask).unwrap_or(0)
}

#[cfg(test)]
mod tests;
