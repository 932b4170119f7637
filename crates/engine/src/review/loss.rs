//! Records of reviews that are gone: noticed against what the marker of the state folder knows, kept there, and told.
//!
//! A refusal, a finding or an escalation may have been among them. So no approval from before counts any more; what a
//! human released stays released, for nothing that was recorded could have taken that back.

use super::book::{JOURNAL, ReviewBook};
use super::types::PartyKind;
use crate::{Clock, Engine};
use proctor_kernel::Result;
use proctor_ledger::{Gone, Journal, Position, Rebuilt, Store, first_loss, make_way};

/// Up to where it was told already what is wrong.
fn told(store: &Store) -> Position {
    let gone = store.marker().and_then(|m| m.gone.as_ref());
    gone.map(|g| g.upto.clone()).unwrap_or_default()
}

/// What a journal says of its own log.
fn told_by(store: &Store, journal: &Journal<ReviewBook>) -> Option<String> {
    if journal.rebuilt() == Some(Rebuilt::Rewritten) {
        return Some(format!(
            "the log `{JOURNAL}` is not the one that its snapshot was taken from"
        ));
    }
    first_loss(journal.problems(), &told(store)).map(|problem| format!("the log `{JOURNAL}`, {problem}"))
}

/// What the log itself says, read from its beginning.
fn told_by_all(store: &Store) -> Option<String> {
    let mut reader = store.reader(JOURNAL);
    reader.by_ref().for_each(drop);
    first_loss(reader.problems(), &told(store)).map(|problem| format!("the log `{JOURNAL}`, {problem}"))
}

/// The reviews, and what is known to be missing of them at `now`.
pub(crate) fn open(store: &Store, now: u64) -> Result<ReviewBook> {
    let mut lack = store.lacks(JOURNAL)?;
    let mut book = ReviewBook::default();
    if store.has(JOURNAL) {
        let journal = store.journal::<ReviewBook>(JOURNAL)?;
        lack = lack.or_else(|| told_by(store, &journal));
        book = journal.state().clone();
    }
    let noted = || store.marker().and_then(|m| m.gone.clone());
    book.gone = lack
        .map(|what| Gone {
            at: now,
            what,
            upto: Position::default(),
            told: false,
        })
        .or_else(noted);
    Ok(book)
}

/// What the user is told.
fn in_words(what: &str) -> String {
    format!(
        "records of reviews are gone: {what}. What was refused, found or let go unreviewed is not known any more, and \
         approvals from before do not count; `proctor fsck` looks at what is left"
    )
}

impl<C: Clock> Engine<C> {
    /// What a hook tells of records that are gone: once, whoever noticed it first. A command that an agent runs must not
    /// take it away from the user.
    pub(crate) fn tell_what_is_gone(&mut self, whole: bool) -> Option<String> {
        let noticed = self.watch_reviews(whole);
        let store = self.store.as_mut().ok()?;
        let untold = || {
            let gone = store.marker()?.gone.as_ref().filter(|gone| !gone.told)?;
            Some(in_words(&gone.what))
        };
        let alert = noticed.or_else(untold)?;
        // What cannot be kept is told again.
        let _kept = store.gone_is_told();
        Some(alert)
    }

    /// Notices that records of reviews are gone, keeps it, and gives what the user is told. With `whole` the log is read
    /// from its beginning; else its end is looked at.
    pub(crate) fn watch_reviews(&mut self, whole: bool) -> Option<String> {
        let now = self.clock.now();
        let store = self.store.as_mut().ok()?;
        let mut what = store.lacks(JOURNAL).ok()?;
        let journal = || {
            store
                .journal::<ReviewBook>(JOURNAL)
                .ok()
                .filter(|_| store.has(JOURNAL))
        };
        let journal = if whole || what.is_some() { journal() } else { None };
        if whole && what.is_none() {
            what = journal.as_ref().and_then(|j| told_by(store, j));
        }
        let what = what?;
        let mut alert = in_words(&what);
        // A file in their place would keep the next ones from being written.
        for moved in make_way(store.root(), JOURNAL, now).unwrap_or_default() {
            alert.push_str("; ");
            alert.push_str(&moved);
        }
        // What cannot be kept is noticed, and told, again.
        let upto = journal.map(|j| j.position().clone()).unwrap_or_default();
        let _kept = store.note_gone(
            JOURNAL,
            Gone {
                at: now,
                what,
                upto,
                told: false,
            },
        );
        Some(alert)
    }

    /// What is missing of the reviews' records, and that no human has judged or released anything since; for commands,
    /// which read the whole log.
    ///
    /// # Errors
    /// Kind `store` when the records cannot be read.
    pub fn reviews_gone(&self) -> Result<Option<String>> {
        let mut book = self.reviews()?;
        if book.gone.is_none()
            && let Some(what) = told_by_all(self.store()?)
        {
            book.gone = Some(Gone {
                at: self.clock.now(),
                what,
                upto: Position::default(),
                told: false,
            });
        }
        let lost = || {
            let lost = self.store().ok()?.marker().is_some_and(|m| m.lost);
            lost.then(|| Gone {
                at: 0,
                what: "the state folder was gone once".to_owned(),
                upto: Position::default(),
                told: false,
            })
        };
        let gone = book
            .gone
            .clone()
            .or_else(lost)
            .filter(|gone| !book.has_heard_a_human(gone.at));
        Ok(gone.map(|gone| gone.what))
    }
}

impl ReviewBook {
    /// Whether a human judged or released anything since a moment.
    pub(crate) fn has_heard_a_human(&self, since: u64) -> bool {
        let verdicts = self.reviews.iter().flat_map(|r| &r.verdicts);
        verdicts
            .filter(|v| v.at >= since)
            .any(|v| v.reviewer.kind == PartyKind::Human)
            || self
                .releases
                .iter()
                .any(|r| r.at >= since && r.by.kind == PartyKind::Human)
    }

    /// Whether what was recorded at a moment still counts for an approval: a refusal of it may be gone.
    pub(crate) fn stands(&self, at: u64) -> bool {
        self.gone.as_ref().is_none_or(|gone| at >= gone.at)
    }
}
