//! What an answer claims: that the work is done, that tests pass, that the build is clean. What counts as a
//! reported verification is gate `review`'s reading; whether a claim holds is decided elsewhere, from
//! what was run.

use crate::judge::Claims;
use proctor_gates::review::Judgement;
use proctor_kernel::CheckKind;
use proctor_prose::{Clause, Features, Reading, TokenKind};

/// What takes a clause out of the present: denied, asked, planned, wished, doubted, quoted, told by others.
const NOT_SAID: Features = Features::NEGATED
    .or(Features::QUESTION)
    .or(Features::CONDITIONAL)
    .or(Features::FUTURE)
    .or(Features::QUOTED)
    .or(Features::HEARSAY)
    .or(Features::IMPERATIVE)
    .or(Features::BELIEF)
    .or(Features::MODAL)
    .or(Features::PENDING)
    .or(Features::STRUCK)
    .or(Features::ONGOING);

/// Reads the claims of a text; `review` is what gate `review` says of it.
pub(crate) fn read(text: &str, review: &Judgement) -> Claims {
    let mut claims = Claims::default();
    // Who reports failures claims no success.
    for report in review.evidence.iter().filter(|_| !review.contradicted) {
        let kind = match report.label.as_str() {
            "tests" => CheckKind::Tests,
            "build" => CheckKind::Build,
            "types" => CheckKind::Types,
            "lint" => CheckKind::Lint,
            // Readings, measurements and the like leave no command that could be recognised.
            _ => continue,
        };
        claims.verified.insert(kind);
        if claims.words.is_empty() {
            claims.words.clone_from(&report.text);
        }
    }
    let reading = proctor_prose::read(text);
    let done = reading
        .clauses
        .iter()
        .find(|c| !c.features.any(NOT_SAID) && completes(&reading, c));
    if let Some(clause) = done {
        claims.completion = true;
        if claims.words.is_empty() {
            text.get(clause.start..clause.end)
                .unwrap_or_default()
                .clone_into(&mut claims.words);
        }
    }
    claims
}

/// Whether the clause says that something was finished.
fn completes(reading: &Reading, clause: &Clause) -> bool {
    const DONE: [&str; 11] = [
        "done",
        "complete",
        "completed",
        "finished",
        "fixed",
        "implemented",
        "resolved",
        "shipped",
        "landed",
        "task_complete",
        "works",
    ];
    const BEFORE: [&str; 26] = [
        "is",
        "are",
        "was",
        "were",
        "been",
        "be",
        "now",
        "all",
        "i",
        "we",
        "i've",
        "we've",
        "have",
        "has",
        "it's",
        "that's",
        "everything's",
        "fully",
        "successfully",
        "already",
        "task",
        "tasks",
        "work",
        "implementation",
        "everything",
        "changes",
    ];
    const STEMS: [&str; 6] = ["완료", "끝났", "끝냈", "마쳤", "마무리했", "마무리되"];
    const PARTS: [&str; 9] = [
        "완료했",
        "완료됐",
        "완료되",
        "구현했",
        "수정했",
        "고쳤",
        "해결했",
        "반영했",
        "적용했",
    ];
    let words: Vec<(&str, bool)> = reading
        .tokens_of(clause)
        .iter()
        .filter(|t| !t.quoted && !t.struck)
        .filter(|t| {
            matches!(
                t.kind,
                TokenKind::Word | TokenKind::Hangul | TokenKind::Number | TokenKind::Ident
            )
        })
        .map(|t| (reading.word(t), t.kind == TokenKind::Hangul))
        .collect();
    words.iter().enumerate().any(|(i, (word, hangul))| {
        if *hangul {
            return STEMS.iter().any(|s| word.starts_with(s)) || PARTS.iter().any(|p| word.contains(p));
        }
        DONE.contains(word)
            && match i.checked_sub(1).and_then(|b| words.get(b)) {
                // "Fixed …" begins a report; "Complete the list" does not.
                None => words.len() == 1 || *word != "complete",
                Some((before, _)) => BEFORE.contains(before),
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_told_from_plans_doubts_and_failures() {
        let mut wrong = Vec::new();
        for (text, completion, verified) in [
            ("All tests pass.", false, "passing tests"),
            (
                "Done. All 12 tests pass and the build is clean.",
                true,
                "passing tests, a clean build",
            ),
            (
                "The test suite passes; clippy is clean.",
                false,
                "passing tests, a clean lint",
            ),
            ("No type errors: tsc is clean.", false, "clean types"),
            ("The build succeeds.", false, "a clean build"),
            ("Done!", true, ""),
            ("The refactoring is complete.", true, ""),
            ("I've implemented the parser.", true, ""),
            ("Fixed the off-by-one in src/a.rs.", true, ""),
            ("완료했습니다!", true, ""),
            ("구현을 마쳤고 테스트가 모두 통과했습니다.", true, "passing tests"),
            ("빌드가 성공했습니다.", false, "a clean build"),
            ("src/foo.ts를 수정했습니다.", true, ""),
            // No claims
            ("", false, ""),
            ("3 tests fail.", false, ""),
            ("The tests do not pass yet.", false, ""),
            ("If the tests pass, I will commit.", false, ""),
            ("Should the tests pass?", false, ""),
            ("It is not done.", false, ""),
            ("I will run the tests once the build is done.", false, ""),
            ("테스트가 통과하면 완료하겠습니다.", false, ""),
            ("아직 완료되지 않았습니다.", false, ""),
            ("테스트 3개가 실패했습니다.", false, ""),
            ("The list of files is in src/list.rs.", false, ""),
            ("The function takes a complete path.", false, ""),
            ("> All tests pass.", false, ""),
            ("```\nall tests pass\n```", false, ""),
        ] {
            let review = proctor_gates::review::judge(text, &proctor_policy::Settings::default().review);
            let claims = read(text, &review);
            let found = (claims.completion, crate::commands::words(claims.verified));
            if found != (completion, verified.to_owned()) {
                wrong.push(format!("{text}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
