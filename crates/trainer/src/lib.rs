//! Trains the model of acts that `proctor-prose` reads with, and says how well it does.
//!
//! Everything is deterministic: the same labelled files give the same bytes on every machine, and a test keeps
//! the committed model equal to what its corpus gives.

pub mod data;
pub mod decide;
pub mod forest;
pub mod math;
pub mod net;
pub mod train;
pub mod validate;

#[cfg(test)]
mod tests;
