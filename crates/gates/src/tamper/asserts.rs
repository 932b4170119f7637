//! What a test demands: its assertions, how exact they are, and what takes them back again.

use super::caught::swallows;
use super::exact::{Exactness, asks_for_two, exactness, of_an_answer};
use super::find::Brackets;
use super::idle::{asks_for_any_failure, is_idle};
use super::lang::Lang;
use super::lex::{Sort, Token};
use super::reach::{Reach, reach};
use super::sides::{Same, repeats, same};
use super::vacuous::{asks_for_a_kind, is_vacuous};
use std::collections::BTreeMap;
use std::ops::Range;

/// What a test demands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Demands {
    /// Assertions that can fail.
    pub(super) real: usize,
    /// Assertions that always hold.
    pub(super) trivial: usize,
    /// Assertions that are never reached.
    pub(super) dead: usize,
    /// Assertions that are reached only where somebody sets a feature or a variable of the environment.
    pub(super) gated: usize,
    /// Of the real ones, those that compare a call with the same call.
    pub(super) mirrored: usize,
    /// Of the real ones, those that compare with an exact value.
    pub(super) exact: usize,
    /// Of these, those that only ask of what kind something is.
    pub(super) kinds: usize,
    /// Of these, those that only exclude a value.
    pub(super) differs: usize,
    /// Of these, those that compare with `true`, `false`, or nothing at all.
    pub(super) flags: usize,
    /// Of the others, those that ask whether something holds, and for no more.
    pub(super) holds: usize,
    /// The loosest tolerance of each name.
    pub(super) tolerances: BTreeMap<&'static str, f64>,
    /// Places where a failure is caught and dropped.
    pub(super) swallows: usize,
}

/// The assertions of a test, as ranges of its tokens.
pub(super) fn statements(lang: Lang, body: &[Token<'_>]) -> Vec<Range<usize>> {
    let brackets = Brackets::of(body);
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, token) in body.iter().enumerate() {
        if out.last().is_some_and(|last| last.end > at) || !asserts(lang, body, at, token) {
            continue;
        }
        // Several may stand in the head of one `with`.
        let guards = lang == Lang::Python && matches!(token.text, "raises" | "warns");
        let end = if is_told_of_an_answer(lang, body, &brackets, at) {
            // What looks at the answer asserts for itself.
            let close = brackets.close(at + 1);
            let looks = |t: &Token<'_>| t.is_word("function") || t.is_sign("=>");
            let given = body.get(at..close).unwrap_or_default();
            given.iter().position(looks).map_or(close, |n| at + n + 1)
        } else if guards {
            brackets.close(at + 1)
        } else {
            end_of(lang, body, &brackets, at)
        };
        out.push(at..end.max(at + 1));
    }
    out
}

/// Reads what code demands, as if all of it were run.
pub(super) fn demands(lang: Lang, body: &[Token<'_>]) -> Demands {
    demands_of(lang, body, &Reach::default())
}

/// Reads what a test or a function demands, from its head on: of what is run of it.
pub(super) fn demands_when_run(lang: Lang, body: &[Token<'_>]) -> Demands {
    demands_of(lang, body, &reach(lang, body))
}

fn demands_of(lang: Lang, body: &[Token<'_>], reach: &Reach<'_, '_>) -> Demands {
    let mut out = Demands::default();
    let brackets = Brackets::of(body);
    let failing = asks_for_any_failure(lang, body);
    for range in statements(lang, body) {
        let is_asked_to_fail = failing.iter().any(|(_, inside)| inside.contains(&range.start));
        let own = body
            .get(range.clone())
            .is_some_and(|s| is_own(body, s, range.start));
        if reach.is_dead(range.start) || is_idle(lang, body, &brackets, &range) || is_asked_to_fail && own {
            out.dead += 1;
            continue;
        }
        if reach.is_gated(range.start) {
            out.gated += 1;
            continue;
        }
        let statement = body.get(range.clone()).unwrap_or_default();
        let around = reach.blocks.iter().filter(|b| b.range.contains(&range.start));
        let same = same(lang, body, range.clone());
        let told = is_told_of_an_answer(lang, body, &brackets, range.start);
        // What is to fail is the assertion itself.
        let fails_itself = failing.iter().any(|(at, inside)| {
            range.contains(at)
                && statements(lang, body.get(inside.clone()).unwrap_or_default())
                    .iter()
                    .any(|r| {
                        let at = inside.start + r.start;
                        body.get(at..inside.start + r.end)
                            .is_some_and(|s| is_own(body, s, at))
                    })
        });
        if same == Some(Same::Always)
            || fails_itself
            || !told && (always_holds(statement) || is_vacuous(lang, statement))
            || around.into_iter().any(|b| repeats(lang, statement, b.condition))
        {
            out.trivial += 1;
        } else {
            out.real += 1;
            // `.expect(200, 'ok')` asks for two things.
            if told && asks_for_two(statement) {
                out.real += 1;
                out.exact += 1;
            }
            out.mirrored += usize::from(same.is_some());
            let exact = if told {
                of_an_answer(statement)
            } else {
                exactness(lang, statement)
            };
            out.exact += usize::from(matches!(
                exact,
                Exactness::Value | Exactness::Flag | Exactness::Differs
            ));
            out.kinds += usize::from(asks_for_a_kind(lang, statement));
            out.differs += usize::from(exact == Exactness::Differs);
            out.flags += usize::from(exact == Exactness::Flag);
            out.holds += usize::from(exact == Exactness::Holds);
        }
    }
    out.swallows = swallows(lang, body);
    tolerances(body, &mut out.tolerances);
    out
}

/// Python: whether an assertion is one of the language's or of the test case's, and no function of the project's.
fn is_own(body: &[Token<'_>], statement: &[Token<'_>], at: usize) -> bool {
    let bare = statement.first().is_some_and(|t| t.is_word("assert"));
    let raises = statement
        .first()
        .is_some_and(|t| matches!(t.text, "raises" | "assertRaises" | "warns"));
    !raises && (bare || before_is(body, at, &["self"]))
}

/// JavaScript: whether one of several things is asked of an answer: `request(app).get('/').expect(200).expect('ok')`.
pub(super) fn is_told_of_an_answer(lang: Lang, body: &[Token<'_>], brackets: &Brackets, at: usize) -> bool {
    let word = |n: usize, word: &str| body.get(n).is_some_and(|t| t.is_word(word));
    let owned = at > 0 && body.get(at - 1).is_some_and(|t| t.is_sign("."));
    let called = body.get(at + 1).is_some_and(|t| t.is_sign("("));
    if lang != Lang::Script || !word(at, "expect") || !owned || !called {
        return false;
    }
    let end = brackets.close(at + 1);
    let goes_on = body.get(end).is_some_and(|t| t.is_sign("."));
    !goes_on
        || ["expect", "end", "then", "catch"]
            .iter()
            .any(|next| word(end + 1, next))
}

pub(super) fn asserts(lang: Lang, body: &[Token<'_>], at: usize, token: &Token<'_>) -> bool {
    if token.sort != Sort::Word {
        return false;
    }
    let word = token.text;
    let before = at.checked_sub(1).and_then(|n| body.get(n));
    let next = body.get(at + 1);
    let owned = before.is_some_and(|t| matches!(t.text, "." | "->" | "::" | "?."));
    let called = next.is_some_and(|t| matches!(t.text, "(" | "!" | "." | "::" | "<"));
    match lang {
        // `.expect("…")` unwraps.
        Lang::Rust if word == "expect" => false,
        Lang::Go => {
            let fails = matches!(word, "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow");
            let given_t = matches!(body.get(at + 1..at + 4), Some([open, t, comma])
                if open.is_sign("(") && matches!(t.text, "t" | "tb") && comma.is_sign(","));
            (fails && owned && before_is(body, at, &["t", "tb", "s", "T"]))
                // A package of assertions that is imported with a dot.
                || (given_t && !owned && !fails && is_of_testify(word))
                // Gomega's.
                || (word == "Expect" && called && before_is(body, at, &["g"]) && owned)
                || (matches!(word, "assert" | "require" | "is" | "qt")
                    && next.is_some_and(|t| t.is_sign("."))
                    && !owned)
                || (word.starts_with("assert") && word.len() > 6 && called)
        }
        Lang::Python if word == "assert" => !owned,
        Lang::Python if word == "raises" || word == "warns" => owned,
        Lang::Ruby => {
            word == "expect"
                || word == "should"
                || word.starts_with("assert")
                || word.starts_with("refute")
                || word.starts_with("must_")
                || word.starts_with("wont_")
                || word == "flunk"
        }
        Lang::Rust => {
            (word.starts_with("assert") || word.starts_with("prop_assert") || word == "panic")
                && next.is_some_and(|t| matches!(t.text, "!" | "("))
        }
        _ => {
            (word == "expect" && next.is_some_and(|t| matches!(t.text, "(" | ".")))
                || (word.starts_with("assert") && called)
                || (word == "Assert" && called)
                || (word.starts_with("should") && (owned || lang == Lang::Kotlin))
                || (lang == Lang::Script && word == "should" && called)
                || (word == "verify" && called && !owned)
                || (lang == Lang::Script
                    && owned
                    && called
                    && before_is(body, at, &["t"])
                    && TOLD.contains(&word))
                || (word == "Should" && owned)
                || (word == "fail" && called && !owned)
        }
    }
}

/// What AVA, tape and tap ask by the argument of a test: `t.is(a, b)`.
const TOLD: [&str; 40] = [
    "assert",
    "is",
    "not",
    "true",
    "false",
    "truthy",
    "falsy",
    "deepEqual",
    "notDeepEqual",
    "like",
    "unorderedEqual",
    "throws",
    "throwsAsync",
    "notThrows",
    "notThrowsAsync",
    "regex",
    "notRegex",
    "snapshot",
    "equal",
    "equals",
    "notEqual",
    "strictEqual",
    "notStrictEqual",
    "looseEqual",
    "deepLooseEqual",
    "notDeepLooseEqual",
    "same",
    "notSame",
    "strictSame",
    "strictNotSame",
    "ok",
    "notOk",
    "error",
    "ifError",
    "match",
    "notMatch",
    "doesNotMatch",
    "rejects",
    "resolves",
    "doesNotThrow",
];

/// Whether a function is one of testify's, by its name; some end with `f` as well.
fn is_of_testify(word: &str) -> bool {
    const ASKS: [&str; 34] = [
        "True",
        "False",
        "Nil",
        "NotNil",
        "NoError",
        "Error",
        "ErrorIs",
        "ErrorAs",
        "ErrorContains",
        "EqualError",
        "Empty",
        "NotEmpty",
        "Len",
        "Contains",
        "NotContains",
        "ElementsMatch",
        "Subset",
        "Greater",
        "GreaterOrEqual",
        "Less",
        "LessOrEqual",
        "Panics",
        "PanicsWithValue",
        "NotPanics",
        "Zero",
        "NotZero",
        "Regexp",
        "InDelta",
        "InEpsilon",
        "IsType",
        "JSONEq",
        "Same",
        "NotSame",
        "Eventually",
    ];
    let bare = word.strip_suffix('f').unwrap_or(word);
    [word, bare].iter().any(|word| {
        ASKS.contains(word)
            || matches!(
                *word,
                "Equal" | "NotEqual" | "EqualValues" | "Exactly" | "WithinDuration"
            )
    })
}

fn before_is(body: &[Token<'_>], at: usize, owners: &[&str]) -> bool {
    at.checked_sub(2)
        .and_then(|n| body.get(n))
        .is_some_and(|t| owners.contains(&t.text))
}

/// The end of the statement that an assertion begins.
pub(super) fn end_of(lang: Lang, body: &[Token<'_>], brackets: &Brackets, at: usize) -> usize {
    let by_line = lang.by_indent() || lang == Lang::Kotlin;
    let mut next = at + 1;
    while let Some(token) = body.get(next) {
        match token.text {
            "(" | "[" | "{" if token.sort == Sort::Sign => {
                next = brackets.close(next);
                continue;
            }
            ";" | "}" | ")" if token.sort == Sort::Sign => return next,
            // A chain goes on in the next line.
            _ if token.first
                && !matches!(token.text, "." | "?." | "->" | "&&" | "||")
                && (by_line || ends_line(body, next)) =>
            {
                return next;
            }
            _ => next += 1,
        }
    }
    body.len()
}

/// Without a `;`, a line that begins with a word ends the statement before it, unless that ends with an operator.
fn ends_line(body: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|n| body.get(n));
    !before.is_some_and(|t| t.sort == Sort::Sign && !matches!(t.text, ")" | "]" | "}"))
}

/// Words of matchers and literals, which name nothing of the product.
fn is_matcher(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "True"
            | "False"
            | "None"
            | "null"
            | "nil"
            | "undefined"
            | "to"
            | "be"
            | "not"
            | "eq"
            | "that"
            | "is"
            | "expect"
            | "Assert"
            | "assert"
            | "should"
            | "and"
            | "equal"
            | "ok"
            | "a"
            | "an"
            | "t"
            | "self"
            | "this"
            | "$this"
    ) || word.starts_with("assert")
        || word.starts_with("Is")
        || word.starts_with("toBe")
        || word.starts_with("toEqual")
        || word.starts_with("toStrictEqual")
        || word.starts_with("isEqual")
        || word.starts_with("isTrue")
        || word.starts_with("Equal")
        || word.starts_with("AreEqual")
        || word.starts_with("True")
        || word.starts_with("be_")
}

fn always_holds(statement: &[Token<'_>]) -> bool {
    let words = || statement.iter().filter(|t| t.sort == Sort::Word);
    // That something must not be reached is no assertion of a value.
    if words().any(|t| {
        matches!(
            t.text,
            "fail"
                | "flunk"
                | "panic"
                | "raises"
                | "Fail"
                | "FailNow"
                | "Error"
                | "Errorf"
                | "Fatal"
                | "Fatalf"
                | "verify"
        )
    }) {
        return false;
    }
    let has_value = statement.iter().any(|t| {
        t.is_literal()
            || matches!(
                t.text,
                "true" | "True" | "false" | "False" | "null" | "nil" | "None"
            )
    });
    // `x.should.equal(4)`: what it is about stands before it.
    let owned = matches!(statement, [should, dot, ..] if should.is_word("should") && dot.is_sign("."));
    if has_value && !owned && words().all(|t| is_matcher(t.text)) {
        return true;
    }
    // `… || true`
    statement.windows(2).any(
        |w| matches!(w, [or, yes] if matches!(or.text, "||" | "or") && matches!(yes.text, "true" | "True")),
    )
}

/// Names of tolerances; whether more of it is stricter.
const TOLERANCES: [(&str, bool); 16] = [
    ("abs", false),
    ("rel", false),
    ("abs_tol", false),
    ("rel_tol", false),
    ("atol", false),
    ("rtol", false),
    ("delta", false),
    ("epsilon", false),
    ("max_relative", false),
    ("tolerance", false),
    ("within", false),
    ("InDelta", false),
    ("InEpsilon", false),
    ("be_within", false),
    ("places", true),
    ("toBeCloseTo", true),
];

pub(super) fn tolerances(body: &[Token<'_>], out: &mut BTreeMap<&'static str, f64>) {
    let brackets = Brackets::of(body);
    for (at, token) in body.iter().enumerate().filter(|(_, t)| t.sort == Sort::Word) {
        let Some((name, up)) = TOLERANCES.iter().find(|(name, _)| *name == token.text) else {
            continue;
        };
        let rest = body.get(at + 1..).unwrap_or_default();
        let value = match rest.first().map(|t| t.text) {
            Some("=" | ":") => rest.get(1).and_then(number),
            // The last of several arguments, or the only one.
            Some("(") => {
                let close = brackets.close(at + 1).saturating_sub(2);
                let alone = body.get(close.saturating_sub(1)).is_some_and(|t| match t.text {
                    "(" => matches!(*name, "within" | "be_within"),
                    "," => matches!(*name, "InDelta" | "InEpsilon" | "toBeCloseTo"),
                    _ => false,
                });
                body.get(close).filter(|_| alone).and_then(number)
            }
            _ => None,
        };
        if let Some(value) = value {
            // Turned round where more is stricter, so that larger is looser everywhere.
            let loose = if *up { -value } else { value };
            let slot = out.entry(name).or_insert(loose);
            *slot = slot.max(loose);
        }
    }
}

fn number(token: &Token<'_>) -> Option<f64> {
    let plain: String = token.text.chars().filter(|c| *c != '_').collect();
    let plain = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic() && c != 'e');
    (token.sort == Sort::Number).then(|| plain.parse().ok()).flatten()
}
