//! Quotations of a text in what gates say of it.

/// Adds the first characters of a text on one line, white space as one space each; says whether more would follow.
pub(crate) fn quote(text: &str, longest: usize, out: &mut String) -> bool {
    let mut left = longest;
    let mut words = text.split_whitespace();
    let mut next = words.next();
    while let Some(word) = next {
        if let Some((at, _)) = word.char_indices().nth(left) {
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
    out.push('"');
    if quote(text, longest, &mut out) {
        out.push('…');
    }
    out.push('"');
    out
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
        ] {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for longest in 0..14 {
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
