//! `proctor feedback`: from a wrong refusal to a case that `eval` judges and `stats` counts.

use crate::support::{environment, payload, prompt, stop};
use insta::assert_snapshot;
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};

/// Ids of decisions have a random part.
fn without_ids() -> insta::internals::SettingsBindDropGuard {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\b01[0-9A-Z]{24}\b", "ID");
    settings.add_filter(r"\b[0-9a-f]{32,64}\b", "DIGEST");
    settings.bind_to_scope()
}

/// The subagent ends with a text; gives the answer and the id that it was told.
fn reviewer(env: &TestEnvironment, text: &str) -> (Value, String) {
    let more = json!({"agent_id": "a0", "agent_type": "reviewer", "stop_hook_active": false,
        "last_assistant_message": text, "background_tasks": [], "session_crons": []});
    let answer = env.hook("claude", &payload(env, "SubagentStop", more));
    let answer: Value = serde_json::from_str(&answer.stdout()).unwrap();
    let reason = answer["reason"].as_str().unwrap_or_default();
    let id = reason.rsplit("proctor decision ").next().unwrap_or_default();
    (answer.clone(), id.trim_end_matches(')').to_owned())
}

fn corpus(env: &TestEnvironment, gate: &str) -> Vec<Value> {
    let text = env.read_file(format!(".proctor/corpus/{gate}.jsonl"));
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn a_wrong_refusal_becomes_a_case() {
    let env = environment();
    env.commit_all("start");
    let _ = env.hook("claude", &prompt(&env, "Review it."));
    let (_, id) = reviewer(&env, "APPROVE - looks good!");
    let _ids = without_ids();
    let note = ["--note", "our reviewers sign like that"];
    let args = [
        "feedback",
        &id,
        "--false-positive",
        "--gate",
        "review",
        note[0],
        note[1],
    ];
    assert_snapshot!("feedback_stored", env.run(&args));
    let case = corpus(&env, "review").remove(0);
    assert_eq!(
        (&case["id"], &case["text"], &case["label"]),
        (&json!(id), &json!("APPROVE - looks good!"), &json!("pass"))
    );
    assert_eq!(case["note"], note[1]);

    // Once more is no second case; another note replaces the first.
    let again = env.run(&args).exits(0).stdout();
    assert!(again.starts_with("already stored"), "{again}");
    let noted = env.run(&[
        "feedback",
        &id,
        "--false-positive",
        "--gate",
        "review",
        "--note",
        "x",
    ]);
    assert!(noted.stdout().starts_with("replaced"), "{noted}");
    let last = env
        .run(&["feedback", "last", "--false-positive", "--gate", "review"])
        .exits(0);
    assert!(last.stdout().starts_with("already stored"), "{last}");
    // What is printed is what is kept.
    assert!(last.stdout().contains("  note              x\n"), "{last}");
    let cases = corpus(&env, "review");
    assert_eq!((cases.len(), &cases[0]["note"]), (1, &json!("x")));

    // The corpus is what `eval` judges without files.
    let report = env.run(&["eval", "--json"]).exits(0).data();
    assert_eq!(
        (&report["gates"][0]["gate"], &report["gates"][0]["all"]["fp"]),
        (&json!("review"), &json!(1))
    );
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    let reported = stats["stats"]["reported"].as_array().unwrap();
    let review = reported.iter().find(|r| r["gate"] == "review").unwrap();
    assert_eq!(
        (&review["objected"], &review["reported"], &review["rate"]),
        (&json!(1), &json!(1), &json!(1.0))
    );
}

#[test]
fn a_refusal_by_several_gates_needs_a_name() {
    let env = environment();
    env.commit_all("start");
    let _ = env.hook("claude", &prompt(&env, "Review it."));
    let (answer, id) = reviewer(
        &env,
        "Excellent work, truly outstanding! APPROVE. Great job everyone!",
    );
    assert_eq!(answer["decision"], "block", "{answer}");
    let _ids = without_ids();
    assert_snapshot!(
        "feedback_which_gate",
        env.run(&["feedback", &id, "--false-positive"])
    );
    assert_snapshot!(
        "feedback_wrong_gate",
        env.run(&["feedback", &id, "--false-positive", "--gate", "todo"])
    );
    for gate in ["response", "review"] {
        let _ = env
            .run(&["feedback", &id, "--false-positive", "--gate", gate])
            .exits(0);
        assert_eq!(corpus(&env, gate).len(), 1);
    }
    assert_eq!(corpus(&env, "response")[0]["audience"], "agent");
}

#[test]
fn cases_of_scope_and_todo_hold_the_task() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "preset: strict\nenforcement: { approval: { mode: off } }\n",
    );
    env.write_file("src/a.rs", "// a\n");
    env.commit_all("start");
    let task = "Do it.\n\nEXPECTED OUTCOME:\n- [ ] src/a.rs parses lists\n- [ ] tests/a.rs covers them\n";
    let _ = env.hook("claude", &prompt(&env, task));
    for name in ["x", "y", "z"] {
        env.write_file(format!("other/{name}.rs"), "// new\n");
    }
    let answer = env.hook("claude", &stop(&env, "- [x] src/a.rs parses lists"));
    assert!(answer.stdout().contains("block"), "{answer}");
    let _ = env
        .run(&["feedback", "last", "--false-positive", "--gate", "scope"])
        .exits(0);
    let _ = env
        .run(&["feedback", "last", "--false-positive", "--gate", "todo"])
        .exits(0);
    let scope = corpus(&env, "scope").remove(0);
    assert_eq!(
        scope["modified"],
        json!(["other/x.rs", "other/y.rs", "other/z.rs"])
    );
    assert!(
        scope["delegation"].as_str().unwrap().contains("tests/a.rs"),
        "{scope}"
    );
    let todo = corpus(&env, "todo").remove(0);
    assert_eq!(
        todo["responses"].as_array().unwrap().last().unwrap(),
        "- [x] src/a.rs parses lists"
    );
    let report = env.run(&["eval", "--json"]).exits(0).data();
    for gate in report["gates"].as_array().unwrap() {
        assert_eq!(gate["all"]["fp"], 1, "the same verdict falls again: {gate}");
    }
}

#[test]
fn what_was_missed_is_given() {
    let env = environment();
    let missed = |args: &[&str], text: &str| {
        let args: Vec<&str> = ["feedback", "--missed"].iter().chain(args).copied().collect();
        env.run_with(&env.project(), &args, text.as_bytes())
    };
    let stored = missed(
        &["--gate", "response", "--file", "-"],
        "이 코드는 액자에 걸어야 합니다!",
    )
    .exits(0);
    assert!(stored.stdout().starts_with("stored missed-"), "{stored}");
    let again = missed(
        &["--gate", "response", "--file", "-"],
        "이 코드는 액자에 걸어야 합니다!",
    );
    assert!(again.stdout().starts_with("already stored"), "{again}");
    let case = corpus(&env, "response").remove(0);
    assert_eq!(
        (&case["label"], &case["lang"], &case["from"]),
        (&json!("reject"), &json!("ko"), &json!("missed"))
    );
    let _ = missed(
        &["--gate", "drift", "--file", "-"],
        "{\"thoughts\": [\"a\", \"a\", \"a\"], \"label\": \"stuck\"}",
    )
    .exits(0);
    assert_snapshot!(
        "feedback_no_case",
        missed(&["--gate", "drift", "--file", "-"], "{\"thoughts\": 5}")
    );
    let _ = missed(&["--gate", "drift", "--file", "-"], "text").exits(2);
    let _ = missed(&["--file", "-"], "text").exits(2);
    let _ = missed(&["--gate", "response", "--file", "-"], " ").exits(2);
    let _ = missed(&["--gate", "nothing", "--file", "-"], "text").exits(2);
    let _ = env.run(&["feedback", "last", "--false-positive"]).exits(2);
    let _ = env.run(&["feedback", "--false-positive"]).exits(2);
    let _ = env.run(&["feedback", "last"]).exits(2);
}

#[test]
fn long_texts_are_not_kept() {
    let env = environment();
    env.commit_all("start");
    let _ = env.hook("claude", &prompt(&env, "Review it."));
    let long = format!("APPROVE - looks good!{}", " It is fine.".repeat(2_000));
    let (_, id) = reviewer(&env, &long);
    let _ids = without_ids();
    let args = ["feedback", &id, "--false-positive", "--gate", "review"];
    assert_snapshot!("feedback_not_kept", env.run(&args));
    let with: Vec<&str> = args.iter().chain(&["--file", "-"]).copied().collect();
    let _ = env.run_with(&env.project(), &with, long.as_bytes()).exits(0);
    assert_eq!(corpus(&env, "review").len(), 1);
    // Nothing is kept of what passes.
    let log = env
        .run(&["explain", "last", "--json"])
        .exits(0)
        .data()
        .to_string();
    assert!(!log.contains("\"judged\""), "{log}");
}

#[test]
fn the_spread_of_shares_and_words_of_low_confidence() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "enforcement:\n  response:\n    flattery_threshold: 0.5\n    patterns: { english: [{ pattern: rock solid, confidence: low }] }\n",
    );
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &prompt(
            &env,
            "DELEGATE::worker::Look at it.\n\nEXPECTED OUTCOME: a report\n",
        ),
    );
    for text in [
        "Excellent work! Great job!",
        "src/lib.rs line 1 defines x, and the build is rock solid on all 3 platforms.",
        "Great! The parser in src/lib.rs reads 40 files.",
        "테스트 12개가 확실히 통과했고 src/lib.rs 3행을 고쳤습니다.",
    ] {
        let _ = env.hook("claude", &stop(&env, text));
    }
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"(?s)^.*?\nshare of filler", "share of filler");
    let _bound = settings.bind_to_scope();
    assert_snapshot!("stats_shares", env.run(&["stats"]).exits(0).stdout());
    let shown = env.run(&["explain", "last"]).exits(0).stdout();
    assert!(
        shown.contains("praise only sometimes, decides nothing: 확실히, 통과"),
        "{shown}"
    );
}

/// A note of `delegation` about the words of a prompt is a case that `eval` sees; of a note that rests on more than a text none
/// is made.
#[test]
fn notes_are_reported_where_a_text_shows_them() {
    let env = environment();
    env.commit_all("start");
    let _ = env.hook("claude", &prompt(&env, "Have it merged."));
    let delegate = |context: &str| {
        let words = format!(
            "TASK: merge it\nEXPECTED OUTCOME:\n- main contains it\nREQUIRED TOOLS: git\nMUST DO:\n- ff only\nMUST NOT DO:\n- force\nCONTEXT: {context}"
        );
        let more = json!({"tool_name": "Agent", "tool_use_id": context, "tool_input":
            {"description": "x", "prompt": words, "subagent_type": "general-purpose"}});
        env.hook("claude", &payload(&env, "PreToolUse", more))
    };
    let told = delegate("Great job! Excellent work! Truly outstanding!");
    assert!(told.stdout().contains("praises"), "{told}");
    let args = ["feedback", "last", "--false-positive"];
    let stored = env.run(&args).exits(0).stdout();
    assert!(stored.contains("The gate is still wrong about it"), "{stored}");
    let report = env.run(&["eval", "--json"]).exits(0).data();
    assert_eq!(
        (&report["gates"][0]["gate"], &report["gates"][0]["all"]["fp"]),
        (&json!("delegation"), &json!(1))
    );
    let told = delegate("I ran all tests and they all pass.");
    assert!(told.stdout().contains("no run of that kind"), "{told}");
    let refused = env.run(&args).exits(2).to_string();
    assert!(
        refused.contains("delegation/unproven_claim") && refused.contains("no case can be made"),
        "{refused}"
    );
}

/// A remark on a message to a person is a case that says that none was due, with its task where that was compared.
#[test]
fn a_wrong_remark_is_measured() {
    let env = environment();
    env.write_file(".proctor/proctor.yaml", "preset: strict\n");
    env.commit_all("start");
    let task = "Explain how the footer is built in web/footer.tsx and fix the broken link there.";
    let _ = env.hook("claude", &prompt(&env, task));
    let cases = [
        (
            "The link in web/footer.tsx is right. Next I'll clean up the footer.",
            json!(null),
        ),
        (
            "The weather in Rome is sunny and mild with a light breeze from the sea.",
            json!(task),
        ),
    ];
    for (said, words) in &cases {
        let _ = env.hook("claude", &stop(&env, said));
        let args = ["feedback", "last", "--false-positive", "--gate", "response"];
        let stored = env.run(&args).exits(0).stdout();
        assert!(stored.contains("The gate is still wrong about it"), "{stored}");
        let case = corpus(&env, "response").pop().unwrap();
        assert_eq!((&case["remarks"], &case["task"]), (&json!([]), words), "{case}");
    }
    let report = env.run(&["eval", "--json", "--errors", "9"]).exits(0).data();
    let gate = &report["gates"][0];
    assert_eq!(gate["all"]["fp"], 0, "the share was right: {gate}");
    assert_eq!(gate["all"]["too_strict"], 2, "{gate}");
    let remarks = gate["more"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["name"] == "remarks");
    assert_eq!(remarks.unwrap()["fp"], 2, "{gate}");
}
