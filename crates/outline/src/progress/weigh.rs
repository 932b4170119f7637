//! The learned decision over items that the rules leave open, or are not sure of.
//!
//! What the rules know of an answer is put into figures for each item: the stretches that are most like it and what they
//! tell, which of them other items claim, what else the answer says. A forest of small trees, trained by `scripts/train`
//! on labelled answers, decides from these.

mod figures;
mod likeness;
mod openness;
mod stretch;

pub use figures::FIGURES;
pub use openness::ROWS;

use super::cues::Cues;
use super::message::{Said, Turn};
use super::status::Status;
use proctor_kernel::ChecklistItem;
use proctor_prose::{Forest, TREE_BYTES, TREES};
use stretch::Stretch;

pub(super) use likeness::Likeness;

/// The table of openness and the forest of this version.
static TRAINED: &[u8; TABLE_BYTES] = include_bytes!("../../model/todo.bin");

/// Bytes of both.
pub const TABLE_BYTES: usize = ROWS + TREES * TREE_BYTES;

/// Below this doubt, in 1,024ths of a nat, the whole list is taken for done: chosen so that as many lists are reminded of without
/// reason as are let through, on scenes that were not learned from.
pub const WHOLE: i32 = 800;

/// Above this score an item is taken for done in a list that is not.
const LIKELY: i32 = 1536;

/// What the rules are sure of weighs as much at least.
const SURE: i32 = 4096;

/// The figure that says how open the stretches like an item sound, and from where on the rules are believed.
const SAID: usize = 14;
const UNSAID: i16 = 2;
const NEAR_OPEN: usize = 102;
const SOUNDS_OPEN: i16 = -110;

/// Most items and most stretches of an answer that are weighed.
const ITEMS: usize = 40;
const STRETCHES: usize = 400;

/// A state as a number.
fn code(status: Option<Status>) -> i16 {
    match status {
        Some(Status::Undone) => 0,
        Some(Status::Open) => 1,
        None => 2,
        Some(Status::Done(_)) => 3,
    }
}

fn code_said(said: Option<Said>) -> i16 {
    match said {
        Some(Said::Undone) => 0,
        Some(Said::Open) => 1,
        None => 2,
        Some(Said::Done) => 3,
    }
}

/// A stretch of an answer as the trainer sees it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Its place in the answer, in bytes of the answer in normal form.
    pub text: String,
    /// What is observed in it, as rows of the table of openness.
    pub rows: Vec<u16>,
    /// Of 100, how like it is to each item.
    pub like: Vec<i16>,
    /// The state that the rules read in it, as a number.
    pub state: i16,
    /// How far it sounds open.
    pub open: i16,
}

/// What is known of the items after an answer, for training.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// For each item its figures; none when there are too many.
    pub figures: Vec<Vec<i16>>,
    /// The items by the rules alone.
    pub ruled: Vec<bool>,
    /// What the rules are sure of: whether it is done.
    pub sure: Vec<Option<bool>>,
    /// The stretches of the answer; only for training.
    pub stretches: Vec<Seen>,
}

/// What is known of the items after an answer, with a table of openness.
#[must_use]
pub fn weighed(items: &[ChecklistItem], response: &str, table: &[u8]) -> Weighed {
    let list = super::indexed(items);
    let mut done: Vec<bool> = items.iter().map(|i| i.completed).collect();
    let mut out = Weighed::default();
    super::message::apply_with(&list, response, &mut done, &mut |turn, ruled| {
        turn.read_all();
        let stretches = stretch::of(turn, table);
        out = of_turn(turn, ruled, &stretches);
        out.stretches = stretches.iter().map(|s| seen(turn, s)).collect();
    });
    out.ruled = done;
    out
}

fn of_turn(turn: &Turn<'_>, ruled: &[bool], stretches: &[Stretch]) -> Weighed {
    // "1 and 3 are done", "(a) and (c) landed": who counts means those alone.
    let counts = stretches
        .iter()
        .any(|s| !s.refs.is_empty() && turn.view(s.from, s.to).any(Cues::COUNTS.with(Cues::LETTER)));
    let unlike = |item: usize| {
        let like = |s: &Stretch| s.like.get(item).is_some_and(|like| *like >= figures::LIKE);
        !stretches.iter().any(like)
    };
    let sure = |item: usize| {
        let sure = turn.sure.get(item).is_some_and(|s| *s);
        match turn.said.get(item).copied().flatten() {
            Some(Said::Done) if sure => Some(true),
            Some(Said::Open | Said::Undone) if sure => Some(false),
            None if counts && unlike(item) => Some(false),
            None if !stretches.iter().any(|s| s.may_tell_of(item)) => Some(false),
            _ => None,
        }
    };
    Weighed {
        figures: figures::of(turn, ruled, stretches),
        ruled: ruled.to_vec(),
        sure: (0..ruled.len()).map(sure).collect(),
        stretches: Vec::new(),
    }
}

/// As [`super::update`], with the learned decision over what the rules leave open. No gate uses it yet: on lists that rules were
/// written with it lets more through than the rules do.
#[must_use]
pub fn update(items: &[ChecklistItem], response: &str, created: &[String]) -> Vec<ChecklistItem> {
    super::updated(items, response, created, &mut decide)
}

/// Decides over the items that the rules leave open or are not sure of.
fn decide(turn: &mut Turn<'_>, done: &mut [bool]) {
    if done.len() > ITEMS || done.iter().all(|d| *d) {
        return;
    }
    turn.read_all();
    let (table, trees) = TRAINED.split_at(ROWS);
    let stretches = stretch::of(turn, table);
    if !stretches.iter().any(Stretch::reports) {
        return;
    }
    let found = of_turn(turn, done, &stretches);
    for (state, decided) in done
        .iter_mut()
        .zip(decided(&found, &turn.before, &found.scores(trees), WHOLE))
    {
        *state = decided;
    }
}

impl Weighed {
    /// The score of each item, by trees and by what the rules are sure of.
    #[must_use]
    pub fn scores(&self, trees: &[u8]) -> Vec<i32> {
        let forest = Forest::of(trees);
        self.figures
            .iter()
            .zip(&self.sure)
            .map(|(figures, sure)| {
                let score = forest.score(figures);
                match sure {
                    Some(true) => score.max(SURE),
                    // A word of trouble may be about something else, where nothing else sounds open.
                    Some(false)
                        if figures.get(SAID) == Some(&UNSAID)
                            || figures.get(NEAR_OPEN).is_some_and(|f| *f > SOUNDS_OPEN) =>
                    {
                        score.min(-SURE)
                    }
                    _ => score,
                }
            })
            .collect()
    }
}

/// The items by their scores: all of them are done when there is little doubt over the whole list, below `whole`.
#[must_use]
pub fn decided(found: &Weighed, before: &[bool], scores: &[i32], whole: i32) -> Vec<bool> {
    let mut out = found.ruled.clone();
    if out.iter().all(|d| *d) || scores.len() != out.len() {
        return out;
    }
    let asked = |item: usize| before.get(item) != Some(&true);
    let mut sum = 0;
    for (item, score) in scores.iter().enumerate() {
        if asked(item) {
            sum += doubt(*score);
        } else if out.get(item) == Some(&false) {
            // What was done and is taken back stays so.
            sum = sum.max(whole);
        }
    }
    let all = sum < whole;
    for (item, score) in scores.iter().enumerate().filter(|(i, _)| asked(*i)) {
        if let Some(done) = out.get_mut(item) {
            *done |= all || *score > LIKELY;
        }
    }
    if !all && out.iter().all(|d| *d) {
        // Something is open, then: what is least likely done among what the rules left.
        let left = scores
            .iter()
            .enumerate()
            .filter(|(i, _)| found.ruled.get(*i) != Some(&true));
        if let Some((item, _)) = left.min_by_key(|(_, score)| **score)
            && let Some(done) = out.get_mut(item)
        {
            *done = false;
        }
    }
    out
}

/// How doubtful a score leaves an item, in 1,024ths of a nat: what its chance to be done takes from that of the whole list.
fn doubt(score: i32) -> i32 {
    /// 1,024 times the logarithm of 1 + exp(-n / 2).
    const STEPS: [i32; 18] = [
        710, 485, 321, 206, 130, 81, 50, 30, 19, 11, 7, 4, 3, 2, 1, 1, 0, 0,
    ];
    let size = score.unsigned_abs() as usize;
    let step = |at: usize| STEPS.get(at).copied().unwrap_or(0);
    let (at, rest) = (size / 512, (size % 512) as i32);
    let level = step(at) + (step(at + 1) - step(at)) * rest / 512;
    level + (-score).max(0)
}

fn seen(turn: &Turn<'_>, stretch: &Stretch) -> Seen {
    let tokens = turn
        .reading
        .tokens
        .get(stretch.from..stretch.to)
        .unwrap_or_default();
    let start = tokens.first().map_or(0, |t| t.start);
    let end = tokens.last().map_or(0, |t| t.end);
    Seen {
        text: crate::text::slice(turn.text, start, end).to_owned(),
        rows: stretch.rows.clone(),
        like: stretch.like.clone(),
        state: code(stretch.status),
        open: stretch.open,
    }
}
