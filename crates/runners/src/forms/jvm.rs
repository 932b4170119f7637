//! Maven's surefire, gradle and dotnet.

use super::{failure, join, nothing};
use crate::output::Output;
use crate::scan::{Scan, is_one_or_many, rest_of, sum};
use proctor_kernel::Summary;

/// `Tests run: 3, Failures: 0, Errors: 0, Skipped: 0` of the results (those of a class have a time),
/// `BUILD SUCCESS`, `BUILD FAILURE`
pub(crate) fn maven(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut broken, mut empty, mut good) = (false, false, false);
    for line in &out.lines {
        let (level, text) = level(line);
        if let Some(part) = text.strip_prefix("Tests run: ").and_then(surefire) {
            join(&mut whole, part);
        } else if level.is_some() {
            broken |= text == "BUILD FAILURE" || text == "COMPILATION ERROR :";
            broken |= text == "There are test failures.";
            good |= text == "BUILD SUCCESS";
            // The plugin says nothing at all when there is no test class.
            empty |= text.starts_with("--- ") && text.contains("surefire") && text.contains(":test (");
            empty |= matches!(
                text,
                "No tests to run." | "Tests are skipped." | "No tests were executed!"
            );
        }
    }
    // Asked to leave the tests out, it is a build.
    empty &= !out.hint.contains("-DskipTests") && !out.hint.contains("-Dmaven.test.skip");
    if whole.is_none() {
        whole = match (broken, empty, good) {
            (false, true, true) => Some(nothing()),
            (true, ..) => Some(failure()),
            // Built; whether there were tests is not said.
            (false, false, true) => Some(Summary::default()),
            _ => None,
        };
    }
    if let Some(sum) = &mut whole {
        sum.says_failed |= broken;
    }
    whole
}

fn level(line: &str) -> (Option<&str>, &str) {
    for level in ["[INFO] ", "[WARNING] ", "[ERROR] "] {
        if let Some(text) = line.strip_prefix(level) {
            return (Some(level), text.trim());
        }
    }
    (None, line)
}

fn surefire(text: &str) -> Option<Summary> {
    let mut scan = Scan(text);
    let total = scan.num()?;
    let failures = scan.field(", Failures:")?;
    let errors = scan.field(", Errors:")?;
    let skipped = scan.field(", Skipped:")?;
    let flaky = if scan.0.is_empty() {
        0
    } else {
        scan.field(", Flakes:")?
    };
    let failed = failures.checked_add(errors)?;
    let _ = flaky;
    scan.0.is_empty().then(|| Summary {
        passed: rest_of(total, &[failed, skipped]),
        failed: Some(failed),
        skipped: Some(skipped),
        ..Summary::default()
    })
}

/// `BUILD SUCCESSFUL in 3s`, `BUILD FAILED in 3s`, `3 tests completed, 1 failed, 1 skipped`. Gradle counts
/// only when something failed.
pub(crate) fn gradle(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut good, mut broken, mut ran, mut none) = (false, false, false, false);
    for line in &out.lines {
        if let Some(part) = gradle_figures(line) {
            join(&mut whole, part);
        } else if line.starts_with("BUILD SUCCESSFUL in ") {
            good = true;
        } else if line.starts_with("BUILD FAILED") || line.starts_with("FAILURE: Build ") {
            broken = true;
        } else if let Some(task) = line.strip_prefix("> Task :").or_else(|| line.strip_prefix(':')) {
            let (name, state) = task.split_once(' ').unwrap_or((task, ""));
            let last = name.rsplit(':').next().unwrap_or(name);
            if last.to_ascii_lowercase().ends_with("test") {
                none |= matches!(state, "NO-SOURCE" | "SKIPPED");
                ran |= !matches!(state, "NO-SOURCE" | "SKIPPED");
                broken |= state == "FAILED";
            }
        }
    }
    if !good && !broken && whole.is_none() {
        return None;
    }
    let mut read = whole.unwrap_or_else(|| {
        if none && !ran && good && !broken {
            nothing()
        } else {
            Summary {
                failed: (good && !broken).then_some(0),
                ..Summary::default()
            }
        }
    });
    read.says_failed |= broken;
    Some(read)
}

fn gradle_figures(line: &str) -> Option<Summary> {
    let mut scan = Scan(line);
    let total = scan.num()?;
    let words = scan.until(" completed")?;
    if !is_one_or_many(words.trim_start(), "test") {
        return None;
    }
    let mut read = nothing();
    for part in scan.0.split(", ").filter(|p| !p.is_empty()) {
        let (n, word) = part.split_once(' ')?;
        let n: u64 = n.parse().ok()?;
        match word {
            "failed" => read.failed = Some(n),
            "skipped" => read.skipped = Some(n),
            _ => return None,
        }
    }
    read.passed = rest_of(total, &[read.failed?, read.skipped?]);
    Some(read)
}

/// The words of `dotnet test` in the languages that it is often met in: verdicts, then the figures.
struct Words {
    passed: &'static str,
    failed: &'static str,
    skipped: &'static str,
    figures: [&'static str; 4],
}

const WORDS: [Words; 2] = [
    Words {
        passed: "Passed!",
        failed: "Failed!",
        skipped: "Skipped!",
        figures: ["Failed:", "Passed:", "Skipped:", "Total:"],
    },
    Words {
        passed: "통과!",
        failed: "실패!",
        skipped: "건너뜀!",
        figures: ["실패:", "통과:", "건너뜀:", "전체:"],
    },
];

/// `Passed!  - Failed: 0, Passed: 3, Skipped: 0, Total: 3, …`, `Test summary: total: 3, failed: 0, …`,
/// or a column under `Total tests: 3` or `Test run summary: Passed!`
pub(crate) fn dotnet(out: &Output<'_>) -> Option<Summary> {
    let mut whole: Option<Summary> = None;
    let (mut broken, mut empty) = (false, false);
    let mut column: Option<Summary> = None;
    for line in &out.lines {
        let text = line.trim_start();
        if let Some(part) = WORDS
            .iter()
            .find_map(|w| vstest(text, w))
            .or_else(|| terminal_logger(text))
        {
            join(&mut whole, part);
        } else if let Some(head) = head_of_column(text) {
            if let Some(part) = column.replace(head) {
                join(&mut whole, part);
            }
        } else if column.as_mut().is_some_and(|read| !fill(read, text))
            && let Some(part) = column.take()
        {
            join(&mut whole, part);
        }
        broken |= *line == "Test Run Failed." || *line == "Test Run Aborted.";
        broken |= (out.hinted || whole.is_some())
            && (*line == "Build FAILED." || text.starts_with("Build failed with "));
        broken |= out.hinted
            && (line.contains(": error CS") || line.contains("error MSB") || line.contains(": error NU"));
        empty |= text.starts_with("No test is available in ")
            || text.starts_with("No test matches the given testcase filter ");
    }
    if let Some(part) = column {
        join(&mut whole, part);
    }
    if empty && whole.is_none() {
        whole = Some(nothing());
    }
    if broken {
        whole.get_or_insert_with(failure).says_failed = true;
    }
    whole
}

/// `Total tests: 3`, `Test run summary: Failed!`, `Test run summary: Zero tests ran`
fn head_of_column(text: &str) -> Option<Summary> {
    if let Some(total) = text.strip_prefix("Total tests: ") {
        return total.parse::<u64>().is_ok().then(nothing);
    }
    let verdict = text.strip_prefix("Test run summary: ")?;
    Some(Summary {
        says_failed: verdict.starts_with("Failed!") || verdict.starts_with("Aborted"),
        ..nothing()
    })
}

/// One line of a column; `false` for a line that does not belong to it.
fn fill(read: &mut Summary, text: &str) -> bool {
    let Some((label, number)) = text.split_once(": ") else {
        return false;
    };
    let Ok(number) = number.trim().parse() else {
        return false;
    };
    match label {
        "Passed" | "succeeded" => read.passed = Some(number),
        "Failed" | "failed" => read.failed = Some(number),
        "Skipped" | "skipped" => read.skipped = Some(number),
        "total" => {}
        _ => return false,
    }
    true
}

fn vstest(text: &str, words: &Words) -> Option<Summary> {
    let verdict = [words.passed, words.failed, words.skipped]
        .into_iter()
        .find(|w| text.starts_with(w))?;
    let mut scan = Scan(text);
    scan.lit(verdict)?;
    scan.0 = scan.0.trim_start().strip_prefix('-')?;
    let mut figures = [0; 4];
    for (figure, label) in figures.iter_mut().zip(words.figures) {
        *figure = scan.field(label)?;
        scan.0 = scan.0.strip_prefix(',').unwrap_or(scan.0);
    }
    Some(Summary {
        passed: Some(figures[1]),
        failed: Some(figures[0]),
        skipped: Some(figures[2]),
        says_failed: verdict == words.failed,
        ..Summary::default()
    })
}

/// `Test summary: total: 3, failed: 0, succeeded: 3, skipped: 0, duration: 0.9s`
fn terminal_logger(text: &str) -> Option<Summary> {
    let mut scan = Scan(text);
    scan.lit("Test summary: ")?;
    scan.field("total:")?;
    let failed = scan.field(", failed:")?;
    let passed = scan.field(", succeeded:")?;
    let skipped = scan.field(", skipped:")?;
    sum(Some(failed), Some(passed)).map(|_| Summary {
        passed: Some(passed),
        failed: Some(failed),
        skipped: Some(skipped),
        ..Summary::default()
    })
}
