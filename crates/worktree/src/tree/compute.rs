//! From what was seen to the tree: git stores the files that are not known yet, the tree is built here.

use super::build::{self, Item};
use super::heap::Stock;
use super::index::{self, Index, New, Stat, write};
use super::look::{self, Early, Look, Want};
use super::memory::{self, Memory, Now, hex};
use super::plain::Plain;
use super::{Place, Trees, complains, scan};
use crate::file;
use crate::git::{failed, run};
use proctor_kernel::{Error, ErrorKind, Result, TreeId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Instant;

/// How many files one git process is given to store, so that a time limit loses little.
const BATCH: usize = 4_000;
/// How many bytes of files one git process is given to store.
const BATCH_BYTES: u64 = 256 << 20;

/// What was stored: by git, by way of an index, and here.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    index: Index,
    plain: Plain,
}

impl Stored {
    /// The state, mode and object id of a file that was stored.
    fn find(&self, path: &[u8]) -> Option<(Stat, u32, &[u8])> {
        if let Some((stat, mode, oid)) = self.plain.get(path) {
            return Some((*stat, *mode, oid));
        }
        let entry = self.index.find_stored(path)?;
        Some((entry.stat, entry.mode, self.index.oid(entry)))
    }
}

impl Trees<'_> {
    /// Has git store what is not known yet, and computes the tree.
    pub(crate) fn compute(
        &self,
        place: &Place,
        look: &Look,
        memory: &Memory,
        early: Early,
        deadline: Instant,
    ) -> Result<TreeId> {
        let Early { lock, after, stored } = early;
        let known = |path: &[u8]| memory.find(path).filter(|_| memory.cleaning == look.cleaning);
        let mut unknown = look::unknown(&look.wants, known, &look.index);
        unknown.retain(|(path, _)| after.find(path).is_none());
        let (rest, stored) = match stored {
            Ok(()) => self.stored(place, &look.index, &unknown, look.width, deadline)?,
            Err(e) => (Stored::default(), Err(e)),
        };
        let after = [after, rest];
        let (overlay, complete) = self.learn(look, &after, known, lock.begun);
        let mut memory = Memory {
            key: if complete { look.key.clone() } else { String::new() },
            cleaning: look.cleaning.clone(),
            tree: None,
            overlay,
        };
        if let Err(e) = stored {
            // What was stored need not be stored again.
            let _ = memory.save(&place.memory());
            return Err(e);
        }
        let items = self.items(look, &memory, &after)?;
        let mut touched = BTreeSet::new();
        look.touched(|path| build::touch(&mut touched, path));
        let folders = build::folders(&look.index, &touched, look.width);
        let stock = Stock::of(self);
        let tree = hex(&build::tree(&items, &folders, look.width, &stock));
        stock.save().map_err(|e| self.unwritable(e))?;
        memory.tree = Some(tree.clone());
        // Without a memory the next call is slower, that is all.
        let _ = memory.save(&place.memory());
        Ok(TreeId::from_text(tree))
    }

    /// Has git store the files that are not known, on an index of its own. Gives what was stored, and
    /// whether all went well.
    pub(crate) fn stored(
        &self,
        place: &Place,
        index: &Index,
        unknown: &[(&[u8], u64)],
        width: usize,
        deadline: Instant,
    ) -> Result<(Stored, Result<()>)> {
        let plain = self.plain(place, index, unknown, width, deadline)?;
        let mut unknown = unknown.to_vec();
        unknown.retain(|(path, _)| !plain.contains_key(*path));
        let mut stored = Stored {
            plain,
            ..Stored::default()
        };
        if unknown.is_empty() {
            return Ok((stored, Ok(())));
        }
        self.refuse_pipes(place, deadline, unknown.iter().map(|(path, _)| *path))?;
        // What is in the user's index decides for git about line ends and modes; and where a file of
        // attributes is left out of a sparse checkout, the one in the index holds.
        let mut seeds: BTreeMap<&[u8], New<'_>> = BTreeMap::new();
        let sparse = self.repo.is_sparse();
        let attributes = index.entries.iter().filter(|e| {
            sparse && e.skip_worktree && e.stage == 0 && index.path(e).ends_with(b".gitattributes")
        });
        let own = unknown.iter().filter_map(|(path, _)| index.seed_entry(path));
        for entry in attributes.chain(own) {
            let (path, oid) = (index.path(entry), index.oid(entry));
            let mode = entry.mode;
            seeds.insert(path, New { path, mode, oid });
        }
        let seeds: Vec<_> = seeds.into_values().collect();
        // One that git left when it was stopped; whoever writes here holds our lock.
        let _ = fs::remove_file(place.index().with_extension("lock"));
        file::write(&place.index(), &write(&seeds, width)).map_err(|e| self.unwritable(e))?;
        let done = self.store(place, &unknown, deadline);
        let bytes = match file::read(&place.index()) {
            Err(_) if done.is_err() => return Ok((stored, done)),
            bytes => bytes.map_err(|e| self.unwritable(e))?,
        };
        stored.index = Index::parse(bytes, width)
            .map_err(|_| Error::new(ErrorKind::Git, "git wrote an index that cannot be read"))?;
        Ok((stored, done))
    }

    /// All files of the tree: those of the user's index, and in their place what was seen.
    fn items<'t>(&self, look: &'t Look, memory: &'t Memory, after: &'t [Stored]) -> Result<Vec<Item<'t>>> {
        let mut items = Vec::with_capacity(look.index.entries.len() + look.wants.len());
        let mut wants = look.wants.iter().peekable();
        let add = |path: &'t [u8], want: &'t Want, items: &mut Vec<Item<'t>>| {
            let found = match want {
                Want::Gone => None,
                Want::Link { oid } => Some((index::LINK, oid.as_slice())),
                Want::File { .. } => match memory.find(path).and_then(Now::entry) {
                    Some((_, mode, oid)) => Some((mode, oid)),
                    // Not remembered because it changed only just now; or it is gone since.
                    None => after
                        .iter()
                        .find_map(|stored| stored.find(path).map(|(_, mode, oid)| (mode, oid))),
                },
            };
            if let Some((mode, oid)) = found {
                if oid.len() != look.width {
                    return Err(Error::new(
                        ErrorKind::Git,
                        format!(
                            "{} is a repository of another object format",
                            crate::name::to_text(path)
                        ),
                    ));
                }
                items.push(Item { path, mode, oid });
            }
            Ok(())
        };
        for entry in &look.index.entries {
            let path = look.index.path(entry);
            while let Some((path, want)) = wants.next_if(|(p, _)| p.as_slice() < path) {
                add(path, want, &mut items)?;
            }
            if wants.peek().is_some_and(|(p, _)| p.as_slice() == path) {
                continue;
            }
            // Whatever is in conflict or only intended was looked at, and is among the wants.
            if entry.stage == 0 && !entry.intent_to_add {
                let (mode, oid) = (entry.mode, look.index.oid(entry));
                items.push(Item { path, mode, oid });
            }
        }
        for (path, want) in wants {
            add(path, want, &mut items)?;
        }
        Ok(items)
    }

    /// What is known of the paths that differ from the user's index, and whether that is everything: a
    /// file that changed only just now is looked at again the next time.
    fn learn<'m>(
        &self,
        look: &Look,
        after: &[Stored],
        known: impl Fn(&[u8]) -> Option<&'m Now>,
        begun: i128,
    ) -> (memory::Overlay, bool) {
        let mut overlay = Vec::with_capacity(look.wants.len());
        let mut complete = true;
        for (path, want) in &look.wants {
            let now = match want {
                Want::Gone => Some(Now::Gone),
                Want::Link { oid } => Some(Now::Link { oid: oid.clone() }),
                Want::File { stat } => match known(path) {
                    Some(now) if now.is_file(stat, &look.index.seed(path)) => Some(now.clone()),
                    _ => after
                        .iter()
                        .find_map(|stored| stored.find(path))
                        .filter(|(noted, ..)| noted.is_of(stat) && scan::is_settled(stat, begun))
                        .map(|(_, mode, oid)| Now::File {
                            stat: *stat,
                            mode,
                            oid: oid.to_owned(),
                            seed: look.index.seed(path),
                        }),
                },
            };
            match now {
                Some(now) => overlay.push((path.clone(), now)),
                None => complete = false,
            }
        }
        (overlay, complete)
    }

    /// Has git store the content of files as `git add` would.
    fn store(&self, place: &Place, files: &[(&[u8], u64)], deadline: Instant) -> Result<()> {
        let mut files = files.iter();
        let mut next = files.next();
        while next.is_some() {
            let (mut input, mut count, mut bytes) = (Vec::new(), 0, 0_u64);
            while let Some((path, size)) = next
                && count < BATCH
                && (count == 0 || bytes + size <= BATCH_BYTES)
            {
                input.extend_from_slice(path);
                input.push(0);
                count += 1;
                bytes += size;
                next = files.next();
            }
            let call = self
                .git(Some(place), deadline)
                .args(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"])
                .stdin(input);
            let output = run(&call)?;
            if output.timed_out {
                return Err(failed(&output, "store the changed files")
                    .hint("the next call goes on where this one was stopped"));
            }
            // A filter that is not required may fail and git goes on with the raw content.
            if !output.is_success() || complains(&output.stderr) {
                // Raw content must not be remembered as what git stores.
                let _ = fs::remove_file(place.index());
                return Err(failed(&output, "store the changed files").hint(
                    "make the named file readable, or mend the filter that .gitattributes asks for it",
                ));
            }
        }
        Ok(())
    }
}
