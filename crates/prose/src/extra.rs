//! The user's own patterns: what counts as praise here, what only sometimes, and what never does.

use crate::features::Kinds;
use crate::fold::Ch;
use crate::lexicon::{Filter, tag};
use crate::pattern::{Flaw, Pattern, Rule, looks_like_regex};
use crate::reading::{Reading, read_with};
use crate::token::{Token, TokenKind};
use std::ops::Range;
use std::sync::Arc;

/// Steps that regular expressions may take over one message, in sixteenths of a state per byte: what is left
/// when it is used up is not searched.
pub(crate) const BUDGET: usize = 1 << 20;

/// Additions to the word lists for one reading: the user's own praise patterns, those that are praise only
/// sometimes, and terms that are never praise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    praise: Terms,
    doubtful: Terms,
    allow: Terms,
}

/// A term: folded words in a row. Hangul words match as stems.
type Term = Vec<String>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Terms {
    words: Vec<Term>,
    rules: Vec<Arc<Rule>>,
}

impl Terms {
    fn read<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Self {
        let mut terms = Self::default();
        for pattern in patterns {
            // What cannot be used was told to its author when the policy was checked.
            match Pattern::read(pattern.as_ref()) {
                Ok(Pattern::Words(words)) if !words.is_empty() => terms.words.push(words),
                Ok(Pattern::Regex(rule)) => terms.rules.push(Arc::new(*rule)),
                Ok(Pattern::Words(_)) | Err(_) => {}
            }
        }
        terms
    }
}

impl Extra {
    /// Reads patterns and terms. A pattern is a word, a stem or a phrase, or a regular expression between
    /// slashes such as `/훌륭한\s*분석/`; patterns that cannot be used ([`Extra::flaws`]) are left out.
    pub fn new<S: AsRef<str>>(
        praise: impl IntoIterator<Item = S>,
        allow: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            praise: Terms::read(praise),
            doubtful: Terms::default(),
            allow: Terms::read(allow),
        }
    }

    /// The same with patterns that are praise only sometimes: they are found and counted, and weigh nothing.
    #[must_use]
    pub fn with_doubtful<S: AsRef<str>>(mut self, patterns: impl IntoIterator<Item = S>) -> Self {
        self.doubtful = Terms::read(patterns);
        self
    }

    /// What is wrong with a pattern, or to be known about it. With `thorough` a regular expression is also
    /// compiled, which costs some ten microseconds.
    #[must_use]
    pub fn flaws(pattern: &str, thorough: bool) -> Vec<Flaw> {
        match Pattern::read(pattern) {
            Err(flaw) => vec![flaw],
            Ok(Pattern::Words(_)) => Vec::new(),
            Ok(Pattern::Regex(rule)) => {
                let mut flaws = rule.doubts.clone();
                if !pattern.starts_with('/') && looks_like_regex(pattern) {
                    flaws.push(Flaw::doubt(
                        "is taken as a regular expression",
                        format!("write `/{pattern}/i`"),
                    ));
                }
                if thorough {
                    flaws.extend(rule.compile().err());
                }
                flaws
            }
        }
    }

    /// Whether a pattern matches somewhere in the prose of a text.
    #[must_use]
    pub fn finds(pattern: &str, text: &str) -> bool {
        let extra = Self::default().with_doubtful([pattern]);
        read_with(text, &extra).tokens.iter().any(|t| t.doubt)
    }

    /// Whether nothing is added.
    pub(crate) fn is_empty(&self) -> bool {
        [&self.praise, &self.doubtful, &self.allow]
            .iter()
            .all(|terms| terms.words.is_empty() & terms.rules.is_empty())
    }

    /// Marks the tokens that the additions speak of. `chars` are the folded characters that they were made from.
    pub(crate) fn mark(&self, chars: &[Ch], tokens: &mut [Token], arena: &str, budget: &mut usize) {
        let mut hay = Hay::default();
        let mut each = |terms: &Terms, mark: &dyn Fn(&mut Token)| {
            mark_terms(tokens, arena, &terms.words, mark);
            for rule in &terms.rules {
                hay.search(chars, rule, budget, |from, to| {
                    let begin = tokens.partition_point(|t| t.end <= from);
                    for token in tokens.iter_mut().skip(begin).take_while(|t| t.start < to) {
                        let silent = [
                            TokenKind::Code,
                            TokenKind::Path,
                            TokenKind::Url,
                            TokenKind::Mention,
                        ];
                        if !silent.contains(&token.kind) {
                            mark(token);
                        }
                    }
                });
            }
        };
        each(&self.praise, &|t| {
            // A listed term such as "perfect hash" stays one.
            if t.phrase == 1 || !t.tags.any(tag::TECH) {
                // What the lists know already keeps its weight.
                let known = t.tags.any(tag::PRAISE | tag::HYPE);
                t.tags |= if known {
                    tag::EXTRA
                } else {
                    tag::EXTRA | tag::PRAISE
                };
            }
        });
        each(&self.doubtful, &|t| t.doubt = true);
        let loud = tag::PRAISE
            | tag::GOOD
            | tag::HYPE
            | tag::EXTRA
            | tag::ACK
            | tag::SMOOTH
            | tag::CHEER
            | tag::EMOTE;
        each(&self.allow, &|t| {
            t.tags = t.tags.without(loud) | tag::TECH;
            t.allowed = true;
            t.doubt = false;
        });
    }
}

/// A stretch of prose as the rules see it: folded, in its own case. Made when a rule first needs it.
#[derive(Default)]
struct Hay {
    lower: String,
    cased: String,
    /// Where each character begins in `cased`.
    starts: Vec<usize>,
}

impl Hay {
    fn search(&mut self, chars: &[Ch], rule: &Rule, budget: &mut usize, mut each: impl FnMut(usize, usize)) {
        if self.lower.is_empty() {
            self.lower = chars.iter().map(|c| c.c).collect();
        }
        let cost = rule.cost(self.lower.len());
        if cost > *budget || !rule.may_match(&self.lower) {
            return;
        }
        *budget -= cost;
        if self.cased.is_empty() {
            for c in chars {
                self.starts.push(self.cased.len());
                self.cased.push(c.cased());
            }
        }
        let starts = &self.starts;
        rule.find(&self.cased, |from, to| {
            let begin = starts.partition_point(|s| *s < from);
            let end = starts.partition_point(|s| *s < to);
            if let (Some(a), Some(b)) = (chars.get(begin), chars.get(end.wrapping_sub(1))) {
                each(a.start as usize, b.end as usize);
            }
        });
    }
}

fn mark_terms(tokens: &mut [Token], arena: &str, terms: &[Term], mark: &dyn Fn(&mut Token)) {
    let fits = |token: &Token, want: &str| {
        let have = arena
            .get(token.word.0 as usize..token.word.1 as usize)
            .unwrap_or_default();
        match token.kind {
            TokenKind::Hangul => have.starts_with(want),
            TokenKind::Word => {
                have == want
                    || have
                        .strip_prefix(want)
                        .is_some_and(|rest| matches!(rest, "s" | "es" | "ly" | "'s"))
            }
            TokenKind::Punct(mark) => want.chars().eq([mark]),
            _ => have == want,
        }
    };
    for term in terms {
        let joined = term.concat();
        for at in 0..tokens.len() {
            let matches = term
                .iter()
                .enumerate()
                .all(|(i, want)| tokens.get(at + i).is_some_and(|t| fits(t, want)));
            if matches {
                tokens.iter_mut().skip(at).take(term.len()).for_each(mark);
            } else if term.len() > 1
                && tokens
                    .get(at)
                    .is_some_and(|t| t.kind == TokenKind::Hangul && fits(t, &joined))
            {
                // Korean may be written without the space.
                tokens.iter_mut().skip(at).take(1).for_each(mark);
            }
        }
    }
}

/// Words that are praise only sometimes, as stems: they are counted, and weigh nothing.
const KOREAN_DOUBTS: [&str; 8] = [
    "깔끔",
    "문제없",
    "성공적",
    "완전",
    "정확히",
    "탄탄",
    "통과",
    "확실히",
];
/// The same in English, as whole words.
const ENGLISH_DOUBTS: [&str; 14] = [
    "absolutely",
    "certainly",
    "clean",
    "comprehensive",
    "definitely",
    "elegant",
    "exactly",
    "indeed",
    "robust",
    "seamless",
    "seamlessly",
    "smoothly",
    "solid",
    "successfully",
];

/// Which hashes of the words in [`ENGLISH_DOUBTS`] occur, as a rough filter.
static HASHES: Filter = Filter::of(&ENGLISH_DOUBTS);

/// Which beginnings of the stems in [`KOREAN_DOUBTS`] occur, as a rough filter: a bit for each [`place`].
static BEGINNINGS: [u64; 8] = {
    let mut bits = [0; 8];
    let mut at = 0;
    while at < KOREAN_DOUBTS.len() {
        if let Some(two) = KOREAN_DOUBTS[at].as_bytes().first_chunk() {
            let place = place(two);
            bits[place / 64] |= 1 << (place % 64);
        }
        at += 1;
    }
    bits
};

/// A number below 512 for two syllables, each three bytes long, of which the first is nearly the same for all.
const fn place(two: &[u8; 6]) -> usize {
    let key = u32::from_le_bytes([two[2], two[3], two[4], two[5]]);
    (key.wrapping_mul(0x9e37_79b1) >> 23) as usize
}

/// A word of low confidence in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The word: listed ones by their stem, what the user's patterns match as it reads.
    pub word: String,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset after its last character.
    pub end: usize,
}

impl Reading {
    /// The words that are praise only sometimes (확실히, 통과, robust), and what the user's patterns of low
    /// confidence match. They decide nothing; quoted ones are left out.
    #[must_use]
    pub fn doubts(&self) -> Vec<Doubt> {
        let mut found = Found::default();
        if self.partial {
            // Of such a text not all clauses are kept.
            self.doubts_in(0..self.tokens.len(), true, &mut found);
            return found.doubts;
        }
        // Clauses that follow one another are looked through together, those with Hangul apart from others.
        let mut stretch = 0..0;
        let mut hangul = false;
        for clause in &self.clauses {
            let here = clause.kinds.any(Kinds::HANGUL);
            if (stretch.end != clause.tokens.start) | (here != hangul) {
                self.doubts_in(std::mem::take(&mut stretch), hangul, &mut found);
                stretch.start = clause.tokens.start;
                hangul = here;
            }
            stretch.end = clause.tokens.end;
        }
        self.doubts_in(stretch, hangul, &mut found);
        found.doubts
    }

    /// Looks for them among some tokens, which may be Hangul.
    fn doubts_in(&self, tokens: Range<usize>, hangul: bool, found: &mut Found) {
        let arena = self.arena.as_bytes();
        let english = |t: &Token| ((t.kind == TokenKind::Word) & HASHES.may_hold(t.hash)) | t.doubt;
        // Marks have no word; what stands in its place is not asked for. What stands behind a word of one syllable rules
        // nothing in that is one, and near the end there is no word of two.
        let last = arena.len().saturating_sub(6);
        let korean = |t: &Token| {
            let two = arena
                .get(last.min(t.word.0 as usize)..)
                .and_then(<[u8]>::first_chunk);
            let place = two.map_or(0, place);
            (t.kind == TokenKind::Hangul) & (BEGINNINGS[place / 64] >> (place % 64) & 1 == 1)
        };
        if hangul {
            self.doubts_by(tokens, |t| english(t) | korean(t), found);
        } else {
            self.doubts_by(tokens, english, found);
        }
    }

    /// Looks through those tokens that may be one. Very few words are any, and what a token is, which is as good as random,
    /// decides nothing before: of 64 tokens it is noted which may be one.
    #[inline]
    fn doubts_by(&self, tokens: Range<usize>, may_be: impl Fn(&Token) -> bool, found: &mut Found) {
        let mut from = tokens.start;
        let tokens = self.tokens.get(tokens).unwrap_or_default();
        for tokens in tokens.chunks(64) {
            let mut hits = 0u64;
            // From the last one on, so that each moves those behind it up.
            for token in tokens.iter().rev() {
                hits = hits << 1 | u64::from(may_be(token));
            }
            while hits != 0 {
                let at = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                if let Some(token) = tokens.get(at) {
                    self.doubt(from + at, token, found);
                }
            }
            from += tokens.len();
        }
    }

    /// Takes in a token that may be one.
    fn doubt(&self, at: usize, token: &Token, found: &mut Found) {
        let word = self.word(token);
        if token.quoted || token.doubt && word.is_empty() {
            return;
        }
        let doubt = |word: &str| Doubt {
            word: word.to_owned(),
            start: token.start,
            end: token.end,
        };
        if token.doubt {
            // Neighbours that one pattern marks are one.
            match found.doubts.last_mut().filter(|_| at == found.next) {
                Some(last) => {
                    last.word.push(' ');
                    last.word.push_str(word);
                    last.end = token.end;
                }
                None => found.doubts.push(doubt(word)),
            }
            found.next = at + 1;
            return;
        }
        let listed = if token.kind == TokenKind::Hangul {
            KOREAN_DOUBTS.iter().find(|stem| word.starts_with(**stem))
        } else {
            ENGLISH_DOUBTS.iter().find(|listed| **listed == word)
        };
        found.doubts.extend(listed.map(|stem| doubt(stem)));
    }
}

/// The words of low confidence that were found so far.
#[derive(Default)]
struct Found {
    doubts: Vec<Doubt>,
    /// The token behind the last one that a pattern of the user's matches.
    next: usize,
}
