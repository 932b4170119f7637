//! Words: quotes, escapes, and what is expanded in them.

use crate::ast::{Part, Word};
use crate::parse::{Parser, Why, name_length, parse};

/// A text in which only `$`, backquotes and `\` mean something, such as a here-document.
pub(crate) fn expanded(text: &str, depth: usize) -> Result<Word, Why> {
    let mut parser = Parser::new(text, depth);
    let mut parts = Parts::default();
    parser.until_quote(&mut parts, false)?;
    if !parser.finish()?.is_empty() {
        return Err("a here-document stands in another one or in an expression");
    }
    Ok(parts.finish())
}

/// Parts of a word as they are found; neighbouring texts of one kind become one.
#[derive(Default)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    text: String,
    quoted: bool,
    /// Whether anything stood there at all: `''` is a word.
    any: bool,
}

impl Parts {
    fn push(&mut self, text: &str, quoted: bool) {
        self.any = true;
        if quoted != self.quoted {
            self.flush();
            self.quoted = quoted;
        }
        self.text.push_str(text);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.parts.push(Part::Text {
                text,
                quoted: self.quoted,
            });
        }
    }

    fn part(&mut self, part: Part) {
        self.any = true;
        self.flush();
        self.parts.push(part);
    }

    fn finish(mut self) -> Word {
        self.flush();
        if self.parts.is_empty() {
            self.parts.push(Part::Text {
                text: String::new(),
                quoted: true,
            });
        }
        Word(self.parts)
    }
}

impl Parser<'_> {
    /// The word at the cursor; none where none begins.
    pub(crate) fn word(&mut self) -> Result<Option<Word>, Why> {
        let mut parts = Parts::default();
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' => break,
                0 if self.done() => break,
                b'<' | b'>' if self.peek(1) == b'(' && !parts.any => self.process(&mut parts)?,
                b'<' | b'>' => break,
                b'(' => break,
                _ => self.piece(&mut parts)?,
            }
        }
        Ok(parts.any.then(|| parts.finish()))
    }

    /// A word between `[[` and `]]`, where operators are words too.
    pub(crate) fn test_word(&mut self) -> Result<Word, Why> {
        let mut parts = Parts::default();
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\n' => break,
                0 if self.done() => break,
                b'(' | b')' | b'<' | b'>' | b'|' | b'&' | b';' => {
                    let sign = char::from(self.peek(0));
                    self.at += 1;
                    parts.push(sign.encode_utf8(&mut [0; 4]), false);
                }
                _ => self.piece(&mut parts)?,
            }
        }
        Ok(parts.finish())
    }

    /// One quoted stretch, one expansion, or a run of plain characters.
    fn piece(&mut self, parts: &mut Parts) -> Result<(), Why> {
        match self.peek(0) {
            b'\\' => {
                self.at += 1;
                if self.peek(0) == b'\n' {
                    self.at += 1;
                } else {
                    let next = self.rest().chars().next().ok_or("a backslash ends the line")?;
                    self.at += next.len_utf8();
                    parts.push(next.encode_utf8(&mut [0; 4]), true);
                }
            }
            b'\'' => {
                self.at += 1;
                let rest = self.rest();
                let length = rest.find('\'').ok_or("a quote is not closed")?;
                parts.push(rest.get(..length).unwrap_or_default(), true);
                self.at += length + 1;
            }
            b'"' => {
                self.at += 1;
                parts.push("", true);
                self.until_quote(parts, true)?;
            }
            b'$' => self.dollar(parts, false)?,
            b'`' => self.backquotes(parts, false)?,
            _ => {
                let rest = self.rest();
                let length = rest
                    .find([
                        ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>', '\\', '\'', '"', '$', '`',
                    ])
                    .unwrap_or(rest.len());
                parts.push(rest.get(..length).unwrap_or_default(), false);
                self.at += length;
            }
        }
        Ok(())
    }

    /// What stands between double quotes, or all of the text if `closed` is false.
    fn until_quote(&mut self, parts: &mut Parts, closed: bool) -> Result<(), Why> {
        loop {
            if self.done() {
                return if closed {
                    Err("a quote is not closed")
                } else {
                    Ok(())
                };
            }
            match self.peek(0) {
                b'"' if closed => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let next = self.peek(1);
                    if next == b'\n' {
                        self.at += 2;
                    } else if matches!(next, b'$' | b'`' | b'\\') || closed && next == b'"' {
                        parts.push(char::from(next).encode_utf8(&mut [0; 4]), true);
                        self.at += 2;
                    } else {
                        parts.push("\\", true);
                        self.at += 1;
                    }
                }
                b'$' => self.dollar(parts, true)?,
                b'`' => self.backquotes(parts, true)?,
                b'"' => {
                    parts.push("\"", true);
                    self.at += 1;
                }
                _ => {
                    let rest = self.rest();
                    let length = rest.find(['"', '\\', '$', '`']).unwrap_or(rest.len());
                    parts.push(rest.get(..length).unwrap_or_default(), true);
                    self.at += length;
                }
            }
        }
    }

    fn source(&self, from: usize) -> String {
        self.text.get(from..self.at).unwrap_or_default().to_owned()
    }

    fn process(&mut self, parts: &mut Parts) -> Result<(), Why> {
        let from = self.at;
        self.at += 2;
        let body = self.bracketed()?;
        let source = self.source(from);
        parts.part(Part::Process { body, source });
        Ok(())
    }

    fn dollar(&mut self, parts: &mut Parts, quoted: bool) -> Result<(), Why> {
        let from = self.at;
        match self.peek(1) {
            b'(' if self.peek(2) == b'(' && self.arithmetic_end(3).is_some() => {
                let (_, inner) = self.arithmetic(3)?;
                let source = self.source(from);
                parts.part(Part::Arithmetic { source, inner });
            }
            b'(' => {
                self.at += 2;
                let body = self.bracketed()?;
                let source = self.source(from);
                parts.part(Part::Substitution { body, source });
            }
            b'{' => {
                let part = self.deeper(|p| p.braced(quoted))?;
                parts.part(part);
            }
            b'\'' if !quoted => {
                self.at += 2;
                let text = self.ansi()?;
                parts.push(&text, true);
            }
            b'"' if !quoted => {
                self.at += 2;
                parts.push("", true);
                self.until_quote(parts, true)?;
            }
            next => {
                let rest = self.text.get(self.at + 1..).unwrap_or_default();
                let length = if next.is_ascii_digit() || b"?$!#@*-".contains(&next) && next != 0 {
                    1
                } else {
                    name_length(rest)
                };
                if length == 0 {
                    parts.push("$", quoted);
                    self.at += 1;
                } else {
                    let name = rest.get(..length).unwrap_or_default().to_owned();
                    self.at += 1 + length;
                    parts.part(Part::Parameter {
                        source: self.source(from),
                        name,
                        plain: true,
                        quoted,
                        inner: Vec::new(),
                    });
                }
            }
        }
        Ok(())
    }

    /// `${…}`
    fn braced(&mut self, quoted: bool) -> Result<Part, Why> {
        let from = self.at;
        self.at += 2;
        let rest = self.rest();
        let length = match rest.as_bytes().first() {
            Some(b'?' | b'$' | b'!' | b'#' | b'@' | b'*' | b'-') => 1,
            Some(b) if b.is_ascii_digit() => rest.bytes().take_while(u8::is_ascii_digit).count(),
            _ => name_length(rest),
        };
        let name = rest.get(..length).unwrap_or_default().to_owned();
        self.at += length;
        let plain = length > 0 && self.peek(0) == b'}';
        let mut inner = Parts::default();
        loop {
            if self.done() {
                return Err("a brace is not closed");
            }
            match self.peek(0) {
                b'}' => break,
                b'\'' if quoted => {
                    // Inside of double quotes, a single quote is a character.
                    inner.push("'", true);
                    self.at += 1;
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => self.at += 1,
                b'\\' | b'\'' | b'"' | b'$' | b'`' => self.piece(&mut inner)?,
                _ => {
                    let rest = self.rest();
                    let next = rest.chars().next().map_or(1, char::len_utf8);
                    inner.push(rest.get(..next).unwrap_or_default(), false);
                    self.at += next;
                }
            }
        }
        self.at += 1;
        let inner = if plain { Vec::new() } else { inner.finish().0 };
        Ok(Part::Parameter {
            source: self.source(from),
            name,
            plain,
            quoted,
            inner,
        })
    }

    /// `` `…` ``: another command line, in which `\` takes its meaning from three characters.
    fn backquotes(&mut self, parts: &mut Parts, quoted: bool) -> Result<(), Why> {
        let from = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let length = rest.find(['`', '\\']).ok_or("a backquote is not closed")?;
            text.push_str(rest.get(..length).unwrap_or_default());
            self.at += length + 1;
            if self.text.as_bytes().get(self.at - 1) == Some(&b'`') {
                break;
            }
            let next = self.peek(0);
            if matches!(next, b'$' | b'`' | b'\\') || quoted && next == b'"' {
                text.push(char::from(next));
                self.at += 1;
            } else {
                text.push('\\');
            }
        }
        let script = self.deeper(|p| parse(&text, p.depth))?;
        if !script.documents.is_empty() {
            return Err("a here-document stands in backquotes");
        }
        let source = self.source(from);
        parts.part(Part::Substitution {
            body: script.list,
            source,
        });
        Ok(())
    }

    /// Where the `))` is that closes an arithmetic expression which opens `skip` bytes from here; none
    /// if the brackets turn out to be those of commands.
    pub(crate) fn arithmetic_end(&self, skip: usize) -> Option<usize> {
        let end = self.arithmetic_brackets(skip);
        let looked_at = end.unwrap_or(self.text.len()).saturating_sub(self.at);
        self.scanned.set(self.scanned.get() + looked_at);
        end
    }

    fn arithmetic_brackets(&self, skip: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        let mut at = self.at + skip;
        loop {
            match bytes.get(at)? {
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b')' => return (bytes.get(at + 1) == Some(&b')')).then_some(at),
                b'\'' | b'"' => {
                    let quote = *bytes.get(at)?;
                    at += 1;
                    while *bytes.get(at)? != quote {
                        at += 1;
                    }
                }
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads the arithmetic expression that opens `skip` bytes from here, for the substitutions in it.
    pub(crate) fn arithmetic(&mut self, skip: usize) -> Result<(String, Vec<Part>), Why> {
        let end = self.arithmetic_end(skip).ok_or("an expression is not closed")?;
        self.at += skip;
        let text = self.text.get(self.at..end).unwrap_or_default().to_owned();
        let word = self.deeper(|p| expanded(&text, p.depth))?;
        self.at = end + 2;
        Ok((text, word.0))
    }

    /// `$'…'`; the cursor stands behind the opening quote.
    fn ansi(&mut self) -> Result<String, Why> {
        let mut bytes: Vec<u8> = Vec::new();
        loop {
            if self.done() {
                return Err("a quote is not closed");
            }
            let byte = self.peek(0);
            self.at += 1;
            match byte {
                b'\'' => break,
                b'\\' => self.escape(&mut bytes)?,
                _ => bytes.push(byte),
            }
        }
        if bytes.contains(&0) {
            return Err("a NUL stands in the line");
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), Why> {
        let byte = self.peek(0);
        self.at += 1;
        let plain = match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'x' => {
                let value = self.digits(16, 2).ok_or("an escape has no digits")?;
                value as u8
            }
            b'0'..=b'7' => {
                self.at -= 1;
                self.digits(8, 3).unwrap_or(0) as u8
            }
            b'u' | b'U' => {
                let value = self
                    .digits(16, if byte == b'u' { 4 } else { 8 })
                    .ok_or("an escape has no digits")?;
                let c = char::from_u32(value).ok_or("an escape is no character")?;
                bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
                return Ok(());
            }
            _ => return Err("an escape is not known"),
        };
        bytes.push(plain);
        Ok(())
    }

    fn digits(&mut self, base: u32, most: usize) -> Option<u32> {
        let rest = self.rest();
        let length = rest
            .bytes()
            .take(most)
            .take_while(|b| char::from(*b).is_digit(base))
            .count();
        let value = u32::from_str_radix(rest.get(..length)?, base).ok()?;
        self.at += length;
        Some(value)
    }
}
