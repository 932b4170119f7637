//! A verdict in data: `{"approved": true}`, `{"result": {"approved": true}}`, `{"decision": "authorised"}`; in a field of YAML
//! whose value is quoted, and as the ticked one of a choice.
//!
//! Data says what it says by its fields, so it is read as data and not weighed: a field that asks for an approval is
//! answered by its value, one that names a decision by any word of permitting or refusing. Fields of other things (`user`,
//! `config`) are not looked into, and data that is only shown is nobody's verdict.

use super::decide::Occasion;
use super::evidence::Evidence;
use super::field::{self, Answer};
use super::{data, fenced};
use proctor_prose::{Block, BlockKind, Reading, lookup, tag};
use serde_json::{Deserializer, Map, Value};
use std::borrow::Cow;

/// Longest block of data that is read as a verdict, in bytes.
const LONGEST: usize = 16 * 1024;

/// How deep a verdict may lie in data.
const DEEP: usize = 3;

/// What a field says of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// Where the value stands, as byte offsets.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) answer: Answer,
    /// It is the ticked one of several boxes: what the others say is not said.
    pub(super) chosen: bool,
}

/// What the fields of a text say of the work; a refusal wins. `known` is what was seen of its data. The occasion is asked
/// for when it matters.
pub(super) fn find(
    text: &str,
    reading: &Reading,
    known: &Evidence,
    occasion: &dyn Fn() -> Occasion,
) -> Option<Given> {
    let mut out: Option<Given> = None;
    let quotes = known.quotes.unwrap_or_else(|| data::may_quote(text));
    for (at, block) in reading.blocks.iter().enumerate() {
        let given = match block.kind {
            BlockKind::Data => {
                let parsed = known.parsed.binary_search_by_key(&at, |(of, _)| *of).ok();
                let fields = parsed
                    .and_then(|at| known.parsed.get(at))
                    .map(|(_, fields)| fields);
                in_data(text, block, fields, out.is_some(), occasion)
            }
            BlockKind::Paragraph if quotes => quoted(text, block),
            BlockKind::ListItem {
                checked: Some(true), ..
            } => ticked(text, reading, at),
            _ => None,
        };
        let Some(given) = given else { continue };
        if out.is_none() || given.answer == Answer::Denied {
            out = Some(given);
        }
    }
    out
}

/// What a block of data says, whose fields are known where it is one object that was looked into. Behind a block that
/// `answered`, and where one object follows another, only a refusal is asked for: it needs no words that lead to it then.
fn in_data(
    text: &str,
    block: &Block,
    known: Option<&Map<String, Value>>,
    answered: bool,
    occasion: &dyn Fn() -> Occasion,
) -> Option<Given> {
    let data = text.get(block.start..block.end).filter(|d| d.len() <= LONGEST)?;
    let mut said = Vec::new();
    let mut others_of_review = true;
    let mut count = 0;
    if let Some(fields) = known {
        walk(data, 0, fields, DEEP, &mut said);
        count = 1;
    } else {
        let mut objects = Deserializer::from_str(data).into_iter::<Value>();
        let mut at = 0;
        while let Some(object) = objects.next() {
            let Ok(Value::Object(fields)) = object else {
                return None;
            };
            walk(data, at, &fields, DEEP, &mut said);
            others_of_review &= is_of_review(&fields);
            at = objects.byte_offset();
            count += 1;
        }
    }
    let denied = said.iter().find(|g| g.answer == Answer::Denied);
    let given = denied.or_else(|| said.first().filter(|_| !answered && count == 1))?;
    let before = text.get(..block.start).unwrap_or_default();
    let behind = text.get(block.end..).unwrap_or_default();
    let of_review = others_of_review && known.is_none_or(is_of_review);
    let meant = of_review && (answered || is_meant(before, behind));
    if fenced::is_shown(before) || !meant && occasion() != Occasion::Review {
        return None;
    }
    Some(Given {
        start: block.start + given.start,
        end: block.start + given.end,
        ..*given
    })
}

/// A line of YAML whose value stands in quotation marks, where it would be read as somebody's words: `verdict: "approved"`.
fn quoted(text: &str, block: &Block) -> Option<Given> {
    let body = text.get(block.start..block.end)?;
    if !data::may_quote(body) {
        return None;
    }
    let mut out: Option<Given> = None;
    for field in data::quoted(text, block) {
        if field.name.len() > 24 || key(field.name.trim()) != Key::Decision {
            continue;
        }
        let Some(answer) = decided(field.value) else {
            continue;
        };
        if fenced::is_shown(text.get(..field.line).unwrap_or_default()) {
            continue;
        }
        if out.is_none() || answer == Answer::Denied {
            out = Some(Given {
                start: field.start,
                end: field.start + field.value.len(),
                answer,
                chosen: false,
            });
        }
    }
    out
}

/// A ticked box that is one of a choice: `- [x] Approve` beside `- [ ] Reject`.
fn ticked(text: &str, reading: &Reading, at: usize) -> Option<Given> {
    let body = |block: &Block| {
        text.get(block.body..block.end)
            .map(|b| (block.body, b.trim_end()))
    };
    let (start, said) = body(reading.blocks.get(at)?)?;
    let answer = decided(said)?;
    let other = |at: Option<usize>| {
        let block = at.and_then(|at| reading.blocks.get(at))?;
        let open = matches!(
            block.kind,
            BlockKind::ListItem {
                checked: Some(false),
                ..
            }
        );
        body(block).filter(|_| open).and_then(|(_, said)| decided(said))
    };
    let others = [other(at.checked_sub(1)), other(Some(at + 1))];
    let lead = reading.blocks.get(at)?.start;
    let shown = fenced::is_shown(text.get(..lead).unwrap_or_default());
    (others.iter().flatten().any(|o| *o != answer) && !shown).then_some(Given {
        start,
        end: start + said.len(),
        answer,
        chosen: true,
    })
}

/// What a key speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    /// It asks for an approval: `approved`, `is_approved`, 승인.
    Approval,
    /// It names a decision: `verdict`, `decision`, 판정.
    Decision,
    /// It may hold one: `result`, `review`, 결과.
    Holds,
    Other,
}

/// Gathers what the fields say, in the order of their keys; offsets count from the beginning of the data.
fn walk(data: &str, from: usize, fields: &Map<String, Value>, deep: usize, out: &mut Vec<Given>) {
    for (name, value) in fields {
        let key = key(name);
        if key == Key::Other {
            continue;
        }
        let Some(at) = value_of(data, from, name) else {
            continue;
        };
        // Of a string what stands between its marks.
        let (start, end) = match value {
            Value::String(word) => (at + 1, at + 1 + word.len()),
            Value::Bool(yes) => (at, at + if *yes { 4 } else { 5 }),
            _ => (at, at),
        };
        let mut say = |answer: Option<Answer>| {
            out.extend(answer.map(|answer| Given {
                start,
                end,
                answer,
                chosen: false,
            }));
        };
        match (key, value) {
            (Key::Approval, Value::Bool(yes)) => say(Some(if *yes { Answer::Given } else { Answer::Denied })),
            (Key::Approval, Value::String(word)) => {
                let answer = field::answer(&word.to_lowercase(), false, false);
                say(answer.filter(|a| *a != Answer::Open));
            }
            (Key::Decision, Value::String(word)) => say(decided(word)),
            (Key::Decision | Key::Holds, Value::Object(inner)) if deep > 1 => {
                walk(data, at, inner, deep - 1, out);
            }
            _ => {}
        }
    }
}

/// Where the value of a key begins, behind an offset.
fn value_of(data: &str, from: usize, name: &str) -> Option<usize> {
    let behind = data.get(from..)?;
    let mut next = 0;
    memchr::memchr_iter(b'"', behind.as_bytes()).find_map(|at| {
        let rest = behind.get(at + 1..)?.strip_prefix(name)?.strip_prefix('"')?;
        // What is one key is not the beginning of the next.
        if at < next {
            return None;
        }
        next = at + name.len() + 2;
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        Some(data.len() - value.len())
    })
}

/// The words of a key, in lower case, with underscores between them: those of `isApproved` and of `approval_status`.
pub(super) struct Words<'n>(Cow<'n, str>);

impl<'n> Words<'n> {
    pub(super) fn of(name: &'n str) -> Self {
        // Most keys are one word already.
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let syllable = |c: char| matches!(c, '가'..='힣');
        if name.bytes().all(plain) || name.chars().all(syllable) {
            return Self(Cow::Borrowed(name));
        }
        let mut out = String::with_capacity(name.len() + 8);
        let mut low = false;
        let mut open = false;
        for c in name.chars() {
            if !c.is_alphanumeric() {
                (low, open) = (false, false);
                continue;
            }
            if !out.is_empty() && (!open || low && c.is_uppercase()) {
                out.push('_');
            }
            (low, open) = (c.is_lowercase(), true);
            if c.is_ascii() {
                out.push(c.to_ascii_lowercase());
            } else {
                out.extend(c.to_lowercase());
            }
        }
        Self(Cow::Owned(out))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('_').filter(|word| !word.is_empty())
    }

    /// As they are listed where they are a phrase.
    fn joined(&self) -> &str {
        &self.0
    }

    /// As they would be written in a text.
    pub(super) fn spaced(&self) -> Cow<'_, str> {
        if self.0.contains('_') {
            Cow::Owned(self.0.replace('_', " "))
        } else {
            Cow::Borrowed(&self.0)
        }
    }

    /// Whether they name what a review tells.
    pub(super) fn are_of_a_review(&self) -> bool {
        let of_review = tag::VERDICT
            | tag::APPROVE
            | tag::REFUSE
            | tag::CHECK
            | tag::RUN
            | tag::TESTS
            | tag::BUILD
            | tag::LINT
            | tag::TYPES
            | tag::DIFF
            | tag::LOGS
            | tag::TOOL
            | tag::BADRES
            | tag::OKRES
            | tag::CAUSE
            | tag::WORK
            | tag::MEASURE;
        let said = |word: &str| {
            matches!(
                word,
                "evidence"
                    | "summary"
                    | "reason"
                    | "reasons"
                    | "rationale"
                    | "note"
                    | "notes"
                    | "comment"
                    | "comments"
                    | "finding"
                    | "findings"
                    | "issues"
                    | "message"
                    | "confidence"
                    | "severity"
                    | "suggestions"
                    | "feedback"
                    | "explanation"
                    | "details"
                    | "settled"
                    | "근거"
                    | "이유"
                    | "요약"
                    | "의견"
                    | "설명"
                    | "지적"
            )
        };
        self.iter().any(|w| said(w) || lookup(w).any(of_review))
    }
}

fn key(name: &str) -> Key {
    let mut name = name;
    while let Some(rest) = name.strip_suffix("여부") {
        name = rest;
    }
    let words = Words::of(name);
    // Most keys are one word.
    let joined = words.joined();
    let listed = lookup(joined);
    let is = |word: &str, tags| {
        let known = if word.len() == joined.len() {
            listed
        } else {
            lookup(word)
        };
        known.any(tags)
    };
    let neutral = |word: &str| {
        matches!(
            word,
            "is" | "final"
                | "overall"
                | "review"
                | "reviewer"
                | "code"
                | "change"
                | "pr"
                | "work"
                | "최종"
                | "코드"
        )
    };
    let status = |word: &str| {
        matches!(
            word,
            "status" | "state" | "result" | "results" | "outcome" | "상태" | "결과"
        )
    };
    // `passed` and `ok` are answers of checks.
    let check = |word: &str| matches!(word, "pass" | "passed" | "ok" | "okay" | "통과" | "합격");
    let approves = |word: &str| is(word, tag::APPROVE) && !check(word);
    let rest = |known: &dyn Fn(&str) -> bool| words.iter().all(|w| known(w) || neutral(w) || status(w));
    if listed.any(tag::APPROVE) && !check(joined) || words.iter().any(approves) && rest(&approves) {
        return Key::Approval;
    }
    let decides = |word: &str| is(word, tag::VERDICT) && !status(word) && !neutral(word);
    if words.iter().any(decides) && rest(&decides) {
        return Key::Decision;
    }
    let holds = |word: &str| {
        matches!(
            word,
            "response" | "output" | "answer" | "report" | "summary" | "응답" | "답변" | "검토" | "리뷰"
        )
    };
    if !joined.is_empty() && rest(&|w| holds(w) || decides(w)) {
        Key::Holds
    } else {
        Key::Other
    }
}

/// Stems of words that permit, with which a decision is given.
const PERMITS: [&str; 21] = [
    "approv",
    "authoris",
    "authoriz",
    "sanction",
    "permit",
    "allow",
    "grant",
    "ratif",
    "endors",
    "accept",
    "confirm",
    "greenlight",
    "greenlit",
    "승인",
    "허가",
    "허용",
    "수락",
    "찬성",
    "동의",
    "가결",
    "인가",
];

/// Longest listed phrase of several words, in bytes.
const PHRASE: usize = 48;

/// What the value of a decision says. One that says more than a word of it is prose, and read as such.
pub(super) fn decided(value: &str) -> Option<Answer> {
    let words = Words::of(value);
    let mut each = words.iter();
    let (first, more) = (each.next()?, each.next().is_some());
    // Prose is longer than any phrase.
    let phrase = words.joined();
    let listed = !more || phrase.len() <= PHRASE;
    if listed && lookup(phrase).any(tag::REFUSE) || more && lookup(first).any(tag::REFUSE) {
        return Some(Answer::Denied);
    }
    let ends = |end: &str| {
        matches!(
            end,
            "" | "e" | "es" | "ed" | "s" | "y" | "ied" | "ies" | "ted" | "ting" | "ing"
        ) || matches!(
            end,
            "함" | "됨" | "임" | "합니다" | "됩니다" | "했습니다" | "되었습니다" | "됐습니다"
        )
    };
    let permits = PERMITS
        .iter()
        .any(|stem| first.strip_prefix(stem).is_some_and(&ends));
    (permits && !more).then_some(Answer::Given)
}

/// Whether all that stands beside a verdict belongs to a review, and not to a record of something else: `{"id": 7, "name":
/// "Kim", "approved": true}`.
fn is_of_review(fields: &Map<String, Value>) -> bool {
    fields
        .keys()
        .all(|name| key(name) != Key::Other || is_said_of_a_review(name))
}

/// Whether a key names what a review tells: a check, what came of it, why.
pub(super) fn is_said_of_a_review(name: &str) -> bool {
    Words::of(name).are_of_a_review()
}

/// Whether data stands where a verdict is given: alone, or behind words that lead to one.
fn is_meant(before: &str, behind: &str) -> bool {
    if before.trim().is_empty() {
        return behind.trim().is_empty() || !behind.trim_start().starts_with(|c: char| c.is_lowercase());
    }
    let lead = before.trim_end().lines().next_back().unwrap_or_default();
    Words::of(lead)
        .iter()
        .any(|w| lookup(w).any(tag::VERDICT) || matches!(w, "review" | "리뷰" | "검토"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_listed_phrase_is_longer_than_those_that_are_looked_up() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prose/lexicon");
        let mut count = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let lines = text.lines().map(|l| l.split('#').next().unwrap_or_default());
            for entry in lines.flat_map(str::split_whitespace).filter(|e| e.contains('_')) {
                // Only English ones are found by their words.
                assert!(!entry.is_ascii() || entry.len() <= PHRASE, "{entry}");
                count += 1;
            }
        }
        assert!(count > 500, "{count} phrases");
    }

    #[test]
    fn words_of_a_key_are_in_lower_case_and_apart() {
        for (key, words) in [
            ("", ""),
            ("approved", "approved"),
            ("isApproved", "is_approved"),
            ("approval_status", "approval_status"),
            ("  Final-Verdict: ", "final_verdict"),
            ("HTTPStatus2xx", "httpstatus2xx"),
            ("승인", "승인"),
            ("승인 여부", "승인_여부"),
            ("ÉtatFinal", "état_final"),
        ] {
            let found = Words::of(key);
            assert_eq!(found.joined(), words, "{key}");
            assert_eq!(found.spaced(), words.replace('_', " "), "{key}");
            let each: Vec<&str> = found.iter().collect();
            assert_eq!(each.join("_"), words, "{key}");
        }
    }
}
