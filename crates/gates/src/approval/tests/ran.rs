//! Runs that are told without what came of them.

use super::*;

#[test]
fn who_tells_of_a_run_needs_one_however_it_ended() {
    let ran = claim(ClaimKind::Ran(CheckKind::Tests), "I ran the tests.");
    let shown = claim(ClaimKind::Shown(CheckKind::Tests), "12 passed");
    let held =
        |claim: &Claim, runs: &[CheckRun]| judged(std::slice::from_ref(claim), runs, &[], false).findings;
    let pass = || run("pytest -q", CheckKind::Tests, "s");
    let failed = || CheckRun {
        exit: Some(1),
        ..pass()
    };
    for claim in [&ran, &shown] {
        let found = held(claim, &[run("cargo clippy", CheckKind::Lint, "t")]);
        assert!(found[0].message.contains("no test run is on record"), "{found:?}");
        assert_eq!(held(claim, &[]).len(), 1);
        // Of another tree, masked, in the background.
        assert!(held(claim, &[pass()]).is_empty());
        let piped = CheckRun {
            masks: vec![Mask::Pipe],
            background: true,
            exit: None,
            ..pass()
        };
        assert!(held(claim, &[piped]).is_empty());
    }
    assert!(held(&ran, &[failed()]).is_empty());
    assert_eq!(held(&shown, &[failed()]).len(), 1);
    // The tests passed, and the coverage was too low.
    let printed = CheckRun {
        summary: Some(proctor_kernel::Summary {
            runner: "pytest".to_owned(),
            passed: Some(12),
            failed: Some(0),
            ..proctor_kernel::Summary::default()
        }),
        ..failed()
    };
    assert!(held(&shown, &[printed]).is_empty());
}

#[test]
fn nobody_is_asked_for_a_run_where_runs_are_not_known() {
    let seen = |runs| Seen {
        runs,
        tree: None,
        changed: Vec::new(),
        review: ReviewStanding::None,
    };
    let of = |text: &str, runs| checked(text, Require::Claims, &seen(runs)).map(|o| o.findings.len());
    let unknown = || Err(GateError::new("nothing is witnessed here"));
    assert_eq!(of("I ran the tests.", Ok(Vec::new())).unwrap(), 1);
    assert_eq!(of("I ran the tests.", unknown()).unwrap(), 0);
    assert!(of("All tests pass.", unknown()).is_err());
}
