//! Checks of the user's own phrases and globs when a policy is loaded, so that a pattern which can
//! never match, or matches everything, is told to its author and not found out by silence.

use crate::yaml::shorten;

/// Longest phrase or glob, in characters.
const LONGEST: usize = 200;

/// What is to be said about an entry.
pub(crate) enum Check {
    /// Nothing.
    Fine,
    /// It is used, but the author should look at it: message and suggestion.
    Doubtful(String, String),
    /// It is not used: message and suggestion.
    Useless(String, String),
}

/// A word or phrase of the `response` gate. Of a regular expression only the literal words count.
pub(crate) fn check_phrase(text: &str) -> Check {
    if let Some(check) = check_text(text) {
        return check;
    }
    let shown = shorten(text);
    if text.contains(['|', '[']) || text.contains("(?") {
        let message =
            format!("`{shown}` is taken letter by letter: phrases are words, not regular expressions");
        return Check::Doubtful(message, "list each wording as an entry of its own".to_owned());
    }
    let slashes = text.strip_prefix('/').is_some_and(|rest| rest.contains('/'));
    if slashes || text.contains('\\') || text.contains(".*") || text.contains(".+") {
        let words = shorten(&plain_words(text));
        if words.is_empty() {
            let message = format!("`{shown}` has no literal word, so it can never match");
            return Check::Useless(message, "write the words themselves".to_owned());
        }
        let message = if text.contains("\\b") {
            // Korean endings are letters, so a Unicode `\b` would not even see the end of `perfect` in `perfect한`.
            format!(
                "`{shown}` is read as the words '{words}'; word boundaries and endings are seen to by the gate"
            )
        } else {
            format!("`{shown}` is read as the words '{words}': phrases are no regular expressions")
        };
        return Check::Doubtful(message, format!("write '{words}'"));
    }
    if text.trim().chars().count() == 1 {
        let message = format!("`{shown}` is a single character and matches almost everything");
        return Check::Doubtful(message, "use a whole word".to_owned());
    }
    Check::Fine
}

/// A glob of files. Its full syntax is the `scope` gate's matter; here, only what can never be meant.
pub(crate) fn check_glob(text: &str) -> Check {
    if let Some(check) = check_text(text) {
        return check;
    }
    let shown = shorten(text);
    let balance = |open, close| text.matches(open).count() != text.matches(close).count();
    if balance('[', ']') || balance('{', '}') {
        return Check::Useless(
            format!("`{shown}` has an unclosed bracket"),
            "close it".to_owned(),
        );
    }
    if text.starts_with('/') || text.starts_with('~') || text.split('/').any(|part| part == "..") {
        let message = format!("`{shown}` can never match: files are named from the top of the repository");
        return Check::Useless(
            message,
            "write a path within the repository, such as `docs/**`".to_owned(),
        );
    }
    if matches!(text, "*" | "**" | "**/*") {
        let message = format!("`{shown}` puts every file in scope, so that the gate never finds anything");
        return Check::Doubtful(message, "write `mode: off` if that is meant".to_owned());
    }
    Check::Fine
}

fn check_text(text: &str) -> Option<Check> {
    if text.trim().is_empty() {
        return Some(Check::Useless(
            "an empty entry".to_owned(),
            "remove it".to_owned(),
        ));
    }
    let length = text.chars().count();
    if length > LONGEST {
        let message = format!("an entry of {length} characters; {LONGEST} are the most");
        return Some(Check::Useless(message, "keep the part that matters".to_owned()));
    }
    if text.chars().any(char::is_control) {
        let message = format!("`{}` contains a control character", shorten(text));
        return Some(Check::Useless(message, "remove it".to_owned()));
    }
    None
}

/// The literal words of a regular expression, as the gate takes them.
fn plain_words(text: &str) -> String {
    let body = text
        .strip_prefix('/')
        .and_then(|rest| rest.rsplit_once('/'))
        .map_or(text, |(body, _)| body);
    let mut out = String::new();
    let mut letters = body.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' => match letters.next() {
                Some('s') => out.push(' '),
                Some('b' | 'B' | 'w' | 'd') | None => {}
                Some(other) => out.push(other),
            },
            '*' | '+' | '?' | '^' | '$' | '(' | ')' => {}
            '.' if matches!(letters.peek(), Some('*' | '+')) => out.push(' '),
            other => out.push(other),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(check: Check) -> String {
        match check {
            Check::Fine => "fine".to_owned(),
            Check::Doubtful(message, help) => format!("doubtful: {message} => {help}"),
            Check::Useless(message, help) => format!("useless: {message} => {help}"),
        }
    }

    #[test]
    fn phrases_are_plain_text() {
        for (text, start) in [
            ("완벽", "fine"),
            ("enterprise-grade", "fine"),
            ("great work!", "fine"),
            ("C++ is (really) great", "fine"),
            ("", "useless: an empty entry"),
            ("  ", "useless: an empty entry"),
            (
                r"\bperfect\b",
                r"doubtful: `\bperfect\b` is read as the words 'perfect'; word boundaries",
            ),
            (
                r"훌륭한\s*분석",
                r"doubtful: `훌륭한\s*분석` is read as the words '훌륭한 분석': phrases",
            ),
            ("/완벽/gi", "doubtful: `/완벽/gi` is read as the words '완벽'"),
            ("so.*good", "doubtful: `so.*good` is read as the words 'so good'"),
            (r"\d+", r"useless: `\d+` has no literal word"),
            ("great|good", "doubtful: `great|good` is taken letter by letter"),
            ("굿", "doubtful: `굿` is a single character"),
            ("a\tb", "useless: `a\u{FFFD}b` contains a control character"),
        ] {
            let said = says(check_phrase(text));
            assert!(said.starts_with(start), "{text}: {said}");
        }
        assert!(says(check_phrase(&"가".repeat(201))).starts_with("useless: an entry of 201 characters"));
        assert_eq!(says(check_phrase(&"가".repeat(200))), "fine");
    }

    #[test]
    fn globs_that_cannot_be_meant_are_told() {
        for (text, start) in [
            ("Cargo.lock", "fine"),
            ("docs/**", "fine"),
            ("**/*.{snap,lock}", "fine"),
            ("src/[ab", "useless: `src/[ab` has an unclosed bracket"),
            ("/etc/*", "useless: `/etc/*` can never match"),
            ("../other/**", "useless: "),
            ("**", "doubtful: `**` puts every file in scope"),
        ] {
            let said = says(check_glob(text));
            assert!(said.starts_with(start), "{text}: {said}");
        }
    }
}
