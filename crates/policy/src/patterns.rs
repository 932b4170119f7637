//! Checks of the user's own phrases and globs when a policy is loaded, so that a pattern which can
//! never match, or matches everything, is told to its author and not found out by silence.

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

/// A word or phrase of the `response` gate. Phrases are plain text.
pub(crate) fn check_phrase(text: &str) -> Check {
    if let Some(check) = check_text(text) {
        return check;
    }
    let shown = crate::yaml::shorten(text);
    if text.contains('\\') {
        let message = if text.contains("\\b") {
            // In a regular expression a Unicode `\b` next to Hangul is also the slow and surprising choice:
            // Korean endings are letters, so `\bperfect\b` would not match `perfect한`.
            format!("`{shown}`: phrases are plain text, and `\\b` would miss words with Korean endings")
        } else {
            format!("`{shown}`: phrases are plain text, not regular expressions")
        };
        return Check::Useless(
            message,
            format!("write '{}'", crate::yaml::shorten(&plain_words(text))),
        );
    }
    if text.len() > 2 && text.starts_with('/') && text.trim_end_matches(['g', 'i', 'u', 'm']).ends_with('/') {
        let message = format!("`{shown}`: phrases are plain text, not regular expressions");
        return Check::Useless(
            message,
            format!("write '{}'", crate::yaml::shorten(&plain_words(text))),
        );
    }
    if [".*", ".+", ".?", "[", "(?", "|", "^"]
        .iter()
        .any(|sign| text.contains(sign))
    {
        let message = format!("`{shown}` is matched character by character: phrases are plain text");
        return Check::Doubtful(message, "list each wording as an entry of its own".to_owned());
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
    let shown = crate::yaml::shorten(text);
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
        let message = format!("`{}` contains a control character", crate::yaml::shorten(text));
        return Some(Check::Useless(message, "remove it".to_owned()));
    }
    None
}

/// What remains of a regular expression when its signs are taken away.
fn plain_words(text: &str) -> String {
    let body = text
        .strip_prefix('/')
        .map_or(text, |rest| rest.rsplit_once('/').map_or(rest, |(body, _)| body));
    let mut out = String::new();
    let mut letters = body.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' => match letters.next() {
                Some('s') => out.push(' '),
                Some('b' | 'B' | 'd' | 'w' | 'S' | 'W' | 'D') | None => {}
                Some(other) => out.push(other),
            },
            '*' | '+' | '?' | '^' | '$' | '(' | ')' => {}
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
                r"useless: `\bperfect\b`: phrases are plain text, and `\b` would miss words with Korean endings => write 'perfect'",
            ),
            (
                r"훌륭한\s*분석",
                r"useless: `훌륭한\s*분석`: phrases are plain text, not regular expressions => write '훌륭한 분석'",
            ),
            (
                "/완벽/gi",
                "useless: `/완벽/gi`: phrases are plain text, not regular expressions => write '완벽'",
            ),
            ("so.*good", "doubtful: "),
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
