//! JUnit's XML, as many tools write it.

use super::nothing;
use crate::output::Output;
use crate::scan::{rest_of, sum};
use proctor_kernel::Summary;

/// What was counted.
#[derive(Default)]
struct Report {
    /// Figures of the attributes: of the root if it has them, else of the suites on the first level.
    root: Option<[u64; 3]>,
    suites: [u64; 3],
    told: bool,
    /// Figures of the elements.
    cases: u64,
    failed: u64,
    skipped: u64,
    /// Inside of a case, and what was found in it.
    open: bool,
    bad: bool,
    left: bool,
    depth: usize,
    /// A failure outside of any case.
    outside: bool,
    complete: bool,
}

/// Reads a report: its elements when it is whole, its attributes when its end is missing.
pub(crate) fn report(out: &Output<'_>) -> Option<Summary> {
    let at = out.text.find("<testsuite")?;
    let before = out.text.get(..at).unwrap_or("").trim_end();
    // At the beginning of a line or behind the declaration; not in the middle of a sentence.
    let line = out
        .text
        .get(..at)
        .and_then(|t| t.rsplit('\n').next())
        .unwrap_or("");
    if !(line.trim().is_empty() || before.ends_with("?>") || before.ends_with("-->")) {
        return None;
    }
    let mut report = Report::default();
    let mut rest = out.text.get(at..)?;
    while let Some(open) = rest.find('<') {
        rest = rest.get(open + 1..)?;
        let skip = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
            .into_iter()
            .find(|(start, _)| rest.starts_with(start));
        if let Some((_, end)) = skip {
            let Some((_, after)) = rest.split_once(end) else {
                break;
            };
            rest = after;
            continue;
        }
        let Some(end) = tag_end(rest) else { break };
        report.tag(rest.get(..end)?);
        rest = rest.get(end + 1..)?;
    }
    report.summary()
}

/// Where a tag ends: at the first `>` outside of quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|b| {
        match (quote, b) {
            (Some(q), _) if q == b => quote = None,
            (None, b'"' | b'\'') => quote = Some(b),
            _ => {}
        }
        quote.is_none() && b == b'>'
    })
}

impl Report {
    fn tag(&mut self, tag: &str) {
        let name = tag
            .split(|c: char| c.is_whitespace() || (c == '/' && !tag.starts_with('/')))
            .next()
            .unwrap_or("");
        let closed = tag.ends_with('/');
        match name {
            "testsuites" => {
                self.root = self.root.or(attributes(tag));
                self.complete |= closed;
            }
            "testsuite" => {
                if self.depth == 0 {
                    match attributes(tag) {
                        Some(figures) => {
                            for (sum, n) in self.suites.iter_mut().zip(figures) {
                                *sum = sum.saturating_add(n);
                            }
                            self.told = true;
                        }
                        None => self.told = false,
                    }
                }
                self.depth += usize::from(!closed);
                self.complete |= closed && self.depth == 0;
            }
            "/testsuite" => {
                self.depth = self.depth.saturating_sub(1);
                self.complete |= self.depth == 0;
            }
            "/testsuites" => self.complete = true,
            "testcase" => {
                self.end_case();
                self.cases += 1;
                self.open = !closed;
            }
            "/testcase" => self.end_case(),
            "failure" | "error" if self.open => self.bad = true,
            "failure" | "error" => self.outside = true,
            "skipped" => self.left |= self.open,
            _ => {}
        }
    }

    fn end_case(&mut self) {
        self.failed += u64::from(self.bad);
        self.skipped += u64::from(self.left && !self.bad);
        (self.open, self.bad, self.left) = (false, false, false);
    }

    fn summary(mut self) -> Option<Summary> {
        self.end_case();
        let told = self.root.or(self.told.then_some(self.suites));
        let says_failed = self.outside || self.failed > 0 || told.is_some_and(|t| t[1] > 0);
        let [tests, failed, skipped] = match told {
            _ if self.complete && self.cases > 0 => [self.cases, self.failed, self.skipped],
            Some(told) => told,
            None if self.complete => {
                return Some(Summary {
                    says_failed,
                    ..nothing()
                });
            }
            None => return says_failed.then(super::failure),
        };
        Some(Summary {
            passed: rest_of(tests, &[failed, skipped]),
            failed: Some(failed),
            skipped: Some(skipped),
            says_failed,
            ..Summary::default()
        })
    }
}

/// Tests, failures with errors, and skipped ones of a suite; `None` when the tag does not count.
fn attributes(tag: &str) -> Option<[u64; 3]> {
    let figure = |name: &str| {
        let (_, rest) = tag.split_once(name)?;
        let rest = rest.strip_prefix(['"', '\''])?;
        rest.split(['"', '\'']).next()?.parse::<u64>().ok()
    };
    let tests = figure(" tests=")?;
    let failed = sum(
        Some(figure(" failures=").unwrap_or(0)),
        figure(" errors=").or(Some(0)),
    )?;
    let skipped = figure(" skipped=").or_else(|| figure(" disabled=")).unwrap_or(0);
    Some([tests, failed, skipped])
}
