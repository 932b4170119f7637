//! "The task is complete": the whole of it, not a part.

use proctor_prose::{Reading, Tags, Token, TokenKind, tag};

/// Words around a completion that name nothing of their own.
const PLAIN: Tags = tag::STOP
    .or(tag::GENERIC)
    .or(tag::WORK)
    .or(tag::DONE)
    .or(tag::FIRST)
    .or(tag::YOU)
    .or(tag::INTENS)
    .or(tag::CLAUSE)
    .or(tag::PAST);

/// Whether a part of the clause says that everything is done.
pub(super) fn is(reading: &Reading, tokens: &[&Token]) -> bool {
    let ends = |t: &Token| {
        matches!(t.kind, TokenKind::Punct(',' | ':' | '/' | '(' | '.' | '!'))
            || matches!(reading.word(t), "및" | "그리고")
            || t.kind == TokenKind::Word && t.tags.any(tag::CLAUSE) && reading.word(t) == "and"
    };
    tokens.split(|t| ends(t)).any(|part| whole(reading, part))
}

/// Whether a label says that it is a part that is complete: "`RateTable`: done", "이자 계산: 완료".
pub(super) fn is_of_a_part(reading: &Reading, tokens: &[&Token]) -> bool {
    let Some(colon) = tokens.iter().position(|t| t.is_punct(':')) else {
        return false;
    };
    let label = tokens.get(..colon).unwrap_or_default();
    let state = |t: &&Token| {
        let word = reading.word(t);
        everything(word)
            || names_task(word)
            || matches!(word, "status" | "state" | "result" | "overall" | "progress")
            || ["상태", "결과", "진행", "현황"]
                .iter()
                .any(|w| word.starts_with(w))
    };
    !label.is_empty() && !label.iter().any(state)
}

fn whole(reading: &Reading, part: &[&Token]) -> bool {
    let words: Vec<&&Token> = part
        .iter()
        .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        .collect();
    let every = words.iter().any(|t| everything(reading.word(t)));
    if words.is_empty() || words.iter().any(|t| partial(reading.word(t), every)) {
        return false;
    }
    // 완료 조건, 완료 화면: a noun of its own.
    let noun = words
        .windows(2)
        .any(|w| matches!(w, [a, b] if reading.word(a) == "완료" && b.kind == TokenKind::Hangul && !completion(b.kind, &format!("완료{}", reading.word(b)))));
    if noun {
        return false;
    }
    // "All requested changes have been made."
    let made = every
        && words
            .iter()
            .any(|t| reading.word(t) == "requested" || reading.word(t) == "asked")
        && words
            .iter()
            .any(|t| matches!(reading.word(t), "made" | "applied" | "addressed" | "place"));
    let closed = |t: &&Token| reading.word(t) == "closed";
    let completes = made
        || words
            .iter()
            .any(|t| completion(t.kind, reading.word(t)) || closed(t));
    if !completes {
        return false;
    }
    let task = words.iter().any(|t| names_task(reading.word(t)));
    let own = words
        .iter()
        .filter(|t| {
            let word = reading.word(t);
            !(t.tags.any(PLAIN)
                || made && t.tags.any(tag::PROCESS | tag::DIFF)
                || matches!(
                    word,
                    "successfully" | "made" | "applied" | "addressed" | "place" | "in"
                )
                || completion(t.kind, word)
                || everything(word)
                || names_task(word)
                || asked(word))
                || checked(word)
        })
        .count();
    if own == 0 {
        // 수정 완료: an edit, not the task.
        return every || !words.iter().any(|t| edits(reading.word(t)));
    }
    // "I consider this task closed", "Work on the motion camera is complete"
    if task && is_of_the_task(reading, &words) {
        return !words.iter().any(|t| checked(reading.word(t)));
    }
    // "The refactoring you asked for is done", "요청하신 캐시 처리까지 모두 끝났습니다", "구현과 검증을 모두 완료했습니다"
    let wished =
        |t: &&&Token| ["요청하신", "맡기신", "말씀하신", "지시하신", "부탁하신"].contains(&reading.word(t));
    let named = words.iter().any(|t| reading.word(t) == "asked") || every && words.iter().any(wished);
    let joined = task
        && words
            .iter()
            .any(|t| names_task(reading.word(t)) && reading.word(t).ends_with(['과', '와']));
    // "Token rename 작업 전부 끝났습니다"
    (every && task || named) && own <= 3 && (joined || !words.iter().any(|t| checked(reading.word(t))))
}

/// Whether the task itself is what is complete: it stands right before the word for it, or begins the clause as "work on …".
fn is_of_the_task(reading: &Reading, words: &[&&Token]) -> bool {
    let word_at = |at: usize| words.get(at).map_or("", |t| reading.word(t));
    let head = usize::from(matches!(word_at(0), "the" | "all" | "my"));
    let begins = matches!(word_at(head), "work" | "task")
        && matches!(word_at(head + 1), "on" | "for")
        && words.len() <= 10;
    begins
        || (1..words.len()).any(|at| {
            let complete =
                words.get(at).is_some_and(|t| completion(t.kind, word_at(at))) || word_at(at) == "closed";
            let mut subject = at - 1;
            while subject > 0
                && matches!(
                    word_at(subject),
                    "is" | "are" | "was" | "as" | "now" | "fully" | "thus"
                )
            {
                subject -= 1;
            }
            let definite = subject > 0
                && matches!(
                    word_at(subject - 1),
                    "the" | "this" | "that" | "your" | "whole" | "entire"
                );
            complete
                && definite
                && matches!(
                    word_at(subject),
                    "task" | "ticket" | "job" | "issue" | "work" | "request"
                )
        })
}

fn completion(kind: TokenKind, word: &str) -> bool {
    if kind != TokenKind::Hangul {
        return matches!(
            word,
            "done" | "complete" | "completed" | "completes" | "finished" | "implemented"
        );
    }
    match word.strip_prefix("완료") {
        Some("") => true,
        Some(rest) => ["했", "됐", "되었", "하였", "합니다", "입니다", "하고", "됨", "함"]
            .iter()
            .any(|e| rest.starts_with(e)),
        None => [
            "끝났",
            "끝냈",
            "끝입",
            "끝마쳤",
            "끝내고",
            "마쳤",
            "마치고",
            "마무리했",
            "마무리됐",
            "구현했",
            "구현하고",
            "구현됐",
            "완성했",
        ]
        .iter()
        .any(|s| word.starts_with(s)),
    }
}

fn everything(word: &str) -> bool {
    matches!(
        word,
        "all" | "everything" | "entire" | "whole" | "fully" | "both" | "다"
    ) || ["모두", "모든", "전부", "전체", "빠짐없이"]
        .iter()
        .any(|w| word.starts_with(w))
}

fn names_task(word: &str) -> bool {
    matches!(
        word,
        "task"
            | "tasks"
            | "work"
            | "job"
            | "ticket"
            | "issue"
            | "request"
            | "requests"
            | "items"
            | "todos"
            | "feature"
            | "implementation"
            | "requirements"
            | "task를"
            | "task는"
    ) || [
        "작업", "요청", "과제", "업무", "이슈", "티켓", "할", "구현", "요구",
    ]
    .iter()
    .any(|w| word.starts_with(w))
}

/// What was done to a file is no completion of a task.
fn edits(word: &str) -> bool {
    [
        "수정", "변경", "추가", "삭제", "적용", "반영", "정리", "교체", "이동",
    ]
    .iter()
    .any(|w| word.starts_with(w))
}

fn asked(word: &str) -> bool {
    matches!(
        word,
        "requested" | "asked" | "wanted" | "for" | "have" | "been" | "has" | "items" | "list"
    ) || ["요청", "말씀", "지시", "내용", "사항", "항목"]
        .iter()
        .any(|w| word.starts_with(w))
}

fn checked(word: &str) -> bool {
    [
        "review",
        "test",
        "verif",
        "검증",
        "테스트",
        "확인",
        "검토",
        "리뷰",
        "접수",
        "수신",
        "빌드",
        "분석",
        "조사",
        "준비",
        "설치",
    ]
    .iter()
    .any(|w| word.starts_with(w))
}

/// Words that leave it at a part.
fn partial(word: &str, every: bool) -> bool {
    matches!(
        word,
        "half"
            | "part"
            | "partly"
            | "partially"
            | "first"
            | "step"
            | "phase"
            | "almost"
            | "nearly"
            | "mostly"
            | "once"
            | "when"
            | "until"
            | "not"
            | "be"
            | "get"
            | "getting"
            | "only"
            | "as"
            | "after"
            | "call"
            | "if"
            | "needs"
    ) || [
        "절반", "일부", "단계", "우선", "먼저", "부분", "거의", "반쯤", "첫",
    ]
    .iter()
    .any(|w| word.starts_with(w))
        || word.ends_with('만')
        || word.ends_with("까지는")
        // 정렬까지 모두 끝났습니다: all of it, the sorting with it.
        || word.ends_with("까지") && !every
}
