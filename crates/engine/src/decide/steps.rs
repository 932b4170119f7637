//! What an agent did, for the gate that looks for repetitions.

use super::Work;
use crate::session::Change;
use proctor_gates::looping::{self, is_exempt, outcome_mark, repetition, step_of};
use proctor_kernel::{Action, Decision, Mark, Mode, Step, ToolCall, ToolOutcome, Verdict};

impl Work<'_> {
    /// A tool has run.
    pub(super) fn stepped(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        let settings = &self.inputs.settings.r#loop;
        if self.is_unwatched(call) || is_exempt(call, settings) {
            return;
        }
        let mut step = Step {
            outcome: Some(outcome_mark(outcome)),
            failed: outcome.ok == Some(false),
            ..step_of(call)
        };
        if looping::may_go_on(call, outcome) {
            let failed = |last: &Step| last.failed && last.call == step.call;
            if !self.me().steps.last().is_some_and(failed) {
                return;
            }
            // It ends a row of failures, and begins none of successes.
            let at = format!("{:?} {}", call.id, self.inputs.clock.now());
            step.outcome = Some(Mark::of(at.as_bytes()));
        }
        let mut steps = self.me().steps.clone();
        steps.push(step.clone());
        // Identifying the tree costs as much as `git status`, so it is asked for only in doubt.
        if repetition(&steps).times > 1 || (step.failed && looping::strikes(&steps) > 1) {
            step.tree = self.inputs.sight.mark().map(|tree| Mark::from(&tree));
        }
        self.push(Change::Stepped {
            agent: self.agent.clone(),
            step,
        });
    }

    /// Whether repetitions of a call are nobody's business.
    fn is_unwatched(&self, call: &ToolCall) -> bool {
        let settings = self.inputs.settings;
        let mode = settings.mode_for(looping::INFO.id, &call.name, call.kind, settings.r#loop.mode);
        mode == Mode::Off
    }

    /// A call as the agent made it: of a rewritten one the host tells the new form.
    pub(super) fn as_it_was_asked(&self, call: &ToolCall) -> ToolCall {
        let mut asked = call.clone();
        let mut started = self.state.facts.started.iter();
        let mine = started.find(|s| Some(&s.call) == call.id.as_ref());
        if let Some(input) = mine.and_then(|s| s.input.clone()) {
            asked.input = input;
            asked.command = None;
        }
        asked
    }

    /// A tool call was refused: whoever goes on asking goes round in circles too.
    pub(super) fn refused(&mut self, call: &ToolCall, decision: &mut Decision) {
        let settings = &self.inputs.settings.r#loop;
        if decision.action < Action::Ask || self.is_unwatched(call) || is_exempt(call, settings) {
            return;
        }
        self.push(Change::Stepped {
            agent: self.agent.clone(),
            step: step_of(call),
        });
        let tripped = decision.reports.iter().any(|report| {
            report.gate == looping::INFO.id
                && report.mode == Mode::Enforce
                && report
                    .findings
                    .iter()
                    .any(|f| f.rule == "loop/tripped" && f.verdict == Verdict::Block)
        });
        if tripped && !self.me().tripped {
            self.push(Change::Tripped {
                agent: self.agent.clone(),
            });
            decision.escalated = true;
            decision.alerts.push(format!(
                "UNREVIEWED: the agent went round in circles with `{}` and was stopped. Its next prompt starts the \
                 count again.",
                call.name
            ));
        }
    }
}
