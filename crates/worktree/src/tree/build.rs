//! The tree objects of a list of files.

use super::hash::object_id;
use super::heap::Stock;
use super::index::Index;
use super::memory::hex;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::Path;

/// A file of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) mode: u32,
    pub(crate) oid: &'a [u8],
}

/// What git remembers of whole folders in its index: how many entries they span, and their tree.
pub(crate) type Folders<'a> = HashMap<Vec<u8>, (usize, &'a [u8])>;

/// Computes the tree of the items (sorted by path), and puts the tree objects that are not known to
/// exist into the stock. `folders` are those whose tree is known already.
pub(crate) fn tree(items: &[Item<'_>], folders: &Folders<'_>, width: usize, stock: &Stock<'_>) -> Vec<u8> {
    Builder {
        folders,
        width,
        stock,
    }
    .folder(items, 0)
}

struct Builder<'a> {
    folders: &'a Folders<'a>,
    width: usize,
    stock: &'a Stock<'a>,
}

impl Builder<'_> {
    /// The tree of items that share the first `depth` bytes of their paths, a folder with its slash.
    fn folder(&self, items: &[Item<'_>], depth: usize) -> Vec<u8> {
        let mut body = Vec::with_capacity(items.len().min(1 << 16) * 40);
        let mut rest = items;
        while let Some(first) = rest.first() {
            let name = first.path.get(depth..).unwrap_or_default();
            let Some(slash) = name.iter().position(|b| *b == b'/') else {
                put(&mut body, first.mode, name, first.oid);
                rest = rest.get(1..).unwrap_or_default();
                continue;
            };
            let end = depth + slash;
            let folder = first.path.get(..=end).unwrap_or_default();
            let count = self.count(rest, folder);
            let (inside, after) = rest.split_at(count);
            let known = first
                .path
                .get(..end)
                .and_then(|path| self.folders.get(path))
                .filter(|(entries, _)| *entries == count)
                .map(|(_, oid)| oid.to_vec());
            let oid = match known {
                Some(oid) => oid,
                None => self.folder(inside, end + 1),
            };
            put(&mut body, 0o040_000, name.get(..slash).unwrap_or_default(), &oid);
            rest = after;
        }
        let oid = object_id("tree", &body, self.width);
        self.stock.put(&oid, "tree", body);
        oid
    }

    /// How many of the items, from the first on, are in a folder.
    fn count(&self, items: &[Item<'_>], folder: &[u8]) -> usize {
        items.partition_point(|item| item.path.starts_with(folder))
    }
}

/// Adds a line to the object of a folder.
pub(crate) fn put(body: &mut Vec<u8>, mode: u32, name: &[u8], oid: &[u8]) {
    body.extend_from_slice(format!("{mode:o} ").as_bytes());
    body.extend_from_slice(name);
    body.push(0);
    body.extend_from_slice(oid);
}

/// Reads what the index remembers of whole folders, but for those that have changed. Nothing when it
/// cannot be read: then all trees are computed.
pub(crate) fn folders<'a>(index: &'a Index, touched: &BTreeSet<&[u8]>, width: usize) -> Folders<'a> {
    index
        .folders()
        .and_then(|body| read_folders(body, touched, width))
        .unwrap_or_default()
}

fn read_folders<'a>(body: &'a [u8], touched: &BTreeSet<&[u8]>, width: usize) -> Option<Folders<'a>> {
    let mut found = Folders::new();
    // The folders that are open: the length of the path above, and how many inside are still to come.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut path: Vec<u8> = Vec::new();
    let mut rest = body;
    let mut first = true;
    while first || !open.is_empty() {
        let nul = rest.iter().position(|b| *b == 0)?;
        let name = rest.get(..nul)?;
        let after = rest.get(nul + 1..)?;
        let end = after.iter().position(|b| *b == b'\n')?;
        let line = std::str::from_utf8(after.get(..end)?).ok()?;
        let (count, inside) = line.split_once(' ')?;
        let (count, inside): (i64, usize) = (count.parse().ok()?, inside.parse().ok()?);
        rest = after.get(end + 1..)?;
        let above = path.len();
        if !first {
            if above > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(name);
        }
        if let Ok(count) = usize::try_from(count) {
            let oid = rest.get(..width)?;
            rest = rest.get(width..)?;
            if !first && !touched.contains(path.as_slice()) {
                found.insert(path.clone(), (count, oid));
            }
        }
        first = false;
        open.push((above, inside));
        while let Some((above, left)) = open.pop() {
            if left > 0 {
                open.push((above, left - 1));
                break;
            }
            path.truncate(above);
        }
    }
    rest.is_empty().then_some(found)
}

/// Notes the folders above a path as changed.
pub(crate) fn touch<'a>(touched: &mut BTreeSet<&'a [u8]>, path: &'a [u8]) {
    let mut path = path;
    while let Some(at) = path.iter().rposition(|b| *b == b'/') {
        path = path.get(..at).unwrap_or_default();
        if !touched.insert(path) {
            return;
        }
    }
}

/// Stores an object by itself, uncompressed, unless it is there.
pub(crate) fn store(objects: &Path, oid: &[u8], kind: &str, body: &[u8]) -> io::Result<()> {
    let name = hex(oid);
    let (folder, file) = name.split_at(2);
    let folder = objects.join(folder);
    let path = folder.join(file);
    if path.exists() {
        return Ok(());
    }
    let mut content = format!("{kind} {}\0", body.len()).into_bytes();
    content.extend_from_slice(body);
    let stored = stored(&content);
    let new = folder.join(format!("tmp_{file}_{}", std::process::id()));
    match fs::write(&new, &stored) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(&folder)?;
            fs::write(&new, &stored)?;
        }
        written => written?,
    }
    fs::rename(new, path)
}

/// The zlib form of some bytes, without compression.
pub(crate) fn stored(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + content.len() / 1000 + 16);
    out.extend_from_slice(&[0x78, 0x01]);
    let mut blocks = content.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        out.push(u8::from(blocks.peek().is_none()));
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    // So many bytes can be added before the sums must be cut.
    for part in content.chunks(5552) {
        for byte in part {
            a += u32::from(*byte);
            b += a;
        }
        a %= 65_521;
        b %= 65_521;
    }
    out.extend_from_slice(&(b << 16 | a).to_be_bytes());
    out
}

/// What was put into that form; nothing when it is another one, such as what git compressed.
pub(crate) fn unstored(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes.strip_prefix(&[0x78, 0x01])?;
    let mut content = Vec::with_capacity(bytes.len());
    loop {
        let (head, after) = rest.split_at_checked(5)?;
        let [last @ (0 | 1), a, b, c, d] = *head else {
            return None;
        };
        let length = u16::from_le_bytes([a, b]);
        if u16::from_le_bytes([c, d]) != !length {
            return None;
        }
        let (block, after) = after.split_at_checked(usize::from(length))?;
        content.extend_from_slice(block);
        rest = after;
        if last == 1 {
            return (rest.len() == 4).then_some(content);
        }
    }
}
