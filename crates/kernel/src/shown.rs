//! Names of others in sentences of ours.

use std::borrow::Cow;

/// A name (of a file, a branch, a tool) as it stands in a sentence: as it is, or quoted with escapes when it holds
/// something that would end the line, hide, or turn the text around. So no name brings a line of its own.
#[must_use]
pub fn shown(name: &str) -> Cow<'_, str> {
    if name.chars().any(is_odd) {
        Cow::Owned(format!("{name:?}"))
    } else {
        Cow::Borrowed(name)
    }
}

/// A sentence that may hold such names: what would end the line, hide, or turn the text around is escaped where it stands.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_odd(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The first `most` of some names, as they stand in a sentence.
#[must_use]
pub fn names<'a>(names: impl IntoIterator<Item = &'a String>, most: usize) -> String {
    let shown: Vec<Cow<'_, str>> = names.into_iter().take(most).map(|name| shown(name)).collect();
    shown.join(", ")
}

/// Control characters, the separators of lines and paragraphs, marks of direction, and characters without width that
/// join nothing.
fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{names, one_line, shown};

    #[test]
    fn what_would_break_the_line_is_escaped() {
        for (name, expected) in [
            ("src/a.rs", "src/a.rs"),
            ("한글 파일.md", "한글 파일.md"),
            ("a\\n \"b\"", "a\\n \"b\""),
            ("a\nb.txt", "\"a\\nb.txt\""),
            ("x\r\u{1b}[2J", "\"x\\r\\u{1b}[2J\""),
            ("a\u{202e}cod.exe", "\"a\\u{202e}cod.exe\""),
            ("a\u{2028}b", "\"a\\u{2028}b\""),
            ("👩\u{200d}🔬", "👩\u{200d}🔬"),
            ("", ""),
        ] {
            assert_eq!(shown(name), expected);
            assert!(!shown(name).chars().any(super::is_odd));
        }
        assert_eq!(one_line("`a\nb` of 한글.rs"), "`a\\nb` of 한글.rs");
        let files = ["a".to_owned(), "b\nc".to_owned(), "d".to_owned()];
        assert_eq!(names(&files, 2), "a, \"b\\nc\"");
    }
}
