//! The engine with its files: opens the repository, its state and its policy, and handles events.

use crate::breaker::Breakers;
use crate::decide::{Inputs, Ruling, decide};
use crate::policy::{Policy, load};
use crate::record::{DecisionRecord, KIND};
use crate::session::{Change, SessionState};
use crate::sight::FileSight;
use crate::{Clock, Surroundings};
use proctor_kernel::{Action, Decision, Digest, Error, ErrorKind, Event, EventKind, EventTag, Id, Mode, OnError, Result, Task};
use proctor_ledger::{Draft, Durability, Fold, Journal, Presence, Record, Stamp, Store};
use proctor_policy::Settings;
use proctor_worktree::Repo;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::PathBuf;

const BREAKERS: &str = "breakers.json";
/// The task that `proctor task start` set for the next prompts of this clone.
const TASK: &str = "task.json";

impl Fold for SessionState {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        /// The part of a body that changes state; every kind of record may have it.
        #[derive(Deserialize)]
        struct Body {
            #[serde(default)]
            changes: Vec<serde_json::Value>,
        }
        let Ok(body) = record.body::<Body>() else { return };
        for change in body.changes {
            // A change of a later version is skipped, not fatal: the rest still counts.
            if let Ok(change) = serde_json::from_value::<Change>(change) {
                Self::apply(self, &change);
            }
        }
    }
}

/// The engine for one place. Opening never fails: what is missing or broken becomes a fault that the
/// user is told about, and the gates decide with what there is.
pub struct Engine<C> {
    surroundings: Surroundings,
    clock: C,
    repo: Option<Repo>,
    id: String,
    store: Result<Store>,
    policy: Policy,
    faults: Vec<String>,
}

/// The engine's answer to one event.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Id of the decision's record.
    pub id: Id,
    /// The decision.
    pub decision: Decision,
    /// Whether the record was written.
    pub recorded: bool,
}

impl<C: Clock> Engine<C> {
    /// Opens the engine at a place.
    pub fn open(surroundings: Surroundings, clock: C) -> Self {
        let mut faults = Vec::new();
        let mut repo = match Repo::discover(&surroundings.cwd) {
            Ok(repo) => repo,
            Err(error) => {
                faults.push(error.to_string());
                None
            }
        };
        let (id, expected) = identity(repo.as_mut(), &surroundings, &clock, &mut faults);
        let root = surroundings.state.clone().unwrap_or_else(|| surroundings.state_home.join(&id));
        let store = Store::open(root, expected && surroundings.state.is_none());
        let policy = load(&surroundings, repo.as_ref().and_then(Repo::root), store.as_ref().ok());
        Self { surroundings, clock, repo, id, store, policy, faults }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.policy.settings
    }

    /// Whether an end of turn that cannot be judged at all must be refused: an enforcing gate fails closed.
    pub fn stop_fails_closed(&self) -> bool {
        let Settings { enabled, review, response, scope, todo, .. } = &self.policy.settings;
        let gates = [
            (review.mode, review.on_error),
            (response.mode, response.on_error),
            (scope.mode, scope.on_error),
            (todo.mode, todo.on_error),
        ];
        *enabled && gates.contains(&(Mode::Enforce, OnError::Block))
    }

    /// Whether a tool call that cannot be judged at all must be refused.
    pub fn tool_fails_closed(&self) -> bool {
        let Settings { enabled, delegation, .. } = &self.policy.settings;
        *enabled && (delegation.mode, delegation.on_error) == (Mode::Enforce, OnError::Block)
    }

    /// What is wrong with the policy files, for the user.
    pub fn policy_note(&self) -> Option<&str> {
        self.policy.note.as_deref()
    }

    /// The repository, where there is one.
    pub fn repo(&self) -> Option<&Repo> {
        self.repo.as_ref()
    }

    /// The clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// The id under which this place's state is kept.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The state folder.
    ///
    /// # Errors
    /// Kind `store` when it cannot be read.
    pub fn store(&self) -> Result<&Store> {
        self.store.as_ref().map_err(copy)
    }

    /// Gates that failed lately.
    pub fn breakers(&self) -> Breakers {
        let read = self.store().and_then(|s| s.read_json(BREAKERS));
        read.ok().flatten().unwrap_or_default()
    }

    /// Handles one event: decides, records, and answers. `delegation` tells the exact words with which
    /// a subagent was started, where the host can tell them; it is asked only when there is doubt.
    pub fn handle(&mut self, event: &Event, delegation: &dyn Fn() -> Option<String>) -> Answer {
        let start = self.clock.micros();
        let mut faults = std::mem::take(&mut self.faults);
        let mut alerts = Vec::new();
        self.set_up(&mut alerts);
        let mut journal = self.journal(event, &mut faults);
        let breakers = self.breakers();
        let launched = self.is_launched(event, &mut faults);

        let mut ruling = self.rule(event, journal.as_ref(), &breakers, launched, delegation);
        self.take_up_set_task(event, journal.as_ref(), &mut ruling);
        alerts.extend(self.policy_alert(journal.as_ref(), &mut ruling));
        alerts.extend(self.watch_breakers(breakers.clone(), &ruling.decision));
        tell(event, journal.as_ref(), &mut ruling, alerts);

        let micros = self.clock.micros().saturating_sub(start);
        let mut id = self.clock.id();
        let mut recorded = false;
        if let Some(journal) = &mut journal {
            match self.record(journal, event, &ruling, micros) {
                Ok(written) => (id, recorded) = (written, true),
                Err(error) => {
                    faults.push(format!("decisions cannot be recorded: {error}"));
                    // Counts cannot be kept, so the host's own flag has to do: no loop without an end.
                    ruling = self.rule(event, None, &breakers, launched, delegation);
                }
            }
        }
        let mut decision = ruling.decision;
        if decision.action >= Action::Ask {
            let _ = write!(decision.reason, "\n(proctor decision {id})");
        }
        // A fault that lasts is found again with each event; said twice a turn it is loud enough.
        if matches!(event.kind.tag(), EventTag::Prompt | EventTag::TurnEnd) {
            decision.alerts.extend(faults);
        }
        Answer { id, decision, recorded }
    }

    fn rule(
        &self,
        event: &Event,
        journal: Option<&Journal<SessionState>>,
        breakers: &Breakers,
        launched: bool,
        delegation: &dyn Fn() -> Option<String>,
    ) -> Ruling {
        let unknown = SessionState::default();
        decide(&Inputs {
            event,
            state: journal.map_or(&unknown, Journal::state),
            settings: &self.policy.settings,
            breakers,
            audience: self.surroundings.audience.filter(|_| event.agent.is_none()),
            launched,
            forgetful: journal.is_none(),
            last_door: false,
            delegation,
            clock: &self.clock,
            sight: &FileSight::new(self.repo.as_ref(), &self.surroundings.cwd),
        })
    }

    /// Makes the state folder on first use, and notices when an old one is gone.
    fn set_up(&mut self, faults: &mut Vec<String>) {
        let Ok(store) = &mut self.store else { return };
        if store.presence() == Presence::Present {
            return;
        }
        if store.presence() == Presence::Missing {
            faults.push(format!(
                "the state folder {} is gone although this clone had one: what was recorded before is not known",
                store.root().display()
            ));
        }
        if let Err(error) = store.create(&self.id, self.clock.now()) {
            self.store = Err(error);
        }
    }

    fn journal(&self, event: &Event, faults: &mut Vec<String>) -> Option<Journal<SessionState>> {
        let opened = self.store().and_then(|s| s.journal(&format!("{}-{}", event.host, event.session)));
        match opened {
            Ok(journal) => {
                if !journal.problems().is_empty() {
                    let count = journal.problems().len();
                    faults.push(format!("{count} damaged line(s) in this session's log were left out"));
                }
                Some(journal)
            }
            Err(error) => {
                faults.push(format!("the state cannot be read, so nothing is remembered: {error}"));
                None
            }
        }
    }

    fn record(
        &self,
        journal: &mut Journal<SessionState>,
        event: &Event,
        ruling: &Ruling,
        micros: u64,
    ) -> Result<Id> {
        let agent = event.agent.as_ref().map_or("", |a| a.id.as_str());
        let mut record = DecisionRecord::new(event, &ruling.decision, ruling.changes.clone());
        record.policy = self.policy.digest.clone();
        record.audience = ruling.audience;
        record.task = journal.state().agents.get(agent).and_then(|a| a.task.as_ref()).map(|t| t.id.clone());
        record.micros = micros;
        let draft = Draft::new(self.stamp(), KIND, &record)?;
        let id = draft.id().clone();
        journal.commit(vec![draft], Durability::Buffered)?;
        Ok(id)
    }

    fn stamp(&self) -> Stamp {
        Stamp { millis: self.clock.now(), random: self.clock.random(), test: self.clock.is_test() }
    }

    /// Updates the breakers' file when a gate failed or came back; most events change nothing.
    fn watch_breakers(&self, mut breakers: Breakers, decision: &Decision) -> Vec<String> {
        let now = self.clock.now();
        let (alerts, changed) = breakers.observe(&decision.reports, now);
        if changed && let Ok(store) = self.store() {
            let update = |b: &mut Breakers| b.observe(&decision.reports, now).1;
            if let Err(error) = store.update_json(BREAKERS, update) {
                return vec![format!("the breakers cannot be kept: {error}")];
            }
        }
        alerts
    }

    /// Tells the user about policy problems once per session and state of the files.
    fn policy_alert(&self, journal: Option<&Journal<SessionState>>, ruling: &mut Ruling) -> Option<String> {
        let note = self.policy.note.as_ref()?;
        if journal.is_some_and(|j| j.state().told.as_ref() == Some(&self.policy.digest)) {
            return None;
        }
        ruling.changes.push(Change::Told { digest: self.policy.digest.clone() });
        Some(note.clone())
    }

    /// A task set by `proctor task start` becomes the main conversation's task with its next prompt.
    fn take_up_set_task(&self, event: &Event, journal: Option<&Journal<SessionState>>, ruling: &mut Ruling) {
        if !matches!(event.kind, EventKind::Prompt { .. }) || event.agent.is_some() {
            return;
        }
        let Some(task) = self.set_task() else { return };
        let current = journal.and_then(|j| j.state().agents.get("")).and_then(|a| a.task.as_ref());
        let opened_by_prompt = ruling.changes.iter().any(
            |c| matches!(c, Change::TaskStarted { agent, task } if agent.is_empty() && task.outline.has_outcome),
        );
        if !opened_by_prompt && current.is_none_or(|c| c.id != task.id) {
            ruling.changes.retain(|c| !matches!(c, Change::TaskStarted { agent, .. } if agent.is_empty()));
            ruling.changes.push(Change::TaskStarted { agent: String::new(), task: Box::new(task) });
        }
    }

    /// The task set by `proctor task start`, if it is not done yet.
    pub fn set_task(&self) -> Option<Task> {
        self.store().ok()?.read_json::<Option<Task>>(TASK).ok().flatten().flatten()
    }

    /// Sets the task for this clone's conversations.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn start_task(&mut self, words: &str) -> Result<Task> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let sight = FileSight::new(self.repo.as_ref(), &self.surroundings.cwd);
        let (base, dirty) = crate::decide::Sight::base(&sight);
        let task = Task {
            id: self.clock.id(),
            words: words.to_owned(),
            origin: proctor_kernel::TaskOrigin::Command,
            outline: proctor_outline::read(words),
            base,
            dirty,
        };
        self.store()?.write_json(TASK, &Some(&task))?;
        Ok(task)
    }

    /// Closes the set task, and the task of every session that works on it. Gives the closed task.
    ///
    /// # Errors
    /// Kind `store` when the state cannot be read or written.
    pub fn finish_task(&mut self) -> Result<Option<Task>> {
        let Some(task) = self.set_task() else { return Ok(None) };
        let store = self.store()?;
        for name in store.writers()? {
            let mut journal: Journal<SessionState> = store.journal(&name)?;
            let agents = journal.state().agents.iter();
            let closed: Vec<Change> = agents
                .filter(|(_, a)| a.task.as_ref().is_some_and(|t| t.id == task.id))
                .map(|(agent, _)| Change::TaskDone { agent: agent.clone() })
                .collect();
            if !closed.is_empty() {
                let body = TaskRecord { task: task.id.clone(), changes: closed };
                journal.commit(vec![Draft::new(self.stamp(), "task", &body)?], Durability::Buffered)?;
            }
        }
        store.write_json(TASK, &None::<Task>)?;
        Ok(Some(task))
    }

    /// The state of every session of this place, newest change last, with its log's name.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn sessions(&self) -> Result<Vec<(String, SessionState)>> {
        let store = self.store()?;
        let names = store.writers()?;
        names
            .into_iter()
            .map(|name| {
                let journal: Journal<SessionState> = store.journal(&name)?;
                Ok((name, journal.state().clone()))
            })
            .collect()
    }

    /// Finds a decision by its id, or by the end of its id (at least six characters).
    ///
    /// # Errors
    /// Kind `input` when there is none or more than one; kind `store` when the logs cannot be read.
    pub fn decision(&self, id: &str) -> Result<(String, u64, DecisionRecord)> {
        let mut found = Vec::new();
        self.each_decision(|record_id, millis, record| {
            if record_id == id || (id.len() >= 6 && record_id.ends_with(&id.to_ascii_uppercase())) {
                found.push((record_id.to_owned(), millis, record));
            }
        })?;
        match found.len() {
            1 => found.pop().ok_or_else(|| Error::new(ErrorKind::Internal, "a found record went away")),
            0 => Err(Error::new(ErrorKind::Input, format!("no decision {id:?} in {}", self.store()?.root().display()))
                .hint("run it in the repository where the decision fell; `proctor stats --recent 10` lists the latest")),
            n => Err(Error::new(ErrorKind::Input, format!("{n} decisions end with {id:?}")).hint("give the whole id")),
        }
    }

    /// Calls `each` with id, time and content of every decision, log by log. Gives the number of
    /// damaged lines that were left out.
    ///
    /// # Errors
    /// Kind `store` when the logs cannot be listed.
    pub fn each_decision(&self, mut each: impl FnMut(&str, u64, DecisionRecord)) -> Result<usize> {
        let store = self.store()?;
        let mut damaged = 0;
        for name in store.writers()? {
            let mut reader = store.reader(&name);
            for record in reader.by_ref().filter(|r| r.kind == KIND) {
                match record.body::<DecisionRecord>() {
                    Ok(body) => each(record.id.as_str(), record.millis, body),
                    Err(_) => damaged += 1,
                }
            }
            damaged += reader.problems().len();
        }
        Ok(damaged)
    }

    /// Registers a process that Proctor is about to start; its host's hooks recognise it by this id in
    /// `PROCTOR_LAUNCH`. Single use: the first session that shows it keeps it.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn launch(&mut self, purpose: &str) -> Result<String> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let id = self.clock.id().to_string();
        let launch = Launch { purpose: purpose.to_owned(), session: None };
        self.store()?.write_json(&launch_file(&id), &launch)?;
        Ok(id)
    }

    /// Whether this event comes from a host that Proctor started. A variable alone proves nothing:
    /// there must be a launch record, and it must belong to this session.
    fn is_launched(&self, event: &Event, faults: &mut Vec<String>) -> bool {
        let (Some(id), Ok(store)) = (&self.surroundings.launch, self.store()) else { return false };
        let plain = id.len() == 26 && id.bytes().all(|b| b.is_ascii_alphanumeric());
        let file = launch_file(id);
        let known = plain && store.read_json::<Launch>(&file).ok().flatten().is_some();
        let claimed = known
            && store
                .update_json(&file, |launch: &mut Launch| {
                    *launch.session.get_or_insert_with(|| event.session.clone()) == event.session
                })
                .unwrap_or(false);
        if !claimed {
            faults.push("PROCTOR_LAUNCH names no launch of this session and is ignored".to_owned());
        }
        claimed
    }
}

/// Gives the user what must be said, now if the answer to this event is shown, else with the next one
/// that is (measured for Claude Code 2.1.329: not at the start of a session, not in subagents).
fn tell(event: &Event, journal: Option<&Journal<SessionState>>, ruling: &mut Ruling, alerts: Vec<String>) {
    let tags = [EventTag::Prompt, EventTag::ToolCall, EventTag::ToolResult, EventTag::TurnEnd];
    let decision = &mut ruling.decision;
    decision.alerts.extend(alerts);
    if event.agent.is_none() && tags.contains(&event.kind.tag()) {
        if let Some(waiting) = journal.map(|j| &j.state().alerts).filter(|a| !a.is_empty()) {
            decision.alerts.splice(0..0, waiting.iter().cloned());
            ruling.changes.push(Change::Heard);
        }
    } else if !decision.alerts.is_empty() {
        ruling.changes.push(Change::Alerted { alerts: decision.alerts.clone() });
    }
}

/// A process that Proctor started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Launch {
    purpose: String,
    session: Option<String>,
}

fn launch_file(id: &str) -> String {
    format!("launches/{id}.json")
}

/// The body of a record made by `proctor task`.
#[derive(Serialize)]
struct TaskRecord {
    task: Id,
    changes: Vec<Change>,
}

/// The id of this place's state, and whether its folder should exist already.
fn identity(
    repo: Option<&mut Repo>,
    surroundings: &Surroundings,
    clock: &impl Clock,
    faults: &mut Vec<String>,
) -> (String, bool) {
    let Some(repo) = repo else {
        let folder: PathBuf = surroundings.cwd.canonicalize().unwrap_or_else(|_| surroundings.cwd.clone());
        return (proctor_worktree::path_id(&folder), false);
    };
    if let Some(id) = repo.id() {
        return (id.to_owned(), true);
    }
    match repo.ensure_id(|| clock.id().to_string().to_ascii_lowercase()) {
        Ok(id) => (id, false),
        Err(error) => {
            faults.push(format!("the clone's id cannot be written to its git configuration: {error}"));
            (proctor_worktree::path_id(repo.common_dir()), false)
        }
    }
}

/// Errors are not `Clone`; the store's is needed more than once.
fn copy(error: &Error) -> Error {
    let copy = Error::new(error.kind(), error.to_string());
    error.hints().iter().fold(copy, |e, hint| e.hint(hint.clone()))
}

/// Digest of the bytes of a policy that is not there.
pub(crate) fn no_policy() -> Digest {
    Digest::of(b"built-in")
}
