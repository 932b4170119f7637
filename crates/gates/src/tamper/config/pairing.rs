//! A configuration that changed its form: what it said in one place at the base, and what is said in another one now.
//!
//! Forms differ, so what is compared is what they have in common: figures, what is left out, rules that are off, rules
//! that are demanded, and what takes a failure back.

use super::super::lang::{is_fixture, name};
use super::super::{FileChange, Finding, Severity};
use super::places::{Tool, part, rest, tools};
use super::{Line, Sort, finding, keys, lines};
use std::collections::{BTreeMap, BTreeSet};

/// What one place says to a tool.
#[derive(Default)]
struct Says {
    /// What is left out.
    out: BTreeSet<String>,
    /// Rules that are off, or only warn.
    off: BTreeSet<String>,
    /// Rules and switches that are on.
    demands: BTreeSet<String>,
    /// What is selected or collected.
    selects: BTreeSet<String>,
    /// What takes a failure back, or takes tests out.
    forgives: BTreeSet<&'static str>,
    /// The figure of each name that demands least; and whether more is stricter.
    figures: BTreeMap<&'static str, (f64, bool)>,
    /// It builds on a set of rules that stands elsewhere.
    preset: bool,
}

/// A place at the base that says nothing any more.
struct Gone<'f, 'a> {
    file: &'f FileChange<'a>,
    tool: &'static Tool,
    said: String,
}

/// Looks for configurations whose place is another one now, and compares the two.
pub(super) fn moved(files: &[FileChange<'_>], packages: &[&str], out: &mut Vec<Finding>) -> Settled {
    let mut settled = Settled::default();
    let mut gone = Vec::new();
    let stay = |f: &&FileChange<'_>| f.now.is_some() || !super::went_with(f.path, packages);
    for file in files.iter().filter(stay) {
        for tool in tools(file.path) {
            let said = file.base.and_then(|text| part(tool, file.path, text));
            let says = file.now.and_then(|text| part(tool, file.path, text));
            if let (Some(said), None) = (said, says) {
                gone.push(Gone { file, tool, said });
            }
        }
    }
    for place in &gone {
        match partner(place, files) {
            Some((file, tool)) => {
                compare(place, file, tool, out);
                settled.parts.push((place.file.path.to_owned(), place.tool));
                settled.parts.push((file.path.to_owned(), tool));
            }
            None => {
                settled.alone.insert(place.file.path.to_owned());
            }
        }
    }
    settled
}

/// What was compared.
#[derive(Default)]
pub(super) struct Settled {
    parts: Vec<(String, &'static Tool)>,
    /// Files with a part that has no partner.
    alone: BTreeSet<String>,
}

impl Settled {
    /// Whether everything that a file said to tools is said elsewhere now.
    pub(super) fn has_partner(&self, path: &str) -> bool {
        !self.alone.contains(path) && self.parts.iter().any(|(p, _)| p == path)
    }

    /// A file's text without the parts that were compared; `None`: all of it is left.
    pub(super) fn left(&self, path: &str, text: Option<&str>) -> Option<String> {
        let text = text?;
        let mut parts = self.parts.iter().filter(|(p, _)| p == path).peekable();
        parts.peek()?;
        Some(parts.fold(text.to_owned(), |text, (_, tool)| rest(tool, path, &text)))
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether one folder is another one, or holds it.
fn holds(outer: &str, inner: &str) -> bool {
    outer.is_empty()
        || inner == outer
        || inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The place that says now what a place said: in the same folder or one above it, else the same file elsewhere; rather
/// the same tool than an heir.
fn partner<'f, 'a>(
    gone: &Gone<'_, '_>,
    files: &'f [FileChange<'a>],
) -> Option<(&'f FileChange<'a>, &'static Tool)> {
    let here = folder(gone.file.path);
    let mut found = Vec::new();
    for file in files
        .iter()
        .filter(|f| f.path != gone.file.path && f.now != f.base)
    {
        let there = folder(file.path);
        let near = holds(there, here);
        // With its folder it may go anywhere; the root's own stays where it is found.
        let same_name = name(file.path) == name(gone.file.path)
            && file.base.is_none()
            && (!here.is_empty() || matches!(there, "config" | ".config"));
        let hidden = is_fixture(file.path) && !is_fixture(gone.file.path);
        if (!near && !same_name) || hidden {
            continue;
        }
        for tool in tools(file.path) {
            let heir = gone.tool.heirs.contains(&tool.name);
            if tool.name != gone.tool.name && !heir {
                continue;
            }
            if file.now.is_none_or(|now| part(tool, file.path, now).is_none()) {
                continue;
            }
            let same_text = file.now == gone.file.base;
            let distance = here.len().abs_diff(there.len());
            found.push(((!same_text, heir, !near, distance, file.path), file, tool));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into_iter().next().map(|(_, file, tool)| (file, tool))
}

fn compare(gone: &Gone<'_, '_>, file: &FileChange<'_>, tool: &'static Tool, out: &mut Vec<Finding>) {
    let said = |text: Option<&str>| {
        let part = text.and_then(|text| part(tool, file.path, text));
        Says::read(tool, file.path, &part.unwrap_or_default())
    };
    let was = Says::read(gone.tool, gone.file.path, &gone.said);
    let less = was.less(&said(file.base), &said(file.now), gone.tool.name == tool.name);
    let (from, to) = (gone.file.path, file.path);
    let add = |severity, words: String| finding(file, None, severity, words);
    if less.is_empty() {
        out.push(add(
            Severity::Note,
            format!("{to} says now what {from} said to {}", gone.tool.name),
        ));
    }
    for what in less {
        out.push(add(
            Severity::Block,
            format!(
                "{to} stands now where {from} stood, and demands less of {}: {what}",
                gone.tool.name
            ),
        ));
    }
}

impl Says {
    fn read(tool: &Tool, path: &str, text: &str) -> Self {
        let mut says = Self {
            preset: builds_on_others(text),
            ..Self::default()
        };
        let list = name(path).ends_with("ignore");
        for line in &lines(path, text) {
            if list {
                says.out.extend(items(line.text));
            } else {
                says.line(tool, line);
            }
        }
        says
    }

    fn line(&mut self, tool: &Tool, line: &Line<'_>) {
        let text = line.text.trim();
        let all = keys::FORGIVES.iter().chain(&keys::DESELECTS);
        self.forgives.extend(all.filter(|f| text.contains(*f)));
        if let Some((name, value, up)) = keys::threshold(tool.sort, line) {
            let slot = self.figures.entry(name).or_insert((value, up));
            slot.0 = if up { slot.0.min(value) } else { slot.0.max(value) };
        }
        let key = keys::key(text).map(str::to_lowercase).unwrap_or_default();
        let value = keys::value(text).map(str::to_lowercase).unwrap_or_default();
        // `[tool.ruff.lint.per-file-ignores]`: the last part is the key.
        let above = line.above.trim_matches(['[', ']', '"']);
        let above = above.rsplit('.').next().unwrap_or(above);
        for (keys, set) in [
            (&keys::LEAVES_OUT[..], &mut self.out),
            (&keys::SELECTS[..], &mut self.selects),
        ] {
            if keys.contains(&key.as_str()) {
                set.extend(items(&value));
            } else if keys.contains(&above) {
                set.extend(items(text));
            }
        }
        if !matches!(tool.sort, Sort::Lint | Sort::Coverage) {
            return;
        }
        match keys::first_word(&value) {
            "error" | "2" | "deny" | "forbid" => {
                self.demands.insert(key);
            }
            "true" if tool.switches => {
                self.demands.insert(key);
            }
            "off" | "0" | "none" | "allow" | "warn" | "1" | "warning"
                if value.len() > 1 || tool.name == "eslint" =>
            {
                self.off.insert(key);
            }
            "false" if tool.switches => {
                self.off.insert(key);
            }
            _ => {}
        }
    }

    /// In what the place now is less than this one was, one phrase each. What it said before already is nothing new.
    fn less(&self, before: &Self, now: &Self, same_tool: bool) -> Vec<String> {
        let mut less = Vec::new();
        for (name, (was, up)) in &self.figures {
            match now.figures.get(name) {
                Some((is, _)) if (*up && is < was) || (!up && is > was) => {
                    less.push(format!("`{name}` was {was} and is {is}"));
                }
                Some(_) => {}
                None => less.push(format!("`{name}` was {was} and is gone")),
            }
        }
        let new = |set: fn(&Self) -> &BTreeSet<String>| -> Vec<String> {
            let known = |item: &&String| set(self).contains(*item) || set(before).contains(*item);
            set(now).iter().filter(|item| !known(item)).cloned().collect()
        };
        let mut out = new(|s| &s.out);
        // Under another tool the rules have other names; paths have not.
        out.retain(|item| !is_litter(item) && (same_tool || !is_code(item)));
        let mut say = |what: &str, names: &[String]| {
            if !names.is_empty() {
                less.push(format!("{what} {}", super::super::listed(names)));
            }
        };
        say("it also leaves out", &out);
        let mut off = new(|s| &s.off);
        off.retain(|rule| same_tool || self.demands.contains(rule));
        say("it switches off", &off);
        if same_tool {
            // `strict` of mypy asks for all that it has.
            let all = now.demands.contains("strict");
            let lost = |rule: &&String| !all && !now.demands.contains(*rule) && !now.off.contains(*rule);
            say(
                "it does not ask any more for",
                &self.demands.iter().filter(lost).cloned().collect::<Vec<_>>(),
            );
        }
        let forgives: Vec<String> = now
            .forgives
            .iter()
            .filter(|f| !self.forgives.contains(*f) && !before.forgives.contains(*f))
            .map(|f| format!("`{}`", f.trim()))
            .collect();
        say("it holds", &forgives);
        if same_tool && self.preset && !now.preset {
            less.push("it builds on no other rules, as before".to_owned());
        }
        less
    }
}

/// Whether a configuration takes over rules that stand elsewhere.
pub(super) fn builds_on_others(text: &str) -> bool {
    // `export default preset({ … })`, but no list or object, and no function that only hands on what it gets.
    let call = text.split("export default ").nth(1).is_some_and(|rest| {
        let name = rest.split('(').next().unwrap_or_default().trim();
        rest.contains('(')
            && !name.is_empty()
            && !name.ends_with("onfig")
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    });
    call || ["extends", "recommended", "preset", "...", ".configs."]
        .iter()
        .any(|word| text.contains(word))
}

/// The single things that a list names, without quotes, brackets, and what only says "everything below".
pub(super) fn items(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || "_-./*@$<>{}".contains(c)))
        .map(|item| {
            let item = item
                .trim_matches(['{', '}'])
                .trim_start_matches("./")
                .trim_start_matches("**/");
            let item = item
                .trim_start_matches("<rootdir>/")
                .trim_start_matches("<rootDir>/");
            item.trim_end_matches("/**")
                .trim_end_matches("/*")
                .trim_matches('/')
                .to_lowercase()
        })
        .filter(|item| !item.is_empty() && !item.chars().all(|c| !c.is_alphanumeric()))
        .collect()
}

/// The name of a rule: letters and a number, as `e203`.
fn is_code(item: &str) -> bool {
    let digits = item.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < item.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// What no project keeps under version control, or did not write itself. A folder of the product may be called
/// `coverage` as well, so that one counts only where builds put it.
pub(super) fn is_litter(item: &str) -> bool {
    let mut outer = true;
    let mut parts = item.split('/').peekable();
    if item.split('/').any(|part| part == "..") {
        return false;
    }
    while let Some(part) = parts.next() {
        if matches!(
            part,
            "node_modules" | ".venv" | "venv" | "__pycache__" | ".git" | ".tox" | ".nox" | ".next" | ".cache"
        ) || (outer && matches!(part, "dist" | "coverage"))
        {
            return true;
        }
        let each = parts.peek().is_some_and(|next| *next == "*");
        outer &= matches!(part, "*" | "**") || each && matches!(part, "packages" | "apps" | "crates");
    }
    false
}
