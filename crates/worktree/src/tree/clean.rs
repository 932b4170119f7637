//! A fresh folder that holds exactly one tree, to run checks in.

use super::{Trees, complains, oid_of};
use crate::git::{failed, git, must, run};
use crate::{Command, Repo};
use proctor_kernel::{Error, ErrorKind, Result, TreeId};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// Settings that decide how files are written out and read back. All else of the user's configuration
/// (remotes, hooks, programs) stays away.
const SETTINGS: &str = "^(core\\.(autocrlf|eol|symlinks|filemode|ignorecase|precomposeunicode|attributesfile|bigfilethreshold)|filter\\..*|lfs\\..*)$";
/// The time of a made-up commit where no commit is checked out: some archive formats know no earlier year.
const EARLIEST: &str = "315532800";
/// Deepest nesting of submodules that are filled.
const NESTING: u8 = 4;

impl Trees<'_> {
    /// Writes exactly this tree into a folder that is new or empty: nothing untracked, nothing ignored,
    /// submodules as far as they are checked out in the user's work tree.
    ///
    /// The folder is a repository of its own, so that tools which ask git work in it. It borrows the
    /// objects of the user's repository and of the cache, has the tags, and stands on the commit that is
    /// checked out, or on a made-up commit on top of it. Nothing of it shows in the user's repository; the
    /// caller deletes it when it is done.
    ///
    /// # Errors
    /// Kind `git` when the content of the tree is not here, the folder is not empty, or git fails or
    /// takes too long. A folder that was filled in part stays.
    pub fn checkout(&self, tree: &TreeId, into: &Path) -> Result<()> {
        if !self.has(tree)? {
            return Err(Error::new(
                ErrorKind::Git,
                format!("the content of the tree {tree} is not on this machine"),
            )
            .hint("compute it in the work tree that holds it"));
        }
        let head = self.repo.head()?.oid;
        let commit = match head {
            Some(head) if self.tree_of(&head)? == tree.as_str() => head,
            head => self.stand_in(tree, head.as_deref())?,
        };
        self.fill(&commit, into)
    }

    /// The tree of a commit as it is, with our own folder.
    fn tree_of(&self, commit: &str) -> Result<String> {
        let call = self
            .git(None, self.deadline())
            .args(["rev-parse", "--verify", "--end-of-options"])
            .arg(format!("{commit}^{{tree}}"));
        oid_of(&must(&call, "read the commit that is checked out")?)
    }

    /// A commit of the tree on top of the one that is checked out, and of the same time.
    fn stand_in(&self, tree: &TreeId, head: Option<&str>) -> Result<String> {
        let mut time = EARLIEST.to_owned();
        let mut parent = String::new();
        if let Some(head) = head {
            let call = self
                .git(None, self.deadline())
                .args(["show", "-s", "--format=%ct", head]);
            let said = must(&call, "read the commit that is checked out")?;
            let said = String::from_utf8_lossy(&said).trim().to_owned();
            if !said.is_empty() && said.bytes().all(|b| b.is_ascii_digit()) {
                time = said;
            }
            parent = format!("parent {head}\n");
        }
        let who = format!("Proctor <> {time} +0000");
        let text = format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n\nwork tree under check\n");
        let call = self
            .git(None, self.deadline())
            .args(["hash-object", "-t", "commit", "-w", "--stdin"])
            .stdin(text);
        oid_of(&must(&call, "write a commit of the tree")?)
    }

    fn fill(&self, commit: &str, into: &Path) -> Result<()> {
        let refused = |e: io::Error| {
            Error::new(ErrorKind::Git, format!("cannot write into {}", into.display())).because(e)
        };
        fs::create_dir_all(into).map_err(refused)?;
        if fs::read_dir(into).map_err(refused)?.next().is_some() {
            return Err(
                Error::new(ErrorKind::Git, format!("{} is not empty", into.display()))
                    .hint("a tree is written into a new folder only"),
            );
        }
        let format = if self.repo.sha256 { "sha256" } else { "sha1" };
        let here = || self.clean_git(into);
        let call = here()
            .args(["init", "-q", "--template=", "-b", "proctor"])
            .arg(format!("--object-format={format}"));
        must(&call, "make a repository")?;
        self.lend(&into.join(".git")).map_err(refused)?;
        let settings = self.settings()?;
        let config = into.join(".git/config");
        let mut text = crate::file::read(&config).map_err(refused)?;
        text.extend_from_slice(settings.as_bytes());
        fs::write(&config, text).map_err(refused)?;
        let tags = must(
            &self.git(None, self.deadline()).args([
                "for-each-ref",
                "--format=create %(refname) %(objectname)",
                "refs/tags",
            ]),
            "list the tags",
        )?;
        if !tags.is_empty() {
            let call = here().args(["update-ref", "--stdin"]).stdin(tags);
            must(&call, "copy the tags")?;
        }
        let call = here().args(["checkout", "-q", "--detach", commit]);
        let output = run(&call)?;
        if !output.is_success() || complains(&output.stderr) {
            return Err(failed(&output, "write the files of the tree"));
        }
        self.fill_submodules(commit, into)
    }

    /// Submodules as the tree says, from the user's own clones of them.
    fn fill_submodules(&self, commit: &str, into: &Path) -> Result<()> {
        let Some(root) = self.repo.root().filter(|_| self.depth < NESTING) else {
            return Ok(());
        };
        let call = self
            .git(None, self.deadline())
            .args(["ls-tree", "-r", "-z", "--full-tree", commit]);
        let listing = must(&call, "list the files of the tree")?;
        for line in listing.split(|b| *b == 0) {
            let Some((oid, path)) = line
                .strip_prefix(b"160000 commit ")
                .and_then(|rest| Some((rest.split(|b| *b == b'\t').next()?, rest)))
                .and_then(|(oid, rest)| Some((oid, rest.get(oid.len() + 1..)?)))
            else {
                continue;
            };
            let path = OsStr::from_bytes(path);
            let folder = root.join(path);
            let Ok(oid) = std::str::from_utf8(oid) else {
                continue;
            };
            if fs::symlink_metadata(folder.join(".git")).is_err() {
                continue;
            }
            if let Some(repo) = Repo::discover(&folder)? {
                let repo = self.repo.like(repo);
                let trees = Trees {
                    repo: &repo,
                    cache: self.cache.clone(),
                    depth: self.depth + 1,
                    once: None,
                };
                trees.fill(oid, &into.join(path))?;
            }
        }
        Ok(())
    }

    /// Lets another repository read our objects.
    fn lend(&self, git_dir: &Path) -> io::Result<()> {
        self.hand_over(self.deadline());
        let mut lines = Vec::new();
        for objects in [self.objects(), self.repo.common_dir().join("objects")] {
            lines.extend_from_slice(super::quoted(&objects).as_bytes());
            lines.push(b'\n');
        }
        fs::create_dir_all(git_dir.join("objects/info"))?;
        fs::write(git_dir.join("objects/info/alternates"), lines)?;
        fs::create_dir_all(git_dir.join("info"))?;
        for name in ["info/attributes", "shallow"] {
            match fs::copy(self.repo.common_dir().join(name), git_dir.join(name)) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                _ => {}
            }
        }
        Ok(())
    }

    /// The settings that decide how files are written out, as text of a configuration file.
    fn settings(&self) -> Result<String> {
        let call = self
            .plain_git(self.repo.left())
            .args(["config", "-z", "--get-regexp", SETTINGS]);
        let output = run(&call)?;
        // 1: there is none.
        if output.timed_out || !matches!(output.status, Some(0 | 1)) {
            return Err(failed(&output, "read the configuration"));
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let mut text = String::new();
        let lfs = self.repo.common_dir().join("lfs");
        if lfs.is_dir()
            && let Some(lfs) = lfs.to_str()
        {
            text.push_str(&format!("[lfs]\n\tstorage = {}\n", in_quotes(lfs)));
        }
        for setting in said.split('\0').filter(|s| !s.is_empty()) {
            let (key, value) = setting.split_once('\n').unwrap_or((setting, "true"));
            let (Some((section, _)), Some((above, name))) = (key.split_once('.'), key.rsplit_once('.'))
            else {
                continue;
            };
            match above.split_once('.') {
                Some((_, sub)) => text.push_str(&format!("[{section} {}]\n", in_quotes(sub))),
                None => text.push_str(&format!("[{section}]\n")),
            }
            text.push_str(&format!("\t{name} = {}\n", in_quotes(value)));
        }
        Ok(text)
    }

    fn clean_git(&self, into: &Path) -> Command {
        git(into, self.repo.left()).args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsync=none"])
    }

    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.repo.left().min(Duration::from_secs(86_400))
    }
}

/// A value in the quotes of git's configuration files.
fn in_quotes(value: &str) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
