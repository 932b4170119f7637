//! Where a text refuses: machine markers and words of refusal as verdicts.

use super::sentence::placeholder;
use proctor_prose::{Clause, Features, Kinds, Language, Reading, Token, TokenKind, lookup, tag};

/// Whether a clause gives a machine marker of refusal as its verdict: `NEEDS_REVIEW: …`, `Verdict: NEEDS_REVIEW`,
/// "downgraded to NEEDS_REVIEW".
fn refusing_marker(reading: &Reading, tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        if !matches!(token.kind, TokenKind::Ident | TokenKind::Code) | token.quoted {
            return false;
        }
        let word = reading.word(token);
        if !word.contains('_') {
            return false;
        }
        let before = tokens.get(..at).unwrap_or_default();
        let changed = || {
            let mut words = before.iter().rev().filter(|t| t.is_word());
            words.next().is_some_and(|t| reading.word(t) == "to")
                && words.next().is_some_and(|t| reading.word(t).ends_with("ed"))
        };
        // Near the beginning the words before it are asked first: to look a name up takes longer.
        let near = at <= 8;
        let label = tag::VERDICT | tag::FIRST | tag::STOP | tag::INTENS;
        let first = || before.iter().all(|t| !t.is_word() || t.tags.any(label));
        if near && !first() && !changed() {
            return false;
        }
        let word = word.trim_matches('`');
        if word.len() > 24 || !lookup(word).any(tag::REFUSE) {
            return false;
        }
        // "NEEDS_REVIEW → APPROVE" and "NEEDS_REVIEW or APPROVE" leave it behind, or open.
        let over = tokens.get(at + 1).is_some_and(|t| {
            matches!(t.kind, TokenKind::Punct('→' | '>' | '/' | '|'))
                || matches!(reading.word(t), "or" | "또는")
        });
        !over && (near || changed()) && !placeholder(tokens, at)
    })
}

/// How a clause refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    None,
    /// By a word in the place of a verdict, or a denied approval.
    Word,
    /// By a machine marker.
    Marker,
}

/// Whether a clause refuses: a denied approval, or a word of refusal as verdict. `joined` tells whether a name or inline code
/// in it may have several words.
pub(super) fn refuses(reading: &Reading, clause: &Clause, tokens: &[Token], joined: bool) -> Refusal {
    let word = clause.tags.any(tag::REFUSE | tag::APPROVE);
    let marker = joined && clause.kinds.any(Kinds::IDENT.or(Kinds::CODE));
    if !word && !marker {
        return Refusal::None;
    }
    if clause
        .features
        .any(Features::QUESTION.or(Features::QUOTED).or(Features::STRUCK))
    {
        return Refusal::None;
    }
    // A marker in front of its condition is a verdict: NEEDS_REVIEW if the tests fail.
    if marker && refusing_marker(reading, tokens) {
        return Refusal::Marker;
    }
    if !word || clause.features.has(Features::CONDITIONAL) {
        return Refusal::None;
    }
    let denied = |at: usize| {
        tokens
            .get(at.saturating_sub(4)..at)
            .unwrap_or_default()
            .iter()
            .any(|t| t.tags.any(tag::NEG) && t.kind == TokenKind::Word)
    };
    let refuses = tokens.iter().enumerate().any(|(at, token)| {
        if token.quoted || token.struck || !token.tags.any(tag::REFUSE | tag::APPROVE) {
            return false;
        }
        let word = reading.word(token);
        if token.tags.any(tag::REFUSE) && !denied(at) {
            let first = at <= 8
                && tokens
                    .iter()
                    .take(at)
                    .all(|t| !t.is_word() || t.tags.any(tag::VERDICT | tag::FIRST | tag::STOP | tag::INTENS));
            let korean_verdict = clause.language != Language::English
                && (word.starts_with("반려")
                    || word.starts_with("기권")
                    || word.starts_with("미승인")
                    || word.starts_with("불승인"));
            let zero = tokens
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take(3)
                .any(|t| t.tags.any(tag::ZERO) || reading.word(t) == "none");
            let noun = matches!(
                word,
                "blocking" | "blocked" | "block" | "hold" | "denied" | "deny"
            );
            return !zero
                && !noun
                && (token.phrase > 1
                    || token.kind == TokenKind::Ident
                    || korean_verdict
                    || token.kind == TokenKind::Word && first);
        }
        // I cannot APPROVE this; not approved; 승인하지 않습니다.
        token.tags.any(tag::APPROVE) && (token.kind == TokenKind::Word && denied(at) || token.denies())
    });
    if refuses && !takes_back(reading, tokens) {
        Refusal::Word
    } else {
        Refusal::None
    }
}

/// Whether a clause takes a refusal back: "I withdraw my earlier hold", 반대 의견을 철회합니다.
fn takes_back(reading: &Reading, tokens: &[Token]) -> bool {
    const LET_GO: [&str; 16] = [
        "withdraw",
        "withdrawn",
        "withdrew",
        "withdrawing",
        "retract",
        "lift",
        "lifted",
        "lifting",
        "drop",
        "dropped",
        "dropping",
        "release",
        "released",
        "remove",
        "removed",
        "waive",
    ];
    const REFUSALS: [&str; 10] = [
        "hold",
        "holds",
        "objection",
        "objections",
        "veto",
        "block",
        "rejection",
        "reservation",
        "reservations",
        "nack",
    ];
    const KOREAN: [&str; 5] = ["보류", "반대", "반려", "거부", "이의"];
    const KOREAN_LET_GO: [&str; 6] = ["철회", "거두", "거둡", "물립", "물리", "풉"];
    let said = || tokens.iter().filter(|t| !t.quoted && t.is_word());
    let is = |words: &[&str]| said().position(|t| words.contains(&reading.word(t)));
    let starts = |words: &[&str]| {
        said()
            .position(|t| t.kind == TokenKind::Hangul && words.iter().any(|w| reading.word(t).starts_with(w)))
    };
    let english = is(&LET_GO)
        .zip(is(&REFUSALS))
        .is_some_and(|(go, what)| go < what && what - go <= 4);
    let korean = starts(&KOREAN)
        .zip(starts(&KOREAN_LET_GO))
        .is_some_and(|(what, go)| what < go && go - what <= 2);
    english && !said().any(|t| t.tags.any(tag::NEG) && t.kind == TokenKind::Word) || korean
}
