//! Folder names for writers.

use proctor_kernel::Digest;

/// Longest name that is taken as it is, in bytes.
const LONGEST: usize = 80;

/// A folder name for any writer (such as `claude-` and a session id), whatever it holds.
///
/// Names of lower-case ASCII letters, digits, `-`, `_` and inner `.` of at most 80 bytes are kept.
/// Anything else (path separators, capitals, which collide on some file systems, Hangul, control
/// characters, megabytes) becomes a readable beginning, `~`, and a digest of the whole; `~` never
/// occurs in a kept name, so two different writers never share a folder.
#[must_use]
pub fn writer_name(raw: &str) -> String {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.');
    let safe = !raw.is_empty()
        && raw.len() <= LONGEST
        && raw.bytes().all(plain)
        && !raw.starts_with(['.', '-'])
        && !raw.ends_with('.')
        && !is_reserved(raw);
    if safe {
        return raw.to_owned();
    }
    let mut prefix = String::new();
    for c in raw.chars().take(200) {
        if prefix.len() >= 40 {
            break;
        }
        if c.is_alphanumeric() {
            prefix.extend(c.to_lowercase());
        } else if !prefix.is_empty() && !prefix.ends_with('-') {
            prefix.push('-');
        }
    }
    let prefix = prefix.trim_end_matches('-');
    format!("{prefix}~{}", Digest::of(raw.as_bytes()))
}

/// Names that Windows gives to devices, with any extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    match stem.len() {
        3 => matches!(stem, "con" | "prn" | "aux" | "nul"),
        4 => {
            (stem.starts_with("com") || stem.starts_with("lpt"))
                && stem.ends_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_names_are_kept() {
        for name in ["claude-2a7b1c0e-55aa-4f3e-9d7c-0123456789ab", "cli", "a.b_c-9"] {
            assert_eq!(writer_name(name), name);
        }
    }

    #[test]
    fn other_names_are_readable_and_distinct() {
        let long = "x".repeat(10_000_000);
        let odd = [
            "",
            ".",
            "..",
            "../../x",
            "/etc/passwd",
            "a/b",
            "a\\b",
            "A",
            "세션 1",
            "con",
            "com1.txt",
            "-rf",
            "a.",
            "a\0b",
            "a\nb",
            "x~y",
            &long,
        ];
        let names: std::collections::BTreeSet<String> = odd.iter().map(|raw| writer_name(raw)).collect();
        assert_eq!(names.len(), odd.len());
        for name in &names {
            assert!(name.len() <= 200, "{name}");
            assert!(name.contains('~'), "{name}");
        }
        assert!(writer_name("세션 1").starts_with("세션-1~"));
        assert!(writer_name("../../x").starts_with("x~"));
    }

    proptest! {
        #[test]
        fn every_name_is_one_safe_path_component(raw in any::<String>()) {
            let name = writer_name(&raw);
            let path = std::path::Path::new(&name);
            prop_assert_eq!(path.components().count(), 1);
            prop_assert!(matches!(path.components().next(), Some(std::path::Component::Normal(_))));
            prop_assert!(!name.contains(['\0', '/', '\\', '\n']));
            prop_assert!(name.len() < 220);
        }
    }
}
