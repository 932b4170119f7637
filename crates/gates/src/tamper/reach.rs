//! Code of a test that is never run: branches and loops that are never entered, functions that nobody calls, and what stands
//! behind a way out.

use super::asserts::end_of;
use super::find::{Brackets, indented};
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::switches::{Predicate, gate, predicate};
use super::vacuous::fixed;
use std::ops::Range;

/// A block and the condition under which it is run.
pub(super) struct Block<'b, 'a> {
    pub(super) condition: &'b [Token<'a>],
    pub(super) range: Range<usize>,
}

/// Which code of a body is run, and when.
#[derive(Default)]
pub(super) struct Reach<'b, 'a> {
    /// What is never run.
    dead: Vec<Range<usize>>,
    /// What is run under a condition.
    pub(super) blocks: Vec<Block<'b, 'a>>,
    /// What is run only where somebody sets a feature or a variable of the environment.
    gated: Vec<Range<usize>>,
}

impl Reach<'_, '_> {
    /// Whether what stands at a place is run only where somebody asks for it from outside.
    pub(super) fn is_gated(&self, at: usize) -> bool {
        self.gated.iter().any(|range| range.contains(&at))
    }

    /// Whether what stands at a place is never run.
    pub(super) fn is_dead(&self, at: usize) -> bool {
        self.dead.iter().any(|range| range.contains(&at))
    }
}

/// Whether the language is read here.
fn is_read(lang: Lang) -> bool {
    matches!(lang, Lang::Python | Lang::Script | Lang::Rust | Lang::Go)
}

/// Most blocks and functions of one body that are looked at; what comes behind counts as run.
const MOST: usize = 400;

/// Looks through the body of a test, whose head comes first, or of a function.
pub(super) fn reach<'b, 'a>(lang: Lang, body: &'b [Token<'a>]) -> Reach<'b, 'a> {
    let mut out = Reach::default();
    if !is_read(lang) {
        return out;
    }
    let code = Code {
        lang,
        body,
        brackets: Brackets::of(body),
    };
    let mut looked = 0;
    for at in 1..body.len() {
        let Some(token) = body.get(at).filter(|t| matches!(t.sort, Sort::Word | Sort::Sign)) else {
            continue;
        };
        let before = out.dead.len() + out.blocks.len();
        match token.text {
            "if" | "elif" | "while" if code.begins(at) => code.branch(at, &mut out),
            "for" if code.begins(at) => out.dead.extend(code.empty_loop(at)),
            "return" | "break" | "continue" if code.begins(at) => out.dead.extend(code.behind(at)),
            "#" if lang == Lang::Rust => code.conditional(at, &mut out),
            "forEach" | "map" | "each" | "for_each" => out.dead.extend(code.over_nothing(at)),
            "def" | "lambda" | "=>" | "function" | "fn" | "func" | "|" | "||" => {
                out.dead.extend(code.uncalled(at));
            }
            _ => {}
        }
        looked += usize::from(out.dead.len() + out.blocks.len() > before);
        if looked >= MOST {
            break;
        }
    }
    out
}

struct Code<'b, 'a> {
    lang: Lang,
    body: &'b [Token<'a>],
    brackets: Brackets,
}

impl<'b, 'a> Code<'b, 'a> {
    fn at(&self, at: usize) -> Option<&'b Token<'a>> {
        self.body.get(at)
    }

    fn sign(&self, at: usize, sign: &str) -> bool {
        self.at(at).is_some_and(|t| t.is_sign(sign))
    }

    /// Whether a statement begins here.
    fn begins(&self, at: usize) -> bool {
        let Some(token) = self.at(at) else { return false };
        let before = at.checked_sub(1).and_then(|n| self.at(n));
        if self.lang == Lang::Python {
            return token.first;
        }
        let ends = |t: &Token<'_>| t.sort == Sort::Sign && matches!(t.text, ";" | "{" | "}");
        let alone = |t: &Token<'_>| {
            let goes_on = t.sort == Sort::Sign && t.text != "]" || t.is_word("else") || t.is_word("return");
            token.first && !goes_on
        };
        before.is_none_or(|t| ends(t) || alone(t) || t.is_word("else") && token.is_word("if"))
    }

    /// Where the head ends that begins at `at`: at the `{`, the `:`, or behind the brackets of a condition.
    fn head_end(&self, at: usize) -> Option<usize> {
        if self.lang == Lang::Script {
            return self.sign(at + 1, "(").then(|| self.brackets.close(at + 1));
        }
        let mut next = at + 1;
        while let Some(token) = self.at(next) {
            match token.text {
                ":" if token.sort == Sort::Sign && self.lang == Lang::Python => return Some(next),
                "{" if token.sort == Sort::Sign && self.lang != Lang::Python => {
                    // `[]int{}` before the block.
                    let close = self.brackets.close(next);
                    let a_value = self.lang == Lang::Go && self.sign(close, "{");
                    if !a_value {
                        return Some(next);
                    }
                    next = close;
                }
                "(" | "[" | "{" if token.sort == Sort::Sign => next = self.brackets.close(next),
                ";" if self.lang == Lang::Rust => return None,
                _ => next += 1,
            }
        }
        None
    }

    /// The block that follows a head.
    fn block(&self, at: usize, head: usize) -> Option<Range<usize>> {
        match self.lang {
            Lang::Python => {
                let begin = self.at(head + 1)?;
                let end = if begin.first {
                    indented(self.body, head + 1, self.at(at)?.column, self.lang)
                } else {
                    end_of(self.lang, self.body, &self.brackets, head + 1)
                };
                Some(head + 1..end)
            }
            _ if self.sign(head, "{") => Some(head + 1..self.brackets.close(head)),
            _ => Some(head..end_of(self.lang, self.body, &self.brackets, head)),
        }
    }

    /// `if`, `elif` and `while`, with the `else` of one that is always entered.
    fn branch(&self, at: usize, out: &mut Reach<'b, 'a>) {
        let found = self
            .head_end(at)
            .and_then(|head| Some((head, self.block(at, head)?)));
        let Some((head, range)) = found else { return };
        let Some(condition) = self.body.get(at + 1..head) else {
            return;
        };
        let is_while = self.at(at).is_some_and(|t| t.is_word("while"));
        let truth = self
            .truth(condition, 0)
            .or_else(|| fixed(self.lang, condition, 0));
        if let Some(asked) = gate(condition).filter(|_| truth.is_none() && !is_while) {
            let leaves = self.leaves_last(&range);
            let behind = leaves.then(|| self.behind_block(at, range.end)).flatten();
            // `if (!FULL) return;`, `if FULL { … }`
            let gated = behind.or((asked != Some(false)).then(|| range.clone()));
            out.gated.extend(gated);
        }
        if truth == Some(true) && !is_while && self.leaves_last(&range) {
            out.dead.extend(self.behind_block(at, range.end));
        }
        match truth {
            Some(false) => out.dead.push(range),
            Some(true) if !is_while => {
                let else_at = range.end;
                if self
                    .at(else_at)
                    .is_some_and(|t| t.is_word("else") || t.is_word("elif"))
                {
                    let from = else_at + 1;
                    let head = self.head_end(else_at).unwrap_or(from);
                    let head = if self.lang == Lang::Script { from } else { head };
                    out.dead.extend(self.block(else_at, head));
                }
            }
            _ if !is_while => out.blocks.push(Block { condition, range }),
            _ => {}
        }
    }

    /// Rust: a statement under `#[cfg(…)]`.
    fn conditional(&self, at: usize, out: &mut Reach<'b, 'a>) {
        let is_cfg = self.sign(at + 1, "[") && self.at(at + 2).is_some_and(|t| t.is_word("cfg"));
        if !is_cfg || !self.begins(at) {
            return;
        }
        let end = self.brackets.close(at + 1);
        let asked = self.body.get(at + 4..end.saturating_sub(2)).unwrap_or_default();
        let range = end..end_of(self.lang, self.body, &self.brackets, end);
        match predicate(asked) {
            Predicate::Never => out.dead.push(range),
            Predicate::Feature => out.gated.push(range),
            Predicate::Open => {}
        }
    }

    /// Whether the last thing that a block does is to leave the function.
    fn leaves_last(&self, range: &Range<usize>) -> bool {
        let inside = self.body.get(range.clone()).unwrap_or_default();
        let within = Brackets::of(inside).within(inside);
        let mut own = inside
            .iter()
            .zip(within)
            .filter(|(_, w)| w.is_none())
            .map(|(t, _)| t);
        own.any(|t| t.is_word("return"))
            || matches!(inside, [t, dot, skip, ..] if matches!(t.text, "t" | "self" | "this" | "pytest" | "ctx")
                && dot.is_sign(".")
                && matches!(skip.text, "Skip" | "Skipf" | "SkipNow" | "skipTest" | "skip"))
    }

    /// What stands behind the block of a condition, as far as the block around it goes.
    fn behind_block(&self, at: usize, end: usize) -> Option<Range<usize>> {
        let column = self.at(at)?.column;
        let mut next = end;
        if self.lang != Lang::Python && self.sign(next, "}") {
            next += 1;
        }
        let from = next;
        if self.at(from).is_some_and(|t| matches!(t.text, "else" | "elif")) {
            return None;
        }
        while let Some(token) = self.at(next) {
            match token.text {
                _ if self.lang == Lang::Python => {
                    if token.first && token.column < column {
                        break;
                    }
                    next += 1;
                }
                "(" | "[" | "{" if token.sort == Sort::Sign => next = self.brackets.close(next),
                ")" | "]" | "}" if token.sort == Sort::Sign => break,
                _ => next += 1,
            }
        }
        (next > from).then_some(from..next)
    }

    /// What a condition always is; `None` where it depends on something.
    fn truth(&self, tokens: &[Token<'a>], depth: usize) -> Option<bool> {
        if depth > 8 {
            return None;
        }
        let again = |tokens: &[Token<'a>]| self.truth(tokens, depth + 1);
        let joins = |t: &Token<'_>| t.sort != Sort::Text && matches!(t.text, "and" | "&&" | "or" | "||");
        match tokens {
            [one] => constant(one).or_else(|| again(self.given(one)?)),
            [not, rest @ ..] if (not.is_word("not") || not.is_sign("!")) && !rest.iter().any(joins) => {
                again(rest).map(|yes| !yes)
            }
            [open, .., _] if open.is_sign("(") && Brackets::of(tokens).close(0) == tokens.len() => {
                again(tokens.get(1..tokens.len() - 1)?)
            }
            [a, sign, b] if a.is_literal() && b.is_literal() && a.sort == b.sort => match sign.text {
                "==" | "===" => Some(a.text == b.text),
                "!=" | "!==" => Some(a.text != b.text),
                _ => None,
            },
            _ => {
                // Parts that are joined alike, brackets apart.
                let brackets = Brackets::of(tokens);
                let (mut at, mut from, mut word) = (0, 0, None);
                let mut parts: Vec<&[Token<'a>]> = Vec::new();
                while let Some(token) = tokens.get(at) {
                    let is_and = matches!(token.text, "and" | "&&");
                    match token.text {
                        "(" | "[" | "{" if token.sort == Sort::Sign => at = brackets.close(at),
                        "?" | "if" if token.sort != Sort::Text => return None,
                        _ if joins(token) && word.replace(is_and).is_some_and(|was| was != is_and) => {
                            return None;
                        }
                        _ if joins(token) => {
                            parts.push(tokens.get(from..at)?);
                            from = at + 1;
                            at = from;
                        }
                        _ => at += 1,
                    }
                }
                parts.push(tokens.get(from..)?);
                let is_and = word?;
                let deciding = parts.into_iter().any(|part| again(part) == Some(!is_and));
                deciding.then_some(!is_and)
            }
        }
    }

    /// What a name is given that is written to once and read once, with a constant or with nothing in it.
    fn given(&self, name: &Token<'_>) -> Option<&'b [Token<'a>]> {
        if name.sort != Sort::Word {
            return None;
        }
        let mut places = (0..self.body.len()).filter(|at| self.at(*at).is_some_and(|t| t.is_word(name.text)));
        let (first, _second, None) = (places.next()?, places.next()?, places.next()) else {
            return None;
        };
        let declared = |t: &Token<'_>| matches!(t.text, "let" | "const" | "var" | "mut");
        // What a parameter is without an argument says nothing.
        let begins = self.at(first)?.first && !self.within(first)
            || first
                .checked_sub(1)
                .and_then(|n| self.at(n))
                .is_some_and(declared);
        let sets = (first + 1..first + 12)
            .find(|at| self.sign(*at, "="))
            .filter(|_| begins)?;
        let plain = self.body.get(first + 1..sets)?;
        let typed = plain.first().is_none_or(|t| t.is_sign(":"));
        let end = end_of(self.lang, self.body, &self.brackets, sets);
        self.body.get(sets + 1..end).filter(|_| typed)
    }

    /// A `for` that goes over nothing.
    fn empty_loop(&self, at: usize) -> Option<Range<usize>> {
        let head = self.head_end(at)?;
        let range = self.block(at, head)?;
        let inside = self.body.get(at + 1..head)?;
        let inside = match self.lang {
            Lang::Script => inside.get(1..inside.len().checked_sub(1)?)?,
            _ => inside,
        };
        let empty = if inside.iter().any(|t| t.is_sign(";")) {
            self.never_begins(inside)
        } else if self.lang == Lang::Go && !inside.iter().any(|t| t.is_word("range")) {
            self.truth(inside, 0) == Some(false)
        } else {
            let over = inside
                .iter()
                .rposition(|t| matches!(t.text, "in" | "of" | "range"));
            let over = match self.lang {
                Lang::Python | Lang::Rust => inside.iter().position(|t| t.is_word("in")),
                _ => over,
            };
            self.is_empty(inside.get(over? + 1..)?, 0)
        };
        empty.then_some(range)
    }

    /// `for (let i = 0; i < 0; i++)`, `for (; false; )`
    fn never_begins(&self, head: &[Token<'a>]) -> bool {
        let mut steps = head.split(|t| t.is_sign(";"));
        let (Some(first), Some(asked)) = (steps.next(), steps.next()) else {
            return false;
        };
        let number = |t: &Token<'_>| {
            (t.sort == Sort::Number)
                .then(|| t.text.parse::<f64>().ok())
                .flatten()
        };
        let counts = match (first, asked) {
            ([.., name, sets, from], [asked, sign, to]) if sets.is_sign("=") => {
                let name = if name.is_sign(":") {
                    first.first().copied()
                } else {
                    Some(*name)
                };
                let known = name.is_some_and(|n| n.text == asked.text) && sign.is_sign("<");
                known && number(from).zip(number(to)).is_some_and(|(from, to)| from >= to)
            }
            _ => false,
        };
        counts || !asked.is_empty() && self.truth(asked, 0) == Some(false)
    }

    /// Whether there is nothing in what is gone over.
    fn is_empty(&self, over: &[Token<'a>], depth: usize) -> bool {
        if depth > 8 {
            return false;
        }
        let opens = |t: &Token<'_>| t.sort == Sort::Sign && matches!(t.text, "(" | "[" | "{");
        match over {
            [text] if text.sort == Sort::Text => text.text.is_empty(),
            [name] => self
                .given(name)
                .is_some_and(|value| self.is_empty(value, depth + 1)),
            [reference, rest @ ..] if reference.is_sign("&") || reference.is_word("await") => {
                self.is_empty(rest, depth + 1)
            }
            [open, close] if opens(open) => matches!(close.text, ")" | "]" | "}"),
            [from, dots, to] if dots.is_sign("..") => from.sort == Sort::Number && from.text == to.text,
            [open, close, rest @ ..] if open.is_sign("[") && close.is_sign("]") => match self.lang {
                // `[] as [u8; 0]`, `[].iter()`, `[]int{}`
                Lang::Rust => rest.first().is_some_and(|t| t.is_word("as") || t.is_sign(".")),
                Lang::Go => {
                    let open = rest.len().checked_sub(2);
                    open.and_then(|n| rest.get(n..))
                        .is_some_and(|end| end.iter().map(|t| t.text).eq(["{", "}"]))
                }
                Lang::Script => rest.first().is_some_and(|t| t.is_word("as")),
                _ => false,
            },
            [map, open, .., begin, end]
                if map.is_word("map") && open.is_sign("[") && self.lang == Lang::Go =>
            {
                begin.is_sign("{") && end.is_sign("}")
            }
            [new, bang, open, close] if new.is_word("vec") && bang.is_sign("!") => {
                opens(open) && !opens(close)
            }
            [kind, .., new, open, close]
                if kind.text.starts_with(char::is_uppercase) && new.is_word("new") =>
            {
                opens(open) && matches!(close.text, ")")
            }
            [name, open, inside @ .., close]
                if name.sort == Sort::Word && open.is_sign("(") && close.is_sign(")") =>
            {
                let made = matches!(
                    name.text,
                    "list"
                        | "tuple"
                        | "set"
                        | "dict"
                        | "iter"
                        | "frozenset"
                        | "zip"
                        | "enumerate"
                        | "reversed"
                        | "sorted"
                );
                match inside {
                    [] => made,
                    [to] if name.is_word("range") => to.sort == Sort::Number && to.text == "0",
                    [from, _, to] if name.is_word("range") => from.is_literal() && from.text == to.text,
                    _ => {
                        let first = super::sides::parts(inside).first().copied().unwrap_or_default();
                        made && self.is_empty(first, depth + 1)
                    }
                }
            }
            // `cases[:0]`
            [.., open, colon, zero, close]
                if open.is_sign("[")
                    && colon.is_sign(":")
                    && close.is_sign("]")
                    && self.lang != Lang::Script =>
            {
                zero.sort == Sort::Number && zero.text == "0"
            }
            _ => false,
        }
    }

    /// `[].forEach(…)`: what the call is given.
    fn over_nothing(&self, at: usize) -> Option<Range<usize>> {
        let dot = at.checked_sub(1).filter(|n| self.sign(*n, "."))?;
        let open = self.sign(at + 1, "(").then_some(at + 1)?;
        let literal = dot
            .checked_sub(2)
            .filter(|n| self.sign(*n, "[") && self.sign(n + 1, "]"));
        let apart = |n: usize| {
            let before = n.checked_sub(1).and_then(|n| self.at(n));
            // `rows[]` is no list.
            before.is_none_or(|t| t.first || t.sort == Sort::Sign && !matches!(t.text, ")" | "]"))
                || self.begins(n)
        };
        let named = || {
            let name = dot.checked_sub(1).and_then(|n| self.at(n))?;
            self.given(name)
                .filter(|value| self.is_empty(value, 0))
                .map(|_| ())
        };
        let nothing = literal.is_some_and(apart) || self.lang == Lang::Script && named().is_some();
        nothing.then(|| open + 1..self.brackets.close(open))
    }

    /// What stands behind a way out, up to the end of its block.
    fn behind(&self, at: usize) -> Option<Range<usize>> {
        let bare = self.at(at + 1).is_none_or(|t| t.first);
        let from = if bare {
            at + 1
        } else {
            end_of(self.lang, self.body, &self.brackets, at)
        };
        let column = self.at(at)?.column;
        let mut next = from;
        while let Some(token) = self.at(next) {
            match token.text {
                _ if self.lang == Lang::Python => {
                    if token.first && token.column < column {
                        break;
                    }
                    next += 1;
                }
                "(" | "[" | "{" if token.sort == Sort::Sign => next = self.brackets.close(next),
                ")" | "]" | "}" if token.sort == Sort::Sign => break,
                // Another way leads there.
                "case" | "default" if token.sort == Sort::Word => break,
                // It is there for all of its block.
                "function" | "fn" if token.sort == Sort::Word => break,
                _ => next += 1,
            }
        }
        (next > from).then_some(from..next)
    }

    /// A function that nobody calls: one that is a statement by itself, or whose name does not occur again.
    fn uncalled(&self, at: usize) -> Option<Range<usize>> {
        let token = self.at(at)?;
        let named = |name: &str| {
            let reads = |(n, t): &(usize, &Token<'_>)| {
                let is_it = if t.sort == Sort::Text {
                    t.text.contains(name)
                } else {
                    t.is_word(name)
                };
                // `_` is put away, and read by nobody.
                is_it && (name != "_" || self.sign(n + 1, "("))
            };
            let most = usize::from(name != "_");
            self.body.iter().enumerate().filter(reads).take(2).count() > most
        };
        match (self.lang, token.text) {
            (Lang::Python, "def") => {
                let start = if token.first { at } else { at.checked_sub(1)? };
                let column = self.at(start)?.column;
                let name = self.at(at + 1)?;
                // What `async def` gives is run by who waits for it, and not by the call.
                let asynchronous = self.at(start).is_some_and(|t| t.is_word("async"));
                let only_called = asynchronous
                    && (0..self.body.len())
                        .filter(|n| *n != at + 1 && self.at(*n).is_some_and(|t| t.text.contains(name.text)))
                        .all(|n| self.begins(n) && self.sign(n + 1, "("));
                if only_called {
                    return Some(at..indented(self.body, at + 1, column, self.lang));
                }
                let lines = || {
                    self.body
                        .get(..start)
                        .unwrap_or_default()
                        .iter()
                        .rev()
                        .filter(|t| t.first)
                };
                // A mark may hand it on, and who has an object may call its methods.
                let marked = lines()
                    .find(|t| t.column <= column)
                    .is_some_and(|t| t.is_sign("@"));
                let alone = !marked && !self.in_class(start) && !named(name.text);
                alone.then(|| at..indented(self.body, at + 1, column, self.lang))
            }
            (Lang::Python, "lambda") => self.value(at, at, named),
            (Lang::Rust, "fn") | (Lang::Script, "function") if self.begins(at) => {
                let name = self.at(at + 1).filter(|t| t.sort == Sort::Word)?;
                let open = (at + 2..at + 40).find(|n| self.sign(*n, "{"))?;
                (!named(name.text)).then(|| at..self.brackets.close(open))
            }
            (Lang::Script, "function") => {
                let from = at
                    .checked_sub(1)
                    .filter(|n| self.at(*n).is_some_and(|t| t.is_word("async")));
                let name = self.at(at + 1).filter(|t| t.sort == Sort::Word);
                match (from, name) {
                    (Some(from), Some(name)) if self.begins(from) => {
                        let open = (at + 2..at + 40).find(|n| self.sign(*n, "{"))?;
                        (!named(name.text)).then(|| from..self.brackets.close(open))
                    }
                    (from, _) => self.value(from.unwrap_or(at), at, named),
                }
            }
            (Lang::Go, "func") => self.value(at, at, named),
            (Lang::Script, "=>") => {
                // Back over the parameters.
                let last = at.checked_sub(1)?;
                let begin = if self.sign(last, ")") {
                    (0..last)
                        .rev()
                        .find(|n| self.sign(*n, "(") && self.brackets.close(*n) == at)?
                } else {
                    last
                };
                let asynchronous = begin
                    .checked_sub(1)
                    .filter(|n| self.at(*n).is_some_and(|t| t.is_word("async")));
                self.value(asynchronous.unwrap_or(begin), at, named)
            }
            (Lang::Rust, "||" | "|") => {
                let moved = at
                    .checked_sub(1)
                    .filter(|n| self.at(*n).is_some_and(|t| t.is_word("move")));
                self.value(moved.unwrap_or(at), at, named)
            }
            _ => None,
        }
    }

    /// A function as a value, which begins at `from`: a statement by itself, or given to a name that is not read. `at` is
    /// where it is seen to be one.
    fn value(&self, from: usize, at: usize, named: impl Fn(&str) -> bool) -> Option<Range<usize>> {
        let end = || end_of(self.lang, self.body, &self.brackets, at);
        let before = from.checked_sub(1).and_then(|n| self.at(n));
        if before.is_some_and(|t| t.is_sign("=")) {
            let mut back = from.checked_sub(2)?;
            if self.sign(back, ":") {
                back = back.checked_sub(1)?;
            }
            let name = self.at(back).filter(|t| t.sort == Sort::Word)?;
            let declared = |t: &Token<'_>| matches!(t.text, "let" | "const" | "var" | "mut");
            let lead = back.checked_sub(1).and_then(|n| self.at(n));
            let begins = match self.lang {
                Lang::Script | Lang::Rust => lead.is_some_and(declared),
                Lang::Python => name.first && !self.in_class(back),
                _ => name.first || lead.is_some_and(declared),
            };
            // The function that is looked at has its own name at its beginning.
            let own = back > 1 && begins && !self.within(back);
            return (own && !named(name.text)).then(|| from..end());
        }
        let in_brackets = self.within(from);
        let stands = match self.lang {
            // `| B => …` goes on with a pattern.
            Lang::Rust => before.is_some_and(|t| t.is_sign(";") || t.is_sign("{")),
            _ => self.begins(from),
        };
        let stands = stands && !in_brackets;
        let end = end();
        // `(() => …)()`, `function () {…}()`
        let is_called = self.sign(end, "(")
            || self.body.get(from..end)?.last().is_some_and(|t| t.is_sign(")")) && self.lang == Lang::Go;
        (stands && !is_called).then_some(from..end)
    }

    /// Python: whether what begins here stands in a class of the body: who has an object may call it.
    fn in_class(&self, at: usize) -> bool {
        let mut left = self.at(at).map_or(0, |t| t.column);
        let lines = self
            .body
            .get(..at)
            .unwrap_or_default()
            .iter()
            .rev()
            .filter(|t| t.first);
        let mut around = lines.filter(|t| {
            let out = t.column < left;
            left = left.min(t.column);
            out
        });
        around.any(|t| t.is_word("class"))
    }

    /// Whether the innermost bracket around a place is round or square: what stands there is given to something.
    fn within(&self, at: usize) -> bool {
        let mut depth = 0_usize;
        for before in self.body.get(..at).unwrap_or_default().iter().rev() {
            if before.sort != Sort::Sign {
                continue;
            }
            match before.text {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "(" | "[" => return true,
                "{" => return false,
                _ => {}
            }
        }
        false
    }
}

/// What a token always is as a condition.
fn constant(token: &Token<'_>) -> Option<bool> {
    match token.sort {
        Sort::Number => token.text.parse::<f64>().ok().map(|n| n != 0.0),
        Sort::Text => Some(!token.text.is_empty()),
        Sort::Word => match token.text {
            "False" | "false" | "None" | "null" | "undefined" | "nil" | "NaN" | "TYPE_CHECKING" => {
                Some(false)
            }
            "True" | "true" => Some(true),
            _ => None,
        },
        Sort::Sign | Sort::Comment => None,
    }
}
