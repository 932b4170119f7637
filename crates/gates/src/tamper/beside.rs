//! Which value stands beside which: the rows of a table, and whether each assertion that it replaced is one of them.

use super::find::Brackets;
use super::lex::{Sort, Token};
use std::collections::HashMap;

/// Most comparisons of an assertion with a row; beyond that nothing is said.
const MOST: usize = 250_000;

/// A value as it is compared, and the parts of a text that is a row by itself: `"1, 2"`.
pub(super) fn parts<'a>(token: &Token<'a>) -> Vec<&'a str> {
    let mut out = vec![token.text];
    if token.sort == Sort::Text && token.text.contains([',', '|']) {
        out.extend(token.text.split([',', '|']).map(|v| v.trim().trim_matches('\'')));
    }
    out
}

/// The rows of a table: the parts of that list in it which has most parts with several values, or its marks one by one.
/// Empty where no rows can be told, as in columns that a loop goes over together.
pub(super) fn rows<'a>(table: &[Token<'a>]) -> Vec<Vec<&'a str>> {
    if table.iter().any(|t| t.is_word("zip")) {
        return Vec::new();
    }
    let brackets = Brackets::of(table);
    let opens = |at: usize| {
        table
            .get(at)
            .is_some_and(|t| t.sort == Sort::Sign && matches!(t.text, "(" | "[" | "{"))
    };
    let mut best: Vec<Vec<&str>> = Vec::new();
    let full = |rows: &[Vec<&str>]| rows.iter().filter(|row| row.len() > 1).count();
    let mut better = |rows: Vec<Vec<&'a str>>| {
        if full(&rows) > full(&best).max(1) {
            best = rows;
        }
    };
    // The whole, whose parts are its brackets; and each bracket, whose parts stand between commas.
    let mut marks: Vec<Vec<&str>> = Vec::new();
    let mut at = 0;
    while at < table.len() {
        let end = if opens(at) { brackets.close(at) } else { at + 1 };
        if opens(at) {
            marks.push(values(table.get(at..end).unwrap_or_default()));
        }
        at = end;
    }
    better(marks);
    for open in (0..table.len()).filter(|at| opens(*at)) {
        let close = brackets.close(open).saturating_sub(1);
        let mut parts: Vec<Vec<&str>> = Vec::new();
        let (mut at, mut from) = (open + 1, open + 1);
        while at < close {
            let comma = table.get(at).is_some_and(|t| t.is_sign(","));
            if comma {
                parts.push(values(table.get(from..at).unwrap_or_default()));
                from = at + 1;
            }
            at = if opens(at) { brackets.close(at) } else { at + 1 };
        }
        parts.push(values(table.get(from..close).unwrap_or_default()));
        better(parts);
    }
    best
}

fn values<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    tokens.iter().filter(|t| t.is_literal()).flat_map(parts).collect()
}

/// Whether the values of each assertion stand together in a row of their own.
pub(super) fn are_rows(asserted: &[Vec<&str>], rows: &[Vec<&str>]) -> bool {
    let asserted: Vec<&Vec<&str>> = asserted.iter().filter(|values| values.len() > 1).collect();
    if rows.is_empty() || asserted.len().saturating_mul(rows.len()) > MOST {
        return true;
    }
    let fits: Vec<Vec<usize>> = asserted
        .iter()
        .map(|values| {
            (0..rows.len())
                .filter(|row| rows.get(*row).is_some_and(|row| holds(row, values)))
                .collect()
        })
        .collect();
    // A row for each: who finds none takes one whose owner can take another.
    let mut owner: HashMap<usize, usize> = HashMap::new();
    (0..asserted.len()).all(|who| place(who, &fits, &mut owner, &mut vec![false; rows.len()]))
}

fn place(who: usize, fits: &[Vec<usize>], owner: &mut HashMap<usize, usize>, tried: &mut [bool]) -> bool {
    for row in fits.get(who).into_iter().flatten() {
        match tried.get_mut(*row) {
            Some(tried) if !*tried => *tried = true,
            _ => continue,
        }
        let free = match owner.get(row).copied() {
            Some(other) => place(other, fits, owner, tried),
            None => true,
        };
        if free {
            owner.insert(*row, who);
            return true;
        }
    }
    false
}

fn holds(row: &[&str], values: &[&str]) -> bool {
    let count = |list: &[&str], value: &str| list.iter().filter(|v| **v == value).count();
    values
        .iter()
        .all(|value| count(row, value) >= count(values, value))
}
