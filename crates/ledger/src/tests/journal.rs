//! Journals: snapshot, fold, commit.

use super::{Sum, note, segment, store};
use crate::{Durability, Flaw, Fold, Journal, Position, Problem, Rebuilt, Record, Store};
use proctor_kernel::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::fs;

fn journal(store: &Store) -> Journal<Sum> {
    store.journal("w").unwrap()
}

fn commit(store: &Store, n: u64) {
    journal(store)
        .commit(vec![note(n)], Durability::Buffered)
        .unwrap();
}

fn snapshot(store: &Store) -> std::path::PathBuf {
    store.root().join("sessions/w.json")
}

/// Opening a pipe waits until somebody writes into it. What can be had without the file is had.
#[test]
#[cfg(unix)]
fn pipes_are_not_waited_for() {
    type Place = fn(&Store) -> std::path::PathBuf;
    // Whether the log can be read, and written.
    let places: [(Place, bool, bool); 3] = [
        (snapshot, true, true),
        (|store| segment(store, "w", 1), false, false),
        (|store| store.root().join("log/w/lock"), true, false),
    ];
    for (place, reads, writes) in places {
        let (dir, store) = store();
        commit(&store, 1);
        let path = place(&store);
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let read = store.journal::<Sum>("w").map(|j| j.state().total);
            let written = store
                .journal::<Sum>("w")
                .and_then(|mut j| j.commit(vec![note(2)], Durability::Buffered));
            send.send((read.ok(), written.is_ok())).unwrap();
        });
        let (read, written) = receive
            .recv_timeout(std::time::Duration::from_secs(20))
            .unwrap_or_else(|_| panic!("{} was waited for", path.display()));
        assert_eq!((read == Some(1), written), (reads, writes), "{}", path.display());
        drop(dir);
    }
}

#[test]
fn the_state_is_there_again_in_the_next_process() {
    let (_dir, store) = store();
    assert_eq!(
        (journal(&store).rebuilt(), journal(&store).state().total),
        (None, 0)
    );
    for n in 1..=4 {
        let mut j = journal(&store);
        assert_eq!(j.rebuilt(), None);
        let done = j
            .commit(vec![note(n), note(10 * n)], Durability::Buffered)
            .unwrap();
        assert_eq!(
            done.records.iter().map(|r| r.seq).collect::<Vec<_>>(),
            [2 * n - 1, 2 * n]
        );
        assert_eq!((done.caught_up, done.snapshot_error.is_none()), (0, true));
        assert_eq!(j.state(), journal(&store).state());
        assert_eq!(j.position(), journal(&store).position());
    }
    assert_eq!(journal(&store).state().total, 110);
    assert!(store.reader("w").all(|r| r.linked));
}

#[test]
fn a_snapshot_is_only_a_cache() {
    let (_dir, store) = store();
    for n in 1..=3 {
        commit(&store, n);
    }
    let good = fs::read(snapshot(&store)).unwrap();
    let mut torn = good.clone();
    torn[good.trim_ascii_end().len() / 2..].fill(b' ');
    let forged = String::from_utf8(good.clone())
        .unwrap()
        .replace("\"total\":6", "\"total\":7")
        .into_bytes();
    for (bytes, why) in [
        (None, Rebuilt::Missing),
        (Some(Vec::new()), Rebuilt::Unusable),
        (Some(b"{}".to_vec()), Rebuilt::Unusable),
        (Some(b"\xff".to_vec()), Rebuilt::Unusable),
        (Some(torn), Rebuilt::Unusable),
        (Some(forged), Rebuilt::Unusable),
    ] {
        match &bytes {
            Some(bytes) => fs::write(snapshot(&store), bytes).unwrap(),
            None => fs::remove_file(snapshot(&store)).unwrap(),
        }
        let mut j = journal(&store);
        assert_eq!(
            (j.rebuilt(), j.state().seen.as_slice()),
            (Some(why), &[1, 2, 3][..]),
            "{bytes:?}"
        );
        assert_eq!(j.problems(), []);
        j.commit(vec![], Durability::Buffered).unwrap();
        fs::write(snapshot(&store), &good).unwrap();
        assert_eq!(journal(&store).rebuilt(), None);
    }
}

#[test]
fn a_stale_snapshot_is_brought_up_to_date() {
    let (_dir, store) = store();
    let store = store.with_segment_size(600);
    commit(&store, 1);
    let old = fs::read(snapshot(&store)).unwrap();
    for n in 2..=9 {
        commit(&store, n);
    }
    fs::write(snapshot(&store), old).unwrap();
    let mut j = journal(&store);
    assert_eq!((j.rebuilt(), j.state().total), (None, 45));
    j.commit(vec![note(10)], Durability::Buffered).unwrap();
    assert_eq!(journal(&store).state().seen, (1..=10).collect::<Vec<_>>());
    // Records of a plain writer are folded too.
    store.writer("w").append(&note(11), Durability::Buffered).unwrap();
    assert_eq!(journal(&store).state().total, 66);
    let mut j = journal(&store);
    store.writer("w").append(&note(12), Durability::Buffered).unwrap();
    assert_eq!(
        j.commit(vec![note(13)], Durability::Buffered).unwrap().caught_up,
        1
    );
    assert_eq!(j.state().seen, (1..=13).collect::<Vec<_>>());
    store.writer("w").append(&note(14), Durability::Buffered).unwrap();
    assert_eq!((j.refresh().unwrap(), j.refresh().unwrap()), (1, 0));
}

#[test]
fn a_log_other_than_at_the_snapshot_is_noticed() {
    let (_dir, store) = store();
    for n in 1..=3 {
        commit(&store, n);
    }
    let path = segment(&store, "w", 1);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let snap = fs::read(snapshot(&store)).unwrap();
    let mut other = lines[2]
        .get(..lines[2].len() - 18)
        .unwrap()
        .replace("{\"n\":3}", "{\"n\":8}");
    crate::record::seal(&mut other);
    for (lines, total) in [
        (vec![lines[0], lines[1]], 3),          // shortened
        (vec![], 0),                            // emptied
        (vec![lines[0], lines[1], &other], 11), // the last record replaced by one as long
    ] {
        fs::write(&path, lines.iter().map(|l| format!("{l}\n")).collect::<String>()).unwrap();
        fs::write(snapshot(&store), &snap).unwrap();
        let j = journal(&store);
        assert_eq!((j.rebuilt(), j.state().total), (Some(Rebuilt::Rewritten), total));
        assert_eq!(j.problems()[0].flaw, Flaw::Rewritten);
        let mut j = journal(&store);
        j.commit(vec![note(4)], Durability::Buffered).unwrap();
        assert_eq!(journal(&store).state().total, total + 4);
        assert_eq!(journal(&store).rebuilt(), None);
    }
    // The whole folder is gone between opening and committing.
    let mut j = journal(&store);
    fs::remove_dir_all(store.root()).unwrap();
    j.commit(vec![note(5)], Durability::Buffered).unwrap();
    assert_eq!((j.state().total, j.rebuilt()), (5, Some(Rebuilt::Rewritten)));
}

#[test]
fn a_segment_that_is_made_just_now_is_no_other_log() {
    let (_dir, store) = store();
    // Each record stands in a segment of its own.
    let store = store.with_segment_size(1);
    let mut total = 0;
    for number in [1, 4, 7] {
        let mut idle = journal(&store);
        if number > 1 {
            let writer = store.writer("w");
            writer.append(&note(100), Durability::Buffered).unwrap();
            total += 100;
        }
        // A process has made the next segment and is about to write its first record.
        let path = segment(&store, "w", number);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        let mut before = journal(&store);
        assert_eq!((before.state().total, before.rebuilt()), (total, None));
        // Where it is stopped there, a snapshot may be taken.
        idle.transact(Durability::Buffered, |_| Ok(Vec::new())).unwrap();
        let mut after = journal(&store);
        assert_eq!((after.state().total, after.problems()), (total, &[][..]));
        commit(&store, 1);
        after.commit(vec![note(10)], Durability::Buffered).unwrap();
        before.refresh().unwrap();
        total += 11;
        for journal in [before, after] {
            assert_eq!((journal.state().total, journal.problems()), (total, &[][..]));
        }
    }
    // What stood before such a place is looked at all the same.
    let mut idle = journal(&store);
    store.writer("w").append(&note(1), Durability::Buffered).unwrap();
    fs::write(segment(&store, "w", 10), "").unwrap();
    idle.transact(Durability::Buffered, |_| Ok(Vec::new())).unwrap();
    assert_eq!(journal(&store).rebuilt(), None);
    fs::write(segment(&store, "w", 9), "").unwrap();
    assert_eq!(journal(&store).rebuilt(), Some(Rebuilt::Rewritten));
}

#[test]
fn a_torn_tail_is_healed_and_reported() {
    use std::io::Write;
    let (_dir, store) = store();
    commit(&store, 1);
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(segment(&store, "w", 1))
        .unwrap();
    file.write_all(b"{\"v\":1,\"id\":").unwrap();
    let mut j = journal(&store);
    assert_eq!((j.state().total, &j.problems()[0].flaw), (1, &Flaw::Unfinished));
    j.commit(vec![note(2)], Durability::Synced).unwrap();
    assert_eq!(j.state().total, 3);
    let j = journal(&store);
    assert_eq!((j.state().total, j.problems().len(), j.rebuilt()), (3, 0, None));
    assert!(store.reader("w").all(|r| r.linked));
}

#[test]
fn a_line_that_another_process_finishes_is_no_damage() {
    let (_dir, store) = store();
    commit(&store, 1);
    let path = segment(&store, "w", 1);
    let before = fs::read(&path).unwrap();
    commit(&store, 2);
    let after = fs::read(&path).unwrap();
    let half = before.len() + (after.len() - before.len()) / 2;
    let open = || {
        fs::write(&path, &after[..half]).unwrap();
        fs::remove_file(snapshot(&store)).unwrap();
        let j = journal(&store);
        assert_eq!((j.state().total, &j.problems()[0].flaw), (1, &Flaw::Unfinished));
        j
    };
    let mut finished = open();
    fs::write(&path, &after).unwrap();
    finished.commit(vec![note(4)], Durability::Buffered).unwrap();
    assert_eq!((finished.state().total, finished.problems()), (7, &[][..]));
    // Or takes it back, because the disk is full.
    let mut taken_back = open();
    fs::write(&path, &before).unwrap();
    taken_back.commit(vec![note(4)], Durability::Buffered).unwrap();
    assert_eq!((taken_back.state().total, taken_back.problems()), (5, &[][..]));
}

#[test]
fn transact_sees_the_newest_state_and_may_refuse() {
    let (_dir, store) = store();
    let mut a = journal(&store);
    let mut b = journal(&store);
    a.commit(vec![note(5)], Durability::Buffered).unwrap();
    b.transact(Durability::Buffered, |state| Ok(vec![note(state.total * 2)]))
        .unwrap();
    assert_eq!(b.state().seen, [5, 10]);
    let error = b
        .transact(Durability::Buffered, |_| Err(Error::new(ErrorKind::Gate, "no")))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Gate);
    a.commit(vec![note(1)], Durability::Buffered).unwrap();
    assert_eq!(a.state().seen, [5, 10, 1]);
}

#[test]
fn a_state_of_another_form_is_folded_again() {
    #[derive(Default, Serialize, Deserialize)]
    struct Count(u64);
    impl Fold for Count {
        const VERSION: u32 = 2;
        fn apply(&mut self, _: &Record) {
            self.0 += 1;
        }
    }
    let (_dir, store) = store();
    for n in 1..=3 {
        commit(&store, n);
    }
    let mut j: Journal<Count> = store.journal("w").unwrap();
    assert_eq!((j.state().0, j.rebuilt()), (3, Some(Rebuilt::Unusable)));
    j.commit(vec![note(4)], Durability::Buffered).unwrap();
    assert_eq!(store.journal::<Count>("w").unwrap().rebuilt(), None);
    assert_eq!(journal(&store).state().total, 10);
}

#[test]
fn a_state_that_shrinks_leaves_a_good_snapshot() {
    #[derive(Default, Serialize, Deserialize)]
    struct Text(String);
    impl Fold for Text {
        const VERSION: u32 = 1;
        fn apply(&mut self, record: &Record) {
            self.0 = "긴 글 ".repeat(usize::try_from(super::number(record)).unwrap());
        }
    }
    let (_dir, store) = store();
    let mut last = 0;
    for n in [0, 1, 500, 20, 100_000, 0, 3, 90_000, 40_000, 1] {
        let mut j: Journal<Text> = store.journal("w").unwrap();
        assert_eq!((j.rebuilt(), j.state().0.len()), (None, last));
        j.commit(vec![note(n)], Durability::Buffered).unwrap();
        last = j.state().0.len();
    }
    assert!(fs::metadata(snapshot(&store)).unwrap().len() < 1_000_000);
}

/// A state that counts notes, and keeps that records are lost.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Wary {
    notes: u64,
    lost: Vec<String>,
}

impl Fold for Wary {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        match record.kind.as_str() {
            "lost" => self.lost.push(record.body().unwrap()),
            _ => self.notes += 1,
        }
    }

    fn loss(&self, problems: &[Problem], _: &Position) -> Option<(&'static str, serde_json::Value)> {
        let lost = problems.iter().map(ToString::to_string);
        let new = lost.into_iter().find(|p| !self.lost.contains(p))?;
        Some(("lost", new.into()))
    }
}

#[test]
fn lost_records_are_kept_on_record_by_whoever_writes_next() {
    let (_dir, store) = store();
    for n in 1..=3 {
        commit(&store, n);
    }
    let open = || store.journal::<Wary>("w").unwrap();
    open().commit(vec![note(4)], Durability::Buffered).unwrap();
    let path = segment(&store, "w", 1);
    let text = fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap();
    // Two that look at once: one of them keeps it. Who appends nothing keeps nothing.
    let (mut one, mut two) = (open(), open());
    fs::write(&path, format!("{first}\n")).unwrap();
    assert_eq!(
        open()
            .transact(Durability::Buffered, |_| Ok(Vec::new()))
            .unwrap()
            .records,
        []
    );
    for (journal, n) in [(&mut one, 5), (&mut two, 6), (&mut open(), 7)] {
        let done = journal.commit(vec![note(n)], Durability::Buffered).unwrap();
        assert_eq!(done.records.len(), 1, "only those that were asked for");
        assert_eq!(done.records[0].id, *note(n).id());
    }
    let kinds: Vec<_> = store.reader("w").map(|r| r.kind).collect();
    assert_eq!(kinds, ["note", "lost", "note", "note", "note"]);
    let mut reader = store.reader("w");
    assert!(reader.by_ref().all(|r| r.linked) && reader.problems().is_empty());
    assert_eq!((open().state().notes, open().state().lost.len()), (4, 1));
}
