//! `proctor verify` and what travels: records over a remote, statements in files, pushes through git's hook, CI.

use crate::conformance_proof::{at_a_terminal, own_policy};
use crate::support::{environment, stop};
use crate::verify::{Key, NOW, POLICY, approve, changed, changed_in, checked};
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn a_commit_on_top_does_not_hide_what_was_let_go_below() {
    // The other clone knows by the log alone, and only of the very tree.
    let policy =
        "version: 1\nenforcement: { budget: { review_attempts: 1 }, approval: { require: changes } }\n";
    let env = changed_in(environment().with_real_clock(), policy);
    let path = |p: &Path| p.to_string_lossy().into_owned();
    let remote = env.root().join("remote.git");
    env.git(&["init", "-q", "--bare", &path(&remote)]);
    env.git(&["remote", "add", "origin", &path(&remote)]);
    env.git(&["push", "-q", "origin", "HEAD:main"]);
    env.git(&["checkout", "-q", "-b", "topic"]);
    for _ in 0..3 {
        let _ = env.hook("claude", &stop(&env, "x is now y."));
    }
    env.commit_all("renamed");
    env.write_file("notes.txt", "x\n");
    env.commit_all("notes");
    let _ = env.run(&["sync"]).exits(0);
    env.git(&["push", "-q", "origin", "topic"]);
    let far = env.root().join("elsewhere");
    env.git(&["clone", "-q", "-b", "topic", &path(&remote), &path(&far)]);
    let there = |args: &[&str]| env.run_with(&far, args, b"");
    let _ = there(&["sync", "--fetch"]).exits(0);
    for args in [
        &["verify", "--json"][..],
        &["verify", "--json", "--range", "origin/main..topic"],
    ] {
        let answer = there(args).exits(4).data();
        assert_eq!(answer["reasons"][0]["code"], "escalated", "{answer}");
        assert_eq!(answer["commits"][1]["standing"], "escalated", "{answer}");
    }
}

#[test]
fn over_a_remote_approvals_are_claims_until_checks_are_run_again() {
    // Records that were made under a test's clock do not travel.
    let env = changed_in(environment().with_real_clock(), POLICY);
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let alice = Key::new(&env, "alice");
    let remote = env.root().join("remote.git");
    let far = env.root().join("elsewhere");
    let path = |p: &Path| p.to_string_lossy().into_owned();
    env.git(&["init", "-q", "--bare", &path(&remote)]);
    env.git(&["remote", "add", "origin", &path(&remote)]);
    env.git(&["push", "-q", "origin", "HEAD:main"]);
    env.git(&["checkout", "-q", "-b", "topic"]);
    env.commit_all("renamed");
    approve(&env, None, NOW);
    let _ = env.run(&["sync"]).exits(0);
    env.git(&["push", "-q", "origin", "topic"]);
    env.git(&["clone", "-q", "-b", "topic", &path(&remote), &path(&far)]);

    let ci = |args: &[&str]| {
        let mut command = env.command(env.program());
        command.args(args).current_dir(&far).env("CI", "true");
        env.finish(&mut command, b"")
    };
    let range = ["verify", "--range", "origin/main..HEAD"];
    let mut filters = insta::Settings::clone_current();
    filters.add_filter("as the clone [0-9a-z]+ says", "as the clone ID says");
    filters.add_filter("\\b[0-9a-f]{12}\\b", "COMMIT");
    let _filters = filters.bind_to_scope();
    assert_snapshot!("verify_ci_without_sync", ci(&range).exits(1));
    let _ = ci(&["sync", "--fetch"]).exits(0);
    assert_snapshot!("verify_ci_with_rerun", ci(&range).exits(0));
    assert_snapshot!(
        "verify_ci_without_rerun",
        ci(&[&range[..], &["--no-rerun"]].concat()).exits(4)
    );
    // Signed it is more than a claim, also without a run.
    approve(&env, Some(&alice), NOW);
    let _ = env.run(&["sync"]).exits(0);
    let _ = ci(&["sync", "--fetch"]).exits(0);
    let list = env.root().join("signers");
    std::fs::write(&list, alice.line("alice@example.invalid")).unwrap();
    let list = path(&list);
    let signed = [&range[..], &["--no-rerun", "--signers", &list]].concat();
    assert_snapshot!("verify_ci_signed", ci(&signed).exits(0));

    // Statements go the same way without a log: out of one clone, into another.
    let file = path(&env.root().join("statements.jsonl"));
    let _ = env
        .run(&["verify", "--export", &file, "--sign", "--key", &path(&alice.0)])
        .exits(0);
    let lines = std::fs::read_to_string(&file).unwrap();
    let mut filters = insta::Settings::clone_current();
    filters.add_filter("[0-9a-f]{40}", "OID");
    filters.add_filter("\\b[0-9A-Z]{26}\\b", "ID");
    filters.add_filter("\"at\":[0-9]+", "\"at\":0");
    filters.add_filter("[0-9a-f]{32}", "DIGEST");
    filters.add_filter("\"(armour|statement)\":\"(\\\\.|[^\"\\\\])*\"", "\"$1\":\"…\"");
    filters.bind(|| assert_snapshot!("verify_statements", lines));
    let third = env.root().join("third");
    env.git(&["clone", "-q", "-b", "topic", &path(&remote), &path(&third)]);
    let there = |args: &[&str]| env.run_with(&third, args, b"");
    let taken = there(&["verify", "--import", &file, "--signers", &list]).exits(0);
    assert!(taken.stdout().contains("signature: valid"), "{taken}");
    let answer = there(&["verify", "--json", "--signers", &list]).exits(0).data();
    assert_eq!(answer["approval"]["origin"], "file", "{answer}");
    assert_eq!(answer["axes"]["signature"], "valid");
    // Without the list it is a claim like any other.
    let answer = there(&["verify", "--json"]).exits(4).data();
    assert_eq!(answer["axes"]["signature"], "no_signers", "{answer}");
    assert_eq!(answer["axes"]["trust"], "claimed", "{answer}");
    let other = there(&["verify", "origin/main", "--import", &file]).exits(2);
    assert!(other.stderr().contains("it is about the tree"), "{other}");
    // The same content in another repository: what was signed was not this.
    let copy = env.root().join("copy");
    std::fs::create_dir(&copy).unwrap();
    env.git_in(&copy, &["init", "-q"]);
    for name in [".proctor/proctor.yaml", "check.sh", "src/lib.rs"] {
        env.write_file(copy.join(name), env.read_file(far.join(name)));
    }
    env.git_in(&copy, &["add", "-A"]);
    env.git_in(&copy, &["commit", "-q", "-m", "all at once"]);
    let at_copy = |args: &[&str]| env.run_with(&copy, args, b"");
    let _ = at_copy(&["verify", "--import", &file, "--signers", &list]).exits(0);
    let answer = at_copy(&["verify", "--json", "--signers", &list]).exits(1).data();
    assert_eq!(answer["axes"]["signature"], "invalid", "{answer}");
    std::fs::write(&file, lines.replace("PASSED", "FAILED")).unwrap();
    let altered = there(&["verify", "--import", &file, "--signers", &list]).exits(2);
    assert!(
        altered.stderr().contains("signature of the file is no good"),
        "{altered}"
    );
}

#[test]
fn a_claim_brings_no_looser_policy_along() {
    let env = changed_in(environment().with_real_clock(), POLICY);
    let remote = env.root().join("remote.git");
    let far = env.root().join("elsewhere");
    let path = |p: &Path| p.to_string_lossy().into_owned();
    env.git(&["init", "-q", "--bare", &path(&remote)]);
    env.git(&["remote", "add", "origin", &path(&remote)]);
    env.git(&["push", "-q", "origin", "HEAD:main"]);
    env.git(&["checkout", "-q", "-b", "topic"]);
    env.write_file(
        ".proctor/proctor.yaml",
        POLICY.replace("sh check.sh", "echo checked"),
    );
    // What the base asks for is asked for here as well.
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    let _ = env.run(&["run-check", "--", "echo", "checked"]).exits(0);
    env.commit_all("renamed, and another check");
    approve(&env, None, NOW);
    // Here the approval was seen.
    let _ = env.run(&["verify", "--range", "origin/main..HEAD"]).exits(0);
    let _ = env.run(&["sync"]).exits(0);
    env.git(&["push", "-q", "origin", "topic"]);
    env.git(&["clone", "-q", "-b", "topic", &path(&remote), &path(&far)]);
    let ci = |args: &[&str]| {
        let mut command = env.command(env.program());
        command.args(args).current_dir(&far).env("CI", "true");
        env.finish(&mut command, b"")
    };
    let _ = ci(&["sync", "--fetch"]).exits(0);
    let found = ci(&["verify", "--json", "--range", "origin/main..HEAD"]);
    let answer = found.data();
    assert_ne!(found.code(), Some(0), "{answer}");
    let reasons = answer["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|r| r["code"] == "policy_looser"), "{answer}");
    // The base's own check ran.
    let checks = answer["checks"].as_array().unwrap();
    assert!(checks.iter().any(|c| c["run"] == "sh check.sh"), "{answer}");
}

#[test]
fn the_command_signs_with_the_user_s_key() {
    let env = checked(POLICY);
    let alice = Key::new(&env, "alice");
    let none = env.run(&["review", "approve", "--sign"]).exits(2);
    assert!(none.stderr().contains("no key to sign with"), "{none}");
    env.git(&["config", "user.signingkey", &alice.0.to_string_lossy()]);
    // Here stands no terminal, so it approves nothing; it is signed all the same.
    let signed = env
        .run(&["review", "approve", "--sign", "-m", "fine", "--json"])
        .exits(4);
    let signature = signed.data()["verdict"]["signature"].clone();
    let statement: Value = serde_json::from_str(signature["statement"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&statement["what"], &statement["reason"], &statement["round"]),
        (&json!("approval"), &json!("fine"), &json!(1)),
        "{statement}"
    );
    let armour = signature["armour"].as_str().unwrap();
    assert!(armour.starts_with("-----BEGIN SSH SIGNATURE-----"), "{armour}");
}

#[test]
fn a_release_that_is_not_signed_as_asked_lets_nothing_go() {
    let env = checked(POLICY);
    let (alice, stranger) = (Key::new(&env, "alice"), Key::new(&env, "stranger"));
    env.write_file(
        env.home().join(".config/proctor/allowed_signers"),
        alice.line("kim@example.invalid"),
    );
    own_policy(
        &env,
        "version: 1\nenforcement: { approval: { require: changes, signed: true, signers: allowed_signers } }\n",
    );
    let release = ["review", "release", "--reason", "demo"];
    let signed_by = |key: &Key| {
        let file = key.0.to_string_lossy().into_owned();
        at_a_terminal(&env, &[&release[..], &["--sign", "--key", &file]].concat())
    };
    let (code, said) = at_a_terminal(&env, &release);
    assert!(
        code == 4 && said.contains("lets nothing go: the policy asks for a signature"),
        "{said}"
    );
    let (code, said) = signed_by(&stranger);
    assert!(
        code == 4 && said.contains("by no key of the allowed signers"),
        "{said}"
    );
    let check = || env.run(&["review", "check"]).stdout().to_owned();
    assert!(!check().contains("released"), "{}", check());
    let (code, said) = signed_by(&alice);
    assert!(code == 0 && said.contains("released for 24 hours"), "{said}");
    assert!(check().contains("released"), "{}", check());
}

#[test]
fn pushes_are_verified_by_the_hook() {
    let env = checked(POLICY);
    let remote = env.root().join("remote.git");
    env.git(&["init", "-q", "--bare", &remote.to_string_lossy()]);
    env.git(&["remote", "add", "origin", &remote.to_string_lossy()]);
    env.git(&["push", "-q", "origin", "HEAD:main"]);
    // Somebody's own hook reads the same lines afterwards.
    let hook = env.project().join(".git/hooks/pre-push");
    env.write_file(&hook, "#!/bin/sh\ncat > \"$PWD/../seen\"\n");
    let mut mode = std::fs::metadata(&hook).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&hook, mode).unwrap();
    let program = env.program().to_string_lossy().into_owned();
    let mut filters = insta::Settings::clone_current();
    filters.add_filter(&program.replace('.', "\\."), "PROCTOR");
    let _filters = filters.bind_to_scope();
    assert_snapshot!(
        "init_pre_push_dry_run",
        env.run(&["init", "--pre-push", "--dry-run"])
    );
    assert_snapshot!("init_pre_push", env.run(&["init", "--pre-push"]));
    let _ = env.run(&["init", "--pre-push"]).exits(0);

    env.commit_all("renamed");
    let push = |refspec: &str| {
        let mut command = env.command("git");
        command.args(["push", "-q", "origin", refspec]);
        env.finish(&mut command, b"")
    };
    let refused = push("HEAD:main");
    assert_ne!(refused.code(), Some(0), "{refused}");
    assert!(
        refused.to_string().contains("nobody approved this tree"),
        "{refused}"
    );
    assert!(!env.root().join("seen").exists(), "the other hook comes second");
    assert_ne!(
        push("HEAD:refs/heads/topic").code(),
        Some(0),
        "nor as a new branch"
    );
    approve(&env, None, 100);
    let _ = push("HEAD:main").exits(0);
    let seen = std::fs::read_to_string(env.root().join("seen")).unwrap();
    let head = env.git(&["rev-parse", "HEAD"]);
    assert!(
        seen.contains(head.trim()) && seen.contains("refs/heads/main"),
        "{seen}"
    );
    // What the remote has already, a deletion, and our own records pass.
    let _ = push("HEAD:refs/heads/topic").exits(0);
    let _ = push(":refs/heads/topic").exits(0);
    let _ = env.run(&["sync"]).exits(0);

    assert_snapshot!("uninstall_pre_push", env.run(&["uninstall", "--pre-push"]));
    assert_eq!(env.read_file(&hook), "#!/bin/sh\ncat > \"$PWD/../seen\"\n");
    assert!(
        !hook.with_extension("before-proctor").exists(),
        "nothing is left behind"
    );
}

#[test]
fn the_hook_goes_where_git_looks_for_it() {
    let env = changed(POLICY);
    env.git(&["config", "core.hooksPath", "hooks"]);
    let _ = env.run(&["init", "--pre-push"]).exits(0);
    assert!(env.project().join("hooks/pre-push").exists());
    assert!(!env.project().join(".git/hooks/pre-push").exists());
    let _ = env.run(&["uninstall", "--pre-push"]).exits(0);
    assert!(!env.project().join("hooks/pre-push").exists());
    let shared = env.home().join("hooks");
    env.git(&["config", "core.hooksPath", &shared.to_string_lossy()]);
    let refused = env.run(&["init", "--pre-push"]).exits(2);
    assert!(
        refused.stderr().contains("serves other repositories"),
        "{refused}"
    );
    let _ = env.run(&["init", "--pre-push", "--scope", "user"]).exits(0);
    assert!(shared.join("pre-push").exists());
}

#[test]
fn a_workflow_for_ci() {
    let env = changed(POLICY);
    let none = env.run(&["init", "--ci", "github"]).exits(2);
    assert!(none.stderr().contains("pinned version"), "{none}");
    let source = "https://example.org/proctor.git#0123456789abcdef0123456789abcdef01234567";
    let init = ["init", "--ci", "github", "--source", source];
    assert_snapshot!("init_ci_dry_run", env.run(&[&init[..], &["--dry-run"]].concat()));
    let file = ".github/workflows/proctor.yml";
    assert!(!env.project().join(file).exists());
    let _ = env.run(&init).exits(0);
    assert!(!env.project().join(".claude").exists(), "only what was asked for");
    let _ = env.run(&["uninstall", "--ci", "github"]).exits(0);
    assert!(!env.project().join(file).exists());
    env.write_file(file, "name: theirs\n");
    let _ = env.run(&init).exits(2);
    let _ = env.run(&["uninstall", "--ci", "github"]).exits(2);
    assert_eq!(env.read_file(file), "name: theirs\n");
}
