//! The identity of a work tree's content: the id of a git tree. Specified in `docs/TREE_ID.md`.
//!
//! One child process asks git which files it would add; meanwhile the files that git tracks are
//! compared here with what the user's index remembers of them, to the nanosecond and whatever its flags
//! say. When all of that is as it was at the last call, the answer is the last one. Otherwise git
//! stores the files that changed in a private object folder, by way of a private index, and the trees are
//! computed here.

mod build;
mod clean;
mod commit;
mod compare;
mod compute;
mod differ;
mod glance;
mod hash;
mod heap;
mod hidden;
pub(crate) mod index;
mod look;
mod memory;
mod nested;
mod others;
pub(crate) mod patterns;
mod pipes;
mod plain;
mod prune;
mod read;
mod rules;
mod scan;
mod settings;
mod share;
mod status;
mod texts;
mod touched;

pub use compare::{Change, ChangeKind, Diff, During, Linkage};
pub use rules::{Since, is_rule};
pub use texts::Content;

use crate::{Command, Repo};
use compute::Stored;
use glance::Glance;
use look::Early;
use memory::Memory;
use proctor_kernel::{Digest, Error, ErrorKind, Result, TreeId};
use settings::Settings;
use std::cell::OnceCell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Proctor's own folder at the root of a work tree; not part of the identity.
const OWN: &[u8] = b".proctor/";
/// The trees of a repository: what its work tree holds now, what commits hold, and how they differ.
///
/// Everything that has to be written goes to a cache folder of the caller's, which all work trees of a
/// clone may share and which can be deleted at any time.
#[derive(Clone, Debug)]
pub struct Trees<'a> {
    repo: &'a Repo,
    cache: PathBuf,
    depth: u8,
    /// What was seen, where everything is to be told of one moment.
    once: Option<Arc<Mutex<Option<Arc<Glance>>>>>,
}

impl Repo {
    /// The trees of this repository, with a folder for private objects and memory.
    #[must_use]
    pub fn trees(&self, cache: &Path) -> Trees<'_> {
        Trees {
            repo: self,
            cache: std::path::absolute(cache).unwrap_or_else(|_| cache.to_owned()),
            depth: 0,
            once: None,
        }
    }

    /// The identity of what the work tree holds now; see [`Trees::id`].
    ///
    /// # Errors
    /// As [`Trees::id`].
    pub fn tree_id(&self, cache: &Path) -> Result<TreeId> {
        self.trees(cache).id()
    }

    /// The identity of what a commit holds; see [`Trees::id_of`].
    ///
    /// # Errors
    /// As [`Trees::id_of`].
    pub fn tree_id_of(&self, rev: &str, cache: &Path) -> Result<TreeId> {
        self.trees(cache).id_of(rev)
    }
}

impl<'a> Trees<'a> {
    pub(crate) fn repo(&self) -> &'a Repo {
        self.repo
    }
}

impl Trees<'_> {
    /// Looks at the work tree once: what is asked of this value is told of the moment of the first question, and costs
    /// less the second time. Not to be kept while others go on working.
    #[must_use]
    pub fn at_one_moment(mut self) -> Self {
        self.once = Some(Arc::default());
        self
    }

    /// The id of the git tree of everything that git tracks or would add, without `.proctor/`.
    ///
    /// # Errors
    /// Kind `git` for a bare repository, when a file cannot be read or cleaned, and when git fails or
    /// takes too long. Never an answer that leaves a file out because something went wrong.
    pub fn id(&self) -> Result<TreeId> {
        let deadline = self.deadline();
        let place = self.place()?;
        for _ in 0..3 {
            let memory = Memory::load(&place.memory()).unwrap_or_default();
            let (look, early) = self.look(&place, &memory, deadline)?;
            if !look.is_current(self.repo) {
                self.look_again();
                continue;
            }
            if let Some(tree) = look.answer(&memory) {
                return Ok(TreeId::from_text(tree));
            }
            if let Some(early) = early {
                return self.compute(&place, &look, &memory, early, deadline);
            }
            let early = Early {
                lock: self.lock(&place.lock(), deadline)?,
                after: Stored::default(),
                stored: Ok(()),
            };
            // Another process may have stored the same files since.
            let memory = Memory::load(&place.memory()).unwrap_or_default();
            if let Some(tree) = look.answer(&memory) {
                return Ok(TreeId::from_text(tree));
            }
            return self.compute(&place, &look, &memory, early, deadline);
        }
        Err(Error::new(ErrorKind::Git, "git's index changes all the time")
            .hint("wait until other git commands in this work tree have ended"))
    }

    /// A git call with the private object folder and, where given, the private index.
    fn git(&self, place: Option<&Place>, deadline: Instant) -> Command {
        match place {
            Some(place) => self.bare_git(deadline).env("GIT_INDEX_FILE", place.index()),
            None => {
                self.hand_over(deadline);
                self.bare_git(deadline)
            }
        }
    }

    /// The same without an index, and without what git was not given yet.
    fn bare_git(&self, deadline: Instant) -> Command {
        self.plain_git(deadline.saturating_duration_since(Instant::now()))
            .env("GIT_OBJECT_DIRECTORY", self.objects())
            .env(
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                quoted(&self.repo.common_dir().join("objects")),
            )
    }

    /// A git call on the user's own index and objects, which only reads.
    fn plain_git(&self, left: Duration) -> Command {
        let mut command = self.repo.git_within(left);
        if let Some(root) = self.repo.root()
            && root != self.repo.entry
        {
            // The configuration names another folder as the work tree.
            command = command
                .cwd(root)
                .env("GIT_DIR", self.repo.git_dir())
                .env("GIT_WORK_TREE", root);
        }
        // No hook runs (`post-index-change` would), nothing is looked at less closely because the
        // configuration says so, and the index is written in a form that can be read here.
        for setting in [
            "core.hooksPath=/dev/null",
            "core.trustctime=true",
            "core.checkStat=default",
            "core.splitIndex=false",
            "core.untrackedCache=false",
            "core.safecrlf=false",
            "core.fsync=none",
            "index.version=2",
            "index.sparse=false",
            "index.skipHash=true",
        ] {
            command = command.args(["-c", setting]);
        }
        command
    }

    fn objects(&self) -> PathBuf {
        self.cache.join("objects")
    }

    /// The file of objects that git has not asked for.
    fn heap(&self) -> PathBuf {
        self.objects().join("heap")
    }

    /// The folder of this work tree in the cache; makes it and the object folder.
    pub(crate) fn place(&self) -> Result<Place> {
        let root = self.repo.work_tree()?;
        let mut name = root.as_os_str().as_bytes().to_owned();
        name.push(0);
        name.extend_from_slice(self.repo.git_dir().as_os_str().as_bytes());
        let dir = self.cache.join(Digest::of(&name).as_str());
        if !dir.is_dir() {
            fs::create_dir_all(&dir).map_err(|e| self.unwritable(e))?;
        }
        self.ready()?;
        Ok(Place {
            dir,
            settings: OnceCell::new(),
        })
    }

    /// Makes the private object folder.
    fn ready(&self) -> Result<()> {
        let objects = self.objects();
        if objects.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(objects).map_err(|e| self.unwritable(e))
    }

    fn lock(&self, path: &Path, deadline: Instant) -> Result<Lock> {
        let (mut file, _) = crate::file::open_to_write(path).map_err(|e| self.unwritable(e))?;
        while let Err(e) = file.try_lock() {
            if Instant::now() >= deadline {
                return Err(self.unwritable(e.into()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // Writing gives the file the time that other files would get now.
        file.write_all(b".").map_err(|e| self.unwritable(e))?;
        let meta = file.metadata().map_err(|e| self.unwritable(e))?;
        Ok(Lock {
            _file: file,
            begun: i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()),
        })
    }

    fn unwritable(&self, error: std::io::Error) -> Error {
        Error::new(
            ErrorKind::Store,
            format!("cannot use the cache of trees {}", self.cache.display()),
        )
        .because(error)
        .hint("it is only a cache: make its folder writable, or delete it")
    }
}

/// A work tree's part of the cache.
#[derive(Debug)]
pub(crate) struct Place {
    dir: PathBuf,
    settings: OnceCell<Settings>,
}

impl Place {
    fn index(&self) -> PathBuf {
        self.dir.join("index")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.dir.join("lock")
    }

    fn memory(&self) -> PathBuf {
        self.dir.join("memory")
    }
}

/// A lock on a part of the cache, until dropped.
pub(crate) struct Lock {
    _file: File,
    /// When it was taken, by the clock of the file system.
    begun: i128,
}

/// Whether git wrote an error although it ended well.
fn complains(stderr: &[u8]) -> bool {
    stderr.split(|b| *b == b'\n').any(|line| {
        // The last is how it passes over a path that it does not take.
        [b"error:".as_slice(), b"fatal:", b"Ignoring path "]
            .iter()
            .any(|word| line.starts_with(word))
    })
}

/// A path for a list that is separated by colons.
fn quoted(path: &Path) -> OsString {
    let mut out = vec![b'"'];
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.push(b'"');
    OsString::from_vec(out)
}

/// The object id that a git call printed.
fn oid_of(output: &[u8]) -> Result<String> {
    std::str::from_utf8(output)
        .ok()
        .map(str::trim)
        .filter(|t| crate::head::is_oid(t))
        .map(str::to_owned)
        .ok_or_else(|| Error::new(ErrorKind::Git, "git printed something else than an object id"))
}
