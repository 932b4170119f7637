//! Values that stand in a table over which one assertion goes: what several assertions said one by one.

use super::asserts::{Demands, demands, statements};
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
}

/// Whether the assertions that a test lost go over a table of the same values now: all their values stand there, one
/// assertion or more asks for them by the table's own names, as exactly as before, and calls what was called.
pub(super) fn hold<'a>(old: (&Source<'_>, &Test), new: (&Source<'a>, &Test), given: &Given<'a>) -> bool {
    let (was, is) = (old.0.body(old.1), new.0.body(new.1));
    let above = above(new.0, new.1);
    let tables = tables(new.0.lang, given, &above, &is);
    let asserted = asserted(new.0.lang, &is, &tables);
    if asserted.tables.is_empty() {
        return false;
    }
    let kept: HashSet<String> = texts(new.0.lang, &is);
    let lost: Vec<&[Token<'_>]> = statements(old.0.lang, &was)
        .into_iter()
        .filter_map(|range| was.get(range))
        .filter(|s| !kept.contains(&text(s)))
        .collect();
    let demanded = |s: &[Token<'_>]| demands(old.0.lang, s);
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
    let now = calls(&is);
    // Go asks with `if` and fails with a message: what was asked stands before the assertion.
    let go = old.0.lang == Lang::Go;
    let asked: Vec<Token<'_>> = if go {
        was.clone()
    } else {
        lost.iter().flat_map(|s| s.iter().copied()).collect()
    };
    if calls(&asked)
        .iter()
        .any(|name| !now.contains(name) && *name != old.1.name)
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
        let message = go && token.sort == Sort::Text && token.text.contains('%');
        if message || (go && old.1.name == token.text) {
            continue;
        }
        match rows.get_mut(token.text).filter(|n| **n > 0) {
            Some(count) => {
                *count -= 1;
                found += 1;
            }
            None if constant.contains(token.text) => {}
            None => return false,
        }
    }
    found >= lost.len()
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
            if asked
                .iter()
                .any(|t| t.sort == Sort::Word && table.names.contains(t.text))
            {
                *used = true;
                any = true;
            }
        }
        if any {
            over.extend(body.get(range).unwrap_or_default());
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
        constant: body
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
    if marked {
        // The first word of each part: `a: u32` binds `a`.
        let open = body.iter().position(|t| t.is_sign("("));
        let names = open.map(|at| {
            let end = Brackets::of(body).close(at);
            body.get(at..end).unwrap_or_default()
        });
        out.push(Table {
            names: words(names.unwrap_or_default()),
            values: values(above, given),
        });
    }
    let brackets = Brackets::of(body);
    for (at, token) in body.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
        let found = match token.text {
            "for" | "foreach" => a_loop(lang, &brackets, body, at),
            "each" | "forEach" | "for_each" | "map" => called(&brackets, body, at),
            _ => None,
        };
        if let Some((names, over)) = found {
            let values = values(over, given);
            if !names.is_empty() && !values.is_empty() {
                out.push(Table { names, values });
            }
        }
    }
    out
}

type Found<'b, 'a> = (HashSet<&'a str>, &'b [Token<'a>]);

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
        (words(right), left)
    } else {
        (words(left), right)
    })
}

/// `[[1, 2]].forEach(([a, b]) => …)`, `rows.each do |a, b|`, `test.each([[1, 2]])('…', (a, b) => …)`.
fn called<'b, 'a>(brackets: &Brackets, body: &'b [Token<'a>], at: usize) -> Option<Found<'b, 'a>> {
    let dot = at
        .checked_sub(1)
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign(".") || t.is_sign("?.")))?;
    let behind = body.get(at + 1..)?;
    let begins = |t: &Token<'_>| t.is_sign("=>") || t.is_word("function") || t.is_word("do");
    let head = behind.iter().take(HEAD * 8).position(begins);
    // The runner's own: the table comes behind the name, the function's parameters behind the title.
    let runner = dot.checked_sub(1).and_then(|n| body.get(n));
    if runner.is_some_and(|t| matches!(t.text, "test" | "it" | "only" | "concurrent"))
        && body.get(at + 1)?.is_sign("(")
    {
        let table = brackets.close(at + 1);
        let title = body.get(table).filter(|t| t.is_sign("(")).map(|_| table)?;
        let names = body.get(title..(at + head? + 16).min(body.len()))?;
        return Some((words(names), body.get(at + 1..table)?));
    }
    let names = match head {
        Some(n) if behind.get(n).is_some_and(|t| t.is_sign("=>")) => behind.get(..n)?,
        Some(n) => behind.get(n..(n + 16).min(behind.len()))?,
        None => behind.get(..behind.len().min(16))?,
    };
    // What it goes over stands before the dot: a bracket, or a name.
    let begin = (0..dot).rev().take(HEAD * 8).find(|n| {
        brackets.close(*n) == dot && body.get(*n).is_some_and(|t| t.is_sign("[") || t.is_sign("("))
    });
    let over = match begin {
        Some(begin) => body.get(begin..dot)?,
        None => body.get(dot.checked_sub(1)?..dot)?,
    };
    Some((words(names), over))
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
        for token in tokens.iter().filter(|t| t.is_literal()) {
            out.push(token.text);
            // `"1, 2"` is a row of two.
            if token.sort == Sort::Text && token.text.contains([',', '|']) {
                out.extend(token.text.split([',', '|']).map(|v| v.trim().trim_matches('\'')));
            }
        }
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
fn above<'a>(source: &Source<'a>, test: &Test) -> Vec<Token<'a>> {
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
