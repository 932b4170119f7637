//! eslint, biome, ruff and golangci-lint.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_one_or_many};
use proctor_kernel::Summary;

fn errors(n: u64) -> Summary {
    Summary {
        failed: Some(n),
        ..Summary::default()
    }
}

/// `✖ 3 problems (2 errors, 1 warning)`
pub(crate) fn eslint(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut broken = false;
    for line in &out.lines {
        if let Some(part) = eslint_figures(line) {
            join(&mut whole, part);
        } else {
            broken |= line.starts_with("ESLint found too many warnings (maximum: ");
            broken |= *line == "Oops! Something went wrong! :(";
        }
    }
    if broken {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

fn eslint_figures(line: &str) -> Option<Summary> {
    let text = line.strip_prefix("✖ ").or_else(|| line.strip_prefix("x "))?;
    let mut scan = Scan(text);
    scan.num()?;
    let word = scan.until(" (")?;
    if !is_one_or_many(word, " problem") {
        return None;
    }
    let mut found = Summary::default();
    counts(scan.0.strip_suffix(')')?, ",", |n, word| {
        if is_one_or_many(word, "error") {
            found.failed = Some(n);
            return true;
        }
        found.warnings = Some(n);
        is_one_or_many(word, "warning")
    })?;
    found.failed.is_some().then_some(found)
}

/// `Checked 2 files in 3ms. No fixes applied.`, then `Found 2 errors.`
pub(crate) fn biome(out: &Output<'_>) -> Option<Summary> {
    let (mut checked, mut found, mut broken) = (None, 0_u64, false);
    let mut warnings = None;
    for line in &out.lines {
        if let Some(n) = biome_checked(line) {
            checked = Some(n);
        } else if let (Some(_), Some(n)) = (checked, found_warnings(line)) {
            warnings = crate::either(warnings, Some(n));
        } else if let (Some(_), Some(n)) = (checked, found_errors(line)) {
            found = found.saturating_add(n);
        } else {
            broken |= line.trim_start() == "× Some errors were emitted while running checks.";
        }
    }
    let Some(checked) = checked else {
        return (out.hinted && broken).then(failure);
    };
    let failed = found > 0 || broken;
    Some(Summary {
        passed: (!failed || checked == 0).then_some(checked),
        failed: Some(found),
        warnings,
        says_failed: broken,
        ..Summary::default()
    })
}

fn biome_checked(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Checked ")?;
    let n = scan.num()?;
    let word = scan.until(" in ")?;
    let rest = scan.until(". ").map(|_| scan.0)?;
    (is_one_or_many(word, " file") && (rest == "No fixes applied." || rest.starts_with("Fixed ")))
        .then_some(n)
}

/// `Found 2 errors.`
fn found_errors(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Found ")?;
    let n = scan.num()?;
    matches!(scan.0, " error." | " errors.").then_some(n)
}

/// `Found 2 warnings.`
fn found_warnings(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Found ")?;
    let n = scan.num()?;
    matches!(scan.0, " warning." | " warnings.").then_some(n)
}

/// `All checks passed!`, `Found 3 errors.`, `Found 3 errors (2 fixed, 1 remaining).`, and what `ruff format
/// --check` says.
pub(crate) fn ruff(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let mut empty = false;
    for line in &out.lines {
        if *line == "All checks passed!" {
            join(&mut whole, errors(0));
        } else if let Some(n) = found_errors(line).or_else(|| remaining(line)) {
            join(&mut whole, errors(n));
        } else if let Some(n) = reformatted(line) {
            join(&mut whole, errors(n));
        } else if *line == "warning: No Python files found under the given path(s)" {
            empty = true;
        } else if line.starts_with("error: Failed to parse") || line.starts_with("ruff failed") {
            join(&mut whole, failure());
        }
    }
    if empty {
        whole.get_or_insert_with(nothing).passed = Some(0);
    }
    whole
}

fn remaining(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Found ")?;
    scan.num()?;
    scan.until(" (")?;
    scan.num()?;
    scan.lit(" fixed, ")?;
    let n = scan.num()?;
    (scan.0 == " remaining).").then_some(n)
}

/// `1 file would be reformatted, 2 files already formatted`
fn reformatted(line: &str) -> Option<u64> {
    let mut bad = 0;
    counts(line, ",", |n, word| match word {
        "file would be reformatted" | "files would be reformatted" => {
            bad = n;
            true
        }
        _ => matches!(word, "file already formatted" | "files already formatted"),
    })?;
    Some(bad)
}

/// `3 issues:` with a list, `0 issues.`
pub(crate) fn golangci(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    for line in &out.lines {
        let mut scan = Scan(line);
        if let (Some(n), " issues:" | " issues." | " issue:") = (scan.num(), scan.0) {
            join(&mut whole, errors(n));
        } else if line.starts_with("level=error ") || line.starts_with("Error: ") {
            join(&mut whole, failure());
        }
    }
    whole
}
