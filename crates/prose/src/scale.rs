//! How talk and content weigh against each other in a clause.
//!
//! Words of praise, confirmation and announcement weigh for talk, and more so where they stand as such (alone,
//! before a work noun, as a predicate). Paths, code, numbers, identifiers, technical vocabulary, reasons and
//! unknown words weigh for content.

use crate::act::Act;
use crate::features::{Features, Kinds, Language};
use crate::items::names_done_items;
use crate::lexicon::tag;
use crate::reading::{Clause, Reading};
use crate::signals::Sets;
use crate::tags::Tags;
use crate::token::{Token, TokenKind};
use std::hint::select_unpredictable;

/// The two sides of the scale, in quarters of a point, and what the talk consists of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scale {
    pub(crate) praise: i32,
    pub(crate) own: i32,
    pub(crate) courtesy: i32,
    pub(crate) confirm: i32,
    pub(crate) filler: i32,
    /// Weight of content.
    pub(crate) content: i32,
    /// Tokens that can only be content: code, paths, figures.
    pub(crate) hard: i32,
    pub(crate) words: i32,
    /// Praise is denied in it.
    pub(crate) denied: bool,
    /// It says which items of a list are done.
    pub(crate) items: bool,
}

impl Scale {
    pub(crate) fn talk(&self) -> i32 {
        self.praise + self.own + self.courtesy + self.confirm + self.filler
    }

    pub(crate) fn act(&self) -> Act {
        let sides = [
            (self.own, Act::SelfPraise),
            (self.praise, Act::Praise),
            (self.courtesy, Act::Courtesy),
            (self.confirm, Act::Confirmation),
            (self.filler, Act::Filler),
        ];
        sides
            .iter()
            .rev()
            .max_by_key(|(weight, _)| *weight)
            .map_or(Act::Fact, |(_, act)| *act)
    }
}

/// Weighs every clause of a message.
pub(crate) fn weigh_all(reading: &Reading, sets: &mut Sets) -> Vec<Scale> {
    let shouting = reading.words.shouting;
    let mut room = Room::default();
    reading
        .clauses
        .iter()
        .map(|c| weigh(reading, c, shouting, sets, &mut room))
        .collect()
}

/// Room for the tokens of a clause that are no marks, and for the places of its negations among them.
struct Room<'r> {
    said: Vec<&'r Token>,
    negations: Vec<usize>,
}

impl Default for Room<'_> {
    fn default() -> Self {
        // What most clauses take.
        Self {
            said: Vec::with_capacity(64),
            negations: Vec::with_capacity(8),
        }
    }
}

/// Weighs a clause.
fn weigh<'r>(
    reading: &'r Reading,
    clause: &Clause,
    shouting: bool,
    sets: &mut Sets,
    room: &mut Room<'r>,
) -> Scale {
    let mut scale = Scale::default();
    let tokens = reading.tokens_of(clause);
    // Nobody can foresee which tokens are marks: each is written down, and the next goes to the same place behind one.
    if room.said.len() < tokens.len() {
        room.said.clear();
        room.said.extend(tokens);
    }
    let mut count = 0;
    for token in tokens {
        if let Some(place) = room.said.get_mut(count) {
            *place = token;
        }
        let mark = Kinds::MARK.or(Kinds::EMOJI).or(Kinds::MENTION);
        count += usize::from(!token.kinds.any(mark));
        scale.words += i32::from(token.kinds.any(Kinds::WORDS));
    }
    let said = room.said.get(..count).unwrap_or_default();
    // What denies makes its clause a denied one.
    room.negations.clear();
    if clause.features.has(Features::NEGATED) {
        room.negations.extend(negations(said));
    }
    let negations = room.negations.as_slice();
    let first_negation = negations.first().copied().unwrap_or(usize::MAX);
    let mut quoted = 0;
    for (index, token) in said.iter().enumerate() {
        // What sort of token it is nobody can foresee either: each adds what it weighs, or nothing.
        let is = |what: Kinds| token.kinds.any(what);
        quoted += i32::from(token.quoted & !token.struck);
        let own = !(token.quoted | token.struck);
        let unlisted = token.tags.is_empty();
        if own & is(SOLID) {
            scale.hard += match token.kind {
                TokenKind::Number => number_weight(reading, said, index),
                TokenKind::Url => 6,
                TokenKind::Ident if !unlisted => 0,
                _ => 8,
            };
        }
        let word = own & is(Kinds::WORDS);
        let talk = if word & token.tags.any(LOUD) {
            talk_weight(reading, clause, said, index, negations, &mut scale)
        } else {
            0
        };
        let listed = sets.of(token.tags).weight(index == first_negation);
        let unknown = unlisted_weight(token, index > 0, shouting);
        scale.content += i32::from(word & (talk == 0)) * select_unpredictable(unlisted, unknown, listed);
    }
    if clause.tags.any(tag::DONE) && names_done_items(reading, clause, said) {
        scale.hard += 12;
        scale.items = true;
    }
    scale.content += scale.hard + quoted.min(4) * 2;
    announcement(reading, clause, said, &mut scale);
    let features = clause.features;
    if features.has(Features::EXCLAMATION) && scale.talk() > 0 {
        scale.praise += 2;
    }
    // A question is asked for its answer, unless it is an offer or a boast.
    if features.has(Features::QUESTION) && !clause.tags.any(tag::OFFER | tag::HYPE | tag::PRAISE) {
        scale.content += 8;
    }
    // One advertising word alone is a label, not a statement.
    if scale.words == 1
        && scale.own > 0
        && scale.praise == 0
        && !clause.tags.any(tag::EXTRA)
        && !features.has(Features::EXCLAMATION)
    {
        scale.own = 0;
    }
    scale
}

/// The places of the negations among the said tokens.
fn negations(said: &[&Token]) -> impl Iterator<Item = usize> {
    let denies =
        |t: &Token| !t.quoted && (t.tags.any(tag::NEG) || t.phrase == 1 && (t.denies() || t.ends_in_not()));
    said.iter()
        .enumerate()
        .filter(move |(_, t)| denies(t))
        .map(|(index, _)| index)
}

/// Kinds of tokens that can only be content.
const SOLID: Kinds = Kinds::CODE
    .or(Kinds::PATH)
    .or(Kinds::IDENT)
    .or(Kinds::URL)
    .or(Kinds::NUMBER);

/// Figures are content, but idioms (100%, 10/10) and the count in a restated task (3개 파일) are not.
fn number_weight(reading: &Reading, said: &[&Token], index: usize) -> i32 {
    let Some(token) = said.get(index) else { return 0 };
    if matches!(
        reading.word(token),
        "100%" | "110%" | "120%" | "200%" | "1000%" | "10/10" | "100" | "5/5" | "1" | "2" | "24/7"
    ) {
        return 1;
    }
    let counter = said
        .get(index + 1)
        .filter(|t| t.glued && t.kind == TokenKind::Hangul);
    if counter.is_some() && said.get(index + 2).is_some_and(|t| t.tags.any(tag::GENERIC)) {
        return 2;
    }
    6
}

/// What a word that is in no list weighs for content.
fn unlisted_weight(token: &Token, inside: bool, shouting: bool) -> i32 {
    let acronym = token.caps & !shouting & (token.chars <= 6);
    let name = token.capital & inside & !shouting;
    let other = i32::from(token.chars > 1);
    select_unpredictable(acronym, 4, select_unpredictable(name, 3, other))
}

/// What a word that is no talk weighs for content by its tags. The first word that denies weighs more.
pub(crate) fn listed_weight(tags: Tags) -> i32 {
    let any = |t: Tags| tags.any(t);
    let subject =
        any(tag::TECH | tag::TESTS | tag::BADRES | tag::TOOL) & !any(tag::WORK | tag::GENERIC | tag::PROCESS);
    let technical = any(tag::TECH) & !any(tag::WORK | tag::PROCESS);
    select_unpredictable(subject, 4, i32::from(technical) * 2)
        + i32::from(any(tag::CAUSE | tag::COND | tag::CONTRAST)) * 3
}

/// Tags of words that may weigh for talk.
const LOUD: Tags = Tags(
    tag::PRAISE.0
        | tag::GOOD.0
        | tag::HYPE.0
        | tag::EMOTE.0
        | tag::THANK.0
        | tag::GREET.0
        | tag::APOLOGY.0
        | tag::CHEER.0
        | tag::OFFER.0
        | tag::ACK.0
        | tag::SMOOTH.0
        | tag::EFFORT.0
        | tag::DONE.0
        | tag::BEGIN.0
        | tag::INTENS.0,
);

/// Weighs a word that may be talk, and gives its weight for talk.
fn talk_weight(
    reading: &Reading,
    clause: &Clause,
    said: &[&Token],
    index: usize,
    negations: &[usize],
    scale: &mut Scale,
) -> i32 {
    let Some(token) = said.get(index) else { return 0 };
    let tags = token.tags;
    let korean = token.kind == TokenKind::Hangul;
    let alone = scale.words <= 3;
    let word = reading.word(token);
    // English denies in front of the praise, Korean behind it.
    let (from, to) = if korean {
        (index + 1, index + 4)
    } else {
        (index.saturating_sub(5), index.wrapping_sub(1))
    };
    // They are in order, and a clause may hold many.
    let denied = index.checked_sub(usize::from(!korean)).is_some()
        && negations
            .get(negations.partition_point(|&at| at < from))
            .is_some_and(|&at| at <= to);
    let any = |t: Tags| tags.any(t);
    let mut talk = 0;
    if any(tag::PRAISE | tag::GOOD) {
        let weight = praise_weight(reading, clause, said, index, tags, alone);
        if denied {
            scale.denied = true;
            scale.content += 4;
        } else {
            scale.praise += weight;
            talk += weight;
        }
    }
    if any(tag::HYPE) {
        if denied {
            scale.content += 4;
        } else {
            scale.own += 9;
            talk += 9;
        }
    }
    if any(tag::EMOTE) && !denied {
        let weight = if clause.features.has(Features::FIRST_PERSON) || alone || korean {
            8
        } else {
            3
        };
        scale.courtesy += weight;
        talk += weight;
    }
    for (which, weight) in [
        (tag::THANK, 9),
        (tag::GREET, 10),
        (tag::APOLOGY, 8),
        (tag::CHEER, 11),
        (tag::OFFER, if korean || token.phrase > 1 { 8 } else { 4 }),
    ] {
        if any(which) && !denied {
            // "leave out thanks" mentions what "thanks a lot" does.
            let placed =
                korean || token.phrase > 1 || index <= 1 || clause.tags.any(tag::FIRST | tag::YOU) || alone;
            let weight = if placed { weight } else { 3 };
            scale.courtesy += weight;
            talk += weight;
        }
    }
    if any(tag::ACK) && !denied {
        let weight = if index == 0
            || index == 1 && said.first().is_some_and(|t| t.tags.any(tag::ACK | tag::CHEER))
            || token.phrase > 1 && word != "of"
        {
            if scale.words <= 5 { 10 } else { 7 }
        } else if alone && !korean && index + 1 == said.len()
            || korean && clause.features.any(Features::PAST.or(Features::FUTURE)) && index + 2 >= said.len()
        {
            8
        } else {
            2
        };
        scale.confirm += weight;
        talk += weight;
    }
    if any(tag::SMOOTH) && !denied {
        scale.filler += 6;
        talk += 6;
    }
    if any(tag::EFFORT) && !denied {
        scale.filler += 5;
        talk += 5;
    }
    // "Completed requests stay in the map": an attribute, no report.
    let attribute = index == 0
        && !korean
        && said.get(1).is_some_and(|t| {
            t.kind == TokenKind::Word
                && t.tags.any(tag::GENERIC | tag::TECH | tag::WORK)
                && !t.tags.any(tag::STOP)
        });
    if any(tag::DONE) && !denied && !attribute {
        scale.filler += if scale.words <= 4 { 8 } else { 5 };
        talk += 5;
    }
    if any(tag::BEGIN) && !denied {
        scale.filler += 3;
        talk += 3;
    }
    if any(tag::INTENS) {
        scale.praise += 1;
        talk += 1;
    }
    talk
}

/// How much a word of praise weighs where it stands.
fn praise_weight(
    reading: &Reading,
    clause: &Clause,
    said: &[&Token],
    index: usize,
    tags: Tags,
    alone: bool,
) -> i32 {
    let next = |n: usize| said.get(index + n);
    let before = |n: usize| index.checked_sub(n).and_then(|i| said.get(i));
    let Some(token) = said.get(index) else { return 0 };
    let korean = token.kind == TokenKind::Hangul;
    if next(1).is_some_and(|t| matches!(t.kind, TokenKind::Number | TokenKind::Path | TokenKind::Code)) {
        // 최고 87%: a measure.
        return 1;
    }
    if reading.word(token) == "최고"
        && next(1).is_some_and(|t| t.is_word() && !t.tags.any(tag::WORK | tag::INTENS))
    {
        // 최고 관리자, 최고 온도: the highest of its kind.
        return 3;
    }
    let strong = tags.any(tag::PRAISE);
    let modifies_tech = next(1).is_some_and(|t| {
        t.tags.any(tag::TECH) && !t.tags.any(tag::WORK | tag::GENERIC)
            || t.is_word() && t.capital && t.tags.is_empty()
    });
    let modifies_work = (1..=3).any(|n| next(n).is_some_and(|t| t.tags.any(tag::WORK)));
    let intense = before(1).is_some_and(|t| t.tags.any(tag::INTENS))
        || before(2).is_some_and(|t| t.tags.any(tag::INTENS));
    let predicate = (1..=4).any(|n| {
        before(n).is_some_and(|t| {
            matches!(
                reading.word(t),
                "is" | "are"
                    | "was"
                    | "were"
                    | "been"
                    | "be"
                    | "looks"
                    | "look"
                    | "feels"
                    | "feel"
                    | "it's"
                    | "that's"
                    | "you're"
                    | "such"
                    | "what"
                    | "this"
                    | "how"
            )
        })
    }) && next(1).is_none_or(|t| !t.tags.is_empty());
    let last = next(1).is_none();
    let person = clause.tags.any(tag::YOU);
    if korean {
        return match (strong, tags.any(tag::GOOD)) {
            (true, false) => {
                if modifies_tech {
                    5
                } else {
                    12
                }
            }
            (true, true) => {
                if modifies_work || intense || last {
                    10
                } else {
                    6
                }
            }
            _ => {
                if modifies_work || intense {
                    8
                } else if last && alone {
                    6
                } else {
                    2
                }
            }
        };
    }
    // "Excellent throughput!" is a call, "excellent throughput at 4 threads" is none.
    let called = alone && clause.features.has(Features::EXCLAMATION);
    if modifies_tech && !modifies_work && !called {
        return 4;
    }
    match (strong, tags.any(tag::GOOD)) {
        (true, false) | (true, true)
            if modifies_work || alone || predicate || token.phrase > 1 || (last && intense) =>
        {
            12
        }
        (true, false) if intense || person || last => 10,
        (true, _) => 6,
        _ if modifies_work || (alone && last) => 9,
        _ if predicate && intense => 7,
        _ => 2,
    }
}

/// An announcement of the speaker's own next steps is talk as far as it only restates the task; so is the
/// news that something is done.
fn announcement(reading: &Reading, clause: &Clause, said: &[&Token], scale: &mut Scale) {
    let features = clause.features;
    let korean = clause.language != Language::English;
    let korean_will = features.has(Features::FUTURE) && korean;
    let english_will = features.has(Features::FUTURE) && features.has(Features::FIRST_PERSON)
        || clause.tags.any(tag::FIRST) && clause.tags.any(tag::BEGIN) && !features.has(Features::PAST);
    // "Working on it.", "Processing your request now."
    let doing = said.first().is_some_and(|t| {
        t.tags.any(tag::PROCESS | tag::BEGIN) && t.kind == TokenKind::Word && reading.word(t).ends_with("ing")
    }) && scale.content <= 3;
    let invitation = clause.tags.any(tag::BEGIN) && features.has(Features::IMPERATIVE) && scale.content <= 3;
    // A verb of its own with an object of its own is a plan, not a restated task.
    let general = tag::BEGIN
        | tag::PROCESS
        | tag::GENERIC
        | tag::EFFORT
        | tag::SMOOTH
        | tag::OFFER
        | tag::DONE
        | tag::ACK;
    let weight = if clause.tags.any(general) || scale.content < 4 {
        8
    } else {
        4
    };
    if features.has(Features::QUESTION) {
        return;
    }
    if korean_will || english_will || doing || invitation {
        scale.filler += match features.has(Features::CONDITIONAL) {
            false => weight,
            true if clause.tags.any(tag::BEGIN) && scale.content <= 5 => weight,
            true => 0,
        };
    }
    let own = features.has(Features::FIRST_PERSON) || clause.tags.any(tag::GENERIC) || korean;
    if clause.tags.any(tag::DONE) && own && scale.hard == 0 && scale.content <= 4 && scale.filler > 0 {
        scale.filler += 4;
    }
}
