//! What git is told to ignore, and whether that changed while a task went on: `git status` says nothing of it.

use super::Trees;
use crate::digest::Digester;
use crate::git::failed;
use crate::run::Command;
use crate::{FileAt, git, name};
use proctor_kernel::Result;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file of patterns that folders hold.
const IGNORE: &str = ".gitignore";
/// What stands for the files of patterns of the whole work tree in a task's list, wherever they are.
const SHARED: &str = "/info/exclude";
const OWN: &str = "/core.excludesFile";
/// Most folders that are looked into for one.
const FOLDERS: usize = 20_000;
/// Most hidden files that are named.
const MOST: usize = 1_000;
/// Largest file of patterns whose former lines are used, and most of them.
const LARGEST: usize = 64 << 10;
const LINES: usize = 500;

/// What is known of a task, for [`Trees::hidden_since`].
pub struct Since<'a> {
    /// The commit that was checked out.
    pub base: Option<&'a str>,
    /// The files that differed then, and the rules ([`Trees::rules`]), each with its digest.
    pub known: &'a [(String, Option<String>)],
    /// When it was, in milliseconds since 1970.
    pub began: u64,
    /// What git tells to have changed since.
    pub changed: &'a [String],
    /// Files that were seen written.
    pub written: &'a [String],
    /// Whether a file may change.
    pub allowed: &'a dyn Fn(&str) -> bool,
}

/// Whether a name in a task's list of files stands for rules outside the work tree's files.
#[must_use]
pub fn is_rule(path: &str) -> bool {
    path.starts_with('/')
}

impl Trees<'_> {
    /// The files that say what git ignores and that no commit holds, each with a digest of its content: the
    /// repository's `info/exclude` and the user's own file, each by a word that begins with a slash, and each
    /// `.gitignore` that is not tracked, in a folder that holds tracked files.
    ///
    /// # Errors
    /// As [`Trees::id`].
    pub fn rules(&self) -> Result<Vec<(String, Option<String>)>> {
        let mut digester = Digester::new();
        let root = self.repo.work_tree()?;
        let mut rules = Vec::new();
        for (key, path) in self.general()? {
            let digest = path.and_then(|path| digester.of(&real(&path)));
            rules.push((key.to_owned(), digest));
        }
        for path in self.own_rules()? {
            let digest = digester.of(&root.join(OsStr::from_bytes(&path)));
            rules.push((name::to_text(&path), digest));
        }
        Ok(rules)
    }

    /// What changed since a task began and git does not tell, because it is told to ignore it: files that were seen
    /// written, rules of what to ignore, and, where such a rule may not change, files that are new or changed since
    /// and that no rule hid that held before. Paths as in [`Repo::dirty`](crate::Repo::dirty); rules outside the
    /// work tree by their absolute path.
    ///
    /// # Errors
    /// As [`Trees::id`].
    pub fn hidden_since(&self, since: &Since<'_>) -> Result<Vec<String>> {
        let deadline = self.deadline();
        let root = self.repo.work_tree()?;
        let told: BTreeSet<&str> = since.changed.iter().map(String::as_str).collect();
        let known = |path: &str| since.known.iter().find(|(p, _)| p == path);
        let mut hidden = BTreeSet::new();
        if !since.written.is_empty() {
            let index = self.index(deadline)?;
            for path in since.written {
                let bytes = name::to_path(path);
                let is_old = told.contains(path.as_str()) || known(path).is_some();
                // A repository inside is told of as a folder, and another work tree of the clone is none of this one's files.
                let is_inside = || {
                    bytes.ancestors().skip(1).any(|above| {
                        let above = above.as_os_str().as_bytes();
                        !above.is_empty()
                            && (told.contains(name::to_text(above).as_str()) || self.repo.is_work_tree(above))
                    })
                };
                if !is_old
                    && !is_inside()
                    && !path.starts_with(".proctor/")
                    && !index.has(bytes.as_os_str().as_bytes())
                    && is_newer(&root.join(&bytes), since.began)
                {
                    hidden.insert(path.clone());
                }
            }
        }
        // A task of a version that did not note them says nothing of rules.
        let noted = since.known.iter().any(|(path, _)| is_rule(path));
        let mut digester = Digester::new();
        let mut general = Vec::new();
        let mut changed = Vec::new();
        for (key, path) in self.general()? {
            let now = path.as_ref().and_then(|path| digester.of(&real(path)));
            let same = known(key).is_none_or(|(_, before)| *before == now);
            let Some(path) = path else { continue };
            if same {
                general.push(path);
            } else {
                let shown = path.strip_prefix(root).unwrap_or(&path);
                changed.push(name::to_text(shown.as_os_str().as_bytes()));
            }
        }
        for path in self.own_rules()? {
            let text = name::to_text(&path);
            if noted && !told.contains(text.as_str()) && known(&text).is_none() {
                changed.push(text);
            }
        }
        let is_own = |path: &str| path == IGNORE || path.ends_with("/.gitignore");
        let lists = since.changed.iter().filter(|path| is_own(path));
        let strays: Vec<&String> = changed
            .iter()
            .chain(lists)
            .filter(|path| !(since.allowed)(path))
            .collect();
        if !strays.is_empty() {
            let folders = !strays.iter().any(|path| is_own(path));
            for path in self.unignored(since.base, folders, &general, deadline)? {
                let text = name::to_text(&path);
                if hidden.len() >= MOST {
                    break;
                }
                if !told.contains(text.as_str())
                    && known(&text).is_none()
                    && is_newer(&root.join(OsStr::from_bytes(&path)), since.began)
                    && !self.repo.is_work_tree(&path)
                {
                    hidden.insert(text);
                }
            }
        }
        hidden.extend(changed);
        Ok(hidden.into_iter().collect())
    }

    /// The files of patterns for the whole work tree, each with what stands for it in a task's list. The user's own
    /// is left out where it cannot be told.
    fn general(&self) -> Result<Vec<(&'static str, Option<PathBuf>)>> {
        let place = self.place()?;
        let own = self.allowed(&place, self.deadline()).excludes.clone();
        let mut files = vec![(SHARED, Some(self.repo.common_dir().join("info/exclude")))];
        files.extend(own.map(|path| (OWN, Some(path).filter(|path| path.is_absolute()))));
        Ok(files)
    }

    /// Each `.gitignore` that git does not track, in a folder with tracked files.
    fn own_rules(&self) -> Result<Vec<Vec<u8>>> {
        let root = self.repo.work_tree()?;
        let index = self.index(self.deadline())?;
        let mut folders: BTreeSet<&[u8]> = BTreeSet::from([&b""[..]]);
        let mut last: &[u8] = b"";
        for entry in &index.entries {
            let mut path = index.path(entry);
            while let Some(at) = path.iter().rposition(|b| *b == b'/') {
                path = path.get(..at).unwrap_or_default();
                if path == last || folders.len() >= FOLDERS || !folders.insert(path) {
                    break;
                }
                last = path;
            }
        }
        let rules = folders.into_iter().map(|folder| match folder {
            b"" => IGNORE.as_bytes().to_vec(),
            folder => [folder, b"/", IGNORE.as_bytes()].concat(),
        });
        let is_own = |path: &Vec<u8>| {
            let there = fs::symlink_metadata(root.join(OsStr::from_bytes(path)));
            there.is_ok() && !index.has(path)
        };
        Ok(rules.filter(is_own).collect())
    }

    /// The untracked files by the rules that did not change: `folders` says whether those that folders hold are
    /// among them; the root's own are taken from the base otherwise.
    fn unignored(
        &self,
        base: Option<&str>,
        folders: bool,
        general: &[PathBuf],
        deadline: Instant,
    ) -> Result<Vec<Vec<u8>>> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut call: Command = self.plain_git(left).args(["ls-files", "-z", "--others"]);
        if folders {
            call = call.args(["--exclude-per-directory", IGNORE]);
        } else if let Some(base) = base
            && let Ok(FileAt::File { bytes, .. }) = self.repo.file_at(base, IGNORE, LARGEST)
        {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            for line in text.lines().take(LINES) {
                call = call.args([format!("--exclude={line}")]);
            }
        }
        for file in general.iter().filter(|file| file.is_file()) {
            call = call.args(["--exclude-from"]).arg(file);
        }
        let output = git::run(&call.args(["--exclude=/.proctor/"]))?;
        if !output.is_success() {
            return Err(failed(&output, "list ignored files"));
        }
        let paths = output.stdout.split(|b| *b == 0).filter(|path| !path.is_empty());
        Ok(paths
            .map(|path| path.strip_suffix(b"/").unwrap_or(path).to_vec())
            .collect())
    }
}

/// Where a file of the user's really is: dotfiles are often links.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Whether something stands there whose state changed at that moment or later. Programs can set other times of a
/// file, but not this one.
fn is_newer(path: &Path, began: u64) -> bool {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return false;
    };
    let millis = i128::from(meta.ctime()) * 1_000 + i128::from(meta.ctime_nsec()) / 1_000_000;
    // Clocks of file systems stand still for up to 10 ms.
    millis + 10 >= i128::from(began)
}
