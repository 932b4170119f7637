//! What is remembered from one call to the next: the last answer, what it was computed from, and the
//! ids of the files that differ from the user's index.

use super::index::Stat;
use crate::file;
use proctor_kernel::Digest;
use std::io;
use std::path::Path;

const HEADER: &str = "proctor tree 1";

/// Mode and object id of a path in the user's index.
pub(crate) type Seed = Option<(u32, Vec<u8>)>;

/// What stands at a path that differs from the user's index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    /// Nothing that git would add.
    Gone,
    /// A file: its state, mode and object id as git stores it, and what the user's index held for it
    /// then (git's answer for line ends and modes may depend on that).
    File {
        stat: Stat,
        mode: u32,
        oid: Vec<u8>,
        seed: Seed,
    },
    /// Another repository, by a commit.
    Link { oid: Vec<u8> },
}

impl Now {
    /// Whether this is a file in this state, stored on top of this.
    pub(crate) fn is_file(&self, now: &Stat, on: &Seed) -> bool {
        matches!(self, Self::File { stat, seed, .. } if stat == now && seed == on)
    }

    /// The file as an entry of an index.
    pub(crate) fn entry(&self) -> Option<(Stat, u32, &[u8])> {
        match self {
            Self::File { stat, mode, oid, .. } => Some((*stat, *mode, oid.as_slice())),
            Self::Gone | Self::Link { .. } => None,
        }
    }
}

/// Paths with what stands there, sorted.
pub(crate) type Overlay = Vec<(Vec<u8>, Now)>;

/// The remembered answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Everything but the files that the answer depends on: the index file's state, and the files that
    /// say how content is cleaned.
    pub(crate) key: String,
    /// The part of the key that the ids of the overlay depend on.
    pub(crate) cleaning: String,
    /// The tree; `None` while only some files are known.
    pub(crate) tree: Option<String>,
    pub(crate) overlay: Overlay,
}

impl Memory {
    /// Reads what was written; nothing when it is missing or damaged, for it is only a cache.
    pub(crate) fn load(path: &Path) -> Option<Self> {
        let bytes = file::read(path).ok()?;
        let split = bytes.iter().position(|b| *b == b'\n')?;
        let body = bytes.get(split + 1..)?;
        if bytes.get(..split)? != Digest::of(body).as_str().as_bytes() {
            return None;
        }
        let mut fields = body.split(|b| *b == 0);
        let mut text = || std::str::from_utf8(fields.next()?).ok().map(str::to_owned);
        if text()? != HEADER {
            return None;
        }
        let mut memory = Self {
            key: text()?,
            cleaning: text()?,
            tree: Some(text()?).filter(|t| !t.is_empty()),
            overlay: Vec::new(),
        };
        loop {
            let path = fields.next()?;
            if path.is_empty() {
                return Some(memory);
            }
            let now = read_now(std::str::from_utf8(fields.next()?).ok()?)?;
            memory.overlay.push((path.to_owned(), now));
        }
    }

    /// Writes it. Who reads meanwhile sees by the digest that it is not whole.
    pub(crate) fn save(&self, path: &Path) -> io::Result<()> {
        let tree = self.tree.as_deref().unwrap_or_default();
        let mut body = format!("{HEADER}\0{}\0{}\0{tree}\0", self.key, self.cleaning).into_bytes();
        for (path, now) in &self.overlay {
            body.extend_from_slice(path);
            body.push(0);
            body.extend_from_slice(write_now(now).as_bytes());
            body.push(0);
        }
        body.push(0);
        let mut whole = format!("{}\n", Digest::of(&body)).into_bytes();
        whole.extend_from_slice(&body);
        file::rewrite(path, &whole)
    }

    /// What is known of a path.
    pub(crate) fn find(&self, path: &[u8]) -> Option<&Now> {
        let at = self
            .overlay
            .binary_search_by(|(p, _)| p.as_slice().cmp(path))
            .ok()?;
        self.overlay.get(at).map(|(_, now)| now)
    }
}

fn write_now(now: &Now) -> String {
    match now {
        Now::Gone => "-".to_owned(),
        Now::Link { oid } => format!("l {}", hex(oid)),
        Now::File {
            stat: s,
            mode,
            oid,
            seed,
        } => format!(
            "f {} {} {} {} {} {} {mode:o} {}{}",
            s.ctime,
            s.ctime_nanos,
            s.mtime,
            s.mtime_nanos,
            s.ino,
            s.size,
            hex(oid),
            seed.as_ref()
                .map(|(mode, oid)| format!(" {mode:o} {}", hex(oid)))
                .unwrap_or_default()
        ),
    }
}

fn read_now(text: &str) -> Option<Now> {
    let mut words = text.split(' ');
    match words.next()? {
        "-" => Some(Now::Gone),
        "l" => Some(Now::Link {
            oid: unhex(words.next()?)?,
        }),
        "f" => {
            let mut number = || words.next()?.parse::<u32>().ok();
            let stat = Stat {
                ctime: number()?,
                ctime_nanos: number()?,
                mtime: number()?,
                mtime_nanos: number()?,
                ino: number()?,
                size: number()?,
            };
            Some(Now::File {
                stat,
                mode: u32::from_str_radix(words.next()?, 8).ok()?,
                oid: unhex(words.next()?)?,
                seed: match words.next() {
                    Some(mode) => Some((u32::from_str_radix(mode, 8).ok()?, unhex(words.next()?)?)),
                    None => None,
                },
            })
        }
        _ => None,
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The bytes of hexadecimal digits.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    digits
        .len()
        .is_multiple_of(2)
        .then(|| {
            digits
                .chunks(2)
                .map(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok())
                .collect()
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_bytes() {
        assert_eq!(unhex(&hex(&[0, 15, 255])), Some(vec![0, 15, 255]));
        assert_eq!((unhex("0"), unhex("0g")), (None, None));
    }
}
