//! The two forests of the gate. Made by `scripts/train`.

use proctor_prose::{Forest, TREE_BYTES, TREES};

use super::net::{NET_BYTES, Nets};
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
            approval: Forest::of(approval),
            support: Forest::of(support),
            nets: Nets::of(nets),
        }
    }
}
