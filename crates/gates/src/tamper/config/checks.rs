//! Which checks the commands of a file run, as the shell reads them, and which of them are gone, or count no more.

use super::super::{FileChange, Finding, Severity};
use super::recipes::{Command, Recipe, recipes};
use super::{Sort, commands, finding, shown};
use proctor_kernel::{CheckKind, CheckKinds, Mask};
use proctor_shell::{Again, again, analyse, is_tool};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A check that a command runs.
#[derive(Clone, Debug)]
struct Ran {
    /// Its words in one line.
    words: String,
    kinds: CheckKinds,
    /// The same as it is written.
    argv: Vec<String>,
    /// Only a part is looked at.
    partial: bool,
    /// Its failure is one of the recipe.
    counts: bool,
    /// Its failure is let go by a sign or a key beside the command.
    forgiven: bool,
    /// The recipe that it runs, where it does no more than that.
    calls: Option<String>,
    /// The lines of its command, first and last.
    line: u32,
    until: u32,
}

/// A recipe with what it runs.
struct Run {
    name: String,
    line: u32,
    checks: Vec<Ran>,
    /// Other recipes of the file that it runs.
    runs: Vec<String>,
    /// How many of its commands may fail and are heard, but for those that check nothing in any case.
    does: usize,
    /// What it verifies by its name.
    named: CheckKinds,
}

/// Programs that check nothing, whatever they are given.
const IDLE: [&str; 20] = [
    "echo", "printf", "true", ":", "exit", "return", "cd", "mkdir", "rm", "touch", "cp", "mv", "export",
    "set", "sleep", "false", "cat", "test", "[", "date",
];

/// Most comparisons of two checks of one file whose words differ; what comes behind counts as something else.
const MOST: u32 = 4_000;

/// Compares what the commands of files check.
pub(super) fn look(files: &[FileChange<'_>], out: &mut Vec<Finding>) {
    let read: Vec<(&FileChange<'_>, Sort, Vec<Run>, Vec<Run>)> = files
        .iter()
        .filter_map(|file| {
            let sort = Sort::of(file.path)?;
            // Where a file of settings is gone, that is told by itself.
            if file.now.is_none() && !matches!(sort, Sort::Scripts) {
                return None;
            }
            let runs = |text: Option<&str>| -> Vec<Run> {
                let found = text
                    .map(|text| recipes(file.path, sort, text))
                    .unwrap_or_default();
                found.iter().map(Run::of).collect()
            };
            let (was, is) = (runs(file.base), runs(file.now));
            (!was.is_empty() || !is.is_empty()).then_some((file, sort, was, is))
        })
        .collect();
    let found = out.clone();
    for (file, sort, was, is) in &read {
        // What runs in CI, and no more, is told of by its lines, too.
        let ci = *sort == Sort::Ci;
        let elsewhere: Vec<(&Ran, bool)> = read
            .iter()
            .flat_map(|(other, _, was, is)| {
                let own = other.path == file.path;
                let before: Vec<&Ran> = was.iter().flat_map(|r| &r.checks).collect();
                is.iter().flat_map(|r| &r.checks).map(move |ran| {
                    let new = !before
                        .iter()
                        .any(|b| b.words == ran.words && b.counts == ran.counts);
                    (ran, own || new)
                })
            })
            .collect();
        if !was.is_empty() {
            Compared {
                file,
                ci,
                was,
                is,
                elsewhere,
                found: &found,
                left: Cell::new(MOST),
                gone: files.iter().filter(|f| f.now.is_none()).map(|f| f.path).collect(),
            }
            .look(out);
        }
    }
}

struct Compared<'f, 'a> {
    file: &'f FileChange<'a>,
    ci: bool,
    was: &'f [Run],
    is: &'f [Run],
    /// What is run now in any file that changed, and whether it is new there, or in this file.
    elsewhere: Vec<(&'f Ran, bool)>,
    /// What was found by lines.
    found: &'f [Finding],
    /// Files that are gone.
    gone: Vec<&'a str>,
    /// How many comparisons of two checks are left.
    left: Cell<u32>,
}

impl Compared<'_, '_> {
    fn look(&self, out: &mut Vec<Finding>) {
        let mut told: BTreeSet<String> = BTreeSet::new();
        // Those that are checks by their names come first.
        let (checks, others): (Vec<&Run>, Vec<&Run>) =
            self.was.iter().partition(|r| r.named != CheckKinds::default());
        for recipe in checks.into_iter().chain(others) {
            let now = self.is.iter().find(|r| r.name == recipe.name);
            let after = now.map(|r| reached(self.is, r));
            let mut gone: Vec<(&str, Severity)> = Vec::new();
            let mut unheard: Vec<(&str, u32)> = Vec::new();
            for check in reached(self.was, recipe).into_iter().filter(|c| c.counts) {
                if told.contains(check.words.as_str()) {
                    continue;
                }
                match self.less(recipe, check, after.as_deref()) {
                    Some(Less::Told(line, severity, words)) => {
                        told.insert(check.words.clone());
                        out.push(finding(self.file, line, severity, words));
                    }
                    Some(Less::Unheard(line)) => unheard.push((&check.words, line)),
                    Some(Less::Gone(severity)) => gone.push((&check.words, severity)),
                    None => {}
                }
            }
            if let Some((_, line)) = unheard.first() {
                let names: Vec<String> = unheard
                    .iter()
                    .map(|(words, _)| format!("`{}`", shown(words)))
                    .collect();
                let names = super::super::listed(&names);
                let words = format!("{}: a failure of {names} counts no more", self.place(recipe));
                out.push(finding(self.file, Some(*line), Severity::Block, words));
            }
            told.extend(unheard.iter().map(|(words, _)| (*words).to_owned()));
            self.tell_gone(recipe, now, &gone, &mut told, out);
            let named = recipe.named != CheckKinds::default() && self.file.now.is_some();
            let all = after.as_deref().unwrap_or_default();
            if let Some(now) = now.filter(|now| named && recipe.does > 0 && now.does == 0 && all.is_empty()) {
                let nothing = now.runs.iter().all(|need| {
                    let found = self.is.iter().find(|r| r.name == *need);
                    found.is_none_or(|r| r.does == 0)
                });
                let known = reached(self.was, recipe)
                    .iter()
                    .any(|c| told.contains(c.words.as_str()));
                if nothing && !known {
                    let words = format!("`{}` of {} checks nothing any more", recipe.name, self.file.path);
                    out.push(finding(self.file, Some(now.line), Severity::Block, words));
                }
            }
        }
    }

    /// In what a check of a recipe asks for less by now: where, how sure, and in words. `after`: what the recipe runs now.
    fn less(&self, recipe: &Run, check: &Ran, after: Option<&[&Ran]>) -> Option<Less> {
        // What is only built is not checked, as long as it is built.
        let built = check.kinds == CheckKinds::from(CheckKind::Build);
        let path = self.file.path;
        let shown = shown(&check.words);
        let own = after.unwrap_or_default();
        // Most checks are as they were: they cost no comparison.
        if own.iter().any(|ran| {
            ran.counts && ran.words == check.words && ran.argv == check.argv && ran.partial == check.partial
        }) {
            return None;
        }
        if own
            .iter()
            .any(|ran| ran.counts && no_less(ran, check, &self.left))
        {
            return None;
        }
        let others = || self.elsewhere.iter().filter(|(_, new)| *new).map(|(ran, _)| *ran);
        let moved = others().find(|ran| ran.counts && no_less(ran, check, &self.left));
        // A recipe that is gone may stand under another name, in this file or in another one.
        if after.is_none() && moved.is_some() {
            return None;
        }
        if let Some(ran) = own
            .iter()
            .find(|ran| !ran.counts && no_less(ran, check, &self.left))
        {
            // Its line says so by itself.
            let told = |f: &&Finding| {
                let near = f.line.is_some_and(|line| (ran.line..=ran.until).contains(&line));
                f.path == path && f.severity == Severity::Block && near
            };
            if self.ci && ran.forgiven || self.found.iter().any(|f| told(&f)) {
                return None;
            }
            return Some(Less::Unheard(ran.line));
        }
        // Of steps of CI that are gone, others tell.
        if self.ci {
            return None;
        }
        let new = |ran: &&&Ran| {
            let was = self.was.iter().flat_map(|r| &r.checks);
            !was.into_iter().any(|w| w.words == ran.words)
        };
        let same_kind: Vec<&&Ran> = own
            .iter()
            .filter(|ran| ran.counts && ran.kinds == check.kinds)
            .filter(new)
            .collect();
        let tool = is_tool(&check.words);
        let alike = |ran: &&&&Ran| tool && same_program(&ran.words, &check.words);
        if let Some(ran) = same_kind.iter().find(alike) {
            if built
                && !ran
                    .argv
                    .iter()
                    .any(|word| !check.argv.contains(word) && eases(ran, word))
            {
                return None;
            }
            if self.went_elsewhere(check, ran) {
                return None;
            }
            let part = ran.partial && !check.partial;
            let narrowed = commands::narrowed(&check.words, &ran.words) == Some(true);
            // How tests are run has many options; what a linter or compiler leaves alone has few.
            let tests = check.kinds.has(CheckKind::Tests);
            let severity = if part || narrowed || !tests {
                Severity::Block
            } else {
                Severity::Note
            };
            let words = format!(
                "{} asks for less: `{}` where it was `{shown}`",
                self.place(recipe),
                super::shown(&ran.words)
            );
            return Some(Less::Told(Some(ran.line), severity, words));
        }
        if built {
            return None;
        }
        if let Some(ran) = same_kind.first() {
            let words = format!(
                "{} runs `{}` where it ran `{shown}`",
                self.place(recipe),
                super::shown(&ran.words)
            );
            let severity = if ran.partial && !check.partial {
                Severity::Block
            } else {
                Severity::Note
            };
            return Some(Less::Told(Some(ran.line), severity, words));
        }
        // One that still runs elsewhere, and is no matter of this recipe by its name, is only told.
        let kept = self
            .elsewhere
            .iter()
            .any(|(ran, _)| ran.counts && no_less(ran, check, &self.left));
        let own_matter = recipe.named != CheckKinds::default()
            && [CheckKind::Tests, CheckKind::Lint, CheckKind::Types]
                .into_iter()
                .any(|kind| recipe.named.has(kind) && check.kinds.has(kind));
        // A release that is gone checks nothing any more.
        let other = after.is_none() && recipe.named == CheckKinds::default() && !recipe.name.contains('.');
        let severity = if kept && !own_matter || other {
            Severity::Note
        } else {
            Severity::Block
        };
        Some(Less::Gone(severity))
    }

    /// Where a recipe stands, in words.
    fn place(&self, recipe: &Run) -> String {
        let path = self.file.path;
        if recipe.name.is_empty() {
            path.to_owned()
        } else {
            format!("`{}` of {path}", recipe.name)
        }
    }

    /// Whether what a check named has another path now: the files of the old one are gone.
    fn went_elsewhere(&self, check: &Ran, ran: &Ran) -> bool {
        let mut lost = check
            .argv
            .iter()
            .filter(|word| !ran.argv.contains(word) && !word.starts_with('-'));
        let moved = |word: &String| {
            let folder = word.trim_start_matches("./").trim_end_matches('/');
            let below = |path: &str| {
                path.strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
            };
            self.gone.iter().any(|path| below(path))
        };
        lost.any(moved)
    }

    fn tell_gone(
        &self,
        recipe: &Run,
        now: Option<&Run>,
        gone: &[(&str, Severity)],
        told: &mut BTreeSet<String>,
        out: &mut Vec<Finding>,
    ) {
        let path = self.file.path;
        // Its line may say so by itself.
        let line = now.map(|r| r.line);
        let by_line = |f: &&Finding| f.path == path && f.line == line && f.severity == Severity::Block;
        if line.is_some() && self.found.iter().any(|f| by_line(&f)) {
            told.extend(gone.iter().map(|(words, _)| (*words).to_owned()));
            return;
        }
        for severity in [Severity::Block, Severity::Note] {
            let names: Vec<String> = gone
                .iter()
                .filter(|(_, s)| *s == severity)
                .map(|(words, _)| format!("`{}`", shown(words)))
                .collect();
            if names.is_empty() {
                continue;
            }
            let names = super::super::listed(&names);
            let words = match now {
                Some(_) => format!("`{}` of {path} does not run any more {names}", recipe.name),
                None => format!("`{}` of {path} is gone, which ran {names}", recipe.name),
            };
            out.push(finding(self.file, now.map(|r| r.line), severity, words));
        }
        told.extend(gone.iter().map(|(words, _)| (*words).to_owned()));
    }
}

/// What is to be said of a check that asks for less.
enum Less {
    /// It is run, and its failure counts no more: where.
    Unheard(u32),
    /// Where, how sure, and in words.
    Told(Option<u32>, Severity, String),
    /// It is not run any more.
    Gone(Severity),
}

/// Whether a check asks for no less than another one.
fn no_less(is: &Ran, was: &Ran, left: &Cell<u32>) -> bool {
    let eased = is
        .argv
        .iter()
        .any(|word| !was.argv.contains(word) && eases(is, word));
    if is.words == was.words || eased {
        return !eased;
    }
    if is.kinds != was.kinds || is.partial && !was.partial || !same_program(&is.words, &was.words) {
        return false;
    }
    if !is_tool(&was.words) {
        let there: Vec<&str> = is.words.split_whitespace().collect();
        return was.words.split_whitespace().all(|word| there.contains(&word));
    }
    let Some(rest) = left.get().checked_sub(1) else {
        return false;
    };
    left.set(rest);
    // Fewer options ask for less only where they made it stricter.
    let fewer = is.argv.iter().all(|word| was.argv.contains(word));
    let strict = |word: &String| {
        let word = word.to_lowercase();
        [
            "strict",
            "fail",
            "error",
            "warn",
            "max",
            "cov",
            "enable",
            "select",
            "extend",
            "deny",
            "disallow",
            "check",
            "all",
            "feature",
            "target",
            "workspace",
            "race",
            "ext",
            "type",
        ]
        .iter()
        .any(|part| word.contains(part))
            || !word.starts_with("--")
    };
    // The value of an option goes with it.
    let of_option = |at: usize| {
        at.checked_sub(1)
            .and_then(|n| was.argv.get(n))
            .is_some_and(|w| w.starts_with("--"))
    };
    let mut lost = was
        .argv
        .iter()
        .enumerate()
        .filter(|(at, word)| !is.argv.contains(word) && (word.starts_with('-') || !of_option(*at)))
        .map(|(_, word)| word);
    if fewer && !lost.any(strict) {
        return true;
    }
    matches!(again(&is.words, &was.words, true), Again::Whole | Again::Usual)
        || commands::narrowed(&was.words, &is.words) == Some(false)
}

/// Whether an option makes a linter or a compiler say less, by its words: `--quiet`, `--noCheck`, `--ignore-pattern x`.
fn eases(check: &Ran, option: &str) -> bool {
    if check.kinds.has(CheckKind::Tests) || !option.starts_with('-') {
        return false;
    }
    let name = option.split('=').next().unwrap_or(option);
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let plain = plain.to_lowercase();
    let lint = check.kinds.has(CheckKind::Lint);
    plain == "quiet" && lint && HIDES.iter().any(|program| check.words.starts_with(program))
        || [
            "nocheck",
            "skiplibcheck",
            "transpileonly",
            "exitzero",
            "noerror",
            "warnonly",
            "softfail",
        ]
        .iter()
        .any(|part| plain == *part)
        || lint
            && ["ignorepattern", "exclude", "disable", "skip"]
                .iter()
                .any(|part| plain.contains(part))
}

/// Linters of whose findings `--quiet` hides some; others only say less around them.
const HIDES: [&str; 4] = ["eslint", "stylelint", "oxlint", "tslint"];

fn same_program(one: &str, other: &str) -> bool {
    let program = |words: &str| words.split_whitespace().next().unwrap_or_default().to_owned();
    program(one) == program(other)
}

/// The checks that a recipe comes to, by itself and by others.
fn reached<'r>(all: &'r [Run], recipe: &'r Run) -> Vec<&'r Ran> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut waiting = vec![recipe];
    let mut out = Vec::new();
    while let Some(next) = waiting.pop() {
        if !seen.insert(&next.name) {
            continue;
        }
        // What is only another recipe is looked at there.
        let stands = |ran: &&Ran| {
            ran.calls
                .as_ref()
                .is_none_or(|name| !all.iter().any(|r| r.name == *name))
        };
        out.extend(next.checks.iter().filter(stands));
        waiting.extend(all.iter().filter(|r| next.runs.contains(&r.name)));
    }
    out
}

impl Run {
    fn of(recipe: &Recipe) -> Self {
        let mut run = Self {
            name: recipe.name.clone(),
            line: recipe.line,
            checks: Vec::new(),
            runs: recipe.needs.clone(),
            does: 0,
            named: named(&recipe.name),
        };
        recipe.commands.iter().for_each(|command| run.take(command));
        run
    }

    fn take(&mut self, command: &Command) {
        let found = analyse(&command.text, &[]);
        for check in &found.checks {
            let argv = found.commands.get(check.command).map(|c| c.argv.clone());
            // What cannot be read may count as well.
            let calls = argv.as_deref().and_then(called).map(str::to_owned);
            let masked = check.masks.iter().any(|mask| *mask != Mask::Unanalysable);
            self.checks.push(Ran {
                words: check.check.clone(),
                argv: argv.unwrap_or_default(),
                kinds: check.kinds,
                partial: check.partial,
                counts: !masked && !command.forgiven,
                calls,
                forgiven: command.forgiven,
                line: command.line,
                until: command.line
                    + u32::try_from(command.text.lines().count()).unwrap_or(u32::MAX - command.line),
            });
        }
        for simple in &found.commands {
            let mut argv = simple.argv.iter().map(String::as_str);
            let program = argv.next().unwrap_or_default();
            let program = program.rsplit('/').next().unwrap_or(program);
            let words = argv.filter(|w| !w.starts_with('-') && !w.contains('='));
            match program {
                "make" | "gmake" | "just" | "task" | "npm-run-all" | "run-s" | "run-p" => {
                    self.runs.extend(words.map(str::to_owned));
                }
                _ => self.runs.extend(called(&simple.argv).map(str::to_owned)),
            }
            let idle = program.is_empty() || IDLE.contains(&program);
            self.does += usize::from(!idle && !command.forgiven);
        }
        // What cannot be read may do anything.
        self.does += usize::from(found.unanalysable.is_some() && !command.forgiven);
    }
}

/// The recipe of its own file that a command runs: `npm run lint`, `make lint`.
fn called(argv: &[String]) -> Option<&str> {
    let mut words = argv.iter().map(String::as_str).filter(|w| !w.starts_with('-'));
    let program = words.next()?;
    let first = words.next()?;
    let name = match program {
        "make" | "gmake" | "just" | "task" => first,
        "npm" | "pnpm" | "yarn" | "bun" | "composer" if matches!(first, "run" | "run-script") => {
            words.next()?
        }
        "npm" | "pnpm" | "yarn" | "bun" | "composer" => first,
        _ => return None,
    };
    words.next().is_none().then(|| name.trim_start_matches('@'))
}

/// What a recipe verifies, as far as its name says.
fn named(name: &str) -> CheckKinds {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_:.".contains(c));
    if !plain {
        return CheckKinds::default();
    }
    let found = analyse(&format!("make {name}"), &[]).checks;
    let kinds = found.first().map(|check| check.kinds).unwrap_or_default();
    if kinds == CheckKinds::from(CheckKind::Build) {
        CheckKinds::default()
    } else {
        kinds
    }
}

/// The steps of a file of CI, each read once.
pub(super) struct Steps<'l, 'a> {
    /// The lines that run checks, each with whether the shell sees them, and what they are.
    lines: Vec<(&'l super::Line<'a>, bool, Vec<Ran>)>,
    left: Cell<u32>,
}

impl<'l, 'a> Steps<'l, 'a> {
    pub(super) fn of(lines: &'l [super::Line<'a>]) -> Self {
        let runs = lines.iter().filter(|l| super::keys::runs_check(l.text));
        Self {
            lines: runs.map(|l| (l, is_check(l.text), read_line(l.text))).collect(),
            left: Cell::new(MOST),
        }
    }

    /// The lines that run checks, and whether the shell sees them.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&'l super::Line<'a>, bool)> {
        self.lines.iter().map(|(line, check, _)| (*line, *check))
    }

    /// Whether one of them runs all checks of a line, over no less and as strictly.
    pub(super) fn do_again(&self, was: &str) -> bool {
        let was = read_line(was);
        let does = |is: &[Ran]| {
            was.iter()
                .all(|check| is.iter().any(|ran| ran.counts && no_less(ran, check, &self.left)))
        };
        !was.is_empty() && self.lines.iter().any(|(_, _, is)| does(is))
    }
}

/// The checks of one line of CI.
fn read_line(line: &str) -> Vec<Ran> {
    let command = Command {
        text: super::keys::command(line).to_owned(),
        line: 0,
        forgiven: false,
    };
    let mut run = Run::of(&Recipe::default());
    run.take(&command);
    run.checks
}

/// Whether a line of CI runs something that checks, as the shell reads it.
pub(super) fn is_check(line: &str) -> bool {
    let found = analyse(super::keys::command(line), &[]);
    let runs = |check: &proctor_shell::Check| {
        // What an argument is made of is none.
        check.kinds != CheckKinds::from(CheckKind::Build) && !check.masks.contains(&Mask::Control)
    };
    found.checks.iter().any(runs)
}
