//! What a message to a person is also looked at for: whether it ends in the middle of the work, and whether it
//! speaks of the task at all. Both are remarks, never refusals.

use proctor_prose::{BlockKind, Clause, Features, Reading, Token, TokenKind, read, tag};
use std::collections::HashSet;

/// Clauses at the end of a message in which an announcement counts.
const LAST: usize = 2;

/// The announcement that a message ends with, as a range of bytes: "Next I'll wire the parser." A question, an
/// offer, a condition or a refusal to do more is none.
pub(super) fn announced(reading: &Reading) -> Option<(usize, usize)> {
    let said = |c: &&Clause| {
        c.chars > 0
            && reading
                .blocks
                .get(c.block)
                .is_some_and(|b| b.kind == BlockKind::Paragraph)
    };
    let last = reading.clauses.iter().rev().find(said)?;
    // What the message ends with must be prose: a table or a list of results behind it is an answer.
    if reading.blocks.last().is_some_and(|b| b.start > last.end) {
        return None;
    }
    let closing: Vec<&Clause> = reading
        .clauses
        .iter()
        .rev()
        .filter(said)
        .take_while(|c| c.block == last.block)
        .take(LAST)
        .collect();
    let open = Features::QUESTION
        .or(Features::CONDITIONAL)
        .or(Features::NEGATED)
        .or(Features::MODAL)
        .or(Features::HEARSAY)
        .or(Features::QUOTED)
        .or(Features::STRUCK)
        .or(Features::PAST);
    let asks = closing.iter().any(|c| {
        c.features.any(Features::QUESTION.or(Features::CONDITIONAL)) || c.tags.any(tag::OFFER | tag::REQUEST)
    });
    if asks {
        return None;
    }
    closing
        .iter()
        .find(|c| {
            let korean = reading.tokens_of(c).iter().any(|t| t.kind == TokenKind::Hangul);
            let own = c.features.has(Features::FIRST_PERSON) || korean;
            c.features.has(Features::FUTURE)
                && own
                && !c.features.any(open)
                && !reading.tokens_of(c).iter().any(|t| rests(reading.word(t)))
        })
        .map(|c| (c.start, c.end))
}

/// Verbs that announce no work: things stay as they are, or the speaker waits.
fn rests(word: &str) -> bool {
    matches!(
        word,
        "be" | "stay"
            | "remain"
            | "leave"
            | "keep"
            | "need"
            | "wait"
            | "stop"
            | "hold"
            | "stand"
            | "assume"
            | "happy"
    ) || ["두겠", "남겨", "남기", "대기", "기다", "유지", "멈추", "마치"]
        .iter()
        .any(|stem| word.starts_with(stem))
}

/// How much of a task's words is looked at, in bytes: what it is about stands in front.
const LONGEST: usize = 1 << 10;

/// Words that a task must have before a message can miss it, and that the message must have.
const ENOUGH: usize = 4;

/// Whether a message says nothing of what the task is about: no word, name or number of it. Unknown when one of
/// the two is too short, or when they are written in different languages.
pub(super) fn misses_task(message: &Reading, task: &str) -> bool {
    let mut end = task.len().min(LONGEST);
    while !task.is_char_boundary(end) {
        end -= 1;
    }
    let task = read(task.get(..end).unwrap_or_default());
    if message.mainly_korean() != task.mainly_korean() || message.is_foreign() || task.is_foreign() {
        return false;
    }
    let asked: HashSet<String> = contents(&task).collect();
    if asked.len() < ENOUGH {
        return false;
    }
    // Most messages meet their task within a few words; a long one is not read through.
    let mut told = HashSet::new();
    for word in contents(message) {
        if asked.contains(&word) {
            return false;
        }
        if told.len() < ENOUGH {
            told.insert(word);
        }
    }
    told.len() >= ENOUGH
}

/// The words of a text that carry its subject, cut to their stems, and the parts of its names.
fn contents(reading: &Reading) -> impl Iterator<Item = String> + '_ {
    let empty = tag::STOP
        | tag::GENERIC
        | tag::FIRST
        | tag::YOU
        | tag::ACK
        | tag::BEGIN
        | tag::INTENS
        | tag::CLAUSE
        | tag::NEG
        | tag::MODAL
        | tag::FUT
        | tag::REQUEST;
    reading
        .tokens
        .iter()
        .filter(move |t: &&Token| {
            !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji) && !t.tags.any(empty)
        })
        .flat_map(|t| {
            reading
                .word(t)
                .split(|c: char| !c.is_alphanumeric())
                .filter(|w| w.chars().count() > 1)
                .map(stem)
                .collect::<Vec<_>>()
        })
}

/// The beginning of a word, which its forms share.
fn stem(word: &str) -> String {
    let most = if word.is_ascii() { 5 } else { 2 };
    word.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_at_the_end_are_found() {
        for (text, found) in [
            ("The parser is split. Next I'll wire it into the server.", true),
            (
                "Found the cause in cache.rs. Now I will fix the eviction and run the tests.",
                true,
            ),
            ("원인을 찾았습니다. 이제 캐시를 수정하겠습니다.", true),
            ("Fixed the eviction in cache.rs; 41 tests pass.", false),
            ("I can also wire it into the server. Shall I?", false),
            ("If you agree, I'll wire it into the server next.", false),
            ("I won't change the server.", false),
            ("원하시면 서버에도 연결하겠습니다.", false),
            ("테스트 41개가 통과했습니다.", false),
            ("I'll run the checks:\n\n- fmt: clean\n- tests: 41 passed", false),
            ("The old flag is deprecated. I'll leave it in place.", false),
            ("", false),
        ] {
            assert_eq!(announced(&read(text)).is_some(), found, "{text}");
        }
    }

    #[test]
    fn a_message_about_something_else_is_noticed() {
        let task =
            "Fix the eviction order of the LRU cache in src/cache.rs and add a test for capacity zero.";
        for (text, missed) in [
            (
                "The eviction order follows the last access now; src/cache.rs, one test added.",
                false,
            ),
            (
                "Rewrote the marketing banner, picked warmer colours and centred the headline for phones.",
                true,
            ),
            ("Done.", false),
            ("캐시의 퇴출 순서를 고쳤고 용량 0 테스트를 추가했습니다.", false),
        ] {
            assert_eq!(misses_task(&read(text), task), missed, "{text}");
        }
    }
}
