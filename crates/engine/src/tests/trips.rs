//! An agent that went round in circles until it was stopped.

use super::*;
use proctor_kernel::Action;

fn runs(place: &Place, name: &str, kind: ToolKind, input: &str) -> Answer {
    let call = ToolCall {
        id: Some("t".into()),
        input: Digest::of(input.as_bytes()),
        ..ToolCall::new(name, kind)
    };
    let answer = place.main(EventKind::ToolCall { call: call.clone() });
    if answer.decision.action == Action::Allow {
        let outcome = ToolOutcome {
            ok: Some(false),
            output: Some("error: no".into()),
            ..ToolOutcome::default()
        };
        place.main(EventKind::ToolResult { call, outcome });
    }
    answer
}

#[test]
fn it_may_ask_a_person_and_end_its_turn_and_the_user_is_told() {
    let place = Place::new("enforcement:\n  todo: {mode: enforce}\n");
    place.main(prompt(
        "Please do this.\nEXPECTED OUTCOME:\n- write src/a.rs\n- write src/b.rs\n",
    ));
    assert_eq!(
        place.main(end("I looked around a little more.")).decision.action,
        Action::Block,
        "work is open"
    );
    let tripped = (0..30).any(|_| {
        let alerts = runs(&place, "Fetch", ToolKind::Other, "same").decision.alerts;
        alerts.iter().any(|a| a.contains("round in circles"))
    });
    assert!(tripped);
    let asked = |name: &str| {
        runs(&place, name, ToolKind::Other, "how to go on?")
            .decision
            .action
    };
    assert_eq!(asked("AskUserQuestion"), Action::Allow);
    assert_eq!(asked("ExitPlanMode"), Action::Allow);
    assert_eq!(asked("Fetch"), Action::Block);
    let last = place.main(end("I looked around a little more.")).decision;
    assert_eq!(last.action, Action::Allow);
    assert!(
        last.alerts.iter().any(|a| a.contains("UNREVIEWED")),
        "{:?}",
        last.alerts
    );
    place.main(prompt("Go on."));
    assert_eq!(
        place.main(end("I looked around a little more.")).decision.action,
        Action::Block
    );
}
