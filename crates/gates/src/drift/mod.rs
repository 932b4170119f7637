//! Gate `drift`: the last thoughts of an agent bring nothing new.

mod judge;
mod sound;
mod stem;
mod thought;
mod volatile;
mod words;

#[cfg(test)]
mod tests;

pub use judge::{Judgement, judge};

#[doc(hidden)]
pub fn debug(t:&str)->String{ let d=thought::digest(t); d.items.iter().map(|i|format!("{}:{:?}:{:?}{}",i.key,i.sort,i.pole,if i.claimed{""}else{"?"})).collect::<Vec<_>>().join("  ")+&format!("  {:?} {:?}",d.states,d.believed)}
