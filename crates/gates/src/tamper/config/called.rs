//! Steps of CI that moved into a file of commands which the same change brings or changes: `run: ./scripts/ci.sh`, `make ci`,
//! `npm run ci`.

use super::super::FileChange;
use super::super::lang::name;
use super::checks::{self, MOST, Ran, Run, no_less, reached, read_line};
use super::recipes::{is_shell, recipes};
use super::{Sort, keys};
use proctor_shell::analyse;
use std::cell::Cell;

/// The files of commands of a change, as they are now.
pub(super) struct Files<'f> {
    files: Vec<(&'f str, Vec<Run>)>,
    /// How many comparisons of two checks are left.
    left: Cell<u32>,
}

impl<'f> Files<'f> {
    /// None where CI did not change: nothing asks then.
    pub(super) fn of(files: &[FileChange<'f>]) -> Self {
        let ci = files.iter().any(|f| Sort::of(f.path) == Some(Sort::Ci));
        let read = |file: &FileChange<'f>| {
            let sort = Sort::of(file.path).filter(|sort| matches!(sort, Sort::Scripts | Sort::Project))?;
            let found = recipes(file.path, sort, file.now?);
            Some((file.path, found.iter().map(Run::of).collect()))
        };
        Self {
            files: files.iter().filter(|_| ci).filter_map(read).collect(),
            left: Cell::new(MOST),
        }
    }

    /// Whether a line of CI comes to all checks of another one, over no less and as strictly, by a file that it calls and
    /// nothing else.
    pub(super) fn run(&self, line: &str, was: &str) -> bool {
        let command = keys::command(line);
        if self.files.is_empty() || keys::FORGIVES.iter().any(|sign| command.contains(sign)) {
            return false;
        }
        let found = analyse(command, &[]);
        let [simple] = found.commands.as_slice() else {
            return false;
        };
        if found.unanalysable.is_some() {
            return false;
        }
        let now = self.called_by(&simple.argv);
        let was = read_line(was);
        let again = |check: &Ran| {
            now.iter()
                .any(|ran| ran.counts && no_less(ran, check, &self.left))
        };
        !was.is_empty() && was.iter().all(again)
    }

    /// The checks that a command comes to by a file.
    fn called_by(&self, argv: &[String]) -> Vec<&Ran> {
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        let plain = |option: &str| {
            option
                .strip_prefix('-')
                .is_some_and(|letters| letters.chars().all(|c| matches!(c, 'e' | 'u' | 'x')))
        };
        let script = match words.as_slice() {
            ["bash" | "sh", path] => Some(path),
            ["bash" | "sh", option, path] if plain(option) => Some(path),
            [path] if path.contains('/') => Some(path),
            _ => None,
        };
        if let Some(path) = script {
            let path = path.strip_prefix("./").unwrap_or(path);
            let file = self.files.iter().find(|(p, _)| *p == path && is_shell(path));
            return file
                .and_then(|(_, all)| Some(reached(all, all.first()?)))
                .unwrap_or_default();
        }
        // Options may make it go on behind a failure, or run nothing.
        if words.iter().any(|word| word.starts_with('-')) {
            return Vec::new();
        }
        let program = words.first().copied().unwrap_or_default();
        let here = |path: &str| match program {
            "make" | "gmake" => matches!(path, "Makefile" | "makefile" | "GNUmakefile"),
            "just" => matches!(path, "justfile" | "Justfile"),
            "task" => path == "Taskfile.yml",
            "composer" => path == "composer.json",
            _ => path == "package.json",
        };
        let Some(recipe) = checks::called(argv) else {
            return Vec::new();
        };
        let file = self
            .files
            .iter()
            .find(|(path, _)| name(path) == *path && here(path));
        file.and_then(|(_, all)| Some(reached(all, all.iter().find(|run| run.name == recipe)?)))
            .unwrap_or_default()
    }
}
