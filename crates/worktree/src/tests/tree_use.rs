//! What the identities of trees are used for: differences, linkage, checks in a clean folder.

use super::{Fixture, git, settle, sh};
use crate::{ChangeKind, During, Linkage, Repo};
use proctor_kernel::{ErrorKind, TreeId};
use std::fs;

fn tree(f: &Fixture) -> TreeId {
    f.repo().tree_id(&f.cache()).unwrap()
}

#[test]
fn differences_as_list_and_as_text() {
    let f = Fixture::new();
    let before = tree(&f);
    f.write("a.txt", "two\n");
    f.write("새.txt", "new\n");
    sh(&f.root, "rm b.txt; rm src/c.rs; ln -s x src/c.rs");
    let after = tree(&f);
    let repo = f.repo();
    let trees = repo.trees(&f.cache());
    let changes = trees.changes(&before, &after).unwrap();
    let short: Vec<_> = changes.iter().map(|c| (c.path.as_str(), c.kind)).collect();
    assert_eq!(
        short,
        [
            ("a.txt", ChangeKind::Modified),
            ("b.txt", ChangeKind::Deleted),
            ("src/c.rs", ChangeKind::Retyped),
            ("새.txt", ChangeKind::Added),
        ]
    );
    assert_eq!(trees.changes(&after, &after).unwrap(), []);
    // Both trees were made here, so git is not asked.
    assert_eq!(trees.changes_here(&before, &after), Some(changes));
    // No program of the user's runs for the text.
    git(&f.root, &["config", "diff.external", "false"]);
    f.write(".git/info/attributes", "*.txt diff=x\n");
    git(&f.root, &["config", "diff.x.textconv", "false"]);
    let whole = trees.diff(&before, &after, 10_000).unwrap();
    assert!(!whole.cut);
    assert!(
        whole
            .text
            .contains("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"),
        "{}",
        whole.text
    );
    let part = trees.diff(&before, &after, 100).unwrap();
    assert!(part.cut && part.text.len() <= 100 && part.text.ends_with('\n'));
    assert!(whole.text.starts_with(&part.text));
    assert_eq!(trees.diff(&after, &after, 10).unwrap().text, "");
    let unknown = TreeId::from_text("0123456789012345678901234567890123456789");
    assert!(!trees.has(&unknown).unwrap() && !trees.has(&TreeId::from_text("--all")).unwrap());
    assert_eq!(
        trees.changes(&before, &unknown).unwrap_err().kind(),
        ErrorKind::Git
    );
}

/// Folders that only the index remembers, files in the place of folders, and folders that nobody has.
#[test]
fn differences_without_git() {
    let f = Fixture::new();
    for (name, text) in [
        ("a/x/1", "1"),
        ("a/x/2", "2"),
        ("a.c", "c"),
        ("b/y", "y"),
        ("a0", "0"),
    ] {
        f.write(name, text);
    }
    f.commit("folders");
    settle();
    let told = |from: &TreeId, to: &TreeId| {
        let repo = f.repo();
        let trees = repo.trees(&f.cache());
        let told = trees.changes_here(from, to);
        if let Some(told) = &told {
            assert_eq!(*told, trees.changes_by_git(from, to).unwrap());
        }
        let kinds = told?.into_iter().map(|c| (c.path, c.kind));
        Some(
            kinds
                .map(|(path, kind)| format!("{kind:?} {path}"))
                .collect::<Vec<_>>(),
        )
    };
    let own = |lines: &[&str]| Some(lines.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>());
    let first = tree(&f);
    f.write("a/x/1", "one");
    let second = tree(&f);
    assert_eq!(told(&first, &second), own(&["Modified a/x/1"]));
    assert_eq!(told(&second, &first), own(&["Modified a/x/1"]));
    sh(
        &f.root,
        "rm -r a; echo a > a; rm b/y; mkdir b/y; echo z > b/y/z; chmod +x a.c",
    );
    let third = tree(&f);
    let changes = [
        "Deleted a/x/1",
        "Deleted a/x/2",
        "Deleted b/y",
        "Modified a.c",
        "Added a",
        "Added b/y/z",
    ];
    let mut sorted: Vec<_> = changes.map(|c| c.split_once(' ').unwrap()).to_vec();
    sorted.sort_by_key(|(_, path)| *path);
    let sorted: Vec<String> = sorted
        .iter()
        .map(|(kind, path)| format!("{kind} {path}"))
        .collect();
    assert_eq!(told(&second, &third), Some(sorted));
    // What the index no longer has is not at hand, and what was tampered with is not believed.
    git(&f.root, &["rm", "-rq", "--cached", "src"]);
    sh(&f.root, "rm -r src");
    let fourth = tree(&f);
    // Where the files of the index were written within the grain of the clock, their folder was stored here after all.
    let known = told(&third, &fourth);
    assert!(
        known.is_none() || known == own(&["Deleted src/c.rs"]),
        "{known:?}"
    );
    let strange = sh(
        &f.root,
        "echo 'only git has it' > strange; git add strange; git write-tree; git rm -qf strange",
    );
    let strange = TreeId::from_text(strange.trim());
    assert_eq!(told(&strange, &fourth), None);
    // Its root is the last that was stored.
    let heap = f.cache().join("objects/heap");
    let whole = fs::read(&heap).unwrap();
    let mut bytes = whole.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&heap, bytes).unwrap();
    assert_eq!(told(&fourth, &fourth), None);
    fs::write(&heap, whole).unwrap();
    assert_eq!(told(&fourth, &fourth), Some(Vec::new()));
    // The same of a file of its own.
    assert!(f.repo().trees(&f.cache()).has(&fourth).unwrap());
    fs::remove_file(heap).unwrap();
    assert_eq!(told(&fourth, &fourth), Some(Vec::new()));
    let (folder, file) = fourth.as_str().split_at(2);
    let object = f.cache().join("objects").join(folder).join(file);
    let mut bytes = fs::read(&object).unwrap();
    let at = bytes.len() - 6;
    bytes[at] ^= 1;
    sh(&f.root, &format!("chmod u+w {}", object.display()));
    fs::write(&object, bytes).unwrap();
    assert_eq!(told(&fourth, &fourth), None);
}

#[test]
fn what_happened_during_a_check() {
    let f = Fixture::new();
    f.write("draft.rs", "x");
    f.write("gone.tmp", "x");
    git(&f.root, &["rm", "-q", "--cached", "b.txt"]);
    let before = tree(&f);
    f.write("report.xml", "x");
    f.write("draft.rs", "y");
    fs::remove_file(f.root.join("gone.tmp")).unwrap();
    let after = tree(&f);
    let repo = f.repo();
    let trees = repo.trees(&f.cache());
    let own = |paths: &[&str]| paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        trees.during(&before, &after).unwrap(),
        During {
            tracked: vec![],
            untracked: own(&["draft.rs", "gone.tmp"]),
            litter: own(&["report.xml"]),
        }
    );
    assert_eq!(trees.during(&after, &after).unwrap(), During::default());
    // The same where the index is known to be what the commit holds, and where it no longer is.
    let g = Fixture::new();
    g.repo().trees(&g.cache()).dirty().unwrap();
    let clean = tree(&g);
    g.write("report.xml", "x");
    let during = |from: &TreeId, to: &TreeId| g.repo().trees(&g.cache()).during(from, to).unwrap();
    let littered = tree(&g);
    assert_eq!(during(&clean, &littered).litter, ["report.xml"]);
    git(&g.root, &["rm", "-q", "--cached", "b.txt"]);
    g.write("b.txt", "two\n");
    assert_eq!(during(&littered, &tree(&g)).tracked, ["b.txt"]);
    // A tracked file, one that HEAD has though the index does not, one that was removed and unstaged.
    f.write("a.txt", "two\n");
    f.write("b.txt", "two\n");
    git(&f.root, &["rm", "-qf", "src/c.rs"]);
    let changed = tree(&f);
    assert_eq!(
        trees.during(&after, &changed).unwrap().tracked,
        ["a.txt", "b.txt", "src/c.rs"]
    );
}

#[test]
fn a_commit_and_an_approved_tree() {
    let f = Fixture::new();
    f.write("a.txt", "two\n");
    f.write("notes.txt", "x");
    let approved = tree(&f);
    let link = |rev: &str| f.repo().trees(&f.cache()).linkage(rev, &approved).unwrap();
    assert_eq!(
        link("HEAD"),
        Linkage::Different(vec!["a.txt".into(), "notes.txt".into()])
    );
    git(&f.root, &["commit", "-qam", "tracked only"]);
    assert_eq!(link("HEAD"), Linkage::LacksUntracked(vec!["notes.txt".into()]));
    f.commit("all");
    assert_eq!(link("HEAD"), Linkage::Exact);
    assert_eq!(link("HEAD^{tree}"), Linkage::Exact);
    // Deleting what an earlier commit held is no oversight.
    git(&f.root, &["rm", "-q", "notes.txt"]);
    git(&f.root, &["commit", "-qm", "without"]);
    assert_eq!(link("HEAD"), Linkage::Different(vec!["notes.txt".into()]));
    // Nor is it one commit later, nor when the commit that held it was amended away.
    git(&f.root, &["commit", "-q", "--allow-empty", "-m", "nothing"]);
    assert_eq!(link("HEAD"), Linkage::Different(vec!["notes.txt".into()]));
    git(&f.root, &["checkout", "-q", "-B", "amended", "HEAD~3"]);
    assert_eq!(link("HEAD"), Linkage::Different(vec!["notes.txt".into()]));
    let unknown = TreeId::from_text("0123456789012345678901234567890123456789");
    let seen = f.repo().trees(&f.cache()).linkage("HEAD", &unknown).unwrap();
    assert_eq!(seen, Linkage::Unseen);
    for rev in ["nothing", "--all", "-h", ""] {
        let error = f.repo().trees(&f.cache()).linkage(rev, &approved).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Git, "{rev}");
    }
}

#[test]
fn a_clean_folder_holds_exactly_the_tree() {
    let f = Fixture::new();
    git(&f.root, &["tag", "v1"]);
    f.write(".gitattributes", "*.big filter=pointer\n*.txt eol=crlf\n");
    git(&f.root, &["config", "filter.pointer.clean", "sed s/^/cleaned-/"]);
    git(
        &f.root,
        &["config", "filter.pointer.smudge", "sed 's/^cleaned-//'"],
    );
    f.write("x.big", "large\n");
    f.write(".gitignore", "target/\n");
    f.write("target/built", "x");
    f.write(".proctor/rules", "x");
    sh(&f.root, "chmod +x a.txt; ln -s a.txt link; rm b.txt");
    sh(
        &f.root,
        "mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ran\\n' > .git/hooks/post-checkout; chmod +x .git/hooks/*",
    );
    let id = tree(&f);
    let repo = f.repo();
    let trees = repo.trees(&f.cache());
    let refs = sh(
        &f.root,
        "git for-each-ref; git worktree list; git status --porcelain",
    );
    let into = f.base.join("clean");
    trees.checkout(&id, &into).unwrap();
    let clean = Repo::discover(&into).unwrap().unwrap();
    assert_eq!(clean.tree_id(&f.base.join("other-cache")).unwrap(), id);
    assert_eq!(git(&into, &["status", "--porcelain", "--ignored"]), "");
    assert_eq!(git(&into, &["describe", "--tags", "HEAD~1"]), "v1");
    assert_eq!(fs::read_to_string(into.join("x.big")).unwrap(), "large\n");
    assert_eq!(fs::read_to_string(into.join("a.txt")).unwrap(), "one\r\n");
    let names = sh(&into, "ls -A");
    assert_eq!(names, ".git\n.gitattributes\n.gitignore\na.txt\nlink\nsrc\nx.big");
    // What happens in there stays in there.
    sh(
        &into,
        "echo x > a.txt; git add -A; git -c user.name=T -c user.email=t@e commit -qm x; git tag v2",
    );
    assert_eq!(
        sh(
            &f.root,
            "git for-each-ref; git worktree list; git status --porcelain"
        ),
        refs
    );
    assert_eq!(trees.checkout(&id, &into).unwrap_err().kind(), ErrorKind::Git);
    // The tree of the commit that is checked out stands on that commit.
    assert!(!into.join("ran").exists());
    sh(
        &f.root,
        "rm -r .git/hooks/post-checkout target; git -c user.name=T -c user.email=t@e stash -qu",
    );
    let plain = f.base.join("plain");
    trees.checkout(&tree(&f), &plain).unwrap();
    assert_eq!(git(&plain, &["rev-parse", "HEAD"]), f.oid());
}

#[test]
fn a_clean_folder_of_a_repository_without_commits_and_of_one_with_submodules() {
    let f = Fixture::empty();
    f.write("a", "x");
    let into = f.base.join("first");
    f.repo().trees(&f.cache()).checkout(&tree(&f), &into).unwrap();
    assert_eq!(fs::read_to_string(into.join("a")).unwrap(), "x");
    let lib = Fixture::new();
    git(
        &f.root,
        &["submodule", "add", "-q", lib.root.to_str().unwrap(), "sub"],
    );
    f.commit("first");
    for edit in ["one\n", "edited\n"] {
        super::write(&f.root.join("sub/a.txt"), edit);
        let into = f.base.join(edit.trim());
        f.repo().trees(&f.cache()).checkout(&tree(&f), &into).unwrap();
        assert_eq!(fs::read_to_string(into.join("sub/a.txt")).unwrap(), edit);
        let clean = Repo::discover(&into).unwrap().unwrap();
        assert_eq!(clean.tree_id(&f.cache()).unwrap(), tree(&f), "{edit}");
    }
}

#[test]
fn the_cache_is_emptied_when_it_grows() {
    let f = Fixture::new();
    f.write("a.txt", "two\n");
    let before = tree(&f);
    let repo = f.repo();
    let trees = repo.trees(&f.cache());
    assert_eq!(trees.prune(1 << 30).unwrap(), 0);
    assert!(trees.has(&before).unwrap());
    assert!(trees.prune(10).unwrap() > 0);
    assert!(!trees.has(&before).unwrap());
    assert_eq!(tree(&f), before);
    assert!(trees.has(&before).unwrap());
    assert_eq!(f.repo().trees(&f.base.join("none")).prune(0).unwrap(), 0);
}

#[test]
fn texts_of_files() {
    use crate::Content;
    let f = Fixture::new();
    f.write("long.txt", &"x".repeat(100));
    f.write("dir/새 파일.txt", "zwei\nlines\n");
    std::fs::write(f.root.join("bytes"), b"a\0b").unwrap();
    std::fs::write(f.root.join("latin"), b"\xe9").unwrap();
    let id = tree(&f);
    let repo = f.repo();
    let trees = repo.trees(&f.cache());
    let paths = [
        "dir/새 파일.txt",
        "no",
        "long.txt",
        "dir",
        "bytes",
        "latin",
        "a\nb",
        "a.txt",
    ];
    let found = trees.texts(&id, &paths, 99).unwrap();
    assert_eq!(
        found,
        [
            Content::Text("zwei\nlines\n".into()),
            Content::Missing,
            Content::Other,
            Content::Other,
            Content::Other,
            Content::Other,
            Content::Other,
            Content::Text("one\n".into()),
        ]
    );
    assert_eq!(
        trees.text_at("HEAD", "a.txt", 99).unwrap(),
        Content::Text("one\n".into())
    );
    assert_eq!(
        trees.text_at("no-such-commit", "a.txt", 99).unwrap(),
        Content::Missing
    );
}
