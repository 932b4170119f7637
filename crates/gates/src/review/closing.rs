//! Permissions that let nothing go but somebody from a screen ("You may close the window", 창을 닫으셔도 됩니다), and orders to
//! mend what was found ("Resolve the conflicts.", 매니페스트에서 빼 주세요).
//!
//! Leave to do something is a common way to approve, and by figures of speech of all kinds ("You may press the button", 뚜껑
//! 닫아도 됨), so only what cannot be one is taken out: leave to close or to leave a thing of a screen or a seat. None of the
//! 20 messages of the training part that hold such words approves. So are orders ("Put it in", 올려 주세요), so only verbs of
//! mending count with which no message of the training part approves without a word of an approval beside them.

use proctor_prose::{Clause, Features, Reading, Token, TokenKind, tag};

/// Whether a clause only permits to close or leave something that is no work.
pub(super) fn is_leave(reading: &Reading, clause: &Clause) -> bool {
    let tokens = reading.tokens_of(clause).iter();
    let words: Vec<&str> = tokens
        .filter(|t: &&Token| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        .map(|t| reading.word(t))
        .collect();
    english(&words) || korean(&words)
}

/// Whether a clause only orders what was found to be mended.
pub(super) fn is_order_to_mend(reading: &Reading, clause: &Clause) -> bool {
    if clause.tags.any(tag::APPROVE) || clause.features.any(Features::CONDITIONAL) {
        return false;
    }
    let tokens = reading.tokens_of(clause).iter();
    let words: Vec<&str> = tokens
        .filter(|t| !matches!(t.kind, TokenKind::Punct(_) | TokenKind::Emoji))
        .map(|t| reading.word(t))
        .collect();
    mends(&words) || mends_korean(&words)
}

/// "Please resolve them first": a verb of mending with an object, and nothing that goes on from there.
fn mends(words: &[&str]) -> bool {
    let mut rest = words
        .iter()
        .skip_while(|w| matches!(**w, "please" | "then" | "so" | "just" | "and"));
    let verb = rest.next().is_some_and(|w| {
        matches!(
            *w,
            "remove"
                | "compress"
                | "resolve"
                | "revert"
                | "rename"
                | "restore"
                | "fix"
                | "handle"
                | "split"
                | "rebase"
                | "rotate"
        )
    });
    // "split duty" is a noun.
    let object = rest.next().is_some_and(|w| {
        matches!(
            *w,
            "it" | "them" | "this" | "that" | "these" | "those" | "the" | "both" | "your" | "its" | "all"
        )
    });
    let goes_on = |w: &&str| {
        matches!(
            *w,
            "go" | "goes"
                | "push"
                | "ship"
                | "merge"
                | "release"
                | "production"
                | "done"
                | "away"
                | "will"
                | "or"
                | "later"
                | "deploy"
                | "live"
        ) && !(matches!(*w, "merge" | "release") && words.contains(&"before"))
    };
    verb && object && !rest.any(goes_on)
}

/// 패키지에서 빼 주세요, 둘로 나누세요.
fn mends_korean(words: &[&str]) -> bool {
    const STEMS: [&str; 13] = [
        "빼", "고치", "고쳐", "바꾸", "바꿔", "지우", "지워", "옮기", "옮겨", "나누", "나눠", "줄여", "막아",
    ];
    const NOUNS: [&str; 7] = ["교체", "수정", "추가", "제거", "삭제", "리베이스", "분리"];
    let asks = |end: &str| {
        matches!(
            end,
            "세요" | "십시오" | "" | "하세요" | "하십시오" | "해" | "으세요"
        )
    };
    let mending = |word: &str| {
        STEMS.iter().any(|s| word.strip_prefix(s).is_some_and(asks))
            || NOUNS.iter().any(|n| word.strip_prefix(n).is_some_and(asks))
    };
    match words {
        [.., verb, "주세요" | "주십시오"] => words.len() > 2 && mending(verb),
        [.., verb] => {
            let noun = NOUNS.iter().any(|n| verb.starts_with(n));
            (words.len() > 1 || noun) && (verb.ends_with("세요") || verb.ends_with("십시오")) && mending(verb)
        }
        [] => false,
    }
}

/// What is closed or left, and is no work.
fn is_screen(word: &str) -> bool {
    matches!(
        word,
        "window"
            | "windows"
            | "tab"
            | "tabs"
            | "page"
            | "app"
            | "browser"
            | "terminal"
            | "screen"
            | "dialog"
            | "popup"
    )
}

/// "you may now close the browser window".
fn english(words: &[&str]) -> bool {
    let may = words
        .iter()
        .position(|w| matches!(*w, "may" | "can" | "could" | "free"))
        .filter(|at| {
            words
                .iter()
                .take(*at)
                .any(|w| matches!(*w, "you" | "feel" | "everyone" | "users"))
        });
    let Some(may) = may else { return false };
    let mut behind = words
        .iter()
        .skip(may + 1)
        .skip_while(|w| matches!(**w, "now" | "then" | "also" | "safely" | "to" | "just"));
    let leaves = behind.next().is_some_and(|w| {
        matches!(
            *w,
            "close" | "shut" | "exit" | "quit" | "leave" | "minimise" | "minimize"
        )
    });
    let mut named = false;
    leaves
        && behind.all(|w| {
            named |= is_screen(w);
            named && matches!(*w, "now" | "again" | "then" | "safely")
                || is_screen(w)
                || matches!(*w, "the" | "this" | "your" | "that" | "all")
        })
        && named
}

/// 이제 창을 닫으셔도 됩니다.
fn korean(words: &[&str]) -> bool {
    const THINGS: [&str; 12] = [
        "창",
        "화면",
        "페이지",
        "앱",
        "탭",
        "브라우저",
        "터미널",
        "자리",
        "마이크",
        "이어폰",
        "커넥터",
        "단말",
    ];
    const LEAVES: [&str; 9] = ["닫", "끄", "꺼", "종료", "나가", "떠나", "벗어나", "빼", "분리"];
    const MAY: [&str; 8] = [
        "됩니다",
        "돼요",
        "되어요",
        "된다",
        "됨",
        "좋습니다",
        "괜찮습니다",
        "되겠습니다",
    ];
    let [before @ .., object, verb, may] = words else {
        return false;
    };
    let particle = |rest: &str| matches!(rest, "" | "을" | "를" | "은" | "는" | "에서" | "만" | "도");
    let permits = verb.ends_with('도') && MAY.contains(may);
    let leaves = LEAVES.iter().any(|stem| verb.starts_with(stem));
    let thing = THINGS
        .iter()
        .any(|thing| object.strip_prefix(thing).is_some_and(particle));
    // What else is permitted in the same breath may be the work: 창을 닫고 머지하셔도 됩니다 ends in another verb.
    permits && leaves && thing && !before.iter().any(|w| w.ends_with('도'))
}
