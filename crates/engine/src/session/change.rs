//! Changes of a session's state.

use super::{Apart, Downgraded, Held, Pending, Started, UnderWay};
use crate::floor::Under;
use proctor_kernel::{
    CheckRun, ChecklistItem, CommandRun, Digest, Id, Mark, Metered, Note, Process, Step, Task, TreeId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one reading of a transcript gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadOn {
    /// Fingerprint of the meter that it went on from; `None`: the transcript was not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Mark>,
    /// New tokens.
    #[serde(default)]
    pub tokens: u64,
}

/// A command that was followed by changed files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByCommand {
    /// The host's id of the tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How many more files changed than are named.
    #[serde(default, skip_serializing_if = "is_none_more")]
    pub more: u64,
}

fn is_none_more(number: &u64) -> bool {
    *number == 0
}

/// A place in a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LogPlace {
    /// The segment's number; 0 for the beginning of the log.
    pub segment: u32,
    /// Bytes of the segment before the place.
    pub offset: u64,
}

/// That records of a session's log are lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// What was noticed.
    pub what: String,
    /// Where.
    pub at: LogPlace,
    /// Where the log ended then: what is wrong before that place is known.
    pub upto: LogPlace,
}

/// One change of a session's state, as decision records carry it. Changes are deltas, so that two
/// hooks of one session that run at once both count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A session began anew: everything of an earlier one under the same id is over.
    Began,
    /// The processes above the session's hooks became known.
    Above {
        /// Nearest first.
        processes: Vec<Process>,
    },
    /// A person said this to an agent.
    Asked {
        /// The agent.
        agent: String,
        /// The exact words; `None` where they are those of the task that begins with them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// A turn of the main conversation began.
    TurnBegan {
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// It is over.
    TurnPaused {
        /// Milliseconds of work in it.
        worked: u64,
    },
    /// A person was waited for.
    Waited {
        /// Milliseconds.
        millis: u64,
    },
    /// Transcripts were read on.
    Metered {
        /// New tokens, of all transcripts together.
        tokens: u64,
        /// How far they were read.
        metered: Metered,
        /// Where each reading began: of two that began at the same place only one counts.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        read: BTreeMap<String, ReadOn>,
    },
    /// A reviewer that Proctor launched used tokens.
    Charged {
        /// The launch; each counts once.
        launch: String,
        /// The task that was reviewed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<Id>,
        /// Tokens.
        tokens: u64,
        /// Those of them that are more than one of several reviewers of one look has to use for all of them together to
        /// use as much as one.
        #[serde(default, skip_serializing_if = "is_none_more")]
        beyond: u64,
    },
    /// The user was told that the budget of the task is used up.
    OverBudget,
    /// A turn ended while a reviewer was at work, or what came of that was told.
    ReviewAwaited {
        /// Whether it is still to be told.
        awaits: bool,
    },
    /// The agent heard what a refusal of its work says.
    RefusalTold {
        /// The record that holds the refusal.
        record: Id,
    },
    /// An agent read, compared or checked something.
    Inspected {
        /// The agent.
        agent: String,
    },
    /// An agent's approval passed.
    ApprovalPassed,
    /// Files changed after it, and that was told.
    ApprovalOver,
    /// The main task that began stands on this policy.
    Under(Under),
    /// A command was rewritten before it ran.
    Rewritten {
        /// The host's id of the tool call.
        call: String,
        /// What the tool was asked to do before.
        input: Digest,
    },
    /// An agent made the host say something later.
    Scheduled {
        /// Fingerprint of the words.
        says: Mark,
    },
    /// The last texts of the agent said the same.
    Repeated {
        /// The agent.
        agent: String,
    },
    /// An agent works on a new task.
    TaskStarted {
        /// The agent.
        agent: String,
        /// The task.
        task: Box<Task>,
    },
    /// A person's prompt goes on with the task: the retries start again.
    Continued {
        /// The agent.
        agent: String,
    },
    /// A person's prompt named more, or forbade more, within the same task.
    Widened {
        /// The agent.
        agent: String,
        /// The task with its new outline, and with a base if it had none before.
        task: Box<Task>,
    },
    /// A person's prompt took items back, or said that they are done.
    Settled {
        /// The agent.
        agent: String,
        /// Items that nobody asks for any more.
        dropped: Vec<String>,
        /// Items that are done.
        done: Vec<String>,
    },
    /// A person's prompt only asks something, after work was let go UNREVIEWED: until something is written the turn is not
    /// about that work.
    Aside {
        /// The agent.
        agent: String,
    },
    /// The agent's task was closed by a human.
    TaskDone {
        /// The agent.
        agent: String,
    },
    /// A delegation was let through.
    Delegated(Box<Pending>),
    /// The row of refused delegations is over.
    DelegationPassed {
        /// The agent.
        agent: String,
    },
    /// A subagent started; it takes the oldest pending delegation for its kind.
    AgentStarted {
        /// The agent.
        agent: String,
        /// Its kind.
        kind: String,
    },
    /// Somebody spoke to an agent.
    Addressed {
        /// The agent.
        agent: String,
        /// Another agent did, or the words hand work to it.
        by_agent: bool,
        /// The words do.
        #[serde(default)]
        delegates: bool,
    },
    /// An agent answered: its end of a turn was let through.
    Answered {
        /// The agent.
        agent: String,
    },
    /// A subagent was started in a work tree of its own.
    Apart {
        /// The agent.
        agent: String,
        /// Where, and what stood there.
        place: Box<Apart>,
    },
    /// It became known which delegation a subagent works on. Until then the oldest pending one for
    /// its kind is only a guess: hosts start parallel subagents in any order.
    Bound {
        /// The subagent.
        agent: String,
        /// The tool call that delegated to it.
        call: String,
    },
    /// A subagent's end was let through: what only its own next steps needed is dropped.
    AgentOver {
        /// The subagent.
        agent: String,
    },
    /// Work of the main conversation goes on in the background.
    WentBehind,
    /// A delegation came back.
    Returned {
        /// The tool call that delegated.
        call: Option<String>,
    },
    /// A tool result created files.
    Created {
        /// The agent.
        agent: String,
        /// The paths.
        paths: Vec<String>,
    },
    /// A tool result wrote to a file, or a command was followed by changed files.
    Wrote {
        /// The agent.
        agent: String,
        /// The files, relative to the work tree where they lie inside.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paths: Vec<String>,
        /// No tool named these files: they changed while this command ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<ByCommand>,
    },
    /// A program was written by hand outside of the work tree: by a tool that edits, or with words of a command line.
    Made {
        /// The file.
        path: String,
    },
    /// It wrote to a file that no tree shows.
    WroteUnseen {
        /// The file, relative to the work tree.
        path: String,
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// A tool read files.
    Looked {
        /// The files, relative to the work tree where they lie inside.
        paths: Vec<String>,
    },
    /// A tool ran, or was refused.
    Stepped {
        /// The agent.
        agent: String,
        /// The step.
        step: Step,
    },
    /// It was told something within its turn.
    Hinted {
        /// The agent.
        agent: String,
        /// Fingerprint of what it was about.
        mark: Mark,
    },
    /// The agent went round in circles too often.
    Tripped {
        /// The agent.
        agent: String,
    },
    /// A command ran that may have written files, where no tree tells whether it did.
    MayHaveWritten,
    /// A shell tool ran a line in which no check was recognised, or its end in the background became known.
    Ran {
        /// The agent.
        agent: String,
        /// The host's id of the tool call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// What was witnessed.
        run: Box<CommandRun>,
    },
    /// The tree as a subagent found it that wrote nothing so far, before its first command that may change files.
    Found {
        /// The agent.
        agent: String,
        /// The tree.
        tree: TreeId,
    },
    /// A command began that verifies nothing and may change files.
    CommandStarted(UnderWay),
    /// A check began.
    CheckStarted(Started),
    /// A check came to its end, or went into the background.
    Checked {
        /// The host's id of the tool call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// What was witnessed. Its id is that of the record that holds it.
        run: Box<CheckRun>,
    },
    /// The checklist's ticks.
    Checklist {
        /// The agent.
        agent: String,
        /// The items.
        items: Vec<ChecklistItem>,
    },
    /// A text was refused.
    Rejected {
        /// The agent.
        agent: String,
    },
    /// A text passed, changed or not: the row of rejections is over.
    Accepted {
        /// The agent.
        agent: String,
    },
    /// A stop was blocked.
    StopBlocked {
        /// The agent.
        agent: String,
        /// Fingerprint of checklist and tree at that moment.
        mark: Digest,
        /// The answer, where the same question would get the same one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held: Option<Box<Held>>,
    },
    /// A stop was let through; with `escalated`, although a gate still objected.
    Stopped {
        /// The agent.
        agent: String,
        /// Let go unreviewed.
        escalated: bool,
    },
    /// Notes wait for an event that can carry them.
    Queued {
        /// The agent that will read them.
        agent: String,
        /// The notes.
        notes: Vec<Note>,
    },
    /// The first waiting notes were handed over.
    Delivered {
        /// The agent.
        agent: String,
        /// How many.
        count: usize,
    },
    /// A subagent's text must be changed on its way to the parent.
    Downgraded(Downgraded),
    /// The changed text was handed over.
    Replaced {
        /// The subagent.
        agent: String,
    },
    /// The user was told about these policy problems.
    Told {
        /// Their digest.
        digest: Digest,
    },
    /// A text, or a part of it, was shown.
    Said {
        /// The agent.
        agent: String,
        /// The host's id of the message.
        message: String,
        /// The text or part.
        text: String,
    },
    /// A tool is called: texts before it are notes on the way.
    SaidBeforeTool {
        /// The agent.
        agent: String,
    },
    /// A delegation was refused.
    Denied {
        /// The agent.
        agent: String,
    },
    /// A turn ended, or a message was posted, with a text that was not shown before.
    Thought {
        /// The agent.
        agent: String,
        /// The text, shortened.
        text: String,
    },
    /// The turn is over, or a new one begins: its texts are over.
    SaidOver {
        /// The agent.
        agent: String,
    },
    /// The user must hear this with the next event whose answer is shown.
    Alerted {
        /// The messages.
        alerts: Vec<String>,
    },
    /// The user heard what was waiting.
    Heard,
    /// The record kept the text that a gate objected to.
    Kept,
    /// The session ended.
    Ended,
    /// Records of the session were found to be lost: what gates compare with is not known until a new task begins.
    MemoryLost(Gap),
}
