//! The records that speak for or against a tree: this clone's own, and what others claim.

use super::report::RecordOrigin;
use crate::review::{
    Independence, Onto, PartyKind, Release, Requirements, Review, ReviewBook, ReviewFinding, ReviewVerdict,
    Settlement, VerdictEntry,
};
use crate::signing::{Checked, Notary, SignatureState, Statement};
use crate::{Clock, Engine};
use proctor_kernel::{Id, Result, TreeId};
use proctor_ledger::Fold;
use std::collections::HashMap;

/// Most approvals of other trees that are compared with a commit.
const MOST_COMPARED: usize = 20;

/// Own records and claims, apart from each other: a claim never changes what the own records say.
#[derive(Default)]
pub(super) struct Records {
    own: ReviewBook,
    claimed: ReviewBook,
    /// Which clone published a record.
    published: HashMap<Id, String>,
    /// Approvals of files that were imported.
    pub(super) filed: Vec<(Id, VerdictEntry)>,
    /// Releases of such files.
    freed: Vec<Release>,
}

/// An approval, with what is known of it besides.
#[derive(Clone)]
pub(super) struct Approval<'a> {
    pub(super) review: &'a Id,
    pub(super) entry: &'a VerdictEntry,
    pub(super) origin: RecordOrigin,
    pub(super) clone: Option<String>,
    pub(super) signature: Checked,
}

impl Approval<'_> {
    pub(super) fn is_human(&self) -> bool {
        self.entry.reviewer.kind == PartyKind::Human
    }

    /// When it was given: as it was signed, else as its record says.
    fn moment(&self) -> u64 {
        let signed = self
            .entry
            .signature
            .as_ref()
            .filter(|_| self.signature.state == SignatureState::Valid);
        let said = signed.and_then(|s| Statement::read(&s.statement).ok());
        said.map_or(self.entry.at, |s| s.time)
    }

    /// Whether it is more than somebody's word.
    pub(super) fn is_proved(&self) -> bool {
        self.origin == RecordOrigin::Own || self.signature.state == SignatureState::Valid
    }
}

/// A release, with what is known of it besides.
#[derive(Clone)]
pub(super) struct Freed<'a> {
    pub(super) release: &'a Release,
    pub(super) origin: RecordOrigin,
    pub(super) clone: Option<String>,
    pub(super) signature: Checked,
}

impl Freed<'_> {
    pub(super) fn is_proved(&self) -> bool {
        self.origin == RecordOrigin::Own || self.signature.state == SignatureState::Valid
    }
}

impl<C: Clock> Engine<C> {
    /// Reads them all.
    pub(super) fn records(&self) -> Result<Records> {
        let (filed, freed) = self.filed_words()?;
        let mut records = Records {
            own: self.real_reviews()?,
            filed,
            freed,
            ..Records::default()
        };
        for claim in self.store()?.claims(crate::review::KIND)?.records {
            records.claimed.apply(&claim.record);
            records.published.insert(claim.record.id, claim.clone);
        }
        Ok(records)
    }
}

impl<C: Clock> Engine<C> {
    /// The reviews, without what was recorded under the clock of a test: that proves nothing.
    fn real_reviews(&self) -> Result<ReviewBook> {
        if self.clock().is_test() {
            return self.reviews();
        }
        let mut book = ReviewBook {
            gone: self.reviews()?.gone,
            ..ReviewBook::default()
        };
        let mut reader = self.store()?.reader(crate::review::JOURNAL);
        for record in reader.by_ref().filter(|record| !record.test) {
            book.apply(&record);
        }
        Ok(book)
    }
}

impl Records {
    /// Those of one book and of files.
    #[cfg(test)]
    pub(super) fn of(book: ReviewBook, claimed: bool, filed: Vec<(Id, VerdictEntry)>) -> Self {
        let mut records = Self {
            filed,
            ..Self::default()
        };
        match claimed {
            true => records.claimed = book,
            false => records.own = book,
        }
        records
    }

    /// Whether a human judged or released anything in this clone's own log since a moment.
    pub(super) fn has_heard_a_human(&self, since: u64) -> bool {
        self.own.has_heard_a_human(since)
    }

    /// That records of this clone's own reviews are gone, and that no human was heard since.
    pub(super) fn gone(&self) -> Option<&str> {
        let gone = self
            .own
            .gone
            .as_ref()
            .filter(|gone| !self.has_heard_a_human(gone.at))?;
        Some(&gone.what)
    }

    /// Whether somebody answered a finding of Proctor's in a review that is `within` the change: `Some(true)` in this
    /// clone, `Some(false)` as others say. What was answered once in another change is no answer to the same words now.
    pub(super) fn answered_finding(
        &self,
        rule: &str,
        text: &str,
        within: &mut dyn FnMut(&Review) -> bool,
    ) -> Option<bool> {
        let is = |f: &ReviewFinding| {
            let same = f.rule.as_deref() == Some(rule) && f.text == text;
            same && f.settled.is_some_and(|how| how != Settlement::Fixed)
        };
        let mut of = |book: &ReviewBook| {
            book.reviews
                .iter()
                .filter(|r| r.findings.iter().any(is))
                .any(&mut *within)
        };
        if of(&self.own) {
            Some(true)
        } else {
            of(&self.claimed).then_some(false)
        }
    }

    fn books(&self) -> [(RecordOrigin, &ReviewBook); 2] {
        [
            (RecordOrigin::Own, &self.own),
            (RecordOrigin::Clone, &self.claimed),
        ]
    }

    /// Tells the requirements what is signed as they must be, or, without that demand, which are not
    /// forged: a signature that does not fit takes its record out, whatever the policy says.
    fn signed(&self, required: &Requirements, notary: &Notary, tree: &TreeId) -> Requirements {
        let mut required = required.clone();
        for (_, book) in self.books() {
            notary.fill(&mut required, book, Some(tree));
        }
        required
    }

    /// The approvals that count for exactly this tree: own ones first, newest first. What is refused since in any
    /// of the books is none.
    pub(super) fn approvals(
        &self,
        tree: &TreeId,
        required: &Requirements,
        notary: &Notary,
    ) -> Vec<Approval<'_>> {
        let required = self.signed(required, notary, tree);
        let mut found = Vec::new();
        for (origin, book) in self.books() {
            for (review, entry) in book.approvals_of(tree, &required) {
                found.push(self.approval(origin, &review.id, entry, notary));
            }
        }
        for (review, entry) in &self.filed {
            let mut allowed = required.clone();
            if allowed.signed && notary.verdict(review, entry).state == SignatureState::Valid {
                allowed.valid.extend(entry.seal(review));
            }
            if entry.tree.as_ref() == Some(tree)
                && entry.verdict == ReviewVerdict::Approve
                && entry.counts(review, &allowed)
            {
                found.push(self.approval(RecordOrigin::File, review, entry, notary));
            }
        }
        found.retain(|a| {
            let fits = match a.signature.state {
                SignatureState::Valid => true,
                SignatureState::Invalid => false,
                _ => !required.signed,
            };
            fits && !self.overruled(tree, a)
        });
        found
    }

    /// Leaves the approvals of exactly this tree out that looked at another change than the one from a base.
    pub(super) fn leave_out(&self, required: &mut Requirements, onto: &Onto<'_>, tree: &TreeId) {
        for (_, book) in self.books() {
            let verdicts = book.verdicts_on(tree).into_iter();
            required.leave_out(
                onto,
                tree,
                verdicts.map(|(review, entry)| (Some(review), &review.id, entry)),
            );
        }
        let filed = self.filed.iter().filter(|(_, e)| e.tree.as_ref() == Some(tree));
        required.leave_out(onto, tree, filed.map(|(id, entry)| (None, id, entry)));
    }

    /// Approvals of exactly this tree that do not count, with what is the matter with their signature.
    pub(super) fn failed_approvals(&self, tree: &TreeId, notary: &Notary) -> Vec<Approval<'_>> {
        let mut found = Vec::new();
        for (origin, book) in self.books() {
            for (review, entry) in book.verdicts_on(tree) {
                if entry.verdict == ReviewVerdict::Approve && entry.independence == Independence::Yes {
                    found.push(self.approval(origin, &review.id, entry, notary));
                }
            }
        }
        let filed = self.filed.iter().filter(|(_, e)| e.tree.as_ref() == Some(tree));
        found.extend(filed.map(|(review, entry)| self.approval(RecordOrigin::File, review, entry, notary)));
        found.sort_by_key(|a| std::cmp::Reverse(a.entry.at));
        found
    }

    fn approval<'a>(
        &self,
        origin: RecordOrigin,
        review: &'a Id,
        entry: &'a VerdictEntry,
        notary: &Notary,
    ) -> Approval<'a> {
        Approval {
            review,
            entry,
            origin,
            clone: self.clone_of(origin, entry.record.as_ref()),
            signature: notary.verdict(review, entry),
        }
    }

    fn clone_of(&self, origin: RecordOrigin, record: Option<&Id>) -> Option<String> {
        let record = record.filter(|_| origin == RecordOrigin::Clone)?;
        self.published.get(record).cloned()
    }

    /// Whether a refusal of this tree wins over an approval. The moment of a signed approval is the one that was
    /// signed, whenever its record was written; that of a mere claim is anybody's to choose, so every refusal wins
    /// over it. A file carries no reviews, so the rule of rounds is looked at here.
    fn overruled(&self, tree: &TreeId, approval: &Approval<'_>) -> bool {
        let wins = |review: &Review, refusal: &VerdictEntry| {
            let same_round = approval.origin == RecordOrigin::File
                && review.id == *approval.review
                && refusal.round >= approval.entry.round;
            same_round || !approval.is_proved() || refusal.at >= approval.moment()
        };
        self.books().iter().any(|(_, book)| {
            let refusals = book.verdicts_on(tree).into_iter();
            refusals
                .filter(|(_, v)| v.verdict == ReviewVerdict::Reject)
                .any(|(review, refusal)| wins(review, refusal))
        })
    }

    /// Whether a refusal of exactly this tree stands, as the review says in which it fell.
    pub(super) fn refusal(&self, tree: &TreeId) -> Option<&Review> {
        self.books().into_iter().find_map(|(_, book)| {
            let refused = book.verdicts_on(tree).into_iter();
            refused
                .filter(|(_, v)| v.verdict == ReviewVerdict::Reject)
                .map(|(review, _)| review)
                .next_back()
        })
    }

    /// The releases that let this tree go at `now`, own ones first; or, with `over`, those whose time is over.
    /// What others claim lets go the very tree that it names, and nothing else.
    pub(super) fn releases(
        &self,
        tree: &TreeId,
        now: u64,
        over: bool,
        signed: bool,
        notary: &Notary,
    ) -> Vec<Freed<'_>> {
        let mut found = Vec::new();
        let [own, claimed] = self.books().map(|(origin, book)| (origin, &book.releases));
        for (origin, releases) in [own, claimed, (RecordOrigin::File, &self.freed)] {
            for release in releases.iter().rev() {
                let any = release.tree.is_none() && origin == RecordOrigin::Own;
                if (!any && release.tree.as_ref() != Some(tree))
                    || (now >= release.until) != over
                    || release.by.kind != PartyKind::Human
                {
                    continue;
                }
                let freed = Freed {
                    release,
                    origin,
                    clone: self.clone_of(origin, release.record.as_ref()),
                    signature: notary.release(release),
                };
                let state = freed.signature.state;
                if state != SignatureState::Invalid && (!signed || state == SignatureState::Valid) {
                    found.push(freed);
                }
            }
        }
        found
    }

    /// Why a tree counts as let go unreviewed: an escalation that nobody has answered since. Own ones count for
    /// whatever came after `since`, because work goes on after a session was let go; claims for exactly their tree.
    pub(super) fn escalation(&self, tree: &TreeId, since: u64) -> Option<&str> {
        self.books().into_iter().find_map(|(origin, book)| {
            let open = book.escalations.iter().rev().find(|e| {
                let same = e.tree.as_ref() == Some(tree);
                let concerned = same || (origin == RecordOrigin::Own && e.at >= since);
                concerned && !self.answered(&e.session, e.at, same)
            });
            open.map(|e| e.why.as_str())
        })
    }

    /// Whether a human answered a session's escalation, or its work was approved since. For the very tree that was
    /// let go only what holds for it counts, and that was looked for before.
    fn answered(&self, session: &str, at: u64, same: bool) -> bool {
        if same {
            return false;
        }
        let released = |r: &&Release| {
            r.at > at && r.by.kind == PartyKind::Human && r.session.as_deref().is_none_or(|s| s == session)
        };
        let approved = |review: &&Review| {
            review.session == session
                && review.verdicts.iter().any(|v| {
                    v.at > at && v.verdict == ReviewVerdict::Approve && v.independence == Independence::Yes
                })
        };
        self.own.releases.iter().any(|r| released(&r)) || self.own.reviews.iter().any(|r| approved(&r))
    }

    /// Approvals of other trees, newest first.
    pub(super) fn elsewhere(
        &self,
        tree: &TreeId,
        required: &Requirements,
    ) -> Vec<(RecordOrigin, &Review, &VerdictEntry)> {
        let mut found: Vec<_> = self
            .books()
            .into_iter()
            .flat_map(|(origin, book)| book.reviews.iter().map(move |r| (origin, r)))
            .flat_map(|(origin, r)| r.verdicts.iter().map(move |v| (origin, r, v)))
            .filter(|(_, r, v)| {
                v.verdict == ReviewVerdict::Approve
                    && v.independence == Independence::Yes
                    && v.tree.as_ref().is_some_and(|t| t != tree)
                    && (required.signed || v.counts(&r.id, required))
            })
            .collect();
        found.sort_by_key(|(_, _, v)| std::cmp::Reverse(v.at));
        found.truncate(MOST_COMPARED);
        found
    }

    /// The review that waits for exactly this tree.
    pub(super) fn waiting(&self, tree: &TreeId) -> Option<&Review> {
        let of = |book: &'_ ReviewBook| {
            let at = book.reviews.iter().rposition(|r| r.tree.as_ref() == Some(tree))?;
            Some(at)
        };
        self.books()
            .into_iter()
            .find_map(|(_, book)| of(book).and_then(|at| book.reviews.get(at)))
    }

    /// How a tree stands by the records alone, in one word.
    pub(super) fn word(
        &self,
        tree: &TreeId,
        required: &Requirements,
        notary: &Notary,
        now: u64,
    ) -> &'static str {
        if !self.approvals(tree, required, notary).is_empty() {
            "approved"
        } else if !self
            .releases(tree, now, false, required.signed, notary)
            .is_empty()
        {
            "released"
        } else if self.refusal(tree).is_some() {
            "rejected"
        } else if self.escalation(tree, u64::MAX).is_some() {
            "escalated"
        } else {
            "none"
        }
    }
}
