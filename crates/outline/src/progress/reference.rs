//! Which items a clause speaks of by number or by quantity: "items 1-3", "1, 3번", "the last one", "나머지".

use super::counts::{excepts, speaks_of_all};
use crate::list::listed;
use proctor_prose::Filter;

/// References other than by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Items by number, counted from zero.
    pub(super) items: Vec<usize>,
    /// All items are meant.
    pub(super) all: bool,
    /// All items but those spoken of before are meant.
    pub(super) rest: bool,
    /// Byte offset where an exception begins ("except …"); what follows is left out of the reference.
    pub(super) except_after: Option<usize>,
    /// Byte offset where an exception ends ("… 빼고"); what stands before is left out.
    pub(super) except_before: Option<usize>,
}

#[derive(Debug, PartialEq)]
enum Token<'a> {
    Number(usize),
    Word(&'a str),
    Sign(char),
}

fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
    let mut out = Vec::with_capacity(text.len() / 4 + 4);
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|r| r.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        if c.is_ascii_alphabetic() {
            let letters = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'\'' | b'_');
            let end = rest.bytes().position(|b| !letters(&b)).unwrap_or(rest.len());
            if rest.as_bytes().get(end).is_none_or(u8::is_ascii) {
                out.push((at, Token::Word(rest.get(..end).unwrap_or_default())));
                at += end;
                continue;
            }
        } else if c == ' ' {
            at += 1;
            continue;
        }
        if let Some(number) = crate::layout::circled(c) {
            out.push((at, Token::Number(number as usize)));
            at += c.len_utf8();
        } else if c.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest
                .get(..length)
                .and_then(|d| d.parse().ok())
                .unwrap_or(usize::MAX);
            // `1.5`, `10%`, `3x`, `0.4.0` and `v2` are figures, not items.
            let next = rest.get(length..).unwrap_or_default();
            let mut after = next.chars();
            let first = after.next();
            let figure = match first {
                Some('.' | ',' | '/' | ':') => after.next().is_some_and(|c| c.is_ascii_digit()),
                Some('%') => true,
                Some(c) if c.is_ascii_alphabetic() => {
                    !matches!(next.get(..2), Some("st" | "nd" | "rd" | "th"))
                }
                _ => false,
            };
            let glued = text
                .get(..at)
                .and_then(|b| b.chars().next_back())
                .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '.' | '_' | '/'));
            if figure || glued {
                let run = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
                out.push((at, Token::Word(rest.get(..run).unwrap_or_default())));
                at += run.max(length);
            } else {
                out.push((at, Token::Number(number)));
                at += length;
            }
        } else if crate::text::is_alphanumeric(c) {
            let run = rest
                .find(|c: char| {
                    !(matches!(c, '\u{AC00}'..='\u{D7A3}') || c.is_alphabetic()) && c != '\'' && c != '_'
                })
                .unwrap_or(rest.len())
                .max(c.len_utf8());
            out.push((at, Token::Word(rest.get(..run).unwrap_or_default())));
            at += run;
        } else {
            if !c.is_whitespace() {
                out.push((at, Token::Sign(c)));
            }
            at += c.len_utf8();
        }
    }
    out
}

/// The English words by which items are counted.
pub(super) static COUNTING: Filter = Filter::of(&[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "former",
    "latter",
    "last",
    "final",
    "all",
    "everything",
    "every",
    "whole",
    "entire",
    "both",
    "rest",
    "others",
    "else",
    "remaining",
    "except",
    "besides",
    "excluding",
    "barring",
    "minus",
    "but",
    "bar",
    "save",
    "than",
    "from",
]);

/// Whether a word is one that numbers in letters stand behind: "items two and four".
pub(super) fn is_noun(word: &str) -> bool {
    matches!(word.as_bytes().first(), Some(b'i' | b's' | b't' | b'p' | b'n'))
        && listed!(
            "items|item|steps|step|tasks|task|points|point|numbers|number",
            word
        )
}

/// The references by number and quantity of a clause (in lower case) to a list of `count` items, which may all begin with
/// the word `head`.
pub(super) fn numbers(text: &str, count: usize, head: &str) -> Numbers {
    let mut tokens = tokens(text);
    spelled(&mut tokens);
    lettered(&mut tokens, count);
    let tokens = tokens;
    let mut out = Numbers::default();
    let word = |i: usize| match tokens.get(i) {
        Some((_, Token::Word(w))) => *w,
        _ => "",
    };
    let add = |out: &mut Numbers, list: &[usize]| {
        for n in list {
            if (1..=count).contains(n) && !out.items.contains(&(n - 1)) {
                out.items.push(n - 1);
            }
        }
    };
    let mut i = 0;
    while i < tokens.len() {
        let Some((at, token)) = tokens.get(i) else { break };
        match token {
            Token::Number(_) => {
                let (mut list, next, counted) = list(&tokens, i);
                if let ([only], true) = (list.as_slice(), is_end(&tokens, i)) {
                    list = (1..=*only).take(200).collect();
                }
                let list = list;
                let before = if i > 0 { word(i - 1) } else { "" };
                let hash = i > 0 && matches!(tokens.get(i - 1), Some((_, Token::Sign('#'))));
                let before = if hash && i > 1 { word(i - 2) } else { before };
                // `DONE: 1, 2`, `completed: [1, 2]`
                let back = (0..i)
                    .rev()
                    .take(3)
                    .find(|b| !matches!(tokens.get(*b), Some((_, Token::Sign(':' | '[' | '(' | '=')))));
                let before = match back {
                    Some(back) if before.is_empty() => word(back),
                    _ => before,
                };
                // "Stages 1 through 4 are finished", whatever the items are called.
                let several = list.len() > 1
                    && list.iter().all(|n| (1..=count).contains(n))
                    && before.len() > 3
                    && before.ends_with('s')
                    && !listed!(
                        "tests|lines|files|columns|pages|versions|users|minutes|hours|days|weeks|months|seconds|\
                        commits|runs|issues|bugs|errors|rounds|attempts|nodes|ports",
                        before,
                    );
                // "up to item 3 is done", "through with 1 to 4"
                let reached = is_end(&tokens, i)
                    || list.len() > 1
                        && before == "with"
                        && i > 1
                        && listed!("through|done|finished", word(i - 2));
                let noun = several
                    || reached
                    || !head.is_empty() && before.strip_suffix('s').unwrap_or(before) == head
                    || listed!(
                        "item|items|step|steps|task|tasks|point|points|number|numbers|no|nr|bullet|\
                    bullets|part|parts|deliverable|deliverables|outcome|outcomes|todo|todos|\
                    requirement|requirements|항목|번호|done|only|except|but|and|besides|finished|completed|\
                    closed|for|did|on|left|missing|remaining|complete|open|pending|todo|완료|미완료",
                        before,
                    )
                    || (hash && before.is_empty());
                let opens = i == 0
                    || (i == 1
                        && matches!(
                            tokens.first(),
                            Some((_, Token::Sign('(' | '#' | '[' | ',' | ';')))
                        ));
                let follow = word(next);
                let stated = matches!(
                    tokens.get(next),
                    Some((
                        _,
                        Token::Sign(
                            ':' | ')'
                                | ']'
                                | '—'
                                | '–'
                                | '→'
                                | '✅'
                                | '✔'
                                | '☑'
                                | '✓'
                                | '❌'
                                | '✗'
                                | '⏳'
                                | '🚧'
                                | '🔄'
                                | '⬜'
                        )
                    ))
                ) || listed!(
                    "done|is|are|complete|completed|finished|works|완료|끝|완료했습니다|pending|open|\
                    todo|was|were|not|aren't|isn't|missing",
                    follow,
                );
                // "10번 중 4번", "3번 연속": times, not items.
                let times = counted
                    && (listed!("중|중에|중에서", before)
                        || [
                            "중",
                            "연속",
                            "반복",
                            "시도",
                            "실행",
                            "재시도",
                            "실패",
                            "성공",
                            "돌",
                            "더",
                        ]
                        .iter()
                        .any(|k| follow.starts_with(k)));
                let counted = counted && !times;
                let unit = listed!(
                    "tests|files|rows|lines|passed|of|out|minutes|errors|개|건|분|초|줄|회|명|월|일|\
                    년|시",
                    follow,
                );
                let plain = listed!(
                    "done|only|except|but|and|besides|finished|completed|closed|for|did|on|left|\
                    missing|remaining|complete|open|pending|todo|완료|미완료",
                    before,
                );
                if counted
                    || (noun && !unit && (!plain || list.iter().all(|n| *n <= count)))
                    || (opens && stated && !unit)
                {
                    add(&mut out, &list);
                }
                i = next.max(i + 1);
                continue;
            }
            Token::Word(w) => {
                // Most words count nothing.
                let base = w.strip_suffix("'s").unwrap_or(w);
                let counts = if w.is_ascii() {
                    COUNTING.admits(base)
                } else {
                    super::cues::counting(w)
                };
                if counts {
                    ordinals(&tokens, i, count, &mut out, &add);
                    quantity(text, *at, w, &word, i, count, &mut out);
                }
            }
            Token::Sign(_) => {}
        }
        i += 1;
    }
    out
}

/// Whether the number at `at` is the last of those from the first on: "up to 3", "up to and including item 3". Where words
/// follow that say nothing of a state it may be a figure: "up to 3 users".
fn is_end(tokens: &[(usize, Token<'_>)], at: usize) -> bool {
    let word = |at: usize| match tokens.get(at) {
        Some((_, Token::Word(word))) => *word,
        _ => "",
    };
    let mut before = (0..at).rev().map(word);
    let mut next = before.next();
    let mut noun = false;
    while let Some(
        word @ ("item" | "number" | "step" | "task" | "point" | "no" | "including" | "and" | "part"),
    ) = next
    {
        noun |= !matches!(word, "including" | "and");
        next = before.next();
    }
    let states = matches!(
        word(at + 1),
        "" | "is" | "are" | "was" | "were" | "done" | "complete" | "completed" | "finished" | "in" | "works"
    );
    next == Some("to") && before.next() == Some("up") && (noun || states)
}

/// Turns numbers that are spelled out behind a noun into figures: "items two and four".
fn spelled(tokens: &mut [(usize, Token<'_>)]) {
    let mut counting = false;
    for (_, token) in tokens {
        match token {
            Token::Word(w) => {
                let number = || {
                    [
                        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
                    ]
                    .iter()
                    .position(|n| n == w)
                };
                match counting.then(number).flatten() {
                    Some(number) => *token = Token::Number(number + 1),
                    None => {
                        counting = counting && matches!(*w, "and" | "or" | "to" | "through") || is_noun(w);
                    }
                }
            }
            Token::Sign(',' | '&') => {}
            _ => counting = false,
        }
    }
}

/// The number of the item with this letter.
pub(super) fn letter_of(word: &str, count: usize) -> Option<usize> {
    let mut chars = word.chars();
    let (Some(letter), None) = (chars.next(), chars.next()) else {
        return None;
    };
    let place = match letter {
        'a'..='h' => Some(letter as usize - 'a' as usize),
        _ => "가나다라마바사아".chars().position(|k| k == letter),
    };
    place.map(|at| at + 1).filter(|n| *n <= count)
}

/// Turns the letters of items into figures: "(a) and (c)", "가)와 나)는".
fn lettered(tokens: &mut Vec<(usize, Token<'_>)>, count: usize) {
    let number = |word: &str| letter_of(word, count);
    let closes = |token: Option<&(usize, Token<'_>)>| matches!(token, Some((_, Token::Sign(')'))));
    // "A and C are done", "가, 다 완료": letters without a mark, in front and several.
    let place = |at: usize| match tokens.get(at) {
        Some((_, Token::Word(word))) => number(word),
        _ => None,
    };
    let joins = |at: usize| {
        matches!(
            tokens.get(at),
            Some((_, Token::Sign(',' | '·' | '&') | Token::Word("and" | "와" | "과")))
        )
    };
    let mut run = 0;
    while place(run).is_some() && joins(run + 1) && place(run + 2).is_some() {
        run += 2;
    }
    for at in (0..=run).step_by(2).filter(|_| run > 0) {
        if let Some((_, token)) = tokens.get_mut(at)
            && let Token::Word(word) = token
            && let Some(letter) = letter_of(word, count)
        {
            *token = Token::Number(letter);
        }
    }
    if run > 0 {
        let offset = tokens.get(run).map_or(0, |t| t.0);
        tokens.insert(run + 1, (offset, Token::Word("번")));
    }
    let mut at = 0;
    while at + 1 < tokens.len() {
        let letter = match tokens.get(at) {
            Some((_, Token::Word(word))) if closes(tokens.get(at + 1)) => number(word),
            _ => None,
        };
        let Some(letter) = letter else {
            at += 1;
            continue;
        };
        if let Some((_, token)) = tokens.get_mut(at) {
            *token = Token::Number(letter);
        }
        if let Some((_, mark)) = tokens.get_mut(at + 1) {
            // As 번 does behind a figure, so that runs are read alike.
            *mark = Token::Word("번");
        }
        let opens = at
            .checked_sub(1)
            .filter(|b| matches!(tokens.get(*b), Some((_, Token::Sign('(')))));
        if let Some(opens) = opens {
            tokens.remove(opens);
            at -= 1;
        }
        at += 2;
    }
}

/// A run such as `1, 2 and 4`, `1-3`, `1번과 3번`. Returns the numbers, where the run ends, and whether
/// it counted with `번`.
fn list(tokens: &[(usize, Token<'_>)], start: usize) -> (Vec<usize>, usize, bool) {
    let mut out = Vec::new();
    let mut at = start;
    let mut counted = false;
    let mut range = false;
    while let Some((_, Token::Number(n))) = tokens.get(at) {
        if range {
            let from = out.last().copied().unwrap_or(*n);
            out.extend((from + 1..=*n).take(200));
        } else {
            out.push(*n);
        }
        at += 1;
        let mut joined = false;
        range = false;
        let mut ahead = at;
        for _ in 0..5 {
            match tokens.get(ahead) {
                Some((_, Token::Word(w))) if w.starts_with('번') => {
                    counted = true;
                    joined |= w.ends_with(['과', '와', '하', '고', '부', '터']) || *w == "번";
                    joined |= w.ends_with("에서");
                    range |= w.ends_with("부터") || w.ends_with("에서");
                    // 3번까지: from the first one on.
                    if w.starts_with("번까지")
                        && let [only] = out.as_slice()
                    {
                        out = (1..=*only).take(200).collect();
                    }
                    at = ahead + 1;
                }
                Some((_, Token::Word(w))) if listed!("st|nd|rd|th", w) => at = ahead + 1,
                Some((_, Token::Word("and" | "및" | "와" | "과" | "랑" | "그리고" | "or"))) => {
                    joined = true
                }
                Some((_, Token::Word("to" | "through" | "thru" | "에서" | "부터"))) => {
                    joined = true;
                    range = true;
                }
                Some((_, Token::Word("항목" | "item" | "items"))) if counted => {}
                Some((_, Token::Sign(',' | '&' | '/' | '+' | '#' | '、' | '·'))) => joined = true,
                Some((_, Token::Sign('-' | '–' | '~' | '〜' | '—'))) => {
                    joined = true;
                    range = true;
                }
                _ => break,
            }
            ahead += 1;
        }
        if !joined || !matches!(tokens.get(ahead), Some((_, Token::Number(_)))) {
            break;
        }
        at = ahead;
    }
    (out, at, counted)
}

/// Whether what stands behind a Korean word only says what part it plays.
fn is_particle(rest: &str) -> bool {
    listed!("|는|은|를|을|가|이|도|만|와|과", rest)
}

/// Whether an English ordinal speaks of an item when this word is next.
pub(super) fn follows_ordinal(next: &str) -> bool {
    listed!(
        "item|items|one|ones|task|point|bullet|step|is|are|was|were|and|as|too|also|part|deliverable|outcome|two|\
        three|four|has|have|needs|remains|point|bit|thing|entry",
        next,
    )
}

fn ordinals(
    tokens: &[(usize, Token<'_>)],
    i: usize,
    count: usize,
    out: &mut Numbers,
    add: &dyn Fn(&mut Numbers, &[usize]),
) {
    let word = |i: usize| match tokens.get(i) {
        Some((_, Token::Word(w))) => *w,
        _ => "",
    };
    let this = word(i);
    let next = word(i + 1);
    // 셋째와, 넷째는
    let this = ["첫째", "둘째", "셋째", "넷째", "다섯째"]
        .into_iter()
        .find(|w| this.starts_with(w))
        .or_else(|| {
            ["전자", "후자"]
                .into_iter()
                .find(|w| this.strip_prefix(w).is_some_and(is_particle))
        })
        .unwrap_or(this);
    if this.starts_with("마지막") && (this.ends_with("까지") || next.ends_with("까지")) {
        return;
    }
    let number = match this {
        "first" | "첫째" | "첫번째" | "첫째는" => Some(1),
        "second" | "둘째" | "두번째" => Some(2),
        "third" | "셋째" | "세번째" => Some(3),
        "fourth" | "넷째" | "네번째" => Some(4),
        "fifth" | "다섯째" => Some(5),
        "former" | "전자" if count == 2 => Some(1),
        "latter" | "후자" if count == 2 => Some(2),
        "last" | "final" | "마지막" | "마지막은" | "마지막만" | "마지막을" => Some(count),
        "앞의" | "앞" | "처음" | "맨앞" => Some(1),
        "뒤의" => Some(count),
        "첫" if next.starts_with("번째") => Some(1),
        "두" if next.starts_with("번째") => Some(2),
        "세" if next.starts_with("번째") => Some(3),
        "네" if next.starts_with("번째") => Some(4),
        "다섯" if next.starts_with("번째") => Some(5),
        "첫" if next.starts_with("항목") || next.starts_with("작업") || next.starts_with("가지") => {
            Some(1)
        }
        _ => None,
    };
    let Some(number) = number else { return };
    let korean = crate::text::has_hangul(this) || matches!(this, "former" | "latter");
    let several = match next {
        "two" | "2" => 2,
        "three" | "3" => 3,
        "four" => 4,
        "두" | "둘" | "둘은" => 2,
        "세" | "셋" | "셋은" => 3,
        _ => 1,
    };
    if matches!(this, "앞의" | "앞" | "처음" | "맨앞" | "뒤의") && several == 1 {
        return;
    }
    let named = follows_ordinal(next);
    let end = next.is_empty() && i > 0 && word(i - 1) == "the";
    if !(korean || named || end) {
        return;
    }
    if several > 1 {
        let list: Vec<usize> = if number == 1 {
            (1..=several).collect()
        } else {
            (count.saturating_sub(several - 1)..=count).collect()
        };
        add(out, &list);
    } else {
        add(out, &[number]);
    }
}

fn quantity<'a>(
    text: &str,
    at: usize,
    w: &str,
    word: &dyn Fn(usize) -> &'a str,
    i: usize,
    count: usize,
    out: &mut Numbers,
) {
    let next = word(i + 1);
    let previous = if i > 0 { word(i - 1) } else { "" };
    let w = w.strip_suffix("'s").unwrap_or(w);
    match w {
        // "All set to begin" speaks of nothing but the one who says it.
        "all" if next == "set" => {}
        "all" | "everything" | "every" | "모두" | "전부" | "모든" | "전체" | "전원" => {
            out.all = true
        }
        // "the whole list", not "the whole time"
        "whole" | "entire" if !listed!("|time|day|week|morning|afternoon|way", next) => out.all = true,
        "전" if ["항목", "작업", "과제", "건"].iter().any(|k| next.starts_with(k)) => out.all = true,
        "both" | "둘" if count == 2 => out.all = true,
        "다" if crate::text::has_hangul(previous) || i == 0 => out.all = true,
        // Data "at rest" are no items.
        "rest" if previous == "at" => {}
        "rest" | "others" | "나머지" | "나머지는" | "나머지도" | "나머지를" | "나머지만" => {
            out.rest = true
        }
        "남은"
            if text.contains(['했', '됐', '끝', '쳤', '냈', '료'])
                && [
                    "항목", "작업", "건", "두", "세", "둘", "하나", "한", "네", "부분", "일",
                ]
                .iter()
                .any(|k| next.starts_with(k)) =>
        {
            out.rest = true;
        }
        "else" if previous == "everything" => {
            out.all = false;
            out.rest = true;
        }
        "remaining" if listed!("items|item|ones|one|two|three|tasks|points", next) => out.rest = true,
        "except" | "besides" | "excluding" | "barring" | "minus" => out.except_after = Some(at + w.len()),
        "but" | "bar" | "save" if out.all => out.except_after = Some(at + w.len()),
        "than" if previous == "other" => out.except_after = Some(at + w.len()),
        "from" if matches!(previous, "apart" | "aside") => out.except_after = Some(at + w.len()),
        _ => {
            if excepts(w) {
                out.except_before = Some(at);
            }
        }
    }
    if out.except_before.is_some() && speaks_of_all(text) {
        out.all = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_both_languages() {
        let cases: &[(&str, &[usize])] = &[
            ("item 2 finished", &[1]),
            ("items 1-3 done", &[0, 1, 2]),
            ("items 1, 2 and 4 are done", &[0, 1, 3]),
            ("1 and 3: done", &[0, 2]),
            ("#2 is done", &[1]),
            ("1, 3번 완료", &[0, 2]),
            ("1번과 2번은 완료", &[0, 1]),
            ("1~3번 완료", &[0, 1, 2]),
            ("2번부터 4번까지 완료", &[1, 2, 3]),
            ("the first two are done", &[0, 1]),
            ("the last one is done", &[4]),
            ("두 번째 항목 완료", &[1]),
            ("② 완료", &[1]),
            ("all 61 tests pass", &[]),
            ("version 1.2 has 3 files", &[]),
            ("closes #309", &[]),
            ("steps 1 through 3 are complete", &[0, 1, 2]),
        ];
        for (text, expected) in cases {
            assert_eq!(numbers(text, 5, "").items, *expected, "{text}");
        }
    }

    #[test]
    fn words_that_count_are_not_passed_over() {
        for (text, item) in [
            ("the former is done", 0),
            ("the latter is done", 1),
            ("the first item is done", 0),
            ("the last one is done", 1),
        ] {
            assert_eq!(numbers(text, 2, "").items, [item], "{text}");
        }
        for text in ["both are done", "all done", "everything is done"] {
            assert!(numbers(text, 2, "").all, "{text}");
        }
        for text in ["the rest is done", "the others are done", "remaining items done"] {
            assert!(numbers(text, 2, "").rest, "{text}");
        }
        for text in [
            "all except 2",
            "all but 2",
            "everything other than 2",
            "all apart from 2",
        ] {
            assert!(numbers(text, 2, "").except_after.is_some(), "{text}");
        }
    }
}
