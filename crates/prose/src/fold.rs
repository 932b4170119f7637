//! Folding: what a text reads like, whatever characters it is written with.
//!
//! Full width, mathematical letters, look-alikes from other scripts, combining marks, zero-width characters
//! and decomposed Hangul all become plain lower-case letters and syllables. Each folded character keeps the
//! place of its original, so that spans always point into the text as it was written.

mod looks;

use crate::form;
use crate::lexicon::{hash_start, hash_step};
use crate::scan;
use looks::{invisible, look_alike};
pub(crate) use looks::{is_hangul_letter, is_invisible, reads_as_latin};
use std::hint::select_unpredictable;
use unicode_normalization::char::decompose_compatible;

/// One folded character and the bytes of the original that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ch {
    pub(crate) c: char,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Written in upper case.
    pub(crate) upper: bool,
    /// What sort of character it is: the bits of [`class`].
    pub(crate) class: u8,
}

/// What sort of character a folded one is. Every reader of words asks for it, so it is looked up once.
pub(crate) mod class {
    /// A letter of any script.
    pub(crate) const LETTER: u8 = 1;
    /// A letter or a digit.
    pub(crate) const ALNUM: u8 = 1 << 1;
    /// It can stand inside a word, path, number or identifier.
    pub(crate) const RUN: u8 = 1 << 2;
    /// A Hangul syllable or a jamo as typed in chats (`ㅋㅋ`).
    pub(crate) const HANGUL: u8 = 1 << 3;
    /// White space.
    pub(crate) const SPACE: u8 = 1 << 4;
    /// Emoji, dingbats, arrows in picture form and their joiners.
    pub(crate) const PICTURE: u8 = 1 << 5;
    /// The text has this very character at its place, but for the case of an ASCII letter.
    pub(crate) const SAME: u8 = 1 << 6;
    /// An ASCII letter.
    pub(crate) const LATIN: u8 = 1 << 7;
    /// A Hangul syllable as the text has it.
    pub(super) const SYLLABLE: u8 = LETTER | ALNUM | RUN | HANGUL | SAME;

    /// The classes of the ASCII characters.
    pub(super) static ASCII: [u8; 128] = ascii();

    const fn ascii() -> [u8; 128] {
        let mut out = [SAME; 128];
        let mut at = 0;
        while at < out.len() {
            let byte = at as u8;
            if byte.is_ascii_alphabetic() {
                out[at] |= LETTER | ALNUM | RUN | LATIN;
            } else if byte.is_ascii_digit() {
                out[at] |= ALNUM | RUN;
            } else if matches!(byte, 9..=13 | b' ') {
                out[at] |= SPACE;
            }
            at += 1;
        }
        let inside = b"_./:\\@#%+=~'&$*-,";
        at = 0;
        while at < inside.len() {
            out[inside[at] as usize] |= RUN;
            at += 1;
        }
        out
    }

    /// The class of a character of any script; never [`SAME`].
    pub(super) fn of(c: char) -> u8 {
        let mut out = if super::is_hangul(c) {
            LETTER | ALNUM | RUN | HANGUL
        } else if c.is_alphabetic() {
            LETTER | ALNUM | RUN
        } else if c.is_alphanumeric() {
            ALNUM | RUN
        } else if c.is_whitespace() {
            SPACE
        } else {
            0
        };
        if let Some(class) = ASCII.get(c as usize) {
            out |= class & !SAME;
        }
        if super::is_picture(c) {
            out |= PICTURE;
        }
        out
    }
}

/// Whether a character is a Hangul syllable or a jamo as typed in chats (`ㅋㅋ`).
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' | '\u{1100}'..='\u{11ff}')
}

/// Emoji, dingbats, arrows in picture form and their joiners.
fn is_picture(c: char) -> bool {
    matches!(c as u32,
        0x1f000..=0x1faff | 0x2600..=0x27bf | 0x2b00..=0x2bff | 0x23e9..=0x23ff | 0x2300..=0x232f | 0x25a0..=0x25ff | 0x3030 | 0x303d)
}

/// A text as it reads: lower case, composed, without invisible characters and look-alikes. Idempotent.
#[must_use]
pub fn normalize(text: &str) -> String {
    let mut chars = Vec::new();
    if !scan::only_known(text.as_bytes()) {
        fold(text, 0, text.len(), &mut chars);
        return chars.into_iter().map(|c| c.c).collect();
    }
    // Nothing goes together with what stands before it: syllables stay as they are, and marks by themselves.
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii() {
            let plain = plain_length(rest.as_bytes());
            let (run, behind) = rest.split_at_checked(plain).unwrap_or((rest, ""));
            out.extend(run.chars().map(|c| c.to_ascii_lowercase()));
            rest = behind;
            continue;
        }
        if is_hangul(first) {
            out.push(first);
        } else {
            chars.clear();
            wide(first, 0, 0, &mut chars);
            out.extend(chars.iter().map(|ch| ch.c));
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    out
}

/// As [`normalize`], but capitals stay capitals.
pub(crate) fn cased(text: &str) -> String {
    let mut chars = Vec::with_capacity(text.len());
    fold(text, 0, text.len(), &mut chars);
    chars.iter().map(Ch::cased).collect()
}

impl Ch {
    /// The folded character in the case it was written in.
    pub(crate) fn cased(&self) -> char {
        let mut upper = self.c.to_uppercase();
        match (self.upper, upper.next(), upper.next()) {
            (true, Some(c), None) => c,
            _ => self.c,
        }
    }
}

/// An ASCII character.
#[derive(Clone, Copy)]
struct Plain {
    /// What it reads like, at no place.
    ch: Ch,
    /// What it adds to the characters of a run.
    adds: u64,
    sort: u8,
}

/// The ASCII characters.
static PLAIN: [Plain; 256] = {
    let mut out = [Plain {
        ch: SPACE,
        adds: 0,
        sort: 0,
    }; 256];
    let mut at = 0;
    // No other byte is asked for; there is room for each, so that nobody has to look whether there is.
    while at < class::ASCII.len() {
        let byte = at as u8;
        out[at] = Plain {
            ch: Ch {
                c: byte.to_ascii_lowercase() as char,
                upper: byte.is_ascii_uppercase(),
                class: class::ASCII[at],
                ..SPACE
            },
            adds: 1 | (byte.is_ascii_uppercase() as u64) << 32,
            sort: class::ASCII[at] & SORT,
        };
        at += 1;
    }
    out
};

/// White space at no place.
const SPACE: Ch = Ch {
    c: ' ',
    start: 0,
    end: 0,
    upper: false,
    class: class::SPACE,
};

/// Where some folded characters of one sort end, and what they are as a word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    /// The number of the character behind the last one, and above it that of the capitals so far.
    chars: u64,
    /// Its hash, above it what its syllables show, and above that whether it is odd.
    word: u64,
}

/// Something that shows nothing is written within a run.
const ODD: u64 = 1 << 40;

impl Run {
    /// The number of the character behind the last one.
    pub(crate) fn end(self) -> usize {
        (self.chars & 0xffff_ffff) as usize
    }

    /// Capitals so far, those before it included.
    pub(crate) fn capitals(self) -> usize {
        (self.chars >> 32) as usize
    }

    /// The hash of the word.
    pub(crate) fn hash(self) -> u32 {
        self.word as u32
    }

    /// What its syllables show; see [`form`](crate::form).
    pub(crate) fn form(self) -> u8 {
        (self.word >> 32) as u8
    }

    /// Whether something that shows nothing is written within: it is not plain, whatever its sort.
    pub(crate) fn is_odd(self) -> bool {
        self.word & ODD != 0
    }
}

/// What plain words, numbers and Hangul are told apart by.
pub(crate) const SORT: u8 = class::LETTER | class::ALNUM | class::HANGUL | class::LATIN | class::SAME;
/// No sort.
const NONE: u8 = !SORT;

/// Folded characters, and their runs of one sort. Where a word ends and what its hash is costs a decision for each character
/// if it is asked for word by word; here each character is noted as the last one of its run, and the next one goes to the
/// same place unless it is of another sort.
#[derive(Default)]
pub(crate) struct Folded {
    /// Room for the characters, with those of earlier texts behind the last one; how many there are.
    chars: Vec<Ch>,
    length: usize,
    /// Room for what one character reads like.
    spare: Vec<Ch>,
    /// The first one is that of no character.
    runs: Vec<Run>,
    count: usize,
    /// The sort of the last character, how many they are, and its word so far.
    sort: u8,
    so_far: u64,
    hash: u32,
    korean: form::Korean,
}

/// Characters or runs for which room is made at once.
const SOME: usize = 32;

/// Spaces behind the characters: so nobody has to ask whether there is something behind a word.
const BEHIND: usize = 2;

impl Folded {
    /// Room for so many characters.
    pub(crate) fn with_room(chars: usize) -> Self {
        Self {
            chars: Vec::with_capacity(chars),
            ..Self::default()
        }
    }

    /// Reads `text[from..to]`.
    pub(crate) fn read(&mut self, text: &str, from: usize, to: usize) {
        (self.length, self.count, self.sort, self.so_far) = (0, 0, NONE, 0);
        self.make_room(to.saturating_sub(from).min(AT_ONCE));
        each(text, from, to, self);
        self.room(BEHIND).fill(SPACE);
    }

    /// The characters.
    pub(crate) fn chars(&self) -> &[Ch] {
        self.chars.get(..self.length).unwrap_or_default()
    }

    /// The characters, with some white space behind them.
    pub(crate) fn padded(&self) -> &[Ch] {
        self.chars.get(..self.length + BEHIND).unwrap_or_default()
    }

    /// The runs, one behind the other. Before them stands one of no character.
    pub(crate) fn runs(&self) -> &[Run] {
        self.runs.get(..=self.count).unwrap_or_default()
    }

    /// Makes room for so many more runs.
    #[inline]
    fn make_room(&mut self, more: usize) {
        let wanted = self.count + more + 2;
        if self.runs.len() < wanted {
            self.grow(wanted);
        }
    }

    #[cold]
    fn grow(&mut self, wanted: usize) {
        let wanted = wanted.max(2 * self.runs.len()).next_multiple_of(SOME);
        self.runs.reserve_exact(wanted - self.runs.len());
        while self.runs.len() < wanted {
            self.runs.extend_from_slice(&[Run::default(); SOME]);
        }
    }

    /// Room for so many more characters.
    #[inline]
    fn room(&mut self, more: usize) -> &mut [Ch] {
        let wanted = self.length + more;
        if self.chars.len() < wanted {
            self.lengthen(wanted);
        }
        self.chars.get_mut(self.length..wanted).unwrap_or_default()
    }

    #[cold]
    fn lengthen(&mut self, wanted: usize) {
        self.chars.reserve(wanted + SOME - self.chars.len());
        while self.chars.len() < wanted {
            self.chars.extend_from_slice(&[SPACE; SOME]);
        }
    }

    /// Appends a character.
    #[inline]
    fn put(&mut self, ch: Ch) {
        match self.chars.get_mut(self.length) {
            Some(place) => *place = ch,
            None => self.chars.push(ch),
        }
        self.length += 1;
    }

    /// Takes in a few ASCII characters.
    #[inline]
    fn plain(&mut self, bytes: &[u8], start: u32) {
        let (mut count, mut sort, mut so_far, mut hash) = (self.count, self.sort, self.so_far, self.hash);
        self.make_room(bytes.len());
        self.room(bytes.len());
        let runs = self.runs.as_mut_slice();
        let chars = self.chars.get_mut(self.length..).unwrap_or_default();
        for ((byte, ch), start) in bytes.iter().zip(chars).zip(start..) {
            let known = plain(*byte, start);
            *ch = known.ch;
            let other = known.sort != sort;
            sort = known.sort;
            count += usize::from(other);
            so_far += known.adds;
            hash = hash_step(select_unpredictable(other, hash_start(), hash), known.ch.c as u8);
            if let Some(place) = runs.get_mut(count) {
                *place = Run {
                    chars: so_far,
                    word: hash.into(),
                };
            }
        }
        self.length += bytes.len();
        (self.count, self.sort, self.so_far, self.hash) = (count, sort, so_far, hash);
    }

    /// Notes what the last run is so far.
    fn note(&mut self, word: u64) {
        self.make_room(0);
        if let Some(place) = self.runs.get_mut(self.count) {
            *place = Run {
                chars: self.so_far,
                word,
            };
        }
    }
}

/// Who takes in characters as they are folded.
trait Taker {
    /// Some ASCII characters.
    fn ascii(&mut self, bytes: &[u8], start: u32);
    /// The Hangul syllables that some bytes begin with. Gives the number of their bytes.
    fn syllables(&mut self, bytes: &[u8], start: u32) -> usize;
    /// Another character.
    fn other(&mut self, c: char, start: u32, first: usize);
    /// How many were taken in.
    fn taken(&self) -> usize;
}

impl Taker for Vec<Ch> {
    fn ascii(&mut self, bytes: &[u8], start: u32) {
        // An iterator that knows its length, so that room is looked for once.
        self.extend(
            bytes
                .iter()
                .zip(start..)
                .map(|(byte, start)| plain(*byte, start).ch),
        );
    }

    fn syllables(&mut self, bytes: &[u8], start: u32) -> usize {
        let mut at = 0;
        while let Some((_, c)) = syllable_at(bytes, at) {
            self.push(syllable(c, start + at as u32));
            at += 3;
        }
        at
    }

    fn other(&mut self, c: char, start: u32, first: usize) {
        wide(c, start, first, self);
    }

    fn taken(&self) -> usize {
        self.len()
    }
}

impl Taker for Folded {
    #[inline]
    fn ascii(&mut self, bytes: &[u8], start: u32) {
        for (some, start) in bytes.chunks(AT_ONCE).zip((start..).step_by(AT_ONCE)) {
            self.plain(some, start);
        }
    }

    #[inline]
    fn syllables(&mut self, bytes: &[u8], start: u32) -> usize {
        let sort = class::SYLLABLE & SORT;
        let other = self.sort != sort;
        let mut korean = self.korean.or_new(other);
        let mut at = 0;
        while let Some((bytes, c)) = syllable_at(bytes, at) {
            self.put(syllable(c, start + at as u32));
            korean = korean.and(bytes, c.into());
            at += 3;
        }
        if at > 0 {
            self.count += usize::from(other);
            self.so_far += at as u64 / 3;
            (self.sort, self.korean) = (sort, korean);
            self.note(u64::from(korean.form) << 32 | u64::from(korean.hash));
        }
        at
    }

    fn other(&mut self, c: char, start: u32, first: usize) {
        let mut some = std::mem::take(&mut self.spare);
        some.clear();
        // The last one may read otherwise with this one behind it.
        let last = self.chars().last().copied();
        some.extend(last);
        wide(c, start, first, &mut some);
        let mut new = some.iter();
        if let (Some(last), Some(now)) = (last, last.and_then(|_| new.next()))
            && last != *now
        {
            self.length -= 1;
            self.put(*now);
            if let Some(run) = self.runs.get_mut(self.count) {
                run.word |= ODD;
            }
        }
        // The next one is not of its run, whatever its sort.
        self.sort = NONE;
        let more = new.len();
        new.for_each(|ch| self.put(*ch));
        if more > 0 {
            self.count += 1;
            self.so_far += more as u64;
            self.note(0);
        }
        self.spare = some;
    }

    fn taken(&self) -> usize {
        self.length
    }
}

/// ASCII characters that are taken in at once: each may be a run, and most of a long text are not, so room is made for no more
/// than these.
const AT_ONCE: usize = 1024;

/// How many bytes of a text are ASCII before the first that is not.
#[inline]
fn plain_length(bytes: &[u8]) -> usize {
    const WIDTH: usize = 8;
    // The place of the first one among some bytes.
    let other = |some: &[u8; WIDTH]| {
        let others = u64::from_le_bytes(*some) & u64::from_le_bytes([0x80; WIDTH]);
        (others != 0).then(|| others.trailing_zeros() as usize / 8)
    };
    let (chunks, _) = bytes.as_chunks();
    for (at, some) in (0..).step_by(WIDTH).zip(chunks) {
        if let Some(place) = other(some) {
            return at + place;
        }
    }
    // The last ones together with some that were looked at.
    match bytes.last_chunk() {
        Some(some) => other(some).map_or(bytes.len(), |place| bytes.len() - WIDTH + place),
        None => bytes.iter().position(|b| !b.is_ascii()).unwrap_or(bytes.len()),
    }
}

/// The Hangul syllable that stands at a place of some bytes, if one does, with its bytes.
#[inline]
fn syllable_at(bytes: &[u8], at: usize) -> Option<([u8; 3], char)> {
    let bytes = *bytes.get(at..)?.first_chunk()?;
    let syllable = form::syllable(bytes);
    let is = (bytes[0] & 0xf0 == 0xe0) & (0xac00..=0xd7a3).contains(&syllable);
    is.then(|| char::from_u32(syllable)).flatten().map(|c| (bytes, c))
}

/// An ASCII character at its place.
#[inline]
fn plain(byte: u8, start: u32) -> Plain {
    let mut plain = PLAIN[usize::from(byte)];
    (plain.ch.start, plain.ch.end) = (start, start + 1);
    plain
}

/// What a Hangul syllable reads like.
fn syllable(c: char, start: u32) -> Ch {
    Ch {
        c,
        start,
        end: start + c.len_utf8() as u32,
        upper: false,
        class: class::SYLLABLE,
    }
}

/// Appends the folded characters of `text[from..to]` to `out`.
pub(crate) fn fold(text: &str, from: usize, to: usize, out: &mut Vec<Ch>) {
    each(text, from, to, out);
}

/// Hands on the characters of `text[from..to]`.
#[inline]
fn each(text: &str, from: usize, to: usize, out: &mut impl Taker) {
    let Some(part) = text.get(from..to) else { return };
    let first = out.taken();
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = plain_length(rest);
        out.ascii(rest.get(..plain).unwrap_or_default(), (from + at) as u32);
        at += plain;
        at += out.syllables(bytes.get(at..).unwrap_or_default(), (from + at) as u32);
        if bytes.get(at).is_some_and(|b| !b.is_ascii())
            && let Some(c) = part.get(at..).and_then(|rest| rest.chars().next())
        {
            out.other(c, (from + at) as u32, first);
            at += c.len_utf8();
        }
    }
}

/// Appends what a character reads like that is neither ASCII nor a Hangul syllable. A trailing consonant may still follow a
/// syllable as a jamo of its own.
fn wide(c: char, start: u32, first: usize, out: &mut Vec<Ch>) {
    let end = start + c.len_utf8() as u32;
    if matches!(c, '\u{3130}'..='\u{318e}') && c != '\u{3164}' {
        out.push(Ch {
            class: class::of(c),
            ..syllable(c, start)
        });
    } else if !invisible(c) {
        let before = out.len();
        decompose_compatible(c, |d| {
            for low in d.to_lowercase() {
                if !invisible(low) {
                    let c = look_alike(low);
                    push(
                        out,
                        first,
                        Ch {
                            c,
                            start,
                            end,
                            upper: d.is_uppercase(),
                            class: class::of(c),
                        },
                    );
                }
            }
        });
        if out.len() == before
            && let Some(last) = out.last_mut()
        {
            last.class &= !class::SAME;
        }
    } else if let Some(last) = out.last_mut().filter(|l| l.end == start && !l.c.is_whitespace()) {
        // An invisible character belongs to the letter it hides behind.
        last.end = end;
        last.class &= !class::SAME;
    }
}

/// Appends a character, composing Hangul jamo with what stands before.
fn push(out: &mut Vec<Ch>, first: usize, ch: Ch) {
    const L: u32 = 0x1100;
    const V: u32 = 0x1161;
    const T: u32 = 0x11a7;
    const S: u32 = 0xac00;
    let c = ch.c as u32;
    if out.len() > first
        && let Some(last) = out.last_mut()
    {
        let p = last.c as u32;
        let composed = if (L..L + 19).contains(&p) && (V..V + 21).contains(&c) {
            char::from_u32(S + ((p - L) * 21 + (c - V)) * 28)
        } else if (S..S + 11_172).contains(&p) && (p - S).is_multiple_of(28) && (T + 1..T + 28).contains(&c) {
            char::from_u32(p + c - T)
        } else {
            None
        };
        if let Some(c) = composed {
            last.c = c;
            last.end = ch.end;
            last.class = class::of(c);
            return;
        }
    }
    out.push(ch);
}

#[cfg(test)]
mod tests;
