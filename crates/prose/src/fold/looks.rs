//! What characters look like: those that show nothing, and letters of other scripts that look like Latin ones.

use unicode_normalization::char::decompose_compatible;

/// Characters that show nothing, and marks that only decorate a letter.
pub(super) fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
        | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}' | '\u{302a}'..='\u{302f}')
}

/// The Latin letter that a letter of another script looks like.
pub(super) fn look_alike(c: char) -> char {
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
