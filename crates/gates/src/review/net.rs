//! A small net over the signals of a message's clauses: what no single word says and no rule foresaw.
//!
//! Each common signal has a row of small weights. Their sums, cut off at zero, are the hidden units of a clause; the
//! highest and the mean of all clauses together make those of the message, and those say two things: is it an approval,
//! and does it tell what that rests on. Several nets are asked and their mean is taken. Made by `scripts/train`; whole
//! numbers only.

use proctor_prose::{Reading, SIGNALS, signals_of};

/// Nets whose mean is taken.
pub const NETS: usize = 3;
/// Hidden units that each has for a clause.
pub const UNITS: usize = 16;
/// Hidden units that each has for a message.
pub const LATER: usize = 24;
/// What each says: that the message approves, that it tells what that rests on.
pub const SAYS: usize = 2;
/// Signals that have a row.
pub const ROWS: usize = 8_000;
/// Bytes of a row: the units of each net.
pub const ROW_BYTES: usize = NETS * UNITS;
/// The highest and the mean of each unit.
pub const POOLED: usize = UNITS * 2;
/// One in the weights of the rows.
pub const ROW_ONE: i32 = 32;
/// One in the hidden units.
pub const UNIT_ONE: i32 = 256;
/// One in the weights behind them.
pub const WEIGHT_ONE: i32 = 1024;

/// Clauses at each end of a message that are put to the nets: of a longer one, which is no message, the middle is not.
const HEARD: usize = 2_048;
/// Signals that one word of the index is about.
const WORD: usize = 64;
/// Bytes of the index: for each word a bit for each of its signals, and how many have a row before it.
const INDEX_BYTES: usize = SIGNALS / WORD * (8 + 2);
/// Numbers of two bytes that each net has behind the rows.
const BEHIND: usize = UNITS + LATER * (POOLED + 1) + SAYS * (LATER + 1);
/// Bytes of all of it.
pub const NET_BYTES: usize = INDEX_BYTES + ROWS * ROW_BYTES + NETS * BEHIND * 2;

/// The nets, as bytes: the index, the rows, what each net has behind them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nets<'m> {
    words: &'m [[u8; 8]],
    before: &'m [[u8; 2]],
    rows: &'m [[u8; ROW_BYTES]],
    behind: &'m [[u8; 2]],
}

/// What a unit of the message knows before anything is put to it.
#[derive(Clone, Copy, Debug)]
struct Pool {
    highest: [i32; ROW_BYTES],
    sum: [i64; ROW_BYTES],
    clauses: usize,
}

impl<'m> Nets<'m> {
    /// The nets of these bytes; of other than [`NET_BYTES`] they know nothing.
    pub(super) fn of(bytes: &'m [u8]) -> Self {
        let (words, rest) = bytes.split_at(bytes.len().min(SIGNALS / WORD * 8));
        let (before, rest) = rest.split_at(rest.len().min(SIGNALS / WORD * 2));
        let (rows, behind) = rest.split_at(rest.len().min(ROWS * ROW_BYTES));
        Self {
            words: words.as_chunks().0,
            before: before.as_chunks().0,
            rows: rows.as_chunks().0,
            behind: behind.as_chunks().0,
        }
    }

    /// The row of a signal.
    fn row(&self, signal: u32) -> Option<&[u8; ROW_BYTES]> {
        let (word, bit) = (signal as usize / WORD, signal as usize % WORD);
        let bits = u64::from_le_bytes(*self.words.get(word)?);
        if bits >> bit & 1 == 0 {
            return None;
        }
        let before = u16::from_le_bytes(*self.before.get(word)?);
        let within = (bits & ((1 << bit) - 1)).count_ones();
        self.rows.get(usize::from(before) + within as usize)
    }

    /// A number behind the rows.
    fn number(&self, net: usize, at: usize) -> i64 {
        let bytes = self.behind.get(net * BEHIND + at).copied().unwrap_or_default();
        i64::from(i16::from_le_bytes(bytes))
    }

    /// How surely the message is what the nets tell, in [`UNIT_ONE`]ths of a nat.
    pub(super) fn ask(&self, reading: &Reading) -> [i32; SAYS] {
        let mut pool = Pool {
            highest: [0; ROW_BYTES],
            sum: [0; ROW_BYTES],
            clauses: 0,
        };
        let any = reading.clauses.iter().any(|c| reading.is_said(c));
        let said = |at: &usize| !any || reading.clauses.get(*at).is_some_and(|c| reading.is_said(c));
        let all = reading.clauses.len();
        let first = 0..all.min(HEARD);
        let last = first.end.max(all.saturating_sub(HEARD))..all;
        signals_of(reading, first.chain(last).filter(said), |_, signals| {
            self.add(signals, &mut pool);
        });
        let mut out = [0i64; SAYS];
        for net in 0..NETS {
            for (sum, said) in out.iter_mut().zip(self.says(net, &pool)) {
                *sum += said;
            }
        }
        out.map(|sum| (sum / NETS as i64).clamp(-(1 << 16), 1 << 16) as i32)
    }

    /// Takes in a clause.
    fn add(&self, signals: &[u32], pool: &mut Pool) {
        let mut sums = [0i32; ROW_BYTES];
        let mut count = 0usize;
        for row in signals.iter().filter_map(|s| self.row(*s)) {
            count += 1;
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += i32::from(*weight as i8);
            }
        }
        let root = (count.max(1) << 8).isqrt() as i32;
        for (at, sum) in sums.iter().enumerate() {
            let (net, unit) = (at / UNITS, at % UNITS);
            // Ten is the root of the number of signals of a usual clause; the root is in sixteenths.
            let level = sum * (10 * 16 * UNIT_ONE / ROW_ONE) / root + self.number(net, unit) as i32;
            if level > 0
                && let (Some(highest), Some(all)) = (pool.highest.get_mut(at), pool.sum.get_mut(at))
            {
                *highest = level.max(*highest);
                *all += i64::from(level);
            }
        }
        pool.clauses += 1;
    }

    /// What one net says of all clauses.
    fn says(&self, net: usize, pool: &Pool) -> [i64; SAYS] {
        let root = (pool.clauses.max(1) << 8).isqrt() as i64;
        let units = net * UNITS..(net + 1) * UNITS;
        let highest = pool.highest.get(units.clone()).unwrap_or_default();
        let means = pool.sum.get(units).unwrap_or_default();
        let mut later = [0i64; LATER];
        for (at, unit) in later.iter_mut().enumerate() {
            let from = UNITS + at * (POOLED + 1);
            let pooled = highest
                .iter()
                .map(|h| i64::from(*h))
                .chain(means.iter().map(|sum| sum * 16 / root));
            let sum: i64 = pooled
                .enumerate()
                .map(|(n, level)| level * self.number(net, from + n))
                .sum();
            *unit = (sum / i64::from(WEIGHT_ONE) + self.number(net, from + POOLED)).max(0);
        }
        let from = UNITS + LATER * (POOLED + 1);
        let mut out = [0i64; SAYS];
        for (at, said) in out.iter_mut().enumerate() {
            let from = from + at * (LATER + 1);
            let sum: i64 = later
                .iter()
                .enumerate()
                .map(|(n, level)| level * self.number(net, from + n))
                .sum();
            *said = sum / i64::from(WEIGHT_ONE) + self.number(net, from + LATER);
        }
        out
    }
}
