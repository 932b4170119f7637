//! How far the words of a stretch sound like something that is not done: a sum of small weights, one for each word, pair of
//! words, ending and sign. Made by `scripts/train`.

use super::super::signs::Signs;
use super::super::status::{Status, View};
use super::super::stem::{START, hash_bytes};
use proctor_prose::{Clause, TokenKind};

/// Bits of a row.
const BITS: u32 = 15;
/// Rows of the table: observations beyond it share one.
pub const ROWS: usize = 1 << BITS;

/// What is observed in a stretch, as rows of the table; at most this many.
const MOST: usize = 400;

/// Adds what is observed in a stretch.
pub(super) fn observe(view: View<'_>, clause: Option<&Clause>, status: Option<Status>, out: &mut Vec<u16>) {
    let mut before = START;
    let mut last = [START; 2];
    let mut signs = Signs::NONE;
    let push = |out: &mut Vec<u16>, hash: u64| {
        if out.len() < MOST {
            out.push((hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as u16);
        }
    };
    for (at, token) in view.said() {
        let word = view.reading.word(token);
        signs = signs.with(view.senses.signs(at));
        let key = match token.kind {
            TokenKind::Number => hash_bytes(START, b"0"),
            TokenKind::Path | TokenKind::Url | TokenKind::Ident | TokenKind::Code => hash_bytes(START, b"/"),
            TokenKind::Mention => hash_bytes(START, b"@"),
            _ => hash_bytes(START, word.as_bytes()),
        };
        push(out, key);
        push(out, before.wrapping_mul(31) ^ key);
        if token.kind == TokenKind::Hangul {
            let mut ends = word.char_indices().rev();
            let mut tail = |count: usize| {
                let at = ends.nth(count).map_or(0, |(at, _)| at);
                hash_bytes(START ^ 0x51, word.get(at..).unwrap_or_default().as_bytes())
            };
            let (two, three) = (tail(1), tail(0));
            push(out, two);
            push(out, three);
            // A stem by its beginning.
            let head = word.char_indices().nth(2).map_or(word.len(), |(at, _)| at);
            push(
                out,
                hash_bytes(START ^ 0x52, word.get(..head).unwrap_or_default().as_bytes()),
            );
        } else if token.kind == TokenKind::Word && word.len() > 5 {
            push(
                out,
                hash_bytes(START ^ 0x53, word.get(..5).unwrap_or_default().as_bytes()),
            );
        }
        if token.is_word() {
            last = [last[1], key];
        }
        before = key;
    }
    push(out, last[1] ^ 0x61);
    push(out, last[0].wrapping_mul(31) ^ last[1] ^ 0x62);
    for bit in 0..64 {
        if signs.0 >> bit & 1 == 1 {
            push(out, hash_bytes(START ^ 0x70, &[bit]));
        }
    }
    if let Some(clause) = clause {
        for bit in 0..16u8 {
            if clause.features.0 >> bit & 1 == 1 {
                push(out, hash_bytes(START ^ 0x71, &[bit]));
            }
        }
        push(out, hash_bytes(START ^ 0x72, &[clause.act as u8]));
        for bit in 0..64u8 {
            if clause.tags.0 >> bit & 1 == 1 {
                push(out, hash_bytes(START ^ 0x74, &[bit]));
            }
        }
        let margins = clause.margins;
        for (which, margin) in [
            margins.talk,
            margins.evidence,
            margins.contrary,
            margins.denied,
            margins.refusal,
        ]
        .into_iter()
        .enumerate()
        {
            let level = (margin / 16).clamp(-3, 3) + 3;
            push(out, hash_bytes(START ^ 0x75, &[which as u8, level as u8]));
        }
        let outcome = clause.outcome;
        for (which, count) in [
            outcome.against,
            outcome.against_denied,
            outcome.good,
            outcome.good_denied,
            outcome.part,
            outcome.worse,
            outcome.better,
        ]
        .into_iter()
        .enumerate()
        {
            if count > 0 {
                push(out, hash_bytes(START ^ 0x76, &[which as u8]));
            }
        }
    }
    push(out, hash_bytes(START ^ 0x73, &[super::code(status) as u8]));
}

/// The sum of the weights of some rows, in sixteenths of a nat, in proportion to the root of their number.
pub(super) fn sum(table: &[u8], rows: &[u16]) -> i16 {
    let sum: i32 = rows
        .iter()
        .filter_map(|row| table.get(usize::from(*row)))
        .map(|weight| i32::from(*weight as i8))
        .sum();
    let root = rows.len().max(1).isqrt() as i32;
    (sum * 8 / root).clamp(-2000, 2000) as i16
}
