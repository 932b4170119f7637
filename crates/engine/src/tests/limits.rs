//! How long an event may wait for git.

use super::*;
use proctor_kernel::{Action, Status};
use std::time::{Duration, Instant};

#[test]
fn a_filter_that_hangs_is_waited_for_once_in_an_event() {
    let place = Place::new("enforcement: { approval: { require: changes }, scope: { mode: enforce } }\n");
    place.write(".gitattributes", "*.rs filter=slow\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "attributes"]);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix it.\n\nEXPECTED OUTCOME:\n- [ ] src/b.rs\n"));
    place.git(&["config", "filter.slow.clean", "sleep 60; cat"]);
    place.write("src/a.rs", "fn a() {}\n");
    let limit = Duration::from_secs(6);
    let mut engine = place.engine();
    engine.repo = engine.repo.take().map(|repo| repo.with_timeout(limit));
    let start = Instant::now();
    let decision = engine
        .handle(&event(None, end("I wrote src/b.rs. All tests pass.")), &())
        .decision;
    assert!(start.elapsed() < limit * 2, "{:?}", start.elapsed());
    // Nobody takes that for a pass, and it is said.
    let lost: Vec<&str> = decision
        .reports
        .iter()
        .filter(|r| matches!(r.status, Status::CouldNotRun { .. }))
        .map(|r| r.gate.as_str())
        .collect();
    assert_eq!(lost, ["approval", "scope"], "{decision:#?}");
    assert_eq!(decision.action, Action::Block);
    let told = format!("{} {}", decision.reason, decision.alerts.join(" "));
    assert!(
        told.contains("too long") || told.contains("all of its calls"),
        "{told}"
    );
}
