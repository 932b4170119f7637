//! What is answered when judging panics.

use crate::claude::{guarded, may_delegate};
use serde_json::Value;

#[test]
fn a_panic_is_answered_by_one_object_for_every_event() {
    let again = br#"{"hook_event_name":"Stop","session_id":"s","stop_hook_active": true}"#;
    let cut = br#"{"hook_event_name":"Stop","session_id":"s","stop_ho"#;
    let prompt = br#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"x"}"#;
    let tool = br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash"}"#;
    for (payload, refused) in [
        (&again[..], false),
        (cut, true),
        (prompt, false),
        (tool, false),
        (b"{}", false),
        (b"", false),
        (b"\xff", false),
    ] {
        let mut noted = None;
        let rendered = guarded(
            payload,
            || panic!("the {} fell over", "judge"),
            |event, why, refused| {
                noted = Some((event.map(str::to_owned), why.to_owned(), refused));
                panic!("so did the clerk");
            },
        );
        let (event, why, closed) = noted.unwrap();
        assert_eq!(
            (why.as_str(), closed),
            ("internal error: the judge fell over", refused)
        );
        assert_eq!(event.is_some(), payload.len() > 2, "{event:?}");
        let answer: Value = serde_json::from_str(&rendered.stdout).unwrap();
        assert!(answer.is_object());
        assert_eq!(answer["decision"] == "block", refused, "{answer}");
        assert_eq!(rendered.exit, if refused { 2 } else { 0 }, "{answer}");
        if payload.starts_with(br#"{"hook_event_name""#) {
            assert!(
                answer.to_string().contains("internal error: the judge fell over"),
                "{answer}"
            );
        }
    }
}

#[test]
fn what_is_thrown_beside_text_is_told_as_a_panic() {
    let rendered = guarded(b"{}", || std::panic::panic_any(7), |_, _, _| {});
    assert!(
        rendered.stdout.contains("internal error: panic"),
        "{}",
        rendered.stdout
    );
}

#[test]
fn a_broken_payload_may_be_a_delegation_unless_it_names_another_tool() {
    for (text, may) in [
        (r#"{"tool_name": "Agent", "tool_input": {"prompt"#, true),
        (r#"{"tool_name":"Task""#, true),
        (r#"{"tool_name":"Bash","tool_input":{"command":"x"#, false),
        (r#"{"tool_name":"mcp__a-b__Agent""#, false),
        (r#"{"tool_name":"Ba"#, true),
        (r#"{"tool_"#, true),
        ("", true),
    ] {
        assert_eq!(may_delegate(text.as_bytes()), may, "{text}");
    }
}
