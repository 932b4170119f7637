//! Old transcripts through the gates: metrics, worst examples, reports.
//!
//! [`run`] reads transcripts of Claude Code, line by line, and asks the same gates that the hooks ask:
//! how much of what agents write to each other is filler, which approvals are empty, which delegations
//! changed files that nobody named, which claims of completion nobody checked, how often a hook sent an
//! answer back. The result is a [`Report`]: JSON by serde, text by [`Report::to_text`], one self-contained
//! page by [`Report::to_html`].
//!
//! **Invariant:** nothing is written, executed or fetched, and no transcript, however broken, ends an audit.

mod claims;
mod commands;
mod conversation;
mod figures;
mod gates;
mod html;
mod judge;
mod output;
mod report;
mod run;
mod sink;
mod source;
mod text;

#[cfg(test)]
mod tests;

pub use figures::{Figures, Metric, MetricId, Texts};
pub use report::{Day, Example, Input, Problem, Report, SCHEMA_VERSION, Session, UsedSettings};
pub use run::{Options, Progress, run};
