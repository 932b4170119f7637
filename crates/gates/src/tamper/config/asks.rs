//! What a file of settings asked for and does not ask for any more: rules, lists of linters, presets, what makes a runner
//! stricter, tests that a build registers.

use super::super::lang::name;
use super::super::{FileChange, Finding, Severity};
use super::pairing::{builds_on_others, is_litter, items};
use super::places::{part, tools};
use super::{Line, Sort, finding, keys, lines};
use std::collections::{BTreeMap, BTreeSet};

/// Keys of lists whose entries ask for something.
const ASKS: [&str; 6] = [
    "enable",
    "select",
    "extend-select",
    "extend_select",
    "extends",
    "preset",
];

/// What one file asks for.
#[derive(Default)]
struct Asked {
    /// Rules and switches that are on, each as the file writes it.
    on: BTreeSet<String>,
    /// Those that are there and off, or weaker: lines tell of these.
    off: BTreeSet<String>,
    /// Entries of lists, with their key.
    listed: BTreeMap<String, BTreeSet<String>>,
    /// It takes over rules that stand elsewhere.
    preset: bool,
}

pub(super) fn look(file: &FileChange<'_>, sort: Sort, out: &mut Vec<Finding>) {
    let (Some(base), Some(now)) = (file.base, file.now) else {
        return;
    };
    if name(file.path) == "CMakeLists.txt" {
        registered(file, base, now, out);
        return;
    }
    if name(file.path) == "pom.xml" {
        skipped(file, base, now, out);
        return;
    }
    if name(file.path).ends_with("ignore") {
        ignored(file, base, now, out);
        return;
    }
    if !matches!(sort, Sort::Lint | Sort::Coverage | Sort::Runner | Sort::Project) {
        return;
    }
    for tool in tools(file.path) {
        let (Some(was), Some(is)) = (part(tool, file.path, base), part(tool, file.path, now)) else {
            continue;
        };
        let (was, is) = (
            Asked::of(file.path, tool.sort, tool.switches, &was),
            Asked::of(file.path, tool.sort, tool.switches, &is),
        );
        let mut less: Vec<String> = Vec::new();
        // `strict` of mypy asks for all that it has.
        let all = is.on.contains("strict");
        let lost = |rule: &&String| !all && !is.on.contains(*rule) && !is.off.contains(*rule);
        less.extend(was.on.iter().filter(lost).map(|rule| format!("`{rule}`")));
        for (key, entries) in &was.listed {
            let Some(there) = is.listed.get(key) else {
                // Where a list is gone as a whole, the tool's own stands in its place.
                if key == "enable" {
                    less.extend(entries.iter().map(|e| format!("`{e}` of `{key}`")));
                }
                continue;
            };
            let covered = |entry: &String| {
                let by = |other: &String| {
                    let all = matches!(other.as_str(), "all" | "default");
                    let prefix = key.ends_with("select") && entry.starts_with(other.as_str());
                    // The next version of the same set of rules.
                    let stem = |e: &str| e.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
                    all || prefix || key == "extends" && stem(entry) == stem(other)
                };
                there.iter().any(by) || is.listed.values().any(|list| list.contains(entry))
            };
            let gone: Vec<&String> = entries.iter().filter(|e| !covered(e)).collect();
            // Another set of rules in the place of one is no fewer.
            let replaced =
                matches!(key.as_str(), "extends" | "preset") && there.difference(entries).count() > 0;
            // Others in their place, or another version of the tool, in which they have other names.
            let others = key == "enable" && there.difference(entries).count() > 0;
            if others || key == "enable" && versions(base) != versions(now) {
                continue;
            }
            if !replaced {
                less.extend(gone.iter().map(|e| format!("`{e}` of `{key}`")));
            }
        }
        if was.preset && !is.preset && tool.sort == Sort::Lint {
            less.push("rules that stand elsewhere".to_owned());
        }
        if !less.is_empty() {
            let words = format!(
                "{} does not ask {} any more for {}",
                file.path,
                tool.name,
                super::super::listed(&less)
            );
            out.push(finding(file, None, Severity::Block, words));
        }
    }
}

/// The line of a file that says for which version of its tool it is written.
fn versions(text: &str) -> Option<&str> {
    text.lines().find(|l| l.starts_with("version:")).map(str::trim)
}

impl Asked {
    fn of(path: &str, sort: Sort, switches: bool, text: &str) -> Self {
        let mut asked = Self {
            preset: builds_on_others(text),
            ..Self::default()
        };
        for line in &lines(path, text) {
            asked.line(sort, switches, line);
        }
        asked
    }

    fn line(&mut self, sort: Sort, switches: bool, line: &Line<'_>) {
        let text = line.text.trim();
        let key = keys::key(text).unwrap_or_default().to_owned();
        let value = keys::value(text).unwrap_or_default().to_lowercase();
        let above = line.above.trim_matches(['[', ']', '"']);
        let above = above.rsplit('.').next().unwrap_or(above);
        let lower = key.to_lowercase();
        let list = [above, lower.as_str()].into_iter().find(|k| ASKS.contains(k));
        if let Some(list) = list.map(str::to_owned) {
            let named = if list == lower { value.as_str() } else { text };
            let mut entries = items(named);
            entries.retain(|item| *item != list);
            self.listed.entry(list).or_default().extend(entries);
            return;
        }
        // `filterwarnings = [` and, below it, `"error"`.
        let word = text.trim_matches([',', '"', '\'', ' ', '-']);
        if is_strict(above) && matches!(word, "error" | "true") {
            self.on.insert(above.to_owned());
            return;
        }
        let word = keys::first_word(&value);
        let strict = is_strict(&lower);
        let (on, off) = match sort {
            Sort::Lint => (
                matches!(word, "error" | "deny" | "forbid")
                    || word == "2" && value.len() <= 2
                    || word == "true" && (strict || switches && asks_for_types(&lower)),
                matches!(
                    word,
                    "off" | "none" | "allow" | "warn" | "warning" | "0" | "1" | "false"
                ),
            ),
            _ => (
                strict && matches!(word, "true" | "error" | "1" | "yes" | "on"),
                strict && matches!(word, "false" | "0" | "no" | "off" | "none"),
            ),
        };
        if on {
            self.on.insert(lower);
        } else if off && sort == Sort::Lint {
            // Of a runner's switch the line says nothing by itself.
            self.off.insert(lower);
        }
    }
}

/// Whether a key makes a run fail that would end well without it, by its words.
fn is_strict(key: &str) -> bool {
    let bare: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
    (bare.contains("strict")
        || bare.starts_with("fail")
        || bare.starts_with("forbid")
        || bare == "filterwarnings")
        && !bare.contains("fast")
        || bare.starts_with("disallow")
}

/// Switches of compilers and type checkers by which more is an error.
fn asks_for_types(key: &str) -> bool {
    [
        "noimplicit",
        "nounused",
        "nounchecked",
        "nofallthrough",
        "exact",
        "warn_",
        "check_",
        "branch",
        "report",
    ]
    .iter()
    .any(|start| key.starts_with(start))
}

/// Lists of what a linter leaves alone: `.eslintignore`.
fn ignored(file: &FileChange<'_>, base: &str, now: &str, out: &mut Vec<Finding>) {
    let read = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().map(str::trim);
        let own = lines.filter(|l| !l.is_empty() && !l.starts_with(['#', '!']));
        own.flat_map(items).collect()
    };
    let (was, is) = (read(base), read(now));
    // What stands below an entry of before was left out before.
    let known = |item: &str| {
        let below = |entry: &String| {
            item.strip_prefix(entry.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        was.iter().any(below)
    };
    let new: Vec<String> = is
        .iter()
        .filter(|item| !known(item) && !is_litter(item) && !is_made(item))
        .cloned()
        .collect();
    if !new.is_empty() {
        let words = format!(
            "{} leaves out what was looked at: {}",
            file.path,
            super::super::listed(&new)
        );
        out.push(finding(file, None, Severity::Block, words));
    }
}

/// What builds make, by custom.
fn is_made(item: &str) -> bool {
    let first = item.split('/').next().unwrap_or(item);
    matches!(
        first,
        "build" | "out" | "target" | "lib-cov" | "tmp" | "temp" | "vendor" | "third_party"
    ) || item.ends_with(".min.js")
        || item.ends_with(".d.ts")
        || item.contains("generated")
        || item.contains("fixtures")
}

/// Maven: `<skip>`, `<exclude>` of a plugin that checks.
fn skipped(file: &FileChange<'_>, base: &str, now: &str, out: &mut Vec<Finding>) {
    const CHECK: [&str; 7] = [
        "surefire",
        "failsafe",
        "checkstyle",
        "spotbugs",
        "pmd",
        "jacoco",
        "enforcer",
    ];
    let read = |text: &str| -> Vec<(String, u32)> {
        let mut plugin = "";
        let mut found = Vec::new();
        for (at, line) in text.lines().map(str::trim).enumerate() {
            if let Some(id) = line
                .split("<artifactId>")
                .nth(1)
                .and_then(|rest| rest.split('<').next())
            {
                plugin = id;
            }
            if line.contains("</plugin>") {
                plugin = "";
            }
            let skips = line.contains("<skip>true</skip>") || line.contains("<exclude>");
            if skips && CHECK.iter().any(|word| plugin.contains(word)) {
                found.push((
                    format!("{plugin}: {line}"),
                    u32::try_from(at + 1).unwrap_or(u32::MAX),
                ));
            }
        }
        found
    };
    let was = read(base);
    let new = read(now)
        .into_iter()
        .filter(|(said, _)| !was.iter().any(|(w, _)| w == said));
    for (said, line) in new {
        let words = format!(
            "{} lets a check leave something out: `{}`",
            file.path,
            super::shown(&said)
        );
        out.push(finding(file, Some(line), Severity::Block, words));
    }
}

/// Tests that CMake runs: `add_test(NAME a …)`, and what turns them round or off.
fn registered(file: &FileChange<'_>, base: &str, now: &str, out: &mut Vec<Finding>) {
    let read = |text: &str| -> BTreeSet<String> {
        let calls = text
            .match_indices("add_test(")
            .filter_map(|(at, call)| text.get(at + call.len()..));
        calls
            .filter_map(|rest| {
                let mut words = rest
                    .split(|c: char| c.is_whitespace() || c == ')')
                    .filter(|w| !w.is_empty());
                let first = words.next()?;
                Some(if first == "NAME" { words.next()? } else { first }.to_owned())
            })
            .collect()
    };
    let (was, is) = (read(base), read(now));
    let gone: Vec<String> = was.difference(&is).cloned().collect();
    // As many of other names: they were renamed.
    if !gone.is_empty() && is.len() < was.len() {
        let words = format!(
            "{} does not run any more {}",
            file.path,
            super::super::listed(&gone)
        );
        out.push(finding(file, None, Severity::Block, words));
    }
    for property in ["WILL_FAIL", "DISABLED"] {
        let set = |text: &str| {
            let set = format!("{property} TRUE");
            let on = format!("{property} ON");
            text.matches(&set).count() + text.matches(&on).count()
        };
        if set(now) > set(base) {
            let words = format!("{} sets `{property}` of a test", file.path);
            out.push(finding(file, None, Severity::Block, words));
        }
    }
}
