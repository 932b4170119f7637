//! What stands in a work tree now, as far as it differs from the user's index.

use super::compute::Stored;
use super::glance::{Glance, Here};
use super::index::{self, Index, Stat};
use super::memory::{Memory, Now};
use super::read::{Read, identity};
use super::scan::{Root, Seen};
use super::share::Comparison;
use super::{Lock, OWN, Place, Trees};
use crate::git::{failed, run};
use crate::{Repo, name};
use proctor_kernel::{Digest, Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

/// What is to stand at a path in place of what the index says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Gone,
    File { stat: Stat },
    Link { oid: Vec<u8> },
}

/// Paths with what is to stand there.
pub(crate) type Wants = BTreeMap<Vec<u8>, Want>;

/// The state of a work tree at one moment.
pub(crate) struct Look {
    pub(crate) index: Arc<Index>,
    /// Bytes of an object id.
    pub(crate) width: usize,
    /// Which index file this is.
    index_is: String,
    pub(crate) key: String,
    pub(crate) cleaning: String,
    pub(crate) wants: Wants,
}

impl Look {
    /// Whether the user's index is still the one that was read.
    pub(crate) fn is_current(&self, repo: &Repo) -> bool {
        let meta = fs::metadata(repo.git_dir().join("index"));
        self.index_is == identity(meta.as_ref().ok())
    }

    /// Tells every path whose folders are not as the index remembers them.
    pub(crate) fn touched<'t>(&'t self, mut tell: impl FnMut(&'t [u8])) {
        self.wants.keys().for_each(|path| tell(path));
        for entry in &self.index.entries {
            if entry.stage != 0 || entry.intent_to_add {
                tell(self.index.path(entry));
            }
        }
    }

    /// The remembered tree, when nothing changed since.
    pub(crate) fn answer(&self, memory: &Memory) -> Option<String> {
        let same = memory.key == self.key
            && memory.overlay.len() == self.wants.len()
            && memory
                .overlay
                .iter()
                .zip(&self.wants)
                .all(|((p, now), (q, want))| p == q && is_same(now, want));
        memory.tree.clone().filter(|_| same)
    }
}

fn is_same(now: &Now, want: &Want) -> bool {
    match (now, want) {
        (Now::Gone, Want::Gone) => true,
        (Now::File { stat: a, .. }, Want::File { stat: b }) => a == b,
        (Now::Link { oid: a }, Want::Link { oid: b }) => a == b,
        _ => false,
    }
}

/// The files that memory does not know in their present state, with their sizes.
pub(crate) fn unknown<'w, 'm>(
    wants: &'w Wants,
    known: impl Fn(&[u8]) -> Option<&'m Now>,
    index: &Index,
) -> Vec<(&'w [u8], u64)> {
    let is_known =
        |path: &[u8], stat: &Stat| known(path).is_some_and(|now| now.is_file(stat, &index.seed(path)));
    wants
        .iter()
        .filter_map(|(path, want)| match want {
            Want::File { stat } if !is_known(path, stat) => Some((path.as_slice(), u64::from(stat.size))),
            _ => None,
        })
        .collect()
}

/// What was stored before all was known.
pub(crate) struct Early {
    pub(crate) lock: Lock,
    pub(crate) after: Stored,
    pub(crate) stored: Result<()>,
}

impl Trees<'_> {
    /// Looks at everything. Costs no git process, or one, which runs while files are compared here and those
    /// that changed are stored.
    pub(crate) fn look(
        &self,
        place: &Place,
        memory: &Memory,
        deadline: Instant,
    ) -> Result<(Look, Option<Early>)> {
        let glance = self.glance(place, deadline)?;
        let Glance { root, read, .. } = &*glance;
        if let Some(Here { wants, others }) = self.seen_here(place, &glance, deadline)? {
            return Ok((self.looked(root, read, wants.clone(), others)?, None));
        }
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| self.untracked(deadline));
            let here = || {
                let wants = self.tracked(root, read, Comparison::begin(root, &read.index, read.at))?;
                let early = self.early(place, memory, &read.index, &wants, deadline)?;
                Ok::<_, Error>((wants, early))
            };
            let here = here();
            let untracked = asked
                .join()
                .map_err(|_| Error::new(ErrorKind::Internal, "a thread that runs git failed"))?;
            let (wants, early) = here?;
            let untracked = untracked?;
            let others = untracked.split(|b| *b == 0).filter(|p| !p.is_empty());
            let others: Vec<Vec<u8>> = others.map(<[u8]>::to_owned).collect();
            Ok((self.looked(root, read, wants, &others)?, early))
        })
    }

    /// The untracked files, where git need not be asked.
    #[cfg(test)]
    pub(crate) fn others(&self) -> Result<Option<Vec<Vec<u8>>>> {
        let (place, deadline) = (self.place()?, self.deadline());
        let glance = self.glance(&place, deadline)?;
        let here = self.seen_here(&place, &glance, deadline)?;
        Ok(here.map(|here| here.others.clone()))
    }

    #[cfg(test)]
    pub(crate) fn place_dir(&self) -> Result<std::path::PathBuf> {
        Ok(self.place()?.dir)
    }

    fn looked(&self, root: &Root, read: &Read, mut wants: Wants, others: &[Vec<u8>]) -> Result<Look> {
        for path in others {
            self.add_untracked(root, path, &mut wants)?;
        }
        let cleaning = self.cleaning(&read.index, &wants);
        Ok(Look {
            key: format!("{} {cleaning} {}", read.index_is, read.is_sparse),
            index: Arc::clone(&read.index),
            width: self.width(),
            index_is: read.index_is.clone(),
            cleaning,
            wants,
        })
    }

    /// Bytes of an object id.
    pub(crate) fn width(&self) -> usize {
        if self.repo.sha256 { 32 } else { 20 }
    }

    /// Stores the tracked files that changed, while git still lists the others. Not when somebody else
    /// is at it: then it is done after them.
    fn early(
        &self,
        place: &Place,
        memory: &Memory,
        index: &Index,
        wants: &Wants,
        deadline: Instant,
    ) -> Result<Option<Early>> {
        let unknown = unknown(wants, |path| memory.find(path), index);
        if unknown.is_empty() {
            return Ok(None);
        }
        let Ok(lock) = self.lock(&place.lock(), Instant::now()) else {
            return Ok(None);
        };
        let (after, stored) = self.stored(place, index, &unknown, self.width(), deadline)?;
        Ok(Some(Early { lock, after, stored }))
    }

    /// What git would add that it does not track: its standard rules of exclusion, none of ours but
    /// for our own folder.
    fn untracked(&self, deadline: Instant) -> Result<Vec<u8>> {
        let left = deadline.saturating_duration_since(Instant::now());
        let call = self.plain_git(left).args([
            "ls-files",
            "-z",
            "--others",
            "--exclude-standard",
            "--exclude=/.proctor/",
        ]);
        let output = run(&call)?;
        let unreadable = String::from_utf8_lossy(&output.stderr)
            .lines()
            .any(|l| l.contains("could not open directory") || l.contains("unable to access"));
        if !output.is_success() || unreadable || super::complains(&output.stderr) {
            return Err(failed(&output, "list untracked files")
                .hint("make the named folder readable, or list it in .gitignore"));
        }
        Ok(output.stdout)
    }

    pub(crate) fn tracked(&self, root: &Root, read: &Read, comparison: Comparison) -> Result<Wants> {
        let (index, sparse) = (&read.index, read.is_sparse);
        let mut wants = BTreeMap::new();
        let differing = comparison.end()?;
        for entry in differing.into_iter().filter_map(|place| index.entries.get(place)) {
            let path = index.path(entry);
            if path.starts_with(OWN) {
                wants.insert(path.to_owned(), Want::Gone);
                continue;
            }
            let seen = if root.is_inside(path)? {
                root.look(path)?
            } else {
                Seen::Nothing
            };
            let want = match seen {
                Seen::Nothing if entry.skip_worktree && sparse && entry.stage == 0 => continue,
                Seen::Nothing => Want::Gone,
                Seen::File(stat, _) => Want::File { stat },
                Seen::Special => return Err(special(path)),
                Seen::Folder => match self.link(path)? {
                    Some(oid) if oid == index.oid(entry) && entry.stage == 0 => continue,
                    Some(oid) => Want::Link { oid },
                    // A submodule that is not checked out, or has no commit yet, is as the index says.
                    None if entry.mode == index::LINK && entry.stage == 0 => continue,
                    None => Want::Gone,
                },
            };
            wants.insert(path.to_owned(), want);
        }
        // Entries of our own folder are left out although their files are unchanged.
        let from = index.entries.partition_point(|e| index.path(e) < OWN);
        let own = index.entries.get(from..).unwrap_or_default().iter();
        for path in own
            .map(|e| index.path(e))
            .take_while(|path| path.starts_with(OWN))
        {
            wants.insert(path.to_owned(), Want::Gone);
        }
        Ok(wants)
    }

    fn add_untracked(&self, root: &Root, path: &[u8], wants: &mut Wants) -> Result<()> {
        if let Some(folder) = path.strip_suffix(b"/") {
            // A repository without a commit holds nothing that git could add.
            if let Some(oid) = self.link(folder)? {
                wants.insert(folder.to_owned(), Want::Link { oid });
            }
            return Ok(());
        }
        match root.look(path)? {
            Seen::File(stat, _) => {
                wants.insert(path.to_owned(), Want::File { stat });
            }
            Seen::Nothing | Seen::Folder | Seen::Special => {}
        }
        Ok(())
    }

    /// A text that changes when something changes that says how content is cleaned: attributes,
    /// filters, line ends.
    fn cleaning(&self, index: &Index, wants: &Wants) -> String {
        const ATTRIBUTES: &[u8] = b".gitattributes";
        let is_one = |path: &[u8]| {
            path.strip_suffix(ATTRIBUTES)
                .is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
        };
        let mut text = Vec::new();
        for file in [
            self.repo.common_dir().join("config"),
            self.repo.git_dir().join("config.worktree"),
            self.repo.common_dir().join("info/attributes"),
        ] {
            text.extend_from_slice(identity(fs::metadata(file).ok().as_ref()).as_bytes());
            text.push(0);
        }
        let mut states: BTreeMap<&[u8], Option<Stat>> = index
            .entries
            .iter()
            .map(|e| (index.path(e), Some(e.stat)))
            .filter(|(p, _)| is_one(p))
            .collect();
        for (path, want) in wants.iter().filter(|(p, _)| is_one(p)) {
            let stat = match want {
                Want::File { stat } => Some(*stat),
                Want::Gone | Want::Link { .. } => None,
            };
            states.insert(path, stat);
        }
        for (path, stat) in states {
            text.extend_from_slice(path);
            text.extend_from_slice(format!("\0{stat:?}\0").as_bytes());
        }
        Digest::of(&text).as_str().to_owned()
    }
}

fn special(path: &[u8]) -> Error {
    Error::new(
        ErrorKind::Git,
        format!("{} is neither a file nor a link", name::to_text(path)),
    )
    .hint("git tracks a file of this name; remove what stands there now")
}
