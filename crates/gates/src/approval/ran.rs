//! Runs that are told without what came of them: "I ran the tests", and the end of a run in a fence.
//!
//! Both are weak claims. Whoever ran the tests and tells that they fail says so, too: what is asked for is a run of the
//! kind, however it ended. A pasted pass asks for one that was not seen to fail.

use super::claim::{Claim, ClaimKind};
use super::mood::{self, Around};
use super::named::Source;
use super::{subject, verified};
use proctor_kernel::{CheckKind, CheckKinds, Span};
use proctor_prose::{Block, BlockKind, Clause, Features, Reading, Tags, Token, TokenKind, tag};

/// Most fences of a text whose content is read.
const FENCES: usize = 16;

/// How far from its verb the thing that was run is looked for, in tokens.
const NEAR: usize = 6;

/// Korean words of checks, as they begin.
const CHECKS: [&str; 9] = [
    "테스트",
    "빌드",
    "컴파일",
    "린트",
    "타입",
    "체크",
    "검사",
    "검증",
    "스위트",
];

/// Words between a verb and what was run.
const BETWEEN: Tags = tag::STOP
    .or(tag::GENERIC)
    .or(tag::INTENS)
    .or(tag::TECH)
    .or(tag::FIRST);

/// Words behind what was run that do not make another thing of it.
const BEHIND: Tags = tag::STOP
    .or(tag::CLAUSE)
    .or(tag::INTENS)
    .or(tag::OKRES)
    .or(tag::PAST)
    .or(tag::CHECK);

/// All words of a lead that presents a run as the writer's own: "I ran the tests:", "Test output:".
const OWN: Tags = tag::STOP
    .or(tag::FIRST)
    .or(tag::GENERIC)
    .or(tag::INTENS)
    .or(tag::CLAUSE)
    .or(tag::PAST)
    .or(tag::DONE)
    .or(tag::RUN)
    .or(tag::CHECK)
    .or(tag::LOGS)
    .or(tag::VERDICT)
    .or(tag::TESTS)
    .or(tag::BUILD)
    .or(tag::TYPES)
    .or(tag::LINT)
    .or(tag::OKRES);

/// What leaves a lead no report of a run.
const NO_REPORT: Features = Features::QUESTION
    .or(Features::CONDITIONAL)
    .or(Features::FUTURE)
    .or(Features::MODAL)
    .or(Features::HEARSAY)
    .or(Features::BELIEF)
    .or(Features::PENDING)
    .or(Features::NEGATED);

/// The checks that a clause says its writer ran.
pub(super) fn told(source: &Source<'_>, reading: &Reading, clause: &Clause, tokens: &[&Token]) -> CheckKinds {
    let mut out = CheckKinds::NONE;
    if !clause.tags.any(tag::RUN) {
        return out;
    }
    for (at, token) in tokens.iter().enumerate().filter(|(_, t)| t.tags.any(tag::RUN)) {
        let word = reading.word(token);
        match token.kind {
            TokenKind::Word
                if matches!(word, "ran" | "reran" | "re-ran" | "executed")
                    && !verified::by_another(reading, tokens, at)
                    && is_deed(tokens, at) =>
            {
                out.join(object(source, reading, tokens, at));
            }
            TokenKind::Hangul if ["했", "렸", "봤", "하였"].iter().any(|e| word.contains(e)) => {
                out.join(object_before(source, reading, tokens, at));
            }
            _ => {}
        }
    }
    out
}

/// Whether a clause says that its writer ran it, or a check, or all of it: "Ran it", 돌려 보니, "after a full run".
pub(super) fn deed(source: &Source<'_>, reading: &Reading, clause: &Clause, tokens: &[&Token]) -> bool {
    if !clause.tags.any(tag::RUN) {
        return false;
    }
    let word_at = |at: usize| tokens.get(at).map_or("", |t| reading.word(t));
    (0..tokens.len()).any(|at| {
        let Some(token) = tokens.get(at).filter(|t| t.tags.any(tag::RUN)) else {
            return false;
        };
        let word = reading.word(token);
        match token.kind {
            TokenKind::Word if matches!(word, "ran" | "reran" | "re-ran" | "executed") => {
                let it = matches!(word_at(at + 1), "it" | "them" | "all" | "everything");
                !verified::by_another(reading, tokens, at)
                    && is_deed(tokens, at)
                    && (it || !object(source, reading, tokens, at).is_empty())
            }
            TokenKind::Word if word == "run" => {
                at > 0 && matches!(word_at(at - 1), "full" | "complete" | "test" | "whole" | "second")
            }
            TokenKind::Hangul
                if word.starts_with("돌려") || word.starts_with("돌렸") || word.starts_with("실행") =>
            {
                let before = at.checked_sub(1).map_or("", word_at);
                let thing = before.ends_with(['을', '를']);
                !thing || !object_before(source, reading, tokens, at).is_empty()
            }
            _ => false,
        }
    })
}

/// Whether the verb at `at` has the speaker for its subject, or none: "CI ran the tests" is another's deed.
fn is_deed(tokens: &[&Token], at: usize) -> bool {
    let mut before = tokens.iter().take(at).rev().filter(|t| t.is_word());
    let plain = tag::FIRST | tag::INTENS | tag::GENERIC;
    match before.next() {
        None => true,
        // "I fixed the parser and ran the linter", "fixed it and ran the linter"
        Some(t) if t.tags.any(tag::CLAUSE) => {
            let first = tokens.iter().find(|t| t.is_word());
            let own = tag::FIRST | tag::PAST | tag::PROCESS | tag::DONE;
            first.is_none_or(|first| first.start == t.start || first.tags.any(own))
        }
        Some(t) => t.tags.any(plain) && before.all(|t| !t.tags.any(tag::OTHER | tag::YOU)),
    }
}

/// What is named right behind the verb.
fn object(source: &Source<'_>, reading: &Reading, tokens: &[&Token], verb: usize) -> CheckKinds {
    for at in verb + 1..(verb + 1 + NEAR).min(tokens.len()) {
        let Some(token) = tokens.get(at) else { break };
        let length = usize::from(token.phrase).max(1);
        let phrase = tokens.get(at..at + length).unwrap_or_default();
        let kinds = subject::kinds(source, reading, phrase);
        if !kinds.is_empty() {
            let next = tokens.get(at + length);
            let ends = next.is_none_or(|t| {
                !t.is_word()
                    || t.tags.any(BEHIND)
                    || matches!(reading.word(t), "again" | "twice")
                    || reading.word(t).ends_with("ly")
            });
            let whole = token.kind == TokenKind::Code || ends;
            return if whole { kinds } else { CheckKinds::NONE };
        }
        // "ran into a test problem"
        let leads_on = matches!(
            reading.word(token),
            "into" | "out" | "over" | "across" | "through" | "for" | "on" | "in"
        );
        if leads_on || !(token.is_word() && token.tags.any(BETWEEN)) {
            break;
        }
    }
    CheckKinds::NONE
}

/// What is named right before a Korean verb: 테스트를 실행했습니다.
fn object_before(source: &Source<'_>, reading: &Reading, tokens: &[&Token], verb: usize) -> CheckKinds {
    let mut end = verb;
    // 테스트를 한번 모두 돌렸습니다
    while end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| {
        t.kind == TokenKind::Hangul && t.tags.any(tag::INTENS | tag::GENERIC)
            || matches!(reading.word(t), "을" | "를" | "도" | "한번" | "다시")
    }) {
        end -= 1;
    }
    let starts = |at: &usize| {
        tokens
            .get(*at)
            .is_some_and(|t| at + usize::from(t.phrase).max(1) == end)
    };
    let Some(at) = (end.saturating_sub(3)..end).find(starts) else {
        return CheckKinds::NONE;
    };
    // 테스트 서버를: what is run is the last word.
    let last = end.checked_sub(1).and_then(|at| tokens.get(at));
    let names = last.is_some_and(|t| {
        let word = reading.word(t);
        t.kind != TokenKind::Hangul || CHECKS.iter().any(|c| word.starts_with(c))
    });
    // CI가, 훅이: somebody else's deed.
    let other = tokens.get(..at).unwrap_or_default().iter().any(|t| {
        t.kind == TokenKind::Hangul && reading.word(t).ends_with(['이', '가']) && !t.tags.any(tag::FIRST)
    });
    if !names || other {
        return CheckKinds::NONE;
    }
    subject::kinds(source, reading, tokens.get(at..end).unwrap_or_default())
}

/// The first pass of tests that stands in a fence and that the text presents as a run of its writer.
pub(super) fn shown(text: &str, reading: &Reading) -> Option<Claim> {
    let mut away = false;
    let mut left = FENCES;
    for (at, block) in reading.blocks.iter().enumerate() {
        if matches!(block.kind, BlockKind::Heading { .. }) {
            away = is_away(reading, &last_sentence(reading, at));
        }
        if block.kind != BlockKind::Code || away {
            continue;
        }
        let body = inside(text, block);
        let command = body.lines().map(str::trim_start).find_map(prompt);
        if !presents(reading, at, command.is_some()) {
            continue;
        }
        left = left.checked_sub(1)?;
        if !passes(body, command) {
            continue;
        }
        let last = body.lines().rfind(|l| !l.trim().is_empty()).unwrap_or_default();
        let start = block.start
            + text
                .get(block.start..block.end)
                .and_then(|b| b.rfind(last))
                .unwrap_or(0);
        let before = reading.clauses.partition_point(|c| c.end <= block.start);
        return Some(Claim {
            kind: ClaimKind::Shown(CheckKind::Tests),
            span: Span {
                start,
                end: start + last.len(),
                text: last.to_owned(),
                label: ClaimKind::Shown(CheckKind::Tests).as_str().to_owned(),
            },
            sentence: before
                .checked_sub(1)
                .and_then(|at| reading.clauses.get(at))
                .map_or(0, |c| c.sentence),
        });
    }
    None
}

/// What stands in a fence.
fn inside<'a>(text: &'a str, block: &Block) -> &'a str {
    let all = text.get(block.start..block.end).unwrap_or_default();
    let Some((first, rest)) = all.split_once('\n') else {
        return "";
    };
    let mark = first.trim_start();
    if !(mark.starts_with("```") || mark.starts_with("~~~")) {
        return "";
    }
    let last = rest
        .rfind('\n')
        .map_or(rest, |at| rest.get(at + 1..).unwrap_or_default());
    if last.trim_start().starts_with(['`', '~']) {
        rest.get(..rest.len() - last.len()).unwrap_or_default()
    } else {
        rest
    }
}

/// The command of a line that begins with a prompt.
fn prompt(line: &str) -> Option<&str> {
    ["$ ", "% ", "❯ ", "> "].iter().find_map(|p| line.strip_prefix(p))
}

/// Whether an output is the end of a test run in which tests passed and none failed, in the exact form of its runner.
fn passes(output: &str, command: Option<&str>) -> bool {
    let summaries = proctor_runners::summarise_all(output, command);
    let tests = |name: &str| {
        proctor_runners::rows(name)
            .iter()
            .any(|row| row.kind == Some(CheckKind::Tests))
    };
    !summaries.is_empty()
        && summaries.iter().all(|s| !s.is_failure())
        && summaries
            .iter()
            .any(|s| tests(&s.runner) && s.passed.is_some_and(|n| n > 0))
}

/// Whether the text presents the fence at `at` as a run of its writer: the sentence before it says so, or there is none and
/// the fence begins with the command.
fn presents(reading: &Reading, at: usize, command: bool) -> bool {
    let before = at
        .checked_sub(1)
        .and_then(|at| reading.blocks.get(at).map(|b| (at, b)));
    match before {
        None => command,
        Some((_, b)) if matches!(b.kind, BlockKind::Heading { .. }) => command,
        Some((at, b)) if b.kind.is_prose() => {
            let lead = last_sentence(reading, at);
            if lead.is_empty() || is_away(reading, &lead) {
                return false;
            }
            let tokens = || lead.iter().flat_map(|c| reading.tokens_of(c));
            let own = tokens().all(|t| {
                matches!(
                    t.kind,
                    TokenKind::Punct(_) | TokenKind::Code | TokenKind::Emoji | TokenKind::Number
                ) || t.tags.any(OWN) && !t.tags.any(tag::OTHER | tag::YOU | tag::ROLE)
            });
            let says = tokens().any(|t| {
                t.tags
                    .any(tag::RUN | tag::LOGS | tag::TESTS | tag::VERDICT | tag::CHECK)
            });
            own && says
        }
        Some(_) => false,
    }
}

/// The clauses of the last sentence of a block.
pub(super) fn last_sentence(reading: &Reading, block: usize) -> Vec<Clause> {
    let to = reading.clauses.partition_point(|c| c.block <= block);
    let clauses = reading.clauses.get(..to).unwrap_or_default();
    let last = clauses.last().map(|c| c.sentence);
    let of_it = |c: &&Clause| Some(c.sentence) == last && c.block == block;
    let length = clauses.iter().rev().take_while(of_it).count();
    clauses.get(to - length..).unwrap_or_default().to_vec()
}

/// Whether a sentence speaks of a plan, a form, another machine, another time or another's words.
fn is_away(reading: &Reading, clauses: &[Clause]) -> bool {
    !Around::of(reading, clauses).is_now()
        || clauses.iter().any(|c| {
            let order = c.features.has(Features::IMPERATIVE)
                && reading.tokens_of(c).iter().filter(|t| t.is_word()).count() > 1;
            order
                || c.features.any(NO_REPORT)
                || reading
                    .tokens_of(c)
                    .iter()
                    .any(|t| t.tags.any(tag::BASE) || mood::leads_away(reading.word(t)))
        })
}
