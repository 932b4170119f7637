//! Which files were changed since a moment.

use super::{Fixture, sh};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Now, a while after what was done before.
fn now() -> u64 {
    std::thread::sleep(Duration::from_millis(40));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(now.as_millis()).unwrap()
}

fn touched(f: &Fixture, began: u64, staged: bool) -> Option<String> {
    let repo = f.repo();
    let trees = repo.trees(&f.cache()).at_one_moment();
    let found = trees.touched_since(began, now(), staged).unwrap();
    // The same look tells the identity.
    trees.id().unwrap();
    found.map(|paths| paths.join(" "))
}

#[test]
fn what_changed_since_is_told_and_nothing_else() {
    for (script, plain, staged) in [
        ("echo two > a.txt", "a.txt", "a.txt"),
        ("echo two > a.txt; git add a.txt", "", "a.txt"),
        ("touch a.txt", "", ""),
        ("chmod +x a.txt", "a.txt", "a.txt"),
        ("rm a.txt", "", ""),
        ("mkdir new; echo x > new/새.txt", "new/새.txt", "new/새.txt"),
        ("echo x > ignored.txt; echo x > .proctor/local.yaml", "", ""),
        ("ln -sf b.txt a.txt; mkfifo pipe", "a.txt", "a.txt"),
        ("mv b.txt c.txt", "c.txt", "c.txt"),
        ("cat a.txt; mkdir empty", "", ""),
    ] {
        let f = Fixture::new();
        f.write(".gitignore", "ignored.txt\n");
        f.write(".proctor/proctor.yaml", "version: 1\n");
        f.commit("rules");
        // What differed before is not told, nor what was new.
        f.write("src/c.rs", "of before\n");
        f.write("old.txt", "of before\n");
        let began = now();
        sh(&f.root, script);
        assert_eq!(touched(&f, began, false).as_deref(), Some(plain), "{script}");
        assert_eq!(
            touched(&f, began, true).as_deref(),
            Some(staged),
            "{script}, staged"
        );
        assert_eq!(touched(&f, now(), true).as_deref(), Some(""), "after {script}");
    }
}

#[test]
fn where_it_cannot_be_told_nothing_is() {
    let f = Fixture::new();
    let began = now();
    f.write("a.txt", "two\n");
    let repo = f.repo();
    let trees = repo.trees(&f.cache()).at_one_moment();
    // By this clock it is changed an hour from now.
    assert_eq!(
        trees
            .touched_since(began - 3_700_000, began - 3_600_000, true)
            .unwrap(),
        None
    );
    assert!(trees.index_bytes() > 0);
    assert_eq!(touched(&f, began, true).as_deref(), Some("a.txt"));
    // Git lists the files where it knows more of a repository inside.
    sh(&f.root, "git init -q inner");
    assert_eq!(touched(&f, began, true), None);
    // Before the first commit there is no index.
    let empty = Fixture::empty();
    let began = now();
    empty.write("a.txt", "one\n");
    assert_eq!(touched(&empty, began, true).as_deref(), Some("a.txt"));
    assert_eq!(empty.repo().trees(&empty.cache()).index_bytes(), 0);
}
