//! What Proctor remembers of a session: a fold over the changes that its records carry.

mod agent;
mod budget;
mod change;
mod facts;
mod lost;

pub(crate) use budget::mark;
pub use budget::{Cost, Spent};
pub use change::{ByCommand, Change, Gap, LogPlace, ReadOn};
pub(crate) use facts::PATHS;
pub use facts::{Asked, Facts, Named, Ran, Started, UnderWay, Unseen, Waiting, described, kept, kept_task};

use crate::floor::Under;
use proctor_gates::drift::condense;
use proctor_gates::looping::REMEMBERED;
use proctor_kernel::{ChecklistItem, Digest, GateReport, Id, Mark, Note, Process, Step, Task, TreeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A session's state. Never written on its own: it is the fold of [`Change`]s, and a snapshot of it
/// is only a cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionState {
    /// The conversation's agents by their id at the host; the empty id is the main conversation. Shared, since each
    /// decision begins with a copy of the state and changes little of it.
    pub agents: BTreeMap<String, Arc<AgentState>>,
    /// Delegations whose subagent has not started yet, oldest first.
    pub pending: Vec<Pending>,
    /// Texts that were changed at a subagent's end and have not reached the parent yet.
    pub downgraded: Vec<Downgraded>,
    /// Digest of the policy problems that the user was last told about.
    pub told: Option<Digest>,
    /// What the user must hear and could not be told yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<String>,
    /// Records that kept the text which a gate objected to.
    #[serde(default)]
    pub kept: u32,
    /// A start of the session or a person's prompt was witnessed. Without either, what is here began in the
    /// middle: the memory before it is lost, or hooks were not there yet.
    #[serde(default)]
    pub met: bool,
    /// Set when the host reported the end.
    pub ended: bool,
    /// What was witnessed of the work.
    #[serde(default)]
    pub facts: Facts,
    /// Words that agents made the host say later: when they come, nobody typed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scheduled: Vec<Mark>,
    /// [`Facts::writes`] when an agent's approval passed last, until somebody asks for something new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<u64>,
    /// A reviewer was at work when the last turn ended, and what came of it was not told yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub awaits_review: bool,
    /// The record of the last refusal of which the agent heard what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Id>,
    /// Work went into the background since a person last spoke.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub behind: bool,
    /// The policy that the main task began under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<Under>,
    /// What the main task cost.
    #[serde(default)]
    pub cost: Cost,
    /// The last loss of records that was noticed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// No task began since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// The agent programs above the session's hooks when it began, nearest first. The record has all processes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<Process>,
}

/// What Proctor remembers of one agent in a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentState {
    /// The kind of agent, empty where unknown.
    pub kind: String,
    /// The tool call that delegated the task, for a subagent.
    pub call: Option<String>,
    /// The agent that delegated it; empty for the main conversation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The work tree of its own that it was started in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<Box<Apart>>,
    /// Another agent wrote its latest prompt, or handed work to it that it has not answered yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub among_agents: bool,
    /// Such work waits for its answer, whatever else is said meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub awaited: bool,
    /// The task it works on.
    pub task: Option<Arc<Task>>,
    /// The task's checklist.
    pub checklist: Vec<ChecklistItem>,
    /// Paths that its tool results created, relative to the work tree where they lie inside it.
    pub created: Vec<String>,
    /// Refused texts in a row, over all text gates together.
    pub rejections: u32,
    /// Blocked stops without progress in between.
    pub stop_blocks: u32,
    /// Blocked stops in a row, with or without progress.
    #[serde(default)]
    pub stops_in_a_row: u32,
    /// Ends of a turn in a row that went back, for whatever reason: what a host counts, too.
    #[serde(default)]
    pub ends_refused: u32,
    /// An end of a turn was blocked for open work, and none was let through since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// The last blocked stop, where its answer holds until something changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Box<Held>>,
    /// Refused delegations in a row.
    #[serde(default)]
    pub denials: u32,
    /// Fingerprint of checklist and tree at the last blocked stop.
    pub mark: Option<Digest>,
    /// Successful writes and edits that were witnessed; stands in for the tree outside git.
    pub writes: u64,
    /// The tree before its first command that may change files, while no tool wrote for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// [`Facts::writes`] when it last read, compared or checked something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked: Option<u64>,
    /// Notes that wait for an event which can carry them.
    pub notes: Vec<Note>,
    /// Let go although a gate still objected.
    pub escalated: bool,
    /// That happened in this task.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
    /// The turn is not about the task: a person asked something else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// Records of the session were lost since its task began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// Its end was let through: as the how many-th of the session's agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<u64>,
    /// Texts shown in this turn, oldest first. The end of a turn tells only the last of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
    /// What it did since a person last spoke, oldest first; for repetitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// It went round in circles until the breaker tripped: only reading is left until a person speaks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tripped: bool,
    /// Its texts repeat themselves, as `drift` found since a person last spoke.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
    /// What it was told within this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Mark>,
    /// Its texts of earlier turns since a person last spoke, shortened, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<String>,
}

/// A tree as an agent found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The tree.
    pub tree: TreeId,
    /// [`Facts::writes`] at that moment.
    pub writes: u64,
}

/// Another work tree of the clone than the session's, in which a subagent was started: what it changes is told there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Apart {
    /// Its root.
    pub root: String,
    /// The commit that was checked out when the agent began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// What was changed there already, as in a task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<(String, Option<String>)>,
}

/// A blocked end of a turn with its answer, which holds as long as nothing that it depends on changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Fingerprint of everything that the answer depends on.
    pub key: Digest,
    /// What the agent was told.
    pub reason: String,
    /// What the gates said that objected.
    pub reports: Vec<GateReport>,
}

/// Records of one session that keep the text which a gate objected to.
pub const MOST_KEPT: u32 = 200;

/// Most subagents whose end was let through that are remembered, and most bytes of the words of their tasks.
const AGENTS_OVER: usize = 64;
const WORDS_OVER: usize = 1 << 10;
/// Most of them whose texts are remembered.
const THINKING: u64 = 8;

/// Most delegations whose subagent has not started.
const PENDING: usize = 64;

/// Most prompts of agents' own that are remembered.
const SCHEDULED: usize = 64;

/// Most texts that are remembered as thoughts; no policy asks for more.
const THOUGHTS: usize = 20;

/// A text that was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The host's id of the message.
    pub message: String,
    /// The text so far; hosts may show it in parts.
    pub text: String,
    /// A tool was called after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub before_tool: bool,
    /// [`Facts::writes`] when it was shown.
    #[serde(default)]
    pub writes: u64,
    /// The last run that had been witnessed by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Id>,
}

/// A delegation on its way to a subagent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The host's id of the tool call.
    pub call: Option<String>,
    /// The agent that delegated; empty for the main conversation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The kind of agent asked for.
    pub kind: String,
    /// The task that the delegation is.
    pub task: Task,
}

/// A subagent's text that was changed on its way to the parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Downgraded {
    /// The subagent's id.
    pub agent: String,
    /// Digest of the text as the subagent wrote it.
    pub original: Digest,
    /// The text that the parent must read instead.
    pub text: String,
}

impl SessionState {
    /// The state of an agent; the default for one that was never seen.
    #[must_use]
    pub fn agent(&self, id: &str) -> AgentState {
        self.agents
            .get(id)
            .map(|agent| agent.as_ref().clone())
            .unwrap_or_default()
    }

    /// The task of the main conversation.
    pub(crate) fn own_task(&self) -> Option<Task> {
        self.agents.get("")?.task.as_deref().cloned()
    }

    fn entry(&mut self, id: &str) -> &mut AgentState {
        Arc::make_mut(self.agents.entry(id.to_owned()).or_default())
    }

    /// The tool call behind a delegation with exactly these words, pending or under way.
    #[must_use]
    pub fn call_for(&self, words: &str) -> Option<&str> {
        let words = &kept_task(words);
        let pending = self
            .pending
            .iter()
            .filter(|p| p.task.words == *words)
            .find_map(|p| p.call.as_deref());
        pending.or_else(|| {
            let known = self
                .agents
                .values()
                .filter(|a| a.task.as_ref().is_some_and(|t| t.words == *words));
            known.into_iter().find_map(|a| a.call.as_deref())
        })
    }

    fn bind(&mut self, agent: &str, call: &str) {
        if self
            .agents
            .get(agent)
            .is_some_and(|a| a.call.as_deref() == Some(call))
        {
            return;
        }
        let holder = self
            .agents
            .iter()
            .find(|(_, a)| a.call.as_deref() == Some(call))
            .map(|(id, _)| id.clone());
        let pending = self.pending.iter().position(|p| p.call.as_deref() == Some(call));
        let mine = self.entry(agent);
        let (task, checklist, old_call) = (
            mine.task.take(),
            std::mem::take(&mut mine.checklist),
            mine.call.take(),
        );
        if let Some(holder) = holder {
            // Two subagents were taken for each other: what they work on changes places.
            let other = self.entry(&holder);
            let (their_task, their_list) = (other.task.take(), std::mem::take(&mut other.checklist));
            other.call.clone_from(&old_call);
            (other.task, other.checklist) = (task, checklist);
            let mine = self.entry(agent);
            (mine.task, mine.checklist, mine.call) = (their_task, their_list, Some(call.to_owned()));
        } else if let Some(at) = pending {
            let found = self.pending.remove(at);
            let kind = self.entry(agent).kind.clone();
            if let (Some(task), Some(_)) = (task, &old_call) {
                self.pending.push(Pending {
                    call: old_call,
                    by: String::new(),
                    kind,
                    task: Arc::unwrap_or_clone(task),
                });
            }
            let mine = self.entry(agent);
            mine.by.clone_from(&found.by);
            mine.start(found.task, found.call);
        } else {
            let mine = self.entry(agent);
            (mine.task, mine.checklist, mine.call) = (task, checklist, old_call);
        }
    }

    /// Somebody spoke to an agent: what it delegated before and nobody took up was refused by the host.
    fn prompted(&mut self, agent: &str) {
        self.pending.retain(|p| p.by != agent);
        if agent.is_empty() {
            self.behind = false;
        }
    }

    fn agent_over(&mut self, agent: &str) {
        self.pending.retain(|p| p.by != agent);
        let newest = self.agents.values().filter_map(|a| a.over).max();
        let state = self.entry(agent);
        state.over = Some(newest.map_or(0, |newest| newest + 1));
        (state.steps, state.said, state.hints) = Default::default();
        if let Some(task) = state.task.as_mut().map(Arc::make_mut) {
            task.words = kept(&task.words, WORDS_OVER);
        }
        // Who goes on soon is still asked for something new; who ended long ago is not.
        let now = state.over.unwrap_or_default();
        for agent in self.agents.values_mut() {
            if agent.over.is_some_and(|over| over + THINKING <= now) && !agent.thoughts.is_empty() {
                Arc::make_mut(agent).thoughts.clear();
            }
        }
        // Notes on their way must arrive.
        let mut over: Vec<(u64, String)> = self
            .agents
            .iter()
            .filter(|(_, a)| a.notes.is_empty())
            .filter_map(|(id, a)| Some((a.over?, id.clone())))
            .collect();
        over.sort_unstable();
        let most = over.len().saturating_sub(AGENTS_OVER);
        for (_, id) in over.into_iter().take(most) {
            self.agents.remove(&id);
        }
    }

    /// Applies a change that nobody else needs.
    pub(crate) fn take_in(&mut self, change: Change) {
        match change {
            Change::Thought { agent, text } => self.entry(&agent).think(text),
            Change::Checklist { agent, items } => self.entry(&agent).checklist = items,
            other => self.apply(&other),
        }
    }

    /// Applies one change.
    pub fn apply(&mut self, change: &Change) {
        self.cost.apply(change);
        match change {
            Change::TurnBegan { .. }
            | Change::TurnPaused { .. }
            | Change::Waited { .. }
            | Change::Metered { .. }
            | Change::OverBudget => {}
            Change::Charged {
                launch,
                task,
                tokens,
                beyond,
            } => {
                let now = self.agents.get("").and_then(|a| a.task.as_ref());
                if task.is_none() || now.map(|t| &t.id) == task.as_ref() {
                    self.cost.charge(launch, *tokens, *beyond);
                }
            }
            Change::Began => {
                *self = Self {
                    told: self.told.take(),
                    kept: self.kept,
                    gap: self.gap.take(),
                    met: true,
                    ..Self::default()
                }
            }
            Change::Above { processes } => {
                self.above = processes.iter().filter(|p| p.agent).cloned().collect();
            }
            Change::Asked { agent, words, at } => {
                let task = self.agents.get(agent).and_then(|a| a.task.as_ref());
                let words = words.clone().or_else(|| task.map(|t| t.words.clone()));
                self.facts.ask(&words.unwrap_or_default(), *at);
            }
            Change::Scheduled { says } => {
                self.scheduled.retain(|known| known != says);
                if self.scheduled.len() >= SCHEDULED {
                    self.scheduled.remove(0);
                }
                self.scheduled.push(*says);
            }
            Change::ReviewAwaited { awaits } => self.awaits_review = *awaits,
            Change::Under(under) => self.under = Some(under.clone()),
            Change::RefusalTold { record } => self.refusal = Some(record.clone()),
            Change::Rewritten { call, input } => self.facts.rewritten(call, input),
            Change::Repeated { agent } => self.entry(agent).repeats = true,
            Change::TaskStarted { agent, task } => {
                self.prompted(agent);
                if agent.is_empty() {
                    self.met = true;
                    self.lost = false;
                    self.approved = None;
                    self.facts.asked.clear();
                    self.facts.ran.clear();
                }
                self.entry(agent).start(task.as_ref().clone(), None);
            }
            Change::Continued { agent } => {
                self.prompted(agent);
                self.approved = None;
                let agent = self.entry(agent);
                agent.rejections = 0;
                agent.stop_blocks = 0;
                agent.stops_in_a_row = 0;
                agent.ends_refused = 0;
                agent.held = None;
                agent.denials = 0;
                agent.mark = None;
                agent.escalated = false;
                agent.aside = false;
                agent.said.clear();
                agent.thoughts.clear();
                agent.hints.clear();
                agent.steps.clear();
                agent.tripped = false;
                agent.repeats = false;
            }
            Change::Widened { agent, task } => {
                let agent = self.entry(agent);
                for text in &task.outline.items {
                    if !agent.checklist.iter().any(|item| item.text == *text) {
                        agent.checklist.push(ChecklistItem {
                            text: text.clone(),
                            completed: false,
                        });
                    }
                }
                let mut task = task.as_ref().clone();
                task.words = kept_task(&task.words);
                agent.task = Some(Arc::new(task));
            }
            Change::Settled { agent, dropped, done } => self.entry(agent).settle(dropped, done),
            Change::Aside { agent } => {
                let agent = self.entry(agent);
                agent.aside = true;
                agent.forget_reminders();
            }
            Change::TaskDone { agent } => self.entry(agent).end_task(),
            Change::Delegated(pending) => {
                self.approved = None;
                let mut pending = pending.as_ref().clone();
                pending.task.words = kept_task(&pending.task.words);
                if self.pending.len() >= PENDING {
                    self.pending.remove(0);
                }
                self.pending.push(pending);
            }
            Change::DelegationPassed { agent } => self.entry(agent).denials = 0,
            Change::AgentStarted { agent, kind } => {
                let taken = self
                    .pending
                    .iter()
                    .position(|p| p.kind == *kind)
                    .or(if self.pending.is_empty() { None } else { Some(0) })
                    .map(|i| self.pending.remove(i));
                let state = self.entry(agent);
                state.over = None;
                state.kind.clone_from(kind);
                if let Some(pending) = taken {
                    state.by.clone_from(&pending.by);
                    state.start(pending.task, pending.call);
                }
            }
            Change::Addressed {
                agent,
                by_agent,
                delegates,
            } => {
                let agent = self.entry(agent);
                agent.awaited |= *delegates;
                agent.among_agents = *by_agent || agent.awaited;
            }
            Change::Answered { agent } => self.entry(agent).awaited = false,
            Change::Apart { agent, place } => self.entry(agent).apart = Some(place.clone()),
            Change::Bound { agent, call } => self.bind(agent, call),
            Change::AgentOver { agent } => self.agent_over(agent),
            Change::WentBehind => self.behind = true,
            Change::Returned { call } => {
                if call.is_some() {
                    self.pending.retain(|p| p.call != *call);
                }
            }
            Change::Created { agent, paths } => {
                let created = &mut self.entry(agent).created;
                for path in paths {
                    if !created.contains(path) {
                        created.push(path.clone());
                    }
                }
            }
            Change::Wrote { agent, paths, by } => {
                let before = self.facts.writes;
                self.facts.edit(paths);
                by.iter().for_each(|by| self.facts.changed_by(by, paths));
                let after = self.facts.writes;
                // Whoever of the session writes ends a turn that only asked something.
                if let Some(main) = self.agents.get_mut("").map(Arc::make_mut) {
                    main.aside = false;
                }
                let agent = self.entry(agent);
                agent.writes += 1;
                // What a tool wrote is its work, whatever the files hold in the end.
                if by.is_none() {
                    agent.found = None;
                }
                // Nobody has to look at what he wrote himself.
                if agent.looked == Some(before) {
                    agent.looked = Some(after);
                }
            }
            Change::Made { path } => self.facts.make(path),
            Change::WroteUnseen { path, at } => self.facts.edit_unseen(path, *at),
            Change::Stepped { agent, step } => {
                let state = self.entry(agent);
                state.over = None;
                let steps = &mut state.steps;
                if steps.len() >= REMEMBERED {
                    steps.remove(0);
                }
                steps.push(step.clone());
            }
            Change::Hinted { agent, mark } => self.entry(agent).hints.push(*mark),
            Change::Tripped { agent } => {
                let agent = self.entry(agent);
                agent.tripped = true;
                agent.escalated = true;
            }
            Change::Looked { paths } => self.facts.read(paths),
            Change::Inspected { agent } => {
                let writes = self.facts.writes;
                self.entry(agent).looked = Some(writes);
            }
            Change::ApprovalPassed => self.approved = Some(self.facts.writes),
            Change::ApprovalOver => self.approved = None,
            Change::MayHaveWritten => self.facts.writes += 1,
            Change::Ran { agent, call, run } => self.facts.ran(agent, call.as_deref(), run),
            Change::Found { agent, tree } => {
                let writes = self.facts.writes;
                let tree = tree.clone();
                self.entry(agent).found = Some(Found { tree, writes });
            }
            Change::CommandStarted(command) => self.facts.command_starts(command),
            Change::CheckStarted(started) => self.facts.start(started.clone()),
            Change::Checked { call, run } => self.facts.finish(call.as_deref(), run.as_ref().clone()),
            Change::Checklist { agent, items } => self.entry(agent).checklist.clone_from(items),
            Change::Rejected { agent } => {
                let agent = self.entry(agent);
                agent.rejections += 1;
                agent.ends_refused += 1;
            }
            Change::Accepted { agent } => {
                let agent = self.entry(agent);
                agent.rejections = 0;
                agent.ends_refused = 0;
            }
            Change::StopBlocked { agent, mark, held } => {
                let agent = self.entry(agent);
                agent.ends_refused += 1;
                agent.open = true;
                // An older one answers only the question that it was an answer to.
                if held.is_some() {
                    agent.held.clone_from(held);
                }
                let progress = agent.mark.as_ref().is_some_and(|m| m != mark);
                agent.stop_blocks = if progress { 1 } else { agent.stop_blocks + 1 };
                agent.stops_in_a_row += 1;
                agent.mark = Some(mark.clone());
            }
            Change::Stopped { agent, escalated } => {
                let agent = self.entry(agent);
                agent.stop_blocks = 0;
                agent.stops_in_a_row = 0;
                agent.ends_refused = 0;
                agent.open = false;
                agent.held = None;
                agent.mark = None;
                agent.escalated = *escalated;
                agent.given_up |= *escalated;
            }
            Change::Queued { agent, notes } => {
                let queue = &mut self.entry(agent).notes;
                for note in notes {
                    if !queue.contains(note) {
                        queue.push(note.clone());
                    }
                }
            }
            Change::Delivered { agent, count } => {
                let queue = &mut self.entry(agent).notes;
                queue.drain(..(*count).min(queue.len()));
            }
            Change::Downgraded(downgraded) => {
                self.downgraded.retain(|d| d.agent != downgraded.agent);
                self.downgraded.push(downgraded.clone());
            }
            Change::Replaced { agent } => self.downgraded.retain(|d| d.agent != *agent),
            Change::Told { digest } => self.told = Some(digest.clone()),
            Change::Said { agent, message, text } => {
                let last = self.facts.runs.last().map(|run| run.id.clone());
                let said = Said {
                    message: message.clone(),
                    text: text.clone(),
                    before_tool: false,
                    writes: self.facts.writes,
                    last,
                };
                self.entry(agent).say(said);
            }
            Change::SaidBeforeTool { agent } => self
                .entry(agent)
                .said
                .iter_mut()
                .for_each(|s| s.before_tool = true),
            Change::Denied { agent } => self.entry(agent).denials += 1,
            Change::Thought { agent, text } => self.entry(agent).think(text.clone()),
            Change::SaidOver { agent } => {
                let agent = self.entry(agent);
                for said in std::mem::take(&mut agent.said) {
                    agent.think(condense(&said.text));
                }
            }
            Change::Alerted { alerts } => self.alerts.extend(alerts.iter().cloned()),
            Change::Heard => self.alerts.clear(),
            Change::Kept => self.kept = self.kept.saturating_add(1),
            Change::Ended => self.ended = true,
            Change::MemoryLost(gap) => self.lose(gap),
        }
    }
}
