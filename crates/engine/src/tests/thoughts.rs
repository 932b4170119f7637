//! What the engine remembers of an agent's texts, and what the gate `drift` makes of it.

use super::*;
use crate::session::AgentState;
use proctor_kernel::{Action, Status};

const STRICT: &str = "preset: strict\nenforcement:\n  response: {mode: off, human_facing: {mode: off}}\n  todo: {mode: off}\n  scope: {mode: off}\n  approval: {mode: off}\n";

fn show(message: &str, text: &str) -> EventKind {
    EventKind::Display {
        message: message.into(),
        index: 0,
        last: true,
        text: text.into(),
    }
}

fn me(place: &Place, agent: &str) -> AgentState {
    place.engine().sessions().unwrap()[0].1.agent(agent)
}

fn drift(answer: &Answer) -> Option<&proctor_kernel::GateReport> {
    answer.decision.reports.iter().find(|r| r.gate == "drift")
}

const SAME: &str = "The build fails again with E0382, I run it once more.";

#[test]
fn a_turn_that_goes_round_is_told_once_and_on_the_way() {
    let place = Place::new("");
    place.main(prompt("Fix the build."));
    for id in ["m1", "m2"] {
        let answer = place.main(show(id, SAME));
        assert!(drift(&answer).is_none(), "two texts are too few");
        place.main(EventKind::ToolCall {
            call: call(id, ToolKind::Shell, ""),
        });
    }
    let answer = place.main(show("m3", SAME));
    assert_eq!(answer.decision.action, Action::Allow);
    assert_eq!(drift(&answer).unwrap().findings.len(), 1);
    // What is shown cannot carry the note; the next tool call does.
    assert!(texts(&answer).is_empty());
    let next = place.main(EventKind::ToolCall {
        call: call("t3", ToolKind::Shell, ""),
    });
    assert!(
        texts(&next).join("\n").contains("No progress"),
        "{:?}",
        texts(&next)
    );
    // The same again is recorded and not said again.
    assert!(drift(&place.main(show("m4", SAME))).unwrap().findings.is_empty());
    assert!(me(&place, "").repeats, "the gate `loop` hears of it");
    // A text that was shown and ends the turn is one thought, not two.
    place.main(end(SAME));
    assert_eq!(me(&place, "").thoughts, [SAME; 4]);
    // A person speaks: what was before is no loop.
    place.main(prompt("Go on."));
    assert!(me(&place, "").thoughts.is_empty() && !me(&place, "").repeats);
}

#[test]
fn in_strict_mode_a_loop_is_sent_back_and_ends() {
    let place = Place::new(STRICT);
    place.main(prompt("Fix the build."));
    place.sub("a1", EventKind::SubagentStart);
    for _ in 0..2 {
        assert_eq!(place.sub("a1", end(SAME)).decision.action, Action::Allow);
    }
    let blocked = place.sub("a1", end(SAME));
    assert_eq!(blocked.decision.action, Action::Block);
    assert!(
        blocked.decision.reason.contains("No progress"),
        "{}",
        blocked.decision.reason
    );
    // Another agent of the session has its own thoughts.
    place.sub("a2", EventKind::SubagentStart);
    assert_eq!(place.sub("a2", end(SAME)).decision.action, Action::Allow);
    // News is let through, and no loop of refusals is endless.
    let news = "`src/a.rs` moves the buffer in line 12; cloning it builds.";
    assert_eq!(place.sub("a1", end(news)).decision.action, Action::Allow);
    let place = Place::new(STRICT);
    place.main(prompt("Fix the build."));
    place.sub("a1", EventKind::SubagentStart);
    let last = (0..12)
        .map(|_| place.sub("a1", end(SAME)).decision)
        .find(|d| d.escalated);
    assert!(last.is_some_and(|d| d.action != Action::Block));
}

#[test]
fn a_refused_text_that_comes_again_is_not_told_twice() {
    let place = Place::new("");
    place.main(prompt("Review it."));
    place.sub("a1", EventKind::SubagentStart);
    for _ in 0..2 {
        assert_eq!(
            place.sub("a1", end("APPROVE - looks good!")).decision.action,
            Action::Block
        );
    }
    let answer = place.sub("a1", end("APPROVE - looks good!"));
    assert_eq!(answer.decision.action, Action::Modify);
    assert_eq!(drift(&answer).unwrap().mode, proctor_kernel::Mode::Observe);
    assert!(
        !texts(&answer).join("\n").contains("No progress"),
        "{:?}",
        texts(&answer)
    );
}

#[test]
fn waiting_for_work_in_the_background_is_no_fault() {
    let place = Place::new(STRICT);
    place.main(prompt("Run the suite."));
    for _ in 0..4 {
        let waiting = EventKind::TurnEnd {
            text: "Still waiting for the suite.".into(),
            again: false,
            background: 1,
        };
        assert_eq!(place.main(waiting).decision.action, Action::Allow);
    }
}

#[test]
fn what_is_remembered_is_bounded() {
    let place = Place::new("");
    place.main(prompt("Write."));
    for n in 0..30 {
        place.main(end(&format!("Part {n}. {}", "가나다 ".repeat(2_000))));
    }
    let thoughts = me(&place, "").thoughts;
    assert_eq!(thoughts.len(), 20);
    assert!(thoughts.iter().all(|t| t.len() <= 2 << 10));
}

#[test]
fn an_embedder_that_fails_is_told_and_replaced() {
    let policy = |fallback: bool| {
        format!(
            "enforcement:\n  drift: {{mode: warn, method: cosine, embedder: {{kind: file, path: nowhere, fallback: {fallback}}}}}\n"
        )
    };
    let judged = |policy: &str| {
        let place = Place::new(policy);
        place.main(prompt("Fix the build."));
        place.main(end(SAME));
        place.main(end(SAME));
        place.main(end(SAME))
    };
    let answer = judged(&policy(true));
    let report = drift(&answer).unwrap();
    assert_eq!(report.findings.len(), 1);
    assert!(
        report.data["fell_back"]
            .as_str()
            .unwrap()
            .contains("there is no model"),
        "{report:?}"
    );
    let answer = judged(&policy(false));
    let report = drift(&answer).unwrap();
    assert!(
        matches!(&report.status, Status::CouldNotRun { why } if why.contains("there is no model")),
        "{report:?}"
    );
}

#[test]
fn the_older_rule_compares_the_last_three() {
    let place = Place::new("enforcement:\n  drift: {mode: warn, method: cosine}\n");
    place.main(prompt("Fix the build."));
    place.main(end("Adding the header to a.rs."));
    place.main(end(SAME));
    place.main(end(&SAME.to_uppercase()));
    let answer = place.main(end(SAME));
    let report = drift(&answer).unwrap();
    assert_eq!(report.findings.len(), 1, "{report:?}");
    assert!(report.data["cosine"].as_f64().unwrap() > 0.99, "{report:?}");
    // In other words it sees nothing; the default method does.
    let answer = place.main(end("E0382 is back, so I start the build another time."));
    assert!(drift(&answer).unwrap().findings.is_empty());
}
