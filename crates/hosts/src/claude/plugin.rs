//! The Claude Code plugin: the installer's hooks, a skill that explains the gates to the agent, and the command `/review`. Generated,
//! so that it cannot drift away from the installer; the files are committed under `plugin/`.

use super::install::{Options, hooks};
use serde_json::{Map, Value, json};

/// The skill's text.
const SKILL: &str = include_str!("skill.md");

/// The text of the command `/review`.
const REVIEW: &str = include_str!("review.md");

/// The plugin's files: path below the plugin's folder, and content. The hooks start `proctor` from the
/// search path, because a plugin is the same on every machine.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    let about = "Holds agents to their word: checks answers, approvals, scope and open items from outside.";
    let manifest = json!({
        "name": "proctor",
        "version": env!("CARGO_PKG_VERSION"),
        "description": about,
        "license": env!("CARGO_PKG_LICENSE"),
        "keywords": ["hooks", "review", "enforcement"],
    });
    let events: Map<String, Value> = hooks("proctor", Options::default())
        .into_iter()
        .map(|(event, group)| (event.to_owned(), json!([group])))
        .collect();
    vec![
        (".claude-plugin/plugin.json", pretty(&manifest)),
        (
            "hooks/hooks.json",
            pretty(&json!({"description": about, "hooks": events})),
        ),
        ("skills/proctor/SKILL.md", SKILL.to_owned()),
        ("commands/review.md", REVIEW.to_owned()),
    ]
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
