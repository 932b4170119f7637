//! From text to tree: a recursive descent over the grammar of bash. What it does not know is an
//! error, never a guess: a line that cannot be read supports nothing.

use crate::ast::{
    Assign, Command, Compound, Direction, Item, Join, List, Part, Pipeline, Redirect, Script, SimpleCommand,
    Word,
};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes of a line; longer ones are not read.
pub(crate) const MAX_LINE: usize = 64 * 1024;
/// How deep commands and substitutions may stand in each other.
pub(crate) const MAX_DEPTH: usize = 40;

/// Why a line cannot be read.
pub(crate) type Why = &'static str;

pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) depth: usize,
    /// Here-documents whose text begins after the current line.
    pending: Vec<Pending>,
    documents: Vec<Word>,
    /// Bytes looked at to tell `$((…))` from `$( (…) )`.
    pub(crate) scanned: Cell<usize>,
}

struct Pending {
    end: String,
    /// `<<-`: leading tabs do not count.
    tabs: bool,
    /// Whether the end word was quoted, so that the text is taken as it is.
    quoted: bool,
    document: usize,
}

/// Reads a line, or a script of several.
pub(crate) fn parse(text: &str, depth: usize) -> Result<Script, Why> {
    if text.len() > MAX_LINE {
        return Err("the line is too long");
    }
    if text.contains('\0') {
        return Err("a NUL stands in the line");
    }
    let text = text.trim_end_matches(['\r', '\n', ' ', '\t']);
    if text.contains("\r\n") {
        return Err("Windows line ends stand between the commands");
    }
    let mut parser = Parser::new(text, depth);
    let list = parser.list(false)?;
    if parser.at < text.len() {
        return Err("an operator or bracket stands where a command should");
    }
    let documents = parser.finish()?;
    Ok(Script { list, documents })
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, depth: usize) -> Self {
        Self {
            text,
            at: 0,
            depth,
            pending: Vec::new(),
            documents: Vec::new(),
            scanned: Cell::new(0),
        }
    }

    /// What is left when all was read: the here-documents.
    pub(crate) fn finish(self) -> Result<Vec<Word>, Why> {
        if !self.pending.is_empty() {
            return Err("a here-document has no end");
        }
        if self.scanned.get() > 4 * MAX_LINE {
            return Err("the line has too many arithmetic expressions");
        }
        Ok(self.documents)
    }

    pub(crate) fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(crate) fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(crate) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Why>) -> Result<T, Why> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("commands stand too deep in each other");
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn blanks(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                _ => break,
            }
        }
    }

    /// Passes over blanks, comments and line ends.
    pub(crate) fn lines(&mut self) -> Result<(), Why> {
        loop {
            self.blanks();
            match self.peek(0) {
                b'#' => self.comment(),
                b'\n' => self.line_end()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn line_end(&mut self) -> Result<(), Why> {
        self.at += 1;
        for document in std::mem::take(&mut self.pending) {
            self.document(&document)?;
        }
        Ok(())
    }

    fn document(&mut self, document: &Pending) -> Result<(), Why> {
        let start = self.at;
        loop {
            if self.done() {
                return Err("a here-document has no end");
            }
            let line = self.rest().split('\n').next().unwrap_or_default();
            let from = self.at;
            let length = line.len();
            let line = if document.tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            let found = line == document.end;
            self.at = (from + length + 1).min(self.text.len());
            if found {
                let body = self.text.get(start..from).unwrap_or_default();
                let word = if document.quoted {
                    Word(vec![Part::Text {
                        text: body.to_owned(),
                        quoted: true,
                    }])
                } else {
                    let body = body.to_owned();
                    self.deeper(|p| crate::lex::expanded(&body, p.depth))?
                };
                if let Some(slot) = self.documents.get_mut(document.document) {
                    *slot = word;
                }
                return Ok(());
            }
        }
    }

    /// A bare word at the cursor that could be reserved.
    fn keyword(&self) -> &str {
        let rest = self.rest();
        let length = rest
            .bytes()
            .take_while(|b| b.is_ascii_lowercase() || matches!(b, b'{' | b'}' | b'!' | b'[' | b']'))
            .take(9)
            .count();
        let end = rest.as_bytes().get(length).copied().unwrap_or(b'\n');
        if matches!(
            end,
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
        ) {
            rest.get(..length).unwrap_or_default()
        } else {
            ""
        }
    }

    fn closes(&self) -> bool {
        matches!(self.peek(0), b')' | 0)
            || self.peek(0) == b';' && matches!(self.peek(1), b';' | b'&')
            || matches!(
                self.keyword(),
                "then" | "do" | "done" | "fi" | "elif" | "else" | "esac" | "}"
            )
    }

    fn expect(&mut self, word: &str) -> Result<(), Why> {
        self.lines()?;
        if self.keyword() == word {
            self.at += word.len();
            Ok(())
        } else {
            Err("a compound command is not closed")
        }
    }

    /// Commands until something closes them. `filled`: at least one.
    fn list(&mut self, filled: bool) -> Result<List, Why> {
        let mut items = Vec::new();
        loop {
            self.lines()?;
            if self.done() || self.closes() {
                break;
            }
            let mut item = self.item()?;
            self.blanks();
            let mut separated = true;
            match self.peek(0) {
                b'&' if self.peek(1) != b'&' => {
                    self.at += 1;
                    item.background = true;
                }
                b';' if !matches!(self.peek(1), b';' | b'&') => self.at += 1,
                b'\n' => self.line_end()?,
                b'#' => self.comment(),
                _ => separated = false,
            }
            items.push(item);
            if !separated {
                break;
            }
        }
        if filled && items.is_empty() {
            return Err("a command is missing");
        }
        Ok(List(items))
    }

    fn item(&mut self) -> Result<Item, Why> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let join = match (self.peek(0), self.peek(1)) {
                (b'&', b'&') => Join::And,
                (b'|', b'|') => Join::Or,
                _ => break,
            };
            self.at += 2;
            self.lines()?;
            rest.push((join, self.pipeline()?));
        }
        Ok(Item {
            first,
            rest,
            background: false,
        })
    }

    fn pipeline(&mut self) -> Result<Pipeline, Why> {
        let mut negated = false;
        loop {
            match self.keyword() {
                "!" => {
                    self.at += 1;
                    negated = !negated;
                }
                "time" => {
                    self.at += 4;
                    self.blanks();
                    if self.rest().starts_with("-p ") {
                        self.at += 2;
                    }
                }
                _ => break,
            }
            self.blanks();
        }
        let mut parts = vec![self.command()?];
        loop {
            self.blanks();
            if self.peek(0) != b'|' || self.peek(1) == b'|' {
                break;
            }
            self.at += if self.peek(1) == b'&' { 2 } else { 1 };
            self.lines()?;
            parts.push(self.command()?);
        }
        Ok(Pipeline { negated, parts })
    }

    fn command(&mut self) -> Result<Command, Why> {
        self.deeper(Self::command_here)
    }

    fn command_here(&mut self) -> Result<Command, Why> {
        self.blanks();
        if self.closes() {
            return Err("a command is missing");
        }
        let compound = if self.peek(0) == b'(' {
            if self.peek(1) == b'(' && self.arithmetic_end(2).is_some() {
                let (text, inner) = self.arithmetic(2)?;
                Compound::Arithmetic(text, inner)
            } else {
                self.at += 1;
                let list = self.list(true)?;
                self.bracket()?;
                Compound::Subshell(list)
            }
        } else {
            match self.keyword() {
                "{" => {
                    self.at += 1;
                    let list = self.list(true)?;
                    self.expect("}")?;
                    Compound::Group(list)
                }
                "if" => self.condition()?,
                "while" | "until" => {
                    self.at += 5;
                    let condition = self.list(true)?;
                    self.expect("do")?;
                    let body = self.list(true)?;
                    self.expect("done")?;
                    Compound::While { condition, body }
                }
                "for" => self.each("for")?,
                "select" => self.each("select")?,
                "case" => self.case()?,
                "[[" => self.test()?,
                "function" => return self.function(),
                "coproc" => {
                    self.at += 6;
                    self.blanks();
                    Compound::Coprocess(Box::new(self.command()?))
                }
                _ => return self.simple(),
            }
        };
        Ok(Command::Compound(compound, self.redirects()?))
    }

    fn bracket(&mut self) -> Result<(), Why> {
        self.lines()?;
        if self.peek(0) == b')' {
            self.at += 1;
            Ok(())
        } else {
            Err("a bracket is not closed")
        }
    }

    /// The commands of `$(…)`, `<(…)`; the cursor stands behind the opening bracket.
    pub(crate) fn bracketed(&mut self) -> Result<List, Why> {
        self.deeper(|p| {
            let list = p.list(false)?;
            p.bracket()?;
            Ok(list)
        })
    }

    fn condition(&mut self) -> Result<Compound, Why> {
        let mut arms = Vec::new();
        let mut other = None;
        self.at += 2;
        loop {
            let condition = self.list(true)?;
            self.expect("then")?;
            arms.push((condition, self.list(true)?));
            self.lines()?;
            match self.keyword() {
                "elif" => self.at += 4,
                "else" => {
                    self.at += 4;
                    other = Some(self.list(true)?);
                    self.expect("fi")?;
                    break;
                }
                _ => {
                    self.expect("fi")?;
                    break;
                }
            }
        }
        Ok(Compound::If { arms, other })
    }

    fn each(&mut self, keyword: &str) -> Result<Compound, Why> {
        self.at += keyword.len();
        self.blanks();
        let mut plain = keyword == "for";
        let mut name = String::new();
        let mut words = None;
        if self.rest().starts_with("((") {
            let (_, inner) = self.arithmetic(2)?;
            words = Some(vec![Word(inner)]);
            plain = false;
        } else {
            name = self.name().ok_or("a loop has no variable")?;
            self.lines()?;
            if self.keyword() == "in" {
                self.at += 2;
                let mut list = Vec::new();
                loop {
                    self.blanks();
                    if matches!(self.peek(0), b';' | b'\n' | b'#' | 0) {
                        break;
                    }
                    list.push(self.word()?.ok_or("a loop's words cannot be read")?);
                }
                words = Some(list);
            }
        }
        self.blanks();
        if self.peek(0) == b';' {
            self.at += 1;
        }
        self.expect("do")?;
        let body = self.list(true)?;
        self.expect("done")?;
        Ok(Compound::For {
            name,
            words,
            body,
            plain,
        })
    }

    fn case(&mut self) -> Result<Compound, Why> {
        self.at += 4;
        self.blanks();
        let mut words = vec![self.word()?.ok_or("a case has no word")?];
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.lines()?;
            if self.keyword() == "esac" {
                self.at += 4;
                break;
            }
            if self.peek(0) == b'(' {
                self.at += 1;
            }
            let mut all = false;
            loop {
                self.blanks();
                let pattern = self.word()?.ok_or("a case has no pattern")?;
                all |= matches!(pattern.0.as_slice(), [Part::Text { text, quoted: false }] if text == "*");
                words.push(pattern);
                self.blanks();
                match self.peek(0) {
                    b'|' => self.at += 1,
                    b')' => break,
                    _ => return Err("a pattern of a case is not closed"),
                }
            }
            self.at += 1;
            arms.push((all, self.list(false)?));
            self.lines()?;
            if self.rest().starts_with(";;") && self.peek(2) != b'&' {
                self.at += 2;
            } else if self.keyword() != "esac" {
                return Err("a case falls through or is not closed");
            }
        }
        Ok(Compound::Case { words, arms })
    }

    fn test(&mut self) -> Result<Compound, Why> {
        self.at += 2;
        let mut words = Vec::new();
        loop {
            self.lines()?;
            if self.done() {
                return Err("a test is not closed");
            }
            if self.keyword() == "]]" {
                self.at += 2;
                return Ok(Compound::Test(words));
            }
            words.push(self.test_word()?);
        }
    }

    fn function(&mut self) -> Result<Command, Why> {
        self.at += "function".len();
        self.blanks();
        let name = self.word()?.ok_or("a function has no name")?;
        self.blanks();
        if self.peek(0) == b'(' {
            self.at += 1;
            self.bracket()?;
        }
        self.function_body(&name)
    }

    fn function_body(&mut self, name: &Word) -> Result<Command, Why> {
        let [Part::Text { text, quoted: false }] = name.0.as_slice() else {
            return Err("a function's name is not plain");
        };
        let name = text.clone();
        self.lines()?;
        if self.peek(0) != b'('
            && !matches!(
                self.keyword(),
                "{" | "if" | "while" | "until" | "for" | "case" | "select" | "[["
            )
        {
            return Err("a function has no body");
        }
        Ok(Command::Function(name, Rc::new(self.command()?)))
    }

    fn simple(&mut self) -> Result<Command, Why> {
        let mut command = SimpleCommand::default();
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                command.redirects.push(redirect);
                continue;
            }
            match self.peek(0) {
                b'(' => {
                    let named = command.assigns.is_empty() && command.redirects.is_empty();
                    if let ([name], true) = (command.words.as_slice(), named) {
                        self.at += 1;
                        self.bracket()?;
                        return self.function_body(name);
                    }
                    return Err("a bracket stands in the middle of a command");
                }
                b'#' | b'\n' | b';' | b'&' | b'|' | b')' | 0 => break,
                _ => {}
            }
            if let Some((name, plain)) = self.assignment() {
                let value = if self.peek(0) == b'(' {
                    self.array()?
                } else {
                    self.word()?.unwrap_or_default()
                };
                if command.words.is_empty() {
                    command.assigns.push(Assign { name, plain, value });
                } else {
                    // `export x=y`: the word of a command that assigns.
                    let mut parts = vec![Part::Text {
                        text: format!("{name}="),
                        quoted: false,
                    }];
                    parts.extend(value.0);
                    command.words.push(Word(parts));
                }
                continue;
            }
            match self.word()? {
                Some(word) => command.words.push(word),
                None => return Err("a character stands where no word can"),
            }
        }
        if command.words.is_empty() && command.assigns.is_empty() && command.redirects.is_empty() {
            return Err("a command is missing");
        }
        Ok(Command::Simple(command))
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let length = name_length(rest);
        let name = rest.get(..length).filter(|n| !n.is_empty())?.to_owned();
        self.at += length;
        Some(name)
    }

    /// `name=`, `name+=`, `name[…]=` at the cursor. Passes over it.
    fn assignment(&mut self) -> Option<(String, bool)> {
        let rest = self.rest();
        let length = name_length(rest);
        let name = rest.get(..length).filter(|n| !n.is_empty())?;
        let mut after = rest.get(length..)?;
        let mut plain = true;
        if after.starts_with('[') {
            let end = after
                .bytes()
                .take(200)
                .position(|b| matches!(b, b']' | b'\n' | b'$' | b'`'))?;
            after = after.get(end..)?.strip_prefix(']')?;
            plain = false;
        }
        if let Some(more) = after.strip_prefix('+') {
            after = more;
            plain = false;
        }
        let value = after.strip_prefix('=')?;
        if value.starts_with('(') {
            plain = false;
        }
        let name = name.to_owned();
        self.at = self.text.len() - value.len();
        Some((name, plain))
    }

    fn array(&mut self) -> Result<Word, Why> {
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            self.lines()?;
            if self.peek(0) == b')' {
                self.at += 1;
                return Ok(Word(parts));
            }
            parts.extend(self.word()?.ok_or("a list of values is not closed")?.0);
        }
    }

    fn redirects(&mut self) -> Result<Vec<Redirect>, Why> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    fn redirect(&mut self) -> Result<Option<Redirect>, Why> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let first = self.peek(digits);
        let both = digits == 0 && first == b'&' && self.peek(1) == b'>';
        if !matches!(first, b'<' | b'>') && !both {
            return Ok(None);
        }
        if digits == 0 && !both && self.peek(1) == b'(' {
            // `<(…)` is a word.
            return Ok(None);
        }
        self.at += digits;
        let operator = [
            "&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|", "<", ">",
        ]
        .into_iter()
        .find(|o| self.rest().starts_with(o))
        .unwrap_or(">");
        self.at += operator.len();
        self.blanks();
        let from = self.at;
        let target = self.word()?.ok_or("a redirection has no target")?;
        let direction = match operator {
            "<" => Direction::In,
            "<<<" => Direction::Text,
            "<<" | "<<-" => {
                let source = self.text.get(from..self.at).unwrap_or_default();
                let mut end = String::new();
                for part in &target.0 {
                    match part {
                        Part::Text { text, .. } => end.push_str(text),
                        _ => return Err("the end of a here-document is not plain"),
                    }
                }
                self.pending.push(Pending {
                    end,
                    tabs: operator == "<<-",
                    quoted: source.contains(['\'', '"', '\\']),
                    document: self.documents.len(),
                });
                self.documents.push(Word::default());
                Direction::Document(self.documents.len() - 1)
            }
            "<&" => Direction::Duplicate,
            ">&" => match target.0.as_slice() {
                [Part::Text { text, .. }] if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
                    Direction::Duplicate
                }
                _ => Direction::Out,
            },
            _ => Direction::Out,
        };
        Ok(Some(Redirect { direction, target }))
    }
}

/// Length of the variable name at the beginning of a text.
pub(crate) fn name_length(text: &str) -> usize {
    if text.as_bytes().first().is_none_or(u8::is_ascii_digit) {
        return 0;
    }
    text.bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count()
}
