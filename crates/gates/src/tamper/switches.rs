//! Conditions that somebody has to meet from outside: a feature of the build, a variable of the environment.

use super::Sides;
use super::find::Brackets;
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::sides::parts;
use std::collections::HashSet;

/// What a condition of Rust's compiler asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    /// It is never met: `any()`.
    Never,
    /// A feature that is not there unless somebody asks for it.
    Feature,
    /// Something else, such as a platform.
    Open,
}

/// Reads what stands in `cfg(…)`.
pub(super) fn predicate(asked: &[Token<'_>]) -> Predicate {
    if matches!(asked, [any, open, close] if any.is_word("any") && open.is_sign("(") && close.is_sign(")")) {
        return Predicate::Never;
    }
    if features(asked).is_empty() {
        Predicate::Open
    } else {
        Predicate::Feature
    }
}

/// Whether a condition asks for a variable of the environment, or a feature: `Some(Some(false))` where it asks that it is
/// not there.
pub(super) fn gate(condition: &[Token<'_>]) -> Option<Option<bool>> {
    let word = |n: usize| condition.get(n).map_or("", |t| t.text);
    let asks = condition.iter().enumerate().any(|(at, t)| match t.text {
        "environ" | "getenv" | "Getenv" | "LookupEnv" | "ENV" => t.sort == Sort::Word,
        "env" => {
            let owned = at > 1 && word(at - 2) == "process";
            owned || word(at + 1) == "::" && matches!(word(at + 2), "var" | "var_os")
        }
        "cfg" => {
            word(at + 1) == "!" && {
                let close = Brackets::of(condition).close(at + 2).saturating_sub(1);
                let asked = condition.get(at + 3..close).unwrap_or_default();
                !matches!(predicate(asked), Predicate::Open)
            }
        }
        _ => false,
    });
    let denied = word(0) == "!"
        || condition
            .iter()
            .any(|t| matches!(t.text, "not" | "is_err" | "is_none"));
    asks.then_some(denied.then_some(false))
}

/// Features that are there where nobody chooses otherwise, by custom.
const USUAL: [&str; 3] = ["std", "alloc", "default"];

/// The features without which what stands under `cfg(…)` is not built.
pub(super) fn features<'a>(asked: &[Token<'a>]) -> Vec<&'a str> {
    match asked {
        [feature, sets, name] if feature.is_word("feature") && sets.is_sign("=") => {
            let usual = USUAL.contains(&name.text);
            if usual { Vec::new() } else { vec![name.text] }
        }
        [all, open, inside @ .., _] if all.is_word("all") && open.is_sign("(") => {
            parts(inside).into_iter().flat_map(features).collect()
        }
        // Another way is enough.
        [any, open, inside @ .., _] if any.is_word("any") && open.is_sign("(") => {
            let ways: Vec<Vec<&str>> = parts(inside).into_iter().map(features).collect();
            if ways.iter().any(Vec::is_empty) {
                Vec::new()
            } else {
                ways.concat()
            }
        }
        _ => Vec::new(),
    }
}

/// The features without which `#[cfg_attr(…, ignore)]` leaves a test out.
pub(super) fn features_not_to_be_ignored<'a>(inside: &[Token<'a>]) -> Vec<&'a str> {
    let given = parts(inside);
    let Some((asked, marks)) = given.split_first() else {
        return Vec::new();
    };
    let ignores = marks
        .iter()
        .any(|mark| mark.first().is_some_and(|t| t.is_word("ignore")));
    match asked {
        [not, open, inner @ .., _] if ignores && not.is_word("not") && open.is_sign("(") => features(inner),
        _ => Vec::new(),
    }
}

/// The features that code of the product asks for: what is built only with them can be tested only with them.
pub(super) fn product_features<'a>(sides: &[Sides<'a>]) -> HashSet<&'a str> {
    let sources = sides
        .iter()
        .flat_map(|s| [s.base.as_ref(), s.now.as_ref()])
        .flatten();
    let mut found = HashSet::new();
    for source in sources.filter(|s| s.lang == Lang::Rust) {
        let product = source.product();
        for (at, window) in product.windows(3).enumerate() {
            let [feature, sets, name] = window else { continue };
            let asks = feature.is_word("feature") && sets.is_sign("=") && name.sort == Sort::Text;
            // The mark of a module of tests is none of the product.
            let before = product.get(at.saturating_sub(12)..at).unwrap_or_default();
            let mark = before.iter().rposition(|t| t.is_sign("#")).unwrap_or(0);
            let of_tests = before.iter().skip(mark).any(|t| t.is_word("test"));
            if asks && !of_tests {
                found.insert(name.text);
            }
        }
    }
    found
}
