//! What is said to the agent that delegates: soft findings, which refuse nothing.

use super::words::{Lack, Words};
use crate::approval::ClaimKind;
use proctor_kernel::{Finding, Span, Tier, Verdict};

/// Most places of a prompt that a remark quotes, and most characters of each.
const QUOTED: usize = 3;
const LONGEST: usize = 60;

/// Most places that a record keeps.
const RECORDED: usize = 20;

/// Whom a delegation goes to.
pub(super) fn to(agent: &str) -> String {
    if agent.is_empty() {
        String::new()
    } else {
        format!(" to {agent}")
    }
}

/// The delegation praises.
pub(super) fn praise(agent: &str, said: &Words) -> Finding {
    let (to, quotes) = (to(agent), quotes(&said.praise));
    let message = if said.korean {
        format!(
            "[SYSTEM] Delegation{to}: 칭찬이 들어 있습니다({quotes}). 할 일, 나와야 할 결과, 알아야 할 것만 쓰십시오."
        )
    } else {
        format!(
            "[SYSTEM] Delegation{to} praises ({quotes}). Write what is to be done, what must come out and what the worker has to know; leave praise out."
        )
    };
    note(
        "praise",
        message,
        said.praise.iter().take(RECORDED).cloned().collect(),
    )
}

/// The delegation approves and does not say what that rests on.
pub(super) fn approval(agent: &str, said: &Words) -> Finding {
    let (to, quotes) = (to(agent), quotes(&said.approval));
    let message = if said.korean {
        format!(
            "[SYSTEM] Delegation{to}: 검증 근거 없는 승인입니다({quotes}). 무엇을 확인했고 결과가 어땠는지 쓰거나, 판정은 검토자에게 맡기십시오."
        )
    } else {
        format!(
            "[SYSTEM] Delegation{to} approves ({quotes}) without verification evidence; nobody can build on that. Say what was verified and with what result, or leave the verdict to a reviewer."
        )
    };
    note(
        "unproven_approval",
        message,
        said.approval.iter().take(RECORDED).cloned().collect(),
    )
}

/// The delegation claims what nothing supports.
pub(super) fn claim(agent: &str, kind: ClaimKind, span: &Span, lack: &Lack, korean: bool) -> Finding {
    let (to, quotes) = (to(agent), quotes(std::slice::from_ref(span)));
    let what = match (kind, korean) {
        (ClaimKind::Check(kind) | ClaimKind::Ran(kind) | ClaimKind::Shown(kind), _) => kind.as_str(),
        (ClaimKind::Verified | ClaimKind::Done, false) => "check",
        (ClaimKind::Verified | ClaimKind::Done, true) => "검사",
    };
    let missing = match (lack, korean) {
        (Lack::Unseen, false) => format!("no run of that kind ({what}) was seen in this session"),
        (Lack::Failed, false) => format!("the last run of that kind ({what}) failed"),
        (Lack::Unseen, true) => format!("이 세션에서 그런 실행({what})이 보이지 않습니다"),
        (Lack::Failed, true) => format!("마지막 실행({what})은 실패했습니다"),
    };
    let message = if korean {
        format!("[SYSTEM] Delegation{to}: {quotes} - {missing}. 직접 실행하거나, 확인되지 않았다고 쓰십시오.")
    } else {
        format!(
            "[SYSTEM] Delegation{to} claims {quotes}; {missing}. Run it, or write that it is not verified."
        )
    };
    note("unproven_claim", message, vec![span.clone()])
}

fn quotes(spans: &[Span]) -> String {
    let line = |span: &Span| {
        let words = span.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("\"{}\"", words.chars().take(LONGEST).collect::<String>())
    };
    spans.iter().take(QUOTED).map(line).collect::<Vec<_>>().join(", ")
}

fn note(rule: &str, message: String, spans: Vec<Span>) -> Finding {
    Finding {
        rule: format!("delegation/{rule}"),
        tier: Tier::Soft,
        verdict: Verdict::Block,
        message,
        instead: None,
        spans,
        fallback: None,
    }
}
