//! rspec, minitest, phpunit, ctest, mix, swift.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_one_or_many, rest_of, sum};
use proctor_kernel::Summary;

/// `3 examples, 1 failure, 1 pending, 1 error occurred outside of examples`
pub(crate) fn rspec(out: &Output<'_>) -> Option<Summary> {
    figures(out, |line| {
        let (mut total, mut failed, mut errors) = (None, None, 0);
        let mut read = nothing();
        counts(line, ",", |n, word| {
            if is_one_or_many(word, "example") {
                total = Some(n);
            } else if is_one_or_many(word, "failure") {
                failed = Some(n);
            } else if word == "pending" {
                read.skipped = Some(n);
            } else if word.ends_with(" occurred outside of examples") {
                errors = n;
            } else {
                return false;
            }
            true
        })?;
        read.passed = rest_of(total?, &[failed?, read.skipped?]);
        read.failed = sum(failed, Some(errors));
        read.says_failed = errors > 0;
        Some(read)
    })
}

/// `3 runs, 3 assertions, 1 failures, 0 errors, 1 skips`; test-unit says tests, pendings and omissions.
pub(crate) fn minitest(out: &Output<'_>) -> Option<Summary> {
    figures(out, |line| {
        let (mut total, mut asserted) = (None, false);
        let mut read = nothing();
        counts(line, ",", |n, word| {
            match word {
                "runs" | "run" | "tests" | "test" => total = Some(n),
                "assertions" | "assertion" => asserted = true,
                "failures" | "failure" | "errors" | "error" => read.failed = sum(read.failed, Some(n)),
                "skips" | "skip" | "pendings" | "omissions" => read.skipped = sum(read.skipped, Some(n)),
                "notifications" => {}
                _ => return false,
            }
            true
        })?;
        if !asserted {
            return None;
        }
        read.passed = rest_of(total?, &[read.failed?, read.skipped?]);
        Some(read)
    })
}

/// `1 doctest, 3 tests, 1 failure, 1 skipped, 1 excluded`, behind a line with the time.
pub(crate) fn mix(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut timed = false;
    for line in &out.lines {
        if std::mem::replace(&mut timed, line.starts_with("Finished in "))
            && let Some(part) = mix_figures(line)
        {
            join(&mut whole, part);
        } else if line.starts_with("== Compilation error in file ") && out.hinted {
            join(&mut whole, failure());
        } else if *line == "There are no tests to run" && (out.hinted || whole.is_some()) {
            join(&mut whole, nothing());
        }
    }
    whole
}

fn mix_figures(line: &str) -> Option<Summary> {
    let (mut total, mut failed, mut invalid) = (0_u64, None, 0);
    let mut read = nothing();
    counts(line, ",", |n, word| {
        match word {
            "test" | "tests" | "doctest" | "doctests" | "property" | "properties" => {
                total = total.saturating_add(n)
            }
            "failure" | "failures" => failed = Some(n),
            "skipped" => read.skipped = Some(n),
            "excluded" => read.filtered = Some(n),
            "invalid" => invalid = n,
            _ => return false,
        }
        true
    })?;
    let left_out = [
        failed?,
        invalid,
        read.skipped.unwrap_or(0),
        read.filtered.unwrap_or(0),
    ];
    read.passed = rest_of(total, &left_out);
    read.failed = sum(failed, Some(invalid));
    Some(read)
}

/// Joins all lines that hold figures.
fn figures(out: &Output<'_>, read: impl Fn(&str) -> Option<Summary>) -> Option<Summary> {
    let mut whole = None;
    for line in out
        .lines
        .iter()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()))
    {
        if let Some(part) = read(line) {
            join(&mut whole, part);
        }
    }
    whole
}

/// `OK (3 tests, 3 assertions)`, or a word and `Tests: 3, Assertions: 2, Failures: 1.`
pub(crate) fn phpunit(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let known = out.hinted || out.lines.iter().any(|l| l.starts_with("PHPUnit "));
    let mut word = "";
    for line in &out.lines {
        if let Some(part) = php_ok(line) {
            join(&mut whole, part);
        } else if let Some(mut part) = line.strip_prefix("Tests: ").and_then(php_figures) {
            part.says_failed |= matches!(word, "FAILURES!" | "ERRORS!");
            join(&mut whole, part);
        } else if let Some(part) = line.trim_start().strip_prefix("Tests: ").and_then(pest) {
            join(&mut whole, part);
        } else if *line == "No tests executed!" && known {
            join(&mut whole, nothing());
        } else if matches!(*line, "FAILURES!" | "ERRORS!" | "WARNINGS!") || line.starts_with("OK, but ") {
            word = line;
        }
    }
    whole
}

fn php_ok(line: &str) -> Option<Summary> {
    let mut scan = Scan(line);
    scan.lit("OK (")?;
    let tests = scan.num()?;
    scan.lit(" tests, ").or_else(|| scan.lit(" test, "))?;
    scan.num()?;
    matches!(scan.0, " assertions)" | " assertion)").then(|| Summary {
        passed: Some(tests),
        ..nothing()
    })
}

/// Pest's `1 failed, 1 skipped, 2 passed (4 assertions)`
fn pest(text: &str) -> Option<Summary> {
    let (figures, assertions) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let mut scan = Scan(assertions);
    scan.num()?;
    if !is_one_or_many(scan.0, " assertion") {
        return None;
    }
    let mut read = nothing();
    counts(figures, ",", |n, word| {
        match word {
            "passed" => read.passed = Some(n),
            "failed" => read.failed = Some(n),
            "skipped" | "incomplete" | "risky" | "todo" | "todos" | "pending" => {
                read.skipped = sum(read.skipped, Some(n));
            }
            _ => return matches!(word, "warning" | "warnings" | "deprecated" | "notice" | "notices"),
        }
        true
    })?;
    Some(read)
}

fn php_figures(text: &str) -> Option<Summary> {
    let text = text.strip_suffix('.')?;
    let mut read = nothing();
    let (first, rest) = text.split_once(", ")?;
    let tests: u64 = first.parse().ok()?;
    let (mut assertions, mut warnings) = (None, 0);
    for part in rest.split(", ") {
        let (name, number) = part.split_once(": ")?;
        let n: u64 = number.parse().ok()?;
        match name {
            "Assertions" => assertions = Some(n),
            "Failures" | "Errors" => read.failed = sum(read.failed, Some(n)),
            "Skipped" | "Incomplete" | "Risky" => read.skipped = sum(read.skipped, Some(n)),
            "Warnings" => warnings = n,
            _ => {}
        }
    }
    let asserted = assertions?;
    read.passed = match rest_of(tests, &[read.failed?, read.skipped?]) {
        // Whether a warning is a test of its own differs from version to version.
        Some(_) if warnings > 0 => (asserted == 0).then_some(0),
        passed => passed,
    };
    Some(read)
}

/// `67% tests passed, 1 tests failed out of 3`, and the list of those that did not run.
pub(crate) fn ctest(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut listing = false;
    let (mut skipped, mut broken) = (0_u64, false);
    for line in &out.lines {
        if let Some(part) = ctest_figures(line) {
            join(&mut whole, part);
        } else if *line == "No tests were found!!!" {
            join(&mut whole, nothing());
        } else if line.starts_with("The following tests ") {
            listing = *line == "The following tests did not run:";
            broken |= *line == "The following tests FAILED:";
        } else if *line == "Errors while running CTest" {
            broken = true;
        } else if listing && line.ends_with(" (Skipped)") {
            skipped += 1;
        }
    }
    let whole = whole.as_mut()?;
    // Skipped tests are among those that passed; disabled ones are not counted at all.
    whole.passed = whole.passed.and_then(|n| n.checked_sub(skipped));
    whole.skipped = Some(skipped);
    whole.says_failed |= broken;
    Some(whole.clone())
}

fn ctest_figures(line: &str) -> Option<Summary> {
    let mut scan = Scan(line);
    scan.num()?;
    scan.lit("% tests passed")?;
    let failed = match scan.lit(", ") {
        Some(()) => {
            let failed = scan.num()?;
            scan.lit(" tests failed").or_else(|| scan.lit(" test failed"))?;
            failed
        }
        None => 0,
    };
    scan.lit(" out of ")?;
    let total = scan.num()?;
    scan.0.is_empty().then(|| Summary {
        passed: total.checked_sub(failed),
        failed: Some(failed),
        ..nothing()
    })
}

/// XCTest's `Executed 3 tests, with 1 failure (0 unexpected) in 0.01 (0.02) seconds` of the outermost
/// suites, and Swift Testing's `Test run with 3 tests passed after 0.01 seconds.`
pub(crate) fn swift(out: &Output<'_>) -> Option<Summary> {
    let (mut whole, mut inner): (Option<Summary>, Option<Summary>) = (None, None);
    let (mut outermost, mut broken) = (false, false);
    for line in &out.lines {
        if let Some(suite) = line.strip_prefix("Test Suite '") {
            outermost = suite.starts_with("All tests'") || suite.starts_with("Selected tests'");
        } else if let Some(read) = line.trim_start().strip_prefix("Executed ").and_then(xctest) {
            broken |= read.is_failure();
            if outermost {
                join(&mut whole, read);
            } else {
                inner = Some(read);
            }
        } else if let Some(read) = behind_symbol(line).and_then(swift_testing) {
            join(&mut whole, read);
        } else if out.hinted {
            broken |= line.starts_with("error: ") || line.contains(": error: ");
        }
    }
    let mut whole = whole.or(inner);
    if broken {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

fn xctest(text: &str) -> Option<Summary> {
    let mut scan = Scan(text);
    let total = scan.num()?;
    scan.lit(" test")?;
    let _ = scan.lit("s");
    scan.lit(", with ")?;
    let mut skipped = 0;
    let mut n = scan.num()?;
    if scan
        .lit(" test skipped and ")
        .or_else(|| scan.lit(" tests skipped and "))
        .is_some()
    {
        skipped = n;
        n = scan.num()?;
    }
    scan.lit(" failure")?;
    if !scan.0.ends_with(" seconds") {
        return None;
    }
    Some(Summary {
        // One test can fail more than once.
        passed: if n == 0 { total.checked_sub(skipped) } else { None },
        failed: Some(n),
        skipped: Some(skipped),
        ..Summary::default()
    })
}

/// What follows the symbol and the words of Swift Testing's last line.
fn behind_symbol(line: &str) -> Option<&str> {
    let mut rest = line.chars();
    rest.next()?;
    rest.as_str().trim_start().strip_prefix("Test run with ")
}

fn swift_testing(text: &str) -> Option<Summary> {
    let mut scan = Scan(text);
    let total = scan.num()?;
    scan.lit(" test")?;
    let (_, verdict) = scan.0.split_once(" after ")?;
    let failed = scan.0.contains(" failed after ");
    if !failed && !scan.0.contains(" passed after ") || !verdict.contains(" seconds") {
        return None;
    }
    Some(Summary {
        passed: (!failed).then_some(total),
        failed: (!failed).then_some(0),
        skipped: (!failed).then_some(0),
        says_failed: failed,
        ..Summary::default()
    })
}
