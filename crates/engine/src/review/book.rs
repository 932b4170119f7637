//! All reviews of a clone, as a fold of their journal.

use super::types::{
    Independence, Release, Review, ReviewEvent, ReviewRecord, ReviewStatus, ReviewVerdict, VerdictEntry,
};
use proctor_kernel::{Id, TreeId};
use proctor_ledger::{Fold, Gone, Record};
use serde::{Deserialize, Serialize};

/// The writer under which reviews are recorded.
pub const JOURNAL: &str = "reviews";

/// The kind of record that holds review events.
pub const KIND: &str = "review";

/// Most reviews that are kept in the state; older ones stay in the log.
const MOST: usize = 500;

/// Everything that is known of a clone's reviews.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewBook {
    /// The reviews, oldest first.
    pub reviews: Vec<Review>,
    /// The releases, oldest first.
    pub releases: Vec<Release>,
    /// Sessions that were let go unreviewed.
    pub escalations: Vec<Escalation>,
    /// That records are gone, and when that was noticed. Not a part of the fold: the marker of the state folder knows it.
    #[serde(skip)]
    pub gone: Option<Gone>,
}

/// A session that was let go although a gate objected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escalation {
    /// The session's log.
    pub session: String,
    /// Why.
    pub why: String,
    /// The tree that it left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeId>,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

impl Fold for ReviewBook {
    const VERSION: u32 = 4;

    fn apply(&mut self, record: &Record) {
        if record.kind != KIND {
            return;
        }
        let Ok(body) = record.body::<ReviewRecord>() else {
            return;
        };
        for event in &body.events {
            self.take(event, record.millis, Some(&record.id));
        }
    }
}

impl ReviewBook {
    /// A review by its id.
    #[must_use]
    pub fn review(&self, id: &Id) -> Option<&Review> {
        self.reviews.iter().rev().find(|r| r.id == *id)
    }

    /// The latest review of a session's work.
    #[must_use]
    pub fn of_session(&self, session: &str) -> Option<&Review> {
        self.reviews.iter().rev().find(|r| r.session == session)
    }

    /// The latest review.
    #[must_use]
    pub fn latest(&self) -> Option<&Review> {
        self.reviews.iter().max_by_key(|r| r.updated)
    }

    /// Verdicts on exactly this tree, of all reviews.
    #[must_use]
    pub fn verdicts_on(&self, tree: &TreeId) -> Vec<(&Review, &VerdictEntry)> {
        self.reviews
            .iter()
            .flat_map(|review| review.verdicts.iter().map(move |v| (review, v)))
            .filter(|(_, v)| v.tree.as_ref() == Some(tree))
            .collect()
    }

    fn entry(&mut self, id: &Id) -> Option<&mut Review> {
        self.reviews.iter_mut().rev().find(|r| r.id == *id)
    }

    /// Adds one event. Total: what does not fit changes nothing.
    pub fn take(&mut self, event: &ReviewEvent, at: u64, record: Option<&Id>) {
        match event {
            ReviewEvent::Requested {
                review,
                task,
                session,
                worker,
                base,
                head,
                tree,
            } => {
                if let Some(known) = self.entry(review) {
                    known.status = ReviewStatus::Pending;
                    known.human = false;
                    known.failed = false;
                    known.lacking = None;
                    known.round += 1;
                    known.tree.clone_from(tree);
                    known.head.clone_from(head);
                    if worker.model.is_some() {
                        known.worker.model.clone_from(&worker.model);
                    }
                    known.updated = at;
                    return;
                }
                if self.reviews.len() >= MOST {
                    self.reviews.remove(0);
                }
                self.reviews.push(Review {
                    id: review.clone(),
                    status: ReviewStatus::Pending,
                    task: task.clone(),
                    session: session.clone(),
                    worker: worker.clone(),
                    reviewer: None,
                    failed: false,
                    human: false,
                    findings: Vec::new(),
                    attempts: 0,
                    round: 1,
                    failures: Vec::new(),
                    lacking: None,
                    base: base.clone(),
                    head: head.clone(),
                    tree: tree.clone(),
                    verdicts: Vec::new(),
                    created: at,
                    updated: at,
                });
            }
            ReviewEvent::Started { review, reviewer } => {
                let Some(review) = self.entry(review) else { return };
                review.reviewer = Some(reviewer.clone());
                review.failed = false;
                review.lacking = None;
                // A verdict of this round stands, whoever else begins to look.
                if review.status == ReviewStatus::Pending {
                    review.status = ReviewStatus::InReview;
                }
                review.updated = at;
            }
            ReviewEvent::LeftToHuman { review } => {
                let Some(review) = self.entry(review) else { return };
                review.human = true;
                review.updated = at;
            }
            ReviewEvent::CouldNotRun { review, why } => {
                let Some(review) = self.entry(review) else { return };
                review.failures.push(why.clone());
                review.failed = true;
                if review.status == ReviewStatus::InReview {
                    review.status = ReviewStatus::Pending;
                }
                review.updated = at;
            }
            ReviewEvent::Lacked { review, lacking } => {
                let Some(review) = self.entry(review) else { return };
                review.lacking = Some(lacking.clone());
                // A reviewer that was asked has run.
                if lacking.asked {
                    review.failures.clear();
                }
                review.failed = false;
                // Whoever looked has ended, without a verdict.
                if review.status == ReviewStatus::InReview {
                    review.status = ReviewStatus::Pending;
                }
                review.updated = at;
            }
            ReviewEvent::Found { review, finding } => {
                let Some(review) = self.entry(review) else { return };
                if !review.findings.iter().any(|f| f.id == finding.id) {
                    review.findings.push(finding.clone());
                }
                review.updated = at;
            }
            ReviewEvent::Settled {
                review,
                finding,
                how,
                words,
                same_file,
                by,
            } => {
                let Some(review) = self.entry(review) else { return };
                if let Some(found) = review.findings.iter_mut().find(|f| f.id == *finding) {
                    found.settled = Some(*how);
                    found.settled_by = Some(by.kind);
                    found.same_file = *same_file;
                    found.answer.clone_from(words);
                }
                review.updated = at;
            }
            ReviewEvent::Opined {
                review,
                finding,
                opinion,
            } => {
                let Some(review) = self.entry(review) else { return };
                if let Some(found) = review.findings.iter_mut().find(|f| f.id == *finding) {
                    found.opinions.push(opinion.clone());
                }
                review.updated = at;
            }
            ReviewEvent::Decided { review, entry } => {
                let Some(review) = self.entry(review) else { return };
                let mut entry = entry.as_ref().clone();
                entry.round = review.round;
                entry.at = at;
                entry.record = record.cloned();
                review.decide(entry, at);
            }
            ReviewEvent::Escalated { session, why, tree } => {
                self.escalations.push(Escalation {
                    session: session.clone(),
                    why: why.clone(),
                    tree: tree.clone(),
                    at,
                });
                if self.escalations.len() > MOST {
                    self.escalations.remove(0);
                }
                if let Some(review) = self.reviews.iter_mut().rev().find(|r| r.session == *session)
                    && review.status != ReviewStatus::Approved
                {
                    review.status = ReviewStatus::Escalated;
                    review.updated = at;
                }
            }
            ReviewEvent::Released(release) => {
                let mut release = release.as_ref().clone();
                release.at = at;
                release.record = record.cloned();
                for review in &mut self.reviews {
                    let meant = release.session.as_ref().is_none_or(|s| *s == review.session)
                        && review.status != ReviewStatus::Approved;
                    if meant && (release.tree.is_none() || release.tree == review.tree) {
                        review.status = ReviewStatus::Released;
                        review.updated = at;
                    }
                }
                self.releases.push(release);
                if self.releases.len() > MOST {
                    self.releases.remove(0);
                }
            }
        }
    }
}

impl Review {
    fn decide(&mut self, entry: VerdictEntry, at: u64) {
        // Verdicts of parties that may be the worker itself are kept, and count as refusals only: a
        // refusal needs no independence to be worth hearing.
        let refused = self
            .verdicts
            .iter()
            .any(|v| v.round == self.round && v.verdict == ReviewVerdict::Reject);
        match entry.verdict {
            ReviewVerdict::Reject => {
                if !refused {
                    self.attempts += 1;
                }
                self.status = ReviewStatus::Rejected;
            }
            ReviewVerdict::Approve
                if !refused
                    && entry.independence == Independence::Yes
                    && self.open_findings().next().is_none() =>
            {
                self.status = ReviewStatus::Approved;
            }
            ReviewVerdict::Approve => {}
        }
        // It can run: what kept earlier ones from it says nothing of the next.
        self.failures.clear();
        self.failed = false;
        self.lacking = None;
        self.reviewer = Some(entry.reviewer.clone());
        self.updated = at;
        self.verdicts.push(entry);
    }
}
