//! One decision among many, as `explain` looks for it: by the index where the logs are long.

use crate::clock::ProcessClock;
use proctor_engine::Engine;
use proctor_engine::record::{DecisionRecord, KIND};
use proctor_engine::unjudged::Noted;
use proctor_index::{Extract, FILE, Index, Place};
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_ledger::{Record, Store};

/// Logs of fewer bytes than this are read faster than an index is kept (`docs/BENCHMARKS.md`).
const MANY: u64 = 4 << 20;

/// The index keeps places alone. Figures of all decisions are read from the logs: an index that held them
/// was hardly faster, and as large as the logs (`docs/RELIABILITY.md`).
pub(crate) struct Places;

impl Extract for Places {
    const VERSION: u32 = 2;

    fn extract(_record: &Record) -> Option<String> {
        None
    }
}

/// The index, where it pays. Whatever is wrong with it, the logs themselves have the answers.
fn index(store: &Store) -> Option<Index> {
    if !store.root().join(FILE).exists() && bytes(store) < MANY {
        return None;
    }
    Index::open::<Places>(store).ok()
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

/// Finds an event that could not be judged, as a decision is found; `last` where it is later than every decision.
pub(crate) fn unjudged(engine: &Engine<ProcessClock>, id: &str) -> Result<Option<Noted>> {
    let all = engine.unjudged()?;
    if id != "last" {
        let end = id.to_ascii_uppercase();
        let is_it =
            |noted: &Noted| noted.id.as_str() == end || id.len() >= 6 && noted.id.as_str().ends_with(&end);
        return Ok(all.into_iter().find(is_it));
    }
    let Some(noted) = all.into_iter().max_by_key(|noted| noted.millis) else {
        return Ok(None);
    };
    let decided = decision(engine, "last").is_ok_and(|(_, millis, _)| millis > noted.millis);
    Ok((!decided).then_some(noted))
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
