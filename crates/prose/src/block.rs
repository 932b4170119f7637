//! Markdown-aware split of a message into blocks, line by line and in one pass.

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// One list item with its own text; nested items are blocks of their own.
    ListItem {
        /// Columns of white space before the marker (a tab counts as four).
        indent: u32,
        /// The number of an ordered item, such as 3 for `3.`, `3)` and `(3)`.
        ordinal: Option<u32>,
        /// State of a check box: `[ ]`, `[x]`, `☐`, `☑`.
        checked: Option<bool>,
    },
    /// A heading with its level, 1 to 6.
    Heading {
        /// Number of `#`.
        level: u8,
    },
    /// One row of a table; the separator row is left out.
    TableRow,
    /// A block quote; not the writer's own words.
    Quote,
    /// Code: fenced with backticks or tildes (also when the fence is never closed), or indented.
    Code,
    /// JSON or another data literal that stands on lines of its own.
    Data,
    /// A line of program output outside a code block: a prompt with a command, a time-stamped line.
    Log,
    /// A horizontal rule or an HTML comment.
    Ornament,
}

impl BlockKind {
    /// Whether the block holds prose of the writer.
    #[must_use]
    pub fn is_prose(self) -> bool {
        matches!(
            self,
            Self::Paragraph | Self::ListItem { .. } | Self::Heading { .. } | Self::TableRow
        )
    }
}

/// One block of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset after its last character, without the line break.
    pub end: usize,
    /// Where its own text begins, behind marker, number, check box, `#` or fence line.
    pub body: usize,
}

/// Splits a text into blocks. Blank lines belong to no block.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    split(text).0
}

/// What closes the code fence that a text leaves open, if it does. Whoever adds a line to such a text must close the
/// fence first, or the line is code.
#[must_use]
pub fn open_fence(text: &str) -> Option<String> {
    if !text.contains("```") && !text.contains("~~~") {
        return None;
    }
    match split(text).1 {
        State::Fence { mark, length } => Some(char::from(mark).to_string().repeat(length)),
        _ => None,
    }
}

/// Bytes of a text for whose blocks there is room at once.
const ROOM: usize = 1 << 18;

/// The blocks of a text, and what the last line leaves open.
fn split(text: &str) -> (Vec<Block>, State) {
    // A line of usual messages has more than sixty bytes, blank ones among them.
    let mut out: Vec<Block> = Vec::with_capacity(16 + text.len().min(ROOM) / 64);
    let mut state = State::Blank;
    let mut skip_until = 0;
    let mut no_data_before = 0;
    for (start, end) in lines(text) {
        if start < skip_until {
            continue;
        }
        let line = text.get(start..end).unwrap_or_default();
        if let State::Fence { mark, length } = state {
            let closes = fence(trimmed_start(line))
                .is_some_and(|(m, n, rest)| m == mark && n >= length && rest.trim().is_empty());
            if let Some(block) = out.last_mut() {
                block.end = end;
            }
            if closes {
                state = State::Blank;
            }
            continue;
        }
        let trimmed = trimmed_start(line);
        if trimmed.is_empty() {
            state = match state {
                State::Item | State::ItemGap => State::ItemGap,
                State::Indented | State::IndentedGap => State::IndentedGap,
                _ => State::Blank,
            };
            continue;
        }
        let lead = line.len() - trimmed.len();
        let indent = if lead == 0 { 0 } else { columns(line) };
        if let Some((mark, length, info)) = fence(trimmed)
            && (mark == b'~' || !info.contains('`'))
        {
            out.push(Block {
                kind: BlockKind::Code,
                start,
                end,
                body: end,
            });
            state = State::Fence { mark, length };
            continue;
        }
        let in_list = matches!(state, State::Item | State::ItemGap);
        if indent >= 4 && !in_list && !matches!(state, State::Paragraph | State::Quote) {
            match out.last_mut() {
                Some(block) if matches!(state, State::Indented | State::IndentedGap) => block.end = end,
                _ => out.push(Block {
                    kind: BlockKind::Code,
                    start,
                    end,
                    body: start + lead,
                }),
            }
            state = State::Indented;
            continue;
        }
        let (mut kind, body) = kind_of(trimmed, indent, start + lead);
        if kind == BlockKind::Data {
            match if start < no_data_before {
                Err(no_data_before)
            } else {
                data_end(text, start)
            } {
                Ok(data) => {
                    out.push(Block {
                        kind,
                        start,
                        end: data,
                        body,
                    });
                    skip_until = data;
                    state = State::Blank;
                    continue;
                }
                Err(known) => {
                    no_data_before = known;
                    kind = BlockKind::Paragraph;
                }
            }
        }
        match kind {
            BlockKind::Quote => {
                match out.last_mut() {
                    Some(block) if state == State::Quote => block.end = end,
                    _ => out.push(Block {
                        kind,
                        start,
                        end,
                        body,
                    }),
                }
                state = State::Quote;
            }
            BlockKind::Paragraph => {
                let goes_on = match state {
                    State::Paragraph => true,
                    State::Item => indent > 0,
                    State::ItemGap => indent >= 2,
                    _ => false,
                };
                match out.last_mut() {
                    Some(block) if goes_on => block.end = end,
                    _ => {
                        out.push(Block {
                            kind,
                            start,
                            end,
                            body,
                        });
                        state = State::Paragraph;
                        continue;
                    }
                }
                state = if state == State::Paragraph {
                    State::Paragraph
                } else {
                    State::Item
                };
            }
            BlockKind::ListItem { .. } => {
                out.push(Block {
                    kind,
                    start,
                    end,
                    body,
                });
                state = State::Item;
            }
            BlockKind::TableRow => {
                if !trimmed.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t')) {
                    out.push(Block {
                        kind,
                        start,
                        end,
                        body,
                    });
                }
                state = State::Blank;
            }
            _ => {
                out.push(Block {
                    kind,
                    start,
                    end,
                    body,
                });
                state = State::Blank;
            }
        }
    }
    (out, state)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Blank,
    Paragraph,
    Item,
    ItemGap,
    Quote,
    Indented,
    IndentedGap,
    Fence { mark: u8, length: usize },
}

/// Byte ranges of the lines, without their line breaks (`\n`, `\r\n` or `\r`).
fn lines(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    // The line breaks of 64 bytes, a bit each, and where those bytes begin.
    let mut breaks = 0;
    let mut from = 0;
    let mut chunks = bytes.chunks(64);
    let mut length = 0;
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        let start = at;
        while breaks == 0 {
            from += length;
            let Some(chunk) = chunks.next() else {
                at = bytes.len();
                return Some((start, at));
            };
            length = chunk.len();
            breaks = breaks_of(chunk);
        }
        let end = from + breaks.trailing_zeros() as usize;
        breaks &= breaks - 1;
        at = end + 1;
        if bytes.get(end) == Some(&b'\r') && bytes.get(end + 1) == Some(&b'\n') {
            at = end + 2;
            // The other half of the break, here or at the beginning of the next bytes.
            if breaks == 0 {
                from += length;
                let chunk = chunks.next().unwrap_or_default();
                length = chunk.len();
                breaks = breaks_of(chunk);
            }
            breaks &= breaks.wrapping_sub(1);
        }
        Some((start, end))
    })
}

/// Which of at most 64 bytes are half of a line break, a bit each; eight bytes at once.
fn breaks_of(chunk: &[u8]) -> u64 {
    let ends = bits_of(chunk, b'\n');
    // Few texts have any.
    if chunk.iter().fold(false, |any, b| any | (*b == b'\r')) {
        ends | bits_of(chunk, b'\r')
    } else {
        ends
    }
}

/// Which of at most 64 bytes are this one, a bit each.
#[inline]
fn bits_of(chunk: &[u8], wanted: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (eights, rest) = chunk.as_chunks::<8>();
    let of_eight = |bytes: &[u8; 8]| {
        let others = u64::from_le_bytes(*bytes) ^ u64::from_le_bytes([wanted; 8]);
        // The high bit of each byte that is zero; then these bits next to one another, the first lowest.
        let high = !(((others & LOW) + LOW) | others | LOW);
        (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    // From the last ones on, so that each move those behind them up.
    let behind = rest
        .iter()
        .rev()
        .fold(0, |bits, b| bits << 1 | u64::from(*b == wanted));
    eights
        .iter()
        .rev()
        .fold(behind, |bits, eight| bits << 8 | of_eight(eight))
}

/// Width of the white space at the beginning of a line, a tab going to the next multiple of four.
fn columns(line: &str) -> u32 {
    let mut width = 0;
    for b in line.bytes() {
        match b {
            b' ' => width += 1,
            b'\t' => width = (width / 4 + 1) * 4,
            _ => break,
        }
    }
    width
}

/// A line without the white space before it: most have none, and their first byte shows it.
fn trimmed_start(line: &str) -> &str {
    match line.as_bytes().first() {
        // White space beyond ASCII begins with 0xc2 or 0xe1 to 0xe3.
        Some(b'!'..=b'~' | 0xe4..) => line,
        _ => line.trim_start(),
    }
}

/// A code fence at the beginning of a line without white space before it: its character, its length and what follows it.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let mark = *line.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = line.bytes().take_while(|b| *b == mark).count();
    (length >= 3).then(|| (mark, length, line.get(length..).unwrap_or_default()))
}

/// The kind of a line by its beginning, and where its own text begins. `at` is where `line` begins.
fn kind_of(line: &str, indent: u32, at: usize) -> (BlockKind, usize) {
    let bytes = line.as_bytes();
    match bytes.first() {
        Some(b'>') => return (BlockKind::Quote, at + 1),
        Some(b'#') => {
            let level = bytes.iter().take_while(|b| **b == b'#').count();
            if level <= 6 && matches!(bytes.get(level), Some(b' ' | b'\t')) {
                return (BlockKind::Heading { level: level as u8 }, at + level + 1);
            }
        }
        Some(b'|') if line.len() > 1 => return (BlockKind::TableRow, at + 1),
        Some(b'{' | b'[') if looks_like_data(line) => return (BlockKind::Data, at),
        Some(b'$') if bytes.get(1) == Some(&b' ') => return (BlockKind::Log, at),
        Some(b'<') if line.starts_with("<!--") && line.trim_end().ends_with("-->") => {
            return (BlockKind::Ornament, at);
        }
        _ => {}
    }
    if let Some(mark @ (b'-' | b'*' | b'_' | b'=')) = bytes.first()
        && bytes.iter().all(|b| b == mark || *b == b' ')
        && bytes.iter().filter(|b| **b != b' ').count() >= 3
    {
        return (BlockKind::Ornament, at);
    }
    if let Some((length, ordinal)) = marker(line) {
        let rest = line.get(length..).unwrap_or_default();
        let (checked, box_length) = check_box(rest);
        return (
            BlockKind::ListItem {
                indent,
                ordinal,
                checked,
            },
            at + length + box_length,
        );
    }
    if let (Some(checked), length) = check_box(line) {
        return (
            BlockKind::ListItem {
                indent,
                ordinal: None,
                checked: Some(checked),
            },
            at + length,
        );
    }
    if time_stamped(line) {
        return (BlockKind::Log, at);
    }
    (BlockKind::Paragraph, at)
}

/// A list marker with the white space after it: its length in bytes and the number of an ordered item.
fn marker(line: &str) -> Option<(usize, Option<u32>)> {
    let mut chars = line.char_indices();
    let (_, first) = chars.next()?;
    let (length, ordinal) = match first {
        '-' | '*' | '+' | '•' | '‣' | '·' | '◦' | '▪' | '●' | '–' => (first.len_utf8(), None),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 4 || !matches!(line.as_bytes().get(digits), Some(b'.' | b')')) {
                return None;
            }
            (digits + 1, line.get(..digits).and_then(|d| d.parse().ok()))
        }
        '(' => {
            let digits = line.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            if digits == 0 || digits > 4 || line.as_bytes().get(digits + 1) != Some(&b')') {
                return None;
            }
            (digits + 2, line.get(1..=digits).and_then(|d| d.parse().ok()))
        }
        '①'..='⑳' => {
            let length = first.len_utf8();
            let space = line.get(length..)?.len() - line.get(length..)?.trim_start().len();
            return Some((length + space, Some(first as u32 - '①' as u32 + 1)));
        }
        _ => return None,
    };
    let rest = line.get(length..)?;
    let space = rest.len() - rest.trim_start().len();
    (space > 0).then_some((length + space, ordinal))
}

/// A check box with the white space after it.
fn check_box(text: &str) -> (Option<bool>, usize) {
    const BOXES: [(&str, bool); 8] = [
        ("[ ]", false),
        ("[x]", true),
        ("[X]", true),
        ("[]", false),
        ("☐", false),
        ("☑", true),
        ("☒", false),
        ("[✓]", true),
    ];
    // They begin with a bracket or with the first byte of the signs.
    if !matches!(text.as_bytes().first(), Some(b'[' | 0xe2)) {
        return (None, 0);
    }
    for (mark, state) in BOXES {
        if let Some(rest) = text.strip_prefix(mark)
            && (rest.is_empty() || rest.starts_with([' ', '\t']))
        {
            return (Some(state), mark.len() + rest.len() - rest.trim_start().len());
        }
    }
    (None, 0)
}

/// Whether a line that begins with a bracket is the beginning of JSON rather than of a sentence.
fn looks_like_data(line: &str) -> bool {
    let inner = line.get(1..).unwrap_or_default().trim_start();
    match line.as_bytes().first() {
        Some(b'{') => {
            inner.is_empty()
                || inner.starts_with(['"', '}', '\''])
                || inner.split(':').next().is_some_and(is_word)
        }
        // `[1]`, `[x]` and `[link](…)` are Markdown.
        Some(b'[') => inner.is_empty() || inner.starts_with(['{', '"', '[']),
        _ => false,
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a line begins with a time stamp, as lines of a log do.
fn time_stamped(line: &str) -> bool {
    let line = line.strip_prefix('[').unwrap_or(line);
    if !line.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let begins = |shape: &str| {
        let fits = |(b, shape): (&u8, &u8)| match shape {
            b'0' => b.is_ascii_digit(),
            _ => b == shape,
        };
        let begin = line.as_bytes().get(..shape.len());
        begin.is_some_and(|begin| begin.iter().zip(shape.as_bytes()).all(fits))
    };
    begins("0000-00-00T00:00") || begins("0000-00-00 00:00:00") || begins("00:00:00.") || begins("00:00:00 ")
}

/// The end of the data literal that begins with this line: where its brackets are balanced again, before the
/// next blank line. `Err` holds the offset up to which none can end.
fn data_end(text: &str, start: usize) -> Result<usize, usize> {
    let mut depth = 0i64;
    let mut last = start;
    for (from, to) in lines(text.get(start..).unwrap_or_default()) {
        let line = text.get(start + from..start + to).unwrap_or_default();
        if line.trim().is_empty() {
            break;
        }
        depth += balance(line);
        last = start + to;
        if depth <= 0 {
            return Ok(last);
        }
    }
    Err(last)
}

/// Opening minus closing brackets, outside strings.
fn balance(text: &str) -> i64 {
    let mut depth = 0;
    let mut in_string = false;
    let mut escaped = false;
    for b in text.bytes() {
        match b {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::lines;

    /// The same byte by byte.
    fn plainly(text: &str) -> Vec<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut out = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let length = bytes[at..].iter().position(|b| matches!(b, b'\n' | b'\r'));
            let end = at + length.unwrap_or(bytes.len() - at);
            out.push((at, end));
            at = end + if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
        }
        out
    }

    #[test]
    fn lines_end_at_each_break_wherever_it_stands() {
        for mark in ["\n", "\r", "\r\n", "\n\r", "\n\n", "\r\r\n", "\r\n\r\n"] {
            for length in 0..140 {
                for at in 0..=length {
                    let text = "a".repeat(at) + mark + &"\u{8a}".repeat((length - at) / 2);
                    assert_eq!(lines(&text).collect::<Vec<_>>(), plainly(&text), "{text:?}");
                    let twice = text.clone() + "x" + &text;
                    assert_eq!(lines(&twice).collect::<Vec<_>>(), plainly(&twice), "{twice:?}");
                }
            }
        }
    }
}
