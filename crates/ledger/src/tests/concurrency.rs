//! Many writers of one log at once. Every thread has handles of its own, so the locks work between
//! them as between processes.

use super::{Sum, note, number, store};
use crate::{Durability, Journal, Store};
use std::time::Duration;

const WRITERS: u64 = 16;
const EACH: u64 = 40;

#[test]
fn sixteen_plain_writers_lose_nothing() {
    let (_dir, store) = store();
    let store = store
        .with_segment_size(20_000)
        .with_lock_wait(Duration::from_secs(60));
    std::thread::scope(|scope| {
        for w in 0..WRITERS {
            let store = &store;
            scope.spawn(move || {
                for n in 0..EACH {
                    store
                        .writer("w")
                        .append(&note(w * EACH + n), Durability::Buffered)
                        .unwrap();
                }
            });
        }
        // A reader in between meets unfinished lines at most, never a bad one.
        let store = &store;
        scope.spawn(move || {
            for _ in 0..30 {
                let mut reader = store.reader("w");
                assert!(reader.by_ref().all(|r| r.linked));
                assert!(
                    reader
                        .problems()
                        .iter()
                        .all(|p| p.flaw == crate::Flaw::Unfinished),
                    "{:?}",
                    reader.problems()
                );
            }
        });
    });
    let mut reader = store.reader("w");
    let records: Vec<_> = reader.by_ref().collect();
    assert_eq!(reader.problems(), []);
    assert!(records.iter().zip(1..).all(|(r, n)| r.linked && r.seq == n));
    let mut all: Vec<u64> = records.iter().map(number).collect();
    all.sort_unstable();
    assert_eq!(all, (0..WRITERS * EACH).collect::<Vec<_>>());
}

#[test]
fn sixteen_hooks_of_one_session_lose_no_record_and_no_update() {
    let (_dir, store) = store();
    let store = store
        .with_segment_size(20_000)
        .with_lock_wait(Duration::from_secs(60));
    std::thread::scope(|scope| {
        for w in 0..WRITERS {
            let store = &store;
            scope.spawn(move || {
                for n in 0..EACH {
                    let mut journal: Journal<Sum> = store.journal("w").unwrap();
                    let done = journal
                        .commit(vec![note(w * EACH + n)], Durability::Buffered)
                        .unwrap();
                    assert!(done.snapshot_error.is_none());
                    assert!(journal.state().seen.contains(&(w * EACH + n)));
                }
            });
        }
    });
    let journal: Journal<Sum> = store.journal("w").unwrap();
    assert_eq!((journal.rebuilt(), journal.problems()), (None, &[][..]));
    let total = WRITERS * EACH;
    assert_eq!(journal.state().total, total * (total - 1) / 2);
    let logged: Vec<u64> = store.reader("w").map(|r| number(&r)).collect();
    assert_eq!(journal.state().seen, logged);
}

#[test]
fn transactions_count_without_gaps() {
    let (_dir, store) = store();
    let store = store.with_lock_wait(Duration::from_secs(60));
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                for _ in 0..10 {
                    let mut journal: Journal<Sum> = store.journal("w").unwrap();
                    journal
                        .transact(Durability::Buffered, |state| {
                            Ok(vec![note(state.seen.len() as u64)])
                        })
                        .unwrap();
                }
            });
        }
    });
    let journal: Journal<Sum> = store.journal("w").unwrap();
    assert_eq!(journal.state().seen, (0..WRITERS * 10).collect::<Vec<_>>());
}

#[test]
fn small_files_keep_every_change() {
    let (_dir, store) = store();
    let store = store.with_lock_wait(Duration::from_secs(60));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    store.update_json("breakers.json", |n: &mut u64| *n += 1).unwrap();
                }
            });
        }
    });
    assert_eq!(store.read_json::<u64>("breakers.json").unwrap(), Some(160));
    let names: Vec<_> = std::fs::read_dir(store.root())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_lock_that_is_held_for_long_is_an_error_in_time() {
    let (_dir, store) = store();
    store.writer("w").append(&note(1), Durability::Buffered).unwrap();
    let lock = std::fs::File::open(store.root().join("log/w/lock")).unwrap();
    lock.lock().unwrap();
    let impatient: Store = store.clone().with_lock_wait(Duration::from_millis(30));
    let start = std::time::Instant::now();
    let error = impatient
        .writer("w")
        .append(&note(2), Durability::Buffered)
        .unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(error.kind(), proctor_kernel::ErrorKind::Store);
    assert!(error.to_string().contains("locked"), "{error}");
    assert!(error.to_string().ends_with("not free within 30 ms"), "{error}");
    assert!(crate::is_busy(&error));
    drop(lock);
    impatient
        .writer("w")
        .append(&note(2), Durability::Buffered)
        .unwrap();
    assert_eq!(super::numbers(&store, "w"), [1, 2]);
}
