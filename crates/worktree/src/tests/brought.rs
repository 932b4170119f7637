//! Files that a pull, a merge or a rebase brought in.

use super::{Fixture, git, sh, write};

/// A clone with a remote that has a commit of `theirs.txt` and of `b.txt` on top; `src/own.rs` is committed here, not
/// pushed. Gives where the task began.
fn behind() -> (Fixture, String) {
    let f = Fixture::new();
    sh(
        &f.base,
        "git clone -q --bare repo up.git; git clone -q up.git other",
    );
    git(&f.root, &["remote", "add", "origin", "../up.git"]);
    git(&f.root, &["fetch", "-q"]);
    git(&f.root, &["branch", "-q", "--set-upstream-to=origin/main"]);
    sh(&f.root, "git config user.name T; git config user.email t@x");
    // The first commit is long ago.
    sh(&f.root, "sed -i 's/> [0-9]* /> 1000 /' .git/logs/HEAD");
    let other = f.base.join("other");
    write(&other.join("theirs.txt"), "theirs\n");
    write(&other.join("b.txt"), "theirs\n");
    sh(
        &other,
        "git add -A; git -c user.name=o -c user.email=o@x commit -q -m theirs; git push -q",
    );
    let base = f.oid();
    (f, base)
}

fn own(f: &Fixture) {
    f.write("src/own.rs", "own\n");
    f.commit("own");
}

/// When the task began: behind the first commit, in milliseconds.
const BEGAN: u64 = 2_000_000;

/// What was changed since, and what of that was brought in.
fn told(f: &Fixture, base: &str) -> (Vec<String>, Vec<String>) {
    let changed = f.changed(base);
    let (repo, cache) = (f.repo(), f.cache());
    let brought = repo.trees(&cache).brought_in(base, BEGAN, &changed).unwrap();
    (changed, brought)
}

#[test]
fn what_was_fetched_is_told_from_what_was_made_here() {
    let theirs = ["b.txt", "theirs.txt"];
    for way in [
        "git merge -q --no-edit origin/main",
        "git rebase -q origin/main",
        "git pull -q --rebase",
        "git pull -q --no-rebase --no-edit",
    ] {
        let (f, base) = behind();
        own(&f);
        git(&f.root, &["fetch", "-q"]);
        sh(&f.root, way);
        let (changed, brought) = told(&f, &base);
        assert_eq!(changed, ["b.txt", "src/own.rs", "theirs.txt"], "{way}");
        assert_eq!(brought, theirs, "{way}");
        // Pushed, it is still what was made here.
        sh(&f.root, "git push -q origin HEAD:main");
        assert_eq!(told(&f, &base).1, theirs, "{way}");
        // Changed on top, committed or not, it is the work of whoever did that.
        f.write("b.txt", "mine\n");
        assert_eq!(told(&f, &base).1, ["theirs.txt"], "{way}");
        f.commit("mine");
        assert_eq!(told(&f, &base).1, ["theirs.txt"], "{way}");
    }
    for way in ["git pull -q", "git checkout -q -b topic origin/main"] {
        let (f, base) = behind();
        git(&f.root, &["fetch", "-q"]);
        sh(&f.root, way);
        assert_eq!(
            told(&f, &base),
            (
                theirs.map(str::to_owned).to_vec(),
                theirs.map(str::to_owned).to_vec()
            )
        );
    }
}

#[test]
fn what_is_made_here_is_never_brought_in() {
    // Without a remote, by going back, and by way of another work tree.
    let (f, base) = behind();
    own(&f);
    sh(&f.root, "git reset -q --hard HEAD~1");
    let none: [&str; 0] = [];
    assert_eq!(told(&f, &base).1, none);
    sh(
        &f.root,
        "git worktree add -q ../side; cd ../side; echo 1 > side.txt; git add .; git commit -q -m side; \
         git push -q origin HEAD:side; cd ../repo; git fetch -q; git merge -q origin/side",
    );
    assert_eq!(told(&f, &base), (vec!["side.txt".to_owned()], Vec::new()));
    // Sent away, dropped and fetched again.
    let (f, base) = behind();
    own(&f);
    sh(
        &f.root,
        "git push -q origin HEAD:own; git reset -q --hard HEAD~1; git pull -q origin own",
    );
    assert_eq!(told(&f, &base), (vec!["src/own.rs".to_owned()], Vec::new()));
    // Nothing tells what was made here.
    let (f, base) = behind();
    sh(&f.root, "git pull -q; rm .git/logs/HEAD");
    assert_eq!(told(&f, &base).1, none);
}
