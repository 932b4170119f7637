//! Values that stand in a table over which one assertion goes: what several assertions said one by one.

use super::asserts::{Demands, demands, statements};
use super::beside;
use super::find::{Brackets, Source, Test};
use super::lang::Lang;
use super::lex::{Sort, Token};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// How far a loop's head may reach, and the name of a table from its `=`, in tokens; brackets count as one.
const HEAD: usize = 48;

/// The values of a table, and the names by which they are known to what goes over it.
#[derive(Default)]
struct Table<'a> {
    names: HashSet<&'a str>,
    values: Vec<&'a str>,
    /// The same by rows, where rows can be told.
    rows: Vec<Vec<&'a str>>,
    /// Where what goes over it begins, in the body.
    from: usize,
}

impl Table<'_> {
    /// Whether an assertion that begins at `at` is reached in each turn, by the table's own names.
    fn is_asserted(&self, body: &[Token<'_>], at: usize, asked: &[Token<'_>]) -> bool {
        let guards = |t: &Token<'_>| {
            t.sort == Sort::Word
                && matches!(
                    t.text,
                    "if" | "unless"
                        | "while"
                        | "match"
                        | "switch"
                        | "case"
                        | "when"
                        | "try"
                        | "break"
                        | "continue"
                        | "next"
                        | "return"
                )
        };
        let before = body.get(self.from..at);
        let named = asked
            .iter()
            .any(|t| t.sort == Sort::Word && self.names.contains(t.text));
        let within = body.get(self.from..).unwrap_or_default();
        let used = |name: &str| within.iter().any(|t| t.sort == Sort::Word && t.text == name);
        named
            && before.is_some_and(|before| !before.iter().any(guards))
            && !within.iter().any(|t| t.is_word("break"))
            && self.names.iter().all(|name| used(name))
    }
}

/// Whether the assertions that a test lost go over a table of the same values now: all their values stand there, one
/// assertion or more asks for them by the table's own names, as exactly as before, and calls what was called.
pub(super) fn hold<'a>(old: (&Source<'_>, &Test), new: (&Source<'a>, &Test), given: &Given<'a>) -> bool {
    let (was, is) = (old.0.body(old.1), new.0.body(new.1));
    hold_in(old.0.lang, &old.1.name, &was, (&above(new.0, new.1), &is), given)
}

/// The same for the body of any function, with the marks above it.
pub(super) fn hold_in<'a>(
    lang: Lang,
    name: &str,
    was: &[Token<'_>],
    (above, is): (&[Token<'a>], &[Token<'a>]),
    given: &Given<'a>,
) -> bool {
    let tables = tables(lang, given, above, is);
    let asserted = asserted(lang, is, &tables);
    if asserted.tables.is_empty() {
        return false;
    }
    let kept: HashSet<String> = texts(lang, is);
    let lost: Vec<&[Token<'_>]> = statements(lang, was)
        .into_iter()
        .filter_map(|range| was.get(range))
        .filter(|s| !kept.contains(&text(s)))
        .collect();
    let demanded = |s: &[Token<'_>]| demands(lang, s);
    if lost.iter().any(|s| demanded(s).exact > 0) && asserted.demands.exact == 0 {
        return false;
    }
    let calls = |tokens: &[Token<'_>]| -> HashSet<String> {
        let called = tokens.windows(2).filter(|w| {
            matches!(w, [name, open] if name.sort == Sort::Word && (open.is_sign("(") || open.is_sign("!")))
        });
        called
            .filter_map(|w| w.first())
            .map(|t| t.text.to_owned())
            .collect()
    };
    let now = calls(is);
    // Go asks with `if` and fails with a message: what was asked stands before the assertion.
    let go = lang == Lang::Go;
    let asked: Vec<Token<'_>> = if go {
        // The message is no value.
        let messages = statements(lang, was);
        let told = |at: &usize| messages.iter().any(|range| range.contains(at));
        let rest = was.iter().enumerate().filter(|(at, _)| !told(at));
        rest.map(|(_, token)| *token).collect()
    } else {
        lost.iter().flat_map(|s| s.iter().copied()).collect()
    };
    if calls(&asked)
        .iter()
        .any(|called| !now.contains(called) && *called != *name)
    {
        return false;
    }
    // What stands beside the tables now is asked for in each turn.
    let constant: HashSet<&str> = asserted.constant.iter().copied().collect();
    let mut rows: HashMap<&str, usize> = HashMap::new();
    for value in asserted.tables.iter().flat_map(|t| &t.values) {
        *rows.entry(value).or_default() += 1;
    }
    let mut found = 0;
    for token in asked.iter().filter(|t| t.is_literal()) {
        match rows.get_mut(token.text).filter(|n| **n > 0) {
            Some(count) => {
                *count -= 1;
                found += 1;
            }
            None if constant.contains(token.text) => {}
            None => return false,
        }
    }
    let [table] = asserted.tables.as_slice() else {
        return found >= lost.len();
    };
    fn literals<'w>(tokens: &[Token<'w>], constant: &HashSet<&str>) -> Vec<&'w str> {
        let values = tokens.iter().filter(|t| t.is_literal()).map(|t| t.text);
        values.filter(|value| !constant.contains(value)).collect()
    }
    let beside: Vec<Vec<&str>> = if go {
        conditions(lang, was)
            .into_iter()
            .map(|s| literals(s, &constant))
            .collect()
    } else {
        lost.iter().map(|s| literals(s, &constant)).collect()
    };
    found >= lost.len() && beside::are_rows(&beside, &table.rows)
}

/// In Go, what is asked before each failure.
pub(super) fn conditions<'b, 'a>(lang: Lang, body: &'b [Token<'a>]) -> Vec<&'b [Token<'a>]> {
    let asked = statements(lang, body).into_iter().filter_map(|range| {
        let before = body.get(..range.start)?;
        body.get(before.iter().rposition(|t| t.is_word("if"))?..range.start)
    });
    asked.collect()
}

/// How many assertions about the text of an error say by `match=` what they said: `assert "no" in str(e.value)` behind
/// `raises(E) as e`, and `raises(E, match="no")`.
pub(super) fn matched(lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> usize {
    fn patterns<'a>(body: &[Token<'a>]) -> Vec<&'a str> {
        let named = body.windows(3).filter_map(|w| match w {
            [name, sign, value] if name.is_word("match") && sign.is_sign("=") && value.sort == Sort::Text => {
                Some(value.text)
            }
            _ => None,
        });
        named.collect()
    }
    if lang != Lang::Python {
        return 0;
    }
    let known = patterns(was);
    let mut new: Vec<&str> = patterns(is).into_iter().filter(|p| !known.contains(p)).collect();
    let kept = texts(lang, is);
    let lost = statements(lang, was)
        .into_iter()
        .filter_map(|range| was.get(range))
        .filter(|s| s.first().is_some_and(|t| t.is_word("assert")) && !kept.contains(&text(s)));
    // Each pattern stands for one.
    lost.filter(|statement| {
        let said: Vec<&str> = statement
            .iter()
            .filter(|t| t.is_literal())
            .map(|t| t.text)
            .collect();
        let about = statement
            .iter()
            .any(|t| matches!(t.text, "str" | "value" | "exception"));
        let stands = |p: &&str| matches!(said.as_slice(), [said] if said.len() > 3 && p.contains(said));
        match new.iter().position(|p| about && stands(p)) {
            Some(at) => {
                new.swap_remove(at);
                true
            }
            None => false,
        }
    })
    .count()
}

/// What goes over tables in a test.
struct Asserted<'t, 'a> {
    tables: Vec<&'t Table<'a>>,
    demands: Demands,
    /// Values of the test that stand in no table.
    constant: Vec<&'a str>,
}

fn asserted<'t, 'a>(lang: Lang, body: &[Token<'a>], tables: &'t [Table<'a>]) -> Asserted<'t, 'a> {
    let mut over: Vec<Token<'a>> = Vec::new();
    let mut used = vec![false; tables.len()];
    for range in statements(lang, body) {
        // In Go the condition before the message is part of what is asked.
        let from = if lang == Lang::Go {
            let before = body.get(..range.start).unwrap_or_default();
            before
                .iter()
                .rposition(|t| t.is_word("if"))
                .unwrap_or(range.start)
        } else {
            range.start
        };
        let asked = body.get(from..range.end).unwrap_or_default();
        let mut any = false;
        for (table, used) in tables.iter().zip(&mut used) {
            if table.is_asserted(body, from, asked) {
                *used = true;
                any = true;
            }
        }
        if any {
            over.extend(asked);
        }
    }
    // In Go the message says again what was asked.
    let go = lang == Lang::Go;
    // By where they stand, and not by what they say.
    let inside: HashSet<*const u8> = tables
        .iter()
        .flat_map(|t| &t.values)
        .map(|value| value.as_ptr())
        .collect();
    Asserted {
        tables: tables
            .iter()
            .zip(used)
            .filter(|(_, used)| *used)
            .map(|(t, _)| t)
            .collect(),
        demands: demands(lang, &over),
        constant: over
            .iter()
            .filter(|t| t.is_literal() && (go || !inside.contains(&t.text.as_ptr())))
            .map(|t| t.text)
            .collect(),
    }
}

fn text(statement: &[Token<'_>]) -> String {
    statement.iter().map(|t| t.text).collect::<Vec<_>>().join(" ")
}

fn texts(lang: Lang, body: &[Token<'_>]) -> HashSet<String> {
    let ranges = statements(lang, body).into_iter();
    ranges.filter_map(|range| body.get(range)).map(text).collect()
}

/// The tables of a test: those of its marks, and those that loops in it go over.
fn tables<'a>(lang: Lang, given: &Given<'a>, above: &[Token<'a>], body: &[Token<'a>]) -> Vec<Table<'a>> {
    let mut out = Vec::new();
    let marked = above.iter().any(|t| {
        matches!(
            t.text,
            "parametrize"
                | "case"
                | "values"
                | "test_case"
                | "CsvSource"
                | "ValueSource"
                | "InlineData"
                | "TestCase"
                | "DataRow"
                | "TestWith"
                | "With"
        )
    });
    let brackets = Brackets::of(body);
    if marked && is_whole(above) {
        let open = body.iter().position(|t| t.is_sign("("));
        let end = open.map_or(0, |open| brackets.close(open));
        let names = parameters(lang, body.get(open.unwrap_or(0)..end).unwrap_or_default());
        out.push(Table {
            names,
            values: values(above, given),
            rows: rows(above, given),
            from: end,
        });
    }
    for (at, token) in body.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
        let found = match token.text {
            "for" | "foreach" => a_loop(lang, &brackets, body, at),
            "each" | "forEach" | "for_each" | "map" => called(&brackets, body, at),
            _ => None,
        };
        if let Some((names, over, from)) = found.filter(|(_, over, _)| is_whole(over)) {
            let values = values(over, given);
            if !names.is_empty() && !values.is_empty() {
                let rows = rows(over, given);
                out.push(Table {
                    names,
                    values,
                    rows,
                    from,
                });
            }
        }
    }
    out
}

/// The names that go over a table, the expression that is the table, and where what goes over it begins.
type Found<'b, 'a> = (HashSet<&'a str>, &'b [Token<'a>], usize);

/// Whether all of a table is gone over: no part is cut out of it, and nothing filters it.
fn is_whole(over: &[Token<'_>]) -> bool {
    const ALL: [&str; 16] = [
        "items",
        "iter",
        "into_iter",
        "iter_mut",
        "entries",
        "enumerate",
        "zip",
        "as_slice",
        "each",
        "each_with_index",
        "values",
        "keys",
        "param",
        "parametrize",
        "case",
        "vec",
    ];
    let marks = over.first().is_some_and(|t| matches!(t.text, "@" | "#" | "["));
    over.windows(2).all(|w| {
        let [before, open] = w else { return true };
        let ends = before.sort == Sort::Word || matches!(before.text, ")" | "]" | "}");
        let cut = open.is_sign("[") && ends && !open.first;
        let filtered =
            open.is_sign("(") && before.sort == Sort::Word && !marks && !ALL.contains(&before.text);
        !cut && !filtered
    })
}

/// The names of parameters: `a: u32` and `String a` bind `a`.
fn parameters<'a>(lang: Lang, tokens: &[Token<'a>]) -> HashSet<&'a str> {
    let inside = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
    let brackets = Brackets::of(inside);
    let mut names = HashSet::new();
    let mut at = 0;
    while at < inside.len() {
        // One parameter, its marks apart.
        let mut words = Vec::new();
        let mut typed = false;
        while let Some(token) = inside.get(at).filter(|t| !t.is_sign(",")) {
            let nested = matches!(token.text, "[" | "(" | "{") && token.sort == Sort::Sign;
            typed |= matches!(token.text, ":" | "=");
            if token.sort == Sort::Word && !typed && !matches!(token.text, "mut" | "const" | "final") {
                words.push(token.text);
            }
            at = if nested && lang != Lang::Script {
                brackets.close(at)
            } else {
                at + 1
            };
        }
        at += 1;
        // In Java and C# the type stands first.
        let name = if matches!(lang, Lang::Java | Lang::CSharp) {
            words.last()
        } else {
            words.first()
        };
        names.extend(name.filter(|name| !matches!(**name, "self" | "this" | "t" | "_")));
    }
    names
}

/// `for a, b in [(1, 2)]:`, `for (const [a, b] of rows) {`, `for _, tt := range tests {`, `foreach (rows as $a)`.
fn a_loop<'b, 'a>(
    lang: Lang,
    brackets: &Brackets,
    body: &'b [Token<'a>],
    at: usize,
) -> Option<Found<'b, 'a>> {
    let head = body.get(at + 1..)?;
    let apart = head.iter().take(HEAD).position(|t| {
        t.is_word("in")
            || t.is_word("of")
            || t.is_word("as")
            || t.is_word("range")
            || (t.is_sign(":") && matches!(lang, Lang::Java))
    })?;
    let from = at + 1 + apart + 1;
    let mut end = from;
    // A bracket around the head ends it.
    for _ in 0..HEAD {
        let token = body.get(end)?;
        match token.text {
            "(" | "[" if token.sort == Sort::Sign => end = brackets.close(end),
            "{" | ")" if token.sort == Sort::Sign => break,
            ":" if token.sort == Sort::Sign && lang == Lang::Python => break,
            "do" if lang == Lang::Ruby => break,
            _ => end += 1,
        }
    }
    let (left, right) = (body.get(at + 1..from - 1)?, body.get(from..end)?);
    Some(if lang == Lang::Php {
        (words(right), left, end)
    } else {
        (words(left), right, end)
    })
}

/// `[[1, 2]].forEach(([a, b]) => …)`, `rows.each do |a, b|`, `test.each([[1, 2]])('…', (a, b) => …)`.
fn called<'b, 'a>(brackets: &Brackets, body: &'b [Token<'a>], at: usize) -> Option<Found<'b, 'a>> {
    let dot = at
        .checked_sub(1)
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign(".") || t.is_sign("?.")))?;
    // The runner's own: the table comes behind the name, the function's parameters behind the title.
    let runner = dot.checked_sub(1).and_then(|n| body.get(n));
    if runner.is_some_and(|t| matches!(t.text, "test" | "it" | "only" | "concurrent"))
        && body.get(at + 1)?.is_sign("(")
    {
        let table = brackets.close(at + 1);
        let title = body.get(table).filter(|t| t.is_sign("(")).map(|_| table)?;
        let (names, from) = bound(brackets, body, title)?;
        return Some((names, body.get(at + 2..table.checked_sub(1)?)?, from));
    }
    let (names, from) = bound(brackets, body, at + 1)?;
    // What it goes over stands before the dot: a bracket, or a name.
    let begin = (0..dot).rev().take(HEAD * 8).find(|n| {
        brackets.close(*n) == dot && body.get(*n).is_some_and(|t| t.is_sign("[") || t.is_sign("("))
    });
    let over = match begin {
        // A name before the bracket: a part, or what a call gives.
        Some(begin) => {
            let called = begin.checked_sub(1).and_then(|n| body.get(n));
            let part = called.is_some_and(|t| t.sort == Sort::Word && !t.first || t.is_sign("]"));
            body.get(begin - usize::from(part)..dot)?
        }
        None => body.get(dot.checked_sub(1)?..dot)?,
    };
    Some((names, over, from))
}

/// The parameters of the next function from a place on, and where its body begins: `(a, b) =>`, `a =>`, `function (a)`,
/// `do |a, b|`, `{ |a|`, and Rust's `|(a, b)|`.
fn bound<'a>(brackets: &Brackets, body: &[Token<'a>], from: usize) -> Option<(HashSet<&'a str>, usize)> {
    let rest = body.get(from..)?;
    let found = rest
        .iter()
        .take(HEAD)
        .position(|t| t.is_sign("=>") || t.is_word("function") || t.is_sign("|"))?;
    let at = from + found;
    let sign = body.get(at)?;
    if sign.is_sign("=>") {
        let before = at.checked_sub(1)?;
        let open =
            (from..before).find(|n| brackets.close(*n) == at && body.get(*n).is_some_and(|t| t.is_sign("(")));
        return Some((words(body.get(open.unwrap_or(before)..at)?), at + 1));
    }
    let end = if sign.is_sign("|") {
        at + 1
            + body
                .get(at + 1..)?
                .iter()
                .take(HEAD)
                .position(|t| t.is_sign("|"))?
    } else {
        let open = at + body.get(at..)?.iter().take(4).position(|t| t.is_sign("("))?;
        brackets.close(open)
    };
    Some((words(body.get(at + 1..end)?), end))
}

fn words<'a>(tokens: &[Token<'a>]) -> HashSet<&'a str> {
    let named = tokens.iter().filter(|t| {
        t.sort == Sort::Word
            && !matches!(
                t.text,
                "const" | "let" | "var" | "mut" | "ref" | "final" | "_" | "function" | "do"
            )
    });
    named.map(|t| t.text).collect()
}

/// The values that stand in an expression, and in what the names in it stand for.
fn values<'a>(over: &[Token<'a>], given: &Given<'a>) -> Vec<&'a str> {
    let mut out = Vec::new();
    let mut add = |tokens: &[Token<'a>]| {
        out.extend(tokens.iter().filter(|t| t.is_literal()).flat_map(beside::parts));
    };
    add(over);
    let mut seen = HashSet::new();
    for name in over.iter().filter(|t| t.sort == Sort::Word) {
        if seen.insert(name.text) {
            add(given.get(name.text));
        }
    }
    out
}

/// The rows of an expression with values, or of the only name in it that stands for some.
fn rows<'a>(over: &[Token<'a>], given: &Given<'a>) -> Vec<Vec<&'a str>> {
    if over.iter().any(Token::is_literal) {
        return beside::rows(over);
    }
    let names: HashSet<&str> = over
        .iter()
        .filter(|t| t.sort == Sort::Word)
        .map(|t| t.text)
        .collect();
    let mut known = names
        .iter()
        .map(|name| given.get(name))
        .filter(|value| !value.is_empty());
    match (known.next(), known.next()) {
        (Some(only), None) if !names.contains("zip") => beside::rows(only),
        _ => Vec::new(),
    }
}

/// What the names of a file are given, as far as values stand in it.
pub(super) struct Given<'a> {
    all: Vec<Token<'a>>,
    ranges: HashMap<&'a str, Range<usize>>,
}

impl<'a> Given<'a> {
    pub(super) fn of(source: &Source<'a>) -> Self {
        let all = source.code();
        let brackets = Brackets::of(&all);
        let mut ranges = HashMap::new();
        for at in (0..all.len()).filter(|at| all.get(*at).is_some_and(|t| t.is_sign("="))) {
            let end = value_end(&all, &brackets, at + 1);
            let value = all.get(at + 1..end).unwrap_or_default();
            if !value.iter().any(Token::is_literal) {
                continue;
            }
            // Back to where the statement begins.
            for n in (0..at).rev().take(HEAD) {
                let Some(token) = all.get(n).filter(|t| !matches!(t.text, ";" | "{" | "}")) else {
                    break;
                };
                if token.sort == Sort::Word {
                    ranges.entry(token.text).or_insert(at + 1..end);
                }
                if token.first {
                    break;
                }
            }
        }
        Self { all, ranges }
    }

    fn get(&self, name: &str) -> &[Token<'a>] {
        let range = self.ranges.get(name).cloned();
        range.and_then(|range| self.all.get(range)).unwrap_or_default()
    }
}

/// The place behind what stands behind a `=`.
fn value_end(all: &[Token<'_>], brackets: &Brackets, from: usize) -> usize {
    let mut end = from;
    for _ in 0..HEAD {
        let Some(token) = all.get(end) else { break };
        match token.text {
            "(" | "[" | "{" if token.sort == Sort::Sign => end = brackets.close(end),
            ";" | ")" | "]" | "}" if token.sort == Sort::Sign => break,
            _ if token.first && end > from => break,
            _ => end += 1,
        }
    }
    end
}

/// The marks of a test: what stands between it and what comes before it.
pub(super) fn above<'a>(source: &Source<'a>, test: &Test) -> Vec<Token<'a>> {
    let before = source.tokens.get(..test.body.start).unwrap_or_default();
    let column = source.tokens.get(test.body.start).map_or(0, |t| t.column);
    let mut depth = 0_usize;
    let mut from = before.len();
    // In Python a line that begins with something else than `@` ends them.
    let mut line = before.len();
    for (at, token) in before.iter().enumerate().rev() {
        if token.sort == Sort::Sign {
            match token.text {
                ")" | "]" => depth += 1,
                "}" if depth > 0 => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "{" | "}" | ";" if depth == 0 => break,
                _ => {}
            }
        }
        if source.lang != Lang::Python {
            from = at;
            continue;
        }
        if token.first && depth == 0 && token.sort != Sort::Comment {
            let mark = token.is_sign("@") && token.column <= column;
            if !mark && !token.is_word("async") {
                break;
            }
            line = at;
        }
        from = line;
    }
    let marks = before.get(from..).unwrap_or_default().iter();
    marks.filter(|t| t.sort != Sort::Comment).copied().collect()
}
