//! Counts of items: "Progress: 2/3", "3 of the 4 items are done", "네 개 중 세 개 완료".

use super::cues::Cues;
use super::senses::Sense;
use super::signs::Signs;
use super::status::{CHUNK, View, leading, set_bits};
use proctor_prose::{Reading, Token, TokenKind};

/// Whether a count of `count` items may stand in a message: "2/3", "of the three", 세 개 중. Only then more of it is read.
pub(super) fn may_stand(reading: &Reading, senses: &[Sense], count: usize) -> bool {
    const BETWEEN: Cues = Cues::OF.with(Cues::AMONG);
    let tokens = &reading.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |t| reading.word(t));
    let is_all = |at: usize| leading(word(at)) == Some((count as u64, ""));
    let stands = |at: usize, token: &Token| match token.kind {
        TokenKind::Number => {
            let whole = || word(at).split_once('/').and_then(|(_, whole)| whole.parse().ok());
            !token.is_plain() && whole() == Some(count)
        }
        TokenKind::Word => word(at) == "of" && (is_all(at + 1) || is_all(at + 2) && is_article(word(at + 1))),
        TokenKind::Hangul => {
            matches!(word(at), "중" | "중에" | "중에서" | "가운데") && whole_before(&word, at) == Some(count)
        }
        _ => false,
    };
    // Most tokens are ruled out by what they are.
    (0..)
        .step_by(CHUNK)
        .zip(tokens.chunks(CHUNK).zip(senses.chunks(CHUNK)))
        .any(|(from, (tokens, senses))| {
            let may = |(bits, bit): (u64, u32), (token, sense): (&Token, &Sense)| {
                let may = matches!(token.kind, TokenKind::Number) | sense.cues.any(BETWEEN);
                (bits | u64::from(may) << bit, bit + 1)
            };
            let (bits, _) = tokens.iter().zip(senses).fold((0, 0), may);
            set_bits(bits).any(|bit| tokens.get(bit).is_some_and(|token| stands(from + bit, token)))
        })
}

/// Whether a word may stand between "of" and the number of the items.
fn is_article(word: &str) -> bool {
    matches!(word, "the" | "all" | "these" | "those" | "my" | "your")
}

/// The number that stands before 중: 세 개 중.
fn whole_before<'w>(word: &dyn Fn(usize) -> &'w str, at: usize) -> Option<usize> {
    let back = |step: usize| at.checked_sub(step).map_or("", word);
    korean(back(2), back(1)).or_else(|| korean("", back(1)))
}

/// How many of `count` items an answer says are done, if it counts them.
pub(super) fn tally(view: View<'_>, count: usize) -> Option<usize> {
    let tokens = view.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |t| view.reading.word(t));
    let number = |at: usize| {
        leading(word(at))
            .filter(|(_, rest)| rest.is_empty())
            .map(|(n, _)| n as usize)
    };
    let mut found = None;
    for (at, token) in tokens.iter().enumerate() {
        let cues = view.cues(view.from + at);
        let counts = cues.any(Cues::FIGURE.with(Cues::AMONG)) || token.kind == TokenKind::Number;
        if !counts
            || token.quoted
            || !matches!(
                token.kind,
                TokenKind::Number | TokenKind::Word | TokenKind::Hangul
            )
        {
            continue;
        }
        let text = view.reading.word(token);
        // 2/3
        if (cues.any(Cues::FIGURE) || text.starts_with('+'))
            && let Some((part, whole)) = text.split_once('/')
        {
            let counts = part.parse::<usize>().ok().filter(|_| whole.parse() == Ok(count));
            if let Some(part) = counts
                && part <= count
                && (speaks_of_items(view, at + 1) || announced(view, at))
            {
                found = Some(part);
            }
            continue;
        }
        if cues.any(Cues::FIGURE)
            && let Some(part) = number(at)
        {
            let of = match (word(at + 1), word(at + 2)) {
                ("of", next) if is_article(next) => at + 3,
                ("of", _) => at + 2,
                ("out", "of") => at + 3,
                _ => continue,
            };
            if number(of) == Some(count) && part <= count && speaks_of_items(view, of + 1) {
                found = Some(part);
            }
        }
        // 세 개 중 두 개, 3개 중 2개
        if cues.any(Cues::AMONG) {
            let whole = whole_before(&word, at);
            let part = korean(word(at + 1), word(at + 2)).or_else(|| korean("", word(at + 1)));
            let done = (at + 1..at + 6).any(|i| {
                let sense = view.senses.get(view.from + i);
                i < tokens.len() && (sense.finished || sense.signs.any(Signs::DONE))
            });
            if let (Some(whole), Some(part), true) = (whole, part, done)
                && whole == count
                && part <= count
            {
                found = Some(part);
            }
        }
    }
    found
}

/// A number before its counter: `3` `개`, 세 가지, `3개`.
fn korean(number: &str, counter: &str) -> Option<usize> {
    let counts = |c: &str| ["개", "가지", "건", "항목"].iter().any(|k| c.starts_with(k));
    const NATIVE: [&str; 10] = [
        "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열",
    ];
    if counts(counter) {
        return number
            .parse()
            .ok()
            .or_else(|| NATIVE.iter().position(|n| *n == number).map(|n| n + 1));
    }
    let digits = counter.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = counter.split_at_checked(digits)?;
    counts(rest).then(|| digits.parse().ok()).flatten()
}

/// Whether what stands behind a count is the items, or a state, or nothing.
fn speaks_of_items(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let Some(next) = tokens.get(at) else { return true };
    if matches!(next.kind, TokenKind::Punct(_) | TokenKind::Emoji) {
        return true;
    }
    let signs = view.senses.signs(view.from + at);
    let word = view.reading.word(next);
    let tests = matches!(word, "test" | "tests" | "suite" | "side" | "check" | "checks")
        || word.starts_with("테스트");
    !tests
        && (signs.any(Signs::GENERIC.with(Signs::DONE).with(Signs::MARKER))
            || matches!(word, "are" | "is" | "have" | "so" | "and" | "but"))
}

/// Whether a heading or label of progress stands before a count.
fn announced(view: View<'_>, at: usize) -> bool {
    view.tokens()
        .get(at.saturating_sub(4)..at)
        .unwrap_or_default()
        .iter()
        .any(|t| {
            let word = view.reading.word(t);
            matches!(word, "progress" | "status" | "done" | "completed")
                || ["진행", "진척", "완료", "현황"]
                    .iter()
                    .any(|k| word.starts_with(k))
        })
}

#[cfg(test)]
mod tests {
    use super::super::checklist::Checklist;
    use super::super::senses::Senses;
    use super::*;

    /// What may hold a count of three items, and what only looks like one.
    #[test]
    fn counts_of_other_things_are_not_read_on() {
        for (text, expected) in [
            ("Progress: 2/3", true),
            ("2 of 3 are done", true),
            ("Two of the three items are done.", true),
            ("two out of three are in", true),
            ("세 가지 중 두 가지를 완료했습니다", true),
            ("3개 중에서 2개는 끝났습니다", true),
            ("Progress: 2/4", false),
            ("one of the reasons", false),
            ("a limit of 4", false),
            ("the storm of last week", false),
            ("작업 중 하나를 골랐습니다", false),
            ("네 가지 중 두 가지를 완료했습니다", false),
        ] {
            let reading = proctor_prose::read(text);
            let list = Checklist::new(["a", "b", "c"].into_iter());
            let senses = Senses::new(text, &reading, &list, 3);
            assert_eq!(may_stand(&reading, &senses.list, 3), expected, "{text}");
        }
    }
}
