use super::*;
use proctor_kernel::{Digest, Id, Running, TreeId};
use proctor_policy::ReviewLevel;
use proptest::prelude::*;

fn id(n: u8) -> Id {
    Id::from_parts(u64::from(n), [n; 10])
}

fn tree(name: &str) -> TreeId {
    TreeId::from_text(name)
}

fn required() -> Requirements {
    Requirements {
        level: ReviewLevel::Witnessed,
        checks: vec![Digest::of(b"checks")],
        signed: false,
        two: false,
        models: 1,
        programs: Vec::new(),
        patience: 600_000,
        runs: None,
        valid: std::collections::BTreeSet::new(),
        past: std::collections::BTreeSet::new(),
    }
}

fn party(kind: PartyKind, session: &str) -> Party {
    Party {
        kind,
        host: "claude".into(),
        session: session.into(),
        ..Party::default()
    }
}

fn requested(on: &str) -> ReviewEvent {
    ReviewEvent::Requested {
        review: id(1),
        task: TaskRef::default(),
        session: "claude-w".into(),
        worker: party(PartyKind::Agent, "w"),
        base: None,
        head: None,
        tree: Some(tree(on)),
    }
}

fn verdict(verdict: ReviewVerdict, on: &str) -> VerdictEntry {
    VerdictEntry {
        verdict,
        reviewer: party(PartyKind::Launched, "r"),
        independence: Independence::Yes,
        tree: Some(tree(on)),
        from: Vec::new(),
        head: None,
        evidence: Vec::new(),
        pins: Pins {
            engine: "0".into(),
            build: None,
            policy: Digest::of(b"p"),
            checks: Digest::of(b"checks"),
            level: "witnessed".into(),
            project: None,
        },
        words: String::new(),
        round: 0,
        at: 0,
        record: None,
        signature: None,
        second: None,
        others: Vec::new(),
    }
}

fn decided(entry: VerdictEntry) -> ReviewEvent {
    ReviewEvent::Decided {
        review: id(1),
        entry: Box::new(entry),
    }
}

fn found(n: u8, severity: Severity) -> ReviewEvent {
    ReviewEvent::Found {
        review: id(1),
        finding: ReviewFinding {
            id: id(n),
            rule: None,
            text: "an empty list panics".into(),
            severity,
            path: None,
            line: None,
            tree: None,
            settled: None,
            settled_by: None,
            same_file: false,
            answer: String::new(),
            opinions: Vec::new(),
        },
    }
}

fn settled(n: u8) -> ReviewEvent {
    ReviewEvent::Settled {
        review: id(1),
        finding: id(n),
        how: Settlement::Fixed,
        words: "guarded".into(),
        same_file: false,
        by: Party::default(),
    }
}

fn book(events: &[ReviewEvent]) -> ReviewBook {
    let mut book = ReviewBook::default();
    for (at, event) in events.iter().enumerate() {
        book.take(event, at as u64, Some(&id(at as u8)));
    }
    book
}

fn standing(book: &ReviewBook, on: &str) -> &'static str {
    book.standing(Some("claude-w"), Some(&tree(on)), 1_000, &required())
        .as_str()
}

use ReviewVerdict::{Approve, Reject};

#[test]
fn the_life_of_a_review() {
    let mut events = Vec::new();
    let mut step = |event: Option<ReviewEvent>, on: &str, expected: &str| {
        events.extend(event);
        assert_eq!(standing(&book(&events), on), expected, "{:?}", events.last());
    };
    step(None, "t1", "none");
    step(Some(requested("t1")), "t1", "pending");
    let started = ReviewEvent::Started {
        review: id(1),
        reviewer: party(PartyKind::Launched, "r"),
    };
    step(Some(started.clone()), "t1", "in_review");
    let failed = ReviewEvent::CouldNotRun {
        review: id(1),
        why: "quota".into(),
    };
    step(Some(failed), "t1", "pending");
    step(Some(started), "t1", "in_review");
    step(Some(found(9, Severity::Blocking)), "t1", "in_review");
    step(Some(decided(verdict(Reject, "t1"))), "t1", "rejected");
    step(Some(settled(9)), "t2", "rejected");
    step(Some(requested("t2")), "t2", "pending");
    step(Some(decided(verdict(Approve, "t2"))), "t2", "approved");
    // A later edit makes it stale, and going back makes it good again.
    step(None, "t3", "stale");
    step(None, "t2", "approved");
    step(None, "t1", "stale");
    let book = book(&events);
    let review = book.review(&id(1)).unwrap();
    assert_eq!((review.attempts, review.round, review.failures.len()), (1, 2, 0));
}

#[test]
fn what_was_given_up_or_is_looked_at_is_one_tree() {
    let started = ReviewEvent::Started {
        review: id(1),
        reviewer: party(PartyKind::Launched, "r"),
    };
    let given_up = ReviewEvent::Escalated {
        session: "claude-w".into(),
        why: "limit".into(),
        tree: Some(tree("t1")),
    };
    let alone = book(std::slice::from_ref(&given_up));
    assert_eq!(
        (standing(&alone, "t1"), standing(&alone, "t2")),
        ("escalated", "none")
    );
    let mut events = vec![requested("t1"), started];
    let looked_at = book(&events);
    assert_eq!(
        (standing(&looked_at, "t1"), standing(&looked_at, "t2")),
        ("in_review", "pending")
    );
    events.push(given_up);
    let both = book(&events);
    assert_eq!(
        (standing(&both, "t1"), standing(&both, "t2")),
        ("escalated", "pending")
    );
}

#[test]
fn what_does_not_approve() {
    let cases: Vec<(&str, Vec<ReviewEvent>)> = vec![
        (
            "another tree",
            vec![requested("t"), decided(verdict(Approve, "other"))],
        ),
        (
            "the worker itself",
            vec![
                requested("t"),
                decided(VerdictEntry {
                    independence: Independence::No,
                    ..verdict(Approve, "t")
                }),
            ],
        ),
        (
            "nobody knows who",
            vec![
                requested("t"),
                decided(VerdictEntry {
                    independence: Independence::Unknown,
                    ..verdict(Approve, "t")
                }),
            ],
        ),
        (
            "a finding is open",
            vec![
                requested("t"),
                found(9, Severity::Blocking),
                decided(verdict(Approve, "t")),
            ],
        ),
        (
            "no tree",
            vec![
                requested("t"),
                decided(VerdictEntry {
                    tree: None,
                    ..verdict(Approve, "t")
                }),
            ],
        ),
        (
            "weaker evidence",
            vec![
                requested("t"),
                decided(VerdictEntry {
                    pins: Pins {
                        level: "text".into(),
                        ..verdict(Approve, "t").pins
                    },
                    ..verdict(Approve, "t")
                }),
            ],
        ),
        (
            "other checks",
            vec![
                requested("t"),
                decided(VerdictEntry {
                    pins: Pins {
                        checks: Digest::of(b"none"),
                        ..verdict(Approve, "t").pins
                    },
                    ..verdict(Approve, "t")
                }),
            ],
        ),
        ("no review", vec![decided(verdict(Approve, "t"))]),
    ];
    for (why, events) in cases {
        let book = book(&events);
        let now = book.standing(Some("claude-w"), Some(&tree("t")), 0, &required());
        assert!(!now.lets_go(), "{why}: {now:?}");
    }
    let minor = book(&[
        requested("t"),
        found(9, Severity::Minor),
        decided(verdict(Approve, "t")),
    ]);
    assert_eq!(standing(&minor, "t"), "approved");
    let unsigned = book(&[requested("t"), decided(verdict(Approve, "t"))]);
    let signed = Requirements {
        signed: true,
        ..required()
    };
    assert!(!unsigned.standing(None, Some(&tree("t")), 0, &signed).lets_go());
    // A signature alone does not do: it must have been looked at.
    let under = |text: &str| VerdictEntry {
        signature: Some(Signature {
            signer: String::new(),
            statement: text.into(),
            armour: String::new(),
        }),
        ..verdict(Approve, "t")
    };
    let sealed = book(&[requested("t"), decided(under("a statement"))]);
    assert!(!sealed.standing(None, Some(&tree("t")), 0, &signed).lets_go());
    let seal = sealed.reviews[0].verdicts[0].seal(&id(1));
    assert!(seal.is_some());
    let looked_at = Requirements {
        valid: seal.into_iter().collect(),
        ..signed
    };
    assert!(sealed.standing(None, Some(&tree("t")), 0, &looked_at).lets_go());
    let other = book(&[requested("t"), decided(under("another"))]);
    assert!(!other.standing(None, Some(&tree("t")), 0, &looked_at).lets_go());
    assert!(!unsigned.standing(None, None, 0, &required()).lets_go());
}

#[test]
fn only_a_program_that_the_policy_names_approves() {
    let by = |kind, program: Option<Program>| {
        let reviewer = Party {
            program,
            ..party(kind, "r")
        };
        book(&[
            requested("t"),
            decided(VerdictEntry {
                reviewer,
                ..verdict(Approve, "t")
            }),
        ])
    };
    let program = Program {
        path: "/opt/claude/2.1".into(),
        named: Some("/usr/bin/claude".into()),
        digest: "sha256:12".into(),
        interpreter: None,
    };
    let known = by(PartyKind::Launched, Some(program));
    let unknown = by(PartyKind::Launched, None);
    let human = by(PartyKind::Human, None);
    for (pins, counts) in [
        (&[][..], [true, true, true]),
        (&["/opt/claude/2.1"], [true, false, true]),
        (&["/bin/x", "/usr/bin/claude"], [true, false, true]),
        (&["sha256:12"], [true, false, true]),
        (&["sha256:1", "/opt/claude"], [false, false, true]),
    ] {
        let pinned = Requirements {
            programs: pins.iter().map(|p| (*p).to_owned()).collect(),
            ..required()
        };
        let lets_go = |book: &ReviewBook| book.standing(None, Some(&tree("t")), 0, &pinned).lets_go();
        assert_eq!([&known, &unknown, &human].map(lets_go), counts, "{pins:?}");
    }
}

#[test]
fn what_a_review_lacks_ends_it_without_a_verdict() {
    let lacks = |asked| ReviewEvent::Lacked {
        review: id(1),
        lacking: Lacking {
            what: vec!["no run".into()],
            asked,
            grounds: Digest::of(b"g"),
        },
    };
    let started = || ReviewEvent::Started {
        review: id(1),
        reviewer: party(PartyKind::Launched, "r"),
    };
    let failed = || ReviewEvent::CouldNotRun {
        review: id(1),
        why: "quota".into(),
    };
    let after = |events: &[ReviewEvent]| {
        let review = book(events).reviews.remove(0);
        (
            review.status,
            review.failures.len(),
            review.lacking.is_some(),
            review.attempts,
        )
    };
    // A reviewer that was asked can run; a check that failed says nothing of that.
    let pending = ReviewStatus::Pending;
    let asked = [requested("t"), failed(), started(), lacks(true)];
    assert_eq!(after(&asked), (pending, 0, true, 0));
    let unasked = [requested("t"), failed(), lacks(false)];
    assert_eq!(after(&unasked), (pending, 1, true, 0));
    // Whoever looks anew, and a new round, find out for themselves.
    assert!(!after(&[requested("t"), lacks(false), started()]).2);
    assert!(!after(&[requested("t"), lacks(false), requested("u")]).2);
    // Verdicts stand.
    let refused = [
        requested("t"),
        started(),
        decided(verdict(Reject, "t")),
        lacks(true),
    ];
    assert_eq!(after(&refused).0, ReviewStatus::Rejected);
}

#[test]
fn what_is_high_stakes_is_approved_by_two_models_or_a_human() {
    let by = |model: Option<&str>, second: Option<&str>| {
        let of = |model: Option<&str>| Party {
            model: model.map(str::to_owned),
            asked: model.map(str::to_owned),
            ..party(PartyKind::Launched, "r")
        };
        decided(VerdictEntry {
            reviewer: of(model),
            second: second.map(|model| of(Some(model))),
            ..verdict(Approve, "a")
        })
    };
    let two = Requirements {
        two: true,
        ..required()
    };
    let on = |more: &[ReviewEvent], tree_of: &str| {
        let events = [&[requested("a")], more].concat();
        let book = book(&events);
        book.standing(Some("claude-w"), Some(&tree(tree_of)), 99, &two)
            .as_str()
    };
    let is = |more: &[ReviewEvent]| on(more, "a");
    let human = decided(VerdictEntry {
        reviewer: party(PartyKind::Human, "h"),
        ..verdict(Approve, "a")
    });
    let started = ReviewEvent::Started {
        review: id(1),
        reviewer: party(PartyKind::Launched, "s"),
    };
    let failed = ReviewEvent::CouldNotRun {
        review: id(1),
        why: "quota".into(),
    };
    let escalated = ReviewEvent::Escalated {
        session: "claude-w".into(),
        why: "limit".into(),
        tree: Some(tree("a")),
    };
    let one = by(Some("m"), None);
    let again = requested("a");
    // Where the policy asks for three models, two are too few, and a human is enough.
    let three = Requirements {
        models: 3,
        ..required()
    };
    for (events, expected) in [
        (vec![by(Some("m"), Some("n"))], "approved_by_one"),
        (
            vec![by(Some("m"), Some("n")), again.clone(), by(Some("n"), None)],
            "approved_by_one",
        ),
        (
            vec![by(Some("m"), Some("n")), again.clone(), by(Some("o"), None)],
            "approved",
        ),
        (vec![human.clone()], "approved"),
    ] {
        let book = book(&[&[requested("a")], events.as_slice()].concat());
        let standing = book.standing(Some("claude-w"), Some(&tree("a")), 99, &three);
        assert_eq!(standing.as_str(), expected, "{events:?}");
    }
    assert_eq!(is(&[by(Some("m"), Some("n"))]), "approved");
    assert_eq!(is(std::slice::from_ref(&human)), "approved");
    assert_eq!(is(&[one.clone(), again.clone(), by(Some("n"), None)]), "approved");
    // A model that is not known is no second one, nor is the same.
    for bad in [by(None, None), by(Some("m"), None), by(Some(""), Some("m"))] {
        assert_eq!(is(&[one.clone(), again.clone(), bad]), "approved_by_one");
    }
    assert_eq!(on(std::slice::from_ref(&one), "b"), "stale");
    // Who looks now, who is waited for, what failed and what refused is said first.
    let then = |more: ReviewEvent| is(&[one.clone(), again.clone(), more]);
    assert_eq!(is(&[one.clone(), again.clone()]), "approved_by_one");
    assert_eq!(then(started), "in_review");
    assert_eq!(then(failed.clone()), "pending");
    assert_eq!(is(&[one.clone(), failed]), "pending");
    assert_eq!(then(ReviewEvent::LeftToHuman { review: id(1) }), "pending");
    assert_eq!(then(decided(verdict(Reject, "a"))), "rejected");
    assert_eq!(then(human), "approved");
    // What is given up is given up, and comes back with the next round.
    assert_eq!(is(&[one.clone(), escalated.clone()]), "escalated");
    assert_eq!(is(&[one.clone(), escalated, again.clone()]), "approved_by_one");
}

#[test]
fn a_refusal_is_overcome_only_by_an_approval_that_came_after_it() {
    let own = || {
        decided(VerdictEntry {
            independence: Independence::No,
            ..verdict(Approve, "t")
        })
    };
    // An old approval does not come back to life because the worker approves itself in a later round.
    let mut events = vec![
        requested("t"),
        decided(verdict(Approve, "t")),
        requested("t"),
        found(9, Severity::Blocking),
        decided(verdict(Reject, "t")),
        settled(9),
        requested("t"),
        own(),
    ];
    assert_ne!(standing(&book(&events), "t"), "approved");
    events.push(decided(verdict(Approve, "t")));
    assert_eq!(standing(&book(&events), "t"), "approved");

    // Another session's review of the same tree may approve what was refused and answered before.
    let other = |event: ReviewEvent| match event {
        ReviewEvent::Requested {
            task,
            worker,
            base,
            head,
            tree,
            ..
        } => ReviewEvent::Requested {
            review: id(2),
            session: "claude-w".into(),
            task,
            worker,
            base,
            head,
            tree,
        },
        ReviewEvent::Decided { entry, .. } => ReviewEvent::Decided { review: id(2), entry },
        event => event,
    };
    let mut events = vec![
        requested("t"),
        found(9, Severity::Blocking),
        decided(verdict(Reject, "t")),
    ];
    events.extend([other(requested("t")), other(decided(verdict(Approve, "t")))]);
    assert_ne!(standing(&book(&events), "t"), "approved", "a finding is open");
    events.push(settled(9));
    assert_eq!(standing(&book(&events), "t"), "approved");
    events.push(decided(verdict(Reject, "t")));
    assert_ne!(
        standing(&book(&events), "t"),
        "approved",
        "refused after the approval"
    );
}

#[test]
fn a_release_holds_for_its_tree_its_session_and_its_time() {
    let release = |tree: Option<&str>, session: Option<&str>| {
        book(&[ReviewEvent::Released(Box::new(Release {
            by: party(PartyKind::Human, ""),
            reason: "demo".into(),
            tree: tree.map(TreeId::from_text),
            session: session.map(str::to_owned),
            at: 0,
            until: 100,
            policy: None,
            record: None,
            signature: None,
        }))])
    };
    let ask = |book: &ReviewBook, on: &str, at: u64| {
        book.standing(Some("claude-w"), Some(&tree(on)), at, &required())
            .lets_go()
    };
    let one = release(Some("t"), None);
    assert!(ask(&one, "t", 99) && !ask(&one, "t", 100) && !ask(&one, "u", 0));
    assert!(ask(&release(None, None), "u", 0));
    assert!(ask(&release(None, Some("claude-w")), "u", 0));
    assert!(!ask(&release(None, Some("claude-other")), "u", 0));
}

#[test]
fn a_reviewer_at_work_is_not_believed_where_records_are_gone() {
    let started = |by: &str| ReviewEvent::Started {
        review: id(1),
        reviewer: party(PartyKind::Launched, by),
    };
    let mut book = book(&[requested("t"), started("r")]);
    assert_eq!(standing(&book, "t"), "in_review");
    // What it answered may be among them.
    book.gone = Some(proctor_ledger::Gone {
        at: 5,
        what: "the last record is missing".into(),
        upto: proctor_ledger::Position::default(),
        told: true,
    });
    assert_eq!(standing(&book, "t"), "pending");
    // One that was started after that is at work.
    if let Some(gone) = &mut book.gone {
        gone.at = 0;
    }
    assert_eq!(standing(&book, "t"), "in_review");
}

#[test]
fn a_reviewer_is_at_work_while_somebody_waits_for_its_verdict() {
    let waiting = |pid: u32| Party {
        waits: Some(Running {
            pid,
            started: 1,
            within: "here".into(),
        }),
        ..party(PartyKind::Launched, "r")
    };
    let begun = |reviewer: Party| {
        let review = id(1);
        book(&[requested("t"), ReviewEvent::Started { review, reviewer }])
    };
    let required = Requirements {
        runs: Some(|process| match process.pid {
            1 => Some(true),
            2 => Some(false),
            _ => None,
        }),
        ..required()
    };
    let told = |book: &ReviewBook, now: u64| {
        let why = book.gone_quiet(&book.reviews[0], now, &required);
        (
            book.standing(None, Some(&tree("t")), now, &required).as_str(),
            why.as_deref()
                .map(|why| why.split(' ').take(2).collect::<Vec<_>>().join(" ")),
        )
    };
    let long = 600_000 + 2;
    let ended = Some("the process".to_owned());
    let silent = Some("nothing was".to_owned());
    assert_eq!(told(&begun(waiting(1)), 10), ("in_review", None));
    assert_eq!(told(&begun(waiting(1)), long), ("pending", silent.clone()));
    assert_eq!(told(&begun(waiting(2)), 10), ("pending", ended.clone()));
    assert_eq!(
        told(&begun(waiting(3)), 10),
        ("in_review", None),
        "nobody can tell"
    );
    assert_eq!(told(&begun(waiting(3)), long), ("pending", silent));
    assert_eq!(
        told(&begun(party(PartyKind::Launched, "r")), 10),
        ("in_review", None)
    );
    // One that said that it could not run has said why itself.
    let mut book = begun(waiting(2));
    let why = "quota".to_owned();
    book.take(&ReviewEvent::CouldNotRun { review: id(1), why }, 3, None);
    assert_eq!(told(&book, 10), ("pending", None));
}

#[test]
fn who_is_another_one() {
    let worker = party(PartyKind::Agent, "w");
    let cases = [
        (party(PartyKind::Human, ""), Independence::Yes),
        (party(PartyKind::Launched, "r"), Independence::Yes),
        (party(PartyKind::Launched, "w"), Independence::No),
        (party(PartyKind::Agent, "w"), Independence::No),
        (party(PartyKind::Agent, "r"), Independence::Unknown),
        (Party::default(), Independence::Unknown),
    ];
    for (reviewer, expected) in cases {
        assert_eq!(independence(&worker, &reviewer), expected, "{reviewer:?}");
    }
}

proptest! {
    /// The refusal wins whatever the order in which verdicts of one round arrive.
    #[test]
    fn concurrent_verdicts(verdicts in proptest::collection::vec(any::<bool>(), 1..6)) {
        let events: Vec<ReviewEvent> = std::iter::once(requested("t"))
            .chain(verdicts.iter().map(|yes| decided(verdict(if *yes { Approve } else { Reject }, "t"))))
            .collect();
        let all = verdicts.iter().all(|yes| *yes);
        prop_assert_eq!(standing(&book(&events), "t") == "approved", all);
    }

    /// No order of events without an approval that counts ends in an approval.
    #[test]
    fn nothing_approves_by_itself(picks in proptest::collection::vec(0u8..7, 0..12)) {
        let events: Vec<ReviewEvent> = picks.iter().map(|pick| match pick {
            0 => requested("t"),
            1 => decided(verdict(Reject, "t")),
            2 => decided(VerdictEntry { independence: Independence::Unknown, ..verdict(Approve, "t") }),
            3 => found(9, Severity::Blocking),
            4 => settled(9),
            5 => ReviewEvent::Escalated { session: "claude-w".into(), why: "limit".into(), tree: Some(tree("t")) },
            _ => ReviewEvent::Started { review: id(1), reviewer: party(PartyKind::Launched, "r") },
        }).collect();
        let book = book(&events);
        let now = book.standing(Some("claude-w"), Some(&tree("t")), 0, &required());
        prop_assert!(!now.lets_go(), "{:?}", now);
    }
}
