//! Two versions of one lane.

/// What two texts of one lane are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// They are equal, or the first is the second grown on.
    First,
    /// The second is the first grown on.
    Second,
    /// They differ; the first keeps the name, the second goes aside (see [`crate::LaneName::aside`]).
    FirstKeepsName,
    /// They differ; the second keeps the name, the first goes aside.
    SecondKeepsName,
}

/// Compares two texts of one lane. Whoever compares them, in whichever order, comes to the same end, so
/// that clones agree without talking.
#[must_use]
pub fn meet(first: &[u8], second: &[u8]) -> Meeting {
    if first.starts_with(second) {
        Meeting::First
    } else if second.starts_with(first) {
        Meeting::Second
    } else if (first.len(), first) > (second.len(), second) {
        Meeting::FirstKeepsName
    } else {
        Meeting::SecondKeepsName
    }
}
