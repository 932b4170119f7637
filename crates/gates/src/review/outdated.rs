//! Reports that are outdated by their own words: "I ran the tests before the last commit", "12 passed, then I changed two
//! files", 마지막 커밋 전에 돌렸습니다, 그 뒤로 세 번 커밋했습니다.
//!
//! What ran before a change says nothing of what is there now. Two things tell it: a time before the last change in the
//! sentence of the report, and a change behind the report that is said to have come later. Of the 61,045 messages of the
//! training part one is refused for it, and rightly ("v3 rewrote the locking since"); none whose report holds is.

use proctor_prose::{Clause, Features, Reading, Token, TokenKind, tag};

/// How many words may stand between `before` and the change, in either language.
const NEAR: usize = 4;

/// What a text tells of changes that came later.
pub(super) struct Changes {
    /// The clause of the last one.
    last: Option<usize>,
}

impl Changes {
    pub(super) fn of(reading: &Reading) -> Self {
        let mut clauses = reading.clauses.iter();
        Self {
            last: clauses.rposition(|clause| comes_later(reading, clause)),
        }
    }

    /// Whether a report in the clause at `at` lies before such a change.
    pub(super) fn outdate(&self, at: usize) -> bool {
        self.last.is_some_and(|changed| at <= changed)
    }
}

/// The words of a clause that are said.
fn said<'r>(reading: &'r Reading, clause: &Clause) -> Vec<&'r Token> {
    let tokens = reading.tokens_of(clause).iter();
    tokens
        .filter(|t| !t.quoted && !t.struck && !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        .collect()
}

/// Whether the clauses of a sentence put its reports before the last change. What failed before and passes now is another
/// matter.
pub(super) fn before_the_last(reading: &Reading, clauses: &[Clause]) -> bool {
    let same = clauses.iter();
    let again = |t: &&Token| {
        matches!(
            reading.word(t),
            "now"
                | "again"
                | "after"
                | "still"
                | "이제"
                | "이제는"
                | "다시"
                | "지금"
                | "지금은"
                | "지금도"
                | "여전히"
        )
    };
    if same.clone().any(|c| said(reading, c).iter().any(again)) {
        return false;
    }
    same.filter(|c| !c.tags.any(tag::BADRES) && !c.features.any(Features::QUOTED.or(Features::CONDITIONAL)))
        .any(|c| names_time(reading, &said(reading, c)))
}

/// "before the last commit", 마지막 커밋 전에. A rebase need not change what was tested.
fn names_time(reading: &Reading, words: &[&Token]) -> bool {
    let word = |at: usize| words.get(at).map_or("", |t| reading.word(t));
    (0..words.len()).any(|at| {
        if word(at) == "before" {
            let ahead = (at + 1..at + 1 + NEAR).map(word);
            let last = ahead
                .clone()
                .any(|w| matches!(w, "last" | "latest" | "final" | "recent" | "newest"));
            return last && ahead.clone().any(is_change);
        }
        if !matches!(
            word(at),
            "전에" | "전에는" | "전엔" | "이전에" | "이전에는" | "이전엔" | "직전에"
        ) {
            return false;
        }
        let near = (at.saturating_sub(NEAR)..at).map(word);
        let last = near.clone().any(|w| {
            ["마지막", "최종", "최근", "방금"]
                .iter()
                .any(|l| w.starts_with(l))
        });
        last && near.clone().any(is_korean_change)
    })
}

/// A noun or a verb of a change to the work.
fn is_change(word: &str) -> bool {
    matches!(
        word,
        "commit"
            | "commits"
            | "change"
            | "changes"
            | "edit"
            | "edits"
            | "push"
            | "amend"
            | "revision"
            | "tweak"
            | "fix"
            | "refactoring"
            | "modification"
    )
}

fn is_korean_change(word: &str) -> bool {
    [
        "커밋",
        "수정",
        "변경",
        "편집",
        "푸시",
        "고치",
        "고침",
        "리팩터",
        "리팩토",
        "바꾸",
    ]
    .iter()
    .any(|stem| word.starts_with(stem))
}

/// Whether a clause tells of a change that was made after what stands before it: "then I changed two more files", 그 뒤로 세
/// 번 커밋했습니다. A change of words alone (a typo, a comment) changes no result.
fn comes_later(reading: &Reading, clause: &Clause) -> bool {
    let open = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::STRUCK)
        .or(Features::CONDITIONAL)
        .or(Features::NEGATED)
        .or(Features::FUTURE)
        .or(Features::HEARSAY);
    let prose = reading
        .blocks
        .get(clause.block)
        .is_some_and(|b| b.kind.is_prose());
    if !prose || clause.features.any(open) || clause.tags.any(tag::NEG) {
        return false;
    }
    let words = said(reading, clause);
    let word = |t: &&Token| reading.word(t);
    let of_words = words.iter().map(word).any(|w| {
        w.starts_with("typo") || w.starts_with("comment") || w.starts_with("오타") || w.starts_with("주석")
    });
    let Some(from) = later(reading, &words).filter(|_| !of_words) else {
        return false;
    };
    let behind = words.get(from..).unwrap_or_default();
    // "Since then I changed two files and ran it again" reports anew.
    behind
        .iter()
        .position(|t| changed(reading.word(t)))
        .is_some_and(|at| {
            let rest = behind.get(at + 1..).unwrap_or_default();
            let reports = |t: &&Token| t.tags.any(tag::RUN | tag::CHECK | tag::OKRES | tag::TESTS);
            // "I changed an entry afterwards" tells of a trial: what else is changed must be work.
            let verb = behind.get(at).map_or("", |t| reading.word(t));
            let sure = !matches!(verb, "changed" | "edited" | "modified" | "touched" | "tweaked")
                && !["수정", "변경", "고쳤", "고치", "바꿨", "바꾸"]
                    .iter()
                    .any(|w| verb.starts_with(w));
            (sure
                || words
                    .iter()
                    .any(|t| reading.word(t) != verb && is_work(reading, t)))
                && !rest.iter().any(reports)
        })
}

/// Whether a word names a part of the work: a file, code.
fn is_work(reading: &Reading, token: &Token) -> bool {
    let word = reading.word(token);
    matches!(token.kind, TokenKind::Path | TokenKind::Code)
        || token.tags.any(tag::WORK | tag::DIFF)
        || matches!(
            word,
            "file" | "files" | "code" | "function" | "functions" | "tests"
        )
        || ["파일", "코드", "함수", "로직"]
            .iter()
            .any(|w| word.starts_with(w))
}

/// The place behind a word that says that something came later.
fn later(reading: &Reading, words: &[&Token]) -> Option<usize> {
    let word = |at: usize| words.get(at).map_or("", |t| reading.word(t));
    // "I committed three times since": the word stands last.
    if matches!(
        word(words.len().saturating_sub(1)),
        "since" | "afterwards" | "thereafter"
    ) {
        return Some(0);
    }
    (0..words.len())
        .find_map(|at| {
            let english = matches!(word(at), "afterwards" | "thereafter" | "since")
                || at == 0 && word(at) == "then"
                || word(at) == "and" && word(at + 1) == "then" && at == 0;
            let korean = matches!(word(at), "그" | "그런" | "이")
                && ["뒤", "후", "다음"].iter().any(|w| word(at + 1).starts_with(w))
                || ["그러고", "이후", "그뒤", "그후"]
                    .iter()
                    .any(|w| word(at).starts_with(w));
            (english || korean).then_some(at + 1)
        })
        .or_else(|| behind_itself(reading, words))
}

/// 통과를 확인한 뒤 두 파일을 더 수정했습니다: the place behind the 뒤 of a report in the same clause, where more is changed.
fn behind_itself(reading: &Reading, words: &[&Token]) -> Option<usize> {
    let word = |at: usize| words.get(at).map_or("", |t| reading.word(t));
    let at =
        (1..words.len()).find(|at| matches!(word(*at), "뒤" | "뒤에" | "후" | "후에" | "다음" | "다음에"))?;
    let checked = words
        .iter()
        .take(at)
        .any(|t| t.tags.any(tag::CHECK | tag::RUN | tag::OKRES));
    let more = (at + 1..words.len()).any(|i| matches!(word(i), "더" | "또" | "추가로" | "다시"));
    (checked && more).then_some(at + 1)
}

/// A verb in the past that changes the work.
fn changed(word: &str) -> bool {
    const KOREAN: [&str; 12] = [
        "커밋했",
        "커밋하였",
        "수정했",
        "수정하였",
        "변경했",
        "변경하였",
        "고쳤",
        "고치었",
        "바꿨",
        "바꾸었",
        "푸시했",
        "손봤",
    ];
    matches!(
        word,
        "committed"
            | "changed"
            | "edited"
            | "pushed"
            | "amended"
            | "rewrote"
            | "modified"
            | "refactored"
            | "rebased"
            | "touched"
            | "tweaked"
    ) || KOREAN.iter().any(|verb| word.starts_with(verb))
}
