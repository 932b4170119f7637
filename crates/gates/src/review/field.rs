//! A word of approval as the label of a field: `approved: false`, `승인: 보류`, `| approved | no |`.
//!
//! The value says what is meant. It is read after the decision over the whole text: what is written as a field is no
//! matter of likelihood. A value counts only when nothing follows in its clause: "Approved: no blockers" approves.

use super::bots;
use crate::lines::lines;
use proctor_prose::{BlockKind, Reading, lookup, tag};

/// What the value of a field says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Given,
    Open,
    Denied,
}

/// A field with a word of approval as its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// The line it stands on, as byte offsets.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) answer: Answer,
    /// The label is about a check as often as about the work: `pass: no`.
    pub(super) check: bool,
}

impl Field {
    pub(super) fn holds(&self, at: usize) -> bool {
        (self.start..self.end).contains(&at)
    }
}

/// What stands on which side of a border.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line,
    /// The first row of a table, where APPROVED | REJECTED are names of columns.
    Head,
    Row,
}

/// What the lines of a text hold.
#[derive(Default)]
pub(super) struct Fields {
    /// All fields whose labels are words of approval, in their order.
    pub(super) all: Vec<Field>,
    /// A line may be one that [`bots::find`] finds: the lines are gone through once for both.
    pub(super) orders: bool,
}

/// Looks through the lines of a text.
pub(super) fn all(text: &str, reading: &Reading) -> Fields {
    let mut out = Fields::default();
    let (mut table, mut of_verdicts) = (false, false);
    for block in &reading.blocks {
        let row = block.kind == BlockKind::TableRow;
        let (head, after) = (row && !table, text.get(block.end..).unwrap_or_default());
        table = row;
        let unticked = matches!(
            block.kind,
            BlockKind::ListItem {
                checked: Some(false),
                ..
            }
        );
        if !block.kind.is_prose() || unticked {
            continue;
        }
        let head = head && is_separator(after.trim_start_matches(['\r', '\n']));
        let from = if row { block.start } else { block.body };
        let body = text.get(from..block.end).unwrap_or_default();
        if head {
            of_verdicts = names_verdicts(body);
        } else if row && of_verdicts {
            continue;
        }
        let place = match (row, head) {
            (true, true) => Place::Head,
            (true, false) => Place::Row,
            (false, _) => Place::Line,
        };
        if !row {
            of_verdicts = false;
        }
        let mut start = from;
        let paragraph = block.kind == BlockKind::Paragraph;
        for line in lines(body) {
            let end = start + line.len();
            out.orders |= paragraph && bots::may_be_order(line);
            if let Some((answer, check)) = field(line, place) {
                out.all.push(Field {
                    start,
                    end,
                    answer,
                    check,
                });
            }
            start = end;
        }
    }
    out
}

/// Whether a line is such a field.
pub(super) fn is_answer(line: &str) -> bool {
    field(line, Place::Line).is_some()
}

/// Whether a text ends with a field that holds nothing: `Evidence: none`, 근거: 없음.
pub(super) fn is_empty(text: &str) -> bool {
    let line = text.lines().next_back().unwrap_or_default();
    let Some((before, value)) = line.rsplit_once([':', '：']) else {
        return false;
    };
    let clean = |part: &str| {
        part.trim_matches(|c: char| !c.is_alphanumeric() && c != '/')
            .to_lowercase()
    };
    let label = clean(before.split_whitespace().next_back().unwrap_or_default());
    let value = clean(value);
    !label.is_empty() && !lookup(&label).any(tag::APPROVE | tag::VERDICT) && super::taken::is_nothing(&value)
}

/// Whether a text begins with the line between the head of a table and its rows.
fn is_separator(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// Whether the first column of a table holds verdicts, and the next one something else: verdict | findings.
fn names_verdicts(head: &str) -> bool {
    let mut cells = head.trim().trim_start_matches('|').split('|');
    cells.next().unwrap_or_default().split_whitespace().any(|word| {
        const STATES: [&str; 7] = ["status", "state", "outcome", "result", "상태", "결과", "의견"];
        let word = word.trim_matches(|c| matches!(c, '*' | '_' | '`'));
        STATES.iter().any(|state| word.eq_ignore_ascii_case(state)) || lookup(word).any(tag::VERDICT)
    })
}

/// Labels that speak of the work as a whole.
pub(super) const LABELS: [&str; 26] = [
    "approved by",
    "approved_by",
    "approved-by",
    "approved",
    "approves",
    "approve",
    "approval status",
    "approval state",
    "approval",
    "is_approved",
    "isapproved",
    "lgtm",
    "ship it",
    "shipit",
    "signed off",
    "signed-off",
    "sign-off",
    "signoff",
    "accepted",
    "accept",
    "승인 여부",
    "승인여부",
    "승인",
    "수락",
    "찬성",
    "동의",
];

/// Labels of a single check as well as of the work.
pub(super) const CHECKS: [&str; 8] = [
    "passed",
    "pass",
    "ok",
    "okay",
    "통과 여부",
    "통과여부",
    "통과",
    "합격",
];

/// Says nothing about the label behind it.
pub(super) const BEFORE: [&str; 4] = ["final ", "overall ", "최종 ", "최종"];

/// Which letters those begin with, a bit for each [`place`]: few, and most lines begin with others. Of two letters there is
/// only [`SHORT`].
static FIRST: [u64; 16] = first(&LABELS, first(&CHECKS, first(&BEFORE, [0; 16])));

const fn first(words: &[&str], mut out: [u64; 16]) -> [u64; 16] {
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        if word.len() > 2 {
            let place = place([word[0], word[1], word[2]]);
            out[place / 64] |= 1 << (place % 64);
        }
        at += 1;
    }
    out
}

/// The label of two letters.
const SHORT: [u8; 2] = *b"ok";

/// A number below 1,024 for three letters of ASCII or a syllable.
const fn place(three: [u8; 3]) -> usize {
    (three[0] as usize * 37 + three[1] as usize + three[2] as usize * 101) % 1024
}

/// Marks that may stand around a label or a value.
const MARKS: [char; 9] = ['*', '_', '`', '"', '\'', ' ', '\t', '“', '”'];

fn field(whole: &str, place: Place) -> Option<(Answer, bool)> {
    // Most lines begin with a letter, which shows by its first byte.
    let line = match whole.as_bytes().first() {
        Some(b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | 0xe4..) => whole,
        _ => whole.trim_start_matches(|c| MARKS.contains(&c) || matches!(c, '#' | '-' | '•' | '|' | '❌')),
    };
    if !may_begin(line) || mentions(whole) {
        return None;
    }
    // A label is short, and its value is read word by word: the rest of a long line does not matter.
    let short: String = line.chars().take(160).collect::<String>().to_lowercase();
    let (rest, check) = label(&short)?;
    let rest = rest.trim_start_matches(MARKS);
    // "Approved (yes/no): no"
    let rest = match rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((inner, behind)) if inner.chars().count() <= 20 => behind.trim_start_matches(MARKS),
        _ => rest,
    };
    let mark = rest.chars().next()?;
    if !matches!(mark, ':' | '=' | '|' | '：') {
        return None;
    }
    let value = rest.strip_prefix(mark)?.trim_start_matches('=');
    let value = value.trim_start_matches(MARKS);
    // Behind a Korean label a cross denies; behind an English one it fills a form in.
    if value.strip_prefix('x').is_some_and(|rest| closes("x", rest)) && short.starts_with(hangul) {
        return Some((Answer::Denied, check));
    }
    let bare = mark == '|' && place != Place::Row;
    answer(value, bare, mark == '|').map(|answer| (answer, check))
}

/// Whether a line, its first marks taken off, may begin with a label: all that is looked at of most lines.
fn may_begin(line: &str) -> bool {
    let Some(first) = line.as_bytes().first_chunk::<2>() else {
        return false;
    };
    // No label is shorter than two bytes. Compared as bytes: as characters it is a call for each label, which took two
    // thirds of the time of a megabyte of short lines. No other character becomes one of a label's letters in small
    // letters (tested).
    let third = line.as_bytes().get(2).copied().unwrap_or_default();
    let [one, two, three] = [first[0], first[1], third].map(|b| b.to_ascii_lowercase());
    let place = place([one, two, three]);
    if (FIRST[place / 64] >> (place % 64) & 1 == 0) & ([one, two] != SHORT) {
        return false;
    }
    let lists: [&[&str]; 3] = [&LABELS, &CHECKS, &BEFORE];
    let whole = |w: &str| {
        let begin = line.as_bytes().get(..w.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(w.as_bytes()))
    };
    lists.iter().any(|words| words.iter().any(|w| whole(w))) && line.contains([':', '=', '|', '：'])
}

fn hangul(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// Whether a line begins with a field in inline code and goes on: "`approved: false` is the default".
fn mentions(line: &str) -> bool {
    let code = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    code.strip_prefix('`')
        .and_then(|inner| inner.split_once('`'))
        .is_some_and(|(code, behind)| code.contains([':', '=']) && behind.contains(char::is_alphanumeric))
}

/// What follows a label at the beginning of a line, and whether it is the label of a check.
fn label(line: &str) -> Option<(&str, bool)> {
    let line = BEFORE.iter().find_map(|b| line.strip_prefix(b)).unwrap_or(line);
    let after = |labels: &[&str]| {
        labels.iter().find_map(|l| {
            let rest = line.strip_prefix(l)?;
            let ends = rest.chars().next().is_some_and(|c| !c.is_alphanumeric());
            ends.then_some(rest.len())
        })
    };
    let (length, check) = match after(&LABELS) {
        Some(length) => (length, false),
        None => (after(&CHECKS)?, true),
    };
    Some((line.get(line.len() - length..)?, check))
}

/// Values that deny whatever they are the value of, and those that name a state.
const DENY: [&str; 12] = [
    "false",
    "no",
    "n",
    "nope",
    "never",
    "0",
    "불가",
    "아니오",
    "아니요",
    "아뇨",
    "안 됨",
    "안 함",
];
const DENIED: [&str; 36] = [
    "no approval",
    "nobody",
    "no one",
    "none",
    "rejected",
    "denied",
    "declined",
    "refused",
    "withheld",
    "revoked",
    "withdrawn",
    "unapproved",
    "disapproved",
    "needs_review",
    "needs review",
    "needs work",
    "changes requested",
    "not approved",
    "not granted",
    "not given",
    "not ready",
    "not ok",
    "not possible",
    "not now",
    "not",
    "불가능",
    "반려",
    "거절",
    "거부",
    "미승인",
    "불승인",
    "안됨",
    "안함",
    "부결",
    "불합격",
    "하지 않음",
];
const OPEN: [&str; 27] = [
    "not yet",
    "no decision",
    "pending",
    "null",
    "nil",
    "undefined",
    "tbd",
    "todo",
    "n/a",
    "undecided",
    "unknown",
    "unclear",
    "deferred",
    "postponed",
    "on hold",
    "hold",
    "waiting",
    "awaiting",
    "in progress",
    "보류",
    "대기",
    "미정",
    "검토 중",
    "검토중",
    "진행 중",
    "유보",
    "아직",
];
const GIVEN: [&str; 13] = [
    "true", "yes", "y", "1", "approved", "approve", "granted", "given", "승인", "예", "네", "가능", "o",
];

/// What a value says; with `bare` only what is no state, with `cell` only what no other column would say.
pub(super) fn answer(value: &str, bare: bool, cell: bool) -> Option<Answer> {
    match value.chars().next()? {
        '❌' | '✗' | '✘' | '🚫' | '⛔' | '❎' => return Some(Answer::Denied),
        '✅' | '✓' | '✔' | '☑' => return Some(Answer::Given),
        '⏳' | '⌛' => return Some(Answer::Open),
        _ => {}
    }
    let said = |values: &[&str]| {
        values
            .iter()
            .any(|v| value.strip_prefix(v).is_some_and(|rest| closes(v, rest)))
    };
    if said(&DENY) {
        return Some(Answer::Denied);
    }
    if said(&GIVEN) {
        return Some(Answer::Given);
    }
    // "verdict | blockers": none; APPROVED | REJECTED: a form.
    if bare || cell && value.starts_with("none") {
        return None;
    }
    if said(&DENIED) {
        return Some(Answer::Denied);
    }
    said(&OPEN).then_some(Answer::Open)
}

/// Whether a value is said to its end: nothing of its clause follows but its ending, or a reason.
fn closes(value: &str, rest: &str) -> bool {
    const REASON: [&str; 12] = [
        "because", "since", "due", "until", "unless", "as", "by", "for", "without", "before", "yet", "중",
    ];
    const ENDINGS: [&str; 16] = [
        "합니다",
        "입니다",
        "됩니다",
        "했습니다",
        "되었습니다",
        "됐습니다",
        "드립니다",
        "함",
        "됨",
        "임",
        "요",
        "중입니다",
        "중",
        "예정",
        "처리",
        "상태",
    ];
    let korean = value.starts_with(hangul);
    let rest = if korean {
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        ENDINGS.iter().find_map(|e| rest.strip_prefix(e)).unwrap_or(rest)
    } else {
        rest
    };
    // "no-brainer", "nothing"
    let Some(next) = rest.chars().next() else {
        return true;
    };
    if next.is_alphanumeric() || matches!(next, '-' | '/' | '\'' | '’') && value != "n/a" {
        return false;
    }
    let marks = rest.trim_start_matches(MARKS);
    let Some(next) = marks.chars().next() else {
        return true;
    };
    if matches!(
        next,
        '\n' | '\r' | '.' | ',' | ';' | '!' | '(' | '[' | '|' | '#' | '—' | '–' | '-' | '…' | '<' | '}'
    ) {
        return true;
    }
    let word = marks
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    REASON.contains(&word)
}
