//! Commands that verify nothing known, as facts: what was run, where, and how it ended.
//!
//! **Invariant:** all of it is bounded, and secrets that can be told are not written down.

use super::Work;
use crate::aside::Ended;
use crate::session::{AgentState, ByCommand, Change, PATHS, Ran, UnderWay};
use proctor_kernel::{CommandRun, Digest, ExitSource, ToolCall, ToolOutcome, TreeId};
use proctor_shell::{Analysis, Simple, masked, masked_words};

/// Longest command line that such a fact keeps, in bytes.
const LINE: usize = 400;
/// Most words that are kept of a command, longest word, and all of them together, in bytes.
const WORDS: usize = 32;
const WORD: usize = 120;
const ARGV: usize = 400;
/// Most files that are named as changed by a command.
const NAMED: usize = 64;
/// Of a longer line only this much is looked at for secrets.
const READ: usize = 16 << 10;

impl Work<'_> {
    /// A shell tool ran a line in which no check was recognised.
    pub(super) fn ran(&mut self, call: &ToolCall, outcome: &ToolOutcome, analysis: &Analysis) {
        let output = outcome.output.as_deref();
        let last = analysis.commands.last();
        let run = CommandRun {
            line: noted(call.command.as_deref().unwrap_or_default(), LINE),
            argv: bounded(last.map(|c| c.argv.as_slice()).unwrap_or_default()),
            cwd: self.inputs.sight.relative(&self.inputs.event.cwd),
            exit: outcome.exit,
            exit_source: outcome.exit.map_or(ExitSource::Unknown, |_| outcome.exit_source),
            masks: analysis.masks(),
            background: outcome.background,
            millis: outcome.millis,
            output: output.map(|text| Digest::of(text.as_bytes())),
        };
        self.push(Change::Ran {
            agent: self.agent.clone(),
            call: call.id.clone(),
            run: Box::new(run),
        });
    }

    /// A subagent is about to run its first command that may change files: what it finds is noted. A reviewer may stash
    /// and bring back, or try what a test notices; whether that is work is told by what stands there in the end.
    pub(super) fn finds(&mut self, tree: impl FnOnce(&Self) -> Option<TreeId>) {
        let me = self.me();
        if self.agent.is_empty() || me.found.is_some() || me.writes > 0 {
            return;
        }
        if let Some(tree) = tree(self) {
            self.push(Change::Found {
                agent: self.agent.clone(),
                tree,
            });
        }
    }

    /// Whether all that an agent's commands changed is again as it found it, and nobody else changed anything.
    pub(super) fn is_undone(&self, me: &AgentState) -> bool {
        let facts = &self.state.facts;
        let Some(found) = me.found.as_ref().filter(|f| f.writes + me.writes == facts.writes) else {
            return false;
        };
        let changed = self.inputs.sight.changed_since(&found.tree);
        // Of more files than are remembered it cannot be told which were the agent's.
        let all = facts.edited.len() < PATHS;
        changed.is_some_and(|changed| {
            changed.is_empty() || all && !facts.edited.iter().any(|path| is_among(path, &changed))
        })
    }

    /// A command is about to run that verifies nothing and may change files.
    pub(super) fn command_begins(&mut self, call: &str, analysis: &Analysis) {
        if may_write(analysis) && self.inputs.sight.has_tree() {
            self.finds(|work| work.inputs.sight.small_tree());
            self.push(Change::CommandStarted(UnderWay {
                call: call.to_owned(),
                writes: self.state.facts.writes,
                began: self.inputs.clock.now(),
            }));
        }
    }

    /// The files that changed while a line ran, but for those that a tool named meanwhile: those are the work of the
    /// agent that called it.
    pub(super) fn changed_meanwhile(
        &self,
        call: &ToolCall,
        outcome: &ToolOutcome,
        analysis: &Analysis,
    ) -> Vec<String> {
        if !may_write(analysis) || outcome.background || !self.inputs.sight.has_tree() {
            return Vec::new();
        }
        let facts = &self.state.facts;
        let Some((began, writes)) = self.span(call, outcome) else {
            return Vec::new();
        };
        // What git alone moves about was somebody's work before.
        let is_git = |c: &Simple| c.argv.first().is_some_and(|p| p == "git");
        let staged = analysis.commands.iter().any(|c| c.writes && !is_git(c));
        let touched = self
            .inputs
            .sight
            .touched_since(began, staged, self.looks_anyway());
        let mut touched = self.not_named_since(writes, touched.unwrap_or_default());
        // A later change time alone is no change, where it is known what stood there before.
        let found = self
            .me()
            .found
            .as_ref()
            .filter(|found| found.writes == facts.writes && !touched.is_empty());
        if let Some(changed) = found.and_then(|found| self.inputs.sight.changed_since(&found.tree)) {
            touched.retain(|path| is_among(path, &changed));
        }
        touched
    }

    /// When a line began that verifies nothing, and the number of writes by then.
    fn span(&self, call: &ToolCall, outcome: &ToolOutcome) -> Option<(u64, u64)> {
        let facts = &self.state.facts;
        let known = facts.under_way.iter().find(|u| Some(&u.call) == call.id.as_ref());
        // Of a host that tells no beginning, the time that it took tells it.
        known.map(|u| (u.began, u.writes)).or_else(|| {
            let began = self.inputs.clock.now().saturating_sub(outcome.millis?);
            Some((began, facts.writes))
        })
    }

    /// A line that verifies nothing may have changed files that no tree shows.
    pub(super) fn wrote_unseen(&mut self, call: &ToolCall, outcome: &ToolOutcome, analysis: &Analysis) {
        if may_write(analysis)
            && !outcome.background
            && let Some((began, _)) = self.span(call, outcome)
        {
            self.unseen_since(began, self.inputs.clock.now());
        }
    }

    /// Notes what no tree shows and was changed since `began`, as of the moment `at`.
    pub(super) fn unseen_since(&mut self, began: u64, at: u64) {
        for path in self.inputs.sight.touched_unseen(began) {
            self.push(Change::WroteUnseen { path, at });
        }
    }

    /// Those of the files that no tool named since.
    pub(super) fn not_named_since(&self, writes: u64, mut paths: Vec<String>) -> Vec<String> {
        let named = &self.state.facts.named;
        paths.retain(|path| !named.iter().any(|n| n.at > writes && n.path == *path));
        paths
    }

    /// Files changed while a command ran: the work of the agent that ran it.
    pub(super) fn wrote_by_command(&mut self, call: &ToolCall, mut paths: Vec<String>) {
        if paths.is_empty() {
            return;
        }
        let more = paths.len().saturating_sub(NAMED) as u64;
        paths.truncate(NAMED);
        self.push(Change::Wrote {
            agent: self.agent.clone(),
            paths,
            by: Some(ByCommand {
                command: call.id.clone(),
                more,
            }),
        });
    }

    /// The host tells the end of a command that was started in the background.
    pub(super) fn command_behind_ended(&mut self, ended: &Ended) {
        let is_it = |ran: &&Ran| ran.call.as_ref() == Some(&ended.call) && ran.run.background;
        let Some(ran) = self.state.facts.ran.iter().find(is_it).cloned() else {
            return;
        };
        let output = ended.output.as_deref();
        self.push(Change::Ran {
            agent: ran.agent,
            call: ran.call,
            run: Box::new(CommandRun {
                exit: ended.exit,
                exit_source: ended.exit.map_or(ExitSource::Unknown, |_| ExitSource::HostText),
                background: false,
                output: output.map(|text| Digest::of(text.as_bytes())),
                ..ran.run
            }),
        });
    }
}

/// Whether a file is among those that differ; of a repository inside only its folder is.
fn is_among(path: &str, changed: &[String]) -> bool {
    let holds = |c: &String| {
        path.strip_prefix(c.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    changed.iter().any(holds)
}

/// Whether a line may change files, as far as it can be read.
fn may_write(analysis: &Analysis) -> bool {
    analysis.may_write || analysis.unanalysable.is_some()
}

/// A text as it is written down: without secrets, and at most so many bytes of it.
pub(super) fn noted(text: &str, limit: usize) -> String {
    // A secret that begins before the end of what is kept is gone as a whole.
    let read = text.get(..text.floor_char_boundary(READ)).unwrap_or(text);
    let shown = masked(read);
    if shown.len() <= limit && read.len() == text.len() {
        return shown;
    }
    let end = shown.floor_char_boundary(limit);
    format!("{}…", shown.get(..end).unwrap_or_default())
}

/// The words of a command as they are written down.
pub(crate) fn bounded(argv: &[String]) -> Vec<String> {
    let mut left = ARGV;
    let words: Vec<String> = argv.iter().take(WORDS).map(|w| cut(w, READ)).collect();
    masked_words(&words)
        .iter()
        .map_while(|word| {
            let word = cut(word, WORD);
            left = left.checked_sub(word.len())?;
            Some(word)
        })
        .collect()
}

fn cut(word: &str, limit: usize) -> String {
    if word.len() <= limit {
        return word.to_owned();
    }
    let end = word.floor_char_boundary(limit);
    format!("{}…", word.get(..end).unwrap_or_default())
}
