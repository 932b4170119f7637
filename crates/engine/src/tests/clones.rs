//! What is remembered of a clone beside its git configuration.

use super::*;
use crate::review::{Judgement, Party, ReviewVerdict};

/// A clone with a refused review.
fn refused() -> Place {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    place.write("src/a.rs", "fn a() {}\n");
    let review = place.engine().request_review(None).unwrap();
    let judgement = Judgement {
        verdict: ReviewVerdict::Reject,
        words: "no".into(),
        findings: Vec::new(),
        reviewer: Party::default(),
        tree: None,
    };
    place.engine().judge(&review.id, judgement).unwrap();
    place
}

fn id(place: &Place) -> String {
    let config = std::fs::read_to_string(place.root().join(".git/config")).unwrap();
    let id = config.lines().find_map(|line| line.trim().strip_prefix("id = "));
    id.unwrap_or_default().to_owned()
}

fn reviews(place: &Place) -> usize {
    place.engine().reviews().unwrap().reviews.len()
}

#[test]
fn records_are_found_though_the_clone_s_id_is_taken_away() {
    let place = refused();
    let before = id(&place);
    assert!(
        place.engine().faults().is_empty(),
        "{:?}",
        place.engine().faults()
    );
    place.git(&["config", "--unset", "proctor.id"]);
    let engine = place.engine();
    assert_eq!((reviews(&place), engine.faults().len()), (1, 1));
    assert!(
        engine.faults()[0].contains("is gone; its records lie under"),
        "{:?}",
        engine.faults()
    );
    let told = place.main(prompt("Go on.")).decision.alerts.join("\n");
    assert!(told.contains("`proctor.id`"), "{told}");
    // It is written there again, and nothing is told any more.
    assert_eq!(id(&place), before);
    assert!(
        place.engine().faults().is_empty(),
        "{:?}",
        place.engine().faults()
    );

    place.git(&["config", "proctor.id", "01aaaaaaaaaaaaaaaaaaaaaaaa"]);
    assert_eq!(reviews(&place), 1);
    assert!(
        place.engine().faults()[0].contains("is another one now"),
        "{:?}",
        place.engine().faults()
    );
}

#[test]
fn another_clone_in_the_place_of_one_has_records_of_its_own() {
    let place = refused();
    std::fs::rename(place.root().join(".git"), place.folder.path().join("old")).unwrap();
    place.git(&["init", "-q", "-b", "main"]);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "anew"]);
    place.main(prompt("Fix the parser."));
    assert_eq!(reviews(&place), 0);
    assert!(
        place.engine().faults().is_empty(),
        "{:?}",
        place.engine().faults()
    );
}

#[test]
fn a_command_looks_at_the_work_tree_that_the_session_began_in() {
    let place = refused();
    let tree = place.engine().tree().unwrap();
    let elsewhere = place.folder.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    place.git(&["config", "core.worktree", elsewhere.to_str().unwrap()]);
    let engine = place.engine();
    assert_eq!(engine.tree().unwrap(), tree);
    assert!(
        engine.faults()[0].contains("git says that the work tree is"),
        "{:?}",
        engine.faults()
    );
    // A session that begins there is about that one.
    let there = Surroundings {
        root: Some(elsewhere.clone()),
        ..place.surroundings()
    };
    Engine::open(there, place.clock.clone()).handle(&event(None, start(StartSource::Startup)), &());
    assert!(
        place.engine().faults().is_empty(),
        "{:?}",
        place.engine().faults()
    );
}
