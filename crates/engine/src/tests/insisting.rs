//! How long the end of a turn is held, what is said each time, and what a session leaves behind that ends meanwhile.

use super::*;
use crate::review::Standing;
use proctor_kernel::{Action, Decision, ExitSource};

const PATIENT: &str = "enforcement:\n  budget: {review_attempts: 20}\n";
const PASSED: &str =
    "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";

/// A place whose host takes eight refusals in a row.
fn hosted(place: &Place, kind: EventKind) -> Answer {
    let surroundings = Surroundings {
        stop_cap: Some(8),
        ..place.surroundings()
    };
    Engine::open(surroundings, place.clock.clone()).handle(&event(None, kind), &())
}

fn working(policy: &str) -> Place {
    let place = Place::new(policy);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    place.write("src/a.rs", "fn a() {}\n");
    place
}

fn shell(place: &Place, id: &str, command: &str, output: &str, meanwhile: impl FnOnce()) -> Answer {
    let call = ToolCall {
        id: Some(id.into()),
        command: Some(command.into()),
        input: Digest::of(command.as_bytes()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    };
    place.clock.now.set(place.clock.now.get() + 1_000);
    place.main(EventKind::ToolCall { call: call.clone() });
    meanwhile();
    let outcome = ToolOutcome {
        ok: Some(true),
        exit: Some(0),
        exit_source: ExitSource::HostEvent,
        output: Some(output.into()),
        ..ToolOutcome::default()
    };
    place.main(EventKind::ToolResult { call, outcome })
}

fn is_unreviewed(place: &Place) -> bool {
    let engine = place.engine();
    let (book, tree) = (engine.reviews().unwrap(), engine.tree().unwrap());
    let required = engine.requirements(&book, tree.as_ref());
    let standing = book.standing(Some("test-s1"), tree.as_ref(), 0, &required);
    matches!(standing, Standing::Escalated { .. })
}

/// The reason without the id of its decision.
fn said(answer: &Answer) -> String {
    let reason = &answer.decision.reason;
    reason.split("\n(proctor decision").next().unwrap().to_owned()
}

fn from_record(decision: &Decision) -> bool {
    let report = decision.reports.iter().find(|r| r.gate == "approval");
    report.is_some_and(|r| r.data["from_record"] == true)
}

#[test]
fn a_turn_that_waits_for_a_human_says_so_each_time() {
    let place = Place::new("enforcement: { approval: { require: changes } }\n");
    place.main(start(StartSource::Startup));
    place.main(prompt("Change the parser."));
    place.write("src/a.rs", "fn a() {}\n");
    let mut engine = place.engine();
    let review = engine.request_review(None).unwrap();
    engine.leave_to_human(&review.id).unwrap();
    let ends = |text: &str| {
        let decision = place.main(end(text)).decision;
        assert_eq!(decision.action, Action::Allow, "{}", decision.reason);
        decision.alerts.join("\n")
    };
    let told = ends("Part one is in place.");
    assert!(
        told.contains("waits for a human") && !told.contains("src/a.rs"),
        "{told}"
    );
    // What changed since is named, also after the next prompt.
    place.write("src/a.rs", "fn a() { b() }\n");
    let told = ends("Part two is in place.");
    assert!(
        told.contains("Changed since it was asked for: src/a.rs"),
        "{told}"
    );
    place.main(prompt("And now the reader."));
    let told = ends("That is in place too.");
    assert!(
        told.contains("waits for a human") && told.contains("src/a.rs"),
        "{told}"
    );
}

#[test]
fn a_hosts_own_limit_is_never_run_into() {
    for progress in [false, true] {
        let place = working(PATIENT);
        let mut blocks = 0;
        let last = loop {
            if progress {
                place.write("src/a.rs", &format!("fn a{blocks}() {{}}\n"));
            }
            let text = format!("Entry {blocks} is {} now. All tests pass.", blocks * 7);
            let decision = hosted(&place, end(&text)).decision;
            if decision.action != Action::Block {
                break decision;
            }
            blocks += 1;
            assert!(blocks < 8, "the host would pass over the next one");
        };
        assert_eq!(blocks, 7);
        let told = last.alerts.join("\n");
        assert!(last.escalated && told.contains("UNREVIEWED"), "{told}");
        assert!(
            told.contains("7 refused ends of a turn in a row, of which the host takes 8"),
            "{told}"
        );
        assert!(last.text.unwrap().contains("not confirmed after 7 retries"));
        assert!(is_unreviewed(&place));
    }
    // Where the host takes any number, the budget is what was asked for.
    let place = working(PATIENT);
    let blocked = |_: &u32| place.main(end("All tests pass.")).decision.action == Action::Block;
    assert_eq!((0..30).take_while(blocked).count(), 20);
}

#[test]
fn refused_texts_count_for_the_host_too() {
    let place =
        Place::new("enforcement: { budget: { review_attempts: 20, retries: 4 }, todo: { mode: enforce } }\n");
    place.main(prompt(
        "Please do this.\nEXPECTED OUTCOME:\n- write src/a.rs\n- write src/b.rs\n",
    ));
    let mut blocks = 0;
    while hosted(&place, end("APPROVE - looks good!")).decision.action == Action::Block {
        blocks += 1;
    }
    assert_eq!(blocks, 7);
}

#[test]
fn a_session_that_ends_while_a_gate_objects_is_unreviewed() {
    let place = working("");
    assert_eq!(place.main(end("All tests pass.")).decision.action, Action::Block);
    assert!(!is_unreviewed(&place), "it may still be made good");
    let told = place.main(prompt("Go on.")).decision.alerts.join("\n");
    assert!(told.contains("broken off while a gate objected"), "{told}");
    assert!(
        !place
            .main(prompt("Go on."))
            .decision
            .alerts
            .join("\n")
            .contains("broken off"),
        "once"
    );
    place.main(EventKind::SessionEnd {
        reason: "other".into(),
    });
    assert!(is_unreviewed(&place));

    // An end that was let through leaves nothing open.
    let place = working("");
    assert_eq!(place.main(end("All tests pass.")).decision.action, Action::Block);
    shell(&place, "t", "cargo test", PASSED, || ());
    assert_eq!(place.main(end("All tests pass.")).decision.action, Action::Allow);
    place.main(EventKind::SessionEnd {
        reason: "other".into(),
    });
    assert!(!is_unreviewed(&place));
}

#[test]
fn the_same_question_gets_the_same_answer_from_the_record() {
    let place = working("");
    let first = place.main(end("I fixed the parser. All tests pass."));
    let second = place.main(again(
        "The parser in src/a.rs takes lists now, and the tests are all green.",
    ));
    assert_eq!(
        (first.decision.action, second.decision.action),
        (Action::Block, Action::Block)
    );
    assert_eq!(said(&first), said(&second), "no growth");
    assert!(!from_record(&first.decision) && from_record(&second.decision));
    // Another sort of claim is another question.
    let other = place.main(again("The parser takes lists, and clippy is clean."));
    assert!(other.decision.action == Action::Block && !from_record(&other.decision));
    // And so is a new tree, or a new fact: what was not looked at would be a guess.
    place.main(prompt("Go on."));
    let claim = || place.main(end("All tests pass.")).decision;
    assert!(!from_record(&claim()) && from_record(&claim()));
    place.write("src/a.rs", "fn b() {}\n");
    assert!(!from_record(&claim()));
    shell(&place, "t", "cargo test", PASSED, || ());
    assert_eq!(claim().action, Action::Allow);
    // Who takes the claim back is let go.
    let place = working("");
    assert_eq!(place.main(end("All tests pass.")).decision.action, Action::Block);
    assert_eq!(
        place.main(again("The tests were not run.")).decision.action,
        Action::Allow
    );
    // The count goes on.
    let place = working("");
    let blocked = |_: &u32| place.main(end("All tests pass.")).decision.action == Action::Block;
    assert_eq!((0..9).take_while(blocked).count(), 3);
}

#[test]
fn a_required_review_is_asked_for_from_the_record_until_something_is_recorded_of_it() {
    let place = working("enforcement: {approval: {require: changes}}\n");
    let ends = || place.main(end("src/a.rs takes lists now.")).decision;
    assert!(!from_record(&ends()) && from_record(&ends()));
    let engine = place.engine();
    let tree = engine.tree().unwrap();
    let release = crate::review::Release {
        session: None,
        tree,
        by: crate::review::Party {
            kind: crate::review::PartyKind::Human,
            ..crate::review::Party::default()
        },
        reason: "seen".into(),
        until: u64::MAX,
        at: 0,
        policy: None,
        record: None,
        signature: None,
    };
    place.engine().release(release, None).unwrap();
    assert_eq!(ends().action, Action::Allow);
}

#[test]
fn a_pass_that_is_outdated_is_told_once_for_each_pass() {
    let place = working("");
    let told = |answer: &Answer| {
        texts(answer)
            .iter()
            .filter(|t| t.contains("does not count"))
            .count()
    };
    let generate = |to: &str| {
        let answer = shell(&place, to, "python3 gen.py", "", || place.write("src/a.rs", to));
        told(&answer)
    };
    assert_eq!(generate("before\n"), 0, "nothing passed yet");
    shell(&place, "t", "cargo test", PASSED, || ());
    assert_eq!(
        told(&shell(&place, "s", "python3 look.py", "", || ())),
        0,
        "nothing changed"
    );
    assert_eq!(generate("one\n"), 1);
    assert_eq!(generate("two\n"), 0, "once");
    shell(&place, "t", "cargo test", PASSED, || ());
    assert_eq!(generate("three\n"), 1, "another pass in the same turn");
}

#[test]
fn notes_in_a_turn_are_few() {
    let place = working("");
    let mut notes = 0;
    for round in 0..9 {
        shell(&place, &format!("t{round}"), "cargo test", PASSED, || ());
        let content = format!("fn a{round}() {{}}\n");
        let answer = shell(&place, &content, "python3 gen.py", "", || {
            place.write("src/a.rs", &content)
        });
        notes += texts(&answer).len();
    }
    assert_eq!(notes, 6);
    place.main(prompt("Go on."));
    shell(&place, "t", "cargo test", PASSED, || ());
    let answer = shell(&place, "last", "python3 gen.py", "", || {
        place.write("src/a.rs", "fn last() {}\n")
    });
    assert_eq!(texts(&answer).len(), 1, "a person's word begins anew");
}

#[test]
fn a_circle_is_told_once_wherever_it_is_entered() {
    for period in [1, 3, 5] {
        let place = working("");
        let mut stuck = 0;
        for step in 0..(period * 4) {
            let command = format!("grep -c {} src/a.rs", step % period);
            let answer = shell(&place, &command, &command, "0", || ());
            stuck += texts(&answer)
                .iter()
                .filter(|t| t.contains("You are stuck"))
                .count();
        }
        assert_eq!(stuck, 1, "period {period}");
    }
}
