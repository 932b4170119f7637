//! The task that `proctor task start` sets for a clone's conversations.

use crate::decide::{Ruling, Sight};
use crate::session::{Change, SessionState};
use crate::{Clock, Engine};
use proctor_kernel::{Error, ErrorKind, Event, EventKind, EventTag, Id, Result, Task, TaskOrigin};
use proctor_ledger::{Draft, Durability, Journal};
use proctor_worktree::Repo;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(crate) const FILE: &str = "task.json";
/// The same of a clone that shares another one's state folder: this, its id, and `.json`.
pub(crate) const OF_ANOTHER: &str = "task-";

/// The task that was set, as its file holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SetTask {
    #[serde(flatten)]
    task: Task,
    /// The root of the work tree in which it was set: its base is what stood there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Where it began in other work trees of the clone, by their roots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    elsewhere: BTreeMap<String, Beginning>,
}

/// What stood in a work tree when a task began there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Beginning {
    base: Option<String>,
    dirty: Vec<(String, Option<String>)>,
}

impl SetTask {
    /// Whether a work tree is another one than that in which the task was set.
    fn is_elsewhere(&self, root: &str) -> bool {
        self.root.as_deref().is_some_and(|own| own != root)
    }
}

impl<C: Clock> Engine<C> {
    /// A task set by `proctor task start` becomes the main conversation's task with its next prompt.
    pub(crate) fn take_up_set_task(
        &self,
        event: &Event,
        journal: Option<&Journal<SessionState>>,
        ruling: &mut Ruling,
    ) {
        if !matches!(event.kind, EventKind::Prompt { .. }) || event.agent.is_some() {
            return;
        }
        let Ok(Some(task)) = self.set_task() else { return };
        let current = journal
            .and_then(|j| j.state().agents.get(""))
            .and_then(|a| a.task.as_ref());
        let opened_by_prompt = ruling.changes.iter().any(
            |c| matches!(c, Change::TaskStarted { agent, task } if agent.is_empty() && task.outline.has_outcome),
        );
        let words = match &event.kind {
            EventKind::Prompt { text, .. } => Some(text.clone()),
            _ => None,
        };
        let lost = ruling.lost || journal.is_some_and(|j| j.state().lost);
        if !opened_by_prompt && (lost || current.is_none_or(|c| c.id != task.id)) {
            ruling
                .changes
                .retain(|c| !matches!(c, Change::TaskStarted { agent, .. } if agent.is_empty()));
            // The prompt's words are the first that were said to this task, not the task itself.
            let said = |c: &mut Change| match c {
                Change::Asked { words: kept, .. } => {
                    kept.clone_from(&words);
                    true
                }
                _ => false,
            };
            let asked: Vec<Change> = ruling.changes.extract_if(.., said).collect();
            self.note_beginning(&task);
            ruling.changes.push(Change::TaskStarted {
                agent: String::new(),
                task: Box::new(task),
            });
            ruling.changes.extend(asked);
        }
    }

    /// The file of the set task.
    fn task_file(&self) -> String {
        let marker = self.store().ok().and_then(proctor_ledger::Store::marker);
        match marker {
            Some(marker) if marker.id != self.identity.id => format!("{OF_ANOTHER}{}.json", self.identity.id),
            _ => FILE.to_owned(),
        }
    }

    fn read_set(&self) -> Result<Option<SetTask>> {
        let file = self.task_file();
        let damaged = |why: String| {
            Error::new(
                ErrorKind::Store,
                format!("the task that was set by `proctor task start` cannot be read ({file}: {why})"),
            )
            .hint("set it again with `proctor task start`")
        };
        let bytes = self.store()?.read(&file).map_err(|e| damaged(e.to_string()))?;
        let Some(bytes) = bytes else { return Ok(None) };
        serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))
    }

    fn root_text(&self) -> Option<&str> {
        self.repo.as_ref().and_then(Repo::root)?.to_str()
    }

    /// The task set by `proctor task start`, if it is not done yet, as it began in this work tree; where nobody worked on it
    /// here, it begins now.
    ///
    /// # Errors
    /// Kind `store` when what is kept of it cannot be read.
    pub fn set_task(&self) -> Result<Option<Task>> {
        let Some(set) = self.read_set()? else {
            return Ok(None);
        };
        let Some(root) = self.root_text().filter(|root| set.is_elsewhere(root)) else {
            return Ok(Some(set.task));
        };
        let (base, dirty) = match set.elsewhere.get(root) {
            Some(began) => (began.base.clone(), began.dirty.clone()),
            None => self.sight("", None, String::new()).base(),
        };
        Ok(Some(Task {
            base,
            dirty,
            ..set.task
        }))
    }

    /// Keeps where the set task begins in a work tree in which it was not set: sessions that follow go on from there.
    fn note_beginning(&self, task: &Task) {
        let (Ok(store), Some(root)) = (self.store(), self.root_text()) else {
            return;
        };
        if !matches!(self.read_set(), Ok(Some(set)) if set.is_elsewhere(root) && !set.elsewhere.contains_key(root))
        {
            return;
        }
        let note = |set: &mut Option<SetTask>| {
            if let Some(set) = set.as_mut().filter(|set| set.task.id == task.id) {
                let began = Beginning {
                    base: task.base.clone(),
                    dirty: task.dirty.clone(),
                };
                set.elsewhere.entry(root.to_owned()).or_insert(began);
            }
        };
        // Without the note a later session here begins at its own first prompt.
        let _ = store.update_json(&self.task_file(), note);
    }

    /// Why the set task cannot be read, at an event of a conversation that may be about it.
    pub(crate) fn unread_task(
        &self,
        event: &Event,
        journal: Option<&Journal<SessionState>>,
    ) -> Option<Error> {
        let is_asked = matches!(event.kind.tag(), EventTag::Prompt | EventTag::TurnEnd);
        if !is_asked || event.agent.is_some() || self.store().is_err() {
            return None;
        }
        let state = journal.and_then(|j| j.state().agents.get(""));
        let own = state.and_then(|agent| agent.task.as_ref());
        if own.is_some_and(|task| task.origin == TaskOrigin::Command || task.outline.has_outcome) {
            return None;
        }
        self.read_set().err()
    }

    /// Sets the task for this clone's conversations.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn start_task(&mut self, words: &str) -> Result<Task> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let sight = self.sight("", None, String::new());
        let (base, dirty) = sight.base();
        let task = Task {
            id: self.clock.id(),
            words: words.to_owned(),
            origin: TaskOrigin::Command,
            outline: proctor_outline::read(words),
            base,
            dirty,
        };
        let set = SetTask {
            task,
            root: self.root_text().map(str::to_owned),
            elsewhere: BTreeMap::new(),
        };
        self.store()?.write_json(&self.task_file(), &Some(&set))?;
        Ok(set.task)
    }

    /// Closes the set task, and the task of every session that works on it. Gives the closed task.
    ///
    /// # Errors
    /// Kind `store` when the state cannot be read or written.
    pub fn finish_task(&mut self) -> Result<Option<Task>> {
        let Some(task) = self.set_task()? else {
            return Ok(None);
        };
        let store = self.store()?;
        for name in store.writers()? {
            self.close_in(&name, |closed| closed.id == task.id)?;
        }
        store.write_json(&self.task_file(), &None::<SetTask>)?;
        Ok(Some(task))
    }

    /// Closes what the session that did something last works on, where it has a task. Gives that task.
    ///
    /// # Errors
    /// Kind `store` when the state cannot be read or written.
    pub fn finish_session(&mut self) -> Result<Option<Task>> {
        let Some((name, state)) = self.session(None)? else {
            return Ok(None);
        };
        let main = state.own_task();
        if main.is_some() {
            self.close_in(&name, |_| true)?;
        }
        Ok(main)
    }

    /// Closes the tasks of a session that are meant.
    fn close_in(&self, session: &str, is_meant: impl Fn(&Task) -> bool) -> Result<()> {
        let mut journal: Journal<SessionState> = self.store()?.journal(session)?;
        let agents = journal.state().agents.iter();
        let tasks = agents.filter_map(|(agent, state)| Some((agent, state.task.as_ref()?)));
        let meant: Vec<(String, Id)> = tasks
            .filter(|(_, task)| is_meant(task))
            .map(|(agent, task)| (agent.clone(), task.id.clone()))
            .collect();
        let Some((_, task)) = meant.first().cloned() else {
            return Ok(());
        };
        let changes = meant
            .into_iter()
            .map(|(agent, _)| Change::TaskDone { agent })
            .collect();
        let body = TaskRecord { task, changes };
        journal.commit(
            vec![Draft::new(self.stamp(), "task", &body)?],
            Durability::Buffered,
        )?;
        Ok(())
    }
}

/// The body of a record made by `proctor task`.
#[derive(Serialize)]
struct TaskRecord {
    task: Id,
    changes: Vec<Change>,
}
