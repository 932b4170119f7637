//! The steps that bring a text into the form that the vocabulary knows.

use crate::Problem;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// One step.
#[derive(Debug, Clone)]
pub(super) enum Normal {
    /// What BERT models do: control characters out, spaces around Chinese characters, accents and case.
    Bert {
        clean: bool,
        chinese: bool,
        accents: bool,
        lower: bool,
    },
    Lower,
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
    StripAccents,
    Strip,
    /// Every occurrence of the first becomes the second.
    Replace(String, String),
    /// Runs of white space become one space.
    Spaces,
    Prepend(String),
}

/// Reads the steps.
pub(super) fn normal(value: &Value) -> Result<Vec<Normal>, Problem> {
    let mut out = Vec::new();
    collect(value, &mut out, 0)?;
    Ok(out)
}

fn collect(value: &Value, out: &mut Vec<Normal>, depth: usize) -> Result<(), Problem> {
    if value.is_null() {
        return Ok(());
    }
    let flag = |name: &str| value.get(name).and_then(Value::as_bool);
    let text = |name: &str| {
        value
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    match value.get("type").and_then(Value::as_str).unwrap_or_default() {
        "Sequence" if depth < 8 => {
            for inner in value
                .get("normalizers")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                collect(inner, out, depth + 1)?;
            }
        }
        "BertNormalizer" => {
            let lower = flag("lowercase").unwrap_or(true);
            out.push(Normal::Bert {
                clean: flag("clean_text").unwrap_or(true),
                chinese: flag("handle_chinese_chars").unwrap_or(true),
                accents: flag("strip_accents").unwrap_or(lower),
                lower,
            });
        }
        "Lowercase" => out.push(Normal::Lower),
        "NFC" => out.push(Normal::Nfc),
        "NFD" => out.push(Normal::Nfd),
        // The compiled tables of SentencePiece are NFKC with a few additions.
        "NFKC" | "Precompiled" | "Nmt" => out.push(Normal::Nfkc),
        "NFKD" => out.push(Normal::Nfkd),
        "StripAccents" => out.push(Normal::StripAccents),
        "Strip" => out.push(Normal::Strip),
        "Prepend" => out.push(Normal::Prepend(text("prepend"))),
        "Replace" => {
            let pattern = value.get("pattern");
            let plain = pattern.and_then(|p| p.get("String")).and_then(Value::as_str);
            let regex = pattern.and_then(|p| p.get("Regex")).and_then(Value::as_str);
            match (plain, regex) {
                (Some(""), _) => {}
                (Some(plain), _) => out.push(Normal::Replace(plain.to_owned(), text("content"))),
                (None, Some(r"\s+" | " {2,}" | r"\s{2,}")) if text("content") == " " => {
                    out.push(Normal::Spaces)
                }
                (None, regex) => {
                    return Err(Problem::new(format!(
                        "tokenizer.json: the pattern {regex:?} is not read"
                    )));
                }
            }
        }
        other => {
            return Err(Problem::new(format!(
                "tokenizer.json: the normalizer {other:?} is not read"
            )));
        }
    }
    Ok(())
}

impl Normal {
    pub(super) fn apply(&self, text: &str) -> String {
        match self {
            Self::Bert {
                clean,
                chinese,
                accents,
                lower,
            } => {
                let mut out = String::with_capacity(text.len() + 8);
                for c in text.chars() {
                    if *clean && (c == '\0' || c == '\u{fffd}' || is_control(c)) {
                        continue;
                    }
                    if *clean && c.is_whitespace() {
                        out.push(' ');
                    } else if *chinese && is_chinese(c) {
                        out.extend([' ', c, ' ']);
                    } else {
                        out.push(c);
                    }
                }
                if *accents {
                    out = without_accents(&out);
                }
                if *lower { out.to_lowercase() } else { out }
            }
            Self::Lower => text.to_lowercase(),
            Self::Nfc => text.nfc().collect(),
            Self::Nfd => text.nfd().collect(),
            Self::Nfkc => text.nfkc().collect(),
            Self::Nfkd => text.nfkd().collect(),
            Self::StripAccents => without_accents(text),
            Self::Strip => text.trim().to_owned(),
            Self::Replace(from, to) => text.replace(from.as_str(), to),
            Self::Spaces => {
                let mut out = String::with_capacity(text.len());
                for c in text.chars() {
                    let c = if c.is_whitespace() { ' ' } else { c };
                    if c != ' ' || !out.ends_with(' ') {
                        out.push(c);
                    }
                }
                out
            }
            Self::Prepend(_) if text.is_empty() => String::new(),
            Self::Prepend(before) => format!("{before}{text}"),
        }
    }
}

/// Without marks that combine with the letter before them. Hangul stays decomposed, as in the models.
fn without_accents(text: &str) -> String {
    text.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

fn is_control(c: char) -> bool {
    !matches!(c, '\t' | '\n' | '\r')
        && (c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{ad}'))
}

fn is_chinese(c: char) -> bool {
    matches!(c as u32,
        0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x20000..=0x2a6df | 0x2a700..=0x2ceaf | 0xf900..=0xfaff | 0x2f800..=0x2fa1f)
}
