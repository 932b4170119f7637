//! What the host's own files and the machine tell beside an event. Asked for only when it is needed: every
//! answer may cost a file.

use crate::reviewing::Launched;
use proctor_kernel::{Mark, Metered, Process, Readings};

/// What can be found out beside an event. Everything is optional: `()` knows nothing.
pub trait Aside {
    /// The exact words with which the subagent was started in which the event happened.
    fn delegation(&self) -> Option<String> {
        None
    }

    /// Commands in the background whose end this event reports.
    fn ended(&self) -> Vec<Ended> {
        Vec::new()
    }

    /// Fingerprints of the prompts that the host's timers will send, at the end of a turn.
    fn scheduled(&self) -> Vec<Mark> {
        Vec::new()
    }

    /// New tokens in the session's transcripts since they were read last, and how far they are read now. `begins`: a
    /// task begins, and transcripts that are not known yet count from their present end.
    fn usage(&self, _known: &Metered, _begins: bool) -> Option<Readings> {
        None
    }

    /// Starts a reviewer for a session's work (`claude-<id>`), and waits for it as long as the host waits for this
    /// event. `seconds`: the reviewer's own time limit.
    fn review(&self, _session: &str, _seconds: u64) -> Launched {
        Launched::Failed("no reviewer can be started here".to_owned())
    }

    /// The path of this program, as a shell could start it.
    fn program(&self) -> Option<String> {
        None
    }

    /// The one record of this event is about to be written. Does not come back where the event was answered meanwhile:
    /// then that answer has left it.
    fn about_to_record(&self) {}

    /// The processes above the host's hook, nearest first; nothing where they cannot be seen.
    fn above(&self) -> Vec<Process> {
        Vec::new()
    }
}

impl Aside for () {}

/// The end of a command that ran in the background.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The host's id of the tool call that started it.
    pub call: String,
    /// Its exit code, where the host tells it.
    pub exit: Option<i32>,
    /// What it wrote, or the end of it.
    pub output: Option<String>,
}
