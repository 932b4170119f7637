//! Reading what agents write: pure functions from text to structure, in English and Korean.
//!
//! [`read`] splits a message into blocks (prose, lists, tables, quotes, code, data), sentences and clauses, says
//! for each clause what its grammar is ([`Features`]) and what the writer does with it ([`Act`]), and keeps the
//! byte offsets of everything in the original text, however the text is disguised.
//!
//! Time and memory are linear in the length of the text; no input panics.

mod act;
mod block;
mod extra;
mod features;
mod figure;
mod fold;
mod forest;
mod form;
mod inline;
mod items;
mod korean;
mod language;
mod lexicon;
mod look_up;
mod model;
mod outcome;
mod pattern;
mod reading;
mod scale;
mod scan;
mod shape;
mod signals;
mod split;
mod tags;
#[cfg(test)]
mod tests;
mod token;

pub use act::Act;
pub use block::{Block, BlockKind, open_fence};
pub use extra::{Doubt, Extra};
pub use features::{Features, Kinds, Language};
pub use fold::normalize;
pub use forest::{Forest, LEAVES, QUESTIONS, TREE_BYTES, TREES};
pub use lexicon::{Filter, lookup, tag, technical_terms};
pub use model::{ACT_ROWS, MARGINS, MODEL_BYTES, Margins, Model, USUAL, act_row};
pub use outcome::{Outcome, gains};
pub use pattern::{Flaw, LARGEST, LONGEST, MOST};
pub use reading::{Clause, Reading, read, read_clauses, read_model, read_shared, read_with};
pub use signals::{SIGNALS, signals, signals_of};
pub use tags::Tags;
pub use token::{Token, TokenKind};
