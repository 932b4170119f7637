//! What runs of characters are by their form (paths, numbers, identifiers), and what the word lists know about words
//! in all their spellings.

use crate::fold;
use crate::lexicon::{self, Filter, tag};
use crate::tags::Tags;
use crate::token::TokenKind;

/// What a run of characters is.
pub(crate) enum Shape {
    One(TokenKind),
    Spelled,
    Disguised(Tags),
    Words,
}

/// What stands in a run of characters, each as a bit.
mod holds {
    pub(super) const LETTER: u16 = 1;
    pub(super) const DIGIT: u16 = 1 << 1;
    pub(super) const COLON: u16 = 1 << 2;
    pub(super) const SLASH: u16 = 1 << 3;
    pub(super) const UNDERSCORE: u16 = 1 << 4;
    pub(super) const STAR: u16 = 1 << 5;
    /// `@` or `$`: they stand for letters in disguised words.
    pub(super) const SIGN: u16 = 1 << 6;
    pub(super) const EQUALS: u16 = 1 << 7;
    pub(super) const BACKSLASH: u16 = 1 << 8;
    /// `'` or `-`: they stand inside of words.
    pub(super) const INSIDE: u16 = 1 << 9;
    /// A digit that stands for no letter, or any other mark.
    pub(super) const OTHER: u16 = 1 << 10;
    /// Not ASCII.
    pub(super) const WIDE: u16 = 1 << 11;

    /// By byte.
    pub(super) static BYTES: [u16; 256] = {
        let mut out = [WIDE; 256];
        let mut at = 0;
        while at < 128 {
            out[at] = match at as u8 {
                b'a'..=b'z' | b'A'..=b'Z' => LETTER,
                b'0' | b'1' | b'3' | b'4' | b'5' | b'7' | b'8' => DIGIT,
                b'0'..=b'9' => DIGIT | OTHER,
                b':' => COLON,
                b'/' => SLASH,
                b'_' => UNDERSCORE,
                b'*' => STAR,
                b'@' | b'$' => SIGN,
                b'=' => EQUALS,
                b'\\' => BACKSLASH,
                b'\'' | b'-' => INSIDE,
                _ => OTHER,
            };
            at += 1;
        }
        out
    };
}

/// What a run of characters is, by its form.
pub(crate) fn shape(text: &str, inner_capital: bool) -> Shape {
    let all = text.bytes().fold(0, |all, b| all | holds::BYTES[usize::from(b)]);
    let any = |what: u16| all & what != 0;
    if any(holds::COLON) && text.contains("://") || text.starts_with("www.") {
        return Shape::One(TokenKind::Url);
    }
    let has_digit = any(holds::DIGIT);
    // Nothing but letters and what stands for one.
    let disguise = all & !(holds::LETTER | holds::DIGIT | holds::SIGN) == 0;
    if disguise
        && any(holds::LETTER)
        && any(holds::DIGIT | holds::SIGN)
        && let Some(tags) = disguised(text)
    {
        return Shape::Disguised(tags);
    }
    if let Some(name) = text.strip_prefix('@') {
        return if name.contains('/') {
            Shape::One(TokenKind::Path)
        } else {
            Shape::One(TokenKind::Mention)
        };
    }
    if has_digit && is_number(text) {
        return Shape::One(TokenKind::Number);
    }
    if any(holds::SLASH | holds::OTHER) && is_path(text) {
        return Shape::One(TokenKind::Path);
    }
    let plain = all & !(holds::LETTER | holds::INSIDE | holds::WIDE) == 0;
    if plain && !inner_capital && (!any(holds::WIDE) || text.chars().all(|c| c.is_ascii() || letter(c))) {
        let letters = text.split('-').filter(|p| p.chars().count() == 1).count();
        return if letters >= 4 && letters == text.split('-').count() {
            Shape::Spelled
        } else {
            flag_or_words(text)
        };
    }
    let mut parts = text.split(['.', '*', '/', '_', '+']);
    if !has_digit && parts.clone().count() >= 4 && parts.all(|p| p.chars().count() == 1) {
        return Shape::Spelled;
    }
    if any(holds::COLON) && text.contains("::")
        || any(holds::UNDERSCORE) && !text.ends_with('_')
        || text.starts_with(['$', '#'])
    {
        return Shape::One(TokenKind::Ident);
    }
    if any(holds::EQUALS) && !text.starts_with('=') || any(holds::BACKSLASH) {
        return Shape::One(TokenKind::Ident);
    }
    if has_digit || inner_capital && text.chars().all(char::is_alphanumeric) {
        return Shape::One(TokenKind::Ident);
    }
    Shape::Words
}

fn flag_or_words(text: &str) -> Shape {
    if text.starts_with('-') {
        Shape::One(TokenKind::Ident)
    } else {
        Shape::Words
    }
}

/// Tags that runs of special form carry: `r=me` and `+1` are approvals, `e2e` is a kind of test.
pub(crate) fn tag_of_run(kind: TokenKind, text: &str) -> Tags {
    match kind {
        TokenKind::Ident => lexicon::english(text).unwrap_or(Tags::NONE),
        TokenKind::Number if text == "+1" => tag::APPROVE,
        _ => Tags::NONE,
    }
}

/// Digits with separators, sign, percent and a short unit.
fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(['+', '-', '~', '$', '±', '<', '>', '=']);
    let digits = text
        .bytes()
        .take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b':' | b'/' | b'-' | b'%' | b'+'))
        .count();
    if digits == 0 || !text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let unit = text.get(digits..).unwrap_or_default();
    if unit.len() > 4 || !unit.chars().all(|c| letter(c) || c == '%') {
        return false;
    }
    // A commit hash begins with a digit now and then.
    !(text.len() >= 7 && !unit.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Extensions that make `name.ext` a file name.
const EXTENSIONS: [&str; 84] = [
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "go", "rb", "java", "kt", "kts", "swift", "c", "h",
    "cc", "cpp", "hpp", "cs", "php", "sh", "bash", "zsh", "ps1", "sql", "md", "mdx", "txt", "rst", "json",
    "jsonl", "json5", "yaml", "yml", "toml", "ini", "cfg", "conf", "env", "lock", "xml", "html", "css",
    "scss", "sass", "less", "svg", "png", "jpg", "gif", "pdf", "csv", "tsv", "log", "proto", "graphql",
    "vue", "svelte", "ex", "exs", "erl", "hs", "ml", "scala", "clj", "lua", "r", "dart", "zig", "nim", "tf",
    "hcl", "gradle", "cmake", "bat", "ipynb", "wasm", "parquet", "db", "sqlite", "patch", "diff", "snap",
];

/// Which hashes they have.
static NAMED: Filter = Filter::of(&EXTENSIONS);

/// Whether a run is a path or a file name.
fn is_path(text: &str) -> bool {
    let text = text.split(':').next().unwrap_or(text);
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    if let Some((stem, extension)) = name.rsplit_once('.') {
        let extension = extension.trim_end_matches('*');
        if NAMED.admits(extension)
            && EXTENSIONS.contains(&extension)
            && (!stem.is_empty() || text.contains('/') || extension.len() > 2)
        {
            return true;
        }
    }
    let slashes = text.bytes().filter(|b| *b == b'/').count();
    slashes > 0
        && (text.starts_with(['/', '.', '~', '*'])
            || text.ends_with('/') && slashes >= 1
            || slashes >= 2
            || text.contains(['_', '*'])
            || text.bytes().any(|b| b.is_ascii_digit()) && text.bytes().any(|b| b.is_ascii_alphabetic())
            || FOLDERS.contains(&text.split('/').next().unwrap_or_default()))
}

/// First folders that make `a/b` a path rather than "a or b".
const FOLDERS: [&str; 22] = [
    "src", "lib", "test", "tests", "docs", "doc", "app", "apps", "pkg", "cmd", "bin", "scripts", "crates",
    "packages", "services", "config", "internal", "infra", "db", "api", "web", "bench",
];

/// Letters of the longest word that is looked for in disguise.
const DISGUISED: usize = 24;

/// A word that hides behind digits and signs (`4m4z1ng`): what it would mean in plain letters. It has nothing else.
fn disguised(text: &str) -> Option<Tags> {
    if text.len() < 3 || text.len() > DISGUISED {
        return None;
    }
    for one in [b'i', b'l'] {
        let mut plain = [0; DISGUISED];
        for (to, b) in plain.iter_mut().zip(text.bytes()) {
            *to = match b {
                b'0' => b'o',
                b'1' => one,
                b'3' => b'e',
                b'4' | b'@' => b'a',
                b'5' | b'$' => b's',
                b'7' => b't',
                b'8' => b'b',
                b => b,
            };
        }
        let plain = plain.get(..text.len())?;
        let loud = tag::PRAISE
            | tag::GOOD
            | tag::HYPE
            | tag::CHEER
            | tag::WORK
            | tag::INTENS
            | tag::EMOTE
            | tag::APPROVE;
        let hash = plain
            .iter()
            .fold(lexicon::hash_start(), |hash, b| lexicon::hash_step(hash, *b));
        let known = lexicon::english::known(plain, hash).tags;
        if let Some(tags) = known.filter(|t| t.any(loud) && !t.any(tag::TECH)) {
            return Some(tags);
        }
    }
    None
}

/// The tags of a word that is listed neither as it stands nor in a regular form.
pub(crate) fn unlisted(word: &str) -> Option<Tags> {
    if word.ends_with("n't") {
        return Some(tag::NEG);
    }
    if let Some((stem, tail)) = word.rsplit_once('\'') {
        let base = lexicon::english(stem).unwrap_or(Tags::NONE);
        return match tail {
            "ll" => Some(base | tag::FUT),
            "d" => Some(base | tag::MODAL),
            "ve" | "re" | "m" | "s" => Some(base),
            _ => None,
        };
    }
    if let Some((head, tail)) = word.rsplit_once('-') {
        // The last part of a compound says what the whole is: well-crafted, enterprise-quality.
        let head = lexicon::english(head).unwrap_or(Tags::NONE);
        let tail = lexicon::english(tail).unwrap_or(Tags::NONE);
        let loud = tag::PRAISE | tag::GOOD | tag::HYPE | tag::INTENS;
        return Some(if tail.any(tag::TECH) {
            tag::TECH
        } else if head.any(loud) {
            tail | head
        } else {
            tail
        });
    }
    drawn_out(word)
}

/// Whether a letter is drawn out.
fn draws_out(word: &[u8]) -> bool {
    word.windows(3)
        .any(|w| matches!(w, [a, b, c] if a == b && b == c))
}

/// The tags of a word with letters drawn out: perfecttttt, soooo. All that a word of Latin letters alone may be that is not
/// listed.
pub(crate) fn drawn_out(word: &str) -> Option<Tags> {
    if word.len() > 40 || !draws_out(word.as_bytes()) {
        return None;
    }
    for keep in [1, 2] {
        let mut short = String::with_capacity(word.len());
        let mut repeated = 0;
        let mut last = ' ';
        for c in word.chars() {
            repeated = if c == last { repeated + 1 } else { 1 };
            last = c;
            if repeated <= keep {
                short.push(c);
            }
        }
        if let Some(tags) = lexicon::english(&short) {
            return Some(tags);
        }
    }
    None
}

/// As `char::is_alphabetic`, without its tables for the two scripts that are read all the time.
pub(crate) fn letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && (fold::is_hangul(c) || c.is_alphabetic())
}

/// Whether a mark of ASCII begins nothing but itself, whatever stands behind it.
pub(crate) fn alone(mark: char) -> bool {
    ALONE.get(mark as usize).is_some_and(|alone| *alone)
}

static ALONE: [bool; 128] = {
    let mut out = [false; 128];
    let marks = b"!\"%&'(),:;<=>?[\\]^`{|}";
    let mut at = 0;
    while at < marks.len() {
        out[marks[at] as usize] = true;
        at += 1;
    }
    out
};
