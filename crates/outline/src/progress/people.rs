//! Whether words are about the work of somebody else.

use super::signs::Signs;
use super::status::View;
use proctor_prose::{Token, TokenKind};

/// Whether a stretch that tells of a state speaks of somebody else's work: "Bob has finished the …", "merged
/// by Alice", "인프라팀에서 …".
pub(super) fn is_other(view: View<'_>) -> bool {
    if view.signs().any(Signs::PEOPLE) {
        return true;
    }
    let tokens = view.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |t| view.reading.word(t));
    let mut place = 0;
    for (i, token) in tokens.iter().enumerate() {
        if matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji) || token.quoted {
            continue;
        }
        let previous = i.checked_sub(1).map_or("", word);
        if token.kind == TokenKind::Mention {
            let korean = tokens
                .get(i + 1)
                .is_some_and(|n| n.glued && n.kind == TokenKind::Hangul);
            if korean || acts(word(i + 1)) || previous == "by" {
                return true;
            }
        }
        if is_name(view, i, token) {
            if previous == "by" && !is_day(view.reading.word(token)) {
                return true;
            }
            let next = word(i + 1);
            if place < 2 {
                let auxiliary = matches!(next, "has" | "already" | "is" | "will" | "did");
                if auxiliary && does_something(view, i + 2) {
                    return true;
                }
                let object = tokens.get(i + 2).is_some() && !view.senses.places(view.from + i + 2).is_empty();
                if acts(next) && (object || is_object(word(i + 2))) {
                    return true;
                }
            }
        }
        place += 1;
    }
    false
}

/// A capitalised word that no list knows: perhaps a name.
fn is_name(view: View<'_>, at: usize, token: &Token) -> bool {
    let sense = view.senses.get(view.from + at);
    let word = view.reading.word(token);
    token.kind == TokenKind::Word
        && token.capital
        && !token.caps
        && token.chars > 1
        && word
            .trim_end_matches("'s")
            .bytes()
            .all(|b| b.is_ascii_lowercase())
        && !sense.known
        && view.senses.places(view.from + at).is_empty()
        && !sense.finished
        && !word.ends_with("ing")
        && sense.signs.without(Signs::CONTENT).is_empty()
        && !matches!(
            word,
            "everything"
                | "nothing"
                | "each"
                | "finally"
                | "already"
                | "also"
                | "just"
                | "now"
                | "then"
                | "work"
        )
}

fn is_day(word: &str) -> bool {
    matches!(
        word,
        "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
    )
}

fn acts(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed")
        || matches!(
            word,
            "did"
                | "wrote"
                | "took"
                | "has"
                | "is"
                | "made"
                | "built"
                | "ran"
                | "will"
                | "already"
                | "owns"
                | "handles"
                | "does"
                | "says"
                | "said"
        )
}

fn is_object(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "it"
            | "this"
            | "that"
            | "item"
            | "items"
            | "number"
            | "on"
            | "both"
            | "all"
            | "a"
            | "an"
            | "his"
            | "her"
            | "already"
    )
}

/// `Bob has already finished …`, `Bob is doing …`: a person acts; `Backfill has finished` does not.
fn does_something(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |t| view.reading.word(t));
    let at = at + usize::from(word(at) == "already");
    let verb = word(at);
    let does = acts(verb) || verb.ends_with("ing") || matches!(verb, "done" | "taken" | "on");
    does && (is_object(word(at + 1)) && word(at + 1) != "already" || word(at + 1) == "care")
}
