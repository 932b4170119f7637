//! Tables of the product: which value stands for which.

use super::answers::{Answers, Code, Copied};
use super::find::Brackets;
use super::lang::Lang;
use super::lex::{Sort, Token};
use std::collections::HashMap;

/// How far behind its key the value of an entry begins: `Some(961)`, `Decimal("9.61")`.
const DEEP: usize = 6;

/// Methods that put a value under a key.
const PUTS: [&str; 8] = [
    "insert",
    "set",
    "put",
    "Add",
    "store",
    "TryAdd",
    "setdefault",
    "putIfAbsent",
];

/// Reads the tables of a file.
pub(super) fn read<'a>(code: &Code<'_, 'a>, out: &mut Answers<'a>) {
    for open in (0..code.tokens.len()).filter(|at| opens(code.tokens.get(*at))) {
        let close = code.brackets.close(open).saturating_sub(1);
        bracket(code, open..close, out);
    }
    one_by_one(code, out);
}

/// Functions that make a table of the pairs that they are given.
const MAKES: [&str; 6] = ["ofEntries", "mapOf", "mutableMapOf", "hashMapOf", "dict", "of"];

/// Whether the bracket holds what a function is called with.
pub(super) fn is_call(tokens: &[Token<'_>], open: usize) -> bool {
    let before = open.checked_sub(1).and_then(|n| tokens.get(n));
    tokens.get(open).is_some_and(|t| t.is_sign("("))
        && before.is_some_and(|t| t.sort == Sort::Word && !matches!(t.text, "in" | "of" | "return"))
}

/// Whether a token opens a bracket.
pub(super) fn opens(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|t| t.sort == Sort::Sign && matches!(t.text, "(" | "[" | "{"))
}

/// One bracket as a table: its parts between commas.
fn bracket<'a>(code: &Code<'_, 'a>, within: std::ops::Range<usize>, out: &mut Answers<'a>) {
    let (lang, tokens, brackets) = (code.lang, code.tokens, code.brackets);
    let kind = tokens.get(within.start).map_or("", |t| t.text);
    let before = within.start.checked_sub(1).and_then(|n| tokens.get(n));
    let makes = before.is_some_and(|t| MAKES.contains(&t.text));
    let mut table = Table::default();
    // Pairs in brackets of their own are a table where there is nothing else.
    let mut loose = Table::default();
    let mut values: Vec<Token<'a>> = Vec::new();
    let mut others = 0;
    let mut from = within.start + 1;
    while from < within.end {
        let end = part_end(tokens, brackets, from, within.end);
        let part = tokens.get(from..end).unwrap_or_default();
        if let Some((key, value)) = entry(lang, kind, tokens, brackets, from..end) {
            table.add(key, value);
        } else if let Some((key, value)) = pair(tokens, brackets, from..end) {
            loose.add(Some(key), Some(value));
        } else {
            match part {
                [value] if value.is_literal() => values.push(*value),
                [] => {}
                _ => others += 1,
            }
        }
        from = end + 1;
    }
    let alone = others == 0 && values.is_empty() && table.entries == 0;
    // `Map.of(12, 144, 31, 961)`
    if makes && others == 0 && loose.entries == 0 && values.len().is_multiple_of(2) {
        for pair in values.chunks_exact(2) {
            table.add(pair.first().copied(), pair.get(1).copied());
        }
    }
    if alone && loose.entries > 1 && (makes || !is_call(tokens, within.start)) {
        loose.push(code, out);
    }
    table.push(code, out);
}

/// A table while it is read.
#[derive(Default)]
struct Table<'a> {
    entries: usize,
    pairs: Vec<(Token<'a>, Token<'a>)>,
}

impl<'a> Table<'a> {
    fn add(&mut self, key: Option<Token<'a>>, value: Option<Token<'a>>) {
        self.entries += 1;
        self.pairs.extend(key.zip(value));
    }

    fn push(self, code: &Code<'_, 'a>, out: &mut Answers<'a>) {
        if self.pairs.is_empty() {
            return;
        }
        let table = out.entries.len();
        out.entries.push(self.entries);
        let pairs = self.pairs.into_iter().map(|(key, answer)| Copied {
            asked: code.value(&key),
            answer: code.value(&answer),
            line: key.line,
            table: Some(table),
        });
        let asks = |c: &Copied<'a>| c.asked != c.answer && !c.asked.is_empty();
        out.found.extend(pairs.filter(asks));
    }
}

/// The end of the part that begins at `from`: the next comma, or the end of the bracket.
fn part_end(tokens: &[Token<'_>], brackets: &Brackets, from: usize, close: usize) -> usize {
    let mut at = from;
    while at < close {
        let Some(token) = tokens.get(at) else { break };
        if token.is_sign(",") {
            return at;
        }
        at = if opens(Some(token)) {
            brackets.close(at)
        } else {
            at + 1
        };
    }
    close
}

/// A part of a bracket as an entry of a table.
fn entry<'a>(
    lang: Lang,
    kind: &str,
    tokens: &[Token<'a>],
    brackets: &Brackets,
    part: std::ops::Range<usize>,
) -> Option<(Option<Token<'a>>, Option<Token<'a>>)> {
    let first = tokens.get(part.start)?;
    let computed = first.is_sign("[") && kind == "{";
    // The key, and the place behind it.
    let (key, behind) = if computed {
        let close = brackets.close(part.start);
        let key = tokens.get(part.start + 1).filter(|_| close == part.start + 3);
        (key, close)
    } else {
        (Some(first), part.start + 1)
    };
    let sets = tokens.get(behind).filter(|_| behind < part.end);
    let sets = sets.is_some_and(|t| match t.text {
        ":" => kind == "{" && matches!(lang, Lang::Python | Lang::Script | Lang::Go | Lang::Ruby),
        "=>" => match lang {
            Lang::Ruby => true,
            Lang::Php => kind != "{",
            _ => false,
        },
        "to" => lang == Lang::Kotlin,
        "=" => computed && lang == Lang::CSharp,
        _ => false,
    });
    let worth = |t: &&Token<'a>| t.is_literal() || lang == Lang::Script && t.sort == Sort::Word && !computed;
    sets.then(|| {
        let value = value(tokens, behind + 1..part.end);
        (key.filter(worth).copied(), value)
    })
}

/// A part of a bracket that is a pair in a bracket of its own: `(12, 144)`, `Map.entry(12, 144)`.
fn pair<'a>(
    tokens: &[Token<'a>],
    brackets: &Brackets,
    part: std::ops::Range<usize>,
) -> Option<(Token<'a>, Token<'a>)> {
    let last = part.end.checked_sub(1)?;
    let open = (part.start..last)
        .take(DEEP)
        .find(|at| opens(tokens.get(*at)))
        .filter(|open| brackets.close(*open) == part.end)?;
    let key = tokens.get(open + 1).filter(|t| t.is_literal())?;
    if !tokens.get(open + 2)?.is_sign(",") {
        return None;
    }
    let end = part_end(tokens, brackets, open + 3, last);
    let value = value(tokens, open + 3..end)?;
    // Nothing but a comma may follow.
    (end >= last || end + 1 == last).then_some((*key, value))
}

/// The value that an expression is, or is made of.
fn value<'a>(tokens: &[Token<'a>], range: std::ops::Range<usize>) -> Option<Token<'a>> {
    tokens
        .get(range)?
        .iter()
        .take(DEEP)
        .find(|t| t.is_literal())
        .copied()
}

/// Entries that are put in one by one: `TABLE[31] = 961`, `table.insert(31, 961)`. One table for each name.
fn one_by_one<'a>(code: &Code<'_, 'a>, out: &mut Answers<'a>) {
    let (tokens, brackets) = (code.tokens, code.brackets);
    let mut named: HashMap<&'a str, Table<'a>> = HashMap::new();
    let mut order: Vec<&'a str> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
        let next = tokens.get(at + 1);
        let found = if next.is_some_and(|t| t.is_sign("[")) {
            let close = brackets.close(at + 1);
            let sets = close == at + 4 && tokens.get(close).is_some_and(|t| t.is_sign("="));
            let end = tokens.get(close + 1..).unwrap_or_default();
            let end = end
                .iter()
                .take(DEEP)
                .position(|t| t.first || matches!(t.text, ";" | ","))
                .map_or(close + 1 + DEEP, |n| close + 1 + n);
            sets.then(|| {
                (
                    tokens.get(at + 2),
                    value(tokens, close + 1..end.min(tokens.len())),
                )
            })
        } else if next.is_some_and(|t| t.is_sign("."))
            && tokens.get(at + 2).is_some_and(|t| PUTS.contains(&t.text))
            && tokens.get(at + 3).is_some_and(|t| t.is_sign("("))
            && tokens.get(at + 5).is_some_and(|t| t.is_sign(","))
        {
            let close = brackets.close(at + 3).saturating_sub(1);
            Some((tokens.get(at + 4), value(tokens, at + 6..close)))
        } else {
            None
        };
        let Some((Some(key), Some(value))) = found else {
            continue;
        };
        if key.is_literal() {
            let table = named.entry(token.text).or_insert_with(|| {
                order.push(token.text);
                Table::default()
            });
            table.add(Some(*key), Some(value));
        }
    }
    for name in order {
        if let Some(table) = named.remove(name) {
            table.push(code, out);
        }
    }
}
