//! What an assertion compares: its two sides, and whether they are the same.

use super::exact::is_exact_word;
use super::find::Brackets;
use super::lang::Lang;
use super::lex::{Sort, Token};
use std::ops::Range;

/// Most definitions before an assertion that are looked at, and most rounds in which names are replaced by what they stand for.
const ROUNDS: usize = 4;

/// Most tokens of such a definition.
const LONG: usize = 400;

/// How an assertion compares something with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Same {
    /// It always holds: `assert x == x`.
    Always,
    /// It holds for whatever a call answers, as long as it answers twice the same: `assert f(x) == f(x)`.
    Answer,
}

/// Whether the assertion in this range of a body has the same on both sides; what names stand for that are given a value
/// directly before it is looked at, too.
pub(super) fn same(lang: Lang, body: &[Token<'_>], range: Range<usize>) -> Option<Same> {
    let start = range.start;
    let statement = body.get(range)?;
    let (left, right) = compared(lang, statement).or_else(|| asked(lang, body, start))?;
    let (mut left, mut right) = (left.to_vec(), right.to_vec());
    if texts(&left) == texts(&right) {
        let calls = left.iter().any(|t| t.is_sign("("));
        return Some(if calls { Same::Answer } else { Same::Always });
    }
    let given = given_before(lang, body, start);
    for _ in 0..ROUNDS {
        left = replaced(&left, &given);
        right = replaced(&right, &given);
    }
    let calls = left.iter().any(|t| t.is_sign("("));
    (calls && texts(&left) == texts(&right)).then_some(Same::Answer)
}

/// Whether an assertion compares what a condition compares already.
pub(super) fn repeats(lang: Lang, statement: &[Token<'_>], condition: &[Token<'_>]) -> bool {
    let Some((left, right)) = compared(lang, statement) else {
        return false;
    };
    let Some((a, b)) = equals(bare(condition)) else {
        return false;
    };
    let (left, right, a, b) = (texts(left), texts(right), texts(a), texts(b));
    left == a && right == b || left == b && right == a
}

type Pair<'b, 'a> = (&'b [Token<'a>], &'b [Token<'a>]);

fn texts<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    tokens.iter().map(|t| t.text).collect()
}

/// The two sides of an assertion that something is equal; `None` where it asks for something else.
pub(super) fn compared<'b, 'a>(lang: Lang, statement: &'b [Token<'a>]) -> Option<Pair<'b, 'a>> {
    let brackets = Brackets::of(statement);
    // `assert!(…)`, `assert (…)`, `assert …`
    let behind = if statement.get(1)?.is_sign("!") { 2 } else { 1 };
    let whole = statement.get(behind).is_some_and(|t| t.is_sign("("))
        && brackets.close(behind) + 1 >= statement.len();
    let inside = if whole {
        let end = brackets.close(behind).saturating_sub(1);
        statement.get(behind + 1..end)?
    } else {
        statement.get(behind..)?
    };
    let negated = statement.first().is_some_and(|t| is_negated(t.text));
    if let Some(found) = parts(inside)
        .first()
        .and_then(|first| equals(first))
        .filter(|_| !negated)
    {
        return Some(found);
    }
    // Groups that stand in no other one, each with the word before it.
    let mut groups: Vec<(&str, &'b [Token<'a>])> = Vec::new();
    let mut at = 0;
    let own = is_told_exactly(lang, statement);
    let mut exact = own;
    while let Some(token) = statement.get(at) {
        if token.sort == Sort::Sign && matches!(token.text, "(" | "[" | "{") {
            let close = brackets.close(at);
            let word = at.checked_sub(1).and_then(|n| statement.get(n));
            let word = word
                .filter(|t| !t.is_sign("!"))
                .or_else(|| statement.get(at.checked_sub(2)?));
            groups.push((
                word.map_or("", |t| t.text),
                statement.get(at + 1..close.saturating_sub(1)).unwrap_or_default(),
            ));
            at = close;
            continue;
        }
        if token.sort == Sort::Word {
            if is_negated(token.text) {
                return None;
            }
            exact |= is_exact_word(token.text);
        }
        at += 1;
    }
    let (word, last) = groups.last().filter(|_| exact)?;
    if let [(_, first), _] = groups.as_slice() {
        // `expect(a === b).toBe(true)`
        let is_true = matches!(last, [yes] if matches!(yes.text, "true" | "True"));
        return equals(first).filter(|_| is_true).or(Some((first, last)));
    }
    let mut given = parts(last).into_iter();
    let by_dot = statement.get(1).is_some_and(|t| t.is_sign("."));
    let alone = || matches!(statement, [_, open, t, comma, ..] if open.is_sign("(") && t.text == "t" && comma.is_sign(","));
    if lang == Lang::Go && (by_dot || alone()) {
        let _who_fails = given.next();
    }
    let (left, right) = (given.next()?, given.next()?);
    (own || is_exact_word(word)).then_some((left, right))
}

/// AVA's and tap's words for "is equal", which are other words elsewhere: `t.is(a, b)`.
pub(super) fn is_told_exactly(lang: Lang, statement: &[Token<'_>]) -> bool {
    lang == Lang::Script
        && matches!(statement, [word, open, ..]
            if matches!(word.text, "is" | "same" | "strictSame") && open.is_sign("("))
}

/// Go: `if a != b { t.Error(…) }` asserts that they are the same. `start` is where the call stands that fails.
fn asked<'b, 'a>(lang: Lang, body: &'b [Token<'a>], start: usize) -> Option<Pair<'b, 'a>> {
    if lang != Lang::Go {
        return None;
    }
    let open = start
        .checked_sub(3)
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign("{")))?;
    let from = body.get(..open)?.iter().rposition(|t| t.is_word("if"))? + 1;
    let head = body.get(from..open)?;
    // `if got := f(); got != 1`
    let from = head.iter().rposition(|t| t.is_sign(";")).map_or(0, |n| n + 1);
    split(head.get(from..)?, &["!="])
}

/// Whether a word says that things are to differ.
pub(super) fn is_negated(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "not"
            | "ne"
            | "assert_ne"
            | "debug_assert_ne"
            | "isnt"
            | "differs"
            | "not_to"
            | "to_not"
            | "should_not"
    ) || lower.contains("notequal")
        || lower.contains("not_equal")
        || lower.contains("notstrict")
        || lower.contains("notdeep")
        || lower.contains("notsame")
        || lower.starts_with("refute")
        || lower.starts_with("wont_")
}

/// The two sides of an expression that is `a == b` and nothing more.
fn equals<'b, 'a>(expression: &'b [Token<'a>]) -> Option<Pair<'b, 'a>> {
    split(expression, &["==", "==="])
}

/// The two sides of one of these signs, where it joins the whole and no other word does.
pub(super) fn split<'b, 'a>(expression: &'b [Token<'a>], signs: &[&str]) -> Option<Pair<'b, 'a>> {
    let brackets = Brackets::of(expression);
    let (mut at, mut found) = (0, None);
    while let Some(token) = expression.get(at) {
        match token.text {
            "(" | "[" | "{" if token.sort == Sort::Sign => {
                at = brackets.close(at);
                continue;
            }
            "and" | "or" | "not" | "is" | "in" | "if" if token.sort == Sort::Word => return None,
            "&&" | "||" | "!" | "?" if token.sort == Sort::Sign => return None,
            text if token.sort == Sort::Sign && signs.contains(&text) => {
                if found.is_some() {
                    return None;
                }
                found = Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    let at = found?;
    let (left, right) = (expression.get(..at)?, expression.get(at + 1..)?);
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

/// Without brackets around the whole.
fn bare<'b, 'a>(tokens: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let around =
        tokens.first().is_some_and(|t| t.is_sign("(")) && Brackets::of(tokens).close(0) == tokens.len();
    let inside = tokens.get(1..tokens.len().saturating_sub(1));
    inside.filter(|_| around && tokens.len() > 1).unwrap_or(tokens)
}

/// What stands between commas.
pub(super) fn parts<'b, 'a>(tokens: &'b [Token<'a>]) -> Vec<&'b [Token<'a>]> {
    let brackets = Brackets::of(tokens);
    let (mut at, mut from) = (0, 0);
    let mut out = Vec::new();
    while let Some(token) = tokens.get(at) {
        if token.is_sign(",") {
            out.push(tokens.get(from..at).unwrap_or_default());
            from = at + 1;
        }
        let opens = token.sort == Sort::Sign && matches!(token.text, "(" | "[" | "{");
        at = if opens { brackets.close(at) } else { at + 1 };
    }
    out.push(tokens.get(from..).unwrap_or_default());
    out
}

/// A name and what it is given.
type Given<'b, 'a> = (&'a str, &'b [Token<'a>]);

/// The names that are given a value directly before a place, with nothing else between.
fn given_before<'b, 'a>(lang: Lang, body: &'b [Token<'a>], start: usize) -> Vec<Given<'b, 'a>> {
    let mut out = Vec::new();
    let mut end = start;
    // `self.assertEqual`, `if got := …; got != want { t.Error`
    while end >= 2 && body.get(end - 1).is_some_and(|t| t.is_sign(".")) {
        end -= 2;
    }
    if lang == Lang::Go && body.get(end.saturating_sub(1)).is_some_and(|t| t.is_sign("{")) {
        let before = body.get(..end - 1).unwrap_or_default();
        let from = before.iter().rposition(|t| t.is_word("if") || t.is_sign(";"));
        end = from.map_or(end, |n| {
            n + usize::from(body.get(n).is_some_and(|t| t.is_sign(";")))
        });
    }
    for _ in 0..ROUNDS {
        let Some((from, given)) = last_statement(body, end).and_then(|range| {
            let statement = body.get(range.clone())?;
            Some((range.start, gives(statement)?))
        }) else {
            break;
        };
        out.push(given);
        end = from;
    }
    out
}

/// The statement that ends before a place.
fn last_statement(body: &[Token<'_>], end: usize) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    let mut at = end.checked_sub(1)?;
    let last = if body.get(at)?.is_sign(";") { at } else { end };
    if last == at {
        at = at.checked_sub(1)?;
    }
    let least = end.saturating_sub(LONG);
    loop {
        let token = body.get(at).filter(|_| at >= least)?;
        if token.sort == Sort::Sign {
            match token.text {
                ")" | "]" | "}" => depth += 1,
                ";" | "{" | "(" | "[" if depth == 0 => return Some(at + 1..last),
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
        }
        if depth == 0 && (token.first || token.is_word("if")) {
            return Some(at + usize::from(token.is_word("if"))..last);
        }
        at = at.checked_sub(1)?;
    }
}

/// `name = value`, `const name = value`, `let name: T = value`, `name := value`.
fn gives<'b, 'a>(statement: &'b [Token<'a>]) -> Option<Given<'b, 'a>> {
    let declares = |t: &&Token<'_>| matches!(t.text, "let" | "const" | "var" | "mut" | "val" | "auto");
    let lead = statement.iter().take_while(declares).count();
    let name = statement.get(lead).filter(|t| t.sort == Sort::Word)?;
    let behind = statement.get(lead + 1)?;
    let sets = if behind.is_sign("=") {
        lead + 1
    } else if behind.is_sign(":") {
        let rest = statement.get(lead + 2..)?;
        lead + 2 + rest.iter().take(8).position(|t| t.is_sign("="))?
    } else {
        return None;
    };
    let value = statement.get(sets + 1..)?;
    (!value.is_empty()).then_some((name.text, value))
}

/// With names replaced by what they were given.
fn replaced<'a>(tokens: &[Token<'a>], given: &[Given<'_, 'a>]) -> Vec<Token<'a>> {
    let mut out = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let owned = at > 0
            && tokens
                .get(at - 1)
                .is_some_and(|t| matches!(t.text, "." | "::" | "->"));
        let value = given
            .iter()
            .find(|(name, _)| token.is_word(name) && !owned)
            .filter(|(name, value)| !value.iter().any(|t| t.is_word(name)));
        match value {
            Some((_, value)) if out.len() + value.len() < 400 => out.extend_from_slice(value),
            _ => out.push(*token),
        }
    }
    out
}
