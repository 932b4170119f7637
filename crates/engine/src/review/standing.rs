//! Is this tree approved?

use super::book::ReviewBook;
use super::models::different_models;
use super::types::{
    Independence, Party, PartyKind, Release, Review, ReviewStatus, ReviewVerdict, VerdictEntry,
};
use proctor_kernel::{Digest, Id, Running, TreeId};
use proctor_policy::{ReviewLevel, Settings, Verification};
use std::collections::BTreeSet;

/// What an approval must have been made under to count now.
#[derive(Clone, Debug)]
pub struct Requirements {
    /// The least level of evidence.
    pub level: ReviewLevel,
    /// Digests of the checks that an approval may have been made under: those that the policy asks for now.
    pub checks: Vec<Digest>,
    /// Only signed approvals and releases count.
    pub signed: bool,
    /// What changed is high-stakes: it takes approvals by two reviewers of different models, or by a human.
    pub two: bool,
    /// How many different models have to approve whatever changed, or a human.
    pub models: usize,
    /// The programs that count as reviewers; empty: all.
    pub programs: Vec<String>,
    /// Milliseconds after which a reviewer that was not heard of is not at work any more.
    pub patience: u64,
    /// Tells whether a process still runs; `None` where nobody can.
    pub runs: Option<fn(&Running) -> Option<bool>>,
    /// The verdicts and releases whose signature was looked at and holds; see
    /// [`Notary::fill`](crate::signing::Notary::fill). By what they say and not by their record: one record can
    /// hold several, and others choose the ids of theirs.
    pub valid: BTreeSet<Digest>,
    /// The approvals that looked at another change than the one at hand.
    pub past: BTreeSet<Digest>,
}

impl Requirements {
    /// What the policy requires now.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self {
            level: settings.review.level,
            // Its own time limit, and some for its start and its end.
            patience: settings
                .approval
                .reviewer_seconds
                .saturating_add(120)
                .saturating_mul(1_000),
            runs: None,
            checks: vec![checks_digest(settings)],
            signed: settings.approval.signed,
            two: false,
            models: settings.approval.models_needed(),
            programs: settings.approval.reviewer_programs.clone(),
            valid: BTreeSet::new(),
            past: BTreeSet::new(),
        }
    }

    /// How many different models have to approve, or a human.
    #[must_use]
    pub fn models_needed(&self) -> usize {
        self.models.max(if self.two { 2 } else { 1 })
    }

    /// Whether this reviewer may count, as far as programs go.
    fn takes_party(&self, party: &Party) -> bool {
        let pinned = party.kind == PartyKind::Launched && !self.programs.is_empty();
        let program = party.program.as_ref();
        !pinned || program.is_some_and(|p| p.is_one_of(&self.programs))
    }

    /// Whether this may count, as far as signatures go.
    fn takes(&self, seal: impl FnOnce() -> Option<Digest>) -> bool {
        !self.signed || seal().is_some_and(|seal| self.valid.contains(&seal))
    }
}

/// Digest of the checks that the policy asks for.
#[must_use]
pub fn checks_digest(settings: &Settings) -> Digest {
    checks_digest_of(&settings.verification)
}

/// Digest of a list of checks: another name, command line, kind or order is another digest.
#[must_use]
pub fn checks_digest_of(checks: &[Verification]) -> Digest {
    let mut text = String::new();
    for check in checks {
        for part in [
            &check.name,
            &check.run,
            check.kind.as_ref().unwrap_or(&check.name),
        ] {
            text.push_str(part);
            text.push('\0');
        }
    }
    Digest::of(text.as_bytes())
}

/// How a session's work stands, on one tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing<'a> {
    /// No review was ever asked for.
    None,
    /// A human let it go.
    Released(&'a Release),
    /// Approved, exactly this tree.
    Approved(&'a Review, &'a VerdictEntry),
    /// Exactly this tree was approved by reviewers of one model, and it takes two.
    ApprovedByOne(&'a Review, &'a VerdictEntry),
    /// Another tree was approved, or this one under rules that were looser. With the approval.
    Stale(&'a Review, &'a VerdictEntry),
    /// Asked for.
    Pending(&'a Review),
    /// A reviewer is at work.
    InReview(&'a Review),
    /// Refused.
    Rejected(&'a Review),
    /// Given up; a human has to look at it.
    Escalated {
        /// Why.
        why: &'a str,
    },
}

impl Standing<'_> {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Released(_) => "released",
            Self::Approved(..) => "approved",
            Self::ApprovedByOne(..) => "approved_by_one",
            Self::Stale(..) => "stale",
            Self::Pending(_) => "pending",
            Self::InReview(_) => "in_review",
            Self::Rejected(_) => "rejected",
            Self::Escalated { .. } => "escalated",
        }
    }

    /// Whether the work may go.
    #[must_use]
    pub fn lets_go(&self) -> bool {
        matches!(self, Self::Released(_) | Self::Approved(..))
    }
}

impl ReviewBook {
    /// How the work of a session stands, on the tree as it is at `now` (milliseconds since 1970). Without
    /// a session: how the clone's latest review stands. An unknown tree (outside git) is approved by
    /// nothing but a release.
    #[must_use]
    pub fn standing(
        &self,
        session: Option<&str>,
        tree: Option<&TreeId>,
        now: u64,
        required: &Requirements,
    ) -> Standing<'_> {
        let released = self.releases.iter().rev().find(|r| {
            now < r.until
                && r.tree.as_ref().is_none_or(|t| Some(t) == tree)
                && r.session
                    .as_deref()
                    .is_none_or(|s| session.is_none_or(|now| now == s))
                && r.counts(required)
        });
        if let Some(release) = released {
            return Standing::Released(release);
        }
        let approvals = tree.map_or_else(Vec::new, |tree| self.approvals_of(tree, required));
        let one = approvals.first().copied();
        if let Some((review, verdict)) = one
            && (required.models_needed() < 2
                || Eyes::of(approvals.iter().map(|(_, v)| *v), required).are_enough(required.models_needed()))
        {
            return Standing::Approved(review, verdict);
        }
        let review = match session {
            Some(session) => self.of_session(session),
            None => self.latest(),
        };
        // What was given up on one tree says nothing of the work that came after it.
        let escalation = self
            .escalations
            .iter()
            .rev()
            // Nor does it matter whose session it was: another one that finds this very tree finds it unreviewed.
            .find(|e| e.tree.as_ref() == tree && (tree.is_some() || session.is_none_or(|s| s == e.session)));
        // An approval that does not do stays on record as one, whatever is given up after it.
        let given_up = |review: &Review, at: u64| match review.status {
            ReviewStatus::Escalated => true,
            ReviewStatus::Approved => at >= review.updated,
            _ => false,
        };
        if let Some(escalation) = escalation
            && review.is_none_or(|r| given_up(r, escalation.at))
        {
            return Standing::Escalated { why: &escalation.why };
        }
        // A human is waited for, and a second reviewer that could not run says why.
        let waits = review.is_some_and(|r| r.tree.as_ref() == tree && (r.human || r.failed));
        let by_one = one
            .filter(|_| !waits)
            .map(|(review, verdict)| Standing::ApprovedByOne(review, verdict));
        let Some(review) = review else {
            return by_one.unwrap_or(Standing::None);
        };
        let this_tree = review.tree.as_ref() == tree;
        let waits_for_human = this_tree && review.human;
        match review.status {
            // The verdict of a reviewer that looks at another tree will not be one on this.
            ReviewStatus::InReview if this_tree && self.is_in_work(review, now, required) => {
                Standing::InReview(review)
            }
            ReviewStatus::Rejected => by_one.unwrap_or(Standing::Rejected(review)),
            // Asked for again, and nobody can approve it before that is settled.
            ReviewStatus::Pending | ReviewStatus::InReview
                if !waits_for_human && review.stands_refused(tree) =>
            {
                by_one.unwrap_or(Standing::Rejected(review))
            }
            ReviewStatus::Escalated if this_tree => Standing::Escalated {
                why: "the review attempts are used up",
            },
            ReviewStatus::Pending | ReviewStatus::InReview | ReviewStatus::Escalated => {
                by_one.unwrap_or(Standing::Pending(review))
            }
            _ if one.is_some() => by_one.unwrap_or(Standing::Pending(review)),
            ReviewStatus::Approved | ReviewStatus::Released => review
                .verdicts
                .iter()
                .rev()
                .find(|v| v.verdict == ReviewVerdict::Approve)
                .map_or(Standing::Pending(review), |v| Standing::Stale(review, v)),
        }
    }

    /// Whether a reviewer is at work on it, as far as the records can be believed: that it came to an end may be among those
    /// that are gone.
    #[must_use]
    pub fn is_in_work(&self, review: &Review, now: u64, required: &Requirements) -> bool {
        review.is_in_work(now, required) && self.stands(review.updated)
    }

    /// Why a reviewer that began, and of which there is no word, is not waited for any more.
    #[must_use]
    pub fn gone_quiet(&self, review: &Review, now: u64, required: &Requirements) -> Option<String> {
        let quiet = review.status == ReviewStatus::InReview && self.stands(review.updated);
        if !quiet || review.is_in_work(now, required) {
            return None;
        }
        Some(if review.is_left(required) {
            "the process that waited for the reviewer ended before there was a verdict: it was stopped, or it crashed"
                .to_owned()
        } else {
            format!(
                "nothing was heard of the reviewer for {} s",
                required.patience / 1_000
            )
        })
    }

    /// The approval that counts for exactly this tree.
    #[must_use]
    pub fn approval_of(&self, tree: &TreeId, required: &Requirements) -> Option<(&Review, &VerdictEntry)> {
        self.approvals_of(tree, required).into_iter().next()
    }

    /// All approvals that count for exactly this tree, newest first.
    #[must_use]
    pub fn approvals_of(&self, tree: &TreeId, required: &Requirements) -> Vec<(&Review, &VerdictEntry)> {
        let verdicts = self.verdicts_on(tree);
        let refusals: Vec<_> = verdicts
            .iter()
            .filter(|(_, v)| v.verdict == ReviewVerdict::Reject)
            .collect();
        if refusals
            .iter()
            .any(|(review, _)| review.open_findings().next().is_some())
        {
            return Vec::new();
        }
        // The refusal wins: over every approval of its round, in whatever order they came, and over all
        // that came before it. Only one that was given in full view of it counts.
        let overcomes = |review: &Review, approval: &VerdictEntry| {
            refusals.iter().all(|(refused, refusal)| {
                if refused.id == review.id {
                    approval.round > refusal.round
                } else {
                    approval.at > refusal.at
                }
            })
        };
        let counts = |(review, verdict): &(&Review, &VerdictEntry)| {
            verdict.verdict == ReviewVerdict::Approve
                && self.stands(verdict.at)
                && verdict.counts(&review.id, required)
                && review.open_findings().next().is_none()
                && overcomes(review, verdict)
        };
        verdicts.iter().copied().rev().filter(counts).collect()
    }
}

/// Who looked at a tree, of those whose approvals count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Eyes<'a> {
    /// A human did.
    Human,
    /// Reviewers that Proctor launched did, whose models are known.
    Models(Vec<&'a Party>),
}

impl<'a> Eyes<'a> {
    /// Of these approvals. Each further reviewer of one is held to the pinned programs by itself.
    pub(crate) fn of(approvals: impl Iterator<Item = &'a VerdictEntry>, required: &Requirements) -> Self {
        let mut launched = Vec::new();
        for approval in approvals {
            if approval.reviewer.kind == PartyKind::Human {
                return Self::Human;
            }
            launched.extend(
                approval
                    .parties()
                    .filter(|p| p.launched_model().is_some() && required.takes_party(p)),
            );
        }
        Self::Models(launched)
    }

    /// Whether these are so many different models, or a human.
    pub(crate) fn are_enough(&self, needed: usize) -> bool {
        match self {
            Self::Human => true,
            Self::Models(parties) => different_models(parties) >= needed,
        }
    }
}

impl Review {
    /// Whether findings are open that keep this tree from being approved: it was refused, or an approval of it was not taken
    /// for them.
    fn stands_refused(&self, tree: Option<&TreeId>) -> bool {
        let lacked = self.lacking.as_ref().is_some_and(|lacking| lacking.asked) && self.tree.as_ref() == tree;
        let mut refusals = self
            .verdicts
            .iter()
            .filter(|v| v.verdict == ReviewVerdict::Reject);
        self.open_findings().next().is_some() && refusals.any(|v| lacked || v.tree.as_ref() == tree)
    }

    /// Whether a reviewer looks at the tree that the review was asked for. One that was killed leaves no word behind,
    /// and nobody waits for it for ever.
    fn is_in_work(&self, now: u64, required: &Requirements) -> bool {
        self.status == ReviewStatus::InReview
            && now <= self.updated.saturating_add(required.patience)
            && !self.is_left(required)
    }

    /// Whether the process that would take the reviewer's verdict has ended.
    fn is_left(&self, required: &Requirements) -> bool {
        let waits = self.reviewer.as_ref().and_then(|r| r.waits.as_ref());
        matches!((required.runs, waits), (Some(runs), Some(waits)) if runs(waits) == Some(false))
    }
}

impl VerdictEntry {
    /// Whether an approval was made by somebody, and under rules, that count now.
    #[must_use]
    pub fn counts(&self, review: &Id, required: &Requirements) -> bool {
        // Told from others only where there are any: that takes a digest.
        let past = || !required.past.is_empty() && required.past.contains(&self.of_a_change(review));
        self.independence == Independence::Yes
            && required.takes_party(&self.reviewer)
            && required.checks.contains(&self.pins.checks)
            && ReviewLevel::parse(&self.pins.level).is_some_and(|level| level >= required.level)
            && required.takes(|| self.seal(review))
            && !past()
    }

    /// Digest of a signed verdict with everything that it says; `None` when it is not signed.
    pub(crate) fn seal(&self, review: &Id) -> Option<Digest> {
        self.signature.as_ref()?;
        seal(&("verdict", review, self))
    }
}

impl Release {
    /// Whether it lets work go, as far as signatures go.
    #[must_use]
    pub fn counts(&self, required: &Requirements) -> bool {
        required.takes(|| self.seal())
    }

    /// Digest of a signed release with everything that it says; `None` when it is not signed.
    pub(crate) fn seal(&self) -> Option<Digest> {
        self.signature.as_ref()?;
        seal(&("release", self))
    }
}

fn seal(what: &impl serde::Serialize) -> Option<Digest> {
    serde_json::to_vec(what).ok().map(|bytes| Digest::of(&bytes))
}

/// Whether a reviewer is another one than the worker. Unknown is an answer: only a reviewer that Proctor
/// launched, or a human, is certainly another one; an agent that the worker started reads the worker's
/// words and is not.
#[must_use]
pub fn independence(worker: &Party, reviewer: &Party) -> Independence {
    let same_session =
        !reviewer.session.is_empty() && reviewer.session == worker.session && reviewer.host == worker.host;
    // Below the very process that ran the worker's session nobody is another one, whatever variables it shows.
    // Standing elsewhere proves nothing: a process can cut itself loose.
    let below = worker
        .above
        .first()
        .is_some_and(|host| reviewer.above.iter().any(|p| p.is(host)));
    match reviewer.kind {
        PartyKind::Human => Independence::Yes,
        PartyKind::Launched if same_session => Independence::No,
        PartyKind::Launched => Independence::Yes,
        PartyKind::Agent | PartyKind::Unknown if same_session || below => Independence::No,
        PartyKind::Agent | PartyKind::Unknown => Independence::Unknown,
    }
}
