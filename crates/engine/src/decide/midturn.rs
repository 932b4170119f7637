//! Words to the agent within its turn, beside a tool's result: open items, evidence that no longer counts,
//! repetitions. Each is said once a turn, and not many in all: an agent that is told the same again and again
//! stops reading.

use super::Work;
use crate::session::Change;
use proctor_gates::looping;
use proctor_kernel::{CheckRun, Decision, Mark, Mode, Note, ToolCall, ToolKind, ToolOutcome, shown};
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
            // Once for the circle, not once for each call in it.
            let key = format!("loop {:?}", looping::circle(&self.me().steps));
            self.hint(&key, note, decision);
        }
        if let Some((key, note)) = self.stale(call, outcome) {
            self.hint(&key, note, decision);
        }
        if let Some((done, note)) = self.open_items(call) {
            self.hint(&format!("open {done}"), note, decision);
        }
    }

    fn hint(&mut self, key: &str, note: Note, decision: &mut Decision) {
        if !self.is_news(key) {
            return;
        }
        let mark = Mark::of(key.as_bytes());
        self.push(Change::Hinted {
            agent: self.agent.clone(),
            mark,
        });
        decision.notes.push(note);
    }

    /// Whether this was not said yet, and may still be.
    fn is_news(&self, key: &str) -> bool {
        let hints = &self.me().hints;
        hints.len() < MOST && !hints.contains(&Mark::of(key.as_bytes()))
    }

    /// The first change after a check that passed, by an edit or by a command; with what it is remembered under.
    fn stale(&self, call: &ToolCall, outcome: &ToolOutcome) -> Option<(String, Note)> {
        let approval = &self.inputs.settings.approval;
        if approval.mode < Mode::Warn || approval.require == Require::Never {
            return None;
        }
        let facts = &self.state.facts;
        let run = self.last_pass()?;
        let key = key_of(run);
        let edits = matches!(call.kind, ToolKind::Write | ToolKind::Edit) && outcome.ok != Some(false);
        let path = if edits {
            let path = facts.edited.last().filter(|_| run.writes + 1 == facts.writes);
            format!("edit of {}", shown(path?))
        } else if call.kind == ToolKind::Shell && self.is_news(&key) {
            format!("command changed {}", self.changed_by_command(call, outcome, run)?)
        } else {
            return None;
        };
        let text = format!(
            "[SYSTEM] `{}` passed before this {path}, so it does not count for what is there now. Run it again before \
             you say that it passes.",
            run.check
        );
        let gate = "approval".to_owned();
        Some((key, Note { gate, text }))
    }

    fn last_pass(&self) -> Option<&CheckRun> {
        let passed = |r: &&CheckRun| r.exit == Some(0) && r.masks.is_empty() && !r.background;
        self.state.facts.runs.iter().rev().find(passed)
    }

    /// Whether the tree will be looked at after a command that may write, however large it is: a pass stands that
    /// nobody was told to be outdated.
    pub(super) fn looks_anyway(&self) -> bool {
        let approval = &self.inputs.settings.approval;
        approval.mode >= Mode::Warn
            && approval.require != Require::Never
            && self
                .last_pass()
                .is_some_and(|run| run.after.is_some() && self.is_news(&key_of(run)))
    }

    /// What differs after a command from what a check passed on. Looked at only while a pass stands that nobody was
    /// told to be outdated, and after commands that may write.
    fn changed_by_command(&self, call: &ToolCall, outcome: &ToolOutcome, run: &CheckRun) -> Option<String> {
        let after = run.after.as_ref()?;
        let analysis = self.analysis(call)?;
        let writes = analysis.may_write || analysis.unanalysable.is_some();
        if !writes || !analysis.checks.is_empty() || outcome.background {
            return None;
        }
        let sight = self.inputs.sight;
        let now = sight.tree_id()?;
        let cleaned = run.litter && run.before.as_ref() == Some(&now);
        if now == *after || cleaned {
            return None;
        }
        let paths = sight.changed_since(after)?;
        let (first, rest) = paths.split_first()?;
        Some(match rest.len() {
            0 => shown(first).into_owned(),
            more => format!("{} (+{more})", shown(first)),
        })
    }

    /// What is left of the checklist, when this event ticked an item.
    fn open_items(&self, call: &ToolCall) -> Option<(usize, Note)> {
        let todo = &self.inputs.settings.todo;
        let settings = self.inputs.settings;
        let mode = settings.mode_for("todo", &call.name, call.kind, todo.mode);
        if mode < Mode::Warn || !todo.reminder_on_incomplete {
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

/// Under what it is remembered that a pass is outdated: once for each, not once a turn.
fn key_of(run: &CheckRun) -> String {
    format!("stale {} {}", run.began, run.check)
}
