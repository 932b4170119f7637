//! What an answer claims: that the work is done, that tests pass, that the build is clean. A small
//! reading of clauses; whether a claim holds is decided elsewhere, from what was run.

use crate::commands::{self, Kind, Kinds};
use crate::judge::Claims;
use proctor_prose::{Clause, Features, Reading, Token, TokenKind};

/// What takes a clause out of the present: asked, planned, wished, doubted, quoted, told by others.
const NOT_SAID: Features = Features::QUESTION
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

/// Reads the claims of a text.
pub(crate) fn read(text: &str) -> Claims {
    let reading = proctor_prose::read(text);
    let mut claims = Claims::default();
    for clause in &reading.clauses {
        if clause.features.any(NOT_SAID) {
            continue;
        }
        let words = Words::of(&reading, clause, text);
        let verified = if words.fails() { Kinds::default() } else { words.verified(&clause.features) };
        let completion = verified.is_empty() && !clause.features.any(Features::NEGATED) && words.completion();
        if (completion || !verified.is_empty()) && claims.words.is_empty() {
            text.get(clause.start..clause.end).unwrap_or_default().clone_into(&mut claims.words);
        }
        claims.completion |= completion;
        claims.verified.join(verified);
    }
    claims
}

/// The words of a clause, folded; marks and quoted words left out.
struct Words<'a> {
    words: Vec<&'a str>,
    /// Kinds of the verification commands that it names in backticks.
    commands: Kinds,
    hangul: bool,
}

impl<'a> Words<'a> {
    fn of(reading: &'a Reading, clause: &Clause, text: &str) -> Self {
        let mut commands = Kinds::default();
        let mut words = Vec::new();
        let mut hangul = false;
        for token in reading.tokens_of(clause) {
            match token.kind {
                TokenKind::Code => {
                    let code = text.get(token.start..token.end).unwrap_or_default().trim_matches('`');
                    let found = commands::recognise(code, &[]);
                    commands.join(found.proven);
                    commands.join(found.masked);
                }
                TokenKind::Word | TokenKind::Hangul | TokenKind::Number | TokenKind::Ident if said(token) => {
                    hangul |= token.kind == TokenKind::Hangul;
                    words.push(reading.word(token));
                }
                _ => {}
            }
        }
        Self { words, commands, hangul }
    }

    fn any(&self, list: &[&str]) -> bool {
        self.words.iter().any(|w| list.contains(w))
    }

    /// Whether a Korean word begins with one of these stems.
    fn stem(&self, list: &[&str]) -> bool {
        self.hangul && self.words.iter().any(|w| list.iter().any(|s| w.starts_with(s)))
    }

    /// Whether a Korean word holds one of these.
    fn inside(&self, list: &[&str]) -> bool {
        self.hangul && self.words.iter().any(|w| list.iter().any(|s| w.contains(s)))
    }

    /// The clause speaks of failures, other than of none.
    fn fails(&self) -> bool {
        const BAD: [&str; 12] = [
            "fail", "fails", "failed", "failing", "failure", "failures", "error", "errors", "broken", "red", "warning",
            "warnings",
        ];
        const NONE: [&str; 4] = ["no", "zero", "0", "without"];
        let english = self.words.iter().enumerate().any(|(i, w)| {
            BAD.contains(w)
                && !self.words.get(i.saturating_sub(3)..i).unwrap_or_default().iter().any(|b| NONE.contains(b))
        });
        let korean = self.stem(&["실패", "오류", "에러", "경고", "깨"])
            && !self.inside(&["없", "0건", "0개"])
            && !self.any(&["0", "0건", "0개", "0건입니다"]);
        english || korean
    }

    /// The verifications that the clause says succeeded.
    fn verified(&self, features: &Features) -> Kinds {
        let clean = self.any(&["errors", "error", "warnings", "warning", "issues", "failures", "failed", "regressions"])
            || self.stem(&["오류", "에러", "경고", "이상", "실패", "문제"]);
        // "no errors" is good news; any other denial is not.
        if features.any(Features::NEGATED) && !clean {
            return Kinds::default();
        }
        let good = clean
            || self.any(&[
                "pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded", "success", "successful",
                "successfully", "ok", "clean", "cleanly",
            ])
            || self.stem(&["통과", "성공", "정상", "깨끗", "그린"]);
        let mut kinds = Kinds::default();
        if good {
            kinds.join(self.commands);
            for (kind, english, korean) in [
                (
                    Kind::Tests,
                    &["test", "tests", "testing", "suite", "suites", "spec", "specs", "pytest", "jest", "vitest", "ci", "e2e"]
                        as &[&str],
                    &["테스트", "단위테스트"] as &[&str],
                ),
                (Kind::Build, &["build", "builds", "compile", "compiles", "compiled", "compilation"], &["빌드", "컴파일"]),
                (
                    Kind::Types,
                    &["typecheck", "typechecks", "type-check", "typechecking", "tsc", "mypy", "pyright", "types"],
                    &["타입", "타입체크"],
                ),
                (Kind::Lint, &["lint", "linter", "linting", "lints", "clippy", "eslint", "ruff"], &["린트", "린터"]),
            ] {
                if self.any(english) || self.stem(korean) {
                    kinds.add(kind);
                }
            }
        }
        // "it compiles", "42 passed", "3/3 pass"
        if self.any(&["compiles"]) {
            kinds.add(Kind::Build);
        }
        let counted = self.words.windows(2).any(|pair| {
            matches!(pair, [n, what] if n.starts_with(|c: char| c.is_ascii_digit() && c != '0')
                && matches!(*what, "passed" | "passing" | "passes" | "pass" | "통과"))
        });
        if counted && kinds.is_empty() {
            kinds.add(Kind::Tests);
        }
        kinds
    }

    /// The clause says that something was finished.
    fn completion(&self) -> bool {
        const DONE: [&str; 11] = [
            "done", "complete", "completed", "finished", "fixed", "implemented", "resolved", "shipped", "landed",
            "task_complete", "works",
        ];
        const BEFORE: [&str; 26] = [
            "is", "are", "was", "were", "been", "be", "now", "all", "i", "we", "i've", "we've", "have", "has", "it's",
            "that's", "everything's", "fully", "successfully", "already", "task", "tasks", "work", "implementation",
            "everything", "changes",
        ];
        let english = self.words.iter().enumerate().any(|(i, w)| {
            DONE.contains(w)
                && match i.checked_sub(1).and_then(|b| self.words.get(b)) {
                    None => self.words.len() == 1 || *w != "complete",
                    Some(before) => BEFORE.contains(before),
                }
        });
        english
            || self.stem(&["완료", "끝났", "끝냈", "마쳤", "마무리했", "마무리되"])
            || self.inside(&["완료했", "완료됐", "완료되", "구현했", "수정했", "고쳤", "해결했", "반영했", "적용했", "추가했"])
    }
}

fn said(token: &Token) -> bool {
    !token.quoted && !token.struck
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_told_from_plans_doubts_and_failures() {
        for (text, completion, verified) in [
            ("All tests pass.", false, "passing tests"),
            ("Done. All 12 tests pass and the build is clean.", true, "passing tests, a clean build"),
            ("`cargo test` passes; clippy is clean.", false, "passing tests, a clean lint"),
            ("No type errors: tsc is clean.", false, "clean types"),
            ("42 passed, 0 failed.", false, "passing tests"),
            ("It compiles without warnings.", false, "a clean build"),
            ("Done!", true, ""),
            ("The refactoring is complete.", true, ""),
            ("I've implemented the parser.", true, ""),
            ("Fixed the off-by-one in src/a.rs.", true, ""),
            ("완료했습니다!", true, ""),
            ("구현을 마쳤고 테스트가 모두 통과했습니다.", true, "passing tests"),
            ("빌드 성공, 린트 오류 없음.", false, "a clean build, a clean lint"),
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
            let claims = read(text);
            assert_eq!((claims.completion, claims.verified.to_string().as_str()), (completion, verified), "{text}");
            assert_eq!(claims.any(), !claims.words.is_empty(), "{text}");
        }
    }
}
