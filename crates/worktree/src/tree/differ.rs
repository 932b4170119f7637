//! How two trees differ, told without git where their folders are at hand: those that were stored here, and those that
//! the user's index remembers. Each is believed only when its bytes have the id that was asked for.

use super::compare::{Change, ChangeKind};
use super::hash::object_id;
use super::heap::Heap;
use super::index::{FOLDER, Index, KIND};
use super::memory::{hex, unhex};
use super::{Trees, build};
use crate::{file, name};
use proctor_kernel::TreeId;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

/// Largest folder that is read, in bytes of its object.
const LARGEST: u64 = 16 << 20;
/// Differences beyond this number of folders are left to git.
const MOST: usize = 2_000;

/// A line of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    name: Vec<u8>,
    mode: u32,
    oid: Vec<u8>,
}

impl Line {
    fn is_folder(&self) -> bool {
        self.mode == FOLDER
    }

    /// The name as trees are sorted by it.
    fn key(&self) -> impl Iterator<Item = u8> + '_ {
        let end = self.is_folder().then_some(b'/');
        self.name.iter().copied().chain(end)
    }
}

/// Where folders are read from.
struct Folders<'t> {
    trees: &'t Trees<'t>,
    objects: PathBuf,
    heap: OnceCell<Heap>,
    width: usize,
    noted: OnceCell<Option<Noted>>,
}

/// The folders that the user's index remembers: by their id, their path and how many entries they span.
struct Noted {
    index: Arc<Index>,
    by_id: HashMap<Vec<u8>, (Vec<u8>, usize)>,
    by_path: HashMap<Vec<u8>, Vec<u8>>,
}

impl Trees<'_> {
    /// The paths that differ, sorted; nothing when git is to be asked.
    pub(crate) fn changes_here(&self, from: &TreeId, to: &TreeId) -> Option<Vec<Change>> {
        let folders = Folders {
            trees: self,
            objects: self.objects(),
            heap: OnceCell::new(),
            width: self.width(),
            noted: OnceCell::new(),
        };
        let mut changes = Vec::new();
        let mut open = vec![(Vec::new(), Some(unhex(from.as_str())?), Some(unhex(to.as_str())?))];
        let mut read = 0;
        while let Some((path, from, to)) = open.pop() {
            read += 1;
            if read > MOST {
                return None;
            }
            let lines = |oid: Option<Vec<u8>>| match oid {
                Some(oid) => folders.read(&oid),
                None => Some(Vec::new()),
            };
            let (from, to) = (lines(from)?, lines(to)?);
            for (old, new) in pairs(&from, &to) {
                let Some(name) = old.or(new).map(|line| line.name.as_slice()) else {
                    continue;
                };
                let below = |end: &[u8]| [path.as_slice(), name, end].concat();
                let inside = |line: Option<&Line>| line.filter(|l| l.is_folder()).map(|l| l.oid.clone());
                let kind = match (old, new) {
                    (Some(old), Some(new)) if old == new => continue,
                    (Some(line), _) | (None, Some(line)) if line.is_folder() => {
                        open.push((below(b"/"), inside(old), inside(new)));
                        continue;
                    }
                    (Some(_), None) => ChangeKind::Deleted,
                    (Some(old), Some(new)) if old.mode & KIND != new.mode & KIND => ChangeKind::Retyped,
                    (Some(_), Some(_)) => ChangeKind::Modified,
                    (None, _) => ChangeKind::Added,
                };
                let path = name::to_text(&below(b""));
                changes.push(Change { path, kind });
            }
        }
        changes.sort();
        Some(changes)
    }
}

/// The lines of two folders side by side. A file and a folder of one name are two lines.
fn pairs<'l>(from: &'l [Line], to: &'l [Line]) -> Vec<(Option<&'l Line>, Option<&'l Line>)> {
    let (mut from, mut to) = (from.iter().peekable(), to.iter().peekable());
    let mut pairs = Vec::new();
    loop {
        let order = match (from.peek(), to.peek()) {
            (None, None) => return pairs,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(old), Some(new)) => old.key().cmp(new.key()),
        };
        pairs.push((
            if order.is_le() { from.next() } else { None },
            if order.is_ge() { to.next() } else { None },
        ));
    }
}

impl Folders<'_> {
    /// What a folder holds; nothing when it is not at hand.
    fn read(&self, oid: &[u8]) -> Option<Vec<Line>> {
        let body = self.stored(oid).or_else(|| self.noted(oid))?;
        (object_id("tree", &body, self.width) == oid).then(|| lines(&body, self.width))?
    }

    /// The bytes of a folder that was stored here.
    fn stored(&self, oid: &[u8]) -> Option<Vec<u8>> {
        let heap = self.heap.get_or_init(|| Heap::open(&self.trees.heap()));
        if let Some(("tree", body)) = heap.find(oid) {
            return Some(body.to_vec());
        }
        let name = hex(oid);
        let (folder, rest) = name.split_at_checked(2)?;
        let (file, meta) = file::open(&self.objects.join(folder).join(rest)).ok()?;
        let mut bytes = Vec::with_capacity(file::room(&meta, LARGEST));
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
        if read as u64 > LARGEST {
            return None;
        }
        let content = build::unstored(&bytes)?;
        let end = content.iter().position(|b| *b == 0)?;
        let length: usize = std::str::from_utf8(content.get(..end)?.strip_prefix(b"tree ")?)
            .ok()?
            .parse()
            .ok()?;
        content
            .get(end + 1..)
            .filter(|b| b.len() == length)
            .map(<[u8]>::to_vec)
    }

    /// The bytes of a folder as the index remembers it.
    fn noted(&self, oid: &[u8]) -> Option<Vec<u8>> {
        let noted = self.noted.get_or_init(|| self.trees.noted()).as_ref()?;
        let (path, count) = noted.by_id.get(oid)?;
        let index = &noted.index;
        let from = index.entries.partition_point(|e| index.path(e) < path.as_slice());
        let mut rest = index.entries.get(from..from.checked_add(*count)?)?;
        let mut body = Vec::with_capacity(rest.len().min(1 << 16) * 40);
        while let Some(entry) = rest.first() {
            let name = index.path(entry).strip_prefix(path.as_slice())?;
            if entry.stage != 0 || entry.intent_to_add {
                return None;
            }
            let Some(slash) = name.iter().position(|b| *b == b'/') else {
                build::put(&mut body, entry.mode, name, index.oid(entry));
                rest = rest.get(1..)?;
                continue;
            };
            let name = name.get(..slash)?;
            let inner = [path.as_slice(), name, b"/"].concat();
            build::put(&mut body, FOLDER, name, noted.by_path.get(&inner)?);
            let inside = rest.partition_point(|e| index.path(e).starts_with(&inner));
            rest = rest.get(inside..)?;
        }
        Some(body)
    }
}

impl Trees<'_> {
    /// The folders that the user's index remembers.
    fn noted(&self) -> Option<Noted> {
        let glance = self.glance(&self.place().ok()?, self.deadline()).ok()?;
        let index = Arc::clone(&glance.read.index);
        let (mut by_id, mut by_path) = (HashMap::new(), HashMap::new());
        for (mut path, (count, oid)) in build::folders(&index, &BTreeSet::new(), self.width()) {
            path.push(b'/');
            by_path.insert(path.clone(), oid.to_vec());
            by_id.insert(oid.to_vec(), (path, count));
        }
        if let Some(oid) = index.noted_tree(self.width()) {
            by_id.insert(oid.to_vec(), (Vec::new(), index.entries.len()));
        }
        Some(Noted {
            index,
            by_id,
            by_path,
        })
    }
}

/// The lines of a folder. Modes that git would not write are left to it.
fn lines(body: &[u8], width: usize) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let nul = rest.iter().position(|b| *b == 0)?;
        let (mode, name) = std::str::from_utf8(rest.get(..6.min(nul))?)
            .ok()
            .and_then(|start| start.split(' ').next())
            .filter(|mode| rest.get(mode.len()) == Some(&b' '))
            .and_then(|mode| Some((mode, rest.get(mode.len() + 1..nul)?)))?;
        let mode = u32::from_str_radix(mode, 8).ok()?;
        if !matches!(mode, FOLDER | 0o100_644 | 0o100_755 | 0o120_000 | 0o160_000) || name.is_empty() {
            return None;
        }
        let end = nul + 1 + width;
        lines.push(Line {
            name: name.to_vec(),
            mode,
            oid: rest.get(nul + 1..end)?.to_vec(),
        });
        rest = rest.get(end..)?;
    }
    Some(lines)
}
