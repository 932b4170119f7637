//! "No warnings", beside runs that printed some.

use super::*;

#[test]
fn no_warnings_where_the_runs_printed_some_is_held() {
    let ran = |check: &str, kind: CheckKind, tree: &str, warnings: Option<u64>| CheckRun {
        summary: Some(proctor_kernel::Summary {
            runner: check.to_owned(),
            failed: Some(0),
            warnings,
            ..proctor_kernel::Summary::default()
        }),
        ..run(check, kind, tree)
    };
    let lint = ClaimKind::Check(CheckKind::Lint);
    // One after the other.
    let told = |kind, text: &str, runs: &[CheckRun]| {
        let later = |(began, run): (u64, &CheckRun)| CheckRun { began, ..run.clone() };
        let runs: Vec<CheckRun> = (0..).zip(runs).map(later).collect();
        judged(&[claim(kind, text)], &runs, &[], false).findings
    };
    let clippy = |warnings| ran("cargo clippy", CheckKind::Lint, "t", warnings);
    let found = told(lint, "Clippy gives no warnings.", &[clippy(Some(3))]);
    assert_eq!(
        found[0].message,
        "[SYSTEM] Claimed without a run that shows it: \"Clippy gives no warnings.\": `cargo clippy` shows 3 warnings."
    );
    assert_eq!(
        found[0].instead.as_deref(),
        Some(
            "Write how many warnings `cargo clippy` shows, or mend them, run it again and report what it shows; or write the message again without that claim."
        )
    );
    let found = told(lint, "경고는 하나도 없습니다.", &[clippy(Some(1))]);
    assert_eq!(found.len(), 1);
    // Of some of them; of none that is counted; a run since, and another check that printed none.
    for (text, runs) in [
        ("Clippy gives no new warnings.", vec![clippy(Some(3))]),
        ("Clippy passes.", vec![clippy(Some(3))]),
        ("No warnings.", vec![clippy(None)]),
        ("No warnings.", vec![clippy(Some(0))]),
        ("No warnings.", vec![clippy(Some(3)), clippy(None)]),
        (
            "eslint: no warnings.",
            vec![clippy(Some(3)), ran("eslint .", CheckKind::Lint, "t", Some(0))],
        ),
    ] {
        assert_eq!(told(lint, text, &runs), [], "{text}");
    }
    // The latest run of a check is the one that holds.
    assert_eq!(
        told(lint, "No warnings.", &[clippy(None), clippy(Some(2))]).len(),
        1
    );
    // The program that is named is meant, whatever else was run that counts none.
    let pair = [
        clippy(Some(3)),
        ran("cargo fmt --check", CheckKind::Lint, "t", None),
    ];
    assert_eq!(told(lint, "Clippy gives no warnings.", &pair).len(), 1);
    assert_eq!(told(lint, "No warnings.", &pair), []);
    // Two checks of one line: whose warnings they are is not told apart. A sentence about two kinds.
    let line = |check: &str| CheckRun {
        command: "cargo build; cargo clippy".to_owned(),
        ..ran(check, CheckKind::Lint, "t", Some(3))
    };
    let text = "Clippy gives no warnings.";
    let both = [line("cargo clippy"), line("cargo clippy --all")];
    assert_eq!(judged(&[claim(lint, text)], &both, &[], false).findings, []);
    let tested = ran("cargo test", CheckKind::Tests, "t", Some(1));
    let text = "All tests pass and clippy gives no warnings.";
    let mut two = [claim(TESTS, text), claim(lint, text)];
    two[0].span.label = "tests".to_owned();
    assert_eq!(judged(&two, &[clippy(None), tested], &[], false).findings, []);
    let build = ClaimKind::Check(CheckKind::Build);
    let built = ran("cargo build", CheckKind::Build, "t", Some(2));
    assert_eq!(
        told(build, "The crate builds without warnings.", &[built]).len(),
        1
    );
    let class = |text: &str| class(text, &[], 0);
    assert_ne!(class("Clippy passes."), class("Clippy passes without warnings."));
}
