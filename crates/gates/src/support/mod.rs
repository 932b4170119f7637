//! Does a witnessed check support what is claimed, on the tree as it stands now? Pure.
//!
//! A run is looked at by itself first: is its result known, good, and of this tree? Then among its like: a failure
//! that nothing has made good speaks against every pass that cannot undo it.

mod failure;
mod grade;
mod kin;
mod wording;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use grade::failed as has_failed;
pub use proctor_runners::printing;
pub(crate) use wording::quoted;

use failure::Failures;
use grade::{Fresh, fresh, grade, how_failed};
use proctor_kernel::{CheckKind, CheckRun, Place, Reason, TreeId};
use proctor_policy::Verification;

/// What a fact is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// A check of this kind passes.
    Check(CheckKind),
    /// Something was verified, it is not said what: any check that passes will do.
    Verified,
    /// This check of the project's own policy passes.
    Own(&'a Verification),
}

impl Wanted<'_> {
    /// Whether a pass of this run would answer.
    #[must_use]
    pub fn takes(&self, run: &CheckRun) -> bool {
        match self {
            Self::Check(kind) => covers(run, *kind),
            Self::Verified => true,
            Self::Own(own) => run.own.as_deref() == Some(own.name.as_str()),
        }
    }

    /// Whether the run, were it to pass, would be all of what is wanted. `part` says which parts are enough.
    fn answers(&self, run: &CheckRun, part: Parts<'_>) -> bool {
        let whole = match self {
            // What the policy names counts as it is named.
            Self::Own(_) => !run.partial && !run.varied,
            Self::Check(_) | Self::Verified => !run.partial || part(run),
        };
        self.takes(run) && whole && here(run)
    }

    /// Whether a run that tested nothing is no answer. A build is one, whatever it then tested.
    fn needs_tests(&self, run: &CheckRun) -> bool {
        let tests = run.kinds.has(CheckKind::Tests);
        tests && !matches!(self, Self::Check(kind) if *kind != CheckKind::Tests)
    }
}

/// Whether a pass of this run answers a claim of that kind. Tests show that it builds, and that its types hold, only where
/// their runner compiles what they test.
#[must_use]
pub fn covers(run: &CheckRun, kind: CheckKind) -> bool {
    if run.kinds.has(kind) || kind == CheckKind::Types && run.kinds.has(CheckKind::Build) {
        return true;
    }
    let names = run.summary.as_ref().map(|s| s.runner.as_str());
    run.kinds.cover(kind) && proctor_runners::compiles(&run.check, names)
}

/// Which runs of a part are enough.
pub(crate) type Parts<'a> = &'a dyn Fn(&CheckRun) -> bool;

/// Whether a run is about this work tree.
pub(crate) fn here(run: &CheckRun) -> bool {
    run.place == Place::Here && !run.cwd.starts_with('/')
}

/// Whether a run was made here, on the tree as it stands now, and ended well.
pub(crate) fn is_good(run: &CheckRun, now: &Now<'_>) -> bool {
    here(run) && grade(run, Wanted::Check(CheckKind::Tests), now) == Reason::Supported
}

/// How things stand at the moment of the claim.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// The tree; `None` where that is not known.
    pub tree: Option<&'a TreeId>,
    /// Number of writes witnessed so far; counts only where no trees are known.
    pub writes: u64,
    /// Which paths differ between that tree and the present one, where that can be told.
    pub changed_since: &'a dyn Fn(&TreeId) -> Option<Vec<String>>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// Whether a fact supports the claim, or why not.
    pub reason: Reason,
    /// The run that the answer rests on, as its place in the list.
    pub run: Option<usize>,
    /// What is missing, as a fragment that begins in lower case: "no test run after the last edit of src/a.rs".
    /// Empty when nothing is.
    pub missing: String,
}

/// Looks for a run that supports what is wanted. `runs` are in the order in which they began.
#[must_use]
pub fn support(wanted: Wanted<'_>, runs: &[CheckRun], now: &Now<'_>) -> Support {
    support_in(wanted, runs, now, false)
}

/// As [`support`], with what is missing told in Korean when `korean` is set.
#[must_use]
pub fn support_in(wanted: Wanted<'_>, runs: &[CheckRun], now: &Now<'_>, korean: bool) -> Support {
    support_part(wanted, runs, now, korean, &|_| false)
}

/// As [`support_in`], for a claim for which certain runs of a part are enough.
pub(crate) fn support_part(
    wanted: Wanted<'_>,
    runs: &[CheckRun],
    now: &Now<'_>,
    korean: bool,
    part: Parts<'_>,
) -> Support {
    let (reason, run) = decide(wanted, runs, now, part);
    let missing = wording::missing(wanted, reason, run.and_then(|at| runs.get(at)), now, korean);
    Support { reason, run, missing }
}

/// The answer for everything that a project demands: the first check that is not supported, or the last one.
#[must_use]
pub fn support_all(own: &[Verification], runs: &[CheckRun], now: &Now<'_>, korean: bool) -> Option<Support> {
    let mut last = None;
    for check in own {
        let answer = support_in(Wanted::Own(check), runs, now, korean);
        let holds = answer.reason == Reason::Supported;
        last = Some(answer);
        if !holds {
            break;
        }
    }
    last
}

fn decide(wanted: Wanted<'_>, runs: &[CheckRun], now: &Now<'_>, part: Parts<'_>) -> (Reason, Option<usize>) {
    let failures = Failures::of(wanted, runs);
    // The latest pass that nothing speaks against; else what speaks against the latest one.
    let mut against = None;
    for (at, run) in runs.iter().enumerate().rev() {
        if wanted.answers(run, part) && grade(run, wanted, now) == Reason::Supported {
            match failures.against(wanted, runs, at, now) {
                None => return (Reason::Supported, Some(at)),
                Some(answer) => against = against.or(Some(answer)),
            }
        }
    }
    // A part that passed does not undo what speaks against the whole.
    let parts =
        runs.iter().enumerate().rev().filter(|(_, run)| {
            wanted.takes(run) && here(run) && grade(run, wanted, now) == Reason::Supported
        });
    let of_a_part = || {
        let mut parts = parts.filter_map(|(at, _)| failures.against(wanted, runs, at, now));
        parts.next()
    };
    if let Some((reason, run)) = against.or_else(of_a_part) {
        return (reason, Some(run));
    }
    if let Some(failed) = failures.latest_here(runs, now)
        && let Some(run) = runs.get(failed)
    {
        return (how_failed(run), Some(failed));
    }
    // What was run last on this tree says most about the next step; then what was run last at all.
    let latest = |stale: bool, inside: bool| {
        runs.iter().enumerate().rev().find(|(_, run)| {
            wanted.takes(run) && here(run) == inside && (stale || fresh(run, now) != Fresh::No)
        })
    };
    let found = latest(false, true)
        .or_else(|| latest(false, false))
        .or_else(|| latest(true, true))
        .or_else(|| latest(true, false));
    match found {
        Some((at, run)) if !here(run) => (
            match run.place {
                Place::Unknown => Reason::NoResult,
                Place::Here | Place::Outside => Reason::WrongKind,
            },
            Some(at),
        ),
        // It passed, and it is not all of what is wanted.
        Some((at, run)) => match grade(run, wanted, now) {
            Reason::Supported => (Reason::WrongKind, Some(at)),
            reason => (reason, Some(at)),
        },
        None if runs.is_empty() => (Reason::NoCommand, None),
        None => (Reason::WrongKind, Some(runs.len() - 1)),
    }
}
