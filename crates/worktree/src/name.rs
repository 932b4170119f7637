//! File names as text. Git's paths are bytes; records and rules want text.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// A path as text: UTF-8 as it is, other bytes as `\xNN`. A backslash that would read like such an
/// escape is written `\x5c`, so that different paths never become the same text.
pub(crate) fn to_text(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    let mut rest = path;
    for chunk in path.utf8_chunks() {
        for (at, c) in chunk.valid().char_indices() {
            if c == '\\' && escape(rest.get(at..).unwrap_or_default()).is_some() {
                text.push_str("\\x5c");
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
        rest = rest
            .get(chunk.valid().len() + chunk.invalid().len()..)
            .unwrap_or_default();
    }
    text
}

/// The path that [`to_text`] wrote.
pub(crate) fn to_path(text: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if let Some(byte) = escape(rest) {
            bytes.push(byte);
            rest = rest.get(4..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    PathBuf::from(OsStr::from_bytes(&bytes))
}

/// The byte meant by `\xNN` at the beginning of some bytes.
fn escape(bytes: &[u8]) -> Option<u8> {
    let hex = bytes.strip_prefix(b"\\x")?.get(..2)?;
    let lower = hex
        .iter()
        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b));
    lower.then(|| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn odd_names() {
        assert_eq!(to_text("src/인증 \"x\"\n.ts".as_bytes()), "src/인증 \"x\"\n.ts");
        assert_eq!(to_text(b"a\xff\\b"), "a\\xff\\b");
        assert_eq!(to_text(b"a\\xff"), "a\\x5cxff");
    }

    proptest! {
        #[test]
        fn every_path_survives_the_round_trip(bytes in proptest::collection::vec(
            prop_oneof![Just(b'\\'), Just(b'x'), Just(b'f'), any::<u8>()], 0..40)) {
            let text = to_text(&bytes);
            prop_assert_eq!(to_path(&text).into_os_string().into_vec(), bytes);
        }
    }
}
