//! Why parts of a refused message count as praise or filler: in plain words, from what the decision really used. For
//! people, in `proctor explain`, `proctor check` and the record; the agent is told the parts themselves.

use super::judge::{Judgement, label};
use crate::quote::quote_in_marks;
use proctor_kernel::Span;
use proctor_prose::{Clause, Reading, tag};

/// Number of parts for which a reason is given, and of words that are named for each.
const PARTS: usize = 8;
const WORDS: usize = 4;

/// Longest quotation of a part, in characters.
const LONGEST: usize = 60;

/// Room for a reason, in bytes: enough for most.
const ROOM: usize = 256;

/// Units of a margin in one nat.
const NAT: f64 = 16.0;

/// One line for each part that counts, the first ones of many. Only what is refused is explained.
pub(super) fn why(judgement: &Judgement, reading: &Reading) -> Vec<String> {
    let spans = judgement.spans.iter().take(PARTS);
    // Spans stand in their order, and so do clauses.
    let mut from = reading.clauses.as_slice();
    let reason = |span: &Span| {
        while let Some((_, behind)) = from.split_first().filter(|(first, _)| first.start < span.start) {
            from = behind;
        }
        reason(span, judgement, reading, from)
    };
    spans.map(reason).collect()
}

/// `from` are the clauses from the first one of the part on.
fn reason(span: &Span, judgement: &Judgement, reading: &Reading, from: &[Clause]) -> String {
    let mut out = String::with_capacity(ROOM);
    quote_in_marks(&span.text, LONGEST, &mut out);
    out.push_str(", ");
    out.extend(span.label.chars().map(|c| if c == '_' { ' ' } else { c }));
    if judgement.prose_chars == 0 {
        out.push_str(": rule: nothing but emoji");
        return out;
    }
    let clauses = || {
        from.iter()
            .take_while(|c| c.start < span.end)
            .filter(|c| c.end <= span.end)
    };
    let counted = |c: &&Clause| label(reading, c) == Some(span.label.as_str());
    // The surest clause of the part speaks for it.
    let surest = clauses().filter(counted).max_by_key(|c| c.margins.talk);
    match surest {
        None => out.push_str(": rule: the message is nothing but this"),
        Some(clause) if clause.tags.any(tag::EXTRA) => {
            out.push_str(": rule: the policy's own patterns name it");
        }
        Some(clause) if !clause.act.is_empty_talk() => out.push_str(": rule: its words say it"),
        Some(clause) => {
            let likely = percent(clause.margins.talk);
            out.push_str(": learned decision: ");
            out.extend(digits(likely));
            out.push_str(" % likely to say nothing of the work");
        }
    }
    words(reading, clauses(), &mut out);
    out
}

/// Adds the words that weigh for talk, as they are written.
fn words<'c>(reading: &Reading, clauses: impl Iterator<Item = &'c Clause>, out: &mut String) {
    let loud = tag::PRAISE | tag::GOOD | tag::HYPE | tag::CHEER | tag::EMOTE | tag::EXTRA | tag::ACK;
    let mut words = [""; WORDS];
    let mut count = 0;
    for token in clauses.flat_map(|c| reading.tokens_of(c)) {
        if token.quoted | !token.tags.any(loud) {
            continue;
        }
        let word = reading.word(token);
        let known = words.get(..count).unwrap_or_default().contains(&word);
        if let Some(place) = words.get_mut(count).filter(|_| !known) {
            out.push_str(if count == 0 { "; words: " } else { ", " });
            out.push_str(word);
            *place = word;
            count += 1;
        }
    }
    if count == 0 {
        out.push_str("; by its build alone, no word of praise or assent");
    }
}

/// A number below 100 as it is written.
fn digits(number: u32) -> impl Iterator<Item = char> {
    let digit = |n: u32| char::from_digit(n, 10);
    let tens = digit(number / 10).filter(|_| number > 9);
    tens.into_iter().chain(digit(number % 10))
}

/// The likelihood of a margin in whole percent; nothing is certain.
fn percent(margin: i16) -> u32 {
    let likely = 1.0 / (1.0 + (-f64::from(margin) / NAT).exp());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and 99"
    )]
    {
        (likely * 100.0).round().clamp(1.0, 99.0) as u32
    }
}
