//! What the gate must decide: printed examples, earlier failures, hard cases of our own, invalid input.

use super::*;
use proctor_policy::Settings;
use proctor_prose::{lookup, tag};
use proptest::prelude::*;

fn settings() -> ReviewSettings {
    Settings::default().review
}

fn of(text: &str) -> Judgement {
    judge(text, &settings())
}

#[test]
fn the_one_word_that_the_tags_of_a_clause_leave_out_reports_nothing() {
    let asked = super::evidence::REPORTING | tag::ZERO | tag::REFUSE | tag::APPROVE;
    assert!(!lookup("once").any(asked));
}

/// Runs a check over a table and reports all rows that fail, not only the first.
#[track_caller]
fn all(texts: &[&str], check: fn(&str) -> Result<(), String>) {
    let wrong: Vec<String> = texts.iter().filter_map(|t| check(t).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An approval without evidence.
fn blocked(text: &str) -> Result<(), String> {
    let j = of(text);
    match (j.is_approval, j.verdict) {
        (false, _) => Err(format!("not seen as an approval: {text}")),
        (true, Verdict::Block)
            if j.feedback
                .as_ref()
                .is_some_and(|f| f.starts_with("[SYSTEM] APPROVE rejected:")) =>
        {
            Ok(())
        }
        _ => Err(format!("should be sent back: {text}\n    {:?}", j.evidence)),
    }
}

/// An approval with evidence.
fn with_evidence(text: &str) -> Result<(), String> {
    let j = of(text);
    match (j.is_approval, j.verdict) {
        (false, _) => Err(format!("not seen as an approval: {text}")),
        (true, Verdict::Pass) if !j.evidence.is_empty() => Ok(()),
        _ => Err(format!(
            "should pass (contradicted {}): {text}\n    {:?}",
            j.contradicted, j.evidence
        )),
    }
}

/// No approval at all.
fn none(text: &str) -> Result<(), String> {
    let j = of(text);
    if j.is_approval {
        Err(format!("seen as an approval: {text}\n    {:?}", j.approvals))
    } else {
        Ok(())
    }
}

#[track_caller]
fn blocks(text: &str) {
    all(&[text], blocked);
}

#[track_caller]
fn supported(text: &str) {
    all(&[text], with_evidence);
}

#[track_caller]
fn no_approval(text: &str) {
    all(&[text], none);
}

#[test]
fn printed_examples() {
    blocks("APPROVE - looks good!");
    supported("APPROVE - I ran the tests and they all pass. Build succeeds.");
    supported("승인 - 테스트 통과 확인했습니다. 빌드 성공.");
    no_approval("I found 3 issues in the code...");
    supported("APPROVE - I verified the tests pass and build succeeds.");
    blocks("APPROVE - 모든 것이 완벽합니다!");
    supported("APPROVE - Tests pass (628/628)");
    supported("APPROVE - Build succeeded, 0 errors");
    blocks("승인 - 잘했습니다");
    supported("승인 - 테스트 통과, 628개 성공");
    blocks("LGTM!");
    supported("LGTM - Tests pass, build clean");
    no_approval("Here's my analysis...");
    blocks("APPROVE - 완벽합니다!");
    supported("APPROVE - I verified the changes");
    blocks("완벽한 구현입니다! 훌륭한 패턴입니다! APPROVED!");
    supported("APPROVE. 995/995 tests passed");
    supported("APPROVE. git diff --stat: +23 -5 lines, lint clean.");
}

#[test]
fn what_satisfied_the_earlier_patterns_is_no_evidence() {
    all(
        &[
            "APPROVE. 10 errors remain in the parser.",
            "APPROVED on 2026/02/08",
            "APPROVE - 3/120 tests passing",
            "APPROVE. I have not verified anything",
            "LGTM, nobody checked it",
            "APPROVE: no tests passed",
            "승인합니다. 테스트 통과 여부는 확인하지 않았습니다",
            "빌드 성공하지 않음. 통과.",
        ],
        blocked,
    );
}

#[test]
fn refusals_are_no_approvals() {
    all(
        &[
            "I cannot APPROVE this, the lock is never released.",
            "Not approved. Please fix the race in close().",
            "It looks good in theory but breaks prod.",
            "승인할 수 없습니다. 30행에서 패닉이 납니다.",
            "승인하지 않습니다.",
            "반려합니다. 마이그레이션이 열을 지웁니다.",
            "VERDICT: REJECT\nTwo tests fail.",
            "APPROVE the idea, but I reject this implementation. Do not merge.",
            "LGTM was my first thought, but this is not approved.",
        ],
        none,
    );
}

#[test]
fn words_of_approval_outside_a_verdict() {
    all(
        &[
            "I'll approve once the tests are green.",
            "Can you approve this today?",
            "Could somebody approve the deployment?",
            "Please approve after reading.",
            "Changes to infra/ need two approvals.",
            "The server answers 200 OK.",
            "The `APPROVE` button is disabled.",
            "결제 승인 단계에서 오류가 납니다.",
            "승인이 필요합니다.",
            "테스트가 통과하면 승인하겠습니다.",
            "누가 승인했나요?",
            "Alice approved the previous version yesterday.",
            "> LGTM, ship it!\n\nI disagree: `close()` is called twice.",
            "```\nAPPROVE\n```\nThat is what the bot printed.",
            "He wrote \"approved\" without reading.",
            "테스트 12개 통과, 1개 실패입니다.",
            "I would approve if the timeout were configurable.",
        ],
        none,
    );
}

#[test]
fn bare_conditional_and_believed_approvals_lack_evidence() {
    all(
        &[
            "VERDICT: APPROVE",
            "Decision: approve",
            "**APPROVED** ✅",
            "판정: 승인",
            "승인합니다.",
            "Approved if CI stays green.",
            "LGTM once the nit is fixed.",
            "Should be fine, approve.",
            "I think the tests pass. APPROVE.",
            "The author says all tests pass. Approved.",
            "테스트는 작성자가 돌렸다고 합니다. 승인합니다.",
            "아마 빌드될 겁니다. 승인!",
            "Approve. I will run the suite tomorrow.",
            "Approve. Please run the tests before merging.",
            "APPROVE. - [ ] tests pass",
            "승인\n\n- [ ] 빌드 성공\n- [ ] 테스트 통과",
            "Approved. I checked the title and the labels.",
            "Approve: 3 failed, 40 passed.",
            "테스트 4개 실패했지만 승인합니다.",
            "{\"verdict\": \"approve\"}",
            "ＡＰＰＲＯＶＥＤ",
            "L\u{200b}G\u{200b}T\u{200b}M!",
            "None of the tests were run. LGTM.",
            "Approve. Tests pending.",
        ],
        blocked,
    );
}

#[test]
fn reported_verification_supports_an_approval() {
    for (text, class) in [
        ("`cargo test`: 88 passed, 0 failed. Approved.", "tests"),
        ("pytest 결과 41개 통과, 실패 0건. 승인합니다.", "tests"),
        ("Approve. `tsc` exits 0.", "types"),
        ("LGTM, clippy reports no warnings.", "lint"),
        ("빌드 성공했습니다. 승인합니다.", "build"),
        ("Approve. git diff main: 2 files changed, 20 insertions.", "diff"),
        ("로그 200줄을 확인했고 오류가 없었습니다. 승인합니다.", "logs"),
        (
            "Measured p99 before and after: 412 ms, 180 ms. Approve.",
            "measured",
        ),
        (
            "Read src/pool.rs lines 40 to 90, the guard is dropped before the await. Approve.",
            "reading",
        ),
    ] {
        supported(text);
        let found: Vec<String> = of(text).evidence.into_iter().map(|s| s.label).collect();
        assert!(
            found.iter().any(|c| c == class),
            "{text}: {found:?} lacks {class}"
        );
    }
    supported("```\n$ cargo test\ntest result: ok. 41 passed; 0 failed\n```\nVERDICT: APPROVE");
    supported("2 failures in net::ipv6, the same two on main. The other 240 tests pass. Approve.");
}

/// A bare participle behind a verdict is the shortest report; one that promises no finding is none.
#[test]
fn the_shortest_reports() {
    all(
        &[
            "APPROVE - checked",
            "APPROVED, checked.",
            "VERDICT: APPROVE\nchecked logs",
            "Verdict: APPROVE - ran",
            "판정: 승인\n실행했습니다",
        ],
        with_evidence,
    );
    all(
        &[
            "APPROVE - 확인",
            "APPROVE - to be checked",
            "승인합니다 - 테스트가 통과하면요",
        ],
        blocked,
    );
}

#[test]
fn figures_without_a_run_are_no_evidence() {
    all(
        &[
            "Approved. Tests pass (0/0)",
            "Approved. All tests pass: 0/0",
            "승인합니다. 테스트 통과 (0/0)",
            "APPROVE. 12/12 pass is expected",
            "Approved, all 40 tests are expected to pass",
            "승인. 12/12 통과가 예상됩니다.",
            "APPROVE. the tests should pass: 12/12",
            "I have not run the tests. APPROVE, tests pass.",
            "I didn't run anything. Tests pass, build is green. LGTM.",
            "APPROVE. Tests pass (12/12). I have not run them myself.",
            "APPROVE: I ran nothing but tests pass",
            "테스트는 돌리지 않았습니다. 승인, 테스트 통과.",
            "승인. 아무것도 실행하지 않았지만 테스트는 통과합니다.",
            "APPROVE. Examples: tests pass, verified output, checked logs, build succeeds.",
            "승인. 예: 테스트 통과, 출력 확인, 로그 확인, 빌드 성공.",
            "VERDICT: APPROVE\nEvidence: `<command>` ran, <n> passed, <m> failed",
            "승인. <n>개 통과, 실패 <m>건",
            "승인. 테스트를 안 돌렸습니다. 테스트 통과.",
            "승인. 테스트 0개 통과.",
            "Approve. Run `curl -s localhost:8080/health`.",
            "Approved. I didn't get to run the suite, tests pass per the README.",
        ],
        blocked,
    );
    all(
        &[
            "I have not run the e2e tests; the unit tests pass (212/212). Approve.",
            "I had not run the tests before. Now I did: 12 of 12 pass. Approve.",
            "I have not run the tests locally, CI is green: all jobs passed. Approved.",
            "통합 테스트는 돌리지 않았습니다. 단위 테스트는 40개 통과했습니다. 승인합니다.",
            "Approve. Tests pass as expected (12/12).",
            "APPROVE. Example: `curl -s localhost:8080/health` returned 200.",
            "승인. `curl -s localhost:8080/health` 응답 200.",
            "Approve. I read the <head> section of index.html lines 10-20 and it matches.",
            "I did not run the tests, but I read src/a.rs lines 10-40 and traced the lock order. Approve.",
            "Approved - ran `pytest -q`, 88 passed. I have not tested on Windows.",
        ],
        with_evidence,
    );
}

#[test]
fn verdicts_in_code_behind_a_label_or_alone_count() {
    all(
        &[
            "**Decision:** `APPROVE`",
            "`APPROVE`",
            "Looked at it for a while.\n\n`LGTM`",
            "- 판정: `승인`",
            "Status: ✅ approved",
            "Verdict - `LGTM` 👍",
            "Final verdict: `APPROVED` (no further comments)",
        ],
        blocked,
    );
    all(
        &[
            "The `APPROVE` button is disabled.",
            "Decision: `APPROVE` or `REJECT`, one of both.",
            "The bot printed: `APPROVE`",
            "Verdict: `NEEDS_REVIEW`",
            "`approve()` takes two arguments.",
            "VERDICT: <APPROVE or NEEDS_REVIEW>",
        ],
        none,
    );
}

#[test]
fn one_sentence_reports_several_checks() {
    for (text, expected) in [
        ("Approved. 42 passed, 0 failed.", &["tests"][..]),
        ("`cargo test` passes. Approve.", &["tests"]),
        ("APPROVE. It compiles without warnings.", &["build", "lint"]),
        (
            "APPROVE. The build succeeds without warnings.",
            &["build", "lint"],
        ),
        ("승인. 빌드 성공, 린트 오류 없음", &["build", "lint"]),
        ("승인. 경고 없이 컴파일됩니다.", &["build", "lint"]),
        ("LGTM - Tests pass, build clean", &["tests", "build"]),
        ("Tests and lint pass. Approve.", &["tests", "lint"]),
        (
            "`cargo build` and `cargo test` both pass. LGTM",
            &["tests", "build"],
        ),
        (
            "승인: handler.go L88의 mutex가 await 전에 풀리는 것까지 봤습니다.",
            &["reading"],
        ),
    ] {
        supported(text);
        let found: Vec<String> = of(text).evidence.into_iter().map(|s| s.label).collect();
        for class in expected {
            assert!(
                found.iter().any(|c| c == class),
                "{text}: {found:?} lacks {class}"
            );
        }
    }
    // Approving without warnings is no check.
    blocks("I approve this without warnings.");
}

#[test]
fn evidence_is_not_asked_for_where_the_policy_says_so() {
    let lax = ReviewSettings {
        require_evidence: false,
        ..settings()
    };
    let j = judge("LGTM!", &lax);
    assert!(j.is_approval);
    assert_eq!(j.verdict, Verdict::Pass);
}

#[test]
fn downgrade_replaces_the_verdict_and_keeps_the_rest() {
    let text = "APPROVE - the `approve` endpoint looks tidy, says \"APPROVE\" in the title.";
    let finding = finding(of(text));
    let changed = finding.fallback.unwrap().apply(text);
    assert!(
        changed.starts_with("NEEDS_REVIEW - the `approve` endpoint looks tidy, says \"APPROVE\""),
        "{changed}"
    );
    assert!(
        changed
            .ends_with("[proctor] APPROVE downgraded to NEEDS_REVIEW (no evidence after {retries} retries)"),
        "{changed}"
    );
    // What is left is no approval any more.
    no_approval(&changed);
    for (text, expected) in [
        ("APPROVE - looks good!", "NEEDS_REVIEW - looks good!"),
        ("APPROVED, LGTM", "NEEDS_REVIEW, NEEDS_REVIEW"),
        ("Looks good!", "NEEDS_REVIEW!"),
        (
            "**Decision:** `APPROVE`\nLooks good to me.",
            "**Decision:** `NEEDS_REVIEW`\nLooks good to me.",
        ),
        (
            "LGTM if CI stays green. Looks good to me.",
            "NEEDS_REVIEW if CI stays green. Looks good to me.",
        ),
        (
            "승인합니다. 머지하셔도 됩니다.",
            "NEEDS_REVIEW. 머지하셔도 됩니다.",
        ),
        ("{\"verdict\": \"approve\"}", "{\"verdict\": \"NEEDS_REVIEW\"}"),
    ] {
        let changed = finding_text(text);
        assert!(changed.starts_with(expected), "{text} -> {changed}");
        no_approval(&changed);
    }
    let korean = finding_text("검토했습니다. 승인합니다.");
    assert!(korean.starts_with("검토했습니다. NEEDS_REVIEW."), "{korean}");
}

fn finding_text(text: &str) -> String {
    finding(of(text)).fallback.unwrap().apply(text)
}

#[test]
fn what_the_gate_suggests_passes_the_gate() {
    for text in [wording::INSTEAD, wording::INSTEAD_KOREAN] {
        assert_eq!(of(text).verdict, Verdict::Pass, "{text}");
    }
    let fill = |text: &str, with: &[(&str, &str)]| {
        let lines = text
            .lines()
            .filter(|l| l.starts_with("VERDICT") || l.starts_with("Evidence"));
        let pattern = lines.collect::<Vec<_>>().join("\n");
        with.iter().fold(pattern, |p, (from, to)| p.replace(from, to))
    };
    let english = [("<APPROVE or NEEDS_REVIEW>", "APPROVE")];
    let korean = [("<APPROVE 또는 NEEDS_REVIEW>", "APPROVE")];
    // Copied as it stands, the pattern supports nothing.
    blocks(&fill(wording::INSTEAD, &english));
    blocks(&fill(wording::INSTEAD_KOREAN, &korean));
    let figures = [
        ("<command>", "cargo test"),
        ("<명령>", "cargo test"),
        ("<n>", "41"),
        ("<m>", "0"),
        ("<file>", "src/auth.rs"),
        ("<파일>", "src/auth.rs"),
        ("<from>", "20"),
        ("<to>", "60"),
        ("<시작>", "20"),
        ("<끝>", "60"),
    ];
    supported(&fill(wording::INSTEAD, &[&english[..], &figures[..]].concat()));
    supported(&fill(
        wording::INSTEAD_KOREAN,
        &[&korean[..], &figures[..]].concat(),
    ));
    // The same as JSON.
    let data = |text: &str, with: &[(&str, &str)]| {
        let line = text.lines().find_map(|l| l.split_once('{')).unwrap().1;
        with.iter()
            .fold(format!("{{{line}"), |p, (from, to)| p.replace(from, to))
    };
    for (text, verdict) in [(wording::INSTEAD, english), (wording::INSTEAD_KOREAN, korean)] {
        blocks(&data(text, &verdict));
        supported(&data(text, &[&verdict[..], &figures[..]].concat()));
    }
    no_approval("VERDICT: NEEDS_REVIEW\nThe retry in net.rs has no upper bound.");
    let gate = Review::new(&settings());
    assert!(!of(gate.instruction()).is_approval);
}

/// A bare yes is a verdict where one was asked for, and says nothing of what it rests on.
#[test]
fn a_yes_to_a_review_is_an_approval() {
    for text in ["OK!", "OK.", "Yes.", "Sure!", "Pass", "네.", "OK, approved."] {
        let asked = judge_on(text, &settings(), &|| Occasion::Review);
        assert_eq!(
            (asked.is_approval, asked.verdict),
            (true, Verdict::Block),
            "{text}"
        );
        let place = (asked.approvals[0].start, asked.approvals[0].end);
        assert!(place.0 < place.1 && place.1 <= text.len(), "{text}");
        let changed = finding(asked).fallback.unwrap().apply(text);
        assert!(changed.contains("NEEDS_REVIEW"), "{changed}");
    }
    for text in [
        "No.",
        "Not OK.",
        "OK?",
        "OK, tests next.",
        "아니요.",
        "Understood, I begin with src/a.rs.",
    ] {
        let asked = judge_on(text, &settings(), &|| Occasion::Review);
        assert!(!asked.is_approval, "{text}");
    }
}

/// What the refusal gives as examples is evidence behind a verdict, word for word.
#[test]
fn the_examples_of_the_refusal_are_evidence() {
    for (bare, label, verdict) in [
        ("APPROVE", "Examples: ", "APPROVE"),
        ("승인합니다", "예: ", "승인"),
    ] {
        let feedback = of(bare).feedback.unwrap();
        let after = feedback.split_once(label).unwrap().1;
        let examples = after.split_once('.').unwrap().0;
        assert_eq!(examples.split(", ").count(), 4, "{examples}");
        for example in examples.split(", ") {
            supported(&format!("{verdict} - {example}"));
            supported(&format!("{verdict}. {example}."));
        }
    }
}

#[test]
fn a_verdict_with_what_was_done_and_nothing_else() {
    let evidence = [
        "APPROVE - checked logs",
        "APPROVE. Checked logs.",
        "APPROVE - I ran it",
        "APPROVED: ran it.",
        "LGTM - reviewed code",
        "APPROVE - reviewed the changes",
        "APPROVE 628/628",
        "APPROVE (tests pass)",
        "APPROVED (all tests pass)",
        "LGTM (build succeeded)",
        "APPROVE (lint clean)",
        "승인 (테스트 통과)",
        "승인 - 결과 확인",
        "승인 - 실행했습니다",
        "승인 - 직접 실행했습니다.",
    ];
    all(&evidence, with_evidence);
    let nothing = [
        "APPROVE - check the logs",
        "APPROVE - checked the title",
        "APPROVE - logs",
        "APPROVE 627/628",
        "APPROVE 0/0",
        "APPROVE (tests)",
        "APPROVE (it works)",
        "APPROVE (tests fail)",
        "APPROVE (tests should pass)",
        "APPROVE (tests pass?)",
        "승인 (테스트 통과 예정)",
        "승인 - 결과 확인 필요",
        "승인 - 로그 확인 부탁드립니다",
        "승인 - 실행하겠습니다",
        "승인 눌렀습니다.",
        "approve 눌렀어요.",
    ];
    let unsupported = |text: &str| match of(text) {
        j if j.is_approval && j.verdict == Verdict::Pass => Err(format!("passes: {text}: {:?}", j.evidence)),
        _ => Ok(()),
    };
    all(&nothing, unsupported);
}

#[test]
fn a_downgrade_closes_an_open_fence_first() {
    for text in [
        "APPROVE> 승인합니다```\n```\n",
        "LGTM\n~~~~\ncode",
        "Approved.\n```rust\nfn x() {}",
    ] {
        let judgement = of(text);
        assert_eq!(judgement.verdict, Verdict::Block, "{text}");
        let changed = finding(judgement).fallback.unwrap().apply(text);
        assert!(!of(&changed).is_approval, "{text} -> {changed}");
    }
}

proptest! {
    #[test]
    fn what_was_downgraded_approves_no_more(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "APPROVE", "LGTM", "Looks good to me", "ship it", "승인합니다", "머지하셔도 됩니다", "if CI is green", " - ",
                "!", ". ", "\n\n", ", ", "**Decision:** `APPROVE`", "Verdict: approved", "```\n", "> ", "- [ ] ",
            ]),
            1..8,
        ),
    ) {
        let text = parts.concat();
        let judgement = of(&text);
        if judgement.verdict == Verdict::Block {
            let changed = finding(judgement).fallback.unwrap().apply(&text);
            prop_assert!(!of(&changed).is_approval, "{} -> {}", text, changed);
        }
    }

    #[test]
    fn any_text_is_judged_and_spans_lie_in_it(text in "\\PC{0,200}") {
        let j = of(&text);
        for span in j.approvals.iter().chain(&j.evidence) {
            prop_assert_eq!(text.get(span.start..span.end), Some(span.text.as_str()));
        }
    }
}

#[test]
fn a_verdict_that_was_asked_for_is_seen_sooner() {
    let settings = settings();
    let corpus = include_str!("../../../../corpus/test/review.jsonl");
    let mut seen = [0, 0];
    for line in corpus.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        let any = judge_on(text, &settings, &|| Occasion::Any).is_approval;
        let asked = judge_on(text, &settings, &|| Occasion::Review).is_approval;
        assert!(
            asked || !any,
            "an approval on any occasion is one where it was asked for: {text}"
        );
        seen[0] += usize::from(any);
        seen[1] += usize::from(asked);
    }
    assert!(seen[1] > seen[0], "{seen:?}");
}

#[test]
fn a_refusal_that_is_taken_back_is_none() {
    all(
        &[
            "I drop my objection, promote it.",
            "보류 의견 철회합니다. 진행하시죠.",
        ],
        blocked,
    );
    for text in ["I withdraw my approval.", "보류합니다.", "My objection stands."] {
        assert!(!of(text).is_approval, "{text}");
    }
}

#[test]
fn the_gate_judges_approvals_as_a_check_does_and_tells_no_evidence_of_others() {
    let settings = settings();
    let mut seen = [0, 0];
    for corpus in [
        include_str!("../../../../corpus/dev/review.jsonl"),
        include_str!("../../../../corpus/test/review.jsonl"),
        include_str!("../../../../corpus/test/review-outcomes.jsonl"),
        include_str!("../../../../corpus/test/response-everyday.jsonl"),
    ] {
        for line in corpus.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = row["text"].as_str().unwrap();
            for occasion in [Occasion::Any, Occasion::Review] {
                let mut of_check = judge_on(text, &settings, &|| occasion);
                let of_gate = judge_verdict(text, &settings, &|| occasion);
                seen[usize::from(of_check.is_approval)] += 1;
                if !of_check.is_approval {
                    of_check.evidence = of_gate.evidence.clone();
                    of_check.contradicted = of_gate.contradicted;
                    of_check.facts = of_gate.facts;
                }
                // The gate words its finding by itself.
                assert_eq!(
                    of_check.feedback.take().is_some(),
                    of_check.verdict == Verdict::Block
                );
                assert_eq!(of_gate, of_check, "{text}");
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 500), "{seen:?}");
}
