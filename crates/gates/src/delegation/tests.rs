use super::*;
use proctor_kernel::{Audience, Digest, Event, NoWorld, ToolCall, ToolKind};

fn run(kind: EventKind) -> Outcome {
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
        world: &NoWorld,
    };
    Delegation::new(&proctor_policy::Settings::default().delegation)
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
