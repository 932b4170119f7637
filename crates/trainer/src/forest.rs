//! Boosted decision trees: each takes a step towards what the trees before it leave open. A fixed order and exact
//! arithmetic, so that the same rows give the same bytes.

use crate::math::{Dice, exp};
use crate::net::Lesson;
use proctor_prose::{LEAVES, QUESTIONS, TREE_BYTES, TREES};

/// One message: its figures, the answer, what it counts.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// Its figures.
    pub figures: &'r [i16],
    /// The answer.
    pub yes: bool,
    /// What it counts.
    pub weight: f64,
}

/// How the trees are grown.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Size of a step.
    pub rate: f64,
    /// Pull of a leaf towards zero.
    pub pull: f64,
    /// Least certainty that a leaf must rest on.
    pub least: f64,
    /// Of 100 rows, how many a tree sees.
    pub rows: usize,
    /// Of 100 figures, how many a tree may ask about.
    pub figures: usize,
    /// Levels of questions.
    pub depth: usize,
    /// How the nets learn whose word the trees hear.
    pub lesson: Lesson,
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            rate: 0.08,
            pull: 8.0,
            least: 4.0,
            rows: 60,
            figures: 40,
            depth: 3,
            lesson: Lesson::default(),
        }
    }
}

/// Units of the leaves in one nat.
const UNITS: f64 = 1024.0;
/// Most values of a figure that are told apart.
const BINS: usize = 40;

/// Grows a forest.
#[must_use]
pub fn grow(rows: &[Row<'_>], growth: Growth) -> Vec<u8> {
    let width = rows.first().map_or(0, |r| r.figures.len());
    let cuts: Vec<Vec<i16>> = (0..width).map(|f| cuts(rows, f)).collect();
    let bins: Vec<Vec<u8>> = rows
        .iter()
        .map(|row| {
            row.figures
                .iter()
                .zip(&cuts)
                .map(|(figure, cuts)| cuts.partition_point(|c| c < figure) as u8)
                .collect()
        })
        .collect();
    let mut scores = vec![0i32; rows.len()];
    let mut dice = Dice::new(0xf02e57);
    let mut out = Vec::with_capacity(TREES * TREE_BYTES);
    for _ in 0..TREES {
        let slopes: Vec<(f64, f64)> = rows
            .iter()
            .zip(&scores)
            .map(|(row, score)| {
                let chance = 1.0 / (1.0 + exp(-f64::from(*score) / UNITS));
                let seen = f64::from(u8::from(dice.below(100) < growth.rows)) * row.weight;
                (
                    (chance - f64::from(u8::from(row.yes))) * seen,
                    chance * (1.0 - chance) * seen,
                )
            })
            .collect();
        let allowed: Vec<usize> = (0..width).filter(|_| dice.below(100) < growth.figures).collect();
        let tree = Tree::grow(&bins, &slopes, &cuts, &allowed, growth);
        for (score, row) in scores.iter_mut().zip(&bins) {
            *score += i32::from(tree.leaf(row));
        }
        out.extend(tree.bytes(&cuts));
    }
    out
}

/// Values at which a figure can be cut: what lies above goes to the right.
fn cuts(rows: &[Row<'_>], figure: usize) -> Vec<i16> {
    let mut values: Vec<i16> = rows
        .iter()
        .filter_map(|r| r.figures.get(figure).copied())
        .collect();
    values.sort_unstable();
    let count = values.len().max(1);
    let mut out: Vec<i16> = (1..BINS)
        .filter_map(|n| values.get(n * count / BINS).copied())
        .chain(values.iter().copied().filter(|v| (0..3).contains(v)).take(1))
        .collect();
    let mut all = values.clone();
    all.dedup();
    if all.len() <= BINS {
        out = all;
    }
    out.sort_unstable();
    out.dedup();
    // Nothing lies above the highest.
    if out.last() == values.last() {
        out.pop();
    }
    out
}

/// One tree over bins.
struct Tree {
    /// The figure and the bin of each question.
    questions: [(usize, usize); QUESTIONS],
    leaves: [i16; LEAVES],
}

/// A question that nothing answers with yes.
const NONE: (usize, usize) = (0, usize::MAX);

impl Tree {
    fn grow(
        bins: &[Vec<u8>],
        slopes: &[(f64, f64)],
        cuts: &[Vec<i16>],
        allowed: &[usize],
        growth: Growth,
    ) -> Self {
        let mut tree = Self {
            questions: [NONE; QUESTIONS],
            leaves: [0; LEAVES],
        };
        let mut at = vec![0usize; bins.len()];
        for level in 0..3 {
            let first = (1 << level) - 1;
            for node in first..first * 2 + 1 {
                if level < growth.depth
                    && let Some(best) = split(bins, slopes, cuts, allowed, &at, node, growth)
                    && let Some(slot) = tree.questions.get_mut(node)
                {
                    *slot = best;
                }
            }
            for (place, row) in at.iter_mut().zip(bins) {
                let (figure, cut) = tree.questions.get(*place).copied().unwrap_or(NONE);
                let right = row.get(figure).is_some_and(|bin| usize::from(*bin) > cut);
                *place = *place * 2 + 1 + usize::from(right);
            }
        }
        for (index, leaf) in tree.leaves.iter_mut().enumerate() {
            let (mut slope, mut bend) = (0.0, 0.0);
            for ((s, b), place) in slopes.iter().zip(&at) {
                if *place == index + QUESTIONS {
                    slope += s;
                    bend += b;
                }
            }
            *leaf = (-slope / (bend + growth.pull) * growth.rate * UNITS).round() as i16;
        }
        tree
    }

    fn leaf(&self, row: &[u8]) -> i16 {
        let mut at = 0;
        while let Some((figure, cut)) = self.questions.get(at) {
            let right = row.get(*figure).is_some_and(|bin| usize::from(*bin) > *cut);
            at = at * 2 + 1 + usize::from(right);
        }
        self.leaves.get(at - QUESTIONS).copied().unwrap_or_default()
    }

    fn bytes(&self, cuts: &[Vec<i16>]) -> Vec<u8> {
        let mut out: Vec<u8> = self.questions.iter().map(|(figure, _)| *figure as u8).collect();
        for (figure, cut) in self.questions {
            let value = cuts
                .get(figure)
                .and_then(|c| c.get(cut))
                .copied()
                .unwrap_or(i16::MAX);
            out.extend(value.to_le_bytes());
        }
        out.extend(self.leaves.iter().flat_map(|l| l.to_le_bytes()));
        out
    }
}

/// The question that tells the rows of a node apart best: the figure and the highest bin that goes left.
fn split(
    bins: &[Vec<u8>],
    slopes: &[(f64, f64)],
    cuts: &[Vec<i16>],
    allowed: &[usize],
    at: &[usize],
    node: usize,
    growth: Growth,
) -> Option<(usize, usize)> {
    let worth = |slope: f64, bend: f64| slope * slope / (bend + growth.pull);
    let mut sums = vec![[(0.0, 0.0); BINS + 1]; allowed.len()];
    let (mut slope, mut bend) = (0.0, 0.0);
    for ((row, (s, b)), _) in bins
        .iter()
        .zip(slopes)
        .zip(at)
        .filter(|(_, place)| **place == node)
    {
        if *b == 0.0 {
            continue;
        }
        slope += s;
        bend += b;
        for (sums, figure) in sums.iter_mut().zip(allowed) {
            let bin = row.get(*figure).map_or(0, |b| usize::from(*b));
            if let Some((ss, bb)) = sums.get_mut(bin) {
                *ss += s;
                *bb += b;
            }
        }
    }
    let mut best = None;
    let mut most = worth(slope, bend) + 1e-6;
    for (sums, figure) in sums.iter().zip(allowed) {
        let (mut s, mut b) = (0.0, 0.0);
        let last = cuts.get(*figure).map_or(0, Vec::len);
        for (bin, (ss, bb)) in sums.iter().enumerate().take(last) {
            s += ss;
            b += bb;
            if b < growth.least || bend - b < growth.least {
                continue;
            }
            let gain = worth(s, b) + worth(slope - s, bend - b);
            if gain > most {
                most = gain;
                best = Some((*figure, bin));
            }
        }
    }
    best
}
