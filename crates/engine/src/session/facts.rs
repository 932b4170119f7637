//! What was witnessed of a session's work. Bounded: a session of ten thousand commands is loaded as fast
//! as one of ten.

use super::change::ByCommand;
use proctor_kernel::{CheckRun, CommandRun, Digest, TreeId, names};
use serde::{Deserialize, Serialize};

/// Most runs that are remembered. A claim is compared with the latest ones.
const RUNS: usize = 48;
/// Most checks that may be under way at once.
const STARTED: usize = 16;
/// Most commands in the background whose end is waited for.
const WAITING: usize = 16;
/// Most prompts of a task whose words are remembered, and most bytes of one.
const ASKED: usize = 12;
const ASKED_BYTES: usize = 4 << 10;
/// Most bytes of a task's words that are remembered. The record that began it has all of them.
const TASK_BYTES: usize = 64 << 10;
/// Most paths that are remembered as edited, and as read.
pub(crate) const PATHS: usize = 64;
/// Most edits that no tree shows: the latest says what is outdated.
const UNSEEN: usize = 8;
/// Most programs that were written outside of the work tree.
const MADE: usize = 16;
/// Most commands that are remembered, and as how many of them those count that changed nothing.
const RAN: usize = 12;
const RAN_IDLE: usize = 6;
/// Most files that are named with one.
const RAN_CHANGED: usize = 3;

/// The facts that gates compare claims with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Runs of commands that verify something, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<CheckRun>,
    /// Checks that began and whose end was not seen yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub started: Vec<Started>,
    /// Checks that went into the background, and whose end may still be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// What a person asked for since the main task began, oldest first. The records have all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Asked>,
    /// The last commands that verify nothing, and the last of them that changed files, oldest first. The records
    /// have all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<Ran>,
    /// Commands that verify nothing and may change files, and whose end was not seen yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under_way: Vec<UnderWay>,
    /// Files that tools wrote to while commands ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<Named>,
    /// How many such commands were seen in all.
    #[serde(default)]
    pub commands: u64,
    /// Paths that tools wrote to, latest last, relative to the work tree where they lie inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
    /// Edits that no tree shows, latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// Programs that were written by hand outside of the work tree, and files that shells read of themselves, latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<String>,
    /// Paths that tools read, latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// Witnessed writes, by tools and by commands that may have written; stands in for the tree where
    /// there is none.
    #[serde(default)]
    pub writes: u64,
    /// Facts that were left out because there were too many.
    #[serde(default)]
    pub forgotten: u64,
}

/// An edit that no tree shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    /// The file, relative to the work tree.
    pub path: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// A check that is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The host's id of the tool call.
    pub call: String,
    /// The tree when it began.
    pub tree: Option<TreeId>,
    /// [`Facts::writes`] when it began.
    pub writes: u64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// The folder in which it was started.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// What the tool was asked to do, where its command was rewritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Digest>,
}

/// A command in the background that holds checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The host's id of the tool call.
    pub call: String,
    /// The command line, shortened.
    pub command: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
}

/// A command that is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnderWay {
    /// The host's id of the tool call.
    pub call: String,
    /// [`Facts::writes`] when it began.
    pub writes: u64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
}

/// A file that belongs to somebody else than a command that ran meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The file.
    pub path: String,
    /// [`Facts::writes`] with this one.
    pub at: u64,
}

/// A command that verifies nothing known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The agent; empty for the main conversation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The host's id of the tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What was witnessed, but for its words.
    pub run: CommandRun,
    /// The first of the files that it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// How many more it changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
}

impl Ran {
    /// In one line for people and reviewers.
    #[must_use]
    pub fn in_words(&self) -> String {
        let changed = match (names(&self.changed, usize::MAX), self.more) {
            (names, _) if names.is_empty() => String::new(),
            (names, 0) => format!("; changed {names}"),
            (names, more) => format!("; changed {names} (+{more})"),
        };
        format!("{}{changed}", described(&self.run))
    }
}

/// A command in one line: what was run, where, and how it ended.
#[must_use]
pub fn described(run: &CommandRun) -> String {
    // A line may be a text of many; whoever reads a list reads one.
    let line = run.line.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = match run.cwd.as_str() {
        "" => String::new(),
        cwd => format!(" in {cwd}"),
    };
    let exit = match run.exit {
        _ if run.background => "in the background".to_owned(),
        None => "no exit code".to_owned(),
        Some(code) if run.masks.is_empty() => format!("exit {code}"),
        Some(code) => format!("exit {code}, not of all of it"),
    };
    format!("`{line}`{place}: {exit}")
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A person's prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The exact words; of very many the beginning, see [`kept`].
    pub words: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// What is remembered of long words: their beginning, and how much more there is. Equal words stay equal.
#[must_use]
pub fn kept(words: &str, limit: usize) -> String {
    if words.len() <= limit {
        return words.to_owned();
    }
    let end = words.floor_char_boundary(limit);
    let digest = Digest::of(words.as_bytes());
    let digest = digest.as_str().get(..16).unwrap_or_default();
    format!(
        "{}\n[… {} more bytes; {digest}]",
        words.get(..end).unwrap_or_default(),
        words.len() - end
    )
}

/// What is remembered of a task's words.
#[must_use]
pub fn kept_task(words: &str) -> String {
    kept(words, TASK_BYTES)
}

impl Facts {
    pub(super) fn ask(&mut self, words: &str, at: u64) {
        if self.asked.len() >= ASKED {
            // The first words are the task's own; of the others the latest count.
            self.asked.remove(1);
        }
        let words = kept(words, ASKED_BYTES);
        self.asked.push(Asked { words, at });
    }

    pub(super) fn start(&mut self, started: Started) {
        self.started.retain(|s| s.call != started.call);
        if self.started.len() >= STARTED {
            self.started.remove(0);
        }
        self.started.push(started);
    }

    pub(super) fn command_starts(&mut self, command: &UnderWay) {
        self.under_way.retain(|known| known.call != command.call);
        if self.under_way.len() >= STARTED {
            self.under_way.remove(0);
        }
        self.under_way.push(command.clone());
    }

    /// The files that changed while a command ran; its record comes before this.
    pub(super) fn changed_by(&mut self, by: &ByCommand, paths: &[String]) {
        let mut ran = self.ran.iter_mut().rev();
        if let Some(ran) = ran.find(|ran| ran.call.is_some() && ran.call == by.command) {
            ran.changed = paths.iter().take(RAN_CHANGED).cloned().collect();
            ran.more = by.more + paths.len().saturating_sub(RAN_CHANGED) as u64;
        }
    }

    pub(super) fn ran(&mut self, agent: &str, call: Option<&str>, run: &CommandRun) {
        self.under_way.retain(|known| Some(known.call.as_str()) != call);
        let run = CommandRun {
            argv: Vec::new(),
            ..run.clone()
        };
        // The end of one that was started in the background.
        let same = |ran: &&mut Ran| call.is_some() && ran.call.as_deref() == call && ran.run.background;
        if let Some(ran) = self.ran.iter_mut().find(same) {
            ran.run = run;
            return;
        }
        self.commands += 1;
        if self.ran.len() >= RAN {
            // Those that changed files are what a reader asks for.
            let idle = |ran: &&Ran| ran.changed.is_empty();
            let many = self.ran.iter().filter(idle).count() >= RAN_IDLE;
            let at = self.ran.iter().position(|ran| !many || idle(&ran));
            self.ran.remove(at.unwrap_or(0));
        }
        self.ran.push(Ran {
            agent: agent.to_owned(),
            call: call.map(str::to_owned),
            run,
            ..Ran::default()
        });
    }

    pub(super) fn rewritten(&mut self, call: &str, input: &Digest) {
        for started in self.started.iter_mut().filter(|s| s.call == call) {
            started.input = Some(input.clone());
        }
    }

    pub(super) fn finish(&mut self, call: Option<&str>, mut run: CheckRun) {
        run.argv.clear();
        self.started.retain(|s| Some(s.call.as_str()) != call);
        if let Some(call) = call {
            self.follow(call, &run);
        }
        if self.runs.len() >= RUNS {
            // The whole's last failure must not fall out behind a row of partial passes.
            let keep = |r: &CheckRun| !r.partial && r.exit != Some(0);
            let at = self.runs.iter().position(|r| !keep(r)).unwrap_or(0);
            self.runs.remove(at);
            self.forgotten += 1;
        }
        self.runs.push(run);
    }

    /// A check went into the background, or came out of it: then what was known of it before is over.
    fn follow(&mut self, call: &str, run: &CheckRun) {
        if run.background {
            self.waiting.retain(|w| w.call != call);
            if self.waiting.len() >= WAITING {
                self.waiting.remove(0);
            }
            self.waiting.push(Waiting {
                call: call.to_owned(),
                command: run.command.clone(),
                began: run.began,
            });
        } else if self.waiting.iter().any(|w| w.call == call) {
            let same =
                |r: &CheckRun| r.began == run.began && r.command == run.command && r.check == run.check;
            self.runs.retain(|r| !same(r));
        }
    }

    pub(super) fn edit(&mut self, paths: &[String]) {
        self.writes += 1;
        if !self.under_way.is_empty() || !self.started.is_empty() {
            let at = self.writes;
            self.named.extend(paths.iter().map(|path| Named {
                path: path.clone(),
                at,
            }));
            let over = self.named.len().saturating_sub(PATHS);
            self.named.drain(..over);
        } else {
            self.named.clear();
        }
        paths.iter().for_each(|p| latest(&mut self.edited, p));
    }

    pub(super) fn edit_unseen(&mut self, path: &str, at: u64) {
        self.unseen.retain(|edit| edit.path != path);
        if self.unseen.len() >= UNSEEN {
            self.unseen.remove(0);
        }
        self.unseen.push(Unseen {
            path: path.to_owned(),
            at,
        });
    }

    pub(super) fn make(&mut self, path: &str) {
        self.made.retain(|known| known != path);
        if self.made.len() >= MADE {
            self.made.remove(0);
        }
        self.made.push(path.to_owned());
    }

    pub(super) fn read(&mut self, paths: &[String]) {
        paths.iter().for_each(|p| latest(&mut self.read, p));
    }
}

/// Puts a path at the end of a list, once.
fn latest(list: &mut Vec<String>, path: &str) {
    list.retain(|p| p != path);
    if list.len() >= PATHS {
        list.remove(0);
    }
    list.push(path.to_owned());
}
