//! Orders not to leave something out: `don't forget to update X`, `never skip X`, `MUST NOT DO: leave X stale`,
//! X 수정을 빠뜨리지 마세요. What is denied there is that nothing is done, so the file is asked for.

use super::{NEGATIONS, Token};
use crate::list::{List, list, listed};
use crate::text::{entries, slice};

/// Verbs of leaving out whose denial asks for what follows.
static OMITS: &List = list!(
    "forget|forgets|forgetting|forgot|forgotten|skip|skips|skipping|miss|misses|missing|omit|omits|omitting|neglect|\
    neglects|neglecting|overlook|overlooks|overlooking|fail|fails|failing|exclude|excludes",
    by_word = true
);
/// What may stand between a denial and the verb that it denies.
static BETWEEN: &List = list!(
    "ever|please|also|just|simply|you|dare|to|be|may|must|can|could|should|shall|will|would|accidentally|silently|\
    quietly|again|and|or|do|does",
    by_word = true
);
/// What holds a state (`leave X stale`), where the state itself follows the file.
static HOLDS: &List = list!(
    "leave|leaves|leaving|keep|keeps|keeping|let|lets|letting",
    by_word = true
);

/// Where in a clause the order begins that a denied omission gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// The first token behind the omission.
    pub(super) from: usize,
    /// What is denied is that the file stays in a state, which is named behind it.
    pub(super) holds: bool,
}

fn is_denial(token: &Token) -> bool {
    let word = token.word();
    NEGATIONS.has(word) || word.ends_with("n't")
}

/// The last order before the token `p` that a denied omission gives. `bars` says that the clause stands in a section
/// of what must not be done, which denies it as a whole.
pub(super) fn order(tokens: &[Token], p: usize, bars: bool) -> Option<Order> {
    let before = tokens.get(..p)?;
    let mut found = None;
    // Where a denial still holds for the next verb, and whether anything is denied before it.
    let mut denied = bars;
    let mut any = bars;
    for (i, token) in before.iter().enumerate() {
        let word = token.word();
        if word == "without" && any && i > 0 {
            // Of two denials nothing is left: `do not commit without updating X`.
            found = Some(Order {
                from: i + 1,
                holds: false,
            });
            denied = true;
            continue;
        }
        if is_denial(token) {
            (denied, any) = (true, true);
            continue;
        }
        if !denied || BETWEEN.has(word) {
            continue;
        }
        let next = before.get(i + 1).map_or("", Token::word);
        let out = listed!("leave|leaves|leaving", word) && next == "out";
        if out || OMITS.has(word) {
            let from = i + 1 + usize::from(out) + usize::from(listed!("about|that", next));
            found = Some(Order { from, holds: false });
            // `forget or skip X`, but `forget to leave X alone`
            denied = listed!("or|nor|and", next);
            continue;
        }
        if HOLDS.has(word) && holds(tokens, i + 1, p) {
            found = Some(Order {
                from: i + 1,
                holds: true,
            });
        }
        denied = false;
    }
    found
}

/// Whether only files stand between the verb at `at` and the file at `p`, and a state behind them.
fn holds(tokens: &[Token], at: usize, p: usize) -> bool {
    let is_file = |token: &Token| {
        matches!(token, Token::Path(_))
            || listed!("the|our|file|files|and|or|either|both|any|of", token.word())
    };
    let between = tokens.get(at..p).unwrap_or_default();
    let behind = tokens.get(p + 1..).unwrap_or_default();
    between.iter().all(is_file)
        && behind.iter().find(|token| !is_file(token)).is_some_and(|token| {
            !listed!(
                "|in|to|for|at|on|with|from|by|until|when|where|if|but|who|which|that|open",
                token.word()
            )
        })
}

/// What of the words of a clause is an order, and whether the section still denies it.
pub(super) fn unomitted(words: &[Token], bars: bool) -> (&[Token], bool) {
    match order(words, words.len(), bars) {
        Some(order) => (words.get(order.from..).unwrap_or_default(), false),
        None => (words, bars),
    }
}

/// Whether the words behind a denial deny it once more, so that a change is asked for and not forbidden: `no change to X
/// is left undocumented`, `nothing in X goes untested`, `no undocumented change of X`, `do not change X without a test`,
/// `no function in X lacks a test`. `subject` says that the denial counts things (`no`, `nothing`), as only these can lack
/// something.
pub(super) fn is_denied_again(behind: &[Token], subject: bool) -> bool {
    // What is said of a thing that must not change (`do not touch X: it is untested`) denies nothing of that.
    let holds = |word: &str| {
        HOLDS.has(word)
            || listed!("left|goes|go|remains|remain|stays|stay", word)
            || subject && listed!("is|are|be", word)
    };
    let mut held = false;
    for (i, token) in behind.iter().enumerate() {
        let word = token.word();
        let next = behind.get(i + 1).map_or("", Token::word);
        if (held || super::changes_files(next)) && is_not_done(word) {
            return true;
        }
        if word == "without" && is_beside(behind.get(i + 1..).unwrap_or_default()) {
            return true;
        }
        if subject && (OMITS.has(word) || listed!("lack|lacks|lacking", word)) {
            return true;
        }
        held |= holds(word);
    }
    false
}

/// Whether a word says that something was not done: undocumented, untested. What stays as it is (untouched), or is not
/// wanted (unrelated), is something else.
fn is_not_done(word: &str) -> bool {
    word.strip_prefix("un").is_some_and(|done| {
        let touches = super::is_form(done, list!("touch|chang|modif|alter|edit|mov|commit", by_word = false));
        let does = super::is_change(done)
            || super::is_form(
                done,
                list!(
                    "describ|explain|mention|review|check|verif|handl|translat|announc|comment|list|record|track|\
                    answer|defin|annotat|typ|not",
                    by_word = false
                ),
            );
        does && !touches
    })
}

/// Whether `without` is followed by what belongs to a change: a file, or a test, a note, a word of it. `without asking`
/// bars the change until somebody says so.
fn is_beside(behind: &[Token]) -> bool {
    let mut words = behind.iter().skip_while(|token| {
        listed!(
            "a|an|the|its|their|any|some|also|new|matching|corresponding|proper|further|unit|regression|at|least|one",
            token.word()
        )
    });
    match words.next() {
        Some(Token::Path(_)) => true,
        Some(Token::Word(word)) => {
            (super::is_change(word) && !super::is_form(word, list!("commit|touch|alter", by_word = false)))
                && !super::is_form(
                    word,
                    list!("chang|modif|edit|mov|renam|delet|remov", by_word = false),
                )
                || listed!(
                    "test|tests|doc|docs|documentation|note|notes|entry|entries|comment|comments|changelog|coverage|\
                    mention|docstring|docstrings|example|examples|explanation|description|types|translation|migration",
                    word,
                )
        }
        _ => false,
    }
}

/// Whether the word `nothing` before a file says that the file stays: nothing is told of what lies there, or that it
/// changes. `Nothing in X works` says something else.
pub(super) fn nothing_changes(before: &[Token], behind: &[Token]) -> bool {
    let changes = |token: &Token| super::changes_files(token.word());
    let mut told = behind
        .iter()
        .skip_while(|t| matches!(t, Token::Path(_)) || super::FILLERS.has(t.word()))
        .peekable();
    before.iter().any(changes) || told.peek().is_none() || told.take(6).any(changes)
}

/// Beginnings of Korean words of leaving out.
const KOREAN: &str = "빠뜨|빠트|빠지|빠진|빠져|빠짐|빼먹|빼놓|빼지|빼면|잊|까먹|누락|생략|건너뛰|건너뛴|건너뛸|놓치|놓친|놓쳐|간과|\
    소홀|방치|미루|제외|그대로 두|그대로 둔|그대로 놔|내버려";

/// What denies a Korean verb, behind its stem.
const DENIALS: &str = "지 마|지마|지 말|지말|지 않|지않|면 안|서는 안|선 안|금지|불가|말 것|말것|말아|안 됩|안 된|안됩|안 돼|없이|없도록|없게";

/// So many letters stand between a Korean verb of leaving out and its denial.
const REACH: usize = 9;

/// Where a Korean text has a verb of leaving out that is denied, in bytes, and where its denial begins. In a section
/// of what must not be done (`bars`) the verb alone is one.
pub(super) fn korean(text: &str, bars: bool) -> Option<(usize, usize)> {
    entries(KOREAN)
        .flat_map(|stem| text.match_indices(stem))
        .filter_map(|(at, stem)| {
            let behind = at + stem.len();
            let near = slice(text, behind, text.len());
            let reach = near.char_indices().nth(REACH).map_or(near.len(), |(end, _)| end);
            // 지 belongs to some stems already.
            let from = if stem.ends_with('지') {
                behind - "지".len()
            } else {
                behind
            };
            let near = slice(text, from, behind + reach);
            let denial = entries(DENIALS).filter_map(|denial| near.find(denial)).min();
            match denial {
                Some(denial) => Some((at, from + denial)),
                None => bars.then_some((at, behind)),
            }
        })
        .min()
}

/// Where, in bytes, a second denial ends that follows the Korean one at the beginning of the text: 않은 변경이 없도록, 없는
/// 코드가 없게, 않으면 안 됩니다. Of both together nothing is left.
pub(super) fn denied_again(text: &str) -> Option<usize> {
    const FIRST: &str = "지 않은|지않은|지 않는|지않는|없는|지 못한|지못한|안 된|안된|지 않으면|지않으면";
    const SECOND: &str =
        "없게|없도록|없어야|없음|없다|없습|없이|없을|없애|남지 않|남기지|두지 마|안 됩|안 된|안됩|안 돼|안돼";
    let first = entries(FIRST).find(|first| text.starts_with(first))?;
    let behind = slice(text, first.len(), text.len());
    let reach = behind
        .char_indices()
        .nth(AGAIN)
        .map_or(behind.len(), |(end, _)| end);
    let sentence = slice(behind, 0, reach).split(['.', '\n', ',', ';']).next()?;
    entries(SECOND)
        .filter_map(|second| Some(sentence.find(second)? + second.len()))
        .min()
        .map(|end| first.len() + end)
}

/// Whether a Korean clause forbids a change only without what belongs to it (테스트 없이 수정하지 마세요), or, where it stands
/// among what must not be done (`bars`), that something is not told: 문서에 적지 않는 것.
pub(super) fn is_paired(clause: &str, bars: bool) -> bool {
    const BESIDE: &str = "테스트|문서|설명|주석|기록|메모|예제|갱신|업데이트|반영|추가|작성";
    const UNTOLD: &str = "적지 않|기록하지 않|설명하지 않|문서화하지 않|테스트하지 않|남기지 않|알리지 않";
    let denied = |behind: &str| super::is_korean_ban(behind) || bars && super::is_korean_change(behind);
    let lacks = |lack: &'static str| {
        clause.match_indices(lack).any(|(at, _)| {
            let before = slice(clause, 0, at);
            let thing = before.split_whitespace().next_back().unwrap_or_default();
            entries(BESIDE).any(|noun| thing.starts_with(noun)) && denied(slice(clause, at, clause.len()))
        })
    };
    lacks("없이") || lacks("없는") || bars && entries(UNTOLD).any(|untold| clause.contains(untold))
}

/// So many letters stand at most between two Korean denials of one thing.
const AGAIN: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_korean_verb_of_leaving_out_is_found_with_its_denial() {
        let text = "수정을 빠뜨리지 마세요";
        let (at, denial) = korean(text, false).unwrap_or_default();
        let behind = |at| slice(text, at, text.len());
        assert!(behind(at).starts_with("빠뜨") && behind(denial).starts_with("지 마"));
        assert_eq!(korean("수정을 빠뜨렸습니다. 다시 하지 마세요", false), None);
        assert!(korean("수정 누락", true).is_some() && korean("수정 누락", false).is_none());
    }
}
