//! Tests of the crate as a whole: what a caller may rely on.

mod concurrency;
mod cost;
mod exchange;
mod faults;
mod formats;
mod fsck;
mod journal;
mod model;
mod operations;
mod reading;
mod store;
mod writing;

use crate::{Draft, Fold, Record, Stamp, Store};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

/// A stamp that differs for each number.
fn stamp(n: u64) -> Stamp {
    let mut random = [0; 10];
    for (to, from) in random.iter_mut().zip(n.to_le_bytes()) {
        *to = from;
    }
    Stamp {
        millis: 1_770_572_640_000 + n,
        random,
        test: true,
    }
}

/// A record of kind `note` that holds a number.
fn note(n: u64) -> Draft {
    Draft::new(stamp(n), "note", &serde_json::json!({ "n": n })).unwrap()
}

fn number(record: &Record) -> u64 {
    record.body::<serde_json::Value>().unwrap()["n"].as_u64().unwrap()
}

fn store() -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path().join("state"), false).unwrap();
    (dir, store)
}

/// The numbers in a writer's log.
fn numbers(store: &Store, name: &str) -> Vec<u64> {
    store.reader(name).map(|r| number(&r)).collect()
}

fn segment(store: &Store, name: &str, n: u32) -> std::path::PathBuf {
    store.root().join("log").join(name).join(format!("{n:06}.jsonl"))
}

/// Sum and list of all notes.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sum {
    total: u64,
    seen: Vec<u64>,
}

impl Fold for Sum {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        self.total += number(record);
        self.seen.push(number(record));
    }
}
