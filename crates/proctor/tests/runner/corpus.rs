//! The committed corpus: every gate stays above its floors, and no file slips out of sight.

use crate::support::{environment, workspace};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|e| e.unwrap().path()).collect()
}

#[test]
fn every_gate_is_above_its_floors() {
    let env = environment();
    let floors = workspace().join("corpus/floors.json");
    let output = env.run(&["eval", "--floors", &floors.to_string_lossy()]);
    assert_eq!(output.code(), Some(0), "\n{output}");
    assert!(output.stdout().lines().count() >= 15, "\n{output}");
}

/// What CI measures is named in the floors file; what is sealed is not.
#[test]
fn every_labelled_file_has_a_floor() {
    let corpus = workspace().join("corpus");
    let text = std::fs::read_to_string(corpus.join("floors.json")).unwrap();
    let floors: Value = serde_json::from_str(&text).unwrap();
    let named: BTreeSet<PathBuf> = floors["places"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|place| place["files"].as_array().unwrap())
        .map(|file| corpus.join(file.as_str().unwrap()))
        .collect();
    let mut present = BTreeSet::new();
    for folder in ["dev", "test"] {
        present.extend(
            files(&corpus.join(folder))
                .into_iter()
                .filter(|f| f.extension().is_some_and(|e| e == "jsonl")),
        );
    }
    assert!(present.len() >= 5, "the development files are gone");
    assert_eq!(named, present);
}

/// The sealed files are those whose digests were committed.
#[test]
fn the_sealed_files_are_unbroken() {
    let sealed = workspace().join("corpus/sealed");
    let sums = sealed.join("SHA256SUMS");
    let Ok(list) = std::fs::read_to_string(&sums) else {
        assert!(files(&sealed).is_empty(), "sealed files without SHA256SUMS");
        return;
    };
    for file in files(&sealed)
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "gz"))
    {
        let name = file.file_name().unwrap().to_string_lossy();
        assert!(list.lines().any(|l| l.ends_with(&*name)), "{name} has no digest");
    }
    let check = Command::new("sha256sum")
        .args(["--check", "--strict", "SHA256SUMS"])
        .current_dir(&sealed)
        .output();
    match check {
        Ok(output) => assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        ),
        Err(error) => proctor_testkit::skip::skipped("the digests of the sealed files", &error.to_string()),
    }
}
