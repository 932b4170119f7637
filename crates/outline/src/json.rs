//! Delegations written as JSON, rewritten as labelled lists so that one reader serves all forms.

use serde_json::Value;
use std::fmt::Write as _;

/// The text with JSON objects (the whole text, or ```` ```json ```` blocks) rewritten as lists; the
/// text itself when it has none.
pub(crate) fn rewrite(text: &str) -> String {
    let trimmed = text.trim();
    if trimmed.starts_with('{')
        && trimmed.ends_with('}')
        && let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(trimmed)
    {
        return render(&value);
    }
    if !text.contains("```json") && !text.contains("```\n{") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("```") {
        let (before, block) = rest.split_at(open);
        out.push_str(before);
        let Some((info, body)) = block.get(3..).and_then(|b| b.split_once('\n')) else {
            rest = block;
            break;
        };
        let Some((body, after)) = body.split_once("```") else {
            rest = block;
            break;
        };
        match serde_json::from_str::<Value>(body.trim()) {
            Ok(value @ Value::Object(_)) if matches!(info.trim(), "" | "json") => {
                out.push('\n');
                out.push_str(&render(&value));
            }
            _ => {
                let _ = write!(out, "```{info}\n{body}```");
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn render(value: &Value) -> String {
    let mut out = String::new();
    if let Value::Object(map) = value {
        for (key, value) in map {
            match value {
                Value::Object(inner) => {
                    let _ = writeln!(out, "{}:", words(key));
                    for (key, value) in inner {
                        let nested = crate::labels::at_start(&words(key)).is_some();
                        if nested || !matches!(value, Value::Array(_) | Value::Object(_)) {
                            entry(&mut out, key, value);
                        } else {
                            list(&mut out, value, 0);
                        }
                    }
                }
                _ => entry(&mut out, key, value),
            }
        }
    }
    out
}

fn entry(out: &mut String, key: &str, value: &Value) {
    match value {
        Value::Array(_) | Value::Object(_) => {
            let _ = writeln!(out, "{}:", words(key));
            list(out, value, 0);
        }
        other => {
            let text = scalar(other);
            if text.contains('\n') {
                let _ = writeln!(out, "{}:\n{text}", words(key));
            } else {
                let _ = writeln!(out, "{}: {text}", words(key));
            }
        }
    }
}

fn list(out: &mut String, value: &Value, depth: usize) {
    if depth > 8 {
        return;
    }
    match value {
        Value::Array(values) => {
            for value in values {
                match value {
                    Value::Array(_) => list(out, value, depth + 1),
                    other => {
                        let _ = writeln!(out, "{}- {}", "  ".repeat(depth), scalar(other));
                    }
                }
            }
        }
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::Array(_) | Value::Object(_) => {
                        let _ = writeln!(out, "{}- {key}:", "  ".repeat(depth));
                        list(out, value, depth + 1);
                    }
                    other => {
                        let _ = writeln!(out, "{}- {key}: {}", "  ".repeat(depth), scalar(other));
                    }
                }
            }
        }
        other => {
            let _ = writeln!(out, "{}- {}", "  ".repeat(depth), scalar(other));
        }
    }
}

/// A value on one line; the values of an object are joined.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(map) => map
            .values()
            .map(scalar)
            .filter(|t| !t.is_empty())
            .collect::<Vec<_>>()
            .join(": "),
        Value::Array(values) => values.iter().map(scalar).collect::<Vec<_>>().join(", "),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// `expectedOutcome` and `expected_outcome` as words.
fn words(key: &str) -> String {
    // As a key it is a label, as the first word of a line it need not be one.
    if matches!(
        key.trim(),
        "파일" | "파일들" | "파일 목록" | "파일_목록" | "파일목록"
    ) {
        return "대상 파일".to_owned();
    }
    let mut out = String::with_capacity(key.len() + 4);
    let mut lower = false;
    for c in key.chars() {
        if c.is_ascii_uppercase() && lower {
            out.push(' ');
        }
        lower = c.is_ascii_lowercase();
        out.push(if c == '_' { ' ' } else { c });
    }
    out
}
