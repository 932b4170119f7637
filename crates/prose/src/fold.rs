//! Folding: what a text reads like, whatever characters it is written with.
//!
//! Full width, mathematical letters, look-alikes from other scripts, combining marks, zero-width characters
//! and decomposed Hangul all become plain lower-case letters and syllables. Each folded character keeps the
//! place of its original, so that spans always point into the text as it was written.

use unicode_normalization::char::decompose_compatible;

/// One folded character and the bytes of the original that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ch {
    pub(crate) c: char,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Written in upper case.
    pub(crate) upper: bool,
}

/// A text as it reads: lower case, composed, without invisible characters and look-alikes. Idempotent.
#[must_use]
pub fn normalize(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    fold(text, 0, text.len(), &mut out);
    out.into_iter().map(|c| c.c).collect()
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

/// Appends the folded characters of `text[from..to]` to `out`.
pub(crate) fn fold(text: &str, from: usize, to: usize, out: &mut Vec<Ch>) {
    let Some(part) = text.get(from..to) else { return };
    let first = out.len();
    for (index, c) in part.char_indices() {
        let start = (from + index) as u32;
        let end = start + c.len_utf8() as u32;
        if c.is_ascii() {
            out.push(Ch {
                c: c.to_ascii_lowercase(),
                start,
                end,
                upper: c.is_ascii_uppercase(),
            });
        } else if matches!(c, '\u{ac00}'..='\u{d7a3}') {
            out.push(Ch {
                c,
                start,
                end,
                upper: false,
            });
            // A trailing consonant may still follow as a jamo of its own.
        } else if matches!(c, '\u{3130}'..='\u{318e}') && c != '\u{3164}' {
            out.push(Ch {
                c,
                start,
                end,
                upper: false,
            });
        } else if !invisible(c) {
            decompose_compatible(c, |d| {
                for low in d.to_lowercase() {
                    if !invisible(low) {
                        push(
                            out,
                            first,
                            Ch {
                                c: look_alike(low),
                                start,
                                end,
                                upper: d.is_uppercase(),
                            },
                        );
                    }
                }
            });
        } else if let Some(last) = out.last_mut().filter(|l| l.end == start && !l.c.is_whitespace()) {
            // An invisible character belongs to the letter it hides behind.
            last.end = end;
        }
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
            return;
        }
    }
    out.push(ch);
}

/// Characters that show nothing, and marks that only decorate a letter.
fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
        | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}' | '\u{302a}'..='\u{302f}')
}

/// The Latin letter that a letter of another script looks like.
fn look_alike(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        'а' | 'α' | 'ɑ' | 'ᴀ' | 'ꭺ' => 'a',
        'в' | 'β' | 'ʙ' | 'Ᏼ' => 'b',
        'с' | 'ϲ' | 'ᴄ' | 'ς' => 'c',
        'ԁ' | 'ᴅ' | 'ɗ' => 'd',
        'е' | 'ε' | 'ᴇ' | 'ҽ' | 'є' => 'e',
        'ꜰ' | 'ƒ' => 'f',
        'ɡ' | 'ɢ' | 'ց' => 'g',
        'һ' | 'н' | 'ʜ' | 'η' | 'հ' => 'h',
        'і' | 'ι' | 'ı' | 'ɪ' | 'ӏ' => 'i',
        'ј' | 'ϳ' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' => 'k',
        'ʟ' | 'ⅼ' => 'l',
        'м' | 'ᴍ' | 'μ' => 'm',
        'п' | 'ɴ' | 'ո' => 'n',
        'о' | 'ο' | 'ᴏ' | 'օ' | 'σ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' | 'ǫ' => 'q',
        'г' | 'ʀ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ս' | 'ᴜ' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ѡ' | 'ω' | 'ᴡ' | 'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ʏ' | 'ү' => 'y',
        'ᴢ' => 'z',
        '\u{1f150}'..='\u{1f169}' => letter(c, 0x1f150),
        '\u{1f170}'..='\u{1f189}' => letter(c, 0x1f170),
        '‘' | '’' | 'ʼ' | '＇' => '\'',
        _ => c,
    }
}

/// Whether a letter of another script reads as a Latin letter, decorated or disguised.
pub(crate) fn reads_as_latin(c: char) -> bool {
    let mut latin = false;
    decompose_compatible(c, |d| {
        latin |= d.to_lowercase().any(|l| look_alike(l).is_ascii_alphabetic());
    });
    latin || c.is_ascii()
}

/// Whether a character belongs to the Korean script.
pub(crate) fn is_hangul_letter(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}')
}

/// Whether a character shows nothing.
pub(crate) fn is_invisible(c: char) -> bool {
    invisible(c)
}

/// The letter with the same distance from `a` as `c` has from `base`.
fn letter(c: char, base: u32) -> char {
    char::from_u32(u32::from('a') + (c as u32 - base)).unwrap_or(c)
}
