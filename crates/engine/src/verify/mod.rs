//! Is what a commit holds approved, by whom, and on which evidence? For CI, for pushes, and for whoever asks.
//!
//! The base's policy decides, never the commit's own where that is looser. What is recorded here is read as
//! what it is: this clone's own log, or the claim of somebody else. Checks that are run again count for more
//! than either.

mod base;
mod checks;
mod filed;
pub mod intoto;
mod judge;
mod looks;
mod records;
mod report;
mod strict;
#[cfg(test)]
mod tests;

pub(crate) use base::parted;
pub use checks::RerunPlan;
pub use filed::{Filed, Imported};
pub(crate) use filed::{FiledBook, JOURNAL as STATEMENTS};
pub use report::{
    ApprovalReport, Axes, Binding, CheckReport, CheckState, CommitReport, Freshness, HighStakesReport,
    HighStakesState, PolicyAxis, PolicyReport, ReasonReport, RecordOrigin, Status, TrustAxis, VerifyReason,
    VerifyReport, WeakenedReport, WeakenedState, schema,
};

use crate::rerun::RerunOutcome;
use crate::review::{Onto, Requirements, checks_digest};
use crate::signing::{Notary, own_signers, read_signers, repository};
use crate::{Clock, Engine};
use base::{Base, CommitPolicy, beside_the_tree, missing, policy_at, usual_base};
use proctor_gates::approval::{in_doubt, under};
use proctor_kernel::{Error, ErrorKind, Mode, Result, TreeId};
use proctor_policy::{Require, Settings, hold};
use proctor_worktree::Repo;
use std::path::PathBuf;

/// Most commits of a range that are listed.
const MOST_LISTED: usize = 50;

/// What is to be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One commit.
    Commit(String),
    /// What `to` has and `from` has not: `to` decides, under the policy of `from`.
    Range {
        /// The old end; `None`: not known, as for a new branch.
        from: Option<String>,
        /// The new end.
        to: String,
    },
}

impl Target {
    /// Reads `A..B`; either end may be left out and means `HEAD`. An old end of zeros is none, as CI gives it for a
    /// new branch.
    ///
    /// # Errors
    /// Kind `input` when it is no range.
    pub fn range(text: &str) -> Result<Self> {
        let wrong = || {
            Error::new(ErrorKind::Input, format!("{text:?} is no range"))
                .hint("`A..B`: what B has and A has not")
        };
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        // Three points mean the same here: what is compared with is the commit where the two part.
        let to = to.strip_prefix('.').unwrap_or(to);
        if to.contains("..") {
            return Err(wrong());
        }
        let end = |name: &str| if name.is_empty() { "HEAD" } else { name }.to_owned();
        let is_none = !from.is_empty() && from.bytes().all(|b| b == b'0');
        Ok(Self::Range {
            from: (!is_none).then(|| end(from)),
            to: end(to),
        })
    }
}

/// What `verify` is asked.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// What is to be verified.
    pub target: Target,
    /// The commit whose policy decides; `None`: the base's.
    pub policy_from: Option<String>,
    /// Runs the required checks again; `None`: the records tell.
    pub rerun: Option<RerunPlan>,
    /// An approval of a tree that had untracked files besides does not count.
    pub strict_linkage: bool,
    /// The commit takes the place of the old end of the range, as a push does: what it takes away is a change too.
    pub replaces: bool,
    /// Nobody looks at notes: what has to be guessed is no answer.
    pub ci: bool,
    /// The allowed signers, in place of those of the user's own policy and of the base.
    pub signers: Option<PathBuf>,
}

/// Everything that is known before the answer is given.
struct Known {
    report: VerifyReport,
    tree: TreeId,
    /// When the base was committed.
    since: u64,
    /// The policy that decides.
    settings: Settings,
    head: CommitPolicy,
    required: Requirements,
    notary: Notary,
    /// The commit that it is compared with; `None`: there is none.
    onto: Option<String>,
    /// That is the commit before it, of the same line of work as far as can be told.
    same_line: bool,
    /// Whether the commit changes what needs a review.
    needs_review: bool,
    /// Changed files that need a review and are no part of the tree.
    beside: Vec<String>,
    /// Whether it changes anything at all.
    changed: bool,
    /// The tree that its tests are compared with; `None`: there is none.
    compared: Option<TreeId>,
    /// The required checks as they were run on its tree just now; empty: they were not.
    ran: Vec<RerunOutcome>,
    /// Changed paths that are high-stakes, where reviews are asked for.
    high_stakes: Vec<String>,
}

impl<C: Clock> Engine<C> {
    /// Verifies a commit or a range.
    ///
    /// # Errors
    /// Kind `input` outside a repository or for a commit that is not there, kinds `git` and `store` when
    /// commits or records cannot be read, kind `config` when the list of signers cannot be read.
    pub fn verify(&mut self, request: &VerifyRequest) -> Result<VerifyReport> {
        let mut notes = Vec::new();
        self.set_up(&mut notes);
        notes.extend(self.watch_reviews(true));
        let Some(repo) = self.repo().cloned() else {
            return Err(Error::new(ErrorKind::Input, "this is no git repository")
                .hint("`proctor verify` looks at commits"));
        };
        let mut known = self.know(&repo, request)?;
        known.report.notes.splice(0..0, notes);
        let records = self.records()?;
        if let Some(base) = known.onto.clone() {
            let cache = self.trees_cache()?;
            let (trees, tree) = (repo.trees(&cache), known.tree.clone());
            let (repo, trees, base) = (&repo, &trees, base.as_str());
            let same_line = known.same_line;
            let onto = Onto {
                repo,
                trees,
                base,
                same_line,
            };
            records.leave_out(&mut known.required, &onto, &tree);
        }
        self.list(&repo, request, &mut known, &records)?;
        self.answer(&repo, request, &mut known, &records)?;
        if matches!(request.target, Target::Commit(_)) && known.report.commits.len() < 2 {
            known.report.commits.clear();
        }
        known.report.reasons.sort_by_key(|r| std::cmp::Reverse(r.weight));
        Ok(known.report)
    }

    /// Finds commits, trees and policies.
    fn know(&self, repo: &Repo, request: &VerifyRequest) -> Result<Known> {
        let (commit, base) = match &request.target {
            Target::Commit(name) => {
                let commit = repo.commit(name)?;
                let base = usual_base(repo, &commit)?;
                (commit, base)
            }
            Target::Range { from, to } => {
                let commit = repo.commit(to)?;
                let base = match from {
                    Some(from) => {
                        let tip = repo.commit(from)?;
                        let parted = repo.merge_base(&tip, &commit)?;
                        Base {
                            commit: if request.replaces {
                                Some(tip.clone())
                            } else {
                                parted
                            },
                            tip: Some(tip),
                            guessed: false,
                            before: false,
                        }
                    }
                    None => usual_base(repo, &commit)?,
                };
                (commit, base)
            }
        };
        let Base {
            tip,
            commit: base,
            guessed,
            before: same_line,
        } = base;
        let cache = self.trees_cache()?;
        let trees = repo.trees(&cache);
        let tree = trees.id_of(&commit)?;
        let before = base.as_deref().map(|b| trees.id_of(b)).transpose()?;
        // What has nothing in common with what it goes onto takes its place.
        let compared = match (&before, &tip) {
            (None, Some(tip)) => Some(trees.id_of(tip)?),
            (before, _) => before.clone(),
        };
        let onto = base.clone().or_else(|| tip.clone());
        let decides = match &request.policy_from {
            Some(name) => Some(repo.commit(name)?),
            None => tip,
        };
        let unknown = if decides.is_none() && repo.is_shallow()? {
            Some(
                "only a part of the history is here, and not what the commit goes onto: fetch the whole (`fetch-depth: 0`, `git fetch --unshallow`)",
            )
        } else if guessed && request.policy_from.is_none() && repo.has_remotes()? {
            Some(
                "no main branch of a remote is known here, so only the last commit is judged; name what it goes onto: `--range A..B`",
            )
        } else {
            None
        };
        let own = self.surroundings.user_policy.as_deref();
        let of_base = policy_at(repo, decides.as_deref(), own)?;
        let head = policy_at(repo, Some(&commit), own)?;
        let mut report = VerifyReport {
            commit: commit.clone(),
            tree: tree.to_string(),
            base: base.clone(),
            ..VerifyReport::default()
        };
        if let Some(text) = unknown {
            if decides.is_none() || request.ci {
                report.say(VerifyReason::BaseUnknown, Status::CouldNotRun, text);
            } else {
                report.notes.push(text.to_owned());
            }
        }
        report.policy.from = decides;
        report.policy_blob.clone_from(&of_base.blob);
        // What the commit did not touch it does not loosen: put onto the tip, it gets the tip's.
        let untouched = match (&request.policy_from, &base) {
            (None, Some(base)) => policy_at(repo, Some(base), own)?.project == head.project,
            _ => false,
        };
        if untouched {
            report.policy.problems.clone_from(&of_base.broken);
        } else {
            report.axes.policy = base::compare(&of_base, &head, &mut report.policy);
        }
        if let Some(first) = of_base.broken.first() {
            let text = match of_base.mistaken {
                true => format!(
                    "the policy that decides has a mistake that may hide what it asks for ({first}); mend it where the change \
                     goes onto, or name another commit's policy (`--policy-from`)"
                ),
                false => format!("the policy that decides cannot be read ({first})"),
            };
            report.say(VerifyReason::PolicyUnknown, Status::CouldNotRun, text);
        }

        let signers = match &request.signers {
            Some(path) => Some(read_signers(path)?),
            None => own_signers(own, &of_base.settings.approval.signers)?.or_else(|| of_base.signers.clone()),
        };
        let notary = Notary::new(repository(repo, Some(&commit))?, signers);
        let settings = if untouched {
            of_base.settings.clone()
        } else {
            effective(&of_base, &head, report.axes.policy)
        };
        let mut required = Requirements::of(&settings);
        for policy in [&of_base.settings, &head.settings] {
            // An approval was given under the checks of the work tree, which the commit's policy holds.
            let theirs = checks_digest(policy);
            let fewer = !missing(&of_base.settings.verification, &policy.verification).is_empty();
            if !fewer && !required.checks.contains(&theirs) {
                required.checks.push(theirs);
            }
        }
        let changed = before.as_ref() != Some(&tree);
        let asks = match settings.approval.require {
            Require::Never | Require::Claims => false,
            Require::Changes => !settings.approval.high_stakes.is_empty(),
            Require::Paths => true,
        };
        let paths: Vec<String> = match &before {
            _ if !asks => Vec::new(),
            Some(before) => trees
                .changes(before, &tree)?
                .into_iter()
                .map(|c| c.path)
                .collect(),
            None => repo.files_of(&commit)?.into_iter().map(|e| e.path).collect(),
        };
        let globs = [settings.approval.paths.as_slice(), &settings.approval.high_stakes].concat();
        let doubtful = in_doubt(&globs, &paths);
        let mut places = Vec::new();
        if !doubtful.is_empty() {
            for commit in base.iter().chain([&commit]) {
                places.extend(repo.places_at(commit, &doubtful)?);
            }
        }
        let high_stakes = under(&settings.approval.high_stakes, &paths, &places);
        let needs_review = match settings.approval.require {
            Require::Never | Require::Claims => false,
            Require::Changes => changed,
            Require::Paths => {
                !under(&settings.approval.paths, &paths, &places).is_empty() || !high_stakes.is_empty()
            }
        };
        let beside = match settings.approval.require {
            Require::Never | Require::Claims => Vec::new(),
            Require::Changes => beside_the_tree(repo, base.as_deref(), &commit)?,
            Require::Paths => {
                let all = beside_the_tree(repo, base.as_deref(), &commit)?;
                under(&settings.approval.paths, &all, &[])
            }
        };
        Ok(Known {
            beside,
            since: match &base {
                Some(base) => repo.committed_at(base)?,
                None => 0,
            },
            report,
            tree,
            settings,
            head,
            required,
            notary,
            onto,
            same_line,
            needs_review,
            changed,
            compared,
            ran: Vec::new(),
            high_stakes,
        })
    }

    /// The commits that the base does not have.
    fn list(
        &self,
        repo: &Repo,
        request: &VerifyRequest,
        known: &mut Known,
        records: &records::Records,
    ) -> Result<()> {
        if known.report.base.is_none() && matches!(request.target, Target::Commit(_)) {
            return Ok(());
        }
        let commits = repo.between(known.report.base.as_deref(), &known.report.commit)?;
        if commits.len() > MOST_LISTED {
            let more = commits.len() - MOST_LISTED;
            known
                .report
                .notes
                .push(format!("{more} older commits are not listed"));
        }
        let cache = self.trees_cache()?;
        let now = self.clock().now();
        for commit in commits.into_iter().take(MOST_LISTED) {
            let tree = repo.trees(&cache).id_of(&commit)?;
            let standing = records.word(&tree, &known.required, &known.notary, now);
            known.report.commits.push(CommitReport {
                commit,
                tree: tree.to_string(),
                standing: standing.to_owned(),
            });
        }
        Ok(())
    }
}

/// The policy that decides: the base's; the commit's own where that is in no point looser. What the commit asks for beyond
/// the base before work may go is demanded in both cases.
fn effective(base: &CommitPolicy, head: &CommitPolicy, axis: PolicyAxis) -> Settings {
    match axis {
        PolicyAxis::Same | PolicyAxis::Tighter => head.settings.clone(),
        PolicyAxis::Looser => {
            let mut settings = base.settings.clone();
            let mut both = head.settings.clone();
            hold(&mut both, &base.settings);
            hold(&mut settings, &both);
            settings.verification = both.verification;
            settings
        }
        PolicyAxis::Unknown => base.settings.clone(),
    }
}

/// Whether the gate that asks for reviews is switched off.
fn is_off(settings: &Settings) -> bool {
    !settings.enabled || settings.approval.mode == Mode::Off
}
