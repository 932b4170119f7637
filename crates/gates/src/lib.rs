//! Proctor's gates, one file each.

pub mod delegation;
pub mod response;
pub mod review;
pub mod scope;
pub mod todo;
