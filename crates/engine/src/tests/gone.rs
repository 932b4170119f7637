//! Records of reviews that are gone, and what a human's release does then.

use super::*;
use crate::review::{Judgement, NewFinding, Party, PartyKind, Release, ReviewVerdict, Severity, Standing};
use proctor_kernel::Action;

const REVIEWED: &str = "enforcement:\n  approval: {require: changes}\n  review: {level: text}\n";

fn human() -> Party {
    Party {
        kind: PartyKind::Human,
        ..Party::default()
    }
}

/// A second passes: what was before a loss is told from what came after it by the time.
fn later(place: &Place) {
    place.clock.now.set(place.clock.now.get() + 1_000);
}

fn working() -> Place {
    let place = Place::new(REVIEWED);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    changed(&place, "fn a() {}\n");
    place
}

fn changed(place: &Place, content: &str) {
    place.write("src/a.rs", content);
    place.main(EventKind::ToolResult {
        call: call("edit", ToolKind::Edit, "src/a.rs"),
        outcome: done(),
    });
}

fn judged(place: &Place, verdict: ReviewVerdict, words: &str, findings: Vec<NewFinding>) {
    later(place);
    let review = place.engine().request_review(None).unwrap().id;
    let judgement = Judgement {
        verdict,
        words: words.to_owned(),
        findings,
        reviewer: human(),
        tree: None,
    };
    place.engine().judge(&review, judgement).unwrap();
    later(place);
}

fn standing(place: &Place) -> &'static str {
    let engine = place.engine();
    let (book, tree) = (engine.reviews().unwrap(), engine.tree().unwrap());
    let required = engine.requirements(&book, tree.as_ref());
    let now = engine.clock().now();
    book.standing(Some("test-s1"), tree.as_ref(), now, &required)
        .as_str()
}

fn state(place: &Place) -> PathBuf {
    place.engine().store().unwrap().root().to_owned()
}

fn remove(path: &Path) {
    if path.is_dir() {
        std::fs::remove_dir_all(path).unwrap();
    } else if path.exists() {
        std::fs::remove_file(path).unwrap();
    }
}

/// A way to lose records, of a state folder.
type Way = fn(&Path);

const WAYS: [(&str, Way); 8] = [
    ("the log removed", |root| remove(&root.join("log/reviews"))),
    ("with its snapshot", |root| {
        remove(&root.join("log/reviews"));
        remove(&root.join("sessions/reviews.json"));
    }),
    ("everything but the marker", |root| {
        remove(&root.join("log"));
        remove(&root.join("sessions"));
    }),
    ("emptied", |root| {
        std::fs::write(root.join("log/reviews/000001.jsonl"), "").unwrap()
    }),
    ("garbled", |root| {
        std::fs::write(root.join("log/reviews/000001.jsonl"), "garbage garbage\n{}\n").unwrap();
    }),
    ("the last line removed", |root| cut(root)),
    ("the last line removed, and the snapshot", |root| {
        cut(root);
        remove(&root.join("sessions/reviews.json"));
    }),
    ("a file in its place", |root| {
        remove(&root.join("log/reviews"));
        std::fs::write(root.join("log/reviews"), "x").unwrap();
    }),
];

fn cut(root: &Path) {
    let path = root.join("log/reviews/000001.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
}

#[test]
fn a_refusal_that_is_gone_is_noticed_and_the_approval_before_it_counts_no_more() {
    for (how, lose) in WAYS {
        let place = working();
        judged(&place, ReviewVerdict::Approve, "good", Vec::new());
        assert_eq!(standing(&place), "approved");
        judged(&place, ReviewVerdict::Reject, "the loop never ends", Vec::new());
        assert_eq!(standing(&place), "rejected");
        assert_eq!(place.engine().reviews_gone().unwrap(), None);
        lose(&state(&place));

        // Whoever looks is told, and a look changes nothing.
        for _ in 0..2 {
            assert!(place.engine().reviews_gone().unwrap().is_some(), "{how}");
            assert_ne!(standing(&place), "approved", "{how}");
        }
        let codes: Vec<_> = place
            .engine()
            .fsck(false)
            .unwrap()
            .findings
            .iter()
            .map(|f| f.code)
            .collect();
        assert!(codes.contains(&"log_shortened"), "{how}: {codes:?}");

        // The next prompt tells it, once; what is left is not believed by that.
        let told = |answer: &Answer| {
            answer
                .decision
                .alerts
                .iter()
                .any(|a| a.contains("records of reviews are gone"))
        };
        assert!(told(&place.main(prompt("Go on."))), "{how}");
        assert!(!told(&place.main(prompt("Go on."))), "{how}: told twice");
        assert!(place.engine().reviews_gone().unwrap().is_some(), "{how}");
        assert_ne!(standing(&place), "approved", "{how}");
        let codes: Vec<_> = place
            .engine()
            .fsck(false)
            .unwrap()
            .findings
            .iter()
            .map(|f| f.code)
            .collect();
        assert!(codes.contains(&"records_gone"), "{how}: {codes:?}");

        // A human looks again.
        judged(&place, ReviewVerdict::Approve, "looked again", Vec::new());
        assert_eq!(standing(&place), "approved", "{how}");
        assert_eq!(place.engine().reviews_gone().unwrap(), None, "{how}");
    }
}

#[test]
fn a_record_that_is_written_does_not_cover_what_is_gone() {
    let place = working();
    judged(&place, ReviewVerdict::Approve, "good", Vec::new());
    judged(&place, ReviewVerdict::Reject, "no", Vec::new());
    cut(&state(&place));
    let _ = place.engine().request_review(None).unwrap();
    assert!(place.engine().reviews_gone().unwrap().is_some());
    // Nor does a command take it away from the user.
    let told = |answer: &Answer| {
        let alerts = &answer.decision.alerts;
        alerts.iter().any(|a| a.contains("records of reviews are gone"))
    };
    assert!(told(&place.main(prompt("Go on."))));
    assert!(!told(&place.main(prompt("Go on."))));
    assert_ne!(standing(&place), "approved");
}

#[test]
fn a_folder_of_an_earlier_version_knows_nothing_of_its_logs() {
    let place = working();
    let marker = state(&place).join("state.json");
    let text = std::fs::read_to_string(&marker).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value.as_object_mut().unwrap().remove("heads");
    std::fs::write(&marker, value.to_string()).unwrap();
    remove(&state(&place).join("log"));
    assert_eq!(place.engine().reviews_gone().unwrap(), None);
}

#[test]
fn a_human_lets_the_work_go_with_a_file_in_place_of_all_state() {
    let place = working();
    remove(&place.state_home());
    std::fs::write(place.state_home(), "x").unwrap();
    release(&place, None);
    assert_eq!(standing(&place), "released");
    let beside = std::fs::read_dir(place.state_home().parent().unwrap()).unwrap();
    let aside = |name: &str| name.contains(".aside-");
    assert!(
        beside.flatten().any(|f| aside(&f.file_name().to_string_lossy())),
        "nothing is deleted"
    );
}

fn release(place: &Place, session: Option<&str>) {
    later(place);
    let mut engine = place.engine();
    let told = engine.make_way().unwrap();
    let release = Release {
        by: human(),
        reason: "demo".into(),
        tree: engine.tree().unwrap(),
        session: session.map(str::to_owned),
        at: 0,
        until: u64::MAX,
        policy: None,
        record: None,
        signature: None,
    };
    engine
        .release(release, None)
        .unwrap_or_else(|e| panic!("{e}: {told:?}"));
}

#[test]
fn a_release_frees_a_session_of_which_nothing_is_remembered() {
    let ways: [(&str, Way); 6] = [
        ("the state folder removed", |root| remove(root)),
        ("a file in its place", |root| {
            remove(root);
            std::fs::write(root, "x").unwrap();
        }),
        ("a file in the place of the logs", |root| {
            remove(&root.join("log"));
            std::fs::write(root.join("log"), "x").unwrap();
        }),
        ("a file in the place of the reviews", |root| {
            remove(&root.join("log/reviews"));
            std::fs::write(root.join("log/reviews"), "x").unwrap();
        }),
        ("a folder in the place of the marker", |root| {
            remove(&root.join("state.json"));
            std::fs::create_dir(root.join("state.json")).unwrap();
        }),
        ("a folder in the place of the lock", |root| {
            remove(&root.join("lock"));
            std::fs::create_dir(root.join("lock")).unwrap();
        }),
    ];
    for (how, lose) in ways {
        let place = working();
        assert_eq!(
            place.main(end("I did it.")).decision.action,
            Action::Block,
            "{how}"
        );
        lose(&state(&place));
        assert_eq!(
            place.main(end("I did it.")).decision.action,
            Action::Block,
            "{how}"
        );
        release(&place, None);
        for _ in 0..3 {
            let decision = place.main(end("I did it.")).decision;
            assert_eq!(decision.action, Action::Allow, "{how}: {}", decision.reason);
            assert!(!decision.escalated, "{how}");
        }
        assert_eq!(standing(&place), "released", "{how}");
        // What the release does not cover is held as before.
        changed(&place, "fn b() {}\n");
        assert_eq!(
            place.main(end("I did it.")).decision.action,
            Action::Block,
            "{how}"
        );
    }
}

fn problem(text: &str) -> NewFinding {
    NewFinding {
        text: text.to_owned(),
        severity: Severity::Blocking,
        path: Some("src/a.rs".into()),
        line: Some(1),
    }
}

#[test]
fn what_a_refusal_says_reaches_the_one_who_is_refused() {
    let place = working();
    judged(
        &place,
        ReviewVerdict::Reject,
        "the loop never ends at n=0,\nmend that",
        Vec::new(),
    );
    let words = "Refused by a human: the loop never ends at n=0, mend that";
    // The next prompt tells it, once; the end of a turn whenever it holds the turn back.
    let told = place.main(prompt("Go on."));
    assert!(
        texts(&told).iter().any(|t| t.contains(words)),
        "{:?}",
        texts(&told)
    );
    let again = place.main(prompt("Go on."));
    assert!(
        !texts(&again).iter().any(|t| t.contains(words)),
        "{:?}",
        texts(&again)
    );
    let held = place.main(end("I looked at it.")).decision;
    assert!(
        held.action == Action::Block && held.reason.contains(words),
        "{}",
        held.reason
    );
    assert!(
        held.reason.contains("Mend what the refusal names"),
        "{}",
        held.reason
    );

    // With findings: their texts, places and ids, and how they are settled; within bounds.
    changed(&place, "fn a() { b() }\n");
    let long = format!("an empty list panics {}", "and more ".repeat(500));
    judged(
        &place,
        ReviewVerdict::Reject,
        &"x ".repeat(5_000),
        vec![problem(&long), problem("no test")],
    );
    let held = place.main(end("I looked at it.")).decision;
    let engine = place.engine();
    let book = engine.reviews().unwrap();
    let ids: Vec<String> = book.reviews[0]
        .open_findings()
        .map(|f| f.id.to_string())
        .collect();
    let parts = [
        "- src/a.rs:1: an empty list panics".to_owned(),
        format!("- src/a.rs:1: no test (finding {})", ids[1]),
        format!("proctor review settle {} --how fixed", ids[0]),
    ];
    for part in parts {
        assert!(held.reason.contains(&part), "{part}: {}", held.reason);
    }
    assert!(held.reason.len() < 3_000, "{}", held.reason.len());
    // What the end of a turn told, the prompt does not tell again.
    let prompted = place.main(prompt("Go on."));
    assert!(
        !texts(&prompted).iter().any(|t| t.contains("Refused by")),
        "{:?}",
        texts(&prompted)
    );
}

#[test]
fn a_review_that_was_only_asked_for_has_a_beginning() {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    changed(&place, "fn a() {}\n");
    let review = place.engine().request_review(None).unwrap();
    assert!(review.base.is_some(), "{review:?}");
    let book = place.engine().reviews().unwrap();
    assert!(matches!(
        book.standing(
            None,
            review.tree.as_ref(),
            0,
            &place.engine().requirements(&book, None)
        ),
        Standing::Pending(_)
    ));
}

/// A transcript that names its model.
struct Named;

impl crate::Aside for Named {
    fn usage(&self, _: &proctor_kernel::Metered, _: bool) -> Option<proctor_kernel::Readings> {
        let meter = proctor_kernel::Meter {
            offset: 1,
            model: "claude-x-1".to_owned(),
            ..proctor_kernel::Meter::default()
        };
        let reading = proctor_kernel::Reading { tokens: 1, meter };
        Some(proctor_kernel::Readings::from([("main".to_owned(), reading)]))
    }
}

#[test]
fn a_worker_has_the_model_that_its_transcript_names() {
    let place = working();
    place.engine().handle(&event(None, end("I did it.")), &Named);
    let review = place.engine().request_review(None).unwrap();
    assert_eq!(review.worker.model.as_deref(), Some("claude-x-1"));
}
