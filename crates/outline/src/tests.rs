use crate::{delegates, extend, is_delegation, progress, read, scope, sections};
use proptest::prelude::*;
use serde_json::Value;
use std::time::{Duration, Instant};

fn rows(data: &str) -> Vec<Value> {
    data.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn changed_files_are_compared_with_the_words() {
    for row in rows(include_str!("../tests/data/scope.jsonl")) {
        let words = row["delegation"].as_str().unwrap();
        let judged = scope::compare(&read(words), &strings(&row["modified"]), &[], 3);
        assert_eq!(
            judged.unexpected,
            strings(&row["unexpected"]),
            "{words}\n{:?}",
            read(words)
        );
        let severity = match judged.unexpected.len() {
            0 => scope::Severity::None,
            1 | 2 => scope::Severity::Warning,
            _ => scope::Severity::NeedsReview,
        };
        assert_eq!(judged.severity, severity, "{words}");
    }
}

#[test]
fn answers_complete_the_items_that_they_speak_of() {
    for row in rows(include_str!("../tests/data/todo.jsonl")) {
        let words = row["delegation"].as_str().unwrap();
        let mut items = progress::checklist(&read(words).items);
        let responses = strings(&row["responses"]);
        for response in &responses {
            items = progress::update(&items, response, &[]);
        }
        let completed: Vec<bool> = items.iter().map(|i| i.completed).collect();
        let expected: Vec<bool> = row["completed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_bool().unwrap())
            .collect();
        assert_eq!(completed, expected, "{items:?}\n{responses:?}");
    }
}

#[test]
fn items_are_the_leaves_of_the_outcome() {
    let cases: &[(&str, &[&str])] = &[
        (
            "EXPECTED OUTCOME:\n- Create src/auth.ts\n- Write tests\n- Run npm test",
            &["Create src/auth.ts", "Write tests", "Run npm test"],
        ),
        (
            "TASK: x\nEXPECTED OUTCOME:\n- a thing\nMUST DO:\n- be quick\nMUST NOT DO:\n- break it",
            &["a thing"],
        ),
        (
            "기대 결과\n1. 첫 항목\n2. 둘째 항목\n\n금지 사항\n- 없음",
            &["첫 항목", "둘째 항목"],
        ),
        (
            "EXPECTED OUTCOME:\n- Backend\n  - retry\n  - metric\n- Frontend",
            &["Backend › retry", "Backend › metric", "Frontend"],
        ),
        (
            "EXPECTED OUTCOME:\n- a long item\n  that goes on\n- b",
            &["a long item that goes on", "b"],
        ),
        (
            "EXPECTED OUTCOME: create a.ts, write tests and run them.",
            &["create a.ts", "write tests", "run them"],
        ),
        (
            "EXPECTED OUTCOME: the page loads in 1 s, even on 3G.",
            &["the page loads in 1 s, even on 3G."],
        ),
        ("EXPECTED OUTCOME:\n- [ ] one\n- [ ] two", &["one", "two"]),
        ("EXPECTED OUTCOME: none", &[]),
        (
            "{\"expectedOutcome\": [\"a\", {\"path\": \"b.ts\", \"change\": \"fix\"}]}",
            &["a", "b.ts: fix"],
        ),
        ("What does Lease do?", &[]),
        (
            "EXPECTED OUTCOME:\n\n| File | Change |\n|---|---|\n| a.ts | fix |\n| b.ts | drop |",
            &["a.ts: fix", "b.ts: drop"],
        ),
        (
            "Please do the following:\n1. Fix the login\n2. Update the docs",
            &["Fix the login", "Update the docs"],
        ),
        ("I get these errors:\n- E0308 in main\n- E0502 in lib", &[]),
    ];
    for (words, expected) in cases {
        assert_eq!(read(words).items, *expected, "{words}");
    }
}

#[test]
fn sections_in_both_languages() {
    let english = "TASK: Add retry\nEXPECTED OUTCOME:\n- src/a.ts\nREQUIRED TOOLS: Edit\nMUST DO: run tests\n\
                   MUST NOT DO: touch src/b.ts\nCONTEXT: see #12";
    let markdown = "## 1. Task\nAdd retry\n## 2. Expected Outcome\n- src/a.ts\n## 3. Required Tools\nEdit\n## 4. Must Do\n\
                    run tests\n## 5. Must Not Do\ntouch src/b.ts\n## 6. Context\nsee #12";
    let bold = "**TASK**: Add retry\n**EXPECTED OUTCOME**: src/a.ts\n**REQUIRED TOOLS**: Edit\n**MUST DO**: tests\n\
                **MUST NOT DO**: nothing else\n**CONTEXT**: none";
    let numbered = "1. TASK: Add retry\n2. EXPECTED OUTCOME: src/a.ts\n3. REQUIRED TOOLS: Edit\n4. MUST DO: tests\n\
                    5. MUST NOT DO: src/b.ts\n6. CONTEXT: #12";
    let korean = "작업: 재시도 추가\n기대 결과: src/a.ts\n필요 도구: Edit\n필수 사항: 테스트 실행\n금지 사항: src/b.ts 수정\n맥락: #12";
    let one_line = "TASK: Add retry EXPECTED OUTCOME: src/a.ts REQUIRED TOOLS: Edit MUST DO: tests MUST NOT DO: src/b.ts CONTEXT: #12";
    let json = "{\"task\":\"Add\",\"expected_outcome\":\"src/a.ts\",\"required_tools\":[\"Edit\"],\"must_do\":[\"tests\"],\
                \"must_not_do\":[\"x\"],\"context\":\"y\"}";
    for words in [english, markdown, bold, numbered, korean, one_line, json] {
        let found = sections(words);
        assert!(found.missing().is_empty(), "{words}\n{:?}", found.missing());
        assert!(is_delegation(words), "{words}");
        assert_eq!(
            read(words).expected.first().map(String::as_str),
            Some("src/a.ts"),
            "{words}"
        );
    }
    assert_eq!(sections("Fix the bug").count(), 0);
    assert_eq!(
        sections("TASK:\nEXPECTED OUTCOME:\n").count(),
        0,
        "labels without content"
    );
    let partial = sections("TASK: x\nEXPECTED OUTCOME: y\nCONTEXT: z");
    assert_eq!(partial.missing(), ["REQUIRED TOOLS", "MUST DO", "MUST NOT DO"]);
    assert!(!is_delegation("TASK: x\nEXPECTED OUTCOME: y"));
    assert!(is_delegation("DELEGATE::DevBot::fix it"));
}

/// Two files are expected, and four were changed.
#[test]
fn the_example_of_the_scope_guard() {
    let outline = read("EXPECTED OUTCOME:\n- src/auth.ts\n- tests/auth.test.ts");
    assert_eq!(outline.expected, ["src/auth.ts", "tests/auth.test.ts"]);
    let modified = ["src/auth.ts", "tests/auth.test.ts", "src/utils.ts", "README.md"].map(str::to_owned);
    let judged = scope::compare(&outline, &modified, &[], 3);
    assert_eq!(judged.unexpected, ["src/utils.ts", "README.md"]);
    assert_eq!(judged.severity, scope::Severity::Warning);
    assert_eq!(
        scope::compare(&outline, &modified, &[], 2).severity,
        scope::Severity::NeedsReview
    );
    assert_eq!(
        scope::compare(&outline, &modified, &["*.md".to_owned()], 3).unexpected,
        ["src/utils.ts"]
    );
}

/// What the earlier implementation read wrongly.
#[test]
fn failures_of_the_earlier_implementation() {
    let outline = read(
        "EXPECTED OUTCOME:\n- src/App.svelte, src/lib.swift, b.json5, e.g. with Node.js\n- Makefile, Dockerfile\n- src/인증.ts\n- src/db/",
    );
    assert_eq!(
        outline.expected,
        [
            "src/App.svelte",
            "src/lib.swift",
            "b.json5",
            "Makefile",
            "Dockerfile",
            "src/인증.ts",
            "src/db/"
        ]
    );
    assert!(
        scope::compare(&outline, &["src/db/pool/x.rs".to_owned()], &[], 3)
            .unexpected
            .is_empty()
    );
    let items = progress::checklist(&["로그 추가".to_owned(), "인증 구현 완료".to_owned()]);
    let after = progress::update(&items, "요청을 읽었습니다. 지금부터 살펴보겠습니다.", &[]);
    assert!(after.iter().all(|i| !i.completed));
    let items = progress::checklist(&[
        "JWT middleware implementation".to_owned(),
        "Run npm test".to_owned(),
    ]);
    let after = progress::update(&items, "I will start the JWT middleware next week", &[]);
    assert!(after.iter().all(|i| !i.completed));
    let after = progress::update(&items, "DONE", &[]);
    assert!(after.iter().all(|i| i.completed));
}

#[test]
fn created_files_complete_just_their_item() {
    let items = progress::checklist(&read("EXPECTED OUTCOME:\n- Create src/auth.ts\n- Create src/b.ts and wire it into src/main.ts\n- Write tests").items);
    let after = progress::update(
        &items,
        "",
        &["/repo/src/auth.ts".to_owned(), "src/b.ts".to_owned()],
    );
    assert_eq!(
        after.iter().map(|i| i.completed).collect::<Vec<_>>(),
        [true, false, false]
    );
    let after = progress::update(
        &items,
        "src/auth.ts is not done, it is a stub.",
        &["src/auth.ts".to_owned()],
    );
    assert!(!after[0].completed);
}

#[test]
fn a_created_file_completes_the_glob_or_the_folder_that_it_falls_under() {
    let outcome =
        "EXPECTED OUTCOME:\n- docs/**/*.md\n- lib/\n- src/new.rs\n- *.toml\n- assets/ and wire them up";
    let items = progress::checklist(&read(outcome).items);
    let made = ["docs/x/y.md", "lib/q.rs", "assets/a.png"].map(str::to_owned);
    let after = progress::update(&items, "", &made);
    assert_eq!(
        after.iter().map(|i| i.completed).collect::<Vec<_>>(),
        [true, true, false, false, false]
    );
    let after = progress::update(
        &items,
        "",
        &["docs/x/y.txt".to_owned(), "library/q.rs".to_owned()],
    );
    assert!(after.iter().all(|i| !i.completed), "{after:?}");
}

#[test]
fn reminders_count_what_is_open() {
    let mut items = progress::checklist(&[
        "Create src/auth.ts".to_owned(),
        "Write tests".to_owned(),
        "Run npm test".to_owned(),
    ]);
    assert_eq!(
        progress::reminder(&items).unwrap(),
        "[SYSTEM] Remaining: 3 items. Next: Create src/auth.ts"
    );
    items[0].completed = true;
    items[1].completed = true;
    assert_eq!(
        progress::reminder(&items).unwrap(),
        "[SYSTEM] Remaining: 1 items. Next: Run npm test"
    );
    items[2].completed = true;
    assert_eq!(progress::reminder(&items), None);
}

/// What the orchestrator asks a reviewer, with the worker's task and words as quotations.
const REVIEW: &str = "TASK: Review the work on the task below.\n\
    EXPECTED OUTCOME: A line VERDICT: APPROVE or VERDICT: REJECT, with what you ran and what came out. \
    Read-only: do not modify any file.\nREQUIRED TOOLS: the shell, to run the project's tests.\n\
    MUST DO: run the tests yourself.\nMUST NOT DO: approve on the author's word.\n\
    CONTEXT: the task was:\n> TASK: Add retry\n> EXPECTED OUTCOME:\n> - src/a.rs\n> - Write tests\n>\n\
    > MUST DO: be quick\n\nIts author says:\n> All done.\n> EXPECTED OUTCOME: nothing else";

#[test]
fn a_reviewer_is_asked_for_one_thing() {
    let outline = read(REVIEW);
    assert_eq!(outline.items.len(), 1, "{outline:?}");
    assert!(outline.items[0].starts_with("A line VERDICT: APPROVE"));
    assert!(outline.read_only && outline.expected.is_empty());
    let fenced = "TASK: Review it.\nEXPECTED OUTCOME: 리뷰 판정\nCONTEXT: the task was:\n```\nTASK: x\nEXPECTED OUTCOME:\n- src/a.rs\n```";
    assert_eq!(read(fenced).items, ["리뷰 판정"]);
    let whole = "> TASK: x\n> CONTEXT: y\n> EXPECTED OUTCOME:\n> - src/a.rs";
    assert_eq!(
        read(whole).items,
        ["src/a.rs"],
        "a delegation that is quoted as a whole"
    );
}

#[test]
fn a_verdict_completes_its_item() {
    let items = progress::checklist(&read(REVIEW).items);
    for (answer, done) in [
        (
            "VERDICT: REJECT. I ran cargo test, 2 of 14 failed; not done.",
            true,
        ),
        ("I ran the tests: 14 passed.\n\n**Verdict:** approve", true),
        ("테스트를 실행했습니다.\n\n판정: 반려", true),
        ("I will give the verdict later.", false),
        ("> VERDICT: APPROVE", false),
        ("```\nVERDICT: APPROVE\n```", false),
        ("VERDICT: pending", false),
    ] {
        assert_eq!(
            progress::update(&items, answer, &[])[0].completed,
            done,
            "{answer}"
        );
    }
}

#[test]
fn a_later_prompt_widens_the_task() {
    let outline = read("EXPECTED OUTCOME:\n- src/a.ts\nMUST NOT DO:\n- touch src/b.ts");
    let wider = extend(&outline, "Please change src/b.ts as well.");
    assert_eq!(wider.expected, ["src/a.ts", "src/b.ts"]);
    assert!(wider.excluded.is_empty());
    assert_eq!(wider.items, outline.items);
}

#[test]
fn a_prompt_that_permits_or_only_names_files_releases_them() {
    let outline = read("TASK: x\nEXPECTED OUTCOME:\n- src/a.rs\nMUST NOT DO:\n- touch src/d.rs");
    let strays = ["src/b.rs", "src/c.rs", "src/d.rs"].map(str::to_owned);
    for words in [
        "Those are fine: src/b.rs, src/c.rs, src/d.rs",
        "Those are fine:\n- src/b.rs\n- src/c.rs\n- src/d.rs",
        "You may also change src/b.rs, src/c.rs and src/d.rs.",
        "src/b.rs, src/c.rs, src/d.rs",
        "src/b.rs src/c.rs src/d.rs",
        "- src/b.rs\n- src/c.rs\n- src/d.rs",
        "src/b.rs, src/c.rs and src/d.rs are fine",
        "ok, keep src/b.rs, src/c.rs, src/d.rs",
        "Yes, src/b.rs, src/c.rs and src/d.rs belong to it.",
        "Also change src/b.rs, src/c.rs, src/d.rs",
        "src/b.rs, src/c.rs, src/d.rs도 고쳐도 됩니다",
        "`src/b.rs`, `src/c.rs`, `src/d.rs`",
        "Widen the task: src/b.rs, src/c.rs, src/d.rs",
        "The task includes src/b.rs, src/c.rs, src/d.rs",
        "EXPECTED OUTCOME:\n- src/b.rs\n- src/c.rs\n- src/d.rs",
        "네, src/b.rs, src/c.rs, src/d.rs 수정 괜찮습니다",
        "src/b.rs, src/c.rs, src/d.rs 모두 작업 범위에 포함됩니다.",
        "Yes, change the files src/b.rs, src/c.rs and src/d.rs too",
    ] {
        let wider = extend(&outline, words);
        let judged = scope::compare(&wider, &strays, &[], 0);
        assert!(judged.unexpected.is_empty(), "{words}: {:?}", judged.unexpected);
    }
}

#[test]
fn what_is_asked_denied_or_only_spoken_of_is_not_released() {
    let outline = read("EXPECTED OUTCOME:\n- src/a.rs");
    for words in [
        "src/b.rs is not fine.",
        "Are src/b.rs and src/c.rs fine?",
        "keep src/b.rs as it was before",
        "See:\n- src/b.rs",
        "src/b.rs\nWhy does it fail?",
        "You can look at src/b.rs for the style.",
        "Please revert src/b.rs, those are not part of the task.",
        "src/b.rs 수정은 안 됩니다",
        "src/b.rs도 괜찮나요?",
        "src/b.rs를 참고하세요",
    ] {
        let wider = extend(&outline, words);
        assert_eq!(wider.expected, outline.expected, "{words}");
    }
    // Where nothing was limited, names alone limit nothing.
    let free = read("Mend the parser.");
    assert_eq!(extend(&free, "src/b.rs is fine").expected, free.expected);
}

#[test]
fn plain_questions_have_no_outline() {
    for words in [
        "How does src/a.ts work?",
        "Thanks!",
        "",
        "   \n\n",
        "내일 회의는 몇 시인가요?",
    ] {
        let outline = read(words);
        assert!(
            !outline.has_outcome && outline.items.is_empty(),
            "{words}: {outline:?}"
        );
        assert!(!outline.read_only, "{words}");
    }
}

#[test]
fn very_long_texts_are_read_at_both_ends() {
    let middle = "pasted log line without any meaning\n".repeat(400_000);
    let text = format!(
        "EXPECTED OUTCOME:\n- src/first.rs holds the parser\n\nCONTEXT:\n{middle}\nMUST NOT DO:\n- touch src/last.rs\n"
    );
    let start = Instant::now();
    let outline = read(&text);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert_eq!(outline.items, ["src/first.rs holds the parser"]);
    assert_eq!(outline.expected, ["src/first.rs"]);
    assert_eq!(outline.excluded, ["src/last.rs"]);
    // What was left out and what was read make up the whole text.
    assert!(outline.unread > text.len() - crate::LOOKED_AT - 200 && outline.unread < text.len());
    let modified = ["src/a.rs", "src/b.rs", "src/c.rs"].map(str::to_owned);
    let judged = scope::compare(&outline, &modified, &[], 3);
    assert_eq!(
        judged.severity,
        scope::Severity::Warning,
        "what was not read may name them"
    );
    assert_eq!(read("EXPECTED OUTCOME:\n- a").unread, 0);
    assert_eq!(read("가").unread, 0);
    // One line without an end is cut between characters.
    assert!(read(&"가".repeat(1_000_000)).unread > 2_000_000);
}

#[test]
fn very_many_items_end_in_one_that_stands_for_the_rest() {
    let list: String = (0..5000).map(|n| format!("- item number {n}\n")).collect();
    let outline = read(&format!("EXPECTED OUTCOME:\n{list}"));
    assert_eq!(outline.items.len(), 1000);
    assert_eq!(outline.items[999], "4001 more items of the task");
    let items = progress::checklist(&outline.items);
    let after = progress::update(&items, "Item number 3 is done.", &[]);
    assert!(progress::reminder(&after).is_some());
}

#[test]
fn big_texts_end_in_bounded_time() {
    // This crate and those it calls are optimised in every profile: a piece takes well below a second.
    let size = 512 * 1024;
    let fill = |piece: &str| piece.repeat(size / piece.len());
    let texts = [
        fill("- src/한글/file_12.ts: fix the `parser` (see docs/a.md), not src/b.ts\n"),
        fill("do not touch src/a.ts except, and the rest 완료했고 1번은 "),
        fill("("),
        fill("[x] "),
        fill("`\"'"),
        fill("기대 결과: EXPECTED OUTCOME: "),
        fill("a"),
        fill("가나다"),
        fill("1, "),
        fill("not done, and "),
        fill("1) a 2) b "),
        fill("| a | b |\n"),
        fill("a|b=c:"),
        fill("✅ done\n❌ a "),
        fill("The login page is done. Bob did the rest; 나머지는 완료했습니다.\n\n"),
        // Words without a space that are parts or paths, marks that may end them, and what is looked for around them.
        fill("src/,"),
        fill("(src/"),
        fill("1…"),
        fill(".1"),
        fill("1_"),
        fill("]."),
        fill("\"."),
        fill("./"),
        // Many labels, many places in files, many paths of one clause.
        fill("a: b: c: "),
        fill("src/a.rs:12 "),
        fill("src/a.rs, "),
        fill("승인합니다. "),
    ];
    for text in &texts {
        let outcome = format!("EXPECTED OUTCOME:\n{text}");
        let start = Instant::now();
        let outline = read(&outcome);
        let _ = (sections(&outcome), is_delegation(&outcome), delegates(&outcome));
        let items = progress::checklist(&outline.items);
        let _ = progress::update(&items, text, &[]);
        // A quadratic step would take minutes.
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{:?} for {:.20}",
            start.elapsed(),
            text
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_readers_fail(
        words in "(EXPECTED OUTCOME|기대 결과|- |\\n|DELEGATE::|::|src/a\\.ts|[`\"'*_|#>(){}\\[\\]:;,./-]|done|완료|not|않|1번|\\PC| ){0,60}",
        answer in "(DONE|완료|- \\[x\\] |\\n|item 1|1-3번|1\\) |가\\. |✅|❌|only|남았|as well|no longer|so is|2 of 3|80 %|except|빼고|[`\"'*_~|#>(){}:;,.]|not|않았습니다|\\PC| ){0,60}",
    ) {
        let outline = read(&words);
        let items = progress::checklist(&outline.items);
        let after = progress::update(&items, &answer, std::slice::from_ref(&answer));
        prop_assert_eq!(after.len(), items.len());
        let open = after.iter().filter(|i| !i.completed).count();
        prop_assert_eq!(progress::reminder(&after).is_none(), open == 0);
        let judged = scope::compare(&outline, &[words.clone(), answer.clone()], &outline.expected, 3);
        prop_assert!(judged.unexpected.len() <= 2);
        let _ = (sections(&words), delegates(&words), is_delegation(&words), extend(&outline, &answer));
    }

    #[test]
    fn named_files_are_in_scope_and_others_are_not(name in "[a-z]{2,8}", other in "[a-z]{2,8}", ext in "(rs|ts|py|svelte|go)") {
        prop_assume!(name != other);
        let path = format!("src/{name}.{ext}");
        let outline = read(&format!("EXPECTED OUTCOME:\n- {path}: fix the overflow"));
        let modified = vec![path, format!("src/{other}.{ext}")];
        let judged = scope::compare(&outline, &modified, &[], 3);
        prop_assert_eq!(judged.unexpected, modified.get(1..).unwrap().to_vec());
    }
}

#[test]
fn what_stands_in_the_place_of_a_folder_is_covered() {
    for (glob, path, covered) in [
        ("deploy/**", "deploy/a.yaml", true),
        ("deploy/**", "deploy", true),
        ("deploy/*.yaml", "deploy", true),
        ("deploy/", "deploy", true),
        ("deploy/", "a/deploy", true),
        ("vendor/crypto/**", "vendor/crypto", true),
        ("vendor/crypto/src/**", "vendor/crypto", true),
        ("vendor/crypto/src/key.rs", "vendor", true),
        ("**/secrets/**", "a/secrets", true),
        ("**/secrets/**", "secrets", true),
        ("crates/*/migrations/**", "crates/a/migrations", true),
        ("{deploy,infra}/**", "infra", true),
        ("deploy/**", "docs/deploy", false),
        ("deploy/**", "deploy.md", false),
        ("deploy/prod/**", "deploy/a.yaml", false),
        ("docs/*/**", "docs/a.md", false),
        ("**/*.pem", "a", false),
        ("*.pem", "a", false),
        ("**/secrets/**", "a/b", false),
    ] {
        let (globs, paths) = ([glob.to_owned()], [path.to_owned()]);
        let found = scope::covered(&globs, &paths, &[]);
        assert_eq!(found == paths, covered, "{glob} {path}");
    }
    assert!(scope::covered(&[], &["a".to_owned()], &[]).is_empty());
}

#[test]
fn what_stands_in_the_place_of_a_folder_of_any_name_is_covered_and_a_file_is_not() {
    for (glob, path, is_in_doubt) in [
        ("vendor/*/**", "vendor/x", true),
        ("vendor/*/src/**", "vendor/x", true),
        ("*/deploy/**", "x", true),
        ("**/vendor/*/**", "a/vendor/x", true),
        ("vendor/**", "vendor/x", false),
        ("vendor/*", "vendor/x", false),
        ("vendor/x/**", "vendor/x", false),
        ("vendor/*/**", "vendor/x/y", false),
        ("vendor/*/**", "other/x", false),
        ("**/deploy/**", "x", false),
    ] {
        let (globs, paths) = ([glob.to_owned()], [path.to_owned()]);
        assert_eq!(
            scope::in_doubt(&globs, &paths) == paths,
            is_in_doubt,
            "{glob} {path}"
        );
        if is_in_doubt {
            assert!(scope::covered(&globs, &paths, &[]).is_empty(), "{glob} {path}");
            assert_eq!(scope::covered(&globs, &paths, &paths), paths, "{glob} {path}");
        }
    }
}

#[test]
fn globs_and_folders_from_the_root_cover_what_lies_in_them() {
    for (words, file, covered) in [
        ("- everything in crates/*/src builds", "crates/a/src/lib.rs", true),
        (
            "- everything in crates/*/src builds",
            "crates/a/tests/lib.rs",
            false,
        ),
        (
            "- all of `packages/*/tests` green",
            "packages/a/tests/b/x.ts",
            true,
        ),
        ("- packages/* is linted", "packages/a/x.ts", true),
        ("- packages/* is linted", "tools/x.ts", false),
        ("- src/*.py is typed", "src/a.py", true),
        ("- src/*.py is typed", "src/a/b.py", false),
        ("- *.md is right", "docs/x.md", true),
        ("- ~/code/app/src/a.py handles empty input", "src/a.py", true),
        ("- ~/code/app/src/a.py handles empty input", "src/b.py", false),
        ("- everything in ~/code/app/src/ is typed", "src/x/b.py", true),
        ("- everything in /srv/app/src/ is typed", "tests/b.py", false),
        ("- $CLAUDE_PROJECT_DIR/src/a.py is typed", "src/a.py", true),
    ] {
        let outline = read(&format!("EXPECTED OUTCOME:\n{words}"));
        let judged = scope::compare(&outline, &[file.to_owned()], &[], 3);
        assert!(!judged.expected.is_empty(), "{words}");
        assert_eq!(judged.unexpected.is_empty(), covered, "{words} {file}");
        let ban = read(
            &words
                .replace("- everything in ", "- ")
                .replacen("- ", "Do not touch ", 1),
        );
        if words.contains("*/src") {
            let judged = scope::compare(&ban, &[file.to_owned()], &[], 3);
            assert_eq!(!judged.unexpected.is_empty(), covered, "{words} {file}: {ban:?}");
        }
    }
}

#[test]
fn forms_of_delegations_that_name_files() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        // The order, and the files that it may touch.
        (
            "DELEGATE: fix the retry storm -> services/push/retry.ts, services/push/backoff.ts",
            &["services/push/retry.ts", "services/push/backoff.ts"],
            &["services/push/retry.ts", "services/push/backoff.ts"],
        ),
        ("DELEGATE: order -> a.ts", &["a.ts"], &["a.ts"]),
        (
            "DELEGATE_BG: 재시도 추가 → src/a.ts, src/b.ts.",
            &["src/a.ts", "src/b.ts"],
            &["src/a.ts", "src/b.ts"],
        ),
        // An arrow of the order's own, and an example.
        ("DELEGATE: rename x -> y", &[], &[]),
        ("```\nDELEGATE: order -> a.ts\n```", &[], &[]),
        (
            "EXPECTED OUTCOME:\n- .env.example lists the new keys\n- .env.production too",
            &[".env.example lists the new keys", ".env.production too"],
            &[".env.example", ".env.production"],
        ),
        (
            "EXPECTED OUTCOME:\n- the env. variables are listed",
            &["the env. variables are listed"],
            &[],
        ),
        (
            "{\"기대 결과\": {\"산출물\": [\"로그인 화면\", \"안내 문구\"], \"파일\": [\"src/a.ts\", \"src/b.ts\"]}}",
            &["로그인 화면", "안내 문구"],
            &["src/a.ts", "src/b.ts"],
        ),
        (
            "{\"기대 결과\": {\"산출물\": \"로그인 화면\", \"파일\": [\"src/a.ts\"]}, \"금지 사항\": [\"src/b.ts 수정\"]}",
            &["로그인 화면"],
            &["src/a.ts"],
        ),
    ];
    for (words, items, expected) in cases {
        let outline = read(words);
        assert_eq!(outline.items, *items, "{words}");
        let named = outline.expected.iter().filter(|path| !path.contains(['*', '{']));
        assert_eq!(named.collect::<Vec<_>>(), *expected, "{words}");
    }
}

#[test]
fn a_time_of_day_may_be_told_in_words() {
    for (item, answer) in [
        (
            "백업은 03:00에 실행된다",
            "새벽 3시에 백업이 실행되도록 했습니다.",
        ),
        (
            "백업은 새벽 3시에 실행된다",
            "백업은 03:00에 실행되도록 설정했습니다.",
        ),
        (
            "백업은 오후 3시에 실행된다",
            "백업은 15:00에 실행되도록 설정했습니다.",
        ),
        ("the backup runs at 03:00", "The backup runs at 3 am now."),
    ] {
        let outline = read(&format!("EXPECTED OUTCOME:\n- {item}\n- the old file is gone"));
        let items = progress::update(&progress::checklist(&outline.items), answer, &[]);
        let completed: Vec<bool> = items.iter().map(|i| i.completed).collect();
        assert_eq!(completed, [true, false], "{item} | {answer}");
    }
}
