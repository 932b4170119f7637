//! One agent's conversation, record by record: which texts are messages and for whom, what was
//! edited and run, what a hook sent back.

use crate::commands::{self, Recognised};
use crate::figures::MetricId;
use crate::judge::Assignment;
use crate::output;
use crate::sink::{PROMPT, Place, Sink, Who, Work, digest};
use proctor_hosts::claude::transcript::{Entry, Item};
use proctor_kernel::{Audience, CheckKind, CheckKinds, PromptOrigin, ToolCall, ToolKind, ToolOutcome};
use std::collections::BTreeSet;

/// Files of one delegation that are remembered.
const FILES: usize = 10_000;

/// The state of one conversation.
#[derive(Default)]
pub(crate) struct Conversation {
    /// Whether it is a subagent's.
    subagent: bool,
    /// The first folder it worked in: paths are judged relative to it.
    root: Option<String>,
    /// The text last written; whether it ends a turn shows in what follows.
    text: Option<Pending>,
    /// The delegation being worked on.
    job: Option<Job>,
    /// Whether the answers go to an agent: the latest prompt is one's, or work that was handed over waits for its answer.
    delegated: bool,
    /// Such work waits.
    awaited: bool,
    /// Feedback of a stop hook whose attachment has not come yet.
    feedback: u32,
    /// Rejections since the last prompt.
    in_a_row: u32,
    pub(crate) work: Work,
}

struct Pending {
    message: String,
    text: String,
    place: Place,
}

struct Job {
    assignment: Assignment,
    files: BTreeSet<String>,
    place: Place,
}

/// What the host itself writes as a user message.
const FEEDBACK: &str = "Stop hook feedback:";
const INTERRUPTED: &str = "[Request interrupted by user";

impl Conversation {
    pub(crate) fn new(subagent: bool) -> Self {
        Self {
            subagent,
            delegated: subagent,
            ..Self::default()
        }
    }

    /// Takes the next entry of the transcript.
    pub(crate) fn entry(&mut self, entry: &Entry, who: &Who<'_>, place: Place, sink: &mut Sink<'_>) {
        if self.root.is_none() {
            self.root.clone_from(&entry.cwd);
        }
        match &entry.item {
            Item::Text { message, text } => self.wrote(message, text, place, who, sink),
            Item::Call { call } => {
                self.settle(who, sink, false);
                called(call, who, &place, sink);
            }
            Item::Result {
                call: Some(call),
                outcome,
                text,
            } => self.result(call, outcome, text, &place, sink),
            Item::Answer { call, agent, text } => {
                self.answer(call.as_ref(), agent.as_deref(), text, who, &place, sink);
            }
            Item::Prompt { text, .. } if text.trim_start().starts_with(INTERRUPTED) => {
                self.settle(who, sink, false)
            }
            Item::Prompt { text, origin } => {
                self.awaited &= self.text.is_none();
                self.settle(who, sink, true);
                self.in_a_row = 0;
                self.feedback = 0;
                if *origin != PromptOrigin::Machine {
                    self.prompt(text.trim(), *origin, who, place, sink);
                }
            }
            Item::Injected { text } => {
                if let Some(reason) = text.trim_start().strip_prefix(FEEDBACK) {
                    self.settle(who, sink, true);
                    self.feedback += 1;
                    self.rejected("stop", reason, who, &place, sink);
                }
            }
            Item::HookBlocked { event, reason } => self.hook_blocked(event, reason, who, &place, sink),
            _ => {}
        }
    }

    /// The conversation is over.
    pub(crate) fn finish(&mut self, who: &Who<'_>, sink: &mut Sink<'_>) {
        self.settle(who, sink, true);
        self.close_job(who, sink);
    }

    fn audience(&self) -> Audience {
        if self.delegated {
            Audience::Agent
        } else {
            Audience::Human
        }
    }

    fn wrote(&mut self, id: &str, text: &str, place: Place, who: &Who<'_>, sink: &mut Sink<'_>) {
        if text.trim().is_empty() {
            return;
        }
        match &mut self.text {
            // One message comes as several records, one per block.
            Some(open) if !id.is_empty() && open.message == id => {
                open.text.push('\n');
                open.text.push_str(text);
            }
            _ => {
                self.settle(who, sink, true);
                self.text = Some(Pending {
                    message: id.to_owned(),
                    text: text.to_owned(),
                    place,
                });
            }
        }
    }

    /// Counts the text last written: as the answer that ends a turn, or as a note on the way.
    fn settle(&mut self, who: &Who<'_>, sink: &mut Sink<'_>, turn_ends: bool) {
        let Some(Pending { text, place, .. }) = self.text.take() else {
            return;
        };
        let audience = self.audience();
        if !turn_ends {
            sink.filler(who, &place, &text, audience, "note", |f| &mut f.notes);
            return;
        }
        match audience {
            Audience::Agent => sink.filler(who, &place, &text, audience, "answer", |f| &mut f.answers),
            Audience::Human => sink.filler(who, &place, &text, audience, "answer", |f| &mut f.human),
        }
        sink.answer(who, &place, &text, audience, Some(self.work));
    }

    fn prompt(&mut self, text: &str, origin: PromptOrigin, who: &Who<'_>, place: Place, sink: &mut Sink<'_>) {
        let first_of_subagent = self.subagent && self.job.is_none();
        if first_of_subagent && sink.prompts.begins(digest(text)) {
            sink.filler(who, &place, text, Audience::Agent, PROMPT, |f| &mut f.prompts);
        }
        let assignment = sink.assignment(text);
        self.awaited |= assignment.delegates;
        self.delegated = self.subagent || self.awaited || origin == PromptOrigin::Agent;
        if first_of_subagent || assignment.delegates || assignment.outline.has_outcome {
            self.close_job(who, sink);
            sink.count(&place, |f| f.delegations += 1);
            self.job = Some(Job {
                assignment,
                files: BTreeSet::new(),
                place,
            });
        }
    }

    fn close_job(&mut self, who: &Who<'_>, sink: &mut Sink<'_>) {
        let Some(job) = self.job.take() else { return };
        let changed: Vec<String> = job.files.into_iter().collect();
        let Some(scope) = sink.scope(&job.assignment, &changed) else {
            return sink.count(&job.place, |f| f.not_judged += 1);
        };
        if !scope.judged {
            return;
        }
        let unexpected = scope.unexpected.len() as u64;
        sink.count(&job.place, |f| {
            f.scoped += 1;
            f.scope_violations += u64::from(unexpected > 0);
            f.scope_needs_review += u64::from(scope.needs_review);
            f.unexpected_files += unexpected;
        });
        if unexpected > 0 {
            let named = job.assignment.outline.expected.join(", ");
            let what = || match (job.assignment.outline.read_only, named.is_empty()) {
                (true, _) => format!("{unexpected} changed, though nothing was to change"),
                (false, true) => format!("{unexpected} changed that must stay as they are"),
                (false, false) => format!("{unexpected} changed outside of: {named}"),
            };
            #[expect(clippy::cast_precision_loss, reason = "a number of files")]
            let weight = unexpected as f64;
            sink.example(
                who,
                &job.place,
                MetricId::Scope,
                weight,
                what,
                &scope.unexpected.join(", "),
            );
        }
    }

    fn result(
        &mut self,
        call: &ToolCall,
        outcome: &ToolOutcome,
        text: &str,
        place: &Place,
        sink: &mut Sink<'_>,
    ) {
        let done = outcome.ok == Some(true);
        match call.kind {
            ToolKind::Write | ToolKind::Edit if done => {
                for path in &call.paths {
                    self.edited(path, place, sink);
                }
            }
            ToolKind::Shell => {
                let command = call.command.as_deref().unwrap_or_default();
                let verifications = commands::recognise(command, &sink.options.settings.verification);
                if verifications != Recognised::default() {
                    sink.count(place, |f| f.verifications += 1);
                    self.ran(verifications, outcome.exit, text);
                }
            }
            ToolKind::Delegate if done => {
                let prompt = call.delegation.as_ref().map_or("", |d| d.prompt.as_str());
                if !known(outcome.agent.as_deref(), prompt, sink) {
                    // Its worker is not in the transcripts: nothing can be said about its files.
                    sink.count(place, |f| f.delegations += 1);
                }
            }
            _ => {}
        }
    }

    /// A subagent's answer reaches this conversation.
    fn answer(
        &mut self,
        call: Option<&ToolCall>,
        agent: Option<&str>,
        text: &str,
        who: &Who<'_>,
        place: &Place,
        sink: &mut Sink<'_>,
    ) {
        if let Some(agent) = agent {
            self.join_work(agent, sink);
        }
        let prompt = call
            .and_then(|c| c.delegation.as_ref())
            .map_or("", |d| d.prompt.as_str());
        if !known(agent, prompt, sink) {
            sink.filler(who, place, text, Audience::Agent, "answer", |f| &mut f.answers);
            sink.answer(who, place, text, Audience::Agent, None);
        }
    }

    /// A subagent's edits and checks count in the conversation that it answers.
    fn join_work(&mut self, agent: &str, sink: &Sink<'_>) {
        let Some(work) = sink.agents.get(agent) else {
            return;
        };
        if work.edited {
            self.work = *work;
        } else {
            self.work.support.join(work.support);
        }
    }

    fn edited(&mut self, path: &str, place: &Place, sink: &mut Sink<'_>) {
        sink.count(place, |f| f.edits += 1);
        let Some(path) = relative(path, self.root.as_deref().unwrap_or_default()) else {
            return;
        };
        if !documentation(&path) {
            self.work = Work {
                edited: true,
                support: CheckKinds::NONE,
            };
        }
        if let Some(job) = &mut self.job
            && job.files.len() < FILES
        {
            job.files.insert(path);
        }
    }

    fn ran(&mut self, verifications: Recognised, exit: Option<i32>, output: &str) {
        let Recognised { mut proven, masked } = verifications;
        let mut both = proven;
        both.join(masked);
        match exit {
            Some(0) => {}
            Some(_) => return self.work.support.remove(both),
            // Refused, interrupted, in the background: the command told nothing.
            None => return,
        }
        let tests = CheckKind::Tests.into();
        let summary = if both.has(CheckKind::Tests) {
            output::summary(output)
        } else {
            output::Summary::default()
        };
        if summary.empty() {
            proven.remove(tests);
        }
        self.work.support.join(proven);
        if masked.has(CheckKind::Tests) {
            if summary.good() {
                self.work.support.join(tests);
            } else if summary.failed > 0 {
                self.work.support.remove(tests);
            }
        }
    }

    /// A hook blocked. A stop hook's block comes twice: as feedback, and as this.
    fn hook_blocked(&mut self, event: &str, reason: &str, who: &Who<'_>, place: &Place, sink: &mut Sink<'_>) {
        match event {
            "Stop" | "SubagentStop" if self.feedback > 0 => self.feedback -= 1,
            "Stop" | "SubagentStop" => {
                self.settle(who, sink, true);
                self.rejected("stop", reason, who, place, sink);
            }
            "PreToolUse" | "PermissionRequest" => sink.count(place, |f| f.refused_calls += 1),
            "PostToolUse" | "PostToolUseFailure" | "PostToolBatch" | "TaskCompleted" | "TeammateIdle" => {
                self.rejected(event, reason, who, place, sink);
            }
            // A prompt or a compaction was stopped: no work was sent back.
            _ => {}
        }
    }

    fn rejected(&mut self, hook: &str, reason: &str, who: &Who<'_>, place: &Place, sink: &mut Sink<'_>) {
        self.in_a_row += 1;
        let delegated = self.delegated;
        sink.count(place, |f| {
            if delegated {
                f.rejections += 1
            } else {
                f.human_rejections += 1
            }
        });
        let nth = self.in_a_row;
        let whose = if delegated {
            "delegated work"
        } else {
            "work for a person"
        };
        let what = || format!("a {hook} hook sent back {whose}, number {nth} since the prompt");
        // The metric counts delegated work: that comes first.
        let weight = f64::from(nth) + if delegated { 0.5 } else { 0.0 };
        sink.example(who, place, MetricId::Retries, weight, what, reason);
    }
}

/// An agent calls a tool.
fn called(call: &ToolCall, who: &Who<'_>, place: &Place, sink: &mut Sink<'_>) {
    if let Some(delegation) = &call.delegation
        && sink.prompts.called(digest(&delegation.prompt))
    {
        sink.filler(who, place, &delegation.prompt, Audience::Agent, PROMPT, |f| {
            &mut f.prompts
        });
    }
}

/// Whether a subagent's own conversation is among the transcripts.
fn known(agent: Option<&str>, prompt: &str, sink: &Sink<'_>) -> bool {
    agent.is_some_and(|a| sink.agents.contains_key(a))
        || (!prompt.is_empty() && sink.prompts.has_begun(digest(prompt)))
}

/// The path relative to the folder in which the agent works, with `/`; `None` for a path outside of it.
fn relative(path: &str, root: &str) -> Option<String> {
    let windows = root.contains('\\') || path.contains(":\\");
    let clean = |p: &str| {
        if windows {
            p.replace('\\', "/")
        } else {
            p.to_owned()
        }
    };
    let (path, root) = (clean(path), clean(root));
    let absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
    let path = if absolute {
        let root = root.trim_end_matches('/');
        path.strip_prefix(root)?.strip_prefix('/')?
    } else {
        path.trim_start_matches("./")
    };
    let outside = path.split('/').any(|part| part == "..");
    (!outside && !path.is_empty()).then(|| path.to_owned())
}

/// Files that no test, build or lint run looks at.
fn documentation(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| {
        matches!(
            ending.to_ascii_lowercase().as_str(),
            "md" | "txt" | "rst" | "adoc" | "org"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_from_the_folder_of_the_session() {
        for (path, root, expected) in [
            ("/w/p/src/a.rs", "/w/p", Some("src/a.rs")),
            ("/w/p/src/a.rs", "/w/p/", Some("src/a.rs")),
            ("/w/pq/a.rs", "/w/p", None),
            ("/tmp/x", "/w/p", None),
            ("./a.rs", "/w/p", Some("a.rs")),
            ("../a.rs", "/w/p", None),
            ("C:\\w\\p\\a.rs", "C:\\w\\p", Some("a.rs")),
            ("/w/p", "/w/p", None),
            ("", "/w/p", None),
        ] {
            assert_eq!(relative(path, root).as_deref(), expected, "{path}");
        }
    }
}
