//! Grammar of a clause: negation, condition, tense, question, report, quotation, request.

use crate::korean;
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

    /// The kind of a token.
    const fn of(token: &Token) -> Self {
        let kind = match token.kind {
            TokenKind::Number => Self::NUMBER,
            TokenKind::Code => Self::CODE,
            TokenKind::Ident => Self::IDENT,
            TokenKind::Hangul => Self::HANGUL,
            TokenKind::Word => Self::WORD,
            TokenKind::Path => Self::PATH,
            TokenKind::Punct('<') => Self::ANGLE,
            TokenKind::Punct(_) | TokenKind::Url | TokenKind::Mention | TokenKind::Emoji => Self(0),
        };
        if token.caps { kind.or(Self::CAPS) } else { kind }
    }
}

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

/// The hashes of words that are looked for.
const ONCE: u32 = hash_of("once");
const EXPECTED: u32 = hash_of("expected");
const CANNOT: u32 = hash_of("cannot");

/// Reads the grammar of a clause from its tokens. `closing` is the mark that ends it.
pub(crate) fn of(tokens: &[Token], arena: &str, closing: Option<char>) -> Shown {
    let mut out = Features::default();
    let mut tags = Tags::NONE;
    let mut kinds = Kinds::default();
    let mut chars = 0;
    let (mut hangul, mut latin) = (0u32, 0u32);
    let (mut words, mut quoted, mut struck) = (0u32, 0u32, 0u32);
    let mut opening = true;
    for (at, token) in tokens.iter().enumerate() {
        kinds = kinds.or(Kinds::of(token));
        match token.kind {
            TokenKind::Punct('\n') | TokenKind::Emoji => continue,
            TokenKind::Punct(_) => {
                chars += token.chars;
                continue;
            }
            TokenKind::Mention | TokenKind::Url | TokenKind::Code => {}
            _ => chars += token.chars,
        }
        words += 1;
        quoted += u32::from(token.quoted);
        struck += u32::from(token.struck);
        if token.quoted {
            opening = false;
            continue;
        }
        let word = || {
            arena
                .get(token.word.0 as usize..token.word.1 as usize)
                .unwrap_or_default()
        };
        // "once" at the end counts; in front of something it makes a condition.
        let counts =
            token.hash == ONCE && word() == "once" && tokens.get(at + 1).is_none_or(|t| !t.is_word());
        tags |= if counts { Tags::NONE } else { token.tags };
        match token.kind {
            TokenKind::Hangul => {
                hangul += token.chars;
                out |= korean::features(word(), token.form);
            }
            TokenKind::Word => {
                latin += token.chars;
                let bytes = arena.as_bytes();
                let word_bytes = bytes
                    .get(token.word.0 as usize..token.word.1 as usize)
                    .unwrap_or_default();
                out |= english(token, word_bytes, opening);
                // "12 passes are expected": a forecast. "as expected" is none.
                let awaited = token.hash == EXPECTED
                    && word_bytes == b"expected"
                    && token.phrase == 1
                    && predicate(tokens, arena, at);
                if awaited {
                    out |= Features::BELIEF;
                }
            }
            _ => {}
        }
        opening = false;
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
        if tags.any(tag) {
            out |= feature;
        }
    }
    match closing {
        Some('?') => out |= Features::QUESTION,
        Some('!') => out |= Features::EXCLAMATION,
        _ => {}
    }
    if words > 0 && quoted == words {
        out |= Features::QUOTED;
    }
    if words > 0 && struck == words {
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
        kinds,
        chars,
    }
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

/// Features of one English word that its form shows.
fn english(token: &Token, word: &[u8], opening: bool) -> Features {
    let mut out = Features::default();
    if token.phrase > 1 {
        // A listed phrase means what the list says, whatever its words.
        return out;
    }
    let verb = tag::RUN | tag::CHECK | tag::PROCESS | tag::BEGIN | tag::DONE;
    // The last letters, asked for all endings at once: which one a word has nobody can foresee.
    let end = |back: usize| word.len().checked_sub(back).and_then(|at| word.get(at));
    let [last, second, third] = [1, 2, 3].map(|back| end(back).copied().unwrap_or_default());
    let told = (second == b'e') & (last == b'd');
    let other = (last == b's') | (third == b'i') & (second == b'n') & (last == b'g');
    let base = !(told | other);
    let past = told & (word.len() > 3);
    let will = (third == b'\'') & (second == b'l') & (last == b'l');
    out.0 |= (u32::from(past) * Features::PAST.0) | (u32::from(will) * Features::FUTURE.0);
    if token.ends_in_not() || token.hash == CANNOT && word == b"cannot" {
        out |= Features::NEGATED;
    }
    if opening && base && token.tags.any(verb) && !token.tags.any(tag::PAST | tag::DONE | tag::STOP) {
        out |= Features::IMPERATIVE;
    }
    out
}
