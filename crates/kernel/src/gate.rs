use crate::{
    Band, CheckRun, ChecklistItem, Event, EventTag, Finding, OnError, ReviewStanding, Step, Task, TreeId,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Another agent: strict.
    Agent,
    /// A person: lenient.
    Human,
}

/// What a gate is, for registry, schema and documents.
#[derive(Clone, Copy, Debug)]
pub struct GateInfo {
    /// The id, also the name of its section in the policy.
    pub id: &'static str,
    /// An older name, accepted as an alias in the policy.
    pub alias: &'static str,
    /// One sentence on what it looks at.
    pub about: &'static str,
    /// When it runs.
    pub band: Band,
    /// The events it looks at.
    pub events: &'static [EventTag],
}

/// What a gate may look at beyond the event. Implemented by the engine; every call may cost
/// a child process, so gates ask only for what they need.
pub trait World {
    /// Paths changed since the task's base: staged, unstaged, untracked, renamed (both names) and
    /// committed since, relative to the root of the work tree, without `.proctor/`. Files that were
    /// dirty at the base and are unchanged since are left out.
    ///
    /// # Errors
    /// When git is missing or fails: the gate could not run.
    fn changed_files(&self, task: &Task) -> Result<Vec<String>, GateError>;

    /// As [`World::changed_files`], for whoever asks for a review: with the files that agents wrote for earlier tasks, that
    /// nobody looked at, and that the task found so.
    ///
    /// # Errors
    /// As [`World::changed_files`].
    fn files_to_review(&self, task: &Task) -> Result<Vec<String>, GateError> {
        self.changed_files(task)
    }

    /// What else changed since the task's base, and git is told to ignore: files that were seen written, rules of what
    /// to ignore, and the files that such a rule hides since, where `allowed` does not hold for it. `changed` is what
    /// [`World::changed_files`] tells.
    ///
    /// # Errors
    /// When git fails: the gate could not run.
    fn hidden_changes(
        &self,
        _task: &Task,
        _changed: &[String],
        _allowed: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, GateError> {
        Ok(Vec::new())
    }

    /// Of changed paths those that stand where a folder would, now or at the task's base: links and repositories inside
    /// this one. What cannot be told is one.
    fn places(&self, _task: &Task, _paths: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// Of paths changed since the task's base those that are as commits have them which were fetched since: a pull, a
    /// merge or a rebase brought them in, and no commit that was made here touched them. What cannot be told is not
    /// among them.
    fn brought_in(&self, _task: &Task, _paths: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// The files of a submodule that changed since the task's base, named from the root of the work tree, where a changed path
    /// is one and that can be told. To git a submodule is one change.
    fn changed_inside(&self, _task: &Task, _path: &str) -> Vec<String> {
        Vec::new()
    }

    /// Who is on record to have written each of these paths since the task's base. Where nobody else can be at work, the agent
    /// did.
    fn authors(&self, _task: &Task, paths: &[String]) -> Vec<Author> {
        vec![Author::This; paths.len()]
    }

    /// Of paths that a text names those at which nothing stands, neither at the root of the work tree nor where the agent
    /// is, and that no file changed for the task ends with. What cannot be told is not among them.
    fn missing(&self, _task: &Task, _paths: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// Of paths from the root of the work tree those at which nothing stands. What cannot be told is not among them.
    fn gone(&self, _paths: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// One vector for each text, from the embedder that the policy names.
    ///
    /// # Errors
    /// When there is none, or it fails.
    fn embed(&self, _texts: &[String]) -> Result<Vec<Vec<f32>>, GateError> {
        Err(GateError::new("no embedder is known here"))
    }

    /// The checks that were witnessed, in the order in which they began.
    ///
    /// # Errors
    /// When nothing is witnessed here, or what was is lost.
    fn runs(&self) -> Result<Vec<CheckRun>, GateError> {
        Err(GateError::new("no runs are witnessed here"))
    }

    /// Whether commands ran that are not known to be checks and may have been: scripts, programs of unknown kind, lines that
    /// cannot be read, or more commands than are remembered.
    fn unread_commands(&self) -> bool {
        false
    }

    /// The tree as it stands now; `None` where there is no way to tell.
    fn tree_id(&self) -> Option<TreeId> {
        None
    }

    /// Number of writes witnessed so far; stands in for the tree where there is none.
    fn writes(&self) -> u64 {
        0
    }

    /// The paths that differ between a tree and the present one; `None` when that cannot be told.
    fn changed_since(&self, _tree: &TreeId) -> Option<Vec<String>> {
        None
    }

    /// How the review of this work stands. With `two` an approval takes two reviewers of different models, or a human.
    ///
    /// # Errors
    /// When that cannot be told.
    fn review(&self, _two: bool) -> Result<ReviewStanding, GateError> {
        Ok(ReviewStanding::None)
    }
}

/// Who is on record to have written a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The agent that is judged, or one that it delegated to.
    This,
    /// Another agent or another session, and not this one.
    Other,
    /// Nobody, or several at once: a person, a program in the background, a change that was not witnessed.
    Unknown,
}

/// A world without facts: every question is answered with "could not run".
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorld;

impl World for NoWorld {
    fn changed_files(&self, _: &Task) -> Result<Vec<String>, GateError> {
        Err(GateError::new("no work tree is known here"))
    }
}

/// What a gate gets to see.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The event.
    pub event: &'a Event,
    /// Who reads the text, for events that carry one.
    pub audience: Audience,
    /// The task, where there is one.
    pub task: Option<&'a Task>,
    /// The task's checklist as it stood before this event.
    pub checklist: &'a [ChecklistItem],
    /// Paths that witnessed tool results of this task created.
    pub created: &'a [String],
    /// The agent's latest texts since a person last spoke, oldest first, this event's own among them.
    pub thoughts: &'a [String],
    /// The agent's latest tool calls since a person last spoke, oldest first; of a tool result its own is
    /// the last.
    pub steps: &'a [Step],
    /// Facts on demand.
    pub world: &'a dyn World,
}

/// What a gate says: findings and its own figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What it found; none means pass.
    pub findings: Vec<Finding>,
    /// The gate's own figures, as its documentation describes them.
    pub data: serde_json::Value,
    /// The task's checklist after this event, when the gate changed it.
    pub checklist: Option<Vec<ChecklistItem>>,
}

impl Outcome {
    /// Nothing to object to.
    #[must_use]
    pub fn pass() -> Self {
        Self::default()
    }
}

/// A gate could not do its work. Never a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateError {
    why: String,
}

impl GateError {
    /// Why the gate could not run: a lower-case fragment.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

impl fmt::Display for GateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for GateError {}

/// A check of an event against facts, task and policy.
pub trait Gate: Sync {
    /// What this gate is.
    fn info(&self) -> &'static GateInfo;

    /// Looks at one event. Called only for events that [`GateInfo::events`] names.
    ///
    /// # Errors
    /// When it cannot tell; the pipeline then answers with the gate's [`OnError`].
    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError>;

    /// The rule in a sentence or two, injected into the agent's context while the gate itself is out
    /// of service (its breaker is open).
    fn instruction(&self) -> &'static str;

    /// What its failure is answered with unless the policy says otherwise.
    fn on_error(&self) -> OnError {
        OnError::Allow
    }
}
