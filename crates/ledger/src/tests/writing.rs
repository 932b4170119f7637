//! Appending.

use super::{note, number, numbers, segment, store};
use crate::{Durability, Position, Stamp};
use std::fs::OpenOptions;
use std::io::Write;

#[test]
fn a_record_has_the_documented_form() {
    let (_dir, store) = store();
    let stamp = Stamp {
        millis: 1_770_572_640_123,
        random: [7; 10],
        test: false,
    };
    let draft = crate::Draft::new(stamp, "note", &serde_json::json!({ "text": "안녕\n\"x\"" })).unwrap();
    let appended = store
        .writer("claude-1")
        .append(&draft, Durability::Buffered)
        .unwrap();
    let text = std::fs::read_to_string(segment(&store, "claude-1", 1)).unwrap();
    let crc = format!(
        "{:08x}",
        crc32fast::hash(text.get(..text.len() - 19).unwrap().as_bytes())
    );
    assert_eq!(
        text,
        format!(
            "{{\"v\":1,\"id\":\"{}\",\"at\":\"2026-02-08T17:44:00.123Z\",\"w\":\"claude-1\",\"n\":1,\"prev\":\"\",\
             \"kind\":\"note\",\"body\":{{\"text\":\"안녕\\n\\\"x\\\"\"}},\"crc\":\"{crc}\"}}\n",
            draft.id()
        )
    );
    assert_eq!(
        (appended.seq, appended.segment, appended.offset, appended.bytes),
        (1, 1, 0, text.len() as u64)
    );
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["crc"],
        crc.as_str()
    );
}

#[test]
fn records_are_chained_across_segments() {
    let (_dir, store) = store();
    let store = store.with_segment_size(600);
    let writer = store.writer("w");
    for n in 1..=20 {
        let appended = writer.append(&note(n), Durability::Buffered).unwrap();
        assert_eq!(appended.seq, n);
    }
    assert!(segment(&store, "w", 5).exists());
    let mut reader = store.reader("w");
    let records: Vec<_> = reader.by_ref().collect();
    assert_eq!(
        records.iter().map(number).collect::<Vec<_>>(),
        (1..=20).collect::<Vec<_>>()
    );
    assert!(records.iter().all(|r| r.linked && r.test));
    for pair in records.windows(2) {
        assert_eq!(pair[1].prev, pair[0].hash);
    }
    assert_eq!(reader.problems(), []);
}

#[test]
fn a_missing_line_end_is_healed() {
    // Torn in the middle, torn before the line end, garbage, garbage that is not UTF-8, zeros.
    for tail in [
        &b"{\"v\":1,\"id\":\"01"[..],
        b"garbage",
        b"\xff\xfe",
        b"\0\0\0\0",
        b"x\ny",
    ] {
        let (_dir, store) = store();
        let writer = store.writer("w");
        writer.append(&note(1), Durability::Buffered).unwrap();
        let path = segment(&store, "w", 1);
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(tail)
            .unwrap();
        let appended = writer.append(&note(2), Durability::Synced).unwrap();
        assert_eq!(appended.seq, 2);
        writer.append(&note(3), Durability::Buffered).unwrap();
        let mut reader = store.reader("w");
        let records: Vec<_> = reader.by_ref().collect();
        assert_eq!(
            records.iter().map(number).collect::<Vec<_>>(),
            [1, 2, 3],
            "{tail:?}"
        );
        assert!(records.iter().all(|r| r.linked));
        assert_eq!(records[1].offset, appended.offset);
        assert!(!reader.problems().is_empty());
    }
}

#[test]
fn a_record_that_lacks_only_its_line_end_is_kept() {
    let (_dir, store) = store();
    let writer = store.writer("w");
    writer.append(&note(1), Durability::Buffered).unwrap();
    let path = segment(&store, "w", 1);
    let text = std::fs::read(&path).unwrap();
    std::fs::write(&path, text.strip_suffix(b"\n").unwrap()).unwrap();
    assert_eq!(numbers(&store, "w"), [1]);
    assert_eq!(writer.append(&note(2), Durability::Buffered).unwrap().seq, 2);
    let mut reader = store.reader("w");
    assert_eq!(reader.by_ref().map(|r| number(&r)).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(reader.problems(), []);
}

#[test]
fn the_chain_goes_on_behind_a_segment_of_garbage() {
    let (_dir, store) = store();
    let writer = store.writer("w");
    writer.append(&note(1), Durability::Buffered).unwrap();
    std::fs::write(segment(&store, "w", 2), vec![b'x'; 300_000]).unwrap();
    let appended = writer.append(&note(2), Durability::Buffered).unwrap();
    assert_eq!((appended.seq, appended.segment), (2, 2));
    let mut reader = store.reader("w");
    let records: Vec<_> = reader.by_ref().collect();
    assert_eq!(records.len(), 2);
    assert!(records[1].linked);
    assert_eq!(reader.problem_count(), 1);
}

#[test]
fn ten_megabytes_are_one_record() {
    let (_dir, store) = store();
    let writer = store.writer("w");
    let text = "가\n".repeat(2_500_000);
    writer.append(&note(1), Durability::Buffered).unwrap();
    let big = crate::Draft::new(super::stamp(2), "big", &text).unwrap();
    let appended = writer.append(&big, Durability::Buffered).unwrap();
    assert!(appended.bytes > 10_000_000);
    assert_eq!(appended.segment, 2);
    let next = writer.append(&note(3), Durability::Buffered).unwrap();
    assert_eq!((next.seq, next.segment), (3, 3));
    let records: Vec<_> = store.reader("w").collect();
    assert_eq!(records[1].body::<String>().unwrap(), text);
    assert!(records.iter().all(|r| r.linked));
}

#[test]
fn a_record_that_is_too_long_is_refused_and_leaves_nothing() {
    let (_dir, store) = store();
    let writer = store.writer("w");
    let big = crate::Draft::new(super::stamp(1), "big", &"x".repeat(crate::MAX_RECORD)).unwrap();
    let error = writer
        .append_all(&[note(1), big], Durability::Buffered)
        .unwrap_err();
    assert_eq!(error.kind(), proctor_kernel::ErrorKind::Input);
    assert_eq!(numbers(&store, "w"), [0; 0]);
}

#[test]
fn several_records_are_written_at_once() {
    let (_dir, store) = store();
    let writer = store.writer("w");
    let appended = writer
        .append_all(&[note(1), note(2), note(3)], Durability::Buffered)
        .unwrap();
    let records: Vec<_> = store.reader("w").collect();
    for (a, r) in appended.iter().zip(&records) {
        assert_eq!(
            (&a.id, a.seq, a.offset, a.segment),
            (&r.id, r.seq, r.offset, r.segment)
        );
    }
    assert_eq!(writer.append_all(&[], Durability::Buffered).unwrap(), []);
    assert_eq!(records.len(), 3);
}

#[test]
fn raw_json_with_line_ends_stays_one_line() {
    let (_dir, store) = store();
    let raw: Box<serde_json::value::RawValue> = serde_json::from_str("{\n  \"n\":\r\n 1 }").unwrap();
    let draft = crate::Draft::new(super::stamp(1), "kind \"with\" 한글\n", &raw).unwrap();
    store.writer("w").append(&draft, Durability::Buffered).unwrap();
    let record = store.reader("w").next().unwrap();
    assert_eq!(
        (record.kind.as_str(), record.raw_body()),
        ("kind \"with\" 한글\n", "{\"n\":1}")
    );
}

#[test]
fn any_writer_name_gets_its_own_folder() {
    let (dir, store) = store();
    let long = "긴".repeat(3_000_000);
    let names = ["../../x", "", "/abs", "세션", "Claude", "claude", &long];
    for (n, name) in (1..).zip(names) {
        store.writer(name).append(&note(n), Durability::Buffered).unwrap();
    }
    assert_eq!(store.writers().unwrap().len(), names.len());
    for (n, name) in (1..).zip(names) {
        assert_eq!(numbers(&store, name), [n]);
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_newer_program_may_have_written_before() {
    let (_dir, store) = store();
    let writer = store.writer("w");
    writer.append(&note(1), Durability::Buffered).unwrap();
    let hash = store.reader("w").next().unwrap().hash;
    let mut newer = format!("{{\"v\":2,\"n\":2,\"prev\":\"{hash}\",\"new\":[]");
    crate::record::seal(&mut newer);
    newer.push('\n');
    OpenOptions::new()
        .append(true)
        .open(segment(&store, "w", 1))
        .unwrap()
        .write_all(newer.as_bytes())
        .unwrap();
    assert_eq!(writer.append(&note(3), Durability::Buffered).unwrap().seq, 3);
    let mut reader = store.reader_at("w", Position::default());
    let records: Vec<_> = reader.by_ref().collect();
    assert_eq!(
        records.iter().map(|r| (r.seq, r.linked)).collect::<Vec<_>>(),
        [(1, true), (3, true)]
    );
    assert_eq!(reader.problems()[0].flaw, crate::Flaw::Version(2));
}
