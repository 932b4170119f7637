//! Failures that nothing has made good.

use super::grade::{Fresh, failed, fresh, how_failed, passed};
use super::{Now, Wanted, here};
use proctor_kernel::{CheckKind, CheckRun, Reason};
use std::collections::HashSet;

/// The failures that no later run undid, by their places in the list, oldest first.
pub(super) struct Failures(Vec<usize>);

impl Failures {
    /// The open failures that concern what is wanted.
    pub(super) fn of(wanted: Wanted<'_>, runs: &[CheckRun]) -> Self {
        let mut open = Vec::new();
        // What passed later: the same check in the same folder, or a whole in a folder around it.
        let mut same: HashSet<(&str, &str)> = HashSet::new();
        let mut wholes: Vec<&CheckRun> = Vec::new();
        for (at, run) in runs.iter().enumerate().rev() {
            if !here(run) {
                continue;
            }
            if concerns(wanted, run) && failed(run) {
                // Two checks of which a part is hidden or cut off may be two, though they read the same.
                let again = run.is_as_written() && same.contains(&(run.check.as_str(), run.cwd.as_str()));
                if !again && !wholes.iter().any(|whole| undoes(wanted, whole, run)) {
                    open.push(at);
                }
            } else if wanted.takes(run) && passed(run, wanted) {
                same.insert((run.check.as_str(), run.cwd.as_str()));
                let known = |w: &&CheckRun| w.cwd == run.cwd && w.kinds == run.kinds;
                if !run.partial && !wholes.iter().any(known) {
                    wholes.push(run);
                }
            }
        }
        open.reverse();
        Self(open)
    }

    /// What speaks against the pass at `at`, if anything does.
    pub(super) fn against(
        &self,
        wanted: Wanted<'_>,
        runs: &[CheckRun],
        at: usize,
        now: &Now<'_>,
    ) -> Option<(Reason, usize)> {
        let pass = runs.get(at)?;
        let mut found = None;
        for index in self.0.iter().rev().copied() {
            let Some(failure) = runs.get(index) else {
                continue;
            };
            // That style is not clean says nothing against a passing test.
            if wanted == Wanted::Verified && only_lint(failure) && !only_lint(pass) {
                continue;
            }
            let like = wanted != Wanted::Verified || failure.kinds.iter().any(|k| pass.kinds.cover(k));
            let whole_before = index < at && !failure.partial && like;
            let here = fresh(failure, now) != Fresh::No;
            let answer = match (here, whole_before) {
                (_, true) => (Reason::SupersededByFailure, index),
                (true, false) => (how_failed(failure), index),
                (false, false) => continue,
            };
            found = found.or(Some(answer));
        }
        found
    }

    /// The latest open failure on this tree.
    pub(super) fn latest_here(&self, runs: &[CheckRun], now: &Now<'_>) -> Option<usize> {
        self.0
            .iter()
            .rev()
            .copied()
            .find(|at| runs.get(*at).is_some_and(|run| fresh(run, now) == Fresh::Yes))
    }
}

/// Whether a failure of this run speaks against the claim. Failing tests say nothing against a build.
fn concerns(wanted: Wanted<'_>, run: &CheckRun) -> bool {
    match wanted {
        Wanted::Check(kind) => run.kinds.has(kind),
        Wanted::Verified | Wanted::Own(_) => wanted.takes(run),
    }
}

/// Whether a later pass of a whole makes the failure good. One in a deeper or another folder is a part, unless the
/// failed command never got as far as testing anything (no figures: it was started in the wrong folder).
fn undoes(wanted: Wanted<'_>, whole: &CheckRun, failure: &CheckRun) -> bool {
    let kinds = wanted != Wanted::Verified || failure.kinds.iter().all(|k| whole.kinds.cover(k));
    kinds && (within(&failure.cwd, &whole.cwd) || failure.summary.is_none())
}

/// Whether `folder` is `root` or lies inside.
fn within(folder: &str, root: &str) -> bool {
    let (folder, root) = (folder.trim_end_matches('/'), root.trim_end_matches('/'));
    let root = if root == "." { "" } else { root };
    match folder.strip_prefix(root) {
        // An absolute folder lies outside of the work tree, whose root is the empty name.
        Some(rest) => {
            rest.is_empty()
                || rest.starts_with('/') && !root.is_empty()
                || root.is_empty() && !rest.starts_with('/')
        }
        None => false,
    }
}

fn only_lint(run: &CheckRun) -> bool {
    run.kinds == CheckKind::Lint.into()
}
