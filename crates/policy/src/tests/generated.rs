//! What is generated from the table of keys and committed: the schema and the reference page.

use crate::keys::{KEYS, RESERVED, SECTIONS, Type};
use crate::{reference, schema, terms_reference};
use serde_json::{Value, json};
use std::path::Path;

/// Compares a text with a committed file (a path from the crate's folder). `UPDATE_SNAPSHOTS=1` writes it.
pub(super) fn is_current(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = text.lines().zip(committed.lines()).position(|(a, b)| a != b);
    assert!(
        committed == text,
        "{path} is not current from line {differs:?}: run the test with UPDATE_SNAPSHOTS=1"
    );
}

#[test]
fn the_schema_is_current() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    is_current("../../schemas/proctor.schema.json", &text);
}

#[test]
fn the_reference_page_is_current() {
    is_current("../../docs/reference/configuration.md", &reference());
}

#[test]
fn the_page_of_technical_terms_is_current() {
    is_current("../../docs/reference/terms.md", &terms_reference());
}

#[test]
fn the_reference_page_names_every_key_and_its_example_is_sound() {
    let page = reference();
    for key in KEYS {
        let name = key.path.rsplit('.').next().unwrap();
        assert!(
            page.lines()
                .any(|line| line.starts_with("| `") && line.contains(name) && line.contains(key.doc))
        );
    }
    let example = page
        .split("```yaml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    assert_eq!(super::rendered(&super::project(example)), "");
}

/// The schema of a path, references followed.
fn at<'a>(root: &'a Value, path: &[&str]) -> &'a Value {
    let mut node = root;
    for part in path {
        node = follow(root, &node["properties"][*part]);
    }
    node
}

fn follow<'a>(root: &'a Value, node: &'a Value) -> &'a Value {
    match node.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap(),
        None => node,
    }
}

/// The words of an enumeration, which schemars writes as `enum` or as a choice of constants.
fn words(node: &Value) -> Vec<&str> {
    match node.get("oneOf").and_then(Value::as_array) {
        Some(options) => options
            .iter()
            .map(|option| option["const"].as_str().unwrap())
            .collect(),
        None => node["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect(),
    }
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let root = schema();
    for key in KEYS {
        let node = at(&root, &key.path.split('.').collect::<Vec<_>>());
        let shown = format!("{}: {node}", key.path);
        match key.takes {
            Type::Preset
            | Type::Mode
            | Type::OnError
            | Type::Level
            | Type::Require
            | Type::Boundary
            | Type::Method
            | Type::Embedder => {
                assert_eq!(words(node), key.takes.words(), "{shown}")
            }
            Type::Flag => assert_eq!(node["type"], "boolean", "{shown}"),
            Type::Text => assert_eq!(
                (&node["type"], &node["maxLength"]),
                (&json!("string"), &json!(4_000)),
                "{shown}"
            ),
            Type::Ratio => {
                assert_eq!(
                    (&node["type"], node["minimum"].as_f64(), node["maximum"].as_f64()),
                    (&json!("number"), Some(0.0), Some(1.0)),
                    "{shown}"
                );
            }
            Type::Count { min, max } => {
                assert_eq!(
                    (&node["type"], node["minimum"].as_u64(), node["maximum"].as_u64()),
                    (&json!("integer"), Some(min), Some(max)),
                    "{shown}"
                );
            }
            Type::Globs | Type::Programs | Type::Models => texts(node, &shown),
            Type::Terms => {
                texts(&node["anyOf"][0], &shown);
                let each = follow(&root, &node["anyOf"][1]);
                texts(&each["properties"]["korean"], &shown);
                texts(&each["properties"]["english"], &shown);
            }
            Type::Patterns => {
                assert_eq!(
                    (&node["type"], &node["maxItems"]),
                    (&json!("array"), &json!(500)),
                    "{shown}"
                );
                let entry = follow(&root, &node["items"]);
                let (text, full) = (&entry["anyOf"][0], follow(&root, &entry["anyOf"][1]));
                for text in [text, &full["properties"]["pattern"]] {
                    assert_eq!(
                        (&text["type"], &text["maxLength"]),
                        (&json!("string"), &json!(200)),
                        "{shown}"
                    );
                }
                assert_eq!(full["required"], json!(["pattern"]));
            }
            Type::Tools => {
                let gates = follow(&root, &node["additionalProperties"]);
                let mut names: Vec<&str> = gates["properties"]
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(String::as_str)
                    .collect();
                let mut known = crate::TOOL_GATES;
                known.sort_unstable();
                names.sort_unstable();
                assert_eq!(names, known, "{shown}");
            }
            Type::Checks => assert_eq!(
                (&node["type"], &node["maxItems"]),
                (&json!("array"), &json!(500)),
                "{shown}"
            ),
        }
        // The description stands beside a reference, not behind it.
        let (last, before) = key
            .path
            .rsplit_once('.')
            .map_or((key.path, vec![]), |(b, l)| (l, b.split('.').collect()));
        assert_eq!(at(&root, &before)["properties"][last]["description"], key.doc);
    }
    for section in SECTIONS {
        let gate = at(&root, &["enforcement", section.id]);
        assert_eq!(gate["properties"]["enabled"]["type"], "boolean");
        if let Some(alias) = section.alias {
            assert_eq!(at(&root, &["enforcement", alias]), gate);
        }
    }
    // Nothing else: each leaf of the schema is a key, a switch, the version, or reserved.
    let mut leaves = Vec::new();
    collect(&root, &root, String::new(), &mut leaves);
    for leaf in leaves {
        let mut parts: Vec<&str> = leaf.split('.').collect();
        if let Some(id) = parts
            .get(1)
            .and_then(|name| SECTIONS.iter().find(|s| s.alias == Some(name)))
        {
            parts[1] = id.id;
        }
        let known = leaf == "version"
            || parts.get(1).is_some_and(|name| RESERVED.contains(name))
            || (parts.len() == 3 && parts[2] == "enabled" && SECTIONS.iter().any(|s| s.id == parts[1]))
            || KEYS.iter().any(|key| key.path == parts.join("."));
        assert!(known, "{leaf} is in the schema and unknown to the reader");
    }
}

fn texts(node: &Value, shown: &str) {
    assert_eq!(
        (&node["type"], &node["items"]["type"], &node["items"]["maxLength"]),
        (&json!("array"), &json!("string"), &json!(200)),
        "{shown}"
    );
}

fn collect(root: &Value, node: &Value, path: String, out: &mut Vec<String>) {
    match follow(root, node).get("properties").and_then(Value::as_object) {
        Some(properties) => {
            assert_eq!(follow(root, node)["additionalProperties"], false, "{path}");
            for (name, child) in properties {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                collect(root, child, path, out);
            }
        }
        None => out.push(path),
    }
}
