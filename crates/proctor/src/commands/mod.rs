//! One file per command.

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod doctor;
mod doctor_git;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod feedback;
pub(crate) mod fsck;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod init_git;
pub(crate) mod lookup;
pub(crate) mod plugin;
pub(crate) mod reference;
pub(crate) mod review;
pub(crate) mod run_check;
pub(crate) mod stats;
pub(crate) mod sync;
pub(crate) mod task;
pub(crate) mod trust;
pub(crate) mod verify;
