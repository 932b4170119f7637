//! Gate `response`.
