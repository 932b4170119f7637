//! A regular expression to a tree, with the place of every word boundary.

use super::Flaw;
use std::ops::Range;

/// Nesting of groups.
pub(super) const DEEPEST: usize = 16;

/// The tree.
#[derive(Debug)]
pub(crate) enum Node {
    /// One character.
    Char(char),
    /// One of several characters.
    Set(Set),
    /// `^`, `$`, `\b`, `\B`: no character, a place.
    Edge(Edge, Range<usize>),
    /// One after the other.
    Row(Vec<Node>),
    /// One of them.
    Either(Vec<Node>),
    /// Again and again: at least, at most.
    Repeat(Box<Node>, u32, Option<u32>),
}

/// A kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Start,
    End,
    Word,
    NotWord,
}

/// What a character may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Set {
    /// An ASCII letter, digit or underscore.
    pub(crate) word: bool,
    /// A Hangul syllable or letter.
    pub(crate) hangul: bool,
    /// Anything else.
    pub(crate) other: bool,
    /// Whatever stands outside the pattern, also nothing.
    pub(crate) open: bool,
    /// The characters themselves, when they are few.
    pub(crate) chars: Option<Vec<char>>,
}

impl Set {
    pub(crate) fn all() -> Self {
        Self {
            word: true,
            hangul: true,
            other: true,
            ..Self::default()
        }
    }

    pub(crate) fn of(c: char) -> Self {
        let mut set = Self::default();
        set.add(c, c);
        set
    }

    fn add(&mut self, from: char, to: char) {
        let overlaps = |a: char, b: char| from <= b && a <= to;
        let words = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let hangul = [('\u{1100}', '\u{11ff}'), ('\u{3130}', '\u{318f}'), ('가', '힣')];
        let word = words.iter().any(|(a, b)| overlaps(*a, *b));
        let korean = hangul.iter().any(|(a, b)| overlaps(*a, *b));
        self.word |= word;
        self.hangul |= korean;
        self.other |= from != to || !word && !korean;
    }

    /// Both together.
    pub(crate) fn join(&mut self, other: &Self) {
        self.word |= other.word;
        self.hangul |= other.hangul;
        self.other |= other.other;
        self.open |= other.open;
        self.chars = None;
    }
}

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Node, Flaw> {
    let mut parser = Parser {
        chars: text.char_indices().collect(),
        end: text.len(),
        at: 0,
        depth: 0,
    };
    let node = parser.either()?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.wrong(
            "a group is closed that was not opened",
            "write `\\)` for the mark itself",
        )),
    }
}

struct Parser {
    chars: Vec<(usize, char)>,
    end: usize,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|(_, c)| *c)
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).map(|(_, c)| *c)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn offset(&self) -> usize {
        self.chars.get(self.at).map_or(self.end, |(offset, _)| *offset)
    }

    fn wrong(&self, message: &str, help: &str) -> Flaw {
        Flaw::fatal(
            format!(
                "is no regular expression: {message}, at character {}",
                self.at + 1
            ),
            help,
        )
    }

    fn either(&mut self) -> Result<Node, Flaw> {
        let mut options = vec![self.row()?];
        while self.take('|') {
            options.push(self.row()?);
        }
        match options.len() {
            1 => Ok(options.remove(0)),
            _ => Ok(Node::Either(options)),
        }
    }

    fn row(&mut self) -> Result<Node, Flaw> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek().filter(|c| !matches!(c, '|' | ')')) {
            let node = self.atom(c)?;
            nodes.extend(node.map(|n| self.repeated(n)).transpose()?);
        }
        Ok(Node::Row(nodes))
    }

    fn repeated(&mut self, mut node: Node) -> Result<Node, Flaw> {
        loop {
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => {
                    self.at += 1;
                    let (least, most) = self.counts()?;
                    node = self.once_more(node, least, most)?;
                    continue;
                }
                _ => return Ok(node),
            };
            self.at += 1;
            node = self.once_more(node, least, most)?;
        }
    }

    fn once_more(&mut self, node: Node, least: u32, most: Option<u32>) -> Result<Node, Flaw> {
        self.take('?');
        if matches!(node, Node::Edge(..)) {
            return Err(self.wrong("a place cannot be repeated", "remove the repetition"));
        }
        Ok(Node::Repeat(Box::new(node), least, most))
    }

    /// What follows `{`.
    fn counts(&mut self) -> Result<(u32, Option<u32>), Flaw> {
        let least = self.number();
        let most = if self.take(',') { self.number() } else { least };
        let open = self
            .chars
            .get(self.at.wrapping_sub(1))
            .is_some_and(|(_, c)| *c == ',');
        match (least, self.take('}')) {
            (Some(least), true) if most.is_none_or(|m| m >= least) && (most.is_some() || open) => {
                Ok((least, most))
            }
            _ => Err(self.wrong(
                "a count is `{2}`, `{2,}` or `{2,5}`",
                "write `\\{` for the mark itself",
            )),
        }
    }

    fn number(&mut self) -> Option<u32> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        number
    }

    /// One atom; `None` for a group that only sets flags.
    fn atom(&mut self, c: char) -> Result<Option<Node>, Flaw> {
        let from = self.offset();
        self.at += 1;
        let edge = |edge, parser: &Self| Ok(Some(Node::Edge(edge, from..parser.offset())));
        match c {
            '^' => edge(Edge::Start, self),
            '$' => edge(Edge::End, self),
            '.' => Ok(Some(Node::Set(Set::all()))),
            '(' => self.group(),
            '[' => self.class().map(|set| Some(Node::Set(set))),
            '*' | '+' | '?' | '{' => Err(self.wrong(
                "there is nothing to repeat before it",
                "write `\\` before a mark that is meant as itself",
            )),
            '\\' => match self.peek() {
                Some('b') => {
                    self.at += 1;
                    edge(Edge::Word, self)
                }
                Some('B') => {
                    self.at += 1;
                    edge(Edge::NotWord, self)
                }
                Some('A') => {
                    self.at += 1;
                    edge(Edge::Start, self)
                }
                Some('z') => {
                    self.at += 1;
                    edge(Edge::End, self)
                }
                _ => self.escape().map(Some),
            },
            c => Ok(Some(Node::Char(c))),
        }
    }

    /// What follows a backslash, but for places.
    fn escape(&mut self) -> Result<Node, Flaw> {
        let class = |word, other, hangul| {
            Node::Set(Set {
                word,
                hangul,
                other,
                ..Set::default()
            })
        };
        let Some(c) = self.next() else {
            return Err(self.wrong("it ends in a backslash", "write `\\\\` for the mark itself"));
        };
        Ok(match c {
            'd' | 'w' => class(true, false, false),
            's' => class(false, true, false),
            'D' | 'W' | 'S' => class(c != 'W', true, true),
            'n' | 't' | 'r' | 'f' | 'v' | 'a' => class(false, true, false),
            'x' | 'u' | 'U' => Node::Char(self.code(c)?),
            'p' | 'P' => {
                return Err(self.wrong(
                    "Unicode classes are left out",
                    "write the range: `[가-힣]` for Hangul, `[a-z]` for letters",
                ));
            }
            '0'..='9' | 'k' => {
                return Err(self.wrong("it cannot refer back to a group", "write the wording out"));
            }
            c if c.is_alphanumeric() => {
                return Err(self.wrong(&format!("`\\{c}` means nothing"), "remove the backslash"));
            }
            c => Node::Char(c),
        })
    }

    /// The character of `\x41`, `\x{41}`, `\u0041`, `\U00000041`.
    fn code(&mut self, kind: char) -> Result<char, Flaw> {
        let mut digits = String::new();
        if self.take('{') {
            while let Some(c) = self.next().filter(|c| *c != '}') {
                digits.push(c);
            }
        } else {
            let length = match kind {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            for _ in 0..length {
                digits.extend(self.next());
            }
        }
        u32::from_str_radix(&digits, 16)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| self.wrong("there is no such character", "write the character itself"))
    }

    fn group(&mut self) -> Result<Option<Node>, Flaw> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(
                &format!("groups are nested more than {DEEPEST} deep"),
                "write it flatter",
            ));
        }
        if self.take('?') {
            match (self.peek(), self.peek_at(1)) {
                (Some('=' | '!'), _) | (Some('<'), Some('=' | '!')) => {
                    return Err(self.wrong(
                        "it cannot look ahead or behind",
                        "match the neighbouring words too, or list exceptions under `allow`",
                    ));
                }
                (Some('P' | '<'), _) => while self.next().is_some_and(|c| c != '>') {},
                _ => {
                    let mut flags = 0;
                    loop {
                        match self.next() {
                            Some(':') => break,
                            Some(')') if flags > 0 => {
                                self.depth -= 1;
                                return Ok(None);
                            }
                            Some('i' | 'm' | 's') => flags += 1,
                            _ => {
                                return Err(
                                    self.wrong("this kind of group is not known", "use `(…)` or `(?:…)`")
                                );
                            }
                        }
                    }
                }
            }
        }
        let node = self.either()?;
        self.depth -= 1;
        if self.take(')') {
            Ok(Some(node))
        } else {
            Err(self.wrong("a group is not closed", "write `\\(` for the mark itself"))
        }
    }

    /// What follows `[`.
    fn class(&mut self) -> Result<Set, Flaw> {
        let unclosed = "a class is not closed";
        let help = "write `\\[` for the mark itself";
        let negated = self.take('^');
        let mut set = Set::default();
        let mut chars = Vec::new();
        let mut first = true;
        loop {
            let Some(c) = self.next() else {
                return Err(self.wrong(unclosed, help));
            };
            if c == ']' && !first {
                break;
            }
            first = false;
            let from = match c {
                '[' => {
                    return Err(self.wrong("a class stands in a class", "write `\\[` for the mark itself"));
                }
                '\\' => match self.escape()? {
                    Node::Char(c) => c,
                    Node::Set(inner) => {
                        set.join(&inner);
                        chars.extend(['\0'; 9]);
                        continue;
                    }
                    _ => continue,
                },
                c => c,
            };
            let range = self.peek() == Some('-') && self.peek_at(1).is_some_and(|c| c != ']');
            if !range {
                set.add(from, from);
                chars.push(from);
                continue;
            }
            self.at += 1;
            let to = match self.next() {
                Some('\\') => match self.escape()? {
                    Node::Char(c) => c,
                    _ => return Err(self.wrong("a range ends in a character", "write it as two")),
                },
                Some(c) => c,
                None => return Err(self.wrong(unclosed, help)),
            };
            if to < from {
                return Err(self.wrong("a range runs backwards", "exchange its ends"));
            }
            set.add(from, to);
            chars.extend(['\0'; 9]);
        }
        if negated {
            return Ok(Set::all());
        }
        set.chars = (chars.len() <= 4).then_some(chars);
        Ok(set)
    }
}
