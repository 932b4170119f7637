//! The reading of a message: blocks, sentences, clauses and tokens with their places in the original text.

use crate::act::Act;
use crate::block::{self, Block, BlockKind};
use crate::extra::{self, Extra};
use crate::features::{Features, Kinds, Language};
use crate::fold::Folded;
use crate::inline::{self, Mask};
use crate::language::{self, Count, Words};
use crate::lexicon::{english, korean, tag};
use crate::look_up::LookUp;
use crate::model::{Margins, Model};
use crate::outcome::Outcome;
use crate::signals::Heard;
use crate::split;
use crate::tags::Tags;
use crate::token::{Token, TokenKind, Tokenizer};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// A message, read. All offsets are bytes of the original text and lie on character boundaries.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The blocks, in order; of a text whose middle is not read, those that are read or are cut by it.
    pub blocks: Vec<Block>,
    /// The clauses of all prose, in order.
    pub clauses: Vec<Clause>,
    /// The tokens of all prose, in order.
    pub tokens: Vec<Token>,
    /// What all clauses together say.
    pub whole: Margins,
    pub(crate) arena: String,
    pub(crate) foreign: bool,
    pub(crate) words: Words,
    pub(crate) partial: bool,
    /// The signals of its first clauses.
    pub(crate) heard: Heard,
}

/// The smallest unit that says one thing: a sentence, or a part of it with a meaning of its own.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset after its last character, its closing mark included.
    pub end: usize,
    /// Index of its block in [`Reading::blocks`].
    pub block: usize,
    /// Number of its sentence, counted through the message; clauses of one sentence share it.
    pub sentence: usize,
    /// Its tokens in [`Reading::tokens`], its closing marks included.
    pub tokens: Range<usize>,
    /// Main language of its words.
    pub language: Language,
    /// Grammar of the clause.
    pub features: Features,
    /// The tags of all its words that are said, not quoted.
    pub tags: Tags,
    /// The kinds of its tokens.
    pub kinds: Kinds,
    /// What the writer does with it. Acts of content as far as the grammar shows them; [`Reading::acts`] knows more.
    pub act: Act,
    /// How surely it is talk, a verdict, a report.
    pub margins: Margins,
    /// What its words and figures say of the outcome of something.
    pub outcome: Outcome,
    /// Whether the grammar's weights alone would take it for talk.
    pub leans: bool,
    /// Number of its prose characters: visible characters without emoji, mentions, URLs and inline code;
    /// zero in headings.
    pub chars: u32,
}

/// Reads a message.
#[must_use]
pub fn read(text: &str) -> Reading {
    read_with(text, &Extra::default())
}

/// Longest text whose reading is kept for the next gate, in bytes. A reading takes about thirty times its text.
const KEPT: usize = 1 << 24;
/// Longest text for which room is made beforehand, and whose reading outlasts the next one, in bytes.
const ROOM: usize = 1 << 16;

/// A text, with what else it was read with, and its reading.
type Read = (String, Extra, Rc<Reading>);

thread_local! {
    /// The last two readings of this thread, the latest first: of a message, and of its sentences without code and data.
    static LAST: RefCell<[Option<Read>; 2]> = const { RefCell::new([None, None]) };
}

/// As [`read_with`], but several gates that look at the same text one after the other share one reading.
#[must_use]
pub fn read_shared(text: &str, extra: &Extra) -> Rc<Reading> {
    LAST.with(|last| {
        let Ok(mut last) = last.try_borrow_mut() else {
            return Rc::new(read_with(text, extra));
        };
        for known in last.iter().flatten() {
            let (of, with, reading) = known;
            if of == text && with == extra {
                return Rc::clone(reading);
            }
        }
        // What goes is freed before there is something new: its room can be taken again.
        let [latest, before] = &mut *last;
        *before = latest.take().filter(|(text, _, _)| text.len() <= ROOM);
        let reading = Rc::new(read_with(text, extra));
        *latest = (text.len() <= KEPT).then(|| (text.to_owned(), extra.clone(), Rc::clone(&reading)));
        reading
    })
}

/// Reads a message with additions to the word lists.
#[must_use]
pub fn read_with(text: &str, extra: &Extra) -> Reading {
    read_model(text, extra, &Model::trained())
}

/// Reads a message with a model of one's own: for training and validation.
#[must_use]
pub fn read_model(text: &str, extra: &Extra, model: &Model<'_>) -> Reading {
    let mut reading = read_grammar(text, extra);
    crate::act::classify(&mut reading, model);
    reading
}

/// The grammar of a text's clauses: a reading in which acts, margins and outcomes are not those of the clauses. That of a
/// whole message, where one was read just before.
#[must_use]
pub fn read_clauses(text: &str) -> Rc<Reading> {
    let extra = Extra::default();
    let known = LAST.with(|last| {
        let last = last.try_borrow().ok()?;
        let mut known = last.iter().flatten();
        known.find_map(|(of, with, reading)| (of == text && *with == extra).then(|| Rc::clone(reading)))
    });
    known.unwrap_or_else(|| Rc::new(read_grammar(text, &extra)))
}

/// Reads all of a message but the acts.
fn read_grammar(text: &str, extra: &Extra) -> Reading {
    let ends = ends(text);
    // Room for usual prose at once: a word takes about five bytes, a clause about sixty.
    let room = text.len().min(ROOM);
    let mut blocks = block::blocks(text);
    if let Some((head, tail)) = ends {
        // Who goes through the blocks goes through what is read, not through its middle.
        blocks.retain(|block| block.start < head || block.end > tail);
    }
    let mut reading = Reading {
        blocks,
        whole: Margins::default(),
        clauses: Vec::with_capacity(room / 60 + 4),
        tokens: Vec::with_capacity(room / 5 + 8),
        // The text once, and what is written in another way than it reads.
        arena: String::with_capacity(room + room / 4),
        foreign: false,
        words: Words::default(),
        partial: ends.is_some(),
        heard: Heard::default(),
    };
    if ends.is_none() {
        copy(&mut reading.arena, text);
    }
    let mut reader = Reader {
        text,
        extra,
        whole: ends.is_none(),
        folded: Folded::with_room(room.min(1 << 12)),
        spare: String::with_capacity(64),
        masks: Vec::with_capacity(8),
        stretches: Vec::with_capacity(8),
        parts: Vec::with_capacity(reading.blocks.len().min(TOGETHER)),
        look_up: LookUp::default(),
        count: Count::default(),
        budget: extra::BUDGET,
        sentence: 0,
    };
    for index in 0..reading.blocks.len() {
        let Some(block) = reading.blocks.get(index).copied() else {
            break;
        };
        reader.stretches.clear();
        segments(text, &block, &mut reader.stretches);
        for at in 0..reader.stretches.len() {
            if let Some((from, to)) = reader.stretches.get(at).copied() {
                within(ends, from, to, |from, to| {
                    reader.tokens(&mut reading, index, from, to)
                });
            }
        }
    }
    reader.clauses(&mut reading);
    shorten(&mut reading);
    reading.words = reader.count.words();
    reading.foreign = language::is_foreign(text, reading.words);
    reading
}

/// Tokens whose words are looked up together: those of some kilobytes.
const TOGETHER: usize = 1 << 10;

/// A stretch of prose that is one piece: a block's body, a cell, a string.
struct Part {
    block: usize,
    /// Its tokens in the reading.
    tokens: Range<usize>,
    /// Where it stands in the text.
    from: usize,
    to: usize,
}

/// Reads a text part by part. Each step is done for many parts before the next one: the program of all steps is longer than
/// what a processor keeps at hand.
struct Reader<'r> {
    text: &'r str,
    extra: &'r Extra,
    /// All of the text is read, and stands at the beginning of the arena in lower case.
    whole: bool,
    folded: Folded,
    /// Room for a word.
    spare: String,
    masks: Vec<Mask>,
    stretches: Vec<(usize, usize)>,
    /// Those whose tokens are there and whose clauses are not.
    parts: Vec<Part>,
    look_up: LookUp,
    count: Count,
    budget: usize,
    sentence: usize,
}

impl Reader<'_> {
    /// Appends the tokens of a part.
    fn tokens(&mut self, reading: &mut Reading, block: usize, from: usize, to: usize) {
        self.folded.read(self.text, from, to);
        self.masks.clear();
        inline::masks(self.text, from, to, &mut self.masks);
        let copy = if self.whole {
            from
        } else {
            copy(&mut reading.arena, self.text.get(from..to).unwrap_or_default())
        };
        let first = reading.tokens.len();
        Tokenizer {
            text: self.text,
            chars: self.folded.chars(),
            padded: self.folded.padded(),
            runs: self.folded.runs(),
            masks: &self.masks,
            from: from as u32,
            copy: copy as u32,
            out: &mut reading.tokens,
            arena: &mut reading.arena,
            spare: &mut self.spare,
        }
        .run();
        self.parts.push(Part {
            block,
            tokens: first..reading.tokens.len(),
            from,
            to,
        });
        let begun = self.parts.first().map_or(0, |part| part.tokens.start);
        if reading.tokens.len() - begun >= TOGETHER {
            self.clauses(reading);
        }
    }

    /// Appends the clauses of the parts whose tokens are there.
    fn clauses(&mut self, reading: &mut Reading) {
        let begun = self.parts.first().map_or(0, |part| part.tokens.start);
        let tokens = reading.tokens.get_mut(begun..).unwrap_or_default();
        self.look_up.all(tokens, &reading.arena);
        let (mut parts, mut end) = (self.parts.iter(), 0);
        let mut from = 0;
        while let Some(at) = self.look_up.lead(from) {
            while at >= end
                && let Some(part) = parts.next()
            {
                end = part.tokens.end - begun;
            }
            let words = tokens.get_mut(at..end).unwrap_or_default();
            from = at + mark_phrase(words, &reading.arena).max(1);
        }
        for part in self.parts.iter().filter(|_| !self.extra.is_empty()) {
            let tokens = reading.tokens.get_mut(part.tokens.clone()).unwrap_or_default();
            self.folded.read(self.text, part.from, part.to);
            self.extra
                .mark(self.folded.chars(), tokens, &reading.arena, &mut self.budget);
        }
        let tokens = reading.tokens.get(begun..).unwrap_or_default();
        self.look_up.count(tokens, &reading.arena, &mut self.count);
        for part in self.parts.drain(..) {
            split::clauses(self.text, reading, part.block, part.tokens, &mut self.sentence);
        }
    }
}

/// Appends a text in lower case. Gives where it begins.
fn copy(arena: &mut String, text: &str) -> usize {
    let at = arena.len();
    arena.push_str(text);
    if let Some(copy) = arena.get_mut(at..) {
        copy.make_ascii_lowercase();
    }
    at
}

/// How much of a text is read at its beginning and at its end, in bytes each. No person and no agent reads a message of
/// that length; what matters of it stands at one of its ends.
const END: usize = 1 << 20;

/// Most marks and blanks of ASCII that are read, an end of a line counted as two: those of half a megabyte of documents.
/// Bytes are no measure of the work: in documents a quarter to a third of them is of this sort, in a row of quotation
/// marks each is a token.
const MARKS: usize = 5 << 15;

/// Most clauses that are read. Half a megabyte of prose has 6,500 to 8,500, a megabyte of `- LGTM` 150,000, of
/// fields of JSON 45,000.
const CLAUSES: usize = 8_192;

/// Leaves of more clauses than [`CLAUSES`] the first and the last half of that.
fn shorten(reading: &mut Reading) {
    let clauses = &mut reading.clauses;
    if let Some(behind) = clauses.len().checked_sub(CLAUSES / 2)
        && behind > CLAUSES / 2
    {
        clauses.drain(CLAUSES / 2..behind);
        reading.partial = true;
    }
}

/// Where what is read at the beginning of a text ends, and where what is read at its end begins; `None` when all of it
/// is read.
fn ends(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // Nothing is counted in a message of usual length.
    if bytes.len() <= MARKS / 2 {
        return None;
    }
    let weight = |b: &u8| usize::from(b.is_ascii() && !b.is_ascii_alphanumeric()) + usize::from(*b == b'\n');
    if bytes.len() <= 2 * END && bytes.iter().map(weight).sum::<usize>() <= MARKS {
        return None;
    }
    let length = |some: &mut dyn Iterator<Item = &u8>| {
        let mut left = MARKS / 2;
        let fits = |b: &&u8| {
            let weight = weight(b);
            let fits = weight <= left;
            left = left.saturating_sub(weight);
            fits
        };
        some.take(END).take_while(fits).count()
    };
    let floor = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let head = floor(length(&mut bytes.iter()));
    let tail = floor(bytes.len() - length(&mut bytes.iter().rev()));
    (head < tail).then_some((head, tail))
}

/// Tells the parts of a stretch that stand in what is read.
fn within(ends: Option<(usize, usize)>, from: usize, to: usize, mut tell: impl FnMut(usize, usize)) {
    let Some((head, tail)) = ends else {
        tell(from, to);
        return;
    };
    for (from, to) in [(from, to.min(head)), (from.max(tail), to)] {
        if from < to {
            tell(from, to);
        }
    }
}

/// Appends the stretches of a block that are read as prose: its body, its cells, the sentences in its strings.
fn segments(text: &str, block: &Block, out: &mut Vec<(usize, usize)>) {
    match block.kind {
        BlockKind::TableRow => {
            let mut cell = |from: usize, to: usize| {
                if text.get(from..to).is_some_and(|cell| !cell.trim().is_empty()) {
                    out.push((from, to));
                }
            };
            let mut from = block.body;
            let row = text.get(block.body..block.end).unwrap_or_default();
            for (index, _) in row.match_indices('|') {
                cell(from, block.body + index);
                from = block.body + index + 1;
            }
            cell(from, block.end);
        }
        BlockKind::Data => strings(text, block.start, block.end, out),
        BlockKind::Log => out.push((block.body, block.end)),
        kind if kind.is_prose() => out.push((block.body, block.end)),
        _ => {}
    }
}

/// Appends the string values of a data block, without their quotation marks. Keys are left out.
fn strings(text: &str, from: usize, to: usize, out: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    let mut open = None;
    let mut escaped = false;
    for at in from..to.min(bytes.len()) {
        let b = bytes.get(at).copied().unwrap_or_default();
        match (open, b) {
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (None, b'"') => open = Some(at + 1),
            (Some(start), b'"') => {
                open = None;
                let rest = text.get(at + 1..to).unwrap_or_default();
                if !rest.trim_start().starts_with(':') && start < at {
                    out.push((start, at));
                }
            }
            _ => {}
        }
    }
}

/// Most words that a Korean phrase is written in.
const LONGEST_PHRASE: usize = 5;

/// Marks the tokens of the longest listed phrase that begins with the first of them. Gives how many they are; 0 where there is
/// none.
fn mark_phrase(tokens: &mut [Token], arena: &str) -> usize {
    let bytes = |t: &Token| {
        let bytes = arena.as_bytes();
        bytes
            .get(t.word.0 as usize..t.word.1 as usize)
            .unwrap_or_default()
    };
    let goes_on = |t: &&Token| matches!(t.kind, TokenKind::Word | TokenKind::Number);
    let Some(token) = tokens.first() else { return 0 };
    let mut best: Option<(Tags, usize)> = None;
    let english = token.kind == TokenKind::Word;
    if english {
        let mut phrase = english::Beginning::of(token.hash);
        let words = tokens.iter().skip(1);
        for (behind, next) in words.take_while(goes_on).enumerate() {
            let Some(more) = phrase.and(next.hash) else { break };
            phrase = more;
            let told = || tokens.iter().take(behind + 2).map(bytes);
            // Most phrases stand in the text as they are listed.
            let whole = arena.as_bytes().get(token.word.0 as usize..next.word.1 as usize);
            let fits = |phrase: &[u8]| Some(phrase) == whole || phrase.split(|b| *b == b' ').eq(told());
            if let Some(tags) = phrase.phrase(fits) {
                best = Some((tags, behind + 2));
            }
        }
    } else {
        let mut phrase = korean::Beginning::default();
        let words = tokens.iter().take(LONGEST_PHRASE);
        for (behind, next) in words
            .take_while(|next| next.kind == TokenKind::Hangul)
            .enumerate()
        {
            if !phrase.and(bytes(next), |tags| best = Some((tags, behind + 1))) {
                break;
            }
        }
    }
    let Some((tags, count)) = best else { return 0 };
    // Who speaks, and what a check is of, is said by the words whatever the phrase means.
    let kept = tag::FIRST
        | tag::YOU
        | tag::TESTS
        | tag::BUILD
        | tag::TYPES
        | tag::LINT
        | tag::LOGS
        | tag::DIFF
        | tag::RUN
        | tag::CHECK;
    let words = tokens.get(..count).unwrap_or_default();
    let own = words.iter().fold(Tags::NONE, |sum, t| sum | t.tags);
    if let Some(target) = tokens.first_mut() {
        target.tags = tags | Tags(own.0 & kept.0);
        target.phrase = count as u8;
        if english {
            // It means what the list says, whatever its form.
            target.shows = 0;
        }
    }
    // The words of a phrase have the phrase's meaning, not their own.
    for inner in tokens.iter_mut().take(count).skip(1) {
        inner.tags = tag::STOP;
    }
    count
}

impl Reading {
    /// Whether a clause counts for what the message says as a whole: an unticked box says what is to be done.
    #[must_use]
    pub fn is_said(&self, clause: &Clause) -> bool {
        let kind = self.blocks.get(clause.block).map(|b| b.kind);
        !matches!(
            kind,
            Some(BlockKind::ListItem {
                checked: Some(false),
                ..
            })
        )
    }

    /// The folded form of a token: lower case, composed, without look-alikes. Empty for marks and emoji.
    #[must_use]
    #[inline]
    pub fn word(&self, token: &Token) -> &str {
        self.arena
            .get(token.word.0 as usize..token.word.1 as usize)
            .unwrap_or_default()
    }

    /// The same as bytes, which are cheaper to cut out.
    #[inline]
    #[must_use]
    pub fn bytes(&self, token: &Token) -> &[u8] {
        let word = token.word.0 as usize..token.word.1 as usize;
        self.arena.as_bytes().get(word).unwrap_or_default()
    }

    /// The tokens of a clause.
    #[must_use]
    pub fn tokens_of(&self, clause: &Clause) -> &[Token] {
        self.tokens.get(clause.tokens.clone()).unwrap_or_default()
    }

    /// Prose characters of the whole message; see [`Clause::chars`].
    #[must_use]
    pub fn prose_chars(&self) -> u32 {
        self.clauses.iter().map(|c| c.chars).sum()
    }

    /// What the writer does with each clause, the acts of content by the model as well. Gates need only talk and
    /// content told apart, and do not pay for this.
    #[must_use]
    pub fn acts(&self) -> Vec<Act> {
        crate::act::acts(self, &Model::trained())
    }

    /// Whether only the beginning and the end of the message were read, because it is longer than two MiB
    /// or has more clauses than anybody writes.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Whether most of the message is written in a language that is not read here: neither English nor Korean.
    /// Nothing that this reading says of it is worth a judgement then.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// Whether most words of the message are Korean.
    #[must_use]
    pub fn mainly_korean(&self) -> bool {
        self.words.korean
    }
}
