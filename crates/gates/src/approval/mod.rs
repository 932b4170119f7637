//! Gate `approval`: what the end of a turn claims needs a fact, and what it changed may need a review.

mod claim;
mod judge;
mod wording;

#[cfg(test)]
mod tests;

pub use claim::{Claim, ClaimKind};
pub use judge::{Answer, Judgement, Question, Require, judge};
