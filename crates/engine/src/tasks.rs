//! The task that `proctor task start` sets for a clone's conversations.

use crate::decide::{Ruling, Sight};
use crate::session::{Change, SessionState};
use crate::{Clock, Engine};
use proctor_kernel::{Event, EventKind, Id, Result, Task, TaskOrigin};
use proctor_ledger::{Draft, Durability, Journal};
use serde::Serialize;

pub(crate) const FILE: &str = "task.json";

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
        let Some(task) = self.set_task() else { return };
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
            ruling.changes.push(Change::TaskStarted {
                agent: String::new(),
                task: Box::new(task),
            });
            ruling.changes.extend(asked);
        }
    }

    /// The task set by `proctor task start`, if it is not done yet.
    pub fn set_task(&self) -> Option<Task> {
        self.store()
            .ok()?
            .read_json::<Option<Task>>(FILE)
            .ok()
            .flatten()
            .flatten()
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
        self.store()?.write_json(FILE, &Some(&task))?;
        Ok(task)
    }

    /// Closes the set task, and the task of every session that works on it. Gives the closed task.
    ///
    /// # Errors
    /// Kind `store` when the state cannot be read or written.
    pub fn finish_task(&mut self) -> Result<Option<Task>> {
        let Some(task) = self.set_task() else {
            return Ok(None);
        };
        let store = self.store()?;
        for name in store.writers()? {
            let mut journal: Journal<SessionState> = store.journal(&name)?;
            let agents = journal.state().agents.iter();
            let closed: Vec<Change> = agents
                .filter(|(_, a)| a.task.as_ref().is_some_and(|t| t.id == task.id))
                .map(|(agent, _)| Change::TaskDone { agent: agent.clone() })
                .collect();
            if !closed.is_empty() {
                let body = TaskRecord {
                    task: task.id.clone(),
                    changes: closed,
                };
                journal.commit(
                    vec![Draft::new(self.stamp(), "task", &body)?],
                    Durability::Buffered,
                )?;
            }
        }
        store.write_json(FILE, &None::<Task>)?;
        Ok(Some(task))
    }
}

/// The body of a record made by `proctor task`.
#[derive(Serialize)]
struct TaskRecord {
    task: Id,
    changes: Vec<Change>,
}
