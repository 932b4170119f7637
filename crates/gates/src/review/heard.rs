//! What a message says of a verdict, clause by clause, before the grammar takes anything off.

use super::decide::{FAR, far};
use proctor_prose::{Clause, Features};

/// What a message says of a verdict, before the grammar takes anything off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    /// The highest margin, and its clause.
    pub(super) best: i32,
    pub(super) clause: Option<usize>,
    /// The margins of the first and of the last clause that say something.
    pub(super) first: Option<i32>,
    pub(super) last: i32,
    /// The highest margin of a clause with a verdict by its word.
    pub(super) given: i32,
    /// Clauses with a word of approval that is denied or somebody else's, and those where it gives no verdict.
    pub(super) denied: i32,
    pub(super) doubted: i32,
    /// Clauses that ask.
    pub(super) asked: i32,
    /// The margin of refusal of the last clause.
    pub(super) refusal: i32,
}

impl Default for Heard {
    fn default() -> Self {
        Self {
            best: -FAR,
            clause: None,
            first: None,
            last: -FAR,
            given: -FAR,
            denied: 0,
            doubted: 0,
            asked: 0,
            refusal: -FAR,
        }
    }
}

impl Heard {
    /// Takes in a clause.
    pub(super) fn add(
        &mut self,
        index: usize,
        clause: &Clause,
        may: bool,
        heard: bool,
        denied: bool,
        doubted: bool,
    ) {
        let margin = far(clause.margins.approval);
        self.denied += i32::from(denied);
        self.doubted += i32::from(doubted);
        self.asked += i32::from(clause.features.has(Features::QUESTION));
        if heard {
            self.given = self.given.max(margin);
        }
        if !may {
            return;
        }
        self.first.get_or_insert(margin);
        self.last = margin;
        self.refusal = far(clause.margins.refusal);
        if self.clause.is_none() || margin > self.best {
            self.best = margin;
            self.clause = Some(index);
        }
    }
}
