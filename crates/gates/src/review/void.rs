//! Verifications that the speaker says he did not do: "I have not run the tests". A later "tests pass" is then
//! no report of his.

use proctor_prose::{Clause, Features, Reading, Token, TokenKind, tag};

/// What was not run, as the text says of itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Void {
    tests: bool,
    build: bool,
}

impl Void {
    /// Takes in a clause that denies a verification (`denied`).
    pub(super) fn add(&mut self, reading: &Reading, clause: &Clause, said: &[&Token]) {
        let not_said = Features::QUESTION
            .or(Features::QUOTED)
            .or(Features::STRUCK)
            .or(Features::CONDITIONAL)
            .or(Features::FUTURE);
        // 안 돌렸, 미실행, untested: the verb is part of the denial.
        let within = said.iter().any(|t| {
            t.tags.any(tag::NEG)
                && (t.kind == TokenKind::Hangul && (t.phrase > 1 || reading.word(t).starts_with('미'))
                    || reading.word(t).starts_with("un"))
        });
        if clause.features.any(not_said) || !clause.tags.any(tag::RUN | tag::CHECK) && !within {
            return;
        }
        let (mut tests, mut build, mut partly) = (false, false, false);
        for token in said.iter().filter(|t| !t.tags.any(tag::NEG | tag::ZERO)) {
            match noun(reading.word(token)) {
                Noun::Tests => tests = true,
                Noun::Build => build = true,
                Noun::Any => {}
                // What else is named was not run; the rest may have been.
                Noun::Other => {
                    let grammar = tag::RUN
                        | tag::CHECK
                        | tag::STOP
                        | tag::FIRST
                        | tag::GENERIC
                        | tag::CLAUSE
                        | tag::INTENS
                        | tag::PAST
                        | tag::MODAL
                        | tag::PENDING;
                    partly |= !token.tags.any(grammar);
                }
            }
        }
        if partly {
            return;
        }
        // Looking at something else than a run says nothing about runs.
        let ran = clause.tags.any(tag::RUN) || within || tests || build;
        if ran {
            self.tests |= tests || !build;
            self.build |= build || !tests;
        }
    }

    /// Whether a report of this class that names no source is void.
    pub(super) fn voids(self, class: &str) -> bool {
        match class {
            "tests" => self.tests,
            "build" | "types" | "lint" => self.build,
            // Nothing at all was run.
            "stated" => self.tests && self.build,
            _ => false,
        }
    }

    /// A repetition or a later run takes it back.
    pub(super) fn take_back(&mut self, again: impl FnOnce() -> bool) {
        if (self.tests || self.build) && again() {
            *self = Self::default();
        }
    }
}

enum Noun {
    Tests,
    Build,
    Any,
    Other,
}

/// The plain nouns of what can be run: a narrower word ("e2e tests") denies only a part.
fn noun(word: &str) -> Noun {
    const PLAIN: [(&str, Noun); 5] = [
        ("테스트", Noun::Tests),
        ("빌드", Noun::Build),
        ("아무", Noun::Any),
        ("코드", Noun::Any),
        ("직접", Noun::Any),
    ];
    match word {
        "test" | "tests" | "suite" | "testsuite" => Noun::Tests,
        "build" => Noun::Build,
        "anything" | "any" | "code" | "it" | "them" | "myself" | "locally" | "actually" | "here"
        | "personally" | "yet" | "but" | "pr" | "change" | "changes" => Noun::Any,
        _ => PLAIN
            .into_iter()
            .find(|(stem, _)| word.starts_with(stem))
            .map_or(Noun::Other, |(_, noun)| noun),
    }
}
