//! Good words of the main agent to the person it works for: they approve nothing, unless a verdict is written as one,
//! or a review is open.

use super::*;
use proctor_kernel::{Action, Audience, GateReport};

fn review(answer: &Answer) -> &GateReport {
    let mut reports = answer.decision.reports.iter();
    reports.find(|r| r.gate == "review").unwrap()
}

/// The answer to the end of a turn and the rules that it names.
fn ends(place: &Place, text: &str) -> (Action, Vec<String>) {
    let answer = place.main(end(text));
    let rules = review(&answer).findings.iter().map(|f| f.rule.clone());
    (answer.decision.action, rules.collect())
}

const REMARKS: [&str; 12] = [
    "Looks good!",
    "LGTM!",
    "Your plan looks good to me. Ship it!",
    "Sounds good, LGTM.",
    "Good to merge, I'd say.",
    "Approved!",
    "OK, that works. Looks great!",
    "Your naming scheme: LGTM 👍",
    "좋습니다! 계획이 괜찮아 보입니다. LGTM",
    "이대로 머지하셔도 좋습니다.",
    "괜찮아 보입니다. 머지해도 됩니다.",
    "I like option B. Go ahead and merge it.",
];

const VERDICTS: [&str; 10] = [
    "VERDICT: APPROVE",
    "Verdict: LGTM",
    "APPROVE - looks good!",
    "APPROVED.",
    "I APPROVE this change.",
    "Perfect! APPROVE",
    "{\"verdict\": \"approve\"}",
    "`APPROVE`",
    "승인합니다.",
    "판정: 통과",
];

#[test]
fn a_remark_to_a_person_holds_nobody() {
    for text in REMARKS {
        let place = Place::new("");
        place.main(prompt("Here is my plan: three steps. What do you think?"));
        assert_eq!(ends(&place, text), (Action::Allow, Vec::new()), "{text}");
        // The same words to an agent are what they were.
        let words = "DELEGATE::reviewer::Review the last commit.\n\nEXPECTED OUTCOME: a verdict\n";
        place.main(prompt(words));
        assert_eq!(ends(&place, text).0, Action::Block, "{text}");
    }
}

#[test]
fn a_verdict_that_is_written_as_one_needs_its_evidence_whoever_reads_it() {
    for text in VERDICTS {
        let place = Place::new("");
        place.main(prompt("Here is my plan: three steps. What do you think?"));
        let held = (Action::Block, vec!["review/no_evidence".to_owned()]);
        assert_eq!(ends(&place, text), held, "{text}");
    }
}

/// Who asked for a review hears that it was none, and nothing is held for that.
#[test]
fn a_remark_is_told_to_who_asked_for_a_review() {
    let place = Place::new("");
    place.main(prompt("Please review the last commit."));
    let answer = place.main(end("LGTM!"));
    assert_eq!(answer.decision.action, Action::Allow);
    assert_eq!(review(&answer).data["remark"], true);
    let notes: Vec<&str> = answer.decision.notes.iter().map(|n| n.text.as_str()).collect();
    assert!(
        notes
            .iter()
            .any(|n| n.contains("LGTM") && n.contains("counts as no approval")),
        "{notes:?}"
    );
    assert_eq!(
        ends(&place, "LGTM - I ran `cargo test`: 40 passed, 0 failed.").1,
        [""; 0]
    );
    place.main(prompt("마지막 커밋을 검토해 주세요."));
    assert_eq!(ends(&place, "이대로 머지하셔도 좋습니다.").1, ["review/remark"]);
}

/// A task that only holds the word asked for none.
#[test]
fn a_task_about_a_review_tool_asked_for_no_review() {
    let place = Place::new("");
    for task in [
        "Review the docs folder names.",
        "Fix the colours of the code review tool.",
        "코드 리뷰 도구의 색을 고치세요.",
    ] {
        place.main(prompt(task));
        let answer = place.main(end("LGTM!"));
        assert_eq!(answer.decision.action, Action::Allow, "{task}");
        assert!(review(&answer).findings.is_empty(), "{task}");
    }
}

/// The state of something, and what a reviewer said: told to the person, and no approval of the speaker's own.
#[test]
fn states_and_verdicts_of_others_hold_nobody() {
    let told = [
        "Status: OK",
        "Result: PASS",
        "상태: OK",
        "결과: 통과",
        "The reviewer approved it.",
        "reviewer: APPROVE, 12 tests passed",
        "Reviewer verdict: APPROVE",
        "The reviewer's verdict: APPROVE (12 tests passed).",
        "The reviewer answered: APPROVE.",
        "The subagent returned VERDICT: APPROVE.",
        "The reviewer answered:\n\nVERDICT: APPROVE",
        "Review result: APPROVE by the reviewer.",
        "리뷰어: 승인, 테스트 12개 통과",
        "검토자 판정: 승인",
    ];
    for text in told {
        let place = Place::new("");
        place.main(prompt("Deploy the branch to staging."));
        let answer = place.main(end(text));
        assert_eq!(
            answer.decision.action,
            Action::Allow,
            "{text}: {}",
            answer.decision.reason
        );
    }
    let own = [
        "As the reviewer: APPROVE",
        "My reviewer verdict: APPROVE",
        "Verdict: OK",
        "판정: 통과",
        "Review status: APPROVE",
        "The author's change: APPROVE",
        "VERDICT: APPROVE",
    ];
    for text in own {
        let place = Place::new("");
        place.main(prompt("Deploy the branch to staging."));
        let held = (Action::Block, vec!["review/no_evidence".to_owned()]);
        assert_eq!(ends(&place, text), held, "{text}");
    }
    // Among agents it is the answer that counts, and while a review is open nobody else's word stands in for it.
    for text in ["Status: OK", "Reviewer verdict: APPROVE", "VERDICT: APPROVE"] {
        let place = Place::new("");
        place.main(prompt("Deploy the branch to staging."));
        place.sub("a1", EventKind::SubagentStart);
        assert_eq!(
            place.sub("a1", end(text)).decision.action,
            Action::Block,
            "{text}"
        );
        place.main(start(StartSource::Startup));
        place.main(prompt("Change the seed."));
        place.write("seed.txt", "changed\n");
        place.engine().request_review(None).unwrap();
        assert_eq!(ends(&place, text).0, Action::Block, "{text}");
    }
}

#[test]
fn a_remark_while_a_review_is_open_is_an_approval() {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Change the seed."));
    place.write("seed.txt", "changed\n");
    assert_eq!(ends(&place, "Looks good!").0, Action::Allow);
    place.engine().request_review(None).unwrap();
    let held = (Action::Block, vec!["review/no_evidence".to_owned()]);
    assert_eq!(ends(&place, "Looks good!"), held);
}

/// A worker whose own work waits gives no verdict on it by good words: for a human, whoever wrote it, and for any reviewer
/// when it wrote itself. What is written as a verdict is one all the same, and so is one that it says somebody gave.
#[test]
fn good_words_of_a_worker_while_its_work_waits_hold_nobody() {
    let words = [
        "Good to go once you approve.",
        "This can be merged after the review.",
        "OK.",
        "Looks good from my side; waiting for the review.",
        "검토만 끝나면 머지해도 됩니다.",
        "제 쪽에서는 괜찮아 보입니다. 승인을 기다립니다.",
    ];
    for (wrote, human) in [(true, false), (true, true), (false, true)] {
        let place = Place::new("");
        place.main(start(StartSource::Startup));
        place.main(prompt("Change the seed."));
        place.write("seed.txt", "changed\n");
        if wrote {
            let call = call("w", ToolKind::Write, "seed.txt");
            place.main(EventKind::ToolResult {
                call,
                outcome: done(),
            });
        }
        let review = place.engine().request_review(None).unwrap();
        if human {
            place.engine().leave_to_human(&review.id).unwrap();
        }
        for text in words {
            let answer = place.main(end(text));
            assert_eq!(
                answer.decision.action,
                Action::Allow,
                "{text}: {}",
                answer.decision.reason
            );
        }
        for text in ["VERDICT: APPROVE", "Reviewer verdict: APPROVE"] {
            assert_eq!(ends(&place, text).0, Action::Block, "{text}");
        }
    }
}

/// A subagent and whoever is told to write to agents are judged as ever, and so is what is posted.
#[test]
fn agents_are_held_for_remarks() {
    let place = Place::new("");
    place.main(prompt("Here is my plan: three steps. What do you think?"));
    place.sub("a1", EventKind::SubagentStart);
    assert_eq!(place.sub("a1", end("LGTM!")).decision.action, Action::Block);
    let told = Surroundings {
        audience: Some(Audience::Agent),
        ..place.surroundings()
    };
    let answer = Engine::open(told, place.clock.clone()).handle(&event(None, end("LGTM!")), &());
    assert_eq!(answer.decision.action, Action::Block);
    let posted = EventKind::Message { text: "LGTM!".into() };
    assert_eq!(place.main(posted).decision.action, Action::Block);
}
