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
    // A policy that is there stays as it is, and that is said.
    env.write_file(".proctor/proctor.yaml", "version: 1\npreset: observe\n");
    let kept = env.run(&["init", "--preset", "strict"]).exits(0);
    assert!(kept.stdout().contains("its preset stays"), "{kept}");
    assert_eq!(
        env.read_file(".proctor/proctor.yaml"),
        "version: 1\npreset: observe\n"
    );
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

/// What `doctor` says of one thing: its status and its detail; `None` where it is silent.
fn said(env: &TestEnvironment, name: &str) -> Option<(String, String)> {
    let answer = env.run(&["doctor", "--no-canary", "--json"]).data();
    let checks = answer["checks"].as_array().unwrap();
    let found = checks.iter().find(|c| c["name"] == name)?;
    let word = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    assert!(
        word("status") == "ok" || !word("mend").is_empty(),
        "how is it mended? {found}"
    );
    Some((word("status"), word("detail")))
}

fn mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn doctor_says_soon_that_the_hosts_program_hangs() {
    let env = environment();
    let path = env.root().join("hangs");
    std::fs::write(&path, "#!/bin/sh\necho started >> \"$0.runs\"\nexec sleep 60\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    let program = path.to_string_lossy().into_owned();
    let told = env.run(&["doctor", "--claude", &program]);
    assert!(told.wall() < std::time::Duration::from_secs(15), "{told}");
    let line = format!("`{program} --version` had not ended after 8 s: the program hangs");
    assert!(told.stdout().contains(&line), "{told}");
    assert!(
        told.stdout()
            .contains("not tried: the program does not even tell its version"),
        "{told}"
    );
    let runs = std::fs::read_to_string(path.with_extension("runs")).unwrap();
    assert_eq!(runs, "started\n", "it is waited for once");
}

#[test]
fn doctor_looks_at_the_list_of_signers() {
    let env = environment();
    assert_eq!(said(&env, "signers"), None);
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { approval: { signed: true } }\n",
    );
    let is = |status: &str, part: &str| {
        let (found, detail) = said(&env, "signers").expect("it says nothing");
        assert!(found == status && detail.contains(part), "{found}: {detail}");
    };
    is("warn", "names no list");
    let own = env.home().join(".config/proctor/proctor.yaml");
    env.write_file(&own, "enforcement: { approval: { signers: allowed_signers } }\n");
    is("FAIL", "cannot read");
    let list = env.home().join(".config/proctor/allowed_signers");
    env.write_file(&list, "# nobody yet\n\n");
    mode(&list, 0o644);
    mode(list.parent().unwrap(), 0o755);
    is("warn", "names nobody");
    env.write_file(
        &list,
        "alice@example.org namespaces=\"proctor\" ssh-ed25519 AAAA\n",
    );
    is("ok", "names one");
    mode(&list, 0o664);
    is("FAIL", "written by others");
    mode(&list, 0o644);
    mode(list.parent().unwrap(), 0o777);
    is("FAIL", "written by others");
    mode(list.parent().unwrap(), 0o755);
    // A folder in the place of the list.
    std::fs::remove_file(&list).unwrap();
    std::fs::create_dir(&list).unwrap();
    is("FAIL", "cannot read");
}

#[test]
fn doctor_misses_the_hook_before_a_push() {
    let env = environment();
    assert_eq!(said(&env, "pre-push"), None);
    let hook = env.project().join(".git/hooks/pre-push");
    env.write_file(&hook, "#!/bin/sh\necho theirs\n");
    mode(&hook, 0o755);
    assert_eq!(said(&env, "pre-push"), None, "somebody else's");
    let _ = env.run(&["init", "--pre-push", "--dry-run"]).exits(0);
    assert_eq!(said(&env, "pre-push"), None);
    let _ = env.run(&["init", "--pre-push"]).exits(0);
    let is = |status: &str, part: &str| {
        let (found, detail) = said(&env, "pre-push").expect("it says nothing");
        assert!(found == status && detail.contains(part), "{found}: {detail}");
    };
    is("ok", "verifies what is pushed");
    let whole = env.read_file(&hook);
    mode(&hook, 0o644);
    is("FAIL", "not executable");
    mode(&hook, 0o755);
    env.write_file(&hook, whole.replace("|| exit 1", "|| true"));
    is("FAIL", "not as Proctor wrote it");
    env.write_file(&hook, "#!/bin/sh\necho theirs\n");
    is("FAIL", "another hook now");
    std::fs::remove_file(&hook).unwrap();
    is("FAIL", "gone");
    // Git looks in another place now.
    let _ = env.run(&["init", "--pre-push"]).exits(0);
    env.git(&["config", "core.hooksPath", "elsewhere"]);
    is("FAIL", "gone");
    env.git(&["config", "--unset", "core.hooksPath"]);
    let _ = env
        .run(&["init", "--pre-push", "--program", "/no/such/program"])
        .exits(0);
    is("FAIL", "no program any more");
    let _ = env.run(&["uninstall", "--pre-push"]).exits(0);
    assert_eq!(said(&env, "pre-push"), None);
}

#[test]
fn hooks_that_name_a_path_of_this_machine_are_said_to_and_may_stay_here() {
    let env = environment();
    let copy = env.root().join("bin/proctor");
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    std::fs::copy(env.program(), &copy).unwrap();
    let program = copy.to_string_lossy().into_owned();
    let shared = env.run(&["init", "--program", &program]).exits(0);
    assert!(
        shared
            .stdout()
            .contains("which only this machine has: others who work here"),
        "{shared}"
    );
    let _ = env.run(&["uninstall"]).exits(0);

    let local = ".claude/settings.local.json";
    let here = env.run(&["init", "--scope", "local"]).exits(0);
    assert!(!here.stdout().contains("shared through git"), "{here}");
    let hooks: Value = serde_json::from_str(&env.read_file(local)).unwrap();
    let command = &hooks["hooks"]["Stop"][0]["hooks"][0]["command"];
    assert!(command.as_str().unwrap().starts_with('/'), "{hooks}");
    let doctor = env.run(&["doctor", "--no-canary"]);
    assert!(!doctor.stdout().contains("FAIL"), "{doctor}");
    let _ = env.run(&["uninstall", "--scope", "local"]).exits(0);
    assert!(!env.project().join(local).exists(), "nothing else was in it");
}

#[test]
fn the_plugin_says_in_json_what_it_wrote() {
    let env = environment();
    let written = env.run(&["plugin", "plug", "--json"]).exits(0).data();
    let files = written["files"].as_array().unwrap();
    assert!(files.len() > 2, "{written}");
    for file in files {
        assert!(env.project().join(file.as_str().unwrap()).is_file(), "{file}");
    }
}
