//! What the gate says: what is missing, and the one next step. Never an accusation.

use super::claim::{Claim, ClaimKind};
use super::judge::Question;
use super::warned;
use crate::support::{Support, Wanted, here, quoted};
use proctor_kernel::{CheckKind, End, Mask, Reason, ReviewStanding};
use std::fmt::Write as _;

/// Longest claim that is quoted, in characters.
const QUOTED: usize = 80;
/// Most paths that are named.
const NAMED: usize = 3;

/// Claims of checks that nothing supports.
pub(super) fn unsupported(claims: &[(&Claim, &Support)], korean: bool) -> String {
    let head = if korean {
        "[SYSTEM] 뒷받침하는 실행 기록이 없는 주장:"
    } else {
        "[SYSTEM] Claimed without a run that shows it:"
    };
    listed(head, claims)
}

/// Claims of an earlier text of the turn that nothing supports.
pub(super) fn unsupported_before(claims: &[(&Claim, &Support)], korean: bool) -> String {
    let head = if korean {
        "[SYSTEM] 이번 턴의 앞선 글에서 한 주장인데, 지금 파일 상태에서 이를 보여 주는 실행 기록이 없습니다:"
    } else {
        "[SYSTEM] Claimed earlier in this turn, and no run shows it for the files as they are now:"
    };
    listed(head, claims)
}

/// A completion without the project's own verification.
pub(super) fn unverified(claims: &[(&Claim, &Support)], korean: bool) -> String {
    let head = if korean {
        "[SYSTEM] 완료라고 했지만 이 프로젝트의 검증이 빠져 있습니다:"
    } else {
        "[SYSTEM] Called complete without this project's verification:"
    };
    listed(head, claims)
}

/// The line that is added when the retries are used up; the pipeline fills in `{retries}`.
pub(super) fn annotated(claims: &[(&Claim, &Support)], korean: bool) -> String {
    let missing: Vec<&str> = claims.iter().map(|(_, s)| s.missing.as_str()).collect();
    let missing = missing.join("; ").replace(['{', '}'], "");
    if korean {
        format!("[proctor] {{retries}}회 재시도 후에도 확인되지 않음: {missing}")
    } else {
        format!("[proctor] not confirmed after {{retries}} retries: {missing}")
    }
}

fn listed(head: &str, claims: &[(&Claim, &Support)]) -> String {
    let mut out = head.to_owned();
    for (at, (claim, support)) in claims.iter().enumerate() {
        let mark = if at == 0 { "" } else { ";" };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "{mark} \"{}\": {}",
            shortened(&claim.span.text),
            support.missing
        );
    }
    out.push('.');
    out
}

/// The two ways out: run this, or say it without the claim.
pub(super) fn run_or_restate(claims: &[(&Claim, &Support)], question: &Question<'_>) -> String {
    let steps = steps(claims, question);
    if question.korean {
        format!(
            "{}. 실행하지 않으려면 그 주장을 빼고 다시 쓰십시오.",
            steps.join("; ")
        )
    } else {
        format!(
            "{} and report what it shows; or write the message again without that claim.",
            capitalised(&steps.join(", then "))
        )
    }
}

/// The two ways out where the claim stands in a text that was read already: run this, or say how it is.
pub(super) fn run_or_correct(claims: &[(&Claim, &Support)], question: &Question<'_>) -> String {
    let steps = steps(claims, question);
    if question.korean {
        format!(
            "{}. 실행하지 않으려면 무엇을 확인하지 않았는지 마지막 글에 쓰십시오.",
            steps.join("; ")
        )
    } else {
        format!(
            "{} and report what it shows; or say in the last message that it was not checked.",
            capitalised(&steps.join(", then "))
        )
    }
}

fn steps(claims: &[(&Claim, &Support)], question: &Question<'_>) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    for (claim, support) in claims {
        let step = step(claim, support, question);
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

fn step(claim: &Claim, support: &Support, question: &Question<'_>) -> String {
    let kind = claim.kind;
    // A whole of the kind that is not all of what is claimed: another number was claimed.
    let whole = support.run.and_then(|at| question.runs.get(at)).filter(|run| {
        let ClaimKind::Check(kind) = kind else {
            return false;
        };
        support.reason == Reason::WrongKind && run.kinds.has(kind) && here(run) && !run.partial
    });
    if let Some(run) = whole {
        let check = quoted(&run.check);
        let warned = kind
            .check()
            .and_then(|kind| warned::contradicted(claim, kind, &warned::Whole::new(question.text), question));
        if warned.is_some_and(|warned| warned.missing(question.korean) == support.missing) {
            return if question.korean {
                format!("{check} 결과의 경고 수를 적거나, 경고를 고치고 다시 실행")
            } else {
                format!("write how many warnings {check} shows, or mend them, run it again")
            };
        }
        return if question.korean {
            format!("{check} 결과의 수를 적거나, 센 테스트를 모두 실행")
        } else {
            format!("write the figure that {check} shows, or run all that you counted")
        };
    }
    let command = command(kind, support, question);
    let named = command.as_deref().map(quoted);
    // To run the same once more would show as little.
    let unseen = support
        .run
        .and_then(|at| question.runs.get(at))
        .filter(|run| matches!(support.reason, Reason::EmptyRun | Reason::NoResult) && run.end.is_some());
    // Whoever led the result elsewhere by the line itself needs no option.
    let by_line = unseen.is_some_and(|run| run.end == Some(End::Hidden) && run.command.trim() != run.check);
    let option = command
        .as_deref()
        .filter(|_| !by_line)
        .and_then(proctor_runners::printing);
    if question.korean {
        let what = named.unwrap_or_else(|| generic_korean(kind).to_owned());
        match support.reason {
            Reason::FailedExit | Reason::FailedOutput => format!("실패 원인을 고치고 {what} 다시 실행"),
            Reason::Masked => format!("{what} 명령만 따로 실행(파이프, `||`, `;` 없이)"),
            Reason::BackgroundOnly => format!("{what} 명령을 포그라운드에서 끝까지 실행"),
            _ if unseen.is_some() => match option {
                Some(option) => format!("{what} 명령에 `{option}` 옵션을 붙여 결과가 출력되도록 실행"),
                None => format!("{what} 명령을 결과가 출력되도록(`>`나 결과를 숨기는 옵션·설정 없이) 실행"),
            },
            _ => format!("{what} 실행"),
        }
    } else {
        let what = named.unwrap_or_else(|| generic(kind).to_owned());
        match support.reason {
            Reason::FailedExit | Reason::FailedOutput => format!("mend what fails and run {what} again"),
            Reason::Masked => format!("run {what} by itself, without a pipe, `||` or `;` behind it"),
            Reason::BackgroundOnly => format!("run {what} in the foreground to its end"),
            _ if unseen.is_some() => match option {
                Some(option) => format!("run {what} with `{option}`, so that its result is printed"),
                None => format!(
                    "run {what} so that its result is printed, without `>` and without an option or a setting that leads it elsewhere"
                ),
            },
            _ => format!("run {what}"),
        }
    }
}

/// The policy's command, or else the agent's own earlier one: the whole of it, where it selected a part.
fn command(kind: ClaimKind, support: &Support, question: &Question<'_>) -> Option<String> {
    let named = |kind: CheckKind| {
        let own = question
            .own
            .iter()
            .find(|v| v.kind.as_deref() == Some(kind.as_str()));
        own.map(|v| v.run.clone())
    };
    let wanted = match kind {
        ClaimKind::Check(kind) | ClaimKind::Ran(kind) | ClaimKind::Shown(kind) => Wanted::Check(kind),
        ClaimKind::Verified => Wanted::Verified,
        ClaimKind::Done => {
            let runs = question.runs;
            let open = |v: &&proctor_policy::Verification| {
                let wanted = Wanted::Own(v);
                crate::support::support(wanted, runs, &question.now).reason != Reason::Supported
            };
            return question.own.iter().find(open).map(|v| v.run.clone());
        }
    };
    let policy = match kind {
        ClaimKind::Check(kind) | ClaimKind::Ran(kind) | ClaimKind::Shown(kind) => named(kind),
        _ => question.own.first().map(|v| v.run.clone()),
    };
    policy.or_else(|| {
        support
            .run
            .and_then(|at| question.runs.get(at))
            .filter(|run| wanted.takes(run))
            .or_else(|| question.runs.iter().rev().find(|run| wanted.takes(run)))
            .and_then(|run| {
                // What points elsewhere is not to be run again.
                let told = !run.masks.contains(&Mask::Unanalysable) || run.whole.is_none();
                let again = (!run.partial && here(run) && told).then(|| run.check.clone());
                again.or_else(|| run.whole.clone())
            })
    })
}

fn generic(kind: ClaimKind) -> &'static str {
    match kind.check() {
        Some(CheckKind::Tests) => "the project's tests",
        Some(CheckKind::Build) => "the build",
        Some(CheckKind::Types) => "the type check",
        Some(CheckKind::Lint) => "the linter",
        _ => "the check that shows it",
    }
}

fn generic_korean(kind: ClaimKind) -> &'static str {
    match kind.check() {
        Some(CheckKind::Tests) => "프로젝트 테스트",
        Some(CheckKind::Build) => "빌드",
        Some(CheckKind::Types) => "타입 검사",
        Some(CheckKind::Lint) => "린트",
        _ => "이를 보여 주는 검사",
    }
}

/// Rule, message and next step for changes that are not approved; `None` when they are, or when it is being waited
/// for, or when a human has to look at exactly this tree anyway.
pub(super) fn standing(
    review: &ReviewStanding,
    changed: &[String],
    stakes: &[String],
    korean: bool,
) -> Option<(&'static str, String, &'static str)> {
    let files = paths(changed);
    Some(match (review, korean) {
        (
            ReviewStanding::Approved
            | ReviewStanding::Waiting
            | ReviewStanding::InReview
            | ReviewStanding::Escalated
            | ReviewStanding::Released,
            _,
        ) => return None,
        (ReviewStanding::ApprovedByOne { by }, false) if stakes.is_empty() => (
            "approval/approved_by_one",
            format!(
                "[SYSTEM] Approved by too few: {by}. The policy asks for reviewers of several models, so those of other \
                 models have to approve it as well, or a human."
            ),
            "Ask for the others: `proctor review run`, or `proctor review request --human` when a human is to look.",
        ),
        (ReviewStanding::ApprovedByOne { by }, true) if stakes.is_empty() => (
            "approval/approved_by_one",
            format!(
                "[SYSTEM] 승인이 부족함: {by}. 정책은 여러 모델의 검토자를 요구하므로 다른 모델의 검토자나 사람의 승인이 더 필요합니다."
            ),
            "나머지 검토를 요청하십시오: `proctor review run`. 사람이 봐야 하면 `proctor review request --human`.",
        ),
        (ReviewStanding::ApprovedByOne { by }, false) => (
            "approval/approved_by_one",
            format!(
                "[SYSTEM] Approved by one: {by}. What changed is high-stakes ({}), so a reviewer of another model has to \
                 approve it as well, or a human.",
                paths(stakes)
            ),
            "Ask for the second one: `proctor review run`, or `proctor review request --human` when a human is to look.",
        ),
        (ReviewStanding::ApprovedByOne { by }, true) => (
            "approval/approved_by_one",
            format!(
                "[SYSTEM] 한 검토자만 승인함: {by}. 중요 경로({})가 바뀌었으므로 다른 모델의 검토자나 사람의 승인이 더 필요합니다.",
                paths(stakes)
            ),
            "두 번째 검토를 요청하십시오: `proctor review run`. 사람이 봐야 하면 `proctor review request --human`.",
        ),
        (ReviewStanding::None | ReviewStanding::Pending, false) => (
            "approval/not_approved",
            format!("[SYSTEM] Not reviewed yet: {files}."),
            "Ask for a review: `proctor review run`, or `proctor review request --human` when a human is to look.",
        ),
        (ReviewStanding::None | ReviewStanding::Pending, true) => (
            "approval/not_approved",
            format!("[SYSTEM] 아직 검토되지 않은 변경: {files}."),
            "검토를 요청하십시오: `proctor review run`. 사람이 봐야 하면 `proctor review request --human`.",
        ),
        (ReviewStanding::CouldNotRun { why }, false) => (
            "approval/review_failed",
            format!(
                "[SYSTEM] Not reviewed yet: {files}. The review could not run ({why}); that is no verdict, and counts as no attempt."
            ),
            "Ask for it again with `proctor review run`, or tell the user what is in its way.",
        ),
        (ReviewStanding::CouldNotRun { why }, true) => (
            "approval/review_failed",
            format!(
                "[SYSTEM] 아직 검토되지 않은 변경: {files}. 검토를 실행하지 못했습니다({why}). 판정이 아니며 시도로 세지 않습니다."
            ),
            "`proctor review run` 으로 다시 요청하거나, 무엇이 막고 있는지 사용자에게 알리십시오.",
        ),
        // The very same files, or nobody can tell.
        (ReviewStanding::Stale { changed }, false) if changed.is_empty() => (
            "approval/stale",
            format!(
                "[SYSTEM] The approval of {files} does not count now: it was given under other rules, without the \
                 signature that the policy asks for, or for other files."
            ),
            "Ask for a review again: `proctor review run`, or `proctor review request --human` when a human is to look.",
        ),
        (ReviewStanding::Stale { changed }, true) if changed.is_empty() => (
            "approval/stale",
            format!(
                "[SYSTEM] {files} 승인은 지금 유효하지 않습니다: 다른 규칙으로, 정책이 요구하는 서명 없이, 또는 다른 파일에 대해 \
                 이루어졌습니다."
            ),
            "다시 검토를 요청하십시오: `proctor review run`. 사람이 봐야 하면 `proctor review request --human`.",
        ),
        (ReviewStanding::Stale { changed }, false) => (
            "approval/stale",
            format!("[SYSTEM] Changed after the approval: {}.", paths(changed)),
            "Ask for a review of the difference: `proctor review run`.",
        ),
        (ReviewStanding::Stale { changed }, true) => (
            "approval/stale",
            format!("[SYSTEM] 승인 이후 변경됨: {}.", paths(changed)),
            "차이에 대한 검토를 요청하십시오: `proctor review run`.",
        ),
        (ReviewStanding::Rejected { open }, false) => (
            "approval/rejected",
            match open {
                0 => format!("[SYSTEM] The review refused this state of {files}."),
                1 => "[SYSTEM] The review refused this state: 1 finding is open.".to_owned(),
                n => format!("[SYSTEM] The review refused this state: {n} findings are open."),
            },
            match open {
                0 => "Mend what the refusal names, then ask for a review again: `proctor review run`.",
                _ => "Close or answer the findings, then ask for a review again: `proctor review run`.",
            },
        ),
        (ReviewStanding::Rejected { open }, true) => (
            "approval/rejected",
            match open {
                0 => format!("[SYSTEM] 검토에서 반려됨: {files}."),
                n => format!("[SYSTEM] 검토에서 반려됨: 열린 지적 {n}건."),
            },
            match open {
                0 => "반려 사유를 해결한 뒤 다시 검토를 요청하십시오: `proctor review run`.",
                _ => "지적을 해결하거나 답한 뒤 다시 검토를 요청하십시오: `proctor review run`.",
            },
        ),
    })
}

fn paths(paths: &[String]) -> String {
    let mut out = proctor_kernel::names(paths.iter(), NAMED);
    if paths.len() > NAMED {
        let _ = write!(out, " (+{})", paths.len() - NAMED);
    }
    out
}

fn shortened(text: &str) -> String {
    let mut out: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = out.char_indices().nth(QUOTED) {
        out.truncate(at);
        out.push('…');
    }
    out
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
