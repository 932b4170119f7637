//! Checks whose outcome is told by fields: `{"evidence": {"build": "ok"}}`, `{"checks": [{"name": "tests", "result": "passed"}]}`,
//! `tests: "40 passed"`.
//!
//! A field is read as the sentence that it stands for, "tests: 40 passed", by the reader of claims: what is evidence here is
//! a claim there, and the other way round.

use super::data::{bounds, quoted};
use super::given::{is_said_of_a_review, words};
use proctor_kernel::CheckKind;
use proctor_prose::{Block, lookup, tag};
use serde_json::{Map, Value};

/// Longest block of data that is read, in bytes.
const LONGEST: usize = 16 * 1024;
/// Longest field that is read, in bytes.
const FIELD: usize = 400;
/// Most fields of a message that are read.
pub(super) const FIELDS: usize = 32;
/// How deep a field may lie in data.
const DEEP: usize = 4;

/// A field that says how a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checked {
    /// Where its value stands, as byte offsets into the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// `tests`, `build`, `types` or `lint`.
    pub(super) class: &'static str,
}

/// The checks that pass by the fields of a block of data; `left` counts down the fields of the message that may be read.
pub(super) fn in_data(text: &str, block: &Block, left: &mut usize) -> Vec<Checked> {
    let mut out = Vec::new();
    let data = text.get(block.start..block.end).filter(|d| d.len() <= LONGEST);
    if let Some(data) = data
        && let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(data)
    {
        let mut walk = Walk {
            data,
            start: block.start,
            left,
            out: &mut out,
        };
        walk.value(&value, "", DEEP);
    }
    out
}

/// The same of lines whose values stand in quotation marks, where they would be read as somebody's words. Lines that are no
/// fields leave a paragraph prose.
pub(super) fn in_lines(text: &str, block: &Block, left: &mut usize) -> Vec<Checked> {
    let mut out = Vec::new();
    let body = text.get(block.start..block.end).unwrap_or_default();
    if memchr::memchr2(b'"', b'\'', body.as_bytes()).is_none()
        || !body.lines().all(|line| line.contains([':', '：']))
    {
        return out;
    }
    for field in quoted(text, block) {
        let name = field.name.trim();
        if name.len() > 24 || !is_said_of_a_review(name) {
            continue;
        }
        let place = (field.start, field.start + field.value.len());
        say(&label(name), field.value, place, left, &mut out);
    }
    out
}

struct Walk<'w> {
    data: &'w str,
    /// Where the data begins in the text.
    start: usize,
    left: &'w mut usize,
    out: &'w mut Vec<Checked>,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value, name: &str, deep: usize) {
        if *self.left == 0 {
            return;
        }
        match value {
            Value::String(said) => {
                let place = self.place(said);
                say(name, said, place, self.left, self.out);
            }
            // `"lint_clean": true`
            Value::Bool(true) => say("", name, self.place(name), self.left, self.out),
            Value::Array(all) if deep > 0 => {
                for value in all {
                    self.value(value, name, deep - 1);
                }
            }
            Value::Object(fields) if deep > 0 => self.object(fields, name, deep - 1),
            _ => {}
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, name: &str, deep: usize) {
        let text = |keys: &[&str]| {
            let mut found = fields
                .iter()
                .filter(|(key, _)| keys.contains(&key.to_lowercase().as_str()));
            found.find_map(|(_, value)| value.as_str())
        };
        // One entry of a list: what was run, and how it ended.
        let what = text(&[
            "name",
            "check",
            "command",
            "cmd",
            "step",
            "이름",
            "검사",
            "명령",
            "명령어",
        ]);
        let how = text(&[
            "result",
            "status",
            "outcome",
            "conclusion",
            "output",
            "결과",
            "상태",
        ]);
        if let (Some(what), Some(how)) = (what, how) {
            let place = self.place(how);
            say(what, how, place, self.left, self.out);
            return;
        }
        let what = what.unwrap_or(name).to_owned();
        // `{"passed": 12, "failed": 0}`
        let mut counts = String::new();
        let (mut passed, mut most) = (0, 0);
        for (key, value) in fields {
            let words = words(key);
            if words.iter().any(|w| bounds(w)) {
                continue;
            }
            let last = words.last().map(String::as_str).unwrap_or_default();
            let count = value.as_u64();
            if matches!(last, "run" | "total" | "all" | "executed" | "전체") {
                most = most.max(count.unwrap_or_default());
            }
            if let (Some(count), true) = (count, lookup(last).any(tag::OKRES | tag::BADRES)) {
                if lookup(last).any(tag::OKRES) {
                    passed += count;
                }
                let mark = if counts.is_empty() { "" } else { ", " };
                counts.push_str(&format!("{mark}{count} {last}"));
                continue;
            }
            if is_said_of_a_review(key) {
                let own = label(key);
                let name = if names_check(&own) { own } else { what.clone() };
                let name = if matches!(value, Value::Bool(_)) {
                    words.join(" ")
                } else {
                    name
                };
                self.value(value, &name, deep);
            }
        }
        // Nothing passed, or not all: no run that went well.
        if passed > 0 && passed >= most && names_check(&what) {
            let place = self.place(&what);
            say(&what, &counts, place, self.left, self.out);
        }
    }

    /// Where something stands in the text; all of the data where it is written in another way there.
    fn place(&self, said: &str) -> (usize, usize) {
        match self.data.find(said).filter(|_| !said.is_empty()) {
            Some(at) => (self.start + at, self.start + at + said.len()),
            None => (self.start, self.start + self.data.len()),
        }
    }
}

/// The words of a key as a label: `unit_tests` is "unit tests".
fn label(key: &str) -> String {
    words(key).join(" ")
}

fn names_check(label: &str) -> bool {
    let checks = tag::TESTS | tag::BUILD | tag::TYPES | tag::LINT | tag::TOOL;
    label.split(' ').any(|word| {
        lookup(word).any(checks) || matches!(word, "type" | "types" | "typing") || is_korean_check(word)
    })
}

fn is_korean_check(word: &str) -> bool {
    ["테스트", "빌드", "린트", "타입", "컴파일"]
        .iter()
        .any(|stem| word.starts_with(stem))
}

/// Takes in what a field says, read as a sentence of its own.
fn say(name: &str, said: &str, (start, end): (usize, usize), left: &mut usize, out: &mut Vec<Checked>) {
    if *left == 0 || said.len() > FIELD {
        return;
    }
    *left -= 1;
    let sentence = if name.is_empty() || !names_check(name) {
        said.to_owned()
    } else {
        format!("{name}: {said}")
    };
    for kind in crate::approval::passing(&sentence).iter() {
        let class = match kind {
            CheckKind::Tests => "tests",
            CheckKind::Build => "build",
            CheckKind::Types => "types",
            CheckKind::Lint => "lint",
            CheckKind::Own => continue,
        };
        if !out.iter().any(|c: &Checked| c.class == class) {
            out.push(Checked { start, end, class });
        }
    }
}
