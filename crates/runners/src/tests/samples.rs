//! Each sample says what the manifest expects of it.

use super::line;
use crate::{RUNNERS, summarise};
use proctor_kernel::CheckKind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) struct Sample {
    pub(super) name: String,
    pub(super) exit: Option<i32>,
    pub(super) command: String,
    pub(super) source: String,
    expected: String,
    alone: String,
    pub(super) text: String,
}

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

pub(super) fn samples() -> Vec<Sample> {
    let manifest = std::fs::read_to_string(folder().join("manifest.txt")).unwrap();
    let lines = manifest.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines
        .map(|l| {
            let mut columns = l.split('|').map(|c| c.trim().to_owned());
            let mut next = || columns.next().unwrap_or_default();
            let name = next();
            Sample {
                text: std::fs::read_to_string(folder().join(&name).with_extension("txt"))
                    .unwrap_or_else(|e| panic!("{name}: {e}")),
                name,
                exit: next().parse().ok(),
                command: next(),
                source: next(),
                expected: next(),
                alone: next(),
            }
        })
        .collect()
}

#[test]
fn each_sample_says_what_the_manifest_expects() {
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let path = folder().join("manifest.txt");
    let old = std::fs::read_to_string(&path).unwrap();
    let mut new: Vec<String> = old
        .lines()
        .filter(|l| l.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let mut wrong = Vec::new();
    for s in samples() {
        let got = line(summarise(&s.text, Some(&s.command)).as_ref());
        let alone = line(summarise(&s.text, None).as_ref());
        let alone = if alone == got { "=".to_owned() } else { alone };
        if (&got, &alone) != (&s.expected, &s.alone) {
            wrong.push(format!(
                "{}: {got} ({alone}), expected {} ({})",
                s.name, s.expected, s.alone
            ));
        }
        let exit = s.exit.map_or("?".to_owned(), |e| e.to_string());
        new.push([s.name, exit, s.command, s.source, got, alone].join(" | "));
    }
    if update {
        std::fs::write(&path, new.join("\n") + "\n").unwrap();
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Failures under a good exit: a report that was only printed, a plan that does not fit, an error that
/// make was told to ignore.
const BESIDE_THE_EXIT: &[&str] = &["junit/fail", "tap/short", "make/ignored"];

#[test]
fn a_good_exit_is_no_failure_and_a_bad_one_no_plain_pass() {
    for s in samples()
        .iter()
        .filter(|s| !BESIDE_THE_EXIT.contains(&s.name.as_str()))
    {
        let summary = summarise(&s.text, Some(&s.command));
        match (s.exit, summary) {
            (Some(0), Some(sum)) => assert!(!sum.is_failure(), "{}: {sum:?}", s.name),
            (Some(0) | None, _) | (_, None) => {}
            (Some(_), Some(sum)) => {
                assert!(
                    sum.is_failure() || sum.is_empty_run() || sum.cut,
                    "{}: {sum:?}",
                    s.name
                );
            }
        }
    }
}

#[test]
fn every_file_has_a_line_and_every_line_a_source() {
    let mut files = BTreeSet::new();
    for runner in std::fs::read_dir(folder())
        .unwrap()
        .flatten()
        .filter(|e| e.path().is_dir())
    {
        for file in std::fs::read_dir(runner.path()).unwrap().flatten() {
            let path = file.path().with_extension("");
            files.insert(path.strip_prefix(folder()).unwrap().to_str().unwrap().to_owned());
        }
    }
    let samples = samples();
    let named: BTreeSet<String> = samples.iter().map(|s| s.name.clone()).collect();
    assert_eq!(files, named);
    for s in &samples {
        let told = s.source.starts_with("real ") || s.source.starts_with("documented ");
        assert!(told && !s.command.is_empty(), "{}", s.name);
        assert!(
            ["/tmp/", "/root"].iter().all(|p| !s.text.contains(p)),
            "{} names a machine",
            s.name
        );
    }
}

/// Folder of a runner's samples.
pub(super) fn place(runner: &str) -> String {
    runner.replace(" --", "-").replace(' ', "-")
}

#[test]
fn every_runner_has_a_pass_a_failure_and_an_empty_run() {
    for row in RUNNERS {
        let dir = folder().join(place(row.name));
        let has = |case: &str| dir.join(case).with_extension("txt").is_file();
        assert!(has("fail"), "{}: no sample of a failure", row.name);
        if row.kind == Some(CheckKind::Tests) {
            assert!(
                has("pass") && has("zero"),
                "{}: no pass or no empty run",
                row.name
            );
        }
    }
}
