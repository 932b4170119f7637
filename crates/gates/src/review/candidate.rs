//! Which tokens could be a verdict at all.

use proctor_prose::{Clause, Reading, Token, TokenKind, lookup, tag};

/// Whether a token could be a verdict at all.
#[inline]
pub(super) fn candidate(reading: &Reading, clause: &Clause, token: &Token) -> bool {
    (token.tags.any(tag::APPROVE) || token.caps || token.kind == TokenKind::Code)
        && by_word(reading, clause, token)
}

/// The same of one that is tagged, in capitals or inline code.
fn by_word(reading: &Reading, clause: &Clause, token: &Token) -> bool {
    let word = reading.word(token);
    if token.kind == TokenKind::Code {
        return code_approves(word);
    }
    if token.tags.any(tag::APPROVE) {
        return !(word.starts_with("approver")
            || word.starts_with("stamp") && token.phrase == 1 && !token.capital);
    }
    // OK and PASS only when nothing else is said.
    matches!(word, "pass" | "ok" | "passed") && token.caps && said(clause, reading).take(4).count() <= 3
}

/// Whether inline code is a word of approval.
pub(super) fn code_approves(code: &str) -> bool {
    let marks = backticks(code);
    code.get(marks..code.len().saturating_sub(marks))
        .is_some_and(|inner| inner.len() <= 24 && may_approve(inner) && lookup(inner).any(tag::APPROVE))
}

/// Whether inline code may be a word of approval by the marks in it: paths, calls and commands have others. To look a word
/// up that is not listed takes as long as to look through a sentence.
fn may_approve(code: &str) -> bool {
    let seen = code.bytes().fold(0, |seen, b| seen | SHOWN[usize::from(b)]);
    // The words of a marker are joined by underscores, of which one is enough.
    seen & WIDE != 0 || seen & UNFIT == 0 && (seen & JOINED != 0 || seen & SPACED == 0)
}

/// What a byte shows of inline code: that it is not all ASCII, that it is no word of approval, that its words are joined or
/// stand apart.
const WIDE: u8 = 1;
const UNFIT: u8 = 1 << 1;
const JOINED: u8 = 1 << 2;
const SPACED: u8 = 1 << 3;
static SHOWN: [u8; 256] = {
    let mut out = [0; 256];
    let mut at = 0;
    while at < out.len() {
        out[at] = match at as u8 {
            0x80.. => WIDE,
            b'_' => JOINED,
            b' ' => SPACED,
            b'\'' | b'-' | b'+' | b'=' | b'!' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => 0,
            _ => UNFIT,
        };
        at += 1;
    }
    out
};

/// Number of backticks that open inline code.
pub(super) fn backticks(code: &str) -> usize {
    code.bytes().take_while(|b| *b == b'`').count()
}

/// The words of a clause that are said, not quoted.
pub(super) fn said<'r>(clause: &Clause, reading: &'r Reading) -> impl Iterator<Item = &'r Token> {
    let tokens = reading.tokens.get(clause.tokens.clone()).unwrap_or_default();
    tokens.iter().filter(|t| {
        !t.quoted
            && !matches!(
                t.kind,
                TokenKind::Punct(_) | TokenKind::Emoji | TokenKind::Mention
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_listed_word_of_approval_is_ruled_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prose/lexicon");
        let mut count = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let mut approves = false;
            for line in text
                .lines()
                .map(|l| l.split('#').next().unwrap_or_default().trim())
            {
                if let Some(tags) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                    approves = tags.split(' ').any(|tag| tag == "approve");
                    continue;
                }
                for entry in line.split_whitespace().filter(|_| approves) {
                    let word = entry.strip_prefix('=').unwrap_or(entry);
                    // A Korean stem that began with a letter of ASCII could begin a path.
                    assert!(may_approve(word), "{word}");
                    assert!(
                        word.is_ascii() || !word.starts_with(|c: char| c.is_ascii()),
                        "{word}"
                    );
                    assert!(
                        may_approve(&word.replacen('_', " ", word.matches('_').count().saturating_sub(1))),
                        "{word}"
                    );
                    count += 1;
                }
            }
        }
        assert!(count > 500, "{count} words");
        for code in ["src/http/client.rs", "cargo test -p http", "retry.max", "f(x)"] {
            assert!(!may_approve(code), "{code}");
        }
    }
}
