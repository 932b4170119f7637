//! Quotations of a text in what gates say of it.

/// Adds the first characters of a text on one line, white space as one space each; says whether more would follow.
pub(crate) fn quote(text: &str, longest: usize, out: &mut String) -> bool {
    let text = text.trim();
    let begin = text.get(..beginning(text, longest)).unwrap_or_default();
    if is_line(begin) {
        out.push_str(begin);
        return begin.len() < text.len();
    }
    word_by_word(text, longest, out)
}

/// The length in bytes of the first characters of a text.
fn beginning(text: &str, longest: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.len() <= longest {
        return bytes.len();
    }
    let starts = |b: u8| b & 0xc0 != 0x80;
    // Eight bytes at once, as far as they hold too few.
    let mut left = longest;
    let mut length = 0;
    for chunk in bytes.as_chunks::<8>().0 {
        let count: usize = chunk.iter().map(|b| usize::from(starts(*b))).sum();
        if count > left {
            break;
        }
        left -= count;
        length += chunk.len();
    }
    // The character that is one too many is not begun.
    let rest = bytes.get(length..).unwrap_or_default();
    for b in rest {
        if starts(*b) {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        length += 1;
    }
    length
}

/// Whether a text holds no white space but single spaces.
fn is_line(text: &str) -> bool {
    let mut before = 0;
    let (mut other, mut wide) = (false, false);
    for b in text.bytes() {
        other |= (b < b' ') | ((b == b' ') & (before == b' '));
        // White space beyond ASCII begins with one of these bytes, and much else does.
        wide |= matches!(b, 0xc2 | 0xe1..=0xe3);
        before = b;
    }
    let blank = |c: char| !c.is_ascii() && c.is_whitespace();
    !(other || wide && text.chars().any(blank))
}

/// What [`quote`] does, of any text.
fn word_by_word(text: &str, longest: usize, out: &mut String) -> bool {
    let mut left = longest;
    let mut words = text.split_whitespace();
    let mut next = words.next();
    while let Some(word) = next {
        if word.len() > left
            && let Some((at, _)) = word.char_indices().nth(left)
        {
            out.push_str(word.get(..at).unwrap_or_default());
            return true;
        }
        out.push_str(word);
        left -= word.chars().count();
        next = words.next();
        if next.is_some() {
            if left == 0 {
                return true;
            }
            out.push(' ');
            left -= 1;
        }
    }
    false
}

/// A stretch of a text in quotation marks, on one line and not longer than so many characters.
pub(crate) fn quoted(text: &str, longest: usize) -> String {
    let mut out = String::with_capacity(text.len().min(longest) + 8);
    quote_in_marks(text, longest, &mut out);
    out
}

/// Adds what [`quoted`] gives.
pub(crate) fn quote_in_marks(text: &str, longest: usize, out: &mut String) {
    out.push('"');
    if quote(text, longest, out) {
        out.push('…');
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_the_beginning_of_the_line() {
        for text in [
            "",
            " ",
            "one",
            " one \n two",
            "하나 둘\t셋",
            "a b c d",
            "abcdef ghi",
            "네\u{3000}네 네네",
            "é\u{a0}é — é",
            "plain words and 한글 in a line that goes on",
            "plain words  and 한글\tin a line",
            "이 문장은 여덟 바이트를 여러 번 넘는다.",
        ] {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for longest in 0..30 {
                let mut out = String::new();
                let more = quote(text, longest, &mut out);
                let cut: String = line.chars().take(longest).collect();
                assert_eq!(
                    (out, more),
                    (cut, line.chars().count() > longest),
                    "{text:?} {longest}"
                );
            }
        }
    }
}
