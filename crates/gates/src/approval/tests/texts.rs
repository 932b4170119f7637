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
