//! What a hook call pays for its part of the log. Run with
//! `cargo test --release -p proctor-ledger cost -- --ignored --nocapture --test-threads 1`.

use crate::{Draft, Durability, Fold, Journal, Record, Store};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

#[derive(Default, Serialize, Deserialize)]
struct Session {
    words: String,
    items: Vec<String>,
    calls: u64,
}

impl Fold for Session {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        if record.kind == "start" {
            self.words = "Add the endpoint. ".repeat(100);
            self.items = (0..40)
                .map(|n| format!("item {n}: the endpoint answers with status {n}"))
                .collect();
        }
        self.calls += 1;
    }
}

fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn hook_calls(root: &std::path::Path) {
    let body = serde_json::json!({ "gates": (0..12).map(|n| format!("gate {n}: {}", "x".repeat(140))).collect::<Vec<_>>() });
    let store = Store::open(root, false).unwrap();
    let mut journal: Journal<Session> = store.journal("claude-1").unwrap();
    journal
        .commit(
            vec![Draft::new(super::stamp(0), "start", &0).unwrap()],
            Durability::Buffered,
        )
        .unwrap();
    let (mut whole, mut load) = (Vec::new(), Vec::new());
    for n in 1..3000 {
        let start = Instant::now();
        let store = Store::open(root, true).unwrap();
        let mut journal: Journal<Session> = store.journal("claude-1").unwrap();
        load.push(start.elapsed());
        let draft = Draft::new(super::stamp(n), "decision", &body).unwrap();
        let done = journal.commit(vec![draft], Durability::Buffered).unwrap();
        whole.push(start.elapsed());
        assert!(done.snapshot_error.is_none() && done.caught_up == 0);
        assert_eq!(journal.state().calls, n + 1);
    }
    let record = store.reader("claude-1").last().unwrap().raw_body().len();
    let snapshot = store.read("sessions/claude-1.json").unwrap().unwrap().len();
    println!(
        "{}: record {record} B, snapshot {snapshot} B; load p50 {:?} p99 {:?}; whole p50 {:?} p99 {:?}",
        root.display(),
        percentiles(load.clone()).0,
        percentiles(load).1,
        percentiles(whole.clone()).0,
        percentiles(whole).1
    );
}

#[test]
#[ignore = "a measurement"]
fn cost_of_a_hook_call() {
    for base in ["/dev/shm", "/var/tmp", "/tmp"] {
        if let Ok(dir) = tempfile::TempDir::new_in(base) {
            hook_calls(&dir.path().join("state"));
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn cost_of_a_synced_append() {
    use std::io::Write;
    let dir = tempfile::TempDir::new().unwrap();
    let store = Store::open(dir.path().join("state"), false).unwrap();
    let writer = store.writer("w");
    let mut raw = std::fs::File::create(dir.path().join("raw")).unwrap();
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for n in 0..200 {
        let start = Instant::now();
        writer.append(&super::note(n), Durability::Synced).unwrap();
        ours.push(start.elapsed());
        let start = Instant::now();
        raw.write_all(&[b'x'; 250]).unwrap();
        raw.sync_data().unwrap();
        plain.push(start.elapsed());
    }
    println!(
        "synced append p50 {:?}, raw write and fdatasync p50 {:?}",
        percentiles(ours).0,
        percentiles(plain).0
    );
}
