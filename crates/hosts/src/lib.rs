//! Agent hosts: parse their payloads, render Proctor's decisions, install and check hooks.
//!
//! One folder per host. Parsing is tolerant (unknown events, missing fields and wrong types never stop
//! the agent), rendering is pure and total, and what each host can be made to do is data: [`matrix`].

pub mod claude;
pub mod files;
pub mod git;
pub mod matrix;

mod answer;
mod diff;
mod json_text;

pub use answer::{Damage, ParseError, Rendered};
pub use diff::unified;
