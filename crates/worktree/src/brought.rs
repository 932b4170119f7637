//! Which changed files came with commits that were fetched: a pull, a merge or a rebase brought them in.

use crate::changes::split;
use crate::git::{must, run};
use crate::head::is_oid;
use crate::{Head, Repo, Trees, name};
use proctor_kernel::Result;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Most commits that were made here since a task began, beyond which nothing is told.
const COMMITS: usize = 1_000;
/// Bytes of a log of heads that are read: its end.
const LOG: u64 = 1 << 20;
/// Most work trees of one repository whose logs are read.
const WORK_TREES: usize = 64;

impl Trees<'_> {
    /// Of `paths` (as [`Repo::changed_since`] tells them for this base) those that are as fetched commits have them: they
    /// differ from where the base and the present commit part, no commit touched them that was made here since the task
    /// `began` (milliseconds since 1970) or that no remote has, and they are as they are checked out.
    ///
    /// What was made here is told by the logs of the heads of all work trees, and by the references of the remotes; without
    /// them nothing was brought in. A commit that was made here and pushed is still one that was made here.
    ///
    /// # Errors
    /// Kind `git` when git fails or takes too long.
    pub fn brought_in(&self, base: &str, began: u64, paths: &[String]) -> Result<Vec<String>> {
        let repo = self.repo();
        let Head { oid: Some(head), .. } = repo.head()? else {
            return Ok(Vec::new());
        };
        if !is_oid(base) || base == head {
            return Ok(Vec::new());
        }
        let Some(made) = repo.made_here(base, began) else {
            return Ok(Vec::new());
        };
        let Some(fork) = repo.merge_base(base, &head)? else {
            return Ok(Vec::new());
        };
        let (most, without) = (format!("--max-count={}", COMMITS + 1), format!("^{base}"));
        let local = repo
            .git()
            .args(["rev-list", &most, &head, &without, "--not", "--remotes"]);
        let local = must(&local, "list the commits that no remote has")?;
        let local = String::from_utf8_lossy(&local);
        let commits: BTreeSet<&str> = local.lines().chain(made.iter().map(String::as_str)).collect();
        if commits.len() > COMMITS {
            return Ok(Vec::new());
        }
        let names = [
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            "--ignore-submodules=none",
        ];
        let differ = repo.git().arg("diff-tree").args(names).args([&fork, &head]);
        let differ: BTreeSet<Vec<u8>> = split(&must(&differ, "compare with the task's base")?).collect();
        let mut touched = BTreeSet::new();
        if !commits.is_empty() {
            let list: String = commits.iter().map(|commit| format!("{commit}\n")).collect();
            let call = repo.git().arg("diff-tree").args(names);
            // Of a merge the files that are as none of its parents has them.
            let call = call
                .args(["--stdin", "--root", "-c", "--no-commit-id"])
                .stdin(list);
            let output = run(&call)?;
            if !output.is_success() {
                // A commit of the log is gone.
                return Ok(Vec::new());
            }
            touched.extend(split(&output.stdout));
        }
        let status = self.status()?;
        let brought = |path: &Vec<u8>| !touched.contains(path) && !status.has(path);
        let brought: BTreeSet<String> = differ
            .iter()
            .filter(|path| brought(path))
            .map(|path| name::to_text(path))
            .collect();
        Ok(paths
            .iter()
            .filter(|path| brought.contains(*path))
            .cloned()
            .collect())
    }
}

impl Repo {
    /// The commits that were made in this clone since a moment, or since `base` was checked out last; `None` where no log
    /// tells.
    fn made_here(&self, base: &str, began: u64) -> Option<BTreeSet<String>> {
        if self.is_reftable() {
            return None;
        }
        let own = self.git_dir().join("logs/HEAD");
        let mut out = BTreeSet::new();
        add_made(&own, Some(base), began, &mut out)?;
        let common = self.common_dir().join("logs/HEAD");
        if common != own && common.exists() {
            add_made(&common, None, began, &mut out)?;
        }
        if let Ok(folders) = self.common_dir().join("worktrees").read_dir() {
            for (count, folder) in folders.enumerate() {
                let log = folder.ok()?.path().join("logs/HEAD");
                if count >= WORK_TREES {
                    return None;
                }
                if log != own && log.exists() {
                    add_made(&log, None, began, &mut out)?;
                }
            }
        }
        Some(out)
    }
}

/// Adds the commits that a log of a head says were made since a moment, and whatever it says since the head was at `base`
/// last: times can be set.
fn add_made(log: &Path, base: Option<&str>, began: u64, out: &mut BTreeSet<String>) -> Option<()> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOG))).ok()?;
    let mut bytes = Vec::new();
    file.take(LOG).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut since = true;
    for line in text.lines().rev() {
        // `OLD NEW NAME <MAIL> SECONDS ZONE\tWHAT`
        let Some((front, what)) = line.split_once('\t') else {
            continue;
        };
        let new = front.split(' ').nth(1).unwrap_or_default();
        since &= base.is_some_and(|base| base != new);
        let seconds = front.rsplit(' ').nth(1).and_then(|s| s.parse::<u64>().ok());
        let late = seconds.is_none_or(|seconds| seconds.saturating_mul(1_000).saturating_add(999) >= began);
        if (since || late) && makes_commit(what) && is_oid(new) {
            out.insert(new.to_owned());
        }
    }
    Some(())
}

/// Whether what moved a head made the commit that it is at now, rather than going to one that was there. What is not known
/// made it.
fn makes_commit(what: &str) -> bool {
    let (action, rest) = what.split_once(": ").unwrap_or((what, ""));
    if action.starts_with("commit") {
        return true;
    }
    let goes = matches!(action, "checkout" | "reset" | "clone" | "branch")
        || ["(start)", "(finish)", "(abort)"]
            .iter()
            .any(|end| action.ends_with(end));
    !goes && rest != "Fast-forward" && rest != "forwarded"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_log_says_of_commits() {
        for made in [
            "commit: Fast-forward",
            "commit (merge): x",
            "commit (amend): x",
            "pull: Merge made by the 'ort' strategy.",
            "rebase (pick): x",
            "cherry-pick: x",
            "something else",
        ] {
            assert!(makes_commit(made), "{made}");
        }
        for gone in [
            "pull -q: Fast-forward",
            "merge origin/main: Fast-forward",
            "checkout: moving from a to b",
            "reset: moving to HEAD~1",
            "pull --rebase (start): checkout 123",
            "rebase (finish): returning to refs/heads/main",
        ] {
            assert!(!makes_commit(gone), "{gone}");
        }
    }
}
