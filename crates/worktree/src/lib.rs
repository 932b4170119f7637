//! Git work trees: discovery, changed files, bounded child processes.
//!
//! What can be read from files (where the repository is, which commit is checked out, its id) is read
//! from files, because a child process costs a hook about a millisecond. Everything else is asked of
//! the `git` program, bounded in time and output, and without the `GIT_*` variables of the caller.
//!
//! **Invariant:** nothing here changes a work tree or an index. [`Repo::ensure_id`] sets `proctor.id`, and [`Repo::note_state`] `proctor.state`, in the
//! clone's configuration once; the calls that write objects and references (`plumbing`) say so. What the
//! identity of a tree needs to write goes to a cache folder of the caller's.

mod brought;
mod changes;
mod config;
mod digest;
pub mod file;
mod git;
mod head;
mod history;
mod inside;
mod name;
mod plumbing;
pub mod readers;
mod repo;
mod run;
mod tree;

#[cfg(test)]
mod tests;

pub use changes::status_paths;
pub use head::Head;
pub use history::FileAt;
pub use inside::Inner;
pub use plumbing::{Pushed, TreeEntry};
pub use repo::{Repo, path_id};
pub use run::{Command, Output};
pub use tree::{Change, ChangeKind, Content, Diff, During, Linkage, Since, Trees, is_rule};
