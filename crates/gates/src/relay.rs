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

/// How far around a place is looked, in tokens and in clauses.
const NEAR: usize = 24;
const CLAUSES: usize = 6;

/// Whether words name one who judges, and not the speaker: "as the reviewer" and "my reviewer" are words of his own.
fn names_judge(reading: &Reading, tokens: &[Token]) -> bool {
    names(reading, tokens, Tags::NONE)
}

/// The same of anybody else whom one of these tags marks.
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

/// Whether the verdict at `token` (its place in the reading) of the clause at `index` is handed on: a judge stands before
/// it in its sentence, or in a line that introduces it, or right behind "by".
pub(crate) fn verdict(reading: &Reading, index: usize, token: usize) -> bool {
    let clauses = reading.clauses.get(..=index).unwrap_or_default();
    let Some(sentence) = clauses.last().map(|c| c.sentence) else {
        return false;
    };
    let start = |sentence: usize, clauses: &[Clause]| {
        let same = clauses
            .iter()
            .rev()
            .take(CLAUSES)
            .take_while(|c| c.sentence == sentence);
        same.last().map(|c| c.tokens.start)
    };
    let tokens = |from: usize, to: usize| {
        reading
            .tokens
            .get(from.max(to.saturating_sub(NEAR))..to)
            .unwrap_or_default()
    };
    let Some(from) = start(sentence, clauses) else {
        return false;
    };
    if names_judge(reading, tokens(from, token)) {
        return true;
    }
    let behind = reading
        .tokens
        .get(token + 1..(token + 5).min(clauses.last().map_or(0, |c| c.tokens.end)));
    if let [by, who @ ..] = behind.unwrap_or_default()
        && reading.word(by) == "by"
        && names_judge(reading, who)
    {
        return true;
    }
    // A line that ends with a colon hands on what the next one begins with.
    let before = clauses.iter().rposition(|c| c.sentence != sentence);
    let (Some(before), true) = (before, token <= from + 3) else {
        return false;
    };
    let Some(line) = clauses.get(before) else {
        return false;
    };
    let introduces = reading.tokens_of(line).last().is_some_and(|t| t.is_punct(':'));
    let upto = clauses.get(..=before).unwrap_or_default();
    introduces
        && start(line.sentence, upto).is_some_and(|from| names_judge(reading, tokens(from, line.tokens.end)))
}
