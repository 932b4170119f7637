//! How much an assertion leaves open: one value, or several that it would be content with.

use super::find::Brackets;
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::sides::{compared, is_negated, is_told_exactly};

/// What an assertion is content with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exactness {
    /// One value alone.
    Value,
    /// One value that a plain question can tell from others, too: `true`, `false`, nothing at all.
    Flag,
    /// Any value but one, by a word for it: `assert_ne`, `assertNotEqual`.
    Differs,
    /// That something holds, or does not: `assertTrue(x)`, `assert x`.
    Holds,
    /// More than that.
    Loose,
}

/// Words of comparisons with an exact value.
pub(super) fn is_exact_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "eq" | "eql" | "equal" | "equals" | "tobe" | "isequal" | "assertsame" | "shouldbe" | "deepequal"
    ) || lower.contains("equal")
        || lower.contains("snapshot")
        || lower.contains("exactly")
        || lower.ends_with("_eq")
        || word.ends_with("Eq")
        || lower.starts_with("assertis") && lower.contains("same")
}

/// How exact an assertion is, whose tokens begin with its word.
pub(super) fn exactness(lang: Lang, statement: &[Token<'_>]) -> Exactness {
    if statement.first().is_some_and(|t| denies_equality(t.text))
        || statement
            .windows(2)
            .any(|w| matches!(w, [dot, word] if dot.is_sign(".") && denies_equality(word.text)))
    {
        return Exactness::Differs;
    }
    // AVA's `t.not(a, b)`.
    if lang == Lang::Script && statement.first().is_some_and(|t| t.is_word("not")) {
        return Exactness::Differs;
    }
    if is_denied(lang, statement) {
        let bare = statement.first().is_some_and(|t| t.is_word("assert"));
        return if bare && !is_a_question(statement) {
            Exactness::Holds
        } else {
            Exactness::Loose
        };
    }
    let asked = asked(statement);
    let equal = statement.iter().any(|t| match t.sort {
        Sort::Sign => matches!(t.text, "==" | "==="),
        Sort::Word => is_exact_word(t.text),
        _ => false,
    }) || is_told_exactly(lang, statement);
    let identical = lang == Lang::Python
        && statement.first().is_some_and(|t| t.is_word("assert"))
        && statement.iter().any(|t| t.is_word("is"));
    // `assertFalse(a == b)`
    if equal && asked.as_deref() == Some("false") {
        return Exactness::Loose;
    }
    if equal || identical {
        let bare = |side: &[Token<'_>]| matches!(side, [one] if is_flag(one));
        let flag = match compared(lang, statement) {
            Some((left, right)) => bare(left) || bare(right),
            // `assert x is True`
            None => statement
                .windows(2)
                .any(|w| matches!(w, [is, value] if is.is_word("is") && is_flag(value))),
        };
        return if flag { Exactness::Flag } else { Exactness::Value };
    }
    match asked.as_deref() {
        Some("true" | "false") => Exactness::Holds,
        Some("nil" | "null" | "none" | "undefined" | "nan" | "empty" | "noerror") => Exactness::Flag,
        Some(_) => Exactness::Value,
        None if is_bare(statement) && !is_a_question(statement) => Exactness::Holds,
        None => Exactness::Loose,
    }
}

/// One word for "is not equal".
fn denies_equality(word: &str) -> bool {
    is_negated(word) && (is_exact_word(word) || word.to_ascii_lowercase().ends_with("_ne"))
}

/// How exact it is to ask something of an answer, as `.expect(200, 'ok')` does: a value, or a function that looks at it.
pub(super) fn of_an_answer(statement: &[Token<'_>]) -> Exactness {
    let looks = statement
        .get(2)
        .is_some_and(|t| t.is_sign("(") || t.is_word("function") || t.is_word("async"))
        || statement.get(3).is_some_and(|t| t.is_sign("=>"));
    if looks { Exactness::Loose } else { Exactness::Value }
}

/// Whether a status is asked for, and what comes with it.
pub(super) fn asks_for_two(statement: &[Token<'_>]) -> bool {
    matches!(statement, [_, _, status, comma, value, ..] if status.sort == Sort::Number && comma.is_sign(",")
        && (value.is_literal() || value.is_sign("{") || value.is_sign("[")))
}

fn is_flag(token: &Token<'_>) -> bool {
    token.sort == Sort::Word
        && matches!(
            token.text,
            "true" | "false" | "True" | "False" | "None" | "nil" | "null" | "undefined"
        )
}

/// Whether an assertion denies something: `not` of a test for membership, or behind `is`, denies no comparison beside it.
fn is_denied(lang: Lang, statement: &[Token<'_>]) -> bool {
    let python = lang == Lang::Python && statement.first().is_some_and(|t| t.is_word("assert"));
    if python {
        let compares = statement.iter().any(|t| t.is_sign("=="));
        let own = |at: usize| at == 1 || at == 2 && statement.get(1).is_some_and(|t| t.is_sign("("));
        let mut denies = statement.iter().enumerate().filter(|(_, t)| t.is_word("not"));
        return denies.any(|(at, _)| own(at) || !compares);
    }
    let bang = |at: usize| {
        // `assert!(!x)`
        statement.get(at).is_some_and(|t| t.is_sign("!"))
            && statement.get(at - 1).is_some_and(|t| t.is_sign("("))
    };
    statement
        .iter()
        .enumerate()
        .any(|(at, t)| t.sort == Sort::Word && is_negated(t.text) || at > 0 && bang(at))
}

/// `assert x`, `assert!(x)`, `assert(x)`, `assert.ok(x)`: no word says what is asked.
fn is_bare(statement: &[Token<'_>]) -> bool {
    let mut words = statement.iter().filter(|t| !t.is_sign("!"));
    if !words.next().is_some_and(|t| t.is_word("assert")) {
        return false;
    }
    words.next().is_some_and(|t| !t.is_sign(".") && !t.is_sign("::"))
}

/// Whether it asks by an order, a kind or a membership.
fn is_a_question(statement: &[Token<'_>]) -> bool {
    statement.iter().any(|t| match t.sort {
        Sort::Sign => matches!(
            t.text,
            "<" | ">" | "<=" | ">=" | "!=" | "!==" | "||" | "==" | "==="
        ),
        Sort::Word => matches!(
            t.text,
            "in" | "is"
                | "or"
                | "instanceof"
                | "isinstance"
                | "issubclass"
                | "hasattr"
                | "callable"
                | "matches"
        ),
        _ => false,
    })
}

/// What the word that asks says by its name: that there is nothing, how many there are, that it is the very same.
fn asked(statement: &[Token<'_>]) -> Option<String> {
    let brackets = Brackets::of(statement);
    let first = statement.iter().position(|t| t.is_sign("("));
    let within = brackets.within(statement);
    let bare = is_bare(statement);
    let mut found = None;
    for (at, token) in statement.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
        // Only what the assertion itself asks, and the question that is all that it is given: `assert!(x.is_none())`.
        let inside = within.get(at).copied().flatten();
        let ends = |end: usize| {
            statement
                .get(end)
                .is_none_or(|t| t.first || matches!(t.text, ")" | "," | ";" | "."))
        };
        let begins = at
            .checked_sub(1)
            .and_then(|n| statement.get(n))
            .is_none_or(|t| matches!(t.text, "." | "?." | "::" | "->" | "to" | "must" | "should"));
        let open = at + 1;
        let called = statement.get(open).is_some_and(|t| t.is_sign("("));
        let own = inside.is_none() || inside == first && bare;
        let whole = if called {
            ends(brackets.close(open))
        } else {
            ends(open)
        };
        if !own || !whole || !begins {
            continue;
        }
        let lower: String = token
            .text
            .to_ascii_lowercase()
            .chars()
            .filter(|c| *c != '_')
            .collect();
        let asks = without_leads(&lower);
        let nothing = matches!(asks, "nil" | "null" | "none" | "undefined" | "nan" | "empty");
        let counts = matches!(
            asks,
            "zero"
                | "len"
                | "length"
                | "lengthof"
                | "count"
                | "size"
                | "same"
                | "sameas"
                | "sameinstance"
                | "sameinstanceas"
                | "noerror"
        );
        // A bare assertion asks by a question of the language's own.
        if nothing && (!bare || called && lower.starts_with("is")) || counts && !bare {
            return Some(asks.to_owned());
        }
        if matches!(asks, "true" | "false") && !bare {
            found = Some(asks.to_owned());
        }
    }
    found
}

/// A matcher's name without what leads up to what it asks: `assertIsNone`, `must_be_nil`, `toHaveLength`.
fn without_leads(word: &str) -> &str {
    const LEADS: [&str; 8] = ["assert", "must", "should", "have", "has", "to", "be", "is"];
    let mut rest = word;
    while let Some(shorter) = LEADS.iter().find_map(|lead| rest.strip_prefix(lead)) {
        rest = shorter;
    }
    rest
}
