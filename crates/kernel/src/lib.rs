//! Vocabulary of Proctor: events, gates, verdicts, decisions and the pipeline.
//!
//! **Invariant:** no I/O, no clock, no environment. Everything that a gate may look at beyond the
//! event itself comes through [`World`], which the engine implements.

mod decision;
mod error;
mod event;
mod fact;
mod gate;
mod id;
mod level;
mod pipeline;
mod process;
mod shown;
mod step;
mod task;
mod usage;

pub use decision::{Action, Decision, Fallback, Finding, GateReport, Note, Span, Status, Verdict};
pub use error::{Error, ErrorKind, Result};
pub use event::{
    Agent, Delegation, Event, EventKind, EventTag, PromptOrigin, StartSource, ToolCall, ToolKind, ToolOutcome,
};
pub use fact::{
    CheckKind, CheckKinds, CheckRun, CommandRun, End, ExitSource, HIDDEN, Mask, Place, Reason,
    ReviewStanding, Summary, TreeId, Trust,
};
pub use gate::{Audience, Author, Context, Gate, GateError, GateInfo, NoWorld, Outcome, World};
pub use id::{Digest, Id};
pub use level::{Band, Mode, OnError, Tier};
pub use pipeline::{BREAKER_OPEN, Breaker, Planned, Timer, run};
pub use process::{Process, Running};
pub use shown::{names, one_line, shown};
pub use step::{Mark, Step};
pub use task::{ChecklistItem, Outline, Task, TaskOrigin};
pub use usage::{Meter, Metered, Reading, Readings};
