//! Lanes: what is published, and what is believed of what comes back.

use super::{segment, store};
use crate::{
    Draft, Durability, LaneName, Meeting, PART, Stamp, Store, export, is_exchanged, meet, parts, read_lane,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

const CLONE: &str = "clone-1";

fn draft(kind: &str, n: u64, test: bool, body: &str) -> Draft {
    let mut random = [0; 10];
    for (to, from) in random.iter_mut().zip(n.to_le_bytes()) {
        *to = from;
    }
    let stamp = Stamp {
        millis: 1_770_572_640_000 + n,
        random,
        test,
    };
    Draft::new(stamp, kind, body).unwrap()
}

fn write(store: &Store, n: u64) {
    store
        .writer("reviews")
        .append(&draft("review", n, false, "text"), Durability::Buffered)
        .unwrap();
}

/// What was published so far, as a caller keeps it.
#[derive(Default, Clone)]
struct Published(BTreeMap<LaneName, Vec<u8>>);

impl Published {
    fn publish(&mut self, store: &Store) -> u64 {
        let lanes: Vec<_> = self.0.clone().into_iter().collect();
        let out = export(store, CLONE, "reviews", &lanes).unwrap();
        for (name, text) in out.lanes {
            if let Some(before) = self.0.get(&name) {
                assert!(text.starts_with(before), "a lane only grows");
            }
            self.0.insert(name, text);
        }
        out.added
    }

    fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self
            .0
            .iter()
            .flat_map(|(name, text)| {
                let read = read_lane(name, text);
                assert_eq!(read.rejected, []);
                assert_eq!(read.text, *text);
                read.records.into_iter().map(|r| r.id.to_string())
            })
            .collect();
        ids.sort();
        ids
    }
}

#[test]
fn names_of_lanes_are_plain() {
    let id = "01KGYV3T8000000000000000A0";
    assert!(LaneName::parse("01kgyv", "reviews", id).is_some());
    assert!(LaneName::parse("01kgyv", "reviews", &format!("{id}~0123456789ab")).is_some());
    let long = "x".repeat(300);
    for (clone, writer, lane) in [
        ("..", "reviews", id),
        ("", "reviews", id),
        ("abc", "reviews", id),
        ("Abcd", "reviews", id),
        ("-abcd", "reviews", id),
        ("ab/cd", "reviews", id),
        (long.as_str(), "reviews", id),
        ("abcd", "..", id),
        ("abcd", "con", id),
        ("abcd", "a/b", id),
        ("abcd", "x~y", id),
        ("abcd", "", id),
        ("abcd", "reviews", ""),
        ("abcd", "reviews", ".."),
        ("abcd", "reviews", "01KGYV3T8000000000000000U0"),
        ("abcd", "reviews", &format!("{id}~../../x1234")),
        ("abcd", "reviews", &format!("{id}~0123456789AB")),
    ] {
        assert_eq!(
            LaneName::parse(clone, writer, lane),
            None,
            "{clone} {writer} {lane}"
        );
    }
    for path in [
        "abcd/reviews",
        "",
        "/",
        "a/b/c/d/e",
        &format!("abcd/reviews/{id}/1.jsonl"),
        &format!("abcd/reviews/{id}/000000.jsonl"),
        &format!("abcd/reviews/{id}/000001.jsonl/x"),
        &format!("abcd//reviews/{id}/000001.jsonl"),
    ] {
        assert_eq!(LaneName::parse_part(path), None, "{path}");
    }
    let (name, number) = LaneName::parse_part(&format!("abcd/reviews/{id}/000012.jsonl")).unwrap();
    assert_eq!((name.to_string(), number), (format!("abcd/reviews/{id}"), 12));
}

#[test]
fn kinds_that_travel() {
    for (kind, travels) in [
        ("review", true),
        ("review_verdict", true),
        ("check", true),
        ("decision", false),
        ("", false),
    ] {
        assert_eq!(is_exchanged(kind), travels, "{kind}");
    }
}

#[test]
fn publishing_goes_on_where_it_stopped() {
    let (_dir, store) = store();
    let mut published = Published::default();
    assert_eq!(published.publish(&store), 0);
    for n in 1..=5 {
        write(&store, n);
        assert_eq!(published.publish(&store), 1);
        assert_eq!(published.publish(&store), 0);
    }
    assert_eq!((published.0.len(), published.ids().len()), (1, 5));
}

#[test]
fn damage_in_a_log_does_not_stop_what_stands_around_it() {
    let (_dir, store) = store();
    for n in 1..=5 {
        write(&store, n);
    }
    let path = segment(&store, "reviews", 1);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // One damaged, one glued to the next.
    let broken = [
        lines[0],
        &lines[1].replace("text", "test"),
        &[lines[2], lines[3]].concat(),
        lines[4],
        "",
    ];
    std::fs::write(&path, broken.join("\n")).unwrap();
    let mut published = Published::default();
    assert_eq!(published.publish(&store), 4);
    assert_eq!(published.ids().len(), 4);
}

#[test]
fn a_record_that_was_changed_and_its_neighbour_are_not_published() {
    let (_dir, store) = store();
    for n in 1..=5 {
        write(&store, n);
    }
    let path = segment(&store, "reviews", 1);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let open = lines[1].rsplit_once(",\"crc\"").unwrap().0;
    let mut forged = open.replace("text", "lies");
    crate::record::seal(&mut forged);
    lines[1] = forged;
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let out = export(&store, CLONE, "reviews", &[]).unwrap();
    assert_eq!((out.added, out.withheld.len()), (3, 2));
}

#[test]
fn two_copies_of_a_clone_get_lanes_of_their_own() {
    let (_one, a) = store();
    let (_two, b) = store();
    for n in 1..=2 {
        write(&a, n);
        write(&b, n);
    }
    let mut published = Published::default();
    published.publish(&a);
    // Both go on alone, with the same id of the clone.
    write(&a, 3);
    write(&b, 4);
    published.publish(&a);
    let lanes: Vec<_> = published.0.clone().into_iter().collect();
    let out = export(&b, CLONE, "reviews", &lanes).unwrap();
    assert_eq!(out.diverged.unwrap().ids.len(), 1);
    for (name, text) in out.lanes {
        assert!(!published.0.contains_key(&name), "{name}");
        published.0.insert(name, text);
    }
    assert_eq!(published.ids().len(), 4);
    write(&b, 5);
    assert_eq!(published.publish(&b), 1);
    assert_eq!((published.0.len(), published.ids().len()), (2, 5));
}

#[test]
fn a_lane_has_parts_that_do_not_change() {
    let line = vec![b'x'; PART / 3];
    let mut text = Vec::new();
    let mut before: Vec<Vec<u8>> = Vec::new();
    for _ in 0..20 {
        text.extend_from_slice(&line);
        text.push(b'\n');
        let now: Vec<Vec<u8>> = parts(&text).into_iter().map(<[u8]>::to_vec).collect();
        assert_eq!(now.concat(), text);
        assert!(now.iter().all(|p| p.len() <= PART));
        if let Some((_, closed)) = before.split_last() {
            assert_eq!(now[..closed.len()], *closed);
        }
        before = now;
    }
    assert_eq!(parts(b""), [b""; 0]);
}

#[test]
fn two_versions_of_a_lane_meet_the_same_way_on_both_sides() {
    assert_eq!(meet(b"ab", b"a"), Meeting::First);
    assert_eq!(meet(b"a", b"ab"), Meeting::Second);
    assert_eq!(meet(b"ax", b"ay"), Meeting::SecondKeepsName);
    assert_eq!(meet(b"ay", b"ax"), Meeting::FirstKeepsName);
    assert_eq!(meet(b"axx", b"ay"), Meeting::FirstKeepsName);
}

/// A lane of eight records, one of them skipped.
fn lane() -> (LaneName, Vec<u8>) {
    let (_dir, store) = store();
    for n in 1..=8 {
        let draft = draft("review", n, n == 4, "text");
        store
            .writer("reviews")
            .append(&draft, Durability::Buffered)
            .unwrap();
    }
    let out = export(&store, CLONE, "reviews", &[]).unwrap();
    out.lanes.into_iter().next().unwrap()
}

/// The line ends too: without one, two records are one bad line.
#[test]
fn one_changed_byte_hides_two_records_at_most() {
    let (name, text) = lane();
    let written = read_lane(&name, &text).records.len();
    for at in 0..text.len() {
        for byte in [0, b' ', b'\n', b'{', b'1'] {
            let mut bytes = text.clone();
            bytes[at] = byte;
            let read = read_lane(&name, &bytes);
            assert!(
                read.records.len() + 2 >= written,
                "{byte} at {at}: {:?}",
                read.rejected
            );
        }
    }
}

#[derive(Clone, Debug)]
enum Change {
    Byte(usize, u8),
    Drop(usize),
    Repeat(usize, usize),
    Swap(usize, usize),
    Insert(usize, Vec<u8>),
    Cut(usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(a, b)| Change::Byte(a, b)),
        (0_usize..9).prop_map(Change::Drop),
        (0_usize..9, 0_usize..9).prop_map(|(a, b)| Change::Repeat(a, b)),
        (0_usize..9, 0_usize..9).prop_map(|(a, b)| Change::Swap(a, b)),
        (0_usize..9, proptest::collection::vec(any::<u8>(), 0..60)).prop_map(|(a, b)| Change::Insert(a, b)),
        any::<usize>().prop_map(Change::Cut),
    ];
    proptest::collection::vec(change, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever becomes of a lane on its way: only records that were written come out, each once; what is
    /// left reads without objection; and one bad line hides two others at most.
    #[test]
    fn only_what_was_written_comes_out(changes in changes()) {
        let (name, text) = lane();
        let written: Vec<String> = read_lane(&name, &text).records.iter().map(|r| r.hash.clone()).collect();
        let mut bytes = text.clone();
        for change in &changes {
            if let Change::Byte(at, byte) = change {
                let at = at % bytes.len().max(1);
                if let Some(b) = bytes.get_mut(at) { *b = *byte; }
                continue;
            }
            if let Change::Cut(at) = change {
                bytes.truncate(at % (bytes.len() + 1));
                continue;
            }
            let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            match change {
                Change::Drop(at) if *at < lines.len() => drop(lines.remove(*at)),
                Change::Repeat(from, to) if *from < lines.len() && *to <= lines.len() => lines.insert(*to, lines[*from].clone()),
                Change::Swap(a, b) if *a < lines.len() && *b < lines.len() => lines.swap(*a, *b),
                Change::Insert(at, line) if *at <= lines.len() => lines.insert(*at, line.clone()),
                _ => {}
            }
            bytes = lines.concat();
        }
        let read = read_lane(&name, &bytes);
        let mut seen = std::collections::BTreeSet::new();
        for record in &read.records {
            prop_assert!(written.contains(&record.hash));
            prop_assert!(seen.insert(record.hash.clone()));
        }
        let again = read_lane(&name, &read.text);
        prop_assert_eq!(&again.rejected, &[]);
        prop_assert_eq!(&again.text, &read.text);
        prop_assert_eq!(again.records.len(), read.records.len());
        if let [Change::Byte(..)] = changes.as_slice() {
            prop_assert!(read.records.len() + 2 >= written.len(), "{:?}", read.rejected);
        }
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let (name, _) = (LaneName::parse("abcd", "reviews", "01KGYV3T8000000000000000A0").unwrap(), ());
        prop_assert!(read_lane(&name, &bytes).records.is_empty());
    }
}
