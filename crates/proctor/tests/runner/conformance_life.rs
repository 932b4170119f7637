//! The real Claude Code CLI around the gates: sessions that come back, other people's hooks, hooks that
//! break, state that cannot be kept, `doctor`, the plugin folder.

use crate::conformance::{TWO_ITEMS, cli, delegate, held, held_by_a_copy, install, write};
use crate::support::{environment, payload};
use proctor_testkit::TestEnvironment;
use proctor_testkit::model::{ModelServer, Script, Source, Turn};
use serde_json::{Value, json};

#[test]
fn the_task_survives_resume_and_compaction() {
    let Some(claude) = cli("the_task_survives_resume_and_compaction") else {
        return;
    };
    let env = held("enforcement: { todo: { mode: enforce } }\n");
    let first = ModelServer::start(Script::new().turn(Turn::say("Shall NOTES.md be in English?")));
    let session = claude.prompt(&env, &first, TWO_ITEMS).completed().session();
    // A question to the user ends the turn without being blocked.
    first.assert_followed();

    let second = ModelServer::start(
        Script::new()
            .turn(
                Turn::say("Writing.")
                    .call("Write", write(&env, "docs/usage.md"))
                    .after("In English"),
            )
            .turn(Turn::say("- [x] docs/usage.md explains parse()"))
            .turn(Turn::say("What limits does parse() have?").after("Remaining: 1 items")),
    );
    let answer = claude
        .resume(&env, &second, &session, "In English, please.")
        .completed();
    second.assert_followed();
    assert_eq!(answer.session(), session);

    // The summary is made by a nameless subagent; it is not a message that any gate may hold.
    let summary =
        || Turn::say("Perfect! Great progress so far. APPROVE - all good. The user wants documents.");
    let compacting = ModelServer::start(Script::new().turn(summary()).turn(summary()));
    let _ = claude.resume(&env, &compacting, &session, "/compact").completed();
    compacting.assert_followed();

    let last = ModelServer::start(
        Script::new()
            .turn(Turn::say("parse() has no limits worth a note.").after("NOTES.md lists the limits"))
            .turn(
                Turn::say("Notes.")
                    .call("Write", write(&env, "NOTES.md"))
                    .after("Remaining: 1 items"),
            )
            .turn(Turn::say("- [x] NOTES.md lists the limits")),
    );
    let _ = claude
        .resume(&env, &last, &session, "None that I know. Go on.")
        .completed();
    last.assert_followed();
    assert!(
        last.seen()[1].received("Next: NOTES.md lists the limits"),
        "{}",
        last.story()
    );
}

#[test]
fn other_peoples_hooks_are_kept_and_still_fire() {
    let Some(claude) = cli("other_peoples_hooks_are_kept_and_still_fire") else {
        return;
    };
    let env = environment().with_real_clock();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    let log = env.home().join("theirs.txt");
    let hook =
        |word: &str| json!({"type": "command", "command": format!("echo {word} >> '{}'", log.display())});
    let theirs = json!({
        "permissions": {"deny": ["Read(./secrets/**)"]},
        "hooks": {
            "PreToolUse": [{"matcher": "Write", "hooks": [hook("before")]}],
            "Stop": [{"hooks": [hook("end")]}],
        },
        "env": {"THEIRS": "1"},
    });
    let original = format!("{}\n", serde_json::to_string_pretty(&theirs).unwrap());
    env.write_file(".claude/settings.json", &original);
    install(&env, "enforcement: { todo: { mode: enforce } }\n");
    let run = |blocked: bool| {
        let mut script = Script::new()
            .turn(Turn::say("Writing.").call("Write", write(&env, "docs/usage.md")))
            .turn(Turn::say("docs/usage.md is written."));
        if blocked {
            script = script.turn(
                Turn::say("- [x] docs/usage.md explains parse()\n- [x] NOTES.md lists the limits")
                    .after("Remaining"),
            );
        }
        let model = ModelServer::start(script);
        let _ = claude.prompt(&env, &model, TWO_ITEMS).completed();
        model.assert_followed();
        std::fs::read_to_string(&log).unwrap()
    };
    assert_eq!(run(true), "before\nend\nend\n");
    std::fs::remove_file(&log).unwrap();
    let _ = env.run(&["uninstall", "--host", "claude"]).exits(0);
    assert_eq!(
        env.read_file(".claude/settings.json"),
        original,
        "uninstall leaves the file as it was"
    );
    assert_eq!(run(false), "before\nend\n");
}

#[test]
fn a_hook_that_crashes_or_is_gone_stops_tool_calls() {
    let Some(claude) = cli("a_hook_that_crashes_or_is_gone_stops_tool_calls") else {
        return;
    };
    for crash in [
        Some("#!/bin/sh\nkill -9 $$\n"),
        Some("#!/bin/sh\nexit 101\n"),
        None,
    ] {
        let (env, copy) = held_by_a_copy("");
        std::fs::remove_file(&copy).unwrap();
        if let Some(script) = crash {
            std::fs::write(&copy, script).unwrap();
            let _ = env
                .finish(env.command("chmod").args(["755", &copy.to_string_lossy()]), b"")
                .exits(0);
        }
        // Whether the prompt itself may pass is the host's business; no tool call may.
        let model = ModelServer::start(
            Script::new()
                .turn(Turn::say("Writing.").call("Write", write(&env, "docs/usage.md")))
                .turn(Turn::say("I could not write.")),
        );
        let answer = claude.prompt(&env, &model, "write docs/usage.md");
        assert!(
            !env.project().join("docs/usage.md").exists(),
            "{crash:?}: the tool ran\n{answer}"
        );
        if let Some(seen) = model.seen().get(1) {
            assert!(
                seen.received_as(Source::ToolError, ""),
                "{crash:?}\n{}",
                model.story()
            );
        }
    }
}

#[test]
fn unreadable_state_is_told_and_does_not_brick_the_agent() {
    let Some(claude) = cli("unreadable_state_is_told_and_does_not_brick_the_agent") else {
        return;
    };
    let mut env = held("");
    env.set_var(
        "PROCTOR_STATE",
        env.project().join("README.md/state").to_string_lossy(),
    );
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("Writing.").call("Write", write(&env, "docs/usage.md")))
            .turn(Turn::say("docs/usage.md holds one line.").after("File created successfully")),
    );
    let answer = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    assert!(env.project().join("docs/usage.md").exists());
    let told = |r: &Value| r.to_string().contains("Proctor: ") && r.to_string().contains("state");
    assert!(
        answer.records.iter().any(told),
        "the user is not told that nothing is kept:\n{answer}"
    );
}

#[test]
fn doctor_proves_with_a_canary_that_hooks_fire() {
    let Some(claude) = cli("doctor_proves_with_a_canary_that_hooks_fire") else {
        return;
    };
    let program = claude.program().to_string_lossy().into_owned();
    let doctor = |env: &TestEnvironment| env.run(&["doctor", "--claude", &program]);

    let env = held("");
    let well = doctor(&env);
    assert_eq!(well.code(), Some(0), "\n{well}");

    // Whoever may write settings can switch all hooks off with one line.
    env.write_file(".claude/settings.local.json", "{\"disableAllHooks\": true}\n");
    let off = doctor(&env);
    assert_ne!(off.code(), Some(0), "\n{off}");
    assert!(off.to_string().contains("disableAllHooks"), "\n{off}");
    std::fs::remove_file(env.project().join(".claude/settings.local.json")).unwrap();

    // One wrong value makes the host drop the whole file without a word.
    let settings = env.read_file(".claude/settings.json");
    let mut broken: Value = serde_json::from_str(&settings).unwrap();
    broken["model"] = json!(5);
    env.write_file(".claude/settings.json", broken.to_string());
    let dropped = doctor(&env);
    assert_ne!(dropped.code(), Some(0), "\n{dropped}");
    env.write_file(".claude/settings.json", &settings);

    let _ = env.run(&["uninstall", "--host", "claude"]).exits(0);
    let removed = doctor(&env);
    assert_ne!(removed.code(), Some(0), "\n{removed}");
}

#[test]
fn payloads_of_this_version_are_like_those_of_the_other_tests() {
    let Some(claude) = cli("payloads_of_this_version_are_like_those_of_the_other_tests") else {
        return;
    };
    let env = environment().with_real_clock();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    let log = env.home().join("payloads.jsonl");
    let hook = json!([{"hooks": [{"type": "command", "command": format!("cat >> '{}'; echo '{{}}'", log.display())}]}]);
    let known = crate::support::payloads(&env);
    let name = |p: &Value| p["hook_event_name"].as_str().unwrap().to_owned();
    let hooks: serde_json::Map<String, Value> = known.iter().map(|p| (name(p), hook.clone())).collect();
    env.write_file(".claude/settings.json", json!({"hooks": hooks}).to_string());
    env.commit_all("start");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("Writing.").call("Write", write(&env, "a.txt")))
            .turn(Turn::say("Failing.").call("Bash", json!({"command": "exit 3", "description": "fail"})))
            .turn(Turn::say("Asking.").call("Agent", delegate("SUBJOB look")))
            .turn(Turn::say("Done."))
            .route("worker", "SUBJOB", [Turn::say("Looked.")]),
    );
    let _ = claude.prompt(&env, &model, "work").completed();
    model.assert_followed();
    let log = std::fs::read_to_string(log).unwrap();
    for line in log.lines() {
        let real: Value = serde_json::from_str(line).unwrap();
        let more = known
            .iter()
            .find(|k| name(k) == name(&real) && k.get("tool_name") == real.get("tool_name"));
        let Some(ours) = more else { continue };
        let base = payload(&env, "x", json!({}));
        for field in ours
            .as_object()
            .unwrap()
            .keys()
            .filter(|k| base.get(k).is_none() || *k == "session_id")
        {
            assert!(
                real.get(field).is_some(),
                "{}: the host sends no {field}: {real}",
                name(&real)
            );
        }
    }
    for event in [
        "PostToolUseFailure",
        "SubagentStop",
        "MessageDisplay",
        "SessionEnd",
    ] {
        assert!(log.contains(event), "{event} did not fire");
    }
}

#[test]
fn the_plugin_folder_holds_the_host_without_any_settings() {
    let Some(claude) = cli("the_plugin_folder_holds_the_host_without_any_settings") else {
        return;
    };
    let env = environment().with_real_clock();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { delegation: { mode: enforce } }\n",
    );
    env.commit_all("start");
    let plugin = env.root().join("plugin").to_string_lossy().into_owned();
    let _ = env.run(&["plugin", &plugin]).exits(0);
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(Turn::say("Refused.").after("EXPECTED OUTCOME")),
    );
    let prompt = "ask somebody what parse() does";
    let _ = claude
        .prompt_with(&env, &model, prompt, &["--plugin-dir", &plugin])
        .completed();
    model.assert_followed();
    assert!(
        model.seen()[1].received_as(Source::ToolError, "EXPECTED OUTCOME"),
        "{}",
        model.story()
    );
}
