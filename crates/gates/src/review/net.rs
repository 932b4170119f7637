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
/// Neighbouring signals whose rows are counted from one of them: few enough that a byte holds how many there are.
pub const GROUP: usize = 1_024;
/// In the index, of a signal without a row.
pub const NO_ROW: u8 = u8::MAX;
/// Bytes of the index: for each signal the place of its row among those of its group, for each group how many rows lie
/// before its own.
const INDEX_BYTES: usize = SIGNALS + SIGNALS / GROUP * 2;
/// What a weight of a row is stored with, so that it is not negative: bytes without a sign are added up in fewer steps.
pub const ROW_ZERO: i32 = 128;
/// Signals whose rows are added up together: few enough that their sum is certain to fit into two bytes (257 × 255 is less
/// than 2¹⁶), more than most clauses have.
const AT_ONCE: usize = 128;
/// What a signal without a row adds.
static NOTHING: [u8; ROW_BYTES] = [ROW_ZERO as u8; ROW_BYTES];
/// Numbers of two bytes that each net has behind the rows.
const BEHIND: usize = UNITS + LATER * (POOLED + 1) + SAYS * (LATER + 1);
/// Bytes of all of it.
pub const NET_BYTES: usize = INDEX_BYTES + ROWS * ROW_BYTES + NETS * BEHIND * 2;

/// The nets, as bytes: the index, the rows, what each net has behind them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nets<'m> {
    index: Option<Index<'m>>,
    rows: &'m [[u8; ROW_BYTES]],
    behind: &'m [[u8; 2]],
}

/// Where the rows of the signals are.
#[derive(Clone, Copy, Debug)]
struct Index<'m> {
    within: &'m [u8; SIGNALS],
    before: &'m [[u8; 2]; SIGNALS / GROUP],
}

impl Index<'_> {
    /// The place of a signal's row, and whether it has one: three of four have, so that nothing is decided by it.
    #[inline]
    fn place(&self, signal: u32) -> (u16, bool) {
        let signal = signal as usize % SIGNALS;
        let within = self.within[signal];
        let before = u16::from_le_bytes(self.before[signal / GROUP]);
        (before.wrapping_add(within.into()), within != NO_ROW)
    }
}

/// What a unit of the message knows before anything is put to it.
#[derive(Clone, Copy, Debug)]
struct Pool {
    highest: [i32; ROW_BYTES],
    /// Each level of a clause of 4,096 signals is less than 700,000: those of all clauses that are heard fit.
    sum: [u32; ROW_BYTES],
    clauses: usize,
}

impl<'m> Nets<'m> {
    /// The nets of these bytes; of other than [`NET_BYTES`] they know nothing.
    pub(super) fn of(bytes: &'m [u8]) -> Self {
        let (index, rest) = bytes.split_at(bytes.len().min(INDEX_BYTES));
        let (rows, behind) = rest.split_at(rest.len().min(ROWS * ROW_BYTES));
        Self {
            index: index.split_first_chunk().and_then(|(within, before)| {
                let before = before.as_chunks().0.try_into().ok()?;
                Some(Index { within, before })
            }),
            rows: rows.as_chunks().0,
            behind: behind.as_chunks().0,
        }
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
        let starts = std::array::from_fn(|at| self.number(at / UNITS, at % UNITS) as i32);
        let mut rows = [&NOTHING; AT_ONCE];
        signals_of(reading, first.chain(last).filter(said), |_, signals| {
            self.add(signals, &starts, &mut rows, &mut pool);
        });
        let mut out = [0i64; SAYS];
        for net in 0..NETS {
            for (sum, said) in out.iter_mut().zip(self.says(net, &pool)) {
                *sum += said;
            }
        }
        out.map(|sum| (sum / NETS as i64).clamp(-(1 << 16), 1 << 16) as i32)
    }

    /// Takes in a clause; `starts` is what its units come to without any signal, `rows` is room for those of its signals.
    fn add<'r>(
        &'r self,
        signals: &[u32],
        starts: &[i32; ROW_BYTES],
        rows: &mut [&'r [u8; ROW_BYTES]; AT_ONCE],
        pool: &mut Pool,
    ) {
        let Some(index) = self.index else { return };
        let mut sums = [0i32; ROW_BYTES];
        let mut count = 0usize;
        for signals in signals.chunks(AT_ONCE) {
            // All are looked up before any is added: what a row is waited for depends on no search then. Both ends of each
            // row are touched: where a processor does nothing else it waits for many rows at once, else for the few that it
            // has room for beside their sums.
            let mut found = 0;
            let mut touched = 0;
            for signal in signals {
                let (place, has) = index.place(*signal);
                let row = self.rows.get(usize::from(place)).unwrap_or(&NOTHING);
                touched |= row[0] | row[ROW_BYTES - 1];
                // Never beyond the last one: there are no more signals than rows.
                rows[found % AT_ONCE] = row;
                found += usize::from(has);
            }
            std::hint::black_box(touched);
            count += found;
            let part = added(rows.get(..found).unwrap_or_default());
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum += i32::from(part);
            }
        }
        let shown = ROW_ZERO * count as i32;
        let level = levels(count);
        let units = pool.highest.iter_mut().zip(&mut pool.sum);
        for ((sum, start), (highest, all)) in sums.iter().zip(starts).zip(units) {
            let level = (level(sum - shown) + start).max(0);
            *highest = level.max(*highest);
            *all += level as u32;
        }
        pool.clauses += 1;
    }

    /// What one net says of all clauses.
    fn says(&self, net: usize, pool: &Pool) -> [i64; SAYS] {
        let root = (pool.clauses.max(1) << 8).isqrt() as i64;
        let units = net * UNITS..(net + 1) * UNITS;
        let mut pooled = [0i64; POOLED];
        let (highest, means) = pooled.split_at_mut(UNITS);
        for (to, from) in highest
            .iter_mut()
            .zip(pool.highest.get(units.clone()).unwrap_or_default())
        {
            *to = i64::from(*from);
        }
        for (to, sum) in means.iter_mut().zip(pool.sum.get(units).unwrap_or_default()) {
            *to = i64::from(*sum) * 16 / root;
        }
        let later: [i64; LATER] = std::array::from_fn(|at| {
            let from = UNITS + at * (POOLED + 1);
            self.weighed(net, from, &pooled).max(0)
        });
        std::array::from_fn(|at| self.weighed(net, UNITS + LATER * (POOLED + 1) + at * (LATER + 1), &later))
    }

    /// Levels by their weights, which stand at `from`, and the number behind these.
    fn weighed(&self, net: usize, from: usize, levels: &[i64]) -> i64 {
        let at = net * BEHIND + from;
        let weights = self.behind.get(at..at + levels.len()).unwrap_or_default();
        let sum: i64 = levels
            .iter()
            .zip(weights)
            .map(|(level, weight)| level * i64::from(i16::from_le_bytes(*weight)))
            .sum();
        sum / i64::from(WEIGHT_ONE) + self.number(net, from + levels.len())
    }
}

/// What the sums of so many rows come to as levels: in proportion to the root of the number of rows, whole numbers cut
/// off towards zero. Ten is the root of the number of signals of a usual clause; the root is in sixteenths.
///
/// A division takes a processor as long as ten multiplications, and there are as many as there are units in each clause,
/// so they are done by the factor and the root's reciprocal in one, rounded up. What that is too great by is less than one
/// part in `1 << shift`: for sums below 2²⁰, those of 8,192 rows, the quotient becomes greater by less than one part in
/// `root`, and no whole number is reached that was not reached before.
#[inline]
fn levels(rows: usize) -> impl Fn(i32) -> i32 {
    const FACTOR: u64 = 10 * 16 * (UNIT_ONE / ROW_ONE) as u64;
    let root = (rows.max(1) << 8).isqrt() as u64;
    let shift = 21 + root.ilog2();
    // Less than 2³², so that two of four are multiplied at once.
    let factor = (FACTOR << shift).div_ceil(root) as u32;
    move |sum| {
        let whole = ((u64::from(sum.unsigned_abs()) * u64::from(factor)) >> shift) as i32;
        // Negated where the sum is: as often as not, so that nothing is decided by it.
        let sign = sum >> 31;
        (whole ^ sign) - sign
    }
}

/// The sums of at most 257 rows. By itself this is translated to sixteen bytes at once, which it was not amid the search
/// for rows: there, the nets took as long as all else that is read of a turn.
///
/// Two neighbours are added up as one number of two bytes, and the second of them by itself: what is left of the former
/// without the latter is the sum of the first. That is two thirds of the steps that taking the bytes apart needs.
#[inline(never)]
fn added(rows: &[&[u8; ROW_BYTES]]) -> [u16; ROW_BYTES] {
    let mut both = [0u16; ROW_BYTES / 2];
    let mut seconds = [0u16; ROW_BYTES / 2];
    for row in rows {
        let pairs = row.as_chunks::<2>().0;
        for ((both, second), pair) in both.iter_mut().zip(&mut seconds).zip(pairs) {
            let pair = u16::from_le_bytes(*pair);
            *both = both.wrapping_add(pair);
            *second = second.wrapping_add(pair >> 8);
        }
    }
    let mut sums = [0; ROW_BYTES];
    for (sums, (both, second)) in sums
        .as_chunks_mut::<2>()
        .0
        .iter_mut()
        .zip(both.iter().zip(&seconds))
    {
        *sums = [both.wrapping_sub(second << 8), *second];
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{
        AT_ONCE, BEHIND, GROUP, LATER, NET_BYTES, NETS, NO_ROW, NOTHING, Nets, POOLED, Pool, ROW_BYTES,
        ROW_ONE, ROW_ZERO, ROWS, SAYS, UNIT_ONE, UNITS, WEIGHT_ONE, levels,
    };
    use proctor_prose::SIGNALS;

    /// Nets whose rows have the least and greatest weights among others.
    fn made(seed: u64) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        // Of each group an equal part of the signals has a row: the first ones of it.
        let share = ROWS.div_ceil(SIGNALS / GROUP);
        let mut bytes = Vec::with_capacity(NET_BYTES);
        for signal in 0..SIGNALS {
            let row = signal / GROUP * share + signal % GROUP;
            let has = signal % GROUP < share && row < ROWS;
            bytes.push(if has { (signal % GROUP) as u8 } else { NO_ROW });
        }
        for group in 0..SIGNALS / GROUP {
            bytes.extend(((group * share) as u16).to_le_bytes());
        }
        for _ in 0..ROWS * ROW_BYTES {
            bytes.push(match next() % 8 {
                0 => 0,
                1 => u8::MAX,
                _ => next() as u8,
            });
        }
        for _ in 0..NETS * BEHIND {
            bytes.extend((next() as i16).to_le_bytes());
        }
        assert_eq!(bytes.len(), NET_BYTES);
        bytes
    }

    /// The same by single numbers, as the module's description has it.
    fn plainly(nets: &Nets<'_>, clauses: &[Vec<u32>], net: usize) -> [i64; SAYS] {
        let mut highest = [0i64; UNITS];
        let mut means = [0i64; UNITS];
        for signals in clauses {
            let places = signals.iter().map(|s| nets.index.unwrap().place(*s));
            let rows: Vec<_> = places
                .filter_map(|(place, has)| nets.rows.get(usize::from(place)).filter(|_| has))
                .collect();
            let root = (rows.len().max(1) << 8).isqrt() as i64;
            for unit in 0..UNITS {
                let sum: i64 = rows
                    .iter()
                    .map(|row| i64::from(row[net * UNITS + unit]) - i64::from(ROW_ZERO))
                    .sum();
                let level = sum * (10 * 16 * i64::from(UNIT_ONE) / i64::from(ROW_ONE)) / root
                    + nets.number(net, unit);
                highest[unit] = highest[unit].max(level);
                means[unit] += level.max(0);
            }
        }
        let root = (clauses.len().max(1) << 8).isqrt() as i64;
        let pooled: Vec<i64> = highest
            .into_iter()
            .chain(means.map(|sum| sum * 16 / root))
            .collect();
        let layer = |levels: &[i64], from: usize, units: usize| -> Vec<i64> {
            let unit = |at: usize| {
                let from = from + at * (levels.len() + 1);
                let sum: i64 = levels
                    .iter()
                    .enumerate()
                    .map(|(n, level)| level * nets.number(net, from + n))
                    .sum();
                sum / i64::from(WEIGHT_ONE) + nets.number(net, from + levels.len())
            };
            (0..units).map(unit).collect()
        };
        let later: Vec<i64> = layer(&pooled, UNITS, LATER)
            .into_iter()
            .map(|u| u.max(0))
            .collect();
        let said = layer(&later, UNITS + LATER * (POOLED + 1), SAYS);
        std::array::from_fn(|at| said[at])
    }

    #[test]
    fn rows_are_added_up_as_single_numbers_are() {
        for seed in 1..6u64 {
            let bytes = made(seed);
            let nets = Nets::of(&bytes);
            // One of ten has no row.
            let signal = |n: usize| {
                let (group, rest) = (n / 70 % (SIGNALS / GROUP), n % 70);
                (group * GROUP + rest) as u32
            };
            // Of some clauses more than 255 signals have rows; where `step` is 0 all have the same, so that sums are great.
            for (step, lengths) in [
                (7usize, vec![0usize, 1, 90, 255, 256, 1_000]),
                (0, vec![700, 3]),
                (1, vec![2_000]),
            ] {
                let clauses: Vec<Vec<u32>> = lengths
                    .iter()
                    .map(|length| (0..*length).map(|n| signal(n * step + seed as usize)).collect())
                    .collect();
                let starts = std::array::from_fn(|at| nets.number(at / UNITS, at % UNITS) as i32);
                let mut pool = Pool {
                    highest: [0; ROW_BYTES],
                    sum: [0; ROW_BYTES],
                    clauses: 0,
                };
                for signals in &clauses {
                    nets.add(signals, &starts, &mut [&NOTHING; AT_ONCE], &mut pool);
                }
                for net in 0..NETS {
                    assert_eq!(
                        nets.says(net, &pool),
                        plainly(&nets, &clauses, net),
                        "{seed} {step} {net}"
                    );
                }
            }
        }
    }

    #[test]
    fn levels_are_quotients_of_whole_numbers() {
        let factor = 10 * 16 * UNIT_ONE / ROW_ONE;
        for rows in (0..300usize).chain([1_023, 1_024, 1_100, 2_000, 4_096]) {
            let root = (rows.max(1) << 8).isqrt() as i32;
            let level = levels(rows);
            for sum in (0..=ROW_ZERO * rows as i32).step_by(1 + rows / 100) {
                assert_eq!(level(sum), sum * factor / root, "{sum} of {rows}");
                assert_eq!(level(-sum), -sum * factor / root, "-{sum} of {rows}");
            }
        }
    }
}
