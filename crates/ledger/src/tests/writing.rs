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
