use serde::{Deserialize, Serialize};
use std::fmt;

/// How far a gate's findings reach. Every gate has one; what *would* have been blocked is recorded
/// in every mode but `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The gate is not run.
    Off,
    /// The gate is run and recorded; nobody is told.
    Observe,
    /// Findings become notes to the agent.
    Warn,
    /// Hard findings become the answer itself; soft ones stay notes.
    Enforce,
}

/// Whether a finding may become the host's own denial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A note to the agent, counted and measured.
    Soft,
    /// Enforced where the gate's mode says so: the host is made to obey.
    Hard,
}

/// Order of gates within one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Band {
    /// Set-up of session and task.
    Init = 10,
    /// Enforcement; a hard block here skips [`Band::Business`].
    Enforcement = 20,
    /// Checks of the work itself.
    Business = 50,
    /// Records and measures. Always runs.
    Audit = 80,
    /// Clean-up. Always runs.
    Cleanup = 90,
}

impl Band {
    /// The band's number, as the documents print it (10, 20, 50, 80, 90).
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// What a gate's failure (error, panic, missing facts) is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// Let the event pass; the failure is still recorded and reported.
    Allow,
    /// Fail closed.
    Block,
    /// Ask a human.
    Ask,
}

macro_rules! lowercase_display {
    ($($type:ident { $($variant:ident => $text:literal),+ $(,)? })+) => {$(
        impl $type {
            /// The word used in policy files, records and reports.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $($type::$variant => $text),+ }
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+};
}

lowercase_display! {
    Mode { Off => "off", Observe => "observe", Warn => "warn", Enforce => "enforce" }
    Tier { Soft => "soft", Hard => "hard" }
    OnError { Allow => "allow", Block => "block", Ask => "ask" }
}
