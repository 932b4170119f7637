//! What one run is worth by itself.

use super::{Now, Wanted};
use proctor_kernel::{CheckRun, End, ExitSource, Mask, Reason, Summary};

/// Whether a run was made on the tree as it stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fresh {
    Yes,
    No,
    Unknown,
}

pub(super) fn fresh(run: &CheckRun, now: &Now<'_>) -> Fresh {
    match (&run.after, now.tree) {
        (Some(after), Some(tree)) => {
            // What the run only littered was verified before and after the litter.
            let cleaned = run.litter && run.before.as_ref() == Some(tree);
            if after == tree || cleaned {
                Fresh::Yes
            } else {
                Fresh::No
            }
        }
        (None, Some(tree)) if run.before.as_ref().is_some_and(|before| before != tree) => Fresh::No,
        // Without trees on both sides the writes that were seen must do.
        (None, None) if run.before.is_none() => {
            if now.writes > run.writes {
                Fresh::No
            } else {
                Fresh::Yes
            }
        }
        _ => Fresh::Unknown,
    }
}

/// Whether files changed under the run; `None` where that cannot be told.
fn changed_during(run: &CheckRun) -> Option<bool> {
    match (&run.before, &run.after) {
        (Some(before), Some(after)) => Some(before != after && !run.litter),
        (None, None) => Some(false),
        _ => None,
    }
}

/// Why the exit code of a run says nothing, if so.
fn untold(run: &CheckRun) -> Option<Reason> {
    if run.background || run.masks.contains(&Mask::Background) {
        Some(Reason::BackgroundOnly)
    } else if !run.masks.is_empty() {
        Some(Reason::Masked)
    } else if run.exit.is_none() || run.exit_source == ExitSource::Unknown {
        Some(Reason::NoResult)
    } else {
        None
    }
}

/// Exit codes of a shell that say that the command could not be started or was interrupted: no verdict on the code.
const NOT_RUN: [i32; 3] = [126, 127, 130];

/// Whether the run shows that something fails. A hidden exit code hides no output.
pub(crate) fn failed(run: &CheckRun) -> bool {
    let says = run.summary.as_ref().is_some_and(|s| s.is_failure());
    let ended = untold(run).is_none() && run.exit.is_some_and(|code| code != 0 && !NOT_RUN.contains(&code));
    says || ended && !is_empty(run)
}

/// The reason that a failure gives.
pub(super) fn how_failed(run: &CheckRun) -> Reason {
    if untold(run).is_none() && run.exit != Some(0) {
        Reason::FailedExit
    } else {
        Reason::FailedOutput
    }
}

/// Whether nothing was tested: the runner says so, or did not come to its end.
fn is_empty(run: &CheckRun) -> bool {
    let says = |s: &Summary| s.is_empty_run() && !s.is_failure();
    run.end == Some(End::Silent) || run.summary.as_ref().is_some_and(says)
}

/// Whether it cannot be told whether anything was tested, and it is wanted.
fn is_hidden(run: &CheckRun, wanted: Wanted<'_>) -> bool {
    run.end == Some(End::Hidden) && wanted.needs_tests(run)
}

/// Whether the run ended well, on whatever tree.
pub(super) fn passed(run: &CheckRun, wanted: Wanted<'_>) -> bool {
    untold(run).is_none()
        && run.exit == Some(0)
        && !failed(run)
        && !(is_empty(run) && wanted.needs_tests(run))
        && !is_hidden(run, wanted)
}

/// What the run says of the claim, its like apart.
pub(super) fn grade(run: &CheckRun, wanted: Wanted<'_>, now: &Now<'_>) -> Reason {
    let fresh = fresh(run, now);
    if fresh == Fresh::Yes && failed(run) {
        return how_failed(run);
    }
    if let Some(reason) = untold(run) {
        return reason;
    }
    match (changed_during(run), fresh) {
        (Some(true), _) => return Reason::TreeChangedDuringRun,
        (_, Fresh::No) => return Reason::Stale,
        (None, _) | (_, Fresh::Unknown) => return Reason::CouldNotRun,
        (Some(false), Fresh::Yes) => {}
    }
    if is_empty(run) && wanted.needs_tests(run) {
        Reason::EmptyRun
    } else if is_hidden(run, wanted) {
        Reason::NoResult
    } else if run.exit != Some(0) {
        Reason::FailedExit
    } else {
        Reason::Supported
    }
}
