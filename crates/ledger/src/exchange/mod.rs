//! What clones tell each other: lanes of records, checked before they are believed to be records at all.
//!
//! A *lane* is what one clone published of one log: its lines word for word, and in place of lines that are
//! not meant for others a *skip*, which carries the digest that the chain goes on with. A lane only grows.
//! Everything here is text in, text out; where lanes travel is the caller's affair.
//!
//! **Invariant:** what is taken in from elsewhere is kept apart from the clone's own logs. It is a claim of
//! another machine, whole and unchanged as far as checksums and chain tell, and no more.

pub(crate) mod claims;
mod export;
mod lane;
mod merge;

pub use claims::{Claim, Claims};
pub use export::{Diverged, Export, Withheld, export};
pub use lane::{LaneName, LaneRead, MAX_LANE, MAX_LINE, Rejection, read_lane, read_lane_if};
pub use merge::{Meeting, meet};

/// How the kinds of records that are exchanged begin.
pub const KINDS: [&str; 2] = ["review", "check"];

/// Whether records of this kind are exchanged.
#[must_use]
pub fn is_exchanged(kind: &str) -> bool {
    KINDS.iter().any(|k| kind.starts_with(k))
}

/// Largest part of a lane in bytes, unless a single line is longer.
pub const PART: usize = 1 << 20;

/// Cuts a lane into parts: the same lane always into the same parts, so that only the last one changes when
/// the lane grows.
#[must_use]
pub fn parts(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let (mut from, mut to) = (0, 0);
    for line in text.split_inclusive(|b| *b == b'\n') {
        if to > from && to - from + line.len() > PART {
            parts.extend(text.get(from..to));
            from = to;
        }
        to += line.len();
    }
    if to > from {
        parts.extend(text.get(from..to));
    }
    parts
}
