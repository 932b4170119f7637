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
