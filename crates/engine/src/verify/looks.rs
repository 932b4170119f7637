//! What the policy asks a review to look at, looked at again: do the tests of the commit say less than those of its
//! base, and was what is high-stakes seen by two? The base's files and the base's globs decide.

use super::judge::Way;
use super::records::Records;
use super::report::{HighStakesReport, HighStakesState, Status, VerifyReason, WeakenedReport, WeakenedState};
use super::{Known, MOST_LISTED, RerunPlan, VerifyRequest};
use crate::rerun::{Difference, pairs, standing};
use crate::review::{Eyes, Review};
use crate::{Clock, Engine};
use proctor_gates::tamper::{self, Change, Severity};
use proctor_kernel::{CheckRun, Result, TreeId};
use proctor_policy::ReviewLevel;
use proctor_worktree::{ChangeKind, Repo, Trees};
use std::collections::HashMap;

impl<C: Clock> Engine<C> {
    /// From level `rerun` on: compares the commit's tests and checks with those of its base, by their texts. At level
    /// `tamper` what makes them say less needs an answer where the change needs a review; and where the checks were run
    /// again, they are run on the base as well, to compare how many tests ran.
    pub(super) fn weigh_weakened(
        &mut self,
        repo: &Repo,
        request: &VerifyRequest,
        known: &mut Known,
        records: &Records,
        way: Option<&Way<'_>>,
    ) -> Result<()> {
        let level = known.settings.review.level;
        let Some(before) = known.compared.clone().filter(|_| level >= ReviewLevel::Rerun) else {
            return Ok(());
        };
        let asks = level == ReviewLevel::Tamper && known.needs_review;
        let cache = self.trees_cache()?;
        let trees = repo.trees(&cache);
        let from = known
            .report
            .base
            .clone()
            .or_else(|| known.report.policy.from.clone());
        let read = Difference::read(&trees, &before, &known.tree).and_then(|difference| {
            let commit = from.as_deref().unwrap_or_default();
            let unchanged = difference.unchanged(repo, &trees, commit, &before)?;
            Ok((difference, unchanged))
        });
        let (difference, unchanged) = match read {
            Ok(read) => read,
            Err(error) => {
                let weight = match way {
                    Some(Way::Released(_)) => Status::Pass,
                    _ if asks => Status::CouldNotRun,
                    _ => Status::Pass,
                };
                let text = format!("its tests could not be compared with those of the base: {error}");
                known.report.say(VerifyReason::NotCompared, weight, text);
                return Ok(());
            }
        };
        let seen = known.has_seen(way);
        let on_base = match &request.rerun {
            Some(plan) if asks && !seen => self.ran_on_base(plan, known, &before)?,
            _ => Vec::new(),
        };
        // What becomes of the policy has an axis of its own.
        let found = tamper::judge(&Change {
            files: &difference.files(),
            standing: &standing(&unchanged.tests),
            held: &standing(&unchanged.held),
            checks: &pairs(&known.ran, &on_base),
            ..Change::default()
        });
        let (base, commit) = (known.report.base.clone(), known.report.commit.clone());
        let mut known_places: HashMap<String, bool> = HashMap::new();
        // A commit that cannot be found any more is not in the change, nor is what is none: others' records may say anything.
        let mut lies_within = |at: &str| {
            if !matches!(at.len(), 40 | 64) || !at.bytes().all(|b| b.is_ascii_hexdigit()) {
                return false;
            }
            *known_places.entry(at.to_owned()).or_insert_with(|| {
                let after = base
                    .as_deref()
                    .is_none_or(|base| repo.is_ancestor(base, at).unwrap_or(false));
                after && repo.is_ancestor(at, &commit).unwrap_or(false)
            })
        };
        // Two changes may begin at the same commit: what was looked at has to be a tree on the way to this one.
        let mut on_the_way: Option<Vec<TreeId>> = None;
        let mut within = |review: &Review| {
            let Some(at) = review.base.as_deref().filter(|at| lies_within(at)) else {
                return false;
            };
            if base.as_deref().is_some_and(|base| base != at) {
                return true;
            }
            let passed = on_the_way.get_or_insert_with(|| {
                let commits = repo.between(base.as_deref(), &commit).unwrap_or_default();
                let ids = commits.iter().take(MOST_LISTED);
                ids.filter_map(|commit| trees.id_of(commit).ok()).collect()
            });
            trees_of(review).any(|seen| passed.iter().any(|tree| holds(&trees, seen, tree)))
        };
        for finding in found {
            let rule = finding.kind.rule();
            let state = if finding.severity == Severity::Note || !asks {
                WeakenedState::Told
            } else if seen {
                WeakenedState::Answered
            } else {
                match records.answered_finding(rule, &finding.words, &mut within) {
                    Some(true) => WeakenedState::Answered,
                    Some(false) => WeakenedState::Claimed,
                    None => WeakenedState::Open,
                }
            };
            known.report.policy.weakened.push(WeakenedReport {
                rule: rule.to_owned(),
                path: finding.path,
                line: finding.line,
                text: finding.words,
                state,
            });
        }
        known.say_weakened();
        Ok(())
    }

    /// The checks that told on the commit's tree how they ended, run on the base's. Those that could not run there are
    /// named in a note.
    fn ran_on_base(&mut self, plan: &RerunPlan, known: &mut Known, base: &TreeId) -> Result<Vec<CheckRun>> {
        if known.ran.iter().all(|ran| ran.check.is_none()) {
            return Ok(Vec::new());
        }
        // All of them, since one may prepare the next.
        let checks = known.settings.verification.clone();
        let outcomes = self.run_anew(plan, &checks, base)?;
        for lost in outcomes.iter().filter(|o| o.check.is_none()) {
            let name = &lost.name;
            let text = format!(
                "how many tests the check `{name}` ran at the base is not known: {}",
                lost.why
            );
            known.report.notes.push(text);
        }
        Ok(outcomes.into_iter().filter_map(|o| o.check).collect())
    }
}

/// The trees that were looked at in a review.
fn trees_of(review: &Review) -> impl Iterator<Item = &TreeId> {
    let verdicts = review.verdicts.iter().filter_map(|v| v.tree.as_ref());
    let findings = review.findings.iter().filter_map(|f| f.tree.as_ref());
    review.tree.iter().chain(verdicts).chain(findings)
}

/// Whether a tree that was looked at is that of a commit, or has files besides: what was untracked then.
fn holds(trees: &Trees<'_>, seen: &TreeId, commit: &TreeId) -> bool {
    let removed = |c: &proctor_worktree::Change| c.kind == ChangeKind::Deleted;
    seen == commit
        || trees
            .changes(seen, commit)
            .is_ok_and(|all| all.iter().all(removed))
}

impl Known {
    /// Whether who lets the commit go, and is more than a claim, had all of it before them.
    fn has_seen(&self, way: Option<&Way<'_>>) -> bool {
        match way {
            Some(Way::Released(freed)) => freed.is_proved(),
            Some(Way::Approved(approval)) => {
                approval.is_proved()
                    && approval.entry.tree.as_ref() == Some(&self.tree)
                    && ReviewLevel::parse(&approval.entry.pins.level) == Some(ReviewLevel::Tamper)
            }
            None => false,
        }
    }

    fn say_weakened(&mut self) {
        let texts = |state: WeakenedState| -> Vec<&str> {
            let all = self.report.policy.weakened.iter();
            all.filter(|w| w.state == state)
                .map(|w| w.text.as_str())
                .collect()
        };
        let said = |texts: &[&str]| -> Option<String> {
            let (first, more) = texts.split_first()?;
            Some(match more.len() {
                0 => (*first).to_owned(),
                n => format!("{first} (and {n} more)"),
            })
        };
        let mut say = Vec::new();
        if let Some(text) = said(&texts(WeakenedState::Open)) {
            let text = format!(
                "the tests or checks say less than at the base: {text}; mend it, or a reviewer or a human answers it"
            );
            say.push((VerifyReason::TestsWeakened, Status::Blocked, text));
        }
        if let Some(text) = said(&texts(WeakenedState::Claimed)) {
            let text = format!(
                "the tests or checks say less than at the base: {text}; that somebody answered it only others' records say, \
                 so a human looks at it, and signs the approval or releases it"
            );
            say.push((VerifyReason::WeakenedClaimed, Status::NeedsHuman, text));
        }
        if let Some(text) = said(&texts(WeakenedState::Answered)) {
            let text = format!("the tests or checks say less than at the base, which was looked at: {text}");
            say.push((VerifyReason::WeakenedAnswered, Status::Pass, text));
        }
        if say.is_empty()
            && let Some(text) = said(&texts(WeakenedState::Told))
        {
            let text = format!("worth a look: {text}");
            say.push((VerifyReason::TestsWeakened, Status::Pass, text));
        }
        for (code, weight, text) in say {
            self.report.say(code, weight, text);
        }
    }

    /// An approval needs those of as many models as `approval.models` of one's own policy asks for, or a human's.
    fn weigh_models(&mut self, records: &Records, way: Option<&Way<'_>>) {
        let needed = self.required.models;
        let Some(Way::Approved(approval)) = way.filter(|_| needed > 1) else {
            return;
        };
        let tree = approval.entry.tree.as_ref().unwrap_or(&self.tree);
        let all = records.approvals(tree, &self.required, &self.notary);
        let eyes = Eyes::of(all.iter().chain([approval]).map(|a| a.entry), &self.required);
        if !eyes.are_enough(needed) {
            let text = format!(
                "it needs approvals by reviewers of {needed} different models (`approval.models`), or by a human"
            );
            self.report
                .say(VerifyReason::SecondReviewerMissing, Status::Blocked, text);
        }
    }

    /// Changes under `approval.high_stakes` need a human's approval, or those of two reviewers of different models.
    /// A claim counts as it does for approvals.
    pub(super) fn weigh_high_stakes(&mut self, records: &Records, way: Option<&Way<'_>>) {
        self.weigh_models(records, way);
        if self.high_stakes.is_empty() {
            return;
        }
        let state = match way {
            Some(Way::Released(_)) => HighStakesState::Released,
            Some(Way::Approved(approval)) => {
                let tree = approval.entry.tree.as_ref().unwrap_or(&self.tree);
                let all = records.approvals(tree, &self.required, &self.notary);
                // An approval of a looser policy is among the required ones no more.
                match Eyes::of(all.iter().chain([approval]).map(|a| a.entry), &self.required) {
                    Eyes::Human => HighStakesState::Human,
                    eyes if eyes.are_enough(2) => HighStakesState::TwoModels,
                    Eyes::Models(_) => HighStakesState::Missing,
                }
            }
            None => HighStakesState::Missing,
        };
        let shown = proctor_kernel::names(&self.high_stakes, 3);
        let (code, weight, text) = match state {
            HighStakesState::Missing => (
                VerifyReason::SecondReviewerMissing,
                Status::Blocked,
                "and needs approvals by two reviewers of different models, or by a human",
            ),
            HighStakesState::Human => (
                VerifyReason::SecondReviewer,
                Status::Pass,
                "and a human approved it",
            ),
            HighStakesState::TwoModels => (
                VerifyReason::SecondReviewer,
                Status::Pass,
                "and two reviewers of different models approved it",
            ),
            HighStakesState::Released => (
                VerifyReason::SecondReviewer,
                Status::Pass,
                "and a human let it go",
            ),
        };
        let text = format!("what it changes is high-stakes ({shown}), {text}");
        self.report.say(code, weight, text);
        self.report.policy.high_stakes = Some(HighStakesReport {
            paths: self.high_stakes.clone(),
            state,
        });
    }
}
