//! Whose change a prohibition forbids: the file's, that of something else in its sentence (동작 변경 금지), or that of
//! what a word points back to (`src/gen is generated, so no edits there`).

use super::korean::{BANNED, korean_ban};
use super::{FILE_CHANGES, FILLERS, NEGATIONS, Token, is_form, push_words};
use crate::labels::Kind;
use crate::list::{has_any_word, listed};
use crate::names::is_name;
use crate::paths::{Mention, is_particle};
use crate::text::{has_hangul, is_hangul, slice};

/// Whether the words before a path keep people from it: `keep your hands off X`, `stay away from X`.
pub(super) fn is_kept_off(before: &[Token]) -> bool {
    let mut off = false;
    for token in before.iter().rev() {
        let word = token.word();
        if off && listed!("hands|stay|staying|keep|keeping|steer", word) {
            return true;
        }
        let part = listed!("off|away|clear|out", word);
        let filler = if off {
            listed!("your|well|far|completely|entirely|strictly|all|from|of", word)
        } else {
            matches!(token, Token::Path(_)) || FILLERS.has(word)
        };
        if !part && !filler {
            return false;
        }
        off |= part;
    }
    false
}

/// Whether the words right behind a path forbid changes of it: `X: no changes please`. `No changes to the API` forbids
/// something else.
pub(super) fn forbids_changes(after: &[Token]) -> bool {
    let word = |at: usize| after.get(at).map_or("", Token::word);
    matches!(word(0), "no")
        && listed!(
            "changes|change|edits|edit|modifications|touching|editing|writes",
            word(1)
        )
        && after.len() <= 4
        && listed!(
            "|please|here|there|allowed|at|for|now|thanks|needed|whatsoever|yet|permitted",
            word(2)
        )
}

/// A word for all that there is, which `there` then means.
fn is_whole(text: &str) -> bool {
    has_any_word!(
        text,
        "repo|repository|codebase|project|tree|workspace|checkout|code base"
    )
}

/// Where the sentence begins in which a place lies.
fn sentence_of(text: &str, at: usize) -> usize {
    let head = slice(text, 0, at);
    let end = head
        .rmatch_indices(['.', '!', '?', ';', '\n'])
        .find(|(end, mark)| {
            *mark == "\n"
                || slice(head, end + mark.len(), head.len())
                    .chars()
                    .next()
                    .is_some_and(char::is_whitespace)
        });
    end.map_or(0, |(end, mark)| end + mark.len())
}

/// Whether a clause (lower case) that begins at `from` denies changes of a part that its sentence named before:
/// `the schema is fixed, no changes there`.
pub(super) fn points_to_a_part(text: &str, from: usize, lower: &str) -> bool {
    if !has_any_word!(lower, "there|therein|in it|in those|in them") {
        return false;
    }
    let before = slice(text, sentence_of(text, from), from);
    before.chars().any(char::is_alphabetic) && !is_whole(&before.to_lowercase())
}

/// The file that a clause without a file rules out by pointing back to it: `src/b.rs is frozen, nothing may change
/// there`. What an order of its own is given for (`fix src/a.rs, no new files there`) is not meant.
pub(super) fn meant_by_there(
    text: &str,
    from: usize,
    to: usize,
    mentions: &[Mention],
    kind: Option<Kind>,
) -> Option<usize> {
    let lower = slice(text, from, to).to_lowercase();
    if matches!(kind, Some(Kind::Tools | Kind::Other)) || !has_any_word!(&lower, "there") {
        return None;
    }
    let mut words = Vec::new();
    push_words(&mut words, &lower);
    let denied = words
        .iter()
        .position(|t| NEGATIONS.has(t.word()) || t.word().ends_with("n't"))?;
    let behind = words.get(denied + 1..)?;
    // `No changes there`, `nothing may change there`; but `no edits to the tests there`.
    let change = behind.iter().position(|t| is_form(t.word(), FILE_CHANGES))?;
    if !matches!(
        behind.get(change + 1).map(Token::word),
        Some("there" | "anything" | "in")
    ) {
        return None;
    }
    let at = mentions.partition_point(|m| m.start < from).checked_sub(1)?;
    let mention = mentions.get(at)?;
    if mention.start < sentence_of(text, from) {
        return None;
    }
    let mut told = Vec::new();
    push_words(&mut told, slice(text, mention.end, from));
    told.first()
        .is_some_and(|t| {
            listed!(
                "is|are|was|were|comes|stays|stay|has|have|alone|belongs|gets|holds|as",
                t.word()
            )
        })
        .then_some(at)
}

/// What is banned behind a path in a Korean clause where that is not the path itself: 동작 in `X 리팩터링, 동작 변경 금지`.
/// Where it begins, in bytes of `after`, the text behind the path.
pub(super) fn korean_object(after: &str) -> Option<usize> {
    let mark = korean_ban(after)?;
    let head = slice(after, 0, mark);
    let verb = BANNED.iter().filter_map(|verb| head.rfind(verb)).max()?;
    korean_object_before(after, verb)
}

/// The object of the verb at `verb`, where it is a word between the path and that verb. Adverbs are passed over; a clause
/// that gives a reason leaves the path the object.
pub(super) fn korean_object_before(after: &str, verb: usize) -> Option<usize> {
    let head = slice(after, 0, verb);
    let mut at = head.len();
    for raw in head.split_inclusive(char::is_whitespace).rev() {
        at -= raw.len();
        let word = raw.trim().trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() || is_adverb(word) || joins(word) {
            continue;
        }
        // The particle of the path itself, another path, the file under another name.
        if at == 0 && !raw.starts_with(char::is_whitespace) && !after.starts_with(char::is_whitespace)
            || is_particle(word)
            || is_file(raw.trim(), word)
            || !has_hangul(word) && !word.chars().all(|c| c.is_ascii_alphabetic())
        {
            return None;
        }
        let noun = ["을", "를", "은", "는", "도", "만"]
            .iter()
            .find_map(|particle| word.strip_suffix(particle));
        return match noun {
            Some(noun) => (!is_file(raw.trim(), noun) && !is_place(word)).then_some(at),
            // 동작 변경 금지: a noun without its particle.
            None => (!goes_on(word)).then_some(at),
        };
    }
    None
}

/// A Korean word that says how or when, and stands between an object and its verb.
fn is_adverb(word: &str) -> bool {
    listed!(
        "절대|절대로|함부로|임의로|임의|직접|더|이상|아예|다시|전혀|모두|하나도|한|줄도|일절|일체|따로|전부|아직|이번에|이번엔|지금|\
        지금은|이번에는|오늘은|당분간|당분간은|현재는|일단|일단은|우선은|더는|더이상|당장은|앞으로는|앞으로|아직은|가급적|되도록|꼭|\
        반드시|그냥|및|또는|혹은|이나|나|손으로|추가로|그대로|현재|계속|추가|어떤|이유로도|경우에도|원칙적으로",
        word
    )
}

/// One of several verbs that are denied together: 수정 in 수정 및 삭제 금지, 고치거나.
fn joins(word: &str) -> bool {
    BANNED.iter().any(|verb| {
        let rest = word.strip_prefix(verb);
        rest.is_some_and(|rest| matches!(rest, "" | "이나" | "나" | "거나" | "하거나" | "과"))
    })
}

/// A word for the file or for all that is in it.
fn is_file(raw: &str, word: &str) -> bool {
    raw.contains(['/', '*', '`'])
        || raw.trim_end_matches('.').contains('.')
        || is_name(word.trim_end_matches(is_hangul))
        || [
            "파일",
            "폴더",
            "디렉터리",
            "디렉토리",
            "모듈",
            "패키지",
            "코드",
            "내용",
            "소스",
            "전체",
            "부분",
            "아래",
            "하위",
            "내부",
            "안",
            "이것",
            "그것",
            "여기",
            "거기",
            "것",
            "해당",
            "자체",
            "쪽",
            "경로",
        ]
        .iter()
        .any(|noun| word.starts_with(noun))
}

/// A word with a topic's particle behind another: 이번 작업에서는, 여기에는. It says where or when.
fn is_place(word: &str) -> bool {
    [
        "에서는",
        "에는",
        "로는",
        "까지는",
        "동안은",
        "때는",
        "에도",
        "에서도",
        "으로도",
        "로도",
        "중에는",
        "한은",
    ]
    .iter()
    .any(|end| word.ends_with(end))
}

/// A word that is no noun: a verb that joins clauses (자동 생성이라), an adverb in 게 or 로, a place.
fn goes_on(word: &str) -> bool {
    [
        "라", "라서", "니", "니까", "므로", "고", "서", "며", "면", "지만", "데", "려고", "도록", "게", "히",
        "로", "에", "에서", "까지", "대로", "때", "중", "의", "이", "가", "와", "과", "해", "어", "아", "된",
        "한", "는", "인",
    ]
    .iter()
    .any(|end| word.ends_with(end))
}
