//! What was claimed earlier in the turn: the person has read it, and the last text need not say it again.

use super::claim::{Claim, ClaimKind};
use super::find::{self, Report};
use super::judge::Question;
use super::part;
use crate::support::{Now, Wanted, support_all, support_part};
use proctor_kernel::{CheckKinds, CheckRun, Id, Reason};
use proctor_prose::read;

/// A text that an agent wrote before it called a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The text.
    pub text: String,
    /// Number of writes witnessed when it was written.
    pub writes: u64,
    /// The last run that had been witnessed by then.
    pub last: Option<Id>,
}

/// A claim of an earlier text that nothing took back.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// The text.
    pub said: &'a Earlier,
    /// What it claims.
    pub claim: Claim,
}

/// The claims of earlier texts, latest first, that stand at the end: not taken back by a later text, and not made again by the
/// last one, with which they are judged. `writes` is the number of writes by now.
pub(super) fn standing<'a>(earlier: &'a [Earlier], last: &Report, writes: u64) -> Vec<Standing<'a>> {
    let mut out = Vec::new();
    let (mut back, mut all_back): (CheckKinds, bool) = (last.back, last.all_back);
    for said in earlier.iter().rev() {
        let report = find::report(&said.text, &read(&said.text));
        let stands = |claim: &Claim| match claim.kind {
            _ if last.claims.iter().any(|c| c.kind == claim.kind) => false,
            ClaimKind::Check(kind) => !all_back && !back.has(kind),
            ClaimKind::Verified => !all_back && back.is_empty(),
            ClaimKind::Ran(_) | ClaimKind::Shown(_) => true,
            // Who went on to change files did not mean the whole.
            ClaimKind::Done => !all_back && back.is_empty() && said.writes == writes,
        };
        let claims = report.claims.into_iter().filter(stands);
        out.extend(claims.map(|claim| Standing { said, claim }));
        back.join(report.back);
        all_back |= report.all_back;
    }
    out
}

/// Whether a claim that nothing supports now was true when it was made: the person was told how things stood then, and
/// reads in their order what came after.
pub(super) fn is_past(standing: &Standing<'_>, question: &Question<'_>) -> bool {
    let Standing { said, claim } = standing;
    let runs = question.runs;
    let by_then = match &said.last {
        None => 0,
        Some(id) => match runs.iter().rposition(|run| run.id == *id) {
            Some(at) => at + 1,
            // Too many runs since: it cannot be told.
            None => return false,
        },
    };
    let before = runs.get(..by_then).unwrap_or_default();
    let latest = before.last().filter(|run| run.writes == said.writes);
    let tree = latest.and_then(|run| run.after.as_ref());
    let with_trees = before
        .iter()
        .any(|run| run.before.is_some() || run.after.is_some());
    if tree.is_none() && with_trees {
        return false;
    }
    let then = Now {
        tree,
        writes: said.writes,
        changed_since: &|_| None,
    };
    let part = |run: &CheckRun| part::is_said(&said.text, claim, run);
    let held = match claim.kind {
        ClaimKind::Done => {
            let all = support_all(question.own, before, &then, false);
            return all.is_none_or(|s| s.reason == Reason::Supported);
        }
        // Runs that came later answer as well: none did.
        ClaimKind::Ran(_) | ClaimKind::Shown(_) => return false,
        ClaimKind::Check(kind) => support_part(Wanted::Check(kind), before, &then, false, &part),
        ClaimKind::Verified => support_part(Wanted::Verified, before, &then, false, &part),
    };
    held.reason == Reason::Supported
}
