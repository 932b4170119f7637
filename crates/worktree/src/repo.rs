//! Where a repository is, and which id it has.

use crate::config::{is_true, value};
use crate::file;
use crate::git::{git, must};
use crate::run::Command;
use proctor_kernel::{Digest, Error, ErrorKind, Result};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// Largest control file (`HEAD`, `.git`, `config`) that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// A git repository as seen from one folder.
#[derive(Clone, Debug)]
pub struct Repo {
    root: Option<PathBuf>,
    /// Where git finds this repository: the folder with `.git`, or the bare repository itself. It is
    /// the root unless the configuration names another one.
    pub(crate) entry: PathBuf,
    /// The root is the caller's word; see [`Repo::held_to`].
    held: bool,
    git_dir: PathBuf,
    common_dir: PathBuf,
    reftable: bool,
    pub(crate) sha256: bool,
    id: Option<String>,
    state: Option<String>,
    timeout: Duration,
    /// When the time of all calls together is over; see [`Repo::with_one_limit`].
    ends: Option<Instant>,
    /// See [`Repo::with_caller`].
    pub(crate) caller: Option<String>,
}

impl Repo {
    /// Finds the repository that a folder lies in, without a child process and without looking at the
    /// environment. `None` outside git. Finds ordinary repositories, bare ones, linked work trees and
    /// submodules; a folder inside `.git` belongs to the work tree around it.
    ///
    /// # Errors
    /// Kind `git` when there is a `.git` that does not lead to a repository.
    pub fn discover(cwd: &Path) -> Result<Option<Self>> {
        let start = fs::canonicalize(cwd).unwrap_or_else(|_| tidy(cwd));
        for dir in start.ancestors() {
            let dot = dir.join(".git");
            match fs::metadata(&dot) {
                // Git steps over a folder of that name which is no repository.
                Ok(meta) if meta.is_dir() && is_git_dir(&dot) => return Self::at(Some(dir), dot).map(Some),
                Ok(meta) if meta.is_file() => {
                    let git_dir = linked_dir(&dot)?;
                    return Self::at(Some(dir), git_dir).map(Some);
                }
                _ => {}
            }
            if dir.file_name().is_none_or(|name| name != ".git") && is_git_dir(dir) {
                return Self::at(None, dir.to_owned()).map(Some);
            }
        }
        Ok(None)
    }

    fn at(found: Option<&Path>, git_dir: PathBuf) -> Result<Self> {
        let common_dir = match limited(&git_dir.join("commondir")) {
            Ok(text) => resolve(&git_dir, text.trim_end_matches(['\n', '\r'])),
            Err(_) => git_dir.clone(),
        };
        let path = common_dir.join("config");
        let config = match limited(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
            Err(e) => {
                return Err(Error::new(ErrorKind::Git, format!("cannot read {}", path.display())).because(e));
            }
        };
        let mut root = found.map(Path::to_owned);
        if git_dir == common_dir {
            // A linked work tree has neither of these two: they belong to the main one.
            let own = value(&config, "extensions", "worktreeconfig")
                .filter(|v| is_true(v))
                .and_then(|_| limited(&git_dir.join("config.worktree")).ok());
            let look = |key| {
                own.as_deref()
                    .and_then(|own| value(own, "core", key))
                    .or_else(|| value(&config, "core", key))
            };
            if let Some(tree) = look("worktree") {
                root = Some(resolve(&git_dir, &tree));
            } else if look("bare").is_some_and(|v| is_true(&v)) {
                root = None;
            }
        }
        Ok(Self {
            root,
            entry: found.unwrap_or(&git_dir).to_owned(),
            held: false,
            reftable: value(&config, "extensions", "refstorage")
                .is_some_and(|v| !v.eq_ignore_ascii_case("files")),
            sha256: value(&config, "extensions", "objectformat")
                .is_some_and(|v| v.eq_ignore_ascii_case("sha256")),
            id: value(&config, "proctor", "id")
                .filter(|id| !id.is_empty())
                .map(safe_id),
            state: value(&config, "proctor", "state"),
            git_dir,
            common_dir,
            timeout: Duration::from_secs(20),
            ends: None,
            caller: None,
        })
    }

    /// Takes a folder for the root of the work tree, whatever the configuration says.
    #[must_use]
    pub fn held_to(mut self, root: &Path) -> Self {
        self.held = self.root.as_deref() != Some(root);
        self.root = Some(root.to_owned());
        self
    }

    /// A git call on this repository within its time.
    pub(crate) fn git(&self) -> Command {
        self.git_within(self.left())
    }

    /// The same within another time.
    pub(crate) fn git_within(&self, left: Duration) -> Command {
        let command = git(&self.entry, left);
        match &self.root {
            Some(root) if self.held => command
                .cwd(root)
                .env("GIT_DIR", &self.git_dir)
                .env("GIT_WORK_TREE", root),
            _ => command,
        }
    }

    /// Gives every git call at most this time (20 s unless told).
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// From now on all git calls together have that time: a filter that hangs is not waited for again with every question.
    /// What is asked later is an error at once.
    #[must_use]
    pub fn with_one_limit(mut self) -> Self {
        self.ends = Instant::now().checked_add(self.timeout);
        self
    }

    /// How long the next git call may take.
    pub(crate) fn left(&self) -> Duration {
        self.ends.map_or(self.timeout, |ends| {
            ends.saturating_duration_since(Instant::now()).min(self.timeout)
        })
    }

    /// Says by which folders git finds the caller's configuration (`$HOME`, `$XDG_CONFIG_HOME`). Known, what git says
    /// of the configuration is remembered for callers of the same text, and git is asked less often.
    #[must_use]
    pub fn with_caller(mut self, folders: impl Into<String>) -> Self {
        self.caller = Some(folders.into());
        self
    }

    /// Another repository, asked as this one.
    pub(crate) fn like(&self, other: Self) -> Self {
        Self {
            timeout: self.timeout,
            ends: self.ends,
            caller: self.caller.clone(),
            ..other
        }
    }

    /// The work tree's folder; `None` for a bare repository.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether a file, named from the root of the work tree, stands in git's index. `None`: there is no index that can be read
    /// here.
    #[must_use]
    pub fn has_in_index(&self, path: &str) -> Option<bool> {
        let bytes = crate::file::read(&self.git_dir().join("index")).ok()?;
        let index = crate::tree::index::Index::parse(bytes, if self.sha256 { 32 } else { 20 }).ok()?;
        Some(index.has(path.as_bytes()))
    }

    /// Whether there is no work tree.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.root.is_none()
    }

    /// The folder of this work tree's own state (`HEAD`, `index`).
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The folder that all work trees of the clone share (references, objects, configuration).
    #[must_use]
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    pub(crate) fn is_reftable(&self) -> bool {
        self.reftable
    }

    /// Whether the configuration says that only a part of the files is checked out.
    pub(crate) fn is_sparse(&self) -> bool {
        let says = |path: PathBuf| {
            limited(&path)
                .ok()
                .and_then(|text| value(&text, "core", "sparsecheckout"))
                .map(|v| is_true(&v))
        };
        says(self.git_dir.join("config.worktree"))
            .or_else(|| says(self.common_dir.join("config")))
            .unwrap_or(false)
    }

    /// The root of the work tree, or the reason why there is nothing to look at.
    pub(crate) fn work_tree(&self) -> Result<&Path> {
        self.root().ok_or_else(|| {
            Error::new(
                ErrorKind::Git,
                format!("{} is a bare repository", self.git_dir().display()),
            )
            .hint("files can only be seen in a work tree: `git worktree add <folder>`")
        })
    }

    /// The clone's id (`proctor.id` in its configuration), fit to be a folder's name; `None` when it
    /// has none yet. A value that Proctor would not have written is replaced by a digest of it.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Looks into the configuration once more, where it held no id.
    pub fn look_for_id(&mut self) {
        if self.id.is_none() {
            let config = limited(&self.common_dir.join("config")).unwrap_or_default();
            let id = value(&config, "proctor", "id").filter(|id| !id.is_empty());
            self.id = id.map(safe_id);
        }
    }

    /// The state folder that the clone was last told of (`proctor.state` in its configuration), where it is not the usual one.
    #[must_use]
    pub fn noted_state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Notes the state folder in the clone's configuration.
    ///
    /// # Errors
    /// Kind `git` when the configuration cannot be written.
    pub fn note_state(&mut self, folder: &str) -> Result<()> {
        must(
            &git(&self.common_dir, self.left())
                .args(["config", "--file"])
                .arg(self.common_dir.join("config"))
                .args(["proctor.state", folder]),
            "write proctor.state into the configuration",
        )?;
        self.state = Some(folder.to_owned());
        Ok(())
    }

    /// The clone's id; when it has none, writes the one that `generate` makes. Of several processes
    /// that do so at once, one wins and all get its id.
    ///
    /// # Errors
    /// Kind `git` when the configuration cannot be written. [`path_id`] is then an id for this place.
    pub fn ensure_id(&mut self, generate: impl Fn() -> String) -> Result<String> {
        if let Some(id) = &self.id {
            return Ok(id.clone());
        }
        let guard = self.common_dir.join("proctor.lock");
        let refused = |e| {
            Error::new(
                ErrorKind::Git,
                format!("cannot write an id into {}", self.common_dir.display()),
            )
            .because(e)
            .hint("make the repository's configuration writable")
        };
        let lock = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            // A pipe in its place is an error, and not waited for.
            .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
            .open(&guard)
            .map_err(refused)?;
        let start = Instant::now();
        while let Err(e) = lock.try_lock() {
            // Others hold it for one `git config`.
            if start.elapsed() > Duration::from_secs(2) {
                return Err(refused(e.into()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let config = self.common_dir.join("config");
        let read = || {
            limited(&config)
                .ok()
                .and_then(|text| value(&text, "proctor", "id"))
                .filter(|id| !id.is_empty())
        };
        if let Some(id) = read() {
            return Ok(self.id.insert(safe_id(id)).clone());
        }
        let id = safe_id(generate());
        must(
            &git(&self.common_dir, self.left())
                .args(["config", "--file"])
                .arg(&config)
                .args(["proctor.id", &id]),
            "write proctor.id into the configuration",
        )?;
        Ok(self.id.insert(read().map_or(id, safe_id)).clone())
    }
}

/// An id for a folder that is in no repository (or in one that cannot be written): `path-` and a
/// digest of its real path.
#[must_use]
pub fn path_id(dir: &Path) -> String {
    let real = fs::canonicalize(dir).unwrap_or_else(|_| tidy(dir));
    format!("path-{}", Digest::of(real.as_os_str().as_encoded_bytes()))
}

/// An id that is safe as a folder's name: itself, or a digest of it.
fn safe_id(id: String) -> String {
    let safe = (4..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if safe && !id.starts_with('-') {
        id
    } else {
        format!("odd-{}", Digest::of(id.as_bytes()))
    }
}

/// Whether a folder is a repository: git's own test, without looking into the objects.
pub(crate) fn is_git_dir(dir: &Path) -> bool {
    // HEAD may be a dangling link, as very old git wrote it.
    if fs::symlink_metadata(dir.join("HEAD")).is_err() {
        return false;
    }
    let common =
        limited(&dir.join("commondir")).map_or_else(|_| dir.to_owned(), |t| resolve(dir, t.trim_end()));
    common.join("objects").is_dir() && common.join("refs").is_dir()
}

/// The folder that a `.git` file names.
pub(crate) fn linked_dir(dot: &Path) -> Result<PathBuf> {
    let broken = |why: String| {
        Error::new(
            ErrorKind::Git,
            format!("{} does not lead to a repository: {why}", dot.display()),
        )
        .hint("`git worktree repair` or `git submodule update --init` may mend it")
    };
    let text = limited(dot).map_err(|e| broken(e.to_string()))?;
    let Some(target) = text
        .strip_prefix("gitdir:")
        .map(|t| t.trim_start().trim_end_matches(['\n', '\r']))
    else {
        return Err(broken("it does not begin with `gitdir:`".to_owned()));
    };
    let git_dir = resolve(dot.parent().unwrap_or(Path::new("")), target);
    if !is_git_dir(&git_dir) {
        return Err(broken(format!("{} is no repository", git_dir.display())));
    }
    Ok(git_dir)
}

/// A path that may be relative to a folder, made real.
fn resolve(base: &Path, target: &str) -> PathBuf {
    let joined = base.join(target);
    fs::canonicalize(&joined).unwrap_or_else(|_| tidy(&joined))
}

/// Takes `.` and `..` out of a path by its text alone.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Reads a control file as text.
pub(crate) fn limited(path: &Path) -> io::Result<String> {
    let (file, meta) = file::open(path)?;
    let mut bytes = Vec::with_capacity(file::room(&meta, LARGEST));
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
