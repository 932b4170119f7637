//! Failures that a test catches, and what becomes of them.

use super::asserts::asserts;
use super::find::Brackets;
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
            }
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
