//! Labelled messages and how well the gates do on them.
//!
//! [`read`] takes labelled lines (JSON Lines) apart, [`Item::score`] compares a label with an answer of
//! `proctor check`, and [`Report`] counts: precision, recall and F1 with 95 % intervals, by language, kind or
//! any other field. [`Floors`] says which figures must not fall below what. Nothing here runs a gate: the
//! caller does, through the code that serves `proctor check` and the hooks.

mod count;
mod figures;
mod floors;
mod item;
mod report;
mod score;
#[cfg(test)]
mod tests;
mod text;

pub use count::{Counts, Tally};
pub use figures::{Figures, Rate};
pub use floors::{Check, Figure, Floor, Floors, Place};
pub use item::{Gate, Gold, Item, Problem, read};
pub use report::{ErrorRow, GateReport, Group, Judged, Options, Report, Row};
pub use score::Score;
