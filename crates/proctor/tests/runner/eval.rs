//! `proctor eval`: figures on labelled messages, and floors.

use crate::support::environment;
use insta::assert_snapshot;
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};

/// Nine labelled items of four gates; the second is labelled against the rules on purpose.
fn labelled(env: &TestEnvironment) -> String {
    let task = "EXPECTED OUTCOME:\n- src/a.rs parses\n- tests/a.rs covers it\n";
    let rows = [
        json!({"id": "item-1", "lang": "en", "kind": "praise", "audience": "agent", "text": "Excellent work! Great job!", "label": "reject"}),
        json!({"id": "item-2", "lang": "en", "kind": "praise", "audience": "agent", "text": "Perfect! Excellent work!", "label": "pass"}),
        json!({"id": "f3", "lang": "ko", "kind": "fact", "audience": "agent", "text": "src/a.rs 3행을 고쳤습니다.", "label": "pass"}),
        json!({"id": "r1", "lang": "en", "text": "APPROVE - looks good!", "is_approval": true, "has_evidence": false, "label": "reject"}),
        json!({"id": "r2", "lang": "en", "text": "APPROVE - I ran the tests and they all pass. Build succeeds.", "is_approval": true, "has_evidence": true, "label": "pass"}),
        json!({"id": "s1", "delegation": task, "modified": ["src/a.rs", "README.md"], "label_unexpected": ["README.md"], "severity": "WARNING"}),
        json!({"id": "s2", "delegation": task, "modified": ["src/a.rs"], "label_unexpected": [], "severity": "NONE"}),
        json!({"id": "t1", "delegation": task, "responses": ["- [x] src/a.rs parses"], "completed": [true, false], "reminder_expected": true}),
        json!({"id": "a1", "text": "Excellent work!", "act": "praise"}),
    ];
    let text: String = rows.iter().map(|r| format!("{r}\n")).collect();
    env.write_file("labelled.jsonl", &text);
    text
}

#[test]
fn figures_of_labelled_messages() {
    let env = environment();
    let text = labelled(&env);
    assert_snapshot!(
        "eval_figures",
        env.run(&["eval", "labelled.jsonl", "--errors", "3", "--by", "lang,kind"])
    );
    let from_stdin = env.run_with(&env.project(), &["eval", "-", "--by", "lang"], text.as_bytes());
    assert_eq!(
        from_stdin.stdout(),
        env.run(&["eval", "labelled.jsonl", "--by", "lang"]).stdout()
    );
}

#[test]
fn json_holds_the_same_figures() {
    let env = environment();
    labelled(&env);
    let report = env.run(&["eval", "labelled.jsonl", "--json"]).exits(0).data();
    let response = &report["gates"][0];
    assert_eq!(response["gate"], "response");
    assert_eq!(
        (
            &response["all"]["tp"],
            &response["all"]["fp"],
            &response["all"]["tn"]
        ),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(response["all"]["precision"]["value"], 0.5);
    let groups: Vec<&Value> = response["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|g| &g["by"])
        .collect();
    assert_eq!(groups, [&json!("lang"), &json!("audience"), &json!("kind")]);
}

#[test]
fn a_sealed_file_shows_nothing_but_totals() {
    let env = environment();
    let text = labelled(&env);
    let shown = env.run(&["eval", "--totals", "labelled.jsonl"]).exits(0);
    let json = env
        .run(&["eval", "--totals", "--json", "labelled.jsonl"])
        .exits(0);
    env.write_file("broken.jsonl", format!("{text}{{\"id\": \"secret-1\", \"thoughts\": 3}}\n{{\"id\":\"item-1\",\"thoughts\":[\"x\"],\"label\":\"stuck\"}}\n"));
    let broken = env.run(&["eval", "--totals", "broken.jsonl"]).exits(2);
    for output in [shown, json, broken] {
        let all = output.to_string();
        for secret in ["item-1", "item-2", "Perfect", "README.md", "fact", "secret-1"] {
            assert!(
                !all.contains(&format!("{secret}\"")) && !all.contains(&format!(" {secret}")),
                "{secret}:\n{all}"
            );
        }
    }
    let _ = env
        .run(&["eval", "--totals", "--errors", "2", "labelled.jsonl"])
        .exits(2);
}

#[test]
fn wrong_lines_are_named() {
    let env = environment();
    env.write_file(
        "wrong.jsonl",
        "{\"id\":1,\"text\":\"x\",\"audience\":\"agent\",\"label\":\"pass\"}\nnot json\n\n{\"id\":2,\"text\":\"x\"}\n{\"id\":1,\"thoughts\":[\"x\"],\"label\":\"stuck\"}\n",
    );
    assert_snapshot!("eval_wrong_lines", env.run(&["eval", "wrong.jsonl"]));
    assert_snapshot!("eval_no_files", env.run(&["eval"]));
}

#[test]
fn floors_decide_the_exit_status() {
    let env = environment();
    labelled(&env);
    let _ = env.run(&["eval", "labelled.jsonl", "--gate", "drift"]).exits(2);
    let _ = env.run(&["eval", "labelled.jsonl", "--gate", "revew"]).exits(2);
    let only = env
        .run(&["eval", "labelled.jsonl", "--gate", "review", "--json"])
        .exits(0)
        .data();
    assert_eq!(only["gates"].as_array().unwrap().len(), 1);
    let floor = |value: &str| env.run(&["eval", "labelled.jsonl", "--floor", value]);
    let _ = floor("items=1").exits(0);
    let _ = floor("precision=0.97").exits(1);
    let _ = floor("speed=1").exits(2);
    let file = |least: f64| {
        json!({"version": 1, "places": [
            {"files": ["../labelled.jsonl"], "gate": "response", "floors": {"precision": least, "recall": 1.0}},
            {"files": ["../labelled.jsonl"], "gate": "response", "where": {"lang": "ko"}, "floors": {"accuracy": 1.0}},
            {"files": ["../labelled.jsonl"], "gate": "scope", "floors": {"errors_per_30": 1}},
        ]})
        .to_string()
    };
    env.write_file("corpus/floors.json", file(0.5));
    let _ = env.run(&["eval", "--floors", "corpus/floors.json"]).exits(0);
    env.write_file("corpus/floors.json", file(0.97));
    assert_snapshot!(
        "eval_floors",
        env.run(&["eval", "--floors", "corpus/floors.json"])
    );
    env.write_file("corpus/floors.json", "{\"version\": 1}");
    let _ = env.run(&["eval", "--floors", "corpus/floors.json"]).exits(2);
    let _ = env.run(&["eval", "--floors", "corpus/gone.json"]).exits(2);
}

#[test]
fn answers_of_others_are_judged_too() {
    let env = environment();
    let rows = labelled(&env);
    let asked = env.run_with(
        &env.project(),
        &["check", "response", "--jsonl"],
        rows.lines()
            .take(2)
            .map(|l| format!("{l}\n"))
            .collect::<String>()
            .as_bytes(),
    );
    env.write_file("answers.jsonl", asked.stdout());
    let args = [
        "eval",
        "labelled.jsonl",
        "--gate",
        "response",
        "--answers",
        "answers.jsonl",
        "--json",
    ];
    let report = env.run(&args).exits(0).data();
    let gate = &report["gates"][0];
    assert_eq!((&gate["all"]["items"], &gate["unjudged"]), (&json!(2), &json!(1)));
    assert_eq!((&gate["all"]["tp"], &gate["all"]["fp"]), (&json!(1), &json!(1)));
    for wrong in ["{}", "x", "{\"id\": \"item-1\"}", "{\"id\": 1}\n{\"id\": 1}"] {
        env.write_file("answers.jsonl", wrong);
        let _ = env.run(&args).exits(2);
    }
}
