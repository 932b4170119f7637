//! Go: asking for an error that a call cannot give any more, or that only the test's own means could give, asserts nothing of
//! the product.

use super::find::Brackets;
use super::lang::Lang;
use super::lex::{Sort, Token};

/// Packages of the standard library by which tests make their own means: files, folders, processes, connections.
const MEANS: [&str; 7] = ["os", "ioutil", "filepath", "exec", "net", "io", "embed"];

/// A call whose error a test asks for, and fails with: `x, err := pkg.F(1)`, `if err != nil { t.Fatal(err) }`.
struct Asked<'a> {
    /// The package or the value that it is called on; empty for a function of the package.
    owner: &'a str,
    name: &'a str,
}

/// How many of the errors that a test asked for cannot be there any more: the call gives none by now, or it made means of the
/// test's own and is gone.
pub(super) fn errors(lang: Lang, was: &[Token<'_>], is: &[Token<'_>]) -> usize {
    if lang != Lang::Go {
        return 0;
    }
    let (before, mut after) = (asked(was), asked(is));
    let lost = before.into_iter().filter(|call| {
        // One for one.
        match after
            .iter()
            .position(|a| a.name == call.name && a.owner == call.owner)
        {
            Some(at) => {
                after.swap_remove(at);
                false
            }
            None => true,
        }
    });
    lost.filter(|call| {
        let calls: Vec<usize> = calls_of(is, call.name).collect();
        let own = MEANS.contains(&call.owner);
        own && calls.is_empty() || !calls.is_empty() && calls.iter().all(|at| gives_one(is, *at))
    })
    .count()
}

/// The calls whose errors end a test.
fn asked<'a>(body: &[Token<'a>]) -> Vec<Asked<'a>> {
    let mut out = Vec::new();
    for (at, window) in body.windows(5).enumerate() {
        let [cond, error, differs, nothing, open] = window else {
            continue;
        };
        let asks = (cond.is_word("if") || cond.is_sign(";"))
            && error.sort == Sort::Word
            && differs.is_sign("!=")
            && nothing.is_word("nil")
            && open.is_sign("{");
        let inside = body.get(at + 5..).unwrap_or_default();
        let fails = matches!(inside, [t, dot, word, ..] if matches!(t.text, "t" | "tb" | "b") && dot.is_sign(".")
            && matches!(word.text, "Fatal" | "Fatalf" | "Error" | "Errorf"));
        if asks
            && fails
            && let Some(call) = given(body.get(..at).unwrap_or_default(), error.text)
        {
            out.push(call);
        }
    }
    out
}

/// The call that gave a name its value last.
fn given<'a>(before: &[Token<'a>], error: &str) -> Option<Asked<'a>> {
    let sets = before.windows(2).rposition(|w| {
        matches!(w, [name, sign] if name.is_word(error) && (sign.is_sign(":=") || sign.is_sign("=")))
            || matches!(w, [name, sign] if name.is_word(error) && sign.is_sign(":"))
    })?;
    let rest = before.get(sets + 1..)?;
    let open = rest.iter().position(|t| t.is_sign("("))?;
    let name = rest.get(open.checked_sub(1)?).filter(|t| t.sort == Sort::Word)?;
    let dot = open
        .checked_sub(2)
        .and_then(|n| rest.get(n))
        .filter(|t| t.is_sign("."));
    let owner = dot.and_then(|_| rest.get(open.checked_sub(3)?));
    Some(Asked {
        owner: owner.map_or("", |t| t.text),
        name: name.text,
    })
}

/// Where a function of this name is called.
fn calls_of<'b>(body: &'b [Token<'_>], name: &'b str) -> impl Iterator<Item = usize> + 'b {
    let calls = body.windows(2).enumerate();
    calls.filter_map(move |(at, w)| {
        matches!(w, [n, open] if n.is_word(name) && open.is_sign("(")).then_some(at)
    })
}

/// Whether what a call gives is used as one value: Go takes no call with an error beside it there, and drops none unseen but
/// in a statement of its own.
fn gives_one(body: &[Token<'_>], at: usize) -> bool {
    // To the beginning of `pkg.F`.
    let mut from = at;
    while from >= 2 && body.get(from - 1).is_some_and(|t| t.is_sign(".")) {
        from -= 2;
    }
    let Some(before) = from.checked_sub(1).and_then(|n| body.get(n)) else {
        return false;
    };
    let end = Brackets::of(body).close(at + 1);
    let behind = body.get(end);
    if matches!(before.text, "=" | ":=") && before.sort == Sort::Sign {
        // The names on this line.
        let line = before.line;
        let names = body.get(..from - 1).unwrap_or_default().iter().rev();
        let mut names = names.take_while(|t| t.line == line && !matches!(t.text, ";" | "{" | "if"));
        return !names.any(|t| t.is_sign(",") || t.is_word("err") || t.is_word("_"));
    }
    // Within an expression, or compared with something.
    let within = before.sort == Sort::Sign && !matches!(before.text, "{" | "}" | ";" | ")");
    let compared =
        behind.is_some_and(|t| matches!(t.text, "==" | "!=" | "<" | ">" | "<=" | ">=" | "." | "["));
    // `f(g(1))` hands both on.
    let handed = before.is_sign("(") && behind.is_some_and(|t| t.is_sign(")"));
    (within || compared) && !handed
}
