//! Questions about commits: which one a name means, where two lines of work part, what a commit holds.
//!
//! Nothing is written and nothing is fetched. Names come from users and from other programs; none of them is
//! ever read as an option.

use crate::git::{failed, must, run};
use crate::{Command, Output, Repo};
use proctor_kernel::{Error, ErrorKind, Result};

/// Most commits of a range that are listed.
const MOST: usize = 2_000;

/// What a commit has at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAt {
    /// Nothing.
    Missing,
    /// An ordinary file.
    File {
        /// Its object.
        oid: String,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// Something else: a link, a folder, another repository; or a folder above it is no folder.
    Other {
        /// The mode, as git writes it.
        mode: String,
    },
}

impl Repo {
    fn history(&self) -> Command {
        self.git()
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .args(["-c", "core.hooksPath=/dev/null"])
    }

    /// The commit that a name means.
    ///
    /// # Errors
    /// Kind `input` when it means none, kind `git` when git cannot tell.
    pub fn commit(&self, name: &str) -> Result<String> {
        self.ref_commit(name)?.ok_or_else(|| {
            Error::new(
                ErrorKind::Input,
                format!("there is no commit {name:?} in this repository"),
            )
            .hint("in a shallow clone, `git fetch --unshallow` may bring it")
        })
    }

    /// The first parent of a commit; `None` for the first commit of a history.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn parent(&self, commit: &str) -> Result<Option<String>> {
        self.ref_commit(&format!("{commit}^1"))
    }

    /// The best common ancestor of two commits; `None` when they have none.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>> {
        let output = run(&self
            .history()
            .args(["merge-base", "--end-of-options", one, other]))?;
        match output.status {
            Some(0) => Ok(first_line(&output)),
            Some(1) => Ok(None),
            _ => Err(failed(&output, "find where two commits part")),
        }
    }

    /// The commits that `to` has and `from` has not, newest first, at most two thousand.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn between(&self, from: Option<&str>, to: &str) -> Result<Vec<String>> {
        let mut call = self
            .history()
            .args(["rev-list", "--topo-order", &format!("--max-count={MOST}"), to]);
        if let Some(from) = from {
            call = call.arg(format!("^{from}"));
        }
        let listing = must(&call, "list the commits of a range")?;
        Ok(String::from_utf8_lossy(&listing)
            .lines()
            .map(str::to_owned)
            .collect())
    }

    /// Whether a remote has a commit already, as far as this clone knows.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn is_published(&self, commit: &str, remote: &str) -> Result<bool> {
        let call = self.history().args([
            "rev-list",
            "--max-count=1",
            commit,
            "--not",
            &format!("--remotes={remote}"),
        ]);
        Ok(must(&call, "compare with the remote")?.is_empty())
    }

    /// When a commit was made, in milliseconds since 1970, as its committer says.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn committed_at(&self, commit: &str) -> Result<u64> {
        let call = self.history().args(["show", "-s", "--format=%ct", commit]);
        let said = must(&call, "read a commit")?;
        let seconds: i64 = String::from_utf8_lossy(&said).trim().parse().unwrap_or_default();
        Ok(u64::try_from(seconds).unwrap_or_default().saturating_mul(1_000))
    }

    /// Whether only a part of the history is here.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn is_shallow(&self) -> Result<bool> {
        let call = self.history().args(["rev-parse", "--is-shallow-repository"]);
        Ok(String::from_utf8_lossy(&must(&call, "look at the history")?).trim() == "true")
    }

    /// The commit with which the history of a commit begins, always along first parents: what all clones of a
    /// repository have in common. `None` when only a part of the history is here.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn first_commit(&self, commit: &str) -> Result<Option<String>> {
        if self.is_shallow()? {
            return Ok(None);
        }
        let call = self.history().args([
            "rev-list",
            "--first-parent",
            "--max-parents=0",
            "--max-count=1",
            commit,
        ]);
        Ok(first_line(&Output {
            stdout: must(&call, "find the first commit")?,
            ..Output::default()
        }))
    }

    /// What a commit has at a path.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell, or the file has more than `most` bytes.
    pub fn file_at(&self, commit: &str, path: &str, most: usize) -> Result<FileAt> {
        let Some((mode, oid)) = self.entry_at(commit, path)? else {
            // A folder above it that is a link leads to who knows where.
            let above = path.rsplit_once('/').map(|(folder, _)| folder);
            let above = above.map(|folder| self.entry_at(commit, folder)).transpose()?;
            return Ok(match above.flatten() {
                Some((mode, _)) if mode != "040000" => FileAt::Other { mode },
                _ => FileAt::Missing,
            });
        };
        if !matches!(mode.as_str(), "100644" | "100755") {
            return Ok(FileAt::Other { mode });
        }
        let bytes = self.blobs(&[&oid], most)?.pop().unwrap_or_default();
        Ok(FileAt::File { oid, bytes })
    }

    /// Mode and object of what a commit has at a path.
    fn entry_at(&self, commit: &str, path: &str) -> Result<Option<(String, String)>> {
        let call = self.history().env("GIT_LITERAL_PATHSPECS", "1").args([
            "ls-tree",
            "-z",
            "--full-tree",
            commit,
            "--",
            path,
        ]);
        let listing = must(&call, "look for a file of a commit")?;
        let listing = String::from_utf8_lossy(&listing);
        let row = listing.split('\0').find_map(|row| row.split_once('\t'));
        let Some((head, _)) = row.filter(|(_, name)| *name == path) else {
            return Ok(None);
        };
        let mut fields = head.split_ascii_whitespace().map(str::to_owned);
        Ok(match (fields.next(), fields.next(), fields.next()) {
            (Some(mode), Some(_), Some(oid)) => Some((mode, oid)),
            _ => None,
        })
    }

    /// Of some paths those that are a link or another repository in a commit.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn places_at(&self, commit: &str, paths: &[String]) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for part in paths.chunks(500) {
            let call = self.history().env("GIT_LITERAL_PATHSPECS", "1");
            let call = call
                .args(["ls-tree", "-z", "--full-tree", commit, "--"])
                .args(part);
            let listing = must(&call, "look for links of a commit")?;
            let listing = String::from_utf8_lossy(&listing);
            let rows = listing.split('\0').filter_map(|row| row.split_once('\t'));
            let odd = rows.filter(|(head, _)| head.starts_with("120000 ") || head.starts_with("160000 "));
            found.extend(odd.map(|(_, path)| path.to_owned()));
        }
        Ok(found)
    }

    /// Whether any remote is configured.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn has_remotes(&self) -> Result<bool> {
        let listing = must(&self.history().args(["remote"]), "list the remotes")?;
        Ok(!listing.trim_ascii().is_empty())
    }

    /// The main branch of a remote, as far as this clone knows: its name and its commit.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn main_of(&self, remote: &str) -> Result<Option<(String, String)>> {
        let tracked = format!("refs/remotes/{remote}/");
        let call = self
            .history()
            .args(["symbolic-ref", "-q", &format!("{tracked}HEAD")]);
        let said = run(&call)?;
        let said = first_line(&said).and_then(|name| name.strip_prefix(&tracked).map(str::to_owned));
        for name in said.as_deref().into_iter().chain(["main", "master"]) {
            if let Some(commit) = self.ref_commit(&format!("{tracked}{name}"))? {
                return Ok(Some((name.to_owned(), commit)));
            }
        }
        Ok(None)
    }

    /// What git's configuration says, of all its files or, with `global`, of the user's own alone. `path` reads
    /// the value as a path.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn configured(&self, key: &str, global: bool, path: bool) -> Result<Option<String>> {
        let mut call = self.git().args(["config", "--includes"]);
        if global {
            call = call.arg("--global");
        }
        if path {
            call = call.arg("--type=path");
        }
        let output = run(&call.args(["--get", key]))?;
        match output.status {
            Some(0) => Ok(first_line(&output)),
            Some(1) => Ok(None),
            _ => Err(failed(&output, "read its configuration")),
        }
    }

    /// Writes a key of the section `proctor` into the clone's own configuration; `None` takes it out.
    ///
    /// # Errors
    /// Kind `git` when it cannot be written.
    pub fn configure(&self, name: &str, value: Option<&str>) -> Result<()> {
        let key = format!("proctor.{name}");
        let call = self
            .git()
            .args(["config", "--file"])
            .arg(self.common_dir().join("config"));
        let output = match value {
            Some(value) => run(&call.args([key.as_str(), value]))?,
            None => run(&call.args(["--unset-all", key.as_str()]))?,
        };
        match (output.status, value) {
            // 5: it was not there.
            (Some(0), _) | (Some(5), None) => Ok(()),
            _ => Err(failed(&output, "change its configuration")),
        }
    }

    /// The folder in which git looks for hooks.
    ///
    /// # Errors
    /// Kind `git` when git cannot tell.
    pub fn hooks_folder(&self) -> Result<std::path::PathBuf> {
        let call = self.git().args(["rev-parse", "--git-path", "hooks"]);
        let said = must(&call, "find its hooks")?;
        let said = String::from_utf8_lossy(&said);
        Ok(self.entry.join(said.trim_end_matches(['\n', '\r'])))
    }
}

fn first_line(output: &Output) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .next()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .map(str::to_owned)
}
