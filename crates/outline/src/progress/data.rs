//! Reports of state as data: JSON and simple YAML in an answer that name items and say how they stand.
//!
//! A marker in code says nothing by itself. Data that name an item beside a state report it: `{"item": "A",
//! "status": "done"}`, `{"A": "done"}`, `{"done": ["A"], "open": ["B"]}`.

use super::class::Class;
use super::message::Turn;
use super::signs::Signs;
use super::status::Status;
use super::words::{self, Phrase, Room};
use crate::paths;
use serde_json::Value;
use std::borrow::Cow;

/// Longest data that are read, in bytes.
pub(super) const LONGEST: usize = 64 * 1024;
/// How deep lists and objects are followed.
const DEPTH: usize = 6;

/// Fields that hold a state.
const FIELDS: [&str; 12] = [
    "status",
    "state",
    "progress",
    "done",
    "completed",
    "complete",
    "finished",
    "result",
    "상태",
    "진행",
    "완료",
    "진행상태",
];

impl Turn<'_> {
    /// Reads a block of data or code. What is no report of state says nothing.
    #[inline(never)]
    pub(super) fn data(&mut self, body: &str) {
        if body.len() > LONGEST {
            return;
        }
        let body = body.trim();
        if body.starts_with(['{', '[']) {
            if let Ok(value) = serde_json::from_str::<Value>(body) {
                self.value(&value, None, DEPTH);
            } else {
                // One object a line.
                for line in body.lines().filter(|l| l.trim_start().starts_with('{')) {
                    if let Ok(value) = serde_json::from_str::<Value>(line.trim().trim_end_matches(',')) {
                        self.value(&value, None, DEPTH);
                    }
                }
            }
        } else {
            self.lines(body);
        }
    }

    /// `context` is the state that the key above announces for everything in it.
    fn value(&mut self, value: &Value, context: Option<Status>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Array(list) => {
                for entry in list {
                    match entry {
                        Value::Array(_) | Value::Object(_) => self.value(entry, context, depth),
                        plain => self.report(&text_of(plain), context),
                    }
                }
            }
            Value::Object(map) => {
                let state = map
                    .iter()
                    .find(|(key, _)| is_field(key))
                    .and_then(|(key, value)| field_state(key, value));
                let named = map
                    .iter()
                    .filter(|(key, value)| {
                        !is_field(key) && !matches!(value, Value::Array(_) | Value::Object(_))
                    })
                    .find_map(|(key, value)| {
                        let names = matches!(
                            key.to_lowercase().as_str(),
                            "item"
                                | "id"
                                | "name"
                                | "title"
                                | "task"
                                | "text"
                                | "number"
                                | "no"
                                | "step"
                                | "항목"
                                | "작업"
                                | "이름"
                                | "번호"
                        );
                        names
                            .then(|| text_of(value))
                            .filter(|text| !self.items_of(text).is_empty())
                    });
                if let (Some(named), Some(state)) = (&named, state.or(context)) {
                    self.report(named, Some(state));
                    return;
                }
                for (key, value) in map {
                    match value {
                        Value::Array(_) | Value::Object(_) => {
                            let found = word_state(key);
                            let inner = if found.is_some() && self.items_of(key).is_empty() {
                                found
                            } else if let (Value::Object(_), false) = (value, self.items_of(key).is_empty()) {
                                // {"A": {"status": "done"}}
                                let state = value
                                    .as_object()
                                    .and_then(|m| m.iter().find(|(k, _)| is_field(k)))
                                    .and_then(|(k, v)| field_state(k, v));
                                self.report(key, state);
                                continue;
                            } else {
                                context
                            };
                            self.value(value, inner, depth);
                        }
                        plain if !self.items_of(key).is_empty() => {
                            self.report(key, field_state("status", plain));
                        }
                        Value::String(text) if !is_field(key) => self.report(text, word_state(key)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Lines of simple YAML: `A: done`, `done:` with entries below it, entries with a field of state.
    #[inline(never)]
    fn lines(&mut self, body: &str) {
        if !body.lines().take(400).any(tells_state) {
            return;
        }
        let mut context: Option<Status> = None;
        let mut current: Option<String> = None;
        for line in body.lines().take(400) {
            let plain = line.trim();
            let entry = plain.strip_prefix("- ");
            let plain = entry.unwrap_or(plain).trim();
            let Some((key, value)) = plain.split_once(':') else {
                if let (Some(entry), Some(_)) = (entry, context) {
                    self.report(entry, context);
                }
                continue;
            };
            let (key, value) = (unquote(key), unquote(value));
            if value.is_empty() {
                context = word_state(key);
                current = None;
                if context.is_none() && !self.items_of(key).is_empty() {
                    current = Some(key.to_owned());
                }
            } else if is_field(key) {
                if let Some(current) = &current {
                    self.report(current, word_state(value));
                }
            } else if let Some(state) = word_state(value).filter(|_| !self.items_of(key).is_empty()) {
                self.report(key, Some(state));
            } else if !self.items_of(value).is_empty() {
                current = Some(value.to_owned());
                if let (Some(_), Some(_)) = (entry, context) {
                    self.report(value, context);
                }
            }
        }
    }

    fn report(&mut self, name: &str, state: Option<Status>) {
        let Some(state) = state else { return };
        if let Some(item) = self.items_of(name).first() {
            self.set(*item, state, true);
        }
    }

    /// The items that a name or number stands for, best first.
    fn items_of(&self, name: &str) -> Vec<usize> {
        let digits = name
            .trim()
            .trim_start_matches(['#', 'i', 't', 'e', 'm', '_', '-', ' ']);
        if let Ok(number) = digits.parse::<usize>() {
            return Some(number.wrapping_sub(1))
                .filter(|n| *n < self.said.len())
                .into_iter()
                .collect();
        }
        let mut concepts = Vec::new();
        words::concepts(name, &mut Room::default(), &mut concepts);
        let hits: Vec<(usize, usize)> = concepts
            .iter()
            .flat_map(|c| self.list.places(c.name))
            .map(|(_, item, k)| (*item, *k))
            .collect();
        let files = if self.list.has_paths(&hits) {
            paths::find(name)
                .into_iter()
                .filter(|m| m.strong)
                .map(|m| Cow::Owned(m.path))
                .collect()
        } else {
            Vec::new()
        };
        let matches = self.list.matches(hits, &files);
        matches
            .iter()
            .take(1)
            .filter(|m| m.score >= 0.5)
            .map(|m| m.item)
            .collect()
    }
}

/// Whether a line of data has a field that tells a state, or is one: without such a line nothing is reported.
fn tells_state(line: &str) -> bool {
    let plain = line.trim();
    let plain = plain.strip_prefix("- ").unwrap_or(plain).trim();
    plain.split_once(':').is_some_and(|(key, value)| {
        let (key, value) = (unquote(key), unquote(value));
        let told = if value.is_empty() { key } else { value };
        word_state(told).is_some() || !value.is_empty() && is_field(key)
    })
}

fn unquote(text: &str) -> &str {
    text.trim().trim_matches(['"', '\'', '`']).trim()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn is_field(key: &str) -> bool {
    if key.is_ascii() {
        return FIELDS.iter().any(|field| field.eq_ignore_ascii_case(key));
    }
    FIELDS.contains(&key.to_lowercase().as_str())
}

/// The state that a field's value tells of.
fn field_state(key: &str, value: &Value) -> Option<Status> {
    let done = |yes: bool| {
        Some(if yes {
            Status::Done(Class::GENERIC)
        } else {
            Status::Undone
        })
    };
    match value {
        Value::Bool(yes) => done(*yes),
        Value::Number(share) if !matches!(key, "result") => done(share.as_f64()? >= 100.0),
        Value::String(text) => word_state(text),
        _ => None,
    }
}

/// So many words may name a state.
const WORDS: usize = 4;

/// How many words an ASCII text has.
fn words_in(text: &str) -> usize {
    let mut inside = false;
    text.bytes().fold(0, |count, b| {
        let word = b.is_ascii_alphanumeric() | (b == b'\'');
        let begins = word & !std::mem::replace(&mut inside, word);
        count + usize::from(begins)
    })
}

/// The state that a few words name: `done`, `in_progress`, 진행 중, ✅, `80 %`.
pub(super) fn word_state(text: &str) -> Option<Status> {
    let text = text.trim();
    let small = |b: u8| b.is_ascii() && !b.is_ascii_uppercase();
    let lower = if text.bytes().all(small) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    };
    let lower: &str = &lower;
    if lower.is_empty() || lower.chars().count() > 40 || lower.is_ascii() && words_in(lower) > WORDS {
        return None;
    }
    if let Some(share) = lower.strip_suffix('%') {
        let share: f64 = share.trim().parse().ok()?;
        return Some(if share >= 100.0 {
            Status::Done(Class::GENERIC)
        } else {
            Status::Undone
        });
    }
    match lower {
        "true" | "yes" | "ok" | "o" | "y" | "x" | "예" | "v" | "✅" | "✔" | "✓" | "☑" => {
            return Some(if lower == "x" {
                Status::Undone
            } else {
                Status::Done(Class::GENERIC)
            });
        }
        "false" | "no" | "n" | "아니오" | "아니요" | "❌" | "✗" | "⏳" | "🚧" | "⬜" => {
            return Some(Status::Undone);
        }
        _ => {}
    }
    let mut parts = [""; WORDS];
    let mut count = 0;
    for part in lower
        .split(|c: char| !(crate::text::is_alphanumeric(c) || c == '\''))
        .filter(|w| !w.is_empty())
    {
        *parts.get_mut(count)? = part;
        count += 1;
    }
    let parts = parts.get(..count).unwrap_or_default();
    let mut signs = Signs::NONE;
    for (at, word) in parts.iter().enumerate() {
        let (own, longest) = if crate::text::has_hangul(word) {
            words::korean_signs(word, words::Written::of(word).as_ref())
        } else {
            let heard = words::english(word, words::name(word)).0;
            (heard.signs, heard.phrase)
        };
        signs = signs.with(own);
        if longest < 2 {
            continue;
        }
        let mut phrase = Phrase::begin(word);
        for next in parts.iter().skip(at + 1) {
            let stem = phrase.then_stem(next).filter(|_| crate::text::has_hangul(next));
            phrase = phrase.then(next);
            signs = signs.with(stem.or_else(|| phrase.signs()).unwrap_or_default());
        }
    }
    let open = Signs::OPEN
        .with(Signs::UNDONE)
        .with(Signs::BAD)
        .with(Signs::NEG)
        .with(Signs::NO)
        .with(Signs::DROPPED)
        .with(Signs::FUTURE)
        .with(Signs::LEFT);
    if signs.any(open) {
        return Some(Status::Undone);
    }
    signs
        .any(Signs::DONE.with(Signs::MARKER).with(Signs::VERIFIED))
        .then_some(Status::Done(Class::GENERIC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_in_a_few_words() {
        for text in ["done", "Completed", "완료", "✅", "100%", "true", "DONE"] {
            assert!(matches!(word_state(text), Some(Status::Done(_))), "{text}");
        }
        for text in [
            "in_progress",
            "in progress",
            "not started",
            "pending",
            "진행중",
            "진행 중",
            "미완료",
            "보류",
            "대기",
            "80 %",
            "blocked",
            "false",
        ] {
            assert_eq!(word_state(text), Some(Status::Undone), "{text}");
        }
        for text in ["src/a.rs", "Import the timetable", "high", ""] {
            assert_eq!(word_state(text), None, "{text}");
        }
    }
}
