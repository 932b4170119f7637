//! What was done by hand and did nothing: "I pressed save and nothing happened", 눌러도 반응이 없습니다.
//!
//! Only an action whose point is that something comes of it tells a fault this way: that nothing happened when the power was
//! cut, or when something wrong was typed, is what one hopes for, and "no change in the totals" is a result. What came out
//! wrong in other words is left to the models.

use proctor_prose::{Clause, Features, Filter, Kinds, Reading, Tags, Token, TokenKind, tag};

/// What was not seen, or not now.
const UNSAID: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::FUTURE)
    .or(Features::CONDITIONAL)
    .or(Features::HEARSAY)
    .or(Features::IMPERATIVE);

/// Doing something with a thing.
const ACTS: Tags = Tags(tag::HANDS.0 | tag::RUN.0);

/// Whether the text tells of an action that did nothing.
pub(super) fn happened(reading: &Reading) -> bool {
    let mut words = reading
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| may_be_naught(t));
    let mut from = 0;
    while let Some((at, _)) = words.find(|(at, _)| *at >= from) {
        let index = reading.clauses.partition_point(|c| c.tokens.end <= at);
        let Some(clause) = reading.clauses.get(index) else {
            break;
        };
        if !naught(reading, clause, at) {
            continue;
        }
        let clauses = sentence(reading, clause.sentence);
        from = clauses.last().map_or(at + 1, |c| c.tokens.end);
        let prose = reading
            .blocks
            .get(clause.block)
            .is_some_and(|b| b.kind.is_prose());
        let by_hand = clauses.iter().any(|c| c.tags.any(tag::HANDS));
        let acts = clauses.iter().any(|c| {
            let own = c.features.has(Features::FIRST_PERSON.or(Features::PAST));
            if c.kinds.any(Kinds::HANGUL) {
                by_hand
            } else {
                c.tags.any(ACTS) || own
            }
        });
        if prose && acts && !clauses.iter().any(|c| unsaid(reading, c)) && !adverse(reading, clauses) {
            return true;
        }
    }
    false
}

/// The clauses of a sentence.
fn sentence(reading: &Reading, number: usize) -> &[Clause] {
    let from = reading.clauses.partition_point(|c| c.sentence < number);
    let to = reading.clauses.partition_point(|c| c.sentence <= number);
    reading.clauses.get(from..to).unwrap_or_default()
}

/// Whether a word is one of those of which one stands in every clause that says that nothing came of it.
fn may_be_naught(token: &Token) -> bool {
    token.lacks() | token.may_be(&NONE)
}

/// Whether a clause tells what was not seen, is not so now, or was meant to be.
fn unsaid(reading: &Reading, clause: &Clause) -> bool {
    let expected = reading.tokens_of(clause).windows(2).any(|pair| {
        matches!(pair, [a, b] if reading.word(a) == "as" && matches!(reading.word(b), "it" | "expected" | "intended"))
    });
    expected || clause.features.any(UNSAID) || clause.tags.any(tag::BASE)
}

/// Words of which one stands in every English clause that says that nothing came of it; in Korean there is none without 없.
static NONE: Filter = Filter::of(&["nothing", "no", "any"]);

/// Whether a clause says that nothing came of it, with one of these words as the token at `at`.
fn naught(reading: &Reading, clause: &Clause, at: usize) -> bool {
    let tokens = reading.tokens_of(clause);
    let Some(at) = at.checked_sub(clause.tokens.start) else {
        return false;
    };
    let word = |at: usize| {
        let token = tokens.get(at).filter(|t| t.is_word() && !t.quoted && !t.struck);
        token.map_or("", |t| reading.word(t))
    };
    let goes_on = |at: usize| {
        matches!(
            word(at),
            "in" | "on" | "to" | "of" | "for" | "else" | "wrong" | "bad" | "but"
        )
    };
    let before = || at.checked_sub(1).map_or("", word);
    let english = match word(at) {
        "nothing" => {
            matches!(word(at + 1), "happened" | "happens") && !goes_on(at + 2)
                || matches!(before(), "did" | "does") && !goes_on(at + 1) && !by_writer(reading, tokens, at)
        }
        "no" | "any" => {
            matches!(
                word(at + 1),
                "reaction" | "response" | "effect" | "answer" | "reply"
            ) && !goes_on(at + 2)
        }
        _ => false,
    };
    let noun = |w: &str| {
        ["반응", "변화", "응답", "효과"].iter().any(|stem| {
            w.strip_prefix(stem)
                .is_some_and(|p| matches!(p, "이" | "가" | "도"))
        })
    };
    let none = tokens
        .get(at)
        .is_some_and(|t| t.kind == TokenKind::Hangul && t.lacks());
    let all = |at: usize| word(at).starts_with("아무") && word(at + 1).starts_with('일');
    english || none && (noun(before()) || at.checked_sub(2).is_some_and(all))
}

/// Whether the "did" before `at` is the writer's own: "I did nothing".
fn by_writer(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let subject = at.checked_sub(2).and_then(|i| tokens.get(i));
    subject.is_none_or(|t| t.tags.any(tag::FIRST) || reading.word(t) == "not")
}

/// Whether a sentence tells of something that should do no harm: the power was cut, something wrong was typed.
fn adverse(reading: &Reading, clauses: &[Clause]) -> bool {
    let english = |w: &str| {
        matches!(
            w,
            "pulled"
                | "unplugged"
                | "killed"
                | "cut"
                | "dropped"
                | "disconnected"
                | "stopped"
                | "crashed"
                | "cancel"
                | "cancelled"
                | "canceled"
                | "wrong"
                | "invalid"
                | "expired"
                | "without"
                | "disabled"
                | "removed"
        )
    };
    let korean = |w: &str| {
        [
            "뽑",
            "끄",
            "껐",
            "끊",
            "죽",
            "취소",
            "잘못",
            "틀린",
            "권한",
            "없이",
            "만료",
            "빼",
            "뺐",
            "비활성",
        ]
        .iter()
        .any(|stem| w.starts_with(stem))
    };
    clauses
        .iter()
        .flat_map(|c| reading.tokens_of(c))
        .any(|t| english(reading.word(t)) || t.kind == TokenKind::Hangul && korean(reading.word(t)))
}
