//! What each token of an answer says: its signs of state, what it tells of doing, and the items that have
//! its concepts. Every word is looked up once.

use super::checklist::{Checklist, Place};
use super::class::Class;
use super::cues::{self, Cues};
use super::forms::{self, Form};
use super::memo::{Memo, Told};
use super::people;
use super::readers::{picture, picture_of, read_code, read_hangul, read_number, read_word};
use super::signs::Signs;
use super::words::{self, hash_syllables};
use crate::paths;
use crate::text::{final_consonant, slice};
use proctor_prose::{Reading, Token, TokenKind};

/// What one token says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sense {
    pub(super) signs: Signs,
    /// What the readers of parts look for in it.
    pub(super) cues: Cues,
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
    pub(super) phrase: u8,
    /// Its concepts in [`Senses::places`].
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The senses of all tokens of a message.
pub(super) struct Senses<'a> {
    pub(super) list: Vec<Sense>,
    /// For each concept of each token that the checklist has: its places there.
    places: Vec<&'a [Place]>,
    /// The tokens that have such a concept, in order.
    naming: Vec<u32>,
    /// All those places in a row, and where those of each token begin.
    hits: Vec<Hit>,
    starts: Vec<u32>,
    /// The tokens that a listed phrase may begin with, in order.
    pub(super) heads: Vec<u32>,
    /// How many they are.
    pub(super) leading: usize,
    /// The tokens that are perhaps names.
    capitals: Vec<u32>,
}

/// A place of the checklist that a token speaks of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) item: u32,
    /// The place of the concept in the item.
    pub(super) k: u32,
    /// The token is quoted.
    pub(super) quoted: bool,
}

/// What is kept while the tokens of a message are gone through.
struct State {
    /// The name of the Korean stem before this token.
    hangul: Option<u64>,
    memo: Memo,
}

/// What the tokens of a stretch say, taken together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Digest {
    pub(super) signs: Signs,
    pub(super) cues: Cues,
    /// One is a verb in a finished form.
    pub(super) finished: bool,
    /// One tells of something under way.
    pub(super) progressive: bool,
    /// One has a concept of the checklist.
    pub(super) names: bool,
}

impl Digest {
    /// What some tokens say.
    pub(super) fn of(senses: &[Sense]) -> Self {
        let mut out = Self::default();
        for sense in senses {
            out.hear(sense);
        }
        out
    }

    /// Takes one more token in.
    #[inline]
    pub(super) fn hear(&mut self, sense: &Sense) {
        self.signs = self.signs.with(sense.signs);
        self.cues = self.cues.with(sense.cues);
        self.finished |= sense.finished;
        self.progressive |= sense.progressive;
        self.names |= sense.names();
    }
}

impl Sense {
    /// Whether it has a concept of the checklist.
    pub(super) fn names(self) -> bool {
        self.from < self.to
    }
}

pub(super) const STATES: Signs = Signs::STATES;

impl<'a> Senses<'a> {
    /// The senses of all tokens.
    pub(super) fn new(text: &str, reading: &Reading, list: &'a Checklist, items: usize) -> Self {
        let tokens = &reading.tokens;
        let mut out = Self {
            list: vec![Sense::default(); tokens.len()],
            places: Vec::with_capacity(32),
            naming: Vec::with_capacity(32),
            hits: Vec::with_capacity(64),
            starts: Vec::with_capacity(tokens.len() + 1),
            heads: Vec::new(),
            leading: 0,
            capitals: Vec::new(),
        };
        let mut state = State {
            hangul: None,
            memo: Memo::take(),
        };
        state.memo.make_room(tokens.len());
        out.heads = std::mem::take(&mut state.memo.heads);
        // What the token before says by itself.
        let mut before = Signs::NONE;
        for (at, token) in tokens.iter().enumerate() {
            out.starts.push(out.hits.len() as u32);
            before = match token.kind {
                // The usual marks say no more, and name nothing.
                TokenKind::Punct(c) if c.is_ascii() => {
                    state.hangul = None;
                    if let Some(sense) = out.list.get_mut(at) {
                        let cut = matches!(c, ',' | ';' | '&' | '+' | ':');
                        let breaks = matches!(c, '/' | '|');
                        sense.cues = Cues::CUT.when(cut).with(Cues::BREAK.when(breaks));
                    }
                    Signs::NONE
                }
                TokenKind::Word if token.is_plain() => {
                    state.hangul = None;
                    out.plain(text, reading, list, (at, token), before, items, &mut state.memo)
                }
                TokenKind::Number if token.is_plain() => {
                    state.hangul = None;
                    out.figure(reading, list, at, token, items);
                    out.signs(at)
                }
                _ => {
                    out.other(text, reading, list, at, token, items, &mut state);
                    out.signs(at)
                }
            };
        }
        out.starts.push(out.hits.len() as u32);
        out.phrases(reading);
        out.context(reading, &mut state.memo.turns);
        state.memo.heads = std::mem::take(&mut out.heads);
        state.memo.keep();
        for at in std::mem::take(&mut out.capitals) {
            let at = at as usize;
            if let (Some(sense), Some(token)) = (out.list.get_mut(at), tokens.get(at))
                && !people::is_name(*sense, reading.word(token))
            {
                sense.cues = sense.cues.without(Cues::NAME);
            }
        }
        out
    }

    /// A word of small letters: most of them. Gives its signs.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one call")]
    fn plain(
        &mut self,
        text: &str,
        reading: &Reading,
        list: &'a Checklist,
        (at, token): (usize, &Token),
        before: Signs,
        items: usize,
        memo: &mut Memo,
    ) -> Signs {
        let unlisted;
        let form = match forms::find(token.hash(), token.chars as usize) {
            Some(form) => form,
            None => {
                unlisted = memo.plain(token.hash(), reading.bytes(token), || reading.word(token));
                &unlisted
            }
        };
        let mut cues = form.cues;
        let next = reading.tokens.get(at + 1);
        let (mark, glued, chars) = next.map_or((0, false, 0), |n| (mark_of(n.kind), n.glued, n.chars));
        let slash = glued & (mark == u32::from('/'));
        let closes = (mark == u32::from(')')) | (mark == u32::from(',')) | (chars == 3);
        cues = cues.with(Cues::FILE.when(slash));
        // Most words say nothing more by their places.
        let single = (token.chars == 1) & (closes | token.capital);
        if single {
            let tokens = &reading.tokens;
            cues = cues.with(in_place(text, tokens, at, token, reading.word(token), items));
        } else if token.capital {
            let file = crate::names::may_be_name(token)
                && crate::names::is_name(slice(text, token.start, token.end));
            cues = cues.with(Cues::FILE.when(file));
            if !token.caps {
                cues = cues.with(Cues::NAME);
                self.capitals.push(at as u32);
            }
        }
        let (mut from, mut to) = (0, 0);
        // What has no name has no places either.
        let places = list.places(form.name);
        if !places.is_empty() {
            (from, to) = (self.places.len() as u32, self.places.len() as u32 + 1);
            self.note(places, token.quoted);
            self.naming.push(at as u32);
        }
        self.head(at, form.phrase);
        let verb = form.is(Form::FINISHED);
        let described = verb & before.any(Signs::DETERMINER) && Self::attributive(reading, at, before);
        let finished = verb & !described;
        let determined = Signs::PREPOSITION.with(Signs::DETERMINER);
        if let Some(sense) = self.list.get_mut(at) {
            *sense = Sense {
                signs: form.signs,
                cues,
                class: if finished { form.class } else { Class::NONE },
                finished,
                known: form.is(Form::KNOWN),
                progressive: form.is(Form::PROGRESSIVE) & !before.any(determined),
                orders: form.is(Form::ORDERS),
                phrase: form.phrase,
                from,
                to,
            };
        }
        form.signs
    }

    /// A number of digits.
    #[inline(never)]
    fn figure(&mut self, reading: &Reading, list: &'a Checklist, at: usize, token: &Token, items: usize) {
        let word = reading.word(token);
        let mut sense = Sense::default();
        if let Some(form) = forms::find(token.hash(), word.len()) {
            (sense.signs, sense.cues, sense.phrase) = (form.signs, form.cues, form.phrase);
        }
        sense.cues = sense
            .cues
            .with(Cues::FIGURE)
            .with(Cues::COUNTS.when(may_count(word, items)));
        self.name(&mut sense, list, at, token.quoted, words::name(word));
        self.head(at, sense.phrase);
        self.set(at, sense);
    }

    /// Notes that a phrase of so many words may begin with a token: most words begin none.
    #[inline]
    fn head(&mut self, at: usize, words: u8) {
        if let Some(head) = self.heads.get_mut(self.leading) {
            *head = at as u32;
        }
        self.leading += usize::from(words > 1);
    }

    /// Notes the places of the one concept of a token.
    #[inline]
    fn name(&mut self, sense: &mut Sense, list: &'a Checklist, at: usize, quoted: bool, name: u64) {
        let places = list.places(name);
        if !places.is_empty() {
            sense.from = self.places.len() as u32;
            sense.to = sense.from + 1;
            self.note(places, quoted);
            self.naming.push(at as u32);
        }
    }

    /// Notes the places of a concept of the token that is read.
    fn note(&mut self, places: &'a [Place], quoted: bool) {
        self.places.push(places);
        self.hits.extend(places.iter().map(|(_, item, k)| Hit {
            item: *item as u32,
            k: *k as u32,
            quoted,
        }));
    }

    /// Any other token.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "one call")]
    fn other(
        &mut self,
        text: &str,
        reading: &Reading,
        list: &'a Checklist,
        at: usize,
        token: &Token,
        items: usize,
        state: &mut State,
    ) {
        let tokens = &reading.tokens;
        let from = self.places.len();
        let before = state.hangul.take();
        let word = reading.word(token);
        let listed = || cues::listed(token.hash(), word);
        let memo = &mut state.memo;
        let key = u64::from(token.hash()) | (word.len() as u64) << 40 | u64::from(token.glued) << 32;
        let told = match token.kind {
            TokenKind::Word => memo.of(key, word, |concepts, room| {
                read_word(word, listed(), token.glued, concepts, room)
            }),
            TokenKind::Number => memo.of(key | NUMBER, word, |concepts, room| {
                read_number(word, listed(), token.glued, concepts, room)
            }),
            TokenKind::Hangul => {
                let after_latin = token.glued
                    && at.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|b| {
                        !matches!(b.kind, TokenKind::Punct(_) | TokenKind::Hangul | TokenKind::Emoji)
                    });
                let particle = after_latin && paths::is_particle(word);
                let how = if particle { PARTICLE } else { HANGUL };
                memo.of(key | how, word, |concepts, _| {
                    read_hangul(word, listed(), (token.glued, particle), concepts)
                })
            }
            TokenKind::Emoji => Told {
                signs: picture(slice(text, token.start, token.end)),
                cues: Cues::BREAK,
                ..Told::default()
            },
            TokenKind::Punct(c) => Told {
                signs: picture_of(c),
                cues: cues::of(token.kind, word, Cues::NONE, token.glued),
                ..Told::default()
            },
            kind @ (TokenKind::Ident
            | TokenKind::Path
            | TokenKind::Code
            | TokenKind::Url
            | TokenKind::Mention) => {
                let named = matches!(kind, TokenKind::Ident | TokenKind::Url | TokenKind::Mention);
                let written = slice(text, token.start, token.end);
                let how = if kind == TokenKind::Ident { IDENT } else { CODE };
                memo.of(
                    words::name(written) ^ how ^ u64::from(token.glued),
                    written,
                    |concepts, room| {
                        let listed = if named { listed() } else { Cues::NONE };
                        read_code(kind, word, written, (listed, token.glued), concepts, room)
                    },
                )
            }
        };
        let korean = token.kind == TokenKind::Hangul;
        // Of most Korean words the place says nothing.
        let placed = if korean & !token.glued & (token.chars > 1) & (token.end - token.start == word.len()) {
            Cues::NONE
        } else {
            in_place(text, tokens, at, token, word, items)
        };
        let mut sense = Sense {
            signs: told.signs,
            cues: told.cues.with(placed),
            class: Class::NONE,
            finished: false,
            known: told.known,
            progressive: false,
            orders: told.orders,
            phrase: told.phrase,
            from: from as u32,
            to: from as u32,
        };
        let mut whole = false;
        match token.kind {
            TokenKind::Word => {
                let signs = at.checked_sub(1).map_or(Signs::NONE, |b| self.signs(b));
                if told.finished && !Self::attributive(reading, at, signs) {
                    (sense.finished, sense.class) = (true, told.class);
                }
                let determined = Signs::PREPOSITION.with(Signs::DETERMINER);
                sense.progressive =
                    told.progressive && !at.checked_sub(1).is_some_and(|b| self.signs(b).any(determined));
            }
            TokenKind::Hangul => {
                (sense.finished, sense.class) = (told.finished, told.class);
                if told.stem != 0 {
                    if let Some(before) = before {
                        // `오류 문구` for `오류문구`.
                        let stem = word.get(..told.length as usize).unwrap_or_default();
                        let places = list.places(hash_syllables(before, stem));
                        if !places.is_empty() {
                            self.note(places, token.quoted);
                        }
                    }
                    state.hangul = Some(told.stem);
                }
            }
            _ => {}
        }
        // Most words have no concept of the list.
        let concepts = if told.marks & list.marks == 0 {
            &[]
        } else {
            state.memo.concepts(&told)
        };
        for concept in concepts {
            // 제한값 is no 제한 where the list has both.
            if whole && concept.weight == 0.0 {
                continue;
            }
            let places = list.places(concept.name);
            if !places.is_empty() {
                self.note(places, token.quoted);
                whole |= korean && concept.weight > 0.0;
            }
        }
        sense.to = self.places.len() as u32;
        if sense.names() {
            self.naming.push(at as u32);
        }
        self.head(at, sense.phrase);
        if sense.cues.any(Cues::NAME) {
            self.capitals.push(at as u32);
        }
        self.set(at, sense);
    }

    fn set(&mut self, at: usize, sense: Sense) {
        if let Some(place) = self.list.get_mut(at) {
            *place = sense;
        }
    }

    pub(super) fn get(&self, at: usize) -> Sense {
        self.list.get(at).copied().unwrap_or_default()
    }

    /// The cues of a token.
    pub(super) fn cues(&self, at: usize) -> Cues {
        self.list.get(at).map_or(Cues::NONE, |s| s.cues)
    }

    /// What the tokens of a stretch say together.
    pub(super) fn digest(&self, from: usize, to: usize) -> Digest {
        Digest::of(self.list.get(from..to.min(self.list.len())).unwrap_or_default())
    }

    /// Whether a token of a stretch has one of these cues.
    pub(super) fn any(&self, from: usize, to: usize, cues: Cues) -> bool {
        let stretch = self.list.get(from..to.min(self.list.len()));
        stretch.is_some_and(|senses| senses.iter().any(|s| s.cues.any(cues)))
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

    /// The places in the checklist of all that a stretch speaks of.
    #[inline]
    pub(super) fn hits(&self, from: usize, to: usize) -> &[Hit] {
        let start = |at: usize| self.starts.get(at).map_or(0, |start| *start as usize);
        self.hits.get(start(from)..start(to)).unwrap_or_default()
    }

    /// The tokens of a stretch that have a concept of the checklist.
    pub(super) fn naming(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let first = self.naming.partition_point(|at| (*at as usize) < from);
        self.naming
            .iter()
            .skip(first)
            .map(|at| *at as usize)
            .take_while(move |at| *at < to)
    }

    /// Whether a participle only describes the noun behind it: "the updated docs".
    fn attributive(reading: &Reading, at: usize, before: Signs) -> bool {
        if !before.any(Signs::DETERMINER) {
            return false;
        }
        let next = reading.tokens.get(at + 1);
        let closed = at
            .checked_sub(1)
            .and_then(|b| reading.tokens.get(b))
            .is_some_and(|b| b.is_word());
        let noun = |token: &Token| {
            let word = reading.word(token);
            let heard = words::english(word, words::name(word)).0;
            heard.known || heard.signs.is_empty()
        };
        closed && next.is_some_and(|n| n.kind == TokenKind::Code || n.kind == TokenKind::Word && noun(n))
    }
}

/// Marks of the keys under which words are remembered by how they are read.
const NUMBER: u64 = 1 << 33;
const HANGUL: u64 = 2 << 33;
const PARTICLE: u64 = 3 << 33;
const IDENT: u64 = 0xc2b2_ae3d_27d4_eb4e;
const CODE: u64 = 0x1656_67b1_9e37_79f8;

/// The mark that a token is, or nothing.
#[inline]
fn mark_of(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Punct(c) => u32::from(c),
        _ => 0,
    }
}

/// The cues that a token has by what stands around it and by the number of items.
#[inline(never)]
fn in_place(text: &str, tokens: &[Token], at: usize, token: &Token, word: &str, items: usize) -> Cues {
    let mut cues = Cues::NONE;
    let before = |mark| tokens.get(at + 1).is_some_and(|n| n.glued && n.is_punct(mark));
    if token.chars == 1 && token.is_word() {
        let opens = at
            .checked_sub(1)
            .and_then(|b| tokens.get(b))
            .is_none_or(|b| !b.is_word());
        let joined = || {
            before(',')
                || tokens
                    .get(at + 1)
                    .is_some_and(|n| n.chars == 3 && slice(text, n.start, n.end) == "and")
        };
        cues = Cues::LETTER.when(before(')') || opens && joined());
    }
    match token.kind {
        TokenKind::Word => {
            if before('/') {
                cues = cues.with(Cues::FILE);
            }
            if token.capital {
                let file = crate::names::is_name(slice(text, token.start, token.end));
                cues = cues
                    .with(Cues::FILE.when(file))
                    .with(Cues::NAME.when(people::looks_like_name(token, word)));
            }
        }
        TokenKind::Number => cues = cues.with(Cues::COUNTS.when(may_count(word, items))),
        TokenKind::Ident => {
            cues = cues
                .with(Cues::FILE)
                .with(Cues::COUNTS.when(may_count(word, items)));
        }
        TokenKind::Path | TokenKind::Code | TokenKind::Url => cues = cues.with(Cues::FILE),
        TokenKind::Mention => cues = cues.with(Cues::FILE.with(Cues::MENTION)),
        TokenKind::Hangul => {
            // 3개국만
            let part = token.glued
                && token.chars > 1
                && word.ends_with('만')
                && !word.ends_with("원만")
                && at
                    .checked_sub(1)
                    .and_then(|b| tokens.get(b))
                    .is_some_and(|b| b.kind == TokenKind::Number);
            // 두 번 다: some words that belong together are one token.
            let several = token.end - token.start != word.len();
            cues = cues
                .with(Cues::PARTLY.when(part))
                .with(Cues::COUNTING.when(several));
        }
        TokenKind::Emoji | TokenKind::Punct(_) => {}
    }
    cues
}

/// Whether a run of digits in a word is the number of an item.
pub(super) fn may_count(word: &str, count: usize) -> bool {
    word.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.parse::<usize>().is_ok_and(|n| (1..=count).contains(&n)))
}

pub(super) fn ends_in_rieul(word: &str) -> bool {
    word.chars().next_back().and_then(final_consonant) == Some(8)
}
