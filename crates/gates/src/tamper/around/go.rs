//! Go: `TestMain` and `init` of the files with tests.

use super::{Effect, File, What, ends_well, has};
use crate::tamper::lex::{Sort, Token};

/// Flags by which a run selects its tests.
const SELECT: [&str; 4] = ["test.run", "test.skip", "test.list", "test.short"];

pub(super) fn effects(file: &File<'_, '_>) -> Vec<Effect> {
    let mut out = Vec::new();
    let mut budget = file.budget();
    if !file.source.collected {
        return out;
    }
    for at in (0..file.code.len()).filter(|at| file.at(*at).is_some_and(|t| t.is_word("func") && t.first)) {
        // A method has its receiver there.
        let Some(name) = file.at(at + 1).filter(|t| t.sort == Sort::Word) else {
            continue;
        };
        let open = at + 2;
        let parameters = file.part(open..file.brackets.close(open));
        // Whatever it is called: who takes this runs the tests.
        let main =
            (0..parameters.len()).find(|at| super::reads(parameters, *at, &["*", "testing", ".", "M"]));
        if main.is_none() && name.text != "init" {
            continue;
        }
        let from = file.brackets.close(open);
        let Some(begin) = (from..from + 4).find(|at| file.reads(*at, &["{"])) else {
            continue;
        };
        let end = file.brackets.close(begin);
        let Some(left) = budget.checked_sub(end.saturating_sub(at)) else {
            break;
        };
        budget = left;
        let body = file.part(begin + 1..end);
        let runs = main
            .and_then(|at| at.checked_sub(1))
            .and_then(|at| parameters.get(at));
        let found = what(name.text, body, runs.map(|m| m.text));
        out.extend(
            found
                .into_iter()
                .map(|what| file.effect(what, name.text, at..end)),
        );
    }
    out
}

/// `runs` is the name of what runs the tests.
fn what(name: &str, body: &[Token<'_>], runs: Option<&str>) -> Vec<What> {
    let mut out = Vec::new();
    if exits_well(body) {
        out.push(What::Ends);
    }
    let selects = |t: &Token<'_>| {
        let flag = t
            .text
            .trim_start_matches('-')
            .split('=')
            .next()
            .unwrap_or_default();
        t.sort == Sort::Text && SELECT.contains(&flag)
    };
    let mut leaves_out = body.iter().any(selects);
    if let Some(runs) = runs {
        match body.iter().position(|t| t.is_word(runs)) {
            None => out.push(What::NeverRuns),
            // Whoever comes back before it has run nothing.
            Some(first) => {
                let before = body.get(..first).unwrap_or_default();
                leaves_out |= name == "TestMain" && before.iter().any(|t| is_bare_return(before, t));
            }
        }
        // Its number is what the process ends with.
        if name != "TestMain" && has_zero(body) {
            out.push(What::Turns);
        }
    }
    if leaves_out {
        out.push(What::LeavesOut);
    }
    out
}

fn exits_well(body: &[Token<'_>]) -> bool {
    (0..body.len()).any(|at| {
        let exits = ["os", "syscall"]
            .iter()
            .any(|of| super::reads(body, at, &[of, ".", "Exit"]));
        exits && ends_well(body, at + 3)
    })
}

/// `return 0`
fn has_zero(body: &[Token<'_>]) -> bool {
    has(body, &["return", "0"])
}

/// A `return` of the function itself: one within a function of its own is none.
fn is_bare_return(body: &[Token<'_>], token: &Token<'_>) -> bool {
    token.is_word("return") && !body.iter().any(|t| t.is_word("func"))
}
