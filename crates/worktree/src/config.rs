//! A small, tolerant reader of git's configuration files: enough for the few values that decide where
//! a repository is. `include` is not followed; what cannot be understood is stepped over.

/// The last value of `section.key` (both lower case, no subsection) in a configuration text.
pub(crate) fn value(text: &str, section: &str, key: &str) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim_start();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = rest.split_once(']') else {
                continue;
            };
            inside = name.trim().eq_ignore_ascii_case(section);
            line = after.trim_start();
        }
        if !inside || line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let end = line
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .unwrap_or(line.len());
        let (name, rest) = line.split_at_checked(end).unwrap_or((line, ""));
        let matches = name.eq_ignore_ascii_case(key);
        let Some(mut rest) = rest.trim_start().strip_prefix('=') else {
            if matches && rest.trim().is_empty() {
                // A key alone means true.
                found = Some("true".to_owned());
            }
            continue;
        };
        // Other keys' values are read too, because a value may go on in the next line.
        let mut out = String::new();
        while unquote(rest, &mut out) {
            let Some(next) = lines.next() else { break };
            rest = next;
        }
        if matches {
            found = Some(out.trim().to_owned());
        }
    }
    found
}

/// Adds one line of a value to `out`, without quotes, escapes and comments; true when the value goes
/// on in the next line.
fn unquote(line: &str, out: &mut String) -> bool {
    let mut quoted = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => return false,
            '\\' => match chars.next() {
                None => return true,
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('b') => out.push('\u{8}'),
                Some(other) => out.push(other),
            },
            other => out.push(other),
        }
    }
    false
}

/// Whether a value means true, as git reads it.
pub(crate) fn is_true(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    matches!(value.as_str(), "true" | "yes" | "on") || value.parse::<i64>().is_ok_and(|n| n != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_as_git_reads_them() {
        let text = "\
[core]
\tbare = false ; comment
[remote \"proctor\"]
\tid = wrong
[Proctor] ; upper case
\tID = \"first\"
\tid = a\\\n b # comment
\tother
[alias]
\tx = \"!f() { \\
id = wrong\"
[proctor \"sub\"]
\tid = wrong
[user] name = me
";
        assert_eq!(value(text, "proctor", "id").as_deref(), Some("a b"));
        assert_eq!(value(text, "core", "bare").as_deref(), Some("false"));
        assert_eq!(value(text, "proctor", "other").as_deref(), Some("true"));
        assert_eq!(value(text, "user", "name").as_deref(), Some("me"));
        assert_eq!(value(text, "core", "worktree"), None);
        assert!(is_true("Yes") && is_true("1") && !is_true("0") && !is_true("off"));
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "(\\[|\\]|proctor|id|=|\"|\\\\|\n| |#|[가-힣]|.){0,60}") {
            let _ = value(&text, "proctor", "id");
        }
    }
}
