//! `proctor fsck`, and a state folder that went away.

use crate::support::{environment, environment_without_git, payload, prompt, stop};
use insta::assert_snapshot;
use proctor_testkit::TestEnvironment;
use serde_json::json;
use std::path::PathBuf;

/// A session of three events.
fn session() -> TestEnvironment {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook(
        "claude",
        &prompt(
            &env,
            "Fix the parser.\n\nEXPECTED OUTCOME:\n- [ ] src/lib.rs parses\n",
        ),
    );
    let _ = env.hook(
        "claude",
        &stop(&env, "src/lib.rs parses.\n- [x] src/lib.rs parses\n"),
    );
    env
}

/// The state folder of the environment's project.
fn state(env: &TestEnvironment) -> PathBuf {
    let id = env.git(&["config", "proctor.id"]);
    env.state_home().join("proctor").join(id.trim())
}

/// The log of the one session.
fn log(env: &TestEnvironment) -> PathBuf {
    let mut logs = std::fs::read_dir(state(env).join("log")).unwrap();
    logs.next().unwrap().unwrap().path().join("000001.jsonl")
}

#[test]
fn nothing_recorded_yet() {
    let env = environment_without_git();
    let output = env.run(&["fsck"]).exits(0);
    assert!(
        output.stdout().ends_with("nothing was recorded here yet\n"),
        "{output}"
    );
    assert!(!env.state_home().exists(), "a look makes nothing");
}

#[test]
fn a_folder_in_order() {
    let env = session();
    assert_snapshot!(env.run(&["fsck"]));
    assert_snapshot!(env.run(&["fsck", "--json"]));
}

#[test]
fn a_damaged_line_a_torn_end_and_a_broken_file() {
    let env = session();
    let path = log(&env);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1] = lines[1].replacen("UserPromptSubmit", "UserPromptSubmIt", 1);
    lines.push("{\"v\":1,\"id\":\"01KD".to_owned());
    std::fs::write(&path, lines.join("\n")).unwrap();
    std::fs::write(state(&env).join("breakers.json"), "{\"gates\":").unwrap();
    assert_snapshot!(env.run(&["fsck"]));
    assert_snapshot!(env.run(&["fsck", "--repair"]));
    // What is lost stays lost, and is said again; the rest is mended.
    assert_snapshot!(env.run(&["fsck", "--json"]));
    let aside = std::fs::read_dir(state(&env).join("quarantine")).unwrap().count();
    assert_eq!(aside, 2);
}

#[test]
fn a_rewritten_log_is_called_tampering_and_told_to_the_user() {
    let env = session();
    let path = log(&env);
    let text = std::fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap();
    std::fs::write(&path, format!("{first}\n")).unwrap();
    assert_snapshot!(env.run(&["fsck"]));
    // An event that shows nothing to the user keeps it until one does.
    let read = json!({"tool_name": "Read", "tool_use_id": "t", "tool_input": {"file_path": "src/lib.rs"}, "agent_id": "a0", "agent_type": "x"});
    let _ = env.hook("claude", &payload(&env, "PreToolUse", read));
    let answer = env.hook("claude", &prompt(&env, "Go on.")).exits(0).json();
    let told = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(told.contains("removed or rewritten"), "{answer}");
    let records = std::fs::read_to_string(&path).unwrap();
    assert!(
        records.contains("removed or rewritten"),
        "it is in the record as well"
    );
    // It stays to be said, whatever comes after it.
    let _ = env.hook("claude", &stop(&env, "src/lib.rs parses."));
    let _ = env.run(&["fsck", "--repair"]);
    let report = env.run(&["fsck", "--json"]).exits(1).data();
    let findings = report["report"]["findings"].as_array().unwrap();
    assert!(findings.iter().any(|f| f["code"] == "records_lost"), "{report}");
}

#[test]
fn a_state_folder_that_went_away_is_noticed_by_every_command() {
    let env = session();
    std::fs::remove_dir_all(state(&env)).unwrap();
    assert_snapshot!(env.run(&["fsck"]));
    for command in [&["stats"][..], &["task", "show"], &["doctor", "--no-canary"]] {
        let output = env.run(command);
        let all = format!("{}{}", output.stdout(), output.stderr());
        assert!(
            all.contains("is gone although this clone had one"),
            "{command:?}:\n{output}"
        );
    }
    assert!(!state(&env).exists(), "looking makes nothing");
    // A repair makes nothing either: the next event tells the user, and the marker keeps it.
    let _ = env.run(&["fsck", "--repair"]).exits(1);
    let answer = env.hook("claude", &stop(&env, "src/lib.rs parses.")).json();
    let told = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(told.contains("is gone although this clone had one"), "{answer}");
    let report = env.run(&["fsck", "--json"]).exits(0).data();
    assert_eq!(
        report["report"]["findings"][0]["code"], "state_replaced",
        "{report}"
    );
}

#[test]
fn a_folder_that_cannot_be_read() {
    let env = session();
    // Whoever runs this (permissions do not bind the superuser): a folder where a segment should be.
    let path = log(&env);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let output = env.run(&["fsck"]);
    assert_eq!(output.code(), Some(1), "{output}");
    assert!(output.stdout().contains("unread"), "{output}");
}

#[test]
fn reviews_that_are_gone_are_no_clean_slate() {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let hook = |event: &str, more| env.hook("claude", &payload(&env, event, more)).json();
    let _ = hook("SessionStart", json!({"source": "startup"}));
    let _ = env.hook("claude", &prompt(&env, "Rename x to y."));
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    let ends = || {
        env.hook("claude", &stop(&env, "x is y now. All tests pass."))
            .json()
    };
    while ends()["decision"] == "block" {}
    env.commit_all("renamed");
    let _ = env.run(&["review", "check"]).exits(4);
    let _ = env.run(&["verify"]).exits(4);

    for entry in ["log", "sessions"] {
        std::fs::remove_dir_all(state(&env).join(entry)).unwrap();
    }
    // Before and after an event took notice of it, which tells the user.
    for told in [true, false] {
        let check = env.run(&["review", "check"]).exits(3);
        assert!(check.stdout().contains("records of reviews are gone"), "{check}");
        let shown = env.run(&["review", "check", "--json"]).exits(3).data();
        assert_eq!(shown["passes"], false, "{shown}");
        let status = env.run(&["review", "status"]).exits(0);
        assert!(
            status.stdout().contains("records of reviews are gone"),
            "{status}"
        );
        let fsck = env.run(&["fsck"]).exits(1);
        assert!(fsck.stdout().contains("tampering"), "{fsck}");
        let doctor = env.run(&["doctor", "--no-canary"]);
        assert!(
            doctor.stdout().contains("records of reviews are gone"),
            "{doctor}"
        );
        let heard = env.hook("claude", &prompt(&env, "Go on.")).json().to_string();
        assert_eq!(heard.contains("records of reviews are gone"), told, "{heard}");
    }
    let verify = env.run(&["verify", "--json"]).exits(3).data();
    assert_eq!(verify["reasons"][0]["code"], "state_lost", "{verify}");
}

#[test]
fn a_file_in_the_place_of_the_reviews_cannot_be_told() {
    let env = session();
    std::fs::write(state(&env).join("log/reviews"), "x").unwrap();
    let check = env.run(&["review", "check"]).exits(3);
    assert!(check.stdout().contains("no folder any more"), "{check}");
}
