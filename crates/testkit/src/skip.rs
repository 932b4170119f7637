//! Skipped tests are never silent: they are printed past the capture of the test runner, counted in
//! a file for the test script, and are failures in CI.

use std::fs::OpenOptions;
use std::io::Write;

/// Variable with the file that gets one line per skipped test.
pub const SKIPS_FILE: &str = "PROCTOR_TEST_SKIPS";

/// Whether this run is a CI run (`CI` is set to something other than `false` or `0`).
#[must_use]
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false"))
}

/// Reports that `what` is skipped because of `why`: on standard error past the test runner's
/// capture, and as a line of the file that [`SKIPS_FILE`] names.
///
/// # Panics
/// In CI: what cannot run there has not been tested.
pub fn skipped(what: &str, why: &str) {
    let line = report(what, why);
    assert!(!in_ci(), "{line} (in CI a skipped test is a failure)");
}

/// As [`skipped`], for what the machine does not permit and no set-up step could change: not a
/// failure in CI.
pub fn not_permitted(what: &str, why: &str) {
    let _ = report(what, why);
}

fn report(what: &str, why: &str) -> String {
    let line = format!("SKIPPED {what}: {why}");
    // Not `eprintln!`: the test runner would swallow it for a test that passes.
    let _ = writeln!(std::io::stderr(), "{line}");
    if let Some(path) = std::env::var_os(SKIPS_FILE)
        && let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path)
    {
        let _ = writeln!(file, "{line}");
    }
    line
}
