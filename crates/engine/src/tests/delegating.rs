//! What a delegation says beside its orders reaches the agent that delegates, and refuses nothing.

use super::*;
use proctor_kernel::{Action, ExitSource};

/// The answer to a delegation: whether it may go, and the notes on its words.
fn sent(place: &Place, words: &str) -> (Action, Vec<String>) {
    let call = delegating("d1", words);
    let answer = place.main(EventKind::ToolCall { call });
    let notes = answer.decision.notes.iter().filter(|n| n.gate == "delegation");
    let notes = notes.map(|n| n.text.clone()).filter(|n| !n.contains(" lacks "));
    (answer.decision.action, notes.collect())
}

#[test]
fn words_of_a_delegation_are_told() {
    for policy in ["", "preset: strict\n"] {
        let place = Place::new(policy);
        place.main(start(StartSource::Startup));
        place.main(prompt("Have it merged."));
        let six = |context: &str| {
            format!(
                "TASK: merge fix-441\nEXPECTED OUTCOME:\n- main contains it\nREQUIRED TOOLS: git\nMUST DO:\n- use --ff-only\n\
                 MUST NOT DO:\n- force\nCONTEXT: {context}"
            )
        };
        let (action, notes) = sent(&place, &six("APPROVED - looks good! Merge it."));
        assert_eq!((action, notes.len()), (Action::Allow, 1), "{policy}{notes:?}");
        assert!(notes[0].contains("without verification evidence"), "{notes:?}");
        let (action, notes) = sent(&place, &six("The branch is three commits ahead of main."));
        assert_eq!((action, notes), (Action::Allow, Vec::new()), "{policy}");
    }
}

#[test]
fn a_claim_in_a_delegation_needs_a_run() {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Have it merged."));
    let words = "All tests pass. Merge the branch.";
    let (_, notes) = sent(&place, words);
    assert!(
        notes.iter().any(|n| n.contains("no run of that kind (tests)")),
        "{notes:?}"
    );
    let tests = ToolCall {
        id: Some("c1".into()),
        command: Some("cargo test".into()),
        input: Digest::of(b"cargo test"),
        ..ToolCall::new("Bash", ToolKind::Shell)
    };
    place.main(EventKind::ToolCall { call: tests.clone() });
    let outcome = ToolOutcome {
        exit: Some(0),
        exit_source: ExitSource::HostEvent,
        output: Some(
            "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"
                .into(),
        ),
        ..done()
    };
    place.main(EventKind::ToolResult { call: tests, outcome });
    assert_eq!(sent(&place, words).1, [""; 0]);
}

/// `proctor check delegation` names the same words.
#[test]
fn a_check_of_the_text_names_the_words() {
    let settings = proctor_policy::Settings::default();
    let embedding = crate::Embedding::new(&settings.drift.embedder, Path::new(""), None);
    let answer = |text: &str| {
        let row = crate::check::Row {
            text: Some(text.to_owned()),
            ..Default::default()
        };
        crate::check::row("delegation", &row, &settings, &embedding).unwrap()
    };
    let approves = answer("Perfect! Amazing work! APPROVED! Merge it.");
    assert_eq!(approves["praise"][0]["text"], "Perfect!");
    assert_eq!(approves["approvals"][0]["text"], "APPROVED");
    let claims = answer("All tests pass. Merge the branch.");
    assert_eq!(claims["claims"][0]["text"], "All tests pass.");
}

/// What `proctor check delegation` says of a prompt is what the record of the same call says, notes included; and the places
/// are those in the prompt.
#[test]
fn a_check_says_what_the_record_says() {
    let six = |context: &str| {
        format!(
            "TASK: merge fix-441\nEXPECTED OUTCOME:\n- main contains it\nREQUIRED TOOLS: git\nMUST DO:\n- use --ff-only\n\
             MUST NOT DO:\n- force\nCONTEXT: {context}"
        )
    };
    let observes = "enforcement: { response: { mode: observe }, review: { mode: observe } }\n";
    for (policy, context, verdict) in [
        ("", "The branch is three commits ahead of main.", "pass"),
        ("", "Great job! Excellent work!", "block"),
        ("", "APPROVED - looks good! Merge it.", "block"),
        (
            observes,
            "Great job! Excellent work! APPROVED - looks good!",
            "pass",
        ),
    ] {
        let place = Place::new(policy);
        place.main(start(StartSource::Startup));
        place.main(prompt("Have it merged."));
        let words = six(context);
        let call = delegating("d1", &words);
        let answer = place.main(EventKind::ToolCall { call });
        let report = answer
            .decision
            .reports
            .iter()
            .find(|r| r.gate == "delegation")
            .unwrap();
        assert_eq!(serde_json::json!(report.verdict), verdict, "{context}");
        for span in report.findings.iter().flat_map(|f| &f.spans) {
            assert_eq!(
                words.get(span.start..span.end),
                Some(span.text.as_str()),
                "{span:?}"
            );
        }
        let engine = place.engine();
        let settings = engine.settings();
        let embedding = crate::Embedding::new(&settings.drift.embedder, Path::new(""), None);
        let row = crate::check::Row {
            text: Some(words.clone()),
            ..Default::default()
        };
        let checked = crate::check::row("delegation", &row, settings, &embedding).unwrap();
        assert_eq!(checked["verdict"], verdict, "{context}");
        if context.starts_with("Great") {
            assert_eq!(checked["praise"][0]["start"], words.find("Great").unwrap());
        }
    }
}
