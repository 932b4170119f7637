//! The table of openness: how far the words of a stretch of an answer sound like something that is not done.

use crate::math::{Dice, exp};
use crate::todo::{Case, Material, list};
use proctor_kernel::ChecklistItem;
use proctor_outline::progress::weigh::{ROWS, Seen, weighed};

/// How the table is learned, and what the rows of the forest count.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Steps through the stretches.
    pub epochs: usize,
    /// Size of a step.
    pub rate: f32,
    /// Pull towards zero.
    pub decay: f32,
    /// How like an item a stretch must be to be learned from.
    pub like: i16,
    /// What a guessed example counts.
    pub guess: f32,
    /// Rounds of guessing.
    pub rounds: usize,
    /// What a labelled sentence counts.
    pub sentence: f32,
    /// What an answer that speaks of something else counts in the forest.
    pub foreign: f64,
    /// What a case counts in the forest that rules were written with: there they are right more often than elsewhere.
    pub worked: f64,
}

impl Default for Lesson {
    /// Chosen by cross-validation over situations.
    fn default() -> Self {
        Self {
            epochs: 8,
            rate: 0.012,
            decay: 1e-3,
            like: 25,
            guess: 1.0,
            rounds: 2,
            sentence: 1.0,
            foreign: 0.1,
            worked: 0.3,
        }
    }
}

/// A stretch to learn from: what is observed in it, whether it tells of something open.
struct Example {
    rows: Vec<u16>,
    open: bool,
    weight: f32,
}

/// Kinds of cases whose open items are not spoken of.
const SILENT: [&str; 2] = ["never_mentioned", "unmentioned"];

/// Whether the open items of a case are not spoken of at all.
#[must_use]
pub fn is_silent(case: &Case) -> bool {
    SILENT.contains(&case.kind.as_str())
}

/// Learns the table from cases and from the labelled sentences.
#[must_use]
pub fn learn(cases: &[&Case], material: &Material, lesson: Lesson) -> Vec<u8> {
    let mut table = Vec::new();
    for _ in 0..lesson.rounds {
        let mut all: Vec<Example> = cases
            .iter()
            .flat_map(|case| examples(case, lesson, &table))
            .collect();
        all.extend(sentences(material, lesson));
        table = fit(&all, lesson);
    }
    table
}

/// The stretches of labelled sentences.
fn sentences(material: &Material, lesson: Lesson) -> Vec<Example> {
    // What is said, whatever the list.
    let nothing = [ChecklistItem {
        text: "zzzqq".to_owned(),
        completed: false,
    }];
    let examples = |(text, open): &(String, bool)| {
        let open = *open;
        weighed(&nothing, text, &[])
            .stretches
            .into_iter()
            .map(move |s| Example {
                rows: s.rows,
                open,
                weight: lesson.sentence,
            })
    };
    material.states.iter().flat_map(examples).collect()
}

fn like(stretches: &[Seen], at: usize, item: usize) -> i16 {
    stretches
        .get(at)
        .and_then(|s| s.like.get(item))
        .copied()
        .unwrap_or(0)
}

/// The stretches of the last answer to a case that are taken to tell of something open, or of nothing open. Those that speak of
/// no item plainly are guessed by a table of an earlier round.
fn examples(case: &Case, lesson: Lesson, table: &[u8]) -> Vec<Example> {
    let Some(last) = case.responses.last() else {
        return Vec::new();
    };
    let count = case.completed.len();
    let stretches = weighed(&list(case, &vec![false; count]), last, table).stretches;
    let mut label: Vec<Option<(bool, f32)>> = vec![None; stretches.len()];
    let best = |item: usize| {
        (0..stretches.len())
            .max_by_key(|at| (like(&stretches, *at, item), usize::MAX - at))
            .filter(|at| {
                let own = like(&stretches, *at, item);
                own >= lesson.like && (0..count).all(|o| like(&stretches, *at, o) <= own)
            })
    };
    let items = |done: bool| (0..count).filter(move |i| case.completed.get(*i) == Some(&done));
    for at in items(true).filter_map(best) {
        if let Some(slot) = label.get_mut(at) {
            *slot = Some((false, 1.0));
        }
    }
    let mut sure = true;
    for item in items(false).filter(|_| !is_silent(case)) {
        let free = |at: &usize| label.get(*at).is_some_and(Option::is_none);
        let plain = best(item).filter(free).map(|at| (at, 1.5));
        let found = plain.or_else(|| {
            sure = false;
            let openness = |at: usize| {
                let open = stretches.get(at).map_or(0, |s| s.open);
                (i32::from(open) + i32::from(like(&stretches, at, item)) * 3, at)
            };
            let guess = (0..stretches.len()).filter(free).map(openness).max();
            guess
                .filter(|_| !table.is_empty())
                .map(|(_, at)| (at, lesson.guess))
        });
        if let Some((at, weight)) = found
            && let Some(slot) = label.get_mut(at)
        {
            *slot = Some((true, weight));
        }
    }
    // The other stretches tell of nothing open, where what does is known.
    let rest = if sure || !table.is_empty() { 0.7 } else { 0.0 };
    stretches
        .into_iter()
        .zip(label)
        .map(|(stretch, label)| {
            let (open, weight) = label.unwrap_or((false, rest));
            Example {
                rows: stretch.rows,
                open,
                weight,
            }
        })
        .filter(|example| example.weight > 0.0)
        .collect()
}

/// A weight and the sum of its squared gradients.
#[derive(Clone, Copy, Default)]
struct Cell {
    weight: f32,
    square: f32,
}

/// Units of the weights in one nat.
const UNITS: f32 = 64.0;

fn fit(examples: &[Example], lesson: Lesson) -> Vec<u8> {
    let mut cells = vec![Cell::default(); ROWS];
    let mut sums = vec![0.0f32; ROWS];
    let mut summed = 0.0f32;
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut dice = Dice::new(0x09e4);
    for epoch in 0..lesson.epochs {
        dice.shuffle(&mut order);
        for example in order.iter().filter_map(|at| examples.get(*at)) {
            // As the reader sums: in proportion to the root of the number.
            let share = 8.0 / (example.rows.len().max(1).isqrt() as f32);
            let weights = example.rows.iter().filter_map(|row| cells.get(usize::from(*row)));
            let sum = weights.map(|cell| cell.weight).sum::<f32>() * share;
            let chance = 1.0 / (1.0 + exp(f64::from(-sum)));
            let slope = (chance - f64::from(u8::from(example.open))) as f32 * example.weight * share;
            for row in &example.rows {
                if dice.below(100) < 10 {
                    continue;
                }
                if let Some(cell) = cells.get_mut(usize::from(*row)) {
                    let slope = slope + lesson.decay * cell.weight;
                    cell.square += slope * slope;
                    cell.weight -= lesson.rate * slope / (cell.square.sqrt() + 0.1);
                }
            }
        }
        // The mean of the later weights is steadier than the last ones.
        if epoch * 2 >= lesson.epochs {
            summed += 1.0;
            for (sum, cell) in sums.iter_mut().zip(&cells) {
                *sum += cell.weight;
            }
        }
    }
    sums.iter()
        .map(|sum| (sum / summed.max(1.0) * UNITS).round().clamp(-127.0, 127.0) as i8 as u8)
        .collect()
}
