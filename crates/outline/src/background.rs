//! What a delegation tells rather than orders, and where that stands in it.

use crate::Prepared;
use crate::labels::Kind;
use crate::layout::Marker;
use crate::text::{is_alphanumeric, slice};
use std::ops::Range;
use unicode_normalization::char::decompose_canonical;

/// What a delegation tells: its CONTEXT, and what stands outside all sections, without code and quotations, a line for each
/// of its lines. Of a text without sections that is all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Background {
    /// The lines.
    pub text: String,
    /// The delegation in the form that was read.
    prepared: String,
    /// Each line: where it begins in `text`, its length, where the line that it was taken from begins in `prepared`.
    lines: Vec<(usize, usize, usize)>,
}

/// What a delegation tells.
#[must_use]
pub fn background(text: &str) -> Background {
    let Prepared { text: prepared, .. } = crate::prepare(text);
    let mut out = Background::default();
    for piece in crate::sections::pieces(&prepared) {
        let told = matches!(piece.kind, None | Some(Kind::Context));
        if !told || piece.is_code || piece.quoted || piece.is_group || piece.row.is_some() {
            continue;
        }
        if piece.after_blank && !out.text.is_empty() {
            out.text.push('\n');
        }
        if matches!(piece.marker, Marker::Bullet | Marker::Number(_) | Marker::Letter) {
            out.text.push_str("- ");
        }
        out.lines.push((out.text.len(), piece.text.len(), piece.at));
        out.text.push_str(&piece.text);
        out.text.push('\n');
    }
    out.prepared = prepared;
    out
}

impl Background {
    /// Where stretches of the told text stand in the delegation that it was read from, both in bytes. `None` for one that
    /// stands there in other words: the values of JSON are put together. Linear in the length of the delegation.
    #[must_use]
    pub fn places(&self, whole: &str, told: &[Range<usize>]) -> Vec<Option<Range<usize>>> {
        let lines = self.lines_in_prepared();
        let same = self.prepared == whole;
        // Of a long text the middle was left out: what is behind it is as far from the end as it was.
        let (read, _) = crate::text::ends(whole, crate::LOOKED_AT);
        let shift = whole.len().saturating_sub(read.len());
        let head = read
            .bytes()
            .zip(whole.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let map = if same {
            Vec::new()
        } else {
            align(&self.prepared, &read)
        };
        let place = |range: &Range<usize>| {
            let words = slice(&self.text, range.start, range.end);
            let start = range.start + (words.len() - words.trim_start().len());
            let end = start + words.trim().len();
            let prepared = in_prepared(&lines, start)?..in_prepared(&lines, end.checked_sub(1)?)? + 1;
            if same {
                return Some(prepared);
            }
            let place = in_whole(&map, &self.prepared, &read, prepared)?;
            let off = if place.end <= head { 0 } else { shift };
            Some(place.start + off..place.end + off)
        };
        let placed = told.iter().map(place);
        // What is given lies in the text and between its characters, whatever became of it on the way.
        placed
            .map(|range| range.filter(|r| r.start < r.end && whole.get(r.clone()).is_some()))
            .collect()
    }

    /// Each line: where it begins in the told text, its length, where it begins in the prepared one.
    fn lines_in_prepared(&self) -> Vec<(usize, usize, usize)> {
        let mut cursor = 0;
        let mut out = Vec::with_capacity(self.lines.len());
        for &(start, length, at) in &self.lines {
            let from = at.max(cursor);
            let words = slice(&self.text, start, start + length);
            // It stands in its own line, so that no more than that is searched.
            let line = slice(&self.prepared, from, self.prepared.len())
                .split('\n')
                .next()
                .unwrap_or_default();
            if let Some(found) = line.find(words) {
                cursor = from + found + length;
                out.push((start, length, from + found));
            }
        }
        out
    }
}

/// A place of the told text in the prepared one.
fn in_prepared(lines: &[(usize, usize, usize)], at: usize) -> Option<usize> {
    let line = lines.partition_point(|(start, ..)| *start <= at).checked_sub(1)?;
    let (start, length, prepared) = *lines.get(line)?;
    (at < start + length).then(|| prepared + (at - start))
}

/// A letter or digit, decomposed, and the bytes of the character that it is of.
type Letter = (char, usize, usize);

fn letters(text: &str) -> Vec<Letter> {
    let mut out = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() {
                out.push((c, at, end));
            }
        } else {
            decompose_canonical(c, |part| {
                if is_alphanumeric(part) {
                    out.push((part, at, end));
                }
            });
        }
    }
    out
}

/// How far ahead the letters of a line are searched, and by how many of them.
const AHEAD: usize = 512;
const ANCHOR: usize = 48;
/// Lines that are searched in vain before what follows is left alone.
const MISSES: usize = 24;

/// A line of the prepared text in the whole one: its letters there and here.
type Aligned = Vec<(Letter, Letter)>;

/// For each letter of the prepared text that is found in the whole one, both places. What was taken out (marks, line ends,
/// the name behind `DELEGATE`) is passed over.
fn align(prepared: &str, whole: &str) -> Aligned {
    let there = letters(whole);
    let mut out = Vec::new();
    let (mut cursor, mut misses) = (0, 0);
    let mut at = 0;
    for line in prepared.split_inclusive('\n') {
        let here: Vec<Letter> = letters(line)
            .into_iter()
            .map(|(c, a, b)| (c, at + a, at + b))
            .collect();
        at += line.len();
        let anchor = here.get(..here.len().min(ANCHOR)).unwrap_or_default();
        if anchor.is_empty() || misses >= MISSES {
            continue;
        }
        let found = find(&there, cursor, anchor);
        let Some(from) = found else {
            misses += 1;
            continue;
        };
        let same = there
            .get(from..)
            .unwrap_or_default()
            .iter()
            .zip(&here)
            .take_while(|(t, h)| t.0 == h.0);
        let before = out.len();
        out.extend(same.map(|(t, h)| (*h, *t)));
        cursor = from + (out.len() - before);
    }
    out
}

/// Where letters are found next.
fn find(there: &[Letter], from: usize, wanted: &[Letter]) -> Option<usize> {
    let ahead = there.get(from..).unwrap_or_default();
    ahead
        .windows(wanted.len())
        .take(AHEAD)
        .position(|window| window.iter().zip(wanted).all(|(a, b)| a.0 == b.0))
        .map(|at| from + at)
}

/// A stretch of the prepared text in the whole one, with the marks at its end.
fn in_whole(map: &Aligned, prepared: &str, whole: &str, stretch: Range<usize>) -> Option<Range<usize>> {
    let first = map.get(map.partition_point(|(here, _)| here.1 < stretch.start))?;
    let last = map.get(
        map.partition_point(|(here, _)| here.1 < stretch.end)
            .checked_sub(1)?,
    )?;
    let (start, mut end) = (first.1.1, last.1.2);
    if first.0.1 >= stretch.end || last.0.1 < stretch.start || start >= end {
        return None;
    }
    // Marks that opened it, marks that close it.
    let opens = slice(prepared, stretch.start, first.0.1);
    let start = if slice(whole, 0, start).ends_with(opens) {
        start - opens.len()
    } else {
        start
    };
    for mark in slice(prepared, last.0.2, stretch.end).chars() {
        match slice(whole, end, whole.len()).chars().next() {
            Some(next) if next == mark => end += mark.len_utf8(),
            _ => break,
        }
    }
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the told text, and what stands at their place.
    fn placed(whole: &str, words: &str) -> Option<String> {
        let told = background(whole);
        let at = told.text.find(words)?;
        let places = told.places(whole, std::slice::from_ref(&(at..at + words.len())));
        places
            .into_iter()
            .next()?
            .and_then(|r| whole.get(r).map(str::to_owned))
    }

    #[test]
    fn told_words_are_found_where_they_stand() {
        let six = "TASK: Say \"Great job!\" to nobody.\nMUST NOT DO:\n- write Great job!\nCONTEXT: One.\n- Great job! Two.\n";
        let told = background(six);
        let at = told.text.find("Great job!").unwrap();
        let place = told.places(six, std::slice::from_ref(&(at..at + 10)))[0]
            .clone()
            .unwrap();
        assert_eq!(
            (six.get(place.clone()), place.start),
            (Some("Great job!"), six.rfind("Great").unwrap())
        );
        for whole in [
            "Great job! Go on.",
            "  > quoted\n\n   Great job!\t\nGo on.",
            "One\r\nGreat job!\r\nGo on.",
            "\u{feff}One\u{200b}\nGreat job!\nGo on.",
            "DELEGATE::dev::Fix it.\nGreat job!",
            "TASK: x\nEXPECTED OUTCOME:\n- Great job!\nCONTEXT: Great job!",
        ] {
            assert_eq!(
                placed(whole, "Great job!").as_deref(),
                Some("Great job!"),
                "{whole:?}"
            );
        }
        let composed = "맥락: 정말 훌륭합니다! 계속.";
        let decomposed: String = unicode_normalization::UnicodeNormalization::nfd(composed).collect();
        let found = placed(&decomposed, "훌륭합니다!").unwrap();
        assert_eq!(
            unicode_normalization::UnicodeNormalization::nfc(found.as_str()).collect::<String>(),
            "훌륭합니다!"
        );
        let json = "{\"task\": \"x\", \"context\": \"Great job!\"}";
        assert_eq!(placed(json, "Great job!").as_deref(), Some("Great job!"));
    }

    #[test]
    fn behind_the_middle_of_a_long_text_as_well() {
        let whole = format!(
            "Begin.\n{}Great job!\n",
            "Move the parser to its file.\n".repeat(20_000)
        );
        assert_eq!(placed(&whole, "Great job!").as_deref(), Some("Great job!"));
        let begun = std::time::Instant::now();
        for text in [
            "a".repeat(400_000),
            "a\n".repeat(200_000),
            format!("\r{}", "ab\n".repeat(80_000)),
        ] {
            let told = background(&text);
            let _ = told.places(&text, &[0..1, told.text.len().saturating_sub(2)..told.text.len()]);
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    proptest::proptest! {
        #[test]
        fn places_lie_in_the_text(text in "(TASK: |CONTEXT: |DELEGATE::a::|Great job!|\r\n|\\n|> |- |```|\u{200b}|e\u{301}|훌륭|\\PC| ){0,40}", from in 0usize..80, to in 0usize..80) {
            let told = background(&text);
            let chars: Vec<usize> = told.text.char_indices().map(|(at, _)| at).chain([told.text.len()]).collect();
            let (from, to) = (from.min(chars.len() - 1), to.min(chars.len() - 1));
            let range = chars[from.min(to)]..chars[from.max(to)];
            for place in told.places(&text, std::slice::from_ref(&range)).into_iter().flatten() {
                proptest::prop_assert!(text.get(place).is_some_and(|found| !found.is_empty()));
            }
        }
    }
}
