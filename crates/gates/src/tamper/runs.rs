//! What the runners printed, at the base and now.

use super::{CheckPair, Finding, Kind, Severity, counted};
use proctor_kernel::Summary;

/// Tests that came to an end.
fn ran(summary: &Summary) -> Option<u64> {
    let figures = [summary.passed, summary.failed, summary.xfail];
    figures
        .iter()
        .any(Option::is_some)
        .then(|| figures.iter().flatten().sum())
}

/// `explained` tests are gone for a reason that the files show.
pub(super) fn compare(checks: &[CheckPair<'_>], explained: usize, out: &mut Vec<Finding>) {
    let explained = u64::try_from(explained).unwrap_or(u64::MAX);
    for check in checks {
        let (Some(base), Some(now)) = (check.base, check.now) else {
            continue;
        };
        // Figures of an output that lacks its middle say nothing of a number.
        if base.cut || now.cut {
            continue;
        }
        let (Some(before), Some(after)) = (ran(base), ran(now)) else {
            continue;
        };
        if after.saturating_add(explained) < before {
            let tests = counted(usize::try_from(before).unwrap_or(usize::MAX), "test", "tests");
            let skipped = match (base.skipped, now.skipped) {
                (was, Some(is)) if is > was.unwrap_or(0) => format!("; {is} were left out"),
                _ => String::new(),
            };
            out.push(Finding {
                kind: Kind::FewerTestsRun,
                severity: Severity::Block,
                path: String::new(),
                line: None,
                words: format!(
                    "the check `{}` ran {tests} at the base and {after} now{skipped}",
                    check.name
                ),
            });
        }
    }
}
