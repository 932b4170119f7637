//! Assertions that are reached and come to nothing: beside a word that cuts them off, in another thread whose failure nobody
//! hears of, in a block whose failure is what is asked for.

use super::asserts::end_of;
use super::find::{Brackets, indented};
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::vacuous::fixed;
use std::ops::Range;

/// Whether the assertion in this range of a body is evaluated never, or where its failure is lost.
pub(super) fn is_idle(lang: Lang, body: &[Token<'_>], brackets: &Brackets, range: &Range<usize>) -> bool {
    is_cut_off(lang, body, range)
        || is_beside(lang, body, brackets, range.start)
        || is_not_awaited(lang, body, brackets, range)
}

/// Where the statement begins that holds a place, brackets around it included in the search only as far as they are open.
fn begin(lang: Lang, body: &[Token<'_>], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut from = at;
    while let Some(before) = from.checked_sub(1) {
        if depth == 0 && lang == Lang::Python && body.get(from).is_some_and(|t| t.first) {
            return from;
        }
        let Some(token) = body.get(before) else {
            return from;
        };
        if token.sort == Sort::Sign {
            match token.text {
                ")" | "]" | "}" if depth > 0 || !token.is_sign("}") => depth += 1,
                "(" | "[" if depth > 0 => depth -= 1,
                "(" | "[" | "{" | "}" | ";" | "=>" if depth == 0 => return from,
                _ => {}
            }
        }
        let ends = |t: &Token<'_>| {
            t.sort != Sort::Sign && !matches!(t.text, "return" | "await" | "go")
                || matches!(t.text, ")" | "]")
        };
        if depth == 0 && lang != Lang::Python && body.get(from).is_some_and(|t| t.first) && ends(token) {
            return from;
        }
        from = before;
    }
    from
}

/// The place of the first word of a chain that ends at a place: `self` of `self.assertEqual`.
fn owner(body: &[Token<'_>], at: usize) -> usize {
    let mut from = at;
    while let Some([name, dot]) = from.checked_sub(2).and_then(|n| body.get(n..from)) {
        if !(matches!(dot.text, "." | "::" | "->") && name.sort == Sort::Word) {
            break;
        }
        from -= 2;
    }
    from
}

/// `True or self.assertEqual(…)`, `false && expect(…)`, `… if False else None`, `null?.x(expect(…))`.
fn is_cut_off(lang: Lang, body: &[Token<'_>], range: &Range<usize>) -> bool {
    let from = owner(body, range.start);
    // Around it as well: what a call is given that is cut off itself.
    let mut at = from;
    for _ in 0..4 {
        let begins = begin(lang, body, at);
        let before = body.get(begins..at).unwrap_or_default();
        if let Some((last, left)) = before.split_last() {
            let cuts = match last.text {
                "or" | "||" => Some(true),
                "and" | "&&" => Some(false),
                _ => None,
            };
            if cuts.is_some_and(|cuts| last.sort != Sort::Text && fixed(lang, left, 0) == Some(cuts)) {
                return true;
            }
            if last.is_word("go") && lang == Lang::Go {
                return true;
            }
        }
        let nothing = before
            .first()
            .is_some_and(|t| matches!(t.text, "null" | "undefined"))
            && before.get(1).is_some_and(|t| t.is_sign("?."));
        if nothing {
            return true;
        }
        let Some(out) = begins.checked_sub(1).filter(|n| {
            body.get(*n)
                .is_some_and(|t| t.is_sign("(") && lang == Lang::Script)
        }) else {
            break;
        };
        at = out;
    }
    if lang != Lang::Python {
        return false;
    }
    let statement = body.get(range.clone()).unwrap_or_default();
    let within = Brackets::of(statement).within(statement);
    let place = |word: &str| {
        let mut found = statement.iter().enumerate();
        found
            .find(|(n, t)| t.is_word(word) && within.get(*n).copied().flatten().is_none())
            .map(|(n, _)| n)
    };
    // `assert a if c else b` asks for the value of the whole.
    let own = statement.first().is_some_and(|t| t.is_word("assert"));
    let (Some(asks), Some(other)) = (place("if"), place("else")) else {
        return false;
    };
    let asked = statement.get(asks + 1..other).unwrap_or_default();
    !own && fixed(lang, asked, 0) == Some(false)
}

/// In another thread, or after the test: `Thread(target=lambda: …).start()`, `setTimeout(() => expect(…))`,
/// `let _ = thread::spawn(|| assert!(…)).join()`; and a generator that nobody goes through.
fn is_beside(lang: Lang, body: &[Token<'_>], brackets: &Brackets, at: usize) -> bool {
    let opens = (0..at)
        .rev()
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign("(")) && brackets.close(*n) > at)
        .take(6);
    let any = |words: &[&str]| {
        body.iter()
            .any(|t| t.sort == Sort::Word && words.contains(&t.text))
    };
    for open in opens {
        let name = open.checked_sub(1).and_then(|n| body.get(n));
        let word = name.filter(|t| t.sort == Sort::Word).map_or("", |t| t.text);
        let begins = begin(lang, body, owner(body, open.saturating_sub(1)));
        let lead = |n: usize| body.get(begins + n).map_or("", |t| t.text);
        let last = brackets.close(open);
        let found = match (lang, word) {
            (Lang::Python, "Thread") => true,
            // `(check(x) for x in rows)` by itself.
            (Lang::Python, _) if body.get(open).is_some_and(|t| t.first) => {
                let inside = body.get(open + 1..last).unwrap_or_default();
                let alone = body.get(last).is_none_or(|t| t.first);
                alone && inside.iter().any(|t| t.is_word("for"))
            }
            (Lang::Script, "setTimeout" | "setImmediate" | "queueMicrotask" | "nextTick") => !any(&[
                "await",
                "done",
                "cb",
                "callback",
                "next",
                "resolve",
                "useFakeTimers",
                "advanceTimersByTime",
                "runAllTimers",
                "end",
                "return",
            ]),
            (Lang::Rust, "spawn") => {
                let dropped = lead(0) == "let" && lead(1) == "_";
                let bare = !matches!(lead(0), "let" | "return") && begins + 6 > open;
                let end = end_of(lang, body, brackets, open);
                let rest = body.get(last..end).unwrap_or_default();
                let heard = rest
                    .iter()
                    .any(|t| matches!(t.text, "unwrap" | "expect" | "?" | "await" | "push"));
                let ends = body.get(end).is_some_and(|t| t.is_sign(";"));
                (dropped || bare && ends) && !heard
            }
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// `expect(promise).resolves.toBe(1)` that nobody waits for, and `promise.then(() => expect(…))`.
fn is_not_awaited(lang: Lang, body: &[Token<'_>], brackets: &Brackets, range: &Range<usize>) -> bool {
    if lang != Lang::Script {
        return false;
    }
    let floats = |at: usize| {
        let begins = begin(lang, body, at);
        let first = body.get(begins);
        let before = begins.checked_sub(1).and_then(|n| body.get(n));
        let waited = first.is_some_and(|t| matches!(t.text, "return" | "await" | "yield" | "const" | "let"));
        let inner = body.get(begins..at).unwrap_or_default();
        let given = inner
            .iter()
            .any(|t| matches!(t.text, "=" | "await" | "return" | "void"));
        let statement = before.is_none_or(|t| matches!(t.text, ";" | "{" | "}"))
            || first.is_some_and(|t| t.first)
                && !before.is_some_and(|t| matches!(t.text, "(" | "[" | "," | "=>"));
        statement && !waited && !given
    };
    let statement = body.get(range.clone()).unwrap_or_default();
    let promise = statement.first().is_some_and(|t| t.is_word("expect"))
        && statement.windows(2).any(
            |w| matches!(w, [dot, word] if dot.is_sign(".") && matches!(word.text, "resolves" | "rejects")),
        );
    let waits = |words: &[&str]| {
        let mut found = body
            .iter()
            .enumerate()
            .filter(|(_, t)| t.sort == Sort::Word && words.contains(&t.text));
        found.any(|(n, _)| n == 0 || !body.get(n - 1).is_some_and(|t| t.is_sign(".")))
    };
    if promise {
        return floats(range.start);
    }
    let then = (0..range.start)
        .rev()
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign("(")) && brackets.close(*n) > range.start)
        .take(3)
        .find(|n| {
            n.checked_sub(1)
                .and_then(|n| body.get(n))
                .is_some_and(|t| t.is_word("then"))
        });
    let heard = [
        "await", "return", "done", "cb", "callback", "next", "resolve", "end", "t",
    ];
    then.is_some_and(|open| floats(open) && !waits(&heard))
}

/// Python: blocks that ask for a failure of any kind, so that an assertion in them holds only where it fails:
/// `with self.assertRaises(Exception):`. Each with the place of the word that asks.
pub(super) fn asks_for_any_failure(lang: Lang, body: &[Token<'_>]) -> Vec<(usize, Range<usize>)> {
    let mut out = Vec::new();
    if lang != Lang::Python {
        return out;
    }
    let brackets = Brackets::of(body);
    for (at, token) in body.iter().enumerate() {
        let asks = matches!(token.text, "raises" | "assertRaises") && token.sort == Sort::Word;
        let open = at + 1;
        if !asks || !body.get(open).is_some_and(|t| t.is_sign("(")) {
            continue;
        }
        let close = brackets.close(open);
        let given = body.get(open + 1..close.saturating_sub(1)).unwrap_or_default();
        let broad = given
            .iter()
            .any(|t| matches!(t.text, "Exception" | "BaseException" | "AssertionError"));
        let line = (0..=at).rev().find(|n| body.get(*n).is_some_and(|t| t.first));
        let (Some(line), true) = (line, broad) else {
            continue;
        };
        let with = body.get(line..at).unwrap_or_default();
        if !with.iter().any(|t| t.is_word("with")) {
            continue;
        }
        let rest = body.get(close..).unwrap_or_default();
        let Some(colon) = rest.iter().take(12).position(|t| t.is_sign(":")) else {
            continue;
        };
        let from = close + colon + 1;
        let column = body.get(line).map_or(0, |t| t.column);
        let inline = !body.get(from).is_some_and(|t| t.first);
        let end = if inline {
            end_of(lang, body, &brackets, from)
        } else {
            indented(body, from, column, lang)
        };
        out.push((at, from..end));
    }
    out
}
