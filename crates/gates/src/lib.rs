//! Proctor's gates, one file each.
//!
//! Each gate is a pure function from text, task and settings to a judgement (`judge`), and a thin
//! [`proctor_kernel::Gate`] around it. `proctor check` and the audit use the function, the hook uses
//! the gate: one engine, many doors.

use proctor_kernel::GateInfo;

mod answer;
pub mod approval;
pub mod delegation;
pub mod drift;
mod fields;
mod lines;
pub mod looping;
mod quote;
mod relay;
pub mod response;
pub mod review;
pub mod scope;
pub mod support;
pub mod tamper;
pub mod todo;

/// All gates, in the order in which they run.
pub static REGISTRY: [&GateInfo; 8] = [
    &looping::INFO,
    &delegation::INFO,
    &response::INFO,
    &review::INFO,
    &approval::INFO,
    &drift::INFO,
    &scope::INFO,
    &todo::INFO,
];
