//! From what is known to the answer.

use super::base::short;
use super::intoto::ReviewPredicate;
use super::records::{Approval, Freed, Records};
use super::report::{
    ApprovalReport, Binding, CheckState, CommitReport, Freshness, PolicyAxis, RecordOrigin, Status,
    TrustAxis, VerifyReason,
};
use super::{Known, VerifyRequest, is_off};
use crate::review::{Evidence, Onto, Release, ReviewStatus, VerdictEntry};
use crate::signing::SignatureState;
use crate::{Clock, Engine};
use proctor_kernel::Result;
use proctor_ledger::format_millis;
use proctor_worktree::{Linkage, Repo};

/// What lets a commit go.
pub(super) enum Way<'a> {
    Approved(Approval<'a>),
    Released(Freed<'a>),
}

impl Way<'_> {
    pub(super) fn is_proved(&self) -> bool {
        match self {
            Self::Approved(approval) => approval.is_proved(),
            Self::Released(freed) => freed.is_proved(),
        }
    }
}

impl<C: Clock> Engine<C> {
    /// Gives the answer.
    pub(super) fn answer(
        &mut self,
        repo: &Repo,
        request: &VerifyRequest,
        known: &mut Known,
        records: &Records,
    ) -> Result<()> {
        let now = self.clock().now();
        if is_off(&known.settings) {
            let text = "the policy that decides switches the gate `approval` off";
            known.report.say(VerifyReason::Off, Status::Pass, text);
            return Ok(());
        }
        let way = self.find_way(repo, request, known, records, now)?;
        match &way {
            Some(Way::Approved(approval)) => known.approved(approval),
            Some(Way::Released(freed)) => known.released(freed),
            None => {
                self.held(repo, known, records, now)?;
            }
        }
        if matches!(&way, Some(Way::Approved(a)) if known.approves_policy(a)) {
            // With the policy its list of checks was approved.
            known
                .settings
                .verification
                .clone_from(&known.head.settings.verification);
        }
        let reran = self.checks(request, known)?;
        known.weigh_checks(reran);
        if request.rerun.is_some() && !reran {
            let text = "nothing was run again: the policy names no check";
            known.report.say(VerifyReason::NothingToRun, Status::Pass, text);
        }
        known.weigh_policy(way.as_ref());
        let signed = known.required.signed;
        let releases = records.releases(&known.tree, now, false, signed, &known.notary);
        known.weigh_beside(releases.iter().any(Freed::is_proved));
        known.weigh_trust(way.as_ref(), reran);
        self.weigh_weakened(repo, request, known, records, way.as_ref())?;
        known.weigh_high_stakes(records, way.as_ref());
        Ok(())
    }

    /// Looks for an approval or a release that counts for this commit.
    fn find_way<'a>(
        &self,
        repo: &Repo,
        request: &VerifyRequest,
        known: &mut Known,
        records: &'a Records,
        now: u64,
    ) -> Result<Option<Way<'a>>> {
        let signed = known.required.signed;
        let mut approvals = records.approvals(&known.tree, &known.required, &known.notary);
        if approvals.is_empty() && known.report.axes.policy == PolicyAxis::Looser {
            // A human who approved the looser policy with the change approved under it.
            let mut theirs = known.required.clone();
            theirs
                .checks
                .push(crate::review::checks_digest(&known.head.settings));
            approvals = records.approvals(&known.tree, &theirs, &known.notary);
            approvals.retain(|a| known.approves_policy(a));
        }
        // Of several the one that says most: signed, own, with the policy.
        approvals.sort_by_key(|a| {
            let says_policy = known.approves_policy(a);
            let valid = a.signature.state == SignatureState::Valid;
            std::cmp::Reverse((says_policy, valid, a.origin == RecordOrigin::Own))
        });
        if let Some(approval) = approvals.into_iter().next() {
            return Ok(Some(Way::Approved(approval)));
        }
        let mut releases = records.releases(&known.tree, now, false, signed, &known.notary);
        releases.sort_by_key(|r| std::cmp::Reverse(r.is_proved()));
        if let Some(freed) = releases.into_iter().next() {
            return Ok(Some(Way::Released(freed)));
        }
        // What was said of this very tree stands, and so does a check that nobody ran on it: the approval of another
        // tree answers neither.
        let unchecked = request.rerun.is_none()
            && self
                .recorded_checks(&known.settings.verification, &known.tree)?
                .iter()
                .any(|check| check.state != CheckState::Passed);
        let spoken =
            records.refusal(&known.tree).is_some() || records.escalation(&known.tree, known.since).is_some();
        if request.strict_linkage || unchecked || spoken {
            return Ok(None);
        }
        let cache = self.trees_cache()?;
        let trees = repo.trees(&cache);
        let onto = known.onto.as_deref().map(|base| Onto {
            repo,
            trees: &trees,
            base,
            same_line: known.same_line,
        });
        for (_, review, entry) in records.elsewhere(&known.tree, &known.required) {
            let Some(tree) = &entry.tree else { continue };
            let seen = onto
                .as_ref()
                .is_none_or(|onto| onto.was_seen(Some(review), entry, &known.tree).unwrap_or(false));
            if !seen {
                continue;
            }
            let linkage = repo.trees(&cache).linkage(&known.report.commit, tree)?;
            if let Linkage::LacksUntracked(paths) = linkage {
                let found = records.approvals(tree, &known.required, &known.notary);
                if let Some(approval) = found.into_iter().next() {
                    known.report.differs = paths;
                    return Ok(Some(Way::Approved(approval)));
                }
            }
        }
        Ok(None)
    }

    /// Nothing lets it go: why, and whether that matters.
    fn held(&self, repo: &Repo, known: &mut Known, records: &Records, now: u64) -> Result<()> {
        let escalation = records.escalation(&known.tree, known.since).map(str::to_owned);
        // What was let go unreviewed and committed is not reviewed by another commit on top of it; it is when that
        // was approved or released.
        let answered = |c: &&CommitReport| matches!(c.standing.as_str(), "approved" | "released");
        let commits = known.report.commits.iter();
        let below = commits
            .take_while(|c| !answered(c))
            .find(|c| c.standing == "escalated");
        let escalation = escalation
            .or_else(|| below.map(|c| format!("the commit {} below it was let go so", short(&c.commit))));
        let refusal = records.refusal(&known.tree);
        let signed = known.required.signed;
        let over = records.releases(&known.tree, now, true, signed, &known.notary);
        if let Some(freed) = over.first() {
            known.report.approval = Some(of_release(freed));
            known.report.axes.signature = freed.signature.state;
            known.report.axes.binding = Binding::Exact;
            known.report.axes.freshness = Freshness::Expired;
        }
        if let Some(why) = &escalation {
            let text = format!(
                "UNREVIEWED: {why}; a human looks at it, and approves (`proctor review approve`) or releases it"
            );
            known
                .report
                .say(VerifyReason::Escalated, Status::NeedsHuman, text);
        }
        if let Some(review) = refusal {
            let open = review.open_findings().count();
            let text = format!("this tree was refused; open findings: {open}");
            known.report.say(VerifyReason::Rejected, Status::Blocked, text);
        }
        if escalation.is_some() || refusal.is_some() {
            return Ok(());
        }
        if known.report.axes.freshness == Freshness::Expired {
            let until = over.first().map_or(0, |f| f.release.until);
            let text = format!("the release ended at {}", format_millis(until));
            // Somebody had to release it once, so it needed that.
            known
                .report
                .say(VerifyReason::ReleaseExpired, Status::NeedsHuman, text);
            return Ok(());
        }
        let lost = self.store()?.marker().is_some_and(|m| m.lost);
        if let Some(what) = records.gone() {
            let text = format!(
                "records of reviews are gone ({what}), so what was refused or let go unreviewed is not known; a human looks \
                 at it, and approves or releases it"
            );
            known
                .report
                .say(VerifyReason::StateLost, Status::CouldNotRun, text);
            // Whatever is left says too little to say more.
            if known.needs_review {
                return Ok(());
            }
        } else if lost && !records.has_heard_a_human(0) {
            let text = "the state folder of this clone was gone once, so what was recorded before is not known; a human \
                        looks at it, and approves or releases it";
            known
                .report
                .say(VerifyReason::StateLost, Status::CouldNotRun, text);
        }
        if !known.needs_review {
            let (code, text) = if known.changed {
                let text = "the policy that decides asks for no review of this change";
                (VerifyReason::NoReviewRequired, text)
            } else {
                (
                    VerifyReason::Unchanged,
                    "it holds nothing that the base does not hold",
                )
            };
            known.report.say(code, Status::Pass, text);
            return Ok(());
        }
        self.why_not(repo, known, records)
    }

    /// A review is needed and there is no approval that counts.
    fn why_not(&self, repo: &Repo, known: &mut Known, records: &Records) -> Result<()> {
        let failed = records.failed_approvals(&known.tree, &known.notary);
        if let Some(approval) = failed.first() {
            known.report.axes.binding = Binding::Exact;
            known.report.axes.signature = approval.signature.state;
            known.report.approval = Some(of_approval(approval));
            let state = approval.signature.state;
            let matters = known.required.signed || state == SignatureState::Invalid;
            let why = &approval.signature.why;
            let (code, weight, text) = match state {
                SignatureState::Invalid => (
                    VerifyReason::SignatureInvalid,
                    Status::Blocked,
                    format!("the signature of the approval is no good: {why}"),
                ),
                SignatureState::None if matters => (
                    VerifyReason::Unsigned,
                    Status::Blocked,
                    "it is approved, but not signed, and the policy asks for that (`proctor review approve --sign`)".to_owned(),
                ),
                SignatureState::UnknownKey if matters => (
                    VerifyReason::UnknownKey,
                    Status::Blocked,
                    format!("it is approved and signed, but {why}"),
                ),
                SignatureState::NoSigners if matters => (
                    VerifyReason::NoSigners,
                    Status::CouldNotRun,
                    "it is approved and signed, but nothing says who may sign: `approval.signers` in your own policy, \
                     `--signers`, or `.proctor/allowed_signers` in the base"
                        .to_owned(),
                ),
                SignatureState::CouldNotCheck if matters => (
                    VerifyReason::SignatureNotChecked,
                    Status::CouldNotRun,
                    format!("the signature of the approval cannot be looked at: {why}"),
                ),
                _ if known
                    .required
                    .past
                    .contains(&approval.entry.of_a_change(approval.review)) =>
                {
                    known.report.axes.freshness = Freshness::Stale;
                    (
                        VerifyReason::Stale,
                        Status::Blocked,
                        format!(
                            "this tree was approved as another change: how it differs from {} nobody was shown who approved it; \
                             a reviewer looks at it in a task that begins there, or a human approves it again",
                            known.onto.as_deref().map_or("the base", short)
                        ),
                    )
                }
                _ => {
                    known.report.axes.freshness = Freshness::Stale;
                    (
                        VerifyReason::LooserRules,
                        Status::Blocked,
                        "it was approved under looser rules, for other checks or by a program that the policy does not name, or findings are open".to_owned(),
                    )
                }
            };
            known.report.say(code, weight, text);
            return Ok(());
        }
        let elsewhere = records.elsewhere(&known.tree, &known.required);
        if let Some((origin, review, entry)) = elsewhere.into_iter().find(|(_, _, v)| v.at >= known.since)
            && let Some(tree) = &entry.tree
        {
            let cache = self.trees_cache()?;
            let linkage = repo.trees(&cache).linkage(&known.report.commit, tree)?;
            let signature = known.notary.verdict(&review.id, entry);
            known.report.axes.freshness = Freshness::Stale;
            known.report.axes.binding = match linkage {
                Linkage::Exact => Binding::Exact,
                Linkage::LacksUntracked(_) => Binding::LacksUntracked,
                Linkage::Different(_) | Linkage::Unseen => Binding::Different,
            };
            if let Linkage::LacksUntracked(paths) | Linkage::Different(paths) = linkage {
                known.report.differs = paths;
            }
            known.report.axes.signature = signature.state;
            known.report.approval = Some(of_approval(&Approval {
                review: &review.id,
                entry,
                origin,
                clone: None,
                signature,
            }));
            let text = format!("approved was the tree {}, not this one", short(tree.as_str()));
            known.report.say(VerifyReason::Stale, Status::Blocked, text);
            return Ok(());
        }
        let (code, text) = match records.waiting(&known.tree).map(|r| r.status) {
            Some(ReviewStatus::Pending) => (
                VerifyReason::Pending,
                "a review was asked for, and nobody has judged it yet",
            ),
            Some(ReviewStatus::InReview) => (VerifyReason::InReview, "a reviewer is at work"),
            _ => (
                VerifyReason::NotApproved,
                "nobody approved this tree; `proctor review run` starts a reviewer, a human approves with `proctor review approve`",
            ),
        };
        known.report.say(code, Status::Blocked, text);
        Ok(())
    }
}

impl Known {
    fn approved(&mut self, approval: &Approval<'_>) {
        let report = &mut self.report;
        let exact = approval.entry.tree.as_ref() == Some(&self.tree);
        report.axes.signature = approval.signature.state;
        report.axes.freshness = Freshness::Fresh;
        report.axes.binding = if exact {
            Binding::Exact
        } else {
            Binding::LacksUntracked
        };
        report.approval = Some(of_approval(approval));
        report.record = Some(ReviewPredicate {
            review: Some(approval.review.clone()),
            approval: Some(approval.entry.clone()),
            release: None,
        })
        .filter(|_| exact);
        let claim = if approval.is_proved() {
            String::new()
        } else {
            format!(", as others say: {}", unproved(approval.signature.state))
        };
        let text = format!("approved by {}{claim}", approval.entry.reviewer.in_words());
        report.say(VerifyReason::Approved, Status::Pass, text);
        if !exact {
            let text = "the approved tree had files besides, which were untracked";
            report.say(VerifyReason::LacksUntracked, Status::Pass, text);
        }
    }

    fn released(&mut self, freed: &Freed<'_>) {
        let report = &mut self.report;
        report.axes.signature = freed.signature.state;
        report.axes.freshness = Freshness::Fresh;
        report.axes.binding = match freed.release.tree {
            Some(_) => Binding::Exact,
            None => Binding::None,
        };
        report.approval = Some(of_release(freed));
        report.record = freed.release.tree.as_ref().map(|_| ReviewPredicate {
            review: None,
            approval: None,
            release: Some(freed.release.clone()),
        });
        let claim = if freed.is_proved() {
            String::new()
        } else {
            format!(", as others say: {},", unproved(freed.signature.state))
        };
        let text = format!(
            "released by {}{claim} until {}: {}",
            freed.release.by.in_words(),
            format_millis(freed.release.until),
            freed.release.reason
        );
        report.say(VerifyReason::Released, Status::Pass, text);
    }

    /// Whether a human approved this tree together with the commit's own policy files.
    fn approves_policy(&self, approval: &Approval<'_>) -> bool {
        // A mere claim changes no rules: the checks that would prove it are the very ones that it brings along.
        approval.is_human()
            && approval.is_proved()
            && approval.entry.pins.project.as_ref() == Some(&self.head.project)
    }

    fn weigh_checks(&mut self, reran: bool) {
        let named = |state: CheckState| -> Vec<String> {
            let checks = self.report.checks.iter().filter(|c| c.state == state);
            checks.map(|c| c.name.clone()).collect()
        };
        let (failed, empty, not) = (
            named(CheckState::Failed),
            named(CheckState::Empty),
            named(CheckState::CouldNotRun),
        );
        let passed = named(CheckState::Passed).len() == self.report.checks.len();
        let mut say = |code, weight, names: &[String], what: &str| {
            if !names.is_empty() {
                let text = format!("{what}: {}", names.join(", "));
                self.report.say(code, weight, text);
            }
        };
        say(VerifyReason::CheckFailed, Status::Blocked, &failed, "it fails");
        say(
            VerifyReason::CheckEmpty,
            Status::Blocked,
            &empty,
            "nothing shows that a test of it ran",
        );
        let weight = if reran { Status::CouldNotRun } else { Status::Pass };
        say(VerifyReason::CheckCouldNotRun, weight, &not, "it could not run");
        if passed && !self.report.checks.is_empty() {
            let how = if reran {
                "the required checks pass, run again in a clean folder"
            } else {
                "the required checks pass, as recorded here"
            };
            self.report.say(VerifyReason::ChecksPassed, Status::Pass, how);
        }
    }

    fn weigh_policy(&mut self, way: Option<&Way<'_>>) {
        let approved = matches!(way, Some(Way::Approved(a)) if self.approves_policy(a));
        match self.report.axes.policy {
            PolicyAxis::Looser if !approved => {
                let keys = &self.report.policy.looser;
                let more = match keys.len().saturating_sub(3) {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                let text = format!(
                    "it loosens the policy ({}{more}); the base's policy decides, and a human approves the change (`proctor review approve`)",
                    keys.iter().take(3).cloned().collect::<Vec<_>>().join(", ")
                );
                self.report
                    .say(VerifyReason::PolicyLooser, Status::NeedsHuman, text);
            }
            PolicyAxis::Unknown if !self.head.broken.is_empty() => {
                let text = "the commit's own policy cannot be read; the base's decides";
                self.report
                    .say(VerifyReason::PolicyUnknown, Status::NeedsHuman, text);
            }
            _ => {}
        }
    }

    /// What is below `.proctor/` is no part of the tree, so an approval of the tree says nothing of it.
    fn weigh_beside(&mut self, released: bool) {
        if released || self.beside.is_empty() {
            return;
        }
        let shown = proctor_kernel::names(&self.beside, 3);
        let text = format!(
            "it changes {} below .proctor/, which no approval is about ({}); a human looks at it and releases it (`proctor review release`)",
            match self.beside.len() {
                1 => "a file".to_owned(),
                n => format!("{n} files"),
            },
            shown
        );
        self.report
            .say(VerifyReason::BesideTheTree, Status::NeedsHuman, text);
    }

    fn weigh_trust(&mut self, way: Option<&Way<'_>>, reran: bool) {
        let checked = self.report.checks.iter().map(|c| c.trust).min();
        let ran = checked.filter(|_| reran && self.all_passed());
        let stands_on = |evidence: &[Evidence]| {
            let least = evidence.iter().map(|e| TrustAxis::from(e.trust)).min();
            least.unwrap_or(TrustAxis::Witnessed)
        };
        self.report.axes.trust = match (ran, way) {
            (Some(trust), _) => trust,
            (None, Some(way)) if !way.is_proved() => TrustAxis::Claimed,
            (None, Some(Way::Approved(approval))) => stands_on(&approval.entry.evidence),
            (None, Some(Way::Released(_))) => TrustAxis::Witnessed,
            (None, None) => checked.unwrap_or_default(),
        };
        if let Some(way) = way
            && !way.is_proved()
            && ran.is_none()
        {
            let text = "only records of others speak for it, which anybody who may push can write; run the checks again \
                        (`--rerun`, with `verification` in the policy), or sign the approval";
            self.report
                .say(VerifyReason::OnlyClaimed, Status::NeedsHuman, text);
        }
    }

    fn all_passed(&self) -> bool {
        let checks = &self.report.checks;
        !checks.is_empty() && checks.iter().all(|c| c.state == CheckState::Passed)
    }
}

/// Why a signature makes a claim no more than that.
fn unproved(state: SignatureState) -> &'static str {
    match state {
        SignatureState::None => "unsigned",
        SignatureState::UnknownKey => "signed with a key that is not among the signers",
        _ => "no signature that could be checked",
    }
}

fn of_approval(approval: &Approval<'_>) -> ApprovalReport {
    let VerdictEntry {
        reviewer,
        tree,
        evidence,
        pins,
        words,
        at,
        record,
        ..
    } = approval.entry;
    ApprovalReport {
        what: "approval".to_owned(),
        by: reviewer.in_words(),
        program: reviewer.program.clone(),
        signer: approval.signature.signer.clone(),
        origin: approval.origin,
        clone: approval.clone.clone(),
        review: Some(approval.review.to_string()),
        record: record.as_ref().map(ToString::to_string),
        tree: tree.as_ref().map(ToString::to_string),
        level: Some(pins.level.clone()),
        at: *at,
        until: None,
        words: words.clone(),
        evidence: evidence.iter().map(|e| line(e, approval.is_proved())).collect(),
    }
}

fn of_release(freed: &Freed<'_>) -> ApprovalReport {
    let Release {
        by,
        reason,
        tree,
        at,
        until,
        record,
        ..
    } = freed.release;
    ApprovalReport {
        what: "release".to_owned(),
        by: by.in_words(),
        program: None,
        signer: freed.signature.signer.clone(),
        origin: freed.origin,
        clone: freed.clone.clone(),
        review: None,
        record: record.as_ref().map(ToString::to_string),
        tree: tree.as_ref().map(ToString::to_string),
        level: None,
        at: *at,
        until: Some(*until),
        words: reason.clone(),
        evidence: Vec::new(),
    }
}

/// A run in one line. What others say of their runs is a claim, whatever they call it.
fn line(run: &Evidence, proved: bool) -> String {
    let exit = run.exit.map_or_else(|| "?".to_owned(), |e| e.to_string());
    let passed = run.passed.map(|n| format!(", {n} passed")).unwrap_or_default();
    let trust = if proved {
        TrustAxis::from(run.trust)
    } else {
        TrustAxis::Claimed
    };
    format!("{}: exit {exit}{passed} [{}]", run.check, trust.as_str())
}
