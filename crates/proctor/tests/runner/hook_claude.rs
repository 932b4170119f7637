//! `proctor hook claude` against every kind of bad input: it answers with exactly one JSON value,
//! ends in time, and never lets the host fail because of it.

use crate::support::{SESSION, environment, payload, payloads, prompt, stop};
use proctor_testkit::{Output, TestEnvironment};
use serde_json::{Value, json};
use std::time::Duration;

/// Longest time for one call with a huge payload, in a debug build on a busy machine.
const BOUND: Duration = Duration::from_secs(20);

/// The answer of a hook call that went well as a call: one JSON object on standard output, and the two
/// forms of a refusal (JSON; exit code 2 with the reason on standard error) together or not at all.
#[track_caller]
fn answered(output: &Output) -> Value {
    let answer = output.json();
    assert!(answer.is_object(), "the answer is not an object:\n{output}");
    let (code, stderr) = if is_refusal(&answer) {
        (2, true)
    } else {
        (0, false)
    };
    assert_eq!(output.code(), Some(code), "\n{output}");
    assert_eq!(!output.stderr().is_empty(), stderr, "\n{output}");
    assert!(!output.stderr().contains("panicked"), "\n{output}");
    answer
}

fn is_refusal(answer: &Value) -> bool {
    answer["decision"] == "block" || answer["hookSpecificOutput"]["permissionDecision"] == "deny"
}

#[test]
fn every_event_gets_one_answer() {
    let env = environment();
    for payload in payloads(&env) {
        let answer = answered(&env.hook("claude", &payload));
        assert!(
            !is_refusal(&answer),
            "{} of a harmless session: {answer}",
            payload["hook_event_name"]
        );
    }
}

#[test]
fn nothing_at_all_on_standard_input() {
    let env = environment();
    for nothing in ["", "\n", " \t\r\n  ", "\u{feff}"] {
        let answer = answered(&env.hook_bytes("claude", nothing.as_bytes()));
        assert!(!is_refusal(&answer), "{answer}");
    }
}

#[test]
fn truncated_payloads() {
    let env = environment();
    for payload in payloads(&env) {
        let bytes = payload.to_string().into_bytes();
        for cut in (1..bytes.len()).step_by(bytes.len() / 6) {
            answered(&env.hook_bytes("claude", &bytes[..cut]));
        }
    }
}

#[test]
fn payloads_that_are_not_utf_8() {
    let env = environment();
    let good = stop(&env, "MARK").to_string();
    let (before, after) = good.split_once("MARK").unwrap();
    for bad in [
        &b"\xff\xfe"[..],
        b"\xed\xa0\x80",
        b"\xc3",
        b"\0",
        b"\\ud800",
        b"\\udc00\\ud800",
        b"\x1b[2J",
    ] {
        let bytes = [before.as_bytes(), bad, after.as_bytes()].concat();
        answered(&env.hook_bytes("claude", &bytes));
    }
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    answered(&env.hook_bytes("claude", &utf16));
    answered(&env.hook_bytes("claude", &[0xff; 1000]));
}

#[test]
fn json_that_is_no_payload() {
    let env = environment();
    let deep = "[".repeat(200_000);
    for text in [
        "[]",
        "{}",
        "null",
        "5",
        "\"text\"",
        "{\"a\":",
        "{} {}",
        "{}\n{}\n",
        "nul",
        "{\"a\":1e999}",
        &deep,
    ] {
        let answer = answered(&env.hook_bytes("claude", text.as_bytes()));
        assert!(!is_refusal(&answer), "{text:.20}: {answer}");
    }
}

#[test]
fn events_that_proctor_does_not_know() {
    let env = environment();
    for event in ["TeammateIdle", "BrandNewEvent", "", "stop", "PreToolUse ", "한글"] {
        let answer = answered(&env.hook(
            "claude",
            &payload(&env, event, json!({"some": {"new": ["thing"]}})),
        ));
        assert_eq!(answer, json!({}), "{event:?}");
    }
}

#[test]
fn fields_that_are_missing() {
    let env = environment();
    for payload in payloads(&env) {
        for name in payload.as_object().unwrap().keys() {
            let mut less = payload.clone();
            less.as_object_mut().unwrap().remove(name);
            answered(&env.hook("claude", &less));
        }
    }
}

#[test]
fn fields_of_the_wrong_type() {
    let env = environment();
    let wrong = [
        json!(null),
        json!(-1),
        json!(true),
        json!([["x"]]),
        json!({"x": {}}),
        json!("x"),
    ];
    for payload in payloads(&env) {
        for (i, name) in payload.as_object().unwrap().keys().enumerate() {
            // Each field gets two of the wrong values; over all payloads every field gets all.
            for k in [i, i + 3] {
                let mut changed = payload.clone();
                changed[name] = wrong[k % wrong.len()].clone();
                answered(&env.hook("claude", &changed));
            }
        }
    }
}

#[test]
fn inner_fields_of_the_wrong_type() {
    let env = environment();
    for payload in payloads(&env) {
        for outer in ["tool_input", "tool_response"] {
            let Some(fields) = payload.get(outer).and_then(Value::as_object) else {
                continue;
            };
            for name in fields.keys() {
                for wrong in [json!(null), json!(7), json!([1]), json!({"a": []})] {
                    let mut changed = payload.clone();
                    changed[outer][name] = wrong;
                    answered(&env.hook("claude", &changed));
                }
            }
        }
    }
}

#[test]
fn fields_of_ten_megabytes() {
    let env = environment();
    env.commit_all("start");
    let line = "Perfect! 완벽합니다! Great work, everything is done (see src/lib.rs). ";
    let text = line.repeat(10_000_000 / line.len() + 1);
    let write = json!({"file_path": env.project().join("big.txt"), "content": text});
    for payload in [
        prompt(&env, &text),
        payload(
            &env,
            "PreToolUse",
            json!({"tool_name": "Write", "tool_input": write, "tool_use_id": "t"}),
        ),
        payload(
            &env,
            "PostToolUse",
            json!({"tool_name": "Bash", "tool_use_id": "t",
            "tool_input": {"command": "cat big.txt"}, "tool_response": {"stdout": text, "stderr": ""}}),
        ),
        payload(
            &env,
            "SubagentStop",
            json!({"agent_id": "a0", "agent_type": "general-purpose",
            "stop_hook_active": false, "last_assistant_message": text, "background_tasks": []}),
        ),
        stop(&env, &text),
        payload(
            &env,
            "MessageDisplay",
            json!({"turn_id": "t", "message_id": "m", "index": 0,
            "final": true, "delta": text}),
        ),
        payload(&env, &text, json!({})),
        payload(&env, "Stop", json!({"session_id": text})),
    ] {
        let output = env.hook("claude", &payload);
        answered(&output);
        let event = payload["hook_event_name"].as_str().unwrap();
        assert!(output.wall() < BOUND, "{event:.30} took {:?}", output.wall());
    }
}

#[test]
fn names_that_would_lead_out_of_the_state_folder() {
    let env = environment();
    env.commit_all("start");
    let outside = env.root().join("outside");
    for session in [
        "../../../../outside/x",
        "/etc/passwd",
        "..",
        ".",
        "a/b",
        "a\0b",
        "",
        "C:\\x",
        &"x".repeat(5_000),
    ] {
        for event in ["UserPromptSubmit", "Stop"] {
            let more = json!({"session_id": session, "prompt": "do it", "agent_id": session,
                "last_assistant_message": "x", "background_tasks": []});
            answered(&env.hook("claude", &payload(&env, event, more)));
        }
    }
    assert!(!outside.exists());
    assert_eq!(
        env.git(&["status", "--porcelain"]),
        "",
        "the project was written to"
    );
}

#[test]
fn a_host_that_is_not_known_is_told_and_never_blocked() {
    let env = environment();
    for host in ["nosuch", "", "Claude"] {
        let output = env.run_with(&env.project(), &["hook", host], b"{}");
        assert_eq!(output.json(), json!({}));
        // Not 2: hosts take that for a refusal, and a typing error would stop the agent.
        assert_eq!(output.code(), Some(1), "\n{output}");
        assert!(output.stderr().contains("unknown host"), "\n{output}");
    }
}

/// The settings of another version may give words that this one does not know.
#[test]
fn wrong_words_behind_hook_are_told_and_never_a_refusal() {
    let env = environment();
    for words in [
        &["hook"][..],
        &["hook", "claude", "more"],
        &["hook", "claude", "--fast"],
        &["hook", "--fast", "claude"],
        &["hook", "-x"],
    ] {
        let output = env.run_with(&env.project(), words, prompt(&env, "x").to_string().as_bytes());
        assert_eq!(output.json(), json!({}), "{words:?}\n{output}");
        assert_eq!(output.code(), Some(1), "{words:?}\n{output}");
        assert!(output.stderr().starts_with("error: "), "{words:?}\n{output}");
    }
    let help = env.run_with(&env.project(), &["hook", "--help"], b"");
    assert!(help.code() == Some(0) && help.stdout().contains("hook"), "{help}");
}

/// Under preset `strict` what starts a subagent is refused when it cannot be read; other tools are not held.
#[test]
fn a_delegation_that_cannot_be_read_is_refused_where_the_policy_is_strict() {
    let cut = |tool: &str| {
        format!(r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_in"#)
    };
    for (preset, closed) in [("observe", false), ("standard", false), ("strict", true)] {
        let env = environment();
        env.write_file(".proctor/proctor.yaml", format!("version: 1\npreset: {preset}\n"));
        for (payload, may_delegate) in [
            (cut("Agent"), true),
            (cut("Task"), true),
            (cut("Bash"), false),
            (cut("mcp__files__read-all"), false),
            (r#"{"hook_event_name":"PreToolUse","tool_na"#.to_owned(), true),
        ] {
            let answer = answered(&env.hook_bytes("claude", payload.as_bytes()));
            assert_eq!(
                is_refusal(&answer),
                closed && may_delegate,
                "{preset} {payload}: {answer}"
            );
            assert!(
                answer.to_string().contains("cut off"),
                "{preset} {payload}: {answer}"
            );
        }
    }
}

/// Many processes on one session: nobody fails, and no decision record is lost or torn.
#[test]
fn many_hooks_at_once() {
    for (processes, events) in [(2, 12), (16, 3)] {
        let env = environment().with_real_clock();
        env.write_file("src/lib.rs", "pub fn x() {}\n");
        env.commit_all("start");
        answered(&env.hook("claude", &prompt(&env, "Say what src/lib.rs does.")));
        std::thread::scope(|scope| {
            for writer in 0..processes {
                let env = &env;
                scope.spawn(move || {
                    for n in 0..events {
                        let text = format!("Line {n} of {writer} defines x.");
                        answered(&env.hook("claude", &stop(env, &text)));
                    }
                });
            }
        });
        let records = records(&env);
        let count = |kind: &str| records.iter().filter(|r| r.contains(kind)).count();
        assert_eq!(
            count("\"Stop\""),
            processes * events,
            "decision records of {processes} processes"
        );
    }
}

/// All lines of all logs below the state folder, each proved to be JSON.
fn records(env: &TestEnvironment) -> Vec<String> {
    let mut lines = Vec::new();
    let mut folders = vec![env.state_home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "jsonl") {
                lines.extend(std::fs::read_to_string(path).unwrap().lines().map(str::to_owned));
            }
        }
    }
    for line in &lines {
        serde_json::from_str::<Value>(line).unwrap_or_else(|e| panic!("a torn record ({e}): {line}"));
    }
    lines
}

#[test]
fn a_session_is_recorded_under_its_own_id_only() {
    let env = environment();
    env.commit_all("start");
    answered(&env.hook("claude", &prompt(&env, "Explain x.")));
    answered(&env.hook("claude", &stop(&env, "x is a function.")));
    let records = records(&env);
    assert!(records.iter().any(|r| r.contains(SESSION)), "{records:?}");
}

/// Two refusals, then the session ends and comes back: the third text is not refused again, but
/// passes as what it is. Every call is a process of its own.
#[test]
fn the_count_of_retries_survives_compaction_and_resume() {
    let env = environment();
    env.commit_all("start");
    let approve = stop(&env, "APPROVE - looks good!");
    answered(&env.hook(
        "claude",
        &prompt(
            &env,
            "DELEGATE::reviewer::Review it.\n\nEXPECTED OUTCOME: a verdict\n",
        ),
    ));
    assert!(is_refusal(&answered(&env.hook("claude", &approve))));
    answered(&env.hook(
        "claude",
        &payload(
            &env,
            "PreCompact",
            json!({"trigger": "auto", "custom_instructions": null}),
        ),
    ));
    answered(&env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "compact"})),
    ));
    assert!(is_refusal(&answered(&env.hook("claude", &approve))));
    answered(&env.hook("claude", &payload(&env, "SessionEnd", json!({"reason": "other"}))));
    answered(&env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "resume"})),
    ));
    let last = answered(&env.hook("claude", &approve));
    assert!(!is_refusal(&last), "{last}");
    assert!(
        last["systemMessage"]
            .as_str()
            .is_some_and(|m| m.contains("NEEDS_REVIEW")),
        "{last}"
    );
}

#[test]
fn a_turn_of_one_megabyte() {
    let env = environment();
    env.commit_all("start");
    let line = "src/lib.rs 3행을 읽었습니다. The test `parse` covers it.\n";
    let text = line.repeat(1_000_000 / line.len() + 1);
    let task = prompt(
        &env,
        "DELEGATE::worker::Read it.\n\nEXPECTED OUTCOME:\n- [ ] src/lib.rs is read\n",
    );
    answered(&env.hook("claude", &task));
    let output = env.hook("claude", &stop(&env, &text));
    answered(&output);
    assert!(output.wall() < BOUND, "took {:?}", output.wall());
}

/// The events of the project that could not be judged.
fn unjudged(env: &TestEnvironment) -> Vec<Value> {
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    stats["unjudged"].as_array().unwrap().clone()
}

#[test]
fn what_cannot_be_judged_leaves_a_record_without_its_words() {
    let env = environment().with_real_clock();
    assert_eq!(unjudged(&env), [] as [Value; 0]);
    let secret = r#"{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"SECRET"#;
    answered(&env.hook_bytes("claude", secret.as_bytes()));
    answered(&env.hook_bytes("claude", b""));
    let found = unjudged(&env);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0]["event"], "Stop");
    assert_eq!(found[0]["bytes"], secret.len());
    assert_eq!(found[0]["refused"], true);
    assert_eq!(found[1]["event"], Value::Null);
    for record in &found {
        assert!(!record["why"].as_str().unwrap().is_empty(), "{record}");
        assert!(!record.to_string().contains("SECRET"), "{record}");
    }
    let told = env.run(&["stats"]).exits(0);
    assert!(
        told.stdout()
            .contains("2 event(s) could not be judged at all; the last, an unknown event: "),
        "{told}"
    );
    // Whoever asks for it is told of it, and of the last event of all.
    let id = found[1]["id"].as_str().unwrap();
    for asked in [id, id.split_at(id.len() - 8).1, "last"] {
        let told = env.run(&["explain", asked]).exits(0).stdout();
        assert!(
            told.starts_with(id) && told.contains("an unknown event could not be judged: it was let go"),
            "{told}"
        );
        assert!(told.contains("\n  payload   0 bytes, "), "{told}");
    }
    let first = env
        .run(&["explain", found[0]["id"].as_str().unwrap(), "--json"])
        .exits(0)
        .data();
    assert_eq!(first["unjudged"]["event"], "Stop", "{first}");
    let doctor = env.run(&["doctor", "--no-canary"]).stdout();
    assert!(
        doctor.contains("events     2 could not be judged in the last 7 days; the last at "),
        "{doctor}"
    );
    answered(&env.hook("claude", &prompt(&env, "Go on.")));
    let last = env.run(&["explain", "last"]).exits(0).stdout();
    assert!(!last.contains("could not be judged"), "{last}");
    // It is no session, and the folder is as it should be.
    let _ = env.run(&["fsck"]).exits(0);
}

/// An event that takes longer than the host waits has one record as well, whoever comes first.
#[test]
fn an_event_that_takes_too_long_leaves_one_record() {
    for (at, decisions, noted) in [("slow:about to record", 0, 1), ("slow:recording", 1, 0)] {
        let env = environment();
        let ends = payload(&env, "SessionEnd", json!({"reason": "other"}));
        let mut command = env.command(env.program());
        command.args(["hook", "claude"]).env("PROCTOR_TEST_PANIC", at);
        let output = env.finish(&mut command, ends.to_string().as_bytes());
        assert!(output.wall() < std::time::Duration::from_secs(9), "{output}");
        let late = answered(&output)["systemMessage"]
            .to_string()
            .contains("longer than 6 s");
        assert_eq!(late, noted == 1, "{at}: {output}");
        let stats = env.run(&["stats", "--json"]).exits(0).data();
        let found = (
            &stats["stats"]["events"],
            stats["unjudged"].as_array().unwrap().len(),
        );
        assert_eq!(found, (&json!(decisions), noted), "{at}: {stats}");
    }
}

/// What a hook answers that panics where `PROCTOR_TEST_PANIC` says, which only debug builds read.
fn falls_over(env: &TestEnvironment, at: &str, payload: &Value) -> Output {
    let mut command = env.command(env.program());
    command.args(["hook", "claude"]).env("PROCTOR_TEST_PANIC", at);
    env.finish(&mut command, payload.to_string().as_bytes())
}

#[test]
fn a_panic_of_the_process_is_one_answer_and_one_record() {
    let env = environment();
    answered(&env.hook("claude", &prompt(&env, "Fix it.")));
    let mut held = stop(&env, "Done.");
    held["stop_hook_active"] = json!(true);
    for (number, (payload, refused)) in [
        (prompt(&env, "Go on."), false),
        (stop(&env, "Done."), true),
        (held, false),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = answered(&falls_over(&env, "judging", &payload));
        assert_eq!(is_refusal(&answer), refused, "{answer}");
        let told = answer["systemMessage"].as_str().unwrap();
        assert!(
            told.contains("internal error: asked to fall over while judging"),
            "{told}"
        );
        let found = unjudged(&env);
        assert_eq!(found.len(), number + 1, "{found:?}");
        assert_eq!(found[number]["event"], payload["hook_event_name"]);
        assert_eq!(found[number]["refused"], refused);
    }
    // What was before is still there, and the next event is judged as ever.
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    assert_eq!(stats["stats"]["events"], 1);
    let answer = answered(&env.hook("claude", &prompt(&env, "Go on.")));
    assert_eq!(answer, json!({}));
    // Where even noting it panics, the answer is the same.
    let answer = answered(&falls_over(&env, "judging,noting", &stop(&env, "Done.")));
    assert!(is_refusal(&answer), "{answer}");
    assert_eq!(unjudged(&env).len(), 3);
}
