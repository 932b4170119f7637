//! What is found in a damaged or changed state folder, and what a repair does about it.

use super::operations::Owner;
use super::{Sum, note, numbers, segment, store};
use crate::{Durability, Finding, Grade, Journal, Report, Store};
use proptest::prelude::*;
use std::fs;
use std::io::Write;

fn look(store: &Store) -> Report {
    store.fsck(&Owner, None).unwrap()
}

fn repair(store: &Store) -> Report {
    store.fsck(&Owner, Some(7)).unwrap()
}

fn codes(report: &Report) -> Vec<(Grade, &'static str)> {
    report.findings.iter().map(|f| (f.grade, f.code)).collect()
}

/// A folder with a log of `n` records and its snapshot.
fn filled(n: u64) -> (tempfile::TempDir, Store) {
    let (dir, mut store) = store();
    store.create("id", 1).unwrap();
    let mut journal: Journal<Sum> = store.journal("w").unwrap();
    for k in 1..=n {
        journal.commit(vec![note(k)], Durability::Buffered).unwrap();
    }
    (dir, store)
}

fn lines(store: &Store) -> Vec<String> {
    let text = fs::read_to_string(segment(store, "w", 1)).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn put(store: &Store, lines: &[String]) {
    fs::write(segment(store, "w", 1), lines.join("\n") + "\n").unwrap();
}

/// A line with a new text and a right checksum.
fn forged(line: &str, from: &str, to: &str) -> String {
    let open = line.rsplit_once(",\"crc\"").unwrap().0;
    assert!(open.contains(from));
    let mut line = open.replace(from, to);
    crate::record::seal(&mut line);
    line
}

#[test]
fn a_folder_in_order() {
    let (_dir, store) = filled(5);
    let report = look(&store);
    assert_eq!(report.findings, []);
    assert_eq!(report.worst(), None);
    assert_eq!((report.logs[0].records, report.logs[0].test_records), (5, 5));
    assert_eq!((report.snapshots, report.set_aside), (1, 0));
    // A folder that was never there is in order, and a look does not make it.
    let (_dir, empty) = super::store();
    assert_eq!(look(&empty), Report::default());
    assert!(!empty.root().exists());
}

/// What a change of the log's lines is reported as.
type Case = (
    &'static str,
    fn(&mut Vec<String>),
    &'static [(Grade, &'static str)],
);

#[test]
fn changes_of_a_log_and_how_they_are_reported() {
    use Grade::{Damage, Note, Tampering};
    let cases: &[Case] = &[
        (
            "a record loses a letter",
            |l| l[2] = l[2].replace("note", "nte"),
            &[(Damage, "checksum")],
        ),
        (
            "a record is cut short",
            |l| l[2].truncate(60),
            &[(Damage, "torn")],
        ),
        (
            "garbage that nobody counted stands in the middle",
            |l| l.insert(2, "garbage".into()),
            &[(Note, "torn")],
        ),
        (
            "a record is removed",
            |l| drop(l.remove(2)),
            &[(Tampering, "records_missing")],
        ),
        (
            "the first record is removed",
            |l| drop(l.remove(0)),
            &[(Tampering, "records_missing")],
        ),
        (
            "a record is changed and its checksum made anew",
            |l| l[2] = forged(&l[2], "{\"n\":3}", "{\"n\":9}"),
            &[
                (Tampering, "record_changed"),
                (Grade::Note, "snapshot_knows_more"),
            ],
        ),
        (
            "two records change places",
            |l| l.swap(1, 2),
            &[
                (Tampering, "records_missing"),
                (Tampering, "out_of_order"),
                (Tampering, "records_missing"),
                (Note, "snapshot_knows_more"),
            ],
        ),
        (
            "a record is repeated",
            |l| l.insert(2, l[1].clone()),
            &[(Tampering, "out_of_order"), (Tampering, "log_rewritten")],
        ),
        (
            "the last records are removed",
            |l| l.truncate(3),
            &[(Tampering, "log_rewritten")],
        ),
        (
            "the last record is changed, checksum and all",
            |l| *l.last_mut().unwrap() = forged(l.last().unwrap(), "{\"n\":5}", "{\"n\":8}"),
            &[(Tampering, "log_rewritten")],
        ),
        (
            "a record of another writer is put in",
            |l| l[1] = forged(&l[1], "\"w\":\"w\"", "\"w\":\"x\""),
            &[
                (Tampering, "foreign"),
                (Tampering, "record_changed"),
                (Note, "snapshot_knows_more"),
            ],
        ),
        (
            "two lines lose the line end between them",
            |l| {
                let next = l.remove(3);
                l[2].push_str(&next);
            },
            &[(Note, "glued"), (Tampering, "log_rewritten")],
        ),
    ];
    for (name, change, expected) in cases {
        let (_dir, store) = filled(5);
        let mut all = lines(&store);
        let length = fs::metadata(segment(&store, "w", 1)).unwrap().len();
        change(&mut all);
        put(&store, &all);
        let report = look(&store);
        let mut found = codes(&report);
        // Where the file has another length, the snapshot does not stand at a line end any more.
        let moved = fs::metadata(segment(&store, "w", 1)).unwrap().len() != length;
        if moved && !expected.contains(&(Tampering, "log_rewritten")) {
            assert_eq!(found.pop(), Some((Tampering, "log_rewritten")), "{name}");
        }
        assert_eq!(found, *expected, "{name}: {:#?}", report.findings);
        for finding in &report.findings {
            assert!(
                !finding.what.is_empty() && !finding.lost.is_empty(),
                "{finding:?}"
            );
        }
    }
}

#[test]
fn a_place_is_named_with_file_offset_and_record() {
    let (_dir, store) = filled(3);
    let mut all = lines(&store);
    let offset = all[0].len() as u64 + 1;
    let id = store.reader("w").nth(1).unwrap().id.to_string();
    all[1] = all[1].replace("note", "nope");
    put(&store, &all);
    let report = look(&store);
    let expected = Finding {
        grade: Grade::Damage,
        code: "checksum",
        file: "log/w/000001.jsonl".to_owned(),
        offset: Some(offset),
        record: Some(id),
        what: "the checksum does not belong to the line".to_owned(),
        lost: "record 2; the records before and after are whole".to_owned(),
        repair: None,
        repaired: false,
    };
    assert_eq!(report.findings[0], expected);
    assert_eq!(report.logs[0].records, 2);
}

#[test]
fn a_torn_end_is_set_aside_and_nothing_is_lost() {
    for tail in [&b"{\"v\":1,\"id\":\"0"[..], b"garbage\n\0\0\0\n", &[0xff; 3000]] {
        let (_dir, store) = filled(3);
        let path = segment(&store, "w", 1);
        let whole = fs::read(&path).unwrap();
        fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(tail)
            .unwrap();
        let before = look(&store);
        assert!(!before.findings.is_empty());
        assert_eq!(
            fs::read(&path).unwrap(),
            [&whole, tail].concat(),
            "a look changes nothing"
        );
        assert!(!store.root().join("quarantine").exists());
        let report = repair(&store);
        assert!(report.findings.iter().all(|f| f.repaired), "{report:#?}");
        assert_eq!(fs::read(&path).unwrap(), whole);
        let aside: Vec<_> = fs::read_dir(store.root().join("quarantine"))
            .unwrap()
            .map(|e| fs::read(e.unwrap().path()).unwrap())
            .collect();
        assert_eq!(aside, [tail]);
        let after = look(&store);
        assert_eq!((after.findings.len(), after.set_aside), (0, 1));
        store.writer("w").append(&note(4), Durability::Buffered).unwrap();
        assert_eq!(numbers(&store, "w"), [1, 2, 3, 4]);
    }
}

#[test]
fn a_record_with_garbage_on_its_line_is_not_cut_off() {
    let (_dir, store) = filled(3);
    let path = segment(&store, "w", 1);
    let mut text = fs::read_to_string(&path).unwrap();
    text.truncate(text.len() - 1);
    text.push_str("garbage behind the last record\n");
    fs::write(&path, &text).unwrap();
    let report = repair(&store);
    assert_eq!(numbers(&store, "w"), [1, 2, 3], "{report:#?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_segment_of_garbage_is_emptied_and_the_log_goes_on() {
    let (_dir, store) = filled(3);
    fs::write(segment(&store, "w", 2), "garbage").unwrap();
    repair(&store);
    assert_eq!(look(&store).findings, []);
    assert_eq!(
        store
            .writer("w")
            .append(&note(4), Durability::Buffered)
            .unwrap()
            .seq,
        4
    );
}

#[test]
fn a_segment_that_is_gone() {
    let (_dir, store) = filled(3);
    let store = store.with_segment_size(300);
    for n in 4..=6 {
        store.writer("w").append(&note(n), Durability::Buffered).unwrap();
    }
    fs::remove_file(segment(&store, "w", 2)).unwrap();
    let report = look(&store);
    assert_eq!(
        codes(&report),
        [
            (Grade::Tampering, "segment_missing"),
            (Grade::Tampering, "records_missing")
        ]
    );
    assert!(report.findings[1].lost.starts_with("record 4;"), "{report:#?}");
}

#[test]
fn snapshots_that_are_not_what_the_log_says() {
    // Damaged: a repair sets it aside, the state is the same.
    let (_dir, store) = filled(3);
    let path = store.root().join("sessions/w.json");
    fs::write(&path, "half").unwrap();
    assert_eq!(codes(&look(&store)), [(Grade::Note, "snapshot_unusable")]);
    assert!(repair(&store).findings[0].repaired);
    assert!(!path.exists());
    assert_eq!(look(&store).findings, []);
    let journal: Journal<Sum> = store.journal("w").unwrap();
    assert_eq!(journal.state().seen, [1, 2, 3]);

    // Whole and sealed, but a lie.
    let (_dir, store) = filled(3);
    let path = store.root().join("sessions/w.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        forged(text.trim_end(), "\"total\":6", "\"total\":7") + "\n",
    )
    .unwrap();
    assert_eq!(codes(&look(&store)), [(Grade::Tampering, "snapshot_differs")]);

    // The log is gone, the snapshot tells.
    let (_dir, store) = filled(3);
    fs::remove_dir_all(store.root().join("log/w")).unwrap();
    let report = look(&store);
    assert_eq!(codes(&report), [(Grade::Tampering, "log_rewritten")]);
    assert!(report.findings[0].what.contains("record 3"), "{report:#?}");

    // Behind the log is no fault.
    let (_dir, store) = filled(3);
    store.writer("w").append(&note(4), Durability::Buffered).unwrap();
    assert_eq!(look(&store).findings, []);
}

#[test]
fn markers_and_small_files() {
    let (_dir, store) = filled(1);
    fs::write(store.root().join("breakers.json"), "{").unwrap();
    fs::create_dir(store.root().join("launches")).unwrap();
    fs::write(store.root().join("launches/x.1-2.tmp"), "").unwrap();
    fs::remove_file(store.root().join("state.json")).unwrap();
    let store = Store::open(store.root(), true).unwrap();
    let expected = [
        (Grade::Tampering, "marker_missing"),
        (Grade::Damage, "file_damaged"),
        (Grade::Note, "temporary"),
    ];
    assert_eq!(codes(&look(&store)), expected);
    let report = repair(&store);
    assert_eq!(codes(&report), expected);
    // The marker stays missing, so that the next event tells the user.
    assert_eq!(codes(&look(&store)), expected[..1]);
    let mut store = Store::open(store.root(), true).unwrap();
    store.create("id", 5).unwrap();
    assert!(Store::open(store.root(), true).unwrap().marker().unwrap().lost);
    let report = look(&Store::open(store.root(), true).unwrap());
    assert_eq!(codes(&report), [(Grade::Note, "state_replaced")]);
    // All of it gone.
    fs::remove_dir_all(store.root()).unwrap();
    let store = Store::open(store.root(), true).unwrap();
    assert_eq!(codes(&look(&store)), [(Grade::Tampering, "state_missing")]);
    assert!(!store.root().exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let (dir, store) = filled(2);
    let elsewhere = dir.path().join("elsewhere");
    fs::rename(store.root().join("log/w"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, store.root().join("log/w")).unwrap();
    assert!(codes(&look(&store)).contains(&(Grade::Tampering, "no_folder")));
}

#[test]
fn a_log_of_garbage_is_looked_through_with_bounded_memory() {
    let (_dir, store) = filled(1);
    fs::write(segment(&store, "w", 2), "x\n".repeat(200_000)).unwrap();
    let report = look(&store);
    assert_eq!(report.findings.len(), 1000);
    assert_eq!(report.logs[0].unlisted, 199_000);
    // Behind it a good record stands, and the garbage was never counted.
    store.writer("w").append(&note(2), Durability::Buffered).unwrap();
    let report = look(&store);
    assert_eq!(report.worst(), Some(Grade::Note));
    assert_eq!((report.findings.len(), report.logs[0].records), (1000, 2));
}

#[test]
fn a_log_that_was_overwritten_from_its_beginning_is_not_in_order() {
    for bytes in [
        &b"garbage\ngarbage\ngarbage\n"[..],
        b"garbage",
        &[0; 200],
        b"{\"v\":1,\"id\":7}\n",
    ] {
        let (_dir, store) = filled(3);
        fs::remove_file(store.root().join("sessions/w.json")).unwrap();
        fs::write(segment(&store, "w", 1), bytes).unwrap();
        // A repair must not take away what shows it, nor do records that follow.
        for _ in 0..2 {
            let report = repair(&store);
            assert!(
                codes(&report).contains(&(Grade::Damage, "overwritten")),
                "{report:#?}"
            );
        }
        store.writer("w").append(&note(9), Durability::Buffered).unwrap();
        let report = look(&store);
        assert_eq!(report.worst(), Some(Grade::Damage), "{report:#?}");
        assert_eq!(super::numbers(&store, "w"), [9]);
    }
    // What a process leaves that is stopped at the first record of all.
    let (_dir, store) = filled(1);
    let first = fs::read_to_string(segment(&store, "w", 1)).unwrap();
    fs::remove_file(store.root().join("sessions/w.json")).unwrap();
    for length in 1..first.len() - 1 {
        fs::write(segment(&store, "w", 1), first.get(..length).unwrap()).unwrap();
        assert_eq!(look(&store).worst(), Some(Grade::Note), "{length}");
        store.writer("w").append(&note(2), Durability::Buffered).unwrap();
        assert_eq!(look(&store).worst(), Some(Grade::Note), "{length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever happened to the bytes: a repair never takes a record away that a reader gave before.
    #[test]
    fn a_repair_never_loses_a_record(cuts in proptest::collection::vec((0_usize..2000, any::<u8>()), 0..6), tail in proptest::collection::vec(any::<u8>(), 0..80)) {
        let (_dir, store) = filled(6);
        let path = segment(&store, "w", 1);
        let mut bytes = fs::read(&path).unwrap();
        for (at, byte) in cuts {
            if let Some(b) = bytes.get_mut(at) {
                *b = byte;
            }
        }
        bytes.extend_from_slice(&tail);
        fs::write(&path, &bytes).unwrap();
        let before: Vec<_> = store.reader("w").map(|r| (r.id, r.hash)).collect();
        repair(&store);
        let after: Vec<_> = store.reader("w").map(|r| (r.id, r.hash)).collect();
        prop_assert_eq!(&before, &after);
        // What is left to say after a repair is not mendable, or notes.
        let left = look(&store);
        prop_assert!(left.findings.iter().all(|f| f.repair.is_none() || f.grade == Grade::Note || f.code == "torn" || f.code == "unfinished"), "{:#?}", left.findings);
    }
}
