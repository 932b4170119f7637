//! Claims against facts, from tool calls to the end of the turn, in a real repository.

use super::*;
use crate::review::{
    Independence, Judgement, NewFinding, Party, PartyKind, Release, ReviewEvent, ReviewVerdict, Settlement,
    Severity, Standing, Taken,
};
use crate::runs::RunOutcome;
use proctor_kernel::{Action, ExitSource, Reason};

/// A shell call that ran to its end, with what the repository looks like meanwhile.
pub(super) fn ran(place: &Place, command: &str, exit: i32, output: &str) {
    ran_while(place, command, exit, output, || ());
}

fn ran_while(place: &Place, command: &str, exit: i32, output: &str, meanwhile: impl FnOnce()) {
    let shell = ToolCall {
        id: Some(command.into()),
        command: Some(command.into()),
        input: Digest::of(command.as_bytes()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    };
    place.clock.now.set(place.clock.now.get() + 1_000);
    place.main(EventKind::ToolCall { call: shell.clone() });
    meanwhile();
    let outcome = ToolOutcome {
        ok: Some(exit == 0),
        exit: Some(exit),
        exit_source: ExitSource::HostEvent,
        output: Some(output.into()),
        ..ToolOutcome::default()
    };
    place.main(EventKind::ToolResult { call: shell, outcome });
}

pub(super) fn edited(place: &Place, path: &str, content: &str) -> Answer {
    place.write(path, content);
    let file = place.root().join(path).to_string_lossy().into_owned();
    place.main(EventKind::ToolResult {
        call: call("edit", ToolKind::Edit, &file),
        outcome: done(),
    })
}

pub(super) const PASSED: &str =
    "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
const CLAIM: &str = "I fixed the parser in src/a.rs. All tests pass.";

/// The answer to a turn's end, and the reason of the first claim.
fn ends(place: &Place, text: &str) -> (Action, String, Option<Reason>) {
    let decision = place.main(end(text)).decision;
    let reason = decision
        .reports
        .iter()
        .find(|r| r.gate == "approval")
        .and_then(|r| r.data["claims"][0]["reason"].as_str().map(str::to_owned));
    let reason = reason.and_then(|r| Reason::ALL.into_iter().find(|known| known.as_str() == r));
    (decision.action, decision.reason, reason)
}

pub(super) fn working() -> Place {
    let place = Place::new("");
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    edited(&place, "src/a.rs", "fn a() {}\n");
    place
}

#[test]
fn a_claim_is_held_until_the_check_was_run_on_this_tree() {
    let place = working();
    let (action, reason, why) = ends(&place, CLAIM);
    assert_eq!(
        (action, why),
        (Action::Block, Some(Reason::NoCommand)),
        "{reason}"
    );
    assert!(!reason.to_lowercase().contains("lie"), "{reason}");
    ran(&place, "cargo test", 0, PASSED);
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    // An edit makes it stale, and the agent hears of it at once.
    let told = edited(&place, "src/a.rs", "fn a() { b() }\n");
    assert!(
        texts(&told).iter().any(|t| t.contains("does not count")),
        "{:?}",
        texts(&told)
    );
    let (action, reason, why) = ends(&place, CLAIM);
    assert_eq!((action, why), (Action::Block, Some(Reason::Stale)));
    assert!(reason.contains("src/a.rs"), "{reason}");
    // Going back to the very content that was tested makes it good again, committed or not.
    place.write("src/a.rs", "fn a() {}\n");
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    place.git(&["add", "-A", "--", "src"]);
    place.git(&["commit", "-q", "-m", "a"]);
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
}

#[test]
fn what_supports_nothing() {
    let cases: [(&str, i32, &str, Reason); 14] = [
        ("echo '12 passed'", 0, "12 passed", Reason::NoCommand),
        ("cargo test | tail -5", 0, PASSED, Reason::Masked),
        ("cargo test || true", 0, PASSED, Reason::Masked),
        (
            "cargo test",
            101,
            "test result: FAILED. 1 passed; 2 failed;",
            Reason::FailedExit,
        ),
        (
            "cargo test",
            0,
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            Reason::EmptyRun,
        ),
        // A process that ended itself: its runner always prints a result.
        ("cargo test", 0, "", Reason::EmptyRun),
        ("cargo test", 0, "running 3 tests\n", Reason::EmptyRun),
        ("python3 -m unittest -q", 0, "", Reason::EmptyRun),
        ("npx jest", 0, "  console.log\n    up\n", Reason::EmptyRun),
        // A result that nobody saw.
        ("cargo test > log.txt 2>&1", 0, "", Reason::NoResult),
        ("pytest -qq", 0, "", Reason::NoResult),
        ("cargo nextest run &> /dev/null", 0, "", Reason::NoResult),
        ("cargo clippy", 0, "", Reason::WrongKind),
        ("cat test.log", 0, PASSED, Reason::NoCommand),
    ];
    for (command, exit, output, expected) in cases {
        let place = working();
        ran(&place, command, exit, output);
        let (action, reason, why) = ends(&place, CLAIM);
        assert_eq!(
            (action, why),
            (Action::Block, Some(expected)),
            "{command}: {reason}"
        );
    }
}

#[test]
fn of_a_silent_run_it_is_said_what_is_missing() {
    let place = working();
    ran(&place, "cargo test", 0, "   Compiling a v0.1.0\n");
    let (_, reason, _) = ends(&place, CLAIM);
    assert!(
        reason.contains(
            "the last `cargo test` ended with 0 and without the result that it always prints, so nothing shows \
             that a test ran"
        ),
        "{reason}"
    );
    ran(&place, "cargo test > log.txt", 0, "");
    let (_, reason, _) = ends(&place, CLAIM);
    assert!(
        reason.contains(
            "`cargo test > log.txt` was run, but its result was not seen: run it so that it prints it, without `>` or \
             an option that hides it"
        ),
        "{reason}"
    );
    let (_, reason, _) = ends(&place, "src/a.rs의 파서를 고쳤습니다. 테스트가 모두 통과합니다.");
    assert!(reason.contains("결과가 보이지 않았습니다"), "{reason}");
    // The very same, seen.
    ran(&place, "cargo test", 0, PASSED);
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
}

#[test]
fn silence_says_nothing_where_nothing_is_known_of_the_runner() {
    let silent: [(&str, Option<&str>); 5] = [
        ("make test", Some("")),
        ("npm test", Some("> x@1.0.0 test\n")),
        ("cargo test > log.txt && tail -3 log.txt", Some(PASSED)),
        // A host that shortens, and one that hands nothing over.
        (
            "cargo test",
            Some("test a ... ok\n\n... [120 lines truncated] ..."),
        ),
        ("cargo test", None),
    ];
    for (command, output) in silent {
        let place = working();
        let shell = ToolCall {
            id: Some("t1".into()),
            command: Some(command.into()),
            ..ToolCall::new("Bash", ToolKind::Shell)
        };
        place.main(EventKind::ToolCall { call: shell.clone() });
        let outcome = ToolOutcome {
            ok: Some(true),
            exit: Some(0),
            exit_source: ExitSource::HostEvent,
            output: output.map(str::to_owned),
            ..ToolOutcome::default()
        };
        place.main(EventKind::ToolResult { call: shell, outcome });
        let (action, reason, _) = ends(&place, CLAIM);
        assert_eq!(action, Action::Allow, "{command}: {reason}");
    }
}

#[test]
fn a_part_after_a_failed_whole_and_a_generator_after_the_tests() {
    let place = working();
    ran(
        &place,
        "cargo test",
        101,
        "test result: FAILED. 2 passed; 1 failed;",
    );
    ran(&place, "cargo test parses_one", 0, PASSED);
    assert_eq!(ends(&place, CLAIM).2, Some(Reason::SupersededByFailure));
    ran(&place, "cargo test", 0, PASSED);
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    // No edit tool was used, but the tree is another one.
    ran_while(&place, "python3 gen.py", 0, "", || {
        place.write("src/a.rs", "fn generated() {}\n")
    });
    assert_eq!(ends(&place, CLAIM).2, Some(Reason::Stale));
    // A file that git tracks changes while the tests run: on which content did they pass?
    ran_while(&place, "cargo test", 0, PASSED, || {
        place.write("seed.txt", "other\n")
    });
    assert_eq!(ends(&place, CLAIM).2, Some(Reason::TreeChangedDuringRun));
    // New files that git does not track are litter of the run.
    ran_while(&place, "cargo test", 0, PASSED, || {
        place.write("report.xml", "<x/>\n")
    });
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    // So is what it writes into them again, and what it prints, kept in a file.
    ran_while(
        &place,
        "set -o pipefail; cargo test | tee log.txt",
        0,
        PASSED,
        || {
            place.write("report.xml", "<y/>\n");
            place.write("log.txt", PASSED);
        },
    );
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    // What the rest of the line makes behind it is not, nor what it makes beside it.
    for (line, file) in [
        ("cargo test && echo 'fn b() {' > src/b.rs", "src/b.rs"),
        ("cargo test && sed -i s/x/y/ report.xml", "report.xml"),
        ("(sleep 1; echo 'fn d() {' > src/d.rs) & cargo test", "src/d.rs"),
    ] {
        ran_while(&place, line, 0, PASSED, || place.write(file, line));
        let (_, words, why) = ends(&place, CLAIM);
        assert_eq!(why, Some(Reason::TreeChangedDuringRun), "{line}: {words}");
        ran(&place, "cargo test", 0, PASSED);
    }
    // What came before it was there when it ran.
    ran_while(
        &place,
        "echo 'fn e() {}' > src/e.rs && cargo test",
        0,
        PASSED,
        || place.write("src/e.rs", "fn e() {}\n"),
    );
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
}

#[test]
fn the_host_is_let_go_unreviewed_and_a_question_is_never_held() {
    let place = working();
    assert_eq!(
        ends(&place, "Which of the two formats should the parser take?").0,
        Action::Allow
    );
    let mut last = None;
    for _ in 0..8 {
        let decision = place.main(end(CLAIM)).decision;
        if decision.action != Action::Block {
            last = Some(decision);
            break;
        }
    }
    let last = last.expect("no loop without an end");
    assert!(
        last.escalated && last.alerts.iter().any(|a| a.contains("UNREVIEWED")),
        "{last:?}"
    );
    let engine = place.engine();
    let book = engine.reviews().unwrap();
    let tree = engine.tree().unwrap();
    let standing = book.standing(
        Some("test-s1"),
        tree.as_ref(),
        0,
        &engine.requirements(&book, tree.as_ref()),
    );
    assert!(matches!(standing, Standing::Escalated { .. }), "{standing:?}");
}

#[test]
fn runs_that_proctor_made_count_in_every_session() {
    let place = working();
    let mut engine = place.engine();
    let begun = engine.check_begins("cargo test", &[], &[]).unwrap();
    let outcome = RunOutcome {
        exit: Some(0),
        output: PASSED.into(),
        millis: 5,
    };
    let runs = engine.check_ended(begun, &outcome).unwrap();
    assert_eq!((runs.len(), runs[0].exit_source), (1, ExitSource::Engine));
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    let begun = place.engine().check_begins("true", &[], &[]).unwrap();
    assert!(
        place.engine().check_ended(begun, &outcome).unwrap().is_empty(),
        "`true` verifies nothing"
    );
}

#[cfg(unix)]
#[test]
fn a_run_by_way_of_a_link_to_the_work_tree_is_one_in_it() {
    let place = working();
    let link = place.folder.path().join("link");
    std::os::unix::fs::symlink(place.root(), &link).unwrap();
    let line = format!("cd {} && cargo test", link.display());
    ran(&place, &line, 0, PASSED);
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
    edited(&place, "src/a.rs", "fn a() { b() }\n");
    let mut engine = place.engine();
    let begun = engine.check_begins(&line, &[], &[]).unwrap();
    let outcome = RunOutcome {
        exit: Some(0),
        output: PASSED.into(),
        millis: 5,
    };
    let runs = engine.check_ended(begun, &outcome).unwrap();
    assert_eq!(runs[0].cwd, "");
    assert_eq!(ends(&place, CLAIM).0, Action::Allow);
}

const REVIEWED: &str = "enforcement:\n  approval: {require: changes}\n";

fn human() -> Party {
    Party {
        kind: PartyKind::Human,
        ..Party::default()
    }
}

fn verdict(verdict: ReviewVerdict, reviewer: Party, findings: Vec<NewFinding>) -> Judgement {
    Judgement {
        verdict,
        words: String::new(),
        findings,
        reviewer,
        tree: None,
    }
}

#[test]
fn a_change_needs_an_approval_of_exactly_this_tree() {
    let place = Place::new(REVIEWED);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    assert_eq!(
        ends(&place, "I looked at it.").0,
        Action::Allow,
        "nothing changed"
    );
    edited(&place, "src/a.rs", "fn a() {}\n");
    let (action, reason, _) = ends(&place, "I changed the parser.");
    assert_eq!(action, Action::Block);
    assert!(
        reason.contains("src/a.rs") && reason.contains("review"),
        "{reason}"
    );

    let review = place.engine().request_review(None).unwrap();
    // Without evidence nobody approves, not even a human.
    let taken = place
        .engine()
        .judge(&review.id, verdict(ReviewVerdict::Approve, human(), Vec::new()))
        .unwrap();
    assert!(matches!(taken, Taken::Refused(_)), "{taken:?}");
    ran(&place, "cargo test", 0, PASSED);
    // The worker's own approval is recorded, and approves nothing.
    let worker = Party {
        kind: PartyKind::Agent,
        host: "test".into(),
        session: "s1".into(),
        ..Party::default()
    };
    let taken = place
        .engine()
        .judge(&review.id, verdict(ReviewVerdict::Approve, worker, Vec::new()))
        .unwrap();
    let Taken::Stands(entry) = taken else {
        panic!("{taken:?}")
    };
    assert_eq!(entry.independence, Independence::No);
    assert_eq!(ends(&place, "I changed the parser.").0, Action::Block);
    assert_eq!(entry.pins.build.as_deref(), Some("sha256:of the program"));

    // A refusal, its finding settled, another round, and an approval.
    let problem = NewFinding {
        text: "an empty list panics".into(),
        severity: Severity::Blocking,
        path: Some("src/a.rs".into()),
        line: Some(1),
    };
    place
        .engine()
        .judge(&review.id, verdict(ReviewVerdict::Reject, human(), vec![problem]))
        .unwrap();
    let (action, reason, _) = ends(&place, "I changed the parser.");
    assert!(action == Action::Block && reason.contains("finding"), "{reason}");
    let finding = place.engine().reviews().unwrap().reviews[0].findings[0]
        .id
        .to_string();
    place
        .engine()
        .settle(&finding, Settlement::Fixed, "guarded", human())
        .unwrap();
    edited(&place, "src/a.rs", "fn a() { guard() }\n");
    ran(&place, "cargo test", 0, PASSED);
    let review = place.engine().request_review(None).unwrap();
    assert_eq!((review.round, review.attempts), (2, 1));
    let taken = place
        .engine()
        .judge(&review.id, verdict(ReviewVerdict::Approve, human(), Vec::new()))
        .unwrap();
    let Taken::Stands(entry) = taken else {
        panic!("{taken:?}")
    };
    assert_eq!(entry.evidence.len(), 1);
    assert_eq!(ends(&place, "I changed the parser.").0, Action::Allow);
    // Work that goes on after the approval makes it stale.
    edited(&place, "src/a.rs", "fn a() { more() }\n");
    let (action, reason, _) = ends(&place, "I changed the parser.");
    assert!(
        action == Action::Block && reason.contains("after the approval"),
        "{reason}"
    );
}

#[test]
fn work_after_an_escalation_needs_a_review_again_and_every_end_without_one_is_told() {
    let place = Place::new(REVIEWED);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    let stops = |what: &str| {
        let mut held = 0;
        loop {
            let decision = place.main(end(what)).decision;
            if decision.action != Action::Block {
                assert!(decision.escalated && held > 0, "{held}: {decision:?}");
                break;
            }
            held += 1;
            assert!(held < 9, "no loop without an end");
        }
    };
    edited(&place, "src/a.rs", "fn a() {}\n");
    stops("I changed the parser.");
    // The same tree is let go at once, and that is told each time.
    place.main(prompt("And the docs?"));
    for _ in 0..2 {
        let decision = place.main(end("I changed the parser.")).decision;
        assert_eq!((decision.action, decision.escalated), (Action::Allow, false));
        assert!(
            decision.alerts.iter().any(|a| a.contains("UNREVIEWED")),
            "{decision:?}"
        );
    }
    edited(&place, "src/a.rs", "fn a() { more() }\n");
    stops("I changed the parser once more.");
}

#[test]
fn a_release_works_when_the_state_is_damaged() {
    let place = Place::new(REVIEWED);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    edited(&place, "src/a.rs", "fn a() {}\n");
    let engine = place.engine();
    let log = engine.store().unwrap().root().join("log/reviews");
    std::fs::create_dir_all(&log).unwrap();
    for name in ["000001.jsonl", "0000000001.jsonl", "x"] {
        std::fs::write(log.join(name), "{\"torn").unwrap();
    }
    let release = Release {
        by: human(),
        reason: "demo".into(),
        tree: engine.tree().unwrap(),
        session: None,
        at: 0,
        until: u64::MAX,
        policy: None,
        record: None,
        signature: None,
    };
    place.engine().release(release, None).unwrap();
    assert_eq!(ends(&place, "I changed the parser.").0, Action::Allow);
}

#[test]
fn the_same_call_again_and_again() {
    let place = working();
    let shell = |command: &str| ToolCall {
        id: Some("t".into()),
        command: Some(command.into()),
        input: Digest::of(command.as_bytes()),
        ..ToolCall::new("Bash", ToolKind::Shell)
    };
    let failed = || ToolOutcome {
        ok: Some(false),
        exit: Some(1),
        exit_source: ExitSource::HostText,
        output: Some("error: port 8080 is in use".into()),
        ..ToolOutcome::default()
    };
    let mut story = Vec::new();
    for _ in 0..9 {
        let asked = place
            .main(EventKind::ToolCall {
                call: shell("./serve"),
            })
            .decision;
        if asked.action == Action::Block {
            story.push(if asked.escalated { "trip" } else { "block" });
            continue;
        }
        let told = place.main(EventKind::ToolResult {
            call: shell("./serve"),
            outcome: failed(),
        });
        story.push(if texts(&told).is_empty() { "run" } else { "nudge" });
    }
    assert_eq!(
        story,
        [
            "run", "run", "nudge", "run", "block", "block", "trip", "block", "block"
        ]
    );
    // After the trip only reading is left, until a person speaks.
    let other = |kind| EventKind::ToolCall {
        call: call("x", kind, "src/a.rs"),
    };
    assert_eq!(place.main(other(ToolKind::Edit)).decision.action, Action::Block);
    assert_eq!(place.main(other(ToolKind::Read)).decision.action, Action::Allow);
    place.main(prompt("Use port 9090."));
    assert_eq!(place.main(other(ToolKind::Edit)).decision.action, Action::Allow);
}

#[test]
fn a_session_of_many_facts_stays_small() {
    let place = working();
    for n in 0..200 {
        ran(&place, &format!("cargo test case_{n}"), 0, PASSED);
    }
    let (_, state) = place.engine().session(None).unwrap().unwrap();
    assert!(state.facts.runs.len() <= 48 && state.facts.forgotten > 100);
    assert!(state.agents[""].steps.len() <= 40);
    let size = serde_json::to_string(&state).unwrap().len();
    assert!(size < 64 << 10, "{size} bytes");
}

#[test]
fn what_an_agent_calls_fixed_is_in_another_tree_than_it_was_found_in() {
    let place = Place::new(REVIEWED);
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    edited(&place, "src/a.rs", "fn a() {}\n");
    let review = place.engine().request_review(None).unwrap();
    let found = |path: Option<&str>| NewFinding {
        text: format!("a problem of {path:?}"),
        severity: Severity::Blocking,
        path: path.map(str::to_owned),
        line: None,
    };
    let places = [
        None,
        Some("./src/a.rs"),
        Some("src/a.rs"),
        Some(".proctor/run.sh"),
        Some("src"),
        None,
    ];
    let findings = places.map(found).to_vec();
    place
        .engine()
        .judge(&review.id, verdict(ReviewVerdict::Reject, human(), findings))
        .unwrap();
    let ids: Vec<String> = place.engine().reviews().unwrap().reviews[0]
        .findings
        .iter()
        .map(|f| f.id.to_string())
        .collect();
    let agent = || Party {
        kind: PartyKind::Agent,
        ..Party::default()
    };
    let settle = |at: usize, how, by| place.engine().settle(&ids[at], how, "done", by);
    let refused = |at, by| {
        let error = settle(at, Settlement::Fixed, by).unwrap_err();
        error
            .to_string()
            .contains("no file has changed since it was found")
    };
    assert!(refused(0, agent()) && refused(1, agent()) && refused(1, Party::default()));
    // A commit of the same content is the same tree.
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "a"]);
    assert!(refused(1, agent()));
    // What no tree would show is taken as it is said, and so are an answer and a human's word.
    assert!(!settle(3, Settlement::Fixed, agent()).unwrap().same_file);
    settle(0, Settlement::Answered, agent()).unwrap();
    settle(5, Settlement::Fixed, human()).unwrap();
    place.write("src/b.rs", "fn b() {}\n");
    assert!(settle(1, Settlement::Fixed, agent()).unwrap().same_file);
    assert!(
        !settle(4, Settlement::Fixed, agent()).unwrap().same_file,
        "a folder is no file"
    );
    place.write("src/a.rs", "fn a() { b() }\n");
    assert!(!settle(2, Settlement::Fixed, agent()).unwrap().same_file);
    let book = place.engine().reviews().unwrap();
    let kept: Vec<bool> = book.reviews[0].findings.iter().map(|f| f.same_file).collect();
    assert_eq!(kept, [false, true, false, false, false, false]);
}

#[test]
fn a_refused_tree_is_told_as_that_however_often_it_is_asked_for_again() {
    let place = Place::new("enforcement: { approval: { require: changes }, review: { level: text } }\n");
    place.main(start(StartSource::Startup));
    place.main(prompt("Fix the parser."));
    edited(&place, "src/a.rs", "fn a() {}\n");
    let problem = NewFinding {
        text: "an empty list panics".into(),
        severity: Severity::Blocking,
        path: Some("src/a.rs".into()),
        line: Some(1),
    };
    let review = place.engine().request_review(None).unwrap().id;
    place
        .engine()
        .judge(&review, verdict(ReviewVerdict::Reject, human(), vec![problem]))
        .unwrap();
    let says = |what: &str| {
        // A person's word begins the count of blocked ends anew.
        place.main(prompt("Go on."));
        let (action, reason, _) = ends(&place, "I changed the parser.");
        assert_eq!(action, Action::Block);
        for words in [
            "an empty list panics",
            "proctor review settle",
            "1 finding is open",
            what,
        ] {
            assert!(reason.contains(words), "{words}: {reason}");
        }
        assert!(!reason.contains("Not reviewed yet"), "{reason}");
    };
    says("- src/a.rs:1: ");
    // A human's approval is not taken while the finding is open, and asking for it began a new round.
    place.engine().request_review(None).unwrap();
    let taken = place
        .engine()
        .judge(&review, verdict(ReviewVerdict::Approve, human(), Vec::new()))
        .unwrap();
    assert!(matches!(taken, Taken::Refused(_)));
    says("- src/a.rs:1: ");
    // A reviewer could not run.
    let failed = ReviewEvent::CouldNotRun {
        review: review.clone(),
        why: "out of quota".into(),
    };
    place.engine().record_review(vec![failed]).unwrap();
    says("could not run: out of quota");
    // A reviewer approved, without a word on the finding.
    place
        .engine()
        .record_lacking(&review, &["finding is open".into()], true)
        .unwrap();
    says("does not count while a finding is open");
    // A human who is waited for is waited for.
    place.engine().leave_to_human(&review).unwrap();
    assert_eq!(ends(&place, "I changed the parser.").0, Action::Allow);
    place.engine().request_review(None).unwrap();
    // Mended, it is a matter of asking again.
    edited(&place, "src/a.rs", "fn a() { guard() }\n");
    place.engine().request_review(None).unwrap();
    let (_, reason, _) = ends(&place, "I changed the parser.");
    assert!(reason.contains("Not reviewed yet"), "{reason}");
}
