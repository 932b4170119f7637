//! Where the repository is, what is checked out, which id it has.

use super::{Fixture, git, write};
use crate::{Head, Repo, path_id};
use proctor_kernel::ErrorKind;
use std::fs;
use std::path::Path;

fn head(dir: &Path) -> Head {
    Repo::discover(dir).unwrap().unwrap().head().unwrap()
}

#[test]
fn outside_git_there_is_none() {
    let dir = tempfile::TempDir::new().unwrap();
    assert!(Repo::discover(dir.path()).unwrap().is_none());
    assert!(Repo::discover(&dir.path().join("not/there")).unwrap().is_none());
    // A folder called .git that is no repository does not count, as for git.
    fs::create_dir(dir.path().join(".git")).unwrap();
    assert!(Repo::discover(dir.path()).unwrap().is_none());
}

#[test]
fn an_ordinary_repository_from_any_folder() {
    let f = Fixture::new();
    for dir in ["", "src", "src/not/there", ".git", ".git/refs/heads"] {
        let repo = Repo::discover(&f.root.join(dir)).unwrap().unwrap();
        assert_eq!(repo.root(), Some(f.root.as_path()), "{dir}");
        assert_eq!(repo.git_dir(), f.root.join(".git"));
        assert_eq!(repo.common_dir(), f.root.join(".git"));
        assert!(!repo.is_bare());
    }
    assert_eq!(
        head(&f.root),
        Head {
            branch: Some("main".into()),
            oid: Some(f.oid())
        }
    );
}

#[test]
fn a_symbolic_link_leads_to_the_real_folder() {
    let f = Fixture::new();
    std::os::unix::fs::symlink(f.root.join("src"), f.base.join("link")).unwrap();
    let repo = Repo::discover(&f.base.join("link")).unwrap().unwrap();
    assert_eq!(repo.root(), Some(f.root.as_path()));
}

#[test]
fn packed_detached_and_empty() {
    let f = Fixture::empty();
    assert_eq!(
        head(&f.root),
        Head {
            branch: Some("main".into()),
            oid: None
        }
    );
    f.write("a", "1");
    f.commit("first");
    git(&f.root, &["branch", "feature/인증"]);
    git(&f.root, &["pack-refs", "--all"]);
    assert!(!f.root.join(".git/refs/heads/main").exists());
    assert_eq!(
        head(&f.root),
        Head {
            branch: Some("main".into()),
            oid: Some(f.oid())
        }
    );
    git(&f.root, &["checkout", "-q", "feature/인증"]);
    assert_eq!(
        head(&f.root),
        Head {
            branch: Some("feature/인증".into()),
            oid: Some(f.oid())
        }
    );
    // A loose reference wins over a packed one.
    f.write("a", "2");
    f.commit("second");
    assert_eq!(head(&f.root).oid, Some(f.oid()));
    git(&f.root, &["checkout", "-q", "--detach"]);
    assert_eq!(
        head(&f.root),
        Head {
            branch: None,
            oid: Some(f.oid())
        }
    );
}

#[test]
fn repositories_of_other_forms() {
    for form in [
        ["--object-format=sha256", "--ref-format=files"],
        ["--object-format=sha1", "--ref-format=reftable"],
    ] {
        let f = Fixture::empty();
        let root = f.base.join("other");
        fs::create_dir(&root).unwrap();
        git(&root, &[&["init", "-q", "-b", "main"][..], &form[..]].concat());
        assert_eq!(
            head(&root),
            Head {
                branch: Some("main".into()),
                oid: None
            },
            "{form:?}"
        );
        write(&root.join("a"), "1");
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-q", "-m", "first"]);
        let oid = git(&root, &["rev-parse", "HEAD"]);
        assert_eq!(
            head(&root),
            Head {
                branch: Some("main".into()),
                oid: Some(oid.clone())
            },
            "{form:?}"
        );
        git(&root, &["checkout", "-q", "--detach"]);
        assert_eq!(
            head(&root),
            Head {
                branch: None,
                oid: Some(oid.clone())
            },
            "{form:?}"
        );
        write(&root.join("a"), "2");
        let repo = Repo::discover(&root).unwrap().unwrap();
        assert_eq!(repo.changed_since(Some(&oid), &[]).unwrap(), ["a"]);
    }
}

#[test]
fn a_bare_repository_has_no_work_tree() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "--bare", "repo", "bare.git"]);
    for dir in ["bare.git", "bare.git/refs"] {
        let repo = Repo::discover(&f.base.join(dir)).unwrap().unwrap();
        assert!(repo.is_bare());
        assert_eq!(repo.git_dir(), f.base.join("bare.git"));
        assert_eq!(repo.head().unwrap().oid, Some(f.oid()));
        let error = repo.changed_since(Some(&f.oid()), &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Git);
        assert!(error.to_string().contains("bare"), "{error}");
        assert_eq!(repo.dirty().unwrap_err().kind(), ErrorKind::Git);
    }
    // A bare repository in a folder of its own, with work trees beside it.
    let around = f.base.join("around");
    fs::create_dir(&around).unwrap();
    git(&f.base, &["clone", "-q", "--bare", "repo", "around/.bare"]);
    fs::write(around.join(".git"), "gitdir: ./.bare\n").unwrap();
    assert!(Repo::discover(&around).unwrap().unwrap().is_bare());
    git(&around, &["worktree", "add", "-q", "tree", "main"]);
    let repo = Repo::discover(&around.join("tree")).unwrap().unwrap();
    assert_eq!(repo.root(), Some(around.join("tree").as_path()));
    assert_eq!(repo.common_dir(), around.join(".bare"));
}

#[test]
fn linked_work_trees_share_the_common_folder() {
    let f = Fixture::new();
    git(&f.root, &["worktree", "add", "-q", "-b", "other", "../tree"]);
    let tree = f.base.join("tree");
    write(&tree.join("new.txt"), "1");
    let repo = Repo::discover(&tree).unwrap().unwrap();
    assert_eq!(repo.root(), Some(tree.as_path()));
    assert_eq!(repo.common_dir(), f.root.join(".git"));
    assert_eq!(repo.git_dir(), f.root.join(".git/worktrees/tree"));
    assert_eq!(
        repo.head().unwrap(),
        Head {
            branch: Some("other".into()),
            oid: Some(f.oid())
        }
    );
    assert_eq!(repo.changed_since(Some(&f.oid()), &[]).unwrap(), ["new.txt"]);
    assert_eq!(f.changed(&f.oid()), [""; 0]);
    fs::remove_dir_all(f.root.join(".git/worktrees/tree")).unwrap();
    let error = Repo::discover(&tree).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Git);
    assert!(!error.hints().is_empty());
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let f = Fixture::new();
    git(&f.base, &["clone", "-q", "repo", "lib"]);
    git(&f.root, &["submodule", "--quiet", "add", "../lib", "lib"]);
    let repo = Repo::discover(&f.root.join("lib/src")).unwrap().unwrap();
    assert_eq!(repo.root(), Some(f.root.join("lib").as_path()));
    assert_eq!(repo.git_dir(), f.root.join(".git/modules/lib"));
    assert_eq!(repo.head().unwrap().oid, Some(f.oid()));
}

#[test]
fn a_work_tree_that_the_configuration_names() {
    let f = Fixture::new();
    let elsewhere = f.base.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    git(&f.root, &["config", "core.worktree", "../../elsewhere"]);
    assert_eq!(f.repo().root(), Some(elsewhere.as_path()));
    assert_eq!(f.changed(&f.oid()), ["a.txt", "b.txt", "src/c.rs"]);
}

#[test]
fn damaged_repositories_are_errors_not_panics() {
    for (file, bytes) in [
        (".git/HEAD", &b"\xff\xfe garbage"[..]),
        (".git/HEAD", b""),
        (".git/HEAD", b"ref: ../../../etc/passwd"),
        (".git/HEAD", b"ref: refs/heads/../../x"),
        (".git/refs/heads/main", b"not an oid"),
        (".git/refs/heads/main", b"ref: refs/heads/main"),
    ] {
        let f = Fixture::new();
        fs::write(f.root.join(file), bytes).unwrap();
        assert_eq!(
            f.repo().head().unwrap_err().kind(),
            ErrorKind::Git,
            "{file} {bytes:?}"
        );
    }
    let dir = tempfile::TempDir::new().unwrap();
    for text in ["", "gitdir: nowhere", "nonsense", "gitdir:"] {
        fs::write(dir.path().join(".git"), text).unwrap();
        assert_eq!(
            Repo::discover(dir.path()).unwrap_err().kind(),
            ErrorKind::Git,
            "{text:?}"
        );
    }
}

#[test]
fn the_id_is_written_once_and_shared_by_work_trees() {
    let f = Fixture::new();
    assert_eq!(f.repo().id(), None);
    let (mut repo, mut beside) = (f.repo(), f.repo());
    assert_eq!(
        repo.ensure_id(|| "01ARYZ6S41TSV4RRFFQ69G5FAV".into()).unwrap(),
        "01ARYZ6S41TSV4RRFFQ69G5FAV"
    );
    assert_eq!(repo.id(), Some("01ARYZ6S41TSV4RRFFQ69G5FAV"));
    // Who looked before it was written.
    assert_eq!(beside.id(), None);
    beside.look_for_id();
    assert_eq!(beside.id(), repo.id());
    assert_eq!(
        git(&f.root, &["config", "proctor.id"]),
        "01ARYZ6S41TSV4RRFFQ69G5FAV"
    );
    git(&f.root, &["worktree", "add", "-q", "../tree"]);
    let mut tree = Repo::discover(&f.base.join("tree")).unwrap().unwrap();
    assert_eq!(
        tree.ensure_id(|| panic!("it has one")).unwrap(),
        "01ARYZ6S41TSV4RRFFQ69G5FAV"
    );
}

#[test]
fn of_many_at_once_one_id_wins() {
    let f = Fixture::new();
    let ids: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                let mut repo = f.repo();
                scope.spawn(move || repo.ensure_id(|| format!("id-{n}-{n}")).unwrap())
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(f.repo().id(), Some(ids[0].as_str()));
}

#[test]
fn an_odd_id_never_becomes_a_path() {
    let f = Fixture::new();
    for id in ["../../x", "/etc", "한글", ".", "a b", &"x".repeat(1000)] {
        git(&f.root, &["config", "proctor.id", id]);
        let repo = f.repo();
        let read = repo.id().unwrap();
        assert!(read.starts_with("odd-") && read.len() == 36, "{read}");
    }
}

#[test]
fn a_path_has_an_id_too() {
    let f = Fixture::new();
    assert_eq!(path_id(&f.root), path_id(&f.root.join("src/..")));
    assert_ne!(path_id(&f.root), path_id(&f.base));
    assert!(path_id(Path::new("/not/there")).starts_with("path-"));
}
