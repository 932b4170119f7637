//! What a task costs, and what a used-up budget changes.

use super::*;
use crate::record::DecisionRecord;
use crate::session::SessionState;
use crate::{Aside, Engine};
use proctor_kernel::{Action, Meter, Metered, Reading, Readings};
use std::cell::Cell;

/// A transcript that grows by so many tokens at each end of a turn.
struct Grows(Cell<u64>);

impl Aside for Grows {
    fn usage(&self, known: &Metered, begins: bool) -> Option<Readings> {
        let offset = known.get("main").map_or(0, |m| m.offset) + 1;
        let meter = Meter {
            offset,
            ..Meter::default()
        };
        let tokens = if begins { 0 } else { self.0.get() };
        Some(Readings::from([("main".to_owned(), Reading { tokens, meter })]))
    }
}

/// Another hook of the session runs from beginning to end while this one reads the transcript.
struct Overtaken<'a> {
    place: &'a Place,
    grows: Grows,
}

impl Aside for Overtaken<'_> {
    fn usage(&self, known: &Metered, begins: bool) -> Option<Readings> {
        let other = event(Some("a"), end("I looked at the parser."));
        self.place.engine().handle(&other, &self.grows);
        self.grows.usage(known, begins)
    }
}

const CLAIM: &str = "I fixed the parser. All tests pass.";

fn state(place: &Place) -> SessionState {
    place.engine().sessions().unwrap().remove(0).1
}

fn after(place: &Place, millis: u64) {
    place.clock.now.set(place.clock.now.get() + millis);
}

fn records(engine: &Engine<Hand>) -> Vec<DecisionRecord> {
    let mut all = Vec::new();
    engine.each_decision(|_, _, record| all.push(record)).unwrap();
    all
}

#[test]
fn a_used_up_budget_of_tokens_leaves_one_word() {
    let place = Place::new("enforcement:\n  budget: {tokens: 1000}\n");
    let grows = Grows(Cell::new(400));
    let handle = |kind| place.engine().handle(&event(None, kind), &grows).decision;
    handle(prompt("Fix the parser."));
    assert_eq!(handle(end(CLAIM)).action, Action::Block);
    assert_eq!(handle(end(CLAIM)).action, Action::Block, "800 of 1000");
    let last = handle(end(CLAIM));
    assert!(last.action < Action::Ask, "{}", last.reason);
    assert!(last.escalated);
    let told = last.alerts.join("\n");
    assert!(
        told.contains("UNREVIEWED") && told.contains("1200 of 1000 tokens"),
        "{told}"
    );

    // A person goes on with the task: it is told once, and then let go.
    handle(prompt("Go on."));
    let first = handle(end(CLAIM));
    assert_eq!(first.action, Action::Block);
    let second = handle(end(CLAIM));
    assert!(second.escalated && second.action < Action::Ask);
    // What claims nothing is not held because of it.
    handle(prompt("Go on."));
    let quiet = handle(end("I looked at the parser."));
    assert!(quiet.action == Action::Allow && !quiet.escalated && quiet.alerts.is_empty());

    // A new task has a budget of its own.
    assert_eq!(state(&place).cost.tokens, 2_400);
    handle(prompt("EXPECTED OUTCOME:\n- [ ] the printer is fixed\n"));
    assert_eq!(state(&place).cost.tokens, 0);

    // Where it is used up before anything was refused, the user hears that with the one word that is left.
    grows.0.set(5_000);
    let first = handle(end(CLAIM));
    assert_eq!(first.action, Action::Block);
    assert!(
        first.alerts.join("\n").contains("is used up"),
        "{:?}",
        first.alerts
    );
    assert!(handle(end(CLAIM)).escalated);

    let spent: Vec<_> = records(&place.engine())
        .into_iter()
        .filter_map(|r| r.spent)
        .collect();
    assert_eq!((spent[0].tokens, spent[0].of_tokens), (400, 1_000));
    assert!(!spent[1].is_over() && spent[2].is_over());
}

#[test]
fn time_is_counted_from_prompt_to_end_without_waiting_for_people() {
    let place = Place::new("enforcement:\n  budget: {seconds: 100}\n");
    place.main(prompt("Fix the parser."));
    after(&place, 30_000);
    place.main(end("I looked at it."));
    // Nobody works between two turns.
    after(&place, 900_000);
    place.main(prompt("Go on."));
    after(&place, 1_000);
    // A permission that took two minutes, for a command of four seconds.
    let shell = call("t1", ToolKind::Shell, "");
    place.main(EventKind::ToolCall { call: shell.clone() });
    after(&place, 124_000);
    let outcome = ToolOutcome {
        ok: Some(true),
        millis: Some(4_000),
        ..ToolOutcome::default()
    };
    place.main(EventKind::ToolResult { call: shell, outcome });
    // A question to the user.
    let question = ToolCall {
        id: Some("t2".into()),
        ..ToolCall::new("AskUserQuestion", ToolKind::Other)
    };
    place.main(EventKind::ToolCall {
        call: question.clone(),
    });
    after(&place, 500_000);
    place.main(EventKind::ToolResult {
        call: question,
        outcome: done(),
    });
    after(&place, 5_000);
    // 30 s, and 1 + 4 + 5 s.
    place.main(end("I looked again."));
    assert_eq!(state(&place).cost.millis, 40_000);

    // A turn that was broken off: what came after its last event was nobody's work.
    place.main(prompt("Go on."));
    after(&place, 2_000);
    place.main(EventKind::ToolCall {
        call: call("t3", ToolKind::Read, "a.rs"),
    });
    after(&place, 700_000);
    place.main(prompt("Leave that, go on."));
    assert_eq!(state(&place).cost.millis, 42_000);
    after(&place, 60_000);
    assert_eq!(place.main(end(CLAIM)).decision.action, Action::Block);
    let told = place.main(end(CLAIM)).decision;
    assert!(told.escalated, "{:?}", told.alerts);
    let told = told.alerts.join("\n");
    assert!(told.contains("102 of 100 s"), "{told}");
    let text = crate::explain::explain("id", "now", records(&place.engine()).last().unwrap());
    assert!(text.contains("102 of 100 s: used up"), "{text}");
}

#[test]
fn what_two_hooks_read_at_once_counts_once() {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    place.sub("a", EventKind::SubagentStart);
    let grows = Grows(Cell::new(400));
    let overtaken = Overtaken { place: &place, grows };
    let stop = event(None, end("I looked at the parser."));
    place.engine().handle(&stop, &overtaken);
    assert_eq!(state(&place).cost.tokens, 400);
    assert_eq!(state(&place).cost.metered["main"].offset, 1);
    // What comes after is read on from there.
    place.engine().handle(&stop, &overtaken.grows);
    assert_eq!(state(&place).cost.tokens, 800);
    let mut stats = crate::stats::Collector::default();
    place
        .engine()
        .each_decision(|id, _, record| stats.add(id, &record))
        .unwrap();
    assert_eq!(stats.finish(&place.engine().settings().response, &[]).tokens, 800);
}

#[test]
fn a_night_is_no_work() {
    let place = Place::new("enforcement:\n  review: {mode: 'off'}\n");
    let night = 54_000_000;
    let tool = |id: &str| EventKind::ToolCall {
        call: call(id, ToolKind::Read, "a.rs"),
    };
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    after(&place, 5_000);
    place.main(tool("t1"));
    // Broken off, left in the morning, and taken up again.
    after(&place, night);
    place.main(EventKind::SessionEnd {
        reason: "exit".to_owned(),
    });
    after(&place, 1_000);
    place.main(start(StartSource::Resume));
    place.main(prompt("Go on."));
    after(&place, 2_000);
    place.main(end("I looked at it."));
    assert_eq!(state(&place).cost.millis, 7_000);
    // The same where nobody told the end.
    place.main(prompt("Go on."));
    after(&place, 1_000);
    place.main(tool("t2"));
    after(&place, night);
    place.main(start(StartSource::Resume));
    after(&place, 1_000);
    place.main(prompt("Go on."));
    place.main(end("I looked at it."));
    assert_eq!(state(&place).cost.millis, 8_000);
    // A machine that sleeps within a turn; compaction is no end of one.
    place.main(prompt("Go on."));
    after(&place, night);
    place.main(tool("t3"));
    after(&place, 1_000);
    place.main(start(StartSource::Compact));
    after(&place, 1_000);
    place.main(end("I looked at it."));
    assert_eq!(state(&place).cost.millis, 8_000 + 600_000 + 2_000);
}

#[test]
fn a_reviewers_tokens_are_the_tasks_that_it_reviewed() {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("EXPECTED OUTCOME:\n- [ ] src/a.rs parses lists\n"));
    place.write("src/a.rs", "fn a() {}\n");
    let review = place.engine().request_review(Some("s1")).unwrap();
    let last = state(&place).cost.last;
    after(&place, 5_000);
    let charge = |launch: &str, tokens| place.engine().charge_review(&review, launch, tokens, 1).unwrap();
    charge("l1", 700);
    charge("l1", 700);
    charge("l2", 50);
    charge("l3", 0);
    assert_eq!(state(&place).cost.tokens, 750);
    assert_eq!(state(&place).cost.last, last, "it is nobody's sign of life");
    // Of three that one look takes, each is charged as a third of one; the figure tells what was used.
    let of_three = |launch: &str| place.engine().charge_review(&review, launch, 1_000, 3).unwrap();
    of_three("p1");
    of_three("p1");
    of_three("p2");
    let cost = state(&place).cost;
    let spent = cost.of(&proctor_policy::Settings::default().budget, 0);
    assert_eq!((spent.tokens, spent.of_tokens), (2_750, 50_000 + 2 * 666));
    // What ends when another task has begun is not charged to that one.
    place.main(prompt("EXPECTED OUTCOME:\n- [ ] src/b.rs is written\n"));
    charge("l4", 900);
    assert_eq!((state(&place).cost.tokens, state(&place).cost.beyond), (0, 0));
    // An unknown session pays nothing, and no log is made for it.
    let unknown = crate::review::Review {
        session: "test-other".into(),
        ..review.clone()
    };
    place.engine().charge_review(&unknown, "l5", 9, 1).unwrap();
    assert_eq!(place.engine().sessions().unwrap().len(), 1);
    assert_eq!(place.engine().charged_tokens().unwrap(), 5_350);
}
