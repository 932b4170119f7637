//! `proctor verify`: whole answers in the states that a commit can be in.

use crate::support::{environment, payload, prompt, stop};
use insta::assert_snapshot;
use proctor_engine::review::{Judgement, Party, PartyKind, Release, ReviewVerdict, Signature, Taken};
use proctor_engine::{Clock, Engine, Surroundings, SystemClock};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) const POLICY: &str = "version: 1\nenforcement: { approval: { require: changes } }\nverification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n";

/// A clock for records that the tests make themselves; without a time the real one, as records that travel need.
pub(crate) struct At(Option<u64>);

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
pub(crate) const NOW: u64 = u64::MAX;

/// What a person at a terminal does; a test has none.
pub(crate) fn engine(env: &TestEnvironment, folder: &Path, seconds: u64) -> Engine<At> {
    let surroundings = Surroundings {
        cwd: folder.to_owned(),
        state_home: env.state_home().join("proctor"),
        user_policy: Some(env.home().join(".config/proctor/proctor.yaml")),
        ..Surroundings::default()
    };
    let at = (seconds != NOW).then(|| proctor_testkit::env::CLOCK_MILLIS + seconds * 1_000);
    Engine::open(surroundings, At(at))
}

pub(crate) fn human() -> Party {
    Party {
        kind: PartyKind::Human,
        name: Some("alice".to_owned()),
        ..Party::default()
    }
}

/// A person approves the work tree as it is.
pub(crate) fn approve(env: &TestEnvironment, key: Option<&Key>, seconds: u64) {
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
pub(crate) fn release(env: &TestEnvironment, seconds: u64) {
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
pub(crate) struct Key(pub(crate) PathBuf);

impl Key {
    pub(crate) fn new(env: &TestEnvironment, name: &str) -> Self {
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
    pub(crate) fn line(&self, who: &str) -> String {
        let public = std::fs::read_to_string(self.0.with_extension("pub")).unwrap();
        format!("{who} {public}")
    }
}

/// A repository with a policy and a first commit, and a change that is not committed.
pub(crate) fn changed(policy: &str) -> TestEnvironment {
    changed_in(environment(), policy)
}

pub(crate) fn changed_in(env: TestEnvironment, policy: &str) -> TestEnvironment {
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
pub(crate) fn checked(policy: &str) -> TestEnvironment {
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

pub(crate) fn codes(env: &TestEnvironment, args: &[&str], exit: i32) -> Vec<String> {
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
    // Under the rules of before; the policy itself is no reviewer's to approve.
    let found = codes(&env, &[], 4);
    assert_eq!(found, ["policy_looser", "approved", "checks_passed"]);
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
    // In CI it is what is asked for.
    let mut command = env.command(env.program());
    command.args(["verify", "--json"]).env("CI", "true");
    let in_ci = env.finish(&mut command, b"").exits(1).data();
    assert_eq!(in_ci["reasons"][0]["code"], "stale", "{in_ci}");
    // Somebody says of this very tree that it must not go.
    std::fs::remove_file(env.project().join("scratch.txt")).unwrap();
    let mut engine = engine(&env, &env.project(), 200);
    let review = engine.request_review(None).unwrap().id;
    let judgement = Judgement {
        verdict: ReviewVerdict::Reject,
        words: "not so".to_owned(),
        findings: Vec::new(),
        reviewer: human(),
        tree: None,
    };
    let _ = engine.judge(&review, judgement).unwrap();
    assert_eq!(codes(&env, &[], 1)[0], "rejected");
}

#[test]
fn tracked_files_that_were_deleted_since_the_approval() {
    let env = checked(POLICY);
    env.write_file("tests/hard.sh", "exit 1\n");
    env.commit_all("renamed");
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    approve(&env, None, 100);
    assert_eq!(codes(&env, &[], 0)[0], "approved");
    env.git(&["rm", "-q", "tests/hard.sh"]);
    env.git(&["commit", "-q", "-m", "without"]);
    env.git(&["commit", "-q", "--allow-empty", "-m", "nothing"]);
    let _ = env.run(&["run-check", "--", "sh", "check.sh"]).exits(0);
    assert_eq!(codes(&env, &["--range", "HEAD~3..HEAD"], 1)[0], "stale");
}

#[test]
fn what_was_recorded_is_gone() {
    let env = changed("version: 1\n");
    env.commit_all("renamed");
    assert_eq!(codes(&env, &[], 0), ["no_review_required"]);
    let id = env.git(&["config", "proctor.id"]);
    std::fs::remove_dir_all(env.state_home().join("proctor").join(id.trim())).unwrap();
    // Something may have been let go unreviewed, and nobody knows any more.
    assert!(codes(&env, &[], 3).contains(&"state_lost".to_owned()));
    assert!(
        codes(&env, &[], 3).contains(&"state_lost".to_owned()),
        "also the second time"
    );
    release(&env, 100);
    assert_eq!(codes(&env, &[], 0), ["released"]);
    env.write_file("src/lib.rs", "pub fn z() {}\n");
    env.commit_all("more, after a human looked");
    assert_eq!(codes(&env, &[], 0), ["no_review_required"]);
}

#[test]
fn what_others_wrote_is_no_command_for_the_terminal() {
    let env = checked(POLICY);
    env.commit_all("renamed");
    let name = Some("alice\u{1b}[2J\nverified".to_owned());
    approve_as(&env, Party { name, ..human() }, None, 100);
    let shown = env.run(&["verify"]).exits(0);
    assert!(!shown.stdout().contains('\u{1b}'), "{shown}");
    assert!(
        shown.stdout().contains("alice\u{fffd}[2J\u{fffd}verified"),
        "{shown}"
    );
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
