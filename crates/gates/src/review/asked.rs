//! Does a task ask for a review? The word alone does not say so: "the code review tool", "after the review", "the reviewer
//! wrote". It counts where the one who is addressed is to review, to approve or to be the reviewer.
//!
//! A task may be long, and most hold no such word: only around one the words are read.

use proctor_prose::{Reading, Tags, Token, TokenKind, lookup, read, tag};
use std::ops::Range;

/// Furthest that is read on either side of a word, in bytes.
const AROUND: usize = 160;
/// Most stretches of a task that are read: one that asks says so before it has told of reviews that often.
const PLACES: usize = 12;

/// Whether the words of a task ask for a review or for a verdict.
#[must_use]
pub fn asks_for_review(words: &str) -> bool {
    let mut read_to = 0;
    let mut places = 0;
    for at in mentions(words) {
        if at < read_to {
            continue;
        }
        places += 1;
        if places > PLACES {
            break;
        }
        let (from, to) = around(words, at);
        read_to = to;
        let stretch = words.get(from..to).unwrap_or_default();
        // `DELEGATE::reviewer::Review it` would be one name.
        if asks(&read(&stretch.replace("::", ": "))) {
            return true;
        }
    }
    false
}

/// Where the words begin that may ask for a review.
fn mentions(words: &str) -> impl Iterator<Item = usize> {
    let starts = words.char_indices().scan(false, |inside, (at, c)| {
        let begins = c.is_alphanumeric() && !*inside;
        *inside = c.is_alphanumeric();
        Some((at, begins))
    });
    starts.filter(|(_, begins)| *begins).filter_map(|(at, _)| {
        let rest = words.get(at..)?;
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let word = rest.get(..end)?;
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        (ENGLISH.iter().any(|w| is(w)) || KOREAN.iter().any(|s| word.starts_with(s))).then_some(at)
    })
}

const ENGLISH: [&str; 5] = ["review", "reviewer", "approve", "approval", "audit"];
const KOREAN: [&str; 3] = ["검토", "리뷰", "승인"];

/// The stretch to be read: within its paragraph, cut between words.
fn around(words: &str, at: usize) -> (usize, usize) {
    let near = |to: usize| {
        (to.saturating_sub(3)..=to)
            .rev()
            .find(|i| words.is_char_boundary(*i))
    };
    let from = near(at.saturating_sub(AROUND)).unwrap_or(0);
    let to = near((at + AROUND).min(words.len())).unwrap_or(words.len());
    let before = words.get(from..at).unwrap_or_default();
    let after = words.get(at..to).unwrap_or_default();
    let from = match before.rfind("\n\n") {
        Some(blank) => from + blank + 2,
        None if from == 0 => 0,
        None => before.find(char::is_whitespace).map_or(at, |space| from + space),
    };
    let to = match after.find("\n\n") {
        Some(blank) => at + blank,
        None if to == words.len() => to,
        // A single word fills the stretch: it is no word to be read.
        None => after.rfind(char::is_whitespace).map_or(to, |space| at + space),
    };
    (from, to)
}

/// A word in its sentence.
struct Here<'r> {
    reading: &'r Reading,
    /// The tokens of its sentence.
    tokens: &'r [Token],
    at: usize,
}

fn asks(reading: &Reading) -> bool {
    let refuses =
        |t: &Token| t.tags.any(tag::REFUSE) || lookup(reading.word(t).trim_matches('`')).any(tag::REFUSE);
    let choice = reading.tokens.iter().any(refuses);
    sentences(reading).into_iter().any(|range| {
        let tokens = reading.tokens.get(range).unwrap_or_default();
        tokens.iter().enumerate().any(|(at, token)| {
            let here = Here { reading, tokens, at };
            let word = reading.word(token);
            match token.kind {
                TokenKind::Hangul => KOREAN.iter().any(|s| word.starts_with(s)) && here.korean(choice),
                TokenKind::Word => ENGLISH.contains(&word) && here.english(choice),
                TokenKind::Code => choice && word.trim_matches('`') == "approve",
                _ => false,
            }
        })
    })
}

/// The sentences, as ranges of tokens.
fn sentences(reading: &Reading) -> Vec<Range<usize>> {
    let mut out: Vec<(usize, Range<usize>)> = Vec::new();
    for clause in &reading.clauses {
        match out.last_mut() {
            Some((sentence, range)) if *sentence == clause.sentence => range.end = clause.tokens.end,
            _ => out.push((clause.sentence, clause.tokens.clone())),
        }
    }
    out.into_iter().map(|(_, range)| range).collect()
}

/// Words that belong to no noun: whoever is told what to do hears the verb next.
const BESIDE: Tags = Tags(
    tag::STOP.0
        | tag::CLAUSE.0
        | tag::REQUEST.0
        | tag::NEG.0
        | tag::MODAL.0
        | tag::FUT.0
        | tag::COND.0
        | tag::QWORD.0
        | tag::FIRST.0
        | tag::YOU.0
        | tag::PENDING.0,
);

/// What can be reviewed.
const REVIEWED: Tags = Tags(
    tag::WORK.0 | tag::DIFF.0 | tag::TESTS.0 | tag::BUILD.0 | tag::LOGS.0 | tag::CHECK.0 | tag::VERDICT.0,
);

impl<'r> Here<'r> {
    /// The word directly before the one at `at`, with no mark in between.
    fn before(&self, at: usize) -> Option<(usize, &'r Token)> {
        let before = at.checked_sub(1)?;
        let token = self.tokens.get(before)?;
        (!matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji)).then_some((before, token))
    }

    /// The word directly behind.
    fn after(&self, at: usize) -> Option<&'r Token> {
        let token = self.tokens.get(at + 1)?;
        (!matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji)).then_some(token)
    }

    fn word(&self, token: &Token) -> &'r str {
        self.reading.word(token)
    }

    fn english(&self, choice: bool) -> bool {
        let Some(token) = self.tokens.get(self.at) else {
            return false;
        };
        let verdict = matches!(self.word(token), "approve" | "approval");
        // "Answer APPROVE or REJECT".
        if verdict && (choice || token.caps) {
            return true;
        }
        if token.quoted || token.struck || self.denied() {
            return false;
        }
        match self.word(token) {
            "reviewer" => self.is_role(),
            "approval" => self.noun(),
            _ => match self.before(self.at) {
                None => self.begins(),
                Some((at, before)) if self.introduces(at, before) => self.verb(),
                Some(_) => self.noun(),
            },
        }
    }

    /// "Do not review", "no review is needed".
    fn denied(&self) -> bool {
        let from = self.at.saturating_sub(3);
        let near = self.tokens.get(from..self.at).unwrap_or_default();
        let near = near.rsplit(|t| matches!(t.kind, TokenKind::Punct(_))).next();
        near.is_some_and(|near| near.iter().any(|t| t.tags.any(tag::NEG)))
    }

    /// Whether the word at `at` has a verb behind it that is addressed to the reader: please, and, to, you, can you.
    fn introduces(&self, at: usize, before: &Token) -> bool {
        let word = self.word(before);
        // Within a listed phrase a word has no tags of its own.
        if (before.tags | lookup(word)).any(tag::MODAL | tag::FUT) {
            // "You should review", "should review"; "they may approve" speaks of somebody else.
            return self.before(at).is_none_or(|(_, t)| self.word(t) == "you");
        }
        before.tags.any(tag::REQUEST | tag::YOU)
            || matches!(
                word,
                "you"
                    | "and"
                    | "then"
                    | "or"
                    | "to"
                    | "also"
                    | "now"
                    | "just"
                    | "only"
                    | "so"
                    | "but"
                    | "again"
                    | "first"
                    | "next"
                    | "finally"
                    | "either"
                    | "let's"
                    | "go"
                    | "help"
                    | "else"
                    | "otherwise"
                    | "them"
                    | "it"
                    | "answer"
                    | "reply"
                    | "say"
                    | "return"
                    | "write"
            )
            || word.ends_with("ly")
            || !before.is_word()
    }

    /// At the beginning of what is said: a verb or a heading.
    fn begins(&self) -> bool {
        let Some(next) = self.after(self.at) else {
            return true;
        };
        // "Review bot is down", "Review comments are in the thread".
        let told = self.after(self.at + 1).is_some_and(|t| {
            matches!(
                self.word(t),
                "is" | "are" | "was" | "were" | "has" | "have" | "had" | "says"
            )
        });
        self.is_object(next) && (!told || next.tags.any(BESIDE)) && self.matters()
    }

    fn verb(&self) -> bool {
        self.after(self.at).is_none_or(|next| self.is_object(next)) && self.matters()
    }

    /// Whether a word may begin what is reviewed: "review the diff", "review carefully", "review PR 12", "review changes".
    /// A bare noun makes a compound: "review tool".
    fn is_object(&self, next: &Token) -> bool {
        let word = self.word(next);
        next.kind != TokenKind::Word
            || next.caps
            || next.capital
            || next.tags.any(BESIDE | REVIEWED)
            || word.ends_with("ly")
            || word.ends_with('s') && !word.ends_with("ss")
    }

    /// Whether what is reviewed is worth it: of names, titles and labels no verdict rests on anything.
    fn matters(&self) -> bool {
        let mut head: Option<&Token> = None;
        let mut at = self.at;
        while let Some(next) = self.after(at) {
            at += 1;
            let word = self.word(next);
            if matches!(
                word,
                "the" | "this" | "these" | "that" | "those" | "all" | "my" | "our" | "your" | "each"
            ) {
                continue;
            }
            if next.tags.any(BESIDE) || at > self.at + 8 {
                break;
            }
            head = Some(next);
        }
        let trivial = |word: &str| lookup(word).any(tag::TRIVIAL);
        head.is_none_or(|head| {
            let word = self.word(head);
            !trivial(word) && !word.strip_suffix('s').is_some_and(trivial)
        })
    }

    /// A noun: asked for by "a", "your" or a verb in front of it, or as a heading; told of by "the", "our", "after".
    fn noun(&self) -> bool {
        let compound = self.after(self.at).is_some_and(|next| {
            next.kind == TokenKind::Word
                && !next.capital
                && !next.tags.any(BESIDE | tag::REQUEST | tag::CAUSE)
        });
        if compound {
            return false;
        }
        // Over the words that say which review: "a quick security review".
        let mut first = self.at;
        let mut lead = None;
        while let Some((at, token)) = self.before(first) {
            let says_which =
                token.kind == TokenKind::Word && !token.tags.any(BESIDE) && !self.asks_for(token);
            if !says_which || self.at - at > 4 {
                lead = Some((at, token));
                break;
            }
            first = at;
        }
        let Some((at, lead)) = lead else {
            return true;
        };
        let wanted = |at: usize| self.before(at).is_some_and(|(_, t)| self.asks_for(t));
        match self.word(lead) {
            "a" | "an" | "another" | "one" | "your" | "please" => true,
            "the" | "this" | "that" | "it" => wanted(at),
            "for" => self
                .before(at)
                .is_some_and(|(_, t)| matches!(self.word(t), "ready" | "up" | "ask" | "asks" | "asking")),
            _ => self.asks_for(lead) || lead.tags.any(tag::REQUEST | tag::YOU),
        }
    }

    /// A verb that makes the noun behind it something to be done: do, write, needs, give.
    fn asks_for(&self, token: &Token) -> bool {
        matches!(
            self.word(token),
            "do" | "make"
                | "perform"
                | "conduct"
                | "give"
                | "write"
                | "run"
                | "start"
                | "begin"
                | "finish"
                | "continue"
                | "complete"
                | "repeat"
                | "provide"
                | "need"
                | "needs"
                | "want"
                | "wants"
                | "request"
                | "requests"
                | "requesting"
                | "get"
                | "prepare"
                | "produce"
                | "return"
                | "deliver"
        )
    }

    /// "You are a careful reviewer", "Act as the reviewer".
    fn is_role(&self) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default();
        let near = before
            .rsplit(|t| matches!(t.kind, TokenKind::Punct(',' | ';' | ':')))
            .next();
        let mut near = near.unwrap_or_default().iter().map(|t| self.word(t));
        let named = near.any(|w| matches!(w, "you" | "you're" | "as" | "be" | "role"));
        let alone = before.is_empty() && self.after(self.at).is_none();
        named && !self.after(self.at).is_some_and(|t| t.tags.any(tag::HEARSAY)) || alone
    }

    fn korean(&self, choice: bool) -> bool {
        let Some(token) = self.tokens.get(self.at).filter(|t| !t.quoted && !t.struck) else {
            return false;
        };
        let word = self.word(token);
        let Some(tail) = KOREAN.iter().find_map(|s| word.strip_prefix(s)) else {
            return false;
        };
        if word.starts_with("승인") && choice {
            return true;
        }
        let next = self.after(self.at).map_or("", |t| self.word(t));
        let begins = |word: &str, with: &[&str]| with.iter().any(|w| word.starts_with(w));
        // 하지 마세요, 필요 없습니다: not wanted. 검토한 결과, 승인된 주문: done already, or said of something else.
        let denied = token.denies()
            || self
                .tokens
                .get(self.at + 1..)
                .unwrap_or_default()
                .iter()
                .take(2)
                .any(|t| {
                    t.kind == TokenKind::Hangul
                        && (t.tags.any(tag::NEG | tag::ZERO) || self.word(t).starts_with("마"))
                });
        let past = begins(tail, &["한"]) && !begins(tail, &["한다"]);
        if denied || past || begins(tail, &["했", "하였", "된", "됐", "되", "받"]) {
            return false;
        }
        if begins(tail, &["어", "자"]) {
            // 당신은 검토자입니다, 리뷰어로서.
            let addressed = self
                .tokens
                .iter()
                .any(|t| begins(self.word(t), &["당신", "너는", "귀하"]));
            return begins(
                tail,
                &[
                    "어로",
                    "자로",
                    "어입니다",
                    "자입니다",
                    "어이다",
                    "자이다",
                    "어다",
                    "자다",
                ],
            ) || addressed;
        }
        let object = matches!(tail, "" | "를" | "을" | "도" | "만");
        if !object {
            return begins(
                tail,
                &["하", "한다", "해", "할", "바", "부", "요", "및", "와", "과"],
            );
        }
        next.is_empty()
            || begins(
                next,
                &[
                    "부탁", "요청", "바랍", "바라", "해", "하", "할", "진행", "수행", "필요", "여부", "후",
                    "및", "주", "드", "남", "작성", "시작", "받",
                ],
            ) && !next.starts_with("한")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_ask_for_a_review() {
        let missed: Vec<_> = [
            "Review it.",
            "Review the parser.",
            "Please review the last commit.",
            "Review src/pool.rs for races.",
            "Review PR 12",
            "Look at the diff and review it thoroughly.",
            "Can you review my changes?",
            "You should review the migration before anything else.",
            "I want you to review this branch.",
            "Fix nothing, only review.",
            "TASK: review\nEXPECTED OUTCOME: verdict",
            "TASK: Review the diff of branch retry-limit.",
            "Do a code review of PR 12.",
            "Code review: src/lex.rs",
            "Security audit of the login.",
            "Give me a quick review of src/a.rs.",
            "I need your approval for this plan.",
            "Do the review of the last commit.",
            "PR 41 is ready for review.",
            "Do you approve?",
            "If the tests pass, approve it; otherwise say what is missing.",
            "Answer APPROVE or REJECT.",
            "End with `APPROVE` or `REJECT`.",
            "Return JSON: {\"verdict\": \"approve\" | \"reject\"}",
            "You are a careful senior reviewer. You read the diff first.",
            "Act as reviewer.",
            "Audit the dependencies for licences.",
            "Carefully review the error paths.",
            "DELEGATE::reviewer::Review the last commit.\n\nEXPECTED OUTCOME: a verdict\n",
            "리뷰 부탁합니다.",
            "마지막 커밋을 검토해 주세요.",
            "변경분을 검토한다.",
            "변경분을 검토하고 판정을 쓰세요.",
            "코드 리뷰를 진행해 주세요.",
            "작업: 로그인 리뷰",
            "승인 또는 반려로 답하세요.",
            "승인 여부를 알려 주세요.",
            "당신은 꼼꼼한 검토자입니다.",
            "변경 검토 및 테스트 실행",
        ]
        .into_iter()
        .filter(|task| !asks_for_review(task))
        .collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn tasks_that_only_hold_the_word() {
        let wrong: Vec<_> = [
            "Review the docs folder names.",
            "Fix the crash in the code review tool.",
            "Add dark mode to the review page.",
            "The reviewer wrote that the loop leaks. Fix it.",
            "Address the review comments of PR 12.",
            "Review comments are in the thread; answer each of them.",
            "Review bot is down, restart it.",
            "After the review two findings were left. Mend them.",
            "Implement approveOrder() in src/orders.ts.",
            "Change the label \"Approve\" to \"Accept\".",
            "Rename src/review/mod.rs to src/check/mod.rs.",
            "Do not review anything, write the code only.",
            "No review is needed. Just push.",
            "I will review your change afterwards.",
            "Only maintainers may approve. Put that into the handbook.",
            "Write down who may approve and how it is taken back.",
            "Merge it once the reviewer approves.",
            "Fix the typo in the audit log.",
            "Add an approval flow to the shop.",
            "What did the last review find?",
            "Fix the login.",
            "",
            "코드 리뷰 도구의 오류를 고치세요.",
            "리뷰 의견 세 가지를 반영하세요.",
            "리뷰어가 지적한 경합을 고치세요.",
            "승인된 주문은 변경할 수 없어야 합니다.",
            "검토한 결과 두 건이 남았습니다. 고치세요.",
            "사용자가 계획을 승인했습니다. 2단계를 구현하세요.",
            "검토는 필요 없습니다. 바로 푸시하세요.",
            "검토하지 마세요. 코드만 쓰세요.",
        ]
        .into_iter()
        .filter(|task| asks_for_review(task))
        .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// However long a task is, no more of it is read than a few stretches; and a word in its middle is found.
    #[test]
    fn a_long_task_is_searched_not_read() {
        let filler = "Move the parser into a file of its own and keep its tests. ".repeat(1_000);
        assert!(!asks_for_review(&filler));
        assert!(asks_for_review(&format!(
            "{filler}Then review the result. {filler}"
        )));
        let told = "The reviewer wrote a lot. ".repeat(4_000);
        assert!(!asks_for_review(&told));
        assert!(!asks_for_review(&"review".repeat(10_000)));
        for at in 0..40 {
            let _ = asks_for_review(&format!(
                "{}review 검토해 주세요 {}",
                "가".repeat(at + 40),
                "나".repeat(at + 40)
            ));
        }
    }
}
