use super::{data, payload};
use crate::Damage;
use crate::claude::{parse, recover_event_name, tool_kind};
use proctor_kernel::{EventKind, EventTag, ExitSource, PromptOrigin, StartSource, ToolKind, ToolOutcome};
use proptest::prelude::*;

fn kind(name: &str) -> EventKind {
    parse(&payload(name)).unwrap().kind
}

fn from(json: &serde_json::Value) -> proctor_kernel::Event {
    parse(json.to_string().as_bytes()).unwrap()
}

#[test]
fn every_recorded_payload_is_read_and_every_known_event_is_known() {
    let mut seen = 0;
    for entry in std::fs::read_dir(data().join("hooks")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let event = parse(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(event.host, "claude");
        assert_eq!(event.native, name.split('.').next().unwrap(), "{name}");
        assert_ne!(event.session, "unknown", "{name}");
        assert!(event.cwd.starts_with("/home/user/"), "{name}");
        let tag = match event.native.as_str() {
            "SessionStart" => EventTag::SessionStart,
            "UserPromptSubmit" => EventTag::Prompt,
            "PreToolUse" => EventTag::ToolCall,
            "PostToolUse" | "PostToolUseFailure" => EventTag::ToolResult,
            "SubagentStart" => EventTag::SubagentStart,
            "Stop" | "SubagentStop" => EventTag::TurnEnd,
            "MessageDisplay" => EventTag::Display,
            "PreCompact" | "PostCompact" => EventTag::Compaction,
            "SessionEnd" => EventTag::SessionEnd,
            _ => EventTag::Other,
        };
        assert_eq!(event.kind.tag(), tag, "{name}");
        seen += 1;
    }
    assert!(seen >= 50, "only {seen} recorded payloads");
}

#[test]
fn prompts_keep_the_exact_words_and_machine_prompts_are_told_apart() {
    let EventKind::Prompt { text, origin } = kind("UserPromptSubmit") else {
        panic!()
    };
    assert_eq!((text.as_str(), origin), ("make a.txt", PromptOrigin::User));
    let EventKind::Prompt { text, origin } = kind("UserPromptSubmit.task-notification") else {
        panic!()
    };
    assert!(text.contains("<result>sub answer</result>"));
    assert_eq!(origin, PromptOrigin::Machine);
    for (text, origin) in [
        (
            "<task-notification>x</task-notification> and now delete it",
            PromptOrigin::User,
        ),
        (
            "look: <task-notification>x</task-notification>",
            PromptOrigin::User,
        ),
        ("<task-notification>x", PromptOrigin::User),
        ("<task-notifications>x</task-notifications>", PromptOrigin::User),
        ("\n<system-reminder>x</system-reminder>\n", PromptOrigin::Machine),
        (
            "<teammate-message teammate_id=\"lead\">do it</teammate-message>",
            PromptOrigin::Agent,
        ),
        ("<div>x</div>", PromptOrigin::User),
        ("", PromptOrigin::User),
    ] {
        let event = from(&serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": text}));
        assert_eq!(
            event.kind,
            EventKind::Prompt {
                text: text.to_owned(),
                origin
            },
            "{text}"
        );
    }
}

#[test]
fn tool_calls_and_results() {
    let EventKind::ToolCall { call } = kind("PreToolUse.Agent") else {
        panic!()
    };
    assert_eq!(call.kind, ToolKind::Delegate);
    assert_eq!(call.delegation.unwrap().prompt, "SUBPROMPT do it");
    let EventKind::ToolCall { call } = kind("PreToolUse.mcp") else {
        panic!()
    };
    assert_eq!((call.name.as_str(), call.kind), ("mcp__t__ask", ToolKind::Other));

    let EventKind::ToolResult { call, outcome } = kind("PostToolUse.Write") else {
        panic!()
    };
    assert_eq!(call.paths, ["/home/user/project/a.txt"]);
    assert_eq!(outcome.created, ["/home/user/project/a.txt"]);
    let EventKind::ToolResult { outcome, .. } = kind("PostToolUse.Edit") else {
        panic!()
    };
    assert_eq!((outcome.ok, outcome.created.len()), (Some(true), 0));

    let EventKind::ToolResult { call, outcome } = kind("PostToolUse.Bash") else {
        panic!()
    };
    assert_eq!(call.command.as_deref(), Some("git status --short"));
    assert_eq!(outcome.exit, Some(0));
    let EventKind::ToolResult { outcome, .. } = kind("PostToolUseFailure.Bash") else {
        panic!()
    };
    assert_eq!((outcome.ok, outcome.exit), (Some(false), Some(2)));
}

#[test]
fn an_exit_code_is_known_only_where_the_host_tells_it() {
    let exit = |response: serde_json::Value| {
        let event = from(
            &serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": {"command": "x"}, "tool_response": response}),
        );
        let EventKind::ToolResult { outcome, .. } = event.kind else {
            panic!()
        };
        outcome.exit
    };
    let json = |text: &str| serde_json::from_str(text).unwrap();
    assert_eq!(
        exit(json(r#"{"stdout":"a","stderr":"","interrupted":false}"#)),
        Some(0)
    );
    // `grep` without a match and `diff` with differences end with 1 and are no failure for the host.
    assert_eq!(
        exit(json(
            r#"{"stdout":"","interrupted":false,"returnCodeInterpretation":"No matches found"}"#
        )),
        None
    );
    assert_eq!(
        exit(json(
            r#"{"stdout":"","interrupted":false,"backgroundTaskId":"b1"}"#
        )),
        None
    );
    assert_eq!(exit(json(r#"{"stdout":"","interrupted":true}"#)), None);
    assert_eq!(exit(json("null")), None);
    let ok = |response: &str| {
        let event = from(
            &serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": {"command": "x"}, "tool_response": json(response)}),
        );
        let EventKind::ToolResult { outcome, .. } = event.kind else {
            panic!()
        };
        outcome.ok
    };
    assert_eq!(
        ok(r#"{"stdout":"","returnCodeInterpretation":"No matches found"}"#),
        Some(true)
    );
    assert_eq!(ok(r#"{"stdout":"","backgroundTaskId":"b1"}"#), None);
    assert_eq!(ok(r#"{"stdout":"","interrupted":true}"#), None);

    let failed = |error: serde_json::Value| {
        let event = from(
            &serde_json::json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": "x"}, "error": error}),
        );
        let EventKind::ToolResult { outcome, .. } = event.kind else {
            panic!()
        };
        outcome
    };
    assert_eq!(failed("Exit code 143\nCommand timed out".into()).exit, Some(143));
    assert_eq!(failed("Exit code -1".into()).exit, Some(-1));
    for odd in ["Exit code ", "Exit code 99999999999999", "exit code 1", ""] {
        let outcome = failed(odd.into());
        assert_eq!((outcome.ok, outcome.exit), (Some(false), None), "{odd:?}");
    }
    assert_eq!(failed(7.into()).exit, None);
}

#[test]
fn the_answer_of_a_subagent_without_the_hosts_own_notes() {
    let outcome = |response: serde_json::Value| -> ToolOutcome {
        let event = from(
            &serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": "Agent",
            "tool_input": {"prompt": "p", "subagent_type": "reviewer"}, "tool_response": response}),
        );
        let EventKind::ToolResult { outcome, .. } = event.kind else {
            panic!()
        };
        outcome
    };
    let done = outcome(
        serde_json::json!({"status": "completed", "agentId": "a1", "harnessNoteCount": 1, "harnessTailCount": 0,
        "content": [{"type": "text", "text": "<tools-used-before-summary>Bash</tools-used-before-summary>\n"}, {"type": "text", "text": "final"}]}),
    );
    assert_eq!(
        (done.answer.as_deref(), done.agent.as_deref()),
        (Some("final"), Some("a1"))
    );
    let started = outcome(
        serde_json::json!({"isAsync": true, "status": "async_launched", "agentId": "a1", "prompt": "p"}),
    );
    assert_eq!((started.answer, started.agent.as_deref()), (None, Some("a1")));
    let hostile = outcome(
        serde_json::json!({"status": "completed", "harnessNoteCount": 99, "harnessTailCount": 18446744073709551615u64,
        "content": [{"type": "text", "text": "x"}, 5, null]}),
    );
    assert_eq!(hostile.answer, None);
}

#[test]
fn a_subagent_that_ends_is_not_its_own_background_work() {
    let EventKind::TurnEnd {
        background,
        again,
        text,
    } = kind("SubagentStop")
    else {
        panic!()
    };
    assert_eq!((background, again, text.as_str()), (0, false, "sub answer"));
    let EventKind::TurnEnd { background, .. } = kind("Stop.background-tasks") else {
        panic!()
    };
    assert_eq!(background, 1);
    let EventKind::TurnEnd { again, .. } = kind("Stop.active") else {
        panic!()
    };
    assert!(again);
    let done = from(
        &serde_json::json!({"hook_event_name": "Stop", "background_tasks": [{"id": "b", "status": "completed"}, 3]}),
    );
    assert!(matches!(done.kind, EventKind::TurnEnd { background: 0, .. }));
    // The host's own summarizer.
    let summary = from(
        &serde_json::json!({"hook_event_name": "SubagentStop", "agent_id": "a1", "agent_type": "", "last_assistant_message": "<summary>"}),
    );
    assert_eq!(summary.kind, EventKind::Other);
}

#[test]
fn subagents_and_sources() {
    let inside = parse(&payload("PreToolUse.Write-in-subagent")).unwrap();
    assert_eq!(inside.agent.unwrap().kind, "general-purpose");
    // `--agent X` gives the main conversation a kind, but no id: still the main conversation.
    let main = from(&serde_json::json!({"hook_event_name": "Stop", "agent_type": "reviewer"}));
    assert_eq!(main.agent, None);
    for (word, source) in [
        ("resume", StartSource::Resume),
        ("compact", StartSource::Compact),
        ("new", StartSource::Unknown),
    ] {
        let event = from(&serde_json::json!({"hook_event_name": "SessionStart", "source": word}));
        assert_eq!(event.kind, EventKind::SessionStart { source });
    }
    assert_eq!(tool_kind("NotebookEdit"), ToolKind::Edit);
    assert_eq!(tool_kind("Task"), ToolKind::Delegate);
}

#[test]
fn broken_payloads_are_told_apart_and_the_event_is_recovered() {
    let damage = |bytes: &[u8]| parse(bytes).unwrap_err();
    assert_eq!(damage(b"").damage, Damage::Empty);
    assert_eq!(damage(b" \n").damage, Damage::Empty);
    assert_eq!(damage(b"\xEF\xBB\xBF").damage, Damage::Empty);
    assert_eq!(damage(b"[1,2]").damage, Damage::NotObject);
    assert_eq!(damage(b"null").damage, Damage::NotObject);
    assert_eq!(damage(b"\"Stop\"").damage, Damage::NotObject);
    assert_eq!(damage(b"hello").damage, Damage::NotJson);
    assert_eq!(damage(b"{} {}").damage, Damage::NotJson);
    let whole = br#"{"session_id":"s","hook_event_name" : "Stop","last_assistant_message":"x"}"#;
    let cut = damage(&whole[..60]);
    assert_eq!(
        (cut.damage, cut.native_event.as_deref()),
        (Damage::Truncated, Some("Stop"))
    );
    let mut latin = whole.to_vec();
    latin.insert(70, 0xE9);
    let latin = damage(&latin);
    assert_eq!(
        (latin.damage, latin.native_event.as_deref()),
        (Damage::NotUtf8, Some("Stop"))
    );
    assert!(latin.why.contains("byte 70"), "{}", latin.why);
    assert_eq!(recover_event_name(whole).as_deref(), Some("Stop"));
    assert_eq!(recover_event_name(&whole[..60]).as_deref(), Some("Stop"));
    assert_eq!(recover_event_name(b"{}"), None);
    // A name that is cut off is no name; a name inside the agent's own text is not taken.
    assert_eq!(damage(br#"{"hook_event_name":"Subagent"#).native_event, None);
    assert_eq!(
        damage(br#"{"tool_input":{"content":"{\"hook_event_name\":\"Stop\"}"}"#).native_event,
        None
    );
    assert_eq!(
        damage(br#"{"hook_event_name":"PreToolUse","x":"hook_event_name\":\"Stop"#)
            .native_event
            .as_deref(),
        Some("PreToolUse")
    );
}

#[test]
fn missing_fields_wrong_types_and_repeated_fields() {
    let event = parse(b"{}").unwrap();
    assert_eq!(
        (event.session.as_str(), event.native.as_str(), &event.kind),
        ("unknown", "unknown", &EventKind::Other)
    );
    let event = parse(br#"{"hook_event_name":"Stop","session_id":5,"cwd":[],"agent_id":{},"prompt_id":false,"stop_hook_active":"yes","last_assistant_message":null,"background_tasks":"many"}"#).unwrap();
    assert_eq!(event.session, "unknown");
    assert_eq!(event.agent, None);
    assert_eq!(
        event.kind,
        EventKind::TurnEnd {
            text: String::new(),
            again: false,
            background: 0
        }
    );
    let event = parse(br#"{"hook_event_name":"PreToolUse","tool_name":3,"tool_input":"rm -rf /"}"#).unwrap();
    assert!(matches!(event.kind, EventKind::ToolCall { call } if call.kind == ToolKind::Other));
    // The last one counts, as in the host's own language.
    assert_eq!(
        parse(br#"{"hook_event_name":"Stop","hook_event_name":"SessionEnd"}"#)
            .unwrap()
            .native,
        "SessionEnd"
    );
    assert_eq!(
        parse(br#"{"hook_event_name":"SomethingNew","x":1}"#)
            .unwrap()
            .kind,
        EventKind::Other
    );
}

#[test]
fn half_a_surrogate_pair_does_not_hide_a_text() {
    let event = parse(br#"{"hook_event_name":"Stop","last_assistant_message":"APPROVE \ud83d and \ud83d\ude00 \\ud83d \udc00\n"}"#).unwrap();
    let EventKind::TurnEnd { text, .. } = event.kind else {
        panic!()
    };
    assert_eq!(text, "APPROVE \u{FFFD} and \u{1F600} \\ud83d \u{FFFD}\n");
}

#[test]
fn ten_megabytes_in_one_field_and_deep_nesting() {
    let big = "x".repeat(10 << 20);
    let event = from(&serde_json::json!({"hook_event_name": "Stop", "last_assistant_message": big}));
    assert!(matches!(event.kind, EventKind::TurnEnd { text, .. } if text.len() == 10 << 20));
    let deep = format!(
        r#"{{"hook_event_name":"PreToolUse","tool_name":"X","tool_input":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    assert_eq!(parse(deep.as_bytes()).unwrap().native, "PreToolUse");
    let cut = format!(r#"{{"hook_event_name":"Stop","last_assistant_message":"{big}"#);
    assert_eq!(
        parse(cut.as_bytes()).unwrap_err().native_event.as_deref(),
        Some("Stop")
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn every_cut_of_a_payload_is_reported_as_cut(at in 1usize..400) {
        let whole = payload("PreToolUse.Write");
        let at = at.min(whole.len() - 4);
        prop_assert_eq!(parse(&whole[..at]).unwrap_err().damage, Damage::Truncated);
    }

    #[test]
    fn texts_arrive_as_they_are(text in any::<String>()) {
        let event = from(&serde_json::json!({"hook_event_name": "Stop", "last_assistant_message": text}));
        prop_assert_eq!(event.kind, EventKind::TurnEnd { text, again: false, background: 0 });
    }
}

#[test]
fn what_a_command_wrote_and_how_its_end_is_known() {
    let of = |name: &str, body: serde_json::Value| -> (ToolOutcome, proctor_kernel::Digest) {
        let mut payload = serde_json::json!({"hook_event_name": name, "tool_name": "Bash", "duration_ms": 66,
            "tool_input": {"command": "cargo test", "description": "Run tests"}});
        for (key, value) in body.as_object().unwrap() {
            payload[key] = value.clone();
        }
        let EventKind::ToolResult { outcome, call } = from(&payload).kind else {
            panic!()
        };
        (outcome, call.input)
    };
    let (good, input) = of(
        "PostToolUse",
        serde_json::json!({"tool_response": {"stdout": "12 passed", "stderr": "warning", "interrupted": false}}),
    );
    assert_eq!(
        (good.exit, good.exit_source, good.output.as_deref(), good.millis),
        (
            Some(0),
            ExitSource::HostEvent,
            Some("12 passed\nwarning"),
            Some(66)
        )
    );
    let (bad, _) = of(
        "PostToolUseFailure",
        serde_json::json!({"error": "Exit code 101\ntest result: FAILED"}),
    );
    assert_eq!(
        (bad.exit, bad.exit_source, bad.output.as_deref()),
        (Some(101), ExitSource::HostText, Some("test result: FAILED"))
    );
    let (running, _) = of(
        "PostToolUse",
        serde_json::json!({"tool_response": {"stdout": "", "stderr": "", "backgroundTaskId": "b1"}}),
    );
    assert_eq!(
        (running.exit, running.exit_source, running.background),
        (None, ExitSource::Unknown, true)
    );
    // The words about a call are no part of it, and neither is the order of its fields.
    let (_, other) = of(
        "PostToolUse",
        serde_json::json!({"tool_input": {"description": "Again", "command": "cargo test"}}),
    );
    assert_eq!(input, other);
    let (_, other) = of(
        "PostToolUse",
        serde_json::json!({"tool_input": {"command": "cargo  test"}}),
    );
    assert_ne!(input, other);
}

#[test]
fn words_that_a_call_makes_the_host_say_later() {
    let says = |tool: &str, input: &str| {
        let payload =
            format!("{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{tool}\",\"tool_input\":{input}}}");
        match crate::claude::parse(payload.as_bytes()).unwrap().kind {
            proctor_kernel::EventKind::ToolCall { call } => call.says,
            other => panic!("{other:?}"),
        }
    };
    let words = Some(proctor_kernel::Mark::of(b"go on"));
    assert_eq!(says("ScheduleWakeup", "{\"prompt\":\" go on\\n\"}"), words);
    assert_eq!(
        says("CronCreate", "{\"cron\":\"* * * * *\",\"prompt\":\"go on\"}"),
        words
    );
    let listed = b"{\"hook_event_name\":\"Stop\",\"session_crons\":[{\"id\":\"1\",\"prompt\":\"go on\"},{\"id\":\"2\"}]}";
    assert_eq!(
        crate::claude::scheduled(listed),
        words.into_iter().collect::<Vec<_>>()
    );
    assert_eq!(says("ScheduleWakeup", "{\"stop\":true}"), None);
    assert_eq!(says("Agent", "{\"prompt\":\"go on\"}"), None);
}
