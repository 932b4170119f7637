//! Test support: the fake model server, the runner of the real Claude Code CLI, and the
//! deterministic [`TestEnvironment`].
//!
//! **Invariant:** only tests use this crate; it may panic with a clear sentence where a library
//! would return an error, because a panic is how a test fails. Everything talks to the loopback
//! interface only, is bounded in count and time, and stops by itself.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "test support: a broken set-up ends the test with a clear message"
)]

pub mod claude;
pub mod env;
pub mod fuzz;
pub mod model;
pub mod process;
pub mod skip;

pub use env::{Output, TestEnvironment};
