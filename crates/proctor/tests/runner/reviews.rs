//! `proctor run-check` and `proctor review`, with a reviewer that is a script.

use crate::support::{environment, environment_without_git, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::json;

const POLICY: &str = "version: 1\nenforcement: { approval: { require: changes } }\nverification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";

/// A session in which a file was edited.
fn worked() -> TestEnvironment {
    let env = environment();
    env.write_file(".proctor/proctor.yaml", POLICY);
    env.write_file("check.sh", "echo checked\n");
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(&env, "Rename x to y."));
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    let file = env.project().join("src/lib.rs");
    let edit = json!({"tool_name": "Edit", "tool_use_id": "toolu_1",
        "tool_input": {"file_path": file, "old_string": "x", "new_string": "y"},
        "tool_response": {"filePath": file, "oldString": "x", "newString": "y"}});
    let _ = env.hook("claude", &payload(&env, "PostToolUse", edit));
    env
}

/// Whether the host may end its turn.
fn may_stop(env: &TestEnvironment) -> bool {
    env.hook("claude", &stop(env, "x is now y.")).json()["decision"] != "block"
}

/// A host program that reads its prompt and ends with these words.
fn reviewer(env: &TestEnvironment, words: &str) -> String {
    let result = json!({"type": "result", "is_error": false, "terminal_reason": "completed", "result": words,
        "session_id": "r1", "modelUsage": {"model-r": {}}});
    let path = env.root().join("reviewer.sh");
    let script = format!(
        "#!/bin/sh\ncat > \"$0.prompt\"\npwd > \"$0.folder\"\ncase \"$*\" in *--model*) echo --model;; *) echo once;; esac >> \"$0.asked\"\ncat <<'EOF'\n{result}\nEOF\n"
    );
    std::fs::write(&path, script).unwrap();
    let mut mode = std::fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    path.to_string_lossy().into_owned()
}

const APPROVE: &str =
    "I read it.\n```json\n{\"verdict\": \"approve\", \"summary\": \"renamed everywhere\"}\n```";

#[test]
fn a_change_is_reviewed_and_released() {
    let env = worked();
    assert!(!may_stop(&env), "nobody reviewed it");
    let unasked = env.run(&["review", "check"]).exits(1);
    let words = ["none\n", "Not reviewed yet: src/lib.rs", "proctor review run"];
    assert!(words.iter().all(|w| unasked.stdout().contains(w)), "{unasked}");
    let told = env.run(&["review", "check", "--json"]).exits(1).data();
    assert_eq!(
        (&told["passes"], &told["standing"]),
        (&json!(false), &json!("none"))
    );
    let program = reviewer(&env, APPROVE);
    let run = |code: i32| env.run(&["review", "run", "--program", &program]).exits(code);

    // An approval without evidence is not taken, whoever gives it.
    let lacking = run(1);
    assert!(lacking.stdout().contains("lacks evidence"), "{lacking}");
    let told = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    assert!(
        told.stdout() == "checked\n" && told.stderr().contains("`sh check.sh`"),
        "{told}"
    );

    let approved = run(0);
    assert!(
        approved
            .stdout()
            .contains("a reviewer that Proctor launched (model-r)"),
        "{approved}"
    );
    let prompt = std::fs::read_to_string(format!("{program}.prompt")).unwrap();
    for part in ["Rename x to y.", "+pub fn y() {}", "sh check.sh"] {
        assert!(prompt.contains(part), "{part} is missing:\n{prompt}");
    }
    let folder = std::fs::read_to_string(format!("{program}.folder")).unwrap();
    assert!(
        !folder.contains("project"),
        "not in the user's work tree: {folder}"
    );
    let _ = env.run(&["review", "check"]).exits(0);
    assert!(may_stop(&env));

    // A later edit makes it stale; the same content again, committed or not, is approved.
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    let stale = env.run(&["review", "check"]).exits(1);
    assert!(stale.stdout().starts_with("stale"), "{stale}");
    assert!(!may_stop(&env));
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    env.commit_all("renamed");
    let _ = env.run(&["review", "check"]).exits(0);
}

#[test]
fn what_was_run_is_told_as_json() {
    let env = worked();
    let told = env.run(&["run-check", "--json", "--", "sh", "check.sh"]).exits(0);
    let data = told.data();
    assert_eq!(
        (&data["exit"], &data["timed_out"]),
        (&json!(0), &json!(false)),
        "{told}"
    );
    let run = &data["recorded"][0];
    assert_eq!(
        (&run["check"], &run["exit"]),
        (&json!("sh check.sh"), &json!(0)),
        "{told}"
    );
    assert!(told.stderr().starts_with("checked\n"), "{told}");
    // What verifies nothing is told as nothing, and the exit status is the command's own.
    let nothing = env
        .run(&["run-check", "--json", "sh", "-c", "exit 7"])
        .exits(7)
        .data();
    assert_eq!((&nothing["exit"], &nothing["recorded"]), (&json!(7), &json!([])));
}

#[test]
fn a_refusal_names_problems_that_must_be_settled() {
    let env = worked();
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let refusal = "{\"verdict\": \"reject\", \"summary\": \"a caller is left\", \"findings\": [{\"severity\": \"blocking\", \"path\": \"src/lib.rs\", \"line\": 1, \"text\": \"a caller still says x\"}]}";
    let program = reviewer(&env, refusal);
    let refused = env.run(&["review", "run", "--program", &program]).exits(1);
    assert!(
        refused.stdout().contains("src/lib.rs:1: a caller still says x"),
        "{refused}"
    );
    assert!(!may_stop(&env));
    // The refusal stands until its finding is settled, whatever the next reviewer says.
    let program = reviewer(&env, APPROVE);
    let _ = env.run(&["review", "run", "--program", &program]).exits(1);
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    let finding = status["reviews"][0]["findings"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let settle = ["review", "settle", &finding, "--how", "fixed", "-m", "renamed it"];
    // On the tree in which it was found nothing is fixed; another change is none of the file that it names.
    let refused = env.run(&settle).exits(2);
    let told = [
        "(src/lib.rs) is not fixed: no file has changed",
        "--how answered",
        "a human",
    ];
    assert!(told.iter().all(|w| refused.stderr().contains(w)), "{refused}");
    env.write_file("src/other.rs", "pub fn z() {}\n");
    let settled = env.run(&settle).exits(0);
    let unchanged = "the file that it names has not changed";
    assert!(settled.stdout().contains(unchanged), "{settled}");
    let told = env.run(&["review", "status"]).exits(0);
    assert!(
        told.stdout().contains(
            "fixed, as somebody unknown says; the file that it names had not changed] src/lib.rs:1"
        ),
        "{told}"
    );
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let _ = env.run(&settle).exits(2);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert!(may_stop(&env));
}

#[test]
fn what_stands_in_place_of_the_state_is_named() {
    let env = worked();
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let state = env.home().join(".local/state/proctor");
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::write(&state, "x").unwrap();
    let named = format!("{} is no folder", state.display());
    for command in [&["verify", "--rerun"][..], &["verify"], &["review", "status"]] {
        let failed = env.run(command).exits(3);
        let told = failed.stderr();
        assert!(
            told.contains(&named) && told.contains("`proctor review release`"),
            "{failed}"
        );
    }
    let doctor = env.run(&["doctor"]);
    assert!(doctor.stdout().contains(&named), "{doctor}");
    assert!(!doctor.stdout().contains("is gone"), "{doctor}");
}

#[test]
fn a_reviewer_that_gives_no_verdict_is_no_refusal() {
    let env = worked();
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let program = reviewer(&env, "Looks good to me! APPROVE");
    let failed = env.run(&["review", "run", "--program", &program]).exits(3);
    assert!(failed.stdout().contains("could not run"), "{failed}");
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    let review = &status["reviews"][0];
    assert_eq!(
        (&review["attempts"], &review["status"]),
        (&json!(0), &json!("pending"))
    );
    let _ = env
        .run(&["review", "run", "--program", "/nowhere/reviewer"])
        .exits(3);
}

#[test]
fn what_no_agent_can_do() {
    let env = worked();
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    // Standard input is no terminal here, as in an agent's shell.
    let approved = env.run(&["review", "approve", "-m", "fine"]).exits(4);
    assert!(approved.stdout().contains("approves nothing"), "{approved}");
    assert!(!may_stop(&env));
    // A refusal counts from anybody.
    let refused = env.run(&["review", "reject", "-m", "no"]).exits(0);
    let shown = env.run(&["review", "status"]).exits(0);
    for told in [refused.stdout(), shown.stdout()] {
        let line = told
            .lines()
            .find(|l| l.contains("refused by"))
            .unwrap_or_default();
        assert!(!line.is_empty() && !line.contains("does not count"), "{told}");
    }
    let settled = env
        .run(&["review", "settle", "abcdef", "--how", "fixed", "-m", "x"])
        .exits(2);
    assert!(settled.stderr().contains("no finding is called"), "{settled}");
    let revoked = env.run(&["trust", "--revoke"]).exits(0);
    assert_eq!(revoked.stdout(), "nothing was trusted\n");
    let released = env.run(&["review", "release", "--reason", "demo"]).exits(2);
    assert!(released.stderr().contains("only a human"), "{released}");
    let empty = env.run(&["run-check", "--", "echo", "12 passed"]).exits(0);
    assert!(empty.stderr().contains("no check is recognised"), "{empty}");
    let failing = env.run(&["run-check", "--", "sh", "-c", "exit 7"]).exits(7);
    assert!(failing.stderr().contains("no check is recognised"), "{failing}");
    // The state folder goes away: what was approved is not known any more, and that is no approval.
    let id = env.git(&["config", "proctor.id"]);
    std::fs::remove_dir_all(env.state_home().join("proctor").join(id.trim())).unwrap();
    let lost = env.hook("claude", &stop(&env, "x is now y. All tests pass."));
    assert_eq!(lost.json()["decision"], "block", "{lost}");
}

#[test]
fn a_review_is_required_without_a_session_too() {
    let env = environment();
    env.write_file(".proctor/proctor.yaml", POLICY);
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.run(&["review", "check"]).exits(0);
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    let _ = env.run(&["review", "check"]).exits(1);
    // Where the policy asks for none, nobody needs one; what is only written, and not committed, takes nothing away.
    env.write_file(
        ".proctor/proctor.yaml",
        POLICY.replace("require: changes", "require: claims"),
    );
    let _ = env.run(&["review", "check"]).exits(1);
    let _ = env.git(&["add", ".proctor"]);
    let _ = env.git(&["commit", "-q", "-m", "a looser policy"]);
    let _ = env.run(&["review", "check"]).exits(0);
    let outside = environment_without_git();
    let status = outside.run(&["review", "status"]).exits(0);
    assert!(status.stdout().starts_with("no git work tree: none"), "{status}");
}

#[test]
fn what_is_missing_is_the_real_reason() {
    // At level `rerun` a run on the work tree is on record, and is not what counts.
    let env = worked_for_rerun("sh check.sh");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let held = env.run(&["review", "approve"]).exits(1);
    let words = [
        "`sh check.sh` has not passed in a clean folder",
        "no terminal",
        "`proctor review run`",
    ];
    assert!(words.iter().all(|w| held.stdout().contains(w)), "{held}");
    assert!(!held.stdout().contains("is on record"), "{held}");
    // The policy names it, and it is no evidence all the same.
    let env = worked_for_rerun("true");
    let told = env.run(&["run-check", "--", "true"]).exits(0);
    assert!(told.stderr().contains("names it as `check`"), "{told}");
    assert!(!told.stderr().contains("can be named under"), "{told}");
    // What is held for what was witnessed makes no case of a corpus, and nobody is asked for one.
    assert!(!may_stop(&env));
    let explained = env.run(&["explain", "last"]).exits(0);
    assert!(explained.stdout().contains("\napproval ("), "{explained}");
    assert!(!explained.stdout().contains("if this was wrong"), "{explained}");
    let id = env.run(&["explain", "last", "--json"]).exits(0).data()["id"].clone();
    let none = env
        .run(&["feedback", id.as_str().unwrap(), "--false-positive"])
        .exits(2);
    assert!(
        none.stderr().contains("of approval no case can be made"),
        "{none}"
    );
    let none = env.run(&["feedback", "last"]).exits(2);
    assert!(none.stderr().contains("--missed"), "{none}");
    let stats = env.run(&["stats", "--json"]).exits(0).data();
    assert_eq!(stats["stats"]["reported"], json!([]), "{stats}");
}

#[test]
fn the_state_is_in_order_after_a_review() {
    let env = worked();
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let program = reviewer(&env, APPROVE);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    let looked = env.run(&["fsck"]).exits(0);
    assert!(looked.stdout().contains("3 logs"), "{looked}");
}

#[test]
fn what_is_high_stakes_needs_two_models() {
    let env = worked();
    let policy = POLICY.replace("require: changes", "require: changes, high_stakes: [\"src/**\"]");
    env.write_file(".proctor/proctor.yaml", &policy);
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let program = reviewer(&env, APPROVE);
    let run = || env.run(&["review", "run", "--program", &program]).exits(3);
    assert!(
        run().stdout().contains("second reviewer"),
        "no second model is named"
    );
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        "enforcement: { approval: { second_model: model-s } }\n",
    );
    // The script says `model-r` whatever it is asked for.
    assert!(run().stdout().contains("same model"));
    assert!(!may_stop(&env));
    // The first one approved this tree, and is not asked again.
    assert_eq!(asked(&env), "once\n--model\n");
    // Two that answer as the models that they are: the record names both, and `verify` finds them there.
    tells_its_model(&program);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert!(may_stop(&env));
    env.commit_all("renamed");
    let report = env.run(&["verify", "--json"]).exits(0).data();
    assert_eq!(report["policy"]["high_stakes"]["state"], "two_models", "{report}");
}

#[test]
fn what_one_approved_waits_for_the_second() {
    let env = worked();
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let program = reviewer(&env, APPROVE);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert!(may_stop(&env));
    // What was approved by one is high-stakes, as the policy says now.
    let policy = |paths: &str| {
        let asks = format!("{paths}, high_stakes: [\"src/**\"]");
        env.write_file(".proctor/proctor.yaml", POLICY.replace("require: changes", &asks));
    };
    for paths in ["require: paths, paths: [\"docs/**\"]", "require: changes"] {
        policy(paths);
        let held = env.hook("claude", &stop(&env, "x is now y.")).json();
        assert_eq!(held["decision"], "block", "{held}");
        let reason = held["reason"].as_str().unwrap();
        let words = "Approved by one: a reviewer that Proctor launched (model-r). What changed is high-stakes (src/lib.rs), so";
        assert!(
            reason.contains(words) && reason.contains("Ask for the second one"),
            "{reason}"
        );
    }
    let told = env.run(&["review", "check", "--json"]).exits(1).data();
    assert_eq!(
        (&told["passes"], &told["standing"]),
        (&json!(false), &json!("approved_by_one"))
    );
    let told = env.run(&["review", "check"]).exits(1);
    let words = ["approved_by_one\n", "Approved by one", "`proctor review run`"];
    assert!(words.iter().all(|w| told.stdout().contains(w)), "{told}");
    let told = env.run(&["review", "status"]).exits(0);
    assert!(told.stdout().contains("another model has to"), "{told}");
    // A human who is to look is waited for.
    let _ = env.run(&["review", "request", "--human"]).exits(0);
    assert!(may_stop(&env));
    // What else changes is no high stake, and two have to see the whole again.
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        "enforcement: { approval: { second_model: model-s } }\n",
    );
    tells_its_model(&program);
    let before = asked(&env).lines().count();
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert_eq!(
        asked(&env).lines().count(),
        before + 1,
        "only the second was asked"
    );
    let prompt = std::fs::read_to_string(format!("{program}.prompt")).unwrap();
    assert!(
        prompt.contains("+pub fn y() {}"),
        "about all that the first one saw: {prompt}"
    );
    assert!(may_stop(&env));
    env.write_file("notes.md", "renamed\n");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    assert!(!may_stop(&env));
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    assert_eq!(asked(&env).lines().count(), before + 3, "both were asked");
    assert!(may_stop(&env));
}

/// One line for each time that the reviewer was started: `--model` where one was asked for.
fn asked(env: &TestEnvironment) -> String {
    std::fs::read_to_string(env.root().join("reviewer.sh.asked")).unwrap_or_default()
}

/// Makes the reviewer answer as the model that it is asked for, `model-r` where none is.
fn tells_its_model(program: &str) {
    let script = std::fs::read_to_string(program).unwrap();
    let asked = "model=model-r\nfor arg; do case $last in --model) model=$arg;; esac; last=$arg; done\n";
    let script = script
        .replace("#!/bin/sh\n", &format!("#!/bin/sh\n{asked}"))
        .replace("cat <<'EOF'", "sed \"s/model-r/$model/\" <<'EOF'");
    std::fs::write(program, script).unwrap();
}

#[test]
fn a_check_that_leaves_a_process_behind_ends_with_itself() {
    let env = worked();
    env.write_file("check.sh", "sleep 30 &\necho checked\n");
    let start = std::time::Instant::now();
    let told = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    assert!(told.stdout() == "checked\n", "{told}");
    assert!(
        start.elapsed().as_secs() < 25,
        "it waited for what was left behind"
    );
}

/// [`worked`], with the level `rerun` and checks that the user's own file names.
fn worked_for_rerun(run: &str) -> TestEnvironment {
    let env = worked();
    let policy = POLICY.replace(
        "require: changes }",
        "require: changes }, review: { level: rerun }",
    );
    env.write_file(".proctor/proctor.yaml", &policy);
    let own = format!("verification:\n- {{ name: check, run: \"{run}\", kind: tests }}\n");
    env.write_file(env.home().join(".config/proctor/proctor.yaml"), &own);
    env
}

#[test]
fn level_rerun_runs_the_checks_itself_in_a_clean_folder() {
    let env = worked_for_rerun("sh check.sh && pwd > \\\"$HOME/where\\\" && test ! -e ignored.txt");
    env.write_file(".gitignore", "ignored.txt\n");
    env.write_file("ignored.txt", "in nobody's tree\n");
    let program = reviewer(&env, APPROVE);
    let run = |code: i32| env.run(&["review", "run", "--program", &program]).exits(code);
    let approved = run(0);
    assert!(approved.stderr().contains("passed\n"), "{approved}");
    assert!(approved.stdout().contains("[engine_ran]"), "{approved}");
    let ran_in = std::fs::read_to_string(env.home().join("where")).unwrap();
    assert!(!ran_in.contains("/project"), "{ran_in}");
    assert!(
        !std::path::Path::new(ran_in.trim()).exists(),
        "the folder is gone"
    );
    assert!(may_stop(&env));
    // The next reviewer of the same tree is answered from the record.
    assert!(run(0).stderr().contains("from the record"));

    // A run on the work tree, with whatever lies about there, is no run in a clean folder.
    env.write_file("check.sh", "test -e ignored.txt\n");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let failing = run(1);
    assert!(failing.stderr().contains("failed:"), "{failing}");
    assert!(failing.stdout().contains("exit code 1"), "{failing}");
    let asked = std::fs::read_to_string(format!("{program}.prompt")).unwrap();
    assert!(
        !asked.contains("test -e"),
        "nobody is asked about work whose checks fail"
    );
    assert!(!may_stop(&env));
}

#[test]
fn a_check_that_could_not_run_is_no_verdict_and_no_attempt() {
    for (own, why) in [(Some("no-such-program"), "did not find"), (None, "proctor trust")] {
        let env = worked_for_rerun(own.unwrap_or("true"));
        if own.is_none() {
            std::fs::remove_file(env.home().join(".config/proctor/proctor.yaml")).unwrap();
            let shown = env.run(&["trust", "--show"]).exits(1);
            assert!(shown.stdout().contains("check: sh check.sh"), "{shown}");
            let refused = env.run(&["trust"]).exits(2);
            assert!(refused.stderr().contains("only a human"), "{refused}");
            let doctor = env.run(&["doctor", "--no-canary"]);
            assert!(doctor.stdout().contains("nobody has trusted them"), "{doctor}");
        }
        let program = reviewer(&env, APPROVE);
        let failed = env.run(&["review", "run", "--program", &program]).exits(3);
        assert!(failed.stdout().contains(why), "{failed}");
        let status = env.run(&["review", "status", "--json"]).exits(0).data();
        let review = &status["reviews"][0];
        assert_eq!(
            (&review["attempts"], &review["status"]),
            (&json!(0), &json!("pending"))
        );
    }
}

#[test]
fn level_tamper_makes_weaker_tests_a_finding_that_the_reviewer_may_answer() {
    let env = worked_for_rerun("sh check.sh");
    let policy = std::fs::read_to_string(env.project().join(".proctor/proctor.yaml")).unwrap();
    env.write_file(
        ".proctor/proctor.yaml",
        policy.replace("level: rerun", "level: tamper"),
    );
    env.write_file("test_a.py", "def test_first():\n    assert f() == 1\n");
    env.commit_all("a test");
    let _ = env.hook("claude", &prompt(&env, "EXPECTED OUTCOME:\n- [ ] make it fast\n"));
    env.write_file(
        "test_a.py",
        "import pytest\n\n@pytest.mark.skip\ndef test_first():\n    assert f() == 1\n",
    );

    let program = reviewer(&env, APPROVE);
    let held = env.run(&["review", "run", "--program", &program]).exits(1);
    assert!(held.stderr().contains("finding (tamper/tests_skipped)"), "{held}");
    assert!(held.stdout().contains("test_first"), "{held}");
    let asked = std::fs::read_to_string(format!("{program}.prompt")).unwrap();
    assert!(
        asked.contains("marked to be left out"),
        "the reviewer is told:\n{asked}"
    );
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    let finding = status["reviews"][0]["findings"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let settle = [
        "review",
        "settle",
        &finding,
        "--how",
        "answered",
        "-m",
        "it is slow",
    ];
    let refused = env.run(&settle).exits(2);
    assert!(
        refused.stderr().contains("by the reviewer, or by a human"),
        "{refused}"
    );

    let answer = format!(
        "{{\"verdict\": \"approve\", \"summary\": \"the user asked for it\", \"settled\": [\"{finding}\"]}}"
    );
    let program = reviewer(&env, &answer);
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    let _ = env.run(&["review", "check"]).exits(0);
    // The skip is there still: nothing was fixed, and it is not found anew.
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    assert_eq!(status["reviews"][0]["findings"][0]["settled"], "withdrawn");
    let _ = env.run(&["review", "run", "--program", &program]).exits(0);
    let status = env.run(&["review", "status", "--json"]).exits(0).data();
    assert_eq!(status["reviews"][0]["findings"].as_array().map(Vec::len), Some(1));
}
