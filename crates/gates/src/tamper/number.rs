//! Values as they are compared, in whatever form they are written: `0x3c1`, `0b1111000001`, `961u32` and
//! `int("3c1", 16)` are 961, and `"\x6f\x6b"` is `ok`.

use super::lang::Lang;
use super::lex::{Sort, Token};
use std::borrow::Cow;

/// What may stand behind a number for its type.
const TYPES: [&str; 24] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    "u", "l", "ul", "lu", "ll", "f", "d", "m", "n", "_",
];

/// Functions that read a number from a text, in the base that follows it.
const READS: [&str; 11] = [
    "int",
    "parseInt",
    "from_str_radix",
    "ParseInt",
    "ParseUint",
    "ToInt32",
    "ToInt64",
    "valueOf",
    "parseLong",
    "intval",
    "Integer",
];

/// Methods of a text that do so.
const METHODS: [&str; 4] = ["to_i", "toInt", "toLong", "toIntOrNull"];

/// Functions that decode a text, with the base that it is written in.
const DECODES: [(&str, u32); 9] = [
    ("fromhex", 16),
    ("unhexlify", 16),
    ("hex2bin", 16),
    ("b64decode", 64),
    ("decodebytes", 64),
    ("atob", 64),
    ("decode64", 64),
    ("strict_decode64", 64),
    ("base64_decode", 64),
];

/// Longest text that is decoded, in bytes.
const LONGEST: usize = 400;

/// The value of a literal.
pub(super) fn value_of<'a>(lang: Lang, token: &Token<'a>) -> Cow<'a, str> {
    match token.sort {
        Sort::Number => number(lang, token.text),
        Sort::Text => unescaped(token.text),
        Sort::Word | Sort::Sign | Sort::Comment => Cow::Borrowed(token.text),
    }
}

/// Most values that are taken for one together.
const TOGETHER: usize = 8;

/// The values of the bracket that opens at `at`, if it holds nothing but several of them, and the place behind it.
pub(super) fn together<'a>(
    lang: Lang,
    tokens: &[Token<'a>],
    at: usize,
) -> Option<(Vec<Cow<'a, str>>, usize)> {
    let open = tokens.get(at).filter(|t| t.sort == Sort::Sign)?;
    let close = match open.text {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        _ => return None,
    };
    let mut values = Vec::new();
    let mut next = at + 1;
    while values.len() < TOGETHER {
        let minus = tokens.get(next)?.is_sign("-");
        next += usize::from(minus);
        let value = value_of(lang, tokens.get(next).filter(|t| t.is_literal())?);
        values.push(if minus {
            Cow::Owned(format!("-{value}"))
        } else {
            value
        });
        next += 1;
        let comma = tokens.get(next)?.is_sign(",");
        next += usize::from(comma);
        if tokens.get(next)?.is_sign(close) {
            return (values.len() > 1).then_some((values, next + 1));
        }
        if !comma {
            return None;
        }
    }
    None
}

/// Several values as one, as they are compared and shown.
pub(super) fn joined(values: &[Cow<'_, str>]) -> String {
    values.join(", ")
}

/// The value that the literal at `at` stands for, where a function reads or decodes it; of a bracket all that it holds.
pub(super) fn value_at<'a>(lang: Lang, tokens: &[Token<'a>], at: usize) -> Cow<'a, str> {
    let Some(token) = tokens.get(at) else {
        return Cow::Borrowed("");
    };
    if let Some((values, _)) = together(lang, tokens, at) {
        return Cow::Owned(joined(&values));
    }
    let read = (token.sort == Sort::Text)
        .then(|| read(tokens, at, token.text))
        .flatten();
    read.map_or_else(|| value_of(lang, token), Cow::Owned)
}

fn read(tokens: &[Token<'_>], at: usize, text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let sign = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.is_sign(text));
    let base = |at: usize| -> Option<u32> {
        let number = tokens.get(at).filter(|t| t.sort == Sort::Number)?;
        number.text.parse().ok().filter(|base| (2..=36).contains(base))
    };
    let caller = at
        .checked_sub(2)
        .filter(|_| sign(at - 1, "("))
        .and_then(|n| tokens.get(n))
        .map_or("", |t| t.text);
    let method = tokens.get(at + 2).map_or("", |t| t.text);
    if READS.contains(&caller) && sign(at + 1, ",") && (sign(at + 3, ")") || sign(at + 3, ",")) {
        return in_base(text, base(at + 2)?);
    }
    if METHODS.contains(&method) && sign(at + 1, ".") && sign(at + 3, "(") {
        return in_base(text, base(at + 4)?);
    }
    // `Buffer.from("6f6b", "hex")`
    let encoding = tokens
        .get(at + 2)
        .filter(|t| t.sort == Sort::Text && caller == "from");
    let base = match encoding.map(|t| t.text) {
        Some("hex") => 16,
        Some("base64") => 64,
        _ => DECODES.iter().find(|(name, _)| *name == caller)?.1,
    };
    String::from_utf8(if base == 16 { of_hex(text) } else { of_base64(text) }?).ok()
}

fn in_base(text: &str, base: u32) -> Option<String> {
    let text: String = text.chars().filter(|c| *c != '_').collect();
    let lower = text.to_ascii_lowercase();
    let digits = ["0x", "0b", "0o"]
        .iter()
        .find_map(|p| lower.strip_prefix(p))
        .unwrap_or(&lower);
    u128::from_str_radix(digits, base).ok().map(|n| n.to_string())
}

/// A number without its form: in base ten, without separators, type or an empty fraction. What is none stays as it is.
fn number(lang: Lang, text: &str) -> Cow<'_, str> {
    let plain = text.len() == 1 || !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    if plain {
        return Cow::Borrowed(text);
    }
    let mut lower = text.to_ascii_lowercase();
    lower.retain(|c| c != '_');
    let octal = matches!(
        lang,
        Lang::Go | Lang::Java | Lang::Php | Lang::Ruby | Lang::Script
    );
    let (digits, base) = match lower.get(..2) {
        Some("0x") => (lower.get(2..), 16),
        Some("0b") => (lower.get(2..), 2),
        Some("0o") => (lower.get(2..), 8),
        _ if octal && lower.starts_with('0') && lower.bytes().all(|b| (b'0'..=b'7').contains(&b)) => {
            (lower.get(1..), 8)
        }
        _ => (Some(lower.as_str()), 10),
    };
    let digits = digits.unwrap_or_default();
    let found = if base == 10 {
        decimal(digits)
    } else {
        let end = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(end);
        (rest.is_empty() || TYPES.contains(&rest))
            .then(|| u128::from_str_radix(whole, base).ok())
            .flatten()
            .map(|n| n.to_string())
    };
    found.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn decimal(text: &str) -> Option<String> {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let exponent = c == 'e'
            && text
                .get(at + 1..)
                .is_some_and(|r| r.starts_with(['-', '+']) || r.starts_with(|c: char| c.is_ascii_digit()));
        let sign = matches!(c, '-' | '+') && text.get(..at).is_some_and(|t| t.ends_with('e'));
        if !(c.is_ascii_digit() || c == '.' || exponent || sign) {
            break;
        }
        end = at + 1;
    }
    let (digits, rest) = text.split_at_checked(end)?;
    if !(rest.is_empty() || TYPES.contains(&rest)) {
        return None;
    }
    if let Ok(whole) = digits.parse::<u128>() {
        return Some(whole.to_string());
    }
    // As it is printed, a whole number has no fraction.
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then(|| value.to_string())
}

/// A text with its characters instead of their numbers.
fn unescaped(text: &str) -> Cow<'_, str> {
    if text.len() > LONGEST || !(text.contains("\\x") || text.contains("\\u")) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or_default());
        let escape = rest.get(at..).unwrap_or_default();
        match escaped(escape) {
            Some((c, length)) => {
                out.push(c);
                rest = escape.get(length..).unwrap_or_default();
            }
            None => {
                let length = escape.chars().take(2).map(char::len_utf8).sum();
                out.push_str(escape.get(..length).unwrap_or_default());
                rest = escape.get(length..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of `\x6f`, `\u006f` or `\u{6f}`, and its length.
fn escaped(text: &str) -> Option<(char, usize)> {
    let (digits, length) = if let Some(inner) = text.strip_prefix("\\u{") {
        let digits = inner.split('}').next()?;
        (digits, digits.len() + 4)
    } else if text.starts_with("\\x") {
        (text.get(2..4)?, 4)
    } else if text.starts_with("\\u") {
        (text.get(2..6)?, 6)
    } else {
        return None;
    };
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((c, length))
}

fn of_hex(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(2) {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok())
        .collect()
}

fn of_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from(bits >> count & 0xff).ok()?);
            bits &= (1 << count) - 1;
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tamper::lex::lex;

    /// The value of the first literal.
    fn value(lang: Lang, code: &str) -> String {
        let tokens = lex(code, lang);
        let at = tokens.iter().position(Token::is_literal).unwrap();
        value_at(lang, &tokens, at).into_owned()
    }

    #[test]
    fn one_value_in_many_forms() {
        for (lang, code, expected) in [
            (Lang::Python, "961", "961"),
            (Lang::Python, "0x3C1", "961"),
            (Lang::Python, "0b11_1100_0001", "961"),
            (Lang::Python, "0o1701", "961"),
            (Lang::Python, "9_6_1", "961"),
            (Lang::Python, "961.0", "961"),
            (Lang::Python, "9.61e2", "961"),
            (Lang::Python, "9.5", "9.5"),
            (Lang::Python, "0.50", "0.5"),
            (Lang::Python, "1e400", "1e400"),
            (Lang::Python, "int(\"3c1\", 16)", "961"),
            (Lang::Python, "bytes.fromhex(\"6f6b\")", "ok"),
            (Lang::Python, "b64decode(\"b2s=\")", "ok"),
            (Lang::Python, "\"\\x6f\\u006b\\n\"", "ok\\n"),
            (Lang::Python, "(\"3c1\", 16)", "3c1"),
            (Lang::Python, "\"961\"", "961"),
            (Lang::Python, "\"\\xzz\"", "\\xzz"),
            (Lang::Rust, "0x3c1_u32", "961"),
            (Lang::Rust, "961usize", "961"),
            (Lang::Rust, "0961", "961"),
            (Lang::Rust, "u32::from_str_radix(\"3c1\", 16)", "961"),
            (Lang::Rust, "\"\\u{6f}k\"", "ok"),
            (Lang::Go, "01701", "961"),
            (Lang::Go, "strconv.ParseInt(\"3c1\", 16, 64)", "961"),
            (Lang::Java, "961L", "961"),
            (Lang::Script, "961n", "961"),
            (Lang::Script, "parseInt(\"1111000001\", 2)", "961"),
            (Lang::Script, "Buffer.from(\"6f6b\", \"hex\")", "ok"),
            (Lang::Script, "atob(\"b2s=\")", "ok"),
            (Lang::Ruby, "\"3c1\".to_i(16)", "961"),
            (Lang::Script, "12px", "12px"),
            (Lang::Python, "0", "0"),
        ] {
            assert_eq!(value(lang, code), expected, "{code}");
        }
    }
}
