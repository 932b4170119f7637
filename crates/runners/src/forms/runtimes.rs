//! deno, bun and playwright.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_duration, is_one_or_many, sum, without_parentheses};
use proctor_kernel::Summary;

/// `ok | 3 passed (2 steps) | 0 failed | 1 ignored | 2 filtered out (6ms)`
pub(crate) fn deno(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut failed, mut empty) = (false, false);
    for line in &out.lines {
        if let Some(part) = deno_line(line) {
            join(&mut whole, part);
        } else if *line == "error: Test failed" {
            failed |= whole.is_some() || out.hinted;
        } else if out.hinted && line.starts_with("error: ") {
            failed = true;
            empty |= line.starts_with("error: No test modules found");
        }
    }
    if empty {
        join(&mut whole, nothing());
    }
    if failed {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

fn deno_line(line: &str) -> Option<Summary> {
    let (says_failed, text) = match line.strip_prefix("ok | ") {
        Some(text) => (false, text),
        None => (true, line.strip_prefix("FAILED | ")?),
    };
    let (figures, time) = text.strip_suffix(')')?.rsplit_once(" (")?;
    if !is_duration(time) {
        return None;
    }
    let mut read = nothing();
    counts(&without_parentheses(figures), "|", |n, word| {
        match word {
            "passed" => read.passed = Some(n),
            "failed" => read.failed = Some(n),
            "ignored" => read.skipped = Some(n),
            "filtered out" => read.filtered = Some(n),
            _ => return word == "measured",
        }
        true
    })?;
    read.says_failed = says_failed;
    Some(read)
}

/// A column of figures, then `Ran 3 tests across 1 file. [5.00ms]`
pub(crate) fn bun(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut read = Summary::default();
    let known = out.hinted || out.lines.iter().any(|l| l.starts_with("bun test v"));
    let mut failed = false;
    for line in &out.lines {
        if let Some((n, word)) = line.strip_prefix(' ').and_then(bun_figure) {
            match word {
                "pass" => read.passed = Some(n),
                "fail" => read.failed = sum(Some(read.failed.unwrap_or(0)), Some(n)),
                "skip" | "todo" => read.skipped = sum(Some(read.skipped.unwrap_or(0)), Some(n)),
                "filtered out" => read.filtered = Some(n),
                "error" | "errors" => read.says_failed |= n > 0,
                _ => {}
            }
        } else if is_bun_end(line) {
            if read.passed.is_some() {
                read.skipped.get_or_insert(0);
                join(&mut whole, std::mem::take(&mut read));
                failed = false;
            }
        } else if known && is_bun_empty(line) {
            join(&mut whole, nothing());
        } else if known {
            failed |= line.starts_with("(fail) ");
        }
    }
    if failed {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

fn bun_figure(text: &str) -> Option<(u64, &str)> {
    let mut scan = Scan(text);
    let n = scan.num()?;
    Some((n, scan.0.strip_prefix(' ')?))
}

fn is_bun_end(line: &str) -> bool {
    let mut scan = Scan(line);
    scan.lit("Ran ").is_some()
        && scan.num().is_some()
        && scan
            .until(" across ")
            .is_some_and(|w| is_one_or_many(w.trim_start(), "test"))
        && scan.num().is_some()
        && line.ends_with(']')
}

fn is_bun_empty(line: &str) -> bool {
    line.starts_with("No tests found!")
        || line == "The following filters did not match any test files:"
        || line.starts_with("error: 0 test files matching ")
        || (line.starts_with("error: regex ") && line.contains(" matched 0 tests."))
}

/// `Running 3 tests using 1 worker`, and at the end `  1 failed`, `  1 skipped`, `  2 passed (5.6s)`, with
/// names between them
pub(crate) fn playwright(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut open: Option<Summary> = None;
    let mut known = out.hinted;
    for line in &out.lines {
        if is_playwright_start(line) {
            known = true;
            close(&mut whole, open.take());
        } else if !known {
            continue;
        } else if *line == "Error: No tests found." {
            join(&mut whole, nothing());
        } else if let Some((n, word)) = line.strip_prefix("  ").and_then(bun_figure) {
            let (word, time) = word.split_once(" (").unwrap_or((word, "0)"));
            if !time.strip_suffix(')').is_some_and(is_duration) {
                continue;
            }
            let read = open.get_or_insert_with(Summary::default);
            let slot = match word {
                // Passed when it was tried again.
                "passed" | "flaky" => &mut read.passed,
                "failed" | "interrupted" => &mut read.failed,
                "skipped" | "did not run" => &mut read.skipped,
                _ => continue,
            };
            *slot = sum(Some(slot.unwrap_or(0)), Some(n));
        }
    }
    close(&mut whole, open);
    whole
}

/// Joins what one run said: what it did not name is none.
fn close(whole: &mut Option<Summary>, run: Option<Summary>) {
    if let Some(mut run) = run.filter(|r| *r != Summary::default()) {
        for slot in [&mut run.passed, &mut run.failed, &mut run.skipped] {
            slot.get_or_insert(0);
        }
        join(whole, run);
    }
}

fn is_playwright_start(line: &str) -> bool {
    let mut scan = Scan(line);
    scan.lit("Running ").is_some()
        && scan.num().is_some()
        && scan
            .until(" using ")
            .is_some_and(|w| is_one_or_many(w.trim_start(), "test"))
        && scan.num().is_some()
        && is_one_or_many(scan.0, " worker")
}
