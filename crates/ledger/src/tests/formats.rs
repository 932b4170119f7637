//! Folders as other versions wrote them. `tests/data/format-1` was written by the first version and is
//! never written again; what a later version may add is made up.

use super::operations::Owner;
use super::{Sum, note, number, segment};
use crate::{Durability, Flaw, Grade, Journal, Rebuilt, Store};
use std::path::Path;

/// A copy of the old folder, to work in.
fn old() -> (tempfile::TempDir, Store) {
    let dir = tempfile::TempDir::new().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format-1");
    for file in [
        "state.json",
        "log/w/000001.jsonl",
        "log/w/000002.jsonl",
        "sessions/w.json",
    ] {
        let to = dir.path().join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from.join(file), to).unwrap();
    }
    let store = Store::open(dir.path(), true).unwrap().with_segment_size(700);
    (dir, store)
}

#[test]
fn an_old_folder_is_read_and_continued() {
    let (_dir, store) = old();
    assert_eq!(store.marker().unwrap().created, "2026-02-08T17:44:00.000Z");
    let mut reader = store.reader("w");
    let records: Vec<_> = reader.by_ref().collect();
    assert_eq!(reader.problems(), []);
    assert_eq!(records.iter().map(number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(records.iter().all(|r| r.linked && r.test));
    assert_eq!(records[0].hash, "ea45506d137a01328c6c0bfd55f3c78d");
    let mut journal: Journal<Sum> = store.journal("w").unwrap();
    assert_eq!((journal.rebuilt(), journal.state().total), (None, 15));
    let done = journal.commit(vec![note(6)], Durability::Synced).unwrap();
    assert_eq!(done.records[0].seq, 6);
    assert_eq!(store.fsck(&Owner, None).unwrap().findings, []);
}

#[test]
fn records_of_a_newer_version_hide_nothing() {
    let (_dir, store) = old();
    let last = store.reader("w").last().unwrap();
    // Two newer records, with fields that nobody knows yet, and one of ours behind them.
    let mut text = String::new();
    let mut hash = last.hash;
    for n in 6..=7 {
        let mut line = format!(
            "{{\"v\":2,\"id\":\"01KGYV3T800000000000000{n:03}\",\"at\":{{\"ns\":1}},\"w\":\"w\",\"n\":{n},\"prev\":\"{hash}\",\"sig\":[1]"
        );
        crate::record::seal(&mut line);
        hash = proctor_kernel::Digest::of(line.as_bytes()).as_str().to_owned();
        text.push_str(&line);
        text.push('\n');
    }
    let path = segment(&store, "w", 2);
    let before = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, before + &text).unwrap();
    let appended = store.writer("w").append(&note(8), Durability::Buffered).unwrap();
    assert_eq!(appended.seq, 8);
    let mut reader = store.reader("w");
    let numbers: Vec<u64> = reader.by_ref().map(|r| number(&r)).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 8]);
    assert!(reader.problems().iter().all(|p| p.flaw == Flaw::Version(2)) && reader.problem_count() == 2);
    let report = store.fsck(&Owner, None).unwrap();
    assert_eq!(
        (report.worst(), report.findings.len()),
        (Some(Grade::Note), 2),
        "{report:#?}"
    );
    assert_eq!(report.findings[0].code, "newer_format");
}

#[test]
fn a_snapshot_of_another_version_costs_one_fold() {
    let (_dir, store) = old();
    let path = store.root().join("sessions/w.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let open = text.trim_end().rsplit_once(",\"crc\"").unwrap().0;
    let mut newer = open.replacen("\"fold\":1", "\"fold\":2", 1);
    crate::record::seal(&mut newer);
    std::fs::write(&path, newer).unwrap();
    let journal: Journal<Sum> = store.journal("w").unwrap();
    assert_eq!(
        (journal.rebuilt(), journal.state().total),
        (Some(Rebuilt::Unusable), 15)
    );
    assert_eq!(store.fsck(&Owner, None).unwrap().worst(), Some(Grade::Note));
}

/// Writes the old folder anew; run by hand, and only when the format of version 1 was never released.
#[test]
#[ignore = "writes the files that the others read"]
fn write_the_old_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format-1");
    let mut store = Store::open(&root, false).unwrap().with_segment_size(700);
    store
        .create("01kgyv3t800000000000000001", 1_770_572_640_000)
        .unwrap();
    let mut journal: Journal<Sum> = store.journal("w").unwrap();
    for n in 1..=5 {
        journal.commit(vec![note(n)], Durability::Buffered).unwrap();
    }
    std::fs::remove_file(root.join("log/w/lock")).unwrap();
}
