//! The JSON Schema of a policy file, for editors and for `proctor config schema`.
//!
//! The types below mirror what the reader accepts; they are never filled. A test holds them against the
//! table of keys, and the descriptions are taken from it.

#![expect(dead_code, reason = "the types exist for their schema alone")]

use crate::keys::{KEYS, SECTIONS};
use crate::settings::{
    Boundary, Confidence, DriftMethod, EmbedderKind, Preset, Require, ReviewLevel, Verification,
};
use schemars::JsonSchema;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Where the schema of this version is to be found.
const ID: &str = "proctor.schema.json";

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PolicyFile {
    /// Version of the form of this file.
    #[schemars(range(min = 1, max = 1))]
    version: Option<u8>,
    preset: Option<Preset>,
    enforcement: Option<Enforcement>,
    #[schemars(length(max = 500))]
    verification: Option<Vec<Verification>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Enforcement {
    enabled: Option<bool>,
    budget: Option<Budget>,
    response: Option<Response>,
    response_validator: Option<Response>,
    review: Option<Review>,
    review_gate: Option<Review>,
    scope: Option<Scope>,
    scope_guard: Option<Scope>,
    todo: Option<Todo>,
    todo_tracker: Option<Todo>,
    delegation: Option<Delegation>,
    drift: Option<Drift>,
    approval: Option<Approval>,
    protect: Option<Later>,
    rules: Option<Later>,
    approve_tool: Option<Later>,
    workflow: Option<Later>,
    r#loop: Option<Loop>,
    tools: Option<BTreeMap<String, ToolGates>>,
    checks: Option<Later>,
}

/// Modes of gates for some tools.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ToolGates {
    r#loop: Option<ModeWord>,
    delegation: Option<ModeWord>,
    todo: Option<ModeWord>,
}

/// Limits that hold for all gates of a task together.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Budget {
    #[schemars(range(min = 0, max = 20))]
    retries: Option<u32>,
    #[schemars(range(min = 1, max = 20))]
    review_attempts: Option<u32>,
    #[schemars(range(min = 1, max = 1_000_000_000))]
    tokens: Option<u64>,
    #[schemars(range(min = 1, max = 2_592_000))]
    seconds: Option<u64>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Response {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    #[schemars(range(min = 0, max = 1))]
    flattery_threshold: Option<f64>,
    #[schemars(range(min = 0, max = 20))]
    max_retries: Option<u32>,
    #[schemars(range(min = 1, max = 100))]
    distinct_limit: Option<u32>,
    boundary: Option<Boundary>,
    human_facing: Option<HumanFacing>,
    patterns: Option<Patterns>,
    allow: Option<Terms>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Terms {
    /// For all languages.
    All(#[schemars(length(max = 500), inner(length(min = 1, max = 200)))] Vec<String>),
    /// For each language.
    Each(EachLanguage),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct EachLanguage {
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    korean: Option<Vec<String>>,
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    english: Option<Vec<String>>,
}

/// Texts that a person reads.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct HumanFacing {
    mode: Option<ModeWord>,
    #[schemars(range(min = 0, max = 1))]
    threshold: Option<f64>,
}

/// Words and phrases of your own that count as praise.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Patterns {
    #[schemars(length(max = 500))]
    korean: Option<Vec<Entry>>,
    #[schemars(length(max = 500))]
    english: Option<Vec<Entry>>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Entry {
    /// A word, a stem, a phrase, or a regular expression between slashes.
    Text(#[schemars(length(min = 1, max = 200))] String),
    Full(FullEntry),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct FullEntry {
    /// A word, a stem, a phrase, or a regular expression between slashes.
    #[schemars(length(min = 1, max = 200))]
    pattern: String,
    /// Texts that it must match; checked by `proctor config validate`.
    #[schemars(length(max = 50))]
    r#match: Option<Vec<String>>,
    /// Texts that it must not match.
    #[schemars(length(max = 50))]
    not_match: Option<Vec<String>>,
    /// `low`: found and counted, but it decides nothing.
    confidence: Option<Confidence>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Review {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    level: Option<ReviewLevel>,
    require_evidence: Option<bool>,
    #[schemars(range(min = 0, max = 20))]
    downgrade_after_retries: Option<u32>,
    #[schemars(range(min = 1, max = 86_400))]
    rerun_seconds: Option<u64>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Scope {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    #[schemars(range(min = 1, max = 10_000))]
    violation_threshold: Option<u32>,
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    allow: Option<Vec<String>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Todo {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    reminder_on_incomplete: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Delegation {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Drift {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    #[schemars(range(min = 3, max = 20))]
    remember: Option<u32>,
    method: Option<DriftMethod>,
    #[schemars(range(min = 0, max = 1))]
    threshold: Option<f64>,
    #[schemars(range(min = 3, max = 20))]
    last: Option<u32>,
    embedder: Option<Embedder>,
}

/// What turns a text into a vector.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Embedder {
    kind: Option<EmbedderKind>,
    #[schemars(length(max = 4_000))]
    path: Option<String>,
    #[schemars(length(max = 4_000))]
    url: Option<String>,
    #[schemars(length(max = 4_000))]
    model: Option<String>,
    #[schemars(length(max = 4_000))]
    key_env: Option<String>,
    #[schemars(range(min = 1, max = 60_000))]
    timeout_ms: Option<u64>,
    fallback: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Approval {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    require: Option<Require>,
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    paths: Option<Vec<String>>,
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    high_stakes: Option<Vec<String>>,
    launch_reviewer: Option<bool>,
    #[schemars(length(max = 4_000))]
    reviewer_model: Option<String>,
    #[schemars(length(max = 4_000))]
    second_model: Option<String>,
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    models: Option<Vec<String>>,
    #[schemars(range(min = 0, max = 20))]
    agree: Option<u32>,
    #[schemars(length(max = 500), inner(length(min = 1, max = 200)))]
    reviewer_programs: Option<Vec<String>>,
    #[schemars(range(min = 1, max = 86_400))]
    reviewer_seconds: Option<u64>,
    signed: Option<bool>,
    #[schemars(length(max = 4_000))]
    signers: Option<String>,
    rewrite: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Loop {
    /// `false` is `mode: off`; `true` keeps the mode that the preset chooses.
    enabled: Option<bool>,
    mode: Option<ModeWord>,
    on_error: Option<OnErrorWord>,
    #[schemars(range(min = 2, max = 1_000))]
    nudge: Option<u32>,
    #[schemars(range(min = 2, max = 1_000))]
    block: Option<u32>,
    #[schemars(range(min = 2, max = 1_000))]
    trip: Option<u32>,
    exempt: Option<Terms>,
}

/// A gate of a later version. The section has no effect in this one.
#[derive(JsonSchema)]
struct Later {}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum ModeWord {
    /// The gate is not run.
    Off,
    /// The gate is run and recorded; nobody is told.
    Observe,
    /// Findings become notes to the agent.
    Warn,
    /// Hard findings become the answer itself.
    Enforce,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum OnErrorWord {
    /// Let the event pass; the failure is recorded.
    Allow,
    /// Ask a human.
    Ask,
    /// Fail closed.
    Block,
}

/// The JSON Schema (2020-12) of a policy file, as committed in `schemas/proctor.schema.json`.
#[must_use]
pub fn schema() -> Value {
    let mut schema = schemars::SchemaGenerator::default()
        .into_root_schema_for::<PolicyFile>()
        .to_value();
    tidy(&mut schema);
    for key in KEYS {
        for path in spellings(key.path) {
            describe(&mut schema, &path, key.doc);
        }
    }
    let pairs: Vec<Value> = SECTIONS
        .iter()
        .filter_map(|s| {
            s.alias
                .map(|alias| json!({ "not": { "required": [s.id, alias] } }))
        })
        .collect();
    if let Some(Value::Object(enforcement)) = schema.pointer_mut("/$defs/Enforcement") {
        enforcement.insert("allOf".to_owned(), Value::Array(pairs));
        if let Some(Value::Object(properties)) = enforcement.get_mut("properties") {
            for section in SECTIONS {
                for (name, alias) in [(Some(section.id), false), (section.alias, true)] {
                    if let Some(Value::Object(property)) = name.and_then(|name| properties.get_mut(name)) {
                        let doc = if alias {
                            format!("Another name of `{}`.", section.id)
                        } else {
                            section.doc.to_owned()
                        };
                        property.insert("description".to_owned(), Value::String(doc));
                    }
                }
            }
        }
    }
    if let Value::Object(root) = &mut schema {
        root.insert("$id".to_owned(), json!(ID));
        root.insert("title".to_owned(), json!("Proctor policy"));
        root.insert(
            "description".to_owned(),
            json!("`.proctor/proctor.yaml` and the other policy files of Proctor."),
        );
    }
    schema
}

/// A path under the first name of its section and under the alias.
fn spellings(path: &str) -> Vec<Vec<&str>> {
    let parts: Vec<&str> = path.split('.').collect();
    let mut all = vec![parts.clone()];
    if let Some(alias) = parts
        .get(1)
        .and_then(|id| SECTIONS.iter().find(|s| s.id == *id))
        .and_then(|s| s.alias)
    {
        let mut other = parts;
        if let Some(name) = other.get_mut(1) {
            *name = alias;
        }
        all.push(other);
    }
    all
}

/// Puts the description of a key at its place.
fn describe(root: &mut Value, path: &[&str], doc: &str) {
    let mut pointer = String::new();
    for (i, part) in path.iter().enumerate() {
        pointer = format!("{pointer}/properties/{part}");
        let Some(node) = root.pointer_mut(&pointer) else {
            return;
        };
        if i + 1 == path.len() {
            if let Value::Object(node) = node {
                node.insert("description".to_owned(), json!(doc));
            }
        } else if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
            pointer = reference.trim_start_matches('#').to_owned();
        }
    }
}

/// A key that is left out is not the same as `null`, and Rust's number formats mean nothing to an editor.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("format");
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|t| t != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(options)) = map.get_mut("anyOf") {
                options.retain(|option| option.get("type") != Some(&json!("null")));
                if let [Value::Object(only)] = options.as_slice() {
                    let only = only.clone();
                    map.remove("anyOf");
                    map.extend(only);
                }
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}
