//! The checks that the policy asks for: as the records tell, or run again.

use super::report::{CheckReport, CheckState, TrustAxis};
use super::{Known, VerifyRequest};
use crate::rerun::{Ended, Permit, Rerun, RerunOutcome};
use crate::{Clock, Engine};
use proctor_gates::support::{Now, Wanted, support};
use proctor_kernel::{CheckRun, Reason, Result, TreeId, Trust};
use proctor_policy::Verification;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How the required checks are run again.
#[derive(Clone, Debug)]
pub struct RerunPlan {
    /// How far the runs can be trusted: [`Trust::CiReran`] in CI, else [`Trust::EngineRan`].
    pub trust: Trust,
    /// Where the clean folder is made.
    pub folder: PathBuf,
    /// Variables of this process that the checks do not get.
    pub without: Vec<OsString>,
    /// How long each check may take.
    pub timeout: Duration,
}

impl<C: Clock> Engine<C> {
    /// Notes how the required checks stand; tells whether they were run again.
    pub(super) fn checks(&mut self, request: &VerifyRequest, known: &mut Known) -> Result<bool> {
        let own = known.settings.verification.clone();
        known.report.checks = match &request.rerun {
            Some(plan) => {
                known.ran = self.run_anew(plan, &own, &known.tree)?;
                known.ran.iter().map(|ran| report_of(ran, plan)).collect()
            }
            None => {
                let mut checks = self.recorded_checks(&own, &known.tree)?;
                self.claim_checks(&mut checks, &known.tree)?;
                checks
            }
        };
        Ok(request.rerun.is_some() && !own.is_empty())
    }

    /// Runs checks in a clean folder of a tree. Asking for it is trust enough: that is what CI does.
    pub(super) fn run_anew(
        &mut self,
        plan: &RerunPlan,
        checks: &[Verification],
        tree: &TreeId,
    ) -> Result<Vec<RerunOutcome>> {
        self.rerun(&Rerun {
            tree,
            checks,
            permit: Permit::Asked,
            trust: plan.trust,
            folder: &plan.folder,
            without: &plan.without,
            timeout: plan.timeout,
            from_record: false,
        })
    }

    /// How the required checks stand on a tree, as this clone's own records tell.
    pub(super) fn recorded_checks(&self, own: &[Verification], tree: &TreeId) -> Result<Vec<CheckReport>> {
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let mut runs: Vec<CheckRun> = self.engine_runs()?;
        for (_, state) in self.sessions()? {
            runs.extend(state.facts.runs);
        }
        runs.retain(|r| r.after.as_ref() == Some(tree) || r.before.as_ref() == Some(tree));
        runs.sort_by_key(|r| r.began);
        let unknown = |_: &TreeId| None;
        let now = Now {
            tree: Some(tree),
            writes: 0,
            changed_since: &unknown,
        };
        let stand = |check: &Verification| {
            let answer = support(Wanted::Own(check), &runs, &now);
            let run = answer.run.and_then(|at| runs.get(at));
            let (state, trust) = match answer.reason {
                Reason::Supported => (
                    CheckState::Passed,
                    run.map_or(TrustAxis::None, |r| r.trust.into()),
                ),
                Reason::FailedExit | Reason::FailedOutput | Reason::SupersededByFailure => (
                    CheckState::Failed,
                    run.map_or(TrustAxis::None, |r| r.trust.into()),
                ),
                Reason::EmptyRun => (CheckState::Empty, run.map_or(TrustAxis::None, |r| r.trust.into())),
                Reason::NoCommand
                | Reason::WrongKind
                | Reason::Stale
                | Reason::TreeChangedDuringRun
                | Reason::Masked
                | Reason::BackgroundOnly
                | Reason::NoResult
                | Reason::CouldNotRun => (CheckState::NotRun, TrustAxis::None),
            };
            CheckReport {
                name: check.name.clone(),
                run: check.run.clone(),
                detail: match state {
                    // It was run, and it is known why that says nothing.
                    CheckState::NotRun
                        if answer.reason == Reason::NoResult && run.is_some_and(|r| r.end.is_some()) =>
                    {
                        answer.missing
                    }
                    CheckState::NotRun => "not run on exactly this tree".to_owned(),
                    _ => answer.missing,
                },
                state,
                trust,
            }
        };
        Ok(own.iter().map(stand).collect())
    }
}

fn report_of(outcome: &RerunOutcome, plan: &RerunPlan) -> CheckReport {
    CheckReport {
        name: outcome.name.clone(),
        run: outcome.run.clone(),
        state: match outcome.ended {
            Ended::Passed => CheckState::Passed,
            Ended::Failed => CheckState::Failed,
            Ended::Empty => CheckState::Empty,
            Ended::CouldNotRun => CheckState::CouldNotRun,
        },
        trust: plan.trust.into(),
        detail: match outcome.ended {
            Ended::Passed => String::new(),
            _ => {
                let end = if outcome.tail.is_empty() {
                    &outcome.head
                } else {
                    &outcome.tail
                };
                format!("{}\n{}", outcome.why, end.trim_end()).trim().to_owned()
            }
        },
    }
}
