//! The real Claude Code CLI, headless, held by Proctor's hooks as `proctor init` installs them. The fake
//! model records what it receives; that is what these tests assert. What Proctor printed is not enough.

use crate::conformance::{TWO_ITEMS, cli, decisions, delegate, held, six_sections, write};
use proctor_testkit::model::{ModelServer, Script, Source, Turn};
use serde_json::json;

#[test]
fn ordinary_work_is_let_through_and_recorded() {
    let Some(claude) = cli("ordinary_work_is_let_through_and_recorded") else {
        return;
    };
    let env = held("");
    let model = ModelServer::start(
        Script::new()
            .turn(
                Turn::say("I write the file.")
                    .call("Write", write(&env, "hello.txt"))
                    .after("create hello.txt"),
            )
            .turn(
                Turn::say("Now I show it.")
                    .call(
                        "Bash",
                        json!({"command": "cat hello.txt", "description": "show it"}),
                    )
                    .after("File created successfully"),
            )
            .turn(Turn::say("hello.txt holds one line.").after("one line")),
    );
    let answer = claude
        .prompt(&env, &model, "create hello.txt and show it")
        .completed();
    model.assert_followed();
    assert_eq!(answer.text(), "hello.txt holds one line.");
    assert_eq!(env.read_file("hello.txt"), "one line\n");
    for seen in model.seen() {
        assert!(!seen.received_as(Source::ToolError, ""), "{}", model.story());
        assert!(
            !seen.received("[proctor]") && !seen.received("hook error"),
            "{}",
            model.story()
        );
    }
    let recorded = decisions(&env).to_string();
    for event in [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ] {
        assert!(recorded.contains(event), "no decision about {event}: {recorded}");
    }
}

#[test]
fn a_delegation_without_its_sections_is_denied() {
    let Some(claude) = cli("a_delegation_without_its_sections_is_denied") else {
        return;
    };
    let env = held("enforcement: { delegation: { mode: enforce } }\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(
                Turn::say("Again.")
                    .call("Agent", delegate(&six_sections("SUBJOB")))
                    .after("EXPECTED OUTCOME"),
            )
            .turn(Turn::say("parse() returns nothing.").after("returns (), line 1"))
            .route(
                "worker",
                "SUBJOB",
                [Turn::say("parse() in src/lib.rs returns (), line 1.")],
            ),
    );
    let answer = claude
        .prompt(&env, &model, "ask somebody what parse() does")
        .completed();
    model.assert_followed();
    let denial = &model.seen_by("main")[1];
    for section in ["MUST NOT DO", "CONTEXT"] {
        assert!(
            denial.received_as(Source::ToolError, section),
            "{}",
            model.story()
        );
    }
    let started = &model.seen_by("worker")[0];
    assert!(
        started.first_user.contains("name the line"),
        "the refused delegation started an agent"
    );
    assert_eq!(answer.text(), "parse() returns nothing.");
}

#[test]
fn a_soft_finding_reaches_the_model_as_context_only() {
    let Some(claude) = cli("a_soft_finding_reaches_the_model_as_context_only") else {
        return;
    };
    let env = held("enforcement: { delegation: { mode: warn } }\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(Turn::say("parse() returns nothing.").after("line 1"))
            .route(
                "worker",
                "SUBJOB",
                [Turn::say("parse() in src/lib.rs returns (), line 1.")],
            ),
    );
    let _ = claude
        .prompt(&env, &model, "ask somebody what parse() does")
        .completed();
    model.assert_followed();
    let after = &model.seen_by("main")[1];
    assert!(
        after.received_as(Source::System, "EXPECTED OUTCOME"),
        "{}",
        model.story()
    );
    assert!(!after.received_as(Source::ToolError, ""), "{}", model.story());
}

#[test]
fn words_inside_a_delegation_are_told_to_the_agent_that_delegates() {
    let Some(claude) = cli("words_inside_a_delegation_are_told_to_the_agent_that_delegates") else {
        return;
    };
    // An approval that says what it rests on is not told, its claim is.
    for (words, notes) in [
        (
            "APPROVED - looks good! Excellent work, truly brilliant!",
            ["approves (", "praises ("],
        ),
        (
            "Excellent work, truly brilliant! All tests pass.",
            ["praises (", "no run of that kind (tests) was seen"],
        ),
    ] {
        let env = held("");
        let order = six_sections("SUBJOB").replace("the file has one line.", words);
        let model = ModelServer::start(
            Script::new()
                .turn(Turn::say("I delegate.").call("Agent", delegate(&order)))
                .turn(Turn::say("parse() returns nothing.").after("line 1"))
                .route(
                    "worker",
                    "SUBJOB",
                    [Turn::say("parse() in src/lib.rs returns (), line 1.")],
                ),
        );
        let _ = claude
            .prompt(&env, &model, "ask somebody what parse() does")
            .completed();
        model.assert_followed();
        let after = &model.seen_by("main")[1];
        for told in notes {
            assert!(
                after.received_as(Source::System, told),
                "{told}\n{}",
                model.story()
            );
        }
        assert!(!after.received_as(Source::ToolError, ""), "{}", model.story());
        assert_eq!(model.seen_by("worker").len(), 1, "{}", model.story());
    }
}

#[test]
fn observing_says_nothing_and_records_what_it_would_have_done() {
    let Some(claude) = cli("observing_says_nothing_and_records_what_it_would_have_done") else {
        return;
    };
    let env = held("preset: observe\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate("SUBJOB just look at it")))
            .turn(Turn::say("Everything is fine.").after("Perfect!"))
            .route(
                "worker",
                "SUBJOB",
                [Turn::say("Perfect! Excellent work! APPROVE")],
            ),
    );
    let _ = claude
        .prompt(&env, &model, "EXPECTED OUTCOME:\n- [ ] docs/x.md is written\n")
        .completed();
    model.assert_followed();
    assert!(
        !model.story().contains("[proctor]") && !model.story().contains("[SYSTEM]"),
        "{}",
        model.story()
    );
    let recorded = decisions(&env).to_string();
    assert!(
        recorded.contains("response") && recorded.contains("review"),
        "{recorded}"
    );
}

#[test]
fn a_stop_with_an_open_item_is_blocked_and_then_released() {
    let Some(claude) = cli("a_stop_with_an_open_item_is_blocked_and_then_released") else {
        return;
    };
    let env = held("enforcement: { todo: { mode: enforce } }\n");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("First the usage.").call("Write", write(&env, "docs/usage.md")).after("NOTES.md lists the limits"))
            .turn(Turn::say("docs/usage.md is written and explains parse()."))
            .turn(Turn::say("Now the notes.").call("Write", write(&env, "NOTES.md")).after("NOTES.md lists the limits"))
            .turn(Turn::say(
                "- [x] docs/usage.md explains parse()\n- [x] NOTES.md lists the limits\n\nBoth files are written.",
            )),
    );
    let answer = claude.prompt(&env, &model, TWO_ITEMS).completed();
    model.assert_followed();
    let blocked = &model.seen()[2];
    assert!(
        blocked.received("[SYSTEM] Remaining: 1 items"),
        "{}",
        model.story()
    );
    assert!(
        !blocked.received("Next: docs/usage.md"),
        "the finished item is asked for again\n{}",
        model.story()
    );
    assert!(answer.text().ends_with("Both files are written."), "{answer}");
    assert_eq!(env.read_file("NOTES.md"), "one line\n");
}

#[test]
fn a_stop_that_makes_no_progress_is_let_go_unreviewed() {
    let Some(claude) = cli("a_stop_that_makes_no_progress_is_let_go_unreviewed") else {
        return;
    };
    let env = held("enforcement: { todo: { mode: enforce } }\n");
    let same = "I looked at src/lib.rs, line 1.";
    let script = (0..4).fold(Script::new(), |script, n| {
        let turn = Turn::say(same);
        script.turn(if n == 0 {
            turn
        } else {
            turn.after("Remaining: 2 items")
        })
    });
    let model = ModelServer::start(script);
    let answer = claude.prompt(&env, &model, TWO_ITEMS).completed();
    // Three blocks, then the host is let go; without an end the fake model's script would be too short.
    model.assert_followed();
    let told = answer
        .records
        .iter()
        .any(|r| r.to_string().contains("UNREVIEWED"));
    assert!(told, "the user is not told that nothing was approved:\n{answer}");
}

#[test]
fn flattery_between_agents_is_sent_back() {
    let Some(claude) = cli("flattery_between_agents_is_sent_back") else {
        return;
    };
    let env = held("");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I delegate.").call("Agent", delegate(&six_sections("SUBJOB"))))
            .turn(
                Turn::say("parse() returns nothing.")
                    .after("returns (), line 1")
                    .not_after("Excellent work"),
            )
            .route(
                "worker",
                "SUBJOB",
                [
                    Turn::say(
                        "Perfect! Excellent work! This is a great and truly wonderful codebase. Amazing job!",
                    ),
                    Turn::say("parse() in src/lib.rs returns (), line 1.").after("Excellent work"),
                ],
            ),
    );
    let _ = claude
        .prompt(&env, &model, "ask somebody what parse() does")
        .completed();
    model.assert_followed();
    assert_eq!(model.seen_by("worker").len(), 2, "{}", model.story());
}

/// A reviewer that approves without evidence as often as it is asked.
fn stubborn_reviewer(script: Script) -> Script {
    let approve = || Turn::say("APPROVE - looks good!");
    script.route(
        "reviewer",
        "SUBJOB",
        [approve(), approve().after("verif"), approve().after("verif")],
    )
}

#[test]
fn an_approval_without_evidence_reaches_the_parent_as_needs_review() {
    let Some(claude) = cli("an_approval_without_evidence_reaches_the_parent_as_needs_review") else {
        return;
    };
    let env = held("");
    let model = ModelServer::start(stubborn_reviewer(
        Script::new()
            .turn(Turn::say("I ask for a review.").call("Agent", delegate(&six_sections("SUBJOB"))))
            .turn(
                Turn::say("The review is open.")
                    .after("NEEDS_REVIEW")
                    .not_after("APPROVE - looks good!"),
            ),
    ));
    let _ = claude.prompt(&env, &model, "have it reviewed").completed();
    model.assert_followed();
    assert!(
        model.seen_by("main")[1].received_as(Source::ToolResult, "NEEDS_REVIEW"),
        "{}",
        model.story()
    );
}

#[test]
fn a_background_agents_downgraded_approval_reaches_the_parent_too() {
    let Some(claude) = cli("a_background_agents_downgraded_approval_reaches_the_parent_too") else {
        return;
    };
    let env = held("");
    let mut call = delegate(&six_sections("SUBJOB"));
    call["run_in_background"] = json!(true);
    let model = ModelServer::start(stubborn_reviewer(
        Script::new()
            .turn(Turn::say("I ask for a review.").call("Agent", call))
            .turn(Turn::say("The reviewer is at work."))
            // The notification of the agent's end is a prompt that nobody can change; the note beside it counts.
            .turn(Turn::say("The review is open.").after("NEEDS_REVIEW")),
    ));
    let _ = claude.prompt(&env, &model, "have it reviewed").completed();
    model.assert_followed();
}

#[test]
fn a_downgraded_text_of_a_delegated_session_reaches_its_reader() {
    let Some(claude) = cli("a_downgraded_text_of_a_delegated_session_reaches_its_reader") else {
        return;
    };
    let env = held("");
    let approve = || Turn::say("APPROVE - looks good!");
    let model = ModelServer::start(
        Script::new()
            .turn(approve())
            .turn(approve().after("verif"))
            .turn(approve().after("verif")),
    );
    let prompt = "DELEGATE::reviewer::Review src/lib.rs\n\nEXPECTED OUTCOME: a verdict\n";
    let answer = claude.prompt(&env, &model, prompt).completed();
    model.assert_followed();
    assert!(answer.text().contains("NEEDS_REVIEW"), "{answer}");
    assert!(!answer.text().contains("APPROVE - looks good!"), "{answer}");
}

#[test]
fn two_subagents_at_once_are_kept_apart() {
    let Some(claude) = cli("two_subagents_at_once_are_kept_apart") else {
        return;
    };
    let env = held("");
    let delegation = |mark: &str| delegate(&six_sections(mark));
    // Each of them is sent back for its own words.
    let worker = |n: usize| {
        [
            Turn::say("Perfect! Excellent work! Amazing job! What a wonderful codebase!"),
            Turn::say(format!("parse() in src/lib.rs returns (), line {n}.")).after("flattery"),
        ]
    };
    let model = ModelServer::start(
        Script::new()
            .turn(
                Turn::say("I ask two.")
                    .call("Agent", delegation("FIRSTJOB"))
                    .call("Agent", delegation("SECONDJOB")),
            )
            .turn(
                Turn::say("Both answered.")
                    .after("line 1")
                    .after("line 2")
                    .not_after("Excellent"),
            )
            .route("first", "FIRSTJOB", worker(1))
            .route("second", "SECONDJOB", worker(2)),
    );
    let _ = claude
        .prompt(&env, &model, "ask two people what parse() does")
        .completed();
    model.assert_followed();
}
