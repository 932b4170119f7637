//! Pipes in the place of files that Proctor reads: whoever opens one waits until somebody writes into it.

use crate::launches::{APPROVE, check, reviewer, worked};
use crate::support::{environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Puts a pipe where a file is, or would be.
fn pipe(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _missing = std::fs::remove_file(path);
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
    path.to_owned()
}

/// A command ends in far less than what the host or a test would wait.
fn ends(env: &TestEnvironment, args: &[&str]) {
    let output = env.run(args);
    assert!(output.wall() < Duration::from_secs(15), "{args:?}: {output}");
}

#[test]
fn commands_do_not_wait_at_pipes() {
    let env = environment();
    env.commit_all("start");
    let _ = env.hook("claude", &prompt(&env, "Fix it."));
    pipe(env.project().join(".proctor/corpus/response.jsonl"));
    pipe(env.project().join(".proctor/allowed_signers"));
    pipe(env.project().join(".claude/settings.json"));
    pipe(env.home().join(".claude/settings.json"));
    pipe(
        env.home()
            .join(".claude/projects/p/11111111-2222-4333-8444-555555555555.jsonl"),
    );
    for args in [
        ["stats"].as_slice(),
        &["eval"],
        &["doctor", "--no-canary"],
        &["init"],
        &["review", "approve", "--message", "read"],
        &["audit", "../home/.claude/projects"],
    ] {
        ends(&env, args);
    }
}

#[test]
fn a_reviewer_is_started_past_pipes() {
    let env = worked();
    reviewer(&env, APPROVE);
    check(&env);
    pipe(env.project().join(".git/worktrees/other/gitdir"));
    pipe(
        env.home()
            .join(".claude/projects/p/11111111-2222-4333-8444-555555555555.jsonl"),
    );
    let run = env.run(&["review", "run"]).exits(0);
    assert!(run.wall() < Duration::from_secs(15), "{run}");
    // What is no file is no template.
    pipe(env.home().join(".config/proctor/templates/reviewer.md"));
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    check(&env);
    let run = env.run(&["review", "run"]).exits(0);
    assert!(run.wall() < Duration::from_secs(15), "{run}");
}

#[test]
fn a_hook_does_not_wait_for_a_model_or_a_transcript() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { drift: { mode: enforce, method: cosine, embedder: { kind: file, path: model } } }\n",
    );
    pipe(env.project().join("model/model.safetensors"));
    pipe(env.project().join("model/tokenizer.json"));
    let projects = env.home().join(".claude/projects/project");
    pipe(projects.join("11111111-2222-4333-8444-555555555555.jsonl"));
    pipe(projects.join("11111111-2222-4333-8444-555555555555/subagents/agent-a.jsonl"));
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(&env, "Fix it."));
    for n in 0..5 {
        let stopped = env.hook(
            "claude",
            &stop(&env, &format!("I looked at part {n} of the parser again.")),
        );
        assert!(stopped.wall() < Duration::from_secs(5), "{stopped}");
    }
}
