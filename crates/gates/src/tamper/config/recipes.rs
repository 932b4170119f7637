//! Commands as files keep them: targets of a Makefile, scripts of a package, steps of CI, a script as a whole.

use super::super::lang::name;
use super::{Sort, keys};
use std::collections::BTreeMap;

/// Commands that are run together under a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// Empty where it has none.
    pub(super) name: String,
    pub(super) line: u32,
    /// Others that are run with it.
    pub(super) needs: Vec<String>,
    pub(super) commands: Vec<Command>,
}

/// A command, or a script that one shell runs.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) text: String,
    pub(super) line: u32,
    /// Its failure is not looked at.
    pub(super) forgiven: bool,
}

/// The commands of a file; none where its form is not known.
pub(super) fn recipes(path: &str, sort: Sort, text: &str) -> Vec<Recipe> {
    match name(path) {
        "Makefile" | "makefile" | "GNUmakefile" => made(text, true),
        "justfile" | "Justfile" => made(text, false),
        "package.json" | "composer.json" => scripts(text),
        "tox.ini" => environments(text),
        "Taskfile.yml" => tasks(text),
        _ if sort == Sort::Ci => steps(path, text),
        _ if sort == Sort::Scripts && is_shell(path) => vec![Recipe {
            name: name(path).to_owned(),
            line: 1,
            needs: Vec::new(),
            commands: vec![Command {
                text: text.to_owned(),
                line: 1,
                forgiven: false,
            }],
        }],
        _ => Vec::new(),
    }
}

fn is_shell(path: &str) -> bool {
    path.ends_with(".sh") || path.ends_with(".bash")
}

fn number(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

/// Rounds in which variables of a Makefile are replaced by what they stand for.
const ROUNDS: usize = 3;

/// Longest command that a variable may make, in bytes.
const LONG: usize = 4_000;

/// A Makefile, or (`make` is false) a justfile.
fn made(text: &str, make: bool) -> Vec<Recipe> {
    let mut out: Vec<Recipe> = Vec::new();
    let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
    let mut forgives_all = false;
    let mut open = false;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, raw)) = lines.next() {
        let mut line = raw.to_owned();
        while line.ends_with('\\') {
            line.pop();
            line.push(' ');
            let Some((_, next)) = lines.next() else { break };
            line.push_str(next.trim());
        }
        let indented = raw.starts_with('\t') || !make && raw.starts_with(' ');
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if indented {
            if let Some(recipe) = out.last_mut().filter(|_| open) {
                let bare = trimmed.trim_start_matches(['@', '-', '+', ' ']);
                let lead = trimmed.get(..trimmed.len() - bare.len()).unwrap_or_default();
                recipe.commands.push(Command {
                    text: bare.to_owned(),
                    line: number(at),
                    forgiven: lead.contains('-'),
                });
            }
            continue;
        }
        open = false;
        let sets = trimmed.split_once('=').filter(|(left, _)| {
            let left = left.trim_end_matches([':', '?', '+', '!', ' ']);
            !left.is_empty()
                && left
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ' '))
        });
        if let Some((_, value)) =
            sets.filter(|(left, _)| make && left.trim_end_matches([':', '?', ' ']) == "SHELL")
        {
            let program = value.split_whitespace().next().unwrap_or_default();
            let program = program.rsplit('/').next().unwrap_or(program);
            // What no shell reads, nothing runs.
            let known = program.ends_with("sh")
                || program.contains(['$', '.'])
                || matches!(program, "cmd" | "busybox");
            forgives_all |= !known;
        }
        if let Some((left, value)) = sets.filter(|(left, _)| make || left.trim_end().ends_with(':')) {
            let left = left
                .trim_end_matches([':', '?', '+', '!', ' '])
                .trim_start_matches("export ");
            let known = raw.find(value.trim()).and_then(|from| raw.get(from..));
            if let (Some(name), Some(value)) =
                (raw.find(left).and_then(|n| raw.get(n..n + left.len())), known)
            {
                variables.insert(name, value.trim_matches(['"', '\'']));
            }
            continue;
        }
        let Some((targets, rest)) = trimmed.split_once(':') else {
            continue;
        };
        let rest = rest.trim_start_matches(':');
        let (needs, own) = rest.split_once(';').unwrap_or((rest, ""));
        if targets.trim() == ".IGNORE" {
            forgives_all |= needs.trim().is_empty();
            continue;
        }
        // Of a justfile's parameters only the name of the recipe matters.
        let mut names = targets.split_whitespace();
        let names: Vec<&str> = if make {
            names.collect()
        } else {
            names.next().into_iter().collect()
        };
        let needs: Vec<String> = needs
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | '&'))
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
            .collect();
        for target in names.iter().filter(|n| **n != ".PHONY") {
            open = true;
            let commands = (!own.trim().is_empty()).then(|| Command {
                text: own.trim().to_owned(),
                line: number(at),
                forgiven: false,
            });
            out.push(Recipe {
                name: target.trim_start_matches('@').to_owned(),
                line: number(at),
                needs: needs.clone(),
                commands: commands.into_iter().collect(),
            });
        }
    }
    for command in out.iter_mut().flat_map(|r| &mut r.commands) {
        command.forgiven |= forgives_all;
        if make {
            command.text = expanded(&command.text, &variables);
        }
    }
    brought_together(out)
}

/// The same target may stand several times: what it needs is added, and its last commands count.
fn brought_together(found: Vec<Recipe>) -> Vec<Recipe> {
    let mut out: Vec<Recipe> = Vec::new();
    for recipe in found {
        match out.iter_mut().find(|known| known.name == recipe.name) {
            Some(known) => {
                known.needs.extend(recipe.needs);
                if !recipe.commands.is_empty() {
                    known.commands = recipe.commands;
                }
            }
            None => out.push(recipe),
        }
    }
    out
}

/// A command of a Makefile with its variables in their places, as far as the file gives them.
fn expanded(text: &str, variables: &BTreeMap<&str, &str>) -> String {
    let mut out = text.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    for _ in 0..ROUNDS {
        for (name, value) in variables {
            for form in [format!("$({name})"), format!("${{{name}}}")] {
                if out.contains(&form) && out.len() < LONG {
                    out = out.replace(&form, value);
                }
            }
        }
    }
    // What nobody sets is empty, but for make's own.
    let mut from = 0;
    while let Some(at) = out.get(from..).and_then(|rest| rest.find("$(")).map(|n| from + n) {
        let name = out
            .get(at + 2..)
            .and_then(|rest| rest.split(')').next())
            .unwrap_or_default();
        let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if plain {
            let end = at + name.len() + 3;
            out.replace_range(at..end.min(out.len()), "");
        } else {
            from = at + 2;
        }
    }
    // What only make knows is one word for the shell; its own `$$` is the shell's `$`.
    out.replace("$(", "$_(")
        .replace("$_(shell", "$(")
        .replace("$_(", "$")
        .replace("$$", "$")
}

/// `"scripts": { "test": "jest" }`
fn scripts(text: &str) -> Vec<Recipe> {
    let Ok(all) = serde_json::from_str::<serde_json::Value>(text) else {
        return Vec::new();
    };
    let Some(scripts) = all.get("scripts").and_then(serde_json::Value::as_object) else {
        return Vec::new();
    };
    let line_of = |name: &str| {
        let quoted = format!("\"{name}\"");
        let begins = |l: &str| l.trim_start().starts_with(&quoted);
        text.lines().position(begins).map_or(1, number)
    };
    let command = |text: &str, line: u32| Command {
        text: text.to_owned(),
        line,
        forgiven: false,
    };
    scripts
        .iter()
        .map(|(name, value)| {
            let line = line_of(name);
            let commands = match value {
                serde_json::Value::String(text) => vec![command(text, line)],
                serde_json::Value::Array(all) => {
                    let texts = all.iter().filter_map(serde_json::Value::as_str);
                    texts
                        .map(|text| command(text.strip_prefix('@').map_or(text, |_| "true"), line))
                        .collect()
                }
                _ => Vec::new(),
            };
            let mut needs: Vec<String> = match value {
                serde_json::Value::Array(all) => {
                    let texts = all.iter().filter_map(serde_json::Value::as_str);
                    texts
                        .filter_map(|t| t.strip_prefix('@'))
                        .map(str::to_owned)
                        .collect()
                }
                _ => Vec::new(),
            };
            needs.extend([format!("pre{name}"), format!("post{name}")]);
            Recipe {
                name: name.clone(),
                line,
                needs,
                commands,
            }
        })
        .collect()
}

/// `[testenv:lint]`, `commands =`
fn environments(text: &str) -> Vec<Recipe> {
    let mut out: Vec<Recipe> = Vec::new();
    let mut inside = false;
    for (at, raw) in text.lines().enumerate() {
        let trimmed = raw.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if let Some(section) = raw.strip_prefix('[').and_then(|s| s.split(']').next()) {
            inside = false;
            if section.starts_with("testenv") {
                out.push(Recipe {
                    name: section.to_owned(),
                    line: number(at),
                    ..Recipe::default()
                });
            }
            continue;
        }
        let mut command = trimmed;
        if !raw.starts_with([' ', '\t']) {
            let Some((key, value)) = raw.split_once('=') else {
                continue;
            };
            inside = key.trim() == "commands";
            command = value.trim();
        }
        let Some(recipe) = out.last_mut().filter(|_| inside && !command.is_empty()) else {
            continue;
        };
        let bare = command.strip_prefix("- ").or_else(|| command.strip_prefix('-'));
        recipe.commands.push(Command {
            text: without_arguments(bare.unwrap_or(command).trim()),
            line: number(at),
            forgiven: bare.is_some(),
        });
    }
    out
}

/// A command of tox with what stands there by itself in the place of arguments: `pytest {posargs:tests}`.
fn without_arguments(command: &str) -> String {
    let Some((before, rest)) = command.split_once("{posargs") else {
        return command.to_owned();
    };
    let (inside, behind) = rest.split_once('}').unwrap_or((rest, ""));
    format!("{before}{}{behind}", inside.trim_start_matches(':'))
}

/// `tasks:`, `test:`, `cmds:` of a Taskfile.
fn tasks(text: &str) -> Vec<Recipe> {
    let mut out: Vec<Recipe> = Vec::new();
    let mut forgives = false;
    for line in super::lines("Taskfile.yml", text) {
        let Some(rest) = line.within.trim().strip_prefix("tasks") else {
            continue;
        };
        let own = keys::key(line.text).unwrap_or_default();
        let Some(task) = rest.split_whitespace().next() else {
            forgives = false;
            out.push(Recipe {
                name: own.to_lowercase(),
                line: line.number,
                ..Recipe::default()
            });
            continue;
        };
        let Some(recipe) = out.iter_mut().find(|r| r.name == task) else {
            continue;
        };
        let item = line.text.trim().strip_prefix("- ");
        match (own, item) {
            ("ignore_error", _) => {
                forgives |= line.text.contains("true");
                if forgives {
                    recipe.commands.iter_mut().for_each(|c| c.forgiven = true);
                }
            }
            ("task", _) => recipe.needs.extend(keys::value(line.text).map(str::to_owned)),
            ("deps", _) => recipe
                .needs
                .extend(super::pairing::items(keys::value(line.text).unwrap_or_default())),
            ("cmd", _) => recipe.commands.push(Command {
                text: keys::value(line.text).unwrap_or_default().to_owned(),
                line: line.number,
                forgiven: forgives,
            }),
            (_, Some(item)) if rest.ends_with(" deps") => recipe.needs.push(item.trim().to_owned()),
            (_, Some(item)) if rest.ends_with(" cmds") => recipe.commands.push(Command {
                text: item.trim().trim_matches(['"', '\'']).to_owned(),
                line: line.number,
                forgiven: forgives,
            }),
            _ => {}
        }
    }
    out
}

/// Whether a step may fail: `continue-on-error` stands beside its command.
fn is_forgiven(lines: &[&str], at: usize) -> bool {
    let edge = |l: &str| {
        let indent = l.len() - l.trim_start().len();
        indent + if l.trim_start().starts_with("- ") { 2 } else { 0 }
    };
    let Some(own) = lines.get(at) else { return false };
    let column = edge(own);
    let within = |l: &&&str| l.trim().is_empty() || edge(l) >= column;
    let begins = |l: &str| l.trim_start().starts_with("- ") && edge(l) == column;
    let forgives = |l: &str| edge(l) == column && l.contains("continue-on-error: true");
    if !begins(own) {
        for line in lines
            .get(..at)
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(within)
        {
            if forgives(line) {
                return true;
            }
            if begins(line) {
                break;
            }
        }
    }
    let behind = lines.get(at + 1..).unwrap_or_default();
    let mut step = behind.iter().take_while(within).take_while(|l| !begins(l));
    step.any(|l| forgives(l))
}

/// The steps of CI: `run: …`, `run: |`, lists under `script:`.
fn steps(path: &str, text: &str) -> Vec<Recipe> {
    let github = path.starts_with(".github/");
    let lead = if github { "set -e\n" } else { "" };
    let mut commands = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    let indent = |l: &str| l.len() - l.trim_start().len();
    let all: Vec<&str> = text.lines().collect();
    while let Some((at, raw)) = lines.next() {
        let bare = raw.trim().trim_start_matches("- ");
        let Some((key, value)) = bare.split_once(':').filter(|(key, _)| keys::RUNS.contains(key)) else {
            continue;
        };
        let depth = indent(raw);
        let value = value.trim();
        let mut script = String::new();
        let block = value.starts_with(['|', '>']) || value.is_empty();
        if !block {
            script.push_str(value.trim_matches(['"', '\'']));
        }
        let mut list = false;
        while let Some((_, next)) = lines.peek().filter(|_| block) {
            let inner = next.trim();
            // A list may stand as far in as its key.
            let item = inner.starts_with("- ") && value.is_empty() && key != "run";
            if !inner.is_empty()
                && indent(next) <= depth
                && !(item && indent(next) == depth && !raw.trim().starts_with("- "))
            {
                break;
            }
            list |= item;
            let line = if list {
                inner.trim_start_matches("- ").trim_matches(['"', '\''])
            } else {
                inner
            };
            script.push_str(line);
            script.push(if value.starts_with('>') { ' ' } else { '\n' });
            lines.next();
        }
        let lead = if list { "set -e\n" } else { lead };
        commands.push(Command {
            text: format!("{lead}{script}"),
            line: number(at),
            forgiven: is_forgiven(&all, at),
        });
    }
    vec![Recipe {
        name: String::new(),
        line: 1,
        needs: Vec::new(),
        commands,
    }]
}
