//! What tool calls do, as facts: reads, writes, and runs of commands that verify something.
//!
//! **Invariant:** nothing is invented. A run whose exit code nobody told has none, a tree that could not be
//! identified is `None`, and both support nothing.

use super::Work;
use super::commands::{bounded, noted};
use crate::aside::Ended;
use crate::ending;
use crate::session::{Change, Started};
use proctor_kernel::{
    CheckKind, CheckRun, Digest, ExitSource, Id, Mask, ToolCall, ToolKind, ToolOutcome, TreeId, Trust,
};
use proctor_policy::Verification;
use proctor_shell::{Analysis, Check, OwnCheck, is_startup, masked};
use std::path::Path;
use std::rc::Rc;

/// Longest command line that a fact keeps, in bytes.
const LONGEST: usize = 2_000;

/// Programs that show nothing of the work. What is not known counts as a look.
const SHOW_NOTHING: [&str; 45] = [
    ":",
    "[",
    "[[",
    "cd",
    "chgrp",
    "chmod",
    "chown",
    "cp",
    "date",
    "echo",
    "exit",
    "export",
    "false",
    "hostname",
    "id",
    "kill",
    "ln",
    "mkdir",
    "mktemp",
    "mv",
    "out-null",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "rm",
    "rmdir",
    "set",
    "set-location",
    "shift",
    "sleep",
    "source",
    "start-sleep",
    "test",
    "touch",
    "true",
    "umask",
    "uname",
    "unset",
    "wait",
    "which",
    "whoami",
    "write-host",
    "write-output",
];

/// Commands of git that do the same.
const GIT_SHOWS_NOTHING: [&str; 22] = [
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "fetch",
    "gc",
    "init",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "reset",
    "restore",
    "rm",
    "switch",
    "tag",
];

/// Tools that show their agent nothing of the work: lists of its own, people, other agents.
const TOOLS_SHOW_NOTHING: [&str; 20] = [
    "AskUserQuestion",
    "CronCreate",
    "CronDelete",
    "CronList",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillBash",
    "KillShell",
    "ListAgents",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
];

impl Work<'_> {
    /// A tool is about to run: of a check, the tree is noted.
    pub(super) fn tool_begins(&mut self, call: &ToolCall) {
        let (Some(id), Some(analysis)) = (&call.id, self.analysis(call)) else {
            return;
        };
        if analysis.checks.is_empty() {
            self.command_begins(id, &analysis);
        } else {
            let tree = self.inputs.sight.tree_id();
            if analysis.writes_beside_checks {
                self.finds(|_| tree.clone());
            }
            self.push(Change::CheckStarted(Started {
                call: id.clone(),
                tree,
                writes: self.state.facts.writes,
                began: self.inputs.clock.now(),
                cwd: self.inputs.event.cwd.clone(),
                input: None,
            }));
        }
    }

    /// A tool has run.
    pub(super) fn tool_ended(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        self.witness(call, outcome);
        // After the writes that it brought itself.
        if outcome.ok != Some(false)
            && self.inspects(call)
            && self.me().looked != Some(self.state.facts.writes)
        {
            self.push(Change::Inspected {
                agent: self.agent.clone(),
            });
        }
    }

    /// Whether a call shows its agent something of the work. What a tool of unknown kind shows is not known, and
    /// nobody is told that he did not look.
    fn inspects(&self, call: &ToolCall) -> bool {
        match call.kind {
            ToolKind::Read | ToolKind::Other => !TOOLS_SHOW_NOTHING.contains(&call.name.as_str()),
            ToolKind::Write | ToolKind::Edit | ToolKind::Delegate => false,
            ToolKind::Shell => self.analysis(call).is_some_and(|analysis| {
                !analysis.checks.is_empty()
                    || analysis.unanalysable.is_some()
                    || analysis.commands.iter().any(|c| shows(&c.argv))
            }),
        }
    }

    fn witness(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        match call.kind {
            ToolKind::Read if outcome.ok != Some(false) && !call.paths.is_empty() => {
                let paths = self.relative(&call.paths);
                if self.state.facts.read.last() != paths.last() {
                    self.push(Change::Looked { paths });
                }
            }
            ToolKind::Shell => self.command_ended(call, outcome),
            _ => {}
        }
    }

    fn command_ended(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        let Some(analysis) = self.analysis(call) else {
            return;
        };
        for file in &analysis.written {
            let (sight, cwd) = (self.inputs.sight, &self.inputs.event.cwd);
            let file = if is_startup(file) {
                sight.named(file, cwd)
            } else {
                sight.outside(file, cwd)
            };
            if let Some(file) = file {
                self.made(&file);
            }
        }
        if analysis.checks.is_empty() {
            let changed = self.changed_meanwhile(call, outcome, &analysis);
            self.wrote_unseen(call, outcome, &analysis);
            self.ran(call, outcome, &analysis);
            self.wrote_by_command(call, changed);
            if analysis.may_write && !self.inputs.sight.has_tree() {
                self.push(Change::MayHaveWritten);
            }
            return;
        }
        let now = self.inputs.clock.now();
        let started = self
            .state
            .facts
            .started
            .iter()
            .find(|s| Some(&s.call) == call.id.as_ref())
            .cloned();
        // While it runs in the background there is no tree after it yet.
        let after = if outcome.background {
            None
        } else {
            self.inputs.sight.tree_id()
        };
        let before = started.as_ref().and_then(|s| s.tree.clone());
        let litter = self.litter(before.as_ref(), after.as_ref());
        let writes = started.as_ref().map_or(self.state.facts.writes, |s| s.writes);
        // Caches of test runners are nobody's work; what else the line changed is.
        let changed = match (&before, &after) {
            (Some(before), Some(after)) if before != after && (analysis.writes_beside_checks || !litter) => {
                let changed = self.inputs.sight.changed_since(before);
                self.not_named_since(writes, changed.unwrap_or_default())
            }
            _ => Vec::new(),
        };
        let witnessed = Witnessed {
            litter,
            before,
            after,
            // A host may name the folder in which the line left the shell.
            cwd: started
                .as_ref()
                .map(|s| s.cwd.clone())
                .filter(|cwd| !cwd.is_empty())
                .unwrap_or_else(|| self.inputs.event.cwd.clone()),
            // Its own changes are none that came after it.
            writes: writes + u64::from(!changed.is_empty()),
            began: started
                .as_ref()
                .map_or_else(|| now.saturating_sub(outcome.millis.unwrap_or(0)), |s| s.began),
        };
        for check in &analysis.checks {
            let words = analysis.commands.get(check.command);
            let argv = words.map(|c| c.argv.as_slice()).unwrap_or_default();
            let starters = words.map(|c| c.wrappers.as_slice()).unwrap_or_default();
            let programs: Vec<&str> = starters.iter().chain(argv.first()).map(String::as_str).collect();
            let run = CheckRun {
                argv: bounded(argv),
                ..self.run_of(
                    check,
                    &programs,
                    argv.get(1..).unwrap_or_default(),
                    call,
                    outcome,
                    &witnessed,
                )
            };
            self.push(Change::Checked {
                call: call.id.clone(),
                run: Box::new(run),
            });
        }
        if analysis.writes_beside_checks && !outcome.background {
            // What stands behind the last check of the line changed something after it; else it was there when the check began.
            let last = analysis.checks.iter().map(|check| check.command).max();
            let behind = |(at, c): (usize, &proctor_shell::Simple)| Some(at) > last && c.writes;
            let after = analysis.commands.iter().enumerate().any(behind);
            let at = if after {
                now
            } else {
                witnessed.began.saturating_sub(1)
            };
            self.unseen_since(witnessed.began, at);
        }
        self.wrote_by_command(call, changed);
        if analysis.writes_beside_checks && !self.inputs.sight.has_tree() {
            self.push(Change::MayHaveWritten);
        }
    }

    /// A file outside of the work tree, or one that shells read of themselves, was written by hand; of the others only programs
    /// matter, whose names have no ending.
    pub(super) fn made(&mut self, path: &str) {
        let (dir, name) = path.rsplit_once('/').unwrap_or_default();
        let counts = !name.is_empty() && !name.contains('.') || is_startup(path);
        if counts
            && Path::new(path).is_absolute()
            && !dir.is_empty()
            && !self.state.facts.made.iter().any(|known| known == path)
        {
            self.push(Change::Made {
                path: path.to_owned(),
            });
        }
    }

    /// Whether a check ran a program that was written by hand in this session: one that it names by its path, or one of its name
    /// in a folder of programs, which the search path may lead to. What was installed is none, as far as its file shows. The
    /// same where its line, started in the folder `start`, read a settings file that was written so.
    fn is_made(&self, check: &Check, programs: &[&str], folder: &Path, start: &str) -> bool {
        let sight = self.inputs.sight;
        let facts = &self.state.facts;
        let made = &facts.made;
        let is_written = |file: &String| {
            sight
                .named(file, start)
                .is_some_and(|file| made.contains(&file) || facts.edited.contains(&sight.relative(&file)))
        };
        if check.sources.iter().any(is_written) {
            return true;
        }
        if made.is_empty() {
            return false;
        }
        let folder = folder.to_string_lossy();
        let named = |made: &str| {
            let by_path = |file: &String| sight.outside(file, &folder).as_deref() == Some(made);
            let of_programs = || {
                let (dir, name) = made.rsplit_once('/').unwrap_or_default();
                programs.contains(&name) && dir.rsplit('/').next() == Some("bin")
            };
            check.files.iter().any(by_path) || of_programs()
        };
        made.iter().any(|made| named(made) && !sight.is_installed(made))
    }

    fn run_of(
        &self,
        check: &Check,
        programs: &[&str],
        words: &[String],
        call: &ToolCall,
        outcome: &ToolOutcome,
        seen: &Witnessed,
    ) -> CheckRun {
        let cwd = Path::new(&seen.cwd);
        let folder = check
            .folder
            .as_ref()
            .map_or_else(|| cwd.to_owned(), |folder| cwd.join(folder));
        let output = outcome.output.as_deref();
        let placed = self.inputs.sight.placed(check, words, &seen.cwd);
        let partial = check.partial || placed.partial;
        let whole = check.whole.as_deref();
        let mut masks = placed.masks(check);
        if self.is_made(check, programs, &folder, &seen.cwd) && !masks.contains(&Mask::Unanalysable) {
            masks.push(Mask::Unanalysable);
        }
        // What a host writes of a check that goes on in the background is not the check's.
        let exit = outcome.exit.filter(|_| !outcome.background);
        let (summary, end) = ending::read(check, output, exit, false);
        CheckRun {
            // The record that holds it gives it its id.
            id: Id::from_text(""),
            command: noted(call.command.as_deref().unwrap_or_default(), LONGEST),
            check: noted(&check.check, LONGEST),
            argv: Vec::new(),
            kinds: check.kinds,
            partial,
            whole: whole
                .map(masked)
                .filter(|_| partial || !placed.place.is_here() || masks.contains(&Mask::Unanalysable)),
            own: check.own.clone(),
            varied: check.varied,
            cwd: self.inputs.sight.relative(&folder.to_string_lossy()),
            place: placed.place,
            exit: outcome.exit,
            exit_source: outcome.exit.map_or(ExitSource::Unknown, |_| outcome.exit_source),
            masks,
            background: outcome.background,
            output: output.map(|text| Digest::of(text.as_bytes())),
            summary,
            end,
            before: seen.before.clone(),
            after: seen.after.clone(),
            // What another command of the line made behind it is not its litter.
            litter: seen.litter && !check.writes_behind,
            writes: seen.writes,
            began: seen.began,
            millis: outcome.millis,
            trust: Trust::Witnessed,
            clean: false,
        }
    }

    /// The host tells the end of commands in the background. The tree is looked at now, later than they ended, so
    /// whatever changed meanwhile counts as changed under them.
    pub(super) fn background_ended(&mut self) {
        let facts = &self.state.facts;
        if facts.waiting.is_empty() && !facts.ran.iter().any(|ran| ran.run.background) {
            return;
        }
        for ended in self.inputs.aside.ended() {
            self.command_behind_ended(&ended);
            let Some(waiting) = self.state.facts.waiting.iter().find(|w| w.call == ended.call) else {
                continue;
            };
            let mine = |r: &&CheckRun| {
                r.began == waiting.began && r.command == waiting.command && r.trust == Trust::Witnessed
            };
            // A failure that is told later corrects an end that was told before; nothing else does.
            let told = |r: &&CheckRun| r.background || ended.exit != Some(0);
            let runs: Vec<CheckRun> = self
                .state
                .facts
                .runs
                .iter()
                .filter(mine)
                .filter(told)
                .map(|r| self.with_its_end(r, &ended))
                .collect();
            for run in runs {
                self.push(Change::Checked {
                    call: Some(ended.call.clone()),
                    run: Box::new(run),
                });
            }
        }
    }

    fn with_its_end(&self, run: &CheckRun, ended: &Ended) -> CheckRun {
        let output = ended.output.as_deref();
        let own = own_checks(&self.inputs.settings.verification);
        let checks = proctor_shell::analyse(&run.command, &own).checks;
        let check = checks.into_iter().find(|c| noted(&c.check, LONGEST) == run.check);
        // Of a line that was shortened only the check is known.
        let check = check.unwrap_or_else(|| Check {
            check: run.check.clone(),
            ..Check::default()
        });
        let (summary, end) = ending::read(&check, output, ended.exit, false);
        CheckRun {
            exit: ended.exit,
            exit_source: ended.exit.map_or(ExitSource::Unknown, |_| ExitSource::HostText),
            background: false,
            output: output.map(|text| Digest::of(text.as_bytes())),
            summary,
            end,
            after: self.inputs.sight.tree_id(),
            // Who made new files meanwhile cannot be told: it need not have been the check.
            litter: false,
            millis: Some(self.inputs.clock.now().saturating_sub(run.began)),
            ..run.clone()
        }
    }

    fn litter(&self, before: Option<&TreeId>, after: Option<&TreeId>) -> bool {
        match (before, after) {
            (Some(before), Some(after)) if before != after => self.inputs.sight.only_litter(before, after),
            _ => false,
        }
    }

    /// What the command line of this event's call does.
    pub(super) fn analysis(&self, call: &ToolCall) -> Option<Rc<Analysis>> {
        let read = self.analysis.get_or_init(|| {
            let command = call.command.as_deref().filter(|_| call.kind == ToolKind::Shell)?;
            let own = own_checks(&self.inputs.settings.verification);
            Some(Rc::new(proctor_shell::analyse(command, &own)))
        });
        read.clone()
    }

    pub(super) fn relative(&self, paths: &[String]) -> Vec<String> {
        paths.iter().map(|p| self.inputs.sight.relative(p)).collect()
    }
}

/// Whether a simple command may show something of the work.
fn shows(argv: &[String]) -> bool {
    let Some(program) = argv.first() else {
        return false;
    };
    let program = program.rsplit('/').next().unwrap_or(program).to_ascii_lowercase();
    if program != "git" {
        return !SHOW_NOTHING.contains(&program.as_str());
    }
    let mut words = argv.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-C" | "-c" | "--git-dir" | "--work-tree" => {
                words.next();
            }
            word if word.starts_with('-') => {}
            word => return !GIT_SHOWS_NOTHING.contains(&word),
        }
    }
    false
}

/// Whether a line in which no check is recognised may hold one all the same: it runs what is known neither to look only
/// nor to show nothing.
pub(crate) fn may_verify(line: &str) -> bool {
    let analysis = proctor_shell::analyse(line, &[]);
    let unknown = |argv: &[String]| {
        let program = argv.first().map(|p| p.rsplit('/').next().unwrap_or(p));
        shows(argv) && program != Some("git")
    };
    analysis.unanalysable.is_some() || analysis.commands.iter().any(|c| c.writes && unknown(&c.argv))
}

/// What is the same for all checks of a line.
struct Witnessed {
    before: Option<TreeId>,
    after: Option<TreeId>,
    /// Where the line was started.
    cwd: String,
    litter: bool,
    writes: u64,
    began: u64,
}

/// The policy's verifications as the reader of commands takes them.
pub(crate) fn own_checks(verification: &[Verification]) -> Vec<OwnCheck> {
    let own = |v: &Verification| OwnCheck {
        name: v.name.clone(),
        run: v.run.clone(),
        kind: kind_of(v),
    };
    verification.iter().map(own).collect()
}

/// What a verification of the policy verifies.
pub(crate) fn kind_of(verification: &Verification) -> CheckKind {
    CheckKind::ALL
        .into_iter()
        .find(|kind| verification.kind.as_deref() == Some(kind.as_str()))
        .unwrap_or(CheckKind::Own)
}
