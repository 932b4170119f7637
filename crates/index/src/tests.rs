//! The index beside the logs that it is made of.

use crate::{Extract, FILE, Index};
use proctor_ledger::{Draft, Durability, Record, Stamp, Store};
use proptest::prelude::*;
use std::fs;

struct Body;

impl Extract for Body {
    const VERSION: u32 = 1;

    fn extract(record: &Record) -> Option<String> {
        (record.kind != "odd").then(|| record.raw_body().to_owned())
    }
}

struct Newer;

impl Extract for Newer {
    const VERSION: u32 = 2;

    fn extract(_record: &Record) -> Option<String> {
        Some("newer".to_owned())
    }
}

fn draft(kind: &str, n: u64) -> Draft {
    let mut random = [0; 10];
    for (to, from) in random.iter_mut().rev().zip(n.to_le_bytes()) {
        *to = from;
    }
    let stamp = Stamp {
        millis: 1_770_572_640_000 + n,
        random,
        test: false,
    };
    Draft::new(stamp, kind, &n).unwrap()
}

fn filled(n: u64) -> (tempfile::TempDir, Store) {
    let dir = tempfile::TempDir::new().unwrap();
    let store = Store::open(dir.path(), false).unwrap().with_segment_size(1000);
    for k in 1..=n {
        let log = ["a", "b"][(k % 2) as usize];
        store
            .writer(log)
            .append(&draft("note", k), Durability::Buffered)
            .unwrap();
    }
    (dir, store)
}

/// What the index says, and what the logs say.
fn both(index: &Index, store: &Store) -> [Vec<(String, u64, Option<String>)>; 2] {
    let mut said = Vec::new();
    index
        .each("note", |id, millis, extract| {
            said.push((id.to_owned(), millis, extract.map(str::to_owned)))
        })
        .unwrap();
    let mut read = Vec::new();
    for name in store.writers().unwrap() {
        for record in store.reader(&name).filter(|r| r.kind == "note") {
            read.push((record.id.to_string(), record.millis, Body::extract(&record)));
        }
    }
    [said, read]
}

#[track_caller]
fn right(store: &Store) -> Index {
    let index = Index::open::<Body>(store).unwrap();
    let [said, read] = both(&index, store);
    assert_eq!(said, read);
    assert_eq!(Index::check::<Body>(store).unwrap(), None);
    index
}

#[test]
fn it_is_made_and_followed() {
    let (_dir, store) = filled(20);
    assert_eq!(right(&store).made_anew(), Some("there was none"));
    assert_eq!(right(&store).made_anew(), None);
    store
        .writer("a")
        .append(&draft("note", 21), Durability::Buffered)
        .unwrap();
    store
        .writer("c")
        .append(&draft("odd", 22), Durability::Buffered)
        .unwrap();
    assert_eq!(
        Index::check::<Body>(&store).unwrap(),
        None,
        "being behind is in order"
    );
    let index = right(&store);
    assert_eq!((index.made_anew(), index.damaged().unwrap()), (None, 0));
    let latest = index.latest("note").unwrap().unwrap();
    let found = index.find("note", &latest.id).unwrap();
    assert_eq!(found.first(), Some(&latest));
    assert_eq!(found.len(), 1);
    assert_eq!(index.find("note", latest.id.get(20..).unwrap()).unwrap(), found);
    assert_eq!(index.find("other", &latest.id).unwrap(), []);
    assert_eq!(index.find("note", "").unwrap(), []);
    assert_eq!(index.find("note", "%").unwrap(), []);
    let record = store.reader_at(&latest.log, latest.position).next().unwrap();
    assert_eq!(record.id.as_str(), latest.id);
}

#[test]
fn what_is_missing_old_or_broken_is_made_anew() {
    let (_dir, store) = filled(50);
    right(&store);
    let path = store.root().join(FILE);
    let good = fs::read(&path).unwrap();
    assert!(good.len() > 8192);
    let half = good[..good.len() / 2].to_vec();
    let mut holed = good.clone();
    holed[4096..].fill(0);
    for (what, bytes) in [
        ("garbage", b"garbage".repeat(1000)),
        ("nothing", Vec::new()),
        ("half", half),
        ("holed", holed),
        ("head only", good[..100].to_vec()),
    ] {
        fs::write(&path, &bytes).unwrap();
        if what != "nothing" {
            assert!(Index::check::<Body>(&store).unwrap().is_some(), "{what}");
        }
        store
            .writer("a")
            .append(&draft("note", 100), Durability::Buffered)
            .unwrap();
        let index = right(&store);
        assert!(index.made_anew().is_some(), "{what}");
    }
    drop(Index::open::<Newer>(&store).unwrap());
    assert!(Index::check::<Body>(&store).unwrap().unwrap().contains("version"));
    assert_eq!(right(&store).made_anew(), Some("it was of another version"));
    fs::remove_file(&path).unwrap();
    assert_eq!(right(&store).made_anew(), Some("there was none"));
}

#[test]
fn what_it_says_wrongly_is_found() {
    let (_dir, store) = filled(10);
    right(&store);
    let db = rusqlite::Connection::open(store.root().join(FILE)).unwrap();
    db.execute("UPDATE record SET extract = '9' WHERE n = 3 AND log = 'a'", [])
        .unwrap();
    assert!(
        Index::check::<Body>(&store)
            .unwrap()
            .unwrap()
            .contains("not what the log says")
    );
    db.execute("DELETE FROM record WHERE n = 3 AND log = 'a'", [])
        .unwrap();
    assert!(
        Index::check::<Body>(&store)
            .unwrap()
            .unwrap()
            .contains("should have 10")
    );
}

#[test]
fn a_log_that_is_another_one_is_read_anew() {
    let (_dir, store) = filled(20);
    right(&store);
    fs::remove_dir_all(store.root().join("log/b")).unwrap();
    right(&store);
    let path = store.root().join("log/a/000001.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.lines().next().unwrap()).unwrap();
    fs::write(store.root().join("log/a/000002.jsonl"), "garbage\n").unwrap();
    assert!(right(&store).damaged().unwrap() > 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let (_dir, store) = filled(3);
    fs::create_dir(store.root().join(FILE)).unwrap();
    assert!(Index::open::<Body>(&store).is_err());
}

#[test]
fn two_at_once_agree() {
    let (_dir, store) = filled(200);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // Whoever finds it held for long reads the logs instead.
                if let Ok(index) = Index::open::<Body>(&store) {
                    let [said, read] = both(&index, &store);
                    assert_eq!(said.len(), read.len());
                }
            });
        }
    });
    right(&store);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever byte of the file is changed: the answers are those of the logs, or it is found.
    #[test]
    fn no_damage_is_believed(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (_dir, store) = filled(30);
        drop(right(&store));
        let path = store.root().join(FILE);
        let mut bytes = fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        fs::write(&path, bytes).unwrap();
        let found = Index::check::<Body>(&store).unwrap();
        if let Ok(index) = Index::open::<Body>(&store) {
            // Damage that is met only now is an error, and the caller reads the logs.
            if index.each("note", |_, _, _| ()).is_ok() {
                let [said, read] = both(&index, &store);
                prop_assert!(said == read || found.is_some(), "{at}");
            }
        }
    }
}
