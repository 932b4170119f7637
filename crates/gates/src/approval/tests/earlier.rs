//! What later texts of a turn take back.

use crate::approval::earlier::{Earlier, standing};
use crate::approval::find::report;
use proctor_prose::read;

/// The kinds of the claims of `earlier` that stand when the turn ends with `last`, latest first.
fn left(earlier: &[&str], last: &str) -> Vec<&'static str> {
    let earlier: Vec<Earlier> = earlier
        .iter()
        .map(|text| Earlier {
            text: (*text).to_owned(),
            writes: 1,
            last: None,
        })
        .collect();
    let standing = standing(&earlier, &report(last, &read(last)), 1);
    standing.iter().map(|s| s.claim.kind.as_str()).collect()
}

#[test]
fn a_claim_stands_until_a_later_text_takes_it_back() {
    let table: &[(&[&str], &str, &[&str])] = &[
        (&["All tests pass."], "calc.py is changed.", &["tests"]),
        (
            &["테스트가 모두 통과합니다."],
            "calc.py를 고쳤습니다.",
            &["tests"],
        ),
        (
            &["All tests pass and the build is clean."],
            "It is in place.",
            &["tests", "build"],
        ),
        (&["The work is complete."], "It is in place.", &["done"]),
        // Another check fails, and other things are not done.
        (&["All tests pass."], "The build fails.", &["tests"]),
        (&["All tests pass."], "I did not change the reader.", &["tests"]),
        (
            &["All tests pass."],
            "The old code failed on an empty list; now it does not.",
            &["tests"],
        ),
        // Taken back.
        (&["All tests pass."], "Two tests fail now.", &[]),
        (&["All tests pass."], "I have not run the tests.", &[]),
        (&["All tests pass."], "Correction: I did not run anything.", &[]),
        (
            &["All tests pass.", "test_b fails: 1 test failed."],
            "calc.py is changed.",
            &[],
        ),
        (&["테스트가 모두 통과합니다."], "테스트 2개가 실패합니다.", &[]),
        (
            &["테스트가 모두 통과합니다."],
            "테스트는 실행하지 않았습니다.",
            &[],
        ),
        (&["I verified it: it works."], "I have not verified it.", &[]),
        (&["동작 확인했습니다."], "아직 검증하지 않았습니다.", &[]),
        // Said again by the last text, it is judged with that.
        (&["All tests pass."], "Tests pass.", &[]),
        // An announcement is none.
        (&["I will make sure that all tests pass."], "It is in place.", &[]),
        (&["Let me check whether the tests pass."], "It is in place.", &[]),
    ];
    for (earlier, last, expected) in table {
        assert_eq!(&left(earlier, last), expected, "{earlier:?} / {last}");
    }
}
