//! The shortest form of a verdict that says what it rests on: "APPROVE - checked logs", "APPROVE (tests pass)", "승인 - 결과 확인".
//! The whole message is a word of approval, what was done in order to know or what came out, and at most what it was done to. In so closed a
//! form nothing is left to weigh: a word that belongs to neither leaves the message to the models.

use super::evidence::{Report, weak_look};
use super::figures::fraction;
use proctor_prose::{Features, Kinds, Reading, Tags, Token, TokenKind, tag};

/// Most tokens of such a message.
const MOST: usize = 16;

/// What takes a clause out of what was done.
const UNDONE: Features = Features::QUESTION
    .or(Features::QUOTED)
    .or(Features::STRUCK)
    .or(Features::FUTURE)
    .or(Features::MODAL)
    .or(Features::BELIEF)
    .or(Features::PENDING)
    .or(Features::ONGOING)
    .or(Features::CONDITIONAL)
    .or(Features::NEGATED)
    .or(Features::HEARSAY);

/// What a verification is done to.
const OBJECT: Tags =
    Tags(tag::TESTS.0 | tag::BUILD.0 | tag::TYPES.0 | tag::LINT.0 | tag::DIFF.0 | tag::LOGS.0 | tag::WORK.0);

/// What of it is run and ends well or badly.
const RAN: Tags = Tags(tag::TESTS.0 | tag::BUILD.0 | tag::TYPES.0 | tag::LINT.0);

/// What makes any word one of another form.
const OTHER: Tags = Tags(
    tag::NEG.0
        | tag::ZERO.0
        | tag::BADRES.0
        | tag::TRIVIAL.0
        | tag::COND.0
        | tag::FUT.0
        | tag::MODAL.0
        | tag::PENDING.0
        | tag::POLICY.0
        | tag::REQUEST.0
        | tag::CONTRAST.0
        | tag::UNDONE.0
        | tag::REFUSE.0,
);

/// What a message in this form rests on.
pub(super) fn report(reading: &Reading) -> Option<Report> {
    let length: usize = reading.clauses.iter().map(|c| reading.tokens_of(c).len()).sum();
    let plain = length <= MOST
        && reading.blocks.iter().all(|b| b.kind.is_prose())
        && !reading
            .clauses
            .iter()
            .any(|c| c.features.any(UNDONE) || c.kinds.any(Kinds::CODE));
    if !plain {
        return None;
    }
    let mut approved = false;
    // What was done stands apart from the verdict: "승인 - 눌렀습니다" might report, "승인 눌렀습니다" only approves.
    let mut apart = false;
    let mut act: Option<&Token> = None;
    let mut object: Option<&Token> = None;
    let mut figure: Option<&Token> = None;
    let mut result: Option<&Token> = None;
    let mut end = 0;
    for clause in &reading.clauses {
        let tokens = reading.tokens_of(clause);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += usize::from(token.phrase.max(1));
            // A box that nobody ticked, a form that nobody filled in.
            if matches!(token.kind, TokenKind::Punct('[' | '<' | '{')) {
                return None;
            }
            if matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji) {
                apart |= approved && matches!(token.kind, TokenKind::Punct(_));
                continue;
            }
            let word = reading.word(token);
            let last = tokens.get(at - 1).unwrap_or(token);
            if !approved {
                // The verdict comes first, behind its label at most.
                if token.tags.any(tag::APPROVE) {
                    approved = true;
                } else if !token.tags.any(tag::VERDICT) {
                    return None;
                }
                continue;
            }
            if token.kind == TokenKind::Number {
                let (passed, all) = fraction(word)?;
                if passed != all || all == 0 {
                    return None;
                }
                figure = Some(token);
            } else if matches!(word, "it" | "them" | "this" | "result" | "results")
                || word.starts_with("결과")
            {
                object = object.or(Some(token));
            } else if token.tags.any(OTHER) {
                return None;
            } else if token.tags.any(tag::RUN | tag::CHECK)
                // A listed phrase ends with its verb in one language and begins with it in the other: 직접 실행했습니다.
                && (done(word, token.kind) || done(reading.word(last), last.kind))
            {
                if !apart {
                    return None;
                }
                act = act.or(Some(token));
            } else if token.tags.any(OBJECT)
                || token.tags.any(tag::OKRES) && apart && ends_well(word, token.kind)
            {
                if token.tags.any(OBJECT) {
                    object = object.or(Some(token));
                }
                // A listed phrase is both: "tests pass".
                if token.tags.any(tag::OKRES) && apart {
                    result = result.or(Some(token));
                }
            } else if !token.tags.any(tag::FIRST) && !matches!(word, "the" | "all" | "and" | "직접" | "완료")
            {
                return None;
            }
            end = last.end;
        }
    }
    // Either what was done is told or what came out: "Examples: tests pass, verified output" tells neither.
    if result.is_some() && (act.is_some() || figure.is_some()) {
        return None;
    }
    let first = match (act, object, figure) {
        // "확인" alone is a noun, and "reviewed" promises nothing; whoever writes "checked" or a whole sentence has said
        // that he did it.
        (Some(act), None, None) if act.phrase < 2 && !whole(reading.word(act), act.kind) => return None,
        (Some(act), Some(object), _) if object.start < act.start => object,
        (Some(act), ..) => act,
        // What was run and how it ended: "tests pass". "It works" names no run.
        (None, Some(object), None) if object.tags.any(RAN) => {
            let result = result?;
            if object.start < result.start {
                object
            } else {
                result
            }
        }
        (None, _, figure) => figure?,
    };
    let tags = object.map_or(Tags::NONE, |o| o.tags);
    let class = if figure.is_some() || tags.any(tag::TESTS) {
        "tests"
    } else if tags.any(tag::LOGS) {
        "logs"
    } else if tags.any(tag::DIFF) {
        "diff"
    } else if act.is_none() && tags.any(tag::TYPES) {
        "types"
    } else if act.is_none() && tags.any(tag::LINT) {
        "lint"
    } else if act.is_none() && tags.any(tag::BUILD) {
        "build"
    } else {
        "stated"
    };
    Some(Report {
        start: first.start,
        end,
        class,
    })
}

/// Whether a result is told as one that is there: 통과하면 is none yet.
fn ends_well(word: &str, kind: TokenKind) -> bool {
    match kind {
        TokenKind::Hangul => {
            past(word)
                || matches!(word, "통과" | "성공")
                || ["합니다", "됨", "함", "해요"].iter().any(|e| word.ends_with(e))
        }
        _ => true,
    }
}

/// Whether a verb of verification says that it was done.
fn done(word: &str, kind: TokenKind) -> bool {
    match kind {
        TokenKind::Word => {
            word.ends_with("ed") || matches!(word, "ran" | "re-ran" | "reran" | "read" | "saw")
        }
        // A verb in the past, or the noun, which Korean uses for what was done: 결과 확인.
        TokenKind::Hangul => past(word) || matches!(word, "확인" | "검증" | "검토" | "점검" | "실행"),
        _ => false,
    }
}

/// Whether a verb says by itself that something was verified.
fn whole(word: &str, kind: TokenKind) -> bool {
    match kind {
        TokenKind::Hangul => past(word),
        _ => !weak_look(word),
    }
}

/// Whether a Korean verb stands in the past: 했, 봤, 돌렸, 읽었.
fn past(word: &str) -> bool {
    word.chars().any(|c| {
        let code = u32::from(c);
        // A syllable that ends in ㅆ, but for 있 and 겠.
        (0xac00..=0xd7a3).contains(&code) && (code - 0xac00) % 28 == 20 && !matches!(c, '있' | '겠')
    })
}
