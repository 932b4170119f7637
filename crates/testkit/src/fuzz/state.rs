//! What Proctor itself has written, as somebody else may have left it: the state of a session, the marker of the
//! state folder, the book of what is trusted.

use proctor_engine::review::Party;
use proctor_engine::session::SessionState;
use proctor_engine::trust::ChecksTrust;
use proctor_engine::{Clock, Engine, Surroundings};
use proctor_ledger::{Draft, Durability, Presence, Stamp, Store};
use serde_json::Value;
use std::path::Path;

fn draft(n: usize, body: &Value) -> Draft {
    let stamp = Stamp {
        millis: 1_000 + n as u64,
        random: [u8::try_from(n % 256).unwrap_or(0); 10],
        test: true,
    };
    Draft::new(stamp, "decision", body).expect("a draft")
}

fn folder() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut store = Store::open(folder.path().join("state"), false).expect("a fresh store");
    store.create("fuzz", 1_000).expect("a fresh store can be made");
    (folder, store)
}

fn state(store: &Store) -> SessionState {
    let journal = store.journal::<SessionState>("s").expect("a readable log");
    journal.state().clone()
}

/// Lines that are bodies of a session's records, or a snapshot of its state: what the records sum up to does not
/// depend on which process folds them, nor on what stands where the snapshot should be.
pub fn session(bytes: &[u8]) {
    if let Ok(state) = serde_json::from_slice::<SessionState>(bytes) {
        let text = serde_json::to_string(&state).expect("a state can be written");
        let again: SessionState = serde_json::from_str(&text).expect("what was written can be read");
        assert_eq!(again, state);
    }
    let (folder, store) = folder();
    let bodies = bytes
        .split(|b| *b == b'\n')
        .take(16)
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter(Value::is_object);
    for (n, body) in bodies.enumerate() {
        let mut journal = store.journal::<SessionState>("s").expect("a readable log");
        journal
            .commit(vec![draft(n, &body)], Durability::Buffered)
            .expect("a record can be written");
    }
    let step_by_step = state(&store);
    let sessions = folder.path().join("state/sessions");
    if let Some(snapshot) = only_file(&sessions) {
        std::fs::write(&snapshot, bytes).expect("a writable snapshot");
        assert_eq!(
            state(&store),
            step_by_step,
            "a snapshot that nobody sealed counts for nothing"
        );
        std::fs::remove_file(&snapshot).expect("a snapshot that can be removed");
    }
    assert_eq!(state(&store), step_by_step, "a snapshot is only a cache");
}

fn only_file(folder: &Path) -> Option<std::path::PathBuf> {
    let mut entries = std::fs::read_dir(folder).ok()?.flatten();
    entries.next().map(|e| e.path())
}

/// The marker of a state folder: it can be opened whatever stands there, a marker that says nothing is one that is
/// missing, the next one says so, and no record is lost by it.
pub fn marker(bytes: &[u8]) {
    let (folder, store) = folder();
    let appended = store
        .writer("reviews")
        .append(&draft(1, &serde_json::json!({"n": 1})), Durability::Buffered)
        .expect("a record can be written");
    let root = folder.path().join("state");
    std::fs::write(root.join("state.json"), bytes).expect("a writable marker");
    let mut store = Store::open(&root, true).expect("a folder with any marker can be opened");
    let was = store.marker().cloned();
    assert_eq!(
        store.presence(),
        if was.is_some() {
            Presence::Present
        } else {
            Presence::Missing
        }
    );
    let _ = store.lacks("reviews").expect("a readable log");
    store.create("fuzz", 2_000).expect("a marker can be written");
    let store = Store::open(&root, true).expect("a folder with its marker");
    assert_eq!(store.presence(), Presence::Present);
    match (was, store.marker()) {
        (Some(was), now) => assert_eq!(now, Some(&was), "a marker that can be read stays"),
        (None, now) => assert!(
            now.is_some_and(|m| m.lost && m.id == "fuzz"),
            "what was before is not known: {now:?}"
        ),
    }
    let ids: Vec<_> = store.reader("reviews").map(|r| r.id).collect();
    assert_eq!(ids, [appended.id], "records are there whatever the marker says");
}

/// The book of what is trusted: nothing that stands there by accident makes a check trusted, and trusting writes a
/// book that can be read.
pub fn trust(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("project");
    let write = |path: &Path, bytes: &[u8]| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder that can be made");
        std::fs::write(path, bytes).expect("a writable file");
    };
    let policy = b"version: 1\nverification:\n  - { name: t, run: \"make t\", kind: tests }\n";
    write(&project.join(".proctor/proctor.yaml"), policy);
    let root = folder.path().join("state");
    let open = || {
        let surroundings = Surroundings {
            cwd: project.clone(),
            state_home: folder.path().join("states"),
            state: Some(root.clone()),
            ..Surroundings::default()
        };
        Engine::open(surroundings, Still)
    };
    write(&root.join("trust.json"), bytes);
    let mut engine = open();
    let before = engine.trust_book().trusted;
    assert_eq!(engine.checks_trust(), ChecksTrust::Untrusted, "{before:?}");
    let trusted = engine.trust(Party::default()).expect("a book can be written");
    let engine = open();
    assert_eq!(engine.checks_trust(), ChecksTrust::Trusted);
    let after = engine.trust_book().trusted;
    assert_eq!(after.last(), Some(&trusted));
    let kept = after.len() - 1;
    assert_eq!(
        after.get(..kept),
        before.get(before.len() - kept..),
        "the newest stay, in order"
    );
    assert!(
        before.len() == kept || after.len() >= 16,
        "none goes without need"
    );
}

/// A clock that stands.
struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        1_000
    }

    fn micros(&self) -> u64 {
        0
    }

    fn random(&self) -> [u8; 10] {
        [7; 10]
    }

    fn is_test(&self) -> bool {
        true
    }
}

pub(super) const SESSIONS: &[&[u8]] = &[
    br#"{"changes":[{"change":"began"},{"change":"asked","agent":"","words":"fix it","at":5},{"change":"turn_began","at":5}]}
{"changes":[{"change":"waited","millis":3},{"change":"metered","tokens":7,"metered":{}},{"change":"turn_paused","worked":9}]}
{"changes":[{"change":"ended"}]}
"#,
    br#"{"agents":{"":{"kind":"","call":null,"task":null,"checklist":[{"text":"a","completed":false}],"created":["a.rs"],"rejections":1,"stop_blocks":0,"mark":null,"writes":3,"notes":[],"escalated":false}},"pending":[],"downgraded":[],"told":null,"ended":false}"#,
    br#"{"v":1,"fold":3,"w":"s","at":{"segment":1,"offset":9,"n":1,"hash":"x"},"state":{"agents":{},"pending":[],"downgraded":[],"told":null,"ended":true},"crc":"00000000"}"#,
];

pub(super) const MARKERS: &[&[u8]] = &[
    br#"{"id":"fuzz","created":"2026-01-01T00:00:00.000Z","heads":{"reviews":{"segment":1,"offset":180,"n":1,"hash":"abc"}}}"#,
    br#"{"id":"fuzz","created":"2026-01-01T00:00:00.000Z","lost":true}"#,
    br#"{"id":"","created":"","heads":{"../../x":{"segment":4294967295,"offset":18446744073709551615,"n":18446744073709551615,"hash":""}},"gone":null}"#,
    b"",
];

pub(super) const BOOKS: &[&[u8]] = &[
    br#"{"trusted":[{"digest":"abcdef0123456789","runs":["make t"],"by":{"kind":"human","name":"a"},"at":7}]}"#,
    br#"{"trusted":[]}"#,
    br#"{"trusted":[{"digest":"","runs":["make t"],"by":{"kind":"unknown"},"at":1},{"digest":"a","runs":[],"by":{"kind":"agent"},"at":2}]}"#,
    b"{\"trusted\":[",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_engine::session::Change;
    use proctor_engine::trust::TrustBook;
    use proctor_ledger::Marker;

    /// A target that reads nothing of its seeds could not fail.
    #[test]
    fn seeds_are_read() {
        let lines = SESSIONS[0].split(|b| *b == b'\n').filter(|l| !l.is_empty());
        for line in lines {
            let body: Value = serde_json::from_slice(line).unwrap();
            let change = &body["changes"][0];
            assert!(
                serde_json::from_value::<Change>(change.clone()).is_ok(),
                "{change}"
            );
        }
        let state: SessionState = serde_json::from_slice(SESSIONS[1]).unwrap();
        assert_eq!(state.agent("").writes, 3);
        for seed in &MARKERS[..3] {
            let _: Marker = serde_json::from_slice(seed).unwrap();
        }
        for (seed, count) in BOOKS.iter().zip([1, 0, 2]) {
            let book: TrustBook = serde_json::from_slice(seed).unwrap();
            assert_eq!(book.trusted.len(), count);
        }
    }
}
