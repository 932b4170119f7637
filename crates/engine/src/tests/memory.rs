//! What survives: processes, compaction, resuming, concurrent hooks, lost snapshots.

use super::*;
use crate::session::SessionState;
use proctor_kernel::Action;

const TASK: &str = "작업입니다.\n기대 결과:\n- src/a.rs 작성\n- src/b.rs 작성\n";

#[test]
fn a_session_survives_compaction_and_resuming() {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt(TASK));
    place.write("src/a.rs", "x\n");
    place.main(end("src/a.rs 작성 완료."));
    for source in [StartSource::Compact, StartSource::Resume] {
        place.main(EventKind::Compaction);
        let answer = place.main(start(source));
        let notes = texts(&answer).join("\n");
        assert!(
            notes.contains(TASK.trim()),
            "the task in the user's words: {notes}"
        );
        assert!(
            notes.contains("[SYSTEM] Remaining: 1 items. Next: src/b.rs 작성"),
            "{notes}"
        );
    }
    place.main(start(StartSource::Clear));
    assert!(
        place.engine().sessions().unwrap()[0].1.agents.is_empty(),
        "cleared is cleared"
    );
}

#[test]
fn a_lost_or_broken_snapshot_costs_nothing() {
    let place = Place::new("");
    place.main(prompt(TASK));
    place.sub("a1", EventKind::SubagentStart);
    assert_eq!(place.sub("a1", end("훌륭합니다!")).decision.action, Action::Block);
    let before = place.engine().sessions().unwrap();
    let snapshot = find(&place.state_home(), "test-s1.json");
    for damage in [None, Some("{"), Some("{\"version\":0}")] {
        match damage {
            None => std::fs::remove_file(&snapshot).unwrap(),
            Some(text) => std::fs::write(&snapshot, text).unwrap(),
        }
        assert_eq!(place.engine().sessions().unwrap(), before);
    }
    assert_eq!(place.sub("a1", end("훌륭합니다!")).decision.action, Action::Block);
    assert_eq!(
        place.sub("a1", end("훌륭합니다!")).decision.action,
        Action::Modify,
        "the count went on"
    );
}

#[test]
fn subagents_taken_for_each_other_are_told_apart_by_their_own_words() {
    let words = |file: &str| format!("EXPECTED OUTCOME:\n- write {file}\n");
    let place = Place::new("");
    place.main(EventKind::ToolCall {
        call: delegating("t1", &words("a.rs")),
    });
    place.main(EventKind::ToolCall {
        call: delegating("t2", &words("b.rs")),
    });
    // The host starts them in the other order.
    place.sub("second", EventKind::SubagentStart);
    place.sub("first", EventKind::SubagentStart);
    let state = |place: &Place| place.engine().sessions().unwrap().remove(0).1;
    let item = |state: &SessionState, id: &str| state.agent(id).checklist[0].text.clone();
    assert_eq!(item(&state(&place), "second"), "write a.rs", "only a guess");
    place.write("b.rs", "x\n");
    let stop = event(Some("second"), end("b.rs: DONE."));
    struct Words(String);
    impl crate::Aside for Words {
        fn delegation(&self) -> Option<String> {
            Some(self.0.clone())
        }
    }
    place.engine().handle(&stop, &Words(words("b.rs")));
    assert_eq!(item(&state(&place), "second"), "write b.rs");
    assert_eq!(item(&state(&place), "first"), "write a.rs");
    assert!(state(&place).agent("second").checklist[0].completed);
    assert!(!state(&place).agent("first").checklist[0].completed);

    // The tool result of a background start tells it at once.
    place.main(EventKind::ToolCall {
        call: delegating("t3", &words("c.rs")),
    });
    place.main(EventKind::ToolCall {
        call: delegating("t4", &words("d.rs")),
    });
    place.sub("fourth", EventKind::SubagentStart);
    let outcome = ToolOutcome {
        agent: Some("fourth".into()),
        ..done()
    };
    place.main(EventKind::ToolResult {
        call: delegating("t4", ""),
        outcome,
    });
    assert_eq!(item(&state(&place), "fourth"), "write d.rs");
    place.sub("third", EventKind::SubagentStart);
    assert_eq!(item(&state(&place), "third"), "write c.rs");
}

#[test]
fn every_event_leaves_exactly_one_record() {
    let place = Place::new("");
    let kinds = [
        start(StartSource::Startup),
        prompt(TASK),
        EventKind::ToolCall {
            call: call("t", ToolKind::Read, "a"),
        },
        EventKind::ToolResult {
            call: call("t", ToolKind::Read, "a"),
            outcome: done(),
        },
        EventKind::Compaction,
        EventKind::Other,
        end("Working."),
        EventKind::SessionEnd {
            reason: "other".into(),
        },
    ];
    let mut ids = Vec::new();
    for kind in kinds {
        let answer = place.main(kind);
        assert!(answer.recorded);
        ids.push(answer.id.to_string());
    }
    let mut seen = Vec::new();
    assert_eq!(
        place
            .engine()
            .each_decision(|id, _, _| seen.push(id.to_owned()))
            .unwrap(),
        0
    );
    assert_eq!(seen, ids);
}

#[test]
fn two_hooks_at_once_both_count() {
    let place = Place::new("");
    place.main(prompt(TASK));
    let threads: Vec<_> = (0..8)
        .map(|i| {
            let surroundings = place.surroundings();
            std::thread::spawn(move || {
                let clock = crate::SystemClock::new();
                let path = format!("new-{i}.rs");
                let outcome = ToolOutcome {
                    created: vec![path.clone()],
                    ..done()
                };
                let kind = EventKind::ToolResult {
                    call: call("t", ToolKind::Write, &path),
                    outcome,
                };
                Engine::open(surroundings, clock)
                    .handle(&event(None, kind), &())
                    .recorded
            })
        })
        .collect();
    assert!(threads.into_iter().all(|t| t.join().unwrap()));
    let state = place.engine().sessions().unwrap().remove(0).1;
    assert_eq!((state.agent("").created.len(), state.agent("").writes), (8, 8));
}

#[test]
fn a_set_task_is_taken_up_by_the_next_prompt_and_closed_again() {
    let place = Place::new("");
    let task = place
        .engine()
        .start_task("EXPECTED OUTCOME:\n- write a.rs\n")
        .unwrap();
    place.main(prompt("Begin."));
    let state = |place: &Place| place.engine().sessions().unwrap().remove(0).1.agent("");
    assert_eq!(state(&place).task.unwrap().id, task.id);
    place.main(prompt("Go on."));
    assert_eq!(state(&place).task.unwrap().id, task.id);
    assert_eq!(place.engine().finish_task().unwrap().unwrap().id, task.id);
    assert!(state(&place).task.is_none());
    assert!(place.engine().finish_task().unwrap().is_none());
}

#[test]
fn a_prompt_that_names_more_files_widens_the_task() {
    let place = Place::new("");
    place.main(prompt("EXPECTED OUTCOME:\n- src/a.rs is faster\n"));
    place.write("src/a.rs", "a\n");
    place.write("docs/speed.md", "b\n");
    let unexpected = |answer: &Answer| {
        let scope = answer
            .decision
            .reports
            .iter()
            .find(|r| r.gate == "scope")
            .unwrap();
        scope.data["unexpected"].clone()
    };
    assert_eq!(
        unexpected(&place.main(end("src/a.rs: 3 ms less."))),
        serde_json::json!(["docs/speed.md"])
    );
    place.main(prompt("You may also change docs/speed.md."));
    assert_eq!(
        unexpected(&place.main(end("src/a.rs: 3 ms less."))),
        serde_json::json!([])
    );
}

#[test]
fn subagents_that_ended_and_delegations_that_were_refused_do_not_pile_up() {
    let place = Place::new("enforcement:\n  review: {mode: 'off'}\n");
    let state = |place: &Place| place.engine().sessions().unwrap().remove(0).1;
    place.main(prompt("Look at the files."));
    let words = format!("Look at src/a.rs. {}", "And look well. ".repeat(200));
    for n in 0..70 {
        place.main(EventKind::ToolCall {
            call: delegating(&format!("t{n}"), &words),
        });
        let id = format!("a{n}");
        place.sub(&id, EventKind::SubagentStart);
        let read = call(&format!("r{n}"), ToolKind::Read, "seed.txt");
        let outcome = done();
        place.sub(&id, EventKind::ToolResult { call: read, outcome });
        place.sub(&id, end("src/a.rs holds nothing that matters here."));
    }
    let ended = state(&place);
    assert_eq!(ended.agents.len(), 64 + 1);
    assert!(!ended.agents.contains_key("a5") && ended.agents.contains_key("a6"));
    let last = ended.agent("a69");
    assert!(last.steps.is_empty() && last.said.is_empty(), "{last:?}");
    assert!(!last.thoughts.is_empty() && ended.agent("a61").thoughts.is_empty());
    assert_eq!(last.call.as_deref(), Some("t69"));
    assert!(last.task.unwrap().words.len() < 1_200);
    // The host asked the user, and the user said no.
    place.main(EventKind::ToolCall {
        call: delegating("t70", "Look at src/b.rs."),
    });
    assert_eq!(state(&place).pending.len(), 1);
    place.main(prompt("Leave that."));
    assert_eq!(state(&place).pending, []);
}
