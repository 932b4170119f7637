//! Files whose content git would store as it stands. They are stored here, because a git process costs
//! more than a small file; whatever may have to be cleaned is left to git.
//!
//! A file is plain when it has no carriage return (nothing is done to line ends then) and no file of
//! attributes that holds for it says anything about filters, encodings or identifiers.

use super::heap::Stock;
use super::index::{Index, Stat};
use super::scan::{Root, Seen};
use super::{Place, Trees, hash};
use crate::file;
use proctor_kernel::Result;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Instant;

/// Larger files are left to git, which stores them compressed.
pub(crate) const LARGEST: u64 = 256 << 10;
/// More files at once are left to git: one process then costs less.
const MOST: usize = 64;
/// What a file of attributes must not hold.
const WORDS: [&[u8]; 4] = [b"filter", b"ident", b"encoding", b"[attr]"];
/// A stored file: its state, mode and object id.
pub(crate) type Plain = BTreeMap<Vec<u8>, (Stat, u32, Vec<u8>)>;

impl Trees<'_> {
    /// Stores those of the files that are plain.
    pub(crate) fn plain(
        &self,
        place: &Place,
        index: &Index,
        files: &[(&[u8], u64)],
        width: usize,
        deadline: Instant,
    ) -> Result<Plain> {
        let mut stored = Plain::new();
        if files.is_empty() || files.len() > MOST || !self.allowed(place, deadline).plain {
            return Ok(stored);
        }
        let work_tree = self.repo.work_tree()?;
        let root = Root::open(work_tree)?;
        let mut folders = HashMap::new();
        let stock = Stock::of(self);
        for (path, size) in files {
            if *size > LARGEST || may_be_refused(path) || !is_free(work_tree, index, path, &mut folders) {
                continue;
            }
            let Seen::File(before, mode @ (0o100_644 | 0o100_755)) = root.look(path)? else {
                continue;
            };
            // What cannot be read is git's to complain about.
            let Some(content) = content(&work_tree.join(OsStr::from_bytes(path))) else {
                continue;
            };
            if content.contains(&b'\r') || root.look(path)? != Seen::File(before, mode) {
                continue;
            }
            let oid = hash::object_id("blob", &content, width);
            stock.put(&oid, "blob", content);
            stored.insert(path.to_vec(), (before, mode, oid));
        }
        stock.save().map_err(|e| self.unwritable(e))?;
        Ok(stored)
    }
}

/// Whether git may refuse to add a path because some system would take a part of it for `.git`: in other letters, as a
/// short name, with an end that Windows drops, or with signs that macOS does not see.
fn may_be_refused(path: &[u8]) -> bool {
    path.split(|b| *b == b'/').any(|part| {
        let has = |start: &[u8]| {
            part.get(..start.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(start))
        };
        let ends = |at: usize| {
            part.get(at)
                .is_none_or(|b| matches!(b, b' ' | b'.' | b':' | b'\\'))
        };
        // The files that git reads itself must not be links; their short names are left to it too.
        has(b".git") && ends(4)
            || has(b"git~")
            || has(b"gi7eba~")
            || has(b"gitmod~")
            || has(b".gitmodules")
            || part.windows(3).any(|signs| {
                matches!(
                    signs,
                    [0xe2, 0x80, 0x8c..=0x8f | 0xaa..=0xae] | [0xe2, 0x81, 0xaa..=0xaf] | [0xef, 0xbb, 0xbf]
                )
            })
    })
}

/// Whether no file of attributes from the root down to the path has a word for it.
pub(crate) fn is_free(
    work_tree: &Path,
    index: &Index,
    path: &[u8],
    known: &mut HashMap<Vec<u8>, bool>,
) -> bool {
    let ends = path.iter().enumerate().filter(|(_, b)| **b == b'/');
    let folders = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
    folders.into_iter().all(|end| {
        let mut name = path.get(..end).unwrap_or_default().to_vec();
        name.extend_from_slice(b".gitattributes");
        if let Some(free) = known.get(&name) {
            return *free;
        }
        let file = work_tree.join(OsStr::from_bytes(&name));
        let free = match fs::symlink_metadata(&file) {
            Ok(meta) => meta.is_file() && is_silent(&file),
            // In a sparse checkout the one in the index may hold.
            Err(_) => !index.find(&name).is_some_and(|e| e.skip_worktree),
        };
        known.insert(name, free);
        free
    })
}

/// Whether a file of attributes is not there, or has none of the words.
pub(crate) fn is_silent(file: &Path) -> bool {
    if fs::symlink_metadata(file).is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound) {
        return true;
    }
    let has = |text: &[u8]| {
        WORDS
            .iter()
            .any(|word| text.windows(word.len()).any(|part| part == *word))
    };
    content(file).is_some_and(|text| !has(&text))
}

/// The content of a file that is not large.
pub(crate) fn content(file: &Path) -> Option<Vec<u8>> {
    let (file, meta) = file::open(file).ok()?;
    let mut content = Vec::with_capacity(file::room(&meta, LARGEST));
    let read = file.take(LARGEST + 1).read_to_end(&mut content).ok()?;
    (read as u64 <= LARGEST).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::may_be_refused;

    #[test]
    fn names_that_stand_for_the_repositorys_own_folder() {
        for path in [
            ".GIT/x",
            "a/.Git",
            "git~1/x",
            "GIT~2",
            ".git ",
            ".git./x",
            ".git::$INDEX",
            ".g\u{200c}it/x",
            ".gitmodules",
        ] {
            assert!(may_be_refused(path.as_bytes()), "{path}");
        }
        for path in [
            ".gitignore",
            ".github/x",
            "git",
            "src/digit~",
            "–",
            "새 파일",
            ".gitlab-ci.yml",
        ] {
            assert!(!may_be_refused(path.as_bytes()), "{path}");
        }
    }
}
