//! A policy that is loosened with the work: what the work needs is what it needed when it began.

use crate::support::{environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};

const FILE: &str = ".proctor/proctor.yaml";

fn policy(approval: &str, checks: &str) -> String {
    format!("version: 1\nenforcement: {{ approval: {{ {approval} }} }}\nverification: [{checks}]\n")
}

const CHECK: &str = "{ name: check, run: \"sh check.sh\", kind: tests }";

/// A project with this policy, committed where `commit` says so.
fn project(text: &str, commit: bool) -> TestEnvironment {
    let env = environment();
    env.write_file("check.sh", "echo checked\n");
    env.write_file("deploy/a.yaml", "replicas: 2\n");
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.write_file(FILE, text);
    if commit {
        env.commit_all("start");
    }
    env
}

fn begin(env: &TestEnvironment) {
    let _ = env.hook(
        "claude",
        &payload(env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(env, "Rename x to y."));
}

fn edit(env: &TestEnvironment, path: &str, text: &str) {
    env.write_file(path, text);
    let file = env.project().join(path);
    let edit = json!({"tool_name": "Edit", "tool_use_id": "toolu_1",
        "tool_input": {"file_path": file, "old_string": "x", "new_string": "y"},
        "tool_response": {"filePath": file, "oldString": "x", "newString": "y"}});
    let _ = env.hook("claude", &payload(env, "PostToolUse", edit));
}

fn stopped(env: &TestEnvironment, text: &str) -> Value {
    env.hook("claude", &stop(env, text)).json()
}

#[test]
fn globs_that_are_taken_out_with_the_change_still_cover_it() {
    let paths = "require: paths, paths: [\"src/**\"], high_stakes: [\"deploy/**\"]";
    let cases = [
        ("require: paths, paths: [\"src/**\"]", "deploy/a.yaml"),
        ("require: paths, high_stakes: [\"deploy/**\"]", "src/lib.rs"),
        (
            "require: claims, paths: [\"src/**\"], high_stakes: [\"deploy/**\"]",
            "src/lib.rs",
        ),
        ("mode: observe, require: paths, paths: [\"src/**\"]", "src/lib.rs"),
    ];
    for commit in [true, false] {
        for (looser, changed) in cases {
            let env = project(&policy(paths, ""), commit);
            begin(&env);
            edit(&env, changed, "y\n");
            edit(&env, FILE, &policy(looser, ""));
            let answer = stopped(&env, "x is now y.");
            assert_eq!(answer["decision"], "block", "{looser}: {answer}");
            let told = answer["systemMessage"].as_str().unwrap();
            assert!(
                told.contains("judged by the policy that it began under"),
                "{told}"
            );
            let held = env.run(&["review", "check"]).exits(1);
            assert!(held.stdout().contains("policy that it began under"), "{held}");
            env.commit_all("looser");
            assert_eq!(
                stopped(&env, "x is now y.")["decision"],
                "block",
                "{looser}: committed"
            );
        }
    }
}

#[test]
fn what_is_held_is_told_by_review_check() {
    let env = project(&policy("require: paths, high_stakes: [\"deploy/**\"]", ""), true);
    begin(&env);
    edit(&env, "deploy/a.yaml", "replicas: 3\n");
    edit(&env, FILE, "version: 1\nenforcement: { enabled: false }\n");
    insta::assert_snapshot!(
        "floors_review_check",
        env.run(&["review", "check"]).exits(1).stdout()
    );
    let answer = env.run(&["review", "check", "--json"]).exits(1).data();
    assert_eq!(answer["held"][0], "enforcement.enabled", "{answer}");
    // Without a session, what is checked out decides.
    let fresh = project(&policy("require: changes", ""), true);
    fresh.write_file("src/lib.rs", "pub fn y() {}\n");
    fresh.write_file(FILE, policy("require: never", ""));
    let _ = fresh.run(&["review", "check"]).exits(1);
}

#[test]
fn a_check_that_is_taken_out_with_the_change_is_still_asked_for() {
    for (commit, now) in [
        (true, ""),
        (false, ""),
        (true, "{ name: check, run: \"true\", kind: tests }"),
    ] {
        let env = project(&policy("require: claims", CHECK), commit);
        begin(&env);
        edit(&env, "src/lib.rs", "pub fn y() {}\n");
        edit(&env, FILE, &policy("require: claims", now));
        let done = "The task is complete: x is renamed to y everywhere.";
        let answer = stopped(&env, done);
        assert_eq!(answer["decision"], "block", "{now:?}: {answer}");
        // The check of before is still known as one.
        let ran = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
        assert!(ran.stderr().contains("recorded"), "{ran}");
        assert_ne!(stopped(&env, done)["decision"], "block", "{now:?}");
    }
}

#[test]
fn what_the_commit_asked_for_holds_though_the_file_was_looser_before_the_task() {
    let env = project(&policy("require: changes", CHECK), true);
    // By whom, nobody knows.
    env.write_file(FILE, policy("require: never", ""));
    begin(&env);
    edit(&env, "src/lib.rs", "pub fn y() {}\n");
    assert_eq!(stopped(&env, "x is now y.")["decision"], "block");
    // Committed before the work began it counts.
    env.commit_all("looser");
    begin(&env);
    edit(&env, "src/lib.rs", "pub fn z() {}\n");
    let answer = stopped(&env, "y is now z.");
    assert_ne!(answer["decision"], "block", "{answer}");
    let _ = env.run(&["review", "check"]).exits(0);
}

#[test]
fn verify_asks_for_what_either_policy_asks_for() {
    let env = project(
        &policy("require: paths, high_stakes: [\"deploy/**\"]", CHECK),
        true,
    );
    let _ = env.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    // One glob and one check out, others in.
    let more = "{ name: more, run: \"sh more.sh\", kind: lint }";
    env.write_file(FILE, policy("require: paths, high_stakes: [\"src/**\"]", more));
    for (path, at_stake) in [("deploy/a.yaml", "deploy/a.yaml"), ("src/lib.rs", "src/lib.rs")] {
        let _ = env.git(&["checkout", "-q", "-B", "topic", "origin/main"]);
        env.write_file(FILE, policy("require: paths, high_stakes: [\"src/**\"]", more));
        env.write_file(path, "changed\n");
        env.commit_all("changed");
        let report = env.run(&["verify", "--json"]).exits(1).data();
        let names: Vec<&str> = report["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["check", "more"], "{report}");
        assert_eq!(report["policy"]["high_stakes"]["paths"][0], at_stake, "{report}");
    }
}
