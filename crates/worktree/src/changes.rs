//! Which files changed since a task began.

use crate::digest::Digester;
use crate::git::{failed, must, run};
use crate::head::is_oid;
use crate::{Head, Repo, Trees, name};
use proctor_kernel::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Proctor's own folder in a work tree; what happens there is not the agent's work.
const OWN: &[u8] = b".proctor/";

impl Repo {
    /// The files that differ from what is checked out (staged, unstaged, untracked but not ignored,
    /// deleted), each with a digest of its content (`None` when it is gone): what a task's `dirty`
    /// holds. Paths are relative to the work tree's root; bytes that are no UTF-8 are written `\xNN`.
    /// At most 256 MiB of content are read; larger files are known by size and times.
    ///
    /// # Errors
    /// Kind `git` for a bare repository, and when git fails or takes too long.
    pub fn dirty(&self) -> Result<Vec<(String, Option<String>)>> {
        self.dirty_with(&mut Digester::new())
    }

    pub(crate) fn dirty_with(&self, digester: &mut Digester) -> Result<Vec<(String, Option<String>)>> {
        self.digested(&self.status()?, digester)
    }

    fn digested(&self, status: &Status, digester: &mut Digester) -> Result<Vec<(String, Option<String>)>> {
        let root = self.work_tree()?;
        let digest = |path: &Vec<u8>| {
            (
                name::to_text(path),
                digester.of(&root.join(OsStr::from_bytes(path))),
            )
        };
        Ok(status.all.iter().map(digest).collect())
    }

    /// The files that changed since `base` was checked out with the changes in `dirty` (both from the
    /// task): staged, unstaged, untracked but not ignored, renamed (both names), deleted, and those of
    /// commits made since. Files in `dirty` whose content is as it was are left out; those that went
    /// back to what is checked out are not. A submodule counts as one file; another work tree of the clone that stands in
    /// this one is none. Sorted; paths as in [`Repo::dirty`]. `base: None` means that there was no commit: every file counts.
    ///
    /// Costs one `git status`, and one comparison of two trees when commits were made.
    ///
    /// # Errors
    /// Kind `git` for a bare repository, when the base commit is gone, and when git fails or takes too
    /// long.
    pub fn changed_since(
        &self,
        base: Option<&str>,
        dirty: &[(String, Option<String>)],
    ) -> Result<Vec<String>> {
        self.changed_with(base, dirty, None, || self.status())
    }

    fn changed_with(
        &self,
        base: Option<&str>,
        dirty: &[(String, Option<String>)],
        began: Option<u64>,
        status: impl FnOnce() -> Result<Status>,
    ) -> Result<Vec<String>> {
        let root = self.work_tree()?;
        if let Some(base) = base
            && !is_oid(base)
        {
            return Err(Error::new(
                ErrorKind::Git,
                format!("the task's base {base:?} is no commit id"),
            ));
        }
        let Head { oid: head, .. } = self.head()?;
        let mut status = status()?;
        if let Some(began) = began {
            // Git tells of them now because a rule that hid them is gone.
            let old = |path: &Vec<u8>| is_older(&root.join(OsStr::from_bytes(path)), began);
            let old: Vec<_> = status
                .untracked
                .iter()
                .filter(|path| old(path))
                .cloned()
                .collect();
            for path in &old {
                status.untracked.remove(path);
                status.all.remove(path);
            }
        }
        let mut paths = status.all;
        match (base, head.as_deref()) {
            (Some(base), Some(head)) if base == head => {}
            (Some(base), Some(head)) => {
                let call = self
                    .git()
                    .args([
                        "diff-tree",
                        "-r",
                        "-z",
                        "--name-only",
                        "--no-renames",
                        "--ignore-submodules=none",
                    ])
                    .args([base, head]);
                paths.extend(split(&self.against_base(&call, base)?));
            }
            (None, Some(head)) => {
                let call = self
                    .git()
                    .args(["ls-tree", "-r", "-z", "--name-only", "--full-tree", head]);
                paths.extend(split(&must(&call, "list the files of the commit")?));
            }
            (Some(base), None) => {
                // A new branch without a commit: everything is new to git, so compare with the base.
                let call = self
                    .git()
                    .args([
                        "diff",
                        "-z",
                        "--name-only",
                        "--no-renames",
                        "--no-ext-diff",
                        "--no-textconv",
                    ])
                    .args(["--no-relative", "--ignore-submodules=none", base, "--"]);
                paths = split(&self.against_base(&call, base)?).collect();
                paths.extend(status.untracked);
            }
            (None, None) => {}
        }
        let mut changed: BTreeSet<String> = paths
            .iter()
            .filter(|p| !p.starts_with(OWN))
            .map(|p| name::to_text(p))
            .collect();
        let mut digester = Digester::new();
        for (path, before) in dirty {
            if digester.is_same(&root.join(name::to_path(path)), before.as_deref()) {
                changed.remove(path);
            } else {
                changed.insert(path.clone());
            }
        }
        Ok(changed.into_iter().collect())
    }

    /// Runs a comparison with the base and says so when the base is gone.
    fn against_base(&self, call: &crate::Command, base: &str) -> Result<Vec<u8>> {
        let output = run(call)?;
        if output.is_success() {
            return Ok(output.stdout);
        }
        let exists = self.git().args(["cat-file", "-e", &format!("{base}^{{commit}}")]);
        if !output.timed_out && run(&exists)?.status != Some(0) {
            return Err(Error::new(
                ErrorKind::Git,
                format!("the task's base commit {base} is not in this repository"),
            )
            .hint("`proctor task start` takes the present commit as a new base")
            .hint("in a shallow clone, `git fetch --deepen=100` may bring it back"));
        }
        Err(failed(&output, "compare with the task's base"))
    }

    pub(crate) fn status(&self) -> Result<Status> {
        // Nothing is looked at less closely because the configuration says so.
        let call = self.git().args([
            "-c",
            "core.trustctime=true",
            "-c",
            "core.checkStat=default",
            "-c",
            "core.untrackedCache=false",
            "status",
            "--porcelain=v2",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=none",
        ]);
        let mut status = parse(&must(&call, "list changed files")?)?;
        for path in self.hidden()? {
            status.add(&path, false);
        }
        // What is checked out beside this work tree is no file of it, wherever it stands.
        let others: Vec<_> = status
            .untracked
            .iter()
            .filter(|path| self.is_work_tree(path))
            .cloned()
            .collect();
        for path in &others {
            status.untracked.remove(path);
            status.all.remove(path);
        }
        Ok(status)
    }
}

impl Trees<'_> {
    /// As [`Repo::dirty`], mostly without a git process.
    ///
    /// # Errors
    /// As [`Repo::dirty`].
    pub fn dirty(&self) -> Result<Vec<(String, Option<String>)>> {
        self.repo().digested(&self.status()?, &mut Digester::new())
    }

    #[cfg(test)]
    #[expect(clippy::type_complexity, reason = "as above")]
    pub(crate) fn dirty_here(&self) -> Result<Option<Vec<(String, Option<String>)>>> {
        let (place, deadline) = (self.place()?, self.deadline());
        let status = self.status_here(&place, deadline)?;
        status
            .map(|s| self.repo().digested(&s, &mut Digester::new()))
            .transpose()
    }

    /// As [`Repo::changed_since`], mostly without a git process.
    ///
    /// # Errors
    /// As [`Repo::changed_since`].
    pub fn changed_since(
        &self,
        base: Option<&str>,
        dirty: &[(String, Option<String>)],
    ) -> Result<Vec<String>> {
        self.repo().changed_with(base, dirty, None, || self.status())
    }

    /// The same of a task that began at this moment, in milliseconds since 1970, without the files that git does not track
    /// and that nobody touched since: they were ignored when it began, and are not any more.
    ///
    /// # Errors
    /// As [`Repo::changed_since`].
    pub fn changed_after(
        &self,
        base: Option<&str>,
        dirty: &[(String, Option<String>)],
        began: u64,
    ) -> Result<Vec<String>> {
        self.repo()
            .changed_with(base, dirty, Some(began), || self.status())
    }
}

/// Whether a file or link was changed last before a moment; of a folder nothing is told. Programs can set other times of
/// a file, but not this one.
fn is_older(path: &Path, began: u64) -> bool {
    /// The clock of the files may be another one than the one that tells the moment.
    const DIFFERENCE: i128 = 2_000;
    let Ok(meta) = fs::symlink_metadata(path) else {
        return false;
    };
    let millis = i128::from(meta.ctime()) * 1_000 + i128::from(meta.ctime_nsec()) / 1_000_000;
    !meta.is_dir() && millis + DIFFERENCE < i128::from(began)
}

/// What `git status` lists, as paths relative to the root.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    all: BTreeSet<Vec<u8>>,
    untracked: BTreeSet<Vec<u8>>,
    /// Whether the index holds something else than what is checked out.
    pub(crate) staged: bool,
}

impl Status {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether it lists a path.
    pub(crate) fn has(&self, path: &[u8]) -> bool {
        self.all.contains(path)
    }

    pub(crate) fn add(&mut self, path: &[u8], untracked: bool) {
        // A repository inside the work tree is listed as a folder.
        let path = path.strip_suffix(b"/").unwrap_or(path);
        if path.is_empty() || path.starts_with(OWN) {
            return;
        }
        let is_new = self.all.insert(path.to_owned());
        // What was taken out of the index and left there is a change of something tracked.
        if untracked && is_new {
            self.untracked.insert(path.to_owned());
        } else if !untracked {
            self.untracked.remove(path);
        }
    }
}

/// The paths that `git status --porcelain=v2 -z` lists, as bytes, sorted; renames count with both names,
/// `.proctor/` is left out.
///
/// # Errors
/// Kind `git` for a form of entry that is not known.
pub fn status_paths(bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
    Ok(parse(bytes)?.all.into_iter().collect())
}

/// Reads `git status --porcelain=v2 -z`.
fn parse(bytes: &[u8]) -> Result<Status> {
    let odd = |entry: &[u8]| {
        let entry: String = String::from_utf8_lossy(entry).chars().take(80).collect();
        Error::new(
            ErrorKind::Git,
            format!("git status says something unknown: {entry:?}"),
        )
        .hint("this version of git may be newer than Proctor knows")
    };
    let mut status = Status::default();
    let mut entries = split(bytes);
    while let Some(entry) = entries.next() {
        // Number of fields before the path.
        let before = match entry.get(..2) {
            Some(b"1 ") => 8,
            Some(b"2 ") => 9,
            Some(b"u ") => 10,
            Some(b"? ") => 1,
            Some(b"! " | b"# ") => continue,
            _ => return Err(odd(&entry)),
        };
        let path = entry
            .splitn(before + 1, |b| *b == b' ')
            .nth(before)
            .ok_or_else(|| odd(&entry))?;
        status.staged |= before != 1 && entry.get(2) != Some(&b'.');
        status.add(path, before == 1);
        if before == 9 {
            let old = entries.next().ok_or_else(|| odd(&entry))?;
            status.add(&old, false);
        }
    }
    Ok(status)
}

pub(crate) fn split(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    bytes
        .split(|b| *b == 0)
        .filter(|part| !part.is_empty())
        .map(<[u8]>::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_forms_of_entries() {
        let text = "# branch.oid x\0\
            1 .M N... 100644 100644 100644 aa bb src/a b.rs\0\
            2 R. N... 100644 100644 100644 aa bb R100 new name\0old\nname\0\
            u UU N... 100644 100644 100644 100644 a b c both\0\
            ? 새 파일.txt\0? nested/\0! ignored\0? .proctor/x\0";
        let status = parse(text.as_bytes()).unwrap();
        let names =
            |set: &BTreeSet<Vec<u8>>| -> Vec<String> { set.iter().map(|p| name::to_text(p)).collect() };
        assert_eq!(
            names(&status.all),
            [
                "both",
                "nested",
                "new name",
                "old\nname",
                "src/a b.rs",
                "새 파일.txt"
            ]
        );
        assert_eq!(names(&status.untracked), ["nested", "새 파일.txt"]);
    }

    #[test]
    fn unknown_forms_are_errors() {
        for text in ["x y\0", "1 .M\0", "2 R. N... 1 1 1 a b R1 new\0", "?\0"] {
            assert_eq!(
                parse(text.as_bytes()).unwrap_err().kind(),
                ErrorKind::Git,
                "{text:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(
            prop_oneof![Just(b'1'), Just(b'2'), Just(b'?'), Just(b' '), Just(0), any::<u8>()], 0..80)) {
            let _ = parse(&bytes);
        }
    }
}
