//! What words make of a figure for others: the most that may be, the least, what was expected.

use super::{Heard, Of, signal2};
use crate::lexicon::Filter;
use crate::outcome::{Outcome, count};
use crate::reading::Reading;
use crate::token::{Token, TokenKind};

/// Marks of what a figure is to others: the most that may be, the least, what was expected.
const MOST_MAY: u32 = 16;
const LEAST_MAY: u32 = 32;
const EXPECTED: u32 = 64;

/// The one mark of a bound among others; two of them tell nothing.
pub(super) fn bounds_between(marks: u32) -> u32 {
    match marks & (MOST_MAY | LEAST_MAY | EXPECTED) {
        one @ (MOST_MAY | LEAST_MAY | EXPECTED) => one,
        _ => 0,
    }
}

/// Whether a figure keeps to the one that its words call a limit or an expectation: "517 KB (slot is 512)", "41 s,
/// the label says 30".
pub(super) fn bound(first: u64, second: u64, bounds: [u32; 2], outcome: &mut Outcome, out: &mut Heard) {
    // The words in front of a figure are about it: those between the two are about the second.
    let (measured, wanted, which) = match bounds {
        [0, 0] => return,
        [_, behind] if behind != 0 => (first, second, behind),
        [before, _] => (second, first, before),
    };
    // Within a fiftieth it is the same.
    let near = measured.abs_diff(wanted) <= wanted / 50;
    let kept = match which {
        MOST_MAY => measured <= wanted,
        LEAST_MAY => measured >= wanted,
        _ => near,
    };
    count(if kept {
        &mut outcome.better
    } else {
        &mut outcome.worse
    });
    out.push(signal2(Of::Progress, which, u32::from(kept)));
}

static BOUNDS: Filter = Filter::of(&BOUND_WORDS);
const BOUND_WORDS: [&str; 43] = [
    "budget",
    "limit",
    "limits",
    "allowed",
    "max",
    "maximum",
    "cap",
    "ceiling",
    "slot",
    "most",
    "under",
    "below",
    "within",
    "tolerance",
    "allowance",
    "quota",
    "permitted",
    "min",
    "minimum",
    "least",
    "floor",
    "above",
    "expected",
    "expects",
    "expect",
    "wanted",
    "wants",
    "want",
    "spec",
    "should",
    "supposed",
    "reference",
    "certificate",
    "nominal",
    "label",
    "specified",
    "sheet",
    "asked",
    "correct",
    "required",
    "requires",
    "calls",
    "promised",
];

/// Whether an English word may make something of the figure behind it.
pub(super) fn may_bound(token: &Token) -> bool {
    token.may_be(&BOUNDS)
}

/// What a word makes of the figure behind it.
pub(super) fn bounding(reading: &Reading, token: &Token) -> u32 {
    match token.kind {
        TokenKind::Word if token.may_be(&BOUNDS) => english(reading.word(token)),
        TokenKind::Hangul => korean(reading.word(token)),
        _ => 0,
    }
}

fn english(word: &str) -> u32 {
    match word {
        "budget" | "limit" | "limits" | "allowed" | "max" | "maximum" | "cap" | "ceiling" | "slot"
        | "most" | "under" | "below" | "within" | "tolerance" | "allowance" | "quota" | "permitted" => {
            MOST_MAY
        }
        "min" | "minimum" | "least" | "floor" | "above" => LEAST_MAY,
        "expected" | "expects" | "expect" | "wanted" | "wants" | "want" | "spec" | "should" | "supposed"
        | "reference" | "certificate" | "nominal" | "label" | "specified" | "sheet" | "asked" | "correct"
        | "required" | "requires" | "calls" | "promised" => EXPECTED,
        _ => 0,
    }
}

fn korean(word: &str) -> u32 {
    let starts = |stems: &[&str]| stems.iter().any(|stem| word.starts_with(stem));
    if starts(&["한도", "상한", "예산", "허용", "최대", "제한"]) {
        MOST_MAY
    } else if starts(&["하한", "최소"]) {
        LEAST_MAY
    } else if starts(&[
        "기대",
        "예상",
        "명세",
        "요구",
        "정답",
        "목표",
        "스펙",
        "규격",
        "기댓값",
        "정상",
    ]) {
        EXPECTED
    } else {
        0
    }
}
