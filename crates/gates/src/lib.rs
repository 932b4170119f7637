//! Proctor's gates, one file each.
