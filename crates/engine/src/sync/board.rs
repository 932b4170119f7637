//! The lanes of a commit.

use super::Rejected;
use proctor_kernel::{Error, ErrorKind, Result};
use proctor_ledger::{LaneName, MAX_LANE, MAX_LINE, Meeting, PART, meet, parts};
use proctor_worktree::Repo;
use std::collections::BTreeMap;

/// Most lanes that are read of one commit.
const MOST_LANES: usize = 20_000;

/// A lane's content: where it lies in git, or as text that is not there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Objects and sizes of its parts, in order.
    Git(Vec<(String, u64)>),
    /// Its text.
    Text(Vec<u8>),
}

impl Content {
    /// Its length in bytes.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Git(parts) => parts.iter().map(|(_, size)| size).sum(),
            Self::Text(text) => text.len() as u64,
        }
    }
}

/// Reads lanes.
pub(super) struct Texts<'a>(&'a Repo);

impl<'a> Texts<'a> {
    pub(super) fn new(repo: &'a Repo) -> Self {
        Self(repo)
    }

    pub(super) fn of(&self, content: &Content) -> Result<Vec<u8>> {
        match content {
            Content::Text(text) => Ok(text.clone()),
            Content::Git(parts) => {
                let oids: Vec<&str> = parts.iter().map(|(oid, _)| oid.as_str()).collect();
                Ok(self.0.blobs(&oids, MAX_LANE)?.concat())
            }
        }
    }
}

/// The lanes of a commit, and what is to become of them.
#[derive(Debug, Default)]
pub(super) struct Board {
    pub(super) lanes: BTreeMap<LaneName, Content>,
}

impl Board {
    pub(super) fn len(&self) -> usize {
        self.lanes.len()
    }

    /// The names of a clone's lanes.
    pub(super) fn of_clone<'b>(&'b self, clone: &'b str) -> impl Iterator<Item = &'b LaneName> {
        self.lanes.keys().filter(move |name| name.clone == clone)
    }

    /// Reads the names and sizes of a commit's lanes. What is not named and shaped like a lane is rejected.
    pub(super) fn load(repo: &Repo, commit: &str, reject: &mut dyn FnMut(Rejected)) -> Result<Self> {
        let mut found: BTreeMap<LaneName, BTreeMap<u32, (String, u64)>> = BTreeMap::new();
        let mut refuse = |place: &str, why: &str| {
            reject(Rejected {
                // Whatever it is called, it is shown as one short line.
                place: place
                    .chars()
                    .take(120)
                    .map(|c| if c.is_control() { '�' } else { c })
                    .collect(),
                offset: None,
                record: None,
                why: why.to_owned(),
            });
        };
        for entry in repo.files_of(commit)? {
            let why = match (LaneName::parse_part(&entry.path), entry.size) {
                (None, _) => "not named like a part of a lane",
                (Some(_), _) if entry.mode != "100644" => "no ordinary file",
                (Some(_), None) => "no ordinary file",
                (Some(_), Some(size)) if size > (PART + MAX_LINE + 1) as u64 => "larger than a part may be",
                (Some((name, number)), Some(size)) => {
                    if found.len() >= MOST_LANES && !found.contains_key(&name) {
                        return Err(Error::new(
                            ErrorKind::Git,
                            format!("the log at {commit} has more than {MOST_LANES} lanes"),
                        )
                        .hint(
                            "somebody put into it what does not belong there: `git log refs/proctor/log`",
                        ));
                    }
                    found.entry(name).or_default().insert(number, (entry.oid, size));
                    continue;
                }
            };
            refuse(&entry.path, why);
        }
        let mut board = Self::default();
        for (name, parts) in found {
            if !parts.keys().copied().eq((1..).take(parts.len())) {
                refuse(&name.to_string(), "a part of the lane is missing");
                continue;
            }
            let content = Content::Git(parts.into_values().collect());
            if content.len() > MAX_LANE as u64 {
                refuse(&name.to_string(), "larger than a lane may be");
                continue;
            }
            board.lanes.insert(name, content);
        }
        Ok(board)
    }

    /// Adds a lane's text to what is there; tells whether that changed anything.
    pub(super) fn meet(&mut self, texts: &Texts<'_>, name: LaneName, text: Vec<u8>) -> Result<bool> {
        if text.is_empty() {
            return Ok(false);
        }
        let Some(present) = self.lanes.get(&name) else {
            self.lanes.insert(name, Content::Text(text));
            return Ok(true);
        };
        let ours = texts.of(present)?;
        let (aside, kept) = match meet(&ours, &text) {
            Meeting::First => return Ok(false),
            Meeting::Second => {
                self.lanes.insert(name, Content::Text(text));
                return Ok(true);
            }
            Meeting::FirstKeepsName => (text, None),
            Meeting::SecondKeepsName => (ours, Some(text)),
        };
        let other = name.aside(&aside);
        let mut changed = false;
        if other != name && !self.lanes.contains_key(&other) {
            self.lanes.insert(other, Content::Text(aside));
            changed = true;
        }
        if let Some(kept) = kept {
            self.lanes.insert(name, Content::Text(kept));
            changed = true;
        }
        Ok(changed)
    }

    /// Writes everything that is not in git yet, and the tree of it all.
    pub(super) fn write(&self, repo: &Repo) -> Result<String> {
        let mut files = BTreeMap::new();
        for (name, content) in &self.lanes {
            let mut put = |number: usize, oid: String| {
                files.insert(format!("{name}/{:06}.jsonl", number + 1), oid);
            };
            match content {
                Content::Git(parts) => {
                    for (number, (oid, _)) in parts.iter().enumerate() {
                        put(number, oid.clone());
                    }
                }
                Content::Text(text) => {
                    for (number, part) in parts(text).into_iter().enumerate() {
                        put(number, repo.write_blob(part)?);
                    }
                }
            }
        }
        repo.write_tree(&files)
    }
}
