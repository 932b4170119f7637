//! cargo build and its kin, make, and the scripts of npm: what builds, or only starts others.

use super::cargo::is_compile_error;
use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::Scan;
use proctor_kernel::Summary;

/// `Finished …` or `error: could not compile … due to 2 previous errors`
pub(crate) fn cargo(out: &Output<'_>) -> Option<Summary> {
    let (mut finished, mut broken) = (false, false);
    let mut found = Some(0_u64);
    for line in &out.lines {
        if line.trim_start().starts_with("Finished `") && line.contains(" target(s) in ") {
            finished = true;
        } else if is_compile_error(line) {
            broken = true;
            found = crate::scan::sum(found, due_to(line));
        } else if out.hinted && (line.starts_with("error: ") || line.starts_with("error[E")) {
            broken = true;
        }
    }
    if broken {
        return Some(Summary {
            failed: found.filter(|n| *n > 0),
            says_failed: true,
            ..Summary::default()
        });
    }
    finished.then(|| Summary {
        failed: Some(0),
        warnings: warnings(out),
        ..Summary::default()
    })
}

/// All that cargo says of warnings, for each target that it built; those that were printed for another one before are not
/// counted again.
pub(super) fn warnings(out: &Output<'_>) -> Option<u64> {
    let counts = out.lines.iter().filter_map(|line| generated(line));
    counts.reduce(u64::saturating_add)
}

/// ``warning: `core` (lib test) generated 3 warnings (2 duplicates)``
fn generated(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("warning: `")?;
    let mut scan = Scan(rest.split_once("` (")?.1);
    scan.until(") generated ")?;
    let n = scan.num()?;
    let rest = scan
        .0
        .strip_prefix(" warnings")
        .or_else(|| scan.0.strip_prefix(" warning"))?;
    let mut scan = Scan(rest.strip_prefix(" (").unwrap_or_default());
    let again = scan.num().filter(|_| scan.0.starts_with(" duplicate"));
    Some(n.saturating_sub(again.unwrap_or(0)))
}

/// `… due to 2 previous errors; 1 warning emitted`
fn due_to(line: &str) -> Option<u64> {
    let mut scan = Scan(line);
    scan.until(" due to ")?;
    let n = scan.num()?;
    scan.0.starts_with(" previous error").then_some(n)
}

/// Names under which projects keep their checks.
const CHECKS: &[&str] = &[
    "test",
    "tests",
    "check",
    "lint",
    "unit",
    "e2e",
    "verify",
    "typecheck",
];

/// `make: *** [Makefile:6: test] Error 1`, and what make says when there is nothing to do.
pub(crate) fn make(out: &Output<'_>) -> Option<Summary> {
    let (mut failed, mut nothing_done, mut other) = (false, false, false);
    for line in &out.lines {
        let Some(text) = of_make(line) else {
            other = true;
            continue;
        };
        if text.starts_with("*** ") {
            failed = true;
        } else if let Some(target) = ignored(text) {
            // `-` before a command hides its end; for a check that is a failure under a good exit.
            failed |= CHECKS.contains(&target);
        } else {
            nothing_done |= quoted(text).is_some_and(|target| CHECKS.contains(&target));
        }
    }
    if failed {
        return Some(failure());
    }
    // `make test` beside a folder `test` runs nothing, and says so in the language of the user.
    (nothing_done && !other).then(nothing)
}

/// What stands behind `make: ` or `make[2]: `.
fn of_make(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("make").or_else(|| line.strip_prefix("gmake"))?;
    if let Some(text) = rest.strip_prefix(": ") {
        return Some(text);
    }
    let mut scan = Scan(rest.strip_prefix('[')?);
    scan.num()?;
    scan.0.strip_prefix("]: ")
}

/// The target of `[Makefile:3: test] Error 1 (ignored)`.
fn ignored(text: &str) -> Option<&str> {
    let (place, rest) = text.strip_prefix('[')?.split_once("] ")?;
    rest.contains('(')
        .then(|| place.rsplit(": ").next().unwrap_or(place))
}

/// What stands between the first pair of quotes.
fn quoted(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(['\'', '`', '‘', '"'])?;
    rest.split(['\'', '’', '"']).next()
}

/// What npm, pnpm and yarn add to a script that fails.
pub(crate) fn scripts(out: &Output<'_>) -> Option<Summary> {
    let mut whole = None;
    for line in &out.lines {
        let text = line.trim_start();
        let error = text
            .strip_prefix("npm error ")
            .or_else(|| text.strip_prefix("npm ERR! "));
        let failed = match error {
            Some(text) => {
                text.starts_with("Missing script: ")
                    || text.starts_with("Test failed.")
                    || text.starts_with("Lifecycle script `")
                    || text.contains("ELIFECYCLE")
            }
            None => {
                text.starts_with("ELIFECYCLE")
                    || text.starts_with("ERR_PNPM_NO_SCRIPT")
                    || text.starts_with("error Command failed with exit code ")
                    || (out.hinted && text.starts_with("error Command \"") && text.ends_with("\" not found."))
            }
        };
        if failed {
            join(&mut whole, failure());
        }
    }
    whole
}
