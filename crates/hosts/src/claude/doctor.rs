//! Finds out whether Claude Code really asks Proctor. Pure over what the caller has read and run; the
//! [`canary`] describes a run of the host that proves it without model, account or tokens.

use super::install::{Options, hooks, plan};
use super::settings::{Severity, diagnose, managed_only, own_hooks, without_bom};
use crate::Rendered;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// As it should be.
    Ok,
    /// It works, but not fully, or not for long.
    Warn,
    /// Proctor is not asked.
    Fail,
}

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it went.
    pub status: Status,
    /// What was seen.
    pub detail: String,
    /// What to do about it; empty when nothing needs doing.
    pub mend: String,
}

impl Check {
    fn new(name: &'static str, status: Status, detail: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            name,
            status,
            detail: detail.into(),
            mend: mend.into(),
        }
    }
}

/// Where a settings file stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// The administrator's, which nothing else can switch off.
    Managed,
    /// The user's, for all projects.
    User,
    /// The project's, committed with it.
    Project,
    /// The user's own for this project.
    Local,
}

impl LayerKind {
    /// The word used in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// One settings file as it was found.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Which one.
    pub kind: LayerKind,
    /// Where.
    pub path: PathBuf,
    /// Its text; `None` when there is no file.
    pub text: Option<String>,
}

/// Where Claude Code keeps its settings. `config` is `~/.claude`, or `$CLAUDE_CONFIG_DIR` where that is set;
/// `project` the project's root.
#[must_use]
pub fn settings_files(config: &Path, project: &Path) -> [(LayerKind, PathBuf); 4] {
    let managed = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json"
    } else {
        "/etc/claude-code/managed-settings.json"
    };
    [
        (LayerKind::Managed, PathBuf::from(managed)),
        (LayerKind::User, config.join("settings.json")),
        (LayerKind::Project, project.join(".claude/settings.json")),
        (LayerKind::Local, project.join(".claude/settings.local.json")),
    ]
}

/// What the caller found out beforehand.
pub struct Found<'a> {
    /// The settings files of [`settings_files`].
    pub layers: &'a [Layer],
    /// Path of the program that is running now.
    pub program: &'a str,
    /// The host's program; `None` when there is none.
    pub claude: Option<&'a Path>,
    /// What it printed for `--version`; `None` when it failed.
    pub version: Option<&'a str>,
    /// It had not ended after so many seconds, and was ended.
    pub waited: Option<u64>,
    /// Whether a path is a program that can be run; a bare name is to be looked for on the search path.
    pub runs: &'a dyn Fn(&str) -> bool,
}

/// Versions from which on something works, newest first.
pub const FLOORS: [(Version, Status, &str); 4] = [
    (
        Version(2, 1, 295),
        Status::Warn,
        "a hook that breaks (missing program, crash, timeout) lets tools run: `onFailure` is not known yet",
    ),
    (
        Version(2, 1, 152),
        Status::Warn,
        "texts cannot be annotated for their reader: there is no MessageDisplay event",
    ),
    (
        Version(2, 1, 145),
        Status::Warn,
        "work in the background is not told to Stop hooks",
    ),
    (
        Version(2, 1, 139),
        Status::Fail,
        "hooks in exec form (`args`) are not known: Proctor's hooks do not run",
    ),
];

/// A version of Claude Code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Reads the output of `claude --version`, such as `2.1.329 (Claude Code)`.
    #[must_use]
    pub fn parse(output: &str) -> Option<Self> {
        let mut numbers = output
            .split_whitespace()
            .next()?
            .split(['.', '-', '+'])
            .map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??, numbers.next()??))
    }
}

/// Checks everything that can be seen without running the host.
#[must_use]
pub fn inspect(found: &Found<'_>) -> Vec<Check> {
    let mut checks = vec![version(found)];
    checks.extend(found.layers.iter().flat_map(problems));
    checks.extend(registration(found));
    checks
}

fn version(found: &Found<'_>) -> Check {
    let name = "version";
    let Some(output) = found.version else {
        if let (Some(claude), Some(seconds)) = (found.claude, found.waited) {
            return Check::new(
                name,
                Status::Warn,
                format!(
                    "`{} --version` had not ended after {seconds} s: the program hangs, and its version is not known",
                    claude.display()
                ),
                "start it by hand and see what it waits for; `--claude PATH` names another one",
            );
        }
        if let Some(claude) = found.claude {
            return Check::new(
                name,
                Status::Warn,
                format!(
                    "`{} --version` failed: its version is not known",
                    claude.display()
                ),
                "start it by hand and see why, or install Claude Code anew",
            );
        }
        return Check::new(
            name,
            Status::Warn,
            "there is no `claude` on the search path",
            "install Claude Code, or start it from where it is",
        );
    };
    let Some(version) = Version::parse(output) else {
        return Check::new(
            name,
            Status::Warn,
            format!("`claude --version` printed {:?}", output.trim()),
            "see whether `claude` is Claude Code",
        );
    };
    let lacking: Vec<_> = FLOORS.iter().filter(|(floor, ..)| version < *floor).collect();
    let shown = output.trim();
    match lacking.iter().map(|(_, status, _)| *status).max() {
        None => Check::new(name, Status::Ok, format!("Claude Code {shown}"), ""),
        Some(status) => {
            let what: Vec<_> = lacking.iter().map(|(.., what)| *what).collect();
            Check::new(
                name,
                status,
                format!("Claude Code {shown}: {}", what.join("; ")),
                "update Claude Code (`claude update`)",
            )
        }
    }
}

fn problems(layer: &Layer) -> Vec<Check> {
    let Some(text) = &layer.text else {
        return Vec::new();
    };
    let place = |detail: &str| {
        format!(
            "{} settings {}: {detail}",
            layer.kind.as_str(),
            layer.path.display()
        )
    };
    let found: Vec<Check> = diagnose(text)
        .into_iter()
        .map(|problem| {
            let status = match problem.severity {
                Severity::Warn => Status::Warn,
                Severity::Fail => Status::Fail,
            };
            let at = if problem.place.is_empty() {
                String::new()
            } else {
                format!("{}: ", problem.place)
            };
            Check::new(
                "settings",
                status,
                place(&format!("{at}{}", problem.what)),
                problem.mend,
            )
        })
        .collect();
    if found.is_empty() {
        vec![Check::new("settings", Status::Ok, place("in order"), "")]
    } else {
        found
    }
}

/// The plugin's name in `enabledPlugins`, whatever marketplace it comes from.
fn plugin_enabled(layers: &[Layer]) -> bool {
    layers
        .iter()
        .filter_map(|layer| layer.text.as_deref())
        .any(|text| {
            let settings: Value = serde_json::from_str(without_bom(text)).unwrap_or_default();
            settings
                .get("enabledPlugins")
                .and_then(Value::as_object)
                .is_some_and(|plugins| {
                    plugins.iter().any(|(name, on)| {
                        (name == "proctor" || name.starts_with("proctor@")) && *on != json!(false)
                    })
                })
        })
}

fn registration(found: &Found<'_>) -> Vec<Check> {
    const INIT: &str = "run `proctor init --host claude`";
    let mut checks = Vec::new();
    let own: Vec<_> = found
        .layers
        .iter()
        .filter_map(|layer| layer.text.as_deref().map(|text| (layer, text)))
        .flat_map(|(layer, text)| own_hooks(text).into_iter().map(move |hook| (layer, hook)))
        .collect();
    let plugin = plugin_enabled(found.layers);
    if own.is_empty() {
        return vec![if plugin {
            Check::new("hooks", Status::Ok, "registered by the plugin", "")
        } else {
            Check::new(
                "hooks",
                Status::Fail,
                "no settings file holds a hook of Proctor's: it is never asked",
                INIT,
            )
        }];
    }
    let managed = found
        .layers
        .iter()
        .find(|layer| layer.kind == LayerKind::Managed)
        .and_then(|layer| layer.text.as_deref());
    if managed.is_some_and(managed_only) && own.iter().all(|(layer, _)| layer.kind != LayerKind::Managed) {
        let detail = "the managed settings allow managed hooks only: Proctor's hooks in other files are off";
        let mend = "have an administrator put Proctor's hooks into the managed settings";
        checks.push(Check::new("hooks", Status::Fail, detail, mend));
    }
    let missing: Vec<&str> = hooks(found.program, Options::default())
        .into_iter()
        .map(|(event, _)| event)
        .filter(|event| own.iter().all(|(_, hook)| hook.event != *event))
        .collect();
    let files: Vec<String> = found
        .layers
        .iter()
        .filter(|layer| own.iter().any(|(other, _)| other.path == layer.path))
        .map(|layer| format!("{} ({})", layer.path.display(), layer.kind.as_str()))
        .collect();
    checks.push(if missing.is_empty() {
        Check::new(
            "hooks",
            Status::Ok,
            format!("registered for every event in {}", files.join(" and ")),
            "",
        )
    } else {
        Check::new(
            "hooks",
            Status::Warn,
            format!("not registered for {}", missing.join(", ")),
            INIT,
        )
    });
    let mut programs: Vec<&str> = own.iter().map(|(_, hook)| hook.program.as_str()).collect();
    programs.sort_unstable();
    programs.dedup();
    for program in &programs {
        checks.push(if !(found.runs)(program) {
            let mend = format!("{INIT}, so that the hooks point to the program that is there now");
            Check::new(
                "program",
                Status::Fail,
                format!("the hooks start {program}, which is not there or cannot be run"),
                mend,
            )
        } else if *program != found.program {
            let detail = format!("the hooks start {program}, not this program ({})", found.program);
            Check::new(
                "program",
                Status::Warn,
                detail,
                format!("{INIT} with the program that shall be used"),
            )
        } else {
            Check::new(
                "program",
                Status::Ok,
                format!("the hooks start this program ({program})"),
                "",
            )
        });
    }
    if plugin || programs.len() > 1 {
        let what = if plugin {
            "by the plugin and by settings"
        } else {
            "with different programs"
        };
        let mend = "keep one of them: `proctor uninstall` takes the hooks out of the settings";
        checks.push(Check::new(
            "duplicates",
            Status::Warn,
            format!("Proctor is registered {what}: every event is judged twice"),
            mend,
        ));
    }
    for layer in found.layers {
        let Some(text) = layer.text.as_deref() else {
            continue;
        };
        let here = own.iter().any(|(other, _)| other.path == layer.path);
        let old = here && plan(Some(text), found.program, Options::default()).is_ok_and(|plan| plan.changed);
        if old && missing.is_empty() && programs == [found.program] {
            let detail = format!(
                "the entries in {} are not those of this version",
                layer.path.display()
            );
            checks.push(Check::new("hooks", Status::Warn, detail, INIT));
        }
    }
    checks
}

/// A run of the host that proves whether hooks fire and are obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// The program to start.
    pub program: PathBuf,
    /// Its arguments. Standard input must be empty.
    pub args: Vec<String>,
    /// Variables to add to the environment.
    pub env: Vec<(String, String)>,
    /// Longest duration in seconds; the run takes one or two.
    pub seconds: u64,
}

/// The variable that tells `proctor hook claude` to give [`canary_answer`].
pub const CANARY_VARIABLE: &str = "PROCTOR_CANARY";

/// A prompt that Proctor's own hook must refuse. The model's address is a closed port of this machine, so
/// nothing is asked and nothing spent, also when the hook does not fire. `token` must be new each time; run it in
/// the project's folder, so that the project's settings count.
#[must_use]
pub fn canary(claude: &Path, token: &str) -> Canary {
    // Given in both ways: settings files may set variables too, and these settings win over them.
    let env = [
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
        ("ANTHROPIC_API_KEY", "none"),
        ("CLAUDE_CODE_USE_BEDROCK", "0"),
        ("CLAUDE_CODE_USE_VERTEX", "0"),
        ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
    ];
    let settings = json!({"env": env.iter().map(|(k, v)| ((*k).to_owned(), json!(v))).collect::<serde_json::Map<_, _>>()});
    let args = [
        "-p",
        "proctor canary",
        "--output-format",
        "json",
        "--no-session-persistence",
        "--settings",
    ];
    Canary {
        program: claude.to_owned(),
        args: args
            .iter()
            .map(|arg| (*arg).to_owned())
            .chain([settings.to_string()])
            .collect(),
        env: env
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .chain([(CANARY_VARIABLE.to_owned(), token.to_owned())])
            .collect(),
        seconds: 30,
    }
}

/// What the hook answers during a canary run: it refuses the prompt with the token, and any tool too, so that
/// whoever sets [`CANARY_VARIABLE`] for another run gains nothing by it. `native_event` is the event's name
/// in the payload.
#[must_use]
pub fn canary_answer(native_event: &str, token: &str) -> Rendered {
    let reason = format!("[proctor] canary {token}");
    let refusal = match native_event {
        "UserPromptSubmit" => json!({"decision": "block", "reason": reason}),
        "PreToolUse" => json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
            "permissionDecision": "deny", "permissionDecisionReason": reason}}),
        _ => {
            return Rendered {
                stdout: "{}\n".to_owned(),
                stderr: String::new(),
                exit: 0,
            };
        }
    };
    Rendered {
        stdout: format!("{refusal}\n"),
        stderr: reason,
        exit: 2,
    }
}

/// What a canary run showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanaryRun<'a> {
    /// What it printed on standard output.
    pub stdout: &'a str,
    /// What it printed on standard error.
    pub stderr: &'a str,
    /// It did not end in time and was ended.
    pub timed_out: bool,
}

/// Reads the outcome of a [`canary`] run.
#[must_use]
pub fn read_canary(run: &CanaryRun<'_>, token: &str) -> Check {
    let name = "canary";
    // Hooks of others may print lines before the result.
    let result = run.stdout.lines().rev().find_map(|line| {
        let value: Value = serde_json::from_str(line).ok()?;
        (value.get("type")? == "result").then_some(value)
    });
    let text = result
        .as_ref()
        .and_then(|result| result.get("result"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !token.is_empty() && text.contains(token) {
        return Check::new(
            name,
            Status::Ok,
            "a real run of Claude Code asked Proctor, and obeyed its refusal",
            "",
        );
    }
    let asked = result
        .as_ref()
        .and_then(|result| result.get("terminal_reason"))
        .and_then(Value::as_str);
    if asked == Some("api_error") {
        let mend =
            "look at the checks above; `claude --debug-file FILE -p x` tells which settings were dropped";
        return Check::new(
            name,
            Status::Fail,
            "in a real run of Claude Code the prompt went past Proctor: no hook of it fired",
            mend,
        );
    }
    let saw = if run.timed_out {
        "it did not end in time".to_owned()
    } else {
        let words = if run.stderr.trim().is_empty() {
            run.stdout
        } else {
            run.stderr
        };
        format!("it said: {}", words.trim().chars().take(300).collect::<String>())
    };
    Check::new(
        name,
        Status::Warn,
        format!("a run of Claude Code showed nothing; {saw}"),
        "start `claude -p x` in this folder and see what is wrong",
    )
}
