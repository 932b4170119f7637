//! The rules of the house for files: nothing that belongs to one machine, nothing too long.

use crate::support::workspace;
use std::path::PathBuf;
use std::process::Command;

/// A room, not a hall.
const LONGEST: usize = 700;

/// Names of all files of the project as git sees them (tracked, or new and not ignored).
fn files() -> Vec<String> {
    let output = Command::new("git")
        .current_dir(workspace())
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git ls-files failed");
    let mut names: Vec<String> = String::from_utf8(output.stdout)
        .expect("file names are UTF-8")
        .split('\0')
        .filter(|n| !n.is_empty() && workspace().join(n).is_file())
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    assert!(names.len() > 20, "the list of files is too short to be true");
    names
}

/// The files whose name ends with `end`, with their text.
fn texts(end: &str) -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter(|name| name.ends_with(end))
        .filter_map(|name| Some((std::fs::read_to_string(workspace().join(&name)).ok()?, name)))
        .map(|(text, name)| (name, text))
        .collect()
}

#[test]
fn no_source_file_is_too_long() {
    let mut long = Vec::new();
    for end in [".rs", ".sh", ".py"] {
        for (name, text) in texts(end) {
            let lines = text.lines().count();
            if lines > LONGEST {
                long.push(format!("{name}: {lines} lines"));
            }
        }
    }
    assert!(
        long.is_empty(),
        "longer than {LONGEST} lines:\n{}",
        long.join("\n")
    );
}

#[test]
fn nothing_names_a_place_that_only_one_machine_has() {
    // Put together here, so that this file does not contain what it looks for.
    let forbidden: Vec<String> = [
        ["/work", "/main"],
        ["/work", "/shared"],
        ["/work", "/."],
        ["../", "shared/"],
        [".", "library/"],
        ["/tmp/", "target-"],
        ["/tmp/", "brief"],
        ["/root", "/"],
        ["DESIGN", ".md"],
        ["DESIGN", " §"],
        ["seed ", "00"],
    ]
    .into_iter()
    .map(|parts| parts.concat())
    .collect();
    let mut found = Vec::new();
    for (name, text) in texts("") {
        for (number, line) in text.lines().enumerate() {
            for word in forbidden.iter().filter(|word| line.contains(word.as_str())) {
                found.push(format!("{name}:{}: {word}", number + 1));
            }
        }
    }
    assert!(
        found.is_empty(),
        "the project must stand alone:\n{}",
        found.join("\n")
    );
}

#[test]
fn no_control_character_hides_in_documents_and_code() {
    // `\b` in a plain string is a backspace: unseen where it is read, and a hole in a page that is made of it.
    let mut found = Vec::new();
    for end in [".md", ".rs", ".toml", ".json", ".sh", ".yml", ".yaml"] {
        for (name, text) in texts(end) {
            for (number, line) in text.split('\n').enumerate() {
                for sign in line.chars().filter(|c| c.is_control() && *c != '\t') {
                    found.push(format!("{name}:{}: {}", number + 1, sign.escape_unicode()));
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "control characters in documents:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let manifests: Vec<_> = texts("Cargo.toml")
        .into_iter()
        .filter(|(name, _)| name.starts_with("crates/"))
        .collect();
    assert!(manifests.len() >= 10);
    for (name, text) in manifests {
        assert!(
            text.contains("[lints]\nworkspace = true\n"),
            "{name} does not take the workspace's lints"
        );
    }
}

#[test]
fn only_the_binary_reads_the_environment_and_exits() {
    let mut found = Vec::new();
    for (name, text) in texts(".rs") {
        if !name.starts_with("crates/")
            || name.starts_with("crates/proctor/")
            || name.starts_with("crates/testkit/")
            || name == "crates/trainer/src/main.rs"
        {
            continue;
        }
        // What stands below the tests' attribute, and files of tests, are free to use it.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if name.contains("tests") || name.contains("/examples/") || name.ends_with("/build.rs") {
            continue;
        }
        for (number, line) in code.lines().enumerate() {
            if ["std::env::", "env::var", "process::exit("]
                .iter()
                .any(|w| line.contains(w))
            {
                found.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "libraries get these things as arguments:\n{}",
        found.join("\n")
    );
}

/// The variables of ours that the program reads. All but the last three are for users; those are for tests.
const VARIABLES: &[&str] = &[
    "PROCTOR_AUDIENCE",
    "PROCTOR_CANARY",
    "PROCTOR_LAUNCH",
    "PROCTOR_STATE",
    "PROCTOR_TEST_CLOCK",
    "PROCTOR_TEST_IDS",
    "PROCTOR_TEST_PANIC",
];

#[test]
fn the_program_reads_these_variables_of_ours_and_no_other() {
    let mut found = std::collections::BTreeSet::new();
    for (name, text) in texts(".rs") {
        if !name.starts_with("crates/proctor/src/") {
            continue;
        }
        let mut parts = text.split("\"PROCTOR_");
        let mut before = parts.next().unwrap().to_owned();
        for part in parts {
            let word = format!("PROCTOR_{}", part.split('"').next().unwrap());
            if word == "PROCTOR_TEST_PANIC" {
                assert!(
                    before
                        .rsplit("\n\n")
                        .next()
                        .unwrap()
                        .contains("#[cfg(debug_assertions)]\n"),
                    "{name}: a release build must not read {word}"
                );
            }
            found.insert(word);
            before.push_str(part);
        }
    }
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), VARIABLES);
    let model = std::fs::read_to_string(workspace().join("docs/THREAT_MODEL.md")).unwrap();
    for name in VARIABLES {
        assert!(model.contains(name), "docs/THREAT_MODEL.md does not name {name}");
    }
}

#[test]
fn one_toolchain_is_named_everywhere() {
    let read = |name: &str| std::fs::read_to_string(workspace().join(name)).unwrap();
    let value = |text: &str, key: &str| {
        text.lines()
            .find_map(|l| {
                l.strip_prefix(key)?
                    .trim_start()
                    .strip_prefix('=')?
                    .trim()
                    .strip_prefix('"')?
                    .strip_suffix('"')
                    .map(str::to_owned)
            })
            .unwrap_or_else(|| panic!("no {key}"))
    };
    let pinned = value(&read("rust-toolchain.toml"), "channel");
    let least = value(&read("Cargo.toml"), "rust-version");
    assert_eq!(
        pinned.split('.').count(),
        3,
        "the toolchain is pinned to one release"
    );
    assert!(
        pinned.starts_with(&format!("{least}.")),
        "{pinned} is not a release of {least}"
    );
    assert!(
        files().contains(&"Cargo.lock".to_owned()),
        "Cargo.lock is committed"
    );
}

#[test]
fn ci_runs_the_command_that_the_readme_names() {
    let root = workspace();
    let ci = std::fs::read_to_string(root.join(".ci/run")).unwrap();
    let last = ci.lines().last().unwrap();
    let command = last.strip_prefix("exec ").unwrap_or(last);
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(
        readme.lines().any(|l| l.trim() == command),
        "README.md does not show `{command}` on a line of its own"
    );
    let script: PathBuf = root.join(command.split(' ').next().unwrap());
    assert!(script.is_file(), "{} does not exist", script.display());
}
