//! Gate `review`.
