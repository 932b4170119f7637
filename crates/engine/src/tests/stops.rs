//! Retries, stops, escalation: no loop without an end, nothing dropped.

use super::*;
use proctor_kernel::Action;

const FLATTERY: &str = "완벽한 구현입니다! 훌륭한 패턴입니다!";
const TASK: &str = "Please do this.\nEXPECTED OUTCOME:\n- write src/a.rs\n- write src/b.rs\n";
const TODO: &str = "enforcement: { todo: { mode: enforce } }\n";

#[test]
fn flattery_between_agents_is_sent_back_twice_and_then_passed_on_with_a_mark() {
    let place = Place::new("");
    place.main(EventKind::ToolCall {
        call: delegating("t1", "Look at the parser."),
    });
    place.sub("a1", EventKind::SubagentStart);
    for _ in 0..2 {
        let answer = place.sub("a1", end(FLATTERY));
        assert_eq!(answer.decision.action, Action::Block);
        assert!(
            answer.decision.reason.contains("[SYSTEM] Response rejected"),
            "{}",
            answer.decision.reason
        );
        assert!(answer.decision.reason.contains(answer.id.as_str()));
    }
    let third = place.sub("a1", again(FLATTERY));
    assert_eq!(third.decision.action, Action::Modify);
    let text = third.decision.text.unwrap();
    assert!(text.starts_with(FLATTERY) && text.contains("[proctor]"), "{text}");

    // The parent reads the marked text in place of the original.
    let outcome = ToolOutcome {
        answer: Some(FLATTERY.into()),
        agent: Some("a1".into()),
        ..done()
    };
    let result = place.main(EventKind::ToolResult {
        call: delegating("t1", ""),
        outcome: outcome.clone(),
    });
    assert_eq!(
        (result.decision.action, result.decision.text),
        (Action::Modify, Some(text))
    );
    let second = place.main(EventKind::ToolResult {
        call: delegating("t1", ""),
        outcome,
    });
    assert_eq!(second.decision.action, Action::Allow, "handed over once");
}

#[test]
fn a_background_subagents_marked_answer_reaches_the_parent_as_a_note() {
    let place = Place::new("");
    place.main(EventKind::ToolCall {
        call: delegating("t1", "Look at the parser."),
    });
    place.sub("a77", EventKind::SubagentStart);
    for _ in 0..3 {
        place.sub("a77", end("APPROVE - looks good!"));
    }
    let answer = place.main(notification(
        "<task-notification><task-id>a77</task-id>APPROVE</task-notification>",
    ));
    assert_eq!(answer.decision.action, Action::Allow);
    assert!(
        texts(&answer).iter().any(|t| t.contains("NEEDS_REVIEW")),
        "{:?}",
        texts(&answer)
    );
}

#[test]
fn an_answer_that_passes_ends_the_row_of_rejections() {
    let place = Place::new("");
    place.sub("a1", EventKind::SubagentStart);
    for _ in 0..3 {
        assert_eq!(place.sub("a1", end(FLATTERY)).decision.action, Action::Block);
        assert_eq!(place.sub("a1", end(FLATTERY)).decision.action, Action::Block);
        assert_eq!(
            place
                .sub("a1", end("src/parser.rs:42 returned early; fixed."))
                .decision
                .action,
            Action::Allow
        );
    }
}

#[test]
fn a_main_conversation_is_for_people_unless_it_is_delegated_or_said_to_be() {
    let place = Place::new("");
    place.main(prompt("What do you think of my parser?"));
    assert_eq!(
        place.main(end(FLATTERY)).decision.action,
        Action::Allow,
        "people may be flattered"
    );
    place.main(prompt(
        "DELEGATE::devbot::look at the parser. EXPECTED OUTCOME: a list of faults",
    ));
    assert_eq!(place.main(end(FLATTERY)).decision.action, Action::Block);
    let told = Surroundings {
        audience: Some(proctor_kernel::Audience::Agent),
        ..place.surroundings()
    };
    let other = Event {
        session: "s2".into(),
        ..event(None, end(FLATTERY))
    };
    let answer = Engine::open(told, place.clock.clone()).handle(&other, &());
    assert_eq!(answer.decision.action, Action::Block);
}

#[test]
fn an_empty_approval_is_shown_downgraded_once_its_retries_are_used_up() {
    let place = Place::new("");
    let text = "APPROVE.";
    let display = || EventKind::Display {
        message: "m".into(),
        index: 0,
        last: true,
        text: text.into(),
    };
    place.main(prompt("Please review the last commit."));
    for _ in 0..2 {
        assert_eq!(
            place.main(display()).decision.action,
            Action::Allow,
            "a retry is left: shown as it is"
        );
        assert_eq!(place.main(end(text)).decision.action, Action::Block);
    }
    let shown = place.main(display());
    assert_eq!(shown.decision.action, Action::Modify);
    assert!(shown.decision.text.unwrap().starts_with("NEEDS_REVIEW"));
    let last = place.main(again(text));
    assert_eq!(last.decision.action, Action::Modify);
    assert!(
        last.decision.alerts.iter().any(|a| a.contains("NEEDS_REVIEW")),
        "{:?}",
        last.decision.alerts
    );
}

#[test]
fn an_open_item_blocks_the_stop_until_it_is_done() {
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    place.write("src/a.rs", "x\n");
    let first = place.main(end("src/a.rs is written: DONE."));
    assert_eq!(first.decision.action, Action::Block);
    assert!(
        first
            .decision
            .reason
            .contains("[SYSTEM] Remaining: 1 items. Next: write src/b.rs"),
        "{}",
        first.decision.reason
    );
    // Words alone make no file.
    let words = place.main(again("All done."));
    assert_eq!(words.decision.action, Action::Block);
    assert!(words.decision.reason.contains("Not there: src/b.rs."));
    place.write("src/b.rs", "x\n");
    let second = place.main(again("All done."));
    assert_eq!(second.decision.action, Action::Allow);
    assert!(!second.decision.escalated);
}

#[test]
fn a_created_file_ticks_its_item() {
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    for path in ["src/a.rs", "src/b.rs"] {
        let path = place.root().join(path).display().to_string();
        let outcome = ToolOutcome {
            created: vec![path.clone()],
            ..done()
        };
        let answer = place.main(EventKind::ToolResult {
            call: call("t", ToolKind::Write, &path),
            outcome,
        });
        assert_eq!(answer.decision.action, Action::Allow);
    }
    assert_eq!(
        place.main(end("Both files exist now.")).decision.action,
        Action::Allow
    );
}

#[test]
fn blocked_stops_without_progress_escalate_and_progress_on_the_tree_starts_the_count_again() {
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    let text = "I looked around a little more.";
    for round in 0..2 {
        assert_eq!(place.main(end(text)).decision.action, Action::Block, "{round}");
    }
    place.write("src/elsewhere.rs", "// work\n");
    for round in 0..3 {
        assert_eq!(
            place.main(end(text)).decision.action,
            Action::Block,
            "after progress {round}"
        );
    }
    let last = place.main(end(text));
    assert_eq!(
        (last.decision.action, last.decision.escalated),
        (Action::Allow, true)
    );
    assert!(
        last.decision.alerts.iter().any(|a| a.starts_with("UNREVIEWED")),
        "{:?}",
        last.decision.alerts
    );
    let (_, _, record) = place.engine().decision(last.id.as_str()).unwrap();
    assert!(record.escalated);

    place.main(prompt("Go on, please."));
    assert_eq!(
        place.main(end(text)).decision.action,
        Action::Block,
        "a user's prompt starts the count again"
    );
}

#[test]
fn a_question_to_the_user_and_running_background_work_are_pauses() {
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    assert_eq!(
        place
            .main(end("Shall src/b.rs use tokio or threads?"))
            .decision
            .action,
        Action::Allow
    );
    let waiting = EventKind::TurnEnd {
        text: "Waiting for the build.".into(),
        again: false,
        background: 1,
    };
    assert_eq!(place.main(waiting).decision.action, Action::Allow);
    assert_eq!(
        place.main(end("The build is through.")).decision.action,
        Action::Block
    );
}

#[test]
fn soft_notes_wait_for_an_event_that_can_carry_them() {
    let place = Place::new("");
    place.main(prompt(TASK));
    place.write("src/a.rs", "x\n");
    let stop = place.main(end("src/a.rs is written: DONE."));
    assert_eq!(stop.decision.action, Action::Allow);
    assert!(
        stop.decision
            .alerts
            .iter()
            .any(|a| a.contains("Remaining: 1 items")),
        "the user sees it at once"
    );
    let next = place.main(prompt("thanks"));
    assert!(
        texts(&next).iter().any(|t| t.contains("Remaining: 1 items")),
        "{:?}",
        texts(&next)
    );
    assert!(texts(&place.main(prompt("hello"))).is_empty(), "once");
}

#[test]
fn files_outside_the_task_are_noted_and_the_users_own_changes_are_not_held_against_the_agent() {
    let place = Place::new("");
    place.write("mine.txt", "the user's own\n");
    place.main(prompt(TASK));
    place.write("src/a.rs", "a\n");
    place.write("src/other.rs", "b\n");
    let stop = place.main(end("src/a.rs: DONE. src/b.rs: DONE."));
    let scope = stop.decision.reports.iter().find(|r| r.gate == "scope").unwrap();
    assert_eq!(
        scope.data["unexpected"],
        serde_json::json!(["src/other.rs"]),
        "{}",
        scope.data
    );
    assert!(
        stop.decision
            .notes
            .iter()
            .any(|n| n.text.contains("src/other.rs"))
    );
}

#[test]
fn an_approval_shown_before_the_last_text_is_judged_too() {
    let part = |message: &str, index, last, text: &str| EventKind::Display {
        message: message.into(),
        index,
        last,
        text: text.into(),
    };
    let shown = |text: &str| part(text, 0, true, text);
    // What is claimed is compared with facts elsewhere; here the words count.
    let place = Place::new("enforcement: { approval: { mode: off } }");
    let tool = || {
        place.main(EventKind::ToolCall {
            call: call("t", ToolKind::Shell, ""),
        });
    };
    let ends = |text: &str| place.main(end(text)).decision.action;

    place.main(prompt("Please review."));
    place.main(shown("APPROVE - looks good!"));
    place.main(shown("Anything else?"));
    assert_eq!(ends("Anything else?"), Action::Block);

    // In parts, with another end of line, and with a tool call in between.
    place.main(prompt("Please review."));
    place.main(part("a", 0, false, "APPR"));
    place.main(part("a", 1, true, "OVE - looks good!\n"));
    tool();
    place.main(part("b", 0, false, "By"));
    place.main(part("b", 1, true, "e.\n"));
    assert_eq!(ends("Bye."), Action::Block);

    // Evidence may follow the approval; notes on the way to a tool are no approval.
    place.main(prompt("Please review."));
    place.main(shown("APPROVE, and I run the tests to be sure."));
    tool();
    place.main(shown("`cargo test` ran: 40 passed, 0 failed."));
    assert_eq!(ends("`cargo test` ran: 40 passed, 0 failed."), Action::Allow);
    place.main(prompt("Please review."));
    place.main(shown("Let me run the tests first."));
    tool();
    place.main(shown("Two of 40 tests fail."));
    assert_eq!(ends("Two of 40 tests fail."), Action::Allow);
}

#[test]
fn progress_alone_does_not_go_on_for_ever() {
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    for round in 0..6 {
        place.write("src/elsewhere.rs", &format!("// {round}\n"));
        assert_eq!(
            place.main(end("Working on it.")).decision.action,
            Action::Block,
            "{round}"
        );
    }
    place.write("src/elsewhere.rs", "// 7\n");
    let last = place.main(end("Working on it."));
    assert_eq!(
        (last.decision.action, last.decision.escalated),
        (Action::Allow, true)
    );
}

#[test]
fn an_empty_approval_beside_open_work_ends_downgraded_and_unreviewed() {
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    let mut blocks = 0;
    let last = loop {
        let answer = place.main(end("APPROVE - looks good!"));
        if answer.decision.action != Action::Block {
            break answer.decision;
        }
        blocks += 1;
        assert!(blocks < 8, "hosts let go after eight blocked stops");
    };
    assert!(last.escalated);
    assert!(last.text.unwrap().starts_with("NEEDS_REVIEW"));
}

#[test]
fn refused_delegations_end_too() {
    let place = Place::new("enforcement: { delegation: { mode: enforce } }\n");
    place.main(prompt("Have it done."));
    let delegate = || {
        place
            .main(EventKind::ToolCall {
                call: delegating("t", "do it"),
            })
            .decision
    };
    for _ in 0..3 {
        assert_eq!(delegate().action, Action::Block);
    }
    let last = delegate();
    assert_eq!((last.action, last.escalated), (Action::Allow, true));
    place.main(prompt("Once more."));
    assert_eq!(delegate().action, Action::Block);
}

#[test]
fn without_reminders_an_enforced_turn_is_held_all_the_same() {
    let policy = |mode: &str| {
        format!(
            "enforcement:\n  scope: {{mode: 'off'}}\n  todo: {{mode: {mode}, reminder_on_incomplete: false}}\n"
        )
    };
    let place = Place::new(&policy("enforce"));
    place.main(prompt(TASK));
    let held = place.main(end("Looking at it.")).decision;
    assert_eq!(held.action, Action::Block, "{held:?}");
    assert!(held.reason.contains("Remaining: 2 items"), "{}", held.reason);
    place.write("src/a.rs", "a\n");
    // What comes within the turn reminds of nothing.
    let outcome = ToolOutcome {
        created: vec!["src/a.rs".into()],
        ..done()
    };
    let result = place.main(EventKind::ToolResult {
        call: call("w", ToolKind::Write, "src/a.rs"),
        outcome,
    });
    assert_eq!(texts(&result), Vec::<&str>::new());

    let place = Place::new(&policy("warn"));
    place.main(prompt(TASK));
    let told = place.main(end("Looking at it."));
    assert_eq!((told.decision.action, texts(&told)), (Action::Allow, Vec::new()));
    let todo = told.decision.reports.iter().find(|r| r.gate == "todo").unwrap();
    assert_eq!(todo.findings.len(), 1, "tracked all the same");
}
