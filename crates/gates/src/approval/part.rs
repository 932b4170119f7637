//! A run of a part supports a claim about that part: whether the text says that it is one.

use super::claim::{Claim, ClaimKind};
use proctor_kernel::{CheckKind, CheckRun};

/// Words that claim the whole.
const ALL: &[&str] = &[
    "all",
    "every",
    "everything",
    "entire",
    "whole",
    "full",
    "complete",
    "entirety",
    "전체",
    "모든",
    "모두",
    "전부",
];

/// Words that claim a part.
const SOME: &[&str] = &[
    "targeted",
    "relevant",
    "related",
    "affected",
    "focused",
    "subset",
    "unit",
    "new",
    "newly",
    "added",
    "updated",
    "changed",
    "only",
    "specific",
    "these",
    "those",
    "this",
    "partial",
    "partially",
    "part",
    "selected",
    "corresponding",
    "관련",
    "해당",
    "일부",
    "새",
    "새로",
    "추가한",
    "추가된",
    "단위",
    "대상",
    "이번",
    "변경된",
    "신규",
];

/// Words of commands that name nothing of the project.
const COMMON: &[&str] = &[
    "test", "tests", "run", "src", "spec", "exec", "cargo", "pytest", "npm", "yarn", "pnpm", "bun", "jest",
    "vitest", "go", "make", "python", "python3", "unittest", "package", "filter", "exact", "the", "not",
    "and",
];

/// Whether a claim is one about the part that the run selected.
pub(super) fn is_said(text: &str, claim: &Claim, run: &CheckRun) -> bool {
    let said = claim.span.text.to_lowercase();
    let line = line(text, claim).to_lowercase();
    let names = names(run);
    if named(&line, &names) || counted(&said, run) {
        return true;
    }
    if words(&said).any(|w| ALL.contains(&w) || w.starts_with("전체") || w.starts_with("모든")) {
        return false;
    }
    // What is built or looked through is mostly what was changed. Tests that were not selected are not heard of.
    if !matches!(claim.kind, ClaimKind::Check(CheckKind::Tests)) {
        return true;
    }
    words(&said).any(|w| SOME.contains(&w)) || named(&text.to_lowercase(), &names)
}

/// The line in which a claim stands.
fn line<'a>(text: &'a str, claim: &'a Claim) -> &'a str {
    let around = || {
        let before = text.get(..claim.span.start)?;
        let behind = text.get(claim.span.end..)?;
        let from = before.rfind('\n').map_or(0, |at| at + 1);
        let to = claim.span.end + behind.find('\n').unwrap_or(behind.len());
        text.get(from..to)
    };
    around()
        .filter(|line| line.contains(claim.span.text.as_str()))
        .unwrap_or(&claim.span.text)
}

/// Words by which a reader knows the part: what is selected, and the folder.
fn names(run: &CheckRun) -> Vec<String> {
    let folder = run.cwd.rsplit('/').next().unwrap_or_default();
    let selected = run.check.split_whitespace().skip(1);
    selected
        .chain([folder])
        .flat_map(|word| word.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))))
        .map(|word| word.trim_matches('-').to_lowercase())
        .filter(|word| word.chars().count() > 2 && !COMMON.contains(&word.as_str()))
        .collect()
}

fn named(text: &str, names: &[String]) -> bool {
    names.iter().any(|name| {
        text.match_indices(name.as_str()).any(|(at, _)| {
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let behind = text.get(at + name.len()..).and_then(|t| t.chars().next());
            edge(before) && edge(behind)
        })
    })
}

/// Whether the claim tells the figure that the run printed.
fn counted(said: &str, run: &CheckRun) -> bool {
    let passed = run.summary.as_ref().and_then(|s| s.passed).filter(|n| *n > 0);
    passed.is_some_and(|n| {
        let figure = n.to_string();
        said.split(|c: char| !c.is_ascii_digit())
            .any(|word| word == figure)
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|w| !w.is_empty())
}
