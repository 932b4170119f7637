//! A verdict in a fence: agents that are told to answer in JSON put it between backticks.
//!
//! Code is not prose, and what a fence holds is mostly code. One whose lines are the fields of a verdict is the answer
//! itself and is read as if it stood without its fence, at the same places of the text.

use super::{field, given};
use proctor_prose::{Block, BlockKind, Reading, lookup, tag};

/// Longest fence that may be an answer, in bytes.
const LONGEST: usize = 4096;

/// The text without the marks of the fences that hold a verdict, as long as before; `None` when there is none.
pub(super) fn opened(text: &str, reading: &Reading) -> Option<String> {
    let mut out: Option<String> = None;
    for block in &reading.blocks {
        // Neither begins with anything else; most blocks do.
        let first = text.as_bytes().get(block.start);
        if !matches!(first, Some(b'*' | b' ' | b'`' | b'~')) {
            continue;
        }
        if block.kind == BlockKind::Paragraph {
            in_line(text, block, &mut out);
        }
        if block.kind != BlockKind::Code {
            continue;
        }
        let whole = text.get(block.start..block.end)?;
        if whole.len() > LONGEST || !(whole.starts_with("```") || whole.starts_with("~~~")) {
            continue;
        }
        let before = text.get(..block.start).unwrap_or_default();
        let behind = text.get(block.end..).unwrap_or_default();
        let alone = before.trim().is_empty() && behind.trim().is_empty();
        if !answers(whole, alone) || is_shown(before) {
            continue;
        }
        let plain = out.get_or_insert_with(|| text.to_owned());
        let mut at = block.start;
        for line in whole.split_inclusive('\n') {
            if line.starts_with("```") || line.starts_with("~~~") {
                let marks = line.trim_end().len();
                plain.replace_range(at..at + marks, &" ".repeat(marks));
            }
            at += line.len();
        }
    }
    out
}

/// A paragraph that is one piece of inline code, and a verdict: `**`VERDICT: APPROVE`**`. Its marks are taken away.
fn in_line(text: &str, block: &Block, out: &mut Option<String>) {
    let Some(whole) = text.get(block.start..block.end).filter(|w| w.len() <= LINE) else {
        return;
    };
    if !whole.trim_start_matches(['*', ' ']).starts_with('`') {
        return;
    }
    let marks = ['`', '*', ' '];
    let inner = whole.trim_matches(marks);
    let before = text.get(..block.start).unwrap_or_default();
    if inner.contains('`') || !answers(&format!("```\n{inner}\n```"), false) || is_shown(before) {
        return;
    }
    let lead = whole.len() - whole.trim_start_matches(marks).len();
    let plain = out.get_or_insert_with(|| text.to_owned());
    plain.replace_range(block.start..block.start + lead, &" ".repeat(lead));
    let tail = block.start + lead + inner.len()..block.end;
    let blank = " ".repeat(tail.len());
    plain.replace_range(tail, &blank);
}

/// Longest paragraph that may be a verdict in inline code, in bytes.
const LINE: usize = 80;

/// Whether what leads to a fence says that it is shown and not said: an example, a form, somebody's words.
pub(crate) fn is_shown(before: &str) -> bool {
    const PHRASES: [&str; 3] = ["e.g", "like this", "such as"];
    const STEMS: [&str; 6] = ["예", "형식", "양식", "처럼", "출력", "설정"];
    let lead = before.trim_end();
    let line = lead.lines().next_back().unwrap_or_default();
    if !line.contains(char::is_alphanumeric) {
        return false;
    }
    let line = line.to_lowercase();
    let shows = |word: &str| {
        matches!(
            word.strip_suffix('s').unwrap_or(word),
            "example"
                | "format"
                | "form"
                | "template"
                | "instead"
                | "would"
                | "could"
                | "should"
                | "print"
                | "printed"
                | "output"
                | "return"
                | "returned"
                | "config"
                | "schema"
                | "wrote"
                | "said"
        ) || STEMS.iter().any(|stem| word.starts_with(stem))
    };
    PHRASES.iter().any(|phrase| line.contains(phrase))
        || line.split(|c: char| !c.is_alphanumeric()).any(shows)
}

/// Whether the lines of a fence are an answer: one of them is a field that gives a verdict. A label that only says
/// `approved` counts where the fence stands `alone`.
fn answers(fence: &str, alone: bool) -> bool {
    let mut lines = fence.lines();
    let info = lines.next().unwrap_or_default().trim_start_matches(['`', '~']);
    if ![
        "", "json", "jsonc", "yaml", "yml", "text", "txt", "md", "markdown",
    ]
    .contains(&info.trim())
    {
        return false;
    }
    let mut found = false;
    for line in lines.flat_map(|l| l.split(['{', ',', '}'])) {
        let Some((label, value)) = line.split_once([':', '=']) else {
            continue;
        };
        let clean = |part: &str| {
            let marks = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '*' | '`');
            part.trim_matches(marks).to_lowercase()
        };
        let (label, value) = (clean(label), clean(value));
        let mut words = label.split([' ', '_', '-']);
        let labelled = !label.is_empty() && label.len() <= 24 && words.any(|w| lookup(w).any(tag::VERDICT));
        // A form to fill in, or a type.
        if labelled && value.contains(['<', '|', '/']) {
            return false;
        }
        let verdict = labelled
            && (lookup(value.split(' ').next().unwrap_or_default()).any(tag::APPROVE | tag::REFUSE)
                || value.contains('_') && lookup(&value).any(tag::REFUSE)
                || given::decided(&value).is_some());
        found |= verdict || alone && field::is_answer(&format!("{label}: {value}"));
    }
    found
}
