//! Who is ready to begin has not begun: "ready to create both files", 두 파일을 만들 준비가 됐습니다.

use super::class::Class;
use super::senses::Senses;
use super::status::View;
use super::words;
use crate::text::final_consonant;
use proctor_prose::{Reading, TokenKind};

impl Senses<'_> {
    /// "Ready to create both files": what an item asks for is still to be done. "Ready to merge" hands the work over.
    /// Gives the place of "to".
    pub(super) fn ready_to_begin(&self, reading: &Reading, at: usize) -> Option<usize> {
        let word = |at: usize| reading.tokens.get(at).map_or("", |t| reading.word(t));
        let to = match (word(at), word(at + 1)) {
            ("ready", "to") => at + 1,
            ("all", "set") if word(at + 2) == "to" => at + 2,
            _ => return None,
        };
        let verb = word(to + 1);
        let class = words::english(verb, words::name(verb)).0.class;
        (self.get(to + 1).names() || class.has(Class::CREATE.with(Class::FIX))).then_some(to)
    }
}

/// "두 파일을 만들 준비가 됐습니다": what an item asks for is still to be done. 배포 준비 may be an item itself.
pub(super) fn is_ready_to_begin(view: View<'_>) -> bool {
    let tokens = view.tokens();
    tokens.windows(2).enumerate().any(|(at, pair)| {
        let [verb, ready] = pair else { return false };
        let to_come = || {
            let last = view.reading.word(verb).chars().next_back();
            last.and_then(final_consonant) == Some(8) && view.senses.get(view.from + at).names()
        };
        ready.kind == TokenKind::Hangul
            && view.reading.word(ready).starts_with("준비")
            && !view.senses.get(view.from + at + 1).names()
            && to_come()
    })
}
