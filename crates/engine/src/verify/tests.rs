//! The schema of the answer, and ranges.

use super::{Target, schema};

#[test]
fn the_schema_of_the_answer_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/verify.schema.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "schemas/verify.schema.json is not current: UPDATE_SNAPSHOTS=1 cargo test -p proctor-engine"
    );
}

#[test]
fn ranges_are_read_as_git_writes_them() {
    let range = |text: &str| match Target::range(text) {
        Ok(Target::Range { from, to }) => format!("{} {to}", from.as_deref().unwrap_or("-")),
        other => format!("{other:?}"),
    };
    let zeros = "0".repeat(40);
    for (text, expected) in [
        ("main..topic", "main topic"),
        ("main...topic", "main topic"),
        ("main..", "main HEAD"),
        ("..topic", "HEAD topic"),
        (&format!("{zeros}..topic"), "- topic"),
    ] {
        assert_eq!(range(text), expected);
    }
    for wrong in ["main", "", "a..b..c"] {
        assert!(Target::range(wrong).is_err(), "{wrong}");
    }
}
