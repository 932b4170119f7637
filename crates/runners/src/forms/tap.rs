//! The Test Anything Protocol, and `prove`, which reads it.

use super::{join, nothing};
use crate::output::Output;
use crate::scan::Scan;
use proctor_kernel::Summary;

/// Reads the results of the first level. A plan that does not fit what follows is a failure.
pub(crate) fn tap(out: &Output<'_>) -> Option<Summary> {
    let mut read = nothing();
    let (mut planned, mut seen, mut version, mut bail) = (None, 0_u64, false, false);
    let mut kinds = [0_u64; 4];
    for line in &out.lines {
        match line.as_bytes().first() {
            Some(b'1') => {
                if let Some(count) = plan(line) {
                    planned = Some(count.saturating_add(planned.unwrap_or(0)));
                }
            }
            Some(b'o' | b'n') => {
                if let Some(kind) = result(line) {
                    kinds[kind as usize] += 1;
                    seen += 1;
                }
            }
            Some(b'T') => version |= matches!(*line, "TAP version 13" | "TAP version 14"),
            Some(b'B') => bail |= line.starts_with("Bail out!"),
            _ => {}
        }
    }
    if planned.is_none() && !version && !(out.hinted && seen > 0) {
        return None;
    }
    if planned.is_some_and(|n| n > 0) && seen == 0 && !version && !bail {
        return None;
    }
    read.passed = Some(kinds[Kind::Passed as usize]);
    read.failed = Some(kinds[Kind::Failed as usize]);
    read.skipped = Some(kinds[Kind::Skipped as usize]);
    read.xfail = Some(kinds[Kind::Todo as usize]).filter(|n| *n > 0);
    // A plan that is missing is no misfit: the end may be.
    let misfit = planned.is_some_and(|n| n != seen);
    read.says_failed = bail || (misfit && !out.cut);
    if misfit {
        read.passed = None;
    }
    Some(read)
}

/// `1..3`, also `1..0 # SKIP why`
fn plan(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("1..")?;
    let count = scan.num()?;
    (scan.0.is_empty() || scan.0.trim_start().starts_with('#')).then_some(count)
}

#[derive(Clone, Copy)]
enum Kind {
    Passed,
    Failed,
    Skipped,
    Todo,
}

/// `ok 1 - name`, `not ok 2 - name # TODO why`
fn result(line: &str) -> Option<Kind> {
    let (kind, rest) = match line.strip_prefix("not ok") {
        Some(rest) => (Kind::Failed, rest),
        None => (Kind::Passed, line.strip_prefix("ok")?),
    };
    if !rest
        .strip_prefix(' ')?
        .starts_with(|c: char| c.is_ascii_digit() || c == '-')
    {
        return None;
    }
    // An escaped hash belongs to the name.
    let directive = rest.rsplit_once(" # ").map_or("", |(_, d)| d.trim_start());
    let is = |word: &str| {
        directive
            .get(..word.len())
            .is_some_and(|d| d.eq_ignore_ascii_case(word))
    };
    if is("skip") {
        return Some(Kind::Skipped);
    }
    Some(if is("todo") { Kind::Todo } else { kind })
}

/// Reads prove's last lines.
pub(crate) fn prove(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut tests = None;
    let mut all_good = false;
    for line in &out.lines {
        if let Some(count) = files_line(line) {
            tests = Some(count);
        } else if *line == "All tests successful." {
            all_good = true;
        } else if let (Some(verdict), Some(count)) = (line.strip_prefix("Result: "), tests) {
            let part = match verdict {
                // Skipped and expected failures are among the tests, and are not told apart.
                "PASS" => Summary {
                    passed: (count == 0 || all_good).then_some(count),
                    failed: Some(0),
                    ..Summary::default()
                },
                "NOTESTS" => nothing(),
                "FAIL" => super::failure(),
                _ => continue,
            };
            join(&mut whole, part);
            (tests, all_good) = (None, false);
        }
    }
    whole
}

/// `Files=2, Tests=6,  0 wallclock secs …`
fn files_line(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Files=")?;
    scan.num()?;
    scan.lit(", Tests=")?;
    let count = scan.num()?;
    scan.0.contains(" wallclock secs").then_some(count)
}
