//! Append-only logs: records, segments, folds and per-session snapshots.
//!
//! The log is the truth; everything else in the state folder (snapshots, small files, an index) can
//! be deleted and is rebuilt. `docs/reference/records.md` describes the format and its promises.
//!
//! **Invariant:** neither clock nor randomness nor environment is read here: ids and times come in
//! as a [`Stamp`]. (The bounded waits for a lock use the monotonic clock.)

mod anchor;
mod disk;
mod exchange;
mod fsck;
mod instant;
mod journal;
mod lock;
mod name;
mod problem;
mod reader;
mod record;
mod segment;
mod store;
mod writer;

#[cfg(test)]
mod tests;

pub use anchor::{Gone, blocked_by, first_loss, make_way};
pub use exchange::{
    Claim, Claims, Diverged, Export, KINDS, LaneName, LaneRead, MAX_LANE, MAX_LINE, Meeting, PART, Rejection,
    Withheld, export, is_exchanged, meet, parts, read_lane, read_lane_if,
};
pub use fsck::{Finding, Grade, Knowledge, LogSummary, Report, SnapshotCheck, check_snapshot};
pub use instant::{format_millis, parse_millis};
pub use journal::{Committed, Fold, Journal, Rebuilt};
pub use lock::is_busy;
pub use name::writer_name;
pub use problem::{Flaw, Problem};
pub use reader::{Position, Reader};
pub use record::{Draft, FORMAT, MAX_RECORD, Record, Stamp};
pub use store::{Marker, Presence, Store};
pub use writer::{Appended, Durability, Options, Writer};
