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
    let ends = |t: &&Token| {
        matches!(t.kind, TokenKind::Punct(',' | ':' | '/' | '(' | '.' | '!'))
            || matches!(reading.word(t), "및" | "그리고")
            || t.kind == TokenKind::Word && t.tags.any(tag::CLAUSE) && reading.word(t) == "and"
    };
    tokens.split(|t| ends(&t)).any(|part| whole(reading, part))
}

fn whole(reading: &Reading, part: &[&Token]) -> bool {
    let words: Vec<&&Token> = part
        .iter()
        .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        .collect();
    if words.is_empty() || words.iter().any(|t| partial(reading.word(t))) {
        return false;
    }
    let completes = words.iter().any(|t| completion(t.kind, reading.word(t)));
    if !completes {
        return false;
    }
    let every = words.iter().any(|t| everything(reading.word(t)));
    let task = words.iter().any(|t| names_task(reading.word(t)));
    let own = words
        .iter()
        .filter(|t| {
            let word = reading.word(t);
            !(t.tags.any(PLAIN)
                || completion(t.kind, word)
                || everything(word)
                || names_task(word)
                || asked(word))
                || checked(word)
        })
        .count();
    if own == 0 {
        // 수정 완료: an edit, not the task.
        let edit = words.iter().any(|t| {
            t.tags.any(tag::PROCESS) && !completion(t.kind, reading.word(t)) && !asked(reading.word(t))
        });
        return !edit || every;
    }
    // "Token rename 작업 전부 끝났습니다"
    every && task && own <= 3 && !words.iter().any(|t| checked(reading.word(t)))
}

fn completion(kind: TokenKind, word: &str) -> bool {
    match kind {
        TokenKind::Hangul => {
            let stems = [
                "완료",
                "끝났",
                "끝냈",
                "끝입",
                "마쳤",
                "마무리했",
                "마무리됐",
                "구현했",
                "구현됐",
                "완성했",
                "끝마쳤",
            ];
            stems.iter().any(|s| word.starts_with(s))
                && ![
                    "완료되지",
                    "완료하지",
                    "완료할",
                    "완료라고",
                    "완료되면",
                    "완료하면",
                    "완료된",
                    "완료한",
                    "완료율",
                    "완료해",
                    "완료하",
                ]
                .iter()
                .any(|s| {
                    word.starts_with(s) && *s != "완료하"
                        || word.starts_with("완료하") && !word.starts_with("완료하였")
                })
        }
        _ => matches!(
            word,
            "done" | "complete" | "completed" | "finished" | "implemented"
        ),
    }
}

fn everything(word: &str) -> bool {
    matches!(
        word,
        "all" | "everything" | "entire" | "whole" | "fully" | "both" | "다"
    ) || ["모두", "모든", "전부", "전체"]
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
            | "task를"
            | "task는"
    ) || ["작업", "요청", "과제", "업무", "이슈", "티켓", "할"]
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
fn partial(word: &str) -> bool {
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
        || word.ends_with("까지는")
        || word.ends_with("까지")
}
