//! What was left unreviewed stays in what needs a review, whoever finds it.

use super::approval::edited;
use super::*;
use crate::review::{Judgement, Party, PartyKind, Release, ReviewVerdict, Standing, Taken};
use proctor_kernel::Action;

const POLICY: &str = "enforcement: { approval: { require: changes }, review: { level: text } }\n";

/// An agent that changed a file at the word of a person.
fn at_work() -> Place {
    let place = Place::new(POLICY);
    place.main(start(StartSource::Startup));
    place.main(prompt("Improve a."));
    edited(&place, "src/a.rs", "fn a() {}\n");
    place
}

/// An event of another session than the one of [`at_work`].
fn other(place: &Place, kind: EventKind) -> Answer {
    let event = Event {
        session: "s2".into(),
        ..event(None, kind)
    };
    place.clock.now.set(place.clock.now.get() + 1_000);
    place.handle(&event)
}

/// What `proctor review check` asks a session's work for, and how it stands.
fn checked(place: &Place, session: &str) -> (Option<String>, &'static str) {
    let mut engine = place.engine();
    engine.hold_to_the_task(Some(session)).unwrap();
    let (log, state) = engine.session(Some(session)).unwrap().unwrap();
    let missing = engine.review_missing(Some(&state)).unwrap();
    let (book, tree) = (engine.reviews().unwrap(), engine.tree().unwrap());
    let required = engine.requirements_of_work(&book, tree.as_ref(), Some(&state));
    let standing = book.standing(Some(&log), tree.as_ref(), engine.clock().now(), &required);
    (missing.map(|finding| finding.message), standing.as_str())
}

fn ends(place: &Place) -> (Action, String) {
    let decision = place.main(end("a is improved.")).decision;
    (decision.action, decision.reason)
}

fn approved(place: &Place) {
    place.clock.now.set(place.clock.now.get() + 1_000);
    let mut engine = place.engine();
    let review = engine.request_review(Some("test-s1")).unwrap();
    let judgement = Judgement {
        verdict: ReviewVerdict::Approve,
        words: "read it".into(),
        findings: Vec::new(),
        tree: review.tree.clone(),
        reviewer: Party {
            kind: PartyKind::Launched,
            ..Party::default()
        },
    };
    let taken = engine.judge(&review.id, judgement).unwrap();
    assert!(matches!(taken, Taken::Stands(_)), "{taken:?}");
}

const NEXT: &str = "Yes.\nEXPECTED OUTCOME:\n- src/b.rs exists";

#[test]
fn an_agents_change_does_not_become_the_users_with_the_next_task() {
    // The turn ended with a question, or was broken off.
    for asks in [true, false] {
        let place = at_work();
        if asks {
            let answer = place.main(end("Shall I go on?"));
            assert_eq!(answer.decision.action, Action::Allow);
        }
        place.main(prompt(NEXT));
        let (missing, _) = checked(&place, "test-s1");
        assert!(missing.is_some_and(|words| words.contains("src/a.rs")));
        let (action, reason) = ends(&place);
        assert_eq!(action, Action::Block);
        assert!(reason.contains("src/a.rs"), "{reason}");
        // Somebody looked at it: it is nobody's debt any more.
        approved(&place);
        assert_eq!(ends(&place).0, Action::Allow);
        place.main(prompt(&NEXT.replace("b.rs", "c.rs")));
        assert_eq!(checked(&place, "test-s1").0, None);
        assert_eq!(ends(&place).0, Action::Allow);
    }
}

#[test]
fn a_users_own_change_and_one_that_was_approved_are_no_debt() {
    let place = Place::new(POLICY);
    place.write("mine.txt", "mine\n");
    place.main(start(StartSource::Startup));
    place.main(prompt("Improve a."));
    edited(&place, "src/a.rs", "fn a() {}\n");
    approved(&place);
    assert_eq!(ends(&place).0, Action::Allow);
    // A person goes on by hand.
    place.write("mine.txt", "mine, too\n");
    place.main(prompt(NEXT));
    assert_eq!(checked(&place, "test-s1").0, None);
    assert_eq!(ends(&place).0, Action::Allow);
    other(&place, start(StartSource::Startup));
    other(&place, prompt("go on"));
    assert_eq!(checked(&place, "test-s2").0, None);
    // What was taken back is none either.
    edited(&place, "src/b.rs", "fn b() {}\n");
    place.main(end("Shall I go on?"));
    std::fs::remove_file(place.root().join("src/b.rs")).unwrap();
    place.main(prompt(&NEXT.replace("b.rs", "c.rs")));
    assert_eq!(checked(&place, "test-s1").0, None);
}

#[test]
fn another_session_finds_it_as_unreviewed_as_it_was_left() {
    // While the first one is held, and nobody ended it.
    let place = at_work();
    assert_eq!(ends(&place).0, Action::Block);
    other(&place, start(StartSource::Startup));
    other(&place, prompt("go on"));
    let (missing, standing) = checked(&place, "test-s2");
    assert!(missing.is_some_and(|words| words.contains("src/a.rs")));
    assert_eq!(standing, "none");
    assert_eq!(
        other(&place, end("a is improved.")).decision.action,
        Action::Block
    );
    // A person takes it as it is.
    place.clock.now.set(place.clock.now.get() + 1_000);
    let mut engine = place.engine();
    let (tree, at) = (engine.tree().unwrap(), engine.clock().now());
    let release = Release {
        by: Party {
            kind: PartyKind::Human,
            ..Party::default()
        },
        reason: "looked".into(),
        tree,
        session: None,
        at,
        until: at + 1,
        policy: None,
        record: None,
        signature: None,
    };
    engine.release(release, None).unwrap();
    place.clock.now.set(place.clock.now.get() + 1_000);
    assert_eq!(checked(&place, "test-s2").0, None);
}

#[test]
fn what_was_let_go_unreviewed_is_so_in_every_session() {
    let place = at_work();
    assert_eq!(ends(&place).0, Action::Block);
    let ended = place.main(EventKind::SessionEnd {
        reason: "clear".into(),
    });
    assert!(ended.decision.escalated);
    other(&place, start(StartSource::Clear));
    other(&place, prompt("go on"));
    let (missing, standing) = checked(&place, "test-s2");
    assert!(missing.is_some());
    assert_eq!(standing, "escalated");
    let answer = other(&place, end("a is as it should be."));
    let told = answer.decision.alerts.join("\n");
    assert_eq!(answer.decision.action, Action::Allow);
    assert!(told.contains("UNREVIEWED"), "{told}");
    // Another tree is other work.
    place.write("src/a.rs", "fn a() { b() }\n");
    assert_eq!(other(&place, end("a is better.")).decision.action, Action::Block);
    let book = place.engine().reviews().unwrap();
    let tree = place.engine().tree().unwrap();
    let required = place.engine().requirements(&book, tree.as_ref());
    let now = place.engine().clock().now();
    assert!(matches!(
        book.standing(None, tree.as_ref(), now, &required),
        Standing::None
    ));
}
