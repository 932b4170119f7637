//! The end of a turn starts the reviewer itself, where the user's own policy says so.
//!
//! It is started when nothing else is missing, waited for as long as the host waits for a hook, and goes on by
//! itself when that is too short: then the turn may end, as one that waits, and the next event tells what came of it.

use crate::decide::Ruling;
use crate::refused::{NAMED, findings, said};
use crate::review::{Lacking, Review, ReviewStatus, ReviewVerdict, Standing};
use crate::session::{Change, SessionState, Spent};
use crate::{Aside, Clock, Engine};
use proctor_kernel::{Action, Event, EventKind, EventTag, Mode, Note, Verdict};
use proctor_policy::ReviewLevel;
use std::fmt::Write as _;

/// What a launch came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launched {
    /// The reviewer has ended; what it found is on record.
    Ended,
    /// It is still at work, and goes on.
    AtWork,
    /// It ended without a verdict, for the work lacks this.
    Lacking(Vec<String>),
    /// It could not be started.
    Failed(String),
}

/// What the objections of a turn's end are called when nothing but a review is missing.
const ONLY_A_REVIEW: [&str; 5] = [
    "approval/not_approved",
    "approval/approved_by_one",
    "approval/review_failed",
    "approval/stale",
    "approval/rejected",
];

/// What the user is told when a turn ends while a reviewer is at work.
pub(crate) const AT_WORK: &str = "a reviewer is at work on this; its verdict comes with the next prompt or end of a turn \
                                  (`proctor review status`).";

/// What comes before something that was found missing where only this tree is: what git does not track is not there.
const CLEAN: &str = "In a clean folder with exactly this tree";

/// What an answer ends with when a reviewer would find what the last one found.
const UNCHANGED: &str = "Nothing has changed since that was found, so no reviewer is started again.";

/// What is added to an answer after a reviewer was, or was not, started.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The reviews have changed: the event is judged again.
    pub(crate) again: bool,
    reason: Vec<String>,
    alert: Option<String>,
    awaits: bool,
}

impl<C: Clock> Engine<C> {
    /// Starts a reviewer when this end of a turn lacks nothing else.
    pub(crate) fn start_review(
        &mut self,
        event: &Event,
        ruling: &Ruling,
        launched: bool,
        aside: &dyn Aside,
    ) -> Option<Outcome> {
        let approval = &self.settings().approval;
        let wanted = approval.launch_reviewer && approval.mode == Mode::Enforce && !launched;
        let over = ruling.spent.as_ref().is_some_and(Spent::is_over);
        if !wanted || event.agent.is_some() || !lacks_only_a_review(event, ruling, over) {
            return None;
        }
        let session = format!("{}-{}", event.host, event.session);
        let tree = self.tree().ok().flatten()?;
        let book = self.reviews().ok()?;
        // What some of the reviewers have approved is brought to its end; nothing else is begun.
        if over
            && book
                .approvals_of(&tree, &self.requirements(&book, Some(&tree)))
                .is_empty()
        {
            return None;
        }
        if let Some(review) = book.of_session(&session) {
            // The same tree again would be refused again.
            if review.status == ReviewStatus::Rejected && review.tree.as_ref() == Some(&tree) {
                return Some(Outcome {
                    reason: findings(review),
                    ..Outcome::default()
                });
            }
            // Nor would it be approved, while what it lacked is lacking.
            if let Some(lacking) = &review.lacking
                && review.tree.as_ref() == Some(&tree)
                && self
                    .grounds(review, Some(&tree))
                    .is_ok_and(|now| now == lacking.grounds)
            {
                let mut reason = lacks(review, lacking);
                reason.push(UNCHANGED.to_owned());
                return Some(Outcome {
                    reason,
                    ..Outcome::default()
                });
            }
            let limit = self.settings().budget.review_attempts as usize;
            if let Some(last) = review.failures.last().filter(|_| review.failures.len() >= limit) {
                let why = format!(
                    "The review could not run {} times, last because: {last}. No further one is started; a human can \
                     review the work.",
                    review.failures.len()
                );
                return Some(Outcome {
                    reason: vec![why],
                    ..Outcome::default()
                });
            }
        }
        // What has to be run again is run by the review itself, when it is worth it.
        let level = self.settings().review.level.min(ReviewLevel::Witnessed);
        if let Ok(Err(lacks)) = self.evidence(level, Some(&session), Some(&tree)) {
            // A reviewer will ask for what earlier ones found, too.
            let mut reason = book.of_session(&session).map(findings).unwrap_or_default();
            let lacks = lacks.into_iter();
            reason.extend(lacks.map(|lack| format!("Before a reviewer is started: {lack}.")));
            return Some(Outcome {
                reason,
                ..Outcome::default()
            });
        }
        let mut outcome = Outcome {
            again: true,
            ..Outcome::default()
        };
        match aside.review(&session, self.settings().approval.reviewer_seconds) {
            Launched::Ended => {
                if let Some(review) = self.reviews().ok()?.of_session(&session)
                    && review.status == ReviewStatus::Rejected
                {
                    outcome.reason = findings(review);
                }
            }
            Launched::Lacking(said) => {
                let book = self.reviews().ok()?;
                let review = book.of_session(&session);
                let known = review.and_then(|r| Some(lacks(r, r.lacking.as_ref()?)));
                let said = || {
                    said.into_iter()
                        .take(NAMED)
                        .map(|what| format!("{CLEAN}: {what}."))
                };
                outcome.reason = known.unwrap_or_else(|| said().collect());
            }
            Launched::AtWork => {
                outcome.awaits = true;
                outcome.alert = Some(AT_WORK.to_owned());
            }
            Launched::Failed(why) => {
                outcome.reason.push(format!(
                    "A reviewer could not be started: {why}. That is no verdict."
                ));
            }
        }
        Some(outcome)
    }

    /// Tells what came of a review that was at work when its turn ended.
    pub(crate) fn tell_review(&self, event: &Event, state: &SessionState, ruling: &mut Ruling) {
        let tags = [EventTag::Prompt, EventTag::SessionStart, EventTag::TurnEnd];
        if !state.awaits_review || event.agent.is_some() || !tags.contains(&event.kind.tag()) {
            return;
        }
        let session = format!("{}-{}", event.host, event.session);
        let (Ok(book), Ok(tree)) = (self.reviews(), self.tree()) else {
            return;
        };
        let now = self.clock.now();
        let mut required = self.requirements_of_work(&book, tree.as_ref(), Some(state));
        // Where it cannot be told, the gate says so.
        required.two = self.takes_two(Some(state)).unwrap_or(true);
        // Files may have changed since it was started; it is at work all the same.
        if book
            .of_session(&session)
            .is_some_and(|r| book.is_in_work(r, now, &required))
        {
            return;
        }
        let standing = book.standing(Some(&session), tree.as_ref(), now, &required);
        let told = match &standing {
            Standing::Approved(..) => "approved this tree".to_owned(),
            Standing::ApprovedByOne(..) => {
                "approved this tree; the policy asks for more, so a reviewer of another model has to as well"
                    .to_owned()
            }
            Standing::Stale(..) => "approved what was there then; files changed since".to_owned(),
            Standing::Rejected(review) if review.status == ReviewStatus::Rejected => {
                let record = review
                    .verdicts
                    .iter()
                    .rev()
                    .find(|v| v.verdict == ReviewVerdict::Reject);
                let record = record.and_then(|v| v.record.clone());
                ruling
                    .changes
                    .extend(record.map(|record| Change::RefusalTold { record }));
                format!("refused the work\n{}", said(review).join("\n"))
            }
            Standing::Pending(review) | Standing::Rejected(review) => {
                match (&review.lacking, review.failures.last()) {
                    (Some(lacking), _) => {
                        format!("came to no verdict\n{}", lacks(review, lacking).join("\n"))
                    }
                    (None, Some(why)) => format!("could not run: {why}. That is no verdict"),
                    (None, None) => match book.gone_quiet(review, now, &required) {
                        Some(why) => format!("could not run: {why}. That is no verdict"),
                        None => "came to no verdict".to_owned(),
                    },
                }
            }
            other => format!("ended: {}", other.as_str()),
        };
        ruling.changes.push(Change::ReviewAwaited { awaits: false });
        let text = format!("[proctor] The reviewer that was started at the end of the last turn {told}.");
        ruling.decision.alerts.push(text.clone());
        // A turn that ends is judged by what stands; a note there would make the host go on.
        if event.kind.tag() != EventTag::TurnEnd {
            ruling.decision.notes.push(Note {
                gate: "approval".to_owned(),
                text,
            });
        }
    }
}

impl Outcome {
    /// Adds what is to be said.
    pub(crate) fn add_to(self, ruling: &mut Ruling) {
        let decision = &mut ruling.decision;
        if decision.action == Action::Block {
            for line in self.reason {
                // Writing to a string cannot fail.
                let _ = write!(decision.reason, "\n{line}");
            }
        }
        decision
            .alerts
            .extend(self.alert.filter(|alert| !decision.alerts.contains(alert)));
        let awaited = Change::ReviewAwaited { awaits: true };
        if self.awaits && !ruling.changes.contains(&awaited) {
            ruling.changes.push(awaited);
        }
    }
}

/// Whether the turn is held for a missing review and for nothing else, or would be but for a used-up budget.
fn lacks_only_a_review(event: &Event, ruling: &Ruling, over: bool) -> bool {
    let objects = ruling.decision.action == Action::Block || over && ruling.decision.escalated;
    if !objects || !matches!(event.kind, EventKind::TurnEnd { .. }) {
        return false;
    }
    let enforced = ruling.decision.reports.iter().filter(|r| r.mode == Mode::Enforce);
    let mut any = false;
    for finding in enforced.flat_map(|r| &r.findings) {
        if finding.verdict >= Verdict::Ask {
            if !ONLY_A_REVIEW.contains(&finding.rule.as_str()) {
                return false;
            }
            any = true;
        }
    }
    any
}

/// What a review said that the work lacks, and the findings that the next one will ask for, one line each.
fn lacks(review: &Review, lacking: &Lacking) -> Vec<String> {
    let mut lines = findings(review);
    let before = if lacking.asked {
        "A reviewer approved it, and that does not count yet"
    } else {
        CLEAN
    };
    // An open finding stands there already.
    let open: Vec<String> = review.open_findings().map(|f| f.id.to_string()).collect();
    let rest = lacking
        .what
        .iter()
        .filter(|what| !open.iter().any(|id| what.contains(id.as_str())));
    lines.extend(rest.take(NAMED).map(|what| format!("{before}: {what}.")));
    lines
}
