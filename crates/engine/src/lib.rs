//! Proctor's engine: sessions, tasks, retries, breakers and decisions; the library API.
//!
//! One pipeline, many doors: [`Engine::handle`] serves hooks and every other door that keeps state in
//! files; [`Enforcer`] serves programs that want the text gates in memory.

mod api;
mod aside;
mod authors;
pub mod breaker;
pub mod check;
mod clock;
mod clones;
pub mod conversation;
mod decide;
mod embedding;
mod ending;
mod engine;
pub mod explain;
pub mod feedback;
mod floor;
mod launch;
mod left;
mod place;
mod plan;
mod policy;
mod query;
pub mod record;
mod refused;
pub mod rerun;
pub mod review;
mod reviewing;
pub mod runs;
pub mod session;
mod sight;
pub mod signing;
pub mod stats;
mod surroundings;
pub mod sync;
mod tasks;
pub mod trust;
pub mod unjudged;
mod unseen;
mod upkeep;
pub mod verify;
mod whereabouts;

pub use api::{Enforced, Enforcer, Message, Response, Validation};
pub use aside::{Aside, Ended};
pub use clock::SystemClock;
pub use embedding::{Embedding, Secret};
pub use engine::{Answer, Engine};
pub use floor::{Under, held_words};
pub use place::pinned;
pub use proctor_shell::hijacks;
pub use refused::said as said_of_refusal;
pub use reviewing::Launched;
pub use runs::{Begun, RunOutcome};
pub use surroundings::{Clock, Processes, Surroundings};

#[cfg(test)]
mod tests;
