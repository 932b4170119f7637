//! Tests with real git in temporary folders.

mod brought;
mod changes;
mod discovery;
mod inside;
mod processes;
mod readers;
mod rules;
mod tree_cases;
mod tree_content;
mod tree_golden;
mod tree_model;
mod tree_others;
mod tree_touched;
mod tree_use;
mod tricks;

use crate::Repo;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A repository for one test.
struct Fixture {
    _dir: TempDir,
    /// Real path of the folder above the repository.
    base: PathBuf,
    /// The work tree.
    root: PathBuf,
}

impl Fixture {
    /// A repository without a commit.
    fn empty() -> Self {
        let dir = TempDir::new().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        let root = base.join("repo");
        fs::create_dir(&root).unwrap();
        git(&root, &["init", "-q", "-b", "main"]);
        Self {
            _dir: dir,
            base,
            root,
        }
    }

    /// A repository with a commit of `a.txt`, `b.txt`, `src/c.rs`.
    fn new() -> Self {
        let this = Self::empty();
        for name in ["a.txt", "b.txt", "src/c.rs"] {
            this.write(name, "one\n");
        }
        this.commit("first");
        this
    }

    fn write(&self, name: &str, text: &str) {
        write(&self.root.join(name), text);
    }

    fn commit(&self, message: &str) {
        git(&self.root, &["add", "-A"]);
        git(&self.root, &["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn oid(&self) -> String {
        git(&self.root, &["rev-parse", "HEAD"])
    }

    fn repo(&self) -> Repo {
        let repo = Repo::discover(&self.root).unwrap().unwrap();
        repo.with_caller("tests")
    }

    fn cache(&self) -> PathBuf {
        self.base.join("cache")
    }

    fn id(&self) -> String {
        self.repo().tree_id(&self.cache()).unwrap().as_str().to_owned()
    }

    fn id_of(&self, rev: &str) -> String {
        let id = self.repo().tree_id_of(rev, &self.cache()).unwrap();
        id.as_str().to_owned()
    }

    /// The identity by plain git: everything is added to a copy of the index.
    fn plain(&self) -> String {
        let index = self.base.join("plain-index");
        let _ = fs::remove_file(&index);
        if self.root.join(".git").is_dir() && self.root.join(".git/index").exists() {
            sh(&self.root, &format!("cp .git/index '{}'", index.display()));
        }
        sh(
            &self.root,
            // Entered anew, without flags and times: git takes a flagged file of the same size, written in
            // the moment of the index, for unchanged once it has written the index again.
            &format!(
                "export GIT_INDEX_FILE='{}'; git ls-files -s -z | git update-index -z --index-info; \
                 git -c advice.addEmbeddedRepo=false add -A 2>/dev/null; git rm -rq --cached --ignore-unmatch .proctor/; git write-tree",
                index.display()
            ),
        )
    }

    fn changed(&self, base: &str) -> Vec<String> {
        let by_git = self.repo().changed_since(Some(base), &[]).unwrap();
        let (repo, cache) = (self.repo(), self.cache());
        // Asked twice: the second time git need not be asked again.
        for _ in 0..2 {
            let here = repo.trees(&cache).changed_since(Some(base), &[]).unwrap();
            assert_eq!(here, by_git);
        }
        by_git
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Waits until files that were written are older than the clock of file systems stands still.
fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(30));
}

/// Runs a line of shell.
fn sh(dir: &Path, line: &str) -> String {
    let output = std::process::Command::new("sh")
        .current_dir(dir)
        .args(["-ec", line])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{line}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Runs git with a fixed identity and no configuration but the repository's.
fn git(dir: &Path, args: &[&str]) -> String {
    let output = std::process::Command::new("git")
        .current_dir(dir)
        .args([
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.com",
            "-c",
            "protocol.file.allow=always",
        ])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "init.defaultBranch=main",
            "-c",
            "advice.detachedHead=false",
        ])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
