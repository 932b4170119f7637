//! What the readers of parts look for in single words, found once for each token: a reader goes through a part only when
//! one of its cues stands there, and then compares bits instead of words.

use super::forms;
use super::stem::word_hash;
use super::syllables::{self, Syllables, row};
use proctor_prose::TokenKind;

pub(super) use super::cue::Cues;

/// The cues that a word is listed with, by the hash of its token or of its text.
pub(super) fn listed(hash: u32, word: &str) -> Cues {
    // Where it may cut is told of words alone.
    forms::find(hash, word.len()).map_or(Cues::NONE, |form| form.cues.without(Cues::CUT))
}

/// The cues of a word in lower case that is `listed` with some: those that it has wherever it stands. `glued` says that
/// nothing stands between it and the word before.
#[inline(never)]
pub(super) fn of(kind: TokenKind, word: &str, listed: Cues, glued: bool) -> Cues {
    match kind {
        TokenKind::Punct(',' | ';' | '，' | '、' | '·' | '&' | '+' | ':') => Cues::CUT,
        TokenKind::Punct('/' | '|') | TokenKind::Emoji => Cues::BREAK,
        TokenKind::Punct(_) => Cues::NONE,
        TokenKind::Hangul => listed.with(hangul(word, syllables::tail(word), glued)),
        kind => {
            let figure = word.bytes().next().is_some_and(|b| b.is_ascii_digit());
            let mut cues = listed.with(Cues::FIGURE.when(figure));
            if kind == TokenKind::Word && cues.any(Cues::AND) {
                cues = cues.with(Cues::CUT);
            }
            cues = cues.with(Cues::VOID.when(super::whole::voids(word)));
            if let Some(base) = word.strip_suffix("'s") {
                // "everything's in"
                let counts = self::listed(word_hash(base), base);
                cues = cues.with(Cues::COUNTING.when(counts.any(Cues::COUNTING.with(Cues::OF_TWO))));
            }
            let (first, last) = (word.as_bytes().first(), word.as_bytes().last());
            if first.max(last).is_some_and(|b| !b.is_ascii()) {
                cues = cues.with(hangul(word, syllables::tail(word), glued));
            }
            cues
        }
    }
}

/// The cues of a Korean word by its beginning and its end, which is given as a row of syllables.
pub(super) fn hangul(word: &str, tail: u64, glued: bool) -> Cues {
    let begins = |list: &[&str]| list.iter().any(|k| word.starts_with(k));
    static FIRST: Syllables = Syllables::of("때탓원문모못듯아추의같완진이처");
    let out = match word
        .chars()
        .next()
        .filter(|_| FIRST.begins(word))
        .unwrap_or_default()
    {
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
    out.with(ending(word, tail, glued))
        .with(Cues::SOMEBODY.when(super::people::takes(word)))
        .with(Cues::CONNECTS.when(super::cuts::connects(word, tail)))
        .with(Cues::COUNTING.when(counts(word, tail)))
        .with(super::whole::cues(word))
}

/// The cues of a Korean word by its last syllables, a row of them.
fn ending(word: &str, tail: u64, glued: bool) -> Cues {
    let ends = |end: u64| syllables::ends(tail, end);
    let longer = tail >> 16 != 0;
    let long = tail >> 32 != 0;
    let behind = ends(const { row("와") })
        | ends(const { row("과") })
        | ends(const { row("랑") })
        | ends(const { row("및") })
        | ends(const { row("하고") });
    // 음 closes 이었음 and 였음.
    let is = ends(const { row("다") }) | ends(const { row("였음") }) | ends(const { row("이었음") });
    let but = ends(const { row("지만") });
    let contrast = but & !ends(const { row("까지만") });
    let whole = but
        | ends(const { row("에만") })
        | ends(const { row("다만") })
        | ends(const { row("고만") })
        | ends(const { row("때만") });
    let part = ends(const { row("만") }) & long & !glued & !whole;
    let reasons = ends(const { row("서") });
    let carried = ends(const { row("해서") })
        | ends(const { row("어서") })
        | ends(const { row("아서") })
        | ends(const { row("여서") })
        | ends(const { row("려서") })
        | ends(const { row("꿔서") })
        | ends(const { row("하여") });
    let given = ends(const { row("에게") }) | ends(const { row("한테") }) | ends(const { row("님께") });
    let subject = ends(const { row("이") })
        | ends(const { row("가") })
        | ends(const { row("은") })
        | ends(const { row("는") })
        | ends(const { row("에서") })
        | ends(const { row("께서") });
    let somebody = given || subject && is_somebody(word);
    Cues::CUT_BEHIND
        .when(behind & (longer | glued))
        .with(Cues::IS.when(is))
        .with(Cues::CONTRAST.when(contrast))
        .with(Cues::PARTLY.when(part))
        .with(Cues::REASONS.when(reasons))
        .with(Cues::CARRIED.when(carried & long))
        .with(Cues::TOO.when(ends(const { row("도요") })))
        .with(Cues::SOMEBODY.when(somebody))
}

/// Whether a Korean word may by itself speak of items by order or quantity. Many others only begin like one: 네트워크.
pub(super) fn counting(word: &str) -> bool {
    counts(word, syllables::tail(word))
}

/// The same of a word with this tail.
fn counts(word: &str, tail: u64) -> bool {
    static ALWAYS: Syllables = Syllables::of("첫둘셋넷앞뒤맨외뺀빼");
    static FIRST: Syllables = Syllables::of("두세네다전후마처모나남제이말");
    static SECOND: Syllables = Syllables::of("섯부체원자지음두든머은기외고");
    let begin = syllables::first(word);
    let second = word.get(3..).map_or(usize::MAX, syllables::first);
    let alone = tail >> 16 == 0;
    // Few other words begin with both.
    let pair = FIRST.has(begin) & (alone | SECOND.has(second));
    let ends = |end: u64| syllables::ends(tail, end);
    let excepts = ends(const { row("빼고") })
        | ends(const { row("남기고") })
        | ends(const { row("제외하고") })
        | ends(const { row("말고") })
        | ends(const { row("뺀") })
        | ends(const { row("빼면") })
        | ends(const { row("제외한") })
        | ends(const { row("제외하면") })
        | ends(const { row("외에") })
        | ends(const { row("외에는") })
        | ends(const { row("이외") });
    ALWAYS.has(begin) | excepts & !alone || pair && is_counting(word)
}

/// Whether a Korean word counts by its first two syllables, or by its only one.
fn is_counting(word: &str) -> bool {
    let mut chars = word.chars();
    let first = chars.next().unwrap_or_default();
    let second = chars.next();
    match first {
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
    }
}

/// Whether a Korean word without a sign of state may say something by its form or beside another word: for all that
/// `Senses::korean_context` looks for in such words.
pub(super) fn is_formed(word: &str) -> bool {
    static FIRST: Syllables = Syllables::of("않없남보제것거겁수예계했끝처합하들해있상됩되돼중");
    static LAST: Syllables = Syllables::of("던게함됨");
    LAST.ends(word) | FIRST.begins(word)
}

/// Whether a word names people as the subject of its clause: 보안팀이.
fn is_somebody(word: &str) -> bool {
    super::people::subject(word).is_some_and(super::people::are_people)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(kind: TokenKind, word: &str) -> Cues {
        of(kind, word, listed(word_hash(word), word), false)
    }

    #[test]
    fn words_have_their_cues() {
        for (word, expected) in super::super::cue_words::WORDS {
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
