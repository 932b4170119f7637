//! Reading and writing git's index file (versions 2 to 4; written as version 2).
//!
//! Only what the tree identity needs: paths, modes, object ids, what git remembers of a file's state,
//! and the flags. Written without a checksum, which git takes for "not to be checked".

use std::ops::Range;

/// Mode of a commit of another repository.
pub(crate) const LINK: u32 = 0o160_000;
/// Mode of a folder, which only an index of a sparse checkout holds.
pub(crate) const FOLDER: u32 = 0o040_000;
/// The bits of a mode that say what it is.
pub(crate) const KIND: u32 = 0o170_000;

/// Longest path that systems take, in bytes; as the measure of what the paths of an index may take together.
const LONGEST: usize = 4096;

/// What git remembers of a file to see whether it changed. Numbers are cut to 32 bits, as git does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) ctime: u32,
    pub(crate) ctime_nanos: u32,
    pub(crate) mtime: u32,
    pub(crate) mtime_nanos: u32,
    pub(crate) ino: u32,
    pub(crate) size: u32,
}

impl Stat {
    /// Whether git, which may have been built without nanoseconds, noted this state for `seen`.
    pub(crate) fn is_of(&self, seen: &Self) -> bool {
        if self.ctime_nanos == 0 && self.mtime_nanos == 0 {
            let cut = Self {
                ctime_nanos: 0,
                mtime_nanos: 0,
                ..*seen
            };
            return *self == cut;
        }
        self == seen
    }
}

/// One line of the index.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    path: Range<usize>,
    pub(crate) stat: Stat,
    pub(crate) mode: u32,
    oid: Range<usize>,
    /// 0, or 1 to 3 in a conflict.
    pub(crate) stage: u8,
    pub(crate) skip_worktree: bool,
    pub(crate) intent_to_add: bool,
    pub(crate) assume_valid: bool,
}

/// A parsed index.
#[derive(Debug, Default)]
pub(crate) struct Index {
    bytes: Vec<u8>,
    /// The paths of version 4, which cuts common beginnings away.
    names: Option<Vec<u8>>,
    pub(crate) entries: Vec<Entry>,
    /// The extension that remembers the ids of whole folders.
    tree: Option<Range<usize>>,
}

/// Why an index cannot be read here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Git can write it in a form that can be read.
    Form,
    /// It is damaged.
    Damaged,
}

impl Index {
    pub(crate) fn path(&self, entry: &Entry) -> &[u8] {
        let from = self.names.as_ref().unwrap_or(&self.bytes);
        from.get(entry.path.clone()).unwrap_or_default()
    }

    pub(crate) fn oid(&self, entry: &Entry) -> &[u8] {
        self.bytes.get(entry.oid.clone()).unwrap_or_default()
    }

    /// What is remembered of whole folders, as it stands.
    pub(crate) fn folders(&self) -> Option<&[u8]> {
        self.bytes.get(self.tree.clone()?)
    }

    /// The tree of all that is in the index, where git has noted it and nothing was staged since.
    pub(crate) fn noted_tree(&self, width: usize) -> Option<&[u8]> {
        let body = self.folders()?.strip_prefix(b"\0")?;
        let end = body.iter().position(|b| *b == b'\n')?;
        let count = std::str::from_utf8(body.get(..end)?).ok()?.split(' ').next()?;
        count.parse::<usize>().ok()?;
        body.get(end + 1..end + 1 + width)
    }

    /// The entry of a path, outside conflicts.
    pub(crate) fn find(&self, path: &[u8]) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|e| self.path(e).cmp(path)).ok()?;
        self.entries.get(at).filter(|e| e.stage == 0)
    }

    /// The entry of a path whose content git has looked at.
    pub(crate) fn find_stored(&self, path: &[u8]) -> Option<&Entry> {
        self.find(path).filter(|e| e.stat != Stat::default())
    }

    /// What is here for a file, for git to start from.
    pub(crate) fn seed_entry(&self, path: &[u8]) -> Option<&Entry> {
        self.find(path).filter(|e| e.mode != LINK && !e.intent_to_add)
    }

    /// The same as mode and object id.
    pub(crate) fn seed(&self, path: &[u8]) -> Option<(u32, Vec<u8>)> {
        let entry = self.seed_entry(path)?;
        Some((entry.mode, self.oid(entry).to_owned()))
    }

    /// Whether a path is in the index, in conflict or not.
    pub(crate) fn has(&self, path: &[u8]) -> bool {
        self.entries.binary_search_by(|e| self.path(e).cmp(path)).is_ok()
    }

    /// Reads an index whose object ids have `width` bytes.
    pub(crate) fn parse(bytes: Vec<u8>, width: usize) -> std::result::Result<Self, Unread> {
        let mut index = Self::default();
        let mut at = Reader { bytes: &bytes, at: 0 };
        if at.take(4)? != b"DIRC" {
            return Err(Unread::Damaged);
        }
        let version = at.number()?;
        if !(2..=4).contains(&version) {
            return Err(Unread::Form);
        }
        let count = at.number()? as usize;
        // An entry has at least this size; a count that cannot be is not believed.
        if count > bytes.len() / (42 + width) {
            return Err(Unread::Damaged);
        }
        index.entries.reserve(count);
        let mut names: Vec<u8> = Vec::new();
        let mut last: Range<usize> = 0..0;
        for _ in 0..count {
            let begin = at.at;
            let ctime = at.number()?;
            let ctime_nanos = at.number()?;
            let mtime = at.number()?;
            let mtime_nanos = at.number()?;
            // Device, user and group are not kept.
            at.take(4)?;
            let ino = at.number()?;
            let mode = at.number()?;
            at.take(8)?;
            let size = at.number()?;
            let oid = at.at..at.at + width;
            at.take(width)?;
            let flags = at.short()?;
            let more = if flags & 0x4000 == 0 { 0 } else { at.short()? };
            if mode & KIND == FOLDER {
                return Err(Unread::Form);
            }
            let path = if version == 4 {
                let cut = at.offset()?;
                let tail = at.until_nul()?;
                let kept = last
                    .end
                    .checked_sub(cut)
                    .filter(|e| *e >= last.start)
                    .ok_or(Unread::Damaged)?;
                let start = names.len();
                names.extend_from_within(last.start..kept);
                names.extend_from_slice(bytes.get(tail).unwrap_or_default());
                // Each path repeats the one before it, so a long one many times would take any amount of memory.
                if names.len() / LONGEST > bytes.len() / 64 + 1 {
                    return Err(Unread::Damaged);
                }
                start..names.len()
            } else {
                let path = at.until_nul()?;
                // Entries are filled up with zeros to a multiple of eight bytes.
                let length = (path.end - begin) / 8 * 8 + 8;
                at.at = begin + length;
                path
            };
            last = path.clone();
            index.entries.push(Entry {
                path,
                stat: Stat {
                    ctime,
                    ctime_nanos,
                    mtime,
                    mtime_nanos,
                    ino,
                    size,
                },
                mode,
                oid,
                stage: u8::try_from(flags >> 12 & 3).unwrap_or(0),
                skip_worktree: more & 0x4000 != 0,
                intent_to_add: more & 0x2000 != 0,
                assume_valid: flags & 0x8000 != 0,
            });
        }
        let end = bytes.len().checked_sub(width).ok_or(Unread::Damaged)?;
        while at.at + 8 <= end {
            let name = at.take(4)?;
            let size = at.number()? as usize;
            let body = at.at..at.at.checked_add(size).ok_or(Unread::Damaged)?;
            match name {
                b"TREE" => index.tree = Some(body),
                // Lower case: git itself refuses to go on without understanding it.
                [b'a'..=b'z', ..] => return Err(Unread::Form),
                _ => {}
            }
            at.take(size)?;
        }
        if at.at > end {
            return Err(Unread::Damaged);
        }
        index.names = (version == 4).then_some(names);
        index.bytes = bytes;
        if index.is_in_order() {
            Ok(index)
        } else {
            Err(Unread::Damaged)
        }
    }

    /// Whether paths can be looked for by halves: each entry has a name, and stands behind the one before it.
    fn is_in_order(&self) -> bool {
        let named = self.entries.first().is_none_or(|e| !self.path(e).is_empty());
        let in_order = self.entries.windows(2).all(|pair| match pair {
            [a, b] => (self.path(a), a.stage) < (self.path(b), b.stage),
            _ => true,
        });
        named && in_order
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> std::result::Result<&'a [u8], Unread> {
        let end = self.at.checked_add(n).ok_or(Unread::Damaged)?;
        let got = self.bytes.get(self.at..end).ok_or(Unread::Damaged)?;
        self.at = end;
        Ok(got)
    }

    fn number(&mut self) -> std::result::Result<u32, Unread> {
        let four = self.take(4)?.try_into().map_err(|_| Unread::Damaged)?;
        Ok(u32::from_be_bytes(four))
    }

    fn short(&mut self) -> std::result::Result<u16, Unread> {
        let two = self.take(2)?.try_into().map_err(|_| Unread::Damaged)?;
        Ok(u16::from_be_bytes(two))
    }

    /// A number of version 4: seven bits a byte, each further byte standing for one more.
    fn offset(&mut self) -> std::result::Result<usize, Unread> {
        let mut value = 0_usize;
        loop {
            let byte = self.take(1)?.first().copied().unwrap_or(0);
            value |= usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            if value > 1 << 32 {
                return Err(Unread::Damaged);
            }
            value = (value + 1) << 7;
        }
    }

    fn until_nul(&mut self) -> std::result::Result<Range<usize>, Unread> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|b| *b == 0).ok_or(Unread::Damaged)?;
        let range = self.at..self.at + length;
        self.at = range.end + 1;
        Ok(range)
    }
}

/// An entry to be written.
#[derive(Clone, Debug)]
pub(crate) struct New<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) mode: u32,
    pub(crate) oid: &'a [u8],
}

/// Writes an index of version 2 with these entries (sorted by path). Nothing is said about the state
/// of the files, so that git looks at their content.
pub(crate) fn write(entries: &[New<'_>], width: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(entries.len() * 128 + 64);
    out.extend_from_slice(b"DIRC\0\0\0\x02");
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&count.to_be_bytes());
    for entry in entries {
        let begin = out.len();
        out.extend_from_slice(&[0; 24]);
        out.extend_from_slice(&entry.mode.to_be_bytes());
        out.extend_from_slice(&[0; 12]);
        out.extend_from_slice(entry.oid);
        let flags = u16::try_from(entry.path.len()).unwrap_or(0xfff).min(0xfff);
        out.extend_from_slice(&flags.to_be_bytes());
        out.extend_from_slice(entry.path);
        let length = (out.len() - begin) / 8 * 8 + 8;
        out.resize(begin + length, 0);
    }
    out.resize(out.len() + width, 0);
    out
}
