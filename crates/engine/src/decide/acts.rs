//! What was witnessed of an agent, for the gate that judges its verdicts.

use super::Work;
use crate::session::{AgentState, Change};
use proctor_gates::review::{self, Acts, asks_for_review};
use proctor_kernel::{Audience, Decision, EventKind, Status, Verdict};

impl Work<'_> {
    /// What was seen of the agent that ends its turn. `None` where nothing is remembered: words are all there is.
    pub(super) fn acts(&self, me: &AgentState, audience: Audience) -> Option<Acts> {
        let ends = matches!(self.inputs.event.kind, EventKind::TurnEnd { .. });
        if !ends || !self.inputs.known {
            return None;
        }
        let facts = &self.state.facts;
        let after = self.state.approved.filter(|_| self.agent.is_empty());
        let after = after.and_then(|writes| usize::try_from(facts.writes.checked_sub(writes)?).ok());
        let last = |count: usize| {
            let from = facts.edited.len().saturating_sub(count);
            facts.edited.get(from..).unwrap_or_default().to_vec()
        };
        Some(Acts {
            changes: facts.writes > 0,
            changed: last(3),
            looked: me.looked.is_some(),
            changed_since: me.looked.is_some_and(|looked| looked < facts.writes),
            wrote: me.writes > 0 && !self.is_undone(me),
            // Only what agents answer each other is read for this.
            asked: audience == Audience::Agent && me.task.as_ref().is_some_and(|t| asks_for_review(&t.words)),
            after_approval: after.filter(|count| *count > 0).map(last),
        })
    }

    /// Keeps that an approval among agents passed, and that it was told when it does not hold any more.
    pub(super) fn note_approval(&mut self, decision: &Decision) {
        if !matches!(self.inputs.event.kind, EventKind::TurnEnd { .. }) {
            return;
        }
        let Some(report) = decision.reports.iter().find(|r| r.gate == review::INFO.id) else {
            return;
        };
        if report
            .findings
            .iter()
            .any(|f| f.rule == "review/work_after_approval")
        {
            self.push(Change::ApprovalOver);
        }
        let approves = report
            .data
            .get("is_approval")
            .and_then(serde_json::Value::as_bool)
            == Some(true);
        let passed = report.status == Status::Decided
            && report
                .findings
                .iter()
                .all(|f| f.tier == proctor_kernel::Tier::Soft || f.verdict == Verdict::Pass);
        if approves && passed && !self.agent.is_empty() {
            self.push(Change::ApprovalPassed);
        }
    }
}
