//! Several reviewers of different models: how many have to approve, and what they say of each other's findings.

use crate::launches;
use crate::support::{environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const CRITIQUE: &str = "# Findings of another reviewer";

/// A change that needs a review, its check, and the models of the user's own policy.
fn worked(approval: &str) -> TestEnvironment {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { approval: { require: changes } }\n\
         verification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n",
    );
    own(&env, approval);
    env.write_file("check.sh", "echo checked\n");
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(&env, "Rename x to y."));
    changed(&env, "pub fn y() {}\n");
    env
}

fn changed(env: &TestEnvironment, text: &str) {
    env.write_file("src/lib.rs", text);
    let file = env.project().join("src/lib.rs");
    let edit = json!({"tool_name": "Edit", "tool_use_id": "toolu_1",
        "tool_input": {"file_path": file, "old_string": "x", "new_string": "y"},
        "tool_response": {"filePath": file, "oldString": "x", "newString": "y"}});
    let _ = env.hook("claude", &payload(env, "PostToolUse", edit));
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
}

/// The approval section of the user's own policy.
fn own(env: &TestEnvironment, approval: &str) {
    let path = env.home().join(".config/proctor/proctor.yaml");
    env.write_file(path, format!("enforcement: {{ approval: {{ {approval} }} }}\n"));
}

/// A host that answers as the model that it is asked for: what [`says`] says, else an approval. It keeps what it was asked.
fn host(env: &TestEnvironment) -> String {
    host_at(env.root().join("host.sh"))
}

fn host_at(path: PathBuf) -> String {
    let script = "#!/bin/sh\n\
         for arg; do case $last in --model) model=$arg;; esac; last=$arg; done\n\
         cat > \"$0.now\"; kind=verdict\n\
         grep -q '# Findings of another reviewer' \"$0.now\" && kind=critique\n\
         echo \"$model $kind\" >> \"$0.asked\"; cp \"$0.now\" \"$0.$model.$kind.prompt\"\n\
         [ -e \"$0.$model.$kind\" ] || { [ $kind = verdict ] && model_file=$0.any || exit 1; }\n\
         sed \"s/MODEL/$model/\" \"${model_file:-$0.$model.$kind}\"\n";
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = path.to_string_lossy().into_owned();
    answer(
        &format!("{path}.any"),
        &json!({"verdict": "approve", "summary": "read"}),
    );
    path
}

/// What a model answers to one kind of question.
fn says(host: &str, model: &str, kind: &str, what: Value) {
    answer(&format!("{host}.{model}.{kind}"), &what);
}

fn answer(file: &str, what: &Value) {
    let result = json!({"type": "result", "is_error": false, "terminal_reason": "completed",
        "result": what.to_string(), "session_id": "r1", "modelUsage": {"MODEL": {"outputTokens": 9}}});
    std::fs::write(file, format!("{result}\n")).unwrap();
}

/// It ends without an answer.
fn fails(host: &str, model: &str) {
    std::fs::write(format!("{host}.{model}.verdict"), "no quota\n").unwrap();
}

fn works_again(host: &str, model: &str) {
    std::fs::remove_file(format!("{host}.{model}.verdict")).unwrap();
}

/// What was asked since the last look, in its order.
fn asked(host: &str) -> Vec<String> {
    let path = format!("{host}.asked");
    let asked = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    asked.lines().map(str::to_owned).collect()
}

fn may_stop(env: &TestEnvironment) -> bool {
    env.hook("claude", &stop(env, "x is now y.")).json()["decision"] != "block"
}

#[test]
fn each_model_is_asked_by_itself_and_all_have_to_approve() {
    let env = worked("models: [model-a, model-b, model-c]");
    let host = host(&env);
    let run = |code: i32| env.run(&["review", "run", "--program", &host]).exits(code);
    fails(&host, "model-c");
    let told = run(3).stdout();
    assert!(
        told.contains("2 of 3 different models approved; model-c:"),
        "{told}"
    );
    assert_eq!(
        asked(&host),
        ["model-a verdict", "model-b verdict", "model-c verdict"]
    );
    assert!(!may_stop(&env), "two are not three");
    // Those that approved this tree are not asked again.
    works_again(&host, "model-c");
    let _ = run(0);
    assert_eq!(asked(&host), ["model-c verdict"]);
    assert!(may_stop(&env));
    // Who is asked later sees what the others saw, and not what is new since their approval.
    let prompt = std::fs::read_to_string(format!("{host}.model-c.verdict.prompt")).unwrap();
    assert!(
        prompt.contains("+pub fn y() {}") && !prompt.contains("since the last approval"),
        "{prompt}"
    );
    env.commit_all("renamed");
    let _ = env.run(&["verify"]).exits(0);
    let status = env.run(&["review", "status", "--json"]).data();
    let verdicts = status["reviews"][0]["verdicts"].as_array().unwrap().clone();
    let entry = &verdicts[0];
    assert_eq!(
        (&entry["reviewer"]["model"], &entry["second"]["model"]),
        (&json!("model-a"), &json!("model-b"))
    );
    assert_ne!(entry["reviewer"]["launch"], entry["second"]["launch"]);
    assert_eq!(verdicts[1]["reviewer"]["model"], "model-c");
    // Nobody was told what another one said.
    let prompt = std::fs::read_to_string(format!("{host}.model-b.verdict.prompt")).unwrap();
    assert!(
        !prompt.contains("model-a") && !prompt.contains("read\n"),
        "{prompt}"
    );
}

#[test]
fn as_many_as_the_policy_says_have_to_approve() {
    let env = worked("models: [model-a, model-b, model-c], agree: 2");
    let host = host(&env);
    fails(&host, "model-b");
    let told = env.run(&["review", "run", "--program", &host]).exits(0).stdout();
    assert!(told.contains("model-a: read"), "{told}");
    assert!(may_stop(&env));
    // Nobody asks for less than the policy does; what was asked for less holds the end of the turn.
    changed(&env, "pub fn z() {}\n");
    let less = [
        "review",
        "run",
        "--program",
        &host,
        "--models",
        "model-a,model-b",
        "--agree",
        "1",
    ];
    let told = env.run(&less).exits(3).stdout();
    assert!(told.contains("1 of 2 different models approved"), "{told}");
    assert!(!may_stop(&env));
    let standing = env.run(&["review", "check", "--json"]).data();
    assert_eq!(standing["standing"], "pending", "{standing}");
    let _ = env.run(&["review", "request"]).exits(0);
    // One by itself is too few.
    let one = ["review", "run", "--program", &host, "--models", "model-c"];
    let _ = env.run(&one).exits(0);
    assert!(may_stop(&env), "the second of two");
}

#[test]
fn one_name_for_two_is_one_model_and_one_approval_is_too_few() {
    let env = worked("models: [model-a, model-b]");
    let host = host(&env);
    let _ = env
        .run(&["review", "run", "--program", &host, "--models", "model-a"])
        .exits(0);
    let held = env.hook("claude", &stop(&env, "x is now y.")).json();
    let reason = held["reason"].as_str().unwrap_or_default().to_owned();
    assert!(
        reason.contains("Approved by too few: a reviewer that Proctor launched (model-a)"),
        "{held}"
    );
    assert_eq!(
        env.run(&["review", "check", "--json"]).exits(1).data()["standing"],
        "approved_by_one"
    );
    env.commit_all("renamed");
    let told = env.run(&["verify"]).exits(1).stdout();
    assert!(told.contains("2 different models"), "{told}");
    own(&env, "models: [model-a, model-a-20251101]");
    let told = env.run(&["review", "run", "--program", &host]).exits(3).stdout();
    assert!(told.contains("1 of 2 different models approved"), "{told}");
}

#[test]
fn a_refusal_wins_and_those_who_approved_say_what_they_think_of_it() {
    let env = worked("models: [model-a, model-b, model-c]");
    let host = host(&env);
    let finding =
        json!({"severity": "blocking", "path": "src/lib.rs", "line": 1, "text": "x is still called"});
    let minor = json!({"severity": "minor", "text": "y is no name"});
    says(
        &host,
        "model-b",
        "verdict",
        json!({"verdict": "reject", "summary": "not renamed everywhere", "findings": [minor, finding]}),
    );
    says(
        &host,
        "model-a",
        "critique",
        json!({"answers": [{"finding": 2, "says": "refute", "evidence": "src/lib.rs:1 is all there is"}]}),
    );
    says(
        &host,
        "model-c",
        "critique",
        json!({"answers": [{"finding": 2, "says": "confirm", "evidence": "true"}]}),
    );
    let told = env.run(&["review", "run", "--program", &host]).exits(1).stdout();
    assert_eq!(
        asked(&host),
        [
            "model-a verdict",
            "model-b verdict",
            "model-c verdict",
            "model-a critique",
            "model-c critique"
        ]
    );
    let question = std::fs::read_to_string(format!("{host}.model-a.critique.prompt")).unwrap();
    assert!(
        question.starts_with(CRITIQUE)
            && question.contains("2. [blocking] src/lib.rs:1: x is still called\n"),
        "{question}"
    );
    for words in [
        "model-b refused; model-a, model-c had approved. not renamed everywhere",
        "[OPEN] src/lib.rs:1: x is still called\n    model-a refutes it: src/lib.rs:1 is all there is\n    model-c confirms it: true\n",
    ] {
        assert!(told.contains(words), "{words}:\n{told}");
    }
    // Whatever they think, it stands until the finding is settled.
    let held = env.hook("claude", &stop(&env, "x is now y.")).json();
    let reason = held["reason"].as_str().unwrap_or_default().to_owned();
    assert!(
        reason.contains("x is still called") && reason.contains("1 of 2 other reviewers confirm it"),
        "{held}"
    );
    let status = env.run(&["review", "status", "--json"]).data();
    assert_eq!(status["standing"], "rejected");
    let id = status["reviews"][0]["findings"][1]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let _ = env
        .run(&[
            "review",
            "settle",
            &id,
            "--how",
            "answered",
            "-m",
            "nobody calls x",
        ])
        .exits(0);
    changed(&env, "pub fn y() {}\n// x is gone\n");
    works_again(&host, "model-b");
    let _ = env.run(&["review", "run", "--program", &host]).exits(0);
    assert!(may_stop(&env));
    assert_eq!(asked(&host).len(), 3, "nobody differs, nobody is asked twice");
}

#[test]
fn who_approved_before_is_asked_about_a_later_refusal_too() {
    let env = worked("models: [model-a, model-b]");
    let host = host(&env);
    fails(&host, "model-b");
    let _ = env.run(&["review", "run", "--program", &host]).exits(3);
    let _ = asked(&host);
    let finding = json!({"severity": "blocking", "text": "x is still called"});
    says(
        &host,
        "model-b",
        "verdict",
        json!({"verdict": "reject", "summary": "no", "findings": [finding]}),
    );
    says(
        &host,
        "model-a",
        "critique",
        json!({"answers": [{"finding": 1, "says": "confirm"}]}),
    );
    let told = env.run(&["review", "run", "--program", &host]).exits(1).stdout();
    assert_eq!(asked(&host), ["model-b verdict", "model-a critique"]);
    assert!(
        told.contains("x is still called\n    model-a confirms it\n"),
        "{told}"
    );
    assert!(!may_stop(&env));
}

/// Each reviewer uses so many tokens from now on.
fn costs(host: &str, tokens: u64) {
    let result = json!({"type": "result", "is_error": false, "terminal_reason": "completed",
        "result": json!({"verdict": "approve", "summary": "read"}).to_string(), "session_id": "r1",
        "modelUsage": {"MODEL": {"inputTokens": tokens - 9, "outputTokens": 9}}});
    std::fs::write(format!("{host}.any"), format!("{result}\n")).unwrap();
}

/// What `proctor explain` says of the budget at the last event.
fn budget(env: &TestEnvironment) -> String {
    let told = env.run(&["explain", "last"]).exits(0).stdout();
    let line = told.lines().find(|line| line.trim_start().starts_with("budget"));
    line.unwrap_or_default().trim().to_owned()
}

/// A host whose reviewers use 900 tokens each, and a task that may use 1,000.
fn with_little_left() -> (TestEnvironment, String) {
    let env = launches::worked();
    own(&env, "launch_reviewer: true, models: [model-a, model-b, model-c]");
    let policy = launches::POLICY.replace("enforcement: {", "enforcement: { budget: { tokens: 1000 },");
    env.write_file(".proctor/proctor.yaml", policy);
    let host = host_at(env.root().join("bin/claude"));
    costs(&host, 900);
    launches::check(&env);
    (env, host)
}

#[test]
fn several_reviewers_cost_the_budget_as_much_as_one() {
    let (env, host) = with_little_left();
    let refuses = json!({"verdict": "reject", "summary": "no", "findings": [{"severity": "blocking", "text": "x is left"}]});
    says(&host, "model-c", "verdict", refuses);
    let reason = launches::ends(&env)["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("x is left"), "{reason}");
    let stats = env.run(&["stats", "--json"]).data();
    let all = stats["stats"]["tokens"].as_u64().unwrap();
    // Two told 900; the one that refused, and the two that were asked about it, told less.
    assert!(all >= 1_800, "{all}");
    works_again(&host, "model-c");
    let status = env.run(&["review", "status", "--json"]).data();
    let id = status["reviews"][0]["findings"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    launches::edit(&env, "pub fn y() {}\n// x is gone\n");
    let _ = env
        .run(&["review", "settle", &id, "--how", "fixed", "-m", "it says y"])
        .exits(0);
    launches::check(&env);
    let _ = asked(&host);
    let ended = launches::ends(&env);
    assert_eq!(
        (&ended["decision"], asked(&host).len()),
        (&Value::Null, 3),
        "the next round is asked: {ended}"
    );
    let stats = env.run(&["stats", "--json"]).data();
    let all = stats["stats"]["tokens"].as_u64().unwrap();
    assert!(all >= 4_500, "what was used is told as it is: {all}");
    let _ = launches::ends(&env);
    let told = budget(&env);
    let of = all - all / 3 + 1_000;
    assert!(
        told.starts_with(&format!("budget    {all} of {of} tokens")),
        "{told}"
    );
}

#[test]
fn a_panel_that_was_begun_is_brought_to_its_end() {
    let (env, host) = with_little_left();
    costs(&host, 3_000);
    fails(&host, "model-c");
    let reason = launches::ends(&env)["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("2 of 3 different models approved"), "{reason}");
    assert_eq!(asked(&host).len(), 3);
    works_again(&host, "model-c");
    let ended = launches::ends(&env);
    assert!(budget(&env).contains("used up"), "{}", budget(&env));
    assert_eq!(
        (&ended["decision"], asked(&host)),
        (&Value::Null, vec!["model-c verdict".to_owned()]),
        "{ended}"
    );
    let _ = env.run(&["review", "check"]).exits(0);
    // Nobody begins another one.
    launches::edit(&env, "pub fn z() {}\n");
    launches::check(&env);
    let _ = launches::ends(&env);
    assert_eq!(asked(&host), [""; 0]);
}

#[test]
fn an_agent_does_not_choose_the_models() {
    let mut env = worked("models: [model-a, model-b]");
    let _ = host(&env);
    env.set_var("CLAUDECODE", "1");
    for more in [["--models", "model-x"], ["--agree", "1"]] {
        let told = env.run(&["review", "run", more[0], more[1]]).exits(2);
        assert!(
            told.stderr()
                .contains("an agent does not choose which models review its work"),
            "{told}"
        );
    }
}

#[test]
fn a_list_of_models_has_no_empty_name_and_none_twice() {
    let env = worked("reviewer_model: model-a");
    let host = host(&env);
    for (list, why) in [
        ("model-a,,model-b", "a name in the list is empty"),
        ("model-a, ", "a name in the list is empty"),
        ("", "a name in the list is empty"),
        ("model-a,model-b,model-a", "`--models` names `model-a` twice"),
    ] {
        let told = env
            .run(&["review", "run", "--program", &host, "--models", list])
            .exits(2);
        assert!(told.stderr().contains(why), "{told}");
    }
    assert_eq!(asked(&host), [""; 0]);
    let both = [
        "review",
        "run",
        "--program",
        &host,
        "--models",
        "model-a, model-b",
    ];
    let _ = env.run(&both).exits(0);
    assert_eq!(asked(&host), ["model-a verdict", "model-b verdict"]);
}

#[test]
fn the_end_of_a_turn_asks_all_of_them() {
    let env = launches::worked();
    own(&env, "launch_reviewer: true, models: [model-a, model-b]");
    let host = host_at(env.root().join("bin/claude"));
    let finding = json!({"severity": "blocking", "text": "a caller still says x"});
    says(
        &host,
        "model-b",
        "verdict",
        json!({"verdict": "reject", "summary": "no", "findings": [finding]}),
    );
    says(
        &host,
        "model-a",
        "critique",
        json!({"answers": [{"finding": 1, "says": "confirm"}]}),
    );
    launches::check(&env);
    let held = launches::ends(&env);
    let reason = held["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("a caller still says x") && reason.contains("1 of 1 other reviewers confirm it"),
        "{held}"
    );
    assert_eq!(
        asked(&host),
        ["model-a verdict", "model-b verdict", "model-a critique"]
    );
    let status = env.run(&["review", "status", "--json"]).data();
    let id = status["reviews"][0]["findings"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    launches::edit(&env, "pub fn y() {}\n// x is gone\n");
    let _ = env
        .run(&["review", "settle", &id, "--how", "fixed", "-m", "it says y"])
        .exits(0);
    launches::check(&env);
    works_again(&host, "model-b");
    let ended = launches::ends(&env);
    assert_eq!(
        (&ended["decision"], asked(&host).len()),
        (&Value::Null, 2),
        "{ended}"
    );
    let _ = env.run(&["review", "check"]).exits(0);
}
