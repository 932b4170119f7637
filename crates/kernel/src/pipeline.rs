//! Runs the gates of one event by band, guards each of them, and merges what they say.

use crate::{
    Action, Band, ChecklistItem, Context, Decision, EventTag, Fallback, Finding, Gate, GateReport, Mode,
    Note, OnError, Status, Tier, Verdict,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// State of a gate's breaker at the moment of an event; kept by the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaker {
    /// The gate runs.
    Closed,
    /// One trial run is allowed: success closes the breaker, failure opens it again.
    HalfOpen,
    /// The gate is out of service; its instruction is injected instead.
    Open,
}

/// A gate as planned for one event.
pub struct Planned<'a> {
    /// The gate.
    pub gate: &'a dyn Gate,
    /// Its mode for this event.
    pub mode: Mode,
    /// What its failure is answered with.
    pub on_error: OnError,
    /// Its breaker.
    pub breaker: Breaker,
    /// Whether the agent still gets another try. When not, a finding's [`Fallback`] takes the place
    /// of its block; a finding without one lets the host go, escalated.
    pub retry: bool,
    /// Retries that the agent had already; fills `{retries}` in a fallback's line.
    pub retries: u32,
}

/// Why a gate did not look whose breaker is open, as its report says it.
pub const BREAKER_OPEN: &str = "its breaker is open after repeated failures";

/// Microseconds since some fixed moment; given by the caller because the kernel has no clock.
pub type Timer<'a> = &'a dyn Fn() -> u64;

/// Runs the planned gates in the order of their bands (and within a band in the order given) and
/// merges their reports: strictest wins, `block > ask > modify > allow`; a hard block in band 20
/// skips band 50; bands 80 and 90 always run; notes of all gates are kept.
///
/// The checklist is the task's checklist after the event, when a gate changed it.
#[must_use]
pub fn run(
    plan: &[Planned<'_>],
    context: &Context<'_>,
    timer: Timer<'_>,
) -> (Decision, Option<Vec<ChecklistItem>>) {
    let tag = context.event.kind.tag();
    let mut order: Vec<&Planned<'_>> = Vec::with_capacity(plan.len());
    order.extend(plan.iter().filter(|p| p.gate.info().events.contains(&tag)));
    order.sort_by_key(|p| p.gate.info().band);

    let mut merge = Merge {
        decision: Decision::allow(),
        fallbacks: Vec::new(),
    };
    let mut checklist = None;
    let mut blocked_early = false;
    for planned in order {
        let info = planned.gate.info();
        let skip = if planned.mode == Mode::Off {
            Some("mode is off".to_owned())
        } else if blocked_early && info.band == Band::Business {
            Some("band 20 has blocked already".to_owned())
        } else {
            None
        };
        if let Some(why) = skip {
            merge
                .decision
                .reports
                .push(report(planned, Status::Skipped { why }));
            continue;
        }
        if planned.breaker == Breaker::Open {
            let why = BREAKER_OPEN.to_owned();
            merge
                .decision
                .reports
                .push(report(planned, Status::CouldNotRun { why }));
            if planned.mode == Mode::Enforce && planned.on_error != OnError::Allow {
                // Let go without the check that must not be missed.
                merge.decision.escalated |= context.event.kind.tag() == EventTag::TurnEnd;
            }
            if planned.mode >= Mode::Warn {
                merge.note(
                    info.id,
                    format!("[{} gate out of service] {}", info.id, planned.gate.instruction()),
                );
            }
            continue;
        }
        let before = timer();
        let result = catch_unwind(AssertUnwindSafe(|| planned.gate.check(context)));
        let micros = timer().saturating_sub(before);
        let outcome = match result {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => {
                merge.failed(planned, error.to_string(), micros);
                continue;
            }
            Err(panic) => {
                merge.failed(planned, format!("panic: {}", panic_text(panic.as_ref())), micros);
                continue;
            }
        };
        checklist = outcome.checklist.or(checklist);
        let mut gate_report = report(planned, Status::Decided);
        gate_report.verdict = outcome
            .findings
            .iter()
            .map(|f| f.verdict)
            .max()
            .unwrap_or(Verdict::Pass);
        gate_report.data = outcome.data;
        gate_report.micros = micros;
        for finding in &outcome.findings {
            blocked_early |= merge.finding(planned, finding) && info.band == Band::Enforcement;
        }
        gate_report.findings = outcome.findings;
        merge.decision.reports.push(gate_report);
    }
    (merge.finish(context), checklist)
}

fn report(planned: &Planned<'_>, status: Status) -> GateReport {
    let info = planned.gate.info();
    GateReport {
        gate: info.id.to_owned(),
        band: info.band,
        mode: planned.mode,
        status,
        verdict: Verdict::Pass,
        findings: Vec::new(),
        data: serde_json::Value::Null,
        micros: 0,
    }
}

/// The message of a panic, if it has one.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

struct Merge {
    decision: Decision,
    fallbacks: Vec<Fallback>,
}

impl Merge {
    fn note(&mut self, gate: &str, text: String) {
        let note = Note {
            gate: gate.to_owned(),
            text,
        };
        if !self.decision.notes.contains(&note) {
            self.decision.notes.push(note);
        }
    }

    fn answer(&mut self, action: Action, reason: String) {
        if action > self.decision.action {
            self.decision.action = action;
        }
        if action >= Action::Ask && !reason.is_empty() {
            if self.decision.reason.is_empty() {
                self.decision.reason = reason;
            } else {
                self.decision.reason.push_str("\n\n");
                self.decision.reason.push_str(&reason);
            }
        }
    }

    /// The truth table of modes (observe records only, warn notes, enforce answers for hard
    /// findings and notes soft ones). Returns whether the event is now blocked.
    fn finding(&mut self, planned: &Planned<'_>, finding: &Finding) -> bool {
        let text = wording(finding);
        let gate = planned.gate.info().id;
        match (planned.mode, finding.tier) {
            (Mode::Off | Mode::Observe, _) => false,
            (Mode::Warn, _) | (Mode::Enforce, Tier::Soft) => {
                if finding.verdict != Verdict::Pass {
                    // What speaks of a refusal must not be read as one.
                    let refusal = finding.tier == Tier::Hard && finding.fallback.is_some();
                    let text = if refusal {
                        format!("[proctor] A warning only, the text was let through. {text}")
                    } else {
                        text
                    };
                    self.note(gate, text);
                }
                false
            }
            (Mode::Enforce, Tier::Hard) => match (finding.verdict, &finding.fallback) {
                (Verdict::Pass, _) => false,
                (Verdict::Block, Some(fallback)) if !planned.retry => {
                    // The changed text says itself what was wrong with it.
                    self.fallbacks.push(fallback.with_retries(planned.retries));
                    self.answer(Action::Modify, String::new());
                    false
                }
                (Verdict::Block, None) if !planned.retry => {
                    self.decision.escalated = true;
                    self.note(gate, text);
                    false
                }
                (Verdict::Block, _) => {
                    self.answer(Action::Block, text);
                    true
                }
                (Verdict::Ask, _) => {
                    self.answer(Action::Ask, text);
                    false
                }
                (Verdict::Modify, fallback) => {
                    self.fallbacks.extend(fallback.clone());
                    self.answer(Action::Modify, String::new());
                    self.note(gate, text);
                    false
                }
            },
        }
    }

    fn failed(&mut self, planned: &Planned<'_>, why: String, micros: u64) {
        let gate = planned.gate.info().id;
        let text = format!(
            "[proctor] the {gate} gate could not run ({why}). This is a fault of the check, not of your work."
        );
        match (planned.mode, planned.on_error) {
            (Mode::Off | Mode::Observe, _) => {}
            (Mode::Warn, _) | (Mode::Enforce, OnError::Allow) => self.note(gate, text),
            (Mode::Enforce, _) if !planned.retry => {
                self.decision.escalated = true;
                self.note(gate, text);
            }
            (Mode::Enforce, OnError::Block) => {
                self.answer(
                    Action::Block,
                    format!("{text} It is set to fail closed; a human can run `proctor doctor`."),
                );
            }
            (Mode::Enforce, OnError::Ask) => self.answer(Action::Ask, text),
        }
        let mut gate_report = report(planned, Status::CouldNotRun { why });
        gate_report.micros = micros;
        self.decision.reports.push(gate_report);
    }

    fn finish(mut self, context: &Context<'_>) -> Decision {
        if self.decision.action == Action::Modify {
            if let Some(original) = context.event.kind.agent_text() {
                // Replacements carry offsets into the original, so they come before annotations.
                self.fallbacks
                    .sort_by_key(|f| matches!(f, Fallback::Annotate { .. }));
                let mut text = original.to_owned();
                for fallback in &self.fallbacks {
                    text = fallback.apply(&text);
                }
                self.decision.text = Some(text);
            } else {
                // Nothing to change here: the note carries the message.
                self.decision.action = Action::Allow;
            }
        }
        self.decision
    }
}

/// What the agent reads about a finding: the refusal and the way out.
fn wording(finding: &Finding) -> String {
    match &finding.instead {
        // A reminder or a list has no full stop; the next step then gets a line of its own.
        Some(instead) if finding.message.ends_with(['.', '!', '?', ')']) => {
            [finding.message.as_str(), " ", instead].concat()
        }
        Some(instead) => [finding.message.as_str(), "\n", instead].concat(),
        None => finding.message.clone(),
    }
}

#[cfg(test)]
mod tests;
