//! Checks whose outcome is told by fields: `{"evidence": {"build": "ok"}}`, `{"checks": [{"name": "tests", "result": "passed"}]}`,
//! `tests: "40 passed"`.
//!
//! A field is read as the sentence that it stands for, "tests: 40 passed", by the reader of claims: what is evidence here is
//! a claim there, and the other way round.

use super::data::{bounds, may_quote, quoted};
use super::given::{Words, is_said_of_a_review};
use proctor_kernel::CheckKind;
use proctor_prose::{Reading, Tags, lookup, tag};
use serde_json::{Map, Value};
use std::borrow::Cow;

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

/// The checks that pass by the fields of the block of data at `at`; `left` counts down the fields of the message that may be
/// read, and `parsed` takes in what the block holds.
pub(super) fn in_data(
    text: &str,
    reading: &Reading,
    at: usize,
    left: &mut usize,
    parsed: &mut Parsed,
) -> Vec<Checked> {
    let mut out = Vec::new();
    let Some(block) = reading.blocks.get(at) else {
        return out;
    };
    let data = text.get(block.start..block.end).filter(|d| d.len() <= LONGEST);
    if let Some(data) = data
        && let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(data)
    {
        let mut walk = Walk {
            data,
            start: block.start,
            names: reading.is_partial() || data.contains('\\') || tags_of(reading, at).any(CHECKS),
            left,
            out: &mut out,
        };
        walk.value(&value, "", DEEP);
        if let Value::Object(fields) = value {
            parsed.push((at, fields));
        }
    }
    out
}

/// Blocks of data that are one object each, by their index, and what they hold.
pub(super) type Parsed = Vec<(usize, Map<String, Value>)>;

/// What all words of a block have.
fn tags_of(reading: &Reading, block: usize) -> Tags {
    let clauses = &reading.clauses;
    let from = clauses.partition_point(|c| c.block < block);
    let of_block = clauses.get(from..).unwrap_or_default();
    let of_block = of_block.iter().take_while(|c| c.block == block);
    let tokens = of_block.flat_map(|c| reading.tokens_of(c));
    tokens.fold(Tags::NONE, |all, t| all | t.tags)
}

/// What a word has that names a check.
const CHECKS: Tags = tag::TESTS.or(tag::BUILD).or(tag::TYPES).or(tag::LINT);

/// Whether what a field says may claim a check though none of its words names one: it may count, hold a name or a mark, or
/// say that something passes. To read it as a sentence takes as long as to read all else that the data says.
fn may_claim(said: &str) -> bool {
    // The last syllable of each of these is enough: 빌드, 컴파일, 통과, 초록, 녹색, 그린.
    let korean = |c: char| !matches!(c, '가'..='힣') || matches!(c, '드' | '일' | '과' | '록' | '색' | '린');
    if !said.is_ascii() && said.chars().any(|c| !c.is_ascii() && korean(c)) {
        return true;
    }
    let bytes = said.as_bytes();
    let counts = |found, b: &u8| found | b.is_ascii_digit() | matches!(b, b'`' | b'_');
    // "types", "typing", "tests", "specs", "passed", "greens"
    let begins = |found, four: &[u8]| {
        let low = <[u8; 4]>::try_from(four).map_or(0, u32::from_le_bytes) | 0x2020_2020;
        let is = |word: &[u8; 4]| low == u32::from_le_bytes(*word);
        let kind = is(b"type") | is(b"typi") | is(b"test") | is(b"spec");
        found | kind | is(b"pass") | is(b"gree")
    };
    bytes.iter().fold(false, counts) || bytes.windows(4).fold(false, begins)
}

/// The same of lines whose values stand in quotation marks, where they would be read as somebody's words. Lines that are no
/// fields leave a paragraph prose.
pub(super) fn in_lines(text: &str, reading: &Reading, at: usize, left: &mut usize) -> Vec<Checked> {
    let mut out = Vec::new();
    let Some(block) = reading.blocks.get(at) else {
        return out;
    };
    let body = text.get(block.start..block.end).unwrap_or_default();
    if !may_quote(body) || !body.lines().all(|line| line.contains([':', '：'])) {
        return out;
    }
    for field in quoted(text, block) {
        let name = field.name.trim();
        if name.len() > 24 || !is_said_of_a_review(name) {
            continue;
        }
        let place = (field.start, field.start + field.value.len());
        say(&label(name), field.value, true, left, &mut out, || place);
    }
    out
}

struct Walk<'w> {
    data: &'w str,
    /// Where the data begins in the text.
    start: usize,
    /// Whether a word of its values names a check, or may do so where it is written in another way.
    names: bool,
    left: &'w mut usize,
    out: &'w mut Vec<Checked>,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value, name: &str, deep: usize) {
        if *self.left == 0 {
            return;
        }
        match value {
            Value::String(said) => self.say(name, said, self.names),
            // `"lint_clean": true`
            Value::Bool(true) => self.say("", name, true),
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
        // One entry of a list: what was run, and how it ended.
        const WHAT: [&str; 9] = [
            "name",
            "check",
            "command",
            "cmd",
            "step",
            "이름",
            "검사",
            "명령",
            "명령어",
        ];
        const HOW: [&str; 7] = [
            "result",
            "status",
            "outcome",
            "conclusion",
            "output",
            "결과",
            "상태",
        ];
        let (mut what, mut how) = (None, None);
        for (key, value) in fields {
            let Value::String(said) = value else { continue };
            let key = lower(key);
            if what.is_none() && WHAT.contains(&key.as_ref()) {
                what = Some(said.as_str());
            } else if how.is_none() && HOW.contains(&key.as_ref()) {
                how = Some(said.as_str());
            }
        }
        if let (Some(what), Some(how)) = (what, how) {
            self.say(what, how, self.names);
            return;
        }
        let what = what.unwrap_or(name);
        // `{"passed": 12, "failed": 0}`
        let mut counts = String::new();
        let (mut passed, mut most) = (0, 0);
        for (key, value) in fields {
            let words = Words::of(key);
            if words.iter().any(bounds) {
                continue;
            }
            let last = words.iter().next_back().unwrap_or_default();
            let count = value.as_u64();
            if matches!(last, "run" | "total" | "all" | "executed" | "전체") {
                most = most.max(count.unwrap_or_default());
            }
            if let Some(count) = count
                && let of_result = lookup(last)
                && of_result.any(tag::OKRES | tag::BADRES)
            {
                if of_result.any(tag::OKRES) {
                    passed += count;
                }
                let mark = if counts.is_empty() { "" } else { ", " };
                counts.push_str(&format!("{mark}{count} {last}"));
                continue;
            }
            if words.are_of_a_review() {
                let own = words.spaced();
                let named = matches!(value, Value::Bool(_)) || names_check(&own);
                self.value(value, if named { &own } else { what }, deep);
            }
        }
        // Nothing passed, or not all: no run that went well.
        if passed > 0 && passed >= most && names_check(what) {
            let (data, start) = (self.data, self.start);
            say(what, &counts, true, self.left, self.out, || {
                place(data, start, what)
            });
        }
    }

    /// Takes in what a field says; `names` tells whether it may name a check by itself.
    fn say(&mut self, name: &str, said: &str, names: bool) {
        let (data, start) = (self.data, self.start);
        say(name, said, names, self.left, self.out, || {
            place(data, start, said)
        });
    }
}

/// Where something stands in data that begins at `start`; all of the data where it is written in another way there.
fn place(data: &str, start: usize, said: &str) -> (usize, usize) {
    match data.find(said).filter(|_| !said.is_empty()) {
        Some(at) => (start + at, start + at + said.len()),
        None => (start, start + data.len()),
    }
}

/// A key in lower case, as it stands there where it is.
fn lower(key: &str) -> Cow<'_, str> {
    let low = |c: char| c.is_ascii() && !c.is_ascii_uppercase() || matches!(c, '가'..='힣');
    if key.chars().all(low) {
        Cow::Borrowed(key)
    } else {
        Cow::Owned(key.to_lowercase())
    }
}

/// The words of a key as a label: `unit_tests` is "unit tests".
fn label(key: &str) -> String {
    Words::of(key).spaced().into_owned()
}

fn names_check(label: &str) -> bool {
    label.split(' ').any(|word| {
        lookup(word).any(CHECKS | tag::TOOL)
            || matches!(word, "type" | "types" | "typing")
            || is_korean_check(word)
    })
}

fn is_korean_check(word: &str) -> bool {
    ["테스트", "빌드", "린트", "타입", "컴파일"]
        .iter()
        .any(|stem| word.starts_with(stem))
}

/// Takes in what a field says, read as a sentence of its own; `names` tells whether one of its words may name a check.
fn say(
    name: &str,
    said: &str,
    names: bool,
    left: &mut usize,
    out: &mut Vec<Checked>,
    place: impl Fn() -> (usize, usize),
) {
    if *left == 0 || said.len() > FIELD {
        return;
    }
    *left -= 1;
    let named = !name.is_empty() && names_check(name);
    if !(named || names || may_claim(said)) {
        return;
    }
    let sentence = if named {
        Cow::Owned(format!("{name}: {said}"))
    } else {
        Cow::Borrowed(said)
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
            let (start, end) = place();
            out.push(Checked { start, end, class });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_prose::read;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Words that claims are made of, and others that stand beside them.
    const WORDS: &[&str] = &[
        "all",
        "everything",
        "pass",
        "passed",
        "green",
        "40",
        "40/40",
        "0",
        "failures",
        "no",
        "errors",
        "works",
        "tests",
        "build",
        "lint",
        "types",
        "type",
        "check",
        "checks",
        "verified",
        "with",
        "cargo",
        "ok",
        "clean",
        "done",
        "ran",
        "it",
        "is",
        "전부",
        "통과",
        "빌드",
        "컴파일",
        "성공",
        "초록",
        "그린",
        "문제없음",
        "완료",
        "테스트",
        "실패",
        "없음",
        "`a_b_c`",
        "test_add",
        "✅",
        "ｔｅｓｔ",
        "warnings",
        "end",
        "to",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8_192))]

        #[test]
        fn what_is_not_read_as_a_sentence_claims_nothing(said in vec(select(WORDS), 1..5)) {
            let said = said.join(" ");
            let text = format!("{{\"note\": \"{said}\"}}");
            let reading = read(&text);
            if !tags_of(&reading, 0).any(CHECKS) && !may_claim(&said) {
                prop_assert_eq!(crate::approval::passing(&said).iter().count(), 0, "{}", said);
            }
        }
    }
}
