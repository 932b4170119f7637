//! How the figures of a clause compare: "390 ms, main 1,840" is less than before, "38 of the 40" is a part.

use super::bounds::{bound, bounding, bounds_between, may_bound};
use super::{Heard, Of, key, signal, signal2};
use crate::features::Kinds;
use crate::figure;
use crate::lexicon::{Filter, tag};
use crate::outcome::{Outcome, count, more_is_better};
use crate::reading::{Clause, Reading};
use crate::token::{Token, TokenKind};
use std::cmp::Ordering;

/// A figure that was met: its value in thousandths, what it counts, and the marks that stood before it.
#[derive(Clone, Copy)]
struct Met {
    value: u64,
    sort: u32,
    marks: u32,
    /// What its words make of it for others: the most or the least that may be, or what was expected.
    bounds: u32,
}

/// Writes how each figure of a clause compares with the one before it in the sentence, and what is a part of what.
/// `links` tells whether one of its words [may link](may_link) a part and its whole.
pub(super) fn relations(
    reading: &Reading,
    index: usize,
    links: bool,
    outcome: &mut Outcome,
    out: &mut Heard,
) {
    let Some(clause) = reading.clauses.get(index) else {
        return;
    };
    let tokens = reading.tokens_of(clause);
    let figures = clause.kinds.any(Kinds::NUMBER);
    if figures {
        compare(reading, clause, index, outcome, out);
    }
    // Without a word that says so nothing is a part of something. Numbers may be words.
    if links && (figures || tokens.iter().any(|t| t.is_word() & t.may_be(&NUMBERS))) {
        shares(reading, clause, outcome, out);
    }
}

/// Writes how each figure of a clause compares with the one before it in the sentence.
fn compare(reading: &Reading, clause: &Clause, index: usize, outcome: &mut Outcome, out: &mut Heard) {
    let before = index
        .checked_sub(1)
        .and_then(|i| reading.clauses.get(i))
        .filter(|c| c.sentence == clause.sentence);
    // A single figure compares with none.
    let figures = |t: &&Token| t.kinds.any(Kinds::NUMBER);
    let count = reading.tokens_of(clause).iter().filter(figures).count();
    if count < 2 && !before.is_some_and(|before| before.kinds.any(Kinds::NUMBER)) {
        return;
    }
    let mut last: Option<Met> = None;
    let mut between = 0;
    let mut found = 0;
    for (inside, part) in [(false, before), (true, Some(clause))] {
        let Some(part) = part else { continue };
        let tokens = reading.tokens_of(part);
        for (at, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Number {
                between |= marks(reading, token);
                continue;
            }
            let Some((value, behind)) = figure::value(reading.word(token)) else {
                continue;
            };
            let next = tokens.get(at + 1).filter(|t| t.is_word());
            let (sort, factor) = match (behind, next) {
                ("", Some(next)) => match figure::unit(reading.word(next)) {
                    (0, _) => (key(reading.word(next)) | 64, 1),
                    known => known,
                },
                ("", None) => (0, 1),
                (behind, _) if behind.starts_with(['/', ':', '-']) => continue,
                (behind, _) => figure::unit(behind),
            };
            let value = value.saturating_mul(factor);
            if let Some(other) = last.filter(|_| inside && found < MOST) {
                let same = other.sort == sort;
                if same || sort == 0 || other.sort == 0 || between & (VERSUS | BASE) != 0 {
                    found += 1;
                    let bounds = [other.bounds, bounds_between(between)];
                    let between = between & PLAIN;
                    let way = way(value.cmp(&other.value));
                    let most = sort.max(other.sort);
                    let family = if most < 8 { most } else { 8 };
                    out.push(signal2(Of::Relation, way, u32::from(same)));
                    out.push(signal2(Of::RelationSort, way, family));
                    out.push(signal2(Of::RelationBy, way, between));
                    out.push(signal2(Of::RelationBy, way + 4 * (family + 1), between));
                    let way = change(
                        reading,
                        [before, Some(clause)],
                        other,
                        value,
                        between,
                        family,
                        out,
                    );
                    if same || sort == 0 || other.sort == 0 {
                        bound(other.value, value, bounds, outcome, out);
                    }
                    judge(reading, clause, before, way, family, outcome, out);
                }
            }
            last = Some(Met {
                value,
                sort,
                marks: between & PLAIN,
                bounds: bounds_between(between),
            });
            between = 0;
        }
    }
}

/// Less, equal or greater as a number.
fn way(order: Ordering) -> u32 {
    match order {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 3,
    }
}

/// Whether something grew or shrank with the change, and what the sentence is about.
fn change(
    reading: &Reading,
    parts: [Option<&Clause>; 2],
    first: Met,
    second: u64,
    between: u32,
    family: u32,
    out: &mut Heard,
) -> Option<Ordering> {
    // "was 890, is 310" and "from 890 to 310" begin with the old value, "310, was 890" ends with it.
    let old_first = first.marks & BASE != 0 || between & TO != 0 && between & BASE == 0;
    let new_first = !old_first && between & (BASE | VERSUS) != 0;
    if !old_first && !new_first {
        return None;
    }
    let order = if old_first {
        second.cmp(&first.value)
    } else {
        first.value.cmp(&second)
    };
    let way = way(order);
    out.push(signal(Of::Change, way));
    out.push(signal2(Of::ChangeSort, way, family));
    let words = parts.into_iter().flatten().flat_map(|c| reading.tokens_of(c));
    for token in words
        .filter(|t| t.is_word() && !t.tags.any(tag::STOP))
        .take(WORDS)
    {
        out.push(signal2(Of::ChangeWord, way, token.hash));
    }
    Some(order)
}

/// Whether the change is for the better, by what is measured.
fn judge(
    reading: &Reading,
    clause: &Clause,
    before: Option<&Clause>,
    order: Option<Ordering>,
    family: u32,
    outcome: &mut Outcome,
    out: &mut Heard,
) {
    let more = match order {
        Some(Ordering::Greater) => true,
        Some(Ordering::Less) => false,
        _ => return,
    };
    let gain = more_is_better(reading, clause, 0)
        .or_else(|| before.and_then(|c| more_is_better(reading, c, 0)))
        .or_else(|| more_is_better(reading, clause, family));
    let Some(gain) = gain else { return };
    let better = gain == more;
    count(if better {
        &mut outcome.better
    } else {
        &mut outcome.worse
    });
    out.push(signal(Of::Progress, u32::from(better)));
}

/// Parts of a whole: "38 of the 40", "세 개 중 하나".
fn shares(reading: &Reading, clause: &Clause, outcome: &mut Outcome, out: &mut Heard) {
    let tokens = reading.tokens_of(clause);
    let mut last: Option<u64> = None;
    let mut link = 0;
    let mut gap = 0;
    let mut found = 0;
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(
            token.kind,
            TokenKind::Number | TokenKind::Word | TokenKind::Hangul
        ) {
            continue;
        }
        let value = match token.kind {
            TokenKind::Number => figure::value(reading.word(token))
                .filter(|(_, behind)| behind.is_empty())
                .map(|(v, _)| v),
            _ if NUMBERS.may_hold(token.hash) => number_word(reading.word(token)),
            _ => None,
        };
        if let Some(value) = value {
            let pair = match (link, last) {
                (1, Some(part)) => Some((part, value)),
                (2, Some(whole)) => Some((value, whole)),
                _ => None,
            };
            if let Some((part, whole)) = pair.filter(|(part, whole)| part <= whole && *whole > 0)
                && found < MOST
            {
                found += 1;
                let state = match part {
                    0 => 1,
                    p if p == whole => 2,
                    p if p * 2 < whole => 3,
                    _ => 4,
                };
                count(if state == 2 {
                    &mut outcome.all
                } else {
                    &mut outcome.part
                });
                let results = u32::from(clause.tags.any(tag::OKRES))
                    + 2 * u32::from(clause.tags.any(tag::BADRES))
                    + 4 * u32::from(clause.tags.any(tag::NEG));
                out.push(signal(Of::Share, state));
                out.push(signal2(Of::ShareResult, state, results));
                let rest = tokens.get(at + 1..).unwrap_or_default();
                let words = rest.iter().filter(|t| t.is_word() && !t.tags.any(tag::STOP));
                for next in words.take(3) {
                    out.push(signal2(Of::ShareWord, state, next.hash));
                }
            }
            (last, link, gap) = (Some(value), 0, 0);
        } else if last.is_some() {
            match reading.word(token) {
                "of" => link = 1,
                "중" | "중에" | "중에서" | "가운데" => link = 2,
                _ => gap += 1,
            }
            if gap > 2 {
                (last, link) = (None, 0);
            }
        }
    }
}

/// Whether a word may stand between a part and its whole, or behind a whole.
#[inline]
pub(super) fn may_link(token: &Token) -> bool {
    token.may_be(&LINKS)
}

/// Words between a part and its whole, or behind a whole.
static LINKS: Filter = Filter::of(&["of", "중", "중에", "중에서", "가운데"]);

/// Number words that are looked for.
static NUMBERS: Filter = Filter::of(&[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "none",
    "twenty",
    "thirty",
    "하나",
    "하나가",
    "한",
    "둘",
    "둘이",
    "두",
    "셋",
    "셋이",
    "세",
    "넷",
    "넷이",
    "네",
    "다섯",
    "여섯",
    "일곱",
    "여덟",
    "아홉",
    "열",
    "스무",
]);

/// The value of a number word in thousandths.
fn number_word(word: &str) -> Option<u64> {
    let value = match word {
        "none" => 0,
        "one" | "하나" | "하나가" | "한" => 1,
        "two" | "둘" | "둘이" | "두" => 2,
        "three" | "셋" | "셋이" | "세" => 3,
        "four" | "넷" | "넷이" | "네" => 4,
        "five" | "다섯" => 5,
        "six" | "여섯" => 6,
        "seven" | "일곱" => 7,
        "eight" | "여덟" => 8,
        "nine" | "아홉" => 9,
        "ten" | "열" => 10,
        "eleven" => 11,
        "twelve" => 12,
        "twenty" | "스무" => 20,
        "thirty" => 30,
        _ => return None,
    };
    Some(value * 1_000)
}

/// Pairs of figures looked at in one clause.
const MOST: u32 = 4;
/// Words that a change may be of.
const WORDS: usize = 16;
/// Marks between two figures: the state before, a comparison, a movement, a limit.
const BASE: u32 = 1;
const VERSUS: u32 = 2;
const TO: u32 = 4;
const LIMIT: u32 = 8;
/// Those of them that tell how two figures compare.
const PLAIN: u32 = 15;

/// Words that stand for the state before, for a comparison, for a movement or for a limit.
static MARKS: Filter = Filter::of(&[
    "was",
    "were",
    "used",
    "formerly",
    "earlier",
    "originally",
    "원래",
    "전에는",
    "전엔",
    "전",
    "종전",
    "instead",
    "vs",
    "versus",
    "than",
    "against",
    "compared",
    "대비",
    "대신",
    "보다",
    "비해",
    "to",
    "→",
    "->",
    "down",
    "up",
    "budget",
    "limit",
    "target",
    "allowed",
    "threshold",
    "max",
    "cap",
    "goal",
    "under",
    "below",
    "within",
    "spec",
    "expected",
    "required",
]);

/// What a word between two figures makes of them.
fn marks(reading: &Reading, token: &Token) -> u32 {
    // Most tell nothing, and which one does nobody can foresee. A mark has no letters.
    let plain = token.plain | (token.kinds.any(Kinds::MARK) & !token.is_punct('→'));
    let listed = token.may_be(&MARKS) | may_bound(token) | token.tags.any(tag::BASE);
    if plain & !listed {
        return 0;
    }
    let mut out = bounding(reading, token);
    if token.tags.any(tag::BASE) {
        out |= BASE;
    }
    if token.is_punct('→') {
        out |= TO;
    }
    if token.may_be(&MARKS) {
        out |= match reading.word(token) {
            "was" | "were" | "used" | "formerly" | "earlier" | "originally" | "원래" | "전에는" | "전엔"
            | "전" | "종전" => BASE,
            "instead" | "vs" | "versus" | "than" | "against" | "compared" | "대비" | "대신" | "보다"
            | "비해" => VERSUS,
            "to" | "→" | "->" | "down" | "up" => TO,
            "budget" | "limit" | "target" | "allowed" | "threshold" | "max" | "cap" | "goal" | "under"
            | "below" | "within" | "spec" | "expected" | "required" => LIMIT,
            _ => 0,
        };
    }
    // What follows looks for Korean letters.
    if reading.bytes(token).first().is_none_or(u8::is_ascii) {
        return out;
    }
    let word = reading.word(token);
    if token.kind == TokenKind::Hangul {
        let left = ["에서", "던", "였는데", "었는데", "였다가"];
        if left.iter().any(|e| word.ends_with(e)) {
            out |= TO;
        }
    }
    let limit = [
        "목표", "기준", "한도", "상한", "예산", "허용", "이내", "이하", "미만",
    ];
    if limit.iter().any(|w| word.starts_with(w)) {
        out |= LIMIT;
    }
    out
}
