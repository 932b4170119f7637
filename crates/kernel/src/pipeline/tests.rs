use super::*;
use crate::{Audience, Digest, Event, EventKind, EventTag, GateError, GateInfo, NoWorld, Outcome};
use std::cell::Cell;

/// A gate that answers from its fields.
struct Fake {
    info: &'static GateInfo,
    answer: fn() -> Result<Outcome, GateError>,
}

impl Gate for Fake {
    fn info(&self) -> &'static GateInfo {
        self.info
    }
    fn check(&self, _: &Context<'_>) -> Result<Outcome, GateError> {
        (self.answer)()
    }
    fn instruction(&self) -> &'static str {
        "Keep to the rule."
    }
}

const EVENTS: &[EventTag] = &[EventTag::TurnEnd];

macro_rules! info {
    ($name:ident, $id:literal, $band:ident) => {
        static $name: GateInfo = GateInfo {
            id: $id,
            alias: $id,
            about: "a test gate",
            band: Band::$band,
            events: EVENTS,
        };
    };
}
info!(EARLY, "early", Enforcement);
info!(BUSINESS, "business", Business);
info!(AUDIT, "audit", Audit);
info!(CLEANUP, "cleanup", Cleanup);

fn event() -> Event {
    Event {
        host: "test".into(),
        native: "Stop".into(),
        session: "s".into(),
        agent: None,
        cwd: "/".into(),
        turn: None,
        kind: EventKind::TurnEnd {
            text: "APPROVE it".into(),
            again: false,
            background: 0,
        },
        input: Digest::of(b""),
    }
}

fn decide(plan: &[Planned<'_>]) -> Decision {
    let event = event();
    let context = Context {
        event: &event,
        audience: Audience::Agent,
        task: None,
        checklist: &[],
        created: &[],
        thoughts: &[],
        steps: &[],
        world: &NoWorld,
    };
    let now = Cell::new(0);
    run(plan, &context, &|| now.replace(now.get() + 5)).0
}

fn planned(gate: &dyn Gate, mode: Mode) -> Planned<'_> {
    Planned {
        gate,
        mode,
        on_error: OnError::Allow,
        breaker: Breaker::Closed,
        retry: true,
        retries: 2,
    }
}

fn finding(tier: Tier, verdict: Verdict) -> Outcome {
    Outcome {
        findings: vec![Finding {
            rule: "early/rule".into(),
            tier,
            verdict,
            message: "Refused.".into(),
            instead: Some("Do this.".into()),
            spans: Vec::new(),
            fallback: None,
        }],
        ..Outcome::default()
    }
}

#[test]
fn truth_table_of_modes() {
    use Mode::{Enforce, Observe, Off, Warn};
    let soft = Fake {
        info: &EARLY,
        answer: || Ok(finding(Tier::Soft, Verdict::Block)),
    };
    let hard = Fake {
        info: &EARLY,
        answer: || Ok(finding(Tier::Hard, Verdict::Block)),
    };
    let ask = Fake {
        info: &EARLY,
        answer: || Ok(finding(Tier::Hard, Verdict::Ask)),
    };
    for (gate, mode, action, notes) in [
        (&soft, Off, Action::Allow, 0),
        (&hard, Off, Action::Allow, 0),
        (&soft, Observe, Action::Allow, 0),
        (&hard, Observe, Action::Allow, 0),
        (&soft, Warn, Action::Allow, 1),
        (&hard, Warn, Action::Allow, 1),
        (&soft, Enforce, Action::Allow, 1),
        (&hard, Enforce, Action::Block, 0),
        (&ask, Warn, Action::Allow, 1),
        (&ask, Enforce, Action::Ask, 0),
    ] {
        let decision = decide(&[planned(gate, mode)]);
        assert_eq!(
            (decision.action, decision.notes.len()),
            (action, notes),
            "mode {mode}"
        );
        if mode != Off {
            // What would have been done is recorded in every mode.
            assert_ne!(decision.reports[0].verdict, Verdict::Pass);
            assert_eq!(decision.reports[0].micros, 5);
        }
        if action == Action::Block {
            assert_eq!(decision.reason, "Refused. Do this.");
        }
    }
}

#[test]
fn a_block_in_band_20_skips_band_50_only_and_bands_run_in_order() {
    let block = Fake {
        info: &EARLY,
        answer: || Ok(finding(Tier::Hard, Verdict::Block)),
    };
    let business = Fake {
        info: &BUSINESS,
        answer: || Ok(finding(Tier::Hard, Verdict::Block)),
    };
    let audit = Fake {
        info: &AUDIT,
        answer: || Ok(finding(Tier::Soft, Verdict::Block)),
    };
    let cleanup = Fake {
        info: &CLEANUP,
        answer: || Ok(Outcome::pass()),
    };
    let plan: Vec<_> = [&cleanup, &audit, &business, &block]
        .into_iter()
        .map(|g| planned(g, Mode::Enforce))
        .collect();
    let decision = decide(&plan);
    let order: Vec<_> = decision
        .reports
        .iter()
        .map(|r| (r.gate.as_str(), r.status == Status::Decided))
        .collect();
    assert_eq!(
        order,
        [
            ("early", true),
            ("business", false),
            ("audit", true),
            ("cleanup", true)
        ]
    );
    assert_eq!(
        decision.notes.len(),
        1,
        "the note of band 80 is kept beside the block"
    );

    let observed: Vec<_> = [&business, &block]
        .into_iter()
        .map(|g| planned(g, Mode::Observe))
        .collect();
    assert!(
        decide(&observed)
            .reports
            .iter()
            .all(|r| r.status == Status::Decided),
        "an observed block skips nothing"
    );
}

#[test]
fn strictest_wins_and_all_reasons_are_kept() {
    let ask = Fake {
        info: &EARLY,
        answer: || Ok(finding(Tier::Hard, Verdict::Ask)),
    };
    let block = Fake {
        info: &BUSINESS,
        answer: || Ok(finding(Tier::Hard, Verdict::Block)),
    };
    let decision = decide(&[planned(&ask, Mode::Enforce), planned(&block, Mode::Enforce)]);
    assert_eq!(decision.action, Action::Block);
    assert_eq!(decision.reason, "Refused. Do this.\n\nRefused. Do this.");
}

#[test]
fn errors_and_panics_are_could_not_run_and_follow_on_error() {
    let error = Fake {
        info: &EARLY,
        answer: || Err(GateError::new("git is missing")),
    };
    let panics = Fake {
        info: &EARLY,
        answer: || panic!("index out of range"),
    };
    for (gate, why) in [(&error, "git is missing"), (&panics, "panic: index out of range")] {
        for (mode, on_error, action, notes) in [
            (Mode::Observe, OnError::Block, Action::Allow, 0),
            (Mode::Warn, OnError::Block, Action::Allow, 1),
            (Mode::Enforce, OnError::Allow, Action::Allow, 1),
            (Mode::Enforce, OnError::Ask, Action::Ask, 0),
            (Mode::Enforce, OnError::Block, Action::Block, 0),
        ] {
            let decision = decide(&[Planned {
                on_error,
                ..planned(gate, mode)
            }]);
            assert_eq!(
                (decision.action, decision.notes.len()),
                (action, notes),
                "{mode} {on_error}"
            );
            assert_eq!(
                decision.reports[0].status,
                Status::CouldNotRun { why: why.into() }
            );
            assert_eq!(decision.reports[0].verdict, Verdict::Pass);
        }
        let last = decide(&[Planned {
            on_error: OnError::Block,
            retry: false,
            ..planned(gate, Mode::Enforce)
        }]);
        assert_eq!(
            (last.action, last.escalated),
            (Action::Allow, true),
            "no loop without an end"
        );
    }
}

#[test]
fn an_open_breaker_degrades_the_gate_to_its_instruction() {
    let block = Fake {
        info: &EARLY,
        answer: || Ok(finding(Tier::Hard, Verdict::Block)),
    };
    let open = Planned {
        breaker: Breaker::Open,
        ..planned(&block, Mode::Enforce)
    };
    let decision = decide(&[open]);
    assert_eq!(decision.action, Action::Allow);
    assert_eq!(
        decision.notes[0].text,
        "[early gate out of service] Keep to the rule."
    );
    assert!(matches!(decision.reports[0].status, Status::CouldNotRun { .. }));
    let trial = Planned {
        breaker: Breaker::HalfOpen,
        ..planned(&block, Mode::Enforce)
    };
    assert_eq!(decide(&[trial]).action, Action::Block, "a half-open gate runs");
}

#[test]
fn without_a_retry_the_fallback_changes_the_text_and_nothing_is_dropped() {
    let downgrade = Fake {
        info: &EARLY,
        answer: || {
            let mut outcome = finding(Tier::Hard, Verdict::Block);
            outcome.findings[0].fallback = Some(Fallback::Replace {
                edits: vec![(0, 7, "NEEDS_REVIEW".into())],
                line: "[downgraded]".into(),
            });
            Ok(outcome)
        },
    };
    let annotate = Fake {
        info: &EARLY,
        answer: || {
            let mut outcome = finding(Tier::Hard, Verdict::Block);
            outcome.findings[0].fallback = Some(Fallback::Annotate {
                line: "[annotated]".into(),
            });
            Ok(outcome)
        },
    };
    let plan: Vec<_> = [&annotate, &downgrade]
        .into_iter()
        .map(|g| Planned {
            retry: false,
            ..planned(g, Mode::Enforce)
        })
        .collect();
    let decision = decide(&plan);
    assert_eq!(decision.action, Action::Modify);
    assert_eq!(
        decision.text.as_deref(),
        Some("NEEDS_REVIEW it\n\n[downgraded]\n\n[annotated]")
    );

    let stuck = Fake {
        info: &BUSINESS,
        answer: || Ok(finding(Tier::Hard, Verdict::Block)),
    };
    let decision = decide(&[Planned {
        retry: false,
        ..planned(&stuck, Mode::Enforce)
    }]);
    assert_eq!((decision.action, decision.escalated), (Action::Allow, true));
}

#[test]
fn replacements_that_do_not_fit_the_text_are_left_out() {
    let fallback = Fallback::Replace {
        edits: vec![(1, 2, "x".into()), (90, 95, "y".into())],
        line: "-".into(),
    };
    assert_eq!(fallback.apply("승인"), "승인\n\n-");
}
