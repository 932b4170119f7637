//! Gate `delegation`.
