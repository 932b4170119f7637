//! The real Claude Code CLI: found or installed at a pinned version, run headless against the
//! [fake model](crate::model).
//!
//! The CLI is proprietary software: it is installed from its vendor's npm package at test time and
//! never copied or committed. All its switches for telemetry, updates and error reports are set off,
//! and its only server is the fake model on the loopback interface. The test script also runs the
//! tests in a network namespace without any other interface where the machine permits it.

mod install;
mod run;

pub use install::{Availability, PACKAGE, VERSION, available, ready_or_skip};
pub use run::{Answer, Claude};
