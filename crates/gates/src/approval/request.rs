//! Requests, purposes and descriptions: "make sure all tests pass", "the hook checks that lint is clean".

use proctor_prose::{Reading, Token, TokenKind, tag};

/// Whether the clause tells what is to be done, or what something does, rather than what came of a check.
pub(super) fn asks(reading: &Reading, tokens: &[&Token]) -> bool {
    if orders(reading, tokens) {
        return true;
    }
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    tokens.iter().enumerate().any(|(at, token)| {
        let word = reading.word(token);
        let next = word_at(at + 1);
        match token.kind {
            TokenKind::Hangul => {
                word.ends_with("는지")
                    || word.ends_with("할지")
                    || word.ends_with("주세요")
                    || word.ends_with("하도록")
                    || word.ends_with("되도록")
            }
            TokenKind::Word => match word {
                "whether" | "until" | "unless" | "must" | "ensure" | "ensures" | "whenever" | "if" => true,
                "make" | "makes" | "making" => next == "sure",
                "ensuring" | "enforces" | "enforce" | "guaranteeing" => true,
                "so" => next == "that",
                "asks" => next == "for",
                // "when all its tests are green"; "when I ran them" and "when running the tests" tell.
                "when" => {
                    !tokens.get(at + 1).is_some_and(|t| t.tags.any(tag::FIRST)) && !next.ends_with("ing")
                }
                // What a program or a person does again and again.
                "validates" | "verifies" | "checks" | "asserts" | "confirms" | "guarantees" | "requires"
                | "expects" | "waits" | "fails" => at > 0 && matches!(next, "that" | "if" | "for"),
                _ => false,
            },
            _ => false,
        }
    })
}

/// Whether the clause begins with an order: "Run `cargo test` to check", "get the build green".
fn orders(reading: &Reading, tokens: &[&Token]) -> bool {
    let mut words = tokens.iter().filter(|t| t.is_word() || t.kind == TokenKind::Code);
    let first = words.next().map_or("", |t| reading.word(t));
    let Some(second) = words.next() else { return false };
    // "You asked for no failing tests."
    if first == "you" && matches!(reading.word(second), "asked" | "wanted" | "want" | "requested") {
        return true;
    }
    // "Make phpstan pass", "Get the export tests green"
    let wanted = |t: &&Token| {
        matches!(
            reading.word(t),
            "pass" | "green" | "clean" | "succeed" | "compile" | "build"
        )
    };
    if matches!(first, "make" | "get" | "let")
        && second.tags.any(tag::TESTS | tag::TYPES | tag::LINT | tag::TOOL)
        && tokens.iter().skip(2).any(wanted)
    {
        return true;
    }
    let object = second.kind == TokenKind::Code
        || matches!(
            reading.word(second),
            "the"
                | "it"
                | "this"
                | "that"
                | "these"
                | "your"
                | "a"
                | "an"
                | "all"
                | "both"
                | "whether"
                | "if"
                | "sure"
                | "our"
                | "everything"
                | "until"
                | "for"
                | "them"
                | "each"
                | "every"
        );
    match first {
        "make" | "ensure" | "get" | "keep" | "check" | "verify" | "confirm" | "run" | "wait" | "let"
        | "see" | "try" | "have" | "rerun" | "re-run" | "rebuild" | "test" | "build" => {
            object && !tokens.iter().take(4).any(|t| t.is_punct(':'))
        }
        "please" | "to" => true,
        // "Were the suite to pass, …"
        "were" => tokens.iter().any(|t| reading.word(t) == "to"),
        _ => false,
    }
}
