//! Sentences about the task as a whole: "Everything you asked for is in", 빠짐없이 처리했습니다, "Nothing is left on the list".
//! Such a sentence is told from others by having no words of its own: only those for the work as such, for all of it, for
//! what was asked, and for being done. Any other word would be about something that is no whole.

use super::class::Class;
use super::cues::Cues;
use super::signs::Signs;
use super::status::{View, leading};
use super::syllables::{self, Syllables};
use crate::list::listed;
use proctor_prose::{Features, Filter, Reading, Token, TokenKind};

/// A sentence about the whole has at most so many tokens.
pub(super) const SHORT: usize = 16;

/// Features of a clause that tells nothing of how things are. What is planned or heard has other words as well.
const APART: Features = Features::QUOTED.or(Features::CONDITIONAL);

/// English words that a sentence about the whole has beside those of quantity.
const KEYS: [&str; 24] = [
    "task",
    "work",
    "job",
    "list",
    "checklist",
    "request",
    "requests",
    "requested",
    "asked",
    "wanted",
    "ordered",
    "specified",
    "described",
    "agreed",
    "planned",
    "assignment",
    "requirement",
    "requirements",
    "no",
    "nothing",
    "none",
    "changes",
    "did",
    "needed",
];
static KEY: Filter = Filter::of(&KEYS);

/// Whether a word says that there is none of something.
pub(super) fn voids(word: &str) -> bool {
    word.starts_with('없') || matches!(word, "no" | "nothing" | "none" | "않습니다" | "않아요" | "않음")
}

/// What a Korean word may have to do with sentences about the whole.
pub(super) fn cues(word: &str) -> Cues {
    static FIRST: Syllables = Syllables::of("모전다빠남하싹몽요시말부지맡주원필없않");
    // No word for the work that 다 may stand behind ends with 니; verbs do.
    if !(FIRST.begins(word) || syllables::last(word) == DA && !word.ends_with("니다")) {
        return Cues::NONE;
    }
    let all = is_all(word) || is_asked(word);
    let counted = word
        .strip_suffix('다')
        .is_some_and(|rest| is_korean_work(rest) || (2..=MOST).any(|count| is_korean_count(rest, count)));
    Cues::WHOLE
        .when(all || counted)
        .with(Cues::VOID.when(voids(word)))
        .with(Cues::KEY.when(is_korean_key(word)))
}

/// The place of 다 among the syllables, which most verbs end with.
const DA: usize = syllables::place([0xeb, 0x8b, 0xa4]);

/// The greatest number of items that has a Korean word here.
const MOST: usize = 6;

/// Whether a Korean word means all of several.
fn is_all(word: &str) -> bool {
    matches!(
        word,
        "모두" | "전부" | "다" | "모든" | "전체" | "빠짐없이" | "남김없이" | "하나도" | "싹" | "몽땅"
    )
}

/// Whether a Korean word begins as one that such a sentence has.
fn is_korean_key(word: &str) -> bool {
    let begins = |list: &[&str]| list.iter().any(|key| word.starts_with(key));
    match word.chars().next().unwrap_or_default() {
        '없' | '싹' => true,
        '요' => begins(&["요청"]),
        '시' => begins(&["시키", "시킨"]),
        '말' => begins(&["말씀"]),
        '부' => begins(&["부탁"]),
        '지' => begins(&["지시"]),
        '맡' => begins(&["맡기", "맡긴"]),
        '주' => begins(&["주신"]),
        '필' => begins(&["필요"]),
        '원' => begins(&["원하"]),
        '빠' => begins(&["빠짐"]),
        '남' => begins(&["남김", "남아"]),
        _ => false,
    }
}

/// Whether some tokens have a word of a sentence about the whole: rules out most of them.
pub(super) fn may_tell(reading: &Reading, tokens: &[Token]) -> bool {
    tokens.len() <= SHORT
        && tokens.iter().any(|token| match token.kind {
            TokenKind::Word => token.may_be(&KEY) && KEYS.contains(&reading.word(token)),
            TokenKind::Hangul => is_korean_key(reading.word(token)),
            _ => false,
        })
}

/// Whether a stretch of an answer about a list of `count` items says of the whole that it is done. Its words have some `cues`
/// at most.
pub(super) fn is_done(view: View<'_>, features: Features, count: usize, cues: Cues) -> bool {
    if !cues.any(Cues::VOID.with(Cues::WHOLE)) {
        return false;
    }
    // "What you asked for is done" only begins like a question.
    let asks = features.has(Features::QUESTION) && view.words().next() != Some("what")
        || view.tokens().iter().any(|token| token.is_punct('?'));
    !asks
        && !features.any(APART)
        && view.tokens().len() <= SHORT
        && (cues.any(Cues::VOID) && leaves_nothing(view) || cues.any(Cues::WHOLE) && completes(view, count))
}

/// Whether a stretch says of the list as a whole that nothing of it is open: "No open items", "nothing is left on the
/// list", 남은 항목이 없습니다.
fn leaves_nothing(view: View<'_>) -> bool {
    let (mut none, mut left) = (false, false);
    for word in view.words() {
        if word.starts_with('없') {
            if !left || word.starts_with("없이") || word.starts_with("없지") || word.starts_with("없었")
            {
                return false;
            }
            none = true;
            continue;
        }
        match word {
            "no" | "nothing" | "none" => none = true,
            // 남아 있지 않습니다
            "않습니다" | "않아요" | "않음" => none = true,
            "open" | "left" | "remaining" | "remains" | "remain" | "outstanding" | "pending" | "남은"
            | "열린" | "빠진" | "빠뜨린" | "미완료" | "할" | "남아" | "남아있지" | "남지" => {
                left = true
            }
            "is" | "are" | "there" | "there's" | "on" | "the" | "this" | "your" | "more" | "any"
            | "anymore" | "now" | "longer" | "of" | "to" | "do" | "be" | "done" | "있지" | "하나도"
            | "이제" | "더" | "이상" | "더는" | "전혀" | "아무것도" | "해야" => {}
            word => {
                if !(is_work(word) || is_korean_work(word)) {
                    return false;
                }
            }
        }
    }
    none && left
}

/// A word for the work that was asked for, or for the parts of it.
fn is_work(word: &str) -> bool {
    stands_for_all(word)
        || listed!(
            "tasks|jobs|item|items|point|points|requests|requirement|requirements|thing|things|changes|order|orders|\
            todos|deliverables|steps|parts|pieces|entries|wishes|instructions",
            word,
        )
}

/// A word of which there is one for all the work: "the task".
fn stands_for_all(word: &str) -> bool {
    ONE.contains(&word)
}

/// English words for the work as such, for all of it, and for what was asked: one of them is in each sentence about the
/// whole, and has [`Cues::WHOLE`].
const ONE: [&str; 7] = [
    "task",
    "work",
    "job",
    "list",
    "checklist",
    "request",
    "assignment",
];
const ALL: [&str; 6] = ["everything", "all", "every", "each", "whole", "entire"];
const ASKED: [&str; 13] = [
    "asked",
    "wanted",
    "requested",
    "ordered",
    "specified",
    "described",
    "listed",
    "agreed",
    "planned",
    "instructed",
    "outlined",
    "needed",
    "required",
];

/// A Korean word for the work or its parts, with a particle or without: 항목이, 작업은, 일.
fn is_korean_work(word: &str) -> bool {
    const NOUNS: [&str; 18] = [
        "체크리스트",
        "리스트",
        "항목",
        "작업",
        "목록",
        "할일",
        "사항",
        "내용",
        "기능",
        "과제",
        "업무",
        "부분",
        "요구",
        "일",
        "건",
        "것",
        "거",
        "게",
    ];
    // Most words begin with another syllable.
    let first = word.as_bytes().first_chunk::<3>();
    NOUNS.iter().filter(|noun| noun.as_bytes().first_chunk::<3>() == first).any(|noun| {
        word.strip_prefix(noun).is_some_and(|end| {
            listed!(
                "|이|은|도|가|는|을|를|들|들을|들은|들이|들도|까지|대로|사항|사항을|사항은|사항이|내용을|내용은|에",
                end
            )
        })
    })
}

/// What the words of a stretch say of the whole so far.
#[derive(Default)]
struct Told {
    /// All of it is meant: "everything", 모두.
    all: bool,
    /// What was asked for is meant, or the way it was asked for: "as requested", 시키신.
    asked: bool,
    /// There is one word for all of it: "the task".
    one: bool,
    /// It is told to be done, however; and by a word that says nothing else.
    done: bool,
    plainly: bool,
}

/// Whether a stretch says of the whole that it is done, and nothing else.
fn completes(view: View<'_>, count: usize) -> bool {
    let mut told = Told::default();
    let mut before = "";
    let last = view.last_word();
    for (at, token) in (view.from..).zip(view.tokens()) {
        if token.quoted {
            return false;
        }
        let heard = match token.kind {
            TokenKind::Punct('.' | '!' | ',' | '(' | ')' | '\n') | TokenKind::Emoji => continue,
            TokenKind::Word => told.english(view, at, before, count),
            TokenKind::Hangul => told.korean(view, at, before, (last == Some(at), count)),
            TokenKind::Number => is_number(view.reading.word(token), count),
            _ => false,
        };
        if !heard {
            return false;
        }
        before = view.reading.word(token);
    }
    told.done && (told.all || told.asked || told.one && told.plainly)
}

/// Whether a word is the number of all items.
fn is_number(word: &str, count: usize) -> bool {
    count > 1 && leading(word).is_some_and(|(number, rest)| rest.is_empty() && number == count as u64)
}

impl Told {
    /// Hears an English word behind another; says whether a sentence about the whole may have it.
    fn english(&mut self, view: View<'_>, at: usize, before: &str, count: usize) -> bool {
        let Some(token) = view.reading.tokens.get(at) else {
            return false;
        };
        let word = view.reading.word(token);
        let sense = view.senses.get(at);
        if sense.signs.any(Signs::DONE) {
            (self.done, self.plainly) = (true, true);
        }
        match word {
            word if ALL.contains(&word) => self.all = true,
            "both" if count == 2 => self.all = true,
            // "the work you asked for", "as requested"
            word if ASKED.contains(&word) => self.asked = true,
            "did" => self.done = true,
            // "that's everything on the list"
            "that's" => (self.done, self.plainly) = (true, true),
            "through" if matches!(before, "worked" | "got" | "made") => {
                (self.done, self.plainly) = (true, true);
            }
            "worked" | "got" => {}
            "branch" | "main" | "master" | "code" | "codebase" | "repo" | "repository" | "place"
                if matches!(before, "in" | "on" | "the") =>
            {
                self.done = true;
            }
            "the" | "that" | "this" | "your" | "my" | "our" | "of" | "it" | "i" | "i've" | "we" | "we've"
            | "you" | "you've" | "what" | "as" | "to" | "from" | "for" | "on" | "in" | "at" | "is"
            | "are" | "was" | "were" | "has" | "have" | "been" | "there" | "here" | "now" | "fully"
            | "completely" | "entirely" | "successfully" | "already" | "also" | "just" | "so" | "well"
            | "up" | "by" | "with" | "care" | "finally" | "exactly" | "do" | "me" | "us" | "had" | "and" => {}
            word if stands_for_all(word) => self.one = true,
            // "The changes you requested": what else may sound like trouble.
            word if is_work(word) => return !sense.signs.any(AGAINST.without(Signs::TROUBLE)),
            word if is_number(word, count) => {}
            _ => return self.verb(view, at),
        }
        !sense.signs.any(AGAINST)
    }

    /// Hears a verb of having done something.
    fn verb(&mut self, view: View<'_>, at: usize) -> bool {
        let sense = view.senses.get(at);
        if sense.signs.any(AGAINST.with(Signs::IDLE).with(Signs::ANALYSED)) {
            return false;
        }
        let making = Class::CREATE
            .with(Class::CHANGE)
            .with(Class::FIX)
            .with(Class::GENERIC);
        let done = sense.signs.any(Signs::DONE) || sense.finished && sense.class.has(making);
        self.done |= done;
        done
    }

    /// Hears a Korean word behind another; it may be the `last`.
    fn korean(&mut self, view: View<'_>, at: usize, before: &str, (last, count): (bool, usize)) -> bool {
        let Some(token) = view.reading.tokens.get(at) else {
            return false;
        };
        let word = view.reading.word(token);
        match word {
            word if is_all(word) => {
                self.all = true;
                return true;
            }
            // 남은 것 없이
            "남은" | "빠진" | "빠뜨린" | "누락된" | "이제" | "이미" | "제가" | "저는" | "저희가" | "해" =>
            {
                return true;
            }
            "없이" => {
                return matches!(
                    before.chars().next(),
                    Some('것' | '항' | '부' | '거' | '일' | '건')
                );
            }
            "대로" => return self.asked,
            "둘" | "두" => return count == 2,
            "셋" | "세" => return count == 3,
            "넷" | "네" => return count == 4,
            "다섯" => return count == 5,
            "개" | "가지" | "개를" | "가지를" | "개가" | "가지가" => return true,
            _ => {}
        }
        // 세 개 다: syllables in a row are one word.
        if let Some(rest) = word.strip_suffix('다')
            && (is_korean_work(rest) || is_korean_count(rest, count))
        {
            self.all = true;
            return true;
        }
        if is_korean_work(word) || is_korean_count(word, count) {
            return true;
        }
        if is_asked(word) {
            self.asked = true;
            return true;
        }
        let sense = view.senses.get(at);
        if sense.signs.any(AGAINST) || only_takes_in(word) {
            return false;
        }
        if !last {
            // 처리해 두었습니다: what is done stands before the auxiliary.
            return word.ends_with(['해', '어', '아', '여', '려']) && !view.any(Cues::CONNECTS);
        }
        let met = ["만족", "충족"].iter().any(|verb| word.starts_with(verb));
        let done = sense.finished || sense.signs.any(Signs::DONE) || met;
        (self.done, self.plainly) = (done, done);
        done && !sense.signs.any(Signs::IDLE.with(Signs::ANALYSED)) && sense.class != Class::VERIFY
    }
}

/// Whether a Korean word is the number of all items: 세개, 세가지를, 셋.
fn is_korean_count(word: &str, count: usize) -> bool {
    const NUMBERS: [(&str, usize); 8] = [
        ("둘", 2),
        ("두", 2),
        ("셋", 3),
        ("세", 3),
        ("넷", 4),
        ("네", 4),
        ("다섯", 5),
        ("여섯", 6),
    ];
    NUMBERS.iter().any(|(name, number)| {
        *number == count
            && word
                .strip_prefix(name)
                .is_some_and(|rest| listed!("|개|가지|건|개를|가지를|개가|가지가|을|를|이|가", rest))
    })
}

/// Signs that something is not done.
const AGAINST: Signs = Signs::NEG
    .with(Signs::NO)
    .with(Signs::BAD)
    .with(Signs::UNDONE)
    .with(Signs::OPEN)
    .with(Signs::FUTURE)
    .with(Signs::TROUBLE)
    .with(Signs::PEOPLE)
    .with(Signs::LIMIT);

/// A Korean word that tells of what the reader asked for: 요청하신, 시키신, 요청대로.
fn is_asked(word: &str) -> bool {
    const ASKED: [&str; 10] = [
        "요청",
        "시키신",
        "시킨",
        "말씀하신",
        "부탁",
        "지시",
        "맡기신",
        "맡긴",
        "주신",
        "원하신",
    ];
    ASKED.iter().any(|verb| {
        word.strip_prefix(verb).is_some_and(|end| {
            listed!(
                "|하신|한|주신|받은|대로|하신대로|한대로|하신것|사항|사항을|사항은|사항이|사항도|내용|을|은|이|도",
                end
            )
        })
    }) || word == "필요한"
        || word == "원하시는"
}

/// Whether a Korean verb tells of taking in or passing on what was asked, not of doing it: 읽었습니다, 이해했습니다, 적었습니다.
fn only_takes_in(word: &str) -> bool {
    const VERBS: [&str; 25] = [
        "읽",
        "이해",
        "확인",
        "검토",
        "파악",
        "분석",
        "살펴",
        "들었",
        "봤",
        "보았",
        "받았",
        "접수",
        "적었",
        "적어",
        "기록",
        "정리",
        "옮겨",
        "복사",
        "공유",
        "보고했",
        "전달",
        "알겠",
        "시작",
        "나눴",
        "진행",
    ];
    VERBS.iter().any(|verb| word.starts_with(verb))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::cues::listed;
    use crate::progress::stem::word_hash;

    /// A word that is added here is looked for by its cue as well.
    #[test]
    fn words_about_the_whole_have_their_cues() {
        let of = |word: &str| {
            if word.is_ascii() {
                listed(word_hash(word), word)
            } else {
                cues(word)
            }
        };
        for word in KEYS {
            assert!(of(word).any(Cues::KEY), "{word}");
        }
        for word in ONE.iter().chain(&ALL).chain(&ASKED).chain(&["both"]) {
            assert!(of(word).any(Cues::WHOLE), "{word}");
        }
        for word in [
            "모두",
            "전부",
            "다",
            "모든",
            "전체",
            "빠짐없이",
            "남김없이",
            "하나도",
            "싹",
            "몽땅",
            "요청하신",
            "시키신",
        ] {
            assert!(of(word).any(Cues::WHOLE), "{word}");
        }
        for word in [
            "no",
            "nothing",
            "none",
            "없습니다",
            "없음",
            "않습니다",
            "않아요",
            "않음",
        ] {
            assert!(of(word).any(Cues::VOID), "{word}");
        }
        for word in [
            "요청하신",
            "시키신",
            "말씀하신",
            "부탁하신",
            "지시하신",
            "맡기신",
            "주신",
            "필요한",
            "원하신",
            "빠짐없이",
            "남김없이",
            "없이",
            "싹",
        ] {
            assert!(of(word).any(Cues::KEY), "{word}");
        }
    }
}
