//! Checks that Proctor runs itself, in a clean folder.

use super::*;
use crate::rerun::{Ended, Permit, Rerun, RerunOutcome, steers};
use crate::review::{Party, PartyKind};
use crate::trust::ChecksTrust;
use proctor_kernel::{CheckKind, ExitSource, Reason, Trust};
use proctor_policy::Verification;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

fn check(name: &str, run: &str) -> Verification {
    Verification {
        name: name.into(),
        run: run.into(),
        kind: Some("tests".into()),
    }
}

impl Place {
    fn rerun_with(&self, checks: &[Verification], change: impl FnOnce(&mut Rerun<'_>)) -> Vec<RerunOutcome> {
        let mut engine = self.engine();
        let tree = engine.tree().unwrap().unwrap();
        let folder = self.folder.path().join("tmp");
        std::fs::create_dir_all(&folder).unwrap();
        let mut what = Rerun {
            tree: &tree,
            checks,
            permit: Permit::Asked,
            trust: Trust::EngineRan,
            folder: &folder,
            without: &[],
            timeout: Duration::from_secs(20),
            from_record: true,
        };
        change(&mut what);
        let outcomes = engine.rerun(&what).unwrap();
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
        assert!(left.is_empty(), "the folder is gone: {left:?}");
        outcomes
    }

    fn rerun(&self, run: &str) -> RerunOutcome {
        self.rerun_with(&[check("c", run)], |_| {}).remove(0)
    }
}

#[test]
fn how_checks_end() {
    let place = Place::new("");
    place.write("noted.txt", "untracked files belong to the tree\n");
    place.write(".gitignore", "ignored.txt\n");
    place.write("ignored.txt", "not in the tree\n");
    let summary = |counts: &str| format!("printf '===== {counts} in 0.01s =====\\n'");
    for (run, ended, reason) in [
        (
            "test -f noted.txt -a ! -e ignored.txt",
            Ended::Passed,
            Reason::Supported,
        ),
        ("false", Ended::Failed, Reason::FailedExit),
        (
            &*format!("{}; :", summary("1 failed, 2 passed")),
            Ended::Failed,
            Reason::FailedOutput,
        ),
        (
            &*format!("{}; exit 5", summary("no tests ran")),
            Ended::Empty,
            Reason::EmptyRun,
        ),
        ("exec no-such-program", Ended::CouldNotRun, Reason::CouldNotRun),
        ("kill -9 $$", Ended::CouldNotRun, Reason::CouldNotRun),
        ("kill -11 $$", Ended::Failed, Reason::FailedExit),
        (
            "echo more >> seed.txt",
            Ended::CouldNotRun,
            Reason::TreeChangedDuringRun,
        ),
        (
            "git commit -qam x; git rm -q seed.txt",
            Ended::CouldNotRun,
            Reason::TreeChangedDuringRun,
        ),
        ("echo > litter.txt", Ended::Passed, Reason::Supported),
        ("rm -rf .git", Ended::CouldNotRun, Reason::CouldNotRun),
    ] {
        let outcome = place.rerun(run);
        assert_eq!(
            (outcome.ended, outcome.reason),
            (ended, reason),
            "{run}: {outcome:?}"
        );
        assert_eq!(
            outcome.why.is_empty(),
            ended == Ended::Passed,
            "{run}: {}",
            outcome.why
        );
        assert!(!outcome.from_record, "{run}");
    }
    assert_eq!(
        std::fs::read_to_string(place.root().join("seed.txt")).unwrap(),
        "seed\n"
    );
}

#[test]
fn a_runner_that_says_nothing_tested_nothing() {
    let place = Place::new("");
    for (name, does) in [("pytest", "exit 0"), ("rspec", "echo '3 examples, 0 failures'")] {
        place.write(&format!("bin/{name}"), &format!("#!/bin/sh\n{does}\n"));
        let file = place.root().join("bin").join(name);
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (run, ended, reason) in [
        ("bin/pytest", Ended::Empty, Reason::EmptyRun),
        ("test -d bin && bin/pytest", Ended::Empty, Reason::EmptyRun),
        ("bin/rspec && bin/pytest", Ended::Empty, Reason::EmptyRun),
        ("bin/rspec > log.txt", Ended::CouldNotRun, Reason::NoResult),
        ("bin/pytest -qq", Ended::CouldNotRun, Reason::NoResult),
        // Whatever was printed before, the end of it is all there.
        (
            "echo '[12 lines truncated]'; bin/pytest",
            Ended::Empty,
            Reason::EmptyRun,
        ),
        ("bin/rspec", Ended::Passed, Reason::Supported),
        // The policy's own business: it need not run, and what it runs is not known.
        ("bin/rspec || bin/pytest", Ended::Passed, Reason::Supported),
        ("sh -c : test", Ended::Passed, Reason::Supported),
    ] {
        let outcome = place.rerun(run);
        assert_eq!(
            (outcome.ended, outcome.reason),
            (ended, reason),
            "{run}: {outcome:?}"
        );
    }
}

#[test]
fn a_run_is_recorded_and_answers_for_its_tree() {
    let place = Place::new("");
    let counted = place.folder.path().join("count");
    let run = format!("echo x >> {}; echo done", counted.display());
    let first = place.rerun(&run);
    let fact = first.check.clone().unwrap();
    assert!(fact.clean && fact.trust == Trust::EngineRan && fact.exit_source == ExitSource::Engine);
    assert!(
        fact.kinds.has(CheckKind::Tests) && fact.before == fact.after && fact.own.as_deref() == Some("c")
    );
    assert_eq!(first.head, "done\n");
    let again = place.rerun(&run);
    assert!(again.from_record && again.check == Some(fact), "{again:?}");
    // Another command line under the same name, another tree, or no wish for the record: it is run.
    let other = place
        .rerun_with(&[check("c", &format!("{run} "))], |_| {})
        .remove(0);
    assert!(!other.from_record);
    assert!(!place.rerun_with(&[check("c", &run)], |w| w.from_record = false)[0].from_record);
    place.write("seed.txt", "another\n");
    assert!(!place.rerun(&run).from_record);
    assert_eq!(std::fs::read_to_string(counted).unwrap().lines().count(), 4);
    // Of two lines that read the same on record, since each has a secret in it, neither answers for the other.
    let secret = |word: &str| place.rerun(&format!("sh -c 'test \"$0\" = --token=good' --token={word}"));
    assert_eq!(secret("good").ended, Ended::Passed);
    let bad = secret("bad");
    assert!(!bad.from_record && bad.ended == Ended::Failed, "{bad:?}");
    assert!(!secret("good").from_record);
    // A failure is found anew each time.
    assert!(!place.rerun("false").from_record && !place.rerun("false").from_record);
}

#[test]
fn time_is_bounded_and_so_is_output() {
    let place = Place::new("");
    let slow = place
        .rerun_with(&[check("c", "echo begun; sleep 60")], |w| {
            w.timeout = Duration::from_millis(300)
        })
        .remove(0);
    assert_eq!((slow.ended, slow.check), (Ended::CouldNotRun, None));
    assert!(
        slow.head == "begun\n" && slow.why.contains("ended after"),
        "{}",
        slow.why
    );
    let long = place.rerun("seq 1 400000; echo last");
    assert!(long.head.starts_with("1\n2\n") && long.tail.ends_with("400000\nlast\n"));
    assert!(long.head.len() + long.tail.len() < 5_000);
}

#[test]
fn checks_share_the_folder_until_it_is_no_longer_the_tree() {
    let place = Place::new("");
    let ended = |checks: &[Verification]| {
        let outcomes = place.rerun_with(checks, |_| {});
        outcomes.iter().map(|o| o.ended).collect::<Vec<_>>()
    };
    let prepared = [
        check("install", "echo > made.txt"),
        check("test", "test -e made.txt"),
    ];
    assert_eq!(ended(&prepared), [Ended::Passed, Ended::Passed]);
    // What one of them did to a file of the tree, the next one does not see.
    let spoilt = [
        check("spoil", "echo > seed.txt; echo > made.txt"),
        check("test", "grep seed seed.txt && ! test -e made.txt"),
    ];
    assert_eq!(ended(&spoilt), [Ended::CouldNotRun, Ended::Passed]);
}

#[test]
fn what_a_check_does_not_inherit() {
    for name in [
        "PROCTOR_STATE",
        "GIT_CONFIG_KEY_0",
        "BASH_ENV",
        "PYTEST_ADDOPTS",
        "BASH_FUNC_cargo%%",
        "BUN_OPTIONS",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
        "CLAUDECODE",
        "CLAUDE_CODE_SHELL_PREFIX",
        "DENO_V8_FLAGS",
        "DYLD_INSERT_LIBRARIES",
        "GOFLAGS",
        "LD_AUDIT",
        "LD_PRELOAD",
        "MAKEFILES",
        "NODE_OPTIONS",
        "NODE_PATH",
        "NPM_CONFIG_USERCONFIG",
        "PERL5LIB",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "RUBYLIB",
        "RUSTC_WRAPPER",
        "_JAVA_OPTIONS",
        "npm_config_script_shell",
    ] {
        assert!(steers(name.as_ref()), "{name}");
    }
    for name in [
        "PATH",
        "HOME",
        "CI",
        "CARGO_HOME",
        "CARGO_TARGET_DIR",
        "JAVA_HOME",
        "LANG",
        "ANTHROPIC_API_KEY",
        "BUN_INSTALL",
        "CLAUDE_CONFIG_DIR",
        "DENO_DIR",
        "HTTPS_PROXY",
        "LD_LIBRARY_PATH",
        "NODE_ENV",
        "NODE_EXTRA_CA_CERTS",
        "PYENV_ROOT",
        "RUSTUP_TOOLCHAIN",
        "npm_config_registry",
    ] {
        assert!(!steers(name.as_ref()), "{name}");
    }
    let place = Place::new("");
    let without: &'static [std::ffi::OsString] = Box::leak(Box::new(["HOME".into()]));
    let told = place.rerun_with(&[check("c", "test -z \"${HOME+x}\"")], |w| w.without = without);
    assert_eq!(told[0].ended, Ended::Passed, "{told:?}");
}

#[test]
fn a_repository_s_checks_are_run_only_when_they_are_trusted() {
    let place = Place::new("verification:\n- { name: c, run: \"true\", kind: tests }\n");
    let checks = place.engine().settings().verification.clone();
    let ended = |checks: &[Verification]| place.rerun_with(checks, |w| w.permit = Permit::IfTrusted)[0].ended;
    assert_eq!(place.engine().checks_trust(), ChecksTrust::Untrusted);
    assert_eq!(ended(&checks), Ended::CouldNotRun);
    let human = Party {
        kind: PartyKind::Human,
        ..Party::default()
    };
    place.engine().trust(human.clone()).unwrap();
    assert_eq!(place.engine().checks_trust(), ChecksTrust::Trusted);
    assert_eq!(ended(&checks), Ended::Passed);
    assert_eq!(
        ended(&[check("c", "echo")]),
        Ended::CouldNotRun,
        "only as they were"
    );
    assert_eq!(place.engine().revoke_trust().unwrap(), 1);
    assert_eq!(ended(&checks), Ended::CouldNotRun);
    // A change takes the trust away, and going back to what was trusted gives it again.
    place.engine().trust(human).unwrap();
    place.write(
        ".proctor/proctor.yaml",
        "verification:\n- { name: c, run: \"false\", kind: tests }\n",
    );
    assert_eq!(place.engine().checks_trust(), ChecksTrust::Untrusted);
    place.write(".proctor/proctor.yaml", "");
    assert_eq!(place.engine().checks_trust(), ChecksTrust::Nothing);
    // The user's own file needs no word, and a broken one gives none.
    let user = place.folder.path().join("user.yaml");
    std::fs::write(
        &user,
        "verification:\n- { name: c, run: \"true\", kind: tests }\n",
    )
    .unwrap();
    let surroundings = Surroundings {
        user_policy: Some(user),
        ..place.surroundings()
    };
    let engine = || Engine::open(surroundings.clone(), place.clock.clone());
    assert_eq!(engine().checks_trust(), ChecksTrust::Own);
    place.engine().revoke_trust().unwrap();
    place.write(".proctor/proctor.yaml", "version: [\n");
    assert_eq!(engine().checks_trust(), ChecksTrust::Untrusted);
}

#[test]
fn a_folder_that_was_left_behind_is_removed() {
    let place = Place::new("");
    let left = place.folder.path().join("tmp/proctor-rerun-dead");
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join("lock"), "").unwrap();
    assert_eq!(place.rerun("true").ended, Ended::Passed);
    assert!(!left.exists());
}

/// A review at level `tamper` of what became of `tests.rs` since the base.
fn tampered(policy: &str, now: &str) -> (Place, crate::review::Review, crate::rerun::Prepared) {
    const BASE: &str =
        "#[test]\nfn first_one() { assert_eq!(f(), 1); }\n#[test]\nfn other_one() { assert_eq!(g(), 2); }\n";
    let place = Place::new(policy);
    place.write("tests.rs", BASE);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "base"]);
    place.main(prompt("Make it fast."));
    place.write("tests.rs", now);
    let human = Party {
        kind: PartyKind::Human,
        ..Party::default()
    };
    place.engine().trust(human).unwrap();
    let review = place.engine().request_review(None).unwrap();
    let prepared = place.prepare(&review);
    (place, review, prepared)
}

impl Place {
    fn prepare(&self, review: &crate::review::Review) -> crate::rerun::Prepared {
        let folder = self.folder.path().join("tmp");
        std::fs::create_dir_all(&folder).unwrap();
        let runner = crate::rerun::Runner {
            folder,
            without: Vec::new(),
        };
        let mut engine = self.engine();
        let tree = engine.tree().unwrap().unwrap();
        engine.prepare_approval(review, &tree, &runner).unwrap()
    }

    fn open(&self, review: &crate::review::Review) -> Vec<(String, String)> {
        let book = self.engine().reviews().unwrap();
        let review = book.review(&review.id).unwrap().clone();
        review
            .open_findings()
            .map(|f| (f.rule.clone().unwrap_or_default(), f.text.clone()))
            .collect()
    }
}

const TAMPER: &str = "enforcement: { review: { level: tamper } }\nverification:\n- { name: c, run: \"grep -c 'test.$' tests.rs | sed 's/.*/===== & passed in 0.01s =====/'\", kind: tests }\n";

#[test]
fn a_check_that_falls_silent_and_a_module_in_the_place_of_the_runner_are_findings() {
    let policy = "enforcement: { review: { level: tamper } }\nverification:\n- { name: c, run: sh t.sh, kind: tests }\n";
    let place = Place::new(policy);
    place.write("t.sh", "echo '===== 2 passed in 0.01s ====='\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "base"]);
    place.main(prompt("Make it fast."));
    place.write("t.sh", "exit 0\n");
    place.write("unittest.py", "print('ok')\n");
    let human = Party {
        kind: PartyKind::Human,
        ..Party::default()
    };
    place.engine().trust(human).unwrap();
    let review = place.engine().request_review(None).unwrap();
    let prepared = place.prepare(&review);
    // Of a script nothing is known by itself, so it passed.
    assert_eq!(prepared.outcomes[0].ended, Ended::Passed);
    let words: Vec<&str> = prepared.weakened.iter().map(|f| f.words.as_str()).collect();
    assert_eq!(
        words,
        [
            "the check `c` ran 2 tests at the base, and does not tell now how many it ran",
            "unittest.py is new, and Python finds it before the `unittest` that runs tests",
        ]
    );
    assert_eq!(place.open(&review).len(), 2);
}

#[test]
fn tests_that_say_less_become_findings_of_the_review() {
    use crate::review::{Judgement, ReviewVerdict, Settlement, Taken};
    let (place, review, prepared) = tampered(TAMPER, "#[test]\nfn first_one() { assert_eq!(f(), 1); }\n");
    assert_eq!(prepared.could_not_run(), None, "{prepared:?}");
    let rules: Vec<&str> = prepared.weakened.iter().map(|f| f.kind.rule()).collect();
    assert_eq!(rules, ["tamper/tests_gone", "tamper/fewer_tests_run"]);
    let open = place.open(&review);
    assert_eq!(open[0].1, "1 test of tests.rs is gone: other_one");
    let human = || Party {
        kind: PartyKind::Human,
        ..Party::default()
    };
    let approve = || Judgement {
        verdict: ReviewVerdict::Approve,
        words: String::new(),
        findings: Vec::new(),
        reviewer: human(),
        tree: None,
    };
    let Taken::Refused(reasons) = place.engine().judge(&review.id, approve()).unwrap() else {
        panic!("open findings stand in its way");
    };
    assert!(reasons[0].contains("other_one"), "{reasons:?}");
    // Asked again, nothing is added; the worker cannot answer; a human can.
    place.prepare(&review);
    assert_eq!(place.open(&review).len(), 2);
    let book = place.engine().reviews().unwrap();
    let ids: Vec<String> = book
        .review(&review.id)
        .unwrap()
        .open_findings()
        .map(|f| f.id.to_string())
        .collect();
    let worker = Party {
        kind: PartyKind::Agent,
        ..Party::default()
    };
    assert!(
        place
            .engine()
            .settle(&ids[0], Settlement::Answered, "not needed", worker)
            .is_err()
    );
    for id in &ids {
        place
            .engine()
            .settle(id, Settlement::Answered, "g is gone next week", human())
            .unwrap();
    }
    // What was answered stays answered, though it is found again.
    place.prepare(
        &place
            .engine()
            .reviews()
            .unwrap()
            .review(&review.id)
            .unwrap()
            .clone(),
    );
    assert_eq!(place.open(&review), []);
    let taken = place.engine().judge(&review.id, approve()).unwrap();
    assert!(matches!(taken, Taken::Stands(_)), "{taken:?}");
}

#[test]
fn a_finding_that_is_mended_is_settled() {
    let (place, review, _) = tampered(
        TAMPER,
        "#[test]\nfn first_one() {}\n#[test]\nfn other_one() { assert_eq!(g(), 2); }\n",
    );
    assert_eq!(place.open(&review)[0].0, "tamper/assertions_weakened");
    let known = || {
        place
            .engine()
            .reviews()
            .unwrap()
            .review(&review.id)
            .unwrap()
            .clone()
    };
    place.write(
        "tests.rs",
        "#[test]\nfn first_one() { assert_eq!(f(), 3); }\n#[test]\nfn other_one() { assert_eq!(g(), 2); }\n",
    );
    assert!(place.prepare(&known()).weakened.is_empty());
    assert_eq!(place.open(&review), []);
    // Done again, it is found again.
    place.write(
        "tests.rs",
        "#[test]\nfn first_one() {}\n#[test]\nfn other_one() { assert_eq!(g(), 2); }\n",
    );
    place.prepare(&known());
    assert_eq!(place.open(&review).len(), 1);
}

#[test]
fn a_policy_that_asks_for_less_than_at_the_base_is_a_finding() {
    let place = Place::new(TAMPER);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "policy"]);
    place.main(prompt("Make it fast."));
    place.write("seed.txt", "changed\n");
    let weaker = TAMPER
        .replace("level: tamper", "level: tamper, require_evidence: false")
        .replace("passed in", "passed  in");
    place.write(".proctor/proctor.yaml", &weaker);
    let review = place.engine().request_review(None).unwrap();
    let mut engine = place.engine();
    let tree = engine.tree().unwrap().unwrap();
    let found = engine
        .weakened(&review, &tree, &crate::rerun::Runner::default(), &[])
        .unwrap();
    let words: Vec<&str> = found.iter().map(|f| f.words.as_str()).collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(
        words[0].contains("`enforcement.review.require_evidence`") && words[1].contains("`verification`"),
        "{words:?}"
    );
}
