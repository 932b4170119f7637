//! The worker-reviewer loop: agents as actors, driven through the engine.
//!
//! The loop owns the conversation: it hands each actor what it has to answer, performs the tools that
//! it asks for, and shows every step to the engine exactly as a host's hooks would. It goes on only
//! when the engine lets it. Which program is behind an [`Actor`] does not matter to it: a scripted
//! cast ([`cast`]), or a real agent behind a driver.

mod actor;
pub mod cast;
mod play;
mod report;
pub mod reviewer;
pub mod tools;

pub use actor::{Actor, Input, Role, Step};
pub use play::{Ending, Observer, Play, Scene};
pub use report::Report;
