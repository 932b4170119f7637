//! Small forests of decision trees over figures: sums of what their leaves say. Made by `scripts/train`.

/// Trees of one forest.
pub const TREES: usize = 128;
/// Questions that a tree may ask, in the order of a heap; each leads to the next two or to two leaves.
pub const QUESTIONS: usize = 7;
/// Leaves of a tree.
pub const LEAVES: usize = QUESTIONS + 1;
/// Bytes of one tree: which figure each question is about, above what it leads to the right, what the leaves say.
pub const TREE_BYTES: usize = QUESTIONS * 3 + LEAVES * 2;

/// One forest.
#[derive(Clone, Copy, Debug)]
pub struct Forest<'m>(&'m [[u8; TREE_BYTES]]);

impl<'m> Forest<'m> {
    /// A forest from the bytes of its trees.
    #[must_use]
    pub fn of(bytes: &'m [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    /// What all trees say together, in 1,024ths of a nat.
    #[must_use]
    pub fn score(&self, figures: &[i16]) -> i32 {
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
