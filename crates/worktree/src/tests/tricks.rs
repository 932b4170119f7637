//! What an agent may try so that its changes are not seen.

use super::{Fixture, git, settle, sh, write};
use proctor_kernel::ErrorKind;
use std::fs;
use std::time::{Duration, Instant};

#[test]
fn a_commit_that_stands_in_for_another_hides_nothing() {
    let f = Fixture::new();
    let base = f.oid();
    assert_eq!(f.changed(&base), [""; 0]);
    f.write("b.txt", "evil\n");
    f.commit("evil");
    let evil = f.oid();
    git(&f.root, &["reset", "-q", "--soft", &base]);
    git(&f.root, &["replace", &base, &evil]);
    assert_eq!(git(&f.root, &["status", "--short"]), "");
    assert_eq!(f.changed(&base), ["b.txt"]);
    // Nor does a tree that stands in for that of the base.
    git(&f.root, &["replace", "-d", &base]);
    git(&f.root, &["reset", "-q", "--soft", &evil]);
    let (old, new) = (format!("{base}^{{tree}}"), format!("{evil}^{{tree}}"));
    let tree = |rev: &str| git(&f.root, &["rev-parse", rev]);
    git(&f.root, &["replace", &tree(&old), &tree(&new)]);
    assert_eq!(f.changed(&base), ["b.txt"]);
}

#[test]
fn files_that_git_is_told_not_to_look_at_are_looked_at() {
    for split in [false, true] {
        let f = Fixture::new();
        f.write("mode.sh", "x\n");
        f.write(".gitattributes", "c.crlf text eol=crlf\n");
        f.write("c.crlf", "a\n");
        sh(&f.root, "ln -s a.txt link");
        f.commit("second");
        let base = f.oid();
        sh(
            &f.root,
            "git update-index --assume-unchanged a.txt b.txt link c.crlf mode.sh; git update-index --skip-worktree src/c.rs",
        );
        if split {
            git(&f.root, &["update-index", "--split-index"]);
        }
        settle();
        assert_eq!(f.changed(&base), [""; 0]);
        // Written anew with the same content, or with other line ends.
        sh(&f.root, "cp b.txt n; mv n b.txt; printf 'a\\r\\n' > c.crlf");
        assert_eq!(f.changed(&base), [""; 0]);
        f.write("b.txt", "evil\n");
        f.write("src/c.rs", "evil\n");
        sh(&f.root, "ln -sf b.txt link; rm a.txt; chmod +x mode.sh");
        assert_eq!(git(&f.root, &["status", "--short"]), "");
        let all = ["a.txt", "b.txt", "link", "mode.sh", "src/c.rs"];
        assert_eq!(f.changed(&base), all);
        git(&f.root, &["config", "core.fileMode", "no"]);
        assert_eq!(f.changed(&base), ["a.txt", "b.txt", "link", "src/c.rs"]);
        assert_eq!(f.repo().dirty().unwrap().len(), 4);
        // In a sparse checkout a file may be missing; one that is there counts.
        git(&f.root, &["config", "core.fileMode", "true"]);
        git(&f.root, &["config", "core.sparseCheckout", "true"]);
        sh(
            &f.root,
            "mkdir -p .git/info; echo '/*' > .git/info/sparse-checkout",
        );
        assert_eq!(f.changed(&base), all);
        fs::remove_file(f.root.join("src/c.rs")).unwrap();
        assert_eq!(f.changed(&base), ["a.txt", "b.txt", "link", "mode.sh"]);
    }
}

#[test]
fn a_hidden_submodule_is_looked_at() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "repo", "lib"]);
    git(&f.root, &["submodule", "--quiet", "add", "../lib", "lib"]);
    f.commit("with a submodule");
    let base = f.oid();
    git(&f.root, &["update-index", "--assume-unchanged", "lib"]);
    assert_eq!(f.changed(&base), [""; 0]);
    f.write("lib/a.txt", "two\n");
    assert_eq!(f.changed(&base), ["lib"]);
    git(&f.root.join("lib"), &["commit", "-qam", "inside"]);
    assert_eq!(f.changed(&base), ["lib"]);
}

/// Opening a pipe waits for somebody who writes into it.
#[test]
fn pipes_are_not_waited_for() {
    for (make, gone) in [
        ("rm .git/index; mkfifo .git/index", "rm .git/index"),
        (
            "mkdir -p .git/info; mkfifo .git/info/attributes",
            "rm .git/info/attributes",
        ),
        (
            "mkfifo .git/own; git config core.attributesFile \"$PWD/.git/own\"",
            "rm .git/own; git config --unset core.attributesFile",
        ),
        (
            "mkfifo .git/own; git config core.excludesFile \"$PWD/.git/own\"",
            "rm .git/own; git config --unset core.excludesFile",
        ),
        ("mkfifo .gitattributes", "rm .gitattributes"),
        ("mkfifo src/.gitattributes", "rm src/.gitattributes"),
        ("mkfifo src/.gitignore", "rm src/.gitignore"),
        (
            "rm -f .git/info/exclude; mkdir -p .git/info; mkfifo .git/info/exclude",
            "rm .git/info/exclude",
        ),
        (
            "mkfifo .git/packed-refs; rm -r .git/refs/heads/*",
            "rm .git/packed-refs",
        ),
    ] {
        let f = Fixture::new();
        let base = f.oid();
        f.id();
        f.changed(&base);
        settle();
        f.write("a.txt", "two\n");
        f.write("src/c.rs", "two\n");
        sh(&f.root, make);
        let began = Instant::now();
        // Nobody is waited for, however long git may take.
        let repo = f.repo().with_timeout(Duration::from_secs(60));
        let (cache, patience) = (f.cache(), Duration::from_secs(20));
        let trees = repo.trees(&cache);
        for error in [trees.id().err(), trees.changed_since(Some(&base), &[]).err()] {
            // Where an answer can be had, it need not be refused.
            assert!(error.is_none_or(|e| e.kind() == ErrorKind::Git), "{make}");
        }
        assert!(began.elapsed() < patience, "{make}: {:?}", began.elapsed());
        sh(&f.root, gone);
    }
}

#[test]
fn a_pipe_in_the_place_of_a_control_file_is_an_error() {
    for name in ["HEAD", "config"] {
        let f = Fixture::new();
        sh(&f.root, &format!("rm .git/{name}; mkfifo .git/{name}"));
        let said = crate::Repo::discover(&f.root).and_then(|repo| repo.unwrap().head());
        assert_eq!(said.unwrap_err().kind(), ErrorKind::Git, "{name}");
    }
    let f = Fixture::new();
    sh(&f.root, "mkfifo .git/proctor.lock");
    assert!(f.repo().ensure_id(|| "made-up-id".to_owned()).is_err());
}

#[test]
fn a_setting_inside_another_ones_value_is_none() {
    let f = Fixture::new();
    f.write(".git/evil", "hidden\n");
    f.write("hidden", "x");
    let before = f.id();
    let evil = f.root.join(".git/evil");
    let text = format!("x\ncore.excludesfile={}", evil.display());
    git(&f.root, &["config", "x.y", &text]);
    settle();
    for _ in 0..2 {
        assert_eq!(f.id(), before);
        assert_eq!(f.changed(&f.oid()), ["hidden"]);
    }
    // The folder of a file of attributes is not the user's.
    f.write(".git/git/ignore", "hidden\n");
    let attributes = f.root.join(".git/git/config").display().to_string();
    git(&f.root, &["config", "core.attributesFile", &attributes]);
    settle();
    assert_eq!(f.id(), before);
    assert_eq!(f.changed(&f.oid()), ["hidden"]);
}

#[test]
fn all_words_for_no() {
    for word in ["false", "no", "off", "0", "FALSE", ""] {
        let f = Fixture::new();
        git(&f.root, &["config", "core.fileMode", word]);
        settle();
        let base = f.oid();
        assert_eq!(f.changed(&base), [""; 0]);
        let before = f.id();
        sh(&f.root, "chmod +x a.txt");
        assert_eq!(f.id(), before, "{word}");
        assert_eq!(f.changed(&base), [""; 0], "{word}");
    }
}

/// A configuration that was written only just now may be written again without another time.
#[test]
fn what_was_configured_just_now_is_not_remembered() {
    let f = Fixture::new();
    f.write("x.tmp", "x");
    let (one, two) = (f.base.join("one"), f.base.join("two"));
    write(&one, "*.txt\n");
    write(&two, "*.tmp\n");
    let config = f.root.join(".git/config");
    let begin = fs::read_to_string(&config).unwrap();
    for round in 0..40 {
        let told = [&one, &two].map(|excludes| {
            fs::write(
                &config,
                format!("{begin}[core]\nexcludesFile = {}\n", excludes.display()),
            )
            .unwrap();
            let told = f.repo().trees(&f.cache()).changed_since(Some(&f.oid()), &[]);
            told.unwrap()
        });
        assert_eq!(told, [vec!["x.tmp".to_owned()], vec![]], "{round}");
    }
}

#[test]
fn names_that_git_refuses_have_no_id() {
    for name in [".GIT/x", "git~1/x", "sub/.gi\u{200d}t/x"] {
        let f = Fixture::new();
        // As where such names mean something; elsewhere git is asked all the same.
        git(&f.root, &["config", "core.protectHFS", "true"]);
        git(&f.root, &["config", "core.protectNTFS", "true"]);
        f.write(name, "x");
        let added = std::process::Command::new("git")
            .current_dir(&f.root)
            .args(["add", "-A"])
            .output()
            .unwrap();
        let id = f.repo().tree_id(&f.cache());
        assert_eq!(id.is_ok(), added.status.success(), "{name}: {id:?}");
    }
}
