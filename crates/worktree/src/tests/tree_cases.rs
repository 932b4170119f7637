//! The identity of a tree: the cases by name.

use super::{Fixture, git, sh, write};
use crate::Repo;
use proctor_kernel::ErrorKind;
use std::fs;

/// Content as it was committed, and every sort of change, staged or not.
#[test]
fn staging_and_committing_change_nothing() {
    let f = Fixture::new();
    let first = f.id();
    assert_eq!(first, f.id_of("HEAD"));
    f.write("a.txt", "two\n");
    f.write("new/deep.txt", "x");
    fs::remove_file(f.root.join("b.txt")).unwrap();
    sh(&f.root, "ln -s a.txt link; printf x > run.sh; chmod +x run.sh");
    f.write(".proctor/state", "x");
    f.write(".gitignore", "*.log\n");
    f.write("noise.log", "x");
    let changed = f.id();
    assert_ne!(changed, first);
    assert_eq!(changed, f.plain());
    git(&f.root, &["add", "a.txt", "new"]);
    assert_eq!(f.id(), changed);
    git(&f.root, &["add", "-A"]);
    assert_eq!(f.id(), changed);
    // Our own folder is committed too, and does not count.
    assert!(git(&f.root, &["ls-files"]).contains(".proctor/state"));
    git(&f.root, &["commit", "-q", "-m", "second"]);
    assert_eq!(f.id(), changed);
    assert_eq!(f.id_of("HEAD"), changed);
    assert_ne!(f.id_of("HEAD"), git(&f.root, &["rev-parse", "HEAD^{tree}"]));
    f.write(".proctor/state", "y");
    assert_eq!(f.id(), changed);
    f.write("sub/.proctor/x", "only the one at the root is left out");
    assert_ne!(f.id(), changed);
}

#[test]
fn nothing_of_the_user_is_touched() {
    let f = Fixture::new();
    f.id();
    sh(
        &f.root,
        "mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ran\\n' > .git/hooks/post-index-change; chmod +x .git/hooks/*",
    );
    f.write("a.txt", "two\n");
    f.write("new.txt", "new\n");
    // Git may renew the time of an object that it would otherwise have written again.
    let look = "find . -type f -not -path './.git/objects/*' -printf '%p %s %T@ %C@ %i\\n' | sort; ls -R .git/objects";
    let before = sh(&f.root, look);
    let a = f.id();
    let trees = f.repo();
    let trees = trees.trees(&f.cache());
    let b = trees.id_of("HEAD").unwrap();
    trees
        .diff(&b, &proctor_kernel::TreeId::from_text(a), 1000)
        .unwrap();
    trees.linkage("HEAD", &b).unwrap();
    assert_eq!(sh(&f.root, look), before);
}

#[test]
fn flags_of_the_index_hide_nothing() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let f = Fixture::new();
        let before = f.id();
        git(&f.root, &["update-index", flag, "a.txt", "b.txt"]);
        assert_eq!(f.id(), before, "{flag}");
        f.write("a.txt", "hidden\n");
        assert_eq!(git(&f.root, &["status", "--porcelain"]), "", "git looks away");
        let edited = f.id();
        assert_ne!(edited, before, "{flag}");
        fs::remove_file(f.root.join("b.txt")).unwrap();
        let removed = f.id();
        assert!(removed != edited && removed != before, "{flag}");
    }
}

#[test]
fn a_faked_time_hides_nothing() {
    let f = Fixture::new();
    f.write("a.txt", "good\n");
    sh(&f.root, "touch -d '2020-01-01' a.txt; git add -A");
    let before = f.id();
    // Same size, same times as far as a program can set them, again and again within one second.
    for text in ["evil\n", "good\n", "evil\n", "good\n"] {
        fs::write(f.root.join("a.txt"), text).unwrap();
        sh(&f.root, "touch -d '2020-01-01' a.txt");
        assert_eq!(f.id() == before, text == "good\n", "{text}");
    }
}

/// What git takes for the file, by raw writes in quick succession: answers are never of an older state.
#[test]
fn quick_edits_are_never_missed() {
    let f = Fixture::new();
    let ids: Vec<String> = (0..2)
        .map(|n| {
            f.write("a.txt", &format!("{n}\n"));
            git(&f.root, &["add", "-A"]);
            f.id()
        })
        .collect();
    for n in 0..40 {
        fs::write(f.root.join("a.txt"), format!("{}\n", n % 2)).unwrap();
        assert_eq!(f.id(), ids[n % 2], "{n}");
    }
}

#[test]
fn ignoring() {
    let f = Fixture::new();
    f.write("src/new.rs", "x");
    let with = f.id();
    // A tracked file stays, whatever is ignored now; an untracked one leaves, which shows.
    f.write(".gitignore", "src/\n");
    let ignored = f.id();
    assert_eq!(ignored, f.plain());
    assert_ne!(ignored, with);
    f.write("src/c.rs", "edited\n");
    assert_ne!(f.id(), ignored);
    assert_eq!(f.id(), f.plain());
    // Added by force, it counts; taken out of the index again, it does not.
    let without = f.id();
    git(&f.root, &["add", "-f", "src/new.rs"]);
    let forced = f.id();
    assert_ne!(forced, without);
    assert_eq!(forced, f.plain());
    git(&f.root, &["rm", "-q", "--cached", "src/new.rs"]);
    assert_eq!(f.id(), without);
    // The clone's own list counts as git counts it.
    fs::remove_file(f.root.join(".gitignore")).unwrap();
    let open = f.id();
    write(&f.root.join(".git/info/exclude"), "new.rs\n");
    assert_ne!(f.id(), open);
    assert_eq!(f.id(), f.plain());
}

#[test]
fn no_commit_no_index_no_work_tree() {
    let f = Fixture::empty();
    let empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    assert_eq!(f.id(), empty);
    f.write("a", "x");
    assert_eq!(f.id(), f.plain());
    assert_ne!(f.id(), empty);
    git(&f.root, &["add", "-A"]);
    assert_eq!(f.id(), f.plain());
    let error = f.repo().tree_id_of("HEAD", &f.cache()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Git);
    f.commit("first");
    git(&f.root, &["checkout", "-q", "--orphan", "other"]);
    assert_eq!(f.id(), f.id_of("main"));
    git(&f.root, &["rm", "-rqf", "."]);
    assert_eq!(f.id(), empty);
    let bare = f.base.join("bare.git");
    git(&f.base, &["init", "-q", "--bare", "bare.git"]);
    let bare = Repo::discover(&bare).unwrap().unwrap();
    assert_eq!(bare.tree_id(&f.cache()).unwrap_err().kind(), ErrorKind::Git);
}

#[test]
fn other_ways_of_a_checkout() {
    let f = Fixture::new();
    f.write("a.txt", "two\n");
    f.commit("second");
    let here = f.id();
    git(&f.root, &["checkout", "-q", "--detach", "HEAD~1"]);
    let first = f.id();
    assert_eq!(first, f.id_of("main~1"));
    let linked = f.base.join("linked");
    git(
        &f.root,
        &["worktree", "add", "-q", linked.to_str().unwrap(), "main"],
    );
    let linked_repo = Repo::discover(&linked).unwrap().unwrap();
    assert_eq!(linked_repo.tree_id(&f.cache()).unwrap().as_str(), here);
    write(&linked.join("a.txt"), "one\n");
    assert_eq!(linked_repo.tree_id(&f.cache()).unwrap().as_str(), first);
    assert_eq!(f.id(), first);
    // From a folder below the root.
    let below = Repo::discover(&f.root.join("src")).unwrap().unwrap();
    assert_eq!(below.tree_id(&f.cache()).unwrap().as_str(), first);
    // A work tree that the configuration names.
    let other = f.base.join("other");
    fs::create_dir(&other).unwrap();
    git(&f.root, &["config", "core.worktree", other.to_str().unwrap()]);
    git(&f.root, &["reset", "-q", "--hard", "main"]);
    assert_eq!(f.id(), here);
    write(&other.join("new"), "x");
    assert_ne!(f.id(), here);
}

#[test]
fn a_folder_that_became_a_link_hides_nothing() {
    let f = Fixture::new();
    let before = f.id();
    sh(
        &f.root,
        "mkdir ../elsewhere; cp -p src/c.rs ../elsewhere; mv src ../was; ln -s ../elsewhere src",
    );
    assert_ne!(f.id(), before);
    assert_eq!(f.id(), f.plain());
    sh(&f.root, "rm src; mv ../was src");
    assert_eq!(f.id(), before);
    // A file where a folder was, and a folder where a file was.
    sh(
        &f.root,
        "rm -r src; echo x > src; rm a.txt; mkdir a.txt; echo x > a.txt/b",
    );
    assert_eq!(f.id(), f.plain());
}

#[test]
fn forms_of_the_index() {
    let f = Fixture::new();
    for n in 0..30 {
        f.write(&format!("many/of/them/{n}"), "x");
    }
    f.commit("many");
    f.write("many/of/them/3", "y");
    let id = f.plain();
    for form in [
        "git update-index --index-version 3",
        "git update-index --index-version 4",
        "git update-index --split-index; git update-index --chmod=+x b.txt",
        "git update-index --no-split-index --untracked-cache",
        "git -c index.skipHash=true update-index --force-write-index",
    ] {
        sh(&f.root, &format!("{form}; git update-index --chmod=-x b.txt"));
        assert_eq!(f.id(), id, "{form}");
        f.write("many/of/them/4", "y");
        assert_ne!(f.id(), id, "{form}");
        f.write("many/of/them/4", "x");
        assert_eq!(f.id(), id, "{form}");
        fs::remove_dir_all(f.cache()).unwrap();
        assert_eq!(f.id(), id, "{form}, without memory");
    }
    fs::write(f.root.join(".git/index"), "DIRC nonsense").unwrap();
    assert_eq!(f.repo().tree_id(&f.cache()).unwrap_err().kind(), ErrorKind::Git);
}

#[test]
fn sparse_checkouts() {
    for cone in ["--cone", "--cone --sparse-index", "--no-cone"] {
        let f = Fixture::new();
        f.write("other/x", "x");
        f.write("other/deep/y", "y");
        f.commit("second");
        let whole = f.id();
        git(&f.root, &["sparse-checkout", "init"]);
        sh(&f.root, &format!("git sparse-checkout set {cone} src"));
        assert!(!f.root.join("other/x").exists());
        assert_eq!(f.id(), whole, "{cone}");
        f.write("src/c.rs", "two\n");
        let edited = f.id();
        assert_ne!(edited, whole);
        f.commit("third");
        assert_eq!(f.id(), edited, "{cone}");
        assert_eq!(f.id_of("HEAD"), edited, "{cone}");
        // A file outside the sparse part that is there all the same counts.
        f.write("other/x", "changed");
        assert_ne!(f.id(), edited, "{cone}");
    }
}

#[test]
fn conflicts_and_intents() {
    let f = Fixture::new();
    git(&f.root, &["checkout", "-q", "-b", "side"]);
    f.write("a.txt", "side\n");
    fs::remove_file(f.root.join("b.txt")).unwrap();
    f.commit("side");
    git(&f.root, &["checkout", "-q", "main"]);
    f.write("a.txt", "main\n");
    f.write("b.txt", "main\n");
    f.commit("main");
    sh(
        &f.root,
        "git -c user.name=T -c user.email=t@e merge side >/dev/null 2>&1 || true",
    );
    assert!(git(&f.root, &["ls-files", "-u"]).contains("a.txt"));
    let conflict = f.id();
    assert_eq!(conflict, f.plain());
    f.write("a.txt", "resolved\n");
    let resolved = f.id();
    assert_ne!(resolved, conflict);
    f.commit("merged");
    assert_eq!(f.id(), resolved);
    assert_eq!(f.id_of("HEAD"), resolved);
    f.write("intent", "content\n");
    let untracked = f.id();
    git(&f.root, &["add", "-N", "intent"]);
    assert_eq!(f.id(), untracked);
    fs::remove_file(f.root.join("intent")).unwrap();
    assert_eq!(f.id(), resolved);
}

#[test]
fn sha256_and_reftable() {
    for options in [&["--object-format=sha256"][..], &["--ref-format=reftable"]] {
        let f = Fixture::new();
        let root = f.base.join("other");
        git(
            &f.base,
            &[&["init", "-q", "-b", "main", "other"], options].concat(),
        );
        let f = Fixture { root, ..f };
        f.write("a", "1");
        f.write("src/b", "1");
        let id = f.id();
        assert_eq!(id, f.plain());
        f.commit("first");
        assert_eq!(f.id(), id);
        assert_eq!(f.id_of("HEAD"), id);
        f.write("a", "2");
        assert_eq!(f.id(), f.plain());
    }
}

#[test]
fn a_lock_of_git_is_no_obstacle_and_a_broken_cache_is_mended() {
    let f = Fixture::new();
    f.write("a.txt", "two\n");
    fs::write(f.root.join(".git/index.lock"), "").unwrap();
    let id = f.id();
    let memory = sh(&f.cache(), "ls -d */memory");
    for damage in ["", "x", "0000\nproctor tree 1\0"] {
        fs::write(f.cache().join(&memory), damage).unwrap();
        assert_eq!(f.id(), id);
    }
    fs::remove_dir_all(f.cache()).unwrap();
    assert_eq!(f.id(), id);
}

#[test]
fn many_at_once_agree() {
    let f = Fixture::new();
    f.write("a.txt", "two\n");
    f.write("new.txt", "two\n");
    let id = f.plain();
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| f.id())).collect();
        for one in all {
            assert_eq!(one.join().unwrap(), id);
        }
    });
}
