//! Whether a word has the shape of a path.

use crate::list::{has_any_word, listed};
use crate::names::{is_extension, is_library, is_name, is_pair, is_root};
use crate::text::{is_hangul, near_before};

/// Whether the word looks like a path: `None` no, `Some(true)` certainly, `Some(false)` in company.
pub(super) fn shape(path: &str, quoted: bool) -> Option<bool> {
    if path.is_empty() || path.len() > 300 || !path.chars().any(|c| c.is_alphanumeric() || c == '*') {
        return None;
    }
    if quoted && is_odd_name(path) {
        return Some(true);
    }
    let refused = |c| {
        matches!(
            c,
            '<' | '>' | '"' | '`' | '\n' | '\t' | '^' | '%' | '\\' | '(' | ')' | '='
        )
    };
    if path.contains(refused) && without_groups(path).is_none_or(|rest| rest.contains(refused)) {
        return None;
    }
    if path.contains('/') {
        let segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        return slashed(path, &segments, quoted);
    }
    if is_name(path) {
        return Some(true);
    }
    if path.contains('*') || (path.contains('{') && path.contains('}')) {
        let (stem, ext) = path.rsplit_once('.')?;
        return (!ext.is_empty() && (stem.contains('*') || ext.contains('{') || is_extension(ext)))
            .then_some(true);
    }
    let (stem, ext) = path.rsplit_once('.')?;
    let fits = !stem.is_empty()
        && (1..=12).contains(&ext.len())
        && ext
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && ext.chars().any(|c| c.is_ascii_alphabetic())
        && stem
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '[' | ']' | '$' | '@'));
    if !fits || (is_library(path) && !quoted) {
        return None;
    }
    let number = stem.chars().all(|c| c.is_ascii_digit() || c == '.');
    if number && !is_extension(ext) {
        return None;
    }
    Some(is_extension(ext))
}

/// The path without its folders in parentheses: `src/(group)/page.tsx`.
fn without_groups(path: &str) -> Option<String> {
    let mut rest = String::new();
    for (i, name) in path.split('/').enumerate() {
        let inner = match name.strip_prefix('(') {
            Some(group) => {
                let (group, behind) = group.split_once(')')?;
                (!group.is_empty()).then_some(())?;
                rest.push_str(group);
                behind
            }
            None => name,
        };
        rest.push_str(if i > 0 { "/" } else { "" });
        rest.push_str(inner);
    }
    path.contains('/').then_some(rest)
}

/// Whether something in quotes is the name of one file with signs that no plain word has: `a&b.md`, `100%.md`,
/// `x,y.csv`, `#notes.md`. Its extension is a known one, and no other name with an extension stands in it.
fn is_odd_name(path: &str) -> bool {
    let odd = |c| matches!(c, '&' | '%' | ',' | '#' | '~' | '!');
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        is_extension(extension)
            && stem.contains(odd)
            && stem.contains(char::is_alphanumeric)
            && !path.contains(['*', '{', '('])
            && stem
                .chars()
                .all(|c| odd(c) || c.is_alphanumeric() || matches!(c, '_' | '-' | '+'))
    })
}

fn slashed(path: &str, segments: &[&str], quoted: bool) -> Option<bool> {
    if is_pair(path) || segments.iter().any(|s| s.is_empty() && path != "/") && !path.starts_with('/') {
        return None;
    }
    if segments
        .iter()
        .all(|s| s.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ','))
    {
        return None;
    }
    let first = segments.first().copied().unwrap_or_default();
    let domain = first.rsplit_once('.').is_some_and(|(host, tld)| {
        !host.is_empty() && listed!("com|org|net|io|dev|app|kr|co|ai|me|sh|rs", tld) && !is_extension(tld)
            || host.contains('.') && !host.starts_with('.')
    });
    if domain && segments.len() > 1 {
        return None;
    }
    let folder = path.ends_with('/');
    let last = segments.last().copied().unwrap_or_default();
    let extension = last.rsplit_once('.').is_some_and(|(stem, ext)| {
        (1..=16).contains(&ext.len())
            && ext
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*' | '{' | '}' | ','))
            && ext.chars().any(|c| c.is_ascii_alphabetic() || c == '*')
            && !(stem.is_empty() && ext.len() < 2)
    });
    let glob = path.contains('*') && path.chars().any(|c| c.is_alphanumeric() || c == '/');
    if folder || extension || glob || is_name(last) || first.starts_with('.') && first.len() > 1 {
        // `/health/` or `v1/` alone could be a route, but in an outcome a trailing slash means a folder.
        let version = segments.len() == 1
            && first.starts_with('v')
            && first.get(1..).is_some_and(|d| d.parse::<u32>().is_ok());
        return (!version).then_some(true);
    }
    // `/v1/users` is a route, not a file.
    if path.starts_with('/') {
        return None;
    }
    let lower = segments.iter().all(|s| {
        !s.is_empty()
            && s.chars().all(|c| {
                c.is_ascii_lowercase()
                    || c.is_ascii_digit()
                    || is_hangul(c)
                    || matches!(c, '_' | '-' | '.' | '[' | ']')
            })
    });
    if is_root(first) && (lower || quoted || segments.len() > 2) {
        return Some(true);
    }
    if quoted {
        return Some(true);
    }
    if segments.len() > 2 && lower && !segments.iter().all(|s| s.chars().all(is_hangul)) {
        return Some(true);
    }
    let spelled = segments
        .iter()
        .all(|s| s.chars().count() >= 2 && !s.chars().all(|c| c.is_ascii_uppercase()));
    let ascii = segments.iter().any(|s| s.is_ascii());
    (spelled
        && ascii
        && !segments
            .iter()
            .any(|s| s.chars().any(|c| c.is_ascii_digit()) && s.len() <= 3))
    .then_some(false)
}

/// Whether the words around say that this is a file or a folder.
pub(super) fn context_says_file(text: &str, start: usize, end: usize) -> bool {
    let after: String = text
        .get(end..)
        .unwrap_or_default()
        .chars()
        .take(24)
        .collect::<String>()
        .to_lowercase();
    let after = after.trim_start_matches(['`', '"', '\'', ' ', '”']);
    let folder = ["file", "files", "folder", "directory", "dir", "module", "package"];
    let first = after
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let korean = ["파일", "폴더", "디렉터리", "디렉토리", "모듈", "패키지"];
    if folder.contains(&first) || korean.iter().any(|k| after.starts_with(k)) {
        return true;
    }
    let before = near_before(text, start);
    let tail = before.trim_end_matches(['`', '"', '\'', ' ', '“', ':']);
    let word = tail
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default()
        .to_lowercase();
    has_any_word!(&word, "file|files|folder|directory") || korean.iter().any(|k| word.ends_with(k))
}
