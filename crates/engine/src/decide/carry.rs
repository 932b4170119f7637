//! What a decision means for the session: delegations, downgraded texts, notes that wait.

use super::Work;
use crate::reviewing::AT_WORK;
use crate::session::{Change, Downgraded, Pending};
use proctor_gates::approval;
use proctor_gates::drift::{self, condense};
use proctor_kernel::{
    Action, BREAKER_OPEN, Decision, Digest, EventKind, EventTag, Fallback, GateReport, Mark, Mode, Note,
    PromptOrigin, StartSource, Status, TaskOrigin, ToolKind, Verdict, names,
};

/// Most paths that are named.
const NAMED: usize = 3;

impl Work<'_> {
    /// Carries the decision over to session state.
    pub(super) fn after(&mut self, kind: &EventKind, decision: &mut Decision) {
        if decision.reports.iter().any(thoughts_repeat) && !self.me().repeats {
            self.push(Change::Repeated {
                agent: self.agent.clone(),
            });
        }
        match kind {
            EventKind::ToolCall { call } => {
                self.refused(call, decision);
                self.rewrite(call, decision);
            }
            EventKind::ToolResult { call, outcome } => self.mid_turn(call, outcome, decision),
            _ => {}
        }
        self.left_open(kind, decision);
        match kind {
            EventKind::SessionStart {
                source: StartSource::Resume | StartSource::Compact | StartSource::Fork,
            } => {
                decision.notes.extend(self.reminder_of_task());
            }
            EventKind::Prompt {
                origin: PromptOrigin::User,
                ..
            } => self.say_what_was_settled(decision),
            EventKind::ToolCall { call } if call.delegation.is_some() && decision.action >= Action::Ask => {
                self.push(Change::Denied {
                    agent: self.agent.clone(),
                });
            }
            EventKind::ToolCall { call } => {
                if let Some(delegation) = &call.delegation {
                    if self.me().denials > 0 {
                        self.push(Change::DelegationPassed {
                            agent: self.agent.clone(),
                        });
                    }
                    let outline = proctor_outline::read(&delegation.prompt);
                    let task = self.task(&delegation.prompt, TaskOrigin::Delegation, outline);
                    let pending = Pending {
                        call: call.id.clone(),
                        by: self.agent.clone(),
                        kind: delegation.agent.clone(),
                        task,
                    };
                    self.push(Change::Delegated(Box::new(pending)));
                }
            }
            EventKind::ToolResult { call, outcome } if call.kind == ToolKind::Delegate => {
                self.hand_over_downgraded(decision, |d| {
                    outcome.agent.as_deref() == Some(d.agent.as_str())
                        || outcome
                            .answer
                            .as_ref()
                            .is_some_and(|a| Digest::of(a.as_bytes()) == d.original)
                });
            }
            EventKind::Prompt {
                text,
                origin: PromptOrigin::Machine,
            } => {
                // A background subagent's answer comes as a notification that cannot be changed any more.
                self.hand_over_downgraded(decision, |d| text.contains(&d.agent));
                if let Some(text) = decision.text.take() {
                    decision.action = Action::Allow;
                    let text = format!("[proctor] Read the subagent's answer in this form only:\n{text}");
                    decision.notes.push(Note {
                        gate: "engine".to_owned(),
                        text,
                    });
                }
            }
            EventKind::TurnEnd { text, .. } => {
                let said = &self.me().said;
                let shown = said.last().is_some_and(|s| s.text.trim() == text.trim());
                if !said.is_empty() {
                    self.push(Change::SaidOver {
                        agent: self.agent.clone(),
                    });
                }
                if !shown {
                    self.remember(text);
                }
                self.turn_ended(text, decision);
            }
            EventKind::Message { text } => self.remember(text),
            // What is shown can be changed, but whether it goes back is decided at the end of the turn.
            EventKind::Display { .. } if decision.action != Action::Modify => {
                decision.action = Action::Allow;
                decision.reason.clear();
            }
            _ => {}
        }
    }

    /// Keeps a text among the agent's thoughts.
    fn remember(&mut self, text: &str) {
        if !text.trim().is_empty() {
            // It was shortened before, to be compared with others.
            let thinks = std::mem::take(&mut self.thinks);
            let before = self.thoughts.pop_if(|_| thinks);
            self.push(Change::Thought {
                agent: self.agent.clone(),
                text: before.unwrap_or_else(|| condense(text)),
            });
        }
    }

    fn hand_over_downgraded(&mut self, decision: &mut Decision, matches: impl Fn(&Downgraded) -> bool) {
        let Some(found) = self.state.downgraded.iter().find(|d| matches(d)).cloned() else {
            return;
        };
        if decision.action == Action::Allow {
            decision.action = Action::Modify;
            decision.text = Some(found.text);
        }
        self.push(Change::Replaced { agent: found.agent });
    }

    fn turn_ended(&mut self, original: &str, decision: &mut Decision) {
        if decision.action == Action::Modify {
            let before = self.before;
            for line in fallback_lines(decision, before.rejections, before.stops_in_a_row) {
                decision.alerts.push(line);
            }
            if let (false, Some(text)) = (self.agent.is_empty(), &decision.text) {
                let downgraded = Downgraded {
                    agent: self.agent.clone(),
                    original: Digest::of(original.as_bytes()),
                    text: text.clone(),
                };
                self.push(Change::Downgraded(downgraded));
            }
        }
        // A question is never held back, nor who waits, nor an agent that was stopped; but the user must not take what
        // is said for verified.
        if self.asks() || self.claims_wait() || self.me().tripped {
            let unsupported = decision
                .reports
                .iter()
                .filter(|r| r.gate == approval::INFO.id && self.inputs.settings.approval.mode >= Mode::Warn)
                .flat_map(|r| &r.findings)
                .filter(|f| f.rule == "approval/unsupported_claim");
            let lines: Vec<String> = unsupported.map(|f| f.message.clone()).collect();
            decision.alerts.extend(lines);
        }
        self.say_what_let_it_go(decision);
        if decision.escalated {
            let attempts = self.inputs.settings.budget.review_attempts;
            // As it was when this end of a turn was judged: letting it go starts the counts again.
            let before = self.before;
            let limit = match (self.over_budget(), self.inputs.stop_cap) {
                (Some(over), _) => format!("the budget of the task is used up: {over}"),
                (None, Some(cap)) if self.host_passes_over_the_next(before.ends_refused) => format!(
                    "{} refused ends of a turn in a row, of which the host takes {cap}",
                    before.ends_refused
                ),
                (None, _) => format!(
                    "limit: {attempts} blocked stops without progress, {} in a row",
                    attempts.saturating_mul(2)
                ),
            };
            let text = if any_objects(decision) {
                format!(
                    "UNREVIEWED: let go although a gate still objects ({limit}). A human should look at it."
                )
            } else {
                let gates: Vec<&str> = blind(decision).map(|r| r.gate.as_str()).collect();
                format!(
                    "UNREVIEWED: let go without a check that could not run ({}). A human should look at it.",
                    gates.join(", ")
                )
            };
            if !self.agent.is_empty() {
                // Nobody sees what is said at a subagent's end; its parent hears it.
                decision.notes.push(Note {
                    gate: "engine".to_owned(),
                    text: text.clone(),
                });
            }
            decision.alerts.push(text);
        }
    }

    /// A turn ends without an approval: because the agent was stopped, because the same tree was given up before, or
    /// because a reviewer looks at it. Nobody would hear of either otherwise.
    fn say_what_let_it_go(&mut self, decision: &mut Decision) {
        if decision.action >= Action::Ask || decision.escalated {
            return;
        }
        if self.me().tripped {
            decision.alerts.push(
                "UNREVIEWED: the turn ends because the agent went round in circles; what it left was not looked at."
                    .to_owned(),
            );
            return;
        }
        let report = decision
            .reports
            .iter()
            .find(|r| r.gate == approval::INFO.id && r.mode == Mode::Enforce);
        let let_go = report.and_then(|r| r.data.get(approval::LET_GO)?.as_str());
        match let_go {
            Some("escalated") => decision.alerts.push(
                "UNREVIEWED: let go, for this state of the files was given up before without an approval. A human should \
                 look at it (`proctor review status`)."
                    .to_owned(),
            ),
            Some("in_review") if self.agent.is_empty() && !self.state.awaits_review => {
                decision.alerts.push(AT_WORK.to_owned());
                self.push(Change::ReviewAwaited { awaits: true });
            }
            Some("waiting") if self.agent.is_empty() => {
                decision.alerts.push(waits_for_you(&self.inputs.sight.changed_since_asked()));
            }
            _ => {}
        }
    }

    /// Tells the user which gates did not look at this event, so that nobody takes what passed for what was checked: at each
    /// end of a turn, else once a turn.
    pub(super) fn say_what_did_not_look(&mut self, kind: &EventKind, decision: &mut Decision) {
        let ends = matches!(kind, EventKind::TurnEnd { .. });
        let gates: Vec<(String, String)> = blind(decision)
            .filter(|r| r.mode >= Mode::Warn)
            .filter_map(|report| match &report.status {
                // At the end of a turn the user reads the notes, and a failure's own says it.
                Status::CouldNotRun { why } if !ends || why == BREAKER_OPEN => {
                    Some((report.gate.clone(), why.clone()))
                }
                _ => None,
            })
            .collect();
        for (gate, why) in gates {
            let mark = Mark::of(format!("blind {gate}").as_bytes());
            let main = self.state.agents.get("");
            if !ends && main.is_some_and(|main| main.hints.contains(&mark)) {
                continue;
            }
            if !ends {
                self.push(Change::Hinted {
                    agent: String::new(),
                    mark,
                });
            }
            let failed = self.inputs.breakers.failing().find(|(name, ..)| *name == gate);
            let cause = failed.map_or(String::new(), |(_, _, cause)| format!(": {cause}"));
            let cause = if why == BREAKER_OPEN { cause } else { String::new() };
            let what = if ends {
                "the end of this turn"
            } else {
                "what the agent does"
            };
            decision.alerts.push(format!(
                "UNREVIEWED by the gate `{gate}`: it did not look at {what} ({why}{cause})."
            ));
        }
    }

    /// After compaction or on resuming: what the agent was asked for, in the user's words, and what is open.
    fn reminder_of_task(&self) -> Option<Note> {
        let me = self.me();
        let task = me.task.as_ref()?;
        let mut text = format!("[proctor] The task as it was given:\n{}", task.words);
        if let Some(reminder) = proctor_outline::progress::reminder(&me.checklist) {
            text.push_str("\n\n");
            text.push_str(&reminder);
        }
        (!task.words.is_empty() && task.outline.has_outcome).then_some(Note {
            gate: "engine".to_owned(),
            text,
        })
    }

    /// Notes reach the agent with events that can carry them without changing what the host does; the
    /// end of a turn cannot (context there makes the host go on), so its notes wait for the next event.
    pub(super) fn notes(&mut self, kind: &EventKind, decision: &mut Decision) {
        match kind.tag() {
            EventTag::Prompt
            | EventTag::ToolCall
            | EventTag::ToolResult
            | EventTag::SessionStart
            | EventTag::SubagentStart => {
                let waiting = self.me().notes.clone();
                if !waiting.is_empty() {
                    self.push(Change::Delivered {
                        agent: self.agent.clone(),
                        count: waiting.len(),
                    });
                    decision.notes.splice(0..0, waiting);
                }
            }
            EventTag::TurnEnd if decision.action == Action::Block => {
                for note in std::mem::take(&mut decision.notes) {
                    decision.reason.push_str("\n\n");
                    decision.reason.push_str(&note.text);
                }
            }
            EventTag::TurnEnd if !decision.notes.is_empty() => {
                // What a gate out of service asks of the agent tells the user nothing.
                let told: Vec<String> = decision
                    .notes
                    .iter()
                    .filter(|note| !blind(decision).any(|r| r.gate == note.gate && is_out_of_service(r)))
                    .map(|note| note.text.clone())
                    .collect();
                decision.alerts.extend(told);
                // What a subagent leaves behind is read by its parent.
                let notes = decision.notes.clone();
                self.push(Change::Queued {
                    agent: String::new(),
                    notes,
                });
            }
            EventTag::Display if !decision.notes.is_empty() => {
                // What is shown cannot carry a note; the agent reads it with its next tool call.
                let notes = std::mem::take(&mut decision.notes);
                self.push(Change::Queued {
                    agent: self.agent.clone(),
                    notes,
                });
            }
            _ => {}
        }
    }
}

/// What the user is told when a turn ends while the work waits for a human, whoever asked for that. `changed` are the paths
/// that changed since.
fn waits_for_you(changed: &[String]) -> String {
    let changed = match changed {
        [] => String::new(),
        changed => format!(" Changed since it was asked for: {}.", names(changed, NAMED)),
    };
    format!(
        "not approved: it waits for a human (`proctor review approve` or `reject`, in a terminal of your own).{changed}"
    )
}

/// Whether a gate that enforces objects.
fn any_objects(decision: &Decision) -> bool {
    decision
        .reports
        .iter()
        .any(|r| r.mode == Mode::Enforce && r.verdict == Verdict::Block)
}

/// The reports of gates that could not look.
fn blind(decision: &Decision) -> impl Iterator<Item = &GateReport> {
    decision
        .reports
        .iter()
        .filter(|r| matches!(r.status, Status::CouldNotRun { .. }))
}

/// Whether a gate did not look because its breaker is open.
fn is_out_of_service(report: &GateReport) -> bool {
    matches!(&report.status, Status::CouldNotRun { why } if why == BREAKER_OPEN)
}

/// Whether the gate that compares an agent's texts found nothing new in the last ones.
fn thoughts_repeat(report: &GateReport) -> bool {
    report.gate == drift::INFO.id && report.status == Status::Decided && report.verdict != Verdict::Pass
}

/// The lines that tell a reader what was changed.
fn fallback_lines(decision: &Decision, texts: u32, stops: u32) -> Vec<String> {
    let enforced = decision.reports.iter().filter(|r| r.mode == Mode::Enforce);
    let findings = enforced.flat_map(|r| {
        let retries = if r.gate == approval::INFO.id { stops } else { texts };
        r.findings.iter().map(move |f| (f, retries))
    });
    findings
        .filter_map(
            |(f, retries)| match f.fallback.as_ref().map(|f| f.with_retries(retries)) {
                Some(Fallback::Annotate { line } | Fallback::Replace { line, .. }) => Some(line),
                None => None,
            },
        )
        .collect()
}
