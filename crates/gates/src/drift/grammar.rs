//! What a clause says happened: outcomes, denials, and words that only look like them.

use super::thought::{States, is_talk};
use super::words::{Class, Kind, class};
use proctor_prose::{Reading, Token, TokenKind, tag};

/// The state that a word tells of, one bit; a denial turns it round.
pub(super) fn state(kind: Kind, negated: bool, waits: bool) -> u8 {
    match (kind, negated) {
        (Kind::Good, false) | (Kind::Bad, true) => States::GOOD,
        (Kind::Bad, false) | (Kind::Good, true) => States::BAD,
        (Kind::Done, _) if waits => States::WAIT,
        (Kind::Done, false) => States::DONE,
        (Kind::Done, true) | (Kind::Wait, _) => States::WAIT,
        (Kind::Missing, false) | (Kind::Found, true) => States::MISSING,
        (Kind::Found, false) => States::FOUND,
        _ => 0,
    }
}

/// Outcomes that the words of a clause tell of: all of them, and those that are not said by the way.
pub(super) fn states(
    reading: &Reading,
    tokens: &[Token],
    classes: &[(Option<Class>, bool)],
    negated: bool,
) -> (u8, u8) {
    let is = |id: u16| classes.iter().any(|(c, _)| c.is_some_and(|c| c.id == id));
    let waits = is(class::WAIT) || is(class::AGAIN) && is(class::RUN) && is_still(reading, tokens);
    let mut all = if waits { States::WAIT } else { 0 };
    let mut said = all;
    for (at, (class, _)) in classes.iter().enumerate() {
        let Some(class) = class else { continue };
        if class.id == class::LOOK && negated {
            all |= States::MISSING;
            said |= States::MISSING;
            continue;
        }
        let bit = state(
            class.kind,
            negated && denies_state(reading, tokens, classes, at),
            waits,
        );
        let Some(token) = tokens.get(at).filter(|_| bit != 0) else {
            continue;
        };
        let word = reading.word(token);
        if is_purpose(word) {
            continue;
        }
        all |= bit;
        if !is_attribute(reading, token, tokens.get(at + 1), class) {
            said |= bit;
        }
    }
    (all, said)
}

/// "Still running" is waiting.
fn is_still(reading: &Reading, tokens: &[Token]) -> bool {
    tokens.iter().any(|t| {
        reading.word(t) == "still"
            || reading.word(t).starts_with("여전히")
            || reading.word(t).starts_with("계속")
    })
}

/// A Korean word that says what for, not what is: 없도록, 되려면, 되는지.
fn is_purpose(word: &str) -> bool {
    ["도록", "려면", "는지", "기를", "때까지", "을지", "길", "없이"]
        .iter()
        .any(|e| word.ends_with(e))
}

/// Whether a word of state only describes the noun behind it: the failing test, 깨진 테스트.
fn is_attribute(reading: &Reading, token: &Token, next: Option<&Token>, class: &Class) -> bool {
    let Some(next) = next.filter(|n| !matches!(n.kind, TokenKind::Punct(_) | TokenKind::Emoji)) else {
        return false;
    };
    let word = reading.word(token);
    match token.kind {
        TokenKind::Hangul => word.ends_with(['는', '은', '진', '된', '한', '던']) && class.kind != Kind::Wait,
        _ => {
            matches!(
                word,
                "failing" | "broken" | "missing" | "absent" | "failed" | "red" | "bad" | "flaky" | "stuck"
            ) && next.is_word()
                && !is_talk(next)
        }
    }
}

/// Whether a denial in the clause is about the word of state at this place: `did not pass`, `통과하지 않`, `안 됨`.
pub(super) fn denies_state(
    reading: &Reading,
    tokens: &[Token],
    classes: &[(Option<Class>, bool)],
    at: usize,
) -> bool {
    let denies = |i: usize| {
        tokens
            .get(i)
            .is_some_and(|t| is_negation(reading, tokens, classes, i, t))
    };
    match tokens.get(at).map(|t| t.kind) {
        Some(TokenKind::Hangul) => {
            denies(at)
                || denies(at + 1)
                || at.checked_sub(1).is_some_and(|i| {
                    tokens
                        .get(i)
                        .is_some_and(|t| matches!(reading.word(t), "안" | "못"))
                })
        }
        _ => {
            (at.saturating_sub(5)..at).any(denies)
                || tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Hangul)
                    && (denies(at + 1) || denies(at + 2))
        }
    }
}

/// Whether the clause denies. Words of a listed phrase ("not found") deny nothing beyond it.
pub(super) fn is_negated(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)]) -> bool {
    tokens
        .iter()
        .enumerate()
        .any(|(at, token)| is_negation(reading, tokens, classes, at, token))
}

fn is_negation(
    reading: &Reading,
    tokens: &[Token],
    classes: &[(Option<Class>, bool)],
    at: usize,
    token: &Token,
) -> bool {
    let word = reading.word(token);
    match token.kind {
        TokenKind::Word => {
            !classes.get(at).is_some_and(|c| c.1)
                && (token.tags.any(tag::NEG) || word.ends_with("n't"))
                && !token.quoted
        }
        TokenKind::Hangul => {
            let before = at
                .checked_sub(1)
                .and_then(|i| tokens.get(i))
                .map_or("", |t| reading.word(t));
            word == "안"
                || word.contains(['않', '못'])
                || ["안되", "아니", "아닙", "아닌"]
                    .iter()
                    .any(|n| word.starts_with(n))
                || word.starts_with('없') && matches!(before, "수" | "수가" | "수는" | "수도")
        }
        _ => false,
    }
}

/// Whether the clause denies that something is the one: `it isn't the cache`, `캐시는 아닙니다`.
pub(super) fn is_denial(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)]) -> bool {
    let copula = tokens.iter().enumerate().any(|(at, token)| {
        let word = reading.word(token);
        let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
        ["아니", "아닙", "아닌", "아님"]
            .iter()
            .any(|n| word.starts_with(n))
            || matches!(word, "isn't" | "wasn't" | "aren't" | "weren't")
            || next == "not" && (matches!(word, "is" | "was" | "are" | "were") || word.ends_with("'s"))
    });
    let content = tokens
        .iter()
        .zip(classes)
        .filter(|(token, (class, phrase))| match class {
            Some(c) => !matches!(c.kind, Kind::Filler | Kind::Weak),
            None => {
                !phrase && !is_talk(token) && !matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji)
            }
        });
    copula && content.count() <= 2
}

/// Whether a Korean verb for seeing stands behind another verb and means "try".
pub(super) fn is_auxiliary(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let starts = |t: &Token| {
        t.kind == TokenKind::Hangul && reading.word(t).starts_with(['보', '봅', '봐', '볼', '봤'])
    };
    let before = at.checked_sub(1).and_then(|i| tokens.get(i));
    let (Some(token), Some(before)) = (tokens.get(at), before) else {
        return false;
    };
    if !starts(token) || before.kind != TokenKind::Hangul {
        return false;
    }
    reading.word(before).chars().next_back().is_some_and(|c| {
        matches!(c, '\u{ac00}'..='\u{d7a3}') && {
            let index = c as u32 - 0xac00;
            // An open syllable with one of the vowels ㅏ ㅐ ㅓ ㅕ ㅘ ㅝ: 해, 꿔, 려, 가.
            index.is_multiple_of(28)
                && matches!(index / 28 % 21, 0 | 1 | 4 | 6 | 9 | 14)
                && !matches!(c, '가' | '나')
        }
    })
}
