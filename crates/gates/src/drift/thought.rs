//! A thought as a list of what it names: objects, figures, classes of words, outcomes. What varies without
//! meaning (counters, clocks, ids, filler) is left out.

use super::stem;
use super::volatile;
use super::words::{self, Class, Kind, class};
use proctor_prose::{Clause, Features, Reading, Token, TokenKind, read_shared, tag};

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
    /// All words in order, Korean ones as stem and ending, for the comparison of wordings.
    pub(super) wording: Vec<String>,
}

/// Digests a thought.
pub(super) fn digest(text: &str) -> Thought {
    let reading = read_shared(text, &proctor_prose::Extra::default());
    let mut out = Thought::default();
    let again = reading.tokens.iter().any(|t| {
        t.is_word()
            && class_of(&reading, t).is_some_and(|c| matches!(c.id, class::AGAIN | class::TRY | class::WAIT))
    });
    for clause in &reading.clauses {
        if out.items.len() >= MOST_ITEMS {
            break;
        }
        self::clause(&reading, clause, text, again, &mut out);
    }
    out
}

fn class_of(reading: &Reading, token: &Token) -> Option<Class> {
    match token.kind {
        TokenKind::Word => words::english(reading.word(token)),
        TokenKind::Hangul => words::korean(reading.word(token)),
        _ => None,
    }
}

/// Classes of a clause's words, phrases first; a word inside a phrase has none of its own.
fn classes(reading: &Reading, tokens: &[Token]) -> Vec<(Option<Class>, bool)> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut joined = String::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let mut best = None;
        if token.kind == TokenKind::Word {
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
                out.push((class_of(reading, token), false));
                at += 1;
            }
        }
    }
    out
}

/// Tags of words that say nothing about the work.
fn is_talk(token: &Token) -> bool {
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

fn clause(reading: &Reading, clause: &Clause, text: &str, again: bool, out: &mut Thought) {
    let tokens = reading.tokens_of(clause);
    let classes = classes(reading, tokens);
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
        (true, _) => Pole::Bad,
        (false, true) => Pole::Good,
        _ if negated && !open => Pole::Bad,
        _ => Pole::None,
    };
    out.believed.0 |= states;
    if claimed {
        out.states.0 |= found.1;
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
                span,
            });
        };
        match token.kind {
            TokenKind::Punct(_) | TokenKind::Emoji => {}
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
                let code = text.get(token.start..token.end).unwrap_or(word).trim_matches('`');
                for part in code.split_whitespace().take(40) {
                    let key = object(&part.to_lowercase());
                    if !key.is_empty() {
                        put(key, Sort::Object);
                    }
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

/// The state that a word tells of, one bit; a denial turns it round.
fn state(kind: Kind, negated: bool, waits: bool) -> u8 {
    match (kind, negated) {
        (Kind::Good, false) | (Kind::Bad, true) => States::GOOD,
        (Kind::Bad, false) | (Kind::Good, true) => States::BAD,
        (Kind::Done, _) if waits => States::WAIT,
        (Kind::Done, false) => States::DONE,
        (Kind::Done, true) | (Kind::Wait, _) => States::WAIT,
        (Kind::Missing, false) | (Kind::Found, true) => States::MISSING,
        (Kind::Found, false) => States::FOUND,
        _ => 0,
    }
}

/// Outcomes that the words of a clause tell of: all of them, and those that are not said by the way.
fn states(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)], negated: bool) -> (u8, u8) {
    let is = |id: u16| classes.iter().any(|(c, _)| c.is_some_and(|c| c.id == id));
    let waits = is(class::WAIT) || is(class::AGAIN) && is(class::RUN) && is_still(reading, tokens);
    let mut all = if waits { States::WAIT } else { 0 };
    let mut said = all;
    for (at, (class, _)) in classes.iter().enumerate() {
        let Some(class) = class else { continue };
        if class.id == class::LOOK && negated {
            all |= States::MISSING;
            said |= States::MISSING;
            continue;
        }
        let bit = state(
            class.kind,
            negated && denies_state(reading, tokens, classes, at),
            waits,
        );
        let Some(token) = tokens.get(at).filter(|_| bit != 0) else {
            continue;
        };
        let word = reading.word(token);
        if is_purpose(word) {
            continue;
        }
        all |= bit;
        if !is_attribute(reading, token, tokens.get(at + 1), class) {
            said |= bit;
        }
    }
    (all, said)
}

/// "Still running" is waiting.
fn is_still(reading: &Reading, tokens: &[Token]) -> bool {
    tokens.iter().any(|t| {
        reading.word(t) == "still"
            || reading.word(t).starts_with("여전히")
            || reading.word(t).starts_with("계속")
    })
}

/// A Korean word that says what for, not what is: 없도록, 되려면, 되는지.
fn is_purpose(word: &str) -> bool {
    ["도록", "려면", "는지", "기를", "때까지", "을지", "길"]
        .iter()
        .any(|e| word.ends_with(e))
}

/// Whether a word of state only describes the noun behind it: the failing test, 깨진 테스트.
fn is_attribute(reading: &Reading, token: &Token, next: Option<&Token>, class: &Class) -> bool {
    let Some(next) = next.filter(|n| !matches!(n.kind, TokenKind::Punct(_) | TokenKind::Emoji)) else {
        return false;
    };
    let word = reading.word(token);
    match token.kind {
        TokenKind::Hangul => word.ends_with(['는', '은', '진', '된', '한', '던']) && class.kind != Kind::Wait,
        _ => {
            matches!(
                word,
                "failing" | "broken" | "missing" | "absent" | "failed" | "red" | "bad" | "flaky" | "stuck"
            ) && next.is_word()
                && !is_talk(next)
        }
    }
}

/// Whether a denial in the clause is about the word of state at this place: `did not pass`, `통과하지 않`, `안 됨`.
fn denies_state(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)], at: usize) -> bool {
    let denies = |i: usize| {
        tokens
            .get(i)
            .is_some_and(|t| is_negation(reading, tokens, classes, i, t))
    };
    match tokens.get(at).map(|t| t.kind) {
        Some(TokenKind::Hangul) => {
            denies(at)
                || denies(at + 1)
                || at.checked_sub(1).is_some_and(|i| {
                    tokens
                        .get(i)
                        .is_some_and(|t| matches!(reading.word(t), "안" | "못"))
                })
        }
        _ => {
            (at.saturating_sub(5)..at).any(denies)
                || tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Hangul)
                    && (denies(at + 1) || denies(at + 2))
        }
    }
}

/// Whether the clause denies. Words of a listed phrase ("not found") deny nothing beyond it.
fn is_negated(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)]) -> bool {
    tokens
        .iter()
        .enumerate()
        .any(|(at, token)| is_negation(reading, tokens, classes, at, token))
}

fn is_negation(
    reading: &Reading,
    tokens: &[Token],
    classes: &[(Option<Class>, bool)],
    at: usize,
    token: &Token,
) -> bool {
    let word = reading.word(token);
    match token.kind {
        TokenKind::Word => {
            !classes.get(at).is_some_and(|c| c.1)
                && (token.tags.any(tag::NEG) || word.ends_with("n't"))
                && !token.quoted
        }
        TokenKind::Hangul => {
            let before = at
                .checked_sub(1)
                .and_then(|i| tokens.get(i))
                .map_or("", |t| reading.word(t));
            word == "안"
                || word.contains(['않', '못'])
                || ["안되", "아니", "아닙", "아닌"]
                    .iter()
                    .any(|n| word.starts_with(n))
                || word.starts_with('없') && matches!(before, "수" | "수가" | "수는" | "수도")
        }
        _ => false,
    }
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

/// Whether the clause denies that something is the one: `it isn't the cache`, `캐시는 아닙니다`.
fn is_denial(reading: &Reading, tokens: &[Token], classes: &[(Option<Class>, bool)]) -> bool {
    let copula = tokens.iter().enumerate().any(|(at, token)| {
        let word = reading.word(token);
        let next = tokens.get(at + 1).map_or("", |t| reading.word(t));
        ["아니", "아닙", "아닌", "아님"]
            .iter()
            .any(|n| word.starts_with(n))
            || matches!(word, "isn't" | "wasn't" | "aren't" | "weren't")
            || next == "not" && (matches!(word, "is" | "was" | "are" | "were") || word.ends_with("'s"))
    });
    let content = tokens
        .iter()
        .zip(classes)
        .filter(|(token, (class, phrase))| match class {
            Some(c) => !matches!(c.kind, Kind::Filler | Kind::Weak),
            None => {
                !phrase && !is_talk(token) && !matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji)
            }
        });
    copula && content.count() <= 2
}

/// Whether a Korean verb for seeing stands behind another verb and means "try".
fn is_auxiliary(reading: &Reading, tokens: &[Token], at: usize) -> bool {
    let starts = |t: &Token| {
        t.kind == TokenKind::Hangul && reading.word(t).starts_with(['보', '봅', '봐', '볼', '봤'])
    };
    let before = at.checked_sub(1).and_then(|i| tokens.get(i));
    let (Some(token), Some(before)) = (tokens.get(at), before) else {
        return false;
    };
    if !starts(token) || before.kind != TokenKind::Hangul {
        return false;
    }
    reading.word(before).chars().next_back().is_some_and(|c| {
        matches!(c, '\u{ac00}'..='\u{d7a3}') && {
            let index = c as u32 - 0xac00;
            // An open syllable with one of the vowels ㅏ ㅐ ㅓ ㅕ ㅘ ㅝ: 해, 꿔, 려, 가.
            index.is_multiple_of(28)
                && matches!(index / 28 % 21, 0 | 1 | 4 | 6 | 9 | 14)
                && !matches!(c, '가' | '나')
        }
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
