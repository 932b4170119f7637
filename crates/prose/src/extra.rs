//! The user's own patterns: what counts as praise here, what only sometimes, and what never does.

use crate::fold::Ch;
use crate::lexicon::{Filter, tag};
use crate::pattern::{Flaw, Pattern, Rule, looks_like_regex};
use crate::reading::{Reading, read_with};
use crate::token::{Token, TokenKind};
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
        *self == Self::default()
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
        let mut doubts: Vec<Doubt> = Vec::new();
        let mut joined = false;
        for token in &self.tokens {
            let word = || self.word(token);
            let listed = match token.kind {
                _ if token.quoted || token.doubt => None,
                TokenKind::Hangul if word().starts_with(['깔', '문', '성', '완', '정', '탄', '통', '확']) => {
                    KOREAN_DOUBTS.iter().find(|stem| word().starts_with(**stem))
                }
                TokenKind::Word if HASHES.may_hold(token.hash) => ENGLISH_DOUBTS
                    .binary_search(&word())
                    .ok()
                    .and_then(|i| ENGLISH_DOUBTS.get(i)),
                _ => None,
            };
            if let Some(stem) = listed {
                doubts.push(Doubt {
                    word: (*stem).to_owned(),
                    start: token.start,
                    end: token.end,
                });
                joined = false;
            } else if token.doubt && !token.quoted && !word().is_empty() {
                // Neighbours that one pattern marks are one.
                match doubts.last_mut().filter(|_| joined) {
                    Some(last) => {
                        last.word.push(' ');
                        last.word.push_str(word());
                        last.end = token.end;
                    }
                    None => doubts.push(Doubt {
                        word: word().to_owned(),
                        start: token.start,
                        end: token.end,
                    }),
                }
                joined = true;
            } else {
                joined = false;
            }
        }
        doubts
    }
}
