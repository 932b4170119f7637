//! The settings as rows: every key with its value and where it comes from.

use crate::keys::{KEYS, Value};
use crate::resolve::{Origin, Resolved};
use crate::tools::ToolMode;
use serde::Serialize;
use serde_json::json;

/// One key of `proctor config show`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShowRow {
    /// Dotted path in the policy file.
    pub path: String,
    /// The value on one line, as a policy file would have it; `none` when there is none.
    pub value: String,
    /// Where it comes from: layer, and file, line and column or preset.
    pub origin: String,
    /// Whether the value has an effect in this version.
    pub active: bool,
}

/// Every key of the policy, in the order of the reference page, each mode for single tools by itself; reserved settings
/// after them.
#[must_use]
pub fn show(resolved: &Resolved) -> Vec<ShowRow> {
    let rows = KEYS.iter().flat_map(|key| {
        let value = (key.get)(&resolved.settings);
        if let Value::Tools(tools) = &value
            && !tools.is_empty()
        {
            return tool_rows(key.path, tools, &resolved.tools);
        }
        let origin = resolved
            .origins
            .get(key.path)
            .map(Origin::to_string)
            .unwrap_or_default();
        vec![ShowRow {
            path: key.path.to_owned(),
            value: plain(&value),
            origin: if key.is_read() {
                origin
            } else {
                format!("{origin}, no effect in this version")
            },
            active: key.is_read(),
        }]
    });
    let reserved = resolved.reserved.iter().map(|r| ShowRow {
        path: r.path.clone(),
        value: r.value.clone(),
        origin: format!("{}, no effect in this version", r.origin),
        active: false,
    });
    rows.chain(reserved).collect()
}

/// Modes for single tools, one row each.
fn tool_rows(path: &str, tools: &[ToolMode], origins: &[Origin]) -> Vec<ShowRow> {
    let row = |(tool, origin): (&ToolMode, &Origin)| ShowRow {
        path: format!("{path}.{}.{}", tool.tools.join("|"), tool.gate),
        value: tool.mode.to_string(),
        origin: if tool.only_stricter {
            format!("{origin}, where it is stricter")
        } else {
            origin.to_string()
        },
        active: true,
    };
    tools.iter().zip(origins).map(row).collect()
}

/// The same as JSON: `settings` maps each path to `value`, `origin` and `active`, and modes for single tools to `origins`
/// in the order of the values as well; with digest and problems.
#[must_use]
pub fn show_json(resolved: &Resolved) -> serde_json::Value {
    let mut settings = serde_json::Map::new();
    for key in KEYS {
        let value = (key.get)(&resolved.settings);
        let mut row = json!({
            "value": to_json(&value),
            "origin": resolved.origins.get(key.path),
            "active": key.is_read(),
        });
        if let (Value::Tools(_), Some(fields)) = (&value, row.as_object_mut()) {
            fields.insert("origins".to_owned(), json!(resolved.tools));
        }
        settings.insert(key.path.to_owned(), row);
    }
    json!({
        "settings": settings,
        "reserved": resolved.reserved,
        "problems": resolved.problems,
        "digest": resolved.digest,
        "broken": resolved.broken,
    })
}

/// A value on one line, as YAML would have it.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::Preset(v) => v.as_str().to_owned(),
        Value::Mode(v) => v.to_string(),
        Value::OnError(v) => v.to_string(),
        Value::Level(v) => v.as_str().to_owned(),
        Value::Require(v) => v.as_str().to_owned(),
        Value::Method(v) => v.as_str().to_owned(),
        Value::Embedder(v) => v.as_str().to_owned(),
        Value::Text(v) if v.is_empty() => "none".to_owned(),
        Value::Text(v) => v.clone(),
        Value::Flag(v) => v.to_string(),
        Value::Ratio(v) => v.to_string(),
        Value::Count(v) => v.map_or_else(|| "none".to_owned(), |v| v.to_string()),
        Value::Boundary(v) => v.as_str().to_owned(),
        Value::List(_) | Value::Patterns(_) | Value::Checks(_) | Value::Tools(_) => {
            to_json(value).to_string()
        }
    }
}

pub(crate) fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Preset(v) => json!(v.as_str()),
        Value::Mode(v) => json!(v),
        Value::OnError(v) => json!(v),
        Value::Level(v) => json!(v.as_str()),
        Value::Require(v) => json!(v.as_str()),
        Value::Method(v) => json!(v.as_str()),
        Value::Embedder(v) => json!(v.as_str()),
        Value::Text(v) => json!(v),
        Value::Flag(v) => json!(v),
        Value::Ratio(v) => json!(v),
        Value::Count(v) => json!(v),
        Value::List(v) => json!(v),
        Value::Patterns(v) => json!(v),
        Value::Boundary(v) => json!(v),
        Value::Checks(v) => json!(v),
        Value::Tools(v) => json!(v),
    }
}
