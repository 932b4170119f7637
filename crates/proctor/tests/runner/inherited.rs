//! What reviewers and checks inherit of the environment in which somebody asks for them.

use crate::support::environment;
use crate::verify::POLICY;
use proctor_testkit::TestEnvironment;
use std::os::unix::fs::PermissionsExt;

/// Variables by which others put code into what runs, and what it must have all the same.
fn surround(env: &mut TestEnvironment) {
    for name in INJECT {
        // No loader finds that file; some say so.
        env.set_var(name, "/nowhere/evil");
    }
    for name in KEPT {
        env.set_var(name, "kept");
    }
}

const INJECT: [&str; 14] = [
    "BASH_FUNC_git%%",
    "BUN_OPTIONS",
    "DENO_V8_FLAGS",
    "DYLD_INSERT_LIBRARIES",
    "GIT_EXTERNAL_DIFF",
    "LD_AUDIT",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5LIB",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYOPT",
    "npm_config_script_shell",
];

const KEPT: [&str; 3] = ["ANTHROPIC_API_KEY", "HTTPS_PROXY", "NODE_EXTRA_CA_CERTS"];

fn is_clean(seen: &str) {
    let has = |name: &str| seen.lines().any(|line| line.starts_with(&format!("{name}=")));
    for name in INJECT {
        assert!(!has(name), "{name} in\n{seen}");
    }
    for name in KEPT {
        assert!(has(name), "{name} is missing in\n{seen}");
    }
    assert!(has("PATH") && has("HOME"), "{seen}");
}

#[test]
fn a_reviewer_and_a_check_get_no_code_from_whoever_asks_for_them() {
    let mut env = environment();
    let (seen, script) = (env.root().join("seen"), env.root().join("reviewer.sh"));
    env.write_file(".proctor/proctor.yaml", POLICY);
    env.write_file(
        "check.sh",
        format!("env > {}.check\necho checked\n", seen.display()),
    );
    env.commit_all("start");
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let answer = r#"{"type":"result","is_error":false,"terminal_reason":"completed","result":"{\"verdict\": \"approve\", \"summary\": \"read\"}"}"#;
    let text = format!(
        "#!/bin/sh\ncat > /dev/null\nenv > {}\ncat <<'EOF'\n{answer}\nEOF\n",
        seen.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    surround(&mut env);
    let _ = env
        .run(&["review", "run", "--program", &script.to_string_lossy()])
        .exits(0);
    is_clean(&std::fs::read_to_string(&seen).unwrap());
    let _ = env.git(&["add", "-A"]);
    let _ = env.git(&["commit", "-q", "-m", "renamed"]);
    let _ = env.run(&["verify", "--rerun", "--json"]).exits(0);
    is_clean(&std::fs::read_to_string(format!("{}.check", seen.display())).unwrap());
}
