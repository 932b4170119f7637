//! Runners that print how they ended whatever comes of the tests. Where that is missing, nothing shows that a test ran.

use crate::scan::fits;
use crate::{RUNNERS, hint, output};
use proctor_kernel::{End, Summary};

/// Whether the command starts a runner that always prints its end.
#[must_use]
pub fn always_ends(command: &str) -> bool {
    hint::ending(command).is_some()
}

/// Whether one of the runners that a summary names tells its figures whatever comes of the tests.
#[must_use]
pub fn tells_figures(names: &str) -> bool {
    names.split(", ").any(|name| {
        let row = RUNNERS.iter().find(|row| row.name == name);
        row.is_some_and(|row| !row.ends.is_empty() && row.counts)
    })
}

/// An option with which the runner that a command starts prints its end, whatever its settings say. `None`: none is known, or
/// the command itself asks for something else.
#[must_use]
pub fn printing(command: &str) -> Option<&'static str> {
    let (row, words) = hint::ending(command)?;
    (!row.prints.is_empty() && !is_quiet(row.quiet, &words)).then_some(row.prints)
}

/// What is missing of the end of a run that ended well. `summary` is what was read of its output. `all`: the output is
/// known to be all that was printed, or at least to hold its end; else a host may have left out a part.
///
/// `None`: the end is there, or nothing is known of such a command.
#[must_use]
pub fn missing_end(output: &str, command: &str, summary: Option<&Summary>, all: bool) -> Option<End> {
    if summary.is_some_and(|s| !s.unfinished) {
        return None;
    }
    let (row, words) = hint::ending(command)?;
    if summary.is_none() && (is_quiet(row.quiet, &words) || row.settings && is_other_report(output)) {
        return Some(End::Hidden);
    }
    if !all && output::has_gap(output) {
        return None;
    }
    // Of an unfinished part no end was printed, whatever stands elsewhere.
    if summary.is_none() {
        let text = output::plain(output);
        if text
            .lines()
            .any(|line| row.marks.iter().any(|form| fits(form, line)))
        {
            return None;
        }
    }
    Some(End::Silent)
}

/// Whether one of the options stands among the words. `-qq` means that one letter twice.
fn is_quiet(options: &str, words: &[&str]) -> bool {
    let short = |w: &&&str| w.starts_with('-') && !w.starts_with("--");
    options
        .split_ascii_whitespace()
        .any(|option| match option.as_bytes() {
            [b'-', a, b] if a == b => {
                let bundles = words.iter().filter(short);
                let letters = bundles.flat_map(|w| w.bytes()).filter(|b| b == a).count();
                letters + words.iter().filter(|w| **w == "--quiet").count() > 1
            }
            [b'-', letter] if *letter != b'-' => words.iter().filter(short).any(|w| w.starts_with(option)),
            _ => words.iter().any(|w| {
                w.strip_prefix(option)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            }),
        })
}

/// Whether an output looks like a report for programs: JSON, XML, messages of TeamCity or GitHub.
fn is_other_report(output: &str) -> bool {
    output
        .lines()
        .map(str::trim_start)
        .any(|l| l.starts_with(['{', '<']) || l.starts_with("##teamcity[") || l.starts_with("::"))
}
