//! The files that stretches of an answer name.

use super::checklist::{Checklist, Files};
use super::cues::Cues;
use super::status::View;
use crate::paths;
use crate::text::slice;
use proctor_prose::TokenKind;
use std::borrow::Cow;
use std::cell::Cell;

/// The runs of an answer that were looked at so far: the place of each, and what the files that it names are to the items.
/// Lists name the same files in their parts and as a whole.
pub(super) type Runs = Cell<Vec<((usize, usize), Files)>>;

/// How many runs are remembered.
const RUNS: usize = 32;

/// The places in the text of the runs of a stretch that may name files.
fn runs(view: View<'_>) -> impl Iterator<Item = (usize, usize)> {
    let tokens = view.tokens();
    tokens.iter().enumerate().filter_map(move |(at, token)| {
        if !view.cues(view.from + at).any(Cues::FILE) {
            return None;
        }
        let previous = at.checked_sub(1).and_then(|b| tokens.get(b));
        let begins = !token.glued
            || token.kind == TokenKind::Code
            || previous.is_none_or(|b| matches!(b.kind, TokenKind::Punct(_) | TokenKind::Code));
        if !begins {
            return None;
        }
        let mut end = token.end;
        if token.kind != TokenKind::Code {
            for next in tokens.iter().skip(at + 1).take(16) {
                let joins = next.glued
                    && (!matches!(
                        next.kind,
                        TokenKind::Punct(_) | TokenKind::Code | TokenKind::Emoji
                    ) || next.is_punct('/')
                        || next.is_punct('.'));
                if !joins {
                    break;
                }
                end = next.end;
            }
        }
        Some((token.start, end))
    })
}

/// What the files that a stretch names are to the items of a list that is not too long for it.
pub(super) fn files(text: &str, view: View<'_>, list: &Checklist, known: &Runs) -> Files {
    let mut out = Files::NONE;
    let mut known_runs = known.take();
    for place in runs(view) {
        let found = match known_runs.iter().find(|(of, _)| *of == place) {
            Some((_, found)) => *found,
            None => {
                let found = look(slice(text, place.0, place.1), list);
                if known_runs.is_empty() {
                    known_runs.reserve(RUNS);
                }
                if known_runs.len() < RUNS {
                    known_runs.push((place, found));
                }
                found
            }
        };
        out = out.with(found);
    }
    known.set(known_runs);
    out
}

/// What the files that a run names are to the items.
fn look(run: &str, list: &Checklist) -> Files {
    if let Some(path) = plain_path(run) {
        return list.file(path);
    }
    if no_path(run) {
        return Files::NONE;
    }
    let found = paths::find(run).into_iter().filter(|m| m.strong);
    found.fold(Files::NONE, |all, m| all.with(list.file(&m.path)))
}

/// The files that a stretch names.
pub(super) fn paths<'t>(text: &'t str, view: View<'_>) -> Vec<Cow<'t, str>> {
    let mut out = Vec::new();
    for (from, to) in runs(view) {
        let run = slice(text, from, to);
        if let Some(path) = plain_path(run) {
            out.push(Cow::Borrowed(path));
        } else if !no_path(run) {
            let found = paths::find(run).into_iter().filter(|m| m.strong);
            out.extend(found.map(|m| Cow::Owned(m.path)));
        }
    }
    out
}

/// A file with a known extension, written plainly or as code.
fn plain_path(run: &str) -> Option<&str> {
    let run = run.trim_matches('`');
    let dot = run.bytes().rposition(|b| b == b'.')?;
    let (stem, extension) = (run.get(..dot)?, run.get(dot + 1..)?);
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'.');
    let known = matches!(
        extension,
        "rs" | "md" | "py" | "ts" | "go" | "json" | "toml" | "yml" | "yaml"
    ) || crate::names::is_extension(extension);
    let bytes = run.as_bytes();
    // All of it is looked at in one go: a file is short.
    let (mut is_plain, mut folder, mut doubled, mut last) = (true, false, false, 0);
    for b in bytes.iter().copied() {
        is_plain &= plain(b);
        folder |= b == b'/';
        doubled |= (b == b'/') & (last == b'/');
        last = b;
    }
    if !known || !is_plain || matches!(bytes.first(), Some(b'.' | b'/' | b'-')) {
        return None;
    }
    let fits = if folder {
        !doubled
    } else {
        let first = stem.as_bytes().first().copied().unwrap_or_default();
        first.is_ascii_alphabetic()
            && stem.len() < 100
            && !stem.as_bytes().contains(&b'.')
            && !(matches!(extension, "js" | "io" | "net") && crate::names::is_library(run))
    };
    fits.then_some(run)
}

/// Whether a run surely names no file: it has neither a dot, a slash, a wildcard nor a capital letter, and is none of the
/// few names without them.
fn no_path(run: &str) -> bool {
    let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b' ' | b'`');
    run.bytes().all(plain) && !["file", "gradlew", "mvnw"].iter().any(|name| run.contains(name))
}
