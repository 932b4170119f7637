//! The adversarial reviewer: what it is asked, and how its answer is read. Starting it is the caller's.
//!
//! The reviewer works for the user: it reads the user's exact words, the difference and the facts, assumes
//! that errors exist, writes nothing, and ends with one structured verdict. An answer without one is no
//! verdict: the review could not run.

mod critique;
mod prompt;
mod verdict;

pub use critique::{Answer, CRITIQUE_TEMPLATE, read_critique};
pub use prompt::{Brief, BriefFinding, DEFAULT_TEMPLATE, render};
pub use verdict::{Unreadable, Verdict, read_verdict};

#[cfg(test)]
mod tests;
