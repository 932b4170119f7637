//! What the conformance tests share: Proctor installed as a user would, and the model's part.

use crate::support::environment;
use proctor_testkit::TestEnvironment;
use proctor_testkit::claude::{Claude, ready_or_skip};
use proctor_testkit::model::{Script, Turn};
use serde_json::{Value, json};

/// An environment with Proctor installed into the project's settings as a user would, and this policy.
pub(crate) fn held(policy: &str) -> TestEnvironment {
    let env = environment().with_real_clock();
    env.write_file("README.md", "A throw-away project.\n");
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    install(&env, policy);
    env
}

pub(crate) fn install(env: &TestEnvironment, policy: &str) {
    env.write_file(".proctor/proctor.yaml", format!("version: 1\n{policy}"));
    let _ = env.run(&["init", "--host", "claude"]).exits(0);
    let _ = env.run(&["config", "validate"]).exits(0);
    env.commit_all("start");
}

/// Writes one line of a file of the project, as the model's `Write` call wants it.
pub(crate) fn write(env: &TestEnvironment, name: &str) -> Value {
    json!({"file_path": env.project().join(name), "content": "one line\n"})
}

/// A command for the host's shell.
pub(crate) fn bash(command: &str) -> Value {
    json!({"command": command, "description": "run it"})
}

/// A worker that writes docs/usage.md and then runs the check, as a script begins.
pub(crate) fn written_and_checked(env: &TestEnvironment) -> Script {
    Script::new()
        .turn(Turn::say("I write it.").call("Write", write(env, "docs/usage.md")))
        .turn(
            Turn::say("I check it.")
                .call("Bash", bash("sh check.sh"))
                .after("File created"),
        )
}

/// A call of the tool that starts a subagent; the parent waits for its answer.
pub(crate) fn delegate(prompt: &str) -> Value {
    json!({"description": "sub job", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false})
}

/// A delegation with all six sections; `mark` tells the fake model which subagent is speaking.
pub(crate) fn six_sections(mark: &str) -> String {
    format!(
        "{mark}\n\nTASK: Read src/lib.rs and say what parse() does.\n\nEXPECTED OUTCOME:\n- [ ] what parse() returns\n\n\
         REQUIRED TOOLS: Read\n\nMUST DO:\n- name the line\n\nMUST NOT DO:\n- change any file\n\nCONTEXT: the file has one line.\n"
    )
}

/// The decisions that Proctor recorded for the project, newest last.
pub(crate) fn decisions(env: &TestEnvironment) -> Value {
    env.run(&["stats", "--recent", "50", "--json"]).exits(0).data()
}

/// What `verify` says of a commit that holds what is there now.
#[track_caller]
pub(crate) fn verified(env: &TestEnvironment, code: i32) -> Value {
    if !env.git(&["status", "--porcelain"]).is_empty() {
        env.commit_all("what is there");
    }
    env.run(&["verify", "--json"]).exits(code).data()
}

pub(crate) fn cli(test: &str) -> Option<Claude> {
    ready_or_skip(&format!("conformance::{test}"))
}

/// The prompt of the tests about open items.
pub(crate) const TWO_ITEMS: &str = "Improve the project.\n\nEXPECTED OUTCOME:\n- [ ] docs/usage.md explains parse()\n- [ ] NOTES.md lists the limits\n";

/// Installs with a copy of the program that the test may then break.
pub(crate) fn held_by_a_copy(policy: &str) -> (TestEnvironment, std::path::PathBuf) {
    let env = environment().with_real_clock();
    env.write_file("src/lib.rs", "pub fn parse() {}\n");
    env.write_file(".proctor/proctor.yaml", format!("version: 1\n{policy}"));
    let copy = env.root().join("bin/proctor");
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    std::fs::copy(env.program(), &copy).unwrap();
    let _ = env
        .run(&["init", "--host", "claude", "--program", &copy.to_string_lossy()])
        .exits(0);
    env.commit_all("start");
    (env, copy)
}
