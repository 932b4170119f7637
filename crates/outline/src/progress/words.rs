//! Words as concepts: inflection, spelling and language taken away, so that "Docs for the headers" can
//! stand for "헤더 문서화".

use super::class::Class;
use super::keys::Keys;
use super::senses::Sense;
use super::signs::Signs;
use super::stem::{ALONE, PHRASE, START, STEM, hash_bytes, hash_on, pair_of, regular};
use crate::list::list;
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
    fn concept(&self) -> Option<Concept> {
        (self.name != 0).then_some(Concept {
            name: self.name,
            weight: self.weight,
            class: self.class,
            silent: self.silent,
        })
    }
}

/// The entry under a key.
fn entry(key: u64) -> Option<&'static Entry> {
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
    const fn named(name: u64, weight: f32) -> Self {
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
        Self(hash_on(START, word))
    }

    /// The phrase with one more word.
    #[must_use]
    pub(super) const fn then(self, word: &str) -> Self {
        Self(hash_on(hash_bytes(self.0, b" "), word))
    }

    /// What the phrase says, if it is listed.
    pub(super) fn signs(self) -> Option<Signs> {
        entry(self.0 ^ PHRASE).map(|e| e.signs)
    }

    /// What the phrase says whose next word begins as listed.
    pub(super) fn then_stem(self, word: &str) -> Option<Signs> {
        let mut hash = hash_bytes(self.0, b" ");
        let mut from = 0;
        for (at, c) in word.char_indices().take(4) {
            let end = at + c.len_utf8();
            hash = hash_bytes(hash, word.as_bytes().get(from..end)?);
            from = end;
            if let Some(found) = entry(hash ^ PHRASE) {
                return Some(found.signs);
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

/// What a word of small letters tells that no list has as it is written: its sense, the name of its concept, whether it is
/// finished and whether it is under way.
#[inline(never)]
pub(super) fn unlisted(word: &str) -> (Sense, u64, (bool, bool)) {
    let stem = regular(word);
    let hash = stem.hash();
    let found = entry(hash ^ STEM);
    let mut sense = Sense::default();
    let mut verb = false;
    let mut name = hash;
    let mut content = word.len() > 1;
    if let Some(found) = found {
        sense.signs = found.signs;
        sense.known = found.listed;
        verb = !found.class.is_none();
        let state = !found.listed && found.signs.any(Signs::STATES);
        content = content && !found.silent && !state;
        if found.name != 0 {
            name = found.name;
            content = content && found.weight > 0.3;
        } else {
            content = content && !found.signs.any(Signs::GENERIC);
        }
        sense.class = found.class;
    }
    if !verb {
        sense.class = Class::OTHER;
    }
    if content {
        sense.signs = sense.signs.with(Signs::CONTENT);
    }
    let past = word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed") || sense.signs.any(Signs::PAST);
    let other = Signs::IDLE
        .with(Signs::DONE)
        .with(Signs::VERIFIED)
        .with(Signs::ANALYSED);
    let finished = past && !sense.signs.any(other);
    let under_way = verb && word.len() > 4 && word.ends_with("ing");
    sense.orders = verb && !word.ends_with("ing") && !word.ends_with('s');
    (sense, name, (finished, under_way))
}

/// What a Korean word says by the words that it begins with or holds.
pub(super) fn korean_signs(word: &str) -> (Signs, u8) {
    const WHOLE: Signs = Signs::STOP.with(Signs::GENERIC);
    let mut out = Signs::NONE;
    let mut phrase = 0;
    for (syllable, (start, first)) in word.char_indices().take(8).enumerate() {
        // Behind a single syllable begins another word: `재시작` is no beginning.
        if syllable == 1 || !begins_sign(first) {
            continue;
        }
        let next = word.get(start + first.len_utf8()..).and_then(|rest| rest.chars().next());
        let pair = next.is_some_and(|next| SIGN_KEYS.may_be_pair(first, next));
        if !pair && !(start == 0 && SIGN_KEYS.may_be_single(first)) {
            continue;
        }
        let mut hash = START;
        let mut from = start;
        let mut count = 0;
        for (at, c) in word.get(start..).unwrap_or_default().char_indices().take(5) {
            let end = start + at + c.len_utf8();
            hash = hash_bytes(hash, word.as_bytes().get(from..end).unwrap_or_default());
            from = end;
            count += 1;
            if start > 0 && count < 2 {
                continue;
            }
            if let Some(found) = entry(hash) {
                out = out.with(found.signs.without(WHOLE));
                if start == 0 && end == word.len() {
                    phrase = found.phrase;
                }
            }
            if start == 0
                && end == word.len()
                && let Some(found) = entry(hash ^ ALONE)
            {
                out = out.with(found.signs);
            }
        }
    }
    (out, phrase)
}

/// Whether a listed word that is a sign may begin with this syllable.
fn begins_sign(first: char) -> bool {
    let place = u32::from(first).wrapping_sub(0xac00) as usize;
    SYLLABLES
        .get(place / 64)
        .is_none_or(|bits| bits >> (place % 64) & 1 == 1)
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

/// As [`concepts`], for code in an answer. Once a part of it tells enough to be `content`, those that begin as none of the
/// `keys` do add nothing.
pub(super) fn code(text: &str, keys: &Keys, mut content: bool, room: &mut Room, out: &mut Vec<Concept>) {
    if !text.is_ascii() {
        concepts(text, room, out);
        return;
    }
    ascii_words(text, |word, flag| {
        content |= flag.is_some();
        out.extend(flag);
        wanted_parts(word, Some((keys, &mut content)), room, out);
    });
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

/// Adds the concepts of a Korean word; of its halves those that may begin as some do. Gives its stem with its name, and what
/// it tells of doing.
pub(super) fn korean_word<'a>(
    run: &'a str,
    keys: &Keys,
    out: &mut Vec<Concept>,
) -> (Option<(&'a str, u64)>, Heard) {
    hangul(run, Some(keys), out)
}

/// As [`korean_word`], with the compound that the word forms with the one before it; gives the name of its stem.
fn korean_behind(run: &str, before: Option<u64>, out: &mut Vec<Concept>) -> Option<u64> {
    let first = out.len();
    let (written, _) = hangul(run, None, out);
    if let (Some(before), Some((written, _))) = (before, written) {
        // `오류 문구` for `오류문구`.
        out.insert(first, Concept::named(hash_on(before, written), 0.0));
    }
    written.map(|written| written.1)
}

/// The parts of a Latin word: `expires_at`, `expiresAt` and `src/limits.rs` fall apart.
pub(super) fn latin(word: &str, room: &mut Room, out: &mut Vec<Concept>) {
    wanted_parts(word, None, room, out);
}

/// As [`latin`]. Once a part tells enough to be content, those that begin as none of the keys do are left out.
fn wanted_parts(
    word: &str,
    mut wanted: Option<(&Keys, &mut bool)>,
    room: &mut Room,
    out: &mut Vec<Concept>,
) {
    let mut add = |bare: &str, place: &dyn Fn() -> (bool, bool), out: &mut Vec<Concept>| {
        let Some((keys, content)) = &mut wanted else {
            part(bare, place(), out);
            return;
        };
        if !**content {
            let from = out.len();
            part(bare, place(), out);
            let added = out.get(from..).unwrap_or_default();
            **content = added.iter().any(|c| c.weight > 0.3 && !c.silent);
        } else if bare.starts_with(|c: char| !c.is_ascii_alphabetic()) || keys.latin(bare.as_bytes()) {
            part(bare, (false, false), out);
        }
    };
    if word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        add(word, &|| (false, false), out);
        return;
    }
    room.lower.clear();
    room.parts.clear();
    if word.is_ascii() {
        split_ascii(word, room);
    } else {
        split(word, room);
    }
    let is_path = || {
        word.contains('/')
            || word
                .rsplit_once('.')
                .is_some_and(|(stem, ext)| !stem.is_empty() && crate::names::is_extension(ext))
    };
    let count = room.parts.len();
    for (i, (from, to)) in room.parts.iter().enumerate() {
        let bare = room.lower.get(*from..*to).unwrap_or_default();
        let bare = bare.trim_matches(['.', '\'', '’']);
        if !bare.is_empty() {
            let last = i + 1 == count;
            let place = || {
                let within = (!last || count > 1) && is_path();
                (within && !last, within && last)
            };
            add(bare, &place, out);
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

/// As [`split`], for a word of plain letters: its parts lie in it as they are.
fn split_ascii(word: &str, room: &mut Room) {
    room.lower.push_str(word);
    room.lower.make_ascii_lowercase();
    let mut from = None;
    let mut lower = false;
    for (at, b) in word.bytes().enumerate() {
        let letter = b.is_ascii_alphanumeric();
        let breaks = !letter && !matches!(b, b'\'' | b'#') || b.is_ascii_uppercase() && lower;
        if breaks
            && let Some(begin) = from
            && !(b == b'.' && is_version(room.lower.get(begin..at).unwrap_or_default()))
        {
            room.parts.push((begin, at));
            from = None;
        }
        lower = b.is_ascii_lowercase() || b.is_ascii_digit();
        if from.is_none() && (letter || b == b'#') {
            from = Some(at);
        }
    }
    if let Some(begin) = from {
        room.parts.push((begin, word.len()));
    }
}

/// Whether the beginning of a word may be that of a version.
fn is_version(written: &str) -> bool {
    written
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

/// The concepts of a run of Hangul: its stem, and the halves of a long compound, those that begin as some `keys` do. Returns
/// the first with its name.
fn hangul<'a>(
    word: &'a str,
    keys: Option<&Keys>,
    out: &mut Vec<Concept>,
) -> (Option<(&'a str, u64)>, Heard) {
    if is_light(word) {
        return (None, Heard::default());
    }
    let stem = korean_stem(word);
    let key = name(stem);
    let exact = entry(key);
    let whole = if stem.len() == word.len() {
        exact
    } else {
        entry(hash_on(key, word.get(stem.len()..).unwrap_or_default()))
    };
    let mut heard = Heard::default();
    for found in [exact, whole].into_iter().flatten() {
        heard.signs = heard.signs.with(found.signs);
    }
    if heard.signs.any(Signs::STOP) {
        return (None, heard);
    }
    let listed = |e: &Option<&'static Entry>| e.is_some_and(|e| e.name != 0);
    if let Some(found) = [exact, whole].into_iter().find(listed).flatten() {
        let silent = heard.signs.any(Signs::GENERIC);
        out.extend(found.concept().map(|c| Concept { silent, ..c }));
        heard.class = found.class;
        heard.known = true;
        return (Some((stem, key)), heard);
    }
    let length = stem.chars().count();
    out.push(Concept {
        silent: heard.signs.any(Signs::GENERIC),
        ..Concept::named(key, if length < 2 { 0.3 } else { 1.0 })
    });
    if (3..=10).contains(&length) {
        halves(stem, length, keys, out);
    }
    (Some((stem, key)), heard)
}

/// Adds the halves of a compound. They only help to recognise; they do not add to what an item consists of.
fn halves(stem: &str, length: usize, keys: Option<&Keys>, out: &mut Vec<Concept>) {
    let mut part = |part: &str, hash: u64| {
        let found = entry(hash).filter(|k| k.name != 0);
        debug_assert_eq!(hash, name(part), "the hash is that of the part");
        out.push(Concept::named(found.map_or(hash, |k| k.name), 0.0));
    };
    let wanted = |a: Option<char>, b: Option<char>| match (keys, a, b) {
        (Some(keys), Some(a), Some(b)) => keys.may_be_pair(a, b),
        _ => true,
    };
    let mut ahead = stem.chars();
    let heads = wanted(ahead.next(), ahead.clone().next());
    let mut hash = START;
    let mut before = 0;
    for (at, (cut, c)) in stem.char_indices().enumerate().skip(1) {
        ahead.next();
        let (head, tail) = stem.split_at(cut);
        if heads {
            hash = hash_on(hash, head.get(before..).unwrap_or_default());
            before = cut;
            if at >= 2 {
                part(head, hash);
            }
        }
        if length - at >= 2 && wanted(Some(c), ahead.clone().next()) {
            part(tail, name(tail));
        }
    }
}

/// Whether a Korean word is nothing but a form of "to do" or "to become".
pub(super) fn is_light(word: &str) -> bool {
    if !matches!(
        word.chars().next(),
        Some('했' | '하' | '합' | '해' | '됐' | '되' | '됩' | '돼' | '됨')
    ) {
        return false;
    }
    const FORMS: &str = "\
        했|하였|합니|하고|하며|하지|하도록|해서|해야|하여|하겠|하는|됐|되었|됩니|되고|되며|되지|되도록|돼서|되어|되겠|되는|됨";
    list!(FORMS, by_word = false).prefixes(word).next().is_some()
}

/// A Korean word without particle and verb ending.
pub(super) fn korean_stem(word: &str) -> &str {
    const VERBAL: &str = "\
        했|하였|하고|하며|하는|하여|하지|하기|하도록|하게|합니|할|한다|함|해서|해야|됐|되었|되어|되는|\
        되지|되고|됩니|됨|된|될|돼|시켰|시키|시킴|이었|였|입니|이고|이며|인지";
    let length = word.chars().count();
    let mut best = word.len();
    // Endings begin behind the second syllable at the earliest.
    for (at, c) in word.char_indices().skip(2) {
        if !matches!(
            c,
            '했' | '하'
                | '합'
                | '할'
                | '한'
                | '함'
                | '해'
                | '됐'
                | '되'
                | '됩'
                | '됨'
                | '된'
                | '될'
                | '돼'
                | '시'
                | '이'
                | '였'
                | '입'
                | '인'
        ) {
            continue;
        }
        let rest = word.get(at..).unwrap_or_default();
        if list!(VERBAL, by_word = false).prefixes(rest).next().is_some() {
            best = at;
            break;
        }
    }
    let mut stem = word.get(..best).unwrap_or(word);
    if best == word.len() && length >= 2 {
        for particle in particles(stem) {
            let Some(head) = stem.strip_suffix(particle) else {
                continue;
            };
            let count = head.chars().count();
            // A single syllable in front of a particle is only cut where it cannot be part of a noun.
            let sure =
                matches!(*particle, "을" | "를" | "은" | "는" | "에서" | "으로" | "에는") && count >= 1;
            if (count >= 2 || sure) && known(stem).is_none() {
                stem = head;
                break;
            }
        }
    }
    stem
}

/// The particles that end with the last syllable of a word, the longest first.
fn particles(word: &str) -> &'static [&'static str] {
    match word.chars().next_back() {
        Some('는') => &[
            "에서는",
            "으로는",
            "까지는",
            "부터는",
            "이라는",
            "에는",
            "라는",
            "는",
        ],
        Some('도') => &["에서도", "으로도", "까지도", "에도", "들도", "도"],
        Some('만') => &["에서만", "에만", "만"],
        Some('서') => &["에서"],
        Some('로') => &["으로", "로"],
        Some('지') => &["까지"],
        Some('터') => &["부터"],
        Some('게') => &["에게"],
        Some('테') => &["한테"],
        Some('럼') => &["처럼"],
        Some('다') => &["보다", "마다"],
        Some('나') => &["이나"],
        Some('랑') => &["이랑"],
        Some('을') => &["들을", "을"],
        Some('은') => &["들은", "은"],
        Some('이') => &["들이", "이"],
        Some('의') => &["들의", "의"],
        Some('가') => &["가"],
        Some('를') => &["를"],
        Some('에') => &["에"],
        Some('와') => &["와"],
        Some('과') => &["과"],
        _ => &[],
    }
}

/// What the lexicon knows of a Korean word without inflection.
fn known(stem: &str) -> Option<&'static Entry> {
    entry(name(stem)).filter(|k| k.name != 0)
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

    #[test]
    fn languages_meet() {
        assert_eq!(names("헤더 문서화"), names("the header docs"));
        assert_eq!(names("`expires_at`"), names("expiresAt"));
        assert_eq!(names("유니크 제약을"), names("유니크 제약은"));
        assert_ne!(names("로그를"), names("로그인을"));
    }
}
