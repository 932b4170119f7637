//! Facts from the work tree and from the records, on demand.

use crate::authors::Asker;
use crate::decide::{Sight, may_verify};
use crate::left;
use crate::review::{JOURNAL as REVIEWS, Onto, Requirements, ReviewBook, Standing, open_book};
use crate::runs::{CHECKS, CheckBook};
use crate::session::{Facts, SessionState, Unseen};
use crate::signing::Notary;
use crate::unseen;
use crate::whereabouts::{Ground, Placed};
use crate::{Embedding, Processes, Secret};
use proctor_kernel::{Author, CheckRun, Digest, GateError, ReviewStanding, Task, TreeId, World};
use proctor_ledger::{Presence, Store};
use proctor_policy::Settings;
use proctor_shell::Check;
use proctor_worktree::{Repo, Since, Trees, is_rule};
use std::cell::OnceCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Folder inside the state folder in which trees are identified; a cache.
pub(crate) const TREES: &str = "trees";

/// Size of git's index, in bytes, from which on a work tree is large: some ten thousand files.
const LARGE: u64 = 1 << 20;

/// Where an event happens, for [`FileSight`].
pub(crate) struct Place<'a> {
    pub(crate) repo: Option<&'a Repo>,
    pub(crate) store: Option<&'a Store>,
    /// Where the session began.
    pub(crate) home: &'a Path,
    /// Where the agent is now; relative paths start there.
    pub(crate) cwd: &'a str,
    pub(crate) settings: &'a Settings,
    /// Other checks than the policy's under which an approval counts.
    pub(crate) also: Option<&'a Digest>,
    pub(crate) secret: Option<Secret>,
    pub(crate) processes: Option<Processes>,
    /// The user's home folder.
    pub(crate) user_home: Option<&'a Path>,
    /// The user's own policy file.
    pub(crate) own: Option<&'a Path>,
    /// What was witnessed of the session; `None` when nothing can be remembered.
    pub(crate) facts: Option<&'a Facts>,
    /// The session and the agent that is judged, where others may be at work beside it.
    pub(crate) who: Option<Who<'a>>,
    /// The session's log.
    pub(crate) session: String,
    /// The commit at which the task at hand began.
    pub(crate) began: Option<&'a str>,
    /// Milliseconds since 1970.
    pub(crate) now: u64,
}

/// An agent among others.
pub(crate) struct Who<'a> {
    pub(crate) state: &'a SessionState,
    /// Empty for the main conversation.
    pub(crate) agent: &'a str,
    /// The folder with the notes of where sessions began.
    pub(crate) pins: &'a Path,
    /// The session's work tree.
    pub(crate) root: Option<&'a Path>,
}

/// The work tree and the records as gates and engine may see them.
pub(crate) struct FileSight<'a> {
    place: Place<'a>,
    cwd: PathBuf,
    embedding: Embedding,
    trees: OnceCell<Option<Trees<'a>>>,
    tree: OnceCell<Option<TreeId>>,
}

impl<'a> FileSight<'a> {
    pub(crate) fn new(place: Place<'a>) -> Self {
        let root = place.repo.and_then(Repo::root).unwrap_or(place.home);
        Self {
            cwd: place.home.join(place.cwd),
            embedding: Embedding::new(&place.settings.drift.embedder, root, place.secret),
            trees: OnceCell::new(),
            tree: OnceCell::new(),
            place: Place {
                repo: place.repo.filter(|r| !r.is_bare()),
                ..place
            },
        }
    }

    /// The tree, where it was asked for.
    pub(crate) fn seen(&self) -> Option<TreeId> {
        self.tree.get().cloned().flatten()
    }

    /// Edits of the session that no tree shows.
    fn unseen(&self) -> &[Unseen] {
        self.place.facts.map_or(&[], |facts| &facts.unseen)
    }

    fn ground(&self) -> Option<Ground<'a>> {
        Some(Ground {
            root: self.place.repo.and_then(Repo::root)?,
            began: self.place.home,
            home: self.place.user_home,
            repo: self.place.repo,
        })
    }

    fn store(&self) -> Option<&Store> {
        self.place.store.filter(|s| s.presence() == Presence::Present)
    }

    /// The trees of the moment of this event: gates that ask about the work tree share one look at it.
    fn trees(&self) -> Option<&Trees<'a>> {
        let trees = self.trees.get_or_init(|| {
            let cache = self.store()?.root().join(TREES);
            Some(self.place.repo?.trees(&cache).at_one_moment())
        });
        trees.as_ref()
    }
}

impl World for FileSight<'_> {
    fn changed_files(&self, task: &Task) -> Result<Vec<String>, GateError> {
        let repo = self
            .place
            .repo
            .ok_or_else(|| GateError::new("this is no git work tree"))?;
        let files = task.dirty.iter().filter(|(path, _)| !is_rule(path));
        let (base, dirty) = (task.base.as_deref(), files.cloned().collect::<Vec<_>>());
        match self.trees() {
            Some(trees) => trees.changed_after(base, &dirty, task.id.millis()),
            None => repo.changed_since(base, &dirty),
        }
        .map_err(|e| GateError::new(e.to_string()))
        .map(|mut changed| {
            changed.extend(unseen::since(self.unseen(), task.id.millis()));
            changed
        })
    }

    fn files_to_review(&self, task: &Task) -> Result<Vec<String>, GateError> {
        let mut changed = self.changed_files(task)?;
        let (Some(store), Some(repo)) = (self.store(), self.place.repo) else {
            return Ok(changed);
        };
        if !store.has(left::JOURNAL) {
            return Ok(changed);
        }
        let reviews = open_book(store, self.place.now).map_err(|e| GateError::new(e.to_string()))?;
        if let Some((clean, paths)) = left::found(store, repo, &reviews, task) {
            let differs = self.changed_files(&clean)?.into_iter();
            let mut more: Vec<String> = differs
                .filter(|path| paths.contains(path) && !changed.contains(path))
                .collect();
            changed.append(&mut more);
        }
        Ok(changed)
    }

    fn hidden_changes(
        &self,
        task: &Task,
        changed: &[String],
        allowed: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, GateError> {
        let Some(trees) = self.trees() else {
            return Ok(Vec::new());
        };
        trees
            .hidden_since(&Since {
                base: task.base.as_deref(),
                known: &task.dirty,
                began: task.id.millis(),
                changed,
                written: self.place.facts.map_or(&[], |f| f.edited.as_slice()),
                allowed,
            })
            .map_err(|e| GateError::new(e.to_string()))
    }

    fn brought_in(&self, task: &Task, paths: &[String]) -> Vec<String> {
        let (Some(trees), Some(base)) = (self.trees(), task.base.as_deref()) else {
            return Vec::new();
        };
        // Where it cannot be told, all of it counts as the agent's.
        trees
            .brought_in(base, task.id.millis(), paths)
            .unwrap_or_default()
    }

    fn changed_inside(&self, task: &Task, path: &str) -> Vec<String> {
        let (Some(repo), Some(base)) = (self.place.repo, task.base.as_deref()) else {
            return Vec::new();
        };
        let was_dirty = task.dirty.iter().any(|(known, _)| known == path);
        repo.changed_inside(base, path, was_dirty.then(|| task.id.millis()))
    }

    fn authors(&self, task: &Task, paths: &[String]) -> Vec<Author> {
        let (Some(who), Some(store)) = (&self.place.who, self.store()) else {
            return vec![Author::This; paths.len()];
        };
        let asker = Asker {
            store,
            pins: who.pins,
            session: &self.place.session,
            state: who.state,
            agent: who.agent,
            root: who.root.unwrap_or(self.place.home),
            since: task.id.millis(),
        };
        asker.authors(paths)
    }

    fn gone(&self, paths: &[String]) -> Vec<String> {
        let root = self.place.repo.and_then(Repo::root).unwrap_or(self.place.home);
        let gone = paths.iter().filter(|path| is_gone(&root.join(path)));
        gone.cloned().collect()
    }

    fn missing(&self, task: &Task, paths: &[String]) -> Vec<String> {
        let root = self.place.repo.and_then(Repo::root).unwrap_or(self.place.home);
        let folders = [root, self.place.home, self.cwd.as_path()];
        let mut missing: Vec<String> = paths
            .iter()
            .filter(|path| folders.iter().all(|folder| is_gone(&folder.join(path))))
            .cloned()
            .collect();
        if missing.is_empty() {
            return missing;
        }
        // Texts often name files from some folder below, and a file that was there has been dealt with.
        let Ok(changed) = self.changed_files(task) else {
            return Vec::new();
        };
        let is_end = |path: &str, file: &str| {
            let rest = file.strip_suffix(path.trim_start_matches("./").trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        missing.retain(|path| !changed.iter().any(|file| is_end(path, file)));
        missing
    }

    fn places(&self, task: &Task, paths: &[String]) -> Vec<String> {
        let root = self.place.repo.and_then(Repo::root).unwrap_or(self.place.home);
        let is_place = |path: &String| {
            let path = root.join(path);
            let link = path.symlink_metadata().is_ok_and(|meta| !meta.is_file());
            // A link to a file is none.
            link && !path.is_file()
        };
        let (mut places, plain): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(is_place);
        // What was one is gone, or a file by now.
        if let (Some(repo), Some(base), false) = (self.place.repo, &task.base, plain.is_empty()) {
            places.extend(repo.places_at(base, &plain).unwrap_or(plain));
        }
        places
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, GateError> {
        self.embedding.embed(texts)
    }

    fn runs(&self) -> Result<Vec<CheckRun>, GateError> {
        let facts = self
            .place
            .facts
            .ok_or_else(|| GateError::new("nothing is known of what was run in this session"))?;
        let mut runs = facts.runs.clone();
        // Runs that Proctor made itself count in every session, on their own tree.
        if let Some(store) = self.store()
            && store.has(CHECKS)
        {
            let book = store
                .journal::<CheckBook>(CHECKS)
                .map_err(|e| GateError::new(e.to_string()))?;
            runs.extend(book.state().runs.iter().cloned());
            runs.sort_by_key(|run| run.began);
        }
        unseen::outdate(&mut runs, self.unseen());
        Ok(runs)
    }

    fn unread_commands(&self) -> bool {
        self.place.facts.is_some_and(|facts| {
            facts.commands > facts.ran.len() as u64 || facts.ran.iter().any(|ran| may_verify(&ran.run.line))
        })
    }

    fn tree_id(&self) -> Option<TreeId> {
        let tree = self.tree.get_or_init(|| self.trees()?.id().ok());
        tree.clone()
    }

    fn writes(&self) -> u64 {
        self.place.facts.map_or(0, |f| f.writes)
    }

    fn changed_since(&self, tree: &TreeId) -> Option<Vec<String>> {
        if let Some(paths) = unseen::outdated_by(tree, self.unseen()) {
            return Some(paths);
        }
        let now = self.tree_id()?;
        let changes = self.trees()?.changes(tree, &now).ok()?;
        Some(changes.into_iter().map(|c| c.path).collect())
    }

    fn review(&self, two: bool) -> Result<ReviewStanding, GateError> {
        let Some(store) = self.store() else {
            return Ok(ReviewStanding::None);
        };
        let book = open_book(store, self.place.now).map_err(|e| GateError::new(e.to_string()))?;
        let tree = self.tree_id();
        let mut required = Requirements::of(self.place.settings);
        required.two = two;
        required.runs = self.place.processes.map(|p| p.runs);
        required.checks.extend(self.place.also.cloned());
        if required.signed {
            let signers = &self.place.settings.approval.signers;
            Notary::of(self.place.repo, self.place.own, signers).fill(&mut required, &book, tree.as_ref());
        }
        let onto = self.place.repo.zip(self.trees()).zip(self.place.began);
        let onto = onto.map(|((repo, trees), base)| Onto {
            repo,
            trees,
            base,
            same_line: false,
        });
        required.leave_out_of_work(onto.as_ref(), &book, tree.as_ref());
        let standing = book.standing(
            Some(&self.place.session),
            tree.as_ref(),
            self.place.now,
            &required,
        );
        Ok(match standing {
            Standing::None => ReviewStanding::None,
            Standing::Released(_) => ReviewStanding::Released,
            Standing::Approved(_, verdict) => {
                match unseen::since(self.unseen(), verdict.at.saturating_add(1)) {
                    later if later.is_empty() => ReviewStanding::Approved,
                    changed => ReviewStanding::Stale { changed },
                }
            }
            Standing::ApprovedByOne(_, verdict) => ReviewStanding::ApprovedByOne {
                by: verdict.reviewer.in_words(),
            },
            Standing::Stale(_, verdict) => ReviewStanding::Stale {
                changed: verdict
                    .tree
                    .as_ref()
                    .and_then(|t| self.changed_since(t))
                    .unwrap_or_default(),
            },
            Standing::Pending(review) if review.human => ReviewStanding::Waiting,
            Standing::Pending(review) if review.failed => ReviewStanding::CouldNotRun {
                why: review.failures.last().cloned().unwrap_or_default(),
            },
            Standing::Pending(review) => match book.gone_quiet(review, self.place.now, &required) {
                Some(why) => ReviewStanding::CouldNotRun { why },
                None => ReviewStanding::Pending,
            },
            Standing::InReview(_) => ReviewStanding::InReview,
            Standing::Rejected(review) => ReviewStanding::Rejected {
                open: review.open_findings().count(),
            },
            Standing::Escalated { .. } => ReviewStanding::Escalated,
        })
    }
}

impl Sight for FileSight<'_> {
    fn changed_since_asked(&self) -> Vec<String> {
        let asked = || {
            let book = open_book(self.store()?, self.place.now).ok()?;
            let review = book.of_session(&self.place.session).filter(|r| r.human)?;
            self.changed_since(review.tree.as_ref()?)
        };
        asked().unwrap_or_default()
    }

    fn reviewed(&self) -> Option<u64> {
        let Some(store) = self.store() else {
            return Some(0);
        };
        // Where records are gone the same number comes again.
        let gone = store
            .marker()
            .and_then(|m| m.gone.as_ref())
            .map_or(0, |gone| gone.at);
        if !store.has(REVIEWS) {
            return Some(gone);
        }
        let known = store.journal::<ReviewBook>(REVIEWS).ok()?.position().seq;
        Some(known.wrapping_add(gone))
    }

    fn base(&self) -> (Option<String>, Vec<(String, Option<String>)>) {
        let Some(repo) = self.place.repo else {
            return (None, Vec::new());
        };
        let oid = repo.head().ok().and_then(|head| head.oid);
        let dirty = match self.trees() {
            Some(trees) => trees.dirty(),
            None => repo.dirty(),
        };
        let mut dirty = dirty.unwrap_or_default();
        // A rule that hides itself is a change that git does not tell.
        let rules = self.trees().and_then(|trees| trees.rules().ok());
        for rule in rules.unwrap_or_default() {
            if !dirty.iter().any(|(path, _)| *path == rule.0) {
                dirty.push(rule);
            }
        }
        (oid, dirty)
    }

    fn mark(&self) -> Option<Digest> {
        self.tree_id().map(|tree| Digest::of(tree.as_str().as_bytes()))
    }

    fn has_tree(&self) -> bool {
        self.place.repo.is_some() && self.store().is_some()
    }

    fn touched_since(&self, began: u64, staged: bool, large: bool) -> Option<Vec<String>> {
        let trees = self.trees()?;
        if !large && trees.index_bytes() > LARGE {
            return None;
        }
        trees.touched_since(began, self.place.now, staged).ok()?
    }

    fn touched_unseen(&self, began: u64) -> Vec<String> {
        let root = self.place.repo.and_then(Repo::root);
        root.map(|root| unseen::touched_since(root, began, self.place.now))
            .unwrap_or_default()
    }

    fn small_tree(&self) -> Option<TreeId> {
        (self.trees()?.index_bytes() <= LARGE).then(|| self.tree_id())?
    }

    fn only_litter(&self, before: &TreeId, after: &TreeId) -> bool {
        let Some(trees) = self.trees() else {
            return false;
        };
        trees
            .during(before, after)
            .is_ok_and(|during| during.tracked.is_empty())
    }

    fn relative(&self, path: &str) -> String {
        let root = self.place.repo.and_then(Repo::root).unwrap_or(self.place.home);
        below(root, &self.cwd.join(path)).unwrap_or_else(|| path.to_owned())
    }

    fn outside(&self, named: &str, start: &str) -> Option<String> {
        let file = self.ground()?.outside(named, &self.place.home.join(start))?;
        Some(file.to_string_lossy().into_owned())
    }

    fn named(&self, named: &str, start: &str) -> Option<String> {
        let file = self.ground()?.named(named, &self.place.home.join(start))?;
        Some(file.to_string_lossy().into_owned())
    }

    fn is_installed(&self, file: &str) -> bool {
        let file = Path::new(file);
        let name = file.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        self.ground()
            .is_some_and(|ground| ground.is_installed(file, name))
    }

    fn placed(&self, check: &Check, words: &[String], start: &str) -> Placed {
        match self.ground() {
            Some(ground) => ground.place(check, words, &self.place.home.join(start)),
            None => Placed::anywhere(check),
        }
    }
}

/// The path below the root, also where one of the two is named by way of a link.
pub(crate) fn below(root: &Path, path: &Path) -> Option<String> {
    let text = |inside: &Path| inside.to_string_lossy().into_owned();
    if let Ok(inside) = path.strip_prefix(root) {
        return Some(text(inside));
    }
    let root = root.canonicalize().ok()?;
    let inside = |real: PathBuf| real.strip_prefix(&root).ok().map(text);
    // A link inside the work tree keeps its own name, wherever it leads to.
    let named = || inside(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    named().or_else(|| inside(path.canonicalize().ok()?))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_work_tree_has_the_names_of_its_links() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().canonicalize().unwrap();
        for folder in ["home/tree/src", "other"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        for file in ["home/tree/src/a.rs", "other/b.rs"] {
            std::fs::write(base.join(file), "").unwrap();
        }
        for (to, link) in [
            ("home/tree", "link"),
            ("home", "above"),
            ("link", "twice"),
            ("home/tree/src", "part"),
            ("home/tree/src/a.rs", "file.rs"),
            ("other", "home/tree/out"),
            ("other/b.rs", "home/tree/src/out.rs"),
        ] {
            symlink(base.join(to), base.join(link)).unwrap();
        }
        for root in ["home/tree", "link", "above/tree"] {
            for (path, expected) in [
                ("home/tree", Some("")),
                ("home/tree/src/a.rs", Some("src/a.rs")),
                ("home/tree/src/new.rs", Some("src/new.rs")),
                ("link", Some("")),
                ("link/", Some("")),
                ("link/src", Some("src")),
                ("link/src/new.rs", Some("src/new.rs")),
                ("twice", Some("")),
                ("above/tree", Some("")),
                ("above/tree/src/a.rs", Some("src/a.rs")),
                ("part", Some("src")),
                ("part/..", Some("")),
                ("part/a.rs", Some("src/a.rs")),
                ("file.rs", Some("src/a.rs")),
                // Links of the work tree.
                ("link/out", Some("out")),
                ("link/src/out.rs", Some("src/out.rs")),
                // Not in it.
                ("other", None),
                ("other/b.rs", None),
                ("above", None),
                ("home", None),
                ("gone", None),
            ] {
                let found = below(&base.join(root), &base.join(path));
                assert_eq!(found.as_deref(), expected, "{path} below {root}");
            }
        }
    }
}

/// Whether surely nothing stands at a path.
fn is_gone(path: &Path) -> bool {
    let looked = path.symlink_metadata();
    looked.is_err_and(|e| matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}
