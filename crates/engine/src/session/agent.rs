//! What one agent's state does.

use super::{AgentState, Facts, Said, THOUGHTS, kept_task};
use proctor_gates::todo;
use proctor_kernel::{ChecklistItem, Digest, Task};
use std::borrow::Cow;
use std::sync::Arc;

impl AgentState {
    /// The task, seen from the work tree that the agent works in.
    #[must_use]
    pub fn task_here(&self) -> Option<Cow<'_, Task>> {
        let task = self.task.as_ref()?;
        let Some(apart) = &self.apart else {
            return Some(Cow::Borrowed(task));
        };
        Some(Cow::Owned(Task {
            base: apart.base.clone(),
            dirty: apart.dirty.clone(),
            ..Task::clone(task)
        }))
    }

    pub(super) fn say(&mut self, said: Said) {
        match self
            .said
            .last_mut()
            .filter(|last| last.message == said.message && !last.before_tool)
        {
            Some(last) => last.text.push_str(&said.text),
            None => self.said.push(said),
        }
        // A turn with endless texts must not make the state endless; the newest count.
        while self.said.len() > 200 || self.said.iter().map(|s| s.text.len()).sum::<usize>() > 256 << 10 {
            if self.said.len() < 2 {
                break;
            }
            self.said.remove(0);
        }
    }

    pub(super) fn think(&mut self, text: String) {
        self.thoughts.push(text);
        let over = self.thoughts.len().saturating_sub(THOUGHTS);
        self.thoughts.drain(..over);
    }

    /// Begins a task: checklist, counters and created files belong to one task.
    pub(super) fn start(&mut self, mut task: Task, call: Option<String>) {
        task.words = kept_task(&task.words);
        let items = task.outline.items.iter().map(|text| ChecklistItem {
            text: text.clone(),
            completed: false,
        });
        *self = Self {
            checklist: items.collect(),
            kind: std::mem::take(&mut self.kind),
            by: std::mem::take(&mut self.by),
            apart: self.apart.take(),
            among_agents: self.among_agents,
            awaited: self.awaited,
            // What was left open before stays so until an end of a turn is let through.
            open: self.open,
            notes: std::mem::take(&mut self.notes),
            task: Some(Arc::new(task)),
            call,
            ..Self::default()
        };
    }

    /// Takes items off the list, and ticks others, by a person's word.
    pub(super) fn settle(&mut self, dropped: &[String], done: &[String]) {
        self.checklist.retain(|item| !dropped.contains(&item.text));
        if let Some(task) = self.task.as_mut().map(Arc::make_mut) {
            task.outline.items.retain(|item| !dropped.contains(item));
        }
        for item in &mut self.checklist {
            item.completed |= done.contains(&item.text);
        }
        self.forget_reminders();
    }

    /// What a reminder said of the checklist holds no more.
    pub(super) fn forget_reminders(&mut self) {
        self.notes.retain(|note| note.gate != todo::INFO.id);
    }

    /// A human closed the task.
    pub(super) fn end_task(&mut self) {
        self.task = None;
        self.checklist.clear();
        self.stop_blocks = 0;
        self.stops_in_a_row = 0;
        self.open = false;
        self.escalated = false;
        self.given_up = false;
        self.held = None;
        self.forget_reminders();
    }

    /// Fingerprint of what counts as progress: the checklist's ticks, witnessed writes, the tree, and the latest check.
    #[must_use]
    pub fn progress_mark(&self, items: &[ChecklistItem], tree: Option<&Digest>, facts: &Facts) -> Digest {
        let mut text = String::new();
        // A check that was not run before is progress; the same once more is none.
        if let Some(run) = facts.runs.last() {
            text = format!("{} {:?} {:?}\n", run.check, run.exit, run.after);
        }
        for item in items {
            text.push(if item.completed { 'x' } else { '.' });
        }
        // With a tree the tree decides: rewriting a file with its own content is no progress.
        match tree {
            Some(tree) => text.push_str(tree.as_str()),
            None => text.push_str(&self.writes.to_string()),
        }
        Digest::of(text.as_bytes())
    }
}
