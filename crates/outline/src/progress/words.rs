//! Words as concepts: inflection, spelling and language taken away, so that "Docs for the headers" can
//! stand for "헤더 문서화".

use super::lexicon::{ACTIONS, GROUPS, STOPS};
use crate::list::list;
use crate::text::entries;
use crate::text::is_hangul;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A word of an item or an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Concept {
    /// What it stands for.
    pub(super) name: String,
    /// How much it tells: 1 for a name of a thing, less for verbs and folders, 0 for function words.
    pub(super) weight: f32,
}

/// The concepts of a stretch of text, in order, function words left out.
pub(super) fn concepts(text: &str) -> Vec<Concept> {
    let mut out: Vec<Concept> = Vec::new();
    let mut hangul_before: Option<String> = None;
    for word in
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '#' | '\'' | '’')))
    {
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
                let found = hangul(run);
                if let (Some(before), Some(first)) = (&hangul_before, found.first()) {
                    // `오류 문구` for `오류문구`.
                    let joined = format!("{before}{}", first.name);
                    out.push(Concept {
                        name: joined,
                        weight: 0.0,
                    });
                }
                hangul_before = found.first().map(|c| c.name.clone());
                out.extend(found);
            } else {
                hangul_before = None;
                latin(run, &mut out);
            }
            rest = after;
        }
    }
    out
}

/// The parts of a Latin word: `expires_at`, `expiresAt` and `src/limits.rs` fall apart.
fn latin(word: &str, out: &mut Vec<Concept>) {
    let is_path = word.contains('/')
        || word
            .rsplit_once('.')
            .is_some_and(|(stem, ext)| !stem.is_empty() && crate::names::is_extension(ext));
    let mut part = String::new();
    let mut parts: Vec<String> = Vec::new();
    let mut lower = false;
    for c in word.chars() {
        let breaks =
            !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '#') || (c.is_ascii_uppercase() && lower);
        if breaks
            && !part.is_empty()
            && !(c == '.' && part.chars().all(|c| c.is_ascii_digit() || c == 'v' || c == '.'))
        {
            parts.push(std::mem::take(&mut part));
        }
        lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        if c.is_alphanumeric() || matches!(c, '#' | '.' | '\'' | '’') && !part.is_empty() || c == '#' {
            part.extend(c.to_lowercase());
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    let count = parts.len();
    for (i, part) in parts.into_iter().enumerate() {
        let bare = part.trim_matches(['.', '\'', '’']);
        if bare.is_empty() || is_stop(bare) {
            continue;
        }
        let stem = stem(bare);
        let mut concept = known(&stem).unwrap_or(Concept {
            name: stem,
            weight: 1.0,
        });
        let folder = is_path && i + 1 < count && crate::names::is_root(bare);
        let extension = is_path && count > 1 && i + 1 == count && crate::names::is_extension(bare);
        if folder || extension || bare.chars().count() == 1 && !bare.chars().all(|c| c.is_ascii_digit()) {
            // `docs/` and `tests/` say something, `src/` does not.
            let telling = folder
                && matches!(
                    concept.name.as_str(),
                    "doc" | "test" | "script" | "migr" | "hook" | "benchmark"
                );
            concept.weight = concept.weight.min(if telling { 0.6 } else { 0.1 });
        }
        out.push(concept);
    }
}

/// An English word without its inflection. Not a dictionary form, only the same for all forms.
pub(super) fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s").trim_end_matches("’s");
    if !word.is_ascii() || word.len() < 3 || word.chars().any(|c| c.is_ascii_digit()) {
        return word.to_owned();
    }
    let irregular = match word {
        "wrote" | "written" | "writes" | "writing" => "write",
        "ran" | "runs" | "running" => "run",
        "made" | "makes" | "making" => "make",
        "built" | "builds" => "build",
        "sent" => "send",
        "found" => "find",
        "rewrote" | "rewritten" => "rewrite",
        "rebuilt" => "rebuild",
        "gone" | "went" => "go",
        "docs" | "doc" => "document",
        "took" | "taken" => "take",
        "kept" => "keep",
        "indices" | "indexes" => "index",
        "has" | "had" => "have",
        "hid" | "hidden" => "hide",
        "drew" | "drawn" => "draw",
        "chose" | "chosen" => "choose",
        other => other,
    };
    let vowel = |s: &str| s.chars().any(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
    let mut out = irregular.to_owned();
    let cut = |out: &mut String, end: &str, put: &str, least: usize| {
        let fits = out
            .strip_suffix(end)
            .is_some_and(|s| s.len() >= least && vowel(s));
        if fits {
            out.truncate(out.len() - end.len());
            out.push_str(put);
        }
        fits
    };
    let _ = cut(&mut out, "ies", "y", 2)
        || cut(&mut out, "ied", "y", 2)
        || cut(&mut out, "sses", "ss", 2)
        || cut(&mut out, "xes", "x", 2)
        || cut(&mut out, "shes", "sh", 2)
        || cut(&mut out, "ches", "ch", 2)
        || (!out.ends_with("ss")
            && !out.ends_with("us")
            && !out.ends_with("is")
            && cut(&mut out, "s", "", 2));
    let _ = cut(&mut out, "ation", "", 3)
        || cut(&mut out, "ating", "", 3)
        || cut(&mut out, "ated", "", 3)
        || cut(&mut out, "ate", "", 3)
        || cut(&mut out, "ion", "", 4)
        || cut(&mut out, "ment", "", 4)
        || cut(&mut out, "ing", "", 2)
        || cut(&mut out, "ed", "", 2)
        || cut(&mut out, "al", "", 4)
        || cut(&mut out, "e", "", 2);
    let mut back = out.chars().rev();
    if let (Some(a), Some(b)) = (back.next(), back.next())
        && a == b
        && out.len() > 2
    {
        out.truncate(out.len() - 1);
    }
    out
}

/// The concepts of a run of Hangul: its stem, and the halves of a long compound.
fn hangul(word: &str) -> Vec<Concept> {
    let stem = korean_stem(word);
    let mut out = Vec::new();
    if is_stop(&stem) || is_stop(word) {
        return out;
    }
    if let Some(concept) = known(&stem).or_else(|| known(word)) {
        out.push(concept);
        return out;
    }
    let length = stem.chars().count();
    out.push(Concept {
        name: stem.clone(),
        weight: if length < 2 { 0.3 } else { 1.0 },
    });
    if (3..=10).contains(&length) {
        for at in 1..length {
            let Some((cut, _)) = stem.char_indices().nth(at) else {
                break;
            };
            let (head, tail) = stem.split_at(cut);
            for part in [head, tail] {
                if part.chars().count() >= 2 {
                    // Parts only help to recognise; they do not add to what an item consists of.
                    let name = known(part).map_or_else(|| part.to_owned(), |c| c.name);
                    out.push(Concept { name, weight: 0.0 });
                }
            }
        }
    }
    out
}

/// A Korean word without particle and verb ending.
pub(super) fn korean_stem(word: &str) -> String {
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
    stem.to_owned()
}

fn table() -> &'static HashMap<String, (&'static str, f32)> {
    static TABLE: OnceLock<HashMap<String, (&'static str, f32)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut out = HashMap::with_capacity(1_024);
        // Function words go in as they are written, before any stem can take their place.
        for word in STOPS {
            out.insert((*word).to_owned(), ("", 0.0));
        }
        for (groups, weight) in [(ACTIONS, 0.35), (GROUPS, 1.0)] {
            for group in groups {
                let mut words = group.split_whitespace();
                let Some(name) = words.next() else { continue };
                for word in std::iter::once(name).chain(words) {
                    let key = if word.is_ascii() {
                        stem(word)
                    } else {
                        word.to_owned()
                    };
                    out.entry(key).or_insert((name, weight));
                }
            }
        }
        out
    })
}

/// The concept of a stem that the lexicon knows.
pub(super) fn known(stem: &str) -> Option<Concept> {
    let (name, weight) = table().get(stem).filter(|(name, _)| !name.is_empty())?;
    Some(Concept {
        name: (*name).to_owned(),
        weight: *weight,
    })
}

/// Whether the word has no meaning of its own here.
fn is_stop(word: &str) -> bool {
    table().get(word).is_some_and(|(name, _)| name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
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
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        assert_ne!(stem("log"), stem("login"));
    }

    #[test]
    fn languages_meet() {
        assert_eq!(names("헤더 문서화"), names("the header docs"));
        assert_eq!(names("`expires_at`"), names("expiresAt"));
        assert_eq!(names("유니크 제약을"), names("유니크 제약은"));
        assert_ne!(names("로그를"), names("로그인을"));
    }
}
