//! Files that a later prompt releases though it orders nothing to be done to them: "Those are fine: a.rs, b.rs",
//! "Widen the task: …", or nothing but their names.
//!
//! A sentence releases when all its words, the paths aside, are of one small vocabulary; any other word leaves it to
//! the roles of running text. So "src/b.rs is fine as a model" and "keep src/b.rs as it is" release nothing.

use crate::labels::Kind;
use crate::list::{List, list};
use crate::paths;
use crate::roles::{self, Role};
use crate::sections::Piece;
use crate::text::{is_hangul, sentences, slice};

/// Words that permit.
static PERMITS: &List = list!(
    "\
    fine|ok|okay|alright|allowed|permitted|accepted|acceptable|approved|agreed|keep|belong|belongs|include|\
    includes|included|widen|widens|widened|extend|extends|extended|broaden|broadens|broadened|expand|expands|\
    expanded|allow|permit|accept|approve|covers|may|can|intended|intentional|granted|release|released",
    by_word = true
);
/// Words of such a sentence that say nothing by themselves.
static FILLS: &List = list!(
    "\
    those|these|that|this|they|them|it|all|are|is|the|a|an|and|plus|also|too|both|file|files|path|paths|folder|\
    folders|change|changes|changed|edit|edits|edited|touch|touched|modify|modified|task|scope|of|to|in|into|for|by|\
    with|yes|yep|yeah|sure|please|now|then|you|we|i|go|ahead|thanks|part|following|well|as|be",
    by_word = true
);
/// Of those, what a prompt may hold that is nothing but names.
static NAMES_ONLY: &List = list!(
    "the|and|plus|also|too|file|files|path|paths|yes|yep|yeah|sure|please|ok|okay|alright|thanks",
    by_word = true
);
/// Beginnings of Korean words that permit, and of those that say nothing by themselves.
const KOREAN_PERMITS: &[&str] = &[
    "괜찮",
    "허용",
    "허락",
    "승인",
    "포함",
    "인정",
    "유지",
    "넣",
    "추가",
    "넓",
    "확장",
    "됩니다",
    "돼요",
    "된다",
    "되고",
    "돼",
    "좋습니다",
    "좋아요",
    "둬",
    "두세요",
    "두십시오",
];
const KOREAN_FILLS: &[&str] = &[
    "네",
    "예",
    "그",
    "이",
    "저",
    "파일",
    "폴더",
    "경로",
    "작업",
    "범위",
    "수정",
    "변경",
    "고쳐",
    "고치",
    "바꿔",
    "바꾸",
    "건드",
    "모두",
    "전부",
    "다",
    "것",
    "해",
    "하세요",
    "하셔",
    "함께",
    "및",
    "와",
    "과",
    "랑",
    "도",
    "은",
    "는",
    "가",
    "을",
    "를",
    "에",
    "으로",
    "로",
    "만들",
];
/// Parts of a Korean word that deny or ask.
const KOREAN_STOPS: &[&str] = &["안", "못", "않", "없", "말", "아니", "까", "나요", "마세", "마십"];

/// What a sentence does for the paths in it, or for those that follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Nothing but names.
    Names,
    Releases,
    SomethingElse,
}

/// A file that is released.
pub(crate) struct Released {
    pub(crate) path: String,
    /// Running text with such a word would take it for somebody else's: "src/b.rs belongs to it".
    pub(crate) against: bool,
}

/// The files that the pieces of a later prompt release, in order.
pub(crate) fn released(pieces: &[Piece]) -> Vec<Released> {
    let mut out = Vec::new();
    let mut names = Vec::new();
    let mut only_names = true;
    // What the last sentence said that is not a name: a list goes with the words above it.
    let mut lead = Says::Names;
    for piece in pieces {
        let read = !piece.is_code
            && piece.row.is_none()
            && matches!(piece.kind, None | Some(Kind::Task | Kind::Scope | Kind::Outcome));
        if !read {
            only_names = false;
            continue;
        }
        for (from, to) in sentences(&piece.text) {
            let sentence = slice(&piece.text, from, to);
            let (says, found) = look(sentence);
            if says != Says::Names {
                lead = says;
            }
            only_names &= says != Says::SomethingElse;
            match lead {
                Says::Releases => out.extend(found),
                Says::Names => names.extend(found),
                Says::SomethingElse => {}
            }
        }
    }
    if only_names {
        names.append(&mut out);
        return names;
    }
    out
}

fn look(sentence: &str) -> (Says, Vec<Released>) {
    let mut mentions = paths::find(sentence);
    for folder in paths::named_folders(sentence) {
        if !mentions
            .iter()
            .any(|m| m.start < folder.end && folder.start < m.end)
        {
            mentions.push(folder);
        }
    }
    mentions.sort_by_key(|m| m.start);
    paths::kinds(sentence, &mut mentions);
    let mut rest = String::new();
    let mut at = 0;
    for mention in &mentions {
        rest.push_str(slice(sentence, at, mention.start));
        rest.push(' ');
        at = mention.end.max(at);
    }
    rest.push_str(slice(sentence, at, sentence.len()));
    let says = of_words(&rest.to_lowercase());
    if says == Says::SomethingElse || mentions.iter().any(|m| m.command) {
        return (Says::SomethingElse, Vec::new());
    }
    let found = mentions
        .iter()
        .zip(roles::roles(sentence, &mentions, None))
        .flat_map(|(mention, role)| {
            let spellings = paths::spellings(&mention.path).into_iter();
            spellings.map(move |path| Released {
                path,
                against: matches!(role, Role::Excluded | Role::Kept),
            })
        })
        .collect();
    (says, found)
}

fn of_words(rest: &str) -> Says {
    if rest.contains(['?', '？']) {
        return Says::SomethingElse;
    }
    let mut permits = false;
    let mut only_names = true;
    for word in rest
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|w| !w.is_empty())
    {
        if word.chars().any(is_hangul) {
            let begins = |list: &[&str]| list.iter().any(|stem| word.starts_with(stem));
            if KOREAN_STOPS.iter().any(|stop| word.contains(stop)) {
                return Says::SomethingElse;
            }
            let permit = begins(KOREAN_PERMITS);
            if !permit && !begins(KOREAN_FILLS) {
                return Says::SomethingElse;
            }
            permits |= permit;
            continue;
        }
        let name = NAMES_ONLY.has(word);
        permits |= PERMITS.has(word);
        only_names &= name;
        if !name && !PERMITS.has(word) && !FILLS.has(word) {
            return Says::SomethingElse;
        }
    }
    if permits {
        Says::Releases
    } else if only_names {
        Says::Names
    } else {
        Says::SomethingElse
    }
}
