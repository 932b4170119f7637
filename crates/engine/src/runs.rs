//! Runs that Proctor made itself, outside any session: they count for every session on the same tree.

use crate::decide::{bounded, own_checks};
use crate::whereabouts::{Ground, Placed};
use crate::{Clock, Engine, ending};
use proctor_kernel::{CheckRun, Digest, ExitSource, Id, Mask, Result, TreeId, Trust};
use proctor_ledger::{Draft, Durability, Fold, Journal, Record};
use proctor_shell::{Analysis, Check, masked};
use proctor_worktree::Repo;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The writer under which they are recorded.
pub const CHECKS: &str = "checks";

/// The kind of record that holds one.
pub const KIND: &str = "check";

/// Most runs that are kept in the state; older ones stay in the log.
const MOST: usize = 64;

/// The latest runs that Proctor made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckBook {
    /// Oldest first.
    pub runs: Vec<CheckRun>,
}

impl Fold for CheckBook {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        if record.kind != KIND {
            return;
        }
        let Ok(mut run) = record.body::<CheckRun>() else {
            return;
        };
        run.id.clone_from(&record.id);
        if self.runs.len() >= MOST {
            self.runs.remove(0);
        }
        self.runs.push(run);
    }
}

impl<C: Clock> Engine<C> {
    /// Records a run that Proctor made, on disk before it returns. Gives the record's id.
    ///
    /// # Errors
    /// Kind `store` when it cannot be written.
    pub fn record_run(&mut self, run: &CheckRun) -> Result<Id> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let mut journal: Journal<CheckBook> = self.store()?.journal(CHECKS)?;
        let draft = Draft::new(self.stamp(), KIND, run)?;
        let id = draft.id().clone();
        journal.commit(vec![draft], Durability::Synced)?;
        Ok(id)
    }

    /// The latest runs that Proctor made here.
    ///
    /// # Errors
    /// Kind `store` when they cannot be read.
    pub fn engine_runs(&self) -> Result<Vec<CheckRun>> {
        let store = self.store()?;
        if !store.has(CHECKS) {
            return Ok(Vec::new());
        }
        Ok(store.journal::<CheckBook>(CHECKS)?.state().runs.clone())
    }
}

/// A run that is under way.
#[derive(Clone, Debug)]
pub struct Begun {
    line: String,
    analysis: Analysis,
    before: Option<TreeId>,
    at: u64,
    /// The search path leads to programs that need not be what they are called.
    shadowed: bool,
}

/// How a command that Proctor ran ended.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// Its exit code; `None` when a signal or the time limit ended it.
    pub exit: Option<i32>,
    /// What it wrote, or the beginning and the end of it.
    pub output: String,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

impl Begun {
    /// Whether the line verifies anything, as far as it can be read.
    #[must_use]
    pub fn verifies(&self) -> bool {
        !self.analysis.checks.is_empty()
    }
}

impl<C: Clock> Engine<C> {
    /// A command is about to be run by Proctor: the tree is noted, and whether the search path leads to programs that were put
    /// into the work tree, or written in the session, or may be anything. `new` are those of its folders that the line added, as
    /// far as that can be told: they are judged as in a line that a host runs.
    ///
    /// # Errors
    /// Kinds `git` and `store` when the tree cannot be identified.
    pub fn check_begins(&mut self, line: &str, path: &[PathBuf], new: &[PathBuf]) -> Result<Begun> {
        let mut faults = Vec::new();
        self.set_up(&mut faults);
        let analysis = proctor_shell::analyse(line, &own_checks(&self.settings().verification));
        let cwd = &self.surroundings.cwd;
        let shadowed = self.ground().is_some_and(|ground| {
            let foreign = |folder: &PathBuf| {
                let beside = ground.outside(&folder.join("x").to_string_lossy(), cwd).is_some();
                beside && proctor_shell::hijacks("PATH", &folder.to_string_lossy())
            };
            ground.is_shadowed(path, cwd)
                || new.iter().any(foreign)
                || self.is_handmade(&ground, &analysis, path)
        });
        Ok(Begun {
            shadowed,
            analysis,
            line: line.to_owned(),
            before: self.tree()?,
            at: self.clock().now(),
        })
    }

    /// Whether the search path leads to a program of a check that was written by hand in the latest session.
    fn is_handmade(&self, ground: &Ground<'_>, analysis: &Analysis, path: &[PathBuf]) -> bool {
        let Ok(Some((_, state))) = self.session(None) else {
            return false;
        };
        let made = &state.facts.made;
        let commands = analysis
            .checks
            .iter()
            .filter_map(|check| analysis.commands.get(check.command));
        let mut names = commands.flat_map(|c| c.wrappers.iter().chain(c.argv.first()));
        !made.is_empty()
            && names.any(|name| {
                let mut found = path
                    .iter()
                    .map(|folder| self.surroundings.cwd.join(folder).join(name));
                let first = found.find(|file| file.is_file());
                let file =
                    first.and_then(|file| ground.named(&file.to_string_lossy(), &self.surroundings.cwd));
                file.is_some_and(|file| {
                    made.iter().any(|known| Path::new(known) == file) && !ground.is_installed(&file, name)
                })
            })
    }

    /// The ground of a run. Who calls for it chose where it stands: the project is the whole work tree.
    fn ground(&self) -> Option<Ground<'_>> {
        let root = self.repo().and_then(Repo::root)?;
        Some(Ground {
            root,
            began: root,
            home: self.surroundings.home.as_deref(),
            repo: self.repo(),
        })
    }

    /// The command has ended: what it verified is recorded, on disk before this returns. A command that
    /// verifies nothing that can be recognised leaves no record.
    ///
    /// # Errors
    /// Kinds `git` and `store` when the tree cannot be identified or the record cannot be written.
    pub fn check_ended(&mut self, begun: Begun, outcome: &RunOutcome) -> Result<Vec<CheckRun>> {
        let after = self.tree()?;
        let litter = match (&begun.before, &after, self.repo()) {
            (Some(before), Some(after), Some(repo)) if before != after => repo
                .trees(&self.trees_cache()?)
                .during(before, after)
                .is_ok_and(|d| d.tracked.is_empty()),
            _ => false,
        };
        let root = self.repo().and_then(|r| r.root().map(Path::to_owned));
        let ran = Ran {
            line: &begun.line,
            before: begun.before.as_ref(),
            after: after.as_ref(),
            litter,
            began: begun.at,
            outcome,
            trust: Trust::EngineRan,
            clean: false,
        };
        let mut runs = Vec::new();
        for check in &begun.analysis.checks {
            let here = &self.surroundings.cwd;
            let folder = check
                .folder
                .as_ref()
                .map_or_else(|| here.clone(), |f| here.join(f));
            let cwd = root
                .as_ref()
                .and_then(|root| crate::sight::below(root, &folder))
                .map_or(folder, PathBuf::from);
            let words = begun.analysis.commands.get(check.command);
            let argv = words.map(|c| c.argv.as_slice()).unwrap_or_default();
            let behind = argv.get(1..).unwrap_or_default();
            let placed = self.ground().map(|ground| ground.place(check, behind, here));
            let mut placed = placed.unwrap_or_else(|| Placed::anywhere(check));
            placed.replaced |= begun.shadowed;
            let run = ran.run_of(check, argv, &cwd, placed);
            let id = self.record_run(&run)?;
            runs.push(CheckRun { id, ..run });
        }
        Ok(runs)
    }
}

/// A line that Proctor ran.
pub(crate) struct Ran<'a> {
    pub(crate) line: &'a str,
    pub(crate) before: Option<&'a TreeId>,
    pub(crate) after: Option<&'a TreeId>,
    /// The two differ by files alone that git does not track.
    pub(crate) litter: bool,
    pub(crate) began: u64,
    pub(crate) outcome: &'a RunOutcome,
    pub(crate) trust: Trust,
    pub(crate) clean: bool,
}

impl Ran<'_> {
    /// The fact about one check of the line, which ran in the folder `cwd` below the root.
    pub(crate) fn run_of(&self, check: &Check, argv: &[String], cwd: &Path, placed: Placed) -> CheckRun {
        let partial = check.partial || placed.partial;
        let whole = check.whole.as_deref();
        let masks = placed.masks(check);
        let (summary, end) = ending::read(check, Some(&self.outcome.output), self.outcome.exit, true);
        CheckRun {
            id: Id::from_text(""),
            command: masked(self.line),
            check: masked(&check.check),
            argv: bounded(argv),
            kinds: check.kinds,
            partial,
            whole: whole
                .map(masked)
                .filter(|_| partial || !placed.place.is_here() || masks.contains(&Mask::Unanalysable)),
            own: check.own.clone(),
            varied: check.varied,
            cwd: cwd.to_string_lossy().into_owned(),
            place: placed.place,
            exit: self.outcome.exit,
            exit_source: match self.outcome.exit {
                Some(_) => ExitSource::Engine,
                None => ExitSource::Unknown,
            },
            masks,
            background: false,
            output: Some(Digest::of(self.outcome.output.as_bytes())),
            summary,
            end,
            before: self.before.cloned(),
            after: self.after.cloned(),
            litter: self.litter && !check.writes_behind,
            writes: 0,
            began: self.began,
            millis: Some(self.outcome.millis),
            trust: self.trust,
            clean: self.clean,
        }
    }
}
