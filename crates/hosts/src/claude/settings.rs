//! What can be wrong with a settings file of Claude Code, and which hooks in it are Proctor's.
//!
//! Measured with 2.1.329: on most of the mistakes below the host drops the whole file, with every hook in it,
//! without a word on the terminal. So they are found here, before and after writing.

use crate::json_text::{self, Node};
use serde_json::Value;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Enforcement works, but something is odd.
    Warn,
    /// The host ignores a hook or the whole file.
    Fail,
}

/// One problem of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The text has a wrong shape, so that the host drops the file or parts of it.
    pub shape: bool,
    /// Where: a path such as `hooks.Stop[0].hooks[1].timeout`, or a line and column.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// How to mend it.
    pub mend: String,
}

/// The events that 2.1.329 knows.
pub const EVENTS: [&str; 33] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
];

const TYPES: [&str; 5] = ["command", "http", "mcp_tool", "prompt", "agent"];

/// A settings text without the byte order mark that the host tolerates.
pub(crate) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// Looks a settings file through. An empty text is a problem too: the host takes it for broken JSON.
#[must_use]
pub fn diagnose(text: &str) -> Vec<Problem> {
    let text = without_bom(text);
    let root = match json_text::parse(text) {
        Ok(root) => root,
        Err(error) => {
            return vec![Problem {
                severity: Severity::Fail,
                shape: true,
                place: format!("line {}, column {}", error.line(), error.column()),
                what: format!("not valid JSON ({error}); Claude Code ignores the whole file"),
                mend: "correct the text; comments and trailing commas are not allowed in this file"
                    .to_owned(),
            }];
        }
    };
    let mut found = Findings {
        text,
        problems: Vec::new(),
    };
    if root.members().is_none() {
        found.fail(
            "",
            "the file is not a JSON object",
            "begin with `{` and end with `}`",
        );
        return found.problems;
    }
    found.switches(&root);
    if let Some(hooks) = root.get("hooks") {
        found.hooks(hooks);
    }
    found.problems
}

struct Findings<'a> {
    text: &'a str,
    problems: Vec<Problem>,
}

impl Findings<'_> {
    fn add(&mut self, severity: Severity, shape: bool, place: &str, what: &str, mend: &str) {
        self.problems.push(Problem {
            severity,
            shape,
            place: place.to_owned(),
            what: what.to_owned(),
            mend: mend.to_owned(),
        });
    }

    fn fail(&mut self, place: &str, what: &str, mend: &str) {
        self.add(Severity::Fail, true, place, what, mend);
    }

    fn switches(&mut self, root: &Node) {
        let value = |key: &str| root.get(key).map(|node| node.value(self.text));
        let wrong = "Claude Code ignores the whole file because of it";
        match value("disableAllHooks") {
            Some(Value::Bool(true)) => {
                let mend = "remove this line, or set it to false";
                self.add(
                    Severity::Fail,
                    false,
                    "disableAllHooks",
                    "all hooks are switched off",
                    mend,
                );
            }
            None | Some(Value::Bool(false)) => {}
            Some(_) => self.fail(
                "disableAllHooks",
                &format!("is neither true nor false; {wrong}"),
                "remove this line",
            ),
        }
        if value("model").is_some_and(|model| !model.is_string()) {
            self.fail(
                "model",
                &format!("is not a text; {wrong}"),
                "put the model's name in quotes",
            );
        }
        let permissions = root
            .get("permissions")
            .map(|node| node.value(self.text))
            .unwrap_or_default();
        for list in ["allow", "deny", "ask"] {
            if permissions.get(list).is_some_and(|list| !list.is_array()) {
                self.fail(
                    &format!("permissions.{list}"),
                    &format!("is not a list; {wrong}"),
                    "put it in [ ]",
                );
            }
        }
        let modes = [
            "default",
            "manual",
            "acceptEdits",
            "plan",
            "auto",
            "bypassPermissions",
            "dontAsk",
        ];
        if let Some(mode) = permissions.get("defaultMode")
            && !mode.as_str().is_some_and(|mode| modes.contains(&mode))
        {
            self.fail(
                "permissions.defaultMode",
                &format!("is no known mode; {wrong}"),
                "use one of the documented modes",
            );
        }
    }

    fn hooks(&mut self, hooks: &Node) {
        let Some(events) = hooks.members() else {
            self.fail(
                "hooks",
                "is not an object; Claude Code ignores all hooks",
                "write `\"hooks\": {}`",
            );
            return;
        };
        for event in events {
            let place = format!("hooks.{}", event.key);
            if !EVENTS.contains(&event.key.as_str()) {
                let mend = "check the spelling; upper and lower case count";
                self.add(
                    Severity::Warn,
                    false,
                    &place,
                    "no event of Claude Code 2.1.329: its hooks never run",
                    mend,
                );
            }
            let Some(groups) = event.value.elements() else {
                self.fail(
                    &place,
                    "is not a list: the host ignores it",
                    "put the groups in [ ]",
                );
                continue;
            };
            for (index, group) in groups.iter().enumerate() {
                self.group(group, &format!("{place}[{index}]"));
            }
        }
    }

    fn group(&mut self, group: &Node, place: &str) {
        if group.members().is_none() {
            self.fail(place, "is not an object", "write `{\"hooks\": [ … ]}`");
            return;
        }
        if group
            .get("matcher")
            .is_some_and(|matcher| !matcher.value(self.text).is_string())
        {
            self.fail(
                &format!("{place}.matcher"),
                "is not a text: the host ignores the group",
                "put it in quotes",
            );
        }
        let Some(entries) = group.get("hooks").and_then(Node::elements) else {
            self.fail(
                &format!("{place}.hooks"),
                "is missing or not a list: the host ignores the group",
                "write `\"hooks\": [ … ]`",
            );
            return;
        };
        for (index, entry) in entries.iter().enumerate() {
            let value = entry.value(self.text);
            self.entry(&value, &format!("{place}.hooks[{index}]"));
        }
    }

    fn entry(&mut self, entry: &Value, place: &str) {
        if !entry.is_object() {
            self.fail(place, "is not an object", "write `{\"type\": \"command\", …}`");
            return;
        }
        let at = |field: &str| format!("{place}.{field}");
        let risk = "the host drops this hook, and under most events all hooks of the file";
        let kind = entry.get("type").and_then(Value::as_str);
        if !kind.is_some_and(|kind| TYPES.contains(&kind)) {
            self.fail(
                &at("type"),
                &format!("is missing or unknown: {risk}"),
                &format!("use one of {}", TYPES.join(", ")),
            );
        }
        if kind == Some("command") && !entry.get("command").is_some_and(Value::is_string) {
            self.fail(
                &at("command"),
                &format!("is missing or not a text: {risk}"),
                "give the program to run",
            );
        }
        if let Some(args) = entry.get("args") {
            let texts = args
                .as_array()
                .is_some_and(|args| args.iter().all(Value::is_string));
            if !texts {
                self.fail(
                    &at("args"),
                    &format!("is not a list of texts: {risk}"),
                    "write `\"args\": [\"…\"]`",
                );
            }
        }
        if let Some(timeout) = entry.get("timeout") {
            match timeout.as_f64() {
                None => self.fail(
                    &at("timeout"),
                    &format!("is not a number: {risk}"),
                    "write seconds without quotes",
                ),
                Some(seconds) if seconds <= 0.0 => {
                    self.fail(
                        &at("timeout"),
                        &format!("is not above 0: {risk}"),
                        "write seconds, at least 1",
                    );
                }
                Some(_) => {}
            }
        }
        if entry
            .get("onFailure")
            .is_some_and(|value| !matches!(value.as_str(), Some("block" | "allow")))
        {
            self.fail(
                &at("onFailure"),
                &format!("has an unknown value: {risk}"),
                "write \"block\" or remove it",
            );
        }
    }
}

/// Whether these settings, as managed ones, switch off the hooks of all other files. In other files the key has
/// no effect.
#[must_use]
pub fn managed_only(text: &str) -> bool {
    let settings: Value = serde_json::from_str(without_bom(text)).unwrap_or_default();
    settings.get("allowManagedHooksOnly") == Some(&Value::Bool(true))
}

/// A hook of Proctor's in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnHook {
    /// The event.
    pub event: String,
    /// The program that it runs, as written.
    pub program: String,
    /// Position of the group below the event, and of the hook within the group.
    pub at: (usize, usize),
}

/// Proctor's own hooks in a settings file, in order; none when the text cannot be read.
#[must_use]
pub fn own_hooks(text: &str) -> Vec<OwnHook> {
    let text = without_bom(text);
    json_text::parse(text)
        .map(|root| own_in(text, &root))
        .unwrap_or_default()
}

pub(crate) fn own_in(text: &str, root: &Node) -> Vec<OwnHook> {
    let events = root.get("hooks").and_then(Node::members).unwrap_or_default();
    let mut found = Vec::new();
    for event in events {
        // Of a repeated key the host takes the last, and so do all edits.
        let shadowed = root
            .get("hooks")
            .and_then(|hooks| hooks.get(&event.key))
            .map(|node| node.start);
        if shadowed != Some(event.value.start) {
            continue;
        }
        for (g, group) in event.value.elements().unwrap_or_default().iter().enumerate() {
            let entries = group.get("hooks").and_then(Node::elements).unwrap_or_default();
            for (h, entry) in entries.iter().enumerate() {
                if let Some(program) = own_program(&entry.value(text)) {
                    found.push(OwnHook {
                        event: event.key.clone(),
                        program,
                        at: (g, h),
                    });
                }
            }
        }
    }
    found
}

/// The program of a hook entry that runs `proctor hook claude`, in exec form or as a shell line; `None` for
/// every other entry. This command line is the mark by which Proctor knows its own entries: keys of
/// our own would be one stricter version of the host away from disabling the whole file.
#[must_use]
pub fn own_program(entry: &Value) -> Option<String> {
    let command = entry.get("command")?.as_str()?;
    let program = match entry.get("args") {
        Some(args) => {
            let args: Vec<&str> = args.as_array()?.iter().filter_map(Value::as_str).collect();
            if !matches!(args.as_slice(), ["hook", "claude", ..]) {
                return None;
            }
            command
        }
        None => {
            let program = command
                .trim()
                .strip_suffix("claude")?
                .trim_end()
                .strip_suffix("hook")?;
            if !program.ends_with([' ', '\t']) {
                return None;
            }
            program.trim().trim_matches(['"', '\''])
        }
    };
    let name = program.rsplit(['/', '\\']).next()?;
    (name == "proctor" || name == "proctor.exe").then(|| program.to_owned())
}
