//! tsc, mypy and pyright.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, counts, is_one_or_many};
use proctor_kernel::Summary;

/// `Found 3 errors in 2 files.`, or a line for each error. Nothing at all is a pass, and is not read.
pub(crate) fn tsc(out: &Output<'_>) -> Option<Summary> {
    let (mut lines, mut found, mut empty) = (0_u64, None, false);
    // Looked for in one go, since it can stand anywhere in a line.
    let any = out.text.contains("error TS");
    for line in &out.lines {
        if let Some(n) = tsc_found(line) {
            found = Some(n);
        } else if any && is_tsc_error(line) {
            lines += 1;
            empty |= line.contains("error TS18003: ");
        }
    }
    let failed = match (lines, found) {
        (0, None) => return None,
        // Without an error of its form, "Found 3 errors in …" may be anybody's.
        (0, Some(n)) if n > 0 && !out.hinted => return None,
        (0, Some(n)) => n,
        (lines, found) => found.unwrap_or(lines).max(lines),
    };
    Some(Summary {
        passed: empty.then_some(0),
        failed: Some(failed),
        ..Summary::default()
    })
}

/// `Found 1 error in src/a.ts:1`, `Found 3 errors in 2 files.`, `Found 0 errors. Watching …`
fn tsc_found(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Found ")?;
    let n = scan.num()?;
    scan.lit(" error")?;
    let _ = scan.lit("s");
    let rest = scan.0;
    let place = |text: &str| {
        let line = text.rsplit_once(':').map_or("", |(_, n)| n);
        let files = text
            .strip_suffix(" files.")
            .or_else(|| text.strip_suffix(" file."));
        [line, files.unwrap_or("")]
            .iter()
            .any(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    // mypy says how many files it checked.
    let own = rest.strip_prefix(" in ").is_some_and(place) || rest.starts_with(". Watching for file changes");
    own.then_some(n)
}

/// `src/a.ts(1,7): error TS2322: …`, `src/a.ts:1:7 - error TS2322: …`, `error TS18003: …`
fn is_tsc_error(line: &str) -> bool {
    let Some(at) = line.find("error TS") else {
        return false;
    };
    let before = line.get(..at).unwrap_or("");
    let mut scan = Scan(line.get(at..).unwrap_or(""));
    let code = scan.lit("error TS").is_some() && scan.num().is_some() && scan.lit(": ").is_some();
    code && (before.is_empty() || before.ends_with("): ") || before.ends_with(" - "))
}

/// `Success: no issues found in 3 source files`, `Found 2 errors in 1 file (checked 3 source files)`
pub(crate) fn mypy(out: &Output<'_>) -> Option<Summary> {
    let mut whole = None;
    for line in &out.lines {
        if let Some(text) = line.strip_prefix("Success: no issues found in ") {
            let mut scan = Scan(text);
            if let (Some(n), true) = (scan.num(), is_one_or_many(scan.0, " source file")) {
                join(
                    &mut whole,
                    Summary {
                        passed: Some(n),
                        failed: Some(0),
                        ..Summary::default()
                    },
                );
            }
        } else if let Some(n) = mypy_found(line) {
            join(
                &mut whole,
                Summary {
                    failed: Some(n),
                    ..Summary::default()
                },
            );
        } else if line.starts_with("mypy: error: ") {
            join(&mut whole, failure());
        } else if line.starts_with("There are no .py[i] files in directory ") {
            join(&mut whole, nothing());
        }
    }
    whole
}

fn mypy_found(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.lit("Found ")?;
    let n = scan.num()?;
    scan.until(" in ")?;
    scan.num()?;
    (scan.0.ends_with(" source file)")
        || scan.0.ends_with(" source files)")
        || scan.0.ends_with("(errors prevented further checking)"))
    .then_some(n)
}

/// `2 errors, 1 warning, 0 informations`
pub(crate) fn pyright(out: &Output<'_>) -> Option<Summary> {
    let mut whole = None;
    let mut empty = false;
    for line in &out.lines {
        empty |= *line == "No source files found.";
        if !line.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (mut errors, mut warnings, mut told) = (None, None, 0);
        let read = counts(line, ",", |n, word| {
            told += 1;
            if is_one_or_many(word, "error") {
                errors = Some(n);
                return true;
            }
            if is_one_or_many(word, "warning") {
                warnings = Some(n);
                return true;
            }
            is_one_or_many(word, "information") || is_one_or_many(word, "note")
        });
        if let (Some(()), Some(n), 3) = (read, errors, told) {
            join(
                &mut whole,
                Summary {
                    failed: Some(n),
                    warnings,
                    ..Summary::default()
                },
            );
        }
    }
    if empty && (out.hinted || whole.is_some()) {
        whole.get_or_insert_with(Summary::default).passed = Some(0);
    }
    whole
}
