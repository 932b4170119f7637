//! Words as concepts: inflection, spelling and language taken away, so that "Docs for the headers" can
//! stand for "헤더 문서화".

use super::checklist::Class;
use super::stem::{START, Stem, hash_on, stem};
use crate::list::list;
use crate::text::entries;
use crate::text::is_hangul;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A word of an item or an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Concept {
    /// What it stands for: the hash of its name.
    pub(super) name: u64,
    /// How much it tells: 1 for a name of a thing, less for verbs and folders, 0 for function words.
    pub(super) weight: f32,
    /// What it asks to do, for a verb.
    pub(super) class: Class,
    /// It is nothing but digits.
    pub(super) is_number: bool,
}

impl Concept {
    const fn named(name: u64, weight: f32) -> Self {
        Self {
            name,
            weight,
            class: Class::NONE,
            is_number: false,
        }
    }
}

/// The name of a concept, for comparison.
pub(super) const fn name(text: &str) -> u64 {
    hash_on(START, text)
}

/// A word of the lexicon.
#[derive(Clone, Copy)]
pub(super) struct Known {
    name: &'static str,
    weight: f32,
}

impl Known {
    pub(super) fn class(self) -> Class {
        Class::of(self.name)
    }

    fn concept(self) -> Concept {
        Concept {
            class: self.class(),
            ..Concept::named(name(self.name), self.weight)
        }
    }
}

/// Room for the parts of words, kept from word to word.
#[derive(Default)]
struct Room {
    lower: String,
    parts: Vec<(usize, usize)>,
}

/// The concepts of a stretch of text, in order, function words left out.
pub(super) fn concepts(text: &str) -> Vec<Concept> {
    let mut out: Vec<Concept> = Vec::with_capacity(8);
    let mut room = Room::default();
    let mut hangul_before: Option<u64> = None;
    for word in text.split(|c: char| {
        !(crate::text::is_alphanumeric(c) || matches!(c, '_' | '.' | '/' | '-' | '#' | '\'' | '’'))
    }) {
        let word = word.trim_matches(['.', '/', '-', '\'', '’', '_']);
        if word.is_empty() {
            continue;
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
                let first = out.len();
                let written = hangul(run, &mut out);
                if let (Some(before), Some(written)) = (hangul_before, written) {
                    // `오류 문구` for `오류문구`.
                    out.insert(first, Concept::named(hash_on(before, written), 0.0));
                }
                hangul_before = written.map(name);
            } else {
                hangul_before = None;
                latin(run, &mut room, &mut out);
            }
            rest = after;
        }
    }
    out
}

/// The parts of a Latin word: `expires_at`, `expiresAt` and `src/limits.rs` fall apart.
fn latin(word: &str, room: &mut Room, out: &mut Vec<Concept>) {
    if word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        part(word, false, false, out);
        return;
    }
    let is_path = word.contains('/')
        || word
            .rsplit_once('.')
            .is_some_and(|(stem, ext)| !stem.is_empty() && crate::names::is_extension(ext));
    room.lower.clear();
    room.parts.clear();
    let mut from = 0;
    let mut lower = false;
    for c in word.chars() {
        let written = room.lower.get(from..).unwrap_or_default();
        let breaks = !crate::text::is_alphanumeric(c) && !matches!(c, '\'' | '’' | '#')
            || (c.is_ascii_uppercase() && lower);
        if breaks
            && !written.is_empty()
            && !(c == '.'
                && written
                    .chars()
                    .all(|c| c.is_ascii_digit() || c == 'v' || c == '.'))
        {
            room.parts.push((from, room.lower.len()));
            from = room.lower.len();
        }
        lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        let inside = from < room.lower.len();
        if crate::text::is_alphanumeric(c) || matches!(c, '#' | '.' | '\'' | '’') && inside || c == '#' {
            room.lower.extend(c.to_lowercase());
        }
    }
    if from < room.lower.len() {
        room.parts.push((from, room.lower.len()));
    }
    let count = room.parts.len();
    for (i, (from, to)) in room.parts.iter().enumerate() {
        let bare = room.lower.get(*from..*to).unwrap_or_default();
        let bare = bare.trim_matches(['.', '\'', '’']);
        if !bare.is_empty() {
            let last = i + 1 == count;
            part(bare, is_path && !last, is_path && last && count > 1, out);
        }
    }
}

/// One part of a Latin word, in lower case. It may be a folder or an extension by its place.
fn part(bare: &str, folder: bool, extension: bool, out: &mut Vec<Concept>) {
    if is_stop(bare) {
        return;
    }
    let stem = stem(bare);
    let found = known_stem(stem);
    let mut concept = found.map_or_else(
        || Concept {
            is_number: !stem.y && stem.head.bytes().all(|b| b.is_ascii_digit()),
            ..Concept::named(stem.hash(), 1.0)
        },
        Known::concept,
    );
    let folder = folder && crate::names::is_root(bare);
    let extension = extension && crate::names::is_extension(bare);
    let mut chars = bare.chars();
    let single = chars.next().is_some_and(|c| !c.is_ascii_digit()) && chars.next().is_none();
    if folder || extension || single {
        // `docs/` and `tests/` say something, `src/` does not.
        let telling = folder
            && found.is_some_and(|k| matches!(k.name, "doc" | "test" | "script" | "hook" | "benchmark"));
        concept.weight = concept.weight.min(if telling { 0.6 } else { 0.1 });
    }
    out.push(concept);
}

/// The concepts of a run of Hangul: its stem, and the halves of a long compound. Returns the name of the
/// first.
fn hangul<'a>(word: &'a str, out: &mut Vec<Concept>) -> Option<&'a str> {
    let stem = korean_stem(word);
    if is_stop(stem) || is_stop(word) {
        return None;
    }
    if let Some(found) = known(stem).or_else(|| known(word)) {
        out.push(found.concept());
        return Some(found.name);
    }
    let length = stem.chars().count();
    out.push(Concept::named(name(stem), if length < 2 { 0.3 } else { 1.0 }));
    if (3..=10).contains(&length) {
        for at in 1..length {
            let Some((cut, _)) = stem.char_indices().nth(at) else {
                break;
            };
            let (head, tail) = stem.split_at(cut);
            for (part, long) in [(head, at >= 2), (tail, length - at >= 2)] {
                if long {
                    // Parts only help to recognise; they do not add to what an item consists of.
                    let name = known(part).map_or_else(|| name(part), |k| name(k.name));
                    out.push(Concept::named(name, 0.0));
                }
            }
        }
    }
    Some(stem)
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
        if !"했하합할한함해됐되됩됨된될돼시이였입인".contains(c) {
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
        const PARTICLES: &str = "\
            에서는|에서도|에서만|으로는|으로도|까지는|까지도|부터는|이라는|에서|에는|에도|에만|으로|\
            까지|부터|에게|한테|처럼|보다|마다|이나|이랑|라는|들을|들은|들이|들의|들도|은|는|이|가|을|\
            를|의|에|로|와|과|도|만";
        let end = stem
            .chars()
            .next_back()
            .filter(|c| "는도만로서은에지터게한럼다마나랑을이의가를와과".contains(*c));
        for particle in end.into_iter().flat_map(|_| entries(PARTICLES)) {
            if let Some(head) = stem.strip_suffix(particle) {
                let count = head.chars().count();
                // A single syllable in front of a particle is only cut where it cannot be part of a noun.
                let sure =
                    matches!(particle, "을" | "를" | "은" | "는" | "에서" | "으로" | "에는") && count >= 1;
                let known_word = known(stem).is_some();
                if !known_word && (count >= 2 || sure) {
                    stem = head;
                    break;
                }
            }
        }
    }
    stem
}

/// The entry of the lexicon under this hash.
fn entry(hash: u64) -> Option<Known> {
    let mask = SLOTS.len() - 1;
    let mut slot = hash as usize & mask;
    loop {
        let index = usize::from(*SLOTS.get(slot)?).checked_sub(1)?;
        let (key, known) = LEXICON.get(index)?;
        if *key == hash {
            return Some(*known);
        }
        slot = (slot + 1) & mask;
    }
}

/// What the lexicon knows of a stem.
pub(super) fn known_stem(stem: Stem<'_>) -> Option<Known> {
    entry(stem.hash()).filter(|k| !k.name.is_empty())
}

/// What the lexicon knows of a word without inflection.
pub(super) fn known(stem: &str) -> Option<Known> {
    entry(name(stem)).filter(|k| !k.name.is_empty())
}

/// Whether the word has no meaning of its own here.
fn is_stop(word: &str) -> bool {
    entry(name(word)).is_some_and(|k| k.name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<u64> {
        concepts(text)
            .into_iter()
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
            assert_eq!(stem(a).hash(), stem(b).hash(), "{a} {b}");
        }
        assert_ne!(stem("log").hash(), stem("login").hash());
    }

    #[test]
    fn languages_meet() {
        assert_eq!(names("헤더 문서화"), names("the header docs"));
        assert_eq!(names("`expires_at`"), names("expiresAt"));
        assert_eq!(names("유니크 제약을"), names("유니크 제약은"));
        assert_ne!(names("로그를"), names("로그인을"));
    }
}
