//! Finds the files, folders and globs that a text mentions.

mod placed;
mod shape;
mod spaced;
mod written;

use crate::list::listed;
use crate::names::{is_extension, is_name, is_stem};
use crate::text::{is_hangul, near_before, near_behind, slice};
use shape::{context_says_file, shape};
use std::borrow::Cow;
use written::{handed, in_project, surely_handed};

/// A file, folder or glob that a text mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The path as it is compared: no `./`, no line number, no quotes; a folder keeps its `/`.
    pub(crate) path: String,
    /// Byte range in the text, with quotes and line number.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// `false` for words that are a path only in company (`services/mail`).
    pub(crate) strong: bool,
    /// It is an argument of a command in backticks.
    pub(crate) command: bool,
    /// A `!` stands before it, as in lists of globs: what the others name, without this.
    pub(crate) barred: bool,
}

const CLOSERS: &[(char, char)] = &[
    ('`', '`'),
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('«', '»'),
];

/// The files, folders and globs that a line mentions, in order.
pub(crate) fn find(text: &str) -> Vec<Mention> {
    let mut out = Vec::new();
    let plain = |b: u8| b.is_ascii() && !matches!(b, b'`' | b'"' | b'\'');
    if text.bytes().all(plain) && !may_be_path(text) {
        return out;
    }
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some((inner, end)) = quoted(text, at, c) {
            let from = at + c.len_utf8();
            if let Some(mut mention) = from_quoted(text, inner, at, end) {
                // `@"src/my file.rs"`
                mention.start -= usize::from(slice(text, 0, at).ends_with('@'));
                out.push(mention);
                at = end;
                continue;
            }
            if c == '`' {
                if inner.contains(' ') {
                    let command = |m| out.push(Mention { command: true, ..m });
                    bare(text, from, from + inner.len(), command);
                }
                at = end;
                continue;
            }
            at = from;
            continue;
        }
        if is_break(c) && group(text, at).is_none() {
            at += c.len_utf8();
            continue;
        }
        let end = token_end(text, at);
        bare(text, at, end, |mention| spaced::push(text, mention, &mut out));
        at = end;
    }
    out
}

/// The text between a pair of quotes on one line, and the end of the pair.
fn quoted(text: &str, at: usize, open: char) -> Option<(&str, usize)> {
    let close = CLOSERS.iter().find(|(o, _)| *o == open)?.1;
    let before = slice(text, 0, at).chars().next_back();
    if open == '\'' && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let from = at + open.len_utf8();
    let rest = text.get(from..)?;
    let (offset, _) = rest
        .char_indices()
        .take(200)
        .take_while(|(_, c)| *c != '\n')
        .find(|(_, c)| *c == close)?;
    (offset > 0).then(|| (slice(rest, 0, offset), from + offset + close.len_utf8()))
}

fn from_quoted(text: &str, inner: &str, start: usize, end: usize) -> Option<Mention> {
    let inner = inner.trim();
    let barred = inner.starts_with('!');
    let inner = inner.trim_start_matches('!');
    let spaced = inner.contains(char::is_whitespace);
    if spaced {
        // A path with spaces needs a folder in its first word and an extension at the end. Without a folder it could be
        // a command: it is a file where the words say that it is changed, or that it is one.
        let mut words = inner.split_whitespace();
        let first = words.next()?;
        let last = words.next_back()?;
        let folder =
            first.contains('/') && !first.starts_with(['/', '-', '.']) && !first.contains(['*', ':']);
        let file = last
            .rsplit_once('.')
            .is_some_and(|(stem, ext)| !stem.is_empty() && is_extension(ext));
        let alone =
            !last.contains('/') && shape(first, true).is_none_or(|strong| !strong || !file_like(first));
        let named = !inner.contains([':', '*', '=', '|', '<', '>']) && !inner.contains(" -");
        let named = named
            && !inner.contains('/')
            && (is_object_of_change(text, start, end)
                || spaced::is_name(inner) && spaced::stands_alone(text, start, end));
        if !(file && alone && (folder || named)) {
            return None;
        }
        let path = clean(inner);
        return Some(Mention {
            path,
            start,
            end,
            strong: true,
            command: false,
            barred,
        });
    }
    let path = clean(inner);
    let strong = shape(&path, true)?;
    let strong = strong || path.contains('/') || context_says_file(text, start, end);
    if !path.contains('/') && !strong {
        return None;
    }
    Some(Mention {
        path,
        start,
        end,
        strong,
        command: false,
        barred,
    })
}

/// Whether the words around a quotation say that it is a file that changes: a verb of change right before it, a
/// Korean object with one behind it, or the word for a file.
fn is_object_of_change(text: &str, start: usize, end: usize) -> bool {
    let before = near_before(text, start).to_lowercase();
    let mut words = before.split_whitespace().rev();
    let verb = words.find(|word| !listed!("the|our|my|a|new|file", word));
    if verb.is_some_and(crate::roles::changes_files) || context_says_file(text, start, end) {
        return true;
    }
    let behind = near_behind(text, end).trim_start();
    let mut behind = behind.split_whitespace();
    behind.next().is_some_and(|word| {
        listed!("을|를|에|은|는", word) && behind.any(crate::roles::is_korean_change)
            || crate::roles::is_korean_change(word)
    })
}

/// Whether a word with an `@` is something else than a path: an address, somebody who is spoken to, a package with
/// its version. In a path it begins a name (`@types/node.d.ts`, `packages/@acme/ui/`), and a name of a scope alone
/// (`@acme/ui`) is a package.
fn is_address(token: &str) -> bool {
    let path = token.trim_end_matches(['.', ',', ':', ';', '!', '?']);
    let begins = |(at, _): (usize, &str)| at == 0 || slice(path, 0, at).ends_with('/');
    token.contains('@')
        && handed(path).is_none()
        && !(path.match_indices('@').all(begins)
            && path.contains('/')
            && (file_like(cut_particle(path).0) || !path.starts_with('@')))
}

fn file_like(word: &str) -> bool {
    word.rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, ext)| is_extension(ext))
}

/// Mentions in a stretch without quotes, in order.
fn bare(text: &str, from: usize, to: usize, mut each: impl FnMut(Mention)) {
    let mut at = from;
    while at < to {
        let Some(c) = slice(text, at, to).chars().next() else {
            break;
        };
        if is_break(c) && group(text, at).is_none() {
            at += c.len_utf8();
            continue;
        }
        let end = token_end(text, at).min(to);
        if let Some(mention) = from_token(text, at, end) {
            each(mention);
        }
        at = end.max(at + c.len_utf8());
    }
}

fn is_break(c: char) -> bool {
    if c.is_ascii() {
        return matches!(
            c,
            ' ' | '\t'..='\r' | ',' | ';' | '(' | ')' | '"' | '\'' | '`' | '|' | '<' | '>' | '='
        );
    }
    if is_hangul(c) {
        return false;
    }
    c.is_whitespace()
        || matches!(c, '“' | '”' | '‘' | '’' | '「' | '」')
        || matches!(
            c,
            '『' | '』'
                | '«'
                | '»'
                | '—'
                | '–'
                | '→'
                | '⇒'
                | '…'
                | '、'
                | '，'
                | '（'
                | '）'
                | '：'
                | '·'
        )
}

/// Where a folder in parentheses that begins a name of a path ends: `src/(group)/page.tsx`, `(group)/page.tsx`,
/// `app/(.)photo/page.tsx`. `None` where a parenthesis is one of the sentence.
fn group(text: &str, at: usize) -> Option<usize> {
    let inner = text.get(at..)?.strip_prefix('(')?;
    let folder = slice(text, 0, at).ends_with('/');
    let length = inner
        .bytes()
        .take(64)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    let behind = inner.get(length..)?.strip_prefix(')')?;
    let goes_on = behind.starts_with('/')
        || folder && behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
    (length > 0 && goes_on).then_some(at + length + 2)
}

/// Where the run of path characters that begins at `at` ends. Commas inside braces belong to it, and so do folders in
/// parentheses.
fn token_end(text: &str, at: usize) -> usize {
    let mut depth = 0usize;
    let mut previous = ' ';
    let mut inside = at;
    for (offset, c) in text.get(at..).unwrap_or_default().char_indices() {
        match c {
            _ if at + offset < inside => {}
            '(' if matches!(previous, '/' | ' ') => match group(text, at + offset) {
                Some(end) => inside = end,
                None => return at + offset,
            },
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth > 0 => {}
            '>' if previous == '-' => return at + offset,
            // `my\ file.txt`
            ' ' if previous == '\\' => {}
            c if is_break(c) => return at + offset,
            _ => {}
        }
        previous = c;
    }
    text.len()
}

/// Rules out most words of prose: a path has a dot, a slash or a wildcard in it, or is a well-known name,
/// and of those only a few have no capital letter.
fn may_be_path(token: &str) -> bool {
    let inner = token.trim_end_matches(['.', ',', ':', ';', '!', '?']);
    let sign = |b: u8| matches!(b, b'.' | b'/' | b'*' | b'{' | b'\\' | b'A'..=b'Z');
    inner.bytes().any(sign)
        || inner.bytes().any(|b| matches!(b, b'f' | b'w'))
            && ["file", "gradlew", "mvnw"]
                .iter()
                .any(|name| inner.contains(name))
}

fn from_token(text: &str, start: usize, end: usize) -> Option<Mention> {
    let mut token = slice(text, start, end);
    let mut from = start;
    if !may_be_path(token) {
        return None;
    }
    if let Some(path) = in_project(token) {
        let found = from_token(text, end - path.len(), end)?;
        return Some(Mention { start, ..found });
    }
    let begin = token.as_bytes().get(..4);
    let site = begin.is_some_and(|begin| begin.eq_ignore_ascii_case(b"www."));
    if site || token.contains("://") || is_address(token) || token.starts_with("--") {
        return None;
    }
    // `path:src/a.ts`, `파일:src/a.ts`
    if let Some((label, rest)) = token.split_once(':') {
        let plain = !label.contains(['.', '/', '*']) && label.chars().count() > 1 && !is_name(label);
        if plain && rest.contains(['/', '.']) && !rest.starts_with([':', '\\']) {
            from += label.len() + 1;
            token = rest;
        }
    }
    let emphasis =
        token.starts_with("**") && token.ends_with("**") && token.len() > 4 && !token.starts_with("**/");
    let lead = token.len()
        - token
            .trim_start_matches(['[', '{', '~', '!', '#', '+', '$', '_'])
            .len();
    let braces = token.starts_with('{') && token.contains('}') && token.contains('/');
    let single =
        token.len() > 2 && token.starts_with('*') && token.ends_with('*') && token.matches('*').count() == 2;
    if emphasis || single {
        from += token.len() - token.trim_start_matches('*').len();
        token = token.trim_matches('*');
    } else if lead > 0 && !braces && !token.starts_with("~/") && !token.starts_with("__") {
        let brackets = token.starts_with('[') && token.contains(']');
        if !brackets || token.ends_with(']') {
            token = token.get(lead..)?;
            from += lead;
        }
    }
    let barred = slice(text, start, from).ends_with('!');
    let (token, _) = cut_particle(token);
    let path = clean(token);
    let escaped = path.contains(' ') && file_like(&path);
    let strong = if escaped { true } else { shape(&path, false)? };
    let used = from + token.trim_end_matches([':', '.', ',', ';', '!', '?']).len();
    let strong = strong || context_says_file(text, from, used);
    if !path.contains('/') && !strong {
        return None;
    }
    Some(Mention {
        path,
        start: from,
        end: used,
        strong,
        command: false,
        barred,
    })
}

/// Cuts a Korean particle from the end of an ASCII path (`src/a.ts를`, `Makefile의`, `src/db에서`).
fn cut_particle(token: &str) -> (&str, &str) {
    let name_at = token.trim_end_matches('/').rfind('/').map_or(0, |i| i + 1);
    let name = slice(token, name_at, token.len());
    let hangul = name.char_indices().find(|(_, c)| is_hangul(*c));
    let Some((offset, _)) = hangul else {
        return (token, "");
    };
    let dot = name.rfind('.').filter(|dot| {
        let ext: String = name
            .get(dot + 1..)
            .unwrap_or_default()
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        !ext.is_empty()
    });
    let at = match dot {
        // After an extension everything in Hangul is a particle.
        Some(dot) => {
            let ext = name.get(dot + 1..).unwrap_or_default();
            let length: usize = ext
                .chars()
                .take_while(|c| !is_hangul(*c))
                .map(char::len_utf8)
                .sum();
            name_at + dot + 1 + length
        }
        None if offset == 0 => {
            // A Hangul word behind a slash: `docs/운영`, but `src/에`.
            if is_particle(name) { name_at } else { token.len() }
        }
        None if is_particle(slice(name, offset, name.len())) => name_at + offset,
        None => token.len(),
    };
    (slice(token, 0, at), slice(token, at, token.len()))
}

/// Whether a Hangul run is nothing but a particle.
pub(crate) fn is_particle(run: &str) -> bool {
    let run = run.trim_end_matches(['.', ',', ':', '!', '?', ')']);
    const PARTICLES: &str = "\
        은|는|이|가|을|를|의|에|에서|에서는|에는|에도|에만|에서만|으로|로|으로는|로는|와|과|도|만|만이|\
        만을|까지|까지만|부터|보다|처럼|이나|나|하고|랑|이랑|마다|밖에|외에|외에는|이외|이외에|이며|\
        이고|입니다|이다|엔|라는|이라는|같은|및|등|등을|뿐|들|까지의|에서의|의해|대로|만은";
    listed!(PARTICLES, run)
}

/// Strips quotes' leftovers, `./`, line numbers and trailing punctuation.
fn clean(token: &str) -> String {
    let mut path = token.trim();
    // What opens is never cut off, so that it is looked for once.
    let (brackets, braces) = (path.contains('['), path.contains('{'));
    loop {
        let before = path;
        path = path.trim_end_matches([
            '.', ',', ':', ';', '!', '?', '"', '\'', '~', '…', '。', '\u{fe0f}',
        ]);
        if path.ends_with(']') && !brackets || path.ends_with('}') && !braces {
            path = path.get(..path.len() - 1).unwrap_or_default();
        }
        if path.ends_with('_') && path.contains('.') {
            path = path.trim_end_matches('_');
        }
        if path.ends_with('*')
            && !path.ends_with("/*")
            && !path.ends_with("/**")
            && path.contains('.')
            && !path.ends_with(".*")
        {
            path = path.trim_end_matches('*');
        }
        if path.ends_with('-') {
            path = path.trim_end_matches('-');
        }
        if path == before {
            break;
        }
    }
    path = in_project(path).unwrap_or(path);
    path = surely_handed(path).unwrap_or(path);
    let unescaped = replaced(path, "\\ ", " ");
    let mut path = unescaped.as_ref();
    // `src/a.ts:12:3`, `src/a.ts:12-20`, `src/a.ts#L10`
    if let Some((name, line)) = path.split_once(':') {
        let drive = name.len() == 1 && line.starts_with(['\\', '/']);
        if !drive {
            path = name;
        }
    }
    if let Some((name, _)) = path
        .split_once('#')
        .filter(|(name, _)| !name.is_empty() && !name.ends_with('/'))
    {
        path = name;
    }
    let slashed = replaced(path, "\\", "/");
    let mut path = slashed.trim_start_matches("./").to_owned();
    // By its bytes: to make a search ready takes longer than to look through a path.
    let doubled = |path: &str| path.as_bytes().windows(2).any(|two| two == b"//");
    while doubled(&path) {
        path = path.replace("//", "/");
    }
    path
}

/// A text with something else for what begins with a backslash: most have none.
fn replaced<'t>(text: &'t str, from: &str, to: &str) -> Cow<'t, str> {
    if text.contains('\\') {
        Cow::Owned(text.replace(from, to))
    } else {
        Cow::Borrowed(text)
    }
}

/// Makes a folder that only some kind of file is meant of a glob: `.sql files under migrations/`, `migrations/ 아래 .sql 파일`.
/// Names that are told with their folder have it before them then.
pub(crate) fn kinds(text: &str, mentions: &mut Vec<Mention>) {
    let extension = |word: &str| {
        let word = word.trim_matches(['`', '"', '\'', ',', '*', '(', ')']);
        if let Some(kind) = kind_of(word) {
            return Some(kind.to_owned());
        }
        let name = word.strip_prefix('.')?;
        is_extension(name).then(|| name.to_owned())
    };
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for mention in mentions
        .iter_mut()
        .filter(|m| m.path.ends_with('/') && !m.path.contains('*'))
    {
        let mut before = near_before(text, mention.start).split_whitespace().rev();
        let mut near = before.next();
        if near.is_some_and(|w| matches!(w, "the" | "our")) {
            near = before.next();
        }
        let english = near.is_some_and(|w| listed!("under|in|inside|within|below|from", w))
            && before.next().is_some_and(|w| matches!(w, "files" | "file"));
        let found = if english {
            before.next().and_then(extension)
        } else {
            let mut after = near_behind(text, mention.end).split_whitespace();
            let place = after.next().is_some_and(|w| {
                ["아래", "밑", "안", "내", "의", "에", "하위"]
                    .iter()
                    .any(|k| w.starts_with(k))
            });
            let mut next = after.next();
            if next.is_some_and(|w| listed!("있는|모든|전체", w)) {
                next = after.next();
            }
            let files = after.next().is_some_and(|w| w.starts_with("파일"));
            next.filter(|_| place && files).and_then(extension)
        };
        if let Some(extension) = found {
            mention.path = format!("{}**/*.{extension}", mention.path);
            taken.push((mention.start, mention.end));
        }
    }
    in_folder(text, mentions);
    placed::join(text, mentions);
    if !taken.is_empty() {
        // The kind of file itself is no file.
        mentions.retain(|m| {
            !(m.path.starts_with('.')
                && !m.path.contains('/')
                && is_extension(m.path.trim_start_matches('.')))
        });
    }
}

/// How the names of files in a language end, as globs write it: "Python files in tools/", 파이썬 파일.
fn kind_of(word: &str) -> Option<&'static str> {
    const KINDS: [(&str, &str); 22] = [
        ("{py,pyi}", "python|파이썬"),
        ("{ts,tsx}", "typescript|타입스크립트"),
        ("{js,jsx,mjs,cjs}", "javascript|자바스크립트"),
        ("rs", "rust|러스트"),
        ("go", "golang"),
        ("java", "java|자바"),
        ("{kt,kts}", "kotlin|코틀린"),
        ("swift", "swift|스위프트"),
        ("rb", "ruby|루비"),
        ("php", "php"),
        ("cs", "c#"),
        ("{c,h}", "c"),
        ("{cpp,cc,cxx,hpp,hh,h}", "c++"),
        ("css", "css"),
        ("{scss,sass}", "scss|sass"),
        ("{html,htm}", "html"),
        ("{md,markdown,mdx}", "markdown|마크다운"),
        ("{json,jsonc,json5}", "json"),
        ("{yml,yaml}", "yaml|yml"),
        ("toml", "toml"),
        ("sql", "sql"),
        ("{sh,bash}", "shell|bash|셸|쉘"),
    ];
    let lower = word.to_lowercase();
    let kind = KINDS
        .iter()
        .find(|(_, names)| names.split('|').any(|name| name == lower));
    kind.map(|(end, _)| *end)
}

/// Joins a glob with the folder that it is said to lie in: `*.md` files in docs/, src/ 안의 `*.ts`. Thing and place are one
/// outcome, not two.
fn in_folder(text: &str, mentions: &mut Vec<Mention>) {
    let bare = |m: &Mention| m.path.contains('*') && !m.path.contains('/');
    let folder = |m: &Mention| m.path.ends_with('/') || m.path.contains("/**/*.");
    let mut gone = Vec::new();
    for at in 1..mentions.len() {
        let Some([first, second]) = mentions.get_mut(at - 1..=at) else {
            continue;
        };
        let between = slice(text, first.end, second.start);
        let mut words = between
            .split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '*'))
            .filter(|w| !w.is_empty());
        let english = bare(first)
            && folder(second)
            && words
                .clone()
                .any(|w| listed!("in|under|inside|within|below|beneath", w))
            && words.all(|w| listed!("in|under|inside|within|below|beneath|files|file|the|our|all", w));
        let inside = |w: &str| ["안", "아래", "밑", "내", "속"].iter().any(|k| w.starts_with(k));
        let mut words = between
            .split(|c: char| c.is_whitespace() || c == '`')
            .filter(|w| !w.is_empty());
        let korean = folder(first)
            && bare(second)
            && words
                .next()
                .is_some_and(|w| inside(w) || matches!(w, "의" | "폴더의" | "에"))
            && words.all(|w| listed!("있는|모든|전체", w));
        if english {
            if second.path.ends_with('/') {
                second.path = format!("{}**/{}", second.path, first.path);
            }
            gone.push(at - 1);
        } else if korean {
            if first.path.ends_with('/') {
                first.path = format!("{}**/{}", first.path, second.path);
            }
            first.end = second.end;
            gone.push(at);
        }
    }
    for at in gone.into_iter().rev() {
        mentions.remove(at);
    }
}

/// Folders named by a plain word, as in `the migrations folder` or `docs 폴더`.
pub(crate) fn named_folders(text: &str) -> Vec<Mention> {
    let mut out = Vec::new();
    let mut previous: Option<(usize, usize)> = None;
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        let bare = word
            .trim()
            .trim_matches(['`', '"', '\'', ',', '.', ':', ')', '(']);
        let lower = bare.to_lowercase();
        let folder = matches!(lower.as_str(), "folder" | "directory" | "dir")
            || ["폴더", "디렉터리", "디렉토리"]
                .iter()
                .any(|k| lower.starts_with(k));
        if let (true, Some((from, to))) = (folder, previous) {
            let name = slice(text, from, to).trim_matches(['`', '"', '\'', '“', '”', '*']);
            let fits = name.chars().count() >= 2
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.'))
                && !listed!(
                    "the|a|this|that|any|each|new|same|other|root|work|working|current|its|one|whole|\
                    every|an|old|which|no|temp|temporary|home|parent|no-such|right|wrong|empty|\
                    existing|entire|per",
                    name,
                );
            if fits {
                out.push(Mention {
                    path: format!("{name}/"),
                    start: from,
                    end: to,
                    strong: true,
                    command: false,
                    barred: false,
                });
            }
        }
        previous = (!bare.is_empty()).then(|| (start, start + word.trim_end().len()));
    }
    out
}

/// Further spellings under which a mention may appear among changed files: `README` for `README.md`.
pub(crate) fn spellings(path: &str) -> Vec<String> {
    let mut out = vec![path.to_owned()];
    // The folder may be called so, or the file be handed over.
    out.extend(written::spellings(path));
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_stem(name) {
        out.push(format!("{path}.*"));
    }
    // A Hangul word at the end may carry a particle.
    if !path.ends_with('/') && path.chars().next_back().is_some_and(is_hangul) && path.contains('/') {
        let mut chars: Vec<char> = path.chars().collect();
        for _ in 0..2 {
            let run: String = chars.iter().rev().take(1).collect();
            let short = chars.len() > 1 && chars.get(chars.len() - 2).is_some_and(|c| is_hangul(*c));
            if !short {
                break;
            }
            chars.pop();
            if is_particle(&run) {
                out.push(chars.iter().collect());
                break;
            }
        }
    }
    out
}
#[cfg(test)]
mod tests;
