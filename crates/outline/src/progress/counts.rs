//! What a stretch of an answer speaks of by number and by quantity.

use super::cues::Cues;
use super::message::Turn;
use super::reference::{self, Numbers, numbers};
use super::senses::{Digest, Sense};
use super::signs::Signs;
use super::status::View;
use crate::text::slice;
use proctor_prose::{Token, TokenKind};

impl Turn<'_> {
    /// The references by number and quantity of a stretch. Offsets of exceptions are places of tokens.
    pub(super) fn numbers(&self, view: View<'_>) -> Numbers {
        self.numbers_behind("", view)
    }

    /// Whether words of quantity with these cues among them may speak of items: "two" alone does not.
    pub(super) fn may_count(&self, cues: Cues) -> bool {
        cues.any(Cues::COUNTING.with(Cues::COUNTED)) || self.said.len() == 2 && cues.any(Cues::OF_TWO)
    }

    /// As [`Self::numbers`], for a stretch behind a word that is no part of it.
    pub(super) fn numbers_behind(&self, lead: &str, view: View<'_>) -> Numbers {
        self.numbers_heard(lead, view, &view.digest())
    }

    /// As [`Self::numbers_behind`], for a stretch whose tokens were heard.
    pub(super) fn numbers_heard(&self, lead: &str, view: View<'_>, heard: &Digest) -> Numbers {
        let (signs, cues) = (heard.signs, heard.cues);
        let senses = || self.senses.list.get(view.from..view.to).unwrap_or_default();
        let letter = || {
            senses().iter().zip(view.from..).any(|(sense, at)| {
                sense.cues.any(Cues::LETTER)
                    && at + 1 < view.to
                    && view.reading.tokens.get(at).is_some_and(Token::is_word)
            })
        };
        let counts = cues.any(Cues::COUNTS) || cues.any(Cues::LETTER) && letter();
        let quantity = signs.any(Signs::QUANTITY) && self.may_count(cues);
        if !(counts || quantity) {
            return Numbers::default();
        }
        let plain = !cues.any(Cues::LETTER);
        let known = plain.then(|| self.plainly_counted(view, senses())).flatten();
        known.unwrap_or_else(|| self.counted(lead, view))
    }

    /// What a stretch counts, where one look at its tokens shows it: "every status", "the last week", 마지막. Most words of
    /// quantity speak of something else.
    fn plainly_counted(&self, view: View<'_>, senses: &[Sense]) -> Option<Numbers> {
        let counting = Cues::COUNTING.with(Cues::COUNTED).with(Cues::OF_TWO);
        let tokens = view.tokens();
        let most = self.said.len();
        let mut out = Numbers::default();
        for (i, (token, sense)) in tokens.iter().zip(senses).enumerate() {
            let word = || view.reading.word(token);
            let behind = tokens.get(i + 1);
            // The next word, with one space between.
            let space = self.text.as_bytes().get(token.end) == Some(&b' ');
            let next = || behind.filter(|n| space && n.start == token.end + 1 && n.is_word());
            let letter = || {
                behind.is_some_and(|n| !n.is_word() || matches!(view.reading.word(n), "and" | "와" | "과"))
            };
            match token.kind {
                TokenKind::Word => {
                    if !token.is_plain() || token.chars == 1 && letter() {
                        return None;
                    }
                    if out.all && matches!(word(), "but" | "bar" | "save" | "else") {
                        return None;
                    }
                    if !sense.cues.any(counting) {
                        continue;
                    }
                    match word() {
                        "first" | "second" | "third" | "fourth" | "fifth" | "last" | "final" => {
                            let next = next().filter(|n| n.is_plain())?;
                            if reference::follows_ordinal(view.reading.word(next)) {
                                return None;
                            }
                        }
                        "all" | "every" | "everything" if stands_alone(self.text, token) => out.all = true,
                        _ => return None,
                    }
                }
                TokenKind::Number => {
                    let number = word().parse::<usize>().ok().filter(|_| token.is_plain())?;
                    if number > most {
                        continue;
                    }
                    // "기본값은 3입니다": neither behind a word that numbers stand behind, nor counted.
                    let before = i.checked_sub(1).and_then(|b| tokens.get(b))?;
                    let (said, told) = (view.reading.word(before), view.reading.word(behind?));
                    let joined = [
                        "번",
                        "및",
                        "와",
                        "과",
                        "랑",
                        "그리고",
                        "에서",
                        "부터",
                        "항목",
                        "완료",
                        "미완료",
                    ];
                    let glued = behind.is_some_and(|n| n.glued && n.kind == TokenKind::Hangul);
                    if number == 0
                        || before.kind != TokenKind::Hangul
                        || before.end + 1 != token.start
                        || !glued
                        || joined.iter().any(|k| told.starts_with(k) || said.starts_with(k))
                    {
                        return None;
                    }
                }
                TokenKind::Hangul => {
                    if token.chars == 1 && letter() {
                        return None;
                    }
                    if !sense.cues.any(counting) {
                        continue;
                    }
                    if space && !token.glued && excepts(word()) {
                        // Its place is that of a token already.
                        out.except_before = Some(view.from + i);
                        continue;
                    }
                    let next = next().filter(|n| n.kind == TokenKind::Hangul)?;
                    let next = view.reading.word(next);
                    let begins = |list: &[&str]| list.iter().any(|k| next.starts_with(k));
                    match word() {
                        "첫" if !begins(&["번째", "항목", "작업", "가지"]) => {}
                        "마지막"
                            if !token.glued
                                && !begins(&["두", "둘", "세", "셋"])
                                && !next.ends_with("까지") =>
                        {
                            if let Some(last) = most.checked_sub(1)
                                && !out.items.contains(&last)
                            {
                                out.items.push(last);
                            }
                        }
                        _ => return None,
                    }
                }
                TokenKind::Punct(c) if c.is_ascii() => {}
                _ => return None,
            }
        }
        if out.except_before.is_some() {
            let (first, last) = (tokens.first()?, tokens.last()?);
            let text = slice(self.text, first.start, last.end);
            if speaks_of_all(text) {
                return None;
            }
        }
        Some(out)
    }

    /// The references that the text of a stretch makes.
    #[inline(never)]
    fn counted(&self, lead: &str, view: View<'_>) -> Numbers {
        let count = self.said.len();
        let (Some(first), Some(last)) = (view.tokens().first(), view.tokens().last()) else {
            return Numbers::default();
        };
        let text = slice(self.text, first.start, last.end);
        let plain = |c: char| c.is_ascii() && !c.is_ascii_uppercase() || matches!(c, '가'..='힣');
        let head = self.list.head();
        let mut found = if lead.is_empty() && text.chars().all(plain) {
            numbers(text, count, head)
        } else {
            numbers(&format!("{lead}{}", text.to_lowercase()), count, head)
        };
        // Lower case may have another length in rare scripts; then exceptions are found nearby.
        let place = |offset: usize| {
            view.from
                + view
                    .tokens()
                    .iter()
                    .take_while(|t| t.start < first.start + offset)
                    .count()
        };
        found.except_after = found.except_after.map(place);
        found.except_before = found.except_before.map(place);
        found
    }
}

/// Whether a Korean word leaves out what stands before it.
pub(super) fn excepts(word: &str) -> bool {
    const WORDS: [&str; 11] = [
        "빼고",
        "남기고",
        "뺀",
        "빼면",
        "제외하고",
        "제외한",
        "제외하면",
        "말고",
        "외에",
        "외에는",
        "이외",
    ];
    WORDS
        .iter()
        .any(|k| word.starts_with(k) || (word.ends_with(k) && word.len() > k.len()))
}

/// Whether a text with an exception speaks of all items.
pub(super) fn speaks_of_all(text: &str) -> bool {
    text.contains("모두") || text.contains("전부") || text.contains("나머지")
}

/// Whether nothing that may belong to a word stands right before or behind it.
fn stands_alone(text: &str, token: &Token) -> bool {
    let bytes = text.as_bytes();
    let before = token.start.checked_sub(1).and_then(|at| bytes.get(at));
    before.is_none_or(|b| matches!(b, b' ' | b'\n' | b'('))
        && bytes
            .get(token.end)
            .is_none_or(|b| matches!(b, b' ' | b'\n' | b',' | b'.' | b';' | b':' | b')' | b'!' | b'?'))
}
