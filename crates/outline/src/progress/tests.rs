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
fn nothing_is_done_without_items() {
    assert!(update(&[], "DONE", &[]).is_empty());
    assert_eq!(reminder(&[]), None);
}
