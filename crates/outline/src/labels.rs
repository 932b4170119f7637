//! Labels that open a section of a delegation, in English and Korean.

use crate::list::{List, has_any, has_any_word, list, listed};
use crate::text::{floor, slice};

/// What a section of a delegation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What is to be done.
    Task,
    /// What must come out.
    Outcome,
    /// Which tools to use.
    Tools,
    /// What must be done on the way.
    MustDo,
    /// What must not be done.
    MustNot,
    /// What to know.
    Context,
    /// Which files may change.
    Scope,
    /// Which files must not change.
    Exclude,
    /// Constraints of both sorts.
    Rules,
    /// A section that says nothing about outcome or scope.
    Other,
}

/// A space in a label stands for any run of spaces, `_` and `-`, or for nothing.
static LABELS: [(Kind, &List); 10] = [
    (
        Kind::Outcome,
        list!(
            "\
        expected outcome|expected outcomes|expected result|expected results|expected output|\
        expected outputs|expected deliverable|expected deliverables|expected end state|\
        desired outcome|desired outcomes|desired result|target outcome|outcome|outcomes|\
        deliverable|deliverables|success criteria|acceptance criteria|definition of done|\
        done when|done criteria|exit criteria|end result|end results|end state|final state|\
        expected behaviour|expected behavior|checklist|to do|to do list|to dos|todo|todos|\
        todo list|체크리스트|할 일 목록|해야 할 일 목록|요청 결과|요청 결과물|요구 결과|\
        완성 조건|완료 정의|종료 조건|통과 조건|끝나면|목표 상태|기대 상태|기대 동작|기대 결과|기대 결과물|기대되는 결과|기대하는 결과|\
        기대하는 결과물|기대 산출물|기대 출력|기대 성과|예상 결과|예상 결과물|예상 산출물|\
        원하는 결과|목표 결과|최종 결과|최종 결과물|산출물|결과물|완료 조건|완료 기준|인수 조건|\
        성공 기준",
            by_word = false
        ),
    ),
    (
        Kind::Task,
        list!(
            "\
        task|tasks|the task|your task|atomic task|goal|goals|objective|mission|assignment|작업|\
        작업 내용|과제|목표|임무|업무|할 일|요청|요청 사항|요청 내용",
            by_word = false
        ),
    ),
    (
        Kind::Tools,
        list!(
            "\
        required tools|required tool|required skills|tools|tool|allowed tools|tools to use|\
        tooling|도구|필요 도구|필요한 도구|필수 도구|사용 도구|사용할 도구|허용 도구|툴|필요 툴",
            by_word = false
        ),
    ),
    (
        Kind::MustDo,
        list!(
            "\
        must do|must dos|must|musts|dos|requirements|required|mandatory|필수 사항|필수 수행|\
        필수 작업|필수|반드시|반드시 할 것|반드시 할 일|반드시 해야 할 것|반드시 해야 할 일|\
        해야 할 일|해야 할 것|준수 사항|의무 사항|요구 사항|지켜야 할 것",
            by_word = false
        ),
    ),
    (
        Kind::MustNot,
        list!(
            "\
        must not do|must not|must nots|must n't do|mustn't do|mustn't|do not|do nots|do not do|\
        don't|don'ts|dont|donts|never|never do|forbidden|prohibited|prohibitions|not allowed|\
        금지|금지 사항|금지 행위|절대 금지|수행 금지|하지 말 것|하지 말아야 할 것|\
        하지 말아야 할 일|하면 안 되는 것|하면 안 되는 일|해서는 안 되는 것|해서는 안 되는 일|\
        해서는 안 될 일",
            by_word = false
        ),
    ),
    (
        Kind::Context,
        list!(
            "\
        context|background|references|reference|see also|further reading|notes|note|information|\
        info|for reference|for information|history|related|related files|reference files|\
        files to read|read first|맥락|문맥|배경|배경 정보|배경 지식|컨텍스트|참고|참고 사항|\
        참고 자료|참고 파일|참조|참조 파일|상황|비고|메모|관련 파일|관련 정보",
            by_word = false
        ),
    ),
    (
        Kind::Scope,
        list!(
            "\
        scope|in scope|files|files in scope|files to change|files to modify|files to edit|\
        files to create|files to touch|files to update|files to delete|file changes|\
        changed files|files changed|affected files|allowed files|allowed changes|allowed paths|\
        target files|target file|may change|may modify|may edit|paths|범위|작업 범위|변경 범위|\
        수정 범위|대상|대상 파일|수정 대상|변경 대상|작업 대상|변경 파일|수정 파일|수정할 파일|\
        변경할 파일|변경될 파일|생성할 파일|추가할 파일|허용 파일|허용 범위|수정 가능|수정 허용|\
        변경 허용",
            by_word = false
        ),
    ),
    (
        Kind::Exclude,
        list!(
            "\
        out of scope|not in scope|off limits|do not touch|don't touch|do not modify|\
        don't modify|do not change|don't change|do not edit|don't edit|must not change|\
        must not touch|must not modify|must not be modified|must not be changed|hands off|\
        leave alone|excluded|exclude|excluding|exclusions|excluded files|protected files|\
        read only files|frozen files|files not to change|files not to touch|제외|제외 대상|\
        제외 파일|제외 범위|범위 외|범위 밖|수정 금지|변경 금지|편집 금지|수정 제외|\
        수정 금지 파일|변경 금지 파일|수정 불가|변경 불가|건드리지 말 것|수정하지 말 것|\
        변경하지 말 것|손대지 말 것|건드리면 안 되는 파일",
            by_word = false
        ),
    ),
    (
        Kind::Rules,
        list!(
            "\
        constraints|constraint|rules|restrictions|limits|guidelines|제약|제약 사항|제약 조건|\
        규칙|주의|주의 사항|유의 사항|지침|조건",
            by_word = false
        ),
    ),
    (
        Kind::Other,
        list!(
            "\
        steps|plan|approach|deadline|priority|owner|owners|estimate|contact|output format|\
        response format|reply format|report format|우선순위|우선 순위|기한|마감|담당|담당자|\
        단계|절차|순서|출력 형식|보고 형식|응답 형식|말투",
            by_word = false
        ),
    ),
];

/// A label found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// Byte range of the label with its decoration and separator.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether a separator such as `:` follows.
    pub(crate) separated: bool,
    /// Whether it stands in `**`, `[ ]`, `< >` or the like.
    pub(crate) decorated: bool,
    /// Whether the label has several words (and so is rarely meant otherwise).
    pub(crate) strong: bool,
    /// Whether it is written in capitals.
    pub(crate) capitals: bool,
}

/// Bytes of `text` that the label takes from the beginning; case and white space do not count.
fn consume(text: &str, label: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    for wanted in label.chars() {
        if wanted == ' ' {
            while chars
                .peek()
                .is_some_and(|(_, c)| matches!(c, ' ' | '_' | '-' | '\t' | '\u{a0}'))
            {
                chars.next();
            }
            continue;
        }
        let (_, c) = chars.next()?;
        let c = if c == '’' { '\'' } else { c.to_ascii_lowercase() };
        if c != wanted {
            return None;
        }
    }
    let (at, next) = chars.peek().map_or((text.len(), None), |(at, c)| (*at, Some(*c)));
    (!next.is_some_and(|c| c.is_alphanumeric() || c == '_')).then_some(at)
}

#[cfg(test)]
thread_local! {
    /// How often a label was looked for.
    static LOOKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn longest(text: &str) -> Option<(Kind, usize, &'static str)> {
    #[cfg(test)]
    LOOKS.with(|looks| looks.set(looks.get() + 1));
    let first = text.chars().next()?.to_ascii_lowercase();
    LABELS
        .iter()
        .flat_map(|(kind, labels)| labels.beginning_with(first).map(move |label| (*kind, label)))
        .filter_map(|(kind, label)| consume(text, label).map(|end| (kind, end, label)))
        .max_by_key(|(_, end, _)| *end)
}

fn is_capitals(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_uppercase()) && !text.chars().any(|c| c.is_ascii_lowercase())
}

/// Skips decoration, a parenthesis and a separator after a label. Returns the new position and
/// whether there was a separator.
fn tail(text: &str, mut at: usize, decorated: bool) -> (usize, bool) {
    let mut separated = false;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { break };
        match c {
            ' ' | '\t' => {}
            '*' | '_' | ']' | '>' | '】' | '」' | '』' | '"' | '`' if decorated => {}
            '(' | '（' if !separated => {
                let Some(close) = rest
                    .char_indices()
                    .take(60)
                    .find(|(_, c)| matches!(c, ')' | '）'))
                else {
                    break;
                };
                at += close.0 + close.1.len_utf8();
                continue;
            }
            '/' if !separated && is_alias(chars.as_str()) => {
                let alias = chars.as_str().trim_start();
                let Some((_, end, _)) = longest(alias) else { break };
                at = text.len() - alias.len() + end;
                continue;
            }
            ':' | '：' | '=' | '|' if !separated => separated = true,
            '-' | '–' | '—' if !separated && chars.as_str().starts_with([' ', '-', '>']) => {
                separated = true;
                at += rest.len() - rest.trim_start_matches(['-', '–', '—', '>']).len();
                continue;
            }
            '=' | '-' if separated => {}
            _ => break,
        }
        at += c.len_utf8();
    }
    (at, separated)
}

fn is_alias(rest: &str) -> bool {
    longest(rest.trim_start()).is_some()
}

/// The label at the beginning of a line (after its list marker), if the line opens a section.
pub(crate) fn at_start(text: &str) -> Option<Found> {
    let mut start = 0;
    let mut decorated = false;
    for (at, c) in text.char_indices().take(24) {
        start = at;
        if c.is_alphanumeric() {
            break;
        }
        match c {
            '/' | '`' | '.' | '(' | ')' | '"' => return None,
            ' ' | '\t' => {}
            _ => decorated = true,
        }
        start = at + c.len_utf8();
    }
    let mut body = text.get(start..)?;
    // An ordinal inside the decoration, as in `**1. TASK**`.
    let (marker, rest) = crate::layout::marker(body);
    if matches!(marker, crate::layout::Marker::Number(_)) {
        start += body.len() - rest.len();
        body = rest;
    }
    let (kind, length, label) = longest(body)?;
    let (end, separated) = tail(text, start + length, decorated);
    let written = slice(text, start, start + length);
    Some(Found {
        kind,
        start,
        end,
        separated,
        decorated,
        strong: label.contains(' '),
        capitals: is_capitals(written),
    })
}

/// Whether a heading says in its own words that what follows must come out: "What I expect at the end",
/// "When you are done there should be", "끝나면 있어야 하는 것".
pub(crate) fn asks_for_outcome(heading: &str) -> bool {
    let lower = heading.to_lowercase().replace('’', "'");
    if lower.chars().count() > 60 || lower.split_whitespace().count() > 12 {
        return false;
    }
    let english = has_any_word!(
        &lower,
        "i expect|we expect|you expect|expecting|is expected|are expected|expected of you|should come out|\
        must come out|at the end|when you are done|when you're done|when done|when finished|once finished|\
        you are done when|you're done when|done means|finished means|should exist|must exist|should be there|\
        should be true|must be true|want to see|want to have|want back|need back|hand over|hand in|deliver|\
        delivered|result should|results should|outcome|deliverables|acceptance",
    );
    let korean = has_any!(
        &lower,
        "기대하는|기대되는|기대합|기대 결과|결과물|산출물|완료되면|끝나면|끝났을 때|나와야|있어야|되어야 하|원하는 결과|\
        받고 싶은|완료 조건|완료로 보는|인수 조건"
    );
    let not = has_any_word!(&lower, "do not|don't|not|never|out of scope|avoid")
        || has_any!(&lower, "금지|제외|말 것|마세요|하지 마|않");
    (english || korean) && !not
}

/// Labels with a colon inside a line, as in `Make it fast. Expected outcome: under one second`. `labelled` says that another
/// label stands before the text in its line.
pub(crate) fn inline(text: &str, labelled: bool) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
    for (colon, mark) in text.match_indices([':', '：']) {
        let from = floor(text, colon.saturating_sub(64));
        let window = slice(text, from, colon).trim_end_matches(['*', '_', ']', ' ', '"', '】']);
        let window = match (window.ends_with(')'), window.rfind('(')) {
            (true, Some(open)) => slice(window, 0, open).trim_end(),
            _ => window,
        };
        // No label has a colon in it: what stands before the last one is not looked at again for each that follows.
        let colons = window.rmatch_indices([':', '：']);
        let skipped = colons.map(|(at, colon)| at + colon.len()).next().unwrap_or(0);
        let Some(mut found) = ends_with_label(slice(window, skipped, window.len())) else {
            continue;
        };
        found.start += from + skipped;
        found.end = colon + mark.len();
        found.end += text.get(found.end..).map_or(0, |rest| {
            rest.len() - rest.trim_start_matches(['*', '_', ' ']).len()
        });
        let before = slice(text, 0, found.start).trim_end_matches(['*', '_', '[', ' ', '"', '【', '#']);
        let fresh =
            before.is_empty() || before.ends_with(['.', '!', '?', '。', ')', ';', '|', '/', '\n', ']', ':']);
        let capital = slice(text, found.start, found.end).starts_with(|c: char| !c.is_ascii_lowercase());
        if is_quoted(text, found.start, colon) {
            continue;
        }
        let clear = match found.kind {
            Kind::Outcome if labelled && (found.strong || found.capitals) => true,
            Kind::Outcome if found.strong => !is_spoken_of(text, found.start),
            Kind::MustDo | Kind::MustNot | Kind::Tools | Kind::Exclude if found.strong => {
                found.capitals || fresh
            }
            Kind::Outcome if found.capitals => !is_spoken_of(text, found.start),
            _ => found.capitals || (fresh && capital),
        };
        if clear && out.last().is_none_or(|last| last.end <= found.start) {
            out.push(found);
        }
    }
    out
}

/// Whether a label stands with its colon in a quotation that is not the whole line.
fn is_quoted(text: &str, start: usize, colon: usize) -> bool {
    // Nobody quotes a label in a longer line, and each label would be looked for in all of it.
    const LINE: usize = 4096;
    if text.len() > LINE {
        return false;
    }
    let whole = text.trim();
    [('"', '"'), ('“', '”'), ('`', '`'), ('「', '」')]
        .iter()
        .any(|(open, close)| {
            let before = slice(text, 0, start);
            let opened = if open == close {
                before.matches(*open).count() % 2 == 1
            } else {
                before.matches(*open).count() > before.matches(*close).count()
            };
            let inner = slice(text, start, colon);
            opened
                && !inner.contains(*close)
                && slice(text, colon, text.len()).contains(*close)
                && !(whole.starts_with(*open) && whole.ends_with(*close) && whole.matches(*open).count() <= 2)
        })
}

/// Whether a label inside a line is only spoken of: `under EXPECTED OUTCOME: in a delegation`, `the log says: EXPECTED
/// OUTCOME: 5`.
pub(crate) fn is_spoken_of(text: &str, start: usize) -> bool {
    let before = slice(text, floor(text, start.saturating_sub(48)), start)
        .trim_end_matches(['*', '_', '[', ' ', '"', '【', '#']);
    let told = before.ends_with([':', '：']);
    let before = before.trim_end_matches([':', '：', ' ']);
    if before.ends_with(['.', '!', '?', '。', ')', ';', '|', '/', '\n', ']']) {
        return false;
    }
    let last = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let says = listed!(
        "says|said|say|saying|prints|printed|shows|showed|reads|reports|reported|logs|outputs|means|mean",
        last.as_str()
    );
    says || !told
        && listed!(
            "under|in|inside|of|about|by|called|named|like|with|into|behind|after|before|from|what|which|label|labels|heading|\
            headings|section|sections|word|words|field|key|titled",
            last.as_str()
        )
}

fn ends_with_label(window: &str) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut previous = ' ';
    for (at, c) in window.char_indices() {
        if !previous.is_alphanumeric()
            && c.is_alphanumeric()
            && let Some((kind, length, label)) = longest(slice(window, at, window.len()))
            && at + length == window.len()
        {
            let written = slice(window, at, window.len());
            best = Some(Found {
                kind,
                start: at,
                end: window.len(),
                separated: true,
                decorated: false,
                strong: label.contains(' '),
                capitals: is_capitals(written),
            });
            break;
        }
        previous = c;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_many_dresses() {
        let cases = [
            ("EXPECTED OUTCOME:", Kind::Outcome, ""),
            ("Expected outcomes", Kind::Outcome, ""),
            ("**EXPECTED OUTCOME:** a", Kind::Outcome, "a"),
            ("**EXPECTED OUTCOME**: a", Kind::Outcome, "a"),
            ("[Expected Outcome] a", Kind::Outcome, "a"),
            ("expected_outcome: a", Kind::Outcome, "a"),
            ("expectedOutcome: a", Kind::Outcome, "a"),
            ("EXPECTED OUTCOME (기대 결과): a", Kind::Outcome, "a"),
            ("기대 결과 / Expected outcome: a", Kind::Outcome, "a"),
            ("기대결과: a", Kind::Outcome, "a"),
            ("🎯 기대 결과 — a", Kind::Outcome, "a"),
            ("<must_not_do>", Kind::MustNot, ""),
            ("MUST DO: x", Kind::MustDo, "x"),
            ("Don’t: x", Kind::MustNot, "x"),
            ("**6. CONTEXT**", Kind::Context, ""),
            ("하지 말 것: x", Kind::MustNot, "x"),
        ];
        for (text, kind, rest) in cases {
            let found = at_start(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (found.kind, text.get(found.end..).unwrap()),
                (kind, rest),
                "{text}"
            );
        }
        assert!(at_start("Tasking: a").is_none());
        assert!(at_start("작업자: a").is_none());
    }

    #[test]
    fn each_word_before_a_colon_is_looked_up_once() {
        for (piece, words) in [("a: b: c: ", 3), ("src/a.rs:12 ", 4)] {
            LOOKS.with(|looks| looks.set(0));
            let _ = inline(&piece.repeat(1000), false);
            assert!(LOOKS.with(std::cell::Cell::get) <= words * 1000, "{piece}");
        }
    }

    #[test]
    fn labels_inside_a_line() {
        let text = "Fix it. Expected outcome: src/a.ts MUST NOT DO: touch b CONTEXT: none";
        let kinds: Vec<Kind> = inline(text, false).iter().map(|f| f.kind).collect();
        assert_eq!(kinds, [Kind::Outcome, Kind::MustNot, Kind::Context]);
        assert!(inline("set the task: value and note: b", false).is_empty());
    }
}
