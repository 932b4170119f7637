//! Precision, recall and F1 with 95 % intervals.
//!
//! All three are shares: precision is the share of right answers among the alarms, recall among what should
//! have been found, and F1 is `2j / (1 + j)` where `j` is the share of right answers among everything that was
//! found or should have been (`tp / (tp + fp + fn)`). The function is increasing, so an interval of `j` becomes
//! one of F1, end by end; no resampling and no chance is needed.
//!
//! Each share gets the Wilson interval. Where one item asks several questions, their answers hang together and
//! count for less than as many items would: the number of questions is divided by the design effect, the
//! variance over the items in relation to that of independent questions. At 0 and 1, where no variance can be
//! seen, each item counts as one question.

use crate::count::{Counts, Tally};
use serde::Serialize;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A share and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// The share, 0 to 1.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The figures of one group of items. A share is `None` when there is nothing to take it of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Number of items.
    pub items: u64,
    /// What was counted.
    #[serde(flatten)]
    pub counts: Counts,
    /// Right alarms among all alarms.
    pub precision: Option<Rate>,
    /// Right alarms among all that should have been raised.
    pub recall: Option<Rate>,
    /// The harmonic mean of the two.
    pub f1: Option<Rate>,
    /// Right answers among all answers.
    pub accuracy: Option<Rate>,
}

impl Figures {
    /// The figures of a tally.
    #[must_use]
    pub fn of(tally: &Tally) -> Self {
        let counts = tally.sum();
        Self {
            items: tally.len() as u64,
            counts,
            precision: share(tally, |c| c.tp, |c| c.tp + c.fp),
            recall: share(tally, |c| c.tp, |c| c.tp + c.missed),
            f1: share(tally, |c| c.tp, |c| c.tp + c.fp + c.missed).map(f1),
            accuracy: share(tally, |c| c.tp + c.tn, Counts::n),
        }
    }
}

fn f1(j: Rate) -> Rate {
    let map = |j: f64| 2.0 * j / (1.0 + j);
    Rate {
        value: map(j.value),
        low: map(j.low),
        high: map(j.high),
    }
}

/// The share of `part` in `whole`, over all items.
fn share(tally: &Tally, part: fn(Counts) -> u64, whole: fn(Counts) -> u64) -> Option<Rate> {
    let pairs = || tally.items().map(|c| (float(part(c)), float(whole(c))));
    let (hits, n) = pairs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    if n < 0.5 {
        return None;
    }
    let value = hits / n;
    Some(wilson(value, effective(pairs(), value, n)))
}

/// The number of independent questions that are worth as much as the `n` that were asked.
fn effective(pairs: impl Iterator<Item = (f64, f64)>, share: f64, n: f64) -> f64 {
    let (mut asked, mut most, mut spread) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (x, y) in pairs.filter(|(_, y)| *y > 0.0) {
        asked += 1.0;
        most = most.max(y);
        spread += (x - share * y).powi(2);
    }
    if most < 1.5 {
        return n;
    }
    let alone = share * (1.0 - share) / n;
    if alone <= 0.0 || asked < 2.0 {
        return asked;
    }
    let together = asked / (asked - 1.0) * spread / (n * n);
    n / (together / alone).max(1.0)
}

/// The Wilson interval of a share that was seen in `n` trials.
fn wilson(value: f64, n: f64) -> Rate {
    let z2 = Z * Z / n;
    let middle = (value + z2 / 2.0) / (1.0 + z2);
    let half = Z / (1.0 + z2) * (value * (1.0 - value) / n + z2 / (4.0 * n)).sqrt();
    Rate {
        value,
        // Rounding must not push an end past the share itself.
        low: (middle - half).clamp(0.0, value),
        high: (middle + half).clamp(value, 1.0),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
fn float(n: u64) -> f64 {
    n as f64
}
