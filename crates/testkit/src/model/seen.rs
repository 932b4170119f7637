//! What one request told the model.

use serde_json::Value;
use std::fmt;

/// One request, as a test wants to look at it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Number of the request, from 1.
    pub number: usize,
    /// The conversation it was taken for (`main`, or a route's name).
    pub route: String,
    /// Index of the turn that answered it; `None` when the script had none.
    pub turn: Option<usize>,
    /// The model asked for.
    pub model: String,
    /// The system prompt.
    pub system: String,
    /// Names of the tools offered.
    pub tools: Vec<String>,
    /// The text of the first user message.
    pub first_user: String,
    /// What came after the model's last answer, in order.
    pub new: Vec<Piece>,
    /// The whole request.
    pub body: Value,
}

/// One piece of what a request adds to the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands.
    pub source: Source,
    /// The text.
    pub text: String,
}

/// Where a piece of a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A text of a user message: prompts, hook feedback, `<system-reminder>` blocks.
    User,
    /// The result of a tool call.
    ToolResult,
    /// The result of a tool call, marked as an error.
    ToolError,
    /// A message with the role `system` within the conversation: context injected by hooks.
    System,
}

impl Seen {
    /// Reads a request body of the Messages API.
    pub(super) fn read(body: Value) -> Self {
        let empty = Vec::new();
        let messages = body.get("messages").and_then(Value::as_array).unwrap_or(&empty);
        let role = |m: &Value| m.get("role").and_then(Value::as_str).unwrap_or("").to_owned();
        let after = messages
            .iter()
            .rposition(|m| role(m) == "assistant")
            .map_or(0, |i| i + 1);
        let new = messages
            .iter()
            .skip(after)
            .flat_map(|m| pieces(&role(m), m.get("content")))
            .collect();
        let first_user = messages
            .iter()
            .filter(|m| role(m) == "user")
            .take(1)
            .flat_map(|m| pieces("user", m.get("content")))
            .map(|p| p.text)
            .collect::<Vec<_>>()
            .join("\n");
        Self {
            number: 0,
            route: String::new(),
            turn: None,
            model: body.get("model").and_then(Value::as_str).unwrap_or("").to_owned(),
            system: text_of(body.get("system")),
            tools: body
                .get("tools")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|t| t.get("name").and_then(Value::as_str).map(str::to_owned))
                .collect(),
            first_user,
            new,
            body,
        }
    }

    /// Whether what is new contains `text`.
    #[must_use]
    pub fn received(&self, text: &str) -> bool {
        self.new.iter().any(|p| p.text.contains(text))
    }

    /// Whether what is new contains `text` in a piece from `source`.
    #[must_use]
    pub fn received_as(&self, source: Source, text: &str) -> bool {
        self.new
            .iter()
            .any(|p| p.source == source && p.text.contains(text))
    }

    /// Whether the system prompt or any message contains `text`.
    #[must_use]
    pub fn anywhere(&self, text: &str) -> bool {
        let empty = Vec::new();
        let messages = self
            .body
            .get("messages")
            .and_then(Value::as_array)
            .unwrap_or(&empty);
        self.system.contains(text)
            || messages
                .iter()
                .any(|m| pieces("", m.get("content")).iter().any(|p| p.text.contains(text)))
    }
}

impl fmt::Display for Seen {
    /// What is new, for failure messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} ({}", self.number, self.route)?;
        match self.turn {
            Some(turn) => write!(f, ", turn {})", turn + 1)?,
            None => write!(f, ", no turn)")?,
        }
        for piece in &self.new {
            write!(
                f,
                "\n  {:?}: {}",
                piece.source,
                piece.text.replace('\n', "\n    ")
            )?;
        }
        Ok(())
    }
}

/// The text of a content field: a string, or the text blocks of a list.
fn text_of(content: Option<&Value>) -> String {
    pieces("", content)
        .into_iter()
        .map(|p| p.text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn pieces(role: &str, content: Option<&Value>) -> Vec<Piece> {
    let source = if role == "system" {
        Source::System
    } else {
        Source::User
    };
    match content {
        Some(Value::String(text)) => vec![Piece {
            source,
            text: text.clone(),
        }],
        Some(Value::Array(blocks)) => blocks.iter().filter_map(|b| piece(source, b)).collect(),
        _ => Vec::new(),
    }
}

fn piece(source: Source, block: &Value) -> Option<Piece> {
    match block.get("type").and_then(Value::as_str)? {
        "text" => Some(Piece {
            source,
            text: block.get("text")?.as_str()?.to_owned(),
        }),
        "tool_result" => {
            let error = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
            let source = if error {
                Source::ToolError
            } else {
                Source::ToolResult
            };
            Some(Piece {
                source,
                text: text_of(block.get("content")),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_follows_the_last_answer_is_new() {
        let seen = Seen::read(json!({
            "model": "m", "system": [{"type": "text", "text": "be good"}],
            "tools": [{"name": "Write"}],
            "messages": [
                {"role": "user", "content": "the prompt"},
                {"role": "assistant", "content": [{"type": "text", "text": "old"}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "is_error": true, "content": "denied"},
                    {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "made"}]},
                    {"type": "text", "text": "feedback"}]},
                {"role": "system", "content": "context"}
            ]
        }));
        let new: Vec<_> = seen.new.iter().map(|p| (p.source, p.text.as_str())).collect();
        assert_eq!(
            new,
            [
                (Source::ToolError, "denied"),
                (Source::ToolResult, "made"),
                (Source::User, "feedback"),
                (Source::System, "context")
            ]
        );
        assert_eq!(
            (seen.first_user.as_str(), seen.system.as_str()),
            ("the prompt", "be good")
        );
        assert!(!seen.received("old") && seen.anywhere("old"));
        assert!(seen.received_as(Source::System, "context") && !seen.received_as(Source::User, "context"));
    }

    #[test]
    fn bodies_of_any_shape_are_read_without_failing() {
        for body in [
            json!(null),
            json!([]),
            json!({"messages": 5}),
            json!({"messages": [1, {"content": {}}]}),
        ] {
            let seen = Seen::read(body);
            assert!(seen.new.is_empty());
        }
    }
}
