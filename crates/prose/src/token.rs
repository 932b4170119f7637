//! Tokens: words of both scripts, numbers, paths, identifiers and marks, each with its place in the original
//! text and what the word lists know about it.

use crate::features::Kinds;
use crate::fold::{Ch, Run, SORT, class};
use crate::form;
use crate::inline::{Mask, MaskKind};
use crate::lexicon::{self, Filter, hash_start, tag};
use crate::shape::{Shape, alone, letter, shape, tag_of_run, unlisted};
use crate::tags::Tags;
use sorts::{SORTS, Sort};
use std::hint::select_unpredictable;

mod sorts;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A word in Latin (or another alphabetic) script.
    Word,
    /// A run of Hangul.
    Hangul,
    /// A number with sign, unit or percent sign: `12,400`, `40%`, `3/7`, `512Mi`, `04:00`.
    Number,
    /// Inline code, with its backticks.
    Code,
    /// A path or file name.
    Path,
    /// An identifier, hash, flag, version or issue number: `load_from`, `3f2a9c1`, `--out`, `v5.1`, `#881`.
    Ident,
    /// A URL.
    Url,
    /// `@name`.
    Mention,
    /// Emoji and other pictures.
    Emoji,
    /// Any other mark.
    Punct(char),
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Byte offset of its first character in the original text.
    pub start: usize,
    /// Byte offset after its last character.
    pub end: usize,
    /// What the word lists say about it; the first token of a listed phrase carries the phrase's tags.
    pub tags: Tags,
    /// Number of tokens of the listed phrase that begins here, this one included; 1 for a single word.
    pub phrase: u8,
    /// No white space before it.
    pub glued: bool,
    /// Between quotation marks: mentioned rather than said.
    pub quoted: bool,
    /// Struck through.
    pub struck: bool,
    /// Begins with a capital letter.
    pub capital: bool,
    /// Has at least two letters, all of them capitals.
    pub caps: bool,
    /// Number of its visible characters.
    pub chars: u32,
    /// A pattern of the user's matches here that is praise only sometimes. Weighs nothing.
    pub doubt: bool,
    /// One of the user's allowed terms.
    pub(crate) allowed: bool,
    /// Its folded form in the arena of the reading.
    pub(crate) word: (u32, u32),
    /// The hash of that form, for the word lists and the signals.
    pub(crate) hash: u32,
    /// What its syllables or its end show: the bits of [`form`](crate::form).
    pub(crate) form: u8,
    /// Its folded form is nothing but small ASCII letters, or nothing but digits.
    pub(crate) plain: bool,
    /// Its kind, and whether it is in capitals, as a bit that is asked for together with others.
    pub(crate) kinds: Kinds,
    /// The features that its form shows; none where a listed English phrase begins.
    pub(crate) shows: u16,
    /// A Korean word that ends a clause without ending the sentence.
    pub(crate) connects: bool,
}

impl Token {
    /// Whether it is a word of either script.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.kinds.any(Kinds::WORDS)
    }

    /// Whether it is a Korean word that denies by one of its syllables: 않 or 못.
    #[must_use]
    pub fn denies(&self) -> bool {
        self.form & (form::NEGATES | form::FAILS) != 0
    }

    /// Whether it is a Korean word with 않, "not".
    #[must_use]
    pub fn negates(&self) -> bool {
        self.form & form::NEGATES != 0
    }

    /// Whether it is a Korean word with 없, "there is none".
    #[must_use]
    pub fn lacks(&self) -> bool {
        self.form & form::LACKS != 0
    }

    /// Whether it is an English word that ends in "n't".
    #[must_use]
    pub fn ends_in_not(&self) -> bool {
        self.form & form::NOT != 0
    }

    /// Whether its folded form may be one of some words: most others are ruled out without looking at them.
    #[must_use]
    pub fn may_be(&self, words: &Filter) -> bool {
        words.may_hold(self.hash)
    }

    /// The hash of its folded form: FNV-1a of 32 bits over the bytes.
    #[must_use]
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// Whether its folded form is nothing but small ASCII letters, or nothing but digits.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether it is this mark.
    #[must_use]
    pub fn is_punct(&self, mark: char) -> bool {
        self.kind == TokenKind::Punct(mark)
    }
}

/// What some characters show, white space included.
struct Shown {
    /// The classes that all of them have, and those that some have.
    all: u8,
    any: u8,
    letters: u32,
    capitals: u32,
    /// How many they are.
    visible: u32,
}

impl Shown {
    fn of(chars: &[Ch]) -> Self {
        let mut out = Self {
            all: !0,
            any: 0,
            letters: 0,
            capitals: 0,
            visible: chars.len() as u32,
        };
        for ch in chars {
            out.all &= ch.class;
            out.any |= ch.class;
            out.letters += u32::from(ch.class & class::LETTER);
            out.capitals += u32::from(ch.upper);
        }
        out
    }
}

/// Tokens of one segment, appended to `out`; folded words go to `arena`.
pub(crate) struct Tokenizer<'a> {
    pub(crate) text: &'a str,
    pub(crate) chars: &'a [Ch],
    /// The same with white space behind them.
    pub(crate) padded: &'a [Ch],
    /// Their runs of one sort.
    pub(crate) runs: &'a [Run],
    pub(crate) masks: &'a [Mask],
    /// Where the segment begins in the text, and where in the arena its copy in lower case does: plain words lie in there.
    pub(crate) from: u32,
    pub(crate) copy: u32,
    pub(crate) out: &'a mut Vec<Token>,
    pub(crate) arena: &'a mut String,
    /// Room for what a run reads like.
    pub(crate) spare: &'a mut String,
}

impl Tokenizer<'_> {
    /// Reads the whole segment.
    pub(crate) fn run(&mut self) {
        let mut at = 0;
        let mut spaced = false;
        let mut codes = self.masks.iter().filter(|m| m.kind == MaskKind::Code);
        let mut code = codes.next();
        let first_token = self.out.len();
        // The run that is being read.
        let mut run = 1;
        while let Some(ch) = self.chars.get(at).copied() {
            if ch.class & class::SPACE != 0 && ch.c != '\n' && ch.c != '\r' {
                // No mask begins with white space, and those that hold some are passed over as a whole.
                at += 1;
                spaced = true;
                continue;
            }
            let start = ch.start as usize;
            while code.is_some_and(|m| m.end <= start) {
                code = codes.next();
            }
            if let Some(mask) = code.filter(|m| m.start <= start) {
                let from = at;
                while self.chars.get(at).is_some_and(|c| (c.start as usize) < mask.end) {
                    at += 1;
                }
                let tags = self.command(from, at);
                self.push(TokenKind::Code, from, at, tags, spaced);
                spaced = false;
                continue;
            }
            let stop = code.map_or(usize::MAX, |m| m.start);
            while self.runs.get(run).is_some_and(|run| run.end() <= at) {
                run += 1;
            }
            if ch.c == '\n' || ch.c == '\r' {
                self.mark('\n', ch, true);
                at += 1;
                spaced = true;
            } else if let Some(place) = self.plain((at, run, spaced), stop) {
                (at, run, spaced) = place;
            } else if let Some(end) = self.spaced_letters(at, spaced || at == 0) {
                self.spelled(at, end, spaced);
                at = end;
                spaced = false;
            } else if ch.class & class::HANGUL != 0 {
                let end = self.run_of(at, stop, class::HANGUL, class::HANGUL);
                self.push(TokenKind::Hangul, at, end, Tags::NONE, spaced);
                at = end;
                spaced = false;
            } else if ch.class & class::ALNUM != 0 || self.opens_run(at) {
                // The opening mark belongs to the run whatever it is; so every step moves on.
                let end = self.run_of(at + 1, stop, class::RUN | class::HANGUL, class::RUN);
                let end = self.query(at, end, stop);
                at = self.classify(at, end, spaced).max(at + 1);
                spaced = false;
            } else if ch.class & class::PICTURE != 0 {
                let end = self.run_of(at, stop, class::PICTURE, class::PICTURE);
                self.push(TokenKind::Emoji, at, end, Tags::NONE, spaced);
                at = end;
                spaced = false;
            } else if matches!(ch.c, '*' | '~') || ch.c == '_' {
                // Markdown emphasis shows nothing.
                at += 1;
            } else {
                self.mark(ch.c, ch, spaced);
                at += 1;
                spaced = false;
            }
        }
        self.mark_masks(first_token);
    }

    /// Pushes the words, numbers and runs of Hangul from a place on that are plain ones, each with the space behind it, and the
    /// marks between them that stand alone: nothing but letters or nothing but digits, written as they read, and no path or
    /// name goes on behind them. A place is the number of a character, that of its run, and whether white space stands before
    /// it. Gives the one behind them, if there are any. Most tokens are of this sort, and which of them one is nobody can
    /// foresee.
    #[inline(never)]
    fn plain(&mut self, from: (usize, usize, bool), stop: usize) -> Option<(usize, usize, bool)> {
        let (mut at, mut number, mut spaced) = from;
        let (padded, runs) = (self.padded, self.runs);
        let to_arena = self.copy.wrapping_sub(self.from);
        while let Some([before, run]) = runs.get(number - 1..).and_then(<[Run]>::first_chunk)
            && let Some(first) = padded.get(at)
        {
            let end = run.end();
            let Some(Sort { kind, kinds, hangul }) = SORTS[usize::from(first.class & SORT)] else {
                if !alone(first.c) | (first.start as usize >= stop) {
                    break;
                }
                self.mark(first.c, *first, spaced);
                at += 1;
                spaced = padded.get(at).is_some_and(|next| next.c == ' ');
                at += usize::from(spaced);
                number += usize::from(end <= at);
                continue;
            };
            let Some([last, next, behind]) = padded.get(end - 1..).and_then(<[Ch]>::first_chunk) else {
                break;
            };
            let goes_on = |class: u8| class & (class::RUN | class::HANGUL) == class::RUN;
            // The mark behind a word is not the word's.
            let mark = next.c;
            let marked = (mark == '.') | (mark == ',') | (mark == ':');
            let class = select_unpredictable(marked, behind.class, next.class);
            let over = !goes_on(class) & (mark != '(');
            let over = select_unpredictable(hangul, next.class & class::HANGUL == 0, over);
            let count = end.wrapping_sub(at);
            let capitals = run.capitals() - before.capitals();
            let caps = (capitals == count) & (count >= 2) & kinds.any(Kinds::WORD);
            // None, the first one, or all of them.
            let even = (capitals <= usize::from(first.upper)) | (capitals == count);
            // Syllables and letters set apart are another matter.
            let whole = (before.end() == at) & !run.is_odd() & ((last.start as usize) < stop);
            if !(over & even & whole & (!hangul | (count >= 2))) {
                break;
            }
            if count == 1 && kinds.any(Kinds::WORD) && self.spaced_letters(at, spaced || at == 0).is_some() {
                break;
            }
            self.out.push(Token {
                kind,
                start: first.start as usize,
                end: last.end as usize,
                tags: Tags::NONE,
                phrase: 1,
                glued: !spaced,
                quoted: false,
                struck: false,
                capital: first.upper,
                caps,
                kinds: kinds.with_caps(caps),
                chars: count as u32,
                word: (
                    first.start.wrapping_add(to_arena),
                    last.end.wrapping_add(to_arena),
                ),
                hash: run.hash(),
                form: run.form(),
                plain: !hangul,
                shows: 0,
                connects: false,
                doubt: false,
                allowed: false,
            });
            // Behind most words stands one space.
            spaced = mark == ' ';
            at = end + usize::from(spaced);
            number += 1;
            number += usize::from(runs.get(number).is_some_and(|run| run.end() <= at));
        }
        (at > from.0).then_some((at, number, spaced))
    }

    /// Pushes a mark that stands alone.
    #[inline(never)]
    fn mark(&mut self, mark: char, ch: Ch, spaced: bool) {
        let at = self.arena.len() as u32;
        self.out.push(Token {
            kind: TokenKind::Punct(mark),
            start: ch.start as usize,
            end: ch.end as usize,
            tags: Tags::NONE,
            phrase: 1,
            glued: !spaced,
            quoted: false,
            struck: false,
            capital: ch.upper,
            caps: false,
            kinds: Kinds::of_mark(mark),
            chars: u32::from(ch.class & class::SPACE == 0),
            word: (at, at),
            hash: hash_start(),
            form: 0,
            plain: false,
            shows: 0,
            connects: false,
            doubt: false,
            allowed: false,
        });
    }

    /// What inline code names when it is a command: `cargo test` is a tool and tests.
    fn command(&mut self, from: usize, to: usize) -> Tags {
        let known = tag::TOOL | tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT | tag::DIFF | tag::LOGS;
        let mut word = std::mem::take(self.spare);
        word.clear();
        let mut tags = Tags::NONE;
        for ch in self.chars.get(from..to).unwrap_or_default().iter().take(80) {
            if ch.c.is_ascii_alphanumeric() || ch.c == '-' && !word.is_empty() {
                word.push(ch.c);
            } else if !word.is_empty() {
                tags |= lexicon::english(&word).unwrap_or(Tags::NONE);
                word.clear();
            }
        }
        *self.spare = word;
        Tags(tags.0 & known.0)
    }

    fn push(&mut self, kind: TokenKind, from: usize, to: usize, tags: Tags, spaced: bool) {
        let chars = self.chars.get(from..to).unwrap_or_default();
        let (Some(first), Some(last)) = (chars.first(), chars.last()) else {
            return;
        };
        let shown = Shown::of(chars);
        self.push_shown(kind, (*first, *last), chars, shown, tags, spaced);
    }

    /// As [`Self::push`], for characters that were looked at: the first and the last of them, and all.
    fn push_shown(
        &mut self,
        kind: TokenKind,
        (first, last): (Ch, Ch),
        chars: &[Ch],
        shown: Shown,
        tags: Tags,
        spaced: bool,
    ) {
        let Shown {
            all,
            any,
            mut letters,
            mut capitals,
            mut visible,
        } = shown;
        let at = self.arena.len() as u32;
        let keep = !matches!(kind, TokenKind::Punct(_) | TokenKind::Emoji);
        let written = self.text.get(first.start as usize..last.end as usize);
        if any & class::SPACE != 0 {
            // White space shows nothing.
            (letters, capitals, visible) = (0, 0, 0);
            for ch in chars.iter().filter(|ch| ch.class & class::SPACE == 0) {
                letters += u32::from(ch.class & class::LETTER);
                capitals += u32::from(ch.upper);
                visible += 1;
                if keep {
                    self.arena.push(ch.c);
                }
            }
        } else if !keep {
        } else if let Some(written) = written.filter(|_| all & class::SAME != 0) {
            // Usual words stand in the text as they are folded, but for their case.
            self.arena.push_str(written);
            if capitals > 0
                && let Some(word) = self.arena.get_mut(at as usize..)
            {
                word.make_ascii_lowercase();
            }
        } else {
            self.arena.extend(chars.iter().map(|ch| ch.c));
        }
        let word = self.arena.get(at as usize..).unwrap_or_default();
        let (hash, form) = match kind {
            TokenKind::Hangul => form::korean(word.as_bytes()),
            TokenKind::Word if word.ends_with("n't") => (lexicon::hash_of(word), form::NOT),
            _ => (lexicon::hash_of(word), 0),
        };
        let caps = letters >= 2 && capitals == letters;
        self.out.push(Token {
            kind,
            start: first.start as usize,
            end: last.end as usize,
            tags,
            phrase: 1,
            glued: !spaced,
            quoted: false,
            struck: false,
            capital: first.upper,
            caps,
            kinds: Kinds::of(kind, caps),
            chars: visible,
            word: (at, self.arena.len() as u32),
            hash,
            form,
            plain: kind == TokenKind::Word && all & any & class::LATIN != 0,
            shows: 0,
            connects: false,
            doubt: false,
            allowed: false,
        });
    }

    /// The end of the characters from `from` on that have, of the classes in `mask`, just those in `wanted`.
    fn run_of(&self, from: usize, stop: usize, mask: u8, wanted: u8) -> usize {
        let rest = self.chars.get(from..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|c| c.class & mask != wanted)
            .unwrap_or(rest.len());
        // Inline code ends a run as well, and hardly ever stands in one.
        let last = rest.get(..end).and_then(<[Ch]>::last);
        if last.is_some_and(|c| c.start as usize >= stop) {
            return from + rest.partition_point(|c| (c.start as usize) < stop);
        }
        from + end
    }

    /// The end of an address with the query that goes on behind `end`: the mark in `/run?id=4` asks nothing.
    fn query(&self, from: usize, end: usize, stop: usize) -> usize {
        let address = || {
            self.chars
                .get(from..end)
                .is_some_and(|run| run.iter().any(|c| c.c == '/'))
        };
        if self.c(end) != '?' || !self.latin(end + 1) || !address() {
            return end;
        }
        let mut at = end;
        let goes_on = |at: usize| match self.c(at) {
            '?' => self.latin(at + 1),
            '&' | '=' | '%' | '#' | ':' => true,
            _ => self.latin(at),
        };
        while goes_on(at) {
            let next = self.run_of(at + 1, stop, class::RUN | class::HANGUL, class::RUN);
            at = next.max(at + 1);
        }
        at
    }

    /// The class of a character; that of a space behind the last.
    fn class(&self, at: usize) -> u8 {
        self.padded.get(at).map_or(class::SPACE, |c| c.class)
    }

    /// Whether a letter or a digit stands there that is not Hangul.
    fn latin(&self, at: usize) -> bool {
        self.class(at) & (class::ALNUM | class::HANGUL) == class::ALNUM
    }

    /// Whether a letter or a digit stands there.
    fn alnum(&self, at: usize) -> bool {
        self.class(at) & class::ALNUM != 0
    }

    fn c(&self, at: usize) -> char {
        self.padded.get(at).map_or(' ', |c| c.c)
    }

    /// Whether a mark opens a path, flag, number or mention rather than standing alone.
    fn opens_run(&self, at: usize) -> bool {
        let next = self.c(at + 1);
        match self.c(at) {
            '@' | '#' | '$' | '±' => self.latin(at + 1),
            '-' => next == '-' || self.latin(at + 1) && (at == 0 || !self.alnum(at - 1)),
            '+' | '~' => next.is_ascii_digit() || (self.c(at) == '~' && next == '/'),
            '.' => self.latin(at + 1) || next == '/' || next == '.' && self.c(at + 2) == '/',
            '/' => self.latin(at + 1),
            '*' => next == '.' && self.alnum(at + 2) || next == '*' && self.c(at + 2) == '/',
            _ => false,
        }
    }

    /// The end of letters or syllables that are written apart (`P E R F E C T`), if such begin at `at`.
    #[inline(never)]
    fn spaced_letters(&self, at: usize, after_space: bool) -> Option<usize> {
        let single = |i: usize| self.class(i) & class::LETTER != 0 && !self.alnum(i + 1);
        if !after_space || !single(at) || self.c(at + 1) != ' ' {
            return None;
        }
        let hangul = self.class(at) & class::HANGUL;
        let mut end = at;
        let mut count = 1;
        while self.c(end + 1) == ' ' && single(end + 2) && self.class(end + 2) & class::HANGUL == hangul {
            end += 2;
            count += 1;
        }
        (count >= 3).then_some(end + 1)
    }

    /// Pushes letters written apart as the word or words that they spell.
    fn spelled(&mut self, from: usize, to: usize, spaced: bool) {
        let kind = if self.class(from) & class::HANGUL != 0 {
            TokenKind::Hangul
        } else {
            TokenKind::Word
        };
        self.push(kind, from, to, Tags::NONE, spaced);
    }

    /// Pushes the tokens of a run of word and path characters; returns where reading goes on.
    #[inline(never)]
    fn classify(&mut self, from: usize, to: usize, spaced: bool) -> usize {
        // The mark behind a word is not the word's.
        let mut word = to;
        while word > from + 1 && matches!(self.c(word - 1), '.' | ',' | ':') {
            word -= 1;
        }
        let chars = self.chars;
        let plain = chars.get(from..word).unwrap_or_default();
        if let (Some(first), Some(last)) = (plain.first(), plain.last())
            && self.c(word) != '('
        {
            let shown = Shown::of(plain);
            let even = shown.capitals == 0 || shown.capitals == shown.visible;
            if shown.all & class::LATIN != 0 && (even || shown.capitals == 1 && first.upper) {
                // The common case: a plain word.
                self.push_shown(TokenKind::Word, (*first, *last), plain, shown, Tags::NONE, spaced);
                return word;
            }
        }
        let is = |c: char, set: &str| set.contains(c);
        let mut end = to;
        while end > from + 1 && is(self.c(end - 1), ".:,'*~=&-_\\@#$+") && !self.plus_tail(from, end) {
            end -= 1;
        }
        // A call: `name()`.
        let called = self.c(end) == '(' && self.c(end + 1) == ')' && self.alnum(end - 1);
        let mut start = from;
        while start + 1 < end && is(self.c(start), "_*'=&:") {
            start += 1;
        }
        let mut text = std::mem::take(self.spare);
        text.clear();
        text.extend(
            self.chars
                .get(start..end)
                .unwrap_or_default()
                .iter()
                .map(|ch| ch.c),
        );
        let inner_capital = self.chars.get(start + 1..end).is_some_and(|c| {
            c.windows(2)
                .any(|w| matches!(w, [a, b] if !a.upper && a.c.is_ascii_lowercase() && b.upper))
                || (c.first().is_some_and(|b| b.upper)
                    && self
                        .chars
                        .get(start)
                        .is_some_and(|a| !a.upper && a.c.is_ascii_lowercase()))
        });
        if called {
            self.push(TokenKind::Ident, start, end + 2, Tags::NONE, spaced);
            end += 2;
        } else {
            self.shaped(&text, inner_capital, (start, end), spaced);
        }
        *self.spare = text;
        end
    }

    /// Pushes the tokens of a run of characters, by its form. `text` is what it reads like.
    fn shaped(&mut self, text: &str, inner_capital: bool, (start, end): (usize, usize), spaced: bool) {
        match shape(text, inner_capital) {
            Shape::One(kind) => self.push(kind, start, end, tag_of_run(kind, text), spaced),
            Shape::Spelled => {
                // Letters set apart by marks: p.e.r.f.e.c.t
                let word: String = text.chars().filter(|c| letter(*c)).collect();
                let listed = lexicon::english(&word).or_else(|| unlisted(&word));
                let tags = listed.unwrap_or(Tags::NONE);
                self.push(TokenKind::Word, start, end, tags, spaced);
            }
            Shape::Disguised(tags) => self.push(TokenKind::Word, start, end, tags, spaced),
            Shape::Words => {
                let mut i = start;
                let mut spaced = spaced;
                while i < end {
                    if self.alnum(i) {
                        let mut j = i;
                        while j < end
                            && (self.alnum(j)
                                || matches!(self.c(j), '\'' | '-') && j + 1 < end && self.alnum(j + 1))
                        {
                            j += 1;
                        }
                        let kind = if self.c(i).is_ascii_digit() {
                            TokenKind::Number
                        } else {
                            TokenKind::Word
                        };
                        self.push(kind, i, j, Tags::NONE, spaced);
                        i = j;
                    } else {
                        if !matches!(self.c(i), '*' | '_' | '~') {
                            self.push(TokenKind::Punct(self.c(i)), i, i + 1, Tags::NONE, spaced);
                        }
                        i += 1;
                    }
                    spaced = false;
                }
            }
        }
    }

    /// `C++`, `A+` and `r+` keep their plus.
    fn plus_tail(&self, from: usize, end: usize) -> bool {
        self.c(end - 1) == '+' && end - from <= 3 && letter(self.c(from))
    }

    /// Carries quotations and struck text over to the tokens.
    fn mark_masks(&mut self, first: usize) {
        let mut index = first;
        for mask in self.masks.iter().filter(|m| m.kind != MaskKind::Code) {
            while self.out.get(index).is_some_and(|t| t.start < mask.start) {
                index += 1;
            }
            let mut i = index;
            while let Some(token) = self.out.get_mut(i).filter(|t| t.start < mask.end) {
                match mask.kind {
                    MaskKind::Quoted => token.quoted = true,
                    _ => token.struck = true,
                }
                i += 1;
            }
        }
    }
}
