//! What the writer of a verdict was seen to do: level `witnessed` of a message, and habits that make a review
//! worth nothing.
//!
//! Only changes that were witnessed can have been read: in a session in which none was, a message is judged by its
//! words alone (level `text`).

use super::judge::Judgement;
use crate::support::{Now, Wanted, support_in};
use proctor_kernel::{Fallback, Finding, Reason, Tier, Verdict, World};

/// What was witnessed of an agent that ends its turn, and of what it judges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    /// Files were changed in this session.
    pub changes: bool,
    /// The paths that were changed last, as far as they are known.
    pub changed: Vec<String>,
    /// The agent read, compared or checked something since its task began.
    pub looked: bool,
    /// Somebody else changed files after its last look.
    pub changed_since: bool,
    /// The agent changed files itself since its task began.
    pub wrote: bool,
    /// Its task asks for a review.
    pub asked: bool,
    /// Paths changed after an approval of this session, without a new request in between; `None`: nothing was.
    pub after_approval: Option<Vec<String>>,
}

/// Rules whose findings are counted and told to the agent, and refuse nothing.
pub(super) const OWN_WORK: &str = "review/own_work";
pub(super) const CHANGED_SINCE: &str = "review/changed_since_look";
pub(super) const AFTER_APPROVAL: &str = "review/work_after_approval";
pub(super) const PRAISE: &str = "review/praise_for_verdict";
pub(super) const REMARK: &str = "review/remark";
/// The rule that refuses an approval, or tells that only somebody else's check stands behind it.
pub(super) const UNREAD: &str = "review/unread";

/// An approval by an agent that was seen to read and run nothing: refused where nothing else supports it. Somebody's
/// passing check on exactly this tree keeps it from being refused; it is no look, and is told all the same. `None` when
/// the agent looked, or when nothing can have been read. With what the checks say.
pub(super) fn unread(judgement: &Judgement, acts: &Acts, world: &dyn World) -> Option<(Finding, Reason)> {
    if !judgement.is_approval || !acts.changes || acts.looked {
        return None;
    }
    let runs = world.runs().unwrap_or_default();
    let tree = world.tree_id();
    let now = Now {
        tree: tree.as_ref(),
        writes: world.writes(),
        changed_since: &|tree| world.changed_since(tree),
    };
    let support = support_in(Wanted::Verified, &runs, &now, judgement.korean);
    if support.reason == Reason::Supported {
        let message = if judgement.korean {
            "[SYSTEM] 이 승인은 변경된 파일을 읽거나 검사를 직접 실행하지 않은 에이전트의 것입니다. 다른 이의 검사만이 이를 뒷받침합니다."
        } else {
            "[SYSTEM] The approval comes from an agent that was seen to read nothing of the change and to run nothing itself; \
             a check that somebody else ran is all that stands behind it."
        };
        return Some((note(UNREAD, message.to_owned()), support.reason));
    }
    let files = listed(&acts.changed);
    let word = judgement.approvals.first().map_or("APPROVE", |s| s.text.as_str());
    let (message, instead) = if judgement.korean {
        let since = files.map_or_else(|| "마지막 변경 이후".to_owned(), |f| format!("{f} 변경 이후"));
        (
            format!(
                "[SYSTEM] APPROVE rejected: {since} 이 검토자가 읽거나 실행한 것이 보이지 않습니다(\"{word}\"; {}).",
                support.missing
            ),
            "변경된 파일을 읽거나(`git diff`) 검사를 실행한 다음 판정하십시오. 그렇게 하지 않으려면 `VERDICT: NEEDS_REVIEW`와 이유를 쓰십시오.",
        )
    } else {
        let since = files.map_or_else(
            || "since the last change".to_owned(),
            |f| format!("since {f} changed"),
        );
        (
            format!(
                "[SYSTEM] APPROVE rejected: nothing that this reviewer read or ran was seen {since} (\"{word}\"; {}).",
                support.missing
            ),
            "Read what changed (`git diff`, the files) or run a check, then give the verdict. Otherwise answer `VERDICT: NEEDS_REVIEW` with the reason.",
        )
    };
    Some((
        Finding {
            rule: UNREAD.to_owned(),
            tier: Tier::Hard,
            verdict: Verdict::Block,
            message,
            instead: Some(instead.to_owned()),
            spans: judgement.approvals.clone(),
            fallback: Some(Fallback::Replace {
                edits: judgement.edits(),
                line: super::wording::downgraded(judgement),
            }),
        },
        support.reason,
    ))
}

/// Good words to a person who asked for a review.
pub(super) fn remark(judgement: &Judgement) -> Finding {
    let word = judgement.approvals.first().map_or("LGTM", |s| s.text.as_str());
    let message = if judgement.korean {
        format!(
            "[SYSTEM] 검토 요청에 대한 \"{word}\"에는 확인한 내용이 없어 승인으로 보지 않습니다. 무엇을 확인했고 결과가 어땠는지 쓰십시오."
        )
    } else {
        format!(
            "[SYSTEM] A review was asked for; \"{word}\" says nothing of what was verified and counts as no approval. Say what was checked, and with what result."
        )
    };
    note(REMARK, message)
}

/// A finding that is told and counted, and refuses nothing.
fn note(rule: &str, message: String) -> Finding {
    Finding {
        rule: rule.to_owned(),
        tier: Tier::Soft,
        verdict: Verdict::Block,
        message,
        instead: None,
        spans: Vec::new(),
        fallback: None,
    }
}

/// Habits that make a review worth nothing. `praises`: the text praises more than the policy's threshold allows.
pub(super) fn habits(judgement: &Judgement, acts: &Acts, praises: bool) -> Vec<Finding> {
    let note = |rule: &str, english: String, korean: String| {
        note(rule, if judgement.korean { korean } else { english })
    };
    let mut out = Vec::new();
    if judgement.is_approval && acts.wrote {
        out.push(note(
            OWN_WORK,
            "[SYSTEM] The approval comes from an agent that changed files itself; it approves nothing. Another reviewer has to look: `proctor review run`."
                .to_owned(),
            "[SYSTEM] 직접 파일을 수정한 에이전트의 승인은 승인이 아닙니다. 다른 검토자가 봐야 합니다: `proctor review run`.".to_owned(),
        ));
    }
    if judgement.is_approval && acts.looked && acts.changed_since {
        let files = listed(&acts.changed).unwrap_or_else(|| "files".to_owned());
        out.push(note(
            CHANGED_SINCE,
            format!("[SYSTEM] Files changed after the reviewer's last look ({files}); the approval does not hold for that."),
            format!("[SYSTEM] 검토자가 마지막으로 확인한 뒤 파일이 변경되었습니다({files}). 그 부분에는 승인이 적용되지 않습니다."),
        ));
    }
    if let Some(paths) = &acts.after_approval {
        let files = listed(paths).unwrap_or_else(|| "files".to_owned());
        out.push(note(
            AFTER_APPROVAL,
            format!("[SYSTEM] After the approval {files} changed; the approval does not hold for that. Ask for a review of the difference."),
            format!("[SYSTEM] 승인 이후 {files} 변경됨; 그 부분에는 승인이 적용되지 않습니다. 차이에 대한 검토를 요청하십시오."),
        ));
    }
    if acts.asked && !judgement.is_approval && !judgement.refuses && praises {
        out.push(note(
            PRAISE,
            "[SYSTEM] A review was asked for, and the answer praises without a verdict. Answer APPROVE or NEEDS_REVIEW, and say what was verified.".to_owned(),
            "[SYSTEM] 검토 요청에 판정 없이 칭찬만 있습니다. APPROVE 또는 NEEDS_REVIEW와 확인한 내용을 쓰십시오.".to_owned(),
        ));
    }
    out
}

/// The first few paths.
fn listed(paths: &[String]) -> Option<String> {
    const NAMED: usize = 3;
    let shown: Vec<&str> = paths.iter().rev().take(NAMED).map(String::as_str).collect();
    let more = match paths.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" (+{n})"),
    };
    (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
}
