//! Checks of the user's own phrases and globs when a policy is loaded, so that a pattern which can
//! never match, or matches everything, is told to its author and not found out by silence.

use crate::yaml::shorten;
use proctor_prose::Extra;

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

/// A pattern of the `response` gate.
pub(crate) fn check_pattern(text: &str, care: bool) -> Check {
    if let Some(check) = check_text(text) {
        return check;
    }
    let shown = shorten(text);
    let flaws = Extra::flaws(text, care);
    if let Some(flaw) = flaws.iter().find(|f| f.fatal).or(flaws.first()) {
        let (message, help) = (format!("`{shown}` {}", flaw.message), flaw.help.clone());
        return if flaw.fatal {
            Check::Useless(message, help)
        } else {
            Check::Doubtful(message, help)
        };
    }
    if is_regex(text) {
        return Check::Fine;
    }
    if text.contains(['|', '[']) {
        let message = format!("`{shown}` is taken letter by letter: it is no regular expression");
        let help = "list each wording as an entry of its own, or write the expression between slashes: `/…/`";
        return Check::Doubtful(message, help.to_owned());
    }
    if text.trim().chars().count() == 1 {
        let message = format!("`{shown}` is a single character and matches almost everything");
        return Check::Doubtful(message, "use a whole word".to_owned());
    }
    Check::Fine
}

/// Whether a pattern is written as a regular expression.
pub(crate) fn is_regex(text: &str) -> bool {
    text.len() > 2 && text.starts_with('/') && text.get(1..).is_some_and(|t| t.contains('/'))
}

/// Sentences without any praise, to find patterns that match nearly everything.
const ORDINARY: [&str; 8] = [
    "I moved the parser into a file of its own, and its tests still run.",
    "The build failed because the lock file is older than the manifest.",
    "Which port does the server listen on when none is set?",
    "Two functions have new names; one dead branch is gone.",
    "파서를 별도 파일로 옮겼고 기존 테스트를 다시 돌렸습니다.",
    "잠금 파일이 오래되어 빌드가 멈췄습니다.",
    "설정이 없을 때 서버는 어느 포트를 사용합니까?",
    "함수 두 개의 이름을 바꾸고 쓰지 않는 분기를 지웠습니다.",
];

/// A pattern that matches ordinary sentences, or nothing at all.
pub(crate) fn check_reach(text: &str) -> Check {
    if !is_regex(text) && Extra::flaws(text, false).is_empty() && !Extra::finds(text, text) {
        return Check::Useless(
            format!(
                "`{}` can never match: it does not even find itself",
                shorten(text)
            ),
            "write words of prose; code, paths and quotations are not looked at".to_owned(),
        );
    }
    let hits: Vec<&str> = ORDINARY.into_iter().filter(|s| Extra::finds(text, s)).collect();
    let shown = shorten(text);
    match hits.as_slice() {
        [_, _, _, ..] => Check::Useless(
            format!(
                "`{shown}` matches nearly everything, {} for one",
                hits.first().copied().unwrap_or_default()
            ),
            "name the words of praise themselves".to_owned(),
        ),
        [one, _] => Check::Doubtful(
            format!("`{shown}` matches ordinary sentences: {one}"),
            "add a neighbouring word, or mark it `confidence: low`".to_owned(),
        ),
        _ => Check::Fine,
    }
}

/// A model, by any name that a host may take.
pub(crate) fn check_model(text: &str) -> Check {
    check_text(text).unwrap_or(Check::Fine)
}

/// A program: an absolute path, or `sha256:` and the digest of its bytes.
pub(crate) fn check_program(text: &str) -> Check {
    if let Some(check) = check_text(text) {
        return check;
    }
    let fits = match text.strip_prefix("sha256:") {
        Some(digest) => digest.len() == 64 && digest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
        None => std::path::Path::new(text).is_absolute(),
    };
    if fits {
        return Check::Fine;
    }
    Check::Useless(
        format!("`{}` names no program", shorten(text)),
        "write an absolute path, or `sha256:` and 64 hexadecimal digits in small letters".to_owned(),
    )
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
    fn patterns_are_looked_at() {
        for (text, start) in [
            ("완벽", "fine"),
            ("enterprise-grade", "fine"),
            ("great work!", "fine"),
            ("C++ is (really) great", "fine"),
            (r"/훌륭한\s*분석/gi", "fine"),
            ("", "useless: an empty entry"),
            ("  ", "useless: an empty entry"),
            (
                r"\bperfect\b",
                r"doubtful: `\bperfect\b` is taken as a regular expression",
            ),
            (r"/완벽\b/", r"doubtful: `/완벽\b/` has a `\b` after Hangul"),
            (
                "so.*good",
                "doubtful: `so.*good` is taken as a regular expression",
            ),
            (r"/\d+/", r"useless: `/\d+/` needs no particular word"),
            ("/(great/", "useless: `/(great/` is no regular expression"),
            ("great|good", "doubtful: `great|good` is taken letter by letter"),
            ("굿", "doubtful: `굿` is a single character"),
            ("a\tb", "useless: `a\u{FFFD}b` contains a control character"),
        ] {
            let said = says(check_pattern(text, true));
            assert!(said.starts_with(start), "{text}: {said}");
        }
        assert!(
            says(check_pattern(&"가".repeat(201), false)).starts_with("useless: an entry of 201 characters")
        );
        assert_eq!(says(check_pattern(&"가".repeat(200), false)), "fine");
    }

    #[test]
    fn reach() {
        for (text, start) in [
            ("완벽", "fine"),
            ("/the/", "useless: `/the/` matches nearly everything"),
            ("/습니다/", "useless: "),
            ("파일", "doubtful: `파일` matches ordinary sentences"),
            ("tests", "fine"),
        ] {
            let said = says(check_reach(text));
            assert!(said.starts_with(start), "{text}: {said}");
        }
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
