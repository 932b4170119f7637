//! The lines of a text.

/// The lines of a text with their ends, as `split_inclusive('\n')` gives them: the ends are looked for many bytes at once.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let length = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_those_that_the_library_gives() {
        for text in ["", "\n", "a", "a\n", "a\nb", "a\n\n\r\n네\n", "\n\na"] {
            let own: Vec<&str> = lines(text).collect();
            assert_eq!(own, text.split_inclusive('\n').collect::<Vec<_>>());
        }
    }
}
