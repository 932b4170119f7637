//! The readers of git's own files, on bytes alone: for whoever tries them on any bytes at all.

use crate::tree::index::{self, Index, New};
use crate::tree::patterns::Patterns;

/// One line of git's index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// The path from the root.
    pub path: Vec<u8>,
    /// What it is, as git writes it.
    pub mode: u32,
    /// The id of its content.
    pub oid: Vec<u8>,
    /// 0, or 1 to 3 in a conflict.
    pub stage: u8,
}

/// The lines of an index whose object ids have `width` bytes, in its order; `None` for one that is damaged, or of a
/// form that is left to git.
#[must_use]
pub fn index(bytes: Vec<u8>, width: usize) -> Option<Vec<IndexEntry>> {
    let index = Index::parse(bytes, width).ok()?;
    let entries = index.entries.iter().map(|entry| IndexEntry {
        path: index.path(entry).to_vec(),
        mode: entry.mode,
        oid: index.oid(entry).to_vec(),
        stage: entry.stage,
    });
    Some(entries.collect())
}

/// These lines as an index of version 2, as Proctor hands it to git; all of them in stage 0.
#[must_use]
pub fn index_of(entries: &[IndexEntry], width: usize) -> Vec<u8> {
    let new: Vec<New<'_>> = entries
        .iter()
        .map(|entry| New {
            path: &entry.path,
            mode: entry.mode,
            oid: &entry.oid,
        })
        .collect();
    index::write(&new, width)
}

/// What a file of patterns says of a path from its folder on: ignored, not ignored, or nothing. The outer `None`: the
/// patterns are left to git.
#[must_use]
pub fn ignores(patterns: &[u8], path: &[u8], is_folder: bool) -> Option<Option<bool>> {
    Some(Patterns::read(patterns).ok()?.ignores(path, is_folder))
}
