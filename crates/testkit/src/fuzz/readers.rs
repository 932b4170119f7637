//! Readers of what git writes, of tests' source, and of labelled lines.

use proctor_gates::tamper::{Change, FileChange, Finding, Severity, asks_anew, judge};
use proctor_hosts::git::pushed_refs;
use proctor_worktree::readers;

/// The index of git: what is read stands in order under names, and is read again as it was when it was written.
pub fn git_index(bytes: &[u8]) {
    for width in [20, 32] {
        let Some(entries) = readers::index(bytes.to_vec(), width) else {
            continue;
        };
        assert!(
            entries.iter().all(|e| !e.path.is_empty() && e.stage <= 3),
            "an entry has a name"
        );
        assert!(
            entries.is_sorted_by(|a, b| (&a.path, a.stage) < (&b.path, b.stage)),
            "paths are looked for by halves"
        );
        let settled: Vec<_> = entries.into_iter().filter(|e| e.stage == 0).collect();
        let written = readers::index_of(&settled, width);
        assert_eq!(readers::index(written, width), Some(settled));
    }
}

/// A path on the first line and a file of patterns to ignore below it: the answer is that of trying everything.
pub fn git_ignore(bytes: &[u8]) {
    let (path, patterns) = match bytes.iter().position(|b| *b == b'\n') {
        Some(at) => (bytes.get(..at), bytes.get(at + 1..)),
        None => (Some(bytes), None),
    };
    let (path, patterns) = (path.unwrap_or_default(), patterns.unwrap_or_default());
    for is_folder in [false, true] {
        let Some(answer) = readers::ignores(patterns, path, is_folder) else {
            continue;
        };
        if let Some(expected) = tried(patterns, path, is_folder) {
            assert_eq!(
                answer,
                expected,
                "{:?} {:?} {is_folder}",
                String::from_utf8_lossy(path),
                String::from_utf8_lossy(patterns)
            );
        }
    }
}

/// What patterns say of a path, by the words of git's manual and without any haste; `None` where that would take
/// too long, or the path is none that git has.
fn tried(patterns: &[u8], path: &[u8], is_folder: bool) -> Option<Option<bool>> {
    let names: Vec<&[u8]> = path.split(|b| *b == b'/').collect();
    if path.len() > 24 || path.contains(&0) || names.iter().any(|n| n.is_empty()) {
        return None;
    }
    let mut answer = None;
    let patterns = patterns.strip_prefix(b"\xef\xbb\xbf").unwrap_or(patterns);
    for line in patterns.split(|b| *b == b'\n') {
        let mut line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
        // Blanks at the end count behind a backslash that is not itself behind one.
        while line.ends_with(b" ") {
            let slashes = line.iter().rev().skip(1).take_while(|b| **b == b'\\').count();
            if slashes % 2 == 1 {
                break;
            }
            line.pop();
        }
        if line.starts_with(b"#") || line.is_empty() {
            continue;
        }
        let negative = line.starts_with(b"!");
        let text = line.get(usize::from(negative)..)?;
        let only_folders = text.ends_with(b"/");
        let text = text.strip_suffix(b"/").unwrap_or(text);
        if text.is_empty() || only_folders && !is_folder {
            continue;
        }
        if text.len() > 24 || text.iter().filter(|b| **b == b'*').count() > 6 {
            return None;
        }
        let fits = if text.contains(&b'/') {
            let text = text.strip_prefix(b"/").unwrap_or(text);
            let parts: Vec<&[u8]> = text.split(|b| *b == b'/').collect();
            folders(&parts, &names)
        } else {
            name(text, names.last()?)
        };
        if fits {
            answer = Some(!negative);
        }
    }
    Some(answer)
}

/// Whether names of a path fit the parts of a pattern.
fn folders(parts: &[&[u8]], names: &[&[u8]]) -> bool {
    match (parts.split_first(), names.split_first()) {
        (None, None) => true,
        // At the end `**` takes everything below, but not the folder itself.
        (Some((&b"**", [])), rest) => rest.is_some(),
        (Some((&b"**", after)), rest) => {
            folders(after, names) || rest.is_some_and(|(_, below)| folders(parts, below))
        }
        (Some((part, after)), Some((first, below))) => name(part, first) && folders(after, below),
        _ => false,
    }
}

/// Whether one name fits one part.
fn name(part: &[u8], text: &[u8]) -> bool {
    let Some((first, rest)) = part.split_first() else {
        return text.is_empty();
    };
    match (first, text.split_first()) {
        (b'*', after) => name(rest, text) || after.is_some_and(|(_, below)| name(part, below)),
        (_, None) => false,
        (b'?', Some((_, below))) => name(rest, below),
        (b'\\', Some((byte, below))) => rest
            .split_first()
            .is_some_and(|(meant, rest)| meant == byte && name(rest, below)),
        (b'[', Some((byte, below))) => {
            let end = rest.iter().position(|b| *b == b']').unwrap_or(rest.len());
            let (class, rest) = rest.split_at(end);
            let not = matches!(class.first(), Some(b'!' | b'^'));
            let mut class = class.get(usize::from(not)..).unwrap_or_default();
            let mut is_in = false;
            while let Some((from, more)) = class.split_first() {
                let (to, more) = match more {
                    [b'-', to, more @ ..] => (to, more),
                    more => (from, more),
                };
                is_in |= (from..=to).contains(&byte);
                class = more;
            }
            is_in != not && name(rest.get(1..).unwrap_or_default(), below)
        }
        (first, Some((byte, below))) => first == byte && name(rest, below),
    }
}

/// Two states of a file, set apart by a line `====`, as a file of each language: what is found is in that file and
/// in its lines, and a file that stays, or only moves down, makes no test say less.
pub fn tamper(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (base, now) = text.split_once("\n====\n").unwrap_or((&text, ""));
    for path in FILES {
        let of = |base: &str, now: &str| -> Vec<Finding> {
            let files = [FileChange {
                path,
                base: Some(base),
                now: Some(now),
            }];
            let _ = asks_anew(&files);
            judge(&Change {
                files: &files,
                ..Change::default()
            })
        };
        for finding in of(base, now) {
            assert_eq!(&finding.path, path);
            assert!(!finding.words.trim().is_empty(), "a finding says something");
            let lines = now.lines().count().max(base.lines().count());
            assert!(
                finding
                    .line
                    .is_none_or(|n| (1..=lines.max(1)).contains(&(n as usize))),
                "{path}: {finding:?} in {now:?}"
            );
        }
        for moved in [base.to_owned(), format!("\n\n{base}")] {
            let found = of(base, &moved);
            assert!(
                found.iter().all(|f| f.severity == Severity::Note),
                "{path}: {found:?} of {base:?}"
            );
        }
    }
}

const FILES: &[&str] = &[
    "tests/a.rs",
    "tests/test_a.py",
    "src/a.test.ts",
    "a_test.go",
    "src/test/java/ATest.java",
    "src/a.rs",
    "Cargo.toml",
    "package.json",
    ".github/workflows/ci.yml",
];

/// Labelled lines: each that is not blank is read, or told by its number.
pub fn eval_rows(bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    let numbers: Vec<usize> = match proctor_eval::read(bytes, None) {
        Ok(items) => {
            let full = lines.iter().filter(|l| !l.trim_ascii().is_empty()).count();
            let mark = usize::from(bytes == b"\xEF\xBB\xBF");
            assert_eq!(items.len() + mark, full, "no line is left out");
            let ids: std::collections::BTreeSet<&str> = items.iter().map(|i| i.id.as_str()).collect();
            assert_eq!(ids.len(), items.len(), "each line has an id of its own");
            items.iter().map(|i| i.line).collect()
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "a refusal says why");
            problems.iter().map(|p| p.line).collect()
        }
    };
    assert!(numbers.is_sorted_by(|a, b| a < b), "lines stay in order");
    assert!(numbers.iter().all(|n| (1..=lines.len()).contains(n)));
}

/// What git gives to the hook before a push: every line is a reference, or none is taken.
pub fn pushed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let full = text.split('\n').filter(|l| !l.trim().is_empty()).count();
    match pushed_refs(&text) {
        Ok(refs) => {
            assert_eq!(refs.len(), full, "no line is left out");
            let oids = refs.iter().flat_map(|r| [&r.to, &r.from]).flatten();
            for oid in oids {
                assert!(matches!(oid.len(), 40 | 64), "an id is written in full");
                assert!(oid.bytes().all(|b| b.is_ascii_hexdigit()));
                assert!(oid.bytes().any(|b| b != b'0'), "no object has this id");
            }
            assert!(refs.iter().all(|r| !r.name.is_empty() && !r.name.contains(' ')));
        }
        Err(error) => assert!(error.to_string().contains("no line of git's pre-push")),
    }
}

pub(super) const INDEXES: &[&[u8]] = &[
    b"DIRC\0\0\0\x02\0\0\0\x02\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x81\xa4\0\0\0\0\0\0\0\0\0\0\0\x01aaaaaaaaaaaaaaaaaaaa\0\x01a\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x81\xa4\0\0\0\0\0\0\0\0\0\0\0\x01bbbbbbbbbbbbbbbbbbbb\0\x01b\0\0\0\0\0\0\0\0\0\
      cccccccccccccccccccc",
    b"DIRC\0\0\0\x04\0\0\0\x02\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x81\xa4\0\0\0\0\0\0\0\0\0\0\0\x01aaaaaaaaaaaaaaaaaaaa\x10\x01\0a\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x81\xa4\0\0\0\0\0\0\0\0\0\0\0\x01aaaaaaaaaaaaaaaaaaaa\x20\x02\0/b\0\
      TREE\0\0\0\x06\0-1 0\nbbbbbbbbbbbbbbbbbbbb",
    b"DIRC\0\0\0\x03\0\0\0\0link\0\0\0\0bbbbbbbbbbbbbbbbbbbb",
];

pub(super) const IGNORES: &[&[u8]] = &[
    b"src/a.o\n*.o\n!keep.o\n/target/\n**/x/**\n[a-c]?\\*\n# no\n\\#yes\ntail\\ \n",
    b"a/b\na/\n!a/b\n[!x]\n!a/**/b\n",
    b"x/aab/c\n**/*b*\n!x/**\n?/[^c]*b/c\n***\n",
];

pub(super) const TESTS: &[&[u8]] = &[
    b"#[test]\nfn a() {\n    assert_eq!(f(1), 2);\n}\n\n====\n#[test]\n#[ignore]\nfn a() {\n    assert!(true);\n}\n",
    b"def test_a():\n    assert f(1) == 2  # no\n    s = '''x\n====\ndef test_a():\n    pass\n",
    b"it('a', () => { expect(f(`x${1}`)).toBe(2) })\n====\nit.skip('a', () => {})\n",
    b"func TestA(t *testing.T) { if f(1) != 2 { t.Fatal(`x`) } }\n====\nfunc TestA(t *testing.T) { t.Skip() }\n",
    b"@Test void a() { assertEquals(2, f(1)); }\n====\n@Disabled @Test void a() { try { f(1); } catch (Exception e) {} }\n",
    b"{\"scripts\": {\"test\": \"jest --ci\"}}\n====\n{\"scripts\": {\"test\": \"true\"}}\n",
    b"jobs:\n  a:\n    steps:\n      - run: cargo test\n====\njobs:\n  a:\n    steps:\n      - run: cargo test || true\n",
    "// 한글\n\"\\\"\" r#\"x\"# 'a' /* /* */ */\n====\nfn f(x: u8) { if x == 7 { return 9 } }\n".as_bytes(),
];

pub(super) const ROWS: &[&[u8]] = &[
    b"{\"id\":\"a\",\"text\":\"Great job!\",\"audience\":\"agent\",\"label\":\"reject\"}\n{\"id\":\"a\",\"text\":\"x\"}\n",
    b"{\"gate\":\"review\",\"text\":\"APPROVE\",\"is_approval\":true,\"has_evidence\":false,\"label\":\"reject\"}\n\n[]\nnull\n{\"text\":7}\n",
    b"\xEF\xBB\xBF{\"id\":7,\"delegation\":\"x\",\"modified\":[\"a\"],\"severity\":\"NONE\"}\n{\"delegation\":\"EXPECTED OUTCOME:\\n1. a\",\"responses\":[\"a done\"],\"completed\":[true]}\n",
    b"{\"thoughts\":[\"a\",\"b\"],\"stuck\":true}\r\n{\"text\":\"tests pass\",\"claims\":[\"tests\"]}\n{\"text\":\"x\",\"act\":\"praise\"}",
];

pub(super) const PUSHES: &[&[u8]] = &[
    b"refs/heads/main 1111111111111111111111111111111111111111 refs/heads/main 0000000000000000000000000000000000000000\n",
    b"(delete) 0000000000000000000000000000000000000000 refs/heads/x 2222222222222222222222222222222222222222\nHEAD@{1 day ago} 1111111111111111111111111111111111111111 refs/tags/v1 0000000000000000000000000000000000000000\n",
    b"a bb refs/heads/x cc\n\n",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A target that reads nothing of its seeds could not fail.
    #[test]
    fn seeds_are_read() {
        for (seed, count) in INDEXES.iter().zip([2, 2]) {
            assert_eq!(readers::index(seed.to_vec(), 20).map(|e| e.len()), Some(count));
        }
        for (seed, answer) in IGNORES.iter().zip([Some(true), Some(false), Some(true)]) {
            let at = seed.iter().position(|b| *b == b'\n').unwrap();
            assert_eq!(tried(&seed[at + 1..], &seed[..at], true), Some(answer), "{at}");
        }
        for seed in &TESTS[..5] {
            let text = String::from_utf8_lossy(seed);
            let (base, now) = text.split_once("\n====\n").unwrap();
            let found = FILES.iter().any(|path| {
                let files = [FileChange {
                    path,
                    base: Some(base),
                    now: Some(now),
                }];
                let change = Change {
                    files: &files,
                    ..Change::default()
                };
                !judge(&change).is_empty()
            });
            assert!(found, "{text}");
        }
        assert_eq!(proctor_eval::read(ROWS[2], None).unwrap().len(), 2);
        for (seed, count) in PUSHES.iter().zip([1, 2]) {
            assert_eq!(pushed_refs(&String::from_utf8_lossy(seed)).unwrap().len(), count);
        }
    }
}
