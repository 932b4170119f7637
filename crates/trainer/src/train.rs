//! Training: a softmax over the acts and a logistic margin of talk over content, on the same signals, by
//! stochastic gradient steps with AdaGrad. One thread, a fixed order, exact arithmetic: the same corpus gives
//! the same bytes.

use crate::data::{Label, Unit, medleys};
use crate::math::{Dice, exp};
use proctor_prose::{Act, MARGINS, Model, SIGNALS, USUAL};

/// Columns under training: the margins, then the acts.
const COLUMNS: usize = MARGINS + Act::ALL.len();
/// Column of talk over content.
const TALK: usize = 0;
/// Column of a positive verdict.
const APPROVAL: usize = 1;
/// Column of a verification that was done.
const EVIDENCE: usize = 2;
/// Column of a negative verdict.
const REFUSAL: usize = 3;
/// Column of a result that speaks against the change.
const CONTRARY: usize = 4;
/// Column of an approval that says what it rests on.
const SUPPORT: usize = 5;
/// Column of a verification that is said not to have been done.
const DENIED: usize = 6;
/// Column of a message that approves.
const ACCEPTS: usize = 7;

/// How the weights are learned.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Steps through the corpus.
    pub epochs: usize,
    /// Size of a step.
    pub rate: f32,
    /// Pull towards zero for each step on a weight.
    pub decay: f32,
    /// Of 100 signals, how many are left out at each step, so that no single one is relied on.
    pub drop: usize,
    /// How often each sentence is also seen among others of its scene.
    pub medleys: usize,
    /// Models whose mean is taken.
    pub models: u64,
}

impl Default for Recipe {
    /// The recipe of the committed model, chosen by cross-validation over situations.
    fn default() -> Self {
        Self {
            epochs: 10,
            rate: 0.12,
            decay: 2e-4,
            drop: 10,
            medleys: 1,
            models: 5,
        }
    }
}

/// Units of the quantised weights in one nat.
const UNITS: f32 = 16.0;

/// What a verdict or a report weighs against the many clauses that are none.
const RARE: f32 = 4.0;

/// Weights under training.
struct Weights {
    recipe: Recipe,
    dice: Dice,
    values: Vec<[f32; COLUMNS]>,
    /// Sums of squared gradients.
    squares: Vec<[f32; COLUMNS]>,
}

/// What one signal counts among many; see [`proctor_prose::Margins`].
fn share(signals: &[u16]) -> f32 {
    USUAL as f32 / signals.len().max(1).isqrt() as f32
}

impl Weights {
    fn sums(&self, signals: &[u16]) -> [f32; COLUMNS] {
        let mut out = [0.0; COLUMNS];
        for signal in signals {
            if let Some(row) = self.values.get(usize::from(*signal)) {
                for (sum, weight) in out.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
        }
        let share = share(signals);
        out.iter_mut().for_each(|sum| *sum *= share);
        out
    }

    /// One step against the gradient of each column.
    fn step(&mut self, signals: &[u16], gradient: &[f32; COLUMNS]) {
        let Recipe {
            rate, decay, drop, ..
        } = self.recipe;
        let share = share(signals);
        for signal in signals {
            if drop > 0 && self.dice.below(100) < drop {
                continue;
            }
            let at = usize::from(*signal);
            let (Some(row), Some(squares)) = (self.values.get_mut(at), self.squares.get_mut(at)) else {
                continue;
            };
            for ((weight, square), slope) in row.iter_mut().zip(squares).zip(gradient) {
                if *slope == 0.0 {
                    continue;
                }
                let slope = slope * share + decay * *weight;
                *square += slope * slope;
                *weight -= rate * slope / (square.sqrt() + 0.1);
            }
        }
    }
}

/// Trains on the units and gives the bytes of the model: the mean of several models that saw the corpus in another
/// order and in other company.
#[must_use]
pub fn train(units: &[&Unit], recipe: Recipe) -> Vec<u8> {
    let mut sums = vec![[0.0; COLUMNS]; SIGNALS];
    let mut summed = 0u8;
    for seed in 0..recipe.models {
        let mixed = medleys(units, recipe.medleys, seed);
        let units: Vec<&Unit> = units.iter().copied().chain(&mixed).collect();
        let mut weights = Weights {
            recipe,
            dice: Dice::new(0xd1ce + seed),
            values: vec![[0.0; COLUMNS]; SIGNALS],
            squares: vec![[0.0; COLUMNS]; SIGNALS],
        };
        let mut order: Vec<usize> = (0..units.len()).collect();
        let mut dice = Dice::new(0x5eed + seed);
        for epoch in 0..recipe.epochs {
            dice.shuffle(&mut order);
            for at in &order {
                if let Some(unit) = units.get(*at) {
                    learn(&mut weights, unit);
                }
            }
            // The mean of the later weights is steadier than the last ones.
            if epoch * 2 >= recipe.epochs {
                summed += 1;
                for (sum, row) in sums.iter_mut().zip(&weights.values) {
                    for (s, w) in sum.iter_mut().zip(row) {
                        *s += w;
                    }
                }
            }
        }
    }
    quantise(&sums, f32::from(summed.max(1)))
}

fn learn(weights: &mut Weights, unit: &Unit) {
    match unit.label {
        Label::Response { share, .. } => {
            let talk = match share {
                s if s <= 0.0 => false,
                s if s >= 0.99 => true,
                _ => return,
            };
            for (clause, chars) in unit.clauses.iter().zip(&unit.chars) {
                if *chars > 0 {
                    step_yes_no(weights, clause, TALK, talk);
                }
            }
        }
        Label::Work => {
            some_or_none(weights, unit, APPROVAL, false);
            step_yes_no(weights, &unit.whole, ACCEPTS, false);
        }
        Label::Review {
            approval,
            evidence,
            reject,
        } => {
            let contradicted = unit.kind.contains("contradicted");
            some_or_none(weights, unit, APPROVAL, approval);
            step_yes_no(weights, &unit.whole, ACCEPTS, approval);
            if approval || !evidence {
                some_or_none(weights, unit, EVIDENCE, evidence);
            }
            if approval || unit.kind.contains("refusal") {
                some_or_none(weights, unit, REFUSAL, !approval);
            }
            if approval {
                step_yes_no(weights, &unit.whole, SUPPORT, evidence);
                let denied = unit.kind == "approve_negated";
                if denied || evidence || unit.kind == "approve_bare" {
                    some_or_none(weights, unit, DENIED, denied);
                }
            }
            if contradicted || approval && !reject {
                some_or_none(weights, unit, CONTRARY, contradicted);
            }
        }
        Label::Act(act) => {
            if act.is_empty_talk() {
                for clause in &unit.clauses {
                    step_yes_no(weights, clause, TALK, true);
                }
            } else if let Some(clause) = extreme(weights, &unit.clauses, TALK, -1.0) {
                // One clause of the sentence has the content; which one, the weights so far say.
                step_yes_no(weights, clause, TALK, false);
            }
            some_or_none(weights, unit, APPROVAL, act == Act::Verdict);
            // In company it is not known what the whole message does.
            if !unit.whole.is_empty() {
                step_yes_no(weights, &unit.whole, ACCEPTS, act == Act::Verdict);
            }
            // What was done and how it was verified often stand in one sentence.
            if act != Act::Completion {
                some_or_none(weights, unit, EVIDENCE, act == Act::Evidence);
            }
            some_or_none(weights, unit, REFUSAL, act == Act::Refusal);
            if let Some(clause) = extreme(weights, &unit.clauses, MARGINS + act as usize, 1.0) {
                step_act(weights, clause, act);
            }
        }
    }
}

/// The clause with the highest (`sign` 1) or lowest (`sign` -1) sum in a column.
fn extreme<'u>(weights: &Weights, bag: &'u [Vec<u16>], column: usize, sign: f32) -> Option<&'u Vec<u16>> {
    let sum = |c: &Vec<u16>| sign * weights.sums(c).get(column).copied().unwrap_or_default();
    bag.iter().max_by(|a, b| sum(a).total_cmp(&sum(b)))
}

/// A text says it somewhere, or nowhere.
fn some_or_none(weights: &mut Weights, unit: &Unit, column: usize, yes: bool) {
    let bag = if matches!(column, EVIDENCE | CONTRARY | DENIED) {
        &unit.sentences
    } else {
        &unit.clauses
    };
    if yes {
        if let Some(clause) = extreme(weights, bag, column, 1.0) {
            step_yes_no(weights, clause, column, true);
        }
    } else {
        for clause in bag {
            step_yes_no(weights, clause, column, false);
        }
    }
}

fn step_yes_no(weights: &mut Weights, clause: &[u16], column: usize, yes: bool) {
    let margin = weights.sums(clause).get(column).copied().unwrap_or_default();
    let chance = 1.0 / (1.0 + exp(-f64::from(margin)));
    let mut gradient = [0.0; COLUMNS];
    if let Some(slot) = gradient.get_mut(column) {
        let weight = if yes && !matches!(column, TALK | SUPPORT | ACCEPTS) {
            RARE
        } else {
            1.0
        };
        *slot = weight * (chance - f64::from(u8::from(yes))) as f32;
    }
    weights.step(clause, &gradient);
}

fn step_act(weights: &mut Weights, clause: &[u16], act: Act) {
    let sums = weights.sums(clause);
    let acts = sums.get(MARGINS..).unwrap_or_default();
    let most = acts.iter().copied().fold(f32::MIN, f32::max);
    let chances: Vec<f64> = acts.iter().map(|s| exp(f64::from(s - most))).collect();
    let total: f64 = chances.iter().sum();
    let mut gradient = [0.0; COLUMNS];
    for (index, (slot, chance)) in gradient.iter_mut().skip(MARGINS).zip(&chances).enumerate() {
        *slot = (chance / total - f64::from(u8::from(index == act as usize))) as f32;
    }
    weights.step(clause, &gradient);
}

/// The mean weights as signed bytes.
fn quantise(sums: &[[f32; COLUMNS]], count: f32) -> Vec<u8> {
    let rows: Vec<[i8; COLUMNS]> = sums
        .iter()
        .map(|row| row.map(|w| (w / count * UNITS).round().clamp(-127.0, 127.0) as i8))
        .collect();
    Model::to_bytes(&rows)
}
