//! Python: names that are bound again, so that what stood under them is there no more.

use super::indented;
use crate::tamper::lang::Lang;
use crate::tamper::lex::{Sort, Token};
use std::collections::HashMap;
use std::ops::Range;

/// A block, by the place of the line that begins it; `None` is the left edge.
type Scope = Option<usize>;

/// A line that begins a block, while that is open.
struct Line {
    at: usize,
    column: u32,
}

/// The definitions of tests, and of classes, whose name is bound again behind them in the same block.
pub(super) fn replaced(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut nesting = 0_usize;
    // The last definition of a name, and of a class, in each block.
    let mut known: HashMap<(Scope, &str), Range<usize>> = HashMap::new();
    let mut marks: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.sort == Sort::Comment {
            continue;
        }
        let begins = token.first && nesting == 0;
        if token.sort == Sort::Sign {
            match token.text {
                "(" | "[" | "{" => nesting += 1,
                ")" | "]" | "}" => nesting = nesting.saturating_sub(1),
                _ => {}
            }
        }
        if !begins {
            continue;
        }
        while lines.last().is_some_and(|line| line.column >= token.column) {
            lines.pop();
        }
        let scope: Scope = lines.last().map(|line| line.at);
        lines.push(Line {
            at,
            column: token.column,
        });
        if token.is_sign("@") {
            marks = marks.or(Some(at));
            continue;
        }
        let from = marks.take().unwrap_or(at);
        let Some((owner, name, define)) = bound(tokens, at) else {
            continue;
        };
        // `T.test_b = …` is about the block of the class.
        let scope = match owner {
            Some(owner) => match known.get(&(scope, owner)) {
                Some(class) => Some(class.start),
                None => continue,
            },
            None => scope,
        };
        let end = if define {
            indented(tokens, at + 1, token.column, Lang::Python)
        } else {
            let rest = tokens.get(at + 1..).unwrap_or_default();
            rest.iter()
                .position(|t| t.first && t.column <= token.column)
                .map_or(tokens.len(), |n| at + 1 + n)
        };
        // `test_b = slow(test_b)`, `@test_b.also`
        let built_on = || {
            let value = if define { from..at } else { at + 1..end };
            let mut names = tokens
                .get(value)
                .unwrap_or_default()
                .iter()
                .filter(|t| t.is_word(name));
            let own = usize::from(!define && !tokens.get(at).is_some_and(|t| t.is_word(name)));
            names.nth(own).is_some()
        };
        if !define && built_on() {
            continue;
        }
        if let Some(before) = known.remove(&(scope, name)).filter(|_| !built_on()) {
            out.push(before);
        }
        if define {
            known.insert((scope, name), at..end);
        }
    }
    out
}

/// What the statement at `at` binds anew or takes away: whose part it is, its name, and whether it is a definition of a test
/// or a class.
fn bound<'a>(tokens: &[Token<'a>], at: usize) -> Option<(Option<&'a str>, &'a str, bool)> {
    let word = |n: usize| tokens.get(n).filter(|t| t.sort == Sort::Word).map(|t| t.text);
    let sign = |n: usize, sign: &str| tokens.get(n).is_some_and(|t| t.is_sign(sign));
    let first = word(at)?;
    match first {
        "async" => Some((None, word(at + 2).filter(|name| name.starts_with("test"))?, true)),
        "def" => Some((None, word(at + 1).filter(|name| name.starts_with("test"))?, true)),
        "class" => Some((None, word(at + 1)?, true)),
        "del" if sign(at + 2, ".") => Some((Some(word(at + 1)?), word(at + 3)?, false)),
        "del" => Some((None, word(at + 1)?, false)),
        "setattr" | "delattr" if sign(at + 1, "(") && sign(at + 3, ",") => {
            let name = tokens.get(at + 4).filter(|t| t.sort == Sort::Text)?;
            Some((Some(word(at + 2)?), name.text, false))
        }
        _ if sign(at + 1, "=") => Some((None, first, false)),
        _ if sign(at + 1, ".") && sign(at + 3, "=") => Some((Some(first), word(at + 2)?, false)),
        _ => None,
    }
}
