//! Puts Proctor's hooks into a settings file, and takes them out again. Works on the file's text and
//! changes nothing else in it: what others wrote keeps every byte.

use super::HOST;
use super::settings::{Problem, diagnose, own_in, own_program, without_bom};
use crate::diff::unified;
use crate::json_text::{Layout, Node, append, parse, remove, replace};
use proctor_kernel::{Error, ErrorKind, Result};
use serde_json::{Map, Value, json};

/// What to install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Have the host refuse tool calls when the hook itself breaks (missing program, crash, timeout). The host
    /// honours it from 2.1.295 on; older versions ignore it.
    pub fail_closed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { fail_closed: true }
    }
}

/// What an installer would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The file's text as it was read; `None` when there is no file.
    pub old_text: Option<String>,
    /// The file's text as it shall be.
    pub new_text: String,
    /// The difference, in unified form.
    pub diff: String,
    /// Whether anything changes.
    pub changed: bool,
    /// Whether nothing but an empty object is left.
    pub empty: bool,
}

impl Plan {
    fn new(old_text: Option<&str>, new_text: String) -> Self {
        let old = old_text.unwrap_or_default();
        let empty = without_bom(&new_text).split_whitespace().collect::<String>() == "{}";
        Self {
            old_text: old_text.map(str::to_owned),
            diff: unified(old, &new_text),
            changed: old != new_text,
            empty,
            new_text,
        }
    }
}

/// The events that Proctor listens to, with matcher and time limit in seconds (whole numbers above 0: anything
/// else disables the file). The ends of turns may run checks; the others take milliseconds.
const WANTED: [(&str, Option<&str>, u64); 11] = [
    ("SessionStart", None, 30),
    ("UserPromptSubmit", None, 30),
    ("PreToolUse", Some("*"), 30),
    ("PostToolUse", Some("*"), 30),
    ("PostToolUseFailure", Some("*"), 30),
    ("PreCompact", None, 30),
    ("Stop", None, 120),
    ("SubagentStart", None, 30),
    ("SubagentStop", None, 120),
    ("MessageDisplay", None, 10),
    ("SessionEnd", None, 10),
];

/// The least of the limits, in seconds.
pub const SHORTEST: u64 = 10;

/// After how many seconds the host ends the hook of an event; nothing for one that is not listened to.
#[must_use]
pub fn limit(event: &str) -> Option<u64> {
    let wanted = WANTED.iter().find(|(name, ..)| *name == event);
    wanted.map(|(.., seconds)| *seconds)
}

/// The hook groups of all events, in order: the one source of installer, plugin and documents. `command`
/// is the program's path, run in exec form without a shell.
#[must_use]
pub fn hooks(command: &str, options: Options) -> Vec<(&'static str, Value)> {
    WANTED
        .iter()
        .map(|(event, matcher, timeout)| {
            let mut entry = Map::new();
            entry.insert("type".to_owned(), json!("command"));
            entry.insert("command".to_owned(), json!(command));
            entry.insert("args".to_owned(), json!(["hook", HOST]));
            entry.insert("timeout".to_owned(), json!(timeout));
            // Only where a tool is about to run: on a prompt it would lock the user out as well.
            if options.fail_closed && *event == "PreToolUse" {
                entry.insert("onFailure".to_owned(), json!("block"));
            }
            let mut group = Map::new();
            if let Some(matcher) = matcher {
                group.insert("matcher".to_owned(), json!(matcher));
            }
            group.insert("hooks".to_owned(), json!([entry]));
            (*event, Value::Object(group))
        })
        .collect()
}

/// Plans an installation or an upgrade. Entries of Proctor's that are there already are brought up to
/// date in their place; a second run changes nothing.
///
/// # Errors
/// When the file cannot be read as settings (broken JSON, comments, wrong shapes): then nothing must be
/// written, and the host ignores the file anyway. When the program is not called `proctor`: its entries would
/// not be recognised later.
pub fn plan(existing: Option<&str>, command: &str, options: Options) -> Result<Plan> {
    if own_program(&json!({"command": command, "args": ["hook", HOST]})).is_none() {
        let what = format!("hooks cannot start {command:?}: the program must be called `proctor`");
        return Err(Error::new(ErrorKind::Config, what)
            .hint("rename the program, or install it again under its own name"));
    }
    let wanted = hooks(command, options);
    let (bom, text) = opened(existing.unwrap_or_default());
    if !text.trim().is_empty() {
        shaped(text)?;
    }
    let start = if text.trim().is_empty() { "{}\n" } else { text };
    let text = settle(start, &wanted)?;
    shaped(&text)?;
    Ok(Plan::new(existing, format!("{bom}{text}")))
}

/// Plans the removal of everything that [`plan`] put there, and of nothing else. Lists and objects that become
/// empty by it go too.
///
/// # Errors
/// When the file is no JSON object: then nothing must be written.
pub fn removal(existing: &str) -> Result<Plan> {
    let (bom, text) = opened(existing);
    let text = if text.trim().is_empty() {
        text.to_owned()
    } else {
        settle(text, &[])?
    };
    Ok(Plan::new(Some(existing), format!("{bom}{text}")))
}

fn refusal(problem: &Problem) -> Error {
    let place = if problem.place.is_empty() {
        String::new()
    } else {
        format!("{}: ", problem.place)
    };
    Error::new(
        ErrorKind::Config,
        format!("the settings file cannot be changed: {place}{}", problem.what),
    )
    .hint(problem.mend.clone())
    .hint("nothing was written; Claude Code itself ignores such a file or parts of it, hooks included")
}

/// Splits off a byte order mark.
fn opened(existing: &str) -> (&str, &str) {
    let text = without_bom(existing);
    (
        existing.get(..existing.len() - text.len()).unwrap_or_default(),
        text,
    )
}

/// Refuses a file that the host would drop, wholly or in part.
fn shaped(text: &str) -> Result<()> {
    match diagnose(text).iter().find(|problem| problem.shape) {
        Some(problem) => Err(refusal(problem)),
        None => Ok(()),
    }
}

/// Takes one change after the other until nothing is left to do.
fn settle(text: &str, wanted: &[(&str, Value)]) -> Result<String> {
    let mut text = text.to_owned();
    while let Some(next) = step(&text, wanted)? {
        if next == text {
            return Err(Error::new(
                ErrorKind::Internal,
                "an edit of the settings file had no effect",
            ));
        }
        text = next;
    }
    Ok(text)
}

/// The next single change towards the wanted hooks; `None` when nothing is left to do.
fn step(text: &str, wanted: &[(&str, Value)]) -> Result<Option<String>> {
    let root = match parse(text) {
        Ok(root) if root.members().is_some() => root,
        _ => {
            return Err(diagnose(text)
                .first()
                .map_or_else(|| Error::new(ErrorKind::Config, "not a settings file"), refusal));
        }
    };
    let layout = Layout::of(text, &root);
    let own = own_in(text, &root);
    for (event, group) in wanted {
        let here: Vec<_> = own.iter().filter(|hook| hook.event == *event).collect();
        let groups = root.get("hooks").and_then(|hooks| hooks.get(event));
        let at = |g: usize| groups.and_then(Node::elements).and_then(|groups| groups.get(g));
        // The one to keep: alone in its group, best if it is right already.
        let alone = |g: usize| {
            at(g)
                .and_then(|group| group.get("hooks"))
                .and_then(Node::elements)
                .is_some_and(|e| e.len() == 1)
        };
        let right = |g: usize| at(g).is_some_and(|node| node.value(text) == *group);
        let keep = here
            .iter()
            .find(|hook| right(hook.at.0))
            .or_else(|| here.iter().find(|hook| alone(hook.at.0)));
        if let Some(extra) = here
            .iter()
            .find(|hook| keep.is_none_or(|keep| keep.at != hook.at))
        {
            return Ok(Some(without(text, &root, &extra.event, extra.at)));
        }
        match keep.and_then(|keep| at(keep.at.0)) {
            Some(node) if node.value(text) != *group => return Ok(Some(replace(text, &layout, node, group))),
            Some(_) => {}
            None => return Ok(Some(with(text, &layout, &root, event, group))),
        }
    }
    let stray = own
        .iter()
        .find(|hook| wanted.iter().all(|(event, _)| *event != hook.event));
    Ok(stray.map(|hook| without(text, &root, &hook.event, hook.at)))
}

/// The text with a group added to an event.
fn with(text: &str, layout: &Layout, root: &Node, event: &str, group: &Value) -> String {
    match root.get("hooks") {
        None => append(text, layout, root, Some("hooks"), &json!({event: [group]})),
        Some(hooks) => match hooks.get(event) {
            None => append(text, layout, hooks, Some(event), &json!([group])),
            Some(groups) => append(text, layout, groups, None, group),
        },
    }
}

/// The text without one hook, and without whatever contained nothing else.
fn without(text: &str, root: &Node, event: &str, (g, h): (usize, usize)) -> String {
    let removed = (|| {
        let hooks = root.get("hooks")?;
        let groups = hooks.get(event)?;
        let group = groups.elements()?.get(g)?;
        let entries = group.get("hooks")?;
        if entries.elements()?.len() > 1 {
            return Some(remove(text, entries, h));
        }
        if groups.elements()?.len() > 1 {
            return Some(remove(text, groups, g));
        }
        let index = |node: &Node, key: &str| node.members()?.iter().rposition(|member| member.key == key);
        if hooks.members()?.len() > 1 {
            return Some(remove(text, hooks, index(hooks, event)?));
        }
        Some(remove(text, root, index(root, "hooks")?))
    })();
    removed.unwrap_or_else(|| text.to_owned())
}
