//! The payload as Claude Code sends it: one JSON object. Read without building a tree, because tool
//! payloads repeat whole files and the hook has about a millisecond.
//!
//! Tolerance is decided here, once: unknown fields are skipped, a field of the wrong type counts as
//! absent, of repeated fields the last one counts (as in JavaScript, the host's own language).

use proctor_kernel::Digest;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The fields of one JSON object, each still as text.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry::<String, &'de RawValue>()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

impl<'a> Fields<'a> {
    /// The fields of an object given as text; `None` when it is anything else.
    pub(crate) fn of(raw: &'a RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }

    /// One field, as text.
    pub(crate) fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.0
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }

    /// A field that is itself an object; without fields when it is absent or something else.
    pub(crate) fn object(&self, name: &str) -> Self {
        self.raw(name).and_then(Self::of).unwrap_or_default()
    }

    /// The objects in a field that is an array; everything else in it is left out.
    pub(crate) fn objects(&self, name: &str) -> Vec<Self> {
        let items: Vec<&'a RawValue> = self
            .raw(name)
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();
        items.into_iter().filter_map(Self::of).collect()
    }

    /// A text field.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.raw(name).and_then(text_of)
    }

    /// A text field that is not empty.
    pub(crate) fn filled(&self, name: &str) -> Option<String> {
        self.text(name).filter(|text| !text.is_empty())
    }

    /// A true-or-false field.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.raw(name)
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// The fields' names, in the order in which they stand.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Digest of the fields, whatever their order, without those that are named.
    pub(crate) fn digest(&self, without: &[&str]) -> Digest {
        let mut fields: Vec<(&str, &str)> = self
            .0
            .iter()
            .filter(|(name, _)| !without.contains(&name.as_str()))
            .map(|(name, value)| (name.as_str(), value.get()))
            .collect();
        fields.sort_unstable();
        let mut bytes = Vec::new();
        for (name, value) in fields {
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(value.as_bytes());
            bytes.push(0);
        }
        Digest::of(&bytes)
    }

    /// A field that is a whole number, not negative.
    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        self.raw(name)
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
    }
}

/// The string that some JSON text stands for; `None` when it is not a string. Half of a surrogate
/// pair, which JavaScript lets through where a text was cut inside an emoji, becomes U+FFFD: the text
/// as a whole must not escape the gates because of it.
pub(crate) fn text_of(raw: &RawValue) -> Option<String> {
    let json = raw.get();
    if !json.starts_with('"') {
        return None;
    }
    serde_json::from_str(json)
        .ok()
        .or_else(|| serde_json::from_str(&without_lone_surrogates(json)).ok())
}

/// JSON text in which half a surrogate pair is U+FFFD.
#[must_use]
pub fn without_lone_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let unit = surrogate(escape);
        let length = match unit {
            Some(0xD800..=0xDBFF) => {
                if matches!(escape.get(6..).and_then(surrogate), Some(0xDC00..=0xDFFF)) {
                    out.push_str(escape.get(..12).unwrap_or_default());
                    12
                } else {
                    out.push('\u{FFFD}');
                    6
                }
            }
            Some(_) => {
                out.push('\u{FFFD}');
                6
            }
            None => {
                // Any other escape: the backslash and what it escapes stay together.
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                out.push_str(escape.get(..length).unwrap_or_default());
                length
            }
        };
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The UTF-16 unit of an escape `\uD800` to `\uDFFF` at the beginning of the text.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16)
        .ok()
        .filter(|unit| (0xD800..=0xDFFF).contains(unit))
}

/// Finds the event's name in a payload that is not whole. The first such field counts: the host
/// writes it before anything that an agent has written.
pub(crate) fn recover_event(bytes: &[u8]) -> Option<String> {
    recover(bytes, b"\"hook_event_name\"")
}

/// The word that a field of a broken payload holds; `field` with its quotes.
pub(crate) fn recover(bytes: &[u8], field: &[u8]) -> Option<String> {
    let mut from = 0;
    while let Some(found) = find(bytes.get(from..)?, field) {
        let at = from + found;
        from = at + field.len();
        let escaped = at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\\');
        if escaped {
            continue;
        }
        let mut rest = bytes
            .get(from..)?
            .iter()
            .copied()
            .skip_while(u8::is_ascii_whitespace);
        if rest.next() != Some(b':') {
            continue;
        }
        let mut rest = rest.skip_while(u8::is_ascii_whitespace);
        if rest.next() != Some(b'"') {
            continue;
        }
        let name: String = rest
            .by_ref()
            .take(64)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            .map(char::from)
            .collect();
        // A name that is itself cut off must not be taken for another one.
        if !name.is_empty() && bytes.get(from..).is_some_and(|tail| closes(tail, &name)) {
            return Some(name);
        }
    }
    None
}

fn closes(tail: &[u8], name: &str) -> bool {
    find(tail, name.as_bytes()).and_then(|at| tail.get(at + name.len())) == Some(&b'"')
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
