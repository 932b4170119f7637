//! How a person takes back what was asked for: by a prompt, or by `proctor task done`.

use super::*;
use proctor_kernel::Action;

const TODO: &str = "enforcement: { todo: { mode: enforce } }\n";
const TASK: &str = "Fix.\nEXPECTED OUTCOME:\n- Create src/b.py\n- Update the docs\n";

/// A session in which only the docs are open, and the end of a turn was blocked for them.
fn open_docs(policy: &str) -> Place {
    let place = Place::new(policy);
    place.main(prompt(TASK));
    place.write("src/b.py", "x\n");
    let call = call("w", ToolKind::Write, "src/b.py");
    let outcome = ToolOutcome {
        created: vec!["src/b.py".into()],
        ..done()
    };
    place.main(EventKind::ToolResult { call, outcome });
    place
}

/// Whether the end of a turn goes back for open items.
fn is_blocked(place: &Place, text: &str) -> bool {
    place.main(end(text)).decision.action == Action::Block
}

#[test]
fn a_persons_prompt_takes_an_item_back() {
    for words in [
        "Forget the docs. I did them myself.",
        "No docs, please! Drop that item.",
        "Skip the docs, that is all.",
        "I did the docs myself.",
        "Stop. Forget all that, tell me the time instead.",
        "문서는 안 해도 돼.",
    ] {
        let place = open_docs(TODO);
        assert!(is_blocked(&place, "Created src/b.py."), "{words}");
        let told = place.main(prompt(words));
        assert!(
            told.decision.alerts.iter().any(|alert| alert.contains("docs")),
            "{words}: {:?}",
            told.decision.alerts
        );
        assert!(!is_blocked(&place, "Understood."), "{words}");
        place.main(prompt("What does src/a.py do?"));
        assert!(!is_blocked(&place, "src/a.py:1 defines f."), "{words}");
    }
}

#[test]
fn other_prompts_and_other_writers_take_nothing_back() {
    for words in [
        "Don't forget the docs.",
        "Why did you skip the docs?",
        "Go on.",
        "The docs are wrong.",
    ] {
        let place = open_docs(TODO);
        place.main(prompt(words));
        assert!(is_blocked(&place, "I see."), "{words}");
    }
    let place = open_docs(TODO);
    place.main(EventKind::Prompt {
        text: "Forget the docs.".into(),
        origin: PromptOrigin::Agent,
    });
    assert!(is_blocked(&place, "I see."));
    // What was taken back does not come back with a prompt that widens the task, and the rest stays.
    let place = Place::new(TODO);
    place.main(prompt(TASK));
    place.main(prompt("Forget the docs, and fix src/c.py as well."));
    let answer = place.main(end("I see."));
    assert!(
        answer
            .decision
            .reason
            .contains("Remaining: 1 items. Next: Create src/b.py"),
        "{}",
        answer.decision.reason
    );
}

#[test]
fn a_reminder_of_what_was_taken_back_does_not_reach_the_agent() {
    let place = open_docs("");
    let first = place.main(end("Created src/b.py."));
    assert!(
        texts(&first).iter().any(|text| text.contains("Update the docs")),
        "{first:?}"
    );
    let next = place.main(prompt("Forget the docs. I wrote them myself."));
    assert!(texts(&next).is_empty(), "{:?}", texts(&next));
    let place = open_docs("");
    place.main(end("Created src/b.py."));
    let next = place.main(prompt("And now?"));
    assert!(
        texts(&next).iter().any(|text| text.contains("Update the docs")),
        "{next:?}"
    );
}

#[test]
fn what_was_let_go_does_not_block_turns_about_something_else() {
    let place = open_docs(TODO);
    let mut blocked = 0;
    while is_blocked(&place, "Created src/b.py.") {
        blocked += 1;
        assert!(blocked < 10);
    }
    assert!(blocked > 0);
    place.main(prompt("What does src/a.py do?"));
    assert!(!is_blocked(&place, "src/a.py:1 defines f."));
    // A turn that works on, and one that is told to go on, are about it.
    place.main(prompt("And what does src/c.py do?"));
    place.main(EventKind::ToolResult {
        call: call("w2", ToolKind::Write, "src/c.py"),
        outcome: done(),
    });
    assert!(is_blocked(&place, "I wrote src/c.py."));
    place.main(prompt("Go on."));
    assert!(is_blocked(&place, "src/a.py:1 defines f."));
}

#[test]
fn what_a_subagent_writes_ends_a_turn_that_only_asked() {
    let place = open_docs(TODO);
    assert!((0..10).any(|_| !is_blocked(&place, "Created src/b.py.")));
    place.main(prompt("What does src/a.py do?"));
    place.sub("a1", prompt("Write src/d.py."));
    place.write("src/d.py", "x\n");
    place.sub(
        "a1",
        EventKind::ToolResult {
            call: call("w3", ToolKind::Write, "src/d.py"),
            outcome: done(),
        },
    );
    assert!(is_blocked(&place, "src/a.py:1 defines f."));
}

#[test]
fn the_task_in_its_own_words_again_takes_nothing_back() {
    let task = "Fix.\nEXPECTED OUTCOME:\n- Create src/b.py\n- Write tests for the parser\nMUST NOT DO: skip the tests\n";
    let place = Place::new(TODO);
    place.main(prompt(task));
    place.main(prompt(task));
    let answer = place.main(end("I see."));
    assert!(
        answer.decision.reason.contains("Remaining: 2 items."),
        "{}",
        answer.decision.reason
    );
}

#[test]
fn before_it_is_let_go_a_question_releases_nobody() {
    let place = open_docs(TODO);
    place.main(prompt("What does src/a.py do?"));
    assert!(is_blocked(&place, "src/a.py:1 defines f."));
}

#[test]
fn the_task_of_the_last_session_is_closed_where_none_is_set() {
    let place = open_docs(TODO);
    assert!(is_blocked(&place, "Created src/b.py."));
    assert!(place.engine().finish_task().unwrap().is_none());
    let closed = place.engine().finish_session().unwrap().unwrap();
    assert_eq!(closed.outline.items.len(), 2);
    place.main(prompt("Thanks. What time is it?"));
    assert!(!is_blocked(&place, "Ten."));
    assert!(Place::new(TODO).engine().finish_session().unwrap().is_none());
}
