use super::*;

mod earlier;
mod ran;
mod texts;
mod warned;

use crate::support::Now;
use proctor_kernel::{
    Audience, CheckKind, CheckRun, Digest, End, Event, EventKind, ExitSource, Id, Mask, Outline, Reason,
    ReviewStanding, Span, Task, TaskOrigin, TreeId, Trust, World,
};
use proctor_policy::Verification;
use proctor_prose::{Extra, read_shared};

fn claim(kind: ClaimKind, text: &str) -> Claim {
    Claim {
        kind,
        span: Span {
            start: 0,
            end: text.len(),
            text: text.to_owned(),
            label: String::new(),
        },
        sentence: 0,
    }
}

fn run(check: &str, kind: CheckKind, tree: &str) -> CheckRun {
    CheckRun {
        id: Id::from_parts(1, [7; 10]),
        command: check.to_owned(),
        check: check.to_owned(),
        argv: Vec::new(),
        kinds: kind.into(),
        partial: false,
        whole: None,
        own: None,
        varied: false,
        cwd: String::new(),
        place: proctor_kernel::Place::Here,
        exit: Some(0),
        exit_source: ExitSource::HostField,
        masks: Vec::new(),
        background: false,
        output: None,
        summary: None,
        end: None,
        before: Some(TreeId::from_text(tree)),
        after: Some(TreeId::from_text(tree)),
        litter: false,
        writes: 0,
        began: 0,
        millis: None,
        trust: Trust::Witnessed,
        clean: false,
    }
}

const TESTS: ClaimKind = ClaimKind::Check(CheckKind::Tests);
const LINT: ClaimKind = ClaimKind::Check(CheckKind::Lint);

fn own() -> Vec<Verification> {
    vec![Verification {
        name: "test".to_owned(),
        run: "make check".to_owned(),
        kind: Some("tests".to_owned()),
    }]
}

fn judged(claims: &[Claim], runs: &[CheckRun], own: &[Verification], korean: bool) -> Judgement {
    let here = TreeId::from_text("t");
    judge(&Question {
        text: "",
        claims,
        earlier: &[],
        runs,
        unread: false,
        now: Now {
            tree: Some(&here),
            writes: 0,
            changed_since: &|_| Some(vec!["src/a.rs".to_owned()]),
        },
        require: Require::Claims,
        paths: &[],
        high_stakes: &[],
        changed: &[],
        places: &[],
        own,
        review: &ReviewStanding::None,
        korean,
    })
}

#[test]
fn a_claim_needs_a_fact_of_its_kind() {
    let tests = run("cargo test", CheckKind::Tests, "t");
    assert!(
        judged(&[claim(TESTS, "All tests pass.")], &[tests], &[], false)
            .findings
            .is_empty()
    );
    let stale = run("cargo test", CheckKind::Tests, "s");
    let found = judged(&[claim(TESTS, "All tests pass.")], &[stale], &[], false).findings;
    let [finding] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(finding.rule, "approval/unsupported_claim");
    assert_eq!(
        finding.message,
        "[SYSTEM] Claimed without a run that shows it: \"All tests pass.\": no test run after the last edit of src/a.rs."
    );
    assert_eq!(
        finding.instead.as_deref(),
        Some("Run `cargo test` and report what it shows; or write the message again without that claim.")
    );
    assert_eq!(finding.spans.len(), 1);
}

#[test]
fn a_number_that_the_runs_contradict_is_held() {
    let ran = |check: &str, runner: &str, passed: u64| CheckRun {
        summary: Some(proctor_kernel::Summary {
            runner: runner.to_owned(),
            passed: Some(passed),
            failed: Some(0),
            skipped: Some(1),
            ..proctor_kernel::Summary::default()
        }),
        ..run(check, CheckKind::Tests, "t")
    };
    let unit = || ran("unittest", "unittest", 2);
    let told = |text: &str, runs: &[CheckRun]| judged(&[claim(TESTS, text)], runs, &[], false).findings;
    let found = told("All 250 tests pass.", &[unit()]);
    assert_eq!(
        found[0].message,
        "[SYSTEM] Claimed without a run that shows it: \"All 250 tests pass.\": `unittest` shows 2 passed, not 250."
    );
    assert_eq!(
        found[0].instead.as_deref(),
        Some(
            "Write the figure that `unittest` shows, or run all that you counted and report what it shows; or write the message again without that claim."
        )
    );
    // It is said in the second claim of its sort.
    let two = [
        claim(TESTS, "All tests pass."),
        claim(TESTS, "250 passed, 0 failed"),
    ];
    assert_eq!(judged(&two, &[unit()], &[], true).findings.len(), 1);
    // What was answered for one number is no answer for another.
    let class = |text: &str| class(text, &[], 0);
    assert_ne!(class("All 250 tests pass."), class("All 2 tests pass."));
    assert_eq!(
        class("All 250 tests pass."),
        class("Good: all 250 tests are green.")
    );
    // Several runs together; one that was left out; one run again; fewer.
    assert!(told("All 2 tests pass.", &[unit()]).is_empty());
    assert!(told("All 3 tests pass.", &[unit()]).is_empty());
    assert!(told("1 passed", &[unit()]).is_empty());
    let jest = || ran("jest", "jest", 40);
    assert!(told("All 42 tests pass.", &[unit(), jest()]).is_empty());
    assert_eq!(told("All 60 tests pass.", &[unit(), jest()]).len(), 1);
    assert!(told("All 41 tests pass.", &[jest(), jest()]).is_empty());
    assert_eq!(told("All 80 tests pass.", &[jest(), jest()]).len(), 1);
    // Whoever counts in another way, or tells nothing, contradicts nothing.
    assert!(told("All 250 tests pass.", &[ran("ctest", "ctest", 2)]).is_empty());
    assert!(
        told(
            "All 250 tests pass.",
            &[unit(), run("./t.sh", CheckKind::Tests, "t")]
        )
        .is_empty()
    );
    assert!(told("All 250 test cases pass.", &[unit()]).is_empty());
}

#[test]
fn several_claims_are_one_finding_with_one_way_on() {
    let mut piped = run("pytest -q", CheckKind::Tests, "t");
    piped.command = "pytest -q | tail -3".to_owned();
    piped.masks = vec![Mask::Pipe];
    let claims = [
        claim(TESTS, "테스트 전부 통과"),
        claim(LINT, "린트 깨끗"),
        claim(TESTS, "녹색"),
    ];
    let judged = judged(&claims, &[piped], &[], true);
    assert_eq!(
        judged
            .answers
            .iter()
            .map(|a| a.support.reason)
            .collect::<Vec<_>>(),
        [Reason::Masked, Reason::WrongKind]
    );
    let found = judged.findings;
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message,
        "[SYSTEM] 뒷받침하는 실행 기록이 없는 주장: \"테스트 전부 통과\": 마지막 `pytest -q` 명령은 출력이 `tail`(으)로 파이프되어 종료 코드를 알 수 없습니다; \"린트 깨끗\": 린트 실행 기록이 없습니다 (마지막으로 실행된 것: `pytest -q`, tests)."
    );
    assert_eq!(
        found[0].instead.as_deref(),
        Some(
            "`pytest -q` 명령만 따로 실행(파이프, `||`, `;` 없이); 린트 실행. 실행하지 않으려면 그 주장을 빼고 다시 쓰십시오."
        )
    );
    assert_eq!(found[0].spans.len(), 3);
}

#[test]
fn completion_needs_what_the_project_asks_for_and_nothing_else() {
    let done = [claim(ClaimKind::Done, "The task is complete.")];
    assert!(judged(&done, &[], &[], false).findings.is_empty());
    let found = judged(&done, &[], &own(), false).findings;
    assert_eq!(found[0].rule, "approval/no_verification");
    assert_eq!(
        found[0].message,
        "[SYSTEM] Called complete without this project's verification: \"The task is complete.\": no run of the project's check `make check` is on record."
    );
    assert!(
        found[0]
            .instead
            .as_deref()
            .is_some_and(|i| i.starts_with("Run `make check` and"))
    );
    let mut passed = run("make check", CheckKind::Tests, "t");
    passed.own = Some("test".to_owned());
    assert!(judged(&done, &[passed], &own(), false).findings.is_empty());
}

#[test]
fn the_next_step_is_the_policys_command_where_nothing_was_run() {
    let found = judged(&[claim(TESTS, "Tests pass.")], &[], &own(), false).findings;
    assert!(
        found[0]
            .instead
            .as_deref()
            .is_some_and(|i| i.starts_with("Run `make check` and"))
    );
    let found = judged(&[claim(LINT, "Lint is clean.")], &[], &own(), false).findings;
    assert!(
        found[0]
            .instead
            .as_deref()
            .is_some_and(|i| i.starts_with("Run the linter and"))
    );
}

#[test]
fn a_run_whose_result_was_not_seen_is_not_asked_for_once_more_as_it_was() {
    let told = |check: &str, command: &str, end: End, korean: bool| {
        let mut run = run(check, CheckKind::Tests, "t");
        run.command = command.to_owned();
        run.end = Some(end);
        run.summary = None;
        let found = judged(&[claim(TESTS, "Tests pass.")], &[run], &[], korean).findings;
        (found[0].message.clone(), found[0].instead.clone().unwrap())
    };
    let silent = told("npx jest", "npx jest", End::Silent, false);
    assert!(
        silent.0.contains(
            "the last `npx jest` ended with 0 and printed no result, which its settings may lead into a file"
        ),
        "{silent:?}"
    );
    for (check, command, end, expected) in [
        (
            "npx jest",
            "npx jest",
            End::Silent,
            "Run `npx jest` with `--reporters=default`, so that its result is printed and report",
        ),
        (
            "pytest -q",
            "pytest -q",
            End::Silent,
            "Run `pytest -q` with `--verbosity=0`, so that its result is printed and report",
        ),
        // A report that the settings name.
        (
            "mocha",
            "mocha",
            End::Hidden,
            "Run `mocha` with `--reporter=spec`, so that its result is printed and report",
        ),
        // Led elsewhere by the line, by an option, or by nobody knows what.
        (
            "pytest",
            "pytest > log",
            End::Hidden,
            "Run `pytest` so that its result is printed, without `>` and without an option or a setting",
        ),
        (
            "jest --json",
            "jest --json",
            End::Hidden,
            "Run `jest --json` so that its result is printed, without",
        ),
        (
            "cargo test",
            "cargo test",
            End::Silent,
            "Run `cargo test` so that its result is printed, without",
        ),
    ] {
        let (_, instead) = told(check, command, end, false);
        assert!(instead.starts_with(expected), "{command}: {instead}");
    }
    let korean = told("npx jest", "npx jest", End::Silent, true);
    assert!(
        korean
            .1
            .starts_with("`npx jest` 명령에 `--reporters=default` 옵션을 붙여"),
        "{korean:?}"
    );
    assert!(korean.0.contains("설정에 따라 파일로"), "{korean:?}");
    let korean = told("pytest", "pytest > log", End::Hidden, true);
    assert!(
        korean.1.starts_with("`pytest` 명령을 결과가 출력되도록("),
        "{korean:?}"
    );
}

#[test]
fn what_cannot_be_told_is_no_verdict() {
    let mut unknown = run("cargo test", CheckKind::Tests, "t");
    unknown.after = None;
    let judged = judged(&[claim(TESTS, "Tests pass.")], &[unknown], &[], false);
    assert!(judged.findings.is_empty());
    assert_eq!(
        judged.could_not_run.as_deref(),
        Some("it cannot be told whether files changed since `cargo test` was run")
    );
}

/// What is required, for which globs, what changed, how the review stands, and the rules that object.
type Row<'a> = (
    Require,
    &'a [&'a str],
    &'a [&'a str],
    ReviewStanding,
    &'a [&'a str],
);

#[test]
fn changes_need_a_review_where_the_policy_wants_one() {
    let stale = ReviewStanding::Stale {
        changed: vec!["src/b.rs".to_owned()],
    };
    let stakes = &["deploy/**"][..];
    let rules = |require, paths: &[&str], changed: &[&str], review: &ReviewStanding| {
        let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let judged = judge(&Question {
            text: "",
            claims: &[],
            earlier: &[],
            unread: false,
            runs: &[],
            now: Now {
                tree: None,
                writes: 0,
                changed_since: &|_| None,
            },
            require,
            paths: &own(paths),
            high_stakes: &own(stakes),
            changed: &own(changed),
            places: &[],
            own: &[],
            review,
            korean: false,
        });
        judged.findings.into_iter().map(|f| f.rule).collect::<Vec<_>>()
    };
    let one = ReviewStanding::ApprovedByOne {
        by: "a reviewer".to_owned(),
    };
    let table: [Row<'_>; 17] = [
        (Require::Never, &[], &["a"], ReviewStanding::None, &[]),
        (Require::Claims, &[], &["a"], ReviewStanding::None, &[]),
        (Require::Changes, &[], &[], ReviewStanding::None, &[]),
        (
            Require::Changes,
            &[],
            &["a"],
            ReviewStanding::None,
            &["approval/not_approved"],
        ),
        (
            Require::Changes,
            &[],
            &["a"],
            ReviewStanding::Pending,
            &["approval/not_approved"],
        ),
        (Require::Changes, &[], &["a"], ReviewStanding::InReview, &[]),
        (Require::Changes, &[], &["a"], ReviewStanding::Approved, &[]),
        (Require::Changes, &[], &["a"], ReviewStanding::Released, &[]),
        (Require::Changes, &[], &["a"], ReviewStanding::Escalated, &[]),
        (Require::Changes, &[], &["a"], stale, &["approval/stale"]),
        (
            Require::Changes,
            &[],
            &["a"],
            ReviewStanding::Rejected { open: 2 },
            &["approval/rejected"],
        ),
        (
            Require::Paths,
            &["src/auth/**"],
            &["docs/a.md"],
            ReviewStanding::None,
            &[],
        ),
        (
            Require::Paths,
            &["src/auth/**"],
            &["src/auth/b.rs"],
            ReviewStanding::None,
            &["approval/not_approved"],
        ),
        (Require::Paths, &[], &["src/auth/b.rs"], ReviewStanding::None, &[]),
        // What is high-stakes needs a review wherever others do.
        (
            Require::Paths,
            &["src/auth/**"],
            &["deploy/a.yaml"],
            ReviewStanding::None,
            &["approval/not_approved"],
        ),
        (
            Require::Paths,
            &[],
            &["deploy/a.yaml"],
            one.clone(),
            &["approval/approved_by_one"],
        ),
        (Require::Claims, &[], &["deploy/a.yaml"], one, &[]),
    ];
    for (require, paths, changed, review, expected) in table {
        assert_eq!(
            rules(require, paths, changed, &review),
            expected,
            "{require:?} {paths:?} {changed:?} {review:?}"
        );
    }
}

struct Seen {
    runs: Result<Vec<CheckRun>, GateError>,
    tree: Option<TreeId>,
    changed: Vec<String>,
    review: ReviewStanding,
}

impl World for Seen {
    fn changed_files(&self, _: &Task) -> Result<Vec<String>, GateError> {
        Ok(self.changed.clone())
    }

    fn runs(&self) -> Result<Vec<CheckRun>, GateError> {
        self.runs.clone()
    }

    fn tree_id(&self) -> Option<TreeId> {
        self.tree.clone()
    }

    fn review(&self, _: bool) -> Result<ReviewStanding, GateError> {
        Ok(self.review.clone())
    }
}

fn checked(text: &str, require: Require, seen: &Seen) -> Result<Outcome, GateError> {
    let event = Event {
        host: "test".to_owned(),
        native: "Stop".to_owned(),
        session: "s".to_owned(),
        agent: None,
        cwd: "/".to_owned(),
        turn: None,
        kind: EventKind::TurnEnd {
            text: text.to_owned(),
            again: false,
            background: 0,
        },
        input: Digest::of(b""),
    };
    let task = Task {
        id: Id::from_parts(0, [0; 10]),
        words: String::new(),
        origin: TaskOrigin::Prompt,
        outline: Outline::default(),
        base: None,
        dirty: Vec::new(),
    };
    let gate = Approval {
        known: true,
        earlier: Vec::new(),
        require,
        paths: Vec::new(),
        high_stakes: Vec::new(),
        own: Vec::new(),
        on_error: OnError::Block,
    };
    gate.check(&Context {
        event: &event,
        audience: Audience::Human,
        task: Some(&task),
        checklist: &[],
        created: &[],
        thoughts: &[],
        steps: &[],
        world: seen,
    })
}

#[test]
fn the_gate_asks_the_world_only_for_what_it_needs() {
    let blind = || Seen {
        runs: Err(GateError::new("the state is gone")),
        tree: None,
        changed: Vec::new(),
        review: ReviewStanding::None,
    };
    // Nothing is claimed: no fact is needed.
    let plain = "I moved the parser into its own file.";
    assert_eq!(checked(plain, Require::Claims, &blind()).unwrap().findings, []);
    assert_eq!(
        checked("The task is complete.", Require::Claims, &blind())
            .unwrap()
            .findings,
        []
    );
    // A claim without facts is no verdict.
    let claim = "I moved the parser. All tests pass.";
    assert_eq!(
        checked(claim, Require::Claims, &blind()).unwrap_err().to_string(),
        "the state is gone"
    );
    assert_eq!(checked(claim, Require::Never, &blind()).unwrap().findings, []);
    let seen = |tree: &str| Seen {
        runs: Ok(vec![run("cargo test", CheckKind::Tests, "t")]),
        tree: Some(TreeId::from_text(tree)),
        changed: vec!["src/parser.rs".to_owned()],
        review: ReviewStanding::Pending,
    };
    let good = checked(claim, Require::Claims, &seen("t")).unwrap();
    assert_eq!(good.findings, []);
    assert_eq!(good.data["claims"][0]["reason"], "supported");
    let stale = checked(claim, Require::Changes, &seen("edited")).unwrap();
    let rules: Vec<&str> = stale.findings.iter().map(|f| f.rule.as_str()).collect();
    assert_eq!(rules, ["approval/unsupported_claim", "approval/not_approved"]);
    assert_eq!(stale.data["review"]["state"], "pending");
}

#[test]
fn a_part_supports_what_is_said_of_that_part() {
    let part = |check: &str, passed: Option<u64>| {
        let mut run = run(check, CheckKind::Tests, "t");
        run.partial = true;
        run.summary = passed.map(|passed| proctor_kernel::Summary {
            passed: Some(passed),
            failed: Some(0),
            ..proctor_kernel::Summary::default()
        });
        run
    };
    let mut wrong = String::new();
    for (text, check, passed, holds) in [
        ("All tests pass.", "cargo test -p parser", None, false),
        ("Tests pass.", "cargo test -p parser", None, false),
        ("All tests pass. Done.", "cargo test nothing", None, false),
        ("All 100 tests pass.", "cargo test one_name", Some(1), false),
        (
            "The full suite passes: all tests are green.",
            "pytest tests/test_io.py",
            None,
            false,
        ),
        (
            "모든 테스트가 통과했습니다.",
            "pytest tests/test_io.py",
            None,
            false,
        ),
        ("테스트가 통과했습니다.", "pytest tests/test_io.py", None, false),
        (
            "I ran the part.\n\nAll tests pass.\n\nThe parser is mended.",
            "cargo test -p parser",
            None,
            false,
        ),
        ("The parser tests pass.", "cargo test -p parser", None, true),
        ("All parser tests pass.", "cargo test -p parser", None, true),
        (
            "`cargo test -p parser`: all tests pass.",
            "cargo test -p parser",
            None,
            true,
        ),
        (
            "I ran `pytest tests/test_io.py`.\n\nTests pass.",
            "pytest tests/test_io.py",
            None,
            true,
        ),
        ("The new tests pass.", "pytest tests/test_io.py", None, true),
        ("All 12 tests pass.", "pytest tests/test_io.py", Some(12), true),
        (
            "추가한 테스트가 통과했습니다.",
            "pytest tests/test_io.py",
            None,
            true,
        ),
        (
            "test_io 테스트가 모두 통과했습니다.",
            "pytest tests/test_io.py",
            None,
            true,
        ),
    ] {
        let reading = read_shared(text, &Extra::default());
        let claims = claims(text, &reading);
        if !claims.iter().any(|c| c.kind == TESTS) {
            wrong += &format!("{text}: claims nothing\n");
            continue;
        }
        let here = TreeId::from_text("t");
        let runs = [part(check, passed)];
        let judged = judge(&Question {
            text,
            claims: &claims,
            earlier: &[],
            runs: &runs,
            unread: false,
            now: Now {
                tree: Some(&here),
                writes: 0,
                changed_since: &|_| None,
            },
            require: Require::Claims,
            paths: &[],
            high_stakes: &[],
            changed: &[],
            own: &[],
            places: &[],
            review: &ReviewStanding::None,
            korean: false,
        });
        if judged.findings.is_empty() != holds {
            wrong += &format!("{text} ({check}): {:?}\n", judged.findings);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
