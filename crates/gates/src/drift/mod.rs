//! Gate `drift`: the last thoughts of an agent bring nothing new.

mod judge;
mod stem;
mod thought;
mod volatile;
mod words;

#[cfg(test)]
mod tests;

pub use judge::{Judgement, judge};
