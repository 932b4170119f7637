//! What the readers of parts look for in single words, found once for each token: a reader goes through a part only when
//! one of its cues stands there, and then compares bits instead of words.

use super::stem::{START, hash_on};
use proctor_prose::TokenKind;

/// A set of cues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cues(u64);

impl Cues {
    pub(super) const NONE: Self = Self(0);
    /// and, or.
    pub(super) const AND: Self = Self(1);
    /// It joins what follows to what stands before: and, or, 및.
    pub(super) const JOINS: Self = Self(1 << 1);
    /// but, except.
    pub(super) const EXCEPTS: Self = Self(1 << 2);
    /// correction, 정정.
    pub(super) const CORRECTS: Self = Self(1 << 3);
    /// so, then, because: opens a statement without being part of it.
    pub(super) const OPENER: Self = Self(1 << 4);
    pub(super) const SO: Self = Self(1 << 5);
    /// too, likewise, 도요.
    pub(super) const TOO: Self = Self(1 << 6);
    /// if, once, until.
    pub(super) const IF: Self = Self(1 << 7);
    /// Stands before the verb of a part that begins with its verb: and, I.
    pub(super) const LEADS: Self = Self(1 << 8);
    /// All of several: 둘, 모두.
    pub(super) const BOTH: Self = Self(1 << 9);
    /// Says by itself that a cause is given: because, 때문.
    pub(super) const CAUSE: Self = Self(1 << 10);
    /// The cause by its name: reason, 원인.
    pub(super) const REASON: Self = Self(1 << 11);
    /// Says what a cause is: is, 입니다.
    pub(super) const IS: Self = Self(1 << 12);
    /// A cause is not known: perhaps, 추정.
    pub(super) const UNSURE: Self = Self(1 << 13);
    pub(super) const ONLY: Self = Self(1 << 14);
    pub(super) const OF: Self = Self(1 << 15);
    /// no, none, nothing, nobody.
    pub(super) const NOTHING: Self = Self(1 << 16);
    /// 다시.
    pub(super) const AGAIN: Self = Self(1 << 17);
    /// now, fine, correctly.
    pub(super) const NOW: Self = Self(1 << 18);
    /// Speaks of how far the work is: progress, 진행.
    pub(super) const PROGRESS: Self = Self(1 << 19);
    /// People or agents at work.
    pub(super) const PERSON: Self = Self(1 << 20);
    /// 보안팀이, 담당자에게.
    pub(super) const SOMEBODY: Self = Self(1 << 21);
    /// A list may be cut before it.
    pub(super) const CUT: Self = Self(1 << 22);
    /// A list may be cut behind it.
    pub(super) const CUT_BEHIND: Self = Self(1 << 23);
    /// Ends a statement without ending the sentence: 했고.
    pub(super) const CONNECTS: Self = Self(1 << 24);
    /// Ends in 서.
    pub(super) const REASONS: Self = Self(1 << 25);
    /// Ends in 지만.
    pub(super) const CONTRAST: Self = Self(1 << 26);
    /// The next part carries it on: 수정해서.
    pub(super) const CARRIED: Self = Self(1 << 27);
    /// Only this: 목차만.
    pub(super) const PARTLY: Self = Self(1 << 28);
    /// A number that may be that of an item.
    pub(super) const COUNTS: Self = Self(1 << 29);
    /// The letter of an item, with the `)` behind it.
    pub(super) const LETTER: Self = Self(1 << 30);
    /// Begins with digits or is a number in words.
    pub(super) const FIGURE: Self = Self(1 << 31);
    /// May begin the name of a file.
    pub(super) const FILE: Self = Self(1 << 32);
    /// 중, 가운데.
    pub(super) const AMONG: Self = Self(1 << 33);
    /// A capitalised word that no list knows: perhaps a name.
    pub(super) const NAME: Self = Self(1 << 34);
    /// `@name`.
    pub(super) const MENTION: Self = Self(1 << 35);

    /// Points at what was left: 남았던, the other.
    pub(super) const FORMER: Self = Self(1 << 36);

    /// May by itself speak of items by order or quantity: first, all, 나머지.
    pub(super) const COUNTING: Self = Self(1 << 37);
    /// The same where there are two items: both, former.
    pub(super) const OF_TWO: Self = Self(1 << 38);
    /// What numbers in words stand behind: items, steps; or "than", behind "other".
    pub(super) const COUNTED: Self = Self(1 << 39);

    /// What somebody else's work is told by.
    pub(super) const PEOPLE: Self = Self::PERSON
        .with(Self::SOMEBODY)
        .with(Self::NAME)
        .with(Self::MENTION);

    /// Whether one of the others is among them.
    pub(super) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The cues, or none.
    #[must_use]
    pub(super) const fn when(self, is: bool) -> Self {
        if is { self } else { Self::NONE }
    }
}

/// Words and their cues, whatever the script.
const WORDS: &[(&str, Cues)] = &[
    ("and", Cues::AND.with(Cues::JOINS).with(Cues::LEADS)),
    ("or", Cues::AND.with(Cues::JOINS)),
    ("및", Cues::JOINS.with(Cues::CUT_BEHIND)),
    ("그리고", Cues::JOINS),
    ("but", Cues::EXCEPTS),
    ("except", Cues::EXCEPTS.with(Cues::COUNTING)),
    ("save", Cues::EXCEPTS),
    ("단", Cues::EXCEPTS),
    ("다만", Cues::EXCEPTS),
    ("correction", Cues::CORRECTS),
    ("erratum", Cues::CORRECTS),
    ("retracting", Cues::CORRECTS),
    ("정정", Cues::CORRECTS),
    ("번복", Cues::CORRECTS),
    ("so", Cues::OPENER.with(Cues::SO)),
    ("then", Cues::OPENER),
    ("thus", Cues::OPENER),
    ("also", Cues::OPENER.with(Cues::LEADS)),
    ("therefore", Cues::OPENER),
    ("hence", Cues::OPENER),
    ("because", Cues::OPENER.with(Cues::CAUSE)),
    ("too", Cues::TOO),
    ("well", Cues::TOO),
    ("likewise", Cues::TOO),
    ("마찬가지입니다", Cues::TOO),
    ("if", Cues::IF),
    ("once", Cues::IF),
    ("when", Cues::IF),
    ("unless", Cues::IF),
    ("until", Cues::IF),
    ("as", Cues::IF),
    ("after", Cues::IF),
    ("assuming", Cues::IF),
    ("provided", Cues::IF),
    ("i", Cues::LEADS),
    ("we", Cues::LEADS),
    ("i've", Cues::LEADS),
    ("둘", Cues::BOTH),
    ("셋", Cues::BOTH),
    ("넷", Cues::BOTH),
    ("모두", Cues::BOTH),
    ("전부", Cues::BOTH),
    ("due", Cues::CAUSE),
    ("caused", Cues::CAUSE),
    ("culprit", Cues::CAUSE),
    ("stems", Cues::CAUSE),
    ("thanks", Cues::CAUSE),
    ("cause", Cues::REASON),
    ("reason", Cues::REASON),
    ("root", Cues::REASON),
    ("is", Cues::IS),
    ("was", Cues::IS),
    ("lies", Cues::IS),
    ("unknown", Cues::UNSURE),
    ("unclear", Cues::UNSURE),
    ("maybe", Cues::UNSURE),
    ("perhaps", Cues::UNSURE),
    ("probably", Cues::UNSURE),
    ("might", Cues::UNSURE),
    ("may", Cues::UNSURE),
    ("only", Cues::ONLY),
    ("of", Cues::OF),
    ("no", Cues::NOTHING),
    ("none", Cues::NOTHING),
    ("nothing", Cues::NOTHING),
    ("nobody", Cues::NOTHING),
    ("다시", Cues::AGAIN),
    ("now", Cues::NOW),
    ("fine", Cues::NOW),
    ("correctly", Cues::NOW),
    ("properly", Cues::NOW),
    ("cleanly", Cues::NOW),
    ("flawlessly", Cues::NOW),
    ("through", Cues::PROGRESS),
    ("progress", Cues::PROGRESS),
    ("there", Cues::PROGRESS),
    ("team", Cues::PERSON),
    ("agent", Cues::PERSON),
    ("colleague", Cues::PERSON),
    ("colleagues", Cues::PERSON),
    ("contractor", Cues::PERSON),
    ("vendor", Cues::PERSON),
    ("engineer", Cues::PERSON),
    ("engineers", Cues::PERSON),
    ("developer", Cues::PERSON),
    ("developers", Cues::PERSON),
    ("designer", Cues::PERSON),
    ("designers", Cues::PERSON),
    ("maintainer", Cues::PERSON),
    ("maintainers", Cues::PERSON),
    ("intern", Cues::PERSON),
    ("people", Cues::PERSON),
    ("guys", Cues::PERSON),
    ("folks", Cues::PERSON),
    ("department", Cues::PERSON),
    ("ops", Cues::PERSON),
    ("sre", Cues::PERSON),
    ("dba", Cues::PERSON),
    ("session", Cues::PERSON),
    ("somebody", Cues::PERSON),
    ("someone", Cues::PERSON),
    ("other", Cues::FORMER),
    ("remaining", Cues::FORMER.with(Cues::COUNTING)),
    ("outstanding", Cues::FORMER),
    ("남은", Cues::FORMER),
    ("남았던", Cues::FORMER),
    ("나머지", Cues::FORMER),
    ("다른", Cues::FORMER),
    ("중", Cues::AMONG),
    ("중에", Cues::AMONG),
    ("중에서", Cues::AMONG),
    ("가운데", Cues::AMONG),
    ("first", Cues::COUNTING),
    ("second", Cues::COUNTING),
    ("third", Cues::COUNTING),
    ("fourth", Cues::COUNTING),
    ("fifth", Cues::COUNTING),
    ("last", Cues::COUNTING),
    ("final", Cues::COUNTING),
    ("all", Cues::COUNTING),
    ("everything", Cues::COUNTING),
    ("every", Cues::COUNTING),
    ("rest", Cues::COUNTING),
    ("others", Cues::COUNTING),
    ("besides", Cues::COUNTING),
    ("excluding", Cues::COUNTING),
    ("barring", Cues::COUNTING),
    ("minus", Cues::COUNTING),
    ("apart", Cues::COUNTING),
    ("aside", Cues::COUNTING),
    ("both", Cues::OF_TWO),
    ("former", Cues::OF_TWO),
    ("latter", Cues::OF_TWO),
    ("items", Cues::COUNTED),
    ("item", Cues::COUNTED),
    ("steps", Cues::COUNTED),
    ("step", Cues::COUNTED),
    ("tasks", Cues::COUNTED),
    ("task", Cues::COUNTED),
    ("points", Cues::COUNTED),
    ("point", Cues::COUNTED),
    ("numbers", Cues::COUNTED),
    ("number", Cues::COUNTED),
    ("than", Cues::COUNTED),
    ("zero", Cues::FIGURE),
    ("one", Cues::FIGURE),
    ("two", Cues::FIGURE),
    ("three", Cues::FIGURE),
    ("four", Cues::FIGURE),
    ("five", Cues::FIGURE),
    ("six", Cues::FIGURE),
    ("seven", Cues::FIGURE),
    ("eight", Cues::FIGURE),
    ("nine", Cues::FIGURE),
    ("ten", Cues::FIGURE),
];

/// The words with a cue.
#[cfg(test)]
pub(super) fn words_with(cue: Cues) -> impl Iterator<Item = &'static str> {
    WORDS.iter().filter(move |w| w.1.any(cue)).map(|w| w.0)
}

/// Slots of the table; a power of two, at most half of them in use.
const SLOTS: usize = 512;

/// The words by their hash, with open addressing; a key of 0 is an empty slot.
static TABLE: [(u64, Cues); SLOTS] = table();

/// Which words there are, as a rough filter.
static FILTER: [u64; 16] = filter();

const fn table() -> [(u64, Cues); SLOTS] {
    assert!(WORDS.len() * 2 <= SLOTS, "the table is too full");
    let mut out = [(0, Cues::NONE); SLOTS];
    let mut at = 0;
    while at < WORDS.len() {
        let key = hash_on(START, WORDS[at].0);
        let mut slot = key as usize % SLOTS;
        while out[slot].0 != 0 {
            assert!(out[slot].0 != key, "a word stands there twice");
            slot = (slot + 1) % SLOTS;
        }
        out[slot] = (key, WORDS[at].1);
        at += 1;
    }
    out
}

const fn filter() -> [u64; 16] {
    let mut out = [0; 16];
    let mut at = 0;
    while at < WORDS.len() {
        let place = (hash_on(START, WORDS[at].0) >> 32) as usize % 1024;
        out[place / 64] |= 1 << (place % 64);
        at += 1;
    }
    out
}

/// The cues of a word by the hash of its text.
fn listed(key: u64) -> Cues {
    let place = (key >> 32) as usize % 1024;
    if FILTER
        .get(place / 64)
        .is_none_or(|bits| bits >> (place % 64) & 1 == 0)
    {
        return Cues::NONE;
    }
    let mut slot = key as usize % SLOTS;
    while let Some((known, cues)) = TABLE.get(slot).filter(|(known, _)| *known != 0) {
        if *known == key {
            return *cues;
        }
        slot = (slot + 1) % SLOTS;
    }
    Cues::NONE
}

/// The cues of a word in lower case whose text has this hash: those that it has wherever it stands. `first` says that
/// nothing stands between it and the word before.
#[inline(never)]
pub(super) fn of(kind: TokenKind, word: &str, key: u64, glued: bool) -> Cues {
    match kind {
        TokenKind::Punct(',' | ';' | '，' | '、' | '·' | '&' | '+' | ':') => Cues::CUT,
        TokenKind::Punct(_) | TokenKind::Emoji => Cues::NONE,
        TokenKind::Hangul => listed(key).with(hangul(word, glued)),
        kind => {
            let figure = word.bytes().next().is_some_and(|b| b.is_ascii_digit());
            let mut cues = listed(key).with(Cues::FIGURE.when(figure));
            if kind == TokenKind::Word && cues.any(Cues::AND) {
                cues = cues.with(Cues::CUT);
            }
            if let Some(base) = word.strip_suffix("'s") {
                // "everything's in"
                let counts = listed(hash_on(START, base));
                cues = cues.with(Cues::COUNTING.when(counts.any(Cues::COUNTING.with(Cues::OF_TWO))));
            }
            let (first, last) = (word.as_bytes().first(), word.as_bytes().last());
            if first.max(last).is_some_and(|b| !b.is_ascii()) {
                cues = cues.with(hangul(word, glued));
            }
            cues
        }
    }
}

/// The cues of a Korean word by its beginning and its end.
fn hangul(word: &str, glued: bool) -> Cues {
    let begins = |list: &[&str]| list.iter().any(|k| word.starts_with(k));
    let ends = |list: &[&str]| list.iter().any(|k| word.ends_with(k));
    let mut out = match word.chars().next().unwrap_or_default() {
        '때' => Cues::CAUSE.when(begins(&["때문"])),
        '탓' => Cues::CAUSE,
        '원' => Cues::REASON.when(begins(&["원인"])),
        '문' => Cues::CAUSE.when(begins(&["문제였", "문제이었"])),
        '모' => Cues::UNSURE.when(begins(&["모르", "모릅"])),
        '못' | '듯' => Cues::UNSURE,
        '아' => Cues::UNSURE.when(begins(&["아직"])),
        '추' => Cues::UNSURE.when(begins(&["추정"])),
        '의' => Cues::UNSURE.when(begins(&["의심"])),
        '같' => Cues::UNSURE.when(begins(&["같습", "같아"])),
        '완' => Cues::PROGRESS.when(begins(&["완료"])),
        '진' => Cues::PROGRESS.when(begins(&["진행", "진척"])),
        '이' => Cues::PROGRESS.when(begins(&["이전"])),
        '처' => Cues::PROGRESS.when(begins(&["처리"])),
        _ => Cues::NONE,
    };
    let mut back = word.chars().rev();
    let last = back.next().unwrap_or_default();
    let longer = back.next().is_some();
    let long = longer && back.next().is_some();
    if (longer || glued) && (matches!(last, '와' | '과' | '랑' | '및') || ends(&["하고"])) {
        out = out.with(Cues::CUT_BEHIND);
    }
    out.with(match last {
        '다' | '음' => {
            // 음 closes 이었음 and 였음.
            Cues::IS.when(last == '다' || ends(&["였음"]) || ends(&["이었음"]))
        }
        '만' => {
            let contrast = ends(&["지만"]) && !ends(&["까지만"]);
            let part = long && !glued && !ends(&["지만", "에만", "다만", "하지만", "고만", "때만"]);
            Cues::CONTRAST.when(contrast).with(Cues::PARTLY.when(part))
        }
        '서' => {
            let carried = long && ends(&["해서", "어서", "아서", "여서", "려서", "꿔서"]);
            let somebody = Cues::SOMEBODY.when(is_somebody(word));
            Cues::REASONS.with(Cues::CARRIED.when(carried)).with(somebody)
        }
        '여' => Cues::CARRIED.when(long && ends(&["하여"])),
        '요' => Cues::TOO.when(ends(&["도요"])),
        '게' | '테' | '께' => Cues::SOMEBODY.when(ends(&["에게", "한테", "님께"])),
        '이' | '가' | '은' | '는' => Cues::SOMEBODY.when(is_somebody(word)),
        _ => Cues::NONE,
    })
    .with(Cues::CONNECTS.when(super::cuts::connects(word)))
    .with(Cues::COUNTING.when(counting(word)))
}

/// Whether a Korean word may by itself speak of items by order or quantity. Many others only begin like one: 네트워크.
pub(super) fn counting(word: &str) -> bool {
    let mut chars = word.chars();
    let first = chars.next().unwrap_or_default();
    let second = chars.next();
    let counts = match first {
        '첫' | '둘' | '셋' | '넷' | '앞' | '뒤' | '맨' | '외' | '뺀' | '빼' => true,
        '두' | '세' | '네' => second.is_none(),
        '다' => matches!(second, None | Some('섯')),
        '전' => matches!(second, None | Some('부' | '체' | '원' | '자')),
        '후' => second == Some('자'),
        '마' => second == Some('지'),
        '처' => second == Some('음'),
        '모' => matches!(second, Some('두' | '든')),
        '나' => second == Some('머'),
        '남' => matches!(second, Some('은' | '기')),
        '제' | '이' => second == Some('외'),
        '말' => second == Some('고'),
        _ => false,
    };
    let ends = |list: &[&str]| list.iter().any(|k| word.ends_with(k));
    let excepts = || match word.chars().next_back() {
        Some('고') => ends(&["빼고", "남기고", "제외하고", "말고"]),
        Some('뺀' | '면' | '한') => ends(&["뺀", "빼면", "제외한", "제외하면"]),
        Some('에' | '는' | '외') => ends(&["외에", "외에는", "이외"]),
        _ => false,
    };
    counts || second.is_some() && excepts()
}

/// Whether a word names people as the subject of its clause: 보안팀이.
fn is_somebody(word: &str) -> bool {
    super::people::subject(word).is_some_and(super::people::are_people)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(kind: TokenKind, word: &str) -> Cues {
        of(kind, word, hash_on(START, word), false)
    }

    #[test]
    fn words_have_their_cues() {
        for (word, expected) in WORDS {
            assert!(cues(TokenKind::Word, word).any(*expected), "{word}");
        }
        assert_eq!(cues(TokenKind::Word, "retry"), Cues::NONE);
        assert!(cues(TokenKind::Number, "40%").any(Cues::FIGURE));
    }

    #[test]
    fn korean_words_have_theirs() {
        for (word, expected) in [
            ("때문에", Cues::CAUSE),
            ("원인은", Cues::REASON),
            ("문제였습니다", Cues::IS),
            ("추정됩니다", Cues::UNSURE),
            ("했지만", Cues::CONTRAST),
            ("목차만", Cues::PARTLY),
            ("수정해서", Cues::CARRIED),
            ("보안팀이", Cues::SOMEBODY),
            ("담당자에게", Cues::SOMEBODY),
            ("버그도요", Cues::TOO),
            ("로그인과", Cues::CUT_BEHIND),
            ("고쳤고", Cues::CONNECTS),
        ] {
            assert!(cues(TokenKind::Hangul, word).any(expected), "{word}");
        }
        assert_eq!(cues(TokenKind::Hangul, "설정"), Cues::NONE);
    }
}
