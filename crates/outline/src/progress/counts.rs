//! What a stretch of an answer speaks of by number and by quantity.

use super::cues::Cues;
use super::message::Turn;
use super::reference::{self, Numbers, numbers};
use super::senses::Digest;
use super::signs::Signs;
use super::status::{CHUNK, View, set_bits};
use crate::text::slice;
use proctor_prose::{Token, TokenKind};

/// What words that may count have.
const COUNTING: Cues = Cues::COUNTING.with(Cues::COUNTED).with(Cues::OF_TWO);

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
        self.plainly_counted(view)
            .unwrap_or_else(|| self.counted(lead, view))
    }

    /// What a stretch counts, where one look at its tokens shows it: "every status", "the last week", 마지막. Most words of
    /// quantity speak of something else.
    fn plainly_counted(&self, view: View<'_>) -> Option<Numbers> {
        let tokens = view.tokens();
        let senses = self.senses.list.get(view.from..view.to).unwrap_or_default();
        let mut out = Numbers::default();
        for (from, (tokens, senses)) in (0..)
            .step_by(CHUNK)
            .zip(tokens.chunks(CHUNK).zip(senses.chunks(CHUNK)))
        {
            // Most words and marks count nothing, whatever stands around them.
            let mut bits = 0_u64;
            for (bit, (token, sense)) in tokens.iter().zip(senses).enumerate() {
                let word = matches!(token.kind, TokenKind::Word);
                let either = word | matches!(token.kind, TokenKind::Hangul);
                let mark = matches!(token.kind, TokenKind::Punct(c) if c.is_ascii());
                let counts = sense.cues.any(COUNTING)
                    | word & !token.is_plain()
                    | either & (token.chars == 1)
                    | !(either | mark);
                bits |= u64::from(counts) << bit;
            }
            for bit in set_bits(bits) {
                self.count_plainly(view, from + bit, &mut out)?;
            }
        }
        let (first, last) = (tokens.first()?, tokens.last()?);
        if out.all {
            // "All of it but …"
            let takes_back = |token: &Token| {
                token.kind == TokenKind::Word
                    && matches!(view.reading.word(token), "but" | "bar" | "save" | "else")
            };
            if tokens.iter().any(takes_back) {
                return None;
            }
        }
        if out.except_before.is_some() && speaks_of_all(slice(self.text, first.start, last.end)) {
            return None;
        }
        Some(out)
    }

    /// Takes in what the token at this place of a stretch counts; `None` when that takes more than a look at it.
    fn count_plainly(&self, view: View<'_>, i: usize, out: &mut Numbers) -> Option<()> {
        let tokens = view.tokens();
        let token = tokens.get(i)?;
        let most = self.said.len();
        let counting = view.cues(view.from + i).any(COUNTING);
        let word = view.reading.word(token);
        let before = i.checked_sub(1).and_then(|b| tokens.get(b));
        let behind = tokens.get(i + 1);
        // The next word, with one space between.
        let space = self.text.as_bytes().get(token.end) == Some(&b' ');
        let next = || behind.filter(|n| space && n.start == token.end + 1 && n.is_word());
        // "a)", or "a, c and d": letters of items.
        let joins = |n: &Token| match n.kind {
            TokenKind::Punct(c) => !c.is_ascii() || matches!(c, ')' | ',' | '&'),
            _ => matches!(view.reading.word(n), "and" | "와" | "과"),
        };
        let letter = || behind.is_some_and(joins) && reference::letter_of(word, most).is_some();
        match token.kind {
            TokenKind::Word => {
                if !token.is_plain() {
                    return self.is_name(i, token, behind, word).then_some(());
                }
                if token.chars == 1 && letter() {
                    return None;
                }
                if !counting {
                    return Some(());
                }
                let follows = |word: &str| {
                    before.is_some_and(|b| b.kind == TokenKind::Word && view.reading.word(b) == word)
                };
                match word {
                    "first" | "second" | "third" | "fourth" | "fifth" | "last" | "final" => {
                        let ends = behind
                            .is_none_or(|n| matches!(n.kind, TokenKind::Punct(c) if c.is_ascii()))
                            && stands_alone(self.text, token);
                        if ends {
                            return (!follows("the")).then_some(());
                        }
                        let next = next().filter(|n| n.is_plain())?;
                        if reference::follows_ordinal(view.reading.word(next)) {
                            return None;
                        }
                    }
                    "all" | "every" | "everything" if stands_alone(self.text, token) => out.all = true,
                    "both" if stands_alone(self.text, token) => out.all |= most == 2,
                    // Data "at rest" are no items.
                    "rest" if stands_alone(self.text, token) && !follows("at") => out.rest = true,
                    "others" if stands_alone(self.text, token) => out.rest = true,
                    "items" | "item" | "steps" | "step" | "tasks" | "task" | "points" | "point"
                        if stands_alone(self.text, token) =>
                    {
                        // "Two steps are left", but "steps one and two".
                        let ends = behind.is_none_or(|n| matches!(n.kind, TokenKind::Punct('.' | ':')));
                        let goes_on = |n: &Token| {
                            n.is_plain()
                                && matches!(
                                    view.reading.word(n),
                                    "is" | "are" | "was" | "were" | "in" | "of" | "for" | "the"
                                )
                        };
                        if !(ends || next().is_some_and(goes_on)) {
                            return None;
                        }
                    }
                    _ => return None,
                }
            }
            TokenKind::Number => {
                if !token.is_plain() {
                    return self.is_figure(view, i).then_some(());
                }
                let number = word.parse::<usize>().ok()?;
                if number > most {
                    return Some(());
                }
                // "기본값은 3입니다": neither behind a word that numbers stand behind, nor counted.
                let before = before?;
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
                if !counting {
                    return Some(());
                }
                if space && !token.glued && excepts(word) {
                    // Its place is that of a token already.
                    out.except_before = Some(view.from + i);
                    return Some(());
                }
                let next = next()
                    .filter(|n| n.kind == TokenKind::Hangul)
                    .map(|n| view.reading.word(n));
                let begins =
                    |list: &[&str]| next.is_some_and(|next| list.iter().any(|k| next.starts_with(k)));
                if word == "마지막" {
                    if token.glued
                        || next.is_none_or(|next| next.ends_with("까지"))
                        || begins(&["두", "둘", "세", "셋"])
                    {
                        return None;
                    }
                    if let Some(last) = most.checked_sub(1)
                        && !out.items.contains(&last)
                    {
                        out.items.push(last);
                    }
                    return Some(());
                }
                if excepts(word) || !self.is_own_word(i, token, behind, word) {
                    return None;
                }
                match word {
                    "첫" if next.is_some() && !begins(&["번째", "항목", "작업", "가지"]) => {}
                    "두" | "세" | "네" | "다섯"
                        if !behind.is_some_and(|n| view.reading.word(n).starts_with("번째")) => {}
                    "다" if before
                        .is_some_and(|b| b.kind == TokenKind::Hangul && b.end + 1 == token.start) =>
                    {
                        out.all = true;
                    }
                    "모두" | "전부" | "모든" | "전체" | "전원" => out.all = true,
                    "둘" => out.all |= most == 2,
                    "나머지" | "나머지는" | "나머지도" | "나머지를" | "나머지만" => {
                        out.rest = true
                    }
                    "다" | "전" => return None,
                    // Others only begin like a word that counts: 네트워크, 처음부터.
                    word => {
                        let counts = [
                            "첫",
                            "두",
                            "세",
                            "네",
                            "둘째",
                            "셋째",
                            "넷째",
                            "다섯",
                            "전자",
                            "후자",
                            "마지막",
                            "앞",
                            "뒤",
                            "처음",
                            "맨앞",
                            "남은",
                        ];
                        if counts.iter().any(|k| word.starts_with(k)) {
                            return None;
                        }
                    }
                }
            }
            TokenKind::Punct(c) if c.is_ascii() => {}
            TokenKind::Ident | TokenKind::Path => {
                return self.is_name(i, token, behind, word).then_some(());
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether a token that is no plain word counts nothing, as it is written and with what is joined to it.
    fn is_name(&self, i: usize, token: &Token, behind: Option<&Token>, word: &str) -> bool {
        let joined = behind.filter(|n| n.kind != TokenKind::Hangul);
        self.is_own_word(i, token, joined, word) && counts_nothing(word)
    }

    /// Whether a word at this place of a stretch is one by itself, as it is written: nothing else is joined to it.
    fn is_own_word(&self, i: usize, token: &Token, behind: Option<&Token>, word: &str) -> bool {
        let before = token
            .start
            .checked_sub(1)
            .and_then(|at| self.text.as_bytes().get(at));
        let begins = i == 0 || before.is_some_and(|b| matches!(b, b' ' | b'\n' | b'('));
        let ends = |n: &Token| {
            !n.glued || matches!(n.kind, TokenKind::Punct(c) if c.is_ascii() && !matches!(c, '\'' | '_'))
        };
        begins && behind.is_none_or(ends) && token.end - token.start == word.len()
    }

    /// Whether a number is a figure by what is written behind its first digits, and nothing but marks is joined to it:
    /// `1.5`, `10%`, `3x`.
    fn is_figure(&self, view: View<'_>, i: usize) -> bool {
        let tokens = view.tokens();
        let (Some(token), Some(last)) = (tokens.get(i), tokens.last()) else {
            return false;
        };
        let before = token
            .start
            .checked_sub(1)
            .and_then(|at| self.text.as_bytes().get(at));
        let begins = i == 0 || before.is_some_and(|b| matches!(b, b' ' | b'\n' | b'('));
        let rest = slice(self.text, token.start, last.end).as_bytes();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let behind = rest.get(digits..).unwrap_or_default();
        let figure = match behind {
            [b'%', ..] => true,
            [b'.' | b',' | b'/' | b':', next, ..] => next.is_ascii_digit(),
            _ => false,
        };
        let joined = rest.get(token.end - token.start..).unwrap_or_default();
        begins
            && digits > 0
            && figure
            && joined
                .iter()
                .take_while(|b| !b.is_ascii_whitespace())
                .all(u8::is_ascii_punctuation)
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

/// Whether a name, or a word with other marks than letters, surely counts no items wherever it stands: `retry.rs`, `e2e`.
fn counts_nothing(word: &str) -> bool {
    let bytes = word.as_bytes();
    let mut at = 0;
    while let Some(b) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let behind = |length: usize| rest.get(length).copied().unwrap_or_default();
        if b.is_ascii_digit() {
            let before = at.checked_sub(1).and_then(|b| bytes.get(b));
            let glued = before.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'.' | b'_' | b'/'));
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            let figure = match behind(digits) {
                b'%' => true,
                b'.' | b',' | b'/' | b':' => behind(digits + 1).is_ascii_digit(),
                _ => false,
            };
            // What follows up to the next space belongs to it.
            return glued || figure;
        }
        let letters = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'\'' | b'_');
        let length = rest.iter().take_while(|b| letters(b)).count();
        if b.is_ascii_alphabetic() {
            let run = word.get(at..at + length).unwrap_or_default();
            let counts =
                reference::COUNTING.admits(run.strip_suffix("'s").unwrap_or(run)) || reference::is_noun(run);
            if counts || length == 1 && !behind(1).is_ascii_digit() {
                return false;
            }
        } else if !b.is_ascii() {
            return false;
        }
        at += length.max(1);
    }
    true
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that are passed over, and those whose numbers or words may be read as items.
    #[test]
    fn names_that_count_nothing() {
        for name in ["retry.rs", "e2e", "argon2", "v1.2", "i'd", "held-out"] {
            assert!(counts_nothing(name), "{name}");
        }
        for name in [
            "sec-2",
            "#1f6",
            "n+1",
            "all-in",
            "everything's",
            "a-b",
            "step-by-step",
            "초안",
        ] {
            assert!(!counts_nothing(name), "{name}");
        }
    }
}
