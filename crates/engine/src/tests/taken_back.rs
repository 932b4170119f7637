//! The same tree can come again as another change: an approval is one of the change that was looked at.

use super::*;
use crate::review::{Judgement, Party, PartyKind, ReviewVerdict, Taken};
use crate::verify::{Axes, Freshness, Status, Target, VerifyReason, VerifyRequest};
use proctor_kernel::Action;

const POLICY: &str = "enforcement: { approval: { require: changes }, review: { level: text } }\n";

/// A repository with its policy committed, in which an agent works.
fn working() -> Place {
    let place = Place::new(POLICY);
    place.write("src/a.rs", "fn a() {}\n");
    committed(&place);
    place.main(start(StartSource::Startup));
    place.main(prompt("Mend a. EXPECTED OUTCOME: - src/a.rs"));
    place
}

fn committed(place: &Place) {
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
}

fn approved(place: &Place, kind: PartyKind) {
    place.clock.now.set(place.clock.now.get() + 1_000);
    let mut engine = place.engine();
    let review = engine.request_review(None).unwrap();
    let reviewer = Party {
        kind,
        ..Party::default()
    };
    let judgement = Judgement {
        verdict: ReviewVerdict::Approve,
        words: "read it".into(),
        findings: Vec::new(),
        tree: review.tree.clone().filter(|_| kind == PartyKind::Launched),
        reviewer,
    };
    let taken = engine.judge(&review.id, judgement).unwrap();
    assert!(matches!(taken, Taken::Stands(_)), "{taken:?}");
}

/// How `verify` answers, with all its reasons, and whether the approval is fresh.
fn verified(place: &Place, target: Target) -> (Status, Vec<VerifyReason>, Axes) {
    let request = VerifyRequest {
        target,
        policy_from: None,
        rerun: None,
        strict_linkage: false,
        replaces: false,
        ci: false,
        signers: None,
    };
    let report = place.engine().verify(&request).unwrap();
    let reasons = report.reasons.iter().map(|r| r.code).collect();
    (report.status, reasons, report.axes)
}

fn head() -> Target {
    Target::Commit("HEAD".into())
}

fn ends(place: &Place) -> (Action, String) {
    let decision = place.main(end("a is mended now.")).decision;
    (decision.action, decision.reason)
}

#[test]
fn what_takes_an_approved_change_back_is_another_change() {
    for kind in [PartyKind::Launched, PartyKind::Human] {
        let place = working();
        place.write("src/a.rs", "fn a() { one() }\n");
        approved(&place, kind);
        assert_eq!(ends(&place).0, Action::Allow);
        committed(&place);
        assert_eq!(verified(&place, head()).0, Status::Pass);

        place.main(prompt("Close the hole in a. EXPECTED OUTCOME: - src/a.rs checks"));
        place.write("src/a.rs", "fn a() { one(); checked() }\n");
        let (action, reason) = ends(&place);
        assert_eq!(action, Action::Block, "{reason}");
        approved(&place, kind);
        assert_eq!(ends(&place).0, Action::Allow);
        committed(&place);
        assert_eq!(verified(&place, head()).0, Status::Pass);

        // The tree that was approved first, and with it the hole.
        place.main(prompt("Tidy up. EXPECTED OUTCOME: - README.md"));
        place.write("src/a.rs", "fn a() { one() }\n");
        let (action, reason) = ends(&place);
        assert_eq!(action, Action::Block, "{reason}");
        committed(&place);
        let (status, reasons, axes) = verified(&place, head());
        assert_eq!((status, axes.freshness), (Status::Blocked, Freshness::Stale));
        assert_eq!(reasons, [VerifyReason::Stale]);
        // A look at this very change lets it go.
        approved(&place, kind);
        assert_eq!(ends(&place).0, Action::Allow);
        assert_eq!(verified(&place, head()).0, Status::Pass);
    }
}

#[test]
fn within_one_task_the_later_approval_leaves_the_earlier_one_behind() {
    let place = working();
    place.write("src/a.rs", "fn a() { one() }\n");
    approved(&place, PartyKind::Launched);
    place.main(prompt("And check it."));
    place.write("src/a.rs", "fn a() { one(); checked() }\n");
    approved(&place, PartyKind::Launched);
    assert_eq!(ends(&place).0, Action::Allow);
    place.write("src/a.rs", "fn a() { one() }\n");
    let (action, reason) = ends(&place);
    assert_eq!(action, Action::Block, "{reason}");
    assert!(reason.contains("review of the difference"), "{reason}");
    approved(&place, PartyKind::Launched);
    assert_eq!(ends(&place).0, Action::Allow);
}

#[test]
fn a_merge_that_drops_the_other_side_was_not_looked_at() {
    let place = working();
    place.git(&["checkout", "-q", "-b", "f"]);
    place.write("src/a.rs", "fn a() { one() }\n");
    approved(&place, PartyKind::Launched);
    committed(&place);
    place.git(&["checkout", "-q", "main"]);
    place.write("guard.rs", "fn guard() {}\n");
    committed(&place);
    place.git(&["checkout", "-q", "f"]);
    let range = || Target::range("main..f").unwrap();
    assert_eq!(verified(&place, range()).0, Status::Pass);
    place.git(&["merge", "-q", "-s", "ours", "-m", "m", "main"]);
    let (status, reasons, _) = verified(&place, range());
    assert_eq!((status, reasons), (Status::Blocked, vec![VerifyReason::Stale]));
    // Nor is it when the reviewer comes after the merge, and is shown what the task made of what it found.
    approved(&place, PartyKind::Launched);
    let (status, reasons, _) = verified(&place, range());
    assert_eq!((status, reasons), (Status::Blocked, vec![VerifyReason::Stale]));
    approved(&place, PartyKind::Human);
    assert_eq!(verified(&place, range()).0, Status::Pass);
}

#[test]
fn work_that_was_committed_in_parts_was_looked_at_as_a_whole() {
    // Before its review, the one with an intermediate state of a file.
    let place = working();
    place.write("src/a.rs", "fn a() { half() }\n");
    place.write("trace.txt", "for a look\n");
    committed(&place);
    std::fs::remove_file(place.root().join("trace.txt")).unwrap();
    place.write("src/a.rs", "fn a() { one() }\n");
    place.write("src/b.rs", "fn b() {}\n");
    approved(&place, PartyKind::Launched);
    committed(&place);
    assert_eq!(verified(&place, head()).0, Status::Pass);
    assert_eq!(ends(&place).0, Action::Allow);
    // After its review, file by file; and as one commit in place of all of them.
    let place = working();
    place.write("src/a.rs", "fn a() { one() }\n");
    place.write("src/b.rs", "fn b() {}\n");
    approved(&place, PartyKind::Launched);
    place.git(&["add", "src/a.rs"]);
    place.git(&["commit", "-q", "-m", "a"]);
    committed(&place);
    assert_eq!(verified(&place, head()).0, Status::Pass);
    place.git(&["reset", "-q", "--soft", "HEAD~2"]);
    committed(&place);
    assert_eq!(verified(&place, head()).0, Status::Pass);
    // A further task on top, and all of it against where the branch began.
    place.git(&["tag", "first", "HEAD~1"]);
    place.main(prompt("Now b. EXPECTED OUTCOME: - src/b.rs"));
    place.write("src/b.rs", "fn b() { two() }\n");
    approved(&place, PartyKind::Launched);
    committed(&place);
    assert_eq!(
        verified(&place, Target::range("first..HEAD").unwrap()).0,
        Status::Pass
    );
}

#[test]
fn a_mistake_in_the_policy_that_decides_is_no_leave_to_go() {
    for (policy, says) in [
        ("enforcement: { approval: { require: chnages } }\n", "chnages"),
        ("enforcement: { aproval: { require: changes } }\n", "aproval"),
        (
            "enforcement: { approval: { require: paths, paths: ['/seed.txt'] } }\n",
            "/seed.txt",
        ),
    ] {
        let place = Place::new(policy);
        committed(&place);
        place.write("seed.txt", "other\n");
        committed(&place);
        let (status, reasons, _) = verified(&place, head());
        assert_eq!(status, Status::CouldNotRun, "{policy}");
        assert!(reasons.contains(&VerifyReason::PolicyUnknown), "{reasons:?}");
        assert!(
            place
                .engine()
                .policy_doubt()
                .is_some_and(|doubt| doubt.contains(says))
        );
    }
    // One that is about something else hides nothing.
    let place = Place::new("enforcement: { response: { thresold: 1 } }\n");
    committed(&place);
    place.write("seed.txt", "other\n");
    committed(&place);
    assert_eq!(verified(&place, head()).0, Status::Pass);
    assert_eq!(place.engine().policy_doubt(), None);
}
