//! Changes in small, per language: what is found, and what must pass.

mod answers;
mod around;
mod configs;
mod forms;
mod gutted;
mod honest;
mod languages;
mod lexing;
mod pairing;
mod products;
mod recipes;
mod replaced;
mod shadows;
mod stands;
mod told;
mod vacuous;
mod written;

use super::*;

/// A file: path, text at the base, text now.
type File<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

/// What is found, one `severity kind` per finding, sorted by weight.
fn found(files: &[File<'_>]) -> Vec<String> {
    findings(files)
        .iter()
        .map(|f| {
            let severity = match f.severity {
                Severity::Block => "block",
                Severity::Note => "note",
            };
            format!("{severity} {}", f.kind.rule().trim_start_matches("tamper/"))
        })
        .collect()
}

fn findings(files: &[File<'_>]) -> Vec<Finding> {
    let files: Vec<FileChange<'_>> = files
        .iter()
        .map(|(path, base, now)| FileChange {
            path,
            base: *base,
            now: *now,
        })
        .collect();
    judge(&Change {
        files: &files,
        ..Change::default()
    })
}

/// One file that changes from `base` to `now`.
fn changed(path: &str, base: &str, now: &str) -> Vec<String> {
    found(&[(path, Some(base), Some(now))])
}

/// Cases of one file: path, base, now, findings.
fn table(cases: &[(&str, &str, &str, &str, &[&str])]) {
    for (what, path, base, now, expected) in cases {
        assert_eq!(
            changed(path, base, now),
            *expected,
            "{what}:\n{:#?}",
            findings(&[(path, Some(base), Some(now))])
        );
    }
}

#[test]
fn every_kind_has_a_rule_of_its_own() {
    let rules: std::collections::BTreeSet<&str> = Kind::ALL.iter().map(|k| k.rule()).collect();
    assert_eq!(rules.len(), Kind::ALL.len());
    for kind in Kind::ALL {
        let word = serde_json::to_string(&kind).unwrap();
        assert_eq!(word, format!("\"{}\"", kind.rule().trim_start_matches("tamper/")));
    }
}
