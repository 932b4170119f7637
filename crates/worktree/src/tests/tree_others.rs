//! The untracked files as listed here, against git.

use super::{Fixture, git, settle, sh, write};
use crate::Repo;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What git lists; with the configuration that a call of ours finds.
fn by_git(root: &Path) -> Vec<String> {
    let said = Command::new("git")
        .current_dir(root)
        .args([
            "ls-files",
            "-z",
            "--others",
            "--exclude-standard",
            "--exclude=/.proctor/",
        ])
        .output()
        .unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let mut paths: Vec<String> = said
        .split('\0')
        .filter(|p| !p.is_empty())
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths
}

/// What is listed without git; nothing where git is asked.
fn here(repo: &Repo, cache: &Path) -> Option<Vec<String>> {
    let listed = repo.trees(cache).others().unwrap()?;
    let mut paths: Vec<String> = listed
        .into_iter()
        .map(|p| String::from_utf8(p).unwrap())
        .collect();
    paths.sort();
    Some(paths)
}

fn listed(f: &Fixture) -> Option<Vec<String>> {
    let listed = here(&f.repo(), &f.cache());
    if let Some(listed) = &listed {
        assert_eq!(*listed, by_git(&f.root));
    }
    listed
}

#[derive(Clone, Debug)]
struct Case {
    files: Vec<(String, bool)>,
    ignores: Vec<(String, String)>,
    exclude: String,
}

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[abx]",
        2 => Just("*".to_owned()),
        2 => Just("/".to_owned()),
        1 => Just("?".to_owned()),
        1 => Just("[ab]".to_owned()),
        1 => Just("[!a-x]".to_owned()),
        1 => Just("\\#".to_owned()),
        1 => Just(".log".to_owned()),
        1 => Just(" ".to_owned()),
        1 => Just("**/".to_owned()),
        1 => Just("/**".to_owned()),
        1 => Just("#".to_owned()),
    ];
    (
        prop_oneof![4 => Just(""), 1 => Just("!"), 1 => Just("/")],
        proptest::collection::vec(piece, 0..5),
        prop_oneof![3 => Just("\n"), 1 => Just("/\n"), 1 => Just("\r\n")],
    )
        .prop_map(|(front, pieces, end)| format!("{front}{}{end}", pieces.concat()))
}

fn lines() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 0..4).prop_map(|l| l.concat())
}

fn case() -> impl Strategy<Value = Case> {
    let path = "([abx]{1,2}/){0,3}([abx#]{1,2}|[abx]\\.log|a b)";
    (
        proptest::collection::vec((path, proptest::bool::weighted(0.3)), 1..14),
        proptest::collection::vec(("([abx]{1,2}/){0,2}\\.gitignore", lines()), 0..4),
        lines(),
    )
        .prop_map(|(files, ignores, exclude)| Case {
            files,
            ignores,
            exclude,
        })
}

/// Random trees and files of patterns, tracked or not.
#[test]
fn as_git_lists_them() {
    let f = Fixture::empty();
    let config = Config {
        cases: 60,
        max_shrink_iters: 400,
        failure_persistence: None,
        ..Config::default()
    };
    let counts = std::cell::Cell::new((0, 0));
    TestRunner::new(config)
        .run(&case(), |case| {
            for entry in fs::read_dir(&f.root).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    fs::remove_file(path).unwrap();
                } else if path.file_name().is_some_and(|n| n != ".git") {
                    fs::remove_dir_all(path).unwrap();
                }
            }
            let _ = fs::remove_file(f.root.join(".git/index"));
            let put = |path: &str, text: &str| {
                // A file may be where a folder would have to be, and the other way round.
                let path = f.root.join(path);
                let made = fs::create_dir_all(path.parent().unwrap()).is_ok();
                made && fs::write(&path, text).is_ok()
            };
            let mut tracked = String::new();
            for (path, is_tracked) in &case.files {
                if put(path, "") && *is_tracked {
                    tracked.push_str(&format!("{path}\n"));
                }
            }
            for (path, text) in &case.ignores {
                put(path, text);
            }
            write(&f.root.join(".git/info/exclude"), &case.exclude);
            if !tracked.is_empty() {
                write(&f.base.join("tracked"), &tracked);
                sh(&f.root, "git update-index --add --stdin < ../tracked");
            }
            let (answered, all) = counts.get();
            let ours = here(&f.repo(), &f.cache());
            counts.set((answered + usize::from(ours.is_some()), all + 1));
            if let Some(ours) = ours {
                prop_assert_eq!(ours, by_git(&f.root));
            }
            Ok(())
        })
        .unwrap();
    let (answered, all) = counts.get();
    assert!(answered * 3 > all, "git is asked too often: {answered} of {all}");
}

#[test]
fn what_is_listed_here_and_what_git_is_asked() {
    let f = Fixture::new();
    let own = |paths: &[&str]| Some(paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>());
    assert_eq!(listed(&f), own(&[]));
    f.write(".proctor/rules", "x");
    f.write("sub/.proctor/x", "x");
    f.write("새/파일.txt", "x");
    sh(
        &f.root,
        "mkdir empty; mkfifo pipe; ln -s src link; ln -s nowhere dangling",
    );
    assert_eq!(
        listed(&f),
        own(&["dangling", "link", "sub/.proctor/x", "새/파일.txt"])
    );
    // A folder that is ignored is not looked into, whatever it holds.
    f.write("target/deep/x", "x");
    f.write("target/inner/.git/HEAD", "x");
    f.write(".gitignore", "/target\n*.txt\n");
    assert_eq!(
        listed(&f),
        own(&[".gitignore", "dangling", "link", "sub/.proctor/x"])
    );
    git(&f.root, &["add", "-A"]);
    assert_eq!(listed(&f), own(&[]));
    // A file of a tracked folder, and one in the place of a folder.
    f.write("src/new.rs", "x");
    fs::remove_file(f.root.join("a.txt")).unwrap();
    f.write("a.txt/inside", "x");
    f.write(".gitignore", "");
    // What stands in `target` looks like a repository now.
    assert_eq!(listed(&f), None);
    fs::remove_dir_all(f.root.join("target")).unwrap();
    assert_eq!(listed(&f), own(&["a.txt/inside", "src/new.rs", "새/파일.txt"]));

    // A repository inside, patterns that are links or no text, and what is unreadable.
    git(&f.root, &["init", "-q", "inner"]);
    assert_eq!(listed(&f), None);
    fs::remove_dir_all(f.root.join("inner")).unwrap();
    for odd in [
        "printf 'a**b/c\\n' > .gitignore",
        "rm .gitignore; ln -s src/c.rs .gitignore",
        "rm .gitignore; mkdir .gitignore",
    ] {
        sh(&f.root, odd);
        assert_eq!(listed(&f), None, "{odd}");
    }
    sh(&f.root, "rmdir .gitignore");
    assert!(listed(&f).is_some());
    for setting in [
        ["core.ignorecase", "true"],
        ["core.excludesFile", "relative"],
        ["include.path", "x"],
    ] {
        git(&f.root, &["config", setting[0], setting[1]]);
        assert_eq!(listed(&f), None, "{setting:?}");
        git(&f.root, &["config", "--unset-all", setting[0]]);
        assert!(listed(&f).is_some(), "{setting:?}");
    }
    // Of a caller whose configuration is not known, nothing is remembered.
    let stranger = Repo::discover(&f.root).unwrap().unwrap();
    assert_eq!(here(&stranger, &f.cache()), None);
}

#[test]
fn the_users_own_patterns() {
    let f = Fixture::new();
    f.write("noise.tmp", "x");
    f.write("own.tmp", "x");
    let mine = f.base.join("mine");
    write(&mine, "*.tmp\n");
    git(
        &f.root,
        &["config", "core.excludesFile", &mine.display().to_string()],
    );
    assert_eq!(listed(&f), Some(vec![]));
    settle();
    // They are read anew, and the clone's own and the folder's weigh more.
    write(&f.root.join(".git/info/exclude"), "!own.tmp\n");
    assert_eq!(listed(&f), Some(vec!["own.tmp".to_owned()]));
    write(&mine, "");
    assert_eq!(
        listed(&f),
        Some(vec!["noise.tmp".to_owned(), "own.tmp".to_owned()])
    );
    // Of another caller git is asked again: the file that was found for the first is not believed.
    let memo = || {
        let place = f.repo().trees(&f.cache()).place_dir().unwrap();
        fs::read_to_string(place.join("settings")).unwrap()
    };
    let first = memo();
    assert!(here(&f.repo().with_caller("another"), &f.cache()).is_some());
    assert_ne!(memo(), first);
}

/// What differs from the commit is told here as soon as git has said that nothing is staged, and while that is so.
#[test]
fn what_differs_without_git() {
    let f = Fixture::new();
    let told = || {
        let (repo, cache) = (f.repo(), f.cache());
        let told = repo.trees(&cache).dirty_here().unwrap();
        if let Some(told) = &told {
            assert_eq!(*told, repo.dirty().unwrap());
        }
        told.map(|all| all.into_iter().map(|(path, _)| path).collect::<Vec<_>>())
    };
    let learn = || f.repo().trees(&f.cache()).dirty().unwrap();
    let own = |paths: &[&str]| Some(paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>());
    assert_eq!(told(), None);
    learn();
    assert_eq!(told(), own(&[]));
    f.write("a.txt", "two\n");
    f.write("b.txt", "one\n");
    f.write("new", "x");
    sh(&f.root, "chmod +x src/c.rs");
    assert_eq!(told(), own(&["a.txt", "new", "src/c.rs"]));
    sh(&f.root, "chmod -x src/c.rs; rm a.txt; ln -s x a.txt");
    assert_eq!(told(), own(&["a.txt", "new"]));
    // Line ends are git's to judge.
    sh(&f.root, "rm a.txt; printf 'one\\r\\n' > a.txt");
    assert_eq!(told(), None);
    fs::remove_file(f.root.join("a.txt")).unwrap();
    assert_eq!(told(), own(&["a.txt", "new"]));
    git(&f.root, &["add", "new"]);
    assert_eq!(told(), None);
    git(&f.root, &["reset", "-q"]);
    learn();
    assert_eq!(told(), own(&["a.txt", "new"]));
    f.commit("all");
    assert_eq!(told(), None);
    learn();
    assert_eq!(told(), own(&[]));
    git(&f.root, &["update-index", "--assume-unchanged", "b.txt"]);
    assert_eq!(told(), None);
}

/// What a sparse checkout leaves out holds for git as the index has it.
#[test]
fn patterns_that_are_left_out() {
    let f = Fixture::new();
    f.write("src/.gitignore", "*.tmp\n");
    f.write("src/x.tmp", "x");
    f.commit("patterns");
    assert_eq!(listed(&f), Some(vec![]));
    git(&f.root, &["update-index", "--skip-worktree", "src/.gitignore"]);
    fs::remove_file(f.root.join("src/.gitignore")).unwrap();
    assert_eq!(listed(&f), None);
}
