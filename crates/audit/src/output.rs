//! Reading a test runner's own summary in its output, for runs whose exit status is hidden and to
//! tell a passing run from one in which nothing ran.

/// What a runner's summary says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Whether there is a summary at all.
    pub(crate) found: bool,
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed, and errors.
    pub(crate) failed: u64,
}

impl Summary {
    /// Tests ran and none failed.
    pub(crate) fn good(self) -> bool {
        self.found && self.passed > 0 && self.failed == 0
    }

    /// The runner says that it ran nothing.
    pub(crate) fn empty(self) -> bool {
        self.found && self.passed == 0 && self.failed == 0
    }
}

/// Reads all summary lines of `output`; figures of several runs are added up.
pub(crate) fn summary(output: &str) -> Summary {
    let mut sum = Summary::default();
    for line in output.lines() {
        // No summary line is long, and logs may hold very long lines.
        if line.len() <= 400 {
            read(line.trim(), &mut sum);
        }
    }
    sum
}

fn read(line: &str, sum: &mut Summary) {
    let (passed, failed) = if let Some(rest) = line.strip_prefix("test result:") {
        // cargo: `test result: ok. 3 passed; 0 failed; …`
        (before(rest, &["passed"]), before(rest, &["failed"]))
    } else if let Some(rest) = line.strip_prefix("Tests run:") {
        // Maven prints running totals per class and one for all, without a class name.
        if line.contains(" in ") {
            return;
        }
        let failed = after(line, "Failures:").unwrap_or(0) + after(line, "Errors:").unwrap_or(0);
        let ran = number(rest).unwrap_or(0);
        (Some(ran.saturating_sub(failed)), Some(failed))
    } else if line.starts_with("Tests:") && line.contains("Assertions:") {
        // PHPUnit, with failures
        let failed = after(line, "Failures:").unwrap_or(0) + after(line, "Errors:").unwrap_or(0);
        (
            after(line, "Tests:").map(|n| n.saturating_sub(failed)),
            Some(failed),
        )
    } else if line.starts_with("Tests ") || line.starts_with("Tests:") {
        // Jest, Vitest
        (before(line, &["passed"]), before(line, &["failed"]))
    } else if line.starts_with("Summary [") {
        // cargo-nextest
        (before(line, &["passed"]), before(line, &["failed"]))
    } else if line.starts_with("Passed!") || line.starts_with("Failed!") {
        // dotnet
        (after(line, "Passed:"), after(line, "Failed:"))
    } else if let Some(rest) = line.strip_prefix("OK (") {
        // PHPUnit, all well
        (number(rest), Some(0))
    } else if let Some(rest) = line.strip_prefix("Ran ") {
        // unittest: the failures follow in a line of their own
        if !rest.contains(" test") {
            return;
        }
        (number(rest), None)
    } else if line.starts_with("FAILED (") {
        (Some(0), Some(1))
    } else if line.contains("% tests passed") {
        // ctest: `100% tests passed, 0 tests failed out of 12`
        let failed = before(line, &["tests failed"]).unwrap_or(0);
        let ran = line.rsplit(' ').next().and_then(number).unwrap_or(0);
        (Some(ran.saturating_sub(failed)), Some(failed))
    } else if line.starts_with("ok  \t") {
        // go, one line per package
        (
            Some(u64::from(
                !line.contains("[no test files]") && !line.contains("[no tests to run]"),
            )),
            None,
        )
    } else if line == "FAIL" || line.starts_with("FAIL\t") || line.starts_with("--- FAIL") {
        (None, Some(1))
    } else if ["# pass ", "ℹ pass "].iter().any(|p| line.starts_with(p)) {
        // node:test
        (line.rsplit(' ').next().and_then(number), None)
    } else if ["# fail ", "ℹ fail "].iter().any(|p| line.starts_with(p)) {
        (None, line.rsplit(' ').next().and_then(number))
    } else if line.contains(" example") && line.contains(" failure") {
        // RSpec
        let failed = before(line, &["failures", "failure"]).unwrap_or(0);
        (
            before(line, &["examples", "example"]).map(|n| n.saturating_sub(failed)),
            Some(failed),
        )
    } else if pytest(line) {
        if line.contains("no tests ran") {
            (Some(0), Some(0))
        } else {
            let failed =
                before(line, &["failed"]).unwrap_or(0) + before(line, &["error", "errors"]).unwrap_or(0);
            (before(line, &["passed"]), Some(failed))
        }
    } else if let Some((n, rest)) = leading(line) {
        // Mocha: `12 passing (30ms)`, Bun: `12 pass`, and the lines on failures
        match rest.split([' ', '(']).next().unwrap_or_default() {
            "passing" | "pass" => (Some(n), None),
            "failing" | "fail" => (None, Some(n)),
            _ => return,
        }
    } else if matches!(
        line,
        "No tests found" | "no tests to run" | "No test files found, exiting with code 1"
    ) {
        (Some(0), Some(0))
    } else {
        return;
    };
    if passed.is_some() || failed.is_some() {
        sum.found = true;
        sum.passed = sum.passed.saturating_add(passed.unwrap_or(0));
        sum.failed = sum.failed.saturating_add(failed.unwrap_or(0));
    }
}

/// `== 3 passed, 1 failed in 0.12s ==`, or the same without the bars (`-q`).
fn pytest(line: &str) -> bool {
    let line = line.trim_matches(['=', ' ']);
    let Some((what, time)) = line.rsplit_once(" in ") else {
        return false;
    };
    time.chars().next().is_some_and(|c| c.is_ascii_digit())
        && (what == "no tests ran"
            || (leading(what).is_some()
                && ["passed", "failed", "error", "skipped", "deselected"]
                    .iter()
                    .any(|w| what.contains(w))))
}

/// The number at the start of `text`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let digits: String = text.chars().take_while(char::is_ascii_digit).take(12).collect();
    digits.parse().ok()
}

fn leading(line: &str) -> Option<(u64, &str)> {
    let n = number(line)?;
    Some((
        n,
        line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start(),
    ))
}

/// The number that stands right before one of `words`.
fn before(line: &str, words: &[&str]) -> Option<u64> {
    words.iter().find_map(|word| {
        line.match_indices(word).find_map(|(at, _)| {
            let head = line.get(..at)?.strip_suffix(' ')?;
            let digits = head.chars().rev().take_while(char::is_ascii_digit).count();
            head.get(head.len() - digits..)?.parse().ok()
        })
    })
}

/// The number that stands right after `label`.
fn after(line: &str, label: &str) -> Option<u64> {
    line.find(label)
        .and_then(|at| number(line.get(at + label.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_the_common_runners_are_read() {
        for (output, passed, failed) in [
            (
                "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\ntest result: ok. 3 passed; 0 failed",
                5,
                0,
            ),
            ("test result: FAILED. 1 passed; 2 failed; 0 ignored", 1, 2),
            (
                "     Summary [   0.5s] 12 tests run: 11 passed, 1 failed, 0 skipped",
                11,
                1,
            ),
            ("===== 3 passed, 1 warning in 0.12s =====", 3, 0),
            ("1 failed, 2 passed in 0.3s", 2, 1),
            ("==== 1 error in 0.10s ====", 0, 1),
            ("Tests:       1 failed, 2 passed, 3 total", 2, 1),
            ("      Tests  12 passed (12)", 12, 0),
            ("  7 passing (20ms)\n  1 failing", 7, 1),
            ("ok  \texample.com/a\t0.2s\nok  \texample.com/b\t0.2s", 2, 0),
            ("--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s", 0, 3),
            ("Ran 4 tests in 0.001s\n\nOK", 4, 0),
            ("Ran 4 tests in 0.001s\n\nFAILED (failures=1)", 4, 1),
            ("OK (5 tests, 9 assertions)", 5, 0),
            ("Tests: 5, Assertions: 9, Failures: 2.", 3, 2),
            ("5 examples, 0 failures", 5, 0),
            ("Passed!  - Failed:     0, Passed:     5, Skipped:     0", 5, 0),
            (
                "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s - in A\nTests run: 3, Failures: 0, Errors: 1, Skipped: 0",
                2,
                1,
            ),
            ("100% tests passed, 0 tests failed out of 12", 12, 0),
            ("# pass 3\n# fail 0", 3, 0),
        ] {
            let sum = summary(output);
            assert_eq!(
                (sum.found, sum.passed, sum.failed),
                (true, passed, failed),
                "{output}"
            );
        }
        for empty in [
            "test result: ok. 0 passed; 0 failed",
            "no tests ran in 0.01s",
            "Ran 0 tests in 0.0s",
            "ok  \ta\t[no test files]",
        ] {
            assert!(summary(empty).empty(), "{empty}");
        }
        for none in [
            "",
            "2 files changed",
            "the tests passed",
            "12 passed the bar",
            "compiled in 3s",
            "FAILURE",
        ] {
            assert!(!summary(none).found, "{none}");
        }
    }
}
