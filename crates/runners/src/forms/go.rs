//! `go test`, as text and as events.

use super::{join, nothing};
use crate::output::Output;
use crate::scan::{counts, is_duration, rest_of};
use proctor_kernel::Summary;

/// What was seen of a run of `go test`.
#[derive(Default)]
struct Run {
    /// Packages whose tests ran, or may have.
    ran: u64,
    /// Packages without tests, or of which none was selected.
    empty: u64,
    /// Packages that failed.
    failed: u64,
    /// Tests, where they are told one by one.
    tests: [u64; 3],
    /// Whether each test is told (`-v`, `-json`), not only those that failed.
    each: bool,
    /// A package that does not compile, or a process that died: nobody knows how many tests that is.
    broken: bool,
    /// Failures of the package that is told just now.
    here: u64,
    /// A panic was announced.
    panic: bool,
    /// What gotestsum adds up.
    sum: Option<Summary>,
    /// A bare `FAIL`.
    word: bool,
}

/// Reads packages and tests.
pub(crate) fn test(out: &Output<'_>) -> Option<Summary> {
    let mut run = Run::default();
    for line in &out.lines {
        match line.as_bytes().first() {
            Some(b'{') => run.event(line),
            Some(b'D') => run.done(line),
            Some(b'o' | b'F' | b'?' | b'-' | b'=' | b'p' | b'g' | b'n') => run.line(line, out.hinted),
            _ => {}
        }
    }
    run.summary()
}

impl Run {
    fn line(&mut self, line: &str, hinted: bool) {
        if let Some(text) = line.strip_prefix("--- ") {
            self.test(text);
        } else if line.starts_with("=== RUN   ") {
            self.each = true;
        } else if line == "FAIL" {
            self.word = true;
        } else if line.starts_with("panic: ") {
            self.panic = true;
        } else if line.starts_with("goroutine ") {
            self.broken |= self.panic && line.ends_with("[running]:");
        } else if line == "no packages to test" {
            self.empty += 1;
        } else if hinted && (line.starts_with("go: ") || line.starts_with("no required module")) {
            self.broken |= !line.starts_with("go: downloading") && !line.starts_with("go: warning:");
        } else {
            self.package(line);
        }
    }

    /// `FAIL: TestSum (0.00s)`
    fn test(&mut self, text: &str) {
        let Some((verdict, rest)) = text.split_once(": ") else {
            return;
        };
        let time = rest.rsplit_once(" (").and_then(|(_, t)| t.strip_suffix(')'));
        if !time.is_some_and(is_duration) {
            return;
        }
        match verdict {
            "PASS" => self.tests[0] += 1,
            "FAIL" => {
                self.tests[1] += 1;
                self.here += 1;
            }
            "SKIP" => self.tests[2] += 1,
            _ => {}
        }
    }

    /// `ok  pkg  0.01s`, `FAIL  pkg [build failed]`, `?  pkg [no test files]`
    fn package(&mut self, line: &str) {
        let (word, rest) = match line.find([' ', '\t']) {
            Some(at) => (line.get(..at).unwrap_or(""), line.get(at..).unwrap_or("")),
            None => return,
        };
        // `ok 1` is TAP.
        if !(rest.starts_with('\t') || rest.starts_with("  ")) {
            return;
        }
        let mut words = rest.split_whitespace();
        let (Some(_package), Some(what)) = (words.next(), words.next()) else {
            return;
        };
        match word {
            "ok" if what == "(cached)" || is_duration(what) => {
                if line.ends_with("[no tests to run]") {
                    self.empty += 1;
                } else {
                    self.ran += 1;
                }
            }
            "?" if line.ends_with("[no test files]") => self.empty += 1,
            "FAIL" if is_duration(what) || what == "(cached)" || what.starts_with('[') => {
                self.failed += 1;
                // A package that fails without a test that does has died on the way.
                self.broken |= what.starts_with('[') || self.here == 0;
            }
            _ => return,
        }
        self.here = 0;
    }

    /// One event of `-json`. Quotes inside its strings are escaped, so its keys are found as they stand.
    fn event(&mut self, line: &str) {
        let Some(action) = value(line, "\"Action\":\"") else {
            return;
        };
        let test = value(line, "\"Test\":\"");
        if value(line, "\"Package\":\"").is_none() && action != "build-fail" {
            return;
        }
        match (action, test) {
            ("run", _) => self.each = true,
            ("pass", Some(name)) if !name.contains('/') => self.tests[0] += 1,
            ("fail", Some(name)) if !name.contains('/') => {
                self.tests[1] += 1;
                self.here += 1;
            }
            ("skip", Some(name)) if !name.contains('/') => self.tests[2] += 1,
            ("pass", None) => {
                self.each = true;
                self.ran += 1;
            }
            ("skip", None) => self.empty += 1,
            ("fail", None) => {
                self.failed += 1;
                self.broken |= self.here == 0;
            }
            ("build-fail", _) => self.broken = true,
            _ => {}
        }
    }

    /// `DONE 3 tests, 1 skipped, 1 failure, 1 error in 0.5s`
    fn done(&mut self, line: &str) {
        let Some((figures, time)) = line.strip_prefix("DONE ").and_then(|l| l.rsplit_once(" in ")) else {
            return;
        };
        let mut total = None;
        let (mut read, mut failed) = (nothing(), 0_u64);
        let known = counts(figures, ",", |n, word| {
            match word {
                "tests" | "test" => total = Some(n),
                "skipped" => read.skipped = Some(n),
                "failure" | "failures" => failed = n,
                // A package that did not compile.
                "error" | "errors" => read.says_failed = n > 0,
                _ => return word == "runs",
            }
            true
        });
        if let (Some(()), Some(total), true) = (known, total, is_duration(time)) {
            read.passed = rest_of(total, &[failed, read.skipped.unwrap_or(0)]);
            read.failed = Some(failed);
            join(&mut self.sum, read);
        }
    }

    fn summary(self) -> Option<Summary> {
        let told = self.ran + self.empty + self.failed;
        let [passed, failed, skipped] = self.tests;
        if told == 0 && !self.broken && failed == 0 && self.sum.is_none() {
            return None;
        }
        if let Some(mut sum) = self.sum {
            sum.says_failed |= self.failed > 0 || self.broken;
            return Some(sum);
        }
        let says_failed = self.failed > 0 || self.broken || failed > 0 || (self.word && told > 0);
        if self.ran == 0 && !says_failed && passed == 0 && skipped == 0 {
            return Some(nothing());
        }
        Some(Summary {
            passed: (self.each && !self.broken).then_some(passed),
            failed: (!self.broken).then_some(failed),
            skipped: (self.each && !self.broken).then_some(skipped),
            says_failed,
            ..Summary::default()
        })
    }
}

/// What stands behind a key, up to the next quote.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(key)?;
    rest.split_once('"').map(|(value, _)| value)
}
