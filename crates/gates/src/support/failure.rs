//! Failures that nothing has made good.

use super::grade::{Fresh, failed, fresh, how_failed, passed};
use super::kin::Kin;
use super::{Now, Wanted, covers, here};
use proctor_kernel::{CheckKind, CheckRun, Reason};
use std::cell::OnceCell;
use std::collections::HashSet;

/// The failures that no later run undid, by their places in the list, oldest first.
pub(super) struct Failures(Vec<usize>);

impl Failures {
    /// The open failures that concern what is wanted.
    pub(super) fn of(wanted: Wanted<'_>, runs: &[CheckRun]) -> Self {
        let mut open = Vec::new();
        // What passed later: the same check in the same folder, or a whole of its runner in a folder around it.
        let mut same: HashSet<(&str, &str)> = HashSet::new();
        let mut wholes: Vec<Whole<'_>> = Vec::new();
        for (at, run) in runs.iter().enumerate().rev() {
            if !here(run) {
                continue;
            }
            if concerns(wanted, run) && failed(run) {
                // Two checks of which a part is hidden or cut off may be two, though they read the same.
                let again = run.is_as_written() && same.contains(&(run.check.as_str(), run.cwd.as_str()));
                let kin = OnceCell::new();
                if !again && !wholes.iter().any(|whole| whole.undoes(wanted, run, &kin)) {
                    open.push(at);
                }
            } else if wanted.takes(run) && passed(run, wanted) {
                same.insert((run.check.as_str(), run.cwd.as_str()));
                if !run.partial {
                    wholes.push(Whole {
                        run,
                        kin: OnceCell::new(),
                    });
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
            let like = wanted != Wanted::Verified || failure.kinds.iter().any(|k| covers(pass, k));
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

/// A later pass of a whole, and which runner it was; that is only looked at where something failed.
struct Whole<'a> {
    run: &'a CheckRun,
    kin: OnceCell<Kin<'a>>,
}

impl<'a> Whole<'a> {
    /// Whether it makes the failure good. One in a deeper or another folder is a part, unless the failed command never got
    /// as far as testing anything (no figures: it was started in the wrong folder).
    fn undoes(&self, wanted: Wanted<'_>, failure: &'a CheckRun, kin: &OnceCell<Kin<'a>>) -> bool {
        let pass = self.run;
        if !within(&failure.cwd, &pass.cwd) && failure.summary.is_some() {
            return false;
        }
        let mut asked = failure.kinds.iter().filter(|kind| match wanted {
            Wanted::Check(wanted) => *kind == wanted,
            Wanted::Verified | Wanted::Own(_) => true,
        });
        // That a build was done on the way to the tests says nothing against one that failed on the very same tree.
        let shows =
            |kind: CheckKind| pass.kinds.has(kind) || covers(pass, kind) && !on_one_tree(pass, failure);
        if !matches!(wanted, Wanted::Own(_)) && !asked.all(shows) {
            return false;
        }
        let kin = kin.get_or_init(|| Kin::of(failure));
        self.kin.get_or_init(|| Kin::of(pass)).runs_what_failed_in(kin)
    }
}

/// Whether two runs may have been made on the same tree.
fn on_one_tree(a: &CheckRun, b: &CheckRun) -> bool {
    let tree = |run: &CheckRun| run.after.clone().or_else(|| run.before.clone());
    match (tree(a), tree(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.writes == b.writes,
        _ => true,
    }
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
