//! What is remembered of a clone outside of it: under which id its records lie, and where its work tree is. Its git
//! configuration says both, and any `git config` can make it say something else.
//!
//! One small file per git folder, in `clones/` beside the state folders.

use crate::Surroundings;
use proctor_ledger::Store;
use proctor_worktree::{Repo, path_id};
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// What is remembered of a clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// The id under which its records lie.
    pub(crate) id: String,
    /// The root of its work tree; empty where its name is no text.
    root: String,
    /// Which folder its git folder was: another one in its place is another clone.
    git: String,
}

impl Known {
    /// What is to be remembered of a clone; `None` where it has no work tree, or its git folder cannot be looked at.
    pub(crate) fn of(repo: &Repo, id: &str) -> Option<Self> {
        Some(Self {
            id: id.to_owned(),
            root: repo.root()?.to_str().unwrap_or_default().to_owned(),
            git: folder(repo.git_dir())?,
        })
    }

    /// The root of its work tree, where it is there.
    pub(crate) fn root(&self) -> Option<&Path> {
        Some(Path::new(&self.root)).filter(|root| root.is_absolute() && root.is_dir())
    }
}

/// What is remembered of the clone that lies there now.
pub(crate) fn known(surroundings: &Surroundings, repo: &Repo) -> Option<Known> {
    // Where a pipe stands in its place, nobody is waited for.
    let text = proctor_worktree::file::read_text(&home(surroundings).join(file(repo))).ok()?;
    let known: Known = serde_json::from_str(&text).ok()?;
    (known.git == folder(repo.git_dir())?).then_some(known)
}

/// Remembers a clone. What cannot be kept is found out the next time, as this time.
pub(crate) fn remember(surroundings: &Surroundings, repo: &Repo, known: &Known) {
    if let (Ok(store), Ok(text)) = (Store::open(home(surroundings), false), serde_json::to_vec(known)) {
        let _kept = store.write_atomic(&file(repo), &text);
    }
}

fn home(surroundings: &Surroundings) -> &Path {
    surroundings.state.as_ref().unwrap_or(&surroundings.state_home)
}

fn file(repo: &Repo) -> String {
    format!("clones/{}", path_id(repo.git_dir()))
}

/// Which folder lies at a path: where it is kept, and when it was made where the file system tells that.
fn folder(path: &Path) -> Option<String> {
    let meta = path.metadata().ok()?;
    let made = meta
        .created()
        .ok()
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    Some(format!(
        "{}:{}:{}",
        meta.dev(),
        meta.ino(),
        made.map_or(0, |made| made.as_nanos())
    ))
}
