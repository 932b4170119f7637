//! Gate `scope`.
