//! Reviewers that the end of a turn starts, and checks that are rewritten before they run.

use super::*;
use crate::review::{Judgement, NewFinding, Severity, Standing};
use crate::review::{Party, PartyKind, ReviewEvent, ReviewVerdict};
use crate::{Aside, Launched};
use proctor_kernel::Action;
use std::cell::Cell;

/// What a reviewer does, and how often one was started.
struct Reviews<'a> {
    started: Cell<u32>,
    does: &'a dyn Fn() -> Launched,
}

impl Aside for Reviews<'_> {
    fn review(&self, session: &str, _seconds: u64) -> Launched {
        assert_eq!(session, "test-s1");
        self.started.set(self.started.get() + 1);
        (self.does)()
    }
}

/// A session that changed a file; the user's own policy lets reviewers be started.
fn worked() -> Place {
    let place = Place::new("");
    let own = place.folder.path().join("own.yaml");
    std::fs::write(
        &own,
        "version: 1\nenforcement:\n  approval: {require: changes, launch_reviewer: true}\n  review: {level: text}\n",
    )
    .unwrap();
    handle(&place, start(StartSource::Startup), &());
    handle(&place, prompt("Fix the parser."), &());
    place.write("src/a.rs", "fn a() {}\n");
    place
}

fn handle(place: &Place, kind: EventKind, aside: &dyn Aside) -> Answer {
    let surroundings = Surroundings {
        user_policy: Some(place.folder.path().join("own.yaml")),
        ..place.surroundings()
    };
    place.clock.now.set(place.clock.now.get() + 1_000);
    Engine::open(surroundings, place.clock.clone()).handle(&event(None, kind), aside)
}

fn begins(place: &Place) -> proctor_kernel::Id {
    let mut engine = place.engine();
    let review = engine.request_review(Some("s1")).unwrap();
    engine
        .record_review(vec![ReviewEvent::Started {
            review: review.id.clone(),
            reviewer: launched(),
        }])
        .unwrap();
    review.id
}

fn launched() -> Party {
    Party {
        kind: PartyKind::Launched,
        ..Party::default()
    }
}

fn refuses(place: &Place, review: &proctor_kernel::Id) {
    let finding = NewFinding {
        text: "an empty list panics".into(),
        severity: Severity::Blocking,
        path: None,
        line: None,
    };
    let judgement = Judgement {
        verdict: ReviewVerdict::Reject,
        words: String::new(),
        findings: vec![finding],
        reviewer: launched(),
        tree: None,
    };
    place.engine().judge(review, judgement).unwrap();
}

#[test]
fn a_review_that_takes_long_lets_the_turn_end_and_is_told_with_the_next_event() {
    let place = worked();
    let slow = Reviews {
        started: Cell::new(0),
        does: &|| {
            begins(&place);
            Launched::AtWork
        },
    };
    let answer = handle(&place, end("I changed the parser."), &slow);
    assert_eq!(answer.decision.action, Action::Allow);
    assert!(
        answer.decision.alerts.join("\n").contains("is at work"),
        "{:?}",
        answer.decision.alerts
    );
    // While it works nobody else is started, and nothing is told.
    let quiet = handle(&place, prompt("How is it going?"), &slow);
    assert!(quiet.decision.notes.is_empty(), "{:?}", texts(&quiet));
    handle(&place, end("It is being reviewed."), &slow);
    assert_eq!(slow.started.get(), 1);

    let review = place.engine().reviews().unwrap().reviews[0].id.clone();
    refuses(&place, &review);
    let told = handle(&place, prompt("And now?"), &slow);
    assert!(
        texts(&told).join("\n").contains("an empty list panics"),
        "{:?}",
        texts(&told)
    );
    assert!(
        texts(&handle(&place, prompt("And?"), &slow)).is_empty(),
        "told once"
    );
    // The refused state is not reviewed again.
    let held = handle(&place, end("I changed the parser."), &slow).decision;
    assert!(held.action == Action::Block && held.reason.contains("an empty list panics"));
    assert_eq!(slow.started.get(), 1);
}

#[test]
fn a_reviewer_at_work_lets_its_own_tree_go_alone_and_is_heard_of() {
    let place = worked();
    let fails = Reviews {
        started: Cell::new(0),
        does: &|| Launched::Failed("no host".into()),
    };
    // Somebody else has started it.
    let review = begins(&place);
    let first = handle(&place, end("I changed the parser."), &fails).decision;
    assert_eq!(first.action, Action::Allow);
    assert!(
        first.alerts.iter().any(|a| a.contains("at work on this")),
        "{first:?}"
    );
    let second = handle(&place, end("I changed the parser."), &fails).decision;
    assert_eq!(
        (second.action, second.alerts),
        (Action::Allow, Vec::new()),
        "told once"
    );
    assert_eq!(fails.started.get(), 0);

    // What is written meanwhile is looked at by nobody.
    place.write("src/b.rs", "fn b() {}\n");
    let held = handle(&place, end("I changed the parser."), &fails).decision;
    assert_eq!((held.action, fails.started.get()), (Action::Block, 1));
    let quiet = handle(&place, prompt("How is it going?"), &fails);
    assert!(quiet.decision.notes.is_empty(), "{:?}", texts(&quiet));
    refuses(&place, &review);
    let told = texts(&handle(&place, prompt("And now?"), &fails)).join("\n");
    assert!(told.contains("an empty list panics"), "{told}");
}

#[test]
fn what_the_work_lacks_in_a_clean_folder_is_said() {
    let place = worked();
    let lacking = Reviews {
        started: Cell::new(0),
        does: &|| Launched::Lacking(vec!["no run of `check`".into()]),
    };
    let held = handle(&place, end("I changed the parser."), &lacking).decision;
    assert!(
        held.action == Action::Block
            && held
                .reason
                .contains("clean folder with exactly this tree: no run of `check`"),
        "{}",
        held.reason
    );
}

#[test]
fn a_reviewer_that_was_killed_is_not_waited_for_for_ever() {
    let place = worked();
    let dies = Reviews {
        started: Cell::new(0),
        does: &|| {
            begins(&place);
            Launched::AtWork
        },
    };
    handle(&place, end("I changed the parser."), &dies);
    let standing = |place: &Place| {
        let engine = place.engine();
        let (book, tree) = (engine.reviews().unwrap(), engine.tree().unwrap());
        let standing = book.standing(
            None,
            tree.as_ref(),
            engine.clock().now(),
            &engine.requirements(&book, tree.as_ref()),
        );
        matches!(standing, Standing::InReview(_))
    };
    assert!(standing(&place));
    place.clock.now.set(place.clock.now.get() + 725_000);
    assert!(!standing(&place));
    // The next end of a turn starts another one.
    handle(&place, end("I changed the parser."), &dies);
    assert_eq!(dies.started.get(), 2);
}

#[test]
fn a_reviewer_is_started_only_when_nothing_else_is_missing() {
    let place = worked();
    let never = Reviews {
        started: Cell::new(0),
        does: &|| Launched::Failed("no host".into()),
    };
    // A claim without support comes first; a question, a subagent and waiting work end no turn of this sort.
    let held = handle(&place, end("I changed the parser. All tests pass."), &never).decision;
    assert_eq!(held.action, Action::Block);
    handle(&place, end("Should the parser accept an empty list?"), &never);
    let waits = EventKind::TurnEnd {
        text: "It runs.".into(),
        again: false,
        background: 1,
    };
    handle(&place, waits, &never);
    assert_eq!(never.started.get(), 0);
    let held = handle(&place, end("I changed the parser."), &never).decision;
    assert_eq!((held.action, never.started.get()), (Action::Block, 1));
    assert!(
        held.reason.contains("could not be started: no host") && held.reason.contains("no verdict"),
        "{}",
        held.reason
    );
}

/// A machine on which Proctor has this path.
struct At(&'static str);

impl Aside for At {
    fn program(&self) -> Option<String> {
        Some(self.0.to_owned())
    }
}

fn rewritten(place: &Place, command: &str, at: &'static str) -> Option<String> {
    let shell = ToolCall {
        id: Some("t1".into()),
        command: Some(command.into()),
        input: Digest::of(command.as_bytes()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    };
    let decision = place
        .engine()
        .handle(&event(None, EventKind::ToolCall { call: shell }), &At(at))
        .decision;
    assert_eq!(decision.text.is_some(), decision.action == Action::Modify);
    decision.text
}

#[test]
fn which_commands_are_rewritten() {
    let place = Place::new(
        "enforcement:\n  approval: {rewrite: true}\nverification:\n- {name: own, run: sh check.sh}\n",
    );
    for (command, tail) in [
        ("cargo test", "cargo test"),
        (
            "  cargo test -p core --lib 'a  b' \"c d\"",
            "cargo test -p core --lib 'a  b' \"c d\"",
        ),
        ("npm test", "npm test"),
        ("sh check.sh", "sh check.sh"),
        ("pytest -k 빈_목록", "pytest -k 빈_목록"),
        ("python3 -m pytest -q", "python3 -m pytest -q"),
        ("python3.12 -m unittest", "python3.12 -m unittest"),
    ] {
        let line = rewritten(&place, command, "/opt/p/proctor");
        assert_eq!(
            line.as_deref(),
            Some(format!("/opt/p/proctor run-check -- {tail}").as_str())
        );
    }
    for command in [
        "ls",
        "cargo test | tail",
        "cargo test; true",
        "cargo test && echo ok",
        "cargo test &",
        "cd core && cargo test",
        "(cargo test)",
        "FLAG=1 cargo test",
        "timeout 5 cargo test",
        "cargo test > out.txt",
        "cargo test $FILTER",
        "cargo test '$x'",
        "cargo test `name`",
        "cargo test a\\ b",
        "cargo test *",
        "cargo test\ncargo build",
        "if cargo test; then true; fi",
        "/opt/p/proctor run-check -- cargo test",
        "cargo test 'open",
        "",
    ] {
        assert_eq!(rewritten(&place, command, "/opt/p/proctor"), None, "{command}");
    }
    let line = rewritten(&place, "cargo test", "/my apps/it's/proctor").unwrap();
    assert_eq!(line, r"'/my apps/it'\''s/proctor' run-check -- cargo test");
    // Off unless somebody asks for it.
    assert_eq!(rewritten(&Place::new(""), "cargo test", "/opt/p/proctor"), None);
}

#[test]
fn a_rewritten_call_that_repeats_itself_is_still_seen() {
    let place = Place::new("enforcement:\n  approval: {rewrite: true}\n");
    place.main(prompt("Fix the build."));
    let mut last = None;
    for n in 0..5 {
        let id = format!("t{n}");
        let asked = ToolCall {
            id: Some(id.clone()),
            command: Some("cargo test".into()),
            input: Digest::of(b"cargo test"),
            ..ToolCall::new("Bash", ToolKind::Shell)
        };
        let kind = EventKind::ToolCall { call: asked.clone() };
        let decision = place
            .engine()
            .handle(&event(None, kind), &At("/opt/p/proctor"))
            .decision;
        last = Some(decision.action);
        // The host tells the new command with the result.
        let line = decision.text.unwrap_or_default();
        let ran = ToolCall {
            input: Digest::of(line.as_bytes()),
            command: Some(line),
            ..asked
        };
        let outcome = ToolOutcome {
            ok: Some(false),
            exit: Some(101),
            output: Some("error: no".into()),
            ..ToolOutcome::default()
        };
        place.main(EventKind::ToolResult { call: ran, outcome });
    }
    assert_eq!(last, Some(Action::Block), "the fifth time");
}

#[test]
fn the_cache_of_trees_outlives_a_session_that_ends() {
    let place = worked();
    handle(&place, end("I looked at it?"), &());
    let before = place.engine().tree().unwrap();
    let ends = EventKind::SessionEnd {
        reason: "other".into(),
    };
    handle(&place, ends, &());
    assert_eq!(place.engine().tree().unwrap(), before);
    assert!(place.engine().fsck(false).unwrap().findings.is_empty());
}
