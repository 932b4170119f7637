//! The signals of a clause: everything that the model of acts looks at, each as one small number.
//!
//! A signal is a hashed observation: a word, a stem or ending, a tag, two neighbours, the grammar, the weights of
//! talk and content, what stands around the clause. The order of the signals means nothing to who reads; the trainer adds
//! them up in floating point, so another order gives another model.

use crate::block::BlockKind;
use crate::features::{Features, Kinds, Language};
use crate::figure;
use crate::lexicon::{hash_start, hash_step};
use crate::outcome::{self, Outcome};
use crate::reading::{Clause, Reading};
use crate::scale::{Scale, weigh_all};
use crate::tags::Tags;
use crate::token::{Token, TokenKind};
use tables::{
    ASKED, BEFORE, BEHIND, BLOCKS, COMPANY, CONTENT, DIFFERENCE, FEATURES, HARD, LANGUAGES, LENGTHS, TAGS,
    TALK, TOLD, TONE_MOODS, TONES, bucket, sized,
};

mod bounds;
mod heard;
mod relations;
mod tables;

use heard::Pen;
pub(crate) use heard::{Heard, Sets};

/// Bits of a signal.
const BITS: u32 = 17;
/// Number of different signals; a power of two. Observations beyond it share numbers.
pub const SIGNALS: usize = 1 << BITS;

/// Signals looked at in one clause: further words of a clause that long say nothing new about its act.
const MOST: usize = 1 << 10;

/// The signals of every clause of a message, in order. For training; reading a message uses the same function.
#[must_use]
pub fn signals(reading: &Reading) -> Vec<Vec<u32>> {
    let mut all = Vec::with_capacity(reading.clauses.len());
    signals_of(reading, 0..reading.clauses.len(), |_, signals| {
        all.push(signals.to_vec())
    });
    all
}

/// Tells the signals of some clauses, by their indices: each index and its signals.
pub fn signals_of(
    reading: &Reading,
    clauses: impl IntoIterator<Item = usize>,
    mut tell: impl FnMut(usize, &[u32]),
) {
    let mut others = None;
    for index in clauses {
        if let Some(signals) = reading.heard.kept(index) {
            tell(index, signals);
            continue;
        }
        Sets::with(|sets| {
            let (scales, heard) = others.get_or_insert_with(|| (weigh_all(reading, sets), Heard::default()));
            of(reading, scales, index, sets, heard);
            tell(index, heard.latest());
        });
    }
}

/// What a signal is of; part of its number.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Of {
    Any = 1,
    Quoted,
    Picture,
    Mark,
    Word,
    Tag,
    Tags,
    FirstWord,
    FirstTags,
    Pair,
    TagPair,
    LastWord,
    LastTags,
    LastTwo,
    LastThree,
    Stem,
    Ending,
    Two,
    Unknown,
    Capitals,
    Name,
    Feature,
    Language,
    Length,
    Hard,
    Talk,
    Content,
    Difference,
    Leaning,
    Block,
    Mood,
    Figures,
    Asked,
    Before,
    Behind,
    Company,
    Figure,
    FigureNext,
    FigureAfter,
    Relation,
    RelationSort,
    RelationBy,
    Change,
    ChangeSort,
    ChangeWord,
    Share,
    ShareResult,
    ShareWord,
    Progress,
    Tone,
    ToneMood,
}

/// A signal of one thing.
const fn signal(of: Of, what: u32) -> u32 {
    signal2(of, what, 0)
}

/// A signal of two things in this order.
const fn signal2(of: Of, first: u32, second: u32) -> u32 {
    mixed(of, in_front(first).wrapping_add(behind(second)))
}

/// The part of a signal that the first of two things is.
const fn in_front(first: u32) -> u32 {
    first.wrapping_mul(0x9e37_79b1)
}

/// The same of the second one.
const fn behind(second: u32) -> u32 {
    second.rotate_left(15).wrapping_mul(0x85eb_ca77)
}

/// A signal of some things by the sum of their parts.
const fn mixed(of: Of, parts: u32) -> u32 {
    let mut x = parts ^ (of as u32).wrapping_mul(0xc2b2_ae3d);
    x = (x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d);
    x = (x ^ (x >> 13)).wrapping_mul(0x297a_2d39);
    // The topmost bits are the best mixed.
    x >> (32 - BITS)
}

/// A number for a word.
fn key(word: &str) -> u32 {
    key_of(word.as_bytes())
}

/// A number for the bytes of a word.
fn key_of(word: &[u8]) -> u32 {
    word.iter().fold(hash_start(), |hash, b| hash_step(hash, *b))
}

/// A number for some characters.
fn grow(number: u32, c: u32) -> u32 {
    number.wrapping_mul(0x0100_0193) ^ c.wrapping_add(1)
}

/// A number for a set of tags.
fn set(tags: Tags) -> u32 {
    (tags.0 as u32) ^ ((tags.0 >> 32) as u32).wrapping_mul(0x9e37_79b1)
}

/// One after the other the numbers of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

/// Writes the signals of one clause to `out`.
pub(crate) fn of(
    reading: &Reading,
    scales: &[Scale],
    index: usize,
    sets: &mut Sets,
    out: &mut Heard,
) -> Outcome {
    out.begin();
    let Some(clause) = reading.clauses.get(index) else {
        return Outcome::default();
    };
    let scale = scales.get(index).copied().unwrap_or_default();
    out.push(signal(Of::Any, 0));
    let met = words(reading, clause, sets, out);
    let mut outcome = outcome::words(reading, clause, met.telling);
    out.write(|pen| {
        grammar(reading, clause, &scale, pen);
        tone(clause, &outcome, pen);
    });
    relations::relations(reading, index, met.links, &mut outcome, out);
    out.write(|pen| around(reading, scales, clause, index, pen));
    outcome
}

/// What the words of a clause say of the outcome, taken together.
fn tone(clause: &Clause, outcome: &Outcome, out: &mut Pen<'_>) {
    let Outcome {
        against,
        against_denied,
        good,
        good_denied,
        ..
    } = *outcome;
    let whole = [against, against_denied, good, good_denied]
        .iter()
        .fold(0, |sum, n| sum * 2 + u32::from(*n > 0));
    let tone = whole as usize % TONES.len();
    out.put(TONES[tone]);
    let [plain, negated, past, both] = &TONE_MOODS;
    let moods = match (
        clause.features.has(Features::NEGATED),
        clause.features.has(Features::PAST),
    ) {
        (false, false) => plain,
        (true, false) => negated,
        (false, true) => past,
        (true, true) => both,
    };
    out.put(moods[tone]);
}

/// What a token says for its signals.
#[derive(Clone, Copy)]
struct Said {
    /// The parts that its name and its tags are in front of others.
    name: u32,
    tags: u32,
    /// It has no tags, and the number of what they are.
    unlisted: bool,
    whole: u32,
}

/// What else was met among the tokens of a clause.
#[derive(Default)]
struct Met {
    /// Which of its first 64 tokens tell of the outcome, a bit each.
    telling: u64,
    /// A word may tell that one thing is a part of another.
    links: bool,
}

fn words(reading: &Reading, clause: &Clause, sets: &mut Sets, out: &mut Heard) -> Met {
    let mut met = Met::default();
    let mut previous: Option<Said> = None;
    let mut first = true;
    let mut last: Option<(&Token, u32)> = None;
    let mut figure = 0;
    // The bit of the token; none behind the 64th.
    let mut bit = 1u64;
    for token in reading.tokens_of(clause) {
        met.telling |= bit * u64::from(outcome::tells(token));
        bit <<= 1;
        met.links |= relations::may_link(token);
        if out.len() > MOST {
            continue;
        }
        if token.quoted {
            out.push(signal(Of::Quoted, 0));
            previous = None;
            continue;
        }
        let mut sort = 0;
        let name = if token.kinds.any(Kinds::WORDS) && !token.allowed {
            token.hash
        } else {
            match name(reading, token) {
                Name::Is(name) => name,
                Name::Figure(name, class) => {
                    sort = class;
                    name
                }
                Name::None => continue,
                Name::Signal(signal) => {
                    out.push(signal);
                    continue;
                }
            }
        };
        let set = sets.of(token.tags);
        out.write(|pen| {
            let said = Said {
                name: in_front(name),
                tags: in_front(set.whole),
                unlisted: token.tags.is_empty(),
                whole: set.whole,
            };
            pen.put(mixed(Of::Word, said.name));
            if sort | figure != 0 {
                figures(previous, [figure, sort], name, set.whole, pen);
            }
            pen.put_set(set);
            if let Some(before) = previous {
                pen.put(mixed(Of::Pair, before.name.wrapping_add(behind(name))));
                let tags = mixed(Of::TagPair, before.tags.wrapping_add(behind(set.whole)));
                pen.put_if(!(before.unlisted & said.unlisted), tags);
            } else if first {
                pen.put(mixed(Of::FirstWord, said.name));
                pen.put(mixed(Of::FirstTags, said.tags));
            }
            if token.allowed {
            } else if token.kinds.any(Kinds::WORD) {
                english(token, reading, first, pen);
            } else if token.kinds.any(Kinds::HANGUL) {
                korean(reading.bytes(token), pen);
            }
            previous = Some(said);
        });
        figure = sort;
        first = false;
        last = Some((token, name));
    }
    if let Some((token, name)) = last.filter(|(token, _)| !token.allowed) {
        out.write(|pen| last_word(reading, token, name, pen));
    }
    met
}

/// The name of a token that is no word, or is one of the user's allowed terms.
enum Name {
    Is(u32),
    /// The same of a figure, and its class.
    Figure(u32, u32),
    /// It has none, and shows nothing or one thing.
    None,
    Signal(u32),
}

fn name(reading: &Reading, token: &Token) -> Name {
    match token.kind {
        TokenKind::Number => {
            let word = reading.word(token);
            let name = match token.allowed {
                true => 5,
                false if number_idiom(word) => 1,
                false => 2,
            };
            Name::Figure(name, figure::class(word))
        }
        // An allowed term is a name, whatever its letters.
        _ if token.allowed => Name::Is(5),
        TokenKind::Word | TokenKind::Hangul => Name::Is(token.hash),
        TokenKind::Code => Name::Is(3),
        TokenKind::Path => Name::Is(4),
        TokenKind::Ident => Name::Is(5),
        TokenKind::Url => Name::Is(6),
        TokenKind::Mention => Name::None,
        TokenKind::Emoji => Name::Signal(signal(Of::Picture, 0)),
        TokenKind::Punct(mark @ ('!' | '?' | ':' | '(' | '%' | '/' | '=' | '→' | '~' | '^')) => {
            Name::Signal(signal(Of::Mark, u32::from(mark)))
        }
        TokenKind::Punct(_) => Name::None,
    }
}

/// The signals of a figure, and of the token behind one: the classes of the one before and of this one.
fn figures(previous: Option<Said>, [before, this]: [u32; 2], name: u32, whole: u32, out: &mut Pen<'_>) {
    if this > 0 {
        out.put(signal(Of::Figure, this));
        if let Some(previous) = previous {
            out.put(signal2(Of::FigureAfter, this, previous.whole));
        }
    }
    if before > 0 {
        out.put(signal2(Of::FigureNext, before, whole));
        out.put(signal2(Of::FigureNext, before, name));
    }
}

/// The signals of the last word of a clause.
fn last_word(reading: &Reading, token: &Token, name: u32, out: &mut Pen<'_>) {
    out.put(signal(Of::LastWord, name));
    out.put(signal(Of::LastTags, set(token.tags)));
    if token.kind == TokenKind::Hangul {
        let mut tail = 0;
        for (at, c) in syllables(reading.bytes(token)).rev().take(3).enumerate() {
            tail = grow(tail, c);
            if at > 0 {
                let of = if at == 1 { Of::LastTwo } else { Of::LastThree };
                out.put(signal(of, tail));
            }
        }
    }
}

/// Figures that are idioms of praise and effort.
fn number_idiom(word: &str) -> bool {
    matches!(
        word,
        "100%" | "110%" | "120%" | "200%" | "1000%" | "10/10" | "24/7"
    )
}

fn english(token: &Token, reading: &Reading, first: bool, out: &mut Pen<'_>) {
    let word = reading.bytes(token);
    let unlisted = token.tags.is_empty();
    let long = (word.len() > 4) & (token.plain || word.is_ascii());
    // Nobody can foresee which words are long, either.
    let ending = word.last_chunk::<3>().map_or(0, |end| key_of(end));
    out.put_if(long, signal(Of::Ending, ending));
    if unlisted {
        let stem = word.first_chunk::<4>().map_or(0, |start| key_of(start));
        out.put_if(long, signal(Of::Stem, stem));
        out.put(signal(Of::Unknown, 0));
        out.put_if(token.caps, signal(Of::Capitals, 0));
        out.put_if(!token.caps & token.capital & !first, signal(Of::Name, 0));
    }
}

/// The characters of a Korean word: each of them has three bytes.
fn syllables(word: &[u8]) -> impl DoubleEndedIterator<Item = u32> {
    let (syllables, _) = word.as_chunks();
    syllables.iter().copied().map(syllable)
}

/// A character of three bytes.
fn syllable([a, b, c]: [u8; 3]) -> u32 {
    let low = |b: u8| u32::from(b & 63);
    u32::from(a & 15) << 12 | low(b) << 6 | low(c)
}

/// Stems and endings: the first and the last syllables of a word, and its pairs of syllables.
fn korean(word: &[u8], out: &mut Pen<'_>) {
    let two = |before, c| signal2(Of::Two, before, c);
    let (stem, ending) = (Of::Stem, Of::Ending);
    let (syllables, _) = word.as_chunks();
    match *syllables {
        [] => {}
        [a] => {
            let [a] = [a].map(syllable);
            out.put_all([signal(stem, grow(0, a)), signal(ending, grow(0, a))]);
        }
        [a, b] => {
            let [a, b] = [a, b].map(syllable);
            let (one, last) = (grow(0, a), grow(0, b));
            out.put_all([
                signal(stem, one),
                signal(stem, grow(one, b)),
                two(a, b),
                signal(ending, last),
                signal(ending, grow(last, a)),
            ]);
        }
        [a, b, c, ref rest @ ..] => {
            let [a, b, c] = [a, b, c].map(syllable);
            let one = grow(0, a);
            let both = grow(one, b);
            out.put_all([
                signal(stem, one),
                signal(stem, both),
                two(a, b),
                signal(stem, grow(both, c)),
                two(b, c),
            ]);
            let mut before = c;
            for next in rest.iter().take(9) {
                let next = syllable(*next);
                out.put(two(before, next));
                before = next;
            }
            if let Some(three) = syllables.last_chunk::<3>() {
                let [a, b, c] = three.map(syllable);
                let last = grow(0, c);
                let both = grow(last, b);
                out.put_all([
                    signal(ending, last),
                    signal(ending, both),
                    signal(ending, grow(both, a)),
                ]);
            }
        }
    }
}

fn grammar(reading: &Reading, clause: &Clause, scale: &Scale, out: &mut Pen<'_>) {
    bits(u64::from(clause.features.0)).for_each(|bit| out.put(FEATURES[bit as usize % 64]));
    let language = match clause.language {
        Language::English => 0,
        Language::Korean => 1,
        Language::Mixed => 2,
    };
    out.put(LANGUAGES[language]);
    let length = match scale.words {
        n @ 0..=4 => n as usize,
        5..=6 => 5,
        7..=9 => 6,
        10..=14 => 7,
        _ => 8,
    };
    out.put_all([
        LENGTHS[length],
        sized(&HARD, scale.hard),
        sized(&TALK, scale.talk()),
        sized(&CONTENT, scale.content),
        sized(&DIFFERENCE, scale.talk() - scale.content),
    ]);
    if scale.talk() > 0 {
        out.put(signal2(Of::Leaning, scale.act() as u32, bucket(scale.talk())));
    }
    let kind = match reading.blocks.get(clause.block).map(|b| b.kind) {
        Some(BlockKind::ListItem { checked: None, .. }) => 1,
        Some(BlockKind::ListItem { .. }) => 2,
        Some(BlockKind::Heading { .. }) => 3,
        Some(BlockKind::TableRow) => 4,
        Some(BlockKind::Data) => 5,
        Some(BlockKind::Log) => 6,
        _ => 0,
    };
    let mut figures = 0;
    let mut places = 0;
    let counted = Kinds::NUMBER.or(Kinds::CODE).or(Kinds::PATH).or(Kinds::IDENT);
    let tokens = if clause.kinds.any(counted) {
        reading.tokens_of(clause)
    } else {
        &[]
    };
    for token in tokens {
        match token.kind {
            TokenKind::Number => figures += u32::from(figures < 3),
            TokenKind::Code | TokenKind::Path | TokenKind::Ident => places += u32::from(places < 2),
            _ => {}
        }
    }
    let past = u32::from(clause.features.has(Features::PAST));
    let asks = clause.features.has(Features::QUESTION);
    out.put_all([
        BLOCKS[kind],
        signal(Of::Mood, clause.features.0 & MOOD.0),
        signal2(Of::Figures, figures * 4 + places, past),
        sized(if asks { &ASKED } else { &TOLD }, scale.hard),
    ]);
}

/// The features that say whether something is so, was done, or is only talked of.
const MOOD: Features = Features::NEGATED
    .or(Features::CONDITIONAL)
    .or(Features::FUTURE)
    .or(Features::QUESTION)
    .or(Features::HEARSAY)
    .or(Features::PAST)
    .or(Features::BELIEF)
    .or(Features::FIRST_PERSON)
    .or(Features::MODAL);

/// What stands before and behind the clause.
fn around(reading: &Reading, scales: &[Scale], clause: &Clause, index: usize, out: &mut Pen<'_>) {
    let [before, behind] = [(&BEFORE, index.checked_sub(1)), (&BEHIND, Some(index + 1))];
    for ([apart, together, hard], other) in [before, behind] {
        let Some((there, scale)) = other.and_then(|i| Some((reading.clauses.get(i)?, scales.get(i)?))) else {
            continue;
        };
        let same = there.sentence == clause.sentence;
        let difference = if same { together } else { apart };
        out.put(sized(difference, scale.talk() - scale.content));
        if same {
            out.put(sized(hard, scale.hard));
            let mood = bits(u64::from(there.features.0 & MOOD.0));
            mood.for_each(|bit| out.put(COMPANY[bit as usize % 64]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signals that were kept with a reading are those that are found anew, in a text of which only the first are kept as well.
    #[test]
    fn kept_signals_are_those_that_are_found() {
        let short = "I ran the tests: 38 of 40 passed, main had 40. 재시도는 3회로 제한했습니다.\n\n- [x] done\n- looks good!\n";
        let long = short.repeat(1 + 3 * heard::KEPT / 200);
        for (text, whole) in [(short, true), (long.as_str(), false), ("", true)] {
            let reading = crate::read(text);
            let (mut sets, mut anew) = (Sets::default(), Heard::default());
            let scales = weigh_all(&reading, &mut sets);
            let mut all = 0;
            signals_of(&reading, 0..reading.clauses.len(), |index, signals| {
                of(&reading, &scales, index, &mut sets, &mut anew);
                assert_eq!(signals, anew.latest(), "clause {index}");
                all += 1;
            });
            assert_eq!(all, reading.clauses.len());
            let kept = reading.heard.clauses();
            assert_eq!(kept == all, whole, "{kept} of {all}");
            assert!(all == 0 || kept > 0, "some are kept");
        }
    }
}
