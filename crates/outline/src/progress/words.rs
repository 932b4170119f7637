//! Words as concepts: inflection, spelling and language taken away, so that "Docs for the headers" can
//! stand for "헤더 문서화".

use super::class::Class;
use super::cue::Cues;
use super::form::Form;
use super::keys::{Keys, four, listed};
pub(super) use super::korean::{
    Written, hash_syllables, is_light, korean_behind, korean_signs, korean_stem, korean_word,
};
use super::signs::Signs;
use super::stem::{
    PHRASE, START, STEM, WORD_START, hash_bytes, hash_on, pair_of, phrase_on, regular, word_hash,
    word_hash_on,
};
use crate::text::is_hangul;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// What the table knows of a word, a stem or a phrase; of an English word with what its stem is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The hash of its concept's name; 0 for none.
    pub(super) name: u64,
    pub(super) signs: Signs,
    pub(super) weight: f32,
    /// What it asks to do, for a verb.
    pub(super) class: Class,
    /// Words of the longest phrase that may begin with it.
    pub(super) phrase: u8,
    /// Its concept is one of the lexicon's, not only its own stem.
    pub(super) listed: bool,
    /// Its concept adds nothing to what is spoken of.
    pub(super) silent: bool,
}

impl Entry {
    pub(super) fn concept(&self) -> Option<Concept> {
        (self.name != 0).then_some(Concept {
            name: self.name,
            weight: self.weight,
            class: self.class,
            silent: self.silent,
        })
    }
}

/// Whether there may be an entry under a key: most keys that are asked for have none, which the slots would tell one way
/// or another.
#[inline]
pub(super) fn may_be_entry(key: u64) -> bool {
    let (place, bits) = listed(key);
    LISTED.get(place).is_some_and(|noted| noted & bits == bits)
}

/// The entry under a key.
#[inline]
pub(super) fn entry(key: u64) -> Option<&'static Entry> {
    if may_be_entry(key) { slot(key) } else { None }
}

/// The same, for a key that is perhaps there.
#[inline(never)]
fn slot(key: u64) -> Option<&'static Entry> {
    let mask = SLOTS.len() - 1;
    let mut slot = key as usize & mask;
    loop {
        let found = *SLOTS.get(slot)?;
        // Also the end of a search: an empty slot has no number.
        let number = (found as usize & 0xffff).checked_sub(1)?;
        if (found ^ key) >> 16 == 0 {
            return KNOWN.get(number);
        }
        slot = (slot + 1) & mask;
    }
}

/// A word of an item or an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Concept {
    /// What it stands for: the hash of its name.
    pub(super) name: u64,
    /// How much it tells: 1 for a name of a thing, less for verbs and folders, 0 for function words.
    pub(super) weight: f32,
    /// What it asks to do, for a verb.
    pub(super) class: Class,
    /// It adds nothing to what is spoken of: a number, or a word such as "task".
    pub(super) silent: bool,
}

impl Concept {
    pub(super) const fn named(name: u64, weight: f32) -> Self {
        Self {
            name,
            weight,
            class: Class::NONE,
            silent: false,
        }
    }
}

/// The name of a concept, for comparison.
pub(super) const fn name(text: &str) -> u64 {
    hash_on(START, text)
}

/// What a word in lower case says besides what it stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heard {
    pub(super) signs: Signs,
    /// What it tells of doing.
    pub(super) class: Class,
    /// Words of the longest phrase that may begin with it.
    pub(super) phrase: u8,
    /// The word has a concept of its own in the lexicon.
    pub(super) known: bool,
}

/// Whether a listed phrase may begin with two words: the hash of the first, and that of the second or, of a Korean one, its
/// first syllable.
pub(super) fn may_begin_phrase(first: u32, second: u32) -> bool {
    let place = pair_of(first, second);
    PHRASES
        .get(place / 64)
        .is_some_and(|bits| bits >> (place % 64) & 1 == 1)
}

/// Looks a phrase up word by word.
#[derive(Clone, Copy)]
pub(super) struct Phrase(u64);

impl Phrase {
    pub(super) const fn begin(word: &str) -> Self {
        Self::of(word_hash(word))
    }

    /// The phrase that begins with a word of this hash.
    pub(super) const fn of(word: u32) -> Self {
        Self(phrase_on(START, word))
    }

    /// The phrase with one more word.
    #[must_use]
    pub(super) const fn then(self, word: &str) -> Self {
        self.and(word_hash(word))
    }

    /// The phrase with one more word of this hash.
    #[must_use]
    pub(super) const fn and(self, word: u32) -> Self {
        Self(phrase_on(self.0, word))
    }

    /// What the phrase says, if it is listed.
    pub(super) fn signs(self) -> Option<Signs> {
        entry(self.0 ^ PHRASE).map(|e| e.signs)
    }

    /// What the phrase says whose next word begins as listed.
    pub(super) fn then_stem(self, word: &str) -> Option<Signs> {
        let mut hash = WORD_START;
        let mut from = 0;
        for (at, c) in word.char_indices().take(4) {
            let end = at + c.len_utf8();
            hash = word_hash_on(hash, word.as_bytes().get(from..end)?);
            from = end;
            if let Some(signs) = self.and(hash).signs() {
                return Some(signs);
            }
        }
        None
    }
}

/// An English word in lower case with its [`name`]: what it says, and its concept.
pub(super) fn english(word: &str, key: u64) -> (Heard, Option<Concept>) {
    let exact = entry(key).or_else(|| word.strip_suffix("'s").and_then(|base| entry(name(base))));
    let (signs, found, mut concept) = if let Some(exact) = exact {
        (exact.signs, Some(exact), exact.concept())
    } else {
        let stem = regular(word);
        let hash = stem.hash();
        let found = entry(hash ^ STEM);
        let signs = found.map_or(Signs::NONE, |found| found.signs);
        let concept = found.and_then(Entry::concept).or_else(|| {
            let number = !stem.y && stem.head.bytes().all(|b| b.is_ascii_digit());
            Some(Concept {
                silent: number || signs.any(Signs::GENERIC),
                // A figure may have become another one by the time it is reached.
                ..Concept::named(hash, if number { 0.5 } else { 1.0 })
            })
        });
        (signs, found, concept)
    };
    let heard = Heard {
        signs,
        class: found.map_or(Class::NONE, |found| found.class),
        phrase: exact.map_or(0, |exact| exact.phrase),
        known: found.is_some_and(|found| found.listed),
    };
    if signs.any(Signs::STOP) {
        return (heard, None);
    }
    if word.len() <= 4
        && let Some(concept) = concept.as_mut()
    {
        let mut chars = word.chars();
        let single = chars.next().is_some_and(|c| !c.is_ascii_digit()) && chars.next().is_none();
        if single {
            concept.weight = concept.weight.min(0.1);
        }
    }
    (heard, concept)
}

/// Whether a word of small letters may have a listed stem.
fn may_be_stem(word: &str) -> bool {
    let noted = |letters: &[u8; 4]| {
        let place = four(*letters);
        STEMS
            .get(place / 64)
            .is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    };
    word.as_bytes().first_chunk().is_some_and(noted) || SHORT_STEMS.latin(word.as_bytes())
}

/// What a word of small letters tells that no list has as it is written.
#[inline(never)]
pub(super) fn unlisted(word: &str) -> Form {
    let stem = regular(word);
    let hash = stem.hash();
    let mut out = Form {
        signs: Signs::NONE,
        cues: Cues::NONE,
        name: hash,
        class: Class::OTHER,
        phrase: 0,
        length: 0,
        bits: 0,
    };
    let mut content = word.len() > 1;
    let mut other = false;
    let found = may_be_stem(word).then(|| entry(hash ^ STEM)).flatten();
    if let Some(found) = found {
        out.signs = found.signs;
        let state = !found.listed && found.signs.any(Signs::STATES);
        content = content && !found.silent && !state && !found.signs.any(Signs::GENERIC);
        if found.name != 0 {
            out.name = found.name;
            content = content && found.weight > 0.3;
        }
        if found.listed {
            out.bits |= Form::KNOWN;
        }
        if !found.class.is_none() {
            out.class = found.class;
            if word.ends_with("ing") {
                out.bits |= if word.len() > 4 { Form::PROGRESSIVE } else { 0 };
            } else if !word.ends_with('s') {
                out.bits |= Form::ORDERS;
            }
        }
        other = out.signs.any(
            Signs::IDLE
                .with(Signs::DONE)
                .with(Signs::VERIFIED)
                .with(Signs::ANALYSED),
        );
    }
    let past = word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed");
    if !other && (past || out.signs.any(Signs::PAST)) {
        out.bits |= Form::FINISHED;
    }
    if content {
        out.signs = out.signs.with(Signs::CONTENT);
    }
    out
}

/// Room for the parts of words, kept from word to word.
#[derive(Default)]
pub(super) struct Room {
    lower: String,
    parts: Vec<(usize, usize)>,
}

/// The concepts of a stretch of text, in order, function words left out.
pub(super) fn concepts(text: &str, room: &mut Room, out: &mut Vec<Concept>) {
    if text.is_ascii() {
        latin_words(text, room, out);
        return;
    }
    let mut hangul_before: Option<u64> = None;
    for word in text.split(|c: char| {
        !(crate::text::is_alphanumeric(c) || matches!(c, '_' | '.' | '/' | '-' | '#' | '\'' | '’'))
    }) {
        let written = word;
        let word = word.trim_matches(['.', '/', '-', '\'', '’', '_']);
        if word.is_empty() {
            continue;
        }
        if written.starts_with("--") {
            // A flag is a name of its own, whatever its words stand in.
            out.push(Concept::named(name(written), 1.0));
        }
        let mut rest = word;
        // Runs of both scripts glued together: `schema에`, `API키`.
        while !rest.is_empty() {
            let korean = rest.starts_with(is_hangul);
            let end = rest
                .char_indices()
                .find(|(_, c)| is_hangul(*c) != korean)
                .map_or(rest.len(), |(i, _)| i);
            let (run, after) = rest.split_at(end);
            if korean {
                if rest.len() != word.len() && crate::paths::is_particle(run) {
                    rest = after;
                    continue;
                }
                hangul_before = korean_behind(run, hangul_before, out);
            } else {
                hangul_before = None;
                latin(run, room, out);
            }
            rest = after;
        }
    }
}

/// As [`concepts`], for a text of plain letters: most of it is code.
fn latin_words(text: &str, room: &mut Room, out: &mut Vec<Concept>) {
    ascii_words(text, |word, flag| {
        out.extend(flag);
        latin(word, room, out);
    });
}

/// The words of a text of plain letters, each with the concept of the flag that it may be.
fn ascii_words(text: &str, mut each: impl FnMut(&str, Option<Concept>)) {
    let joins = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'/' | b'-' | b'#' | b'\'');
    let decorates = |b: &u8| matches!(b, b'.' | b'/' | b'-' | b'\'' | b'_');
    for written in text.as_bytes().split(|b| !joins(b)) {
        let Some(first) = written.iter().position(|b| !decorates(b)) else {
            continue;
        };
        let last = written.iter().rposition(|b| !decorates(b)).unwrap_or(first);
        // A flag is a name of its own, whatever its words stand in.
        let flag = written
            .starts_with(b"--")
            .then(|| Concept::named(hash_bytes(START, written), 1.0));
        let word = written.get(first..=last).unwrap_or_default();
        each(str::from_utf8(word).unwrap_or_default(), flag);
    }
}

/// The parts of a Latin word: `expires_at`, `expiresAt` and `src/limits.rs` fall apart.
pub(super) fn latin(word: &str, room: &mut Room, out: &mut Vec<Concept>) {
    if word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        part(word, (false, false), out);
        return;
    }
    room.lower.clear();
    room.parts.clear();
    if word.is_ascii() {
        split_ascii(word, room);
    } else {
        split(word, room);
    }
    // Asked at most once, however many parts the word has.
    let path = std::cell::OnceCell::new();
    let is_path = || {
        *path.get_or_init(|| {
            word.contains('/')
                || word
                    .rsplit_once('.')
                    .is_some_and(|(stem, ext)| !stem.is_empty() && crate::names::is_extension(ext))
        })
    };
    let count = room.parts.len();
    for (i, (from, to)) in room.parts.iter().enumerate() {
        let bare = room.lower.get(*from..*to).unwrap_or_default();
        let bare = bare.trim_matches(['.', '\'', '’']);
        if !bare.is_empty() {
            let last = i + 1 == count;
            let within = (!last || count > 1) && is_path();
            part(bare, (within && !last, within && last), out);
        }
    }
}

/// Cuts a word into its parts, in lower case.
fn split(word: &str, room: &mut Room) {
    let mut from = 0;
    let mut lower = false;
    for c in word.chars() {
        let breaks = !crate::text::is_alphanumeric(c) && !matches!(c, '\'' | '’' | '#')
            || (c.is_ascii_uppercase() && lower);
        if breaks
            && from < room.lower.len()
            && !(c == '.' && is_version(room.lower.get(from..).unwrap_or_default()))
        {
            room.parts.push((from, room.lower.len()));
            from = room.lower.len();
        }
        lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        let inside = from < room.lower.len();
        if crate::text::is_alphanumeric(c) || matches!(c, '#' | '.' | '\'' | '’') && inside || c == '#' {
            if c.is_ascii() {
                room.lower.push(c.to_ascii_lowercase());
            } else {
                room.lower.extend(c.to_lowercase());
            }
        }
    }
    if from < room.lower.len() {
        room.parts.push((from, room.lower.len()));
    }
}

/// What the characters of code are: letters and digits, capitals, and marks that do not part words.
const LETTER: u8 = 1;
const UPPER: u8 = 1 << 1;
const INSIDE: u8 = 1 << 2;
static CLASSES: [u8; 128] = classes();

const fn classes() -> [u8; 128] {
    let mut out = [0; 128];
    let mut at = 0;
    while at < out.len() {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() {
            out[at] = LETTER;
        }
        if byte.is_ascii_uppercase() {
            out[at] |= UPPER;
        }
        if matches!(byte, b'\'' | b'#') {
            out[at] = INSIDE;
        }
        at += 1;
    }
    out
}

/// As [`split`], for a word of plain letters: its parts lie in it as they are.
fn split_ascii(word: &str, room: &mut Room) {
    room.lower.push_str(word);
    room.lower.make_ascii_lowercase();
    let mut from = None;
    let mut lower = false;
    for (at, b) in word.bytes().enumerate() {
        let class = CLASSES.get(usize::from(b)).copied().unwrap_or_default();
        let breaks = class & (LETTER | INSIDE) == 0 || class & UPPER != 0 && lower;
        if breaks
            && let Some(begin) = from
            && !(b == b'.' && is_version(room.lower.get(begin..at).unwrap_or_default()))
        {
            room.parts.push((begin, at));
            from = None;
        }
        lower = class & (LETTER | UPPER) == LETTER;
        if from.is_none() && (class & LETTER != 0 || b == b'#') {
            from = Some(at);
        }
    }
    if let Some(begin) = from {
        room.parts.push((begin, word.len()));
    }
}

/// Whether the beginning of a word may be that of a version.
fn is_version(written: &str) -> bool {
    // None is longer, and this is asked at each dot of a word.
    const LONGEST: usize = 32;
    written.len() <= LONGEST
        && written
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'v' | b'.'))
}

/// A figure and its unit: `174mb`.
fn measure(word: &str) -> Option<(&str, &str)> {
    word.as_bytes().first().filter(|b| b.is_ascii_digit())?;
    let digits = word
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'.')
        .count();
    let (figure, unit) = word.split_at_checked(digits)?;
    crate::list::listed!("b|kb|mb|gb|tb|kib|mib|gib|ms|sec|secs|min|mins|px|fps", unit)
        .then_some((figure, unit))
}

/// One part of a Latin word, in lower case. It may be a folder or an extension by its place.
fn part(bare: &str, (folder, extension): (bool, bool), out: &mut Vec<Concept>) {
    const TELLING: [u64; 5] = [
        name("doc"),
        name("test"),
        name("script"),
        name("hook"),
        name("benchmark"),
    ];
    if let Some((figure, unit)) = measure(bare) {
        for word in [figure, unit] {
            out.extend(english(word, name(word)).1);
        }
        return;
    }
    let (heard, Some(mut concept)) = english(bare, name(bare)) else {
        return;
    };
    let folder = folder && crate::names::is_root(bare);
    let extension = extension && crate::names::is_extension(bare);
    if folder || extension {
        // `docs/` and `tests/` say something, `src/` does not.
        let telling = folder && heard.known && TELLING.contains(&concept.name);
        concept.weight = concept.weight.min(if telling { 0.6 } else { 0.1 });
    }
    out.push(concept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<u64> {
        let mut out = Vec::new();
        concepts(text, &mut Room::default(), &mut out);
        out.into_iter()
            .filter(|c| c.weight > 0.0)
            .map(|c| c.name)
            .collect()
    }

    #[test]
    fn forms_of_a_word_are_one_concept() {
        for (a, b) in [
            ("tag", "tagged"),
            ("rotate", "rotated"),
            ("migration", "migrated"),
            ("validate", "validation"),
            ("query", "queries"),
            ("caches", "cached"),
            ("wrote", "writing"),
            ("upgrade", "upgraded"),
        ] {
            assert_eq!(names(a), names(b), "{a} {b}");
        }
        assert_ne!(names("log"), names("login"));
    }

    /// Words whose stem is listed are not ruled out by how they begin.
    #[test]
    fn no_listed_stem_is_ruled_out() {
        let lists = [
            include_str!("../../lexicon/signs.txt"),
            include_str!("../../lexicon/things.txt"),
            "copies copied tries adds added logging migrating doc docs queries",
        ];
        let mut seen = 0;
        for word in lists.iter().flat_map(|list| list.split_whitespace()) {
            let word = word.trim_end_matches('*');
            if word.is_empty() || !word.bytes().all(|b| b.is_ascii_lowercase()) {
                continue;
            }
            if entry(regular(word).hash() ^ STEM).is_some() {
                assert!(may_be_stem(word), "{word}");
                seen += 1;
            }
        }
        assert!(seen > 500, "{seen}");
    }

    #[test]
    fn languages_meet() {
        assert_eq!(names("헤더 문서화"), names("the header docs"));
        assert_eq!(names("`expires_at`"), names("expiresAt"));
        assert_eq!(names("유니크 제약을"), names("유니크 제약은"));
        assert_ne!(names("로그를"), names("로그인을"));
    }
}
