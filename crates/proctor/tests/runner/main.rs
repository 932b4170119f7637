//! The one integration-test binary: every other file in this folder is a module of it, so that all
//! tests are linked once. A test below fails when a file is not listed.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this is tests, helpers included"
)]

mod budgets;
mod check;
mod commands;
mod config;
mod conformance;
mod conformance_cells;
mod conformance_gates;
mod conformance_life;
mod conformance_matrix;
mod conformance_proof;
mod conformance_review;
mod conformance_reviewers;
mod conformance_runs;
mod conformance_witness;
mod corpus;
mod eval;
mod evidence;
mod feedback;
mod floors;
mod fsck;
mod hook_claude;
mod hook_places;
mod house_dependencies;
mod house_files;
mod inherited;
mod install;
mod interrupts;
mod launches;
mod panels;
mod pipes;
mod queries;
mod reliability;
mod reports;
mod reviewers;
mod reviews;
mod stakes;
mod support;
mod sync;
mod verify;
mod verify_bases;
mod verify_looks;
mod verify_travel;
mod workflow;

#[test]
fn every_file_in_this_folder_is_listed() {
    let main = include_str!("main.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner");
    let mut forgotten = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|m| *m != "main")
            && !main.lines().any(|line| line == format!("mod {module};"))
        {
            forgotten.push(name);
        }
    }
    assert!(
        forgotten.is_empty(),
        "not listed in main.rs, so never run: {forgotten:?}"
    );
}
