//! Claude Code. Facts about it were measured with version 2.1.329 unless another one is named; they are
//! collected in `docs/hosts/claude.md`.

pub mod doctor;
pub mod drive;
mod guard;
pub mod install;
mod lines;
pub mod matrix;
mod notification;
mod parse;
pub mod plugin;
mod render;
pub mod settings;
pub mod transcript;
pub mod usage;
mod wire;

#[cfg(test)]
mod tests;

pub use guard::{already_blocked, guarded, is_stop};
pub use notification::{Notification, notification};
pub use parse::{
    HOST, SubagentFiles, may_delegate, parse, recover_event_name, scheduled, subagent_files, tool_kind,
    transcript_path,
};
pub use render::{render, render_failure, render_onto};
pub use wire::without_lone_surrogates;
