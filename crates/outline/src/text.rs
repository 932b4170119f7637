//! Small helpers on text: normal form, scripts, words, sentences.

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Composed form (so that Hangul typed on any system compares equal), without zero-width characters,
/// with plain line ends.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    if surely_normal(text) {
        return Cow::Borrowed(text);
    }
    let composed: Cow<'_, str> = if is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    };
    if composed.contains(is_invisible) || composed.contains('\r') {
        let text = composed.replace("\r\n", "\n").replace('\r', "\n");
        return Cow::Owned(text.replace(is_invisible, ""));
    }
    composed
}

/// The beginning and the end of a text that is longer than `most` bytes, cut between lines where there are
/// any, and how many bytes were left out between them.
pub(crate) fn ends(text: &str, most: usize) -> (Cow<'_, str>, usize) {
    if text.len() <= most {
        return (Cow::Borrowed(text), 0);
    }
    let head = floor(text, most / 2);
    let head = slice(text, 0, head).rfind('\n').map_or(head, |at| at + 1);
    let tail = floor(text, text.len() - most / 2);
    let tail = slice(text, tail, text.len())
        .find('\n')
        .map_or(tail, |at| tail + at + 1);
    let mut out = String::with_capacity(most + 2);
    out.push_str(slice(text, 0, head));
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(slice(text, tail, text.len()));
    (Cow::Owned(out), tail.saturating_sub(head))
}

/// Whether a text surely is in normal form: it has nothing but ASCII without carriage returns, syllables, marks from hyphen
/// to paragraph, and pictures. All is looked at at once, which is faster than to tell one character from another.
fn surely_normal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let second = bytes.get(1..).unwrap_or_default();
    let third = bytes.get(2..).unwrap_or_default();
    let odd = bytes
        .iter()
        .zip(second)
        .zip(third)
        .fold(0, |odd, ((a, b), c)| odd | u8::from(is_odd(*a, *b, *c)));
    let last = bytes.get(bytes.len().saturating_sub(2)..).unwrap_or_default();
    // A character whose beginning stands here has two bytes, and is none of the above.
    odd == 0 && !last.iter().any(|b| *b == b'\r' || *b >= 0xc0)
}

/// Whether a character that is not surely normal begins with these bytes. One that begins earlier has no say.
#[inline]
fn is_odd(a: u8, b: u8, c: u8) -> bool {
    let syllable = (a == 0xeb) | (a == 0xec) | (a == 0xea) & (b >= 0xb0) | (a == 0xed) & (b <= 0x9d);
    let last = (a == 0xed) & (b == 0x9e) & (c <= 0xa3);
    let mark = (a == 0xe2) & (b == 0x80) & matches!(c, 0x90..=0xa9);
    // Arrows and signs of mathematics, pictures old and new, and wide ASCII.
    let sign = (a == 0xe2) & matches!(b, 0x86..=0x8b | 0x94..=0x9f);
    let picture = (a == 0xf0) & (b == 0x9f) | (a == 0xef) & (b == 0xb8) & (c == 0x8f);
    let wide = (a == 0xef) & (b == 0xbc);
    (a == b'\r') | (a >= 0xc0) & !(syllable | last | mark | sign | picture | wide)
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{00AD}' | '\u{202A}'..='\u{202E}')
}

/// As [`char::is_alphanumeric`], without a search for syllables.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '\u{AC00}'..='\u{D7A3}')
        || (!c.is_ascii() && c.is_alphanumeric())
}

/// A Hangul syllable or jamo.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}')
}

/// Whether the text has at least one Hangul character.
pub(crate) fn has_hangul(text: &str) -> bool {
    text.chars().any(is_hangul)
}

/// The final consonant of a Hangul syllable, as its index (20 is `ㅆ`, the mark of the past tense).
pub(crate) fn final_consonant(c: char) -> Option<u32> {
    matches!(c, '\u{AC00}'..='\u{D7A3}').then(|| (u32::from(c) - 0xAC00) % 28)
}

/// Byte index at or below `at` that is a character boundary.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// `text[from..to]`, empty when the range does not fit.
pub(crate) fn slice(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// How far around a place its neighbours are looked for: no word that is asked for is longer, and a text without spaces
/// would be read anew for each place else.
const NEAR: usize = 200;

/// What stands before a place, and near it.
pub(crate) fn near_before(text: &str, at: usize) -> &str {
    let from = (at.saturating_sub(NEAR)..at).find(|from| text.is_char_boundary(*from));
    slice(text, from.unwrap_or(at), at)
}

/// What stands behind a place, and near it.
pub(crate) fn near_behind(text: &str, at: usize) -> &str {
    let end = text.len().min(at.saturating_add(NEAR));
    let to = (at..=end).rev().find(|to| text.is_char_boundary(*to));
    slice(text, at, to.unwrap_or(at))
}

/// The entries of a list that is written as `one|two|three`.
pub(crate) fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split('|')
}

/// Sentences of a paragraph as byte ranges: ends at `.`, `!`, `?` and their East Asian forms before
/// white space, at `;` and at line ends. A period inside a path, a number or after a single letter
/// does not end a sentence.
pub(crate) fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut word = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, n)| *n);
        let next_is_space = next.is_none_or(|n| n.is_whitespace() || matches!(n, '"' | '”' | ')' | '’'));
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' => next_is_space && !is_abbreviation(slice(text, word, at)),
            '!' | '?' | ';' => next_is_space,
            _ => false,
        };
        if c.is_whitespace() {
            word = at + c.len_utf8();
        }
        if ends {
            out.push((start, at + c.len_utf8()));
            start = at + c.len_utf8();
        }
    }
    if start < text.len() {
        out.push((start, text.len()));
    }
    out.retain(|&(from, to)| !slice(text, from, to).trim().is_empty());
    out
}

/// No abbreviation is longer, with the brackets before it.
const LONGEST: usize = 16;

fn is_abbreviation(word: &str) -> bool {
    if word.len() > LONGEST {
        return false;
    }
    let word = word.trim_start_matches(['(', '[', '"']);
    let lower = word.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "e.g" | "i.e" | "cf" | "vs" | "etc" | "approx" | "incl" | "no"
    ) || (!word.is_empty() && word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is taken for normal is so, beside any other such character.
    #[test]
    fn what_is_surely_normal_is_in_normal_form() {
        use unicode_normalization::char::canonical_combining_class;
        let mut passed = 0;
        for c in '\0'..=char::MAX {
            if surely_normal(&c.to_string()) {
                let text = format!("e{c}o");
                assert!(surely_normal(&text) && is_nfc(&text), "{c:?}");
                assert!(
                    canonical_combining_class(c) == 0 && !is_invisible(c) && c != '\r',
                    "{c:?}"
                );
                // It is not put together with what stands before it.
                assert!(
                    unicode_normalization::is_nfc_quick([c].into_iter())
                        == unicode_normalization::IsNormalized::Yes
                );
                passed += 1;
            }
        }
        assert!(passed > 11_172, "{passed}");
        assert!(
            !surely_normal("e\u{301}")
                && !surely_normal("a\r")
                && !surely_normal("é")
                && !surely_normal("\u{200d}")
        );
    }

    #[test]
    fn sentences_keep_paths_and_numbers_whole() {
        let text = "Fix src/a.rs:1.2, e.g. the loop. Then stop! 완료했습니다. 끝";
        let parts: Vec<&str> = sentences(text)
            .into_iter()
            .map(|(a, b)| slice(text, a, b).trim())
            .collect();
        assert_eq!(
            parts,
            [
                "Fix src/a.rs:1.2, e.g. the loop.",
                "Then stop!",
                "완료했습니다.",
                "끝"
            ]
        );
    }
}
