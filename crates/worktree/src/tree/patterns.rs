//! Git's patterns of files to ignore, as far as all versions of git agree on what they mean. A pattern that is
//! written in another way is not understood here, and git is asked.

/// Why a file of patterns cannot be used here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Odd;

/// The patterns of one file.
#[derive(Debug, Default)]
pub(crate) struct Patterns(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    parts: Vec<Part>,
    /// Takes back what an earlier one said.
    negative: bool,
    only_folders: bool,
    /// Compared with the last name of a path, not with the path from the file's folder on.
    name_only: bool,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Byte(u8),
    /// `?`
    Any,
    /// `[…]`: ranges of bytes, and whether they are those that do not match.
    Class(Vec<(u8, u8)>, bool),
    /// `*`: any bytes but `/`.
    Star,
    /// `**/`: any number of whole folders.
    Folders,
    /// `/**` at the end, after its slash: everything below.
    Rest,
}

impl Patterns {
    /// Reads a file of patterns.
    pub(crate) fn read(text: &[u8]) -> Result<Self, Odd> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if text.contains(&0) {
            return Err(Odd);
        }
        let mut patterns = Vec::new();
        for line in text.split(|b| *b == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let line = trimmed(line);
            if line.first().is_none_or(|b| *b == b'#') {
                continue;
            }
            patterns.extend(pattern(line)?);
        }
        // The last one decides.
        patterns.reverse();
        Ok(Self(patterns))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a path, relative to the file's folder, is ignored; `None` when no pattern fits.
    pub(crate) fn ignores(&self, path: &[u8], is_folder: bool) -> Option<bool> {
        let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
        let fits = |p: &&Pattern| {
            (is_folder || !p.only_folders) && fits(&p.parts, if p.name_only { name } else { path })
        };
        self.0.iter().find(fits).map(|p| !p.negative)
    }
}

/// A line without the spaces at its end, unless a backslash stands before them.
fn trimmed(line: &[u8]) -> &[u8] {
    let mut kept = 0;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        let escaped = *byte == b'\\';
        at += if escaped { 2 } else { 1 };
        if *byte != b' ' {
            kept = at;
        }
    }
    line.get(..kept).unwrap_or(line)
}

/// Reads one line; nothing when it can fit nothing.
fn pattern(line: &[u8]) -> Result<Option<Pattern>, Odd> {
    let (negative, text) = match line.strip_prefix(b"!") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (only_folders, text) = match text.strip_suffix(b"/") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if text.is_empty() {
        return Ok(None);
    }
    let name_only = !text.contains(&b'/');
    let text = text.strip_prefix(b"/").unwrap_or(text);
    Ok(Some(Pattern {
        parts: parts(text, name_only)?,
        negative,
        only_folders,
        name_only,
    }))
}

fn parts(text: &[u8], name_only: bool) -> Result<Vec<Part>, Odd> {
    let mut parts = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'?' => parts.push(Part::Any),
            b'\\' => {
                // At the end, and before a slash, versions of git differ.
                let next = text.get(at).filter(|b| **b != b'/').ok_or(Odd)?;
                parts.push(Part::Byte(*next));
                at += 1;
            }
            b'[' => {
                let (class, length) = class(text.get(at..).unwrap_or_default())?;
                parts.push(class);
                at += length;
            }
            b'*' => {
                let more = text
                    .get(at..)
                    .unwrap_or_default()
                    .iter()
                    .take_while(|b| **b == b'*')
                    .count();
                let before = at.checked_sub(2).and_then(|n| text.get(n));
                at += more;
                let part = match (more, text.get(at)) {
                    _ if name_only => Part::Star,
                    (0, _) => Part::Star,
                    // Two of them mean something only as a whole name.
                    (1, Some(b'/')) if before.is_none_or(|b| *b == b'/') => {
                        at += 1;
                        Part::Folders
                    }
                    (1, None) if before.is_none_or(|b| *b == b'/') => Part::Rest,
                    _ => return Err(Odd),
                };
                // One after the other they mean no more than one, and cost more.
                if parts.last() != Some(&part) || !matches!(part, Part::Star | Part::Folders) {
                    parts.push(part);
                }
            }
            byte => parts.push(Part::Byte(*byte)),
        }
    }
    Ok(parts)
}

/// Reads a class after its `[`: letters, digits and a few signs. Gives its length too.
fn class(text: &[u8]) -> Result<(Part, usize), Odd> {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'~' | b'#' | b'+');
    let not = matches!(text.first(), Some(b'!' | b'^'));
    let mut at = usize::from(not);
    let mut ranges = Vec::new();
    loop {
        match (text.get(at), text.get(at + 1), text.get(at + 2)) {
            (Some(b']'), ..) if !ranges.is_empty() => return Ok((Part::Class(ranges, not), at + 1)),
            (Some(from), Some(b'-'), Some(to))
                if from.is_ascii_alphanumeric() && to.is_ascii_alphanumeric() && from <= to =>
            {
                ranges.push((*from, *to));
                at += 3;
            }
            (Some(one), Some(next), _) if is_plain(one) && *next != b'-' => {
                ranges.push((*one, *one));
                at += 1;
            }
            _ => return Err(Odd),
        }
    }
}

/// Whether a text fits. Goes back to the last star and to the last `**/` only, which is enough: an earlier one could
/// but take more of what the later one takes as well. So the time is bounded by the product of both lengths.
fn fits(parts: &[Part], text: &[u8]) -> bool {
    let (mut part, mut at) = (0, 0);
    // Where to go on when something does not fit: the part after it, and what it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    let mut folders: Option<(usize, usize)> = None;
    loop {
        let fitted = match parts.get(part) {
            None if at == text.len() => return true,
            None => false,
            Some(Part::Rest) => return true,
            Some(Part::Star) => {
                part += 1;
                star = Some((part, at));
                continue;
            }
            Some(Part::Folders) => {
                part += 1;
                folders = Some((part, at));
                star = None;
                continue;
            }
            Some(one) => text.get(at).is_some_and(|byte| match one {
                Part::Byte(b) => b == byte,
                Part::Any => *byte != b'/',
                Part::Class(ranges, not) => {
                    *byte != b'/' && ranges.iter().any(|(a, b)| (a..=b).contains(&byte)) != *not
                }
                Part::Star | Part::Folders | Part::Rest => false,
            }),
        };
        if fitted {
            if text.get(at) == Some(&b'/') {
                star = None;
            }
            part += 1;
            at += 1;
            continue;
        }
        if let Some((after, taken)) = star
            && text.get(taken).is_some_and(|b| *b != b'/')
        {
            star = Some((after, taken + 1));
            (part, at) = (after, taken + 1);
            continue;
        }
        star = None;
        let Some((after, taken)) = folders else {
            return false;
        };
        let rest = text.get(taken..).unwrap_or_default();
        let Some(slash) = rest.iter().position(|b| *b == b'/') else {
            return false;
        };
        folders = Some((after, taken + slash + 1));
        (part, at) = (after, taken + slash + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The last line that fits decides; `-` where none does.
    fn says(lines: &str, path: &str) -> char {
        let is_folder = path.ends_with('/');
        match Patterns::read(lines.as_bytes())
            .unwrap()
            .ignores(path.trim_end_matches('/').as_bytes(), is_folder)
        {
            None => '-',
            Some(true) => 'i',
            Some(false) => '!',
        }
    }

    #[test]
    fn what_fits() {
        for (lines, path, answer) in [
            ("*.log", "a/b.log", 'i'),
            ("*.log\n!b.log", "a/b.log", '!'),
            ("!b.log\n*.log", "a/b.log", 'i'),
            ("target/", "a/target", '-'),
            ("target/", "a/target/", 'i'),
            ("/target", "a/target", '-'),
            ("a/b", "a/b", 'i'),
            ("a/b", "x/a/b", '-'),
            ("**/b", "x/a/b", 'i'),
            ("**/b", "b", 'i'),
            ("a/**/b", "a/b", 'i'),
            ("a/**/b", "a/x/y/b", 'i'),
            ("a/**/b", "a/xb", '-'),
            ("a/**", "a", '-'),
            ("a/**", "a/x/y", 'i'),
            ("*.py[cod]", "x.pyc", 'i'),
            ("*.py[cod]", "x.py", '-'),
            ("[Bb]in/", "Bin/", 'i'),
            ("[!a-c]x", "bx", '-'),
            ("[!a-c]x", "dx", 'i'),
            ("a/*", "a/b/c", '-'),
            ("a/*b*/c", "a/xby/c", 'i'),
            ("a?c", "a/c", '-'),
            ("x  \ny\\ ", "x", 'i'),
            ("x  \ny\\ ", "y ", 'i'),
            ("\\#x\n#y", "#x", 'i'),
            ("\\#x\n#y", "#y", '-'),
            ("x\r\n", "x", 'i'),
            ("***", "a/b", 'i'),
            ("a*b*c", "aXbXbc", 'i'),
        ] {
            assert_eq!(says(lines, path), answer, "{lines:?} {path:?}");
        }
    }

    #[test]
    fn what_is_left_to_git() {
        for odd in [
            "a**/b",
            "/a/b**",
            "a/***/b",
            "[[:alpha:]]",
            "[]a]",
            "[a",
            "[a-]",
            "x/\\",
            "a\\/b",
            "[z-a]",
            "a\0b",
        ] {
            assert!(Patterns::read(odd.as_bytes()).is_err(), "{odd:?}");
        }
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let star = Patterns::read("*a".repeat(400).as_bytes()).unwrap();
        let deep = Patterns::read(format!("{}x", "**/a*/".repeat(300)).as_bytes()).unwrap();
        let (long, folders) = ("a".repeat(4_000), "aa/".repeat(1_300));
        let begun = std::time::Instant::now();
        for _ in 0..10 {
            assert_eq!(star.ignores(format!("{long}b").as_bytes(), false), None);
            assert_eq!(deep.ignores(format!("{folders}y").as_bytes(), false), None);
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    proptest! {
        /// Against the plainest way to say what the parts mean.
        #[test]
        fn as_trying_everything(line in "[ab*?/]{1,8}", path in "[ab]{1,3}(/[ab]{1,3}){0,3}") {
            fn slow(parts: &[Part], text: &[u8]) -> bool {
                match parts.split_first() {
                    None => text.is_empty(),
                    Some((Part::Rest, _)) => true,
                    Some((Part::Star, rest)) => {
                        let end = text.iter().position(|b| *b == b'/').unwrap_or(text.len());
                        (0..=end).any(|n| slow(rest, &text[n..]))
                    }
                    Some((Part::Folders, rest)) => (0..=text.len())
                        .filter(|n| *n == 0 || text[n - 1] == b'/')
                        .any(|n| slow(rest, &text[n..])),
                    Some((one, rest)) => text.split_first().is_some_and(|(b, after)| {
                        let fits = match one {
                            Part::Byte(a) => a == b,
                            Part::Any => *b != b'/',
                            _ => false,
                        };
                        fits && slow(rest, after)
                    }),
                }
            }
            if let Ok(Some(pattern)) = pattern(line.as_bytes()) {
                prop_assert_eq!(fits(&pattern.parts, path.as_bytes()), slow(&pattern.parts, path.as_bytes()));
            }
        }

        #[test]
        fn any_bytes_are_answered(text: Vec<u8>, path: Vec<u8>) {
            if let Ok(patterns) = Patterns::read(&text) {
                let _ = patterns.ignores(&path, false);
            }
        }
    }
}
