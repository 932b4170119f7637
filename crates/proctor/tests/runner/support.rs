//! What several modules need.

use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// An environment for the binary under test.
pub(crate) fn environment() -> TestEnvironment {
    TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"))
}

/// An environment whose project is no git repository.
pub(crate) fn environment_without_git() -> TestEnvironment {
    TestEnvironment::without_git(env!("CARGO_BIN_EXE_proctor"))
}

/// The session of [`payload`].
pub(crate) const SESSION: &str = "11111111-2222-4333-8444-555555555555";

/// A payload as Claude Code 2.1.329 sends it, for the project of `env`, with `more` added.
pub(crate) fn payload(env: &TestEnvironment, event: &str, more: Value) -> Value {
    let mut payload = json!({
        "session_id": SESSION,
        "transcript_path": env.home().join(format!(".claude/projects/project/{SESSION}.jsonl")),
        "cwd": env.project(),
        "prompt_id": "99999999-8888-4777-8666-555555555555",
        "permission_mode": "acceptEdits",
        "hook_event_name": event,
    });
    for (name, value) in more.as_object().unwrap() {
        payload[name] = value.clone();
    }
    payload
}

/// One payload of every event that Proctor listens to.
pub(crate) fn payloads(env: &TestEnvironment) -> Vec<Value> {
    let file = env.project().join("src/lib.rs");
    let write = json!({"file_path": file, "content": "pub fn x() {}\n"});
    [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "Fix the parser.\n\nEXPECTED OUTCOME:\n- [ ] src/lib.rs parses\n"})),
        ("PreToolUse", json!({"tool_name": "Write", "tool_input": write, "tool_use_id": "toolu_1"})),
        ("PreToolUse", json!({"tool_name": "Bash", "tool_use_id": "toolu_2",
            "tool_input": {"command": "cargo test", "description": "run the tests"}})),
        ("PreToolUse", json!({"tool_name": "Agent", "tool_use_id": "toolu_3",
            "tool_input": {"description": "review", "prompt": "Review it.", "subagent_type": "general-purpose"}})),
        ("PostToolUse", json!({"tool_name": "Write", "tool_input": write, "tool_use_id": "toolu_1", "duration_ms": 5,
            "tool_response": {"type": "create", "filePath": file, "content": "pub fn x() {}\n",
                "structuredPatch": [], "originalFile": null, "userModified": false}})),
        ("PostToolUseFailure", json!({"tool_name": "Bash", "tool_use_id": "toolu_2",
            "tool_input": {"command": "cargo test", "description": "run the tests"},
            "error": "Exit code 101\nerror: test failed", "is_interrupt": false, "duration_ms": 70})),
        ("SubagentStart", json!({"agent_id": "a0", "agent_type": "general-purpose"})),
        ("SubagentStop", json!({"agent_id": "a0", "agent_type": "general-purpose", "stop_hook_active": false,
            "last_assistant_message": "The parser accepts an empty list; src/lib.rs line 3.",
            "background_tasks": [], "session_crons": []})),
        ("MessageDisplay", json!({"turn_id": "t", "message_id": "m", "index": 0, "final": true, "delta": "Hello."})),
        ("PreCompact", json!({"trigger": "manual", "custom_instructions": null})),
        ("Stop", json!({"stop_hook_active": false, "last_assistant_message": "src/lib.rs parses now.",
            "background_tasks": [], "session_crons": []})),
        ("SessionEnd", json!({"reason": "other"})),
    ]
    .into_iter()
    .map(|(event, more)| payload(env, event, more))
    .collect()
}

/// The prompt that opens a task with the given text.
pub(crate) fn prompt(env: &TestEnvironment, text: &str) -> Value {
    payload(env, "UserPromptSubmit", json!({"prompt": text}))
}

/// The main conversation wants to end its turn with `text`.
pub(crate) fn stop(env: &TestEnvironment, text: &str) -> Value {
    let more = json!({"stop_hook_active": false, "last_assistant_message": text,
        "background_tasks": [], "session_crons": []});
    payload(env, "Stop", more)
}
