//! What completes an item by its nature: a cause that was found, a fault that was reproduced, a thing that no longer
//! happens, a figure that became better.

use super::class::Class;
use super::cues::Cues;
use super::signs::Signs;
use super::status::{Status, View};
use super::words::{self, Room};
use proctor_prose::{Features, Token, TokenKind};

/// What an item asks for besides its verbs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish {
    /// To find something out.
    pub(super) finds: bool,
    /// To make a fault happen.
    pub(super) reproduces: bool,
    /// That something is not, or no longer.
    pub(super) negative: bool,
    /// That something happens in some case: "… when the upload fails", 로그아웃 시 …, 5분마다 ….
    pub(super) behaves: bool,
    /// Tests.
    pub(super) tests: bool,
}

impl Wish {
    /// Reads an item.
    pub(super) fn of(text: &str, class: Class) -> Self {
        let ascii = text.is_ascii();
        let lower = if ascii {
            text.to_ascii_lowercase()
        } else {
            text.to_lowercase()
        };
        let mut wish = Self {
            reproduces: lower.contains("reproduc") || lower.contains("repro ") || lower.contains("재현"),
            ..Self::default()
        };
        for word in lower.split(|c: char| !(crate::text::is_alphanumeric(c) || c == '\'')) {
            match word {
                "why" | "cause" | "causes" | "find" | "identify" | "locate" | "diagnose" | "determine"
                | "pinpoint" => wish.finds = true,
                "test" | "tests" | "spec" | "specs" => wish.tests = true,
                "no" | "not" | "never" | "without" | "cannot" | "can't" | "don't" | "none" | "neither" => {
                    wish.negative = true;
                }
                "when" | "whenever" | "if" | "on" | "every" | "after" | "upon" => wish.behaves = true,
                _ if !ascii => wish.hear(word),
                _ => {}
            }
        }
        wish.finds |= class == Class::ANALYSE;
        wish.behaves = wish.behaves || states_a_fact(&lower);
        wish
    }

    /// Takes in what a Korean word of an item asks for.
    fn hear(&mut self, word: &str) {
        let begins = |list: &[&str]| list.iter().any(|k| word.starts_with(k));
        let ends = |list: &[&str]| list.iter().any(|k| word.ends_with(k));
        self.finds |= begins(&["원인", "찾", "규명", "파악", "분석", "조사"]);
        self.tests |= word.starts_with("테스트");
        self.negative |= word.contains("않") || word.contains("없") || matches!(word, "안" | "못");
        self.behaves |= matches!(word, "시" | "때" | "마다" | "때마다" | "자동" | "자동으로")
            || ends(&["하면", "되면", "시에", "마다", "면"]) && !matches!(word, "화면" | "전면");
    }

    fn is_any(self) -> bool {
        self.finds || self.reproduces || self.negative
    }

    /// The state that a stretch tells of an item with this wish, where it is another than its words alone tell.
    pub(super) fn state(self, view: View<'_>, status: Option<Status>, score: f32) -> Option<Status> {
        if !self.is_any() || score < 0.3 {
            return None;
        }
        let all = view.signs();
        let later = Signs::FUTURE.with(Signs::PLAN).with(Signs::ASKED);
        if all.any(later) {
            return None;
        }
        if self.finds
            && !matches!(status, Some(Status::Done(_)))
            && view.any(Cues::CAUSE.with(Cues::REASON))
            && names_cause(view)
        {
            return Some(Status::Done(Class::GENERIC));
        }
        if self.reproduces
            && !self.negative
            && score >= 0.5
            && all.any(Signs::BAD)
            && !all.any(Signs::NEG.with(Signs::NO).with(Signs::UNDONE))
            && has_place(view)
        {
            return Some(Status::Done(Class::GENERIC));
        }
        let bad = Signs::BAD
            .with(Signs::UNDONE)
            .with(Signs::TROUBLE)
            .with(Signs::OPEN);
        // "두 번 제출되지 않습니다"
        if self.negative
            && score >= 0.5
            && let Some(last) = view.last_word()
            && view
                .reading
                .tokens
                .get(last)
                .is_some_and(|t| view.reading.word(t).starts_with(['않', '없']))
            && !view.at(view.from, last).signs().any(bad)
        {
            return Some(Status::Done(Class::GENERIC));
        }
        if self.negative && score >= 0.5 && all.any(Signs::NEG.with(Signs::NO)) && !all.any(bad) {
            return Some(Status::Done(Class::GENERIC));
        }
        None
    }
}

/// "세션 삭제를 구현했습니다": what is told to be made is the item's own removal, by name.
pub(super) fn realised(view: View<'_>, status: Status, item: Class, score: f32) -> Status {
    let Status::Done(how) = status else {
        return status;
    };
    let own = |(at, token): (usize, &Token)| {
        let named = token.is_word() && !view.senses.places(at).is_empty() && !view.senses.get(at).finished;
        named && {
            let mut list = Vec::new();
            words::concepts(view.reading.word(token), &mut Room::default(), &mut list);
            list.iter().any(|concept| concept.class.has(Class::REMOVE))
        }
    };
    let by_name = item.has(Class::REMOVE)
        && how.has(Class::CREATE)
        && !how.completes(item)
        && score >= 0.5
        && view.said().any(own);
    if by_name {
        Status::Done(how.with(Class::REMOVE))
    } else {
        status
    }
}

/// Whether an item (lower case) says how something is, and orders nothing: "Logout clears the session", "Results are
/// sorted". The verb of the third person stands behind its subject, before an object.
fn states_a_fact(lower: &str) -> bool {
    let mut words = lower.split_whitespace();
    let subject = words.next().unwrap_or_default();
    let mut before = subject;
    let mut next = words.next();
    for _ in 0..4 {
        let Some(word) = next else { return false };
        next = words.next();
        let object = next.is_some_and(|n| matches!(n, "the" | "a" | "an" | "its" | "all" | "no" | "every"));
        if matches!(word, "is" | "are") {
            return next.is_some();
        }
        if object && word.len() > 4 && word.ends_with('s') && !word.ends_with("ss") && !before.ends_with('s')
        {
            return true;
        }
        before = word;
    }
    false
}

/// "Storybook has a story for the error state", "배치는 매일 03:00에 돕니다": what an item asks for, told as something that is so.
/// Of what is to be mended or taken away, such a sentence may tell how it was.
/// What an item says to happen in some case may be told with that case: "when the upload fails, a warning is shown".
pub(super) fn holds(
    view: View<'_>,
    features: Features,
    (item, wish): (Class, Wish),
    score: f32,
) -> Option<Status> {
    let behaves = wish.behaves && !wish.finds && !wish.negative && !wish.reproduces;
    let was = if behaves {
        item.has(Class::FIX.with(Class::ANALYSE))
    } else {
        item.has(Class::FIX.with(Class::REMOVE).with(Class::ANALYSE))
    };
    let open = Features::HEARSAY
        .or(Features::FUTURE)
        .or(Features::ONGOING)
        .or(Features::QUOTED);
    // 저장할 때 날짜를 검사합니다: with its case told, it says what happens then, and announces nothing.
    let habit = behaves && view.words().any(is_case);
    // "Logging out removes the session."
    let gerund = behaves
        && view
            .words()
            .next()
            .is_some_and(|word| word.is_ascii() && word.ends_with("ing"));
    let open = if habit || gerund {
        Features::HEARSAY.or(Features::QUOTED)
    } else if behaves {
        open
    } else {
        open.or(Features::CONDITIONAL)
    };
    let least = if behaves { 0.5 } else { 0.45 };
    if was || score < least || features.any(open) {
        return None;
    }
    let mut subject = false;
    let mut holds = false;
    let mut named = false;
    let mut before = Signs::NONE;
    for (at, token) in view.said() {
        if !token.is_word() {
            continue;
        }
        let word = view.reading.word(token);
        let signs = view.senses.signs(at);
        if token.kind == TokenKind::Hangul {
            let own = !view.senses.places(at).is_empty();
            holds = subject && (is_plain_present(word) || habit && own && is_present(word));
            subject |= own && (is_topic(word) || habit && word.ends_with(['을', '를']));
        } else {
            match word {
                "i" | "we" | "they" | "let" | "let's" | "please" | "but" => return None,
                "you" | "if" if !behaves => return None,
                // Also where the list knows it as good news: "no warning".
                "no" | "not" | "never" | "none" | "nothing" if behaves => return None,
                "you" | "if" | "when" => {}
                "is" | "are" => holds |= behaves && subject && is_shown(view, at + 1),
                "has" | "have" => holds |= subject && !before.any(Signs::PREPOSITION),
                "there" => {
                    let next = view
                        .reading
                        .tokens
                        .get(at + 1)
                        .map_or("", |t| view.reading.word(t));
                    holds |= matches!(next, "is" | "are");
                }
                _ => {
                    let own = |at: usize| behaves && at < view.to && !view.senses.places(at).is_empty();
                    // "deletes expired cookies", "sees a warning"
                    let verb = named || own(at) || own(at + 2);
                    holds |=
                        subject && verb && is_verb(view, at, word, own(at) && own(at + 1) && is_deed(word));
                }
            }
            subject |= !view.senses.places(at).is_empty() || signs.any(Signs::CONTENT);
        }
        named = !view.senses.places(at).is_empty();
        before = signs;
    }
    let bad = Signs::NEG
        .with(Signs::NO)
        .with(Signs::BAD)
        .with(Signs::UNDONE)
        .with(Signs::TROUBLE)
        .with(Signs::OPEN)
        .with(Signs::FUTURE)
        .with(Signs::ASKED)
        .with(Signs::LEFT);
    // "A warning is shown when the upload fails": what the item itself names tells nothing bad.
    let own = |at: usize| behaves && !view.senses.places(at).is_empty();
    let told = view
        .said()
        .filter(|(at, _)| !own(*at))
        .fold(Signs::NONE, |all, (at, _)| all.with(view.senses.signs(at)));
    (holds && !told.any(bad)).then_some(Status::Done(Class::OTHER.with(Class::VERIFY)))
}

/// Whether a participle that the item has itself follows "is": "is shown", "is always cleared".
fn is_shown(view: View<'_>, at: usize) -> bool {
    (at..view.to.min(at + 3)).any(|at| {
        let token = view.reading.tokens.get(at);
        let participle = token.is_some_and(|t| view.reading.word(t).ends_with(['d', 'n', 't']));
        (participle || view.senses.get(at).finished) && !view.senses.places(at).is_empty()
    })
}

/// Whether a word behind what an item is about is a verb in the present tense: "PRIVACY.md enumerates all fields".
/// `governs` says that its object is known to follow.
fn is_verb(view: View<'_>, at: usize, word: &str, governs: bool) -> bool {
    let object = governs
        || at + 1 < view.to && {
            let signs = view.senses.signs(at + 1);
            let next = view.reading.tokens.get(at + 1);
            signs.any(Signs::DETERMINER.with(Signs::QUANTITY))
                || next.is_some_and(|n| n.kind == TokenKind::Number)
        };
    object && word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && word.is_ascii()
}

/// Whether something is told to be done for the moment only, by a verb that the item has not: "is commented out for now",
/// 임시로 막아 뒀습니다. What is done as it was asked for, or simply done, is so for good.
pub(super) fn is_stopgap(view: View<'_>, how: Class, heard: Signs) -> bool {
    if !heard.any(Signs::LIMIT) || how.has(Class::GENERIC.with(Class::CREATE)) {
        return false;
    }
    let mut before = "";
    let mut moment = false;
    for word in view.words() {
        moment |= matches!(word, "temporarily" | "임시로" | "잠시" | "당분간" | "moment")
            || before == "for" && word == "now"
            || before == "time" && word == "being";
        before = word;
    }
    let own = |(at, _): (usize, &Token)| view.senses.get(at).finished && !view.senses.places(at).is_empty();
    moment && !view.said().any(own)
}

/// Whether a Korean word is marked as what its sentence speaks of: 배치는.
fn is_topic(word: &str) -> bool {
    word.ends_with(['은', '는', '이', '가', '도']) && word.chars().nth(1).is_some()
}

/// Whether a word is known as a verb of doing something.
fn is_deed(word: &str) -> bool {
    words::english(word, words::name(word))
        .1
        .is_some_and(|concept| !concept.class.is_none())
}

/// Whether a Korean word tells the case in which something happens: 로그아웃하면, 저장할 때, 시작 시, 5분마다, 자동으로.
fn is_case(word: &str) -> bool {
    matches!(word, "시" | "때" | "때마다" | "자동으로" | "시에")
        || ["하면", "되면", "르면", "으면", "마다"]
            .iter()
            .any(|end| word.ends_with(end))
}

/// Whether a Korean word is a verb in the present, 합니다 included.
fn is_present(word: &str) -> bool {
    word.ends_with("합니다") || word.ends_with("됩니다") || is_plain_present(word)
}

/// Whether a Korean word is a native verb in the plain present: 돕니다, 읽습니다, 뜬다; but not 합니다, which also announces.
fn is_plain_present(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("니다") else {
        return false;
    };
    let mut back = stem.chars().rev();
    let last = back.next().unwrap_or_default();
    // 읽었습니다 and 있습니다 have the same consonant before the ending.
    let past = last == '습' && back.next().and_then(crate::text::final_consonant) == Some(20);
    let verb = last == '습' || crate::text::final_consonant(last) == Some(17);
    verb && !past && !matches!(last, '합' | '입') && !stem.starts_with('없')
}

/// Whether a stretch that speaks of a cause says what something comes from.
pub(super) fn names_cause(view: View<'_>) -> bool {
    let mut denied = false;
    let mut cause = false;
    let mut named = false;
    for (at, token) in view.said() {
        if !token.is_word() {
            continue;
        }
        let cues = view.cues(at);
        cause |= cues.any(Cues::CAUSE);
        named |= cues.any(Cues::REASON);
        cause |= named && cues.any(Cues::IS);
        denied |=
            token.kind == TokenKind::Word && named && view.senses.signs(at).any(Signs::NEG.with(Signs::NO));
        denied |= cues.any(Cues::UNSURE);
    }
    cause && !denied
}

/// Whether a stretch names where or how often something happens: a place in a file, a figure.
fn has_place(view: View<'_>) -> bool {
    view.said()
        .any(|(_, t)| matches!(t.kind, TokenKind::Number | TokenKind::Path))
        || view.words().any(|w| {
            matches!(
                w,
                "every" | "always" | "each" | "reliably" | "consistently" | "매번" | "항상"
            )
        })
}

/// Whether a stretch compares a figure with the one before: "3 ns instead of 11", "from 820 to 95 ms", "820ms에서
/// 95ms로", "(전에는 6분)".
pub(super) fn compares(view: View<'_>) -> bool {
    let figures = view
        .said()
        .filter(|(_, t)| {
            matches!(t.kind, TokenKind::Number | TokenKind::Ident)
                && view.reading.word(t).starts_with(|c: char| c.is_ascii_digit())
        })
        .count();
    if figures < 2 {
        return false;
    }
    let has = |list: &[&str]| view.words().any(|w| list.contains(&w));
    let korean = |list: &[&str]| view.words().any(|w| list.iter().any(|k| w.starts_with(k)));
    has(&["instead", "previously", "formerly", "down"])
        || has(&["from"]) && has(&["to"])
        || has(&["before"]) && has(&["after", "now"])
        || has(&["was", "were"]) && has(&["now"])
        || korean(&["전에는", "이전에는", "기존", "원래", "종전"])
        || korean(&["에서"]) && korean(&["로", "으로"])
}
