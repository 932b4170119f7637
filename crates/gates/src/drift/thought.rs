//! A thought as a list of what it names: objects, figures, classes of words, outcomes. What varies without
//! meaning (counters, clocks, ids, filler) is left out.

use super::grammar::{denies_state, is_auxiliary, is_denial, is_negated, state, states};
use super::series;
use super::stem;
use super::volatile;
use super::words::{self, Class, Kind, class};
use proctor_prose::{Clause, Features, Kinds, Reading, Token, TokenKind, read_clauses, tag};

/// Most items of one thought that are compared; what a longer thought says first stands for it.
const MOST_ITEMS: usize = 400;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    /// A path, identifier, piece of code or figure.
    Object,
    /// A word of a known class.
    Class(u16),
    /// A class of words that hardly adds anything by itself.
    Weak,
    /// An outcome or state, whichever word says it.
    State,
    /// Any other word.
    Word,
}

/// How its clause speaks of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pole {
    /// No outcome is said.
    None,
    /// It works, is done, is there.
    Good,
    /// It fails, is open, is missing, is denied.
    Bad,
}

/// One thing that a thought names.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// What two thoughts have in common when they name the same.
    pub(super) key: String,
    pub(super) sort: Sort,
    pub(super) pole: Pole,
    /// The clause denies with a word of its own: not, 아니.
    pub(super) denied: bool,
    /// The outcome is stated, not believed or wished for.
    pub(super) claimed: bool,
    /// It is told as something that happened.
    pub(super) happened: bool,
    /// Place in the thought's text.
    pub(super) span: (usize, usize),
}

/// Outcomes and states that are asserted, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct States(pub(super) u8);

impl States {
    pub(super) const GOOD: u8 = 1;
    pub(super) const BAD: u8 = 1 << 1;
    pub(super) const DONE: u8 = 1 << 2;
    pub(super) const MISSING: u8 = 1 << 3;
    pub(super) const FOUND: u8 = 1 << 4;
    pub(super) const WAIT: u8 = 1 << 5;
}

/// A thought, digested.
#[derive(Clone, Debug, Default)]
pub(super) struct Thought {
    pub(super) items: Vec<Item>,
    /// Outcomes that are stated.
    pub(super) states: States,
    /// Outcomes that are at least believed, or said by the way.
    pub(super) believed: States,
    /// It says itself that things are as they were: still, again, 여전히, 또.
    pub(super) again: bool,
    /// All words in order, Korean ones as stem and ending, for the comparison of wordings.
    pub(super) wording: Vec<String>,
}

/// Digests a thought.
pub(super) fn digest(text: &str) -> Thought {
    let reading = read_clauses(text);
    let known: Vec<Option<Class>> = reading.tokens.iter().map(|t| class_of(&reading, t)).collect();
    let mut out = Thought::default();
    let again = known
        .iter()
        .flatten()
        .any(|c| matches!(c.id, class::AGAIN | class::TRY | class::WAIT));
    out.again = reading
        .tokens
        .iter()
        .zip(&known)
        .any(|(t, class)| t.is_word() && says_again(reading.word(t), *class));
    for clause in &reading.clauses {
        if out.items.len() >= MOST_ITEMS {
            break;
        }
        let known = known.get(clause.tokens.clone()).unwrap_or_default();
        self::clause(&reading, clause, known, text, again, &mut out);
    }
    out
}

/// Whether a word says that something is as it was before.
fn says_again(word: &str, class: Option<Class>) -> bool {
    class.is_some_and(|c| c.id == class::AGAIN)
        || matches!(word, "still" | "또" | "아직" | "아직도")
        || word.starts_with("여전")
}

fn class_of(reading: &Reading, token: &Token) -> Option<Class> {
    match token.kind {
        TokenKind::Word => words::english(reading.word(token)),
        TokenKind::Hangul => words::korean(reading.word(token)),
        _ => None,
    }
}

/// Classes of a clause's words, phrases first; a word inside a phrase has none of its own. `known` are those of the words by
/// themselves.
fn classes(reading: &Reading, tokens: &[Token], known: &[Option<Class>]) -> Vec<(Option<Class>, bool)> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut joined = String::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let mut best = None;
        if token.kind == TokenKind::Word && words::begins_phrase(reading.word(token)) {
            joined.clear();
            joined.push_str(reading.word(token));
            for (more, next) in tokens.iter().skip(at + 1).take(3).enumerate() {
                if next.kind != TokenKind::Word {
                    break;
                }
                joined.push(' ');
                joined.push_str(reading.word(next));
                if let Some(class) = words::phrase(&joined) {
                    best = Some((class, more + 2));
                }
            }
        }
        match best {
            Some((class, length)) => {
                out.push((Some(class), true));
                out.extend((1..length).map(|_| (None, true)));
                at += length;
            }
            None => {
                out.push((known.get(at).copied().flatten(), false));
                at += 1;
            }
        }
    }
    out
}

/// Tags of words that say nothing about the work.
pub(super) fn is_talk(token: &Token) -> bool {
    let talk = tag::STOP
        | tag::INTENS
        | tag::ACK
        | tag::CHEER
        | tag::EFFORT
        | tag::FIRST
        | tag::YOU
        | tag::FUT
        | tag::MODAL
        | tag::BELIEF
        | tag::GENERIC
        | tag::PRAISE
        | tag::THANK
        | tag::GREET
        | tag::APOLOGY
        | tag::OFFER
        | tag::SMOOTH
        | tag::CLAUSE
        | tag::COND
        | tag::QWORD
        | tag::REQUEST
        | tag::CONTRAST
        | tag::CAUSE
        | tag::BEGIN
        | tag::EMOTE
        | tag::PENDING
        | tag::NEG;
    token.tags.any(talk) && !token.tags.any(tag::TECH)
}

fn clause(
    reading: &Reading,
    clause: &Clause,
    known: &[Option<Class>],
    text: &str,
    again: bool,
    out: &mut Thought,
) {
    let tokens = reading.tokens_of(clause);
    let classes = classes(reading, tokens, known);
    let negated = is_negated(reading, tokens, &classes);
    let open = Features::FUTURE
        .or(Features::CONDITIONAL)
        .or(Features::QUESTION)
        .or(Features::IMPERATIVE);
    let open = clause.features.any(open) || clause.features.has(Features::MODAL) && !negated;
    let claimed = !open && !clause.features.has(Features::BELIEF);
    let found = states(reading, tokens, &classes, negated);
    let states = if open { 0 } else { found.0 };
    let bad = states & (States::BAD | States::MISSING | States::WAIT) != 0;
    let good = states & (States::GOOD | States::DONE | States::FOUND) != 0;
    let pole = match (bad, good) {
        // "Tests failing, lint passing" as one clause says neither of both.
        (true, true) => Pole::None,
        (true, false) => Pole::Bad,
        (false, true) => Pole::Good,
        _ if negated && !open => Pole::Bad,
        _ => Pole::None,
    };
    // "The failing case" takes it as known that it fails, whatever else is said.
    out.believed.0 |= states | found.0 & !found.1;
    if negated && !open {
        // "Is not in the data" is as much as missing: whoever says so later says nothing new.
        out.believed.0 |= States::BAD | States::MISSING;
    }
    if claimed {
        out.states.0 |= found.1;
    } else {
        // "I need to understand the error": that there is one is taken as known.
        out.believed.0 |= presupposed(reading, tokens, &classes);
    }
    let waits = found.0 & States::WAIT != 0;
    let idle = bad || again && !good;
    wording(reading, tokens, &mut out.wording);
    // "It is not the cache": a clause that denies one thing says something new of it.
    let denied = !open && is_denial(reading, tokens, &classes);
    for (at, token) in tokens.iter().enumerate() {
        let (class, phrase) = classes.get(at).copied().unwrap_or_default();
        let word = reading.word(token);
        let span = (token.start, token.end);
        let mut put = |key: String, sort: Sort| {
            out.items.push(Item {
                key,
                sort,
                pole,
                denied,
                claimed,
                happened: claimed && clause.features.has(Features::PAST),
                span,
            });
        };
        match token.kind {
            TokenKind::Punct(_) | TokenKind::Emoji => {}
            TokenKind::Word if NUMBERS.contains(&word) && is_counted(tokens, &classes, at) => {
                put(word.to_owned(), Sort::Object);
            }
            TokenKind::Word | TokenKind::Hangul
                if !open
                    && (series::is_share(reading, tokens, at)
                        || !idle && series::tells(reading, tokens, &classes, at)) =>
            {
                put(format!("#{word}"), Sort::Object);
            }
            TokenKind::Word if series::is_letter(reading, tokens, &classes, at) => {
                put(word.to_owned(), Sort::Object);
            }
            // 열세 번째: a counter in words.
            TokenKind::Hangul if is_ordinal(reading, tokens, at) => {}
            TokenKind::Word | TokenKind::Hangul => {
                match class {
                    Some(c) if c.kind == Kind::Filler => {}
                    // Behind a figure stands its counter: 12행, 3번.
                    Some(c) if is_tail(tokens, at) && c.kind == Kind::Weak => {}
                    Some(c) => {
                        // Korean says "try doing" with the verb for seeing.
                        if c.id == class::LOOK && is_auxiliary(reading, tokens, at) {
                            continue;
                        }
                        if waits && c.id == class::RUN {
                            continue;
                        }
                        match c.kind {
                            Kind::Weak => put(format!("={}", c.id), Sort::Weak),
                            Kind::Act | Kind::Thing | Kind::Change | Kind::Filler => {
                                put(format!("={}", c.id), Sort::Class(c.id));
                            }
                            kind => {
                                let turned = negated && denies_state(reading, tokens, &classes, at);
                                put(format!("~{}", state(kind, turned, waits)), Sort::State);
                            }
                        }
                    }
                    None if phrase || is_talk(token) => {}
                    None => {
                        let stem = match token.kind {
                            TokenKind::Hangul => stem::korean(word),
                            _ => stem::english(word),
                        };
                        if is_content(token, word, stem, is_tail(tokens, at)) {
                            put(stem.to_owned(), Sort::Word);
                        }
                    }
                }
            }
            TokenKind::Code => {
                for key in code_objects(text, token) {
                    put(key, Sort::Object);
                }
            }
            _ => {
                if volatile::is_noise(reading, tokens, at, idle) {
                    continue;
                }
                for key in objects(token.kind, word) {
                    put(key, Sort::Object);
                }
            }
        }
    }
}

/// The keys of the objects that inline code names.
fn code_objects(text: &str, token: &Token) -> impl Iterator<Item = String> {
    let code = text.get(token.start..token.end).unwrap_or_default();
    let parts = code.trim_matches('`').split_whitespace().take(40);
    parts
        .map(|part| object(&part.to_lowercase()))
        .filter(|key| !key.is_empty())
}

/// The objects of a clause that are some whatever else the text says, with their places: code, paths, names and figures but
/// those that might be noise.
pub(super) fn certain_objects<'r>(
    reading: &'r Reading,
    clause: &'r Clause,
    text: &'r str,
) -> impl Iterator<Item = (String, (usize, usize))> + 'r {
    let some = Kinds::NUMBER.or(Kinds::CODE).or(Kinds::PATH).or(Kinds::IDENT);
    let tokens = match clause.kinds.any(some) {
        true => reading.tokens_of(clause),
        false => &[],
    };
    tokens.iter().enumerate().flat_map(move |(at, token)| {
        let keys: Vec<String> = match token.kind {
            TokenKind::Code => code_objects(text, token).collect(),
            // Among what fails or waits more is noise.
            TokenKind::Number | TokenKind::Path | TokenKind::Ident
                if !volatile::is_noise(reading, tokens, at, true) =>
            {
                objects(token.kind, reading.word(token))
            }
            _ => Vec::new(),
        };
        keys.into_iter().map(|key| (key, (token.start, token.end)))
    })
}

/// Bad news that a clause takes as known although it claims nothing: a noun for it behind a word that points at it.
fn presupposed(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)]) -> u8 {
    let points = |token: &Token| {
        matches!(
            reading.word(token),
            "the" | "this" | "that" | "these" | "those" | "my" | "our" | "이" | "그" | "저"
        )
    };
    let known = tokens
        .windows(2)
        .zip(classes.iter().skip(1))
        .any(|(pair, (class, _))| {
            pair.first().is_some_and(points) && class.is_some_and(|c| c.kind == Kind::Bad)
        });
    if known { States::BAD } else { 0 }
}

/// Adds the words of a clause to the wording.
fn wording(reading: &Reading, tokens: &[Token], out: &mut Vec<String>) {
    for token in tokens {
        let word = reading.word(token);
        match token.kind {
            TokenKind::Punct(_) | TokenKind::Emoji => {}
            TokenKind::Hangul => {
                let stem = stem::korean(word);
                out.push(stem.to_owned());
                out.extend(
                    word.get(stem.len()..)
                        .filter(|rest| !rest.is_empty())
                        .map(str::to_owned),
                );
            }
            _ => out.push(word.to_owned()),
        }
    }
}

/// Whether a short Korean word counts by the 번째 behind it.
fn is_ordinal(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let short = tokens.get(at).is_some_and(|t| t.chars <= 3);
    short
        && tokens
            .get(at + 1)
            .is_some_and(|t| t.kind == TokenKind::Hangul && reading.word(t).starts_with("번째"))
}

/// Numbers as words. `one` is left out: it stands for any noun.
const NUMBERS: [&str; 11] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// Whether a number as a word stands behind what it numbers: chapter two.
fn is_counted(tokens: &[Token], classes: &[(Option<Class>, bool)], at: usize) -> bool {
    let before = at
        .checked_sub(1)
        .and_then(|i| Some((tokens.get(i)?, classes.get(i)?)));
    before.is_some_and(|(token, (class, phrase))| match class {
        Some(class) => matches!(class.kind, Kind::Thing | Kind::Weak),
        None => token.is_word() && !phrase && !is_talk(token),
    })
}

/// Whether a word is written onto the code, figure or name before it.
fn is_tail(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|i| tokens.get(i));
    before.is_some_and(|b| {
        tokens.get(at).is_some_and(|t| t.start == b.end)
            && !matches!(b.kind, TokenKind::Punct(_) | TokenKind::Emoji)
    })
}

/// Whether a word that no list knows may carry content.
fn is_content(token: &Token, word: &str, stem: &str, tail: bool) -> bool {
    match token.kind {
        TokenKind::Hangul => {
            // Behind code or a figure stands a particle or a counter, and adverbs tell how, not what.
            let adverb = word.ends_with('히');
            !(adverb || tail && word.chars().count() <= 2) && stem.chars().count() > 1
        }
        _ => word.len() > 1 && !(word.ends_with("ly") && word.len() > 4),
    }
}

/// What an object is known by: lower case, without call parentheses, dots and marks around it.
fn object(text: &str) -> String {
    let text = text.strip_prefix("./").unwrap_or(text);
    let text = text.trim_matches(|c: char| {
        matches!(
            c,
            '`' | '"' | '\'' | ',' | ';' | ':' | '(' | ')' | '[' | ']' | '{' | '}'
        )
    });
    text.trim_end_matches('.').to_owned()
}

/// The keys of an object token: a path with a line is both.
fn objects(kind: TokenKind, word: &str) -> Vec<String> {
    match kind {
        TokenKind::Number => vec![number(word)],
        TokenKind::Path => word
            .split(':')
            .filter(|p| !p.is_empty())
            .map(object)
            .filter(|k| !k.is_empty())
            .collect(),
        _ => Some(object(word)).filter(|k| !k.is_empty()).into_iter().collect(),
    }
}

/// A figure without sign, separators and unit: `~12,400`, `5s` and `5` with its unit in the next word.
fn number(word: &str) -> String {
    let plain: String = word
        .trim_start_matches(['+', '~', '$', '±', '<', '>', '='])
        .chars()
        .filter(|c| *c != ',')
        .collect();
    let digits = plain.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = plain.get(digits.len()..).unwrap_or_default();
    // 312k and 312 are not the same; 5s and 5 are.
    match unit {
        "k" | "m" | "g" | "kb" | "mb" | "gb" if digits.len() < plain.len() => plain,
        _ => digits.to_owned(),
    }
}
