//! How much of a message is praise and filler.

use super::whole;
use proctor_kernel::{Audience, Span, Verdict};
use proctor_policy::{Confidence, ResponseSettings};
use proctor_prose::{Act, BlockKind, Clause, Extra, Features, Reading, Token, TokenKind, read_shared, tag};
use std::ops::Range;

/// What the gate thinks of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether the text may go on.
    pub verdict: Verdict,
    /// Share of the prose characters without white space that are praise or filler, 0 to 1.
    pub ratio: f64,
    /// The prose characters that `ratio` is a share of; 0 when there is no prose.
    pub prose_chars: u32,
    /// Those of them that are praise or filler.
    pub filler_chars: u32,
    /// The same share counted in words, numbers and names.
    pub token_ratio: f64,
    /// The highest share allowed for this audience.
    pub threshold: f64,
    /// The sentences and clauses that count as praise or filler, labelled by category.
    pub spans: Vec<Span>,
    /// The categories found, without repetition: `direct_praise`, `self_congratulation`, `status_filler`,
    /// `unnecessary_confirmation`, `courtesy`.
    pub labels: Vec<String>,
    /// Number of different words of praise.
    pub distinct: u32,
    /// Words that are praise only sometimes, with repetition. They decide nothing.
    pub low_confidence: Vec<String>,
    /// Whether the text is mainly Korean.
    pub korean: bool,
    /// What of the text was not judged: all of it, when it is written in a language that is not read here (it passes
    /// then), or the middle of one that is longer than two MiB or has more than
    /// 8,192 clauses or 163,840 marks and blanks.
    pub not_judged: Option<&'static str>,
    /// For the agent: what was refused and what to write instead. `None` when the text passes.
    pub feedback: Option<String>,
    /// For people: one line for each of the first parts of a refused text, and what made it count. Empty when it passes.
    pub why: Vec<String>,
}

/// The category of a clause; `None` for content.
pub(super) fn label(reading: &Reading, clause: &Clause) -> Option<&'static str> {
    // By the act alone: one that is looked up, not branched on.
    let heard = match clause.act {
        Act::Praise => Some("direct_praise"),
        Act::SelfPraise => Some("self_congratulation"),
        Act::Filler => Some("status_filler"),
        Act::Confirmation => Some("unnecessary_confirmation"),
        Act::Courtesy => Some("courtesy"),
        _ => None,
    };
    match heard {
        // "완벽합니다!" may answer something, and is praise all the same.
        Some(_)
            if clause.act == Act::Confirmation
                && clause.tags.any(tag::PRAISE)
                && !clause.tags.any(tag::ACK) =>
        {
            Some("direct_praise")
        }
        Some(_) => heard,
        None if whole::praises(reading, clause) => Some("direct_praise"),
        None if whole::shouts(reading, clause) => Some("status_filler"),
        None => None,
    }
}

/// Whether a clause praises somebody or somebody's work, by its words as well as by what the model hears.
pub(crate) fn praises(reading: &Reading, clause: &Clause) -> bool {
    let praise = tag::PRAISE | tag::GOOD | tag::HYPE | tag::CHEER | tag::EMOTE | tag::EXTRA;
    let prose = reading
        .blocks
        .get(clause.block)
        .is_some_and(|b| b.kind.is_prose());
    let named = matches!(
        label(reading, clause),
        Some("direct_praise" | "self_congratulation")
    );
    named && prose && clause.chars > 0 && clause.tags.any(praise)
}

/// Margin of talk below which a status or a confirmation written to a person counts as content.
const NEWS: i16 = 120;
/// The same for praise and courtesy.
const POLITE: i16 = 90;

/// Parts and words of praise for which there is room from the first one on.
const PARTS: usize = 16;

/// Judges a text. Pure, and linear in its length.
#[must_use]
pub fn judge(text: &str, audience: Audience, settings: &ResponseSettings) -> Judgement {
    judge_reading(text, &read_shared(text, &extra(settings)), audience, settings)
}

/// The user's additions to the word lists.
pub(crate) fn extra(settings: &ResponseSettings) -> Extra {
    Extra::new(
        settings.patterns(Confidence::High),
        settings.allow.iter().map(String::as_str),
    )
    .with_doubtful(settings.patterns(Confidence::Low))
}

/// Judges a text as the gate needs it: of a text that passes no `spans` are told, and no `feedback` of any: what is not
/// asked for is not written.
pub(super) fn judge_verdict(
    text: &str,
    audience: Audience,
    settings: &ResponseSettings,
    extra: &Extra,
) -> Judgement {
    judge_for(Told::Refused, text, &read_shared(text, extra), audience, settings)
}

/// Judges a text that has been read.
#[must_use]
pub fn judge_reading(
    text: &str,
    reading: &Reading,
    audience: Audience,
    settings: &ResponseSettings,
) -> Judgement {
    let mut judgement = judge_for(Told::All, text, reading, audience, settings);
    if judgement.verdict == Verdict::Block {
        judgement.feedback = Some(super::wording::feedback(&judgement));
    }
    judgement
}

/// Of which texts the parts are told that count as praise or filler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    All,
    /// Only of those that do not pass.
    Refused,
}

fn judge_for(
    told: Told,
    text: &str,
    reading: &Reading,
    audience: Audience,
    settings: &ResponseSettings,
) -> Judgement {
    let threshold = match audience {
        Audience::Agent => settings.threshold,
        Audience::Human => settings.human_threshold,
    };
    let mut count = Count::default();
    let answer = whole::is_answer(reading);
    for clause in reading.clauses.iter().filter(|_| !answer) {
        count.add(text, reading, clause, audience);
    }
    count.take_in(reading);
    count.take_in_empty(reading);
    count.data(text, reading);
    if whole::agrees_and_goes_on(reading, &count.parts) {
        (count.empty_chars, count.empty_tokens) = (0, 0);
        count.parts.clear();
    }
    if audience == Audience::Agent && count.empty_tokens < count.tokens {
        count.whole(reading);
    }
    let (ratio, token_ratio) = if count.chars == 0 {
        let empty = emoji_only(reading);
        if empty {
            count.parts.push(Part {
                start: 0,
                end: text.len(),
                label: "unnecessary_confirmation",
            });
        }
        let share = f64::from(u8::from(empty));
        (share, share)
    } else {
        (
            share(count.empty_chars, count.chars),
            share(count.empty_tokens, count.tokens),
        )
    };
    let mut labels: Vec<String> = Vec::new();
    for part in &count.parts {
        if !labels.iter().any(|label| label == part.label) {
            labels.push(part.label.to_owned());
        }
    }
    count.triggers.sort_unstable();
    count.triggers.dedup();
    let distinct = u32::try_from(count.triggers.len()).unwrap_or(u32::MAX);
    let over = settings.exceeds(ratio, threshold);
    let many = settings
        .distinct_limit
        .is_some_and(|limit| limit > 0 && distinct >= limit);
    let foreign = reading.is_foreign();
    let verdict = if (over || many) && !foreign {
        Verdict::Block
    } else {
        Verdict::Pass
    };
    let spans = if told == Told::All || verdict == Verdict::Block {
        count.parts.iter().map(|part| part.span(text)).collect()
    } else {
        Vec::new()
    };
    let mut judgement = Judgement {
        verdict,
        ratio,
        prose_chars: count.chars,
        filler_chars: count.empty_chars,
        token_ratio,
        threshold,
        spans,
        labels,
        distinct,
        low_confidence: reading.doubts().into_iter().map(|d| d.word).collect(),
        korean: reading.mainly_korean(),
        not_judged: if foreign {
            Some(super::wording::OTHER_LANGUAGE)
        } else {
            reading.is_partial().then_some(super::wording::ONLY_ENDS)
        },
        feedback: None,
        why: Vec::new(),
    };
    if verdict == Verdict::Block {
        judgement.why = super::why::why(&judgement, reading);
    }
    judgement
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}

/// A part of a text that counts as praise or filler.
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) label: &'static str,
}

impl Part {
    fn span(&self, text: &str) -> Span {
        Span {
            start: self.start,
            end: self.end,
            text: text.get(self.start..self.end).unwrap_or_default().to_owned(),
            label: self.label.to_owned(),
        }
    }
}

#[derive(Default)]
struct Count<'r> {
    chars: u32,
    empty_chars: u32,
    tokens: u32,
    empty_tokens: u32,
    parts: Vec<Part>,
    /// Sentence and block of the last part, to join neighbours.
    last: Option<(usize, usize)>,
    /// The words of praise, with repetition.
    triggers: Vec<&'r str>,
    /// The sentence of the last word of approval.
    verdict: Option<usize>,
    /// Tokens of clauses that count and follow one another, which are not among `tokens` yet.
    stretch: Range<usize>,
    /// The same of clauses that are praise or filler, and `empty_tokens`.
    empty: Range<usize>,
}

/// The words, numbers and names among some tokens. Added up without a decision for each: what a token is, is as good as
/// random.
fn words_of(tokens: &[Token]) -> u32 {
    tokens
        .iter()
        .map(|t| {
            u32::from(matches!(
                t.kind,
                TokenKind::Word | TokenKind::Hangul | TokenKind::Number
            )) + u32::from(matches!(t.kind, TokenKind::Path | TokenKind::Ident))
        })
        .sum()
}

impl<'r> Count<'r> {
    fn add(&mut self, text: &str, reading: &'r Reading, clause: &Clause, audience: Audience) {
        let tokens = reading.tokens_of(clause);
        let chars = match clause.chars {
            0 if exclaims(reading, clause) => visible(text, clause),
            chars => chars,
        };
        self.chars += chars;
        // Clause by clause, where each loop ends would be as good as random: those that follow one another are counted
        // together.
        if chars > 0 {
            if self.stretch.end != clause.tokens.start {
                self.take_in(reading);
                self.stretch.start = clause.tokens.start;
            }
            self.stretch.end = clause.tokens.end;
        }
        let kind = reading.blocks.get(clause.block).map(|b| b.kind);
        // A single word in a data field is a value, not a remark.
        let value = kind == Some(BlockKind::Data) && words_of(tokens) < 3;
        // To a person, a status or an announcement is news; only the surest are counted.
        let doubt = match clause.act {
            Act::Filler | Act::Confirmation => NEWS,
            _ => POLITE,
        };
        let news = audience == Audience::Human && clause.margins.talk < doubt;
        let talk = label(reading, clause).filter(|_| !value && !news && chars > 0);
        // "APPROVE - looks good!": what stands beside a verdict in its sentence is the matter of `review`.
        let beside = self.verdict == Some(clause.sentence);
        if clause.tags.any(tag::APPROVE) {
            self.verdict = Some(clause.sentence);
        }
        let talk = talk.filter(|label| !beside || *label != "unnecessary_confirmation");
        let none = || {
            whole::matters(reading, clause)
                || whole::informs(reading, clause)
                || whole::finds_fault(reading, clause)
        };
        let Some(label) = talk.filter(|_| !none()) else {
            return;
        };
        self.empty_chars += chars;
        if self.empty.end != clause.tokens.start {
            self.take_in_empty(reading);
            self.empty.start = clause.tokens.start;
        }
        self.empty.end = clause.tokens.end;
        let loud = tag::PRAISE | tag::GOOD | tag::HYPE | tag::CHEER | tag::EXTRA;
        if clause.tags.any(loud) {
            if self.triggers.is_empty() {
                self.triggers.reserve(PARTS);
            }
            for token in tokens.iter().filter(|t| !t.quoted & t.tags.any(loud)) {
                self.triggers.push(reading.word(token));
            }
        }
        let place = (clause.sentence, clause.block);
        match self.parts.last_mut() {
            Some(previous) if previous.label == label && self.last == Some(place) => {
                previous.end = clause.end;
            }
            _ => {
                if self.parts.is_empty() {
                    self.parts.reserve(PARTS);
                }
                self.parts.push(Part {
                    start: clause.start,
                    end: clause.end,
                    label,
                });
            }
        }
        self.last = Some(place);
    }

    /// Counts what stands in the stretch.
    fn take_in(&mut self, reading: &Reading) {
        let stretch = std::mem::take(&mut self.stretch);
        self.tokens += words_of(reading.tokens.get(stretch).unwrap_or_default());
    }

    fn take_in_empty(&mut self, reading: &Reading) {
        let stretch = std::mem::take(&mut self.empty);
        self.empty_tokens += words_of(reading.tokens.get(stretch).unwrap_or_default());
    }

    /// A message that is nothing but a word of praise or a confirmation.
    fn whole(&mut self, reading: &'r Reading) {
        if let Some(found) = whole::find(reading) {
            (self.empty_chars, self.empty_tokens) = (self.chars, self.tokens);
            self.parts.clear();
            self.triggers.extend(found.triggers);
            self.parts.push(found.part);
        }
    }

    /// Names, figures and brackets of data literals are content.
    fn data(&mut self, text: &str, reading: &Reading) {
        if !reading.blocks.iter().any(|b| b.kind == BlockKind::Data) {
            return;
        }
        let mut clauses = reading.clauses.iter().peekable();
        for (index, block) in reading.blocks.iter().enumerate() {
            let mut read = 0u32;
            while let Some(clause) = clauses.next_if(|c| c.block <= index) {
                read += clause.chars;
            }
            if block.kind == BlockKind::Data {
                let all = text
                    .get(block.start..block.end)
                    .unwrap_or_default()
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .count();
                self.chars += u32::try_from(all).unwrap_or(u32::MAX).saturating_sub(read);
            }
        }
    }
}

/// Whether a heading is no title but a cry of praise: "## Perfect implementation!". Titles are no prose.
fn exclaims(reading: &Reading, clause: &Clause) -> bool {
    let heading = reading
        .blocks
        .get(clause.block)
        .is_some_and(|b| matches!(b.kind, BlockKind::Heading { .. }));
    heading
        && clause.features.has(Features::EXCLAMATION)
        && clause.tags.any(tag::PRAISE | tag::GOOD | tag::CHEER | tag::EXTRA)
        && matches!(
            label(reading, clause),
            Some("direct_praise" | "self_congratulation")
        )
}

/// The characters of a clause without white space.
fn visible(text: &str, clause: &Clause) -> u32 {
    let words = text.get(clause.start..clause.end).unwrap_or_default();
    let count = words.chars().filter(|c| !c.is_whitespace()).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Nothing but emoji: an empty confirmation.
fn emoji_only(reading: &Reading) -> bool {
    let mut emoji = false;
    for token in &reading.tokens {
        match token.kind {
            TokenKind::Emoji => emoji = true,
            TokenKind::Punct(_) | TokenKind::Mention => {}
            _ => return false,
        }
    }
    emoji
        && reading
            .blocks
            .iter()
            .all(|b| b.kind.is_prose() || b.kind == BlockKind::Ornament)
}
