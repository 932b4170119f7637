//! What the gate says to the agent. Every sentence that it suggests passes the gate itself (tested).

use super::judge::Judgement;
use crate::quote::quote;

/// Number of spans that are quoted, and the longest quotation in characters.
const QUOTED: usize = 5;
const LONGEST: usize = 60;

/// What to do instead, English.
pub(super) const INSTEAD: &str = "Restate with results only: which files changed and why, which command ran with what result, which question is open. If there is no result yet, do the work first and write then.";
/// What to do instead, Korean.
pub(super) const INSTEAD_KOREAN: &str = "결과만 다시 쓰십시오: 바꾼 파일과 이유, 실행한 명령과 그 결과, 남은 질문. 아직 결과가 없으면 일을 한 다음에 쓰십시오.";

/// Why a text is not judged.
pub(crate) const OTHER_LANGUAGE: &str = "written in a language other than English and Korean";

/// What of a very long text is not judged.
pub(crate) const ONLY_ENDS: &str = "only its beginning and its end were read";

/// Refusal and way out in one text.
pub(super) fn feedback(judgement: &Judgement) -> String {
    format!("{} {}", refusal(judgement), instead(judgement))
}

/// What was refused and why.
pub(super) fn refusal(judgement: &Judgement) -> String {
    let percent = percent(judgement.ratio);
    let limit = percent_of(judgement.threshold);
    let quoted = quoted(judgement);
    let over = judgement.ratio > judgement.threshold;
    match (judgement.korean, over) {
        (false, true) => format!(
            "[SYSTEM] Response rejected: contains praise/flattery. Your response was {percent}% flattery or filler (limit {limit}%): {quoted}."
        ),
        (false, false) => format!(
            "[SYSTEM] Response rejected: contains praise/flattery. Your response was {percent}% flattery or filler and used {} different words of praise: {quoted}.",
            judgement.distinct
        ),
        (true, true) => format!(
            "[SYSTEM] Response rejected: 응답의 {percent}%가 칭찬이나 빈말입니다(한도 {limit}%): {quoted}."
        ),
        (true, false) => format!(
            "[SYSTEM] Response rejected: 응답의 {percent}%가 칭찬이나 빈말이고 서로 다른 칭찬이 {}가지입니다: {quoted}.",
            judgement.distinct
        ),
    }
}

/// The one next step.
pub(super) fn instead(judgement: &Judgement) -> &'static str {
    if judgement.korean { INSTEAD_KOREAN } else { INSTEAD }
}

/// The line that is added to a text which is passed on all the same. `{retries}` stays in it: only the
/// pipeline knows the number, and fills it in.
pub(super) fn annotation(judgement: &Judgement) -> String {
    let percent = percent(judgement.ratio);
    format!("[proctor] {percent}% of this message is praise or filler; passed on after {{retries}} retries.")
}

/// A message ends with announced work.
pub(super) fn unfinished(korean: bool) -> &'static str {
    if korean {
        "[proctor] 메시지가 아직 하지 않은 일의 예고로 끝납니다. 지금 하거나, 남은 일이라고 밝히십시오."
    } else {
        "[proctor] The message ends with work that is announced and not done. Do it now, or say that it is left open."
    }
}

/// A message does not speak of its task.
pub(super) fn off_task(korean: bool) -> &'static str {
    if korean {
        "[proctor] 메시지에 맡은 작업에 관한 내용이 없습니다. 요청받은 일의 결과를 쓰십시오."
    } else {
        "[proctor] The message says nothing of the task that was asked for. Report what became of that task."
    }
}

fn percent(ratio: f64) -> u32 {
    percent_of(ratio)
}

/// Whole percent, never rounded down to the limit that was exceeded.
fn percent_of(ratio: f64) -> u32 {
    let percent = (ratio * 100.0).clamp(0.0, 100.0);
    // The value lies between 0 and 100.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped above"
    )]
    {
        (percent - 1e-9).ceil().max(0.0) as u32
    }
}

fn quoted(judgement: &Judgement) -> String {
    let mut out = String::with_capacity(QUOTED * (LONGEST * 2 + 8));
    for span in judgement.spans.iter().take(QUOTED) {
        out.push_str(if out.is_empty() { "\"" } else { ", \"" });
        if quote(&span.text, LONGEST, &mut out) {
            out.truncate(out.trim_end().len());
            out.push('…');
        }
        out.push('"');
    }
    if judgement.spans.len() > QUOTED {
        out.push_str(", +");
        out.push_str(&(judgement.spans.len() - QUOTED).to_string());
    }
    out
}
