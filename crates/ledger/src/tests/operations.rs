//! Every single file operation fails, in every way, in every place; and the power goes at any moment.

use super::{Sum, note, numbers};
use crate::disk::simulated::{FAILURES, Failure, arm, disarm, forget, lose_power};
use crate::fsck::{Grade, Knowledge, SnapshotCheck, check_snapshot};
use crate::{Durability, Journal, Store};
use std::path::Path;
use std::time::Duration;

/// An empty folder in memory where there is such a place: thousands of syncs take their time elsewhere.
fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::TempDir::new_in("/dev/shm")
        .or_else(|_| tempfile::TempDir::new())
        .unwrap();
    let store = Store::open(dir.path().join("state"), false).unwrap();
    (dir, store)
}

/// What a piece of work was told.
#[derive(Debug, Default)]
struct Told {
    /// Numbers of records that were acknowledged, and whether as synced.
    acknowledged: Vec<(u64, bool)>,
    /// Numbers of records for which there was an error.
    refused: Vec<u64>,
    /// Changes of a small file that were acknowledged.
    changes: u64,
}

impl Told {
    fn note(&mut self, numbers: &[u64], synced: bool, outcome: &proctor_kernel::Result<impl Sized>) {
        if outcome.is_ok() {
            self.acknowledged.extend(numbers.iter().map(|n| (*n, synced)));
        } else {
            self.refused.extend(numbers);
        }
    }

    fn numbers(&self) -> Vec<u64> {
        self.acknowledged.iter().map(|(n, _)| *n).collect()
    }
}

/// Sets a folder up and works in it, as several short processes do: whoever fails, the next one goes on.
fn work(root: &Path, told: &mut Told) {
    let open = || {
        let store = Store::open(root, false)?;
        Ok::<_, proctor_kernel::Error>(
            store
                .with_segment_size(700)
                .with_lock_wait(Duration::from_millis(20)),
        )
    };
    for round in 0..4 {
        let Ok(mut store) = open() else { continue };
        let _ = store.create("id", 1);
        let first = round * 3 + 1;
        if let Ok(mut journal) = store.journal::<Sum>("w") {
            let durability = [Durability::Synced, Durability::Buffered][(round % 2) as usize];
            let outcome = journal.commit(vec![note(first), note(first + 1)], durability);
            told.note(&[first, first + 1], durability == Durability::Synced, &outcome);
            if outcome.is_ok() {
                assert_eq!(journal.state().seen, told.numbers());
            }
            // A journal that met an error goes on with the next call as if it were new.
            if journal.refresh().is_ok() && outcome.is_ok() {
                assert_eq!(journal.state().seen, told.numbers());
            }
        }
        let outcome = store.writer("w").append(&note(first + 2), Durability::Synced);
        told.note(&[first + 2], true, &outcome);
        told.changes += u64::from(store.update_json("count.json", |n: &mut u64| *n += 1).is_ok());
    }
}

/// Knows the state of these tests.
pub(super) struct Owner;

impl Knowledge for Owner {
    fn snapshot(&self, store: &Store, log: &str) -> SnapshotCheck {
        check_snapshot::<Sum>(store, log)
    }

    fn reads(&self, _file: &str, bytes: &[u8]) -> bool {
        serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
    }

    fn worth(&self, _file: &str) -> &'static str {
        ""
    }
}

/// The log goes on, whatever happened.
fn goes_on(root: &Path, before: &[u64]) {
    let store = Store::open(root, false).unwrap();
    let mut journal: Journal<Sum> = store.journal("w").unwrap();
    assert_eq!(journal.state().seen, before);
    journal.commit(vec![note(1000)], Durability::Synced).unwrap();
    let records: Vec<_> = store.reader("w").collect();
    assert!(records.iter().all(|r| r.linked));
    assert!(records.iter().zip(1..).all(|(r, n)| r.seq == n));
    assert_eq!(numbers(&store, "w"), [before, &[1000]].concat());
}

#[test]
fn the_failure_of_any_operation_loses_nothing() {
    let mut runs = 0;
    for failure in FAILURES {
        for n in 1.. {
            let (_dir, empty) = store();
            let root = empty.root();
            let mut told = Told::default();
            arm(n, failure);
            work(root, &mut told);
            let Some(op) = disarm() else { break };
            runs += 1;
            let store = Store::open(root, false).unwrap();
            let found = numbers(&store, "w");
            let expected = told.numbers();
            let context = format!("{failure:?} of operation {n} ({op:?}): {told:?}");
            if matches!(failure, Failure::Stopped | Failure::StoppedHalfway) {
                // The record in flight may be there or not; its call never returned.
                let more = found.strip_prefix(expected.as_slice());
                let more = more.unwrap_or_else(|| panic!("{found:?}\n{context}"));
                let first: Vec<u64> = told.refused.iter().copied().take(more.len()).collect();
                assert_eq!(more, first, "{context}");
                assert!(more.len() <= 2, "{context}");
            } else {
                assert_eq!(found, expected, "{context}");
            }
            let count = store.read_json::<u64>("count.json").unwrap().unwrap_or(0);
            assert!(
                (told.changes..=told.changes + 1).contains(&count),
                "{count}: {context}"
            );
            let report = store.fsck(&Owner, None).unwrap();
            assert!(report.worst() <= Some(Grade::Note), "{report:#?}\n{context}");
            goes_on(root, &found);
        }
    }
    // Fewer would mean that operations go past the seam.
    println!("{runs} runs");
    assert!(runs > 500, "{runs}");
}

#[test]
fn what_was_synced_outlives_the_power() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut dice = move |sides: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % sides
    };
    let mut lost = 0;
    for round in 0..200 {
        forget();
        let (_dir, empty) = store();
        let root = empty.root();
        let mut told = Told::default();
        // Somewhere in the work, or after all of it.
        arm(
            1 + dice(220),
            [Failure::Stopped, Failure::StoppedHalfway][(round % 2) as usize],
        );
        work(root, &mut told);
        disarm();
        lose_power(root.parent().unwrap(), &mut dice);
        let store = Store::open(root, false).unwrap();
        let found = numbers(&store, "w");
        // Everything up to the last acknowledgement of a sync.
        let last = told
            .acknowledged
            .iter()
            .rposition(|(_, synced)| *synced)
            .map_or(0, |at| at + 1);
        let all = told.numbers();
        let kept = found.len().min(last);
        assert_eq!(found[..kept], all[..last], "{told:?}");
        // And nothing that was never written.
        let mut written = all.clone();
        written.extend(&told.refused);
        assert!(written.starts_with(&found), "{found:?} {told:?}");
        lost += all.len().saturating_sub(found.len());
        // Whatever is left is looked over and worked with.
        store.fsck(&Owner, Some(1)).unwrap();
        assert_eq!(numbers(&store, "w"), found);
        goes_on(root, &found);
    }
    // Unsynced records do get lost here: the simulation is not too kind.
    assert!(lost > 10, "{lost}");
    forget();
}

#[test]
fn a_log_that_cannot_be_read_for_a_moment_is_not_forked() {
    let (_dir, store) = store();
    for n in 1..=3 {
        store.writer("w").append(&note(n), Durability::Buffered).unwrap();
    }
    // A torn tail makes the writer read; that reading fails.
    let path = super::segment(&store, "w", 1);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"v\":1,\"torn");
    std::fs::write(&path, bytes).unwrap();
    for n in 1..60 {
        arm(n, Failure::Device);
        let outcome = store.writer("w").append(&note(9), Durability::Buffered);
        let hit = disarm();
        if outcome.is_ok() {
            assert_eq!(hit, None, "only what cannot fail may go well");
            break;
        }
        assert_eq!(numbers(&store, "w"), [1, 2, 3]);
    }
    assert_eq!(numbers(&store, "w"), [1, 2, 3, 9]);
}
