//! What a run has to be to count as evidence: of this work tree, and of all that the policy names.

use crate::support::{environment, payload, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const OK: &str = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";

/// A project whose policy names one check, and a session that edited a file of it.
fn worked(check: &str) -> TestEnvironment {
    let env = environment();
    let policy = format!(
        "version: 1\nenforcement: {{ approval: {{ require: changes }} }}\nverification:\n- {{ name: test, run: '{check}', kind: tests }}\n"
    );
    env.write_file(".proctor/proctor.yaml", &policy);
    env.write_file("t.sh", "exit 1\n");
    env.write_file("sub/t.sh", "exit 0\n");
    env.write_file("src/a.rs", "x\n");
    env.commit_all("start");
    let start = payload(&env, "SessionStart", json!({"source": "startup"}));
    let _ = env.hook("claude", &start);
    let _ = env.hook("claude", &prompt(&env, "Fix it."));
    env.write_file("src/a.rs", "y\n");
    env
}

/// The host runs a command that ends with 0.
fn bash(env: &TestEnvironment, command: &str, output: &str) {
    let call = json!({"tool_name": "Bash", "tool_use_id": "toolu_9", "tool_input": {"command": command}});
    let _ = env.hook("claude", &payload(env, "PreToolUse", call.clone()));
    let mut ended = call;
    ended["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false});
    let _ = env.hook("claude", &payload(env, "PostToolUse", ended));
}

/// What the end of a turn with a claim is answered with.
fn claimed(env: &TestEnvironment) -> String {
    let answer = env.hook("claude", &stop(env, "All tests pass.")).json();
    answer["reason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_run_of_another_tree_or_of_a_part_is_no_evidence() {
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("t.sh"), "exit 0\n").unwrap();
    let other = other.path().to_string_lossy().into_owned();
    for (check, run, missing, run_instead) in [
        (
            "sh t.sh",
            "cd OTHER && sh t.sh",
            "ran in `OTHER`, outside this work tree",
            "`sh t.sh`",
        ),
        (
            "sh t.sh",
            "pushd OTHER; sh t.sh",
            "ran in `OTHER`, outside this work tree",
            "`sh t.sh`",
        ),
        (
            "sh t.sh",
            "cd sub && sh t.sh",
            "in `sub` is a part: run `sh t.sh` at the root",
            "`sh t.sh`",
        ),
        (
            "sh t.sh",
            "sh t.sh fast",
            "`sh t.sh fast` is a part: run `sh t.sh`",
            "`sh t.sh`",
        ),
        (
            "sh t.sh",
            "cd \"$X\" && sh t.sh",
            "in which folder `sh t.sh` ran is not known",
            "`sh t.sh`",
        ),
        (
            "cargo test",
            "cargo test -p one",
            "`cargo test -p one` is a part: run `cargo test`",
            "`cargo test`",
        ),
        (
            "cargo test",
            "cargo test --manifest-path OTHER/Cargo.toml",
            "is not about the files of this work tree",
            "`cargo test`",
        ),
        (
            "cargo test",
            "docker run img cargo test",
            "is not about the files of this work tree",
            "`cargo test`",
        ),
        (
            "npm test",
            "npm test -- one.spec.js",
            "is a part: run `npm test`",
            "`npm test`",
        ),
        (
            "pytest",
            "pytest tests/test_a.py::test_x",
            "is a part: run `pytest`",
            "`pytest`",
        ),
    ] {
        let env = worked(check);
        // As the host would name it.
        let line = run.replace("OTHER", &other);
        bash(
            &env,
            &line,
            if check.starts_with("cargo") {
                OK
            } else {
                "3 passed in 0.1s\n"
            },
        );
        let told = claimed(&env);
        let missing = missing.replace("OTHER", &other);
        assert!(told.contains(&missing), "{line}: {told}");
        assert!(told.contains(&format!("un {run_instead}")), "{line}: {told}");
        env.commit_all("work");
        let verified = env.run(&["verify", "--json"]).exits(1).data();
        assert_eq!(verified["checks"][0]["state"], "not_run", "{line}: {verified}");
    }
}

#[test]
fn proctor_s_own_runs_obey_the_same() {
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("t.sh"), "exit 0\n").unwrap();
    let env = worked("sh t.sh");
    let line = format!("cd {} && sh t.sh", other.path().display());
    let told = env.run(&["run-check", "--", "sh", "-c", &line]).exits(0);
    assert!(told.stderr().contains("outside this work tree"), "{told}");
    let told = env.run(&["run-check", "--", "sh", "t.sh", "fast"]).exits(1);
    assert!(told.stderr().contains("a part"), "{told}");
    env.write_file("t.sh", "exit 0\n");
    let _ = env.run(&["run-check", "--", "sh", "-c", &line]).exits(0);
    env.commit_all("work");
    let verified = env.run(&["verify", "--json"]).exits(1).data();
    assert_eq!(verified["checks"][0]["state"], "not_run", "{verified}");
    let _ = env.run(&["run-check", "--", "sh", "t.sh"]).exits(0);
    let verified = env.run(&["verify", "--json"]).data();
    assert_eq!(verified["checks"][0]["state"], "passed", "{verified}");
}

#[test]
fn a_silent_run_of_proctor_s_own_is_told_as_none() {
    let mut env = worked("bin/pytest");
    env.write_file("bin/pytest", "#!/bin/sh\nexit 0\n");
    let file = env.project().join("bin/pytest");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    env.commit_all("work");
    let hidden = ["run-check", "--", "sh", "-c", "bin/pytest > \"$TMPDIR/log\""];
    let told = env.run(&hidden).exits(0);
    assert!(told.stderr().contains("its result was not seen"), "{told}");
    let verified = env.run(&["verify", "--json"]).exits(1).data();
    assert_eq!(verified["checks"][0]["state"], "not_run", "{verified}");
    let detail = verified["checks"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("its result was not seen"), "{detail}");
    let told = env.run(&["run-check", "--", "bin/pytest"]).exits(0);
    assert!(
        told.stderr().contains("without the result that it always prints"),
        "{told}"
    );
    // Settings may have led it elsewhere: what to do is said, not the same again.
    let next =
        "proctor: with `--verbosity=0` it prints its result, also where its settings lead it elsewhere";
    assert!(told.stderr().contains(next), "{told}");
    let verified = env.run(&["verify", "--json"]).exits(1).data();
    assert_eq!(verified["checks"][0]["state"], "empty", "{verified}");
    env.set_var("CI", "true");
    let verified = env.run(&["verify", "--json"]).exits(1).data();
    assert_eq!(verified["checks"][0]["state"], "empty", "{verified}");
    assert_eq!(verified["reasons"][1]["code"], "check_empty", "{verified}");
}

#[test]
fn what_the_caller_s_environment_could_change_does_not_reach_a_check_of_proctor_s_own() {
    let mut env = worked("sh t.sh");
    let seen = env.root().join("seen");
    env.write_file(
        "t.sh",
        format!("env > {}\nenv false || exit 0\nexit 0\n", seen.display()),
    );
    for (name, value) in [
        ("MAKEFLAGS", "SHELL=/bin/true"),
        ("npm_config_script_shell", "/bin/true"),
        ("BASH_ENV", "/nowhere"),
        ("PYTHONPATH", "src"),
        ("npm_config_registry", "http://localhost:1"),
    ] {
        env.set_var(name, value);
    }
    let told = env.run(&["run-check", "--", "sh", "t.sh"]).exits(0);
    let text = std::fs::read_to_string(&seen).unwrap();
    for name in ["MAKEFLAGS", "npm_config_script_shell", "BASH_ENV"] {
        assert!(
            !text.contains(name) && told.stderr().contains(name),
            "{name}: {told}"
        );
    }
    assert!(
        text.contains("PYTHONPATH") && text.contains("npm_config_registry"),
        "{text}"
    );
    assert!(!told.stderr().contains("no evidence"), "{told}");
    // A program of the search path that was put into the work tree, before the one of its name.
    env.write_file("bin/false", "#!/bin/sh\nexit 0\n");
    let file = env.project().join("bin/false");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let rest = std::env::var("PATH").unwrap();
    env.set_var("PATH", format!("{}:{rest}", env.project().join("bin").display()));
    let told = env.run(&["run-check", "--", "sh", "t.sh"]).exits(0);
    assert!(told.stderr().contains("what ran cannot be told"), "{told}");
    env.commit_all("work");
    let verified = env.run(&["verify", "--json"]).exits(1).data();
    assert_ne!(verified["checks"][0]["state"], "passed", "{verified}");
    // What the project holds itself is its own.
    let told = env.run(&["run-check", "--", "sh", "t.sh"]).exits(0);
    assert!(!told.stderr().contains("what ran cannot be told"), "{told}");
}

#[test]
fn a_program_that_was_put_into_the_work_tree_is_no_runner() {
    let env = worked("python3 -m unittest");
    env.write_file(".gitignore", "bin/\n");
    env.write_file("bin/python3", "#!/bin/sh\necho\n");
    let ended = "\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n";
    bash(&env, "bin/python3 -m unittest", ended);
    let told = claimed(&env);
    assert!(
        told.contains("what ran as the last `unittest` cannot be told from `bin/python3 -m unittest`"),
        "{told}"
    );
    bash(&env, "python3 -m unittest", ended);
    assert!(!claimed(&env).contains("unittest"));
}

#[test]
fn verify_says_that_there_was_nothing_to_run_again() {
    let env = environment();
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { approval: { require: changes } }\n",
    );
    env.commit_all("start");
    env.write_file("src/a.rs", "y\n");
    env.commit_all("work");
    let told = env.run(&["verify", "--rerun"]);
    assert!(
        told.stdout()
            .contains("nothing was run again: the policy names no check"),
        "{told}"
    );
    assert!(!env.run(&["verify"]).stdout().contains("run again"));
}

#[test]
fn a_report_that_a_check_writes_again_is_no_change_under_it() {
    let env = worked("sh u.sh");
    env.write_file("u.sh", "date +%s%N > report.xml\n");
    for round in 1..=2 {
        let told = env.run(&["run-check", "--", "sh", "u.sh"]).exits(0);
        assert!(
            told.stderr().contains("untracked files changed"),
            "{round}: {told}"
        );
        let lacks = env.run(&["review", "approve", "-m", "x"]);
        assert!(!lacks.stdout().contains("lacks evidence"), "{round}: {lacks}");
    }
    // One that git tracks is a part of what is checked.
    env.commit_all("with its report");
    let told = env.run(&["run-check", "--", "sh", "u.sh"]).exits(0);
    assert!(told.stderr().contains("files changed while it ran"), "{told}");
}

const UNITTEST: &str =
    "\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n";

#[test]
fn a_part_that_an_option_names_does_not_undo_the_failure_of_the_whole() {
    let env = worked("sh other.sh");
    env.write_file("ok/test_ok.py", "");
    let call = json!({"tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": {"command": "python3 -m unittest"}});
    let _ = env.hook("claude", &payload(&env, "PreToolUse", call.clone()));
    let mut failed = call;
    failed["error"] = json!("Exit code 1\nRan 4 tests in 0.001s\n\nFAILED (failures=2)");
    failed["is_interrupt"] = json!(false);
    let _ = env.hook("claude", &payload(&env, "PostToolUseFailure", failed));
    bash(&env, "python3 -m unittest discover -s ok", UNITTEST);
    let told = claimed(&env);
    assert!(
        told.contains("`unittest` failed, and not all of it was run again since"),
        "{told}"
    );
    bash(&env, "python3 -m unittest -v", UNITTEST);
    let told = claimed(&env);
    assert!(!told.contains("unittest"), "{told}");
}

#[test]
fn a_settings_file_that_was_written_for_the_purpose_makes_what_runs_unknown() {
    let function = "python3() { echo; }\n";
    let untold = "what ran as the last `unittest` cannot be told";
    let env = worked("sh other.sh");
    env.write_file(".gitignore", ".venv/\nvenv/\n");
    let writes = |file: &str| {
        let call = json!({"tool_name": "Write", "tool_use_id": "toolu_2",
            "tool_input": {"file_path": file, "content": function}});
        let _ = env.hook("claude", &payload(&env, "PreToolUse", call.clone()));
        let mut ended = call;
        ended["tool_response"] = json!({"type": "create", "filePath": file, "content": function});
        std::fs::create_dir_all(Path::new(file).parent().unwrap()).unwrap();
        std::fs::write(file, function).unwrap();
        let _ = env.hook("claude", &payload(&env, "PostToolUse", ended));
    };
    // An environment whose interpreter is a real one.
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("sh"))
        .find(|file| file.is_file())
        .unwrap();
    for folder in ["venv/bin", ".venv/bin"] {
        env.write_file(format!("{folder}/activate"), "");
        std::fs::copy(&real, env.project().join(folder).join("python3")).unwrap();
    }
    bash(&env, "source venv/bin/activate && python3 -m unittest", UNITTEST);
    assert!(!claimed(&env).contains("unittest"));
    bash(&env, ". ~/.bashrc; python3 -m unittest", UNITTEST);
    assert!(!claimed(&env).contains("unittest"));
    bash(&env, "bash -lc 'python3 -m unittest'", UNITTEST);
    assert!(!claimed(&env).contains("unittest"));
    let goes_on = || {
        let _ = env.hook("claude", &prompt(&env, "Go on."));
    };
    // The file alone.
    goes_on();
    env.write_file("src/a.rs", "z\n");
    std::fs::remove_file(env.project().join("venv/bin/python3")).unwrap();
    bash(&env, "source venv/bin/activate && python3 -m unittest", UNITTEST);
    let told = claimed(&env);
    assert!(told.contains(untold), "{told}");
    // Written by a tool, whatever stands beside it.
    let home = env.home();
    for (file, line) in [
        (
            env.project().join(".venv/bin/activate"),
            "source .venv/bin/activate && python3 -m unittest",
        ),
        (home.join(".bashrc"), ". ~/.bashrc; python3 -m unittest"),
        (home.join(".bashrc"), "bash -ic 'python3 -m unittest'"),
        (home.join(".bash_profile"), "bash -lc 'python3 -m unittest'"),
        (
            home.join(".nvm/nvm.sh"),
            "source ~/.nvm/nvm.sh && python3 -m unittest",
        ),
    ] {
        goes_on();
        bash(&env, "python3 -m unittest", UNITTEST);
        let told = claimed(&env);
        assert!(
            told.contains("Not reviewed yet") && !told.contains("unittest"),
            "{line}: {told}"
        );
        writes(&file.to_string_lossy());
        env.write_file("src/a.rs", line);
        bash(&env, line, UNITTEST);
        let told = claimed(&env);
        assert!(told.contains(untold), "{line}: {told}");
    }
    // By a line, and named by one.
    for line in [
        "echo 'python3() { echo; }' > ~/.profile; . ~/.profile; python3 -m unittest",
        "bash --rcfile env.sh -ic 'python3 -m unittest'",
        "bash --init-file env.sh -i -c 'python3 -m unittest'",
        "HOME=/elsewhere bash -lc 'python3 -m unittest'",
    ] {
        goes_on();
        env.write_file("src/a.rs", line);
        bash(&env, line, UNITTEST);
        bash(&env, line, UNITTEST);
        let told = claimed(&env);
        assert!(told.contains(untold), "{line}: {told}");
    }
}

#[test]
fn a_search_path_that_the_line_changes_makes_a_run_of_proctor_s_own_no_evidence() {
    let mut env = worked("sh t.sh");
    env.write_file("t.sh", "exit 0\n");
    env.set_var("CLAUDECODE", "1");
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path().display().to_string();
    let ran = |line: &str| {
        let line = line.replace("PROCTOR", &env.program().to_string_lossy());
        let mut command = env.command("sh");
        command.args(["-c", &line]).current_dir(env.project());
        env.finish(&mut command, b"").exits(0).stderr()
    };
    for line in [
        format!("PATH={folder}:$PATH PROCTOR run-check -- sh t.sh"),
        format!("env PATH={folder}:$PATH PROCTOR run-check -- sh t.sh"),
        format!("export PATH={folder}:$PATH; PROCTOR run-check -- sh t.sh; exit $?"),
    ] {
        let told = ran(&line);
        assert!(told.contains("what ran cannot be told"), "{line}: {told}");
    }
    for line in [
        "PROCTOR run-check -- sh t.sh",
        "PATH=$PATH:/usr/bin PROCTOR run-check -- sh t.sh",
    ] {
        let told = ran(line);
        assert!(
            told.contains("recorded") && !told.contains("no evidence"),
            "{line}: {told}"
        );
    }
}
