//! Words that say which one of a series: ordinals, numbers, weekdays, sides. Where something is done or found, another of
//! them is another object; where something fails, waits or is tried again, they count the attempts.

use super::thought::is_talk;
use super::volatile;
use super::words::{Class, Kind, class};
use proctor_prose::{Reading, Token, TokenKind};

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];
const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
const SIDES: [&str; 14] = [
    "left", "right", "front", "back", "rear", "top", "bottom", "upper", "lower", "inner", "outer", "middle",
    "near", "far",
];
const KOREAN_ORDINALS: [&str; 10] = [
    "첫째",
    "둘째",
    "셋째",
    "넷째",
    "다섯째",
    "여섯째",
    "일곱째",
    "여덟째",
    "아홉째",
    "열째",
];
const KOREAN_NUMBERS: [&str; 10] = [
    "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열",
];
const KOREAN_SIDES: [&str; 9] = [
    "왼쪽",
    "오른쪽",
    "앞쪽",
    "뒤쪽",
    "위쪽",
    "아래쪽",
    "안쪽",
    "바깥쪽",
    "가운데",
];
const WEEKDAYS: [&str; 7] = [
    "월요일",
    "화요일",
    "수요일",
    "목요일",
    "금요일",
    "토요일",
    "일요일",
];

/// Whether a word says which one of a series is spoken of. The clause neither fails nor plans.
pub(super) fn tells(
    reading: &Reading,
    tokens: &[Token],
    classes: &[(Option<Class>, bool)],
    at: usize,
) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    let next = at + 1;
    let before = at
        .checked_sub(1)
        .and_then(|i| tokens.get(i))
        .map_or("", |t| reading.word(t));
    let behind = tokens.get(next).map_or("", |t| reading.word(t));
    if token.kind == TokenKind::Word {
        if ORDINALS.contains(&word) || SIDES.contains(&word) {
            return is_thing(reading, tokens, classes, next);
        }
        // "Two of five", "step two: copied".
        return NUMBERS.contains(&word)
            && (behind == "of"
                && !matches!(before, "this" | "that" | "any" | "every" | "each" | "the" | "no")
                || volatile::is_run_name(before) && tokens.get(next).is_none_or(|t| !t.is_word()));
    }
    if behind.starts_with("번째") {
        // 두 번째 선반, but 두 번째 시도
        return token.chars <= 3 && is_thing(reading, tokens, classes, next + 1);
    }
    let named = |list: &[&str]| {
        list.iter().any(|name| {
            word.strip_prefix(name)
                .is_some_and(|rest| rest.chars().count() <= 1)
        })
    };
    named(&WEEKDAYS)
        || (named(&KOREAN_ORDINALS) || named(&KOREAN_SIDES)) && is_thing(reading, tokens, classes, next)
}

/// Whether a single letter is the name of a thing: "test b fails", "option C". Those of attempts are none, and `a` before
/// another noun is an article.
pub(super) fn is_letter(
    reading: &Reading,
    tokens: &[Token],
    classes: &[(Option<Class>, bool)],
    at: usize,
) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = reading.word(token);
    let letter =
        token.kind == TokenKind::Word && word.len() == 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    if !letter || word == "i" || token.glued {
        return false;
    }
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    let name = tokens.get(before).map_or("", |t| reading.word(t));
    if !is_thing(reading, tokens, classes, before) && !matches!(name, "test" | "tests")
        || volatile::is_run_name(name)
        || volatile::is_id_name(name)
    {
        return false;
    }
    let Some(next) = tokens.get(at + 1) else {
        return true;
    };
    let told = classes
        .get(at + 1)
        .and_then(|(class, _)| *class)
        .is_some_and(|c| !matches!(c.kind, Kind::Thing | Kind::Weak | Kind::Act | Kind::Change));
    let verb = [
        "is", "was", "has", "does", "did", "now", "too", "also", "still", "and", "doesn't", "isn't",
    ];
    token.capital
        || matches!(next.kind, TokenKind::Punct(_))
        || next.kind == TokenKind::Hangul && next.glued
        || told
        || verb.contains(&reading.word(next))
}

/// Whether a Korean number says how many of a whole: 다섯 개 중 둘. The word before it also says that something is under way.
pub(super) fn is_share(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |t| reading.word(t));
    // Single syllables in a row are read as one word: 개중둘.
    if let Some((_, number)) = word(at).split_once('중') {
        return KOREAN_NUMBERS.contains(&number);
    }
    let before = at.checked_sub(1).map_or("", word);
    KOREAN_NUMBERS.contains(&word(at))
        && ["중", "중에", "중에서", "가운데"]
            .iter()
            .any(|k| before.ends_with(k))
}

/// Whether a noun stands there, and none for an attempt: "page", but not "try", "look" or "open".
fn is_thing(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)], at: usize) -> bool {
    let Some(token) = tokens.get(at).filter(|t| t.is_word()) else {
        return false;
    };
    let word = reading.word(token);
    if volatile::is_attempt_name(word) {
        return false;
    }
    match classes.get(at).and_then(|(class, _)| *class) {
        Some(c) => matches!(c.kind, Kind::Thing | Kind::Weak) && c.id != class::TRY,
        None => !is_talk(token),
    }
}
