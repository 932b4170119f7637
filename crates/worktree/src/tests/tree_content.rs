//! The identity of a tree: what counts as a file's content, and what is no answer.

use super::{Fixture, git, sh, write};
use proctor_kernel::{ErrorKind, TreeId};
use std::fs;

#[test]
fn modes_and_names() {
    use std::os::unix::ffi::OsStrExt;
    let f = Fixture::new();
    let before = f.id();
    sh(&f.root, "chmod +x a.txt");
    assert_ne!(f.id(), before);
    assert_eq!(f.id(), f.plain());
    git(&f.root, &["config", "core.fileMode", "false"]);
    assert_eq!(f.id(), before);
    git(&f.root, &["update-index", "--chmod=+x", "b.txt"]);
    assert_eq!(f.id(), f.plain());
    for name in [
        "new\nline",
        " lead",
        "tab\t",
        "a\\b",
        "-f",
        "*",
        ":x",
        "\"q\"",
        "인증.ts",
    ] {
        f.write(name, "x");
    }
    fs::write(f.root.join(std::ffi::OsStr::from_bytes(b"bad\xff")), "x").unwrap();
    assert_eq!(f.id(), f.plain());
    f.commit("odd");
    assert_eq!(f.id(), f.id_of("HEAD"));
}

#[test]
fn line_ends() {
    for setting in ["core.autocrlf=true", "core.autocrlf=input", "core.eol=crlf"] {
        let f = Fixture::empty();
        f.write("crlf.txt", "a\r\nb\r\n");
        f.write("lf.txt", "a\nb\n");
        f.commit("before");
        let (key, value) = setting.split_once('=').unwrap();
        git(&f.root, &["config", key, value]);
        for attributes in ["", "*.txt text=auto\n", "*.txt text eol=crlf\n", "lf.txt -text\n"] {
            f.write(".gitattributes", attributes);
            for text in ["x\r\ny\r\n", "x\ny\n", "x\r\ny\n", "b\0\r\n"] {
                for name in ["crlf.txt", "lf.txt", "new.txt"] {
                    f.write(name, text);
                }
                assert_eq!(f.id(), f.plain(), "{setting} {attributes} {text:?}");
            }
        }
        f.commit("after");
        assert_eq!(f.id(), f.id_of("HEAD"), "{setting}");
    }
}

#[test]
fn attributes_that_change_clean_again() {
    let f = Fixture::new();
    f.write("new.txt", "x\r\n");
    assert_eq!(f.id(), f.plain());
    f.write(".gitattributes", "*.txt text\n");
    assert_eq!(f.id(), f.plain());
    fs::remove_file(f.root.join(".gitattributes")).unwrap();
    assert_eq!(f.id(), f.plain());
    write(&f.root.join(".git/info/attributes"), "*.txt text\n");
    assert_eq!(f.id(), f.plain());
    // A changed file of attributes that is known, another file that is not, and all to be done again.
    f.write(".gitattributes", "a.txt text\n");
    f.commit("attributes");
    f.write(".gitattributes", "b.txt text\n");
    super::settle();
    f.id();
    assert_eq!(f.id(), f.plain());
    git(&f.root, &["config", "core.eol", "crlf"]);
    f.write("a.txt", "other\r\n");
    assert_eq!(f.id(), f.plain());
}

#[test]
fn filters() {
    let f = Fixture::empty();
    f.write(".gitattributes", "*.big filter=pointer\n");
    git(&f.root, &["config", "filter.pointer.clean", "sed s/^/cleaned-/"]);
    git(&f.root, &["config", "filter.pointer.smudge", "sed s/^cleaned-//"]);
    f.write("x.big", "large\n");
    let id = f.id();
    assert_eq!(id, f.plain());
    f.commit("first");
    assert_eq!(f.id(), id);
    assert_eq!(git(&f.root, &["show", "HEAD:x.big"]), "cleaned-large");
    // A filter that fails is no reason to go on with something else.
    for required in ["false", "true"] {
        git(&f.root, &["config", "filter.pointer.required", required]);
        git(&f.root, &["config", "filter.pointer.clean", "false"]);
        f.write("x.big", "other\n");
        // Old enough for its state to be remembered.
        super::settle();
        let error = f.repo().tree_id(&f.cache()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Git, "{required}");
        let error = f.repo().tree_id(&f.cache()).unwrap_err();
        assert!(error.to_string().contains("filter"), "{error}");
    }
    git(&f.root, &["config", "filter.pointer.clean", "sed s/^/cleaned-/"]);
    f.write("x.big", "large\n");
    assert_eq!(f.id(), id);
}

#[test]
fn what_stands_in_place_of_a_file() {
    let f = Fixture::new();
    let before = f.id();
    sh(&f.root, "mkfifo pipe");
    assert_eq!(f.id(), before);
    sh(&f.root, "rm a.txt; mkfifo a.txt");
    assert_eq!(f.repo().tree_id(&f.cache()).unwrap_err().kind(), ErrorKind::Git);
}

#[test]
fn submodules_and_repositories_inside() {
    let f = Fixture::new();
    let lib = Fixture::new();
    git(
        &f.root,
        &["submodule", "add", "-q", lib.root.to_str().unwrap(), "sub"],
    );
    f.commit("with a submodule");
    let clean = f.id();
    assert_eq!(clean, f.id_of("HEAD"));
    let sub = f.root.join("sub");
    // Changes inside show, and show the same each time; with the commit undone all is as before.
    write(&sub.join("a.txt"), "edited\n");
    let dirty = f.id();
    assert_ne!(dirty, clean);
    assert_eq!(f.id(), dirty);
    git(&sub, &["add", "-A"]);
    assert_eq!(f.id(), dirty);
    git(&sub, &["commit", "-q", "-m", "inside"]);
    let moved = f.id();
    assert!(moved != clean && moved != dirty);
    assert_eq!(moved, f.plain());
    git(&sub, &["reset", "-q", "--hard", "HEAD~1"]);
    assert_eq!(f.id(), clean);
    write(&sub.join("untracked"), "x");
    assert_ne!(f.id(), clean);
    fs::remove_file(sub.join("untracked")).unwrap();
    assert_eq!(f.id(), clean);
    git(&f.root, &["submodule", "--quiet", "deinit", "-f", "sub"]);
    assert_eq!(f.id(), clean);
    fs::remove_dir(&sub).unwrap();
    assert_ne!(f.id(), clean);
    git(&f.root, &["submodule", "--quiet", "update", "--init"]);
    assert_eq!(f.id(), clean);
    // A repository that somebody put there: nothing without a commit, then its commit.
    git(&f.root, &["init", "-q", "-b", "main", "inner"]);
    write(&f.root.join("inner/x"), "x");
    assert_eq!(f.id(), clean);
    git(&f.root.join("inner"), &["add", "-A"]);
    git(&f.root.join("inner"), &["commit", "-q", "-m", "x"]);
    let inner = f.id();
    assert_eq!(inner, f.plain());
    assert_ne!(inner, clean);
}

#[test]
fn what_cannot_be_read_is_no_answer() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let f = Fixture::new();
    f.write("new/x", "x");
    let close = |name: &str, mode: u32| {
        let path = f.root.join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    f.write("a.txt", "edited\n");
    let root = fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0);
    for name in ["a.txt", "new", "src", "new/x"] {
        let mode = fs::metadata(f.root.join(name)).unwrap().permissions().mode();
        close(name, 0);
        let answer = f.repo().tree_id(&f.cache());
        assert_eq!(answer.is_err(), !root, "{name}");
        close(name, mode);
        assert_eq!(f.id(), f.plain(), "{name}");
        fs::remove_dir_all(f.cache()).unwrap();
    }
}

#[test]
fn a_call_that_takes_too_long_ends_and_the_next_goes_on() {
    let f = Fixture::empty();
    f.write(".gitattributes", "*.big filter=slow\n");
    git(&f.root, &["config", "filter.slow.clean", "sleep 3; cat"]);
    f.write("x.big", "x");
    let start = std::time::Instant::now();
    let repo = f.repo().with_timeout(std::time::Duration::from_millis(300));
    let error = repo.tree_id(&f.cache()).unwrap_err();
    assert!(error.to_string().contains("too long"), "{error}");
    assert!(start.elapsed().as_secs() < 3);
    git(&f.root, &["config", "filter.slow.clean", "cat"]);
    assert_eq!(f.id(), f.plain());
}

/// Small files without carriage returns and without attributes are stored without git; the answers must
/// not differ, and git must be able to read them.
#[test]
fn plain_files_are_stored_as_git_would() {
    let f = Fixture::new();
    f.write("dir/.gitattributes", "*.rs diff=rust\n");
    f.commit("attributes without a filter");
    super::settle();
    f.id();
    f.write("a.txt", "two\n");
    f.write("dir/new.rs", "새\n");
    sh(
        &f.root,
        "printf '' > empty; chmod +x b.txt; head -c 200000 /dev/zero > zeros; ln -s x link",
    );
    let id = f.id();
    assert_eq!(id, f.plain());
    let yes = sh(&f.cache(), "head -n 1 */settings");
    assert_eq!(yes, "yes");
    assert!(
        f.repo()
            .trees(&f.cache())
            .has(&TreeId::from_text(id.clone()))
            .unwrap()
    );
    let objects = sh(
        &f.cache(),
        "cd objects; find . -type f -not -name heap | tr -d ./ | sort",
    );
    assert!(objects.lines().count() >= 6, "{objects}");
    let store = format!("export GIT_OBJECT_DIRECTORY='{}/objects'", f.cache().display());
    for object in objects.lines() {
        let kind = sh(&f.root, &format!("{store}; git cat-file -t {object}"));
        let again = sh(
            &f.root,
            &format!("{store}; git cat-file {kind} {object} | git hash-object -t {kind} --stdin"),
        );
        assert_eq!(again, object);
    }
    // From now on something is to be cleaned, by a file in any place where git looks for it.
    for (place, text) in [
        ("dir/.gitattributes", "*.rs ident\n"),
        (".git/info/attributes", "*.rs ident\n"),
        (".gitattributes", "[attr]x ident\n*.rs x\n"),
    ] {
        f.write("dir/new.rs", "$Id: x$\n");
        let without = f.id();
        let before = fs::read(f.root.join(place)).ok();
        f.write(place, text);
        f.write("dir/new.rs", "$Id: y$\n");
        assert_eq!(f.id(), f.plain(), "{place}");
        assert_ne!(f.id(), without, "{place}");
        match before {
            Some(before) => fs::write(f.root.join(place), before).unwrap(),
            None => fs::remove_file(f.root.join(place)).unwrap(),
        }
    }
    // One that is gone does not hold, staged or not.
    f.write(".gitattributes", "*.rs ident\n");
    git(&f.root, &["add", ".gitattributes"]);
    fs::remove_file(f.root.join(".gitattributes")).unwrap();
    f.write("dir/new.rs", "$Id: z$\n");
    assert_eq!(f.id(), f.plain());
}

/// Where a sparse checkout leaves a file of attributes out, the one in the index holds.
#[test]
fn attributes_outside_a_sparse_checkout() {
    let f = Fixture::new();
    f.write("dir/.gitattributes", "*.rs ident\n");
    f.write("dir/sub/x.rs", "x\n");
    f.commit("attributes");
    sh(&f.root, "git sparse-checkout set --no-cone /dir/sub/ /src/");
    assert!(!f.root.join("dir/.gitattributes").exists());
    f.write("dir/sub/x.rs", "$Id: x$\n");
    let id = f.id();
    git(&f.root, &["commit", "-qam", "in git's own way"]);
    assert_eq!(git(&f.root, &["show", "HEAD:dir/sub/x.rs"]), "$Id$");
    assert_eq!(f.id_of("HEAD"), id);
    assert_eq!(f.id(), id);
}

#[test]
fn all_questions_of_an_event_have_one_time_limit() {
    let f = Fixture::new();
    f.write(".gitattributes", "*.txt filter=slow\n");
    f.commit("attributes");
    git(&f.root, &["config", "filter.slow.clean", "sleep 60; cat"]);
    super::settle();
    f.write("a.txt", "two\n");
    let limit = std::time::Duration::from_secs(1);
    let repo = f.repo().with_timeout(limit).with_one_limit();
    let start = std::time::Instant::now();
    let trees = repo.trees(&f.cache());
    assert!(trees.id().is_err());
    let asked_later = [
        trees.id().map(drop),
        trees.changed_since(Some(&f.oid()), &[]).map(drop),
        trees.id_of("HEAD").map(drop),
        repo.changed_since(None, &[]).map(drop),
        repo.commit("HEAD").map(drop),
    ];
    for (at, answer) in asked_later.into_iter().enumerate() {
        let error = answer.expect_err(&at.to_string());
        assert!(error.to_string().contains("all of its calls"), "{at}: {error}");
    }
    assert!(start.elapsed() < limit * 3, "{:?}", start.elapsed());
    // The next event has its own time.
    git(&f.root, &["config", "filter.slow.clean", "cat"]);
    let repo = repo
        .with_timeout(std::time::Duration::from_secs(20))
        .with_one_limit();
    assert_eq!(repo.tree_id(&f.cache()).unwrap().as_str(), f.plain());
}
