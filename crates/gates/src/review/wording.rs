//! What the gate says to the reviewer. The pattern that it gives passes once it is filled in, and not before (tested).

use super::judge::Judgement;

/// The line that replaces an approval's support when the retries are used up; the pipeline fills in `{retries}`.
pub(super) const DOWNGRADED: &str =
    "[proctor] APPROVE downgraded to NEEDS_REVIEW (no evidence after {retries} retries)";

/// [`DOWNGRADED`], behind what closes a fence that the text leaves open: in it the line would be code.
pub(super) fn downgraded(judgement: &Judgement) -> String {
    match &judgement.fence {
        Some(fence) => format!("{fence}\n{DOWNGRADED}"),
        None => DOWNGRADED.to_owned(),
    }
}

/// What to do instead, English. The pattern holds placeholders, so that it supports nothing when it is copied.
pub(super) const INSTEAD: &str = "Verify first (run the tests or the build, read the diff), then answer with a verdict line and what you saw, in this form:\nVERDICT: <APPROVE or NEEDS_REVIEW>\nEvidence: `<command>`: <n> passed, <m> failed; read <file> lines <from>-<to>\nor as JSON: {\"verdict\": \"<APPROVE or NEEDS_REVIEW>\", \"evidence\": \"`<command>`: <n> passed, <m> failed\"}\nWithout a verification of your own, answer `VERDICT: NEEDS_REVIEW` with the reason.";
/// What to do instead, Korean.
pub(super) const INSTEAD_KOREAN: &str = "먼저 확인한 다음(테스트나 빌드 실행, 변경분 읽기) 판정과 본 것을 아래 형식으로 쓰십시오.\nVERDICT: <APPROVE 또는 NEEDS_REVIEW>\nEvidence: `<명령>` 실행, <n>개 통과, 실패 <m>건; <파일> <시작>-<끝>행 확인\n또는 JSON으로: {\"verdict\": \"<APPROVE 또는 NEEDS_REVIEW>\", \"evidence\": \"`<명령>` 실행, <n>개 통과, 실패 <m>건\"}\n직접 확인하지 않았다면 `VERDICT: NEEDS_REVIEW`와 이유를 쓰십시오.";

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
