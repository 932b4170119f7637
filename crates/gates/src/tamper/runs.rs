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
        let Some(base) = check.base.filter(|base| !base.cut) else {
            continue;
        };
        // Figures of an output that lacks its middle say nothing of a number.
        if check.now.is_some_and(|now| now.cut) {
            continue;
        }
        let Some(before) = ran(base).filter(|n| explained < *n) else {
            continue;
        };
        let tests = counted(usize::try_from(before).unwrap_or(usize::MAX), "test", "tests");
        let words = match check.now.and_then(ran) {
            Some(after) if after.saturating_add(explained) < before => {
                let skipped = match (base.skipped, check.now.and_then(|now| now.skipped)) {
                    (was, Some(is)) if is > was.unwrap_or(0) => format!("; {is} were left out"),
                    _ => String::new(),
                };
                format!(
                    "the check `{}` ran {tests} at the base and {after} now{skipped}",
                    check.name
                )
            }
            Some(_) => continue,
            // Some runners count only where something failed.
            None if !check.ended_well || base.is_failure() && !check.always_tells => continue,
            None => format!(
                "the check `{}` ran {tests} at the base, and does not tell now how many it ran",
                check.name
            ),
        };
        out.push(Finding {
            kind: Kind::FewerTestsRun,
            severity: Severity::Block,
            path: String::new(),
            line: None,
            words,
        });
    }
}
