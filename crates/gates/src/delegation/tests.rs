use super::*;
use proctor_kernel::{Audience, CheckRun, Digest, Event, NoWorld, ToolCall, ToolKind};

/// A world in which these runs were witnessed.
struct Seen(Vec<CheckRun>);

impl World for Seen {
    fn changed_files(&self, _: &proctor_kernel::Task) -> Result<Vec<String>, GateError> {
        Ok(Vec::new())
    }

    fn runs(&self) -> Result<Vec<CheckRun>, GateError> {
        Ok(self.0.clone())
    }
}

fn run(kind: EventKind) -> Outcome {
    run_in(kind, &NoWorld)
}

fn run_in(kind: EventKind, world: &dyn World) -> Outcome {
    run_with(kind, world, &proctor_policy::Settings::default())
}

fn run_with(kind: EventKind, world: &dyn World, settings: &proctor_policy::Settings) -> Outcome {
    let event = Event {
        host: "test".to_owned(),
        native: String::new(),
        session: "s".to_owned(),
        agent: None,
        cwd: String::new(),
        turn: None,
        kind,
        input: Digest::of(b""),
    };
    let context = Context {
        event: &event,
        audience: Audience::Agent,
        task: None,
        checklist: &[],
        created: &[],
        thoughts: &[],
        steps: &[],
        world,
    };
    Delegation::new(&settings.delegation)
        .with_texts(&settings.response, &settings.review, settings.approval.mode)
        .check(&context)
        .unwrap()
}

fn call(prompt: &str) -> EventKind {
    EventKind::ToolCall {
        call: ToolCall {
            delegation: Some(proctor_kernel::Delegation {
                prompt: prompt.to_owned(),
                agent: "reviewer".to_owned(),
            }),
            ..ToolCall::new("Agent", ToolKind::Delegate)
        },
    }
}

#[test]
fn the_skeleton_passes_its_own_gate() {
    assert_eq!(judge(SKELETON).missing, Vec::<&str>::new());
    assert!(run(call(SKELETON)).findings.is_empty());
}

#[test]
fn missing_sections_are_named() {
    let outcome = run(call(
        "TASK: Review the diff\nEXPECTED OUTCOME: a verdict\nCONTEXT: PR 12",
    ));
    let [finding] = outcome.findings.as_slice() else {
        panic!("{outcome:?}")
    };
    assert_eq!(
        finding.message,
        "[SYSTEM] Delegation to reviewer lacks 3 sections: REQUIRED TOOLS, MUST DO, MUST NOT DO."
    );
    assert_eq!((finding.tier, finding.verdict), (Tier::Hard, Verdict::Block));
    assert!(finding.instead.as_ref().unwrap().contains(SKELETON));
    assert_eq!(outcome.data["delegations"][0]["missing"][0], "REQUIRED TOOLS");
}

#[test]
fn a_short_order_lacks_them_all() {
    assert_eq!(judge("리뷰 부탁합니다").missing.len(), 6);
    assert_eq!(judge("").missing.len(), 6);
}

#[test]
fn korean_headings_count() {
    let text = "작업: 로그인 리뷰\n기대 결과: 판정\n필요 도구: Bash\n필수 사항: 테스트 실행\n금지 사항: 수정 금지\n맥락: PR 12";
    let judged = judge(text);
    assert_eq!((judged.verdict, judged.feedback), (Verdict::Pass, None));
}

#[test]
fn delegate_lines_in_a_turn_are_orders() {
    let text = "Plan below.\nDELEGATE::DevBot::fix the login\nDELEGATE::Reviewer::TASK: a EXPECTED OUTCOME: b REQUIRED TOOLS: c \
                MUST DO: d MUST NOT DO: e CONTEXT: f";
    let outcome = run(EventKind::TurnEnd {
        text: text.to_owned(),
        again: false,
        background: 0,
    });
    assert_eq!(outcome.findings.len(), 1);
    assert!(outcome.findings[0].message.contains("to DevBot lacks 6 sections"));
    assert!(
        run(EventKind::Message {
            text: "no orders here".to_owned()
        })
        .findings
        .is_empty()
    );
}

#[test]
fn other_tool_calls_are_not_looked_at() {
    let EventKind::ToolCall { call } = call("x") else {
        panic!()
    };
    let outcome = run(EventKind::ToolCall {
        call: ToolCall {
            delegation: None,
            ..call
        },
    });
    assert_eq!(outcome, Outcome::pass());
}

/// The prompts of a file, each with the marks in front of it.
fn prompts(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let blocks = text.split("\n=== ").skip(1);
    blocks.map(|b| b.split_once('\n').unwrap()).collect()
}

/// The rules that speak of words, without their gate, in a session in which nothing was run.
fn found(prompt: &str) -> Vec<String> {
    let outcome = run_in(call(prompt), &Seen(Vec::new()));
    let soft = outcome.findings.iter().filter(|f| f.tier == Tier::Soft);
    soft.map(|f| {
        f.rule
            .trim_start_matches("delegation/")
            .trim_start_matches("unproven_")
            .to_owned()
    })
    .collect()
}

#[test]
fn honest_delegations_are_left_alone() {
    let all = prompts(include_str!("honest.txt"));
    assert!(all.len() >= 60, "{}", all.len());
    let wrong: Vec<_> = all
        .iter()
        .filter(|(_, prompt)| !found(prompt).is_empty())
        .collect();
    let told: Vec<_> = wrong.iter().map(|(mark, prompt)| (mark, found(prompt))).collect();
    assert!(wrong.is_empty(), "{told:#?}");
}

#[test]
fn praise_approvals_and_claims_in_a_delegation_are_told() {
    let all = prompts(include_str!("bad.txt"));
    assert!(all.len() >= 40, "{}", all.len());
    let wrong: Vec<_> = all
        .iter()
        .map(|(mark, prompt)| (mark.split(' ').collect::<Vec<_>>(), found(prompt), prompt))
        .filter(|(wanted, found, _)| wanted != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A claim is compared with what was seen to run: nothing of the kind, a failure, a pass. Where nothing is witnessed it
/// is left alone.
#[test]
fn claims_are_compared_with_what_ran() {
    let run = |exit| CheckRun {
        exit: Some(exit),
        ..crate::support::tests::run()
    };
    let said = |world: &dyn World| {
        let outcome = run_in(call("All tests pass. Merge the branch."), world);
        let soft = outcome
            .findings
            .iter()
            .find(|f| f.rule == "delegation/unproven_claim");
        soft.map(|f| f.message.clone()).unwrap_or_default()
    };
    assert!(said(&Seen(Vec::new())).contains("no run of that kind (tests) was seen"));
    assert!(said(&Seen(vec![run(0), run(101)])).contains("the last run of that kind (tests) failed"));
    assert_eq!(said(&Seen(vec![run(101), run(0)])), "");
    assert_eq!(said(&NoWorld), "");
}

/// What the remarks say may be sent on without a remark, and orders in a turn's text are left to the text gates.
#[test]
fn the_remarks_draw_none_themselves() {
    for (_, prompt) in prompts(include_str!("bad.txt")) {
        for finding in run_in(call(prompt), &Seen(Vec::new())).findings {
            if finding.tier == Tier::Soft {
                let way_out = finding.message.rsplit(". ").next().unwrap();
                assert_eq!(found(way_out), [""; 0], "{way_out}");
            }
        }
    }
    let turn = EventKind::TurnEnd {
        text: "DELEGATE::DevBot::APPROVED - looks good! Merge it.".to_owned(),
        again: false,
        background: 0,
    };
    assert!(
        run(turn)
            .findings
            .iter()
            .all(|f| f.rule == "delegation/missing_sections")
    );
}

/// A switched-off gate's words are not read, and code, quotations and orders are none.
#[test]
fn what_is_switched_off_is_not_read() {
    let mut settings = proctor_policy::Settings::default();
    let bad = "Great job! Excellent work! APPROVED! Merge it.";
    let found = |s: &proctor_policy::Settings| {
        let words = words(bad, &s.response, &s.review);
        (words.praise.is_empty(), words.approval.is_empty())
    };
    assert_eq!(found(&settings), (false, false));
    settings.response.mode = proctor_kernel::Mode::Off;
    assert_eq!(found(&settings), (true, false));
    settings.review.mode = proctor_kernel::Mode::Off;
    assert_eq!(found(&settings), (true, true));
}

/// What the policy adds to praise, and takes from it, counts in a delegation as in a message.
#[test]
fn the_users_own_words_count() {
    let mut settings = proctor_policy::Settings::default();
    let rules = |s: &proctor_policy::Settings, text: &str| {
        let said = words(text, &s.response, &s.review);
        said.praise.into_iter().map(|span| span.text).collect::<Vec<_>>()
    };
    let (own, listed) = (
        "Synergistic. Merge the branch.",
        "Excellent work! Merge the branch.",
    );
    assert_eq!(rules(&settings, own), [""; 0]);
    assert_eq!(rules(&settings, listed), ["Excellent work!"]);
    settings.response.english = vec!["synergistic".into()];
    settings.response.allow = vec!["excellent work".to_owned()];
    assert_eq!(rules(&settings, own), ["Synergistic."]);
    assert_eq!(rules(&settings, listed), [""; 0]);
}

/// A gate that only observes tells nobody, here neither; the record says what it would have said.
#[test]
fn what_a_gate_only_observes_is_told_to_nobody() {
    use proctor_kernel::Mode;
    // An approval with a claim says what it rests on; whether that ran is asked of the claim.
    let bad = [
        "Perfect! Amazing work! APPROVED! Merge it.",
        "All tests pass. Merge the branch.",
    ];
    let mut settings = proctor_policy::Settings::default();
    let rules = |s: &proctor_policy::Settings| {
        let (mut told, mut observed) = (Vec::new(), Vec::new());
        for bad in bad {
            let outcome = run_with(call(bad), &Seen(Vec::new()), s);
            let soft = outcome.findings.iter().filter(|f| f.tier == Tier::Soft);
            told.extend(soft.map(|f| f.rule.clone()));
            let seen = outcome.data["delegations"][0]["observed"].as_array();
            let seen = seen.cloned().unwrap_or_default();
            observed.extend(seen.iter().map(|o| o["rule"].as_str().unwrap().to_owned()));
        }
        (told, observed)
    };
    let all = [
        "delegation/praise",
        "delegation/unproven_approval",
        "delegation/unproven_claim",
    ];
    assert_eq!(rules(&settings).0, all);
    settings.response.mode = Mode::Observe;
    assert_eq!(
        rules(&settings),
        (
            all[1..].iter().map(|r| (*r).to_owned()).collect(),
            vec![all[0].to_owned()]
        )
    );
    settings.review.mode = Mode::Observe;
    settings.approval.mode = Mode::Observe;
    assert_eq!(
        rules(&settings),
        (Vec::new(), all.iter().map(|r| (*r).to_owned()).collect())
    );
    settings.response.mode = Mode::Off;
    settings.approval.mode = Mode::Off;
    assert_eq!(rules(&settings), (Vec::new(), vec![all[1].to_owned()]));
}

/// The places of what is told are places in the prompt, whatever stands around the words.
#[test]
fn places_lie_in_the_prompt() {
    let settings = proctor_policy::Settings::default();
    let six = "TASK: merge fix-441\nEXPECTED OUTCOME:\n- main contains it\nREQUIRED TOOLS: git\nMUST DO:\n- use --ff-only\n\
               MUST NOT DO:\n- say Great job!\nCONTEXT: Great job! Excellent work!\n- I ran the tests and they all pass. APPROVED!";
    let said = words(six, &settings.response, &settings.review);
    let claims: Vec<_> = said.claims.iter().map(|(_, span)| span.clone()).collect();
    assert!(
        said.praise.len() >= 2 && !said.approval.is_empty() && !claims.is_empty(),
        "{said:?}"
    );
    for span in said.praise.iter().chain(&said.approval).chain(&claims) {
        assert_eq!(
            six.get(span.start..span.end),
            Some(span.text.as_str()),
            "{span:?}"
        );
        assert!(span.start > six.find("CONTEXT").unwrap(), "{span:?}");
    }
    assert_eq!(said.approval[0].text, "APPROVED");
}

proptest::proptest! {
    /// Any text is read, and what is quoted of it stands where the span says, or the span is all of it.
    #[test]
    fn any_prompt_is_read(text in "(TASK: |CONTEXT: |DELEGATE::a::|Great job!|APPROVED|All tests pass|승인합니다|훌륭합니다|\r|\u{200b}|\\n|> |```|\\PC| ){0,40}") {
        let settings = proctor_policy::Settings::default();
        let said = words(&text, &settings.response, &settings.review);
        for span in said.praise.iter().chain(&said.approval).chain(said.claims.iter().map(|(_, s)| s)) {
            let found = text.get(span.start..span.end);
            proptest::prop_assert!(found == Some(span.text.as_str()) || (span.start, span.end) == (0, text.len()));
        }
        proptest::prop_assert!(said.praise_chars <= said.chars);
    }
}

/// Of the delegations of the labelled corpus none praises, approves or claims.
#[test]
fn the_delegations_of_the_corpus_draw_no_remark() {
    let mut judged = std::collections::BTreeSet::new();
    for text in [
        include_str!("../../../../corpus/dev/scope.jsonl"),
        include_str!("../../../../corpus/dev/todo.jsonl"),
        include_str!("../../../../corpus/train/scope.jsonl"),
        include_str!("../../../../corpus/train/todo.jsonl"),
    ] {
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            judged.extend(row["delegation"].as_str().map(str::to_owned));
        }
    }
    assert!(judged.len() > 1_000, "{}", judged.len());
    let wrong: Vec<_> = judged.iter().filter(|d| !found(d).is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
