//! Assertions that hold whatever the product does: a condition that is always true, a tolerance that exceeds what is
//! compared, an expected value that everything is equal to, one that is only named and never called.

use super::asserts::tolerances;
use super::find::Brackets;
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::sides::{compared, parts, split};
use std::collections::BTreeMap;

/// How deep expressions are followed.
const DEEP: usize = 8;

/// Whether an assertion, whose tokens begin with its word, can hardly fail.
pub(super) fn is_vacuous(lang: Lang, statement: &[Token<'_>]) -> bool {
    let always = condition(lang, statement).is_some_and(|asked| fixed(lang, asked, 0) == Some(true));
    always
        || is_only_named(lang, statement)
        || compared(lang, statement).is_some_and(|(left, right)| accepts_all(lang, left, right))
        || orders_all(lang, statement)
        || tolerates_all(statement)
}

/// What a plain assertion asks to be true: `assert x`, `assertTrue(x)`, `assert!(x)`, `expect(x).toBe(true)`.
fn condition<'b, 'a>(lang: Lang, statement: &'b [Token<'a>]) -> Option<&'b [Token<'a>]> {
    let first = statement.first()?;
    if lang == Lang::Python && first.is_word("assert") {
        return parts(statement.get(1..)?).first().copied();
    }
    let brackets = Brackets::of(statement);
    let open = statement.iter().position(|t| t.is_sign("("))?;
    let close = brackets.close(open);
    let inside = statement.get(open + 1..close.checked_sub(1)?)?;
    let word = statement
        .get(..open)?
        .iter()
        .rev()
        .find(|t| t.sort == Sort::Word)?;
    let behind = statement.get(close..)?;
    let expects = first.is_word("expect");
    let asks = if expects {
        let mut words = behind.iter().filter(|t| t.sort == Sort::Word);
        let last = words.next_back()?;
        match last.text {
            "toBeTruthy" | "ok" => true,
            "true" => behind.iter().all(|t| !t.is_word("not")),
            _ => false,
        }
    } else {
        let lower = word.text.to_ascii_lowercase().replace('_', "");
        matches!(
            lower.as_str(),
            "assert" | "debugassert" | "asserttrue" | "ok" | "true" | "istrue" | "truthy" | "propassert"
        )
    };
    if !asks {
        return None;
    }
    let mut given = parts(inside).into_iter();
    let one = given.next()?;
    match (lang, one) {
        // Who fails, or what is said then, may stand first.
        (Lang::Go, _) => given.next(),
        (Lang::Java, [text]) if text.sort == Sort::Text => given.next(),
        _ => Some(one),
    }
}

/// What a condition always is, whatever the names in it stand for; `None` where it depends on them.
pub(super) fn fixed(lang: Lang, tokens: &[Token<'_>], depth: usize) -> Option<bool> {
    if depth > DEEP {
        return None;
    }
    let again = |tokens: &[Token<'_>]| fixed(lang, tokens, depth + 1);
    let [first, rest @ ..] = tokens else { return None };
    if rest.is_empty() {
        return constant(first);
    }
    if first.is_sign("&") {
        return again(rest);
    }
    let whole = first.sort == Sort::Sign
        && matches!(first.text, "(" | "[" | "{")
        && Brackets::of(tokens).close(0) == tokens.len();
    if whole {
        let inside = tokens.get(1..tokens.len() - 1)?;
        let given = parts(inside);
        let runs = inside.iter().any(|t| t.is_word("for"));
        return match (lang, first.text) {
            _ if inside.is_empty() => None,
            // A tuple with something in it.
            (Lang::Python, "(") if given.len() > 1 => Some(true),
            (Lang::Python, "(") if runs => Some(true),
            (Lang::Python, "[" | "{") => (!runs).then_some(true),
            // The last one is the value.
            (_, "(") => again(given.last()?),
            (Lang::Script, _) => Some(true),
            _ => None,
        };
    }
    if is_a_function(lang, tokens) {
        return Some(true);
    }
    if let Some(found) = chosen(lang, tokens) {
        return found.and_then(again);
    }
    for (words, is_and) in [(["or", "||"], false), (["and", "&&"], true)] {
        let joined = joined(tokens, &words);
        if joined.len() < 2 {
            continue;
        }
        let each: Vec<Option<bool>> = joined.iter().map(|part| again(part)).collect();
        if each.contains(&Some(!is_and)) {
            return Some(!is_and);
        }
        if each.iter().all(|one| *one == Some(is_and)) {
            return Some(is_and);
        }
        let opposed = |a: usize, b: usize| {
            joined
                .get(a)
                .zip(joined.get(b))
                .is_some_and(|(a, b)| denies(a, b))
        };
        let count = joined.len();
        let all_ways = (0..count).any(|a| (0..count).any(|b| a != b && opposed(a, b)));
        return all_ways.then_some(!is_and);
    }
    // `cfg!(any())` is met nowhere.
    let never = ["cfg", "!", "(", "any", "(", ")", ")"];
    if lang == Lang::Rust && texts(tokens) == never {
        return Some(false);
    }
    if first.is_word("not") || first.is_sign("!") {
        return again(rest).map(|yes| !yes);
    }
    if let Some((left, right)) = split(tokens, &["=="]).or_else(|| split(tokens, &["==="])) {
        return comes_to_nothing(left, right).then_some(true);
    }
    for sign in [">=", "<=", ">", "<"] {
        if let Some((left, right)) = split(tokens, &[sign]) {
            let all = match sign {
                ">=" => holds_any_count(left, right, false),
                "<=" => holds_any_count(right, left, false),
                ">" => holds_any_count(left, right, true),
                _ => holds_any_count(right, left, true),
            };
            let far = match sign {
                "<" | "<=" => is_far(left, right),
                _ => is_far(right, left),
            };
            return (all || far).then_some(true);
        }
    }
    // `(a == b) in (True, False)`
    let within = tokens.iter().position(|t| t.is_word("in"))?;
    let has = |word: &str| {
        let list = tokens.get(within..).unwrap_or_default();
        list.iter().any(|t| t.is_word(word))
    };
    let left = tokens.get(..within)?;
    let compares = left
        .iter()
        .any(|t| matches!(t.text, "==" | "!=" | "<" | ">" | "<=" | ">=" | "not"));
    (lang == Lang::Python && compares && has("True") && has("False")).then_some(true)
}

/// What a token always is as a condition.
fn constant(token: &Token<'_>) -> Option<bool> {
    match token.sort {
        Sort::Number => number(token).map(|n| n != 0.0),
        Sort::Text => Some(!token.text.is_empty()),
        Sort::Word => match token.text {
            "False" | "false" | "None" | "null" | "undefined" | "nil" | "NaN" => Some(false),
            "True" | "true" => Some(true),
            _ => None,
        },
        Sort::Sign | Sort::Comment => None,
    }
}

fn number(token: &Token<'_>) -> Option<f64> {
    let plain: String = token.text.chars().filter(|c| *c != '_').collect();
    let plain = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic() && c != 'e');
    (token.sort == Sort::Number).then(|| plain.parse().ok()).flatten()
}

/// A number, alone or behind a minus.
fn figure(tokens: &[Token<'_>]) -> Option<f64> {
    match tokens {
        [one] => number(one),
        [minus, one] if minus.is_sign("-") => number(one).map(|n| -n),
        _ => None,
    }
}

/// A function is a value that is true, whatever it would answer.
fn is_a_function(lang: Lang, tokens: &[Token<'_>]) -> bool {
    match (lang, tokens) {
        (Lang::Python, [first, ..]) => first.is_word("lambda"),
        (Lang::Script, [first, .., last]) => {
            let arrow = at_top(tokens, |t| t.is_sign("=>")).next().is_some();
            // `(() => …)()` is called.
            (first.is_word("function") || arrow) && !last.is_sign(")")
                || arrow && tokens.iter().any(|t| t.is_sign("{")) && last.is_sign("}")
        }
        _ => false,
    }
}

/// The places of tokens that stand in no bracket.
fn at_top<'b>(
    tokens: &'b [Token<'_>],
    asked: impl Fn(&Token<'_>) -> bool + 'b,
) -> impl Iterator<Item = usize> + 'b {
    let within = Brackets::of(tokens).within(tokens);
    tokens
        .iter()
        .enumerate()
        .filter(move |(at, t)| within.get(*at).copied().flatten().is_none() && asked(t))
        .map(|(at, _)| at)
}

/// `a if False else b`, `false ? a : b`: the way that is always taken; `Some(None)`: it depends.
fn chosen<'b, 'a>(lang: Lang, tokens: &'b [Token<'a>]) -> Option<Option<&'b [Token<'a>]>> {
    let place = |word: &'static str| at_top(tokens, move |t| t.text == word && t.sort != Sort::Text).next();
    let (asked, yes, no) = match lang {
        Lang::Python => {
            let (asks, other) = (place("if")?, place("else")?);
            (
                tokens.get(asks + 1..other)?,
                tokens.get(..asks)?,
                tokens.get(other + 1..)?,
            )
        }
        Lang::Script => {
            let asks = place("?")?;
            let other = at_top(tokens, |t| t.is_sign(":")).find(|at| *at > asks)?;
            (
                tokens.get(..asks)?,
                tokens.get(asks + 1..other)?,
                tokens.get(other + 1..)?,
            )
        }
        _ => return None,
    };
    Some(fixed(lang, asked, 1).map(|taken| if taken { yes } else { no }))
}

/// The parts that are joined by one of these words, brackets apart.
fn joined<'b, 'a>(tokens: &'b [Token<'a>], words: &[&str]) -> Vec<&'b [Token<'a>]> {
    let mut out = Vec::new();
    let mut from = 0;
    for at in at_top(tokens, |t| t.sort != Sort::Text && words.contains(&t.text)) {
        out.push(tokens.get(from..at).unwrap_or_default());
        from = at + 1;
    }
    out.push(tokens.get(from..).unwrap_or_default());
    out
}

fn texts<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    tokens.iter().map(|t| t.text).collect()
}

/// Whether one of two questions holds in any case: `a == b` and `a != b`, `x.is_ok()` and `x.is_err()`.
fn denies(one: &[Token<'_>], other: &[Token<'_>]) -> bool {
    const SIGNS: [(&str, &str); 5] = [
        ("==", "!="),
        ("===", "!=="),
        ("<", ">="),
        (">", "<="),
        ("is", "is not"),
    ];
    const METHODS: [(&str, &str); 2] = [("is_ok", "is_err"), ("is_some", "is_none")];
    let (a, b) = (texts(one), texts(other));
    let signs = SIGNS.iter().any(|(yes, no)| {
        let no: Vec<&str> = no.split(' ').collect();
        let at = a.iter().position(|t| t == yes);
        at.is_some_and(|at| {
            let (left, right) = (
                a.get(..at).unwrap_or_default(),
                a.get(at + 1..).unwrap_or_default(),
            );
            !left.is_empty() && !right.is_empty() && b == [left, &no, right].concat()
        })
    });
    let methods = METHODS.iter().any(|(yes, no)| {
        let turned: Vec<&str> = a.iter().map(|t| if t == yes { *no } else { *t }).collect();
        a != turned && turned == b
    });
    let turned_round = b.first().is_some_and(|t| matches!(*t, "not" | "!"))
        && b.get(1..)
            .is_some_and(|rest| rest == a || rest == [&["("], &a[..], &[")"]].concat());
    signs || methods || turned_round
}

/// `f(x) * 0 == 0`, `f(x) % 1 == 0`.
fn comes_to_nothing(left: &[Token<'_>], right: &[Token<'_>]) -> bool {
    let nothing = |side: &[Token<'_>]| figure(side) == Some(0.0);
    let cut = |side: &[Token<'_>]| {
        matches!(side, [.., sign, by] if (sign.is_sign("*") && number(by) == Some(0.0))
            || (sign.is_sign("%") && number(by) == Some(1.0)))
    };
    nothing(left) && cut(right) || nothing(right) && cut(left)
}

/// `len(x) >= 0`: a length, or a distance, is never below nothing. `beyond`: by `>`.
fn holds_any_count(counted: &[Token<'_>], bound: &[Token<'_>], beyond: bool) -> bool {
    let least = figure(bound).is_some_and(|n| if beyond { n < 0.0 } else { n <= 0.0 });
    let is_count = |t: &Token<'_>| {
        matches!(
            t.text,
            "len" | "length" | "size" | "count" | "Count" | "Length" | "abs"
        )
    };
    let last = counted.iter().rev().find(|t| t.sort == Sort::Word);
    let called = counted.first().is_some_and(is_count)
        && counted.get(1).is_some_and(|t| t.is_sign("("))
        && Brackets::of(counted).close(1) == counted.len();
    let owned = counted.len() > 2 && last.is_some_and(is_count);
    least && (called || owned)
}

/// Whether a distance may be as large as it likes: `abs(x - 42) < 1e9`.
fn is_far(distance: &[Token<'_>], bound: &[Token<'_>]) -> bool {
    let is_distance = distance.iter().take(3).any(|t| t.is_word("abs"));
    is_distance && figure(bound).is_some_and(|bound| exceeds(bound, largest(distance)))
}

/// The largest figure in an expression, without its sign.
fn largest(tokens: &[Token<'_>]) -> Option<f64> {
    tokens
        .iter()
        .filter_map(number)
        .map(f64::abs)
        .max_by(f64::total_cmp)
}

/// A tolerance with which what is compared could be anything of its size, nothing at all among it. Of nothing, or of what has no figure,
/// more than a million.
fn exceeds(tolerance: f64, compared: Option<f64>) -> bool {
    match compared {
        Some(figure) if figure > 0.0 => tolerance >= 1.0 && tolerance > 2.0 * figure,
        _ => tolerance > 1e6,
    }
}

/// Whether the tolerance of a comparison takes in everything of its size.
fn tolerates_all(statement: &[Token<'_>]) -> bool {
    let mut found: BTreeMap<&'static str, f64> = BTreeMap::new();
    tolerances(statement, &mut found);
    found.iter().any(|(name, value)| {
        let absolute = match *name {
            "rel" | "rtol" | "rel_tol" | "max_relative" | "InEpsilon" => return *value >= 1.0,
            "places" | "toBeCloseTo" => 10_f64.powf(*value) / 2.0,
            _ => *value,
        };
        // What is compared stands beside the tolerance.
        let others = statement.iter().filter(|t| number(t) != Some(value.abs()));
        let largest = others.filter_map(number).map(f64::abs).max_by(f64::total_cmp);
        exceeds(absolute, largest)
    })
}

/// `assertGreaterEqual(len(x), 0)`, `assertLess(abs(x - 42), 1e9)`, `expect(x.length).toBeGreaterThanOrEqual(0)`.
fn orders_all(lang: Lang, statement: &[Token<'_>]) -> bool {
    let lower = |t: &Token<'_>| t.text.to_ascii_lowercase().replace('_', "");
    let word = statement
        .iter()
        .find(|t| t.sort == Sort::Word && { lower(t).contains("greater") || lower(t).contains("less") });
    let Some(word) = word.map(lower) else { return false };
    let brackets = Brackets::of(statement);
    let groups: Vec<&[Token<'_>]> = at_top(statement, |t| t.is_sign("("))
        .filter_map(|open| statement.get(open + 1..brackets.close(open).checked_sub(1)?))
        .collect();
    let (left, right) = match groups.as_slice() {
        [left, right] => (*left, *right),
        [both] => {
            let given = parts(both);
            let skipped = usize::from(lang == Lang::Go && given.len() > 2);
            match given.get(skipped..) {
                Some([left, right, ..]) => (*left, *right),
                _ => return false,
            }
        }
        _ => return false,
    };
    let beyond = !word.contains("equal");
    if word.contains("greater") {
        holds_any_count(left, right, beyond)
    } else {
        is_far(left, right)
    }
}

/// Whether what a comparison expects is equal to everything, or what it is given is that value whatever the product answers.
fn accepts_all(lang: Lang, left: &[Token<'_>], right: &[Token<'_>]) -> bool {
    let any = |side: &[Token<'_>]| match side {
        [last] => last.is_word("ANY"),
        // However the module is named.
        [.., dot, last] if dot.is_sign(".") && last.is_word("ANY") => true,
        [.., owner, dot, name, open, close] => {
            dot.is_sign(".")
                && owner.sort == Sort::Word
                && matches!(name.text, "anything")
                && open.is_sign("(")
                && close.is_sign(")")
        }
        _ => false,
    };
    if any(left) || any(right) || comes_to_nothing(left, right) {
        return true;
    }
    let by_itself = |given: &[Token<'_>], expected: &[Token<'_>]| {
        let bare = bare(given);
        let last = |parts: Vec<&[Token<'_>]>| {
            parts.len() > 1
                && parts.last().is_some_and(|part| texts(part) == texts(expected))
                && parts.iter().any(|part| part.iter().any(|t| t.is_sign("(")))
        };
        // `(f(), 42)` and `f() && 42` are 42.
        let comma = lang == Lang::Script && bare.len() < given.len() && last(parts(bare));
        let literal =
            matches!(expected, [one] if one.is_literal() || one.is_word("true") || one.is_word("True"));
        literal && (comma || last(joined(bare, &["||", "&&", "??", "or", "and"])))
    };
    by_itself(left, right) || by_itself(right, left)
}

/// Without brackets around the whole.
fn bare<'b, 'a>(tokens: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let around =
        tokens.first().is_some_and(|t| t.is_sign("(")) && Brackets::of(tokens).close(0) == tokens.len();
    let inside = tokens.get(1..tokens.len().saturating_sub(1));
    inside.filter(|_| around && tokens.len() > 1).unwrap_or(tokens)
}

/// An assertion that is named and not called: `expect(x).toBe;`, `expect(x);`, `mock.assert_called_once`. And a snapshot that
/// the runner writes as soon as it runs.
fn is_only_named(lang: Lang, statement: &[Token<'_>]) -> bool {
    let Some(first) = statement.first() else {
        return false;
    };
    match lang {
        Lang::Script if first.is_word("expect") => {
            let brackets = Brackets::of(statement);
            let open = statement.get(1).is_some_and(|t| t.is_sign("("));
            let behind = statement.get(brackets.close(1)..).unwrap_or_default();
            let matcher = |t: &Token<'_>| {
                let rest = t.text.strip_prefix("to");
                t.sort == Sort::Word && rest.is_some_and(|rest| rest.starts_with(char::is_uppercase))
            };
            let named = match behind {
                [] => open,
                [.., word] => matcher(word),
            };
            let written = matches!(behind, [.., word, open, close]
                if word.text.ends_with("InlineSnapshot") && open.is_sign("(") && close.is_sign(")"));
            named || written
        }
        Lang::Python => statement.len() == 1 && first.text.starts_with("assert_"),
        _ => false,
    }
}

/// Whether an assertion asks of what kind something is, and for no more: `typeof x`, `type(x)`, `expect.any(Number)`.
pub(super) fn asks_for_a_kind(lang: Lang, statement: &[Token<'_>]) -> bool {
    let Some((left, right)) = compared(lang, statement) else {
        return false;
    };
    let kind = |side: &[Token<'_>]| match (lang, side) {
        (Lang::Script, [first, ..]) if first.is_word("typeof") => true,
        (Lang::Script, [owner, dot, any, open, .., _]) => {
            owner.is_word("expect") && dot.is_sign(".") && any.is_word("any") && open.is_sign("(")
        }
        (Lang::Python, [name, open, ..]) if name.is_word("type") && open.is_sign("(") => {
            Brackets::of(side).close(1) == side.len()
        }
        _ => false,
    };
    kind(left) || kind(right)
}
