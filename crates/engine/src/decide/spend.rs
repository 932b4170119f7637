//! What the work costs, and what follows when the budget is used up: gates stop holding the agent.
//!
//! A used-up budget never makes anything stricter, and never ends work: it shortens how long gates insist. One
//! word remains, or a long task would be a free pass for whatever it claims at its end.

use super::Work;
use crate::session::{Change, ReadOn, Spent, mark};
use proctor_gates::looping;
use proctor_kernel::{
    Action, Decision, EventKind, PromptOrigin, Reading, Readings, ToolCall, ToolKind, ToolOutcome,
};

/// Shortest wait for a person that is told apart from a tool's own beginning and end, in milliseconds.
const WAIT: u64 = 2_000;

/// Longest time without an event that is taken for work, in milliseconds.
const LONGEST_GAP: u64 = 600_000;

impl Work<'_> {
    /// A prompt begins a turn of the main conversation.
    pub(super) fn turn_begins(&mut self, origin: PromptOrigin) {
        let cost = &self.state.cost;
        if !self.agent.is_empty() || self.inputs.forgetful {
            return;
        }
        let now = self.inputs.clock.now();
        if cost.since.is_some() {
            if origin != PromptOrigin::User {
                self.idled(0);
                return;
            }
            self.turn_broken_off();
        }
        self.push(Change::TurnBegan { at: now });
    }

    /// A task begins: what stands in transcripts until now belongs to others.
    pub(super) fn meters_begin(&mut self) {
        if self.agent.is_empty()
            && let Some(mut readings) = self.inputs.aside.usage(&self.state.cost.metered, true)
        {
            readings.values_mut().for_each(|reading| reading.tokens = 0);
            self.metered(readings);
        }
    }

    /// The end of a turn: transcripts are read on.
    pub(super) fn meter(&mut self) {
        if let Some(readings) = self.inputs.aside.usage(&self.state.cost.metered, false) {
            self.metered(readings);
        }
    }

    fn metered(&mut self, mut readings: Readings) {
        let known = &self.state.cost.metered;
        readings.retain(|name, reading| known.get(name) != Some(&reading.meter));
        if readings.is_empty() {
            return;
        }
        let read = |(name, reading): (&String, &Reading)| {
            let read = ReadOn {
                from: known.get(name).map(mark),
                tokens: reading.tokens,
            };
            (name.clone(), read)
        };
        let change = Change::Metered {
            tokens: readings.values().fold(0, |sum, r| sum.saturating_add(r.tokens)),
            read: readings.iter().map(read).collect(),
            metered: readings.into_iter().map(|(name, r)| (name, r.meter)).collect(),
        };
        self.push(change);
    }

    /// Longer than this nobody works without any event: the machine slept, or the agent was broken off. What a tool
    /// itself says of its time is believed.
    pub(super) fn idled(&mut self, own: u64) {
        let cost = &self.state.cost;
        let gap = self.inputs.clock.now().saturating_sub(cost.last);
        let millis = gap.saturating_sub(own.max(LONGEST_GAP));
        if cost.since.is_some() && cost.last > 0 && millis > 0 {
            self.push(Change::Waited { millis });
        }
    }

    /// The session begins or ends in the middle of a turn: what came after its last event was nobody's work.
    pub(super) fn turn_broken_off(&mut self) {
        let cost = &self.state.cost;
        if cost.since.is_some() && self.agent.is_empty() {
            let worked = cost.running(cost.last.min(self.inputs.clock.now()));
            self.push(Change::TurnPaused { worked });
        }
    }

    /// Between the call of a tool and its result a person may have been asked: what the tool itself did not take.
    pub(super) fn waited(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        let cost = &self.state.cost;
        if cost.since.is_none() {
            return;
        }
        if !self.agent.is_empty() || call.kind == ToolKind::Delegate {
            // Others work meanwhile, and are heard.
            self.idled(outcome.millis.unwrap_or(0));
            return;
        }
        let gap = self.inputs.clock.now().saturating_sub(cost.last);
        let own = if looping::asks_a_person(call) {
            0
        } else {
            outcome.millis.unwrap_or(gap.min(LONGEST_GAP))
        };
        let millis = gap.saturating_sub(own);
        if cost.last > 0 && millis >= WAIT {
            self.push(Change::Waited { millis });
        }
    }

    /// What the main task cost so far.
    pub(super) fn spent(&self) -> Spent {
        let budget = &self.inputs.settings.budget;
        self.state.cost.of(budget, self.inputs.clock.now())
    }

    /// The budget is used up, in words; `None` while something is left.
    pub(super) fn over_budget(&self) -> Option<String> {
        let spent = self.spent();
        (spent.is_over() && !self.inputs.forgetful).then(|| spent.in_words())
    }

    /// The end of a turn, when it is decided: the time stops, and the user hears once of a used-up budget.
    pub(super) fn turn_stops(&mut self, kind: &EventKind, decision: &mut Decision) {
        if !matches!(kind, EventKind::TurnEnd { .. }) {
            return;
        }
        if let Some(over) = self.over_budget()
            && !self.state.cost.told
            && (decision.action >= Action::Ask || decision.escalated)
        {
            self.push(Change::OverBudget);
            // That it was let go has its own words.
            if !decision.escalated {
                decision.alerts.push(format!(
                    "the budget of this task is used up ({over}): the agent is told once more what is missing, and is \
                     then let go UNREVIEWED."
                ));
            }
        }
        if self.agent.is_empty() && decision.action < Action::Ask && self.state.cost.since.is_some() {
            let worked = self.state.cost.running(self.inputs.clock.now());
            self.push(Change::TurnPaused { worked });
        }
    }
}
