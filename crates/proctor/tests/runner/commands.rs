//! Commands that are no check, as the host tells them: what is on record of them, and whose work their changes are.

use crate::support::{SESSION, environment, payload, prompt};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};

/// The changes of this sort that the session's records hold.
fn changes(env: &TestEnvironment, sort: &str) -> Vec<Value> {
    let state = env.run(&["task", "show", "--json"]).data();
    let log = state["sessions"][0]["log"].as_str().unwrap().to_owned();
    assert!(log.ends_with(SESSION), "{log}");
    let clones = std::fs::read_dir(env.state_home().join("proctor"))
        .unwrap()
        .flatten();
    let log = clones
        .map(|clone| clone.path().join("log").join(&log).join("000001.jsonl"))
        .find(|path| path.is_file())
        .unwrap();
    let text = std::fs::read_to_string(log).unwrap();
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let all = records.flat_map(|record| record["body"]["changes"].as_array().cloned().unwrap_or_default());
    all.filter(|change| change["change"] == sort).collect()
}

fn call(env: &TestEnvironment, id: &str, line: &str, agent: Option<&str>) -> Value {
    let call = json!({"tool_name": "Bash", "tool_use_id": id,
        "tool_input": {"command": line, "description": "d"}});
    let mut call = payload(env, "PreToolUse", call);
    if let Some(agent) = agent {
        call["agent_id"] = json!(agent);
        call["agent_type"] = json!("general-purpose");
    }
    let _ = env.hook("claude", &call);
    call
}

/// A command that ends with 0.
fn ran(env: &TestEnvironment, id: &str, line: &str, agent: Option<&str>, meanwhile: impl FnOnce()) -> Value {
    let mut call = call(env, id, line, agent);
    meanwhile();
    call["hook_event_name"] = json!("PostToolUse");
    call["duration_ms"] = json!(17);
    call["tool_response"] = json!({"stdout": "hello", "stderr": "", "interrupted": false, "isImage": false});
    env.hook("claude", &call).json()
}

#[test]
fn the_task_of_a_session_is_closed_by_a_human_only() {
    let env = environment();
    let _ = env.hook(
        "claude",
        &prompt(&env, "Fix.\nEXPECTED OUTCOME:\n- Create src/b.py\n"),
    );
    let refused = env.run(&["task", "done"]).exits(2);
    assert!(
        refused.stderr().contains("only a human at a terminal"),
        "{refused}"
    );
    assert!(refused.stdout().is_empty(), "{refused}");
    // Nothing was closed, and a task that is set is closed by whoever set it.
    let state = env.run(&["task", "show", "--json"]).data();
    assert_eq!(state["sessions"].as_array().map(Vec::len), Some(1), "{state}");
    let _ = env.run(&["task", "start", "Fix it too"]).exits(0);
    let _ = env.run(&["task", "done"]).exits(0);
}

#[test]
fn each_command_is_on_record_with_how_it_ended() {
    let env = environment();
    env.write_file("src/a.rs", "x\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(&env, "Look around."));
    ran(
        &env,
        "toolu_1",
        "DB_PASSWORD=hunter2 python3 gen.py --all | tail -3",
        None,
        || (),
    );
    let mut failed = call(&env, "toolu_2", "cat a.txt; ls nonexist", None);
    failed["hook_event_name"] = json!("PostToolUseFailure");
    failed["error"] = json!("Exit code 2\nhello\nls: cannot access 'nonexist': No such file or directory");
    failed["is_interrupt"] = json!(false);
    failed["duration_ms"] = json!(17);
    let _ = env.hook("claude", &failed);
    let found = changes(&env, "ran");
    let text = serde_json::to_string_pretty(&found).unwrap();
    insta::assert_snapshot!(text);
    let explained = env.run(&["explain", "last"]).exits(0).stdout();
    assert!(
        explained.contains("\n  command   `cat a.txt; ls nonexist`: exit 2, not of all of it\n"),
        "{explained}"
    );
}

/// The clock of the files is the machine's, so this one is, too.
#[test]
fn who_approves_what_his_own_command_changed_is_told() {
    for (line, path) in [
        ("sed -i s/x/y/ src/a.rs", "src/a.rs"),
        ("python3 gen.py", "src/gen.rs"),
    ] {
        let env = environment().with_real_clock();
        env.write_file("src/a.rs", "x\n");
        env.commit_all("start");
        let _ = env.hook(
            "claude",
            &payload(&env, "SessionStart", json!({"source": "startup"})),
        );
        let _ = env.hook("claude", &prompt(&env, "Have it reviewed."));
        let delegation = json!({"tool_name": "Agent", "tool_use_id": "toolu_1", "tool_input": {"description": "review",
            "prompt": "Review src/a.rs.", "subagent_type": "general-purpose"}});
        let _ = env.hook("claude", &payload(&env, "PreToolUse", delegation));
        let agent = json!({"agent_id": "a0", "agent_type": "general-purpose"});
        let _ = env.hook("claude", &payload(&env, "SubagentStart", agent.clone()));
        ran(&env, "toolu_2", "cat src/a.rs", Some("a0"), || ());
        // What was committed a moment ago was not changed by the command.
        std::thread::sleep(std::time::Duration::from_millis(40));
        ran(&env, "toolu_3", line, Some("a0"), || env.write_file(path, "y\n"));
        let wrote = changes(&env, "wrote");
        assert_eq!(
            wrote,
            [json!({"change": "wrote", "agent": "a0", "paths": [path], "by": {"command": "toolu_3"}})]
        );
        let mut stop = agent;
        stop["stop_hook_active"] = json!(false);
        stop["last_assistant_message"] =
            json!("VERDICT: APPROVE\nEvidence: read src/a.rs line 1; the callers were checked.");
        let _ = env.hook("claude", &payload(&env, "SubagentStop", stop));
        let stats = env.run(&["stats"]).exits(0).stdout();
        assert!(stats.contains("review/own_work"), "{line}:\n{stats}");
    }
}
