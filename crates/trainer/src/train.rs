//! Training: a softmax over the acts and a logistic margin of talk over content, on the same signals, by
//! stochastic gradient steps with AdaGrad. One thread, a fixed order, exact arithmetic: the same corpus gives
//! the same bytes.

use crate::data::{Label, Unit, medleys};
use crate::math::{Dice, exp};
use proctor_prose::{ACT_ROWS, Act, MARGINS, Model, SIGNALS, USUAL, act_row};

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
    /// Models whose mean is taken for what tells of verdicts.
    pub models: u64,
    /// Models whose mean is taken for what tells the acts apart, and talk from content.
    pub talkers: u64,
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
            models: 8,
            talkers: 20,
        }
    }
}

/// What is learned apart, each in an order of its own: otherwise every new message for `review` would also move by
/// chance what sentences are taken for, though it teaches nothing of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The acts, and talk over content: from sentences and messages for `response`.
    Talk,
    /// Everything else: from all texts but those.
    Verdicts,
}

/// Units of the quantised weights in one nat.
const UNITS: f32 = 16.0;

/// What a verdict or a report weighs against the many clauses that are none.
const RARE: f32 = 4.0;

/// Weights under training: the yes-or-no columns one after the other, the acts row by row, as they are used.
struct Weights {
    recipe: Recipe,
    dice: Dice,
    margins: Vec<Vec<Cell>>,
    acts: Vec<[Cell; Act::ALL.len()]>,
}

/// A weight and the sum of its squared gradients.
#[derive(Clone, Copy, Default)]
struct Cell {
    weight: f32,
    square: f32,
}

impl Cell {
    /// One step against a gradient.
    fn step(&mut self, slope: f32, Recipe { rate, decay, .. }: Recipe) {
        let slope = slope + decay * self.weight;
        self.square += slope * slope;
        self.weight -= rate * slope / (self.square.sqrt() + 0.1);
    }
}

/// What one signal counts among many; see [`proctor_prose::Margins`].
fn share(signals: &[u32]) -> f32 {
    USUAL as f32 / signals.len().max(1).isqrt() as f32
}

impl Weights {
    fn new(recipe: Recipe, seed: u64) -> Self {
        Self {
            recipe,
            dice: Dice::new(0xd1ce + seed),
            margins: vec![vec![Cell::default(); SIGNALS]; MARGINS],
            acts: vec![[Cell::default(); Act::ALL.len()]; ACT_ROWS],
        }
    }

    /// The sum of a yes-or-no column.
    fn sum(&self, signals: &[u32], column: usize) -> f32 {
        let Some(cells) = self.margins.get(column) else {
            return 0.0;
        };
        let weights = signals.iter().filter_map(|s| cells.get(*s as usize));
        weights.map(|c| c.weight).sum::<f32>() * share(signals)
    }

    /// The sums of the acts.
    fn acts(&self, signals: &[u32]) -> [f32; Act::ALL.len()] {
        let mut out = [0.0; Act::ALL.len()];
        for row in signals.iter().filter_map(|s| self.acts.get(act_row(*s))) {
            for (sum, cell) in out.iter_mut().zip(row) {
                *sum += cell.weight;
            }
        }
        out.map(|sum| sum * share(signals))
    }

    /// Whether a signal is left out of this step.
    fn left_out(&mut self) -> bool {
        self.recipe.drop > 0 && self.dice.below(100) < self.recipe.drop
    }

    /// One step of a yes-or-no column against its gradient.
    fn step(&mut self, signals: &[u32], column: usize, slope: f32) {
        let slope = slope * share(signals);
        for signal in signals {
            if self.left_out() {
                continue;
            }
            let recipe = self.recipe;
            let cell = self.margins.get_mut(column);
            if let Some(cell) = cell.and_then(|c| c.get_mut(*signal as usize)) {
                cell.step(slope, recipe);
            }
        }
    }

    /// One step of the acts.
    fn step_acts(&mut self, signals: &[u32], slopes: &[f32]) {
        let share = share(signals);
        for signal in signals {
            if self.left_out() {
                continue;
            }
            let recipe = self.recipe;
            if let Some(row) = self.acts.get_mut(act_row(*signal)) {
                for (cell, slope) in row.iter_mut().zip(slopes) {
                    cell.step(slope * share, recipe);
                }
            }
        }
    }
}

/// Trains on the units and gives the bytes of the model: the mean of several models that saw the corpus in another
/// order and in other company.
#[must_use]
pub fn train(units: &[&Unit], recipe: Recipe) -> Vec<u8> {
    let (talk, verdicts) = std::thread::scope(|scope| {
        let talk = scope.spawn(|| learned(units, recipe, Part::Talk));
        let verdicts = learned(units, recipe, Part::Verdicts);
        (talk.join(), verdicts)
    });
    let (talk, acts) = talk.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let (mut margins, _) = verdicts;
    for (row, talk) in margins.iter_mut().zip(talk) {
        row[TALK] = talk[TALK];
    }
    Model::to_bytes(&margins, &acts)
}

/// The rows of a model: the yes-or-no columns, and the acts.
type Rows = (Vec<[i8; MARGINS]>, Vec<[i8; Act::ALL.len()]>);

/// The mean of several models that learned one part.
fn learned(units: &[&Unit], recipe: Recipe, part: Part) -> Rows {
    let mut margins = vec![[0.0; MARGINS]; SIGNALS];
    let mut acts = vec![[0.0; Act::ALL.len()]; ACT_ROWS];
    let mut summed = 0u16;
    let units: Vec<&Unit> = units.iter().copied().filter(|u| teaches(u, part)).collect();
    let models = match part {
        Part::Talk => recipe.talkers,
        Part::Verdicts => recipe.models,
    };
    for seed in 0..models {
        let mixed = medleys(&units, recipe.medleys, seed);
        let units: Vec<&Unit> = units.iter().copied().chain(&mixed).collect();
        let mut weights = Weights::new(recipe, seed);
        let mut order: Vec<usize> = (0..units.len()).collect();
        let mut dice = Dice::new(0x5eed + seed);
        for epoch in 0..recipe.epochs {
            dice.shuffle(&mut order);
            for unit in order.iter().filter_map(|at| units.get(*at)) {
                match part {
                    Part::Talk => learn_talk(&mut weights, unit),
                    Part::Verdicts => learn_verdicts(&mut weights, unit),
                }
            }
            // The mean of the later weights is steadier than the last ones.
            if epoch * 2 >= recipe.epochs {
                summed += 1;
                for (column, cells) in weights.margins.iter().enumerate() {
                    for (sums, cell) in margins.iter_mut().zip(cells) {
                        if let Some(sum) = sums.get_mut(column) {
                            *sum += cell.weight;
                        }
                    }
                }
                for (sums, row) in acts.iter_mut().zip(&weights.acts) {
                    for (sum, cell) in sums.iter_mut().zip(row) {
                        *sum += cell.weight;
                    }
                }
            }
        }
    }
    let count = f32::from(summed.max(1));
    (quantised(&margins, count), quantised(&acts, count))
}

/// Whether a part learns anything from a text.
fn teaches(unit: &Unit, part: Part) -> bool {
    match unit.label {
        Label::Act(_) => true,
        Label::Response { .. } => part == Part::Talk,
        Label::Work | Label::Review { .. } => part == Part::Verdicts,
    }
}

/// A step of what tells the acts apart, and talk from content.
fn learn_talk(weights: &mut Weights, unit: &Unit) {
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
        Label::Act(act) => {
            if act.is_empty_talk() {
                for clause in &unit.clauses {
                    step_yes_no(weights, clause, TALK, true);
                }
            } else if let Some(clause) = extreme(weights, &unit.clauses, TALK, -1.0) {
                // One clause of the sentence has the content; which one, the weights so far say.
                step_yes_no(weights, clause, TALK, false);
            }
            let likeliest = |c: &&Vec<u32>| weights.acts(c).get(act as usize).copied().unwrap_or_default();
            let clause = unit
                .clauses
                .iter()
                .max_by(|a, b| likeliest(a).total_cmp(&likeliest(b)));
            if let Some(clause) = clause {
                step_act(weights, clause, act);
            }
        }
        Label::Work | Label::Review { .. } => {}
    }
}

/// A step of what tells of verdicts and what they rest on.
fn learn_verdicts(weights: &mut Weights, unit: &Unit) {
    match unit.label {
        Label::Response { .. } => {}
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
        }
    }
}

/// The clause with the highest (`sign` 1) or lowest (`sign` -1) sum in a column.
fn extreme<'u>(weights: &Weights, bag: &'u [Vec<u32>], column: usize, sign: f32) -> Option<&'u Vec<u32>> {
    let sum = |c: &Vec<u32>| sign * weights.sum(c, column);
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

fn step_yes_no(weights: &mut Weights, clause: &[u32], column: usize, yes: bool) {
    let margin = weights.sum(clause, column);
    let chance = 1.0 / (1.0 + exp(-f64::from(margin)));
    let weight = if yes && !matches!(column, TALK | SUPPORT | ACCEPTS) {
        RARE
    } else {
        1.0
    };
    let slope = weight * (chance - f64::from(u8::from(yes))) as f32;
    if slope != 0.0 {
        weights.step(clause, column, slope);
    }
}

fn step_act(weights: &mut Weights, clause: &[u32], act: Act) {
    let acts = weights.acts(clause);
    let most = acts.iter().copied().fold(f32::MIN, f32::max);
    let chances = acts.map(|s| exp(f64::from(s - most)));
    let total: f64 = chances.iter().sum();
    let mut slopes = [0.0; Act::ALL.len()];
    for (index, (slope, chance)) in slopes.iter_mut().zip(chances).enumerate() {
        *slope = (chance / total - f64::from(u8::from(index == act as usize))) as f32;
    }
    weights.step_acts(clause, &slopes);
}

/// The mean weights as signed bytes.
fn quantised<const N: usize>(sums: &[[f32; N]], count: f32) -> Vec<[i8; N]> {
    sums.iter()
        .map(|row| row.map(|w| (w / count * UNITS).round().clamp(-127.0, 127.0) as i8))
        .collect()
}
