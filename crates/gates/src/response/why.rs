//! Why parts of a refused message count as praise or filler: in plain words, from what the decision really used. For
//! people, in `proctor explain`, `proctor check` and the record; the agent is told the parts themselves.

use super::judge::{Judgement, label};
use proctor_kernel::Span;
use proctor_prose::{Clause, Reading, tag};

/// Number of parts for which a reason is given, and of words that are named for each.
const PARTS: usize = 8;
const WORDS: usize = 4;

/// Longest quotation of a part, in characters.
const LONGEST: usize = 60;

/// Units of a margin in one nat.
const NAT: f64 = 16.0;

/// One line for each part that counts, the first ones of many. Only what is refused is explained.
pub(super) fn why(judgement: &Judgement, reading: &Reading) -> Vec<String> {
    let spans = judgement.spans.iter().take(PARTS);
    spans.map(|span| reason(span, judgement, reading)).collect()
}

fn reason(span: &Span, judgement: &Judgement, reading: &Reading) -> String {
    let quoted = quoted(&span.text);
    let named = span.label.replace('_', " ");
    if judgement.prose_chars == 0 {
        return format!("{quoted}, {named}: rule: nothing but emoji");
    }
    let inside = |c: &&Clause| c.start >= span.start && c.end <= span.end;
    let counted = |c: &&Clause| label(reading, c) == Some(span.label.as_str());
    let clauses = || reading.clauses.iter().filter(inside);
    // The surest clause of the part speaks for it.
    let surest = clauses().filter(counted).max_by_key(|c| c.margins.talk);
    let words = words(reading, clauses());
    let Some(clause) = surest else {
        return format!("{quoted}, {named}: rule: the message is nothing but this{words}");
    };
    if clause.tags.any(tag::EXTRA) {
        return format!("{quoted}, {named}: rule: the policy's own patterns name it{words}");
    }
    if !clause.act.is_empty_talk() {
        return format!("{quoted}, {named}: rule: its words say it{words}");
    }
    let likely = percent(clause.margins.talk);
    format!("{quoted}, {named}: learned decision: {likely} % likely to say nothing of the work{words}")
}

/// The words that weigh for talk, as they are written.
fn words<'c>(reading: &Reading, clauses: impl Iterator<Item = &'c Clause>) -> String {
    let loud = tag::PRAISE | tag::GOOD | tag::HYPE | tag::CHEER | tag::EMOTE | tag::EXTRA | tag::ACK;
    let mut words: Vec<&str> = Vec::new();
    for token in clauses.flat_map(|c| reading.tokens_of(c)) {
        let word = reading.word(token);
        if !token.quoted && token.tags.any(loud) && !words.contains(&word) {
            words.push(word);
        }
    }
    words.truncate(WORDS);
    if words.is_empty() {
        "; by its build alone, no word of praise or assent".to_owned()
    } else {
        format!("; words: {}", words.join(", "))
    }
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

fn quoted(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = words.char_indices().nth(LONGEST) {
        words.truncate(at);
        words.push('…');
    }
    format!("\"{words}\"")
}
