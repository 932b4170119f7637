//! Decisions in the form that Claude Code honours. Pure and total: every event and every answer has a
//! form, and what an event cannot carry becomes the nearest thing that it can (see [`super::matrix`]).
//!
//! What was found with version 2.1.329 and decides the forms below:
//! - Anything on standard output besides one JSON object loses the verdict without a trace.
//! - A block is honoured as JSON with exit status 0 and with 2; together the JSON's reason is shown. Both
//!   are given, so that versions which know only one of them obey too.
//! - `additionalContext` on Stop and SubagentStop makes the agent go on even when nothing is blocked.
//! - `hookSpecificOutput` for an event that has none (SessionEnd, PreCompact) makes the answer invalid.

use super::wire::Fields;
use crate::Rendered;
use proctor_kernel::{Action, Decision, Event, EventKind, Note, ToolKind};
use serde_json::{Map, Value, json};

/// Longest `additionalContext` in characters: 9,000 reach the model as they are, 11,000 become a file with a
/// 2 KB preview (2.1.329).
const CONTEXT_LIMIT: usize = 9_000;

/// Renders a decision. Soft notes reach the agent as context where the event takes it without changing the
/// flow; at the end of a turn they do not (the caller keeps them for the next event) unless the turn
/// is sent back anyway. Alerts are shown to the user, except before a compaction.
///
/// Where the text or input to change stands only in the payload (tool calls and results), a change becomes
/// a note; use [`render_onto`] to have it made.
#[must_use]
pub fn render(event: &Event, decision: &Decision) -> Rendered {
    render_onto(b"", event, decision)
}

/// As [`render`], with the payload that the event was parsed from: a changed tool input or tool result
/// must be given back whole.
#[must_use]
pub fn render_onto(payload: &[u8], event: &Event, decision: &Decision) -> Rendered {
    let form = Form::of(event);
    let mut answer = Answer::new(form, event);
    answer.notes(&decision.notes);
    match decision.action {
        Action::Allow => {}
        Action::Modify => answer.modify(payload, event, decision.text.as_deref()),
        Action::Ask => answer.ask(event, &decision.reason),
        Action::Block => answer.block(event, &decision.reason),
    }
    answer.alerts(&decision.alerts);
    answer.finish()
}

/// The answer when Proctor itself failed before it had a decision. With `closed` it takes the one form
/// that the event honours as a refusal (or, for an event whose name is unknown, the form that every event
/// which can refuse honours); otherwise the host goes on and the user is told. A compaction is never
/// refused in this way: a session that cannot be compacted ends.
#[must_use]
pub fn render_failure(native_event: Option<&str>, why: &str, closed: bool) -> Rendered {
    let reason = format!(
        "[proctor] This could not be checked: {why}. That is a fault of the check, not of your work. It fails \
         closed; a human can find the cause with `proctor doctor`."
    );
    let alert = format!("Proctor could not check this event ({why}). Run `proctor doctor`.");
    let form = native_event.map(Form::of_native);
    let refuses = matches!(form, None | Some(Form::ToolCall | Form::Prompt | Form::TurnEnd));
    if closed && refuses {
        let json = if form == Some(Form::ToolCall) {
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                "permissionDecisionReason": reason}, "systemMessage": alert})
        } else {
            json!({"decision": "block", "reason": reason, "systemMessage": alert})
        };
        Rendered {
            stdout: format!("{json}\n"),
            stderr: reason,
            exit: 2,
        }
    } else {
        let json = if form == Some(Form::Blocking) {
            json!({})
        } else {
            json!({"systemMessage": alert})
        };
        Rendered {
            stdout: format!("{json}\n"),
            stderr: String::new(),
            exit: 0,
        }
    }
}

/// How an event takes answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `PreToolUse`: deny, ask, changed input, context.
    ToolCall,
    /// `UserPromptSubmit`: block, context.
    Prompt,
    /// `PostToolUse`: words to the model beside the result, changed result, context.
    ToolResult,
    /// `PostToolUseFailure`: the same without a changed result.
    ToolFailure,
    /// `Stop`, `SubagentStop`: block; context only beside a block.
    TurnEnd,
    /// `MessageDisplay`: another text.
    Display,
    /// `SessionStart`, `SubagentStart`: context only.
    Context,
    /// `PreCompact`: block.
    Blocking,
    /// Everything else: a word to the user.
    Neutral,
}

impl Form {
    fn of(event: &Event) -> Self {
        Self::of_native(&event.native)
    }

    fn of_native(native: &str) -> Self {
        match native {
            "PreToolUse" => Self::ToolCall,
            "UserPromptSubmit" => Self::Prompt,
            "PostToolUse" => Self::ToolResult,
            "PostToolUseFailure" => Self::ToolFailure,
            "Stop" | "SubagentStop" => Self::TurnEnd,
            "MessageDisplay" => Self::Display,
            "SessionStart" | "SubagentStart" => Self::Context,
            "PreCompact" => Self::Blocking,
            _ => Self::Neutral,
        }
    }

    /// Whether context can be given without changing the flow.
    fn takes_context(self) -> bool {
        matches!(
            self,
            Self::ToolCall | Self::Prompt | Self::ToolResult | Self::ToolFailure | Self::Context
        )
    }
}

/// An answer under construction.
struct Answer {
    form: Form,
    top: Map<String, Value>,
    specific: Map<String, Value>,
    context: Vec<String>,
    messages: Vec<String>,
    refusal: Option<String>,
    native: String,
}

impl Answer {
    fn new(form: Form, event: &Event) -> Self {
        Self {
            form,
            top: Map::new(),
            specific: Map::new(),
            context: Vec::new(),
            messages: Vec::new(),
            refusal: None,
            native: event.native.clone(),
        }
    }

    fn notes(&mut self, notes: &[Note]) {
        self.context.extend(notes.iter().map(|note| {
            if note.text.starts_with('[') {
                note.text.clone()
            } else {
                format!("[proctor] {}: {}", note.gate, note.text)
            }
        }));
    }

    fn alerts(&mut self, alerts: &[String]) {
        self.messages
            .extend(alerts.iter().map(|alert| format!("Proctor: {alert}")));
    }

    /// Refuses as top-level decision, in the two ways that versions know.
    fn refuse(&mut self, reason: &str) {
        self.top.insert("decision".to_owned(), json!("block"));
        self.top.insert("reason".to_owned(), json!(reason));
        self.refusal = Some(reason.to_owned());
    }

    fn block(&mut self, event: &Event, reason: &str) {
        let reason = if reason.trim().is_empty() {
            "[proctor] Refused without a stated reason."
        } else {
            reason
        };
        match self.form {
            Form::ToolCall => {
                self.permission("deny", reason);
                self.refusal = Some(reason.to_owned());
            }
            Form::Prompt | Form::TurnEnd | Form::Blocking | Form::ToolResult | Form::ToolFailure => {
                self.refuse(reason)
            }
            Form::Context => {
                self.context.insert(0, reason.to_owned());
                self.messages.push(format!("Proctor: {reason}"));
            }
            Form::Display => {
                // A text cannot be held back here, and must not get lost: the objection is shown with it.
                if let EventKind::Display { text, last: true, .. } = &event.kind {
                    self.display(&format!("{}\n\n{reason}", text.trim_end()));
                }
            }
            Form::Neutral => self.messages.push(format!("Proctor: {reason}")),
        }
    }

    fn ask(&mut self, event: &Event, reason: &str) {
        if self.form == Form::ToolCall {
            self.permission("ask", reason);
        } else {
            self.block(
                event,
                &format!("{reason}\n\nA human must decide this. Ask the user, and wait for the answer."),
            );
        }
    }

    fn modify(&mut self, payload: &[u8], event: &Event, text: Option<&str>) {
        let Some(text) = text else { return };
        match (self.form, &event.kind) {
            (Form::Display, _) => self.display(text),
            (Form::ToolCall, EventKind::ToolCall { call }) => match changed_input(payload, call.kind, text) {
                Some(input) => {
                    self.specific.insert("updatedInput".to_owned(), input);
                }
                None => self.context.push(format!("[proctor] Use this instead:\n{text}")),
            },
            (Form::ToolResult, _) => match changed_answer(payload, text) {
                Some(response) => {
                    self.specific.insert("updatedToolOutput".to_owned(), response);
                }
                None => self
                    .context
                    .push(format!("[proctor] Read the result above as:\n{text}")),
            },
            // The text has been shown already, or goes to the parent with the tool result.
            (Form::TurnEnd, EventKind::TurnEnd { text: original, .. }) => {
                let added = text
                    .strip_prefix(original.trim_end())
                    .map_or(text, str::trim_start);
                self.messages
                    .push(format!("Proctor changed the agent's last message: {added}"));
            }
            (form, _) if form.takes_context() => {
                self.context.push(format!("[proctor] Read the above as:\n{text}"))
            }
            _ => self.messages.push(format!("Proctor: {text}")),
        }
    }

    fn permission(&mut self, decision: &str, reason: &str) {
        self.specific
            .insert("permissionDecision".to_owned(), json!(decision));
        self.specific
            .insert("permissionDecisionReason".to_owned(), json!(reason));
    }

    fn display(&mut self, text: &str) {
        self.specific.insert("displayContent".to_owned(), json!(text));
    }

    fn finish(mut self) -> Rendered {
        let refused = self.refusal.is_some();
        if !self.context.is_empty() && (self.form.takes_context() || (self.form == Form::TurnEnd && refused))
        {
            self.specific.insert(
                "additionalContext".to_owned(),
                json!(clip(&self.context.join("\n"))),
            );
        }
        if !self.specific.is_empty() {
            let mut specific = Map::new();
            specific.insert("hookEventName".to_owned(), json!(self.native));
            specific.append(&mut self.specific);
            self.top
                .insert("hookSpecificOutput".to_owned(), Value::Object(specific));
        }
        // Before a compaction the host hands the hook's whole output to the summarizer, as words of
        // instruction: `{}` does no harm there.
        let silent = self.form == Form::Blocking && !refused;
        if !self.messages.is_empty() && !silent {
            self.top
                .insert("systemMessage".to_owned(), json!(self.messages.join("\n")));
        }
        Rendered {
            stdout: format!("{}\n", Value::Object(self.top)),
            exit: if refused { 2 } else { 0 },
            stderr: self.refusal.unwrap_or_default(),
        }
    }
}

/// Cuts a text that the host would otherwise put away into a file.
fn clip(text: &str) -> String {
    let Some((at, _)) = text.char_indices().nth(CONTEXT_LIMIT) else {
        return text.to_owned();
    };
    let left = text.chars().count() - CONTEXT_LIMIT;
    format!(
        "{}\n[proctor] … {left} more characters: see `proctor explain`.",
        text.get(..at).unwrap_or_default()
    )
}

/// The whole tool input with the command or the prompt replaced: the host takes `updatedInput` as a
/// replacement, not as a change.
fn changed_input(payload: &[u8], kind: ToolKind, text: &str) -> Option<Value> {
    let field = match kind {
        ToolKind::Shell => "command",
        ToolKind::Delegate => "prompt",
        _ => return None,
    };
    let fields = super::parse::read(payload).ok()?;
    let mut input: Value = serde_json::from_str(fields.raw("tool_input")?.get()).ok()?;
    *input.as_object_mut()?.get_mut(field)? = json!(text);
    Some(input)
}

/// The whole result of a delegation with the subagent's answer replaced. Anything but a complete clone of
/// the original is dropped by the host without a word.
fn changed_answer(payload: &[u8], text: &str) -> Option<Value> {
    let fields = super::parse::read(payload).ok()?;
    if super::parse::tool_kind(&fields.text("tool_name")?) != ToolKind::Delegate {
        return None;
    }
    let raw = fields.raw("tool_response")?;
    let shape = Fields::of(raw)?;
    let mut response: Value = serde_json::from_str(raw.get()).ok()?;
    let parts = response.get_mut("content")?.as_array_mut()?;
    let own = super::parse::answer_range(&shape, parts.len());
    if own.is_empty() {
        return None;
    }
    parts.splice(own, [json!({"type": "text", "text": text})]);
    Some(response)
}
