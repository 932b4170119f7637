//! What an event itself says about session and task, before anything is judged.

use super::Work;
use crate::session::{Apart, Change, kept_task};
use crate::unseen::is_unseen;
use proctor_gates::scope::is_judged;
use proctor_kernel::{
    EventKind, Mark, Mode, Outline, PromptOrigin, StartSource, Task, TaskOrigin, ToolCall, ToolKind,
    ToolOutcome,
};
use proctor_policy::Require;
use std::path::Path;
use std::sync::Arc;

/// Most items of a task that are followed: a checklist is gone through at every end of a turn.
const LONGEST_CHECKLIST: usize = 1_000;

impl Work<'_> {
    /// Takes in what the event itself says about session and task.
    pub(super) fn before(&mut self, kind: &EventKind) {
        if !matches!(
            kind,
            EventKind::SessionStart { .. }
                | EventKind::SessionEnd { .. }
                | EventKind::Prompt { .. }
                | EventKind::ToolResult { .. }
        ) {
            self.idled(0);
        }
        match kind {
            EventKind::SessionStart { source } => {
                // Compaction comes in the middle of a turn that goes on.
                if *source != StartSource::Compact {
                    self.turn_broken_off();
                }
                if matches!(source, StartSource::Startup | StartSource::Clear) {
                    self.push(Change::Began);
                }
                // Records under a test's clock do not depend on the machine.
                let test = self.inputs.clock.is_test();
                let processes = if test {
                    Vec::new()
                } else {
                    self.inputs.aside.above()
                };
                if !processes.iter().filter(|p| p.agent).eq(&self.state.above) {
                    self.push(Change::Above { processes });
                }
            }
            EventKind::Prompt { text, origin } => {
                let own = Mark::of(text.trim().as_bytes());
                if self.state.scheduled.contains(&own) {
                    // An agent's own words, sent by a timer: neither a person's nor the host's.
                    self.turn_begins(PromptOrigin::Machine);
                } else {
                    self.turn_begins(*origin);
                    self.prompt(text, *origin);
                }
            }
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
                if let Some(root) = self.inputs.apart {
                    let (base, dirty) = self.inputs.sight.base();
                    let root = root.to_owned();
                    self.push(Change::Apart {
                        agent: self.agent.clone(),
                        place: Box::new(Apart { root, base, dirty }),
                    });
                }
            }
            EventKind::ToolResult { call, outcome } => {
                self.waited(call, outcome);
                self.tool_result(call, outcome);
                let asked = self.as_it_was_asked(call);
                self.tool_ended(call, outcome);
                self.stepped(&asked, outcome);
            }
            EventKind::TurnEnd { .. } => {
                self.meter();
                for says in self.inputs.aside.scheduled() {
                    if !self.state.scheduled.contains(&says) {
                        self.push(Change::Scheduled { says });
                    }
                }
                if !self.agent.is_empty() {
                    self.make_sure_of_the_delegation();
                }
            }
            EventKind::SessionEnd { .. } => {
                // The host writes a turn's last message down about when the turn ends.
                self.meter();
                self.turn_broken_off();
                self.push(Change::Ended);
            }
            EventKind::Display { text, message, .. } => {
                let (agent, message, text) = (self.agent.clone(), message.clone(), text.clone());
                self.push(Change::Said { agent, message, text });
            }
            EventKind::ToolCall { call } => {
                if self.me().said.iter().any(|s| !s.before_tool) {
                    self.push(Change::SaidBeforeTool {
                        agent: self.agent.clone(),
                    });
                }
                if let Some(says) = call.says {
                    self.push(Change::Scheduled { says });
                }
                self.tool_begins(call);
            }
            _ => {}
        }
    }

    pub(super) fn prompt(&mut self, text: &str, origin: PromptOrigin) {
        if origin == PromptOrigin::Machine {
            self.background_ended();
            return;
        }
        let current = self.me().task.clone();
        // A subagent's first prompt repeats the delegation that started it.
        let lost = self.agent.is_empty() && self.state.lost;
        let same = !lost && current.as_ref().is_some_and(|t| t.words == kept_task(text));
        let outline = proctor_outline::read(text);
        let delegates = proctor_outline::is_delegation(text);
        let by_agent = delegates || origin == PromptOrigin::Agent;
        let asker = origin;
        // Whoever goes on with a task that is not known any more does not begin one.
        let begins = current.is_none() && !lost;
        let mut new = !same && (outline.has_outcome || delegates || begins);
        if lost && !new {
            new = is_judged(&self.task(text, TaskOrigin::Prompt, outline.clone()));
        }
        if new {
            let origin = if by_agent {
                TaskOrigin::Delegation
            } else {
                TaskOrigin::Prompt
            };
            let task = self.task(text, origin, outline);
            self.push(Change::TaskStarted {
                agent: self.agent.clone(),
                task: Box::new(task),
            });
            self.meters_begin();
            self.asked(asker, None);
        } else {
            self.asked(asker, Some(text));
            self.push(Change::Continued {
                agent: self.agent.clone(),
            });
            // The task in its own words again, or another one handed on, takes nothing back.
            if origin == PromptOrigin::User && self.agent.is_empty() && !same && !delegates {
                self.settle(text);
            }
            if let (Some(task), false) = (self.me().task.clone(), same) {
                self.widen(Arc::unwrap_or_clone(task), text);
            }
        }
        let me = self.me();
        if by_agent != me.among_agents || delegates && !me.awaited {
            self.push(Change::Addressed {
                agent: self.agent.clone(),
                by_agent,
                delegates,
            });
        }
    }

    /// Keeps a person's exact words.
    fn asked(&mut self, origin: PromptOrigin, words: Option<&str>) {
        if origin == PromptOrigin::User && self.agent.is_empty() {
            self.push(Change::Asked {
                agent: self.agent.clone(),
                words: words.map(str::to_owned),
                at: self.inputs.clock.now(),
            });
        }
    }

    /// A prompt that goes on with a task may name more files, or forbid some.
    fn widen(&mut self, mut task: Task, text: &str) {
        let outline = proctor_outline::extend(&task.outline, text);
        if outline == task.outline {
            return;
        }
        let judged_before = is_judged(&task);
        task.outline = outline;
        if !judged_before && is_judged(&task) && task.base.is_none() && task.dirty.is_empty() {
            // Until now there was nothing to compare with, so no base was taken.
            (task.base, task.dirty) = self.inputs.sight.base();
        }
        self.push(Change::Widened {
            agent: self.agent.clone(),
            task: Box::new(task),
        });
    }

    pub(super) fn task(&self, words: &str, origin: TaskOrigin, mut outline: Outline) -> Task {
        // A checklist is gone through at every end of a turn.
        outline.items.truncate(LONGEST_CHECKLIST);
        let mut task = Task {
            id: self.inputs.clock.id(),
            words: words.to_owned(),
            origin,
            outline,
            base: None,
            dirty: Vec::new(),
        };
        // Asking git costs a child process; without anything to compare with it is not asked.
        let approval = &self.inputs.settings.approval;
        let reviewed =
            approval.mode != Mode::Off && matches!(approval.require, Require::Paths | Require::Changes);
        if reviewed || is_judged(&task) {
            (task.base, task.dirty) = self.inputs.sight.base();
        }
        task
    }

    fn tool_result(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        // A subagent that has not answered yet was only started.
        let started =
            call.kind == ToolKind::Delegate && outcome.answer.is_none() && outcome.ok != Some(false);
        if self.agent.is_empty() && !self.state.behind && (outcome.background || started) {
            self.push(Change::WentBehind);
        }
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
            let mut paths = self.relative(&call.paths);
            let known = !paths.is_empty();
            for path in &call.paths {
                if let Some(file) = self.inputs.sight.outside(path, &self.inputs.event.cwd) {
                    self.made(&file);
                }
            }
            // A report in a folder for temporary files changes nothing of the work.
            paths.retain(|path| !Path::new(path).is_absolute());
            for path in paths.iter().filter(|path| is_unseen(path)) {
                self.push(Change::WroteUnseen {
                    path: path.clone(),
                    at: self.inputs.clock.now(),
                });
            }
            if !known || !paths.is_empty() {
                self.push(Change::Wrote {
                    agent: self.agent.clone(),
                    paths,
                    by: None,
                });
            }
        }
        if call.kind == ToolKind::Delegate {
            if let (Some(call), Some(agent)) = (&call.id, &outcome.agent)
                && self
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
        let Some(words) = self.inputs.aside.delegation() else {
            return;
        };
        if self
            .me()
            .task
            .as_ref()
            .is_some_and(|t| t.words == kept_task(&words))
        {
            return;
        }
        if let Some(call) = self.state.call_for(&words).map(str::to_owned) {
            self.push(Change::Bound {
                agent: self.agent.clone(),
                call,
            });
        }
    }
}
