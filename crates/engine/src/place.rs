//! Which repository and which state folder an event belongs to.

use crate::authors::pin;
use crate::clones::{self, Known};
use crate::review::JOURNAL;
use crate::{Clock, Engine, Surroundings};
use proctor_kernel::{Event, EventKind, Id, Result, StartSource};
use proctor_ledger::{Presence, Store};
use proctor_worktree::Repo;
use std::path::{Path, PathBuf};

/// The folder in which the event's session began, and the root of the work tree there. The agent may walk elsewhere
/// (Claude Code's `cwd` follows `cd`) or tell git that the work tree is elsewhere (`core.worktree`, a repository in
/// a folder below), and a session must not get another policy and another memory by that.
///
/// Noted per host and session at the session's start, in `pins/` below the state folders.
#[must_use]
pub fn pinned(surroundings: &Surroundings, event: &Event) -> (PathBuf, Option<PathBuf>) {
    let here = PathBuf::from(&event.cwd);
    let here = if here.is_dir() {
        here
    } else {
        surroundings.cwd.clone()
    };
    let root = surroundings.state.as_ref().unwrap_or(&surroundings.state_home);
    let Ok(store) = Store::open(root, false) else {
        return (here, None);
    };
    let file = pin(&event.host, &event.session);
    let begins = matches!(
        event.kind,
        EventKind::SessionStart {
            source: StartSource::Startup | StartSource::Resume | StartSource::Clear | StartSource::Fork
        }
    );
    let noted = store.read(&file).ok().flatten();
    let noted = noted.and_then(|b| String::from_utf8(b).ok()).map(|text| {
        // A path may hold a line feed, but no zero.
        let (folder, root) = text.split_once('\0').unwrap_or((&text, ""));
        let root = Some(root).filter(|root| !root.is_empty());
        (PathBuf::from(folder), root.map(PathBuf::from))
    });
    match noted.filter(|(folder, _)| folder.is_dir()) {
        Some((folder, root)) if !begins || folder == here => (folder, root),
        _ => {
            let repo = Repo::discover(&here).ok().flatten();
            let root = repo.and_then(|repo| repo.root().map(PathBuf::from));
            let name = |path: &Path| path.to_str().map(str::to_owned);
            if let Some(text) = name(&here) {
                let root = root.as_deref().and_then(name).unwrap_or_default();
                // Without the note the next event finds the place by itself, as this one does.
                let _ = store.write_atomic(&file, format!("{text}\0{root}").as_bytes());
            }
            (here, root)
        }
    }
}

/// The repository of a place, held to the work tree that the session began in. Tells when git means another one.
pub(crate) fn open_repo(surroundings: &Surroundings, faults: &mut Vec<String>) -> Option<Repo> {
    let found = match Repo::discover(&surroundings.cwd) {
        Ok(found) => found,
        Err(error) => {
            faults.push(error.to_string());
            None
        }
    };
    // A command has no session that says where its work tree was; the clone's last one does.
    let known = match (&found, &surroundings.root) {
        (Some(repo), None) => clones::known(surroundings, repo),
        _ => None,
    };
    let noted = surroundings.root.as_deref().filter(|root| root.is_dir());
    let began = noted.or_else(|| known.as_ref()?.root());
    let moved = |repo: &Repo, root: &Path| repo.root() != Some(root);
    match (found, began) {
        (Some(repo), Some(root)) if moved(&repo, root) => {
            let there = repo.root().map_or("none".to_owned(), |r| r.display().to_string());
            faults.push(format!(
                "git says that the work tree is {there}; when the session began it was {}, and that is what is looked at",
                root.display()
            ));
            // A repository that was made in a folder below hides the one of the session.
            let above = Repo::discover(root).ok().flatten();
            Some(above.unwrap_or(repo).held_to(root))
        }
        (found, _) => found,
    }
}

/// The id of a place's state.
pub(crate) struct Identity {
    pub(crate) id: String,
    /// Whether the clone's configuration says that the state folder exists.
    pub(crate) expected: bool,
    /// Whether the id still has to be written there.
    fresh: bool,
    /// Whether this place is remembered as it is now; see [`crate::clones`].
    remembered: bool,
}

/// Whether the clone's configuration says that this place's state folder exists. One that is named from outside is expected
/// where the clone was told of it.
pub(crate) fn is_expected(identity: &Identity, surroundings: &Surroundings, repo: Option<&Repo>) -> bool {
    let noted = || repo.and_then(Repo::noted_state);
    identity.expected
        && surroundings
            .state
            .as_ref()
            .is_none_or(|folder| folder.to_str().is_some_and(|folder| noted() == Some(folder)))
}

/// Finds the id; nothing is written yet.
pub(crate) fn identity(
    repo: Option<&mut Repo>,
    surroundings: &Surroundings,
    clock: &impl Clock,
    faults: &mut Vec<String>,
) -> Identity {
    let Some(repo) = repo else {
        let folder: PathBuf = surroundings
            .cwd
            .canonicalize()
            .unwrap_or_else(|_| surroundings.cwd.clone());
        return Identity {
            id: proctor_worktree::path_id(&folder),
            expected: false,
            fresh: false,
            remembered: true,
        };
    };
    let known = clones::known(surroundings, repo);
    if known.is_some() {
        // Another hook may have written it between the two looks.
        repo.look_for_id();
    }
    let repo = &*repo;
    let is = |id: &str| known.is_some() && known == Known::of(repo, id);
    // A state folder that is named from outside is known by its name.
    let before = known.as_ref().filter(|_| surroundings.state.is_none());
    match (repo.id(), before) {
        (id, Some(before)) if id != Some(before.id.as_str()) => {
            let now = match id {
                Some(_) => "is another one now",
                None => "is gone",
            };
            faults.push(format!(
                "this clone's id in its git configuration (`proctor.id`) {now}; its records lie under {}, and those are used",
                before.id
            ));
            Identity {
                id: before.id.clone(),
                expected: true,
                fresh: id.is_none(),
                remembered: is(&before.id),
            }
        }
        (Some(id), _) => Identity {
            id: id.to_owned(),
            expected: true,
            fresh: false,
            remembered: is(id),
        },
        (None, _) => Identity {
            id: new_id(&clock.id()),
            expected: false,
            fresh: true,
            remembered: false,
        },
    }
}

fn new_id(id: &Id) -> String {
    id.to_string().to_ascii_lowercase()
}

impl<C: Clock> Engine<C> {
    /// Makes the state folder on first use, and notices when an old one is gone.
    pub(crate) fn set_up(&mut self, alerts: &mut Vec<String>) {
        if self
            .store
            .as_ref()
            .is_ok_and(|s| s.presence() == Presence::Present)
            && !self.identity.fresh
        {
            self.remember_clone();
            return;
        }
        match self.make_state(alerts) {
            Ok(()) => self.remember_clone(),
            Err(error) => self.store = Err(error),
        }
    }

    /// Remembers under which id this clone's records lie, and where its work tree is.
    fn remember_clone(&mut self) {
        if !std::mem::replace(&mut self.identity.remembered, true)
            && let Some(repo) = &self.repo
            && let Some(known) = Known::of(repo, &self.identity.id)
        {
            clones::remember(&self.surroundings, repo, &known);
        }
    }

    /// Sets aside what stands in the way of the records, and begins anew, so that a human can let work go whatever became
    /// of the state folder. Tells what was found.
    ///
    /// # Errors
    /// Kind `store` when it cannot be moved, or the folder cannot be made.
    pub fn make_way(&mut self) -> Result<Vec<String>> {
        let Surroundings {
            state, state_home, ..
        } = &self.surroundings;
        let root = state
            .clone()
            .unwrap_or_else(|| state_home.join(&self.identity.id));
        let now = self.clock.now();
        let mut told = Vec::new();
        // The folder of all clones' state.
        if let Some(above) = root
            .parent()
            .filter(|above| above.symlink_metadata().is_ok() && !above.is_dir())
        {
            told = proctor_ledger::make_way(above, JOURNAL, now)?;
        }
        told.extend(proctor_ledger::make_way(&root, JOURNAL, now)?);
        if !told.is_empty() || self.store.is_err() {
            let expected = is_expected(&self.identity, &self.surroundings, self.repo.as_ref());
            self.store = Store::open(root, expected);
        }
        self.set_up(&mut told);
        self.store()?;
        Ok(told)
    }

    fn make_state(&mut self, alerts: &mut Vec<String>) -> Result<()> {
        let now = self.clock.now();
        let store = self.store.as_mut().map_err(|e| crate::engine::copy(e))?;
        if store.presence() == Presence::Missing {
            alerts.push(format!(
                "the state folder {} is gone although this clone had one: what was recorded before is not known",
                store.root().display()
            ));
        }
        // The folder first, the clone's configuration second: whoever finds an id finds a folder.
        store.create(&self.identity.id, now)?;
        let named = self
            .surroundings
            .state
            .as_ref()
            .and_then(|folder| folder.to_str());
        if let (Some(folder), Some(repo)) = (named, &mut self.repo)
            && repo.noted_state() != Some(folder)
        {
            // Without the note nobody notices that the folder is gone; a clone that cannot be written is told of below.
            let _noted = repo.note_state(folder);
        }
        let (true, Some(repo)) = (self.identity.fresh, &mut self.repo) else {
            return Ok(());
        };
        self.identity.fresh = false;
        let wanted = self.identity.id.clone();
        match repo.ensure_id(|| wanted.clone()) {
            Ok(id) if id == wanted || self.surroundings.state.is_some() => {}
            Ok(id) => {
                // Another hook was first: its folder is the clone's.
                let ours = store.root().to_owned();
                let mut theirs = Store::open(self.surroundings.state_home.join(&id), false)?;
                theirs.create(&id, now)?;
                *store = theirs;
                self.identity.id = id;
                // Only the marker is in there.
                let _ = std::fs::remove_dir_all(ours);
            }
            Err(error) => {
                // A clone that cannot be written keeps its state under its path.
                let id = proctor_worktree::path_id(repo.common_dir());
                if self.surroundings.state.is_none() {
                    let ours = store.root().to_owned();
                    let mut by_path = Store::open(self.surroundings.state_home.join(&id), false)?;
                    by_path.create(&id, now)?;
                    *store = by_path;
                    let _ = std::fs::remove_dir_all(ours);
                }
                self.identity.id = id;
                self.faults.push(format!(
                    "the clone's id cannot be written to its git configuration: {error}"
                ));
            }
        }
        Ok(())
    }
}
