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
    // Git knows patterns that are not read here.
    f.write(".gitignore", "[[:alpha:]-z]x\n");
    assert_eq!(touched(&f, began, true), None);
    // Before the first commit there is no index.
    let empty = Fixture::empty();
    let began = now();
    empty.write("a.txt", "one\n");
    assert_eq!(touched(&empty, began, true).as_deref(), Some("a.txt"));
    assert_eq!(empty.repo().trees(&empty.cache()).index_bytes(), 0);
}

#[test]
fn a_repository_inside_hides_nothing_of_the_rest() {
    let f = Fixture::new();
    sh(
        &f.root,
        "git init -q plain && cd plain && echo a > x.txt && git add x.txt && git -c user.name=n -c user.email=e \
         commit -qm x && cd .. && git init -q unborn && mkdir -p rest/.git sub && echo of before > rest/a.txt",
    );
    // One that the index has, as a submodule.
    sh(
        &f.root,
        "cd sub && git init -q . && echo a > x.txt && git add x.txt && git -c user.name=n -c user.email=e commit -qm x \
         && cd .. && git -c advice.addEmbeddedRepo=false add sub && git -c user.name=n -c user.email=e commit -qm sub",
    );
    let began = now();
    assert_eq!(touched(&f, began, true).as_deref(), Some(""));
    f.write("a.txt", "two\n");
    f.write("new.txt", "new\n");
    assert_eq!(touched(&f, began, true).as_deref(), Some("a.txt new.txt"));
    f.write("plain/x.txt", "b\n");
    f.write("unborn/y.txt", "b\n");
    f.write("rest/b.txt", "b\n");
    f.write("sub/z.txt", "b\n");
    f.write("sub/x.txt", "a\n");
    assert_eq!(
        touched(&f, began, true).as_deref(),
        Some("a.txt new.txt plain/x.txt rest/b.txt sub/z.txt unborn/y.txt")
    );
    assert_eq!(touched(&f, now(), true).as_deref(), Some(""));
}
