//! What came of a call, without what changes by itself.

use proctor_kernel::{Mark, ToolCall, ToolKind, ToolOutcome};

/// Longest part of an output that is looked at, at each end, in bytes.
const LOOKED_AT: usize = 16 << 10;

/// Fingerprint of an outcome. Of a failure all figures are left out, because clocks, process ids, ports and
/// line numbers of generated files hide the same error; of a success only those that are times, ids and
/// temporary names, because its figures may be progress.
#[must_use]
pub fn outcome_mark(outcome: &ToolOutcome) -> Mark {
    let failed = outcome.ok == Some(false);
    let mut text = format!("{:?}\n{:?}\n", outcome.ok, outcome.exit);
    let output = outcome
        .output
        .as_deref()
        .or(outcome.answer.as_deref())
        .unwrap_or_default();
    if output.len() <= 2 * LOOKED_AT {
        normalise(output, failed, &mut text);
    } else {
        let head = output.floor_char_boundary(LOOKED_AT);
        let tail = output.ceil_char_boundary(output.len().saturating_sub(LOOKED_AT));
        normalise(output.get(..head).unwrap_or_default(), failed, &mut text);
        normalise(output.get(tail..).unwrap_or_default(), failed, &mut text);
    }
    Mark::of(text.as_bytes())
}

/// Writes the text with its volatile parts replaced, word by word.
fn normalise(text: &str, failed: bool, out: &mut String) {
    for word in text.split_ascii_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        if is_temporary(bare) {
            out.push('~');
        } else if is_id(bare) || is_time(bare) {
            out.push('#');
        } else if failed {
            let mut digits = false;
            for c in word.chars() {
                if c.is_ascii_digit() {
                    if !digits {
                        out.push('#');
                    }
                    digits = true;
                } else {
                    digits = false;
                    out.push(c);
                }
            }
        } else {
            out.push_str(word);
        }
        out.push(' ');
    }
}

fn is_temporary(word: &str) -> bool {
    ["/tmp/", "/var/folders/", "/private/tmp/", "/dev/shm/", "/proc/"]
        .iter()
        .any(|folder| word.contains(folder))
}

/// Long hexadecimal numbers and identifiers made of them.
fn is_id(word: &str) -> bool {
    let word = word.strip_prefix("0x").unwrap_or(word);
    let hex = word.bytes().filter(u8::is_ascii_hexdigit).count();
    let rest = word
        .bytes()
        .filter(|b| !b.is_ascii_hexdigit() && *b != b'-')
        .count();
    hex >= 8 && rest == 0 && word.bytes().any(|b| b.is_ascii_digit())
}

/// Durations, clock times and dates: `0.03s`, `12ms`, `14:02:11`, `2026-11-21T14:02:11Z`.
fn is_time(word: &str) -> bool {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',');
    if unit.len() < word.len()
        && matches!(
            unit,
            "s" | "ms" | "us" | "µs" | "ns" | "sec" | "secs" | "seconds" | "m" | "min" | "초" | "밀리초"
        )
    {
        return true;
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let clock = word.bytes().filter(|b| *b == b':').count() >= 2 || word.matches('-').count() == 2;
    clock && digits >= 6
}

/// How a call waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// It does not.
    No,
    /// It waits, or asks how something is getting on, and does nothing else: how it ends is the answer.
    Asks,
    /// It waits first, and does something then: that it fails again and again is no waiting.
    First,
}

/// Whether a call waits or asks how something is getting on.
pub(super) fn waits(call: &ToolCall) -> Wait {
    const TOOLS: [&str; 6] = [
        "TaskOutput",
        "BashOutput",
        "Monitor",
        "ListAgents",
        "KillShell",
        "TaskStop",
    ];
    if TOOLS.contains(&call.name.as_str()) {
        return Wait::Asks;
    }
    let Some(line) = call.command.as_deref().filter(|_| call.kind == ToolKind::Shell) else {
        return Wait::No;
    };
    let line = canonical(line);
    let mut words = line.split_ascii_whitespace();
    let waits = match words.next() {
        Some("sleep" | "wait" | "watch") => true,
        Some("gh") => line.contains(" --watch") || line.contains("run watch") || line.contains("pr checks"),
        Some("kubectl") => words.any(|w| matches!(w, "wait" | "rollout")),
        _ => false,
    };
    match (waits, line.contains([';', '&', '|', '\n', '`', '$', '('])) {
        (false, _) => Wait::No,
        (true, false) => Wait::Asks,
        (true, true) => Wait::First,
    }
}

/// A command line as the shell reads it, as far as that tells nothing apart: without comments, and with one blank between
/// words. What stands between quotes stays as it is.
pub(super) fn canonical(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.trim().chars().peekable();
    let mut quote = None;
    // A blank, or the end of a line, that is written before the next word.
    let mut gap: Option<char> = None;
    let mut begins = true;
    while let Some(c) = chars.next() {
        if let Some(mark) = quote {
            out.push(c);
            if c == mark {
                quote = None;
            } else if c == '\\' && mark == '"' {
                out.extend(chars.next());
            }
            continue;
        }
        if c == '#' && begins {
            while chars.peek().is_some_and(|next| *next != '\n') {
                chars.next();
            }
            continue;
        }
        if c.is_whitespace() {
            let line_ends = c == '\n' || gap == Some('\n');
            gap = Some(if line_ends { '\n' } else { ' ' });
            begins = true;
            continue;
        }
        if let Some(gap) = gap.take()
            && !out.is_empty()
        {
            out.push(gap);
        }
        out.push(c);
        match c {
            '\\' => out.extend(chars.next()),
            '\'' | '"' => quote = Some(c),
            _ => {}
        }
        begins = matches!(c, ';' | '&' | '|' | '(' | ')');
    }
    out
}
