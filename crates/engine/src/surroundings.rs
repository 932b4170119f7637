//! What the engine is told about the machine: nothing below the command line reads the clock, the
//! environment or the home folder by itself.

use proctor_kernel::{Audience, Id, Running};
use std::path::PathBuf;

/// Time and randomness.
pub trait Clock {
    /// Milliseconds since 1970.
    fn now(&self) -> u64;
    /// Microseconds since some fixed moment, for costs.
    fn micros(&self) -> u64;
    /// Ten fresh random bytes.
    fn random(&self) -> [u8; 10];
    /// Whether this clock is made for tests; records written under it say so and prove nothing.
    fn is_test(&self) -> bool {
        false
    }

    /// A fresh identifier.
    fn id(&self) -> Id {
        Id::from_parts(self.now(), self.random())
    }
}

/// What the machine tells of processes.
#[derive(Clone, Copy, Debug)]
pub struct Processes {
    /// The process that asks, as others can ask after it; `None` where that cannot be told.
    pub own: fn() -> Option<Running>,
    /// Whether a process still runs; `None` where that cannot be told.
    pub runs: fn(&Running) -> Option<bool>,
}

/// Where the engine stands.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folder in which the agent works.
    pub cwd: PathBuf,
    /// The user's home folder, where it is known.
    pub home: Option<PathBuf>,
    /// The root of the work tree when the session began; `None` when nobody noted it.
    pub root: Option<PathBuf>,
    /// Folder that holds the state folders of all repositories (`$XDG_STATE_HOME/proctor`).
    pub state_home: PathBuf,
    /// The state folder itself, when the user named one (`$PROCTOR_STATE`).
    pub state: Option<PathBuf>,
    /// The user layer's policy file.
    pub user_policy: Option<PathBuf>,
    /// Replaces user, project and local layers (`--policy DIR`).
    pub policy: Option<PathBuf>,
    /// Says who reads the main conversation's texts, when the launcher knows (`$PROCTOR_AUDIENCE`).
    pub audience: Option<Audience>,
    /// Launch record of the process that runs the host, when Proctor itself started it.
    pub launch: Option<String>,
    /// The folders by which git finds the user's configuration (`$HOME`, `$XDG_CONFIG_HOME`); `None` when not known.
    pub git_folders: Option<String>,
    /// Refused ends of a turn in a row that the host takes before it passes over them; `None` where it takes any number.
    pub stop_cap: Option<u32>,
    /// Finds the digest of the program that runs; asked only where a verdict is recorded.
    pub build: Option<fn() -> Option<String>>,
    /// Finds the model that a host's session was answered by last; asked only where a review is asked for.
    pub model: Option<fn(host: &str, session: &str) -> Option<String>>,
    /// Asks after processes; used only for a reviewer, and a host that Proctor started.
    pub processes: Option<Processes>,
    /// Looks up the environment variable that the policy names for a key.
    pub secret: Option<crate::Secret>,
}
