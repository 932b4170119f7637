//! Which sentences of an answer have to be read: one look at each token, before anything is looked up. What is not
//! found here names no item and points at none; what is found may still turn out to say nothing.

use super::checklist::{Checklist, Hits};
use super::cues::{self, Cues};
use super::forms::{self, Form};
use super::keys::Keys;
use super::senses::may_count;
use super::signs::Signs;
use super::stem::word_hash;
use super::whole;
use super::words;
use crate::text::slice;
use proctor_prose::{BlockKind, Clause, Filter, Reading, Token, TokenKind};
use std::ops::Range;

include!(concat!(env!("OUT_DIR"), "/keys.rs"));

/// Some words, and the filter that rules most others out.
struct Words(Filter, &'static [&'static str]);

impl Words {
    #[inline]
    fn has(&self, reading: &Reading, token: &Token) -> bool {
        token.may_be(&self.0) && self.1.contains(&reading.word(token))
    }
}

/// All words that are looked for one by one, but those of [`TELLING`].
static LISTED: Filter = Filter::of(&[
    "it",
    "this",
    "that",
    "these",
    "those",
    "they",
    "which",
    "two",
    "three",
    "four",
    "some",
    "most",
    "several",
    "and",
    "but",
    "while",
    "whereas",
    "so",
    "then",
    "thus",
    "also",
    "therefore",
    "hence",
    "because",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "last",
    "final",
    "all",
    "everything",
    "every",
    "whole",
    "entire",
    "rest",
    "others",
    "besides",
    "excluding",
    "barring",
    "minus",
    "apart",
    "aside",
    "except",
    "remaining",
    "items",
    "item",
    "steps",
    "step",
    "tasks",
    "task",
    "points",
    "point",
    "numbers",
    "number",
    "than",
    "both",
    "former",
    "latter",
    "other",
    "outstanding",
    "again",
]);

macro_rules! words {
    ($($word:literal),+ $(,)?) => {
        Words(Filter::of(&[$($word),+]), &[$($word),+])
    };
}

/// Words that point at what was spoken of before, where a part of a sentence begins with them.
static POINTING: Words = words![
    "it", "this", "that", "these", "those", "they", "which", "two", "three", "four", "some", "most",
    "several",
];

/// Words behind which a part of a sentence may begin.
static OPENING: Words = words![
    "and",
    "but",
    "while",
    "whereas",
    "so",
    "then",
    "thus",
    "also",
    "therefore",
    "hence",
    "because",
];

/// Words that count items.
static COUNTING: Words = words![
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "last",
    "final",
    "all",
    "everything",
    "every",
    "whole",
    "entire",
    "rest",
    "others",
    "besides",
    "excluding",
    "barring",
    "minus",
    "apart",
    "aside",
    "except",
    "remaining",
    "items",
    "item",
    "steps",
    "step",
    "tasks",
    "task",
    "points",
    "point",
    "numbers",
    "number",
    "than",
];

/// The same where there are two items.
static OF_TWO: Words = words!["both", "former", "latter"];

/// Words for what is left, beside which one word of an item is enough.
static FORMER: Words = words![
    "other",
    "remaining",
    "outstanding",
    "남은",
    "남았던",
    "나머지",
    "다른"
];

/// How many tokens before and behind a sentence may have a say in what its words mean.
const BEFORE: usize = 2;
const BEHIND: usize = 4;

/// The keys of a concept's words.
pub(super) fn surfaces(name: u64) -> impl Iterator<Item = usize> {
    let name = (name >> 32) as u32;
    let from = SURFACES.partition_point(|s| s.0 < name);
    SURFACES
        .iter()
        .skip(from)
        .take_while(move |s| s.0 == name)
        .map(|s| usize::from(s.1))
}

/// What has to be read of an answer.
#[derive(Default)]
pub(super) struct Scan {
    /// For each sentence.
    sentences: Vec<bool>,
    /// The stretches of tokens, with what stands around them.
    pub(super) stretches: Vec<Range<usize>>,
}

impl Scan {
    /// Everything.
    pub(super) fn all(reading: &Reading) -> Self {
        Self {
            sentences: vec![true; reading.clauses.last().map_or(0, |c| c.sentence + 1)],
            stretches: std::iter::once(0..reading.tokens.len()).collect(),
        }
    }

    /// Whether a sentence is to be read.
    pub(super) fn has(&self, sentence: &[Clause]) -> bool {
        let first = sentence.first();
        first.is_some_and(|c| self.sentences.get(c.sentence).copied().unwrap_or_default())
    }

    fn add(&mut self, clauses: &[Clause], reading: &Reading) {
        let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else {
            return;
        };
        for sentence in first.sentence..=last.sentence {
            if let Some(known) = self.sentences.get_mut(sentence) {
                *known = true;
            }
        }
        let from = first.tokens.start.saturating_sub(BEFORE);
        let to = (last.tokens.end + BEHIND).min(reading.tokens.len());
        match self.stretches.last_mut() {
            Some(before) if before.end >= from => before.end = to.max(before.end),
            _ => self.stretches.push(from..to),
        }
    }
}

/// Looks at an answer.
#[inline(never)]
pub(super) fn scan(text: &str, reading: &Reading, list: &Checklist, items: usize) -> Scan {
    if list.fixes || list.finds {
        return Scan::all(reading);
    }
    let look = Look {
        text,
        reading,
        list,
        keys: list.keys(),
        items,
        counting: Cues::COUNTING
            .with(Cues::COUNTED)
            .with(Cues::OF_TWO.when(items == 2)),
    };
    let mut hits = Hits::default();
    let mut out = Scan {
        sentences: vec![false; reading.clauses.last().map_or(0, |c| c.sentence + 1)],
        stretches: Vec::with_capacity(8),
    };
    for clauses in reading.clauses.chunk_by(|a, b| a.block == b.block) {
        let Some(block) = clauses.first().and_then(|c| reading.blocks.get(c.block)) else {
            continue;
        };
        let body = slice(text, block.body, block.end);
        match block.kind {
            BlockKind::Paragraph if !body.contains('[') && !body.trim_end().ends_with([':', '：']) => {
                for sentence in clauses.chunk_by(|a, b| a.sentence == b.sentence) {
                    if look.tells(sentence, &mut hits) {
                        out.add(sentence, reading);
                    }
                }
            }
            BlockKind::TableRow => {
                if look.names(clauses) {
                    out.add(clauses, reading);
                }
            }
            _ => out.add(clauses, reading),
        }
    }
    out
}

struct Look<'a> {
    text: &'a str,
    reading: &'a Reading,
    list: &'a Checklist,
    keys: &'a Keys,
    items: usize,
    /// What counts items, by how many there are.
    counting: Cues,
}

/// What was seen in a sentence so far.
struct Seen<'h> {
    /// A part of the sentence may begin with the next word.
    opens: bool,
    /// One word of an item is enough.
    former: bool,
    hits: &'h mut Hits,
}

impl Look<'_> {
    /// Whether a sentence may say something of items.
    fn tells(&self, sentence: &[Clause], hits: &mut Hits) -> bool {
        if sentence.iter().any(|c| c.tags.any(proctor_prose::tag::CONTRAST)) {
            return true;
        }
        if self.may_be_whole(sentence) {
            return true;
        }
        hits.clear();
        let mut seen = Seen {
            opens: true,
            former: false,
            hits,
        };
        for (i, clause) in sentence.iter().enumerate() {
            // A mark at the beginning of the line may stand before the sentence.
            let from = clause.tokens.start.saturating_sub(usize::from(i == 0));
            for at in from..clause.tokens.end {
                seen.opens |= at == clause.tokens.start;
                if self.token(at, &mut seen) {
                    return true;
                }
            }
        }
        let Seen { former, hits, .. } = seen;
        !hits.is_empty() && (former || self.list.may_match(hits, false))
    }

    /// "No open items.", 시키신 일 다 했습니다: a short sentence that may be about the list as a whole.
    fn may_be_whole(&self, sentence: &[Clause]) -> bool {
        let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else {
            return false;
        };
        let tokens = self.reading.tokens.get(first.tokens.start..last.tokens.end);
        tokens.is_some_and(|tokens| whole::may_tell(self.reading, tokens))
    }

    /// Whether a token surely is worth reading its sentence.
    fn token(&self, at: usize, seen: &mut Seen<'_>) -> bool {
        let Some(token) = self.reading.tokens.get(at) else {
            return false;
        };
        match token.kind {
            TokenKind::Punct(c) => {
                seen.opens |= matches!(c, ',' | ';' | '，' | '/' | '|');
                false
            }
            TokenKind::Emoji => {
                seen.opens = true;
                false
            }
            TokenKind::Ident => true,
            TokenKind::Number if token.is_plain() => {
                let word = self.reading.word(token);
                if may_count(word, self.items) {
                    return true;
                }
                if self.keys.may_be_latin(word.as_bytes()) {
                    self.count(words::name(word), seen);
                }
                false
            }
            TokenKind::Number => {
                let word = self.reading.word(token);
                if may_count(word, self.items) {
                    return true;
                }
                if !word.bytes().all(|b| b.is_ascii_digit()) {
                    return self.keys.may_be_in(word.as_bytes());
                }
                self.word(word, seen);
                false
            }
            TokenKind::Path | TokenKind::Code | TokenKind::Url | TokenKind::Mention => self.code(token),
            TokenKind::Word if token.is_plain() => self.plain(at, token, seen),
            TokenKind::Word => self.latin(at, token, seen),
            TokenKind::Hangul => {
                seen.opens = true;
                seen.former |= FORMER.has(self.reading, token);
                let word = self.reading.word(token);
                self.lettered(at, token)
                    || token.end - token.start != word.len()
                    || self.syllables(at, word, true)
                    || cues::counting(word)
            }
        }
    }

    /// As [`Self::latin`], for a word of small letters: most of them.
    fn plain(&self, at: usize, token: &Token, seen: &mut Seen<'_>) -> bool {
        let mut opening = false;
        if let Some(form) = forms::find(token.hash(), token.chars as usize) {
            seen.former |= form.cues.any(Cues::FORMER);
            opening = form.cues.any(Cues::OPENER) || form.signs.any(Signs::JOINT);
            if form.is(Form::TELLING)
                || form.cues.any(self.counting)
                || seen.opens && form.signs.any(Signs::ANAPHOR)
                || token.hash() == AGAIN && self.taken_back(at)
            {
                return true;
            }
            if form.name != 0 {
                self.count(form.name, seen);
            }
        } else {
            let word = self.reading.word(token);
            if self.keys.latin(word.as_bytes()) {
                self.count(words::unlisted(word, true).name, seen);
            }
        }
        if token.chars == 1 && self.lettered(at, token) {
            return true;
        }
        // Part of the name of a file: "docs/".
        let next = self.reading.tokens.get(at + 1);
        if next.is_some_and(|n| n.glued && n.is_punct('/'))
            || token.capital
                && crate::names::may_be_name(token)
                && crate::names::is_name(slice(self.text, token.start, token.end))
        {
            return true;
        }
        if !token.quoted {
            seen.opens = token.struck || opening;
        }
        false
    }

    /// "I took it out again."
    fn taken_back(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|b| self.reading.tokens.get(b));
        before.is_some_and(|b| matches!(self.reading.word(b), "out" | "back" | "off"))
    }

    /// Counts a concept up.
    fn count(&self, name: u64, seen: &mut Seen<'_>) {
        let places = self.list.places(name);
        if !places.is_empty() {
            self.list.count(seen.hits, places);
        }
    }

    fn latin(&self, at: usize, token: &Token, seen: &mut Seen<'_>) -> bool {
        let word = self.reading.word(token);
        let listed = token.may_be(&TELLING.0) || token.may_be(&LISTED);
        if (listed || token.chars == 1 || word.ends_with("'s")) && self.listed(at, token, word, seen) {
            return true;
        }
        if self.keys.may_be_latin(word.as_bytes()) {
            if !word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
                return true;
            }
            self.word(word, seen);
        }
        // Part of the name of a file: "docs/".
        let next = self.reading.tokens.get(at + 1);
        if next.is_some_and(|n| n.glued && n.is_punct('/'))
            || token.capital && crate::names::is_name(slice(self.text, token.start, token.end))
        {
            return true;
        }
        if !token.quoted {
            seen.opens = token.struck || listed && OPENING.has(self.reading, token);
        }
        false
    }

    /// Whether a word that may be listed is worth reading its sentence.
    #[inline(never)]
    fn listed(&self, at: usize, token: &Token, word: &str, seen: &mut Seen<'_>) -> bool {
        seen.former |= FORMER.has(self.reading, token);
        if TELLING.has(self.reading, token)
            || COUNTING.has(self.reading, token)
            || self.items == 2 && OF_TWO.has(self.reading, token)
            || seen.opens && POINTING.has(self.reading, token)
            || self.lettered(at, token)
        {
            return true;
        }
        match word.as_bytes() {
            [.., b'\'', b's'] => {
                let base = word.strip_suffix("'s").unwrap_or(word);
                if [&TELLING, &COUNTING, &OF_TWO]
                    .iter()
                    .any(|words| words.1.contains(&base))
                {
                    return true;
                }
            }
            b"again" if self.taken_back(at) => return true,
            _ => {}
        }
        false
    }

    /// Counts the concept of a plain word up.
    fn word(&self, word: &str, seen: &mut Seen<'_>) {
        if self.keys.may_be_latin(word.as_bytes())
            && let Some(concept) = words::english(word, words::name(word)).1
        {
            self.list.count(seen.hits, self.list.places(concept.name));
        }
    }

    /// Whether a letter stands where those of items do.
    fn lettered(&self, at: usize, token: &Token) -> bool {
        token.chars == 1
            && self.reading.tokens.get(at + 1).is_some_and(|n| {
                matches!(n.kind, TokenKind::Punct(')' | ',')) || self.reading.word(n) == "and"
            })
    }

    /// Whether code may have a concept of the checklist.
    fn code(&self, token: &Token) -> bool {
        let code = slice(self.text, token.start, token.end);
        self.keys.may_be_in(code.as_bytes())
    }

    /// Whether a row of a table may speak of an item.
    fn names(&self, clauses: &[Clause]) -> bool {
        clauses.iter().flat_map(|c| c.tokens.clone()).any(|at| {
            self.reading.tokens.get(at).is_some_and(|token| match token.kind {
                TokenKind::Number | TokenKind::Ident => true,
                TokenKind::Hangul => self.syllables(at, self.reading.word(token), false),
                TokenKind::Punct(_) | TokenKind::Emoji => false,
                TokenKind::Word => self.keys.may_be_latin(self.reading.word(token).as_bytes()),
                _ => self.code(token),
            })
        })
    }

    /// Whether a Korean word may have a concept of the checklist, or be a sign.
    fn syllables(&self, at: usize, word: &str, signs: bool) -> bool {
        let before = at
            .checked_sub(1)
            .and_then(|b| self.reading.tokens.get(b))
            .filter(|b| b.kind == TokenKind::Hangul)
            .and_then(|b| self.reading.word(b).chars().next());
        let mut chars = word.chars();
        let Some(first) = chars.next() else {
            return false;
        };
        // 표 시: a compound written as two words.
        if self.keys.may_be_single(first)
            || before.is_some_and(|before| self.keys.may_be_pair(before, first))
            || signs && word.len() <= 4 && TELLING_KEYS.may_be_single(first)
        {
            return true;
        }
        let mut last = first;
        for c in chars {
            if self.keys.may_be_pair(last, c)
                || signs && (TELLING_KEYS.may_be_pair(last, c) || last == '지' && c == '만')
            {
                return true;
            }
            last = c;
        }
        false
    }
}

/// The hash of "again".
const AGAIN: u32 = word_hash("again");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::cues::{self, Cues};

    /// The words of a section of the word list that stand alone.
    fn section(name: &str) -> Vec<&'static str> {
        let text = include_str!("../../lexicon/signs.txt");
        let lines = text.lines().map(|l| l.split('#').next().unwrap_or_default());
        let mut inside = false;
        let mut out = Vec::new();
        for line in lines {
            if line.starts_with('[') {
                inside = line.trim() == format!("[{name}]");
            } else if inside {
                out.extend(
                    line.split_whitespace()
                        .filter(|w| w.is_ascii() && !w.contains('_')),
                );
            }
        }
        assert!(!out.is_empty(), "{name}");
        out
    }

    /// A word that is added to the other lists is looked for here as well.
    #[test]
    fn no_word_is_overlooked() {
        for word in section("anaphor") {
            assert!(POINTING.1.contains(&word), "{word}");
        }
        for word in section("joint") {
            assert!(OPENING.1.contains(&word), "{word}");
        }
        for (words, cue) in [
            (&OPENING, Cues::OPENER),
            (&COUNTING, Cues::COUNTING.with(Cues::COUNTED)),
            (&OF_TWO, Cues::OF_TWO),
            (&FORMER, Cues::FORMER),
        ] {
            for word in cues::words_with(cue) {
                assert!(words.1.contains(&word), "{word}");
                assert!(!word.is_ascii() || LISTED.admits(word), "{word}");
            }
        }
        for word in POINTING.1.iter().chain(OPENING.1) {
            assert!(LISTED.admits(word), "{word}");
        }
    }

    fn read(items: &[&str], text: &str) -> Vec<bool> {
        let reading = proctor_prose::read(text);
        let list = Checklist::new(items.iter().copied());
        let scan = scan(text, &reading, &list, items.len());
        let sentences = reading.clauses.chunk_by(|a, b| a.sentence == b.sentence);
        sentences.map(|s| scan.has(s)).collect()
    }

    #[test]
    fn what_names_nothing_is_passed_over() {
        let items = ["Rotate the keys", "재시도 횟수 문서화"];
        for (text, expected) in [
            ("The weather was fine. I rotated the keys.", [false, true]),
            ("날씨가 맑습니다. 재시도를 문서에 적었습니다.", [false, true]),
            ("We met at noon. Both are in.", [false, true]),
            ("We met at noon. It is reverted.", [false, true]),
            ("The clerk was kind. Number 2 follows.", [false, true]),
            ("The clerk was kind. 둘째는 내일 합니다.", [false, true]),
        ] {
            assert_eq!(read(&items, text), expected, "{text}");
        }
    }
}
