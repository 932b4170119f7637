//! Runs the checks that a policy names, by Proctor itself, in a clean folder that holds exactly one tree.
//!
//! A check that could not start, was ended for its time, or whose folder could not be made is *could not
//! run*: no verdict on the work, and no attempt. What did end is recorded as a [`CheckRun`] in the log of
//! checks, as `proctor run-check` does, and marked as run in a clean folder.

mod approval;
mod folder;
mod inherited;
mod tamper;

pub use approval::{Prepared, Runner};
pub use inherited::{injects, steers};
pub(crate) use tamper::{Difference, pairs, standing};

use crate::decide::{kind_of, own_checks};
use crate::runs::{Ran, RunOutcome};
use crate::whereabouts::Placed;
use crate::{Clock, Engine};
use folder::Clean;
use proctor_gates::support::{Now, Wanted, support};
use proctor_kernel::{CheckRun, Error, ErrorKind, HIDDEN, Reason, Result, TreeId, Trust};
use proctor_policy::Verification;
use proctor_shell::Check;
use proctor_shell::masked;
use proctor_worktree::{Command, Output};
use serde::Serialize;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Most of an output that is kept for its summary, at each end, in bytes.
const KEPT: usize = 512 << 10;

/// Most of an output that an outcome shows, at each end, in bytes.
const SHOWN: usize = 2 << 10;

/// Whether checks may be run that a repository names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Only where the user trusts them; see [`crate::trust`].
    IfTrusted,
    /// Somebody asked for exactly this, as CI does by `proctor verify`.
    Asked,
}

/// What is to be run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Rerun<'a> {
    /// The tree; its content must be on this machine.
    pub tree: &'a TreeId,
    /// The checks, in this order. They share the folder, so that one may prepare the next.
    pub checks: &'a [Verification],
    /// Whether a repository's checks may be run.
    pub permit: Permit,
    /// How far the runs can be trusted: [`Trust::EngineRan`], or [`Trust::CiReran`] in CI.
    pub trust: Trust,
    /// Where the clean folder is made, such as the system's temporary folder.
    pub folder: &'a Path,
    /// Variables of this process that the checks do not get: those for which [`steers`] is true.
    pub without: &'a [OsString],
    /// How long each check may take.
    pub timeout: Duration,
    /// Whether a check that Proctor ran before in a clean folder of this very tree is answered from the record.
    pub from_record: bool,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It ended well and tested nothing.
    Empty,
    /// There is no result: no verdict on the work.
    CouldNotRun,
}

impl Ended {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Empty => "empty",
            Self::CouldNotRun => "could_not_run",
        }
    }

    fn of(reason: Reason) -> Self {
        match reason {
            Reason::Supported => Self::Passed,
            Reason::FailedExit | Reason::FailedOutput | Reason::SupersededByFailure => Self::Failed,
            Reason::EmptyRun => Self::Empty,
            Reason::NoCommand
            | Reason::WrongKind
            | Reason::Stale
            | Reason::TreeChangedDuringRun
            | Reason::Masked
            | Reason::BackgroundOnly
            | Reason::NoResult
            | Reason::CouldNotRun => Self::CouldNotRun,
        }
    }
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RerunOutcome {
    /// Its name in the policy.
    pub name: String,
    /// Its command line.
    pub run: String,
    /// How it ended.
    pub ended: Ended,
    /// The same from the closed set of reasons.
    pub reason: Reason,
    /// In words, on one line; empty when it passed.
    pub why: String,
    /// It was run before, and the record answers.
    pub from_record: bool,
    /// The run as it stands in the log; `None` when there is no result.
    pub check: Option<CheckRun>,
    /// The beginning of what it wrote.
    pub head: String,
    /// The end of what it wrote, where `head` does not hold all of it.
    pub tail: String,
}

impl RerunOutcome {
    fn could_not_run(check: &Verification, why: impl Into<String>) -> Self {
        Self {
            name: check.name.clone(),
            run: check.run.clone(),
            ended: Ended::CouldNotRun,
            reason: Reason::CouldNotRun,
            why: why.into(),
            from_record: false,
            check: None,
            head: String::new(),
            tail: String::new(),
        }
    }
}

impl<C: Clock> Engine<C> {
    /// Runs checks in a clean folder of one tree and records what came of them. One outcome per check, in
    /// their order. The folder is gone when this returns.
    ///
    /// # Errors
    /// Kind `store` when there is no state folder, or a run cannot be recorded. Everything else that goes
    /// wrong is an outcome: [`Ended::CouldNotRun`].
    pub fn rerun(&mut self, what: &Rerun<'_>) -> Result<Vec<RerunOutcome>> {
        if what.permit == Permit::IfTrusted && !self.may_run(what.checks) {
            let why = "the repository names this check, and nobody on this machine has trusted it (`proctor trust`)";
            return Ok(all_could_not_run(what.checks, why));
        }
        let known = if what.from_record {
            self.engine_runs()?
        } else {
            Vec::new()
        };
        let mut outcomes: Vec<Option<RerunOutcome>> = what
            .checks
            .iter()
            .map(|check| recorded(check, &known, what.tree))
            .collect();
        if outcomes.iter().all(Option::is_some) {
            return Ok(outcomes.into_iter().flatten().collect());
        }
        // A check may need what the one before it made, so all are run when one has to be.
        let mut clean = None;
        for (check, outcome) in what.checks.iter().zip(&mut outcomes) {
            let made = match clean.take() {
                Some(clean) => Ok(clean),
                None => self.clean_folder(what),
            };
            let folder = match made {
                Ok(folder) => folder,
                Err(error) if error.kind() == ErrorKind::Store => return Err(error),
                Err(error) => {
                    *outcome = Some(RerunOutcome::could_not_run(check, in_words(&error)));
                    continue;
                }
            };
            let (said, still_clean) = self.run_one(what, check, &folder)?;
            *outcome = Some(said);
            clean = still_clean.then_some(folder);
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// A new folder with the tree.
    fn clean_folder(&mut self, what: &Rerun<'_>) -> Result<Clean> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let cache = self.trees_cache()?;
        let repo = self
            .repo()
            .ok_or_else(|| Error::new(ErrorKind::Git, "this is no git work tree"))?;
        let clean = Clean::new(what.folder)?;
        repo.trees(&cache).checkout(what.tree, &clean.tree())?;
        match clean.id()? {
            id if id == *what.tree => Ok(clean),
            id => Err(Error::new(
                ErrorKind::Git,
                format!("the clean folder holds {id}, not the tree that was asked for"),
            )),
        }
    }

    /// Runs one check. Also tells whether the folder still holds the tree.
    fn run_one(
        &mut self,
        what: &Rerun<'_>,
        check: &Verification,
        folder: &Clean,
    ) -> Result<(RerunOutcome, bool)> {
        let began = self.clock().now();
        let micros = self.clock().micros();
        let output = match command(what, check, folder).run() {
            Ok(output) => output,
            Err(error) => return Ok((RerunOutcome::could_not_run(check, in_words(&error)), true)),
        };
        let millis = self.clock().micros().saturating_sub(micros) / 1_000;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (head, tail) = ends(&text);
        let after = folder.changes(what.tree);
        let still_clean = matches!(&after, Ok((_, tracked)) if tracked.is_empty());
        let shown = |outcome: RerunOutcome| RerunOutcome {
            head,
            tail,
            ..outcome
        };
        if let Some(why) = no_result(&output, what) {
            return Ok((shown(RerunOutcome::could_not_run(check, why)), still_clean));
        }
        let (after, tracked) = match after {
            Ok(after) => after,
            Err(error) => {
                return Ok((shown(RerunOutcome::could_not_run(check, in_words(&error))), false));
            }
        };
        let outcome = RunOutcome {
            exit: exit_of(&output),
            output: text,
            millis: if self.clock().is_test() { 0 } else { millis },
        };
        let analysis = proctor_shell::analyse(&check.run, &own_checks(std::slice::from_ref(check)));
        // What the policy names is the check, also where a reader of commands would not take it for one.
        let named = analysis
            .checks
            .into_iter()
            .find(|c| c.own.as_deref() == Some(check.name.as_str()));
        let found = named.unwrap_or_else(|| Check {
            check: check.run.trim().to_owned(),
            kinds: kind_of(check).into(),
            own: Some(check.name.clone()),
            ..Check::default()
        });
        let run = Ran {
            line: &check.run,
            before: Some(what.tree),
            after: Some(&after),
            litter: after != *what.tree && tracked.is_empty(),
            began,
            outcome: &outcome,
            trust: what.trust,
            clean: true,
        }
        // Run as the policy names it, at the root of a folder with nothing but the tree.
        .run_of(
            &found,
            &[],
            Path::new(found.folder.as_deref().unwrap_or_default()),
            Placed::default(),
        );
        let id = self.record_run(&run)?;
        let run = CheckRun { id, ..run };
        let outcome = judged(check, &run, what.tree);
        Ok((
            shown(RerunOutcome {
                check: Some(run),
                ..outcome
            }),
            still_clean,
        ))
    }
}

/// Every check is answered alike.
fn all_could_not_run(checks: &[Verification], why: &str) -> Vec<RerunOutcome> {
    checks
        .iter()
        .map(|check| RerunOutcome::could_not_run(check, why))
        .collect()
}

/// The answer that the log gives: a pass in a clean folder of this very tree, of the check as it is written now.
fn recorded(check: &Verification, known: &[CheckRun], tree: &TreeId) -> Option<RerunOutcome> {
    let run = known.iter().rev().find(|run| {
        run.clean
            && run.trust >= Trust::EngineRan
            && run.before.as_ref() == Some(tree)
            && run.own.as_deref() == Some(check.name.as_str())
            && written_as(run, &check.run)
            && run.kinds.has(kind_of(check))
    })?;
    let outcome = judged(check, run, tree);
    (outcome.ended == Ended::Passed).then(|| RerunOutcome {
        check: Some(run.clone()),
        from_record: true,
        ..outcome
    })
}

/// Whether a run was of this very line. Of a line with a secret in it only a part is on record, which another line may share:
/// no run is taken for it.
pub(super) fn written_as(run: &CheckRun, line: &str) -> bool {
    run.command == line && masked(line) == line && !line.contains(HIDDEN)
}

/// What one run says of its tree.
fn judged(check: &Verification, run: &CheckRun, tree: &TreeId) -> RerunOutcome {
    let now = Now {
        tree: Some(tree),
        writes: 0,
        changed_since: &|_| None,
    };
    let answer = support(Wanted::Own(check), std::slice::from_ref(run), &now);
    RerunOutcome {
        ended: Ended::of(answer.reason),
        reason: answer.reason,
        ..RerunOutcome::could_not_run(check, answer.missing)
    }
}

/// The command line in the folder. Both outputs go into one, in the order in which they are written.
fn command(what: &Rerun<'_>, check: &Verification, folder: &Clean) -> Command {
    let both =
        "exec 2>&1; if command -v bash >/dev/null; then exec bash -c \"$1\"; else exec sh -c \"$1\"; fi";
    let mut command = Command::new("sh")
        .args(["-c", both, "sh", &check.run])
        .cwd(folder.tree())
        .timeout(what.timeout)
        .ends(KEPT)
        .ends_with_caller();
    for name in what.without {
        command = command.env_remove(name);
    }
    for name in inherited::always() {
        command = command.env_remove(name);
    }
    command
}

/// Why there is no result, if there is none.
fn no_result(output: &Output, what: &Rerun<'_>) -> Option<String> {
    if output.timed_out {
        return Some(format!("it was ended after {} s", what.timeout.as_secs()));
    }
    match (output.status, output.signal) {
        (Some(126), _) => Some("the shell could not start a program of it".to_owned()),
        (Some(127), _) => Some("the shell did not find a program of it".to_owned()),
        (None, Some(signal)) if ENDS_FROM_OUTSIDE.contains(&signal) => {
            Some(format!("it was ended by signal {signal}"))
        }
        (None, None) => Some("how it ended cannot be told".to_owned()),
        _ => None,
    }
}

/// Signals that others send: hang-up, interrupt, quit, kill, terminate. Nothing that a check does wrong.
const ENDS_FROM_OUTSIDE: [i32; 5] = [1, 2, 3, 9, 15];

/// The exit code as a shell gives it: a program that a signal ended has 128 more than the signal.
fn exit_of(output: &Output) -> Option<i32> {
    output
        .status
        .or_else(|| output.signal.map(|signal| signal.saturating_add(128)))
}

/// Beginning and end of a text; the end is empty where the beginning is all.
fn ends(text: &str) -> (String, String) {
    if text.len() <= 2 * SHOWN {
        return (text.to_owned(), String::new());
    }
    let head = text.floor_char_boundary(SHOWN);
    let tail = text.ceil_char_boundary(text.len() - SHOWN);
    (
        text.get(..head).unwrap_or_default().to_owned(),
        text.get(tail..).unwrap_or_default().to_owned(),
    )
}

fn in_words(error: &Error) -> String {
    error.to_string().replace('\n', " ")
}
