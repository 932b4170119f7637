//! Claims against facts, and changes against reviews.

use super::claim::{Claim, ClaimKind};
use super::earlier::{self, Standing};
use super::{figure, part, warned, wording};
use crate::support::{Now, Support, Wanted, covers, has_failed, support_all, support_part};
use proctor_kernel::{CheckKind, CheckRun, Fallback, Finding, Reason, ReviewStanding, Span, Tier, Verdict};
use proctor_outline::scope::covered;
pub use proctor_outline::scope::in_doubt;
use proctor_policy::{Require, Verification};

/// Everything that the judgement looks at.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The text that claims it.
    pub text: &'a str,
    /// What the text claims.
    pub claims: &'a [Claim],
    /// What earlier texts of the turn claimed and nothing took back, latest first.
    pub earlier: &'a [Standing<'a>],
    /// The checks that were witnessed, in the order in which they began.
    pub runs: &'a [CheckRun],
    /// Whether commands ran that may have been checks, and are not known to be.
    pub unread: bool,
    /// How the tree stands.
    pub now: Now<'a>,
    /// What is required.
    pub require: Require,
    /// Globs whose change needs a review, for [`Require::Paths`].
    pub paths: &'a [String],
    /// Globs whose change needs two reviewers of different models, or a human.
    pub high_stakes: &'a [String],
    /// Paths changed since the task's base; empty where nothing changed or no review can be required.
    pub changed: &'a [String],
    /// Those of them that stand where a folder would, as far as a glob needs to know.
    pub places: &'a [String],
    /// The checks that the project's policy names.
    pub own: &'a [Verification],
    /// How the review stands.
    pub review: &'a ReviewStanding,
    /// Answer in Korean.
    pub korean: bool,
}

/// What the facts say of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The claim's place in the list.
    pub claim: usize,
    /// What supports it, or what is missing.
    pub support: Support,
}

/// The judgement of a turn's end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// One for each sort of claim.
    pub answers: Vec<Answer>,
    /// As many for claims of earlier texts as had to be judged; their places are those in [`Question::earlier`].
    pub earlier: Vec<Answer>,
    /// What stands in the way; each names one next step.
    pub findings: Vec<Finding>,
    /// Why a claim could not be compared with the facts, when that is so. No verdict.
    pub could_not_run: Option<String>,
}

/// Judges the end of a turn. Pure.
#[must_use]
pub fn judge(question: &Question<'_>) -> Judgement {
    let mut out = Judgement::default();
    if question.require == Require::Never {
        return out;
    }
    claimed(question, &mut out);
    out.findings.extend(reviewed(question));
    out
}

fn claimed(question: &Question<'_>, out: &mut Judgement) {
    let Question { claims, korean, .. } = *question;
    let mut seen: Vec<ClaimKind> = Vec::new();
    for (at, claim) in claims.iter().enumerate() {
        if seen.contains(&claim.kind) {
            continue;
        }
        seen.push(claim.kind);
        if let Some(answer) = counted(question, claim) {
            out.answers.push(answer);
            continue;
        }
        out.answers
            .extend(supported(question, question.text, claim).map(|support| Answer { claim: at, support }));
    }
    let unsupported = |done: bool| -> Vec<(&Claim, &Support)> {
        out.answers
            .iter()
            .filter(|a| !matches!(a.support.reason, Reason::Supported | Reason::CouldNotRun))
            .filter_map(|a| claims.get(a.claim).map(|c| (c, &a.support)))
            .filter(|(c, _)| (c.kind == ClaimKind::Done) == done)
            .collect()
    };
    let mut findings = Vec::new();
    let checks = unsupported(false);
    if !checks.is_empty() {
        findings.push(Finding {
            rule: "approval/unsupported_claim".to_owned(),
            tier: Tier::Hard,
            verdict: Verdict::Block,
            message: wording::unsupported(&checks, korean),
            instead: Some(wording::run_or_restate(&checks, question)),
            spans: spans(claims, |kind| checks.iter().any(|(c, _)| c.kind == kind)),
            fallback: Some(Fallback::Annotate {
                line: wording::annotated(&checks, korean),
            }),
        });
    }
    let done = unsupported(true);
    if !done.is_empty() {
        findings.push(Finding {
            rule: "approval/no_verification".to_owned(),
            tier: Tier::Hard,
            verdict: Verdict::Block,
            message: wording::unverified(&done, korean),
            instead: Some(wording::run_or_restate(&done, question)),
            spans: spans(claims, |kind| kind == ClaimKind::Done),
            fallback: Some(Fallback::Annotate {
                line: wording::annotated(&done, korean),
            }),
        });
    }
    findings.extend(claimed_before(question, out, seen));
    out.could_not_run = out
        .answers
        .iter()
        .chain(&out.earlier)
        .find(|a| a.support.reason == Reason::CouldNotRun)
        .map(|a| a.support.missing.clone());
    out.findings = findings;
}

/// The answer to a sort of claims that is supported but for a number in one of them: of tests that pass, or of warnings where
/// it says that there are none. They are answered once: the one that tells what was not seen is the one to answer.
fn counted(question: &Question<'_>, claim: &Claim) -> Option<Answer> {
    let ClaimKind::Check(kind) = claim.kind else {
        return None;
    };
    if supported(question, question.text, claim)?.reason != Reason::Supported {
        return None;
    }
    let whole = warned::Whole::new(question.text);
    let of_kind = question
        .claims
        .iter()
        .enumerate()
        .filter(|(_, c)| c.kind == claim.kind);
    let mut told = of_kind.filter_map(|(at, c)| {
        let Question {
            runs,
            ref now,
            korean,
            ..
        } = *question;
        let too_many = || {
            let told = figure::contradicted(&c.span.text, runs, now).filter(|_| kind == CheckKind::Tests)?;
            Some((told.run, told.missing(korean)))
        };
        let warned = || {
            let told = warned::contradicted(c, kind, &whole, question)?;
            Some((told.run, told.missing(korean)))
        };
        Some((at, too_many().or_else(warned)?))
    });
    let (at, (run, missing)) = told.next()?;
    let support = Support {
        reason: Reason::WrongKind,
        run: Some(run),
        missing,
    };
    Some(Answer { claim: at, support })
}

/// What the facts say of a claim in a text; `None` where they are not asked.
fn supported(question: &Question<'_>, text: &str, claim: &Claim) -> Option<Support> {
    let Question {
        runs,
        now,
        own,
        korean,
        ..
    } = *question;
    let part = |run: &CheckRun| part::is_said(text, claim, run);
    match claim.kind {
        ClaimKind::Check(kind) => Some(support_part(Wanted::Check(kind), runs, &now, korean, &part)),
        ClaimKind::Ran(kind) | ClaimKind::Shown(kind) => ran(question, claim.kind, kind),
        ClaimKind::Verified => Some(support_part(Wanted::Verified, runs, &now, korean, &part)),
        ClaimKind::Done => support_all(own, runs, &now, korean),
    }
}

/// What the facts say of a run that is told: any run of the kind will do, wherever, whenever and however it was made; for a
/// pass that is shown, one that was not seen to fail, or that printed a pass. `None` where a command that nobody recognised may
/// have been it.
fn ran(question: &Question<'_>, told: ClaimKind, kind: CheckKind) -> Option<Support> {
    let Question {
        runs, now, korean, ..
    } = *question;
    let passed = |run: &CheckRun| {
        let printed = run.summary.as_ref().is_some_and(|s| !s.is_failure());
        !has_failed(run) || printed
    };
    let answers = |run: &CheckRun| {
        let of_kind = covers(run, kind) || run.kinds.has(CheckKind::Own);
        of_kind && (matches!(told, ClaimKind::Ran(_)) || passed(run))
    };
    if let Some(at) = runs.iter().rposition(answers) {
        return Some(Support {
            reason: Reason::Supported,
            run: Some(at),
            missing: String::new(),
        });
    }
    if question.unread {
        return None;
    }
    let support = support_part(Wanted::Check(kind), runs, &now, korean, &|_| true);
    (support.reason != Reason::Supported).then_some(support)
}

/// Claims of earlier texts that nothing supports at the end; of each sort the latest one. `seen` are those of the last text.
fn claimed_before(question: &Question<'_>, out: &mut Judgement, mut seen: Vec<ClaimKind>) -> Option<Finding> {
    let mut open: Vec<(&Claim, Support)> = Vec::new();
    for (at, standing) in question.earlier.iter().enumerate() {
        let claim = &standing.claim;
        if seen.contains(&claim.kind) {
            continue;
        }
        let Some(support) = supported(question, &standing.said.text, claim) else {
            continue;
        };
        let unsupported = !matches!(support.reason, Reason::Supported | Reason::CouldNotRun);
        if unsupported && earlier::is_past(standing, question) {
            continue;
        }
        if unsupported {
            seen.push(claim.kind);
            open.push((claim, support.clone()));
        }
        out.earlier.push(Answer { claim: at, support });
    }
    if open.is_empty() {
        return None;
    }
    let open: Vec<(&Claim, &Support)> = open.iter().map(|(c, s)| (*c, s)).collect();
    Some(Finding {
        rule: "approval/unsupported_claim".to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message: wording::unsupported_before(&open, question.korean),
        instead: Some(wording::run_or_correct(&open, question)),
        // They stand in another text.
        spans: Vec::new(),
        fallback: Some(Fallback::Annotate {
            line: wording::annotated(&open, question.korean),
        }),
    })
}

fn spans(claims: &[Claim], of: impl Fn(ClaimKind) -> bool) -> Vec<Span> {
    claims
        .iter()
        .filter(|c| of(c.kind))
        .map(|c| Span {
            label: c.kind.as_str().to_owned(),
            ..c.span.clone()
        })
        .collect()
}

/// Whether what changed is approved.
fn reviewed(question: &Question<'_>) -> Option<Finding> {
    let changed = needs_review(
        question.require,
        question.paths,
        question.high_stakes,
        question.changed,
        question.places,
    );
    if changed.is_empty() {
        return None;
    }
    let stakes = match question.review {
        ReviewStanding::ApprovedByOne { .. } => under(question.high_stakes, &changed, question.places),
        _ => Vec::new(),
    };
    let (rule, message, instead) = wording::standing(question.review, &changed, &stakes, question.korean)?;
    Some(Finding {
        rule: rule.to_owned(),
        tier: Tier::Hard,
        verdict: Verdict::Block,
        message,
        instead: Some(instead.to_owned()),
        spans: Vec::new(),
        fallback: None,
    })
}

/// The changed paths for which an approval is required.
pub(super) fn needs_review(
    require: Require,
    paths: &[String],
    high_stakes: &[String],
    changed: &[String],
    places: &[String],
) -> Vec<String> {
    match require {
        Require::Changes => changed.to_vec(),
        Require::Paths => under(&[paths, high_stakes].concat(), changed, places),
        Require::Never | Require::Claims => Vec::new(),
    }
}

/// The changed paths that the globs cover, or that stand where a folder of theirs would; see [`in_doubt`] for the places.
#[must_use]
pub fn under(globs: &[String], changed: &[String], places: &[String]) -> Vec<String> {
    covered(globs, changed, places)
}
