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
/// Rows that are added up together: few enough that their sum is certain to fit into two bytes (255 × 128 is less than
/// 2¹⁵), many enough that a processor fetches the next ones meanwhile.
const AT_ONCE: usize = 32;
/// What a signal without a row adds.
const NOTHING: [u8; ROW_BYTES] = [0; ROW_BYTES];
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

    /// The place of a signal's row, and whether it has one: about half of them have, so that nothing is decided by it
    /// here.
    #[inline]
    fn place(&self, signal: u32) -> Option<(usize, bool)> {
        let (word, bit) = (signal as usize / WORD, signal as usize % WORD);
        let bits = u64::from_le_bytes(*self.words.get(word)?);
        let before = u16::from_le_bytes(*self.before.get(word)?);
        let within = (bits & ((1 << bit) - 1)).count_ones();
        Some((usize::from(before) + within as usize, bits >> bit & 1 == 1))
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
        signals_of(reading, first.chain(last).filter(said), |_, signals| {
            self.add(signals, &starts, &mut pool);
        });
        let mut out = [0i64; SAYS];
        for net in 0..NETS {
            for (sum, said) in out.iter_mut().zip(self.says(net, &pool)) {
                *sum += said;
            }
        }
        out.map(|sum| (sum / NETS as i64).clamp(-(1 << 16), 1 << 16) as i32)
    }

    /// Takes in a clause; `starts` is what its units come to without any signal.
    fn add(&self, signals: &[u32], starts: &[i32; ROW_BYTES], pool: &mut Pool) {
        let mut sums = [0i32; ROW_BYTES];
        let mut count = 0usize;
        for signals in signals.chunks(AT_ONCE) {
            // All are looked up before any is read: what a row is waited for depends on no search then.
            let mut places = [0; AT_ONCE];
            let mut found = 0;
            for (place, has) in signals.iter().filter_map(|s| self.place(*s)) {
                if let Some(to) = places.get_mut(found) {
                    *to = place;
                }
                found += usize::from(has);
            }
            count += found;
            let part = added(self.rows, places.get(..found).unwrap_or_default());
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum += i32::from(part);
            }
        }
        let root = (count.max(1) << 8).isqrt() as i32;
        let units = pool.highest.iter_mut().zip(&mut pool.sum);
        for ((sum, start), (highest, all)) in sums.iter().zip(starts).zip(units) {
            // Ten is the root of the number of signals of a usual clause; the root is in sixteenths.
            let level = sum * (10 * 16 * UNIT_ONE / ROW_ONE) / root + start;
            if level > 0 {
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
        let mut pooled = [0i64; POOLED];
        let (highest, means) = pooled.split_at_mut(UNITS);
        for (to, from) in highest
            .iter_mut()
            .zip(pool.highest.get(units.clone()).unwrap_or_default())
        {
            *to = i64::from(*from);
        }
        for (to, sum) in means.iter_mut().zip(pool.sum.get(units).unwrap_or_default()) {
            *to = sum * 16 / root;
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

/// The sums of at most 255 rows. By itself this is translated to sixteen bytes at once, which it was not amid the search
/// for rows: there, the nets took as long as all else that is read of a turn.
#[inline(never)]
fn added(rows: &[[u8; ROW_BYTES]], places: &[usize]) -> [i16; ROW_BYTES] {
    let mut sums = [0i16; ROW_BYTES];
    for place in places {
        let row = rows.get(*place).unwrap_or(&NOTHING);
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += i16::from(*weight as i8);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{
        BEHIND, LATER, NET_BYTES, NETS, Nets, POOLED, Pool, ROW_BYTES, ROW_ONE, ROWS, SAYS, UNIT_ONE, UNITS,
        WEIGHT_ONE, WORD,
    };
    use proctor_prose::SIGNALS;

    /// Nets of which each signal up to [`ROWS`] has a row, of the least and greatest weights among others.
    fn made(seed: u64) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        let words = SIGNALS / WORD;
        let full = ROWS / WORD;
        let mut bytes = Vec::with_capacity(NET_BYTES);
        for word in 0..words {
            bytes.extend(if word < full { u64::MAX } else { 0 }.to_le_bytes());
        }
        for word in 0..words {
            bytes.extend(((word.min(full) * WORD) as u16).to_le_bytes());
        }
        for _ in 0..ROWS * ROW_BYTES {
            bytes.push(match next() % 8 {
                0 => 0x80,
                1 => 0x7f,
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
            let places = signals.iter().filter_map(|s| nets.place(*s));
            let rows: Vec<_> = places
                .filter_map(|(place, has)| nets.rows.get(place).filter(|_| has))
                .collect();
            let root = (rows.len().max(1) << 8).isqrt() as i64;
            for unit in 0..UNITS {
                let sum: i64 = rows
                    .iter()
                    .map(|row| i64::from(row[net * UNITS + unit] as i8))
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
            // Of some clauses more than 255 signals have rows; where `step` is 0 all have the same, so that sums are great.
            for (step, lengths) in [
                (7usize, vec![0usize, 1, 90, 255, 256, 1_000]),
                (0, vec![700, 3]),
                (1, vec![2_000]),
            ] {
                let clauses: Vec<Vec<u32>> = lengths
                    .iter()
                    .map(|length| {
                        (0..*length)
                            .map(|n| ((n * step + seed as usize) % (ROWS + 50)) as u32)
                            .collect()
                    })
                    .collect();
                let starts = std::array::from_fn(|at| nets.number(at / UNITS, at % UNITS) as i32);
                let mut pool = Pool {
                    highest: [0; ROW_BYTES],
                    sum: [0; ROW_BYTES],
                    clauses: 0,
                };
                for signals in &clauses {
                    nets.add(signals, &starts, &mut pool);
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
}
