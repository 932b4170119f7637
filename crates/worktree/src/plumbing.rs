//! Objects and references of a repository, written and read without touching work tree or index.
//!
//! Hooks are off, nothing is asked of the user, and every answer of git is bounded. Names and sizes that come
//! from a repository are for the caller to judge: trees of other machines hold anything.

use crate::git::{failed, must, run};
use crate::{Command, Output, Repo};
use proctor_kernel::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

/// Longest listing of a tree that is read, in bytes.
const LISTING: usize = 32 << 20;

/// One entry of a tree, folders left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEntry {
    /// Git's mode, such as `100644`; `120000` is a link, `160000` a commit of another repository.
    pub mode: String,
    /// The object's id.
    pub oid: String,
    /// Its size in bytes; `None` when it is no file.
    pub size: Option<u64>,
    /// Its path as text; what is not UTF-8 is replaced by signs that no name of ours has.
    pub path: String,
}

/// How a push ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// The remote has it.
    Done,
    /// The remote has something newer, or another push was faster: fetch and try again.
    Behind,
}

impl Repo {
    /// A git call that changes nothing but objects and references: no hooks, no housekeeping.
    fn plumbing(&self) -> Command {
        self.git()
            .args(["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"])
    }

    /// The commit that a reference points to; `None` when there is no such reference.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn ref_commit(&self, name: &str) -> Result<Option<String>> {
        let commit = format!("{name}^{{commit}}");
        let command = self
            .plumbing()
            .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
            .arg(commit);
        let output = run(&command)?;
        match output.status {
            Some(0) => Ok(Some(line(&output))),
            Some(1) => Ok(None),
            _ => Err(failed(&output, "read a reference")),
        }
    }

    /// The tree of a commit.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn tree_of(&self, commit: &str) -> Result<String> {
        let spec = format!("{commit}^{{tree}}");
        let command = self.plumbing().args(["rev-parse", "--verify", "--quiet", &spec]);
        Ok(text_of(&must(&command, "read a commit")?))
    }

    /// Whether all commits of `old` are in `new`.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn is_ancestor(&self, old: &str, new: &str) -> Result<bool> {
        let output = run(&self.plumbing().args(["merge-base", "--is-ancestor", old, new]))?;
        match output.status {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(failed(&output, "compare two commits")),
        }
    }

    /// All files of a commit's tree.
    ///
    /// # Errors
    /// Kind `git` when the tree cannot be read, or its listing is longer than 32 MiB.
    pub fn files_of(&self, commit: &str) -> Result<Vec<TreeEntry>> {
        self.listed(commit, None)
    }

    /// The files of a commit's tree below a folder.
    ///
    /// # Errors
    /// As [`Repo::files_of`].
    pub fn files_below(&self, commit: &str, folder: &str) -> Result<Vec<TreeEntry>> {
        self.listed(commit, Some(folder))
    }

    fn listed(&self, commit: &str, folder: Option<&str>) -> Result<Vec<TreeEntry>> {
        let mut command = self.plumbing().limit(LISTING).env("GIT_LITERAL_PATHSPECS", "1");
        command = command.args(["ls-tree", "-r", "-l", "-z", "--full-tree", commit]);
        if let Some(folder) = folder {
            command = command.args(["--", folder]);
        }
        let listing = must(&command, "list a tree")?;
        let mut entries = Vec::new();
        for row in listing.split(|b| *b == 0).filter(|row| !row.is_empty()) {
            let text = String::from_utf8_lossy(row);
            let Some((head, path)) = text.split_once('\t') else {
                continue;
            };
            let mut fields = head.split_ascii_whitespace();
            let (Some(mode), Some(_kind), Some(oid)) = (fields.next(), fields.next(), fields.next()) else {
                continue;
            };
            entries.push(TreeEntry {
                mode: mode.to_owned(),
                oid: oid.to_owned(),
                size: fields.next().and_then(|s| s.parse().ok()),
                path: path.to_owned(),
            });
        }
        Ok(entries)
    }

    /// The contents of some files, in order. `most` bounds the bytes of all of them.
    ///
    /// # Errors
    /// Kind `git` when one is missing, or they are longer than `most`.
    pub fn blobs(&self, oids: &[&str], most: usize) -> Result<Vec<Vec<u8>>> {
        if oids.is_empty() {
            return Ok(Vec::new());
        }
        let mut input = String::new();
        for oid in oids {
            input.push_str(oid);
            input.push('\n');
        }
        let room = most.saturating_add(oids.len().saturating_mul(100));
        let command = self.plumbing().limit(room).stdin(input);
        let bytes = must(&command.args(["cat-file", "--batch"]), "read files of a tree")?;
        let missing = || Error::new(ErrorKind::Git, "git does not have a file that a tree names");
        let mut rest = bytes.as_slice();
        let mut blobs = Vec::new();
        for _ in oids {
            let end = rest.iter().position(|b| *b == b'\n').ok_or_else(missing)?;
            let head = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
            let size = head.split(' ').nth(2).and_then(|s| s.parse::<usize>().ok());
            let from = end + 1;
            let to = from.saturating_add(size.ok_or_else(missing)?);
            blobs.push(rest.get(from..to).ok_or_else(missing)?.to_vec());
            rest = rest.get(to.saturating_add(1)..).unwrap_or_default();
        }
        Ok(blobs)
    }

    /// Writes a file into the repository's objects, and gives its id.
    ///
    /// # Errors
    /// Kind `git` when it cannot be written.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<String> {
        let command = self.plumbing().stdin(bytes);
        let output = must(
            &command.args(["hash-object", "-w", "--no-filters", "--stdin"]),
            "write an object",
        )?;
        Ok(text_of(&output))
    }

    /// Writes a tree of files, given by path and object, and gives its id. One call for each depth of folders.
    ///
    /// # Errors
    /// Kind `git` when it cannot be written; kind `internal` when a path is not plain.
    pub fn write_tree(&self, files: &BTreeMap<String, String>) -> Result<String> {
        if files
            .keys()
            .any(|p| p.contains(['\0', '\n']) || p.split('/').any(str::is_empty))
        {
            return Err(Error::new(ErrorKind::Internal, "a path of a tree is not plain"));
        }
        // Entries by folder: name → (mode and kind, object).
        let mut folders: BTreeMap<String, BTreeMap<String, (&str, String)>> = BTreeMap::new();
        folders.insert(String::new(), BTreeMap::new());
        for (path, oid) in files {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let entries = folders.entry(folder.to_owned()).or_default();
            entries.insert(name.to_owned(), ("100644 blob", oid.clone()));
            let mut up = folder;
            while let Some((parent, _)) = up.rsplit_once('/') {
                folders.entry(parent.to_owned()).or_default();
                up = parent;
            }
        }
        let depth = |folder: &str| {
            if folder.is_empty() {
                0
            } else {
                folder.matches('/').count() + 1
            }
        };
        let deepest = folders.keys().map(|f| depth(f)).max().unwrap_or_default();
        for level in (0..=deepest).rev() {
            let names: Vec<String> = folders.keys().filter(|f| depth(f) == level).cloned().collect();
            let mut input = Vec::new();
            for name in &names {
                for (entry, (kind, oid)) in folders.get(name).into_iter().flatten() {
                    input.extend_from_slice(format!("{kind} {oid}\t{entry}").as_bytes());
                    input.push(0);
                }
                // An empty entry ends a tree.
                input.push(0);
            }
            let command = self.plumbing().stdin(input);
            let output = must(&command.args(["mktree", "-z", "--batch"]), "write a tree")?;
            let text = text_of(&output);
            let oids: Vec<&str> = text.lines().collect();
            if oids.len() != names.len() {
                return Err(Error::new(
                    ErrorKind::Git,
                    "git wrote another number of trees than asked",
                ));
            }
            for (name, oid) in names.iter().zip(oids) {
                if name.is_empty() {
                    return Ok(oid.to_owned());
                }
                let (folder, last) = name.rsplit_once('/').unwrap_or(("", name));
                let entries = folders.entry(folder.to_owned()).or_default();
                entries.insert(last.to_owned(), ("040000 tree", oid.to_owned()));
            }
        }
        Err(Error::new(ErrorKind::Internal, "a tree has no root"))
    }

    /// Writes a commit by Proctor itself, and gives its id.
    ///
    /// # Errors
    /// Kind `git` when it cannot be written.
    pub fn write_commit(&self, tree: &str, parents: &[&str], message: &str, seconds: u64) -> Result<String> {
        let mut command = self.plumbing().stdin(message).args(["commit-tree", tree]);
        for parent in parents {
            command = command.args(["-p", parent]);
        }
        for who in ["AUTHOR", "COMMITTER"] {
            command = command
                .env(format!("GIT_{who}_NAME"), "proctor")
                .env(format!("GIT_{who}_EMAIL"), "proctor@localhost")
                .env(format!("GIT_{who}_DATE"), format!("{seconds} +0000"));
        }
        Ok(text_of(&must(&command, "write a commit")?))
    }

    /// Sets a reference, if it still points where it did (`None`: if there is none). False when it does not.
    ///
    /// # Errors
    /// Kind `git` when it cannot be written at all.
    pub fn set_ref(&self, name: &str, new: &str, old: Option<&str>) -> Result<bool> {
        let zero = "0".repeat(new.len());
        let command = self
            .plumbing()
            .args(["update-ref", name, new, old.unwrap_or(&zero)]);
        let output = run(&command)?;
        if output.is_success() {
            return Ok(true);
        }
        if self.ref_commit(name)?.as_deref() != old || is_race(&output) {
            return Ok(false);
        }
        Err(failed(&output, "set a reference"))
    }

    /// Whether a remote of this name is configured. Names that could be read as options or paths never are.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn has_remote(&self, remote: &str) -> Result<bool> {
        let plain = remote
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if !plain || remote.is_empty() || remote.starts_with(['-', '.']) {
            return Ok(false);
        }
        let key = format!("remote.{remote}.url");
        let output = run(&self.plumbing().args(["config", "--get-all", &key]))?;
        match output.status {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(failed(&output, "read its configuration")),
        }
    }

    /// Fetches one reference of a remote into one of ours, whatever that was before. `None` when the remote
    /// has none.
    ///
    /// # Errors
    /// Kind `git` when the remote cannot be asked within `timeout`.
    pub fn fetch_ref(
        &self,
        remote: &str,
        theirs: &str,
        ours: &str,
        timeout: Duration,
    ) -> Result<Option<String>> {
        let command = self.plumbing().timeout(timeout).args([
            "-c",
            "maintenance.auto=false",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--refmap=",
            remote,
        ]);
        let mut spec = OsString::from("+");
        spec.push(theirs);
        spec.push(":");
        spec.push(ours);
        let output = run(&command.arg(spec))?;
        if output.is_success() {
            return self.ref_commit(ours);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("couldn't find remote ref") {
            return Ok(None);
        }
        if is_race(&output) {
            // Another fetch of this clone was faster; what it brought is there.
            return self.ref_commit(ours);
        }
        Err(failed(&output, "fetch from the remote").hint("is the remote there, and may you read it?"))
    }

    /// Pushes a commit to a reference of a remote, never over something that it does not contain.
    ///
    /// # Errors
    /// Kind `git` when the remote cannot be reached within `timeout`, or refuses.
    pub fn push_ref(&self, remote: &str, commit: &str, theirs: &str, timeout: Duration) -> Result<Pushed> {
        let spec = format!("{commit}:{theirs}");
        let command = self.plumbing().timeout(timeout).args([
            "push",
            "--porcelain",
            "--no-verify",
            "--recurse-submodules=no",
            "--no-follow-tags",
            "--no-signed",
            remote,
            &spec,
        ]);
        let output = run(&command)?;
        if output.is_success() {
            return Ok(Pushed::Done);
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let behind = ["(fetch first)", "(non-fast-forward)", "(stale info)"];
        if said
            .lines()
            .any(|l| l.starts_with('!') && behind.iter().any(|b| l.contains(b)))
            || is_race(&output)
        {
            return Ok(Pushed::Behind);
        }
        Err(failed(&output, "push to the remote").hint("is the remote there, and may you write to it?"))
    }
}

/// Whether a failure is that of somebody who was not the first.
fn is_race(output: &Output) -> bool {
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    [
        "cannot lock ref",
        "failed to update ref",
        "incorrect old value",
        "reference already exists",
        "failed to lock",
        "Unable to create",
    ]
    .iter()
    .any(|sign| said.contains(sign))
}

fn line(output: &Output) -> String {
    text_of(&output.stdout)
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}
