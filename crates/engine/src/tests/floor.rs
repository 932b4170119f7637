//! What a task began under, and who may change that.

use super::*;
use crate::review::{Judgement, Party, PartyKind, ReviewVerdict, Taken};
use proctor_kernel::Action;

const STRICT: &str = "enforcement: { approval: { require: changes } }\n\
                      verification: [{ name: check, run: 'sh check.sh', kind: tests }]\n";
const LOOSE: &str = "enforcement: { approval: { require: changes } }\n";
const FILE: &str = ".proctor/proctor.yaml";

fn passed(place: &Place) {
    let mut engine = place.engine();
    engine.hold_to_the_task(None).unwrap();
    let begun = engine.check_begins("sh check.sh", &[], &[]).unwrap();
    let outcome = crate::runs::RunOutcome {
        exit: Some(0),
        output: "ok".into(),
        millis: 1,
    };
    assert_eq!(engine.check_ended(begun, &outcome).unwrap().len(), 1);
}

fn approves(place: &Place, kind: PartyKind) -> Taken {
    let mut engine = place.engine();
    let review = engine.request_review(None).unwrap().id;
    let judgement = Judgement {
        verdict: ReviewVerdict::Approve,
        words: "read it".into(),
        findings: Vec::new(),
        reviewer: Party {
            kind,
            ..Party::default()
        },
        tree: None,
    };
    engine.judge(&review, judgement).unwrap()
}

fn raised(place: &Place) -> Vec<&'static str> {
    let mut engine = place.engine();
    engine.hold_to_the_task(None).unwrap();
    engine.held_keys().to_vec()
}

#[test]
fn a_person_who_approves_the_looser_policy_with_the_work_changes_what_holds() {
    let place = Place::new(STRICT);
    place.main(prompt("Fix the parser."));
    place.write("src/a.rs", "fn a() {}\n");
    place.write(FILE, LOOSE);
    assert_eq!(raised(&place), ["verification"]);
    // The check that the policy names no more is what an approval lacks.
    assert!(
        matches!(approves(&place, PartyKind::Human), Taken::Refused(why) if why[0].contains("sh check.sh"))
    );
    passed(&place);
    // A reviewer that Proctor launched approves this tree, and no policy.
    assert!(matches!(approves(&place, PartyKind::Launched), Taken::Stands(_)));
    assert_eq!(
        place.main(end("Done with the parser.")).decision.action,
        Action::Allow
    );
    assert_eq!(raised(&place), ["verification"]);
    place.clock.now.set(60_000);
    assert!(matches!(approves(&place, PartyKind::Human), Taken::Stands(_)));
    assert_eq!(raised(&place), [""; 0]);
    // What was approved under the stricter rules stays approved.
    assert_eq!(
        place.main(end("Done with the parser.")).decision.action,
        Action::Allow
    );
    place.write("src/a.rs", "fn b() {}\n");
    assert!(
        matches!(approves(&place, PartyKind::Human), Taken::Refused(_)),
        "any check, as before there was a list"
    );
    // Another policy is not the one that was approved.
    place.write(FILE, "enforcement: { approval: { require: never } }\n");
    assert_eq!(raised(&place), ["enforcement.approval.require", "verification"]);
}

#[test]
fn a_task_is_held_to_what_it_began_under_and_the_next_one_to_its_own() {
    let place = Place::new(STRICT);
    place.main(prompt("Fix the parser."));
    place.write(FILE, "enforcement: { enabled: false }\n");
    place.main(prompt("Go on."));
    assert_eq!(raised(&place).len(), 3);
    place.main(start(StartSource::Clear));
    place.main(prompt("Fix the lexer."));
    assert_eq!(raised(&place), [""; 0]);
    // The user's own file counts as it is now; `--policy` names what counts.
    let place = Place::new("");
    let own = place.folder.path().join("own.yaml");
    std::fs::write(&own, STRICT).unwrap();
    let mut surroundings = place.surroundings();
    surroundings.user_policy = Some(own.clone());
    let engine = |s: &Surroundings| Engine::open(s.clone(), place.clock.clone());
    let _ = engine(&surroundings).handle(&event(None, prompt("Fix the parser.")), &());
    std::fs::write(&own, LOOSE).unwrap();
    let mut later = engine(&surroundings);
    later.hold_to_the_task(None).unwrap();
    assert_eq!(later.held_keys(), [""; 0]);
    // A project's file that appears and switches everything off is a change like any other.
    place.write(FILE, "enforcement: { enabled: false }\n");
    later.hold_to_the_task(None).unwrap();
    let mut later = engine(&surroundings);
    later.hold_to_the_task(None).unwrap();
    assert_eq!(later.held_keys(), ["enforcement.enabled"]);
    surroundings.policy = Some(place.root().join(".proctor"));
    let mut later = engine(&surroundings);
    later.hold_to_the_task(None).unwrap();
    assert_eq!(later.held_keys(), [""; 0]);
}
