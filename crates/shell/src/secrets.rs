//! What of a command line is not to be written down: passwords, tokens, keys. Told by how it stands there, never by
//! what it may be: the value of a name that says so, of an option that a known program has for it, the credentials of an
//! address, well-known beginnings of keys.
//!
//! Linear in the length of the text, and the same again on what came out.

mod names;
#[cfg(test)]
mod tests;

use names::{Holds, Seen, is_header, is_long_header, is_secret, is_secret_when_set};
use proctor_kernel::HIDDEN;

/// Longest address before its `@`, in bytes.
const ADDRESS: usize = 512;
/// Fewest signs behind a well-known beginning.
const FEWEST: usize = 12;
/// Fewest signs of a key or token that nothing but its place tells.
const LONG: usize = 16;

/// How keys and tokens of well-known services begin.
const BEGINNINGS: [&str; 33] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "whsec_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "npm_",
    "pypi-",
    "hf_",
    "dop_v1_",
    "SG.",
    "dckr_pat_",
    "AGE-SECRET-KEY-",
    "eyJ",
    "shpat_",
];

/// Quotes around a value, the longest first.
const QUOTES: [&str; 3] = ["\\\"", "\"", "'"];

/// A command line in which secrets are replaced by `***`. A value that only names a variable stays.
#[must_use]
pub fn masked(line: &str) -> String {
    let mut reader = Reader {
        out: String::with_capacity(line.len()),
        seen: Seen::default(),
        quote: None,
    };
    let mut rest = line;
    let mut before = None;
    while let Some(sign) = rest.chars().next() {
        let taken = if is_of_a_name(sign) && !before.is_some_and(is_of_a_name) {
            reader.word(rest, before)
        } else if let Some(after) = rest.strip_prefix("://") {
            reader.out.push_str("://");
            3 + address(after, &mut reader.out)
        } else {
            reader.sign(rest, sign)
        };
        let (done, next) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        before = done.chars().next_back();
        rest = next;
    }
    reader.out
}

/// The same of words that were read already: a secret may be the word behind its option.
#[must_use]
pub fn masked_words<'w>(words: impl IntoIterator<Item = &'w String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut seen = Seen::default();
    let mut behind: Option<Holds> = None;
    for word in words {
        let value = behind.filter(|_| !word.starts_with(['-', '$']) && !is_source(word));
        out.push(match value {
            Some(holds) if !is_address(word, holds) => hidden(word, holds),
            _ => masked_word(word, &seen),
        });
        behind = seen.apart(word);
        seen.learn(word);
    }
    out
}

/// A word that was read already, by itself.
fn masked_word(word: &str, seen: &Seen<'_>) -> String {
    if let Some((option, holds)) = seen.attached(word) {
        let value = word.get(option.len()..).unwrap_or_default();
        return format!("{option}{}", hidden(value, holds));
    }
    let Some((name, value)) = word.split_once('=') else {
        return masked(word);
    };
    let is_name = !name.is_empty() && name.chars().all(is_of_a_name);
    let holds = if is_name && seen.is_user(name) {
        Holds::Behind(':')
    } else if is_name && (is_secret(name) || is_secret_when_set(name)) {
        Holds::Secret
    } else {
        return masked(word);
    };
    if value.is_empty() || names_a_variable(value) || is_source(value) {
        return word.to_owned();
    }
    format!("{name}={}", hidden(value, holds))
}

/// What is written down of a value.
fn hidden(value: &str, holds: Holds) -> String {
    let is_port = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b':') && text.contains(':');
    match holds {
        // `-p3306:3306` is no password of the program that is named before.
        Holds::Secret if is_port(value) || is_flag(value) => value.to_owned(),
        Holds::Secret => HIDDEN.to_owned(),
        Holds::Cookies if !value.contains('=') => value.to_owned(),
        Holds::Cookies => HIDDEN.to_owned(),
        Holds::Behind(sign) => match value.split_once(sign) {
            // Numbers are those of users and groups.
            Some((name, secret)) if !secret.is_empty() && !secret.bytes().all(|b| b.is_ascii_digit()) => {
                // A quote that begins in the name ends in the secret.
                if name.contains(['"', '\'', '\\']) {
                    return HIDDEN.to_owned();
                }
                format!("{name}{sign}{HIDDEN}")
            }
            _ => value.to_owned(),
        },
    }
}

/// Whether a value says yes, no or nothing.
fn is_flag(value: &str) -> bool {
    const FLAGS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "none", "nil"];
    FLAGS.iter().any(|flag| value.eq_ignore_ascii_case(flag))
}

/// Whether an address stands where a name, a colon and a secret could: it has its own place for them.
fn is_address(value: &str, holds: Holds) -> bool {
    let scheme = value.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-'));
    holds == Holds::Behind(':') && scheme.starts_with("://")
}

/// Whether the value of `--secret` says where the secret is.
fn is_source(value: &str) -> bool {
    let begins = |name: &str| value.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
    ["id", "src", "source", "type", "env", "target"]
        .into_iter()
        .any(begins)
}

fn is_of_a_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.')
}

/// Reads a line from its beginning to its end.
struct Reader<'t> {
    out: String,
    seen: Seen<'t>,
    /// The quote of the shell that is open.
    quote: Option<char>,
}

impl<'t> Reader<'t> {
    /// Writes what is no name. Gives how much was read.
    fn sign(&mut self, rest: &str, sign: char) -> usize {
        let mut taken = sign.len_utf8();
        match (sign, self.quote) {
            ('\\', None | Some('"')) => {
                let next = rest.get(1..).and_then(|t| t.chars().next());
                taken += next
                    .filter(|c| matches!(c, '"' | '\'' | '\\'))
                    .map_or(0, char::len_utf8);
            }
            ('"' | '\'', None) => self.quote = Some(sign),
            ('"' | '\'', Some(open)) if open == sign => self.quote = None,
            (';' | '|' | '&' | '(' | '\n', None) => self.seen = Seen::default(),
            _ => {}
        }
        self.out.push_str(rest.get(..taken).unwrap_or_default());
        taken
    }

    /// Writes the word at the beginning, with the value behind it where that is a secret. Gives how much was read.
    fn word(&mut self, text: &'t str, before: Option<char>) -> usize {
        if text.starts_with("-----BEGIN ") && text.get(..64.min(text.len())).is_none_or(|t| t.contains("KEY"))
        {
            self.out.push_str(HIDDEN);
            let end = text.find("-----END ");
            let behind = end.and_then(|at| Some(at + 9 + text.get(at + 9..)?.find("-----")? + 5));
            return behind.unwrap_or(text.len());
        }
        let end = text.find(|c: char| !is_of_a_name(c)).unwrap_or(text.len());
        let name = text.get(..end).unwrap_or_default();
        let known = BEGINNINGS.iter().find(|b| {
            let rest = name.strip_prefix(**b);
            rest.is_some_and(|rest| rest.len() >= FEWEST && is_a_key(b, rest))
        });
        if let Some(beginning) = known {
            self.out.push_str(beginning);
            self.out.push_str(HIDDEN);
            return end;
        }
        let is_begin = before.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\''));
        if is_begin && let Some((option, holds)) = self.seen.attached(text) {
            self.out.push_str(option);
            let taken = self.hide(text.get(option.len()..).unwrap_or_default(), holds);
            if taken > 0 {
                return option.len() + taken;
            }
            self.out.truncate(self.out.len() - option.len());
        }
        self.out.push_str(name);
        let after = text.get(end..).unwrap_or_default();
        let taken = self.behind(name, after, is_begin);
        self.seen.learn(name);
        end + taken
    }

    /// Writes what follows a name, up to the end of its value where that is a secret. Gives how much was read.
    fn behind(&mut self, name: &str, after: &str, is_begin: bool) -> usize {
        let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
        if blanks > 0 {
            let value = after.get(blanks..).unwrap_or_default();
            let opens = value.trim_start_matches(['"', '\'']);
            if is_begin
                && !value.starts_with('-')
                && !is_source(opens)
                && let Some(holds) = self.seen.apart(name).filter(|holds| !is_address(opens, *holds))
            {
                return self.hide_behind(after, blanks, holds);
            }
            if matches!(name.to_ascii_lowercase().as_str(), "bearer" | "basic") && is_long(value) {
                return self.hide_behind(after, blanks, Holds::Secret);
            }
        }
        if name == "pass" && after.starts_with(':') && self.seen.is("openssl") {
            return self.hide_behind(after, 1, Holds::Secret);
        }
        self.assigned(name, after)
    }

    /// The same of what is assigned to the name: `NAME=value`, `name: value`, `"name": value`, `name = "value"`.
    fn assigned(&mut self, name: &str, after: &str) -> usize {
        let user = self.seen.is_user(name);
        let plain = is_secret(name);
        if !(user || plain || is_secret_when_set(name)) {
            return 0;
        }
        // The name may be quoted, as in JSON.
        let closing = QUOTES
            .into_iter()
            .find(|q| after.starts_with(q))
            .map_or(0, str::len);
        let blanks = |at: usize| {
            let text = after.get(at..).unwrap_or_default();
            at + text.len() - text.trim_start_matches([' ', '\t']).len()
        };
        let from = blanks(closing);
        let rest = after.get(from..).unwrap_or_default();
        let apart = from > closing;
        if closing == 0 && !apart && rest.starts_with('=') {
            let holds = if user { Holds::Behind(':') } else { Holds::Secret };
            let source = is_source(rest.get(1..).unwrap_or_default());
            return if source {
                0
            } else {
                self.hide_behind(after, from + 1, holds)
            };
        }
        if user {
            return 0;
        }
        // In a program's text the value is a string; `==` compares.
        let sign = if rest.starts_with(":=") { 2 } else { 1 };
        let value = blanks(from + sign);
        let opens = after
            .get(value..)
            .is_some_and(|t| t.starts_with(['"', '\'']) || t.starts_with("\\\""));
        if closing == 0 && (rest.starts_with('=') || sign == 2) && opens {
            return self.string(name, after, value);
        }
        // A colon names a value behind a blank, as in headers and YAML, or where name or value is quoted, as in JSON. Else
        // it parts the name of a test or a target: `tests/test_token.py::test_a`, `//auth/token:unit`.
        let names = closing > 0 || !apart && (plain && value > from + 1 || opens || is_header(name));
        if !(rest.starts_with(':') && names && (plain || closing > 0)) {
            return 0;
        }
        self.string(name, after, value)
    }

    /// Hides the value of a header, of YAML or JSON that begins there.
    fn string(&mut self, name: &str, after: &str, from: usize) -> usize {
        let rest = after.get(from..).unwrap_or_default();
        let quote = QUOTES.into_iter().find(|q| rest.starts_with(q));
        let opening = quote.map_or(0, str::len);
        let inside = rest.get(opening..).unwrap_or_default();
        if quote != Some("'") && names_a_variable(inside) {
            return 0;
        }
        let end = match quote {
            Some("\\\"") => inside.find("\\\""),
            Some(quote) => end_of_quoted(inside, quote),
            None if is_long_header(name) => inside.find(['"', '\'', '\n']),
            None => inside.find(|c: char| c.is_whitespace() || "\"'`,}&|;)".contains(c)),
        };
        let end = end.unwrap_or(inside.len());
        let secret = inside.get(..end).unwrap_or_default();
        let next = inside.get(end..).unwrap_or_default();
        if secret.is_empty()
            || is_flag(secret)
            || quote.is_none() && !is_header(name) && is_prose(secret, next)
        {
            return 0;
        }
        self.out.push_str(after.get(..from + opening).unwrap_or_default());
        self.out.push_str(HIDDEN);
        from + opening + end
    }

    /// Hides the value at the beginning of a text, with what stands before it. Gives how much was read.
    fn hide_behind(&mut self, after: &str, from: usize, holds: Holds) -> usize {
        let kept = self.out.len();
        self.out.push_str(after.get(..from).unwrap_or_default());
        match self.hide(after.get(from..).unwrap_or_default(), holds) {
            0 => {
                self.out.truncate(kept);
                0
            }
            taken => from + taken,
        }
    }

    /// Hides the value at the beginning of a text: a word of the shell, quoted or not. Gives how much was read; nothing of
    /// a value that only names a variable.
    fn hide(&mut self, text: &str, holds: Holds) -> usize {
        let opens = QUOTES
            .into_iter()
            .find_map(|q| text.strip_prefix(q))
            .unwrap_or(text);
        if !text.starts_with('\'') && names_a_variable(opens) {
            return 0;
        }
        let end = self.word_end(text);
        let word = text.get(..end).unwrap_or_default();
        // Quotes around all of it stay.
        let quote = QUOTES.into_iter().find(|q| {
            word.len() >= q.len() * 2
                && word.strip_prefix(q).and_then(|inside| match *q {
                    "\\\"" => inside.find(q),
                    _ => end_of_quoted(inside, q),
                }) == Some(word.len() - 2 * q.len())
        });
        let opening = quote.map_or(0, str::len);
        let value = word.get(opening..end - opening).unwrap_or_default();
        if value.is_empty() {
            return 0;
        }
        let quote = quote.unwrap_or_default();
        self.out.push_str(quote);
        self.out.push_str(&hidden(value, holds));
        self.out.push_str(quote);
        end
    }

    /// Where the word of the shell ends that stands at the beginning of a text. Inside quotes it ends with them.
    fn word_end(&self, text: &str) -> usize {
        let ends = |c: char| c.is_whitespace() || "`;|&<>()".contains(c);
        if self.quote.is_some() {
            let quoted = text
                .strip_prefix("\\\"")
                .map(|inside| inside.find("\\\"").map_or(text.len(), |at| at + 4));
            let other = QUOTES
                .into_iter()
                .find(|q| q.len() == 1 && text.starts_with(q) && self.quote != q.chars().next());
            let inside = other.and_then(|q| Some(end_of_quoted(text.get(1..)?, q)? + 2));
            let end = || text.find(|c: char| ends(c) || matches!(c, '"' | '\'' | '\\'));
            return quoted.or(inside).or_else(end).unwrap_or(text.len());
        }
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let sign = rest.chars().next().unwrap_or_default();
            let inside = rest.get(sign.len_utf8()..).unwrap_or_default();
            at += sign.len_utf8();
            match sign {
                '\\' => at += inside.chars().next().map_or(0, char::len_utf8),
                '"' | '\'' => {
                    let quote = if sign == '"' { "\"" } else { "'" };
                    at += end_of_quoted(inside, quote).map_or(inside.len(), |end| end + 1);
                }
                sign if ends(sign) => return at - sign.len_utf8(),
                _ => {}
            }
        }
        at.min(text.len())
    }
}

/// Whether what follows a well-known beginning can be a key: short beginnings are those of plain words as well.
fn is_a_key(beginning: &str, rest: &str) -> bool {
    match beginning {
        "AKIA" | "ASIA" => rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()),
        "eyJ" => rest.contains('.'),
        _ => rest.bytes().any(|b| b.is_ascii_digit()) || rest.len() > 30,
    }
}

/// Whether a text begins with something that is long and mixed as no word is.
fn is_long(text: &str) -> bool {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"-._~+/=".contains(b);
    let word: Vec<u8> = text.bytes().take_while(is_part).take(LONG).collect();
    word.len() == LONG && word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic)
}

/// Whether what looks like a value is a word of a sentence: `fix token: refresh it`.
fn is_prose(value: &str, next: &str) -> bool {
    let word = |text: &str| text.starts_with(|c: char| c.is_alphabetic()) || text.starts_with(HIDDEN);
    value.chars().all(|c| c.is_alphabetic() && !c.is_uppercase()) && next.strip_prefix(' ').is_some_and(word)
}

/// Whether a value is that of a variable or of a command.
fn names_a_variable(value: &str) -> bool {
    value
        .strip_prefix('$')
        .is_some_and(|t| t.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '(')))
}

fn end_of_quoted(text: &str, quote: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, sign)| {
        let ends = !escaped && quote.starts_with(sign);
        escaped = !escaped && sign == '\\' && quote == "\"";
        ends.then_some(at)
    })
}

/// Writes the credentials at the beginning of an address. Gives how much was read.
fn address(text: &str, out: &mut String) -> usize {
    let near = text.get(..text.floor_char_boundary(ADDRESS)).unwrap_or(text);
    let end = near.find(|c: char| c.is_whitespace() || "/\"'`".contains(c));
    let host = near.get(..end.unwrap_or(near.len())).unwrap_or_default();
    let Some((credentials, _)) = host.rsplit_once('@') else {
        return 0;
    };
    match credentials.split_once(':') {
        // Behind a port begins what is asked of the host, and that may hold an `@` as well.
        Some((_, rest))
            if rest
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .starts_with(['?', '#']) =>
        {
            0
        }
        Some((name, secret))
            if !secret.is_empty() && !secret.starts_with('$') && !name.contains(['?', '#']) =>
        {
            out.push_str(name);
            out.push(':');
            out.push_str(HIDDEN);
            credentials.len()
        }
        None if is_long(credentials) => {
            out.push_str(HIDDEN);
            credentials.len()
        }
        _ => 0,
    }
}
