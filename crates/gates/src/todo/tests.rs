use super::*;
use proctor_kernel::{
    Audience, Digest, Event, Id, NoWorld, Task, TaskOrigin, ToolCall, ToolKind, ToolOutcome, World,
};

const WORDS: &str = "EXPECTED OUTCOME:\n- Create src/auth.ts\n- Write tests\n- Run npm test";

fn run(kind: EventKind, before: &[ChecklistItem]) -> Outcome {
    run_in(&NoWorld, kind, before, &[])
}

/// As [`run`], in a world, where a tool was seen to make some files.
fn run_in(world: &dyn World, kind: EventKind, before: &[ChecklistItem], created: &[String]) -> Outcome {
    let outline = proctor_outline::read(WORDS);
    let task = Task {
        id: Id::from_text("t"),
        words: WORDS.to_owned(),
        origin: TaskOrigin::Delegation,
        outline,
        base: None,
        dirty: Vec::new(),
    };
    let event = Event {
        host: "test".to_owned(),
        native: String::new(),
        session: "s".to_owned(),
        agent: None,
        cwd: String::new(),
        turn: None,
        kind,
        input: Digest::of(b""),
    };
    let context = Context {
        event: &event,
        audience: Audience::Agent,
        task: Some(&task),
        checklist: before,
        created,
        thoughts: &[],
        steps: &[],
        world,
    };
    Todo::new(&proctor_policy::Settings::default().todo)
        .check(&context)
        .unwrap()
}

fn turn(text: &str) -> EventKind {
    EventKind::TurnEnd {
        text: text.to_owned(),
        again: false,
        background: 0,
    }
}

/// Three items, one completed by each message.
#[test]
fn the_example_of_the_tracker() {
    let first = run(turn("Created src/auth.ts with login and logout."), &[]);
    let [finding] = first.findings.as_slice() else {
        panic!("{first:?}")
    };
    assert_eq!(finding.message, "[SYSTEM] Remaining: 2 items. Next: Write tests");
    assert_eq!((finding.tier, finding.verdict), (Tier::Hard, Verdict::Block));
    assert_eq!(
        first.data["reminder"],
        "[SYSTEM] Remaining: 2 items. Next: Write tests"
    );
    let second = run(turn("DONE: Write tests"), first.checklist.as_deref().unwrap());
    assert_eq!(
        second.findings[0].message,
        "[SYSTEM] Remaining: 1 items. Next: Run npm test"
    );
    let third = run(
        turn("Ran npm test: 14 passed. TASK_COMPLETE"),
        second.checklist.as_deref().unwrap(),
    );
    assert!(third.findings.is_empty());
    assert!(third.checklist.unwrap().iter().all(|i| i.completed));
}

#[test]
fn witnessed_files_tick_their_item_without_a_word() {
    let call = ToolCall {
        paths: vec!["/repo/src/auth.ts".to_owned()],
        ..ToolCall::new("Write", ToolKind::Write)
    };
    let outcome = ToolOutcome {
        ok: Some(true),
        created: vec!["/repo/src/auth.ts".to_owned()],
        ..ToolOutcome::default()
    };
    let done = run(
        EventKind::ToolResult {
            call: call.clone(),
            outcome: outcome.clone(),
        },
        &[],
    );
    assert!(done.findings.is_empty(), "a tool result is no end of a turn");
    assert!(done.checklist.unwrap()[0].completed);
    let failed = run(
        EventKind::ToolResult {
            call,
            outcome: ToolOutcome {
                ok: Some(false),
                ..outcome
            },
        },
        &[],
    );
    assert!(!failed.checklist.unwrap()[0].completed);
}

#[test]
fn messages_on_the_way_only_get_a_note() {
    let outcome = run(
        EventKind::Message {
            text: "Working on item 1.".to_owned(),
        },
        &[],
    );
    assert_eq!(outcome.findings[0].tier, Tier::Soft);
}

#[test]
fn an_unchanged_checklist_is_not_written_again() {
    let before = checklist(&proctor_outline::read(WORDS).items);
    assert_eq!(run(turn("Still reading."), &before).checklist, None);
}

#[test]
fn rows_of_answers() {
    let (items, open) = judge(
        WORDS,
        &["1, 3번 완료".to_owned(), "2번은 내일 하겠습니다.".to_owned()],
    );
    assert_eq!(
        items.iter().map(|i| i.completed).collect::<Vec<_>>(),
        [true, false, true]
    );
    assert_eq!(
        open.as_deref(),
        Some("[SYSTEM] Remaining: 1 items. Next: Write tests")
    );
    assert_eq!(judge("How are you?", &["Fine.".to_owned()]), (Vec::new(), None));
}

/// States stand at the beginning and at the end of an answer; what lies between is not read, and that is said.
#[test]
fn what_was_not_read_is_said() {
    let long = format!(
        "Created src/auth.ts.\n{}\nTests written.",
        "x y z.\n".repeat(100_000)
    );
    let outcome = run(turn(&long), &[]);
    assert_eq!(outcome.data["not_judged"], ONLY_ENDS);
    let [finding] = outcome.findings.as_slice() else {
        panic!("{outcome:?}")
    };
    assert_eq!(finding.message, "[SYSTEM] Remaining: 1 items. Next: Run npm test");
    assert!(finding.instead.as_ref().unwrap().contains(ONLY_ENDS));
    let short = run(turn("Created src/auth.ts."), &[]);
    assert!(short.data.get("not_judged").is_none());
}

/// A work tree without some files.
struct Without(&'static [&'static str]);

impl World for Without {
    fn changed_files(&self, _: &Task) -> Result<Vec<String>, GateError> {
        Ok(Vec::new())
    }

    fn missing(&self, _: &Task, paths: &[String]) -> Vec<String> {
        let gone = |path: &&String| self.0.contains(&path.as_str());
        paths.iter().filter(gone).cloned().collect()
    }
}

/// Whether each item is done, and what is said, when an agent says that all is.
fn said_done(world: &dyn World, created: &[String]) -> (Vec<bool>, Option<String>) {
    let outcome = run_in(world, turn("Created src/auth.ts. All done."), &[], created);
    let items = outcome.checklist.unwrap_or_default();
    let instead = outcome.findings.first().and_then(|f| f.instead.clone());
    (items.iter().map(|i| i.completed).collect(), instead)
}

#[test]
fn words_tick_no_file_that_is_not_there() {
    let gone = Without(&["src/auth.ts"]);
    let (items, instead) = said_done(&gone, &[]);
    assert_eq!(items, [false, true, true]);
    assert!(instead.unwrap().starts_with("Not there: src/auth.ts. "));
    // It is there; or a tool was seen to make it, whatever became of it.
    let all = (vec![true; 3], None);
    assert_eq!(said_done(&Without(&[]), &[]), all);
    assert_eq!(said_done(&gone, &["src/auth.ts".to_owned()]), all);
    assert_eq!(said_done(&NoWorld, &[]), all);
}

#[test]
fn a_verdict_in_any_form_completes_the_item_that_asks_for_one() {
    for (task, text) in [
        (
            "EXPECTED OUTCOME\n- a verdict\n",
            "Approved. I ran the tests: 40 passed.",
        ),
        (
            "EXPECTED OUTCOME\n- a verdict\n",
            "{\"verdict\":\"APPROVE\",\"evidence\":[\"read src/a.rs 1-40\"]}",
        ),
        (
            "EXPECTED OUTCOME\n- a verdict\n",
            "```json\n{\"verdict\":\"NEEDS_REVIEW\",\"reason\":\"no time\"}\n```",
        ),
        (
            "EXPECTED OUTCOME\n- a verdict\n",
            "I can't approve this: the file is never closed.",
        ),
        (
            "기대 결과\n- 리뷰 판정\n",
            "승인합니다. src/a.rs 1-40행을 읽었습니다.",
        ),
        (
            "기대 결과\n- 리뷰 판정\n",
            "반려합니다. 40행에서 누수가 있습니다.",
        ),
    ] {
        let (items, _) = judge(task, &[text.to_owned()]);
        assert!(items[0].completed, "{text}");
    }
    for text in [
        "I read src/a.rs.",
        "The verdict follows.",
        "{\"verdict\": \"pending\"}",
    ] {
        let (items, _) = judge("EXPECTED OUTCOME\n- a verdict\n", &[text.to_owned()]);
        assert!(!items[0].completed, "{text}");
    }
}
