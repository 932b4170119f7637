//! Grammar of a clause: negation, condition, tense, question, report, quotation, request.

use crate::lexicon::{hash_of, tag};
use crate::tags::Tags;
use crate::token::{Token, TokenKind};

/// Main language of a stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, or no words at all.
    #[default]
    English,
    /// Korean.
    Korean,
    /// Both.
    Mixed,
}

/// A set of grammatical features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features(pub u32);

impl Features {
    /// Something is denied: not, never, 않, 안, 못, 없.
    pub const NEGATED: Self = Self(1);
    /// It holds only under a condition: if, unless, once, 면.
    pub const CONDITIONAL: Self = Self(1 << 1);
    /// It is announced, planned or expected: will, going to, 겠, 예정.
    pub const FUTURE: Self = Self(1 << 2);
    /// It asks.
    pub const QUESTION: Self = Self(1 << 3);
    /// All its words stand in quotation marks.
    pub const QUOTED: Self = Self(1 << 4);
    /// It reports what somebody else said: according to, says, 라고, 답니다.
    pub const HEARSAY: Self = Self(1 << 5);
    /// It tells what has happened or was done.
    pub const PAST: Self = Self(1 << 6);
    /// It tells the reader to do something: base verb in front, 하세요, 주세요.
    pub const IMPERATIVE: Self = Self(1 << 7);
    /// Belief, guess or expectation: think, probably, 아마, 것 같.
    pub const BELIEF: Self = Self(1 << 8);
    /// The speaker speaks of himself: I, we, 제가.
    pub const FIRST_PERSON: Self = Self(1 << 9);
    /// It names a possibility or duty: can, should, must.
    pub const MODAL: Self = Self(1 << 10);
    /// It speaks of something not there yet: pending, 아직.
    pub const PENDING: Self = Self(1 << 11);
    /// It ends in a call: `!`.
    pub const EXCLAMATION: Self = Self(1 << 12);
    /// It is struck through.
    pub const STRUCK: Self = Self(1 << 13);
    /// It goes on what an earlier clause of its sentence began.
    pub const CONTINUES: Self = Self(1 << 14);
    /// It is still going on: running, 중.
    pub const ONGOING: Self = Self(1 << 15);

    /// Whether all features of `other` are present.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether one of the features of `other` is present.
    #[must_use]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Features {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.or(other);
    }
}

/// Which kinds of tokens stand in a clause, quoted ones included: many readers look for one kind only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// Numbers.
    pub const NUMBER: Self = Self(1);
    /// Inline code.
    pub const CODE: Self = Self(1 << 1);
    /// Identifiers.
    pub const IDENT: Self = Self(1 << 2);
    /// Korean words.
    pub const HANGUL: Self = Self(1 << 3);
    /// English words.
    pub const WORD: Self = Self(1 << 4);
    /// The mark `<`.
    pub const ANGLE: Self = Self(1 << 5);
    /// A word in capitals.
    pub const CAPS: Self = Self(1 << 6);
    /// Paths.
    pub const PATH: Self = Self(1 << 7);
    /// All of these: what a clause tells of its tokens.
    const TOLD: Self = Self(0xff);
    /// Addresses.
    pub(crate) const URL: Self = Self(1 << 8);
    /// Names of persons.
    pub(crate) const MENTION: Self = Self(1 << 9);
    /// Pictures.
    pub(crate) const EMOJI: Self = Self(1 << 10);
    /// Marks.
    pub(crate) const MARK: Self = Self(1 << 11);
    /// Marks that something may end with.
    pub(crate) const ENDS: Self = Self(1 << 12);
    /// The mark `(`.
    pub(crate) const OPENS: Self = Self(1 << 13);
    /// Words of either script.
    pub(crate) const WORDS: Self = Self::WORD.or(Self::HANGUL);

    /// Whether one of these is there.
    #[must_use]
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kind of a token that is in capitals or not.
    pub(crate) fn of(kind: TokenKind, caps: bool) -> Self {
        let kind = match kind {
            TokenKind::Number => Self::NUMBER,
            TokenKind::Code => Self::CODE,
            TokenKind::Ident => Self::IDENT,
            TokenKind::Hangul => Self::HANGUL,
            TokenKind::Word => Self::WORD,
            TokenKind::Path => Self::PATH,
            TokenKind::Url => Self::URL,
            TokenKind::Mention => Self::MENTION,
            TokenKind::Emoji => Self::EMOJI,
            TokenKind::Punct(mark) => Self::of_mark(mark),
        };
        kind.with_caps(caps)
    }

    /// The same of a mark. Which one it is nobody can foresee.
    pub(crate) fn of_mark(mark: char) -> Self {
        let known = MARKS.get(mark as usize).copied();
        known.unwrap_or_else(|| Self::mark(mark))
    }

    const fn mark(mark: char) -> Self {
        let bits = match mark {
            '<' => Self::ANGLE.0,
            '(' => Self::OPENS.0,
            '\n' | '!' | '?' | '。' | '｡' | '.' | '…' | ';' | '—' | '–' | '-' | ':' | ',' | '、' | ')'
            | ']' => Self::ENDS.0,
            _ => 0,
        };
        Self::MARK.or(Self(bits))
    }

    /// The same of a token in capitals, or not.
    pub(crate) const fn with_caps(self, caps: bool) -> Self {
        Self(self.0 | (caps as u16 * Self::CAPS.0))
    }
}

/// The kinds of the marks of ASCII.
static MARKS: [Kinds; 128] = {
    let mut out = [Kinds(0); 128];
    let mut mark = 0u8;
    while mark < 128 {
        out[mark as usize] = Kinds::mark(mark as char);
        mark += 1;
    }
    out
};

/// What the tokens of a clause show together.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) features: Features,
    pub(crate) tags: Tags,
    pub(crate) language: Language,
    pub(crate) kinds: Kinds,
    /// Visible characters without emoji, mentions, URLs and inline code.
    pub(crate) chars: u32,
}

/// Where the characters of a Korean word are counted, of an English one, of neither: by the two bits of their kinds.
static SCRIPTS: [u64; 4] = [0, 1, 1 << 32, 0];
const _: () = assert!(
    Kinds::WORD.0 == 2 * Kinds::HANGUL.0,
    "the two bits stand side by side"
);

/// The hashes of words that are looked for.
const ONCE: u32 = hash_of("once");
const EXPECTED: u32 = hash_of("expected");
const CANNOT: u32 = hash_of("cannot");

/// Reads the grammar of a clause from its tokens. `closing` is the mark that ends it. What a token is nobody can foresee: each
/// adds what it shows, or nothing.
pub(crate) fn of(tokens: &[Token], arena: &str, closing: Option<char>) -> Shown {
    let mut out = 0u32;
    let mut tags = 0u64;
    let mut kinds = Kinds::default();
    let mut chars = 0;
    // Characters of the words that are said, those of English ones in the upper half.
    let mut scripts = 0u64;
    // Whether something counts, is said, and is not struck out.
    let (mut counted, mut said, mut kept) = (false, false, false);
    let counts = |token: &Token| !token.kinds.any(Kinds::MARK.or(Kinds::EMOJI));
    for (at, token) in tokens.iter().enumerate() {
        let is = |what: Kinds| token.kinds.any(what);
        kinds = kinds.or(token.kinds);
        let silent = is(Kinds::EMOJI.or(Kinds::MENTION).or(Kinds::URL).or(Kinds::CODE));
        chars += token.chars * u32::from(!silent);
        let counts = counts(token);
        let own = counts & !token.quoted;
        counted |= counts;
        said |= own;
        kept |= counts & !token.struck;
        let mut says = token.tags.0;
        // "once" at the end counts; in front of something it makes a condition.
        if token.hash == ONCE
            && is_word(token, arena, "once")
            && tokens.get(at + 1).is_none_or(|t| !t.is_word())
        {
            says = 0;
        }
        tags |= says * u64::from(own);
        let script = SCRIPTS[usize::from(token.kinds.0 / Kinds::HANGUL.0) % SCRIPTS.len()];
        scripts += u64::from(token.chars * u32::from(own)) * script;
        out |= u32::from(token.shows) * u32::from(own);
        // "12 passes are expected": a forecast. "as expected" is none.
        if token.hash == EXPECTED
            && own
            && token.kind == TokenKind::Word
            && is_word(token, arena, "expected")
            && token.phrase == 1
            && predicate(tokens, arena, at)
        {
            out |= Features::BELIEF.0;
        }
    }
    let (hangul, latin) = (scripts as u32, (scripts >> 32) as u32);
    let first = tokens.iter().find(|token| counts(token));
    let (mut out, tags) = (Features(out), Tags(tags));
    if first.is_some_and(|token| requests(token, arena)) {
        out |= Features::IMPERATIVE;
    }
    for (tag, feature) in [
        (tag::NEG, Features::NEGATED),
        (tag::COND, Features::CONDITIONAL),
        (tag::FUT, Features::FUTURE),
        (tag::MODAL, Features::MODAL),
        (tag::PAST, Features::PAST),
        (tag::HEARSAY, Features::HEARSAY),
        (tag::BELIEF, Features::BELIEF),
        (tag::FIRST, Features::FIRST_PERSON),
        (tag::PENDING, Features::PENDING),
        (tag::REQUEST, Features::IMPERATIVE),
    ] {
        out.0 |= u32::from(tags.any(tag)) * feature.0;
    }
    match closing {
        Some('?') => out |= Features::QUESTION,
        Some('!') => out |= Features::EXCLAMATION,
        _ => {}
    }
    if counted & !said {
        out |= Features::QUOTED;
    }
    if counted & !kept {
        out |= Features::STRUCK;
    }
    let language = match (hangul * 2, latin) {
        (0, _) => Language::English,
        (_, 0) => Language::Korean,
        (h, l) if h > l * 4 => Language::Korean,
        (h, l) if l > h * 8 => Language::English,
        _ => Language::Mixed,
    };
    Shown {
        features: out,
        tags,
        language,
        kinds: Kinds(kinds.0 & Kinds::TOLD.0),
        chars,
    }
}

/// Whether the folded form of a token is this word.
fn is_word(token: &Token, arena: &str, word: &str) -> bool {
    arena.get(token.word.0 as usize..token.word.1 as usize) == Some(word)
}

/// Whether a form of "to be" stands right before the token and nothing or an infinitive behind it.
fn predicate(tokens: &[Token], arena: &str, at: usize) -> bool {
    let word = |i: Option<usize>| {
        i.and_then(|i| tokens.get(i))
            .and_then(|t| arena.get(t.word.0 as usize..t.word.1 as usize))
            .unwrap_or_default()
    };
    matches!(word(at.checked_sub(1)), "is" | "are" | "be" | "being")
        && matches!(word(Some(at + 1)), "" | "to")
}

/// The last letters of the word that ends there in a text, four at most, the last one on top; zeros where it has none. What
/// stands before the word does not matter, and makes this cheap.
fn last_letters(text: &[u8], end: usize, length: usize) -> u32 {
    const MASKS: [u32; 5] = [0, 0xff00_0000, 0xffff_0000, 0xffff_ff00, !0];
    let text = text.get(..end).unwrap_or_default();
    let letters = match text.last_chunk() {
        Some(letters) => u32::from_le_bytes(*letters),
        None => text
            .iter()
            .fold(0, |letters, b| letters >> 8 | u32::from(*b) << 24),
    };
    letters & MASKS[length.min(4)]
}

/// Some letters as [`last_letters`] gives them, and the mask of so many.
const fn ending(letters: &[u8]) -> (u32, u32) {
    let (mut out, mut mask, mut at) = (0, 0, 0);
    while at < letters.len() {
        out = out >> 8 | (letters[at] as u32) << 24;
        mask = mask >> 8 | 0xff00_0000;
        at += 1;
    }
    (out, mask)
}

const ED: (u32, u32) = ending(b"ed");
const LL: (u32, u32) = ending(b"'ll");
const S: (u32, u32) = ending(b"s");
const ING: (u32, u32) = ending(b"ing");

/// Features of an English word that its form shows: one of so many bytes that ends there in a text. A word that begins a
/// listed phrase has none: that means what the list says.
#[inline]
pub(crate) fn english(token: &Token, text: &[u8], end: usize, length: usize) -> Features {
    // Which ending a word has nobody can foresee.
    let ending = text.get(..end).and_then(<[u8]>::last_chunk);
    let past = (ending == Some(b"ed")) & (length > 3);
    let past = u32::from(past) * Features::PAST.0;
    // What has nothing but letters ends neither in "'ll" nor in "n't".
    if token.plain & (token.hash != CANNOT) {
        return Features(past);
    }
    let letters = last_letters(text, end, length);
    let (ending, mask) = LL;
    let cannot = token.hash == CANNOT && text.get(end - length..end) == Some(b"cannot");
    Features(
        past | (u32::from(letters & mask == ending) * Features::FUTURE.0)
            | (u32::from(token.ends_in_not() | cannot) * Features::NEGATED.0),
    )
}

/// Whether the first word of a clause tells the reader to do something: a verb in its base form.
fn requests(token: &Token, arena: &str) -> bool {
    let verb = tag::RUN | tag::CHECK | tag::PROCESS | tag::BEGIN | tag::DONE;
    let may = (token.kind == TokenKind::Word)
        & !token.quoted
        & (token.phrase <= 1)
        & token.tags.any(verb)
        & !token.tags.any(tag::PAST | tag::DONE | tag::STOP);
    may && {
        let (from, end) = (token.word.0 as usize, token.word.1 as usize);
        let letters = last_letters(arena.as_bytes(), end, end - from);
        ![ED, S, ING]
            .iter()
            .any(|(ending, mask)| letters & mask == *ending)
    }
}
