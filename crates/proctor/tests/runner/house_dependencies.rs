//! The rules of the house for dependencies: few, known, with acceptable licences, and arrows between
//! our own crates that only point down.

use crate::support::workspace;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::OnceLock;

/// Third-party crates that the binary may be made of, macros and build scripts included.
const BUDGET: usize = 110;

/// Why each crate that we name ourselves is worth having.
const REASONS: &[(&str, &str)] = &[
    ("aho-corasick", "finding many words at once in linear time"),
    ("blake3", "digests of payloads, policies and records"),
    ("clap", "the command line and its help texts"),
    ("crc32fast", "the checksum of each record"),
    ("getrandom", "the random part of identifiers"),
    ("globset", "globs of scopes and allow lists"),
    ("indicatif", "the progress bar of long commands"),
    (
        "granit-parser",
        "YAML events with positions, for values that must be named with line and column",
    ),
    ("insta", "tests: snapshots"),
    (
        "minijinja",
        "the template of what a launched reviewer is asked, which users edit",
    ),
    ("jiff", "the time of records, readable"),
    (
        "memchr",
        "bytes are looked for many at once, in texts that every end of a turn reads",
    ),
    ("proptest", "tests: properties"),
    (
        "regex-lite",
        "the user's own regular expressions: a twentieth of the compile time of the regex crate, no tables",
    ),
    (
        "rustix",
        "process groups, polling and waiting for children, without unsafe code of our own",
    ),
    (
        "rusqlite",
        "the index for `explain` over long logs; SQLite is compiled in, and no hook opens it",
    ),
    ("schemars", "the JSON Schema of the policy, from its types"),
    ("serde", "reading and writing data"),
    (
        "sha2",
        "the digest of a reviewer's program, as `sha256sum` prints it: hundreds of megabytes, with the processor's own instructions",
    ),
    ("serde-saphyr", "YAML with line and column of every value"),
    ("serde_json", "payloads, answers and records"),
    (
        "tempfile",
        "throw-away folders (tests and demo) and atomic replacement of files",
    ),
    ("thiserror", "error types"),
    (
        "ureq",
        "optional: an embeddings endpoint over HTTP(S), blocking, with limits",
    ),
    (
        "unicode-normalization",
        "one form for Hangul and other composed letters",
    ),
    (
        "unicode-segmentation",
        "cutting texts between characters as people see them",
    ),
    (
        "unicode-width",
        "columns of terminal output, Hangul being two wide",
    ),
];

/// Crates that are not to be had, however they come in: C libraries that break the static build,
/// crates that nobody maintains, and what costs a hook its start-up.
const BANNED: &[(&str, &str)] = &[
    ("aws-lc-sys", "builds a C library"),
    ("openssl-sys", "links a C library"),
    ("native-tls", "links a C library"),
    ("libgit2-sys", "links a C library; git itself is asked"),
    ("serde_yaml", "not maintained"),
    ("serde_yml", "not maintained"),
    ("atty", "not maintained"),
    ("tokio", "hooks live a millisecond; nothing here is asynchronous"),
    (
        "async-std",
        "hooks live a millisecond; nothing here is asynchronous",
    ),
    ("regex", "its Unicode tables cost a hook its start-up"),
];

/// Crates that we do not name ourselves, though others may need them.
const UNWANTED: &[(&str, &str)] = &[
    ("anyhow", "there is one error type, by kind"),
    ("lazy_static", "the standard library has it"),
    ("once_cell", "the standard library has it"),
];

const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Which floor each of our crates is on. A crate may depend on lower floors, and on the crates of
/// its own floor that stand before it here.
const FLOORS: &[(&str, u8)] = &[
    ("proctor-kernel", 0),
    ("proctor-eval", 1),
    ("proctor-prose", 1),
    ("proctor-runners", 1),
    ("proctor-shell", 1),
    ("proctor-similarity", 1),
    ("proctor-outline", 1),
    ("proctor-policy", 2),
    ("proctor-worktree", 2),
    ("proctor-ledger", 2),
    ("proctor-gates", 3),
    ("proctor-index", 3),
    ("proctor-hosts", 3),
    ("proctor-engine", 4),
    ("proctor-trainer", 4),
    ("proctor-audit", 5),
    ("proctor-team", 5),
    ("proctor-testkit", 6),
    ("proctor", 6),
];

struct Package {
    name: String,
    version: String,
    licence: String,
    ours: bool,
    /// Ids of what it needs to be built and run, without its tests.
    needs: Vec<String>,
    /// Names of third-party crates in its own manifest, tests included.
    named: Vec<String>,
}

/// What cargo resolved for this platform, by id.
fn packages() -> &'static BTreeMap<String, Package> {
    static PACKAGES: OnceLock<BTreeMap<String, Package>> = OnceLock::new();
    PACKAGES.get_or_init(|| {
        let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .current_dir(workspace())
            .args([
                "metadata",
                "--format-version=1",
                "--offline",
                "--locked",
                "--filter-platform",
                &platform,
            ])
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let data: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut packages: BTreeMap<String, Package> = data["packages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| (text(&p["id"]), package(p)))
            .collect();
        for node in data["resolve"]["nodes"].as_array().unwrap() {
            let needs = node["deps"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|d| is_needed(d))
                .map(|d| text(&d["pkg"]));
            packages.get_mut(&text(&node["id"])).unwrap().needs = needs.collect();
        }
        packages
    })
}

fn package(data: &Value) -> Package {
    let dependencies = data["dependencies"].as_array().unwrap().iter();
    Package {
        name: text(&data["name"]),
        version: text(&data["version"]),
        licence: text(&data["license"]),
        ours: data["source"].is_null(),
        needs: Vec::new(),
        named: dependencies
            .filter(|d| d["path"].is_null())
            .map(|d| text(&d["name"]))
            .collect(),
    }
}

fn is_needed(dependency: &Value) -> bool {
    dependency["dep_kinds"]
        .as_array()
        .unwrap()
        .iter()
        .any(|k| k["kind"] != "dev")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Everything that the package called `root` is made of, itself included.
fn closure(root: &str) -> BTreeSet<&'static str> {
    let packages = packages();
    let mut todo: Vec<&str> = packages
        .iter()
        .filter(|(_, p)| p.ours && p.name == root)
        .map(|(id, _)| id.as_str())
        .collect();
    let mut found = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if found.insert(id) {
            todo.extend(packages[id].needs.iter().map(String::as_str));
        }
    }
    found
}

#[test]
fn the_binary_stays_within_the_dependency_budget() {
    let names: Vec<String> = closure("proctor")
        .iter()
        .map(|id| &packages()[*id])
        .filter(|p| !p.ours)
        .map(|p| format!("{} {}", p.name, p.version))
        .collect();
    assert!(names.len() > 10, "the list is too short to be true");
    assert!(
        names.len() <= BUDGET,
        "{} third-party crates, {BUDGET} allowed:\n{}",
        names.len(),
        names.join("\n")
    );
}

#[test]
fn every_crate_that_we_name_has_a_reason() {
    let named: BTreeSet<&str> = packages()
        .values()
        .filter(|p| p.ours)
        .flat_map(|p| p.named.iter().map(String::as_str))
        .collect();
    let missing: Vec<_> = named
        .iter()
        .filter(|n| !REASONS.iter().any(|(name, _)| name == *n))
        .collect();
    assert!(missing.is_empty(), "no reason in REASONS: {missing:?}");
    let unwanted: Vec<_> = UNWANTED.iter().filter(|(name, _)| named.contains(name)).collect();
    assert!(unwanted.is_empty(), "{unwanted:?}");
}

#[test]
fn no_banned_crate_comes_in() {
    let found: Vec<_> = closure("proctor")
        .iter()
        .map(|id| &packages()[*id])
        .filter_map(|p| BANNED.iter().find(|(name, _)| *name == p.name && !p.ours))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn every_licence_is_acceptable() {
    let wrong: Vec<String> = packages()
        .values()
        .filter(|p| !acceptable(&p.licence))
        .map(|p| format!("{} {}: {:?}", p.name, p.version, p.licence))
        .collect();
    assert!(wrong.is_empty(), "licences to look at:\n{}", wrong.join("\n"));
}

/// Whether an SPDX expression can be satisfied with [`LICENCES`] alone.
fn acceptable(expression: &str) -> bool {
    let expression = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut at = 0;
    any_of(&words, &mut at) && at == words.len()
}

fn any_of(words: &[&str], at: &mut usize) -> bool {
    let mut met = all_of(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all_of(words, at);
    }
    met
}

fn all_of(words: &[&str], at: &mut usize) -> bool {
    let mut met = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at);
    }
    met
}

fn one(words: &[&str], at: &mut usize) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let met = any_of(words, at);
        *at += 1;
        return met;
    }
    let mut name = (*word).to_owned();
    if let (Some(&"WITH"), Some(exception)) = (words.get(*at), words.get(*at + 1)) {
        name = format!("{name} WITH {exception}");
        *at += 2;
    }
    LICENCES.contains(&name.as_str())
}

#[test]
fn licence_expressions_are_read() {
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT/Apache-2.0", true),
        ("MIT OR GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
        ("GPL-3.0 OR (MIT AND LGPL-2.1)", false),
        ("Apache-2.0 WITH LLVM-exception OR MPL-2.0", true),
        ("", false),
    ] {
        assert_eq!(acceptable(expression), expected, "{expression}");
    }
}

#[test]
fn arrows_between_our_crates_only_point_down() {
    let place = |name: &str| {
        let index = FLOORS.iter().position(|(n, _)| *n == name);
        index.unwrap_or_else(|| panic!("{name} has no floor in FLOORS"))
    };
    let packages = packages();
    for package in packages.values().filter(|p| p.ours) {
        for needed in package.needs.iter().map(|id| &packages[id]).filter(|p| p.ours) {
            assert!(
                place(&needed.name) < place(&package.name),
                "{} must not need {}",
                package.name,
                needed.name
            );
            assert_ne!(
                needed.name, "proctor-testkit",
                "{} needs test support",
                package.name
            );
        }
    }
    assert!(FLOORS.is_sorted_by_key(|(_, floor)| floor));
}

#[test]
fn the_code_map_shows_every_crate_on_its_floor() {
    let map = std::fs::read_to_string(workspace().join("docs/ARCHITECTURE.md")).unwrap();
    for (name, floor) in FLOORS.iter().filter(|(name, _)| *name != "proctor-testkit") {
        let room = name.trim_start_matches("proctor-");
        let line = format!("| {floor} | `{room}` |");
        assert!(map.contains(&line), "docs/ARCHITECTURE.md has no line {line}");
    }
}
