//! Where the difference of a review begins when the session was there before the first commit.

use super::*;

/// A repository without a commit, with a session that wrote a file in it.
fn unborn(policy: &str) -> Place {
    let place = Place::new(policy);
    place.git(&["update-ref", "-d", "HEAD"]);
    place.git(&["rm", "-rq", "--cached", "."]);
    place.main(start(StartSource::Startup));
    place.main(prompt("Write the parser."));
    place.write("src/a.rs", "fn a() {}\n");
    place
}

/// The paths in which the difference of the session's review differs from the tree as it is.
fn under_review(place: &Place) -> Vec<String> {
    let mut engine = place.engine();
    let review = engine.request_review(None).unwrap();
    assert_eq!(review.base, None);
    let (base, delta) = engine.review_base(&review).unwrap();
    assert!(!delta);
    let repo = engine.repo().unwrap().clone();
    let cache = engine.trees_cache().unwrap();
    let trees = repo.trees(&cache);
    let changes = trees.changes(&base, &review.tree.unwrap()).unwrap();
    changes.into_iter().map(|c| c.path).collect()
}

#[test]
fn everything_is_new_to_a_task_from_before_the_first_commit() {
    for policy in [
        "enforcement: { approval: { require: changes } }\n",
        "enforcement: { approval: { require: paths, paths: ['src/**'] } }\n",
    ] {
        let place = unborn(policy);
        let all = ["seed.txt", "src/a.rs"];
        assert_eq!(under_review(&place), all);
        // Committed by the task itself it is no less new.
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "all of it"]);
        assert_eq!(under_review(&place), all);
        place.git(&["commit", "-q", "--allow-empty", "-m", "another"]);
        place.write("src/b.rs", "fn b() {}\n");
        assert_eq!(under_review(&place), ["seed.txt", "src/a.rs", "src/b.rs"]);
    }
}
