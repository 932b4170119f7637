//! Words that are handed on: "reviewer: APPROVE", "The reviewer answered: 12 tests passed". Whoever hands a judge's answer on
//! has not judged himself.

use proctor_prose::{Clause, Reading, Tags, Token, tag};

/// Those whose answers are handed on, in English and, as the beginnings of words, in Korean.
const JUDGES: [&str; 9] = [
    "reviewer",
    "reviewers",
    "reviewer's",
    "subagent",
    "subagents",
    "subagent's",
    "sub-agent",
    "auditor",
    "approver",
];
const KOREAN_JUDGES: [&str; 7] = [
    "작업자",
    "리뷰어",
    "검토자",
    "서브에이전트",
    "에이전트",
    "감사자",
    "승인자",
];

/// How far around a place is looked, in tokens.
const NEAR: usize = 24;

/// Whether words name one who judges, or anybody else whom one of these tags marks, and not the speaker: "as the reviewer" and
/// "my reviewer" are words of his own.
fn names(reading: &Reading, tokens: &[Token], others: Tags) -> bool {
    let word = |t: &Token| reading.word(t);
    let judge = tokens.iter().any(|t| {
        !t.quoted
            && (t.tags.any(others)
                || JUDGES.contains(&word(t))
                || KOREAN_JUDGES.iter().any(|j| word(t).starts_with(j)))
    });
    let own = |t: &Token| t.tags.any(tag::FIRST) || word(t) == "as" || word(t).ends_with("로서");
    judge && !tokens.iter().any(own)
}

/// Whether a sentence begins with the label of somebody else, as "Reviewer: …" or "The worker's report: …" does.
pub(crate) fn labelled(reading: &Reading, clauses: &[Clause]) -> bool {
    let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else {
        return false;
    };
    let tokens = reading
        .tokens
        .get(first.tokens.start..last.tokens.end)
        .unwrap_or_default();
    let mark = tokens.iter().take(NEAR).position(|t| t.is_punct(':'));
    let others = tag::OTHER | tag::ROLE;
    mark.is_some_and(|mark| names(reading, tokens.get(..mark).unwrap_or_default(), others))
}
