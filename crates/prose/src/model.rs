//! The model of acts: two tables of small weights, trained on the labelled messages of `corpus/train`, one row for
//! each signal. The first answers yes or no: is a clause talk, is it a verdict given now, is it a report of a
//! verification that was done, a refusal, a bad result. The second tells the acts apart.
//!
//! A score is the sum of the weights of a clause's signals in one column. There is nothing else to it: no floating
//! point, no state, the same answer on every machine.

use crate::act::Act;
use crate::signals::SIGNALS;

/// Yes-or-no columns in use.
pub const MARGINS: usize = 8;
/// Columns of the first table.
const FIRST: usize = 8;
/// Columns of the second table: one for each of [`Act::ALL`]; the rest is spare.
const SECOND: usize = 16;

/// Rows of the second table: four signals share one. To tell the acts apart takes less than to decide.
pub const ACT_ROWS: usize = SIGNALS / SHARED;
/// Signals that share a row of the second table.
const SHARED: usize = 4;

/// Size of a model in bytes.
pub const MODEL_BYTES: usize = SIGNALS * FIRST + ACT_ROWS * SECOND;

/// The row of a signal in the second table.
#[must_use]
pub const fn act_row(signal: u32) -> usize {
    signal as usize / SHARED
}

/// Root of the number of signals of a usual clause; see [`Margins`].
pub const USUAL: i32 = 10;

/// Two tables of weights.
#[derive(Clone, Copy, Debug)]
pub struct Model<'m> {
    margins: Option<&'m [[u8; FIRST]; SIGNALS]>,
    acts: &'m [[u8; SECOND]],
    /// The first columns of the acts again, those of talk, where they are a table of their own.
    talk: Option<&'m [[u8; TALK]]>,
}

/// Acts that are talk: the first of [`Act::ALL`].
const TALK: usize = 5;

/// Their columns, laid out by the build script: a third of the pages.
static TALKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/talk.bin"));

/// The tables that were trained on the corpus of this version.
static TRAINED: &[u8; MODEL_BYTES] = include_bytes!("../model/acts.bin");

/// How surely a clause is talk, a verdict, a report: positive is yes, 16 units are one nat. The sums are taken in
/// proportion to the root of the number of signals, so that a long clause is no surer than a short one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margins {
    /// Talk over content.
    pub talk: i16,
    /// A positive verdict given now.
    pub approval: i16,
    /// A verification that was done, in the whole sentence.
    pub evidence: i16,
    /// A negative verdict.
    pub refusal: i16,
    /// A result that speaks against the change, in the whole sentence.
    pub contrary: i16,
    /// What an approval rests on is said, in the whole message.
    pub support: i16,
    /// A verification that is said not to have been done, in the whole sentence.
    pub denied: i16,
    /// A positive verdict is given now, in the whole message.
    pub accepts: i16,
}

/// Sums of the yes-or-no columns over a number of signals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    columns: [i32; FIRST],
    count: usize,
}

impl Sums {
    /// Both together.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, part) in self.columns.iter_mut().zip(other.columns) {
            *sum += part;
        }
        self.count += other.count;
    }

    /// The sums as margins.
    pub(crate) fn margins(&self) -> Margins {
        let root = (self.count.max(1) as u32).isqrt();
        let most = self
            .columns
            .iter()
            .fold(0, |most, sum| most.max(sum.unsigned_abs()));
        let [
            talk,
            approval,
            evidence,
            refusal,
            contrary,
            support,
            denied,
            accepts,
        ] = match PARTS.get(root as usize) {
            // That of a clause nearly always.
            Some(part) if most < SMALL / USUAL.unsigned_abs() => {
                let part = part * u64::from(USUAL.unsigned_abs());
                self.columns.map(|sum| small(multiplied(sum, part)))
            }
            _ => self
                .columns
                .map(|sum| small(divided(sum.saturating_mul(USUAL), root))),
        };
        Margins {
            talk,
            approval,
            evidence,
            refusal,
            contrary,
            support,
            denied,
            accepts,
        }
    }
}

/// A number that fits, or the nearest one that does.
fn small(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Roots of the numbers of signals that a clause can have, and the bits of the parts of one.
const MOST_ROOTS: usize = 64;
const PART_BITS: u32 = 40;
/// The parts of one by these roots, rounded up.
static PARTS: [u64; MOST_ROOTS] = {
    let mut out = [0; MOST_ROOTS];
    let mut root = 1;
    while root < MOST_ROOTS {
        out[root] = (1u64 << PART_BITS).div_ceil(root as u64);
        root += 1;
    }
    out
};

/// Sums from here on are divided, not multiplied by a part. Below it that is certain to give the same: what rounding adds to
/// a part, less than a root of 2⁶, times a sum of less than 2²³ is less than 2⁴⁰, and their product fits.
const SMALL: u32 = 1 << 23;

/// So many parts of a sum, without their fraction.
fn multiplied(sum: i32, part: u64) -> i32 {
    let quotient = ((u64::from(sum.unsigned_abs()) * part) >> PART_BITS) as i32;
    // The sign of the sum, all bits or none.
    let sign = sum >> 31;
    (quotient ^ sign) - sign
}

/// A quotient, without its fraction.
fn divided(sum: i32, root: u32) -> i32 {
    match PARTS.get(root as usize) {
        Some(part) if sum.unsigned_abs() < SMALL => multiplied(sum, *part),
        _ => {
            let quotient = sum.unsigned_abs() / root.max(1);
            (quotient as i32).wrapping_mul(sum.signum())
        }
    }
}

/// The sums over at most 128 signals. A function of its own: only so it is known to become eight additions at once.
#[inline(never)]
fn partial(rows: &[[u8; FIRST]; SIGNALS], signals: &[u32]) -> [i16; FIRST] {
    let mut part = [0i16; FIRST];
    let row = |signal: u32| &rows[signal as usize % SIGNALS];
    let mut add = |row: &[u8; FIRST]| {
        for (sum, weight) in part.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i16::from(*weight as i8));
        }
    };
    // Eight at a time: a processor waits for as many rows at once as it has room for steps.
    let (some, rest) = signals.as_chunks::<8>();
    for signals in some {
        signals.map(row).into_iter().for_each(&mut add);
    }
    rest.iter().for_each(|signal| add(row(*signal)));
    part
}

impl Model<'static> {
    /// The model of this version.
    #[must_use]
    pub fn trained() -> Self {
        Self {
            talk: Some(TALKS.as_chunks().0),
            ..Self::of(TRAINED)
        }
    }
}

impl<'m> Model<'m> {
    /// A model from its bytes: [`SIGNALS`] rows of the first table, then [`ACT_ROWS`] of the second. `None` when their
    /// number is not [`MODEL_BYTES`].
    #[must_use]
    pub fn from_bytes(bytes: &'m [u8]) -> Option<Self> {
        (bytes.len() == MODEL_BYTES).then(|| Self::of(bytes))
    }

    fn of(bytes: &'m [u8]) -> Self {
        let (first, second) = bytes.split_at(SIGNALS * FIRST);
        Self {
            margins: first.as_chunks().0.try_into().ok(),
            acts: second.as_chunks().0,
            talk: None,
        }
    }

    /// The bytes of a model whose weights are given row by row: those of the first table, those of the second.
    #[must_use]
    pub fn to_bytes(margins: &[[i8; MARGINS]], acts: &[[i8; Act::ALL.len()]]) -> Vec<u8> {
        let mut out = Vec::with_capacity(MODEL_BYTES);
        for row in margins {
            out.extend(row.map(|w| w as u8));
        }
        for row in acts {
            out.extend(row.map(|w| w as u8));
            out.extend([0; SECOND - Act::ALL.len()]);
        }
        out
    }

    /// Adds up what the signals of a clause say.
    pub(crate) fn sums(&self, signals: &[u32]) -> Sums {
        let mut columns = [0; FIRST];
        // The sum of so few weights fits into 16 bits, and eight of those are added at once.
        for some in signals.chunks(128) {
            let Some(rows) = self.margins else { break };
            let part = partial(rows, some);
            for (sum, part) in columns.iter_mut().zip(part) {
                *sum += i32::from(part);
            }
        }
        Sums {
            columns,
            count: signals.len(),
        }
    }

    /// The likeliest kind of talk.
    pub(crate) fn talk(&self, signals: &[u32]) -> Option<(Act, i32)> {
        let Some(rows) = self.talk else {
            return self.act(signals, Act::is_empty_talk);
        };
        let mut columns = [0; TALK];
        for signal in signals {
            if let Some(row) = rows.get(act_row(*signal)) {
                for (sum, weight) in columns.iter_mut().zip(row) {
                    *sum += i32::from(*weight as i8);
                }
            }
        }
        Act::ALL.into_iter().zip(columns).max_by_key(|(_, score)| *score)
    }

    /// The likeliest act of a clause among those that `allowed` admits, with its score.
    #[must_use]
    pub fn act(&self, signals: &[u32], allowed: impl Fn(Act) -> bool) -> Option<(Act, i32)> {
        let mut columns = [0; SECOND];
        for signal in signals {
            if let Some(row) = self.acts.get(act_row(*signal)) {
                for (sum, weight) in columns.iter_mut().zip(row) {
                    *sum += i32::from(*weight as i8);
                }
            }
        }
        Act::ALL
            .into_iter()
            .zip(columns)
            .filter(|(act, _)| allowed(*act))
            .max_by_key(|(_, score)| *score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_those_of_a_division() {
        let edges = |bits: u32| [(1i32 << bits) - 1, 1 << bits, (1 << bits) + 1];
        let sizes: Vec<i32> = (0..5_000).chain((12..30).flat_map(edges)).collect();
        for root in (1..200).chain([1 << 16, 1 << 30]) {
            for size in &sizes {
                for sum in [*size, -size, size.saturating_mul(root.min(1 << 8)) - 1] {
                    assert_eq!(divided(sum, root as u32), sum / root, "{sum} / {root}");
                    if root < 200 {
                        let sums = Sums {
                            columns: [sum, 1, 0, -1, 0, 0, 0, 0],
                            count: (root * root) as usize,
                        };
                        let margin = small(sum.saturating_mul(USUAL) / root);
                        assert_eq!(sums.margins().talk, margin, "{sum} / {root}");
                    }
                }
            }
        }
        assert_eq!(divided(i32::MAX, 1), i32::MAX);
        assert_eq!(divided(i32::MIN, 1), i32::MIN);
    }

    #[test]
    fn the_columns_of_talk_are_those_of_the_acts() {
        let talk: Vec<Act> = Act::ALL.into_iter().filter(|act| act.is_empty_talk()).collect();
        assert_eq!(Act::ALL.get(..TALK), Some(talk.as_slice()));
        let model = Model::trained();
        let rows = model.talk.unwrap_or_default();
        assert_eq!(rows.len(), ACT_ROWS);
        for (row, acts) in rows.iter().zip(model.acts) {
            assert_eq!(acts.get(..TALK), Some(row.as_slice()));
        }
    }
}
