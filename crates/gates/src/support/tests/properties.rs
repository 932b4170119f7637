use super::*;
use proctor_kernel::CheckKinds;
use proptest::prelude::*;

fn any_run() -> impl Strategy<Value = CheckRun> {
    let kinds = prop::sample::subsequence(CheckKind::ALL.to_vec(), 1..3);
    let exits = prop::sample::select(vec![Some(0), Some(0), Some(0), Some(1), Some(127), None]);
    let mask = prop::option::weighted(
        0.2,
        prop::sample::select(vec![Mask::Pipe, Mask::Or, Mask::Background]),
    );
    let figures = prop::option::of((0u64..3, 0u64..2));
    let trees = (0u8..3, 0u8..3, prop::bool::weighted(0.7));
    let place = (prop::sample::select(vec!["", "crates/a", "web"]), 0u8..3);
    (
        kinds,
        exits,
        mask,
        figures,
        trees,
        place,
        any::<[bool; 3]>(),
        0u64..3,
    )
        .prop_map(
            |(
                kinds,
                exit,
                mask,
                figures,
                (before, after, same),
                (cwd, check),
                [partial, litter, known],
                writes,
            )| {
                let name = |n: u8| (n < 2).then(|| tree(if n == 0 { "t" } else { "s" }));
                with(|r| {
                    r.kinds = kinds.into_iter().collect::<CheckKinds>();
                    r.exit = exit;
                    r.exit_source = if known {
                        ExitSource::HostField
                    } else {
                        ExitSource::Unknown
                    };
                    r.masks = mask.into_iter().collect();
                    r.summary = figures.and_then(|(passed, failed)| summary(passed, failed));
                    r.before = name(before);
                    r.after = if same { name(before) } else { name(after) };
                    r.litter = litter;
                    r.partial = partial;
                    r.check = format!("check {check}");
                    r.cwd = cwd.to_owned();
                    r.writes = writes;
                })
            },
        )
}

fn any_wanted() -> impl Strategy<Value = Wanted<'static>> {
    prop::sample::select(vec![
        TESTS,
        Wanted::Check(CheckKind::Build),
        Wanted::Check(CheckKind::Types),
        Wanted::Check(CheckKind::Lint),
        Wanted::Verified,
    ])
}

fn answer(wanted: Wanted<'_>, runs: &[CheckRun], here: Option<&str>, writes: u64) -> Reason {
    let here = here.map(tree);
    let now = Now {
        tree: here.as_ref(),
        writes,
        changed_since: &|_| None,
    };
    let answer = support(wanted, runs, &now);
    assert_eq!(answer.missing.is_empty(), answer.reason == Reason::Supported);
    assert_eq!(answer.run.is_none(), answer.reason == Reason::NoCommand);
    answer.reason
}

proptest! {
    #[test]
    fn an_edit_never_helps(
        wanted in any_wanted(),
        runs in prop::collection::vec(any_run(), 0..6),
        here in prop::sample::select(vec![Some("t"), None]),
        writes in 2u64..4,
    ) {
        let before = answer(wanted, &runs, here, writes);
        let after = answer(wanted, &runs, here.map(|_| "edited"), writes + 1);
        prop_assert_ne!(after, Reason::Supported, "before: {}", before);
    }

    #[test]
    fn a_failing_whole_never_helps(
        wanted in any_wanted(),
        runs in prop::collection::vec(any_run(), 0..6),
        kind in prop::sample::select(CheckKind::ALL.to_vec()),
        at in 0usize..7,
    ) {
        let before = answer(wanted, &runs, Some("t"), 0);
        let mut more = runs.clone();
        more.insert(at.min(runs.len()), with(|r| { r.kinds = kind.into(); r.exit = Some(1); r.summary = summary(3, 1); }));
        let after = answer(wanted, &more, Some("t"), 0);
        prop_assert!(before == Reason::Supported || after != Reason::Supported);
    }

    #[test]
    fn a_hidden_or_unknown_result_alone_supports_nothing(
        wanted in any_wanted(),
        runs in prop::collection::vec(any_run(), 1..6),
        how in 0u8..3,
    ) {
        let runs: Vec<CheckRun> = runs
            .into_iter()
            .map(|mut r| {
                match how {
                    0 => r.masks = vec![Mask::Pipe],
                    1 => r.exit_source = ExitSource::Unknown,
                    _ => r.background = true,
                }
                r
            })
            .collect();
        prop_assert_ne!(answer(wanted, &runs, Some("t"), 0), Reason::Supported);
        prop_assert_ne!(answer(wanted, &runs, None, 0), Reason::Supported);
    }

    /// Only the order of failures and passes counts: passes may change places with passes, failures with failures.
    #[test]
    fn neighbours_of_one_outcome_may_change_places(
        wanted in any_wanted(),
        runs in prop::collection::vec(any_run(), 2..7),
        at in 0usize..6,
    ) {
        let at = at.min(runs.len() - 2);
        let outcome = |r: &CheckRun| (grade::failed(r), grade::passed(r, wanted));
        prop_assume!(outcome(&runs[at]) == outcome(&runs[at + 1]));
        let mut swapped = runs.clone();
        swapped.swap(at, at + 1);
        let supported = |runs: &[CheckRun]| answer(wanted, runs, Some("t"), 0) == Reason::Supported;
        prop_assert_eq!(supported(&runs), supported(&swapped));
    }
}
