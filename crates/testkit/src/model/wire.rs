//! Answers in the form of the Anthropic Messages API: one JSON message, or the same as a stream of
//! server-sent events.

use super::script::Turn;
use serde_json::{Value, json};

/// Size of the pieces in which a text is streamed, in characters.
const PIECE: usize = 40;

/// A message of the API, before it is written out.
pub(super) struct Message {
    id: String,
    model: String,
    blocks: Vec<Value>,
    stop: &'static str,
    input_tokens: u64,
    output_tokens: u64,
}

impl Message {
    /// The answer that `turn` gives as the reply to request number `number` of `request_chars`
    /// characters.
    pub(super) fn new(turn: &Turn, number: usize, model: &str, request_chars: usize) -> Self {
        let mut blocks = Vec::new();
        if !turn.text.is_empty() {
            blocks.push(json!({"type": "text", "text": turn.text}));
        }
        for (i, call) in turn.calls.iter().enumerate() {
            let id = format!("toolu_fake_{number:04}_{i}");
            blocks.push(json!({"type": "tool_use", "id": id, "name": call.name, "input": call.input}));
        }
        // An API message without content is refused by clients.
        if blocks.is_empty() {
            blocks.push(json!({"type": "text", "text": " "}));
        }
        let chars: usize = blocks.iter().map(|b| b.to_string().chars().count()).sum();
        Self {
            id: format!("msg_fake_{number:04}"),
            model: model.to_owned(),
            blocks,
            stop: if turn.calls.is_empty() {
                "end_turn"
            } else {
                "tool_use"
            },
            input_tokens: turn.input_tokens.unwrap_or(request_chars as u64 / 4),
            output_tokens: chars as u64 / 4 + 1,
        }
    }

    fn usage(&self, output: u64) -> Value {
        json!({
            "input_tokens": self.input_tokens,
            "output_tokens": output,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        })
    }

    /// The message as one JSON object.
    pub(super) fn json(&self) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model,
            "content": self.blocks, "stop_reason": self.stop, "stop_sequence": null,
            "usage": self.usage(self.output_tokens),
        })
    }

    /// The message as a stream of server-sent events.
    pub(super) fn stream(&self) -> String {
        let mut out = String::new();
        let mut send = |event: Value| {
            let name = event
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            out.push_str(&format!("event: {name}\ndata: {event}\n\n"));
        };
        send(json!({"type": "message_start", "message": {
            "id": self.id, "type": "message", "role": "assistant", "model": self.model,
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": self.usage(0),
        }}));
        for (index, block) in self.blocks.iter().enumerate() {
            let (start, deltas) = opened(block);
            send(json!({"type": "content_block_start", "index": index, "content_block": start}));
            for delta in deltas {
                send(json!({"type": "content_block_delta", "index": index, "delta": delta}));
            }
            send(json!({"type": "content_block_stop", "index": index}));
        }
        send(json!({
            "type": "message_delta",
            "delta": {"stop_reason": self.stop, "stop_sequence": null},
            "usage": {"output_tokens": self.output_tokens},
        }));
        send(json!({"type": "message_stop"}));
        out
    }
}

/// A block as it starts in a stream, and the deltas that complete it.
fn opened(block: &Value) -> (Value, Vec<Value>) {
    let mut start = block.clone();
    if let Some(text) = block.get("text").and_then(Value::as_str) {
        start["text"] = json!("");
        let chars: Vec<char> = text.chars().collect();
        let deltas = chars
            .chunks(PIECE)
            .map(|piece| json!({"type": "text_delta", "text": piece.iter().collect::<String>()}))
            .collect();
        (start, deltas)
    } else {
        let input = block.get("input").cloned().unwrap_or_else(|| json!({}));
        start["input"] = json!({});
        (
            start,
            vec![json!({"type": "input_json_delta", "partial_json": input.to_string()})],
        )
    }
}

/// An error answer of the API. Clients retry neither status 400 nor `invalid_request_error`.
pub(super) fn error(message: &str) -> Value {
    json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_puts_together_to_the_same_message() {
        let text = "가나다 ".repeat(40);
        let turn = Turn::say(text.clone()).call("Write", json!({"file_path": "a", "content": "한글"}));
        let message = Message::new(&turn, 7, "m", 400);
        let (mut said, mut input, mut stop) = (String::new(), String::new(), String::new());
        for line in message.stream().lines().filter_map(|l| l.strip_prefix("data: ")) {
            let event: Value = serde_json::from_str(line).unwrap();
            let delta = |name: &str| event["delta"][name].as_str().unwrap_or_default().to_owned();
            said += &delta("text");
            input += &delta("partial_json");
            stop += &delta("stop_reason");
        }
        let whole = message.json();
        assert_eq!(whole["content"][0]["text"], json!(said));
        assert_eq!(
            whole["content"][1]["input"],
            serde_json::from_str::<Value>(&input).unwrap()
        );
        assert_eq!(whole["stop_reason"], json!(stop));
        assert_eq!(said, text);
        assert_eq!(stop, "tool_use");
    }
}
