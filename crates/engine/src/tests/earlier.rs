//! Claims of texts before the last one of a turn.

use super::approval::{PASSED, edited, ran, working};
use super::*;
use proctor_kernel::Action;

/// A text that the person reads while the turn goes on, and the tool call behind it.
fn says(place: &Place, text: &str) {
    place.main(EventKind::Display {
        message: text.into(),
        index: 0,
        last: true,
        text: text.into(),
    });
    ran(place, "ls", 0, "src\n");
}

fn ends(place: &Place, text: &str) -> (Action, String) {
    let decision = place.main(end(text)).decision;
    (decision.action, decision.reason)
}

const LAST: &str = "src/a.rs is changed.";
const FAILED: &str = "test result: FAILED. 1 passed; 2 failed;";

#[test]
fn what_an_earlier_text_claims_without_a_run_holds_the_end_of_the_turn_once() {
    let place = working();
    says(&place, "All tests pass and the build is clean.");
    let (action, reason) = ends(&place, LAST);
    assert_eq!(action, Action::Block, "{reason}");
    assert!(
        reason.contains("Claimed earlier in this turn") && reason.contains("All tests pass"),
        "{reason}"
    );
    // The agent was told; a last text without the claim is the way out.
    assert_eq!(
        ends(&place, "src/a.rs is changed; no tests were run.").0,
        Action::Allow
    );
    // In Korean.
    let place = working();
    says(&place, "테스트가 모두 통과합니다.");
    let (action, reason) = ends(&place, "src/a.rs를 고쳤습니다.");
    assert!(action == Action::Block && reason.contains("앞선 글"), "{reason}");
}

#[test]
fn a_run_that_comes_later_supports_it() {
    let place = working();
    says(&place, "All tests pass.");
    ran(&place, "cargo test", 0, PASSED);
    assert_eq!(ends(&place, LAST).0, Action::Allow);
    // One that fails does not.
    let place = working();
    says(&place, "All tests pass.");
    ran(&place, "cargo test", 101, FAILED);
    assert_eq!(ends(&place, LAST).0, Action::Block);
}

#[test]
fn what_was_true_of_a_state_that_is_past_is_no_claim_of_this_one() {
    // Of the work as it was found.
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    ran(&place, "cargo test", 0, PASSED);
    says(&place, "Before I begin: all tests pass.");
    edited(&place, "src/a.rs", "fn a() {}\n");
    let (action, reason) = ends(&place, LAST);
    assert_eq!(action, Action::Allow, "{reason}");
    // Changed and checked again: what came of that is what counts.
    let place = working();
    ran(&place, "cargo test", 0, PASSED);
    says(&place, "All tests pass.");
    edited(&place, "src/a.rs", "fn a() { b() }\n");
    ran(&place, "cargo test", 101, FAILED);
    let (action, reason) = ends(&place, LAST);
    assert_eq!(action, Action::Allow, "{reason}");
    // Changed and not checked again: it was so when it was said. Said again at the end it is not.
    let place = working();
    ran(&place, "cargo test", 0, PASSED);
    says(&place, "All tests pass.");
    edited(&place, "src/a.rs", "fn a() { b() }\n");
    let (action, reason) = ends(&place, LAST);
    assert_eq!(action, Action::Allow, "{reason}");
    let place = working();
    ran(&place, "cargo test", 0, PASSED);
    edited(&place, "src/a.rs", "fn a() { b() }\n");
    says(&place, "All tests pass.");
    let (action, reason) = ends(&place, LAST);
    assert!(
        action == Action::Block && reason.contains("after the last edit of src/a.rs"),
        "{reason}"
    );
    // A lie becomes no truth by being checked later with another result.
    let place = working();
    says(&place, "All tests pass.");
    edited(&place, "src/a.rs", "fn a() { b() }\n");
    ran(&place, "cargo test", 101, FAILED);
    assert_eq!(ends(&place, LAST).0, Action::Block);
}

#[test]
fn who_says_that_it_is_not_so_any_more_is_not_held() {
    let place = working();
    says(&place, "All tests pass.");
    ran(&place, "cargo test", 101, FAILED);
    let (action, reason) = ends(&place, "2 tests fail: `b` is missing.");
    assert_eq!(action, Action::Allow, "{reason}");
}

#[test]
fn an_edit_that_no_tree_shows_outdates_what_was_checked() {
    for path in [".proctor/impl.py", ".git/impl.py"] {
        let place = working();
        ran(&place, "cargo test", 0, PASSED);
        place.clock.now.set(place.clock.now.get() + 1_000);
        edited(&place, path, "x\n");
        let (action, reason) = ends(&place, "All tests pass.");
        assert!(
            action == Action::Block && reason.contains(&format!("after the last edit of {path}")),
            "{path}: {reason}"
        );
        ran(&place, "cargo test", 0, PASSED);
        assert_eq!(ends(&place, "All tests pass.").0, Action::Allow, "{path}");
    }
    // A policy is no part of what is tested.
    let place = working();
    ran(&place, "cargo test", 0, PASSED);
    edited(&place, ".proctor/notes.md", "x\n");
    assert_eq!(ends(&place, "All tests pass.").0, Action::Allow);
    // It is a change that needs a review.
    let place = Place::new("enforcement: { approval: { require: changes } }\n");
    place.main(start(StartSource::Startup));
    place.main(prompt("Change the script."));
    place.clock.now.set(place.clock.now.get() + 1_000);
    edited(&place, ".proctor/run.sh", "true\n");
    let (action, reason) = ends(&place, "It is in place.");
    assert!(
        action == Action::Block && reason.contains(".proctor/run.sh"),
        "{reason}"
    );
}

#[test]
fn a_new_prompt_ends_the_turn_and_its_claims() {
    let place = working();
    says(&place, "All tests pass.");
    place.main(prompt("Leave that, and tell me what the reader does."));
    assert_eq!(ends(&place, "It reads the file into rows.").0, Action::Allow);
}
