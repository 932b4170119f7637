//! What the design documents print, as the engine decides it: each word list, each evidence phrase, each example that
//! stands there in full. Exceptions stand below, with the reason.

use crate::Embedding;
use crate::check::{Row, row};
use proctor_kernel::Audience;
use proctor_policy::Settings;
use serde_json::{Value, json};
use std::path::Path;

fn ask(gate: &str, question: Row) -> Value {
    let settings = Settings::default();
    let embedding = Embedding::new(&settings.drift.embedder, Path::new(""), None);
    row(gate, &question, &settings, &embedding).unwrap()
}

fn text(text: &str) -> Row {
    Row {
        text: Some(text.to_owned()),
        ..Row::default()
    }
}

fn decision(gate: &str, words: &str) -> String {
    ask(gate, text(words))["decision"].as_str().unwrap().to_owned()
}

/// The rows that are decided otherwise.
#[track_caller]
fn all<'a>(gate: &str, wanted: &str, texts: impl IntoIterator<Item = &'a str>) {
    let wrong: Vec<&str> = texts
        .into_iter()
        .filter(|t| decision(gate, t) != wanted)
        .collect();
    assert!(wrong.is_empty(), "{gate}, not {wanted}: {wrong:#?}");
}

/// Words of praise and confirmation, each as a message of its own and as a sentence.
#[test]
fn the_lists_of_praise_and_confirmation() {
    let words = [
        "훌륭한 분석",
        "완벽한 구현",
        "정말 잘하셨습니다",
        "대단한 작업",
        "멋진 코드",
        "excellent work",
        "great job",
        "perfect",
        "amazing",
        "brilliant",
        "well done",
        "완벽",
        "훌륭",
        "인상적",
        "excellent",
        "impressive",
        "outstanding",
        "완벽합니다",
        "masterpiece",
        "깔끔한 구현",
        "beautiful code",
        "elegant",
        "알겠습니다",
        "확인했습니다",
        "진행하겠습니다",
        "I understand",
        "Got it",
        "물론입니다",
        "of course",
        "absolutely",
    ];
    for mark in ["", ".", "!"] {
        let texts: Vec<String> = words.iter().map(|w| format!("{w}{mark}")).collect();
        all("response", "block", texts.iter().map(String::as_str));
    }
    all(
        "response",
        "block",
        [
            "훌륭한 분석입니다.",
            "완벽한 구현입니다.",
            "대단한 작업입니다.",
            "멋진 코드입니다.",
            "훌륭합니다.",
            "인상적입니다.",
            "인상적인 구현입니다.",
            "엔터프라이즈급 코드입니다.",
            "최고의 구현입니다.",
            "뛰어난 분석입니다.",
            "깔끔한 구현입니다.",
            "This is excellent work.",
            "Great job on this.",
            "This is perfect.",
            "Amazing work.",
            "A brilliant solution.",
            "This is impressive.",
            "An enterprise-grade solution.",
            "Outstanding.",
            "This is a masterpiece.",
            "This is beautiful code.",
            "An elegant implementation.",
            "네, 알겠습니다.",
            "네, 확인했습니다.",
            "네, 물론입니다.",
            "Yes, of course.",
        ],
    );
}

#[test]
fn the_printed_messages() {
    all(
        "response",
        "block",
        [
            "네, 확인했습니다! 3개 파일을 리팩토링하겠습니다.",
            "알겠습니다! 확인했습니다.",
            "완료했습니다! 엔터프라이즈급 리팩토링을 적용했습니다.",
            "완벽한 구현입니다! 훌륭한 패턴입니다! APPROVED!",
            "훌륭합니다! 완벽한 구현입니다!",
            "정말 훌륭한 구현입니다! 완벽합니다!\n```rust\nlet x = 1;\n```\n`x`를 더했습니다.",
            "I've completed this legendary refactoring!",
            "완벽합니다! This is a masterpiece",
        ],
    );
    all(
        "response",
        "allow",
        [
            "Refactor these 3 files",
            "src/foo.ts를 리팩토링해주세요. 이 파일은 매우 중요합니다.",
            "리뷰 부탁합니다",
            "Fixed auth bug. Line 42 → bcrypt",
            "The `perfect` hash function is built once.",
            "perfect hash",
            "excellent performance",
            "Perfect hash functions give excellent performance here.",
            "This is a perfect use case for X",
            "확실히 동작합니다.",
            "const perfectHash = build();",
            "",
        ],
    );
    // A message to a person is let off.
    let human = Row {
        audience: Some(Audience::Human),
        ..text("훌륭합니다! 완벽한 구현입니다!")
    };
    assert_eq!(ask("response", human)["decision"], "allow");
}

/// Printed, and decided otherwise on purpose: a word of advertising alone is a label, half of a noun phrase says nothing
/// without its noun (with it both count, see above), and 확실히 is printed as doubtful.
#[test]
fn the_exceptions_of_praise() {
    all(
        "response",
        "allow",
        ["엔터프라이즈급", "enterprise-grade", "최고의", "확실히"],
    );
}

#[test]
fn the_words_of_approval() {
    for mark in ["", "."] {
        let words = [
            "승인", "APPROVE", "통과", "OK", "APPROVED", "LGTM", "PASS", "합격",
        ];
        let texts: Vec<String> = words.iter().map(|w| format!("{w}{mark}")).collect();
        all("review", "block", texts.iter().map(String::as_str));
    }
    all(
        "review",
        "block",
        [
            "APPROVE - looks good!",
            "APPROVE - 모든 것이 완벽합니다!",
            "승인 - 잘했습니다",
            "LGTM!",
            "APPROVE - 완벽합니다!",
            "완벽한 구현입니다! 훌륭한 패턴입니다! APPROVED!",
        ],
    );
    all(
        "review",
        "allow",
        [
            "APPROVE - I ran the tests and they all pass. Build succeeds.",
            "승인 - 테스트 통과 확인했습니다. 빌드 성공.",
            "APPROVE - I verified the tests pass and build succeeds.",
            "APPROVE - Tests pass (628/628)",
            "APPROVE - Tests pass (12/12)",
            "APPROVE - Build succeeded, 0 errors",
            "승인 - 테스트 통과, 628개 성공",
            "LGTM - Tests pass, build clean",
            "APPROVE - I verified the changes",
            "I found 3 issues in the code...",
            "Here's my analysis...",
            "리뷰 부탁합니다",
        ],
    );
}

/// Every phrase that is printed as evidence, behind a verdict in five forms.
#[test]
fn the_lists_of_evidence() {
    let english = [
        "tests pass",
        "test pass",
        "tests passed",
        "verified",
        "verified output",
        "checked",
        "checked logs",
        "confirmed",
        "build success",
        "build succeeds",
        "build succeeded",
        "compilation passed",
        "ran",
        "I ran it",
        "628/628",
        "12/12",
        "12/12 pass",
        "995/995 tests passed",
        "+23 -5 lines",
        "typecheck clean",
        "0 errors",
        "reviewed code",
        "reviewed changes",
        "lint clean",
        "no lint errors",
        "output shows 0 failures",
        "git diff reviewed",
    ];
    let korean = [
        "테스트 통과",
        "확인했습니다",
        "검증했습니다",
        "빌드 성공",
        "실행했습니다",
        "결과 확인",
        "테스트를 통과했습니다",
    ];
    let mut texts = Vec::new();
    for words in english {
        for form in ["APPROVE - ", "APPROVE: ", "APPROVE. ", "APPROVED, ", "LGTM - "] {
            texts.push(format!("{form}{words}"));
        }
    }
    for words in korean {
        for form in ["승인 - ", "승인. ", "승인합니다. ", "승인, ", "APPROVE - "] {
            texts.push(format!("{form}{words}"));
        }
    }
    let wrong: Vec<&String> = texts
        .iter()
        .filter(|t| {
            let answer = ask("review", text(t));
            answer["decision"] != "allow" || answer["is_approval"] != true || answer["evidence"] == json!([])
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Printed as patterns: what is found by them says nothing until its object or its result is there.
#[test]
fn fragments_of_evidence_are_none() {
    all(
        "review",
        "block",
        ["APPROVE - git diff", "APPROVE - output shows"],
    );
    all(
        "review",
        "allow",
        [
            "APPROVE - read the git diff",
            "APPROVE - git diff: +23 -5 lines",
            "APPROVE - output shows 12 passed",
        ],
    );
}

const FILES: &str = "EXPECTED OUTCOME:\n- src/auth.ts\n- tests/auth.test.ts\n";

#[test]
fn the_printed_scope() {
    let asked = |modified: &[&str]| {
        let modified = modified.iter().map(|m| (*m).to_owned()).collect();
        let question = Row {
            delegation: Some(FILES.to_owned()),
            modified: Some(modified),
            ..Row::default()
        };
        let answer = ask("scope", question);
        (
            answer["severity"].clone(),
            answer["unexpected"].clone(),
            answer["decision"].clone(),
        )
    };
    let four = ["src/auth.ts", "tests/auth.test.ts", "src/utils.ts", "README.md"];
    let warned = (
        json!("WARNING"),
        json!(["src/utils.ts", "README.md"]),
        json!("allow"),
    );
    assert_eq!(asked(&four), warned);
    let (severity, unexpected, _) = asked(&["src/auth.ts", "a.ts", "b.ts", "c.ts"]);
    assert_eq!(
        (severity, unexpected),
        (json!("NEEDS_REVIEW"), json!(["a.ts", "b.ts", "c.ts"]))
    );
    assert_eq!(asked(&["src/auth.ts", "tests/auth.test.ts"]).1, json!([]));
}

#[test]
fn the_printed_checklist() {
    let items = "EXPECTED OUTCOME:\n1. Create src/auth.ts\n2. Write tests\n3. Run npm test\n";
    let after = |responses: &[&str]| {
        let question = Row {
            delegation: Some(items.to_owned()),
            responses: Some(responses.iter().map(|r| (*r).to_owned()).collect()),
            ..Row::default()
        };
        ask("todo", question)["reminder"].clone()
    };
    let left = |n: usize, next: &str| json!(format!("[SYSTEM] Remaining: {n} items. Next: {next}"));
    assert_eq!(after(&["I am looking at it."]), left(3, "Create src/auth.ts"));
    assert_eq!(after(&["src/auth.ts is created."]), left(2, "Write tests"));
    for mark in ["DONE", "완료", "TASK_COMPLETE"] {
        let last = format!("npm test ran: 3 passed. {mark}");
        assert_eq!(
            after(&["src/auth.ts is created.", "Tests written.", &last]),
            Value::Null,
            "{mark}"
        );
    }
}
