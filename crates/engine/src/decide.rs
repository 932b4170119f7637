//! From an event and what is remembered to a decision and what changes. Pure but for the [`Sight`]
//! that gates may ask for facts.

use crate::Clock;
use crate::breaker::Breakers;
use crate::plan::{self, Plan};
use crate::session::{AgentState, Change, Downgraded, Pending, Said, SessionState};
use proctor_kernel::{
    Action, Audience, ChecklistItem, Context, Decision, Digest, Event, EventKind, EventTag, Fallback, Mode,
    Note, Outline, PromptOrigin, StartSource, Task, TaskOrigin, ToolCall, ToolKind, ToolOutcome, Verdict,
    World,
};
use proctor_policy::Settings;

/// Most items of a task that are followed.
const LONGEST_CHECKLIST: usize = 1_000;

/// What the engine itself can look up, beyond what gates may ask.
pub(crate) trait Sight: World {
    /// Commit and already changed files at this moment, for a new task. `None` outside git or when
    /// git fails: the scope gate then has nothing to compare with and says so.
    fn base(&self) -> (Option<String>, Vec<(String, Option<String>)>);
    /// Fingerprint of the tree, where there is one.
    fn tree(&self) -> Option<Digest>;
    /// A path as the host spells it, relative to the work tree where it lies inside.
    fn relative(&self, path: &str) -> String;
}

/// Everything that a decision depends on.
pub(crate) struct Inputs<'a> {
    pub(crate) event: &'a Event,
    pub(crate) state: &'a SessionState,
    pub(crate) settings: &'a Settings,
    pub(crate) breakers: &'a Breakers,
    /// Said by the launcher; otherwise found out from the context.
    pub(crate) audience: Option<Audience>,
    /// The host runs in a process that Proctor launched for another task.
    pub(crate) launched: bool,
    /// Anything is remembered of the session.
    pub(crate) known: bool,
    /// The state cannot be kept: counts must come from the host's own flag.
    pub(crate) forgetful: bool,
    /// Nobody can be asked again: no gate grants a retry.
    pub(crate) last_door: bool,
    /// The exact words that a subagent was started with, when the host can tell them (costs a file read).
    pub(crate) delegation: &'a dyn Fn() -> Option<String>,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) sight: &'a dyn Sight,
}

/// A decision and what it changes.
pub(crate) struct Ruling {
    pub(crate) decision: Decision,
    pub(crate) changes: Vec<Change>,
    pub(crate) audience: Audience,
}

/// Decides.
pub(crate) fn decide(inputs: &Inputs<'_>) -> Ruling {
    let mut work = Work {
        agent: inputs
            .event
            .agent
            .as_ref()
            .map(|a| a.id.clone())
            .unwrap_or_default(),
        state: inputs.state.clone(),
        changes: Vec::new(),
        inputs,
    };
    let (decision, audience) = work.run();
    Ruling {
        decision,
        changes: work.changes,
        audience,
    }
}

struct Work<'a> {
    inputs: &'a Inputs<'a>,
    /// The agent's id; empty for the main conversation.
    agent: String,
    state: SessionState,
    changes: Vec<Change>,
}

impl Work<'_> {
    fn push(&mut self, change: Change) {
        self.state.apply(&change);
        self.changes.push(change);
    }

    fn me(&self) -> AgentState {
        self.state.agent(&self.agent)
    }

    fn run(&mut self) -> (Decision, Audience) {
        let event = self.inputs.event;
        self.before(&event.kind);
        let audience = self.audience();
        let mut decision = if self.has_nothing_to_judge(&event.kind) {
            Decision::allow()
        } else {
            self.judge(audience)
        };
        self.after(&event.kind, &mut decision);
        self.notes(&event.kind, &mut decision);
        (decision, audience)
    }

    /// Takes in what the event itself says about session and task.
    fn before(&mut self, kind: &EventKind) {
        match kind {
            EventKind::SessionStart {
                source: StartSource::Startup | StartSource::Clear,
            } => {
                if self.state != SessionState::default() {
                    self.push(Change::Began);
                }
            }
            EventKind::Prompt { text, origin } => self.prompt(text, *origin),
            EventKind::SubagentStart => {
                let kind = self
                    .inputs
                    .event
                    .agent
                    .as_ref()
                    .map(|a| a.kind.clone())
                    .unwrap_or_default();
                self.push(Change::AgentStarted {
                    agent: self.agent.clone(),
                    kind,
                });
            }
            EventKind::ToolResult { call, outcome } => self.tool_result(call, outcome),
            EventKind::TurnEnd { .. } if !self.agent.is_empty() => self.make_sure_of_the_delegation(),
            EventKind::SessionEnd { .. } => self.push(Change::Ended),
            EventKind::Display { text, message, .. } => {
                let (agent, message, text) = (self.agent.clone(), message.clone(), text.clone());
                self.push(Change::Said { agent, message, text });
            }
            EventKind::ToolCall { .. } if self.me().said.iter().any(|s| !s.before_tool) => {
                self.push(Change::SaidBeforeTool {
                    agent: self.agent.clone(),
                });
            }
            _ => {}
        }
    }

    /// The end of a turn with the texts before its last one: the host tells only the last (Claude Code
    /// 2.1.329), and an approval in one before it would never be judged. Texts on the way, before a tool
    /// call, count only when one of them approves; then all count, since its evidence may follow later.
    fn whole_message(&self) -> Option<Event> {
        let EventKind::TurnEnd {
            text,
            again,
            background,
        } = &self.inputs.event.kind
        else {
            return None;
        };
        let mut said = self.me().said;
        if said.last()?.text.trim() == text.trim() {
            said.pop();
        }
        let review = &self.inputs.settings.review;
        let approves = |s: &Said| proctor_gates::review::judge(&s.text, review).is_approval;
        if !said.iter().any(approves) {
            said.retain(|s| !s.before_tool);
        }
        if said.is_empty() {
            return None;
        }
        let mut whole: Vec<&str> = said.iter().map(|s| s.text.as_str()).collect();
        whole.push(text);
        let kind = EventKind::TurnEnd {
            text: whole.join("\n\n"),
            again: *again,
            background: *background,
        };
        Some(Event {
            kind,
            ..self.inputs.event.clone()
        })
    }

    fn prompt(&mut self, text: &str, origin: PromptOrigin) {
        if origin == PromptOrigin::Machine {
            return;
        }
        let current = self.me().task;
        // A subagent's first prompt repeats the delegation that started it.
        let same = current.as_ref().is_some_and(|t| t.words == text);
        let outline = proctor_outline::read(text);
        let delegates = !proctor_outline::delegates(text).is_empty();
        if !same && (outline.has_outcome || delegates || current.is_none()) {
            let delegated = delegates || origin == PromptOrigin::Agent;
            let origin = if delegated {
                TaskOrigin::Delegation
            } else {
                TaskOrigin::Prompt
            };
            let task = self.task(text, origin, outline);
            self.push(Change::TaskStarted {
                agent: self.agent.clone(),
                task: Box::new(task),
            });
        } else {
            self.push(Change::Continued {
                agent: self.agent.clone(),
            });
            if let (Some(task), false) = (current, same) {
                self.widen(task, text);
            }
        }
    }

    /// A prompt that goes on with a task may name more files, or forbid some.
    fn widen(&mut self, mut task: Task, text: &str) {
        let outline = proctor_outline::extend(&task.outline, text);
        if outline == task.outline {
            return;
        }
        if !is_judged(&task.outline) && is_judged(&outline) {
            // Until now there was nothing to compare with, so no base was taken.
            (task.base, task.dirty) = self.inputs.sight.base();
        }
        task.outline = outline;
        self.push(Change::Widened {
            agent: self.agent.clone(),
            task: Box::new(task),
        });
    }

    fn task(&self, words: &str, origin: TaskOrigin, outline: Outline) -> Task {
        // Asking git costs a child process; without an outcome there is nothing to compare with.
        let (base, dirty) = if is_judged(&outline) {
            self.inputs.sight.base()
        } else {
            (None, Vec::new())
        };
        let mut outline = outline;
        // A checklist is gone through at every end of a turn.
        outline.items.truncate(LONGEST_CHECKLIST);
        Task {
            id: self.inputs.clock.id(),
            words: words.to_owned(),
            origin,
            outline,
            base,
            dirty,
        }
    }

    fn tool_result(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        if !outcome.created.is_empty() {
            let paths = outcome
                .created
                .iter()
                .map(|p| self.inputs.sight.relative(p))
                .collect();
            self.push(Change::Created {
                agent: self.agent.clone(),
                paths,
            });
        }
        if matches!(call.kind, ToolKind::Write | ToolKind::Edit) && outcome.ok != Some(false) {
            self.push(Change::Wrote {
                agent: self.agent.clone(),
            });
        }
        if call.kind == ToolKind::Delegate {
            if let (Some(call), Some(agent)) = (&call.id, &outcome.agent) {
                if self
                    .state
                    .agents
                    .get(agent)
                    .is_some_and(|a| a.call.as_ref() != Some(call))
                {
                    self.push(Change::Bound {
                        agent: agent.clone(),
                        call: call.clone(),
                    });
                }
            }
            if self.state.pending.iter().any(|p| p.call == call.id) {
                self.push(Change::Returned {
                    call: call.id.clone(),
                });
            }
        }
    }

    /// When more than one delegation could be this subagent's, its own words decide.
    fn make_sure_of_the_delegation(&mut self) {
        let candidates =
            self.state.pending.len() + self.state.agents.values().filter(|a| a.call.is_some()).count();
        if candidates < 2 || !self.state.agents.contains_key(&self.agent) {
            return;
        }
        let Some(words) = (self.inputs.delegation)() else {
            return;
        };
        if self.me().task.is_some_and(|t| t.words == words) {
            return;
        }
        if let Some(call) = self.state.call_for(&words).map(str::to_owned) {
            self.push(Change::Bound {
                agent: self.agent.clone(),
                call,
            });
        }
    }

    /// Agent-to-agent or human-facing: a launcher's word, a subagent, a delegated task.
    fn audience(&self) -> Audience {
        if let Some(audience) = self.inputs.audience {
            return audience;
        }
        let delegated = self.me().task.is_some_and(|t| t.origin == TaskOrigin::Delegation);
        if !self.agent.is_empty() || delegated {
            Audience::Agent
        } else {
            Audience::Human
        }
    }

    fn has_nothing_to_judge(&self, kind: &EventKind) -> bool {
        match kind {
            // Compaction ends a nameless subagent that was never started (Claude Code 2.1.329).
            EventKind::TurnEnd { .. } => self
                .inputs
                .event
                .agent
                .as_ref()
                .is_some_and(|a| a.kind.is_empty() && !self.state.agents.contains_key(&a.id)),
            // While a retry is left, the turn's end sends the text back; only its last form is shown changed.
            EventKind::Display { .. } => self.me().rejections < self.text_retries(),
            _ => false,
        }
    }

    /// The lowest number of retries that any text gate grants.
    fn text_retries(&self) -> u32 {
        let Settings {
            budget,
            response,
            review,
            ..
        } = self.inputs.settings;
        [response.max_retries, review.downgrade_after_retries]
            .into_iter()
            .flatten()
            .fold(budget.retries, u32::min)
    }

    fn judge(&mut self, audience: Audience) -> Decision {
        let me = self.me();
        let plan = self.plan(audience, &me, !self.inputs.last_door);
        let (mut decision, mut checklist) = self.pipeline(&plan, audience, &me);
        let stop = matches!(
            self.inputs.event.kind,
            EventKind::TurnEnd { .. } | EventKind::Message { .. }
        );
        if stop && decision.action >= Action::Ask && !self.text_was_refused(&plan, &decision) {
            // Blocked for work that is not done, not for its wording: the stop has its own count.
            let items = checklist.as_deref().unwrap_or(&me.checklist);
            let mark = me.progress_mark(items, self.inputs.sight.tree().as_ref());
            let stuck = me.mark.as_ref().is_none_or(|m| *m == mark);
            let attempts = self.inputs.settings.budget.review_attempts;
            let exhausted = if self.inputs.forgetful {
                self.host_says_again()
            } else {
                // Changing any file is progress, so progress alone must not go on for ever.
                (stuck && me.stop_blocks >= attempts) || me.stops_in_a_row >= attempts.saturating_mul(2)
            };
            if exhausted {
                let last = self.plan(audience, &me, false);
                (decision, checklist) = self.pipeline(&last, audience, &me);
            } else {
                self.push(Change::StopBlocked {
                    agent: self.agent.clone(),
                    mark,
                });
            }
        }
        if let Some(items) = checklist.filter(|items| *items != me.checklist) {
            self.push(Change::Checklist {
                agent: self.agent.clone(),
                items,
            });
        }
        if let EventKind::TurnEnd { .. } | EventKind::Message { .. } = self.inputs.event.kind {
            if self.text_was_refused(&plan, &decision) {
                self.push(Change::Rejected {
                    agent: self.agent.clone(),
                });
            } else if me.rejections > 0 && decision.action < Action::Ask {
                self.push(Change::Accepted {
                    agent: self.agent.clone(),
                });
            }
            if decision.action < Action::Ask && (me.stop_blocks > 0 || decision.escalated) {
                self.push(Change::Stopped {
                    agent: self.agent.clone(),
                    escalated: decision.escalated,
                });
            }
        }
        decision
    }

    fn pipeline(
        &self,
        plan: &Plan,
        audience: Audience,
        me: &AgentState,
    ) -> (Decision, Option<Vec<ChecklistItem>>) {
        let whole = self.whole_message();
        let context = Context {
            event: whole.as_ref().unwrap_or(self.inputs.event),
            audience,
            task: me.task.as_ref(),
            checklist: &me.checklist,
            created: &me.created,
            world: self.inputs.sight,
        };
        let clock = self.inputs.clock;
        proctor_kernel::run(&plan.planned(), &context, &|| clock.micros())
    }

    fn host_says_again(&self) -> bool {
        matches!(self.inputs.event.kind, EventKind::TurnEnd { again: true, .. })
    }

    fn plan(&self, audience: Audience, me: &AgentState, stop_retry: bool) -> Plan {
        let Inputs {
            event,
            settings,
            breakers,
            clock,
            ..
        } = self.inputs;
        let used_up = self.inputs.last_door || (self.inputs.forgetful && self.host_says_again());
        let rejections = if used_up { u32::MAX } else { me.rejections };
        let ceiling = if settings.enabled {
            Mode::Enforce
        } else {
            Mode::Off
        };
        plan::build(&plan::Ask {
            tag: event.kind.tag(),
            settings,
            audience,
            ceiling,
            pause: self.is_waiting() || self.asks(),
            launched: self.inputs.launched,
            rejections,
            stop_retry,
            delegation_retry: me.denials < settings.budget.review_attempts,
            known: self.inputs.known,
            retries_granted: me.rejections,
            breaker: &|gate| breakers.state(gate, clock.now()),
        })
    }

    /// Background work still runs: the end of the turn is a pause, so open work is no fault. What is said
    /// is judged all the same.
    fn is_waiting(&self) -> bool {
        self.agent.is_empty()
            && matches!(self.inputs.event.kind, EventKind::TurnEnd { background, .. } if background > 0)
    }

    /// The turn ends with a question: to the user, or from a subagent to its parent.
    fn asks(&self) -> bool {
        let EventKind::TurnEnd { text, .. } = &self.inputs.event.kind else {
            return false;
        };
        text.trim_end().ends_with(['?', '？'])
    }

    fn text_was_refused(&self, plan: &Plan, decision: &Decision) -> bool {
        decision.action == Action::Block
            && decision.reports.iter().any(|report| {
                report.mode == Mode::Enforce
                    && plan.retries(&report.gate)
                    && report
                        .findings
                        .iter()
                        .any(|f| f.verdict == Verdict::Block && f.fallback.is_some())
            })
    }

    /// Carries the decision over to session state.
    fn after(&mut self, kind: &EventKind, decision: &mut Decision) {
        match kind {
            EventKind::SessionStart {
                source: StartSource::Resume | StartSource::Compact | StartSource::Fork,
            } => {
                decision.notes.extend(self.reminder_of_task());
            }
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
                if !self.me().said.is_empty() {
                    self.push(Change::SaidOver {
                        agent: self.agent.clone(),
                    });
                }
                self.turn_ended(text, decision);
            }
            // What is shown can be changed, but whether it goes back is decided at the end of the turn.
            EventKind::Display { .. } if decision.action != Action::Modify => {
                decision.action = Action::Allow;
                decision.reason.clear();
            }
            _ => {}
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
            for line in fallback_lines(decision, self.inputs.state.agent(&self.agent).rejections) {
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
        if decision.escalated {
            let attempts = self.inputs.settings.budget.review_attempts;
            let text = format!(
                "UNREVIEWED: let go although a gate still objects (limit: {attempts} blocked stops without progress, \
                 {} in a row). A human should look at it.",
                attempts.saturating_mul(2)
            );
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

    /// After compaction or on resuming: what the agent was asked for, in the user's words, and what is open.
    fn reminder_of_task(&self) -> Option<Note> {
        let me = self.me();
        let task = me.task?;
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
    fn notes(&mut self, kind: &EventKind, decision: &mut Decision) {
        match kind.tag() {
            EventTag::Prompt
            | EventTag::ToolCall
            | EventTag::ToolResult
            | EventTag::SessionStart
            | EventTag::SubagentStart => {
                let waiting = self.me().notes;
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
                for note in &decision.notes {
                    decision.alerts.push(note.text.clone());
                }
                // What a subagent leaves behind is read by its parent.
                let notes = decision.notes.clone();
                self.push(Change::Queued {
                    agent: String::new(),
                    notes,
                });
            }
            _ => {}
        }
    }
}

/// Whether an outline says anything about files.
fn is_judged(outline: &Outline) -> bool {
    !outline.expected.is_empty() || !outline.excluded.is_empty() || outline.read_only
}

/// The lines that tell a reader what was changed.
fn fallback_lines(decision: &Decision, retries: u32) -> Vec<String> {
    let findings = decision
        .reports
        .iter()
        .filter(|r| r.mode == Mode::Enforce)
        .flat_map(|r| &r.findings);
    findings
        .filter_map(|f| match f.fallback.as_ref().map(|f| f.with_retries(retries)) {
            Some(Fallback::Annotate { line } | Fallback::Replace { line, .. }) => Some(line),
            None => None,
        })
        .collect()
}
