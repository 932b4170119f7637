//! Configuration of CI, linters, coverage and runners: what in it demands less than at the base.
//!
//! These files come in a dozen formats. What they have in common is read: lines without their comments, the key of a
//! line, and the key above it. A line counts when it is new.

mod asks;
mod checks;
mod commands;
mod keys;
mod known;
mod pairing;
mod places;
mod recipes;
mod workflows;

use super::lang::{is_fixture, name};
use super::{FileChange, Finding, Kind, Severity};
use keys::{Loosening, loosening, threshold};
use known::Known;
use std::collections::BTreeMap;

/// What a file configures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Ci,
    Lint,
    Coverage,
    Runner,
    /// A project's file that holds several of these and much else.
    Project,
    /// Commands for building and testing.
    Scripts,
}

impl Sort {
    /// By the path.
    pub(super) fn of(path: &str) -> Option<Self> {
        let name = name(path);
        let yaml = path.ends_with(".yml") || path.ends_with(".yaml");
        let ci = (path.starts_with(".github/workflows/") || path.starts_with(".github/actions/")) && yaml
            || path.starts_with(".circleci/")
            || path.starts_with(".buildkite/")
            || matches!(
                name,
                ".gitlab-ci.yml"
                    | ".travis.yml"
                    | "azure-pipelines.yml"
                    | "bitbucket-pipelines.yml"
                    | ".drone.yml"
                    | "Jenkinsfile"
                    | "appveyor.yml"
                    | ".appveyor.yml"
                    | ".cirrus.yml"
                    | ".pre-commit-config.yaml"
                    | "lefthook.yml"
            );
        if ci {
            return Some(Self::Ci);
        }
        let begins = |starts: &[&str]| starts.iter().any(|s| name.starts_with(s));
        if begins(&[
            ".eslintrc",
            "eslint.config.",
            ".eslintignore",
            "biome.json",
            ".stylelintrc",
            ".flake8",
            "ruff.toml",
            ".ruff.toml",
            "mypy.ini",
            ".mypy.ini",
            ".pylintrc",
            "pylintrc",
            "pyrightconfig.json",
            "clippy.toml",
            ".clippy.toml",
            ".golangci.",
            ".rubocop",
            "phpstan.",
            "psalm.",
            ".php-cs-fixer",
            "tsconfig",
            ".swiftlint",
            "detekt",
            "checkstyle",
            ".oxlintrc",
            "deny.toml",
        ]) {
            return Some(Self::Lint);
        }
        if begins(&[
            ".coveragerc",
            "codecov.",
            ".codecov.",
            ".nycrc",
            "tarpaulin.toml",
            ".tarpaulin.toml",
            ".simplecov",
            ".c8rc",
        ]) {
            return Some(Self::Coverage);
        }
        if begins(&[
            "pytest.ini",
            "tox.ini",
            "conftest.py",
            "jest.config.",
            "jest.setup.",
            "vitest.",
            "vite.config.",
            ".mocharc",
            "karma.conf.",
            "playwright.config.",
            "cypress.config.",
            "nextest.toml",
            "phpunit.xml",
            ".rspec",
            "noxfile.py",
            "ava.config.",
        ]) || path.ends_with(".cargo/config.toml")
        {
            return Some(Self::Runner);
        }
        if matches!(
            name,
            "package.json"
                | "pyproject.toml"
                | "setup.cfg"
                | "Cargo.toml"
                | "pom.xml"
                | "build.gradle"
                | "build.gradle.kts"
                | "composer.json"
                | "CMakeLists.txt"
        ) || name.ends_with(".csproj")
        {
            return Some(Self::Project);
        }
        let in_folder = path
            .split('/')
            .any(|p| matches!(p, "scripts" | "ci" | "bin" | ".github"));
        let named = name.split(['-', '_', '.']).any(|word| {
            matches!(
                word,
                "test" | "tests" | "check" | "checks" | "lint" | "ci" | "verify"
            )
        });
        let script = matches!(
            name,
            "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" | "Taskfile.yml" | "Rakefile"
        ) || (path.ends_with(".sh") && (in_folder || named));
        script.then_some(Self::Scripts)
    }

    fn what(self) -> &'static str {
        match self {
            Self::Ci => "CI",
            Self::Lint => "the linter",
            Self::Coverage => "coverage",
            Self::Runner => "the test runner",
            Self::Project => "the project",
            Self::Scripts => "a build script",
        }
    }
}

/// A line of a configuration, without its comment.
pub(super) struct Line<'a> {
    pub(super) number: u32,
    pub(super) text: &'a str,
    /// The key of a line further out, under which this one stands, in lower case.
    pub(super) above: String,
    /// All keys further out, and the section, outermost first.
    pub(super) within: String,
}

pub(super) fn look(files: &[FileChange<'_>], all: &mut Vec<Finding>) {
    let out = &mut Vec::new();
    // A step that moved to another file of the same sort is not gone.
    let ci_now: Vec<&str> = files
        .iter()
        .filter(|f| Sort::of(f.path) == Some(Sort::Ci))
        .filter_map(|f| f.now)
        .flat_map(str::lines)
        .map(normal)
        .collect();
    let packages = gone_packages(files);
    let settled = pairing::moved(files, &packages, out);
    let mut silent = Vec::new();
    for file in files {
        let Some(sort) = Sort::of(file.path) else { continue };
        let before = out.len();
        if file.now.is_none() {
            let alone = !settled.has_partner(file.path);
            gone(file, sort, &ci_now, alone, &packages, out);
            continue;
        }
        let base = settled.left(file.path, file.base);
        let now = settled.left(file.path, file.now);
        let left = FileChange {
            path: file.path,
            base: base.as_deref().or(file.base),
            now: now.as_deref().or(file.now),
        };
        compare(&left, sort, &ci_now, out);
        asks::look(&left, sort, out);
        if sort == Sort::Ci {
            workflows::look(&left, out);
        }
        if sort == Sort::Ci && out.len() == before {
            silent.push(file);
        }
    }
    checks::look(files, out);
    for file in silent {
        if !out.iter().any(|f| f.path == file.path) {
            let words = format!("{} changed, which configures CI", file.path);
            out.push(finding(file, None, Severity::Note, words));
        }
    }
    // What a test runs a tool on configures no check of the project.
    let fixture = |f: &&mut Finding| is_fixture(&f.path);
    out.iter_mut()
        .filter(fixture)
        .for_each(|f| f.severity = Severity::Note);
    all.append(out);
}

fn finding(file: &FileChange<'_>, line: Option<u32>, severity: Severity, words: String) -> Finding {
    Finding {
        kind: Kind::ChecksLoosened,
        severity,
        path: file.path.to_owned(),
        line,
        words,
    }
}

/// Folders whose package is gone as a whole: what was configured there has nothing to be about any more.
fn gone_packages<'a>(files: &[FileChange<'a>]) -> Vec<&'a str> {
    const MANIFESTS: [&str; 5] = [
        "package.json",
        "Cargo.toml",
        "pyproject.toml",
        "go.mod",
        "composer.json",
    ];
    let gone = files
        .iter()
        .filter(|f| f.now.is_none() && MANIFESTS.contains(&name(f.path)));
    gone.filter_map(|f| f.path.rsplit_once('/'))
        .map(|(folder, _)| folder)
        .collect()
}

fn went_with(path: &str, packages: &[&str]) -> bool {
    let below = |folder: &&str| {
        path.strip_prefix(*folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    packages.iter().any(below)
}

/// A file that is there no more.
fn gone(
    file: &FileChange<'_>,
    sort: Sort,
    ci_now: &[&str],
    alone: bool,
    packages: &[&str],
    out: &mut Vec<Finding>,
) {
    let base = lines(file.path, file.base.unwrap_or_default());
    let words = format!("{} is gone, which configured {}", file.path, sort.what());
    let with_package = went_with(file.path, packages);
    let severity = match sort {
        // A workflow that greets people, or whose checks run elsewhere now, is no loss.
        Sort::Ci => {
            let again = |l: &Line<'_>| {
                ci_now.contains(&normal(l.text))
                    || ci_now
                        .iter()
                        .any(|now| commands::narrowed(l.text, now) == Some(false))
                    || commands::heir(l.text, ci_now.iter().copied()).is_some()
            };
            let checked = |l: &Line<'_>| keys::runs_check(l.text) && !again(l);
            if base.iter().any(checked) {
                Severity::Block
            } else {
                Severity::Note
            }
        }
        Sort::Lint | Sort::Coverage | Sort::Runner if !alone => return,
        Sort::Lint | Sort::Coverage | Sort::Runner if with_package => Severity::Note,
        Sort::Lint | Sort::Coverage | Sort::Runner => Severity::Block,
        // Of the files that hold much else only the one that holds little but this.
        Sort::Project
            if alone
                && name(file.path) == "setup.cfg"
                && places::tools(file.path)
                    .any(|tool| places::part(tool, file.path, file.base.unwrap_or_default()).is_some()) =>
        {
            Severity::Block
        }
        Sort::Project | Sort::Scripts => return,
    };
    out.push(finding(file, None, severity, words));
}

fn compare(file: &FileChange<'_>, sort: Sort, ci_now: &[&str], out: &mut Vec<Finding>) {
    let base = lines(file.path, file.base.unwrap_or_default());
    let now = lines(file.path, file.now.unwrap_or_default());
    // New lines: those that stand there more often than before.
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for line in &base {
        *known.entry((normal(line.text), line.above.as_str())).or_default() += 1;
    }
    let said = Known::of(&base);
    let mut found: Vec<(&Line<'_>, Loosening)> = Vec::new();
    for line in &now {
        let seen = known
            .get_mut(&(normal(line.text), line.above.as_str()))
            .filter(|n| **n > 0);
        if let Some(count) = seen {
            *count -= 1;
            continue;
        }
        // A file that is new configures what was not there, and so does a section for another linter: only what switches
        // a failure off is looked at.
        let new = file.base.is_none() || said.is_new_linter(line);
        let less = loosening(sort, line, new);
        // Another name for it in version 2 of golangci-lint.
        let renamed = line.text.trim() == "default: none"
            && base
                .iter()
                .any(|l| l.text.trim() == "disable-all: true" && l.above == line.above);
        if let Some(less) = less.filter(|_| !renamed && !said.holds(line, &now)) {
            found.push((line, less));
        }
    }
    let gone = |line: &&Line<'_>| {
        known
            .get(&(normal(line.text), line.above.as_str()))
            .is_some_and(|n| *n > 0)
    };
    // Where every step is still there, one that is new does more than was done, however little that is.
    let all_there = sort == Sort::Ci && !base.iter().filter(gone).any(|l| keys::runs_check(l.text));
    for (line, less) in found {
        let beside = all_there && is_run(line) && keys::is_whole(line.text);
        let less = if about_files(&now, line) || beside {
            Loosening::Possible
        } else {
            less
        };
        let (severity, lets) = match less {
            Loosening::Certain => (Severity::Block, "lets"),
            Loosening::Possible => (Severity::Note, "may let"),
        };
        let words = format!(
            "{} {lets} {} demand less: `{}`",
            file.path,
            sort.what(),
            shown(line.text)
        );
        out.push(finding(file, Some(line.number), severity, words));
    }
    thresholds(file, sort, &base, &now, out);
    if sort == Sort::Ci {
        let steps = checks::Steps::of(&now);
        for line in &base {
            let gone = known
                .get(&(normal(line.text), line.above.as_str()))
                .is_some_and(|n| *n > 0);
            // A word alone may be anything's name, but where commands stand.
            let command = keys::command(line.text).contains(' ') || is_run(line);
            if !gone
                || !command
                || !keys::runs_check(line.text)
                || ci_now.contains(&normal(line.text))
                || is_changed(line, &steps)
            {
                continue;
            }
            // Where a condition is new, nobody knows whether the new step is ever run.
            let new = |l: &&Line<'_>| !known.contains_key(&(normal(l.text), l.above.as_str()));
            let condition = |l: &Line<'_>| {
                keys::key(l.text)
                    .is_some_and(|k| matches!(k, "if" | "when" | "rules" | "only" | "except" | "needs"))
            };
            let conditions = now.iter().filter(new).any(condition);
            let new = now.iter().filter(new).filter(|l| !conditions && is_run(l));
            if let Some(heir) = commands::heir(line.text, new.map(|l| l.text)) {
                let lacks = heir.lacks.map(|what| format!("; {what}")).unwrap_or_default();
                let words = format!(
                    "{} runs `{}` where it ran `{}`{lacks}",
                    file.path,
                    shown(&heir.line),
                    shown(keys::command(line.text))
                );
                out.push(finding(file, None, Severity::Note, words));
                continue;
            }
            let words = format!("a step of {} is gone: `{}`", file.path, shown(line.text));
            out.push(finding(file, None, Severity::Block, words));
        }
    }
}

/// Whether a failure that is forgiven is one of a step that only carries files about.
fn about_files(lines: &[Line<'_>], line: &Line<'_>) -> bool {
    let indent = |l: &Line<'_>| l.text.len() - l.text.trim_start().len();
    let begins = |l: &Line<'_>| l.text.trim_start().starts_with("- ");
    if keys::key(line.text) != Some("continue-on-error") || indent(line) == 0 {
        return false;
    }
    let Some(at) = lines.iter().position(|l| l.number == line.number) else {
        return false;
    };
    // The step: from the line with its dash on, as far as lines stand further in than that.
    let deep = indent(line);
    let own = |l: &Line<'_>| begins(l) && indent(l) < deep || begins(l) && l.number == line.number;
    let Some(from) = lines.iter().take(at + 1).rposition(own) else {
        return false;
    };
    let edge = lines.get(from).map_or(0, indent);
    let rest = lines.get(from + 1..).unwrap_or_default();
    let step = lines
        .get(from)
        .into_iter()
        .chain(rest.iter().take_while(|l| indent(l) > edge));
    let keys: Vec<(&str, &str)> = step
        .filter_map(|l| Some((keys::key(l.text.trim_start())?, l.text)))
        .collect();
    let uses = keys.iter().find(|(key, _)| *key == "uses").map(|(_, text)| *text);
    !keys.iter().any(|(key, _)| *key == "run")
        && uses.is_some_and(|uses| {
            [
                "actions/upload-artifact@",
                "actions/download-artifact@",
                "actions/cache@",
            ]
            .iter()
            .any(|action| uses.contains(action))
        })
}

/// Whether a step was given another form and still runs the same check: a command that does the same work over as much,
/// or, where that is not known, one with all of its words.
fn is_changed(line: &Line<'_>, steps: &checks::Steps<'_, '_>) -> bool {
    // Figures have findings of their own.
    let is_check = checks::is_check(line.text);
    // What CI puts in the place of an expression may come another way.
    let text = without_expressions(line.text);
    let words: Vec<&str> = keys::unset(keys::command(&text))
        .split_whitespace()
        .filter(|w| w.parse::<f64>().is_err())
        .collect();
    // Names of steps and what is only printed run nothing.
    let runs = |(l, check): &(&Line<'_>, bool)| !is_check || *check || !is_run(l);
    if is_check && steps.do_again(line.text) {
        return true;
    }
    steps.lines().filter(runs).any(|(l, _)| {
        let there: Vec<&str> = l.text.split_whitespace().collect();
        let all = words.iter().all(|w| there.contains(w));
        match commands::narrowed(line.text, l.text) {
            Some(narrowed) => !narrowed,
            None => all,
        }
    })
}

/// A line without what stands in `${{ … }}`.
fn without_expressions(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("${{") {
        out.push_str(before);
        rest = behind.split_once("}}").map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

/// Whether a line is run: under the keys by which CI systems run commands.
fn is_run(line: &Line<'_>) -> bool {
    keys::key(line.text).is_some_and(|key| keys::RUNS.contains(&key))
        || keys::RUNS.contains(&line.above.as_str())
}

/// Figures that were lowered, or raised where more is looser.
fn thresholds(
    file: &FileChange<'_>,
    sort: Sort,
    base: &[Line<'_>],
    now: &[Line<'_>],
    out: &mut Vec<Finding>,
) {
    let read = |lines: &[Line<'_>]| -> BTreeMap<(String, &'static str), (f64, u32, bool)> {
        let found = lines.iter().filter_map(|l| {
            let (key, value, up) = threshold(sort, l)?;
            Some(((l.above.clone(), key), (value, l.number, up)))
        });
        found.collect()
    };
    let after = read(now);
    for ((above, key), (was, _, up)) in read(base) {
        match after.get(&(above, key)) {
            Some((is, line, _)) if (up && *is < was) || (!up && *is > was) => {
                let words = format!("{}: `{key}` was {was} and is {is}", file.path);
                out.push(finding(file, Some(*line), Severity::Block, words));
            }
            Some(_) => {}
            None if after.keys().any(|(_, k)| *k == key) => {}
            None => {
                let words = format!("{}: `{key}` was {was} and is gone", file.path);
                out.push(finding(file, None, Severity::Block, words));
            }
        }
    }
}

fn normal(line: &str) -> &str {
    line.trim().trim_end_matches(',')
}

fn shown(line: &str) -> String {
    let mut out: String = line
        .trim()
        .chars()
        .map(|c| if c == '`' { '\'' } else { c })
        .take(80)
        .collect();
    if line.trim().chars().count() > 80 {
        out.push('…');
    }
    out
}

/// Most keys further out that a line remembers.
const DEEP: usize = 8;

/// The lines with something on them, each with the key above it.
pub(super) fn lines<'a>(path: &str, text: &'a str) -> Vec<Line<'a>> {
    let slashes = [
        ".js", ".ts", ".mjs", ".cjs", ".mts", ".json", ".gradle", ".kts", ".jsonc", ".json5",
    ]
    .iter()
    .any(|end| path.ends_with(end))
        || name(path) == "Jenkinsfile";
    let mut out = Vec::new();
    // Open keys with how far in they stand; and the section of a file with `[sections]`.
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut section = String::new();
    for (at, raw) in text.lines().enumerate() {
        let text = without_comment(raw, slashes);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            continue;
        }
        let indent = text.len() - text.trim_start().len();
        if trimmed.starts_with('[')
            && trimmed.ends_with(']')
            && indent == 0
            && !trimmed.contains([',', '"', '\''])
        {
            section = trimmed.to_lowercase();
            open.clear();
        }
        while open.last().is_some_and(|(depth, _)| *depth >= indent) {
            open.pop();
        }
        let above = open
            .last()
            .map_or_else(|| section.clone(), |(_, key)| key.clone());
        let mut within = section.clone();
        for (_, key) in open.iter().rev().take(DEEP).rev() {
            within.push(' ');
            within.push_str(key);
        }
        out.push(Line {
            number: u32::try_from(at + 1).unwrap_or(u32::MAX),
            text,
            above,
            within,
        });
        let opens = trimmed.ends_with([':', '[', '{', '(', '=', '|', '>'])
            || trimmed.ends_with(">-")
            || trimmed.ends_with("|-");
        let key = keys::key(trimmed);
        if let Some(key) = key.filter(|_| opens || (trimmed.starts_with('<') && !trimmed.contains("</"))) {
            open.push((indent, key.to_lowercase()));
        }
    }
    out
}

/// A line up to its comment. A sign in quotes begins none.
fn without_comment(line: &str, slashes: bool) -> &str {
    let mut quote = None;
    let mut before = b' ';
    for (at, byte) in line.bytes().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte && before != b'\\' => quote = None,
            (None, b'#') if !slashes && before.is_ascii_whitespace() => {
                return line.get(..at).unwrap_or(line);
            }
            (None, b'/') if slashes && before == b'/' => return line.get(..at - 1).unwrap_or(line),
            _ => {}
        }
        before = byte;
    }
    line
}
