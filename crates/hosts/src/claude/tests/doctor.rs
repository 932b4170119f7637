use crate::claude::doctor::{
    CANARY_VARIABLE, CanaryRun, Found, Layer, LayerKind, Status, Version, canary, canary_answer, inspect,
    read_canary, settings_files,
};
use crate::claude::install::{Options, plan};
use serde_json::json;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "/opt/bin/proctor";

fn layer(kind: LayerKind, text: Option<String>) -> Layer {
    let (_, path) = settings_files(Path::new("/home/u/.claude"), Path::new("/p"))
        .into_iter()
        .find(|(k, _)| *k == kind)
        .unwrap();
    Layer { kind, path, text }
}

fn installed(program: &str) -> String {
    plan(None, program, Options::default()).unwrap().new_text
}

fn seen(layers: &[Layer], version: Option<&str>) -> Vec<(Status, String)> {
    let found = Found {
        layers,
        program: PROGRAM,
        claude: version.map(|_| Path::new("/opt/bin/claude")),
        version,
        waited: None,
        runs: &|program| program == PROGRAM,
    };
    let checks = inspect(&found);
    assert!(
        checks
            .iter()
            .all(|check| (check.status == Status::Ok) == check.mend.is_empty()),
        "{checks:#?}"
    );
    checks
        .into_iter()
        .filter(|check| check.status > Status::Ok)
        .map(|check| (check.status, format!("{}: {}", check.name, check.detail)))
        .collect()
}

fn assert_one(seen: &[(Status, String)], status: Status, words: &str) {
    assert!(
        seen.len() == 1 && seen[0].0 == status && seen[0].1.contains(words),
        "{seen:#?}"
    );
}

#[test]
fn everything_in_order() {
    let layers = [
        layer(LayerKind::User, None),
        layer(LayerKind::Project, Some(installed(PROGRAM))),
    ];
    assert_eq!(seen(&layers, Some("2.1.329 (Claude Code)\n")), []);
    // The same command in two files is run once by the host.
    let layers = [
        layer(LayerKind::User, Some(installed(PROGRAM))),
        layer(LayerKind::Project, Some(installed(PROGRAM))),
    ];
    assert_eq!(seen(&layers, Some("2.1.400 (Claude Code)")), []);
}

#[test]
fn what_keeps_proctor_from_being_asked() {
    let version = Some("2.1.329 (Claude Code)");
    let project = |text: String| [layer(LayerKind::Project, Some(text))];
    assert_one(&seen(&[], version), Status::Fail, "never asked");
    assert_one(
        &seen(&project("{}".to_owned()), version),
        Status::Fail,
        "never asked",
    );
    let moved = installed("/old/proctor");
    let found = seen(&project(moved), version);
    assert_one(&found, Status::Fail, "/old/proctor, which is not there");
    let off = installed(PROGRAM).replacen('{', "{\"disableAllHooks\": true,", 1);
    assert_one(&seen(&project(off), version), Status::Fail, "switched off");
    let broken = installed(PROGRAM).replacen("\"timeout\": 30", "\"timeout\": \"30\"", 1);
    assert_one(&seen(&project(broken), version), Status::Fail, "timeout");
    let comment = format!("// mine\n{}", installed(PROGRAM));
    let found = seen(&project(comment), version);
    assert!(
        found
            .iter()
            .any(|(status, text)| *status == Status::Fail && text.contains("not valid JSON")),
        "{found:#?}"
    );
    let mut partly: serde_json::Value = serde_json::from_str(&installed(PROGRAM)).unwrap();
    partly["hooks"].as_object_mut().unwrap().remove("Stop");
    assert_one(
        &seen(&project(partly.to_string()), version),
        Status::Warn,
        "not registered for Stop",
    );
    let older = installed(PROGRAM).replace("120", "60");
    assert_one(
        &seen(&project(older), version),
        Status::Warn,
        "not those of this version",
    );
}

#[test]
fn managed_settings_can_switch_the_others_off() {
    let version = Some("2.1.329 (Claude Code)");
    let only = r#"{"allowManagedHooksOnly": true}"#;
    let project = layer(LayerKind::Project, Some(installed(PROGRAM)));
    let layers = [layer(LayerKind::Managed, Some(only.to_owned())), project.clone()];
    assert_one(&seen(&layers, version), Status::Fail, "managed hooks only");
    let both = installed(PROGRAM).replacen('{', "{\"allowManagedHooksOnly\": true,", 1);
    assert_eq!(
        seen(&[layer(LayerKind::Managed, Some(both)), project.clone()], version),
        []
    );
    assert_eq!(
        seen(&[layer(LayerKind::User, Some(only.to_owned())), project], version),
        []
    );
}

#[test]
fn being_asked_twice() {
    let version = Some("2.1.329 (Claude Code)");
    let with_plugin = json!({"enabledPlugins": {"proctor@somewhere": true}}).to_string();
    let layers = [
        layer(LayerKind::User, Some(with_plugin.clone())),
        layer(LayerKind::Project, Some(installed(PROGRAM))),
    ];
    assert_one(&seen(&layers, version), Status::Warn, "judged twice");
    assert_eq!(seen(&[layer(LayerKind::User, Some(with_plugin))], version), []);
    let layers = [
        layer(LayerKind::User, Some(installed("proctor"))),
        layer(LayerKind::Project, Some(installed(PROGRAM))),
    ];
    let found = Found {
        layers: &layers,
        program: PROGRAM,
        claude: None,
        version,
        waited: None,
        runs: &|_| true,
    };
    assert!(inspect(&found).iter().any(|check| check.name == "duplicates"));
}

#[test]
fn versions() {
    let layers = [layer(LayerKind::Project, Some(installed(PROGRAM)))];
    assert_one(&seen(&layers, None), Status::Warn, "no `claude`");
    assert_one(&seen(&layers, Some("hello")), Status::Warn, "hello");
    assert_one(
        &seen(&layers, Some("2.1.240 (Claude Code)")),
        Status::Warn,
        "onFailure",
    );
    assert_one(
        &seen(&layers, Some("2.1.100 (Claude Code)")),
        Status::Fail,
        "exec form",
    );
    assert_eq!(Version::parse("2.1.329-beta (x)"), Some(Version(2, 1, 329)));
    assert_eq!(Version::parse("2.1"), None);
    assert!(Version(2, 2, 0) > Version(2, 1, 999));
}

#[test]
fn the_canary_asks_no_model_and_its_outcome_is_read() {
    let run = canary(&PathBuf::from("/usr/bin/claude"), "tok-1");
    assert!(
        run.env
            .contains(&(CANARY_VARIABLE.to_owned(), "tok-1".to_owned()))
    );
    assert!(
        run.env
            .contains(&("ANTHROPIC_BASE_URL".to_owned(), "http://127.0.0.1:9".to_owned()))
    );
    assert!(
        !run.args.iter().any(|arg| arg.contains("tok-1")),
        "the token must only come back through the hook"
    );
    assert_eq!(canary_answer("Stop", "tok-1").stdout, "{}\n");
    let answer = canary_answer("UserPromptSubmit", "tok-1");
    assert_eq!(answer.exit, 2);
    assert!(canary_answer("PreToolUse", "tok-1").stdout.contains("deny"));

    let read = |stdout: &str, stderr: &str, timed_out| {
        read_canary(
            &CanaryRun {
                stdout,
                stderr,
                timed_out,
            },
            "tok-1",
        )
    };
    let blocked = json!({"type": "result", "is_error": false, "result": "UserPromptSubmit operation blocked by hook:\n[proctor] canary tok-1\n\nOriginal prompt: proctor canary"});
    assert_eq!(
        read(&format!("a line of somebody else\n{blocked}\n"), "", false).status,
        Status::Ok
    );
    let past = json!({"type": "result", "is_error": true, "terminal_reason": "api_error", "result": "API Error: Connection error."});
    assert_eq!(read(&past.to_string(), "", false).status, Status::Fail);
    assert_eq!(read("", "not logged in", false).status, Status::Warn);
    assert!(read("", "", true).detail.contains("in time"));
    // A token in other output is no proof.
    assert_eq!(read("tok-1", "tok-1", false).status, Status::Warn);
}

#[test]
fn a_host_that_cannot_tell_its_version_is_there_all_the_same() {
    let layers = [layer(LayerKind::Project, Some(installed(PROGRAM)))];
    for (claude, words) in [
        (None, "there is no `claude` on the search path"),
        (Some(Path::new("/x/claude")), "`/x/claude --version` failed"),
    ] {
        let checks = inspect(&Found {
            layers: &layers,
            program: PROGRAM,
            claude,
            version: None,
            waited: None,
            runs: &|program| program == PROGRAM,
        });
        assert!(checks[0].detail.contains(words), "{checks:#?}");
    }
}
