use super::*;
use proctor_kernel::{End, ExitSource, Id, Mask, Place, Summary, Trust};

mod kin;
mod properties;

const TESTS: Wanted<'_> = Wanted::Check(CheckKind::Tests);

fn tree(name: &str) -> TreeId {
    TreeId::from_text(name)
}

/// A passing whole test run on tree `t`.
pub(crate) fn run() -> CheckRun {
    CheckRun {
        id: Id::from_parts(1, [7; 10]),
        command: "cargo test".to_owned(),
        check: "cargo test".to_owned(),
        argv: Vec::new(),
        kinds: CheckKind::Tests.into(),
        partial: false,
        whole: None,
        own: None,
        varied: false,
        cwd: String::new(),
        place: Place::Here,
        exit: Some(0),
        exit_source: ExitSource::HostField,
        masks: Vec::new(),
        background: false,
        output: None,
        summary: None,
        end: None,
        before: Some(tree("t")),
        after: Some(tree("t")),
        litter: false,
        writes: 0,
        began: 0,
        millis: None,
        trust: Trust::Witnessed,
        clean: false,
    }
}

fn with(change: impl FnOnce(&mut CheckRun)) -> CheckRun {
    let mut run = run();
    change(&mut run);
    run
}

fn summary(passed: u64, failed: u64) -> Option<Summary> {
    Some(Summary {
        runner: "cargo".to_owned(),
        passed: Some(passed),
        failed: Some(failed),
        says_failed: failed > 0,
        ..Summary::default()
    })
}

fn failing() -> CheckRun {
    with(|r| {
        r.exit = Some(101);
        r.summary = summary(40, 2);
    })
}

fn part() -> CheckRun {
    with(|r| {
        r.check = "cargo test -k parser".to_owned();
        r.partial = true;
    })
}

fn on(name: &str, mut run: CheckRun) -> CheckRun {
    run.before = Some(tree(name));
    run.after = Some(tree(name));
    run
}

fn lint() -> CheckRun {
    with(|r| {
        r.check = "cargo clippy".to_owned();
        r.kinds = CheckKind::Lint.into();
    })
}

fn ask(wanted: Wanted<'_>, runs: &[CheckRun]) -> Support {
    let here = tree("t");
    let now = Now {
        tree: Some(&here),
        writes: 0,
        changed_since: &|_| Some(vec!["src/a.rs".to_owned()]),
    };
    support(wanted, runs, &now)
}

/// The answer where a part is enough.
fn said_of_a_part(runs: &[CheckRun]) -> Reason {
    let here = tree("t");
    let now = Now {
        tree: Some(&here),
        writes: 0,
        changed_since: &|_| Some(Vec::new()),
    };
    support_part(TESTS, runs, &now, false, &|_| true).reason
}

#[test]
fn one_run_has_the_reason_of_its_state() {
    let masked = |mask| with(|r| r.masks = vec![mask]);
    let table: Vec<(CheckRun, Reason)> = vec![
        (run(), Reason::Supported),
        (with(|r| r.summary = summary(12, 0)), Reason::Supported),
        (part(), Reason::WrongKind),
        (with(|r| r.place = Place::Outside), Reason::WrongKind),
        (with(|r| r.cwd = "/other".to_owned()), Reason::WrongKind),
        (with(|r| r.place = Place::Unknown), Reason::NoResult),
        (lint(), Reason::WrongKind),
        (on("s", run()), Reason::Stale),
        (on("s", failing()), Reason::Stale),
        (with(|r| r.before = Some(tree("s"))), Reason::TreeChangedDuringRun),
        (
            with(|r| {
                r.before = Some(tree("s"));
                r.litter = true;
            }),
            Reason::Supported,
        ),
        // The litter was cleaned up.
        (
            with(|r| {
                r.after = Some(tree("s"));
                r.litter = true;
            }),
            Reason::Supported,
        ),
        (failing(), Reason::FailedExit),
        (with(|r| r.exit = Some(127)), Reason::FailedExit),
        (with(|r| r.summary = summary(12, 1)), Reason::FailedOutput),
        (with(|r| r.summary = summary(0, 0)), Reason::EmptyRun),
        (
            with(|r| {
                r.exit = Some(5);
                r.summary = summary(0, 0);
            }),
            Reason::EmptyRun,
        ),
        (with(|r| r.end = Some(End::Silent)), Reason::EmptyRun),
        (with(|r| r.end = Some(End::Hidden)), Reason::NoResult),
        (masked(Mask::Pipe), Reason::Masked),
        (masked(Mask::Or), Reason::Masked),
        (masked(Mask::Then), Reason::Masked),
        (masked(Mask::Negated), Reason::Masked),
        (masked(Mask::Control), Reason::Masked),
        (masked(Mask::Unreached), Reason::Masked),
        (masked(Mask::Unanalysable), Reason::Masked),
        (masked(Mask::Background), Reason::BackgroundOnly),
        (
            with(|r| {
                r.masks = vec![Mask::Pipe];
                r.summary = summary(12, 0);
            }),
            Reason::Masked,
        ),
        (
            with(|r| {
                r.masks = vec![Mask::Pipe];
                r.summary = summary(12, 3);
            }),
            Reason::FailedOutput,
        ),
        (
            with(|r| {
                r.background = true;
                r.exit = None;
            }),
            Reason::BackgroundOnly,
        ),
        (with(|r| r.exit = None), Reason::NoResult),
        (with(|r| r.exit_source = ExitSource::Unknown), Reason::NoResult),
        (with(|r| r.after = None), Reason::CouldNotRun),
        (with(|r| r.before = None), Reason::CouldNotRun),
        (
            with(|r| {
                r.before = Some(tree("s"));
                r.after = None;
            }),
            Reason::Stale,
        ),
    ];
    for (run, expected) in table {
        let answer = ask(TESTS, std::slice::from_ref(&run));
        assert_eq!(answer.reason, expected, "{run:?}");
        assert_eq!(answer.missing.is_empty(), expected == Reason::Supported);
        assert_eq!(answer.run, Some(0));
    }
    assert_eq!(ask(TESTS, &[]).reason, Reason::NoCommand);
}

#[test]
fn several_runs_answer_together() {
    let later_part_failing = with(|r| {
        r.exit = Some(1);
        r.partial = true;
        r.check = "cargo test -k io".to_owned();
    });
    let table: Vec<(&str, Vec<CheckRun>, Reason)> = vec![
        ("a later failure wins", vec![run(), failing()], Reason::FailedExit),
        (
            "a later pass settles it",
            vec![failing(), run()],
            Reason::Supported,
        ),
        (
            "a part after a failed whole",
            vec![failing(), part()],
            Reason::SupersededByFailure,
        ),
        (
            "a part on a new tree after the whole failed on the old one",
            vec![on("s", failing()), part()],
            Reason::SupersededByFailure,
        ),
        (
            "the whole passed in between",
            vec![on("r", failing()), on("s", run()), part()],
            Reason::Supported,
        ),
        (
            "another part failed later",
            vec![part(), later_part_failing.clone()],
            Reason::FailedExit,
        ),
        (
            "another part failed before and was not run again",
            vec![later_part_failing.clone(), part()],
            Reason::FailedExit,
        ),
        (
            "another part failed on an older tree",
            vec![on("s", later_part_failing.clone()), part()],
            Reason::Supported,
        ),
        (
            "a part of which a word is hidden may be another one",
            vec![
                with(|r| {
                    r.partial = true;
                    r.check = "cargo test -k io --token=***".to_owned();
                    r.exit = Some(1);
                    r.summary = summary(1, 1);
                }),
                with(|r| {
                    r.partial = true;
                    r.check = "cargo test -k io --token=***".to_owned();
                }),
            ],
            Reason::FailedExit,
        ),
        (
            "the same part passed when it was run again",
            vec![
                later_part_failing.clone(),
                with(|r| {
                    r.partial = true;
                    r.check = "cargo test -k io".to_owned();
                }),
            ],
            Reason::Supported,
        ),
        (
            "a masked run changes no pass",
            vec![run(), with(|r| r.masks = vec![Mask::Pipe])],
            Reason::Supported,
        ),
        (
            "a masked run that shows a failure does",
            vec![
                run(),
                with(|r| {
                    r.masks = vec![Mask::Pipe];
                    r.summary = summary(1, 1);
                }),
            ],
            Reason::FailedOutput,
        ),
        (
            "a failing lint says nothing of tests",
            vec![
                run(),
                with(|r| {
                    r.kinds = CheckKind::Lint.into();
                    r.exit = Some(1);
                }),
            ],
            Reason::Supported,
        ),
        (
            "the pass is older than an edit",
            vec![on("s", run()), lint()],
            Reason::Stale,
        ),
        (
            "masked on this tree, passed on an older one",
            vec![on("s", run()), with(|r| r.masks = vec![Mask::Pipe])],
            Reason::Masked,
        ),
        (
            "masked on an older tree, then passed, then edited",
            vec![on("r", with(|r| r.masks = vec![Mask::Pipe])), on("s", run())],
            Reason::Stale,
        ),
        (
            "back on the tree that passed",
            vec![run(), on("s", failing())],
            Reason::Supported,
        ),
        (
            "the whole of a folder inside is a part",
            vec![failing(), with(|r| r.cwd = "crates/a".to_owned())],
            Reason::SupersededByFailure,
        ),
        (
            "the first try was made in the wrong folder",
            vec![with(|r| r.exit = Some(101)), with(|r| r.cwd = "rust".to_owned())],
            Reason::Supported,
        ),
        (
            "the whole passes where a folder inside failed",
            vec![
                with(|r| {
                    r.cwd = "crates/a".to_owned();
                    r.exit = Some(1);
                    r.summary = summary(1, 1);
                }),
                run(),
            ],
            Reason::Supported,
        ),
        (
            "a command that does not exist was no test",
            vec![run(), with(|r| r.exit = Some(127))],
            Reason::Supported,
        ),
    ];
    for (name, runs, expected) in table {
        assert_eq!(said_of_a_part(&runs), expected, "{name}");
    }
}

#[test]
fn kinds_answer_for_what_they_imply() {
    let build = |exit| {
        with(|r| {
            r.check = "cargo build".to_owned();
            r.kinds = CheckKind::Build.into();
            r.exit = Some(exit);
        })
    };
    let check = |wanted, runs: &[CheckRun]| ask(Wanted::Check(wanted), runs).reason;
    assert_eq!(check(CheckKind::Build, &[run()]), Reason::Supported);
    assert_eq!(check(CheckKind::Types, &[build(0)]), Reason::Supported);
    assert_eq!(check(CheckKind::Tests, &[build(0)]), Reason::WrongKind);
    assert_eq!(check(CheckKind::Lint, &[run(), build(0)]), Reason::WrongKind);
    // Failing tests say nothing against a build, and no test at all is no fault of a build.
    assert_eq!(check(CheckKind::Build, &[build(0), failing()]), Reason::Supported);
    assert_eq!(
        check(CheckKind::Build, &[with(|r| r.summary = summary(0, 0))]),
        Reason::Supported
    );
    // A build that failed on this very tree is not undone by the one on the way to the tests.
    assert_eq!(
        check(CheckKind::Build, &[build(1), run()]),
        Reason::SupersededByFailure
    );
    assert_eq!(check(CheckKind::Build, &[run(), build(1)]), Reason::FailedExit);
    assert_eq!(
        check(CheckKind::Build, &[on("s", build(1)), run()]),
        Reason::Supported
    );
    // Tests that nothing compiles show no build, and no types.
    let python = with(|r| r.check = "pytest".to_owned());
    assert_eq!(
        check(CheckKind::Build, std::slice::from_ref(&python)),
        Reason::WrongKind
    );
    assert_eq!(check(CheckKind::Types, &[python]), Reason::WrongKind);
}

#[test]
fn verified_takes_any_pass_that_nothing_on_this_tree_speaks_against() {
    let verified = |runs: &[CheckRun]| ask(Wanted::Verified, runs).reason;
    let lint_fails = with(|r| {
        r.kinds = CheckKind::Lint.into();
        r.exit = Some(1);
    });
    assert_eq!(verified(&[]), Reason::NoCommand);
    assert_eq!(verified(&[lint()]), Reason::Supported);
    assert_eq!(verified(&[failing(), lint()]), Reason::FailedExit);
    assert_eq!(verified(&[on("s", failing()), lint()]), Reason::Supported);
    assert_eq!(verified(&[run(), lint_fails.clone()]), Reason::Supported);
    assert_eq!(verified(&[lint_fails]), Reason::FailedExit);
    assert_eq!(verified(&[failing(), part()]), Reason::SupersededByFailure);
}

#[test]
fn checks_of_the_project_are_told_apart_by_name() {
    let own = |name: &str| Verification {
        name: name.to_owned(),
        run: format!("make {name}"),
        kind: None,
    };
    let named = |name: &str| with(|r| r.own = Some(name.to_owned()));
    let (test, e2e) = (own("test"), own("e2e"));
    assert_eq!(
        ask(Wanted::Own(&test), &[named("test")]).reason,
        Reason::Supported
    );
    assert_eq!(ask(Wanted::Own(&e2e), &[named("test")]).reason, Reason::WrongKind);
    let here = tree("t");
    let now = Now {
        tree: Some(&here),
        writes: 0,
        changed_since: &|_| None,
    };
    let both = [test, e2e];
    let answer = support_all(&both, &[named("test")], &now, false).unwrap();
    assert_eq!(answer.reason, Reason::WrongKind);
    assert!(answer.missing.contains("`make e2e`"), "{}", answer.missing);
    assert_eq!(
        support_all(&both, &[named("test"), named("e2e")], &now, false)
            .unwrap()
            .reason,
        Reason::Supported
    );
    assert_eq!(support_all(&[], &[], &now, false), None);
}

#[test]
fn without_trees_the_writes_decide() {
    let bare = |writes| {
        with(|r| {
            r.before = None;
            r.after = None;
            r.writes = writes;
        })
    };
    let answer = |tree: Option<&TreeId>, writes, run: CheckRun| {
        let now = Now {
            tree,
            writes,
            changed_since: &|_| None,
        };
        support(TESTS, &[run], &now).reason
    };
    assert_eq!(answer(None, 3, bare(3)), Reason::Supported);
    assert_eq!(answer(None, 4, bare(3)), Reason::Stale);
    assert_eq!(answer(None, 3, run()), Reason::CouldNotRun);
    assert_eq!(answer(Some(&tree("t")), 3, bare(3)), Reason::CouldNotRun);
}

#[test]
fn words_name_what_was_not_seen() {
    let pipe = with(|r| {
        r.command = "cargo test 2>&1 | tail -5".to_owned();
        r.masks = vec![Mask::Pipe];
    });
    let table: Vec<(Wanted<'_>, Vec<CheckRun>, &str, &str)> = vec![
        (
            TESTS,
            vec![on("s", run())],
            "no test run after the last edit of src/a.rs",
            "마지막 수정(src/a.rs) 이후 테스트 실행이 없습니다",
        ),
        (
            TESTS,
            vec![on("s", failing())],
            "no test run after the last edit of src/a.rs; before it, `cargo test` failed",
            "마지막 수정(src/a.rs) 이후 테스트 실행이 없습니다 (그 전 `cargo test` 실행은 실패)",
        ),
        (
            TESTS,
            vec![pipe],
            "the last `cargo test` was piped through `tail`, so its exit code is not known",
            "마지막 `cargo test` 명령은 출력이 `tail`(으)로 파이프되어 종료 코드를 알 수 없습니다",
        ),
        (
            TESTS,
            vec![lint()],
            "no test run is on record; what ran last was `cargo clippy` (lint)",
            "테스트 실행 기록이 없습니다 (마지막으로 실행된 것: `cargo clippy`, lint)",
        ),
        (
            TESTS,
            vec![failing(), part()],
            "`cargo test` failed, and not all of it was run again since",
            "`cargo test` 실행이 실패한 뒤로 그 전체가 다시 실행되지 않았습니다",
        ),
        (
            Wanted::Check(CheckKind::Build),
            vec![],
            "no build is on record",
            "빌드 실행 기록이 없습니다",
        ),
        (
            TESTS,
            vec![with(|r| r.summary = summary(12, 1))],
            "the output of the last `cargo test` tells of 1 failure",
            "마지막 `cargo test` 실행의 출력에 실패가 1건 있습니다",
        ),
    ];
    let here = tree("t");
    let now = Now {
        tree: Some(&here),
        writes: 0,
        changed_since: &|_| Some(vec!["src/a.rs".to_owned()]),
    };
    for (wanted, runs, english, korean) in table {
        assert_eq!(support_in(wanted, &runs, &now, false).missing, english);
        assert_eq!(support_in(wanted, &runs, &now, true).missing, korean);
    }
    let many = Now {
        changed_since: &|_| Some(["a", "b", "c", "d", "e"].map(str::to_owned).to_vec()),
        ..now
    };
    let answer = support(TESTS, &[on("s", run())], &many);
    assert_eq!(answer.missing, "no test run after the last edit of a, b, c (+2)");
}

#[test]
fn a_check_behind_xargs_is_told_as_that() {
    let told = |command: &str, korean: bool| {
        let run = CheckRun {
            command: command.into(),
            masks: vec![Mask::Unreached],
            ..run()
        };
        let now = Now {
            tree: None,
            writes: 0,
            changed_since: &|_| None,
        };
        support_in(Wanted::Check(CheckKind::Tests), &[run], &now, korean).missing
    };
    assert!(told("ls | xargs cargo test", false).contains("left to `xargs`"));
    assert!(told("ls | xargs cargo test", true).contains("`xargs`에 맡겨져"));
    let after = told("make && cargo test; ls | xargs rm", false);
    assert!(after.contains("stands behind `&&`"), "{after}");
}

#[test]
fn a_part_counts_where_it_is_claimed_and_for_no_check_of_the_policy() {
    let here = tree("t");
    let now = Now {
        tree: Some(&here),
        writes: 0,
        changed_since: &|_| None,
    };
    let told = |wanted, runs: &[CheckRun], said: bool| {
        let answer = support_part(wanted, runs, &now, false, &|_| said);
        (answer.reason, answer.missing)
    };
    let own = Verification {
        name: "test".to_owned(),
        run: "cargo test".to_owned(),
        kind: Some("tests".to_owned()),
    };
    let a_part = with(|r| {
        r.check = "cargo test -p one".to_owned();
        r.partial = true;
        r.whole = Some("cargo test".to_owned());
        r.own = Some("test".to_owned());
    });
    let runs = [a_part.clone()];
    assert_eq!(told(TESTS, &runs, true).0, Reason::Supported);
    let missing = "`cargo test -p one` is a part: run `cargo test`".to_owned();
    assert_eq!(told(TESTS, &runs, false), (Reason::WrongKind, missing.clone()));
    assert_eq!(told(Wanted::Own(&own), &runs, true), (Reason::WrongKind, missing));
    let varied = with(|r| {
        r.check = "cargo test --release".to_owned();
        r.varied = true;
        r.own = Some("test".to_owned());
    });
    assert_eq!(
        told(TESTS, std::slice::from_ref(&varied), false).0,
        Reason::Supported
    );
    assert_eq!(
        told(Wanted::Own(&own), &[varied], true),
        (
            Reason::WrongKind,
            "`cargo test --release` is not run as the policy names it: run `cargo test`".to_owned()
        )
    );
    let below = with(|r| {
        r.partial = true;
        r.cwd = "sub".to_owned();
        r.whole = Some("cargo test".to_owned());
    });
    assert_eq!(
        told(TESTS, &[below], false).1,
        "`cargo test` in `sub` is a part: run `cargo test` at the root of the work tree"
    );
    let other = with(|r| {
        r.place = Place::Outside;
        r.cwd = "/other".to_owned();
    });
    assert_eq!(
        told(TESTS, std::slice::from_ref(&other), true).1,
        "`cargo test` ran in `/other`, outside this work tree"
    );
    // What failed there says nothing of this tree.
    let failed = CheckRun {
        exit: Some(1),
        ..other
    };
    assert_eq!(told(TESTS, &[run(), failed], false).0, Reason::Supported);
}
