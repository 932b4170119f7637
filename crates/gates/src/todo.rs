//! Gate `todo`.
