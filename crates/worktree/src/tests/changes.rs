//! Changed files.

use super::{Fixture, git, write};
use proctor_kernel::ErrorKind;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

#[test]
fn every_sort_of_change() {
    let f = Fixture::new();
    let base = f.oid();
    assert_eq!(f.changed(&base), [""; 0]);
    f.write("a.txt", "two\n"); // unstaged
    f.write("src/staged.rs", "x");
    git(&f.root, &["add", "src/staged.rs"]);
    f.write("untracked/deep/new.txt", "x");
    git(&f.root, &["mv", "src/c.rs", "src/d.rs"]);
    fs::remove_file(f.root.join("b.txt")).unwrap();
    f.write(".gitignore", "*.log\n");
    f.write("noise.log", "x");
    f.write(".proctor/state", "x");
    let expected = [
        ".gitignore",
        "a.txt",
        "b.txt",
        "src/c.rs",
        "src/d.rs",
        "src/staged.rs",
        "untracked/deep/new.txt",
    ];
    assert_eq!(f.changed(&base), expected);
    // The same when it was committed, in one commit or with more on top.
    f.commit("second");
    assert_eq!(f.changed(&base), expected);
    f.write("z", "1");
    let with_z = [&expected[..], &["z"]].concat();
    assert_eq!(f.changed(&base), with_z);
    f.commit("third");
    assert_eq!(f.changed(&base), with_z);
    assert_eq!(f.changed(&f.oid()), [""; 0]);
}

#[test]
fn staged_and_then_taken_back_in_the_work_tree_still_counts() {
    let f = Fixture::new();
    f.write("a.txt", "two\n");
    git(&f.root, &["add", "a.txt"]);
    f.write("a.txt", "one\n");
    assert_eq!(f.changed(&f.oid()), ["a.txt"]);
}

#[test]
fn any_file_name() {
    let f = Fixture::new();
    let base = f.oid();
    let names = [
        "src/인증 모듈.ts",
        "with \"quotes\"",
        "new\nline",
        " lead",
        "trail ",
        "tab\t",
        "a\\b",
        "-f",
        "*",
        "->",
    ];
    for name in names {
        f.write(name, "x");
    }
    let odd = f.root.join(OsStr::from_bytes(b"bad\xff"));
    fs::write(&odd, "x").unwrap();
    let mut expected: Vec<String> = names
        .iter()
        .map(|n| (*n).to_owned())
        .chain(["bad\\xff".to_owned()])
        .collect();
    expected.sort();
    assert_eq!(f.changed(&base), expected);
    let dirty = f.repo().dirty().unwrap();
    assert!(dirty.iter().all(|(_, digest)| digest.is_some()));
    assert_eq!(f.repo().changed_since(Some(&base), &dirty).unwrap(), [""; 0]);
    f.commit("odd");
    assert_eq!(f.changed(&base), expected);
    fs::write(&odd, "y").unwrap();
    assert_eq!(f.repo().changed_since(Some(&base), &dirty).unwrap(), ["bad\\xff"]);
}

#[test]
fn the_users_own_changes_are_left_out_until_touched() {
    let f = Fixture::new();
    let base = f.oid();
    f.write("a.txt", "mine\n");
    fs::remove_file(f.root.join("b.txt")).unwrap();
    f.write("notes.md", "mine\n");
    let dirty = f.repo().dirty().unwrap();
    let names: Vec<_> = dirty
        .iter()
        .map(|(path, digest)| (path.as_str(), digest.is_some()))
        .collect();
    assert_eq!(names, [("a.txt", true), ("b.txt", false), ("notes.md", true)]);
    let changed = || f.repo().changed_since(Some(&base), &dirty).unwrap();
    assert_eq!(changed(), [""; 0]);
    f.write("src/c.rs", "agent\n");
    assert_eq!(changed(), ["src/c.rs"]);
    // Committing the user's changes as they are changes none of them.
    f.commit("all");
    assert_eq!(changed(), ["src/c.rs"]);
    f.write("a.txt", "mine, and the agent's\n");
    f.write("b.txt", "back\n");
    fs::remove_file(f.root.join("notes.md")).unwrap();
    assert_eq!(changed(), ["a.txt", "b.txt", "notes.md", "src/c.rs"]);
}

#[test]
fn throwing_the_users_changes_away_counts() {
    let f = Fixture::new();
    f.write("a.txt", "mine\n");
    f.write("notes.md", "mine\n");
    let dirty = f.repo().dirty().unwrap();
    git(&f.root, &["checkout", "-q", "--", "a.txt"]);
    fs::remove_file(f.root.join("notes.md")).unwrap();
    assert_eq!(
        f.repo().changed_since(Some(&f.oid()), &dirty).unwrap(),
        ["a.txt", "notes.md"]
    );
}

#[test]
fn modes_and_links_are_content() {
    let f = Fixture::new();
    std::os::unix::fs::symlink("a.txt", f.root.join("link")).unwrap();
    f.write("run.sh", "x");
    let dirty = f.repo().dirty().unwrap();
    let changed = || f.repo().changed_since(Some(&f.oid()), &dirty).unwrap();
    assert_eq!(changed(), [""; 0]);
    fs::set_permissions(f.root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(changed(), ["run.sh"]);
    fs::remove_file(f.root.join("link")).unwrap();
    f.write("link", "one\n"); // same content as what it pointed to, but a file now
    assert_eq!(changed(), ["link", "run.sh"]);
}

#[test]
fn a_pipe_is_not_opened() {
    let f = Fixture::new();
    let fifo = f.root.join("a.txt");
    fs::remove_file(&fifo).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let dirty = f.repo().dirty().unwrap();
    assert_eq!(dirty.len(), 1);
    assert_eq!(f.repo().changed_since(Some(&f.oid()), &dirty).unwrap(), [""; 0]);
}

#[test]
fn an_empty_repository() {
    let f = Fixture::empty();
    let changed = || f.repo().changed_since(None, &[]).unwrap();
    assert_eq!(changed(), [""; 0]);
    f.write("staged", "1");
    git(&f.root, &["add", "staged"]);
    f.write("untracked", "1");
    assert_eq!(changed(), ["staged", "untracked"]);
    f.commit("first");
    assert_eq!(changed(), ["staged", "untracked"]);
    f.write("later", "1");
    assert_eq!(changed(), ["later", "staged", "untracked"]);
}

#[test]
fn a_branch_without_a_commit_is_compared_with_the_base() {
    let f = Fixture::new();
    let base = f.oid();
    git(&f.root, &["checkout", "-q", "--orphan", "fresh"]);
    assert_eq!(f.changed(&base), [""; 0]);
    f.write("a.txt", "two\n");
    f.write("new", "1");
    assert_eq!(f.changed(&base), ["a.txt", "new"]);
}

#[test]
fn a_base_that_is_gone_is_an_error_with_a_way_out() {
    let f = Fixture::new();
    for base in [
        "0123456789abcdef0123456789abcdef01234567",
        "HEAD",
        "--output=x",
        "",
    ] {
        let error = f.repo().changed_since(Some(base), &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Git, "{base:?}");
    }
    let gone = f
        .repo()
        .changed_since(Some("0123456789abcdef0123456789abcdef01234567"), &[])
        .unwrap_err();
    assert!(
        gone.hints()[0].contains("task start"),
        "{gone} {:?}",
        gone.hints()
    );
    f.write("a.txt", "2");
    f.commit("second");
    git(
        &f.base,
        &[
            "clone",
            "-q",
            "--depth=1",
            &format!("file://{}", f.root.display()),
            "shallow",
        ],
    );
    let first = git(&f.root, &["rev-parse", "HEAD^"]);
    let shallow = crate::Repo::discover(&f.base.join("shallow")).unwrap().unwrap();
    assert!(
        shallow
            .changed_since(Some(&first), &[])
            .unwrap_err()
            .to_string()
            .contains("not in this repository")
    );
}

#[test]
fn a_base_on_another_branch_still_serves() {
    let f = Fixture::new();
    f.write("a.txt", "2");
    f.commit("second");
    let base = f.oid();
    git(&f.root, &["reset", "-q", "--hard", "HEAD^"]);
    f.write("b.txt", "2");
    f.commit("other");
    assert_eq!(f.changed(&base), ["a.txt", "b.txt"]);
}

#[test]
fn a_submodule_counts_as_its_path() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "repo", "lib"]);
    git(&f.root, &["submodule", "--quiet", "add", "../lib", "lib"]);
    f.commit("with a submodule");
    let base = f.oid();
    assert_eq!(f.changed(&base), [""; 0]);
    // The submodule's own settings cannot hide it.
    git(&f.root, &["config", "submodule.lib.ignore", "all"]);
    f.write("lib/a.txt", "two\n");
    assert_eq!(f.changed(&base), ["lib"]);
    let dirty = f.repo().dirty().unwrap();
    assert_eq!(dirty.len(), 1);
    assert_eq!(f.repo().changed_since(Some(&base), &dirty).unwrap(), [""; 0]);
    f.write("lib/a.txt", "three\n");
    assert_eq!(f.repo().changed_since(Some(&base), &dirty).unwrap(), ["lib"]);
    git(&f.root.join("lib"), &["commit", "-qam", "inside"]);
    assert_eq!(f.changed(&base), ["lib"]);
    f.commit("newer submodule");
    assert_eq!(f.changed(&base), ["lib"]);
}

#[test]
fn a_nested_repository_counts_as_its_path() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "repo", "repo/nested"]);
    assert_eq!(f.changed(&f.oid()), ["nested"]);
    let dirty = f.repo().dirty().unwrap();
    assert_eq!(f.repo().changed_since(Some(&f.oid()), &dirty).unwrap(), [""; 0]);
    f.write("nested/new", "x");
    assert_eq!(
        f.repo().changed_since(Some(&f.oid()), &dirty).unwrap(),
        ["nested"]
    );
}

#[test]
fn conflicts_and_settings_do_not_confuse() {
    let f = Fixture::new();
    let base = f.oid();
    git(&f.root, &["checkout", "-q", "-b", "other"]);
    f.write("a.txt", "theirs\n");
    f.commit("theirs");
    git(&f.root, &["checkout", "-q", "main"]);
    f.write("a.txt", "ours\n");
    f.commit("ours");
    for (key, value) in [
        ("status.relativePaths", "true"),
        ("status.showUntrackedFiles", "no"),
        ("status.renames", "copies"),
        ("core.quotepath", "true"),
        ("diff.noprefix", "true"),
        ("diff.external", "/bin/false"),
        ("core.fsmonitor", "/bin/false"),
        ("color.ui", "always"),
        ("core.pager", "/bin/false"),
    ] {
        git(&f.root, &["config", key, value]);
    }
    let merge = std::process::Command::new("git")
        .current_dir(&f.root)
        .args([
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.com",
            "merge",
            "-q",
            "other",
        ])
        .output()
        .unwrap();
    assert!(!merge.status.success());
    write(&f.root.join("src/새.txt"), "x");
    let repo = crate::Repo::discover(&f.root.join("src")).unwrap().unwrap();
    assert_eq!(
        repo.changed_since(Some(&base), &[]).unwrap(),
        ["a.txt", "src/새.txt"]
    );
}

/// Run with `cargo test --release -p proctor-worktree cost -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn cost_against_git_status() {
    use std::time::Instant;
    let f = Fixture::empty();
    for n in 0..50_000 {
        let dir = f.root.join(format!("d{}/e{}", n % 100, n % 1000));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join(format!("f{n}")), n.to_string()).unwrap();
    }
    f.commit("many");
    let first = f.oid();
    f.write("d1/new", "x");
    f.commit("second");
    for n in 0..6 {
        f.write(&format!("changed{n}"), "x");
    }
    let second = f.oid();
    // Files as young as the index are read again by every status; wait until they are older.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    git(&f.root, &["update-index", "-q", "--refresh"]);
    fs::File::open(f.root.join(".git/index"))
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    let mut times: [Vec<std::time::Duration>; 4] = Default::default();
    for _ in 0..40 {
        let start = Instant::now();
        crate::Repo::discover(&f.root.join("d1"))
            .unwrap()
            .unwrap()
            .head()
            .unwrap();
        times[3].push(start.elapsed());
        let start = Instant::now();
        git(&f.root, &["status", "--porcelain=v2", "-z", "-uall"]);
        times[0].push(start.elapsed());
        for (to, base) in [(1, &second), (2, &first)] {
            let start = Instant::now();
            let n = crate::Repo::discover(&f.root)
                .unwrap()
                .unwrap()
                .changed_since(Some(base), &[])
                .unwrap()
                .len();
            times[to].push(start.elapsed());
            assert_eq!(n, 5 + to);
        }
    }
    let p50 = times.map(|mut t| {
        t.sort();
        t[t.len() / 2]
    });
    println!(
        "git status {:?}; changed_since at the base {:?}, after a commit {:?}; discover and head {:?}",
        p50[0], p50[1], p50[2], p50[3]
    );
}
