use super::snapshot;
use crate::claude::plugin::files;
use crate::claude::settings::diagnose;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin")
}

fn below(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, found)
        } else {
            found.extend([path])
        }
    }
}

#[test]
fn the_committed_plugin_is_current_and_complete() {
    let mut expected = BTreeSet::new();
    for (path, content) in files() {
        snapshot(&folder().join(path), &content);
        expected.insert(folder().join(path));
    }
    let mut found = BTreeSet::new();
    below(&folder(), &mut found);
    assert_eq!(found, expected);
}

#[test]
fn its_hooks_have_the_shape_that_the_host_takes() {
    let (_, hooks) = files().remove(1);
    assert_eq!(diagnose(&hooks), []);
    let (_, skill) = files().remove(2);
    assert!(skill.starts_with("---\nname: proctor\ndescription: "));
    // A way to switch the gates off must never stand there as a line to copy.
    assert!(!skill.contains("proctor release") && !skill.contains("review release"));
}
