//! jest, vitest, mocha and node's own runner.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_duration, sum};
use proctor_kernel::Summary;

/// Reads jest's `Tests:` and `Test Suites:`.
pub(crate) fn jest(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut failed, mut broken) = (false, false);
    for line in &out.lines {
        match line.as_bytes().first() {
            Some(b'T') => {
                if let Some(part) = line.strip_prefix("Tests:").and_then(jest_counts) {
                    join(&mut whole, part);
                    failed = false;
                } else if let Some(suites) = line.strip_prefix("Test Suites:").and_then(jest_counts) {
                    broken |= suites.is_failure();
                }
            }
            Some(b'N') if is_jest_empty(line) => join(&mut whole, nothing()),
            Some(b'J') => {
                broken |=
                    line.starts_with("Jest: ") && line.contains(" threshold ") && line.contains("not met")
            }
            Some(b'F') if out.hinted => failed |= line.starts_with("FAIL "),
            _ => {}
        }
    }
    if failed || broken {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

fn is_jest_empty(line: &str) -> bool {
    line.starts_with("No tests found, exiting with code ")
        || line.starts_with("No tests found related to files changed since ")
}

/// `1 failed, 1 skipped, 1 todo, 2 passed, 5 total`, also `2 of 3 total`
fn jest_counts(text: &str) -> Option<Summary> {
    let (figures, total) = text.trim().rsplit_once(", ").unwrap_or(("", text.trim()));
    let mut scan = Scan(total);
    scan.num()?;
    if scan.lit(" of ").is_some() {
        scan.num()?;
    }
    if scan.0 != " total" {
        return None;
    }
    let mut read = nothing();
    if !figures.is_empty() {
        counts(figures, ",", |n, word| take(&mut read, n, word))?;
    }
    Some(read)
}

/// The words that jest and vitest have in common.
fn take(read: &mut Summary, n: u64, word: &str) -> bool {
    match word {
        "passed" => read.passed = Some(n),
        "failed" => read.failed = Some(n),
        "skipped" | "todo" | "pending" => read.skipped = sum(read.skipped, Some(n)),
        "expected fail" => read.xfail = Some(n),
        _ => return false,
    }
    true
}

/// Reads vitest's `Tests` and `Test Files`.
pub(crate) fn vitest(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut failed, mut broken) = (false, false);
    for line in &out.lines {
        let text = line.trim_start();
        match text.as_bytes().first() {
            Some(b'T') => {
                if let Some(part) = text.strip_prefix("Tests  ").and_then(vitest_counts) {
                    join(&mut whole, part);
                    failed = false;
                } else if let Some(files) = text.strip_prefix("Test Files  ").and_then(vitest_counts) {
                    broken |= files.is_failure();
                } else if let Some(types) = text.strip_prefix("Type Errors  ") {
                    broken |= Scan(types).num().is_some_and(|n| n > 0);
                }
            }
            Some(b'E') => {
                if let Some(errors) = text.strip_prefix("Errors  ") {
                    let mut scan = Scan(errors);
                    broken |= scan.num().is_some_and(|n| n > 0) && matches!(scan.0, " error" | " errors");
                }
                broken |= text.starts_with("ERROR: Coverage for ") && text.contains(" does not meet ");
            }
            Some(b'N') if text.starts_with("No test files found, exiting with code ") => {
                join(&mut whole, nothing());
            }
            Some(b'F') if out.hinted => failed |= text.starts_with("FAIL  "),
            _ => {}
        }
    }
    // A count of errors alone is not vitest's.
    if whole.is_none() && !out.hinted {
        return None;
    }
    if failed || broken {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

/// `1 failed | 2 passed | 1 skipped (4)`, or `no tests`
fn vitest_counts(text: &str) -> Option<Summary> {
    let text = text.trim();
    let mut read = nothing();
    if text == "no tests" {
        return Some(read);
    }
    let (figures, total) = text.strip_suffix(')')?.rsplit_once(" (")?;
    total.parse::<u64>().ok()?;
    counts(figures, "|", |n, word| take(&mut read, n, word))?;
    Some(read)
}

/// Reads mocha's epilogue.
pub(crate) fn mocha(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    // Pending and failing follow at once; a title of a test may look like them anywhere else.
    let mut open = false;
    for line in &out.lines {
        let mut scan = Scan(line.trim_start());
        let Some(n) = scan.num() else {
            open = false;
            if out.hinted && line.starts_with("Error: No test files found") {
                join(
                    &mut whole,
                    Summary {
                        says_failed: true,
                        ..nothing()
                    },
                );
            }
            continue;
        };
        match (scan.0, &mut whole) {
            (" pending", Some(read)) if open => read.skipped = sum(read.skipped, Some(n)),
            (" failing", Some(read)) if open => read.failed = sum(read.failed, Some(n)),
            (rest, _) => {
                open = rest
                    .strip_prefix(" passing (")
                    .and_then(|t| t.strip_suffix(')'))
                    .is_some_and(is_duration);
                if open {
                    join(
                        &mut whole,
                        Summary {
                            passed: Some(n),
                            ..nothing()
                        },
                    );
                }
            }
        }
    }
    whole
}

/// Reads the closing block of node's runner, in both of its reporters.
pub(crate) fn node(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut block = [None; 5];
    let mut files = 0_u64;
    for line in &out.lines {
        files = files.saturating_add(u64::from(is_file_as_test(line)));
        let Some(text) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")) else {
            continue;
        };
        let Some((name, number)) = text.split_once(' ') else {
            continue;
        };
        let number: Option<u64> = number.parse().ok();
        match name {
            "tests" => block = [None; 5],
            "pass" => block[0] = number,
            "fail" => block[1] = number,
            "cancelled" => block[2] = number,
            "skipped" => block[3] = number,
            "todo" => block[4] = number,
            "duration_ms" => {
                if let [Some(pass), Some(fail), Some(cancelled), Some(skipped), Some(todo)] = block {
                    let read = Summary {
                        passed: Some(pass.saturating_sub(std::mem::take(&mut files))),
                        failed: fail.checked_add(cancelled),
                        skipped: skipped.checked_add(todo),
                        ..Summary::default()
                    };
                    join(&mut whole, read);
                }
                block = [None; 5];
            }
            _ => {}
        }
    }
    if out.hinted && out.lines.iter().any(|l| l.starts_with("Could not find '")) {
        join(
            &mut whole,
            Summary {
                says_failed: true,
                ..nothing()
            },
        );
    }
    if whole.is_none() && out.hinted && out.lines.iter().any(|l| is_node_failure(l)) {
        return Some(failure());
    }
    whole
}

/// `not ok 2 - name`, `✖ name (1.2ms)`
fn is_node_failure(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix("not ok ") {
        let mut scan = Scan(rest);
        return scan.num().is_some() && scan.lit(" - ").is_some();
    }
    line.strip_prefix("✖ ")
        .and_then(|l| l.strip_suffix(')'))
        .and_then(|l| l.rsplit_once(" ("))
        .is_some_and(|(_, time)| is_duration(time))
}

/// `✔ /app/empty.test.js (20.1ms)`: a file without tests, which node counts as one test that passed.
fn is_file_as_test(line: &str) -> bool {
    let name = if let Some(name) = line.strip_prefix("✔ ") {
        name.rsplit_once(" (").map_or(name, |(name, _)| name)
    } else if let Some(name) = line.strip_prefix("ok ") {
        match name.split_once(" - ") {
            Some((_, name)) => name,
            None => return false,
        }
    } else {
        return false;
    };
    !name.contains(' ')
        && [".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"]
            .iter()
            .any(|end| name.ends_with(end))
}
