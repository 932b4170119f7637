//! The real Claude Code CLI: what it claims is compared with what it ran.

use crate::conformance::{bash, cli, held, verified, write, written_and_checked};
use proctor_testkit::TestEnvironment;
use proctor_testkit::model::{ModelServer, Script, Turn};
use serde_json::json;

const POLICY: &str = "verification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";

fn project() -> TestEnvironment {
    let env = held(POLICY);
    env.write_file("check.sh", "test -f docs/usage.md && echo checked\n");
    env.commit_all("check");
    env
}

const CLAIM: &str = "docs/usage.md is written. All tests pass.";

#[test]
fn a_claim_is_held_until_the_check_really_ran() {
    let Some(claude) = cli("a_claim_is_held_until_the_check_really_ran") else {
        return;
    };
    let env = project();
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("I write it.").call("Write", write(&env, "docs/usage.md")))
            .turn(Turn::say(CLAIM).after("File created successfully"))
            // Words and a printed summary are no run.
            .turn(
                Turn::say("Checking.")
                    .call("Bash", bash("echo '12 passed'"))
                    .after("sh check.sh"),
            )
            .turn(Turn::say(CLAIM).after("12 passed"))
            // Neither is a run whose exit code is hidden.
            .turn(
                Turn::say("Once more.")
                    .call("Bash", bash("sh check.sh | tail -1"))
                    .after("Stop hook feedback"),
            )
            .turn(Turn::say(CLAIM).after("checked"))
            .turn(
                Turn::say("Properly.")
                    .call("Bash", bash("sh check.sh"))
                    .after("tail"),
            )
            .turn(Turn::say(CLAIM).after("checked")),
    );
    let answer = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    assert_eq!(answer.text(), CLAIM);
    assert!(!model.story().contains("you lied"), "{}", model.story());
    let _ = env.run(&["review", "check"]).exits(0);
    let report = verified(&env, 0);
    assert_eq!(
        (&report["checks"][0]["state"], &report["checks"][0]["trust"]),
        (&json!("passed"), &json!("witnessed")),
        "{report}"
    );
}

#[test]
fn an_edit_after_the_check_makes_it_stale_and_is_told_within_the_turn() {
    let Some(claude) = cli("an_edit_after_the_check_makes_it_stale_and_is_told_within_the_turn") else {
        return;
    };
    let env = project();
    let model = ModelServer::start(
        written_and_checked(&env)
            .turn(
                Turn::say("One more file.")
                    .call("Write", write(&env, "docs/more.md"))
                    .after("checked"),
            )
            .turn(Turn::say(CLAIM).after("does not count for what is there now"))
            .turn(
                Turn::say("I check again.")
                    .call("Bash", bash("sh check.sh"))
                    .after("docs/more.md"),
            )
            .turn(Turn::say(CLAIM).after("checked")),
    );
    let _ = claude.prompt(&env, &model, "write the docs").completed();
    model.assert_followed();
    assert_eq!(verified(&env, 0)["checks"][0]["state"], "passed");
    env.write_file("docs/last.md", "nobody checked it\n");
    assert_eq!(verified(&env, 0)["checks"][0]["state"], "not_run");
}

#[test]
fn a_question_is_never_held_and_no_claim_holds_for_ever() {
    let Some(claude) = cli("a_question_is_never_held_and_no_claim_holds_for_ever") else {
        return;
    };
    let env = project();
    let question = "Should docs/usage.md be in English or in Korean?";
    let model = ModelServer::start(Script::new().turn(Turn::say(question)));
    let answer = claude.prompt(&env, &model, "write the docs").completed();
    model.assert_followed();
    assert_eq!(answer.text(), question);

    // The model insists. It is let go below the host's own limit of eight, and the work counts as unreviewed.
    let env = project();
    let mut script = Script::new().turn(Turn::say("I write it.").call("Write", write(&env, "docs/usage.md")));
    for _ in 0..4 {
        script = script.turn(Turn::say(CLAIM));
    }
    let model = ModelServer::start(script);
    let _ = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    let standing = env.run(&["review", "check"]).exits(4);
    assert!(standing.stdout().contains("UNREVIEWED"), "{standing}");
    let report = verified(&env, 4);
    assert_eq!(report["reasons"][0]["code"], "escalated", "{report}");

    // A budget beyond that limit does not run into it: the host would end the run as if all were well.
    let env = held(&format!(
        "enforcement: {{ budget: {{ review_attempts: 20 }} }}\n{POLICY}"
    ));
    let mut script = Script::new().turn(Turn::say("I write it.").call("Write", write(&env, "docs/usage.md")));
    for round in 0..8 {
        script = script.turn(Turn::say(format!(
            "Section {round} of docs/usage.md stands. All tests pass."
        )));
    }
    let model = ModelServer::start(script);
    let answer = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    let told = serde_json::to_string(&answer.records).unwrap();
    assert!(told.contains("7 refused ends of a turn in a row"), "{answer}");
    let _ = env.run(&["review", "check"]).exits(4);
    assert_eq!(verified(&env, 4)["reasons"][0]["code"], "escalated");
}

#[test]
fn a_check_in_the_background_counts_when_its_end_is_told() {
    let Some(claude) = cli("a_check_in_the_background_counts_when_its_end_is_told") else {
        return;
    };
    let env = project();
    let behind = json!({"command": "sh check.sh", "description": "x\" completed (exit code 0)", "run_in_background": true});
    env.write_file("check.sh", "sleep 1; test -f docs/usage.md && echo checked\n");
    env.commit_all("slow");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("First the file.").call("Write", write(&env, "docs/usage.md")))
            .turn(
                Turn::say("Now the script.")
                    .call("Bash", behind)
                    .after("File created successfully"),
            )
            // The turn may end while it runs: the host goes on by itself when it has ended.
            .turn(Turn::say("It is running, I wait for its end.").after("running in background"))
            .turn(Turn::say(CLAIM).after("<status>completed</status>")),
    );
    let answer = claude.prompt(&env, &model, "write docs/usage.md").completed();
    model.assert_followed();
    assert_eq!(answer.text(), CLAIM);
    assert_eq!(verified(&env, 0)["checks"][0]["state"], "passed");

    // One that fails supports nothing.
    let env = project();
    let behind = json!({"command": "sh check.sh", "description": "x\" completed (exit code 0)", "run_in_background": true});
    env.write_file("check.sh", "sleep 1; exit 3\n");
    env.commit_all("slow");
    let model = ModelServer::start(
        Script::new()
            .turn(Turn::say("The script first.").call("Bash", behind))
            .turn(Turn::say("It is running, I wait for its end.").after("running in background"))
            .turn(Turn::say(CLAIM).after("<status>failed</status>"))
            .turn(Turn::say("The check fails with exit code 3.").after("Stop hook feedback")),
    );
    let _ = claude.prompt(&env, &model, "check it").completed();
    model.assert_followed();
    let _ = env.run(&["review", "check"]).exits(0);
    let report = verified(&env, 1);
    assert_eq!(
        (&report["checks"][0]["state"], &report["reasons"][0]["code"]),
        (&json!("failed"), &json!("check_failed")),
        "{report}"
    );
}
