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
mod hash;
mod index;
mod look;
mod memory;
mod nested;
mod prune;
mod scan;

pub use compare::{Change, ChangeKind, Diff, During, Linkage};

use crate::git::{failed, git, run};
use crate::{Command, Repo};
use build::Item;
use index::{Index, New, write};
use look::{Early, Look, Want};
use memory::{Memory, Now, hex};
use proctor_kernel::{Digest, Error, ErrorKind, Result, TreeId};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Proctor's own folder at the root of a work tree; not part of the identity.
const OWN: &[u8] = b".proctor/";
/// How many files one git process is given to store, so that a time limit loses little.
const BATCH: usize = 4_000;
/// How many bytes of files one git process is given to store.
const BATCH_BYTES: u64 = 256 << 20;

/// The trees of a repository: what its work tree holds now, what commits hold, and how they differ.
///
/// Everything that has to be written goes to a cache folder of the caller's, which all work trees of a
/// clone may share and which can be deleted at any time.
#[derive(Clone, Debug)]
pub struct Trees<'a> {
    repo: &'a Repo,
    cache: PathBuf,
    depth: u8,
}

impl Repo {
    /// The trees of this repository, with a folder for private objects and memory.
    #[must_use]
    pub fn trees(&self, cache: &Path) -> Trees<'_> {
        Trees {
            repo: self,
            cache: std::path::absolute(cache).unwrap_or_else(|_| cache.to_owned()),
            depth: 0,
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

impl Trees<'_> {
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
                after: Index::default(),
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

    /// Has git store what is not known yet, and computes the tree.
    fn compute(
        &self,
        place: &Place,
        look: &Look,
        memory: &Memory,
        early: Early,
        deadline: Instant,
    ) -> Result<TreeId> {
        let Early { lock, after, stored } = early;
        let known = |path: &[u8]| memory.find(path).filter(|_| memory.cleaning == look.cleaning);
        let mut unknown = look::unknown(&look.wants, known, &look.index);
        unknown.retain(|(path, _)| after.find_stored(path).is_none());
        let (rest, stored) = match stored {
            Ok(()) => self.stored(place, &look.index, &unknown, look.width, deadline)?,
            Err(e) => (Index::default(), Err(e)),
        };
        let after = [after, rest];
        let (overlay, complete) = self.learn(look, &after, known, lock.begun);
        let mut memory = Memory {
            key: if complete { look.key.clone() } else { String::new() },
            cleaning: look.cleaning.clone(),
            tree: None,
            overlay,
        };
        if let Err(e) = stored {
            // What was stored need not be stored again.
            let _ = memory.save(&place.memory());
            return Err(e);
        }
        let items = self.items(look, &memory, &after)?;
        let mut touched = BTreeSet::new();
        look.touched(|path| build::touch(&mut touched, path));
        let folders = build::folders(&look.index, &touched, look.width);
        let tree = build::tree(&items, &folders, look.width, &self.objects());
        let tree = hex(&tree.map_err(|e| self.unwritable(e))?);
        memory.tree = Some(tree.clone());
        // Without a memory the next call is slower, that is all.
        let _ = memory.save(&place.memory());
        Ok(TreeId::from_text(tree))
    }

    /// Has git store the files that are not known, on an index of its own. Gives that index, and whether
    /// all went well.
    fn stored(
        &self,
        place: &Place,
        index: &Index,
        unknown: &[(&[u8], u64)],
        width: usize,
        deadline: Instant,
    ) -> Result<(Index, Result<()>)> {
        if unknown.is_empty() {
            return Ok((Index::default(), Ok(())));
        }
        // What is in the user's index decides for git about line ends and modes; and where a file of
        // attributes is not in the work tree, the one in the index holds.
        let mut seeds: BTreeMap<&[u8], New<'_>> = BTreeMap::new();
        let attributes = index
            .entries
            .iter()
            .filter(|e| index.path(e).ends_with(b".gitattributes") && e.stage == 0 && !e.intent_to_add);
        let own = unknown.iter().filter_map(|(path, _)| index.seed_entry(path));
        for entry in attributes.chain(own) {
            let (path, oid) = (index.path(entry), index.oid(entry));
            let mode = entry.mode;
            seeds.insert(path, New { path, mode, oid });
        }
        let seeds: Vec<_> = seeds.into_values().collect();
        fs::write(place.index(), write(&seeds, width)).map_err(|e| self.unwritable(e))?;
        let stored = self.store(place, unknown, deadline);
        let bytes = fs::read(place.index()).map_err(|e| self.unwritable(e))?;
        let after = Index::parse(bytes, width)
            .map_err(|_| Error::new(ErrorKind::Git, "git wrote an index that cannot be read"))?;
        Ok((after, stored))
    }

    /// All files of the tree: those of the user's index, and in their place what was seen.
    fn items<'t>(&self, look: &'t Look, memory: &'t Memory, after: &'t [Index]) -> Result<Vec<Item<'t>>> {
        let mut items = Vec::with_capacity(look.index.entries.len() + look.wants.len());
        let mut wants = look.wants.iter().peekable();
        let add = |path: &'t [u8], want: &'t Want, items: &mut Vec<Item<'t>>| {
            let found = match want {
                Want::Gone => None,
                Want::Link { oid } => Some((index::LINK, oid.as_slice())),
                Want::File { .. } => match memory.find(path).and_then(Now::entry) {
                    Some((_, mode, oid)) => Some((mode, oid)),
                    // Not remembered because it changed only just now; or it is gone since.
                    None => after
                        .iter()
                        .find_map(|index| index.find_stored(path).map(|e| (e.mode, index.oid(e)))),
                },
            };
            if let Some((mode, oid)) = found {
                if oid.len() != look.width {
                    return Err(Error::new(
                        ErrorKind::Git,
                        format!(
                            "{} is a repository of another object format",
                            crate::name::to_text(path)
                        ),
                    ));
                }
                items.push(Item { path, mode, oid });
            }
            Ok(())
        };
        for entry in &look.index.entries {
            let path = look.index.path(entry);
            while let Some((path, want)) = wants.next_if(|(p, _)| p.as_slice() < path) {
                add(path, want, &mut items)?;
            }
            if wants.peek().is_some_and(|(p, _)| p.as_slice() == path) {
                continue;
            }
            // Whatever is in conflict or only intended was looked at, and is among the wants.
            if entry.stage == 0 && !entry.intent_to_add {
                let (mode, oid) = (entry.mode, look.index.oid(entry));
                items.push(Item { path, mode, oid });
            }
        }
        for (path, want) in wants {
            add(path, want, &mut items)?;
        }
        Ok(items)
    }

    /// What is known of the paths that differ from the user's index, and whether that is everything: a
    /// file that changed only just now is looked at again the next time.
    fn learn<'m>(
        &self,
        look: &Look,
        after: &[Index],
        known: impl Fn(&[u8]) -> Option<&'m Now>,
        begun: i128,
    ) -> (memory::Overlay, bool) {
        let mut overlay = Vec::with_capacity(look.wants.len());
        let mut complete = true;
        for (path, want) in &look.wants {
            let now = match want {
                Want::Gone => Some(Now::Gone),
                Want::Link { oid } => Some(Now::Link { oid: oid.clone() }),
                Want::File { stat } => match known(path) {
                    Some(now) if now.is_file(stat, &look.index.seed(path)) => Some(now.clone()),
                    _ => after
                        .iter()
                        .find_map(|index| Some((index, index.find_stored(path)?)))
                        .filter(|(_, e)| e.stat.is_of(stat) && scan::is_settled(stat, begun))
                        .map(|(index, e)| Now::File {
                            stat: *stat,
                            mode: e.mode,
                            oid: index.oid(e).to_owned(),
                            seed: look.index.seed(path),
                        }),
                },
            };
            match now {
                Some(now) => overlay.push((path.clone(), now)),
                None => complete = false,
            }
        }
        (overlay, complete)
    }

    /// Has git store the content of files as `git add` would.
    fn store(&self, place: &Place, files: &[(&[u8], u64)], deadline: Instant) -> Result<()> {
        let mut files = files.iter();
        let mut next = files.next();
        while next.is_some() {
            let (mut input, mut count, mut bytes) = (Vec::new(), 0, 0_u64);
            while let Some((path, size)) = next
                && count < BATCH
                && (count == 0 || bytes + size <= BATCH_BYTES)
            {
                input.extend_from_slice(path);
                input.push(0);
                count += 1;
                bytes += size;
                next = files.next();
            }
            let call = self
                .git(Some(place), deadline)
                .args(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"])
                .stdin(input);
            let output = run(&call)?;
            if output.timed_out {
                return Err(failed(&output, "store the changed files")
                    .hint("the next call goes on where this one was stopped"));
            }
            // A filter that is not required may fail and git goes on with the raw content.
            if !output.is_success() || complains(&output.stderr) {
                return Err(failed(&output, "store the changed files").hint(
                    "make the named file readable, or mend the filter that .gitattributes asks for it",
                ));
            }
        }
        Ok(())
    }

    /// A git call with the private object folder and, where given, the private index.
    fn git(&self, place: Option<&Place>, deadline: Instant) -> Command {
        let left = deadline
            .saturating_duration_since(Instant::now())
            .max(Duration::from_millis(1));
        let mut command = self.plain_git(left);
        if let Some(place) = place {
            command = command.env("GIT_INDEX_FILE", place.index());
        }
        command
            .env("GIT_OBJECT_DIRECTORY", self.objects())
            .env(
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                quoted(&self.repo.common_dir().join("objects")),
            )
            .env("GIT_NO_REPLACE_OBJECTS", "1")
    }

    /// A git call on the user's own index and objects, which only reads.
    fn plain_git(&self, left: Duration) -> Command {
        let mut command = git(&self.repo.entry, left);
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

    /// The folder of this work tree in the cache; makes it and the object folder.
    fn place(&self) -> Result<Place> {
        let root = self.repo.work_tree()?;
        let mut name = root.as_os_str().as_bytes().to_owned();
        name.push(0);
        name.extend_from_slice(self.repo.git_dir().as_os_str().as_bytes());
        let dir = self.cache.join(Digest::of(&name).as_str());
        if !dir.is_dir() {
            fs::create_dir_all(&dir).map_err(|e| self.unwritable(e))?;
        }
        self.ready()?;
        Ok(Place { dir })
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
        let mut file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|e| self.unwritable(e))?;
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
    stderr
        .split(|b| *b == b'\n')
        .any(|line| line.starts_with(b"error:") || line.starts_with(b"fatal:"))
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
