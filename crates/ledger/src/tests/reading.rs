//! Reading: a bad line never hides a good one.

use super::{note, number, numbers, segment, store};
use crate::record::{decode, encode};
use crate::{Durability, Flaw, MAX_RECORD, Store};
use proptest::prelude::*;
use std::fs;

/// A log of five records, and its lines.
fn five(store: &Store) -> Vec<String> {
    let drafts: Vec<_> = (1..=5).map(note).collect();
    store
        .writer("w")
        .append_all(&drafts, Durability::Buffered)
        .unwrap();
    fs::read_to_string(segment(store, "w", 1))
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// What a reader makes of a log of these lines: numbers, whether linked, flaws.
fn read(store: &Store, text: &[u8]) -> (Vec<(u64, bool)>, Vec<Flaw>) {
    fs::write(segment(store, "w", 1), text).unwrap();
    let mut reader = store.reader("w");
    let records = reader.by_ref().map(|r| (number(&r), r.linked)).collect();
    (
        records,
        reader.problems().iter().map(|p| p.flaw.clone()).collect(),
    )
}

#[test]
fn bad_lines_are_skipped_and_named() {
    let (_dir, store) = store();
    let lines = five(&store);
    let with = |bad: &[u8]| {
        let mut text = format!("{}\n{}\n", lines[0], lines[1]).into_bytes();
        text.extend_from_slice(bad);
        text.extend_from_slice(format!("\n{}\n{}\n", lines[2], lines[3]).as_bytes());
        read(&store, &text)
    };
    let whole = vec![(1, true), (2, true), (3, true), (4, true)];
    for (bad, flaw) in [
        (&b"garbage"[..], Some(Flaw::Torn)),
        (lines[4].get(..50).unwrap().as_bytes(), Some(Flaw::Torn)),
        (b"\xff\xfe\xfd", Some(Flaw::NotText)),
        (b"{\"v\":1,\"crc\":\"00000000\"}", Some(Flaw::Checksum)),
        (b"<<<<<<< HEAD", Some(Flaw::Torn)),
        (b"\0\0\0\0\0\0\0\0", Some(Flaw::Torn)),
        (b"", None),
        (b"\r", None),
    ] {
        assert_eq!(with(bad), (whole.clone(), flaw.into_iter().collect()), "{bad:?}");
    }
}

#[test]
fn a_changed_record_breaks_checksum_and_chain() {
    let (_dir, store) = store();
    let lines = five(&store);
    let forged = lines[1].replace("\"n\":2}", "\"n\":9}");
    assert_ne!(forged, lines[1]);
    let text = [&lines[0], &forged, &lines[2]].map(|l| format!("{l}\n")).concat();
    assert_eq!(
        read(&store, text.as_bytes()),
        (vec![(1, true), (3, false)], vec![Flaw::Checksum, Flaw::Chain])
    );
    // With a right checksum the chain still shows it.
    let mut forged = forged.get(..forged.len() - 18).unwrap().to_owned();
    crate::record::seal(&mut forged);
    let text = [&lines[0], &forged, &lines[2], &lines[3]]
        .map(|l| format!("{l}\n"))
        .concat();
    let expected = vec![(1, true), (9, true), (3, false), (4, true)];
    assert_eq!(read(&store, text.as_bytes()), (expected, vec![Flaw::Chain]));
}

#[test]
fn removed_swapped_and_repeated_records_show() {
    let (_dir, store) = store();
    let l = five(&store);
    for (order, linked) in [
        (&[0, 2, 3][..], &[true, false, true][..]),
        (&[1, 2], &[false, true]),
        (&[0, 2, 1, 3], &[true, false, false, false]),
        (&[0, 0, 1], &[true, false, true]),
    ] {
        let text: String = order.iter().map(|i| format!("{}\n", l[*i])).collect();
        let (records, flaws) = read(&store, text.as_bytes());
        assert_eq!(
            records.iter().map(|r| r.1).collect::<Vec<_>>(),
            linked,
            "{order:?}"
        );
        assert_eq!(flaws, vec![Flaw::Chain; linked.iter().filter(|l| !**l).count()]);
    }
}

#[test]
fn records_glued_onto_one_line_are_found() {
    let (_dir, store) = store();
    let l = five(&store);
    let text = format!("{}\n{}{}\n{}\n", l[0], l[1], l[2], l[3]);
    assert_eq!(
        read(&store, text.as_bytes()),
        (
            vec![(1, true), (2, true), (3, true), (4, true)],
            vec![Flaw::Glued]
        )
    );
    // A torn record and a good one behind it.
    let text = format!("{}\n{}{}\n{}\n", l[0], l[4].get(..60).unwrap(), l[1], l[2]);
    assert_eq!(
        read(&store, text.as_bytes()),
        (vec![(1, true), (2, true), (3, true)], vec![Flaw::Glued])
    );
    // A good one and garbage behind it.
    let text = format!("{}\n{}garbage{{\"v\":\n{}\n", l[0], l[1], l[2]);
    assert_eq!(
        read(&store, text.as_bytes()),
        (vec![(1, true), (2, true), (3, true)], vec![Flaw::Glued])
    );
    // The writer chains on to the last of them.
    let text = format!("{}\n{}{}\n", l[0], l[1], l[2]);
    fs::write(segment(&store, "w", 1), text).unwrap();
    assert_eq!(
        store
            .writer("w")
            .append(&note(4), Durability::Buffered)
            .unwrap()
            .seq,
        4
    );
    assert!(store.reader("w").all(|r| r.linked));
}

#[test]
fn a_record_inside_another_is_not_taken_for_one() {
    let (_dir, store) = store();
    let l = five(&store);
    // A body that holds a copied record; the outer record is torn.
    let copy: Box<serde_json::value::RawValue> = serde_json::from_str(&l[4]).unwrap();
    let outer = crate::Draft::new(super::stamp(9), "copy", &[copy]).unwrap();
    let outer = String::from_utf8(encode(&outer, "w", 2, "").unwrap()).unwrap();
    let text = format!("{}\n{}\n{}\n", l[0], outer.get(..outer.len() - 10).unwrap(), l[1]);
    assert_eq!(
        read(&store, text.as_bytes()),
        (vec![(1, true), (2, true)], vec![Flaw::Torn])
    );
}

#[test]
fn false_beginnings_take_linear_time() {
    let (_dir, store) = store();
    let l = five(&store);
    let text = format!(
        "{}\n{}\n{}\n",
        l[0],
        "{\"v\":,\"crc\":\"00000000\"}".repeat(300_000),
        l[1]
    );
    let start = std::time::Instant::now();
    assert_eq!(read(&store, text.as_bytes()).0, vec![(1, true), (2, true)]);
    assert!(
        start.elapsed() < std::time::Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_record_of_another_writer_is_not_ours() {
    let (_dir, store) = store();
    let l = five(&store);
    let draft = note(7);
    let foreign = String::from_utf8(encode(&draft, "other", 2, "").unwrap()).unwrap();
    let text = format!("{}\n{foreign}\n{}\n", l[0], l[1]);
    let (records, flaws) = read(&store, text.as_bytes());
    assert_eq!(records, [(1, true), (2, false)]);
    assert_eq!(flaws, [Flaw::Foreign("other".into()), Flaw::Chain]);
}

#[test]
fn unknown_fields_are_tolerated() {
    let (_dir, store) = store();
    let l = five(&store);
    let mut line = l[0]
        .get(..l[0].len() - 18)
        .unwrap()
        .replace("{\"v\":1,", "{\"v\":1,\"later\":{\"x\":[1]},");
    crate::record::seal(&mut line);
    assert_eq!(
        read(&store, format!("{line}\n").as_bytes()),
        (vec![(1, true)], vec![])
    );
    // Line ends of another system change nothing.
    let text: String = l.iter().map(|l| format!("{l}\r\n")).collect();
    assert_eq!(read(&store, text.as_bytes()).1, []);
}

#[test]
fn an_unfinished_line_is_left_for_later() {
    let (_dir, store) = store();
    let l = five(&store);
    let path = segment(&store, "w", 1);
    let (half, rest) = l[2].split_at(40);
    fs::write(&path, format!("{}\n{}\n{half}", l[0], l[1])).unwrap();
    let mut reader = store.reader("w");
    assert_eq!(reader.by_ref().count(), 2);
    assert_eq!(reader.problems()[0].flaw, Flaw::Unfinished);
    let position = reader.position().clone();
    fs::write(&path, format!("{}\n{}\n{half}{rest}\n{}\n", l[0], l[1], l[3])).unwrap();
    let mut reader = store.reader_at("w", position);
    let records: Vec<_> = reader.by_ref().map(|r| (number(&r), r.linked)).collect();
    assert_eq!((records, reader.problem_count()), (vec![(3, true), (4, true)], 0));
}

#[test]
fn reading_goes_on_from_any_position() {
    let (_dir, store) = store();
    let store = store.with_segment_size(700);
    for n in 1..=12 {
        store.writer("w").append(&note(n), Durability::Buffered).unwrap();
    }
    let mut reader = store.reader("w");
    for n in 0..=12 {
        let rest: Vec<u64> = store
            .reader_at("w", reader.position().clone())
            .map(|r| number(&r))
            .collect();
        assert_eq!(rest, (n + 1..=12).collect::<Vec<_>>());
        reader.next();
    }
}

#[test]
fn a_line_longer_than_any_record_is_stepped_over() {
    let (_dir, store) = store();
    let l = five(&store);
    let mut text = format!("{}\n", l[0]).into_bytes();
    text.resize(text.len() + MAX_RECORD + 100, b'x');
    text.extend_from_slice(format!("\n{}\n", l[1]).as_bytes());
    assert_eq!(
        read(&store, &text),
        (vec![(1, true), (2, true)], vec![Flaw::TooLong])
    );
    let keep = text.len() - l[1].len() - 2;
    fs::write(segment(&store, "w", 1), text.get(..keep).unwrap()).unwrap();
    assert_eq!(
        store
            .writer("w")
            .append(&note(2), Durability::Buffered)
            .unwrap()
            .seq,
        2
    );
    assert_eq!(numbers(&store, "w"), [1, 2]);
}

#[test]
fn millions_of_bad_lines_are_counted_not_kept() {
    let (_dir, store) = store();
    let l = five(&store);
    let mut text = "x\n".repeat(1_000_000).into_bytes();
    text.extend_from_slice(l[0].as_bytes());
    text.push(b'\n');
    fs::write(segment(&store, "w", 1), text).unwrap();
    let mut reader = store.reader("w");
    assert_eq!(reader.by_ref().count(), 1);
    assert_eq!(
        (reader.problem_count(), reader.problems().len()),
        (1_000_000, 1000)
    );
}

#[test]
fn what_is_no_file_is_reported() {
    let (_dir, store) = store();
    five(&store);
    fs::create_dir(segment(&store, "w", 2)).unwrap();
    let mut reader = store.reader("w");
    assert_eq!(reader.by_ref().count(), 5);
    assert!(matches!(reader.problems(), [p] if matches!(p.flaw, Flaw::Unreadable(_)) && p.segment == 2));
    assert_eq!(store.reader("nobody").count(), 0);
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&bytes);
        let (_dir, store) = store();
        five(&store);
        let _ = read(&store, &bytes);
    }

    #[test]
    fn one_changed_byte_is_always_noticed(place in 0_usize..250, byte in any::<u8>()) {
        let line = encode(&note(1), "w", 1, "").unwrap();
        let mut changed = line.clone();
        let place = place % changed.len();
        changed[place] = byte;
        prop_assert_eq!(decode(&changed).is_ok(), changed == line);
    }

    #[test]
    fn any_body_survives(text in any::<String>(), number in any::<i64>()) {
        let body = serde_json::json!({ "text": text, "number": number, "list": [null, true] });
        let draft = crate::Draft::new(super::stamp(1), "k", &body).unwrap();
        let line = encode(&draft, "w", 1, "").unwrap();
        prop_assert!(!line.contains(&b'\n'));
        prop_assert_eq!(decode(&line).unwrap().body::<serde_json::Value>().unwrap(), body);
    }
}
