//! What each token of an answer says: its signs of state, what it tells of doing, and the items that have
//! its concepts. Every word is looked up once.

use super::checklist::{Checklist, Place};
use super::class::Class;
use super::signs::Signs;
use super::words::{self, Concept, Phrase, Room};
use crate::paths;
use crate::text::{final_consonant, slice};
use proctor_prose::{Reading, Token, TokenKind};

/// What one token says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sense {
    pub(super) signs: Signs,
    /// What it tells of having been done; none for words that are no finished verbs.
    pub(super) class: Class,
    /// It is a verb in a finished form.
    pub(super) finished: bool,
    /// Its word is known to the lexicon.
    pub(super) known: bool,
    /// It tells of something under way: "adding", "is migrating".
    pub(super) progressive: bool,
    /// A verb in its base form.
    pub(super) orders: bool,
    /// Words of the longest phrase that may begin with it.
    phrase: u8,
    /// Its concepts in [`Senses::places`].
    from: u32,
    to: u32,
}

/// The senses of all tokens of a message.
pub(super) struct Senses<'a> {
    list: Vec<Sense>,
    /// For each concept of each token that the checklist has: its places there.
    places: Vec<&'a [Place]>,
}

/// Room that is used again for token after token.
#[derive(Default)]
struct Work {
    room: Room,
    concepts: Vec<Concept>,
}

const STATES: Signs = Signs::UNDONE
    .with(Signs::BAD)
    .with(Signs::OPEN)
    .with(Signs::FUTURE)
    .with(Signs::NO)
    .with(Signs::NEG)
    .with(Signs::DONE)
    .with(Signs::VERIFIED)
    .with(Signs::ANALYSED);

impl<'a> Senses<'a> {
    pub(super) fn new(text: &str, reading: &Reading, list: &'a Checklist) -> Self {
        let tokens = &reading.tokens;
        let mut out = Self {
            list: Vec::with_capacity(tokens.len()),
            places: Vec::with_capacity(16),
        };
        let mut work = Work::default();
        let mut hangul_before = None;
        for (at, token) in tokens.iter().enumerate() {
            work.concepts.clear();
            let from = out.places.len();
            let before = hangul_before.take();
            let mut sense = Sense::default();
            match token.kind {
                TokenKind::Word => out.word(reading, at, token, &mut sense, &mut work),
                TokenKind::Number => {
                    let word = reading.word(token);
                    let (heard, concept) = words::english(word);
                    sense.signs = heard.signs;
                    sense.phrase = heard.phrase;
                    if word.bytes().all(|b| b.is_ascii_digit()) {
                        work.concepts.extend(concept);
                    } else {
                        words::latin(word, &mut work.room, &mut work.concepts);
                    }
                }
                TokenKind::Hangul => {
                    let word = reading.word(token);
                    let after_latin = token.glued
                        && at.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|b| {
                            !matches!(b.kind, TokenKind::Punct(_) | TokenKind::Hangul | TokenKind::Emoji)
                        });
                    if after_latin && paths::is_particle(word) {
                        finish_korean(word, Class::NONE, &mut sense);
                    } else {
                        let (signs, phrase) = words::korean_signs(word);
                        sense.phrase = phrase;
                        let (name, heard) = words::korean_word(word, before, &mut work.concepts);
                        hangul_before = name;
                        sense.signs = signs.with(heard.signs);
                        sense.known = heard.known;
                        finish_korean(word, heard.class, &mut sense);
                    }
                }
                TokenKind::Emoji => sense.signs = picture(slice(text, token.start, token.end)),
                TokenKind::Punct(c) => sense.signs = picture_of(c),
                TokenKind::Ident
                | TokenKind::Path
                | TokenKind::Code
                | TokenKind::Url
                | TokenKind::Mention => {
                    if token.kind == TokenKind::Ident {
                        sense.signs = words::english(reading.word(token)).0.signs;
                    }
                    words::concepts(
                        slice(text, token.start, token.end),
                        &mut work.room,
                        &mut work.concepts,
                    );
                }
            }
            for concept in &work.concepts {
                let state = !sense.known && sense.signs.any(STATES);
                if concept.weight > 0.3 && !concept.silent && !state {
                    sense.signs = sense.signs.with(Signs::CONTENT);
                }
                let places = list.places(concept.name);
                if !places.is_empty() {
                    out.places.push(places);
                }
            }
            sense.from = from as u32;
            sense.to = out.places.len() as u32;
            out.list.push(sense);
        }
        out.phrases(reading);
        out.context(reading);
        out
    }

    pub(super) fn get(&self, at: usize) -> Sense {
        self.list.get(at).copied().unwrap_or_default()
    }

    /// The signs of a token.
    pub(super) fn signs(&self, at: usize) -> Signs {
        self.list.get(at).map_or(Signs::NONE, |s| s.signs)
    }

    /// The places in the checklist of what a token speaks of.
    pub(super) fn places(&self, at: usize) -> &[&'a [Place]] {
        let sense = self.get(at);
        self.places
            .get(sense.from as usize..sense.to as usize)
            .unwrap_or_default()
    }

    /// Reads an English word.
    fn word(&self, reading: &Reading, at: usize, token: &Token, sense: &mut Sense, work: &mut Work) {
        let word = reading.word(token);
        let (heard, concept) = words::english(word);
        sense.signs = heard.signs;
        sense.known = heard.known;
        sense.phrase = heard.phrase;
        if word.contains(['-', '\'']) && !heard.signs.any(STATES.with(Signs::STOP)) {
            words::latin(word, &mut work.room, &mut work.concepts);
            if word.ends_with("'ll") {
                sense.signs = sense.signs.with(Signs::FUTURE);
            } else if word.ends_with("n't") {
                sense.signs = sense.signs.with(Signs::NEG);
            }
        } else {
            work.concepts.extend(concept);
        }
        let past = (word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed"))
            || heard.signs.any(Signs::PAST);
        let other = Signs::IDLE
            .with(Signs::DONE)
            .with(Signs::VERIFIED)
            .with(Signs::ANALYSED);
        if past && !heard.signs.any(other) && !self.attributive(reading, at) {
            sense.finished = true;
            sense.class = if heard.class.is_none() {
                Class::OTHER
            } else {
                heard.class
            };
        }
        sense.orders = !heard.class.is_none() && !word.ends_with("ing") && !word.ends_with('s');
        sense.progressive = word.len() > 4
            && word.ends_with("ing")
            && !heard.class.is_none()
            && !at
                .checked_sub(1)
                .is_some_and(|b| self.signs(b).any(Signs::PREPOSITION.with(Signs::DETERMINER)));
    }

    /// Whether a participle only describes the noun behind it: "the updated docs".
    fn attributive(&self, reading: &Reading, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(Signs::NONE, |b| self.signs(b));
        let next = reading.tokens.get(at + 1);
        let closed = at
            .checked_sub(1)
            .and_then(|b| reading.tokens.get(b))
            .is_some_and(|b| b.is_word());
        let noun = |token: &Token| {
            let heard = words::english(reading.word(token)).0;
            heard.known || heard.signs.is_empty()
        };
        before.any(Signs::DETERMINER)
            && closed
            && next.is_some_and(|n| n.kind == TokenKind::Code || n.kind == TokenKind::Word && noun(n))
    }

    /// Gives the first word of each listed phrase what the phrase says, and the others nothing.
    fn phrases(&mut self, reading: &Reading) {
        let tokens = &reading.tokens;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let longest = self.get(at).phrase;
            let mut best: Option<(Signs, usize)> = None;
            if longest > 1 {
                let mut phrase = Phrase::begin(reading.word(token));
                for count in 2..=usize::from(longest) {
                    let Some(next) = tokens
                        .get(at + count - 1)
                        .filter(|n| n.is_word() || n.kind == TokenKind::Number)
                    else {
                        break;
                    };
                    let word = reading.word(next);
                    let found = if next.kind == TokenKind::Hangul {
                        phrase.then_stem(word)
                    } else {
                        None
                    };
                    phrase = phrase.then(word);
                    best = found
                        .or_else(|| phrase.signs())
                        .map(|signs| (signs, count))
                        .or(best);
                }
            }
            let Some((signs, count)) = best else {
                at += 1;
                continue;
            };
            if let Some(first) = self.list.get_mut(at) {
                first.signs = first.signs.with(signs);
            }
            for at in at..at + count {
                if let Some(sense) = self.list.get_mut(at) {
                    sense.signs = sense.signs.without(Signs::CONTENT);
                }
            }
            if !signs.any(Signs::HARMLESS) {
                at += 1;
                continue;
            }
            // The words of a harmless phrase say nothing of their own.
            for at in at..at + count {
                self.silence(at);
            }
            at += count;
        }
    }

    /// What words say to each other: a denial of trouble is no bad news.
    fn context(&mut self, reading: &Reading) {
        let tokens = &reading.tokens;
        for at in 0..tokens.len() {
            let signs = self.signs(at);
            let Some(token) = tokens.get(at) else { break };
            if signs.is_empty() && token.kind != TokenKind::Hangul {
                continue;
            }
            if self.get(at).finished && token.kind == TokenKind::Word && self.describes(tokens, at) {
                if let Some(sense) = self.list.get_mut(at) {
                    sense.finished = false;
                }
            }
            if token.kind == TokenKind::Hangul {
                self.korean_context(reading, at, token, signs);
                continue;
            }
            if signs.any(Signs::NEG.with(Signs::NO)) {
                self.deny(reading, at);
            }
            if signs.any(
                Signs::BAD
                    .with(Signs::OPEN)
                    .with(Signs::UNDONE)
                    .with(Signs::FUTURE),
            ) && !signs.any(Signs::NEG.with(Signs::NO))
                && self.is_topic(tokens, at)
            {
                self.silence(at);
            }
        }
    }

    /// Whether a participle only names what an item is about: "logging of rejected keys".
    fn describes(&self, tokens: &[Token], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|b| Some((b, tokens.get(b)?)));
        before.is_some_and(|(b, token)| {
            let sense = self.get(b);
            token.kind == TokenKind::Word
                && (sense.signs.any(Signs::PREPOSITION.with(Signs::DETERMINER)) || sense.orders)
                || self.is_topic(tokens, b)
        }) && self.is_topic(tokens, at)
    }

    /// Takes its signs of state from a token.
    fn silence(&mut self, at: usize) {
        if let Some(sense) = self.list.get_mut(at) {
            sense.signs = sense.signs.without(STATES);
            sense.finished = false;
        }
    }

    /// "no errors", "does not crash any more", "nothing is left".
    fn deny(&mut self, reading: &Reading, at: usize) {
        // "no new errors", but "not checked for errors" denies the check.
        let wide = self.signs(at).any(Signs::NO);
        let wide_bad = Signs::BAD.with(Signs::TROUBLE).with(Signs::LEFT);
        let bad = if self.signs(at + 1).any(Signs::TROUBLE) {
            wide_bad
        } else {
            Signs::BAD.with(Signs::LEFT)
        };
        for ahead in at + 1..at + 5 {
            let Some(token) = reading
                .tokens
                .get(ahead)
                .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
            else {
                return;
            };
            let sense = self.get(ahead);
            if sense.signs.any(if wide { wide_bad } else { bad }) {
                self.silence(at);
                self.silence(ahead);
                // "no tests failed", "nothing left open".
                if reading.tokens.get(ahead + 1).is_some_and(Token::is_word) && self.signs(ahead + 1).any(bad)
                {
                    self.silence(ahead + 1);
                }
                return;
            }
            let stops = sense.finished
                || sense
                    .signs
                    .any(STATES.with(Signs::CONDITION).with(Signs::IDLE).without(Signs::NO))
                || !wide && sense.signs.any(Signs::CONTENT)
                || matches!(reading.word(token), "and" | "but");
            if stops {
                return;
            }
        }
    }

    /// Whether a word that sounds like bad news only names what an item is about: "Failed logins are
    /// logged" for the item "Log failed logins".
    fn is_topic(&self, tokens: &[Token], at: usize) -> bool {
        if !tokens
            .get(at + 1)
            .is_some_and(|n| n.is_word() || n.kind == TokenKind::Code)
        {
            return false;
        }
        let shares = |other: &[Place]| {
            self.places(at).iter().any(|mine| {
                mine.len() <= 8
                    && mine
                        .iter()
                        .any(|(_, item, _)| other.iter().any(|(_, o, _)| o == item))
            })
        };
        self.places(at + 1).iter().any(|p| p.len() <= 8 && shares(p))
    }

    fn korean_context(&mut self, reading: &Reading, at: usize, token: &Token, signs: Signs) {
        let word = reading.word(token);
        if ["제외한", "제외하고", "제외하면", "제외하곤"]
            .iter()
            .any(|w| word.starts_with(w))
        {
            self.silence(at);
            return;
        }
        let previous = at.checked_sub(1).and_then(|b| {
            let token = reading.tokens.get(b)?;
            matches!(token.kind, TokenKind::Hangul).then(|| reading.word(token))
        });
        let bad = Signs::BAD.with(Signs::TROUBLE).with(Signs::LEFT);
        // 오류 없이, 문제가 없습니다, 남은 작업은 없음, 깨지지 않음.
        if word.starts_with('없') || word.contains('않') {
            let mut cancelled = word.contains('않') && signs.any(bad);
            let negated = word.contains('않');
            for back in 1..=2 {
                let before = at
                    .checked_sub(back)
                    .and_then(|b| Some((b, reading.tokens.get(b)?)));
                let Some((b, before)) = before.filter(|(_, t)| t.kind == TokenKind::Hangul) else {
                    break;
                };
                let cancels = match back {
                    1 if negated => reading.word(before).ends_with('지') && self.signs(b).any(bad),
                    1 => self.signs(b).any(bad),
                    _ => !negated && self.signs(b).any(Signs::LEFT),
                };
                if cancels {
                    self.silence(b);
                    cancelled = true;
                    break;
                }
            }
            let before = |back: usize| {
                let token = at.checked_sub(back).and_then(|b| reading.tokens.get(b));
                token.map_or("", |t| reading.word(t))
            };
            if !cancelled
                && negated
                && (2..=4)
                    .any(|back| before(back) == "더" && before(back - 1) == "이상" || before(back) == "더는")
            {
                // 더 이상 나타나지 않습니다.
                self.silence(at);
                if let Some(sense) = self.list.get_mut(at) {
                    sense.signs = sense.signs.with(Signs::RESULT);
                }
                return;
            }
            if cancelled {
                self.silence(at);
            } else if let Some(sense) = self.list.get_mut(at) {
                sense.signs = sense.signs.with(Signs::UNDONE);
                sense.finished = false;
            }
            return;
        }
        if word.contains("없") && signs.any(bad) {
            self.silence(at);
            return;
        }
        // 실패 0건.
        if signs.any(Signs::BAD)
            && reading
                .tokens
                .get(at + 1)
                .is_some_and(|n| n.kind == TokenKind::Number && reading.word(n) == "0")
        {
            self.silence(at);
            return;
        }
        // 실패 시, 실패 케이스, 누락 필드: the bare noun describes the next one.
        if signs.any(Signs::BAD.with(Signs::UNDONE).with(Signs::OPEN))
            && words::korean_stem(word) == word
            && let Some(next) = reading.tokens.get(at + 1)
            && next.kind == TokenKind::Hangul
            && !next.glued
        {
            let noun = reading.word(next);
            let describes = ["시", "케이스", "테스트", "로그", "메시지", "화면", "응답", "처리"]
                .iter()
                .any(|n| noun.starts_with(n) && !noun.starts_with("시작"));
            if signs.any(Signs::BAD) && describes || self.is_topic(&reading.tokens, at) {
                self.silence(at);
                return;
            }
        }
        let before_known = at
            .checked_sub(1)
            .is_some_and(|b| self.get(b).known || !self.places(b).is_empty());
        let Some(sense) = self.list.get_mut(at) else {
            return;
        };
        match previous {
            // 할 것, 할 수 있, 할 계획.
            Some(previous)
                if ends_in_rieul(previous)
                    && ["것", "거", "겁", "수", "예정", "계획"]
                        .iter()
                        .any(|w| word.starts_with(w)) =>
            {
                let stem = !matches!(previous, "를" | "을");
                if stem {
                    sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN));
                }
            }
            // 민수가 했습니다.
            Some(previous)
                if (words::is_light(word) && word.starts_with('했')
                    || word.starts_with("끝냈")
                    || word.starts_with("처리했"))
                    && previous.ends_with('가')
                    && (2..=4).contains(&previous.chars().count())
                    && !matches!(previous, "제가" | "내가" | "저희가" | "우리가" | "모두가")
                    && !before_known =>
            {
                sense.signs = sense.signs.with(Signs::PEOPLE);
            }
            // 끝냈다고 합니다.
            Some(previous)
                if previous.chars().count() > 2
                    && (previous.ends_with("다고") || previous.ends_with("라고"))
                    && ["합니", "했", "하더", "들었", "하네", "해요"]
                        .iter()
                        .any(|w| word.starts_with(w)) =>
            {
                sense.signs = sense.signs.with(Signs::PEOPLE);
            }
            // 하고 있습니다; 보고 있는.
            Some(previous) if previous.ends_with('고') && word.starts_with('있') => {
                sense.signs = sense.signs.with(Signs::OPEN);
            }
            // 하면 됩니다.
            Some(previous)
                if previous.ends_with('면') && matches!(word.chars().next(), Some('됩' | '되' | '돼')) =>
            {
                sense.signs = sense.signs.with(Signs::OPEN);
            }
            _ => {}
        }
        if word == "중"
            && previous.is_some()
            && !reading
                .tokens
                .get(at + 1)
                .is_some_and(|n| n.is_word() || n.kind == TokenKind::Number)
        {
            sense.signs = sense.signs.with(Signs::OPEN);
        }
    }
}

/// At least three syllables.
fn long(word: &str) -> bool {
    word.char_indices().nth(2).is_some()
}

fn ends_in_rieul(word: &str) -> bool {
    word.chars().next_back().and_then(final_consonant) == Some(8)
}

/// Verb stems whose past tense ends like that of "to be": 붙였, 줄였.
const CONTRACTED: &str = "붙줄높들섞쌓녹벌먹속울직옮숙묶엮숨끓";

/// Reads tense and mood from the syllables of a Korean word.
fn finish_korean(word: &str, class: Class, sense: &mut Sense) {
    let mut past = false;
    let mut before = '\0';
    let mut copula = false;
    for c in word.chars() {
        match c {
            '겠' => sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN)),
            '않' => sense.signs = sense.signs.with(Signs::UNDONE),
            '게' if final_consonant(before) == Some(8) && word.ends_with(['게', '요']) => {
                sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN));
            }
            '였' if before != '하' && !CONTRACTED.contains(before) => copula = true,
            '있' => {}
            c if final_consonant(c) == Some(20) => past = true,
            _ => {}
        }
        before = c;
    }
    let first = word.chars().next().unwrap_or_default();
    if first == '없' && !matches!(word, "없이") {
        sense.signs = sense.signs.with(Signs::UNDONE);
    }
    if word.ends_with('야') && !matches!(word, "분야" | "시야" | "이야")
        || word.contains("야합")
        || word.contains("야할")
    {
        sense.signs = sense.signs.with(Signs::OPEN.with(Signs::PLAN));
    }
    let passive = ["됩니다", "돼요", "되네요", "집니다"]
        .iter()
        .any(|e| word.ends_with(e));
    if passive && long(word) && !sense.signs.any(STATES) {
        sense.signs = sense.signs.with(Signs::RESULT);
    }
    if word.ends_with("에만") || word.ends_with("에서만") || word.ends_with("까지만") {
        sense.signs = sense.signs.with(Signs::UNDONE);
    }
    let noun = long(word)
        && (word.ends_with(['함', '됨'])
            || word.ends_with("했음")
            || word.ends_with("바꿈")
            || word.ends_with("고침")
            || word.ends_with("만듦"));
    if (past || noun) && !copula && !sense.signs.any(Signs::IDLE) {
        sense.finished = true;
        sense.class = if words::is_light(word) {
            Class::GENERIC
        } else if sense.signs.any(Signs::VERIFIED) {
            Class::VERIFY
        } else if class.is_none() {
            Class::OTHER
        } else {
            class
        };
    }
}

fn picture(text: &str) -> Signs {
    text.chars()
        .map(picture_of)
        .find(|signs| !signs.is_empty())
        .unwrap_or(Signs::NONE)
}

/// What a picture says about the state of its line.
fn picture_of(c: char) -> Signs {
    match c {
        '✅' | '✔' | '☑' | '✓' | '🟢' | '🏁' => Signs::TICK,
        '❌' | '✗' | '✘' | '🔴' | '🚫' => Signs::CROSS,
        '⬜' | '☐' | '⏳' | '🚧' | '🔄' | '🟡' | '⌛' | '🔜' | '◻' | '▢' | '⏸' => {
            Signs::CLOCK
        }
        _ => Signs::NONE,
    }
}

/// The files that a stretch of tokens names.
pub(super) fn files(text: &str, tokens: &[Token]) -> Vec<String> {
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|b| tokens.get(b));
        let begins = !token.glued
            || token.kind == TokenKind::Code
            || previous.is_none_or(|b| matches!(b.kind, TokenKind::Punct(_) | TokenKind::Code));
        let may = match token.kind {
            TokenKind::Path | TokenKind::Code | TokenKind::Ident | TokenKind::Url | TokenKind::Mention => {
                true
            }
            TokenKind::Word => {
                token.capital && crate::names::is_name(slice(text, token.start, token.end))
                    || tokens.get(at + 1).is_some_and(|n| n.glued && n.is_punct('/'))
            }
            _ => false,
        };
        if !begins || !may {
            continue;
        }
        let mut end = token.end;
        if token.kind != TokenKind::Code {
            for next in tokens.iter().skip(at + 1).take(16) {
                let joins = next.glued
                    && (!matches!(
                        next.kind,
                        TokenKind::Punct(_) | TokenKind::Code | TokenKind::Emoji
                    ) || next.is_punct('/')
                        || next.is_punct('.'));
                if !joins {
                    break;
                }
                end = next.end;
            }
        }
        let run = slice(text, token.start, end);
        if let Some(path) = plain_path(run) {
            out.push(path.to_owned());
            continue;
        }
        let found = paths::find(run);
        out.extend(found.into_iter().filter(|m| m.strong).map(|m| m.path));
    }
    out
}

/// A file with its folder and a known extension, written plainly or as code.
fn plain_path(run: &str) -> Option<&str> {
    let run = run.trim_matches('`');
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'.');
    let (_, extension) = run.rsplit_once('.')?;
    (run.contains('/')
        && run.bytes().all(plain)
        && !run.starts_with(['.', '/', '-'])
        && !run.contains("//")
        && crate::names::is_extension(extension))
    .then_some(run)
}
