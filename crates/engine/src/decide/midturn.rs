//! Words to the agent within its turn, beside a tool's result: open items, evidence that no longer counts,
//! repetitions. Each is said once a turn, and not many in all: an agent that is told the same again and again
//! stops reading.

use super::Work;
use crate::session::Change;
use proctor_gates::looping;
use proctor_kernel::{CheckRun, Decision, Mark, Mode, Note, ToolCall, ToolKind, ToolOutcome};
use proctor_policy::Require;

/// Most words of this sort in one turn.
const MOST: usize = 6;

impl Work<'_> {
    /// Adds what the agent should know now, and takes out what it was told already.
    pub(super) fn mid_turn(&mut self, call: &ToolCall, outcome: &ToolOutcome, decision: &mut Decision) {
        let (notes, kept): (Vec<Note>, Vec<Note>) = std::mem::take(&mut decision.notes)
            .into_iter()
            .partition(|note| note.gate == looping::INFO.id);
        decision.notes = kept;
        for note in notes {
            let key = format!("loop {:?}", looping::step_of(call).call);
            self.hint(&key, note, decision);
        }
        if let Some(note) = self.stale(call, outcome) {
            self.hint("stale", note, decision);
        }
        if let Some((done, note)) = self.open_items() {
            self.hint(&format!("open {done}"), note, decision);
        }
    }

    fn hint(&mut self, key: &str, note: Note, decision: &mut Decision) {
        let mark = Mark::of(key.as_bytes());
        let hints = &self.me().hints;
        if hints.contains(&mark) || hints.len() >= MOST {
            return;
        }
        self.push(Change::Hinted {
            agent: self.agent.clone(),
            mark,
        });
        decision.notes.push(note);
    }

    /// The first edit after a check that passed.
    fn stale(&self, call: &ToolCall, outcome: &ToolOutcome) -> Option<Note> {
        let approval = &self.inputs.settings.approval;
        let edits = matches!(call.kind, ToolKind::Write | ToolKind::Edit) && outcome.ok != Some(false);
        if !edits || approval.mode < Mode::Warn || approval.require == Require::Never {
            return None;
        }
        let facts = &self.state.facts;
        let passed = |r: &&CheckRun| r.exit == Some(0) && r.masks.is_empty() && r.writes + 1 == facts.writes;
        let run = facts.runs.iter().rev().find(passed)?;
        let path = facts.edited.last()?;
        Some(Note {
            gate: "approval".to_owned(),
            text: format!(
                "[SYSTEM] `{}` passed before this edit of {path}, so it does not count for what is there now. Run it \
                 again before you say that it passes.",
                run.check
            ),
        })
    }

    /// What is left of the checklist, when this event ticked an item.
    fn open_items(&self) -> Option<(usize, Note)> {
        let todo = &self.inputs.settings.todo;
        if todo.mode < Mode::Warn || !todo.reminder_on_incomplete {
            return None;
        }
        let ticked = self.changes.iter().any(|c| matches!(c, Change::Checklist { .. }));
        let me = self.me();
        let done = me.checklist.iter().filter(|item| item.completed).count();
        let text = proctor_outline::progress::reminder(&me.checklist).filter(|_| ticked)?;
        Some((
            done,
            Note {
                gate: "todo".to_owned(),
                text,
            },
        ))
    }
}
