//! What stands in a work tree now, as far as it differs from the user's index.

use super::compute::Stored;
use super::index::{self, Index, Stat, Unread};
use super::memory::{Memory, Now};
use super::scan::{Root, Seen, moment};
use super::{Lock, OWN, Place, Trees};
use crate::git::{failed, must, run};
use crate::{Repo, name};
use proctor_kernel::{Digest, Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

/// What is to stand at a path in place of what the index says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Gone,
    File { stat: Stat },
    Link { oid: Vec<u8> },
}

/// The state of a work tree at one moment.
pub(crate) struct Look {
    pub(crate) index: Index,
    /// Bytes of an object id.
    pub(crate) width: usize,
    /// Which index file this is.
    index_is: String,
    pub(crate) key: String,
    pub(crate) cleaning: String,
    pub(crate) wants: BTreeMap<Vec<u8>, Want>,
}

impl Look {
    /// Whether the user's index is still the one that was read.
    pub(crate) fn is_current(&self, repo: &Repo) -> bool {
        let meta = fs::metadata(repo.git_dir().join("index"));
        self.index_is == identity(meta.as_ref().ok())
    }

    /// Tells every path whose folders are not as the index remembers them.
    pub(crate) fn touched<'t>(&'t self, mut tell: impl FnMut(&'t [u8])) {
        self.wants.keys().for_each(|path| tell(path));
        for entry in &self.index.entries {
            if entry.stage != 0 || entry.intent_to_add {
                tell(self.index.path(entry));
            }
        }
    }

    /// The remembered tree, when nothing changed since.
    pub(crate) fn answer(&self, memory: &Memory) -> Option<String> {
        let same = memory.key == self.key
            && memory.overlay.len() == self.wants.len()
            && memory
                .overlay
                .iter()
                .zip(&self.wants)
                .all(|((p, now), (q, want))| p == q && is_same(now, want));
        memory.tree.clone().filter(|_| same)
    }
}

fn is_same(now: &Now, want: &Want) -> bool {
    match (now, want) {
        (Now::Gone, Want::Gone) => true,
        (Now::File { stat: a, .. }, Want::File { stat: b }) => a == b,
        (Now::Link { oid: a }, Want::Link { oid: b }) => a == b,
        _ => false,
    }
}

/// The files that memory does not know in their present state, with their sizes.
pub(crate) fn unknown<'w, 'm>(
    wants: &'w BTreeMap<Vec<u8>, Want>,
    known: impl Fn(&[u8]) -> Option<&'m Now>,
    index: &Index,
) -> Vec<(&'w [u8], u64)> {
    let is_known =
        |path: &[u8], stat: &Stat| known(path).is_some_and(|now| now.is_file(stat, &index.seed(path)));
    wants
        .iter()
        .filter_map(|(path, want)| match want {
            Want::File { stat } if !is_known(path, stat) => Some((path.as_slice(), u64::from(stat.size))),
            _ => None,
        })
        .collect()
}

/// What was stored before all was known.
pub(crate) struct Early {
    pub(crate) lock: Lock,
    pub(crate) after: Stored,
    pub(crate) stored: Result<()>,
}

impl Trees<'_> {
    /// Looks at everything. Costs one git process, which runs while files are compared here and those
    /// that changed are stored.
    pub(crate) fn look(
        &self,
        place: &Place,
        memory: &Memory,
        deadline: Instant,
    ) -> Result<(Look, Option<Early>)> {
        let root = Root::open(self.repo.work_tree()?)?;
        let width = if self.repo.sha256 { 32 } else { 20 };
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| self.untracked(deadline));
            let here = || {
                let (index, index_is, at) = self.read_index(place, width, deadline)?;
                let wants = self.tracked(&root, &index, at)?;
                let early = self.early(place, memory, &index, &wants, width, deadline)?;
                Ok::<_, Error>((wants, index, index_is, early))
            };
            let here = here();
            let untracked = asked
                .join()
                .map_err(|_| Error::new(ErrorKind::Internal, "a thread that runs git failed"))?;
            let (mut wants, index, index_is, early) = here?;
            for path in untracked?.split(|b| *b == 0).filter(|p| !p.is_empty()) {
                self.add_untracked(&root, path, &mut wants)?;
            }
            let cleaning = self.cleaning(&index, &wants);
            let look = Look {
                key: format!("{index_is} {cleaning} {}", self.repo.is_sparse()),
                index,
                width,
                index_is,
                cleaning,
                wants,
            };
            Ok((look, early))
        })
    }

    /// Stores the tracked files that changed, while git still lists the others. Not when somebody else
    /// is at it: then it is done after them.
    fn early(
        &self,
        place: &Place,
        memory: &Memory,
        index: &Index,
        wants: &BTreeMap<Vec<u8>, Want>,
        width: usize,
        deadline: Instant,
    ) -> Result<Option<Early>> {
        let unknown = unknown(wants, |path| memory.find(path), index);
        if unknown.is_empty() {
            return Ok(None);
        }
        let Ok(lock) = self.lock(&place.lock(), Instant::now()) else {
            return Ok(None);
        };
        let (after, stored) = self.stored(place, index, &unknown, width, deadline)?;
        Ok(Some(Early { lock, after, stored }))
    }

    /// What git would add that it does not track: its standard rules of exclusion, none of ours but
    /// for our own folder.
    fn untracked(&self, deadline: Instant) -> Result<Vec<u8>> {
        let left = deadline.saturating_duration_since(Instant::now());
        let call = self.plain_git(left).args([
            "ls-files",
            "-z",
            "--others",
            "--exclude-standard",
            "--exclude=/.proctor/",
        ]);
        let output = run(&call)?;
        let unreadable = String::from_utf8_lossy(&output.stderr)
            .lines()
            .any(|l| l.contains("could not open directory") || l.contains("unable to access"));
        if !output.is_success() || unreadable || super::complains(&output.stderr) {
            return Err(failed(&output, "list untracked files")
                .hint("make the named folder readable, or list it in .gitignore"));
        }
        Ok(output.stdout)
    }

    fn tracked(&self, root: &Root, index: &Index, at: i128) -> Result<BTreeMap<Vec<u8>, Want>> {
        let sparse = self.repo.is_sparse();
        let mut wants = BTreeMap::new();
        for entry in root.differing(index, at)? {
            let path = index.path(entry);
            if path.starts_with(OWN) {
                wants.insert(path.to_owned(), Want::Gone);
                continue;
            }
            let seen = if root.is_inside(path)? {
                root.look(path)?
            } else {
                Seen::Nothing
            };
            let want = match seen {
                Seen::Nothing if entry.skip_worktree && sparse && entry.stage == 0 => continue,
                Seen::Nothing => Want::Gone,
                Seen::File(stat, _) => Want::File { stat },
                Seen::Special => return Err(special(path)),
                Seen::Folder => match self.link(path)? {
                    Some(oid) if oid == index.oid(entry) && entry.stage == 0 => continue,
                    Some(oid) => Want::Link { oid },
                    // A submodule that is not checked out, or has no commit yet, is as the index says.
                    None if entry.mode == index::LINK && entry.stage == 0 => continue,
                    None => Want::Gone,
                },
            };
            wants.insert(path.to_owned(), want);
        }
        // Entries of our own folder are left out although their files are unchanged.
        for entry in &index.entries {
            let path = index.path(entry);
            if path.starts_with(OWN) {
                wants.insert(path.to_owned(), Want::Gone);
            }
        }
        Ok(wants)
    }

    fn add_untracked(&self, root: &Root, path: &[u8], wants: &mut BTreeMap<Vec<u8>, Want>) -> Result<()> {
        if let Some(folder) = path.strip_suffix(b"/") {
            // A repository without a commit holds nothing that git could add.
            if let Some(oid) = self.link(folder)? {
                wants.insert(folder.to_owned(), Want::Link { oid });
            }
            return Ok(());
        }
        match root.look(path)? {
            Seen::File(stat, _) => {
                wants.insert(path.to_owned(), Want::File { stat });
            }
            Seen::Nothing | Seen::Folder | Seen::Special => {}
        }
        Ok(())
    }

    /// The user's index.
    pub(crate) fn index(&self, deadline: Instant) -> Result<Index> {
        let width = if self.repo.sha256 { 32 } else { 20 };
        Ok(self.read_index(&self.place()?, width, deadline)?.0)
    }

    /// The user's index with the text that tells it from others, and when it was written.
    fn read_index(&self, place: &Place, width: usize, deadline: Instant) -> Result<(Index, String, i128)> {
        let path = self.repo.git_dir().join("index");
        let unreadable = |e| Error::new(ErrorKind::Git, format!("cannot read {}", path.display())).because(e);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Ok((Index::default(), identity(None), 0));
            }
            Err(e) => return Err(unreadable(e)),
        };
        let meta = file.metadata().map_err(unreadable)?;
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        let index_is = identity(Some(&meta));
        // The smaller one: a time in the future is not believed.
        let at = moment(cut(meta.mtime()), cut(meta.mtime_nsec()))
            .min(moment(cut(meta.ctime()), cut(meta.ctime_nsec())));
        let index = match Index::parse(bytes, width) {
            Ok(index) => index,
            Err(Unread::Form) => self.plain_index(place, &meta, &index_is, width, deadline)?,
            Err(Unread::Damaged) => return Err(damaged(&path)),
        };
        Ok((index, index_is, at))
    }

    /// The user's index in a form that can be read here (it may be split or sparse), written by git
    /// into the cache.
    fn plain_index(
        &self,
        place: &Place,
        meta: &Metadata,
        index_is: &str,
        width: usize,
        deadline: Instant,
    ) -> Result<Index> {
        let source = self.repo.git_dir().join("index");
        let path = place
            .dir
            .join(format!("plain-{}", Digest::of(index_is.as_bytes()).as_str()));
        if let Ok(bytes) = fs::read(&path)
            && let Ok(index) = Index::parse(bytes, width)
        {
            return Ok(index);
        }
        let _lock = self.lock(&place.dir.join("plain-lock"), deadline)?;
        for old in fs::read_dir(&place.dir).into_iter().flatten().flatten() {
            if old.file_name().as_encoded_bytes().starts_with(b"plain-") && old.file_name() != "plain-lock" {
                let _ = fs::remove_file(old.path());
            }
        }
        let new = place.dir.join("plain");
        fs::copy(&source, &new).map_err(|e| self.unwritable(e))?;
        if let Ok(time) = meta.modified()
            && let Ok(file) = File::options().write(true).open(&new)
        {
            // Git judges by this time which files it must look into.
            let _ = file.set_modified(time);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let call = self
            .plain_git(left)
            .env("GIT_INDEX_FILE", &new)
            .args(["update-index", "--force-write-index"]);
        must(&call, "read the index")?;
        fs::rename(&new, &path).map_err(|e| self.unwritable(e))?;
        let bytes = fs::read(&path).map_err(|e| self.unwritable(e))?;
        Index::parse(bytes, width).map_err(|_| damaged(&source))
    }

    /// A text that changes when something changes that says how content is cleaned: attributes,
    /// filters, line ends.
    fn cleaning(&self, index: &Index, wants: &BTreeMap<Vec<u8>, Want>) -> String {
        const ATTRIBUTES: &[u8] = b".gitattributes";
        let is_one = |path: &[u8]| {
            path.strip_suffix(ATTRIBUTES)
                .is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
        };
        let mut text = Vec::new();
        for file in [
            self.repo.common_dir().join("config"),
            self.repo.git_dir().join("config.worktree"),
            self.repo.common_dir().join("info/attributes"),
        ] {
            text.extend_from_slice(identity(fs::metadata(file).ok().as_ref()).as_bytes());
            text.push(0);
        }
        let mut states: BTreeMap<&[u8], Option<Stat>> = index
            .entries
            .iter()
            .map(|e| (index.path(e), Some(e.stat)))
            .filter(|(p, _)| is_one(p))
            .collect();
        for (path, want) in wants.iter().filter(|(p, _)| is_one(p)) {
            let stat = match want {
                Want::File { stat } => Some(*stat),
                Want::Gone | Want::Link { .. } => None,
            };
            states.insert(path, stat);
        }
        for (path, stat) in states {
            text.extend_from_slice(path);
            text.extend_from_slice(format!("\0{stat:?}\0").as_bytes());
        }
        Digest::of(&text).as_str().to_owned()
    }
}

fn special(path: &[u8]) -> Error {
    Error::new(
        ErrorKind::Git,
        format!("{} is neither a file nor a link", name::to_text(path)),
    )
    .hint("git tracks a file of this name; remove what stands there now")
}

fn damaged(path: &Path) -> Error {
    Error::new(ErrorKind::Git, format!("{} is damaged", path.display()))
        .hint("`git status` tells more; `git reset` writes it anew")
}

/// A file as one text: the same text, the same file, unchanged.
pub(crate) fn identity(meta: Option<&Metadata>) -> String {
    meta.map_or_else(
        || "none".to_owned(),
        |m| {
            format!(
                "{}.{}.{}.{}.{}.{}",
                m.ino(),
                m.size(),
                m.mtime(),
                m.mtime_nsec(),
                m.ctime(),
                m.ctime_nsec()
            )
        },
    )
}

fn cut(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(0)
}
