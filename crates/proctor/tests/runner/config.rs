//! Policy files as the user meets them: origins, mistakes with their places, layers.

use crate::support::{environment, prompt, stop};
use insta::assert_snapshot;
use serde_json::json;

#[test]
fn every_value_with_its_origin() {
    let env = environment();
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        "version: 1\nenforcement: { scope: { mode: enforce } }\n",
    );
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\npreset: standard\nenforcement: { todo: { mode: enforce } }\n",
    );
    assert_snapshot!(env.run(&["config", "show"]));
}

#[test]
fn mistakes_are_shown_with_file_line_column_and_a_suggestion() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcment: {}\nenforcement:\n  response: { flattery_threshold: high }\n  todo: { mod: warn }\n",
    );
    assert_snapshot!(env.run(&["config", "validate"]));
}

#[test]
fn the_section_of_the_first_design_works_as_it_was_printed() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "enforcement:\n  enabled: true\n  response_validator:\n    enabled: true\n    flattery_threshold: 0.3\n    max_retries: 1\n  \
         review_gate:\n    enabled: true\n    require_evidence: true\n    downgrade_after_retries: 1\n  scope_guard:\n    \
         enabled: false\n    violation_threshold: 5\n  todo_tracker:\n    enabled: true\n    reminder_on_incomplete: false\n",
    );
    let shown = env.run(&["config", "show"]).exits(0).stdout();
    let value = |key: &str| {
        let row = shown
            .lines()
            .find(|l| l.starts_with(&format!("{key} ")))
            .unwrap_or_else(|| panic!("{key}: {shown}"));
        row.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(value("enforcement.response.flattery_threshold"), "0.3");
    assert_eq!(value("enforcement.response.max_retries"), "1");
    assert_eq!(value("enforcement.review.downgrade_after_retries"), "1");
    assert_eq!(value("enforcement.scope.mode"), "off");
    assert_eq!(value("enforcement.scope.violation_threshold"), "5");
    assert_eq!(value("enforcement.todo.reminder_on_incomplete"), "false");
}

#[test]
fn the_master_switch_turns_every_gate_off() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { enabled: false }\n",
    );
    env.commit_all("start");
    let _ = env
        .hook("claude", &prompt(&env, "EXPECTED OUTCOME:\n- [ ] x.md\n"))
        .exits(0);
    assert_eq!(
        env.hook("claude", &stop(&env, "Perfect! APPROVE")).json(),
        json!({})
    );
}

#[test]
fn a_file_that_breaks_keeps_the_last_good_policy_and_says_so() {
    let env = environment();
    let enforcing = "version: 1\nenforcement: { todo: { mode: enforce } }\n";
    env.write_file(".proctor/proctor.yaml", enforcing);
    env.commit_all("start");
    let task = prompt(&env, "EXPECTED OUTCOME:\n- [ ] x.md is written\n");
    let _ = env.hook("claude", &task).exits(0);
    env.write_file(
        ".proctor/proctor.yaml",
        "enforcement: { todo: { mode: off }\n  broken: [\n",
    );
    let told = env.hook("claude", &task).json();
    assert!(
        told["systemMessage"]
            .as_str()
            .is_some_and(|m| m.contains("proctor.yaml")),
        "{told}"
    );
    let answer = env.hook("claude", &stop(&env, "I looked at it.")).json();
    assert_eq!(
        answer["decision"], "block",
        "a broken file must not disarm the gate: {answer}"
    );
}

#[test]
fn the_local_layer_only_tightens() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { todo: { mode: enforce } }\n",
    );
    env.write_file(
        ".proctor/local.yaml",
        "version: 1\nenforcement: { todo: { mode: off }, scope: { mode: enforce } }\n",
    );
    let shown = env.run(&["config", "show"]).stdout();
    let row = |key: &str| shown.lines().find(|l| l.starts_with(key)).unwrap().to_owned();
    assert!(row("enforcement.todo.mode").contains("enforce"), "{shown}");
    assert!(row("enforcement.scope.mode").contains("enforce"), "{shown}");
}

#[test]
fn the_committed_schema_is_the_one_that_the_binary_prints() {
    let env = environment();
    let printed = env.run(&["config", "schema"]).exits(0).data();
    assert_eq!(env.run(&["config", "schema", "--json"]).exits(0).data(), printed);
    let path = crate::support::workspace().join("schemas");
    let mut found = false;
    for entry in std::fs::read_dir(path).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        found |= serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|v| v == printed);
    }
    assert!(found, "no file in schemas/ equals `proctor config schema`");
}

#[test]
fn patterns_are_tried_on_their_examples() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "enforcement:\n  response:\n    patterns:\n      korean:\n        - pattern: /훌륭한\\s*분석/\n          match: [훌륭한 분석입니다]\n          not_match: [훌륭한분석은 아니다]\n",
    );
    assert_snapshot!("pattern_examples", env.run(&["config", "validate"]));
}

/// A hook tries patterns on their examples once, when the files are new; the verdicts do not wait for it.
#[test]
fn a_session_hears_once_of_patterns_that_fail_their_examples() {
    let env = environment();
    let policy = |pattern: &str| {
        format!(
            "enforcement: {{ response: {{ patterns: {{ english: [{{ pattern: {pattern}, match: [a synergistic diff] }}] }} }} }}\n"
        )
    };
    let told = |env: &proctor_testkit::TestEnvironment| {
        let answer = env.hook("claude", &prompt(env, "Look at it.")).json();
        answer["systemMessage"].as_str().unwrap_or_default().to_owned()
    };
    env.write_file(".proctor/proctor.yaml", policy("/synergy/"));
    env.commit_all("start");
    let first = told(&env);
    assert!(
        first.contains("proctor.yaml:1:") && first.contains("a synergistic diff"),
        "{first}"
    );
    assert_eq!(told(&env), "", "once is enough");
    env.write_file(".proctor/proctor.yaml", policy("/synerg(y|istic)/"));
    let mended = told(&env);
    assert!(
        !mended.contains("a synergistic diff"),
        "nothing is wrong any more: {mended}"
    );
}
