//! Ends of a turn that are blocked again and again: the same question gets the same answer from the record, a host's
//! own limit is not run into, and what a session leaves open does not end in silence.

use super::Work;
use crate::session::{AgentState, Change, Held};
use proctor_gates::approval;
use proctor_kernel::{Action, Breaker, Decision, Digest, EventKind, Mode, PromptOrigin, Status, Verdict};
use proctor_policy::Require;
use serde_json::json;
use std::fmt::Write as _;

impl Work<'_> {
    /// The host takes a limited number of refusals in a row, and what comes after them it passes over without a word.
    /// So the one before its last lets go: loudly, and on record.
    pub(super) fn host_passes_over_the_next(&self, ends_refused: u32) -> bool {
        let cap = self.inputs.stop_cap;
        matches!(self.inputs.event.kind, EventKind::TurnEnd { .. })
            && cap.is_some_and(|cap| ends_refused.saturating_add(1) >= cap)
    }

    /// The answer to the last blocked stop once more, when nothing that it depends on changed: neither the tree nor a
    /// fact, review, check or setting, nor what sort of claims the text makes.
    pub(super) fn held_again(&mut self, me: &AgentState) -> Option<Decision> {
        let held = me.held.as_deref()?;
        let mark = me.mark.clone()?;
        let attempts = self.attempts(false);
        let another = me.stop_blocks < attempts
            && me.stops_in_a_row < attempts.saturating_mul(2)
            && !self.host_passes_over_the_next(me.ends_refused);
        if !another || !self.may_hold(me) || self.question(me)? != held.key {
            return None;
        }
        let mut decision = Decision::allow();
        decision.action = Action::Block;
        decision.reason.clone_from(&held.reason);
        decision.reports.clone_from(&held.reports);
        for report in &mut decision.reports {
            report.micros = 0;
            report.data["from_record"] = json!(true);
        }
        self.push(Change::StopBlocked {
            agent: self.agent.clone(),
            mark,
            held: None,
        });
        Some(decision)
    }

    /// What to remember of a stop that is blocked, so that the same question need not be judged again.
    pub(super) fn to_hold(&self, me: &AgentState, decision: &Decision) -> Option<Box<Held>> {
        if decision.action != Action::Block || !self.may_hold(me) {
            return None;
        }
        let enforced = decision.reports.iter().filter(|r| r.mode == Mode::Enforce);
        // Who could not run is asked again.
        let decided = enforced
            .clone()
            .all(|r| !matches!(r.status, Status::CouldNotRun { .. }));
        let only_approval = enforced
            .clone()
            .all(|r| r.verdict < Verdict::Ask || r.gate == approval::INFO.id);
        let reports: Vec<_> = enforced
            .filter(|r| r.gate == approval::INFO.id)
            .cloned()
            .collect();
        if !decided || !only_approval || reports.is_empty() {
            return None;
        }
        Some(Box::new(Held {
            key: self.question(me)?,
            reason: decision.reason.clone(),
            reports,
        }))
    }

    /// Whether everything that an answer would depend on is known here. A checklist grows by what texts say, a
    /// reviewer that could not run is started again, and who may sign stands outside the tree.
    fn may_hold(&self, me: &AgentState) -> bool {
        let inputs = self.inputs;
        let approval = &inputs.settings.approval;
        matches!(inputs.event.kind, EventKind::TurnEnd { .. })
            && inputs.settings.enabled
            && approval.mode == Mode::Enforce
            && !approval.launch_reviewer
            && !approval.signed
            && !inputs.forgetful
            && !inputs.last_door
            && !inputs.launched
            && !me.tripped
            && me.checklist.is_empty()
            && !self.asks()
            && !self.is_waiting()
            && self.over_budget().is_none()
            && inputs.breakers.state(approval::INFO.id, inputs.clock.now()) == Breaker::Closed
    }

    /// Fingerprint of everything that the gate `approval` looks at, at the end of this turn.
    fn question(&self, me: &AgentState) -> Option<Digest> {
        let inputs = self.inputs;
        let whole = self.whole_message();
        let text = whole
            .as_ref()
            .map_or(&inputs.event.kind, |e| &e.kind)
            .agent_text()?;
        let tree = inputs.sight.tree_id()?;
        let approval = &inputs.settings.approval;
        let reviewed = match approval.require {
            Require::Changes | Require::Paths => inputs.sight.reviewed()?,
            Require::Claims | Require::Never => 0,
        };
        let task = me.task.as_ref().map(|t| t.id.as_str());
        let class = approval::class(text, &self.earlier(), inputs.sight.writes());
        let unread = approval::tells_runs(&class) && inputs.sight.unread_commands();
        let mut key = format!(
            "{}\n{}\n{reviewed}\n{task:?} {}\n{approval:?}\n{:?} {}\n",
            tree.as_str(),
            class,
            inputs.known,
            inputs.settings.verification,
            unread,
        );
        for run in inputs.sight.runs().ok()? {
            // Writing to a string cannot fail.
            let _ = writeln!(key, "{} {} {:?} {}", run.id, run.began, run.exit, run.background);
        }
        Some(Digest::of(key.as_bytes()))
    }

    /// An end of a turn was blocked, and none was let go since: the session ends so, or a person goes on.
    pub(super) fn left_open(&self, kind: &EventKind, decision: &mut Decision) {
        let before = self.before;
        match kind {
            EventKind::SessionEnd { .. }
                if before.open && !self.inputs.forgetful =>
            {
                decision.escalated = true;
                decision.alerts.push(
                    "UNREVIEWED: the session ended while a gate objected to the end of its turn. A human should look \
                     at it."
                        .to_owned(),
                );
            }
            EventKind::Prompt {
                origin: PromptOrigin::User,
                ..
            } if before.main_stops > 0 && self.agent.is_empty() => decision.alerts.push(
                "the turn before was broken off while a gate objected to its end: what it claimed or left open is \
                 unreviewed."
                    .to_owned(),
            ),
            _ => {}
        }
    }
}
