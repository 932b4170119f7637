//! Lines of Markdown-like text: indentation, list markers, headings, tables, fences.

/// What a line begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    /// Nothing special.
    None,
    /// `-`, `*`, `+`, `•` and the like.
    Bullet,
    /// `1.`, `2)`, `(3)`, `④`.
    Number(u32),
    /// `a)`, `b.`, `가.`
    Letter,
}

/// The state of a task-list box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tick {
    /// `[x]`
    Done,
    /// `[ ]`
    Open,
    /// `[-]`, `[~]`, `[/]` and others: begun, dropped, unclear.
    Other,
}

/// One line of text, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    /// Columns of white space before it; a tab is four.
    pub(crate) indent: usize,
    /// Whether it was quoted with `>`.
    pub(crate) quoted: bool,
    /// Its list marker.
    pub(crate) marker: Marker,
    /// Its task-list box.
    pub(crate) tick: Option<Tick>,
    /// Level of a Markdown heading, 0 for other lines.
    pub(crate) level: usize,
    /// The line lies inside a fence that began at this line number, with this info word.
    pub(crate) fence: Option<(usize, &'a str)>,
    /// The line opens or closes a fence.
    pub(crate) is_fence: bool,
    /// Where it begins in the text, in bytes.
    pub(crate) at: usize,
    /// Text after all of these.
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    /// Whether there is nothing on it.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty() && self.marker == Marker::None
    }

    /// The cells of a table row, `None` for other lines.
    pub(crate) fn cells(&self) -> Option<Vec<&'a str>> {
        let text = self.text.trim();
        if self.marker != Marker::None || !text.starts_with('|') || text.matches('|').count() < 2 {
            return None;
        }
        // `|   |-- routes.ts` is a line of a tree.
        if text.contains("|-- ") && !text.ends_with('|') {
            return None;
        }
        let inner = text.trim_start_matches('|');
        let inner = inner.strip_suffix('|').unwrap_or(inner);
        Some(inner.split('|').map(str::trim).collect())
    }
}

/// Whether these cells are the line under a table's head (`|---|:-:|`).
pub(crate) fn is_rule(cells: &[&str]) -> bool {
    cells
        .iter()
        .all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':' | ' ' | '=')))
}

/// Takes a text apart into lines. An unterminated fence reaches to the end.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    let mut fence: Option<(char, usize, usize, &str)> = None;
    let mut next = 0;
    for (number, raw) in text.split_inclusive('\n').enumerate() {
        let at = next;
        next += raw.len();
        let raw = raw
            .strip_suffix('\n')
            .map_or(raw, |raw| raw.strip_suffix('\r').unwrap_or(raw));
        let trimmed = raw.trim_start();
        let tick = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'));
        let run = tick.map_or(0, |t| trimmed.chars().take_while(|c| *c == t).count());
        if let (Some(t), true) = (tick, run >= 3) {
            let info = trimmed.get(run..).unwrap_or_default().trim();
            match fence {
                Some((open, length, _, _)) if open == t && run >= length && info.is_empty() => {
                    fence = None;
                    out.push(fence_line());
                    continue;
                }
                None if !info.contains('`') => {
                    let info = info.split([' ', '{', ',']).next().unwrap_or_default();
                    fence = Some((t, run, number, info));
                    out.push(fence_line());
                    continue;
                }
                _ => {}
            }
        }
        let mut line = line(raw);
        line.fence = fence.map(|(_, _, at, info)| (at, info));
        line.at = at;
        out.push(line);
    }
    out
}

fn fence_line<'a>() -> Line<'a> {
    Line {
        indent: 0,
        quoted: false,
        marker: Marker::None,
        tick: None,
        level: 0,
        fence: None,
        is_fence: true,
        at: 0,
        text: "",
    }
}

/// Takes one line apart.
pub(crate) fn line(raw: &str) -> Line<'_> {
    let (mut indent, mut rest) = strip_indent(raw);
    let mut quoted = false;
    while let Some(inner) = rest.strip_prefix('>') {
        quoted = true;
        let (more, inner) = strip_indent(inner);
        indent += more;
        rest = inner;
    }
    let mut level = 0;
    let hashes = rest.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes) && rest.get(hashes..).is_some_and(|r| r.starts_with([' ', '\t'])) {
        level = hashes;
        rest = rest
            .get(hashes..)
            .unwrap_or_default()
            .trim()
            .trim_end_matches('#')
            .trim_end();
    }
    let (marker, after) = if level == 0 {
        marker(rest)
    } else {
        (Marker::None, rest)
    };
    let (tick, after) = tick(after);
    Line {
        indent,
        quoted,
        marker,
        tick,
        level,
        fence: None,
        is_fence: false,
        at: 0,
        text: after.trim_end(),
    }
}

fn strip_indent(raw: &str) -> (usize, &str) {
    let rest = raw.trim_start();
    let width = raw.get(..raw.len() - rest.len()).unwrap_or_default();
    (width.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum(), rest)
}

/// The list marker at the beginning of a line, and what follows it.
pub(crate) fn marker(text: &str) -> (Marker, &str) {
    let Some(first) = text.chars().next() else {
        return (Marker::None, text);
    };
    let after = text.get(first.len_utf8()..).unwrap_or_default();
    if matches!(first, '-' | '*' | '+') && (after.is_empty() || after.starts_with([' ', '\t'])) {
        return (Marker::Bullet, after.trim_start());
    }
    if matches!(
        first,
        '•' | '◦'
            | '▪'
            | '▫'
            | '‣'
            | '·'
            | '○'
            | '●'
            | '■'
            | '□'
            | '◆'
            | '▶'
            | '►'
            | '–'
            | '—'
            | 'ㆍ'
            | '※'
    ) && !after.trim().is_empty()
    {
        return (Marker::Bullet, after.trim_start());
    }
    if let Some(number) = circled(first) {
        return (Marker::Number(number), after.trim_start());
    }
    let (open, body) = match text.strip_prefix('(') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) {
        let number = slice_number(body, digits);
        let rest = body.get(digits..).unwrap_or_default();
        let closed = rest
            .strip_prefix([')', '.', ':'])
            .or_else(|| rest.strip_prefix('）'));
        if let Some(rest) = closed {
            let bracket = body.as_bytes().get(digits) == Some(&b')');
            if (!open || bracket)
                && (rest.is_empty() || rest.starts_with([' ', '\t']) || (bracket && !rest.starts_with('.')))
            {
                return (Marker::Number(number), rest.trim_start());
            }
        }
        // "1 - login page"
        let dashed = [" - ", " – ", " — "]
            .iter()
            .find_map(|dash| rest.strip_prefix(dash));
        if let Some(rest) =
            dashed.filter(|rest| !open && !rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        {
            return (Marker::Number(number), rest.trim_start());
        }
        return (Marker::None, text);
    }
    let mut chars = body.chars();
    if let (Some(letter), Some(close)) = (chars.next(), chars.next()) {
        let rest = chars.as_str();
        let is_letter = letter.is_ascii_lowercase()
            || (close == ')' && letter.is_ascii_uppercase())
            || matches!(letter, '가' | '나' | '다' | '라' | '마' | '바' | '사');
        let closes = close == ')' || (close == '.' && !open);
        if is_letter && closes && rest.starts_with(' ') {
            return (Marker::Letter, rest.trim_start());
        }
    }
    (Marker::None, text)
}

fn slice_number(text: &str, digits: usize) -> u32 {
    text.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(0)
}

/// The number of a circled digit, ① to ⑳.
pub(crate) fn circled(c: char) -> Option<u32> {
    matches!(c, '\u{2460}'..='\u{2473}').then(|| u32::from(c) - 0x2460 + 1)
}

fn tick(text: &str) -> (Option<Tick>, &str) {
    let mut chars = text.chars();
    match chars.next() {
        Some('☑' | '☒') => {
            return (
                Some(Tick::Done),
                chars.as_str().trim_start_matches('\u{FE0F}').trim_start(),
            );
        }
        Some('☐') => return (Some(Tick::Open), chars.as_str().trim_start()),
        Some('[') => {}
        _ => return (None, text),
    }
    let inside: String = chars.by_ref().take_while(|c| *c != ']').take(3).collect();
    let rest = chars.as_str();
    let state = match inside.trim() {
        "" => Tick::Open,
        "x" | "X" | "✓" | "✔" | "✅" | "v" | "V" | "done" => Tick::Done,
        "-" | "~" | "/" | ">" | "?" | "!" | "." | "o" => Tick::Other,
        _ => return (None, text),
    };
    if inside.is_empty() || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return (None, text);
    }
    (Some(state), rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        let cases: [(&str, Marker, &str); 14] = [
            ("- a", Marker::Bullet, "a"),
            ("* a", Marker::Bullet, "a"),
            ("**a**", Marker::None, "**a**"),
            ("1. a", Marker::Number(1), "a"),
            ("12) a", Marker::Number(12), "a"),
            ("(3) a", Marker::Number(3), "a"),
            ("② 나", Marker::Number(2), "나"),
            ("1.5 percent", Marker::None, "1.5 percent"),
            ("a) x", Marker::Letter, "x"),
            ("• x", Marker::Bullet, "x"),
            ("-x", Marker::None, "-x"),
            ("가. 항목", Marker::Letter, "항목"),
            ("2) 완료", Marker::Number(2), "완료"),
            ("2026. 1", Marker::None, "2026. 1"),
        ];
        for (text, expected, rest) in cases {
            assert_eq!(marker(text), (expected, rest), "{text}");
        }
    }

    #[test]
    fn boxes_headings_and_quotes() {
        let parsed = line("  - [x] done it");
        assert_eq!(
            (parsed.indent, parsed.tick, parsed.text),
            (2, Some(Tick::Done), "done it")
        );
        assert_eq!(line("- [ ] open").tick, Some(Tick::Open));
        assert_eq!(line("- [id].tsx").tick, None);
        assert_eq!(line("## Title ##").level, 2);
        assert_eq!(line("#309 is open").level, 0);
        assert!(line("> quoted").quoted);
    }

    #[test]
    fn fences_reach_to_their_end() {
        let text = "a\n```yaml\nb\n```\nc\n~~~\nd";
        let fenced: Vec<bool> = lines(text).iter().map(|l| l.fence.is_some()).collect();
        assert_eq!(fenced, [false, false, true, false, false, false, true]);
    }
}
