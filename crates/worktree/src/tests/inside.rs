//! Other repositories inside a work tree.

use super::{Fixture, git};
use crate::Inner;
use std::path::Path;

#[test]
fn another_work_tree_is_no_file_of_this_one() {
    let f = Fixture::new();
    git(
        &f.root,
        &["worktree", "add", "-q", ".claude/worktrees/x", "-b", "x"],
    );
    assert_eq!(f.repo().dirty().unwrap(), []);
    f.write(".claude/worktrees/x/new.txt", "x\n");
    assert_eq!(f.changed(&f.oid()), [""; 0]);
    // What stands beside it is.
    f.write(".claude/worktrees/y/new.txt", "x\n");
    assert_eq!(f.changed(&f.oid()), [".claude/worktrees/y/new.txt"]);
    // Seen from there, the first one is not.
    let other = f
        .repo()
        .work_tree_at(&f.root.join(".claude/worktrees/x"))
        .unwrap();
    assert_eq!(other.changed_since(Some(&f.oid()), &[]).unwrap(), ["new.txt"]);
    assert!(f.repo().work_tree_at(&f.root).is_none());
    assert!(f.repo().work_tree_at(&f.root.join("src")).is_none());
}

#[test]
fn whose_a_path_is() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "repo", "lib"]);
    git(&f.root, &["submodule", "--quiet", "add", "../lib", "lib"]);
    f.commit("with a submodule");
    git(&f.root, &["worktree", "add", "-q", "wt", "-b", "x"]);
    git(&f.base, &["clone", "-q", "repo", "repo/old"]);
    git(&f.base, &["clone", "-q", "repo", "repo/lib/deep/old"]);
    // A work tree that was staged as if it were a submodule.
    git(&f.root, &["worktree", "add", "-q", "staged", "-b", "y"]);
    git(&f.root, &["-c", "advice.addEmbeddedRepo=false", "add", "staged"]);
    f.write("rest/.git/x", "no repository");
    let wrong: Vec<_> = [
        ("", None),
        ("src", None),
        ("src/none/x", None),
        ("rest/y", None),
        ("lib", Some(Inner::Submodule)),
        ("lib/src/c.rs", Some(Inner::Submodule)),
        ("lib/deep", Some(Inner::Submodule)),
        ("lib/deep/old", Some(Inner::Other)),
        ("wt", Some(Inner::Other)),
        ("wt/src", Some(Inner::Other)),
        ("staged/src", Some(Inner::Other)),
        ("old/src", Some(Inner::Other)),
        (".git", Some(Inner::Other)),
        (".git/hooks", Some(Inner::Other)),
    ]
    .into_iter()
    .filter_map(|(path, expected)| {
        let found = f.repo().inner_at(Path::new(path));
        (found != expected).then_some((path, found))
    })
    .collect();
    assert_eq!(wrong, []);
}

#[test]
fn the_changed_files_of_a_submodule() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "repo", "lib"]);
    git(&f.root, &["submodule", "--quiet", "add", "../lib", "lib"]);
    f.commit("with a submodule");
    let base = f.oid();
    let inside = || f.repo().changed_inside(&base, "lib", None);
    assert_eq!(inside(), [""; 0]);
    f.write("lib/a.txt", "two\n");
    f.write("lib/새.txt", "new\n");
    assert_eq!(inside(), ["lib/a.txt", "lib/새.txt"]);
    git(&f.root.join("lib"), &["add", "-A"]);
    git(&f.root.join("lib"), &["commit", "-qm", "inside"]);
    assert_eq!(inside(), ["lib/a.txt", "lib/새.txt"]);
    f.commit("newer submodule");
    assert_eq!(inside(), ["lib/a.txt", "lib/새.txt"]);
    let far = 4_000_000_000_000;
    assert_eq!(f.repo().changed_inside(&base, "lib", Some(far)), [""; 0]);
    // Neither a folder nor a file nor a clone that was not there is one.
    git(&f.base, &["clone", "-q", "repo", "repo/old"]);
    for path in ["src", "a.txt", "old", "none"] {
        assert_eq!(f.repo().changed_inside(&base, path, None), [""; 0], "{path}");
    }
}
