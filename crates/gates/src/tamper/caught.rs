//! Failures that a test catches, and what becomes of them.

use super::asserts::asserts;
use super::find::{Brackets, indented};
use super::lang::Lang;
use super::lex::{Sort, Token};

/// Places where what a test throws is caught and nothing is made of it.
pub(super) fn swallows(lang: Lang, body: &[Token<'_>]) -> usize {
    let mut count = 0;
    let brackets = Brackets::of(body);
    for (at, token) in body.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
        let empty_block = |from: usize| {
            let open = body
                .get(from..)
                .and_then(|rest| rest.iter().take(24).position(|t| t.is_sign("{")));
            open.is_some_and(|n| brackets.close(from + n) == from + n + 2)
        };
        let swallowed = match (lang, token.text) {
            (Lang::Python, "except") => {
                let colon = body
                    .get(at..)
                    .and_then(|rest| rest.iter().take(24).position(|t| t.is_sign(":")));
                let first = colon.and_then(|n| body.get(at + n + 1));
                first.is_some_and(|t| matches!(t.text, "pass" | "return" | "continue" | "."))
                    || colon.is_some_and(|n| is_only_told(lang, body, at, at + n + 1))
            }
            (Lang::Python, "finally") => leaves_at_last(lang, body, at),
            (Lang::Python, "suppress") => true,
            (Lang::Ruby, "rescue") => {
                let next = body.get(at + 1..).and_then(|rest| rest.iter().find(|t| t.first));
                next.is_some_and(|t| matches!(t.text, "end" | "nil" | "true"))
                    || body.get(at + 1).is_some_and(|t| matches!(t.text, "nil" | "true"))
            }
            (Lang::Rust, "catch_unwind") => true,
            (Lang::Go, "recover") => {
                let called = body.get(at + 1).is_some_and(|t| t.is_sign("("));
                called && !is_asked_for(lang, body, &brackets, at)
            }
            (Lang::Script | Lang::Java | Lang::Kotlin | Lang::CSharp | Lang::Php, "finally")
                if body.get(at + 1).is_some_and(|t| t.is_sign("{")) =>
            {
                leaves_at_last(lang, body, at)
            }
            (Lang::Script, "catch") if is_told_of_only(lang, body, &brackets, at) => true,
            (_, "catch") => {
                let by_promise = at > 0 && body.get(at - 1).is_some_and(|t| t.is_sign("."));
                let arrow_empty = by_promise
                    && body
                        .get(at..brackets.close(at + 1))
                        .unwrap_or_default()
                        .windows(2)
                        .any(|w| matches!(w, [a, b] if a.is_sign("{") && b.is_sign("}")));
                arrow_empty || (!by_promise && empty_block(at) && !is_expected(lang, body, &brackets, at))
            }
            _ => false,
        };
        count += usize::from(swallowed);
    }
    count
}

/// Words by which a failure is only told, or left alone.
const TELLS: [&str; 14] = [
    "print",
    "pprint",
    "logging",
    "logger",
    "log",
    "console",
    "warnings",
    "traceback",
    "sys",
    "pass",
    "return",
    "continue",
    "break",
    ".",
];

/// Python: whether a handler that begins at `from` takes any failure of an assertion before it and only tells of it.
fn is_only_told(lang: Lang, body: &[Token<'_>], at: usize, from: usize) -> bool {
    let head = body.get(at + 1..from.saturating_sub(1)).unwrap_or_default();
    let types = head.iter().take_while(|t| !t.is_word("as"));
    let mut types = types.filter(|t| t.sort == Sort::Word).peekable();
    let broad = types.peek().is_none()
        || types.any(|t| matches!(t.text, "Exception" | "BaseException" | "AssertionError"));
    let Some(column) = body.get(at).filter(|t| t.first).map(|t| t.column) else {
        return false;
    };
    let inline = !body.get(from).is_some_and(|t| t.first);
    let end = if inline {
        let rest = body.get(from..).unwrap_or_default();
        rest.iter().position(|t| t.first).map_or(body.len(), |n| from + n)
    } else {
        indented(body, from, column, lang)
    };
    let handler = body.get(from..end).unwrap_or_default();
    let mut lines = handler.iter().enumerate().filter(|(n, t)| *n == 0 || t.first);
    let quiet = lines.all(|(_, t)| TELLS.contains(&t.text)) && !handler.iter().any(|t| is_a_way_out(t.text));
    let tried = (0..at).rev().find(|n| {
        body.get(*n)
            .is_some_and(|t| t.first && t.column == column && t.is_word("try"))
    });
    broad && quiet && tried.is_some_and(|tried| has_assertion(lang, body, tried..at))
}

/// What makes something of a failure.
fn is_a_way_out(word: &str) -> bool {
    matches!(
        word,
        "raise" | "throw" | "fail" | "exit" | "skip" | "reject" | "done" | "next"
    )
}

fn has_assertion(lang: Lang, body: &[Token<'_>], mut range: std::ops::Range<usize>) -> bool {
    range.any(|n| body.get(n).is_some_and(|t| asserts(lang, body, n, t)))
}

/// JavaScript: `try { expect(…) } catch (e) { console.log(e) }`.
fn is_told_of_only(lang: Lang, body: &[Token<'_>], brackets: &Brackets, at: usize) -> bool {
    let closes = at
        .checked_sub(1)
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign("}")));
    let Some(close) = closes else { return false };
    let opens = |n: &usize| body.get(*n).is_some_and(|t| t.is_sign("{")) && brackets.close(*n) == close + 1;
    let Some(tried) = (0..close).rev().find(opens) else {
        return false;
    };
    let rest = body.get(at..).unwrap_or_default();
    let Some(open) = rest.iter().take(24).position(|t| t.is_sign("{")).map(|n| at + n) else {
        return false;
    };
    let handler = body
        .get(open + 1..brackets.close(open).saturating_sub(1))
        .unwrap_or_default();
    let tells = handler.first().is_some_and(|t| TELLS.contains(&t.text));
    let mut begins = handler
        .windows(2)
        .filter(|w| matches!(w, [end, next] if end.is_sign(";") || next.first && !next.is_sign(".")));
    let quiet = begins.all(|w| {
        w.last()
            .is_some_and(|t| TELLS.contains(&t.text) || t.is_sign(";"))
    });
    tells
        && quiet
        && !handler.iter().any(|t| is_a_way_out(t.text))
        && !has_assertion(lang, body, open..brackets.close(open))
        && has_assertion(lang, body, tried..close)
}

/// Whether a `finally` leaves the function, and with it drops what was thrown.
fn leaves_at_last(lang: Lang, body: &[Token<'_>], at: usize) -> bool {
    let range = if lang == Lang::Python {
        let Some(column) = body.get(at).filter(|t| t.first).map(|t| t.column) else {
            return false;
        };
        at + 2..indented(body, at + 2, column, lang)
    } else {
        at + 2..Brackets::of(body).close(at + 1).saturating_sub(1)
    };
    let inside = body.get(range).unwrap_or_default();
    // A function that is defined there leaves itself.
    let defines = inside
        .iter()
        .any(|t| matches!(t.text, "def" | "function" | "=>" | "lambda") && t.sort != Sort::Text);
    !defines && inside.iter().any(|t| t.is_word("return"))
}

/// Go: whether the function that recovers asserts something of what it recovered.
fn is_asked_for(lang: Lang, body: &[Token<'_>], brackets: &Brackets, at: usize) -> bool {
    let opens = |n: &usize| body.get(*n).is_some_and(|t| t.is_sign("{")) && brackets.close(*n) > at;
    let Some(open) = (0..at).rev().find(opens) else {
        return false;
    };
    (at..brackets.close(open)).any(|n| body.get(n).is_some_and(|t| asserts(lang, body, n, t)))
}

/// Whether a failure was asked for: what is tried ends with a failure of its own, which the type that is caught lets
/// through: `try { f(); fail(); } catch (IllegalStateException expected) {}`.
fn is_expected(lang: Lang, body: &[Token<'_>], brackets: &Brackets, at: usize) -> bool {
    let broad: &[&str] = match lang {
        Lang::Java | Lang::Kotlin => &["Throwable", "Error", "AssertionError", "AssertionFailedError"],
        Lang::Php | Lang::CSharp => &[
            "Throwable",
            "Exception",
            "Error",
            "AssertionError",
            "AssertionFailedError",
            "ExpectationFailedException",
            "AssertionException",
            "AssertFailedException",
            "XunitException",
        ],
        // Without a type everything is caught.
        _ => return false,
    };
    let head = body.get(at + 2..brackets.close(at + 1)).unwrap_or_default();
    let mut types = head.iter().filter(|t| t.sort == Sort::Word).peekable();
    if types.peek().is_none() || types.any(|t| broad.contains(&t.text)) {
        return false;
    }
    let Some(close) = at
        .checked_sub(1)
        .filter(|n| body.get(*n).is_some_and(|t| t.is_sign("}")))
    else {
        return false;
    };
    let begins = |n: &usize| body.get(*n).is_some_and(|t| t.is_sign("{")) && brackets.close(*n) == close + 1;
    let Some(open) = (0..close).rev().find(begins) else {
        return false;
    };
    // The last statement of what is tried.
    let tried = body.get(open + 1..close).unwrap_or_default();
    let tried = match tried.split_last() {
        Some((last, rest)) if last.is_sign(";") => rest,
        _ => tried,
    };
    let from = tried
        .iter()
        .rposition(|t| matches!(t.text, ";" | "}" | "{") && t.sort == Sort::Sign)
        .map_or(0, |n| n + 1);
    let last = tried.get(from..).unwrap_or_default();
    last.windows(2)
        .any(|w| matches!(w, [fail, open] if matches!(fail.text, "fail" | "Fail") && open.is_sign("(")))
}
