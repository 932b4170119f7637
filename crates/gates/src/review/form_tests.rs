//! Verdicts in fences and data, and what takes an approval back.

use super::decide::Occasion;
use super::{Judgement, judge, judge_on};
use proctor_kernel::Verdict;
use proctor_policy::Settings;

fn of(text: &str) -> Judgement {
    judge(text, &Settings::default().review)
}

fn approved(text: &str) -> (bool, bool) {
    let judged = of(text);
    (judged.is_approval, judged.verdict == Verdict::Pass)
}

#[test]
fn a_verdict_in_a_fence_is_one() {
    for text in [
        "```json\n{\"verdict\": \"APPROVE\", \"evidence\": []}\n```",
        "```\nVERDICT: APPROVE\n```",
        "```yaml\nverdict: approve\n```",
        "~~~\nVERDICT: APPROVE\n~~~",
        "```json\n{\"verdict\": \"APPROVE\", \"file\": \"src/a.rs\", \"note\": \"a | b\"}\n```",
        "I had no time to run anything.\n\n```json\n{\"verdict\": \"APPROVE\"}\n```",
        "```json\n{\"판정\": \"승인\", \"근거\": \"\"}\n```",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
    }
    let supported =
        "```json\n{\"verdict\": \"APPROVE\", \"evidence\": \"npm test: 12 passed, 0 failed\"}\n```";
    let judged = of(supported);
    assert_eq!((judged.is_approval, judged.verdict), (true, Verdict::Pass));
    // Places are those of the text as it was written.
    for span in judged.approvals.iter().chain(&judged.evidence) {
        assert_eq!(supported.get(span.start..span.end), Some(span.text.as_str()));
    }
    assert_eq!(judged.approvals.first().map(|s| s.text.as_str()), Some("APPROVE"));
}

#[test]
fn a_refusal_in_a_fence_wins() {
    for text in [
        "Approved. All 31 tests pass.\n\n```json\n{\"verdict\": \"REJECT\", \"reason\": \"race\"}\n```",
        "LGTM, build ok.\n\n```\nVERDICT: REJECT\n```",
        "Here is my verdict:\n\n```json\n{\"verdict\": \"reject\"}\n```",
        "검토 의견입니다.\n\n```json\n{\"verdict\": \"REJECT\"}\n```",
        "Verdict:\n\n{\"approved\": true}\n\nFinal verdict:\n\n{\"approved\": false}",
        "{\"approved\": true}\n\n{\"approved\": false}",
        "{\"approved\": true}\n{\"approved\": false}",
        "```json\n{\"verdict\": \"approve\"}\n{\"verdict\": \"reject\"}\n```",
    ] {
        assert_eq!(approved(text), (false, true), "{text}");
        assert!(of(text).refuses, "{text}");
    }
}

#[test]
fn what_a_fence_shows_is_no_verdict() {
    for text in [
        "Answer in this format:\n\n```\nVERDICT: APPROVE\n```",
        "아래 형식으로 쓰세요:\n\n```\nVERDICT: APPROVE\n```",
        "Answer with:\n\n```json\n{\"verdict\": \"APPROVE | REJECT\"}\n```",
        "```json\n{\"verdict\": \"<APPROVE or REJECT>\"}\n```",
        "```rust\nlet verdict = APPROVE;\n```",
        "The config is now:\n\n```yaml\nverdict: strict\napprove: true\n```\n\nThe parser's tests read it.",
    ] {
        assert_eq!(approved(text), (false, true), "{text}");
    }
}

#[test]
fn fields_of_a_verdict_tell_what_it_rests_on() {
    for (text, passes) in [
        (
            "{\"verdict\": \"APPROVE\", \"tests_passed\": 12, \"tests_failed\": 0}",
            true,
        ),
        (
            "{\"verdict\": \"APPROVE\", \"evidence\": {\"tests\": {\"passed\": 12, \"failed\": 0}}}",
            true,
        ),
        ("{\"verdict\": \"APPROVE\", \"exit_code\": 0}", true),
        (
            "{\"verdict\": \"APPROVE\", \"tests_passed\": 12, \"tests_failed\": 2}",
            false,
        ),
        (
            "{\"verdict\": \"APPROVE\", \"tests_passed\": 12, \"max_failures\": 5}",
            true,
        ),
        ("{\"판정\": \"승인\", \"통과\": 12, \"허용 실패\": 3}", true),
        ("{\"verdict\": \"APPROVE\", \"exit_code\": 1}", false),
        ("{\"verdict\": \"APPROVE\", \"passed\": 0, \"failed\": 0}", false),
        ("{\"verdict\": \"APPROVE\", \"attempt\": 3}", false),
    ] {
        assert_eq!(approved(text), (true, passes), "{text}");
    }
}

#[test]
fn what_is_taken_back_is_not_given() {
    for text in [
        "Approved. 12 tests pass. Scratch that, the header is missing.",
        "Approved. 12 tests pass. I take that back.",
        "승인합니다. 테스트 12개 통과. 아, 취소합니다. 헤더가 빠졌네요",
        "12 tests pass, approved.\n\n**Blocking issues**\n- crash when the list is empty",
        "12 tests pass, approved.\n\n## Must fix\n\n1. crash when the list is empty",
        "승인합니다. 12개 통과.\n\n필수 수정:\n- 빈 목록에서 죽는 문제",
    ] {
        assert_eq!(approved(text), (false, true), "{text}");
        assert!(of(text).refuses, "{text}");
    }
    for text in [
        "Approved, 12 tests pass. Clicking cancel cancels it.",
        "Approved, 12 tests pass. Users can cancel it.",
        "Approved, 12 tests pass. The shop must take it back.",
        "승인합니다. 12개 통과. 주문을 취소합니다 버튼도 눌러 봤습니다.",
        "I take that back: approved, all 12 tests pass.",
        "Approved, all 12 tests pass.\n\n**Blocking issues**\n- none",
        "12 tests pass, approved.\n\n**No blocking issues**\n- one nit: a typo in the log line",
    ] {
        assert_eq!(approved(text), (true, true), "{text}");
    }
}

/// What is said to people of a refusal is what decided: a rule or the learned decision, the clause, and what was missing.
#[test]
fn a_refusal_says_why() {
    let why = |text: &str| {
        let judged = super::judge_on(text, &Settings::default().review, &|| super::Occasion::Review);
        let why = judged
            .why
            .clone()
            .unwrap_or_else(|| panic!("{text} passes: {judged:?}"));
        (why.approval, why.evidence)
    };
    let (approval, evidence) = why("VERDICT: APPROVE");
    assert!(
        approval.starts_with("rule: a verdict behind its label") && approval.contains("\"APPROVE\""),
        "{approval}"
    );
    assert!(
        evidence.contains("no clause reports a verification"),
        "{evidence}"
    );
    let (approval, _) = why("LGTM, ship it.");
    assert!(
        approval.starts_with("learned decision") && approval.contains("over 50 % is enough"),
        "{approval}"
    );
    assert!(approval.contains("\"LGTM\""), "{approval}");
    let (approval, _) = why("I have no objections to this going in.");
    assert!(
        approval.contains("no rule found a formal word of approval"),
        "{approval}"
    );
    assert!(approval.contains("I have no objections"), "{approval}");
    let (_, evidence) = why("Approve: 3 failed, 40 passed.");
    assert!(
        evidence.starts_with("rule: a reported result speaks against the verdict"),
        "{evidence}"
    );
    assert!(evidence.contains("3 failed"), "{evidence}");
    let (_, evidence) = why("Approve. I will run the suite tomorrow.");
    assert!(
        evidence.contains("only planned") && evidence.contains("I will run the suite"),
        "{evidence}"
    );
    let (_, evidence) = why("None of the tests were run. LGTM.");
    assert!(
        evidence.contains("denied") && evidence.contains("None of the tests"),
        "{evidence}"
    );
    // What passes says nothing of the kind.
    let passes = of("`cargo test`: 88 passed, 0 failed. Approved.");
    assert_eq!(passes.why, None);
}

/// What a bot would obey is a verdict, whatever the learned decision thinks of it.
#[test]
fn lines_that_bots_obey_are_verdicts() {
    for text in [
        "/approve",
        "/lgtm",
        "/LGTM\n/approve no-issue",
        "The header of the list moved.\n\n/approve",
        "@bors r+",
        "bors r=ann p=1",
        "bors r+ 입니다.",
        "Reviewed-by: me",
        "Reviewed-by: Kim Min-su <minsu@example.org>",
        "표의 머리글이 옮겨졌습니다.\n\nReviewed-by: 김민수",
        "The header of the list moved.\n\nReviewed-by: me\nTested-by: me",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
        let judged = of(text);
        assert!(judged.stated, "{text}");
        let why = judged.why.unwrap().approval;
        assert!(
            why.starts_with("rule: ") && why.contains("as bots read a verdict"),
            "{why}"
        );
    }
    // Each line is replaced when the retries are used up.
    assert_eq!(of("/lgtm\n/approve").verdicts, [(0, 5), (6, 14)]);
    assert_eq!(
        approved("`make test`: 31 passed, 0 failed.\n\n/approve"),
        (true, true)
    );
    for text in [
        "/lgtm\n\n/lgtm cancel",
        "/approve needs a second person here.",
        "bors r+\n\nbors r-",
        "bors is down again, the queue waits.",
        "The route /approve answers with 404.",
        "```\n/approve\n```",
        "> /lgtm",
        "Reviewed-by: nobody",
        "Reviewed-by: <name>",
        "Reviewed-by: pending",
        "Move the header of the list\n\nFixes: 12ab34\nReviewed-by: Kim Min-su <minsu@example.org>\nSigned-off-by: Lee <lee@example.org>",
        "/approve\n\nDo not merge, the header is missing.",
    ] {
        assert!(approved(text).1, "{text}: {:?}", of(text).approvals);
    }
}

/// A field that holds nothing is no verdict beside one.
#[test]
fn an_empty_field_is_no_second_verdict() {
    for (text, verdict) in [
        ("VERDICT: APPROVE\nEvidence: none", "APPROVE"),
        ("VERDICT: APPROVE\n**Evidence:** none.", "APPROVE"),
        ("판정: 승인\n근거: 없음", "승인"),
    ] {
        let judged = of(text);
        let said: Vec<&str> = judged.approvals.iter().map(|s| s.text.as_str()).collect();
        assert_eq!((judged.verdict, said), (Verdict::Block, vec![verdict]), "{text}");
    }
}

/// A message of more clauses than anybody writes is judged by its ends, at its own places, and says so.
#[test]
fn of_too_many_clauses_the_ends_are_judged() {
    let many = "- the header moved\n".repeat(30_000);
    for (text, approves) in [
        (format!("VERDICT: APPROVE\n\n{many}"), true),
        (format!("{many}\n\nVERDICT: APPROVE"), true),
        (format!("{many}\n\nVERDICT: APPROVE\n\n{many}"), false),
    ] {
        let judged = of(&text);
        assert_eq!(judged.is_approval, approves);
        assert!(judged.not_judged.unwrap().contains("its beginning and its end"));
        for span in &judged.approvals {
            assert_eq!(text.get(span.start..span.end), Some(span.text.as_str()));
            assert!(span.text.contains("APPROVE"), "{}", span.text);
        }
    }
    let usual = "The header moved. ".repeat(8_000);
    assert_eq!(of(&format!("{usual}\n\nVERDICT: APPROVE")).not_judged, None);
}

/// Korean ends a message with the verdict; what it waits for is no evidence.
#[test]
fn a_korean_verdict_at_the_end_is_given() {
    // Only who was asked for a verdict gives one so; a worker may tell of approvals with the same words.
    let asked = |text: &str| judge_on(text, &Settings::default().review, &|| Occasion::Review);
    let approved = |text: &str| {
        let judged = asked(text);
        (judged.is_approval, judged.verdict == Verdict::Pass)
    };
    for text in [
        "측정은 2주 뒤 회의에서 보고요, 배포는 승인합니다.",
        "설계 문서를 근거로 허가합니다.",
        "머리글만 고쳐 주시면 승인이에요.",
        "새 노선만 넣어 주시면 통과예요.",
        "밤새 멈춤 없이 도는 조건으로 배포 승인이요.",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
    }
    assert_eq!(
        approved("테스트 40개 돌렸고 모두 통과했습니다. 오타만 고쳐 주시면 승인이에요."),
        (true, true)
    );
    for text in [
        "검토자는 직접 돌려 본 것만 승인합니다.",
        "보완해 주시면 승인할게요.",
        "고쳐 주시면 승인인가요?",
        "배포는 승인하지 않습니다.",
        "이 함수는 카드사 응답을 받아 결제를 승인합니다.",
        "\"배포는 승인합니다\"라고 적혀 있습니다.",
    ] {
        assert!(approved(text).1, "{text}: {:?}", asked(text).approvals);
    }
    assert!(!of("이 함수는 카드사 응답을 받아 결제를 승인합니다.").is_approval);
}

#[test]
fn what_holds_an_approval_up_takes_it_back() {
    for text in [
        "Approved, 40 tests pass. Hold the merge until I'm back, I found a leak.",
        "Approved, 40 tests pass. On second thought, no.",
        "승인합니다. 테스트 40개 통과. 보류합니다.",
        "승인합니다. 테스트 40개 통과. 방금 승인은 무시해 주세요.",
        "승인합니다. 테스트 40개 통과. 다시 생각해 보니 안 되겠습니다.",
        "승인합니다. 테스트 40개 통과.\n\n차단 사유: 9행 누수",
        "승인합니다. 테스트 40개 통과.\n\n## 반드시 고칠 것\n\n- 9행 누수",
        "12 tests pass. Approved.\n\nverdict: \"rejected\"",
    ] {
        assert_eq!(approved(text), (false, true), "{text}");
        assert!(of(text).refuses, "{text}");
    }
    for text in [
        "Approved, 40 tests pass. Blocking issues: none",
        "Approved, 40 tests pass. Blocking issue from the last round is fixed.",
        "승인합니다. 테스트 40개 통과.\n\n필수 수정: 없음",
    ] {
        assert_eq!(approved(text), (true, true), "{text}");
    }
}

#[test]
fn a_quoted_field_inline_code_and_a_ticked_choice_give_the_verdict() {
    for text in [
        "verdict: \"approved\"\nreason: \"looks fine\"",
        "```yaml\nverdict: \"approved\"\nreason: \"looks fine\"\n```",
        "판정: \"승인\"",
        "`VERDICT: APPROVE`",
        "**`VERDICT: APPROVE`**",
        "- [x] Approve\n- [ ] Reject",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
        assert!(of(text).stated, "{text}");
    }
    for text in [
        "verdict: \"rejected\"\nreason: \"a race\"",
        "- [ ] Approve\n- [x] Reject",
        "`VERDICT: REJECT`",
    ] {
        assert!(!of(text).is_approval && asked(text).refuses, "{text}");
    }
    for text in [
        "The list now holds:\n\n- [x] Send the invoice\n- [ ] Approve the invoice",
        "Answer in this form:\n\n`VERDICT: APPROVE`",
        "The button says \"Approve\": \"approved\" is its state.",
    ] {
        assert!(!of(text).is_approval && !of(text).refuses, "{text}");
    }
}

fn asked(text: &str) -> Judgement {
    judge_on(text, &Settings::default().review, &|| Occasion::Review)
}

#[test]
fn a_field_of_data_gives_the_verdict() {
    for text in [
        "{\"approved\": true}",
        "{\"approve\": true}",
        "{\"lgtm\": true}",
        "{\"isApproved\": true}",
        "{\"승인\": true}",
        "{\"승인여부\": true}",
        "{\"result\":{\"approved\":true}}",
        "{\"review\": {\"approved\": true, \"comments\": []}}",
        "{\"decision\": \"authorised\"}",
        "{\"decision\": \"authorized\"}",
        "{\"verdict\": \"sanctioned\"}",
        "{\"verdict\": {\"decision\": \"granted\"}}",
        "{\"결정\": \"허가\"}",
        "{\n  \"approved\": true,\n  \"summary\": \"fine\"\n}",
        "```json\n{\"approved\": true}\n```",
        "```json\n{\"result\": {\"approved\": true}}\n```",
        "```json\n{\"decision\": \"authorised\"}\n```",
        "Here is my verdict:\n\n{\"approved\": true}",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
        assert!(of(text).stated, "{text}");
        assert_eq!(asked(text).verdict, Verdict::Block, "{text}");
    }
    for text in [
        "{\"approved\": true, \"evidence\": \"cargo test: 12 passed, 0 failed\"}",
        "{\"result\": {\"approved\": true, \"tests_passed\": 12, \"tests_failed\": 0}}",
        "{\"decision\": \"authorised\", \"evidence\": \"npm test: 12 passed, 0 failed\"}",
    ] {
        assert_eq!(approved(text), (true, true), "{text}");
    }
    // A record of something else is a verdict only where one was asked for.
    let record = "{\"id\": 7, \"name\": \"Kim\", \"approved\": true}";
    assert!(!of(record).is_approval && asked(record).is_approval);
}

#[test]
fn what_data_says_of_other_things_is_no_verdict() {
    for text in [
        "{\"user\": {\"approved\": true}}",
        "{\"config\": {\"auto_approve\": true}}",
        "{\"auto_approve\": true}",
        "{\"users\": [{\"name\": \"Kim\", \"approved\": true}]}",
        "{\"approved\": null}",
        "{\"approved\": \"pending\"}",
        "{\"ok\": true}",
        "{\"decision\": \"tree\"}",
        "{\"type\": \"object\", \"properties\": {\"approved\": {\"type\": \"boolean\"}}}",
        "Example response of the endpoint:\n\n```json\n{\"approved\": true}\n```",
        "The endpoint returns:\n\n{\"approved\": true}",
        "The endpoint returns:\n\n{\"approved\": true}\n\n{\"approved\": false}",
        "{\"id\": 7, \"name\": \"Kim\", \"approved\": true}\n{\"id\": 8, \"name\": \"Lee\", \"approved\": false}",
        "I changed the config:\n\n```json\n{\"user\": {\"approved\": true}}\n```",
        "The API answers with `{\"approved\": true}` when the invoice is paid.",
    ] {
        assert_eq!(approved(text), (false, true), "{text}");
        assert!(!of(text).refuses, "{text}");
    }
    for text in [
        "{\"approved\": false}",
        "{\"result\": {\"approved\": false}}",
        "{\"decision\": \"declined\"}",
        "{\"review\": {\"approved\": true}, \"verdict\": \"reject\"}",
    ] {
        let judged = asked(text);
        assert!(!judged.is_approval && judged.refuses, "{text}");
    }
}

#[test]
fn a_value_that_approves_is_replaced_by_one_of_its_kind() {
    let judged = of("{\"result\": {\"approved\": true}}");
    let text = super::finding(judged)
        .fallback
        .unwrap()
        .apply("{\"result\": {\"approved\": true}}");
    assert!(text.starts_with("{\"result\": {\"approved\": false}}"), "{text}");
    let judged = of("{\"decision\": \"authorised\"}");
    let text = super::finding(judged)
        .fallback
        .unwrap()
        .apply("{\"decision\": \"authorised\"}");
    assert!(text.starts_with("{\"decision\": \"NEEDS_REVIEW\"}"), "{text}");
}

#[test]
fn what_ran_before_the_last_change_supports_nothing() {
    for text in [
        "마지막 커밋 전에 테스트 돌렸고 통과했어요. 그 뒤로 세 번 커밋했습니다. 승인합니다.",
        "마지막 수정 전에는 테스트가 모두 통과했습니다. 승인합니다.",
        "테스트는 어제 통과했고 그 후에 코드를 더 고쳤습니다. 승인합니다.",
        "테스트 통과를 확인한 뒤 두 파일을 더 수정했습니다. 승인합니다.",
        "I ran the tests before the last commit and they passed. I committed three times since. Approved.",
        "Tests passed before my last change. Approved.",
        "12 tests passed, then I changed two more files. Approved.",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
    }
    for text in [
        "마지막 커밋 뒤에 테스트 12개를 돌렸고 모두 통과했습니다. 승인합니다.",
        "수정 전에는 실패하던 테스트가 이제 12개 모두 통과합니다. 승인합니다.",
        "커밋 전에 테스트를 돌려 12개 모두 통과했고 그대로 커밋했습니다. 승인합니다.",
        "12개 통과를 확인했습니다. 그 뒤로 두 파일을 더 수정했고 다시 돌려 12개 모두 통과했습니다. 승인합니다.",
        "Before merging I ran the tests: 12 passed. Approved.",
        "Before the rebase they passed for me, 26 of 26. Approved.",
        "I filled in 42 entries and 42 were there. I changed one afterwards, and both were kept. Approved.",
        "The test failed before the last change and passes now: 12 passed. Approved.",
        "I ran the tests: 12 passed. I have changed nothing since. Approved.",
        "I changed two files, then ran the tests: 12 passed. Approved.",
    ] {
        assert_eq!(approved(text), (true, true), "{text}");
    }
}

#[test]
fn many_reports_in_one_sentence_cost_what_they_are_long() {
    let text = |n: usize| {
        let reports = "테스트 12개 통과했고, ".repeat(n);
        format!("마지막 커밋 전에 테스트 12개 통과했고, {reports}빌드 성공. 승인합니다.")
    };
    assert_eq!(approved(&text(20)), (true, false), "outdated");
    let time = |n: usize| {
        let text = text(n);
        let start = std::time::Instant::now();
        of(&text);
        start.elapsed()
    };
    // Ten times the text takes ten times as long; were it the square, it would be a hundred. The best of five, since
    // other work of the machine takes its time as well.
    let best = |n: usize| (0..5).map(|_| time(n)).min().unwrap_or_default();
    let (short, long) = (best(200), best(2_000));
    assert!(long < short * 50, "{short:?} {long:?}");
}

#[test]
fn leave_to_close_a_window_is_no_verdict() {
    for text in [
        "You may close the window.",
        "You can now close the browser tab.",
        "Feel free to close this page.",
        "창을 닫으셔도 됩니다.",
        "터미널을 닫아도 됩니다.",
        "이제 브라우저를 끄셔도 됩니다.",
    ] {
        assert!(!asked(text).is_approval, "{text}");
    }
    for text in [
        "You may press the button.",
        "You may close the window and merge it.",
        "Approved. You may close the window.",
        "뚜껑 닫아도 됨.",
        "머지하셔도 됩니다. 창을 닫으셔도 됩니다.",
        "나가도 됩니다.",
    ] {
        assert!(asked(text).is_approval, "{text}");
    }
}

#[test]
fn an_order_to_mend_what_was_found_is_no_verdict() {
    for text in [
        "You put the key into the log. Rotate it.",
        "Your branch has conflicts. Rebase it on main first.",
        "You left a debug print in the loop. Remove it before the merge.",
        "The image is 4 MB. Compress it.",
        "패키지에 파일이 빠져 있습니다. 매니페스트를 고치세요.",
        "키가 로그에 찍힙니다. 교체하세요.",
        "커밋이 너무 큽니다. 셋으로 나눠 주세요.",
        "브랜치에 충돌이 있습니다. main에 리베이스해 주세요.",
    ] {
        assert!(!asked(text).is_approval, "{text}");
    }
    for text in [
        "Resolve them and merge.",
        "Rebase and push at will.",
        "Put it in.",
        "제 눈치 보지 말고 넣으세요.",
        "네, 올리세요.",
        "저는 승인이고요, 변수명 q2만 나중에 바꿔 주세요.",
        "LGTM, just rename it.",
        "split duty, augmented crew: every cell matched by me. Approved.",
    ] {
        assert!(asked(text).is_approval, "{text}");
    }
}

#[test]
fn what_a_run_came_back_with_tells_how_it_ended() {
    for text in [
        "Approve this PR: `wasm-pack test --headless` came back with 77 ok in Firefox.",
        "Approved: `npm test` came back with 77 passed.",
    ] {
        assert_eq!(approved(text), (true, true), "{text}");
    }
    for text in [
        "Approved: `npm test` came back with 3 failed.",
        "Approved. The tests came back with errors.",
    ] {
        assert_eq!(approved(text), (true, false), "{text}");
    }
}
