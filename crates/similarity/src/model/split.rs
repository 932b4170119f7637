//! Cutting a text into the words that the vocabulary is asked for.

use crate::Problem;
use serde_json::Value;

/// One step.
#[derive(Debug, Clone)]
pub(super) enum Split {
    /// At white space and around punctuation.
    Bert,
    /// At white space alone.
    Space,
    /// Words, and runs of other marks.
    Words,
    /// Around punctuation.
    Punctuation,
    /// White space becomes a mark, which also goes before the text; perhaps cut before each mark.
    Metaspace { mark: char, prepend: Prepend, cut: bool },
}

/// Where the mark is put before a word.
#[derive(Debug, Clone, Copy)]
pub(super) enum Prepend {
    Always,
    First,
    Never,
}

/// Reads the steps.
pub(super) fn split(value: &Value) -> Result<Vec<Split>, Problem> {
    let mut out = Vec::new();
    collect(value, &mut out, 0)?;
    Ok(out)
}

fn collect(value: &Value, out: &mut Vec<Split>, depth: usize) -> Result<(), Problem> {
    if value.is_null() {
        return Ok(());
    }
    match value.get("type").and_then(Value::as_str).unwrap_or_default() {
        "Sequence" if depth < 8 => {
            for inner in value
                .get("pretokenizers")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                collect(inner, out, depth + 1)?;
            }
        }
        "BertPreTokenizer" => out.push(Split::Bert),
        "Whitespace" => out.push(Split::Words),
        "WhitespaceSplit" => out.push(Split::Space),
        "Punctuation" => out.push(Split::Punctuation),
        "Metaspace" => {
            let scheme = value.get("prepend_scheme").and_then(Value::as_str);
            let old = value
                .get("add_prefix_space")
                .and_then(Value::as_bool)
                .unwrap_or(true);
            out.push(Split::Metaspace {
                mark: value
                    .get("replacement")
                    .and_then(Value::as_str)
                    .and_then(|r| r.chars().next())
                    .unwrap_or('\u{2581}'),
                prepend: match scheme {
                    Some("never") => Prepend::Never,
                    Some("first") => Prepend::First,
                    None if !old => Prepend::Never,
                    _ => Prepend::Always,
                },
                cut: value.get("split").and_then(Value::as_bool).unwrap_or(true),
            });
        }
        other => {
            return Err(Problem::new(format!(
                "tokenizer.json: the pre-tokenizer {other:?} is not read"
            )));
        }
    }
    Ok(())
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || !c.is_ascii()
            && !c.is_alphanumeric()
            && !c.is_whitespace()
            && matches!(c as u32, 0xa1..=0xbf | 0x2010..=0x2027 | 0x2030..=0x205e | 0x3001..=0x3003 | 0x3008..=0x3011
                | 0x3014..=0x301f | 0xff01..=0xff0f | 0xff1a..=0xff20 | 0xff3b..=0xff40 | 0xff5b..=0xff65)
}

impl Split {
    pub(super) fn apply(&self, words: Vec<String>) -> Vec<String> {
        let mut out = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match self {
                Self::Bert => {
                    for part in word.split_whitespace() {
                        around(part, is_punctuation, &mut out);
                    }
                }
                Self::Space => out.extend(word.split_whitespace().map(str::to_owned)),
                Self::Words => {
                    for part in word.split_whitespace() {
                        let mut last = None;
                        for c in part.chars() {
                            let inside = c.is_alphanumeric() || c == '_';
                            match out.last_mut().filter(|_| last == Some(inside)) {
                                Some(open) => open.push(c),
                                None => out.push(c.to_string()),
                            }
                            last = Some(inside);
                        }
                    }
                }
                Self::Punctuation => around(word, is_punctuation, &mut out),
                Self::Metaspace { mark, prepend, cut } => {
                    let mut marked: String = word.chars().map(|c| if c == ' ' { *mark } else { c }).collect();
                    let wanted = match prepend {
                        Prepend::Always => true,
                        Prepend::First => at == 0,
                        Prepend::Never => false,
                    };
                    if wanted && !marked.is_empty() && !marked.starts_with(*mark) {
                        marked.insert(0, *mark);
                    }
                    if *cut {
                        let mut open = String::new();
                        for c in marked.chars() {
                            if c == *mark && !open.is_empty() {
                                out.push(std::mem::take(&mut open));
                            }
                            open.push(c);
                        }
                        out.push(open);
                    } else {
                        out.push(marked);
                    }
                }
            }
        }
        out.retain(|w| !w.is_empty());
        out
    }
}

/// Cuts before and after each character of a kind.
fn around(word: &str, kind: fn(char) -> bool, out: &mut Vec<String>) {
    let mut open = String::new();
    for c in word.chars() {
        if kind(c) {
            if !open.is_empty() {
                out.push(std::mem::take(&mut open));
            }
            out.push(c.to_string());
        } else {
            open.push(c);
        }
    }
    if !open.is_empty() {
        out.push(open);
    }
}
