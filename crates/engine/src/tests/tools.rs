//! Modes of gates by tool.

use super::*;
use proctor_kernel::{Action, EventTag, Mode};

fn fails(place: &Place, name: &str) -> Answer {
    let call = ToolCall {
        id: Some("t".into()),
        input: Digest::of(b"the same"),
        ..ToolCall::new(name, ToolKind::Other)
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

fn refused(place: &Place, name: &str) -> usize {
    let refused = |_: &i32| fails(place, name).decision.action == Action::Block;
    (0..12).filter(refused).count()
}

#[test]
fn a_tool_may_repeat_itself_where_the_policy_says_so() {
    let place = Place::new("enforcement: {tools: {'Poll|mcp__jobs__*': {loop: off}}}\n");
    place.main(prompt("Please do this."));
    assert_eq!(refused(&place, "Poll"), 0);
    assert_eq!(refused(&place, "mcp__jobs__status"), 0);
    assert!(refused(&place, "mcp__other__status") > 0);
    // What others did before does not tell against it, and their circle does not hold it.
    assert_eq!(refused(&place, "Poll"), 0);
}

#[test]
fn a_baseline_and_a_stricter_exception() {
    let place = Place::new("enforcement: {tools: {'*': {loop: observe}, Fetch: {loop: enforce}}}\n");
    place.main(prompt("Please do this."));
    assert_eq!(refused(&place, "Poll"), 0);
    assert!(refused(&place, "Fetch") > 0);
    let modes = |name: &str| {
        let reports = fails(&place, name).decision.reports;
        reports.iter().find(|r| r.gate == "loop").map(|r| r.mode)
    };
    assert_eq!(modes("Poll"), Some(Mode::Observe));
    assert_eq!(modes("Fetch"), Some(Mode::Enforce));
}

#[test]
fn a_delegation_is_refused_for_the_tool_that_is_named() {
    let place =
        Place::new("enforcement: {delegation: {mode: observe}, tools: {delegate: {delegation: enforce}}}\n");
    place.main(prompt("Please do this."));
    let call = delegating("t", "just look at it");
    let answer = place.main(EventKind::ToolCall { call });
    assert_eq!(answer.decision.action, Action::Block);
}

#[test]
fn a_call_that_cannot_be_read_is_the_strictest_case() {
    let closed = |policy: &str| Place::new(policy).engine().tool_fails_closed(false);
    assert!(!closed("enforcement: {loop: {mode: warn, on_error: block}}\n"));
    assert!(closed(
        "enforcement: {loop: {mode: warn, on_error: block}, tools: {Fetch: {loop: enforce}}}\n"
    ));
    assert!(!closed("enforcement: {tools: {Fetch: {loop: enforce}}}\n"));
}

#[test]
fn the_gates_that_may_be_named_are_those_that_look_at_tools() {
    let looks = |info: &&&proctor_kernel::GateInfo| {
        info.events.contains(&EventTag::ToolCall) || info.events.contains(&EventTag::ToolResult)
    };
    let gates = proctor_gates::REGISTRY.iter().filter(looks).map(|info| info.id);
    let mut named = proctor_policy::TOOL_GATES.to_vec();
    let mut gates: Vec<&str> = gates.collect();
    named.sort_unstable();
    gates.sort_unstable();
    assert_eq!(gates, named);
}
