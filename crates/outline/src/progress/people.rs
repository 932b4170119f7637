//! Whether words are about the work of somebody else.

use super::cues::Cues;
use super::senses::Sense;
use super::signs::Signs;
use super::status::View;
use super::syllables::Syllables;
use proctor_prose::{Token, TokenKind};

/// Whether a stretch that tells of a state and has one of [`Cues::PEOPLE`] speaks of somebody else's work: "Bob has
/// finished the …", "merged by Alice", "인프라팀에서 …".
pub(super) fn is_other(view: View<'_>) -> bool {
    let tokens = view.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |t| view.reading.word(t));
    let mut place = 0;
    for (i, token) in tokens.iter().enumerate() {
        if matches!(token.kind, TokenKind::Punct(_) | TokenKind::Emoji) || token.quoted {
            continue;
        }
        let previous = i.checked_sub(1).map_or("", word);
        // "was built by the front-end agent"
        if previous == "by" && token.kind == TokenKind::Word {
            let ahead = (i..i + 5).take_while(|at| {
                tokens
                    .get(*at)
                    .is_some_and(|t| t.kind == TokenKind::Word || t.is_punct('-'))
            });
            if ahead.map(|at| view.cues(view.from + at)).any(is_person) {
                return true;
            }
        }
        // "The ops team has …", "QA rotated …"
        if place > 0
            && place < 4
            && is_person(view.cues(view.from + i))
            // "The session is cleared": what the list names is no person.
            && view.senses.places(view.from + i).is_empty()
            && acts(word(i + 1))
            && !is_mine(word(0))
        {
            return true;
        }
        if token.kind == TokenKind::Hangul
            && view.cues(view.from + i).any(Cues::SOMEBODY)
            && (is_somebody(view, i) || is_taken(view, i))
        {
            return true;
        }
        if is_person(view.cues(view.from + i)) && is_handed(view, i) {
            return true;
        }
        if token.kind == TokenKind::Mention {
            let korean = tokens
                .get(i + 1)
                .is_some_and(|n| n.glued && n.kind == TokenKind::Hangul);
            if korean || acts(word(i + 1)) || previous == "by" {
                return true;
            }
        }
        if view.cues(view.from + i).any(Cues::NAME) {
            if previous == "by" && !is_day(view.reading.word(token)) {
                return true;
            }
            let next = word(i + 1);
            if is_handed(view, i) {
                return true;
            }
            if place < 2 {
                let auxiliary = matches!(next, "has" | "already" | "is" | "will" | "did");
                if auxiliary && does_something(view, i + 2) {
                    return true;
                }
                let object = tokens.get(i + 2).is_some() && !view.senses.places(view.from + i + 2).is_empty();
                // "Storybook has a story" is no work of somebody.
                let holds = matches!(next, "has" | "is") && matches!(word(i + 2), "a" | "an");
                if acts(next) && !holds && (object || is_object(word(i + 2))) {
                    return true;
                }
                // "Maria took over the …", "Kim volunteered for the …"
                let takes = matches!(
                    next,
                    "took" | "takes" | "picked" | "picks" | "volunteered" | "signed"
                );
                if takes && matches!(word(i + 2), "over" | "on" | "up" | "for") && !word(i + 3).is_empty() {
                    return true;
                }
            }
        }
        place += 1;
    }
    false
}

/// A word without the mark of the genitive.
fn stripped(mut word: &str) -> &str {
    while let Some(head) = word.strip_suffix("'s") {
        word = head;
    }
    word
}

/// Whether a token may be a name, as far as its letters tell.
pub(super) fn looks_like_name(token: &Token, word: &str) -> bool {
    token.kind == TokenKind::Word
        && token.capital
        && !token.caps
        && token.chars > 1
        && stripped(word).bytes().all(|b| b.is_ascii_lowercase())
}

/// Whether a capitalised word is one that no list knows: perhaps a name.
pub(super) fn is_name(sense: Sense, word: &str) -> bool {
    !sense.known
        && !sense.names()
        && !sense.finished
        && !word.ends_with("ing")
        && sense.signs.without(Signs::CONTENT).is_empty()
        && !matches!(
            word,
            "everything"
                | "nothing"
                | "each"
                | "finally"
                | "already"
                | "also"
                | "just"
                | "now"
                | "then"
                | "work"
        )
}

/// A word for people or agents at work.
fn is_person(cues: Cues) -> bool {
    cues.any(Cues::PERSON)
}

/// A Korean word without the particle that makes it a subject.
pub(super) fn subject(word: &str) -> Option<&str> {
    ["이", "가", "에서", "께서", "은", "는"]
        .iter()
        .find_map(|e| word.strip_suffix(e))
}

/// Whether a Korean word means people other than the writer: 보안팀, 담당자.
pub(super) fn are_people(stem: &str) -> bool {
    static LAST: Syllables = Syllables::of("팀서자체료트리장임");
    LAST.ends(stem)
        && stem.chars().count() > 1
        && [
            "팀",
            "부서",
            "담당자",
            "업체",
            "동료",
            "에이전트",
            "작업자",
            "개발자",
            "대리",
            "과장",
            "부장",
            "팀장",
            "주임",
        ]
        .iter()
        .any(|p| stem.ends_with(p))
        && !matches!(stem, "우리팀" | "저희팀")
}

fn is_mine(word: &str) -> bool {
    matches!(word, "i" | "we" | "my" | "our" | "i've" | "we've")
}

/// 현장팀이 …했다, 보안팀 agent에게 …했습니다: people who do it, or to whom it was given.
fn is_somebody(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let Some(token) = tokens.get(at) else { return false };
    let word = view.reading.word(token);
    let told = |from: usize| {
        tokens
            .iter()
            .enumerate()
            .skip(from)
            .any(|(i, _)| view.senses.get(view.from + i).finished)
    };
    // 보안팀에게, agent에게, 김 대리님께
    let given = ["에게", "한테", "님께"].iter().any(|e| word.ends_with(e));
    if given && told(at + 1) {
        return tokens.iter().skip(at + 1).any(|t| {
            let w = view.reading.word(t);
            matches!(w, "over" | "off" | "pass" | "handoff" | "assign")
                || [
                    "넘", "맡", "전달", "부탁", "요청", "이관", "인계", "위임", "배정", "토스", "할당",
                    "의뢰",
                ]
                .iter()
                .any(|k| w.starts_with(k))
        });
    }
    // 김 대리가 씁니다
    let present = || {
        let last = view.last_word().and_then(|at| view.reading.tokens.get(at));
        last.is_some_and(|t| {
            let word = view.reading.word(t);
            word.ends_with("니다")
                && !["있", "없", "입"].iter().any(|k| word.starts_with(k))
                && !word.ends_with("입니다")
        })
    };
    let people = subject(word).is_some_and(are_people) && view.senses.places(view.from + at).is_empty();
    people && (told(at + 1) || word.ends_with(['이', '가']) && present())
}

/// Whether the person at `at` is the one that something was given to: "handed the … to Maria", "went to the backend
/// team", "is with Ana now".
fn is_handed(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |t| view.reading.word(t));
    // "the backend team"
    let article = (at.saturating_sub(2)..at).find(|at| matches!(word(*at), "the" | "our" | "another"));
    let Some(to) = article.unwrap_or(at).checked_sub(1) else {
        return false;
    };
    let before = || (0..to).map(word);
    match word(to) {
        "to" => {
            let given = |w: &str| {
                matches!(
                    w,
                    "handed"
                        | "passed"
                        | "gave"
                        | "given"
                        | "assigned"
                        | "reassigned"
                        | "delegated"
                        | "transferred"
                        | "forwarded"
                )
            };
            before().any(given) || article.is_some() && before().next_back() == Some("went")
        }
        "with" => before()
            .next_back()
            .is_some_and(|w| matches!(w, "is" | "are" | "now" | "lies" | "rests" | "stays")),
        _ => false,
    }
}

/// Beginnings of Korean verbs of taking work over.
const TAKING: [&str; 8] = [
    "맡",
    "가져가",
    "가져갔",
    "이어받",
    "넘겨받",
    "넘어가",
    "넘어갔",
    "떠맡",
];

/// Whether a Korean word is a verb of taking work over: 맡았습니다, 가져갔습니다.
pub(super) fn takes(word: &str) -> bool {
    static FIRST: Syllables = Syllables::of("맡가이넘떠");
    FIRST.begins(word)
        && TAKING.iter().any(|verb| word.starts_with(verb))
        && !word.starts_with("맡기")
        && !word.starts_with("맡겼")
}

/// 지수가 가져갔습니다, 백엔드 팀으로 넘어갔습니다: whether the verb at `at` tells who has the work now.
fn is_taken(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let Some(token) = tokens.get(at) else { return false };
    let told = view.senses.get(view.from + at).finished || view.last_word() == Some(view.from + at);
    let mut before = tokens
        .iter()
        .enumerate()
        .take(at)
        .filter(|(_, t)| t.kind == TokenKind::Hangul);
    let word = view.reading.word(token);
    told && takes(word)
        && before.any(|(i, t)| {
            let word = view.reading.word(t);
            let to = ["으로", "로", "에게", "한테"]
                .iter()
                .find_map(|end| word.strip_suffix(end));
            let subject = word.strip_suffix(['이', '가']);
            // What is named by the list is no person.
            to.is_some_and(|stem| are_people(stem) || stem == "팀" || stem == "담당자")
                || !view.reading.word(token).starts_with("넘어")
                    && subject.is_some_and(|stem| {
                        stem.chars().nth(1).is_some()
                            && !matches!(stem, "저희" | "우리")
                            && view.senses.places(view.from + i).is_empty()
                    })
        })
}

fn is_day(word: &str) -> bool {
    matches!(
        word,
        "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
    )
}

fn acts(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed")
        || matches!(
            word,
            "did"
                | "wrote"
                | "took"
                | "has"
                | "is"
                | "made"
                | "built"
                | "ran"
                | "will"
                | "already"
                | "owns"
                | "handles"
                | "does"
                | "says"
                | "said"
        )
}

fn is_object(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "it"
            | "this"
            | "that"
            | "item"
            | "items"
            | "number"
            | "on"
            | "both"
            | "all"
            | "a"
            | "an"
            | "his"
            | "her"
            | "already"
    )
}

/// `Bob has already finished …`, `Bob is doing …`: a person acts; `Backfill has finished` does not.
fn does_something(view: View<'_>, at: usize) -> bool {
    let tokens = view.tokens();
    let word = |at: usize| tokens.get(at).map_or("", |t| view.reading.word(t));
    let at = at + usize::from(word(at) == "already");
    let verb = word(at);
    let does = acts(verb) || verb.ends_with("ing") || matches!(verb, "done" | "taken" | "on");
    does && (is_object(word(at + 1)) && word(at + 1) != "already" || word(at + 1) == "care")
}
