//! The state folder and its small files.

use super::{note, store};
use crate::{Durability, Presence, Store};
use proctor_kernel::ErrorKind;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_missing_folder_is_noticed() {
    let (dir, store) = store();
    assert_eq!(store.presence(), Presence::New);
    let root = dir.path().join("state");
    assert!(!root.exists(), "looking changes nothing");
    let mut store = Store::open(&root, true).unwrap();
    assert_eq!((store.presence(), store.marker()), (Presence::Missing, None));
    // Writing a log does not make it look as if nothing had been lost.
    store.writer("w").append(&note(1), Durability::Buffered).unwrap();
    assert_eq!(Store::open(&root, true).unwrap().presence(), Presence::Missing);
    store.create("01ARYZ6S41", 1_770_572_640_000).unwrap();
    assert_eq!(store.presence(), Presence::Present);
    for expected in [true, false] {
        let mut store = Store::open(&root, expected).unwrap();
        assert_eq!(store.presence(), Presence::Present);
        let marker = store.marker().unwrap().clone();
        assert_eq!(
            (marker.id.as_str(), marker.created.as_str()),
            ("01ARYZ6S41", "2026-02-08T17:44:00.000Z")
        );
        store.create("another", 0).unwrap();
        assert_eq!(store.marker(), Some(&marker), "a marker is written once");
    }
    fs::write(root.join("state.json"), "{").unwrap();
    assert_eq!(Store::open(&root, false).unwrap().presence(), Presence::Missing);
    fs::remove_dir_all(&root).unwrap();
    assert_eq!(Store::open(&root, true).unwrap().presence(), Presence::Missing);
}

#[test]
fn the_folder_is_private() {
    let (_dir, mut store) = store();
    store.create("id", 0).unwrap();
    store.writer("w").append(&note(1), Durability::Buffered).unwrap();
    let mode = |name: &str| {
        fs::metadata(store.root().join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(
        (
            mode(""),
            mode("log/w"),
            mode("log/w/000001.jsonl"),
            mode("state.json")
        ),
        (0o700, 0o700, 0o600, 0o600)
    );
}

#[test]
fn small_files_are_whole_or_missing() {
    let (_dir, store) = store();
    assert_eq!(store.read("policy.json").unwrap(), None);
    store.write_atomic("policy.json", b"one").unwrap();
    store.write_atomic("cache/deep.json", b"two").unwrap();
    assert_eq!(store.read("policy.json").unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(
        store.read("cache/deep.json").unwrap().as_deref(),
        Some(&b"two"[..])
    );
    assert_eq!(
        store.read_json::<u64>("policy.json").unwrap(),
        None,
        "damaged counts as missing"
    );
    for name in ["", "/etc/passwd", "../x", "a/../../x", "a\\b", "."] {
        assert_eq!(
            store.read(name).unwrap_err().kind(),
            ErrorKind::Internal,
            "{name:?}"
        );
    }
    fs::create_dir(store.root().join("folder.json")).unwrap();
    assert_eq!(
        store.write_atomic("folder.json", b"x").unwrap_err().kind(),
        ErrorKind::Store
    );
    assert_eq!(store.read("folder.json").unwrap_err().kind(), ErrorKind::Store);
    let left: Vec<_> = fs::read_dir(store.root())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")),
        "{left:?}"
    );
}

#[test]
fn a_record_is_found_in_any_log() {
    let (_dir, store) = store();
    for (n, w) in [(1, "a"), (2, "b"), (3, "../c")] {
        store.writer(w).append(&note(n), Durability::Buffered).unwrap();
    }
    let (found, problems) = store.find(note(3).id().as_str()).unwrap();
    assert_eq!((super::number(&found.unwrap()), problems.len()), (3, 0));
    assert!(store.find("nothing").unwrap().0.is_none());
    let (_dir, empty) = super::store();
    assert!(empty.find("x").unwrap().0.is_none());
    assert_eq!(empty.writers().unwrap(), [""; 0]);
}
