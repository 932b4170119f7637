//! What test runners, compilers and linters print at their end, as figures.
//!
//! One table ([`RUNNERS`]) holds a row per runner: which commands start it, what its form looks like in
//! words, and the function that reads it. A form is read strictly, from the beginning of a line to its
//! end, so that talk about tests ("12 passed!") is not taken for a run of tests. What a form does not
//! say stays unknown.
//!
//! **A text is no proof.** Whoever can run a command can print the exact form of any runner. The exit
//! code and the tree decide; a summary can only take away from them: a failure or an empty run under
//! a good exit code.
//!
//! Reading is linear in the length of the output, which is bounded ([`HEAD`], [`TAIL`]).

mod ends;
mod forms;
mod hint;
mod output;
mod scan;
mod starts;
mod table;
#[cfg(test)]
mod tests;

pub use ends::{always_ends, missing_end, printing, tells_figures};
pub use output::{HEAD, TAIL};
pub use starts::{compiles, rows, starts};
pub use table::{RUNNERS, Runner};

use output::Output;
use proctor_kernel::{CheckKind, Summary};

/// Reads all that an output says, as one summary: figures added up, and a failure anywhere is a failure of
/// the whole. `hint` is the command that was run, as `cargo test -p core`: when it names a runner, only
/// that runner's forms are believed, since anything else is what tests print. A command that can start
/// anything (`make`, `npm test`, a script), or none, leaves the decision to the form.
///
/// `None`: no form was recognised, and nothing is known from the text.
#[must_use]
pub fn summarise(output: &str, hint: Option<&str>) -> Option<Summary> {
    merge(summarise_all(output, hint))
}

/// Reads what each runner in an output says: one summary per runner, in the order of the table. The
/// parts of one runner (binaries, packages, classes) are added up.
#[must_use]
pub fn summarise_all(output: &str, hint: Option<&str>) -> Vec<Summary> {
    let (text, cut) = output::bounded(output);
    let text = output::plain(&text);
    let mut output = Output::new(&text, cut, hint.unwrap_or(""));
    let wanted = hint::wanted(output.hint);
    let tests_named = RUNNERS
        .iter()
        .enumerate()
        .any(|(i, row)| wanted.named(i) && row.kind == Some(CheckKind::Tests));
    let mut found: Vec<(&Runner, Summary)> = Vec::new();
    for (index, row) in RUNNERS.iter().enumerate() {
        output.hinted = wanted.named(index);
        let asked =
            output.hinted || (wanted.open && row.alone) || (row.shared && tests_named && found.is_empty());
        let Some(summary) = asked.then(|| (row.read)(&output)).flatten() else {
            continue;
        };
        let summary = finish(row, summary, output.cut);
        let other = found
            .iter_mut()
            .find(|(other, _)| row.yields_to.contains(&other.name));
        match other {
            // Its figures are the other's, seen once more; a failure may be one of its own.
            Some((_, other)) => {
                other.says_failed |= summary.says_failed;
                other.warnings = other.warnings.or(summary.warnings);
            }
            None => found.push((row, summary)),
        }
    }
    found.into_iter().map(|(_, summary)| summary).collect()
}

/// Names the summary, and takes back the figures that cannot be known from a part of the output.
fn finish(row: &Runner, read: Summary, cut: bool) -> Summary {
    let failed = read.is_failure();
    let mut summary = Summary {
        runner: row.name.to_owned(),
        says_failed: failed,
        cut,
        // The end may stand in what is missing.
        unfinished: read.unfinished && !cut,
        ..read
    };
    if cut && row.sums {
        summary.passed = None;
        summary.failed = None;
        summary.skipped = None;
        summary.xfail = None;
        summary.filtered = None;
        summary.warnings = None;
    }
    summary
}

/// One summary of several. Those of tests lend the figures; the others only whether they failed, and their warnings.
fn merge(all: Vec<Summary>) -> Option<Summary> {
    let is_test = |s: &Summary| {
        RUNNERS
            .iter()
            .any(|r| r.name == s.runner && r.kind == Some(CheckKind::Tests))
    };
    let tests = all.iter().any(is_test);
    let mut whole: Option<Summary> = None;
    let mut names: Vec<String> = Vec::new();
    let (mut failed, mut cut, mut unfinished) = (false, false, false);
    let mut warnings = None;
    for summary in all {
        names.push(summary.runner.clone());
        failed |= summary.is_failure();
        cut |= summary.cut;
        unfinished |= summary.unfinished;
        if tests && !is_test(&summary) {
            warnings = either(warnings, summary.warnings);
            continue;
        }
        match &mut whole {
            None => whole = Some(summary),
            Some(sum) => add(sum, &summary),
        }
    }
    let mut whole = whole?;
    whole.runner = names.join(", ");
    whole.says_failed = failed;
    whole.cut = cut;
    whole.unfinished = unfinished;
    whole.warnings = either(whole.warnings, warnings);
    Some(whole)
}

/// Adds the figures of a further part: what is unknown of one is unknown of both.
pub(crate) fn add(whole: &mut Summary, part: &Summary) {
    // Said before the figures may become unknown.
    whole.says_failed |= whole.is_failure() || part.is_failure();
    whole.unfinished |= part.unfinished;
    whole.passed = scan::sum(whole.passed, part.passed);
    whole.failed = scan::sum(whole.failed, part.failed);
    whole.skipped = scan::sum(whole.skipped, part.skipped);
    whole.xfail = either(whole.xfail, part.xfail);
    whole.filtered = either(whole.filtered, part.filtered);
    whole.warnings = either(whole.warnings, part.warnings);
}

/// A figure that most runners leave out when it is zero.
pub(crate) fn either(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        (one, None) | (None, one) => one,
    }
}
