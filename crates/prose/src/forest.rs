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

    /// The most that all trees can say together whatever some of the first 64 figures are: those whose bits are set.
    #[must_use]
    pub fn most(&self, figures: &[i16], open: u64) -> i32 {
        let most = |tree| i32::from(highest(tree, figures, open, 0));
        self.0.iter().map(most).sum()
    }
}

/// What one tree says.
fn leaf(tree: &[u8; TREE_BYTES], figures: &[i16]) -> i16 {
    let mut at = 0;
    while at < QUESTIONS {
        at = next(tree, figures, at);
    }
    word(tree, at)
}

/// The most that one tree can say, from a question on.
fn highest(tree: &[u8; TREE_BYTES], figures: &[i16], open: u64, mut at: usize) -> i16 {
    while let Some(figure) = tree.get(..QUESTIONS).and_then(|about| about.get(at)) {
        if open
            .checked_shr(u32::from(*figure))
            .is_some_and(|open| open & 1 == 1)
        {
            let [left, right] = [1, 2].map(|side| highest(tree, figures, open, at * 2 + side));
            return left.max(right);
        }
        at = next(tree, figures, at);
    }
    word(tree, at)
}

/// Where a question leads.
fn next(tree: &[u8; TREE_BYTES], figures: &[i16], at: usize) -> usize {
    let figure = tree.get(at).and_then(|f| figures.get(usize::from(*f)));
    let right = figure.is_some_and(|f| *f > word(tree, at));
    at * 2 + 1 + usize::from(right)
}

/// The number of a question, above which it leads to the right, or that of a leaf, behind them.
fn word(tree: &[u8; TREE_BYTES], at: usize) -> i16 {
    let words = tree.get(QUESTIONS..).unwrap_or_default();
    words.as_chunks().0.get(at).map_or(0, |b| i16::from_le_bytes(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_is_what_the_best_of_all_figures_gives() {
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        // Trees over five figures, each from 0 to 3.
        let mut trees = Vec::new();
        for _ in 0..40 {
            trees.extend((0..QUESTIONS).map(|_| next() % 5));
            trees.extend((0..QUESTIONS).flat_map(|_| i16::from(next() % 4).to_le_bytes()));
            trees.extend((0..LEAVES).flat_map(|_| (i16::from(next()) - 128).to_le_bytes()));
        }
        let forest = Forest::of(&trees);
        for round in 0..64i16 {
            let mut figures = [round % 4, round / 4 % 4, round / 16, 2, 1];
            assert_eq!(forest.most(&figures, 0), forest.score(&figures));
            // Each tree says its own best: of several figures that is more than they can be together.
            let all = forest.most(&figures, 0b10010);
            for one in 0..4 {
                figures[4] = one;
                let some = forest.most(&figures, 0b00010);
                assert!(all >= some);
                let scores = (0..4).map(|other| {
                    figures[1] = other;
                    forest.score(&figures)
                });
                assert!(some >= scores.max().unwrap_or_default());
            }
        }
        // One question about a figure that is open, between two leaves.
        let mut tree = [0; TREE_BYTES];
        tree[..QUESTIONS].fill(1);
        for (leaf, at) in (0..LEAVES as u8).zip((QUESTIONS * 3..).step_by(2)) {
            tree[at] = leaf + 1;
        }
        let figures = [0, -5, 0];
        assert_eq!(Forest::of(&tree).score(&figures), 1);
        assert_eq!(Forest::of(&tree).most(&figures, 0b101), 1);
        assert_eq!(Forest::of(&tree).most(&figures, 0b010), LEAVES as i32);
    }
}
