//! Trains the small nets that the gate `review` asks over a message: stochastic gradient steps with AdaGrad through
//! the pooled units of its clauses. A fixed order and exact arithmetic, so that the same corpus gives the same bytes.

use crate::data::{Label, Unit};
use crate::math::{Dice, exp};
use proctor_gates::review::{
    GROUP, LATER, NETS, NO_ROW, POOLED, ROW_BYTES, ROW_ONE, ROW_ZERO, ROWS, SAYS, UNIT_ONE, UNITS, WEIGHT_ONE,
};
use proctor_prose::{Act, SIGNALS};
use std::collections::BTreeMap;

/// How the nets are learned.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Steps through the corpus.
    pub epochs: usize,
    /// Size of a step.
    pub rate: f32,
    /// Pull of the rows towards zero.
    pub decay: f32,
    /// Of 100 signals, how many are left out at each step.
    pub drop: usize,
    /// What the kind of a message counts beside what it is judged by: to tell the kinds apart teaches what to look at.
    pub kind: f32,
    /// What a contradicted approval counts.
    pub contradicted: f32,
    /// What a message counts that was put together.
    pub assembled: f32,
}

impl Default for Lesson {
    fn default() -> Self {
        Self {
            epochs: 14,
            rate: 0.05,
            decay: 1e-5,
            drop: 30,
            kind: 0.5,
            contradicted: 1.0,
            assembled: 1.0,
        }
    }
}

/// Kinds of messages that are told apart while learning.
const KINDS: usize = 40;
/// What a net says while it learns: what the gate asks for, and the kinds.
const OUT: usize = SAYS + KINDS;

/// A weight and the sum of its squared gradients.
#[derive(Clone, Copy, Default)]
struct Cell {
    weight: f32,
    square: f32,
}

impl Cell {
    /// One step against a gradient.
    fn step(&mut self, slope: f32, rate: f32) {
        self.square += slope * slope;
        self.weight -= rate * slope / (self.square.sqrt() + 0.1);
    }
}

/// A row of weights with the sums of their squared gradients.
#[derive(Clone, Copy)]
struct Line {
    weights: [f32; UNITS],
    squares: [f32; UNITS],
}

/// A net under training.
struct Net {
    lesson: Lesson,
    rows: Vec<Line>,
    bias: [Cell; UNITS],
    later: Vec<[Cell; POOLED + 1]>,
    out: Vec<[Cell; LATER + 1]>,
}

/// What is known of a message.
struct Goal {
    says: [Option<bool>; SAYS],
    kind: Option<usize>,
    weight: f32,
}

/// What a net made of a message.
struct Pass {
    hidden: Vec<[f32; UNITS]>,
    highest: [usize; UNITS],
    pool: [f32; POOLED],
    later: [f32; LATER],
    out: [f32; OUT],
}

/// What a signal counts among many.
fn share(count: usize) -> f32 {
    10.0 / (count.max(1) as f32).sqrt()
}

/// A number between -`most` and `most`.
fn random(dice: &mut Dice, most: f32) -> Cell {
    Cell {
        weight: (dice.below(20_001) as f32 / 10_000.0 - 1.0) * most,
        square: 0.0,
    }
}

impl Net {
    fn new(lesson: Lesson, seed: u64) -> Self {
        let mut dice = Dice::new(0xabc + seed);
        let mut line = || Line {
            weights: std::array::from_fn(|_| random(&mut dice, 0.05).weight),
            squares: [0.0; UNITS],
        };
        let rows = (0..ROWS).map(|_| line()).collect();
        let bias = |n: usize, last: usize, cell: Cell| {
            if n == last {
                Cell {
                    weight: 0.1,
                    square: 0.0,
                }
            } else {
                cell
            }
        };
        Self {
            lesson,
            rows,
            bias: [bias(0, 0, Cell::default()); UNITS],
            later: (0..LATER)
                .map(|_| std::array::from_fn(|n| bias(n, POOLED, random(&mut dice, 0.3))))
                .collect(),
            out: (0..OUT)
                .map(|_| {
                    std::array::from_fn(|n| {
                        if n == LATER {
                            Cell::default()
                        } else {
                            random(&mut dice, 0.2)
                        }
                    })
                })
                .collect(),
        }
    }

    /// What it makes of the rows of some clauses.
    fn pass(&self, clauses: &[Vec<u16>]) -> Pass {
        let mut pass = Pass {
            hidden: Vec::with_capacity(clauses.len()),
            highest: [usize::MAX; UNITS],
            pool: [0.0; POOLED],
            later: [0.0; LATER],
            out: [0.0; OUT],
        };
        let root = (clauses.len().max(1) as f32).sqrt();
        for (index, clause) in clauses.iter().enumerate() {
            let mut sums = [0.0f32; UNITS];
            for line in clause.iter().filter_map(|row| self.rows.get(usize::from(*row))) {
                for (sum, weight) in sums.iter_mut().zip(&line.weights) {
                    *sum += weight;
                }
            }
            let share = share(clause.len());
            let (highest, means) = pass.pool.split_at_mut(UNITS);
            for ((((sum, bias), highest), mean), at) in sums
                .iter_mut()
                .zip(&self.bias)
                .zip(highest)
                .zip(means)
                .zip(&mut pass.highest)
            {
                *sum = (*sum * share + bias.weight).max(0.0);
                *mean += *sum / root;
                if *sum > *highest {
                    *highest = *sum;
                    *at = index;
                }
            }
            pass.hidden.push(sums);
        }
        for (unit, cells) in pass.later.iter_mut().zip(&self.later) {
            *unit = dot(cells, &pass.pool).max(0.0);
        }
        for (said, cells) in pass.out.iter_mut().zip(&self.out) {
            *said = dot(cells, &pass.later);
        }
        pass
    }

    /// One step on a message.
    fn learn(&mut self, clauses: &[Vec<u16>], goal: &Goal) {
        let pass = self.pass(clauses);
        let rate = self.lesson.rate;
        let slopes = self.slopes(&pass, goal);
        let mut of_later = [0.0f32; LATER];
        for (slope, cells) in slopes.iter().zip(&mut self.out).filter(|(s, _)| **s != 0.0) {
            back(cells, *slope, &pass.later, &mut of_later, rate);
        }
        let mut of_pool = [0.0f32; POOLED];
        for ((slope, unit), cells) in of_later.iter().zip(&pass.later).zip(&mut self.later) {
            if *unit > 0.0 {
                back(cells, *slope, &pass.pool, &mut of_pool, rate);
            }
        }
        let root = (clauses.len().max(1) as f32).sqrt();
        let (of_highest, of_mean) = of_pool.split_at(UNITS);
        let mut of_bias = [0.0f32; UNITS];
        for (index, (clause, hidden)) in clauses.iter().zip(&pass.hidden).enumerate() {
            let mut slopes = [0.0f32; UNITS];
            for (at, slope) in slopes.iter_mut().enumerate() {
                let get = |list: &[f32]| list.get(at).copied().unwrap_or_default();
                if get(hidden) > 0.0 {
                    *slope = get(of_mean) / root;
                    if pass.highest.get(at) == Some(&index) {
                        *slope += get(of_highest);
                    }
                }
            }
            for (sum, slope) in of_bias.iter_mut().zip(&slopes) {
                *sum += slope;
            }
            let share = share(clause.len());
            let slopes = slopes.map(|s| s * share);
            for row in clause {
                if let Some(line) = self.rows.get_mut(usize::from(*row)) {
                    line.step(&slopes, self.lesson);
                }
            }
        }
        for (cell, slope) in self.bias.iter_mut().zip(of_bias) {
            cell.step(slope, rate);
        }
    }

    /// The gradients of what it said.
    fn slopes(&self, pass: &Pass, goal: &Goal) -> [f32; OUT] {
        let mut out = [0.0f32; OUT];
        let (says, kinds) = out.split_at_mut(SAYS);
        let (said, told) = pass.out.split_at(SAYS);
        for ((slope, said), yes) in says.iter_mut().zip(said).zip(goal.says) {
            if let Some(yes) = yes {
                let chance = 1.0 / (1.0 + exp(-f64::from(*said)));
                *slope = chance as f32 - f32::from(u8::from(yes));
            }
        }
        if let Some(kind) = goal.kind {
            let most = told.iter().copied().fold(f32::MIN, f32::max);
            let chances: Vec<f64> = told.iter().map(|t| exp(f64::from(t - most))).collect();
            let total: f64 = chances.iter().sum();
            for (at, (slope, chance)) in kinds.iter_mut().zip(chances).enumerate() {
                let gold = f32::from(u8::from(at == kind));
                *slope = self.lesson.kind * ((chance / total) as f32 - gold);
            }
        }
        out.map(|slope| slope * goal.weight)
    }

    /// Its weights behind the rows, as bytes.
    fn behind(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut put = |weight: f32, one: i32| {
            let number = (weight * one as f32).round().clamp(-32_767.0, 32_767.0) as i16;
            out.extend(number.to_le_bytes());
        };
        for cell in &self.bias {
            put(cell.weight, UNIT_ONE);
        }
        for cells in &self.later {
            for (n, cell) in cells.iter().enumerate() {
                put(cell.weight, if n == POOLED { UNIT_ONE } else { WEIGHT_ONE });
            }
        }
        for cells in self.out.iter().take(SAYS) {
            for (n, cell) in cells.iter().enumerate() {
                put(cell.weight, if n == LATER { UNIT_ONE } else { WEIGHT_ONE });
            }
        }
        out
    }
}

impl Line {
    fn step(&mut self, slopes: &[f32; UNITS], lesson: Lesson) {
        for ((weight, square), slope) in self.weights.iter_mut().zip(&mut self.squares).zip(slopes) {
            let slope = slope + lesson.decay * *weight;
            *square += slope * slope;
            *weight -= lesson.rate * slope / (square.sqrt() + 0.1);
        }
    }
}

/// The weighted sum of some units; the last weight stands alone.
fn dot<const N: usize, const M: usize>(cells: &[Cell; M], units: &[f32; N]) -> f32 {
    let sum: f32 = cells.iter().zip(units).map(|(c, u)| c.weight * u).sum();
    sum + cells.last().map_or(0.0, |c| c.weight)
}

/// One step of a weighted sum; what its units answer for is added to `slopes`.
fn back<const N: usize, const M: usize>(
    cells: &mut [Cell; M],
    slope: f32,
    units: &[f32; N],
    slopes: &mut [f32; N],
    rate: f32,
) {
    for ((cell, unit), sum) in cells.iter_mut().zip(units).zip(slopes) {
        *sum += slope * cell.weight;
        cell.step(slope * unit, rate);
    }
    if let Some(cell) = cells.last_mut() {
        cell.step(slope, rate);
    }
}

/// What is known of a unit, where it teaches anything.
fn goal(unit: &Unit, kinds: &BTreeMap<&str, usize>, lesson: Lesson) -> Option<Goal> {
    let assembled = unit.situation.starts_with("assembled");
    let (says, weight) = match unit.label {
        Label::Review {
            approval, evidence, ..
        } => ([Some(approval), approval.then_some(evidence)], 1.0),
        Label::Act(act) => ([Some(act == Act::Verdict), None], 0.5),
        Label::Work => ([Some(false), None], 1.0),
        Label::Response { .. } => return None,
    };
    let contradicted = if unit.kind.contains("contradicted") {
        lesson.contradicted
    } else {
        1.0
    };
    Some(Goal {
        says,
        kind: kinds.get(unit.kind.as_str()).copied(),
        weight: weight * contradicted * if assembled { lesson.assembled } else { 1.0 },
    })
}

/// The signals that most messages have, by their number; no more than there are rows.
fn common(units: &[&Unit]) -> Vec<bool> {
    let mut counts = vec![0u32; SIGNALS];
    let mut last = vec![usize::MAX; SIGNALS];
    for (index, unit) in units.iter().enumerate() {
        for signal in unit.clauses.iter().flatten() {
            let at = *signal as usize;
            if let (Some(last), Some(count)) = (last.get_mut(at), counts.get_mut(at))
                && *last != index
            {
                *last = index;
                *count += 1;
            }
        }
    }
    let mut order: Vec<(u32, usize)> = counts.into_iter().zip(0..).collect();
    order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut out = vec![false; SIGNALS];
    for (_, signal) in order.into_iter().take(ROWS) {
        if let Some(slot) = out.get_mut(signal) {
            *slot = true;
        }
    }
    out
}

/// Trains the nets on the units and gives their bytes.
#[must_use]
pub fn train_nets(units: &[&Unit], lesson: Lesson) -> Vec<u8> {
    let names: std::collections::BTreeSet<&str> = units
        .iter()
        .filter(|u| matches!(u.label, Label::Review { .. }))
        .map(|u| u.kind.as_str())
        .collect();
    let kinds: BTreeMap<&str, usize> = names.into_iter().take(KINDS).zip(0..).collect();
    let goals: Vec<(&Unit, Goal)> = units
        .iter()
        .filter_map(|u| Some((*u, goal(u, &kinds, lesson)?)))
        .collect();
    let common = common(&goals.iter().map(|(u, _)| *u).collect::<Vec<_>>());
    let mut next = 0u16;
    let rows: Vec<Option<u16>> = common
        .iter()
        .map(|kept| {
            kept.then(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    let row = |signal: &u32| rows.get(*signal as usize).copied().flatten();
    let texts: Vec<Vec<Vec<u16>>> = goals
        .iter()
        .map(|(unit, _)| {
            let any = unit.said.contains(&true);
            let said = unit.clauses.iter().zip(&unit.said).filter(|(_, s)| **s || !any);
            said.map(|(c, _)| c.iter().filter_map(row).collect()).collect()
        })
        .collect();
    let nets: Vec<Net> = (0..NETS as u64)
        .map(|seed| learned(&texts, &goals, lesson, seed))
        .collect();
    let mut out = Vec::new();
    // For each signal the place of its row within its group, for each group how many rows lie before it.
    let mut before = Vec::new();
    let mut rows_before = 0u16;
    for group in common.chunks(GROUP) {
        before.extend(rows_before.to_le_bytes());
        let mut within = 0u8;
        for kept in group {
            out.push(if *kept { within } else { NO_ROW });
            within += u8::from(*kept);
        }
        debug_assert!(within < NO_ROW, "signals are mixed too well for that");
        rows_before += u16::from(within);
    }
    out.extend(before);
    for row in 0..ROWS {
        for net in &nets {
            let weights = net.rows.get(row).map_or([0.0; UNITS], |line| line.weights);
            let byte = |w: f32| (w * ROW_ONE as f32).round().clamp(-127.0, 127.0) as i32 + ROW_ZERO;
            out.extend(weights.map(|w| byte(w) as u8));
        }
    }
    debug_assert_eq!(ROW_BYTES, NETS * UNITS);
    for net in &nets {
        out.extend(net.behind());
    }
    out
}

/// One net that has learned from these texts.
fn learned(texts: &[Vec<Vec<u16>>], goals: &[(&Unit, Goal)], lesson: Lesson, seed: u64) -> Net {
    let mut net = Net::new(lesson, seed);
    let mut dice = Dice::new(0x77 + seed);
    let mut order: Vec<usize> = (0..texts.len()).collect();
    for _ in 0..lesson.epochs {
        dice.shuffle(&mut order);
        for at in &order {
            let (Some(text), Some((_, goal))) = (texts.get(*at), goals.get(*at)) else {
                continue;
            };
            let heard: Vec<Vec<u16>> = text
                .iter()
                .map(|clause| {
                    let kept = clause.iter().filter(|_| dice.below(100) >= lesson.drop);
                    kept.copied().collect()
                })
                .collect();
            net.learn(&heard, goal);
        }
    }
    net
}
