//! The files that git would add and does not track, listed here: a git process costs more than the folders do.
//!
//! Whatever is not surely as git would see it (an unusual pattern, a repository inside, a folder that cannot be read)
//! is left to git.

use super::index::{Entry, Index, LINK};
use super::patterns::{Odd, Patterns};
use super::settings::Settings;
use crate::{Repo, file};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use std::cell::OnceCell;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// Largest file of patterns that is read.
const LARGEST: u64 = 1 << 20;
const IGNORE: &[u8] = b".gitignore";

/// Git is to be asked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AskGit;

impl From<rustix::io::Errno> for AskGit {
    fn from(_: rustix::io::Errno) -> Self {
        Self
    }
}

impl From<std::io::Error> for AskGit {
    fn from(_: std::io::Error) -> Self {
        Self
    }
}

impl From<Odd> for AskGit {
    fn from(_: Odd) -> Self {
        Self
    }
}

/// The names in a folder, sorted; kept in one text.
#[derive(Default)]
struct Names {
    text: Vec<u8>,
    list: Vec<(Range<usize>, FileType)>,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    buffer: Vec<u8>,
}

impl Names {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn fill(&mut self, fd: &OwnedFd) -> Result<(), AskGit> {
        self.buffer.reserve(32 << 10);
        let mut dir = rustix::fs::RawDir::new(fd, self.buffer.spare_capacity_mut());
        while let Some(entry) = dir.next() {
            let entry = entry?;
            add(
                &mut self.text,
                &mut self.list,
                entry.file_name().to_bytes(),
                entry.file_type(),
            );
        }
        Ok(())
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn fill(&mut self, fd: &OwnedFd) -> Result<(), AskGit> {
        let mut dir = rustix::fs::Dir::read_from(fd)?;
        while let Some(entry) = dir.read() {
            let entry = entry?;
            add(
                &mut self.text,
                &mut self.list,
                entry.file_name().to_bytes(),
                entry.file_type(),
            );
        }
        Ok(())
    }

    fn sort(&mut self) {
        let text = &self.text;
        self.list
            .sort_unstable_by(|(a, _), (b, _)| text.get(a.clone()).cmp(&text.get(b.clone())));
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], FileType)> {
        let name = |at: &Range<usize>| self.text.get(at.clone()).unwrap_or_default();
        self.list.iter().map(move |(at, kind)| (name(at), *kind))
    }

    fn find(&self, name: &[u8]) -> Option<FileType> {
        let of = |at: &Range<usize>| self.text.get(at.clone()).unwrap_or_default();
        let at = self.list.binary_search_by(|(at, _)| of(at).cmp(name)).ok()?;
        self.list.get(at).map(|(_, kind)| *kind)
    }
}

fn add(text: &mut Vec<u8>, list: &mut Vec<(Range<usize>, FileType)>, name: &[u8], kind: FileType) {
    if name != b"." && name != b".." {
        let from = text.len();
        text.extend_from_slice(name);
        list.push((from..text.len(), kind));
    }
}

/// The entries of the index below a folder, walked along with the sorted names in it.
struct Tracked<'a> {
    index: &'a Index,
    /// Length of the folder's path with its slash.
    base: usize,
    rest: &'a [Entry],
}

impl Tracked<'_> {
    /// Whether the index has a name in the folder, in conflict or not. Names must be asked in their order.
    fn has(&mut self, name: &[u8]) -> bool {
        while let Some(first) = self.rest.first() {
            let path = self.index.path(first);
            let below = path.get(self.base..).unwrap_or_default();
            if below >= name {
                return below == name;
            }
            // What is in a folder is passed over with it.
            let end = below.iter().position(|b| *b == b'/').map(|at| self.base + at);
            let count = match end.and_then(|end| path.get(..=end)) {
                Some(folder) => self
                    .rest
                    .partition_point(|e| self.index.path(e).starts_with(folder)),
                None => 1,
            };
            self.rest = self.rest.get(count.max(1)..).unwrap_or_default();
        }
        false
    }
}

/// The patterns of a folder, and those of the folders above.
struct Level {
    patterns: Patterns,
    /// Length of the folder's path with its slash.
    base: usize,
    above: Option<Rc<Level>>,
}

/// The untracked files around other repositories.
pub(crate) struct Around {
    pub(crate) others: Vec<Vec<u8>>,
    /// The folders of those repositories.
    pub(crate) inner: Vec<Vec<u8>>,
}

/// Lists the untracked files that are not ignored.
pub(crate) struct Lister<'a> {
    root: BorrowedFd<'a>,
    index: &'a Index,
    /// Patterns for the whole work tree, in the order in which they are asked.
    general: Vec<Patterns>,
    deadline: Instant,
    /// A pipe in the place of a file of patterns.
    pipe: OnceCell<Vec<u8>>,
}

impl<'a> Lister<'a> {
    /// Reads the patterns that no folder holds.
    pub(crate) fn new(
        repo: &Repo,
        settings: &Settings,
        root: BorrowedFd<'a>,
        index: &'a Index,
        deadline: Instant,
    ) -> Result<Self, AskGit> {
        let own = settings.excludes.as_deref().ok_or(AskGit)?;
        // Where the work tree is elsewhere git has rules of its own, and without a caller the configuration is not known.
        if repo.caller.is_none() || repo.root() != Some(repo.entry.as_path()) {
            return Err(AskGit);
        }
        let mut general = Vec::new();
        for file in [repo.common_dir().join("info/exclude").as_path(), own] {
            if let Some(patterns) = general_patterns(file)? {
                general.push(patterns);
            }
        }
        Ok(Self {
            root,
            index,
            general,
            deadline,
            pipe: OnceCell::new(),
        })
    }

    /// The paths, in no order.
    pub(crate) fn list(&self) -> Result<Vec<Vec<u8>>, AskGit> {
        self.walk(None)
    }

    /// The same, but for what is in other repositories that the index does not have; with where those are.
    pub(crate) fn list_around(&self) -> Result<Around, AskGit> {
        let mut inner = Vec::new();
        let others = self.walk(Some(&mut inner))?;
        Ok(Around { others, inner })
    }

    fn walk(&self, mut inner: Option<&mut Vec<Vec<u8>>>) -> Result<Vec<Vec<u8>>, AskGit> {
        let mut found = Vec::new();
        let mut open: Vec<(Vec<u8>, Option<Rc<Level>>)> = vec![(Vec::new(), None)];
        let mut names = Names::default();
        while let Some((folder, level)) = open.pop() {
            if Instant::now() >= self.deadline {
                return Err(AskGit);
            }
            let fd = self.read(&folder, &mut names)?;
            let git = names.find(b".git").filter(|_| !folder.is_empty());
            if let (Some(kind), Some(inner)) = (git, inner.as_mut())
                && (kind == FileType::RegularFile
                    || rustix::fs::statat(&fd, ".git/HEAD", AtFlags::empty()).is_ok())
            {
                inner.push(folder.strip_suffix(b"/").unwrap_or(&folder).to_owned());
                continue;
            }
            let level = self.level(&folder, &names, level)?;
            // A repository inside, or the remains of one.
            if git.is_some() && inner.is_none() {
                return Err(AskGit);
            }
            let entries = self.below(&folder);
            let mut tracked = Tracked {
                index: self.index,
                base: folder.len(),
                rest: entries,
            };
            let mut path = folder;
            for (name, kind) in names.iter() {
                let kind = match kind {
                    FileType::Unknown => {
                        let stat = rustix::fs::statat(&fd, name, AtFlags::SYMLINK_NOFOLLOW)?;
                        FileType::from_raw_mode(stat.st_mode)
                    }
                    kind => kind,
                };
                if name == b".git" {
                    continue;
                }
                let is_folder = kind == FileType::Directory;
                let is_file = matches!(kind, FileType::RegularFile | FileType::Symlink);
                if !is_folder && (!is_file || tracked.has(name)) {
                    continue;
                }
                path.truncate(tracked.base);
                path.extend_from_slice(name);
                if is_folder && path == b".proctor" || self.is_ignored(&path, is_folder, level.as_ref()) {
                    continue;
                }
                if !is_folder {
                    found.push(path.clone());
                } else if !self.is_link(entries, &path) {
                    open.push(([path.as_slice(), b"/"].concat(), level.clone()));
                }
            }
        }
        Ok(found)
    }

    /// A pipe at which git would wait.
    pub(crate) fn pipe(&self) -> Option<&[u8]> {
        self.pipe.get().map(Vec::as_slice)
    }

    /// Reads the names in a folder.
    fn read(&self, folder: &[u8], names: &mut Names) -> Result<OwnedFd, AskGit> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
        let path: &[u8] = if folder.is_empty() { b"." } else { folder };
        let fd = rustix::fs::openat(self.root, path, flags, Mode::empty())?;
        names.text.clear();
        names.list.clear();
        names.fill(&fd)?;
        names.sort();
        Ok(fd)
    }

    /// The patterns that hold in a folder.
    fn level(
        &self,
        folder: &[u8],
        names: &Names,
        above: Option<Rc<Level>>,
    ) -> Result<Option<Rc<Level>>, AskGit> {
        let path = [folder, IGNORE].concat();
        let Some(kind) = names.find(IGNORE) else {
            // One that is left out of a sparse checkout holds as the index has it.
            return match self.index.find(&path) {
                Some(entry) if entry.skip_worktree => Err(AskGit),
                _ => Ok(above),
            };
        };
        if !matches!(kind, FileType::RegularFile | FileType::Unknown) {
            if kind == FileType::Fifo {
                let _ = self.pipe.set(path);
            }
            return Err(AskGit);
        }
        let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY | OFlags::NONBLOCK;
        let file = rustix::fs::openat(self.root, path.as_slice(), flags, Mode::empty())?;
        let patterns = patterns_of(std::fs::File::from(file))?;
        if patterns.is_empty() {
            return Ok(above);
        }
        Ok(Some(Rc::new(Level {
            patterns,
            base: folder.len(),
            above,
        })))
    }

    fn is_ignored(&self, path: &[u8], is_folder: bool, level: Option<&Rc<Level>>) -> bool {
        let mut level = level;
        while let Some(one) = level {
            let below = path.get(one.base..).unwrap_or_default();
            if let Some(answer) = one.patterns.ignores(below, is_folder) {
                return answer;
            }
            level = one.above.as_ref();
        }
        let mut general = self.general.iter();
        general.find_map(|p| p.ignores(path, is_folder)).unwrap_or(false)
    }

    /// The entries of the index below a folder.
    fn below(&self, folder: &[u8]) -> &'a [Entry] {
        let entries = self.index.entries.as_slice();
        let from = entries.partition_point(|e| self.index.path(e) < folder);
        let entries = entries.get(from..).unwrap_or_default();
        let to = entries.partition_point(|e| self.index.path(e).starts_with(folder));
        entries.get(..to).unwrap_or_default()
    }

    /// Whether the index has another repository there.
    fn is_link(&self, entries: &[Entry], path: &[u8]) -> bool {
        let from = entries.partition_point(|e| self.index.path(e) < path);
        let here = entries.get(from..).unwrap_or_default().iter();
        here.take_while(|e| self.index.path(e) == path)
            .any(|e| e.mode == LINK)
    }
}

/// A file of patterns for the whole work tree; nothing when there is none.
fn general_patterns(path: &Path) -> Result<Option<Patterns>, AskGit> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(Some(patterns_of(file::open(path)?.0)?)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        _ => Err(AskGit),
    }
}

fn patterns_of(file: std::fs::File) -> Result<Patterns, AskGit> {
    let meta = file.metadata()?;
    let mut text = Vec::with_capacity(file::room(&meta, LARGEST));
    if !meta.is_file() || file.take(LARGEST + 1).read_to_end(&mut text)? as u64 > LARGEST {
        return Err(AskGit);
    }
    Ok(Patterns::read(&text)?)
}
