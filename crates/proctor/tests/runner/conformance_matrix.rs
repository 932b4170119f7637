//! Each cell of the host's matrix that says "enforced" names the test in which the real host shows it, or stands
//! among those that were measured by hand, with the reason, in the document too.

use crate::support::workspace;
use proctor_hosts::claude::matrix::CELLS;
use proctor_hosts::matrix::Support;
use std::collections::BTreeSet;

/// Event, answer, and the test that asserts what the host did with it.
const SHOWN: &[(&str, &str, &str)] = &[
    (
        "UserPromptSubmit",
        "block",
        "conformance_life::doctor_proves_with_a_canary_that_hooks_fire",
    ),
    (
        "UserPromptSubmit",
        "note",
        "conformance_gates::a_background_agents_downgraded_approval_reaches_the_parent_too",
    ),
    (
        "PreToolUse",
        "block",
        "conformance_gates::a_delegation_without_its_sections_is_denied",
    ),
    (
        "PreToolUse",
        "modify",
        "conformance_runs::a_check_is_rewritten_and_run_by_proctor",
    ),
    (
        "PreToolUse",
        "note",
        "conformance_gates::a_soft_finding_reaches_the_model_as_context_only",
    ),
    (
        "PreToolUse",
        "broken hook",
        "conformance_life::a_hook_that_crashes_or_is_gone_stops_tool_calls",
    ),
    (
        "PostToolUse",
        "modify",
        "conformance_gates::an_approval_without_evidence_reaches_the_parent_as_needs_review",
    ),
    (
        "PostToolUse",
        "note",
        "conformance_witness::an_edit_after_the_check_makes_it_stale_and_is_told_within_the_turn",
    ),
    (
        "Stop",
        "block",
        "conformance_gates::a_stop_with_an_open_item_is_blocked_and_then_released",
    ),
    (
        "Stop",
        "alert",
        "conformance_gates::a_stop_that_makes_no_progress_is_let_go_unreviewed",
    ),
    (
        "SubagentStop",
        "block",
        "conformance_gates::flattery_between_agents_is_sent_back",
    ),
    (
        "MessageDisplay",
        "modify",
        "conformance_gates::a_downgraded_text_of_a_delegated_session_reaches_its_reader",
    ),
    (
        "SessionStart",
        "note",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "UserPromptSubmit",
        "alert",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "PreToolUse",
        "alert",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "PostToolUse",
        "alert",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "PostToolUseFailure",
        "note",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "PostToolUseFailure",
        "alert",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "SubagentStart",
        "note",
        "conformance_cells::answers_that_let_go_are_delivered",
    ),
    (
        "UserPromptSubmit",
        "ask",
        "conformance_cells::answers_that_refuse_are_obeyed",
    ),
    (
        "PreToolUse",
        "ask",
        "conformance_cells::answers_that_refuse_are_obeyed",
    ),
    (
        "PreCompact",
        "block",
        "conformance_cells::answers_that_refuse_are_obeyed",
    ),
    (
        "PreCompact",
        "ask",
        "conformance_cells::answers_that_refuse_are_obeyed",
    ),
    ("Stop", "ask", "conformance_cells::answers_that_refuse_are_obeyed"),
    (
        "SubagentStop",
        "ask",
        "conformance_cells::answers_that_refuse_are_obeyed",
    ),
];

/// Measured with the real host by hand, because no run without a person shows it; with the reason.
const BY_HAND: &[(&str, &str, &str)] = &[];

#[test]
fn every_enforced_cell_names_its_test_or_is_said_to_have_none() {
    let enforced: BTreeSet<(&str, &str)> = CELLS
        .iter()
        .filter(|cell| cell.support == Support::Enforced)
        .map(|cell| (cell.event, cell.answer.as_str()))
        .collect();
    let mut named = BTreeSet::new();
    for (event, answer, test) in SHOWN {
        assert!(
            named.insert((*event, *answer)),
            "{event} {answer} stands here twice"
        );
        let (module, name) = test.split_once("::").unwrap();
        let file = workspace().join(format!("crates/proctor/tests/runner/{module}.rs"));
        let code = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            code.contains(&format!("#[test]\nfn {name}() {{")),
            "{event} {answer} names {test}, which does not exist"
        );
    }
    let document = std::fs::read_to_string(workspace().join("docs/hosts/claude.md")).unwrap();
    for (event, answer, why) in BY_HAND {
        assert!(
            named.insert((*event, *answer)),
            "{event} {answer} stands here twice"
        );
        let line = format!("- {event} {answer}: {why}\n");
        assert!(
            document.contains(&line),
            "docs/hosts/claude.md does not say:\n{line}"
        );
    }
    assert_eq!(
        named, enforced,
        "the cells that say enforced, and those named here"
    );
}
