//! The answer of a subagent to a question that can be answered with a word.

use super::*;
use proctor_kernel::Action;

/// What a subagent that was asked this is answered at the end of its turn.
fn answered(task: &str, text: &str) -> Answer {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Find it out."));
    place.main(EventKind::ToolCall {
        call: delegating("d1", task),
    });
    place.sub("a1", EventKind::SubagentStart);
    place.sub("a1", end(text))
}

const BARE: [&str; 7] = [
    "Yes.",
    "OK.",
    "true",
    "Correct.",
    "Done.",
    "네, 맞습니다.",
    "확인했습니다.",
];

#[test]
fn a_word_is_an_answer_to_a_question() {
    for task in [
        "Is the function load_from used anywhere? Answer yes or no.",
        "Check whether src/a.rs is dead code.",
        "load_from이 쓰이는지 확인하고 네/아니오로 답하세요.",
    ] {
        for text in BARE {
            let decision = answered(task, text).decision;
            assert_eq!(
                decision.action,
                Action::Allow,
                "{task} {text}: {}",
                decision.reason
            );
            let approved = decision
                .reports
                .iter()
                .any(|r| r.data.get("is_approval") == Some(&true.into()));
            assert!(!approved, "{task} {text}");
        }
    }
}

/// Unasked, or where a review was asked for, it says nothing.
#[test]
fn a_word_is_no_answer_to_an_order_or_to_a_review() {
    for task in [
        "Fix the login in src/auth.rs.",
        "Could you write the migration?",
        "Review the diff of branch fix-441. Do you approve?",
        "변경분을 검토하세요. 승인합니까?",
    ] {
        for text in BARE {
            assert_eq!(
                answered(task, text).decision.action,
                Action::Block,
                "{task} {text}"
            );
        }
    }
}
