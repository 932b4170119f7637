//! The real Claude Code CLI, headless, held by Proctor's hooks as `proctor init` installs them. The fake
//! model records what it receives; that is what these tests assert. What Proctor printed is not enough.

use crate::support::{environment, payload};
use proctor_testkit::TestEnvironment;
use proctor_testkit::claude::{Claude, ready_or_skip};
use proctor_testkit::model::{ModelServer, Script, Source, Turn};
use serde_json::{Value, json};

/// An environment with Proctor installed into the project's settings as a user would, and this policy.
fn held(policy: &str) -> TestEnvironment {
    let env = environment().with_real_clock();
    env.write_file("README.md", "A throw-away project.\n");
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    install(&env, policy);
    env
}

fn install(env: &TestEnvironment, policy: &str) {
    env.write_file(".proctor/proctor.yaml", format!("version: 1\n{policy}"));
    let _ = env.run(&["init", "--host", "claude"]).exits(0);
    let _ = env.run(&["config", "validate"]).exits(0);
    env.commit_all("start");
}

/// Writes one line of a file of the project, as the model's `Write` call wants it.
fn write(env: &TestEnvironment, name: &str) -> Value {
    json!({"file_path": env.project().join(name), "content": "one line\n"})
}

/// A call of the tool that starts a subagent; the parent waits for its answer.
fn delegate(prompt: &str) -> Value {
    json!({"description": "sub job", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false})
}

/// A delegation with all six sections; `mark` tells the fake model which subagent is speaking.
fn six_sections(mark: &str) -> String {
    format!(
        "{mark}\n\nTASK: Read src/lib.rs and say what parse() does.\n\nEXPECTED OUTCOME:\n- [ ] what parse() returns\n\n\
         REQUIRED TOOLS: Read\n\nMUST DO:\n- name the line\n\nMUST NOT DO:\n- change any file\n\nCONTEXT: the file has one line.\n"
    )
}

/// The decisions that Proctor recorded for the project, newest last.
fn decisions(env: &TestEnvironment) -> Value {
    env.run(&["stats", "--recent", "50", "--json"]).exits(0).data()
}

fn cli(test: &str) -> Option<Claude> {
    ready_or_skip(&format!("conformance_claude::{test}"))
}

#[test]
fn ordinary_work_is_let_through_and_recorded() {
    let Some(claude) = cli("ordinary_work_is_let_through_and_recorded") else {
        return;
    };
    let env = held("");
    let model = ModelServer::start(
        Script::new()
            .turn(
                Turn::say("I write the file.")
                    .call("Write", write(&env, "hello.txt"))
                    .after("create hello.txt"),
            )
            .turn(
                Turn::say("Now I show it.")
                    .call(
                        "Bash",
                        json!({"command": "cat hello.txt", "description": "show it"}),
                    )
                    .after("File created successfully"),
            )
            .turn(Turn::say("hello.txt holds one line.").after("one line")),
    );
    let answer = claude
        .prompt(&env, &model, "create hello.txt and show it")
        .completed();
    model.assert_followed();
    assert_eq!(answer.text(), "hello.txt holds one line.");
    assert_eq!(env.read_file("hello.txt"), "one line\n");
    for seen in model.seen() {
        assert!(!seen.received_as(Source::ToolError, ""), "{}", model.story());
        assert!(
            !seen.received("[proctor]") && !seen.received("hook error"),
            "{}",
            model.story()
        );
    }
    let recorded = decisions(&env).to_string();
    for event in [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ] {
        assert!(recorded.contains(event), "no decision about {event}: {recorded}");
    }
}

#[test]
fn a_delegation_without_its_sections_is_denied() {
    let Some(claude) = cli("a_delegation_without_its_sections_is_denied") else {
        return;
    };
    let env = held("enforcement: { delegation: { mode: enforce } }\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(
                Turn::say("Again.")
                    .call("Agent", delegate(&six_sections("SUBJOB")))
                    .after("EXPECTED OUTCOME"),
            )
            .turn(Turn::say("parse() returns nothing.").after("returns (), line 1"))
            .route(
                "worker",
                "SUBJOB",
                [Turn::say("parse() in src/lib.rs returns (), line 1.")],
            ),
    );
    let answer = claude
        .prompt(&env, &model, "ask somebody what parse() does")
        .completed();
    model.assert_followed();
    let denial = &model.seen_by("main")[1];
    for section in ["MUST NOT DO", "CONTEXT"] {
        assert!(
            denial.received_as(Source::ToolError, section),
            "{}",
            model.story()
        );
    }
    let started = &model.seen_by("worker")[0];
    assert!(
        started.first_user.contains("name the line"),
        "the refused delegation started an agent"
    );
    assert_eq!(answer.text(), "parse() returns nothing.");
}

#[test]
fn a_soft_finding_reaches_the_model_as_context_only() {
    let Some(claude) = cli("a_soft_finding_reaches_the_model_as_context_only") else {
        return;
    };
    let env = held("enforcement: { delegation: { mode: warn } }\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(Turn::say("parse() returns nothing.").after("line 1"))
            .route(
                "worker",
                "SUBJOB",
                [Turn::say("parse() in src/lib.rs returns (), line 1.")],
            ),
    );
    let _ = claude
        .prompt(&env, &model, "ask somebody what parse() does")
        .completed();
    model.assert_followed();
    let after = &model.seen_by("main")[1];
    assert!(
        after.received_as(Source::System, "EXPECTED OUTCOME"),
        "{}",
        model.story()
    );
    assert!(!after.received_as(Source::ToolError, ""), "{}", model.story());
}

#[test]
fn observing_says_nothing_and_records_what_it_would_have_done() {
    let Some(claude) = cli("observing_says_nothing_and_records_what_it_would_have_done") else {
        return;
    };
    let env = held("preset: observe\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(Turn::say("Everything is fine.").after("Perfect!"))
            .route(
                "worker",
                "SUBJOB",
                [Turn::say("Perfect! Excellent work! APPROVE")],
            ),
    );
    let _ = claude
        .prompt(&env, &model, "EXPECTED OUTCOME:\n- [ ] docs/x.md is written\n")
        .completed();
    model.assert_followed();
    assert!(
        !model.story().contains("[proctor]") && !model.story().contains("[SYSTEM]"),
        "{}",
        model.story()
    );
    let recorded = decisions(&env).to_string();
    assert!(
        recorded.contains("response") && recorded.contains("review"),
        "{recorded}"
    );
}

/// The prompt of the tests about open items.
const TWO_ITEMS: &str = "Improve the project.\n\nEXPECTED OUTCOME:\n- [ ] docs/usage.md explains parse()\n- [ ] NOTES.md lists the limits\n";

#[test]
fn a_stop_with_an_open_item_is_blocked_and_then_released() {
    let Some(claude) = cli("a_stop_with_an_open_item_is_blocked_and_then_released") else {
        return;
    };
    let env = held("enforcement: { todo: { mode: enforce } }\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("First the usage.").call("Write", write(&env, "docs/usage.md")).after("NOTES.md lists the limits"))
            .turn(Turn::say("docs/usage.md is written and explains parse()."))
            .turn(Turn::say("Now the notes.").call("Write", write(&env, "NOTES.md")).after("NOTES.md lists the limits"))
            .turn(Turn::say(
                "- [x] docs/usage.md explains parse()\n- [x] NOTES.md lists the limits\n\nBoth files are written.",
            )),
    );
    let answer = claude.prompt(&env, &model, TWO_ITEMS).completed();
    model.assert_followed();
    let blocked = &model.seen()[2];
    assert!(
        blocked.received("[SYSTEM] Remaining: 1 item"),
        "{}",
        model.story()
    );
    assert!(
        !blocked.received("Next: docs/usage.md"),
        "the finished item is asked for again\n{}",
        model.story()
    );
    assert!(answer.text().ends_with("Both files are written."), "{answer}");
    assert_eq!(env.read_file("NOTES.md"), "one line\n");
}

#[test]
fn a_stop_that_makes_no_progress_is_let_go_unreviewed() {
    let Some(claude) = cli("a_stop_that_makes_no_progress_is_let_go_unreviewed") else {
        return;
    };
    let env = held("enforcement: { todo: { mode: enforce } }\n");
    let same = "I looked at src/lib.rs, line 1.";
    let script = (0..4).fold(Script::new(), |script, n| {
        let turn = Turn::say(same);
        script.turn(if n == 0 {
            turn
        } else {
            turn.after("Remaining: 2 items")
        })
    });
    let model = ModelServer::start(script);
    let answer = claude.prompt(&env, &model, TWO_ITEMS).completed();
    // Three blocks, then the host is let go; without an end the fake model's script would be too short.
    model.assert_followed();
    let told = answer
        .records
        .iter()
        .any(|r| r.to_string().contains("UNREVIEWED"));
    assert!(told, "the user is not told that nothing was approved:\n{answer}");
}

#[test]
fn flattery_between_agents_is_sent_back() {
    let Some(claude) = cli("flattery_between_agents_is_sent_back") else {
        return;
    };
    let env = held("");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate(&six_sections("SUBJOB"))))
            .turn(
                Turn::say("parse() returns nothing.")
                    .after("returns (), line 1")
                    .not_after("Excellent work"),
            )
            .route(
                "worker",
                "SUBJOB",
                [
                    Turn::say(
                        "Perfect! Excellent work! This is a great and truly wonderful codebase. Amazing job!",
                    ),
                    Turn::say("parse() in src/lib.rs returns (), line 1.").after("Excellent work"),
                ],
            ),
    );
    let _ = claude
        .prompt(&env, &model, "ask somebody what parse() does")
        .completed();
    model.assert_followed();
    assert_eq!(model.seen_by("worker").len(), 2, "{}", model.story());
}

/// A reviewer that approves without evidence as often as it is asked.
fn stubborn_reviewer(script: Script) -> Script {
    let approve = || Turn::say("APPROVE - looks good!");
    script.route(
        "reviewer",
        "SUBJOB",
        [approve(), approve().after("verif"), approve().after("verif")],
    )
}

#[test]
fn an_approval_without_evidence_reaches_the_parent_as_needs_review() {
    let Some(claude) = cli("an_approval_without_evidence_reaches_the_parent_as_needs_review") else {
        return;
    };
    let env = held("");
    let model = ModelServer::start(stubborn_reviewer(
        Script::new()
            .turn(Turn::say("I ask for a review.").call("Agent", delegate(&six_sections("SUBJOB"))))
            .turn(
                Turn::say("The review is open.")
                    .after("NEEDS_REVIEW")
                    .not_after("APPROVE - looks good!"),
            ),
    ));
    let _ = claude.prompt(&env, &model, "have it reviewed").completed();
    model.assert_followed();
    assert!(
        model.seen_by("main")[1].received_as(Source::ToolResult, "NEEDS_REVIEW"),
        "{}",
        model.story()
    );
}

#[test]
fn a_background_agents_downgraded_approval_reaches_the_parent_too() {
    let Some(claude) = cli("a_background_agents_downgraded_approval_reaches_the_parent_too") else {
        return;
    };
    let env = held("");
    let mut call = delegate(&six_sections("SUBJOB"));
    call["run_in_background"] = json!(true);
    let model = ModelServer::start(stubborn_reviewer(
        Script::new()
            .turn(Turn::say("I ask for a review.").call("Agent", call))
            .turn(Turn::say("The reviewer is at work."))
            // The notification of the agent's end is a prompt that nobody can change; the note beside it counts.
            .turn(Turn::say("The review is open.").after("NEEDS_REVIEW")),
    ));
    let _ = claude.prompt(&env, &model, "have it reviewed").completed();
    model.assert_followed();
}

#[test]
fn a_downgraded_text_of_a_delegated_session_reaches_its_reader() {
    let Some(claude) = cli("a_downgraded_text_of_a_delegated_session_reaches_its_reader") else {
        return;
    };
    let env = held("");
    let approve = || Turn::say("APPROVE - looks good!");
    let model = ModelServer::start(
        Script::new()
            .turn(approve())
            .turn(approve().after("verif"))
            .turn(approve().after("verif")),
    );
    let prompt = "DELEGATE::reviewer::Review src/lib.rs\n\nEXPECTED OUTCOME: a verdict\n";
    let answer = claude.prompt(&env, &model, prompt).completed();
    model.assert_followed();
    assert!(answer.text().contains("NEEDS_REVIEW"), "{answer}");
    assert!(!answer.text().contains("APPROVE - looks good!"), "{answer}");
}

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
            .turn(Turn::say("What limits does parse() have?").after("Remaining: 1 item")),
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
                    .after("Remaining: 1 item"),
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

/// Installs with a copy of the program that the test may then break.
fn held_by_a_copy(policy: &str) -> (TestEnvironment, std::path::PathBuf) {
    let env = environment().with_real_clock();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    env.write_file(".proctor/proctor.yaml", format!("version: 1\n{policy}"));
    let copy = env.root().join("bin/proctor");
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    std::fs::copy(env.program(), &copy).unwrap();
    let _ = env
        .run(&["init", "--host", "claude", "--program", &copy.to_string_lossy()])
        .exits(0);
    env.commit_all("start");
    (env, copy)
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
fn two_subagents_at_once_are_kept_apart() {
    let Some(claude) = cli("two_subagents_at_once_are_kept_apart") else {
        return;
    };
    let env = held("");
    let delegation = |mark: &str| delegate(&six_sections(mark));
    // Each of them is sent back for its own words.
    let worker = |n: usize| {
        [
            Turn::say("Perfect! Excellent work! Amazing job! What a wonderful codebase!"),
            Turn::say(format!("parse() in src/lib.rs returns (), line {n}.")).after("flattery"),
        ]
    };
    let model = ModelServer::start(
        Script::new()
            .turn(
                Turn::say("I ask two.")
                    .call("Agent", delegation("FIRSTJOB"))
                    .call("Agent", delegation("SECONDJOB")),
            )
            .turn(
                Turn::say("Both answered.")
                    .after("line 1")
                    .after("line 2")
                    .not_after("Excellent"),
            )
            .route("first", "FIRSTJOB", worker(1))
            .route("second", "SECONDJOB", worker(2)),
    );
    let _ = claude
        .prompt(&env, &model, "ask two people what parse() does")
        .completed();
    model.assert_followed();
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
