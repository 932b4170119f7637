//! What counts as a claim, and what only looks like one.

use crate::approval::claims;
use proctor_prose::read;
use proptest::prelude::*;

/// The kinds that a text claims, in the order of the text.
fn kinds(text: &str) -> Vec<&'static str> {
    let found = claims(text, &read(text));
    for claim in &found {
        assert_eq!(
            text.get(claim.span.start..claim.span.end),
            Some(claim.span.text.as_str())
        );
    }
    let mut out: Vec<&'static str> = found.iter().map(|c| c.kind.as_str()).collect();
    out.dedup();
    out
}

#[test]
fn statements_of_the_present_are_claims() {
    let table: &[(&str, &[&str])] = &[
        ("All 12 tests are green.", &["tests"]),
        ("테스트 12개 전부 통과했습니다.", &["tests"]),
        ("I ran cargo test: 12 passed, 0 failed.", &["tests"]),
        ("cargo test 돌렸고 12 passed, 0 failed입니다.", &["tests"]),
        ("It builds cleanly.", &["build"]),
        ("빌드 성공.", &["build"]),
        ("컴파일 잘 됩니다.", &["build"]),
        ("The type check passes.", &["types"]),
        ("타입 체크 통과했습니다.", &["types"]),
        ("cargo clippy shows no warnings.", &["lint"]),
        ("린트 깨끗합니다.", &["lint"]),
        ("I verified that it works.", &["verified"]),
        ("Tested end to end.", &["verified"]),
        ("검증 완료했습니다.", &["verified"]),
        ("동작 확인했습니다.", &["verified"]),
        ("The task is complete.", &["done"]),
        ("Everything is implemented.", &["done"]),
        ("작업 완료했습니다.", &["done"]),
        ("모든 작업이 끝났습니다.", &["done"]),
        ("Build and tests pass.", &["tests", "build"]),
        ("| lint | clean |\n| tests | 4 passed |", &["lint", "tests"]),
        // A failure that was mended.
        (
            "Two tests failed at first; after the fix all tests pass.",
            &["tests"],
        ),
        ("테스트 2개가 실패했는데 고친 뒤에는 전부 통과합니다.", &["tests"]),
        // A check that is named is what was verified.
        ("I verified it: all tests pass.", &["tests"]),
    ];
    for (text, expected) in table {
        assert_eq!(&kinds(text), expected, "{text}");
    }
}

/// A table: what is claimed, with commas, or `-`; a tab; and the text, whose line ends are written `\\n`.
#[test]
fn stock_sentences_are_read_and_their_neighbours_are_not() {
    for line in include_str!("plain.txt").lines().filter(|l| !l.starts_with('#')) {
        let (expected, text) = line.split_once('\t').expect(line);
        let text = text.replace("\\n", "\n");
        let mut found = kinds(&text);
        let mut expected: Vec<&str> = expected.split(',').filter(|e| *e != "-").collect();
        found.sort_unstable();
        expected.sort_unstable();
        if found != expected {
            println!("BAD {found:?} {expected:?} {text}");
        }
    }
}

#[test]
fn what_is_not_said_of_the_work_as_it_is_now_is_no_claim() {
    let table = [
        // denied
        "The tests do not pass yet.",
        "I did not run the tests.",
        "No tests were run.",
        "테스트는 통과하지 않습니다.",
        "테스트를 돌리지 못했습니다.",
        "This is untested.",
        // failed
        "3 tests fail.",
        "41 passed, 2 failed.",
        "33 of 34 tests pass.",
        "34개 중 33개 통과했습니다.",
        "테스트 3개가 실패합니다.",
        "All tests pass except the slow ones.",
        // announced
        "I will run the tests now.",
        "테스트를 돌려보겠습니다.",
        "Next: make sure all tests pass.",
        // conditional
        "Once the tests pass, merge it.",
        "테스트가 통과하면 머지해 주세요.",
        "테스트가 통과해야 합니다.",
        "All tests must pass.",
        // asked
        "Do the tests pass?",
        "테스트 통과하나요?",
        // heard
        "You said the tests pass.",
        "CI says the tests pass.",
        "According to the log, the tests pass.",
        "테스트가 통과한다고 하셨습니다.",
        // hedged
        "The tests should pass.",
        "It probably builds.",
        "테스트는 통과할 것 같습니다.",
        // told to do
        "Run cargo test to check that everything passes.",
        "`make test`로 확인해 주세요.",
        // quoted, logged, coded
        "The readme says \"all tests pass\".",
        "> all tests pass",
        "```\n12 passed\n```",
        "    test result: ok. 12 passed",
        "- [ ] tests pass",
        // before
        "Before my change the tests passed.",
        "수정 전에는 테스트가 통과했습니다.",
        // elsewhere
        "The tests pass in the upstream repository.",
        // a topic
        "I added tests for the parser.",
        "파서 테스트를 추가했습니다.",
        "The build script reads the version.",
        // a part
        "Step 1 of 3 is done.",
        "The parser is done.",
        "파서까지는 완료했습니다.",
        // reading
        "I verified in the manual that the flag exists.",
        "관련 코드를 모두 확인했습니다.",
        "Confirmed. I will do that.",
        "",
    ];
    for text in table {
        assert_eq!(kinds(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn a_later_failure_takes_a_claim_back() {
    assert_eq!(kinds("The tests pass. Later two tests fail."), Vec::<&str>::new());
    assert_eq!(
        kinds("The task is complete. The migration still remains."),
        Vec::<&str>::new()
    );
}

proptest! {
    #[test]
    fn any_text_is_read_and_places_lie_in_it(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "tests", "pass", "not ", "통과", "했습니다", "34", " of ", "35", ".", "\n", "- [ ] ", "| ", "|", "`cargo test`", ":", "없이",
                "오류", "no ", "errors", "verified", "검증", "완료", "done", "😀", "\u{200b}", "```\n", "> ", "0", "/", "failed", "before", "?",
            ]),
            0..40,
        )
    ) {
        kinds(&parts.join(" "));
        kinds(&parts.concat());
    }
}

/// The runs that a text tells of without saying what came of them.
fn told(text: &str) -> Vec<&'static str> {
    let report = crate::approval::find::report(text, &read(text));
    let told = report.claims.iter().filter(|c| !c.kind.holds());
    told.map(|c| c.kind.as_str()).collect()
}

#[test]
fn runs_are_told_without_their_result() {
    let table: &[(&str, &[&str])] = &[
        ("I ran the tests.", &["ran_tests"]),
        ("I ran the tests and two of them fail.", &["ran_tests"]),
        ("I re-ran the unit tests twice.", &["ran_tests"]),
        ("Ran `cargo test` locally.", &["ran_tests"]),
        ("I fixed the parser and ran the linter.", &["ran_lint"]),
        ("테스트를 실행했습니다.", &["ran_tests"]),
        ("전체 테스트를 돌렸습니다.", &["ran_tests"]),
        ("`cargo test`를 실행했습니다.", &["ran_tests"]),
        ("파서를 고치고 린트를 돌렸습니다.", &["ran_lint"]),
        // The result says it.
        ("I ran the tests and they pass.", &[]),
        // Another thing, another's, not yet, not at all.
        ("I ran the test generator.", &[]),
        ("I ran the test server for a while.", &[]),
        ("I ran into a test problem.", &[]),
        ("CI ran the tests.", &[]),
        ("The hook ran the tests.", &[]),
        ("You ran the tests.", &[]),
        ("Minji ran the tests.", &[]),
        ("I have not run the tests.", &[]),
        ("I did not run the tests.", &[]),
        ("I will run the tests.", &[]),
        ("Run the tests.", &[]),
        ("Before my change I ran the tests.", &[]),
        ("Did I say that I ran the tests?", &[]),
        ("If I ran the tests now, they would fail.", &[]),
        ("테스트 서버를 실행했습니다.", &[]),
        ("테스트 스크립트를 실행했습니다.", &[]),
        ("테스트를 실행하지 않았습니다.", &[]),
        ("테스트를 실행하지 못했습니다.", &[]),
        ("테스트를 실행하겠습니다.", &[]),
        ("CI가 테스트를 실행했습니다.", &[]),
        ("- [ ] I ran the tests", &[]),
    ];
    let wrong = table.iter().filter(|(text, expected)| &told(text) != expected);
    let wrong: Vec<&str> = wrong.map(|(text, _)| *text).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_pasted_end_of_a_run_is_told_as_the_writers_own() {
    const PYTEST: &str = "```\n===== 12 passed in 0.40s =====\n```";
    const UNITTEST: &str = "```\n$ python3 -m unittest\n..\n------\nRan 2 tests in 0.001s\n\nOK\n```";
    let own = [
        format!("Here is the result of the test run:\n\n{PYTEST}"),
        format!("I ran the tests:\n\n{PYTEST}"),
        format!("Test output:\n\n{PYTEST}"),
        format!("테스트 실행 결과:\n\n{PYTEST}"),
        format!("I ran `pytest -q`:\n\n{PYTEST}"),
        format!("## Result\n\n{UNITTEST}"),
        UNITTEST.to_owned(),
    ];
    let shown = |text: &&String| told(text).contains(&"shown");
    let missed: Vec<&String> = own.iter().filter(|t| !shown(t)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let others = [
        // Nobody says whose it is.
        PYTEST.to_owned(),
        format!("The parser is fixed.\n\n{PYTEST}"),
        // A plan, a form, another's words, another time, another machine, a failure.
        format!("You should then see:\n\n{PYTEST}"),
        format!("The output should look like this:\n\n{PYTEST}"),
        format!("Example output:\n\n{PYTEST}"),
        format!("The CI output:\n\n{PYTEST}"),
        format!("The log that you posted:\n\n{PYTEST}"),
        format!("The reporter's test output:\n\n{UNITTEST}"),
        format!("Before the change the test output was:\n\n{PYTEST}"),
        format!("## Expected output\n\n{UNITTEST}"),
        format!("Run the tests:\n\n{UNITTEST}"),
        format!("예상 출력:\n\n{PYTEST}"),
        format!("CI 실행 결과:\n\n{PYTEST}"),
        "I ran the tests:\n\n```\n===== 2 failed, 10 passed in 0.50s =====\n```".to_owned(),
        "I ran the tests:\n\n```\nall good\n```".to_owned(),
        format!("I did not run the tests. The last output was:\n\n{PYTEST}"),
    ];
    let wrong: Vec<&String> = others.iter().filter(shown).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn marks_and_denied_failures_claim_what_they_stand_by() {
    let mut wrong = Vec::new();
    for line in include_str!("marked.txt").lines().filter(|l| !l.starts_with('#')) {
        let (expected, text) = line.split_once('\t').unwrap();
        let mut expected: Vec<&str> = expected.split(',').filter(|kind| *kind != "-").collect();
        let mut found = kinds(&text.replace("\\n", "\n"));
        for list in [&mut expected, &mut found] {
            list.sort_unstable();
            list.dedup();
        }
        if found != expected {
            wrong.push(format!("{found:?} {line}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_data_reports_is_claimed() {
    let kinds = |text: &str| {
        let found = claims(text, &proctor_prose::read(text));
        found
            .iter()
            .map(|c| c.kind.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (text, claimed) in [
        (
            "{\"verdict\":\"APPROVE\",\"evidence\":[\"npm test: 40 passed\"]}",
            "tests",
        ),
        (
            "{\"verdict\":\"APPROVE\",\"tests\":{\"command\":\"npm test\",\"passed\":12,\"failed\":0}}",
            "tests",
        ),
        (
            "```json\n{\"verdict\":\"APPROVE\",\"evidence\":[{\"command\":\"npm test\",\"result\":\"40 passed, 0 failed\"}]}\n```",
            "tests",
        ),
        ("{\"판정\":\"승인\",\"근거\":\"테스트 40개 통과\"}", "tests"),
        ("{\"status\":\"done\",\"tests\":\"40 passed, 0 failed\"}", "tests"),
        (
            "VERDICT: APPROVE\n\n```\ntest result: ok. 31 passed; 0 failed\n```",
            "tests",
        ),
        // A fence or data that is only shown claims nothing.
        (
            "The runner prints this:\n\n```\ntest result: ok. 31 passed; 0 failed\n```",
            "",
        ),
        (
            "Example of the output:\n\n{\"tests\":\"40 passed, 0 failed\"}",
            "",
        ),
        (
            "{\"verdict\":\"NEEDS_REVIEW\",\"reason\":\"a race in net.rs\"}",
            "",
        ),
    ] {
        assert_eq!(kinds(text), claimed, "{text}");
    }
}

/// What one of the two readers of an approval takes for a check that passed, the other does as well.
#[test]
fn evidence_of_an_approval_is_claimed_and_the_other_way_round() {
    let checks = ["tests", "build", "types", "lint"];
    let mut wrong = Vec::new();
    for line in include_str!("../both.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let (expected, text) = line.split_once('\t').unwrap();
        let text = text.replace("\\n", "\n");
        let sorted = |mut list: Vec<String>| {
            list.retain(|kind| checks.contains(&kind.as_str()));
            list.sort_unstable();
            list.dedup();
            list
        };
        let expected = sorted(expected.split(',').map(str::to_owned).collect());
        let settings = proctor_policy::Settings::default().review;
        let judged = crate::review::judge_on(&text, &settings, &|| crate::review::Occasion::Review);
        let evidence = sorted(judged.evidence.iter().map(|s| s.label.clone()).collect());
        let claimed = claims(&text, &read(&text));
        let claimed = sorted(claimed.iter().map(|c| c.kind.as_str().to_owned()).collect());
        let passes = judged.verdict == proctor_kernel::Verdict::Pass;
        if evidence != expected || claimed != expected || passes == expected.is_empty() {
            wrong.push(format!("evidence {evidence:?}, claims {claimed:?}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
