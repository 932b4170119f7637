//! `proctor verify`: whole answers in the states that a commit can be in, the way over a remote, and pushes.

use crate::support::{environment, payload, prompt, stop};
use insta::assert_snapshot;
use proctor_engine::review::{Judgement, Party, PartyKind, Release, ReviewVerdict, Signature, Taken};
use proctor_engine::{Clock, Engine, Surroundings, SystemClock};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const POLICY: &str = "version: 1\nenforcement: { approval: { require: changes } }\nverification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";

/// A clock for records that the tests make themselves; without a time the real one, as records that travel need.
struct At(Option<u64>);

impl Clock for At {
    fn now(&self) -> u64 {
        self.0.unwrap_or_else(|| SystemClock::new().now())
    }

    fn micros(&self) -> u64 {
        0
    }

    fn random(&self) -> [u8; 10] {
        self.0.map_or_else(|| SystemClock::new().random(), |_| [9; 10])
    }

    fn is_test(&self) -> bool {
        self.0.is_some()
    }
}

/// Instead of seconds after the beginning of a test: the real time.
const NOW: u64 = u64::MAX;

/// What a person at a terminal does; a test has none.
fn engine(env: &TestEnvironment, folder: &Path, seconds: u64) -> Engine<At> {
    let surroundings = Surroundings {
        cwd: folder.to_owned(),
        state_home: env.state_home().join("proctor"),
        user_policy: Some(env.home().join(".config/proctor/proctor.yaml")),
        ..Surroundings::default()
    };
    let at = (seconds != NOW).then(|| proctor_testkit::env::CLOCK_MILLIS + seconds * 1_000);
    Engine::open(surroundings, At(at))
}

fn human() -> Party {
    Party {
        kind: PartyKind::Human,
        name: Some("alice".to_owned()),
        ..Party::default()
    }
}

/// A person approves the work tree as it is.
fn approve(env: &TestEnvironment, key: Option<&Key>, seconds: u64) {
    approve_as(env, human(), key, seconds);
}

fn approve_as(env: &TestEnvironment, reviewer: Party, key: Option<&Key>, seconds: u64) {
    let mut engine = engine(env, &env.project(), seconds);
    let review = engine.request_review(None).unwrap().id;
    let judgement = Judgement {
        verdict: ReviewVerdict::Approve,
        words: "read it".to_owned(),
        findings: Vec::new(),
        reviewer,
        tree: None,
    };
    let taken = match key {
        Some(key) => engine.judge_signed(&review, judgement, Some(&|text| Ok(key.sign(text)))),
        None => engine.judge(&review, judgement),
    };
    assert!(matches!(taken.unwrap(), Taken::Stands(_)));
}

/// A person lets the work tree go as it is, for an hour.
fn release(env: &TestEnvironment, seconds: u64) {
    let mut engine = engine(env, &env.project(), seconds);
    let at = engine.clock().now();
    let release = Release {
        by: human(),
        reason: "the demonstration is today".to_owned(),
        tree: engine.tree().unwrap(),
        session: None,
        at,
        until: at + 3_600_000,
        policy: None,
        record: None,
        signature: None,
    };
    engine.release(release, None).unwrap();
}

/// An SSH key.
struct Key(PathBuf);

impl Key {
    fn new(env: &TestEnvironment, name: &str) -> Self {
        let file = env.root().join(name);
        let made = env
            .command("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"])
            .arg(&file)
            .status()
            .unwrap();
        assert!(made.success());
        Self(file)
    }

    fn sign(&self, text: &str) -> Signature {
        let folder = self.0.parent().unwrap();
        let message = folder.join("message");
        std::fs::write(&message, text).unwrap();
        let signature = folder.join("message.sig");
        let _ = std::fs::remove_file(&signature);
        let made = std::process::Command::new("ssh-keygen")
            .args(["-q", "-Y", "sign", "-n", "proctor", "-f"])
            .args([&self.0, &message])
            .status()
            .unwrap();
        assert!(made.success());
        Signature {
            signer: String::new(),
            statement: text.to_owned(),
            armour: std::fs::read_to_string(signature).unwrap(),
        }
    }

    /// Its line in a list of allowed signers.
    fn line(&self, who: &str) -> String {
        let public = std::fs::read_to_string(self.0.with_extension("pub")).unwrap();
        format!("{who} {public}")
    }
}

/// A repository with a policy and a first commit, and a change that is not committed.
fn changed(policy: &str) -> TestEnvironment {
    changed_in(environment(), policy)
}

fn changed_in(env: TestEnvironment, policy: &str) -> TestEnvironment {
    env.write_file(".proctor/proctor.yaml", policy);
    env.write_file("check.sh", "echo checked\n");
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("start");
    let _ = env.hook(
        "claude",
        &payload(&env, "SessionStart", json!({"source": "startup"})),
    );
    let _ = env.hook("claude", &prompt(&env, "Rename x to y."));
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    env
}

/// The same, checked, and committed at the end.
fn checked(policy: &str) -> TestEnvironment {
    let env = changed(policy);
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    env
}

/// The whole answer, twice: in words, and its axes.
fn answer(env: &TestEnvironment, args: &[&str]) -> String {
    let words = env.run(&[&["verify"], args].concat());
    let data = env.run(&[&["verify", "--json"], args].concat());
    assert_eq!(words.code(), data.code());
    let report: Value = data.data();
    let codes: Vec<&str> = report["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["code"].as_str().unwrap())
        .collect();
    format!(
        "{words}\naxes: {}\nreasons: {}\n",
        report["axes"],
        codes.join(", ")
    )
}

fn codes(env: &TestEnvironment, args: &[&str], exit: i32) -> Vec<String> {
    let report = env
        .run(&[&["verify", "--json"], args].concat())
        .exits(exit)
        .data();
    let reasons = report["reasons"].as_array().unwrap();
    reasons
        .iter()
        .map(|r| r["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_states_of_a_commit() {
    let env = checked(POLICY);
    env.commit_all("renamed");
    assert_snapshot!("verify_none", answer(&env, &[]));
    assert_snapshot!("verify_first_commit", answer(&env, &["HEAD~1"]));
    approve(&env, None, 100);
    assert_snapshot!("verify_approved", answer(&env, &[]));
    assert_snapshot!("verify_approved_rerun", answer(&env, &["--rerun"]));
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    env.commit_all("once more");
    assert_snapshot!("verify_stale", answer(&env, &["--range", "HEAD~2..HEAD"]));
    env.write_file("check.sh", "echo broken; exit 1\n");
    env.commit_all("broken");
    release(&env, 200);
    assert_snapshot!("verify_released", answer(&env, &[]));
    assert_snapshot!("verify_released_but_failing", answer(&env, &["--rerun"]));
}

#[test]
fn what_was_let_go_unreviewed_stays_so_until_a_human_answers() {
    let env = changed(
        "version: 1\nenforcement: { budget: { review_attempts: 1 }, approval: { require: changes } }\n",
    );
    // Held until the attempts are used up, then let go.
    for _ in 0..3 {
        let _ = env.hook("claude", &stop(&env, "x is now y."));
    }
    env.commit_all("renamed");
    assert_snapshot!("verify_escalated", answer(&env, &[]));
    // A little more work does not shake it off.
    env.write_file("notes.txt", "x\n");
    env.commit_all("notes");
    assert!(codes(&env, &[], 4).contains(&"escalated".to_owned()));
    release(&env, 300);
    assert_eq!(codes(&env, &[], 0), ["released"]);
}

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
fn a_release_ends() {
    let env = changed(POLICY);
    env.commit_all("renamed");
    let mut engine = engine(&env, &env.project(), 0);
    let now = engine.clock().now();
    let release = Release {
        by: human(),
        reason: "for a second".to_owned(),
        tree: engine.tree().unwrap(),
        session: None,
        at: now,
        until: now + 1,
        policy: None,
        record: None,
        signature: None,
    };
    engine.release(release, None).unwrap();
    assert_snapshot!("verify_release_expired", answer(&env, &[]));
}

#[test]
fn signed_approvals() {
    let signed = POLICY.replace("require: changes", "require: changes, signed: true");
    let env = checked(&signed);
    env.commit_all("renamed");
    let (alice, stranger) = (Key::new(&env, "alice"), Key::new(&env, "stranger"));
    approve(&env, None, 100);
    assert_snapshot!("verify_unsigned", answer(&env, &[]));
    let held = env.run(&["review", "check"]).exits(1);
    assert!(held.stdout().contains("without the signature"), "{held}");
    approve(&env, Some(&stranger), 101);
    assert_eq!(codes(&env, &[], 3)[0], "no_signers");
    env.write_file(
        env.home().join(".config/proctor/allowed_signers"),
        alice.line("alice@example.invalid"),
    );
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        "enforcement: { approval: { signers: allowed_signers } }\n",
    );
    assert_snapshot!("verify_unknown_key", answer(&env, &[]));
    approve(&env, Some(&alice), 102);
    assert_snapshot!("verify_signed", answer(&env, &[]));
    // Whoever stops is let go by the same rule.
    let _ = env.run(&["review", "check"]).exits(0);
}

#[test]
fn who_may_sign_is_said_by_the_base_and_not_by_the_commit() {
    let signed = POLICY.replace("require: changes", "require: changes, signed: true");
    let env = checked(&signed);
    let mallory = Key::new(&env, "mallory");
    env.write_file(
        ".proctor/allowed_signers",
        mallory.line("mallory@example.invalid"),
    );
    env.commit_all("renamed, and I may sign");
    approve(&env, Some(&mallory), 100);
    let found = codes(&env, &[], 4);
    assert!(
        found.contains(&"no_signers".to_owned()) && found.contains(&"policy_looser".to_owned()),
        "{found:?}"
    );
    // Once it is in the base it counts.
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    env.commit_all("more");
    approve(&env, Some(&mallory), 200);
    assert_eq!(codes(&env, &[], 0)[0], "approved");
}

#[test]
fn a_forged_record_is_no_approval() {
    let env = checked(POLICY);
    env.commit_all("renamed");
    let alice = Key::new(&env, "alice");
    env.write_file(
        env.home().join(".config/proctor/allowed_signers"),
        alice.line("alice@example.invalid"),
    );
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        "enforcement: { approval: { signers: allowed_signers } }\n",
    );
    // A signature that was given for something else, under a record of one's own.
    let mut engine = engine(&env, &env.project(), 100);
    let review = engine.request_review(None).unwrap().id;
    let judgement = Judgement {
        verdict: ReviewVerdict::Approve,
        words: "read it".to_owned(),
        findings: Vec::new(),
        reviewer: human(),
        tree: None,
    };
    let copied = |text: &str| {
        let other = text.replace("read it", "read something else");
        Ok(alice.sign(&other))
    };
    let taken = engine.judge_signed(&review, judgement, Some(&copied)).unwrap();
    assert!(matches!(taken, Taken::Stands(_)));
    assert_snapshot!("verify_forged", answer(&env, &[]));
}

#[test]
fn the_base_s_policy_decides() {
    let env = checked(POLICY);
    env.write_file(".proctor/proctor.yaml", "version: 1\npreset: observe\n");
    env.commit_all("renamed, and nobody need look");
    assert_snapshot!("verify_looser_policy", answer(&env, &["--rerun"]));
    // The looser policy decides when somebody says so; that it is looser is still said.
    let found = codes(&env, &["--policy-from", "HEAD"], 0);
    assert!(found.contains(&"no_review_required".to_owned()), "{found:?}");
    // A tighter one holds at once, checks included.
    env.write_file(
        ".proctor/proctor.yaml",
        format!("{POLICY}- {{ name: more, run: nothing-of-this-name, kind: lint }}\n"),
    );
    env.commit_all("checks again");
    let found = codes(&env, &["--rerun"], 3);
    assert!(found.contains(&"check_could_not_run".to_owned()), "{found:?}");
}

#[test]
fn a_branch_from_before_the_policy_does_not_escape_it() {
    let env = environment();
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.commit_all("before there was a policy");
    env.write_file(".proctor/proctor.yaml", POLICY);
    env.write_file("check.sh", "echo checked\n");
    env.commit_all("a policy");
    env.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    env.git(&["checkout", "-q", "-b", "old", "HEAD~1"]);
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    env.commit_all("from long ago");
    let old = codes(&env, &[], 1);
    assert!(old.contains(&"not_approved".to_owned()), "{old:?}");
    assert_eq!(codes(&env, &["--range", "origin/main..HEAD"], 1), old);
    env.git(&["checkout", "-q", "--orphan", "nowhere"]);
    env.commit_all("from nowhere");
    let found = codes(&env, &[], 1);
    assert!(
        found.contains(&"not_approved".to_owned()) && found.contains(&"policy_looser".to_owned()),
        "{found:?}"
    );
    assert_eq!(codes(&env, &["--range", "origin/main..HEAD"], 1), found);
    // Main goes on meanwhile: what a branch does not touch it does not loosen.
    env.git(&["checkout", "-q", "-b", "topic", "origin/main"]);
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    env.commit_all("a topic");
    approve(&env, None, 100);
    env.git(&["checkout", "-q", "-B", "main", "origin/main"]);
    let tighter = POLICY.replace("require: changes", "require: changes, paths: [src/**]");
    env.write_file(".proctor/proctor.yaml", tighter);
    env.commit_all("a tighter policy");
    env.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert_eq!(codes(&env, &["topic"], 0), ["approved", "checks_passed"]);
}

#[test]
fn a_human_may_approve_a_looser_policy_with_the_change() {
    let env = checked(POLICY);
    env.write_file(
        ".proctor/proctor.yaml",
        "version: 1\nenforcement: { approval: { require: claims } }\n",
    );
    env.commit_all("renamed, and nobody need look");
    approve_as(
        &env,
        Party {
            kind: PartyKind::Launched,
            ..Party::default()
        },
        None,
        100,
    );
    let found = codes(&env, &[], 1);
    assert_eq!(found, ["looser_rules", "policy_looser", "checks_passed"]);
    approve(&env, None, 101);
    // Its checks are the ones that were approved with it: there are none any more.
    assert_eq!(codes(&env, &[], 0), ["approved"]);
}

#[test]
fn files_that_were_untracked_at_the_approval() {
    let env = checked(POLICY);
    env.write_file("scratch.txt", "notes\n");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    approve(&env, None, 100);
    env.git(&["add", "src"]);
    env.git(&["commit", "-q", "-m", "renamed"]);
    assert_snapshot!("verify_lacks_untracked", answer(&env, &[]));
    assert_eq!(codes(&env, &["--strict-linkage"], 1), ["stale", "checks_passed"]);
}

#[test]
fn wrong_use() {
    let env = changed(POLICY);
    let _ = env.run(&["verify", "nothing-of-this-name"]).exits(2);
    let _ = env.run(&["verify", "--range", "HEAD"]).exits(2);
    let _ = env.run(&["verify", "--output=x"]).exits(2);
    let outside = crate::support::environment_without_git();
    let _ = outside.run(&["verify"]).exits(2);
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
