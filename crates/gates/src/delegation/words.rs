//! What a delegation says beside its orders: praise, an approval, a claim that checks pass. Read is what it tells
//! (CONTEXT, and what stands outside all sections); what it orders, asks, quotes, expects or makes a condition is none.

use crate::approval::{ClaimKind, claims};
use crate::response::praises;
use crate::review;
use proctor_kernel::{CheckRun, Mode, Span, Verdict};
use proctor_policy::{ResponseSettings, ReviewSettings};
use proctor_prose::{Clause, Extra, Features, Reading, TokenKind, read_shared, read_with, tag};

/// What was found in the words of a delegation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// Praise, when it is more of the words than the policy's threshold allows.
    pub praise: Vec<Span>,
    /// An approval: the words that give it. With `proven` it says what it rests on.
    pub approval: Vec<Span>,
    /// Whether the approval says what it rests on.
    pub proven: bool,
    /// Checks that the delegating agent says it made, or that it says pass.
    pub claims: Vec<(ClaimKind, Span)>,
    /// Characters of prose that were looked at.
    pub chars: u32,
    /// Those of them that praise.
    pub praise_chars: u32,
    /// Whether the words are mainly Korean.
    pub korean: bool,
}

/// What makes a sentence one that tells nothing as a fact.
const OPEN: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::CONDITIONAL)
    .or(Features::HEARSAY)
    .or(Features::FUTURE)
    .or(Features::MODAL)
    .or(Features::PENDING);

/// Reads the words of a delegation. Pure, and linear in its length.
#[must_use]
pub fn words(text: &str, response: &ResponseSettings, review: &ReviewSettings) -> Words {
    let prose = proctor_outline::background(text);
    let reading = read_shared(&prose, &Extra::default());
    if reading.is_foreign() || reading.clauses.is_empty() {
        return Words::default();
    }
    let mut out = Words {
        korean: reading.mainly_korean(),
        ..Words::default()
    };
    let told = told(&reading);
    let tells = |clause: &Clause| told.get(clause.sentence).copied().unwrap_or(false);
    let span = |clause: &Clause, label: &str| Span {
        start: clause.start,
        end: clause.end,
        text: prose
            .get(clause.start..clause.end)
            .unwrap_or_default()
            .trim()
            .to_owned(),
        label: label.to_owned(),
    };
    for clause in &reading.clauses {
        out.chars += clause.chars;
        if response.mode > Mode::Off
            && tells(clause)
            && praises(&reading, clause)
            && !describes(&reading, clause)
        {
            out.praise_chars += clause.chars;
            out.praise.push(span(clause, "direct_praise"));
        }
    }
    let share = f64::from(out.praise_chars) / f64::from(out.chars.max(1));
    if !response.exceeds(share, response.threshold) {
        out.praise.clear();
    }
    if review.mode > Mode::Off {
        approval(&mut out, &prose, &reading, &tells, review);
        // A sentence may claim a hundred things: it is asked once whose they are.
        let mut asked: Option<(usize, bool)> = None;
        for claim in claims(&prose, &reading) {
            let known = asked.filter(|(sentence, _)| *sentence == claim.sentence);
            let own = known.map_or_else(
                || {
                    let from = reading.clauses.partition_point(|c| c.sentence < claim.sentence);
                    let to = reading.clauses.partition_point(|c| c.sentence <= claim.sentence);
                    let sentence = reading.clauses.get(from..to).unwrap_or_default();
                    sentence.iter().all(tells) && sentence.iter().any(|c| is_own(&reading, c))
                },
                |(_, own)| own,
            );
            asked = Some((claim.sentence, own));
            if claim.kind != ClaimKind::Done && own {
                out.claims.push((claim.kind, claim.span));
            }
        }
    }
    out
}

/// Which sentences tell something, by their number.
fn told(reading: &Reading) -> Vec<bool> {
    let mut out = vec![true; reading.clauses.last().map_or(0, |c| c.sentence + 1)];
    for clause in &reading.clauses {
        if let Some(tells) = out.get_mut(clause.sentence) {
            *tells &= !clause.features.any(OPEN) && !orders(reading, clause);
        }
    }
    out
}

/// Whether a clause tells what to answer, what is wanted, or what holds under a condition.
fn orders(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    tokens.iter().any(|t| {
        let word = reading.word(t);
        match t.kind {
            TokenKind::Word => {
                t.tags.any(tag::COND | tag::REQUEST | tag::POLICY)
                    || matches!(
                        word,
                        "or" | "until"
                            | "when"
                            | "whether"
                            | "either"
                            | "answer"
                            | "reply"
                            | "respond"
                            | "return"
                            | "say"
                            | "says"
                            | "write"
                            | "wrote"
                            | "means"
                            | "expected"
                            | "verify"
                            | "check"
                            | "confirm"
                    )
            }
            TokenKind::Hangul => {
                t.tags.any(tag::COND | tag::REQUEST | tag::POLICY)
                    || matches!(word, "또는" | "혹은" | "여부" | "조건" | "경우")
                    || word.ends_with("라고")
                    || word.ends_with("다고")
            }
            TokenKind::Punct('<' | '|' | '{') => true,
            _ => false,
        }
    })
}

/// What a worker can be. A prompt that says so with fine adjectives praises nobody.
const ROLES: [&str; 24] = [
    "reviewer",
    "engineer",
    "developer",
    "programmer",
    "agent",
    "subagent",
    "assistant",
    "expert",
    "specialist",
    "tester",
    "writer",
    "analyst",
    "architect",
    "maintainer",
    "researcher",
    "auditor",
    "critic",
    "editor",
    "planner",
    "coder",
    "worker",
    "mentor",
    "designer",
    "debugger",
];
/// The same in Korean, as the beginnings of words.
const KOREAN_ROLES: [&str; 16] = [
    "검토자",
    "개발자",
    "엔지니어",
    "에이전트",
    "전문가",
    "작업자",
    "분석가",
    "작가",
    "테스터",
    "리뷰어",
    "설계자",
    "비서",
    "조수",
    "연구원",
    "감사관",
    "프로그래머",
];

/// Whether a clause says what somebody is to be, or gives the value of a label ("Thoroughness: very thorough").
fn describes(reading: &Reading, clause: &Clause) -> bool {
    if clause.features.has(Features::EXCLAMATION) {
        return false;
    }
    let tokens = reading.tokens_of(clause);
    let best = |word: &str| matches!(word, "best" | "greatest" | "finest") || word.starts_with("최고");
    let role = |word: &str| ROLES.contains(&word) || KOREAN_ROLES.iter().any(|r| word.starts_with(r));
    let words = || tokens.iter().filter(|t| t.is_word()).map(|t| reading.word(t));
    let named = words().any(role) && !words().any(best);
    let addressed = words().take(3).any(|w| {
        matches!(w, "are" | "you're" | "as" | "be") || w.starts_with("당신") || w.starts_with("너는")
    });
    let labelled = tokens.iter().take(4).any(|t| t.is_punct(':'));
    named && addressed || labelled
}

fn approval(
    out: &mut Words,
    prose: &str,
    reading: &Reading,
    tells: &dyn Fn(&Clause) -> bool,
    settings: &ReviewSettings,
) {
    // What the message orders is left out, so that no order is taken for a verdict or for what it rests on.
    let mut said = String::new();
    let mut last = None;
    for clause in reading.clauses.iter().filter(|c| tells(c)) {
        if last != Some(clause.sentence) {
            said.push('\n');
        }
        last = Some(clause.sentence);
        said.push_str(prose.get(clause.start..clause.end).unwrap_or_default());
        said.push(' ');
    }
    let again = read_with(&said, &Extra::default());
    let judged = review::judge_reading(&said, &again, settings);
    // An order to merge is near to words that amount to a verdict: a word of approval must be there.
    let named = |s: &Span| s.text.to_ascii_lowercase().contains("approv");
    if judged.is_approval && (judged.facts.formal() || judged.approvals.iter().any(named)) {
        out.proven = judged.verdict != Verdict::Block;
        out.approval = judged.approvals;
    }
}

/// Whether a claim is the writer's own, about all of the work: not about a branch, a commit or what others said.
fn is_own(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    let elsewhere = tokens
        .iter()
        .any(|t| t.tags.any(tag::BASE | tag::OTHER | tag::NEG | tag::BADRES));
    let first = tokens.iter().any(|t| t.tags.any(tag::FIRST));
    let all = tokens.iter().any(|t| {
        matches!(
            reading.word(t),
            "all" | "everything" | "every" | "모두" | "전부" | "다"
        ) || reading.word(t).starts_with("모든")
    });
    !elsewhere && (first || all)
}

/// What is missing behind a claim: no run of that kind was seen, or the last one failed.
pub(super) enum Lack {
    /// Nothing of the kind ran.
    Unseen,
    /// The last that ran failed.
    Failed,
}

/// What speaks against a claim. The tree is not looked at: a delegation may tell what held before the last edit.
pub(super) fn lacks(kind: ClaimKind, runs: &[CheckRun]) -> Option<Lack> {
    let takes = |run: &&CheckRun| match kind {
        ClaimKind::Check(kind) => run.kinds.cover(kind),
        ClaimKind::Verified | ClaimKind::Done => true,
    };
    match runs.iter().rev().find(takes) {
        None => Some(Lack::Unseen),
        Some(run) if crate::support::has_failed(run) => Some(Lack::Failed),
        Some(_) => None,
    }
}
