//! `cargo test` and `cargo nextest`.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_duration, without_parentheses};
use proctor_kernel::Summary;

/// Reads libtest, one result per binary and per documentation run.
pub(crate) fn test(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut failed, mut broken, mut built) = (false, false, false);
    // A binary that began; one of which no end was seen before the next began.
    let (mut running, mut lost) = (false, false);
    // Binaries that began, without those of which a result was seen.
    let mut open = 0_u64;
    for line in &out.lines {
        match line.as_bytes().first() {
            Some(b't') => {
                if let Some(part) = result(line) {
                    join(&mut whole, part);
                    // What failed within this binary is in its figures.
                    (failed, running) = (false, false);
                    open = open.saturating_sub(1);
                } else if line.starts_with("test ") && line.ends_with(" ... FAILED") {
                    failed |= running || out.hinted;
                }
            }
            Some(b'r') if is_running(line) => {
                lost |= running;
                running = true;
                open += 1;
            }
            Some(b'e') if line.starts_with("error: ") => {
                broken |= says_failed(line) || ((out.hinted || whole.is_some()) && is_compile_error(line));
            }
            Some(b' ') if out.hinted => built |= line.trim_start().starts_with("Executable "),
            Some(b'0'..=b'9') if out.hinted => built |= is_list(line),
            _ => {}
        }
    }
    match &mut whole {
        Some(sum) => {
            sum.says_failed |= failed || broken;
            sum.warnings = super::build::warnings(out);
            if running || lost {
                sum.passed = None;
                sum.failed = sum.failed.filter(|n| *n > 0);
                sum.skipped = None;
                sum.filtered = None;
            }
            sum.unfinished = open > 0;
        }
        None if failed || broken => whole = Some(failure()),
        None if running => {
            whole = Some(Summary {
                unfinished: true,
                ..Summary::default()
            });
        }
        // It was asked to build only.
        None if built && out.hint.contains("--no-run") => {
            whole = Some(Summary {
                failed: Some(0),
                ..Summary::default()
            });
        }
        // Built or listed, and not run.
        None if built => whole = Some(nothing()),
        None => {}
    }
    whole
}

/// `test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn result(line: &str) -> Option<Summary> {
    let mut scan = Scan(line);
    scan.lit("test result: ")?;
    let says_failed = match scan.until(". ")? {
        "ok" => false,
        "FAILED" => true,
        _ => return None,
    };
    // Older toolchains print no time.
    let (figures, time) = scan.0.split_once("; finished in ").unwrap_or((scan.0, "0s"));
    if !is_duration(time) {
        return None;
    }
    let mut sum = Summary {
        says_failed,
        ..Summary::default()
    };
    let mut measured = 0;
    counts(figures, ";", |n, word| {
        match word {
            "passed" => sum.passed = Some(n),
            "failed" => sum.failed = Some(n),
            "ignored" => sum.skipped = Some(n),
            "measured" => measured = n,
            "filtered out" => sum.filtered = Some(n),
            _ => return false,
        }
        true
    })?;
    sum.passed = Some(sum.passed?.checked_add(measured)?);
    sum.failed.and(sum.skipped)?;
    Some(sum)
}

/// `running 3 tests`
fn is_running(line: &str) -> bool {
    let mut scan = Scan(line);
    scan.lit("running ").is_some() && scan.num().is_some() && matches!(scan.0, " test" | " tests")
}

/// `3 tests, 0 benchmarks`, after a list of names
fn is_list(line: &str) -> bool {
    let known = |_: u64, word: &str| matches!(word, "test" | "tests" | "benchmark" | "benchmarks");
    line.contains("benchmark") && counts(line, ",", known).is_some()
}

fn says_failed(line: &str) -> bool {
    if line.starts_with("error: test failed, to rerun pass")
        || line.starts_with("error: doctest failed, to rerun pass")
        || line.starts_with("error: bench failed, to rerun pass")
    {
        return true;
    }
    let mut scan = Scan(line);
    scan.lit("error: ").is_some()
        && scan.num().is_some()
        && matches!(scan.0, " target failed:" | " targets failed:")
}

pub(super) fn is_compile_error(line: &str) -> bool {
    line.starts_with("error: could not compile `")
        || line.starts_with("error: failed to run custom build command for `")
}

/// Reads nextest's summary.
pub(crate) fn nextest(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut failed, mut broken, mut empty) = (false, false, false);
    for line in &out.lines {
        let text = line.trim_start();
        if let Some(part) = summary_line(text) {
            join(&mut whole, part);
            failed = false;
        } else if *line == "error: test run failed" {
            broken |= whole.is_some() || out.hinted;
        } else if line.starts_with("error: no tests to run") {
            empty = true;
        } else if is_compile_error(line) {
            broken |= whole.is_some() || out.hinted;
        } else if out.hinted {
            failed |= ["FAIL [", "SIGABRT [", "SIGSEGV [", "TIMEOUT ["]
                .iter()
                .any(|w| text.starts_with(w));
        }
    }
    if empty {
        join(&mut whole, nothing());
    }
    if failed || broken {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    if let Some(sum) = &mut whole {
        sum.warnings = super::build::warnings(out);
    }
    whole
}

/// `Summary [   0.005s] 2/3 tests run: 1 passed (1 slow), 1 failed, 1 timed out, 1 skipped`
fn summary_line(text: &str) -> Option<Summary> {
    let mut scan = Scan(text);
    scan.lit("Summary [")?;
    if !is_duration(scan.until("] ")?.trim()) {
        return None;
    }
    scan.num()?;
    if scan.lit("/").is_some() {
        scan.num()?;
    }
    scan.lit(" test")?;
    let _ = scan.lit("s");
    scan.lit(" run: ")?;
    let mut sum = Summary {
        failed: Some(0),
        ..nothing()
    };
    let figures = without_parentheses(scan.0);
    counts(&figures, ",", |n, word| {
        match word {
            "passed" => sum.passed = Some(n),
            "failed" | "timed out" | "exec failed" => sum.failed = crate::scan::sum(sum.failed, Some(n)),
            "skipped" => sum.skipped = Some(n),
            _ => return word.ends_with("leaky") || word.ends_with("flaky") || word.ends_with("slow"),
        }
        true
    })?;
    Some(sum)
}
