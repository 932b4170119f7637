//! Work that was left unreviewed: which files a session's agents wrote for a task that ended, or whose turn ended, without
//! an approval. Another session, or the next task, finds them in the work tree as it finds a user's own changes; they
//! stay in what needs a review until somebody approves or releases what is there.
//!
//! It is kept beside the reviews, in a log of its own that is not exchanged: what it names lies in this clone's folders.

use crate::decide::Ruling;
use crate::review::{Independence, ReviewBook, ReviewVerdict};
use crate::session::{Change, SessionState};
use crate::{Clock, Engine};
use proctor_kernel::{Digest, Event, EventTag, Id, Result, Task, TaskOrigin, TreeId, World};
use proctor_ledger::{Draft, Durability, Fold, Journal, Record, Store};
use proctor_worktree::Repo;
use serde::{Deserialize, Serialize};

/// The writer under which it is recorded.
pub(crate) const JOURNAL: &str = "left";

/// The kind of record that holds it.
const KIND: &str = "left";

/// Most tasks whose work is remembered; older ones stay in the log.
const MOST: usize = 64;

/// What was left of one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Left {
    /// The session's log.
    pub(crate) session: String,
    /// The task.
    pub(crate) task: Id,
    /// Digest of the path of the work tree: a clone may have several.
    pub(crate) place: Digest,
    /// The commit at which the task began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<String>,
    /// The files that were seen written; none where the work was approved or released then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paths: Vec<String>,
    /// How many writes were seen in the session by then.
    pub(crate) writes: u64,
    /// When it was noted, in milliseconds since 1970.
    #[serde(default)]
    pub(crate) at: u64,
}

/// What was left of the latest tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftBook {
    /// Oldest first.
    left: Vec<Left>,
}

impl Fold for LeftBook {
    const VERSION: u32 = 1;

    fn apply(&mut self, record: &Record) {
        if record.kind != KIND {
            return;
        }
        let Ok(mut left) = record.body::<Left>() else {
            return;
        };
        left.at = record.millis;
        self.left
            .retain(|l| (&l.session, &l.task) != (&left.session, &left.task));
        if self.left.len() >= MOST {
            self.left.remove(0);
        }
        self.left.push(left);
    }
}

impl Left {
    /// Whether somebody looked at it since: a release, or an approval of the session's work or of work that began at the
    /// same commit, whose difference shows these files as well. Which rules it was given under does not matter here: the
    /// tree as it is has to be approved all the same.
    fn is_open(&self, reviews: &ReviewBook) -> bool {
        let released = reviews
            .releases
            .iter()
            .any(|r| r.at >= self.at && r.session.as_deref().is_none_or(|s| s == self.session));
        let approved = reviews
            .reviews
            .iter()
            .filter(|r| r.session == self.session || (r.base.is_some() && r.base == self.base))
            .flat_map(|r| &r.verdicts)
            .any(|v| {
                v.at >= self.at && v.verdict == ReviewVerdict::Approve && v.independence == Independence::Yes
            });
        !released && !approved
    }
}

/// What was left in a work tree by other tasks than this one, and is open. Nothing where it cannot be read: what the task
/// itself changed is known without it.
fn open(store: &Store, repo: &Repo, reviews: &ReviewBook, task: &Id) -> Vec<Left> {
    let Some(place) = place_of(repo).filter(|_| store.has(JOURNAL)) else {
        return Vec::new();
    };
    let Ok(journal) = store.journal::<LeftBook>(JOURNAL) else {
        return Vec::new();
    };
    let left = journal.state().left.iter();
    left.filter(|l| !l.paths.is_empty() && l.place == place && l.task != *task && l.is_open(reviews))
        .cloned()
        .collect()
}

/// What a task found so in its work tree: the task as it would be if nothing had been changed when it began, for telling
/// what differs from the commit then, and the files that were left. `None`: there are none. What was committed meanwhile
/// is `verify`'s to look at.
pub(crate) fn found(
    store: &Store,
    repo: &Repo,
    reviews: &ReviewBook,
    task: &Task,
) -> Option<(Task, Vec<String>)> {
    let left = open(store, repo, reviews, &task.id).into_iter();
    let paths: Vec<String> = left.flat_map(|left| left.paths).collect();
    if paths.is_empty() {
        return None;
    }
    let clean = Task {
        id: task.id.clone(),
        words: String::new(),
        origin: TaskOrigin::Command,
        outline: proctor_kernel::Outline::default(),
        base: task.base.clone(),
        dirty: Vec::new(),
    };
    Some((clean, paths))
}

fn place_of(repo: &Repo) -> Option<Digest> {
    let root = repo.root()?;
    Some(Digest::of(root.as_os_str().as_encoded_bytes()))
}

impl<C: Clock> Engine<C> {
    /// Notes what a turn, a task or a session that ends with this event leaves unreviewed, where the policy may ask for a
    /// review of it.
    pub(crate) fn note_what_is_left(
        &self,
        event: &Event,
        before: &SessionState,
        ruling: &Ruling,
    ) -> Result<()> {
        let begins = |c: &Change| matches!(c, Change::TaskStarted { agent, .. } if agent.is_empty());
        let ends = match event.kind.tag() {
            EventTag::TurnEnd | EventTag::SessionEnd => true,
            EventTag::Prompt => ruling.changes.iter().any(begins),
            _ => false,
        };
        if !ends || event.agent.is_some() || !self.may_require_review() {
            return Ok(());
        }
        let task = before.agents.get("").and_then(|a| a.task.as_ref());
        let (Some(task), false) = (task, before.facts.edited.is_empty()) else {
            return Ok(());
        };
        let Some(place) = self.repo().and_then(place_of) else {
            return Ok(());
        };
        let session = format!("{}-{}", event.host, event.session);
        let mut journal: Journal<LeftBook> = self.store()?.journal(JOURNAL)?;
        let writes = before.facts.writes;
        let known = journal
            .state()
            .left
            .iter()
            .any(|l| l.session == session && l.task == task.id && l.writes == writes);
        // Nothing was written since the last note; whoever looked after it took care of it.
        if known {
            return Ok(());
        }
        let paths = match self.lets_go(event, before, ruling.tree.clone())? {
            true => Vec::new(),
            // Of what was written, what differs from what the task found, or was found unreviewed.
            false => {
                let written = &before.facts.edited;
                let sight = self.sight("", None, String::new());
                let differs = sight.files_to_review(task).unwrap_or_else(|_| written.clone());
                written
                    .iter()
                    .filter(|path| differs.contains(path))
                    .cloned()
                    .collect()
            }
        };
        let left = Left {
            session,
            task: task.id.clone(),
            place,
            base: task.base.clone(),
            paths,
            writes,
            at: 0,
        };
        let draft = Draft::new(self.stamp(), KIND, &left)?;
        journal.commit(vec![draft], Durability::Buffered)?;
        Ok(())
    }

    /// Whether the work tree as it is was approved or released.
    fn lets_go(&self, event: &Event, state: &SessionState, seen: Option<TreeId>) -> Result<bool> {
        let tree = match seen {
            Some(tree) => Some(tree),
            None => self.tree()?,
        };
        let session = format!("{}-{}", event.host, event.session);
        let book = self.reviews()?;
        let mut required = self.requirements_of_work(&book, tree.as_ref(), Some(state));
        required.two = self.takes_two(Some(state)).unwrap_or(true);
        let now = self.clock().now();
        Ok(book
            .standing(Some(&session), tree.as_ref(), now, &required)
            .lets_go())
    }
}
