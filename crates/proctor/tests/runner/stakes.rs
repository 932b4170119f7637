//! What is high-stakes: when two reviewers are asked, and which models they were.

use crate::support::{environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

/// A project with a check, in which what lies under `glob` is high-stakes; the second reviewer is `model-s`.
fn project(glob: &str) -> TestEnvironment {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        format!(
            "version: 1\nenforcement: {{ approval: {{ require: changes, high_stakes: [\"{glob}\"] }} }}\n\
             verification:\n- {{ name: check, run: \"sh check.sh\", kind: tests }}\n"
        ),
    );
    models(&env, "second_model: model-s");
    env
}

/// Names the models in the user's own policy.
fn models(env: &TestEnvironment, names: &str) {
    let own = env.home().join(".config/proctor/proctor.yaml");
    env.write_file(own, format!("enforcement: {{ approval: {{ {names} }} }}\n"));
}

/// Files of every test.
fn files(env: &TestEnvironment) {
    env.write_file("check.sh", "echo checked\n");
    env.write_file("deploy/a.yaml", "replicas: 2\n");
    env.write_file("src/lib.rs", "pub fn x() {}\n");
}

fn start(env: &TestEnvironment) {
    let source = json!({"source": "startup"});
    let _ = env.hook("claude", &payload(env, "SessionStart", source));
    let _ = env.hook("claude", &prompt(env, "Rename x to y."));
}

/// The agent edits a file.
fn edit(env: &TestEnvironment, path: &str, text: &str) {
    env.write_file(path, text);
    let file = env.project().join(path);
    let edit = json!({"tool_name": "Edit", "tool_use_id": "toolu_1",
        "tool_input": {"file_path": file, "old_string": "x", "new_string": "y"},
        "tool_response": {"filePath": file, "oldString": "x", "newString": "y"}});
    let _ = env.hook("claude", &payload(env, "PostToolUse", edit));
}

fn checked(env: &TestEnvironment) {
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
}

fn stopped(env: &TestEnvironment) -> Value {
    env.hook("claude", &stop(env, "x is now y.")).json()
}

fn is_held(env: &TestEnvironment) -> bool {
    stopped(env)["decision"] == "block"
}

/// A host that approves as the model that it is asked for (`model-r` where none is), and tells another, small one before
/// it while the file `reviewer.sh.small` is there.
fn reviewer(env: &TestEnvironment) -> String {
    let verdict = r#"{\"verdict\": \"approve\", \"summary\": \"read\"}"#;
    let script = format!(
        "#!/bin/sh\ncat > \"$0.prompt\"\nmodel=model-r\n\
         for arg; do case $last in --model) model=$arg;; esac; last=$arg; done\n\
         echo \"$model\" >> \"$0.asked\"\n[ -e \"$0.small\" ] && small='\"claude-haiku-4-5\":{{\"outputTokens\":3}},'\n\
         [ -e \"$0.once\" ] && rm \"$0.small\"\n\
         cat <<EOF\n{{\"type\":\"result\",\"is_error\":false,\"terminal_reason\":\"completed\",\"result\":\"{}\",\"session_id\":\"r1\",\
         \"modelUsage\":{{$small\"$model\":{{\"outputTokens\":90}}}}}}\nEOF\n",
        verdict.replace('\\', "\\\\")
    );
    let path = env.root().join("reviewer.sh");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

/// The models that were asked, in their order.
fn asked(env: &TestEnvironment) -> Vec<String> {
    let asked = std::fs::read_to_string(env.root().join("reviewer.sh.asked")).unwrap_or_default();
    asked.lines().map(str::to_owned).collect()
}

#[test]
fn a_reverted_change_of_the_users_is_seen_by_two() {
    let env = project("deploy/**");
    files(&env);
    env.commit_all("start");
    env.write_file("deploy/a.yaml", "replicas: 3\n");
    start(&env);
    let _ = env.git(&["checkout", "-q", "deploy/a.yaml"]);
    edit(&env, "src/lib.rs", "pub fn y() {}\n");
    checked(&env);
    let program = reviewer(&env);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert_eq!(asked(&env), ["model-r", "model-s"]);
    let _ = env.run(&["review", "check"]).exits(0);
    assert!(!is_held(&env));
}

#[test]
fn a_task_from_before_the_first_commit_is_reviewed_from_nothing() {
    let env = project("deploy/**");
    start(&env);
    files(&env);
    edit(&env, "src/lib.rs", "pub fn y() {}\n");
    env.commit_all("start");
    checked(&env);
    let program = reviewer(&env);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert_eq!(asked(&env), ["model-r", "model-s"]);
    let prompt = std::fs::read_to_string(format!("{program}.prompt")).unwrap();
    for part in ["+pub fn y() {}", "+replicas: 2"] {
        assert!(prompt.contains(part), "{part} is missing:\n{prompt}");
    }
    let _ = env.run(&["review", "check"]).exits(0);
    assert!(!is_held(&env));
}

#[test]
fn the_small_model_beside_a_reviewer_is_not_the_reviewer() {
    let env = project("deploy/**");
    files(&env);
    env.commit_all("start");
    start(&env);
    edit(&env, "deploy/a.yaml", "replicas: 4\n");
    checked(&env);
    models(
        &env,
        "reviewer_model: claude-sonnet-4-5, second_model: claude-opus-4-5",
    );
    let program = reviewer(&env);
    env.write_file(env.root().join("reviewer.sh.small"), "");
    let run = || env.run(&["review", "run", "--program", &program]);
    let told = run().exits(0);
    assert!(told.stdout().contains("(claude-sonnet-4-5)"), "{told}");
    assert!(!is_held(&env));
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    let verdict = &status["reviews"][0]["verdicts"][0];
    assert_eq!(verdict["second"]["model"], "claude-opus-4-5", "{verdict}");
    assert_eq!(verdict["second"]["asked"], "claude-opus-4-5", "{verdict}");

    // One name asked for twice is one model, whatever stands beside it in one of the results.
    edit(&env, "deploy/a.yaml", "replicas: 5\n");
    checked(&env);
    models(
        &env,
        "reviewer_model: claude-opus-4-5, second_model: claude-opus-4-5",
    );
    env.write_file(env.root().join("reviewer.sh.once"), "");
    let before = asked(&env).len();
    let told = run();
    assert!(told.stdout().contains("another model than"), "{told}");
    assert_eq!(asked(&env).len(), before + 1, "the second was not asked in vain");
    let _ = env.run(&["review", "check"]).exits(1);
    assert!(is_held(&env));
}

#[test]
fn the_program_of_the_second_reviewer_is_pinned_too() {
    let env = project("deploy/**");
    files(&env);
    env.commit_all("start");
    start(&env);
    edit(&env, "deploy/a.yaml", "replicas: 4\n");
    checked(&env);
    models(&env, "require: changes");
    let first = reviewer(&env);
    let other = env.root().join("other.sh");
    std::fs::copy(&first, &other).unwrap();
    let other = other.to_string_lossy();
    let _ = env.run(&["review", "run", "--program", &first]);
    models(&env, "second_model: model-s");
    let _ = env.run(&["review", "run", "--program", &other]).exits(0);
    assert_eq!(asked(&env), ["model-r"], "the first is not asked again");
    assert!(!is_held(&env));
    models(
        &env,
        &format!("second_model: model-s, reviewer_programs: [\"{other}\"]"),
    );
    let told = env.run(&["review", "check"]).exits(1);
    assert!(told.stdout().starts_with("approved_by_one"), "{told}");
    env.commit_all("deployed otherwise");
    let report = env.run(&["verify", "--json"]).exits(1).data();
    assert_eq!(report["policy"]["high_stakes"]["state"], "missing", "{report}");
}

#[test]
fn a_session_that_only_started_hides_no_high_stakes() {
    let env = project("deploy/**");
    files(&env);
    env.commit_all("start");
    start(&env);
    edit(&env, "deploy/a.yaml", "replicas: 4\n");
    checked(&env);
    models(&env, "require: changes");
    let program = reviewer(&env);
    let _ = env.run(&["review", "run", "--program", &program]);
    let _ = env.run(&["review", "check"]).exits(1);
    let mut begins = payload(&env, "SessionStart", json!({"source": "startup"}));
    begins["session_id"] = json!("22222222-2222-4333-8444-555555555555");
    let _ = env.hook("claude", &begins);
    let told = env.run(&["review", "check"]).exits(1);
    assert!(told.stdout().starts_with("approved_by_one"), "{told}");
}

#[test]
fn what_stands_in_the_place_of_a_high_stakes_folder_is_high_stakes() {
    let env = project("vendor/crypto/**");
    files(&env);
    env.commit_all("start");
    start(&env);
    let inner = env.project().join("vendor/crypto");
    env.write_file("vendor/crypto/a.c", "int a;\n");
    let _ = env.git_in(&inner, &["init", "-q"]);
    let _ = env.git_in(&inner, &["add", "-A"]);
    let _ = env.git_in(&inner, &["commit", "-q", "-m", "evil"]);
    edit(&env, "src/lib.rs", "pub fn y() {}\n");
    checked(&env);
    let program = reviewer(&env);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert_eq!(asked(&env), ["model-r", "model-s"]);
    assert!(!is_held(&env));
}

#[test]
fn a_glob_that_names_folders_by_a_star_covers_what_stands_in_their_place() {
    let env = project("vendor/*/**");
    files(&env);
    env.write_file("vendor/README.md", "two\n");
    env.commit_all("start");
    start(&env);
    // A plain file beside the folders is in none of them.
    edit(&env, "vendor/README.md", "three\n");
    checked(&env);
    let program = reviewer(&env);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert_eq!(asked(&env), ["model-r"]);
    let inner = env.project().join("vendor/x");
    env.write_file("vendor/x/a.c", "int a;\n");
    let _ = env.git_in(&inner, &["init", "-q"]);
    let _ = env.git_in(&inner, &["add", "-A"]);
    let _ = env.git_in(&inner, &["commit", "-q", "-m", "evil"]);
    checked(&env);
    models(&env, "require: changes");
    let run = env.run(&["review", "run", "--program", &program]).exits(3);
    assert!(run.stdout().contains("needs a second reviewer"), "{run}");
    assert!(is_held(&env));
    env.commit_all("another library");
    let report = env.run(&["verify", "--json"]).exits(1).data();
    assert_eq!(
        report["policy"]["high_stakes"]["paths"],
        json!(["vendor/x"]),
        "{report}"
    );
    // A file that takes the place of one is a change of all that lay there.
    start(&env);
    std::fs::remove_dir_all(&inner).unwrap();
    edit(&env, "vendor/x", "nothing\n");
    checked(&env);
    let run = env.run(&["review", "run", "--program", &program]).exits(3);
    assert!(run.stdout().contains("needs a second reviewer"), "{run}");
}
