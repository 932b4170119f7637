//! Words of approval as labels of fields, and their honest twins.

use super::field::{BEFORE, CHECKS, LABELS};
use super::judge;
use proctor_policy::Settings;

/// Whether a text approves, and whether it refuses.
fn read(text: &str) -> (bool, bool) {
    let j = judge(text, &Settings::default().review);
    (j.is_approval, j.refuses)
}

#[track_caller]
fn all(texts: &[&str], holds: fn((bool, bool)) -> bool) {
    let wrong: Vec<_> = texts.iter().filter(|t| !holds(read(t))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_field_that_denies_is_a_refusal() {
    all(
        &[
            "approved: false\nreason: no test",
            "approved: false\nreason: I ran cargo test, 3 of 40 failed",
            "approved: false\nevidence: ran `cargo test`: 37 passed, 3 failed; read src/a.rs",
            "approved: no",
            "approve: false",
            "lgtm: no",
            "LGTM: no",
            "**Approved:** no\n\nThe diff lacks a test.",
            "**Approved**: No",
            "approved = false",
            "approved=false",
            "approved : false",
            "\"approved\": \"no\"",
            "- approved: no",
            "## Approved: no",
            "Approved (yes/no): no",
            "approved: no. I read src/a.rs and ran cargo test: 40 passed, but the lock is wrong.",
            "Approved: no, the lock is wrong",
            "Approved: no because the lock is wrong",
            "Approved: no - the lock is wrong",
            "approved: no # 3 of 40 failed",
            "verdict:\n  approved: false\n  checked: src/a.rs, cargo test (40 passed)",
            "Approved: rejected",
            "Approval: denied",
            "Approval: none",
            "Approved by: nobody",
            "approved_by: none",
            "Approved: not granted",
            "Approved: ❌",
            "| check | result |\n|---|---|\n| approved | no |",
            "| approved | no |\n|---|---|\n| checked | cargo test |",
            "| field | value |\n|---|---|\n| approved | rejected |",
            "approved | no",
            "I read the diff.\n\napproved: false",
            "approved: yes\n\nOn second thoughts:\n\napproved: no",
            "승인: 불가 (테스트 3개 실패)",
            "승인: 반려",
            "승인: 거절합니다. 테스트가 없습니다.",
            "승인: 아니오",
            "승인: 아니요",
            "승인 여부: 아니요, 테스트가 없습니다.",
            "승인: 미승인",
            "승인: false",
            "승인: X",
            "승인 여부: X (테스트 없음)",
            "**승인**: 불가",
            "- 승인: 불가\n- 이유: 테스트 없음",
            "| 항목 | 값 |\n|---|---|\n| 승인 | 불가 |",
        ],
        |read| read == (false, true),
    );
}

#[test]
fn a_field_that_leaves_open_is_no_approval() {
    all(
        &[
            "approved: pending",
            "approved: null",
            "approved: TBD",
            "approved: n/a",
            "approved: not yet",
            "Approval: on hold until the tests pass",
            "| field | value |\n|---|---|\n| approved | pending |",
            "승인: 보류",
            "승인: 보류 중",
            "승인: 대기",
            "승인: 대기 중입니다.",
            "승인 여부: 미정",
            "pass: false",
            "OK: no",
        ],
        |(approves, _)| !approves,
    );
}

#[test]
fn a_field_that_approves_stays_an_approval() {
    all(
        &[
            "approved: true",
            "approved: yes",
            "Approved: ✅",
            "Approved: no issues found, ran cargo test: 12 passed",
            "Approved: no blockers",
            "Approved: no blockers, no nits.",
            "Approved: none of the findings block this.",
            "Approved: false alarms only, ran cargo test: 12 passed",
            "Approved: nothing to add.",
            "Approved: not a single test failed (cargo test: 12 passed).",
            "Approved:\n- read src/a.rs\n- cargo test: 12 passed",
            "| Verdict | Blockers |\n|---|---|\n| APPROVE | none |",
            "| Verdict | Blockers |\n|---|---|\n| Approved | No |",
            "VERDICT: APPROVE\n\n```yaml\napproved: false\n```",
            "VERDICT: APPROVE\n\n> approved: no\n\nThat is done.",
            "Last round:\n\napproved: false\n\nNow:\n\nVERDICT: APPROVE",
            "approved: no\n\nAfter the mend:\n\napproved: yes",
            "VERDICT: APPROVE. The new default is\n\n`approved: false` for guests.",
            "VERDICT: APPROVE.\n\n`approved: false`, which is the default, is tested: 12 passed.",
            "VERDICT: APPROVE\npass: no",
            "Looks good to me.\n\nPassed: 0",
            "승인: 예",
            "승인 여부: O. 테스트 12개 통과를 확인했습니다. 승인합니다.",
            "승인: 문제 없음",
            "승인: 반려 사유 없음, 테스트 12개 통과",
            "승인합니다. 보류 항목은 없습니다.",
        ],
        |(approves, _)| approves,
    );
}

#[test]
fn what_is_refused_or_open_is_not_replaced() {
    let j = judge(
        "approved: no\n\nNow: VERDICT: APPROVE",
        &Settings::default().review,
    );
    let said: Vec<_> = j.approvals.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(said, ["APPROVE"]);
}

#[test]
fn only_letters_of_ascii_become_the_letters_of_a_label() {
    let small = |c: char| {
        c.to_lowercase()
            .next()
            .filter(|s| s.is_ascii() && c.to_lowercase().count() == 1)
    };
    let others: Vec<char> = ('\u{80}'..=char::MAX).filter_map(small).collect();
    // The sign of the unit kelvin.
    assert_eq!(others, ['k']);
    for label in LABELS.iter().chain(&CHECKS).chain(&BEFORE) {
        assert!(!label.chars().skip(2).any(|c| others.contains(&c)), "{label}");
    }
}
