//! Digests of files in a work tree, to tell whether they changed since.

use crate::{Repo, file, name};
use proctor_kernel::Digest;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Files larger than this are known by size and times instead of content.
const LARGE: u64 = 64 << 20;
/// Bytes of content that one call reads at most; files beyond it are known by size and times.
pub(crate) const BUDGET: u64 = 256 << 20;
/// Prefix of digests that stand for size and times.
const STAT: &str = "stat:";
/// Deepest nesting of repositories that is looked into.
const NESTING: u8 = 4;

/// Makes digests within a budget of bytes to read.
pub(crate) struct Digester {
    left: u64,
    depth: u8,
}

impl Digester {
    pub(crate) fn new() -> Self {
        Self {
            left: BUDGET,
            depth: 0,
        }
    }

    /// The digest of a file's mode and content, of a link's target, or of a nested repository's commit
    /// and changes; `None` when there is nothing. The form is opaque but for equality.
    pub(crate) fn of(&mut self, path: &Path) -> Option<String> {
        let meta = fs::symlink_metadata(path).ok()?;
        let kind = meta.file_type();
        if kind.is_symlink() {
            let target = fs::read_link(path).unwrap_or_default();
            return Some(tagged("120000", target.as_os_str().as_bytes()));
        }
        if kind.is_dir() {
            return Some(self.of_dir(path));
        }
        if !kind.is_file() {
            // Opening a pipe or a device would wait, or do something.
            return Some(tagged("special", b""));
        }
        if meta.len() > LARGE || meta.len() > self.left {
            return Some(by_stat(&meta));
        }
        match self.content(path, &meta) {
            Ok(digest) => Some(digest),
            Err(_) => Some(by_stat(&meta)),
        }
    }

    /// Whether a file is as it was when `before` was taken.
    pub(crate) fn is_same(&mut self, path: &Path, before: Option<&str>) -> bool {
        match before {
            Some(before) if before.starts_with(STAT) => {
                fs::symlink_metadata(path).is_ok_and(|meta| by_stat(&meta) == before)
            }
            _ => self.of(path).as_deref() == before,
        }
    }

    fn content(&mut self, path: &Path, meta: &Metadata) -> io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(if meta.mode() & 0o100 == 0 {
            b"100644\0"
        } else {
            b"100755\0"
        });
        let mut file = file::open(path)?.0.take(LARGE + 1);
        let mut buffer = vec![
            0_u8;
            usize::try_from(meta.len() + 1)
                .unwrap_or(usize::MAX)
                .clamp(1, 1 << 20)
        ];
        loop {
            let n = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            self.left = self.left.saturating_sub(n as u64);
            hasher.update(buffer.get(..n).unwrap_or_default());
        }
        Ok(hasher.finalize().to_hex().chars().take(32).collect())
    }

    /// A folder in git's list is a submodule or another repository, or stands where a file was.
    fn of_dir(&mut self, path: &Path) -> String {
        let nested = Repo::discover(path).ok().flatten().filter(|repo| {
            repo.root()
                .is_some_and(|root| fs::canonicalize(path).is_ok_and(|real| real == root))
        });
        let Some(repo) = nested.filter(|_| self.depth < NESTING) else {
            return tagged("directory", b"");
        };
        let Ok(head) = repo.head() else {
            return tagged("160000", b"?");
        };
        let mut text = head.oid.unwrap_or_default().into_bytes();
        self.depth += 1;
        for (path, digest) in repo.dirty_with(self).unwrap_or_default() {
            text.push(0);
            text.extend_from_slice(name::to_path(&path).as_os_str().as_bytes());
            text.push(0);
            text.extend_from_slice(digest.unwrap_or_default().as_bytes());
        }
        self.depth -= 1;
        tagged("160000", &text)
    }
}

fn tagged(tag: &str, bytes: &[u8]) -> String {
    let mut all = Vec::with_capacity(tag.len() + 1 + bytes.len());
    all.extend_from_slice(tag.as_bytes());
    all.push(0);
    all.extend_from_slice(bytes);
    Digest::of(&all).as_str().to_owned()
}

fn by_stat(meta: &Metadata) -> String {
    let text = format!(
        "{} {} {} {} {} {} {}",
        meta.len(),
        meta.mode(),
        meta.ino(),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec()
    );
    format!("{STAT}{}", Digest::of(text.as_bytes()))
}
