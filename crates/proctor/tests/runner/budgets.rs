//! Tokens that the host's transcripts tell, and what a used-up budget changes.

use crate::support::{SESSION, environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::json;

fn message(id: &str, second: u32, input: u64, output: u64) -> String {
    let record = json!({"type": "assistant", "timestamp": format!("2099-01-01T00:00:{second:02}.000Z"),
        "message": {"id": id, "model": "m", "usage": {"input_tokens": 3, "cache_read_input_tokens": input - 3,
            "cache_creation_input_tokens": 0, "output_tokens": output}}});
    // The host writes one record for each block, with the same usage.
    format!("{record}\n{record}\n")
}

/// Writes the transcript of the conversation, or of a subagent.
fn transcript(env: &TestEnvironment, subagent: Option<&str>, text: &str) {
    let folder = env.home().join(".claude/projects/project");
    let path = match subagent {
        None => folder.join(format!("{SESSION}.jsonl")),
        Some(id) => folder.join(format!("{SESSION}/subagents/agent-{id}.jsonl")),
    };
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn tokens(env: &TestEnvironment) -> u64 {
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    stats["stats"]["tokens"].as_u64().unwrap()
}

#[test]
fn tokens_of_a_session_and_its_subagents_count_once() {
    let env = environment();
    // A conversation that was there before the task.
    let before = message("m1", 1, 5_000, 300);
    transcript(&env, None, &before);
    let _ = env.hook("claude", &prompt(&env, "Fix the parser."));
    let grown = format!("{before}{}", message("m2", 2, 5_350, 40));
    transcript(&env, None, &grown);
    transcript(
        &env,
        Some("a"),
        &format!("{}{}", message("s1", 2, 900, 10), message("s2", 3, 950, 20)),
    );
    let _ = env.hook("claude", &stop(&env, "I looked at it."));
    // What was before counts for nothing: 40 written; of the subagent 10 and 20 written, 40 read.
    assert_eq!(tokens(&env), 40 + 10 + 20 + 40);
    let _ = env.hook("claude", &stop(&env, "I looked at it."));
    assert_eq!(tokens(&env), 110, "nothing was added");

    // The file is replaced by one that repeats what was counted, as after a compaction.
    let other = format!("{{\"type\":\"summary\"}}\n{grown}{}", message("m3", 4, 5_400, 7));
    transcript(&env, None, &other);
    let _ = env.hook("claude", &stop(&env, "I looked again."));
    assert_eq!(tokens(&env), 110 + 10 + 7);
    // A tool call reads no transcript.
    transcript(&env, None, &format!("{other}{}", message("m4", 5, 5_407, 9)));
    let read = json!({"tool_name": "Read", "tool_input": {"file_path": "a"}, "tool_use_id": "t"});
    let _ = env.hook("claude", &payload(&env, "PreToolUse", read));
    assert_eq!(tokens(&env), 127);
    let _ = env.hook("claude", &payload(&env, "SessionEnd", json!({"reason": "other"})));
    assert_eq!(tokens(&env), 136);
}

#[test]
fn the_worker_of_a_review_is_on_record_with_its_model() {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    env.commit_all("work");
    let _ = env.hook("claude", &prompt(&env, "Fix the parser."));
    let request = || env.run(&["review", "request", "--json"]).exits(0).data();
    assert_eq!(request()["worker"]["model"], json!(null), "nobody has told it");
    // Within its first turn, when no hook has read anything of it.
    transcript(&env, None, &message("m1", 1, 5_000, 300));
    env.write_file("src/lib.rs", "pub fn parse() -> u8 { 1 }\n");
    assert_eq!(request()["worker"]["model"], "m");
    let told = env.run(&["review", "status"]).exits(0).stdout();
    assert!(told.contains("\n  worker: m\n"), "{told}");
}

#[test]
fn a_budget_that_the_host_cannot_give_is_warned_of_and_ends_before_its_limit() {
    let env = environment();
    let policy = |attempts: u32| {
        let text = format!("version: 1\nenforcement:\n  budget: {{ review_attempts: {attempts} }}\n");
        env.write_file(".proctor/proctor.yaml", text);
        env.run(&["config", "validate"]).exits(0).stdout()
    };
    assert!(policy(3).contains("0 error(s), 0 warning(s)"));
    let warned = policy(9);
    assert!(
        warned.contains("1 warning(s)") && warned.contains("lets go, as UNREVIEWED, after 7"),
        "{warned}"
    );
    let _ = env.hook("claude", &prompt(&env, "Fix the parser."));
    let ends = || {
        env.hook("claude", &stop(&env, "The parser is fixed. All tests pass."))
            .json()
    };
    let blocks = (0..9).take_while(|_| ends()["decision"] == "block").count();
    assert_eq!(blocks, 7, "the host passes over the ninth");
    let _ = env.run(&["review", "check"]).exits(4);
}

#[test]
fn a_session_that_ends_while_a_gate_objects_is_left_unreviewed() {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    env.commit_all("work");
    let _ = env.hook("claude", &prompt(&env, "Fix the parser."));
    let claim = stop(&env, "The parser is fixed. All tests pass.");
    assert_eq!(env.hook("claude", &claim).json()["decision"], "block");
    let _ = env.run(&["review", "check"]).exits(0);
    let _ = env.hook("claude", &payload(&env, "SessionEnd", json!({"reason": "other"})));
    let told = env.run(&["review", "check"]).exits(4);
    assert!(told.stdout().contains("UNREVIEWED"), "{told}");
    let _ = env.run(&["verify"]).exits(4);
}

#[test]
fn a_used_up_budget_ends_the_gates_insisting_and_says_so() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { budget: { tokens: 100 } }\n",
    );
    let _ = env.hook("claude", &prompt(&env, "Fix the parser."));
    transcript(&env, None, &message("m1", 1, 5_000, 150));
    let claim = stop(&env, "The parser is fixed. All tests pass.");
    let first = env.hook("claude", &claim).json();
    assert_eq!(first["decision"], "block");
    let told = first["systemMessage"].as_str().unwrap();
    assert!(told.contains("150 of 100 tokens"), "{told}");
    let last = env.hook("claude", &claim).json();
    assert_ne!(last["decision"], "block");
    let told = last["systemMessage"].as_str().unwrap();
    assert!(
        told.contains("UNREVIEWED") && told.contains("150 of 100 tokens"),
        "{told}"
    );
    let explained = env.run(&["explain", "last"]).exits(0);
    assert!(
        explained.stdout().contains("budget    150 of 100 tokens") && explained.stdout().contains("used up"),
        "{explained}"
    );
    let stats = env.run(&["stats"]).exits(0);
    assert!(
        stats.stdout().contains("150 tokens") && stats.stdout().contains("the budget of 1 task used up"),
        "{stats}"
    );
    let _ = env.run(&["review", "check"]).exits(4);
}
