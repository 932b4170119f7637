use super::{data, payload, snapshot};
use crate::claude::{parse, render, render_failure, render_onto};
use proctor_kernel::{Action, Decision, Note};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// One recorded payload per event that takes an answer, and one that does not.
const EVENTS: [&str; 13] = [
    "SessionStart.startup",
    "UserPromptSubmit",
    "PreToolUse.Bash",
    "PreToolUse.Agent",
    "PostToolUse.Write",
    "PostToolUseFailure.Bash",
    "PreCompact.auto",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "MessageDisplay",
    "SessionEnd.other",
    "ConfigChange",
];

fn decision(action: Action) -> Decision {
    Decision {
        action,
        reason: if action >= Action::Ask {
            "REASON".to_owned()
        } else {
            String::new()
        },
        text: (action == Action::Modify).then(|| "CHANGED TEXT".to_owned()),
        ..Decision::allow()
    }
}

fn noted(mut decision: Decision) -> Decision {
    decision.notes = vec![
        Note {
            gate: "scope".to_owned(),
            text: "NOTE".to_owned(),
        },
        Note {
            gate: "todo".to_owned(),
            text: "[SYSTEM] Remaining: 1 items. Next: x".to_owned(),
        },
    ];
    decision.alerts = vec!["ALERT".to_owned()];
    decision
}

#[test]
fn every_event_and_answer() {
    let mut out = String::new();
    for name in EVENTS {
        let bytes = payload(name);
        let event = parse(&bytes).unwrap();
        writeln!(out, "## {name}").unwrap();
        for action in [Action::Allow, Action::Modify, Action::Ask, Action::Block] {
            for (label, decision) in [("", decision(action)), (" + notes", noted(decision(action)))] {
                let rendered = render_onto(&bytes, &event, &decision);
                let value: Value = serde_json::from_str(&rendered.stdout).unwrap();
                assert!(value.is_object() && rendered.stdout.ends_with('\n'));
                assert_eq!(rendered.exit == 2, !rendered.stderr.is_empty(), "{name}");
                writeln!(
                    out,
                    "{}{label} → {} exit {}",
                    action.as_str(),
                    rendered.stdout.trim_end(),
                    rendered.exit
                )
                .unwrap();
            }
        }
        out.push('\n');
    }
    for native in [
        Some("PreToolUse"),
        Some("Stop"),
        Some("SessionStart"),
        Some("MessageDisplay"),
        None,
    ] {
        for closed in [true, false] {
            let rendered = render_failure(native, "WHY", closed);
            writeln!(
                out,
                "failure of {native:?}, closed {closed} → {} exit {}",
                rendered.stdout.trim_end(),
                rendered.exit
            )
            .unwrap();
        }
    }
    snapshot(&data().join("render.txt"), &out);
}

#[test]
fn allow_is_the_neutral_answer_everywhere() {
    for name in EVENTS {
        let event = parse(&payload(name)).unwrap();
        let rendered = render(&event, &Decision::allow());
        assert_eq!(
            (rendered.stdout.as_str(), rendered.stderr.as_str(), rendered.exit),
            ("{}\n", "", 0),
            "{name}"
        );
    }
}

#[test]
fn a_note_never_prolongs_a_turn() {
    for name in ["Stop", "SubagentStop"] {
        let event = parse(&payload(name)).unwrap();
        for action in [Action::Allow, Action::Modify] {
            let rendered = render(&event, &noted(decision(action)));
            assert!(
                !rendered.stdout.contains("additionalContext"),
                "{name}: {}",
                rendered.stdout
            );
        }
        assert!(
            render(&event, &noted(decision(Action::Block)))
                .stdout
                .contains("additionalContext")
        );
    }
}

#[test]
fn nothing_reaches_the_summarizer() {
    let event = parse(&payload("PreCompact.auto")).unwrap();
    for action in [Action::Allow, Action::Modify] {
        assert_eq!(render(&event, &noted(decision(action))).stdout, "{}\n");
    }
    assert_eq!(render_failure(Some("PreCompact"), "WHY", true).stdout, "{}\n");
}

#[test]
fn a_changed_answer_of_a_subagent_is_a_whole_clone() {
    let original = json!({"status": "completed", "prompt": "p", "agentId": "a1", "harnessNoteCount": 1, "harnessTailCount": 0,
        "content": [{"type": "text", "text": "<note>"}, {"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        "usage": {"input_tokens": 3, "iterations": []}, "totalTokens": 2.5});
    let bytes = json!({"hook_event_name": "PostToolUse", "tool_name": "Agent", "tool_input": {"prompt": "p"}, "tool_response": original}).to_string();
    let event = parse(bytes.as_bytes()).unwrap();
    let rendered = render_onto(bytes.as_bytes(), &event, &decision(Action::Modify));
    let answer: Value = serde_json::from_str(&rendered.stdout).unwrap();
    let mut expected = original;
    expected["content"] =
        json!([{"type": "text", "text": "<note>"}, {"type": "text", "text": "CHANGED TEXT"}]);
    assert_eq!(answer["hookSpecificOutput"]["updatedToolOutput"], expected);
    // Without the payload, and for a start in the background, the change becomes a note.
    assert!(
        render(&event, &decision(Action::Modify))
            .stdout
            .contains("additionalContext")
    );
}

#[test]
fn a_changed_input_is_given_back_whole() {
    let bytes = payload("PreToolUse.Agent");
    let event = parse(&bytes).unwrap();
    let answer: Value =
        serde_json::from_str(&render_onto(&bytes, &event, &decision(Action::Modify)).stdout).unwrap();
    assert_eq!(
        answer["hookSpecificOutput"]["updatedInput"],
        json!({"description": "sub job", "prompt": "CHANGED TEXT", "subagent_type": "general-purpose"})
    );
}

#[test]
fn long_context_is_cut_before_the_host_puts_it_away() {
    let event = parse(&payload("UserPromptSubmit")).unwrap();
    let mut long = Decision::allow();
    long.notes = vec![Note {
        gate: "todo".to_owned(),
        text: "가".repeat(20_000),
    }];
    let answer: Value = serde_json::from_str(&render(&event, &long).stdout).unwrap();
    let context = answer["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(context.chars().count() < 9_200, "{}", context.chars().count());
    assert!(context.contains("more characters"));
}

#[test]
fn a_shown_text_is_never_lost() {
    let event = parse(&payload("MessageDisplay")).unwrap();
    let answer: Value = serde_json::from_str(&render(&event, &decision(Action::Block)).stdout).unwrap();
    let shown = answer["hookSpecificOutput"]["displayContent"].as_str().unwrap();
    assert!(shown.contains("I will write a file.") && shown.contains("REASON"));
}
