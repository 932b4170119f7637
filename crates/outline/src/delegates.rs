//! `DELEGATE::agent::text` lines: how one agent hands work to another in plain text.

use crate::text::slice;
use std::fmt::Write as _;

/// One `DELEGATE` line.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Delegate {
    /// The agent that is asked.
    pub agent: String,
    /// What it is asked to do: the rest of the line and the lines that follow, up to the next
    /// `DELEGATE` line.
    pub payload: String,
}

/// A `DELEGATE` marker at the beginning of a line: its byte range and the agent's name.
struct Marker {
    start: usize,
    payload: usize,
    agent: String,
}

/// The `DELEGATE::agent::text` and `DELEGATE_BG::agent::text` lines of a text. Lines in quotes and in
/// blocks of code are examples, not delegations.
#[must_use]
pub fn delegates(text: &str) -> Vec<Delegate> {
    let text = &crate::text::ends(text, crate::LOOKED_AT).0;
    let markers = markers(text);
    let ends = markers.iter().skip(1).map(|m| m.start).chain([text.len()]);
    markers
        .iter()
        .zip(ends)
        .map(|(marker, end)| Delegate {
            agent: marker.agent.clone(),
            payload: slice(text, marker.payload, end).trim().to_owned(),
        })
        .collect()
}

fn markers(text: &str) -> Vec<Marker> {
    let mut out = Vec::new();
    let mut at = 0;
    let lines = crate::layout::lines(text);
    for (line, raw) in lines.iter().zip(text.split_inclusive('\n')) {
        let start = at;
        at += raw.len();
        if line.is_fence || line.fence.is_some() || line.quoted {
            continue;
        }
        let begin = raw.find("DELEGATE").unwrap_or(raw.len());
        let lead = slice(raw, 0, begin);
        if lead.chars().any(|c| c.is_alphanumeric() || c == '`' || c == '"') {
            continue;
        }
        let below = slice(text, at, text.len());
        let Some((agent, length)) = parse(slice(raw, begin, raw.len()), below) else {
            continue;
        };
        out.push(Marker {
            start,
            payload: start + begin + length,
            agent,
        });
    }
    out
}

/// The agent's name, and how many bytes marker and name take. `below` is what stands behind the line.
fn parse(text: &str, below: &str) -> Option<(String, usize)> {
    let after = text.strip_prefix("DELEGATE")?;
    let rest = match after.strip_prefix('_') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_'),
        None => after,
    };
    let rest = rest.strip_prefix("::")?;
    let (agent, payload) = match rest.split_once("::") {
        Some(parts) => parts,
        // The name stands alone, and what is to be done below it.
        None if is_one_name(rest) && !below.trim().is_empty() => (rest, ""),
        None => return None,
    };
    let agent = agent.trim();
    let fits = !agent.is_empty() && agent.chars().count() <= 80 && !agent.contains(['\n', '`']);
    fits.then(|| (agent.to_owned(), text.len() - payload.len()))
}

fn is_one_name(line: &str) -> bool {
    let name = line.trim();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.starts_with(char::is_alphanumeric) && name.chars().all(is_part)
}

/// The text with each `DELEGATE::agent::` replaced by a line break, and whether there was one.
pub(crate) fn unwrap(text: &str) -> (String, bool) {
    let markers = markers(text);
    if markers.is_empty() {
        return (text.to_owned(), false);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for marker in &markers {
        out.push_str(slice(text, at, marker.start));
        out.push('\n');
        at = marker.payload;
    }
    out.push_str(slice(text, at, text.len()));
    (out, true)
}

/// The text with each line `DELEGATE: order -> a.ts, b.ts`, which names no agent, as a task with its scope. An arrow that
/// leads to anything but files is one of the order's own.
pub(crate) fn with_scopes(text: String) -> String {
    if !text.contains("DELEGATE") {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 32);
    let lines = crate::layout::lines(&text);
    for (line, raw) in lines.iter().zip(text.split_inclusive('\n')) {
        let prose = !line.is_fence && line.fence.is_none() && !line.quoted;
        match order(raw).filter(|_| prose) {
            Some((order, files)) => {
                if !order.is_empty() {
                    let _ = writeln!(out, "TASK: {order}");
                }
                if !files.is_empty() {
                    let _ = writeln!(out, "SCOPE: {files}");
                }
            }
            None => out.push_str(raw),
        }
    }
    out
}

/// The order and the files of such a line; one of them may be empty: `DELEGATE: fix a.ts`, `DELEGATE to worker: a.ts`.
fn order(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '"'));
    let rest = rest.strip_prefix("DELEGATE")?;
    let rest = rest.strip_prefix("_BG").unwrap_or(rest);
    let (rest, named) = match to_whom(rest) {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let colon = rest.strip_prefix(':');
    let arrow = ARROWS.iter().find_map(|arrow| rest.strip_prefix(arrow));
    let rest = colon.or_else(|| arrow.filter(|_| named))?;
    if rest.starts_with(':') {
        return None;
    }
    let with_files = ARROWS
        .iter()
        .find_map(|arrow| rest.rsplit_once(arrow))
        .map(|(order, files)| (order.trim(), files.trim().trim_end_matches('.')))
        .filter(|(order, files)| !order.is_empty() && are_files(files));
    let whole = rest.trim();
    // What has a label of its own is read by that.
    let labelled = crate::labels::at_start(whole).is_some() || whole.contains('|');
    with_files.or_else(|| {
        (!whole.is_empty() && !labelled).then_some(if are_files(whole.trim_end_matches('.')) {
            ("", whole)
        } else {
            (whole, "")
        })
    })
}

const ARROWS: [&str; 3] = ["->", "→", "=>"];

/// What follows the name of the one who is asked: `(worker)`, ` to worker`, ` @worker`.
fn to_whom(rest: &str) -> Option<&str> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() <= 80
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    let inner = rest.trim_start();
    if let Some((name, behind)) = inner.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        return is_name(name.trim()).then_some(behind.trim_start());
    }
    let inner = inner
        .strip_prefix("to ")
        .or_else(|| inner.strip_prefix('@'))?
        .trim_start();
    let inner = inner.strip_prefix('@').unwrap_or(inner);
    let end = inner.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-' && !inner.is_empty()))?;
    let (name, behind) = inner.split_at_checked(end)?;
    is_name(name.trim_end_matches('-')).then_some(behind.trim_start())
}

/// Whether a text is nothing but names of files.
fn are_files(text: &str) -> bool {
    let words = || text.split([',', ' ']).map(str::trim);
    let names = || words().filter(|word| !matches!(*word, "" | "and" | "&" | "및"));
    names().next().is_some() && names().all(|name| crate::paths::find(name).len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_agents_and_payloads() {
        let text = "Plan:\nDELEGATE::DevBot::Refactor src/foo.ts EXPECTED OUTCOME: src/foo.ts\n- keep it small\n\
                    DELEGATE_BG::Reviewer::리뷰 부탁\n`DELEGATE::x::y`\n> DELEGATE::q::z\nsay DELEGATE::a::b";
        let found = delegates(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].agent, "DevBot");
        assert!(found[0].payload.ends_with("- keep it small"));
        assert!(found[1].payload.starts_with("리뷰 부탁"));
        assert!(delegates("DELEGATE::only").is_empty());
        assert!(delegates("DELEGATE::only\n\n").is_empty());
        assert!(delegates("DELEGATE::two words\nfix it").is_empty());
        let found = delegates("DELEGATE::DevBot\r\nTASK: fix it\n\nDELEGATE::Reviewer::look");
        assert_eq!(found[0].agent, "DevBot");
        assert_eq!(found[0].payload, "TASK: fix it");
        assert_eq!(found[1].payload, "look");
        assert!(delegates("DELEGATED::a::b").is_empty());
    }
}
