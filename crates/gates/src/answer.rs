//! The shortest answer to a question: "Yes.", "No", "true", "OK.", 네, 아닙니다. Unasked such a word is an empty confirmation;
//! where the task is a question that can be answered so, it is the answer.

use proctor_kernel::Task;
use proctor_prose::{Clause, Features, Reading, Tags, Token, TokenKind, read, tag};

/// Most words of such an answer.
const MOST: usize = 3;
/// How much of a task is read for its question, in bytes: questions stand at its beginning or at its end.
const READ: usize = 2 << 10;

/// Whether a message is a bare answer that its task asks for. A review is not answered with a word: for that the text
/// gates ask what was verified.
pub(crate) fn answers(message: &Reading, task: Option<&Task>) -> bool {
    let Some(answer) = bare(message) else {
        return false;
    };
    task.is_some_and(|task| {
        !crate::review::asks_for_review(&task.words) && asks(&task.words, answer, message)
    })
}

/// What kind of answer a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It says which of two things holds: yes, no, true, 네, 아닙니다.
    Polar,
    /// It says that something is so or was done: OK, done, 확인.
    Acknowledged,
}

/// Words that can say which of two things holds, and nothing else.
const POLAR: [&str; 25] = [
    "yes",
    "no",
    "nope",
    "yep",
    "yup",
    "yeah",
    "nah",
    "true",
    "false",
    "correct",
    "incorrect",
    "right",
    "wrong",
    "affirmative",
    "negative",
    "네",
    "넵",
    "예",
    "네네",
    "아뇨",
    "참",
    "거짓",
    "맞음",
    "아님",
    "없음",
];
/// Korean words by their beginnings that say the same.
const STEMS: [&str; 7] = [
    "아니오",
    "아니요",
    "아닙니",
    "맞습니",
    "맞아요",
    "그렇습니",
    "그렇지",
];

/// What takes a word out of an answer: it judges, thanks or greets.
const JUDGES: Tags = Tags(
    tag::APPROVE.0
        | tag::REFUSE.0
        | tag::VERDICT.0
        | tag::PRAISE.0
        | tag::HYPE.0
        | tag::EMOTE.0
        | tag::CHEER.0
        | tag::THANK.0
        | tag::GREET.0
        | tag::EXTRA.0,
);

/// What kind of answer the whole message is; `None` when it is more than an answer.
fn bare(message: &Reading) -> Option<Answer> {
    let open = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::STRUCK)
        .or(Features::CONDITIONAL)
        .or(Features::FUTURE);
    if message.tokens.len() > 2 * MOST + 1
        || message.blocks.iter().any(|b| !b.kind.is_prose())
        || message.clauses.iter().any(|c| c.features.any(open))
    {
        return None;
    }
    let (mut words, mut answer) = (0, None);
    for token in &message.tokens {
        match token.kind {
            TokenKind::Punct('.' | ',' | '!') => continue,
            TokenKind::Word | TokenKind::Hangul => {}
            _ => return None,
        }
        words += 1;
        let word = message.word(token);
        if words > MOST || token.tags.any(JUDGES) {
            return None;
        }
        if POLAR.contains(&word) || STEMS.iter().any(|s| word.starts_with(s)) {
            answer = Some(Answer::Polar);
        } else if token.tags.any(tag::ACK | tag::DONE) {
            answer = answer.or(Some(Answer::Acknowledged));
        } else if !token.tags.any(tag::STOP | tag::NEG) {
            return None;
        }
    }
    answer
}

/// Whether a message only says yes: "OK!", "Yes.", "Sure, approved", 네. Where a verdict was asked for, that is one.
pub(crate) fn assents(message: &Reading) -> bool {
    let other = JUDGES.without(tag::APPROVE | tag::VERDICT) | tag::NEG;
    let (mut words, mut assents) = (0, false);
    for token in message.tokens.iter().take(2 * MOST + 2) {
        match token.kind {
            TokenKind::Punct('.' | ',' | '!') | TokenKind::Emoji => continue,
            TokenKind::Word | TokenKind::Hangul if !token.quoted && !token.struck => {}
            _ => return false,
        }
        words += 1;
        let word = message.word(token);
        let yes = matches!(
            word,
            "yes" | "yep" | "yup" | "yeah" | "correct" | "네" | "넵" | "예"
        ) || token.tags.any(tag::ACK | tag::APPROVE | tag::OKRES)
            && !token.tags.any(tag::CHECK | tag::RUN);
        if words > MOST
            || word == "true"
            || token.tags.any(other)
            || !(yes || token.tags.any(tag::STOP | tag::INTENS))
        {
            return false;
        }
        assents |= yes;
    }
    assents && message.tokens.len() <= 2 * MOST + 1
}

/// Whether a task can be answered so.
fn asks(words: &str, answer: Answer, message: &Reading) -> bool {
    let task = read(&ends(words));
    let mut asked = false;
    let mut only = true;
    for clause in task.clauses.iter().filter(|c| c.chars > 0) {
        if is_closed(&task, clause) {
            asked = true;
        } else if prescribes(&task, clause, message) {
            return true;
        } else {
            only &= !clause.features.has(Features::IMPERATIVE) || looks(&task, clause);
        }
    }
    // "OK" and "Done" say that an order was heard or followed: they answer where there is no order but to look.
    asked && (answer == Answer::Polar || only)
}

/// A text's beginning and its end, where it is long.
fn ends(words: &str) -> std::borrow::Cow<'_, str> {
    if words.len() <= 2 * READ {
        return words.into();
    }
    let head = words
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= READ)
        .last();
    let tail = words
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at + READ >= words.len());
    let head = words.get(..head.unwrap_or_default()).unwrap_or_default();
    let tail = words.get(tail.unwrap_or_default()..).unwrap_or_default();
    format!("{head}\n\n{tail}").into()
}

/// Whether a clause asks for one of two answers. What, which and why ask for more, and "could you" is an order.
fn is_closed(task: &Reading, clause: &Clause) -> bool {
    let tokens = task.tokens_of(clause);
    let words: Vec<&str> = tokens.iter().map(|t| task.word(t)).collect();
    let pair = |pairs: &[(&str, &str)]| {
        pairs.iter().any(|(one, other)| {
            let at = |word: &str| words.iter().position(|w| w.starts_with(word));
            matches!((at(one), at(other)), (Some(a), Some(b)) if b > a && b - a <= 3)
        })
    };
    if pair(&[
        ("yes", "no"),
        ("true", "false"),
        ("네", "아니"),
        ("예", "아니"),
        ("참", "거짓"),
        ("맞", "아니"),
    ]) {
        return true;
    }
    let open = |t: &Token| t.tags.any(tag::QWORD) && task.word(t) != "whether";
    if tokens.iter().any(open) {
        return false;
    }
    // Whether: -는지, -인지, 여부.
    let whether = |t: &Token| match t.kind {
        TokenKind::Word => task.word(t) == "whether",
        TokenKind::Hangul => {
            let word = task.word(t);
            word.starts_with("여부")
                || ["지", "지를", "지만", "지도"]
                    .iter()
                    .any(|e| word.strip_suffix(e).is_some_and(asking))
        }
        _ => false,
    };
    if tokens.iter().any(whether) {
        return true;
    }
    let order = clause.tags.any(tag::REQUEST)
        || words
            .windows(2)
            .any(|w| matches!(w, ["can" | "could" | "will" | "would", "you"]));
    clause.features.has(Features::QUESTION) && !order
}

/// Whether what stands before 지 makes it "whether": 맞는지, 있는지, 인지, 되었는지, 한지.
fn asking(stem: &str) -> bool {
    ["는", "인", "은", "한", "된", "운", "던", "을", "할", "될"]
        .iter()
        .any(|e| stem.ends_with(e))
}

/// Whether a clause tells the agent to say just this word: "answer OK", "reply with \"done\"".
fn prescribes(task: &Reading, clause: &Clause, message: &Reading) -> bool {
    let tokens = task.tokens_of(clause);
    let says = tokens.iter().any(|t| {
        matches!(
            task.word(t),
            "answer" | "reply" | "respond" | "say" | "return" | "print" | "output" | "write"
        ) || ["답", "대답", "응답", "회신", "출력", "말하", "말해", "쓰", "적"]
            .iter()
            .any(|s| task.word(t).starts_with(s))
    });
    let given = |word: &str| {
        tokens.iter().any(|t| {
            let marked = t.quoted || t.caps || t.kind == TokenKind::Code;
            marked && task.word(t).trim_matches('`') == word
        })
    };
    says && message
        .tokens
        .iter()
        .filter(|t| t.is_word())
        .all(|t| given(message.word(t)))
}

/// Whether an order is one to look, to check or to answer, which changes nothing.
fn looks(task: &Reading, clause: &Clause) -> bool {
    let first = task.tokens_of(clause).iter().find(|t| t.is_word());
    let korean = clause.kinds.any(proctor_prose::Kinds::HANGUL);
    korean && clause.tags.any(tag::CHECK)
        || first.is_some_and(|t| {
            t.tags.any(tag::CHECK | tag::RUN)
                || matches!(
                    task.word(t),
                    "look"
                        | "check"
                        | "verify"
                        | "read"
                        | "see"
                        | "find"
                        | "search"
                        | "grep"
                        | "compare"
                        | "answer"
                        | "reply"
                        | "say"
                        | "tell"
                        | "respond"
                        | "return"
                        | "report"
                        | "use"
                        | "confirm"
                        | "decide"
                        | "determine"
                        | "run"
                        | "do"
                        | "don't"
                )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: [&str; 7] = ["Yes.", "No", "true", "Correct.", "OK.", "Done.", "Yes, it is."];
    const KOREAN: [&str; 5] = ["네.", "네, 맞습니다.", "아니요.", "아닙니다.", "확인했습니다."];

    fn answered(task: &str, message: &str) -> bool {
        let message = read(message);
        bare(&message).is_some_and(|answer| asks(task, answer, &message))
    }

    #[test]
    fn a_word_answers_a_question() {
        let wrong: Vec<_> = [
            "Is the function foo used anywhere?",
            "Is the function foo used anywhere? Answer yes or no.",
            "Check whether src/a.rs is dead code.",
            "Grep for load_from in src/. Is it called outside of tests?",
            "Look at tests/auth.rs and tell me whether it covers an expired token.",
            "True or false: the cache is shared between threads.",
            "TASK: Is CI green on main?\nEXPECTED OUTCOME: yes or no\nREQUIRED TOOLS: any\nMUST DO: look at the last run\n\
             MUST NOT DO: change files\nCONTEXT: The release waits for it.",
            "The build takes 12 minutes. Does the cache work?",
            "foo 함수가 쓰이는지 확인하고 네/아니오로 답하세요.",
            "src/a.rs가 죽은 코드인지 확인해 주세요.",
            "캐시가 스레드 사이에 공유됩니까?",
            "테스트 통과 여부를 알려 주세요.",
        ]
        .into_iter()
        .flat_map(|task| ENGLISH.into_iter().chain(KOREAN).map(move |message| (task, message)))
        .filter(|(task, message)| !answered(task, message))
        .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_word_does_not_answer_an_order() {
        let wrong: Vec<_> = [
            "Fix the login in src/auth.rs.",
            "Implement the retry limit and add tests.",
            "Could you fix the login?",
            "Can you please write the migration?",
            "Why does the second row have no owner?",
            "Which of the two parsers is used at run time?",
            "How many tests are there?",
            "Explain how the scheduler decides which job goes first.",
            "로그인을 고치세요.",
            "마이그레이션을 작성해 주시겠어요?",
            "로그인이 왜 느린지 찾으세요.",
            "어느 파서가 쓰입니까?",
            "",
        ]
        .into_iter()
        .flat_map(|task| {
            ENGLISH
                .into_iter()
                .chain(KOREAN)
                .map(move |message| (task, message))
        })
        .filter(|(task, message)| answered(task, message))
        .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// "Done" and "OK" tell nothing of the work, where there is work beside the question.
    #[test]
    fn an_acknowledgement_is_no_answer_where_there_is_work() {
        for (task, message, wanted) in [
            (
                "Fix the login in src/auth.rs. Does the session expire afterwards?",
                "Yes.",
                true,
            ),
            (
                "Fix the login in src/auth.rs. Does the session expire afterwards?",
                "Done.",
                false,
            ),
            (
                "Fix the login in src/auth.rs. Does the session expire afterwards?",
                "OK.",
                false,
            ),
            (
                "로그인을 고치고 세션이 만료되는지 알려 주세요.",
                "네, 맞습니다.",
                true,
            ),
            ("Read docs/a.md and reply with OK.", "OK", true),
            ("Move the file, then answer \"done\".", "Done.", true),
            ("Move the file and reply when you are done.", "Done.", false),
        ] {
            assert_eq!(answered(task, message), wanted, "{task} {message}");
        }
    }

    #[test]
    fn more_than_an_answer_is_none() {
        for message in [
            "",
            "Perfect!",
            "LGTM",
            "Approved.",
            "승인합니다.",
            "완벽합니다!",
            "Great, yes!",
            "Yes, I have checked it all.",
            "Done? Yes.",
            "Yes, thanks!",
            "Thank you.",
            "Yes: src/a.rs",
            "The cache works.",
            "src/a.rs",
            "12",
            "> Yes.",
            "```\nyes\n```",
            "Understood, I will begin.",
        ] {
            assert_eq!(bare(&read(message)), None, "{message}");
        }
    }

    proptest::proptest! {
        /// Any task is read, and no cut falls into a character.
        #[test]
        fn any_task_is_read(task in "\\PC{0,40}", times in 0usize..200) {
            let message = read("Yes.");
            let _ = asks(&task.repeat(times), Answer::Polar, &message);
        }
    }
}
