use crate::claude::install::{Options, hooks, plan, removal};
use crate::claude::settings::{EVENTS, Severity, diagnose, own_hooks, own_program};
use proctor_kernel::ErrorKind;
use proptest::prelude::*;
use serde_json::{Value, json};

const PROGRAM: &str = "/opt/bin/proctor";

fn installed(existing: Option<&str>) -> String {
    plan(existing, PROGRAM, Options::default()).unwrap().new_text
}

#[test]
fn a_new_file_holds_every_event_and_nothing_the_host_would_drop() {
    let plan_ = plan(None, PROGRAM, Options::default()).unwrap();
    assert!(plan_.changed && !plan_.empty && plan_.old_text.is_none());
    assert_eq!(diagnose(&plan_.new_text), []);
    let own = own_hooks(&plan_.new_text);
    assert_eq!(own.len(), hooks(PROGRAM, Options::default()).len());
    assert!(
        own.iter()
            .all(|hook| hook.program == PROGRAM && EVENTS.contains(&hook.event.as_str()))
    );
    let value: Value = serde_json::from_str(&plan_.new_text).unwrap();
    assert_eq!(
        value["hooks"]["PreToolUse"],
        json!([{"matcher": "*", "hooks": [{"type": "command", "command": PROGRAM, "args": ["hook", "claude"], "timeout": 30, "onFailure": "block"}]}])
    );
    assert_eq!(value["hooks"]["Stop"][0]["hooks"][0].get("onFailure"), None);
    let open = plan(None, PROGRAM, Options { fail_closed: false })
        .unwrap()
        .new_text;
    assert!(!open.contains("onFailure"));
}

#[test]
fn other_peoples_settings_keep_every_byte() {
    let theirs = "{\n    // ".replace("// ", "\"model\": \"opus\",\n    \"n\": 1.50e2,   \"hooks\": {\n        \"Stop\": [ {\"hooks\": [{\"type\":\"command\",\"command\":\"say done\"}]} ],\n        \"PreToolUse\": [\n            {\n                \"matcher\": \"Bash\",\n                \"hooks\": [{ \"type\": \"command\", \"command\": \"guard\" }]\n            }\n        ]\n    },\n    \"가\": [\"\\u00e9\"]\n}\n");
    let with = installed(Some(&theirs));
    for line in theirs.lines() {
        let core = line.trim().trim_end_matches(',').trim_end_matches(']').trim();
        assert!(with.contains(core), "{core}\n{with}");
    }
    assert_eq!(installed(Some(&with)), with, "a second run changes nothing");
    let plan_ = removal(&with).unwrap();
    assert_eq!(plan_.new_text, theirs);
    assert!(!removal(&theirs).unwrap().changed);
}

#[test]
fn own_entries_are_brought_up_to_date_in_their_place() {
    let old = json!({"hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "/old/proctor hook claude", "timeout": 5}]}, {"hooks": [{"type": "command", "command": "theirs"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}, {"type": "command", "command": "/old/proctor", "args": ["hook", "claude"]}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "\"/old place/proctor\" hook claude"}]}],
    }});
    let new = installed(Some(&serde_json::to_string_pretty(&old).unwrap()));
    let value: Value = serde_json::from_str(&new).unwrap();
    let stop = value["hooks"]["Stop"].as_array().unwrap();
    assert_eq!(stop.len(), 2);
    assert_eq!(stop[0]["hooks"][0]["command"], PROGRAM);
    assert_eq!(stop[1]["hooks"][0]["command"], "theirs");
    let pre = value["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!((pre.len(), pre[0]["hooks"].as_array().unwrap().len()), (2, 1));
    assert_eq!(value["hooks"].get("Notification"), None);
    assert!(own_hooks(&new).iter().all(|hook| hook.program == PROGRAM));
    assert_eq!(own_hooks(&new).len(), hooks(PROGRAM, Options::default()).len());
    assert_eq!(installed(Some(&new)), new);
}

#[test]
fn duplicates_of_our_own_are_reduced_to_one() {
    let group = json!({"hooks": [{"type": "command", "command": PROGRAM, "args": ["hook", "claude"], "timeout": 120}]});
    let text = json!({"hooks": {"Stop": [group, group, {"hooks": [group["hooks"][0], group["hooks"][0]]}]}})
        .to_string();
    let new = installed(Some(&text));
    assert_eq!(
        own_hooks(&new).iter().filter(|hook| hook.event == "Stop").count(),
        1
    );
    let bare = removal(&new).unwrap();
    assert!(bare.empty, "{}", bare.new_text);
}

#[test]
fn only_our_own_command_line_is_ours() {
    for (entry, own) in [
        (json!({"command": "/a/proctor", "args": ["hook", "claude"]}), true),
        (
            json!({"command": "C:\\bin\\proctor.exe", "args": ["hook", "claude"]}),
            true,
        ),
        (
            json!({"command": "proctor", "args": ["hook", "claude", "--more"]}),
            true,
        ),
        (json!({"command": "proctor hook claude"}), true),
        (json!({"command": "'/a b/proctor' hook  claude "}), true),
        (json!({"command": "proctor", "args": ["hook", "gemini"]}), false),
        (json!({"command": "my-proctor hook claude"}), false),
        (json!({"command": "echo proctor-hook claude"}), false),
        (json!({"command": "proctor demo"}), false),
        (json!({"command": "true; proctor hook claude"}), false),
        (json!({"command": 5, "args": "x"}), false),
        (json!("proctor hook claude"), false),
    ] {
        assert_eq!(own_program(&entry).is_some(), own, "{entry}");
    }
}

#[test]
fn a_program_of_another_name_is_refused_because_its_entries_would_not_be_known_again() {
    for program in ["/opt/bin/proctor-old", "proctor.sh", "", "/opt/proctor/"] {
        assert!(plan(None, program, Options::default()).is_err(), "{program}");
    }
    for program in [
        "proctor",
        "/a b/proctor",
        "C:\\bin\\proctor.exe",
        "\"quoted\"/proctor",
    ] {
        let text = plan(None, program, Options::default()).unwrap().new_text;
        assert_eq!(own_hooks(&text)[0].program, program);
    }
}

#[test]
fn files_that_the_host_ignores_are_refused() {
    for broken in [
        "{",
        "[]",
        "// my settings\n{}",
        "{\"a\": 1,}",
        "null",
        r#"{"hooks": []}"#,
        r#"{"hooks": {"Stop": {}}}"#,
        r#"{"hooks": {"Stop": ["x"]}}"#,
        r#"{"hooks": {"Stop": [{"matcher": "x"}]}}"#,
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]}}"#,
        r#"{"model": 5}"#,
    ] {
        let error = plan(Some(broken), PROGRAM, Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config, "{broken}");
        assert!(
            error
                .hints()
                .iter()
                .any(|hint| hint.contains("nothing was written")),
            "{broken}"
        );
    }
    for broken in ["{", "[]", "// x\n{}"] {
        assert!(removal(broken).is_err(), "{broken}");
    }
    // A faulty value elsewhere must not keep anybody from uninstalling.
    let with = installed(None).replacen('{', "{ \"model\": 5,", 1);
    assert_eq!(
        removal(&with)
            .unwrap()
            .new_text
            .split_whitespace()
            .collect::<String>(),
        r#"{"model":5}"#
    );
}

#[test]
fn switched_off_hooks_and_the_other_traps_are_found() {
    let found = |text: &str| -> Vec<(Severity, String)> {
        diagnose(text)
            .into_iter()
            .map(|problem| (problem.severity, problem.place))
            .collect()
    };
    assert_eq!(
        found(r#"{"disableAllHooks": true}"#),
        [(Severity::Fail, "disableAllHooks".to_owned())]
    );
    assert!(
        plan(Some(r#"{"disableAllHooks": true}"#), PROGRAM, Options::default())
            .unwrap()
            .changed
    );
    assert!(plan(Some(r#"{"disableAllHooks": "yes"}"#), PROGRAM, Options::default()).is_err());
    assert_eq!(
        found(r#"{"permissions": {"allow": "x", "defaultMode": "nope"}}"#).len(),
        2
    );
    assert_eq!(
        found(r#"{"hooks": {"stop": []}}"#),
        [(Severity::Warn, "hooks.stop".to_owned())]
    );
    for entry in [
        r#"{"type": "nope", "command": "x"}"#,
        r#"{"command": "x"}"#,
        r#"{"type": "command"}"#,
        r#"{"type": "command", "command": "x", "args": "y"}"#,
        r#"{"type": "command", "command": "x", "args": [1]}"#,
        r#"{"type": "command", "command": "x", "timeout": 0}"#,
        r#"{"type": "command", "command": "x", "timeout": -1}"#,
        r#"{"type": "command", "command": "x", "onFailure": "explode"}"#,
        "5",
    ] {
        let text = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{entry}]}}]}}}}"#);
        assert_eq!(found(&text).len(), 1, "{entry}");
        assert!(found(&text)[0].1.starts_with("hooks.Stop[0].hooks[0]"), "{entry}");
    }
    assert_eq!(found(""), [(Severity::Fail, "line 1, column 0".to_owned())]);
    assert_eq!(found("\u{FEFF}{}"), []);
}

#[test]
fn repeated_keys_and_byte_order_marks() {
    let mark = format!("\u{FEFF}{}", json!({"a": 1}));
    let with = installed(Some(&mark));
    assert!(with.starts_with('\u{FEFF}'));
    assert_eq!(removal(&with).unwrap().new_text, mark);
    // The first "Stop" is dead for the host; only the living one may be touched.
    let twice = format!(
        r#"{{"hooks": {{"Stop": [{{"hooks": [{}]}}], "Stop": [{{"hooks": [{{"type": "command", "command": "theirs"}}]}}]}}}}"#,
        json!({"type": "command", "command": PROGRAM, "args": ["hook", "claude"]})
    );
    assert_eq!(removal(&twice).unwrap().new_text, twice);
}

#[test]
fn the_difference_shows_what_would_be_written() {
    let plan_ = plan(Some("{\n  \"model\": \"opus\"\n}\n"), PROGRAM, Options::default()).unwrap();
    assert!(plan_.diff.starts_with("@@ -1,3 +1,"), "{}", plan_.diff);
    assert!(plan_.diff.contains("\n+  \"hooks\": {\n"), "{}", plan_.diff);
    assert!(
        plan(Some(&plan_.new_text), PROGRAM, Options::default())
            .unwrap()
            .diff
            .is_empty()
    );
}

fn other_hook() -> impl Strategy<Value = Value> {
    ("[a-z ]{0,12}", proptest::option::of(1u32..900), any::<bool>()).prop_map(|(command, timeout, extra)| {
        let mut hook = json!({"type": "command", "command": command});
        if let Some(timeout) = timeout {
            hook["timeout"] = json!(timeout);
        }
        if extra {
            hook["statusMessage"] = json!("…");
        }
        hook
    })
}

fn settings() -> impl Strategy<Value = Value> {
    let group = (
        proptest::option::of("[A-Za-z|*]{0,8}"),
        proptest::collection::vec(other_hook(), 1..3),
    )
        .prop_map(|(matcher, hooks)| {
            let mut group = json!({"hooks": hooks});
            if let Some(matcher) = matcher {
                group["matcher"] = json!(matcher);
            }
            group
        });
    let event = proptest::sample::select(EVENTS.to_vec());
    let hooks = proptest::collection::vec((event, proptest::collection::vec(group, 1..3)), 0..5);
    let rest = proptest::collection::vec(("[a-z]{3,9}", any::<String>(), any::<i64>()), 0..4);
    (hooks, rest, any::<bool>()).prop_map(|(hooks, rest, first)| {
        let mut all = serde_json::Map::new();
        let hooks: serde_json::Map<String, Value> = hooks
            .into_iter()
            .map(|(event, groups)| (event.to_owned(), json!(groups)))
            .collect();
        if first && !hooks.is_empty() {
            all.insert("hooks".to_owned(), json!(hooks));
        }
        for (key, text, number) in rest {
            if !["model", "hooks"].contains(&key.as_str()) {
                all.insert(key, json!({"text": text, "number": number, "list": [1, [], {}]}));
            }
        }
        if !first && !hooks.is_empty() {
            all.insert("hooks".to_owned(), json!(hooks));
        }
        Value::Object(all)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_settings_survive_install_and_uninstall(value in settings(), pretty in any::<bool>(), crlf in any::<bool>()) {
        let mut text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let with = plan(Some(&text), PROGRAM, Options::default()).unwrap().new_text;
        prop_assert_eq!(diagnose(&with), []);
        prop_assert_eq!(own_hooks(&with).len(), hooks(PROGRAM, Options::default()).len());
        prop_assert!(!plan(Some(&with), PROGRAM, Options::default()).unwrap().changed);
        // Everybody else's hooks are still there, in order.
        let now: Value = serde_json::from_str(&with).unwrap();
        if let Some(events) = value.get("hooks").and_then(Value::as_object) {
            for (event, groups) in events {
                let groups = groups.as_array().unwrap();
                prop_assert_eq!(&now["hooks"][event].as_array().unwrap()[..groups.len()], &groups[..]);
            }
        }
        prop_assert_eq!(removal(&with).unwrap().new_text, text);
    }

    #[test]
    fn no_text_makes_the_installer_panic(text in "\\PC{0,60}") {
        let _ = plan(Some(&text), PROGRAM, Options::default());
        let _ = removal(&text);
        let _ = diagnose(&text);
    }
}
