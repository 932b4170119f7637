//! Small forests of decision trees over figures: sums of what their leaves say. Made by `scripts/train`.

use super::net::{NET_BYTES, Nets};

/// Trees of one forest.
pub const TREES: usize = 128;
/// Questions that a tree may ask, in the order of a heap; each leads to the next two or to two leaves.
pub const QUESTIONS: usize = 7;
/// Leaves of a tree.
pub const LEAVES: usize = QUESTIONS + 1;
/// Bytes of one tree: which figure each question is about, above what it leads to the right, what the leaves say.
pub const TREE_BYTES: usize = QUESTIONS * 3 + LEAVES * 2;
/// Bytes of the two forests.
pub const FOREST_BYTES: usize = TREES * TREE_BYTES * 2;
/// Bytes of the forests and of the nets whose word they hear.
pub const REVIEW_BYTES: usize = FOREST_BYTES + NET_BYTES;

/// The forests of this version.
static TRAINED: &[u8; REVIEW_BYTES] = include_bytes!("../../model/review.bin");

/// The two forests of the gate, and the nets whose word they hear.
#[derive(Clone, Copy, Debug)]
pub struct Forests<'m> {
    pub(super) approval: Forest<'m>,
    pub(super) support: Forest<'m>,
    pub(super) nets: Nets<'m>,
}

impl Forests<'static> {
    /// The forests of this version.
    #[must_use]
    pub fn trained() -> Self {
        Self::of(TRAINED)
    }
}

impl<'m> Forests<'m> {
    /// Forests from their bytes: that of the approval, that of the support, then the nets. `None` when their number is
    /// not [`REVIEW_BYTES`].
    #[must_use]
    pub fn from_bytes(bytes: &'m [u8]) -> Option<Self> {
        (bytes.len() == REVIEW_BYTES).then(|| Self::of(bytes))
    }

    fn of(bytes: &'m [u8]) -> Self {
        let (trees, nets) = bytes.split_at(bytes.len().min(FOREST_BYTES));
        let (approval, support) = trees.split_at(trees.len() / 2);
        Self {
            approval: Forest(approval.as_chunks().0),
            support: Forest(support.as_chunks().0),
            nets: Nets::of(nets),
        }
    }
}

/// One forest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forest<'m>(&'m [[u8; TREE_BYTES]]);

impl Forest<'_> {
    /// What all trees say together, in 1,024ths of a nat.
    pub(super) fn score(&self, figures: &[i16]) -> i32 {
        self.0.iter().map(|tree| i32::from(leaf(tree, figures))).sum()
    }
}

/// What one tree says.
fn leaf(tree: &[u8; TREE_BYTES], figures: &[i16]) -> i16 {
    let (about, rest) = tree.split_at(QUESTIONS);
    let word = |at: usize| {
        rest.get(at * 2..at * 2 + 2)
            .and_then(|b| b.try_into().ok())
            .map_or(0, i16::from_le_bytes)
    };
    let mut at = 0;
    while at < QUESTIONS {
        let figure = about.get(at).and_then(|f| figures.get(usize::from(*f)));
        let right = figure.is_some_and(|f| *f > word(at));
        at = at * 2 + 1 + usize::from(right);
    }
    word(at)
}
