//! Reading the user's index.

use super::index::{Index, Unread};
use super::scan::moment;
use super::{Place, Trees};
use crate::file;
use crate::git::must;
use proctor_kernel::{Digest, Error, ErrorKind, Result};
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// An index that was read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) index: Arc<Index>,
    /// Which index file this is.
    pub(crate) index_is: String,
    /// When it was written.
    pub(crate) at: i128,
    /// Whether only a part of the files is checked out.
    pub(crate) is_sparse: bool,
}

impl Trees<'_> {
    /// The user's index.
    pub(crate) fn index(&self, deadline: Instant) -> Result<Arc<Index>> {
        Ok(self.read_index(&self.place()?, deadline)?.index)
    }

    /// The user's index with the text that tells it from others, and when it was written.
    pub(crate) fn read_index(&self, place: &Place, deadline: Instant) -> Result<Read> {
        let width = self.width();
        let path = self.repo.git_dir().join("index");
        let unreadable = |e| Error::new(ErrorKind::Git, format!("cannot read {}", path.display())).because(e);
        let Some((bytes, meta)) = whole(&path).map_err(unreadable)? else {
            return Ok(Read {
                index: Arc::default(),
                index_is: identity(None),
                at: 0,
                is_sparse: self.repo.is_sparse(),
            });
        };
        let index_is = identity(Some(&meta));
        let at = written(&meta);
        let index = match Index::parse(bytes, width) {
            Ok(index) => index,
            Err(Unread::Form) => self.plain_index(place, &meta, &index_is, width, deadline)?,
            Err(Unread::Damaged) => return Err(damaged(&path)),
        };
        Ok(Read {
            index: Arc::new(index),
            index_is,
            at,
            is_sparse: self.repo.is_sparse(),
        })
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
        if let Ok(bytes) = file::read(&path)
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
        let unreadable =
            |e| Error::new(ErrorKind::Git, format!("cannot read {}", source.display())).because(e);
        let bytes = file::read(&source).map_err(unreadable)?;
        file::write(&new, &bytes).map_err(|e| self.unwritable(e))?;
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
        let bytes = file::read(&path).map_err(|e| self.unwritable(e))?;
        Index::parse(bytes, width).map_err(|_| damaged(&source))
    }
}

/// The content of an index file; nothing when there is none.
pub(crate) fn whole(path: &Path) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    let (mut file, meta) = match file::open(path) {
        Ok(opened) => opened,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let mut bytes = Vec::with_capacity(file::room(&meta, u64::MAX));
    file.read_to_end(&mut bytes)?;
    Ok(Some((bytes, meta)))
}

/// When an index file was written. The smaller one of two times: one in the future is not believed.
pub(crate) fn written(meta: &Metadata) -> i128 {
    moment(cut(meta.mtime()), cut(meta.mtime_nsec())).min(moment(cut(meta.ctime()), cut(meta.ctime_nsec())))
}

pub(crate) fn damaged(path: &Path) -> Error {
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
