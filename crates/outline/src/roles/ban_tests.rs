//! What prohibitions forbid, where they end, and what is none.

use crate::read;
use crate::scope::compare;

fn own(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// Which of the two files the words do not let change, and which may not go away.
fn barred(words: &str) -> (Vec<String>, Vec<String>) {
    let outline = read(words);
    let files = own(&["src/a.py", "src/b.py"]);
    (compare(&outline, &files, &[], 3).unexpected, outline.kept)
}

#[test]
fn a_ban_on_loss_or_on_a_manner_forbids_no_change() {
    let task = "TASK: x\nEXPECTED OUTCOME:\n- src/a.py and src/b.py use bcrypt\nMUST NOT DO: ";
    for ban in [
        "delete",
        "remove",
        "rename",
        "move",
        "delete or move",
        "remove or reformat",
    ] {
        assert_eq!(
            barred(&format!("{task}{ban} src/a.py")),
            (own(&[]), own(&["src/a.py"])),
            "{ban}"
        );
    }
    for ban in [
        "reformat src/a.py",
        "commit src/a.py",
        "rewrite src/a.py from scratch",
        "replace src/a.py",
    ] {
        assert_eq!(barred(&format!("{task}{ban}")), (own(&[]), own(&[])), "{ban}");
    }
    for words in [
        "Fix the login. Do not delete src/a.py.",
        "Clean up, but never remove src/a.py",
        "src/a.py must not be renamed or moved.",
        "Clean up without moving src/a.py.",
        "로그인을 고쳐줘. src/a.py는 삭제하지 마.",
        "정리해줘. src/a.py 파일 이름은 바꾸지 마세요.",
        "정리해줘. src/a.py를 옮기거나 지우지 마세요.",
    ] {
        assert_eq!(barred(words), (own(&[]), own(&["src/a.py"])), "{words}");
    }
    // Whatever else is forbidden with it, and whatever changes what is in the file.
    for words in [
        "Fix the login. Do not delete or edit src/a.py.",
        "Do not rewrite src/a.py.",
        "Do not overwrite src/a.py.",
        "src/a.py must not be changed or renamed.",
        "src/a.py is frozen.",
        "로그인을 고쳐줘. src/a.py는 수정하거나 삭제하지 마.",
        "TASK: x\nMUST NOT DO: touch src/a.py",
    ] {
        assert_eq!(barred(words), (own(&["src/a.py"]), own(&[])), "{words}");
    }
}

#[test]
fn tests_that_must_not_go_away_may_change() {
    let outline = read("Fix the login. Do not delete tests.");
    assert!(
        outline.excluded.is_empty() && !outline.kept.is_empty(),
        "{outline:?}"
    );
    let outline = read("Fix the login. Do not change or delete tests.");
    assert!(
        !outline.excluded.is_empty() && outline.kept.is_empty(),
        "{outline:?}"
    );
    let outline = read("로그인을 고쳐줘. 테스트를 삭제하지 마세요.");
    assert!(
        outline.excluded.is_empty() && !outline.kept.is_empty(),
        "{outline:?}"
    );
}

#[test]
fn a_ban_ends_where_an_order_of_its_own_follows() {
    for words in [
        "Do not change src/a.py, change src/b.py.",
        "Don't touch src/a.py, fix src/b.py instead.",
        "TASK: x\nEXPECTED OUTCOME:\n- src/b.py is fixed\nMUST NOT DO: change src/a.py, change src/b.py instead",
    ] {
        assert_eq!(barred(words).0, ["src/a.py"], "{words}");
    }
    for words in [
        "Do not change src/a.py, src/b.py.",
        "Do not edit, rename or delete src/a.py, src/b.py.",
        "Do not edit src/a.py, change src/b.py or delete src/c.py.",
        "TASK: x\nMUST NOT DO: change src/a.py, change src/b.py",
    ] {
        assert_eq!(barred(words).0, ["src/a.py", "src/b.py"], "{words}");
    }
}

#[test]
fn what_is_told_of_the_past_forbids_nothing() {
    for words in [
        "You didn't update src/a.py. Do it now.",
        "I have not changed src/a.py. Please do it.",
        "Nobody changed src/a.py since May. Update it.",
        "git diff shows no changes in src/a.py, why?",
        "You did not change src/a.py, but you should have.",
        "src/a.py has not been modified yet. Please do.",
        "src/a.py was never updated.",
        "src/a.py를 수정하지 않았습니다. 지금 해 주세요.",
    ] {
        assert!(!read(words).excluded.contains(&"src/a.py".to_owned()), "{words}");
    }
    for words in [
        "Do not change src/a.py.",
        "No changes to src/a.py.",
        "There must be no changes in src/a.py.",
        "Nobody may change src/a.py.",
        "Make sure that src/a.py is not changed.",
        "TASK: x\nEXPECTED OUTCOME:\n- src/a.py has not been modified",
        "You have not to touch src/a.py.",
        "src/a.py를 수정하지 않습니다.",
        "src/a.py를 수정하지 말아 주세요.",
        "src/a.py는 수정하지 않았으면 합니다.",
        "src/a.py를 변경하지 않았으면 해요.",
    ] {
        assert_eq!(read(words).excluded, ["src/a.py"], "{words}");
    }
}

#[test]
fn read_only_holds_with_a_file_and_until_later() {
    for words in [
        "Read-only: explain src/a.py.",
        "Read only - review src/a.py and src/b.py",
        "읽기 전용: src/a.py 설명해줘",
        "Don't change anything yet, just look at src/a.py.",
        "아무것도 수정하지 말고 src/a.py를 설명해줘.",
    ] {
        assert!(read(words).read_only, "{words}");
    }
    for words in [
        "Read-only: src/a.py, src/gen/",
        "Fix the read-only flag in src/a.py.",
        "Read-only mode: fix src/a.py",
        "Don't change anything else, just fix src/a.py.",
    ] {
        assert!(!read(words).read_only, "{words}");
    }
    let later = crate::extend(
        &read("Don't change anything yet, just look at src/a.py."),
        "Good. Now fix src/a.py.",
    );
    assert!(!later.read_only && later.expected == ["src/a.py"], "{later:?}");
}

#[test]
fn what_stays_the_same_is_not_changed() {
    let task = "TASK: x\nEXPECTED OUTCOME:\n- src/b.py parses dates\n- ";
    for words in [
        "src/a.py must stay the same",
        "src/a.py stays the same as before",
        "src/a.py must remain exactly the same, please",
        "src/a.py has to stay identical",
        "src/a.py는 바뀌면 안 된다",
        "src/a.py는 절대 바뀌지 않아야 합니다",
        "src/a.py는 변함없어야 한다",
        "src/a.py는 이전과 똑같이 유지한다",
    ] {
        assert_eq!(barred(&format!("{task}{words}")).0, ["src/a.py"], "{words}");
    }
    // Something of it stays, or it becomes like another.
    for words in [
        "src/a.py must stay the same size",
        "src/a.py stays the same as src/b.py",
        "src/a.py must stay identical to src/b.py",
        "src/a.py must not stay the same",
        "src/a.py must stay green",
        "src/a.py의 동작은 바뀌면 안 된다",
        "src/a.py는 src/b.py와 똑같이 유지한다",
        "src/a.py는 이름이 바뀌면 안 된다",
    ] {
        assert_eq!(barred(&format!("{task}{words}")).0, own(&[]), "{words}");
    }
}
