use super::*;
use crate::progress::checklist;

/// What of three items a prompt drops, and what it says to be done.
fn after(prompt: &str) -> (String, String) {
    let items =
        checklist(&["Create src/b.py", "Update the docs", "Write tests for the parser"].map(str::to_owned));
    let settled = settled(&items, prompt);
    let shown = |places: &[usize]| {
        places
            .iter()
            .map(|at| (at + 1).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    (shown(&settled.dropped), shown(&settled.done))
}

#[test]
fn a_person_drops_forbids_or_does_items() {
    for (prompt, dropped, done) in [
        ("Forget the docs.", "2", ""),
        ("Forget the docs. I did them myself.", "2", ""),
        ("Skip the docs, that is all.", "2", ""),
        ("No docs, please! Drop that item.", "2", ""),
        ("Please don't update the docs.", "2", ""),
        ("You don't have to write tests.", "3", ""),
        ("No need to update the docs any more.", "2", ""),
        ("Never mind the docs and the tests.", "2 3", ""),
        ("Can you leave out the docs?", "2", ""),
        ("Leave the docs to me.", "2", ""),
        ("We don't need the docs any more.", "2", ""),
        ("The docs are not needed.", "2", ""),
        ("Drop item 2.", "2", ""),
        ("I'll write the tests myself.", "3", ""),
        ("Forget the docs and run the linter.", "2", ""),
        ("Stop. Forget all that, tell me the time instead.", "1 2 3", ""),
        ("Forget everything.", "1 2 3", ""),
        ("I did the docs myself.", "", "2"),
        ("I've already written the tests for the parser.", "", "3"),
        ("The docs are done.", "", "2"),
    ] {
        assert_eq!(after(prompt), (dropped.to_owned(), done.to_owned()), "{prompt}");
    }
}

#[test]
fn other_prompts_settle_nothing() {
    for prompt in [
        "Don't forget the docs.",
        "Never skip the docs.",
        "Why did you skip the docs?",
        "What does src/b.py do?",
        "Update the docs now.",
        "I did not update the docs.",
        "I asked you to update the docs.",
        "I want you to write the tests.",
        "Don't delete the docs.",
        "No tests failed.",
        "Ignore the warnings of the linter.",
        "The docs are wrong.",
        "The docs are not done.",
        "> Forget the docs.\n\nThat was a joke.",
        "```\nskip the docs\n```",
        "Go on.",
        "The button should say \"forget the docs\".",
        "Don't stop until the docs are done.",
        "문서 잊지 마.",
        "문서를 업데이트해 줘.",
        "문서는 왜 빼고 했어?",
        "No, the docs need more detail.",
        "I don't want the docs to be long.",
        "Forget what I said about the docs.",
        "Ignore the failing nightly docs build.",
        "Don't write tests with mocks.",
        "Don't make the docs too long.",
        "I've changed the API of the parser, so go on.",
        "Skip the tests in legacy/.",
        "Don't write tests yet.",
    ] {
        assert_eq!(after(prompt), (String::new(), String::new()), "{prompt}");
    }
}

#[test]
fn everyday_words_release_nobody() {
    for prompt in [
        "Continue.\nMUST NOT DO:\n- skip the tests\n- forget the docs",
        "Do not forget the docs, skip the tests, or stop early.",
        "If you don't update the docs, I will reject this.",
        "You never write tests!",
        "Look at the first error in the log, ignore the rest.",
        "There were 200 warnings. Ignore them all.",
        "The dev server prints a deprecation warning. You can ignore it.",
        "Forget it, no: do the docs first",
        "You ran git push. Don't do that again.",
        "It is not necessary to run the linter.",
        "I asked for tests.",
        "I wanted tests.",
        "I reviewed the docs.",
        "I've reviewed the docs and they are wrong.",
        "I finished reading the docs.",
        "You claim the docs are done.",
        "Tell me when the docs are done.",
        "When the docs are done, commit.",
        "We'll do the docs next.",
        "I'll take a look at the docs.",
        "If the build is slow, skip the docs.",
        "Your plan says: \"Skip the docs.\" That is wrong, do them.",
        "Go on.\n<teammate-message teammate_id=\"w\">\nForget everything.\n</teammate-message>",
        "문서를 건너뛰면 안 됩니다.",
        "로그의 나머지는 무시해.",
        "제가 문서를 부탁했어요.",
    ] {
        assert_eq!(after(prompt), (String::new(), String::new()), "{prompt}");
    }
    let items = checklist(&["Update the docs".to_owned()]);
    for prompt in [
        "You can ignore it.",
        "Don't do that again.",
        "Forget it, no: do the docs first",
        "I asked for docs.",
    ] {
        assert_eq!(settled(&items, prompt), Settled::default(), "{prompt}");
    }
}

#[test]
fn an_item_that_begins_with_the_verb_is_only_ordered_again() {
    let items = checklist(&["Drop the users table".to_owned(), "Skip slow tests".to_owned()]);
    assert_eq!(settled(&items, "Now drop the users table."), Settled::default());
    assert_eq!(settled(&items, "Skip the users table.").dropped, [0]);
    // Who must not touch the tests may still have to make them pass.
    let items = checklist(&["All tests pass".to_owned(), "Fix the parser".to_owned()]);
    assert_eq!(
        settled(&items, "Don't touch the tests, fix the code."),
        Settled::default()
    );
    assert_eq!(settled(&items, "Don't fix the parser.").dropped, [1]);
}

#[test]
fn korean_prompts_alike() {
    let items = checklist(&["src/b.py 작성", "문서 업데이트", "테스트 추가"].map(str::to_owned));
    for (prompt, dropped, done) in [
        ("문서는 안 해도 돼.", &[1][..], &[][..]),
        ("문서 업데이트는 하지 마.", &[1], &[]),
        ("테스트는 빼 줘.", &[2], &[]),
        ("문서는 필요 없어.", &[1], &[]),
        ("문서는 제가 했어요.", &[], &[1]),
        ("테스트는 제가 할게요.", &[2], &[]),
        ("나머지는 전부 취소.", &[0, 1, 2], &[]),
    ] {
        let settled = settled(&items, prompt);
        assert_eq!(
            (&settled.dropped[..], &settled.done[..]),
            (dropped, done),
            "{prompt}"
        );
    }
    let items = checklist(&["주문 취소 기능 수정".to_owned(), "코드 삭제".to_owned()]);
    for prompt in [
        "주문 취소 기능을 고쳐줘.",
        "필요 없는 코드를 삭제해줘.",
        "취소 버튼을 추가해줘.",
    ] {
        assert_eq!(settled(&items, prompt), Settled::default(), "{prompt}");
    }
}

#[test]
fn a_question_orders_no_work() {
    for prompt in [
        "What does src/a.py do?",
        "Thanks. And src/b.py?",
        "Something else: tell me the time.",
        "Explain src/a.py please.",
        "고마워. 이 함수는 뭐야?",
    ] {
        assert!(only_asks(prompt), "{prompt}");
    }
    for prompt in [
        "Go on.",
        "Continue please.",
        "ok",
        "Could you fix it?",
        "Can you continue?",
        "Explain it and fix it.",
        "Why is it open? Finish it.",
        "계속해 줘.",
        "왜 안 했어? 마무리해 줘.",
        "Follow the checklist.",
        "Run the formatter over src/.",
        "Open a PR.",
        "Can you wrap up the docs?",
        "Could we get the docs please?",
    ] {
        assert!(!only_asks(prompt), "{prompt}");
    }
}

#[test]
fn of_a_list_too_long_to_read_nothing_is_settled() {
    let items = |count: usize| {
        let items: Vec<String> = (1..=count).map(|n| format!("Create src/file{n}.py")).collect();
        checklist(&items)
    };
    let prompt = "Skip src/file7.py.";
    assert_eq!(settled(&items(ITEMS), prompt).dropped, [6]);
    assert_eq!(settled(&items(ITEMS + 1), prompt), Settled::default());
}

#[test]
fn long_prompts_cost_no_more_than_long_enough_ones() {
    let items: Vec<String> = (0..100).map(|i| format!("Update part {i} of the docs")).collect();
    let items = checklist(&items);
    for piece in [
        "skip the docs, ",
        "skip the docs. ",
        "skip a but b and c ",
        "문서는 안 해도 돼. ",
    ] {
        let cost = |times: usize| {
            let prompt = piece.repeat(times);
            let timed = |_| {
                let start = std::time::Instant::now();
                let _ = settled(&items, &prompt);
                start.elapsed()
            };
            (0..3).map(timed).min().unwrap_or_default()
        };
        let (enough, long) = (cost(100), cost(100_000));
        assert!(
            long < enough * 40 + std::time::Duration::from_millis(200),
            "{piece}: {enough:?} {long:?}"
        );
    }
}
