//! Decisions as `stats` and `explain` look for them: by the index where there are many, else in the logs.

use crate::clock::ProcessClock;
use proctor_engine::Engine;
use proctor_engine::record::{DecisionRecord, KIND};
use proctor_index::{Extract, FILE, Index, Place};
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_ledger::{Record, Store};

/// Logs of fewer bytes than this are read faster than an index is kept (`docs/BENCHMARKS.md`).
const MANY: u64 = 4 << 20;

/// What the index keeps of a decision: what figures are made of.
pub(crate) struct Figures;

impl Extract for Figures {
    const VERSION: u32 = 1;

    fn extract(record: &Record) -> Option<String> {
        if record.kind != KIND {
            return Some(String::new());
        }
        let body: DecisionRecord = record.body().ok()?;
        serde_json::to_string(&body.for_figures()).ok()
    }
}

/// The index, where it pays. Whatever is wrong with it, the logs themselves have the answers.
fn index(store: &Store) -> Option<Index> {
    if !store.root().join(FILE).exists() && bytes(store) < MANY {
        return None;
    }
    Index::open::<Figures>(store).ok()
}

/// Bytes of all logs.
fn bytes(store: &Store) -> u64 {
    let log = store.root().join("log");
    let folders = std::fs::read_dir(log).into_iter().flatten().flatten();
    folders
        .flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten())
        .filter_map(|file| file.metadata().ok())
        .map(|meta| meta.len())
        .sum()
}

/// Calls `each` with id, time and figures of every decision. Gives the number of damaged lines.
pub(crate) fn figures(
    engine: &Engine<ProcessClock>,
    mut each: impl FnMut(&str, u64, DecisionRecord),
) -> Result<u64> {
    let Some((rows, damaged)) = index(engine.store()?).and_then(|index| rows(&index).ok()) else {
        return Ok(engine.each_decision(each)? as u64);
    };
    let mut unread = 0;
    for (id, millis, extract) in rows {
        match extract.and_then(|text| serde_json::from_str(&text).ok()) {
            Some(record) => each(&id, millis, record),
            None => unread += 1,
        }
    }
    Ok(unread + damaged)
}

/// A row of the index: id, time and figures of a decision.
type Row = (String, u64, Option<String>);

/// All rows first, and then their use: what is damaged shows while they are read.
fn rows(index: &Index) -> Result<(Vec<Row>, u64)> {
    let mut rows = Vec::new();
    index.each(KIND, |id, millis, extract| {
        rows.push((id.to_owned(), millis, extract.map(str::to_owned)));
    })?;
    Ok((rows, index.damaged()?))
}

/// Finds a decision by its id, by the end of it (at least six characters), or the `last` one.
pub(crate) fn decision(engine: &Engine<ProcessClock>, id: &str) -> Result<(String, u64, DecisionRecord)> {
    let store = engine.store()?;
    if let Some(index) = index(store) {
        let places = if id == "last" {
            index.latest(KIND).map(|place| place.into_iter().collect())
        } else if id.len() >= 6 {
            index.find(KIND, &id.to_ascii_uppercase())
        } else {
            Ok(Vec::new())
        };
        if let Ok([place]) = places.as_deref()
            && let Some(found) = read(store, place)
        {
            return Ok(found);
        }
    }
    if id == "last" {
        return engine.decision(&latest(engine)?);
    }
    engine.decision(id)
}

/// Reads the record that the index found; `None` when another one stands there.
fn read(store: &Store, place: &Place) -> Option<(String, u64, DecisionRecord)> {
    let record = store.reader_at(&place.log, place.position.clone()).next()?;
    let body = (record.id.as_str() == place.id).then(|| record.body().ok())??;
    Some((place.id.clone(), record.millis, body))
}

fn latest(engine: &Engine<ProcessClock>) -> Result<String> {
    let mut last: Option<(u64, String)> = None;
    engine.each_decision(|id, millis, _| {
        let newer = last.as_ref().is_none_or(|(m, i)| (millis, id) > (*m, i.as_str()));
        if newer {
            last = Some((millis, id.to_owned()));
        }
    })?;
    last.map(|(_, id)| id).ok_or_else(|| {
        Error::new(ErrorKind::Input, "no decision has been recorded here yet")
            .hint("run it in a repository with hooks")
    })
}
