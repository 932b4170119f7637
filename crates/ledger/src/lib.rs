//! Append-only logs: records, segments, folds and per-session snapshots.
