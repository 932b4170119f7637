//! What came of something, clause by clause: words that speak for it or against it, each said or denied, parts of a
//! whole, and figures that got better or worse.

use crate::features::Kinds;
use crate::lexicon::{Filter, hash_of, tag};
use crate::reading::{Clause, Reading};
use crate::tags::Tags;
use crate::token::{Token, TokenKind};

/// Counts of one clause, none above three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Words that speak against it: lost, blank, 어긋나.
    pub against: u8,
    /// The same, denied: nothing lost, 유실 없음.
    pub against_denied: u8,
    /// Words that speak for it: identical, arrived, 일치.
    pub good: u8,
    /// The same, denied: doesn't match, 일치하지 않.
    pub good_denied: u8,
    /// Parts of a whole: 38 of the 40.
    pub part: u8,
    /// The whole: 40 of 40.
    pub all: u8,
    /// Figures that changed for the better, by what is measured.
    pub better: u8,
    /// Figures that changed for the worse.
    pub worse: u8,
}

/// Adds one, up to three.
pub(crate) fn count(slot: &mut u8) {
    *slot = slot.saturating_add(1).min(3);
}

/// How far in front of a word an English denial may stand, and behind it a Korean one.
const AHEAD: usize = 4;
const BEHIND: usize = 2;

/// Words that speak against something, and for it.
const BAD: Tags = Tags(tag::WORSE.0 | tag::BADRES.0);
const FINE: Tags = Tags(tag::AGREE.0 | tag::OKRES.0);

/// Whether a token tells of the outcome.
pub(crate) fn tells(token: &Token) -> bool {
    !token.quoted & token.tags.any(BAD.or(FINE))
}

/// Reads the words of a clause; figures are added by those who compare them. `telling` are those of its first 64 tokens that
/// tell of the outcome, a bit each.
pub(crate) fn words(reading: &Reading, clause: &Clause, mut telling: u64) -> Outcome {
    let mut out = Outcome::default();
    let tokens = reading.tokens_of(clause);
    while telling != 0 {
        word(reading, tokens, telling.trailing_zeros() as usize, &mut out);
        telling &= telling - 1;
    }
    for at in 64..tokens.len() {
        if tokens.get(at).is_some_and(tells) {
            word(reading, tokens, at, &mut out);
        }
    }
    out
}

/// Reads a word that tells of the outcome.
fn word(reading: &Reading, tokens: &[Token], at: usize, out: &mut Outcome) {
    let Some(token) = tokens.get(at) else { return };
    let denied = denied(reading, tokens, at);
    match (token.tags.any(BAD), token.tags.any(FINE), denied) {
        (true, false, false) => count(&mut out.against),
        (true, false, true) => count(&mut out.against_denied),
        (false, true, false) => count(&mut out.good),
        (false, true, true) => count(&mut out.good_denied),
        _ => {}
    }
}

/// Whether a word is denied: by a word of denial or none in front of it in English, behind or within it in Korean.
fn denied(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let no = |t: &Token| !t.quoted & t.tags.any(tag::NEG | tag::ZERO);
    let Some(token) = tokens.get(at) else {
        return false;
    };
    if token.kind != TokenKind::Hangul {
        let before = tokens.get(at.saturating_sub(AHEAD)..at).unwrap_or_default();
        // What stands in front of a comma does not deny it.
        return before.iter().fold(false, |denied, t| {
            (denied | no(t) | is_zero(reading, t)) & !t.is_punct(',')
        });
    }
    let holds = |t: &Token| t.denies() || t.lacks();
    let within = holds(token);
    let rest = tokens.get(at + 1..).unwrap_or_default();
    let words = rest.iter().filter(|t| t.is_word() || t.kind == TokenKind::Number);
    let behind = words
        .take(BEHIND)
        .any(|t| t.kind == TokenKind::Hangul && (no(t) || holds(t)) || is_zero(reading, t));
    let short = at
        .checked_sub(1)
        .and_then(|i| tokens.get(i))
        .is_some_and(|t| matches!(reading.word(t), "안" | "못"));
    within || behind || short
}

fn is_zero(reading: &Reading, token: &Token) -> bool {
    const ZERO: u32 = hash_of("0");
    (token.kinds.any(Kinds::NUMBER) & (token.hash() == ZERO)) && reading.word(token) == "0"
}

/// Things of which more is better.
static GAINS: Filter = Filter::of(&GAIN_WORDS);
const GAIN_WORDS: [&str; 56] = [
    "throughput",
    "accuracy",
    "recall",
    "precision",
    "f1",
    "coverage",
    "conversion",
    "uptime",
    "fps",
    "score",
    "bleu",
    "ndcg",
    "auc",
    "success",
    "hit",
    "hits",
    "win",
    "speed",
    "rps",
    "qps",
    "tps",
    "elo",
    "lighthouse",
    "retention",
    "lifetime",
    "runtime-hours",
    "headroom",
    "margin",
    "saved",
    "savings",
    "recognised",
    "recognized",
    "delivered",
    "captured",
    "decoded",
    "matched",
    "restored",
    "mrr",
    "map",
    "iou",
    "psnr",
    "ssim",
    "mos",
    "availability",
    "yield",
    "range",
    "occupancy",
    "fill",
    "contrast",
    "gain",
    "snr",
    "battery-life",
    "engagement",
    "signups",
    "revenue",
    "bandwidth",
];
const GAIN_STEMS: [&str; 23] = [
    "처리량",
    "정확도",
    "재현율",
    "정밀도",
    "적중률",
    "커버리지",
    "전환율",
    "가동률",
    "승률",
    "성공률",
    "점수",
    "프레임",
    "속도",
    "통과율",
    "인식률",
    "수집률",
    "일치율",
    "가용성",
    "수율",
    "해상도",
    "대역폭",
    "절감",
    "여유",
];
/// Things of which less is better, where the unit does not say so.
static COSTS: Filter = Filter::of(&COST_WORDS);
const COST_WORDS: [&str; 104] = [
    "latency",
    "error",
    "errors",
    "failures",
    "loss",
    "misses",
    "retries",
    "memory",
    "cpu",
    "load",
    "size",
    "time",
    "allocations",
    "jitter",
    "wer",
    "queries",
    "queue",
    "pause",
    "power",
    "drain",
    "drops",
    "stalls",
    "warnings",
    "crashes",
    "timeouts",
    "duration",
    "current",
    "consumption",
    "draw",
    "deviation",
    "drift",
    "delay",
    "lag",
    "wait",
    "heap",
    "rss",
    "footprint",
    "bytes",
    "binary",
    "bundle",
    "cost",
    "costs",
    "bill",
    "collisions",
    "mismatches",
    "duplicates",
    "conflicts",
    "orphans",
    "gaps",
    "resets",
    "disconnects",
    "rejects",
    "complaints",
    "alarms",
    "false",
    "regressions",
    "overruns",
    "underruns",
    "glitches",
    "artefacts",
    "artifacts",
    "wakeups",
    "traffic",
    "allocs",
    "leaks",
    "evictions",
    "lookups",
    "roundtrips",
    "round-trips",
    "faults",
    "rmse",
    "mae",
    "mse",
    "cer",
    "fid",
    "perplexity",
    "residual",
    "residuals",
    "overhead",
    "temperature",
    "noise",
    "hum",
    "flicker",
    "overshoot",
    "leakage",
    "stutters",
    "skips",
    "losses",
    "differences",
    "diffs",
    "violations",
    "clicks",
    "steps",
    "calls",
    "writes",
    "reads",
    "dropped",
    "lost",
    "missing",
    "missed",
    "unmatched",
    "rejected",
    "skipped",
    "late",
];
const COST_STEMS: [&str; 51] = [
    "지연",
    "오류",
    "에러",
    "실패",
    "손실",
    "재시도",
    "메모리",
    "사용률",
    "사용량",
    "용량",
    "크기",
    "시간",
    "할당",
    "오차",
    "누락",
    "대기",
    "전류",
    "소비",
    "전력",
    "소모",
    "편차",
    "드리프트",
    "드롭",
    "충돌",
    "중복",
    "유실",
    "불일치",
    "재부팅",
    "리셋",
    "끊김",
    "오탐",
    "미탐",
    "오인식",
    "경고",
    "알람",
    "경보",
    "비용",
    "발열",
    "온도",
    "힙",
    "트래픽",
    "데이터량",
    "이탈률",
    "이탈",
    "잡음",
    "소음",
    "틀린",
    "어긋난",
    "놓친",
    "빠진",
    "남은",
];

/// With which syllables these stems begin, as bits by their [`place`].
static STEMS: [u64; 8] = with_stems(with_stems([0; 8], &GAIN_STEMS), &COST_STEMS);

const fn with_stems(mut bits: [u64; 8], stems: &[&str]) -> [u64; 8] {
    let mut at = 0;
    while at < stems.len() {
        if let Some(begin) = stems[at].as_bytes().first_chunk() {
            let place = place(begin);
            bits[place / 64] |= 1 << (place % 64);
        }
        at += 1;
    }
    bits
}

/// A number below 512 for a syllable.
const fn place(begin: &[u8; 3]) -> usize {
    let key = u32::from_le_bytes([begin[0], begin[1], begin[2], 0]);
    (key.wrapping_mul(0x9e37_79b1) >> 23) as usize
}

/// Whether more of what a word measures is better (`Some(true)`) or worse; `None` where it says neither.
#[must_use]
pub fn gains(reading: &Reading, token: &Token) -> Option<bool> {
    let word = match token.kind {
        TokenKind::Word => {
            if GAINS.may_hold(token.hash) && GAIN_WORDS.contains(&reading.word(token)) {
                return Some(true);
            }
            return (COSTS.may_hold(token.hash) && COST_WORDS.contains(&reading.word(token)))
                .then_some(false);
        }
        TokenKind::Hangul => reading.word(token),
        _ => return None,
    };
    // Most words begin with none of these syllables.
    let begin = word.as_bytes().first_chunk()?;
    if STEMS[place(begin) / 64] >> (place(begin) % 64) & 1 == 0 {
        return None;
    }
    if COST_STEMS.iter().any(|s| word.starts_with(s)) {
        return Some(false);
    }
    GAIN_STEMS.iter().any(|s| word.starts_with(s)).then_some(true)
}

/// Whether more of what a clause measures is better (`Some(true)`), worse, or neither as far as its words tell.
/// `family` is that of the unit: times, sizes and currents cost, rates are gains.
pub(crate) fn more_is_better(reading: &Reading, clause: &Clause, family: u32) -> Option<bool> {
    let by_word = reading
        .tokens_of(clause)
        .iter()
        .find_map(|token| gains(reading, token));
    by_word.or(match family {
        1 | 2 | 5 => Some(false),
        4 => Some(true),
        _ => None,
    })
}
