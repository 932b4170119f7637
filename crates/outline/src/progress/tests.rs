use super::*;

fn completed(items: &[&str], responses: &[&str]) -> Vec<bool> {
    let items: Vec<String> = items.iter().map(|i| (*i).to_owned()).collect();
    let list = responses
        .iter()
        .fold(checklist(&items), |list, response| update(&list, response, &[]));
    list.iter().map(|i| i.completed).collect()
}

#[test]
fn words_in_code_and_quotes_complete_nothing() {
    let items = ["Parse the markers"];
    for response in [
        "`DONE`",
        "```\nDONE\n```",
        "> DONE",
        "It prints \"DONE\".",
        "The word \"완료\" is a marker.",
    ] {
        assert_eq!(completed(&items, &[response]), [false], "{response}");
    }
}

#[test]
fn a_line_begins_a_sentence_of_its_own() {
    for response in [
        "- Added parser\n- Added login\n- Wrote tests",
        "- Parser: done\n- Added login\n- Wrote tests",
        "1. Parser is updated\n2. Added login\n3. Wrote tests",
        "Added parser\n\nAdded login\n\nWrote tests",
        "## Added parser\n\n## Added login\n\n## Wrote tests",
    ] {
        let items = ["Add parser", "Add login", "Write tests"];
        assert_eq!(completed(&items, &[response]), [true, true, true], "{response}");
    }
    // A title names what comes, or what is open.
    for response in [
        "## Parser\n\nTo be added.",
        "## Next: add parser",
        "## Parser added?",
    ] {
        assert_eq!(
            completed(&["Add parser", "Add login"], &[response]),
            [false, false],
            "{response}"
        );
    }
}

#[test]
fn the_latest_word_counts() {
    let items = ["Add retry", "Add metric"];
    assert_eq!(
        completed(&items, &["Retry added.", "Retry is not done after all."]),
        [false, false]
    );
    assert_eq!(
        completed(&items, &["Retry failed.", "Retry added."]),
        [true, false]
    );
    assert_eq!(
        completed(&items, &["All done.", "Will polish the retry code later."]),
        [true, true]
    );
}

#[test]
fn a_mark_behind_one_item_on_its_line_is_about_that_item() {
    let items = ["Create src/auth.ts", "Write tests", "Run npm test"];
    for (response, first, others) in [
        ("Created src/auth.ts. DONE", true, false),
        ("src/auth.ts 파일을 만들었습니다. 완료", true, false),
        ("Created src/auth.ts. Done.", true, false),
        // Alone on its line, or in its message, it is about all; so is one that names the task.
        ("Created src/auth.ts.\nDONE", true, true),
        ("Created src/auth.ts.\n\nDONE", true, true),
        ("DONE", true, true),
        ("완료", true, true),
        ("Created src/auth.ts. TASK_COMPLETE", true, true),
        ("Created src/auth.ts. All done.", true, true),
        // Behind more than one item it is the end of the account.
        ("Created src/auth.ts. Wrote the tests. DONE", true, true),
    ] {
        let done = completed(&items, &[response]);
        assert_eq!((done[0], done[2]), (first, others), "{response}");
    }
}

#[test]
fn nothing_is_done_without_items() {
    assert!(update(&[], "DONE", &[]).is_empty());
    assert_eq!(reminder(&[]), None);
}

#[test]
fn groups_letters_and_exceptions() {
    let screens = ["결제 화면 다국어", "주문 화면 다국어", "설정 화면 다국어"];
    assert_eq!(
        completed(&screens, &["설정 화면만 빼고 다국어 적용 다 됐습니다."]),
        [true, true, false]
    );
    let flags = ["Add the flag", "Print a table", "Exit with 3"];
    assert_eq!(
        completed(&flags, &["(a) and (c) landed in 1f2e3d."]),
        [true, false, true]
    );
    let chapters = ["Chapter on setup", "Chapter on upgrades", "Chapter on backup"];
    assert_eq!(
        completed(&chapters, &["Chapters 1-3 are written, apart from 2."]),
        [true, false, true]
    );
    let pair = ["예약 중복 수정", "취소 수수료 계산"];
    assert_eq!(
        completed(&pair, &["전자는 고쳤습니다. 후자는 시작 전입니다."]),
        [true, false]
    );
}

#[test]
fn forms_that_only_sound_open() {
    let items = ["야간 배치 등록", "배치 알림"];
    for (response, expected) in [
        ("야간 배치는 매일 돌게 등록해 두었습니다.", [true, false]),
        ("알림이 두 번 가지 않도록 1번을 처리했습니다.", [true, false]),
        ("야간 배치는 등록하는 게 좋아 보입니다.", [false, false]),
    ] {
        assert_eq!(completed(&items, &[response]), expected, "{response}");
    }
    let logging = ["Query logging", "List of slow queries"];
    assert_eq!(
        completed(
            &logging,
            &["Query logging enabled.", "I took query logging out again."]
        ),
        [false, false]
    );
}

#[test]
fn what_was_passed_over_is_read_where_it_is_asked_for() {
    let items = ["Retry limit", "Token bug"];
    for (text, expected) in [
        // The sentence before says of something else that it is done.
        (
            "Retry limit is pending. I merged two importers. Token bug too.",
            [false, true],
        ),
        (
            "Retry limit is pending. Two importers follow tomorrow. Token bug too.",
            [false, false],
        ),
    ] {
        assert_eq!(completed(&items, &[text]), expected, "{text}");
    }
}

#[test]
fn long_words_take_linear_time() {
    let item = "aB1".repeat(20_000);
    let answer = format!("{} is done. {}", &item, "Zz9 ".repeat(20_000));
    let list = checklist(&[item, "Write tests".to_owned()]);
    assert_eq!(update(&list, &answer, &[]).len(), 2);
}

/// The states of the items of a delegation after some answers.
fn after(words: &str, answers: &[&str]) -> Vec<bool> {
    let mut items = super::checklist(&crate::read(words).items);
    for answer in answers {
        items = super::update(&items, answer, &[]);
    }
    items.iter().map(|item| item.completed).collect()
}

#[test]
fn an_answer_completes_what_asks_for_words() {
    for (words, given, not_given) in [
        ("an answer", "It is in /etc/app/conf.d.", "I'll look at it."),
        (
            "the path of the config",
            "The config is /etc/app/conf.d/main.toml.",
            "The config is hard to find.",
        ),
        (
            "a list of all callers of parse()",
            "parse() is called in a.rs:12, b.rs:40 and c.rs:7.",
            "parse() is called often.",
        ),
        (
            "a recommendation: A or B",
            "I recommend B, since reads are far more frequent.",
            "Both A and B have users.",
        ),
        (
            "a short report on the tests",
            "There are 40 tests in four files.",
            "There are 40 doors in four houses.",
        ),
        (
            "number of open tickets",
            "There are 14 open tickets.",
            "Are there 14 open tickets?",
        ),
        ("답변", "설정은 /etc/app/conf.d 에 있습니다.", "살펴보겠습니다."),
        (
            "parse() 를 부르는 곳 목록",
            "parse() 는 a.rs:12, b.rs:40, c.rs:7 에서 부릅니다.",
            "parse() 는 자주 부릅니다.",
        ),
        (
            "A안과 B안 중 추천",
            "읽기가 훨씬 많으니 B안을 추천합니다.",
            "둘 다 쓰는 사람이 있습니다.",
        ),
        (
            "테스트 현황 보고",
            "테스트는 네 파일에 40개입니다.",
            "문은 네 집에 40개입니다.",
        ),
        (
            "열린 티켓 수",
            "열린 티켓은 14건입니다.",
            "열린 티켓을 세겠습니다.",
        ),
        (
            "변경에 대한 리뷰",
            "save() 에서 잠금을 풀지 않습니다. 반려합니다.",
            "읽는 중입니다.",
        ),
    ] {
        let words = format!("EXPECTED OUTCOME\n- {words}");
        assert_eq!(after(&words, &[given]), [true], "{words}: {given}");
        assert_eq!(after(&words, &[not_given]), [false], "{words}: {not_given}");
    }
    // What is to be written, or made, is no answer.
    assert_eq!(
        after(
            "EXPECTED OUTCOME\n- a list of callers in docs/callers.md",
            &["It is called in a.rs:12 and b.rs:40."]
        ),
        [false]
    );
    assert_eq!(
        after("EXPECTED OUTCOME\n- path validation", &["The path is /etc/app."]),
        [false]
    );
}

#[test]
fn parts_of_an_inline_outcome_are_items() {
    for (words, items) in [
        (
            "EXPECTED OUTCOME: login page, logout button",
            &["login page", "logout button"][..],
        ),
        (
            "EXPECTED OUTCOME: a page, a button and a test for both",
            &["a page", "a button", "a test for both"],
        ),
        (
            "1. TASK: x\n2. EXPECTED OUTCOME: login page; logout button\n3. MUST DO: y",
            &["login page", "logout button"],
        ),
        (
            "기대 결과: 로그인 화면, 로그아웃 버튼",
            &["로그인 화면", "로그아웃 버튼"],
        ),
        // One thing with a row of adjectives, a remark, objects of one verb.
        (
            "EXPECTED OUTCOME: a fast, simple login page",
            &["a fast, simple login page"],
        ),
        (
            "EXPECTED OUTCOME: the page loads in 1 s, even on 3G.",
            &["the page loads in 1 s, even on 3G."],
        ),
        (
            "EXPECTED OUTCOME: search by first name, last name",
            &["search by first name, last name"],
        ),
        ("기대 결과: 빠르고, 안전한 로그인", &["빠르고, 안전한 로그인"]),
    ] {
        assert_eq!(crate::read(words).items, items, "{words}");
    }
    assert_eq!(
        after(
            "EXPECTED OUTCOME: login page, logout button",
            &["The login page is done."]
        ),
        [true, false]
    );
    assert_eq!(
        after(
            "기대 결과: 로그인 화면, 로그아웃 버튼",
            &["로그인 화면을 만들었습니다."]
        ),
        [true, false]
    );
}

#[test]
fn shares_behind_a_label_and_what_does_nothing_are_open() {
    let words = "EXPECTED OUTCOME\n1. login page\n2. logout button\n3. help text";
    let cases: [(&[&str], [bool; 3]); 5] = [
        (
            &["login page — 100%, logout button — 100%, help text — 40%"],
            [true, true, false],
        ),
        (
            &["Login page: 100 %. Logout button: 100 %. Help text: 40 %."],
            [true, true, false],
        ),
        (
            &["Login page: 100 %\nLogout button: 100 %\nHelp text: 100 %"],
            [true, true, true],
        ),
        (
            &[
                "All done.",
                "Sorry, I was wrong, the logout button still does nothing.",
            ],
            [true, false, true],
        ),
        (
            &["All done.", "A second press of the logout button does nothing."],
            [true, true, true],
        ),
    ];
    for (answers, expected) in cases {
        assert_eq!(after(words, answers), expected, "{answers:?}");
    }
}

#[test]
fn the_whole_task_is_all_of_its_items() {
    let items = ["Fix the parser", "Update the docs"];
    for (response, expected) in [
        ("Done with the whole task.", [true, true]),
        ("The entire list is complete.", [true, true]),
        ("I have done the whole thing.", [true, true]),
        ("작업 전체를 끝냈습니다.", [true, true]),
        ("The whole task except the docs is done.", [true, false]),
        ("The whole parser is fixed.", [true, false]),
        ("The whole suite passes.", [false, false]),
        ("I read the whole file.", [false, false]),
        ("Not the whole task is done.", [false, false]),
        ("Done with half of the whole task.", [false, false]),
    ] {
        assert_eq!(completed(&items, &[response]), expected, "{response}");
    }
}

#[test]
fn who_has_done_nothing_or_is_to_begin_completes_nothing() {
    let items = ["Create x.py", "Create y.py"];
    for response in [
        "I have done nothing.",
        "I have completed nothing of this.",
        "DONE: nothing yet",
        "Done - nothing so far.",
        "DONE: 0",
        "완료: 없음",
        "When everything is done, I will say DONE.",
        "After everything is done, I will report back.",
        "Ready to create x.py and y.py.",
        "Ready to write both files.",
        "All set to create x.py and y.py.",
        "x.py와 y.py를 만들 준비가 됐습니다.",
    ] {
        assert_eq!(completed(&items, &[response]), [false, false], "{response}");
    }
    for response in [
        "Everything is done, nothing left to do.",
        "Done, nothing broke.",
        "Done - 0 left.",
        "Completed, none of the tests fail.",
        "DONE. Remaining: nothing",
        "After everything was done I ran the suite.",
        "All done. When you merge it, I will close the ticket.",
        "All done, ready to merge.",
        "모두 완료. 배포 준비가 됐습니다.",
    ] {
        assert_eq!(completed(&items, &[response]), [true, true], "{response}");
    }
    let ready = ["배포 준비", "문서 갱신"];
    let told = ["배포 준비가 완료됐고 문서도 갱신했습니다."];
    assert_eq!(completed(&ready, &told), [true, true]);
}

/// Whether the items of a delegation are done after an answer, `1` for each that is.
fn marks(delegation: &str, answer: &str) -> String {
    let items = update(&checklist(&crate::read(delegation).items), answer, &[]);
    items
        .iter()
        .map(|item| if item.completed { '1' } else { '0' })
        .collect()
}

#[test]
fn work_that_somebody_took_over_is_not_done() {
    let english = "EXPECTED OUTCOME\n- Login page with remember-me box\n- Logout clears the session\n- Password reset by mail\n";
    for answer in [
        "The first two items are finished; Maria took over the password reset.",
        "Login and logout are done. The password reset went to the backend team.",
        "Done: 1, 2. The password reset is with Ana now.",
        "Login page done, logout done. I handed the password reset to Maria.",
        "Login page done, logout done. Kim volunteered for the password reset.",
    ] {
        assert_eq!(marks(english, answer), "110", "{answer}");
    }
    let korean =
        "기대 결과\n- 로그인 화면에 자동 로그인 추가\n- 로그아웃 시 세션 삭제\n- 메일로 비밀번호 재설정\n";
    for answer in [
        "1번과 2번은 끝냈고 비밀번호 재설정은 마리아가 맡았습니다.",
        "1번, 2번 완료. 3번은 지수가 가져갔습니다.",
        "로그인과 로그아웃은 완료했습니다. 비밀번호 재설정은 백엔드 팀으로 넘어갔습니다.",
        "로그인과 로그아웃은 완료했고 비밀번호 재설정은 김 대리가 씁니다.",
    ] {
        assert_eq!(marks(korean, answer), "110", "{answer}");
    }
    // One's own work stays done.
    assert_eq!(
        marks(korean, "1번, 2번 완료. 3번은 제가 맡았고 끝냈습니다."),
        "111"
    );
    assert_eq!(
        marks(
            english,
            "Login page done, logout done. The password reset sends a mail to Maria now."
        ),
        "111"
    );
}

#[test]
fn what_is_to_happen_in_some_case_may_be_told_with_that_case() {
    for (item, answer) in [
        ("로그아웃 시 세션 삭제", "로그아웃하면 세션이 삭제됩니다."),
        ("로그아웃 시 세션 삭제", "로그아웃 시 세션 삭제를 구현했습니다."),
        ("만료된 쿠키 삭제", "만료된 쿠키 삭제를 구현했습니다."),
        ("저장할 때 날짜 검사", "저장하면 날짜가 검사됩니다."),
        ("업로드 실패 시 알림 표시", "업로드가 실패하면 알림이 표시됩니다."),
        ("Logout clears the session", "Logging out now clears the session."),
        (
            "A warning is shown when the upload fails",
            "A warning is shown when the upload fails.",
        ),
        (
            "A warning is shown when the upload fails",
            "When the upload fails, a warning is shown.",
        ),
    ] {
        assert_eq!(
            marks(&format!("EXPECTED OUTCOME\n- {item}\n"), answer),
            "1",
            "{item} <= {answer}"
        );
    }
    for (item, answer) in [
        ("로그아웃 시 세션 삭제", "로그아웃하면 세션이 삭제되지 않습니다."),
        ("로그아웃 시 세션 삭제", "로그아웃하면 세션이 삭제될 예정입니다."),
        ("업로드 실패 시 알림 표시", "업로드가 실패하면 알림이 표시되나요?"),
        ("예전 내보내기 버튼 제거", "내보내기 버튼을 구현했습니다."),
        (
            "A warning is shown when the upload fails",
            "A warning will be shown when the upload fails.",
        ),
        (
            "A warning is shown when the upload fails",
            "No warning is shown when the upload fails.",
        ),
        (
            "A warning is shown when the upload fails",
            "Should a warning be shown when the upload fails?",
        ),
    ] {
        assert_eq!(
            marks(&format!("EXPECTED OUTCOME\n- {item}\n"), answer),
            "0",
            "{item} <= {answer}"
        );
    }
}

#[test]
fn a_verdict_in_words_or_in_data_completes_its_item() {
    let asked = "EXPECTED OUTCOME\n- a verdict\n";
    for answer in [
        "Approved. I ran the tests: 40 passed.",
        "{\"verdict\":\"APPROVE\",\"evidence\":[\"read src/a.rs 1-40\"]}",
        "```json\n{\"verdict\":\"NEEDS_REVIEW\",\"reason\":\"no time\"}\n```",
        "I can't approve this: the file is never closed.",
        "승인합니다. src/a.rs 1-40행을 읽었습니다.",
        "반려합니다. 40행에서 누수가 있습니다.",
    ] {
        assert_eq!(marks(asked, answer), "1", "{answer}");
    }
    for answer in [
        "I read the first half of the diff.",
        "Shall I approve it?",
        "If the tests pass, I approve.",
        "```json\n{\"verdict\":\"pending\"}\n```",
    ] {
        assert_eq!(marks(asked, answer), "0", "{answer}");
    }
}

#[test]
fn nothing_open_means_all_is_done() {
    let list = "EXPECTED OUTCOME\n- Login page\n- Password reset by mail\n";
    for answer in [
        "No open items.",
        "Nothing is left on the list.",
        "Nothing is open any more.",
        "남은 항목이 없습니다.",
    ] {
        assert_eq!(marks(list, answer), "11", "{answer}");
    }
    for answer in [
        "No open questions.",
        "Nothing is left of the old page.",
        "Are there no open items?",
        "남은 시간이 없습니다.",
        "남은 항목이 없지 않습니다.",
    ] {
        assert_eq!(marks(list, answer), "00", "{answer}");
    }
}

#[test]
fn a_pass_says_nothing_of_what_was_to_be_written() {
    let after = |item: &str, answer: &str| {
        let items = checklist(&["Create a.py".to_owned(), item.to_owned()]);
        update(&items, answer, &[])
            .pop()
            .is_some_and(|item| item.completed)
    };
    for (item, answer) in [
        (
            "Write tests",
            "The tests are not written yet. npm test: 3 passed.",
        ),
        ("Write tests", "I did not write tests. npm test: 3 passed."),
        (
            "Write tests",
            "a.py is created. I have not written tests. The existing tests pass.",
        ),
        (
            "Write tests for a.py",
            "a.py is created. I have not written any tests. All tests pass.",
        ),
        ("Write tests", "a.py is created. `pytest`: 12 passed."),
        (
            "Tests for a.py",
            "I have not written tests for a.py. All tests pass.",
        ),
        (
            "Update docs",
            "a.py is created. Docs are not updated. The docs build passes.",
        ),
        (
            "테스트 작성",
            "테스트는 아직 작성하지 않았습니다. 기존 테스트 12개 통과.",
        ),
        (
            "Fix the linter errors",
            "The linter errors are not fixed. The linter ran.",
        ),
    ] {
        assert!(!after(item, answer), "{item}: {answer}");
    }
    for (item, answer) in [
        (
            "Write tests",
            "At first I had not written tests. Then I wrote the tests, and all pass.",
        ),
        ("Write tests", "I wrote the tests; all tests pass."),
        ("Write tests", "Tests are written. `pytest`: 12 passed."),
        ("All tests pass", "All tests pass."),
        ("Run the tests", "I ran the tests: 12 passed."),
        ("Run the tests", "I had not run the tests. Now all tests pass."),
        ("테스트 작성", "테스트를 작성했습니다. 12개 통과."),
        ("테스트 통과", "테스트 12개 모두 통과했습니다."),
        ("Update docs", "Docs are updated. The docs build passes."),
    ] {
        assert!(after(item, answer), "{item}: {answer}");
    }
}

/// Agents that take turns each find their items ready, whatever other list begins with the same one; the lists of old are
/// let go.
#[test]
fn lists_are_kept_for_agents_that_take_turns() {
    let items = |number: usize| checklist(&["Write tests".to_owned(), format!("Add page {number}")]);
    let first: Vec<_> = (0..LISTS).map(|number| indexed(&items(number))).collect();
    for _ in 0..3 {
        for (number, list) in first.iter().enumerate() {
            assert!(Rc::ptr_eq(list, &indexed(&items(number))), "list {number}");
            let answer = format!("Page {number} is added.");
            let done = update(&items(number), &answer, &[]);
            assert_eq!(
                done.iter().map(|i| i.completed).collect::<Vec<_>>(),
                [false, true]
            );
        }
    }
    assert!(!Rc::ptr_eq(&indexed(&items(LISTS)), first.first().unwrap()));
    assert!(
        !Rc::ptr_eq(&indexed(&items(0)), first.first().unwrap()),
        "the oldest one was let go"
    );
    LAST.with_borrow(|last| assert_eq!(last.len(), LISTS));
}
