//! The state of approvals: which tree was reviewed by whom, with what result and on which evidence.
//!
//! Reviews belong to the clone, not to a session: they lie in a journal of their own, synced to disk, and
//! are bound to the identity of a tree. What stands here is a fold of [`ReviewEvent`]s, so concurrent
//! verdicts are all kept and the refusal wins whatever their order.

mod beginning;
mod book;
pub(crate) mod charge;
mod lacking;
mod loss;
mod models;
mod ops;
mod required;
mod settling;
mod standing;
mod taken_back;
mod types;

pub use book::{JOURNAL, KIND, ReviewBook};
pub(crate) use loss::open as open_book;
pub use models::{different_models, model_told};
pub use ops::{Judgement, NewFinding, Sign, Taken};
pub(crate) use standing::Eyes;
pub use standing::{Requirements, Standing, checks_digest, checks_digest_of, independence};
pub(crate) use taken_back::Onto;
pub use types::{
    Evidence, Independence, Interpreter, Lacking, Opinion, Party, PartyKind, Pins, Program, Release, Review,
    ReviewEvent, ReviewFinding, ReviewRecord, ReviewStatus, ReviewVerdict, Settlement, Severity, Signature,
    TaskRef, VerdictEntry,
};

#[cfg(test)]
mod tests;
