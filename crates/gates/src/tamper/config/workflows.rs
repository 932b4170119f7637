//! What decides in CI whether steps are run, and on what: the shell, the events, the commit that is checked out.

use super::super::{FileChange, Finding, Severity};
use super::{Line, finding, keys, lines, shown};
use std::collections::BTreeSet;

/// Compares two forms of a workflow that runs checks.
pub(super) fn look(file: &FileChange<'_>, out: &mut Vec<Finding>) {
    let (Some(base), Some(now)) = (file.base, file.now) else {
        return;
    };
    let (base, now) = (lines(file.path, base), lines(file.path, now));
    if !base.iter().any(|l| keys::runs_check(l.text)) {
        return;
    }
    shells(file, &base, &now, out);
    if file.path.starts_with(".github/workflows/") {
        events(file, &base, &now, out);
        checkouts(file, &base, &now, out);
        matrices(file, &base, &now, out);
    }
}

/// Programs that run what a step holds.
const SHELLS: [&str; 12] = [
    "bash",
    "sh",
    "zsh",
    "dash",
    "fish",
    "pwsh",
    "powershell",
    "cmd",
    "python",
    "python3",
    "node",
    "nix-shell",
];

/// A shell that does not run the step: `/bin/true {0}`, `bash -c "true" {0}`.
fn shells(file: &FileChange<'_>, base: &[Line<'_>], now: &[Line<'_>], out: &mut Vec<Finding>) {
    let known: BTreeSet<&str> = base.iter().map(|l| l.text.trim()).collect();
    for line in now.iter().filter(|l| keys::key(l.text) == Some("shell")) {
        let value = keys::value(line.text).unwrap_or_default();
        let mut words = value.split_whitespace();
        let program = words.next().unwrap_or_default();
        let program = program.rsplit('/').next().unwrap_or(program);
        let program = program.strip_suffix(".exe").unwrap_or(program);
        let own = words.any(|w| matches!(w, "-c" | "-n" | "-e=" | "-Command"));
        let runs = (SHELLS.contains(&program) && !own) || value.contains("${{") || value.is_empty();
        // A program that takes another shell's place is told of; one that is no program of that kind stops.
        let hands_on =
            value.contains("{0}") && !own && !matches!(program, "true" | "echo" | ":" | "cat" | "test");
        if !runs && !hands_on && !known.contains(line.text.trim()) {
            let words = format!("{} runs steps by `{}`", file.path, shown(value));
            out.push(finding(file, Some(line.number), Severity::Block, words));
        }
    }
}

/// Events by which a workflow begins without anybody's doing.
const OF_THEMSELVES: [&str; 6] = [
    "push",
    "pull_request",
    "pull_request_target",
    "merge_group",
    "schedule",
    "workflow_run",
];

fn events(file: &FileChange<'_>, base: &[Line<'_>], now: &[Line<'_>], out: &mut Vec<Finding>) {
    let read = |lines: &[Line<'_>]| -> BTreeSet<String> {
        let is_on = |l: &&Line<'_>| {
            let text = l.text.trim_start_matches(['"', '\'']);
            text.starts_with("on") && matches!(keys::key(l.text), Some("on"))
        };
        let own = lines.iter().filter(is_on).flat_map(|l| {
            let value = keys::value(l.text).unwrap_or_default();
            super::pairing::items(value)
        });
        // Only those one step in: `branches` of an event is none.
        let below = lines
            .iter()
            .filter(|l| l.within.trim() == "on")
            .flat_map(|l| super::pairing::items(keys::key(l.text).unwrap_or(l.text)));
        own.chain(below).collect()
    };
    let (was, is) = (read(base), read(now));
    let of_themselves = |events: &BTreeSet<String>| {
        let known = events.iter().filter(|e| OF_THEMSELVES.contains(&e.as_str()));
        known.cloned().collect::<Vec<_>>()
    };
    let (was, had) = (of_themselves(&was), was);
    if was.is_empty() || is.is_empty() {
        return;
    }
    if of_themselves(&is).is_empty() && !is.contains("workflow_call") {
        let words = format!(
            "{} does not run by itself any more: it did at {}",
            file.path,
            was.join(", ")
        );
        out.push(finding(file, None, Severity::Block, words));
        return;
    }
    let gone: Vec<String> = had
        .difference(&is)
        .filter(|e| matches!(e.as_str(), "push" | "pull_request"))
        .cloned()
        .collect();
    if !gone.is_empty() {
        let words = format!("{} does not run any more at {}", file.path, gone.join(", "));
        out.push(finding(file, None, Severity::Note, words));
    }
}

/// Steps that take a given commit in the place of the one that is to be checked.
fn checkouts(file: &FileChange<'_>, base: &[Line<'_>], now: &[Line<'_>], out: &mut Vec<Finding>) {
    let (plain, _) = checked_out(base);
    let (still, other) = checked_out(now);
    if let Some(line) = other.filter(|_| still < plain) {
        let words = format!("{} checks another commit than the one it is run for", file.path);
        out.push(finding(file, Some(line), Severity::Block, words));
    }
}

/// How many steps check out the commit that the run is for, and a line that names another one by a given name.
fn checked_out(lines: &[Line<'_>]) -> (usize, Option<u32>) {
    let indent = |l: &Line<'_>| l.text.len() - l.text.trim_start().len();
    let (mut plain, mut other) = (0, None);
    for (at, line) in lines.iter().enumerate() {
        if keys::key(line.text) != Some("uses") || !line.text.contains("actions/checkout@") {
            continue;
        }
        let dash = line.text.trim_start().starts_with("- ");
        let edge = indent(line).saturating_sub(if dash { 0 } else { 2 });
        let rest = lines.get(at + 1..).unwrap_or_default();
        let step: Vec<&Line<'_>> = rest.iter().take_while(|l| indent(l) > edge).collect();
        let text = |l: &&Line<'_>| l.text.trim().trim_start_matches("with:").trim().to_owned();
        let said: Vec<String> = step.iter().map(text).collect();
        let has = |key: &str| {
            said.iter().any(|l| {
                let inside = l.trim_matches(['{', '}', ' ']);
                inside.split(',').any(|part| part.trim().starts_with(key))
            })
        };
        let given = has("ref:") && !said.iter().any(|l| l.contains("ref:") && l.contains("${{"));
        if given && !has("repository:") && !has("path:") {
            other = other.or(Some(line.number));
        } else {
            plain += 1;
        }
    }
    (plain, other)
}

/// A matrix that leaves out each value of one of its keys: nothing of the job is run.
fn matrices(file: &FileChange<'_>, base: &[Line<'_>], now: &[Line<'_>], out: &mut Vec<Finding>) {
    let known: BTreeSet<u32> = emptied(base).into_iter().map(|(_, keys)| keys).collect();
    for (line, count) in emptied(now) {
        if known.is_empty() || !known.contains(&count) {
            let words = format!("{} leaves out all that a matrix stands for", file.path);
            out.push(finding(file, Some(line), Severity::Block, words));
        }
    }
}

/// The lines at which such matrices exclude, and how many values they had.
fn emptied(lines: &[Line<'_>]) -> Vec<(u32, u32)> {
    let of_matrix = |l: &&Line<'_>| l.within.split(' ').any(|key| key == "matrix");
    let excludes = |l: &&Line<'_>| keys::key(l.text) == Some("exclude") && of_matrix(l);
    let mut found = Vec::new();
    for line in lines.iter().filter(excludes) {
        let below = lines
            .iter()
            .filter(|l| l.number > line.number && l.within.starts_with(&format!("{} exclude", line.within)));
        let text: String = std::iter::once(line.text)
            .chain(below.map(|l| l.text))
            .collect::<Vec<_>>()
            .join("\n");
        // Entries with one key alone: `{ py: "3.9" }`, `- py: "3.9"`.
        let entries = text.split(['{', '}', '\n']).filter(|e| !e.contains(','));
        let pairs: BTreeSet<(&str, &str)> = entries
            .filter_map(|entry| {
                let (key, value) = entry.trim().trim_start_matches("- ").split_once(':')?;
                Some((key.trim(), value.trim().trim_matches(['"', '\''])))
            })
            .filter(|(_, value)| !value.is_empty())
            .collect();
        let axes = lines
            .iter()
            .filter(|l| l.within == line.within && l.number != line.number);
        for axis in axes {
            let (Some(key), Some(list)) = (keys::key(axis.text), axis.text.split_once('[')) else {
                continue;
            };
            let values = list.1.trim_end_matches([']', ' ']).split(',');
            let values: Vec<&str> = values.map(|v| v.trim().trim_matches(['"', '\''])).collect();
            if values.iter().all(|value| pairs.contains(&(key, value))) {
                found.push((line.number, u32::try_from(values.len()).unwrap_or(u32::MAX)));
            }
        }
    }
    found
}
