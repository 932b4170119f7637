//! What stands inside a line and is not the writer's running text: inline code, quotations, struck text.

use crate::scan;

/// A stretch of a segment with a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: MaskKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaskKind {
    /// Between backticks.
    Code,
    /// Between quotation marks.
    Quoted,
    /// Between double tildes.
    Struck,
}

/// Longest quotation, in bytes; beyond it two marks are taken for unrelated ones.
const LONGEST_QUOTE: usize = 600;

/// Appends the masks of `text[from..to]` to an empty list, ascending and without overlap of code with anything.
pub(crate) fn masks(text: &str, from: usize, to: usize, out: &mut Vec<Mask>) {
    let bytes = text.as_bytes();
    // A mark whose partner was not found once will not find one later on: each search is made once.
    let mut unpaired_code = [false; 8];
    let mut unpaired_until = [0usize; QUOTES.len()];
    let mut struck_from: Option<usize> = None;
    let mut at = from;
    while let Some(rest) = bytes.get(at..to) {
        let Some(skip) = scan::first(rest, apart, |b| MARKS[usize::from(b)]) else {
            break;
        };
        at += skip;
        let b = bytes.get(at).copied().unwrap_or_default();
        if b == b'`' {
            let length = run(bytes, at, to, b'`');
            let slot = length.min(7);
            let close = if unpaired_code.get(slot).copied().unwrap_or(true) {
                None
            } else {
                closing(bytes, at + length, to, length)
            };
            match close {
                Some(end) => {
                    out.push(Mask {
                        start: at,
                        end,
                        kind: MaskKind::Code,
                    });
                    at = end;
                }
                None => {
                    if let Some(flag) = unpaired_code.get_mut(slot) {
                        *flag = length < 7;
                    }
                    at += length;
                }
            }
            continue;
        }
        if b == b'~' && run(bytes, at, to, b'~') == 2 {
            match struck_from.take() {
                Some(start) => out.push(Mask {
                    start,
                    end: at + 2,
                    kind: MaskKind::Struck,
                }),
                None => struck_from = Some(at),
            }
            at += 2;
            continue;
        }
        if b != b'~'
            && let Some(end) = quotation(text, from, at, to, &mut unpaired_until)
        {
            out.push(Mask {
                start: at,
                end,
                kind: MaskKind::Quoted,
            });
            at = end;
            continue;
        }
        at += 1;
    }
    out.sort_by_key(|m| m.start);
}

/// How far a byte is from those that something of these begins with; 0 for one of them.
const fn apart(b: u8) -> u8 {
    const fn nearer(one: u8, other: u8) -> u8 {
        if one < other { one } else { other }
    }
    let ascii = nearer(nearer(b ^ b'`', b ^ b'~'), nearer(b ^ b'"', b ^ b'\''));
    // The first byte of one that is not ASCII: 0xe2, 0xe3 or 0xc2.
    nearer(ascii, nearer((b & 0xfe) ^ 0xe2, b ^ 0xc2))
}

/// Whether something of these begins with a byte, looked up.
static MARKS: [bool; 256] = {
    let mut out = [false; 256];
    let mut at = 0;
    while at < out.len() {
        out[at] = apart(at as u8) == 0;
        at += 1;
    }
    out
};

fn run(bytes: &[u8], at: usize, to: usize, mark: u8) -> usize {
    bytes
        .get(at..to)
        .map_or(0, |b| b.iter().take_while(|b| **b == mark).count())
}

/// The end of the backtick run of the same length that closes a code span.
fn closing(bytes: &[u8], mut at: usize, to: usize, length: usize) -> Option<usize> {
    while at < to {
        at += bytes.get(at..to)?.iter().position(|b| *b == b'`')?;
        let found = run(bytes, at, to, b'`');
        if found == length {
            return Some(at + found);
        }
        at += found;
    }
    None
}

/// Opening and closing marks.
const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('«', '»'),
    ('〈', '〉'),
];

/// The end of the quotation that opens at `at`, if one does.
fn quotation(
    text: &str,
    from: usize,
    at: usize,
    to: usize,
    unpaired_until: &mut [usize; QUOTES.len()],
) -> Option<usize> {
    let rest = text.get(at..to)?;
    let mark = rest.chars().next()?;
    let (index, (open, close)) = QUOTES.iter().enumerate().find(|(_, (open, _))| mark == *open)?;
    if at < *unpaired_until.get(index)? {
        return None;
    }
    let straight = open == close;
    let before = text.get(from..at)?.chars().next_back();
    let inside = text.get(at + open.len_utf8()..to)?;
    // A straight mark opens where a word could begin; an apostrophe does not.
    if straight && before.is_some_and(char::is_alphanumeric) || inside.starts_with([' ', '\n']) {
        return None;
    }
    let mut limit = inside.len().min(if matches!(open, '\'' | '‘') {
        LONGEST_QUOTE / 4
    } else {
        LONGEST_QUOTE
    });
    while !inside.is_char_boundary(limit) {
        limit -= 1;
    }
    let window = inside.get(..limit)?;
    let mut search = 0;
    // Looked for mark by mark: of a row of marks each finds its partner beside it.
    let paragraph = loop {
        let found = window.get(search..).and_then(|w| w.find(*close));
        let gap = window
            .get(search..found.map_or(window.len(), |found| search + found))
            .and_then(|between| between.find("\n\n"));
        let (None, Some(found)) = (gap, found) else {
            break gap.map(|gap| search + gap);
        };
        let end = search + found + close.len_utf8();
        let after = inside.get(end..).and_then(|s| s.chars().next());
        let apostrophe = matches!(close, '\'' | '’') && after.is_some_and(|c| c.is_ascii_alphanumeric());
        if !apostrophe && found + search > 0 {
            return Some(at + open.len_utf8() + end);
        }
        search = end;
    };
    if let Some(known) = unpaired_until.get_mut(index) {
        *known = at + open.len_utf8() + paragraph.unwrap_or(window.len());
    }
    None
}
