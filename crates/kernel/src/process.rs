use serde::{Deserialize, Serialize};

/// A process of this machine. Its number is used again after it has ended; together with its start it is
/// unique until the machine starts anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it started, in ticks since the machine did.
    pub started: u64,
    /// The name of its program.
    pub name: String,
    /// It is an agent program, as far as its name tells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent: bool,
}

/// A process that can be asked after later, by others too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Its number.
    pub pid: u32,
    /// When it started, in ticks since the machine did.
    pub started: u64,
    /// Where these two mean it: one start of one machine, and one of its spaces of process numbers.
    pub within: String,
}

impl Process {
    /// Whether both are the same process.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.pid == other.pid && self.started == other.started
    }
}
