//! `proctor init`, `uninstall` and `doctor` on files, without a host.

use crate::support::environment;
use insta::assert_snapshot;
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};

const SETTINGS: &str = ".claude/settings.json";

/// Settings of somebody who has hooks already, in their own style of writing.
const THEIRS: &str = r#"{
    "permissions": { "deny": [ "Read(./secrets/**)" ] },
    "hooks": {
        "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]
    },
    "unknown": [ 1, 2.50, "\u00e9" ]
}
"#;

fn settings(env: &TestEnvironment) -> Value {
    serde_json::from_str(&env.read_file(SETTINGS)).unwrap()
}

#[test]
fn dry_run_shows_the_change_and_makes_none() {
    let env = environment();
    env.write_file(SETTINGS, THEIRS);
    assert_snapshot!(env.run(&["init", "--preset", "standard", "--dry-run"]));
    assert_eq!(env.read_file(SETTINGS), THEIRS);
    assert!(!env.project().join(".proctor").exists());
}

#[test]
fn init_merges_is_idempotent_and_uninstall_brings_back_every_byte() {
    let env = environment();
    env.write_file(SETTINGS, THEIRS);
    let _ = env.run(&["init"]).exits(0);
    let once = env.read_file(SETTINGS);
    let installed = settings(&env);
    let theirs: Value = serde_json::from_str(THEIRS).unwrap();
    assert_eq!(installed["permissions"], theirs["permissions"]);
    assert_eq!(installed["unknown"], theirs["unknown"]);
    assert_eq!(
        installed["hooks"]["Stop"][0], theirs["hooks"]["Stop"][0],
        "their hook stays first"
    );
    assert_eq!(installed["hooks"]["Stop"].as_array().unwrap().len(), 2);
    assert_snapshot!("init_a_second_time", env.run(&["init"]));
    assert_eq!(env.read_file(SETTINGS), once);
    let _ = env.run(&["uninstall"]).exits(0);
    assert_eq!(env.read_file(SETTINGS), THEIRS);
    assert_snapshot!("uninstall_a_second_time", env.run(&["uninstall"]));
    assert_eq!(env.read_file(SETTINGS), THEIRS);
}

#[test]
fn hooks_added_later_by_others_survive_uninstall() {
    let env = environment();
    let _ = env.run(&["init"]).exits(0);
    let mut changed = settings(&env);
    let hook = json!({"hooks": [{"type": "command", "command": "say later"}]});
    changed["hooks"]["Stop"]
        .as_array_mut()
        .unwrap()
        .insert(0, hook.clone());
    changed["model"] = json!("opus");
    env.write_file(SETTINGS, changed.to_string());
    let _ = env.run(&["uninstall"]).exits(0);
    assert_eq!(
        settings(&env),
        json!({"hooks": {"Stop": [hook]}, "model": "opus"})
    );
}

#[test]
fn settings_that_are_broken_are_refused_and_kept() {
    for broken in [
        "{\"hooks\": {",
        "[]",
        "{\"hooks\": []}",
        "{\"hooks\": {\"Stop\": 5}}",
        "\u{feff}nonsense",
        "{\"a\": 1 // x\n}",
    ] {
        let env = environment();
        env.write_file(SETTINGS, broken);
        let output = env.run(&["init"]);
        assert!(matches!(output.code(), Some(2 | 3)), "{broken}\n{output}");
        assert!(output.stderr().contains("settings.json"), "{broken}\n{output}");
        assert_eq!(env.read_file(SETTINGS), broken);
    }
}

#[test]
fn user_settings_are_another_file() {
    let env = environment();
    let _ = env.run(&["init", "--scope", "user"]).exits(0);
    assert!(!env.project().join(SETTINGS).exists());
    let user = env.home().join(SETTINGS);
    assert!(env.read_file(&user).contains("proctor"));
    let _ = env.run(&["uninstall", "--scope", "user"]).exits(0);
    assert!(!user.exists() || !env.read_file(&user).contains("proctor"));
}

#[test]
fn doctor_says_what_is_wrong_and_how_to_mend_it() {
    let mut env = environment();
    // No host program: the canary is for the tests with the real one.
    let folder = env.program().parent().unwrap().to_string_lossy().into_owned();
    env.set_var("PATH", folder);
    let mut filters = insta::Settings::clone_current();
    // The id of a place that has had no session yet is made from its path.
    filters.add_filter("path-[0-9a-f]{32}", "path-ID");
    let _filters = filters.bind_to_scope();
    assert_snapshot!("doctor_without_hooks", env.run(&["doctor", "--no-canary"]));
    let _ = env.run(&["init"]).exits(0);
    assert_snapshot!("doctor_with_hooks", env.run(&["doctor", "--no-canary"]));
    env.write_file(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    let off = env.run(&["doctor", "--no-canary"]).exits(1);
    assert!(off.to_string().contains("disableAllHooks"), "\n{off}");
}
