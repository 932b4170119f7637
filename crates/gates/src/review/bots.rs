//! Lines that bots read as a verdict: `/approve`, `/lgtm` and `@bors r+` alone on a line, and trailers such as
//! `Reviewed-by:`.
//!
//! They are no matter of likelihood: whoever writes one lets a bot merge. They are looked for beside the decision over the
//! whole message, which does not know of them.

use super::approval::Found;
use super::field;
use crate::lines::lines;
use proctor_prose::{BlockKind, Reading};

/// The verdicts of a text for bots.
#[derive(Default)]
pub(super) struct Orders {
    /// Those that stand, in their order; none where the last of them takes the others back.
    pub(super) given: Vec<Found>,
    /// Where the last line ends that takes an approval back.
    pub(super) taken: Option<usize>,
}

/// Finds them.
pub(super) fn find(text: &str, reading: &Reading) -> Orders {
    let mut out = Orders::default();
    for block in reading.blocks.iter().filter(|b| b.kind == BlockKind::Paragraph) {
        let body = text.get(block.body..block.end).unwrap_or_default();
        // A commit message has trailers of other kinds as well, and is shown, not said.
        let trailers = || body.lines().all(|line| trailer(line).is_some());
        let mut at = block.body;
        for line in lines(body) {
            let from = at;
            at += line.len();
            if !may_be_order(line) {
                continue;
            }
            let said = line.trim();
            let start = from + (line.len() - line.trim_start().len());
            match order(said) {
                Some(false) => {
                    out.given.clear();
                    out.taken = Some(at);
                    continue;
                }
                Some(true) => {}
                None if trailer(said) == Some(true) && trailers() => {}
                None => continue,
            }
            out.given.push(Found {
                start,
                end: start + said.len(),
                // Each such line is a verdict of its own, also where several are read as one clause.
                clause: reading.clauses.len() + out.given.len(),
                formal: true,
                stated: true,
                relayed: false,
            });
        }
    }
    out
}

/// Whether a text says nothing but these.
pub(super) fn is_all(text: &str, found: &[Found]) -> bool {
    let blank = |from: usize, to: usize| text.get(from..to).unwrap_or_default().trim().is_empty();
    let mut from = 0;
    found
        .iter()
        .all(|f| blank(std::mem::replace(&mut from, f.end), f.start))
        && blank(from, text.len())
}

/// What the lines begin with that are looked at, behind the marks of a name; in small letters.
const HEADS: [&str; 7] = [
    "/",
    "bors",
    "homu",
    "rust-bors",
    "reviewed-by",
    "acked-by",
    "tested-by",
];

/// The first two letters of those that begin with letters.
const BEGINNINGS: [u16; 6] = {
    let mut out = [0; 6];
    let mut at = 0;
    while at < out.len() {
        let head = HEADS[at + 1].as_bytes();
        out[at] = u16::from_be_bytes([head[0], head[1]]);
        at += 1;
    }
    out
};

/// Whether a line may be such a verdict: of most lines no more is looked at.
pub(super) fn may_be_order(line: &str) -> bool {
    // What begins with a letter begins with two that one of the heads begins with, which is rare.
    let may = |begin: &[u8; 2]| match begin.map(|b| b.to_ascii_lowercase()) {
        [b'/' | b'@', _] => true,
        [first, second] => {
            let letters = u16::from_be_bytes([first, second]);
            BEGINNINGS.iter().fold(false, |any, two| any | (*two == letters))
        }
    };
    let plain = |b: u8| b.is_ascii_graphic() | (b >= 0xe4);
    if let Some(begin) = line.as_bytes().first_chunk()
        && plain(begin[0])
        && !may(begin)
    {
        return false;
    }
    let said = line.trim_start().trim_start_matches('@').as_bytes();
    let begins = |head: &str| {
        said.get(..head.len())
            .is_some_and(|s| s.eq_ignore_ascii_case(head.as_bytes()))
    };
    HEADS.iter().any(|head| begins(head))
}

/// Whether a line orders a bot to take an approval down (true), or to take it back (false).
fn order(line: &str) -> Option<bool> {
    let name = line.split([' ', ':']).next().unwrap_or_default();
    if line.len() > 48 || !(line.starts_with('/') || is_merge_queue(name)) {
        return None;
    }
    let line = line.to_ascii_lowercase();
    if !line.starts_with('/') {
        return merge_queue(&line);
    }
    let mut words = line.split_whitespace();
    match (words.next()?, words.next(), words.next()) {
        ("/approve" | "/lgtm", None | Some("no-issue"), None) => Some(true),
        ("/approve" | "/lgtm", Some("cancel"), None)
        | ("/unapprove" | "/remove-approve" | "/remove-lgtm", None, None) => Some(false),
        _ => None,
    }
}

/// Whether it is the name of a merge queue.
fn is_merge_queue(name: &str) -> bool {
    let name = name.trim_start_matches('@');
    ["bors", "homu", "rust-bors"]
        .iter()
        .any(|n| name.eq_ignore_ascii_case(n))
}

/// The same for the words that a merge queue obeys, behind its name: `@bors r+`, `bors r=ann p=1`, `bors r-`.
fn merge_queue(line: &str) -> Option<bool> {
    let (name, order) = line.split_once([' ', ':'])?;
    if !is_merge_queue(name) {
        return None;
    }
    match order.split_whitespace().next()? {
        "r+" | "merge" => Some(true),
        "r-" | "merge-" => Some(false),
        order => order.starts_with("r=").then_some(true),
    }
}

/// Whether a line is the trailer of a review: true where it is given, false where it only goes with one.
fn trailer(line: &str) -> Option<bool> {
    let (label, value) = line.split_once(':')?;
    let value = value.trim();
    let is = |name: &str| label.trim().eq_ignore_ascii_case(name);
    let given = is("reviewed-by") || is("acked-by");
    if !given && !is("tested-by") {
        return None;
    }
    // A form, or a review that nobody made.
    let open = value.starts_with('<') && !value.contains('@');
    if value.is_empty() || open || field::is_answer(&format!("approved: {value}")) {
        return None;
    }
    Some(given)
}
