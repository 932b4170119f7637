//! Tests of the Claude Code adapter against recorded payloads (version 2.1.329).

mod doctor;
mod guard;
mod install;
mod matrix;
mod parse;
mod plugin;
mod render;
mod transcript;

use std::path::{Path, PathBuf};

/// The folder with recorded payloads, transcripts and snapshots.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests-data/claude")
}

/// One recorded payload.
pub(crate) fn payload(name: &str) -> Vec<u8> {
    std::fs::read(data().join("hooks").join(format!("{name}.json"))).unwrap()
}

/// Compares text with a file; `UPDATE_SNAPSHOTS=1` writes the file instead.
pub(crate) fn snapshot(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        stored == text,
        "{} is out of date: run the tests once with UPDATE_SNAPSHOTS=1 and look at the difference.\n--- new:\n{text}",
        path.display()
    );
}
