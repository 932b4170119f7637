//! Source text as words, numbers, texts, signs and comments: as much of a language as tells code from
//! what stands in strings and comments. Linear in the length of the text, and total: what does not
//! close ends with its line or with the file.

use super::lang::Lang;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Word,
    Number,
    /// A text; its quotes are left out.
    Text,
    Sign,
    Comment,
}

/// A piece of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) sort: Sort,
    pub(super) text: &'a str,
    /// From 1.
    pub(super) line: u32,
    /// Bytes before it in its line.
    pub(super) column: u32,
    /// Nothing but blanks stands before it in its line.
    pub(super) first: bool,
}

impl Token<'_> {
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.sort == Sort::Word && self.text == word
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.sort == Sort::Sign && self.text == sign
    }

    /// A number or a text.
    pub(super) fn is_literal(&self) -> bool {
        matches!(self.sort, Sort::Number | Sort::Text)
    }
}

/// Signs of more than one character that count as one, longest first.
const LONG: [&str; 14] = [
    "===", "!==", "<=>", "==", "!=", "=>", "->", "::", "&&", "||", "<=", ">=", "?.", "..",
];

/// Longest regular expression that is taken for one, in bytes.
const LONGEST_REGEX: usize = 1_000;

/// Reads a text.
pub(super) fn lex(text: &str, lang: Lang) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        begin: 0,
        fresh: true,
        lang,
        out: Vec::new(),
    };
    while lexer.at < lexer.bytes.len() {
        lexer.step();
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    /// Where the line begins.
    begin: usize,
    /// Nothing but blanks so far in the line.
    fresh: bool,
    lang: Lang,
    out: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn starts(&self, what: &str) -> bool {
        self.bytes
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    fn step(&mut self) {
        let byte = self.byte(0);
        if byte == b'\n' {
            self.line += 1;
            self.at += 1;
            self.begin = self.at;
            self.fresh = true;
        } else if byte.is_ascii_whitespace() {
            self.at += 1;
        } else if !(self.comment() || self.quoted()) {
            self.plain();
        }
    }

    /// Takes the bytes up to `end`; the token's text is `from..to`.
    fn take(&mut self, sort: Sort, from: usize, to: usize, end: usize) {
        let end = end.min(self.bytes.len());
        let to = to.min(end).max(from);
        // A cut in the middle of a character is moved to its end: what is lost are bytes of a text that never closes.
        let from = self.text.ceil_char_boundary(from);
        let to = self.text.ceil_char_boundary(to);
        self.out.push(Token {
            sort,
            text: self.text.get(from..to).unwrap_or_default(),
            line: self.line,
            column: u32::try_from(self.at - self.begin).unwrap_or(u32::MAX),
            first: self.fresh,
        });
        self.fresh = false;
        let passed = self.bytes.get(self.at..end).unwrap_or_default();
        for (offset, byte) in passed.iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.begin = self.at + offset + 1;
            }
        }
        self.at = end;
    }

    fn comment(&mut self) -> bool {
        let script = matches!(self.lang, Lang::Python | Lang::Ruby);
        let slashes = !script;
        let hash = script || (self.lang == Lang::Php && self.byte(1) != b'[');
        if (slashes && self.starts("//")) || (hash && self.byte(0) == b'#') {
            let end = self.line_end();
            let begin = self.at + if self.byte(0) == b'#' { 1 } else { 2 };
            self.take(Sort::Comment, begin, end, end);
            return true;
        }
        if self.lang == Lang::Ruby && self.at == self.begin && self.starts("=begin") {
            let end = self.find("\n=end").map_or(self.bytes.len(), |at| at + 5);
            self.take(Sort::Comment, self.at + 6, end, end);
            return true;
        }
        if self.lang == Lang::Ruby && self.at == self.begin && self.starts("__END__") {
            let end = self.bytes.len();
            self.take(Sort::Comment, self.at, end, end);
            return true;
        }
        if slashes && self.starts("/*") {
            let nests = matches!(self.lang, Lang::Rust | Lang::Kotlin);
            let (mut depth, mut at) = (1_u32, self.at + 2);
            while at < self.bytes.len() && depth > 0 {
                match (self.bytes.get(at), self.bytes.get(at + 1)) {
                    (Some(b'*'), Some(b'/')) => (depth, at) = (depth - 1, at + 2),
                    (Some(b'/'), Some(b'*')) if nests => (depth, at) = (depth + 1, at + 2),
                    _ => at += 1,
                }
            }
            let inner = if depth == 0 { at - 2 } else { at };
            self.take(Sort::Comment, self.at + 2, inner, at);
            return true;
        }
        false
    }

    /// A text in quotes of any form, if one begins here.
    fn quoted(&mut self) -> bool {
        // Letters before the quote say how it is read.
        let letters = self
            .rest()
            .bytes()
            .take(3)
            .take_while(|b| b.is_ascii_alphabetic() || matches!(b, b'@' | b'$'));
        let (prefix, count) = match letters.count() {
            0 => (&[][..], 0),
            n => (self.bytes.get(self.at..self.at + n).unwrap_or_default(), n),
        };
        let quote = self.byte(count);
        match (self.lang, prefix) {
            (Lang::Rust, b"r" | b"br" | b"cr") if matches!(quote, b'"' | b'#') => self.rust_raw(count),
            (Lang::Rust, b"b" | b"c") if quote == b'"' => self.escaped(count, b'"', false),
            (Lang::Rust, b"b") if quote == b'\'' => self.escaped(count, b'\'', true),
            (Lang::Python, p)
                if matches!(quote, b'"' | b'\'')
                    && p.len() <= 2
                    && p.iter().all(|b| b"rRbBuUfFtT".contains(b)) =>
            {
                self.python(count, quote)
            }
            (Lang::CSharp, p) if quote == b'"' && p.iter().all(|b| matches!(b, b'@' | b'$')) => {
                if self.tripled(count, b'"') {
                    self.until(count + 3, "\"\"\"")
                } else if p.contains(&b'@') {
                    self.doubled(count)
                } else {
                    self.escaped(count, b'"', false)
                }
            }
            (_, []) => self.bare_quoted(quote),
            _ => false,
        }
    }

    fn bare_quoted(&mut self, quote: u8) -> bool {
        match (self.lang, quote) {
            (Lang::Java | Lang::Kotlin, b'"') if self.tripled(0, b'"') => self.until(3, "\"\"\""),
            (Lang::Rust, b'\'') => self.rust_char(),
            (Lang::Rust, b'"') => self.escaped(0, b'"', false),
            (Lang::Go | Lang::Java | Lang::Kotlin | Lang::CSharp, b'\'') => self.escaped(0, b'\'', true),
            (Lang::Go, b'`') => self.until(1, "`"),
            (Lang::Kotlin, b'`') => {
                let end = self
                    .rest()
                    .get(1..)
                    .and_then(|r| r.find(['`', '\n']))
                    .map_or(1, |n| n + 1);
                self.take(Sort::Word, self.at + 1, self.at + end, self.at + end + 1);
                true
            }
            (Lang::Script, b'`') => self.template(),
            (Lang::Script | Lang::Ruby, b'/') if self.begins_value() => self.regex(),
            (Lang::Ruby | Lang::Php, b'<') => self.here_document(),
            (Lang::Ruby | Lang::Php, b'"' | b'\'') => self.escaped(0, quote, false),
            (_, b'"' | b'\'') => self.escaped(0, quote, true),
            _ => false,
        }
    }

    fn tripled(&self, skip: usize, quote: u8) -> bool {
        (0..3).all(|n| self.byte(skip + n) == quote)
    }

    fn line_end(&self) -> usize {
        self.rest().find('\n').map_or(self.bytes.len(), |n| self.at + n)
    }

    fn find(&self, what: &str) -> Option<usize> {
        self.rest().find(what).map(|n| self.at + n)
    }

    /// From `skip` bytes on to the next `close`.
    fn until(&mut self, skip: usize, close: &str) -> bool {
        let from = self.at + skip;
        let to = self
            .text
            .get(from..)
            .and_then(|rest| rest.find(close))
            .map(|n| from + n);
        let (to, end) = to.map_or((self.bytes.len(), self.bytes.len()), |to| (to, to + close.len()));
        self.take(Sort::Text, from, to, end);
        true
    }

    /// A text with `\` escapes; in most languages it ends with its line at the latest.
    fn escaped(&mut self, skip: usize, quote: u8, one_line: bool) -> bool {
        let from = self.at + skip + 1;
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 2,
                b'\n' if one_line => break,
                b if *b == quote => break,
                _ => at += 1,
            }
        }
        let closed = self.bytes.get(at) == Some(&quote);
        self.take(Sort::Text, from, at, at + usize::from(closed));
        true
    }

    /// `@"…""…"`.
    fn doubled(&mut self, skip: usize) -> bool {
        let from = self.at + skip + 1;
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            match (byte, self.bytes.get(at + 1)) {
                (b'"', Some(b'"')) => at += 2,
                (b'"', _) => break,
                _ => at += 1,
            }
        }
        self.take(Sort::Text, from, at, at + 1);
        true
    }

    fn python(&mut self, skip: usize, quote: u8) -> bool {
        if !self.tripled(skip, quote) {
            return self.escaped(skip, quote, true);
        }
        let from = self.at + skip + 3;
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            if *byte == b'\\' {
                at += 2;
            } else if *byte == quote
                && self.bytes.get(at + 1) == Some(&quote)
                && self.bytes.get(at + 2) == Some(&quote)
            {
                break;
            } else {
                at += 1;
            }
        }
        self.take(Sort::Text, from, at, at + 3);
        true
    }

    fn rust_raw(&mut self, skip: usize) -> bool {
        let hashes = self.rest().bytes().skip(skip).take_while(|b| *b == b'#').count();
        if self.byte(skip + hashes) != b'"' {
            return false;
        }
        let close = format!("\"{}", "#".repeat(hashes));
        self.until(skip + hashes + 1, &close)
    }

    /// `'x'` is a text; `'x` is a lifetime, which is a word.
    fn rust_char(&mut self) -> bool {
        let mut chars = self.rest().chars().skip(1);
        let (Some(first), second) = (chars.next(), chars.next()) else {
            return false;
        };
        if first == '\\' || second == Some('\'') {
            return self.escaped(0, b'\'', true);
        }
        let length = self.rest().bytes().skip(1).take_while(|b| is_wordy(*b)).count();
        self.take(Sort::Word, self.at, self.at + 1 + length, self.at + 1 + length);
        true
    }

    /// A template with values in it; what stands in them counts as text.
    fn template(&mut self) -> bool {
        // Open templates and open braces, from the outside.
        let mut open = vec![b'`'];
        let mut at = self.at + 1;
        while let (Some(byte), Some(inner)) = (self.bytes.get(at), open.last().copied()) {
            match (inner, byte) {
                (_, b'\\') => at += 1,
                (b'`', b'`') => {
                    open.pop();
                }
                (b'`', b'$') if self.bytes.get(at + 1) == Some(&b'{') => {
                    open.push(b'{');
                    at += 1;
                }
                (b'{', b'}') => {
                    open.pop();
                }
                (b'{', b'{' | b'`') => open.push(*byte),
                _ => {}
            }
            at += 1;
        }
        let inner = at - usize::from(open.is_empty());
        self.take(Sort::Text, self.at + 1, inner, at);
        true
    }

    /// Whether a `/` here begins a value, and is no division.
    fn begins_value(&self) -> bool {
        match self.out.iter().rev().find(|t| t.sort != Sort::Comment) {
            None => true,
            Some(t) => match t.sort {
                Sort::Number | Sort::Text | Sort::Comment => false,
                Sort::Word => matches!(
                    t.text,
                    "return"
                        | "typeof"
                        | "case"
                        | "in"
                        | "of"
                        | "if"
                        | "unless"
                        | "when"
                        | "and"
                        | "or"
                        | "not"
                ),
                Sort::Sign => !matches!(t.text, ")" | "]" | "}"),
            },
        }
    }

    fn regex(&mut self) -> bool {
        let from = self.at + 1;
        let (mut at, mut class) = (from, false);
        while let Some(byte) = self.bytes.get(at).filter(|_| at - from < LONGEST_REGEX) {
            match byte {
                b'\\' => at += 1,
                b'\n' => break,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                _ => {}
            }
            at += 1;
        }
        if self.bytes.get(at) != Some(&b'/') {
            return false;
        }
        self.take(Sort::Text, from, at, at + 1);
        true
    }

    /// `<<~WORD`, `<<<WORD`: the lines up to the one that is the word. What stands behind it in its line is lost.
    fn here_document(&mut self) -> bool {
        let signs = self
            .rest()
            .bytes()
            .take_while(|b| matches!(b, b'<' | b'~' | b'-'))
            .count();
        let two = if self.lang == Lang::Php { "<<<" } else { "<<" };
        if !self.starts(two) || signs > 3 {
            return false;
        }
        let after = self.rest().get(signs..).unwrap_or_default();
        let word: &str = after.trim_start_matches(['"', '\'', ' ']);
        let length = word.bytes().take_while(|b| is_wordy(*b)).count();
        let word = word.get(..length).unwrap_or_default();
        if !word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') {
            return false;
        }
        let from = self.line_end();
        let mut end = self.bytes.len();
        let mut at = from + 1;
        for line in self.text.get(at..).unwrap_or_default().split_inclusive('\n') {
            let trimmed = line.trim();
            if trimmed
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            {
                end = at + line.find(word).unwrap_or(0) + word.len();
                break;
            }
            at += line.len();
        }
        self.take(Sort::Text, from, end, end);
        true
    }

    fn plain(&mut self) {
        let byte = self.byte(0);
        if byte.is_ascii_digit() {
            let mut end = self.at + 1;
            while let Some(next) = self.bytes.get(end) {
                let point = *next == b'.' && self.bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
                let sign = matches!(next, b'-' | b'+')
                    && matches!(self.bytes.get(end - 1), Some(b'e' | b'E'))
                    && !self.starts("0x");
                if !(next.is_ascii_alphanumeric() || *next == b'_' || point || sign) {
                    break;
                }
                end += 1;
            }
            self.take(Sort::Number, self.at, end, end);
        } else if is_wordy(byte) || (byte == b'$' && matches!(self.lang, Lang::Php | Lang::Script)) {
            let more = self.rest().bytes().skip(1).take_while(|b| is_wordy(*b)).count();
            self.take(Sort::Word, self.at, self.at + 1 + more, self.at + 1 + more);
        } else {
            let length = LONG.iter().find(|sign| self.starts(sign)).map_or_else(
                || self.rest().chars().next().map_or(1, char::len_utf8),
                |sign| sign.len(),
            );
            self.take(Sort::Sign, self.at, self.at + length, self.at + length);
        }
    }
}

/// Whether a byte belongs to a word: letters, digits, `_`, and everything beyond ASCII.
fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
