//! "I verified that it works": a verification of the work itself that does not name its kind of check.

use super::named::Source;
use super::{subject, success};
use proctor_kernel::CheckKinds;
use proctor_prose::{Clause, Reading, Token, TokenKind, tag};

/// How many words away what was found is looked for.
const NEAR: usize = 40;

/// Whether the clause at `at` claims one.
pub(super) fn is(reading: &Reading, clauses: &[Clause], at: usize, tokens: &[&Token]) -> bool {
    tokens.iter().enumerate().any(|(i, token)| match token.kind {
        // "All checks pass."
        TokenKind::Word if token.phrase > 1 && token.tags.any(tag::CHECK) && token.tags.any(tag::OKRES) => {
            tokens.iter().any(|t| reading.word(t) == "checks")
        }
        TokenKind::Word => english(reading, clauses, at, tokens, i),
        TokenKind::Hangul => korean(reading, clauses.get(at + 1), tokens, i),
        _ => false,
    })
}

/// The checks with which a clause says that its writer verified something, and where it begins to say so: "verified with
/// pytest", 테스트로 확인했습니다.
pub(super) fn with(source: &Source<'_>, reading: &Reading, tokens: &[&Token]) -> (CheckKinds, usize) {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    for (i, token) in tokens.iter().enumerate() {
        let word = word_at(i);
        if token.kind == TokenKind::Hangul {
            let looked = ["확인", "검증"].iter().find_map(|s| word.strip_prefix(s));
            let done = ended(word_at(i + 1));
            if looked.is_some_and(|rest| ended(rest) || rest.is_empty() && done)
                && !is_of_a_fault(reading, tokens, i)
            {
                let last = i.checked_sub(1).map_or("", word_at);
                // The means is one word, or code with its particle: 유닛 테스트로, `npm test`로.
                let particle = usize::from(matches!(last, "로" | "으로" | "까지"));
                let before = i.checked_sub(2 + particle).and_then(|at| tokens.get(at));
                let listed = usize::from(before.is_some_and(|t| t.phrase == 2));
                let from = i.saturating_sub(1 + particle + listed);
                let means = tokens.get(from..i).unwrap_or_default();
                let too = last.ends_with("까지") && looked == Some("") && done;
                if last.ends_with('로') || too {
                    return (subject::kinds(source, reading, means), 0);
                }
            }
            continue;
        }
        let looked = matches!(
            word,
            "verified"
                | "validated"
                | "confirmed"
                | "checked"
                | "double-checked"
                | "re-verified"
                | "tested"
                | "retested"
        );
        // The speaker's own deed: "Verified with …", "…, verified with …", "I verified it with …". What is checked by something
        // is checked again and again, or was by another.
        let mut before = i;
        while before > 0
            && tokens.get(before - 1).is_some_and(|t| {
                t.tags.any(tag::INTENS)
                    || matches!(word_at(before - 1), "also" | "have" | "then" | "just" | "and")
            })
        {
            before -= 1;
        }
        let own = before == 0
            || tokens
                .get(before - 1)
                .is_some_and(|t| !t.is_word() || t.tags.any(tag::FIRST));
        if !looked || !own || by_another(reading, tokens, i) {
            continue;
        }
        let kinds = (i + 1..(i + 6).min(tokens.len()))
            .find(|at| {
                matches!(
                    word_at(*at),
                    "with" | "via" | "by" | "using" | "through" | "against"
                )
            })
            .map_or(CheckKinds::NONE, |by| means(source, reading, tokens, by + 1));
        if !kinds.is_empty() {
            // "…, verified with pytest": what stands before the comma has a mood of its own.
            let apart = i > 0 && tokens.get(i - 1).is_some_and(|t| t.is_punct(','));
            return (kinds, if apart { i } else { 0 });
        }
    }
    (CheckKinds::NONE, 0)
}

/// The checks that a means is, which begins at `at`: "the unit tests", "running `cargo test`", "a test run". One that goes on with
/// another noun is none: "the build log", "the test server".
fn means(source: &Source<'_>, reading: &Reading, tokens: &[&Token], at: usize) -> CheckKinds {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    let light = |i: usize| {
        let word = word_at(i);
        matches!(
            word,
            "the"
                | "a"
                | "an"
                | "our"
                | "my"
                | "all"
                | "full"
                | "whole"
                | "entire"
                | "running"
                | "executing"
                | "unit"
                | "new"
                | "existing"
                | "of"
                | "regression"
                | "integration"
                | "local"
        )
    };
    let mut from = at;
    while from < at + 5 && light(from) && tokens.get(from).is_none_or(|t| t.phrase < 2) {
        from += 1;
    }
    let length = tokens.get(from).map_or(1, |t| usize::from(t.phrase).max(1));
    let ends = tokens
        .get(from + length)
        .is_none_or(|t| !t.is_word() || t.tags.any(tag::STOP | tag::CLAUSE | tag::INTENS | tag::HEARSAY));
    let head = tokens
        .get(from..(from + length).min(tokens.len()))
        .unwrap_or_default();
    let ends = ends && (length == 1 || success::ends_in_a_check(reading, tokens, from + length - 1));
    match ends && word_at(from + length) != "instead" {
        true => subject::kinds(source, reading, head),
        false => CheckKinds::NONE,
    }
}

/// Whether a Korean clause tells that a fault or its cause was found: 원인은 빌드 로그로 확인했습니다.
fn is_of_a_fault(reading: &Reading, tokens: &[&Token], at: usize) -> bool {
    let before = tokens.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    before.iter().any(|t| {
        let word = reading.word(t);
        ["버그", "원인", "실패", "재현", "오류", "에러", "대신"]
            .iter()
            .any(|w| word.starts_with(w))
    })
}

/// Whether a Korean verb that begins a word goes on as a deed that is done: 했습니다, 완료.
fn ended(w: &str) -> bool {
    let rest = w.strip_prefix("완료").unwrap_or(w);
    rest.is_empty() && w != rest
        || [
            "마쳤",
            "끝났",
            "끝냈",
            "했",
            "됐",
            "되었",
            "하였",
            "마침",
            "입니다",
            "합니다",
        ]
        .iter()
        .any(|e| rest.starts_with(e))
}

fn english(reading: &Reading, clauses: &[Clause], at: usize, tokens: &[&Token], i: usize) -> bool {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    let word = word_at(i);
    let strong = matches!(
        word,
        "verified" | "validated" | "confirmed" | "re-verified" | "reverified"
    );
    let tested = matches!(word, "tested" | "retested" | "re-tested" | "smoke-tested");
    let looked = matches!(word, "ran" | "tried" | "checked" | "double-checked" | "exercised");
    if !(strong || tested || looked) || by_another(reading, tokens, i) || attributive(reading, tokens, i) {
        return false;
    }
    if tested {
        return true;
    }
    // The verification may end in the next clause: "ran it, and the output is correct".
    let works_later = clauses.iter().skip(at + 1).take(2).any(|c| {
        reading
            .tokens_of(c)
            .iter()
            .take(NEAR)
            .any(|t| !t.quoted && works(reading.word(t)))
    });
    let near = tokens.get(i..(i + NEAR).min(tokens.len())).unwrap_or_default();
    let to_end = near.windows(3).any(|w| {
        let [a, b, c] = w else { return false };
        reading.word(a) == "end" && reading.word(b) == "to" && reading.word(c) == "end"
    });
    let works_here = to_end
        || tokens
            .iter()
            .skip(i + 1)
            .take(NEAR)
            .any(|t| works(reading.word(t)));
    if looked {
        return works_here || works_later;
    }
    let mut next = i + 1;
    while matches!(word_at(next), "that" | "and" | "also" | "again" | "now") {
        next += 1;
    }
    let object = word_at(next);
    // "Confirmed." alone answers a question.
    let bare = word != "confirmed"
        && tokens
            .get(next)
            .is_none_or(|t| matches!(t.kind, TokenKind::Punct(_)));
    let by_hand = i > 0 && matches!(word_at(i - 1), "manually" | "personally" | "locally");
    works_here
        || by_hand
        || bare
        || matches!(
            object,
            "it" | "this"
                | "everything"
                | "manually"
                | "end"
                | "end-to-end"
                | "locally"
                | "working"
                | "both"
        )
        // "Verified in Chrome 131"; "I verified in the documentation" is reading.
        || matches!(object, "with" | "in" | "on" | "against")
            && !i.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|t| t.tags.any(tag::FIRST))
        || tokens
            .iter()
            .skip(next)
            .take(NEAR)
            .any(|t| matches!(reading.word(t), "against" | "across"))
        || object == "the"
            && matches!(
                word_at(next + 1),
                "fix" | "change" | "changes" | "result" | "behaviour" | "behavior"
            )
}

/// Words that say that the thing does what it should.
fn works(word: &str) -> bool {
    matches!(
        word,
        "works"
            | "working"
            | "work"
            | "behaves"
            | "correct"
            | "correctly"
            | "right"
            | "expected"
            | "well"
            | "fine"
            | "intended"
            | "end-to-end"
            | "properly"
    )
}

/// Whether somebody else is the subject: "Payroll confirmed", "the author tested".
pub(super) fn by_another(reading: &Reading, tokens: &[&Token], i: usize) -> bool {
    let before = tokens.get(i.saturating_sub(2)..i).unwrap_or_default();
    let named = |t: &Token| {
        t.capital
            && !t.caps
            && t.tags.is_empty()
            && !reading.word(t).ends_with("ly")
            && reading.word(t).len() > 1
    };
    !before.iter().any(|t| t.tags.any(tag::FIRST))
        && before
            .iter()
            .any(|t| t.kind == TokenKind::Word && (t.tags.any(tag::OTHER | tag::YOU) || named(t)))
}

/// "the tested versions", "a verified account".
fn attributive(reading: &Reading, tokens: &[&Token], i: usize) -> bool {
    i.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|t| {
        matches!(
            reading.word(t),
            "the"
                | "a"
                | "an"
                | "every"
                | "any"
                | "well"
                | "not"
                | "only"
                | "be"
                | "to"
                | "gets"
                | "get"
                | "as"
        )
    })
}

fn korean(reading: &Reading, after: Option<&Clause>, tokens: &[&Token], i: usize) -> bool {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| reading.word(t));
    let word = word_at(i);
    let stem = |stem: &str| {
        word.strip_prefix(stem)
            .filter(|rest| !rest.starts_with("하지") && !rest.starts_with("해야"))
    };
    let works = || {
        let says = |t: &Token| {
            let w = reading.word(t);
            [
                "동작",
                "작동",
                "정상",
                "문제없",
                "잘",
                "이상",
                "맞는",
                "맞게",
                "올바",
                "의도",
                "예상대로",
                "기대대로",
                "기대와",
                "예상과",
            ]
            .iter()
            .any(|s| w.starts_with(s))
                || w.contains("나오는") && tokens.len() > 3
        };
        tokens
            .iter()
            .skip(i.saturating_sub(NEAR))
            .take(2 * NEAR)
            .any(|t| says(t))
            || tokens.last().is_some_and(|t| reading.word(t).ends_with('고'))
                && after.is_some_and(|c| reading.tokens_of(c).iter().take(NEAR).any(says))
    };
    if let Some(rest) = stem("검증") {
        return ended(rest)
            || matches!(rest, "" | "을" | "까지" | "도" | "은")
                && (ended(word_at(i + 1)) || word_at(i + 1) == "모두" && ended(word_at(i + 2)));
    }
    if let Some(rest) = stem("확인") {
        let done = ended(rest)
            || matches!(rest, "" | "을" | "까지" | "도")
                && (ended(word_at(i + 1))
                    || i + 1 == tokens.len()
                    || tokens.get(i + 1).is_some_and(|t| t.is_punct('.')));
        return done && works();
    }
    if let Some(rest) = stem("테스트") {
        let deed = ended(rest) || rest.starts_with("해") && works();
        return deed || matches!(rest, "" | "까지" | "도" | "를") && ended(word_at(i + 1));
    }
    false
}
