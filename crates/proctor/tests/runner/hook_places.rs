//! `proctor hook claude` in every kind of place: no git, every state a repository can be in, and state
//! folders that cannot be written.

use crate::support::{environment, environment_without_git, payload, payloads, prompt, stop};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::path::Path;

/// A prompt with an outcome; anything but `src/lib.rs` is out of scope.
const TASK: &str =
    "Fix the parser.\n\nEXPECTED OUTCOME:\n- [ ] src/lib.rs parses an empty list\n\nFiles: src/lib.rs\n";

/// The end of a turn that names the item as done.
const DONE: &str = "src/lib.rs parses an empty list now.\n- [x] src/lib.rs parses an empty list\n";

fn with_cwd(mut payload: Value, folder: &Path) -> Value {
    payload["cwd"] = json!(folder);
    payload
}

/// Plays a session of two events in `folder` and returns what the second was answered; both must be
/// answered at all.
#[track_caller]
fn session_in(env: &TestEnvironment, folder: &Path, work: impl FnOnce()) -> Value {
    let call = |payload: Value| {
        let payload = with_cwd(payload, folder);
        let output = env.run_with(folder, &["hook", "claude"], payload.to_string().as_bytes());
        let answer = output.json();
        assert!(
            matches!(output.code(), Some(0 | 2)) && answer.is_object(),
            "\n{output}"
        );
        answer
    };
    call(prompt(env, TASK));
    work();
    call(stop(env, DONE))
}

/// Three files that the task does not name.
fn stray(folder: &Path) {
    std::fs::create_dir_all(folder.join("docs")).unwrap();
    for name in ["a.txt", "docs/b.md", "한글.rs"] {
        std::fs::write(folder.join(name), "stray\n").unwrap();
    }
}

#[track_caller]
fn names_the_strays(answer: &Value) {
    let text = answer.to_string();
    assert!(
        text.contains("a.txt") && text.contains("한글.rs"),
        "the stray files are not named: {text}"
    );
}

#[track_caller]
fn says_that_scope_could_not_run(answer: &Value) {
    assert_ne!(answer["decision"], "block", "{answer}");
    let told = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(
        told.contains("scope") && told.contains("could not run"),
        "{answer}"
    );
}

fn start(env: &TestEnvironment) {
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
}

#[test]
fn an_ordinary_repository() {
    let env = environment();
    start(&env);
    let folder = env.project();
    let answer = session_in(&env, &folder, || stray(&folder));
    names_the_strays(&answer);
}

/// What an agent may tell git to ignore does not hide it; the task of a session is what was there when it began.
#[test]
fn rules_of_what_to_ignore_do_not_hide_what_changed() {
    type Trick = fn(&TestEnvironment);
    let tricks: [(&str, Trick); 3] = [
        (".gitignore", |env| env.write_file(".gitignore", "*\n")),
        (".git/info/exclude", |env| {
            env.write_file(".git/info/exclude", "*\n")
        }),
        ("rules-of-mine", |env| {
            let own = env.root().join("rules-of-mine");
            std::fs::write(&own, "*\n").unwrap();
            env.git(&["config", "core.excludesFile", &own.to_string_lossy()]);
        }),
    ];
    for (name, trick) in tricks {
        let env = environment();
        start(&env);
        let folder = env.project();
        let answer = session_in(&env, &folder, || {
            trick(&env);
            stray(&folder);
        });
        names_the_strays(&answer);
        assert!(answer.to_string().contains(name), "{name}: {answer}");
    }
}

/// Git may be told that the work tree is elsewhere: policy, memory and work tree of the session stay.
#[test]
fn a_session_keeps_the_work_tree_that_it_began_in() {
    type Trick = fn(&TestEnvironment);
    let tricks: [Trick; 3] = [
        |env| {
            let elsewhere = env.root().join("elsewhere");
            std::fs::create_dir(&elsewhere).unwrap();
            drop(env.git(&["config", "core.worktree", &elsewhere.to_string_lossy()]));
        },
        |env| drop(env.git(&["config", "core.bare", "true"])),
        |env| drop(env.git_in(&env.project().join("src"), &["init", "--quiet"])),
    ];
    for (number, trick) in tricks.into_iter().enumerate() {
        let env = environment();
        env.write_file(".proctor/proctor.yaml", "version: 1\npreset: strict\n");
        start(&env);
        // The session begins in a folder below.
        let folder = env.project().join("src");
        let call = |payload: Value| {
            let payload = with_cwd(payload, &folder);
            let output = env.run_with(&folder, &["hook", "claude"], payload.to_string().as_bytes());
            output.json()
        };
        call(prompt(&env, TASK));
        trick(&env);
        stray(&env.project());
        let delegation = json!({"tool_name": "Agent", "tool_use_id": "t",
            "tool_input": {"description": "d", "prompt": "do it", "subagent_type": "general-purpose"}});
        let denied = call(payload(&env, "PreToolUse", delegation));
        assert_eq!(
            denied["hookSpecificOutput"]["permissionDecision"], "deny",
            "{number}: {denied}"
        );
        let answer = call(stop(&env, DONE));
        assert_eq!(answer["decision"], "block", "{number}: {answer}");
        names_the_strays(&answer);
        let told = answer["systemMessage"].as_str().unwrap_or_default();
        assert!(
            told.contains("git says that the work tree is"),
            "{number}: {answer}"
        );
    }
}

#[test]
fn no_git_at_all() {
    let env = environment_without_git();
    let folder = env.project();
    let answer = session_in(&env, &folder, || stray(&folder));
    // Without git nobody can tell what changed: that is said of the check, not of the work.
    assert!(!answer.to_string().contains("a.txt"), "{answer}");
    says_that_scope_could_not_run(&answer);
}

#[test]
fn git_is_not_installed() {
    let mut env = environment();
    start(&env);
    let tools = env.root().join("no-tools");
    std::fs::create_dir(&tools).unwrap();
    env.set_var("PATH", tools.to_string_lossy());
    let folder = env.project();
    let answer = session_in(&env, &folder, || stray(&folder));
    says_that_scope_could_not_run(&answer);
}

#[test]
fn a_repository_without_any_commit() {
    let env = environment();
    let folder = env.project();
    let answer = session_in(&env, &folder, || stray(&folder));
    names_the_strays(&answer);
}

#[test]
fn a_bare_repository() {
    let env = environment_without_git();
    env.git(&["init", "--quiet", "--bare", "."]);
    let folder = env.project();
    let answer = session_in(&env, &folder, || ());
    assert_ne!(answer["decision"], "block", "{answer}");
}

#[test]
fn a_detached_head() {
    let env = environment();
    start(&env);
    env.git(&["checkout", "--quiet", "--detach"]);
    let folder = env.project();
    let answer = session_in(&env, &folder, || {
        stray(&folder);
        env.commit_all("committed since the base counts too");
    });
    names_the_strays(&answer);
}

#[test]
fn a_worktree() {
    let env = environment();
    start(&env);
    let folder = env.root().join("second");
    env.git(&[
        "worktree",
        "add",
        "--quiet",
        "-b",
        "side",
        &folder.to_string_lossy(),
    ]);
    let answer = session_in(&env, &folder, || stray(&folder));
    names_the_strays(&answer);
    assert_eq!(
        env.git(&["status", "--porcelain"]),
        "",
        "the main worktree was written to"
    );
}

#[test]
fn a_submodule() {
    let env = environment();
    start(&env);
    let library = env.root().join("library");
    std::fs::create_dir(&library).unwrap();
    env.git_in(&library, &["init", "--quiet"]);
    std::fs::write(library.join("lib.c"), "int x;\n").unwrap();
    env.git_in(&library, &["add", "--all"]);
    env.git_in(&library, &["commit", "--quiet", "--message", "start"]);
    env.git(&["submodule", "--quiet", "add", &library.to_string_lossy(), "sub"]);
    env.commit_all("with a submodule");
    let inside = env.project().join("sub");
    let answer = session_in(&env, &inside, || stray(&inside));
    names_the_strays(&answer);
    let folder = env.project();
    // Seen from outside, the submodule is one changed path.
    let answer = session_in(&env, &folder, || stray(&inside.join("deeper")));
    assert!(answer.is_object());
}

#[test]
fn folders_inside_and_outside_the_repository() {
    let env = environment();
    start(&env);
    let inside = env.project().join("src");
    let answer = session_in(&env, &inside, || stray(&env.project()));
    names_the_strays(&answer);
    // The agent's working folder moves with `cd`, also to where there is no repository.
    session_in(&env, env.root(), || ());
}

#[test]
fn a_working_folder_that_is_gone_relative_or_a_file() {
    let env = environment();
    start(&env);
    for cwd in ["gone", "src/lib.rs", "/nonexistent/x", "", "."] {
        for payload in payloads(&env) {
            let output = env.hook("claude", &with_cwd(payload, Path::new(cwd)));
            assert!(
                output.json().is_object() && matches!(output.code(), Some(0 | 2)),
                "{cwd:?}\n{output}"
            );
        }
    }
}

/// Every event is answered although nothing can be stored; and nothing is said to be well.
#[track_caller]
fn answers_without_state(env: &TestEnvironment) {
    let mut told = String::new();
    for payload in payloads(env) {
        let output = env.hook("claude", &payload);
        assert!(
            output.json().is_object() && output.code() == Some(0),
            "\n{output}"
        );
        assert!(!output.stderr().contains("panicked"), "\n{output}");
        told.push_str(&output.stdout());
    }
    assert!(
        told.to_lowercase().contains("state"),
        "nobody is told that nothing is kept: {told}"
    );
}

#[test]
fn a_state_folder_that_is_a_file() {
    // Permissions would not do: tests may run as root, whom they do not bind.
    let env = environment();
    start(&env);
    env.write_file(env.state_home(), "not a folder\n");
    answers_without_state(&env);
}

#[test]
fn a_state_folder_below_a_file() {
    let mut env = environment();
    start(&env);
    env.set_var(
        "PROCTOR_STATE",
        env.project().join("src/lib.rs/state").to_string_lossy(),
    );
    answers_without_state(&env);
}

#[test]
fn a_state_folder_in_a_place_that_cannot_be_written() {
    let mut env = environment();
    start(&env);
    env.set_var("PROCTOR_STATE", "/proc/self/state");
    answers_without_state(&env);
}

/// A file system of 64 KiB that another file fills up to the last block.
#[test]
fn a_full_disk() {
    let mut env = environment();
    start(&env);
    let disk = env.root().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |args: &[&str]| env.finish(env.command("mount").args(args), b"").code();
    let target = disk.to_string_lossy().into_owned();
    if mount(&["-t", "tmpfs", "-o", "size=64k", "proctor-test", &target]) != Some(0) {
        // Only root may mount; the other cases of unwritable state do not need it.
        proctor_testkit::skip::not_permitted("hook_places::a_full_disk", "mounting a tmpfs is not permitted");
        return;
    }
    // Unmounted also when the test fails.
    let _guard = Unmount(target);
    let filled = std::fs::write(disk.join("filler"), vec![0; 1 << 20]);
    assert!(filled.is_err(), "the disk is not full");
    env.set_var("PROCTOR_STATE", disk.join("state").to_string_lossy());
    answers_without_state(&env);
}

/// A process that writes more than it may is ended by the system: nothing is written then.
#[test]
fn a_limit_of_the_size_of_files() {
    let env = environment();
    start(&env);
    let mut told = String::new();
    for payload in payloads(&env) {
        let mut limited = env.command("sh");
        let program = env!("CARGO_BIN_EXE_proctor");
        limited.args(["-c", "ulimit -f 0 && exec \"$0\" hook claude", program]);
        let output = env.finish(&mut limited, payload.to_string().as_bytes());
        assert!(
            output.json().is_object() && output.code() == Some(0),
            "\n{output}"
        );
        told.push_str(&output.stdout());
    }
    assert!(told.contains("files of at most 0 bytes"), "{told}");
}

struct Unmount(String);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

/// A record torn by a crash, and a snapshot that is no snapshot, cost nothing but themselves.
#[test]
fn broken_state_files() {
    let env = environment();
    start(&env);
    for payload in payloads(&env) {
        let _ = env.hook("claude", &payload).exits(0);
    }
    let mut files = Vec::new();
    let mut folders = vec![env.state_home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push(path)
            }
        }
    }
    assert!(!files.is_empty(), "a session leaves state");
    for damage in [&b""[..], b"\0\0\0\0\0\0", b"{\"torn\":", b"\xff\xff\n{}\n[]\n"] {
        for file in &files {
            let kept = std::fs::read(file).unwrap();
            let half = kept.get(..kept.len() / 2).unwrap_or_default();
            std::fs::write(file, [half, damage].concat()).unwrap();
        }
        for payload in payloads(&env) {
            let output = env.hook("claude", &payload);
            assert!(
                output.json().is_object() && matches!(output.code(), Some(0 | 2)),
                "{damage:?}\n{output}"
            );
        }
    }
    let denied = payload(
        &env,
        "PreToolUse",
        json!({"tool_name": "Read", "tool_use_id": "r",
        "tool_input": {"file_path": env.project().join("src/lib.rs")}}),
    );
    let answer = env.hook("claude", &denied).json();
    assert_ne!(
        answer["hookSpecificOutput"]["permissionDecision"], "deny",
        "reads are free: {answer}"
    );
}

/// Opening a pipe waits until somebody writes into it.
#[test]
fn records_that_are_pipes_are_not_waited_for() {
    let env = environment();
    for event in payloads(&env).into_iter().take(2) {
        assert_eq!(env.hook("claude", &event).code(), Some(0));
    }
    let pipes = std::process::Command::new("find")
        .arg(env.state_home())
        .args([
            "-type",
            "f",
            "-exec",
            "sh",
            "-c",
            "rm \"$1\"; mkfifo \"$1\"",
            "sh",
            "{}",
            ";",
        ])
        .status()
        .unwrap();
    assert!(pipes.success());
    for event in [
        prompt(&env, "Go on."),
        payload(&env, "SessionEnd", json!({"reason": "other"})),
    ] {
        let output = env.hook("claude", &event);
        assert!(output.wall() < std::time::Duration::from_secs(5), "{output}");
        assert!(output.json().is_object(), "{output}");
    }
}

/// What does not end holds no hook up for ever: it is answered before the host gives up, with what was waited for.
#[test]
fn an_event_is_answered_although_git_does_not_end() {
    let mut env = environment();
    let programs = env.root().join("slow");
    std::fs::create_dir(&programs).unwrap();
    let git = programs.join("git");
    std::fs::write(&git, "#!/bin/sh\nexec sleep 15\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&git, mode).unwrap();
    let old = std::env::var("PATH").unwrap_or_default();
    env.set_var("PATH", format!("{}:{old}", programs.display()));
    // The clone has no name yet, and git is to write it.
    let output = env.hook("claude", &payload(&env, "SessionEnd", json!({"reason": "other"})));
    assert!(output.wall() < std::time::Duration::from_secs(10), "{output}");
    let told = output.json()["systemMessage"].to_string();
    assert!(
        told.contains("it took longer than 6 s; `sleep 15` had not ended"),
        "{output}"
    );
}
