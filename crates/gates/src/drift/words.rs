//! What the vocabulary of work knows of a word: its class, the same for both languages.

use super::stem;

include!(concat!(env!("OUT_DIR"), "/work.rs"));

/// What a class of words is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Says nothing about the work.
    Filler,
    /// Something is done.
    Act,
    /// Something is spoken of.
    Thing,
    /// An outcome or state.
    Good,
    Bad,
    Done,
    Wait,
    Missing,
    Found,
    /// More or less of something.
    Change,
    /// A thing that hardly adds anything by itself: file, line, cause.
    Weak,
}

/// A class of words and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) id: u16,
    pub(super) kind: Kind,
}

/// A table with open addressing, laid out by the build script.
struct Table {
    entries: &'static [(&'static str, u16, u8)],
    slots: &'static [u16],
}

impl Table {
    fn get(&self, word: &str) -> Option<(u16, u8)> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = stem::hash(word.as_bytes()) as usize & mask;
        loop {
            let index = usize::from(*self.slots.get(slot)?).checked_sub(1)?;
            let (key, id, kind) = self.entries.get(index)?;
            if *key == word {
                return Some((*id, *kind));
            }
            slot = (slot + 1) & mask;
        }
    }
}

fn find(table: &Table, word: &str) -> Option<Class> {
    let (id, kind) = table.get(word)?;
    let kind = match kind {
        0 => Kind::Filler,
        1 => Kind::Act,
        2 => Kind::Thing,
        3 => Kind::Good,
        4 => Kind::Bad,
        5 => Kind::Done,
        6 => Kind::Wait,
        7 => Kind::Missing,
        8 => Kind::Found,
        9 => Kind::Change,
        _ => Kind::Weak,
    };
    Some(Class { id, kind })
}

/// The class of an English word, whatever its form.
pub(super) fn english(word: &str) -> Option<Class> {
    find(&EXACT, word).or_else(|| find(&STEMS, stem::english(word)))
}

/// Whether a listed phrase begins with this word.
pub(super) fn begins_phrase(word: &str) -> bool {
    HEADS.get(word).is_some()
}

/// The class of two or three English words in a row, joined by spaces.
pub(super) fn phrase(words: &str) -> Option<Class> {
    find(&EXACT, words)
}

/// Longest listed Korean stem, in syllables.
const LONGEST: usize = 6;

/// The class of a Korean word: of itself, or of the longest listed stem that it begins with.
pub(super) fn korean(word: &str) -> Option<Class> {
    let mut key = String::with_capacity(word.len() + 1);
    key.push('=');
    key.push_str(word);
    if let Some(class) = find(&KOREAN, &key) {
        return Some(class);
    }
    let mut ends = [0; LONGEST];
    let mut count = 0;
    for (slot, (at, c)) in ends.iter_mut().zip(word.char_indices()) {
        *slot = at + c.len_utf8();
        count += 1;
    }
    for left in (0..count).rev() {
        let end = *ends.get(left)?;
        let stem = word.get(..end)?;
        if let Some(class) = find(&KOREAN, stem) {
            return Some(class);
        }
        if left > 0
            && let Some(class) = open(stem).and_then(|s| find(&KOREAN, &s))
        {
            return Some(class);
        }
        key.truncate(0);
        key.push('+');
        key.push_str(stem);
        let rest = word.get(end..)?;
        if stem::ENDS.iter().any(|e| rest.starts_with(e))
            && let Some(class) = find(&KOREAN, &key)
        {
            return Some(class);
        }
    }
    None
}

/// The stem without the ending that has grown into its last syllable: 나옴, 나온, 나옵 are 나오.
fn open(stem: &str) -> Option<String> {
    let last = stem.chars().next_back()?;
    let index = (last as u32).checked_sub(0xac00).filter(|i| *i < 11_172)?;
    // ㄴ ㄹ ㅁ ㅂ ㅆ
    if !matches!(index % 28, 4 | 8 | 16 | 17 | 20) {
        return None;
    }
    let mut out = stem.get(..stem.len() - last.len_utf8())?.to_owned();
    out.push(char::from_u32(0xac00 + index - index % 28)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_both_languages_meet() {
        for (a, b) in [
            ("changing", "변경하겠습니다"),
            ("looked", "봅니다"),
            ("repository", "저장소를"),
            ("failed", "실패합니다"),
            ("flaky", "간헐적으로"),
        ] {
            assert_eq!(english(a).unwrap().id, korean(b).unwrap().id, "{a} {b}");
        }
        assert_eq!(korean("보안"), None);
        assert_eq!(english("quaternion"), None);
    }
}
