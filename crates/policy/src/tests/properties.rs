use crate::keys::{Direction, KEYS, Type};
use crate::{Problem, SourceFile, Sources, hold, looser_keys, resolve, show};
use proptest::prelude::*;

fn file(bytes: Vec<u8>) -> Option<SourceFile> {
    Some(SourceFile {
        path: "p.yaml".to_owned(),
        bytes,
    })
}

/// A value that the key takes.
fn value_of(takes: Type) -> BoxedStrategy<String> {
    let word =
        |words: &'static [&'static str]| proptest::sample::select(words).prop_map(str::to_owned).boxed();
    match takes {
        Type::Preset
        | Type::Mode
        | Type::OnError
        | Type::Level
        | Type::Require
        | Type::Boundary
        | Type::Method
        | Type::Embedder => word(takes.words()),
        Type::Text => word(&["aa", "'b b'"]),
        Type::Flag => word(&["true", "false"]),
        Type::Ratio => (0u32..=20)
            .prop_map(|n| (f64::from(n) / 20.0).to_string())
            .boxed(),
        Type::Count { min, .. } => (min..min + 12).prop_map(|n| n.to_string()).boxed(),
        Type::Programs => Just("[/aa, /bb]".to_owned()).boxed(),
        Type::Patterns | Type::Terms | Type::Globs | Type::Models => {
            proptest::sample::subsequence(vec!["aa", "bb", "cc"], 0..=3)
                .prop_map(|w| format!("[{}]", w.join(", ")))
                .boxed()
        }
        Type::Tools => word(&[
            "{}",
            "{'*': {loop: warn}, 'Grep|Glob': {loop: off}}",
            "{'*': {loop: enforce, todo: off}, read: {todo: warn}, 'mcp__*': {delegation: observe}}",
            "{Edit: {loop: enforce}, Grep: {loop: observe}, delegate: {delegation: off}}",
        ]),
        Type::Checks => word(&[
            "[]",
            "[{name: a, run: b}]",
            "[{name: a, run: c}, {name: d, run: e}]",
        ]),
    }
}

/// A valid file that names some of the keys.
fn policy() -> impl Strategy<Value = String> {
    let lines = proptest::sample::subsequence((0..KEYS.len()).collect::<Vec<_>>(), 0..8);
    lines.prop_flat_map(|keys| {
        let values: Vec<_> = keys.iter().map(|i| value_of(KEYS[*i].takes)).collect();
        values.prop_map(move |values| {
            let mut tree = serde_json::json!({});
            let mut text = String::new();
            for (key, value) in keys.iter().zip(values) {
                let mut at = &mut tree;
                for part in KEYS[*key].path.split('.') {
                    at = &mut at[part];
                }
                *at = serde_json::Value::String(value);
            }
            write_yaml(&tree, 0, &mut text);
            text
        })
    })
}

fn write_yaml(tree: &serde_json::Value, depth: usize, out: &mut String) {
    for (key, value) in tree.as_object().unwrap() {
        let indent = " ".repeat(depth * 2);
        match value.as_str() {
            Some(text) => *out += &format!("{indent}{key}: {text}\n"),
            None => {
                *out += &format!("{indent}{key}:\n");
                write_yaml(value, depth + 1, out);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let resolved = resolve(&Sources { project: file(bytes), ..Sources::default() });
        resolved.problems.iter().for_each(|p| assert!(p.render().ends_with('\n')));
    }

    #[test]
    fn no_text_of_yaml_signs_panics(text in r##"[\[\]{}:,&*!|>%@'"#\-? \n\tab0-9.~<가완벽]{0,120}"##) {
        let resolved = resolve(&Sources { user: file(text.clone().into_bytes()), local: file(text.into_bytes()), ..Sources::default() });
        resolved.problems.iter().map(Problem::render).for_each(drop);
        prop_assert_eq!(show(&resolved).len(), KEYS.len() + resolved.reserved.len());
    }

    #[test]
    fn a_damaged_file_never_panics(at in 0usize..700, cut in 0usize..40, junk in "[\\[\\]{}:&*\\n\\t'\" -]{0,3}") {
        let text = include_str!("../../tests/data/full.yaml");
        let mut bytes = text.as_bytes().to_vec();
        let at = at.min(bytes.len());
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, junk.into_bytes());
        let resolved = resolve(&Sources { project: file(bytes), ..Sources::default() });
        resolved.problems.iter().map(Problem::render).for_each(drop);
    }

    #[test]
    fn no_layer_loosens_what_it_is_bound_by(user in policy(), project in policy(), local in policy()) {
        let layers = |user: &str, project: &str, local: &str| resolve(&Sources {
            user: file(user.as_bytes().to_vec()),
            project: file(project.as_bytes().to_vec()),
            local: file(local.as_bytes().to_vec()),
            ..Sources::default()
        });
        let alone = layers(&user, "", "");
        let shared = layers(&user, &project, "");
        let all = layers(&user, &project, &local);
        prop_assert!(all.errors().next().is_none(), "{:?}", all.problems);
        // The local file loosens nothing at all.
        prop_assert_eq!(looser_keys(&all.settings, &shared.settings), Vec::<&str>::new());
        // The project loosens nothing that the user's file sets.
        for (index, value) in &alone.floor {
            let key = &KEYS[*index];
            prop_assert!(!key.direction.looser(&(key.get)(&all.settings), value), "{}", key.path);
        }
    }

    #[test]
    fn what_is_held_is_looser_than_neither(now in policy(), before in policy()) {
        let settings = |text: &str| {
            let project = file(text.as_bytes().to_vec());
            resolve(&Sources { project, ..Sources::default() }).settings
        };
        let (floor, own) = (settings(&before), settings(&now));
        let mut held = own.clone();
        let raised = hold(&mut held, &floor);
        prop_assert_eq!(raised.is_empty(), held == own);
        prop_assert_eq!(hold(&mut held.clone(), &floor), Vec::<&str>::new());
        if floor.enabled {
            let decides = |key: &&str| key.starts_with("enforcement.approval.") || *key == "enforcement.review.level";
            let ordered = |key: &&str| KEYS.iter().any(|k| k.path == *key && !matches!(k.direction, Direction::Fixed | Direction::Own));
            let looser = looser_keys(&held, &floor);
            prop_assert!(!looser.iter().any(|key| decides(key) && ordered(key)), "{:?}", looser);
            prop_assert!(floor.verification.iter().all(|c| held.verification.contains(c)));
        }
        let looser = looser_keys(&held, &own);
        prop_assert!(!looser.iter().any(|key| key.starts_with("enforcement.approval.")), "{:?}", looser);
    }
}
