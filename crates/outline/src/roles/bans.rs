//! What a prohibition of a path forbids (a change, the loss of the file, a manner of changing it), where it ends, and
//! what only tells that something was not done.

use super::{FILE_CHANGES, NEGATIONS, READS, Role, Token, is_form, push_words};
use crate::labels::Kind;
use crate::list::{List, list, listed};
use crate::paths::Mention;
use crate::text::{floor, slice};

/// Verbs after which a file is no longer where it was.
static LOSSES: &List = list!("delet|remov|renam|mov", by_word = false);
/// Verbs that say how a file is changed, or what becomes of the change: an edit alone shows nothing of them.
static MANNERS: &List = list!("reformat|format|replac|commit", by_word = false);
/// Korean verbs of [`super::korean::BANNED`] after which a file is no longer where it was.
const KOREAN_LOSSES: [&str; 3] = ["삭제", "옮기", "지우"];

fn is_negation(word: &str) -> bool {
    NEGATIONS.has(word) || word.ends_with("n't")
}

/// The role of a path whose change is forbidden by the verbs among `said`; `behind` stands behind the path.
pub(super) fn role<'t>(said: impl Iterator<Item = &'t Token>, behind: &[Token]) -> Role {
    let anew = behind.windows(2).any(|pair| {
        matches!(pair, [from, scratch] if from.word() == "from" && matches!(scratch.word(), "scratch" | "zero"))
    });
    let mut role = None;
    for word in said.map(Token::word).filter(|word| is_form(word, FILE_CHANGES)) {
        let this = if is_form(word, LOSSES) {
            Role::Kept
        } else if is_form(word, MANNERS) || anew && is_form(word, list!("rewrit|writ", by_word = false)) {
            Role::Mentioned
        } else {
            return Role::Excluded;
        };
        if role != Some(Role::Kept) {
            role = Some(this);
        }
    }
    role.unwrap_or(Role::Excluded)
}

/// The same of what is said behind a path: `X must not be renamed`. Without a denied verb nothing may change (`X is frozen`).
pub(super) fn role_behind(after: &[Token]) -> Role {
    let near = after.get(..after.len().min(12)).unwrap_or_default();
    match near.iter().position(|token| is_negation(token.word())) {
        Some(at) => role(
            near.iter()
                .skip(at + 1)
                .take_while(|t| !matches!(t, Token::Path(_))),
            near,
        ),
        None => Role::Excluded,
    }
}

/// The role of a path behind which a Korean ban stands; `head` is what is said before the ban's mark.
pub(super) fn korean_role(head: &str) -> Role {
    let mut role = None;
    for verb in super::korean::BANNED {
        if !head.contains(verb) {
            continue;
        }
        let names =
            matches!(verb, "변경" | "바꾸" | "수정") && (head.contains("이름") || head.contains("파일명"));
        let this = if KOREAN_LOSSES.contains(&verb) || names {
            Role::Kept
        } else if verb == "커밋" {
            Role::Mentioned
        } else {
            return Role::Excluded;
        };
        if role != Some(Role::Kept) {
            role = Some(this);
        }
    }
    role.unwrap_or(Role::Excluded)
}

/// Whether a section's words bind as they stand, whatever their tense: an outcome `X was not changed` is to be.
fn binds(kind: Option<Kind>) -> bool {
    !matches!(kind, None | Some(Kind::Task | Kind::Context))
}

/// Whether the denial at `n` tells what was not done (`you didn't update X`, `nobody has changed X`, `git shows no changes
/// in X`), and orders nothing.
pub(super) fn is_told(words: &[Token], n: usize, kind: Option<Kind>) -> bool {
    if binds(kind) {
        return false;
    }
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", Token::word);
    let (denial, before, next) = (word(Some(n)), word(n.checked_sub(1)), word(Some(n + 1)));
    if listed!("didn't|hasn't|haven't|hadn't|wasn't|weren't", denial) {
        return true;
    }
    let past = |word: &str| {
        word.len() > 4 && word.ends_with("ed") || listed!("wrote|made|was|were|has|have|had|did", word)
    };
    match denial {
        "not" => listed!("did|has|have|had|was|were", before) && next != "to",
        "never" => listed!("has|have|had|was|were", before) || past(next),
        "nobody" | "none" | "nothing" => past(next),
        "no" => listed!(
            "is|are|was|were|has|had|made|shows|show|showed|see|sees|saw|finds|find|found|contains|contained|reports|\
            reported|lists|listed|says|said",
            before
        ),
        _ => false,
    }
}

/// Whether what is denied behind a path was told of the past: `X was not changed since May`.
pub(super) fn is_told_behind(after: &[Token], kind: Option<Kind>) -> bool {
    let near = after.get(..after.len().min(8)).unwrap_or_default();
    near.iter()
        .position(|token| is_negation(token.word()))
        .is_some_and(|at| is_told(near, at, kind))
}

/// Bytes of a clause, and of what follows it, in which the end of a ban is looked for.
const NEAR: usize = 240;

/// Whether a ban ends at a comma, because an order of its own follows: `don't touch X, fix Y instead`, `change nothing yet,
/// just look at X`. In a list of bans (`do not edit X, move Y or delete Z`) it goes on.
pub(super) fn ends(text: &str, (from, comma, to): (usize, usize, usize), mentions: &[Mention]) -> bool {
    if comma - from > NEAR {
        return false;
    }
    let mut said = Vec::new();
    push_words(&mut said, slice(text, from, comma));
    let verb = |token: &Token| is_form(&token.word().to_lowercase(), FILE_CHANGES);
    let Some(denied) = said.iter().position(|token| is_negation(token.word())) else {
        return false;
    };
    // The denied verb has its object before the comma, or is it: `no changes`.
    let object = match said.iter().skip(denied + 1).position(verb) {
        Some(at) => denied + 2 + at < said.len() || said.get(denied).is_some_and(|t| t.word() == "no"),
        None => false,
    };
    if !object
        || said
            .last()
            .is_some_and(|last| verb(last) && last.word() != "changes")
    {
        return false;
    }
    let end = floor(text, to.min(comma + NEAR));
    let mut follows = Vec::new();
    push_words(&mut follows, slice(text, comma, end));
    let word = |at: usize| follows.get(at).map_or("", Token::word);
    let lead = (0..follows.len()).find(|at| {
        !listed!(
            "please|just|then|instead|only|always|simply|rather|and|now|first",
            word(*at)
        )
    });
    let Some(at) = lead else { return false };
    let next = mentions.partition_point(|m| m.start < comma);
    let named = mentions.get(next).filter(|m| m.start < end);
    let right_behind = |skipped: usize| {
        let between = named.map(|m| slice(text, comma, m.start));
        let mut words = Vec::new();
        push_words(&mut words, between.unwrap_or_default());
        between.is_some() && words.len() == skipped
    };
    // `never edit X, always Y`
    if at > 0 && listed!("always|instead|rather", word(at - 1)) && right_behind(at) {
        return true;
    }
    let list = (at..follows.len()).any(|i| listed!("or|nor", word(i)) && is_form(word(i + 1), FILE_CHANGES));
    let base = !["s", "ed", "ing", "en"].iter().any(|end| word(at).ends_with(end));
    let changes =
        is_form(word(at), FILE_CHANGES) && !listed!("format|patch|work|commit|go|mess|clean|fix", word(at));
    let may_order = base && (is_form(word(at), FILE_CHANGES) || READS.has(word(at)) || word(at) == "list");
    let object = at + 1 < follows.len() && !listed!("or|nor|and", word(at + 1));
    // `test files`, `format changes`: what may be a noun needs what only an object has.
    let sure = changes
        || at > 0 && word(at - 1) != "and"
        || right_behind(at + 1)
        || listed!(
            "the|it|this|that|these|those|a|an|at|what|how|why|only|my|our|your|all|each|into|if|whether|where|them",
            word(at + 1)
        );
    may_order && object && sure && !list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ended(text: &str) -> bool {
        let mentions = crate::paths::find(text);
        text.match_indices(',')
            .any(|(comma, _)| ends(text, (0, comma, text.len()), &mentions))
    }

    #[test]
    fn a_ban_ends_before_an_order_of_its_own() {
        for text in [
            "Do not change src/a.py, change src/b.py.",
            "Don't touch src/a.py, fix src/b.py instead.",
            "Never edit src/a.py, always src/b.py.",
            "don't change anything yet, just look at src/a.py",
            "No changes to src/a.py, please review it only, explain what it does",
            "Don't edit src/a.py, update the docs",
        ] {
            assert!(is_ended(text), "{text}");
        }
        for text in [
            "Do not modify, delete src/a.py",
            "Do not edit src/a.py, move src/b.py or delete src/c.py",
            "Do not touch src/a.py, test files or docs/",
            "Do not touch src/a.py, src/b.py",
            "Never edit src/a.py, formatting included",
            "Edit src/a.py, change src/b.py",
        ] {
            assert!(!is_ended(text), "{text}");
        }
    }
}
