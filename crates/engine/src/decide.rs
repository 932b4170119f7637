//! From an event and what is remembered to a decision and what changes. Pure but for the [`Sight`]
//! that gates may ask for facts.

mod acts;
mod carry;
mod commands;
mod held;
mod intake;
mod midturn;
mod rewrite;
mod settle;
mod spend;
mod steps;
mod witness;

pub(crate) use commands::bounded;
pub(crate) use witness::{kind_of, may_verify, own_checks};

use crate::breaker::Breakers;
use crate::plan::{self, Plan};
use crate::record::Judged;
use crate::session::{AgentState, Change, Said, SessionState, Spent};
use crate::whereabouts::Placed;
use crate::{Aside, Clock};
use proctor_gates::{approval, drift};
use proctor_kernel::{
    Action, Audience, ChecklistItem, Context, Decision, Digest, Event, EventKind, Mode, ReviewStanding,
    Status, TreeId, Verdict, World,
};
use proctor_policy::Settings;
use proctor_shell::{Analysis, Check};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

/// What the user is told when a session of which nothing is remembered may end its turn.
const RELEASED: &str =
    "nothing is remembered of this session, so its work was not judged; a human's release lets it go.";

/// What the engine itself can look up, beyond what gates may ask.
pub(crate) trait Sight: World {
    /// Commit and already changed files at this moment, for a new task. `None` outside git or when
    /// git fails: the scope gate then has nothing to compare with and says so.
    fn base(&self) -> (Option<String>, Vec<(String, Option<String>)>);
    /// Fingerprint of the tree, where there is one; for progress.
    fn mark(&self) -> Option<Digest>;
    /// Whether there is a tree whose identity can be told.
    fn has_tree(&self) -> bool;
    /// The files that were changed since a moment, in milliseconds since 1970, where one look tells that. A large
    /// work tree is looked at for it only with `large`; files that were staged since count with `staged`.
    fn touched_since(&self, began: u64, staged: bool, large: bool) -> Option<Vec<String>>;
    /// The files below `.proctor/` that no tree shows and that were changed since a moment, in milliseconds since 1970.
    fn touched_unseen(&self, _began: u64) -> Vec<String> {
        Vec::new()
    }
    /// The identity of a work tree that is not large.
    fn small_tree(&self) -> Option<TreeId>;
    /// Whether two trees differ by files alone that git does not track.
    fn only_litter(&self, before: &TreeId, after: &TreeId) -> bool;
    /// The paths that changed since a human was asked to review this session's work, where that can be told.
    fn changed_since_asked(&self) -> Vec<String> {
        Vec::new()
    }
    /// How much was recorded of reviews; `None` where that cannot be told.
    fn reviewed(&self) -> Option<u64>;
    /// A path as the host spells it, relative to the work tree where it lies inside.
    fn relative(&self, path: &str) -> String;
    /// The file that a line started in the folder `start` names by this path, or a tool by its whole one, where it lies outside
    /// of the work tree.
    fn outside(&self, _named: &str, _start: &str) -> Option<String> {
        None
    }
    /// The same, wherever it lies.
    fn named(&self, _named: &str, _start: &str) -> Option<String> {
        None
    }
    /// Whether a file is what it is called: a binary, or a link to one of its name.
    fn is_installed(&self, _file: &str) -> bool {
        true
    }
    /// Where a check of a line that was started in the folder `start` ran, seen from the work tree; `words` are those behind
    /// its program.
    fn placed(&self, check: &Check, words: &[String], start: &str) -> Placed;
    /// Whether it is known which files changed for a message that is posted.
    fn tells_changes(&self) -> bool {
        false
    }
}

/// Everything that a decision depends on.
pub(crate) struct Inputs<'a> {
    pub(crate) event: &'a Event,
    pub(crate) settings: &'a Settings,
    pub(crate) breakers: &'a Breakers,
    /// Said by the launcher; otherwise found out from the context.
    pub(crate) audience: Option<Audience>,
    /// The host runs in a process that Proctor launched for another task.
    pub(crate) launched: bool,
    /// The root of the work tree of its own in which the subagent of this event works.
    pub(crate) apart: Option<&'a str>,
    /// Anything is remembered of the session.
    pub(crate) known: bool,
    /// The state cannot be kept: counts must come from the host's own flag.
    pub(crate) forgetful: bool,
    /// Nobody can be asked again: no gate grants a retry.
    pub(crate) last_door: bool,
    /// Refused ends of a turn in a row that the host takes.
    pub(crate) stop_cap: Option<u32>,
    /// What the host's own files tell.
    pub(crate) aside: &'a dyn Aside,
    /// The changes, and what a gate objected to, are kept in a record. A message changes nothing by what was changed before.
    pub(crate) keeps: bool,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) sight: &'a dyn Sight,
}

/// A decision and what it changes.
pub(crate) struct Ruling {
    pub(crate) decision: Decision,
    /// The changes, where they are kept.
    pub(crate) changes: Vec<Change>,
    /// The state with all changes.
    pub(crate) state: SessionState,
    /// What the work tree held, where that was looked at for the decision.
    pub(crate) tree: Option<TreeId>,
    pub(crate) audience: Audience,
    /// Records of the session were found to be lost, and no task has begun since.
    pub(crate) lost: bool,
    /// What a gate objected to, where that is kept.
    pub(crate) judged: Option<Judged>,
    /// What the main task cost so far, at the end of a turn.
    pub(crate) spent: Option<Spent>,
}

/// What is known of an agent that was never seen.
static UNSEEN: LazyLock<Arc<AgentState>> = LazyLock::new(Arc::default);

/// Decides by what is known so far.
pub(crate) fn decide(inputs: &Inputs<'_>, state: SessionState) -> Ruling {
    let agent = inputs.event.agent.as_ref();
    let agent = agent.map(|a| a.id.clone()).unwrap_or_default();
    let mut work = Work {
        before: Before::of(&state, &agent),
        agent,
        state,
        changes: Vec::new(),
        thoughts: Vec::new(),
        thinks: false,
        analysis: OnceCell::new(),
        inputs,
    };
    let (decision, audience, judged) = work.run();
    let ends = matches!(inputs.event.kind, EventKind::TurnEnd { .. });
    let spent = Some(work.spent()).filter(|spent| ends && !spent.is_nothing());
    Ruling {
        tree: None,
        lost: work.state.lost,
        spent,
        decision,
        changes: work.changes,
        state: work.state,
        audience,
        judged,
    }
}

/// Counts as they were before the event. The states themselves are not kept: what is changed would have to be copied then.
#[derive(Clone, Copy)]
struct Before {
    /// Of the event's agent.
    rejections: u32,
    stops_in_a_row: u32,
    ends_refused: u32,
    /// Of the main conversation.
    open: bool,
    main_stops: u32,
}

impl Before {
    fn of(state: &SessionState, agent: &str) -> Self {
        let me = state.agents.get(agent).unwrap_or(&UNSEEN);
        let main = state.agents.get("").unwrap_or(&UNSEEN);
        Self {
            rejections: me.rejections,
            stops_in_a_row: me.stops_in_a_row,
            ends_refused: me.ends_refused,
            open: main.open,
            main_stops: main.stops_in_a_row,
        }
    }
}

struct Work<'a> {
    inputs: &'a Inputs<'a>,
    before: Before,
    /// The agent's id; empty for the main conversation.
    agent: String,
    state: SessionState,
    changes: Vec<Change>,
    /// The agent's latest texts, this event's own among them; see [`Context::thoughts`].
    thoughts: Vec<String>,
    /// The last of them is this event's own text.
    thinks: bool,
    /// The command line of this event's call, read once.
    analysis: OnceCell<Option<Rc<Analysis>>>,
}

impl Work<'_> {
    fn push(&mut self, change: Change) {
        if self.inputs.keeps {
            self.state.apply(&change);
            self.changes.push(change);
        } else {
            self.state.take_in(change);
        }
    }

    /// What is known of this event's agent, to be kept as it is now.
    fn shared(&self) -> &Arc<AgentState> {
        self.state.agents.get(&self.agent).unwrap_or(&UNSEEN)
    }

    /// What is known of this event's agent.
    fn me(&self) -> &AgentState {
        self.shared()
    }

    fn run(&mut self) -> (Decision, Audience, Option<Judged>) {
        let event = self.inputs.event;
        self.before(&event.kind);
        (self.thoughts, self.thinks) = self.thoughts(&event.kind);
        let audience = self.audience();
        let mut decision = if self.has_nothing_to_judge(&event.kind) {
            Decision::allow()
        } else {
            self.judge(audience)
        };
        let judged = self.judged(&decision);
        self.note_approval(&decision);
        self.after(&event.kind, &mut decision);
        self.turn_stops(&event.kind, &mut decision);
        self.say_what_did_not_look(&event.kind, &mut decision);
        self.notes(&event.kind, &mut decision);
        let answered = matches!(event.kind, EventKind::TurnEnd { .. }) && decision.action < Action::Ask;
        if answered && self.me().awaited {
            self.push(Change::Answered {
                agent: self.agent.clone(),
            });
        }
        if answered && self.state.agents.contains_key(&self.agent) && !self.agent.is_empty() {
            self.push(Change::AgentOver {
                agent: self.agent.clone(),
            });
        }
        (decision, audience, judged)
    }

    /// What a gate objected to, for the record.
    fn judged(&self, decision: &Decision) -> Option<Judged> {
        let objected = |gate: Option<&str>| {
            let mut reports = decision.reports.iter();
            reports.any(|r| {
                r.status == Status::Decided && r.verdict != Verdict::Pass && gate.is_none_or(|g| g == r.gate)
            })
        };
        if !self.inputs.keeps || !objected(None) {
            return None;
        }
        let whole = self.whole_message();
        let kind = whole.as_ref().map_or(&self.inputs.event.kind, |e| &e.kind);
        let text = match kind {
            EventKind::ToolCall { call } => call.delegation.as_ref().map(|d| d.prompt.as_str()),
            kind => kind.agent_text(),
        };
        let thoughts = if objected(Some(drift::INFO.id)) {
            self.thoughts.as_slice()
        } else {
            &[]
        };
        Judged::kept(text, thoughts)
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
        let mut said = self.said_before(text);
        if !self.approves_before(&said) {
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

    /// The texts of the turn before its last one, oldest first.
    fn said_before(&self, last: &str) -> Vec<Said> {
        let mut said = self.me().said.clone();
        if said.last().is_some_and(|s| s.text.trim() == last.trim()) {
            said.pop();
        }
        said
    }

    fn approves_before(&self, said: &[Said]) -> bool {
        let review = &self.inputs.settings.review;
        said.iter()
            .any(|s| proctor_gates::review::judge(&s.text, review).is_approval)
    }

    /// The texts on the way, before a tool call, for the gate that looks at what they claim; none where
    /// [`Self::whole_message`] has them.
    fn earlier(&self) -> Vec<approval::Earlier> {
        let EventKind::TurnEnd { text, .. } = &self.inputs.event.kind else {
            return Vec::new();
        };
        if self.inputs.settings.approval.mode == Mode::Off {
            return Vec::new();
        }
        let said = self.said_before(text);
        if !said.iter().any(|s| s.before_tool) || self.approves_before(&said) {
            return Vec::new();
        }
        said.into_iter()
            .filter(|s| s.before_tool)
            .map(|s| approval::Earlier {
                text: s.text,
                writes: s.writes,
                last: s.last,
            })
            .collect()
    }

    /// Agent-to-agent or human-facing: a launcher's word, a subagent, or else whoever wrote the latest prompt, as
    /// [`crate::conversation::audience_of`] tells it of a conversation.
    fn audience(&self) -> Audience {
        if let Some(audience) = self.inputs.audience {
            return audience;
        }
        if !self.agent.is_empty() || self.me().among_agents {
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
            EventKind::Display { .. } => self.only_shown() && self.thoughts.len() < drift::FEWEST,
            _ => false,
        }
    }

    /// A text is shown that the end of the turn will judge: only a repetition is noticed on the way.
    fn only_shown(&self) -> bool {
        matches!(self.inputs.event.kind, EventKind::Display { .. })
            && self.me().rejections < self.text_retries()
    }

    /// The agent's latest texts for events that end a text, and whether this event's own is the last of them.
    fn thoughts(&self, kind: &EventKind) -> (Vec<String>, bool) {
        let text = match kind {
            EventKind::TurnEnd { text, .. } | EventKind::Message { text } => text.as_str(),
            EventKind::Display { last: true, .. } => "",
            _ => return (Vec::new(), false),
        };
        let settings = &self.inputs.settings.drift;
        if settings.mode == Mode::Off {
            return (Vec::new(), false);
        }
        // Shortening a long text costs a reading, so only those that are compared are shortened.
        let window = usize::try_from(settings.remember.max(settings.last)).unwrap_or(usize::MAX);
        let me = self.me();
        let mut thoughts = me.thoughts.clone();
        let skipped = me.said.len().saturating_sub(window);
        thoughts.extend(me.said.iter().skip(skipped).map(|s| drift::condense(&s.text)));
        let shown = me.said.last().is_some_and(|s| s.text.trim() == text.trim());
        let own = !shown && !text.trim().is_empty();
        if own {
            thoughts.push(drift::condense(text));
        }
        (thoughts, own)
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
        // As it was before the changes that follow.
        let me = Arc::clone(self.shared());
        if let Some(decision) = self.held_again(&me) {
            return decision;
        }
        let plan = self.plan(audience, &me, !self.inputs.last_door);
        let (mut decision, mut checklist) = self.pipeline(&plan, audience, &me);
        if plan.released {
            decision.alerts.push(RELEASED.to_owned());
        }
        let stop = matches!(
            self.inputs.event.kind,
            EventKind::TurnEnd { .. } | EventKind::Message { .. }
        );
        if stop && decision.action >= Action::Ask && !self.text_was_refused(&plan, &decision) {
            // Blocked for work that is not done, not for its wording: the stop has its own count.
            let items = checklist.as_deref().unwrap_or(&me.checklist);
            let mark = me.progress_mark(items, self.inputs.sight.mark().as_ref(), &self.state.facts);
            let stuck = me.mark.as_ref().is_none_or(|m| *m == mark);
            let over = self.over_budget();
            let attempts = self.attempts(over.is_some());
            let exhausted = if self.inputs.forgetful {
                self.host_says_again()
            } else {
                // Changing any file is progress, so progress alone must not go on for ever.
                // With nothing left of the budget one block is all.
                let row = if over.is_some() {
                    1
                } else {
                    attempts.saturating_mul(2)
                };
                // Beyond the host's own limit a block is passed over without a word to anybody.
                self.host_passes_over_the_next(me.ends_refused)
                    || (stuck && me.stop_blocks >= attempts)
                    || me.stops_in_a_row >= row
            };
            if exhausted {
                let last = self.plan(audience, &me, false);
                (decision, checklist) = self.pipeline(&last, audience, &me);
                // A claim that nothing supports is passed on with a line that says so, and is no less unreviewed.
                decision.escalated |= objects(&decision, approval::INFO.id);
            } else {
                let held = self.to_hold(&me, &decision);
                self.push(Change::StopBlocked {
                    agent: self.agent.clone(),
                    mark,
                    held,
                });
            }
        }
        let checklist = checklist.filter(|items| *items != me.checklist);
        let was_refused = me.rejections > 0;
        let was_stopped = me.stop_blocks > 0 || me.open;
        // Whoever else has a hold of it would have it copied by the first change.
        drop(me);
        if let Some(items) = checklist {
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
            } else if was_refused && decision.action < Action::Ask {
                self.push(Change::Accepted {
                    agent: self.agent.clone(),
                });
            }
            if decision.action < Action::Ask && (was_stopped || decision.escalated) {
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
        let task = me.task_here();
        let context = Context {
            event: whole.as_ref().unwrap_or(self.inputs.event),
            audience,
            task: task.as_deref(),
            checklist: &me.checklist,
            created: &me.created,
            thoughts: &self.thoughts,
            steps: &me.steps,
            world: self.inputs.sight,
        };
        let clock = self.inputs.clock;
        proctor_kernel::run(&plan.planned(), &context, &|| clock.micros())
    }

    /// Blocked stops without progress, and refused delegations in a row, that are allowed.
    fn attempts(&self, over_budget: bool) -> u32 {
        let attempts = self.inputs.settings.budget.review_attempts;
        if over_budget { 1 } else { attempts }
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
        let used_up = self.inputs.last_door
            || (self.inputs.forgetful && self.host_says_again())
            || self.host_passes_over_the_next(me.ends_refused);
        let rejections = if used_up { u32::MAX } else { me.rejections };
        let over_budget = self.over_budget().is_some();
        let ceiling = if settings.enabled {
            Mode::Enforce
        } else {
            Mode::Off
        };
        plan::build(&plan::Ask {
            tag: event.kind.tag(),
            tool: match &event.kind {
                EventKind::ToolCall { call } | EventKind::ToolResult { call, .. } => Some(call),
                _ => None,
            },
            settings,
            audience,
            ceiling,
            pause: self.is_waiting() || self.asks() || me.tripped,
            claims_wait: self.claims_wait() || self.asks() || me.tripped,
            aside: me.aside,
            launched: self.inputs.launched,
            rejections,
            stop_retry,
            delegation_retry: me.denials < self.attempts(over_budget),
            over_budget,
            known: self.inputs.known,
            changes_told: self.inputs.sight.tells_changes(),
            released: self.is_released(),
            only_shown: self.only_shown(),
            thoughts: self.thoughts.len(),
            tripped: me.tripped,
            repeats: me.repeats,
            steps: me.steps.len(),
            retries_granted: me.rejections,
            stops_granted: me.stops_in_a_row,
            acts: self.acts(me, audience),
            earlier: self.earlier(),
            breaker: &|gate| breakers.state(gate, clock.now()),
        })
    }

    /// Nothing is remembered of the session that ends its turn, and a human has released the work.
    fn is_released(&self) -> bool {
        let ends = matches!(self.inputs.event.kind, EventKind::TurnEnd { .. });
        ends && !self.inputs.known && matches!(self.inputs.sight.review(false), Ok(ReviewStanding::Released))
    }

    /// Background work still runs: the end of the turn is a pause, so open work is no fault. What is said
    /// is judged all the same.
    fn is_waiting(&self) -> bool {
        self.agent.is_empty()
            && matches!(self.inputs.event.kind, EventKind::TurnEnd { background, .. } if background > 0)
    }

    /// What runs in the background may bear on what is said: a check, or work that this turn began. A server that was
    /// started long ago does not.
    fn claims_wait(&self) -> bool {
        self.is_waiting() && (self.state.behind || self.state.facts.runs.iter().any(|run| run.background))
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
                    // Work, not wording: what is claimed can be made true, and a stop has its own count.
                    && report.gate != approval::INFO.id
                    && plan.retries(&report.gate)
                    && report
                        .findings
                        .iter()
                        .any(|f| f.verdict == Verdict::Block && f.fallback.is_some())
            })
    }
}

/// Whether a gate that enforces objects.
fn objects(decision: &Decision, gate: &str) -> bool {
    decision
        .reports
        .iter()
        .any(|r| r.gate == gate && r.mode == Mode::Enforce && r.verdict == Verdict::Block)
}
