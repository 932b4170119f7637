//! What the gate says to the reviewer. The example that it gives passes the gate itself (tested).

use super::judge::Judgement;

/// The line that replaces an approval's support when the retries are used up.
pub(super) const DOWNGRADED: &str =
    "[proctor] APPROVE downgraded to NEEDS_REVIEW (no evidence after the allowed retries)";

/// A review that passes, as a pattern to follow.
#[cfg(test)]
pub(super) const EXAMPLE: &str =
    "VERDICT: APPROVE\nEvidence: `cargo test` ran, 41 passed, 0 failed; read src/auth.rs lines 20-60.";

/// What to do instead, English.
pub(super) const INSTEAD: &str = "Verify first (run the tests or the build, read the diff), then answer with a verdict line and what you saw, for example:\nVERDICT: APPROVE\nEvidence: `cargo test` ran, 41 passed, 0 failed; read src/auth.rs lines 20-60.\nWithout a verification of your own, answer `VERDICT: NEEDS_REVIEW` with the reason.";
/// What to do instead, Korean.
pub(super) const INSTEAD_KOREAN: &str = "먼저 확인한 다음(테스트나 빌드 실행, 변경분 읽기) 판정과 본 것을 함께 쓰십시오. 예:\nVERDICT: APPROVE\nEvidence: `cargo test` 실행, 41개 통과, 실패 0건. src/auth.rs 20-60행 확인했습니다.\n직접 확인하지 않았다면 `VERDICT: NEEDS_REVIEW`와 이유를 쓰십시오.";

/// Refusal and way out in one text.
pub(super) fn feedback(judgement: &Judgement) -> String {
    format!("{} {}", refusal(judgement), instead(judgement))
}

/// What was refused and why.
pub(super) fn refusal(judgement: &Judgement) -> String {
    let word = judgement.approvals.first().map_or("APPROVE", |s| s.text.as_str());
    match (judgement.contradicted, judgement.korean) {
        (true, false) => format!(
            "[SYSTEM] APPROVE rejected: the reported result speaks against the verdict (\"{word}\"). Which failures remain, and do they exist without this change as well?"
        ),
        (true, true) => format!(
            "[SYSTEM] APPROVE rejected: 보고한 결과가 판정(\"{word}\")과 맞지 않습니다. 남은 실패가 무엇이고 이 변경 전에도 있었습니까?"
        ),
        (false, false) => format!(
            "[SYSTEM] APPROVE rejected: no verification evidence (\"{word}\"). What did you verify? Examples: tests pass, verified output, checked logs, build succeeds."
        ),
        (false, true) => format!(
            "[SYSTEM] APPROVE rejected: 검증 근거가 없습니다(\"{word}\"). 무엇을 확인했습니까? 예: 테스트 통과, 출력 확인, 로그 확인, 빌드 성공."
        ),
    }
}

/// The one next step.
pub(super) fn instead(judgement: &Judgement) -> &'static str {
    if judgement.korean { INSTEAD_KOREAN } else { INSTEAD }
}
