//! Counting right and wrong answers.

use serde::Serialize;
use std::ops::AddAssign;

/// How the answers to yes-or-no questions came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Yes, and rightly so.
    pub tp: u64,
    /// Yes, but no was right: a false alarm.
    pub fp: u64,
    /// No, but yes was right: a miss.
    #[serde(rename = "fn")]
    pub missed: u64,
    /// No, and rightly so.
    pub tn: u64,
}

impl Counts {
    /// One question: what was right, and what was answered.
    #[must_use]
    pub fn of(gold: bool, answer: bool) -> Self {
        let one = |b: bool| u64::from(b);
        Self {
            tp: one(gold && answer),
            fp: one(!gold && answer),
            missed: one(gold && !answer),
            tn: one(!gold && !answer),
        }
    }

    /// Number of questions.
    #[must_use]
    pub fn n(self) -> u64 {
        self.tp + self.fp + self.missed + self.tn
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missed += other.missed;
        self.tn += other.tn;
    }
}

/// The counts of many items. One item may ask several questions (the paths of a change, the entries of a
/// checklist); they rise and fall together, so the items are kept apart for the intervals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    items: Vec<Counts>,
}

impl Tally {
    /// Adds the counts of one item.
    pub fn add(&mut self, counts: Counts) {
        self.items.push(counts);
    }

    /// The sum over all items.
    #[must_use]
    pub fn sum(&self) -> Counts {
        let mut sum = Counts::default();
        self.items.iter().for_each(|c| sum += *c);
        sum
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The counts of each item.
    pub(crate) fn items(&self) -> impl Iterator<Item = Counts> {
        self.items.iter().copied()
    }
}
