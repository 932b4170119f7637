//! A hook payload of Claude Code (2.1.329) becomes an event.

use super::wire::{Fields, recover, recover_event};
use crate::{Damage, ParseError};
use proctor_kernel::{
    Agent, Delegation, Digest, Event, EventKind, ExitSource, Mark, PromptOrigin, StartSource, ToolCall,
    ToolKind, ToolOutcome,
};
use std::path::PathBuf;

/// The host's id in events and on the command line.
pub const HOST: &str = "claude";

/// The event's name in a payload, also where it is broken but the name can still be seen.
#[must_use]
pub fn recover_event_name(payload: &[u8]) -> Option<String> {
    match read(payload) {
        Ok(fields) => fields.filled("hook_event_name"),
        Err(error) => error.native_event,
    }
}

/// Whether a payload that cannot be read may be a call that starts a subagent: what it names is one, or it cannot
/// be seen what it names.
#[must_use]
pub fn may_delegate(payload: &[u8]) -> bool {
    recover(payload, b"\"tool_name\"").is_none_or(|name| tool_kind(&name) == ToolKind::Delegate)
}

/// Reads a payload as Claude Code writes it to a hook's standard input.
///
/// Unknown events become [`EventKind::Other`]; missing fields and fields of the wrong type take
/// neutral values (`unknown` for session and event name). Takes time linear in the payload's size.
///
/// # Errors
/// When the payload is empty, cut off, not UTF-8, not JSON or not an object. The event's name is
/// recovered where the broken payload still shows it.
pub fn parse(bytes: &[u8]) -> Result<Event, ParseError> {
    let fields = read(bytes)?;
    let native = fields
        .filled("hook_event_name")
        .unwrap_or_else(|| "unknown".to_owned());
    let agent = fields.filled("agent_id").map(|id| Agent {
        id,
        kind: fields.text("agent_type").unwrap_or_default(),
    });
    let kind = kind(&native, &fields, agent.as_ref());
    Ok(Event {
        host: HOST.to_owned(),
        session: fields
            .filled("session_id")
            .unwrap_or_else(|| "unknown".to_owned()),
        agent,
        cwd: fields.text("cwd").unwrap_or_default(),
        turn: fields.filled("prompt_id"),
        kind,
        input: Digest::of(bytes),
        native,
    })
}

/// Files of the host that tell which delegation a subagent works on. They are the host's own, not the
/// agent's words; either may be missing still (at SubagentStart both are).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubagentFiles {
    /// The subagent's transcript: its first prompt is the delegation's, see
    /// [`delegated_prompt`](super::transcript::delegated_prompt).
    pub transcript: PathBuf,
    /// Names the delegating tool call, see [`started_by`](super::transcript::started_by).
    pub meta: PathBuf,
}

/// Fingerprints of the prompts that the host's timers will send, as the end of a turn lists them.
#[must_use]
pub fn scheduled(payload: &[u8]) -> Vec<Mark> {
    let Ok(fields) = read(payload) else {
        return Vec::new();
    };
    let timers = fields.objects("session_crons");
    let words = timers.iter().filter_map(|timer| timer.filled("prompt"));
    words.map(|words| Mark::of(words.trim().as_bytes())).collect()
}

/// The transcript of the main conversation; `None` for payloads that cannot be read.
#[must_use]
pub fn transcript_path(payload: &[u8]) -> Option<PathBuf> {
    read(payload).ok()?.filled("transcript_path").map(PathBuf::from)
}

/// Where the host keeps the files of the subagent in which an event happened; `None` for events of the main
/// conversation and for payloads that cannot be read.
#[must_use]
pub fn subagent_files(payload: &[u8]) -> Option<SubagentFiles> {
    let fields = read(payload).ok()?;
    let agent = fields.filled("agent_id")?;
    if !agent
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    {
        return None;
    }
    let transcript = match fields.filled("agent_transcript_path") {
        Some(path) => PathBuf::from(path),
        None => {
            let main = PathBuf::from(fields.filled("transcript_path")?);
            main.with_extension("")
                .join("subagents")
                .join(format!("agent-{agent}.jsonl"))
        }
    };
    Some(SubagentFiles {
        meta: transcript.with_extension("meta.json"),
        transcript,
    })
}

/// The payload's fields, or what is wrong with it.
pub(crate) fn read(bytes: &[u8]) -> Result<Fields<'_>, ParseError> {
    let broken = |damage, why: String| ParseError {
        native_event: recover_event(bytes),
        damage,
        why,
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        broken(
            Damage::NotUtf8,
            format!("the payload is not UTF-8 at byte {}", error.valid_up_to()),
        )
    })?;
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.is_empty() {
        return Err(broken(Damage::Empty, "the payload is empty".to_owned()));
    }
    serde_json::from_str::<Fields<'_>>(text).map_err(|error| {
        if error.is_eof() {
            broken(
                Damage::Truncated,
                format!("the payload is cut off after {} bytes", bytes.len()),
            )
        } else if !text.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
            broken(
                Damage::NotObject,
                "the payload is JSON, but not an object".to_owned(),
            )
        } else {
            broken(Damage::NotJson, format!("the payload is not JSON: {error}"))
        }
    })
}

fn kind(native: &str, fields: &Fields<'_>, agent: Option<&Agent>) -> EventKind {
    match native {
        "SessionStart" => EventKind::SessionStart {
            source: start_source(fields.text("source").as_deref()),
        },
        "UserPromptSubmit" => {
            let text = fields.text("prompt").unwrap_or_default();
            EventKind::Prompt {
                origin: origin(&text),
                text,
            }
        }
        "PreToolUse" => EventKind::ToolCall {
            call: tool_call(fields),
        },
        "PostToolUse" => {
            let call = tool_call(fields);
            let outcome = success(&call, &fields.object("tool_response"));
            tool_result(fields, call, outcome)
        }
        "PostToolUseFailure" => {
            let call = tool_call(fields);
            let outcome = failure_of(&call, fields.text("error").as_deref());
            tool_result(fields, call, outcome)
        }
        "SubagentStart" => EventKind::SubagentStart,
        "Stop" => turn_end(fields, None),
        // The host's own summarizer ends with this event too, as an agent without a kind: its text is
        // no answer of anybody, and sending it back would only prolong the compaction.
        "SubagentStop" if agent.is_some_and(|agent| agent.kind.is_empty()) => EventKind::Other,
        "SubagentStop" => turn_end(fields, agent),
        "MessageDisplay" => EventKind::Display {
            message: fields.text("message_id").unwrap_or_default(),
            index: fields.count("index").unwrap_or_default(),
            last: fields.flag("final").unwrap_or(true),
            text: fields.text("delta").unwrap_or_default(),
        },
        "PreCompact" | "PostCompact" => EventKind::Compaction,
        "SessionEnd" => EventKind::SessionEnd {
            reason: fields.text("reason").unwrap_or_default(),
        },
        _ => EventKind::Other,
    }
}

fn tool_result(fields: &Fields<'_>, call: ToolCall, outcome: ToolOutcome) -> EventKind {
    EventKind::ToolResult {
        call,
        outcome: ToolOutcome {
            millis: fields.count("duration_ms"),
            ..outcome
        },
    }
}

fn start_source(source: Option<&str>) -> StartSource {
    match source {
        Some("startup") => StartSource::Startup,
        Some("resume") => StartSource::Resume,
        Some("clear") => StartSource::Clear,
        Some("compact") => StartSource::Compact,
        Some("fork") => StartSource::Fork,
        _ => StartSource::Unknown,
    }
}

/// Prompts that the host or another agent writes. The whole text must be one such element: words of
/// the user before or after it stay the user's words.
const MACHINE: [&str; 7] = [
    "task-notification",
    "system-reminder",
    "local-command-stdout",
    "local-command-stderr",
    "bash-stdout",
    "bash-stderr",
    "user-prompt-submit-hook",
];
const AGENTS: [&str; 2] = ["teammate-message", "cross-session-message"];

/// Who wrote a prompt. Only the `<task-notification>` of a background agent was seen for real; the other
/// names stand in the host's program.
pub(crate) fn origin(text: &str) -> PromptOrigin {
    let text = text.trim();
    let whole = |tag: &&str| {
        text.strip_prefix('<')
            .and_then(|rest| rest.strip_prefix(*tag))
            .is_some_and(|rest| rest.starts_with(['>', ' ', '\n']))
            && text
                .strip_suffix('>')
                .and_then(|rest| rest.strip_suffix(*tag))
                .is_some_and(|rest| rest.ends_with("</"))
    };
    if MACHINE.iter().any(whole) {
        PromptOrigin::Machine
    } else if AGENTS.iter().any(whole) {
        PromptOrigin::Agent
    } else {
        PromptOrigin::User
    }
}

/// Whether a background task of this status is still at work. Unknown words count as work.
fn at_work(status: Option<&str>) -> bool {
    !matches!(
        status,
        Some("completed" | "failed" | "killed" | "stopped" | "cancelled" | "canceled")
    )
}

fn turn_end(fields: &Fields<'_>, agent: Option<&Agent>) -> EventKind {
    // A background subagent that ends its turn finds itself in the list, still "running".
    let background = fields
        .objects("background_tasks")
        .iter()
        .filter(|task| at_work(task.text("status").as_deref()))
        .filter(|task| agent.is_none_or(|agent| task.text("id").as_deref() != Some(agent.id.as_str())))
        .count();
    EventKind::TurnEnd {
        text: fields.text("last_assistant_message").unwrap_or_default(),
        again: fields.flag("stop_hook_active").unwrap_or(false),
        background,
    }
}

/// What sort of tool a name stands for. Tools of MCP servers are [`ToolKind::Other`]: their names do not
/// tell what they do.
#[must_use]
pub fn tool_kind(name: &str) -> ToolKind {
    match name {
        "Read" | "Glob" | "Grep" | "LS" | "NotebookRead" | "WebFetch" | "WebSearch" | "ToolSearch"
        | "TaskOutput" | "BashOutput" | "ListAgents" => ToolKind::Read,
        "Write" => ToolKind::Write,
        "Edit" | "MultiEdit" | "NotebookEdit" => ToolKind::Edit,
        "Bash" | "PowerShell" | "Monitor" => ToolKind::Shell,
        "Agent" | "Task" => ToolKind::Delegate,
        _ => ToolKind::Other,
    }
}

fn tool_call(fields: &Fields<'_>) -> ToolCall {
    let name = fields.text("tool_name").unwrap_or_default();
    tool_call_of(fields.filled("tool_use_id"), name, &fields.object("tool_input"))
}

/// A tool call from its parts, in a payload or in a transcript.
pub(crate) fn tool_call_of(id: Option<String>, name: String, input: &Fields<'_>) -> ToolCall {
    let kind = tool_kind(&name);
    let file = || {
        input
            .filled("file_path")
            .or_else(|| input.filled("notebook_path"))
    };
    let path = match kind {
        ToolKind::Read => file().or_else(|| input.filled("path")),
        ToolKind::Write | ToolKind::Edit => file(),
        _ => None,
    };
    ToolCall {
        id,
        kind,
        paths: path.into_iter().collect(),
        command: if kind == ToolKind::Shell {
            input.text("command")
        } else {
            None
        },
        delegation: (kind == ToolKind::Delegate).then(|| Delegation {
            prompt: input.text("prompt").unwrap_or_default(),
            agent: input.text("subagent_type").unwrap_or_default(),
        }),
        input: input.digest(&COSMETIC),
        // The host sends the words of these as a prompt, exactly as they are (seen for the first).
        says: (name == "ScheduleWakeup" || name == "CronCreate")
            .then(|| input.text("prompt"))
            .flatten()
            .map(|words| Mark::of(words.trim().as_bytes())),
        name,
    }
}

/// Fields of a tool's input that are words about the call and change nothing of what it does.
const COSMETIC: [&str; 1] = ["description"];

/// What came of a call that the host reports as a success.
pub(crate) fn success(call: &ToolCall, response: &Fields<'_>) -> ToolOutcome {
    let mut outcome = ToolOutcome {
        ok: Some(true),
        ..ToolOutcome::default()
    };
    match call.kind {
        // A Bash result is a success only at exit code 0, with these exceptions: it goes on in the
        // background, it was interrupted, or the host found the code harmless (`grep` without a match).
        ToolKind::Shell if call.name == "Bash" => {
            outcome.background = response.filled("backgroundTaskId").is_some();
            let unfinished = outcome.background || response.flag("interrupted") == Some(true);
            let harmless = response.filled("returnCodeInterpretation").is_some();
            let stdout = response.text("stdout");
            if !unfinished && !harmless && stdout.is_some() {
                outcome.exit = Some(0);
                outcome.exit_source = ExitSource::HostEvent;
            }
            outcome.ok = (!unfinished).then_some(true);
            outcome.output = stdout.map(|out| joined(out, response.filled("stderr")));
        }
        ToolKind::Write if response.text("type").as_deref() == Some("create") => {
            outcome.created = response.filled("filePath").into_iter().collect();
        }
        ToolKind::Delegate => {
            outcome.agent = response.filled("agentId");
            outcome.answer = answer(response);
        }
        _ => {}
    }
    outcome
}

/// Standard output and standard error, one after the other: the host keeps them apart.
fn joined(mut out: String, err: Option<String>) -> String {
    if let Some(err) = err {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&err);
    }
    out
}

/// The text that a subagent handed back; `None` when it only started (background) or said nothing. The host
/// puts notes of its own before and after the answer and says how many.
fn answer(response: &Fields<'_>) -> Option<String> {
    if response
        .text("status")
        .is_some_and(|status| status != "completed")
    {
        return None;
    }
    let parts = response.objects("content");
    let texts: Vec<String> = answer_range(response, parts.len())
        .filter_map(|index| parts.get(index))
        .filter_map(|part| part.text("text"))
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Which parts of a delegation's result are the subagent's own.
pub(crate) fn answer_range(response: &Fields<'_>, parts: usize) -> std::ops::Range<usize> {
    let number = |name| usize::try_from(response.count(name).unwrap_or(0)).unwrap_or(usize::MAX);
    let end = parts.saturating_sub(number("harnessTailCount"));
    number("harnessNoteCount").min(end)..end
}

/// What came of a call that the host reports as a failure, with its error text.
pub(crate) fn failure_of(call: &ToolCall, error: Option<&str>) -> ToolOutcome {
    let (exit, output) = match error.filter(|_| call.kind == ToolKind::Shell).and_then(exit_code) {
        Some((code, rest)) => (Some(code), Some(rest)),
        None => (None, error),
    };
    ToolOutcome {
        ok: Some(false),
        exit,
        exit_source: match exit {
            Some(_) => ExitSource::HostText,
            None => ExitSource::Unknown,
        },
        output: output.map(str::to_owned),
        ..ToolOutcome::default()
    }
}

/// The code in `Exit code 2\n<output>`, and the output behind it.
fn exit_code(error: &str) -> Option<(i32, &str)> {
    let rest = error.strip_prefix("Exit code ")?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit() && c != '-')
        .unwrap_or(rest.len());
    let (code, rest) = rest.split_at_checked(end)?;
    Some((code.parse().ok()?, rest.trim_start_matches(['\r', '\n'])))
}
