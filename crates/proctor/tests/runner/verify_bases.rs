//! `proctor verify`: what a commit is compared with, where that is not at hand or not what it seems.

use crate::support::environment;
use crate::verify::{NOW, POLICY, approve, checked, codes, release};
use proctor_testkit::TestEnvironment;
use std::path::{Path, PathBuf};

fn path(p: &Path) -> String {
    p.to_string_lossy().into_owned()
}

/// Pushes what is committed to a new remote.
fn published(env: &TestEnvironment) -> PathBuf {
    let remote = env.root().join("remote.git");
    env.git(&["init", "-q", "--bare", &path(&remote)]);
    env.git(&["remote", "add", "origin", &path(&remote)]);
    env.git(&["push", "-q", "origin", "HEAD:main"]);
    remote
}

/// What `verify --pre-push origin` says of one line of git's.
fn pushed(env: &TestEnvironment, line: &str) -> (Option<i32>, Vec<String>) {
    let mut command = env.command(env.program());
    command.args(["verify", "--json", "--pre-push", "origin"]);
    let done = env.finish(&mut command, line.as_bytes());
    let reports = done.data();
    let reasons = reports.as_array().into_iter().flatten();
    let codes = reasons
        .flat_map(|r| r["reasons"].as_array().unwrap().clone())
        .map(|r| r["code"].as_str().unwrap().to_owned());
    (done.code(), codes.collect())
}

#[test]
fn of_a_part_of_the_history_nothing_is_told() {
    let env = checked(POLICY);
    std::fs::remove_file(env.project().join(".proctor/proctor.yaml")).unwrap();
    env.commit_all("renamed, without a policy");
    let remote = published(&env);
    let far = env.root().join("shallow");
    let url = format!("file://{}", path(&remote));
    env.git(&["clone", "-q", "--depth=1", "-b", "main", &url, &path(&far)]);
    let shallow = env.run_with(&far, &["verify"], b"").exits(3);
    assert!(shallow.stdout().contains("fetch-depth: 0"), "{shallow}");
    env.git_in(&far, &["fetch", "-q", "--unshallow"]);
    let _ = env.run_with(&far, &["verify"], b"").exits(1);
    // Without a main branch of the remote only the last commit is compared.
    env.git_in(&far, &["remote", "set-head", "origin", "--delete"]);
    env.git_in(&far, &["update-ref", "-d", "refs/remotes/origin/main"]);
    env.git_in(&far, &["commit", "-q", "--allow-empty", "-m", "nothing"]);
    let alone = env.run_with(&far, &["verify"], b"").exits(0);
    assert!(alone.stdout().contains("note: no main branch"), "{alone}");
    let ci = |args: &[&str]| {
        let mut command = env.command(env.program());
        command.args(args).current_dir(&far).env("CI", "true");
        env.finish(&mut command, b"")
    };
    let answer = ci(&["verify", "--json"]).exits(3).data();
    assert_eq!(answer["reasons"][0]["code"], "base_unknown", "{answer}");
    let _ = ci(&["verify", "--range", "HEAD~2..HEAD"]).exits(1);
}

#[test]
fn a_policy_that_is_a_link_is_not_none() {
    let env = checked(POLICY);
    env.write_file("policy.yaml", POLICY);
    std::fs::remove_file(env.project().join(".proctor/proctor.yaml")).unwrap();
    std::os::unix::fs::symlink("../policy.yaml", env.project().join(".proctor/proctor.yaml")).unwrap();
    env.commit_all("a link");
    // It takes nothing away from the base's.
    let found = codes(&env, &[], 1);
    assert!(found.contains(&"policy_unknown".to_owned()), "{found:?}");
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    env.commit_all("on top of it");
    let found = codes(&env, &[], 3);
    assert!(found.contains(&"policy_unknown".to_owned()), "{found:?}");
    // Nor does a folder that is a link.
    env.git(&["rm", "-rq", "--cached", ".proctor"]);
    std::fs::rename(env.project().join(".proctor"), env.project().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", env.project().join(".proctor")).unwrap();
    env.git(&["add", "-A"]);
    env.git(&["commit", "-q", "-m", "a linked folder"]);
    env.write_file("src/lib.rs", "pub fn a() {}\n");
    env.git(&["add", "src"]);
    env.git(&["commit", "-q", "-m", "on top of it"]);
    let found = codes(&env, &[], 3);
    assert!(found.contains(&"policy_unknown".to_owned()), "{found:?}");
}

#[test]
fn files_of_ours_are_seen_though_they_are_no_part_of_the_tree() {
    let env = checked(POLICY);
    env.write_file(".proctor/corpus/response.jsonl", "{}\n");
    env.commit_all("renamed, and a case of the corpus");
    approve(&env, None, 100);
    assert_eq!(codes(&env, &[], 0)[0], "approved");
    env.write_file(".proctor/more.rs", "pub fn more() {}\n");
    env.commit_all("beside the tree");
    assert_eq!(codes(&env, &["--range", "HEAD~2..HEAD"], 4)[0], "beside_the_tree");
    let found = codes(&env, &[], 4);
    assert_eq!(found[0], "beside_the_tree", "{found:?}");
    release(&env, 200);
    assert_eq!(codes(&env, &["--range", "HEAD~2..HEAD"], 0)[0], "approved");
}

#[test]
fn a_release_travels_in_a_file_too() {
    let env = environment().with_real_clock();
    env.write_file(
        ".proctor/proctor.yaml",
        POLICY.split("verification").next().unwrap(),
    );
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    env.commit_all("renamed");
    release(&env, NOW);
    let file = path(&env.root().join("statements.jsonl"));
    let _ = env.run(&["verify", "--export", &file]).exits(0);
    let far = env.root().join("far");
    env.git(&["clone", "-q", &path(&env.project()), &path(&far)]);
    let there = |args: &[&str]| env.run_with(&far, args, b"");
    let _ = there(&["verify"]).exits(1);
    let _ = there(&["verify", "--import", &file]).exits(0);
    // A claim like any other.
    let answer = there(&["verify", "--json"]).exits(4).data();
    assert_eq!(answer["approval"]["what"], "release", "{answer}");
    assert_eq!(answer["approval"]["origin"], "file", "{answer}");
}

#[test]
fn a_push_that_takes_commits_away_is_a_change() {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("before there was a policy");
    env.write_file(".proctor/proctor.yaml", POLICY);
    env.write_file("check.sh", "echo checked\n");
    env.commit_all("a policy");
    let _ = published(&env);
    let oid = |rev: &str| env.git(&["rev-parse", rev]).trim().to_owned();
    let (new, old) = (oid("HEAD"), oid("HEAD~1"));
    let (code, found) = pushed(&env, &format!("refs/heads/main {old} refs/heads/main {new}\n"));
    assert_eq!(code, Some(1), "{found:?}");
    assert!(
        found.contains(&"not_approved".to_owned()) && found.contains(&"policy_looser".to_owned()),
        "{found:?}"
    );
    // A branch is a proposal for main, whatever the remote has of it, and under main's policy.
    env.git(&["checkout", "-q", "-b", "topic", &old]);
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    env.commit_all("renamed");
    let topic = oid("HEAD");
    let (code, found) = pushed(
        &env,
        &format!("refs/heads/topic {topic} refs/heads/topic {old}\n"),
    );
    assert_eq!((code, found[0].as_str()), (Some(1), "not_approved"), "{found:?}");
    // Nothing of it is missing in main.
    let (code, found) = pushed(
        &env,
        &format!("refs/heads/topic {old} refs/heads/topic {topic}\n"),
    );
    assert_eq!((code, found[0].as_str()), (Some(0), "unchanged"), "{found:?}");
}

#[test]
fn what_is_pushed_may_be_named_with_blanks() {
    let env = checked(POLICY);
    let _ = published(&env);
    env.commit_all("renamed");
    approve(&env, None, 100);
    let oid = |rev: &str| env.git(&["rev-parse", rev]).trim().to_owned();
    let (new, old) = (oid("HEAD"), oid("HEAD~1"));
    let (code, found) = pushed(&env, &format!("HEAD@{{1 day ago}} {new} refs/heads/main {old}\n"));
    assert_eq!(code, Some(0), "{found:?}");
}

#[test]
fn a_hook_that_git_does_not_run_is_told() {
    let env = checked(POLICY);
    let hook = env.project().join(".git/hooks/pre-push");
    env.write_file(&hook, "#!/bin/sh\nexit 0\n");
    let refused = env.run(&["init", "--pre-push"]).exits(2);
    assert!(refused.stderr().contains("not executable"), "{refused}");
    assert_eq!(env.read_file(&hook), "#!/bin/sh\nexit 0\n");
}
