//! What a delegation says beside its orders: praise, an approval, a claim that checks pass. Read is what it tells
//! (CONTEXT, and what stands outside all sections); what it orders, asks, quotes, expects or makes a condition is none.

use crate::approval::{ClaimKind, claims};
use crate::response::{extra, praises};
use crate::review;
use proctor_kernel::{CheckRun, Mode, Span, Verdict};
use proctor_outline::Background;
use proctor_policy::{ResponseSettings, ReviewSettings};
use proctor_prose::{Act, Clause, Extra, Features, Reading, Token, TokenKind, read_shared, read_with, tag};
use std::ops::Range;

/// What was found in the words of a delegation. The spans lie in the delegation as it was given; where words stand there
/// in another form (the values of JSON put together), the span is all of it.
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

/// Reads the words of a delegation: for praise and approvals where those gates are not switched off, and for claims. The
/// user's own patterns and terms count. Pure, and linear in its length.
#[must_use]
pub fn words(text: &str, response: &ResponseSettings, review: &ReviewSettings) -> Words {
    let background = proctor_outline::background(text);
    let prose = background.text.as_str();
    let reading = read_shared(prose, &Extra::default());
    if reading.is_foreign() || reading.clauses.is_empty() {
        return Words::default();
    }
    let mut out = Words {
        korean: reading.mainly_korean(),
        ..Words::default()
    };
    let heard = told(&reading);
    let tells = |clause: &Clause| heard.get(clause.sentence).copied().unwrap_or(false);
    praise(&mut out, prose, response);
    if review.mode > Mode::Off {
        approval(&mut out, prose, &reading, &tells, review);
    }
    // A sentence may claim a hundred things: it is asked once whose they are.
    let mut asked: Option<(usize, bool)> = None;
    for claim in claims(prose, &reading) {
        let known = asked.filter(|(sentence, _)| *sentence == claim.sentence);
        let own = known.map_or_else(
            || {
                let from = reading.clauses.partition_point(|c| c.sentence < claim.sentence);
                let to = reading.clauses.partition_point(|c| c.sentence <= claim.sentence);
                let sentence = reading.clauses.get(from..to).unwrap_or_default();
                sentence.iter().all(tells)
                    && sentence.iter().any(|c| is_own(&reading, c))
                    && !sentence
                        .iter()
                        .any(|c| dated(&reading, c) || is_part(&reading, c))
            },
            |(_, own)| own,
        );
        asked = Some((claim.sentence, own));
        if claim.kind != ClaimKind::Done && own {
            out.claims.push((claim.kind, claim.span));
        }
    }
    place(&mut out, &background, text);
    out
}

/// Reads what praises, with the user's own patterns and terms.
fn praise(out: &mut Words, prose: &str, response: &ResponseSettings) {
    let extra = extra(response);
    let reading = read_shared(prose, &extra);
    out.chars = reading.clauses.iter().map(|c| c.chars).sum();
    if response.mode == Mode::Off {
        return;
    }
    let told = told(&reading);
    for clause in &reading.clauses {
        if told.get(clause.sentence).copied().unwrap_or(false)
            && praises(&reading, clause)
            && !describes(&reading, clause)
            && !assesses(&reading, clause)
        {
            out.praise_chars += clause.chars;
            out.praise
                .push(span(prose, clause.start..clause.end, "direct_praise"));
        }
    }
    let share = f64::from(out.praise_chars) / f64::from(out.chars.max(1));
    if !response.exceeds(share, response.threshold) {
        out.praise.clear();
    }
}

fn span(prose: &str, range: Range<usize>, label: &str) -> Span {
    Span {
        start: range.start,
        end: range.end,
        text: prose.get(range).unwrap_or_default().trim().to_owned(),
        label: label.to_owned(),
    }
}

/// Moves the spans from the told words into the delegation.
fn place(out: &mut Words, background: &Background, text: &str) {
    let claims = out.claims.iter_mut().map(|(_, span)| span);
    let mut spans: Vec<&mut Span> = out
        .praise
        .iter_mut()
        .chain(&mut out.approval)
        .chain(claims)
        .collect();
    if spans.is_empty() {
        return;
    }
    let told: Vec<Range<usize>> = spans.iter().map(|s| s.start..s.end).collect();
    for (span, place) in spans.iter_mut().zip(background.places(text, &told)) {
        match place {
            Some(range) => {
                (span.start, span.end) = (range.start, range.end);
                span.text = text.get(range).unwrap_or_default().to_owned();
            }
            None => (span.start, span.end) = (0, text.len()),
        }
    }
}

/// Which sentences tell something, by their number.
fn told(reading: &Reading) -> Vec<bool> {
    let mut out = vec![true; reading.clauses.last().map_or(0, |c| c.sentence + 1)];
    for clause in &reading.clauses {
        if let Some(tells) = out.get_mut(clause.sentence) {
            *tells &= !clause.features.any(OPEN) && !orders(reading, clause) && !of_others(reading, clause);
        }
    }
    out
}

/// Whether a clause hands on what somebody else said or decided: "Ann: looks good to me", 법무팀이 승인했습니다.
fn of_others(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    // A line of a conversation begins with a name.
    if let [name, mark, ..] = tokens
        && mark.is_punct(':')
        && name.kind == TokenKind::Word
        && name.capital
        && !name.caps
        && name.tags.is_empty()
    {
        return true;
    }
    // "Approved on 3 March", "approved by Kim".
    let told = |pair: &[Token]| match pair {
        [word, next] => {
            reading.word(word) == "approved"
                && matches!(reading.word(next), "on" | "by" | "at" | "since" | "until")
        }
        _ => false,
    };
    if tokens.windows(2).any(told) {
        return true;
    }
    let approved = tokens.iter().position(|t| {
        let word = reading.word(t);
        ["승인했", "승인하였", "승인하셨", "승인해"]
            .iter()
            .any(|w| word.starts_with(w))
    });
    approved.is_some_and(|at| {
        tokens
            .get(..at)
            .unwrap_or_default()
            .iter()
            .any(|t| is_subject(reading, t))
    })
}

/// Whether a Korean word is somebody else as a subject: 법무팀이, 밥이, 팀장님께서.
fn is_subject(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token);
    token.kind == TokenKind::Hangul
        && token.chars > 1
        && !token.tags.any(tag::FIRST | tag::WORK | tag::TECH)
        && !matches!(word, "제가" | "내가" | "우리가" | "저희가")
        && ["이", "가", "께서", "에서"].iter().any(|e| word.ends_with(e))
}

/// Whether a clause dates itself: what held yesterday or on Monday was seen by another session, if at all.
fn dated(reading: &Reading, clause: &Clause) -> bool {
    const DAYS: [&str; 16] = [
        "yesterday",
        "morning",
        "noon",
        "lunch",
        "evening",
        "night",
        "ago",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "week",
        "month",
    ];
    const KOREAN_DAYS: [&str; 9] = [
        "어제",
        "그제",
        "아침",
        "오전",
        "점심",
        "저녁",
        "지난",
        "며칠",
        "엊그제",
    ];
    reading.tokens_of(clause).iter().any(|t| {
        let word = reading.word(t);
        match t.kind {
            TokenKind::Word => DAYS.contains(&word),
            TokenKind::Hangul => KOREAN_DAYS.iter().any(|d| word.starts_with(d)) || word.contains("요일"),
            _ => false,
        }
    })
}

/// Whether a clause is about one place only, or about what was done by hand and left no run: "in Firefox", 사파리에서는.
fn is_part(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause);
    tokens.windows(2).any(|pair| match pair {
        [at, place] => {
            matches!(reading.word(at), "in" | "on" | "under" | "with") && place.capital && !place.caps
                || matches!((reading.word(at), reading.word(place)), ("by", "hand"))
        }
        _ => false,
    }) || tokens.iter().any(|t| {
        let word = reading.word(t);
        word == "manually"
            || t.kind == TokenKind::Hangul
                && (word.ends_with("에서는") || word.ends_with("에서만") || word.starts_with("손으로"))
    })
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

fn is_role(word: &str) -> bool {
    ROLES.contains(&word) || KOREAN_ROLES.iter().any(|r| word.starts_with(r))
}

/// Whether a clause says what somebody is to be, or gives the value of a label ("Thoroughness: very thorough").
fn describes(reading: &Reading, clause: &Clause) -> bool {
    if clause.features.has(Features::EXCLAMATION) {
        return false;
    }
    let tokens = reading.tokens_of(clause);
    let best = |word: &str| matches!(word, "best" | "greatest" | "finest") || word.starts_with("최고");
    let words = || tokens.iter().filter(|t| t.is_word()).map(|t| reading.word(t));
    let named = words().any(is_role) && !words().any(best);
    let addressed = words().take(3).any(|w| {
        matches!(w, "are" | "you're" | "as" | "be") || w.starts_with("당신") || w.starts_with("너는")
    });
    let labelled = tokens.iter().take(4).any(|t| t.is_punct(':'));
    // "We look for excellent engineers": what somebody is to be like.
    let sought = tokens
        .windows(2)
        .any(|pair| matches!(pair, [how, who] if how.tags.any(tag::PRAISE | tag::GOOD) && is_role(reading.word(who))));
    named && (addressed || sought) || labelled
}

/// Whether a clause weighs something up rather than praising the reader: in one sentence with its faults or with what
/// follows from it ("Draft A is well structured and misses the costs", "it is good at this, so use it"), as a preference
/// ("I like option B"), or together with what is wrong. A call, and what begins with praise or speaks to the reader, is
/// meant as it stands.
fn assesses(reading: &Reading, clause: &Clause) -> bool {
    let from = reading.clauses.partition_point(|c| c.sentence < clause.sentence);
    let to = reading.clauses.partition_point(|c| c.sentence <= clause.sentence);
    // Of a sentence without end its beginning tells enough.
    let sentence = reading
        .clauses
        .get(from..to.min(from + LONGEST))
        .unwrap_or_default();
    let tags = sentence.iter().fold(clause.tags, |all, c| all | c.tags);
    let first = sentence
        .iter()
        .flat_map(|c| reading.tokens_of(c))
        .find(|t| t.is_word());
    let loud = tag::PRAISE | tag::GOOD | tag::HYPE | tag::CHEER | tag::INTENS | tag::EXTRA;
    if tags.any(tag::CHEER) || sentence.iter().any(|c| c.features.has(Features::EXCLAMATION)) {
        return false;
    }
    // A reviewer who is told of is not spoken to.
    let spoken_to = |t: &Token| t.tags.any(tag::YOU) && !is_role(reading.word(t));
    let meant = sentence
        .iter()
        .any(|c| reading.tokens_of(c).iter().any(spoken_to))
        || first.is_some_and(|t| t.tags.any(loud));
    let content = |c: &&Clause| {
        let talk = matches!(
            c.act,
            Act::Praise | Act::SelfPraise | Act::Filler | Act::Confirmation | Act::Courtesy
        );
        c.chars > 0 && !talk && !c.tags.any(tag::APPROVE) && !praises(reading, c)
    };
    // A fair word without emphasis is no flattery: "Your summary was useful".
    let mild = !clause
        .tags
        .any(tag::PRAISE | tag::HYPE | tag::EMOTE | tag::INTENS | tag::EXTRA);
    // What somebody else feels, and a list of grades.
    let other = |t: &Token| t.tags.any(tag::OTHER | tag::ROLE) || is_role(reading.word(t));
    let feels = |t: &Token| t.tags.any(tag::EMOTE) || reading.word(t).starts_with("마음");
    let felt = first.is_some_and(other) && reading.tokens_of(clause).iter().any(feels);
    // What somebody did: 밥이 좋은 아이디어를 냈습니다.
    let did = clause.features.has(Features::PAST) && first.is_some_and(|t| is_subject(reading, t));
    let all = || sentence.iter().flat_map(|c| reading.tokens_of(c));
    let listed = all().filter(|t| t.is_punct(',')).count() > 1;
    let prefers = tags.any(tag::FIRST) && !tags.any(tag::WORK);
    mild || !meant
        && (felt || did || listed || prefers || tags.any(tag::BADRES) || sentence.iter().any(|c| content(&c)))
}

/// Most clauses of a sentence that are looked at together.
const LONGEST: usize = 16;

fn approval(
    out: &mut Words,
    prose: &str,
    reading: &Reading,
    tells: &dyn Fn(&Clause) -> bool,
    settings: &ReviewSettings,
) {
    // What the message orders is left out, so that no order is taken for a verdict or for what it rests on.
    let mut said = String::new();
    // Where each clause stands here and in the told words.
    let mut from: Vec<(usize, usize)> = Vec::new();
    let mut last = None;
    // "Last week I approved it by mistake" tells of a verdict and gives none.
    let past = |c: &Clause| c.tags.any(tag::APPROVE) && c.features.has(Features::PAST) && dated(reading, c);
    // "lint, build, test, approve, deploy": an entry among others is the name of a step.
    let single = |at: usize, sentence: usize| {
        let clause = reading.clauses.get(at).filter(|c| c.sentence == sentence);
        clause.is_some_and(|c| reading.tokens_of(c).iter().filter(|t| t.is_word()).count() == 1)
    };
    let entry = |at: usize, c: &Clause| {
        let before = at.checked_sub(1).is_some_and(|at| single(at, c.sentence));
        let from = reading
            .clauses
            .partition_point(|other| other.sentence < c.sentence);
        let many = reading
            .clauses
            .get(from + 3)
            .is_some_and(|other| other.sentence == c.sentence);
        many && single(at, c.sentence) && (before || single(at + 1, c.sentence))
    };
    let told = reading.clauses.iter().enumerate();
    for (_, clause) in told.filter(|(at, c)| tells(c) && !past(c) && !entry(*at, c)) {
        if last != Some(clause.sentence) {
            said.push('\n');
        }
        last = Some(clause.sentence);
        from.push((said.len(), clause.start));
        said.push_str(prose.get(clause.start..clause.end).unwrap_or_default());
        said.push(' ');
    }
    let again = read_with(&said, &Extra::default());
    let judged = review::judge_reading(&said, &again, settings);
    // An order to merge is near to words that amount to a verdict: a word of approval must be there.
    let named = |s: &Span| s.text.to_ascii_lowercase().contains("approv");
    if judged.is_approval && (judged.facts.formal() || judged.approvals.iter().any(named)) {
        out.proven = judged.verdict != Verdict::Block;
        let any = judged.approvals.iter().any(named);
        let words = judged.approvals.into_iter().filter(|s| !any || named(s));
        out.approval = words.collect();
        for span in &mut out.approval {
            let at = from.partition_point(|(here, _)| *here <= span.start);
            let (here, there) = at
                .checked_sub(1)
                .and_then(|i| from.get(i))
                .copied()
                .unwrap_or_default();
            (span.start, span.end) = (span.start - here + there, span.end - here + there);
        }
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
        ClaimKind::Check(kind) | ClaimKind::Ran(kind) | ClaimKind::Shown(kind) => {
            crate::support::covers(run, kind)
        }
        ClaimKind::Verified | ClaimKind::Done => true,
    };
    match runs.iter().rev().find(takes) {
        None => Some(Lack::Unseen),
        Some(run) if crate::support::has_failed(run) => Some(Lack::Failed),
        Some(_) => None,
    }
}
