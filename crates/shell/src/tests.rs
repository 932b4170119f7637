//! Tables of command lines.

use super::*;

#[cfg(unix)]
mod oracle;

/// What is found in a line, one check per entry: `check [kinds] masks`, `~` for a part, `own=` and `in=`.
fn show(line: &str) -> String {
    show_with(line, &[])
}

fn show_with(line: &str, own: &[OwnCheck]) -> String {
    let analysis = analyse(line, own);
    let entries: Vec<String> = analysis.checks.iter().map(show_check).collect();
    entries.join("; ")
}

fn show_check(check: &Check) -> String {
    let kinds: Vec<&str> = check.kinds.iter().map(|k| k.as_str()).collect();
    let mut text = format!(
        "{}{} {}",
        if check.partial { "~" } else { "" },
        check.check,
        kinds.join("+")
    );
    if let Some(own) = &check.own {
        text += &format!(" own={own}");
    }
    if let Some(folder) = &check.folder {
        text += &format!(" in={folder}");
    }
    for mask in &check.masks {
        text += &format!(" {mask:?}");
    }
    text
}

/// Reads a table: a line, `=>`, and what [`show`] says of it. `\\n` in the line is a line end.
fn table(text: &str) {
    let mut wrong = String::new();
    for row in text.lines().filter(|r| !r.is_empty() && !r.starts_with("## ")) {
        let (line, expected) = row.split_once("  =>").expect("a row has two columns");
        let found = show(
            &line
                .replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\t", "\t"),
        );
        if found != expected.trim() {
            wrong += &format!("{line}  => {found}\n    not {}\n", expected.trim());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn masks_are_those_of_a_shell() {
    table(include_str!("tests/masks.txt"));
}
