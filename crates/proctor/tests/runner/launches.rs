//! The end of a turn that starts the reviewer itself, with a host that is a script.

use crate::support::{environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

pub(crate) const POLICY: &str = "version: 1\nenforcement: { approval: { require: changes } }\nverification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";
pub(crate) const APPROVE: &str = "{\"verdict\": \"approve\", \"summary\": \"renamed everywhere\"}";
pub(crate) const REFUSE: &str = "{\"verdict\": \"reject\", \"summary\": \"a caller is left\", \"findings\": [{\"severity\": \"blocking\", \"path\": \"src/lib.rs\", \"line\": 1, \"text\": \"a caller still says x\"}]}";

/// A session in which a file was edited; the user's own policy lets the end of a turn start a reviewer.
pub(crate) fn worked() -> TestEnvironment {
    let mut env = environment().with_real_clock();
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = env.root().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    env.set_var("PATH", format!("{}:{path}", bin.display()));
    let own = env.home().join(".config/proctor");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(
        own.join("proctor.yaml"),
        "version: 1\nenforcement: { approval: { launch_reviewer: true } }\n",
    )
    .unwrap();
    env.write_file(".proctor/proctor.yaml", POLICY);
    env.write_file("check.sh", "echo checked\n");
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(&env, "Rename x to y."));
    edit(&env, "pub fn y() {}\n");
    env
}

pub(crate) fn edit(env: &TestEnvironment, content: &str) {
    env.write_file("src/lib.rs", content);
    let file = env.project().join("src/lib.rs");
    let edit = json!({"tool_name": "Edit", "tool_use_id": "toolu_1",
        "tool_input": {"file_path": file, "old_string": "x", "new_string": "y"},
        "tool_response": {"filePath": file, "oldString": "x", "newString": "y"}});
    let _ = env.hook("claude", &payload(env, "PostToolUse", edit));
}

/// The host's program answers with these words from now on, and counts how often it is started.
pub(crate) fn reviewer(env: &TestEnvironment, words: &str) {
    let result = json!({"type": "result", "is_error": false, "terminal_reason": "completed", "result": words,
        "session_id": "r1", "modelUsage": {"model-r": {}}});
    let path = env.root().join("bin/claude");
    let script = format!("#!/bin/sh\ncat > /dev/null\necho run >> \"$0.runs\"\ncat <<'EOF'\n{result}\nEOF\n");
    std::fs::write(&path, script).unwrap();
    let mut mode = std::fs::metadata(&path).unwrap().permissions();
    mode.set_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
}

pub(crate) fn runs(env: &TestEnvironment) -> usize {
    let runs = std::fs::read_to_string(env.root().join("bin/claude.runs"));
    runs.map_or(0, |text| text.lines().count())
}

pub(crate) fn ends(env: &TestEnvironment) -> Value {
    env.hook("claude", &stop(env, "x is now y.")).json()
}

pub(crate) fn check(env: &TestEnvironment) {
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
}

fn decisions(env: &TestEnvironment) -> u64 {
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    stats["stats"]["events"].as_u64().unwrap()
}

#[test]
fn a_turn_that_lacks_only_a_review_is_reviewed_at_its_end() {
    let env = worked();
    reviewer(&env, APPROVE);
    // Without evidence an approval would not be taken, so nobody is started for it.
    let answer = ends(&env);
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("Before a reviewer is started"), "{reason}");
    assert_eq!(runs(&env), 0);

    check(&env);
    let before = decisions(&env);
    let answer = ends(&env);
    assert_eq!((&answer["decision"], runs(&env)), (&Value::Null, 1), "{answer}");
    assert_eq!(decisions(&env), before + 1, "one event, one decision");
    let _ = env.run(&["review", "check"]).exits(0);
    let _ = ends(&env);
    assert_eq!(runs(&env), 1, "what is approved is not reviewed again");
}

#[test]
fn an_agent_does_not_choose_who_reviews_its_work() {
    let mut env = worked();
    reviewer(&env, APPROVE);
    check(&env);
    let own = env.root().join("bin/claude").to_string_lossy().into_owned();
    env.set_var("CLAUDECODE", "1");
    for (flag, value) in [("--program", own.as_str()), ("--template", "check.sh")] {
        let refused = env.run(&["review", "run", flag, value]).exits(2);
        assert!(refused.stderr().contains("an agent names neither"), "{refused}");
    }
    assert_eq!(runs(&env), 0);
    // What Proctor finds itself is started, from a hook too.
    let answer = ends(&env);
    assert_eq!((&answer["decision"], runs(&env)), (&Value::Null, 1), "{answer}");
}

#[test]
fn what_the_checks_lack_in_a_clean_folder_comes_back() {
    let env = worked();
    reviewer(&env, APPROVE);
    env.write_file(".gitignore", "left-over\n");
    env.write_file("left-over", "");
    env.write_file("check.sh", "test -f left-over && echo checked\n");
    // A check that the user's own policy names needs no other trust.
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { approval: { require: changes } }\n",
    );
    let own = "version: 1\nenforcement: { approval: { launch_reviewer: true }, review: { level: rerun } }\nverification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";
    std::fs::write(env.home().join(".config/proctor/proctor.yaml"), own).unwrap();
    check(&env);
    let answer = ends(&env);
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("In a clean folder"), "{reason}");
    assert_eq!(runs(&env), 0);
}

#[test]
fn a_refusal_comes_back_with_its_findings_and_the_next_state_is_reviewed_anew() {
    let env = worked();
    reviewer(&env, REFUSE);
    check(&env);
    let answer = ends(&env);
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("src/lib.rs:1: a caller still says x"), "{reason}");
    // The same tree again is answered from the record.
    let again = ends(&env);
    assert!(
        again["reason"]
            .as_str()
            .unwrap()
            .contains("a caller still says x"),
        "{again}"
    );
    assert_eq!(runs(&env), 1);

    edit(&env, "pub fn y() {}\n// no caller is left\n");
    check(&env);
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    let finding = status["reviews"][0]["findings"][0]["id"].as_str().unwrap();
    let words = format!("{{\"verdict\": \"approve\", \"summary\": \"ok\", \"settled\": [\"{finding}\"]}}");
    reviewer(&env, &words);
    let answer = ends(&env);
    assert_eq!((&answer["decision"], runs(&env)), (&Value::Null, 2), "{answer}");
}

#[test]
fn a_review_that_cannot_run_is_no_verdict_and_is_not_tried_for_ever() {
    let env = worked();
    reviewer(&env, "I could not find the files.");
    check(&env);
    for round in 1..=3 {
        let answer = ends(&env);
        let reason = answer["reason"].as_str().unwrap();
        assert!(
            reason.contains("could not run") && reason.contains("no verdict"),
            "{reason}"
        );
        assert_eq!(runs(&env), round);
        // Only the count of blocked stops goes on; an edit is progress.
        edit(&env, &format!("pub fn y() {{}}\n// {round}\n"));
        check(&env);
    }
    let answer = ends(&env);
    assert!(
        answer["reason"]
            .as_str()
            .unwrap()
            .contains("No further one is started"),
        "{answer}"
    );
    assert_eq!(runs(&env), 3);
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    assert_eq!(status["reviews"][0]["attempts"], 0, "{status}");
}

#[test]
fn what_a_project_says_starts_nobody() {
    let env = worked();
    std::fs::remove_file(env.home().join(".config/proctor/proctor.yaml")).unwrap();
    env.write_file(
        ".proctor/proctor.yaml",
        POLICY.replace("require: changes", "require: changes, launch_reviewer: true"),
    );
    reviewer(&env, APPROVE);
    check(&env);
    assert_eq!(ends(&env)["decision"], "block");
    assert_eq!(runs(&env), 0);
}

#[test]
fn a_reviewer_outlives_the_hook_that_started_it() {
    let env = worked();
    reviewer(&env, APPROVE);
    let path = env.root().join("bin/claude");
    let script = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, script.replace("echo run", "sleep 2\necho run")).unwrap();
    check(&env);
    let mut command = env.command(env.program());
    let mut hook = command
        .args(["hook", "claude"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = hook.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, stop(&env, "x is now y.").to_string().as_bytes()).unwrap();
    drop(input);
    let started = |word: &str| {
        let standing = env.run(&["review", "check"]);
        standing.stdout().starts_with(word)
    };
    let within = |word: &str| {
        (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            started(word)
        })
    };
    assert!(within("in_review"), "{}", env.run(&["review", "status"]));
    hook.kill().unwrap();
    let _ = hook.wait().unwrap();
    assert!(within("approved"), "{}", env.run(&["review", "status"]));
}

#[test]
fn a_reviewer_that_nobody_waits_for_any_more_is_not_waited_for() {
    if !std::path::Path::new("/proc/self/stat").exists() {
        return;
    }
    let env = worked();
    reviewer(&env, APPROVE);
    let path = env.root().join("bin/claude");
    let script = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, script.replace("echo run", "sleep 60\necho run")).unwrap();
    check(&env);
    let mut command = env.command(env.program());
    let mut review = command
        .args(["review", "run"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begun = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        env.run(&["review", "check"]).stdout().starts_with("in_review")
    });
    assert!(begun, "{}", env.run(&["review", "status"]));
    review.kill().unwrap();
    let _ = review.wait().unwrap();

    let held = env.run(&["review", "check"]).exits(1);
    let why = "the process that waited for the reviewer ended before there was a verdict";
    assert!(
        held.stdout().starts_with("pending\n") && held.stdout().contains(why),
        "{held}"
    );
    assert!(
        held.stdout().contains("no verdict, and counts as no attempt"),
        "{held}"
    );
    // The end of the turn starts another one instead of waiting, and the one that is gone is on record.
    reviewer(&env, APPROVE);
    let answer = ends(&env);
    assert_eq!((&answer["decision"], runs(&env)), (&Value::Null, 1), "{answer}");
    let _ = env.run(&["review", "check"]).exits(0);
}
