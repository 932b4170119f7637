//! `proctor verify`: whether a commit's tests say less than its base's, and whether what is high-stakes was seen by two.

use crate::support::environment;
use crate::verify::{NOW, changed_in, codes, engine, human, release};
use proctor_engine::rerun::Runner;
use proctor_engine::review::{Judgement, Party, PartyKind, ReviewVerdict, Settlement, Taken};
use proctor_testkit::TestEnvironment;
use serde_json::{Value, json};
use std::path::Path;

const TWO: &str = "def test_first():\n    assert f(\"first\") == 12\n\ndef test_second():\n    assert f(\"second\") == 34\n";
const ONE: &str = "def test_first():\n    assert f(\"first\") == 12\n";

fn policy(level: &str, require: &str) -> String {
    format!(
        "version: 1\nenforcement: {{ approval: {{ {require} }}, review: {{ level: {level} }} }}\nverification:\n- {{ name: check, run: \"sh check.sh\", kind: tests }}\n"
    )
}

/// A repository under a policy, whose last commit takes a test out.
fn with_fewer_tests(env: TestEnvironment, policy: &str) -> TestEnvironment {
    env.write_file("test_a.py", TWO);
    // The user's own file names the check, so that it may be run.
    env.write_file(
        env.home().join(".config/proctor/proctor.yaml"),
        "verification:\n- { name: check, run: \"sh check.sh\", kind: tests }\n",
    );
    let env = changed_in(env, policy);
    env.write_file("test_a.py", ONE);
    env
}

fn report(env: &TestEnvironment, args: &[&str], exit: i32) -> Value {
    env.run(&[&["verify", "--json"], args].concat())
        .exits(exit)
        .data()
}

fn states(report: &Value) -> Vec<(String, String)> {
    let word = |w: &Value, key: &str| w[key].as_str().unwrap().to_owned();
    let all = report["policy"]["weakened"].as_array().into_iter().flatten();
    all.map(|w| (word(w, "rule"), word(w, "state"))).collect()
}

fn gone(state: &str) -> Vec<(String, String)> {
    vec![("tamper/tests_gone".to_owned(), state.to_owned())]
}

fn judgement(reviewer: Party) -> Judgement {
    Judgement {
        verdict: ReviewVerdict::Approve,
        words: "read it".to_owned(),
        findings: Vec::new(),
        reviewer,
        tree: None,
    }
}

/// A human runs the checks, answers what was found, and approves.
fn approve_with_answers(env: &TestEnvironment, seconds: u64) {
    let mut engine = engine(env, &env.project(), seconds);
    let review = engine.request_review(None).unwrap();
    let tree = engine.tree().unwrap().unwrap();
    let runner = Runner {
        folder: env.root().to_path_buf(),
        without: Vec::new(),
    };
    let prepared = engine.prepare_approval(&review, &tree, &runner).unwrap();
    assert_eq!(prepared.could_not_run(), None);
    let taken = engine.judge(&review.id, judgement(human())).unwrap();
    assert!(
        matches!(taken, Taken::Refused(_)),
        "the finding is open: {taken:?}"
    );
    let open: Vec<_> = engine
        .reviews()
        .unwrap()
        .review(&review.id)
        .unwrap()
        .open_findings()
        .cloned()
        .collect();
    for finding in open {
        let how = Settlement::Answered;
        let _ = engine
            .settle(finding.id.as_str(), how, "it tested nothing", human())
            .unwrap();
    }
    let taken = engine.judge(&review.id, judgement(human())).unwrap();
    assert!(matches!(taken, Taken::Stands(_)), "{taken:?}");
}

#[test]
fn fewer_tests_are_seen_again_by_the_base_s_level() {
    let env = with_fewer_tests(environment(), &policy("tamper", "require: changes"));
    env.commit_all("one test less");
    let found = report(&env, &[], 1);
    assert_eq!(states(&found), gone("open"), "{found}");
    assert!(codes(&env, &[], 1).contains(&"tests_weakened".to_owned()));
    let words = env.run(&["verify"]).exits(1);
    assert!(
        words
            .stdout()
            .contains("tamper/tests_gone [open] test_a.py: 1 test of test_a.py is gone: test_second"),
        "{words}"
    );
    // A human releases it as it is.
    release(&env, 50);
    assert_eq!(states(&report(&env, &[], 0)), gone("answered"));

    // At level `rerun`, and where no review is asked for, it is told; below it nobody looks.
    for (level, require, exit, expected) in [
        ("rerun", "require: changes", 1, gone("told")),
        ("tamper", "require: claims", 0, gone("told")),
        ("tamper", "require: paths, paths: [\"docs/**\"]", 0, gone("told")),
        ("witnessed", "require: changes", 1, Vec::new()),
    ] {
        let env = with_fewer_tests(environment(), &policy(level, require));
        env.commit_all("one test less");
        let found = report(&env, &[], exit);
        assert_eq!(states(&found), expected, "{level} {require}: {found}");
        let blocked = found["reasons"].as_array().unwrap();
        assert!(
            !blocked
                .iter()
                .any(|r| r["code"] == "tests_weakened" && r["weight"] != "pass"),
            "{found}"
        );
    }
}

/// A repository whose check tells how many lines `cases.txt` has, and whose last commit leaves fewer of them. What the
/// check is at the base stands before.
fn with_fewer_cases(level: &str, at_the_base: &str, cases: &str) -> TestEnvironment {
    let env = environment();
    env.write_file("cases.txt", "one\ntwo\nthree\n");
    env.write_file("count.sh", at_the_base);
    let policy = policy(level, "require: changes").replace("check.sh", "count.sh");
    let env = changed_in(env, &policy);
    env.write_file("count.sh", COUNTS);
    env.write_file("cases.txt", cases);
    env.commit_all("other cases");
    env
}

const COUNTS: &str = "echo \"===== $(grep -c . cases.txt) passed in 0.01s =====\"\n";

#[test]
fn the_number_of_tests_that_ran_is_compared_where_the_checks_are_run_again() {
    let fewer = vec![("tamper/fewer_tests_run".to_owned(), "open".to_owned())];
    let mut env = with_fewer_cases("tamper", COUNTS, "one\ntwo\n");
    // No file says so, only the runs do.
    assert_eq!(states(&report(&env, &[], 1)), Vec::new());
    env.set_var("CI", "true");
    let found = report(&env, &["--range", "HEAD~1..HEAD"], 1);
    assert_eq!(states(&found), fewer, "{found}");
    let text = &found["policy"]["weakened"][0]["text"];
    assert_eq!(text, "the check `check` ran 3 tests at the base and 2 now");
    let blocks = |r: &Value| r["code"] == "tests_weakened" && r["weight"] == "blocked";
    assert!(found["reasons"].as_array().unwrap().iter().any(blocks), "{found}");
    // Whoever lets it go has answered it.
    release(&env, 50);
    assert_eq!(states(&report(&env, &["--rerun"], 0)), Vec::new());

    // As many as before; and a level that does not ask for it.
    for (level, cases) in [("tamper", "one\ntwo\nfour\n"), ("rerun", "one\ntwo\n")] {
        let env = with_fewer_cases(level, COUNTS, cases);
        let found = report(&env, &["--rerun"], 1);
        assert_eq!(states(&found), Vec::new(), "{level}: {found}");
        assert_eq!(found["notes"], Value::Null, "{level}: {found}");
    }
    // What has no number at the base cannot be compared; that it could not run there is told.
    let env = with_fewer_cases("tamper", "exit 1\n", "one\n");
    assert_eq!(states(&report(&env, &["--rerun"], 1)), Vec::new());
    let env = with_fewer_cases("tamper", "kill -9 $$\n", "one\n");
    let found = report(&env, &["--rerun"], 1);
    assert_eq!(states(&found), Vec::new(), "{found}");
    let note = "how many tests the check `check` ran at the base is not known: it was ended by signal 9";
    assert_eq!(found["notes"], json!([note]), "{found}");
}

#[test]
fn an_answer_that_a_test_of_the_base_expects_is_seen() {
    let env = with_fewer_tests(environment(), &policy("tamper", "require: changes"));
    env.write_file("test_a.py", TWO);
    env.write_file(
        "a.py",
        "def f(text):\n    if text == \"second\":\n        return 34\n    return len(text)\n",
    );
    env.commit_all("made it pass");
    let found = report(&env, &[], 1);
    let expected = ("tamper/answers_copied".to_owned(), "open".to_owned());
    assert_eq!(states(&found), [expected], "{found}");
}

#[test]
fn a_policy_that_is_loosened_along_the_way_hides_no_test() {
    let env = with_fewer_tests(environment(), &policy("tamper", "require: changes"));
    env.write_file(".proctor/proctor.yaml", policy("text", "require: never"));
    env.commit_all("one test less, and nobody looks");
    let found = codes(&env, &[], 1);
    for code in ["tests_weakened", "policy_looser", "not_approved"] {
        assert!(found.contains(&code.to_owned()), "{code}: {found:?}");
    }
    // In two commits, of which the first loosens and the second takes the test out.
    let env = with_fewer_tests(environment(), &policy("tamper", "require: changes"));
    env.write_file("test_a.py", TWO);
    env.write_file(".proctor/proctor.yaml", policy("text", "require: never"));
    env.commit_all("nobody looks");
    env.write_file("test_a.py", ONE);
    env.commit_all("one test less");
    let found = codes(&env, &["--range", "HEAD~2..HEAD"], 1);
    assert!(found.contains(&"tests_weakened".to_owned()), "{found:?}");
    // In a history that has nothing in common with the base.
    env.git(&["branch", "base", "HEAD~2"]);
    env.git(&["checkout", "-q", "--orphan", "other"]);
    env.commit_all("all anew");
    let found = codes(&env, &["--range", "base..other"], 1);
    assert!(found.contains(&"tests_weakened".to_owned()), "{found:?}");
}

#[test]
fn what_was_answered_here_stands_and_what_others_say_needs_a_human() {
    let env = with_fewer_tests(
        environment().with_real_clock(),
        &policy("tamper", "require: changes"),
    );
    let path = |p: &Path| p.to_string_lossy().into_owned();
    let (remote, far) = (env.root().join("remote.git"), env.root().join("elsewhere"));
    env.git(&["init", "-q", "--bare", &path(&remote)]);
    env.git(&["remote", "add", "origin", &path(&remote)]);
    env.git(&["push", "-q", "origin", "HEAD:main"]);
    env.git(&["checkout", "-q", "-b", "topic"]);
    env.commit_all("one test less");
    approve_with_answers(&env, NOW);
    let here = report(&env, &["--range", "origin/main..topic"], 0);
    assert_eq!(states(&here), gone("answered"), "{here}");
    assert!(codes(&env, &[], 0).contains(&"weakened_answered".to_owned()));
    let _ = env.run(&["sync"]).exits(0);
    env.git(&["push", "-q", "origin", "topic"]);
    env.git(&["clone", "-q", "-b", "topic", &path(&remote), &path(&far)]);
    let _ = env.run_with(&far, &["sync", "--fetch"], b"").exits(0);
    // Checks that are run again prove the checks, not that somebody looked.
    let there = env
        .run_with(&far, &["verify", "--json", "--rerun"], b"")
        .exits(4)
        .data();
    assert_eq!(states(&there), gone("claimed"), "{there}");
    assert_eq!(there["reasons"][0]["code"], "weakened_claimed", "{there}");
}

#[test]
fn an_answer_holds_for_the_change_in_which_it_was_given() {
    let env = with_fewer_tests(
        environment().with_real_clock(),
        &policy("tamper", "require: changes"),
    );
    env.git(&["branch", "first"]);
    env.commit_all("one test less");
    approve_with_answers(&env, NOW);
    // Another change from the same commit, with the same words, and on a tree that nobody saw.
    env.git(&["checkout", "-q", "-b", "aside", "first"]);
    env.write_file("test_a.py", ONE);
    env.write_file("aside.txt", "one\n");
    env.commit_all("one test less, otherwise");
    let aside = report(&env, &["--range", "first..aside"], 1);
    assert_eq!(states(&aside), gone("open"), "{aside}");
    env.git(&["checkout", "-q", "-"]);
    // More of the same change: what was answered need not be answered again.
    env.write_file("more.txt", "one\n");
    env.commit_all("more");
    let same = report(&env, &["--range", "first..HEAD"], 1);
    assert_eq!(states(&same), gone("answered"), "{same}");
    // The test comes back, and goes again in another change: the words are the same, and nobody saw it.
    env.write_file("test_a.py", TWO);
    env.commit_all("the test is back");
    env.git(&["branch", "second"]);
    env.write_file("test_a.py", ONE);
    env.commit_all("and goes again");
    let other = report(&env, &["--range", "second..HEAD"], 1);
    assert_eq!(states(&other), gone("open"), "{other}");
}

/// A repository in which `deploy/` is high-stakes, with a change there that is not committed.
fn high_stakes(require: &str) -> TestEnvironment {
    let env = environment();
    env.write_file("deploy/run.sh", "echo one\n");
    let env = changed_in(
        env,
        &policy("text", &format!("{require}, high_stakes: [\"deploy/**\"]")),
    );
    env.write_file("src/lib.rs", "pub fn x() {}\n");
    env.write_file("deploy/run.sh", "echo two\n");
    env
}

fn launched(model: &str) -> Party {
    Party {
        kind: PartyKind::Launched,
        host: "claude".to_owned(),
        session: format!("reviewer-{model}"),
        model: Some(model.to_owned()),
        asked: Some(model.to_owned()),
        ..Party::default()
    }
}

fn approve_by(env: &TestEnvironment, first: Party, second: Option<Party>, seconds: u64) {
    let mut engine = engine(env, &env.project(), seconds);
    let review = engine.request_review(None).unwrap().id;
    let taken = engine
        .judge_together(&review, judgement(first), second.into_iter().collect())
        .unwrap();
    assert!(matches!(taken, Taken::Stands(_)), "{taken:?}");
}

fn stakes(env: &TestEnvironment, args: &[&str], exit: i32) -> Value {
    report(env, args, exit)["policy"]["high_stakes"].clone()
}

#[test]
fn what_is_high_stakes_needs_two_models_or_a_human() {
    let paths = json!(["deploy/run.sh"]);
    let env = high_stakes("require: changes");
    env.commit_all("deployed otherwise");
    assert_eq!(stakes(&env, &[], 1), json!({"paths": paths, "state": "missing"}));
    approve_by(&env, launched("model-r"), None, 100);
    assert!(codes(&env, &[], 1).contains(&"second_reviewer_missing".to_owned()));
    // The same model twice is one.
    approve_by(&env, launched("model-r"), Some(launched("model-r")), 101);
    assert_eq!(stakes(&env, &[], 1)["state"], "missing");
    // Whoever says that it was asked as a second one and was not launched is none.
    let agent = Party {
        kind: PartyKind::Agent,
        ..launched("model-s")
    };
    approve_by(&env, launched("model-r"), Some(agent), 102);
    assert_eq!(stakes(&env, &[], 1)["state"], "missing");
    approve_by(&env, launched("model-r"), Some(launched("model-s")), 103);
    assert_eq!(stakes(&env, &[], 0)["state"], "two_models");
    let words = env.run(&["verify"]).exits(0);
    assert!(
        words.stdout().contains("high-stakes [two_models]: deploy/run.sh"),
        "{words}"
    );

    for (way, state) in [("human", "human"), ("release", "released")] {
        let env = high_stakes("require: changes");
        env.commit_all("deployed otherwise");
        match way {
            "human" => approve_by(&env, human(), None, 100),
            _ => release(&env, 100),
        }
        assert_eq!(stakes(&env, &[], 0), json!({"paths": paths, "state": state}));
    }
}

#[test]
fn nothing_gets_in_or_out_of_high_stakes_unseen() {
    // Out of it, and into it, by another name: the old name and the new one count.
    for (from, to) in [("deploy/run.sh", "src/run.sh"), ("check.sh", "deploy/check.sh")] {
        let env = high_stakes("require: changes");
        env.write_file("deploy/run.sh", "echo one\n");
        env.git(&["mv", from, to]);
        env.commit_all("moved");
        approve_by(&env, launched("model-r"), None, 100);
        assert_eq!(stakes(&env, &[], 1)["state"], "missing", "{from} → {to}");
    }
    // The list is made shorter in the same change.
    let env = high_stakes("require: changes");
    env.write_file(".proctor/proctor.yaml", policy("text", "require: changes"));
    approve_by(&env, launched("model-r"), None, 100);
    env.commit_all("deployed otherwise, and nobody minds");
    let found = codes(&env, &[], 1);
    for code in ["second_reviewer_missing", "policy_looser"] {
        assert!(found.contains(&code.to_owned()), "{code}: {found:?}");
    }
    // High-stakes files need a review where only others are named.
    let env = high_stakes("require: paths, paths: [\"src/**\"]");
    env.commit_all("deployed otherwise");
    assert!(codes(&env, &[], 1).contains(&"not_approved".to_owned()));
    // Nothing of it changed; or nobody asks for reviews.
    let env = high_stakes("require: changes");
    env.write_file("deploy/run.sh", "echo one\n");
    env.write_file("src/lib.rs", "pub fn y() {}\n");
    env.commit_all("renamed");
    approve_by(&env, launched("model-r"), None, 100);
    assert_eq!(stakes(&env, &[], 0), Value::Null);
    let env = high_stakes("require: claims");
    env.commit_all("deployed otherwise");
    assert_eq!(stakes(&env, &[], 0), Value::Null);
}
