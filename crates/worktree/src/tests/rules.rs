//! Changes of what git is told to ignore.

use super::{Fixture, git, sh};
use crate::{Repo, Since, is_rule};

type Known = Vec<(String, Option<String>)>;

/// What a task notes at its beginning, by the caller whose configuration the tests leave empty.
fn noted(f: &Fixture) -> (String, Known) {
    let (repo, cache) = (f.repo(), f.cache());
    let trees = repo.trees(&cache);
    let mut known = trees.dirty().unwrap();
    known.extend(trees.rules().unwrap());
    (f.oid(), known)
}

fn hidden_if(
    f: &Fixture,
    (base, known): &(String, Known),
    written: &[&str],
    allowed: &[&str],
) -> Vec<String> {
    let (repo, cache) = (f.repo(), f.cache());
    let trees = repo.trees(&cache);
    let files: Known = known.iter().filter(|(p, _)| !is_rule(p)).cloned().collect();
    let changed = trees.changed_since(Some(base), &files).unwrap();
    let written: Vec<String> = written.iter().map(|w| (*w).to_owned()).collect();
    trees
        .hidden_since(&Since {
            base: Some(base),
            known,
            began: 0,
            changed: &changed,
            written: &written,
            allowed: &|path| allowed.contains(&path),
        })
        .unwrap()
}

fn hidden(f: &Fixture, since: &(String, Known)) -> Vec<String> {
    hidden_if(f, since, &[], &[])
}

#[test]
fn a_new_rule_that_hides_itself_is_told_with_what_it_hides() {
    let f = Fixture::new();
    f.write(".git/info/exclude", "old\n");
    let since = noted(&f);
    assert_eq!(hidden(&f, &since), [""; 0]);
    f.write(".gitignore", "*\n");
    f.write("x.txt", "1");
    f.write("deep/y.txt", "1");
    f.write("old", "hidden before");
    assert_eq!(git(&f.root, &["status", "--short"]), "");
    assert_eq!(hidden(&f, &since), [".gitignore", "deep/y.txt", "x.txt"]);
    // One that may change hides what it hides.
    assert_eq!(hidden_if(&f, &since, &[], &[".gitignore"]), [".gitignore"]);
}

#[test]
fn rules_outside_the_work_tree_are_compared_by_content() {
    let f = Fixture::new();
    let since = noted(&f);
    sh(&f.root, "touch .git/info/exclude");
    assert_eq!(hidden(&f, &since), [""; 0], "nothing but its times changed");
    sh(&f.root, "echo '*.txt' >> .git/info/exclude; echo 1 > x.txt");
    assert_eq!(hidden(&f, &since), [".git/info/exclude", "x.txt"]);
    let since = noted(&f);
    assert_eq!(hidden(&f, &since), [""; 0]);
    let own = f.base.join("own");
    std::fs::write(&own, "*.rs\n").unwrap();
    git(&f.root, &["config", "core.excludesFile", own.to_str().unwrap()]);
    f.write("z.rs", "1");
    assert_eq!(hidden(&f, &since), [own.to_str().unwrap(), "z.rs"]);
}

#[test]
fn what_a_rule_hid_when_the_task_began_is_no_change_of_it() {
    let f = Fixture::new();
    let own = f.base.join("own");
    std::fs::write(&own, "*.log\nold/\n").unwrap();
    git(&f.root, &["config", "core.excludesFile", own.to_str().unwrap()]);
    for path in ["old.log", "kept.log", "old/a.txt", "gone.txt"] {
        f.write(path, "1");
    }
    git(&f.root, &["add", "gone.txt"]);
    f.commit("gone");
    let dirty = f.repo().dirty().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let (base, began) = (f.oid(), u64::try_from(now.as_millis()).unwrap());
    let changed = || {
        let (repo, cache) = (f.repo(), f.cache());
        let trees = repo.trees(&cache);
        let all = trees.changed_since(Some(&base), &dirty).unwrap();
        (
            all.join(" "),
            trees.changed_after(Some(&base), &dirty, began).unwrap().join(" "),
        )
    };
    let both = |paths: &str| (paths.to_owned(), paths.to_owned());
    assert_eq!(changed(), both(""));
    std::fs::remove_file(&own).unwrap();
    let told = "kept.log old.log old/a.txt".to_owned();
    assert_eq!(changed(), (told, String::new()), "the user takes the rule away");
    // What is written, moved there or taken out of the index is a change.
    f.write("old.log", "2");
    f.write("new.txt", "1");
    std::fs::rename(f.root.join("old/a.txt"), f.root.join("b.txt")).unwrap();
    git(&f.root, &["rm", "-q", "--cached", "gone.txt"]);
    let all = "b.txt gone.txt kept.log new.txt old.log".to_owned();
    assert_eq!(changed(), (all, "b.txt gone.txt new.txt old.log".to_owned()));
    git(&f.root, &["commit", "-qm", "gone"]);
    assert_eq!(changed().1, "b.txt gone.txt new.txt old.log");
}

#[test]
fn a_changed_rule_of_the_base_hides_what_it_hid_then() {
    let f = Fixture::new();
    f.write(".gitignore", "target/\n");
    f.commit("ignore");
    let since = noted(&f);
    f.write("target/out", "1");
    f.write("x.log", "1");
    assert_eq!(hidden(&f, &since), [""; 0]);
    f.write(".gitignore", "target/\n*.log\n");
    assert_eq!(hidden(&f, &since), ["x.log"]);
}

#[test]
fn what_was_seen_written_counts_though_ignored() {
    let f = Fixture::new();
    f.write(".gitignore", "*.log\n");
    f.commit("ignore");
    f.write("old.log", "1");
    let since = noted(&f);
    f.write("new.log", "1");
    f.write("a.txt", "one\n");
    let written = ["new.log", "gone.log", "a.txt", ".proctor/x.log", "/elsewhere.log"];
    assert_eq!(hidden_if(&f, &since, &written, &[]), ["new.log"]);
}

/// Caches bring a folder of their own that ignores itself.
#[test]
fn a_folder_without_tracked_files_may_ignore_itself() {
    let f = Fixture::new();
    let since = noted(&f);
    f.write(".cache/.gitignore", "*\n");
    f.write(".cache/x", "1");
    assert_eq!(hidden(&f, &since), [""; 0]);
    f.write("src/.gitignore", "*\n");
    f.write("src/new.rs", "1");
    assert!(hidden(&f, &since).contains(&"src/new.rs".to_owned()));
}

#[test]
fn a_task_that_noted_no_rules_is_told_of_none() {
    let f = Fixture::new();
    let since = (f.oid(), Known::new());
    f.write(".gitignore", "*\n");
    assert_eq!(hidden(&f, &since), [""; 0]);
}

#[test]
fn a_work_tree_that_the_caller_names_holds_against_the_configuration() {
    let f = Fixture::new();
    let base = f.oid();
    let elsewhere = f.base.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    f.write("x.txt", "1");
    for setting in [
        ["core.worktree", elsewhere.to_str().unwrap()],
        ["core.bare", "true"],
    ] {
        git(&f.root, &["config", setting[0], setting[1]]);
        let found = Repo::discover(&f.root).unwrap().unwrap();
        assert_ne!(found.root(), Some(f.root.as_path()));
        let held = found.held_to(&f.root).with_caller("tests");
        assert_eq!(held.root(), Some(f.root.as_path()));
        assert_eq!(held.changed_since(Some(&base), &[]).unwrap(), ["x.txt"]);
        let trees = held.trees(&f.cache());
        assert_eq!(trees.changed_since(Some(&base), &[]).unwrap(), ["x.txt"]);
        assert_eq!(trees.changed_since(Some(&base), &[]).unwrap(), ["x.txt"]);
        sh(
            &f.root,
            &format!("git config --file .git/config --unset {}", setting[0]),
        );
    }
}
